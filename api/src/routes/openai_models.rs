//! `/v1/models`: the agents, as OpenAI's dialect lists models.

use crate::auth::{May, policy};
use crate::error::ApiError;
use crate::openai::error::{ErrorBody, Refusal};
use crate::state::ApiState;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde::Serialize;
use shared::domain::agents::Agent;
use shared::domain::ids::AgentId;
use shared::store::agents;
use utoipa::ToSchema;

/// Agents that are read at a time.
const PAGE: u32 = 500;
/// Agents that are listed: the dialect has no pages.
const MOST: usize = 5_000;

/// An agent as a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListedModel {
    /// The agent's name: what a request names as its `model`.
    pub id: String,
    /// `model`.
    pub object: &'static str,
    /// When the agent was made, in seconds since 1970.
    pub created: i64,
    /// `neta`.
    pub owned_by: &'static str,
}

/// The agents as models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListedModels {
    /// `list`.
    pub object: &'static str,
    /// By id of the agents.
    pub data: Vec<ListedModel>,
}

impl From<Agent> for ListedModel {
    fn from(agent: Agent) -> Self {
        let created = agent.create_time.timestamp();
        Self { id: agent.spec.name, object: "model", created, owned_by: "neta" }
    }
}

/// Lists the agents that one sees as models.
#[utoipa::path(get, path = "/v1/models", tag = "openai", security(("token" = ["agent:use"])), responses(
    (status = 200, body = ListedModels, example = json!({ "object": "list", "data": [
        { "id": "assistant", "object": "model", "created": 1_764_547_200, "owned_by": "neta" }] })),
    (status = 401, description = "No token, or not the right one", body = ErrorBody),
    (status = 403, description = "Not allowed", body = ErrorBody),
    (status = 429, description = "The caller's limit was reached", body = ErrorBody),
    (status = 503, description = "A service is away", body = ErrorBody)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::AgentUse>,
) -> Result<axum::Json<ListedModels>, ApiError> {
    let mut data: Vec<ListedModel> = Vec::new();
    let mut after: Option<AgentId> = None;
    loop {
        let page =
            agents::list_seen(&state.app.db, &principal, &agents::Filter::default(), after, PAGE).await?;
        after = page.last().map(|agent| agent.id);
        let is_last = page.len() < PAGE as usize;
        data.extend(page.into_iter().map(ListedModel::from));
        if is_last || data.len() >= MOST {
            return Ok(axum::Json(ListedModels { object: "list", data }));
        }
    }
}

/// Shows an agent as a model.
#[utoipa::path(get, path = "/v1/models/{model}", tag = "openai", security(("token" = ["agent:use"])),
    params(("model" = String, Path, description = "The agent: its name, or its number")),
    responses(
        (status = 200, body = ListedModel, example = json!(
            { "id": "assistant", "object": "model", "created": 1_764_547_200, "owned_by": "neta" })),
        (status = 401, description = "No token, or not the right one", body = ErrorBody),
        (status = 403, description = "Not allowed", body = ErrorBody),
        (status = 404, description = "There is no such agent", body = ErrorBody),
        (status = 429, description = "The caller's limit was reached", body = ErrorBody),
        (status = 503, description = "A service is away", body = ErrorBody)))]
pub async fn get(
    State(state): State<ApiState>,
    principal: May<policy::AgentUse>,
    model: Result<Path<String>, PathRejection>,
) -> Result<axum::Json<ListedModel>, Refusal> {
    let Ok(Path(model)) = model else { return Err(Refusal::UnknownModel(String::new())) };
    let db = &state.app.db;
    let mut found = agents::find_seen_by_name(db, &principal, &model).await.map_err(ApiError::from)?;
    if found.is_none()
        && let Ok(id) = model.parse::<AgentId>()
    {
        found = agents::find_seen(db, &principal, id).await.map_err(ApiError::from)?;
    }
    match found {
        Some(agent) => Ok(axum::Json(agent.into())),
        None => Err(Refusal::UnknownModel(model)),
    }
}
