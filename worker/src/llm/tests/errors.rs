//! Statuses, error bodies and error objects as typed errors, none of which holds a key.

use super::super::probe::probe;
use super::*;
use shared::domain::runs::Reason;
use shared::secrets::Secret;
use std::time::Duration;

type Headers<'a> = &'a [(&'a str, &'a str)];

const CANARY: &str = "sk-canary-0123456789abcdef";

async fn error_of(dialect: Provider, reply: Reply) -> LlmError {
    let (_server, mut endpoint) = server(dialect, vec![reply]).await;
    endpoint.api_key = Some(Secret::new(CANARY));
    let error = call(&endpoint, "s").await.0.unwrap_err();
    for text in [error.to_string(), error.user_message(), format!("{error:?}"), format!("{endpoint:?}")] {
        assert!(!text.contains("canary"), "{text}");
    }
    error
}

#[tokio::test]
async fn statuses_and_bodies() {
    let body = |code: &str, kind: &str, message: &str| {
        serde_json::json!({"error": {"code": code, "type": kind, "message": message}}).to_string()
    };
    let table = [
        (400, body("context_length_exceeded", "", "too long"), "context_length", Reason::ContextLength),
        (400, body("", "exceed_context_size_error", "x"), "context_length", Reason::ContextLength),
        (
            400,
            body("", "invalid_request_error", "prompt is too long: 9 > 8"),
            "context_length",
            Reason::ContextLength,
        ),
        (
            401,
            body("invalid_api_key", "", &format!("Incorrect API key: {CANARY}")),
            "auth",
            Reason::ModelAuth,
        ),
        (403, "{}".into(), "auth", Reason::ModelAuth),
        (404, body("model_not_found", "", "no such model"), "unknown_model", Reason::ModelRequest),
        (404, "not found".into(), "unknown_model", Reason::ModelRequest),
        (400, body("", "", "temperature must be below 2"), "bad_request", Reason::ModelRequest),
        (400, body("content_filter", "", "no"), "content_filter", Reason::ContentFilter),
        (429, body("", "rate_limit_error", "slow down"), "rate_limited", Reason::ModelLimit),
        (429, body("insufficient_quota", "", "pay"), "quota_exhausted", Reason::ModelRequest),
        (408, String::new(), "overloaded", Reason::ModelUnavailable),
        (409, String::new(), "overloaded", Reason::ModelUnavailable),
        (500, "<html>oops</html>".into(), "overloaded", Reason::ModelUnavailable),
        (529, body("", "overloaded_error", "Overloaded"), "overloaded", Reason::ModelUnavailable),
        (302, String::new(), "bad_request", Reason::ModelRequest),
    ];
    for dialect in DIALECTS {
        for (status, body, kind, reason) in &table {
            let error = error_of(dialect, Reply::status(*status, body)).await;
            assert_eq!((error.kind(), error.reason()), (*kind, *reason), "{status} {body}");
            let permanent = !matches!(*kind, "rate_limited" | "overloaded");
            assert_eq!(error.is_retryable(), !permanent, "{status} {body}");
        }
    }
}

#[tokio::test]
async fn the_providers_words_are_kept_short_and_safe() {
    let long = format!("key {CANARY} at https://u:{CANARY}@host/path?key={CANARY} {}", "很".repeat(999));
    let body = serde_json::json!({"error": {"message": long}}).to_string();
    for dialect in DIALECTS {
        let LlmError::BadRequest { message } = error_of(dialect, Reply::status(400, &body)).await else {
            panic!("a bad request");
        };
        assert!(message.starts_with("key *** at https://host/path 很"), "{message}");
        assert_eq!(message.chars().count(), 300);
        // A body of any length is read only so far.
        let huge = Reply::status(400, &"x".repeat(3 * 1024 * 1024));
        assert_eq!(error_of(dialect, huge).await.kind(), "bad_request");
    }
}

#[tokio::test]
async fn waits() {
    let in_a_minute = "Wed, 21 Oct 2026 07:29:00 GMT";
    let table: [(Headers<'_>, Option<f64>); 7] = [
        (&[], None),
        (&[("retry-after", "2")], Some(2.0)),
        (&[("retry-after-ms", "1500"), ("retry-after", "9")], Some(1.5)),
        (&[("retry-after", "3600")], Some(120.0)),
        (&[("retry-after", in_a_minute), ("date", "Wed, 21 Oct 2026 07:28:00 GMT")], Some(60.0)),
        (&[("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")], Some(0.0)),
        (&[("retry-after", "soon")], None),
    ];
    for (headers, expected) in table {
        let reply = headers.iter().fold(Reply::status(429, "{}"), |r, (n, v)| r.header(n, v));
        let error = error_of(Provider::Openai, reply).await;
        assert_eq!(error.retry_after(), expected.map(Duration::from_secs_f64), "{headers:?}");
    }
}

#[tokio::test]
async fn errors_inside_a_stream() {
    let table = [
        ("overloaded_error", "overloaded"),
        ("rate_limit_error", "rate_limited"),
        ("authentication_error", "auth"),
        ("context_length_exceeded", "context_length"),
        ("weird", "provider_error"),
    ];
    for dialect in DIALECTS {
        for (kind, expected) in table {
            let reply = Reply::text("some text").and_stream_error(kind, &format!("no: {CANARY}"));
            assert_eq!(error_of(dialect, reply).await.kind(), expected, "{dialect:?} {kind}");
        }
    }
    // An aggregator's: the status of the model behind it.
    let chunk = r#"data: {"error":{"code":502,"message":"Provider returned error"},"choices":[]}"#;
    let error = error_of(Provider::Openai, Reply::raw(format!("{chunk}\n\n"))).await;
    assert_eq!(error.kind(), "overloaded");
    let document = Reply::raw(r#"{"error":{"message":"nope"}}"#);
    assert_eq!(error_of(Provider::Openai, document).await.kind(), "provider_error");
}

#[tokio::test]
async fn a_key_goes_to_its_host_only() {
    for dialect in DIALECTS {
        let other = ScriptedProvider::start().await;
        let reply =
            Reply::status(307, "").header("location", &format!("{}/chat/completions", other.base_url()));
        let (server, mut endpoint) = server(dialect, vec![reply]).await;
        endpoint.api_key = Some(Secret::new(format!("{CANARY}\n")));
        assert_eq!(call(&endpoint, "s").await.0.unwrap_err().kind(), "bad_request");
        let sent = &server.requests("s")[0];
        let (name, value) = match dialect {
            Provider::Anthropic => ("x-api-key", CANARY.to_owned()),
            _ => ("authorization", format!("Bearer {CANARY}")),
        };
        assert_eq!(sent.header(name), Some(value.as_str()));
        assert_eq!(other.all_calls(), 0);
    }
}

#[tokio::test]
async fn nobody_there() {
    for dialect in DIALECTS {
        let mut endpoint = ScriptedProvider::start().await.endpoint(dialect);
        // Port 9 of loopback: nothing listens.
        endpoint.base_url = Some("http://127.0.0.1:9/v1".to_owned());
        endpoint.api_key = Some(Secret::new(CANARY));
        let error = call(&endpoint, "s").await.0.unwrap_err();
        assert_eq!((error.kind(), error.is_retryable()), ("transport", true));
        assert!(!format!("{error:?} {error}").contains("127.0.0.1"), "{error}");
    }
}

#[tokio::test]
async fn a_refused_parameter_is_left_out_and_remembered() {
    let refusal = Reply::status(400, r#"{"error":{"message":"Unknown parameter: stream_options"}}"#);
    let (server, endpoint) = server(Provider::Openai, vec![refusal, Reply::text("hi")]).await;
    let client = providers();
    for _ in 0..2 {
        let response = client.call(&endpoint, &ask("s"), &mut |_| ()).await.unwrap();
        assert_eq!((response.text.as_str(), response.usage), ("hi", None));
    }
    let sent = server.requests("s");
    assert_eq!(sent[0].body["stream_options"]["include_usage"], true);
    assert!(sent.len() == 3 && sent[1..].iter().all(|r| r.body.get("stream_options").is_none()));
}

#[tokio::test]
async fn a_probe_says_what_is_wrong() {
    for dialect in DIALECTS {
        let refused = Reply::status(401, r#"{"error":{"message":"bad key"}}"#);
        let server = ScriptedProvider::start().await;
        server.script("", vec![Reply::text("OK").usage(4, 1), refused]);
        let (client, endpoint) = (providers(), server.endpoint(dialect));
        let good = probe(&client, &endpoint).await;
        assert_eq!((good.ok, good.answer.as_deref(), good.error), (true, Some("OK"), None));
        assert_eq!(good.usage.map(|u| u.input_tokens), Some(4));
        let bad = probe(&client, &endpoint).await;
        let error = bad.error.unwrap();
        assert_eq!((bad.ok, error.kind, error.reason), (false, "auth", Reason::ModelAuth));
        assert!(error.message.contains("bad key"));
    }
}
