//! Stored agent definitions.

use super::db::{Arg, Db, Query, Row, query};
use super::error::{Result, StoreError};
use crate::domain::agents::{Agent, AgentSpec, Visibility};
use crate::domain::ids::{AgentId, ModelId, TenantId, UserId};
use chrono::{DateTime, Utc};

macro_rules! columns {
    () => {
        "id, tenant_id, name, description, system_prompt, model_id, tools, subagent_config, max_tool_rounds, \
         max_wall_seconds, budget_tokens, budget_cost, temperature, is_crew_master, owner_user_id, visibility, version, create_time, \
         update_time"
    };
}

fn agent(row: &Row) -> Result<Agent> {
    Ok(Agent {
        id: row.id("id", AgentId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        owner_user_id: row.get::<Option<i64>>("owner_user_id")?.map(UserId),
        visibility: row.parse("visibility", Visibility::parse)?,
        spec: AgentSpec {
            name: row.get("name")?,
            description: row.get("description")?,
            system_prompt: row.get("system_prompt")?,
            model_id: row.id("model_id", ModelId)?,
            tools: row.json_or_null("tools")?,
            subagent_config: row.json("subagent_config")?,
            max_tool_rounds: row.count_or_null("max_tool_rounds")?,
            max_wall_seconds: row.count_or_null("max_wall_seconds")?,
            budget_tokens: row.get::<Option<i64>>("budget_tokens")?.map(i64::unsigned_abs),
            budget_cost: row.get("budget_cost")?,
            // Stored wider than it is: exact in both directions.
            temperature: row.get::<Option<f64>>("temperature")?.map(|t| t as f32),
            is_crew_master: row.get("is_crew_master")?,
        },
        version: row.get("version")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

fn bind(query: Query, spec: &AgentSpec) -> Result<Query> {
    Ok(query
        .bind(spec.name.as_str())
        .bind(spec.description.as_str())
        .bind(spec.system_prompt.as_str())
        .bind(spec.model_id)
        .bind(Arg::json_or_null(spec.tools.as_ref())?)
        .bind(Arg::json(&spec.subagent_config)?)
        .bind(spec.max_tool_rounds)
        .bind(spec.max_wall_seconds)
        .bind(spec.budget_tokens.map(|n| i64::try_from(n).unwrap_or(i64::MAX)))
        .bind(spec.budget_cost)
        .bind(spec.temperature.map(f64::from))
        .bind(spec.is_crew_master))
}

/// Stores a new agent. [`StoreError::Conflict`] if the tenant has one of that name,
/// [`StoreError::Reference`] if it has no such model.
pub async fn insert(db: &Db, tenant_id: TenantId, spec: &AgentSpec, now: DateTime<Utc>) -> Result<Agent> {
    let statement = query(concat!(
        "INSERT INTO netaclaw_agent (tenant_id, version, create_time, update_time, name, description, system_prompt, \
         model_id, tools, subagent_config, max_tool_rounds, max_wall_seconds, budget_tokens, budget_cost, \
         temperature, is_crew_master) \
         SELECT $1, 1, $2, $2, $3, $4, $5, m.id, $7, $8, $9, $10, $11, $12, $13, $14 FROM netaclaw_model m \
         WHERE m.id = $6 AND m.tenant_id = $1 RETURNING ",
        columns!()
    ));
    match bind(statement.bind(tenant_id).bind(now), spec)?.optional(db).await? {
        Some(row) => agent(&row),
        None => Err(StoreError::Reference),
    }
}

/// One agent of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: AgentId) -> Result<Option<Agent>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_agent WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(agent)
        .transpose()
}

/// The tenant's agent of exactly this name.
pub async fn find_by_name(db: &Db, tenant_id: TenantId, name: &str) -> Result<Option<Agent>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_agent WHERE tenant_id = $1 AND name = $2"))
        .bind(tenant_id)
        .bind(name)
        .optional(db)
        .await?
        .as_ref()
        .map(agent)
        .transpose()
}

/// Agents by id, at most `limit`; `after` is the last one of the page before.
pub async fn list(db: &Db, tenant_id: TenantId, after: Option<AgentId>, limit: u32) -> Result<Vec<Agent>> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_agent WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    ))
    .bind(tenant_id)
    .bind(after.map_or(0, |id| id.0))
    .bind(i64::from(limit))
    .all(db)
    .await?
    .iter()
    .map(agent)
    .collect()
}

/// Replaces what a person sets, if the agent is still at `version`; None: the tenant has no such
/// agent. [`StoreError::Conflict`] if it changed meanwhile or the name is taken,
/// [`StoreError::Reference`] if the tenant has no such model.
pub async fn update(
    db: &Db,
    tenant_id: TenantId,
    id: AgentId,
    version: i64,
    spec: &AgentSpec,
    now: DateTime<Utc>,
) -> Result<Option<Agent>> {
    let statement = query(concat!(
        "UPDATE netaclaw_agent SET version = version + 1, update_time = $4, name = $5, description = $6, \
         system_prompt = $7, model_id = $8, tools = $9, subagent_config = $10, max_tool_rounds = $11, \
         max_wall_seconds = $12, budget_tokens = $13, budget_cost = $14, temperature = $15, is_crew_master = $16 \
         WHERE id = $1 AND tenant_id = $2 AND version = $3 \
         AND EXISTS (SELECT 1 FROM netaclaw_model m WHERE m.id = $8 AND m.tenant_id = $2) RETURNING ",
        columns!()
    ));
    let statement = statement.bind(id).bind(tenant_id).bind(version).bind(now);
    if let Some(row) = bind(statement, spec)?.optional(db).await? {
        return agent(&row).map(Some);
    }
    match find(db, tenant_id, id).await? {
        None => Ok(None),
        Some(stored) if stored.version != version => Err(StoreError::Conflict),
        Some(_) => Err(StoreError::Reference),
    }
}

/// Removes an agent; false: the tenant has no such agent. Its sessions stay.
pub async fn delete(db: &Db, tenant_id: TenantId, id: AgentId) -> Result<bool> {
    let deleted =
        query("DELETE FROM netaclaw_agent WHERE id = $1 AND tenant_id = $2").bind(id).bind(tenant_id);
    Ok(deleted.execute(db).await? > 0)
}
