//! A request in the dialect, and what of it a turn does not offer.

use super::error::Refusal;
use super::messages::{self, ChatMessage, Said};
use serde::Deserialize;
use serde_json::Value;
use shared::domain::ids::SessionId;
use utoipa::ToSchema;

/// Asks an agent for the answer to the last message.
///
/// Fields that are not listed are accepted and have no effect; so have those that the agent decides:
/// `temperature`, `top_p`, `max_tokens`, `max_completion_tokens`, `stop`, `seed`, `presence_penalty`,
/// `frequency_penalty`, `logit_bias`, `reasoning_effort`, `user`, `store`, `service_tier`.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ChatCompletionRequest {
    /// The agent: its name, or its number.
    pub model: String,
    /// The conversation; the last message is the user's, and is answered. The others are what the
    /// agent is told of it, in place of what the session has.
    pub messages: Vec<ChatMessage>,
    /// Whether the answer comes in pieces.
    #[serde(default)]
    pub stream: Option<bool>,
    /// How it comes in pieces.
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    /// `session_id` names the session; other entries have no effect.
    #[serde(default)]
    pub metadata: Option<RequestMetadata>,
    /// Answers: 1.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1)]
    pub n: Option<i64>,
    /// Tools of the caller: none. The agent has its own.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>, max_items = 0)]
    pub tools: Option<Vec<Value>>,
    /// `none` or `auto`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub tool_choice: Option<Value>,
    /// Tools of the caller by their older name: none.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>, max_items = 0)]
    pub functions: Option<Vec<Value>>,
    /// `none` or `auto`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub function_call: Option<Value>,
    /// Of type `text`.
    #[serde(default)]
    pub response_format: Option<ResponseFormat>,
    /// `text`.
    #[serde(default)]
    pub modalities: Option<Vec<String>>,
    /// Nothing.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub audio: Option<Value>,
    /// No.
    #[serde(default)]
    pub logprobs: Option<bool>,
    /// None.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 0)]
    pub top_logprobs: Option<i64>,
}

/// How an answer comes in pieces.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct StreamOptions {
    /// Whether a last piece tells the tokens.
    #[serde(default)]
    pub include_usage: Option<bool>,
}

/// What the caller says besides.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct RequestMetadata {
    /// The session, a UUID; one that is not known yet begins. If it has an open question, the last
    /// message answers it.
    #[serde(default)]
    pub session_id: Option<SessionId>,
}

/// In which form the answer is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ResponseFormat {
    /// `text`.
    #[serde(rename = "type")]
    pub kind: String,
}

impl ChatCompletionRequest {
    /// What it says, if it asks for nothing that a turn does not offer.
    pub fn read(&self) -> Result<Said, Refusal> {
        self.check()?;
        messages::read(&self.messages)
    }

    /// Whether the tokens are told at the end of a stream.
    pub fn include_usage(&self) -> bool {
        self.stream_options.as_ref().and_then(|o| o.include_usage).unwrap_or(false)
    }

    /// The session that it names.
    pub fn session_id(&self) -> Option<SessionId> {
        self.metadata.as_ref().and_then(|m| m.session_id)
    }

    fn check(&self) -> Result<(), Refusal> {
        const TOOLS: &str = "tools of the caller are not supported: give the agent its tools in Neta";
        let some = |list: &Option<Vec<Value>>| list.as_ref().is_some_and(|l| !l.is_empty());
        let chosen = |choice: &Option<Value>| {
            choice.as_ref().is_some_and(|c| !c.is_null() && !matches!(c.as_str(), Some("none" | "auto")))
        };
        let text = |kind: &str| kind == "text";
        let wrong = [
            (some(&self.tools), "tools", TOOLS),
            (some(&self.functions), "functions", TOOLS),
            (chosen(&self.tool_choice), "tool_choice", TOOLS),
            (chosen(&self.function_call), "function_call", TOOLS),
            (self.n.is_some_and(|n| n != 1), "n", "an agent gives one answer"),
            (
                self.response_format.as_ref().is_some_and(|f| !text(&f.kind)),
                "response_format",
                "an agent answers in text: ask for a form in the prompt",
            ),
            (
                self.modalities.as_ref().is_some_and(|m| m.iter().any(|m| !text(m))),
                "modalities",
                "an agent answers in text",
            ),
            (self.audio.as_ref().is_some_and(|a| !a.is_null()), "audio", "an agent answers in text"),
            (self.logprobs == Some(true), "logprobs", "are not available"),
            (self.top_logprobs.is_some_and(|n| n != 0), "top_logprobs", "are not available"),
        ];
        match wrong.into_iter().find(|(is_wrong, _, _)| *is_wrong) {
            Some((_, param, message)) => Err(Refusal::unsupported(param, message)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(more: &Value) -> ChatCompletionRequest {
        let mut body = json!({ "model": "a", "messages": [{ "role": "user", "content": "hi" }] });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        serde_json::from_value(body).unwrap()
    }

    #[test]
    fn what_a_turn_does_not_offer_is_refused_by_name() {
        let table = [
            ("tools", json!([{ "type": "function", "function": { "name": "f" } }])),
            ("functions", json!([{ "name": "f" }])),
            ("tool_choice", json!("required")),
            ("tool_choice", json!({ "type": "function", "function": { "name": "f" } })),
            ("function_call", json!({ "name": "f" })),
            ("n", json!(2)),
            ("n", json!(0)),
            ("response_format", json!({ "type": "json_object" })),
            ("modalities", json!(["text", "audio"])),
            ("audio", json!({ "voice": "x" })),
            ("logprobs", json!(true)),
            ("top_logprobs", json!(3)),
        ];
        for (param, value) in table {
            let (status, body) = request(&json!({ param: value })).read().unwrap_err().body();
            assert_eq!((status.as_u16(), body.error.param.as_deref()), (400, Some(param)));
            assert!(body.error.message.starts_with(param), "{body:?}");
        }
    }

    #[test]
    fn what_has_no_effect_is_accepted() {
        let more = json!({
            "temperature": 0.1, "top_p": 1, "max_tokens": 9, "max_completion_tokens": 9, "stop": ["x"], "seed": 1,
            "presence_penalty": 0.5, "user": "u", "store": true, "n": 1, "tools": [], "tool_choice": "auto",
            "function_call": "none", "response_format": { "type": "text" }, "modalities": ["text"],
            "logprobs": false, "top_logprobs": null, "audio": null, "parallel_tool_calls": true,
            "stream_options": { "include_usage": null, "include_obfuscation": false },
            "metadata": { "team": "a" }, "of_the_future": { "x": [1] },
        });
        let request = request(&more);
        assert_eq!(request.read().unwrap().message, "hi");
        assert_eq!((request.include_usage(), request.session_id()), (false, None));
    }
}
