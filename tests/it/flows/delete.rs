//! Deleted is gone, in every state.

use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::eventually;
use serde_json::json;
use std::time::Duration;

/// No row and no key names the session, but for the line of the audit that says that it was deleted, and
/// nothing of what was said in it.
async fn nothing_is_left(c: &Cluster, session: &str) {
    for (table, row) in c.database.dump().await {
        let line = table == "netaclaw_audit" && row.contains(".delete") && !row.contains("title");
        assert!(line || !row.contains(session), "left in {table}: {row}");
    }
    if let Some(redis) = &c.redis {
        let left: Vec<String> = redis.keys().into_iter().filter(|k| k.contains(session)).collect();
        assert!(left.is_empty(), "left in Redis: {left:?}");
    }
}

on_both!(a_deleted_session_is_gone, a_deleted_turn_is_gone_and_the_session_lives);

/// J03, J04: a session is deleted while queued, streaming, and after its end: 204, the model call
/// ends, no row and no key is left, no event follows.
async fn a_deleted_session_is_gone(c: Cluster) {
    c.provider.says("stream on", Reply::words(40).hold_after(3));
    for state in ["ended", "streaming", "queued behind a stream"] {
        let session = uuid::Uuid::now_v7().to_string();
        c.api(0).ask(&session, "a first turn").await;
        let mut socket = c.api(1).socket().await;
        socket.subscribe(&session, None).await;
        let calls = c.provider.calls("stream on").len();
        if state != "ended" {
            c.api(0).say(&session, "stream on").await;
            socket.read_until("three words", |s| s.turns.values().any(|t| t.text.contains("word3"))).await;
        }
        let waiter = if state == "queued behind a stream" {
            let turn = c.api(0).say(&session, "never told").await;
            let api = c.api(1);
            Some(tokio::spawn(async move {
                let path = format!("/open/netaclaw/chat/{}?wait=30", turn.assistant);
                (api.get(&path).await, tokio::time::Instant::now())
            }))
        } else {
            None
        };
        let deleted = c.api(0).delete(&format!("/api/sessions/{session}")).await;
        let deleted_at = tokio::time::Instant::now();
        assert!((200..300).contains(&deleted.status), "{state}: {deleted:?}");
        if let Some(waiter) = waiter {
            // P7: who waits is told at once.
            let (answer, at) = waiter.await.expect("no panic");
            assert!(answer.status == 404 || answer.status == 410, "{state}: {answer:?}");
            assert!(at - deleted_at < Duration::from_secs(3), "{state}: after {:?}", at - deleted_at);
        }
        socket
            .read_until("session_deleted", |s| s.others.iter().any(|f| f["type"] == "session_deleted"))
            .await;
        let told = socket.turns.values().map(|t| t.events.len()).sum::<usize>();
        eventually("the model call ends", Duration::from_secs(2), async || {
            c.provider.calls("stream on")[calls..].iter().all(|call| call.end.is_some())
        })
        .await;
        socket.read_for(Duration::from_millis(1_500)).await;
        assert_eq!(
            socket.turns.values().map(|t| t.events.len()).sum::<usize>(),
            told,
            "{state}: events after the end"
        );
        nothing_is_left(&c, &session).await;
        for path in [format!("/api/sessions/{session}"), format!("/api/sessions/{session}/messages")] {
            assert_eq!(c.api(1).get(&path).await.status, 404, "{state}: {path}");
        }
    }
    assert_eq!(c.provider.calls("never told").len(), 0);
    c.end(Allowed::default()).await;
}

/// J01: a turn is deleted while its answer streams: both messages go, the session lives.
async fn a_deleted_turn_is_gone_and_the_session_lives(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "a first turn").await;
    c.provider.says("stream on", Reply::words(40).hold_after(3));
    let turn = c.api(0).say(&session, "stream on").await;
    eventually("it streams", LONG, async || c.provider.calls("stream on").len() == 1).await;
    let deleted = c.api(1).delete(&format!("/api/sessions/{session}/messages/{}", turn.user)).await;
    assert!((200..300).contains(&deleted.status), "{deleted:?}");
    eventually("the model call ends", Duration::from_secs(2), async || {
        c.provider.calls("stream on")[0].end.is_some()
    })
    .await;
    let left: Vec<_> = c.api(0).messages(&session).await.iter().map(|m| m["content"].clone()).collect();
    assert_eq!(left, [json!("a first turn"), json!("Fine.")]);
    assert_eq!(c.api(0).get(&format!("/open/netaclaw/chat/{}", turn.assistant)).await.status, 404);
    let next = c.api(1).ask(&session, "and now").await;
    assert_eq!(next["status"], "completed", "{next}");
    let turn = Turn::of(&session, &next);
    assert_eq!(c.api(0).messages(&session).await.len(), 4);
    assert_eq!(c.api(0).run(turn.run).await["status"], "completed");
    c.end(Allowed::default()).await;
}
