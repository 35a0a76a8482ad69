//! What was said is changed: a message that waits in line, and turns that others take the place of.

use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::eventually;
use serde_json::{Value, json};
use std::time::Duration;

on_both!(a_message_in_line_is_answered_as_it_was_changed, a_message_takes_the_place_of_streaming_turns);

async fn texts(c: &Cluster, session: &str) -> Vec<Value> {
    c.api(0).messages(session).await.iter().map(|m| m["content"].clone()).collect()
}

/// While a turn streams, the next one's message is changed at the other process: the model is told the new
/// text, and once it was begun it stays.
async fn a_message_in_line_is_answered_as_it_was_changed(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.provider.says("stream on", Reply::words(5).hold_after(2));
    c.provider.says("as it is now", Reply::text("To the new text."));
    let streaming = c.api(0).say(&session, "stream on").await;
    let waiting = c.api(0).say(&session, "as it was").await;
    let at = |turn: &Turn| format!("/api/sessions/{session}/messages/{}", turn.user);
    let edited = c.api(1).patch(&at(&waiting), &json!({ "content": "as it is now" })).await.expect(200);
    assert_eq!(edited["content"], "as it is now");
    eventually("it streams", LONG, async || c.provider.calls("stream on").len() == 1).await;
    let late = c.api(1).patch(&at(&streaming), &json!({ "content": "too late" })).await;
    assert_eq!((late.status, &late.body["code"]), (409, &json!("turn_started")), "{}", late.body);
    c.provider.release("stream on");
    assert_eq!(c.api(1).finish(&waiting).await["content"], "To the new text.");
    assert_eq!(c.provider.calls("as it was").len(), 0);
    let said = texts(&c, &session).await;
    assert_eq!((&said[0], &said[2]), (&json!("stream on"), &json!("as it is now")));
    c.end(Allowed::default()).await;
}

/// A message takes the place of a turn that streams and of one behind it: the model call ends, the new turn is
/// answered after what is left, and sent again it is the same.
async fn a_message_takes_the_place_of_streaming_turns(c: Cluster) {
    let session = uuid::Uuid::now_v7().to_string();
    c.provider.says("stream on", Reply::words(40).hold_after(3));
    c.api(0).ask(&session, "a first turn").await;
    let streaming = c.api(0).say(&session, "stream on").await;
    let behind = c.api(1).say(&session, "never told").await;
    eventually("it streams", LONG, async || c.provider.calls("stream on").len() == 1).await;
    let more = json!({ "replaces": streaming.user, "clientMessageId": session, "wait": 30 });
    let body = c.api(1).body(&session, "instead", &more);
    let answer = c.api(1).post("/open/netaclaw/chat", &body).await.expect(200);
    assert_eq!((&answer["status"], &answer["content"]), (&json!("completed"), &json!("Fine.")), "{answer}");
    eventually("the model call ends", Duration::from_secs(2), async || {
        c.provider.calls("stream on")[0].end.is_some()
    })
    .await;
    let again = c.api(0).post("/open/netaclaw/chat", &body).await.expect(200);
    assert_eq!(Turn::of(&session, &again), Turn::of(&session, &answer));
    let left = [json!("a first turn"), json!("Fine."), json!("instead"), json!("Fine.")];
    assert_eq!(texts(&c, &session).await, left);
    assert_eq!(c.provider.calls("never told").len(), 0);
    let told: Vec<_> =
        c.provider.calls("instead")[0].conversation().into_iter().map(|(_, text)| text).collect();
    assert_eq!(told, ["a first turn", "Fine.", "instead"]);
    for turn in [streaming, behind] {
        assert_eq!(c.api(0).get(&format!("/open/netaclaw/chat/{}", turn.assistant)).await.status, 404);
        assert_eq!(c.api(1).get(&format!("/api/runs/{}", turn.run)).await.status, 404);
    }
    c.end(Allowed::default()).await;
}
