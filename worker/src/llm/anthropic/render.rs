//! A request in the messages dialect.

use super::super::wire::{safe_id, safe_name};
use super::super::{Endpoint, LlmError, arguments};
use serde::Serialize;
use serde_json::value::RawValue;
use shared::domain::conversation::{Entry, Request};
use std::borrow::Cow;

/// The dialect requires a limit of the output; this one where nobody set any.
const DEFAULT_MAX_TOKENS: u32 = 8_192;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    stream: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: Cow<'a, str>,
        input: Cow<'a, RawValue>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a RawValue,
}

/// The request's body.
pub(super) fn body(endpoint: &Endpoint, request: &Request) -> Result<Vec<u8>, LlmError> {
    let body = Body {
        model: &endpoint.model_name,
        system: &request.system,
        messages: messages(&request.entries),
        tools: request
            .tools
            .iter()
            .map(|t| Tool { name: &t.name, description: &t.description, input_schema: &t.parameters })
            .collect(),
        max_tokens: request
            .max_output_tokens
            .or(endpoint.limits.max_output_tokens)
            .unwrap_or(DEFAULT_MAX_TOKENS),
        temperature: request.temperature,
        stream: true,
    };
    serde_json::to_vec(&body).map_err(|e| LlmError::BadRequest { message: e.to_string() })
}

/// Roles alternate: results of tools are the user's, and neighbours of one role are one message.
fn messages(entries: &[Entry]) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::new();
    for entry in entries {
        let (role, blocks) = blocks(entry);
        match messages.last_mut() {
            Some(last) if last.role == role => last.content.extend(blocks),
            // A message without blocks is refused.
            _ if blocks.is_empty() => {}
            _ => messages.push(Message { role, content: blocks }),
        }
    }
    messages
}

fn blocks(entry: &Entry) -> (&'static str, Vec<Block<'_>>) {
    // A text block without a visible character is refused.
    let text = |text| Some(Block::Text { text }).filter(|_| !str::trim(text).is_empty());
    match entry {
        Entry::User { text: said } => ("user", text(said).into_iter().collect()),
        Entry::Assistant { text: said, calls } => {
            let calls = calls.iter().map(|call| Block::ToolUse {
                id: safe_id(&call.id),
                name: safe_name(&call.name),
                input: arguments::for_history(&call.arguments),
            });
            ("assistant", text(said).into_iter().chain(calls).collect())
        }
        Entry::ToolResult { tool_call_id, text, is_error, .. } => (
            "user",
            vec![Block::ToolResult {
                tool_use_id: safe_id(tool_call_id),
                content: text,
                is_error: *is_error,
            }],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Timeouts;
    use super::*;
    use serde_json::{Value, json};
    use shared::domain::conversation::{ToolCall, ToolSpec};
    use shared::domain::models::{ModelLimits, Provider};

    fn rendered(request: &Request) -> Value {
        let endpoint = Endpoint {
            provider: Provider::Anthropic,
            model_name: "m".to_owned(),
            base_url: None,
            trusted_host: true,
            api_key: None,
            limits: ModelLimits::default(),
            timeouts: Timeouts::default(),
        };
        serde_json::from_slice(&body(&endpoint, request).unwrap()).unwrap()
    }

    #[test]
    fn a_whole_conversation() {
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        };
        let result = |id: &str, text: &str, is_error: bool| Entry::ToolResult {
            tool_call_id: id.into(),
            name: "f".into(),
            text: text.into(),
            is_error,
        };
        let user = |text: &str| Entry::User { text: text.into() };
        let request = Request {
            system: "be brief".into(),
            entries: vec![
                user("几点了?"),
                Entry::Assistant {
                    text: String::new(),
                    calls: vec![call("a|1", "f", r#"{"x":1}"#), call("b", "g", "")],
                },
                result("a|1", "noon", false),
                result("b", "failed", true),
                user("and now?"),
                Entry::Assistant { text: " ".into(), calls: vec![] },
                user("hello?"),
                Entry::Assistant { text: "noon".into(), calls: vec![] },
                user("thanks"),
            ],
            tools: vec![ToolSpec {
                name: "f".into(),
                description: "d".into(),
                parameters: RawValue::from_string(r#"{"type":"object"}"#.into()).unwrap().into(),
            }],
            max_output_tokens: None,
            temperature: None,
        };
        let expected = json!({
            "model": "m",
            "system": "be brief",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "几点了?"}]},
                {"role": "assistant", "content": [
                    {"type": "tool_use", "id": "a_1", "name": "f", "input": {"x": 1}},
                    {"type": "tool_use", "id": "b", "name": "g", "input": {}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a_1", "content": "noon"},
                    {"type": "tool_result", "tool_use_id": "b", "content": "failed", "is_error": true},
                    {"type": "text", "text": "and now?"},
                    {"type": "text", "text": "hello?"},
                ]},
                {"role": "assistant", "content": [{"type": "text", "text": "noon"}]},
                {"role": "user", "content": [{"type": "text", "text": "thanks"}]},
            ],
            "tools": [{"name": "f", "description": "d", "input_schema": {"type": "object"}}],
            "max_tokens": 8192,
            "stream": true,
        });
        assert_eq!(rendered(&request), expected);
        let limited =
            Request { system: String::new(), max_output_tokens: Some(9), temperature: Some(0.5), ..request };
        let value = rendered(&limited);
        assert_eq!((&value["max_tokens"], &value["temperature"]), (&json!(9), &json!(0.5)));
        assert!(value.get("system").is_none());
    }
}
