//! What changes of tenants, users and roles have in common: on whose authority they are made, why they
//! are refused, and the lock that puts a tenant's changes one after the other.

use super::db::{Arg, Sql, Tx, query};
use super::error::StoreError;
use crate::domain::access::Principal;
use crate::domain::accounts::Role;
use crate::domain::audit::{ActorKind, By};
use crate::domain::ids::{RoleId, TenantId};
use crate::domain::permissions::{Permission, Permissions};

/// Who changes something, and what they hold themselves: nobody gives more than that.
#[derive(Debug, Clone)]
pub struct Authority {
    /// As the audit keeps it.
    pub by: By,
    /// What they may.
    pub holds: Permissions,
}

impl Authority {
    /// Of somebody who was authenticated; an operator may give everything.
    pub fn of(principal: &Principal, address: Option<String>) -> Self {
        let holds = if principal.is_operator() { Permissions::all() } else { principal.permissions };
        Self { by: By::of(principal, address), holds }
    }

    /// Of Neta itself at its start.
    pub fn start() -> Self {
        let by = By { kind: ActorKind::Operator, id: None, name: "neta".to_owned(), address: None };
        Self { by, holds: Permissions::all() }
    }
}

/// Why a change of accounts was not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccountError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another of the tenant has this name.
    #[error("the name is taken")]
    NameTaken,
    /// The tenant has no such role.
    #[error("there is no role {0}")]
    NoRole(RoleId),
    /// Nobody would be left who may manage users.
    #[error("nobody would be left who may manage users")]
    LastManager,
    /// Roles that were made with the tenant stay as they are.
    #[error("a built-in role can't be changed or removed")]
    BuiltIn,
    /// Users have this role.
    #[error("{users} users have this role")]
    InUse {
        /// How many.
        users: i64,
    },
    /// Who asks may less than what they would give, or than whom they would change.
    #[error("this needs permissions that you do not have yourself")]
    Beyond,
    /// The first tenant is the operator's.
    #[error("the first tenant can't be disabled")]
    FirstTenant,
}

/// Short for such an answer.
pub type Changed<T> = Result<T, AccountError>;

/// Ends a transaction: what was refused is undone.
pub(super) async fn settle<T>(tx: Tx, done: Changed<T>) -> Changed<T> {
    match done {
        Ok(value) => {
            tx.commit().await?;
            Ok(value)
        }
        Err(error) => {
            // Undone in any case; the reason is what counts.
            let _ = tx.rollback().await;
            Err(error)
        }
    }
}

/// Takes the tenant for the transaction; false: there is none. Who only refers to the tenant does not
/// wait for it.
pub(super) async fn lock(tx: &mut Tx, tenant_id: TenantId) -> Result<bool, StoreError> {
    // SQLite's transactions are one after the other by themselves.
    const LOCK: Sql = Sql {
        sqlite: "SELECT id FROM netaclaw_tenant WHERE id = $1",
        postgres: "SELECT id FROM netaclaw_tenant WHERE id = $1 FOR NO KEY UPDATE",
    };
    Ok(query(LOCK).bind(tenant_id).optional(tx).await?.is_some())
}

/// What these roles give together. [`AccountError::NoRole`] if one is not among the tenant's.
pub(super) fn permissions_of(roles: &[Role], ids: &[RoleId], tenant_id: TenantId) -> Changed<Permissions> {
    ids.iter().try_fold(Permissions::NONE, |all, id| {
        let role = roles.iter().find(|role| role.id == *id).ok_or(AccountError::NoRole(*id))?;
        Ok(all.union(Permissions::of_grants(role.permissions.iter().map(String::as_str)).within(tenant_id)))
    })
}

/// How many users of the tenant are enabled and may manage users.
pub(super) async fn managers(tx: &mut Tx, tenant_id: TenantId) -> Result<i64, StoreError> {
    const COUNT: Sql = Sql {
        sqlite: "SELECT COUNT(*) AS n FROM netaclaw_user u WHERE u.tenant_id = $1 AND NOT u.disabled AND EXISTS \
                 (SELECT 1 FROM netaclaw_user_role r WHERE r.user_id = u.id \
                  AND r.role_id IN (SELECT value FROM json_each($2)))",
        postgres: "SELECT COUNT(*) AS n FROM netaclaw_user u WHERE u.tenant_id = $1 AND NOT u.disabled AND EXISTS \
                   (SELECT 1 FROM netaclaw_user_role r WHERE r.user_id = u.id AND r.role_id = ANY($2))",
    };
    let manages = |role: &Role| {
        Permissions::of_grants(role.permissions.iter().map(String::as_str)).has(Permission::UserManage)
    };
    let roles = super::roles::all(tx, tenant_id).await?;
    let ids = roles.iter().filter(|role| manages(role)).map(|role| role.id.0).collect();
    query(COUNT).bind(tenant_id).bind(Arg::Ids(ids)).one(tx).await?.get("n")
}

/// Refuses what left nobody who may manage users. A tenant that had nobody before stays as it is.
pub(super) async fn keep_a_manager(tx: &mut Tx, tenant_id: TenantId, before: i64) -> Changed<()> {
    if before > 0 && managers(tx, tenant_id).await? == 0 {
        return Err(AccountError::LastManager);
    }
    Ok(())
}
