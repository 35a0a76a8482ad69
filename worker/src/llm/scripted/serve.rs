//! The scripted provider's connections: as much HTTP/1.1 as its callers speak.

use super::render::{self, Segment};
use super::reply::{Pause, Reply};
use super::{Recorded, Shared};
use serde_json::Value;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::time::Instant;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const MARKER: &str = "[[script:";

pub(super) async fn run(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    let mut number = 0;
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                let _ = stream.set_nodelay(true);
                number += 1;
                connections.spawn(connection(stream, number, Arc::clone(&shared)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connection(stream: TcpStream, number: u64, shared: Arc<Shared>) {
    let mut connection = Connection { stream, number, shared, input: Vec::new() };
    // Ends when the client leaves or a script cuts it: both are an error of the stream here.
    while connection.exchange().await.is_ok() {}
    let Connection { stream, shared, .. } = connection;
    drop(stream);
    let names = shared
        .scripts()
        .iter()
        .filter(|(_, s)| s.connections.contains(&number))
        .map(|(n, _)| n.clone())
        .collect::<Vec<_>>();
    for name in names {
        shared.change(&name, |s| {
            s.connections.remove(&number);
            s.stats.closed += 1;
        });
    }
}

struct Connection {
    stream: TcpStream,
    number: u64,
    shared: Arc<Shared>,
    input: Vec<u8>,
}

/// The client is gone, or the script cut the connection.
struct Gone;

impl From<io::Error> for Gone {
    fn from(_: io::Error) -> Self {
        Self
    }
}

impl Connection {
    async fn exchange(&mut self) -> Result<(), Gone> {
        let request = self.request().await?;
        let anthropic = request.path.ends_with("/messages");
        if !anthropic && !request.path.ends_with("/chat/completions") {
            return self.plain(404, "{\"error\":{\"message\":\"no such path\"}}").await;
        }
        let counted = request.body["stream_options"]["include_usage"] == true;
        let message = last_user_message(&request.body);
        let name = script_name(&message).to_owned();
        let number = self.number;
        let reply = self.shared.change(&name, |s| {
            let reply = match s.replies.get(s.stats.calls) {
                Some(reply) => reply.clone(),
                None if s.exact => Reply::status(400, "{\"error\":{\"message\":\"the script is over\"}}"),
                None => {
                    s.replies.last().cloned().unwrap_or_else(|| Reply::text(&format!("You said: {message}")))
                }
            };
            s.requests.push(request);
            s.stats.calls += 1;
            s.stats.in_flight += 1;
            s.stats.max_in_flight = s.stats.max_in_flight.max(s.stats.in_flight);
            if s.connections.insert(number) {
                s.stats.opened += 1;
            }
            reply
        });
        let mut guard = InFlight { shared: Arc::clone(&self.shared), name, finished: false };
        let result = self.answer(&reply, anthropic, counted, &guard.name).await;
        guard.finished = result.is_ok() || reply.cut_after.is_some();
        result
    }

    async fn request(&mut self) -> Result<Recorded, Gone> {
        let head_end = loop {
            if let Some(at) = memchr::memmem::find(&self.input, b"\r\n\r\n") {
                break at;
            }
            if self.stream.read_buf(&mut self.input).await? == 0 {
                return Err(Gone);
            }
        };
        let head = String::from_utf8_lossy(self.input.get(..head_end).unwrap_or_default()).into_owned();
        let mut lines = head.split("\r\n");
        let path = lines.next().and_then(|l| l.split(' ').nth(1)).unwrap_or_default().to_owned();
        let headers = lines
            .filter_map(|l| l.split_once(':'))
            .map(|(n, v)| (n.trim().to_ascii_lowercase(), v.trim().to_owned()))
            .collect::<Vec<_>>();
        let length = headers
            .iter()
            .find(|(n, _)| n == "content-length")
            .and_then(|(_, v)| v.parse().ok())
            .unwrap_or(0);
        let body_end = head_end + 4 + length;
        while self.input.len() < body_end {
            if self.stream.read_buf(&mut self.input).await? == 0 {
                return Err(Gone);
            }
        }
        let body = self.input.get(head_end + 4..body_end).and_then(|b| serde_json::from_slice(b).ok());
        self.input.drain(..body_end);
        Ok(Recorded { path, headers, body: body.unwrap_or_default(), at: Instant::now() })
    }

    async fn plain(&mut self, status: u16, body: &str) -> Result<(), Gone> {
        let head = head(status, &[], &format!("content-length: {}", body.len()));
        self.stream.write_all(format!("{head}{body}").as_bytes()).await?;
        Ok(())
    }

    async fn answer(
        &mut self,
        reply: &Reply,
        anthropic: bool,
        counted: bool,
        name: &str,
    ) -> Result<(), Gone> {
        for pause in &reply.before {
            self.pause(*pause, name).await?;
        }
        let mut writer = Writer { out: Vec::new(), sent: 0, reply };
        writer
            .out
            .extend_from_slice(head(reply.status, &reply.headers, "transfer-encoding: chunked").as_bytes());
        for segment in render::body(reply, anthropic, counted) {
            match segment {
                Segment::Bytes(bytes) => writer.body(&mut self.stream, &bytes).await?,
                Segment::Pause(pause) => {
                    writer.flush(&mut self.stream).await?;
                    self.pause(pause, name).await?;
                }
                Segment::Endless(bytes) => loop {
                    writer.body(&mut self.stream, &bytes).await?;
                    writer.flush(&mut self.stream).await?;
                    self.unless_gone(tokio::task::yield_now()).await?;
                },
            }
        }
        writer.out.extend_from_slice(b"0\r\n\r\n");
        writer.flush(&mut self.stream).await
    }

    async fn pause(&mut self, pause: Pause, name: &str) -> Result<(), Gone> {
        match pause {
            Pause::For(time) => self.unless_gone(tokio::time::sleep(time)).await,
            Pause::Forever => self.unless_gone(std::future::pending()).await,
            Pause::Hold => {
                let shared = Arc::clone(&self.shared);
                shared.change(name, |s| s.stats.held += 1);
                let result = self.unless_gone(released(&shared, name)).await;
                shared.change(name, |s| s.stats.held -= 1);
                result
            }
        }
    }

    /// Waits, but ends as soon as the client closes the connection.
    async fn unless_gone(&mut self, wait: impl Future<Output = ()>) -> Result<(), Gone> {
        let mut wait = std::pin::pin!(wait);
        loop {
            tokio::select! {
                () = &mut wait => return Ok(()),
                read = self.stream.read_buf(&mut self.input) => if read? == 0 { return Err(Gone) },
            }
        }
    }
}

async fn released(shared: &Shared, name: &str) {
    loop {
        let mut changed = std::pin::pin!(shared.changed.notified());
        changed.as_mut().enable();
        let go = {
            let mut scripts = shared.scripts();
            match scripts.get_mut(name) {
                Some(script) if script.released => true,
                Some(script) if script.permits > 0 => {
                    script.permits -= 1;
                    true
                }
                _ => false,
            }
        };
        if go {
            return;
        }
        changed.await;
    }
}

/// Counts the end of a call, also when the server is stopped in its middle.
struct InFlight {
    shared: Arc<Shared>,
    name: String,
    finished: bool,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.shared.change(&self.name, |s| {
            s.stats.in_flight -= 1;
            if self.finished {
                s.stats.finished += 1;
            } else {
                s.stats.left += 1;
            }
        });
    }
}

/// Sends body bytes as chunks, cut where the reply says.
struct Writer<'a> {
    out: Vec<u8>,
    sent: usize,
    reply: &'a Reply,
}

impl Writer<'_> {
    async fn body(&mut self, stream: &mut TcpStream, mut bytes: &[u8]) -> Result<(), Gone> {
        while !bytes.is_empty() {
            let until = |at: usize| at.checked_sub(self.sent).filter(|n| *n > 0);
            let split = self.reply.split_at.iter().filter_map(|at| until(*at)).min();
            let cut = self.reply.cut_after.map(|at| at.saturating_sub(self.sent));
            let length = split
                .into_iter()
                .chain(cut.filter(|n| *n > 0))
                .chain([bytes.len()])
                .min()
                .unwrap_or_default();
            let (now, later) = bytes.split_at(length.min(bytes.len()));
            self.out.extend_from_slice(format!("{:x}\r\n", now.len()).as_bytes());
            self.out.extend_from_slice(now);
            self.out.extend_from_slice(b"\r\n");
            self.sent += now.len();
            bytes = later;
            if self.reply.cut_after.is_some_and(|at| self.sent >= at) {
                self.flush(stream).await?;
                return Err(Gone);
            }
            if split.is_some() {
                self.flush(stream).await?;
                tokio::task::yield_now().await;
            }
        }
        Ok(())
    }

    async fn flush(&mut self, stream: &mut TcpStream) -> Result<(), Gone> {
        stream.write_all(&self.out).await?;
        self.out.clear();
        Ok(())
    }
}

fn head(status: u16, headers: &[(String, String)], framing: &str) -> String {
    let mut head = format!("HTTP/1.1 {status} Scripted\r\n{framing}\r\n");
    if !headers.iter().any(|(n, _)| n.eq_ignore_ascii_case("content-type")) {
        head.push_str("content-type: text/event-stream\r\n");
    }
    for (name, value) in headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head
}

/// The text of the last user message that has any; Anthropic's tool results are user messages too.
/// What the engine says in the user's place, in brackets, is passed over.
fn last_user_message(body: &Value) -> String {
    let text = |message: &Value| match &message["content"] {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|b| b["text"].as_str()).collect::<Vec<_>>();
            (!texts.is_empty()).then(|| texts.join("\n"))
        }
        _ => None,
    };
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    messages
        .iter()
        .rev()
        .filter(|m| m["role"] == "user")
        .filter_map(text)
        .find(|t| !is_note(t))
        .unwrap_or_default()
}

fn is_note(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(".]")
}

fn script_name(message: &str) -> &str {
    message.rsplit_once(MARKER).and_then(|(_, rest)| rest.split_once("]]")).map_or("", |(name, _)| name)
}
