//! Reading runs.

use super::{journal, live, run, run_columns};
use crate::domain::access::Owner;
use crate::domain::ids::{AgentId, RunId, SessionId, TenantId};
use crate::domain::journal::Journal;
use crate::domain::runs::{Reason, Run, RunKind, RunStatus, RunSummary};
use crate::store::db::{Arg, Db, Row, Sql, query};
use crate::store::error::Result;
use std::collections::HashMap;

/// Which runs; None: all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// Where they stand.
    pub status: Option<RunStatus>,
    /// Why they wait or how they ended.
    pub reason: Option<Reason>,
    /// Whose they are.
    pub session_id: Option<SessionId>,
    /// What they execute.
    pub kind: Option<RunKind>,
    /// The run that delegated them.
    pub parent_run_id: Option<RunId>,
    /// Whose sessions they belong to.
    pub owner: Option<Owner>,
}

/// One run of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: RunId) -> Result<Option<Run>> {
    query(concat!("SELECT ", run_columns!(), " FROM netaclaw_run WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(run)
        .transpose()
}

macro_rules! list_sql {
    ($session:literal, $parent:literal) => {
        concat!(
            "SELECT ",
            run_columns!(),
            " FROM netaclaw_run WHERE tenant_id = $1 AND id < $2 AND ($3 IS NULL OR status = $3) \
             AND ($4 IS NULL OR reason = $4) AND ",
            $session,
            " AND ($6 IS NULL OR kind = $6) AND ",
            $parent,
            " AND ($9 IS NULL OR session_id IN \
             (SELECT id FROM netaclaw_session WHERE tenant_id = $1 AND owner = $9)) ORDER BY id DESC LIMIT $8"
        )
    };
}

/// Newest first, at most `limit`; `before` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    before: Option<RunId>,
    limit: u32,
) -> Result<Vec<Run>> {
    // Texts of their own for one session and one parent: only so does a prepared statement use their
    // indexes.
    let statement = match (filter.session_id, filter.parent_run_id) {
        (None, None) => query(list_sql!("$5 IS NULL", "$7 IS NULL")),
        (Some(_), None) => query(list_sql!(
            "id IN (SELECT run_id FROM netaclaw_message WHERE session_id = $5 \
             UNION ALL SELECT id FROM netaclaw_subagent_session WHERE session_id = $5)",
            "$7 IS NULL"
        )),
        (_, Some(_)) => query(list_sql!(
            "($5 IS NULL OR session_id = $5)",
            "id IN (SELECT run_id FROM netaclaw_subagent_session WHERE parent_run_id = $7)"
        )),
    };
    let rows = statement
        .bind(tenant_id)
        .bind(before.map_or(i64::MAX, |id| id.0))
        .bind(filter.status.map(RunStatus::as_str))
        .bind(filter.reason.map(Reason::as_str))
        .bind(filter.session_id.map(|id| id.to_string()))
        .bind(filter.kind.map(RunKind::as_str))
        .bind(filter.parent_run_id.map(|id| id.0))
        .bind(i64::from(limit))
        .bind(filter.owner.map(Owner::to_text))
        .all(db)
        .await?;
    rows.iter().map(run).collect()
}

macro_rules! summaries_sql {
    ($ids:literal) => {
        concat!(
            "SELECT r.id, r.agent_id, r.status, r.started_at, r.ended_at, \
             COALESCE(r.snapshot -> 'agent' ->> 'name', a.name) AS agent_name, \
             COALESCE(r.snapshot -> 'model' ->> 'modelName', CASE WHEN r.ended_at IS NULL THEN m.model_name END) \
             AS model_name FROM netaclaw_run r LEFT JOIN netaclaw_agent a ON a.id = r.agent_id \
             LEFT JOIN netaclaw_model m ON m.id = a.model_id WHERE r.tenant_id = $1 AND r.id ",
            $ids
        )
    };
}

/// What a list of messages tells of their runs; those that are gone are missing.
pub async fn summaries(db: &Db, tenant_id: TenantId, runs: &[RunId]) -> Result<HashMap<RunId, RunSummary>> {
    const SUMMARIES: Sql = Sql {
        sqlite: summaries_sql!("IN (SELECT value FROM json_each($2))"),
        postgres: summaries_sql!("= ANY($2)"),
    };
    if runs.is_empty() {
        return Ok(HashMap::new());
    }
    let ids = Arg::Ids(runs.iter().map(|id| id.0).collect());
    query(SUMMARIES).bind(tenant_id).bind(ids).all(db).await?.iter().map(summary).collect()
}

fn summary(row: &Row) -> Result<(RunId, RunSummary)> {
    let summary = RunSummary {
        agent_id: row.id("agent_id", AgentId)?,
        agent_name: row.get("agent_name")?,
        model_name: row.get("model_name")?,
        status: row.parse("status", RunStatus::parse)?,
        started_at: row.get("started_at")?,
        ended_at: row.get("ended_at")?,
    };
    Ok((row.id("id", RunId)?, summary))
}

/// The journal of one run of the tenant.
pub async fn steps(db: &Db, tenant_id: TenantId, id: RunId) -> Result<Option<Journal>> {
    match find(db, tenant_id, id).await? {
        Some(_) => journal(db, id).await.map(Some),
        None => Ok(None),
    }
}

/// Those of these runs that have ended or were deleted.
pub async fn over(db: &Db, runs: &[RunId]) -> Result<Vec<RunId>> {
    const LIVE: Sql = Sql {
        sqlite: "SELECT id FROM netaclaw_run WHERE id IN (SELECT value FROM json_each($1)) AND ended_at IS NULL",
        postgres: "SELECT id FROM netaclaw_run WHERE id = ANY($1) AND ended_at IS NULL",
    };
    let ids = Arg::Ids(runs.iter().map(|id| id.0).collect());
    let rows = query(LIVE).bind(ids).all(db).await?;
    let live = rows.iter().map(|row| row.id("id", RunId)).collect::<Result<Vec<_>>>()?;
    Ok(runs.iter().copied().filter(|id| !live.contains(id)).collect())
}

/// How many live runs of the tenant stand where; a status without runs is missing. Ended ones are not
/// counted: there is no end to them.
pub async fn count_live(db: &Db, tenant_id: TenantId) -> Result<Vec<(RunStatus, u64)>> {
    let counts = query(concat!(
        "SELECT status, COUNT(*) AS n FROM netaclaw_run WHERE tenant_id = $1 AND ",
        live!(""),
        " GROUP BY status ORDER BY status"
    ));
    let rows = counts.bind(tenant_id).all(db).await?;
    rows.iter().map(|row| Ok((row.parse("status", RunStatus::parse)?, row.get::<i64>("n")? as u64))).collect()
}
