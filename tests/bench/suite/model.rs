//! A model that costs nothing, and the echo that is its floor. It answers with the time at which the
//! request had arrived (`#NANOSECONDS`) and the time at which each token was written
//! (`@NANOSECONDS`), on this process's clock: whoever reads the answer knows how long each took.
//!
//! The user's message says how long the answer is: `[[tokens:N]] [[gap:MS]]`. With
//! `[[delegate:MS,MS]]` the answer is a call that hands a goal to a subagent for each of the numbers,
//! whose model waits so long; its id says when it was written (`call-NANOSECONDS`). What follows when
//! they are done is an answer as above, at once.

use serde_json::json;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Nanoseconds since the first call.
pub fn clock() -> u64 {
    u64::try_from(BEGIN.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// A time from the clock of the answers, and how long ago it was at `now`.
pub fn since(stamp: u64, now: u64) -> Duration {
    Duration::from_nanos(now.saturating_sub(stamp))
}

/// The stamps of a kind (`#`, `@`) in an answer's text.
pub fn stamps(text: &str, kind: char) -> impl Iterator<Item = u64> {
    text.split_whitespace().filter_map(move |word| word.strip_prefix(kind)?.parse().ok())
}

/// When a batch was handed over, by its id.
pub fn handed_over(batch_id: &str) -> Option<u64> {
    batch_id.strip_prefix(CALL)?.parse().ok()
}

/// A message that makes a supervisor delegate, with what each subagent's model waits.
pub fn delegating(waits: &[Duration]) -> String {
    let waits: Vec<String> = waits.iter().map(|wait| wait.as_millis().to_string()).collect();
    format!("several things at once {DELEGATE}{}]]", waits.join(","))
}

const CALL: &str = "call-";
const DELEGATE: &str = "[[delegate:";

/// A server on a loopback port; ends when dropped.
#[derive(Debug)]
pub struct Model {
    port: u16,
    server: JoinHandle<()>,
}

impl Model {
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        LazyLock::force(&BEGIN);
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A connection ends with its client, which ends before the bench does.
                tokio::spawn(async move {
                    let _the_client_left = serve(stream).await;
                });
            }
        });
        Ok(Self { port, server })
    }

    /// For a model of the dialect `openai`.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Answers any POST with a few hundred bytes at once.
    pub fn echo_url(&self) -> String {
        format!("http://127.0.0.1:{}/echo", self.port)
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = Vec::new();
    while let Some((path, body)) = read_request(&mut stream, &mut input).await? {
        let arrived = clock();
        if path == "/echo" {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:";
            let answer = format!("{head} {}\r\n\r\n{ECHO}", ECHO.len());
            stream.write_all(answer.as_bytes()).await?;
            continue;
        }
        match marked(&body, DELEGATE) {
            Some(_) if body.contains(r#""role":"tool""#) => answer(&mut stream, arrived, None, None).await?,
            Some(waits) => hand_over(&mut stream, waits).await?,
            None => answer(&mut stream, arrived, number(&body, "[[tokens:"), number(&body, "[[gap:")).await?,
        }
    }
    Ok(())
}

const ECHO: &str = r#"{"sessionId":"019ad4f0-0000-7000-8000-000000000000","userMessageId":1,"assistantMessageId":2,"runId":1,"status":"completed","content":"an answer of some length, as a short one is"}"#;

/// One request; None when the client has closed.
async fn read_request(
    stream: &mut TcpStream,
    input: &mut Vec<u8>,
) -> std::io::Result<Option<(String, String)>> {
    loop {
        if let Some(head_end) = input.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(input.get(..head_end).unwrap_or_default()).into_owned();
            let end = head_end + 4 + content_length(&head);
            if input.len() >= end {
                let body =
                    String::from_utf8_lossy(input.get(head_end + 4..end).unwrap_or_default()).into_owned();
                input.drain(..end);
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                return Ok(Some((path, body)));
            }
        }
        if stream.read_buf(input).await? == 0 {
            return Ok(None);
        }
    }
}

fn content_length(head: &str) -> usize {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    let mut lengths = lines.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    lengths.next().and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(0)
}

/// What stands behind the last marker in the body.
fn marked<'a>(body: &'a str, marker: &str) -> Option<&'a str> {
    Some(body.rsplit_once(marker)?.1.split_once("]]")?.0)
}

/// The number behind the last marker in the body; 1 token, no gap if there is none.
fn number(body: &str, marker: &str) -> Option<u64> {
    marked(body, marker)?.parse().ok()
}

/// The answer that delegates.
async fn hand_over(stream: &mut TcpStream, waits: &str) -> std::io::Result<()> {
    let goals = waits.split(',').enumerate();
    let tasks: Vec<_> =
        goals.map(|(at, wait)| json!({"goal": format!("part {at} [[gap:{wait}]]")})).collect();
    let call = json!({
        "index": 0,
        "id": format!("{CALL}{}", clock()),
        "type": "function",
        "function": {"name": "delegate_parallel", "arguments": json!({"tasks": tasks}).to_string()},
    });
    let mut out = HEAD.to_owned();
    piece(&mut out, &json!({"tool_calls": [call]}).to_string());
    end(&mut out, "tool_calls");
    stream.write_all(out.as_bytes()).await
}

async fn answer(
    stream: &mut TcpStream,
    arrived: u64,
    tokens: Option<u64>,
    gap: Option<u64>,
) -> std::io::Result<()> {
    let mut out = HEAD.to_owned();
    delta(&mut out, &format!("#{arrived} "));
    let gap = Duration::from_millis(gap.unwrap_or(0));
    for _ in 0..tokens.unwrap_or(1) {
        if !gap.is_zero() {
            stream.write_all(out.as_bytes()).await?;
            out.clear();
            tokio::time::sleep(gap).await;
        }
        delta(&mut out, &format!("@{} ", clock()));
    }
    end(&mut out, "stop");
    stream.write_all(out.as_bytes()).await
}

const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const CHUNK: &str = r#"{"id":"c1","object":"chat.completion.chunk","model":"bench","choices":["#;

fn delta(out: &mut String, text: &str) {
    piece(out, &format!(r#"{{"content":"{text}"}}"#));
}

fn piece(out: &mut String, delta: &str) {
    chunk(out, &format!(r#"{CHUNK}{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#));
}

fn end(out: &mut String, reason: &str) {
    chunk(out, &format!(r#"{CHUNK}{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#));
    let usage = r#""usage":{"prompt_tokens":20,"completion_tokens":10,"total_tokens":30}"#;
    chunk(out, &format!("{CHUNK}],{usage}}}"));
    chunk(out, "[DONE]");
    out.push_str("0\r\n\r\n");
}

fn chunk(out: &mut String, data: &str) {
    let length = "data: \n\n".len() + data.len();
    let _ = write!(out, "{length:x}\r\ndata: {data}\n\n\r\n");
}
