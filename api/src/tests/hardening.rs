//! Headers of every answer, and clients that do not behave, over real connections.

use super::harness::{Api, TOKEN};
use super::sockets::Socket;
use axum::body::Body;
use axum::http::Request;
use shared::limits::MemoryRates;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::test]
async fn every_answer_says_what_a_browser_may_do_with_it() {
    let always = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    let paths = [
        ("/healthz", 200, false),
        ("/docs", 200, false),
        ("/docs/reference.js", 200, false),
        ("/openapi.json", 200, false),
        ("/nothing/here", 404, false),
        ("/api/models", 200, true),
        ("/api/models/99999", 404, true),
        ("/open/netaclaw/chat/99999", 404, true),
    ];
    for is_https in [false, true] {
        let api = Api::with(Arc::new(MemoryRates::new()), |config| config.is_https = is_https).await;
        for (path, status, private) in paths {
            let reply = api.get(path).await;
            assert_eq!(reply.status.as_u16(), status, "{path}");
            let of = |name: &str| reply.headers.get(name).map_or("", |v| v.to_str().unwrap());
            for (name, value) in always {
                assert_eq!(of(name), value, "{path}");
            }
            assert!(of("permissions-policy").contains("camera=()"), "{path}");
            let policy = of("content-security-policy");
            assert!(
                policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
                "{policy}"
            );
            assert!(!policy.contains("script-src 'unsafe") && !policy.contains('*'), "{policy}");
            assert_eq!(policy.contains("script-src 'self'"), path == "/docs", "{path}: {policy}");
            assert_eq!(of("cache-control") == "no-store", private, "{path}");
            assert_eq!(of("strict-transport-security").is_empty(), !is_https, "{path}");
        }
        let anonymous = Request::get("/api/models").header("host", "127.0.0.1").body(Body::empty()).unwrap();
        let refused = api.raw(anonymous).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.headers["cache-control"]),
            (401, &"no-store".parse().unwrap())
        );
    }
}

/// What the server answers to these bytes, until it closes.
async fn answer(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may answer and close before all is written.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ =
        tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await.expect("an end");
    String::from_utf8_lossy(&answer).into_owned()
}

fn head(address: SocketAddr, more: &str) -> String {
    format!(
        "POST /open/netaclaw/chat HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: application/json\r\nconnection: close\r\n{more}\r\n"
    )
}

#[tokio::test]
async fn heads_are_limited_in_number() {
    let api = Api::new().await;
    let address = api.listen().await;
    let many = "x-one: 1\r\n".repeat(500);
    let refused = answer(address, head(address, &many).as_bytes()).await;
    assert!(refused.starts_with("HTTP/1.1 431 "), "{refused}");
}

#[tokio::test]
async fn bodies_are_limited_announced_or_not() {
    let api = Api::new().await;
    let address = api.listen().await;
    let announced = head(address, "content-length: 4000000000\r\nexpect: 100-continue\r\n");
    let refused = answer(address, announced.as_bytes()).await;
    assert!(refused.starts_with("HTTP/1.1 413 ") && refused.contains("too_large"), "{refused}");
    let mut chunked = head(address, "transfer-encoding: chunked\r\n").into_bytes();
    for _ in 0..40 {
        chunked.extend_from_slice(format!("8000\r\n{}\r\n", "a".repeat(0x8000)).as_bytes());
    }
    let refused = answer(address, &chunked).await;
    assert!(refused.is_empty() || refused.starts_with("HTTP/1.1 413 "), "{refused}");
}

#[tokio::test]
async fn two_lengths_and_other_smuggling_are_refused() {
    let api = Api::new().await;
    let address = api.listen().await;
    for more in [
        "content-length: 2\r\ncontent-length: 3\r\n",
        "content-length: 2x\r\n",
        "content-length: +2\r\n",
        "transfer-encoding: chunked, identity\r\n",
        "x : 1\r\n",
    ] {
        let refused = answer(address, format!("{}{{}}", head(address, more)).as_bytes()).await;
        assert!(refused.is_empty() || refused.starts_with("HTTP/1.1 400 "), "{more}: {refused}");
    }
}

#[tokio::test]
async fn deep_nesting_is_refused() {
    let api = Api::new().await;
    let address = api.listen().await;
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let body = format!(r#"{{"message": {}1{}}}"#, open.repeat(50_000), close.repeat(50_000));
        let request = head(address, &format!("content-length: {}\r\n", body.len())) + &body;
        let refused = answer(address, request.as_bytes()).await;
        assert!(refused.starts_with("HTTP/1.1 400 "), "{refused}");
    }
}

#[tokio::test]
async fn a_body_that_does_not_come_ends_the_request() {
    let api = Api::new().await;
    let address = api.listen().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let part = head(address, "content-length: 100\r\n") + r#"{"mess"#;
    stream.write_all(part.as_bytes()).await.unwrap();
    // So that the request is under way before the clock runs ahead.
    assert_eq!(api.get("/healthz").await.status, 200);
    tokio::time::pause();
    let mut told = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(45), stream.read_to_end(&mut told)).await;
    assert!(ended.is_ok(), "cut after thirty seconds");
    let told = String::from_utf8_lossy(&told);
    assert!(told.starts_with("HTTP/1.1 408 ") && told.contains("body_timeout"), "{told}");
}

#[tokio::test]
async fn idle_connections_do_not_stop_others() {
    let api = Api::new().await;
    let address = api.listen().await;
    let mut idle = Vec::new();
    for n in 0..100 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let part: &[u8] = if n % 2 == 0 { b"" } else { b"GET /api/models HTTP/1.1\r\nhost" };
        stream.write_all(part).await.unwrap();
        idle.push(stream);
    }
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    assert!(answer(address, request.as_bytes()).await.starts_with("HTTP/1.1 200 "));
    let mut socket = Socket::with_token(address).await;
    socket.say(&serde_json::json!({"type": "nonsense"})).await;
    assert_eq!(socket.hear().await["type"], "problem");
    drop(idle);
}
