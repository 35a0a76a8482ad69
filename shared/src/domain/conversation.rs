//! What a model is sent and what it answers, in no provider's dialect.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// One entry of the request's message list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Entry {
    /// What the person said.
    User {
        /// Never empty.
        text: String,
    },
    /// What the model said: text, calls, or both.
    Assistant {
        /// May be empty when there are calls.
        text: String,
        /// In the order in which the model made them.
        calls: Vec<ToolCall>,
    },
    /// The result of one call; follows the assistant entry that made it.
    ToolResult {
        /// The provider's id of the call.
        tool_call_id: String,
        /// The tool's name.
        name: String,
        /// What the model reads.
        text: String,
        /// Whether it tells of a failure.
        is_error: bool,
    },
}

/// The model's request to run a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// The provider's id, or one made here when it sent none. Unique within its response.
    pub id: String,
    /// The tool's name as the model gave it.
    pub name: String,
    /// The argument text as the model gave it: not yet known to be JSON.
    pub arguments: String,
}

/// A tool as the model sees it.
#[derive(Debug, Clone)]
pub struct ToolSpec {
    /// Unique within a request; `[a-zA-Z0-9_-]{1,64}`.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments, an object.
    pub parameters: Arc<RawValue>,
}

/// Everything that one model call sends.
#[derive(Debug, Clone)]
pub struct Request {
    /// May be empty: then none is sent.
    pub system: String,
    /// Begins with a user entry.
    pub entries: Vec<Entry>,
    /// Empty: the model may only answer in text.
    pub tools: Vec<ToolSpec>,
    /// At most so many tokens of output, where the agent or model sets it.
    pub max_output_tokens: Option<u32>,
    /// Sampling temperature, where the agent sets it.
    pub temperature: Option<f32>,
}

/// Tokens of one call, as the provider counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenUsage {
    /// Prompt tokens, cached ones included.
    pub input_tokens: u64,
    /// Completion tokens, thinking included.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// A complete response of a model: one that ended with a finish reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The text for the user.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What the provider showed of its reasoning.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// In order. Not to be run when `finish` is `Length`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Why it ended.
    pub finish: Finish,
    /// None where the provider sent no count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

/// Why a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model had said all.
    Stop,
    /// The model wants its calls run.
    ToolCalls,
    /// The output limit cut it.
    Length,
    /// The provider withheld the rest.
    ContentFilter,
}

/// One piece of a response as it streams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// More text.
    Text(String),
    /// More thinking.
    Thinking(String),
    /// The attempt failed and is made anew: what this call showed so far does not count.
    Reset,
}
