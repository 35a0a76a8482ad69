//! Sessions as the list of conversations shows them, and what their messages tell of their runs.

use super::family::Family;
use super::harness::{Api, TENANT};
use serde_json::{Value, json};

fn titles(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|s| s["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn sessions_are_searched_pinned_and_told_by_their_last_use() {
    let api = Api::new().await;
    let mut turns = Vec::new();
    for title in ["Tea", "Coffee", "Water"] {
        turns.push(api.accepted(&json!({"message": title})).await);
    }
    let path = format!("/api/sessions/{}", turns[0].session_id);
    assert_eq!(titles(&api.get("/api/sessions").await.json), ["Water", "Coffee", "Tea"]);
    // Used again: first again. Changed: not.
    let next = api.accepted(&json!({"message": "more", "sessionId": turns[0].session_id})).await;
    let pinned = api.send("PATCH", &path, Some(&json!({"pinned": true}))).await;
    assert_eq!((pinned.status.as_u16(), &pinned.json["pinned"]), (200, &json!(true)), "{pinned:?}");
    let other = format!("/api/sessions/{}", turns[1].session_id);
    let renamed = api.send("PATCH", &other, Some(&json!({"title": "Mocha"}))).await.json;
    assert_eq!((&renamed["title"], &renamed["pinned"]), (&json!("Mocha"), &json!(false)));
    for (asked, expected) in [
        ("", vec!["Tea", "Water", "Mocha"]),
        ("?q=EA", vec!["Tea"]),
        ("?q=e", vec!["Tea", "Water"]),
        ("?pinned=true", vec!["Tea"]),
        ("?pinned=false", vec!["Water", "Mocha"]),
        ("?pinned=false&q=m", vec!["Mocha"]),
        ("?agentId=1", vec!["Tea", "Water", "Mocha"]),
        ("?agentId=2", vec![]),
    ] {
        assert_eq!(titles(&api.get(&format!("/api/sessions{asked}")).await.json), expected, "{asked}");
    }
    for (asked, field) in [("pinned=maybe", "pinned"), ("agentId=x", "agentId")] {
        let refused = api.get(&format!("/api/sessions?{asked}")).await;
        assert_eq!((refused.status.as_u16(), &refused.json["field"]), (400, &json!(field)));
    }
    let long = api.get(&format!("/api/sessions?q={}", "x".repeat(201))).await;
    assert_eq!((long.status.as_u16(), &long.json["field"]), (400, &json!("q")));

    let shown = api.get(&path).await.json;
    let live = json!({"messageId": turns[0].message_id, "runId": turns[0].run_id, "status": "queued",
        "queuedTurns": 1, "activeSubagents": 0});
    assert_eq!((&shown["live"], &shown["openPauses"]), (&live, &json!(0)));
    assert_eq!((&shown["agentName"], &shown["pinned"]), (&json!("solo"), &json!(true)));
    for turn in [turns[0], next] {
        api.answer(turn, "ok").await;
    }
    assert_eq!(api.get(&path).await.json.get("live"), None);
}

#[tokio::test]
async fn a_session_counts_what_deleting_it_removes() {
    let api = Api::new().await;
    let family = Family::of(&api, 2, &["Which?"]).await;
    let path = format!("/api/sessions/{}", family.turn.session_id);
    let contents = json!({"turns": 1, "messages": 2, "subagents": 2, "liveTurns": 1, "openPauses": 1});
    assert_eq!(api.get(&format!("{path}/contents")).await.json, contents);
    let stranger = api.person(TENANT, &["session:view"]).await;
    assert_eq!(api.ask(&stranger, "GET", &format!("{path}/contents"), None).await.status, 404);
    assert_eq!(api.send("DELETE", &path, None).await.status, 204);
    assert_eq!(api.get(&format!("{path}/contents")).await.status, 404);
}

#[tokio::test]
async fn an_answer_tells_of_its_run() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let path = format!("/api/sessions/{}/messages", turn.session_id);
    let shown = api.get(&path).await.json["items"].clone();
    let told = ["runStatus", "startedAt", "endedAt", "agentId", "agentName", "modelName"];
    assert!(told.iter().all(|name| shown[0].get(name).is_none()), "{shown}");
    let said = |at: usize, shown: &Value| told.map(|name| shown[at][name].clone());
    let waits = [json!("queued"), json!(null), json!(null), json!(1), json!("solo"), json!("demo")];
    assert_eq!(said(1, &shown), waits);
    api.answer(turn, "ok").await;
    let shown = api.get(&path).await.json["items"].clone();
    assert_eq!((&shown[1]["runStatus"], &shown[1]["agentName"]), (&json!("completed"), &json!("solo")));
    let (started, ended) = (shown[1]["startedAt"].as_str(), shown[1]["endedAt"].as_str());
    assert!(started.is_some() && started <= ended, "{shown}");
}
