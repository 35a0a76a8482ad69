//! The kill matrix of a tree: its worker dies at a named step, of the supervisor or of a subagent.

use super::super::R;
use super::{ANSWER, nothing_repeated, script_tree, stored, times};
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::reply::Reply;
use crate::harness::services::long_drill;
use crate::harness::wait::{eventually, in_time};
use serde_json::json;
use std::time::{Duration, Instant};

/// Step, and for which time it is reached. The supervisor gets to S3 to S6 first, its three subagents
/// after it.
const STEPS: [(&str, usize); 9] =
    [("S4", 3), ("S6", 1), ("S6", 3), ("S7", 2), ("S8", 2), ("S9", 1), ("S11", 1), ("S12", 1), ("S13", 2)];

/// Those of the long form besides.
const MORE_STEPS: [(&str, usize); 6] = [("S3", 2), ("S5", 2), ("S8", 3), ("S11", 2), ("S13", 1), ("S13", 3)];

/// One tree whose worker dies at this step; another worker comes and ends it.
async fn die_at(c: &mut Cluster, point: &str, nth: usize) {
    let key = format!("die at {point} for time {nth}.");
    let goals = script_tree(c, &key, 3);
    c.workers.clear();
    c.add_worker(&[("NETA_CRASH_AT", format!("{point}:{nth}"))]);
    c.workers[0].ready().await;
    let session = uuid::Uuid::now_v7().to_string();
    let mut reader = c.api(0).stream(&session, &key).await;
    reader.read_until("accepted", |t| !t.events.is_empty()).await;
    let turn = Turn::of(&session, &reader.seen.events[0]["data"]);
    let reading = tokio::spawn(async move { (reader.read_all().await, Instant::now()) });
    let status = c.workers[0].end(LONG).await;
    assert!(!status.success(), "{point}:{nth}: it died: {status}");
    let died = Instant::now();
    let durable = stored(c).await;
    let before = c.subagents(&turn).await;
    c.add_worker(&[]);
    c.workers[1].ready().await;
    let there = Instant::now();
    let (seen, at) = in_time("the turn ends", LONG, reading).await.expect("no panic");
    let took = at.saturating_duration_since(there);
    assert!(took < R + Duration::from_secs(3), "{point}:{nth}: went on after {took:?}");
    assert_eq!(seen.text, ANSWER, "{point}:{nth}");
    shown_is_stored(c, turn.assistant, &seen).await;

    let all = c.provider.asked_like(&key);
    nothing_repeated(&all, died, &durable);
    let repeated: usize = times(&all).values().map(|n| n - 1).sum();
    assert!(repeated <= 3, "{point}:{nth}: only calls under way are repeated: {:?}", times(&all));
    let after = c.subagents(&turn).await;
    assert_eq!(after.len(), 3, "{point}:{nth}: each subagent once");
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(old.id, new.id, "{point}:{nth}");
        assert!(old.status != "completed" || old == new, "{point}:{nth}: {old:?} {new:?}");
    }
    let entries = all.iter().rfind(|call| call.key == key).expect("calls").batch("call_1");
    let found: Vec<&str> = entries.iter().filter_map(|e| e["summary"].as_str()).collect();
    let expected: Vec<String> = goals.iter().map(|g| format!("I look.\n\nfound by {g}")).collect();
    assert_eq!(found, expected, "{point}:{nth}");
    // The next turn's history is whole.
    assert_eq!(c.api(1).ask(&session, "and then?").await["status"], "completed", "{point}:{nth}");
    let told = c.provider.calls("and then?").pop().expect("a call").conversation();
    let roles: Vec<&str> = told.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"], "{point}:{nth}");
}

fn more_steps() -> impl Iterator<Item = (&'static str, usize)> {
    MORE_STEPS.into_iter().filter(|_| long_drill())
}

/// S3 to S13 of a tree: the worker dies, another goes on within the bound, siblings' results are kept,
/// nothing finished is repeated, and the reader's stream has no hole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tree_goes_on_wherever_its_worker_dies() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 0 }).await;
    for (point, nth) in STEPS.into_iter().chain(more_steps()) {
        die_at(&mut c, point, nth).await;
    }
    c.end(Allowed::default()).await;
}

/// The same where each step of each run may be in another process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tree_goes_on_wherever_its_worker_dies_also_step_by_step() {
    let kind = Kind::Cluster { apis: 2, workers: 0 };
    let mut c = Builder::new(kind).env("NETA_ALWAYS_SUSPEND", "1").start().await;
    // Each kind of step once: the test above has them all.
    let short = [("S6", 3), ("S8", 2), ("S9", 1), ("S11", 1), ("S12", 1)];
    for (point, nth) in short.into_iter().chain(more_steps()) {
        die_at(&mut c, point, nth).await;
    }
    c.end(Allowed::default()).await;
}

/// Nothing of a tree lives in a worker's memory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_step_of_a_tree_may_run_in_another_process() {
    let c = Builder::new(Kind::PAIR).env("NETA_ALWAYS_SUSPEND", "1").start().await;
    script_tree(&c, "step by step", 4);
    let seen = futures_util::future::join_all(
        (0..6).map(async |n| c.api(n).stream("", "step by step").await.read_all().await),
    )
    .await;
    for seen in &seen {
        assert_eq!(seen.text, ANSWER);
        assert_eq!(seen.card.statuses(), ["completed"; 4]);
    }
    assert_eq!(c.provider.all().len(), 6 * (2 + 4 * 2));
    c.end(Allowed::default()).await;
}

/// P24: the standalone is killed in mid-batch and started again: the same results. A07: an entry whose
/// subagent was over is not begun again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standalone_goes_on_with_a_batch_wherever_it_dies() {
    let mut c = Cluster::start(Kind::Standalone).await;
    for (point, nth) in [("S4", 3), ("S8", 2), ("S9", 1), ("S11", 1), ("S12", 1)] {
        let key = format!("die at {point} for time {nth}.");
        script_tree(&c, &key, 4);
        c.apis[0].restart(&[("NETA_CRASH_AT", &format!("{point}:{nth}"))]);
        c.apis[0].ready().await;
        let more = json!({ "wait": 0, "clientMessageId": key });
        let api = c.api(0);
        // It may die before it has answered.
        let _ =
            api.try_send(api.request("POST", "/open/netaclaw/chat").json(&api.body("", &key, &more))).await;
        c.apis[0].end(LONG).await;
        let (died, durable) = (Instant::now(), stored(&c).await);
        c.apis[0].restart(&[("NETA_CRASH_AT", "")]);
        c.apis[0].ready().await;
        let answer =
            c.api(0).chat("", &key, &json!({ "wait": 30, "clientMessageId": key })).await.expect(200);
        assert_eq!(answer["content"], ANSWER, "{point}:{nth}: {answer}");
        assert_eq!(answer["subagents"][0]["summary"]["completed"], 4, "{point}:{nth}");
        nothing_repeated(&c.provider.asked_like(&key), died, &durable);
    }
    c.end(Allowed::default()).await;
}

/// S11: some subagents are over, the others are at work, when every worker dies: those that are over
/// stay so, the others go on, and the supervisor answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subagents_that_are_over_stay_so_when_all_workers_die() {
    let mut c = Cluster::start(Kind::PAIR).await;
    let goals = c.script_team("half way", 4, "Whole way.");
    let slow = Reply::words(9);
    for goal in &goals[2..] {
        c.provider.rounds(goal, vec![vec![slow.clone().hold_after(3), slow.clone()]]);
    }
    let turn = c.api(0).say("", "half way").await;
    eventually("two are over and two at work", LONG, async || {
        let all = c.subagents(&turn).await;
        all.iter().filter(|s| s.status == "completed").count() == 2 && c.provider.running() == 2
    })
    .await;
    let before = c.subagents(&turn).await;
    for worker in &mut c.workers {
        worker.kill();
    }
    for worker in &mut c.workers {
        worker.restart(&[]);
    }
    assert_eq!(c.api(1).finish(&turn).await["content"], "Whole way.");
    let after = c.subagents(&turn).await;
    assert_eq!(before[..2], after[..2]);
    for (goal, calls) in goals.iter().zip([1, 1, 2, 2]) {
        assert_eq!(c.provider.asked(goal).len(), calls, "{goal}");
    }
    c.end(Allowed::default()).await;
}
