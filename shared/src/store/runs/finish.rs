//! The end of a run by its worker: journal, usage, answer and status in one commit.

use super::journal::{UsageRow, insert, insert_steps_and_usage, steps_json};
use super::{bind_lease, lease_holds};
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::MessageId;
use crate::domain::journal::Step;
use crate::domain::messages::{ErrorInfo, MessageStatus, Metadata};
use crate::domain::runs::{Lease, Reason, RunStatus, Snapshot};
use crate::store::db::{Arg, Db, Query, Tx, query};
use crate::store::error::{Result, StoreError};
use chrono::{DateTime, Utc};

/// How a run ends and what its message becomes.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// A terminal status.
    pub status: RunStatus,
    /// Why it ended so, where there is more to say than "the model was done".
    pub reason: Option<Reason>,
    /// The whole text.
    pub content: String,
    /// The whole thinking.
    pub thinking: String,
    /// What the turn did besides.
    pub metadata: Metadata,
    /// Tokens of the whole turn.
    pub usage: Option<TokenUsage>,
    /// Price of the whole turn.
    pub cost: Option<f64>,
    /// For a failed run.
    pub error: Option<ErrorInfo>,
    /// Tool calls in the whole journal: later turns load the steps of this one only if there are any.
    pub tool_call_count: i64,
    /// Number of steps that are stored already.
    pub first_seq: i64,
    /// Steps that are not stored yet.
    pub steps: Vec<Step>,
    /// What the calls among these steps used.
    pub usage_rows: Vec<UsageRow>,
    /// If it is not stored yet.
    pub snapshot: Option<Snapshot>,
}

/// What became of an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishOutcome {
    /// It is durable.
    Finished {
        /// A later turn of the session waits: ring it, see [`super::next_in_session`].
        has_successor: bool,
    },
    /// The lease is no longer the writer's: nothing was changed.
    Stale,
}

/// The message's status that belongs to a run's; None while it is live.
pub(super) fn message_status(status: RunStatus) -> Option<MessageStatus> {
    match status {
        RunStatus::Completed => Some(MessageStatus::Completed),
        RunStatus::Failed => Some(MessageStatus::Failed),
        RunStatus::Cancelled => Some(MessageStatus::Cancelled),
        RunStatus::Queued | RunStatus::Held | RunStatus::Running | RunStatus::Waiting | RunStatus::Paused => {
            None
        }
    }
}

macro_rules! end_run {
    () => {
        "UPDATE netaclaw_run SET status = $4, reason = $5, step_count = $6, snapshot = COALESCE($7, snapshot), \
         lease_owner = NULL, lease_expires_at = NULL, ended_at = $8 "
    };
}
pub(super) use end_run;

/// What [`fill_message`] writes, with the number of its first argument.
macro_rules! filled_message {
    ($status:literal, $content:literal, $thinking:literal, $metadata:literal, $input:literal, $output:literal,
     $cost:literal, $error:literal, $calls:literal, $now:literal) => {
        concat!(
            "UPDATE netaclaw_message SET status = ",
            $status,
            ", content = ",
            $content,
            ", thinking = ",
            $thinking,
            ", metadata = ",
            $metadata,
            ", input_tokens = ",
            $input,
            ", output_tokens = ",
            $output,
            ", cost = ",
            $cost,
            ", error = ",
            $error,
            ", tool_call_count = ",
            $calls,
            ", update_time = ",
            $now,
            " "
        )
    };
}

/// Ends a run. In Postgres one statement. It locks the run's row before the message's, in the order of
/// every other transaction.
pub async fn finish(db: &Db, lease: &Lease, ending: &Ending, now: DateTime<Utc>) -> Result<FinishOutcome> {
    let Some(status) = message_status(ending.status) else {
        return Err(StoreError::Refused(format!("{} is no end", ending.status.as_str())));
    };
    match db {
        Db::Postgres(_) => finish_at_once(db, lease, ending, status, now).await,
        Db::Sqlite(_) => {
            let mut tx = db.begin().await?;
            let outcome = finish_in(&mut tx, lease, ending, status, now).await?;
            tx.commit().await?;
            Ok(outcome)
        }
    }
}

/// Binds `$1` to `$8` of what begins with [`end_run`] and is fenced.
pub(super) fn bind_end(query: Query, lease: &Lease, ending: &Ending, now: DateTime<Utc>) -> Result<Query> {
    Ok(bind_lease(query, lease)
        .bind(ending.status.as_str())
        .bind(ending.reason.map(Reason::as_str))
        .bind(ending.first_seq + ending.steps.len() as i64)
        .bind(Arg::json_or_null(ending.snapshot.as_ref())?)
        .bind(now))
}

fn bind_message(query: Query, ending: &Ending, status: MessageStatus) -> Result<Query> {
    Ok(query
        .bind(status.as_str())
        .bind(ending.content.as_str())
        .bind(ending.thinking.as_str())
        .bind(Arg::json(&ending.metadata)?)
        .bind(ending.usage.map(|u| u.input_tokens as i64))
        .bind(ending.usage.map(|u| u.output_tokens as i64))
        .bind(ending.cost)
        .bind(Arg::json_or_null(ending.error.as_ref())?)
        .bind(ending.tool_call_count))
}

async fn finish_at_once(
    db: &Db,
    lease: &Lease,
    ending: &Ending,
    status: MessageStatus,
    now: DateTime<Utc>,
) -> Result<FinishOutcome> {
    let statement = query(concat!(
        "WITH run AS (",
        end_run!(),
        "WHERE ",
        lease_holds!(),
        " RETURNING netaclaw_run.id, netaclaw_run.tenant_id, netaclaw_run.session_id, netaclaw_run.agent_id, \
         netaclaw_run.assistant_message_id, netaclaw_run.has_successor), message AS (",
        filled_message!("$9", "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17", "$8"),
        "FROM run WHERE netaclaw_message.id = run.assistant_message_id), ",
        insert_steps_and_usage!("$18", "$19", "$8"),
        " SELECT has_successor FROM run"
    ));
    let statement = bind_end(statement, lease, ending, now)?;
    let statement = bind_message(statement, ending, status)?
        .bind(steps_json(ending.first_seq, &ending.steps)?)
        .bind(Arg::json(&ending.usage_rows)?);
    match statement.optional(db).await? {
        Some(row) => Ok(FinishOutcome::Finished { has_successor: row.get("has_successor")? }),
        None => Ok(FinishOutcome::Stale),
    }
}

async fn finish_in(
    tx: &mut Tx,
    lease: &Lease,
    ending: &Ending,
    status: MessageStatus,
    now: DateTime<Utc>,
) -> Result<FinishOutcome> {
    let statement = query(concat!(
        end_run!(),
        "WHERE ",
        lease_holds!(),
        " RETURNING id, tenant_id, session_id, agent_id, assistant_message_id, has_successor"
    ));
    let Some(run) = bind_end(statement, lease, ending, now)?.optional(&mut *tx).await? else {
        return Ok(FinishOutcome::Stale);
    };
    insert(tx, &run, ending.first_seq, &ending.steps, &ending.usage_rows, now).await?;
    fill_message(tx, run.id("assistant_message_id", MessageId)?, ending, status, now).await?;
    Ok(FinishOutcome::Finished { has_successor: run.get("has_successor")? })
}

/// Turns the placeholder into the answer.
pub(super) async fn fill_message(
    tx: &mut Tx,
    id: MessageId,
    ending: &Ending,
    status: MessageStatus,
    now: DateTime<Utc>,
) -> Result<()> {
    let statement = query(concat!(
        filled_message!("$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10"),
        "WHERE id = $11"
    ));
    bind_message(statement, ending, status)?.bind(now).bind(id).execute(tx).await.map(drop)
}
