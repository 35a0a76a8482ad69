//! The listener: an orderly end, and clients that do not behave.

use super::harness::{Api, TOKEN};
use super::sockets::Socket;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[tokio::test]
async fn shutdown_sends_sockets_away_answers_who_waits_and_returns() {
    let api = Api::new().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(crate::serve(listener, api.state.clone()));
    let mut socket = Socket::with_token(address).await;
    let mut waiting = TcpStream::connect(address).await.unwrap();
    let body = r#"{"message": "hello", "wait": 60}"#;
    let head = format!(
        "POST /open/netaclaw/chat HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    waiting.write_all(head.as_bytes()).await.unwrap();
    api.next_turn().await;
    api.shutdown.cancel();
    let away = socket.hear().await;
    assert_eq!(away["type"], "reconnect");
    assert!(away["afterMs"].as_u64().is_some_and(|ms| (200..=3_000).contains(&ms)), "{away}");
    let mut answer = String::new();
    waiting.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 202 "), "{answer}");
    let ended = tokio::time::timeout(Duration::from_secs(5), server).await.expect("in time");
    ended.unwrap().unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens");
}

#[tokio::test]
async fn heads_are_limited_in_size() {
    let api = Api::new().await;
    let mut stream = TcpStream::connect(api.listen().await).await.unwrap();
    let head =
        format!("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: {}\r\n\r\n", "a".repeat(64 * 1024));
    // The server may answer and close before all is written.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
}

#[tokio::test]
async fn heads_that_do_not_come_end_the_connection() {
    let api = Api::new().await;
    let mut stream = TcpStream::connect(api.listen().await).await.unwrap();
    stream.write_all(b"GET /healthz HTT").await.unwrap();
    tokio::time::pause();
    let mut answer = Vec::new();
    let ended = tokio::time::timeout(Duration::from_secs(11), stream.read_to_end(&mut answer)).await;
    assert!(ended.is_ok(), "cut after ten seconds");
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let api = Api::new().await;
    let address = api.listen().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    for _ in 0..3 {
        let request = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = vec![0; 4_096];
        let n = stream.read(&mut answer).await.unwrap();
        assert!(String::from_utf8_lossy(&answer[..n]).ends_with("\r\n\r\nok"), "{answer:?}");
    }
    assert_eq!(json!(api.get("/healthz").await.text), json!("ok"));
}
