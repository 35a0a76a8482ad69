//! A model's limits over all workers: calls at the same time, calls and tokens a minute, and a
//! provider's Retry-After. A run that must wait gives its slot back and is rung when its turn comes.

mod blocked;
mod memory;
mod model;
mod rates;
mod redis;
mod time;

#[cfg(test)]
mod contract;

pub use memory::MemoryLimits;
pub use rates::{MemoryRates, Rate, RateAsk, RateLimits, RedisRates, Taken};
pub use redis::RedisLimits;

use crate::domain::ids::{ModelId, RunId};
use crate::domain::jobs::Job;
use async_trait::async_trait;
use std::time::Duration;

/// The span of calls and tokens "a minute", in ms.
const MINUTE: u64 = 60_000;
/// When to ask again for one of a model's places, in ms: a release rings earlier, a holder that
/// died does not.
const PLACE_RETRY: u64 = 10_000;
/// How long after its time a waiter that does not ask again keeps its place, in ms.
const WAITER_GRACE: u64 = 60_000;
/// The same after a ring: the place that it was rung for stands empty meanwhile.
const RUNG_GRACE: u64 = 15_000;
/// The longest Retry-After that is obeyed.
const LONGEST_BLOCK: Duration = Duration::from_mins(2);

/// Grants model calls. Every adapter passes one contract suite. Times are the adapter's own clock
/// (Redis time, or this process's monotonic clock).
///
/// Waiters are served in the order in which they first asked: while capacity is scarce, one that
/// comes later is refused for each that waits before it. A waiter that does not come back loses
/// its place.
///
/// While the service is away, a call to a model with limits fails (closed: a provider's limits
/// protect all tenants), and the run is handed back; a model without limits goes on, and of a
/// Retry-After each process then only knows its own.
#[async_trait]
pub trait Limits: Send + Sync + std::fmt::Debug {
    /// Asks for one call. A refusal keeps the job's place in the model's line.
    async fn acquire(&self, ask: Ask<'_>) -> Result<Grant, LimitsError>;

    /// Says that the call ended and what it used; returns the jobs whose turn has come, to be rung
    /// by the caller.
    async fn release(&self, permit: Permit, used_tokens: u64) -> Result<Vec<Job>, LimitsError>;

    /// Says that a run will not ask again: it ended while it stood in the model's line. Returns the jobs
    /// whose turn has come, as `release` does.
    async fn leave(&self, model_id: ModelId, run_id: RunId) -> Result<Vec<Job>, LimitsError>;

    /// Keeps permits alive; to be called at least each third of `Permit::LIFETIME`.
    async fn renew(&self, permits: &[Permit]) -> Result<(), LimitsError>;

    /// The provider said to wait: nobody calls the model before that. At most 120 s.
    async fn retry_after(&self, model_id: ModelId, wait: Duration) -> Result<(), LimitsError>;
}

/// One wish for a call.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The model.
    pub model_id: ModelId,
    /// Who asks; what is rung when its turn comes.
    pub job: &'a Job,
    /// Calls at the same time; None: no limit.
    pub max_concurrency: Option<u32>,
    /// Calls a minute; None: no limit.
    pub rpm: Option<u32>,
    /// Tokens a minute; None: no limit.
    pub tpm: Option<u32>,
    /// What the call will use by estimate.
    pub estimated_tokens: u64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grant {
    /// Call now, and release afterwards.
    Granted(Permit),
    /// Not now.
    Refused {
        /// When to ask again at the latest, from now; a release may ring earlier. Spread, so that
        /// those who were refused together do not come together.
        after: Duration,
    },
}

/// The right to one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    /// The model.
    pub model_id: ModelId,
    /// Who holds it.
    pub run_id: RunId,
    /// What was reserved of the tokens a minute.
    pub reserved_tokens: u64,
    /// Makes it unique: a run that asks again after a crash holds a new one.
    pub nonce: u64,
    /// Whether the adapter counts it; a model without limits costs nothing.
    pub counted: bool,
}

impl Permit {
    /// A permit that is not renewed for so long is free again: its holder died.
    pub const LIFETIME: Duration = Duration::from_secs(15);
}

/// Why the limits did not answer.
#[derive(Debug, thiserror::Error)]
pub enum LimitsError {
    /// The service is away or answers nonsense.
    #[error("limits unavailable: {0}")]
    Unavailable(String),
}

impl From<crate::wire::WireError> for LimitsError {
    fn from(error: crate::wire::WireError) -> Self {
        Self::Unavailable(error.0)
    }
}

impl Ask<'_> {
    /// Whether the model has any limit.
    fn is_limited(&self) -> bool {
        self.max_concurrency.is_some() || self.rpm.is_some() || self.tpm.is_some()
    }

    fn permit(&self, reserved_tokens: u64, nonce: u64) -> Permit {
        Permit {
            model_id: self.model_id,
            run_id: self.job.run_id,
            reserved_tokens,
            nonce,
            counted: self.is_limited(),
        }
    }
}
