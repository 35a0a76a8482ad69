//! `delegate_parallel` and `delegate_task`: hand goals over to subagents. A supervisor's own pair
//! says whom it may call and how much; what it says is what is checked.

mod agents;
mod arguments;

use super::{Call, Output, Special, Supervisor, Tool};
use agents::listing;
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use shared::domain::delegation::{
    DELEGATE_PARALLEL, DELEGATE_TASK, Delegation, Handover, Preset, batch_title,
};
use shared::domain::tools::{Effect, Flags};
use std::sync::Arc;

/// Either of the two.
pub struct Delegate {
    shape: Shape,
    rules: Rules,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One goal.
    Single,
    /// A list of goals.
    Parallel,
}

/// What one supervisor may delegate. By default nothing: the tool as the catalogue has it.
#[derive(Debug, Clone, Default)]
struct Rules {
    delegation: Delegation,
    clone_tools: Vec<String>,
    preset_tools: Vec<String>,
}

impl Delegate {
    /// `delegate_task`.
    pub fn single() -> Self {
        Self { shape: Shape::Single, rules: Rules::default() }
    }

    /// `delegate_parallel`.
    pub fn parallel() -> Self {
        Self { shape: Shape::Parallel, rules: Rules::default() }
    }

    fn text(&self) -> String {
        let Delegation { max_concurrent, max_tasks, max_children, .. } = self.rules.delegation;
        match self.shape {
            Shape::Single => {
                format!("{} You can have at most {max_children} subagents in all.", self.description())
            }
            Shape::Parallel => format!(
                "{} At most {max_tasks} tasks in one call; {max_concurrent} work at the same time, the \
                 others follow. You can have at most {max_children} subagents in all.",
                self.description()
            ),
        }
    }
}

#[async_trait]
impl Tool for Delegate {
    fn name(&self) -> &'static str {
        match self.shape {
            Shape::Single => DELEGATE_TASK,
            Shape::Parallel => DELEGATE_PARALLEL,
        }
    }

    fn description(&self) -> &'static str {
        match self.shape {
            Shape::Single => {
                "Hands one goal to a subagent, waits for it, and gives you its summary. For several \
                 independent goals use delegate_parallel."
            }
            Shape::Parallel => {
                "Hands several independent goals to subagents that work at the same time, waits for all of \
                 them, and gives you their summaries in the order of the tasks."
            }
        }
    }

    fn parameters(&self) -> Value {
        match self.shape {
            Shape::Single => self.rules.task_schema(),
            Shape::Parallel => json!({
                "type": "object",
                "properties": {
                    "tasks": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": self.rules.delegation.max_tasks,
                        "items": self.rules.task_schema()
                    }
                },
                "required": ["tasks"],
                "additionalProperties": false
            }),
        }
    }

    fn flags(&self) -> Flags {
        Flags { delegates: true, ..Flags::default() }
    }

    fn effect(&self) -> Effect {
        // One call delegates once: its run stores the batch under the call's id.
        Effect::Idempotent
    }

    fn hands_over(&self) -> bool {
        true
    }

    fn for_supervisor(&self, supervisor: &Supervisor<'_>) -> Option<Special> {
        let rules = Rules {
            delegation: supervisor.delegation.clone(),
            clone_tools: supervisor.clone_tools.clone(),
            preset_tools: supervisor.preset_tools.clone(),
        };
        let own = Self { shape: self.shape, rules };
        Some(Special { description: own.text(), parameters: own.parameters(), tool: Arc::new(own) })
    }

    fn tidy(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, String> {
        match self.shape {
            Shape::Single => {
                arguments::tidy_task(arguments, "", &self.rules).map_err(|refusal| refused(&refusal))
            }
            Shape::Parallel => {
                arguments::tidy_tasks(arguments, &self.rules).map_err(|refusal| refused(&refusal))
            }
        }
    }

    async fn run(&self, call: Call) -> Output {
        let tasks = match self.shape {
            Shape::Single => arguments::task(&call.arguments, "", &self.rules).map(|task| vec![task]),
            Shape::Parallel => arguments::tasks(&call.arguments, &self.rules),
        };
        match tasks {
            Ok(tasks) => Output::handover(Handover::Delegate { title: batch_title(&tasks), tasks }),
            Err(refusal) => Output::error(refused(&refusal)),
        }
    }
}

/// What the model is told of a call that was refused as a whole.
fn refused(refusal: &str) -> String {
    format!("Nothing was delegated: {refusal}")
}

/// Characters of a goal, and of a context, at most.
const MAX_TEXT_CHARS: usize = 100_000;
/// Rounds that a task may ask for at most; its agent's own limit holds too.
const MAX_ROUNDS: u32 = 1_000;

impl Rules {
    fn task_schema(&self) -> Value {
        let mut properties = json!({
            "goal": {
                "type": "string",
                "minLength": 1,
                "maxLength": MAX_TEXT_CHARS,
                "description": "What is to be done, complete in itself: the subagent sees nothing of this conversation."
            },
            "context": {
                "type": "string",
                "maxLength": MAX_TEXT_CHARS,
                "description": "Facts and texts that the goal needs."
            },
            "toolNames": {
                "type": "array",
                "items": {"type": "string"},
                "description": self.tools_text()
            },
            "maxToolRounds": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_ROUNDS,
                "description": "Lowers how often the subagent may call tools."
            }
        });
        // Who may call nobody is not told of anybody.
        if let (Some(known), false) = (properties.as_object_mut(), self.presets().is_empty()) {
            known.insert("agentId".to_owned(), json!({
                "type": "string",
                "description": format!(
                    "The id or name of the agent that is to do it; a copy of yourself when left out. One of:\n{}",
                    self.agents_text()
                )
            }));
            known.insert(
                "mode".to_owned(),
                json!({
                    "type": "string",
                    "enum": ["preset", "clone"],
                    "description": "preset: the agent that agentId names. clone: a copy of yourself."
                }),
            );
        }
        json!({
            "type": "object",
            "properties": properties,
            "required": ["goal"],
            "additionalProperties": false
        })
    }

    fn presets(&self) -> &[Preset] {
        &self.delegation.presets
    }

    fn agents_text(&self) -> String {
        let line = |p: &Preset| match p.description.trim() {
            "" => format!("- {}: {}", p.id, p.name),
            description => format!("- {}: {} - {description}", p.id, p.name),
        };
        self.presets().iter().map(line).collect::<Vec<_>>().join("\n")
    }

    fn tools_text(&self) -> String {
        let mut all = self.preset_tools.clone();
        all.extend(self.clone_tools.iter().filter(|n| !self.preset_tools.contains(n)).cloned());
        match all.as_slice() {
            [] => "Subagents have no tools.".to_owned(),
            all => format!("Only these tools; all that it may have when left out. Of: {}.", all.join(", ")),
        }
    }

    /// Refuses names of tools that the subagent can't have: they are never dropped silently.
    fn check_tools(&self, names: &[String], is_preset: bool) -> Result<(), String> {
        let known = if is_preset { &self.preset_tools } else { &self.clone_tools };
        let unknown: Vec<&str> = names.iter().filter(|n| !known.contains(n)).map(String::as_str).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Err(format!("it can't have the tools {}; of these it can: {known}.", listing(&unknown)))
    }
}

#[cfg(test)]
mod tests;
