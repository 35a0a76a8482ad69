//! One conversation.

use super::access::Owner;
use super::ids::{AgentId, ApiKeyId, MessageId, RunId, SessionId, TenantId, UserId};
use super::runs::RunStatus;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionKind {
    /// A person talks to an agent.
    Chat,
    /// A crew's master at work.
    CrewMaster,
    /// A crew's member at work.
    CrewTask,
}

impl SessionKind {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::CrewMaster => "crew_master",
            Self::CrewTask => "crew_task",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        [Self::Chat, Self::CrewMaster, Self::CrewTask].into_iter().find(|k| k.as_str() == s)
    }
}

/// A session as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Primary key.
    pub id: SessionId,
    /// Owner.
    #[serde(skip)]
    pub tenant_id: TenantId,
    /// The person whose it is; None: the operator's, or a key's.
    pub user_id: Option<UserId>,
    /// The key whose it is, where that acts in its own name.
    pub api_key_id: Option<ApiKeyId>,
    /// The agent that it began with; None once that is deleted.
    pub agent_id: Option<AgentId>,
    /// That agent's name now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_name: Option<String>,
    /// What it is for.
    pub kind: SessionKind,
    /// Shown to people; the first message's beginning until renamed.
    pub title: String,
    /// When it began.
    pub create_time: DateTime<Utc>,
    /// When its last turn was accepted.
    pub update_time: DateTime<Utc>,
    /// Kept at hand by those who see it.
    pub pinned: bool,
    /// Its first turn that has not ended, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveTurn>,
    /// Questions that its turns wait for a person to answer.
    pub open_pauses: u64,
}

/// A session's turn that is at work, or is next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveTurn {
    /// Its answer's message.
    pub message_id: MessageId,
    /// Its run.
    pub run_id: RunId,
    /// Where that stands.
    pub status: RunStatus,
    /// Turns that wait behind it.
    pub queued_turns: u64,
    /// Its subagents that have not ended, without those held back until others end.
    pub active_subagents: u64,
}

/// What a session holds: what is gone when it is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionContents {
    /// Turns, ended or not.
    pub turns: u64,
    /// Messages.
    pub messages: u64,
    /// Subagents of its turns.
    pub subagents: u64,
    /// Turns that have not ended.
    pub live_turns: u64,
    /// Questions that wait for a person.
    pub open_pauses: u64,
}

impl Session {
    /// Whose it is; None: the operator's.
    pub fn owner(&self) -> Option<Owner> {
        self.user_id.map(Owner::User).or(self.api_key_id.map(Owner::Key))
    }
}
