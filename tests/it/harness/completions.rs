//! A client of the door in OpenAI's dialect, as the tests read it: every line of a stream counts.

use super::client::{Answer, Api, LONG};
use super::wait::in_time;
use serde_json::{Value, json};

/// The path.
const PATH: &str = "/v1/chat/completions";

/// A completion that comes in pieces.
pub struct Pieces {
    /// HTTP status.
    pub status: u16,
    /// The session, from its header.
    pub session: String,
    /// The pieces so far, without `[DONE]`.
    pub chunks: Vec<Value>,
    /// The comments of ours so far: an event each.
    pub comments: Vec<Value>,
    /// Comments that only keep the connection alive.
    pub silences: usize,
    /// The error that ended it.
    pub error: Option<Value>,
    /// Whether `[DONE]` came.
    pub done: bool,
    response: reqwest::Response,
    buffer: Vec<u8>,
}

impl Pieces {
    async fn open(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.expect("the server answers");
        let header = |name: &str| {
            response.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned()
        };
        assert_eq!(header("content-type"), "text/event-stream", "{}", response.status());
        Self {
            status: response.status().as_u16(),
            session: header("x-neta-session-id"),
            chunks: Vec::new(),
            comments: Vec::new(),
            silences: 0,
            error: None,
            done: false,
            response,
            buffer: Vec::new(),
        }
    }

    /// Reads on; false at the end.
    pub async fn more(&mut self) -> bool {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|w| w == b"\n\n") {
                let block: Vec<u8> = self.buffer.drain(..end + 2).collect();
                self.block(std::str::from_utf8(&block).expect("whole characters").trim_end());
                return true;
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.buffer.extend_from_slice(&bytes),
                Ok(None) | Err(_) => return false,
            }
        }
    }

    fn block(&mut self, block: &str) {
        assert!(!self.done && self.error.is_none(), "after the end: {block}");
        assert!(!block.contains('\n'), "one line a block: {block}");
        if let Some(data) = block.strip_prefix("data: ") {
            if data == "[DONE]" {
                self.done = true;
                return;
            }
            let value: Value = serde_json::from_str(data).expect("JSON");
            if value["error"].is_null() { self.chunks.push(value) } else { self.error = Some(value) }
        } else if let Some(event) = block.strip_prefix(": neta ") {
            self.comments.push(serde_json::from_str(event).expect("JSON"));
        } else {
            assert_eq!(block, ":", "data or a comment");
            self.silences += 1;
        }
    }

    /// Reads until what is there satisfies the condition.
    pub async fn read_until(&mut self, what: &str, mut enough: impl FnMut(&Self) -> bool) {
        in_time(what, LONG, async {
            while !enough(self) {
                assert!(self.more().await, "the stream ended before {what}: {:?}", self.text());
            }
        })
        .await;
    }

    /// Reads to the end.
    pub async fn read_all(mut self) -> Self {
        in_time("the end of the stream", LONG, async { while self.more().await {} }).await;
        assert!(self.done != self.error.is_some(), "it ends once: {:?}", self.error);
        self
    }

    fn deltas(&self, field: &str) -> String {
        let deltas = self.chunks.iter().filter_map(|c| c["choices"][0]["delta"][field].as_str());
        deltas.collect()
    }

    /// The text so far.
    pub fn text(&self) -> String {
        self.deltas("content")
    }

    /// The reasoning so far.
    pub fn thinking(&self) -> String {
        self.deltas("reasoning_content")
    }

    /// The piece with the reason why it ended.
    #[track_caller]
    pub fn last(&self) -> &Value {
        let mut ends = self.chunks.iter().filter(|c| c["choices"][0]["finish_reason"].is_string());
        let end = ends.next().expect("a last piece");
        assert!(ends.next().is_none(), "one last piece");
        end
    }

    /// The comments of one kind.
    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.comments.iter().filter(|c| c["type"] == kind).collect()
    }
}

/// What the user says.
pub fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

/// What the agent said.
pub fn assistant(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

/// A request to the agent `it`, with what `more` says besides.
pub fn completion(messages: &[Value], more: &Value) -> Value {
    let mut body = json!({ "model": "it", "messages": messages });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    body
}

/// The text of an answer.
#[track_caller]
pub fn content(body: &Value) -> &str {
    body["choices"][0]["message"]["content"].as_str().unwrap_or_else(|| panic!("no content: {body}"))
}

impl Api {
    /// A completion, whole.
    pub async fn complete(&self, messages: &[Value], more: &Value) -> Answer {
        self.post(PATH, &completion(messages, more)).await
    }

    /// A completion in pieces.
    pub async fn pieces(&self, messages: &[Value], more: &Value) -> Pieces {
        let mut body = completion(messages, more);
        body["stream"] = json!(true);
        Pieces::open(self.request("POST", PATH).json(&body)).await
    }
}
