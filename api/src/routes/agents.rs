//! `/api/agents`: stored agent definitions.

use super::agent_check::{Looked, check};
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
use serde::{Deserialize, Serialize};
use shared::domain::access::Principal;
use shared::domain::agents::Visibility;
use shared::domain::agents::{Agent, AgentSpec};
use shared::domain::audit::Entry;
use shared::domain::delegation::{self, EffectiveDelegation, GlobalDelegation};
use shared::domain::ids::{AgentId, UserId};
use shared::store::{StoreError, agents, audit};
use utoipa::ToSchema;

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
    /// The name of its model, as people know it.
    pub model_name: String,
    /// When a run of it last began, to the minute; missing: never yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run_time: Option<DateTime<Utc>>,
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
        Self {
            id: agent.id,
            owner_user_id: agent.owner_user_id,
            visibility: agent.visibility,
            effective_subagent_config: delegation::resolve(&agent.spec, global),
            spec: agent.spec,
            model_name: agent.model_name,
            last_run_time: agent.last_run_time,
            version: agent.version,
            create_time: agent.create_time,
            update_time: agent.update_time,
        }
    }
}

/// Which agents.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AgentQuery {
    /// A part of the name or the description, in any case of Latin letters.
    #[serde(default)]
    pub q: String,
    /// Those that are published, or those that are not.
    pub published: Option<bool>,
}

/// Lists the agents that one sees, oldest first.
#[utoipa::path(get, path = "/api/agents", tag = "agents", security(("token" = ["agent:view"])), params(AgentQuery, PageQuery),
    responses((status = 200, body = Page<AgentView>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::AgentView>,
    Query(asked): Query<AgentQuery>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<AgentView>>, ApiError> {
    let limit = page.limit()?;
    let filter = agents::Filter { published: asked.published, text: asked.q };
    let rows = agents::list_seen(&state.app.db, &principal, &filter, page.after()?, limit + 1).await?;
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
    check(&spec, &state, &principal, Looked::ALL).await?;
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
        (status = 409, description = "The name is taken (`conflict`), or the agent changed meanwhile (`version_conflict`, with `current`)", body = Problem)))]
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
        Some(Some(_)) => return Err(version_conflict(stored, &state)?),
        Some(None) => return Err(ApiError::invalid("version", "must be a whole number")),
    }
    let spec: AgentSpec = merged(&stored.spec, &patch)?;
    let looked = Looked {
        tools: patch.contains_key("tools"),
        presets: spec.subagent_config != stored.spec.subagent_config,
    };
    check(&spec, &state, &principal, looked).await?;
    let now = state.app.clock.now();
    let mut tx = db.begin().await?;
    let agent = match agents::update(&mut tx, principal.tenant_id, id, stored.version, &spec, now).await {
        Ok(updated) => updated.ok_or(gone)?,
        Err(error) => {
            tx.rollback().await?;
            let outdated = outdated(&state, &principal, id, stored.version).await?;
            return Err(outdated.unwrap_or_else(|| refused(error)));
        }
    };
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

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => ApiError::Conflict("an agent of this name exists".to_owned()),
        StoreError::Reference => ApiError::invalid("modelId", "there is no such model"),
        other => other.into(),
    }
}

/// The refusal of a change to an agent that changed meanwhile; None: it did not.
async fn outdated(
    state: &ApiState,
    principal: &Principal,
    id: AgentId,
    version: i64,
) -> Result<Option<ApiError>, ApiError> {
    let current = agents::find_seen(&state.app.db, principal, id).await?;
    let Some(current) = current.filter(|agent| agent.version != version) else { return Ok(None) };
    version_conflict(current, state).map(Some)
}

fn version_conflict(current: Agent, state: &ApiState) -> Result<ApiError, ApiError> {
    let view = serde_json::to_value(AgentView::of(current, &state.config.delegation));
    Ok(ApiError::VersionConflict(Box::new(view.map_err(|e| ApiError::Internal(e.to_string()))?)))
}
