//! `/api/sessions`: conversations.

use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
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
#[utoipa::path(get, path = "/api/sessions", tag = "sessions", security(("token" = ["session:view"])), params(PageQuery),
    responses((status = 200, body = Page<Session>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<Session>>, ApiError> {
    let limit = page.limit()?;
    let rows = sessions::list(
        &state.app.db,
        principal.tenant_id,
        principal.sees().owner(),
        page.after()?,
        limit + 1,
    )
    .await?;
    Ok(axum::Json(Page::of(rows, limit, |s| (s.create_time, s.id), |s| s)))
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
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["session:view"])), params(("id" = SessionId, Path)), responses(
    (status = 200, body = SessionDetail), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object: session, principal, .. }: Of<Session, policy::SessionView>,
) -> Result<axum::Json<SessionDetail>, ApiError> {
    let (usage, cost) = messages::usage(&state.app.db, principal.tenant_id, session.id).await?;
    Ok(axum::Json(SessionDetail { session, usage, cost }))
}

/// What can be changed about a session.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SessionPatch {
    /// Shown to people.
    title: String,
}

/// Renames a session.
#[utoipa::path(patch, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["session:edit"])), params(("id" = SessionId, Path)),
    request_body = SessionPatch,
    responses((status = 200, body = Session), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Session, policy::SessionEdit>,
    Json(patch): Json<SessionPatch>,
) -> Result<axum::Json<Session>, ApiError> {
    super::check_name("title", &patch.title, MAX_TITLE_CHARS)?;
    let renamed = sessions::rename(&state.app.db, principal.tenant_id, object.id, patch.title.trim()).await?;
    renamed.map(axum::Json).ok_or(ApiError::NotFound("session"))
}

/// Deletes a session with its messages and runs; what runs in it is stopped.
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["session:edit"])), params(("id" = SessionId, Path)), responses(
    (status = 204, description = "Deleted"), (status = 404, body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Session, policy::SessionEdit>,
    Acting(by): Acting,
) -> Result<StatusCode, ApiError> {
    app::sessions::delete(&state.app, principal.tenant_id, by, object.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
