//! What somebody may do: permissions, the grants that roles are made of, and sets of them.

use super::ids::TenantId;

macro_rules! permissions {
    ($(#[doc = $doc:literal] $name:ident = $text:literal),+ $(,)?) => {
        /// One thing that somebody may do, named `resource:action`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Permission {
            $(#[doc = $doc] $name,)+
        }

        impl Permission {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Its name.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// What it allows, in a sentence for people.
            pub fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)+
                }
                .trim()
            }
        }
    };
}

permissions! {
    /// Talk to agents that one sees, and know their names and descriptions.
    AgentUse = "agent:use",
    /// See how agents are made, prompt included.
    AgentView = "agent:view",
    /// See the agents that are shared with others only, too.
    AgentViewAll = "agent:view_all",
    /// Make agents.
    AgentCreate = "agent:create",
    /// Change agents that one sees.
    AgentEdit = "agent:edit",
    /// Remove agents that one sees.
    AgentDelete = "agent:delete",
    /// Say who sees an agent.
    AgentShare = "agent:share",
    /// See models, without their keys.
    ModelView = "model:view",
    /// Store models.
    ModelCreate = "model:create",
    /// Change and try models.
    ModelEdit = "model:edit",
    /// Remove models.
    ModelDelete = "model:delete",
    /// See one's own sessions with their runs.
    SessionView = "session:view",
    /// Send messages, answer questions and stop turns in one's own sessions.
    SessionChat = "session:chat",
    /// Rename and delete one's own sessions and their messages.
    SessionEdit = "session:edit",
    /// See everybody's sessions.
    SessionViewAll = "session:view_all",
    /// Do in everybody's sessions what one may do in one's own.
    SessionEditAll = "session:edit_all",
    /// Make crews.
    CrewCreate = "crew:create",
    /// Change crews.
    CrewEdit = "crew:edit",
    /// Put a crew's version to work.
    CrewPublish = "crew:publish",
    /// Start a crew.
    CrewTrigger = "crew:trigger",
    /// Stop, pause and answer a crew's runs.
    CrewControl = "crew:control",
    /// See crews and their runs.
    CrewView = "crew:view",
    /// See the queue and who works on it; the operator's.
    QueueView = "queue:view",
    /// Pause, retry and remove jobs; the operator's.
    QueueControl = "queue:control",
    /// See users and roles.
    UserView = "user:view",
    /// Make, change and remove users, roles and quotas.
    UserManage = "user:manage",
    /// Make API keys that act in one's own name.
    KeyOwn = "key:own",
    /// See, make and revoke all API keys.
    KeyManage = "key:manage",
    /// Read the audit.
    AuditView = "audit:view",
    /// Make and close tenants; who has it is an operator.
    TenantManage = "tenant:manage",
}

impl Permission {
    /// Reads what `as_str` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|p| p.as_str() == text)
    }

    /// Whether it reaches beyond a tenant: only the first tenant's people can have it.
    pub fn is_operators(self) -> bool {
        matches!(self, Self::QueueView | Self::QueueControl | Self::TenantManage)
    }

    const fn bit(self) -> u64 {
        1 << self as u64
    }
}

/// A set of permissions.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Permissions(u64);

impl Permissions {
    /// None.
    pub const NONE: Self = Self(0);

    /// All there are.
    pub fn all() -> Self {
        Permission::ALL.iter().copied().collect()
    }

    /// What grants as `agent:view`, `agent:*` and `*` give. Names that are not known give nothing: a
    /// later version may have written them.
    pub fn of_grants<'a>(grants: impl IntoIterator<Item = &'a str>) -> Self {
        grants.into_iter().map(granted).fold(Self::NONE, Self::union)
    }

    /// Without what somebody of this tenant can't have.
    #[must_use]
    pub fn within(self, tenant_id: TenantId) -> Self {
        if tenant_id == TenantId::FIRST {
            return self;
        }
        self.iter().filter(|p| !p.is_operators()).collect()
    }

    /// Whether it is among them.
    pub fn has(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// Whether all of `other` are among them.
    pub fn covers(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those of either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// One by one.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.iter().copied().filter(move |p| self.has(*p))
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(0, |bits, p| bits | p.bit()))
    }
}

impl std::fmt::Debug for Permissions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Permission::as_str)).finish()
    }
}

fn granted(grant: &str) -> Permissions {
    let of = |permission: Permission| match grant.strip_suffix('*') {
        Some("") => true,
        Some(resource) if resource.ends_with(':') => permission.as_str().starts_with(resource),
        _ => permission.as_str() == grant,
    };
    Permission::ALL.iter().copied().filter(|p| of(*p)).collect()
}

/// Whether a grant gives anything.
pub fn is_grant(grant: &str) -> bool {
    granted(grant) != Permissions::NONE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grants_name_one_permission_or_all_of_a_resource() {
        let names = |grants: &[&str]| {
            Permissions::of_grants(grants.iter().copied()).iter().map(Permission::as_str).collect::<Vec<_>>()
        };
        assert_eq!(names(&["audit:view"]), ["audit:view"]);
        assert_eq!(names(&["key:*"]), ["key:own", "key:manage"]);
        assert_eq!(names(&["queue:*", "key:own"]), ["queue:view", "queue:control", "key:own"]);
        assert_eq!(names(&["*"]).len(), Permission::ALL.len());
        for nothing in
            ["", "agent", "agent:", "agent:v*", "agent:view*", "Agent:view", " *", "**", "a*", "later:x"]
        {
            assert_eq!(names(&[nothing]), Vec::<&str>::new(), "{nothing}");
            assert!(!is_grant(nothing), "{nothing}");
        }
        assert!(is_grant("*") && is_grant("model:*") && is_grant("user:view"));
    }

    #[test]
    fn names_are_unique_and_read_back() {
        for permission in Permission::ALL {
            assert_eq!(Permission::parse(permission.as_str()), Some(*permission));
            assert!(Permissions::all().has(*permission));
            let told = permission.description();
            assert!(told.ends_with('.') && !told.starts_with(' ') && told.lines().count() == 1, "{told}");
        }
        assert!(Permission::ALL.len() <= 64, "a set is a word");
    }

    #[test]
    fn only_the_first_tenant_has_operators() {
        let all = Permissions::all();
        assert_eq!(all.within(TenantId::FIRST), all);
        let other = all.within(TenantId(2));
        assert!(!other.has(Permission::TenantManage) && !other.has(Permission::QueueView));
        assert!(other.has(Permission::UserManage));
        assert!(all.covers(other) && !other.covers(all));
        assert_eq!(all.intersection(other), other);
    }
}
