//! The limits within one process, for `neta up`.

use super::blocked::{Block, Blocks};
use super::model::{Answer, Model};
use super::time::Time;
use super::{Ask, Grant, LONGEST_BLOCK, Limits, LimitsError, Permit};
use crate::domain::ids::{ModelId, RunId};
use crate::domain::jobs::Job;
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Limits in memory.
#[derive(Debug)]
pub struct MemoryLimits {
    models: Mutex<HashMap<ModelId, Model>>,
    blocks: Blocks,
    time: Time,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self::with(Time::start())
    }
}

impl MemoryLimits {
    /// Nothing is in force.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn with(time: Time) -> Self {
        Self { models: Mutex::default(), blocks: Blocks::default(), time }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ModelId, Model>> {
        // No code panics under this lock; were it to, permits run out by themselves.
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Limits for MemoryLimits {
    async fn acquire(&self, ask: Ask<'_>) -> Result<Grant, LimitsError> {
        let now = self.time.now();
        if !ask.is_limited() {
            return Ok(match self.blocks.refuse(ask.model_id, now) {
                Some(after) => Grant::Refused { after },
                None => Grant::Granted(ask.permit(0, 0)),
            });
        }
        let nonce = rand::random();
        let answer = self.lock().entry(ask.model_id).or_default().acquire(now, nonce, &ask);
        Ok(match answer {
            Answer::Granted(reserved) => Grant::Granted(ask.permit(reserved, nonce)),
            Answer::Wait(ms) => Grant::Refused { after: Duration::from_millis(ms) },
        })
    }

    async fn release(&self, permit: Permit, used_tokens: u64) -> Result<Vec<Job>, LimitsError> {
        if !permit.counted {
            return Ok(Vec::new());
        }
        let now = self.time.now();
        let mut models = self.lock();
        Ok(models.get_mut(&permit.model_id).map_or(Vec::new(), |m| m.release(now, &permit, used_tokens)))
    }

    async fn leave(&self, model_id: ModelId, run_id: RunId) -> Result<Vec<Job>, LimitsError> {
        let now = self.time.now();
        Ok(self.lock().get_mut(&model_id).map_or(Vec::new(), |m| m.leave(now, run_id)))
    }

    async fn renew(&self, permits: &[Permit]) -> Result<(), LimitsError> {
        let now = self.time.now();
        let mut models = self.lock();
        for permit in permits.iter().filter(|p| p.counted) {
            if let Some(model) = models.get_mut(&permit.model_id) {
                model.renew(now, permit.nonce);
            }
        }
        Ok(())
    }

    async fn retry_after(&self, model_id: ModelId, wait: Duration) -> Result<(), LimitsError> {
        let wait = wait.min(LONGEST_BLOCK).as_millis() as u64;
        let block = Block::new(self.time.now(), wait, wait);
        self.blocks.note(model_id, block);
        self.lock().entry(model_id).or_default().note_block(block);
        Ok(())
    }
}
