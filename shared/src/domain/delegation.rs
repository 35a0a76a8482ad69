//! What a supervisor may delegate, and what its tree may use: the settings that a run keeps.

mod prompts;
mod settings;
#[cfg(test)]
mod tests;

pub use prompts::{GUIDANCE, batch_title, child_message, child_prompt, language_of, supervisor_prompt};
pub use settings::{
    Blocked, ChildLimits, Effective, EffectiveDelegation, GlobalDelegation, Maxima, Origin, child_limits,
    resolve, supervisor_tools,
};

use super::ids::AgentId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The tool that hands over one goal.
pub const DELEGATE_TASK: &str = "delegate_task";
/// The tool that hands over several goals at once.
pub const DELEGATE_PARALLEL: &str = "delegate_parallel";
/// Both of them, in the order in which models see them.
pub const HANDING_OVER: [&str; 2] = [DELEGATE_PARALLEL, DELEGATE_TASK];
/// The tool that reads a subagent's whole answer.
pub const READ_RESULT: &str = "read_result";
/// The tool that asks the user.
pub const CLARIFY: &str = "clarify";

/// The most stored agents that a supervisor may choose from.
pub const MAX_PRESETS: u32 = 50;
/// The most characters of a stored agent's name and description that a supervisor is told.
pub const PRESET_CHARS: usize = 200;

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
