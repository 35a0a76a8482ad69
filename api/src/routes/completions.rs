//! `/v1/chat/completions`: a turn in OpenAI's dialect, whole or in pieces. Leaving never cancels it.

use crate::auth::acting::Acting;
use crate::auth::layer::Authenticated;
use crate::auth::recheck::Recheck;
use crate::auth::{May, policy};
use crate::error::ApiError;
use crate::extract::Json;
use crate::live::follow::{Follower, Next};
use crate::live::frames;
use crate::live::wait::is_answer;
use crate::openai::begin::{Asking, Begun, begin};
use crate::openai::chunks::{self, Chunks, Head};
use crate::openai::error::{ErrorBody, Refusal, SESSION};
use crate::openai::request::ChatCompletionRequest;
use crate::openai::response::{ChatCompletion, ChatCompletionChunk};
use crate::routes::chat::idempotency_key;
use crate::routes::observe::{Open, Trace};
use crate::state::ApiState;
use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use shared::bus::Frame;
use shared::domain::events::Event;
use shared::domain::ids::SessionId;
use shared::domain::runs::RunStatus;
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::Instant;

/// How long a whole answer is waited for: longer than any turn that is under way.
const PATIENCE: Duration = Duration::from_hours(6);
/// How long a stream waits for the first thing to show: a turn that fails before it has a status of its own.
const FIRST: Duration = Duration::from_secs(2);
/// A comment is sent after so long a silence, so that no proxy cuts the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// Pieces that are ready leave together, up to about so many bytes.
const TOGETHER: usize = 16 * 1024;

/// Answers the last message: OpenAI's chat completions, with an agent as the model.
///
/// The request's messages are what the agent is told of the conversation; the turn is kept in a
/// session of its own, or in the one that `metadata.session_id` names. With `stream` the answer comes
/// in pieces (`text/event-stream`), and what the agent and its subagents do meanwhile as comment lines.
/// Without, the request waits until the turn ends. Leaving never cancels it.
///
/// A turn that asks the user answers with the question (`neta.pauseId`); the session's next message
/// answers it. A turn that fails is an error whose `code` is its reason.
#[utoipa::path(post, path = "/v1/chat/completions", tag = "openai", security(("token" = ["session:chat"])),
    request_body(content = ChatCompletionRequest, examples(
        ("plain" = (value = json!({
            "model": "assistant", "messages": [{ "role": "user", "content": "hello" }] }))),
        ("in pieces, in a session" = (value = json!({
            "model": "assistant", "stream": true, "stream_options": { "include_usage": true },
            "metadata": { "session_id": "0199a1b2-0000-7000-8000-000000000001" },
            "messages": [
                { "role": "system", "content": "Answer in French." },
                { "role": "user", "content": "hello" },
                { "role": "assistant", "content": "Bonjour." },
                { "role": "user", "content": "What can you do?" }] }))),
    )),
    params(("Idempotency-Key" = Option<String>, Header,
        description = "Your own id of the message: sent again, it is the same turn")),
    responses(
        (status = 200, description = "The answer, or its pieces",
            headers(("X-Neta-Session-Id" = String, description = "The session")),
            content(
                (ChatCompletion = "application/json", example = json!({
                    "id": "chatcmpl-2", "object": "chat.completion", "created": 1_764_547_200, "model": "assistant",
                    "choices": [{ "index": 0, "logprobs": null, "finish_reason": "stop",
                        "message": { "role": "assistant", "content": "Hello!", "refusal": null } }],
                    "usage": { "prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18 },
                    "neta": { "sessionId": "0199a1b2-0000-7000-8000-000000000001",
                        "assistantMessageId": 2, "runId": 1 } })),
                (ChatCompletionChunk = "text/event-stream", example = "data: {\"id\":\"chatcmpl-2\",\"object\":\"chat.completion.chunk\",…}\n\ndata: [DONE]\n\n"),
            )),
        (status = 400, description = "Something can't be used, or the turn failed by what it was told", body = ErrorBody,
            example = json!({ "error": { "message": "tools: tools of the caller are not supported: give the agent its tools in Neta",
                "type": "invalid_request_error", "param": "tools", "code": "unsupported_parameter" } })),
        (status = 401, description = "No token, or not the right one", body = ErrorBody,
            example = json!({ "error": { "message": "a valid bearer token is needed: Authorization: Bearer <token>",
                "type": "authentication_error", "param": null, "code": "invalid_api_key" } })),
        (status = 403, description = "Not allowed", body = ErrorBody),
        (status = 404, description = "There is no such agent", body = ErrorBody,
            example = json!({ "error": { "message": "the model \"gpt-4\" does not exist: GET /v1/models lists the agents",
                "type": "invalid_request_error", "param": "model", "code": "model_not_found" } })),
        (status = 408, description = "The body did not arrive in time", body = ErrorBody),
        (status = 409, description = "The Idempotency-Key was used for another message, the question was answered otherwise, or the turn was stopped", body = ErrorBody),
        (status = 410, description = "The question takes no answer any more", body = ErrorBody,
            example = json!({ "error": { "message": "nobody answered this question in time",
                "type": "invalid_request_error", "param": null, "code": "pause_over" } })),
        (status = 413, description = "The body is too large", body = ErrorBody),
        (status = 415, description = "The body is not JSON", body = ErrorBody),
        (status = 429, description = "A limit was reached: the caller's, the model's or the turn's budget", body = ErrorBody),
        (status = 500, description = "The turn failed by a fault of the server", body = ErrorBody),
        (status = 502, description = "The turn failed by its model's provider", body = ErrorBody,
            example = json!({ "error": { "message": "The model's provider refused the API key. Check the key in the model's settings.",
                "type": "server_error", "param": null, "code": "model_auth" },
                "neta": { "sessionId": "0199a1b2-0000-7000-8000-000000000001", "assistantMessageId": 2, "runId": 1 } })),
        (status = 503, description = "A service is away, or the server restarts", body = ErrorBody),
        (status = 504, description = "The turn's time is used up", body = ErrorBody,
            example = json!({ "error": { "message": "Nothing happened for too long. Try again.",
                "type": "server_error", "param": null, "code": "idle_time" },
                "neta": { "sessionId": "0199a1b2-0000-7000-8000-000000000001", "assistantMessageId": 2, "runId": 1 } })),
    ))]
pub async fn post(
    State(state): State<ApiState>,
    principal: May<policy::SessionChat>,
    Acting(by): Acting,
    who: Authenticated,
    Extension(Trace(trace)): Extension<Trace>,
    headers: HeaderMap,
    Json(request): Json<ChatCompletionRequest>,
) -> Result<Response, Refusal> {
    let principal = principal.into_principal();
    let asking = Asking { principal, by, trace, client_message_id: idempotency_key(&headers)? };
    let begun = begin(&state, asking, &request).await?;
    let session_id = begun.neta.session_id;
    let mut response = if request.stream == Some(true) {
        in_pieces(&state, who, begun, &request).await?
    } else {
        whole(&state, who, begun, request).await?
    };
    name_session(&mut response, session_id);
    Ok(response)
}

fn name_session(response: &mut Response, session_id: SessionId) {
    if let Ok(value) = HeaderValue::from_str(&session_id.to_string()) {
        response.headers_mut().insert(SESSION, value);
    }
}

async fn whole(
    state: &ApiState,
    who: Authenticated,
    begun: Begun,
    request: ChatCompletionRequest,
) -> Result<Response, Refusal> {
    let _open = Open::new("neta_waiters");
    let (neta, before) = (begun.neta.clone(), begun.before.clone());
    let mut recheck = Recheck::new(state.clone(), who);
    let view = begun.end(state, PATIENCE).await?;
    if recheck.is_due() && !recheck.holds().await {
        return Err(ApiError::Unauthorized.into());
    }
    if !is_answer(&view) {
        return Err(if state.live.shutdown().is_cancelled() {
            Refusal::goes_on(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the server restarts", neta)
        } else {
            Refusal::goes_on(StatusCode::GATEWAY_TIMEOUT, "still_running", "the turn takes too long", neta)
        });
    }
    match (view.status, &view.error) {
        (RunStatus::Failed, Some(error)) => Err(Refusal::failed(error, neta)),
        (RunStatus::Cancelled, _) => Err(Refusal::cancelled(view.reason, neta)),
        _ => {
            let now = state.app.clock.now();
            let completion = ChatCompletion::new(&view, request.model, neta, &before, now);
            Ok(axum::Json(completion).into_response())
        }
    }
}

async fn in_pieces(
    state: &ApiState,
    who: Authenticated,
    begun: Begun,
    request: &ChatCompletionRequest,
) -> Result<Response, Refusal> {
    let head = Head {
        model: request.model.clone(),
        created: state.app.clock.now().timestamp(),
        neta: begun.neta.clone(),
        include_usage: request.include_usage(),
    };
    let chunks = Chunks::new(head, &begun.before, begun.answered.clone());
    let asks = begun.asks.clone();
    let recheck = Recheck::new(state.clone(), who);
    let mut pieces = Pieces { follower: begun.follow(state).await, recheck, chunks };
    let mut first = String::new();
    pieces.chunks.open(&mut first);
    if let Some(pause) = asks {
        pieces.chunks.take(&Event::ClarifyRequest(pause), &mut first)?;
    }
    let deadline = Instant::now() + FIRST;
    while !pieces.chunks.has_begun() && Instant::now() < deadline {
        pieces.next(deadline - Instant::now(), &mut first).await?;
    }
    let gauge = Open::new("neta_sse_streams");
    let body =
        futures_util::stream::unfold((pieces, first, gauge), |(mut pieces, mut out, gauge)| async move {
            if out.is_empty() {
                if pieces.chunks.is_over() {
                    return None;
                }
                if let Err(refusal) = pieces.next(KEEP_ALIVE, &mut out).await {
                    chunks::error(&refusal, &mut out);
                } else if out.is_empty() {
                    out.push_str(": \n\n");
                }
            }
            Some((Ok::<_, Infallible>(Bytes::from(out)), (pieces, String::new(), gauge)))
        });
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // nginx holds answers back otherwise.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// A completion that is under way.
struct Pieces {
    follower: Follower,
    recheck: Recheck,
    chunks: Chunks,
}

impl Pieces {
    /// Puts out what comes within this time; nothing, if it is nothing to show.
    async fn next(&mut self, patience: Duration, out: &mut String) -> Result<(), Refusal> {
        if self.recheck.is_due() && !self.recheck.holds().await {
            self.chunks.cut();
            return Err(ApiError::Unauthorized.into());
        }
        match self.follower.next(patience).await {
            Next::Silence => Ok(()),
            Next::End => Err(self.chunks.cut()),
            Next::Frame(frame) => {
                self.take(&frame, out)?;
                while out.len() < TOGETHER
                    && !self.chunks.is_over()
                    && let Some(frame) = self.follower.try_next()
                {
                    self.take(&frame, out)?;
                }
                Ok(())
            }
        }
    }

    fn take(&mut self, frame: &Frame, out: &mut String) -> Result<(), Refusal> {
        match frames::event(frame) {
            Some(event) => self.chunks.take(&event, out),
            None => Ok(()),
        }
    }
}
