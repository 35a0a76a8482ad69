//! Bad input, and what every refusal looks like.

use super::harness::{Api, Reply, TOKEN, Turn, request};
use axum::body::Body;
use serde_json::{Value, json};

async fn post(api: &Api, content_type: &str, body: impl Into<Body>) -> Reply {
    let request = request("POST", "/open/netaclaw/chat")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", content_type);
    api.raw(request.body(body.into()).unwrap()).await
}

fn assert_problem(reply: &Reply, status: u16, code: &str, field: Option<&str>) {
    assert_eq!(reply.headers["content-type"], "application/problem+json", "{reply:?}");
    let json = &reply.json;
    assert_eq!(
        (reply.status.as_u16(), &json["status"], &json["code"]),
        (status, &json!(status), &json!(code)),
        "{reply:?}"
    );
    assert_eq!(json["type"], format!("urn:neta:problem:{code}"));
    assert_eq!(json.get("field").and_then(Value::as_str), field, "{reply:?}");
    assert!(!json["detail"].as_str().unwrap().is_empty());
}

#[tokio::test]
async fn bad_bodies_are_named() {
    let api = Api::new().await;
    let table: [(&str, u16, &str, Option<&str>); 18] = [
        ("", 400, "malformed_json", None),
        ("{", 400, "malformed_json", None),
        ("{\"message\": \"a\"} x", 400, "malformed_json", None),
        ("{\"message\": \"\u{1}\"}", 400, "malformed_json", None),
        (" [\"a\"]", 400, "invalid", Some("body")),
        ("7", 400, "invalid", Some("body")),
        ("{}", 400, "invalid", Some("message")),
        (r#"{"message": 7}"#, 400, "invalid", Some("message")),
        (r#"{"message": null}"#, 400, "invalid", Some("message")),
        (r#"{"message": "  \n "}"#, 400, "invalid", Some("message")),
        (r#"{"message": "a", "sessionId": "no-uuid"}"#, 400, "invalid", Some("sessionId")),
        (r#"{"message": "a", "agentId": "x"}"#, 400, "invalid", Some("agentId")),
        (r#"{"message": "a", "agentId": 1, "agent": "solo"}"#, 400, "invalid", Some("agent")),
        (r#"{"message": "a", "agent": {}}"#, 400, "invalid", Some("agent")),
        (r#"{"message": "a", "policy": "sometimes"}"#, 400, "invalid", Some("policy")),
        (r#"{"message": "a", "wait": 61}"#, 400, "invalid", Some("wait")),
        (r#"{"message": "a", "wait": -1}"#, 400, "invalid", Some("wait")),
        (r#"{"message": "a", "clientMessageId": ""}"#, 400, "invalid", Some("clientMessageId")),
    ];
    for (body, status, code, field) in table {
        let reply = post(&api, "application/json", body).await;
        assert_problem(&reply, status, code, field);
    }
    assert_problem(&post(&api, "text/plain", "{}").await, 415, "unsupported_media_type", None);
    let deep = format!("{{\"message\": {}1{}}}", "[".repeat(500), "]".repeat(500));
    assert_problem(&post(&api, "application/json", deep.clone()).await, 400, "invalid", Some("message"));
    let patch = request("PATCH", "/api/agents/1")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json");
    let reply = api.raw(patch.body(Body::from(deep)).unwrap()).await;
    assert_problem(&reply, 400, "malformed_json", None);
    assert!(reply.json["detail"].as_str().unwrap().contains("nested"), "{reply:?}");
    let unknown = api.chat(&json!({"message": "a", "agentId": 77})).await;
    assert_problem(&unknown, 404, "not_found", None);
    let long = api.chat(&json!({"message": "中".repeat(200_001)})).await;
    assert_problem(&long, 400, "invalid", Some("message"));
}

#[tokio::test]
async fn oversize_bodies_are_refused_announced_or_not() {
    let api = Api::new().await;
    let large = format!(r#"{{"message": "{}"}}"#, "a".repeat(1024 * 1024));
    let reply = post(&api, "application/json", large.clone()).await;
    assert_problem(&reply, 413, "too_large", None);
    let pieces: Vec<Result<_, std::io::Error>> =
        large.as_bytes().chunks(60_000).map(|c| Ok(bytes::Bytes::copy_from_slice(c))).collect();
    let unannounced = Body::from_stream(futures_util::stream::iter(pieces));
    assert_problem(&post(&api, "application/json", unannounced).await, 413, "too_large", None);
    let announced = request("POST", "/open/netaclaw/chat")
        .header("authorization", format!("Bearer {TOKEN}"))
        .header("content-type", "application/json; charset=utf-8")
        .header("content-length", "2000000");
    assert_problem(&api.raw(announced.body(Body::empty()).unwrap()).await, 413, "too_large", None);
}

#[tokio::test]
async fn strange_text_passes_whole_or_visibly_cleaned() {
    let api = Api::new().await;
    let han = "中".repeat(40_000);
    let table = [
        (json!(han).to_string(), han.clone()),
        (r#""a\u0000b""#.to_owned(), "a\u{2400}b".to_owned()),
        (r#""x\ud83dy""#.to_owned(), "x\u{FFFD}y".to_owned()),
        (r#""\ud83d\ude00""#.to_owned(), "😀".to_owned()),
        (json!("שלום 👩‍👩‍👧‍👦 \u{202E}abc").to_string(), "שלום 👩‍👩‍👧‍👦 \u{202E}abc".to_owned()),
    ];
    for (json, expected) in table {
        let reply = post(&api, "application/json", format!(r#"{{"message": {json}, "wait": 0}}"#)).await;
        assert_eq!(reply.status, 202, "{reply:?}");
        let turn = Turn::of(&reply.json);
        let stored = api.get(&format!("/api/sessions/{}/messages", turn.session_id)).await.json;
        assert_eq!(stored["items"][0]["content"], expected);
        api.send("DELETE", &format!("/api/sessions/{}", turn.session_id), None).await;
    }
}

#[tokio::test]
async fn unknown_paths_methods_ids_and_parameters() {
    let api = Api::new().await;
    assert_problem(&api.get("/nowhere").await, 404, "no_route", None);
    assert_problem(&api.send("PUT", "/api/agents", None).await, 405, "method_not_allowed", None);
    let sessions = ["nope", "7", "01890000-0000-7000-8000-000000000009", "%00", "中"];
    for id in sessions {
        for path in [format!("/api/sessions/{id}"), format!("/api/sessions/{id}/messages")] {
            assert_problem(&api.get(&path).await, 404, "not_found", None);
        }
    }
    for id in ["nope", "0", "-1", "99999999999999999999", "1e3", "%FF"] {
        for path in ["/api/agents", "/api/models", "/api/runs", "/open/netaclaw/chat"] {
            assert_problem(&api.get(&format!("{path}/{id}")).await, 404, "not_found", None);
        }
    }
    for (query, field) in
        [("limit=0", "limit"), ("limit=x", "limit"), ("limit=201", "limit"), ("cursor=!", "cursor")]
    {
        let reply = api.get(&format!("/api/sessions?{query}")).await;
        assert_problem(&reply, 400, "invalid", Some(field));
    }
    assert_problem(&api.get("/api/runs?status=odd").await, 400, "invalid", Some("status"));
    assert_problem(&api.get("/api/runs?sessionId=x").await, 400, "invalid", Some("sessionId"));
    assert_eq!(api.get("/api/sessions?unknown=1").await.status, 200);
}

#[tokio::test]
async fn a_name_that_was_made_to_point_here_is_refused() {
    let api = Api::new().await;
    let rebound = axum::http::Request::get("/healthz").header("host", "evil.example:8420");
    assert_problem(&api.raw(rebound.body(Body::empty()).unwrap()).await, 403, "forbidden_host", None);
    let nameless = axum::http::Request::get("/healthz").body(Body::empty());
    assert_problem(&api.raw(nameless.unwrap()).await, 403, "forbidden_host", None);
}

#[tokio::test]
async fn a_panic_is_a_500_that_leaks_nothing() {
    let mut api = Api::new().await;
    api.router = axum::Router::new()
        .route("/boom", axum::routing::get(async || -> &'static str { panic!("secret detail") }))
        .layer(tower_http::catch_panic::CatchPanicLayer::custom(crate::routes::observe::panicked));
    let request = request("GET", "/boom").body(Body::empty()).unwrap();
    let reply = api.raw(request).await;
    assert_problem(&reply, 500, "internal", None);
    assert!(!reply.text.contains("secret"));
}

#[tokio::test]
async fn without_the_database_requests_are_503_and_say_when_to_come_again() {
    let api = Api::new().await;
    api.app.db.close().await;
    let chat = json!({"message": "a"});
    for reply in [api.get("/api/agents").await, api.chat(&chat).await] {
        assert_problem(&reply, 503, "unavailable", None);
        assert_eq!(reply.headers["retry-after"], "2");
    }
    let ready = api.get("/readyz").await;
    assert_eq!((ready.status.as_u16(), &ready.json["database"]["ok"]), (503, &json!(false)));
}
