//! Use cases that both the API and the workers need: a transaction, then the ring, then the events.
//! The row is the truth: what follows the commit may fail, and the sweep and the readers' own looks
//! at the rows make it good.

pub mod api_keys;
pub mod keys;
pub mod pauses;
pub mod quotas;
pub mod runs;
pub mod sessions;
pub mod subagent_view;
pub mod subagents;
pub mod tryouts;
pub mod turns;

#[cfg(test)]
mod tests;

use crate::bus::{Begin, Bus, BusError, Control, MemoryBus, Publication, Stream};
use crate::clock::{SharedClock, SystemClock};
use crate::domain::events::{Address, Event, Fragment};
use crate::domain::ids::{RunId, SessionId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::quotas::Exceeded;
use crate::queue::{MemoryQueue, Queue};
use crate::secrets::{Sealer, Secret, SecretError};
use crate::store::{Db, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// After this everybody who worked on a deleted run has stopped telling of it.
const ALL_LEARNED: Duration = Duration::from_millis(500);

/// What use cases work with.
#[derive(Debug)]
pub struct App {
    /// The truth.
    pub db: Db,
    /// The doorbell.
    pub queue: Arc<dyn Queue>,
    /// The live wire.
    pub bus: Arc<dyn Bus>,
    /// The time.
    pub clock: SharedClock,
    /// Opens and closes provider keys.
    pub sealer: Sealer,
    /// What was used of the day by those who have a quota.
    pub day_uses: quotas::DayUses,
    /// Where a debug build is to die, in tests.
    pub crash_at: Option<crate::config::CrashAt>,
}

impl App {
    /// With a queue and a bus in memory, which only this process has, and the system's clock.
    pub fn alone(db: Db, sealer: Sealer) -> Self {
        Self {
            db,
            queue: Arc::new(MemoryQueue::new()),
            bus: Arc::new(MemoryBus::new()),
            clock: Arc::new(SystemClock),
            sealer,
            day_uses: quotas::DayUses::default(),
            crash_at: None,
        }
    }
}

/// Why a use case was refused.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// There is no such object for this tenant.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The session has a live turn, and the policy was to reject.
    #[error("the session is busy with another turn")]
    Busy,
    /// The message that a new one is to replace is none of the session's.
    #[error("the session has no message to replace")]
    NothingToReplace,
    /// Nothing more of the day is left.
    #[error("{0}")]
    QuotaExceeded(Exceeded),
    /// The client's id belongs to another message.
    #[error("this client message id was used for another message")]
    ClientMessageIdReused,
    /// A message's turn was begun, or is over.
    #[error("the turn of this message has begun, or is over")]
    TurnStarted,
    /// The database is away: nothing was done, or it is not known what was.
    #[error("temporarily unavailable: {0}")]
    Unavailable(String),
    /// A fault of Neta.
    #[error("internal: {0}")]
    Internal(String),
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(what) => Self::Unavailable(what),
            other => Self::Internal(other.to_string()),
        }
    }
}

impl App {
    /// Closes a provider key for storage.
    pub fn seal_key(&self, tenant_id: TenantId, key: &Secret) -> Result<String, SecretError> {
        self.sealer.seal(&key_purpose(tenant_id), key)
    }

    /// Opens a stored provider key.
    pub fn open_key(&self, tenant_id: TenantId, sealed: &str) -> Result<Secret, SecretError> {
        self.sealer.open(&key_purpose(tenant_id), sealed)
    }

    /// Rings; where the queue is away, the sweep will.
    pub async fn ring(&self, jobs: &[Job]) {
        if jobs.is_empty() {
            return;
        }
        if let Err(error) = self.queue.push(jobs).await {
            tracing::debug!(%error, "not rung: the sweep will");
        }
    }

    /// Rings the turn that a session has next, after one ended.
    pub async fn ring_next(&self, session_id: SessionId) {
        match crate::store::runs::next_in_session(&self.db, session_id).await {
            Ok(Some(job)) => self.ring(&[job]).await,
            Ok(None) => {}
            Err(error) => tracing::debug!(%session_id, %error, "the next turn is rung by the sweep"),
        }
    }

    /// Tells the workers that a run's row says stop, or is gone.
    async fn tell_workers(&self, runs: &[RunId]) {
        for run_id in runs {
            if let Err(error) = self.bus.send_control(Control::Stop { run_id: *run_id }).await {
                tracing::debug!(%run_id, %error, "its worker learns the stop from the row");
                return;
            }
        }
    }

    /// Removes the jobs of runs that are over or gone.
    async fn take_back(&self, runs: &[RunId]) {
        for run_id in runs {
            if let Err(error) = self.queue.remove(*run_id).await {
                tracing::debug!(%run_id, %error, "its ring will find it over");
                return;
            }
        }
    }

    /// Removes the logs of deleted turns. Whoever was in the middle of telling of one may begin its log
    /// anew after that; so, where one was live, they are removed once more when all have learned.
    async fn forget(
        &self,
        session_id: SessionId,
        streams: &[Stream],
        farewell: Option<Fragment>,
        was_live: bool,
    ) -> Result<(), BusError> {
        self.bus.forget(session_id, streams, farewell).await?;
        if was_live {
            tokio::time::sleep(ALL_LEARNED).await;
            self.bus.forget(session_id, streams, None).await?;
        }
        Ok(())
    }

    fn render(&self, at: Address, event: &Event) -> Fragment {
        event.render(at, self.clock.now())
    }

    async fn publish(
        &self,
        at: Address,
        fence: Option<i64>,
        events: Vec<Fragment>,
        begin: Begin,
    ) -> Result<(), BusError> {
        let stream = Stream::of_turn(at.session_id, at.message_id);
        self.bus.publish(Publication { stream, fence, events, begin }).await.map(|_| ())
    }

    fn crash_point(&self, here: &str) {
        #[cfg(debug_assertions)]
        if let Some(at) = &self.crash_at {
            crate::crash::reached(at, here);
        }
        #[cfg(not(debug_assertions))]
        let _ = here;
    }
}

/// What a sealed key is for: one tenant's cannot be opened as another's.
fn key_purpose(tenant_id: TenantId) -> String {
    format!("model:{tenant_id}")
}
