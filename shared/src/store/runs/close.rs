//! What becomes of a waiting run when something that it waits for is done: a subagent ended, or a
//! question was closed, whose answer goes into its journal.

use super::locked::Locked;
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::journal::{ModelStep, Step, ToolResult};
use crate::domain::runs::{Reason, RunStatus};
use crate::domain::waits::Next;
use crate::store::db::{Arg, Query, Tx, query};
use crate::store::error::Result;
use chrono::{DateTime, Utc};

/// What became of a run when something that it waits for was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParentNext {
    /// It waits on as before.
    Waits,
    /// From now on it waits for a person only.
    Pauses,
    /// It is due: ring it.
    Due(Job),
    /// It is over or gone.
    Gone,
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
         paused_ms = paused_ms + $6, live_children = $7, open_pauses = $8"
    };
}

/// Where the run goes on, with what it waits for from now on.
fn bind_next(query: Query, run: &Locked, live: i64, open: i64, next: Next, now: DateTime<Utc>) -> Query {
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
        .bind(live)
        .bind(open)
}

/// One subagent of a waiting run whose row is locked has ended.
pub(super) async fn count_child(tx: &mut Tx, run: &Locked, now: DateTime<Utc>) -> Result<ParentNext> {
    let live = run.live_children - 1;
    let next = Next::of(live, run.open_pauses, run.cancel_reason.is_some());
    let statement = query(concat!(go_on_sql!(), " WHERE id = $1"));
    bind_next(statement, run, live, run.open_pauses, next, now).execute(tx).await?;
    Ok(ParentNext::of(next, run))
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
         INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) SELECT run.id, $9, $10, $11, $12 FROM run"
    );
    let open = run.open_pauses - 1;
    let next = Next::of(run.live_children, open, run.cancel_reason.is_some());
    let step = Step::ToolResult(result);
    let bind = |statement: Query| bind_next(statement, run, run.live_children, open, next, now);
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
