//! One look at the rows of all watched turns every two seconds: a turn that ended without its last
//! event reaching the bus still ends for its readers.

use super::Live;
use shared::app;
use shared::domain::ids::{MessageId, SessionId, TenantId};
use shared::domain::runs::RunStatus;
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Between two looks.
const EVERY: Duration = Duration::from_secs(2);
/// Turns that one query asks for.
const CHUNK: usize = 500;

/// A turn that somebody waits for.
#[derive(Debug)]
pub(super) struct Watched {
    tenant_id: TenantId,
    session_id: SessionId,
    readers: usize,
}

/// Keeps a turn watched; dropping it ends that.
#[derive(Debug)]
pub struct Watch {
    live: Weak<Live>,
    message_id: MessageId,
}

impl Live {
    /// Watches an unfinished turn.
    pub fn watch(
        self: &Arc<Self>,
        tenant_id: TenantId,
        session_id: SessionId,
        message_id: MessageId,
    ) -> Watch {
        let new = Watched { tenant_id, session_id, readers: 0 };
        self.watched().entry(message_id).or_insert(new).readers += 1;
        Watch { live: Arc::downgrade(self), message_id }
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<MessageId, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks once at all watched turns; tells the readers of those that ended or are gone.
    pub(super) async fn look(&self) {
        let mut by_tenant: HashMap<TenantId, Vec<(MessageId, SessionId)>> = HashMap::new();
        for (id, watched) in self.watched().iter() {
            by_tenant.entry(watched.tenant_id).or_default().push((*id, watched.session_id));
        }
        for (tenant_id, turns) in by_tenant {
            for chunk in turns.chunks(CHUNK) {
                self.look_at(tenant_id, chunk).await;
            }
        }
    }

    async fn look_at(&self, tenant_id: TenantId, turns: &[(MessageId, SessionId)]) {
        let ids: Vec<MessageId> = turns.iter().map(|(id, _)| *id).collect();
        let rows = match shared::store::turns::find_many(&self.app.db, tenant_id, &ids).await {
            Ok(rows) => rows,
            Err(error) => return tracing::debug!(%error, "watched turns are looked at again"),
        };
        let live: HashMap<MessageId, RunStatus> =
            rows.iter().filter(|t| !t.status.is_terminal()).map(|t| (t.message.id, t.status)).collect();
        for (message_id, session_id) in turns {
            match live.get(message_id) {
                Some(RunStatus::Paused) => {
                    self.hub.look_at_question(*session_id, *message_id);
                    continue;
                }
                Some(_) => continue,
                None => {}
            }
            if let Err(error) = app::turns::close_stream(&self.app, tenant_id, *message_id).await {
                tracing::debug!(%message_id, %error, "its readers look at the row");
            }
            self.hub.look(*session_id, *message_id);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let Some(live) = self.live.upgrade() else { return };
        let mut watched = live.watched();
        if let Some(entry) = watched.get_mut(&self.message_id) {
            entry.readers -= 1;
            if entry.readers == 0 {
                watched.remove(&self.message_id);
            }
        }
    }
}

/// Looks until shutdown.
pub(super) async fn run(live: Arc<Live>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while live.shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        live.renew_marks().await;
        live.look().await;
    }
}
