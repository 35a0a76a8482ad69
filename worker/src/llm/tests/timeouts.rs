//! How long silence is borne.

use super::*;
use std::time::{Duration, Instant};

const SHORT: Duration = Duration::from_millis(150);

async fn error_of(dialect: Provider, reply: Reply, change: impl Fn(&mut Endpoint)) -> LlmError {
    let (server, mut endpoint) = server(dialect, vec![reply]).await;
    change(&mut endpoint);
    let began = Instant::now();
    let error = call(&endpoint, "s").await.0.unwrap_err();
    assert!(began.elapsed() >= SHORT);
    server.wait_for("s", |s| s.closed == 1).await;
    error
}

#[tokio::test]
async fn headers_bytes_and_tokens_each_have_a_limit() {
    for dialect in DIALECTS {
        let error = error_of(dialect, Reply::silence(), |e| e.timeouts.headers = SHORT).await;
        assert_eq!(error, LlmError::HeaderTimeout(SHORT));
        let silent = Reply::text("a b c").silent_after(1);
        assert_eq!(error_of(dialect, silent, |e| e.timeouts.idle = SHORT).await, LlmError::Idle(SHORT));
        // Comments keep the connection alive, but are no tokens.
        let alive = (0..200).fold(Reply::raw(": ping\n\n"), |r, _| r.and_raw(b": ping\n\n"));
        let alive = alive.every(Duration::from_millis(5));
        let error = error_of(dialect, alive, |e| e.timeouts.no_tokens = SHORT).await;
        assert_eq!(error, LlmError::NoTokens(SHORT));
    }
}

#[tokio::test]
async fn a_slow_stream_has_no_limit_in_all() {
    for dialect in DIALECTS {
        let slow = Reply::tokens(["a"; 10]).every(Duration::from_millis(40));
        let (_server, mut endpoint) = server(dialect, vec![slow]).await;
        endpoint.timeouts.idle = 2 * SHORT;
        endpoint.timeouts.no_tokens = 2 * SHORT;
        endpoint.timeouts.headers = 2 * SHORT;
        let began = Instant::now();
        assert_eq!(call(&endpoint, "s").await.0.unwrap().text, "a".repeat(10));
        assert!(began.elapsed() > 2 * SHORT);
    }
}

#[tokio::test]
async fn what_follows_a_complete_response_can_be_missing() {
    let chunk = r#"data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let silent = Reply::raw(format!("{chunk}\n\n")).silent_after(1);
    let (_server, mut endpoint) = server(Provider::Openai, vec![silent]).await;
    endpoint.timeouts.idle = SHORT;
    assert_eq!(call(&endpoint, "s").await.0.unwrap().text, "a");
}
