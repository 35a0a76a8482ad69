//! Who follows subagents, not only turns: their workers tell of them only while somebody does, so
//! each followed session is marked on the bus again and again.

use super::Live;
use serde::{Deserialize, Serialize};
use shared::bus::Control;
use shared::domain::ids::SessionId;
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::time::{Instant, timeout};
use utoipa::ToSchema;

/// How long a mark stands.
const MARK: Duration = Duration::from_mins(1);
/// How old a mark is that is renewed.
const RENEW: Duration = Duration::from_secs(20);
/// How long the bus may take.
const MARK_TIMEOUT: Duration = Duration::from_secs(2);

/// How much of a session a reader wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The events of its turns, in which subagents are entries of their batches.
    #[default]
    Turn,
    /// Besides, the text and the tool calls of every subagent, as a stream of its own.
    Subagents,
}

impl Level {
    /// As an answer names it: the default goes without saying.
    pub fn beyond_turn(self) -> Option<Self> {
        (self != Self::Turn).then_some(self)
    }
}

/// A session whose subagents are followed.
#[derive(Debug, Default)]
pub(super) struct Followed {
    readers: usize,
    /// None: not yet, or the bus was away.
    marked: Option<Instant>,
}

/// Keeps a session's subagents telling; dropping it ends that.
#[derive(Debug)]
pub struct Following {
    live: Weak<Live>,
    session_id: SessionId,
}

impl Live {
    /// Makes the subagents of a session tell of themselves while the result is kept. Where the bus is
    /// away, they begin once it is back.
    pub async fn follow_subagents(self: &Arc<Self>, session_id: SessionId) -> Following {
        let first = {
            let mut followed = self.followed();
            let entry = followed.entry(session_id).or_default();
            entry.readers += 1;
            entry.marked.is_none()
        };
        let following = Following { live: Arc::downgrade(self), session_id };
        if first {
            self.mark(session_id, true).await;
        }
        following
    }

    /// Renews the marks that grow old.
    pub(super) async fn renew_marks(&self) {
        let old: Vec<(SessionId, bool)> = self
            .followed()
            .iter()
            .filter(|(_, f)| f.marked.is_none_or(|at| at.elapsed() >= RENEW))
            .map(|(id, f)| (*id, f.marked.is_none()))
            .collect();
        for (session_id, first) in old {
            self.mark(session_id, first).await;
        }
    }

    async fn mark(&self, session_id: SessionId, first: bool) {
        let mark = async {
            self.app.bus.watch(session_id, MARK).await?;
            if first {
                // After the mark: who looks now finds it.
                self.app.bus.send_control(Control::Watch { session_id }).await?;
            }
            Ok::<_, shared::bus::BusError>(())
        };
        match timeout(MARK_TIMEOUT, mark).await {
            Ok(Ok(())) => {
                if let Some(entry) = self.followed().get_mut(&session_id) {
                    entry.marked = Some(Instant::now());
                }
            }
            Ok(Err(error)) => tracing::debug!(%session_id, %error, "its subagents are asked again"),
            Err(_) => tracing::debug!(%session_id, "the bus is slow: its subagents are asked again"),
        }
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<SessionId, Followed>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let Some(live) = self.live.upgrade() else { return };
        let mut followed = live.followed();
        if let Some(entry) = followed.get_mut(&self.session_id) {
            entry.readers -= 1;
            if entry.readers == 0 {
                followed.remove(&self.session_id);
            }
        }
    }
}
