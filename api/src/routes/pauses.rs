//! `/api/pauses`: questions that runs wait on, and their answers. Each is answered by its id, once.

use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy, resource};
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use shared::app::pauses::{self, Answered};
use shared::domain::access::Principal;
use shared::domain::audit::By;
use shared::domain::ids::{MessageId, PauseId, RunId, SessionId};
use shared::domain::pauses::{Pause, PauseKind, PauseStatus};
use shared::domain::permissions::Permission;
use shared::domain::text;
use shared::store::pauses::{
    Filter, Listed, Summary, list as list_pauses, list_named, summary as summary_of,
};
use utoipa::ToSchema;

/// Open questions that a refusal names at most.
const NAMED: u32 = 200;

/// A question as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PauseView {
    /// By which it is answered.
    pub pause_id: PauseId,
    /// Its session.
    pub session_id: SessionId,
    /// The assistant message in which it is asked.
    pub message_id: MessageId,
    /// The run that waits.
    pub run_id: RunId,
    /// The call that asks.
    pub tool_call_id: String,
    /// What is asked.
    pub kind: PauseKind,
    /// In words.
    pub question: String,
    /// Answers to choose from; other answers are allowed to a `clarify` only.
    pub options: Vec<String>,
    /// Where it stands.
    pub status: PauseStatus,
    /// The answer.
    pub answer: Option<String>,
    /// When it expires.
    pub deadline: Option<DateTime<Utc>>,
    /// When it was asked.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl From<Pause> for PauseView {
    fn from(p: Pause) -> Self {
        Self {
            pause_id: p.id,
            session_id: p.session_id,
            message_id: p.message_id,
            run_id: p.run_id,
            tool_call_id: p.tool_call_id,
            kind: p.kind,
            question: p.question,
            options: p.options,
            status: p.status,
            answer: p.answer,
            deadline: p.deadline,
            create_time: p.create_time,
            update_time: p.update_time,
        }
    }
}

/// A question in a list of many.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PauseItem {
    /// The question.
    #[serde(flatten)]
    pub pause: PauseView,
    /// Its session's title.
    pub session_title: String,
    /// The agent that asks; null: it is gone.
    pub agent_name: Option<String>,
}

impl From<Listed> for PauseItem {
    fn from(listed: Listed) -> Self {
        let Listed { pause, session_title, agent_name } = listed;
        Self { pause: pause.into(), session_title, agent_name }
    }
}

/// Which questions.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct PausesQuery {
    /// Where they stand; `open` is the inbox.
    status: Option<PauseStatus>,
    /// Whose they are.
    session_id: Option<SessionId>,
    /// Questions on a page: 50 if not given, at most 200.
    limit: Option<u32>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// Lists questions, newest first.
#[utoipa::path(get, path = "/api/pauses", tag = "pauses", security(("token" = ["session:view"])), params(PausesQuery),
    responses((status = 200, body = Page<PauseItem>), (status = 400, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    Query(query): Query<PausesQuery>,
) -> Result<axum::Json<Page<PauseItem>>, ApiError> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let filter =
        Filter { status: query.status, session_id: query.session_id, owner: principal.sees().owner() };
    let limit = page.limit()?;
    let rows = list_named(&state.app.db, principal.tenant_id, &filter, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |l| l.pause.id, PauseItem::from)))
}

/// How much waits for people, and how much is at work.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PausesSummary {
    /// Open questions.
    pub open: u64,
    /// Sessions with a turn that has not ended.
    pub live_sessions: u64,
    /// Subagents that are at work.
    pub running_subagents: u64,
}

/// Counts open questions, live sessions and running subagents, of all sessions that one sees.
#[utoipa::path(get, path = "/api/pauses/summary", tag = "pauses", security(("token" = ["session:view"])),
    responses((status = 200, body = PausesSummary)))]
pub async fn summary(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
) -> Result<axum::Json<PausesSummary>, ApiError> {
    let Summary { open, live_sessions, running_subagents } =
        summary_of(&state.app.db, principal.tenant_id, principal.sees().owner()).await?;
    Ok(axum::Json(PausesSummary { open, live_sessions, running_subagents }))
}

/// Shows a question.
#[utoipa::path(get, path = "/api/pauses/{id}", tag = "pauses", security(("token" = ["session:view"])), params(("id" = PauseId, Path)),
    responses((status = 200, body = PauseView), (status = 404, body = Problem)))]
pub async fn get(
    Of { object, .. }: Of<Pause, policy::SessionView>,
) -> Result<axum::Json<PauseView>, ApiError> {
    Ok(axum::Json(object.into()))
}

/// What a person answers.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PauseAnswer {
    /// In words, or one of the options.
    answer: String,
}

/// Answers a question: its run goes on. The first answer counts; the same one again is no error.
///
/// 409 `pause_answered`: somebody answered otherwise; `pause` is the question as it stands. 410
/// `pause_over`: nobody answered in time (`state` is `expired`), or its run ended (`cancelled`).
#[utoipa::path(post, path = "/api/pauses/{id}/answer", tag = "pauses", security(("token" = ["session:chat"])), params(("id" = PauseId, Path)),
    request_body = PauseAnswer,
    responses(
        (status = 200, description = "The answer counts", body = PauseView),
        (status = 400, description = "It is none of those that are offered", body = Problem),
        (status = 404, body = Problem),
        (status = 409, description = "Somebody answered otherwise", body = Problem),
        (status = 410, description = "It comes too late", body = Problem, example = json!({
            "type": "urn:neta:problem:pause_over", "title": "Gone", "status": 410,
            "detail": "nobody answered this question in time", "code": "pause_over", "state": "expired" })),
    ))]
pub async fn answer(
    State(state): State<ApiState>,
    principal: May<policy::SessionChat>,
    Acting(by): Acting,
    Id(id): Id<PauseId>,
    Json(PauseAnswer { answer }): Json<PauseAnswer>,
) -> Result<axum::Json<PauseView>, ApiError> {
    Ok(axum::Json(give(&state, &principal, by, id, &answer).await?.into()))
}

/// An answer that does not say to which question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BareAnswer {
    /// Whose questions are named; of all sessions if not given.
    session_id: Option<SessionId>,
}

/// Refuses an answer that does not say to which question: 409 `pause_ambiguous`, and `pauseIds` names
/// those that are open. Which one was meant is never guessed.
#[utoipa::path(post, path = "/api/pauses/answer", tag = "pauses", security(("token" = ["session:chat"])), request_body = BareAnswer,
    responses((status = 409, description = "Say which", body = Problem)))]
pub async fn bare_answer(
    State(state): State<ApiState>,
    principal: May<policy::SessionChat>,
    Json(BareAnswer { session_id }): Json<BareAnswer>,
) -> Result<axum::Json<PauseView>, ApiError> {
    Err(which(&state, &principal, session_id).await)
}

/// Answers, by whichever door.
pub(crate) async fn give(
    state: &ApiState,
    principal: &Principal,
    by: By,
    id: PauseId,
    answer: &str,
) -> Result<Pause, ApiError> {
    let answer = answer.trim();
    if answer.is_empty() {
        return Err(ApiError::invalid("answer", "must not be empty"));
    }
    let max = state.config.max_message_chars;
    if answer.chars().nth(max).is_some() {
        return Err(ApiError::invalid("answer", format!("is longer than {max} characters")));
    }
    resource::load::<Pause>(state, principal, id, Permission::SessionChat).await?;
    match pauses::answer(&state.app, principal.tenant_id, by, id, &text::clean(answer)).await? {
        Answered::Taken(pause) => Ok(pause),
        Answered::Standing(pause) if pause.answer.as_deref() == Some(answer) => Ok(pause),
        Answered::Standing(pause) if pause.status == PauseStatus::Answered => {
            Err(ApiError::PauseAnswered(Box::new(pause)))
        }
        Answered::Standing(pause) => Err(ApiError::PauseOver(Box::new(pause))),
        Answered::NotOffered(pause) => {
            Err(ApiError::invalid("answer", format!("must be one of: {}", pause.options.join(", "))))
        }
    }
}

/// The refusal of an answer that does not say to which question.
pub(crate) async fn which(
    state: &ApiState,
    principal: &Principal,
    session_id: Option<SessionId>,
) -> ApiError {
    let filter = Filter { status: Some(PauseStatus::Open), session_id, owner: principal.changes().owner() };
    match list_pauses(&state.app.db, principal.tenant_id, &filter, None, NAMED).await {
        Ok(mut open) => {
            open.reverse();
            ApiError::PauseAmbiguous(open.iter().map(|p| p.id).collect())
        }
        Err(error) => error.into(),
    }
}
