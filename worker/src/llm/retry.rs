//! The one retry layer above the dialects.

use super::{DeltaSink, Endpoint, Llm, LlmError};
use async_trait::async_trait;
use rand::Rng;
use shared::domain::conversation::{Delta, Request, Response};
use std::time::Duration;

/// How often and how soon a failed call is made again.
#[derive(Debug, Clone, Copy)]
pub struct Policy {
    /// Requests in all, the first included.
    pub max_attempts: u32,
    /// Ceiling of the first wait; doubles with each further one.
    pub base: Duration,
    /// Ceiling of any wait that the provider did not ask for.
    pub cap: Duration,
    /// Gives rate limits back at once: the engine parks the run and frees its slot.
    pub return_rate_limits: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            max_attempts: 5,
            base: Duration::from_millis(500),
            cap: Duration::from_secs(20),
            return_rate_limits: true,
        }
    }
}

/// Waits; a parameter so that tests need not.
#[async_trait]
pub trait Sleep: Send + Sync {
    /// Returns after this time.
    async fn sleep(&self, time: Duration);
}

/// Waits by the runtime's timer.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealSleep;

#[async_trait]
impl Sleep for RealSleep {
    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// What came of a call and its repetitions.
#[derive(Debug)]
pub struct Attempted {
    /// Requests that were made.
    pub attempts: u32,
    /// The response, or the last attempt's error.
    pub result: Result<Response, LlmError>,
}

/// Calls, and calls again where the error allows it. Text that a failed attempt showed is withdrawn
/// by [`Delta::Reset`] before the next one begins, and also before a rate limit is given back, since
/// the engine repeats the call later. Dropping the future ends it at any point.
pub async fn call_with_retries(
    llm: &dyn Llm,
    endpoint: &Endpoint,
    request: &Request,
    policy: &Policy,
    sleep: &dyn Sleep,
    out: DeltaSink<'_>,
) -> Attempted {
    let mut attempts = 0;
    loop {
        attempts += 1;
        let mut shown = false;
        let result = llm
            .call(endpoint, request, &mut |delta| {
                shown = true;
                out(delta);
            })
            .await;
        let error = match result {
            Ok(response) => return Attempted { attempts, result: Ok(response) },
            Err(error) => error,
        };
        let parked = policy.return_rate_limits && matches!(error, LlmError::RateLimited { .. });
        let again = error.is_retryable() && attempts < policy.max_attempts && !parked;
        if shown && (again || parked) {
            out(Delta::Reset);
        }
        if !again {
            return Attempted { attempts, result: Err(error) };
        }
        let wait = match error.retry_after() {
            Some(asked) => spread(asked),
            None => backoff(policy, attempts),
        };
        tracing::debug!(
            kind = error.kind(),
            attempts,
            wait_ms = wait.as_millis() as u64,
            "model call is repeated"
        );
        sleep.sleep(wait).await;
    }
}

/// A time at or after what the provider asked for, by up to half of it: those who were refused
/// together do not come back together.
pub fn spread(asked: Duration) -> Duration {
    asked + asked.mul_f64(rand::rng().random_range(0.0..0.5))
}

/// Exponential with full jitter.
fn backoff(policy: &Policy, attempts: u32) -> Duration {
    let doubled = policy.base.saturating_mul(1 << attempts.saturating_sub(1).min(16));
    doubled.min(policy.cap).mul_f64(rand::rng().random_range(0.0..1.0))
}
