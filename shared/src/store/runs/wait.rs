//! A run that hands calls over, to subagents or to a person, and waits: it holds neither lease nor
//! slot. Whoever closes the last of what it waits for makes it due, see `close`.

use super::journal::{UsageRow, insert_steps_and_usage, steps_json};
use super::wait_in_steps::in_steps;
use super::{bind_lease, job, lease_holds, session_id};
use crate::domain::ids::{AgentId, MessageId, PauseId, RunId, SubagentId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::journal::Step;
use crate::domain::pauses::{Pause, PauseKind, PauseStatus};
use crate::domain::runs::{Lease, RunStatus, Snapshot};
use crate::domain::subagents::{SourceType, Subagent, SubagentStatus};
use crate::store::db::{Arg, Db, Query, Row, query};
use crate::store::error::Result;
use crate::store::{pauses, subagents};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// A subagent that is to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewChild {
    /// The call that delegates it.
    pub tool_call_id: String,
    /// Its place in the call.
    pub sort_order: u32,
    /// The agent that its run executes.
    pub agent_id: AgentId,
    /// Whose definition it has.
    pub source_type: SourceType,
    /// The stored agent, if it has one's definition.
    pub preset_agent_id: Option<AgentId>,
    /// Shown to people.
    pub name: String,
    /// What it is to do.
    pub goal: String,
    /// What it is told besides.
    pub context: Option<String>,
    /// The provider's name of its model.
    pub model: String,
    /// The tools that it has.
    pub tool_names: Vec<String>,
    /// The configuration that its run keeps.
    pub snapshot: Snapshot,
}

/// A question that is to be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPause {
    /// The call that asks.
    pub tool_call_id: String,
    /// What is asked.
    pub kind: PauseKind,
    /// In words.
    pub question: String,
    /// Answers to choose from.
    pub options: Vec<String>,
    /// When it expires.
    pub deadline: Option<DateTime<Utc>>,
}

/// What a run stores when it begins to wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// Number of steps that are stored already.
    pub first_seq: i64,
    /// Steps that are not stored yet.
    pub steps: Vec<Step>,
    /// What the calls among these steps used.
    pub usage_rows: Vec<UsageRow>,
    /// If it is not stored yet.
    pub snapshot: Option<Snapshot>,
    /// In order of their calls.
    pub children: Vec<NewChild>,
    /// As many of them begin at once; the others are held back.
    pub max_concurrent: u32,
    /// Questions.
    pub pauses: Vec<NewPause>,
    /// When the run's wall time ends.
    pub wall_ends_at: DateTime<Utc>,
}

/// What became of a wish to wait.
#[derive(Debug, Clone, PartialEq)]
pub enum WaitOutcome {
    /// It is durable, and the lease is given back.
    Waiting {
        /// The subagents that were made.
        children: Vec<Subagent>,
        /// Runs that are due: those of the subagents that begin at once; or the run itself, where there
        /// is nothing to wait for, or somebody wants it stopped.
        ring: Vec<Job>,
        /// The questions that were asked.
        pauses: Vec<Pause>,
    },
    /// The lease is no longer the writer's: nothing was changed.
    Stale,
}

/// Lets a run wait. Where somebody wants it stopped, it makes no children and asks nothing: the run is
/// put back in line, to be ended by whoever claims it. In Postgres one statement. Doing it again
/// under the same lease answers what was done.
pub async fn wait(db: &Db, lease: &Lease, waiting: &Waiting, now: DateTime<Utc>) -> Result<WaitOutcome> {
    let made = match db {
        Db::Postgres(_) => at_once(db, lease, waiting, now).await?,
        Db::Sqlite(_) => in_steps(db, lease, waiting, now).await?,
    };
    match made {
        Some(made) => made.outcome(waiting, now),
        None => standing(db, lease, waiting).await,
    }
}

/// Where the run stands from now on.
macro_rules! next_status {
    () => {
        "CASE WHEN cancel_reason IS NOT NULL THEN 'queued' WHEN $6 OR EXISTS (SELECT 1 FROM netaclaw_subagent_session s \
         WHERE s.parent_run_id = netaclaw_run.id AND s.status IN ('queued', 'running')) THEN 'waiting' \
         WHEN open_pauses + $7 > 0 THEN 'paused' ELSE 'queued' END"
    };
}

macro_rules! wait_sql {
    () => {
        concat!(
            "UPDATE netaclaw_run SET step_count = $4, snapshot = COALESCE($5, snapshot), attempts = 0, \
             lease_owner = NULL, lease_expires_at = NULL, \
             open_pauses = open_pauses + CASE WHEN cancel_reason IS NULL THEN $7 ELSE 0 END, status = ",
            next_status!(),
            ", reason = CASE WHEN ",
            next_status!(),
            " = 'paused' THEN 'question' END, due_at = CASE WHEN ",
            next_status!(),
            " = 'queued' THEN $9 ELSE $8 END, paused_at = CASE WHEN ",
            next_status!(),
            " = 'paused' THEN $9 END WHERE ",
            lease_holds!(),
            " RETURNING id, tenant_id, session_id, root_run_id, agent_id, user_message_id, \
             assistant_message_id, traceparent, status, cancel_reason"
        )
    };
}

/// The run's row alone.
pub(super) const WAIT: &str = wait_sql!();

/// Binds `$1` to `$9` of [`wait_sql`].
pub(super) fn bind_wait(query: Query, lease: &Lease, waiting: &Waiting, now: DateTime<Utc>) -> Result<Query> {
    Ok(bind_lease(query, lease)
        .bind(waiting.first_seq + waiting.steps.len() as i64)
        .bind(Arg::json_or_null(waiting.snapshot.as_ref())?)
        .bind(!waiting.children.is_empty())
        .bind(waiting.pauses.len() as i64)
        .bind(waiting.wall_ends_at)
        .bind(now))
}

/// The subagents' runs in their order, the first of them ready to begin.
const AT_ONCE: &str = concat!(
    "WITH run AS (",
    wait_sql!(),
    "), ",
    insert_steps_and_usage!("$10", "$11", "$9"),
    ", drawn AS (SELECT nextval('netaclaw_run_id_seq') AS id, c.* FROM (\
     SELECT run.tenant_id, run.session_id, run.id AS parent_run_id, run.root_run_id, \
     run.agent_id AS parent_agent_id, run.user_message_id, run.assistant_message_id, run.traceparent, c.* \
     FROM run, json_to_recordset($12) AS c (place bigint, tool_call_id text, sort_order bigint, agent_id bigint, \
     source_type text, preset_agent_id bigint, name text, goal text, context text, model text, tool_names json, \
     snapshot json) WHERE run.cancel_reason IS NULL ORDER BY c.place) AS c), \
     child AS (INSERT INTO netaclaw_run (id, tenant_id, session_id, kind, parent_run_id, root_run_id, agent_id, \
     user_message_id, assistant_message_id, status, reason, snapshot, attempts, step_count, lease_epoch, due_at, \
     traceparent, has_successor, create_time) \
     SELECT id, tenant_id, session_id, 'subagent', parent_run_id, root_run_id, agent_id, user_message_id, \
     assistant_message_id, CASE WHEN place < $14 THEN 'queued' ELSE 'held' END, \
     CASE WHEN place < $14 THEN NULL ELSE 'parent_concurrency' END, snapshot, 0, 0, 0, $9, traceparent, FALSE, $9 \
     FROM drawn), \
     subagent AS (INSERT INTO netaclaw_subagent_session (id, tenant_id, session_id, parent_message_id, \
     parent_run_id, parent_tool_call_id, parent_agent_id, run_id, source_type, preset_agent_id, name, goal, \
     context, status, model, tool_names, sort_order, create_time, update_time) \
     SELECT id, tenant_id, session_id, assistant_message_id, parent_run_id, tool_call_id, parent_agent_id, id, \
     source_type, preset_agent_id, name, goal, context, 'queued', model, tool_names, sort_order, $9, $9 FROM drawn), \
     pause AS (INSERT INTO netaclaw_pause (tenant_id, session_id, run_id, tool_call_id, kind, question, options, \
     status, deadline, create_time, update_time) \
     SELECT run.tenant_id, run.session_id, run.id, p.tool_call_id, p.kind, p.question, p.options, 'open', \
     p.deadline, $9, $9 FROM run, json_to_recordset($13) AS p (place bigint, tool_call_id text, kind text, \
     question text, options json, deadline timestamptz) WHERE run.cancel_reason IS NULL ORDER BY p.place \
     RETURNING id) \
     SELECT 'run' AS made, run.id, run.tenant_id, run.session_id, run.agent_id, run.assistant_message_id, \
     run.traceparent, run.status FROM run \
     UNION ALL SELECT 'child', id, NULL, NULL, NULL, NULL, NULL, NULL FROM drawn \
     UNION ALL SELECT 'pause', id, NULL, NULL, NULL, NULL, NULL, NULL FROM pause"
);

/// What was made, by its ids.
pub(super) struct Made {
    pub(super) run: Row,
    pub(super) children: Vec<i64>,
    pub(super) pauses: Vec<i64>,
}

async fn at_once(db: &Db, lease: &Lease, waiting: &Waiting, now: DateTime<Utc>) -> Result<Option<Made>> {
    let statement = bind_wait(query(AT_ONCE), lease, waiting, now)?
        .bind(steps_json(waiting.first_seq, &waiting.steps)?)
        .bind(Arg::json(&waiting.usage_rows)?)
        .bind(children_json(&waiting.children)?)
        .bind(pauses_json(&waiting.pauses)?)
        .bind(places(waiting));
    let (mut run, mut children, mut pauses) = (None, Vec::new(), Vec::new());
    for row in statement.all(db).await? {
        match row.get::<String>("made")?.as_str() {
            "child" => children.push(row.get("id")?),
            "pause" => pauses.push(row.get("id")?),
            _ => run = Some(row),
        }
    }
    children.sort_unstable();
    pauses.sort_unstable();
    Ok(run.map(|run| Made { run, children, pauses }))
}

/// How many children begin at once.
pub(super) fn places(waiting: &Waiting) -> i64 {
    i64::from(waiting.max_concurrent.max(1))
}

fn children_json(children: &[NewChild]) -> Result<Arg> {
    #[derive(Serialize)]
    struct ChildRow<'a> {
        place: usize,
        tool_call_id: &'a str,
        sort_order: u32,
        agent_id: AgentId,
        source_type: SourceType,
        preset_agent_id: Option<AgentId>,
        name: &'a str,
        goal: &'a str,
        context: Option<&'a str>,
        model: &'a str,
        tool_names: &'a [String],
        snapshot: &'a Snapshot,
    }
    let rows = children.iter().enumerate().map(|(place, c)| ChildRow {
        place,
        tool_call_id: &c.tool_call_id,
        sort_order: c.sort_order,
        agent_id: c.agent_id,
        source_type: c.source_type,
        preset_agent_id: c.preset_agent_id,
        name: &c.name,
        goal: &c.goal,
        context: c.context.as_deref(),
        model: &c.model,
        tool_names: &c.tool_names,
        snapshot: &c.snapshot,
    });
    Arg::json(&rows.collect::<Vec<_>>())
}

fn pauses_json(pauses: &[NewPause]) -> Result<Arg> {
    #[derive(Serialize)]
    struct PauseRow<'a> {
        place: usize,
        tool_call_id: &'a str,
        kind: PauseKind,
        question: &'a str,
        options: &'a [String],
        deadline: Option<DateTime<Utc>>,
    }
    let rows = pauses.iter().enumerate().map(|(place, p)| PauseRow {
        place,
        tool_call_id: &p.tool_call_id,
        kind: p.kind,
        question: &p.question,
        options: &p.options,
        deadline: p.deadline,
    });
    Arg::json(&rows.collect::<Vec<_>>())
}

impl Made {
    fn outcome(self, waiting: &Waiting, now: DateTime<Utc>) -> Result<WaitOutcome> {
        let places = waiting.max_concurrent.max(1) as usize;
        let begin = self.children.iter().take(places);
        let mut ring: Vec<Job> = begin.map(|id| self.job(RunId(*id))).collect::<Result<_>>()?;
        if self.run.parse("status", RunStatus::parse)? == RunStatus::Queued {
            ring.push(job(&self.run)?);
        }
        let children = waiting.children.iter().zip(&self.children).map(|(c, id)| self.subagent(c, *id, now));
        let children = children.collect::<Result<_>>()?;
        let pauses = waiting.pauses.iter().zip(&self.pauses).map(|(p, id)| self.pause(p, *id, now));
        Ok(WaitOutcome::Waiting { children, ring, pauses: pauses.collect::<Result<_>>()? })
    }

    fn job(&self, run_id: RunId) -> Result<Job> {
        Ok(Job { run_id, ..job(&self.run)? })
    }

    fn subagent(&self, child: &NewChild, id: i64, now: DateTime<Utc>) -> Result<Subagent> {
        Ok(Subagent {
            id: SubagentId(id),
            tenant_id: self.run.id("tenant_id", TenantId)?,
            session_id: session_id(&self.run)?,
            parent_message_id: self.run.id("assistant_message_id", MessageId)?,
            parent_run_id: self.run.id("id", RunId)?,
            parent_tool_call_id: child.tool_call_id.clone(),
            parent_agent_id: self.run.id("agent_id", AgentId)?,
            run_id: RunId(id),
            source_type: child.source_type,
            preset_agent_id: child.preset_agent_id,
            name: child.name.clone(),
            goal: child.goal.clone(),
            context: child.context.clone(),
            status: SubagentStatus::Queued,
            exit_reason: None,
            model: child.model.clone(),
            tool_names: child.tool_names.clone(),
            summary: None,
            result_payload: None,
            error: None,
            token_usage: None,
            sort_order: child.sort_order,
            started_at: None,
            ended_at: None,
            create_time: now,
            update_time: now,
        })
    }

    fn pause(&self, pause: &NewPause, id: i64, now: DateTime<Utc>) -> Result<Pause> {
        Ok(Pause {
            id: PauseId(id),
            tenant_id: self.run.id("tenant_id", TenantId)?,
            session_id: session_id(&self.run)?,
            message_id: self.run.id("assistant_message_id", MessageId)?,
            run_id: self.run.id("id", RunId)?,
            tool_call_id: pause.tool_call_id.clone(),
            kind: pause.kind,
            question: pause.question.clone(),
            options: pause.options.clone(),
            status: PauseStatus::Open,
            answer: None,
            deadline: pause.deadline,
            create_time: now,
            update_time: now,
        })
    }
}

/// What the same wish did before, where its answer was lost: then the run waits under the same epoch.
async fn standing(db: &Db, lease: &Lease, waiting: &Waiting) -> Result<WaitOutcome> {
    let waits = query(
        "SELECT id FROM netaclaw_run WHERE id = $1 AND lease_epoch = $2 AND status IN ('waiting', 'paused') \
         AND step_count >= $3",
    );
    let count = waiting.first_seq + waiting.steps.len() as i64;
    let waits = waits.bind(lease.run_id).bind(lease.epoch).bind(count);
    if waits.optional(db).await?.is_none() {
        return Ok(WaitOutcome::Stale);
    }
    let mut children = subagents::of_run(db, lease.run_id).await?;
    children.retain(|c| waiting.children.iter().any(|n| n.tool_call_id == c.parent_tool_call_id));
    let mut pauses = pauses::open_of_run(db, lease.run_id).await?;
    pauses.retain(|p| waiting.pauses.iter().any(|n| n.tool_call_id == p.tool_call_id));
    Ok(WaitOutcome::Waiting { children, ring: due_children(db, lease.run_id).await?, pauses })
}

async fn due_children(db: &Db, parent: RunId) -> Result<Vec<Job>> {
    let due = query(
        "SELECT id, tenant_id, traceparent FROM netaclaw_run WHERE status = 'queued' \
         AND id IN (SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1) ORDER BY id",
    );
    due.bind(parent).all(db).await?.iter().map(job).collect()
}
