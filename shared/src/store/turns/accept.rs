//! Accepting a message: session, user message, placeholder and run in one commit.

use super::busy;
use super::delete::{DeletedTurn, lock_session};
use super::known::or_known;
use super::replace::{self, Replaces};
use crate::domain::access::{Owner, Reach, Sender};
use crate::domain::ids::{AgentId, MessageId, RunId, SessionId, TenantId};
use crate::domain::messages::Metadata;
use crate::domain::quotas::Exceeded;
use crate::domain::runs::Policy;
use crate::domain::subagents::Subagent;
use crate::domain::told::Told;
use crate::store::db::{Arg, Db, Query, Row, Tx, query};
use crate::store::error::Result;
use crate::store::quotas::{self, any_applies};
use crate::store::runs::Ended;
use chrono::{DateTime, Utc};

/// Which agent answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentRef {
    /// This one.
    Id(AgentId),
    /// The one of this name, compared exactly.
    Name(String),
    /// The session's; for a new session the tenant's oldest that is published.
    Default,
}

/// A message that is to be answered. Texts are clean already. A session that tries a definition answers with
/// that, whatever agent is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTurn {
    /// Who sends it.
    pub sender: Sender,
    /// The session; begins with this message if it is unknown.
    pub session_id: SessionId,
    /// Who is to answer.
    pub agent: AgentRef,
    /// What the person says.
    pub content: String,
    /// The conversation so far, where the sender tells it.
    pub told: Option<Told>,
    /// The title if the session begins.
    pub title: String,
    /// The sender's id of the message, unique for the tenant: sent again, it is the same turn.
    pub client_message_id: Option<String>,
    /// What to do when the session is busy.
    pub policy: Policy,
    /// The message whose place it takes, with all that came after that.
    pub replaces: Option<Replaces>,
    /// W3C `traceparent` of the request.
    pub traceparent: Option<String>,
    /// The caller's clock.
    pub now: DateTime<Utc>,
}

/// A stored turn.
#[derive(Debug, Clone, PartialEq)]
pub struct AcceptedTurn {
    /// Its session.
    pub session_id: SessionId,
    /// The user's message.
    pub user_message_id: MessageId,
    /// The placeholder.
    pub assistant_message_id: MessageId,
    /// The run, queued.
    pub run_id: RunId,
    /// Turns that `Policy::Interrupt` ended at once: their readers are to be told.
    pub cancelled: Vec<Ended>,
    /// Subagents of interrupted turns that were ended at once: their readers are to be told.
    pub ended_subagents: Vec<Subagent>,
    /// Runs that `Policy::Interrupt` asked to stop: their workers are to be told.
    pub to_stop: Vec<RunId>,
    /// What it took the place of: workers and readers are to be told.
    pub removed: Option<DeletedTurn>,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum AcceptOutcome {
    /// It is durable.
    Accepted(AcceptedTurn),
    /// It was accepted before, under the same client's id.
    Known(AcceptedTurn),
    /// Another message was accepted under this client's id.
    ClientIdReused,
    /// The tenant has no such agent, or none at all.
    AgentNotFound,
    /// The session's id belongs to somebody else.
    SessionNotFound,
    /// The message that it is to replace is none of the session's.
    NothingToReplace,
    /// `Policy::Reject`: a turn of the session is live.
    Busy,
    /// Nothing was done: a quota applies, so it must be counted, see [`accept_counted`].
    Limited,
    /// A quota allows no more turns today.
    OverQuota(Exceeded),
}

/// Accepts a message to whose account no quota applies. With `Policy::Enqueue`, and where it
/// replaces nothing and tries nothing, one statement in Postgres;
/// whether there is a quota is asked in a statement that is made anyway.
pub async fn accept(db: &Db, turn: &NewTurn) -> Result<AcceptOutcome> {
    let outcome = match (db, turn.policy, &turn.replaces) {
        (Db::Postgres(_), Policy::Enqueue, None) if !turn.session_id.may_be_tryout() => {
            at_once(db, turn).await
        }
        _ => in_steps(db, turn, false).await,
    };
    or_known(db, turn, outcome).await
}

/// Accepts a message and counts it in the quotas that apply, in one transaction: what is refused, or was
/// accepted before, is not counted.
pub async fn accept_counted(db: &Db, turn: &NewTurn) -> Result<AcceptOutcome> {
    let outcome = in_steps(db, turn, true).await;
    or_known(db, turn, outcome).await
}

/// The agent, as a subquery of one row at most: `$1` tenant, `$2` session, `$3` id or name.
macro_rules! agent_by {
    ("id") => {
        "SELECT id FROM netaclaw_agent WHERE tenant_id = $1 AND id = $3"
    };
    ("name") => {
        "SELECT id FROM netaclaw_agent WHERE tenant_id = $1 AND name = $3"
    };
    ("tried") => {
        "SELECT COALESCE(agent_id, 0) AS id FROM netaclaw_tryout WHERE tenant_id = $1 AND session_id = $2 \
         AND $3 IS NULL"
    };
    ("default") => {
        "SELECT id FROM netaclaw_agent WHERE tenant_id = $1 AND $3 IS NULL AND id = COALESCE(\
         (SELECT agent_id FROM netaclaw_session WHERE id = $2 AND tenant_id = $1), \
         (SELECT MIN(id) FROM netaclaw_agent WHERE tenant_id = $1 AND published))"
    };
}

/// Touching the session locks its row until the commit, and the ids are drawn after that: so the ids
/// of one session's runs rise in the order of their commits.
macro_rules! accept_sql {
    ($by:tt) => {
        accept_sql!($by, "CAST('{}' AS json)")
    };
    ($by:tt, $metadata:literal) => {
        concat!(
            "WITH agent AS (SELECT id FROM (",
            agent_by!($by),
            ") a WHERE NOT ",
            any_applies!("$11", "$12"),
            "), session AS (\
             INSERT INTO netaclaw_session (id, tenant_id, owner, agent_id, kind, title, create_time, update_time) \
             SELECT $2, $1, $9, agent.id, 'chat', $5, $8, $8 FROM agent \
             ON CONFLICT (id) DO UPDATE SET update_time = excluded.update_time \
             WHERE netaclaw_session.tenant_id = excluded.tenant_id \
             AND ($10 OR netaclaw_session.owner = excluded.owner) RETURNING id), \
             drawn AS (SELECT nextval('netaclaw_message_id_seq') AS user_id, \
             nextval('netaclaw_message_id_seq') AS assistant_id, nextval('netaclaw_run_id_seq') AS run_id, \
             agent.id AS agent_id FROM session, agent), \
             message AS (INSERT INTO netaclaw_message (id, tenant_id, session_id, role, status, content, thinking, \
             metadata, run_id, tool_call_count, client_message_id, create_time, update_time) \
             SELECT user_id, $1, $2, 'user', 'completed', $4, '', ",
            $metadata,
            ", NULL, 0, $6, $8, $8 FROM drawn \
             UNION ALL \
             SELECT assistant_id, $1, $2, 'assistant', 'pending', '', '', CAST('{}' AS json), run_id, 0, NULL, $8, $8 \
             FROM drawn), \
             run AS (INSERT INTO netaclaw_run (id, tenant_id, session_id, kind, root_run_id, agent_id, \
             user_message_id, assistant_message_id, status, attempts, step_count, lease_epoch, due_at, traceparent, \
             has_successor, create_time, user_id, api_key_id) \
             SELECT run_id, $1, $2, 'chat', run_id, agent_id, drawn.user_id, assistant_id, 'queued', 0, 0, 0, $8, $7, \
             FALSE, $8, $11, $12 FROM drawn) \
             SELECT user_id, assistant_id, run_id FROM drawn"
        )
    };
}

fn bind_agent(query: Query, agent: &AgentRef) -> Query {
    match agent {
        AgentRef::Id(id) => query.bind(*id),
        AgentRef::Name(name) => query.bind(name.as_str()),
        AgentRef::Default => query.bind(None::<i64>),
    }
}

async fn at_once(db: &Db, turn: &NewTurn) -> Result<AcceptOutcome> {
    // One of its own for turns that bring a conversation: what the others don't have costs them nothing.
    let statement = query(match (&turn.agent, &turn.told) {
        (AgentRef::Id(_), None) => accept_sql!("id"),
        (AgentRef::Name(_), None) => accept_sql!("name"),
        (AgentRef::Default, None) => accept_sql!("default"),
        (AgentRef::Id(_), Some(_)) => accept_sql!("id", "$13"),
        (AgentRef::Name(_), Some(_)) => accept_sql!("name", "$13"),
        (AgentRef::Default, Some(_)) => accept_sql!("default", "$13"),
    });
    let statement = bind_agent(statement.bind(turn.sender.tenant_id).bind(turn.session_id), &turn.agent)
        .bind(turn.content.as_str())
        .bind(turn.title.as_str())
        .bind(turn.client_message_id.as_deref())
        .bind(turn.traceparent.as_deref())
        .bind(turn.now)
        .bind(turn.sender.owner.map(Owner::to_text))
        .bind(turn.sender.to == Reach::All)
        .bind(turn.sender.account.user_id.map(|id| id.0))
        .bind(turn.sender.account.api_key_id.map(|id| id.0));
    let statement = match &turn.told {
        Some(_) => statement.bind(metadata(turn)?),
        None => statement,
    };
    match statement.optional(db).await? {
        Some(row) => Ok(AcceptOutcome::Accepted(accepted(turn, &row)?)),
        None if session_is_foreign(db, turn).await? => Ok(AcceptOutcome::SessionNotFound),
        None if quotas::any_of(db, turn.sender.tenant_id, turn.sender.account).await? => {
            Ok(AcceptOutcome::Limited)
        }
        None => Ok(AcceptOutcome::AgentNotFound),
    }
}

/// What stands beside the user's message.
fn metadata(turn: &NewTurn) -> Result<Arg> {
    Arg::json(&Metadata { told: turn.told.clone(), ..Metadata::default() })
}

pub(super) fn accepted(turn: &NewTurn, row: &Row) -> Result<AcceptedTurn> {
    Ok(AcceptedTurn {
        session_id: turn.session_id,
        user_message_id: row.id("user_id", MessageId)?,
        assistant_message_id: row.id("assistant_id", MessageId)?,
        run_id: row.id("run_id", RunId)?,
        cancelled: Vec::new(),
        ended_subagents: Vec::new(),
        to_stop: Vec::new(),
        removed: None,
    })
}

async fn session_is_foreign(db: &Db, turn: &NewTurn) -> Result<bool> {
    let row = query("SELECT tenant_id, owner FROM netaclaw_session WHERE id = $1").bind(turn.session_id);
    Ok(match row.optional(db).await? {
        Some(row) => {
            row.id("tenant_id", TenantId)? != turn.sender.tenant_id || !turn.sender.to.covers(owner(&row)?)
        }
        None => false,
    })
}

pub(super) fn owner(row: &Row) -> Result<Option<Owner>> {
    row.parse_or_null("owner", Owner::parse)
}

/// The same by simple statements in a transaction: for SQLite, and where the session's live turns are
/// looked at under its lock.
async fn in_steps(db: &Db, turn: &NewTurn, counted: bool) -> Result<AcceptOutcome> {
    let mut tx = db.begin().await?;
    let outcome = in_tx(&mut tx, turn, counted).await?;
    match outcome {
        AcceptOutcome::Accepted(_) => tx.commit().await?,
        _ => tx.rollback().await?,
    }
    Ok(outcome)
}

/// The agent, and whether a quota applies: `$4` user, `$5` key.
macro_rules! limited_agent {
    ($by:tt) => {
        concat!("SELECT a.id, ", any_applies!("$4", "$5"), " AS limited FROM (", agent_by!($by), ") a")
    };
}

async fn in_tx(tx: &mut Tx, turn: &NewTurn, counted: bool) -> Result<AcceptOutcome> {
    let Some(tries) = is_tryout(tx, turn).await? else { return Ok(AcceptOutcome::SessionNotFound) };
    let agent = query(match turn.agent {
        _ if tries => limited_agent!("tried"),
        AgentRef::Id(_) => limited_agent!("id"),
        AgentRef::Name(_) => limited_agent!("name"),
        AgentRef::Default => limited_agent!("default"),
    });
    let account = turn.sender.account;
    let named = if tries { &AgentRef::Default } else { &turn.agent };
    let agent = bind_agent(agent.bind(turn.sender.tenant_id).bind(turn.session_id), named)
        .bind(account.user_id.map(|id| id.0))
        .bind(account.api_key_id.map(|id| id.0));
    let Some(agent) = agent.optional(&mut *tx).await? else {
        return Ok(AcceptOutcome::AgentNotFound);
    };
    if agent.get::<bool>("limited")? && !counted {
        return Ok(AcceptOutcome::Limited);
    }
    let agent_id = agent.id("id", AgentId)?;
    if !begin_or_touch_session(tx, turn, agent_id).await? {
        return Ok(AcceptOutcome::SessionNotFound);
    }
    let removed = match &turn.replaces {
        None => None,
        Some(_) if replace::is_repeated(tx, turn).await? => return Ok(AcceptOutcome::ClientIdReused),
        Some(replaces) => match replace::remove(tx, turn, replaces).await? {
            Some(removed) => Some(removed),
            None => return Ok(AcceptOutcome::NothingToReplace),
        },
    };
    let interrupted = match turn.policy {
        Policy::Reject if busy::is_busy(tx, turn.session_id).await? => return Ok(AcceptOutcome::Busy),
        Policy::Enqueue | Policy::Reject => busy::Interrupted::default(),
        Policy::Interrupt => busy::interrupt(tx, turn.session_id, turn.now).await?,
    };
    let mut accepted = insert(tx, turn, agent_id).await?;
    accepted.cancelled = interrupted.cancelled;
    accepted.ended_subagents = interrupted.subagents;
    accepted.to_stop = interrupted.to_stop;
    accepted.removed = removed;
    if counted && let Some(exceeded) = quotas::count(tx, turn.sender.tenant_id, account, turn.now).await? {
        return Ok(AcceptOutcome::OverQuota(exceeded));
    }
    Ok(AcceptOutcome::Accepted(accepted))
}

/// Whether the session tries a definition, as long as it is locked. None: there is no such session, and no
/// message begins one: with a definition that is gone it would be answered by somebody else.
async fn is_tryout(tx: &mut Tx, turn: &NewTurn) -> Result<Option<bool>> {
    if !turn.session_id.may_be_tryout() {
        return Ok(Some(false));
    }
    if !lock_session(tx, turn.sender.tenant_id, turn.session_id).await? {
        return Ok(None);
    }
    let tried = query("SELECT 1 AS tried FROM netaclaw_tryout WHERE session_id = $1");
    Ok(Some(tried.bind(turn.session_id).optional(tx).await?.is_some()))
}

/// False: the session is somebody else's.
async fn begin_or_touch_session(tx: &mut Tx, turn: &NewTurn, agent_id: AgentId) -> Result<bool> {
    let touched = query(
        "INSERT INTO netaclaw_session (id, tenant_id, agent_id, kind, title, create_time, update_time, owner) \
         VALUES ($1, $2, $3, 'chat', $4, $5, $5, $6) \
         ON CONFLICT (id) DO UPDATE SET update_time = excluded.update_time \
         WHERE netaclaw_session.tenant_id = excluded.tenant_id \
         AND ($7 OR netaclaw_session.owner = excluded.owner)",
    )
    .bind(turn.session_id)
    .bind(turn.sender.tenant_id)
    .bind(agent_id)
    .bind(turn.title.as_str())
    .bind(turn.now)
    .bind(turn.sender.owner.map(Owner::to_text))
    .bind(turn.sender.to == Reach::All)
    .execute(tx)
    .await?;
    Ok(touched == 1)
}

async fn insert(tx: &mut Tx, turn: &NewTurn, agent_id: AgentId) -> Result<AcceptedTurn> {
    let user = insert_user_message(tx, turn).await?;
    let assistant = insert_placeholder(tx, turn).await?;
    let run = query(
        "INSERT INTO netaclaw_run (tenant_id, session_id, kind, root_run_id, agent_id, user_message_id, \
         assistant_message_id, status, attempts, step_count, lease_epoch, due_at, traceparent, has_successor, \
         create_time, user_id, api_key_id) \
         VALUES ($1, $2, 'chat', 0, $3, $4, $5, 'queued', 0, 0, 0, $6, $7, FALSE, $6, $8, $9) RETURNING id",
    )
    .bind(turn.sender.tenant_id)
    .bind(turn.session_id)
    .bind(agent_id)
    .bind(user)
    .bind(assistant)
    .bind(turn.now)
    .bind(turn.traceparent.as_deref())
    .bind(turn.sender.account.user_id.map(|id| id.0))
    .bind(turn.sender.account.api_key_id.map(|id| id.0))
    .one(&mut *tx)
    .await?;
    let run_id = run.id("id", RunId)?;
    query("UPDATE netaclaw_run SET root_run_id = id WHERE id = $1").bind(run_id).execute(&mut *tx).await?;
    query("UPDATE netaclaw_message SET run_id = $2 WHERE id = $1")
        .bind(assistant)
        .bind(run_id)
        .execute(&mut *tx)
        .await?;
    Ok(AcceptedTurn {
        session_id: turn.session_id,
        user_message_id: user,
        assistant_message_id: assistant,
        run_id,
        cancelled: Vec::new(),
        ended_subagents: Vec::new(),
        to_stop: Vec::new(),
        removed: None,
    })
}

async fn insert_user_message(tx: &mut Tx, turn: &NewTurn) -> Result<MessageId> {
    query(
        "INSERT INTO netaclaw_message (tenant_id, session_id, role, status, content, thinking, metadata, \
         tool_call_count, client_message_id, create_time, update_time) \
         VALUES ($1, $2, 'user', 'completed', $3, '', $4, 0, $5, $6, $6) RETURNING id",
    )
    .bind(turn.sender.tenant_id)
    .bind(turn.session_id)
    .bind(turn.content.as_str())
    .bind(metadata(turn)?)
    .bind(turn.client_message_id.as_deref())
    .bind(turn.now)
    .one(tx)
    .await?
    .id("id", MessageId)
}

async fn insert_placeholder(tx: &mut Tx, turn: &NewTurn) -> Result<MessageId> {
    query(
        "INSERT INTO netaclaw_message (tenant_id, session_id, role, status, content, thinking, metadata, \
         tool_call_count, client_message_id, create_time, update_time) \
         VALUES ($1, $2, 'assistant', 'pending', '', '', '{}', 0, NULL, $3, $3) RETURNING id",
    )
    .bind(turn.sender.tenant_id)
    .bind(turn.session_id)
    .bind(turn.now)
    .one(tx)
    .await?
    .id("id", MessageId)
}
