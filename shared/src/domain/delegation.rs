//! What a supervisor may delegate, and what its tree may use: the settings that a run keeps.

use super::ids::AgentId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A supervisor's settings as resolved when its run began.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Delegation {
    /// Subagents of the run at the same time.
    pub max_concurrent: u32,
    /// Tasks of one call.
    pub max_tasks: u32,
    /// Subagents of the run in all.
    pub max_children: u32,
    /// The stored agents that it may call.
    pub presets: Vec<Preset>,
    /// Tools that its subagents may have; None: all of the scene.
    pub allowed_tool_names: Option<Vec<String>>,
    /// Tools that they never have.
    pub blocked_tool_names: Vec<String>,
}

/// A stored agent that a supervisor may call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// Its id.
    pub id: AgentId,
    /// Its name.
    pub name: String,
    /// What it is good for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

/// What a tree of runs may use; None: as much as it likes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    /// Tokens of all its calls, prompt and answer together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Price of all its calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
}

impl Budget {
    /// Nothing bounds it.
    pub fn is_unlimited(&self) -> bool {
        self.max_tokens.is_none() && self.max_cost.is_none()
    }
}

/// One goal that a delegating call hands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What is to be done.
    pub goal: String,
    /// What the subagent is told besides.
    pub context: Option<String>,
    /// The stored agent that is to do it; None: a copy of the supervisor.
    pub preset: Option<AgentId>,
    /// Tools that it is narrowed to; None: no narrowing.
    pub tool_names: Option<Vec<String>>,
    /// Rounds of tool calls; None: the definition's.
    pub max_tool_rounds: Option<u32>,
}

/// What a call asks of the engine instead of an answer of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handover {
    /// To subagents.
    Delegate {
        /// Shown to people.
        title: String,
        /// In order; at least one.
        tasks: Vec<Task>,
    },
    /// To a person.
    Ask {
        /// In words.
        question: String,
        /// Answers to choose from; may be empty.
        options: Vec<String>,
    },
}
