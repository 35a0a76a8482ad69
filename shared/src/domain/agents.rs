//! A stored agent definition.

use super::ids::{AgentId, ModelId, TenantId, UserId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An agent as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Primary key.
    pub id: AgentId,
    /// Owner.
    pub tenant_id: TenantId,
    /// Who made it; None: the operator, or somebody who was removed.
    pub owner_user_id: Option<UserId>,
    /// Who sees it.
    pub visibility: Visibility,
    /// What a person sets.
    pub spec: AgentSpec,
    /// Counts changes, for optimistic locking.
    pub version: i64,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
    /// The name of its model, as people know it.
    pub model_name: String,
    /// When a run of it last began, to the minute; None: never yet.
    pub last_run_time: Option<DateTime<Utc>>,
}

/// Who sees an agent, besides those who see all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// All of the tenant.
    #[default]
    Tenant,
    /// Who made it, and those that it is shared with.
    Shared,
}

impl Visibility {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tenant => "tenant",
            Self::Shared => "shared",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Tenant, Self::Shared].into_iter().find(|v| v.as_str() == text)
    }
}

/// What a person sets about an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentSpec {
    /// Unique for the tenant.
    pub name: String,
    /// For people and for supervisors that may choose this agent.
    #[serde(default)]
    pub description: String,
    /// May be empty.
    #[serde(default)]
    pub system_prompt: String,
    /// The model it uses.
    pub model_id: ModelId,
    /// Names of tools; None: every tool of the scene; empty: none.
    #[serde(default)]
    pub tools: Option<Vec<String>>,
    /// Delegation; absent values inherit.
    #[serde(default)]
    pub subagent_config: SubagentConfig,
    /// Rounds of tool calls in one run; None: the configured default.
    #[serde(default)]
    pub max_tool_rounds: Option<u32>,
    /// Seconds of wall time of one run from its start; None: the configured default.
    #[serde(default)]
    pub max_wall_seconds: Option<u32>,
    /// Tokens that a turn and its subagents may use together; None: the configured default.
    #[serde(default)]
    pub budget_tokens: Option<u64>,
    /// What they may cost together, in the currency of the models' prices; None: the configured default.
    #[serde(default)]
    pub budget_cost: Option<f64>,
    /// Sampling temperature; None: the provider's default.
    #[serde(default)]
    pub temperature: Option<f32>,
    /// Leads a crew.
    #[serde(default)]
    pub is_crew_master: bool,
    /// Shown beside the name, as an emoji; empty: none.
    #[serde(default)]
    pub icon: String,
    /// Whether it is for everybody who sees it. Else only those who may edit it see it and talk to it, and
    /// no agent calls it.
    #[serde(default = "published")]
    pub published: bool,
    /// Sample questions that a new conversation offers.
    #[serde(default)]
    pub starters: Vec<String>,
}

fn published() -> bool {
    true
}

impl AgentSpec {
    /// An agent without a prompt that inherits everything and has every tool of its scene.
    pub fn plain(name: &str, model_id: ModelId) -> Self {
        Self {
            name: name.to_owned(),
            description: String::new(),
            system_prompt: String::new(),
            model_id,
            tools: None,
            subagent_config: SubagentConfig::default(),
            max_tool_rounds: None,
            max_wall_seconds: None,
            budget_tokens: None,
            budget_cost: None,
            temperature: None,
            is_crew_master: false,
            icon: String::new(),
            published: true,
            starters: Vec::new(),
        }
    }
}

/// An agent's own settings for delegation; None inherits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SubagentConfig {
    /// Whether it may delegate.
    pub enabled: Option<bool>,
    /// Children of one run at the same time.
    pub max_concurrent: Option<u32>,
    /// Agents it may call by id.
    pub allowed_preset_agent_ids: Option<Vec<AgentId>>,
    /// Tools its subagents may use.
    pub allowed_tool_names: Option<Vec<String>>,
}
