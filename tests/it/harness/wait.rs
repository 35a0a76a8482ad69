//! The one way to wait in these tests: a condition, a deadline, and what is waited for.

use std::time::Duration;
use tokio::time::Instant;

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(25);

/// Waits until the condition holds; fails the test, naming `what`, when it does not in time.
pub async fn eventually(what: &str, within: Duration, mut holds: impl AsyncFnMut() -> bool) {
    until(what, within, async || holds().await.then_some(())).await;
}

/// Waits until there is a value; fails the test, naming `what`, when there is none in time.
pub async fn until<T>(what: &str, within: Duration, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let end = Instant::now() + within;
    loop {
        if let Some(value) = look().await {
            return value;
        }
        assert!(Instant::now() < end, "not within {within:?}: {what}");
        tokio::time::sleep(LOOK).await;
    }
}

/// Looks again and again for as long as `lasting`: fails the test when the condition breaks once.
pub async fn always(what: &str, lasting: Duration, mut holds: impl AsyncFnMut() -> bool) {
    let end = Instant::now() + lasting;
    while Instant::now() < end {
        assert!(holds().await, "did not last {lasting:?}: {what}");
        tokio::time::sleep(LOOK).await;
    }
}

/// The future's result, or a failed test that names `what`.
pub async fn in_time<T>(what: &str, within: Duration, future: impl Future<Output = T>) -> T {
    let value = tokio::time::timeout(within, future).await;
    value.unwrap_or_else(|_| panic!("not within {within:?}: {what}"))
}
