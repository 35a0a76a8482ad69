//! A turn through the doors without a stream: waiting, asking again, and what can go wrong.

use super::harness::{Api, TOKEN, Turn, request};
use axum::body::Body;
use serde_json::json;
use shared::domain::events::Event;
use shared::domain::runs::{Reason, RunStatus};
use std::time::Duration;

#[tokio::test]
async fn a_waited_post_is_answered_in_one_response() {
    let api = Api::new().await;
    let body = json!({"message": "hello", "agent": "solo"});
    let (reply, turn) = tokio::join!(api.chat(&body), async {
        let turn = api.next_turn().await;
        api.answer(turn, "Hello to you").await;
        turn
    });
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(Turn::of(&reply.json), turn);
    assert_eq!(
        (&reply.json["status"], &reply.json["content"]),
        (&json!("completed"), &json!("Hello to you"))
    );
    // The same by asking, and in the rows.
    let asked = api.get(&format!("/open/netaclaw/chat/{}", turn.message_id)).await;
    assert_eq!(asked.json, reply.json);
    let messages = api.get(&format!("/api/sessions/{}/messages", turn.session_id)).await.json;
    let texts: Vec<_> = messages["items"].as_array().unwrap().iter().map(|m| &m["content"]).collect();
    assert_eq!(texts, [&json!("hello"), &json!("Hello to you")]);
    assert_eq!(api.state.live.hub().sessions(), 0, "nobody listens any more");
}

#[tokio::test]
async fn a_turn_that_takes_longer_is_202_and_can_be_asked_for() {
    let api = Api::new().await;
    let at_once = api.chat(&json!({"message": "a", "wait": 0})).await;
    assert_eq!(at_once.status, 202);
    assert_eq!(at_once.json["status"], "queued");
    let turn = Turn::of(&at_once.json);
    let place = format!("/open/netaclaw/chat/{}", turn.message_id);
    assert_eq!(at_once.headers["location"], place);
    let late = api.chat(&json!({"message": "b", "wait": 1})).await;
    assert_eq!((late.status.as_u16(), &late.json["status"]), (202, &json!("queued")));
    assert!(late.json.get("content").is_none());
    let asked = api.get(&format!("{place}?wait=0")).await;
    assert_eq!(asked.status, 202);
    let waiting = format!("{place}?wait=20");
    let (asked, ()) = tokio::join!(api.get(&waiting), async {
        while api.state.live.hub().sessions() == 0 {
            tokio::task::yield_now().await;
        }
        api.answer(turn, "done").await;
    });
    assert_eq!((asked.status.as_u16(), &asked.json["content"]), (200, &json!("done")));
}

#[tokio::test]
async fn the_same_client_message_id_is_the_same_turn() {
    let api = Api::new().await;
    let body = json!({"message": "hello", "clientMessageId": "c-1", "wait": 0});
    let first = api.chat(&body).await.json;
    assert_eq!(api.chat(&body).await.json, first);
    let header = request("POST", "/open/netaclaw/chat")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
        .header("idempotency-key", "c-1")
        .body(Body::from(r#"{"message": "hello", "wait": 0}"#))
        .unwrap();
    assert_eq!(api.raw(header).await.json, first);
    api.answer(Turn::of(&first), "hi").await;
    for wait in [0, 5] {
        let again = api.chat(&json!({"message": "hello", "clientMessageId": "c-1", "wait": wait})).await;
        assert_eq!((again.status.as_u16(), &again.json["content"]), (200, &json!("hi")));
        assert_eq!(again.json["runId"], first["runId"]);
    }
    let same =
        json!({"message": "hello", "clientMessageId": "c-1", "sessionId": first["sessionId"], "wait": 0});
    assert_eq!(api.chat(&same).await.json["runId"], first["runId"]);
    // Another text, or the same for another session, is another message.
    let elsewhere = json!({"message": "hello", "clientMessageId": "c-1", "sessionId": uuid::Uuid::now_v7()});
    for other in [json!({"message": "something else", "clientMessageId": "c-1"}), elsewhere] {
        let other = api.chat(&other).await;
        assert_eq!((other.status.as_u16(), &other.json["code"]), (409, &json!("client_message_id_reused")));
    }
}

#[tokio::test]
async fn a_failed_turn_is_a_200_that_says_why() {
    let api = Api::new().await;
    let body = json!({"message": "hello"});
    let (reply, ()) = tokio::join!(api.chat(&body), async {
        api.fail(api.next_turn().await, "Half an ans", "the key was refused").await;
    });
    assert_eq!(reply.status, 200);
    assert_eq!((&reply.json["status"], &reply.json["reason"]), (&json!("failed"), &json!("model_auth")));
    assert_eq!(reply.json["error"], json!({"kind": "model_auth", "message": "the key was refused"}));
    assert_eq!(reply.json["content"], "Half an ans");
}

#[tokio::test]
async fn a_turn_whose_end_was_never_told_still_ends_for_who_waits() {
    let api = Api::new().await;
    let body = json!({"message": "hello", "wait": 20});
    let (reply, ()) = tokio::join!(api.chat(&body), async {
        let turn = api.next_turn().await;
        api.finish_silently(&api.claim(turn).await, "stored only", None).await;
    });
    assert_eq!((reply.status.as_u16(), &reply.json["content"]), (200, &json!("stored only")));
}

#[tokio::test]
async fn without_the_bus_a_turn_is_accepted_and_answered_from_the_rows() {
    let api = Api::new().await;
    api.bus.set_away(true);
    let body = json!({"message": "hello", "wait": 20});
    let (reply, ()) = tokio::join!(api.chat(&body), async {
        let turn = api.next_turn().await;
        api.finish_silently(&api.claim(turn).await, "without the wire", None).await;
    });
    assert_eq!((reply.status.as_u16(), &reply.json["content"]), (200, &json!("without the wire")));
}

#[tokio::test]
async fn a_session_of_a_given_uuid_begins_and_is_busy_for_who_asks_so() {
    let api = Api::new().await;
    let id = "01890000-0000-7000-8000-000000000001";
    let first = api.accepted(&json!({"message": "a", "sessionId": id})).await;
    assert_eq!(first.session_id.to_string(), id);
    for wait in [0, 5] {
        let refused = json!({"message": "b", "sessionId": id, "policy": "reject", "wait": wait});
        let refused = api.chat(&refused).await;
        assert_eq!((refused.status.as_u16(), &refused.json["code"]), (409, &json!("session_busy")));
        assert_eq!(refused.json["runId"], json!(first.run_id));
    }
    let second = api.accepted(&json!({"message": "c", "sessionId": id})).await;
    let why = api.get(&format!("/api/runs/{}", second.run_id)).await.json;
    assert_eq!(why["why"], json!({"kind": "session_busy", "runId": first.run_id, "ahead": 1}));
    let interrupt = json!({"message": "d", "sessionId": id, "policy": "interrupt", "wait": 0});
    assert_eq!(api.chat(&interrupt).await.status, 202);
    let cancelled = api.get(&format!("/open/netaclaw/chat/{}", second.message_id)).await;
    assert_eq!((cancelled.status.as_u16(), &cancelled.json["status"]), (200, &json!("cancelled")));
}

#[tokio::test]
async fn deleting_tells_who_waits() {
    let api = Api::new().await;
    let body = json!({"message": "hello", "wait": 20});
    let (reply, ()) = tokio::join!(api.chat(&body), async {
        let turn = api.next_turn().await;
        let deleted = api.send("DELETE", &format!("/api/sessions/{}", turn.session_id), None).await;
        assert_eq!(deleted.status, 204);
    });
    assert_eq!((reply.status.as_u16(), &reply.json["code"]), (404, &json!("not_found")));
    // Of one turn, whose session stays, the next look tells.
    let (reply, ()) = tokio::join!(api.chat(&body), async {
        let turn = api.next_turn().await;
        let path = format!("/api/sessions/{}/messages/{}", turn.session_id, turn.message_id);
        assert_eq!(api.send("DELETE", &path, None).await.status, 204);
        assert_eq!(api.get(&format!("/api/sessions/{}", turn.session_id)).await.status, 200);
    });
    assert_eq!((reply.status.as_u16(), &reply.json["code"]), (404, &json!("not_found")));
}

#[tokio::test]
async fn messages_show_a_turn_in_flight_with_its_place_in_the_stream() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    api.claim(turn).await;
    let queued = Event::Status { status: RunStatus::Queued, reason: Some(Reason::ModelLimit) };
    api.tell(turn, &[queued]).await;
    api.say(turn, "Hel").await;
    api.say(turn, "lo").await;
    let path = format!("/api/sessions/{}/messages", turn.session_id);
    let pending = api.get(&path).await.json["items"][1].clone();
    assert_eq!((&pending["status"], &pending["turn"]["content"]), (&json!("pending"), &json!("Hello")));
    assert_eq!(pending["turn"]["reason"], "model_limit");
    // run_accepted, status, two deltas.
    assert_eq!(pending["cursor"]["seq"], 4);
    api.bus.set_away(true);
    let pending = api.get(&path).await.json["items"][1].clone();
    assert_eq!((&pending["turn"]["content"], &pending["cursor"]["epoch"]), (&json!(""), &json!(0)));
}

#[tokio::test]
async fn leaving_does_not_cancel() {
    let api = Api::new().await;
    let body = json!({"message": "hello", "wait": 60});
    let gone = tokio::time::timeout(Duration::from_millis(300), api.chat(&body)).await;
    assert!(gone.is_err());
    let turn = api.next_turn().await;
    api.answer(turn, "still here").await;
    assert_eq!(
        api.get(&format!("/open/netaclaw/chat/{}", turn.message_id)).await.json["content"],
        "still here"
    );
}
