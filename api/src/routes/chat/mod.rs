//! `/open/netaclaw/chat`: a message in, its answer out: in one response, by asking again, or as a
//! stream. Leaving never cancels a turn.

pub mod agent_choice;
pub mod input;

use crate::auth::layer::Authenticated;
use crate::auth::recheck::Recheck;
use crate::auth::{May, policy, resource};
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json, Query};
use crate::live::follow::Follower;
use crate::live::hub::{Interest, Listening};
use crate::live::outbox::Outbox;
use crate::live::wait::{Waiter, is_answer};
use crate::live::{Level, sse};
use crate::routes::observe::{Open, Trace};
use crate::routes::runs::name_blocker;
use crate::state::ApiState;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use input::ChatRequest;
use serde::{Deserialize, Serialize};
use shared::app::{self, turns::StartTurn};
use shared::bus::Stream;
use shared::domain::access::Principal;
use shared::domain::conversation::TokenUsage;
use shared::domain::events::TurnView;
use shared::domain::ids::{MessageId, RunId, SessionId};
use shared::domain::messages::{ErrorInfo, ToolActivity};
use shared::domain::pauses::OpenPause;
use shared::domain::runs::{Reason, RunStatus};
use shared::domain::subagents::SubagentBatch;
use shared::domain::todos::TodoItem;
use shared::store::turns::AcceptedTurn;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// A turn as far as it is known.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatAnswer {
    /// The session.
    pub session_id: SessionId,
    /// The user's message.
    pub user_message_id: MessageId,
    /// The answer's message.
    pub assistant_message_id: MessageId,
    /// The run.
    pub run_id: RunId,
    /// `completed`, `failed` and `cancelled` are final.
    pub status: RunStatus,
    /// Why it waits, or how it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The answer, once the turn ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// What the model showed of its reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<String>,
    /// The plan as it last stood.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub todos: Vec<TodoItem>,
    /// The tool calls in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolActivity>,
    /// Tokens of the whole turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// Price of the whole turn, where the model has prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorInfo>,
    /// The subagents so far, by batch.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subagents: Vec<SubagentBatch>,
    /// The first of the questions that wait for a person: the turn goes on when it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<OpenPause>,
    /// All of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<OpenPause>,
}

impl ChatAnswer {
    fn accepted(turn: &AcceptedTurn) -> Self {
        let view = TurnView::new(turn.user_message_id, turn.assistant_message_id, turn.run_id);
        Self::of(turn.session_id, view)
    }

    fn of(session_id: SessionId, view: TurnView) -> Self {
        let over = view.status.is_terminal();
        Self {
            session_id,
            user_message_id: view.user_message_id,
            assistant_message_id: view.assistant_message_id,
            run_id: view.run_id,
            status: view.status,
            reason: view.reason,
            content: over.then_some(view.content),
            thinking: (over && !view.thinking.is_empty()).then_some(view.thinking),
            todos: if over { view.todos } else { Vec::new() },
            tools: if over { view.tools } else { Vec::new() },
            usage: view.usage.filter(|_| over),
            cost: view.cost.filter(|_| over),
            error: view.error,
            subagents: view.subagents,
            pause: view.pauses.first().cloned(),
            pauses: view.pauses,
        }
    }

    /// Whether a caller who waits is answered with this: the turn is over, or asks a person.
    fn is_answer(&self) -> bool {
        self.status.is_terminal() || self.pause.is_some()
    }
}

impl IntoResponse for ChatAnswer {
    fn into_response(self) -> Response {
        let status = if self.status.is_terminal() { StatusCode::OK } else { StatusCode::ACCEPTED };
        let mut response = (status, axum::Json(&self)).into_response();
        if status == StatusCode::ACCEPTED {
            response.headers_mut().insert(header::LOCATION, location(self.assistant_message_id));
        }
        response
    }
}

/// Where the turn is asked for.
fn location(id: MessageId) -> HeaderValue {
    let path = format!("/open/netaclaw/chat/{id}");
    HeaderValue::from_str(&path).unwrap_or(HeaderValue::from_static("/open/netaclaw/chat"))
}

/// Sends a message.
///
/// With `wait` (seconds) the answer comes in one response (200) if the turn ends in time; otherwise
/// 202 with all ids, and `Location` to go on waiting at. A turn that asks a person is a 202 at once, with the
/// question in `pause`. A failed turn is a 200 with `status: failed`.
/// With `Accept: text/event-stream` the events come as they happen.
#[utoipa::path(post, path = "/open/netaclaw/chat", tag = "chat", security(("token" = ["session:chat"])), request_body = ChatRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "The same as `clientMessageId`"),
        ("Accept" = Option<String>, Header, description = "`text/event-stream` for the events"),
        LevelQuery,
    ),
    responses(
        (status = 200, description = "The turn ended, or the events follow", content(
            (ChatAnswer = "application/json"), (String = "text/event-stream"))),
        (status = 202, description = "The turn goes on", body = ChatAnswer),
        (status = 404, description = "There is no such agent or session, or it may not be seen", body = Problem),
        (status = 409, description = "The session is busy, or the client message id was used before", body = Problem),
    ))]
pub async fn post(
    State(state): State<ApiState>,
    principal: May<policy::SessionChat>,
    who: Authenticated,
    Extension(Trace(trace)): Extension<Trace>,
    Query(LevelQuery { level }): Query<LevelQuery>,
    headers: HeaderMap,
    Json(mut request): Json<ChatRequest>,
) -> Result<Response, ApiError> {
    if request.client_message_id.is_none() {
        request.client_message_id = idempotency_key(&headers)?;
    }
    let streams = wants_stream(&headers);
    let patience = input::patience(request.wait)?;
    let replaces = request.replaces(&principal, || who.acting())?;
    let mut start = StartTurn { replaces, ..request.check(&principal, &state.config, trace)? };
    start.agent = agent_choice::seen(&state, &principal, start.agent, start.session_id).await?;
    let tenant_id = principal.tenant_id;
    if patience.is_zero() && !streams {
        let session_id = start.session_id;
        let started = match app::turns::start(&state.app, start).await {
            Ok(started) => started,
            Err(error) => return Err(name_blocker(&state, tenant_id, session_id, error).await),
        };
        if !started.repeated {
            return Ok(ChatAnswer::accepted(&started.turn).into_response());
        }
        return Ok(answer(&state, &principal, started.turn.assistant_message_id).await?.into_response());
    }
    let outbox = Arc::new(Outbox::default());
    let (started, listening) = accept_listening(&state, start, &outbox).await?;
    app::turns::announce(&state.app, &started).await;
    let (turn, repeated) = (&started.turn, started.repeated);
    let stream = Stream::of_turn(turn.session_id, turn.assistant_message_id);
    if streams {
        let follower = if repeated {
            Follower::new(&state.live, tenant_id, stream, None, level).await
        } else {
            Follower::fresh(&state.live, tenant_id, stream, outbox, listening, level).await
        };
        let mut response = sse::response(follower, Recheck::new(state.clone(), who));
        response.headers_mut().insert(header::LOCATION, location(stream.message_id));
        return Ok(response);
    }
    let waiter = Waiter::fresh(&state.live, tenant_id, stream, outbox, listening);
    if repeated {
        let known = answer(&state, &principal, stream.message_id).await?;
        if known.is_answer() {
            return Ok(known.into_response());
        }
    }
    wait(&state, who, stream, waiter, patience).await
}

/// Commits the turn while the session's events are subscribed to, so that none is missed.
pub(crate) async fn accept_listening(
    state: &ApiState,
    mut start: StartTurn,
    outbox: &Arc<Outbox>,
) -> Result<(app::turns::Started, Listening), ApiError> {
    if start.session_id.is_none() && start.client_message_id.is_none() {
        start.session_id = Some(SessionId::generate());
    }
    let listen = |id| state.live.hub().listen(id, Interest::Session(Level::Turn), outbox.clone());
    let Some(session_id) = start.session_id else {
        // A repetition leads to a session that is not known yet.
        let started = app::turns::accept(&state.app, start).await?;
        let listening = listen(started.turn.session_id).await;
        return Ok((started, listening));
    };
    let tenant_id = start.sender.tenant_id;
    let (started, listening) = tokio::join!(app::turns::accept(&state.app, start), listen(session_id));
    let started = match started {
        Ok(started) => started,
        Err(error) => return Err(name_blocker(state, tenant_id, Some(session_id), error).await),
    };
    if started.turn.session_id == session_id {
        return Ok((started, listening));
    }
    drop(listening);
    let listening = listen(started.turn.session_id).await;
    Ok((started, listening))
}

/// How much a stream tells.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LevelQuery {
    /// Of a stream: `subagents` for the text and tools of every subagent, too; `turn` if not given.
    #[serde(default)]
    level: Level,
}

/// How the caller waits.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WaitQuery {
    /// Seconds to wait for the end: 25 if not given, at most 60; 0 answers at once.
    wait: Option<u32>,
    /// Of a stream: `subagents` for the text and tools of every subagent, too; `turn` if not given.
    #[serde(default)]
    level: Level,
}

/// Asks for a turn, and goes on waiting for its end.
///
/// With `Accept: text/event-stream` the events come from the beginning, or after `Last-Event-ID`
/// (`<epoch>-<seq>`); 204 when that was the last one.
#[utoipa::path(get, path = "/open/netaclaw/chat/{assistantMessageId}", tag = "chat", security(("token" = ["session:view"])),
    params(
        ("assistantMessageId" = MessageId, Path, description = "The answer's message"),
        WaitQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The last event that the reader has"),
    ),
    responses(
        (status = 200, description = "The turn ended, or the events follow", content(
            (ChatAnswer = "application/json"), (String = "text/event-stream"))),
        (status = 202, description = "The turn goes on", body = ChatAnswer),
        (status = 204, description = "The reader has the last event"),
        (status = 404, description = "There is no such message", body = Problem),
    ))]
pub async fn get(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    who: Authenticated,
    Id(message_id): Id<MessageId>,
    Query(query): Query<WaitQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let patience = input::patience(query.wait)?;
    let row = app::turns::find(&state.app, principal.tenant_id, message_id).await?;
    if !resource::sees_session(&state.app.db, &principal, row.session_id).await? {
        return Err(ApiError::NotFound("message"));
    }
    let stream = Stream::of_turn(row.session_id, message_id);
    if wants_stream(&headers) {
        return resume(&state, who, stream, row.view.status, query.level, &headers).await;
    }
    if is_answer(&row.view) || patience.is_zero() {
        return Ok(ChatAnswer::of(row.session_id, row.view).into_response());
    }
    let waiter = Waiter::new(&state.live, principal.tenant_id, stream).await;
    // It may have ended or asked between the look and the subscription.
    let known = answer(&state, &principal, message_id).await?;
    if known.is_answer() {
        return Ok(known.into_response());
    }
    wait(&state, who, stream, waiter, patience).await
}

async fn resume(
    state: &ApiState,
    who: Authenticated,
    stream: Stream,
    status: RunStatus,
    level: Level,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let cursor = match headers.get("last-event-id") {
        None => None,
        Some(id) => Some(
            id.to_str()
                .ok()
                .and_then(sse::cursor)
                .ok_or_else(|| ApiError::invalid("Last-Event-ID", "must be <epoch>-<seq>"))?,
        ),
    };
    if let Some(cursor) = cursor
        && status.is_terminal()
        && state.live.has_all(stream, cursor).await
    {
        // The one answer that keeps a browser's EventSource from coming again.
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let follower = Follower::new(&state.live, who.principal.tenant_id, stream, cursor, level).await;
    Ok(sse::response(follower, Recheck::new(state.clone(), who)))
}

/// Waits, and answers who still may know.
async fn wait(
    state: &ApiState,
    who: Authenticated,
    stream: Stream,
    waiter: Waiter,
    patience: Duration,
) -> Result<Response, ApiError> {
    let _open = Open::new("neta_waiters");
    let mut recheck = Recheck::new(state.clone(), who);
    let view = waiter.end(patience).await?;
    if recheck.is_due() && !recheck.holds().await {
        return Err(ApiError::Unauthorized);
    }
    Ok(ChatAnswer::of(stream.session_id, view).into_response())
}

async fn answer(
    state: &ApiState,
    principal: &Principal,
    message_id: MessageId,
) -> Result<ChatAnswer, ApiError> {
    let row = app::turns::find(&state.app, principal.tenant_id, message_id).await?;
    Ok(ChatAnswer::of(row.session_id, row.view))
}

fn wants_stream(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok()).unwrap_or_default();
    accept.split(',').any(|t| t.split(';').next().unwrap_or_default().trim() == "text/event-stream")
}

/// The client's id of the message, from its header.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let text = value.to_str().map_err(|_| ApiError::invalid("Idempotency-Key", "must be plain text"))?;
    Ok(Some(text.trim().trim_matches('"').to_owned()))
}
