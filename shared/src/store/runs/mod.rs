//! Runs: the durable units of work. Each transition is one conditional statement or transaction;
//! whoever's condition no longer holds changes nothing.

mod cancel;
mod child;
mod claim;
mod close;
mod due;
mod ends;
mod erase;
mod finish;
mod history;
mod journal;
mod list;
mod locked;
mod wait;
mod wait_in_steps;

pub use cancel::{CancelOutcome, Cancelled, Ended, cancel};
pub(in crate::store) use cancel::{close_pauses, is_leased, stop_tree};
pub use child::{ChildEnded, ChildEnding, ChildFinish, TakeParents, finish_child, finish_children, follow};
pub use claim::{Claim, Claimed, ConfigVersion, Renewed, claim, claim_all, hand_back, renew};
pub use close::{ParentNext, TakenParent, forgotten_waits, settle};
pub(in crate::store) use close::{close_pause, tool_name};
#[cfg(test)]
pub(in crate::store) use due::{OVERDUE, OVERDUE_WAITS};
pub use due::{due, next_in_session, overdue_waits};
pub(in crate::store) use erase::erase;
pub use finish::{Ending, FinishOutcome, finish};
pub use history::{History, history};
pub use journal::{UsageRow, append, journal};
pub use list::{Filter, count_live, find, list, over, steps, summaries};
pub(in crate::store) use locked::{Locked, lock, locked, locked_sql};
pub use wait::{NewChild, NewPause, WaitOutcome, Waiting, wait};

use super::db::{Query, Row};
use super::error::Result;
use crate::domain::ids::{AgentId, MessageId, RunId, SessionId, TenantId, WorkerId};
use crate::domain::jobs::Job;
use crate::domain::runs::{Lease, Reason, Run, RunKind, RunStatus};

/// Whether a fenced write took effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fenced {
    /// It is durable.
    Written,
    /// The lease is no longer the writer's: nothing was changed, and it must stop.
    Stale,
}

impl Fenced {
    fn by(rows: u64) -> Self {
        if rows == 0 { Self::Stale } else { Self::Written }
    }
}

/// The status of a run that is found by its key. A bare comparison would let Postgres take one of the
/// partial indexes for it instead, whose columns begin with something else: it reads the whole index
/// then, and as long as it has no statistics it finds that as cheap.
macro_rules! status_is {
    ($run:literal, $status:literal) => {
        concat!("COALESCE(", $run, ".status, '') = '", $status, "'")
    };
}
pub(in crate::store) use status_is;

/// The condition of every write of a worker: `$1` run, `$2` owner, `$3` epoch.
macro_rules! lease_holds {
    () => {
        concat!(
            "netaclaw_run.id = $1 AND netaclaw_run.lease_owner = $2 AND netaclaw_run.lease_epoch = $3 AND ",
            $crate::store::runs::status_is!("netaclaw_run", "running")
        )
    };
}
pub(in crate::store) use lease_holds;

/// Not ended. The text is that of the index `netaclaw_run_live`.
macro_rules! live {
    ($prefix:literal) => {
        concat!($prefix, "status IN ('queued', 'held', 'running', 'waiting', 'paused')")
    };
}
pub(in crate::store) use live;

/// An earlier turn of the same session is live. Ids rise in commit order within a session, since
/// accepting a turn locks the session's row before it draws the id.
macro_rules! earlier_live {
    () => {
        concat!(
            "EXISTS (SELECT 1 FROM netaclaw_run AS earlier \
             WHERE earlier.session_id = netaclaw_run.session_id AND earlier.id < netaclaw_run.id \
             AND earlier.kind = 'chat' AND ",
            $crate::store::runs::live!("earlier."),
            ")"
        )
    };
}
pub(in crate::store) use earlier_live;

macro_rules! run_columns {
    () => {
        "id, tenant_id, session_id, kind, parent_run_id, root_run_id, agent_id, user_message_id, \
         assistant_message_id, status, reason, snapshot, cancel_reason, attempts, step_count, lease_owner, \
         lease_epoch, lease_expires_at, due_at, traceparent, create_time, started_at, ended_at, paused_ms"
    };
}
pub(in crate::store) use run_columns;

/// Binds `$1` to `$3` of [`lease_holds`].
fn bind_lease(query: Query, lease: &Lease) -> Query {
    query.bind(lease.run_id).bind(&lease.owner).bind(lease.epoch)
}

fn run(row: &Row) -> Result<Run> {
    Ok(Run {
        id: row.id("id", RunId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        session_id: session_id(row)?,
        kind: row.parse("kind", RunKind::parse)?,
        parent_run_id: row.get::<Option<i64>>("parent_run_id")?.map(RunId),
        root_run_id: row.id("root_run_id", RunId)?,
        agent_id: row.id("agent_id", AgentId)?,
        user_message_id: row.id("user_message_id", MessageId)?,
        assistant_message_id: row.id("assistant_message_id", MessageId)?,
        status: row.parse("status", RunStatus::parse)?,
        reason: row.parse_or_null("reason", Reason::parse)?,
        snapshot: row.json_or_null("snapshot")?,
        cancel_reason: row.parse_or_null("cancel_reason", Reason::parse)?,
        attempts: row.get::<i64>("attempts")? as i32,
        step_count: row.get("step_count")?,
        lease_owner: row.get::<Option<String>>("lease_owner")?.map(WorkerId),
        lease_epoch: row.get("lease_epoch")?,
        lease_expires_at: row.get("lease_expires_at")?,
        due_at: row.get("due_at")?,
        traceparent: row.get("traceparent")?,
        create_time: row.get("create_time")?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
        paused_ms: row.get("paused_ms")?,
    })
}

/// The column `session_id`.
pub(in crate::store) fn session_id(row: &Row) -> Result<SessionId> {
    row.parse("session_id", |s| s.parse().ok())
}

pub(in crate::store) fn job(row: &Row) -> Result<Job> {
    Ok(Job {
        run_id: row.id("id", RunId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        traceparent: row.get("traceparent")?,
    })
}
