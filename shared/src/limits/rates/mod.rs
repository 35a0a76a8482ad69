//! How often somebody may ask: requests a minute for each subject (a key, a user, an address), with a
//! burst. The rule is GCRA: a subject's only state is the time at which all that it took is paid for.

mod memory;
mod redis;

#[cfg(test)]
mod contract;

pub use memory::MemoryRates;
pub use redis::RedisRates;

use super::LimitsError;
use async_trait::async_trait;
use std::time::Duration;

/// A minute in µs.
const MINUTE: u64 = 60_000_000;

/// Counts requests. Every adapter passes one contract suite. Times are the adapter's own clock (Redis
/// time, or this process's monotonic clock).
///
/// While the service is away a call fails, and callers let requests through (open: a lost limit costs
/// less than a lost service).
#[async_trait]
pub trait RateLimits: Send + Sync + std::fmt::Debug {
    /// Takes from each subject, or from none if one of them has not enough left. One round trip. The
    /// answers are in the order of the asks, whose subjects must differ.
    async fn take(&self, asks: &[RateAsk<'_>]) -> Result<Vec<Taken>, LimitsError>;
}

/// What is taken from one subject.
#[derive(Debug, Clone, Copy)]
pub struct RateAsk<'a> {
    /// Who pays; unique over all kinds of subjects, as `key:17`.
    pub subject: &'a str,
    /// What it may take.
    pub rate: Rate,
    /// How much; 0 only looks. More than the burst counts as the burst.
    pub cost: u32,
}

/// A rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// What comes back each minute; at least 1.
    pub per_minute: u32,
    /// What may be taken at once; at least 1.
    pub burst: u32,
}

impl Rate {
    /// A rate whose burst is what comes back within a time, at least 1.
    pub fn with_burst_of(per_minute: u32, time: Duration) -> Self {
        let burst = (f64::from(per_minute) * time.as_secs_f64() / 60.0).ceil();
        Self { per_minute: per_minute.max(1), burst: (burst as u32).max(1) }
    }

    /// How long the whole burst takes to come back.
    pub fn window(self) -> Duration {
        Duration::from_micros(self.window_micros())
    }

    /// In µs, how long one takes to come back.
    fn period(self) -> u64 {
        (MINUTE / u64::from(self.per_minute.max(1))).max(1)
    }

    fn window_micros(self) -> u64 {
        self.period() * u64::from(self.burst.max(1))
    }
}

/// What a subject has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Whether the subject has enough. That of all subjects decides whether anything was taken.
    pub allowed: bool,
    /// What it may take at once.
    pub limit: u32,
    /// What it may still take now.
    pub remaining: u32,
    /// When all is back.
    pub reset_after: Duration,
    /// When it will have enough; zero where it has.
    pub retry_after: Duration,
}

/// The rule, in µs of the adapter's clock.
#[derive(Debug, Clone, Copy)]
struct Rule {
    rate: Rate,
    cost: u64,
}

impl Rule {
    fn of(ask: &RateAsk<'_>) -> Self {
        let cost = ask.cost.min(ask.rate.burst.max(1));
        Self { rate: ask.rate, cost: ask.rate.period() * u64::from(cost) }
    }

    /// The end of what is owed, not before now, and not beyond what this rate can owe: the rate may
    /// have been another, and clocks are set back.
    fn owed(&self, stored: Option<u64>, now: u64) -> u64 {
        stored.unwrap_or(now).clamp(now, now + self.rate.window_micros())
    }

    fn fits(&self, owed: u64, now: u64) -> bool {
        owed + self.cost - now <= self.rate.window_micros()
    }

    /// What is told; `debt` is how long what is owed now takes.
    fn told(&self, allowed: bool, debt: u64) -> Taken {
        let window = self.rate.window_micros();
        let wait = if allowed { 0 } else { (debt + self.cost).saturating_sub(window) };
        Taken {
            allowed,
            limit: self.rate.burst.max(1),
            remaining: (window.saturating_sub(debt) / self.rate.period()) as u32,
            reset_after: Duration::from_micros(debt),
            retry_after: Duration::from_micros(wait),
        }
    }
}
