//! What becomes of a waiting run when something that it waits for is done.

use super::runs::{Reason, RunStatus};

/// Where a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Subagents are at work still.
    Waiting,
    /// Only a person is waited for.
    Paused,
    /// Nothing is: a worker is to take it.
    Due,
}

impl Next {
    /// Decides, from the batches and questions that are still open, and the subagents that are live.
    pub fn of(open_waits: i64, live_subagents: i64) -> Self {
        match (open_waits, live_subagents) {
            (..=0, _) => Self::Due,
            (_, ..=0) => Self::Paused,
            _ => Self::Waiting,
        }
    }

    /// The run's status then.
    pub fn status(self) -> RunStatus {
        match self {
            Self::Waiting => RunStatus::Waiting,
            Self::Paused => RunStatus::Paused,
            Self::Due => RunStatus::Queued,
        }
    }

    /// Why it is not worked on then, where the status does not say.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Self::Paused => Some(Reason::Question),
            Self::Waiting | Self::Due => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subagents_come_before_persons_and_nothing_before_a_worker() {
        for (open_waits, live, next) in [
            (0, 0, Next::Due),
            (1, 0, Next::Paused),
            (2, 0, Next::Paused),
            (1, 3, Next::Waiting),
            (2, 1, Next::Waiting),
        ] {
            assert_eq!(Next::of(open_waits, live), next, "{open_waits} open, {live} live");
        }
    }
}
