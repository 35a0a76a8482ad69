//! Readers of live events: one turn over SSE, many over a WebSocket.

use super::client::LONG;
use super::transcript::Transcript;
use super::wait::in_time;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Reads one turn over SSE.
pub struct Reader {
    /// HTTP status of the answer.
    pub status: u16,
    /// What was read.
    pub seen: Transcript,
    /// The last `id:`, for `Last-Event-ID`.
    pub last_id: Option<String>,
    /// Comment lines: what keeps the connection alive.
    pub comments: usize,
    response: reqwest::Response,
    buffer: Vec<u8>,
}

impl Reader {
    /// Sends the request; its answer must be a stream.
    pub async fn sse(request: reqwest::RequestBuilder) -> Self {
        Self::try_sse(request).await.expect("the server answers")
    }

    /// The same, where the server may be gone.
    pub async fn try_sse(request: reqwest::RequestBuilder) -> Result<Self, reqwest::Error> {
        let response = request.send().await?;
        let status = response.status().as_u16();
        let seen = Transcript::default();
        Ok(Self { status, seen, last_id: None, comments: 0, response, buffer: Vec::new() })
    }

    /// The next event; none when the stream ended or was cut.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(block) = self.block() {
                if let Some(event) = self.event(&block) {
                    self.seen.add(&event);
                    return Some(event);
                }
                continue;
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.buffer.extend_from_slice(&bytes),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    fn block(&mut self) -> Option<String> {
        let end = self.buffer.windows(2).position(|w| w == b"\n\n")?;
        let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
        Some(String::from_utf8(block).expect("whole characters"))
    }

    fn event(&mut self, block: &str) -> Option<Value> {
        let mut data = Vec::new();
        for line in block.lines() {
            match line.split_once(':') {
                Some(("data", text)) => data.push(text.strip_prefix(' ').unwrap_or(text)),
                Some(("id", text)) => self.last_id = Some(text.trim().to_owned()),
                Some(("", _)) => self.comments += 1,
                _ => {}
            }
        }
        (!data.is_empty()).then(|| serde_json::from_str(&data.join("\n")).expect("an event is JSON"))
    }

    /// Reads until an event satisfies the condition.
    pub async fn read_until(&mut self, what: &str, mut enough: impl FnMut(&Transcript) -> bool) {
        in_time(what, LONG, async {
            while !enough(&self.seen) {
                assert!(
                    self.next().await.is_some(),
                    "the stream ended before {what}: {:?}",
                    self.seen.kinds()
                );
            }
        })
        .await;
    }

    /// Reads to the last event and checks all.
    pub async fn read_all(mut self) -> Transcript {
        self.read_until("the last event", |t| t.terminal.is_some()).await;
        self.seen.check();
        self.seen
    }
}

/// A WebSocket and what it was told, by assistant message.
pub struct Socket {
    /// The turns.
    pub turns: BTreeMap<i64, Transcript>,
    /// The streams of their subagents, by run, where they were asked for.
    pub subagents: BTreeMap<i64, Transcript>,
    /// The runs of all subagents that it was told of.
    known: BTreeSet<i64>,
    /// Frames that belong to no turn, and `session_deleted`.
    pub others: Vec<Value>,
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    /// Connects; an error tells the HTTP status.
    pub async fn connect(url: &str, token: &str, cookie: &str, origin: Option<&str>) -> Result<Self, u16> {
        let mut request = url.into_client_request().expect("a URL");
        let headers = request.headers_mut();
        if !token.is_empty() {
            headers.insert("authorization", format!("Bearer {token}").parse().expect("a token"));
        }
        if !cookie.is_empty() {
            headers.insert("cookie", cookie.parse().expect("a cookie"));
        }
        if let Some(origin) = origin {
            headers.insert("origin", origin.parse().expect("an origin"));
        }
        Self::open(request).await
    }

    /// Connects as a page does, which can't set the header: the token is offered as a subprotocol.
    pub async fn offering(url: &str, token: &str) -> Result<Self, u16> {
        let mut request = url.into_client_request().expect("a URL");
        let offered = format!("neta, bearer.{token}").parse().expect("subprotocols");
        request.headers_mut().insert("sec-websocket-protocol", offered);
        Self::open(request).await
    }

    async fn open(request: tokio_tungstenite::tungstenite::http::Request<()>) -> Result<Self, u16> {
        match tokio_tungstenite::connect_async(request).await {
            Ok((stream, _)) => Ok(Self {
                turns: BTreeMap::new(),
                subagents: BTreeMap::new(),
                known: BTreeSet::new(),
                others: Vec::new(),
                stream,
            }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(_) => Err(0),
        }
    }

    /// Sends a frame.
    pub async fn send(&mut self, frame: &Value) {
        self.try_send(frame).await.expect("the socket is open");
    }

    /// Sends a frame to a server that may be gone.
    pub async fn try_send(&mut self, frame: &Value) -> Result<(), Error> {
        self.stream.send(Message::text(frame.to_string())).await
    }

    /// Sends any text.
    pub async fn send_text(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.expect("the socket is open");
    }

    /// Subscribes to a session, and waits for the word that it did; with a turn's cursor, to what
    /// follows it.
    pub async fn subscribe(&mut self, session: &str, cursor: Option<(i64, &Transcript)>) {
        let mut frame = json!({ "type": "subscribe", "sessionId": session });
        if let Some((message, seen)) = cursor {
            frame["messageId"] = json!(message);
            if let Some(epoch) = seen.epoch {
                (frame["epoch"], frame["seq"]) = (json!(epoch), json!(seen.seq));
            }
            self.turns.insert(message, seen.clone());
        }
        self.send(&frame).await;
        self.read_until("subscribed", |s| {
            s.others.iter().any(|f| f["type"] == "subscribed" && f["sessionId"] == session)
        })
        .await;
    }

    /// The next frame; none when the socket ended or was cut.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) => {
                    let frame: Value = serde_json::from_str(&text).expect("a frame is JSON");
                    self.sort(&frame);
                    return Some(frame);
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    fn sort(&mut self, frame: &Value) {
        let numbered = frame["seq"].is_u64() && frame["type"] != "session_deleted";
        self.known.extend(frame["data"]["subagent"]["id"].as_i64());
        for batch in frame["data"]["subagents"].as_array().into_iter().flatten() {
            self.known
                .extend(batch["items"].as_array().into_iter().flatten().filter_map(|i| i["id"].as_i64()));
        }
        let run = frame["runId"].as_i64().filter(|run| self.known.contains(run));
        match frame["messageId"].as_i64() {
            Some(_) if numbered && run.is_some() => {
                self.subagents.entry(run.unwrap_or_default()).or_default().add(frame);
            }
            Some(id) if numbered => self.turns.entry(id).or_default().add(frame),
            _ => self.others.push(frame.clone()),
        }
    }

    /// Reads until the condition holds.
    pub async fn read_until(&mut self, what: &str, mut enough: impl FnMut(&Self) -> bool) {
        let reading = tokio::time::timeout(LONG, async {
            while !enough(self) {
                let told = self.next().await;
                assert!(told.is_some(), "the socket ended before {what}: {:?}", self.turns);
            }
        });
        let in_time = reading.await.is_ok();
        assert!(in_time, "not within {LONG:?}: {what}: {:?} {:?}", self.turns, self.others);
    }

    /// Reads until a turn has ended, and checks it.
    pub async fn read_turn(&mut self, assistant: i64) -> Transcript {
        self.read_until("the last event of the turn", |s| {
            s.turns.get(&assistant).is_some_and(|t| t.terminal.is_some())
        })
        .await;
        let turn = self.turns[&assistant].clone();
        turn.check();
        turn
    }

    /// Reads whatever comes within a time.
    pub async fn read_for(&mut self, time: Duration) {
        let _ = tokio::time::timeout(time, async { while self.next().await.is_some() {} }).await;
    }
}
