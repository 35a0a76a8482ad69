//! Many trees at once, and many that wait.

use crate::harness::calls::most_at_once;
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::delegation::parallel;
use crate::harness::invariants::Allowed;
use crate::harness::reply::Reply;
use crate::harness::services::long_drill;
use crate::harness::trees;
use crate::harness::wait::{eventually, in_time};
use futures_util::future::join_all;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Scripts supervisors with three subagents each, whose goals hold what the supervisor was told.
fn script_forest(c: &Cluster, leaf: &Reply) {
    let goals = ["leaf 1 of {said}", "leaf 2 of {said}", "leaf 3 of {said}"];
    c.provider.rounds("tree", vec![vec![parallel(&goals)], vec![Reply::text("Grown {said}.")]]);
    for n in 1..=3 {
        c.provider.says(&format!("leaf {n} of"), leaf.clone());
    }
}

/// How often each conversation was asked.
fn asked_each(c: &Cluster, prefix: &str) -> BTreeMap<String, usize> {
    let mut each = BTreeMap::new();
    for call in c.provider.asked_like(prefix) {
        *each.entry(call.said).or_insert(0) += 1;
    }
    each
}

/// One worker with two slots finishes twenty supervisors with three subagents each: who waits has no
/// slot. At every moment the rows are right.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_slots_finish_twenty_supervisors() {
    for kind in [Kind::Standalone, Kind::Cluster { apis: 1, workers: 1 }] {
        let c = Builder::new(kind).env("NETA_WORKER_SLOTS", "2").start().await;
        script_forest(&c, &Reply::words(6).every(Duration::from_millis(15)));
        let api = c.api(0);
        let asking = join_all((0..20).map(|n| {
            let api = api.clone();
            async move { api.ask("", &format!("tree {n:02}")).await }
        }));
        let looking = async {
            loop {
                trees::always_holds(&c.database).await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let answers = tokio::select! {
            answers = in_time("twenty answers", LONG, asking) => answers,
            () = looking => unreachable!("it looks for ever"),
        };
        for (n, answer) in answers.iter().enumerate() {
            assert_eq!(answer["content"], format!("Grown tree {n:02}."), "{answer}");
        }
        assert!(most_at_once(&c.provider.all()) <= 2, "two slots");
        let each = asked_each(&c, "leaf");
        assert_eq!((each.len(), each.values().sum::<usize>()), (60, 60), "each subagent once");
        assert!(asked_each(&c, "tree").values().all(|n| *n == 2));
        c.end(Allowed::default()).await;
    }
}

/// Supervisors that wait cost no slot and no memory to speak of, and nobody waits behind them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_supervisors_cost_nothing() {
    let many = if long_drill() { 10_000 } else { 500 };
    let c = Builder::new(Kind::Cluster { apis: 1, workers: 1 })
        .env("NETA_WORKER_SLOTS", "8")
        .model(json!({ "maxConcurrency": 100 }))
        .start()
        .await;
    // A person is asked: nothing else holds so many at once.
    let question = Reply::calls(&[("clarify", r#"{"question":"Shall I?"}"#)]);
    c.provider.rounds("shall", vec![vec![question], vec![Reply::text("I did.")]]);
    let api = c.api(0);
    api.ask("", "warm up").await;
    let before = resident(&c);
    let mut turns: Vec<Turn> = Vec::new();
    while turns.len() < many {
        let some = (0..50).map(|n| {
            let (api, number) = (api.clone(), turns.len() + n);
            async move { api.say("", &format!("shall I {number:05}")).await }
        });
        let said = join_all(some).await;
        turns.extend(said);
    }
    eventually("all wait", LONG * 20, async || c.runs_in("paused").await == many as i64).await;
    let grown = resident(&c).saturating_sub(before);
    assert!(grown < 50 << 20, "{many} waiting runs take {} KiB of the worker", grown >> 10);
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let began = Instant::now();
        assert_eq!(api.ask("", "a new chat").await["status"], "completed");
        best = best.min(began.elapsed());
    }
    assert!(best < Duration::from_millis(200), "a new chat beside them takes {best:?}");
    // Some are answered; the others are stopped, all at once.
    let pauses = c
        .database
        .texts("SELECT CAST(run_id AS text) || ' ' || CAST(id AS text) AS x FROM netaclaw_pause ORDER BY id")
        .await;
    for pause in pauses.iter().take(20) {
        let (_, id) = pause.split_once(' ').unwrap_or_default();
        let answer = api.post(&format!("/api/pauses/{id}/answer"), &json!({ "answer": "yes" })).await;
        assert!((200..300).contains(&answer.status), "{answer:?}");
    }
    eventually("twenty are done", LONG, async || c.runs_in("completed").await == 20 + 6).await;
    let stopping: Vec<_> = turns
        .iter()
        .filter(|t| !pauses[..20].iter().any(|p| p.starts_with(&format!("{} ", t.run))))
        .collect();
    for some in stopping.chunks(50) {
        let stopped = join_all(some.iter().map(async |turn| api.stop(turn.run).await.status)).await;
        assert!(stopped.iter().all(|s| (200..300).contains(s)), "{stopped:?}");
    }
    c.end(Allowed::default()).await;
}

/// Bytes of memory that the worker has.
fn resident(c: &Cluster) -> u64 {
    let path = format!("/proc/{}/status", c.workers[0].pid());
    let status = std::fs::read_to_string(path).expect("the worker lives");
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).expect("a line of that name");
    let kib: u64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    kib << 10
}

/// O01: twenty subagents at once on SQLite, with a limit that allows it: twenty results, and no
/// database was busy, which the end checks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_subagents_of_one_call_all_have_results() {
    for kind in [Kind::Standalone, Kind::PAIR] {
        let c = Builder::new(kind)
            .env("NETA_SUBAGENT_MAX_TASKS", "20")
            .env("NETA_SUBAGENT_MAX_CONCURRENT", "20")
            .env("NETA_SUBAGENT_LIMIT_CONCURRENT", "20")
            .start()
            .await;
        let goals = c.script_team("twenty", 20, "Twenty results.");
        let tool = vec![Reply::calls(&[("get_time", "{}")])];
        for goal in &goals {
            c.provider.rounds(goal, vec![tool.clone(), vec![Reply::text(&format!("found by {goal}"))]]);
        }
        let answer = c.api(0).ask("", "twenty").await;
        assert_eq!(answer["content"], "Twenty results.", "{answer}");
        let entries = c.provider.asked("twenty")[1].batch("call_1");
        let found: Vec<&str> = entries.iter().filter_map(|e| e["summary"].as_str()).collect();
        let expected: Vec<String> = goals.iter().map(|g| format!("found by {g}")).collect();
        assert_eq!(found, expected);
        assert_eq!(c.provider.asked_like("twenty part").len(), 40);

        // A01 with this limit: twenty-one are refused by both numbers.
        let too_many: Vec<String> = (0..21).map(|n| format!("twenty-one {n}")).collect();
        let too_many: Vec<&str> = too_many.iter().map(String::as_str).collect();
        c.provider.rounds("over", vec![vec![parallel(&too_many)], vec![Reply::text("Too many.")]]);
        assert_eq!(c.api(0).ask("", "over").await["content"], "Too many.");
        let (_, told) = c.provider.asked("over")[1].results().pop().expect("a result");
        assert!(told.contains("21") && told.contains("20"), "{told}");
        c.end(Allowed::default()).await;
    }
}
