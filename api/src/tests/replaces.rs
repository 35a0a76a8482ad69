//! Messages that take the place of earlier ones, by each door.

use super::harness::{Api, TENANT, TOKEN, Turn, request};
use super::sockets::Socket;
use axum::body::Body;
use serde_json::{Value, json};
use tower::ServiceExt;

async fn texts(api: &Api, turn: Turn) -> Vec<Value> {
    let page = api.get(&format!("/api/sessions/{}/messages", turn.session_id)).await.json;
    page["items"].as_array().unwrap().iter().map(|m| m["content"].clone()).collect()
}

/// The user's message stands before its answer.
fn user_message(turn: Turn) -> i64 {
    turn.message_id.0 - 1
}

#[tokio::test]
async fn a_message_takes_the_place_of_an_earlier_turn() {
    let api = Api::new().await;
    let first = api.accepted(&json!({"message": "one"})).await;
    api.answer(first, "1").await;
    let second = api.accepted(&json!({"message": "two", "sessionId": first.session_id})).await;
    api.claim(second).await;
    let body = json!({"message": "three", "sessionId": first.session_id, "replaces": second.message_id,
        "clientMessageId": "c"});
    let waiting = json!({"message": "behind", "sessionId": first.session_id, "wait": 20});
    let (gone, third) = tokio::join!(api.chat(&waiting), async {
        // Three of its messages are there once the one that waits is accepted.
        while texts(&api, first).await.len() < 6 {
            tokio::task::yield_now().await;
        }
        api.accepted(&body).await
    });
    assert_eq!((gone.status.as_u16(), gone.code()), (404, Some("not_found")), "who waits learns of it");
    assert_eq!(texts(&api, first).await, ["one", "1", "three", ""]);
    assert_eq!(api.get(&format!("/api/runs/{}", second.run_id)).await.status, 404);
    let again = api.accepted(&body).await;
    assert_eq!(again, third);
    assert_eq!(texts(&api, first).await, ["one", "1", "three", ""]);
    api.answer(third, "3").await;
    let audit = api.get("/api/audit?action=message.delete").await;
    let line = &audit.json["items"][0];
    assert_eq!(audit.json["items"].as_array().unwrap().len(), 1, "{audit:?}");
    assert_eq!(line["objectId"], json!(second.message_id.to_string()));
    assert_eq!(line["before"], json!({"sessionId": first.session_id, "turns": 2}));

    let mut socket = Socket::with_token(api.listen().await).await;
    let frame = json!({"type": "chat", "message": "four", "sessionId": first.session_id,
        "replaces": user_message(third)});
    socket.say(&frame).await;
    let fourth = Turn::of(&socket.until("accepted").await.pop().unwrap());
    api.answer(fourth, "4").await;
    socket.until("done").await;
    assert_eq!(texts(&api, first).await, ["one", "1", "four", "4"]);
    socket.say(&frame).await;
    let problem = socket.until("problem").await.pop().unwrap();
    assert_eq!((&problem["code"], &problem["field"]), (&json!("invalid"), &json!("replaces")));
}

#[tokio::test]
async fn what_cannot_be_replaced_is_named() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "one"})).await;
    let other = api.accepted(&json!({"message": "other"})).await;
    let fresh = "01890000-0000-7000-8000-000000000001";
    for body in [
        json!({"message": "x", "sessionId": turn.session_id, "replaces": other.message_id}),
        json!({"message": "x", "sessionId": turn.session_id, "replaces": 987_654}),
        json!({"message": "x", "sessionId": turn.session_id, "replaces": "one"}),
        json!({"message": "x", "sessionId": fresh, "replaces": turn.message_id}),
        json!({"message": "x", "replaces": turn.message_id}),
    ] {
        for wait in [0, 5] {
            let mut body = body.clone();
            body["wait"] = json!(wait);
            let refused = api.chat(&body).await;
            let named = (refused.status.as_u16(), &refused.json["field"]);
            assert_eq!(named, (400, &json!("replaces")), "{body}: {refused:?}");
        }
    }
    assert_eq!(api.get(&format!("/api/sessions/{fresh}")).await.status, 404);
    let talker = api.person(TENANT, &["agent:use", "session:view", "session:chat"]).await;
    let mine = json!({"message": "mine", "wait": 0});
    let mine = Turn::of(&api.ask(&talker, "POST", "/open/netaclaw/chat", Some(&mine)).await.json);
    let replace =
        |turn: Turn| json!({"message": "x", "sessionId": turn.session_id, "replaces": turn.message_id});
    let refused = api.ask(&talker, "POST", "/open/netaclaw/chat", Some(&replace(mine))).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (403, Some("forbidden")), "may not delete");
    let editor = api.person(TENANT, &["agent:use", "session:view", "session:chat", "session:edit"]).await;
    let foreign = api.ask(&editor, "POST", "/open/netaclaw/chat", Some(&replace(mine))).await;
    assert_eq!((foreign.status.as_u16(), foreign.code()), (404, Some("not_found")));
    // OpenAI's dialect does not have it: its field is nothing that is known.
    let dialect = json!({"model": "solo", "messages": [{"role": "user", "content": "x"}], "stream": true,
        "replaces": turn.message_id, "metadata": {"session_id": turn.session_id}});
    let dialect = request("POST", "/v1/chat/completions")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json")
        .body(Body::from(dialect.to_string()));
    let accepted = api.router.clone().oneshot(dialect.unwrap()).await.unwrap();
    assert_eq!(accepted.status(), 200);
    for (turn, expected) in
        [(turn, vec!["one", "", "x", ""]), (other, vec!["other", ""]), (mine, vec!["mine", ""])]
    {
        assert_eq!(texts(&api, turn).await, expected);
    }
}
