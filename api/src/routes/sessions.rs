//! `/api/sessions`: conversations.

use super::page::{Page, PageQuery};
use crate::auth::Principal;
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::app;
use shared::domain::conversation::TokenUsage;
use shared::domain::ids::SessionId;
use shared::domain::sessions::Session;
use shared::store::{messages, sessions};
use utoipa::ToSchema;

const MAX_TITLE_CHARS: usize = 200;

/// Lists sessions, the last used first.
#[utoipa::path(get, path = "/api/sessions", tag = "sessions", params(PageQuery),
    responses((status = 200, body = Page<Session>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: Principal,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<Session>>, ApiError> {
    let limit = page.limit()?;
    let rows = sessions::list(&state.app.db, principal.tenant_id, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |s| (s.update_time, s.id), |s| s)))
}

/// A session with what its turns used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionDetail {
    /// The session.
    #[serde(flatten)]
    pub session: Session,
    /// Tokens of all its turns that ended, their subagents' included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// Their price, as far as models had prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Shows a session, and what it used.
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", params(("id" = SessionId, Path)), responses(
    (status = 200, body = SessionDetail), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    principal: Principal,
    Id(id): Id<SessionId>,
) -> Result<axum::Json<SessionDetail>, ApiError> {
    let (db, tenant_id) = (&state.app.db, principal.tenant_id);
    let session = sessions::find(db, tenant_id, id).await?.ok_or(ApiError::NotFound("session"))?;
    let (usage, cost) = messages::usage(db, tenant_id, id).await?;
    Ok(axum::Json(SessionDetail { session, usage, cost }))
}

/// What can be changed about a session.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SessionPatch {
    /// Shown to people.
    title: String,
}

/// Renames a session.
#[utoipa::path(patch, path = "/api/sessions/{id}", tag = "sessions", params(("id" = SessionId, Path)),
    request_body = SessionPatch,
    responses((status = 200, body = Session), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    principal: Principal,
    Id(id): Id<SessionId>,
    Json(patch): Json<SessionPatch>,
) -> Result<axum::Json<Session>, ApiError> {
    super::check_name("title", &patch.title, MAX_TITLE_CHARS)?;
    let renamed = sessions::rename(&state.app.db, principal.tenant_id, id, patch.title.trim()).await?;
    renamed.map(axum::Json).ok_or(ApiError::NotFound("session"))
}

/// Deletes a session with its messages and runs; what runs in it is stopped.
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "sessions", params(("id" = SessionId, Path)), responses(
    (status = 204, description = "Deleted"), (status = 404, body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    principal: Principal,
    Id(id): Id<SessionId>,
) -> Result<StatusCode, ApiError> {
    app::sessions::delete(&state.app, principal.tenant_id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
