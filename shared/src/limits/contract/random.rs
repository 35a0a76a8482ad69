//! Whatever is asked, released, renewed and abandoned in whatever order: never more than allowed.

use super::super::{Grant, Permit};
use super::{Bench, Limit};
use proptest::prelude::*;
use std::time::Duration;

#[derive(Debug, Clone)]
enum Step {
    Ask(i64),
    Release(usize),
    Renew(usize),
    Abandon(usize),
    Pass(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0_i64..12).prop_map(Step::Ask),
        3 => any::<usize>().prop_map(Step::Release),
        2 => any::<usize>().prop_map(Step::Renew),
        1 => any::<usize>().prop_map(Step::Abandon),
        3 => (0_u64..9_000).prop_map(Step::Pass),
    ];
    prop::collection::vec(step, 1..120)
}

/// A permit that the test holds, and until when it is in force.
struct Held {
    permit: Permit,
    until: u64,
}

/// Plays the steps and counts by itself what is in force.
async fn play(bench: Bench, limit: Limit, steps: Vec<Step>) {
    let lifetime = Permit::LIFETIME.as_millis() as u64;
    let (mut held, mut abandoned): (Vec<Held>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut calls: Vec<u64> = Vec::new();
    for step in steps {
        let now = bench.now();
        held.retain(|h| h.until > now);
        abandoned.retain(|until| *until > now);
        match step {
            Step::Ask(run) => {
                if let Grant::Granted(permit) = bench.ask(run, limit).await {
                    held.push(Held { permit, until: now + lifetime });
                    calls.push(now);
                }
            }
            Step::Release(n) if !held.is_empty() => {
                let gone = held.remove(n % held.len());
                bench.release(gone.permit, 0).await;
            }
            Step::Renew(n) if !held.is_empty() => {
                let n = n % held.len();
                bench.limits.renew(std::slice::from_ref(&held[n].permit)).await.unwrap();
                held[n].until = now + lifetime;
            }
            Step::Abandon(n) if !held.is_empty() => abandoned.push(held.remove(n % held.len()).until),
            Step::Pass(ms) => bench.advance(Duration::from_millis(ms)),
            _ => {}
        }
        let in_force = held.len() + abandoned.len();
        assert!(in_force <= limit.places.unwrap() as usize, "{in_force} permits in force");
    }
    let rpm = limit.rpm.unwrap() as usize;
    for pair in calls.windows(rpm + 1) {
        assert!(pair[rpm] - pair[0] >= 60_000, "{} calls within {} ms", rpm + 1, pair[rpm] - pair[0]);
    }
}

fn check(cases: u32, bench: fn() -> Bench) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in steps(), places in 1_u32..4, rpm in 1_u32..8)| {
        let limit = Limit { places: Some(places), rpm: Some(rpm), ..Limit::default() };
        runtime.block_on(async { play(bench(), limit, steps).await });
    });
}

#[test]
fn memory_never_grants_too_much() {
    check(256, Bench::memory);
}

#[test]
fn redis_never_grants_too_much() {
    check(25, Bench::redis);
}
