//! API keys: what a program may do with one.

use super::ids::{AgentId, ApiKeyId, CrewId, TenantId, UserId};
use super::permissions::{Permission, Permissions};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::str::FromStr;
use utoipa::ToSchema;

/// What begins every key.
pub const KEY_MARK: &str = "neta_";
/// Characters of the part behind it that a key is found by; `_` follows, and the secret.
pub const KEY_PREFIX_CHARS: usize = 12;

/// A key as stored, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiKey {
    /// Primary key.
    pub id: ApiKeyId,
    /// Whose objects it reaches.
    #[serde(skip)]
    pub tenant_id: TenantId,
    /// In whose name it acts; None: in its own.
    pub user_id: Option<UserId>,
    /// For people.
    pub name: String,
    /// What it may do: `*`, `read`, `chat`, `chat:<agent>`, `crew:<crew>:run`.
    #[schema(value_type = Vec<String>, example = json!(["chat:7", "read"]))]
    pub scopes: Vec<Scope>,
    /// Requests a minute; None: as configured.
    pub rate_per_minute: Option<u32>,
    /// From then on it is refused.
    pub expires_at: Option<DateTime<Utc>>,
    /// Since when it is refused.
    pub revoked_at: Option<DateTime<Utc>>,
    /// About when it was last used, to the minute.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl ApiKey {
    /// Whether it is accepted at this time.
    pub fn is_active(&self, now: DateTime<Utc>) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }

    /// As a person set it.
    pub fn spec(&self) -> KeySpec {
        KeySpec {
            name: self.name.clone(),
            scopes: self.scopes.clone(),
            rate_per_minute: self.rate_per_minute,
            expires_at: self.expires_at,
        }
    }
}

/// What a person sets of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySpec {
    /// For people.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Requests a minute; None: as configured.
    pub rate_per_minute: Option<u32>,
    /// From then on it is refused.
    pub expires_at: Option<DateTime<Utc>>,
}

/// One of the texts that a key is called with, as far as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeySecret {
    /// The text begins with `neta_` and this.
    pub prefix: String,
    /// From then on it is refused.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was made.
    pub create_time: DateTime<Utc>,
}

/// A part of what a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// `*`: all that its user may.
    All,
    /// `read`: see, and change nothing.
    Read,
    /// `chat`: talk to every agent that its user sees.
    Chat,
    /// `chat:{agent}`: talk to this agent.
    ChatWith(AgentId),
    /// `crew:{id}:run`: start this crew and follow what it does.
    CrewRun(CrewId),
}

/// The text is none of the scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of *, read, chat, chat:<agent id>, crew:<crew id>:run")]
pub struct NoScope;

impl FromStr for Scope {
    type Err = NoScope;

    fn from_str(text: &str) -> Result<Self, NoScope> {
        let number = |text: &str| text.parse::<i64>().ok().filter(|n| *n > 0).ok_or(NoScope);
        match text.split(':').collect::<Vec<_>>()[..] {
            ["*"] => Ok(Self::All),
            ["read"] => Ok(Self::Read),
            ["chat"] => Ok(Self::Chat),
            ["chat", agent] => number(agent).map(|id| Self::ChatWith(AgentId(id))),
            ["crew", crew, "run"] => number(crew).map(|id| Self::CrewRun(CrewId(id))),
            _ => Err(NoScope),
        }
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Read => f.write_str("read"),
            Self::Chat => f.write_str("chat"),
            Self::ChatWith(agent) => write!(f, "chat:{agent}"),
            Self::CrewRun(crew) => write!(f, "crew:{crew}:run"),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What a key may do, before what its user may is considered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The permissions of all its scopes.
    pub permissions: Permissions,
    /// The agents that it may talk to; None: its scopes do not say.
    pub agents: Option<Vec<AgentId>>,
}

/// What scopes give together.
pub fn reach(scopes: &[Scope]) -> Reach {
    let mut permissions = Permissions::NONE;
    let mut named = Vec::new();
    let mut any = false;
    for scope in scopes {
        permissions = permissions.union(scope.permissions());
        match scope {
            Scope::ChatWith(agent) => named.push(*agent),
            Scope::All | Scope::Chat => any = true,
            Scope::Read | Scope::CrewRun(_) => {}
        }
    }
    named.sort_unstable();
    named.dedup();
    let limited = !any && !named.is_empty();
    Reach { permissions, agents: limited.then_some(named) }
}

/// What somebody must be able to do to make, or to get hold of, a key with these scopes that does not
/// act in their own name: as much as the key. In another person's name that is also to reach what is
/// that person's alone.
pub fn needed_to_give(scopes: &[Scope], in_anothers_name: bool) -> Permissions {
    use Permission::{
        AgentUse, AgentView, AgentViewAll, SessionChat, SessionEdit, SessionEditAll, SessionView,
        SessionViewAll,
    };
    let permissions = reach(scopes).permissions;
    if !in_anothers_name {
        return permissions;
    }
    let pairs = [
        (AgentUse, AgentViewAll),
        (AgentView, AgentViewAll),
        (SessionView, SessionViewAll),
        (SessionChat, SessionEditAll),
        (SessionEdit, SessionEditAll),
    ];
    let reached = pairs.into_iter().filter(|(own, _)| permissions.has(*own)).map(|(_, all)| all);
    permissions.union(reached.collect())
}

impl Scope {
    fn permissions(self) -> Permissions {
        use Permission::{
            AgentUse, AgentView, AgentViewAll, AuditView, CrewTrigger, CrewView, ModelView, QueueView,
            SessionChat, SessionEdit, SessionView, SessionViewAll, UserView,
        };
        match self {
            Self::All => Permissions::all(),
            Self::Read => [
                AgentUse,
                AgentView,
                AgentViewAll,
                ModelView,
                SessionView,
                SessionViewAll,
                CrewView,
                QueueView,
                UserView,
                AuditView,
            ]
            .into_iter()
            .collect(),
            Self::Chat | Self::ChatWith(_) => {
                [AgentUse, SessionView, SessionChat, SessionEdit].into_iter().collect()
            }
            Self::CrewRun(_) => [CrewTrigger, CrewView].into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_read_back_and_nothing_else_is_one() {
        for text in ["*", "read", "chat", "chat:7", "crew:12:run"] {
            assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "all",
            "chat:",
            "chat:x",
            "chat:0",
            "chat:-1",
            "chat:1:2",
            "crew:1",
            "crew:1:stop",
            "Read",
            "* ",
        ] {
            assert_eq!(text.parse::<Scope>(), Err(NoScope), "{text}");
        }
    }

    #[test]
    fn a_key_for_one_agent_talks_to_that_one_only_and_reads_nothing_else() {
        let one = reach(&[Scope::ChatWith(AgentId(7)), Scope::ChatWith(AgentId(7))]);
        assert_eq!(one.agents, Some(vec![AgentId(7)]));
        assert!(one.permissions.has(Permission::SessionChat));
        assert!(!one.permissions.has(Permission::AgentView) && !one.permissions.has(Permission::ModelView));
        assert_eq!(reach(&[Scope::ChatWith(AgentId(7)), Scope::Chat]).agents, None);
        assert_eq!(reach(&[Scope::ChatWith(AgentId(7)), Scope::Read]).agents, Some(vec![AgentId(7)]));
    }

    #[test]
    fn nobody_gives_more_than_they_have() {
        use Permission::{AgentViewAll, SessionEditAll, SessionView, SessionViewAll};
        let chat = [Scope::Chat];
        assert_eq!(needed_to_give(&chat, false), reach(&chat).permissions, "a key in its own name");
        let for_another = needed_to_give(&chat, true);
        for all in [AgentViewAll, SessionViewAll, SessionEditAll] {
            assert!(for_another.has(all), "{all:?}: the other's own agents and sessions are reached");
        }
        assert!(for_another.covers(reach(&chat).permissions) && for_another.has(SessionView));
        let crew = [Scope::CrewRun(CrewId(1))];
        assert_eq!(needed_to_give(&crew, true), reach(&crew).permissions, "no session is reached");
        assert_eq!(needed_to_give(&[Scope::All], true), Permissions::all());
    }

    #[test]
    fn reading_changes_nothing() {
        let read = reach(&[Scope::Read]).permissions;
        let harmless = |p: Permission| {
            let name = p.as_str();
            name.ends_with(":view") || name.ends_with(":view_all") || name == "agent:use"
        };
        assert!(read.iter().all(harmless), "{read:?}");
        assert_eq!(reach(&[]).permissions, Permissions::NONE);
    }
}
