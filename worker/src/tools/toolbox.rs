//! Which tools a run has, and the checks before each call.

use super::{Special, Supervisor, Tool};
use crate::llm::arguments::parse_arguments;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use shared::domain::conversation::{ToolCall, ToolSpec};
use shared::domain::delegation::{Delegation, HANDING_OVER};
use shared::domain::text;
use shared::domain::tools::{
    MAX_ERROR_CHARS, Narrowing, Refusal, Scene, Trait, child_tools, refusal, resolve,
};
use std::sync::{Arc, Mutex, PoisonError};

/// Every tool of this process, with its schema compiled.
pub struct Catalogue {
    entries: Vec<Arc<Entry>>,
    /// The tools made for supervisors lately: the runs of one agent share them.
    made: Mutex<Vec<Made>>,
}

/// The tools that were made for supervisors with these settings.
struct Made {
    delegation: Delegation,
    clone_tools: Vec<String>,
    /// By the place of the tool that they stand for.
    entries: Vec<(usize, Arc<Entry>)>,
}

/// Supervisors whose tools are kept at most.
const MOST_MADE: usize = 64;

struct Entry {
    tool: Arc<dyn Tool>,
    spec: ToolSpec,
    schema: jsonschema::Validator,
}

/// A tool that cannot be offered.
#[derive(Debug, thiserror::Error)]
#[error("tool {name}: {fault}")]
pub struct BadTool {
    name: String,
    fault: String,
}

impl Catalogue {
    /// Compiles the schemas; a tool whose schema is invalid is refused.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Result<Self, BadTool> {
        let entries = tools.into_iter().map(compile).collect::<Result<_, _>>()?;
        Ok(Self { entries, made: Mutex::default() })
    }

    /// The names that a subagent has. `definition`: the list of its own definition (the supervisor's
    /// for a copy); `task`: that of the delegating call.
    pub fn child_tools(
        &self,
        definition: Option<&[String]>,
        delegation: &Delegation,
        task: Option<&[String]>,
    ) -> Vec<String> {
        let names = child_tools(&self.traits(), definition, delegation, task);
        names.into_iter().map(str::to_owned).collect()
    }

    fn traits(&self) -> Vec<Trait<'_>> {
        self.entries.iter().map(|e| Trait { name: &e.spec.name, flags: e.tool.flags() }).collect()
    }

    /// Every tool, in order.
    pub fn tools(&self) -> impl Iterator<Item = &dyn Tool> {
        self.entries.iter().map(|e| &*e.tool)
    }

    /// The tools that a run does not have, each with the reason.
    pub fn refusals(
        &self,
        scene: Scene,
        by: Narrowing<'_>,
        delegation: Option<&Delegation>,
    ) -> Vec<(String, Refusal)> {
        let off = |t: &Trait<'_>| t.flags.delegates && delegation.is_none();
        let why = |t: &Trait<'_>| match refusal(*t, scene, by) {
            None | Some(Refusal::NotListed) if off(t) => Some(Refusal::DelegationOff),
            other => other,
        };
        self.traits().iter().filter_map(|t| Some((t.name.to_owned(), why(t)?))).collect()
    }

    /// The tools of one run. `delegation`: what it may delegate; None: nothing, and then it has no tool
    /// for that.
    pub fn toolbox(&self, scene: Scene, by: Narrowing<'_>, delegation: Option<&Delegation>) -> Toolbox {
        let names = resolve(&self.traits(), scene, by);
        let own = delegation.map(|delegation| self.made_for(by.agent, delegation)).unwrap_or_default();
        let entries = self
            .entries
            .iter()
            .enumerate()
            .filter(|(_, e)| names.contains(&e.spec.name.as_str()))
            .filter(|(_, e)| delegation.is_some() || !e.tool.flags().delegates)
            .map(|(at, e)| own.iter().find(|(of, _)| *of == at).map_or(e, |(_, made)| made).clone())
            .collect();
        Toolbox { scene, entries }
    }

    /// The tools that a supervisor has in a form of its own.
    fn made_for(&self, definition: Option<&[String]>, delegation: &Delegation) -> Vec<(usize, Arc<Entry>)> {
        let clone_tools = self.child_tools(definition, delegation, None);
        let fits = |m: &Made| m.delegation == *delegation && m.clone_tools == clone_tools;
        if let Some(known) = self.made().iter().find(|m| fits(m)) {
            return known.entries.clone();
        }
        let preset_tools = self.child_tools(None, delegation, None);
        let supervisor = Supervisor { delegation, clone_tools, preset_tools };
        let entries: Vec<(usize, Arc<Entry>)> = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(at, e)| Some((at, e.tool.for_supervisor(&supervisor)?)))
            .filter_map(|(at, special)| Some((at, compile_special(special)?)))
            .collect();
        let mut made = self.made();
        if made.len() >= MOST_MADE {
            made.remove(0);
        }
        let Supervisor { clone_tools, .. } = supervisor;
        made.push(Made { delegation: delegation.clone(), clone_tools, entries: entries.clone() });
        entries
    }

    fn made(&self) -> std::sync::MutexGuard<'_, Vec<Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn compile(tool: Arc<dyn Tool>) -> Result<Arc<Entry>, BadTool> {
    let (description, parameters) = (tool.description().to_owned(), tool.parameters());
    entry(tool, description, &parameters)
}

/// None: its schema is invalid, which is a fault of ours; the tool stays as it is for everybody.
fn compile_special(special: Special) -> Option<Arc<Entry>> {
    match entry(special.tool, special.description, &special.parameters) {
        Ok(entry) => Some(entry),
        Err(error) => {
            tracing::error!(%error, "a supervisor's tool can't be made");
            None
        }
    }
}

fn entry(tool: Arc<dyn Tool>, description: String, parameters: &Value) -> Result<Arc<Entry>, BadTool> {
    let bad = |fault: String| BadTool { name: tool.name().to_owned(), fault };
    let schema = jsonschema::validator_for(parameters).map_err(|e| bad(e.to_string()))?;
    let raw = RawValue::from_string(parameters.to_string()).map_err(|e| bad(e.to_string()))?;
    let spec = ToolSpec { name: tool.name().to_owned(), description, parameters: Arc::from(raw) };
    Ok(Arc::new(Entry { tool, spec, schema }))
}

/// A call that may run.
pub struct Checked {
    /// Its tool.
    pub tool: Arc<dyn Tool>,
    /// Fit the tool's schema.
    pub arguments: Map<String, Value>,
}

/// The tools of one run: what the model sees is exactly what can run.
#[derive(Clone)]
pub struct Toolbox {
    scene: Scene,
    entries: Vec<Arc<Entry>>,
}

impl Toolbox {
    /// Whether it can hand work over to subagents.
    pub fn delegates(&self) -> bool {
        self.entries.iter().any(|e| HANDING_OVER.contains(&e.spec.name.as_str()))
    }

    /// What the model is told.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.entries.iter().map(|e| e.spec.clone()).collect()
    }

    /// Whether all of these calls are handed over, to subagents or to a person.
    pub fn only_hands_over(&self, calls: &[ToolCall]) -> bool {
        let hands_over = |call: &ToolCall| {
            let entry = self.entries.iter().find(|e| e.spec.name == call.name);
            entry.is_some_and(|e| e.tool.hands_over())
        };
        calls.iter().all(hands_over)
    }

    /// Finds the tool of a call and checks its arguments. An error is the result that the model
    /// reads; nothing runs then.
    pub fn check(&self, call: &ToolCall) -> Result<Checked, String> {
        let Some(entry) = self.entries.iter().find(|e| e.spec.name == call.name) else {
            let known: Vec<&str> = self.entries.iter().map(|e| e.spec.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(limited(&format!(
                "There is no tool {:?} here. Available: {known}.",
                text::cut(&call.name, 64)
            )));
        };
        if !self.scene.admits(entry.tool.flags()) {
            return Err(format!("The tool {} is not allowed here.", entry.spec.name));
        }
        let arguments = parse_arguments(&call.arguments)
            .map_err(|e| limited(&format!("Not run: the arguments are not a JSON object: {e}")))?;
        let arguments = entry.tool.tidy(arguments).map_err(|e| limited(&e))?;
        let value = Value::Object(arguments);
        if let Some(fault) = entry.schema.iter_errors(&value).next() {
            let at = fault.instance_path().to_string();
            let at = if at.is_empty() { "the arguments".to_owned() } else { at };
            return Err(limited(&format!("Not run: {at}: {fault}")));
        }
        let Value::Object(arguments) = value else { return Err("Not run: not an object.".into()) };
        Ok(Checked { tool: entry.tool.clone(), arguments })
    }
}

fn limited(error: &str) -> String {
    text::cut(error, MAX_ERROR_CHARS)
}

#[cfg(test)]
mod tests;
