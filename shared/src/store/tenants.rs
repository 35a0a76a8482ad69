//! Tenants: customers of the operator, each with roles and users of its own.

use super::accounts::{AccountError, Authority, Changed, lock, settle};
use super::db::{Db, Row, Tx, query};
use super::error::Result;
use super::users::{self, NewUser};
use super::{audit, logins, roles};
use crate::domain::accounts::{ADMIN_ROLE, Tenant};
use crate::domain::audit::Entry;
use crate::domain::ids::TenantId;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

macro_rules! columns {
    () => {
        "id, name, disabled, create_time, update_time"
    };
}

/// What of a tenant is to change; None stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TenantChange {
    /// Clean, see [`crate::domain::accounts::clean_name`].
    pub name: Option<String>,
    /// Nobody of it may do anything.
    pub disabled: Option<bool>,
}

/// Who is to manage a new tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAdmin {
    /// Clean, see [`crate::domain::accounts::clean_name`].
    pub name: String,
    /// Shown to people.
    pub display_name: String,
    /// Of the password.
    pub password_hash: String,
}

fn tenant(row: &Row) -> Result<Tenant> {
    Ok(Tenant {
        id: row.id("id", TenantId)?,
        name: row.get("name")?,
        disabled: row.get("disabled")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

/// One tenant.
pub async fn find(db: &Db, id: TenantId) -> Result<Option<Tenant>> {
    query(FIND).bind(id).optional(db).await?.as_ref().map(tenant).transpose()
}

const FIND: &str = concat!("SELECT ", columns!(), " FROM netaclaw_tenant WHERE id = $1");

/// Tenants by id, at most `limit`; `after` is the last one of the page before.
pub async fn list(db: &Db, after: Option<TenantId>, limit: u32) -> Result<Vec<Tenant>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_tenant WHERE id > $1 ORDER BY id LIMIT $2"))
        .bind(after.map_or(0, |id| id.0))
        .bind(i64::from(limit))
        .all(db)
        .await?
        .iter()
        .map(tenant)
        .collect()
}

/// Makes a tenant with copies of the first one's built-in roles, and its first administrator.
pub async fn insert(
    db: &Db,
    name: &str,
    admin: Option<&FirstAdmin>,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Tenant> {
    let mut tx = db.begin().await?;
    let done = insert_in(&mut tx, name, admin, authority, now).await;
    settle(tx, done).await
}

async fn insert_in(
    tx: &mut Tx,
    name: &str,
    admin: Option<&FirstAdmin>,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Tenant> {
    let inserted = query(concat!(
        "INSERT INTO netaclaw_tenant (name, disabled, create_time, update_time) VALUES ($1, $2, $3, $3) RETURNING ",
        columns!()
    ));
    let row = inserted.bind(name).bind(false).bind(now).one(&mut *tx).await.map_err(roles::taken)?;
    let tenant = tenant(&row)?;
    roles::copy_built_in(tx, tenant.id, now).await?;
    note(tx, authority, "tenant.create", None, &tenant, now).await?;
    if let Some(admin) = admin {
        make_admin(tx, tenant.id, admin, authority, now).await?;
    }
    Ok(tenant)
}

/// A user of the tenant who has its administrator's role.
pub(super) async fn make_admin(
    tx: &mut Tx,
    tenant_id: TenantId,
    admin: &FirstAdmin,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<crate::domain::accounts::User> {
    let user = NewUser {
        name: admin.name.clone(),
        display_name: admin.display_name.clone(),
        password_hash: Some(admin.password_hash.clone()),
        role_ids: vec![roles::built_in(tx, tenant_id, ADMIN_ROLE).await?],
    };
    users::insert_in(tx, tenant_id, &user, authority, now).await
}

/// Changes what is given; None: there is no such tenant. All of one that is disabled are logged out.
pub async fn update(
    db: &Db,
    id: TenantId,
    change: &TenantChange,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Option<Tenant>> {
    let mut tx = db.begin().await?;
    let done = update_in(&mut tx, id, change, authority, now).await;
    settle(tx, done).await
}

async fn update_in(
    tx: &mut Tx,
    id: TenantId,
    change: &TenantChange,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Option<Tenant>> {
    if !lock(tx, id).await? {
        return Ok(None);
    }
    if id == TenantId::FIRST && change.disabled == Some(true) {
        return Err(AccountError::FirstTenant);
    }
    let before = tenant(&query(FIND).bind(id).one(&mut *tx).await?)?;
    let updated = query(concat!(
        "UPDATE netaclaw_tenant SET name = COALESCE($2, name), disabled = COALESCE($3, disabled), \
         update_time = $4 WHERE id = $1 RETURNING ",
        columns!()
    ))
    .bind(id)
    .bind(change.name.as_deref())
    .bind(change.disabled)
    .bind(now);
    let after = tenant(&updated.one(&mut *tx).await.map_err(roles::taken)?)?;
    if after.disabled {
        logins::end_tenant_in(tx, id).await?;
    }
    note(tx, authority, "tenant.update", Some(&before), &after, now).await?;
    Ok(Some(after))
}

/// Into the audit of the first tenant, whose people manage tenants.
async fn note(
    tx: &mut Tx,
    authority: &Authority,
    action: &'static str,
    before: Option<&Tenant>,
    after: &Tenant,
    now: DateTime<Utc>,
) -> Result<()> {
    let entry = Entry {
        tenant_id: TenantId::FIRST,
        by: authority.by.clone(),
        action,
        object_kind: "tenant",
        object_id: after.id.to_string(),
        before: before.map(shown),
        after: Some(shown(after)),
    };
    audit::record(tx, &entry, now).await
}

fn shown(tenant: &Tenant) -> Value {
    json!({"name": tenant.name, "disabled": tenant.disabled})
}
