//! Roles: named sets of permissions. Those that were made with the tenant never change.

use super::accounts::{AccountError, Authority, Changed, keep_a_manager, lock, managers, settle};
use super::audit;
use super::db::{Arg, Db, Row, Tx, query};
use super::error::{Result, StoreError};
use crate::domain::accounts::Role;
use crate::domain::audit::{By, Entry};
use crate::domain::ids::{RoleId, TenantId};
use crate::domain::permissions::Permissions;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

macro_rules! columns {
    () => {
        "id, tenant_id, name, description, built_in, permissions, create_time, update_time"
    };
}

/// What a person sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoleSpec {
    /// Unique in the tenant.
    pub name: String,
    /// For people.
    pub description: String,
    /// Grants, see [`Role::permissions`].
    pub permissions: Vec<String>,
}

fn role(row: &Row) -> Result<Role> {
    Ok(Role {
        id: row.id("id", RoleId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        name: row.get("name")?,
        description: row.get("description")?,
        built_in: row.get("built_in")?,
        permissions: row.json("permissions")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

/// One role of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: RoleId) -> Result<Option<Role>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_role WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(role)
        .transpose()
}

/// Roles by id, at most `limit`; `after` is the last one of the page before.
pub async fn list(db: &Db, tenant_id: TenantId, after: Option<RoleId>, limit: u32) -> Result<Vec<Role>> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_role WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    ))
    .bind(tenant_id)
    .bind(after.map_or(0, |id| id.0))
    .bind(i64::from(limit))
    .all(db)
    .await?
    .iter()
    .map(role)
    .collect()
}

/// All of the tenant's.
pub(super) async fn all(tx: &mut Tx, tenant_id: TenantId) -> Result<Vec<Role>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_role WHERE tenant_id = $1 ORDER BY id"))
        .bind(tenant_id)
        .all(tx)
        .await?
        .iter()
        .map(role)
        .collect()
}

/// The built-in role of this name.
pub(super) async fn built_in(tx: &mut Tx, tenant_id: TenantId, name: &str) -> Result<RoleId> {
    query("SELECT id FROM netaclaw_role WHERE tenant_id = $1 AND name = $2 AND built_in")
        .bind(tenant_id)
        .bind(name)
        .one(tx)
        .await?
        .id("id", RoleId)
}

/// Gives a new tenant copies of the first tenant's built-in roles.
pub(super) async fn copy_built_in(tx: &mut Tx, to: TenantId, now: DateTime<Utc>) -> Result<()> {
    query(
        "INSERT INTO netaclaw_role (tenant_id, name, description, built_in, permissions, create_time, update_time) \
         SELECT $1, name, description, built_in, permissions, $2, $2 FROM netaclaw_role \
         WHERE tenant_id = $3 AND built_in ORDER BY id",
    )
    .bind(to)
    .bind(now)
    .bind(TenantId::FIRST)
    .execute(tx)
    .await
    .map(drop)
}

/// Makes a role. [`AccountError::Beyond`] if it gives more than who makes it holds.
pub async fn insert(
    db: &Db,
    tenant_id: TenantId,
    spec: &RoleSpec,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Role> {
    within(authority, tenant_id, &spec.permissions)?;
    let mut tx = db.begin().await?;
    let done = insert_in(&mut tx, tenant_id, spec, &authority.by, now).await;
    settle(tx, done).await
}

async fn insert_in(
    tx: &mut Tx,
    tenant_id: TenantId,
    spec: &RoleSpec,
    by: &By,
    now: DateTime<Utc>,
) -> Changed<Role> {
    let inserted = query(concat!(
        "INSERT INTO netaclaw_role (tenant_id, name, description, built_in, permissions, create_time, update_time) \
         VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING ",
        columns!()
    ))
    .bind(tenant_id)
    .bind(spec.name.as_str())
    .bind(spec.description.as_str())
    .bind(false)
    .bind(Arg::json(&spec.permissions)?)
    .bind(now);
    let role = role(&inserted.one(&mut *tx).await.map_err(taken)?)?;
    note(tx, by, "role.create", &role, None, Some(&role), now).await?;
    Ok(role)
}

/// Replaces what a person sets; None: the tenant has no such role. [`AccountError::Beyond`] if the role
/// gives, or would give, more than who changes it holds.
pub async fn update(
    db: &Db,
    tenant_id: TenantId,
    id: RoleId,
    spec: &RoleSpec,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Option<Role>> {
    let mut tx = db.begin().await?;
    let done = update_in(&mut tx, tenant_id, id, spec, authority, now).await;
    settle(tx, done).await
}

async fn update_in(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: RoleId,
    spec: &RoleSpec,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Option<Role>> {
    lock(tx, tenant_id).await?;
    let Some(before) = own(tx, tenant_id, id, authority).await? else { return Ok(None) };
    within(authority, tenant_id, &spec.permissions)?;
    let had = managers(tx, tenant_id).await?;
    let updated = query(concat!(
        "UPDATE netaclaw_role SET name = $2, description = $3, permissions = $4, update_time = $5 \
         WHERE id = $1 RETURNING ",
        columns!()
    ))
    .bind(id)
    .bind(spec.name.as_str())
    .bind(spec.description.as_str())
    .bind(Arg::json(&spec.permissions)?)
    .bind(now);
    let after = role(&updated.one(&mut *tx).await.map_err(taken)?)?;
    keep_a_manager(tx, tenant_id, had).await?;
    note(tx, &authority.by, "role.update", &after, Some(&before), Some(&after), now).await?;
    Ok(Some(after))
}

/// Removes a role that nobody has, with what was shared with it; false: the tenant has no such role.
pub async fn delete(
    db: &Db,
    tenant_id: TenantId,
    id: RoleId,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<bool> {
    let mut tx = db.begin().await?;
    let done = delete_in(&mut tx, tenant_id, id, authority, now).await;
    settle(tx, done).await
}

async fn delete_in(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: RoleId,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<bool> {
    lock(tx, tenant_id).await?;
    let Some(before) = own(tx, tenant_id, id, authority).await? else { return Ok(false) };
    let in_use = query("SELECT COUNT(*) AS n FROM netaclaw_user_role WHERE role_id = $1").bind(id);
    let users = in_use.one(&mut *tx).await?.get("n")?;
    if users > 0 {
        return Err(AccountError::InUse { users });
    }
    query("DELETE FROM netaclaw_share WHERE subject_kind = 'role' AND subject_id = $1")
        .bind(id)
        .execute(&mut *tx)
        .await?;
    query("DELETE FROM netaclaw_role WHERE id = $1").bind(id).execute(&mut *tx).await?;
    note(tx, &authority.by, "role.delete", &before, Some(&before), None, now).await?;
    Ok(true)
}

/// A role that may be changed on this authority.
async fn own(tx: &mut Tx, tenant_id: TenantId, id: RoleId, authority: &Authority) -> Changed<Option<Role>> {
    let Some(role) = all(tx, tenant_id).await?.into_iter().find(|role| role.id == id) else {
        return Ok(None);
    };
    if role.built_in {
        return Err(AccountError::BuiltIn);
    }
    within(authority, tenant_id, &role.permissions)?;
    Ok(Some(role))
}

fn within(authority: &Authority, tenant_id: TenantId, grants: &[String]) -> Changed<()> {
    let given = Permissions::of_grants(grants.iter().map(String::as_str)).within(tenant_id);
    if authority.holds.covers(given) { Ok(()) } else { Err(AccountError::Beyond) }
}

pub(super) fn taken(error: StoreError) -> AccountError {
    match error {
        StoreError::Conflict => AccountError::NameTaken,
        other => other.into(),
    }
}

async fn note(
    tx: &mut Tx,
    by: &By,
    action: &'static str,
    role: &Role,
    before: Option<&Role>,
    after: Option<&Role>,
    now: DateTime<Utc>,
) -> Result<()> {
    let entry = Entry {
        tenant_id: role.tenant_id,
        by: by.clone(),
        action,
        object_kind: "role",
        object_id: role.id.to_string(),
        before: before.map(shown),
        after: after.map(shown),
    };
    audit::record(tx, &entry, now).await
}

fn shown(role: &Role) -> Value {
    json!({"name": role.name, "description": role.description, "permissions": role.permissions})
}
