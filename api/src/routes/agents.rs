//! `/api/agents`: stored agent definitions.

use super::merge::{Patch, merged};
use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::Serialize;
use shared::domain::access::Principal;
use shared::domain::agents::Visibility;
use shared::domain::agents::{Agent, AgentSpec};
use shared::domain::audit::Entry;
use shared::domain::delegation::{self, EffectiveDelegation, GlobalDelegation};
use shared::domain::ids::{AgentId, UserId};
use shared::domain::permissions::Permission;
use shared::store::{StoreError, agents, audit};
use utoipa::ToSchema;

const MAX_NAME_CHARS: usize = 100;
const MAX_TOOL_ROUNDS: u32 = 1_000;
const MAX_WALL_SECONDS: u32 = 24 * 3_600;
const MAX_CONCURRENT: u32 = 64;
const MAX_BUDGET_TOKENS: u64 = 1_000_000_000_000;

/// An agent as stored.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentView {
    /// Primary key.
    pub id: AgentId,
    /// Who made it; null: the operator, or somebody who was removed.
    pub owner_user_id: Option<UserId>,
    /// Who sees it, besides those who see all.
    pub visibility: Visibility,
    /// What a person sets.
    #[serde(flatten)]
    pub spec: AgentSpec,
    /// The settings of delegation that hold, and where each comes from.
    pub effective_subagent_config: EffectiveDelegation,
    /// Counts changes; a PATCH that names it is refused if the agent changed meanwhile.
    pub version: i64,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl AgentView {
    fn of(agent: Agent, global: &GlobalDelegation) -> Self {
        let Agent { id, owner_user_id, visibility, spec, version, create_time, update_time, .. } = agent;
        let effective_subagent_config = delegation::resolve(&spec, global);
        Self {
            id,
            owner_user_id,
            visibility,
            spec,
            effective_subagent_config,
            version,
            create_time,
            update_time,
        }
    }
}

/// Lists the agents that one sees, oldest first.
#[utoipa::path(get, path = "/api/agents", tag = "agents", security(("token" = ["agent:view"])), params(PageQuery),
    responses((status = 200, body = Page<AgentView>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::AgentView>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<AgentView>>, ApiError> {
    let limit = page.limit()?;
    let rows = agents::list_seen(&state.app.db, &principal, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |a| a.id, |a| AgentView::of(a, &state.config.delegation))))
}

/// Makes an agent.
#[utoipa::path(post, path = "/api/agents", tag = "agents", security(("token" = ["agent:create"])), request_body = AgentSpec, responses(
    (status = 201, body = AgentView),
    (status = 400, description = "A value can't be used", body = Problem),
    (status = 409, description = "The name is taken", body = Problem)))]
pub async fn create(
    State(state): State<ApiState>,
    principal: May<policy::AgentCreate>,
    Acting(by): Acting,
    Json(spec): Json<AgentSpec>,
) -> Result<(StatusCode, axum::Json<AgentView>), ApiError> {
    check(&spec)?;
    check_tools(&spec, &state)?;
    check_presets(&spec, &state, &principal).await?;
    let (tenant_id, owner, now) = (principal.tenant_id, principal.user_id(), state.app.clock.now());
    let mut tx = state.app.db.begin().await?;
    let agent = agents::insert(&mut tx, tenant_id, owner, &spec, now).await.map_err(refused)?;
    let view = AgentView::of(agent, &state.config.delegation);
    let line = Entry::new(tenant_id, by, "agent.create", &view.id).after(&view);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, axum::Json(view)))
}

/// Shows an agent.
#[utoipa::path(get, path = "/api/agents/{id}", tag = "agents", security(("token" = ["agent:view"])), params(("id" = AgentId, Path)), responses(
    (status = 200, body = AgentView), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object: agent, .. }: Of<Agent, policy::AgentView>,
) -> Result<axum::Json<AgentView>, ApiError> {
    Ok(axum::Json(AgentView::of(agent, &state.config.delegation)))
}

/// Changes what is given and keeps the rest; null takes a value away. Runs under way keep the agent
/// that they began with.
#[utoipa::path(patch, path = "/api/agents/{id}", tag = "agents", security(("token" = ["agent:edit"])), params(("id" = AgentId, Path)),
    request_body(content = Object, description = "Any of an agent's values; `version` guards against changes in between"),
    responses(
        (status = 200, body = AgentView),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 404, body = Problem),
        (status = 409, description = "The name is taken, or the agent changed meanwhile", body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    Of { object: stored, principal, .. }: Of<Agent, policy::AgentEdit>,
    Acting(by): Acting,
    Json(patch): Json<Patch>,
) -> Result<axum::Json<AgentView>, ApiError> {
    let (db, id, gone) = (&state.app.db, stored.id, ApiError::NotFound("agent"));
    match patch.get("version").map(serde_json::Value::as_i64) {
        None => {}
        Some(Some(version)) if version == stored.version => {}
        Some(Some(_)) => return Err(ApiError::Conflict("the agent changed meanwhile".to_owned())),
        Some(None) => return Err(ApiError::invalid("version", "must be a whole number")),
    }
    let spec: AgentSpec = merged(&stored.spec, &patch)?;
    check(&spec)?;
    if patch.contains_key("tools") {
        check_tools(&spec, &state)?;
    }
    if spec.subagent_config != stored.spec.subagent_config {
        check_presets(&spec, &state, &principal).await?;
    }
    let now = state.app.clock.now();
    let mut tx = db.begin().await?;
    let updated = agents::update(&mut tx, principal.tenant_id, id, stored.version, &spec, now).await;
    let agent = updated.map_err(refused)?.ok_or(gone)?;
    let before = AgentView::of(stored, &state.config.delegation);
    let after = AgentView::of(agent, &state.config.delegation);
    let line = Entry::new(principal.tenant_id, by, "agent.update", &id).before(&before).after(&after);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(axum::Json(after))
}

/// Removes an agent. Its sessions stay; runs under way go on.
#[utoipa::path(delete, path = "/api/agents/{id}", tag = "agents", security(("token" = ["agent:delete"])), params(("id" = AgentId, Path)), responses(
    (status = 204, description = "Removed"), (status = 404, body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Agent, policy::AgentDelete>,
    Acting(by): Acting,
) -> Result<StatusCode, ApiError> {
    let mut tx = state.app.db.begin().await?;
    if !agents::delete(&mut tx, principal.tenant_id, object.id).await? {
        return Err(ApiError::NotFound("agent"));
    }
    let line = Entry::new(principal.tenant_id, by, "agent.delete", &object.id);
    let line = line.before(&AgentView::of(object, &state.config.delegation));
    audit::record(&mut tx, &line, state.app.clock.now()).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An agent can only be told to call agents that whoever tells it sees.
pub(super) async fn check_presets(
    spec: &AgentSpec,
    state: &ApiState,
    principal: &Principal,
) -> Result<(), ApiError> {
    let ids = spec.subagent_config.allowed_preset_agent_ids.as_deref().unwrap_or_default();
    if principal.agents.is_none() && principal.may(Permission::AgentViewAll) {
        return Ok(());
    }
    for (n, id) in ids.iter().enumerate() {
        if agents::find_seen(&state.app.db, principal, *id).await?.is_none() {
            let field = format!("subagentConfig.allowedPresetAgentIds[{n}]");
            return Err(ApiError::invalid(field, "there is no such agent"));
        }
    }
    Ok(())
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => {
            ApiError::Conflict("an agent of this name exists, or the agent changed meanwhile".to_owned())
        }
        StoreError::Reference => ApiError::invalid("modelId", "there is no such model"),
        other => other.into(),
    }
}

fn check(spec: &AgentSpec) -> Result<(), ApiError> {
    super::check_name("name", &spec.name, MAX_NAME_CHARS)?;
    check_limits(spec)
}

pub(super) fn check_limits(spec: &AgentSpec) -> Result<(), ApiError> {
    let within = |field, value: Option<u32>, max| match value {
        Some(n) if n == 0 || n > max => Err(ApiError::invalid(field, format!("must be 1 to {max}"))),
        _ => Ok(()),
    };
    within("maxToolRounds", spec.max_tool_rounds, MAX_TOOL_ROUNDS)?;
    within("maxWallSeconds", spec.max_wall_seconds, MAX_WALL_SECONDS)?;
    within("subagentConfig.maxConcurrent", spec.subagent_config.max_concurrent, MAX_CONCURRENT)?;
    let tokens = spec.budget_tokens.is_none_or(|n| (1..=MAX_BUDGET_TOKENS).contains(&n));
    if !tokens {
        return Err(ApiError::invalid("budgetTokens", format!("must be 1 to {MAX_BUDGET_TOKENS}")));
    }
    if spec.budget_cost.is_some_and(|cost| !(cost.is_finite() && cost > 0.0)) {
        return Err(ApiError::invalid("budgetCost", "must be a number above 0"));
    }
    match spec.temperature {
        Some(t) if !(0.0..=2.0).contains(&t) => Err(ApiError::invalid("temperature", "must be 0 to 2")),
        _ => Ok(()),
    }
}

pub(super) fn check_tools(spec: &AgentSpec, state: &ApiState) -> Result<(), ApiError> {
    let names = spec.tools.as_deref().unwrap_or_default();
    let unknown = names.iter().position(|name| !state.tools.iter().any(|t| t.name == *name));
    match unknown {
        Some(n) => Err(ApiError::invalid(format!("tools[{n}]"), "there is no such tool: see GET /api/tools")),
        None => Ok(()),
    }
}
