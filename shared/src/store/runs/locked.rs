//! A run's row under lock: what transactions that change a tree of runs look at. The order of locks
//! is from the top of the tree down, then by id, then the subagents' rows.

use super::{is_leased, live, session_id};
use crate::domain::ids::{AgentId, MessageId, RunId, SessionId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::runs::{Reason, RunKind, RunStatus};
use crate::store::db::{Row, Sql, Tx, query};
use crate::store::error::Result;
use chrono::{DateTime, Utc};

/// A run that nobody else changes before the transaction ends.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct Locked {
    pub(in crate::store) id: RunId,
    pub(in crate::store) tenant_id: TenantId,
    pub(in crate::store) session_id: SessionId,
    pub(in crate::store) kind: RunKind,
    pub(in crate::store) agent_id: AgentId,
    pub(in crate::store) message_id: MessageId,
    pub(in crate::store) status: RunStatus,
    pub(in crate::store) cancel_reason: Option<Reason>,
    /// A worker holds a valid lease.
    pub(in crate::store) leased: bool,
    pub(in crate::store) has_successor: bool,
    pub(in crate::store) step_count: i64,
    pub(in crate::store) open_pauses: i64,
    pub(in crate::store) paused_at: Option<DateTime<Utc>>,
    traceparent: Option<String>,
}

impl Locked {
    /// Rings for it.
    pub(in crate::store) fn job(&self) -> Job {
        Job { run_id: self.id, tenant_id: self.tenant_id, traceparent: self.traceparent.clone() }
    }

    /// It waits for subagents or a person.
    pub(in crate::store) fn waits(&self) -> bool {
        match self.status {
            RunStatus::Waiting | RunStatus::Paused => true,
            RunStatus::Queued
            | RunStatus::Held
            | RunStatus::Running
            | RunStatus::Completed
            | RunStatus::Failed
            | RunStatus::Cancelled => false,
        }
    }
}

/// Reads a row that was selected by [`locked_sql`].
pub(in crate::store) fn locked(row: &Row) -> Result<Locked> {
    Ok(Locked {
        id: row.id("id", RunId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        session_id: session_id(row)?,
        kind: row.parse("kind", RunKind::parse)?,
        agent_id: row.id("agent_id", AgentId)?,
        message_id: row.id("assistant_message_id", MessageId)?,
        status: row.parse("status", RunStatus::parse)?,
        cancel_reason: row.parse_or_null("cancel_reason", Reason::parse)?,
        leased: is_leased(row)?,
        has_successor: row.get("has_successor")?,
        step_count: row.get("step_count")?,
        open_pauses: row.get("open_pauses")?,
        paused_at: row.get("paused_at")?,
        traceparent: row.get("traceparent")?,
    })
}

/// Selects and locks runs: `$1` says which, `$2` is the caller's clock.
macro_rules! locked_sql {
    ($clock:literal, $which:expr, $lock:literal) => {
        concat!(
            "SELECT id, tenant_id, session_id, kind, agent_id, assistant_message_id, status, cancel_reason, \
             has_successor, step_count, open_pauses, paused_at, traceparent, \
             status = 'running' AND lease_expires_at > ",
            $clock,
            " AS leased FROM netaclaw_run WHERE ",
            $which,
            $lock
        )
    };
    ($which:expr) => {
        $crate::store::db::Sql {
            sqlite: $crate::store::runs::locked_sql!("$2", $which, ""),
            postgres: $crate::store::runs::locked_sql!("clock_timestamp()", $which, " FOR UPDATE"),
        }
    };
}
pub(in crate::store) use locked_sql;

/// Locks one run.
pub(in crate::store) async fn lock(tx: &mut Tx, id: RunId, now: DateTime<Utc>) -> Result<Option<Locked>> {
    const LOCK: Sql = locked_sql!("id = $1");
    query(LOCK).bind(id).bind(now).optional(tx).await?.as_ref().map(locked).transpose()
}

/// Locks the live children of a run that is locked, in their order.
pub(in crate::store) async fn lock_children(
    tx: &mut Tx,
    parent: RunId,
    now: DateTime<Utc>,
) -> Result<Vec<Locked>> {
    const LOCK: Sql = locked_sql!(concat!(
        "id IN (SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1) AND ",
        live!(""),
        " ORDER BY id"
    ));
    query(LOCK).bind(parent).bind(now).all(tx).await?.iter().map(locked).collect()
}
