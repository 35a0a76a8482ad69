//! Durations and their percentiles.

use std::time::Duration;

/// What was measured of one thing.
#[derive(Debug, Clone, Default)]
pub struct Samples(Vec<Duration>);

/// Milliseconds at the median and at the 99th percentile.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    pub p50: f64,
    pub p99: f64,
}

impl Samples {
    pub fn push(&mut self, sample: Duration) {
        self.0.push(sample);
    }

    pub fn extend(&mut self, samples: impl IntoIterator<Item = Duration>) {
        self.0.extend(samples);
    }

    /// The smallest sample that is not below so many of a hundred; with few samples the largest.
    pub fn spread(mut self) -> Spread {
        self.0.sort_unstable();
        let at = |percent: usize| {
            let rank = (self.0.len() * percent).div_ceil(100).max(1);
            self.0.get(rank - 1).map_or(f64::NAN, |d| d.as_secs_f64() * 1_000.0)
        };
        Spread { p50: at(50), p99: at(99) }
    }
}

impl Spread {
    /// What passes one after the other. Adding 99th percentiles errs to the safe side for the floor:
    /// it makes the floor larger than it is, and the ratio smaller.
    pub fn sum<'a>(parts: impl IntoIterator<Item = &'a Self>) -> Self {
        parts.into_iter().fold(Self { p50: 0.0, p99: 0.0 }, |sum, one| Self {
            p50: sum.p50 + one.p50,
            p99: sum.p99 + one.p99,
        })
    }
}
