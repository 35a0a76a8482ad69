//! A response in the messages dialect, from its events or from one document.

use super::super::calls::{Calls, Piece};
use super::super::http::{Assemble, Progress};
use super::super::spoken::Spoken;
use super::super::sse::Event;
use super::super::wire::{Text, bad_chunk, mended, text};
use super::super::{DeltaSink, LlmError, status};
use serde::Deserialize;
use serde_json::value::RawValue;
use shared::domain::conversation::{Finish, Response, TokenUsage};
use shared::secrets::Secret;

/// Any event: the kinds share their fields' names, and a flat form is read without copies.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Option<Text<'a>>,
    #[serde(default)]
    index: Option<i64>,
    #[serde(rename = "message", default)]
    start: Option<Start>,
    #[serde(borrow, default)]
    content_block: Option<Block<'a>>,
    #[serde(borrow, default)]
    delta: Option<Block<'a>>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
    /// Of a whole document.
    #[serde(borrow, default)]
    content: Option<Vec<Block<'a>>>,
    /// Of a whole document.
    #[serde(borrow, default)]
    stop_reason: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    usage: Option<Usage>,
}

/// A block, or a piece of one.
#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow, rename = "type", default)]
    kind: Option<Text<'a>>,
    #[serde(borrow, default)]
    id: Option<Text<'a>>,
    #[serde(borrow, default)]
    name: Option<Text<'a>>,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    text: Option<Text<'a>>,
    #[serde(borrow, default)]
    thinking: Option<Text<'a>>,
    #[serde(borrow, default)]
    partial_json: Option<Text<'a>>,
    #[serde(borrow, default)]
    stop_reason: Option<Text<'a>>,
}

#[derive(Debug, Default, Clone, Copy, Deserialize)]
struct Usage {
    #[serde(rename = "input_tokens", default)]
    input: Option<u64>,
    #[serde(rename = "cache_creation_input_tokens", default)]
    cache_creation: Option<u64>,
    #[serde(rename = "cache_read_input_tokens", default)]
    cache_read: Option<u64>,
    #[serde(rename = "output_tokens", default)]
    output: Option<u64>,
}

impl Usage {
    /// Counts are running totals: a later one stands for the earlier.
    fn then(self, later: Self) -> Self {
        Self {
            input: later.input.or(self.input),
            cache_creation: later.cache_creation.or(self.cache_creation),
            cache_read: later.cache_read.or(self.cache_read),
            output: later.output.or(self.output),
        }
    }

    fn total(self) -> TokenUsage {
        let input = [self.input, self.cache_creation, self.cache_read];
        TokenUsage {
            input_tokens: input.into_iter().flatten().fold(0, u64::saturating_add),
            output_tokens: self.output.unwrap_or(0),
        }
    }
}

/// Puts one response together.
#[derive(Debug)]
pub(in crate::llm) struct Assembler<'k> {
    key: Option<&'k Secret>,
    spoken: Spoken,
    calls: Calls,
    finish: Option<Finish>,
    usage: Option<Usage>,
    pieces: u64,
    stopped: bool,
}

impl<'k> Assembler<'k> {
    /// Nothing yet. The key is hidden in errors that repeat it.
    pub fn new(key: Option<&'k Secret>) -> Self {
        Self {
            key,
            spoken: Spoken::default(),
            calls: Calls::default(),
            finish: None,
            usage: None,
            pieces: 0,
            stopped: false,
        }
    }

    fn take(&mut self, name: &[u8], data: &[u8], message: &Message<'_>) -> Result<(), LlmError> {
        if message.error.is_some() || name == b"error" {
            return Err(status::in_band(data, self.key));
        }
        match text(message.kind.as_ref()) {
            "message_start" => self.count(message.start.as_ref().and_then(|m| m.usage)),
            "content_block_start" => {
                if let Some(block) = &message.content_block {
                    self.block(message.index, block)?;
                }
            }
            "content_block_delta" => {
                if let Some(delta) = &message.delta {
                    self.block(message.index, delta)?;
                }
            }
            "message_delta" => {
                self.count(message.usage);
                self.stop_reason(text(message.delta.as_ref().and_then(|d| d.stop_reason.as_ref())));
            }
            "message_stop" => self.stopped = true,
            // Pings, ends of blocks, and kinds yet to come.
            _ => {}
        }
        Ok(())
    }

    fn document(&mut self, message: &Message<'_>) -> Result<(), LlmError> {
        if let Some(error) = message.error {
            return Err(status::in_band(error.get().as_bytes(), self.key));
        }
        for (index, block) in (0..).zip(message.content.iter().flatten()) {
            self.block(Some(index), block)?;
        }
        self.count(message.usage);
        self.stop_reason(text(message.stop_reason.as_ref()));
        self.stopped = self.finish.is_some();
        Ok(())
    }

    /// A block that begins, a piece of one, or a whole one.
    fn block(&mut self, index: Option<i64>, block: &Block<'_>) -> Result<(), LlmError> {
        let mut any = false;
        match text(block.kind.as_ref()) {
            "text" | "text_delta" => any = self.spoken.say(text(block.text.as_ref())),
            "thinking" | "thinking_delta" => any = self.spoken.think(text(block.thinking.as_ref())),
            "tool_use" => {
                any = true;
                // Empty at a stream's start of the block; whole in a document.
                let input = block.input.map_or("", RawValue::get);
                let input = if input.len() <= 4 { "" } else { input };
                self.calls.take(Piece {
                    index,
                    id: text(block.id.as_ref()),
                    name: text(block.name.as_ref()),
                    arguments: input,
                })?;
            }
            "input_json_delta" => {
                any = true;
                let arguments = text(block.partial_json.as_ref());
                self.calls.take(Piece { index, arguments, ..Piece::default() })?;
            }
            // Signatures, redacted thinking, and kinds yet to come.
            _ => {}
        }
        self.pieces += u64::from(any);
        Ok(())
    }

    fn count(&mut self, usage: Option<Usage>) {
        if let Some(usage) = usage {
            self.usage = Some(self.usage.unwrap_or_default().then(usage));
        }
    }

    fn stop_reason(&mut self, reason: &str) {
        match reason {
            "" => {}
            "tool_use" => self.finish = Some(Finish::ToolCalls),
            "max_tokens" | "model_context_window_exceeded" => self.finish = Some(Finish::Length),
            "refusal" => self.finish = Some(Finish::ContentFilter),
            _ => self.finish = Some(Finish::Stop),
        }
    }

    /// The response; an error where it ended without being complete.
    pub fn finish(self) -> Result<Response, LlmError> {
        let finish = match (self.stopped, self.finish, self.calls.is_empty()) {
            (false, _, _) => return Err(LlmError::Truncated),
            (true, Some(Finish::ToolCalls), true) => {
                return Err(LlmError::BadChunk {
                    detail: "finished for tool calls, but made none".to_owned(),
                });
            }
            (true, None | Some(Finish::Stop), false) => Finish::ToolCalls,
            (true, None, true) => Finish::Stop,
            (true, Some(finish), _) => finish,
        };
        Ok(Response {
            text: self.spoken.text,
            thinking: self.spoken.thinking,
            calls: self.calls.finish(),
            finish,
            usage: self.usage.map(Usage::total),
        })
    }
}

impl Assemble for Assembler<'_> {
    fn event(&mut self, event: Event<'_>) -> Result<(), LlmError> {
        let data = event.data.trim_ascii();
        if data.is_empty() || data == b"[DONE]" {
            return Ok(());
        }
        match serde_json::from_slice(data) {
            Ok(message) => self.take(event.name, data, &message),
            Err(error) => {
                let mended = mended(data, &error)?;
                let message = serde_json::from_slice(&mended).map_err(|e| bad_chunk(&e))?;
                self.take(event.name, data, &message)
            }
        }
    }

    fn whole(&mut self, body: &[u8]) -> Result<(), LlmError> {
        match serde_json::from_slice(body) {
            Ok(message) => self.document(&message),
            Err(error) => {
                let mended = mended(body, &error)?;
                self.document(&serde_json::from_slice(&mended).map_err(|e| bad_chunk(&e))?)
            }
        }
    }

    fn progress(&self) -> Progress {
        if self.stopped { Progress::Done } else { Progress::Open }
    }

    fn pieces(&self) -> u64 {
        self.pieces
    }

    fn show(&mut self, out: DeltaSink<'_>) {
        self.spoken.show(out);
    }
}
