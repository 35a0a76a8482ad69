//! Stopping a run that somebody no longer wants, in whatever state it is, with all below it.

use super::child::{ChildEnded, End, end_row, follow, release};
use super::finish::{Ending, fill_message, message_status};
use super::journal;
use super::locked::{Locked, lock, lock_children};
use crate::domain::audit::Entry;
use crate::domain::ids::{MessageId, RunId, SessionId, TenantId};
use crate::domain::messages::{ErrorInfo, Metadata};
use crate::domain::runs::{Reason, RunKind, RunStatus};
use crate::domain::subagents::{self, Subagent};
use crate::domain::view;
use crate::store::db::{Db, Tx, query};
use crate::store::error::{Result, StoreError};
use crate::store::{audit, budgets, usage};
use chrono::{DateTime, Utc};

/// What became of a wish to stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Cancelled {
    /// Of the run itself.
    pub outcome: CancelOutcome,
    /// Its subagents that no worker held: they are over now.
    pub ended: Vec<Subagent>,
    /// Runs that workers hold, its own or its subagents': their rows say stop, and their workers must
    /// be told.
    pub told: Vec<RunId>,
}

impl From<CancelOutcome> for Cancelled {
    fn from(outcome: CancelOutcome) -> Self {
        Self { outcome, ended: Vec::new(), told: Vec::new() }
    }
}

/// What became of the run that was to be stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum CancelOutcome {
    /// No worker held it or any of its subagents: it is over now, and its message keeps the text that
    /// there was.
    Ended(Ended),
    /// It was a subagent that no worker held: it is over now.
    ChildEnded(Box<ChildEnded>),
    /// A worker holds it, or one of its subagents, whose end will be its own: the wish stands in the
    /// rows.
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

/// Stops a run and all below it: at once where no worker holds a valid lease, else by leaving word. `line`
/// is the audit's, where somebody wished it.
pub async fn cancel(
    db: &Db,
    tenant_id: TenantId,
    run_id: RunId,
    reason: Reason,
    now: DateTime<Utc>,
    line: Option<&Entry>,
) -> Result<Cancelled> {
    let row = query("SELECT parent_run_id FROM netaclaw_run WHERE id = $1 AND tenant_id = $2");
    let Some(row) = row.bind(run_id).bind(tenant_id).optional(db).await? else {
        return Ok(CancelOutcome::NotFound.into());
    };
    let parent = row.get::<Option<i64>>("parent_run_id")?.map(RunId);
    let mut tx = db.begin().await?;
    let parent = match parent {
        Some(parent) => lock(&mut tx, parent, now).await?,
        None => None,
    };
    let cancelled = match lock(&mut tx, run_id, now).await? {
        None => CancelOutcome::NotFound.into(),
        Some(run) if run.status.is_terminal() => CancelOutcome::AlreadyOver.into(),
        Some(run) if run.kind == RunKind::Subagent => {
            stop_child(&mut tx, parent.as_ref(), &run, reason, now).await?
        }
        Some(run) => stop_tree(&mut tx, &run, reason, now).await?,
    };
    let mut cancelled = cancelled;
    match &mut cancelled.outcome {
        CancelOutcome::NotFound | CancelOutcome::AlreadyOver => tx.rollback().await?,
        CancelOutcome::ChildEnded(child) => {
            audit::record_if(&mut tx, line, now).await?;
            tx.commit().await?;
            follow(db, child, now).await?;
        }
        CancelOutcome::Ended(_) | CancelOutcome::Flagged { .. } => {
            audit::record_if(&mut tx, line, now).await?;
            tx.commit().await?;
        }
    }
    Ok(cancelled)
}

/// Stops a live run that is no subagent, and whose row is locked, with its subagents.
pub(in crate::store) async fn stop_tree(
    tx: &mut Tx,
    run: &Locked,
    reason: Reason,
    now: DateTime<Utc>,
) -> Result<Cancelled> {
    let flagged = CancelOutcome::Flagged { session_id: run.session_id, assistant_message_id: run.message_id };
    let mut cancelled = Cancelled::from(flagged);
    if run.leased {
        flag(tx, run.id, reason).await?;
        cancelled.told.push(run.id);
        return Ok(cancelled);
    }
    if run.status == RunStatus::Waiting {
        for child in lock_children(tx, run.id, now).await? {
            if child.leased {
                flag(tx, child.id, Reason::ParentEnded).await?;
                cancelled.told.push(child.id);
            } else {
                cancelled.ended.push(end_child(tx, &child, Reason::ParentEnded, now).await?);
            }
        }
        close_pauses(tx, run.id, now).await?;
    }
    if cancelled.told.is_empty() {
        cancelled.outcome = CancelOutcome::Ended(end_cancelled(tx, run, reason, now).await?);
    } else {
        flag(tx, run.id, reason).await?;
        // The last of those that workers hold makes it due, to be ended.
        query("UPDATE netaclaw_run SET open_pauses = 0 WHERE id = $1").bind(run.id).execute(&mut *tx).await?;
    }
    Ok(cancelled)
}

/// Stops one subagent; the others of its supervisor go on.
async fn stop_child(
    tx: &mut Tx,
    parent: Option<&Locked>,
    child: &Locked,
    reason: Reason,
    now: DateTime<Utc>,
) -> Result<Cancelled> {
    if child.leased {
        flag(tx, child.id, reason).await?;
        let outcome =
            CancelOutcome::Flagged { session_id: child.session_id, assistant_message_id: child.message_id };
        return Ok(Cancelled { told: vec![child.id], ..outcome.into() });
    }
    let subagent = end_child(tx, child, reason, now).await?;
    // A held one did not count among those that may be at work at the same time.
    let makes_room = child.status != RunStatus::Held && parent.is_some_and(|p| p.cancel_reason.is_none());
    let released = match parent {
        Some(parent) if makes_room => release(tx, parent.id, now).await?,
        _ => None,
    };
    Ok(CancelOutcome::ChildEnded(Box::new(ChildEnded::of(subagent, released))).into())
}

/// The column `leased`, which is NULL for a run without a lease.
pub(in crate::store) fn is_leased(row: &crate::store::db::Row) -> Result<bool> {
    Ok(row.get::<Option<bool>>("leased")? == Some(true))
}

/// Leaves word in the row. The first reason stays.
async fn flag(tx: &mut Tx, run_id: RunId, reason: Reason) -> Result<()> {
    query("UPDATE netaclaw_run SET cancel_reason = COALESCE(cancel_reason, $2) WHERE id = $1")
        .bind(run_id)
        .bind(reason.as_str())
        .execute(tx)
        .await
        .map(drop)
}

/// Nobody need answer any more.
pub(in crate::store) async fn close_pauses(tx: &mut Tx, run_id: RunId, now: DateTime<Utc>) -> Result<()> {
    query(
        "UPDATE netaclaw_pause SET status = 'cancelled', update_time = $2 \
         WHERE run_id = $1 AND status = 'open'",
    )
    .bind(run_id)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Ends a live subagent without its worker, with the text that its journal holds.
async fn end_child(tx: &mut Tx, child: &Locked, reason: Reason, now: DateTime<Utc>) -> Result<Subagent> {
    let ending = end_run(tx, child, reason, now).await?;
    let Some(end) = End::of(&ending) else {
        return Err(StoreError::Refused(format!("{} is no end", ending.status.as_str())));
    };
    end_row(tx, child.id, &end, now).await
}

/// Ends a live run that is no subagent without its worker: as the reason wants it, with the text that
/// its journal holds, and what its subagents came to. None of them is live.
pub(in crate::store) async fn end_cancelled(
    tx: &mut Tx,
    run: &Locked,
    reason: Reason,
    now: DateTime<Utc>,
) -> Result<Ended> {
    let ending = end_run(tx, run, reason, now).await?;
    if let Some(status) = message_status(ending.status) {
        fill_message(tx, run.message_id, &ending, status, now).await?;
    }
    Ok(Ended {
        run_id: run.id,
        session_id: run.session_id,
        assistant_message_id: run.message_id,
        has_successor: run.has_successor,
    })
}

/// Ends the run's row. The reason that was given first counts.
async fn end_run(tx: &mut Tx, run: &Locked, reason: Reason, now: DateTime<Utc>) -> Result<Ending> {
    let reason = run.cancel_reason.unwrap_or(reason);
    let status = RunStatus::of_stop(reason);
    query(
        "UPDATE netaclaw_run SET status = $2, cancel_reason = $3, reason = $3, lease_owner = NULL, \
         lease_expires_at = NULL, open_pauses = 0, paused_at = NULL, ended_at = $4 WHERE id = $1",
    )
    .bind(run.id)
    .bind(status.as_str())
    .bind(reason.as_str())
    .bind(now)
    .execute(&mut *tx)
    .await?;
    close_pauses(tx, run.id, now).await?;
    budgets::let_go(tx, run.id).await?;
    ending(tx, run, status, reason).await
}

/// What the journal and the subagents' rows hold.
async fn ending(tx: &mut Tx, run: &Locked, status: RunStatus, reason: Reason) -> Result<Ending> {
    let journal = journal(&mut *tx, run.id).await?;
    let spent = usage::of_tree(&mut *tx, run.id).await?;
    let children = if journal.has_delegated() {
        crate::store::subagents::of_run(&mut *tx, run.id).await?
    } else {
        Vec::new()
    };
    Ok(Ending {
        status,
        reason: Some(reason),
        content: journal.answer_text(),
        thinking: journal.thinking_text(),
        metadata: Metadata {
            todos: view::todos(&journal),
            tools: view::tool_activity(&journal),
            subagents: subagents::batches(&children, &journal),
            reason: None,
            told: None,
        },
        usage: spent.map(|(tokens, _)| tokens),
        cost: spent.and_then(|(_, cost)| cost),
        error: (status == RunStatus::Failed)
            .then(|| ErrorInfo { kind: reason, message: reason.explanation().to_owned() }),
        tool_call_count: journal.responses().map(|r| r.calls.len() as i64).sum(),
        first_seq: journal.steps.len() as i64,
        steps: Vec::new(),
        usage_rows: Vec::new(),
        snapshot: None,
    })
}
