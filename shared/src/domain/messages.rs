//! A row of a session.

use super::conversation::TokenUsage;
use super::ids::{MessageId, RunId, SessionId, TenantId};
use super::journal::ToolStatus;
use super::subagents::SubagentBatch;
use super::todos::TodoItem;
use super::told::Told;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MessageRole)]
pub enum Role {
    /// The person.
    User,
    /// The agent.
    Assistant,
}

impl Role {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        [Self::User, Self::Assistant].into_iter().find(|r| r.as_str() == s)
    }
}

/// Where a message stands. User messages are complete from the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// The placeholder of a turn that has not ended.
    Pending,
    /// Whole.
    Completed,
    /// The turn failed; the text is what there was.
    Failed,
    /// The turn was stopped; the text is what there was.
    Cancelled,
}

impl MessageStatus {
    const ALL: [Self; 4] = [Self::Pending, Self::Completed, Self::Failed, Self::Cancelled];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.as_str() == s)
    }
}

/// A message as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Primary key; orders the session.
    pub id: MessageId,
    /// Owner.
    pub tenant_id: TenantId,
    /// Its session.
    pub session_id: SessionId,
    /// Who speaks.
    pub role: Role,
    /// Where it stands.
    pub status: MessageStatus,
    /// What is said.
    pub content: String,
    /// What the model showed of its reasoning.
    pub thinking: String,
    /// What the turn did besides.
    pub metadata: Metadata,
    /// The run that writes it; None for user messages.
    pub run_id: Option<RunId>,
    /// Tokens of the whole turn.
    pub usage: Option<TokenUsage>,
    /// Price of the whole turn, where the model has prices.
    pub cost: Option<f64>,
    /// Why it failed.
    pub error: Option<ErrorInfo>,
    /// The sender's id of it, unique for the tenant.
    pub client_message_id: Option<String>,
    /// When it was accepted.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

/// What stands beside a message: of an answer what the turn did besides, written once, when it ends; of
/// a user's message what its sender told with it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    /// The plan as it last stood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub todos: Vec<TodoItem>,
    /// The tool calls in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolActivity>,
    /// The subagents, by batch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subagents: Vec<SubagentBatch>,
    /// The named limit that shaped a completed answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<super::runs::Reason>,
    /// The conversation before a user's message, where its sender tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
}

/// One tool call as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolActivity {
    /// The provider's id of the call.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// The argument text, cut to 2,000 characters.
    pub arguments: String,
    /// How many characters it has, where it is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub argument_chars: Option<u32>,
    /// Where it stands.
    pub status: ToolStatus,
    /// The beginning of its result, at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// How many characters the result has, where it is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_chars: Option<u32>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

/// Why a turn failed, in words that a user can act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorInfo {
    /// The reason's stable name.
    pub kind: super::runs::Reason,
    /// For the user.
    pub message: String,
}
