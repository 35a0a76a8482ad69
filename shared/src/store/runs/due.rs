//! What the sweep and whoever ends a turn ring.

use super::{earlier_live, job};
use crate::domain::ids::{RunId, SessionId, TenantId};
use crate::domain::jobs::Job;
use crate::store::db::{Db, Sql, query};
use crate::store::error::Result;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashSet;
use std::time::Duration;

/// The session's first turn in line, if any waits.
//
// The second condition on the status says nothing new: it is the text by which SQLite sees that the
// index of live runs will do.
pub async fn next_in_session(db: &Db, session_id: SessionId) -> Result<Option<Job>> {
    let row = query(
        "SELECT id, tenant_id, traceparent FROM netaclaw_run \
         WHERE session_id = $1 AND kind = 'chat' AND status = 'queued' \
         AND status IN ('queued', 'held', 'running', 'waiting', 'paused') ORDER BY id LIMIT 1",
    )
    .bind(session_id)
    .optional(db)
    .await?;
    row.as_ref().map(job).transpose()
}

/// Runs that nobody works on though they could: those whose holder let the lease expire, then those
/// that have been due for longer than `grace` and have no earlier turn of their session before them.
/// At most `limit` of each; where more are due, those of the latter are joined by the oldest of each
/// tenant, so that one tenant's backlog does not hide another's turn whose ring was lost.
pub async fn due(db: &Db, now: DateTime<Utc>, grace: Duration, limit: u32) -> Result<Vec<Job>> {
    const ABANDONED: Sql = Sql {
        sqlite: "SELECT id, tenant_id, traceparent FROM netaclaw_run \
                 WHERE status = 'running' AND lease_expires_at <= $1 ORDER BY id LIMIT $2",
        postgres: "SELECT id, tenant_id, traceparent FROM netaclaw_run \
                   WHERE status = 'running' AND lease_expires_at <= clock_timestamp() \
                   ORDER BY id LIMIT $2",
    };
    let mut rows = query(ABANDONED).bind(now).bind(i64::from(limit)).all(db).await?;
    let before = now - TimeDelta::from_std(grace).unwrap_or(TimeDelta::MAX);
    let overdue = query(OVERDUE).bind(before).bind(i64::from(limit)).all(db).await?;
    let all = overdue.len() < limit as usize;
    rows.extend(overdue);
    let mut jobs = rows.iter().map(job).collect::<Result<Vec<_>>>()?;
    if !all {
        let known: HashSet<RunId> = jobs.iter().map(|job| job.run_id).collect();
        let oldest =
            query(OLDEST_OF_EACH).bind(before).bind(i64::from((limit / SHARE).max(1))).all(db).await?;
        for row in &oldest {
            jobs.extend(Some(job(row)?).filter(|job| !known.contains(&job.run_id)));
        }
    }
    Ok(jobs)
}

// Its second condition on the status is the text by which SQLite sees that the index of due runs will do.
pub(in crate::store) const OVERDUE: &str = concat!(
    "SELECT id, tenant_id, traceparent FROM netaclaw_run \
     WHERE status = 'queued' AND status IN ('queued', 'waiting') AND due_at <= $1 AND (kind <> 'chat' OR NOT ",
    earlier_live!(),
    ") ORDER BY due_at, id LIMIT $2"
);

/// Each tenant's part of a sweep's limit where more are due.
const SHARE: u32 = 50;

/// Reads all that is due, which is dear, and asked for only where a backlog is longer than a sweep.
const OLDEST_OF_EACH: &str = concat!(
    "SELECT id, tenant_id, traceparent FROM netaclaw_run WHERE id IN (SELECT ranked.id FROM \
     (SELECT id, ROW_NUMBER() OVER (PARTITION BY tenant_id ORDER BY due_at, id) AS place FROM netaclaw_run \
     WHERE status = 'queued' AND status IN ('queued', 'waiting') AND due_at <= $1) AS ranked \
     WHERE ranked.place <= $2) AND (kind <> 'chat' OR NOT ",
    earlier_live!(),
    ") ORDER BY due_at, id"
);

/// Runs that wait for subagents though their wall time is over, and that nobody has stopped yet; and those
/// that are to stop and that no worker has taken, as it is where the queue is away. At most `limit`.
pub async fn overdue_waits(db: &Db, now: DateTime<Utc>, limit: u32) -> Result<Vec<(TenantId, RunId)>> {
    let rows = query(OVERDUE_WAITS).bind(now).bind(i64::from(limit)).all(db).await?;
    rows.iter().map(|row| Ok((row.id("tenant_id", TenantId)?, row.id("id", RunId)?))).collect()
}

pub(in crate::store) const OVERDUE_WAITS: &str = "SELECT id, tenant_id FROM netaclaw_run \
     WHERE status IN ('queued', 'waiting') AND due_at <= $1 \
     AND (status = 'waiting') = (cancel_reason IS NULL) \
     ORDER BY due_at, id LIMIT $2";
