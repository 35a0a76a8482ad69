//! Sessions. They begin with their first turn, see `turns::accept`.

use super::audit;
use super::db::{Db, Row, query};
use super::error::Result;
use super::runs::erase;
use super::turns::lock_session;
use crate::domain::access::Owner;
use crate::domain::audit::Entry;
use crate::domain::ids::{AgentId, MessageId, RunId, SessionId, SubagentId, TenantId};
use crate::domain::runs::RunStatus;
use crate::domain::sessions::{Session, SessionKind};
use chrono::{DateTime, Utc};

macro_rules! columns {
    () => {
        "id AS session_id, tenant_id, owner, agent_id, kind, title, create_time, update_time"
    };
}

fn session(row: &Row) -> Result<Session> {
    let (user_id, api_key_id) = match owner(row)? {
        Some(Owner::User(id)) => (Some(id), None),
        Some(Owner::Key(id)) => (None, Some(id)),
        None => (None, None),
    };
    Ok(Session {
        user_id,
        api_key_id,
        id: super::runs::session_id(row)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        agent_id: row.get::<Option<i64>>("agent_id")?.map(AgentId),
        kind: row.parse("kind", SessionKind::parse)?,
        title: row.get("title")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

fn owner(row: &Row) -> Result<Option<Owner>> {
    row.parse_or_null("owner", Owner::parse)
}

/// Whose a session is: Some(None) is the operator's; None: the tenant has no such session.
pub async fn owner_of(db: &Db, tenant_id: TenantId, id: SessionId) -> Result<Option<Option<Owner>>> {
    let row = query("SELECT owner FROM netaclaw_session WHERE id = $1 AND tenant_id = $2");
    row.bind(id).bind(tenant_id).optional(db).await?.as_ref().map(owner).transpose()
}

/// One session of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: SessionId) -> Result<Option<Session>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_session WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(session)
        .transpose()
}

macro_rules! list_sql {
    ($owner:literal, $page:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_session WHERE tenant_id = $1 AND ",
            $owner,
            $page,
            " ORDER BY create_time DESC, id DESC LIMIT $3"
        )
    };
}

/// Sessions of one owner, or of all, the one that began last first, at most `limit`; `before` is the
/// last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    of: Option<Owner>,
    before: Option<(DateTime<Utc>, SessionId)>,
    limit: u32,
) -> Result<Vec<Session>> {
    // Texts of their own: only so is each a search in an index.
    let statement = query(match (of.is_some(), before.is_some()) {
        (false, false) => list_sql!("$2 IS NULL", ""),
        (false, true) => list_sql!("$2 IS NULL", " AND (create_time, id) < ($4, $5)"),
        (true, false) => list_sql!("owner = $2", ""),
        (true, true) => list_sql!("owner = $2", " AND (create_time, id) < ($4, $5)"),
    });
    let statement = statement.bind(tenant_id).bind(of.map(Owner::to_text)).bind(i64::from(limit));
    let statement = match before {
        Some((time, id)) => statement.bind(time).bind(id),
        None => statement,
    };
    statement.all(db).await?.iter().map(session).collect()
}

/// Gives a session another title; None: the tenant has no such session.
pub async fn rename(db: &Db, tenant_id: TenantId, id: SessionId, title: &str) -> Result<Option<Session>> {
    query(concat!(
        "UPDATE netaclaw_session SET title = $3 WHERE id = $1 AND tenant_id = $2 RETURNING ",
        columns!()
    ))
    .bind(id)
    .bind(tenant_id)
    .bind(title)
    .optional(db)
    .await?
    .as_ref()
    .map(session)
    .transpose()
}

/// What was removed: workers and readers are to be told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deleted {
    /// All assistant messages of the session.
    pub assistant_message_ids: Vec<MessageId>,
    /// Its subagents, each with its message.
    pub subagents: Vec<(MessageId, SubagentId)>,
    /// All its runs, the live ones and its subagents' too: a worker that is at one finds it gone.
    pub run_ids: Vec<RunId>,
    /// One of them had not ended: its worker may be about to tell of it.
    pub was_live: bool,
}

/// Removes a session with everything in it; None: the tenant has no such session. What was used
/// stays, without the way back.
/// `line` is the audit's.
pub async fn delete(
    db: &Db,
    tenant_id: TenantId,
    id: SessionId,
    now: DateTime<Utc>,
    line: Option<&Entry>,
) -> Result<Option<Deleted>> {
    let mut tx = db.begin().await?;
    if !lock_session(&mut tx, tenant_id, id).await? {
        tx.rollback().await?;
        return Ok(None);
    }
    let mut deleted = Deleted::default();
    let runs = query(
        "SELECT id, assistant_message_id, status FROM netaclaw_run \
         WHERE id IN (SELECT run_id FROM netaclaw_message WHERE session_id = $1) ORDER BY id",
    );
    for row in runs.bind(id).all(&mut tx).await? {
        deleted.run_ids.push(row.id("id", RunId)?);
        deleted.was_live |= !row.parse("status", RunStatus::parse)?.is_terminal();
        deleted.assistant_message_ids.push(row.id("assistant_message_id", MessageId)?);
    }
    deleted.assistant_message_ids.dedup();
    deleted.subagents = erase(&mut tx, &deleted.run_ids).await?;
    deleted.run_ids.extend(deleted.subagents.iter().map(|(_, id)| RunId::from(*id)));
    query("DELETE FROM netaclaw_message WHERE session_id = $1").bind(id).execute(&mut tx).await?;
    query("DELETE FROM netaclaw_session WHERE id = $1").bind(id).execute(&mut tx).await?;
    audit::record_if(&mut tx, line, now).await?;
    tx.commit().await?;
    Ok(Some(deleted))
}
