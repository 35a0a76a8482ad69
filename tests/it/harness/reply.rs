//! What the scripted provider answers, in the words of the tests.

use serde_json::{Value, json};
use std::time::Duration;

/// One answer to one request.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status; other than 200, `body` is sent and nothing else.
    pub status: u16,
    /// Headers besides the usual.
    pub headers: Vec<(String, String)>,
    /// The body of a refusal.
    pub body: String,
    /// Pieces of bytes as they are written.
    pub pieces: Vec<Vec<u8>>,
    /// Before the headers.
    pub before: Duration,
    /// Between two pieces.
    pub every: Duration,
    /// After so many pieces, waits until the test releases the script.
    pub hold_after: Option<usize>,
    /// After so many pieces, the connection is cut.
    pub cut_after: Option<usize>,
    /// After so many pieces, nothing more is sent, and the connection stays open.
    pub silent_after: Option<usize>,
    text: Vec<String>,
    thinking: Vec<String>,
    calls: Vec<Value>,
    usage: Option<(u64, u64)>,
}

impl Reply {
    fn empty() -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            body: String::new(),
            pieces: Vec::new(),
            before: Duration::ZERO,
            every: Duration::ZERO,
            hold_after: None,
            cut_after: None,
            silent_after: None,
            text: Vec::new(),
            thinking: Vec::new(),
            calls: Vec::new(),
            usage: Some((10, 5)),
        }
    }

    /// A text, streamed word by word.
    pub fn text(text: &str) -> Self {
        Self { text: text.split_inclusive(' ').map(str::to_owned).collect(), ..Self::empty() }.build()
    }

    /// `word1 word2 …`, one a piece: of what is shown it is easy to see what is missing or doubled.
    pub fn words(count: usize) -> Self {
        Self::text(&words(count))
    }

    /// Tool calls: name and argument text. Ids are `call_1`, `call_2` and so on.
    pub fn calls(calls: &[(&str, &str)]) -> Self {
        let calls = calls
            .iter()
            .enumerate()
            .map(|(at, (name, arguments))| {
                json!({ "index": at, "id": format!("call_{}", at + 1), "type": "function",
                        "function": { "name": name, "arguments": arguments } })
            })
            .collect();
        Self { calls, ..Self::empty() }.build()
    }

    /// Tool calls exactly as given, one a piece.
    pub fn raw_calls(calls: Vec<Value>) -> Self {
        Self { calls, ..Self::empty() }.build()
    }

    /// A response that says nothing.
    pub fn nothing() -> Self {
        Self::empty().build()
    }

    /// A refusal.
    pub fn refusal(status: u16, body: &str) -> Self {
        Self { status, body: body.to_owned(), ..Self::empty() }
    }

    /// An error inside of the stream, after a text.
    pub fn stream_error(text: &str, error: &Value) -> Self {
        let mut reply = Self::text(text);
        reply.pieces.truncate(reply.text.len() + 1);
        reply.pieces.push(event(error));
        reply
    }

    /// These bytes, each piece in a write of its own.
    pub fn bytes(pieces: Vec<Vec<u8>>) -> Self {
        Self { pieces, ..Self::empty() }
    }

    /// Thinking before the text.
    pub fn thinking(mut self, text: &str) -> Self {
        self.thinking = text.split_inclusive(' ').map(str::to_owned).collect();
        self.build()
    }

    /// A text before the calls.
    pub fn saying(mut self, text: &str) -> Self {
        self.text = vec![text.to_owned()];
        self.build()
    }

    /// The calls under ids of their own: `PREFIX_1`, `PREFIX_2` and so on.
    pub fn ids(mut self, prefix: &str) -> Self {
        for (at, call) in self.calls.iter_mut().enumerate() {
            call["id"] = json!(format!("{prefix}_{}", at + 1));
        }
        self.build()
    }

    /// The provider's count of tokens.
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        self.usage = Some((input, output));
        self.build()
    }

    /// So long between two pieces.
    pub fn every(self, every: Duration) -> Self {
        Self { every, ..self }
    }

    /// So long before anything is sent.
    pub fn after(self, before: Duration) -> Self {
        Self { before, ..self }
    }

    /// Holds after so many words, until the test releases the script. The first piece of a stream is
    /// the role, which is no word.
    pub fn hold_after(self, words: usize) -> Self {
        Self { hold_after: Some(words + 1), ..self }
    }

    /// Cuts the connection after so many words.
    pub fn cut_after(self, words: usize) -> Self {
        Self { cut_after: Some(words + 1), ..self }
    }

    /// Goes silent after so many words.
    pub fn silent_after(self, words: usize) -> Self {
        Self { silent_after: Some(words + 1), ..self }
    }

    /// A header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn build(mut self) -> Self {
        let delta = |delta: Value| event(&json!({ "choices": [{ "index": 0, "delta": delta }] }));
        let mut pieces = vec![delta(json!({ "role": "assistant", "content": "" }))];
        pieces.extend(self.thinking.iter().map(|t| delta(json!({ "reasoning_content": t }))));
        pieces.extend(self.text.iter().map(|t| delta(json!({ "content": t }))));
        pieces.extend(self.calls.iter().map(|c| delta(json!({ "tool_calls": [c] }))));
        let finish = if self.calls.is_empty() { "stop" } else { "tool_calls" };
        pieces.push(event(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] })));
        if let Some((input, output)) = self.usage {
            let usage = json!({ "prompt_tokens": input, "completion_tokens": output });
            pieces.push(event(&json!({ "choices": [], "usage": usage })));
        }
        pieces.push(b"data: [DONE]\n\n".to_vec());
        self.pieces = pieces;
        self
    }

    /// `{said}` in it becomes the first line of the message that it answers, which must need no escape.
    pub fn for_message(mut self, said: &str) -> Self {
        const PLACE: &str = "{said}";
        let said = said.lines().next().unwrap_or_default();
        for piece in &mut self.pieces {
            if piece.windows(PLACE.len()).any(|w| w == PLACE.as_bytes()) {
                let text = String::from_utf8_lossy(piece).replace(PLACE, said);
                *piece = text.into_bytes();
            }
        }
        self
    }

    /// All bytes of the stream.
    pub fn stream(&self) -> Vec<u8> {
        self.pieces.concat()
    }
}

/// `word1 word2 …`.
pub fn words(count: usize) -> String {
    (1..=count).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ")
}

fn event(chunk: &Value) -> Vec<u8> {
    format!("data: {chunk}\n\n").into_bytes()
}
