//! API keys as people keep them. Who a key stands for when a program calls is looked up in
//! `identities`.

use super::db::{Arg, Db, On, Query, Row, Sql, Tx, query};
use super::error::{Result, StoreError};
use crate::domain::api_keys::{ApiKey, KeySecret, KeySpec};
use crate::domain::ids::{ApiKeyId, TenantId, UserId};
use chrono::{DateTime, Utc};

macro_rules! columns {
    () => {
        "id, tenant_id, user_id, name, scopes, rate_per_minute, expires_at, revoked_at, last_used_at, create_time, \
         update_time"
    };
}

fn api_key(row: &Row) -> Result<ApiKey> {
    Ok(ApiKey {
        id: row.id("id", ApiKeyId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        user_id: row.get::<Option<i64>>("user_id")?.map(UserId),
        name: row.get("name")?,
        scopes: row.json("scopes")?,
        rate_per_minute: row.count_or_null("rate_per_minute")?,
        expires_at: row.get("expires_at")?,
        revoked_at: row.get("revoked_at")?,
        last_used_at: row.get("last_used_at")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

fn bind(query: Query, spec: &KeySpec) -> Result<Query> {
    Ok(query
        .bind(spec.name.as_str())
        .bind(Arg::json(&spec.scopes)?)
        .bind(spec.rate_per_minute)
        .bind(spec.expires_at))
}

/// What is stored of a key's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSecret {
    /// What it is found by; unique.
    pub prefix: String,
    /// Fingerprint of the whole text.
    pub hash: String,
}

/// Stores a new key with its first secret. [`StoreError::Reference`] if the tenant has no such user,
/// [`StoreError::Conflict`] if the prefix is taken.
pub async fn insert(
    tx: &mut Tx,
    tenant_id: TenantId,
    user_id: Option<UserId>,
    spec: &KeySpec,
    secret: &NewSecret,
    now: DateTime<Utc>,
) -> Result<ApiKey> {
    let statement = query(concat!(
        "INSERT INTO netaclaw_api_key (tenant_id, user_id, create_time, update_time, name, scopes, rate_per_minute, \
         expires_at) SELECT $1, $2, $3, $3, $4, $5, $6, $7 FROM netaclaw_tenant t WHERE t.id = $1 AND \
         ($2 IS NULL OR EXISTS (SELECT 1 FROM netaclaw_user u WHERE u.id = $2 AND u.tenant_id = $1)) RETURNING ",
        columns!()
    ));
    let statement = statement.bind(tenant_id).bind(user_id.map(|id| id.0)).bind(now);
    let Some(row) = bind(statement, spec)?.optional(&mut *tx).await? else {
        return Err(StoreError::Reference);
    };
    let key = api_key(&row)?;
    insert_secret(tx, key.id, secret, now).await?;
    Ok(key)
}

async fn insert_secret(tx: &mut Tx, id: ApiKeyId, secret: &NewSecret, now: DateTime<Utc>) -> Result<()> {
    query(
        "INSERT INTO netaclaw_api_key_secret (key_id, prefix, hash, expires_at, create_time) \
         VALUES ($1, $2, $3, NULL, $4)",
    )
    .bind(id)
    .bind(secret.prefix.as_str())
    .bind(secret.hash.as_str())
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// One key of the tenant.
pub async fn find(on: impl Into<On<'_>>, tenant_id: TenantId, id: ApiKeyId) -> Result<Option<ApiKey>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_api_key WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(on)
        .await?
        .as_ref()
        .map(api_key)
        .transpose()
}

/// As [`find`]; nobody else changes it until the transaction ends.
pub async fn lock(tx: &mut Tx, tenant_id: TenantId, id: ApiKeyId) -> Result<Option<ApiKey>> {
    const LOCK: Sql = Sql {
        sqlite: concat!("SELECT ", columns!(), " FROM netaclaw_api_key WHERE id = $1 AND tenant_id = $2"),
        postgres: concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_api_key WHERE id = $1 AND tenant_id = $2 FOR UPDATE"
        ),
    };
    query(LOCK).bind(id).bind(tenant_id).optional(tx).await?.as_ref().map(api_key).transpose()
}

/// Keys by id, revoked ones included, at most `limit`: all of the tenant's, or those of one user.
/// `after` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    of: Option<UserId>,
    after: Option<ApiKeyId>,
    limit: u32,
) -> Result<Vec<ApiKey>> {
    // Two texts: only so does each use its own index.
    let statement = query(match of {
        None => concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_api_key WHERE tenant_id = $1 AND id > $2 AND $4 IS NULL ORDER BY id LIMIT $3"
        ),
        Some(_) => concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_api_key WHERE tenant_id = $1 AND id > $2 AND user_id = $4 ORDER BY id LIMIT $3"
        ),
    });
    statement
        .bind(tenant_id)
        .bind(after.map_or(0, |id| id.0))
        .bind(i64::from(limit))
        .bind(of.map(|id| id.0))
        .all(db)
        .await?
        .iter()
        .map(api_key)
        .collect()
}

/// The secrets of keys that are accepted at this time, each with its key, oldest first.
pub async fn secrets(
    on: impl Into<On<'_>>,
    keys: &[ApiKeyId],
    now: DateTime<Utc>,
) -> Result<Vec<(ApiKeyId, KeySecret)>> {
    const FIND: Sql = Sql {
        sqlite: "SELECT key_id, prefix, expires_at, create_time FROM netaclaw_api_key_secret \
                 WHERE key_id IN (SELECT value FROM json_each($1)) AND (expires_at IS NULL OR expires_at > $2) \
                 ORDER BY id",
        postgres: "SELECT key_id, prefix, expires_at, create_time FROM netaclaw_api_key_secret \
                   WHERE key_id = ANY($1) AND (expires_at IS NULL OR expires_at > $2) ORDER BY id",
    };
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let ids = Arg::Ids(keys.iter().map(|id| id.0).collect());
    let rows = query(FIND).bind(ids).bind(now).all(on).await?;
    let secret = |row: &Row| {
        let secret = KeySecret {
            prefix: row.get("prefix")?,
            expires_at: row.get("expires_at")?,
            create_time: row.get("create_time")?,
        };
        Ok((row.id("key_id", ApiKeyId)?, secret))
    };
    rows.iter().map(secret).collect()
}

/// Replaces what a person sets of a key that is not revoked; None: the tenant has no such key.
pub async fn update(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: ApiKeyId,
    spec: &KeySpec,
    now: DateTime<Utc>,
) -> Result<Option<ApiKey>> {
    let statement = query(concat!(
        "UPDATE netaclaw_api_key SET update_time = $3, name = $4, scopes = $5, rate_per_minute = $6, expires_at = $7 \
         WHERE id = $1 AND tenant_id = $2 AND revoked_at IS NULL RETURNING ",
        columns!()
    ));
    bind(statement.bind(id).bind(tenant_id).bind(now), spec)?
        .optional(tx)
        .await?
        .as_ref()
        .map(api_key)
        .transpose()
}

/// Gives a key another secret. The one that was its newest ends at `old_ends` at the latest; older ones
/// end now, so that never more than two are accepted. The key must be locked.
pub async fn rotate(
    tx: &mut Tx,
    id: ApiKeyId,
    secret: &NewSecret,
    old_ends: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<()> {
    query(
        "DELETE FROM netaclaw_api_key_secret WHERE key_id = $1 AND ($3 <= $2 OR (expires_at IS NOT NULL \
         AND expires_at <= $2) OR id < (SELECT MAX(id) FROM netaclaw_api_key_secret WHERE key_id = $1))",
    )
    .bind(id)
    .bind(now)
    .bind(old_ends)
    .execute(&mut *tx)
    .await?;
    query(
        "UPDATE netaclaw_api_key_secret SET expires_at = $2 \
         WHERE key_id = $1 AND (expires_at IS NULL OR expires_at > $2)",
    )
    .bind(id)
    .bind(old_ends)
    .execute(&mut *tx)
    .await?;
    insert_secret(tx, id, secret, now).await?;
    query("UPDATE netaclaw_api_key SET update_time = $2 WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// From now on the key is refused; None: the tenant has no such key, or it was revoked before.
pub async fn revoke(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: ApiKeyId,
    now: DateTime<Utc>,
) -> Result<Option<ApiKey>> {
    query(concat!(
        "UPDATE netaclaw_api_key SET revoked_at = $3, update_time = $3 \
         WHERE id = $1 AND tenant_id = $2 AND revoked_at IS NULL RETURNING ",
        columns!()
    ))
    .bind(id)
    .bind(tenant_id)
    .bind(now)
    .optional(tx)
    .await?
    .as_ref()
    .map(api_key)
    .transpose()
}
