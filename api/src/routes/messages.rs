//! `/api/sessions/{id}/messages`: what was said, and the picture of turns in flight.

use super::page::limit;
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy, resource};
use crate::error::{ApiError, Problem};
use crate::extract::{Ids, Json, Query};
use crate::routes::chat::agent_choice;
use crate::routes::chat::input::check_text;
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use shared::app;
use shared::bus::Stream;
use shared::domain::conversation::TokenUsage;
use shared::domain::events::{Cursor, TurnView};
use shared::domain::ids::{AgentId, MessageId, RunId, SessionId};
use shared::domain::messages::{ErrorInfo, Message, MessageStatus, Metadata, Role};
use shared::domain::permissions::Permission;
use shared::domain::runs::{RunStatus, RunSummary};
use shared::domain::sessions::Session;
use shared::store::turns::AgentRef;
use shared::store::{messages, runs, turns};
use utoipa::ToSchema;

/// A message as stored; of a turn in flight also its picture so far.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    /// Primary key; orders the session.
    pub id: MessageId,
    /// Its session.
    pub session_id: SessionId,
    /// Who speaks.
    pub role: Role,
    /// Where it stands.
    pub status: MessageStatus,
    /// What is said.
    pub content: String,
    /// What the model showed of its reasoning.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// What the turn did besides; of a turn in flight its subagents as they stand.
    pub metadata: Metadata,
    /// The run that writes it. This and what the run says besides: of answers only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// Where the run stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_status: Option<RunStatus>,
    /// When a worker first began the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<DateTime<Utc>>,
    /// When the run ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<DateTime<Utc>>,
    /// The agent that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// That agent's name when the run began; now, if it hasn't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_name: Option<String>,
    /// The provider's name of the model that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_name: Option<String>,
    /// Tokens of the whole turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// Price of the whole turn, where the model has prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorInfo>,
    /// The sender's id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_message_id: Option<String>,
    /// When it was accepted.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
    /// A turn in flight: all that its events add up to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<TurnView>,
    /// A turn in flight: the last event in `turn`; events after it come with this cursor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
}

impl From<Message> for MessageView {
    fn from(m: Message) -> Self {
        Self {
            id: m.id,
            session_id: m.session_id,
            role: m.role,
            status: m.status,
            content: m.content,
            thinking: m.thinking,
            metadata: m.metadata,
            run_id: m.run_id,
            run_status: None,
            started_at: None,
            ended_at: None,
            agent_id: None,
            agent_name: None,
            model_name: None,
            usage: m.usage,
            cost: m.cost,
            error: m.error,
            client_message_id: m.client_message_id,
            create_time: m.create_time,
            update_time: m.update_time,
            turn: None,
            cursor: None,
        }
    }
}

impl MessageView {
    /// Adds what is told of its run.
    fn tell_of(&mut self, run: RunSummary) {
        self.run_status = Some(run.status);
        self.started_at = run.started_at;
        self.ended_at = run.ended_at;
        self.agent_id = Some(run.agent_id);
        self.agent_name = run.agent_name;
        self.model_name = run.model_name;
    }
}

/// Which messages.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Messages on a page: 50 if not given, at most 200.
    limit: Option<u32>,
    /// The newest of those older than this message. Also without `after`: the newest of all.
    before: Option<MessageId>,
    /// The oldest of those newer than this message; 0 is the session's beginning.
    after: Option<MessageId>,
}

/// Messages of a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Messages {
    /// Oldest first, whichever way they were asked for.
    pub items: Vec<MessageView>,
    /// Whether there are more in the direction that was asked for.
    pub has_more: bool,
}

/// Messages of a session, always oldest first: the newest page, or with `before` or `after` the one
/// beside a known message.
#[utoipa::path(get, path = "/api/sessions/{id}/messages", tag = "sessions", security(("token" = ["session:view"])),
    params(("id" = SessionId, Path), MessagesQuery),
    responses((status = 200, body = Messages), (status = 404, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    Of { object: Session { id, .. }, principal, .. }: Of<Session, policy::SessionView>,
    Query(query): Query<MessagesQuery>,
) -> Result<axum::Json<Messages>, ApiError> {
    let (db, tenant_id) = (&state.app.db, principal.tenant_id);
    let limit = limit(query.limit)?;
    let rows = match (query.before, query.after) {
        (Some(_), Some(_)) => {
            return Err(ApiError::invalid("after", "give either before or after, not both"));
        }
        (None, Some(after)) => messages::list(db, tenant_id, id, Some(after), limit + 1).await?,
        (before, None) => messages::list_newest(db, tenant_id, id, before, limit + 1).await?,
    };
    let has_more = rows.len() > limit as usize;
    let mut items: Vec<MessageView> = rows.into_iter().take(limit as usize).map(MessageView::from).collect();
    if query.after.is_none() {
        items.reverse();
    }
    let run_ids: Vec<RunId> = items.iter().filter_map(|m| m.run_id).collect();
    let mut told = runs::summaries(db, tenant_id, &run_ids).await?;
    for item in &mut items {
        if let Some(run) = item.run_id.and_then(|id| told.remove(&id)) {
            item.tell_of(run);
        }
    }
    let pending: Vec<MessageId> =
        items.iter().filter(|m| m.status == MessageStatus::Pending).map(|m| m.id).collect();
    let mut batches = app::subagent_view::batches(&state.app, tenant_id, id, &pending).await?;
    for item in items.iter_mut().filter(|m| m.status == MessageStatus::Pending) {
        item.metadata.subagents = batches.remove(&item.id).unwrap_or_default();
        let stream = Stream::of_turn(id, item.id);
        // A turn that is gone meanwhile has no picture.
        if let Ok(snapshot) = state.live.snapshot(tenant_id, stream).await {
            item.turn = Some(snapshot.view);
            item.cursor = Some(snapshot.cursor);
        }
    }
    Ok(axum::Json(Messages { items, has_more }))
}

/// What a message is to say.
#[derive(Debug, Deserialize, ToSchema)]
pub struct MessagePatch {
    /// The new text.
    content: String,
}

/// Changes a user's message whose turn waits in line and was never begun: the agent reads the new text.
#[utoipa::path(patch, path = "/api/sessions/{id}/messages/{messageId}", tag = "sessions", security(("token" = ["session:chat"])),
    params(("id" = SessionId, Path), ("messageId" = MessageId, Path)), request_body = MessagePatch,
    responses(
        (status = 200, body = MessageView), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, description = "A worker began the turn, or it is over", body = Problem),
    ))]
pub async fn edit(
    State(state): State<ApiState>,
    principal: May<policy::SessionChat>,
    Acting(by): Acting,
    Ids(session_id, message_id): Ids<SessionId, MessageId>,
    Json(patch): Json<MessagePatch>,
) -> Result<axum::Json<MessageView>, ApiError> {
    let (app, tenant_id) = (&state.app, principal.tenant_id);
    resource::load::<Session>(&state, &principal, session_id, Permission::SessionChat).await?;
    check_text("content", &patch.content, &state.config)?;
    let agent = turns::agent_of(&app.db, tenant_id, session_id, message_id).await?;
    let agent = AgentRef::Id(agent.ok_or(ApiError::NotFound("message"))?);
    agent_choice::seen(&state, &principal, agent, Some(session_id)).await?;
    let edited = app::turns::edit(app, tenant_id, by, session_id, message_id, &patch.content).await?;
    Ok(axum::Json(edited.into()))
}

/// Deletes the turn that a message belongs to: both messages and the run; a live run is stopped.
#[utoipa::path(delete, path = "/api/sessions/{id}/messages/{messageId}", tag = "sessions", security(("token" = ["session:edit"])),
    params(("id" = SessionId, Path), ("messageId" = MessageId, Path)),
    responses((status = 204, description = "Deleted"), (status = 404, body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    principal: May<policy::SessionEdit>,
    Acting(by): Acting,
    Ids(session_id, message_id): Ids<SessionId, MessageId>,
) -> Result<StatusCode, ApiError> {
    resource::load::<Session>(&state, &principal, session_id, Permission::SessionEdit).await?;
    app::turns::delete(&state.app, principal.tenant_id, by, session_id, message_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
