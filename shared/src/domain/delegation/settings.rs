//! Which settings of delegation hold for an agent, and where each comes from.
//!
//! Numbers take the first value that is set in agent, global configuration and built-in values, and
//! are then cut to the administrator's maximum. Null inherits, an empty list is none. Blocked names
//! are a union: what is blocked above can't be unblocked below.

use super::{CLARIFY, DELEGATE_PARALLEL, DELEGATE_TASK, Delegation, HANDING_OVER, Preset, READ_RESULT};
use crate::domain::agents::AgentSpec;
use crate::domain::ids::AgentId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who set a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The agent's own definition.
    Agent,
    /// The configuration.
    Global,
    /// Nobody: it is what Neta comes with.
    BuiltIn,
    /// The administrator's maximum, which cut a larger value.
    Maximum,
}

/// A value that holds, and who set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Effective<T> {
    /// The value.
    pub value: T,
    /// Who set it.
    pub from: Origin,
}

/// A tool that subagents never have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Blocked {
    /// The tool.
    pub name: String,
    /// Who blocks it.
    pub from: Origin,
}

/// What the configuration says about delegation; None: nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GlobalDelegation {
    /// Whether chat agents delegate.
    pub enabled: Option<bool>,
    /// Subagents of one run at the same time.
    pub max_concurrent: Option<u32>,
    /// Tasks of one call.
    pub max_tasks: Option<u32>,
    /// Subagents of one run in all.
    pub max_children: Option<u32>,
    /// Tools that subagents never have, besides the built-in ones.
    pub blocked_tool_names: Vec<String>,
    /// Rounds of tool calls of a subagent.
    pub max_tool_rounds: Option<u32>,
    /// Seconds of wall time of a subagent from its start.
    pub max_wall_seconds: Option<u32>,
    /// Seconds that a subagent may be without progress.
    pub idle_seconds: Option<u32>,
    /// What nobody may go beyond.
    pub maxima: Maxima,
}

/// The administrator's maxima; None: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Maxima {
    /// Of subagents of one run at the same time; None: 16.
    pub concurrent: Option<u32>,
    /// Of a subagent's rounds of tool calls.
    pub tool_rounds: Option<u32>,
    /// Of a subagent's seconds of wall time.
    pub wall_seconds: Option<u32>,
}

/// The settings that hold for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EffectiveDelegation {
    /// Whether it delegates.
    pub enabled: Effective<bool>,
    /// Subagents of one run at the same time.
    pub max_concurrent: Effective<u32>,
    /// Tasks of one call.
    pub max_tasks: Effective<u32>,
    /// Subagents of one run in all.
    pub max_children: Effective<u32>,
    /// Stored agents that it may call; null: every agent of the tenant.
    pub allowed_preset_agent_ids: Effective<Option<Vec<AgentId>>>,
    /// Tools that its subagents may have; null: every tool of the scene.
    pub allowed_tool_names: Effective<Option<Vec<String>>>,
    /// Tools that its subagents never have.
    pub blocked_tool_names: Vec<Blocked>,
    /// Rounds of tool calls of a subagent that is a copy of the agent, or of the agent as a subagent.
    pub max_tool_rounds: Effective<u32>,
    /// Seconds of wall time of such a subagent, from its start.
    pub max_wall_seconds: Effective<u32>,
    /// Seconds that a subagent may be without progress.
    pub idle_seconds: Effective<u32>,
}

const ENABLED: bool = true;
const MAX_CONCURRENT: u32 = 3;
const MAX_TASKS: u32 = 16;
const MAX_CHILDREN: u32 = 64;
const MAX_TOOL_ROUNDS: u32 = 20;
const MAX_WALL_SECONDS: u32 = 600;
const IDLE_SECONDS: u32 = 120;
const LIMIT_CONCURRENT: u32 = 16;
/// Tools that no subagent has, whatever anybody allows.
const BLOCKED: [&str; 5] = [DELEGATE_TASK, DELEGATE_PARALLEL, CLARIFY, "memory_save", "memory_recall"];

/// The settings that hold for an agent under this configuration.
pub fn resolve(agent: &AgentSpec, global: &GlobalDelegation) -> EffectiveDelegation {
    let (own, maxima) = (&agent.subagent_config, global.maxima);
    let concurrent = first(own.max_concurrent, global.max_concurrent, MAX_CONCURRENT);
    EffectiveDelegation {
        enabled: enabled(agent, global),
        max_concurrent: capped(concurrent, Some(maxima.concurrent.unwrap_or(LIMIT_CONCURRENT))),
        max_tasks: first(None, global.max_tasks, MAX_TASKS),
        max_children: first(None, global.max_children, MAX_CHILDREN),
        allowed_preset_agent_ids: inherited(own.allowed_preset_agent_ids.as_ref()),
        allowed_tool_names: inherited(own.allowed_tool_names.as_ref()),
        blocked_tool_names: blocked(global),
        max_tool_rounds: capped(
            first(agent.max_tool_rounds, global.max_tool_rounds, MAX_TOOL_ROUNDS),
            maxima.tool_rounds,
        ),
        max_wall_seconds: capped(
            first(agent.max_wall_seconds, global.max_wall_seconds, MAX_WALL_SECONDS),
            maxima.wall_seconds,
        ),
        idle_seconds: first(None, global.idle_seconds, IDLE_SECONDS),
    }
}

/// An agent that lists its tools and names none that delegates does not delegate, unless it says that it
/// does.
fn enabled(agent: &AgentSpec, global: &GlobalDelegation) -> Effective<bool> {
    let lists_none = agent
        .tools
        .as_ref()
        .is_some_and(|list| !HANDING_OVER.iter().any(|name| list.iter().any(|n| n == name)));
    let set = first(agent.subagent_config.enabled, global.enabled, ENABLED);
    match set.from {
        Origin::Agent => set,
        _ if lists_none => Effective { value: false, from: Origin::Agent },
        _ => set,
    }
}

fn first<T>(agent: Option<T>, global: Option<T>, built_in: T) -> Effective<T> {
    match (agent, global) {
        (Some(value), _) => Effective { value, from: Origin::Agent },
        (None, Some(value)) => Effective { value, from: Origin::Global },
        (None, None) => Effective { value: built_in, from: Origin::BuiltIn },
    }
}

fn capped(set: Effective<u32>, maximum: Option<u32>) -> Effective<u32> {
    match maximum {
        Some(maximum) if set.value > maximum => Effective { value: maximum, from: Origin::Maximum },
        _ => set,
    }
}

/// Null at every level is everything.
fn inherited<T: Clone>(agent: Option<&T>) -> Effective<Option<T>> {
    match agent {
        Some(list) => Effective { value: Some(list.clone()), from: Origin::Agent },
        None => Effective { value: None, from: Origin::BuiltIn },
    }
}

fn blocked(global: &GlobalDelegation) -> Vec<Blocked> {
    let built_in = BLOCKED.iter().map(|name| Blocked { name: (*name).to_owned(), from: Origin::BuiltIn });
    let mut all: Vec<Blocked> = built_in.collect();
    for name in &global.blocked_tool_names {
        if !all.iter().any(|b| b.name == *name) {
            all.push(Blocked { name: name.clone(), from: Origin::Global });
        }
    }
    all
}

impl EffectiveDelegation {
    /// What a run keeps; None: it does not delegate.
    pub fn for_run(&self, presets: Vec<Preset>) -> Option<Delegation> {
        self.enabled.value.then(|| Delegation {
            max_concurrent: self.max_concurrent.value,
            max_tasks: self.max_tasks.value,
            max_children: self.max_children.value,
            presets,
            allowed_tool_names: self.allowed_tool_names.value.clone(),
            blocked_tool_names: self.blocked_tool_names.iter().map(|b| b.name.clone()).collect(),
        })
    }
}

/// What a subagent may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChildLimits {
    /// Rounds of tool calls.
    pub max_tool_rounds: u32,
    /// Seconds of wall time from its start.
    pub max_wall_seconds: u32,
    /// Seconds without progress.
    pub idle_seconds: u32,
}

/// What a subagent with this definition may use. The task may lower its rounds, not raise them.
pub fn child_limits(
    definition: &AgentSpec,
    task_rounds: Option<u32>,
    global: &GlobalDelegation,
) -> ChildLimits {
    let settings = resolve(definition, global);
    let rounds = settings.max_tool_rounds.value;
    ChildLimits {
        max_tool_rounds: task_rounds.map_or(rounds, |asked| asked.min(rounds)),
        max_wall_seconds: settings.max_wall_seconds.value,
        idle_seconds: settings.idle_seconds.value,
    }
}

/// The list of tools that narrows a supervisor: the agent's own. An agent that is itself set to
/// delegate has the tools for that beside those that it lists.
pub fn supervisor_tools(agent: &AgentSpec) -> Option<Vec<String>> {
    let mut list = agent.tools.clone()?;
    if agent.subagent_config.enabled == Some(true) {
        for name in HANDING_OVER {
            if !list.iter().any(|n| n == name) {
                list.push(name.to_owned());
            }
        }
    }
    // Whoever delegates may read what came of it.
    if HANDING_OVER.iter().any(|name| list.iter().any(|n| n == name))
        && !list.iter().any(|n| n == READ_RESULT)
    {
        list.push(READ_RESULT.to_owned());
    }
    Some(list)
}
