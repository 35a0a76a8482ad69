//! `/api/runs`: executions, why they wait, and stopping them.

use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::Query;
use crate::state::ApiState;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use shared::app::{self, AppError, runs::Stopped};
use shared::domain::ids::{AgentId, MessageId, PauseId, RunId, SessionId, TenantId, WorkerId};
use shared::domain::journal::Step;
use shared::domain::pauses::{Pause, PauseKind};
use shared::domain::runs::{Reason, Run, RunKind, RunStatus};
use shared::store::runs::{self, Filter};
use shared::store::{pauses, subagents};
use utoipa::ToSchema;

/// Runs of a session among which the one in the way is looked for.
const NEIGHBOURS: u32 = 100;

/// A run as stored.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// Primary key.
    pub id: RunId,
    /// Its session.
    pub session_id: SessionId,
    /// What it executes.
    pub kind: RunKind,
    /// The run that delegated it.
    pub parent_run_id: Option<RunId>,
    /// The top of its tree.
    pub root_run_id: RunId,
    /// The agent.
    pub agent_id: AgentId,
    /// The message it answers.
    pub user_message_id: MessageId,
    /// The answer's message.
    pub assistant_message_id: MessageId,
    /// Where it stands.
    pub status: RunStatus,
    /// Why it waits, or how it ended.
    pub reason: Option<Reason>,
    /// Why somebody wants it stopped.
    pub cancel_reason: Option<Reason>,
    /// Times that a worker began since the last stored step.
    pub attempts: i32,
    /// Entries of its journal.
    pub step_count: i64,
    /// Who works on it.
    pub lease_owner: Option<WorkerId>,
    /// When that right ends, unless it is renewed.
    pub lease_expires_at: Option<DateTime<Utc>>,
    /// Not before this.
    pub due_at: DateTime<Utc>,
    /// Its trace.
    pub traceparent: Option<String>,
    /// When it was accepted.
    pub create_time: DateTime<Utc>,
    /// When a worker first began it.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
}

impl From<Run> for RunView {
    fn from(r: Run) -> Self {
        Self {
            id: r.id,
            session_id: r.session_id,
            kind: r.kind,
            parent_run_id: r.parent_run_id,
            root_run_id: r.root_run_id,
            agent_id: r.agent_id,
            user_message_id: r.user_message_id,
            assistant_message_id: r.assistant_message_id,
            status: r.status,
            reason: r.reason,
            cancel_reason: r.cancel_reason,
            attempts: r.attempts,
            step_count: r.step_count,
            lease_owner: r.lease_owner,
            lease_expires_at: r.lease_expires_at,
            due_at: r.due_at,
            traceparent: r.traceparent,
            create_time: r.create_time,
            started_at: r.started_at,
            ended_at: r.ended_at,
        }
    }
}

/// Why a run that has not ended does not run.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Why {
    /// An earlier turn of the session is live.
    #[serde(rename_all = "camelCase")]
    SessionBusy {
        /// The run in the way.
        run_id: RunId,
        /// Turns of the session that come first, that one included.
        ahead: u32,
    },
    /// The model's concurrency, rate or Retry-After.
    #[serde(rename_all = "camelCase")]
    ModelLimit {
        /// When it asks again at the latest.
        until: DateTime<Utc>,
    },
    /// It is not due yet.
    #[serde(rename_all = "camelCase")]
    NotDue {
        /// When it is.
        until: DateTime<Utc>,
    },
    /// Its supervisor has as many subagents at work as it may.
    #[serde(rename_all = "camelCase")]
    ParentConcurrency {
        /// Subagents that may be at work at the same time.
        limit: u32,
        /// Those that are.
        active: u32,
        /// Subagents that are held back, too, and begin before it.
        ahead: u32,
    },
    /// Its subagents work.
    #[serde(rename_all = "camelCase")]
    Children {
        /// Those that have not ended.
        live: u32,
    },
    /// A person was asked, and has not answered.
    #[serde(rename_all = "camelCase")]
    Question {
        /// The questions.
        pause_ids: Vec<PauseId>,
    },
    /// Tokens or money of its whole tree are used up, and a person was asked.
    #[serde(rename_all = "camelCase")]
    Budget {
        /// The question; missing where another run of the tree asked it.
        pause_ids: Vec<PauseId>,
    },
    /// No worker is alive.
    NoWorker,
    /// A worker takes it as soon as it has a free slot.
    NextFreeSlot,
}

/// A run with its journal.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunDetail {
    /// The run.
    #[serde(flatten)]
    pub run: RunView,
    /// Why it waits, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Its journal in order: model responses, tool results, notes.
    #[schema(value_type = Vec<Object>)]
    pub steps: Vec<Step>,
}

/// Which runs.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct RunsQuery {
    /// Where they stand.
    status: Option<RunStatus>,
    /// Why they wait or how they ended; `poisoned` is the dead list.
    reason: Option<Reason>,
    /// What they execute.
    kind: Option<RunKind>,
    /// Whose they are.
    session_id: Option<SessionId>,
    /// The run that delegated them.
    parent_run_id: Option<RunId>,
    /// Runs on a page: 50 if not given, at most 200.
    limit: Option<u32>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// Lists runs, newest first.
#[utoipa::path(get, path = "/api/runs", tag = "runs", security(("token" = ["session:view"])), params(RunsQuery),
    responses((status = 200, body = Page<RunView>), (status = 400, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    Query(query): Query<RunsQuery>,
) -> Result<axum::Json<Page<RunView>>, ApiError> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let filter = Filter {
        status: query.status,
        reason: query.reason,
        kind: query.kind,
        session_id: query.session_id,
        parent_run_id: query.parent_run_id,
        owner: principal.sees().owner(),
    };
    let limit = page.limit()?;
    let rows = runs::list(&state.app.db, principal.tenant_id, &filter, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |r| r.id, RunView::from)))
}

/// Shows a run, its journal, and why it waits.
#[utoipa::path(get, path = "/api/runs/{id}", tag = "runs", security(("token" = ["session:view"])), params(("id" = RunId, Path)), responses(
    (status = 200, body = RunDetail), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object: run, principal, .. }: Of<Run, policy::SessionView>,
) -> Result<axum::Json<RunDetail>, ApiError> {
    let journal = runs::steps(&state.app.db, principal.tenant_id, run.id).await?;
    let steps = journal.ok_or(ApiError::NotFound("run"))?.steps;
    let why = why(&state, principal.tenant_id, &run).await?;
    Ok(axum::Json(RunDetail { run: run.into(), why, steps }))
}

async fn why(state: &ApiState, tenant_id: TenantId, run: &Run) -> Result<Option<Why>, ApiError> {
    match run.status {
        RunStatus::Queued => why_queued(state, tenant_id, run).await.map(Some),
        RunStatus::Held => why_held(state, tenant_id, run).await,
        RunStatus::Waiting => {
            let children = subagents::of_run(&state.app.db, run.id).await?;
            let live = children.iter().filter(|c| !c.status.is_terminal()).count() as u32;
            Ok(Some(Why::Children { live }))
        }
        RunStatus::Paused => why_paused(state, run).await.map(Some),
        RunStatus::Running | RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => Ok(None),
    }
}

async fn why_held(state: &ApiState, tenant_id: TenantId, run: &Run) -> Result<Option<Why>, ApiError> {
    let db = &state.app.db;
    let Some(parent_id) = run.parent_run_id else { return Ok(None) };
    let Some(parent) = runs::find(db, tenant_id, parent_id).await? else { return Ok(None) };
    let filter = Filter { parent_run_id: Some(parent_id), ..Filter::default() };
    let children = runs::list(db, tenant_id, &filter, None, NEIGHBOURS).await?;
    let active = children.iter().filter(|c| !c.status.is_terminal() && c.status != RunStatus::Held);
    let ahead = children.iter().filter(|c| c.status == RunStatus::Held && c.id < run.id);
    let limit = parent.snapshot.and_then(|s| s.delegation).map_or(1, |d| d.max_concurrent);
    Ok(Some(Why::ParentConcurrency { limit, active: active.count() as u32, ahead: ahead.count() as u32 }))
}

async fn why_paused(state: &ApiState, run: &Run) -> Result<Why, ApiError> {
    // The question of a budget belongs to the top of the tree.
    let asker = if run.reason == Some(Reason::Budget) { run.root_run_id } else { run.id };
    let open = pauses::open_of_run(&state.app.db, asker).await?;
    let is_budget = |p: &Pause| p.kind == PauseKind::Budget;
    if run.reason == Some(Reason::Budget) {
        return Ok(Why::Budget { pause_ids: open.into_iter().filter(is_budget).map(|p| p.id).collect() });
    }
    Ok(Why::Question { pause_ids: open.into_iter().map(|p| p.id).collect() })
}

async fn why_queued(state: &ApiState, tenant_id: TenantId, run: &Run) -> Result<Why, ApiError> {
    let filter = turns_of(Some(run.session_id));
    // A subagent waits for no turn: its own stands before it.
    let before = match run.kind {
        RunKind::Subagent => Vec::new(),
        _ => runs::list(&state.app.db, tenant_id, &filter, Some(run.id), NEIGHBOURS).await?,
    };
    let unended: Vec<RunId> = before.iter().filter(|r| !r.status.is_terminal()).map(|r| r.id).collect();
    // Newest first.
    if let Some(&run_id) = unended.last() {
        return Ok(Why::SessionBusy { run_id, ahead: unended.len() as u32 });
    }
    let now = state.app.clock.now();
    if run.due_at > now {
        let until = run.due_at;
        let limited = run.reason == Some(Reason::ModelLimit);
        return Ok(if limited { Why::ModelLimit { until } } else { Why::NotDue { until } });
    }
    let alive = super::catalogue::alive(state).await?;
    Ok(if alive.is_empty() { Why::NoWorker } else { Why::NextFreeSlot })
}

/// The runs that stand in line in a session: those of its turns.
fn turns_of(session_id: Option<SessionId>) -> Filter {
    Filter { session_id, kind: Some(RunKind::Chat), ..Filter::default() }
}

/// Names the run in the way of a message that was refused because its session is busy.
pub async fn name_blocker(
    state: &ApiState,
    tenant_id: TenantId,
    session_id: Option<SessionId>,
    error: AppError,
) -> ApiError {
    let error = ApiError::from(error);
    if session_id.is_none() || !matches!(error, ApiError::Busy { .. }) {
        return error;
    }
    let filter = turns_of(session_id);
    match runs::list(&state.app.db, tenant_id, &filter, None, NEIGHBOURS).await {
        Ok(all) => {
            ApiError::Busy { run_id: all.iter().rev().find(|r| !r.status.is_terminal()).map(|r| r.id) }
        }
        Err(_) => error,
    }
}

/// What became of a wish to stop.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StopAnswer {
    /// The run.
    pub run_id: RunId,
    /// `ended`: it is over now; `stopping`: its worker was told; `already_over`: it had ended.
    pub outcome: &'static str,
}

impl StopAnswer {
    /// Of a run.
    pub fn of(run_id: RunId, stopped: Stopped) -> Self {
        let outcome = match stopped {
            Stopped::Ended => "ended",
            Stopped::Stopping => "stopping",
            Stopped::AlreadyOver => "already_over",
        };
        Self { run_id, outcome }
    }
}

/// Stops a run, whatever state it is in. Its text so far is kept.
#[utoipa::path(post, path = "/api/runs/{id}/stop", tag = "runs", security(("token" = ["session:chat"])), params(("id" = RunId, Path)), responses(
    (status = 200, body = StopAnswer), (status = 404, body = Problem)))]
pub async fn stop(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Run, policy::SessionChat>,
    Acting(by): Acting,
) -> Result<axum::Json<StopAnswer>, ApiError> {
    let stopped = app::runs::stop(&state.app, principal.tenant_id, by, object.id).await?;
    Ok(axum::Json(StopAnswer::of(object.id, stopped)))
}
