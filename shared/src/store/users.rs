//! Users: people who can log in, and the roles that they have.

use super::accounts::{
    AccountError, Authority, Changed, keep_a_manager, lock, managers, permissions_of, settle,
};
use super::db::{Db, Row, Tx, like, query};
use super::error::{Result, StoreError};
use super::{audit, logins, roles};
use crate::domain::accounts::User;
use crate::domain::audit::{By, Entry};
use crate::domain::ids::{LoginSessionId, RoleId, TenantId, UserId};
use crate::domain::permissions::{Permission, Permissions};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

// The roles as a JSON list, by a function that both databases have.
macro_rules! columns {
    () => {
        "id, tenant_id, name, display_name, disabled, last_login_at, create_time, update_time, \
         '[' || COALESCE((SELECT string_agg(CAST(r.role_id AS TEXT), ',' ORDER BY r.role_id) \
         FROM netaclaw_user_role r WHERE r.user_id = netaclaw_user.id), '') || ']' AS role_ids"
    };
}

/// Who is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUser {
    /// Clean, see [`crate::domain::accounts::clean_name`].
    pub name: String,
    /// Shown to people.
    pub display_name: String,
    /// None: can't log in with a password.
    pub password_hash: Option<String>,
    /// What they may do.
    pub role_ids: Vec<RoleId>,
}

/// What of a user is to change; None stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserChange {
    /// Clean, see [`crate::domain::accounts::clean_name`].
    pub name: Option<String>,
    /// Shown to people.
    pub display_name: Option<String>,
    /// Some(None): can't log in with a password any more.
    pub password_hash: Option<Option<String>>,
    /// May not log in.
    pub disabled: Option<bool>,
    /// What they may do.
    pub role_ids: Option<Vec<RoleId>>,
}

/// Which users are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserFilter {
    /// A part of the name or of the shown name; empty: all.
    pub text: String,
    /// Those who may not log in, or those who may.
    pub disabled: Option<bool>,
}

fn user(row: &Row) -> Result<User> {
    Ok(User {
        id: row.id("id", UserId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        name: row.get("name")?,
        display_name: row.get("display_name")?,
        disabled: row.get("disabled")?,
        role_ids: row.json("role_ids")?,
        last_login_at: row.get("last_login_at")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

/// One user of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: UserId) -> Result<Option<User>> {
    found(query(FIND).bind(id).bind(tenant_id).optional(db).await?.as_ref())
}

const FIND: &str = concat!("SELECT ", columns!(), " FROM netaclaw_user WHERE id = $1 AND tenant_id = $2");

async fn find_in(tx: &mut Tx, tenant_id: TenantId, id: UserId) -> Result<Option<User>> {
    found(query(FIND).bind(id).bind(tenant_id).optional(tx).await?.as_ref())
}

fn found(row: Option<&Row>) -> Result<Option<User>> {
    row.map(user).transpose()
}

/// Users by id, at most `limit`; `after` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &UserFilter,
    after: Option<UserId>,
    limit: u32,
) -> Result<Vec<User>> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_user WHERE tenant_id = $1 AND id > $2 AND ($4 IS NULL OR disabled = $4) \
         AND (name LIKE $5 ESCAPE '!' OR LOWER(display_name) LIKE $5 ESCAPE '!' \
         OR display_name LIKE $6 ESCAPE '!') ORDER BY id LIMIT $3"
    ))
    .bind(tenant_id)
    .bind(after.map_or(0, |id| id.0))
    .bind(i64::from(limit))
    .bind(filter.disabled)
    .bind(like(&filter.text.to_lowercase()))
    // SQLite's LOWER knows ASCII only: other letters are found as they are written.
    .bind(like(&filter.text))
    .all(db)
    .await?
    .iter()
    .map(user)
    .collect()
}

/// What a user's roles give.
pub async fn permissions(db: &Db, user: &User) -> Result<Permissions> {
    let rows = query(
        "SELECT permissions FROM netaclaw_role \
         WHERE id IN (SELECT role_id FROM netaclaw_user_role WHERE user_id = $1)",
    );
    let mut all = Permissions::NONE;
    for row in rows.bind(user.id).all(db).await? {
        let grants: Vec<String> = row.json("permissions")?;
        all = all.union(Permissions::of_grants(grants.iter().map(String::as_str)));
    }
    Ok(all.within(user.tenant_id))
}

/// Makes a user. [`AccountError::Beyond`] if a role gives more than who makes them holds.
pub async fn insert(
    db: &Db,
    tenant_id: TenantId,
    new: &NewUser,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<User> {
    let mut tx = db.begin().await?;
    let done = insert_in(&mut tx, tenant_id, new, authority, now).await;
    settle(tx, done).await
}

pub(super) async fn insert_in(
    tx: &mut Tx,
    tenant_id: TenantId,
    new: &NewUser,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<User> {
    lock(tx, tenant_id).await?;
    let given = permissions_of(&roles::all(tx, tenant_id).await?, &new.role_ids, tenant_id)?;
    if !authority.holds.covers(given) {
        return Err(AccountError::Beyond);
    }
    may_give_shares(tx, &new.role_ids, authority).await?;
    let inserted = query(
        "INSERT INTO netaclaw_user (tenant_id, name, display_name, password_hash, disabled, create_time, update_time) \
         VALUES ($1, $2, $3, $4, $5, $6, $6) RETURNING id",
    )
    .bind(tenant_id)
    .bind(new.name.as_str())
    .bind(new.display_name.as_str())
    .bind(new.password_hash.as_deref())
    .bind(false)
    .bind(now);
    let id = inserted.one(&mut *tx).await.map_err(roles::taken)?.id("id", UserId)?;
    give_roles(tx, id, &new.role_ids).await?;
    let user = find_in(tx, tenant_id, id).await?.ok_or_else(gone)?;
    note(tx, &authority.by, "user.create", &user, None, Some(shown(&user)), now).await?;
    Ok(user)
}

/// Changes what is given; None: the tenant has no such user. Who is disabled, or gets another password,
/// is logged out everywhere. [`AccountError::Beyond`] if who asks may less than the user may or would.
pub async fn update(
    db: &Db,
    tenant_id: TenantId,
    id: UserId,
    change: &UserChange,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Option<User>> {
    let mut tx = db.begin().await?;
    let done = update_in(&mut tx, tenant_id, id, change, authority, now).await;
    settle(tx, done).await
}

async fn update_in(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: UserId,
    change: &UserChange,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Option<User>> {
    lock(tx, tenant_id).await?;
    let Some(before) = covered(tx, tenant_id, id, change.role_ids.as_deref(), authority).await? else {
        return Ok(None);
    };
    let had = managers(tx, tenant_id).await?;
    let updated = query(
        "UPDATE netaclaw_user SET name = COALESCE($2, name), display_name = COALESCE($3, display_name), \
         disabled = COALESCE($4, disabled), password_hash = CASE WHEN $5 THEN $6 ELSE password_hash END, \
         update_time = $7 WHERE id = $1",
    )
    .bind(id)
    .bind(change.name.as_deref())
    .bind(change.display_name.as_deref())
    .bind(change.disabled)
    .bind(change.password_hash.is_some())
    .bind(change.password_hash.clone().flatten())
    .bind(now);
    updated.execute(&mut *tx).await.map_err(roles::taken)?;
    if let Some(role_ids) = &change.role_ids {
        query("DELETE FROM netaclaw_user_role WHERE user_id = $1").bind(id).execute(&mut *tx).await?;
        give_roles(tx, id, role_ids).await?;
    }
    keep_a_manager(tx, tenant_id, had).await?;
    if change.disabled == Some(true) || change.password_hash.is_some() {
        logins::end_all_in(tx, id, None).await?;
    }
    let after = find_in(tx, tenant_id, id).await?.ok_or_else(gone)?;
    let mut shown_after = shown(&after);
    if change.password_hash.is_some() {
        shown_after["password"] = json!("changed");
    }
    note(tx, &authority.by, "user.update", &after, Some(shown(&before)), Some(shown_after), now).await?;
    Ok(Some(after))
}

/// Gives a user another password in place of the one with the hash `old`, and logs them out everywhere
/// but at `keep`. False: the password changed meanwhile, or there is no such user.
pub async fn change_password(
    db: &Db,
    user: &User,
    (old, new): (&str, &str),
    keep: LoginSessionId,
    by: &By,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mut tx = db.begin().await?;
    let updated = query(
        "UPDATE netaclaw_user SET password_hash = $4, update_time = $5 \
         WHERE id = $1 AND tenant_id = $2 AND password_hash = $3 AND NOT disabled",
    );
    let updated = updated.bind(user.id).bind(user.tenant_id).bind(old).bind(new).bind(now);
    if updated.execute(&mut tx).await? == 0 {
        tx.rollback().await?;
        return Ok(false);
    }
    logins::end_all_in(&mut tx, user.id, Some(keep)).await?;
    note(&mut tx, by, "user.update", user, None, Some(json!({"password": "changed"})), now).await?;
    tx.commit().await?;
    Ok(true)
}

/// Removes a user with their keys, logins, shares and quotas; false: the tenant has no such user. The
/// agents that they made and the sessions that they began stay.
pub async fn delete(
    db: &Db,
    tenant_id: TenantId,
    id: UserId,
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
    id: UserId,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<bool> {
    lock(tx, tenant_id).await?;
    let Some(before) = covered(tx, tenant_id, id, None, authority).await? else { return Ok(false) };
    let had = managers(tx, tenant_id).await?;
    // Roles, logins and keys go with the row; what only names it goes here.
    for sql in [
        "UPDATE netaclaw_agent SET owner_user_id = NULL WHERE owner_user_id = $1",
        "DELETE FROM netaclaw_share WHERE subject_kind = 'user' AND subject_id = $1",
        "DELETE FROM netaclaw_quota WHERE subject_kind = 'user' AND subject_id = $1",
        "DELETE FROM netaclaw_quota WHERE subject_kind = 'key' \
         AND subject_id IN (SELECT id FROM netaclaw_api_key WHERE user_id = $1)",
        "DELETE FROM netaclaw_user WHERE id = $1",
    ] {
        query(sql).bind(id).execute(&mut *tx).await?;
    }
    keep_a_manager(tx, tenant_id, had).await?;
    note(tx, &authority.by, "user.delete", &before, Some(shown(&before)), None, now).await?;
    Ok(true)
}

/// A user who may be changed on this authority, and given these roles instead.
async fn covered(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: UserId,
    to: Option<&[RoleId]>,
    authority: &Authority,
) -> Changed<Option<User>> {
    let Some(user) = find_in(tx, tenant_id, id).await? else { return Ok(None) };
    let roles = roles::all(tx, tenant_id).await?;
    // Whoever gave a stronger user another password could be that user.
    for ids in [Some(user.role_ids.as_slice()), to].into_iter().flatten() {
        if !authority.holds.covers(permissions_of(&roles, ids, tenant_id)?) {
            return Err(AccountError::Beyond);
        }
    }
    let given = to.unwrap_or_default().iter().copied().filter(|role| !user.role_ids.contains(role));
    may_give_shares(tx, &given.collect::<Vec<_>>(), authority).await?;
    Ok(Some(user))
}

/// With a role goes what is shared with it: whoever does not see all agents gives no such role, not
/// even to themselves.
async fn may_give_shares(tx: &mut Tx, given: &[RoleId], authority: &Authority) -> Changed<()> {
    if authority.holds.has(Permission::AgentViewAll) {
        return Ok(());
    }
    for role in given {
        let share =
            query("SELECT 1 FROM netaclaw_share WHERE subject_kind = 'role' AND subject_id = $1 LIMIT 1");
        if share.bind(*role).optional(&mut *tx).await?.is_some() {
            return Err(AccountError::Beyond);
        }
    }
    Ok(())
}

async fn give_roles(tx: &mut Tx, id: UserId, role_ids: &[RoleId]) -> Result<()> {
    for role_id in role_ids {
        query("INSERT INTO netaclaw_user_role (user_id, role_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(id)
            .bind(*role_id)
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

fn gone() -> StoreError {
    StoreError::Corrupt("a user is missing".to_owned())
}

async fn note(
    tx: &mut Tx,
    by: &By,
    action: &'static str,
    user: &User,
    before: Option<Value>,
    after: Option<Value>,
    now: DateTime<Utc>,
) -> Result<()> {
    let entry = Entry {
        tenant_id: user.tenant_id,
        by: by.clone(),
        action,
        object_kind: "user",
        object_id: user.id.to_string(),
        before,
        after,
    };
    audit::record(tx, &entry, now).await
}

fn shown(user: &User) -> Value {
    json!({
        "name": user.name, "displayName": user.display_name, "disabled": user.disabled,
        "roleIds": user.role_ids,
    })
}
