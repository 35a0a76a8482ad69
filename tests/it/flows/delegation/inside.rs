//! What subagents say and do, for those who ask to see it, and for nobody else.

use crate::harness::client::LONG;
use crate::harness::cluster::Cluster;
use crate::harness::delegation::parallel;
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reader::Socket;
use crate::harness::reply::{Reply, words};
use crate::harness::wait::eventually;
use serde_json::json;

on_both!(the_text_of_subagents_is_told_to_those_who_ask);

async fn follow(socket: &mut Socket, session: &str, level: &str) {
    socket.send(&json!({ "type": "subscribe", "sessionId": session, "level": level })).await;
    socket.read_until("subscribed", |s| s.others.iter().any(|f| f["type"] == "subscribed")).await;
}

/// Two readers of one turn: one sees the card only, the other also each subagent's words, tools and
/// end, in a stream of its own without holes; who comes late is shown what there is.
async fn the_text_of_subagents_is_told_to_those_who_ask(c: Cluster) {
    let rounds = |held| {
        vec![
            vec![Reply::calls(&[("get_time", r#"{"timezone":"Etc/GMT+2"}"#)]).saying("I look.")],
            vec![Reply::words(20).hold_after(held)],
        ]
    };
    c.provider.rounds("tell me 1", rounds(5));
    c.provider.rounds("tell me 2", rounds(9));
    let goals = ["tell me 1", "tell me 2"];
    c.provider.rounds("watched", vec![vec![parallel(&goals)], vec![Reply::text("Seen.")]]);
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "hello").await;
    let (mut plain, mut close) = (c.api(0).socket().await, c.api(1).socket().await);
    follow(&mut plain, &session, "turn").await;
    follow(&mut close, &session, "subagents").await;
    let turn = c.api(0).say(&session, "watched").await;
    close
        .read_until("both are heard", |s| {
            let heard = |word: &str| s.subagents.values().any(|t| t.text.contains(word));
            heard("word5") && heard("word9")
        })
        .await;
    eventually("both hold", LONG, async || c.provider.running() == 2).await;
    // Who comes late is shown what there is, and goes on from there.
    let mut late = c.api(0).socket().await;
    follow(&mut late, &session, "subagents").await;
    late.read_until("both are shown", |s| {
        let heard = |word: &str| s.subagents.values().any(|t| t.text.contains(word));
        heard("word5") && heard("word9")
    })
    .await;
    for goal in goals {
        c.provider.release(goal);
    }
    let seen = close.read_turn(turn.assistant).await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    assert_eq!(seen.text, "Seen.", "the turn's own text has nothing of its subagents'");
    let seen_late = late.read_turn(turn.assistant).await;
    assert_eq!(seen_late.text, "Seen.");
    for socket in [&close, &late] {
        assert_eq!(socket.subagents.len(), 2);
        for (id, told) in &socket.subagents {
            told.check();
            assert_eq!(told.text, format!("I look.\n\n{}", words(20)), "{id}");
        }
    }
    for told in close.subagents.values() {
        // Told as it happened, or in the picture with which the stream began.
        let (mut called, mut ended) = (0, 0);
        for event in &told.events {
            let data = &event["data"];
            match event["type"].as_str() {
                Some("resync") => {
                    let tools = data["tools"].as_array().cloned().unwrap_or_default();
                    called = tools.iter().filter(|t| t["name"] == "get_time").count();
                    ended = tools.iter().filter(|t| t["status"] == "ok").count();
                }
                Some("tool_call") => called += usize::from(data["name"] == "get_time"),
                Some("tool_result") => ended += usize::from(data["status"] == "ok"),
                _ => {}
            }
        }
        assert_eq!((called, ended), (1, 1), "{:?}", told.kinds());
    }
    // The other one was told nothing of it, but the whole card.
    let seen_plain = plain.read_turn(turn.assistant).await;
    shown_is_stored(&c, turn.assistant, &seen_plain).await;
    assert!(plain.subagents.is_empty());
    assert!(!seen_plain.events.iter().any(|e| e["type"] == "text_delta" && e.to_string().contains("word")));
    assert_eq!(seen_plain.card.batches, seen.card.batches);
    c.end(Allowed::default()).await;
}
