//! The journal: what a run has done. A step is used only after it stands here.

use super::{Fenced, bind_lease, lease_holds};
use crate::domain::ids::{AgentId, MessageId, ModelId, RunId, TenantId};
use crate::domain::journal::{Journal, Step};
use crate::domain::runs::{Lease, Snapshot};
use crate::store::db::{Arg, Db, On, Row, Tx, query};
use crate::store::error::{Result, StoreError};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// What one finished model call used.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsageRow {
    /// The model that was called.
    pub model_id: ModelId,
    /// Number of the step that holds its response: a call counts once.
    pub step_seq: i64,
    /// Prompt tokens.
    pub input_tokens: u64,
    /// Completion tokens.
    pub output_tokens: u64,
    /// Price, where the model has prices.
    pub cost: Option<f64>,
    /// Milliseconds from request to end.
    pub duration_ms: u64,
}

/// All steps of a run in order.
pub async fn journal(on: impl Into<On<'_>>, run_id: RunId) -> Result<Journal> {
    let rows = query("SELECT seq, payload FROM netaclaw_run_step WHERE run_id = $1 ORDER BY seq")
        .bind(run_id)
        .all(on)
        .await?;
    let mut steps = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        if row.get::<i64>("seq")? != at as i64 {
            return Err(StoreError::Corrupt(format!("run {run_id} has no step {at}")));
        }
        steps.push(row.json("payload")?);
    }
    Ok(Journal { steps })
}

/// The part of a statement that stores steps and usage rows, given a CTE `run` with the run's row.
/// Doing it twice under one lease changes nothing, so that a writer whose connection broke in the
/// middle may repeat it.
macro_rules! insert_steps_and_usage {
    ($steps:literal, $usage:literal, $now:literal) => {
        concat!(
            "step AS (INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) \
             SELECT run.id, s.seq, s.kind, s.payload, ",
            $now,
            " FROM run, json_to_recordset(",
            $steps,
            ") AS s (seq bigint, kind text, payload json) ON CONFLICT (run_id, seq) DO NOTHING), \
             usage AS (INSERT INTO netaclaw_usage (tenant_id, session_id, run_id, message_id, agent_id, model_id, \
             step_seq, input_tokens, output_tokens, cost, duration_ms, create_time) \
             SELECT run.tenant_id, run.session_id, run.id, run.assistant_message_id, run.agent_id, u.model_id, \
             u.step_seq, u.input_tokens, u.output_tokens, u.cost, u.duration_ms, ",
            $now,
            " FROM run, json_to_recordset(",
            $usage,
            ") AS u (model_id bigint, step_seq bigint, input_tokens bigint, output_tokens bigint, \
             cost double precision, duration_ms bigint) ON CONFLICT (run_id, step_seq) DO NOTHING)"
        )
    };
}
pub(super) use insert_steps_and_usage;

/// Stores steps that follow the first `first_seq` ones, with what their calls used, in one commit.
/// Progress was made: the attempts begin anew. The snapshot is kept if none is given.
pub async fn append(
    db: &Db,
    lease: &Lease,
    first_seq: i64,
    steps: &[Step],
    usage: &[UsageRow],
    snapshot: Option<&Snapshot>,
    now: DateTime<Utc>,
) -> Result<Fenced> {
    let count = first_seq + steps.len() as i64;
    let snapshot = Arg::json_or_null(snapshot)?;
    if let Db::Postgres(_) = db {
        let statement = query(concat!(
            "WITH run AS (UPDATE netaclaw_run SET step_count = $4, attempts = 1, snapshot = COALESCE($5, snapshot) \
             WHERE ",
            lease_holds!(),
            " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id), ",
            insert_steps_and_usage!("$6", "$7", "$8"),
            " SELECT id FROM run"
        ));
        let statement = bind_lease(statement, lease)
            .bind(count)
            .bind(snapshot)
            .bind(steps_json(first_seq, steps)?)
            .bind(Arg::json(&usage)?)
            .bind(now);
        return Ok(Fenced::by(statement.all(db).await?.len() as u64));
    }
    let mut tx = db.begin().await?;
    let statement = query(concat!(
        "UPDATE netaclaw_run SET step_count = $4, attempts = 1, snapshot = COALESCE($5, snapshot) WHERE ",
        lease_holds!(),
        " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id"
    ));
    let Some(row) = bind_lease(statement, lease).bind(count).bind(snapshot).optional(&mut tx).await? else {
        tx.rollback().await?;
        return Ok(Fenced::Stale);
    };
    insert(&mut tx, &row, first_seq, steps, usage, now).await?;
    tx.commit().await?;
    Ok(Fenced::Written)
}

/// Steps as one argument of a statement.
pub(super) fn steps_json(first_seq: i64, steps: &[Step]) -> Result<Arg> {
    #[derive(Serialize)]
    struct StepRow<'a> {
        seq: i64,
        kind: &'static str,
        payload: &'a Step,
    }
    let rows = steps.iter().zip(first_seq..).map(|(s, seq)| StepRow { seq, kind: s.kind(), payload: s });
    Arg::json(&rows.collect::<Vec<_>>())
}

/// The same as [`insert_steps_and_usage`] by simple statements; `run` is the run's row.
pub(super) async fn insert(
    tx: &mut Tx,
    run: &Row,
    first_seq: i64,
    steps: &[Step],
    usage: &[UsageRow],
    now: DateTime<Utc>,
) -> Result<()> {
    let run_id = run.id("id", RunId)?;
    for (step, seq) in steps.iter().zip(first_seq..) {
        query(
            "INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (run_id, seq) DO NOTHING",
        )
        .bind(run_id)
        .bind(seq)
        .bind(step.kind())
        .bind(Arg::json(step)?)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    }
    for call in usage {
        query(
            "INSERT INTO netaclaw_usage (tenant_id, session_id, run_id, message_id, agent_id, model_id, step_seq, \
             input_tokens, output_tokens, cost, duration_ms, create_time) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (run_id, step_seq) DO NOTHING",
        )
        .bind(run.id("tenant_id", TenantId)?)
        .bind(super::session_id(run)?)
        .bind(run_id)
        .bind(run.id("assistant_message_id", MessageId)?)
        .bind(run.id("agent_id", AgentId)?)
        .bind(call.model_id)
        .bind(call.step_seq)
        .bind(call.input_tokens as i64)
        .bind(call.output_tokens as i64)
        .bind(call.cost)
        .bind(call.duration_ms as i64)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}
