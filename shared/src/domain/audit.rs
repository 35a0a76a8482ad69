//! The audit: who did what to which object.

use super::access::{Actor, Principal};
use super::ids::{AuditId, TenantId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What kind of somebody acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// The holder of the administrator's token, or Neta itself at its start.
    Operator,
    /// A person.
    User,
    /// A program with a key.
    Key,
    /// Somebody who is not known, as at a failed login.
    Nobody,
}

impl ActorKind {
    const ALL: [Self; 4] = [Self::Operator, Self::User, Self::Key, Self::Nobody];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::User => "user",
            Self::Key => "key",
            Self::Nobody => "nobody",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Who acted, as the audit keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct By {
    /// What kind of somebody.
    pub kind: ActorKind,
    /// The user's or the key's number.
    pub id: Option<i64>,
    /// Their name at that time.
    pub name: String,
    /// Where they came from.
    pub address: Option<String>,
}

impl By {
    /// Somebody who was authenticated.
    pub fn of(principal: &Principal, address: Option<String>) -> Self {
        let (kind, id) = match principal.actor {
            Actor::Operator => (ActorKind::Operator, None),
            Actor::User { id, .. } => (ActorKind::User, Some(id.0)),
            Actor::Key { id, .. } => (ActorKind::Key, Some(id.0)),
        };
        Self { kind, id, name: principal.name.to_string(), address }
    }

    /// Neta itself, at its start or on its own clock.
    pub fn neta() -> Self {
        Self { kind: ActorKind::Operator, id: None, name: "neta".to_owned(), address: None }
    }

    /// Somebody who is not known.
    pub fn nobody(address: Option<String>) -> Self {
        Self { kind: ActorKind::Nobody, id: None, name: String::new(), address }
    }
}

/// A line that is to be written. It never holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Whose audit it belongs to.
    pub tenant_id: TenantId,
    /// Who.
    pub by: By,
    /// What: `<kind of object>.<verb>`, as `agent.update`.
    pub action: &'static str,
    /// To what kind of object.
    pub object_kind: &'static str,
    /// Its id.
    pub object_id: String,
    /// How it was.
    pub before: Option<Value>,
    /// How it is.
    pub after: Option<Value>,
}

impl Entry {
    /// That somebody did this to the object of this id; its kind is what the action begins with.
    pub fn new(tenant_id: TenantId, by: By, action: &'static str, object_id: &impl ToString) -> Self {
        let object_kind = action.split_once('.').map_or(action, |(kind, _)| kind);
        Self {
            tenant_id,
            by,
            action,
            object_kind,
            object_id: object_id.to_string(),
            before: None,
            after: None,
        }
    }

    /// With how it was.
    #[must_use]
    pub fn before(mut self, shown: &impl Serialize) -> Self {
        self.before = serde_json::to_value(shown).ok();
        self
    }

    /// With how it is.
    #[must_use]
    pub fn after(mut self, shown: &impl Serialize) -> Self {
        self.after = serde_json::to_value(shown).ok();
        self
    }
}

/// A line that was written.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditLine {
    /// Rises with time.
    pub id: AuditId,
    /// What kind of somebody acted.
    pub actor_kind: ActorKind,
    /// The user's or the key's number.
    pub actor_id: Option<i64>,
    /// Their name at that time.
    pub actor_name: String,
    /// What was done, as `agent.update`.
    pub action: String,
    /// To what kind of object.
    pub object_kind: String,
    /// Its id.
    pub object_id: String,
    /// Where they came from.
    pub address: Option<String>,
    /// How the object was.
    #[schema(value_type = Option<Object>)]
    pub before: Option<Value>,
    /// How it is.
    #[schema(value_type = Option<Object>)]
    pub after: Option<Value>,
    /// When.
    pub create_time: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_names_its_object_by_kind_and_id() {
        let entry = Entry::new(TenantId(3), By::nobody(None), "agent.update", &12);
        assert_eq!((entry.object_kind, entry.object_id.as_str()), ("agent", "12"));
        assert_eq!((&entry.before, &entry.after), (&None, &None));
        let entry = entry.before(&json!({"a": 1})).after(&json!({"a": 2}));
        assert_eq!((entry.before, entry.after), (Some(json!({"a": 1})), Some(json!({"a": 2}))));
    }

    #[test]
    fn kinds_of_actors_read_back() {
        for kind in ActorKind::ALL {
            assert_eq!(ActorKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(ActorKind::parse("root"), None);
    }
}
