//! A response in the chat-completions dialect, from its chunks or from one document.

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
use std::borrow::Cow;

/// A chunk, or a whole completion, whose choice holds `message` instead of `delta`.
#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow, default, alias = "message")]
    delta: Option<Said<'a>>,
    #[serde(borrow, default)]
    finish_reason: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow, default)]
    content: Option<Text<'a>>,
    #[serde(borrow, default)]
    refusal: Option<Text<'a>>,
    #[serde(borrow, default)]
    reasoning_content: Option<Text<'a>>,
    #[serde(borrow, default)]
    reasoning: Option<Text<'a>>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<CallPiece<'a>>>,
}

#[derive(Deserialize)]
struct CallPiece<'a> {
    #[serde(default)]
    index: Option<i64>,
    #[serde(borrow, default)]
    id: Option<Text<'a>>,
    #[serde(borrow, default)]
    function: Option<FunctionPiece<'a>>,
}

#[derive(Deserialize)]
struct FunctionPiece<'a> {
    #[serde(borrow, default)]
    name: Option<Text<'a>>,
    /// A string, or from some servers the object itself.
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

/// Puts one response together.
#[derive(Debug)]
pub(in crate::llm) struct Assembler<'k> {
    key: Option<&'k Secret>,
    spoken: Spoken,
    calls: Calls,
    finish: Option<Finish>,
    usage: Option<TokenUsage>,
    pieces: u64,
    done: bool,
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
            done: false,
        }
    }

    fn chunk(&mut self, data: &[u8]) -> Result<(), LlmError> {
        match serde_json::from_slice::<Chunk<'_>>(data) {
            Ok(chunk) => self.take(chunk),
            Err(error) => {
                let mended = mended(data, &error)?;
                self.take(serde_json::from_slice(&mended).map_err(|e| bad_chunk(&e))?)
            }
        }
    }

    fn take(&mut self, chunk: Chunk<'_>) -> Result<(), LlmError> {
        if let Some(error) = chunk.error {
            return Err(status::in_band(error.get().as_bytes(), self.key));
        }
        if let Some(usage) = chunk.usage {
            self.usage = Some(TokenUsage {
                input_tokens: usage.prompt_tokens.unwrap_or(0),
                output_tokens: usage.completion_tokens.unwrap_or(0),
            });
        }
        // One choice is asked for.
        let Some(choice) = chunk.choices.into_iter().flatten().next() else { return Ok(()) };
        if let Some(said) = choice.delta {
            self.said(&said)?;
        }
        match text(choice.finish_reason.as_ref()) {
            "" => {}
            "length" => self.finish = Some(Finish::Length),
            "tool_calls" | "function_call" => self.finish = Some(Finish::ToolCalls),
            "content_filter" => self.finish = Some(Finish::ContentFilter),
            // Some servers name their own end token here.
            _ => self.finish = Some(Finish::Stop),
        }
        Ok(())
    }

    fn said(&mut self, said: &Said<'_>) -> Result<(), LlmError> {
        let thinking = said.reasoning_content.as_ref().or(said.reasoning.as_ref());
        let mut any = self.spoken.think(text(thinking));
        any |= self.spoken.say(text(said.content.as_ref()));
        any |= self.spoken.say(text(said.refusal.as_ref()));
        for piece in said.tool_calls.iter().flatten() {
            any = true;
            let function = piece.function.as_ref();
            let arguments = match function.and_then(|f| f.arguments) {
                None => Text::default(),
                Some(raw) if raw.get().starts_with('"') => {
                    serde_json::from_str(raw.get()).map_err(|e| bad_chunk(&e))?
                }
                Some(raw) => Text(Cow::Borrowed(raw.get())),
            };
            self.calls.take(Piece {
                index: piece.index,
                id: text(piece.id.as_ref()),
                name: text(function.and_then(|f| f.name.as_ref())),
                arguments: arguments.as_str(),
            })?;
        }
        self.pieces += u64::from(any);
        Ok(())
    }

    /// The response; an error where it ended without being complete.
    pub fn finish(self) -> Result<Response, LlmError> {
        let finish = match (self.finish, self.calls.is_empty()) {
            (None, _) => return Err(LlmError::Truncated),
            (Some(Finish::ToolCalls), true) => {
                return Err(LlmError::BadChunk {
                    detail: "finished for tool calls, but made none".to_owned(),
                });
            }
            // Many servers say `stop` after calls too.
            (Some(Finish::Stop), false) => Finish::ToolCalls,
            (Some(finish), _) => finish,
        };
        Ok(Response {
            text: self.spoken.text,
            thinking: self.spoken.thinking,
            calls: self.calls.finish(),
            finish,
            usage: self.usage,
        })
    }
}

impl Assemble for Assembler<'_> {
    fn event(&mut self, event: Event<'_>) -> Result<(), LlmError> {
        let data = event.data.trim_ascii();
        if data == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        if event.name == b"error" {
            return Err(status::in_band(data, self.key));
        }
        if data.is_empty() { Ok(()) } else { self.chunk(data) }
    }

    fn whole(&mut self, body: &[u8]) -> Result<(), LlmError> {
        self.chunk(body)
    }

    fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
        } else if self.finish.is_some() {
            Progress::Finished
        } else {
            Progress::Open
        }
    }

    fn pieces(&self) -> u64 {
        self.pieces
    }

    fn show(&mut self, out: DeltaSink<'_>) {
        self.spoken.show(out);
    }
}
