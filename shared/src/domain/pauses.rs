//! Questions to a person that a run waits on.

use super::ids::{MessageId, PauseId, RunId, SessionId, TenantId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseKind {
    /// A supervisor asks the user.
    Clarify,
    /// A crew's member needs help.
    Escalate,
    /// Something may only happen with consent.
    Approval,
    /// Tokens or money of the tree are used up.
    Budget,
}

impl PauseKind {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clarify => "clarify",
            Self::Escalate => "escalate",
            Self::Approval => "approval",
            Self::Budget => "budget",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        [Self::Clarify, Self::Escalate, Self::Approval, Self::Budget].into_iter().find(|k| k.as_str() == s)
    }
}

/// Where a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseStatus {
    /// Nobody has answered.
    Open,
    /// Somebody has.
    Answered,
    /// Nobody did in time.
    Expired,
    /// Its run ended first.
    Cancelled,
}

impl PauseStatus {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered => "answered",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        [Self::Open, Self::Answered, Self::Expired, Self::Cancelled].into_iter().find(|k| k.as_str() == s)
    }
}

/// A question as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    /// Primary key.
    pub id: PauseId,
    /// Owner.
    pub tenant_id: TenantId,
    /// Its session.
    pub session_id: SessionId,
    /// The assistant message in which it is asked.
    pub message_id: MessageId,
    /// The run that waits; for a budget the root of the tree.
    pub run_id: RunId,
    /// The call that asks; for a budget a name of its own.
    pub tool_call_id: String,
    /// What is asked.
    pub kind: PauseKind,
    /// In words.
    pub question: String,
    /// Answers to choose from; other answers are allowed to a `clarify` only.
    pub options: Vec<String>,
    /// Where it stands.
    pub status: PauseStatus,
    /// The answer.
    pub answer: Option<String>,
    /// When it expires.
    pub deadline: Option<DateTime<Utc>>,
    /// When it was asked.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl Pause {
    /// Whether this may be its answer: one of those that are offered, unless a person may say anything.
    pub fn accepts(&self, answer: &str) -> bool {
        match self.kind {
            PauseKind::Clarify => true,
            PauseKind::Escalate if self.options.is_empty() => true,
            PauseKind::Escalate | PauseKind::Approval | PauseKind::Budget => {
                self.options.iter().any(|o| o == answer)
            }
        }
    }
}

/// A question that waits for a person, as readers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenPause {
    /// By which it is answered.
    pub pause_id: PauseId,
    /// What is asked.
    pub kind: PauseKind,
    /// In words.
    pub question: String,
    /// Answers to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// When it expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<DateTime<Utc>>,
}

impl From<&Pause> for OpenPause {
    fn from(pause: &Pause) -> Self {
        Self {
            pause_id: pause.id,
            kind: pause.kind,
            question: pause.question.clone(),
            options: pause.options.clone(),
            deadline: pause.deadline,
        }
    }
}

/// What a person may decide about a budget that is used up.
pub const RAISE: &str = "raise";
/// The supervisor answers from what it has.
pub const FINISH_NOW: &str = "finish now";
/// The whole turn is stopped.
pub const STOP: &str = "stop";
/// The decisions in the order in which they are offered.
pub const BUDGET_OPTIONS: [&str; 3] = [RAISE, FINISH_NOW, STOP];
