//! P24: the standalone on SQLite is killed at every step and started again: the same results.

use super::{script_turn, turn_text};
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::wait::in_time;
use serde_json::json;

/// S0 to S6 and S13 to S15 on one process: kill -9, start, and the turn ends as if nothing had been.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standalone_goes_on_after_a_kill_at_every_step() {
    let mut c = Cluster::start(Kind::Standalone).await;
    let steps = [
        ("S0", 2),
        ("S1", 2),
        ("S2", 2),
        ("S3", 2),
        ("S4", 3),
        ("S5", 3),
        ("S6", 2),
        ("S13", 3),
        ("S14", 2),
        ("S15", 2),
    ];
    for (point, calls) in steps {
        let key = format!("die at {point}.");
        script_turn(&c, &key);
        c.apis[0].restart(&[("NETA_CRASH_AT", &format!("{point}:1"))]);
        c.apis[0].ready().await;
        let session = uuid::Uuid::now_v7().to_string();
        let api = c.api(0);
        // By a socket, so that the reader has a cursor; before S3 there may be nothing to read.
        let mut socket = api.socket().await;
        socket.send(&api.frame(&session, &key, &json!({ "clientMessageId": key }))).await;
        in_time("the socket is cut", LONG, async { while socket.next().await.is_some() {} }).await;
        c.apis[0].end(LONG).await;
        let seen = socket.turns.iter().next().map(|(id, seen)| (*id, seen.clone()));

        c.apis[0].restart(&[("NETA_CRASH_AT", "")]);
        c.apis[0].ready().await;
        let more = json!({ "wait": 30, "clientMessageId": key });
        let answer = api.chat(&session, &key, &more).await.expect(200);
        assert_eq!(answer["content"], turn_text(), "{point}: {answer}");
        let turn = Turn::of(&session, &answer);
        let mut socket = api.socket().await;
        if let Some((id, seen)) = &seen {
            assert_eq!(*id, turn.assistant, "{point}");
            if seen.terminal.is_none() {
                socket.subscribe(&session, Some((*id, seen))).await;
                let seen = socket.read_turn(*id).await;
                shown_is_stored(&c, *id, &seen).await;
            }
        }
        let made = c.provider.calls(&key).len();
        assert!(made == calls || (point == "S4" && made == 2), "{point}: {made} model calls");
        assert_eq!(c.api(0).messages(&session).await.len(), 2, "{point}");
        assert_eq!(api.ask(&session, "and then?").await["status"], "completed", "{point}");
    }
    c.end(Allowed::default()).await;
}

/// Always suspending and being killed at random changes nothing for many turns at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standalone_killed_again_and_again_answers_all() {
    let mut c = Cluster::start(Kind::Standalone).await;
    script_turn(&c, "often");
    let api = [c.api(0)];
    let asking = {
        let api = api.clone();
        tokio::spawn(async move {
            futures_util::future::join_all((0..12).map(|n| {
                let api = api.clone();
                async move {
                    let session = uuid::Uuid::now_v7().to_string();
                    tokio::time::sleep(std::time::Duration::from_millis(300 * n)).await;
                    let turn = super::insist(&api, &session, &format!("often {n}")).await;
                    (api[0].finish(&turn).await, turn)
                }
            }))
            .await
        })
    };
    for pause in [700, 1_300, 900] {
        tokio::time::sleep(std::time::Duration::from_millis(pause)).await;
        c.apis[0].restart(&[]);
        c.apis[0].ready().await;
    }
    let answers = in_time("all answers", LONG * 2, asking).await.expect("no panic");
    for (answer, _) in &answers {
        assert_eq!(answer["content"], turn_text(), "{answer}");
    }
    c.end(Allowed::default()).await;
}
