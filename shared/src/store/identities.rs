//! Who a cookie or a key stands for, with what they may do at this moment: one statement each, since
//! every request asks.

use super::db::{Db, Row, query};
use super::error::Result;
use crate::domain::access::{Actor, Principal};
use crate::domain::accounts::LOGIN_IDLE;
use crate::domain::api_keys::{self, Scope};
use crate::domain::ids::{ApiKeyId, LoginSessionId, RoleId, TenantId, UserId};
use crate::domain::permissions::Permissions;
use chrono::{DateTime, Utc};

/// Somebody who was found.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Who, and what they may do.
    pub principal: Principal,
    /// When they last asked for something, as far as it is stored.
    pub seen_at: Option<DateTime<Utc>>,
    /// Requests a minute that the key is allowed; None: as configured.
    pub rate_per_minute: Option<u32>,
}

/// The browser whose cookie has this fingerprint; None: it is not logged in, its login is over, or its
/// user or tenant is disabled.
pub async fn by_login(db: &Db, token_hash: &str, now: DateTime<Utc>) -> Result<Option<Identity>> {
    let rows = query(
        "SELECT l.id AS login_id, l.seen_at, u.id AS user_id, u.tenant_id, u.name AS user_name, r.id AS role_id, \
         r.permissions FROM netaclaw_login_session l JOIN netaclaw_user u ON u.id = l.user_id \
         JOIN netaclaw_tenant t ON t.id = u.tenant_id \
         LEFT JOIN netaclaw_user_role ur ON ur.user_id = u.id LEFT JOIN netaclaw_role r ON r.id = ur.role_id \
         WHERE l.token_hash = $1 AND l.expires_at > $2 AND l.seen_at > $3 AND NOT u.disabled AND NOT t.disabled",
    );
    let rows = rows.bind(token_hash).bind(now).bind(now - LOGIN_IDLE).all(db).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let tenant_id = first.id("tenant_id", TenantId)?;
    let roles = Roles::of(&rows, tenant_id)?;
    let id = first.id("user_id", UserId)?;
    let login = first.id("login_id", LoginSessionId)?;
    let principal = Principal {
        tenant_id,
        actor: Actor::User { id, login },
        permissions: roles.permissions,
        role_ids: roles.ids.into(),
        agents: None,
        name: first.get::<String>("user_name")?.into(),
    };
    Ok(Some(Identity { principal, seen_at: Some(first.get("seen_at")?), rate_per_minute: None }))
}

/// The program whose key has this prefix, with the fingerprint that the whole key must have; None: there
/// is no such key, it is over or revoked, or its user or tenant is disabled.
pub async fn by_key(db: &Db, prefix: &str, now: DateTime<Utc>) -> Result<Option<(Identity, String)>> {
    let rows = query(
        "SELECT k.id AS key_id, k.tenant_id, k.user_id, k.name AS key_name, k.scopes, k.rate_per_minute, \
         k.last_used_at, s.hash, r.id AS role_id, r.permissions \
         FROM netaclaw_api_key_secret s JOIN netaclaw_api_key k ON k.id = s.key_id \
         JOIN netaclaw_tenant t ON t.id = k.tenant_id LEFT JOIN netaclaw_user u ON u.id = k.user_id \
         LEFT JOIN netaclaw_user_role ur ON ur.user_id = u.id LEFT JOIN netaclaw_role r ON r.id = ur.role_id \
         WHERE s.prefix = $1 AND (s.expires_at IS NULL OR s.expires_at > $2) AND k.revoked_at IS NULL \
         AND (k.expires_at IS NULL OR k.expires_at > $2) AND NOT t.disabled \
         AND (k.user_id IS NULL OR NOT u.disabled)",
    );
    let rows = rows.bind(prefix).bind(now).all(db).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    let tenant_id = first.id("tenant_id", TenantId)?;
    let user_id = first.get::<Option<i64>>("user_id")?.map(UserId);
    let scopes: Vec<Scope> = first.json("scopes")?;
    let reach = api_keys::reach(&scopes);
    let roles = Roles::of(&rows, tenant_id)?;
    let permissions = match user_id {
        Some(_) => reach.permissions.intersection(roles.permissions),
        None => reach.permissions.within(tenant_id),
    };
    let principal = Principal {
        tenant_id,
        actor: Actor::Key { id: first.id("key_id", ApiKeyId)?, user_id },
        permissions,
        role_ids: roles.ids.into(),
        agents: reach.agents.map(Into::into),
        name: first.get::<String>("key_name")?.into(),
    };
    let identity = Identity {
        principal,
        seen_at: first.get("last_used_at")?,
        rate_per_minute: first.count_or_null("rate_per_minute")?,
    };
    Ok(Some((identity, first.get("hash")?)))
}

/// Notes that a browser asked for something. A crash may undo it.
pub async fn touch_login(db: &Db, id: LoginSessionId, now: DateTime<Utc>) -> Result<()> {
    let touch = query("UPDATE netaclaw_login_session SET seen_at = $2 WHERE id = $1 AND seen_at < $2");
    touch.bind(id).bind(now).execute(db.relaxed()).await.map(drop)
}

/// Notes that a program asked for something. A crash may undo it.
pub async fn touch_key(db: &Db, id: ApiKeyId, now: DateTime<Utc>) -> Result<()> {
    let touch = query(
        "UPDATE netaclaw_api_key SET last_used_at = $2 WHERE id = $1 \
         AND (last_used_at IS NULL OR last_used_at < $2)",
    );
    touch.bind(id).bind(now).execute(db.relaxed()).await.map(drop)
}

/// What the rows of one user's roles give together.
struct Roles {
    ids: Vec<RoleId>,
    permissions: Permissions,
}

impl Roles {
    fn of(rows: &[Row], tenant_id: TenantId) -> Result<Self> {
        let mut roles = Self { ids: Vec::new(), permissions: Permissions::NONE };
        for row in rows {
            let Some(id) = row.get::<Option<i64>>("role_id")? else { continue };
            roles.ids.push(RoleId(id));
            let grants: Vec<String> = row.json("permissions")?;
            let granted = Permissions::of_grants(grants.iter().map(String::as_str));
            roles.permissions = roles.permissions.union(granted);
        }
        roles.permissions = roles.permissions.within(tenant_id);
        Ok(roles)
    }
}
