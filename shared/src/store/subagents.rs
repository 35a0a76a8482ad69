//! Subagents: read here. Written with the runs that they belong to, see `runs`.

use super::db::{Arg, Db, On, Row, Sql, query};
use super::error::Result;
use crate::domain::ids::{AgentId, MessageId, RunId, SessionId, SubagentId, TenantId};
use crate::domain::runs::Reason;
use crate::domain::subagents::{SourceType, Subagent, SubagentStatus};

macro_rules! subagent_columns {
    () => {
        "id, tenant_id, session_id, parent_message_id, parent_run_id, parent_tool_call_id, parent_agent_id, \
         run_id, source_type, preset_agent_id, name, goal, context, status, exit_reason, model, tool_names, \
         summary, result_payload, error, token_usage, sort_order, started_at, ended_at, create_time, update_time"
    };
}
pub(super) use subagent_columns;

pub(super) fn subagent(row: &Row) -> Result<Subagent> {
    Ok(Subagent {
        id: row.id("id", SubagentId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        session_id: super::runs::session_id(row)?,
        parent_message_id: row.id("parent_message_id", MessageId)?,
        parent_run_id: row.id("parent_run_id", RunId)?,
        parent_tool_call_id: row.get("parent_tool_call_id")?,
        parent_agent_id: row.id("parent_agent_id", AgentId)?,
        run_id: row.id("run_id", RunId)?,
        source_type: row.parse("source_type", SourceType::parse)?,
        preset_agent_id: row.get::<Option<i64>>("preset_agent_id")?.map(AgentId),
        name: row.get("name")?,
        goal: row.get("goal")?,
        context: row.get("context")?,
        status: row.parse("status", SubagentStatus::parse)?,
        exit_reason: row.parse_or_null("exit_reason", Reason::parse)?,
        model: row.get("model")?,
        tool_names: row.json("tool_names")?,
        summary: row.get("summary")?,
        result_payload: row.json_or_null("result_payload")?,
        error: row.get("error")?,
        token_usage: row.json_or_null("token_usage")?,
        sort_order: row.count_or_null("sort_order")?.unwrap_or_default(),
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

/// One subagent of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: SubagentId) -> Result<Option<Subagent>> {
    query(concat!(
        "SELECT ",
        subagent_columns!(),
        " FROM netaclaw_subagent_session WHERE id = $1 AND tenant_id = $2"
    ))
    .bind(id.0)
    .bind(tenant_id)
    .optional(db)
    .await?
    .as_ref()
    .map(subagent)
    .transpose()
}

/// All subagents that a run has delegated, in the order in which it did.
pub async fn of_run(on: impl Into<On<'_>>, parent_run_id: RunId) -> Result<Vec<Subagent>> {
    query(concat!(
        "SELECT ",
        subagent_columns!(),
        " FROM netaclaw_subagent_session WHERE parent_run_id = $1 ORDER BY id"
    ))
    .bind(parent_run_id)
    .all(on)
    .await?
    .iter()
    .map(subagent)
    .collect()
}

/// The subagents of some messages of one session, in the order in which they were delegated.
pub async fn of_messages(
    db: &Db,
    tenant_id: TenantId,
    session_id: SessionId,
    messages: &[MessageId],
) -> Result<Vec<Subagent>> {
    const FIND: Sql = Sql {
        sqlite: concat!(
            "SELECT ",
            subagent_columns!(),
            " FROM netaclaw_subagent_session WHERE session_id = $1 AND tenant_id = $2 \
             AND parent_message_id IN (SELECT value FROM json_each($3)) ORDER BY id"
        ),
        postgres: concat!(
            "SELECT ",
            subagent_columns!(),
            " FROM netaclaw_subagent_session WHERE session_id = $1 AND tenant_id = $2 \
             AND parent_message_id = ANY($3) ORDER BY id"
        ),
    };
    if messages.is_empty() {
        return Ok(Vec::new());
    }
    let ids = Arg::Ids(messages.iter().map(|id| id.0).collect());
    query(FIND).bind(session_id).bind(tenant_id).bind(ids).all(db).await?.iter().map(subagent).collect()
}

/// Which subagents; None: all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Whose they are.
    pub session_id: Option<SessionId>,
    /// Where they stand.
    pub status: Option<SubagentStatus>,
}

macro_rules! list_sql {
    ($session:literal) => {
        concat!(
            "SELECT ",
            subagent_columns!(),
            " FROM netaclaw_subagent_session WHERE tenant_id = $1 AND id < $2 AND ($3 IS NULL OR status = $3) AND ",
            $session,
            " ORDER BY id DESC LIMIT $5"
        )
    };
}

/// Newest first, at most `limit`; `before` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    before: Option<SubagentId>,
    limit: u32,
) -> Result<Vec<Subagent>> {
    // A text of its own for one session: only so does a prepared statement use the session's index.
    let statement = match filter.session_id {
        Some(_) => query(list_sql!("session_id = $4")),
        None => query(list_sql!("$4 IS NULL")),
    };
    statement
        .bind(tenant_id)
        .bind(before.map_or(i64::MAX, |id| id.0))
        .bind(filter.status.map(SubagentStatus::as_str))
        .bind(filter.session_id.map(|id| id.to_string()))
        .bind(i64::from(limit))
        .all(db)
        .await?
        .iter()
        .map(subagent)
        .collect()
}
