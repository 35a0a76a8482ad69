//! Closing a batch or a question that a run waits for: its result goes into the run's journal, and
//! whoever closes the last one makes the run due.

use super::locked::Locked;
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::journal::{ModelStep, Step, ToolResult};
use crate::domain::runs::Reason;
use crate::domain::waits::Next;
use crate::store::db::{Arg, Query, Tx, query};
use crate::store::error::Result;
use crate::store::runs::Ended;
use chrono::{DateTime, Utc};

/// What became of a run when something that it waits for was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParentNext {
    /// It waits on: for other subagents, or it had waited for nothing but persons before.
    Waits,
    /// It waits for nothing but a person from now on.
    Pauses,
    /// It is due: ring it.
    Due(Job),
    /// Somebody wanted it stopped, and this was the last to wait for: it is over.
    Ended(Ended),
    /// It is over or gone.
    Gone,
}

/// Adds the result of a call to the journal of a waiting run whose row is locked, and counts what is
/// still open. `live_subagents` are those of all its batches.
pub(in crate::store) async fn close_wait(
    tx: &mut Tx,
    run: &Locked,
    result: ToolResult,
    live_subagents: i64,
    now: DateTime<Utc>,
) -> Result<ParentNext> {
    let next = Next::of(run.open_waits - 1, live_subagents);
    let (due_at, paused_at) = match next {
        Next::Waiting => (None, None),
        Next::Paused => (None, Some(run.paused_at.unwrap_or(now))),
        Next::Due => (Some(now), None),
    };
    let paused = match (run.paused_at, paused_at) {
        (Some(since), None) => (now - since).num_milliseconds().max(0),
        _ => 0,
    };
    store_close(tx, run, &Step::ToolResult(result), now, |query| {
        query
            .bind(next.status().as_str())
            .bind(next.reason().map(Reason::as_str))
            .bind(due_at)
            .bind(paused_at)
            .bind(paused)
    })
    .await?;
    Ok(match next {
        Next::Paused if run.paused_at.is_none() => ParentNext::Pauses,
        Next::Waiting | Next::Paused => ParentNext::Waits,
        Next::Due => ParentNext::Due(run.job()),
    })
}

macro_rules! close_sql {
    () => {
        "UPDATE netaclaw_run SET step_count = step_count + 1, open_waits = open_waits - 1, status = $2, \
         reason = $3, due_at = COALESCE($4, due_at), paused_at = $5, paused_ms = paused_ms + $6 WHERE id = $1"
    };
}

/// In Postgres one statement.
async fn store_close(
    tx: &mut Tx,
    run: &Locked,
    step: &Step,
    now: DateTime<Utc>,
    bind: impl FnOnce(Query) -> Query,
) -> Result<()> {
    const STEP: &str = "INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) \
                        VALUES ($1, $2, $3, $4, $5)";
    const BOTH: &str = concat!(
        "WITH run AS (",
        close_sql!(),
        " RETURNING id) INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) \
         SELECT run.id, $7, $8, $9, $10 FROM run"
    );
    if let Tx::Postgres(_) = tx {
        let statement = bind(query(BOTH).bind(run.id)).bind(run.step_count);
        return statement.bind(step.kind()).bind(Arg::json(step)?).bind(now).execute(tx).await.map(drop);
    }
    bind(query(close_sql!()).bind(run.id)).execute(&mut *tx).await?;
    let step_row = query(STEP).bind(run.id).bind(run.step_count).bind(step.kind());
    step_row.bind(Arg::json(step)?).bind(now).execute(tx).await.map(drop)
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

/// How many subagents of a run are live.
pub(in crate::store) async fn live_subagents(tx: &mut Tx, run_id: RunId) -> Result<i64> {
    let count = query(
        "SELECT COUNT(*) AS n FROM netaclaw_subagent_session \
         WHERE parent_run_id = $1 AND status IN ('queued', 'running')",
    );
    count.bind(run_id).one(tx).await?.get("n")
}
