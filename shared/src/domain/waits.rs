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
    /// Decides, from the subagents that have not ended and the questions that are open. A run that is to
    /// be stopped waits for no person.
    pub fn of(live_children: i64, open_pauses: i64, is_to_stop: bool) -> Self {
        if live_children > 0 {
            Self::Waiting
        } else if open_pauses > 0 && !is_to_stop {
            Self::Paused
        } else {
            Self::Due
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
        for (live, open, is_to_stop, next) in [
            (0, 0, false, Next::Due),
            (0, 1, false, Next::Paused),
            (0, 2, false, Next::Paused),
            (3, 1, false, Next::Waiting),
            (1, 0, false, Next::Waiting),
            (1, 0, true, Next::Waiting),
            (0, 1, true, Next::Due),
        ] {
            assert_eq!(Next::of(live, open, is_to_stop), next, "{live} live, {open} open, {is_to_stop}");
        }
    }
}
