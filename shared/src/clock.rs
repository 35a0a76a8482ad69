//! Time as a parameter.

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use std::sync::Arc;

/// Tells the time. Everything that stores or compares times asks one of these.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Now, cut to milliseconds, so that what is stored equals what is returned.
    fn now(&self) -> DateTime<Utc>;
}

/// A clock that several parts hold.
pub type SharedClock = Arc<dyn Clock>;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine for the time")]
    fn now(&self) -> DateTime<Utc> {
        cut(Utc::now())
    }
}

fn cut(t: DateTime<Utc>) -> DateTime<Utc> {
    t.duration_trunc(TimeDelta::milliseconds(1)).unwrap_or(t)
}

/// A clock that a test moves by hand.
#[cfg(any(test, feature = "testing"))]
#[derive(Debug)]
pub struct ManualClock(std::sync::Mutex<DateTime<Utc>>);

#[cfg(any(test, feature = "testing"))]
impl ManualClock {
    /// Stands still at `start`.
    pub fn new(start: DateTime<Utc>) -> Self {
        Self(std::sync::Mutex::new(cut(start)))
    }

    /// Moves forward.
    pub fn advance(&self, by: std::time::Duration) {
        let mut now = self.0.lock().expect("clock lock");
        *now += TimeDelta::from_std(by).expect("small step");
    }
}

#[cfg(any(test, feature = "testing"))]
impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().expect("clock lock")
    }
}
