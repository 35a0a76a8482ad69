//! What all limits do, run against each adapter with a clock that is moved by hand.

mod random;

use super::time::Time;
use super::{Ask, Grant, Limits, MemoryLimits, Permit, RedisLimits};
use crate::domain::ids::{ModelId, RunId, TenantId};
use crate::domain::jobs::Job;
use crate::wire::Wire;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Limits and the hand on their clock.
struct Bench {
    limits: Arc<dyn Limits>,
    now: Arc<AtomicU64>,
}

impl Bench {
    fn memory() -> Self {
        let now = Arc::new(AtomicU64::new(1_000_000));
        Self { limits: Arc::new(MemoryLimits::with(Time::Manual(Arc::clone(&now)))), now }
    }

    fn redis() -> Self {
        let now = Arc::new(AtomicU64::new(1_000_000));
        let limits = RedisLimits::with(Wire::for_tests(), Time::Manual(Arc::clone(&now)));
        Self { limits: Arc::new(limits), now }
    }

    fn now(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    fn advance(&self, by: Duration) {
        self.now.fetch_add(by.as_millis() as u64, Ordering::SeqCst);
    }

    async fn ask(&self, run: i64, limit: Limit) -> Grant {
        let job = job(run);
        let ask = Ask {
            model_id: ModelId(1),
            job: &job,
            max_concurrency: limit.places,
            rpm: limit.rpm,
            tpm: limit.tpm,
            estimated_tokens: limit.estimate,
        };
        self.limits.acquire(ask).await.unwrap()
    }

    async fn granted(&self, run: i64, limit: Limit) -> Permit {
        match self.ask(run, limit).await {
            Grant::Granted(permit) => permit,
            Grant::Refused { after } => panic!("run {run} refused for {after:?}"),
        }
    }

    async fn refused(&self, run: i64, limit: Limit) -> Duration {
        match self.ask(run, limit).await {
            Grant::Granted(_) => panic!("run {run} granted"),
            Grant::Refused { after } => after,
        }
    }

    async fn release(&self, permit: Permit, used: u64) -> Vec<i64> {
        self.limits.release(permit, used).await.unwrap().iter().map(|job| job.run_id.0).collect()
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Limit {
    places: Option<u32>,
    rpm: Option<u32>,
    tpm: Option<u32>,
    estimate: u64,
}

fn places(n: u32) -> Limit {
    Limit { places: Some(n), ..Limit::default() }
}

fn rpm(n: u32) -> Limit {
    Limit { rpm: Some(n), ..Limit::default() }
}

fn tpm(n: u32, estimate: u64) -> Limit {
    Limit { tpm: Some(n), estimate, ..Limit::default() }
}

fn job(run: i64) -> Job {
    Job { run_id: RunId(run), tenant_id: TenantId(3), traceparent: Some(format!("trace-{run}")) }
}

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

macro_rules! on_each {
    ($($name:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Bench::memory()).await;
            })+
        }
        mod redis {
            $(#[tokio::test]
            async fn $name() {
                super::$name(super::Bench::redis()).await;
            })+
        }
    };
}

on_each!(
    a_model_without_limits_is_free,
    places_are_counted_and_freed,
    a_release_rings_those_who_wait_in_their_order,
    nobody_overtakes_who_was_rung,
    asking_again_keeps_the_place_in_line,
    a_rung_waiter_that_does_not_come_is_passed_over,
    a_waiter_that_leaves_gives_its_turn_to_the_next,
    a_waiter_that_does_not_come_back_is_passed_over,
    a_permit_runs_out_unless_renewed,
    a_permit_is_released_once,
    calls_a_minute_are_exact,
    all_who_wait_for_calls_get_them_in_order,
    tokens_fill_up_within_a_minute,
    what_was_not_used_is_given_back_and_more_is_owed,
    a_call_larger_than_the_limit_waits_for_all_tokens,
    retry_after_holds_for_all_and_is_spread,
    a_longer_retry_after_stays,
    retry_after_has_an_upper_bound,
    a_release_rings_nobody_while_blocked,
    models_do_not_share,
);

async fn a_model_without_limits_is_free(bench: Bench) {
    for run in 0..50 {
        let permit = bench.granted(run, Limit::default()).await;
        assert!(!permit.counted);
        bench.limits.renew(std::slice::from_ref(&permit)).await.unwrap();
        assert!(bench.release(permit, 5).await.is_empty());
    }
}

async fn places_are_counted_and_freed(bench: Bench) {
    let first = bench.granted(1, places(2)).await;
    assert!(first.counted && first.run_id == RunId(1));
    let second = bench.granted(2, places(2)).await;
    assert_ne!(first.nonce, second.nonce);
    let after = bench.refused(3, places(2)).await;
    assert!((secs(10)..secs(12)).contains(&after), "{after:?}");
    assert_eq!(bench.limits.release(first, 0).await.unwrap(), [job(3)]);
    bench.granted(3, places(2)).await;
    bench.refused(4, places(2)).await;
}

async fn a_release_rings_those_who_wait_in_their_order(bench: Bench) {
    let mut held = Vec::new();
    for run in 0..3 {
        held.push(bench.granted(run, places(3)).await);
    }
    for run in [15, 11, 14, 12] {
        bench.refused(run, places(3)).await;
    }
    assert_eq!(bench.release(held.remove(0), 0).await, [15]);
    assert_eq!(bench.release(held.remove(0), 0).await, [11], "each is rung once");
    let place = bench.granted(15, places(3)).await;
    assert_eq!(bench.release(place, 0).await, [14]);
    assert_eq!(bench.release(held.remove(0), 0).await, [12]);
}

async fn nobody_overtakes_who_was_rung(bench: Bench) {
    let held = bench.granted(1, places(1)).await;
    bench.refused(2, places(1)).await;
    assert_eq!(bench.release(held, 0).await, [2]);
    bench.refused(3, places(1)).await;
    bench.refused(1, places(1)).await;
    let held = bench.granted(2, places(1)).await;
    assert_eq!(bench.release(held, 0).await, [3]);
}

async fn asking_again_keeps_the_place_in_line(bench: Bench) {
    let held = bench.granted(1, places(1)).await;
    bench.refused(2, places(1)).await;
    bench.refused(3, places(1)).await;
    for _ in 0..10 {
        bench.advance(secs(10));
        bench.limits.renew(std::slice::from_ref(&held)).await.unwrap();
        bench.refused(3, places(1)).await;
        bench.refused(2, places(1)).await;
    }
    assert_eq!(bench.release(held, 0).await, [2]);
}

async fn a_waiter_that_leaves_gives_its_turn_to_the_next(bench: Bench) {
    let held = bench.granted(1, places(1)).await;
    for run in [2, 3, 4, 5] {
        bench.refused(run, places(1)).await;
    }
    let leave = async |run| bench.limits.leave(ModelId(1), RunId(run)).await.unwrap();
    assert!(leave(2).await.is_empty(), "the place is taken");
    assert_eq!(bench.release(held, 0).await, [3]);
    assert_eq!(leave(3).await, [job(4)], "it was rung, and its place stands empty");
    assert!(leave(5).await.is_empty(), "the place is kept for another");
    assert!(leave(9).await.is_empty() && leave(3).await.is_empty(), "not in line");
    let held = bench.granted(4, places(1)).await;
    assert!(bench.release(held, 0).await.is_empty());
    bench.granted(6, places(1)).await;
}

async fn a_rung_waiter_that_does_not_come_is_passed_over(bench: Bench) {
    let held = bench.granted(1, places(1)).await;
    bench.refused(2, places(1)).await;
    bench.refused(3, places(1)).await;
    assert_eq!(bench.release(held, 0).await, [2]);
    bench.advance(secs(14));
    bench.refused(3, places(1)).await;
    bench.advance(secs(2));
    bench.granted(3, places(1)).await;
}

async fn a_waiter_that_does_not_come_back_is_passed_over(bench: Bench) {
    bench.granted(1, places(1)).await;
    bench.refused(2, places(1)).await;
    bench.advance(secs(20));
    // The holder is dead too; the waiter has its place still.
    bench.refused(3, places(1)).await;
    bench.advance(secs(53));
    bench.granted(3, places(1)).await;
}

async fn a_permit_runs_out_unless_renewed(bench: Bench) {
    let kept = bench.granted(1, places(2)).await;
    let lost = bench.granted(2, places(2)).await;
    for _ in 0..6 {
        bench.advance(Permit::LIFETIME / 3);
        bench.limits.renew(std::slice::from_ref(&kept)).await.unwrap();
    }
    bench.granted(3, places(2)).await;
    bench.limits.renew(&[kept, lost]).await.unwrap();
    bench.refused(4, places(2)).await;
}

async fn a_permit_is_released_once(bench: Bench) {
    let held = bench.granted(1, places(1)).await;
    bench.release(held.clone(), 0).await;
    bench.granted(2, places(1)).await;
    bench.release(held, 0).await;
    bench.refused(3, places(1)).await;
}

async fn calls_a_minute_are_exact(bench: Bench) {
    for run in 0..3 {
        let permit = bench.granted(run, rpm(3)).await;
        bench.release(permit, 0).await;
        bench.advance(secs(10));
    }
    // Granted at 0, 10 and 20 s; now it is 30 s.
    assert_eq!(bench.refused(3, rpm(3)).await, secs(30));
    bench.advance(Duration::from_millis(29_999));
    assert_eq!(bench.refused(3, rpm(3)).await, Duration::from_millis(1));
    bench.advance(Duration::from_millis(1));
    bench.granted(3, rpm(3)).await;
    assert_eq!(bench.refused(4, rpm(3)).await, secs(10));
}

async fn all_who_wait_for_calls_get_them_in_order(bench: Bench) {
    let mut due: Vec<(u64, i64)> = (0..10).map(|run| (bench.now(), run)).collect();
    let mut served = Vec::new();
    let start = bench.now();
    while !due.is_empty() {
        due.sort_unstable();
        let (at, run) = due.remove(0);
        bench.now.fetch_max(at, Ordering::SeqCst);
        match bench.ask(run, rpm(2)).await {
            Grant::Granted(permit) => {
                served.push(run);
                bench.release(permit, 0).await;
            }
            Grant::Refused { after } => due.push((bench.now() + after.as_millis() as u64, run)),
        }
    }
    assert_eq!(served, (0..10).collect::<Vec<_>>());
    assert_eq!(bench.now() - start, 240_000, "two at once and two each minute: nothing is wasted");
}

async fn tokens_fill_up_within_a_minute(bench: Bench) {
    assert_eq!(bench.granted(1, tpm(1_000, 600)).await.reserved_tokens, 600);
    // 400 are left; 200 more take 12 s.
    assert_eq!(bench.refused(2, tpm(1_000, 600)).await, secs(12));
    bench.advance(secs(12));
    bench.granted(2, tpm(1_000, 600)).await;
    assert_eq!(bench.refused(3, tpm(1_000, 100)).await, secs(6));
    bench.advance(secs(600));
    bench.granted(3, tpm(1_000, 1_000)).await;
    bench.refused(4, tpm(1_000, 1)).await;
}

async fn what_was_not_used_is_given_back_and_more_is_owed(bench: Bench) {
    let permit = bench.granted(1, tpm(1_000, 900)).await;
    bench.release(permit, 200).await;
    let permit = bench.granted(2, tpm(1_000, 700)).await;
    bench.release(permit, 1_200).await;
    // 800 were left, 1,200 used: 400 are owed, and 100 wanted.
    assert_eq!(bench.refused(3, tpm(1_000, 100)).await, secs(30));
}

async fn a_call_larger_than_the_limit_waits_for_all_tokens(bench: Bench) {
    assert_eq!(bench.granted(1, tpm(1_000, 5_000)).await.reserved_tokens, 1_000);
    assert_eq!(bench.refused(2, tpm(1_000, 5_000)).await, secs(60));
}

async fn retry_after_holds_for_all_and_is_spread(bench: Bench) {
    let wait = secs(20);
    for limit in [places(100), Limit::default()] {
        let block = bench.limits.retry_after(ModelId(1), wait);
        block.await.unwrap();
        let mut afters = Vec::new();
        for run in 0..12 {
            afters.push(bench.refused(run, limit).await);
            let (least, most) = (afters.iter().min().unwrap(), afters.iter().max().unwrap());
            assert!(*least >= wait && *most < wait * 2);
            assert!(run == 0 || *most >= *least + wait / 5, "{afters:?}");
        }
        bench.advance(Duration::from_millis(19_999));
        bench.refused(0, limit).await;
        bench.advance(Duration::from_millis(1));
        for run in 0..12 {
            bench.granted(run, limit).await;
        }
    }
}

async fn a_longer_retry_after_stays(bench: Bench) {
    for limit in [places(9), Limit::default()] {
        bench.limits.retry_after(ModelId(1), secs(60)).await.unwrap();
        bench.limits.retry_after(ModelId(1), secs(5)).await.unwrap();
        assert!(bench.refused(1, limit).await >= secs(60));
        bench.advance(secs(60));
        bench.granted(1, limit).await;
    }
}

async fn retry_after_has_an_upper_bound(bench: Bench) {
    bench.limits.retry_after(ModelId(1), secs(1_000_000)).await.unwrap();
    bench.advance(secs(120));
    bench.granted(1, places(1)).await;
    bench.granted(2, Limit::default()).await;
}

async fn a_release_rings_nobody_while_blocked(bench: Bench) {
    let held = bench.granted(1, places(1)).await;
    bench.refused(2, places(1)).await;
    bench.limits.retry_after(ModelId(1), secs(10)).await.unwrap();
    assert!(bench.release(held, 0).await.is_empty());
    bench.advance(secs(12));
    bench.granted(2, places(1)).await;
}

async fn models_do_not_share(bench: Bench) {
    bench.granted(1, places(1)).await;
    bench.limits.retry_after(ModelId(1), secs(10)).await.unwrap();
    let job = job(2);
    let ask = Ask {
        model_id: ModelId(2),
        job: &job,
        max_concurrency: Some(1),
        rpm: Some(1),
        tpm: Some(1),
        estimated_tokens: 1,
    };
    assert!(matches!(bench.limits.acquire(ask).await.unwrap(), Grant::Granted(_)));
}
