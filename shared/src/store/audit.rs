//! The audit: who did what. Rows are only added; a test reads the source of the store for that.

use super::db::{Arg, Db, Row, Tx, query};
use super::error::Result;
use crate::domain::audit::{ActorKind, AuditLine, Entry};
use crate::domain::ids::{AuditId, TenantId};
use chrono::{DateTime, Utc};

/// Adds a line, in the transaction that changes the object: neither is there without the other.
pub async fn record(tx: &mut Tx, entry: &Entry, now: DateTime<Utc>) -> Result<()> {
    query(
        "INSERT INTO netaclaw_audit (tenant_id, actor_kind, actor_id, actor_name, action, object_kind, object_id, \
         address, before, after, create_time) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(entry.tenant_id)
    .bind(entry.by.kind.as_str())
    .bind(entry.by.id)
    .bind(entry.by.name.as_str())
    .bind(entry.action)
    .bind(entry.object_kind)
    .bind(entry.object_id.as_str())
    .bind(entry.by.address.as_deref())
    .bind(Arg::json_or_null(entry.before.as_ref())?)
    .bind(Arg::json_or_null(entry.after.as_ref())?)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// As [`record`], where there is somebody to name.
pub(in crate::store) async fn record_if(
    tx: &mut Tx,
    entry: Option<&Entry>,
    now: DateTime<Utc>,
) -> Result<()> {
    match entry {
        Some(entry) => record(tx, entry, now).await,
        None => Ok(()),
    }
}

/// Which lines; None: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// What kind of somebody acted.
    pub actor_kind: Option<ActorKind>,
    /// The user's or the key's number.
    pub actor_id: Option<i64>,
    /// What was done: `agent.update`, or with a dot at its end all that begins so: `agent.`.
    pub action: Option<String>,
    /// To what kind of object.
    pub object_kind: Option<String>,
    /// Its id.
    pub object_id: Option<String>,
    /// Not before.
    pub from: Option<DateTime<Utc>>,
    /// Before.
    pub to: Option<DateTime<Utc>>,
}

/// `$1` tenant, `$2` before, `$3` action, `$4` its prefix, `$5` from, `$6` to, `$7` limit, `$8` and `$9`
/// kind and id of the actor, `$10` and `$11` kind and id of the object.
macro_rules! list_sql {
    ($actor:literal, $object:literal) => {
        concat!(
            "SELECT id, actor_kind, actor_id, actor_name, action, object_kind, object_id, address, before, after, \
             create_time FROM netaclaw_audit WHERE tenant_id = $1 AND id < $2 \
             AND ($3 IS NULL OR action = $3) AND ($4 IS NULL OR SUBSTR(action, 1, LENGTH($4)) = $4) \
             AND ($5 IS NULL OR create_time >= $5) AND ($6 IS NULL OR create_time < $6) AND ",
            $actor,
            " AND ",
            $object,
            " ORDER BY id DESC LIMIT $7"
        )
    };
}

/// Newest first, at most `limit`; `before` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    before: Option<AuditId>,
    limit: u32,
) -> Result<Vec<AuditLine>> {
    // Texts of their own for one object and for one actor: only so does a prepared statement use their
    // indexes.
    let statement = match (&filter.object_kind, &filter.object_id, filter.actor_kind, filter.actor_id) {
        (Some(_), Some(_), _, _) => query(list_sql!(
            "($8 IS NULL OR actor_kind = $8) AND ($9 IS NULL OR actor_id = $9)",
            "object_kind = $10 AND object_id = $11"
        )),
        (_, _, Some(_), Some(_)) => query(list_sql!(
            "actor_kind = $8 AND actor_id = $9",
            "($10 IS NULL OR object_kind = $10) AND ($11 IS NULL OR object_id = $11)"
        )),
        _ => query(list_sql!(
            "($8 IS NULL OR actor_kind = $8) AND ($9 IS NULL OR actor_id = $9)",
            "($10 IS NULL OR object_kind = $10) AND ($11 IS NULL OR object_id = $11)"
        )),
    };
    let action = filter.action.as_deref();
    let rows = statement
        .bind(tenant_id)
        .bind(before.map_or(i64::MAX, |id| id.0))
        .bind(action.filter(|a| !a.ends_with('.')))
        .bind(action.filter(|a| a.ends_with('.')))
        .bind(filter.from)
        .bind(filter.to)
        .bind(i64::from(limit))
        .bind(filter.actor_kind.map(ActorKind::as_str))
        .bind(filter.actor_id)
        .bind(filter.object_kind.as_deref())
        .bind(filter.object_id.as_deref())
        .all(db)
        .await?;
    rows.iter().map(line).collect()
}

fn line(row: &Row) -> Result<AuditLine> {
    Ok(AuditLine {
        id: row.id("id", AuditId)?,
        actor_kind: row.parse("actor_kind", ActorKind::parse)?,
        actor_id: row.get("actor_id")?,
        actor_name: row.get("actor_name")?,
        action: row.get("action")?,
        object_kind: row.get("object_kind")?,
        object_id: row.get("object_id")?,
        address: row.get("address")?,
        before: row.json_or_null("before")?,
        after: row.json_or_null("after")?,
        create_time: row.get("create_time")?,
    })
}
