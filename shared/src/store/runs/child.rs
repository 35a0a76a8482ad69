//! The end of subagents, and what follows from it. One transaction ends those that end together,
//! releases held siblings, and makes the supervisor due if none of its others is live. Where others
//! seem to be, a look that comes after it does so: they may have ended meanwhile. The supervisor's row
//! is locked by the last end only: subagents that end together in several workers do not wait for one
//! another's disk. The batch's result is not written: the subagents' rows are it, see
//! `domain::subagents::batch_results`.

use super::close::{ParentNext, settle, settle_in};
use super::ends::end_at_once;
use super::finish::{Ending, bind_end, end_run};
use super::journal::insert;
use super::{job, lease_holds, status_is};
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::domain::runs::{Lease, Reason};
use crate::domain::subagents::{BatchSummary, ResultPayload, Subagent, SubagentStatus};
use crate::store::db::{Arg, Db, On, Query, Tx, query};
use crate::store::error::{Result, StoreError};
use crate::store::subagents::{subagent, subagent_columns};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

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

/// A subagent that its worker ends.
#[derive(Debug, Clone)]
pub struct ChildEnding {
    /// Its run's lease.
    pub lease: Lease,
    /// Its supervisor's run.
    pub parent: RunId,
    /// The content becomes its summary; the metadata is not used.
    pub ending: Ending,
}

/// Supervisors that the caller goes on with itself, if these ends make them due.
#[derive(Debug, Clone, Default)]
pub struct TakeParents {
    /// Their runs.
    pub runs: Vec<RunId>,
    /// The lease of each.
    pub lease: Duration,
}

/// Ends subagents of one owner that end together, in Postgres by one statement. What is known of the
/// supervisor stands with the last one of its subagents. For each whose supervisor still
/// [`ParentNext::Waits`], [`follow`] is to be called next.
pub async fn finish_children(
    db: &Db,
    ends: &[ChildEnding],
    take: &TakeParents,
    now: DateTime<Utc>,
) -> Result<Vec<ChildFinish>> {
    let rows: Option<Vec<End>> = ends.iter().map(|e| End::of(&e.ending)).collect();
    let Some(rows) = rows else { return Err(StoreError::Refused("a status that is no end".to_owned())) };
    let mut ended = match db {
        Db::Postgres(_) => end_at_once(db, ends, &rows, take, now).await?,
        Db::Sqlite(_) => end_in_steps(db, ends, &rows, take, now).await?,
    };
    let finished = ends.iter().map(|end| match ended.remove(&end.lease.run_id) {
        Some(ended) => ChildFinish::Finished(Box::new(ended)),
        None => ChildFinish::Stale,
    });
    Ok(finished.collect())
}

/// Ends one subagent by its worker, see [`finish_children`].
pub async fn finish_child(
    db: &Db,
    lease: &Lease,
    parent: RunId,
    ending: &Ending,
    now: DateTime<Utc>,
) -> Result<ChildFinish> {
    let end = ChildEnding { lease: lease.clone(), parent, ending: ending.clone() };
    let ended = finish_children(db, &[end], &TakeParents::default(), now).await?.pop();
    Ok(ended.unwrap_or(ChildFinish::Stale))
}

/// Looks at what the end of a subagent means for its batch and its supervisor, once it is durable, where
/// the end itself did not tell.
pub async fn follow(db: &Db, ended: &mut ChildEnded, now: DateTime<Utc>) -> Result<()> {
    if ended.batch.is_some() {
        return Ok(());
    }
    let ended_now = &ended.subagent;
    if mark_batch(db.relaxed(), ended_now).await? {
        ended.batch = Some(batch_of(db, ended_now).await?);
        ended.parent = settle(db, ended.subagent.parent_run_id, now).await?;
    }
    Ok(())
}

/// Whether all of the batch of a subagent that ended has, for whoever asks first.
async fn mark_batch(on: impl Into<On<'_>>, ended: &Subagent) -> Result<bool> {
    let marked = query(
        "UPDATE netaclaw_subagent_session SET batch_ended = TRUE \
         WHERE parent_run_id = $1 AND parent_tool_call_id = $2 AND sort_order = 0 AND NOT batch_ended \
         AND NOT EXISTS (SELECT 1 FROM netaclaw_subagent_session s WHERE s.parent_run_id = $1 \
         AND s.parent_tool_call_id = $2 AND s.status IN ('queued', 'running'))",
    );
    let marked = marked.bind(ended.parent_run_id).bind(ended.parent_tool_call_id.as_str());
    Ok(marked.execute(on).await? > 0)
}

/// How the subagents of the ended one's batch stand.
async fn batch_of(on: impl Into<On<'_>>, ended: &Subagent) -> Result<(String, BatchSummary)> {
    let batch = query(
        "SELECT status FROM netaclaw_subagent_session WHERE parent_run_id = $1 AND parent_tool_call_id = $2",
    );
    let batch = batch.bind(ended.parent_run_id).bind(ended.parent_tool_call_id.as_str());
    let rows = batch.all(on).await?;
    let statuses = rows.iter().map(|row| row.parse("status", SubagentStatus::parse));
    let statuses = statuses.collect::<Result<Vec<_>>>()?;
    Ok((ended.parent_tool_call_id.clone(), BatchSummary::of(statuses.into_iter())))
}

/// What a subagent's row becomes.
pub(in crate::store) struct End {
    pub(super) status: SubagentStatus,
    reason: Option<Reason>,
    summary: String,
    pub(super) error: Option<String>,
    tokens: Arg,
    pub(super) payload: ResultPayload,
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
            payload,
        })
    }

    fn bind(&self, query: Query) -> Result<Query> {
        Ok(query
            .bind(self.status.as_str())
            .bind(self.reason.map(Reason::as_str))
            .bind(self.summary.as_str())
            .bind(self.error.as_deref())
            .bind(self.tokens.clone())
            .bind(Arg::json(&self.payload)?))
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

/// The same by simple statements in a transaction.
async fn end_in_steps(
    db: &Db,
    ends: &[ChildEnding],
    rows: &[End],
    take: &TakeParents,
    now: DateTime<Utc>,
) -> Result<HashMap<RunId, ChildEnded>> {
    let mut tx = db.begin().await?;
    let (mut all, mut last) = (HashMap::new(), BTreeMap::new());
    for (end, row) in ends.iter().zip(rows) {
        let ChildEnding { lease, parent, ending } = end;
        let statement = query(concat!(
            end_run!(),
            "WHERE ",
            lease_holds!(),
            " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id"
        ));
        let Some(run) = bind_end(statement, lease, ending, now)?.optional(&mut tx).await? else { continue };
        insert(&mut tx, &run, ending.first_seq, &ending.steps, &ending.usage_rows, now).await?;
        let subagent = end_row(&mut tx, lease.run_id, row, now).await?;
        let released = release(&mut tx, *parent, now).await?;
        all.insert(lease.run_id, ChildEnded::of(subagent, released));
        last.insert(*parent, lease);
    }
    for (parent, lease) in last {
        let taken = take.runs.contains(&parent).then_some((&lease.owner, take.lease));
        let next = settle_in(&mut tx, parent, taken, now).await?;
        if matches!(next, ParentNext::Waits) {
            continue;
        }
        for ended in all.values_mut().filter(|e| e.subagent.parent_run_id == parent) {
            if mark_batch(&mut tx, &ended.subagent).await? {
                ended.batch = Some(batch_of(&mut tx, &ended.subagent).await?);
            }
        }
        if let Some(ended) = all.get_mut(&lease.run_id) {
            ended.parent = next;
        }
    }
    tx.commit().await?;
    Ok(all)
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
    subagent(&end.bind(statement)?.bind(now).bind(id).one(tx).await?)
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
