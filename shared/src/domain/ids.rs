//! Identifiers as types, so that a message's id is never taken for a run's.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

macro_rules! integer_id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::num::ParseIntError;
            fn from_str(s: &str) -> Result<Self, Self::Err> {
                s.parse().map(Self)
            }
        }
    )+};
}

integer_id! {
    /// Owner of everything that a customer of the operator has.
    TenantId,
    /// A stored agent definition.
    AgentId,
    /// A stored provider endpoint.
    ModelId,
    /// A row of a session. An assistant message's id anchors all that its turn does.
    MessageId,
    /// One durable execution of an agent.
    RunId,
    /// A stored question to a person.
    PauseId,
    /// A delegated child of a chat run; its number is that of its run.
    SubagentId,
    /// A person who can log in.
    UserId,
    /// A named set of permissions.
    RoleId,
    /// What a program calls with. It outlives its secrets.
    ApiKeyId,
    /// A browser that is logged in.
    LoginSessionId,
    /// What somebody may use a day.
    QuotaId,
    /// A line of the audit.
    AuditId,
    /// A team of agents under a master.
    CrewId,
}

impl From<RunId> for SubagentId {
    fn from(run_id: RunId) -> Self {
        Self(run_id.0)
    }
}

impl From<SubagentId> for RunId {
    fn from(id: SubagentId) -> Self {
        Self(id.0)
    }
}

impl TenantId {
    /// The tenant that the first start makes.
    pub const FIRST: Self = Self(1);
}

/// One conversation: a UUID, version 7 when made here, 8 where a definition is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct SessionId(pub uuid::Uuid);

impl SessionId {
    /// A new id; ids made later sort later.
    pub fn generate() -> Self {
        Self(uuid::Uuid::now_v7())
    }

    /// A new id of a session that tries a definition. Its form says so: only where it does is the
    /// definition looked for.
    pub fn generate_for_tryout() -> Self {
        Self(uuid::Builder::from_custom_bytes(*uuid::Uuid::new_v4().as_bytes()).into_uuid())
    }

    /// Whether the session may be one that tries a definition; others are not.
    pub fn may_be_tryout(self) -> bool {
        self.0.get_version_num() == 8
    }
}

impl std::fmt::Display for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl std::str::FromStr for SessionId {
    type Err = uuid::Error;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        uuid::Uuid::try_parse(s).map(Self)
    }
}

/// A worker process: host, process id and a random part that is new at each start, so that two
/// replicas with one configuration never share an identity.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct WorkerId(pub String);

impl std::fmt::Display for WorkerId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
