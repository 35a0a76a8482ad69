//! Rates within one process, for `neta up`.

use super::super::LimitsError;
use super::super::time::Time;
use super::{RateAsk, RateLimits, Rule, Taken};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Subjects that are kept before those are dropped that owe nothing any more.
const FEW: usize = 1_024;

/// Rates in memory.
#[derive(Debug)]
pub struct MemoryRates {
    subjects: Mutex<Subjects>,
    time: Time,
}

#[derive(Debug)]
struct Subjects {
    /// The end of what each owes, in µs.
    owed: HashMap<String, u64>,
    clean_at: usize,
}

impl Default for MemoryRates {
    fn default() -> Self {
        Self::with(Time::start())
    }
}

impl MemoryRates {
    /// Nobody owes anything.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn with(time: Time) -> Self {
        Self { subjects: Mutex::new(Subjects { owed: HashMap::new(), clean_at: FEW }), time }
    }

    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.subjects.lock().unwrap().owed.len()
    }
}

impl Subjects {
    /// Forgets who owes nothing, each time that twice as many have gathered.
    fn clean(&mut self, now: u64) {
        if self.owed.len() >= self.clean_at {
            self.owed.retain(|_, owed| *owed > now);
            self.clean_at = FEW.max(self.owed.len() * 2);
        }
    }
}

#[async_trait]
impl RateLimits for MemoryRates {
    async fn take(&self, asks: &[RateAsk<'_>]) -> Result<Vec<Taken>, LimitsError> {
        let now = self.time.now() * 1_000;
        // No code panics under this lock; were it to, what is owed is still right.
        let mut subjects = self.subjects.lock().unwrap_or_else(PoisonError::into_inner);
        let judged: Vec<(Rule, u64, bool)> = asks
            .iter()
            .map(|ask| {
                let rule = Rule::of(ask);
                let owed = rule.owed(subjects.owed.get(ask.subject).copied(), now);
                (rule, owed, rule.fits(owed, now))
            })
            .collect();
        let all = judged.iter().all(|(_, _, fits)| *fits);
        if all {
            subjects.clean(now);
            for (ask, (rule, owed, _)) in asks.iter().zip(&judged).filter(|(_, (rule, ..))| rule.cost > 0) {
                subjects.owed.insert(ask.subject.to_owned(), owed + rule.cost);
            }
        }
        let told = |(rule, owed, fits): &(Rule, u64, bool)| {
            rule.told(*fits, owed + if all { rule.cost } else { 0 } - now)
        };
        Ok(judged.iter().map(told).collect())
    }
}
