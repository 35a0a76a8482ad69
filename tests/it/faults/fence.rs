//! P3: one live executor a run, whatever a worker that was lost believes.

use super::{R, script_turn};
use crate::harness::calls::End;
use crate::harness::client::{Api, LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::process::signal;
use crate::harness::proxy::{Proxy, Weather};
use crate::harness::reply::{Reply, words};
use crate::harness::wait::{always, eventually};
use shared::domain::ids::{RunId, TenantId};
use shared::domain::jobs::Job;
use shared::queue::{Queue, RedisQueue};
use shared::wire::Wire;
use std::time::Duration;

/// The number of the worker that holds the run's lease.
async fn holder(c: &Cluster, run: i64) -> usize {
    let owner = c
        .database
        .texts(format!("SELECT lease_owner AS x FROM netaclaw_run WHERE id = {run}"))
        .await
        .pop()
        .unwrap_or_default();
    let is = |w: &crate::harness::process::Neta| {
        owner.split(|ch: char| !ch.is_ascii_digit()).any(|n| n == w.pid().to_string())
    };
    c.workers.iter().position(is).unwrap_or_else(|| panic!("no worker of {owner:?}"))
}

/// What a stale worker could spoil.
async fn rows(c: &Cluster, run: i64) -> Vec<String> {
    c.database
        .texts(format!(
            "SELECT r.status || ' ' || CAST(r.lease_epoch AS text) || ' ' || CAST(r.step_count AS text)
                 || ' ' || m.content || ' '
                 || (SELECT CAST(COUNT(*) AS text) FROM netaclaw_run_step s WHERE s.run_id = r.id) AS x
             FROM netaclaw_run r JOIN netaclaw_message m ON m.id = r.assistant_message_id WHERE r.id = {run}"
        ))
        .await
}

/// D14, D16, P3, and the matrix by SIGSTOP: a worker that stands still past its lease, before the
/// model's answer, in its middle and at its end, changes nothing when it wakes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_wakes_after_its_lease_changes_nothing() {
    let c = Cluster::start(Kind::PAIR).await;
    // Held before the first word, after five, and after all but the end.
    for (key, held) in [("stop early", 0), ("stop in the middle", 5), ("stop late", 20)] {
        let old = Reply::text(&words(20).replace("word", "old")).hold_after(held);
        let new = Reply::text(&words(20).replace("word", "new"));
        c.provider.rounds(key, vec![vec![old, new]]);
        let session = uuid::Uuid::now_v7().to_string();
        let mut reader = c.api(0).stream(&session, key).await;
        reader
            .read_until("it streams", |t| !t.events.is_empty() && (held == 0 || t.text.contains("old5")))
            .await;
        let turn = Turn::of(&session, &reader.seen.of("run_accepted")[0]["data"]);
        eventually("the model is asked", LONG, async || c.provider.calls(key).len() == 1).await;
        let stopped = c.workers[holder(&c, turn.run).await].pid();
        signal(stopped, "STOP");
        let seen = reader.read_all().await;
        assert_eq!(seen.text, words(20).replace("word", "new"), "{key}");
        shown_is_stored(&c, turn.assistant, &seen).await;
        let before = rows(&c, turn.run).await;
        assert!(before[0].starts_with("completed 2 "), "{key}: {before:?}");
        // It wakes, finds a whole answer in its socket, and may keep none of it.
        c.provider.release(key);
        signal(stopped, "CONT");
        always("nothing is written by the one that was lost", Duration::from_secs(2), async || {
            rows(&c, turn.run).await == before
        })
        .await;
        let mut late = c.api(1).resume(turn.assistant, None).await;
        late.read_until("the end", |t| t.terminal.is_some()).await;
        assert_eq!(late.seen.text, seen.text, "{key}");
        assert_eq!(c.provider.calls(key).len(), 2, "{key}");
        // It works on as if nothing had been.
        script_turn(&c, "both work");
        let (one, two) = (c.api(0), c.api(1));
        let both = tokio::join!(one.ask("", "both work"), two.ask("", "both work"));
        assert_eq!((&both.0["status"], &both.1["status"]), (&"completed".into(), &"completed".into()));
    }
    c.end(Allowed::default()).await;
}

/// D16, P3: a worker whose database hangs stops by its own clock before another takes over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_whose_database_hangs_stops_by_its_own_clock() {
    let c = Builder::new(Kind::PAIR).worker_database_proxies().start().await;
    let old = Reply::text(&words(20).replace("word", "old")).hold_after(5);
    c.provider.rounds("hang", vec![vec![old, Reply::words(20)]]);
    let session = uuid::Uuid::now_v7().to_string();
    let mut reader = c.api(0).stream(&session, "hang").await;
    reader.read_until("five words", |t| t.text.contains("old5")).await;
    let turn = Turn::of(&session, &reader.seen.of("run_accepted")[0]["data"]);
    let hung = &c.database_proxies[holder(&c, turn.run).await];
    hung.set(Weather { hold: true, ..Weather::default() });
    let seen = reader.read_all().await;
    assert_eq!(seen.text, words(20));
    let calls = c.provider.calls("hang");
    assert_eq!(calls.len(), 2);
    let (ended, how) = calls[0].end.expect("the old call ended");
    assert_eq!(how, End::Closed);
    assert!(ended <= calls[1].at, "the old call ended {:?} after the new one began", ended - calls[1].at);
    let before = rows(&c, turn.run).await;
    c.provider.release("hang");
    hung.clear();
    always("nothing is written by the one that was lost", Duration::from_secs(3), async || {
        rows(&c, turn.run).await == before
    })
    .await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    c.end(Allowed::default()).await;
}

/// P3, D04, C01: a run of five leases is executed once, though its job is delivered a thousand times
/// to two workers; and though its model is silent all the time, neither its reader is cut off by a
/// proxy that cuts idle connections, nor is the run taken from its worker.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_delivered_a_thousand_times_runs_once() {
    let c = Cluster::start(Kind::PAIR).await;
    let redis = c.redis.as_ref().expect("a cluster");
    let proxy = Proxy::start(&format!("127.0.0.1:{}", c.apis[1].port)).await;
    proxy.set(Weather { idle_limit: Some(Duration::from_secs(13)), ..Weather::default() });
    c.provider.says("long", Reply::words(32).after(Duration::from_secs(16)));
    let turn = c.api(0).say("", "long").await;
    let reading = tokio::spawn(Api::new(proxy.port, c.agent).resume(turn.assistant, None).await.read_all());
    eventually("the model is asked", LONG, async || c.provider.calls("long").len() == 1).await;
    let wire = Wire::open(&format!("redis://{}", redis.address), &redis.prefix).expect("Redis answers");
    let queue = RedisQueue::new(wire);
    let job = Job { run_id: RunId(turn.run), tenant_id: TenantId::FIRST, traceparent: None };
    for _ in 0..1_000 {
        queue.push(std::slice::from_ref(&job)).await.expect("Redis answers");
    }
    eventually("all deliveries are taken", R, async || queue.depth().await.is_ok_and(|n| n == 0)).await;
    assert_eq!(c.api(1).finish(&turn).await["content"], words(32));
    assert_eq!(reading.await.expect("no panic").text, words(32));
    queue.push(&[job]).await.expect("Redis answers");
    eventually("the last delivery is taken", R, async || queue.depth().await.is_ok_and(|n| n == 0)).await;
    assert_eq!(c.provider.calls("long").len(), 1);
    let rows = rows(&c, turn.run).await;
    assert!(rows[0].starts_with("completed 1 1 "), "one epoch, one step: {rows:?}");
    c.end(Allowed::default()).await;
}
