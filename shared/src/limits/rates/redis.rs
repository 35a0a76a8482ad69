//! Rates over all processes, on Redis and by its time: one script for all subjects of a request.

use super::super::LimitsError;
use super::super::time::Time;
use super::{RateAsk, RateLimits, Rule, Taken};
use crate::wire::Wire;
use async_trait::async_trait;
use redis::Script;

/// Rates on Redis, shared by all processes.
pub struct RedisRates {
    wire: Wire,
    take: Script,
    time: Time,
}

impl std::fmt::Debug for RedisRates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisRates").field("wire", &self.wire).finish_non_exhaustive()
    }
}

impl RedisRates {
    /// The rates of all processes that use the same Redis and prefix.
    pub fn new(wire: Wire) -> Self {
        Self::with(wire, Time::start())
    }

    pub(super) fn with(wire: Wire, time: Time) -> Self {
        Self { wire, take: Script::new(include_str!("take.lua")), time }
    }

    fn key(&self, subject: &str) -> String {
        self.wire.key(format_args!("rate:{subject}"))
    }

    /// In how many ms Redis forgets a subject; None: it does not know it.
    #[cfg(test)]
    pub(super) async fn kept_for(&self, subject: &str) -> Option<u64> {
        let left: i64 = self.wire.send(redis::cmd("PTTL").arg(self.key(subject))).await.unwrap();
        u64::try_from(left).ok()
    }
}

#[async_trait]
impl RateLimits for RedisRates {
    async fn take(&self, asks: &[RateAsk<'_>]) -> Result<Vec<Taken>, LimitsError> {
        let rules: Vec<Rule> = asks.iter().map(Rule::of).collect();
        let mut call = self.take.prepare_invoke();
        let now = self.time.for_scripts();
        call.arg(if now.is_empty() { now } else { format!("{now}000") });
        for (ask, rule) in asks.iter().zip(&rules) {
            call.key(self.key(ask.subject)).arg(rule.rate.window_micros()).arg(rule.cost);
        }
        let answers: Vec<(u8, u64)> = self.wire.run(&call).await?;
        if answers.len() != rules.len() {
            return Err(LimitsError::Unavailable("the script's answer is not one".to_owned()));
        }
        Ok(rules.iter().zip(answers).map(|(rule, (fits, debt))| rule.told(fits == 1, debt)).collect())
    }
}
