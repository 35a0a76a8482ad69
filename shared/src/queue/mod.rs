//! The doorbell: carries ids of runs that may be due. The row decides; a lost job is rung again by
//! the sweep and a doubled one fails to claim.

mod memory;
mod redis;

#[cfg(test)]
mod contract;

pub use memory::MemoryQueue;
pub use redis::RedisQueue;

use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use async_trait::async_trait;

/// Where runs are rung. Every adapter passes one contract suite.
#[async_trait]
pub trait Queue: Send + Sync + std::fmt::Debug {
    /// Puts jobs at the end of their tenants' lines and wakes a waiting worker. A run that is in
    /// line already is not put there twice. Costs the same however long the lines are.
    async fn push(&self, jobs: &[Job]) -> Result<(), QueueError>;

    /// Takes at most `max` jobs, tenants in turn; empty when none is there or the queue is paused.
    async fn pop(&self, max: usize) -> Result<Vec<Job>, QueueError>;

    /// Returns when a push may have happened since the last call, or after `at_most`.
    async fn wait(&self, at_most: std::time::Duration);

    /// Jobs in line.
    async fn depth(&self) -> Result<u64, QueueError>;

    /// Stops or resumes `pop` for all workers; jobs stay in line.
    async fn set_paused(&self, paused: bool) -> Result<(), QueueError>;

    /// Takes a run out of the line, where it stands there.
    async fn remove(&self, run_id: RunId) -> Result<(), QueueError>;
}

/// Why the queue did not answer.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The service is away or answers nonsense.
    #[error("queue unavailable: {0}")]
    Unavailable(String),
}

impl From<crate::wire::WireError> for QueueError {
    fn from(error: crate::wire::WireError) -> Self {
        Self::Unavailable(error.0)
    }
}
