//! A request in the chat-completions dialect.

use super::super::wire::{safe_id, safe_name};
use super::super::{Endpoint, LlmError, arguments};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use shared::domain::conversation::{Entry, Request};
use std::borrow::Cow;

/// What an endpoint can be sent. `tool_choice` is never sent: some servers ignore its object form
/// silently, and nothing here needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Profile {
    /// Asks for the token count.
    pub stream_options: bool,
    /// Calls the limit of the output `max_completion_tokens` instead of `max_tokens`.
    pub new_limit: bool,
    /// The server told which name it wants: it does not change again.
    pub limit_learnt: bool,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    /// `null` beside calls without text.
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: Cow<'a, str>,
    /// One JSON object, as text.
    arguments: Text<'a>,
}

struct Text<'a>(Cow<'a, RawValue>);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.get())
    }
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a RawValue,
}

/// The request's body.
pub(super) fn body(endpoint: &Endpoint, request: &Request, profile: Profile) -> Result<Vec<u8>, LlmError> {
    let system = (!request.system.is_empty()).then(|| message("system", &request.system));
    let limit = request.max_output_tokens.or(endpoint.limits.max_output_tokens);
    let (max_tokens, max_completion_tokens) = if profile.new_limit { (None, limit) } else { (limit, None) };
    let body = Body {
        model: &endpoint.model_name,
        messages: system.into_iter().chain(request.entries.iter().map(entry)).collect(),
        tools: request
            .tools
            .iter()
            .map(|t| Tool {
                r#type: "function",
                function: Function { name: &t.name, description: &t.description, parameters: &t.parameters },
            })
            .collect(),
        stream: true,
        stream_options: profile.stream_options.then_some(StreamOptions { include_usage: true }),
        max_tokens,
        max_completion_tokens,
        temperature: request.temperature,
    };
    serde_json::to_vec(&body).map_err(|e| LlmError::BadRequest { message: e.to_string() })
}

fn message<'a>(role: &'static str, content: &'a str) -> Message<'a> {
    Message { role, content: Some(content), tool_calls: Vec::new(), tool_call_id: None }
}

fn entry(entry: &Entry) -> Message<'_> {
    match entry {
        Entry::User { text } => message("user", text),
        Entry::Assistant { text, calls } => Message {
            role: "assistant",
            content: (!text.is_empty() || calls.is_empty()).then_some(text.as_str()),
            tool_calls: calls
                .iter()
                .map(|call| Call {
                    id: safe_id(&call.id),
                    r#type: "function",
                    function: CalledFunction {
                        name: safe_name(&call.name),
                        arguments: Text(arguments::for_history(&call.arguments)),
                    },
                })
                .collect(),
            tool_call_id: None,
        },
        Entry::ToolResult { tool_call_id, text, .. } => {
            Message { tool_call_id: Some(safe_id(tool_call_id)), ..message("tool", text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Timeouts;
    use super::*;
    use serde_json::{Value, json};
    use shared::domain::conversation::{ToolCall, ToolSpec};
    use shared::domain::models::{ModelLimits, Provider};

    const USUAL: Profile = Profile { stream_options: true, new_limit: false, limit_learnt: false };

    fn rendered(request: &Request, profile: Profile) -> Value {
        let endpoint = Endpoint {
            provider: Provider::Openai,
            model_name: "m".to_owned(),
            base_url: None,
            trusted_host: true,
            api_key: None,
            limits: ModelLimits::default(),
            timeouts: Timeouts::default(),
        };
        serde_json::from_slice(&body(&endpoint, request, profile).unwrap()).unwrap()
    }

    fn request() -> Request {
        let call = |id: &str, name: &str, arguments: &str| ToolCall {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
        };
        let result = |id: &str, text: &str| Entry::ToolResult {
            tool_call_id: id.into(),
            name: "f".into(),
            text: text.into(),
            is_error: false,
        };
        Request {
            system: "be brief".into(),
            entries: vec![
                Entry::User { text: "几点了?".into() },
                Entry::Assistant {
                    text: String::new(),
                    calls: vec![call("a", "f", r#"{"x":1}"#), call("b", "", r#"{"x""#)],
                },
                result("a", "noon"),
                result("b", "no such tool"),
                Entry::Assistant { text: "noon".into(), calls: vec![] },
                Entry::User { text: "thanks".into() },
            ],
            tools: vec![ToolSpec {
                name: "f".into(),
                description: "d".into(),
                parameters: RawValue::from_string(r#"{"type":"object"}"#.into()).unwrap().into(),
            }],
            max_output_tokens: Some(50),
            temperature: Some(0.5),
        }
    }

    #[test]
    fn a_whole_conversation() {
        let expected = json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "be brief"},
                {"role": "user", "content": "几点了?"},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":1}"}},
                    {"id": "b", "type": "function", "function":
                        {"name": "unknown_tool", "arguments": "{\"malformed_arguments\":\"{\\\"x\\\"\"}"}},
                ]},
                {"role": "tool", "content": "noon", "tool_call_id": "a"},
                {"role": "tool", "content": "no such tool", "tool_call_id": "b"},
                {"role": "assistant", "content": "noon"},
                {"role": "user", "content": "thanks"},
            ],
            "tools": [{"type": "function",
                "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}],
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_tokens": 50,
            "temperature": 0.5,
        });
        assert_eq!(rendered(&request(), USUAL), expected);
    }

    #[test]
    fn profiles_and_absent_values() {
        let learnt = Profile { stream_options: false, new_limit: true, limit_learnt: true };
        let value = rendered(&request(), learnt);
        assert_eq!(value["max_completion_tokens"], 50);
        assert!(value.get("max_tokens").is_none() && value.get("stream_options").is_none());
        let bare = Request {
            system: String::new(),
            entries: vec![Entry::User { text: "hi".into() }],
            tools: vec![],
            max_output_tokens: None,
            temperature: None,
        };
        let value = rendered(&bare, learnt);
        assert_eq!(
            value,
            json!({"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": true})
        );
    }
}
