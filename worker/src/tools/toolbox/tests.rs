use super::super::{Call, Output, builtin};
use super::*;
use async_trait::async_trait;
use serde_json::json;
use shared::domain::delegation::Preset;
use shared::domain::ids::AgentId;
use shared::domain::tools::{Effect, Flags};
use shared::testing::databases;

/// As an untrusted server might bring it: an ability under a name that says nothing of it.
struct Harmless(Flags);

#[async_trait]
impl Tool for Harmless {
    fn name(&self) -> &'static str {
        "weather"
    }

    fn description(&self) -> &'static str {
        "Tells the weather."
    }

    fn parameters(&self) -> Value {
        json!({"type": "object"})
    }

    fn flags(&self) -> Flags {
        self.0
    }

    fn effect(&self) -> Effect {
        Effect::Pure
    }

    async fn run(&self, _: Call) -> Output {
        Output::ok("sunny")
    }
}

async fn catalogue(more: Vec<Arc<dyn Tool>>) -> Catalogue {
    let db = databases::sqlite().await;
    Catalogue::new(builtin(&db).into_iter().chain(more).collect()).unwrap()
}

async fn plain() -> Toolbox {
    catalogue(vec![]).await.toolbox(Scene::Plain, Narrowing::default(), None)
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: "c".into(), name: name.into(), arguments: arguments.into() }
}

fn names(toolbox: &Toolbox) -> Vec<String> {
    toolbox.specs().into_iter().map(|s| s.name).collect()
}

fn delegation() -> Delegation {
    Delegation { max_concurrent: 3, max_tasks: 20, max_children: 64, ..Delegation::default() }
}

/// Cases F04 and F05.
#[tokio::test]
async fn arguments_are_checked_before_anything_runs() {
    let toolbox = plain().await;
    let check = |name, arguments| toolbox.check(&call(name, arguments)).map(|c| c.arguments.len());
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

#[tokio::test]
async fn an_unknown_tool_is_an_error_that_lists_the_known() {
    let toolbox = plain().await;
    let error = toolbox.check(&call("rm_rf", "{}")).err().unwrap();
    assert!(error.contains("rm_rf") && error.contains("get_time, todo_write"), "{error}");
    let error = toolbox.check(&call(&"中".repeat(90_000), "{}")).err().unwrap();
    assert!(error.chars().count() <= MAX_ERROR_CHARS);
}

#[tokio::test]
async fn what_the_agent_does_not_list_is_neither_seen_nor_run() {
    let only = ["get_time".to_owned()];
    let by = Narrowing { agent: Some(&only), ..Narrowing::default() };
    let toolbox = catalogue(vec![]).await.toolbox(Scene::Plain, by, None);
    assert_eq!(names(&toolbox), ["get_time"]);
    assert!(toolbox.check(&call("todo_write", r#"{"items":[]}"#)).is_err());
}

/// What each scene has, with and without something to delegate; and each tool that is seen can run,
/// each that is not can't.
#[tokio::test]
async fn visible_equals_executable_in_every_scene() {
    let bad = Harmless(Flags { delegates: true, ..Flags::default() });
    let catalogue = catalogue(vec![Arc::new(bad)]).await;
    let arguments = [
        ("get_time", "{}"),
        ("todo_write", r#"{"items":[]}"#),
        ("clarify", r#"{"question":"?"}"#),
        ("delegate_parallel", r#"{"tasks":[{"goal":"g"}]}"#),
        ("delegate_task", r#"{"goal":"g"}"#),
        ("read_result", r#"{"id":1}"#),
        ("weather", "{}"),
    ];
    let all: Vec<&str> = catalogue.entries.iter().map(|e| e.spec.name.as_str()).collect();
    let settings = delegation();
    let table: [(Scene, Option<&Delegation>, &[&str]); 6] = [
        (Scene::Supervisor, Some(&settings), &all),
        (Scene::Supervisor, None, &["get_time", "todo_write", "clarify"]),
        (Scene::Plain, Some(&settings), &["get_time", "todo_write", "clarify"]),
        (Scene::Plain, None, &["get_time", "todo_write", "clarify"]),
        (Scene::Subagent, Some(&settings), &["get_time", "todo_write"]),
        (Scene::CrewMember, None, &["get_time", "todo_write"]),
    ];
    for (scene, delegation, expected) in table {
        let toolbox = catalogue.toolbox(scene, Narrowing::default(), delegation);
        assert_eq!(names(&toolbox), expected, "{scene:?}");
        let refused = catalogue.refusals(scene, Narrowing::default(), delegation);
        let had = all.iter().filter(|name| !refused.iter().any(|(n, _)| n == *name)).copied();
        assert_eq!(had.collect::<Vec<_>>(), expected, "{scene:?}: what is not refused is what there is");
        for (name, arguments) in arguments {
            let runs = toolbox.check(&call(name, arguments)).is_ok();
            assert_eq!(runs, expected.contains(&name), "{scene:?} {name}");
        }
    }
}

#[tokio::test]
async fn a_forbidden_ability_is_refused_at_resolution_and_at_execution() {
    let forbidden = [
        Flags { delegates: true, ..Flags::default() },
        Flags { asks_user: true, ..Flags::default() },
        Flags { writes_memory: true, ..Flags::default() },
    ];
    for flags in forbidden {
        let catalogue = Catalogue::new(vec![Arc::new(Harmless(flags))]).unwrap();
        let wanted = ["weather".to_owned()];
        assert_eq!(catalogue.child_tools(Some(&wanted), &delegation(), Some(&wanted)), Vec::<String>::new());
        let by = Narrowing { agent: Some(&wanted), ..Narrowing::default() };
        assert_eq!(names(&catalogue.toolbox(Scene::Subagent, by, Some(&delegation()))), Vec::<String>::new());
        // However it came in: it does not run.
        let smuggled = Toolbox { scene: Scene::Subagent, entries: catalogue.entries.clone() };
        let refusal = smuggled.check(&call("weather", "{}")).err().unwrap();
        assert_eq!(refusal, "The tool weather is not allowed here.");
    }
}

#[tokio::test]
async fn a_supervisor_sees_its_own_limits_and_agents() {
    let catalogue = catalogue(vec![]).await;
    let preset =
        |id, name: &str| Preset { id: AgentId(id), name: name.into(), description: "Finds out.".into() };
    let (few, many) = (
        Delegation { max_tasks: 2, presets: vec![preset(7, "研究员")], ..delegation() },
        Delegation { max_tasks: 20, ..delegation() },
    );
    let shown = |delegation: &Delegation, name: &str| {
        let toolbox = catalogue.toolbox(Scene::Supervisor, Narrowing::default(), Some(delegation));
        let spec = toolbox.specs().into_iter().find(|s| s.name == name).unwrap();
        (spec.description, serde_json::from_str::<Value>(spec.parameters.get()).unwrap())
    };
    for _ in 0..2 {
        let (text, parameters) = shown(&few, "delegate_parallel");
        assert!(text.contains("At most 2 tasks") && text.contains("3 work at the same time"), "{text}");
        assert_eq!(parameters["properties"]["tasks"]["maxItems"], 2);
        let agent = &parameters["properties"]["tasks"]["items"]["properties"]["agentId"]["description"];
        assert!(agent.as_str().unwrap().contains("- 7: 研究员 - Finds out."), "{agent}");
        let (_, parameters) = shown(&many, "delegate_parallel");
        assert_eq!(parameters["properties"]["tasks"]["maxItems"], 20);
        let (_, parameters) = shown(&many, "delegate_task");
        assert!(parameters["properties"]["agentId"].is_null(), "there is nobody to choose");
    }
}
