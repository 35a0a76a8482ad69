//! Who may come in, and what never comes out.

use crate::harness::client::Turn;
use crate::harness::cluster::{CANARY, Cluster};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use serde_json::json;

on_both!(
    a_socket_from_a_foreign_page_is_refused,
    nothing_is_told_without_the_token,
    the_key_goes_to_the_provider_and_nowhere_else
);

/// L05: the WebSocket's Origin is checked, also on a loopback address.
async fn a_socket_from_a_foreign_page_is_refused(c: Cluster) {
    let api = c.api(0);
    let port = c.apis[0].port;
    let own = format!("http://127.0.0.1:{port}");
    let refused = [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        "http://127.0.0.1".to_owned(),
        format!("http://127.0.0.1:{}", port - 1),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://127.0.0.1.evil.example:{port}"),
        format!("http://evil.example:{port}"),
        format!("http://127.0.0.1:{port}@evil.example"),
        "file://".to_owned(),
    ];
    for origin in &refused {
        assert_eq!(api.try_socket(Some(origin)).await.err(), Some(403), "{origin}");
    }
    assert!(api.try_socket(Some(&own)).await.is_ok(), "its own origin");
    assert!(api.try_socket(None).await.is_ok(), "a program with the token");
    for token in ["", "wrong"] {
        let stranger = api.with_token(token);
        assert_eq!(stranger.try_socket(None).await.err(), Some(401), "token {token:?}");
        assert!(matches!(stranger.try_socket(Some(&own)).await.err(), Some(401 | 403)), "token {token:?}");
    }
    c.end(Allowed::default()).await;
}

/// Everything but health needs the token.
async fn nothing_is_told_without_the_token(c: Cluster) {
    let api = c.api(1);
    for path in ["/healthz", "/readyz"] {
        assert_eq!(api.with_token("").get(path).await.status, 200, "{path}");
    }
    for token in ["", "wrong", "it-admin-token-0123456789abcdef012345678"] {
        let stranger = api.with_token(token);
        for path in ["/api/models", "/api/agents", "/api/sessions", "/api/runs/1", "/open/netaclaw/chat/1"] {
            let answer = stranger.get(path).await;
            assert_eq!(answer.status, 401, "{path} with {token:?}: {}", answer.body);
        }
        let answer = stranger.chat("", "hello", &json!({ "wait": 0 })).await;
        assert_eq!(answer.status, 401, "{}", answer.body);
    }
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_run").await, 0);
    c.end(Allowed::default()).await;
}

/// L08: the provider's key reaches the provider and nothing else, also when the provider throws it
/// back in an error.
async fn the_key_goes_to_the_provider_and_nowhere_else(c: Cluster) {
    let echo = format!(
        r#"{{"error":{{"message":"Incorrect API key provided: {CANARY}. Authorization: Bearer {CANARY}"}}}}"#
    );
    c.provider.says("echo", Reply::refusal(401, &echo));
    let mut socket = c.api(0).socket().await;
    socket.send(&c.api(0).frame("", "echo", &json!({}))).await;
    socket.read_until("the turn ends", |s| s.turns.values().any(|t| t.terminal.is_some())).await;
    let seen = socket.turns.values().next().expect("a turn").clone();
    let told = format!("{:?}", seen.events);
    assert!(!told.contains(CANARY), "in an event");
    assert_eq!(c.provider.calls("echo")[0].authorization, format!("Bearer {CANARY}"));
    let accepted = seen.of("run_accepted")[0];
    let turn = Turn::of(accepted["sessionId"].as_str().unwrap_or_default(), &accepted["data"]);
    let api = c.api(1);
    for path in [
        "/api/models".to_owned(),
        format!("/api/models/{}", c.model),
        "/api/agents".to_owned(),
        format!("/api/runs/{}", turn.run),
        format!("/api/sessions/{}/messages", turn.session),
        "/metrics".to_owned(),
        format!("/open/netaclaw/chat/{}", turn.assistant),
    ] {
        let answer = api.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(!answer.body.to_string().contains(CANARY), "{path}");
    }
    let tested = api.post(&format!("/api/models/{}/test", c.model), &json!({})).await;
    assert!(!tested.body.to_string().contains(CANARY), "{}", tested.body);
    if let Some(redis) = &c.redis {
        assert!(redis.keys().iter().all(|k| !k.contains(CANARY)));
    }
    c.end(Allowed { failed_percent: 100 }).await;
}
