//! What all rates do, run against each adapter with a clock that is moved by hand.

use super::super::time::Time;
use super::{MemoryRates, Rate, RateAsk, RateLimits, RedisRates, Taken};
use crate::wire::Wire;
use crate::wire::tests::{Proxy, random_prefix};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Ten at once, one a second.
const RATE: Rate = Rate { per_minute: 60, burst: 10 };

/// Rates and the hand on their clock.
struct Bench {
    rates: Arc<dyn RateLimits>,
    now: Arc<AtomicU64>,
}

impl Bench {
    fn memory() -> Self {
        let now = Arc::new(AtomicU64::new(1_000_000));
        Self { rates: Arc::new(MemoryRates::with(Time::Manual(Arc::clone(&now)))), now }
    }

    fn redis() -> Self {
        let now = Arc::new(AtomicU64::new(1_000_000));
        Self { rates: Arc::new(RedisRates::with(Wire::for_tests(), Time::Manual(Arc::clone(&now)))), now }
    }

    fn advance(&self, ms: u64) {
        self.now.fetch_add(ms, Ordering::SeqCst);
    }

    async fn take(&self, subject: &str, rate: Rate, cost: u32) -> Taken {
        self.rates.take(&[RateAsk { subject, rate, cost }]).await.unwrap()[0]
    }

    async fn both(&self, a: u32, b: u32) -> (Taken, Taken) {
        let asks = [("a", a), ("b", b)].map(|(subject, cost)| RateAsk { subject, rate: RATE, cost });
        let taken = self.rates.take(&asks).await.unwrap();
        (taken[0], taken[1])
    }
}

macro_rules! contract {
    ($($name:ident),+ $(,)?) => {
        mod memory { $(#[tokio::test] async fn $name() { super::$name(super::Bench::memory()).await; })+ }
        mod redis { $(#[tokio::test] async fn $name() { super::$name(super::Bench::redis()).await; })+ }
    };
}

contract!(
    a_burst_is_admitted_and_comes_back_evenly,
    what_is_told_adds_up,
    subjects_do_not_touch,
    a_refusal_by_one_takes_nothing_of_the_others,
    a_look_takes_nothing,
    more_than_the_burst_counts_as_the_burst,
    a_lower_rate_holds_at_once_and_a_higher_one_too,
    any_sequence_keeps_to_the_rate,
);

async fn a_burst_is_admitted_and_comes_back_evenly(b: Bench) {
    for n in 0..10 {
        let taken = b.take("s", RATE, 1).await;
        assert!(taken.allowed);
        assert_eq!((taken.limit, taken.remaining), (10, 9 - n));
    }
    let refused = b.take("s", RATE, 1).await;
    assert!(!refused.allowed);
    assert_eq!(refused.retry_after, Duration::from_secs(1));
    b.advance(999);
    assert!(!b.take("s", RATE, 1).await.allowed);
    b.advance(1);
    assert!(b.take("s", RATE, 1).await.allowed);
    assert!(!b.take("s", RATE, 1).await.allowed);
    b.advance(60_000);
    assert_eq!(b.take("s", RATE, 0).await.remaining, 10, "no more than the burst gathers");
}

async fn what_is_told_adds_up(b: Bench) {
    let first = b.take("s", RATE, 4).await;
    assert_eq!(
        (first.remaining, first.reset_after, first.retry_after),
        (6, Duration::from_secs(4), Duration::ZERO)
    );
    b.advance(1_500);
    let looked = b.take("s", RATE, 0).await;
    assert_eq!((looked.remaining, looked.reset_after), (7, Duration::from_millis(2_500)));
    let refused = b.take("s", RATE, 8).await;
    assert_eq!((refused.allowed, refused.remaining), (false, 7));
    assert_eq!(refused.retry_after, Duration::from_millis(500));
    b.advance(500);
    assert!(b.take("s", RATE, 8).await.allowed);
}

async fn subjects_do_not_touch(b: Bench) {
    assert!(b.take("s", RATE, 10).await.allowed);
    assert!(!b.take("s", RATE, 1).await.allowed);
    assert!(b.take("t", RATE, 10).await.allowed);
}

async fn a_refusal_by_one_takes_nothing_of_the_others(b: Bench) {
    b.take("b", RATE, 10).await;
    let (a, refused) = b.both(3, 1).await;
    assert!(a.allowed && !refused.allowed);
    assert_eq!((a.remaining, refused.remaining), (10, 0));
    b.advance(1_000);
    let (a, taken) = b.both(3, 1).await;
    assert!(a.allowed && taken.allowed);
    assert_eq!((a.remaining, taken.remaining), (7, 0));
}

async fn a_look_takes_nothing(b: Bench) {
    for _ in 0..20 {
        let looked = b.take("s", RATE, 0).await;
        assert!(looked.allowed);
        assert_eq!((looked.remaining, looked.reset_after), (10, Duration::ZERO));
    }
}

async fn more_than_the_burst_counts_as_the_burst(b: Bench) {
    let taken = b.take("s", RATE, 1_000).await;
    assert!(taken.allowed);
    assert_eq!(taken.reset_after, Duration::from_secs(10));
    assert_eq!(b.take("s", RATE, 1_000).await.retry_after, Duration::from_secs(10));
}

async fn a_lower_rate_holds_at_once_and_a_higher_one_too(b: Bench) {
    let slow = Rate { per_minute: 6, burst: 10 };
    b.take("s", slow, 10).await;
    assert_eq!(b.take("s", slow, 1).await.retry_after, Duration::from_secs(10));
    // What was owed at the slow rate is no more than the new one's window.
    let fast = b.take("s", RATE, 1).await;
    assert_eq!((fast.allowed, fast.retry_after), (false, Duration::from_secs(1)));
}

async fn any_sequence_keeps_to_the_rate(b: Bench) {
    let rate = Rate { per_minute: 137, burst: 7 };
    let start = b.now.load(Ordering::SeqCst);
    let mut taken = 0_u64;
    for _ in 0..400 {
        b.advance(rand::random_range(0..900));
        let cost = rand::random_range(1..4);
        if b.take("s", rate, cost).await.allowed {
            taken += u64::from(cost);
        }
        let elapsed = b.now.load(Ordering::SeqCst) - start;
        let most = 7 + elapsed * 137 / 60_000 + 1;
        assert!(taken <= most, "{taken} within {elapsed} ms, at most {most}");
    }
    let elapsed = b.now.load(Ordering::SeqCst) - start;
    assert!(taken + 8 >= elapsed * 137 / 60_000, "{taken} of {} within {elapsed} ms", elapsed * 137 / 60_000);
}

#[test]
fn a_burst_is_what_comes_back_in_its_time() {
    let table = [(600, 10.0, 100), (60, 10.0, 10), (1, 10.0, 1), (7, 10.0, 2), (600, 0.05, 1), (0, 10.0, 1)];
    for (per_minute, seconds, burst) in table {
        let rate = Rate::with_burst_of(per_minute, Duration::from_secs_f64(seconds));
        assert_eq!((rate.per_minute, rate.burst), (per_minute.max(1), burst));
    }
}

#[tokio::test]
async fn redis_forgets_subjects_that_owe_nothing() {
    let rates = RedisRates::new(Wire::for_tests());
    rates.take(&[RateAsk { subject: "s", rate: RATE, cost: 3 }]).await.unwrap();
    let kept = rates.kept_for("s").await.expect("a time");
    assert!((2_000..=3_002).contains(&kept), "{kept}");
    rates.take(&[RateAsk { subject: "t", rate: RATE, cost: 0 }]).await.unwrap();
    assert_eq!(rates.kept_for("t").await, None);
}

#[tokio::test]
async fn memory_forgets_subjects_that_owe_nothing() {
    let now = Arc::new(AtomicU64::new(0));
    let rates = MemoryRates::with(Time::Manual(Arc::clone(&now)));
    for n in 0..10_000_u64 {
        now.store(n * 100, Ordering::SeqCst);
        let subject = format!("address:{n}");
        rates.take(&[RateAsk { subject: &subject, rate: RATE, cost: 1 }]).await.unwrap();
        assert!(rates.kept() <= 1_100, "{}", rates.kept());
    }
}

#[tokio::test]
async fn processes_share_a_rate_and_fail_while_redis_is_away() {
    let prefix = random_prefix();
    let proxy = Proxy::start().await;
    let here = RedisRates::new(Wire::open(&proxy.url(), &prefix).unwrap());
    let there = RedisRates::new(Wire::open(&proxy.url(), &prefix).unwrap());
    let slow = Rate { per_minute: 1, burst: 2 };
    let ask = [RateAsk { subject: "s", rate: slow, cost: 1 }];
    assert!(here.take(&ask).await.unwrap()[0].allowed);
    assert!(there.take(&ask).await.unwrap()[0].allowed);
    assert!(!here.take(&ask).await.unwrap()[0].allowed);
    proxy.cut();
    there.take(&ask).await.unwrap_err();
}
