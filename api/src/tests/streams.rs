//! A turn over `text/event-stream`.

use super::harness::{Api, TOKEN, Turn, request};
use axum::body::{Body, BodyDataStream};
use futures_util::StreamExt;
use serde_json::{Value, json};
use shared::domain::events::Event;
use std::collections::VecDeque;
use tower::ServiceExt;

/// A stream's reader: event id and event.
pub struct Reader {
    body: BodyDataStream,
    ready: VecDeque<(String, Value)>,
}

impl Reader {
    pub async fn open(api: &Api, method: &str, path: &str, body: &Value, last: Option<&str>) -> Self {
        let mut request = request(method, path)
            .header("authorization", format!("Bearer {TOKEN}"))
            .header("content-type", "application/json")
            .header("accept", "text/event-stream");
        if let Some(id) = last {
            request = request.header("last-event-id", id);
        }
        let request = request.body(Body::from(body.to_string())).unwrap();
        let response = api.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { body: response.into_body().into_data_stream(), ready: VecDeque::new() }
    }

    async fn chat(api: &Api, message: &str) -> Self {
        Self::open(api, "POST", "/open/netaclaw/chat", &json!({"message": message}), None).await
    }

    async fn of(api: &Api, turn: Turn, last: Option<&str>) -> Self {
        Self::open(api, "GET", &format!("/open/netaclaw/chat/{}", turn.message_id), &Value::Null, last).await
    }

    /// The next event; None at the end.
    pub async fn next(&mut self) -> Option<(String, Value)> {
        while self.ready.is_empty() {
            let chunk = self.body.next().await?.unwrap();
            for part in std::str::from_utf8(&chunk).unwrap().split_terminator("\n\n") {
                let field = |name: &str| part.lines().find_map(|l| l.strip_prefix(name));
                let Some(data) = field("data: ") else { continue };
                let id = field("id: ").unwrap_or_default().to_owned();
                self.ready.push_back((id, serde_json::from_str(data).unwrap()));
            }
        }
        self.ready.pop_front()
    }

    async fn rest(&mut self) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }
}

fn types(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(_, e)| e["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_stream_has_every_event_once_in_order_and_ends() {
    let api = Api::new().await;
    let mut reader = Reader::chat(&api, "hello").await;
    let turn = api.next_turn().await;
    let (events, ()) = tokio::join!(reader.rest(), api.answer(turn, "one two three"));
    let expected = ["run_accepted", "status", "text_delta", "text_delta", "text_delta", "resync", "done"];
    assert_eq!(types(&events), expected);
    let epoch = events[0].1["epoch"].clone();
    for (n, (id, event)) in events.iter().enumerate() {
        assert_eq!((&event["seq"], &event["epoch"]), (&json!(n + 1), &epoch));
        assert_eq!(*id, format!("{epoch}-{}", n + 1));
    }
    assert_eq!(events[6].1["data"]["content"], "one two three");
    // Whoever comes late gets the same picture, and whoever has it all nothing.
    let late = Reader::of(&api, turn, None).await.rest().await;
    assert_eq!(types(&late), ["resync", "done"]);
    assert_eq!(late[1], events[6]);
    let done = request("GET", &format!("/open/netaclaw/chat/{}", turn.message_id))
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("accept", "text/event-stream")
        .header("last-event-id", &events[6].0);
    assert_eq!(api.raw(done.body(Body::empty()).unwrap()).await.status, 204);
}

#[tokio::test]
async fn a_reader_goes_on_after_its_last_event() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let lease = api.claim(turn).await;
    api.say(turn, "one ").await;
    let mut reader = Reader::of(&api, turn, None).await;
    assert_eq!(reader.next().await.unwrap().1["type"], "run_accepted");
    let (last, _) = reader.next().await.unwrap();
    drop(reader);
    api.say(turn, "two ").await;
    let mut reader = Reader::of(&api, turn, Some(&last)).await;
    assert_eq!(reader.next().await.unwrap().1["data"]["text"], "two ");
    api.say(turn, "three").await;
    assert_eq!(reader.next().await.unwrap().1["data"]["text"], "three");
    api.finish(turn, &lease, "one two three").await;
    assert_eq!(types(&reader.rest().await), ["resync", "done"]);
}

#[tokio::test]
async fn a_cursor_that_cannot_be_followed_gets_the_whole_picture() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let lease = api.claim(turn).await;
    api.say(turn, "one two").await;
    for cursor in ["3-9", "0-0", "99999999999999-1"] {
        let mut reader = Reader::of(&api, turn, Some(cursor)).await;
        let (_, resync) = reader.next().await.unwrap();
        assert_eq!((&resync["type"], &resync["data"]["content"]), (&json!("resync"), &json!("one two")));
        assert_eq!(resync["seq"], 2);
        api.say(turn, "").await;
        assert_eq!(reader.next().await.unwrap().1["seq"].as_u64(), Some(3), "{cursor}");
        // Back to a log of two events, of another epoch.
        api.state.app.bus.forget(turn.session_id, &[turn.stream()], None).await.unwrap();
        let view =
            shared::app::turns::find(&api.app, super::harness::TENANT, turn.message_id).await.unwrap().view;
        let text = Event::TextReset { text: "one two".into(), thinking: String::new() };
        api.tell(turn, &[Event::Resync(view), text]).await;
    }
    api.finish(turn, &lease, "one two").await;
    // The log is gone, and the turn over: the rows tell.
    api.state.app.bus.forget(turn.session_id, &[turn.stream()], None).await.unwrap();
    let events = Reader::of(&api, turn, Some("3-1")).await.rest().await;
    assert_eq!(types(&events), ["resync", "done"]);
    assert_eq!((events[0].0.as_str(), events[1].0.as_str()), ("0-1", "0-2"));
    let bad = request("GET", &format!("/open/netaclaw/chat/{}", turn.message_id))
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("accept", "text/event-stream")
        .header("last-event-id", "x");
    assert_eq!(api.raw(bad.body(Body::empty()).unwrap()).await.json["field"], "Last-Event-ID");
}

#[tokio::test]
async fn a_failed_turn_ends_its_stream_with_error() {
    let api = Api::new().await;
    let mut reader = Reader::chat(&api, "hello").await;
    let turn = api.next_turn().await;
    api.say(turn, "Half").await;
    api.fail(turn, "Half", "the key was refused").await;
    let events = reader.rest().await;
    assert_eq!(types(&events), ["run_accepted", "text_delta", "resync", "error"]);
    assert_eq!(events[3].1["data"], json!({"kind": "model_auth", "message": "the key was refused"}));
}

#[tokio::test]
async fn an_end_that_was_never_told_or_told_without_the_bus_is_told_within_the_next_look() {
    let api = Api::new().await;
    for away in [false, true] {
        let mut reader = Reader::chat(&api, "hello").await;
        let turn = api.next_turn().await;
        assert_eq!(reader.next().await.unwrap().1["type"], "run_accepted");
        api.bus.set_away(away);
        api.finish_silently(&api.claim(turn).await, "stored", None).await;
        let events = reader.rest().await;
        assert_eq!(types(&events), ["resync", "done"], "away: {away}");
        assert_eq!(events[1].1["data"]["content"], "stored");
    }
}

#[tokio::test]
async fn deleting_the_session_ends_its_streams() {
    let api = Api::new().await;
    let mut reader = Reader::chat(&api, "hello").await;
    let turn = api.next_turn().await;
    assert_eq!(api.send("DELETE", &format!("/api/sessions/{}", turn.session_id), None).await.status, 204);
    assert_eq!(types(&reader.rest().await), ["run_accepted", "session_deleted"]);
}

#[tokio::test]
async fn a_reader_that_does_not_read_is_cut_and_loses_nothing() {
    let api = Api::new().await;
    let mut reader = Reader::chat(&api, "hello").await;
    let turn = api.next_turn().await;
    let lease = api.claim(turn).await;
    let (last, first) = reader.next().await.unwrap();
    assert_eq!(first["type"], "run_accepted");
    for n in 0..5_000 {
        api.say(turn, &format!("{n} ")).await;
        tokio::task::yield_now().await;
    }
    // What was cut off ends without the last event.
    let seen = reader.rest().await;
    assert!(seen.iter().all(|(_, e)| e["type"] != "done"));
    let mut reader = Reader::of(&api, turn, Some(&last)).await;
    let all = (0..5_000).map(|n| format!("{n} ")).collect::<Vec<_>>().concat();
    let mut text = String::new();
    while text.len() < all.len() {
        let (_, event) = reader.next().await.unwrap();
        match event["type"].as_str().unwrap() {
            "text_delta" => text.push_str(event["data"]["text"].as_str().unwrap()),
            "resync" => text = event["data"]["content"].as_str().unwrap().to_owned(),
            _ => {}
        }
    }
    assert_eq!(text, all);
    api.finish(turn, &lease, &all).await;
    assert_eq!(types(&reader.rest().await), ["resync", "done"]);
}
