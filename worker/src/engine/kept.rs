//! What supervisors that wait had loaded, kept while there is room. A supervisor that goes on here reads
//! its conversation and journal from memory, if its row proves that nobody had it meanwhile and that
//! nothing was added to its journal. It loses nothing where they are gone: then they are read anew.

use shared::domain::conversation::Entry;
use shared::domain::history::Past;
use shared::domain::ids::RunId;
use shared::domain::journal::{Journal, Step};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of text of all of them.
const ROOM: usize = 16 << 20;
/// Of one: longer ones are read anew.
const MOST: usize = 1 << 20;

/// What a run had loaded when it began to wait.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub past: Arc<Past>,
    pub user: Arc<str>,
    /// As stored.
    pub journal: Journal,
}

/// The supervisors that wait, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Kept {
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    by_run: HashMap<RunId, Place>,
    /// With the epoch under which it was kept.
    order: VecDeque<(RunId, i64)>,
    bytes: usize,
}

#[derive(Debug)]
struct Place {
    loaded: Loaded,
    epoch: i64,
    bytes: usize,
}

impl Places {
    fn remove(&mut self, run_id: RunId) -> Option<Place> {
        let place = self.by_run.remove(&run_id)?;
        self.bytes -= place.bytes;
        Some(place)
    }
}

impl Kept {
    /// Keeps what a run had loaded that waits since it was held under this epoch.
    pub fn keep(&self, run_id: RunId, epoch: i64, loaded: Loaded) {
        let bytes = weight(&loaded);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.remove(run_id);
        if bytes > MOST {
            return;
        }
        places.bytes += bytes;
        places.by_run.insert(run_id, Place { loaded, epoch, bytes });
        places.order.push_back((run_id, epoch));
        while places.bytes > ROOM || places.order.len() > 2 * places.by_run.len() + 16 {
            let Some((oldest, epoch)) = places.order.pop_front() else { return };
            if places.by_run.get(&oldest).is_some_and(|p| p.epoch == epoch) {
                if places.bytes > ROOM {
                    places.remove(oldest);
                } else {
                    // Still wanted: it only stood before others that are gone.
                    places.order.push_back((oldest, epoch));
                }
            }
        }
    }

    /// What the run had loaded when it began to wait, if by its row nobody held it between that and now,
    /// and its journal is as long as it was.
    pub fn take(&self, run_id: RunId, epoch: i64, step_count: i64) -> Option<Loaded> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let place = places.remove(run_id)?;
        let is_next = place.epoch + 1 == epoch;
        let same_journal = place.loaded.journal.steps.len() as i64 == step_count;
        (is_next && same_journal).then_some(place.loaded)
    }
}

/// About the bytes that it takes.
fn weight(loaded: &Loaded) -> usize {
    let past = loaded.past.turns.iter().flatten().map(|entry| match entry {
        Entry::User { text } => text.len() + 64,
        Entry::Assistant { text, calls } => {
            let calls = calls.iter().map(|c| c.name.len() + c.arguments.len() + 64);
            text.len() + calls.sum::<usize>() + 64
        }
        Entry::ToolResult { text, .. } => text.len() + 128,
    });
    let past = loaded.past.instructions.len() + past.sum::<usize>();
    past + loaded.user.len() + steps(&loaded.journal.steps) + 512
}

fn steps(steps: &[Step]) -> usize {
    let texts = |step: &Step| match step {
        Step::Model(m) => {
            let calls = m.response.calls.iter().map(|c| c.name.len() + c.arguments.len() + 64);
            m.response.text.len() + m.response.thinking.len() + calls.sum::<usize>()
        }
        Step::ToolResult(r) => r.text.len(),
        Step::ToolStarted { .. } | Step::Delegated { .. } | Step::Asked { .. } | Step::Note(_) => 0,
    };
    steps.iter().map(|s| texts(s) + 256).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::journal::Note;
    use shared::domain::runs::Reason;

    fn loaded(user: &str) -> Loaded {
        let journal = Journal { steps: vec![Step::Note(Note::LastCall { reason: Reason::Budget })] };
        Loaded { past: Arc::default(), user: user.into(), journal }
    }

    #[test]
    fn what_was_loaded_holds_for_the_next_epoch_with_the_same_journal_once() {
        let kept = Kept::default();
        kept.keep(RunId(1), 4, loaded("a"));
        assert_eq!(&*kept.take(RunId(1), 5, 1).unwrap().user, "a");
        assert!(kept.take(RunId(1), 5, 1).is_none(), "it is the run's own from now on");
        for (epoch, steps) in [(6, 1), (4, 1), (5, 2), (5, 0)] {
            kept.keep(RunId(1), 4, loaded("a"));
            assert!(kept.take(RunId(1), epoch, steps).is_none(), "epoch {epoch}, {steps} steps");
        }
    }

    #[test]
    fn the_oldest_leave_when_there_is_no_room() {
        let kept = Kept::default();
        let large = "x".repeat(MOST - 4096);
        for run in 1..=40 {
            kept.keep(RunId(run), 1, loaded(&large));
        }
        kept.keep(RunId(41), 1, loaded(&"x".repeat(MOST)));
        let there: Vec<i64> = (1..=41).filter(|run| kept.take(RunId(*run), 2, 1).is_some()).collect();
        assert_eq!(there, (25..=40).collect::<Vec<_>>());
        let places = kept.places.lock().unwrap();
        assert_eq!((places.bytes, places.by_run.len()), (0, 0));
    }

    #[test]
    fn those_that_came_back_leave_nothing_behind() {
        let kept = Kept::default();
        kept.keep(RunId(1), 1, loaded("stays"));
        for run in 2..=1_000 {
            kept.keep(RunId(run), 1, loaded("goes"));
            kept.take(RunId(run), 2, 1).unwrap();
        }
        assert!(kept.places.lock().unwrap().order.len() < 40);
        assert_eq!(&*kept.take(RunId(1), 2, 1).unwrap().user, "stays");
    }
}
