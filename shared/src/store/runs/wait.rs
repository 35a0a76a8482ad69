//! A run that hands calls over, to subagents or to a person, and waits: it holds neither lease nor
//! slot. Whoever closes the last of what it waits for makes it due, see `close`.

use super::claim::{Claimed, ConfigVersion, config_version, millis};
use super::journal::{UsageRow, insert_steps_and_usage, steps_json};
use super::wait_in_steps::in_steps;
use super::{bind_lease, job, lease_holds, run, run_columns, session_id};
use crate::domain::ids::{AgentId, MessageId, PauseId, RunId, SubagentId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::journal::Step;
use crate::domain::pauses::{Pause, PauseKind, PauseStatus};
use crate::domain::runs::{Lease, Run, RunKind, RunStatus, Snapshot};
use crate::domain::subagents::{SourceType, Subagent, SubagentStatus};
use crate::store::db::{Arg, Db, Query, Row, Sql, query};
use crate::store::error::Result;
use crate::store::{pauses, subagents};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::time::Duration;

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
    /// So many of the subagents that begin at once are claimed by the caller in the same commit.
    pub take: u32,
    /// The lease of those.
    pub lease: Duration,
}

/// What became of a wish to wait.
#[derive(Debug, Clone, PartialEq)]
pub enum WaitOutcome {
    /// It is durable, and the lease is given back.
    Waiting {
        /// The subagents that were made, as they stand.
        children: Vec<Subagent>,
        /// The first of them, which the caller holds now.
        taken: Vec<Claimed>,
        /// Runs that are due: the other subagents that begin at once; or the run itself, where there
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
        Some(made) => made.outcome(lease, waiting, now),
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
     user_message_id, assistant_message_id, status, reason, snapshot, attempts, step_count, lease_owner, lease_epoch, \
     lease_expires_at, due_at, traceparent, has_successor, create_time, started_at) \
     SELECT id, tenant_id, session_id, 'subagent', parent_run_id, root_run_id, agent_id, user_message_id, \
     assistant_message_id, \
     CASE WHEN place < $15 THEN 'running' WHEN place < $14 THEN 'queued' ELSE 'held' END, \
     CASE WHEN place < $14 THEN NULL ELSE 'parent_concurrency' END, snapshot, \
     CASE WHEN place < $15 THEN 1 ELSE 0 END, 0, CASE WHEN place < $15 THEN $2 END, \
     CASE WHEN place < $15 THEN 1 ELSE 0 END, \
     CASE WHEN place < $15 THEN clock_timestamp() + $16 * interval '1 millisecond' END, $9, traceparent, FALSE, $9, \
     CASE WHEN place < $15 THEN $9 END FROM drawn), \
     subagent AS (INSERT INTO netaclaw_subagent_session (id, tenant_id, session_id, parent_message_id, \
     parent_run_id, parent_tool_call_id, parent_agent_id, run_id, source_type, preset_agent_id, name, goal, \
     context, status, model, tool_names, sort_order, started_at, create_time, update_time) \
     SELECT id, tenant_id, session_id, assistant_message_id, parent_run_id, tool_call_id, parent_agent_id, id, \
     source_type, preset_agent_id, name, goal, context, CASE WHEN place < $15 THEN 'running' ELSE 'queued' END, \
     model, tool_names, sort_order, CASE WHEN place < $15 THEN $9 END, $9, $9 FROM drawn), \
     pause AS (INSERT INTO netaclaw_pause (tenant_id, session_id, run_id, tool_call_id, kind, question, options, \
     status, deadline, create_time, update_time) \
     SELECT run.tenant_id, run.session_id, run.id, p.tool_call_id, p.kind, p.question, p.options, 'open', \
     p.deadline, $9, $9 FROM run, json_to_recordset($13) AS p (place bigint, tool_call_id text, kind text, \
     question text, options json, deadline timestamptz) WHERE run.cancel_reason IS NULL ORDER BY p.place \
     RETURNING id) \
     SELECT 'run' AS made, run.id, run.tenant_id, run.session_id, run.root_run_id, run.agent_id, run.user_message_id, \
     run.assistant_message_id, run.traceparent, run.status, NULL AS agent_version, NULL AS model_time FROM run \
     UNION ALL SELECT 'child', id, NULL, NULL, NULL, agent_id, NULL, NULL, NULL, NULL, ",
    config_version!("drawn"),
    " FROM drawn \
     UNION ALL SELECT 'pause', id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM pause"
);

/// What was made, by its ids.
pub(super) struct Made {
    pub(super) run: Row,
    pub(super) children: Vec<(i64, ConfigVersion)>,
    pub(super) pauses: Vec<i64>,
}

async fn at_once(db: &Db, lease: &Lease, waiting: &Waiting, now: DateTime<Utc>) -> Result<Option<Made>> {
    let statement = bind_wait(query(AT_ONCE), lease, waiting, now)?
        .bind(steps_json(waiting.first_seq, &waiting.steps)?)
        .bind(Arg::json(&waiting.usage_rows)?)
        .bind(children_json(&waiting.children)?)
        .bind(pauses_json(&waiting.pauses)?)
        .bind(places(waiting))
        .bind(taken(waiting))
        .bind(millis(waiting.lease));
    let (mut run, mut children, mut pauses) = (None, Vec::new(), Vec::new());
    for row in statement.all(db).await? {
        match row.get::<String>("made")?.as_str() {
            "child" => children.push((row.get("id")?, ConfigVersion::read(&row)?)),
            "pause" => pauses.push(row.get("id")?),
            _ => run = Some(row),
        }
    }
    children.sort_unstable_by_key(|(id, _)| *id);
    pauses.sort_unstable();
    Ok(run.map(|run| Made { run, children, pauses }))
}

/// How many children begin at once.
pub(super) fn places(waiting: &Waiting) -> i64 {
    i64::from(waiting.max_concurrent.max(1))
}

/// How many of these the caller takes.
pub(super) fn taken(waiting: &Waiting) -> i64 {
    i64::from(waiting.take).min(places(waiting))
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
    fn outcome(self, lease: &Lease, waiting: &Waiting, now: DateTime<Utc>) -> Result<WaitOutcome> {
        let (places, take) = (places(waiting) as usize, taken(waiting) as usize);
        let begin = self.children.iter().take(places).skip(take);
        let mut ring: Vec<Job> = begin.map(|(id, _)| self.job(RunId(*id))).collect::<Result<_>>()?;
        if self.run.parse("status", RunStatus::parse)? == RunStatus::Queued {
            ring.push(job(&self.run)?);
        }
        let made = waiting.children.iter().zip(&self.children).zip(0..);
        let children = made.map(|((child, (id, _)), place)| self.subagent(child, *id, place < take, now));
        let children: Vec<Subagent> = children.collect::<Result<_>>()?;
        let made = waiting.children.iter().zip(&self.children).zip(&children).take(take);
        let taken = made.map(|((child, (_, config)), subagent)| {
            let run = self.child_run(child, subagent, lease, now)?;
            Ok(Claimed { run, config: *config, subagent: Some(subagent.clone()) })
        });
        let taken = taken.collect::<Result<_>>()?;
        let pauses = waiting.pauses.iter().zip(&self.pauses).map(|(p, id)| self.pause(p, *id, now));
        Ok(WaitOutcome::Waiting { children, taken, ring, pauses: pauses.collect::<Result<_>>()? })
    }

    /// The run of a subagent that the caller has taken.
    fn child_run(
        &self,
        child: &NewChild,
        subagent: &Subagent,
        lease: &Lease,
        now: DateTime<Utc>,
    ) -> Result<Run> {
        Ok(Run {
            id: subagent.run_id,
            tenant_id: subagent.tenant_id,
            session_id: subagent.session_id,
            kind: RunKind::Subagent,
            parent_run_id: Some(subagent.parent_run_id),
            root_run_id: self.run.id("root_run_id", RunId)?,
            agent_id: child.agent_id,
            user_message_id: self.run.id("user_message_id", MessageId)?,
            assistant_message_id: subagent.parent_message_id,
            status: RunStatus::Running,
            reason: None,
            snapshot: Some(child.snapshot.clone()),
            cancel_reason: None,
            attempts: 1,
            step_count: 0,
            lease_owner: Some(lease.owner.clone()),
            lease_epoch: 1,
            // The database's own time: nobody here compares it.
            lease_expires_at: None,
            due_at: now,
            traceparent: self.run.get("traceparent")?,
            create_time: now,
            started_at: Some(now),
            ended_at: None,
            paused_ms: 0,
        })
    }

    fn job(&self, run_id: RunId) -> Result<Job> {
        Ok(Job { run_id, ..job(&self.run)? })
    }

    fn subagent(&self, child: &NewChild, id: i64, begun: bool, now: DateTime<Utc>) -> Result<Subagent> {
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
            status: if begun { SubagentStatus::Running } else { SubagentStatus::Queued },
            exit_reason: None,
            model: child.model.clone(),
            tool_names: child.tool_names.clone(),
            summary: None,
            result_payload: None,
            error: None,
            token_usage: None,
            sort_order: child.sort_order,
            started_at: begun.then_some(now),
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
    let taken = standing_children(db, lease, &children, taken(waiting) as usize).await?;
    Ok(WaitOutcome::Waiting { children, taken, ring: due_children(db, lease.run_id).await?, pauses })
}

/// Those that were taken with the same wish and that nobody has taken over since. Nobody here works on
/// them, since nobody was told; the first ones only: the others may have been claimed as usual.
async fn standing_children(
    db: &Db,
    lease: &Lease,
    children: &[Subagent],
    take: usize,
) -> Result<Vec<Claimed>> {
    const STANDING: Sql = Sql {
        sqlite: concat!(
            "SELECT ",
            run_columns!(),
            ", ",
            config_version!("netaclaw_run"),
            " FROM netaclaw_run WHERE id IN (SELECT value FROM json_each($1)) AND lease_owner = $2 \
             AND lease_epoch = 1 AND status = 'running' ORDER BY id"
        ),
        postgres: concat!(
            "SELECT ",
            run_columns!(),
            ", ",
            config_version!("netaclaw_run"),
            " FROM netaclaw_run WHERE id = ANY($1) AND lease_owner = $2 \
             AND lease_epoch = 1 AND status = 'running' ORDER BY id"
        ),
    };
    let ids: Vec<i64> = children.iter().take(take).map(|c| c.id.0).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = query(STANDING).bind(Arg::Ids(ids)).bind(&lease.owner).all(db).await?;
    let taken = rows.iter().map(|row| {
        let run = run(row)?;
        let subagent = children.iter().find(|c| c.run_id == run.id).cloned();
        Ok(Claimed { run, config: ConfigVersion::read(row)?, subagent })
    });
    taken.collect()
}

async fn due_children(db: &Db, parent: RunId) -> Result<Vec<Job>> {
    let due = query(
        "SELECT id, tenant_id, traceparent FROM netaclaw_run WHERE status = 'queued' \
         AND id IN (SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1) ORDER BY id",
    );
    due.bind(parent).all(db).await?.iter().map(job).collect()
}
