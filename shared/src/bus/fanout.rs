//! The subscribers within this process: each has a bounded channel, and none can hold up another.

use super::{Control, Signal, UNREAD};
use crate::domain::ids::SessionId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::time::Instant;

/// Subscribers of sessions.
#[derive(Debug, Default)]
pub(super) struct Fanout(Mutex<HashMap<SessionId, Readers>>);

#[derive(Debug, Default)]
struct Readers {
    senders: Vec<mpsc::Sender<Signal>>,
    /// Since when there are none.
    idle_since: Option<Instant>,
}

impl Fanout {
    fn lock(&self) -> MutexGuard<'_, HashMap<SessionId, Readers>> {
        // No code panics under this lock; were it to, the map is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a subscriber. `want` is called under the lock, so that it is ordered with `prune`.
    pub(super) fn join(&self, session: SessionId, want: impl FnOnce()) -> mpsc::Receiver<Signal> {
        let (sender, receiver) = mpsc::channel(UNREAD);
        let mut sessions = self.lock();
        let readers = sessions.entry(session).or_default();
        readers.senders.push(sender);
        readers.idle_since = None;
        want();
        receiver
    }

    /// Passes signals on to all subscribers of a session; those that do not read are cut.
    pub(super) fn send(&self, session: SessionId, signals: &[Signal]) {
        let mut sessions = self.lock();
        let Some(readers) = sessions.get_mut(&session) else { return };
        readers.senders.retain(|sender| {
            signals.iter().all(|signal| match sender.try_send(signal.clone()) {
                Ok(()) => true,
                Err(TrySendError::Closed(_)) => false,
                Err(TrySendError::Full(_)) => {
                    metrics::counter!("neta_bus_slow_subscribers_total").increment(1);
                    false
                }
            })
        });
    }

    /// Forgets sessions that have had no subscriber for `linger`, and says which, under the lock.
    pub(super) fn prune(&self, linger: Duration, mut gone: impl FnMut(SessionId)) {
        let now = Instant::now();
        self.lock().retain(|session, readers| {
            readers.senders.retain(|sender| !sender.is_closed());
            if !readers.senders.is_empty() {
                return true;
            }
            let keep = now.duration_since(*readers.idle_since.get_or_insert(now)) < linger;
            if !keep {
                gone(*session);
            }
            keep
        });
    }
}

/// Subscribers of control messages. One that does not read loses messages, which it makes up for
/// by looking at the rows; it is not cut.
#[derive(Debug, Default)]
pub(super) struct Controls(Mutex<Vec<mpsc::Sender<Control>>>);

impl Controls {
    fn lock(&self) -> MutexGuard<'_, Vec<mpsc::Sender<Control>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn join(&self) -> mpsc::Receiver<Control> {
        let (sender, receiver) = mpsc::channel(UNREAD);
        self.lock().push(sender);
        receiver
    }

    pub(super) fn send(&self, control: Control) {
        self.lock().retain(|sender| match sender.try_send(control) {
            Ok(()) => true,
            Err(TrySendError::Closed(_)) => false,
            Err(TrySendError::Full(_)) => {
                tracing::warn!(?control, "a control message was not taken");
                true
            }
        });
    }
}
