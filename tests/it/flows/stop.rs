//! Stop: over every door, in every state of a turn.

use crate::harness::calls::End;
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::eventually;
use serde_json::json;
use std::time::Duration;

on_both!(stop_ends_the_model_call_and_keeps_the_text, stop_reaches_turns_that_wait);

/// E05: stop drops the provider's connection within a second, keeps the text so far, marks it as
/// stopped; by WebSocket and by POST. The next turn works and knows what was said.
async fn stop_ends_the_model_call_and_keeps_the_text(c: Cluster) {
    for door in ["socket", "post"] {
        let key = format!("endless by {door}");
        c.provider.says(&key, Reply::words(50).hold_after(5));
        let mut socket = c.api(0).socket().await;
        socket.send(&c.api(0).frame("", &key, &json!({}))).await;
        socket.read_until("five words", |s| s.turns.values().any(|t| t.text.contains("word5"))).await;
        let (&assistant, seen) = socket.turns.iter().next().expect("a turn");
        let accepted = seen.of("run_accepted")[0].clone();
        let turn = Turn::of(accepted["sessionId"].as_str().unwrap_or_default(), &accepted["data"]);
        if door == "socket" {
            socket.send(&json!({ "type": "stop", "messageId": assistant })).await;
        } else {
            let answer = c.api(1).stop(turn.run).await;
            assert!((200..300).contains(&answer.status), "{answer:?}");
        }
        eventually("the provider sees its connection closed", Duration::from_secs(1), async || {
            c.provider.calls(&key)[0].end.is_some_and(|(_, how)| how == End::Closed)
        })
        .await;
        let seen = socket.read_turn(assistant).await;
        shown_is_stored(&c, assistant, &seen).await;
        let done = seen.terminal.clone().expect("it ended");
        assert_eq!(done["type"], "done");
        assert_eq!(done["data"]["status"], "cancelled", "{done}");
        assert_eq!(done["data"]["reason"], "stopped", "{done}");
        assert_eq!(seen.text.trim(), "word1 word2 word3 word4 word5");
        let body = c.api(1).finish(&turn).await;
        assert_eq!(body["status"], "cancelled", "{body}");
        // A second stop changes nothing.
        let again = c.api(1).stop(turn.run).await;
        assert!(again.status < 500, "{again:?}");
        assert_eq!(c.api(0).run(turn.run).await["status"], "cancelled");

        c.provider.says("go on", Reply::text("On we go."));
        assert_eq!(c.api(1).ask(&turn.session, "go on").await["content"], "On we go.");
        let told = c.provider.calls("go on").pop().expect("a call").conversation();
        assert!(told[1].1.contains("word5") && !told[1].1.contains("word6"), "{told:?}");
    }
    c.end(Allowed::default()).await;
}

/// A turn that waits behind another is stopped at once, and the other goes on; one that runs tools
/// or waits for headers is stopped too.
async fn stop_reaches_turns_that_wait(c: Cluster) {
    c.provider.says("first", Reply::words(3).hold_after(1));
    let session = uuid::Uuid::now_v7().to_string();
    let first = c.api(0).say(&session, "first").await;
    eventually("the first turn runs", LONG, async || c.provider.calls("first").len() == 1).await;
    let second = c.api(1).say(&session, "second").await;
    let answer = c.api(0).stop(second.run).await;
    assert!((200..300).contains(&answer.status), "{answer:?}");
    let body = c.api(1).finish(&second).await;
    assert_eq!(body["status"], "cancelled", "{body}");
    c.provider.release("first");
    assert_eq!(c.api(0).finish(&first).await["status"], "completed");
    assert_eq!(c.provider.calls("second").len(), 0);

    c.provider.says("no headers", Reply::text("late").after(Duration::from_secs(25)));
    let silent = c.api(0).say(&session, "no headers").await;
    eventually("the model is asked", LONG, async || c.provider.calls("no headers").len() == 1).await;
    assert!(c.api(1).stop(silent.run).await.status < 300);
    let body = c.api(0).finish(&silent).await;
    assert_eq!(body["status"], "cancelled", "{body}");
    eventually("its connection is closed", Duration::from_secs(1), async || {
        c.provider.calls("no headers")[0].end.is_some()
    })
    .await;
    c.end(Allowed::default()).await;
}
