//! The end of a subagent, and what follows from it: a held sibling is released, and after the last one
//! the supervisor becomes due. One transaction, which locks the supervisor's row first. The batch's
//! result is not written here: the subagents' rows are it, see `domain::subagents::batch_result`.

use super::close::{ParentNext, count_child};
use super::finish::{Ending, bind_end, end_run};
use super::journal::{insert, insert_steps_and_usage, steps_json};
use super::locked::{Locked, lock};
use super::{job, lease_holds};
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::runs::{Lease, Reason, RunStatus};
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

/// What became of a subagent's ending.
#[derive(Debug, Clone, PartialEq)]
pub enum ChildFinish {
    /// It is durable.
    Finished(Box<ChildEnded>),
    /// The lease is no longer the writer's: nothing was changed.
    Stale,
}

/// Ends a subagent by its worker. The content becomes its summary; the ending's metadata is not used.
/// In Postgres one statement, and a second one for the last of a batch.
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
    let Some((mut ended, may_close)) = ended else { return Ok(ChildFinish::Stale) };
    if may_close {
        ended.batch = ended_batch(db, &ended.subagent).await?;
    }
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
     $now:literal, $left:literal) => {
        concat!(
            "UPDATE netaclaw_subagent_session SET status = ",
            $status,
            ", siblings_left = ",
            $left,
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

/// Where the supervisor goes on, as [`Next::of`] says, from the counts in its own row: that one is the
/// newest however long the statement waited for the row's lock.
macro_rules! count_child_sql {
    ($now:literal) => {
        concat!(
            "UPDATE netaclaw_run SET live_children = netaclaw_run.live_children - 1, \
             status = CASE WHEN netaclaw_run.live_children > 1 THEN netaclaw_run.status \
             WHEN netaclaw_run.open_pauses > 0 AND netaclaw_run.cancel_reason IS NULL THEN 'paused' ELSE 'queued' END, \
             reason = CASE WHEN netaclaw_run.live_children > 1 THEN netaclaw_run.reason \
             WHEN netaclaw_run.open_pauses > 0 AND netaclaw_run.cancel_reason IS NULL THEN 'question' END, \
             due_at = CASE WHEN netaclaw_run.live_children > 1 \
             OR (netaclaw_run.open_pauses > 0 AND netaclaw_run.cancel_reason IS NULL) THEN netaclaw_run.due_at ELSE ",
            $now,
            " END, paused_at = CASE WHEN netaclaw_run.live_children = 1 AND netaclaw_run.open_pauses > 0 \
             AND netaclaw_run.cancel_reason IS NULL THEN ",
            $now,
            " END "
        )
    };
}

/// The supervisor's row is locked first, then the subagent's. The held sibling is chosen among rows
/// that are locked and looked at again, so that two ends never release the same one.
const END_AT_ONCE: &str = concat!(
    "WITH parent AS (SELECT id, cancel_reason FROM netaclaw_run WHERE id = $17 FOR UPDATE), run AS (",
    end_run!(),
    "WHERE ",
    lease_holds!(),
    " AND EXISTS (SELECT 1 FROM parent) \
     RETURNING id, tenant_id, session_id, agent_id, assistant_message_id, traceparent), ",
    insert_steps_and_usage!("$15", "$16", "$8"),
    ", next AS (",
    count_child_sql!("$8"),
    "FROM run WHERE netaclaw_run.id = $17 AND netaclaw_run.status = 'waiting' \
     RETURNING netaclaw_run.status, netaclaw_run.live_children), subagent AS (",
    end_subagent!("$9", "$10", "$11", "$12", "$13", "$14", "$8", "(SELECT live_children FROM next)"),
    "WHERE id = (SELECT id FROM run) RETURNING ",
    subagent_columns!(),
    "), \
     released AS (UPDATE netaclaw_run SET status = 'queued', reason = NULL, due_at = $8 WHERE id = \
     (SELECT r.id FROM netaclaw_subagent_session s JOIN netaclaw_run r ON r.id = s.id \
     WHERE s.parent_run_id = $17 AND s.status = 'queued' AND r.status = 'held' AND EXISTS (SELECT 1 FROM run) \
     AND (SELECT cancel_reason FROM parent) IS NULL ORDER BY s.id LIMIT 1 FOR UPDATE OF r SKIP LOCKED) RETURNING id) \
     SELECT subagent.*, run.traceparent, next.status AS parent_status, released.id AS released_id, \
     COALESCE(next.live_children, 0) = 0 OR EXISTS (SELECT 1 FROM netaclaw_subagent_session s \
     WHERE s.parent_run_id = $17 AND s.parent_tool_call_id <> subagent.parent_tool_call_id) AS may_close \
     FROM subagent JOIN run ON TRUE LEFT JOIN next ON TRUE LEFT JOIN released ON TRUE"
);

/// The second of the pair: it may have been the last of its batch.
async fn end_at_once(
    db: &Db,
    lease: &Lease,
    parent: RunId,
    ending: &Ending,
    end: &End,
    now: DateTime<Utc>,
) -> Result<Option<(ChildEnded, bool)>> {
    let statement = end
        .bind(bind_end(query(END_AT_ONCE), lease, ending, now)?)
        .bind(steps_json(ending.first_seq, &ending.steps)?)
        .bind(Arg::json(&ending.usage_rows)?)
        .bind(parent);
    let Some(row) = statement.optional(db).await? else { return Ok(None) };
    let subagent = subagent(&row)?;
    let traceparent: Option<String> = row.get("traceparent")?;
    let ring = |run_id| Job { run_id, tenant_id: subagent.tenant_id, traceparent: traceparent.clone() };
    let next = match row.parse_or_null("parent_status", RunStatus::parse)? {
        Some(RunStatus::Waiting) => ParentNext::Waits,
        Some(RunStatus::Paused) => ParentNext::Pauses,
        Some(_) => ParentNext::Due(ring(parent)),
        None => ParentNext::Gone,
    };
    let released = row.get::<Option<i64>>("released_id")?.map(|id| ring(RunId(id)));
    let released = released.into_iter().collect();
    let ended = ChildEnded { released, parent: next, batch: None, subagent };
    Ok(Some((ended, row.get("may_close")?)))
}

/// The same by simple statements in a transaction.
async fn end_in_steps(
    db: &Db,
    lease: &Lease,
    parent: RunId,
    ending: &Ending,
    end: &End,
    now: DateTime<Utc>,
) -> Result<Option<(ChildEnded, bool)>> {
    let mut tx = db.begin().await?;
    let parent = lock(&mut tx, parent, now).await?;
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
    let left = parent.as_ref().map(|p| p.live_children - 1);
    let subagent = end_row(&mut tx, lease.run_id, end, left, now).await?;
    let ended = after_child(&mut tx, parent.as_ref(), subagent, true, now).await?;
    tx.commit().await?;
    Ok(Some((ended, true)))
}

/// Ends a subagent's row alone.
pub(in crate::store) async fn end_row(
    tx: &mut Tx,
    id: RunId,
    end: &End,
    siblings_left: Option<i64>,
    now: DateTime<Utc>,
) -> Result<Subagent> {
    let statement = query(concat!(
        end_subagent!("$1", "$2", "$3", "$4", "$5", "$6", "$7", "$9"),
        "WHERE id = $8 RETURNING ",
        subagent_columns!()
    ));
    subagent(&end.bind(statement).bind(now).bind(id).bind(siblings_left).one(tx).await?)
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
    let mut ended = ChildEnded { subagent, batch: None, released: Vec::new(), parent: ParentNext::Gone };
    let Some(parent) = parent.filter(|p| p.waits()) else { return Ok(ended) };
    if was_active && parent.cancel_reason.is_none() {
        ended.released.extend(release(tx, parent.id, now).await?);
    }
    ended.parent = count_child(tx, parent, now).await?;
    Ok(ended)
}

/// The batch of a subagent that ended, if all of it has, and this one was the last: the ends of one
/// supervisor's subagents come one after the other, and each knows how many were left then.
pub(in crate::store) async fn ended_batch(
    db: &Db,
    ended: &Subagent,
) -> Result<Option<(String, BatchSummary)>> {
    let (parent, batch_id) = (ended.parent_run_id, ended.parent_tool_call_id.as_str());
    let batch = query(
        "SELECT id, status, siblings_left FROM netaclaw_subagent_session \
         WHERE parent_run_id = $1 AND parent_tool_call_id = $2",
    );
    let (mut statuses, mut ends) = (Vec::new(), Vec::new());
    for row in batch.bind(parent).bind(batch_id).all(db).await? {
        let status = row.parse("status", SubagentStatus::parse)?;
        if !status.is_terminal() {
            return Ok(None);
        }
        statuses.push(status);
        if let Some(left) = row.get::<Option<i64>>("siblings_left")? {
            ends.push((left, row.get::<i64>("id")?));
        }
    }
    let is_last = ends.into_iter().min().is_some_and(|(_, id)| id == ended.id.0);
    Ok(is_last.then(|| (batch_id.to_owned(), BatchSummary::of(statuses.into_iter()))))
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
