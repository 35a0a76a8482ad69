//! `/api/agents/tryouts`: sessions that run with a definition that is not saved.

use super::agent_check::{Looked, check};
use crate::auth::{May, Of, policy, resource};
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::app::tryouts as app;
use shared::domain::access::Principal;
use shared::domain::agents::{Agent, AgentSpec};
use shared::domain::ids::{AgentId, SessionId};
use shared::domain::permissions::Permission;
use shared::domain::sessions::Session;
use shared::store::tryouts::{self, Tryout};
use utoipa::ToSchema;

/// A definition to try.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TryoutRequest {
    /// The stored agent that it is to become; none: a new one.
    #[serde(default)]
    pub agent_id: Option<AgentId>,
    /// All of it.
    pub spec: AgentSpec,
}

/// Another definition in place of the one before.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TryoutChange {
    /// All of it.
    pub spec: AgentSpec,
}

/// Where a definition is tried.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TryoutView {
    /// Messages that are sent here are answered by the definition, whatever agent they name.
    pub session_id: SessionId,
}

/// Begins a session whose turns run with a definition that is not saved. It isn't listed, and ends with
/// `DELETE /api/sessions/{id}`, or a day after its last use. What it uses is counted as always.
///
/// Needs `agent:edit` for a stored agent and `agent:create` for a new one, too.
#[utoipa::path(post, path = "/api/agents/tryouts", tag = "agents", security(("token" = ["session:chat"])), request_body = TryoutRequest,
    responses(
        (status = 201, body = TryoutView),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 404, description = "There is no such agent", body = Problem)))]
pub async fn begin(
    State(state): State<ApiState>,
    principal: May<policy::SessionChat>,
    Json(request): Json<TryoutRequest>,
) -> Result<(StatusCode, axum::Json<TryoutView>), ApiError> {
    let TryoutRequest { agent_id, spec } = request;
    admit(&state, &principal, agent_id, &spec).await?;
    let session_id = app::begin(&state.app, &principal.sender(), &Tryout { agent_id, spec }).await?;
    Ok((StatusCode::CREATED, axum::Json(TryoutView { session_id })))
}

/// Puts another definition in the place of the one that a session tries: turns that begin from now on run
/// with it, and those under way keep theirs.
#[utoipa::path(put, path = "/api/agents/tryouts/{sessionId}", tag = "agents", security(("token" = ["session:chat"])),
    params(("sessionId" = SessionId, Path)), request_body = TryoutChange,
    responses(
        (status = 204, description = "Replaced"),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 404, body = Problem)))]
pub async fn replace(
    State(state): State<ApiState>,
    Of { object: session, principal, .. }: Of<Session, policy::SessionChat>,
    Json(TryoutChange { spec }): Json<TryoutChange>,
) -> Result<StatusCode, ApiError> {
    let (db, tenant_id) = (&state.app.db, principal.tenant_id);
    let gone = || ApiError::NotFound("session");
    let tryout = tryouts::find(db, tenant_id, session.id).await?.ok_or_else(gone)?;
    admit(&state, &principal, tryout.agent_id, &spec).await?;
    if tryouts::replace(db, tenant_id, session.id, &spec, state.app.clock.now()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(gone())
    }
}

/// As at saving it.
async fn admit(
    state: &ApiState,
    principal: &Principal,
    agent_id: Option<AgentId>,
    spec: &AgentSpec,
) -> Result<(), ApiError> {
    let looked = match agent_id {
        Some(id) => {
            let stored: Agent = resource::load(state, principal, id, Permission::AgentEdit).await?;
            Looked {
                tools: spec.tools != stored.spec.tools,
                presets: spec.subagent_config != stored.spec.subagent_config,
            }
        }
        None if principal.may(Permission::AgentCreate) => Looked::ALL,
        None => return Err(ApiError::Forbidden(Permission::AgentCreate)),
    };
    check(spec, state, principal, looked).await
}
