//! The ends of subagents that end together, by one statement: for Postgres.

use super::child::{ChildEnded, ChildEnding, End, TakeParents};
use super::claim::{config_version, millis};
use super::close::{ParentNext, TakenParent, asks, claimed, same_wait, settle_sql, settled};
use super::journal::UsageRow;
use super::{run_columns, status_is};
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::journal::Step;
use crate::domain::runs::{Reason, RunStatus, Snapshot};
use crate::domain::subagents::{BatchSummary, ResultPayload, Subagent};
use crate::store::db::{Arg, Db, Row, query};
use crate::store::error::Result;
use crate::store::subagents::{prefixed_subagent_columns, subagent_at, subagent_columns};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// `$1` ends, `$2` owner, `$3` now, `$4` their runs, `$5` their supervisors, `$6` steps, `$7` usage,
/// `$8` supervisors to take, `$9` the length of a lease.
///
/// Rows are locked in the order of ids, as whoever stops a tree of runs does. A held sibling is chosen
/// among rows that are locked and looked at again, so that two ends never release the same one. A
/// supervisor that somebody else has locked is passed over: it may be that who stops it waits for these
/// rows; then the look that follows finds it. Lists are made into arrays, so that rows are found by
/// their keys however many Postgres expects.
const ENDS: &str = concat!(
    "WITH ends AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS e (run_id bigint, epoch bigint, status text, \
     reason text, step_count bigint, snapshot json, shown text, summary text, error text, tokens json, payload json)), \
     mine AS MATERIALIZED (SELECT r.id FROM netaclaw_run r WHERE r.id = ANY($4) AND r.lease_owner = $2 AND ",
    status_is!("r", "running"),
    " ORDER BY r.id FOR NO KEY UPDATE), \
     run AS (UPDATE netaclaw_run SET status = e.status, reason = e.reason, step_count = e.step_count, \
     snapshot = COALESCE(e.snapshot, netaclaw_run.snapshot), lease_owner = NULL, lease_expires_at = NULL, \
     ended_at = $3 FROM ends e WHERE e.run_id = netaclaw_run.id AND netaclaw_run.id = ANY(ARRAY(SELECT id FROM mine)) \
     AND netaclaw_run.lease_owner = $2 AND netaclaw_run.lease_epoch = e.epoch AND ",
    status_is!("netaclaw_run", "running"),
    " RETURNING netaclaw_run.id, netaclaw_run.tenant_id, netaclaw_run.session_id, netaclaw_run.agent_id, \
     netaclaw_run.assistant_message_id, netaclaw_run.parent_run_id, netaclaw_run.traceparent), \
     step AS (INSERT INTO netaclaw_run_step (run_id, seq, kind, payload, create_time) \
     SELECT run.id, s.seq, s.kind, s.payload, $3 FROM run JOIN json_to_recordset($6) \
     AS s (run_id bigint, seq bigint, kind text, payload json) ON s.run_id = run.id ON CONFLICT (run_id, seq) DO NOTHING), \
     usage AS (INSERT INTO netaclaw_usage (tenant_id, session_id, run_id, message_id, agent_id, model_id, \
     step_seq, input_tokens, output_tokens, cost, duration_ms, create_time) \
     SELECT run.tenant_id, run.session_id, run.id, run.assistant_message_id, run.agent_id, u.model_id, \
     u.step_seq, u.input_tokens, u.output_tokens, u.cost, u.duration_ms, $3 FROM run JOIN json_to_recordset($7) \
     AS u (run_id bigint, model_id bigint, step_seq bigint, input_tokens bigint, output_tokens bigint, \
     cost double precision, duration_ms bigint) ON u.run_id = run.id ON CONFLICT (run_id, step_seq) DO NOTHING), \
     due AS MATERIALIZED (SELECT r.id FROM netaclaw_run r WHERE r.id = ANY($5) AND ",
    status_is!("r", "waiting"),
    " AND r.id IN (SELECT parent_run_id FROM run) AND NOT EXISTS (SELECT 1 FROM netaclaw_subagent_session s \
     WHERE s.parent_run_id = r.id AND s.status IN ('queued', 'running') AND s.id NOT IN (SELECT id FROM run)) \
     ORDER BY r.id FOR NO KEY UPDATE SKIP LOCKED), \
     settled AS (",
    settle_sql!("$3", "netaclaw_run.id = ANY($8)", "$2", "clock_timestamp() + $9 * interval '1 millisecond'"),
    "WHERE id = ANY(ARRAY(SELECT id FROM due)) AND ",
    same_wait!(),
    " RETURNING ",
    run_columns!(),
    ", ",
    config_version!("netaclaw_run"),
    "), subagent AS (UPDATE netaclaw_subagent_session AS subagent SET status = e.shown, exit_reason = e.reason, \
     summary = e.summary, error = e.error, token_usage = e.tokens, result_payload = e.payload, ended_at = $3, \
     update_time = $3, batch_ended = subagent.batch_ended OR (subagent.sort_order = 0 \
     AND subagent.parent_run_id IN (SELECT id FROM settled)) \
     FROM run JOIN ends e ON e.run_id = run.id WHERE subagent.id = run.id AND subagent.id = ANY($4) \
     RETURNING subagent.*), \
     marked AS (UPDATE netaclaw_subagent_session AS first SET batch_ended = TRUE \
     WHERE first.parent_run_id = ANY(ARRAY(SELECT id FROM settled)) AND first.sort_order = 0 \
     AND first.id NOT IN (SELECT id FROM run) AND EXISTS (SELECT 1 FROM subagent \
     WHERE subagent.parent_run_id = first.parent_run_id \
     AND subagent.parent_tool_call_id = first.parent_tool_call_id)), \
     released AS (UPDATE netaclaw_run SET status = 'queued', reason = NULL, due_at = $3 WHERE id = ANY(ARRAY(\
     SELECT h.id FROM (SELECT parent_run_id, COUNT(*) AS places FROM run GROUP BY parent_run_id) p \
     CROSS JOIN LATERAL (SELECT r.id FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.id \
     WHERE s.parent_run_id = p.parent_run_id AND s.status = 'queued' AND ",
    status_is!("r", "held"),
    " AND r.cancel_reason IS NULL ORDER BY s.id LIMIT p.places FOR UPDATE OF r SKIP LOCKED) h)) \
     RETURNING id, parent_run_id) \
     SELECT ",
    prefixed_subagent_columns!(),
    ", run.id IS NOT NULL AS ends_now, run.traceparent AS run_traceparent, \
     (SELECT json_agg(r.id ORDER BY r.id) FROM released r WHERE run.id IS NOT NULL \
     AND r.parent_run_id = subagent.parent_run_id) AS released, \
     settled.* FROM (SELECT ",
    subagent_columns!(),
    " FROM subagent UNION ALL SELECT ",
    subagent_columns!(),
    " FROM netaclaw_subagent_session WHERE parent_run_id = ANY(ARRAY(SELECT id FROM settled)) \
     AND id NOT IN (SELECT id FROM run)) AS subagent \
     LEFT JOIN run ON run.id = subagent.id LEFT JOIN settled ON settled.id = subagent.parent_run_id ORDER BY subagent.id"
);

#[derive(Serialize)]
struct EndRow<'a> {
    run_id: RunId,
    epoch: i64,
    status: &'static str,
    reason: Option<&'static str>,
    step_count: i64,
    snapshot: Option<&'a Snapshot>,
    shown: &'static str,
    summary: &'a str,
    error: Option<&'a str>,
    tokens: Option<TokenUsage>,
    payload: &'a ResultPayload,
}

impl<'a> EndRow<'a> {
    fn of(end: &'a ChildEnding, row: &'a End) -> Self {
        let ending = &end.ending;
        Self {
            run_id: end.lease.run_id,
            epoch: end.lease.epoch,
            status: ending.status.as_str(),
            reason: ending.reason.map(Reason::as_str),
            step_count: ending.first_seq + ending.steps.len() as i64,
            snapshot: ending.snapshot.as_ref(),
            shown: row.status.as_str(),
            summary: &ending.content,
            error: row.error.as_deref(),
            tokens: ending.usage,
            payload: &row.payload,
        }
    }
}

#[derive(Serialize)]
struct StepRow<'a> {
    run_id: RunId,
    seq: i64,
    kind: &'static str,
    payload: &'a Step,
}

#[derive(Serialize)]
struct CallRow<'a> {
    run_id: RunId,
    #[serde(flatten)]
    call: &'a UsageRow,
}

/// Ends those of the subagents whose leases hold.
pub(super) async fn end_at_once(
    db: &Db,
    ends: &[ChildEnding],
    rows: &[End],
    take: &TakeParents,
    now: DateTime<Utc>,
) -> Result<HashMap<RunId, ChildEnded>> {
    let Some(first) = ends.first() else { return Ok(HashMap::new()) };
    let end_rows: Vec<EndRow<'_>> = ends.iter().zip(rows).map(|(end, row)| EndRow::of(end, row)).collect();
    let steps = ends.iter().flat_map(|end| {
        let run_id = end.lease.run_id;
        let numbered = end.ending.steps.iter().zip(end.ending.first_seq..);
        numbered.map(move |(step, seq)| StepRow { run_id, seq, kind: step.kind(), payload: step })
    });
    let calls = ends.iter().flat_map(|end| {
        let run_id = end.lease.run_id;
        end.ending.usage_rows.iter().map(move |call| CallRow { run_id, call })
    });
    let statement = query(ENDS)
        .bind(Arg::json(&end_rows)?)
        .bind(&first.lease.owner)
        .bind(now)
        .bind(Arg::Ids(ends.iter().map(|e| e.lease.run_id.0).collect()))
        .bind(Arg::Ids(ends.iter().map(|e| e.parent.0).collect()))
        .bind(Arg::json(&steps.collect::<Vec<_>>())?)
        .bind(Arg::json(&calls.collect::<Vec<_>>())?)
        .bind(Arg::Ids(take.runs.iter().map(|id| id.0).collect()))
        .bind(millis(take.lease));
    gather(&statement.all(db).await?)
}

/// The ends by their runs, from rows of the subagents that ended and of their siblings where the
/// supervisor goes on.
fn gather(rows: &[Row]) -> Result<HashMap<RunId, ChildEnded>> {
    let mut families: BTreeMap<RunId, Vec<(&Row, Subagent)>> = BTreeMap::new();
    for row in rows {
        let subagent = subagent_at(row, "s_")?;
        families.entry(subagent.parent_run_id).or_default().push((row, subagent));
    }
    let mut all = HashMap::new();
    for family in families.into_values() {
        let Some(parent) = family.first().map(|(row, _)| *row) else { continue };
        let is_settled = parent.get::<Option<i64>>("id")?.is_some();
        let siblings: Vec<Subagent> = family.iter().map(|(_, s)| s.clone()).collect();
        let (mut last, mut released) = (None, jobs(&family)?);
        let mut told: Vec<String> = Vec::new();
        for (row, subagent) in family {
            if !row.get::<bool>("ends_now")? {
                continue;
            }
            let batch_id = subagent.parent_tool_call_id.clone();
            let mut ended = ChildEnded::of(subagent, None);
            ended.released = std::mem::take(&mut released);
            if is_settled && !told.contains(&batch_id) {
                let of_batch = siblings.iter().filter(|s| s.parent_tool_call_id == batch_id);
                let summary = BatchSummary::of(of_batch.map(|s| s.status));
                ended.batch = Some((batch_id.clone(), summary));
                told.push(batch_id);
            }
            last = Some(ended.subagent.run_id);
            all.insert(ended.subagent.run_id, ended);
        }
        if let Some(last) = last.and_then(|id| all.get_mut(&id)).filter(|_| is_settled) {
            last.parent = match parent.parse("status", RunStatus::parse)? {
                RunStatus::Running => {
                    let taken = TakenParent { claimed: claimed(parent)?, subagents: siblings };
                    ParentNext::Taken(Box::new(taken))
                }
                _ => settled(parent)?,
            };
        }
    }
    Ok(all)
}

/// The siblings that were released.
fn jobs(family: &[(&Row, Subagent)]) -> Result<Vec<Job>> {
    for (row, subagent) in family {
        let Some(ids) = row.json_or_null::<Vec<RunId>>("released")? else { continue };
        let traceparent: Option<String> = row.get("run_traceparent")?;
        let job = |run_id| Job { run_id, tenant_id: subagent.tenant_id, traceparent: traceparent.clone() };
        return Ok(ids.into_iter().map(job).collect());
    }
    Ok(Vec::new())
}
