//! What becomes of a waiting run when something that it waits for is done: a subagent ended, or a
//! question was closed, whose answer goes into its journal.

use super::claim::{Claimed, ConfigVersion, config_version};
use super::locked::Locked;
use super::{job, run, run_columns, status_is};
use crate::domain::ids::{RunId, TenantId, WorkerId};
use crate::domain::jobs::Job;
use crate::domain::journal::{ModelStep, Step, ToolResult};
use crate::domain::runs::{Reason, RunStatus};
use crate::domain::subagents::Subagent;
use crate::domain::waits::Next;
use crate::store::db::{Arg, Db, On, Query, Row, Tx, query};
use crate::store::error::Result;
use crate::store::subagents;
use chrono::{DateTime, TimeDelta, Utc};
use std::time::Duration;

/// What became of a run when something that it waits for was done.
#[derive(Debug, Clone, PartialEq)]
pub enum ParentNext {
    /// It waits on as before.
    Waits,
    /// From now on it waits for a person only.
    Pauses,
    /// It is due: ring it.
    Due(Job),
    /// It is due, and the caller holds it.
    Taken(Box<TakenParent>),
    /// It is over or gone.
    Gone,
}

/// A supervisor whose subagents have ended, held by whoever ended the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct TakenParent {
    /// Its run.
    pub claimed: Claimed,
    /// All its subagents, in the order in which it delegated them.
    pub subagents: Vec<Subagent>,
}

impl ParentNext {
    fn of(next: Next, run: &Locked) -> Self {
        match next {
            Next::Paused if run.status != RunStatus::Paused => Self::Pauses,
            Next::Waiting | Next::Paused => Self::Waits,
            Next::Due => Self::Due(run.job()),
        }
    }
}

macro_rules! go_on_sql {
    () => {
        "UPDATE netaclaw_run SET status = $2, reason = $3, due_at = COALESCE($4, due_at), paused_at = $5, \
         paused_ms = paused_ms + $6, open_pauses = $7"
    };
}

/// Where the run goes on, with what it waits for from now on.
fn bind_next(query: Query, run: &Locked, open: i64, next: Next, now: DateTime<Utc>) -> Query {
    let (due_at, paused_at) = match next {
        Next::Waiting => (None, None),
        Next::Paused => (None, Some(run.paused_at.unwrap_or(now))),
        Next::Due => (Some(now), None),
    };
    let paused = match (run.paused_at, paused_at) {
        (Some(since), None) => (now - since).num_milliseconds().max(0),
        _ => 0,
    };
    query
        .bind(run.id)
        .bind(next.status().as_str())
        .bind(next.reason().map(Reason::as_str))
        .bind(due_at)
        .bind(paused_at)
        .bind(paused)
        .bind(open)
}

/// A run that goes on has a question left.
macro_rules! asks {
    () => {
        "(open_pauses > 0 AND cancel_reason IS NULL)"
    };
}

/// What a waiting run becomes when none of its subagents is live any more; where it goes on and `$taken`
/// says so, its lease is `$owner`'s.
macro_rules! settle_sql {
    ($now:literal, $taken:literal, $owner:literal, $expires:literal) => {
        concat!(
            "UPDATE netaclaw_run SET status = CASE WHEN ",
            asks!(),
            " THEN 'paused' WHEN ",
            $taken,
            " THEN 'running' ELSE 'queued' END, reason = CASE WHEN ",
            asks!(),
            " THEN 'question' END, due_at = CASE WHEN ",
            asks!(),
            " THEN due_at ELSE ",
            $now,
            " END, paused_at = CASE WHEN ",
            asks!(),
            " THEN ",
            $now,
            " END, lease_owner = CASE WHEN ",
            asks!(),
            " THEN NULL WHEN ",
            $taken,
            " THEN ",
            $owner,
            " END, lease_expires_at = CASE WHEN ",
            asks!(),
            " THEN NULL WHEN ",
            $taken,
            " THEN ",
            $expires,
            " END, lease_epoch = lease_epoch + CASE WHEN ",
            $taken,
            " AND NOT ",
            asks!(),
            " THEN 1 ELSE 0 END, attempts = attempts + CASE WHEN ",
            $taken,
            " AND NOT ",
            asks!(),
            " THEN 1 ELSE 0 END "
        )
    };
}
pub(super) use {asks, settle_sql};

/// The epoch is compared with itself as it was when the statement began: a run that has gone on and
/// waits anew meanwhile is not meant.
macro_rules! same_wait {
    () => {
        concat!(
            status_is!("netaclaw_run", "waiting"),
            " AND lease_epoch = (SELECT before.lease_epoch FROM netaclaw_run before WHERE before.id = netaclaw_run.id)"
        )
    };
}
pub(super) use same_wait;

/// Makes a waiting run due, or has it wait for a person only, once none of its subagents is live; None:
/// one is, or somebody else did so. By a look that begins after the end of the subagent on whose
/// account it is taken: so the last one's sees them all. Relaxed, see [`Db::relaxed`]: where it is lost,
/// the sweep looks again.
pub async fn settle(db: &Db, run_id: RunId, now: DateTime<Utc>) -> Result<ParentNext> {
    match settle_row(db.relaxed(), run_id, None, now).await? {
        Some(row) => settled(&row),
        None => Ok(ParentNext::Waits),
    }
}

/// The same within the transaction that ended the last one, in SQLite, where a transaction sees all
/// that ended before. The caller may take the run: its name, and how long its lease is.
pub(super) async fn settle_in(
    tx: &mut Tx,
    run_id: RunId,
    take: Option<(&WorkerId, Duration)>,
    now: DateTime<Utc>,
) -> Result<ParentNext> {
    let Some(row) = settle_row(&mut *tx, run_id, take, now).await? else { return Ok(ParentNext::Waits) };
    match row.parse("status", RunStatus::parse)? {
        RunStatus::Running => {
            let subagents = subagents::of_run(tx, run_id).await?;
            Ok(ParentNext::Taken(Box::new(TakenParent { claimed: claimed(&row)?, subagents })))
        }
        _ => settled(&row),
    }
}

async fn settle_row(
    on: impl Into<On<'_>>,
    run_id: RunId,
    take: Option<(&WorkerId, Duration)>,
    now: DateTime<Utc>,
) -> Result<Option<Row>> {
    let settle = query(concat!(
        settle_sql!("$2", "$3 IS NOT NULL", "$3", "$4"),
        "WHERE id = $1 AND ",
        same_wait!(),
        " AND NOT EXISTS (SELECT 1 FROM netaclaw_subagent_session s \
         WHERE s.parent_run_id = $1 AND s.status IN ('queued', 'running')) RETURNING ",
        run_columns!(),
        ", ",
        config_version!("netaclaw_run")
    ));
    let ends_at = take.map(|(_, lease)| now + TimeDelta::from_std(lease).unwrap_or(TimeDelta::MAX));
    let settle = settle.bind(run_id).bind(now).bind(take.map(|(owner, _)| owner.0.as_str())).bind(ends_at);
    settle.optional(on).await
}

/// What a settled run's row says, where nobody took it.
pub(super) fn settled(row: &Row) -> Result<ParentNext> {
    Ok(match row.parse("status", RunStatus::parse)? {
        RunStatus::Queued => ParentNext::Due(job(row)?),
        _ => ParentNext::Pauses,
    })
}

/// A run that was taken, by its row.
pub(super) fn claimed(row: &Row) -> Result<Claimed> {
    Ok(Claimed { run: run(row)?, config: ConfigVersion::read(row)?, subagent: None })
}

/// Runs that wait for subagents of which none is live, at most `limit`: who ended the last one died
/// before it could [`settle`] them.
pub async fn forgotten_waits(db: &Db, limit: u32) -> Result<Vec<(TenantId, RunId)>> {
    let rows = query(
        "SELECT id, tenant_id FROM netaclaw_run WHERE status = 'waiting' AND status IN ('queued', 'waiting') \
         AND NOT EXISTS (SELECT 1 FROM netaclaw_subagent_session s WHERE s.parent_run_id = netaclaw_run.id \
         AND s.status IN ('queued', 'running')) ORDER BY due_at, id LIMIT $1",
    );
    let rows = rows.bind(i64::from(limit)).all(db).await?;
    rows.iter().map(|row| Ok((row.id("tenant_id", TenantId)?, row.id("id", RunId)?))).collect()
}

/// How many subagents of a run are live.
async fn live_children(tx: &mut Tx, run_id: RunId) -> Result<i64> {
    let count = query(
        "SELECT COUNT(*) AS n FROM netaclaw_subagent_session \
         WHERE parent_run_id = $1 AND status IN ('queued', 'running')",
    );
    count.bind(run_id).one(tx).await?.get("n")
}

/// A question of a waiting run whose row is locked is closed: its result goes into the journal. In
/// Postgres one statement.
pub(in crate::store) async fn close_pause(
    tx: &mut Tx,
    run: &Locked,
    result: ToolResult,
    now: DateTime<Utc>,
) -> Result<ParentNext> {
    const STEP: &str = "INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) \
                        VALUES ($1, $2, $3, $4, $5)";
    const GO_ON: &str = concat!(go_on_sql!(), ", step_count = step_count + 1 WHERE id = $1");
    const BOTH: &str = concat!(
        "WITH run AS (",
        go_on_sql!(),
        ", step_count = step_count + 1 WHERE id = $1 RETURNING id) \
         INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) SELECT run.id, $8, $9, $10, $11 FROM run"
    );
    let open = run.open_pauses - 1;
    let live = match run.status {
        RunStatus::Waiting => live_children(tx, run.id).await?,
        _ => 0,
    };
    let next = Next::of(live, open, run.cancel_reason.is_some());
    let step = Step::ToolResult(result);
    let bind = |statement: Query| bind_next(statement, run, open, next, now);
    if let Tx::Postgres(_) = tx {
        let statement = bind(query(BOTH)).bind(run.step_count).bind(step.kind());
        statement.bind(Arg::json(&step)?).bind(now).execute(tx).await?;
    } else {
        bind(query(GO_ON)).execute(&mut *tx).await?;
        let row = query(STEP).bind(run.id).bind(run.step_count).bind(step.kind());
        row.bind(Arg::json(&step)?).bind(now).execute(tx).await?;
    }
    Ok(ParentNext::of(next, run))
}

/// The name of the tool that a call of the run's last response asks for; empty where the journal does
/// not show the call.
pub(in crate::store) async fn tool_name(tx: &mut Tx, run_id: RunId, tool_call_id: &str) -> Result<String> {
    let row = query(
        "SELECT payload FROM netaclaw_run_step WHERE run_id = $1 AND kind = 'model' ORDER BY seq DESC LIMIT 1",
    );
    let Some(row) = row.bind(run_id).optional(tx).await? else { return Ok(String::new()) };
    let Step::Model(ModelStep { response, .. }) = row.json("payload")? else { return Ok(String::new()) };
    let call = response.calls.into_iter().find(|c| c.id == tool_call_id);
    Ok(call.map(|c| c.name).unwrap_or_default())
}
