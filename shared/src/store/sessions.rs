//! Sessions. They begin with their first turn, see `turns::accept`.

use super::audit;
use super::db::{Db, Row, Tx, like, query};
use super::error::Result;
use super::messages::unsigned;
use super::runs::{erase, live};
use super::turns::lock_session;
use crate::domain::access::Owner;
use crate::domain::audit::Entry;
use crate::domain::ids::{AgentId, MessageId, RunId, SessionId, SubagentId, TenantId};
use crate::domain::runs::RunStatus;
use crate::domain::sessions::{LiveTurn, Session, SessionContents, SessionKind};
use chrono::{DateTime, Utc};

/// Sessions as they are shown: those that a statement about `netaclaw_session s` picks.
macro_rules! shown {
    ($picked:expr, $order:literal) => {
        concat!(
            "SELECT s.id AS session_id, s.tenant_id, s.owner, s.agent_id, s.kind, s.title, s.create_time, \
             s.update_time, a.name AS agent_name, \
             EXISTS (SELECT 1 FROM netaclaw_session_pin p WHERE p.session_id = s.id) AS pinned, \
             (SELECT COUNT(*) FROM netaclaw_pause p WHERE p.session_id = s.id AND p.status = 'open') AS open_pauses, \
             r.id AS live_run_id, r.assistant_message_id AS live_message_id, r.status AS live_status, \
             (SELECT COUNT(*) FROM netaclaw_run b WHERE b.session_id = s.id AND b.id > r.id AND b.kind = 'chat' \
             AND ",
            live!("b."),
            ") AS queued_turns, \
             (SELECT COUNT(*) FROM netaclaw_run c WHERE c.session_id = s.id AND c.root_run_id = r.id \
             AND c.kind = 'subagent' AND c.status <> 'held' AND ",
            live!("c."),
            ") AS active_subagents FROM (SELECT * FROM netaclaw_session s WHERE ",
            $picked,
            ") s LEFT JOIN netaclaw_agent a ON a.id = s.agent_id LEFT JOIN netaclaw_run r ON r.id = \
             (SELECT MIN(f.id) FROM netaclaw_run f WHERE f.session_id = s.id AND f.kind = 'chat' AND ",
            live!("f."),
            ")",
            $order
        )
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
        agent_name: row.get("agent_name")?,
        kind: row.parse("kind", SessionKind::parse)?,
        title: row.get("title")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
        pinned: row.get("pinned")?,
        live: live_turn(row)?,
        open_pauses: count(row, "open_pauses")?,
    })
}

fn live_turn(row: &Row) -> Result<Option<LiveTurn>> {
    let Some(run_id) = row.get::<Option<i64>>("live_run_id")? else { return Ok(None) };
    Ok(Some(LiveTurn {
        message_id: row.id("live_message_id", MessageId)?,
        run_id: RunId(run_id),
        status: row.parse("live_status", RunStatus::parse)?,
        queued_turns: count(row, "queued_turns")?,
        active_subagents: count(row, "active_subagents")?,
    }))
}

fn count(row: &Row, column: &str) -> Result<u64> {
    unsigned(row.get(column)?)
}

fn owner(row: &Row) -> Result<Option<Owner>> {
    row.parse_or_null("owner", Owner::parse)
}

/// Whose a session is: Some(None) is the operator's; None: the tenant has no such session.
pub async fn owner_of(db: &Db, tenant_id: TenantId, id: SessionId) -> Result<Option<Option<Owner>>> {
    let row = query("SELECT owner FROM netaclaw_session WHERE id = $1 AND tenant_id = $2");
    row.bind(id).bind(tenant_id).optional(db).await?.as_ref().map(owner).transpose()
}

/// The agent that a session began with; None: that is gone, or the tenant has no such session.
pub async fn agent_of(db: &Db, tenant_id: TenantId, id: SessionId) -> Result<Option<AgentId>> {
    let row = query("SELECT agent_id FROM netaclaw_session WHERE id = $1 AND tenant_id = $2");
    match row.bind(id).bind(tenant_id).optional(db).await? {
        Some(row) => Ok(row.get::<Option<i64>>("agent_id")?.map(AgentId)),
        None => Ok(None),
    }
}

/// One session of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: SessionId) -> Result<Option<Session>> {
    query(shown!("s.id = $1 AND s.tenant_id = $2", ""))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(session)
        .transpose()
}

/// Which sessions; None: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Whose they are.
    pub owner: Option<Owner>,
    /// Pinned, or not.
    pub pinned: Option<bool>,
    /// The agent that they began with.
    pub agent_id: Option<AgentId>,
    /// A part of the title, in any case of Latin letters; empty: any.
    pub text: String,
}

macro_rules! list_sql {
    ($owner:literal, $pinned:literal, $page:literal) => {
        shown!(
            concat!(
                "s.tenant_id = $1 AND ",
                $owner,
                $pinned,
                " AND NOT EXISTS (SELECT 1 FROM netaclaw_tryout t WHERE t.session_id = s.id) \
                 AND ($4 IS NULL OR s.agent_id = $4) AND (LOWER(s.title) LIKE $5 ESCAPE '!' \
                 OR s.title LIKE $6 ESCAPE '!')",
                $page,
                " ORDER BY s.update_time DESC, s.id DESC LIMIT $3"
            ),
            " ORDER BY s.update_time DESC, s.id DESC"
        )
    };
    ($owner:literal, $pinned:literal) => {
        [list_sql!($owner, $pinned, ""), list_sql!($owner, $pinned, " AND (s.update_time, s.id) < ($7, $8)")]
    };
    ($owner:literal) => {
        [
            list_sql!($owner, ""),
            list_sql!(
                $owner,
                " AND s.id IN (SELECT session_id FROM netaclaw_session_pin WHERE tenant_id = $1)"
            ),
            list_sql!(
                $owner,
                " AND NOT EXISTS (SELECT 1 FROM netaclaw_session_pin p WHERE p.session_id = s.id)"
            ),
        ]
    };
}

/// Texts of their own for whose they are, for pinned ones and for the pages after the first: only so is
/// each a search in an index.
const LISTS: [[[&str; 2]; 3]; 2] = [list_sql!("$2 IS NULL"), list_sql!("s.owner = $2")];

/// Sessions, the one that was used last first, at most `limit`; `before` is the last one of the page
/// before; without those that try a definition. One that is used meanwhile moves to the beginning, and is on no later page.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    before: Option<(DateTime<Utc>, SessionId)>,
    limit: u32,
) -> Result<Vec<Session>> {
    let pinned = match filter.pinned {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    };
    let sql = LISTS[usize::from(filter.owner.is_some())][pinned][usize::from(before.is_some())];
    let statement = query(sql)
        .bind(tenant_id)
        .bind(filter.owner.map(Owner::to_text))
        .bind(i64::from(limit))
        .bind(filter.agent_id.map(|id| id.0))
        .bind(like(&filter.text.to_lowercase()))
        // SQLite's LOWER knows ASCII only: other letters are found as they are written.
        .bind(like(&filter.text));
    let statement = match before {
        Some((time, id)) => statement.bind(time).bind(id),
        None => statement,
    };
    statement.all(db).await?.iter().map(session).collect()
}

/// What is to be changed of a session; None: nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionChange {
    /// Its title.
    pub title: Option<String>,
    /// Whether it is pinned.
    pub pinned: Option<bool>,
}

/// Changes a session; None: the tenant has no such session.
pub async fn update(
    db: &Db,
    tenant_id: TenantId,
    id: SessionId,
    change: &SessionChange,
    now: DateTime<Utc>,
) -> Result<Option<Session>> {
    let mut tx = db.begin().await?;
    if !lock_session(&mut tx, tenant_id, id).await? {
        tx.rollback().await?;
        return Ok(None);
    }
    if let Some(title) = &change.title {
        let rename = query("UPDATE netaclaw_session SET title = $2 WHERE id = $1");
        rename.bind(id).bind(title.as_str()).execute(&mut tx).await?;
    }
    if let Some(pinned) = change.pinned {
        pin(&mut tx, tenant_id, id, pinned, now).await?;
    }
    tx.commit().await?;
    find(db, tenant_id, id).await
}

async fn pin(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: SessionId,
    pinned: bool,
    now: DateTime<Utc>,
) -> Result<()> {
    let statement = if pinned {
        query(
            "INSERT INTO netaclaw_session_pin (session_id, tenant_id, create_time) VALUES ($1, $2, $3) \
             ON CONFLICT (session_id) DO NOTHING",
        )
        .bind(id)
        .bind(tenant_id)
        .bind(now)
    } else {
        query("DELETE FROM netaclaw_session_pin WHERE session_id = $1").bind(id)
    };
    statement.execute(tx).await.map(drop)
}

/// What a session holds; None: the tenant has no such session.
pub async fn contents(db: &Db, tenant_id: TenantId, id: SessionId) -> Result<Option<SessionContents>> {
    let row = query(concat!(
        "SELECT (SELECT COUNT(*) FROM netaclaw_message m WHERE m.session_id = s.id) AS messages, \
         (SELECT COUNT(*) FROM netaclaw_message m WHERE m.session_id = s.id AND m.role = 'assistant') AS turns, \
         (SELECT COUNT(*) FROM netaclaw_subagent_session c WHERE c.session_id = s.id) AS subagents, \
         (SELECT COUNT(*) FROM netaclaw_run r WHERE r.session_id = s.id AND r.kind = 'chat' AND ",
        live!("r."),
        ") AS live_turns, \
         (SELECT COUNT(*) FROM netaclaw_pause p WHERE p.session_id = s.id AND p.status = 'open') AS open_pauses \
         FROM netaclaw_session s WHERE s.id = $1 AND s.tenant_id = $2"
    ));
    let Some(row) = row.bind(id).bind(tenant_id).optional(db).await? else { return Ok(None) };
    Ok(Some(SessionContents {
        turns: count(&row, "turns")?,
        messages: count(&row, "messages")?,
        subagents: count(&row, "subagents")?,
        live_turns: count(&row, "live_turns")?,
        open_pauses: count(&row, "open_pauses")?,
    }))
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
