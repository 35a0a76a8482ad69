//! The kill matrix on Postgres and Redis: a process dies at a named step, another goes on.

use super::{R, script_turn, turn_text};
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::reader::Reader;
use crate::harness::wait::{eventually, in_time};
use serde_json::json;
use std::time::{Duration, Instant};

/// Where a worker dies, and how many model calls the turn of two takes then.
const WORKER_STEPS: [(&str, usize); 7] =
    [("S3", 2), ("S4", 3), ("S5", 3), ("S6", 2), ("S13", 3), ("S14", 2), ("S15", 2)];

/// One turn whose worker dies at `point`; another worker is there, or comes.
///
/// `ended`: at this point the row says that the turn is over.
async fn die_at(c: &mut Cluster, point: &str, calls: usize, ended: bool) {
    let key = format!("die at {point}.");
    script_turn(c, &key);
    c.workers.clear();
    c.add_worker(&[("NETA_CRASH_AT", format!("{point}:1"))]);
    c.workers[0].ready().await;
    let session = uuid::Uuid::now_v7().to_string();
    let mut reader = c.api(0).stream(&session, &key).await;
    reader.read_until("accepted", |t| !t.events.is_empty()).await;
    let turn = Turn::of(&session, &reader.seen.events[0]["data"]);
    let reading = tokio::spawn(async move {
        let seen = reader.read_all().await;
        (seen, Instant::now())
    });
    let status = c.workers[0].end(LONG).await;
    assert!(!status.success(), "{point}: it died: {status}");
    let died = Instant::now();
    if ended {
        // The row says that it ended: readers learn it without any worker.
        let (_, at) = in_time("the reader is told", LONG, reading).await.expect("no panic");
        assert!(at.saturating_duration_since(died) < Duration::from_secs(3), "{point}: {:?}", at - died);
        assert_eq!(c.api(1).finish(&turn).await["content"], turn_text(), "{point}");
        c.add_worker(&[]);
        c.workers[1].ready().await;
    } else {
        c.add_worker(&[]);
        c.workers[1].ready().await;
        let there = died.max(Instant::now());
        let (seen, at) = in_time("the turn ends", LONG, reading).await.expect("no panic");
        let took = at.saturating_duration_since(there);
        assert!(took < R + Duration::from_secs(2), "{point}: went on after {took:?}");
        shown_is_stored(c, turn.assistant, &seen).await;
        assert_eq!(seen.text, turn_text(), "{point}");
        let withdrawn = !seen.of("text_reset").is_empty();
        let repeated = c.provider.calls(&key).len() > 2 && matches!(point, "S4" | "S13");
        assert!(withdrawn || !repeated, "{point}: {:?}", seen.kinds());
    }
    let run = c.api(0).run(turn.run).await;
    assert_eq!(run["status"], "completed", "{point}: {run}");
    // What was done is not done again, neither now nor when the doubled job comes.
    // At S4 the whole response may have been stored while its text was on its way.
    let made = c.provider.calls(&key).len();
    assert!(made == calls || (point == "S4" && made == 2), "{point}: {made} model calls");
    let epochs =
        c.database.count(format!("SELECT lease_epoch AS x FROM netaclaw_run WHERE id = {}", turn.run)).await;
    assert!(ended || epochs >= 2, "{point}: another worker claimed it: {epochs}");
    // D12, D13: the next turn's history is whole.
    assert_eq!(c.api(1).ask(&session, "and then?").await["status"], "completed", "{point}");
    let told = c.provider.calls("and then?").pop().expect("a call").conversation();
    let roles: Vec<&str> = told.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"], "{point}");
    assert_eq!(c.provider.calls(&key).len(), made, "{point}: model calls, later");
}

/// S3 to S6 and S13 to S15: the worker dies, another goes on within the bound, nothing finished is
/// repeated, the reader's stream has no hole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_goes_on_wherever_its_worker_dies() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 0 }).await;
    for (point, calls) in WORKER_STEPS {
        die_at(&mut c, point, calls, point == "S14" || point == "S15").await;
    }
    c.end(Allowed::default()).await;
}

/// The same with the lease given back after each step: nothing lives in a worker's memory.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_goes_on_wherever_its_worker_dies_also_step_by_step() {
    let kind = Kind::Cluster { apis: 2, workers: 0 };
    let mut c = Builder::new(kind).env("NETA_ALWAYS_SUSPEND", "1").start().await;
    for (point, calls) in WORKER_STEPS {
        // The slot is left after each step here, so that S15 comes before the end.
        die_at(&mut c, point, calls, point == "S14").await;
    }
    c.end(Allowed::default()).await;
}

/// Every step of a turn in another process than the one before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_step_may_run_in_another_process() {
    let c = Builder::new(Kind::PAIR).env("NETA_ALWAYS_SUSPEND", "1").start().await;
    script_turn(&c, "step by step");
    let turns = futures_util::future::join_all((0..10).map(async |n| {
        let session = uuid::Uuid::now_v7().to_string();
        let seen = c.api(n).stream(&session, "step by step").await.read_all().await;
        assert_eq!(seen.text, turn_text());
        (Turn::of(&session, &seen.of("run_accepted")[0]["data"]), seen)
    }))
    .await;
    for (turn, seen) in &turns {
        shown_is_stored(&c, turn.assistant, seen).await;
        let epochs = c
            .database
            .count(format!("SELECT lease_epoch AS x FROM netaclaw_run WHERE id = {}", turn.run))
            .await;
        assert!(epochs >= 3, "the lease was given back after each step: {epochs}");
    }
    assert_eq!(c.provider.calls("step by step").len(), 20);
    c.end(Allowed::default()).await;
}

/// S0 to S2: the API dies before the commit, after it, and after the ring.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_is_stored_once_wherever_its_door_dies() {
    let mut c = Cluster::start(Kind::Cluster { apis: 1, workers: 1 }).await;
    for (point, accepted) in [("S0", false), ("S1", true), ("S2", true)] {
        for retried in [true, false] {
            let key = format!("door dies at {point}, retried {retried}");
            script_turn(&c, &key);
            c.apis[0].restart(&[("NETA_CRASH_AT", &format!("{point}:1"))]);
            c.apis[0].ready().await;
            let session = uuid::Uuid::now_v7().to_string();
            let more = json!({ "wait": 0, "clientMessageId": key });
            let api = c.api(0);
            let body = api.body(&session, &key, &more);
            let lost = api.try_send(api.request("POST", "/open/netaclaw/chat").json(&body)).await;
            assert!(lost.is_err(), "{point}: the client sees an error: {lost:?}");
            c.apis[0].end(LONG).await;
            let rows = format!("SELECT COUNT(*) AS x FROM netaclaw_message WHERE session_id = '{session}'");
            assert_eq!(c.database.count(rows.clone()).await, if accepted { 2 } else { 0 }, "{point}");
            let stored = format!(
                "SELECT CAST(id AS text) AS x FROM netaclaw_message
                 WHERE session_id = '{session}' ORDER BY id"
            );
            if !retried {
                let ended = format!(
                    "SELECT COUNT(*) AS x FROM netaclaw_run
                     WHERE session_id = '{session}' AND status = 'completed'"
                );
                if accepted {
                    // Swept, without any API.
                    eventually("it runs all the same", R, async || {
                        c.database.count(ended.clone()).await == 1
                    })
                    .await;
                }
                c.apis[0].restart(&[("NETA_CRASH_AT", "")]);
                c.apis[0].ready().await;
                assert_eq!(c.provider.calls(&key).len(), if accepted { 2 } else { 0 }, "{point}");
                continue;
            }
            let ids = c.database.texts(stored.clone()).await;
            c.apis[0].restart(&[("NETA_CRASH_AT", "")]);
            c.apis[0].ready().await;
            let turn = Turn::of(&session, &c.api(0).chat(&session, &key, &more).await.body);
            if accepted {
                assert_eq!(ids, [turn.user.to_string(), turn.assistant.to_string()], "{point}: the same ids");
            }
            assert_eq!(c.api(0).finish(&turn).await["content"], turn_text(), "{point}");
            assert_eq!(c.database.count(rows).await, 2, "{point}");
            assert_eq!(c.provider.calls(&key).len(), 2, "{point}: no second run");
        }
    }
    c.end(Allowed::default()).await;
}

/// P7 and B06 beside a death: whoever waits on a process that dies is cut at once, and asking the
/// other one gives the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_waiter_of_a_dead_door_is_cut_and_answered_by_the_other() {
    let mut c = Cluster::start(Kind::Cluster { apis: 2, workers: 1 }).await;
    c.provider.says("held", crate::harness::reply::Reply::words(8).hold_after(4));
    let turn = c.api(0).say("", "held").await;
    let waiting = {
        let api = c.api(0);
        let path = format!("/open/netaclaw/chat/{}?wait=30", turn.assistant);
        tokio::spawn(async move { api.try_send(api.request("GET", &path)).await })
    };
    let streaming = {
        let api = c.api(0);
        let request = api.request("GET", &format!("/open/netaclaw/chat/{}", turn.assistant));
        Reader::sse(request.header("accept", "text/event-stream")).await
    };
    eventually("the model is asked", LONG, async || c.provider.running() == 1).await;
    c.apis[0].kill();
    let cut = in_time("the waiter is cut", Duration::from_secs(2), waiting).await.expect("no panic");
    assert!(cut.is_err(), "{cut:?}");
    let mut streaming = streaming;
    in_time("the stream is cut", Duration::from_secs(2), async { while streaming.next().await.is_some() {} })
        .await;
    c.provider.release("held");
    assert_eq!(c.api(1).finish(&turn).await["content"], crate::harness::reply::words(8));
    c.end(Allowed::default()).await;
}
