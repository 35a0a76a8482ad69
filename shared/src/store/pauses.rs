//! Questions to people: read, answered, expired. They are asked by runs, see `runs::wait`.

use super::audit;
use super::budgets;
use super::db::{Arg, Db, On, Row, Sql, Tx, query};
use super::error::Result;
use super::messages::unsigned;
use super::runs::live;
use super::runs::{Locked, NewPause, ParentNext, close_pause, lock, tool_name};
use crate::domain::access::Owner;
use crate::domain::audit::Entry;
use crate::domain::ids::{MessageId, PauseId, RunId, SessionId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::journal::{ToolResult, ToolStatus};
use crate::domain::pauses::{FINISH_NOW, Pause, PauseKind, PauseStatus};
use chrono::{DateTime, Utc};

macro_rules! pause_columns {
    () => {
        "SELECT p.id, p.tenant_id, p.session_id, r.assistant_message_id, p.run_id, p.tool_call_id, p.kind, \
         p.question, p.options, p.status, p.answer, p.deadline, p.create_time, p.update_time"
    };
}

macro_rules! pause_sql {
    ($which:literal) => {
        concat!(
            pause_columns!(),
            " FROM netaclaw_pause p JOIN netaclaw_run r ON r.id = p.run_id WHERE ",
            $which
        )
    };
}

/// With the names of session and agent.
macro_rules! named_sql {
    ($which:literal) => {
        concat!(
            pause_columns!(),
            ", t.title AS session_title, a.name AS agent_name FROM netaclaw_pause p \
             JOIN netaclaw_run r ON r.id = p.run_id JOIN netaclaw_session t ON t.id = p.session_id \
             LEFT JOIN netaclaw_agent a ON a.id = r.agent_id WHERE ",
            $which
        )
    };
}

/// Whether a row belongs to a session of owner `$2`; NULL: to any.
macro_rules! owned {
    ($row:literal) => {
        concat!(
            "($2 IS NULL OR ",
            $row,
            ".session_id IN (SELECT id FROM netaclaw_session WHERE tenant_id = $1 AND owner = $2))"
        )
    };
}

fn pause(row: &Row) -> Result<Pause> {
    Ok(Pause {
        id: row.id("id", PauseId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        session_id: super::runs::session_id(row)?,
        message_id: row.id("assistant_message_id", MessageId)?,
        run_id: row.id("run_id", RunId)?,
        tool_call_id: row.get("tool_call_id")?,
        kind: row.parse("kind", PauseKind::parse)?,
        question: row.get("question")?,
        options: row.json_or_null("options")?.unwrap_or_default(),
        status: row.parse("status", PauseStatus::parse)?,
        answer: row.get("answer")?,
        deadline: row.get("deadline")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

/// One question of the tenant.
pub async fn find(on: impl Into<On<'_>>, tenant_id: TenantId, id: PauseId) -> Result<Option<Pause>> {
    query(pause_sql!("p.id = $1 AND p.tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(on)
        .await?
        .as_ref()
        .map(pause)
        .transpose()
}

/// What a run asks and nobody has answered, in the order in which it was asked.
pub async fn open_of_run(on: impl Into<On<'_>>, run_id: RunId) -> Result<Vec<Pause>> {
    let open = query(pause_sql!("p.run_id = $1 AND p.status = 'open' ORDER BY p.id"));
    open.bind(run_id).all(on).await?.iter().map(pause).collect()
}

/// As [`open_of_run`], of the runs of some messages of one tenant.
pub async fn open_of_messages(db: &Db, tenant_id: TenantId, messages: &[MessageId]) -> Result<Vec<Pause>> {
    const FIND: Sql = Sql {
        sqlite: pause_sql!(
            "p.tenant_id = $1 AND p.status = 'open' AND p.run_id IN (SELECT run_id FROM netaclaw_message \
             WHERE id IN (SELECT value FROM json_each($2))) ORDER BY p.id"
        ),
        postgres: pause_sql!(
            "p.tenant_id = $1 AND p.status = 'open' AND p.run_id IN (SELECT run_id FROM netaclaw_message \
             WHERE id = ANY($2)) ORDER BY p.id"
        ),
    };
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let ids = Arg::Ids(messages.iter().map(|id| id.0).collect());
    query(FIND).bind(tenant_id).bind(ids).all(db).await?.iter().map(pause).collect()
}

/// Which questions; None: all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Where they stand.
    pub status: Option<PauseStatus>,
    /// Whose they are.
    pub session_id: Option<SessionId>,
    /// Whose sessions they belong to.
    pub owner: Option<Owner>,
}

/// A question with what a list of many shows besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The question.
    pub pause: Pause,
    /// Its session's title.
    pub session_title: String,
    /// The agent of the run that asks, as it is called now; None: it is gone.
    pub agent_name: Option<String>,
}

/// Newest first, at most `limit`; `before` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    before: Option<PauseId>,
    limit: u32,
) -> Result<Vec<Pause>> {
    Ok(list_named(db, tenant_id, filter, before, limit).await?.into_iter().map(|l| l.pause).collect())
}

/// As [`list`], with the names of session and agent.
pub async fn list_named(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    before: Option<PauseId>,
    limit: u32,
) -> Result<Vec<Listed>> {
    let listed = |row: &Row| {
        let (session_title, agent_name) = (row.get("session_title")?, row.get("agent_name")?);
        Ok(Listed { pause: pause(row)?, session_title, agent_name })
    };
    // Texts of their own for the inbox and for one session: only so do prepared statements use their
    // indexes.
    let statement = match (filter.session_id, filter.status) {
        (None, Some(PauseStatus::Open)) => query(named_sql!(
            "p.tenant_id = $1 AND p.id < $2 AND p.status = 'open' AND p.status = $3 AND $4 IS NULL \
             AND ($6 IS NULL OR p.session_id IN \
             (SELECT id FROM netaclaw_session WHERE tenant_id = $1 AND owner = $6)) ORDER BY p.id DESC LIMIT $5"
        )),
        (None, _) => query(named_sql!(
            "p.tenant_id = $1 AND p.id < $2 AND ($3 IS NULL OR p.status = $3) AND $4 IS NULL \
             AND ($6 IS NULL OR p.session_id IN \
             (SELECT id FROM netaclaw_session WHERE tenant_id = $1 AND owner = $6)) ORDER BY p.id DESC LIMIT $5"
        )),
        (Some(_), _) => query(named_sql!(
            "p.tenant_id = $1 AND p.id < $2 AND ($3 IS NULL OR p.status = $3) AND p.session_id = $4 \
             AND ($6 IS NULL OR p.session_id IN \
             (SELECT id FROM netaclaw_session WHERE tenant_id = $1 AND owner = $6)) ORDER BY p.id DESC LIMIT $5"
        )),
    };
    statement
        .bind(tenant_id)
        .bind(before.map_or(i64::MAX, |id| id.0))
        .bind(filter.status.map(PauseStatus::as_str))
        .bind(filter.session_id.map(|id| id.to_string()))
        .bind(i64::from(limit))
        .bind(filter.owner.map(Owner::to_text))
        .all(db)
        .await?
        .iter()
        .map(listed)
        .collect()
}

/// How much waits for people, and how much is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Open questions.
    pub open: u64,
    /// Sessions with a turn that has not ended.
    pub live_sessions: u64,
    /// Subagents that are at work.
    pub running_subagents: u64,
}

/// Counts what belongs to somebody's sessions; None: to all. Looks at nothing but what is open or live,
/// which have indexes of their own.
pub async fn summary(db: &Db, tenant_id: TenantId, owner: Option<Owner>) -> Result<Summary> {
    let counts = query(concat!(
        "SELECT (SELECT COUNT(*) FROM netaclaw_pause p WHERE p.tenant_id = $1 AND p.status = 'open' AND ",
        owned!("p"),
        ") AS open, COUNT(DISTINCT CASE WHEN r.kind = 'chat' THEN r.session_id END) AS live_sessions, \
         COUNT(CASE WHEN r.kind = 'subagent' AND r.status NOT IN ('queued', 'held') THEN 1 END) \
         AS running_subagents FROM netaclaw_run r WHERE r.tenant_id = $1 AND ",
        live!("r."),
        " AND ",
        owned!("r")
    ));
    let row = counts.bind(tenant_id).bind(owner.map(Owner::to_text)).one(db).await?;
    let count = |column: &str| unsigned(row.get(column)?);
    Ok(Summary {
        open: count("open")?,
        live_sessions: count("live_sessions")?,
        running_subagents: count("running_subagents")?,
    })
}

/// Open questions whose deadline has passed, at most `limit`.
pub async fn expired(db: &Db, now: DateTime<Utc>, limit: u32) -> Result<Vec<(TenantId, PauseId)>> {
    let rows = query(
        "SELECT id, tenant_id FROM netaclaw_pause WHERE status = 'open' AND deadline <= $1 \
         ORDER BY deadline LIMIT $2",
    );
    let rows = rows.bind(now).bind(i64::from(limit)).all(db).await?;
    rows.iter().map(|row| Ok((row.id("tenant_id", TenantId)?, row.id("id", PauseId)?))).collect()
}

/// Stores a question.
pub(in crate::store) async fn insert(
    tx: &mut Tx,
    tenant_id: TenantId,
    session_id: SessionId,
    run_id: RunId,
    new: &NewPause,
    now: DateTime<Utc>,
) -> Result<PauseId> {
    let asked = query(
        "INSERT INTO netaclaw_pause (tenant_id, session_id, run_id, tool_call_id, kind, question, options, status, \
         deadline, create_time, update_time) VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9, $9) RETURNING id",
    )
    .bind(tenant_id)
    .bind(session_id)
    .bind(run_id)
    .bind(new.tool_call_id.as_str())
    .bind(new.kind.as_str())
    .bind(new.question.as_str())
    .bind(Arg::json(&new.options)?)
    .bind(new.deadline)
    .bind(now)
    .one(tx)
    .await?;
    asked.id("id", PauseId)
}

/// A question that is closed, and what follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// As it stands now.
    pub pause: Pause,
    /// What the model reads of it, if that is in the run's journal now.
    pub result: Option<ToolResult>,
    /// What became of the run that asked.
    pub next: ParentNext,
    /// Runs of its tree that waited for this decision about a budget: ring them.
    pub resumed: Vec<Job>,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerOutcome {
    /// It is durable.
    Answered(Box<Closed>),
    /// It comes too late: the question was answered, or its time is over, or its run's.
    Standing(Box<Pause>),
    /// It is none of those that are offered.
    NotOffered(Box<Pause>),
    /// The tenant has no such question.
    NotFound,
}

/// Answers a question. The first answer counts. `line` is the audit's.
pub async fn answer(
    db: &Db,
    tenant_id: TenantId,
    id: PauseId,
    answer: &str,
    now: DateTime<Utc>,
    line: Option<&Entry>,
) -> Result<AnswerOutcome> {
    let Some(pause) = find(db, tenant_id, id).await? else { return Ok(AnswerOutcome::NotFound) };
    if pause.status == PauseStatus::Open && !pause.accepts(answer) {
        return Ok(AnswerOutcome::NotOffered(Box::new(pause)));
    }
    let close = Close { status: PauseStatus::Answered, answer: Some(answer), now, line };
    match close.run(db, pause).await? {
        Ok(closed) => Ok(AnswerOutcome::Answered(Box::new(closed))),
        Err(pause) => Ok(AnswerOutcome::Standing(Box::new(pause))),
    }
}

/// Closes a question that nobody answered in time; None: it is not open, or its time is not over.
pub async fn expire(db: &Db, tenant_id: TenantId, id: PauseId, now: DateTime<Utc>) -> Result<Option<Closed>> {
    let Some(pause) = find(db, tenant_id, id).await? else { return Ok(None) };
    Ok(Close { status: PauseStatus::Expired, answer: None, now, line: None }.run(db, pause).await?.ok())
}

/// What the model reads of a question that nobody answered.
const NOT_ANSWERED: &str =
    "Nobody answered in time. Go on with the best assumption, and say which one you made.";

/// How a question is to be closed.
struct Close<'a> {
    status: PauseStatus,
    answer: Option<&'a str>,
    now: DateTime<Utc>,
    line: Option<&'a Entry>,
}

impl Close<'_> {
    /// One transaction, which locks the run's row first. Err: it is not to be closed so; as it stands.
    async fn run(&self, db: &Db, mut pause: Pause) -> Result<Result<Closed, Pause>> {
        let is_over = pause.deadline.is_some_and(|deadline| deadline <= self.now);
        if pause.status != PauseStatus::Open || is_over != (self.status == PauseStatus::Expired) {
            return Ok(Err(pause));
        }
        let mut tx = db.begin().await?;
        if pause.kind == PauseKind::Budget {
            budgets::lock_of(&mut tx, pause.run_id).await?;
        }
        let run = lock(&mut tx, pause.run_id, self.now).await?;
        let (Some(run), true) = (run, self.store(&mut tx, pause.id).await?) else {
            tx.rollback().await?;
            let standing = find(db, pause.tenant_id, pause.id).await?;
            return Ok(Err(standing.unwrap_or(pause)));
        };
        pause.status = self.status;
        pause.answer = self.answer.map(str::to_owned);
        pause.update_time = self.now;
        let (result, next) = match pause.kind {
            PauseKind::Clarify | PauseKind::Escalate | PauseKind::Approval => {
                self.tell_model(&mut tx, &run, &pause).await?
            }
            // What it decides is no call's result.
            PauseKind::Budget => (None, ParentNext::Waits),
        };
        let resumed = match pause.kind {
            PauseKind::Budget => {
                let decision = self.answer.unwrap_or(FINISH_NOW);
                budgets::decide(&mut tx, pause.run_id, decision, self.now).await?
            }
            PauseKind::Clarify | PauseKind::Escalate | PauseKind::Approval => Vec::new(),
        };
        audit::record_if(&mut tx, self.line, self.now).await?;
        tx.commit().await?;
        Ok(Ok(Closed { pause, result, next, resumed }))
    }

    /// False: it is no longer open.
    async fn store(&self, tx: &mut Tx, id: PauseId) -> Result<bool> {
        let closed = query(
            "UPDATE netaclaw_pause SET status = $2, answer = $3, update_time = $4 \
             WHERE id = $1 AND status = 'open'",
        );
        let closed = closed.bind(id).bind(self.status.as_str()).bind(self.answer).bind(self.now);
        Ok(closed.execute(tx).await? == 1)
    }

    async fn tell_model(
        &self,
        tx: &mut Tx,
        run: &Locked,
        pause: &Pause,
    ) -> Result<(Option<ToolResult>, ParentNext)> {
        if !run.waits() {
            return Ok((None, ParentNext::Gone));
        }
        let result = ToolResult {
            tool_call_id: pause.tool_call_id.clone(),
            name: tool_name(tx, run.id, &pause.tool_call_id).await?,
            status: if self.answer.is_some() { ToolStatus::Ok } else { ToolStatus::Expired },
            text: self.answer.unwrap_or(NOT_ANSWERED).to_owned(),
            duration_ms: (self.now - pause.create_time).num_milliseconds().max(0) as u64,
        };
        let next = close_pause(tx, run, result.clone(), self.now).await?;
        Ok((Some(result), next))
    }
}
