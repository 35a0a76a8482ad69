//! Random kills under trees at work.

use super::super::R;
use super::{Stored, nothing_repeated, stored, times};
use crate::harness::calls::most_at_once;
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::delegation::{goals, parallel, refs};
use crate::harness::invariants::Allowed;
use crate::harness::reply::Reply;
use crate::harness::services::long_drill;
use crate::harness::trees;
use crate::harness::wait::{eventually, in_time};
use futures_util::future::join_all;
use serde_json::json;
use std::time::{Duration, Instant};

/// Scripts a supervisor and six subagents of four calls each.
fn script_seven(c: &Cluster, key: &str) {
    let zone = |n: usize| format!(r#"{{"timezone":"Etc/GMT+{n}"}}"#);
    let look = |n: usize| {
        let tool = Reply::calls(&[("get_time", &zone(n))]).saying(&format!("Look {n}."));
        vec![tool.after(Duration::from_millis(150)).ids(&format!("t{n}"))]
    };
    let goals = goals(&format!("{key} part"), 6);
    for goal in &goals {
        let answer = Reply::text(&format!("found by {goal}")).every(Duration::from_millis(60));
        c.provider.rounds(goal, vec![look(1), look(2), look(3), vec![answer]]);
    }
    let answer = Reply::text("All seven.").every(Duration::from_millis(100));
    c.provider.rounds(key, vec![look(1), vec![parallel(&refs(&goals))], look(3), vec![answer]]);
}

/// One supervisor and six subagents of four calls each while workers are killed at random: no call
/// whose result was durable is made again, and the answer is the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_finished_call_is_repeated_whatever_is_killed() {
    // Workers that are killed at random all the time are no sign of poison.
    let mut c = Builder::new(Kind::PAIR)
        .env("NETA_SUBAGENT_MAX_CONCURRENT", "4")
        .env("NETA_RUN_ATTEMPTS", "50")
        .start()
        .await;
    let (rounds, most) = if long_drill() { (40, 400) } else { (2, 8) };
    for round in 0..rounds {
        let key = format!("seven {round}.");
        script_seven(&c, &key);
        let turn = c.api(0).say("", &key).await;
        let asking = tokio::spawn({
            let (api, turn) = (c.api(1), turn.clone());
            async move { api.finish(&turn).await }
        });
        let mut moments: Vec<(Instant, Stored)> = Vec::new();
        while !asking.is_finished() && moments.len() < most {
            tokio::time::sleep(Duration::from_millis(rand::random_range(900..2_200))).await;
            let durable = stored(&c).await;
            let victim = rand::random_range(0..c.workers.len());
            c.workers[victim].restart(&[]);
            moments.push((Instant::now(), durable));
            trees::always_holds(&c.database).await;
        }
        let answer = in_time("the answer", LONG * 2, asking).await.expect("no panic");
        assert_eq!(answer["status"], "completed", "{answer}");
        assert_eq!(answer["content"], "Look 1.\n\nLook 3.\n\nAll seven.", "{answer}");
        let all = c.provider.asked_like(&key);
        for (since, durable) in &moments {
            nothing_repeated(&all, *since, durable);
        }
        let times = times(&all);
        assert_eq!(times.len(), 7 * 4, "every call was made: {times:?}");
        assert!(times.values().all(|n| *n <= 1 + moments.len()), "{times:?}");
        let entries = all.iter().rfind(|call| call.key == key).expect("calls").batch("call_1");
        for (entry, goal) in entries.iter().zip(goals(&format!("{key} part"), 6)) {
            let told = format!("Look 1.\n\nLook 2.\n\nLook 3.\n\nfound by {goal}");
            assert_eq!(entry["summary"], told, "{entry}");
            assert_eq!(entry["tokenUsage"], json!({ "inputTokens": 40, "outputTokens": 20 }), "{entry}");
        }
        assert_eq!(answer["usage"], json!({ "inputTokens": 280, "outputTokens": 140 }), "{answer}");
        c.ready().await;
    }
    c.end(Allowed::default()).await;
}

/// P10, P15: all workers die under many trees and come back: what resumes at once never exceeds the
/// model's cap, and all are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_resume_at_once_keep_to_the_cap() {
    let mut c = Builder::new(Kind::PAIR).model(json!({ "maxConcurrency": 4 })).start().await;
    let many = if long_drill() { 125 } else { 12 };
    let goals = ["leaf 1 of {said}", "leaf 2 of {said}", "leaf 3 of {said}"];
    c.provider.rounds("tree", vec![vec![parallel(&goals)], vec![Reply::text("Grown {said}.")]]);
    for n in 1..=3 {
        c.provider.says(&format!("leaf {n} of"), Reply::words(4).every(Duration::from_millis(15)));
    }
    let turns: Vec<Turn> =
        join_all((0..many).map(async |n| c.api(n).say("", &format!("tree {n:03}")).await)).await;
    eventually("many work and wait", LONG, async || c.runs_in("waiting").await > 3).await;
    for worker in &mut c.workers {
        worker.kill();
    }
    eventually("the calls of the dead are over", LONG, async || c.provider.running() == 0).await;
    for worker in &mut c.workers {
        worker.restart(&[]);
    }
    for (n, turn) in turns.iter().enumerate() {
        assert_eq!(c.api(n).finish(turn).await["content"], format!("Grown tree {n:03}."));
    }
    assert!(most_at_once(&c.provider.all()) <= 4, "{}", most_at_once(&c.provider.all()));
    c.end(Allowed::default()).await;
}

/// E03: the workers of a tree are dead when it is stopped: all of it is over as soon as their leases are,
/// the session is idle, and nothing of it comes back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tree_whose_workers_are_dead_is_stopped() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 1 }).await;
    let goals = c.script_team("dead", 4, "never");
    for goal in &goals {
        c.provider.says(goal, Reply::words(9).hold_after(2));
    }
    let turn = c.api(0).say("", "dead").await;
    eventually("three stream", LONG, async || c.provider.running() == 3).await;
    c.workers[0].kill();
    assert_eq!(c.api(1).stop(turn.run).await.status, 200);
    c.workers[0].restart(&[]);
    c.workers[0].ready().await;
    let began = Instant::now();
    let answer = c.api(0).finish(&turn).await;
    assert_eq!(answer["status"], "cancelled", "{answer}");
    assert!(began.elapsed() < R + Duration::from_secs(2), "{:?}", began.elapsed());
    assert!(c.subagents(&turn).await.iter().all(|s| s.status == "cancelled"));
    assert_eq!(c.api(0).ask(&turn.session, "go on").await["content"], "Fine.");
    assert_eq!(c.provider.asked_like("dead part").len(), 3);
    c.end(Allowed::default()).await;
}
