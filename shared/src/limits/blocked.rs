//! A provider's Retry-After: until when nobody calls a model, and how those who were refused
//! are spread when it ends.

use crate::domain::ids::ModelId;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The part of a Retry-After over which the next tries are spread.
pub(super) const SPREAD: f64 = 0.55;
/// The golden section: each next try lands far from those before, however many there are.
const SECTION: f64 = 0.618_034;

/// One Retry-After.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// When it ends, in ms.
    until: u64,
    /// How long it was, in ms.
    length: u64,
    /// Where the next one refused lands in the spread, between 0 and 1.
    phase: f64,
}

impl Block {
    pub(super) fn new(now: u64, remaining: u64, length: u64) -> Self {
        Self { until: now + remaining, length, phase: rand::random() }
    }

    pub(super) fn ends_before(&self, other: &Self) -> bool {
        self.until < other.until
    }

    pub(super) fn lasts(&self, now: u64) -> bool {
        self.until > now
    }

    /// When one refused is to come again, in ms from now; None when the block is over.
    pub(super) fn refuse(&mut self, now: u64) -> Option<u64> {
        let remaining = self.until.checked_sub(now).filter(|r| *r > 0)?;
        self.phase = (self.phase + SECTION) % 1.0;
        Some(remaining + (self.length as f64 * SPREAD * self.phase) as u64)
    }
}

/// Which models are blocked, as far as this process knows.
#[derive(Debug, Default)]
pub(super) struct Blocks(Mutex<HashMap<ModelId, Block>>);

impl Blocks {
    fn lock(&self) -> MutexGuard<'_, HashMap<ModelId, Block>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a block; a longer one that is known stays.
    pub(super) fn note(&self, model: ModelId, block: Block) {
        let mut blocks = self.lock();
        let known = blocks.entry(model).or_insert(block);
        if known.ends_before(&block) {
            // Those refused by the one known are spread together with those still to come.
            *known = Block { phase: known.phase, ..block };
        }
    }

    /// When one refused is to come again; None when the model is free.
    pub(super) fn refuse(&self, model: ModelId, now: u64) -> Option<Duration> {
        let mut blocks = self.lock();
        let after = blocks.get_mut(&model)?.refuse(now);
        if after.is_none() {
            blocks.remove(&model);
        }
        after.map(Duration::from_millis)
    }
}
