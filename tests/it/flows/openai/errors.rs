//! Refusals and failed turns have the dialect's form and the status that its clients sort by.

use crate::harness::client::{Answer, LONG};
use crate::harness::cluster::Cluster;
use crate::harness::completions::{assistant, user};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::until;
use serde_json::{Value, json};

on_both!(
    refusals_have_the_dialects_form,
    a_failed_turn_is_an_error_that_says_why,
    a_stream_that_fails_says_so_last,
    a_stopped_turn_is_no_answer
);

#[track_caller]
fn refused(answer: Answer, status: u16, kind: &str, code: &str, param: &Value) -> String {
    let type_is = answer.header("content-type").unwrap_or_default().to_owned();
    let body = answer.expect(status);
    let error = &body["error"];
    assert_eq!(
        (&error["type"], &error["code"], &error["param"]),
        (&json!(kind), &json!(code), param),
        "{body}"
    );
    assert_eq!(type_is, "application/json");
    error["message"].as_str().expect("a message").to_owned()
}

async fn refusals_have_the_dialects_form(c: Cluster) {
    const BAD: &str = "invalid_request_error";
    let api = c.api(0);
    let null = Value::Null;
    for path in ["/v1/models", "/v1/models/it", "/v1/nothing/here"] {
        let nobody = api.with_token("wrong").get(path).await;
        if path.ends_with("here") {
            refused(nobody, 404, BAD, "no_route", &null);
        } else {
            refused(nobody, 401, "authentication_error", "invalid_api_key", &null);
        }
    }
    let nobody = api.with_token("").complete(&[user("x")], &json!({})).await;
    assert_eq!(nobody.header("www-authenticate"), Some("Bearer"));
    refused(nobody, 401, "authentication_error", "invalid_api_key", &null);
    refused(api.get("/v1/chat/completions").await, 405, BAD, "method_not_allowed", &null);

    let raw = |body: &'static str, kind: &str| {
        let request = api.request("POST", "/v1/chat/completions").header("content-type", kind);
        api.send(request.body(body))
    };
    refused(raw("{\"model\": ", "application/json").await, 400, BAD, "malformed_json", &null);
    refused(raw("{}", "text/plain").await, 415, BAD, "unsupported_media_type", &null);
    refused(raw("{}", "application/json").await, 400, BAD, "invalid", &json!("model"));
    let large = json!({ "model": "it", "messages": [user(&"x".repeat(2 << 20))] });
    refused(api.post("/v1/chat/completions", &large).await, 413, BAD, "too_large", &null);

    let gone = api.complete(&[user("x")], &json!({ "model": "gpt-4" })).await;
    let message = refused(gone, 404, BAD, "model_not_found", &json!("model"));
    assert!(message.contains("gpt-4") && message.contains("/v1/models"), "{message}");
    let table = [
        (json!([]), json!({}), "invalid", "messages"),
        (json!([user("x"), assistant("y")]), json!({}), "invalid", "messages[1].role"),
        (json!([user(" ")]), json!({}), "invalid", "messages[0].content"),
        (
            json!([user("a"), assistant("b"), user(&"x".repeat(200_001))]),
            json!({}),
            "invalid",
            "messages[2].content",
        ),
        (json!([{ "role": "robot", "content": "x" }]), json!({}), "invalid", "messages[0].role"),
        (json!([{ "role": "user", "content": 7 }]), json!({}), "invalid", "messages[0].content"),
        (
            json!([user("x")]),
            json!({ "metadata": { "session_id": "none" } }),
            "invalid",
            "metadata.session_id",
        ),
        (
            json!([user("x")]),
            json!({ "tools": [{ "type": "function", "function": { "name": "f" } }] }),
            "unsupported_parameter",
            "tools",
        ),
        (json!([user("x")]), json!({ "n": 2, "stream": true }), "unsupported_parameter", "n"),
    ];
    for (messages, more, code, param) in table {
        let answer = api.complete(messages.as_array().expect("a list"), &more).await;
        refused(answer, 400, BAD, code, &json!(param));
    }
    let long = api.request("POST", "/v1/chat/completions").header("idempotency-key", "k".repeat(201));
    let long = api.send(long.json(&json!({ "model": "it", "messages": [user("x")] }))).await;
    refused(long, 400, BAD, "invalid", &json!("Idempotency-Key"));
    // Other doors keep their form.
    let other = api.with_token("wrong").get("/api/agents").await;
    assert_eq!(other.header("content-type"), Some("application/problem+json"));
    assert_eq!(c.database.count("SELECT COUNT(*) AS x FROM netaclaw_message").await, 0);
    c.end(Allowed::default()).await;
}

async fn a_failed_turn_is_an_error_that_says_why(c: Cluster) {
    c.provider.says("no key", Reply::refusal(401, "{}"));
    let long = json!({ "error": { "message": "too long", "code": "context_length_exceeded" } }).to_string();
    c.provider.says("too long", Reply::refusal(400, &long));
    let api = c.api(1);
    for streamed in [false, true] {
        for (said, status, kind, code) in [
            ("no key", 502, "server_error", "model_auth"),
            ("too long", 400, "invalid_request_error", "context_length"),
        ] {
            // A stream that fails before there is anything to show has the status, too.
            let answer = api.complete(&[user(said)], &json!({ "stream": streamed })).await;
            assert_eq!(answer.header("x-should-retry"), Some("false"));
            let session = answer.header("x-neta-session-id").expect("a session").to_owned();
            let neta = answer.body["neta"].clone();
            let message = refused(answer, status, kind, code, &Value::Null);
            assert!(message.contains("model"), "{message}");
            assert_eq!(neta["sessionId"], json!(session));
            let stored = api.messages(&session).await;
            assert_eq!(
                (&stored[1]["id"], &stored[1]["status"]),
                (&neta["assistantMessageId"], &json!("failed"))
            );
        }
    }
    c.end(Allowed { failed_percent: 100 }).await;
}

async fn a_stream_that_fails_says_so_last(c: Cluster) {
    c.provider.rounds(
        "breaks",
        vec![vec![Reply::calls(&[("get_time", "{}")]).saying("I look.")], vec![Reply::refusal(401, "{}")]],
    );
    let seen = c.api(0).pieces(&[user("breaks")], &json!({})).await.read_all().await;
    assert_eq!((seen.status, seen.text().as_str()), (200, "I look."));
    let error = seen.error.expect("an error");
    assert_eq!(
        (&error["error"]["code"], &error["error"]["type"]),
        (&json!("model_auth"), &json!("server_error"))
    );
    assert_eq!(error["neta"]["sessionId"], json!(seen.session));
    c.end(Allowed { failed_percent: 100 }).await;
}

/// A turn that somebody stops has no answer: whoever takes what there is for one, is told.
async fn a_stopped_turn_is_no_answer(c: Cluster) {
    c.provider.says("stop me", Reply::words(9).hold_after(3));
    let running = async || {
        let runs =
            c.database.texts("SELECT CAST(id AS text) AS x FROM netaclaw_run WHERE status = 'running'");
        runs.await.pop().and_then(|id| id.parse::<i64>().ok())
    };
    let (api, other) = (c.api(0), c.api(1));
    let (messages, more) = ([user("stop me")], json!({}));
    let (answer, ()) = tokio::join!(api.complete(&messages, &more), async {
        let run = until("it runs", LONG, running).await;
        other.stop(run).await.expect(200);
    });
    refused(answer, 409, "invalid_request_error", "stopped", &Value::Null);

    let mut seen = api.pieces(&messages, &more).await;
    seen.read_until("three words", |p| p.text().contains("word3")).await;
    let run = until("it runs", LONG, running).await;
    other.stop(run).await.expect(200);
    let seen = seen.read_all().await;
    assert_eq!(seen.error.expect("an error")["error"]["code"], "stopped");
    c.end(Allowed::default()).await;
}
