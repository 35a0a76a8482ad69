//! Subagents: read here. Written with the runs that they belong to, see `runs`.

use super::db::{Arg, Db, On, Row, Sql, query};
use super::error::Result;
use crate::domain::access::Owner;
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

/// The columns of a row named `subagent` beside those of a run.
macro_rules! prefixed_subagent_columns {
    () => {
        "subagent.id AS s_id, subagent.tenant_id AS s_tenant_id, subagent.session_id AS s_session_id, \
         subagent.parent_message_id AS s_parent_message_id, subagent.parent_run_id AS s_parent_run_id, \
         subagent.parent_tool_call_id AS s_parent_tool_call_id, \
         subagent.parent_agent_id AS s_parent_agent_id, subagent.run_id AS s_run_id, \
         subagent.source_type AS s_source_type, subagent.preset_agent_id AS s_preset_agent_id, \
         subagent.name AS s_name, subagent.goal AS s_goal, subagent.context AS s_context, \
         subagent.status AS s_status, subagent.exit_reason AS s_exit_reason, subagent.model AS s_model, \
         subagent.tool_names AS s_tool_names, subagent.summary AS s_summary, \
         subagent.result_payload AS s_result_payload, subagent.error AS s_error, \
         subagent.token_usage AS s_token_usage, subagent.sort_order AS s_sort_order, \
         subagent.started_at AS s_started_at, subagent.ended_at AS s_ended_at, \
         subagent.create_time AS s_create_time, subagent.update_time AS s_update_time"
    };
}
pub(super) use prefixed_subagent_columns;

pub(super) fn subagent(row: &Row) -> Result<Subagent> {
    subagent_at(row, "")
}

/// Reads columns whose names begin with `prefix`, as [`prefixed_subagent_columns`] names them.
pub(super) fn subagent_at(row: &Row, prefix: &str) -> Result<Subagent> {
    let at = |name: &str| format!("{prefix}{name}");
    Ok(Subagent {
        id: row.id(&at("id"), SubagentId)?,
        tenant_id: row.id(&at("tenant_id"), TenantId)?,
        session_id: row.parse(&at("session_id"), |s| s.parse().ok())?,
        parent_message_id: row.id(&at("parent_message_id"), MessageId)?,
        parent_run_id: row.id(&at("parent_run_id"), RunId)?,
        parent_tool_call_id: row.get(&at("parent_tool_call_id"))?,
        parent_agent_id: row.id(&at("parent_agent_id"), AgentId)?,
        run_id: row.id(&at("run_id"), RunId)?,
        source_type: row.parse(&at("source_type"), SourceType::parse)?,
        preset_agent_id: row.get::<Option<i64>>(&at("preset_agent_id"))?.map(AgentId),
        name: row.get(&at("name"))?,
        goal: row.get(&at("goal"))?,
        context: row.get(&at("context"))?,
        status: row.parse(&at("status"), SubagentStatus::parse)?,
        exit_reason: row.parse_or_null(&at("exit_reason"), Reason::parse)?,
        model: row.get(&at("model"))?,
        tool_names: row.json(&at("tool_names"))?,
        summary: row.get(&at("summary"))?,
        result_payload: row.json_or_null(&at("result_payload"))?,
        error: row.get(&at("error"))?,
        token_usage: row.json_or_null(&at("token_usage"))?,
        sort_order: row.count_or_null(&at("sort_order"))?.unwrap_or_default(),
        started_at: row.get(&at("started_at"))?,
        ended_at: row.get(&at("ended_at"))?,
        create_time: row.get(&at("create_time"))?,
        update_time: row.get(&at("update_time"))?,
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
    /// Whose sessions they belong to.
    pub owner: Option<Owner>,
}

macro_rules! list_sql {
    ($session:literal) => {
        concat!(
            "SELECT ",
            subagent_columns!(),
            " FROM netaclaw_subagent_session WHERE tenant_id = $1 AND id < $2 AND ($3 IS NULL OR status = $3) AND ",
            $session,
            " AND ($6 IS NULL OR session_id IN \
             (SELECT id FROM netaclaw_session WHERE tenant_id = $1 AND owner = $6)) ORDER BY id DESC LIMIT $5"
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
        .bind(filter.owner.map(Owner::to_text))
        .all(db)
        .await?
        .iter()
        .map(subagent)
        .collect()
}
