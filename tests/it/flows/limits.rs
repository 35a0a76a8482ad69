//! A model's limits hold over all workers, and who waits is told why.

use crate::harness::client::LONG;
use crate::harness::cluster::{Builder, Kind};
use crate::harness::invariants::Allowed;
use crate::harness::reply::Reply;
use crate::harness::wait::eventually;
use futures_util::future::join_all;
use serde_json::json;
use std::time::Duration;

/// P10 with turns: at most `maxConcurrency` calls at once over two workers; the others wait without a
/// slot and say why; a slot of a killed worker is free again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrency_is_capped_over_all_workers() {
    let mut c = Builder::new(Kind::PAIR).model(json!({ "maxConcurrency": 2 })).start().await;
    c.provider.says("capped", Reply::words(4).every(Duration::from_millis(30)));
    let (a, b) = (c.api(0), c.api(1));
    let answers = join_all((0..20).map(|n| {
        let api = if n % 2 == 0 { &a } else { &b };
        async move { api.ask("", "capped").await }
    }))
    .await;
    assert!(answers.iter().all(|a| a["status"] == "completed"), "{answers:?}");
    assert_eq!(c.provider.most_running(), 2);

    c.provider.says("held", Reply::words(4).hold_after(2));
    let first = [a.say("", "held").await, a.say("", "held").await];
    eventually("two calls run", LONG, async || c.provider.running() == 2).await;
    let mut waiting = a.stream("", "waits for its turn").await;
    waiting
        .read_until("a status that says why", |t| {
            t.of("status").iter().any(|e| e["data"]["reason"] == "model_limit")
        })
        .await;
    // D06: all holders die; their slots come back, and everybody goes on.
    for worker in &mut c.workers {
        worker.kill();
    }
    c.provider.release("held");
    for worker in &mut c.workers {
        worker.restart(&[]);
    }
    for turn in &first {
        assert_eq!(b.finish(turn).await["status"], "completed");
    }
    assert_eq!(waiting.read_all().await.text, "Fine.");
    assert!(c.provider.most_running() <= 2, "{}", c.provider.most_running());
    c.end(Allowed::default()).await;
}

/// Calls a minute are counted over all workers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_a_minute_are_counted_over_all_workers() {
    let c = Builder::new(Kind::PAIR).start().await;
    let model = c.add_model("slow", &json!({ "rpm": 6 })).await;
    let agent = c.add_agent("slow", model, &json!({})).await;
    let (a, b) = (c.api(0), c.api(1));
    let turns = join_all((0..8).map(|n| {
        let api = if n % 2 == 0 { &a } else { &b };
        async move { api.chat("", &format!("rate {n}"), &json!({ "agentId": agent, "wait": 3 })).await }
    }))
    .await;
    let answered = turns.iter().filter(|t| t.status == 200).count();
    assert!((1..=6).contains(&answered), "{answered} of 8 answered at once with 6 a minute");
    for late in turns.iter().filter(|t| t.status == 202) {
        let run = a.run(late.body["runId"].as_i64().expect("an id")).await;
        assert_eq!((&run["status"], &run["reason"]), (&json!("queued"), &json!("model_limit")), "{run}");
        a.stop(run["id"].as_i64().expect("an id")).await;
    }
    c.end(Allowed::default()).await;
}
