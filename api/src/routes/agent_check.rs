//! What an agent's definition must hold to be stored or tried.

use crate::error::ApiError;
use crate::invalid::Invalid;
use crate::state::ApiState;
use shared::domain::access::Principal;
use shared::domain::agents::AgentSpec;
use shared::store::{agents, models};

const MAX_NAME_CHARS: usize = 100;
const MAX_ICON_CHARS: usize = 8;
const MAX_STARTERS: usize = 4;
const MAX_STARTER_CHARS: usize = 500;
const MAX_TOOL_ROUNDS: u64 = 1_000;
const MAX_WALL_SECONDS: u64 = 24 * 3_600;
const MAX_CONCURRENT: u64 = 64;
const MAX_BUDGET_TOKENS: u64 = 1_000_000_000_000;

/// An agent can only be told to call agents that whoever tells it sees.
pub(super) async fn check_presets(
    spec: &AgentSpec,
    state: &ApiState,
    principal: &Principal,
) -> Result<(), ApiError> {
    let ids = spec.subagent_config.allowed_preset_agent_ids.as_deref().unwrap_or_default();
    if principal.sees_all_agents() {
        return Ok(());
    }
    let mut invalid = Invalid::default();
    for (n, id) in ids.iter().enumerate() {
        let seen = agents::find_seen(&state.app.db, principal, *id).await?.is_some();
        let field = format!("subagentConfig.allowedPresetAgentIds[{n}]");
        invalid.demand(seen, &field, "there is no such agent");
    }
    invalid.end()
}

/// What of a definition is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Looked {
    /// The tools, which may have been taken away since they were chosen.
    pub tools: bool,
    /// The agents that it may call, which somebody else may have chosen.
    pub presets: bool,
}

impl Looked {
    /// All of it.
    pub const ALL: Self = Self { tools: true, presets: true };
}

/// Refuses a definition with all that is wrong with it.
pub(super) async fn check(
    spec: &AgentSpec,
    state: &ApiState,
    principal: &Principal,
    looked: Looked,
) -> Result<(), ApiError> {
    let mut invalid = Invalid::default();
    invalid.take(super::check_name("name", &spec.name, MAX_NAME_CHARS))?;
    let icon = spec.icon.chars().count() <= MAX_ICON_CHARS && !spec.icon.chars().any(char::is_control);
    invalid.demand(icon, "icon", format!("must be at most {MAX_ICON_CHARS} characters"));
    let few = spec.starters.len() <= MAX_STARTERS;
    invalid.demand(few, "starters", format!("must be at most {MAX_STARTERS}"));
    for (n, starter) in spec.starters.iter().enumerate() {
        let fits = !starter.trim().is_empty() && starter.chars().count() <= MAX_STARTER_CHARS;
        let field = format!("starters[{n}]");
        invalid.demand(fits, &field, format!("must be 1 to {MAX_STARTER_CHARS} characters"));
    }
    let model = models::find(&state.app.db, principal.tenant_id, spec.model_id).await?;
    invalid.demand(model.is_some(), "modelId", "there is no such model");
    invalid.take(check_limits(spec))?;
    if looked.tools {
        invalid.take(check_tools(spec, state))?;
    }
    if looked.presets {
        invalid.take(check_presets(spec, state, principal).await)?;
    }
    invalid.end()
}

pub(super) fn check_limits(spec: &AgentSpec) -> Result<(), ApiError> {
    let mut invalid = Invalid::default();
    let mut within = |field, value: Option<u64>, max: u64| {
        let holds = value.is_none_or(|n| (1..=max).contains(&n));
        invalid.demand(holds, field, format!("must be 1 to {max}"));
    };
    within("maxToolRounds", spec.max_tool_rounds.map(u64::from), MAX_TOOL_ROUNDS);
    within("maxWallSeconds", spec.max_wall_seconds.map(u64::from), MAX_WALL_SECONDS);
    let concurrent = spec.subagent_config.max_concurrent;
    within("subagentConfig.maxConcurrent", concurrent.map(u64::from), MAX_CONCURRENT);
    within("budgetTokens", spec.budget_tokens, MAX_BUDGET_TOKENS);
    let cost = spec.budget_cost.is_none_or(|cost| cost.is_finite() && cost > 0.0);
    invalid.demand(cost, "budgetCost", "must be a number above 0");
    let temperature = spec.temperature.is_none_or(|t| (0.0..=2.0).contains(&t));
    invalid.demand(temperature, "temperature", "must be 0 to 2");
    invalid.end()
}

pub(super) fn check_tools(spec: &AgentSpec, state: &ApiState) -> Result<(), ApiError> {
    let mut invalid = Invalid::default();
    for (n, name) in spec.tools.iter().flatten().enumerate() {
        let known = state.tools.iter().any(|t| t.name == *name);
        invalid.demand(known, &format!("tools[{n}]"), "there is no such tool: see GET /api/tools");
    }
    invalid.end()
}
