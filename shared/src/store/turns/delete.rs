//! Removing one turn with all that belongs to it.

use crate::domain::audit::Entry;
use crate::domain::ids::{MessageId, RunId, SessionId, SubagentId, TenantId};
use crate::domain::runs::RunStatus;
use crate::store::audit;
use crate::store::db::{Db, Row, Sql, Tx, query};
use crate::store::error::Result;
use crate::store::runs::erase;
use chrono::{DateTime, Utc};

/// What was removed, of one turn or of several: workers and readers are to be told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletedTurn {
    /// Subagents, each with its message.
    pub subagents: Vec<(MessageId, SubagentId)>,
    /// Runs, the subagents' too.
    pub run_ids: Vec<RunId>,
    /// Assistant messages.
    pub assistant_message_ids: Vec<MessageId>,
    /// A later turn of the session may wait for it: ring it, see `runs::next_in_session`.
    pub has_successor: bool,
    /// A run had not ended: its worker may be about to tell of it.
    pub was_live: bool,
}

/// Removes the turn that a message, the user's or the assistant's, is part of. None: the session has
/// no such message. A worker that is at it finds its run gone. `line` is the audit's.
pub async fn delete(
    db: &Db,
    tenant_id: TenantId,
    session: SessionId,
    message_id: MessageId,
    now: DateTime<Utc>,
    line: Option<&Entry>,
) -> Result<Option<DeletedTurn>> {
    let mut tx = db.begin().await?;
    if !lock_session(&mut tx, tenant_id, session).await? {
        tx.rollback().await?;
        return Ok(None);
    }
    let rows = query(
        "SELECT id, assistant_message_id, user_message_id, status, has_successor FROM netaclaw_run \
         WHERE id IN (SELECT run_id FROM netaclaw_message WHERE session_id = $1) AND (user_message_id = $2 OR assistant_message_id = $2) ORDER BY id",
    )
    .bind(session)
    .bind(message_id)
    .all(&mut tx)
    .await?;
    if rows.is_empty() {
        tx.rollback().await?;
        return Ok(None);
    }
    let deleted = among(&mut tx, &rows).await?;
    for row in &rows {
        query("DELETE FROM netaclaw_message WHERE session_id = $1 AND (id = $2 OR id = $3)")
            .bind(session)
            .bind(row.id("assistant_message_id", MessageId)?)
            .bind(row.id("user_message_id", MessageId)?)
            .execute(&mut tx)
            .await?;
    }
    audit::record_if(&mut tx, line, now).await?;
    tx.commit().await?;
    Ok(Some(deleted))
}

/// Removes the runs of turns, with all below them; their messages are the caller's. A row has a run's `id`,
/// `assistant_message_id`, `status` and `has_successor`.
pub(super) async fn among(tx: &mut Tx, rows: &[Row]) -> Result<DeletedTurn> {
    let mut deleted = DeletedTurn::default();
    for row in rows {
        let assistant = row.id("assistant_message_id", MessageId)?;
        deleted.was_live |= !row.parse("status", RunStatus::parse)?.is_terminal();
        deleted.has_successor |= row.get::<bool>("has_successor")?;
        deleted.run_ids.push(row.id("id", RunId)?);
        if !deleted.assistant_message_ids.contains(&assistant) {
            deleted.assistant_message_ids.push(assistant);
        }
    }
    deleted.subagents = erase(tx, &deleted.run_ids).await?;
    deleted.run_ids.extend(deleted.subagents.iter().map(|(_, id)| RunId::from(*id)));
    Ok(deleted)
}

/// Locks the session's row, before any of its runs'. False: the tenant has no such session. A question
/// that a run of it is about to ask, whose row refers to the session, does not wait for this lock: it
/// holds the run's row, which is waited for next.
pub(in crate::store) async fn lock_session(
    tx: &mut Tx,
    tenant_id: TenantId,
    session: SessionId,
) -> Result<bool> {
    const LOCK: Sql = Sql {
        sqlite: "SELECT id FROM netaclaw_session WHERE id = $1 AND tenant_id = $2",
        postgres: "SELECT id FROM netaclaw_session WHERE id = $1 AND tenant_id = $2 FOR NO KEY UPDATE",
    };
    Ok(query(LOCK).bind(session).bind(tenant_id).optional(tx).await?.is_some())
}
