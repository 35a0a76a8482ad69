//! The end of a subagent, and what follows from it. One transaction ends it and releases a held sibling;
//! a look that comes after it makes the supervisor due when none is live any more. The supervisor's row
//! is not locked meanwhile: subagents that end together do not wait for one another's disk. The batch's
//! result is not written: the subagents' rows are it, see `domain::subagents::batch_results`.

use super::close::{ParentNext, settle};
use super::finish::{Ending, bind_end, end_run};
use super::journal::{insert, insert_steps_and_usage, steps_json};
use super::{job, lease_holds, status_is};
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::runs::{Lease, Reason};
use crate::domain::subagents::{BatchSummary, ResultPayload, Subagent, SubagentStatus};
use crate::store::db::{Arg, Db, Query, Tx, query};
use crate::store::error::{Result, StoreError};
use crate::store::subagents::{subagent, subagent_columns};
use chrono::{DateTime, Utc};

/// What the end of a subagent came to.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildEnded {
    /// As it ended.
    pub subagent: Subagent,
    /// If it was the last of its batch: the batch and how its subagents ended.
    pub batch: Option<(String, BatchSummary)>,
    /// Siblings that were held back and may begin: ring them.
    pub released: Vec<Job>,
    /// What became of the supervisor.
    pub parent: ParentNext,
}

impl ChildEnded {
    /// What [`follow`] finds out is not known yet.
    pub(super) fn of(subagent: Subagent, released: Option<Job>) -> Self {
        let released = released.into_iter().collect();
        Self { subagent, batch: None, released, parent: ParentNext::Waits }
    }
}

/// What became of a subagent's ending.
#[derive(Debug, Clone, PartialEq)]
pub enum ChildFinish {
    /// It is durable.
    Finished(Box<ChildEnded>),
    /// The lease is no longer the writer's: nothing was changed.
    Stale,
}

/// Ends a subagent by its worker, in Postgres by one statement. The content becomes its summary; the
/// ending's metadata is not used. [`follow`] is to be called next.
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
    let ended = match db {
        Db::Postgres(_) => end_at_once(db, lease, parent, ending, &end, now).await?,
        Db::Sqlite(_) => end_in_steps(db, lease, parent, ending, &end, now).await?,
    };
    Ok(ended.map_or(ChildFinish::Stale, |ended| ChildFinish::Finished(Box::new(ended))))
}

/// Looks at what the end of a subagent means for its batch and its supervisor, once it is durable.
pub async fn follow(db: &Db, ended: &mut ChildEnded, now: DateTime<Utc>) -> Result<()> {
    ended.batch = ended_batch(db, &ended.subagent).await?;
    if ended.batch.is_some() {
        ended.parent = settle(db, ended.subagent.parent_run_id, now).await?;
    }
    Ok(())
}

/// The batch of a subagent that ended, if all of it has, for whoever asks first.
async fn ended_batch(db: &Db, ended: &Subagent) -> Result<Option<(String, BatchSummary)>> {
    let (parent, batch_id) = (ended.parent_run_id, ended.parent_tool_call_id.as_str());
    let marked = query(
        "UPDATE netaclaw_subagent_session SET batch_ended = TRUE \
         WHERE parent_run_id = $1 AND parent_tool_call_id = $2 AND sort_order = 0 AND NOT batch_ended \
         AND NOT EXISTS (SELECT 1 FROM netaclaw_subagent_session s WHERE s.parent_run_id = $1 \
         AND s.parent_tool_call_id = $2 AND s.status IN ('queued', 'running'))",
    );
    if marked.bind(parent).bind(batch_id).execute(db.relaxed()).await? == 0 {
        return Ok(None);
    }
    let batch = query(
        "SELECT status FROM netaclaw_subagent_session WHERE parent_run_id = $1 AND parent_tool_call_id = $2",
    );
    let rows = batch.bind(parent).bind(batch_id).all(db).await?;
    let statuses = rows.iter().map(|row| row.parse("status", SubagentStatus::parse));
    let statuses = statuses.collect::<Result<Vec<_>>>()?;
    Ok(Some((batch_id.to_owned(), BatchSummary::of(statuses.into_iter()))))
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

/// The held sibling is chosen among rows that are locked and looked at again, so that two ends never
/// release the same one.
const END_AT_ONCE: &str = concat!(
    "WITH run AS (",
    end_run!(),
    "WHERE ",
    lease_holds!(),
    " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id, traceparent), ",
    insert_steps_and_usage!("$15", "$16", "$8"),
    ", subagent AS (",
    end_subagent!("$9", "$10", "$11", "$12", "$13", "$14", "$8"),
    "WHERE id = (SELECT id FROM run) RETURNING ",
    subagent_columns!(),
    "), released AS (UPDATE netaclaw_run SET status = 'queued', reason = NULL, due_at = $8 WHERE id = \
     (SELECT r.id FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.id \
     WHERE s.parent_run_id = $17 AND s.status = 'queued' AND ",
    status_is!("r", "held"),
    " AND r.cancel_reason IS NULL \
     AND EXISTS (SELECT 1 FROM run) ORDER BY s.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED) RETURNING id) \
     SELECT subagent.*, run.traceparent, released.id AS released_id \
     FROM subagent JOIN run ON TRUE LEFT JOIN released ON TRUE"
);

async fn end_at_once(
    db: &Db,
    lease: &Lease,
    parent: RunId,
    ending: &Ending,
    end: &End,
    now: DateTime<Utc>,
) -> Result<Option<ChildEnded>> {
    let statement = end
        .bind(bind_end(query(END_AT_ONCE), lease, ending, now)?)
        .bind(steps_json(ending.first_seq, &ending.steps)?)
        .bind(Arg::json(&ending.usage_rows)?)
        .bind(parent);
    let Some(row) = statement.optional(db).await? else { return Ok(None) };
    let subagent = subagent(&row)?;
    let traceparent: Option<String> = row.get("traceparent")?;
    let released = row.get::<Option<i64>>("released_id")?;
    let released = released.map(|id| Job { run_id: RunId(id), tenant_id: subagent.tenant_id, traceparent });
    Ok(Some(ChildEnded::of(subagent, released)))
}

/// The same by simple statements in a transaction.
async fn end_in_steps(
    db: &Db,
    lease: &Lease,
    parent: RunId,
    ending: &Ending,
    end: &End,
    now: DateTime<Utc>,
) -> Result<Option<ChildEnded>> {
    let mut tx = db.begin().await?;
    let statement = query(concat!(
        end_run!(),
        "WHERE ",
        lease_holds!(),
        " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id"
    ));
    let Some(run) = bind_end(statement, lease, ending, now)?.optional(&mut tx).await? else {
        tx.rollback().await?;
        return Ok(None);
    };
    insert(&mut tx, &run, ending.first_seq, &ending.steps, &ending.usage_rows, now).await?;
    let subagent = end_row(&mut tx, lease.run_id, end, now).await?;
    let released = release(&mut tx, parent, now).await?;
    tx.commit().await?;
    Ok(Some(ChildEnded::of(subagent, released)))
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

/// Lets the first of a run's held children begin. Each child that was active and ends does so once:
/// so there are never more of them than there were at first.
pub(super) async fn release(tx: &mut Tx, parent: RunId, now: DateTime<Utc>) -> Result<Option<Job>> {
    let released = query(concat!(
        "UPDATE netaclaw_run SET status = 'queued', reason = NULL, due_at = $2 WHERE id = \
         (SELECT r.id FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.id \
         WHERE s.parent_run_id = $1 AND s.status = 'queued' AND ",
        status_is!("r", "held"),
        " AND r.cancel_reason IS NULL ORDER BY s.id LIMIT 1) RETURNING id, tenant_id, traceparent"
    ));
    released.bind(parent).bind(now).optional(tx).await?.as_ref().map(job).transpose()
}
