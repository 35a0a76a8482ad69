//! Who asks, and what of a tenant's objects they reach: the decisions of authorisation, over data.

use super::agents::Visibility;
use super::api_keys::ApiKey;
use super::ids::{AgentId, ApiKeyId, LoginSessionId, RoleId, TenantId, UserId};
use super::permissions::{Permission, Permissions};
use std::sync::Arc;

/// Somebody who was authenticated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// Whose objects are seen and made.
    pub tenant_id: TenantId,
    /// Who it is.
    pub actor: Actor,
    /// What they may do.
    pub permissions: Permissions,
    /// Roles, for what is shared with them.
    pub role_ids: Arc<[RoleId]>,
    /// The agents that a key is limited to; None: all that are seen.
    pub agents: Option<Arc<[AgentId]>>,
    /// As the audit names them.
    pub name: Arc<str>,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The holder of the administrator's token.
    Operator,
    /// A person in a browser.
    User {
        /// Who.
        id: UserId,
        /// Logged in here.
        login: LoginSessionId,
    },
    /// A program.
    Key {
        /// With this key.
        id: ApiKeyId,
        /// In this person's name; None: in its own.
        user_id: Option<UserId>,
    },
}

/// Whose a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A person's, also where a key of theirs began it.
    User(UserId),
    /// A key's that acts in its own name, or is limited to some agents.
    Key(ApiKeyId),
}

impl Owner {
    /// As stored: `u` or `k`, and the number.
    pub fn to_text(self) -> String {
        match self {
            Self::User(id) => format!("u{id}"),
            Self::Key(id) => format!("k{id}"),
        }
    }

    /// Reads what `to_text` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok();
        text.strip_prefix('u')
            .and_then(number)
            .map(|id| Self::User(UserId(id)))
            .or_else(|| text.strip_prefix('k').and_then(number).map(|id| Self::Key(ApiKeyId(id))))
    }
}

/// Which sessions are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// All of the tenant's.
    All,
    /// Those of one owner.
    Of(Owner),
}

impl Reach {
    /// Whether a session of this owner is among them.
    pub fn covers(self, owner: Option<Owner>) -> bool {
        match self {
            Self::All => true,
            Self::Of(mine) => owner == Some(mine),
        }
    }

    /// The owner that a list is narrowed to.
    pub fn owner(self) -> Option<Owner> {
        match self {
            Self::All => None,
            Self::Of(owner) => Some(owner),
        }
    }
}

/// On whose account a turn goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// This person's.
    pub user_id: Option<UserId>,
    /// And this key's.
    pub api_key_id: Option<ApiKeyId>,
}

/// Who sends a message: whose its session is, and on whose account it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender {
    /// Where.
    pub tenant_id: TenantId,
    /// Whose a session is that begins with it.
    pub owner: Option<Owner>,
    /// The sessions that it may go to.
    pub to: Reach,
    /// On whose account.
    pub account: Account,
}

impl Sender {
    /// Somebody of this tenant who may send to all its sessions, on nobody's account.
    pub fn of_tenant(tenant_id: TenantId) -> Self {
        Self { tenant_id, owner: None, to: Reach::All, account: Account::default() }
    }
}

impl Principal {
    /// As the sender of a message.
    pub fn sender(&self) -> Sender {
        Sender { tenant_id: self.tenant_id, owner: self.owner(), to: self.changes(), account: self.account() }
    }

    /// The holder of the administrator's token: all rights of the first tenant.
    pub fn operator() -> Self {
        Self {
            tenant_id: TenantId::FIRST,
            actor: Actor::Operator,
            permissions: Permissions::all(),
            role_ids: Arc::new([]),
            agents: None,
            name: "operator".into(),
        }
    }

    /// Whether they may.
    pub fn may(&self, permission: Permission) -> bool {
        self.permissions.has(permission)
    }

    /// Whether they run the installation, not only a tenant.
    pub fn is_operator(&self) -> bool {
        self.may(Permission::TenantManage)
    }

    /// The person that they are or act for.
    pub fn user_id(&self) -> Option<UserId> {
        match self.actor {
            Actor::Operator => None,
            Actor::User { id, .. } => Some(id),
            Actor::Key { user_id, .. } => user_id,
        }
    }

    /// Whose the sessions are that they begin; None: the operator's. A key that is limited to some
    /// agents has sessions of its own: it is not to read what its user says to others.
    pub fn owner(&self) -> Option<Owner> {
        match self.actor {
            Actor::Operator => None,
            Actor::User { id, .. } => Some(Owner::User(id)),
            Actor::Key { user_id: Some(id), .. } if self.agents.is_none() => Some(Owner::User(id)),
            Actor::Key { id, .. } => Some(Owner::Key(id)),
        }
    }

    /// On whose account their turns go.
    pub fn account(&self) -> Account {
        let api_key_id = match self.actor {
            Actor::Key { id, .. } => Some(id),
            Actor::Operator | Actor::User { .. } => None,
        };
        Account { user_id: self.user_id(), api_key_id }
    }

    /// The sessions that they see.
    pub fn sees(&self) -> Reach {
        self.reach(Permission::SessionViewAll)
    }

    /// The sessions that they may send to, stop, rename and delete, as far as they may do that at all.
    pub fn changes(&self) -> Reach {
        self.reach(Permission::SessionEditAll)
    }

    fn reach(&self, all: Permission) -> Reach {
        match self.owner() {
            Some(owner) if !self.may(all) => Reach::Of(owner),
            _ => Reach::All,
        }
    }

    /// Whether they may know of a key and, as far as it does not give them more than they have, change it.
    pub fn sees_key(&self, key: &ApiKey) -> bool {
        self.may(Permission::KeyManage) || (key.user_id.is_some() && key.user_id == self.user_id())
    }

    /// Whether they see every agent of the tenant, whoever it is for.
    pub fn sees_all_agents(&self) -> bool {
        self.agents.is_none() && self.may(Permission::AgentViewAll) && self.may(Permission::AgentEdit)
    }

    /// Whether they may know of an agent and talk to it.
    pub fn sees_agent(&self, agent: &AgentAccess) -> bool {
        if !agent.published && !self.may(Permission::AgentEdit) {
            return false;
        }
        let named = self.agents.as_ref().map(|ids| ids.contains(&agent.id));
        match (named, self.user_id()) {
            (Some(false), _) => false,
            // A key in its own name that names the agent: whoever made the key could see it.
            (Some(true), None) => true,
            (_, user_id) => {
                self.may(Permission::AgentViewAll)
                    || agent.visibility == Visibility::Tenant
                    || (user_id.is_some() && agent.owner_user_id == user_id)
                    || user_id.is_some_and(|id| agent.users.contains(&id))
                    || self.role_ids.iter().any(|role| agent.roles.contains(role))
            }
        }
    }
}

/// Who sees an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAccess {
    /// Which.
    pub id: AgentId,
    /// Who made it.
    pub owner_user_id: Option<UserId>,
    /// Whether all of the tenant see it.
    pub visibility: Visibility,
    /// Else only those who may edit it do.
    pub published: bool,
    /// Else these persons do.
    pub users: Vec<UserId>,
    /// And all who have one of these roles.
    pub roles: Vec<RoleId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: i64, permissions: &[Permission]) -> Principal {
        Principal {
            actor: Actor::User { id: UserId(id), login: LoginSessionId(1) },
            permissions: permissions.iter().copied().collect(),
            role_ids: Arc::new([RoleId(3)]),
            name: "u".into(),
            ..Principal::operator()
        }
    }

    fn key(user_id: Option<i64>, agents: Option<&[i64]>) -> Principal {
        Principal {
            actor: Actor::Key { id: ApiKeyId(9), user_id: user_id.map(UserId) },
            agents: agents.map(|ids| ids.iter().map(|id| AgentId(*id)).collect()),
            role_ids: Arc::new([]),
            ..user(0, &[Permission::AgentUse, Permission::SessionChat])
        }
    }

    #[test]
    fn sessions_are_seen_by_their_owner_and_by_who_sees_all() {
        let mine = Some(Owner::User(UserId(7)));
        let table = [
            (Principal::operator(), mine, true),
            (Principal::operator(), None, true),
            (user(7, &[]), mine, true),
            (user(8, &[]), mine, false),
            (user(7, &[]), None, false),
            (user(8, &[Permission::SessionViewAll]), mine, true),
            (key(Some(7), None), mine, true),
            (key(None, None), mine, false),
            (key(None, None), Some(Owner::Key(ApiKeyId(9))), true),
            (key(Some(7), None), Some(Owner::Key(ApiKeyId(9))), false),
            (key(Some(7), Some(&[1])), mine, false),
            (key(Some(7), Some(&[1])), Some(Owner::Key(ApiKeyId(9))), true),
        ];
        for (principal, owner, expected) in table {
            assert_eq!(principal.sees().covers(owner), expected, "{principal:?} {owner:?}");
        }
        let all = user(8, &[Permission::SessionViewAll]);
        assert!(!all.changes().covers(mine), "seeing is not changing");
    }

    #[test]
    fn agents_are_seen_as_they_are_shared() {
        let agent = |visibility, users: &[i64], roles: &[i64]| AgentAccess {
            published: true,
            id: AgentId(1),
            owner_user_id: Some(UserId(5)),
            visibility,
            users: users.iter().map(|id| UserId(*id)).collect(),
            roles: roles.iter().map(|id| RoleId(*id)).collect(),
        };
        let open = agent(Visibility::Tenant, &[], &[]);
        let private = agent(Visibility::Shared, &[], &[]);
        let for_7 = agent(Visibility::Shared, &[7], &[]);
        let for_role = agent(Visibility::Shared, &[], &[3]);
        let table = [
            (user(7, &[]), &open, true),
            (user(7, &[]), &private, false),
            (user(5, &[]), &private, true),
            (user(7, &[]), &for_7, true),
            (user(8, &[]), &for_7, false),
            (user(8, &[]), &for_role, true),
            (user(8, &[Permission::AgentViewAll]), &private, true),
            (Principal::operator(), &private, true),
            (key(None, None), &open, true),
            (key(None, None), &private, false),
            (key(None, Some(&[1])), &private, true),
            (key(None, Some(&[2])), &open, false),
            (key(Some(7), Some(&[1])), &private, false),
            (key(Some(7), Some(&[1])), &for_7, true),
        ];
        for (principal, agent, expected) in table {
            assert_eq!(principal.sees_agent(agent), expected, "{principal:?} {agent:?}");
        }
    }

    #[test]
    fn owners_read_back() {
        for owner in [Owner::User(UserId(7)), Owner::Key(ApiKeyId(12))] {
            assert_eq!(Owner::parse(&owner.to_text()), Some(owner));
        }
        for text in ["", "7", "u", "x7", "u7x"] {
            assert_eq!(Owner::parse(text), None, "{text}");
        }
    }
}
