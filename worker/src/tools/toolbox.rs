//! Which tools a run has, and the checks before each call.

use super::Tool;
use crate::llm::arguments::parse_arguments;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use shared::domain::conversation::{ToolCall, ToolSpec};
use shared::domain::text;
use shared::domain::tools::{MAX_ERROR_CHARS, Narrowing, Scene, Trait, resolve};
use std::sync::Arc;

/// Every tool of this process, with its schema compiled.
pub struct Catalogue {
    entries: Vec<Arc<Entry>>,
}

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
        Ok(Self { entries })
    }

    /// Names and descriptions, in order.
    pub fn describe(&self) -> Vec<(String, String)> {
        self.entries.iter().map(|e| (e.spec.name.clone(), e.spec.description.clone())).collect()
    }

    /// The tools of one run.
    pub fn toolbox(&self, scene: Scene, by: Narrowing<'_>) -> Toolbox {
        let traits: Vec<Trait<'_>> =
            self.entries.iter().map(|e| Trait { name: &e.spec.name, flags: e.tool.flags() }).collect();
        let names = resolve(&traits, scene, by);
        let entries =
            self.entries.iter().filter(|e| names.contains(&e.spec.name.as_str())).cloned().collect();
        Toolbox { scene, entries }
    }
}

fn compile(tool: Arc<dyn Tool>) -> Result<Arc<Entry>, BadTool> {
    let parameters = tool.parameters();
    let bad = |fault: String| BadTool { name: tool.name().to_owned(), fault };
    let schema = jsonschema::validator_for(&parameters).map_err(|e| bad(e.to_string()))?;
    let raw = RawValue::from_string(parameters.to_string()).map_err(|e| bad(e.to_string()))?;
    let spec = ToolSpec {
        name: tool.name().to_owned(),
        description: tool.description().to_owned(),
        parameters: Arc::from(raw),
    };
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
    /// What the model is told.
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.entries.iter().map(|e| e.spec.clone()).collect()
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
mod tests {
    use super::*;

    fn toolbox() -> Toolbox {
        Catalogue::new(super::super::builtin()).unwrap().toolbox(Scene::Plain, Narrowing::default())
    }

    fn check(name: &str, arguments: &str) -> Result<usize, String> {
        let call = ToolCall { id: "c".into(), name: name.into(), arguments: arguments.into() };
        toolbox().check(&call).map(|c| c.arguments.len())
    }

    /// Cases F04 and F05.
    #[test]
    fn arguments_are_checked_before_anything_runs() {
        for blank in ["", "  ", "null", "{}"] {
            assert_eq!(check("get_time", blank), Ok(0), "{blank:?}");
        }
        assert_eq!(check("get_time", r#"{"timezone":"Asia/Tokyo"}"#), Ok(1));
        for bad in
            [r#"{"items": "a"#, "", "[]", "7", r#"{"items":[{"content":"x"}]}"#, r#"{"items":[],"more":1}"#]
        {
            let error = check("todo_write", bad).unwrap_err();
            assert!(error.starts_with("Not run"), "{bad:?}: {error}");
        }
    }

    #[test]
    fn an_unknown_tool_is_an_error_that_lists_the_known() {
        let error = check("rm_rf", "{}").unwrap_err();
        assert!(error.contains("rm_rf") && error.contains("get_time, todo_write"), "{error}");
        let error = check(&"中".repeat(90_000), "{}").unwrap_err();
        assert!(error.chars().count() <= MAX_ERROR_CHARS);
    }

    #[test]
    fn what_the_agent_does_not_list_is_neither_seen_nor_run() {
        let only = ["get_time".to_owned()];
        let by = Narrowing { agent: Some(&only), ..Narrowing::default() };
        let toolbox = Catalogue::new(super::super::builtin()).unwrap().toolbox(Scene::Plain, by);
        assert_eq!(toolbox.specs().iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["get_time"]);
        let call =
            ToolCall { id: "c".into(), name: "todo_write".into(), arguments: r#"{"items":[]}"#.into() };
        assert!(toolbox.check(&call).is_err());
    }
}
