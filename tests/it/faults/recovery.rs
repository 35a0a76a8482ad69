//! Work goes on after its worker is gone, once, and in order.

use super::{R, script_turn, turn_text};
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Cluster, Kind};
use crate::harness::invariants::Allowed;
use crate::harness::reply::{Reply, words};
use crate::harness::services::long_drill;
use crate::harness::wait::{eventually, until};
use futures_util::future::join_all;
use serde_json::json;
use std::time::{Duration, Instant};

/// Which worker holds the lease of any run now.
async fn holder(c: &Cluster) -> Option<usize> {
    let owner =
        c.database.texts("SELECT lease_owner AS x FROM netaclaw_run WHERE status = 'running'").await.pop()?;
    let pids: Vec<String> = owner.split(|ch: char| !ch.is_ascii_digit()).map(str::to_owned).collect();
    c.workers.iter().position(|w| pids.contains(&w.pid().to_string()))
}

/// D01, D02, D08, P5: two workers of one configuration; the one in mid-answer is killed, then the
/// other, and none is left; each time the run goes on within the bound.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_goes_on_elsewhere_when_its_worker_is_killed() {
    let mut c = Cluster::start(Kind::PAIR).await;
    let ids = c.database.texts("SELECT CAST(id AS text) AS x FROM netaclaw_worker").await;
    let mut distinct = ids.clone();
    distinct.sort();
    distinct.dedup();
    assert!(distinct.len() >= 2, "two workers, two identities: {ids:?}");

    c.provider.rounds("orphan", vec![vec![Reply::words(20).hold_after(5), Reply::words(20)]]);
    let turn = c.api(0).say("", "orphan").await;
    let victim = until("a worker has it", LONG, async || holder(&c).await).await;
    eventually("the model is asked", LONG, async || c.provider.calls("orphan").len() == 1).await;
    c.workers[victim].kill();
    let killed = Instant::now();
    assert_eq!(c.api(1).finish(&turn).await["content"], words(20));
    assert!(killed.elapsed() < R, "{:?}", killed.elapsed());
    assert_eq!(c.provider.calls("orphan").len(), 2);

    // The only worker that is left dies; the queue is empty when a new one comes.
    c.provider.rounds("alone", vec![vec![Reply::words(20).hold_after(5), Reply::words(20)]]);
    let turn = c.api(0).say("", "alone").await;
    eventually("the model is asked", LONG, async || c.provider.calls("alone").len() == 1).await;
    for worker in &mut c.workers {
        worker.kill();
    }
    if let Some(redis) = &c.redis {
        redis.forget_all();
    }
    c.workers[victim].restart(&[]);
    let started = Instant::now();
    assert_eq!(c.api(1).finish(&turn).await["content"], words(20));
    assert!(started.elapsed() < R + Duration::from_secs(2), "{:?}", started.elapsed());
    let attempts =
        c.database.count(format!("SELECT lease_epoch AS x FROM netaclaw_run WHERE id = {}", turn.run)).await;
    assert_eq!(attempts, 2);
    c.end(Allowed::default()).await;
}

/// D10: a worker dies and a new message comes just when the old run is taken up again: never two
/// live runs, two answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_message_at_the_moment_of_recovery_waits_its_turn() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 1 }).await;
    let tries = if long_drill() { 100 } else { 3 };
    for n in 0..tries {
        let (old, new) = (format!("old message {n}."), format!("new message {n}."));
        c.provider.rounds(
            &old,
            vec![vec![Reply::words(9).hold_after(3), Reply::words(9).every(Duration::from_millis(20))]],
        );
        c.provider.says(&new, Reply::text("New."));
        let session = uuid::Uuid::now_v7().to_string();
        let first = c.api(0).say(&session, &old).await;
        eventually("the model is asked", LONG, async || c.provider.calls(&old).len() == 1).await;
        c.workers[0].restart(&[]);
        eventually("it is taken up again", R + R, async || c.provider.calls(&old).len() == 2).await;
        let second = c.api(1).say(&session, &new).await;
        assert_eq!(c.api(0).finish(&first).await["content"], words(9), "{n}");
        assert_eq!(c.api(0).finish(&second).await["content"], "New.", "{n}");
        let calls = (c.provider.calls(&old), c.provider.calls(&new));
        assert_eq!(calls.1.len(), 1, "{n}");
        assert!(calls.0[1].end.expect("it ended").0 <= calls.1[0].at, "{n}: two live runs");
        assert_eq!(calls.1[0].conversation().len(), 3, "{n}: the new one knows the old answer");
        assert_eq!(c.api(0).messages(&session).await.len(), 4, "{n}");
    }
    c.end(Allowed::default()).await;
}

/// D11: a run that kills its worker each time is given up after three attempts, and says so; other
/// runs of that worker go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_kills_its_worker_is_given_up_and_others_live() {
    let mut c = Cluster::start(Kind::Cluster { apis: 1, workers: 0 }).await;
    // S7 is inside of a tool: only a run that calls one gets there.
    c.provider.rounds("poison", vec![vec![Reply::calls(&[("get_time", "{}")])], vec![Reply::text("never")]]);
    c.provider.says("bystander", Reply::words(60).every(Duration::from_millis(50)));
    let bystander = c.api(0).say("", "bystander").await;
    let poison = c.api(0).say("", "poison").await;
    for attempt in 0..3 {
        if attempt == 0 {
            c.add_worker(&[("NETA_CRASH_AT", "S7:1".into())]);
        } else {
            c.workers[0].restart(&[]);
        }
        c.workers[0].end(LONG).await;
    }
    c.workers[0].restart(&[("NETA_CRASH_AT", "S7:1")]);
    let body = c.api(0).finish(&poison).await;
    assert_eq!((&body["status"], &body["error"]["kind"]), (&json!("failed"), &json!("poisoned")), "{body}");
    assert_eq!(c.api(0).finish(&bystander).await["content"], words(60));
    assert!(c.workers[0].ended().is_none(), "the worker lives");
    let next = c.api(0).ask(&poison.session, "and now").await;
    assert_eq!(next["status"], "completed", "{next}");
    c.end(Allowed { failed_percent: 50 }).await;
}

/// P23: workers told to end hand back what they cannot finish, without spending an attempt, and
/// nothing fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_loses_nothing() {
    let mut c = Cluster::start(Kind::PAIR).await;
    script_turn(&c, "rolling");
    // One that outlasts the grace time.
    c.provider.rounds("outlasts", vec![vec![Reply::words(9).hold_after(3), Reply::words(9)]]);
    let long = c.api(0).say("", "outlasts").await;
    let turns: Vec<Turn> = join_all((0..20).map(async |n| c.api(n).say("", "rolling").await)).await;
    eventually("the long one runs", LONG, async || !c.provider.calls("outlasts").is_empty()).await;
    for n in 0..2 {
        c.workers[n].signal("TERM");
        let status = c.workers[n].end(Duration::from_secs(12)).await;
        assert!(status.success(), "it ends well: {status}");
        c.workers[n].restart(&[]);
        c.workers[n].ready().await;
    }
    for turn in &turns {
        assert_eq!(c.api(1).finish(turn).await["content"], turn_text());
    }
    assert_eq!(c.api(1).finish(&long).await["content"], words(9));
    let spent =
        c.database.texts("SELECT CAST(attempts AS text) AS x FROM netaclaw_run WHERE attempts > 1").await;
    assert!(spent.is_empty(), "attempts were spent: {spent:?}");
    c.end(Allowed::default()).await;
}
