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
use shared::domain::ids::{AgentId, SessionId};
use shared::domain::sessions::{Session, SessionContents};
use shared::store::sessions::SessionChange;
use shared::store::{messages, sessions};
use utoipa::ToSchema;

const MAX_TITLE_CHARS: usize = 200;

/// Which sessions.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct SessionsQuery {
    /// Sessions on a page: 50 if not given, at most 200.
    limit: Option<u32>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// A part of the title.
    q: Option<String>,
    /// Pinned ones only, or the others only.
    pinned: Option<bool>,
    /// Those that began with this agent.
    agent_id: Option<AgentId>,
}

/// Lists sessions, the last used first. One that is used while its pages are read moves to the first.
#[utoipa::path(get, path = "/api/sessions", tag = "sessions", security(("token" = ["session:view"])), params(SessionsQuery),
    responses((status = 200, body = Page<Session>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    Query(query): Query<SessionsQuery>,
) -> Result<axum::Json<Page<Session>>, ApiError> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let limit = page.limit()?;
    let text = query.q.unwrap_or_default();
    if text.chars().count() > MAX_TITLE_CHARS {
        return Err(ApiError::invalid("q", format!("is longer than {MAX_TITLE_CHARS} characters")));
    }
    let filter = sessions::Filter {
        owner: principal.sees().owner(),
        pinned: query.pinned,
        agent_id: query.agent_id,
        text,
    };
    let rows = sessions::list(&state.app.db, principal.tenant_id, &filter, page.after()?, limit + 1).await?;
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
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["session:view"])), params(("id" = SessionId, Path)), responses(
    (status = 200, body = SessionDetail), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object: session, principal, .. }: Of<Session, policy::SessionView>,
) -> Result<axum::Json<SessionDetail>, ApiError> {
    let (usage, cost) = messages::usage(&state.app.db, principal.tenant_id, session.id).await?;
    Ok(axum::Json(SessionDetail { session, usage, cost }))
}

/// Counts what a session holds: what deleting it removes.
#[utoipa::path(get, path = "/api/sessions/{id}/contents", tag = "sessions", security(("token" = ["session:view"])), params(("id" = SessionId, Path)), responses(
    (status = 200, body = SessionContents), (status = 404, body = Problem)))]
pub async fn contents(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Session, policy::SessionView>,
) -> Result<axum::Json<SessionContents>, ApiError> {
    let contents = sessions::contents(&state.app.db, principal.tenant_id, object.id).await?;
    contents.map(axum::Json).ok_or(ApiError::NotFound("session"))
}

/// What is to be changed about a session.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SessionPatch {
    /// Shown to people.
    title: Option<String>,
    /// Kept at hand by those who see it.
    pinned: Option<bool>,
}

/// Renames or pins a session.
#[utoipa::path(patch, path = "/api/sessions/{id}", tag = "sessions", security(("token" = ["session:edit"])), params(("id" = SessionId, Path)),
    request_body = SessionPatch,
    responses((status = 200, body = Session), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Session, policy::SessionEdit>,
    Json(patch): Json<SessionPatch>,
) -> Result<axum::Json<Session>, ApiError> {
    if let Some(title) = &patch.title {
        super::check_name("title", title, MAX_TITLE_CHARS)?;
    }
    let change = SessionChange { title: patch.title.map(|t| t.trim().to_owned()), pinned: patch.pinned };
    let app = &state.app;
    let changed = sessions::update(&app.db, principal.tenant_id, object.id, &change, app.clock.now()).await?;
    changed.map(axum::Json).ok_or(ApiError::NotFound("session"))
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
