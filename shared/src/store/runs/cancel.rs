//! Stopping a run that somebody no longer wants, in whatever state it is.

use super::finish::{Ending, fill_message};
use super::{journal, session_id};
use crate::domain::ids::{MessageId, RunId, SessionId, TenantId};
use crate::domain::messages::{MessageStatus, Metadata};
use crate::domain::runs::{Reason, RunStatus};
use crate::domain::view;
use crate::store::db::{Db, Sql, Tx, query};
use crate::store::error::Result;
use crate::store::usage;
use chrono::{DateTime, Utc};

/// What became of a wish to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// No worker held it: it is over now, and its message keeps the text that there was.
    Ended(Ended),
    /// A worker holds it: the wish stands in the row, and the worker must be told.
    Flagged {
        /// The run's session.
        session_id: SessionId,
        /// Its message.
        assistant_message_id: MessageId,
    },
    /// It had ended before.
    AlreadyOver,
    /// The tenant has no such run.
    NotFound,
}

/// A run that was ended without its worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The run.
    pub run_id: RunId,
    /// Its session.
    pub session_id: SessionId,
    /// Its message, terminal now.
    pub assistant_message_id: MessageId,
    /// A later turn of the session waits: ring it.
    pub has_successor: bool,
}

const LOCK: Sql = Sql {
    sqlite: "SELECT id, session_id, assistant_message_id, status, has_successor, \
             status = 'running' AND lease_expires_at > $3 AS leased \
             FROM netaclaw_run WHERE id = $1 AND tenant_id = $2",
    postgres: "SELECT id, session_id, assistant_message_id, status, has_successor, \
               status = 'running' AND lease_expires_at > clock_timestamp() AS leased \
               FROM netaclaw_run WHERE id = $1 AND tenant_id = $2 FOR UPDATE",
};

/// Stops a run: at once where no worker holds a valid lease, else by leaving word.
pub async fn cancel(
    db: &Db,
    tenant_id: TenantId,
    run_id: RunId,
    reason: Reason,
    now: DateTime<Utc>,
) -> Result<CancelOutcome> {
    let mut tx = db.begin().await?;
    let Some(row) = query(LOCK).bind(run_id).bind(tenant_id).bind(now).optional(&mut tx).await? else {
        tx.rollback().await?;
        return Ok(CancelOutcome::NotFound);
    };
    if row.parse("status", RunStatus::parse)?.is_terminal() {
        tx.rollback().await?;
        return Ok(CancelOutcome::AlreadyOver);
    }
    let of = Ended {
        run_id,
        session_id: session_id(&row)?,
        assistant_message_id: row.id("assistant_message_id", MessageId)?,
        has_successor: row.get("has_successor")?,
    };
    let outcome = if is_leased(&row)? {
        flag(&mut tx, run_id, reason).await?;
        CancelOutcome::Flagged { session_id: of.session_id, assistant_message_id: of.assistant_message_id }
    } else {
        end_cancelled(&mut tx, run_id, of.assistant_message_id, reason, now).await?;
        CancelOutcome::Ended(of)
    };
    tx.commit().await?;
    Ok(outcome)
}

/// The column `leased`, which is NULL for a run without a lease.
pub(in crate::store) fn is_leased(row: &crate::store::db::Row) -> Result<bool> {
    Ok(row.get::<Option<bool>>("leased")? == Some(true))
}

/// Leaves word in the row. The first reason stays.
pub(in crate::store) async fn flag(tx: &mut Tx, run_id: RunId, reason: Reason) -> Result<()> {
    query("UPDATE netaclaw_run SET cancel_reason = COALESCE(cancel_reason, $2) WHERE id = $1")
        .bind(run_id)
        .bind(reason.as_str())
        .execute(tx)
        .await
        .map(drop)
}

/// Ends a live run whose row the transaction has locked: as cancelled, with the text that its journal
/// holds.
pub(in crate::store) async fn end_cancelled(
    tx: &mut Tx,
    run_id: RunId,
    message_id: MessageId,
    reason: Reason,
    now: DateTime<Utc>,
) -> Result<()> {
    query(
        "UPDATE netaclaw_run SET status = 'cancelled', cancel_reason = COALESCE(cancel_reason, $2), \
         reason = COALESCE(cancel_reason, $2), lease_owner = NULL, lease_expires_at = NULL, ended_at = $3 \
         WHERE id = $1",
    )
    .bind(run_id)
    .bind(reason.as_str())
    .bind(now)
    .execute(&mut *tx)
    .await?;
    let journal = journal(&mut *tx, run_id).await?;
    let spent = usage::of_run(&mut *tx, run_id).await?;
    let ending = Ending {
        status: RunStatus::Cancelled,
        reason: Some(reason),
        content: journal.answer_text(),
        thinking: journal.thinking_text(),
        metadata: Metadata {
            todos: view::todos(&journal),
            tools: view::tool_activity(&journal),
            subagents: Vec::new(),
            reason: None,
        },
        usage: spent.map(|(tokens, _)| tokens),
        cost: spent.and_then(|(_, cost)| cost),
        error: None,
        tool_call_count: journal.responses().map(|r| r.calls.len() as i64).sum(),
        first_seq: journal.steps.len() as i64,
        steps: Vec::new(),
        usage_rows: Vec::new(),
        snapshot: None,
    };
    fill_message(tx, message_id, &ending, MessageStatus::Cancelled, now).await
}
