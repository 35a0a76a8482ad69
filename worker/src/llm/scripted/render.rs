//! A reply as the bytes of either dialect.

use super::reply::{Part, Pause, Reply};
use serde_json::{Value, json};

/// What goes over the wire, in order.
pub(in crate::llm) enum Segment {
    Bytes(Vec<u8>),
    Pause(Pause),
    /// Again and again.
    Endless(Vec<u8>),
}

/// The body of a reply. `counted`: the caller asked for the token count.
pub(in crate::llm) fn body(reply: &Reply, anthropic: bool, counted: bool) -> Vec<Segment> {
    let mut out = Out { segments: Vec::new(), anthropic, block: None, blocks: 0 };
    let natural_calls = reply.parts.iter().any(|p| matches!(p, Part::Call { .. }));
    if anthropic && reply.parts.iter().any(|p| !matches!(p, Part::Raw(_))) {
        let input = reply.usage.map_or(0, |u| u.0);
        let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
            "content": [], "usage": {"input_tokens": input, "output_tokens": 1}});
        out.event("message_start", &json!({"type": "message_start", "message": message}));
    }
    let mut calls = 0;
    for (number, part) in reply.parts.iter().enumerate() {
        if let Some(time) = reply.every.filter(|_| number > 0) {
            out.segments.push(Segment::Pause(Pause::For(time)));
        }
        out.part(part, &mut calls);
    }
    if reply.end {
        let reason = match (&reply.finish, anthropic, natural_calls) {
            (Some(reason), _, _) => reason.as_str(),
            (None, true, true) => "tool_use",
            (None, true, false) => "end_turn",
            (None, false, true) => "tool_calls",
            (None, false, false) => "stop",
        };
        out.finish(reason, reply.usage, counted);
    }
    out.segments
}

struct Out {
    segments: Vec<Segment>,
    anthropic: bool,
    block: Option<&'static str>,
    blocks: usize,
}

impl Out {
    fn bytes(&mut self, bytes: &[u8]) {
        match self.segments.last_mut() {
            Some(Segment::Bytes(last)) => last.extend_from_slice(bytes),
            _ => self.segments.push(Segment::Bytes(bytes.to_vec())),
        }
    }

    fn event(&mut self, name: &str, data: &Value) {
        let head = if self.anthropic { format!("event: {name}\n") } else { String::new() };
        self.bytes(format!("{head}data: {data}\n\n").as_bytes());
    }

    fn chunk(&mut self, delta: &Value, finish: Option<&str>) {
        self.event("", &openai_chunk(delta, finish));
    }

    fn part(&mut self, part: &Part, calls: &mut usize) {
        match part {
            Part::Raw(bytes) => self.bytes(bytes),
            Part::Pause(pause) => self.segments.push(Segment::Pause(*pause)),
            Part::Endless(text) if self.anthropic => {
                self.open("text", &json!({"type": "text", "text": ""}));
                let data = json!({"type": "content_block_delta", "index": self.blocks - 1,
                    "delta": {"type": "text_delta", "text": text}});
                self.segments
                    .push(Segment::Endless(format!("event: content_block_delta\ndata: {data}\n\n").into()));
            }
            Part::Endless(text) => {
                let data = openai_chunk(&json!({"content": text}), None);
                self.segments.push(Segment::Endless(format!("data: {data}\n\n").into()));
            }
            Part::Error { kind, message } => {
                let error = json!({"type": kind, "message": message});
                self.event("error", &json!({"type": "error", "error": error}));
            }
            Part::Text(text) if self.anthropic => {
                self.open("text", &json!({"type": "text", "text": ""}));
                self.block_delta(&json!({"type": "text_delta", "text": text}));
            }
            Part::Text(text) => self.chunk(&json!({"content": text}), None),
            Part::Thinking(text) if self.anthropic => {
                self.open("thinking", &json!({"type": "thinking", "thinking": ""}));
                self.block_delta(&json!({"type": "thinking_delta", "thinking": text}));
            }
            Part::Thinking(text) => self.chunk(&json!({"reasoning_content": text}), None),
            Part::Call { id, name, arguments } => self.call(id, name, arguments, calls),
        }
    }

    /// In two pieces, as real providers do.
    fn call(&mut self, id: &str, name: &str, arguments: &str, calls: &mut usize) {
        let half = arguments.char_indices().nth(arguments.chars().count() / 2).map_or(0, |(at, _)| at);
        let (first, second) = arguments.split_at(half);
        if self.anthropic {
            self.close();
            self.open("tool_use", &json!({"type": "tool_use", "id": id, "name": name, "input": {}}));
            for piece in [first, second] {
                self.block_delta(&json!({"type": "input_json_delta", "partial_json": piece}));
            }
            self.close();
        } else {
            self.chunk(
                &json!({"tool_calls": [{"index": calls, "id": id, "type": "function",
                    "function": {"name": name, "arguments": first}}]}),
                None,
            );
            self.chunk(&json!({"tool_calls": [{"index": calls, "function": {"arguments": second}}]}), None);
        }
        *calls += 1;
    }

    fn open(&mut self, kind: &'static str, block: &Value) {
        if self.block == Some(kind) {
            return;
        }
        self.close();
        let data = json!({"type": "content_block_start", "index": self.blocks, "content_block": block});
        self.event("content_block_start", &data);
        self.block = Some(kind);
        self.blocks += 1;
    }

    fn block_delta(&mut self, delta: &Value) {
        let data = json!({"type": "content_block_delta", "index": self.blocks - 1, "delta": delta});
        self.event("content_block_delta", &data);
    }

    fn close(&mut self) {
        if self.block.take().is_some() {
            let data = json!({"type": "content_block_stop", "index": self.blocks - 1});
            self.event("content_block_stop", &data);
        }
    }

    fn finish(&mut self, reason: &str, usage: Option<(u64, u64)>, counted: bool) {
        if self.anthropic {
            self.close();
            let output = usage.map_or(0, |u| u.1);
            let data = json!({"type": "message_delta", "delta": {"stop_reason": reason},
                "usage": {"output_tokens": output}});
            self.event("message_delta", &data);
            self.event("message_stop", &json!({"type": "message_stop"}));
            return;
        }
        self.chunk(&json!({}), Some(reason));
        if let Some((input, output)) = usage.filter(|_| counted) {
            let usage = json!({"prompt_tokens": input, "completion_tokens": output,
                "total_tokens": input + output});
            self.event(
                "",
                &json!({"id": "c1", "object": "chat.completion.chunk", "choices": [], "usage": usage}),
            );
        }
        self.bytes(b"data: [DONE]\n\n");
    }
}

fn openai_chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({"id": "c1", "object": "chat.completion.chunk", "model": "scripted",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}
