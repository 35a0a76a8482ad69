//! The end of a subagent, and what follows from it: a held sibling is released, the batch is closed,
//! the supervisor becomes due. One transaction, which locks the supervisor's row first.

use super::cancel::end_cancelled;
use super::close::{ParentNext, close_wait, tool_name};
use super::finish::{Ending, end_run};
use super::journal::{insert, insert_steps_and_usage, steps_json};
use super::locked::{Locked, lock};
use super::{bind_lease, job, lease_holds};
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::journal::{ToolResult, ToolStatus};
use crate::domain::runs::{Lease, Reason};
use crate::domain::subagents::{BatchSummary, ResultPayload, Subagent, SubagentStatus, result_text};
use crate::store::db::{Arg, Db, Query, Tx, query};
use crate::store::error::{Result, StoreError};
use crate::store::subagents::{of_batch, subagent, subagent_columns};
use chrono::{DateTime, Utc};

/// What the end of a subagent came to.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildEnded {
    /// As it ended.
    pub subagent: Subagent,
    /// If it was the last of its batch: the batch and how its subagents ended.
    pub batch: Option<(String, BatchSummary)>,
    /// What the batch's call came to, if that is in the supervisor's journal now.
    pub result: Option<ToolResult>,
    /// Siblings that were held back and may begin: ring them.
    pub released: Vec<Job>,
    /// What became of the supervisor.
    pub parent: ParentNext,
}

/// What became of a subagent's ending.
#[derive(Debug, Clone, PartialEq)]
pub enum ChildFinish {
    /// It is durable.
    Finished(Box<ChildEnded>),
    /// The lease is no longer the writer's: nothing was changed.
    Stale,
}

/// Ends a subagent by its worker. The content becomes its summary; the ending's metadata is not used.
pub async fn finish_child(
    db: &Db,
    lease: &Lease,
    parent: RunId,
    ending: &Ending,
    now: DateTime<Utc>,
) -> Result<ChildFinish> {
    let Some(end) = End::of(ending) else {
        return Err(StoreError::Refused(format!("{} is no end", ending.status.as_str())));
    };
    let mut tx = db.begin().await?;
    let parent = lock(&mut tx, parent, now).await?;
    let Some(subagent) = end_leased(&mut tx, lease, ending, &end, now).await? else {
        tx.rollback().await?;
        return Ok(ChildFinish::Stale);
    };
    let ended = after_child(&mut tx, parent.as_ref(), subagent, true, now).await?;
    tx.commit().await?;
    Ok(ChildFinish::Finished(Box::new(ended)))
}

/// What a subagent's row becomes.
pub(in crate::store) struct End {
    status: SubagentStatus,
    reason: Option<Reason>,
    summary: String,
    error: Option<String>,
    tokens: Arg,
    payload: Arg,
}

impl End {
    /// None: the ending's status is no end, or does not encode.
    pub(in crate::store) fn of(ending: &Ending) -> Option<Self> {
        let payload = ResultPayload {
            tool_call_count: u32::try_from(ending.tool_call_count).unwrap_or(u32::MAX),
            cost: ending.cost,
        };
        Some(Self {
            status: SubagentStatus::of_end(ending.status, ending.reason)?,
            reason: ending.reason,
            summary: ending.content.clone(),
            error: ending.error.as_ref().map(|e| e.message.clone()),
            tokens: Arg::json_or_null(ending.usage.as_ref()).ok()?,
            payload: Arg::json(&payload).ok()?,
        })
    }

    fn bind(&self, query: Query) -> Query {
        query
            .bind(self.status.as_str())
            .bind(self.reason.map(Reason::as_str))
            .bind(self.summary.as_str())
            .bind(self.error.as_deref())
            .bind(self.tokens.clone())
            .bind(self.payload.clone())
    }
}

/// What a subagent's row becomes, with the numbers of the arguments.
macro_rules! end_subagent {
    ($status:literal, $reason:literal, $summary:literal, $error:literal, $tokens:literal, $payload:literal,
     $now:literal) => {
        concat!(
            "UPDATE netaclaw_subagent_session SET status = ",
            $status,
            ", exit_reason = ",
            $reason,
            ", summary = ",
            $summary,
            ", error = ",
            $error,
            ", token_usage = ",
            $tokens,
            ", result_payload = ",
            $payload,
            ", ended_at = ",
            $now,
            ", update_time = ",
            $now,
            " "
        )
    };
}

/// Ends the subagent's run and row, with the steps and usage that are not stored yet, under its lease;
/// None: the lease is lost. In Postgres one statement.
async fn end_leased(
    tx: &mut Tx,
    lease: &Lease,
    ending: &Ending,
    end: &End,
    now: DateTime<Utc>,
) -> Result<Option<Subagent>> {
    let bind_end = |query: Query| {
        Ok::<_, StoreError>(
            bind_lease(query, lease)
                .bind(ending.status.as_str())
                .bind(ending.reason.map(Reason::as_str))
                .bind(ending.first_seq + ending.steps.len() as i64)
                .bind(Arg::json_or_null(ending.snapshot.as_ref())?)
                .bind(now),
        )
    };
    if let Tx::Postgres(_) = tx {
        let statement = query(concat!(
            "WITH run AS (",
            end_run!(),
            "WHERE ",
            lease_holds!(),
            " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id), ",
            insert_steps_and_usage!("$15", "$16", "$8"),
            " ",
            end_subagent!("$9", "$10", "$11", "$12", "$13", "$14", "$8"),
            "WHERE id = (SELECT id FROM run) RETURNING ",
            subagent_columns!()
        ));
        let statement = end
            .bind(bind_end(statement)?)
            .bind(steps_json(ending.first_seq, &ending.steps)?)
            .bind(Arg::json(&ending.usage_rows)?);
        return statement.optional(tx).await?.as_ref().map(subagent).transpose();
    }
    let statement = query(concat!(
        end_run!(),
        "WHERE ",
        lease_holds!(),
        " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id"
    ));
    let Some(run) = bind_end(statement)?.optional(&mut *tx).await? else { return Ok(None) };
    insert(tx, &run, ending.first_seq, &ending.steps, &ending.usage_rows, now).await?;
    end_row(tx, lease.run_id, end, now).await.map(Some)
}

/// Ends a subagent's row alone.
pub(in crate::store) async fn end_row(
    tx: &mut Tx,
    id: RunId,
    end: &End,
    now: DateTime<Utc>,
) -> Result<Subagent> {
    let statement = query(concat!(
        end_subagent!("$1", "$2", "$3", "$4", "$5", "$6", "$7"),
        "WHERE id = $8 RETURNING ",
        subagent_columns!()
    ));
    subagent(&end.bind(statement).bind(now).bind(id).one(tx).await?)
}

/// What follows from the end of a subagent whose supervisor's row is locked. `was_active`: it counted
/// among those that may be at work at the same time, so that its place is free.
pub(in crate::store) async fn after_child(
    tx: &mut Tx,
    parent: Option<&Locked>,
    subagent: Subagent,
    was_active: bool,
    now: DateTime<Utc>,
) -> Result<ChildEnded> {
    let mut ended =
        ChildEnded { subagent, batch: None, result: None, released: Vec::new(), parent: ParentNext::Gone };
    let Some(parent) = parent.filter(|p| p.waits()) else { return Ok(ended) };
    let batch_id = ended.subagent.parent_tool_call_id.clone();
    if was_active && parent.cancel_reason.is_none() {
        ended.released.extend(release(tx, parent.id, now).await?);
    }
    let live = count_live(tx, parent.id, &batch_id).await?;
    ended.parent = ParentNext::Waits;
    if live.of_batch == 0 {
        let batch = of_batch(&mut *tx, parent.id, &batch_id).await?;
        ended.batch = Some((batch_id.clone(), BatchSummary::of(batch.iter().map(|s| s.status))));
        if parent.cancel_reason.is_none() {
            let result = batch_result(tx, parent.id, &batch_id, &batch, now).await?;
            ended.result = Some(result.clone());
            ended.parent = close_wait(tx, parent, result, live.of_run, now).await?;
        }
    }
    if let (Some(reason), 0) = (parent.cancel_reason, live.of_run) {
        ended.parent = ParentNext::Ended(end_cancelled(tx, parent, reason, now).await?);
    }
    Ok(ended)
}

/// What the supervisor reads of a batch that ended.
async fn batch_result(
    tx: &mut Tx,
    parent: RunId,
    batch_id: &str,
    batch: &[Subagent],
    now: DateTime<Utc>,
) -> Result<ToolResult> {
    let began = batch.iter().map(|s| s.create_time).min().unwrap_or(now);
    Ok(ToolResult {
        tool_call_id: batch_id.to_owned(),
        name: tool_name(tx, parent, batch_id).await?,
        status: ToolStatus::Ok,
        text: result_text(batch),
        duration_ms: (now - began).num_milliseconds().max(0) as u64,
    })
}

/// Lets the first of a run's held children begin. Each child that was active and ends does so once:
/// so there are never more of them than there were at first.
async fn release(tx: &mut Tx, parent: RunId, now: DateTime<Utc>) -> Result<Option<Job>> {
    let released = query(
        "UPDATE netaclaw_run SET status = 'queued', reason = NULL, due_at = $2 WHERE id = \
         (SELECT r.id FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.id \
         WHERE s.parent_run_id = $1 AND s.status = 'queued' AND r.status = 'held' ORDER BY s.id LIMIT 1) \
         RETURNING id, tenant_id, traceparent",
    );
    released.bind(parent).bind(now).optional(tx).await?.as_ref().map(job).transpose()
}

/// How many subagents have not ended.
struct Live {
    of_batch: i64,
    of_run: i64,
}

async fn count_live(tx: &mut Tx, parent: RunId, batch_id: &str) -> Result<Live> {
    let count = query(
        "SELECT COUNT(*) AS of_run, COUNT(CASE WHEN parent_tool_call_id = $2 THEN 1 END) AS of_batch \
         FROM netaclaw_subagent_session WHERE parent_run_id = $1 AND status IN ('queued', 'running')",
    );
    let row = count.bind(parent).bind(batch_id).one(tx).await?;
    Ok(Live { of_batch: row.get("of_batch")?, of_run: row.get("of_run")? })
}
