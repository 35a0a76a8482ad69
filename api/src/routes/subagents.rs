//! `/api/subagents`: delegated goals, what each did, and stopping one.

use super::page::{Page, PageQuery};
use super::runs::StopAnswer;
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::Query;
use crate::state::ApiState;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use shared::app::{self, subagent_view::Detail};
use shared::domain::access::Principal;
use shared::domain::conversation::TokenUsage;
use shared::domain::ids::{AgentId, MessageId, RunId, SessionId, SubagentId};
use shared::domain::journal::Step;
use shared::domain::permissions::Permission;
use shared::domain::runs::Reason;
use shared::domain::subagents::{SourceType, Subagent, SubagentStatus};
use shared::store::agents;
use shared::store::subagents::{self, Filter};
use utoipa::ToSchema;

/// A subagent as stored.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubagentView {
    /// Primary key, and that of its run.
    pub id: SubagentId,
    /// Its session.
    pub session_id: SessionId,
    /// The assistant message that it works for.
    pub parent_message_id: MessageId,
    /// The run that delegated it.
    pub parent_run_id: RunId,
    /// The call that delegated it.
    pub batch_id: String,
    /// The supervisor.
    pub parent_agent_id: AgentId,
    /// Its own run.
    pub run_id: RunId,
    /// Whose definition it has.
    pub source_type: SourceType,
    /// The stored agent, if it has one's definition.
    pub agent_id: Option<AgentId>,
    /// Shown to people.
    pub name: String,
    /// What it is to do, whole.
    pub goal: String,
    /// What it is told besides.
    pub context: Option<String>,
    /// Where it stands.
    pub status: SubagentStatus,
    /// How it ended, where there is more to say.
    pub exit_reason: Option<Reason>,
    /// The provider's name of its model.
    pub model: String,
    /// The tools that it has.
    pub tool_names: Vec<String>,
    /// Its answer, whole.
    pub summary: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// Tokens of its finished calls.
    pub token_usage: Option<TokenUsage>,
    /// Price of its calls, where the model has prices.
    pub cost: Option<f64>,
    /// Tool calls that it made; None while it is live.
    pub tool_call_count: Option<u32>,
    /// Place in its batch, from 0.
    pub sort_order: u32,
    /// When a worker first began it.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// When it was delegated.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl From<Subagent> for SubagentView {
    fn from(s: Subagent) -> Self {
        Self {
            id: s.id,
            session_id: s.session_id,
            parent_message_id: s.parent_message_id,
            parent_run_id: s.parent_run_id,
            batch_id: s.parent_tool_call_id,
            parent_agent_id: s.parent_agent_id,
            run_id: s.run_id,
            source_type: s.source_type,
            agent_id: s.preset_agent_id,
            name: s.name,
            goal: s.goal,
            context: s.context,
            status: s.status,
            exit_reason: s.exit_reason,
            model: s.model,
            tool_names: s.tool_names,
            summary: s.summary,
            error: s.error,
            token_usage: s.token_usage,
            cost: s.result_payload.as_ref().and_then(|p| p.cost),
            tool_call_count: s.result_payload.map(|p| p.tool_call_count),
            sort_order: s.sort_order,
            started_at: s.started_at,
            ended_at: s.ended_at,
            create_time: s.create_time,
            update_time: s.update_time,
        }
    }
}

/// The limits that hold for a subagent; None: the configured default.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubagentLimits {
    /// Rounds of tool calls.
    pub max_tool_rounds: Option<u32>,
    /// Seconds of wall time from its start.
    pub max_wall_seconds: Option<u32>,
    /// Tokens of one answer of its model.
    pub max_output_tokens: Option<u32>,
    /// Tokens that its model can read at once.
    pub context_window: Option<u32>,
}

/// A subagent with all that it did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubagentDetail {
    /// The subagent.
    #[serde(flatten)]
    pub subagent: SubagentView,
    /// The top of its tree.
    pub root_run_id: RunId,
    /// The message of the user that the tree answers.
    pub user_message_id: MessageId,
    /// The prompt that it was given; null for those who may not see how its agent is made.
    pub system_prompt: Option<String>,
    /// The limits that hold for it.
    pub limits: Option<SubagentLimits>,
    /// Tokens of its finished calls, also while it is live.
    pub usage: Option<TokenUsage>,
    /// What it said, called and was answered, in order.
    #[schema(value_type = Vec<Object>)]
    pub transcript: Vec<Step>,
}

impl From<Detail> for SubagentDetail {
    fn from(detail: Detail) -> Self {
        let view = app::subagent_view::of(&detail);
        let Detail { subagent, run, journal } = detail;
        let limits = run.snapshot.as_ref().map(|s| SubagentLimits {
            max_tool_rounds: s.agent.max_tool_rounds,
            max_wall_seconds: s.agent.max_wall_seconds,
            max_output_tokens: s.model.limits.max_output_tokens,
            context_window: s.model.limits.context_window,
        });
        Self {
            subagent: subagent.into(),
            root_run_id: run.root_run_id,
            user_message_id: run.user_message_id,
            system_prompt: run.snapshot.map(|s| s.agent.system_prompt),
            limits,
            usage: view.usage,
            transcript: journal.steps,
        }
    }
}

/// Which subagents.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct SubagentsQuery {
    /// Whose they are.
    session_id: Option<SessionId>,
    /// Where they stand.
    status: Option<SubagentStatus>,
    /// Subagents on a page: 50 if not given, at most 200.
    limit: Option<u32>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// Lists subagents, newest first.
#[utoipa::path(get, path = "/api/subagents", tag = "subagents", security(("token" = ["session:view"])), params(SubagentsQuery),
    responses((status = 200, body = Page<SubagentView>), (status = 400, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    Query(query): Query<SubagentsQuery>,
) -> Result<axum::Json<Page<SubagentView>>, ApiError> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let filter =
        Filter { session_id: query.session_id, status: query.status, owner: principal.sees().owner() };
    let limit = page.limit()?;
    let rows = subagents::list(&state.app.db, principal.tenant_id, &filter, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |s| s.id, SubagentView::from)))
}

/// Whether the subagent's prompt is shown: it is the agent's, with guidance after it.
async fn sees_prompt(state: &ApiState, principal: &Principal, subagent: &Subagent) -> Result<bool, ApiError> {
    if !principal.may(Permission::AgentView) {
        return Ok(false);
    }
    if principal.sees_all_agents() {
        return Ok(true);
    }
    let agent_id = subagent.preset_agent_id.unwrap_or(subagent.parent_agent_id);
    Ok(agents::find_seen(&state.app.db, principal, agent_id).await?.is_some())
}

/// Shows a subagent: what it was told, what it may, what it did, and what it used.
#[utoipa::path(get, path = "/api/subagents/{id}", tag = "subagents", security(("token" = ["session:view"])), params(("id" = SubagentId, Path)),
    responses((status = 200, body = SubagentDetail), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Subagent, policy::SessionView>,
) -> Result<axum::Json<SubagentDetail>, ApiError> {
    let detail = app::subagent_view::detail(&state.app, principal.tenant_id, object.id).await?;
    let mut detail = SubagentDetail::from(detail);
    if !sees_prompt(&state, &principal, &object).await? {
        detail.system_prompt = None;
    }
    Ok(axum::Json(detail))
}

/// Stops one subagent. The others go on, and the supervisor learns of it.
#[utoipa::path(post, path = "/api/subagents/{id}/stop", tag = "subagents", security(("token" = ["session:chat"])), params(("id" = SubagentId, Path)),
    responses((status = 200, body = StopAnswer), (status = 404, body = Problem)))]
pub async fn stop(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Subagent, policy::SessionChat>,
    Acting(by): Acting,
) -> Result<axum::Json<StopAnswer>, ApiError> {
    let run_id = object.run_id;
    let stopped = app::runs::stop_subagent(&state.app, principal.tenant_id, by, object.id).await?;
    Ok(axum::Json(StopAnswer::of(run_id, stopped)))
}
