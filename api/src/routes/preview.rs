//! `POST /api/agents/preview-prompt`: what an agent would be told and given in a scene, before it is
//! saved.

use super::agent_check::{check_limits, check_presets, check_tools};
use crate::auth::{May, policy};
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::state::{ApiState, ShownTool};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use shared::domain::agents::{AgentSpec, SubagentConfig};
use shared::domain::delegation::{
    self, Delegation, EffectiveDelegation, Origin, child_message, child_prompt, language_of,
    supervisor_prompt, supervisor_tools,
};
use shared::domain::ids::{AgentId, ModelId};
use shared::domain::tools::{Narrowing, Refusal, Scene};
use shared::store::snapshots;
use utoipa::ToSchema;

/// An agent that need not be stored, and where it would run. Other values of an agent are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRequest {
    /// If it is stored: it is left out of the agents that it may call.
    #[serde(default)]
    pub id: Option<AgentId>,
    /// As of an agent.
    #[serde(default)]
    pub system_prompt: String,
    /// As of an agent.
    #[serde(default)]
    pub tools: Option<Vec<String>>,
    /// As of an agent.
    #[serde(default)]
    pub subagent_config: SubagentConfig,
    /// As of an agent.
    #[serde(default)]
    pub max_tool_rounds: Option<u32>,
    /// As of an agent.
    #[serde(default)]
    pub max_wall_seconds: Option<u32>,
    /// Where it would run. Left out: `supervisor` if it may delegate, else `plain`.
    #[serde(default)]
    pub scene: Option<Scene>,
    /// What it would be asked as a subagent.
    #[serde(default)]
    pub goal: Option<String>,
    /// What it would be told besides as a subagent.
    #[serde(default)]
    pub context: Option<String>,
}

/// What the agent would be told and given.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Where it would run.
    pub scene: Scene,
    /// The whole of it.
    pub system_prompt: String,
    /// The user message of a subagent, if there is a goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_message: Option<String>,
    /// The tools as the model would see them; these and no others can run.
    pub tools: Vec<ShownTool>,
    /// The tools that it would not have.
    pub blocked_tools: Vec<BlockedTool>,
    /// The settings of delegation that hold, and where each comes from.
    pub effective_subagent_config: EffectiveDelegation,
}

/// A tool that the agent would not have.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlockedTool {
    /// Its name.
    pub name: String,
    /// Why not.
    pub reason: Refusal,
    /// Who blocks it, if it is blocked by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
}

/// Shows the prompt and the tools that an agent would have in a scene, without saving it.
#[utoipa::path(post, path = "/api/agents/preview-prompt", tag = "agents", security(("token" = ["agent:view"])), request_body = PreviewRequest,
    responses(
        (status = 200, body = Preview),
        (status = 400, description = "A value can't be used", body = Problem)))]
pub async fn prompt(
    State(state): State<ApiState>,
    principal: May<policy::AgentView>,
    Json(request): Json<PreviewRequest>,
) -> Result<axum::Json<Preview>, ApiError> {
    let spec = spec_of(&request);
    check_limits(&spec)?;
    check_tools(&spec, &state)?;
    check_presets(&spec, &state, &principal).await?;
    let settings = delegation::resolve(&spec, &state.config.delegation);
    let presets = match &settings.allowed_preset_agent_ids.value {
        _ if !settings.enabled.value => Vec::new(),
        allowed => {
            let db = &state.app.db;
            snapshots::allowed_presets(db, principal.tenant_id, request.id, allowed.as_deref()).await?
        }
    };
    let own = settings.for_run(presets);
    let scene = request.scene.unwrap_or(if own.is_some() { Scene::Supervisor } else { Scene::Plain });
    Ok(axum::Json(shown(&state, &request, &spec, scene, own.as_ref(), settings)))
}

fn spec_of(request: &PreviewRequest) -> AgentSpec {
    AgentSpec {
        system_prompt: request.system_prompt.clone(),
        tools: request.tools.clone(),
        subagent_config: request.subagent_config.clone(),
        max_tool_rounds: request.max_tool_rounds,
        max_wall_seconds: request.max_wall_seconds,
        ..AgentSpec::plain("", ModelId(0))
    }
}

fn shown(
    state: &ApiState,
    request: &PreviewRequest,
    spec: &AgentSpec,
    scene: Scene,
    own: Option<&Delegation>,
    settings: EffectiveDelegation,
) -> Preview {
    let listed = if scene == Scene::Supervisor { supervisor_tools(spec) } else { spec.tools.clone() };
    let blocked: Vec<String> = settings.blocked_tool_names.iter().map(|b| b.name.clone()).collect();
    let by = match scene {
        // As a copy that the agent itself makes.
        Scene::Subagent => Narrowing {
            agent: listed.as_deref(),
            parent: settings.allowed_tool_names.value.as_deref(),
            request: None,
            blocked: &blocked,
        },
        _ => Narrowing { agent: listed.as_deref(), ..Narrowing::default() },
    };
    let delegation = own.filter(|_| scene == Scene::Supervisor);
    let found = state.toolboxes.show(scene, by, delegation);
    let delegates = delegation::HANDING_OVER.iter().any(|name| found.tools.iter().any(|t| t.name == *name));
    let goal = request.goal.as_deref().filter(|_| scene == Scene::Subagent);
    let system_prompt = match scene {
        Scene::Subagent => child_prompt(&spec.system_prompt, language_of(goal.unwrap_or_default())),
        Scene::Supervisor if delegates => supervisor_prompt(&spec.system_prompt),
        _ => spec.system_prompt.clone(),
    };
    let from = |name: &str| settings.blocked_tool_names.iter().find(|b| b.name == name).map(|b| b.from);
    let blocked_tools = found
        .refused
        .into_iter()
        .map(|(name, reason)| BlockedTool {
            from: if reason == Refusal::Blocked { from(&name) } else { None },
            name,
            reason,
        })
        .collect();
    Preview {
        scene,
        system_prompt,
        user_message: goal.map(|goal| child_message(goal, request.context.as_deref())),
        tools: found.tools,
        blocked_tools,
        effective_subagent_config: settings,
    }
}
