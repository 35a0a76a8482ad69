//! One conversation.

use super::access::Owner;
use super::ids::{AgentId, ApiKeyId, SessionId, TenantId, UserId};
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
    /// What it is for.
    pub kind: SessionKind,
    /// Shown to people; the first message's beginning until renamed.
    pub title: String,
    /// When it began.
    pub create_time: DateTime<Utc>,
    /// When its last turn was accepted.
    pub update_time: DateTime<Utc>,
}

impl Session {
    /// Whose it is; None: the operator's.
    pub fn owner(&self) -> Option<Owner> {
        self.user_id.map(Owner::User).or(self.api_key_id.map(Owner::Key))
    }
}
