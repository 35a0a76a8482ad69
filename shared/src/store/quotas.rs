//! What a tenant, a person or a key may use a day, and how many turns of it were accepted.

use super::db::{Db, On, Row, Sql, Tx, query};
use super::error::{Result, StoreError};
use super::messages::unsigned;
use crate::domain::access::Account;
use crate::domain::ids::{QuotaId, TenantId};
use crate::domain::quotas::{self, DayLimits, Exceeded, Exhausted, Quota, Subject, SubjectKind};
use chrono::{DateTime, Utc};

macro_rules! columns {
    () => {
        "id, tenant_id, subject_kind, subject_id, max_turns, max_tokens, max_cost, day, turns"
    };
}

/// The quotas that apply to an account: `$1` is the tenant, the others say where user and key are.
macro_rules! applies {
    ($user:literal, $key:literal) => {
        concat!(
            "tenant_id = $1 AND ((subject_kind = 'tenant' AND subject_id = $1) \
             OR (subject_kind = 'user' AND subject_id = ",
            $user,
            ") OR (subject_kind = 'key' AND subject_id = ",
            $key,
            "))"
        )
    };
}

/// Whether one applies. Three looks for one row each: so Postgres uses the index also while it has no
/// statistics of the table.
macro_rules! any_applies {
    ($user:literal, $key:literal) => {
        concat!(
            "(EXISTS (SELECT 1 FROM netaclaw_quota WHERE tenant_id = $1 AND subject_kind = 'tenant' AND subject_id = $1) \
             OR EXISTS (SELECT 1 FROM netaclaw_quota WHERE tenant_id = $1 AND subject_kind = 'user' AND subject_id = ",
            $user,
            ") OR EXISTS (SELECT 1 FROM netaclaw_quota WHERE tenant_id = $1 AND subject_kind = 'key' AND subject_id = ",
            $key,
            "))"
        )
    };
}
pub(in crate::store) use any_applies;

fn limit(row: &Row, column: &str) -> Result<Option<u64>> {
    row.get::<Option<i64>>(column)?.map(unsigned).transpose()
}

fn quota(row: &Row, today: &str) -> Result<Quota> {
    let turns = unsigned(row.get("turns")?)?;
    Ok(Quota {
        id: row.id("id", QuotaId)?,
        subject: Subject {
            tenant_id: row.id("tenant_id", TenantId)?,
            kind: row.parse("subject_kind", SubjectKind::parse)?,
            id: row.get("subject_id")?,
        },
        limits: DayLimits {
            max_turns: limit(row, "max_turns")?,
            max_tokens: limit(row, "max_tokens")?,
            max_cost: row.get("max_cost")?,
        },
        turns: if row.get::<String>("day")? == today { turns } else { 0 },
    })
}

/// Quotas by id, at most `limit`: those of the tenant, with `tenants` also those of other tenants as a
/// whole. `after` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    tenants: bool,
    after: Option<QuotaId>,
    limit: u32,
    now: DateTime<Utc>,
) -> Result<Vec<Quota>> {
    let statement = query(if tenants {
        concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_quota WHERE (tenant_id = $1 OR subject_kind = 'tenant') AND id > $2 ORDER BY id LIMIT $3"
        )
    } else {
        concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_quota WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        )
    });
    let statement = statement.bind(tenant_id).bind(after.map_or(0, |id| id.0)).bind(i64::from(limit));
    let today = quotas::day(now);
    statement.all(db).await?.iter().map(|row| quota(row, &today)).collect()
}

/// The quota of somebody.
pub async fn find(on: impl Into<On<'_>>, of: Subject, now: DateTime<Utc>) -> Result<Option<Quota>> {
    let found = query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_quota WHERE tenant_id = $1 AND subject_kind = $2 AND subject_id = $3"
    ));
    let row = found.bind(of.tenant_id).bind(of.kind.as_str()).bind(of.id).optional(on).await?;
    row.as_ref().map(|row| quota(row, &quotas::day(now))).transpose()
}

/// The quotas that apply to turns on an account.
pub async fn of_account(
    db: &Db,
    tenant_id: TenantId,
    account: Account,
    now: DateTime<Utc>,
) -> Result<Vec<Quota>> {
    let found = query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_quota WHERE ",
        applies!("$2", "$3"),
        " ORDER BY id"
    ))
    .bind(tenant_id)
    .bind(account.user_id.map(|id| id.0))
    .bind(account.api_key_id.map(|id| id.0));
    let today = quotas::day(now);
    found.all(db).await?.iter().map(|row| quota(row, &today)).collect()
}

/// Whether a quota applies to turns on an account.
pub(in crate::store) async fn any_of(db: &Db, tenant_id: TenantId, account: Account) -> Result<bool> {
    let found = query(concat!("SELECT ", any_applies!("$2", "$3"), " AS applies"))
        .bind(tenant_id)
        .bind(account.user_id.map(|id| id.0))
        .bind(account.api_key_id.map(|id| id.0));
    found.one(db).await?.get("applies")
}

/// Sets somebody's quota; what was counted of the day stays. [`StoreError::Reference`] if the tenant has
/// no such user or key.
pub async fn put(tx: &mut Tx, of: Subject, limits: &DayLimits, now: DateTime<Utc>) -> Result<Quota> {
    let exists = query(match of.kind {
        SubjectKind::Tenant => "SELECT id FROM netaclaw_tenant WHERE id = $1 AND id = $2",
        SubjectKind::User => "SELECT id FROM netaclaw_user WHERE id = $1 AND tenant_id = $2",
        SubjectKind::Key => "SELECT id FROM netaclaw_api_key WHERE id = $1 AND tenant_id = $2",
    });
    if exists.bind(of.id).bind(of.tenant_id).optional(&mut *tx).await?.is_none() {
        return Err(StoreError::Reference);
    }
    let stored = |n: Option<u64>| n.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
    let today = quotas::day(now);
    let row = query(concat!(
        "INSERT INTO netaclaw_quota (tenant_id, subject_kind, subject_id, max_turns, max_tokens, max_cost, day, turns, \
         create_time, update_time) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8) \
         ON CONFLICT (tenant_id, subject_kind, subject_id) DO UPDATE SET max_turns = excluded.max_turns, \
         max_tokens = excluded.max_tokens, max_cost = excluded.max_cost, update_time = excluded.update_time RETURNING ",
        columns!()
    ))
    .bind(of.tenant_id)
    .bind(of.kind.as_str())
    .bind(of.id)
    .bind(stored(limits.max_turns))
    .bind(stored(limits.max_tokens))
    .bind(limits.max_cost)
    .bind(today.as_str())
    .bind(now)
    .one(tx)
    .await?;
    quota(&row, &today)
}

/// Takes somebody's quota away; None: there is none.
pub async fn delete(tx: &mut Tx, of: Subject, now: DateTime<Utc>) -> Result<Option<Quota>> {
    let deleted = query(concat!(
        "DELETE FROM netaclaw_quota WHERE tenant_id = $1 AND subject_kind = $2 AND subject_id = $3 RETURNING ",
        columns!()
    ));
    let row = deleted.bind(of.tenant_id).bind(of.kind.as_str()).bind(of.id).optional(tx).await?;
    row.as_ref().map(|row| quota(row, &quotas::day(now))).transpose()
}

macro_rules! count_sql {
    ($lock:literal) => {
        // Locked in one order, so that two turns never wait for one another's.
        concat!(
            "WITH due AS (SELECT id FROM netaclaw_quota WHERE ",
            applies!("$2", "$3"),
            " ORDER BY id",
            $lock,
            ") UPDATE netaclaw_quota SET turns = CASE WHEN day = $4 THEN turns + 1 ELSE 1 END, day = $4 \
             WHERE id IN (SELECT id FROM due) RETURNING ",
            columns!()
        )
    };
}

/// Counts one more turn on an account; None: it fits. If it does not, the transaction must be undone. The
/// rows stay locked until it ends, so this is its last statement.
pub(in crate::store) async fn count(
    tx: &mut Tx,
    tenant_id: TenantId,
    account: Account,
    now: DateTime<Utc>,
) -> Result<Option<Exceeded>> {
    const COUNT: Sql = Sql { sqlite: count_sql!(""), postgres: count_sql!(" FOR UPDATE") };
    let counted = query(COUNT)
        .bind(tenant_id)
        .bind(account.user_id.map(|id| id.0))
        .bind(account.api_key_id.map(|id| id.0))
        .bind(quotas::day(now));
    let today = quotas::day(now);
    for row in counted.all(tx).await? {
        let quota = quota(&row, &today)?;
        if quota.limits.max_turns.is_some_and(|max| quota.turns > max) {
            return Ok(Some(Exceeded::new(quota.subject, Exhausted::Turns, now)));
        }
    }
    Ok(None)
}
