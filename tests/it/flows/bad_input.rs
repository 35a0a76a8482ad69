//! What clients send wrong: refused with a stable code and the field's name, and nothing is left.

use crate::harness::client::Answer;
use crate::harness::cluster::Cluster;
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use serde_json::{Value, json};

#[track_caller]
fn refused(what: &str, answer: &Answer, statuses: &[u16], names: &str) {
    assert!(statuses.contains(&answer.status), "{what}: {} {}", answer.status, answer.body);
    let kind = answer.header("content-type").unwrap_or_default();
    assert!(kind.starts_with("application/problem+json"), "{what}: {kind}");
    assert!(answer.body["code"].as_str().is_some_and(|c| !c.is_empty()), "{what}: no code: {}", answer.body);
    assert!(answer.body.to_string().contains(names), "{what}: does not name {names}: {}", answer.body);
}

on_both!(bad_input_is_refused_by_name);

/// The bad input table of the chat door and of the objects' doors.
async fn bad_input_is_refused_by_name(c: Cluster) {
    let api = c.api(0);
    let chat = "/open/netaclaw/chat";
    let good = api.body("", "hello", &json!({ "wait": 0 }));
    let with = |field: &str, value: Value| {
        let mut b = good.clone();
        b[field] = value;
        b
    };
    let without = |field: &str| {
        let mut b = good.clone();
        b.as_object_mut().expect("an object").remove(field);
        b
    };
    let table: Vec<(&str, Value, &[u16], &str)> = vec![
        ("no message", without("message"), &[400, 422], "message"),
        ("message is a number", with("message", json!(5)), &[400, 422], "message"),
        ("message is empty", with("message", json!("")), &[400, 422], "message"),
        ("message is blank", with("message", json!(" \n")), &[400, 422], "message"),
        ("message is too long", with("message", json!("x".repeat(300_000))), &[400, 413, 422], "message"),
        ("agent is a text", with("agentId", json!("x")), &[400, 422], "agentId"),
        ("unknown agent", with("agentId", json!(999_999)), &[404], "agent"),
        ("session is no UUID", with("sessionId", json!("abc")), &[400, 422], "sessionId"),
        ("policy is unknown", with("policy", json!("maybe")), &[400, 422], "policy"),
        ("wait is negative", with("wait", json!(-1)), &[400, 422], "wait"),
        ("wait is a text", with("wait", json!("long")), &[400, 422], "wait"),
        (
            "clientMessageId is too long",
            with("clientMessageId", json!("x".repeat(2_000))),
            &[400, 422],
            "clientMessageId",
        ),
        ("body is a list", json!([]), &[400, 422], ""),
    ];
    for (what, body, statuses, names) in &table {
        refused(what, &api.post(chat, body).await, statuses, names);
    }
    let raw = async |body: &str| {
        let request = api.request("POST", chat).header("content-type", "application/json");
        api.send(request.body(body.to_owned())).await
    };
    refused("no JSON", &raw("{").await, &[400], "");
    refused("nothing", &raw("").await, &[400], "");
    refused(
        "not UTF-8",
        &api.send(
            api.request("POST", chat).header("content-type", "application/json").body(vec![b'{', 0xff, b'}']),
        )
        .await,
        &[400],
        "",
    );
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    refused("too deep", &raw(&deep).await, &[400, 413, 422], "");
    let big = format!(r#"{{"message":"{}"}}"#, "y".repeat(5 << 20));
    refused("too big", &raw(&big).await, &[413], "");
    let text = api.send(api.request("POST", chat).header("content-type", "text/plain").body("hello")).await;
    refused("no JSON type", &text, &[400, 415], "");

    let somewhere = uuid::Uuid::now_v7();
    for (method, path) in [
        ("GET", "/api/models/999999".to_owned()),
        ("GET", "/api/agents/999999".to_owned()),
        ("DELETE", "/api/models/999999".into()),
        ("DELETE", "/api/agents/999999".into()),
        ("GET", "/api/runs/999999".into()),
        ("POST", "/api/runs/999999/stop".into()),
        ("GET", format!("/api/sessions/{somewhere}/messages")),
        ("DELETE", format!("/api/sessions/{somewhere}")),
        ("GET", "/open/netaclaw/chat/999999".into()),
        ("GET", "/api/nothing".into()),
    ] {
        refused(&format!("{method} {path}"), &api.send(api.request(method, &path)).await, &[404], "");
    }
    for path in ["/api/runs/abc", "/open/netaclaw/chat/abc", "/api/sessions/abc/messages"] {
        refused(path, &api.get(path).await, &[400, 404, 422], "");
    }
    refused("wrong method", &api.send(api.request("PUT", chat)).await, &[405], "");

    let models: Vec<(&str, Value, &str)> = vec![
        ("no name", json!({ "provider": "demo", "modelName": "x" }), "name"),
        ("unknown provider", json!({ "name": "a", "provider": "acme", "modelName": "x" }), "provider"),
        (
            "base URL is none",
            json!({ "name": "a", "provider": "openai", "modelName": "x", "baseUrl": "ftp://x" }),
            "baseUrl",
        ),
        ("negative limit", json!({ "name": "a", "provider": "demo", "modelName": "x", "rpm": -1 }), "rpm"),
    ];
    for (what, body, field) in &models {
        refused(what, &api.post("/api/models", body).await, &[400, 422], field);
    }
    refused(
        "a name twice",
        &api.post("/api/models", &json!({ "name": "scripted", "provider": "demo", "modelName": "x" })).await,
        &[409],
        "",
    );
    refused(
        "unknown model",
        &api.post("/api/agents", &json!({ "name": "b", "systemPrompt": "", "modelId": 999_999 })).await,
        &[400, 404, 422],
        "modelId",
    );
    refused(
        "unknown tool",
        &api.post(
            "/api/agents",
            &json!({ "name": "b", "systemPrompt": "", "modelId": c.model, "tools": ["rm_rf"] }),
        )
        .await,
        &[400, 422],
        "tools",
    );

    // A socket answers bad frames and stays open.
    let mut socket = api.socket().await;
    for frame in
        ["{", "[]", r#"{"type":"dance"}"#, r#"{"type":"chat"}"#, r#"{"type":"subscribe","sessionId":"abc"}"#]
    {
        let told = socket.others.len();
        socket.send_text(frame).await;
        socket.read_until("a problem", |s| s.others.len() > told).await;
        assert_eq!(socket.others[told]["type"], "problem", "{frame}: {}", socket.others[told]);
    }
    socket
        .send(&json!({ "type": "chat", "clientMessageId": "x", "agentId": c.agent, "message": "still here" }))
        .await;
    socket.read_until("an answer", |s| s.turns.values().any(|t| t.terminal.is_some())).await;
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await, 1, "only the good one");
    c.end(Allowed::default()).await;
}
