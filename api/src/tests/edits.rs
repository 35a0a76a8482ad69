//! Messages that are changed before their turns begin.

use super::harness::{Api, TENANT, Turn};
use serde_json::json;
use shared::domain::runs::Reason;
use shared::store::runs;

fn path(turn: Turn) -> String {
    // The user's message stands before its answer.
    format!("/api/sessions/{}/messages/{}", turn.session_id, turn.message_id.0 - 1)
}

#[tokio::test]
async fn a_message_is_changed_until_its_turn_begins() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "helo", "clientMessageId": "c"})).await;
    let edited = api.send("PATCH", &path(turn), Some(&json!({"content": "hello\u{0}"}))).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    assert_eq!((&edited.json["content"], &edited.json["role"]), (&json!("hello\u{2400}"), &json!("user")));
    let listed = api.get(&format!("/api/sessions/{}/messages", turn.session_id)).await.json;
    assert_eq!(listed["items"][0], edited.json);
    for (patch, field) in [
        (json!({"content": " "}), "content"),
        (json!({"content": "x".repeat(200_001)}), "content"),
        (json!({"content": 7}), "content"),
        (json!({}), "content"),
    ] {
        let refused = api.send("PATCH", &path(turn), Some(&patch)).await;
        assert_eq!((refused.status.as_u16(), &refused.json["field"]), (400, &json!(field)), "{refused:?}");
    }
    let new = json!({"content": "too late"});
    let answer = path(turn).replace(&format!("/{}", turn.message_id.0 - 1), &format!("/{}", turn.message_id));
    for nothing in [answer, path(turn).replace("messages/", "messages/99")] {
        assert_eq!(api.send("PATCH", &nothing, Some(&new)).await.status, 404, "{nothing}");
    }
    let lease = api.claim(turn).await;
    for state in ["begun", "handed back", "ended"] {
        if state == "handed back" {
            let now = api.app.clock.now();
            runs::hand_back(&api.app.db, &lease, now, Reason::ModelLimit, false).await.unwrap();
        } else if state == "ended" {
            api.send("POST", &format!("/api/runs/{}/stop", turn.run_id), None).await;
        }
        let late = api.send("PATCH", &path(turn), Some(&new)).await;
        assert_eq!((late.status.as_u16(), late.code()), (409, Some("turn_started")), "{state}");
    }
    let audit = api.get("/api/audit?action=message.update").await;
    assert_eq!(audit.json["items"].as_array().unwrap().len(), 1, "{audit:?}");
    assert!(!audit.text.contains("hello"), "{audit:?}");
}

#[tokio::test]
async fn a_message_is_changed_by_who_may_talk_to_its_agent() {
    let api = Api::new().await;
    let other = api.post("/api/agents", &json!({"name": "other", "modelId": 1})).await.json["id"].clone();
    let person = api.person(TENANT, &["agent:use", "session:view", "session:chat"]).await;
    let body = json!({"message": "hello", "agentId": other, "wait": 0});
    let turn = Turn::of(&api.ask(&person, "POST", "/open/netaclaw/chat", Some(&body)).await.json);
    let (at, new) = (path(turn), json!({"content": "new"}));
    let stranger = api.person(TENANT, &["agent:use", "session:view", "session:chat"]).await;
    assert_eq!(api.ask(&stranger, "PATCH", &at, Some(&new)).await.status, 404);
    let onlooker = api.person(TENANT, &["agent:use", "session:*"]).await;
    let all = api.ask(&onlooker, "PATCH", &at, Some(&new)).await;
    assert_eq!(all.status, 200, "{all:?}");
    assert_eq!(api.ask(&person, "PATCH", &at, Some(&new)).await.status, 200);
    let shares = json!({"visibility": "shared", "users": [], "roles": []});
    let shared = api.send("PUT", &format!("/api/agents/{other}/shares"), Some(&shares)).await;
    assert_eq!(shared.status, 200, "{shared:?}");
    let unseen = api.ask(&person, "PATCH", &at, Some(&new)).await;
    assert_eq!((unseen.status.as_u16(), unseen.code()), (404, Some("not_found")), "{unseen:?}");
}
