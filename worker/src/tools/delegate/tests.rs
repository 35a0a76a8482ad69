use super::super::tests::call_of;
use super::super::{Catalogue, Outcome, Toolbox};
use super::*;
use shared::domain::conversation::ToolCall;
use shared::domain::delegation::Task;
use shared::domain::ids::AgentId;
use shared::domain::tools::{MAX_ERROR_CHARS, Narrowing, Scene};

fn preset(id: i64, name: &str) -> Preset {
    Preset { id: AgentId(id), name: name.into(), description: "Good at it.".into() }
}

fn settings() -> Delegation {
    Delegation {
        max_concurrent: 3,
        max_tasks: 20,
        max_children: 64,
        presets: vec![preset(3, "Data Analyst"), preset(12, "数据分析师"), preset(15, "Agent 9")],
        ..Delegation::default()
    }
}

fn toolbox(delegation: &Delegation) -> Toolbox {
    let tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(super::super::get_time::GetTime),
        Arc::new(super::super::todo_write::TodoWrite),
        Arc::new(Delegate::parallel()),
        Arc::new(Delegate::single()),
    ];
    let by = Narrowing::default();
    Catalogue::new(tools).unwrap().toolbox(Scene::Supervisor, by, Some(delegation))
}

/// As the engine does it: checked, then run.
async fn delegate(
    delegation: &Delegation,
    name: &str,
    arguments: Value,
) -> Result<(String, Vec<Task>), String> {
    let call = ToolCall { id: "c".into(), name: name.into(), arguments: arguments.to_string() };
    let checked = toolbox(delegation).check(&call)?;
    match checked.tool.run(call_of(Value::Object(checked.arguments))).await.outcome {
        Outcome::HandedOver(Handover::Delegate { title, tasks }) => Ok((title, tasks)),
        Outcome::Failed(error) => Err(error),
        other => panic!("{other:?}"),
    }
}

async fn refusal(delegation: &Delegation, name: &str, arguments: Value) -> String {
    let error = delegate(delegation, name, arguments).await.unwrap_err();
    assert!(error.chars().count() <= MAX_ERROR_CHARS + 30, "{error}");
    error
}

#[tokio::test]
async fn a_call_becomes_tasks() {
    let arguments = json!({"goal": " Look at A ", "context": "It is red.", "toolNames": ["get_time"], "maxToolRounds": 4});
    let (title, tasks) = delegate(&settings(), "delegate_task", arguments).await.unwrap();
    let expected = Task {
        goal: "Look at A".into(),
        context: Some("It is red.".into()),
        preset: None,
        tool_names: Some(vec!["get_time".into()]),
        max_tool_rounds: Some(4),
    };
    assert_eq!((title.as_str(), tasks), ("Look at A", vec![expected]));
    let arguments = json!({"tasks": [{"goal": "A", "agentId": 12, "mode": "preset"}, {"goal": "B", "agentId": null, "mode": "clone"}]});
    let (title, tasks) = delegate(&settings(), "delegate_parallel", arguments).await.unwrap();
    assert_eq!(title, "A + 1");
    assert_eq!(tasks.iter().map(|t| t.preset).collect::<Vec<_>>(), [Some(AgentId(12)), None]);
}

#[tokio::test]
async fn the_names_of_crews_are_understood() {
    let arguments = json!({"task_description": "A", "agent_name": "Data Analyst"});
    let (_, tasks) = delegate(&settings(), "delegate_task", arguments).await.unwrap();
    assert_eq!((tasks[0].goal.as_str(), tasks[0].preset), ("A", Some(AgentId(3))));
    let arguments = json!({"tasks": [{"goal": "A", "task_description": "not this"}]});
    let (_, tasks) = delegate(&settings(), "delegate_parallel", arguments).await.unwrap();
    assert_eq!(tasks[0].goal, "A");
}

/// Case A15.
#[tokio::test]
async fn an_agent_is_found_however_it_is_written() {
    let table = [
        (json!("3"), 3),
        (json!(3), 3),
        (json!(" 12 "), 12),
        (json!("１２"), 12),
        (json!(" Data analyst"), 3),
        (json!("DATA ANALYST"), 3),
        (json!("ｄａｔａ　Ａｎａｌｙｓｔ"), 3),
        (json!("Data   Analyst"), 3),
        (json!("数据分析师 "), 12),
        (json!("　数据分析师"), 12),
        (json!("agent ９"), 15),
    ];
    for (wanted, id) in table {
        let (_, tasks) =
            delegate(&settings(), "delegate_task", json!({"goal": "g", "agentId": wanted})).await.unwrap();
        assert_eq!(tasks[0].preset, Some(AgentId(id)), "{wanted}");
    }
}

#[tokio::test]
async fn an_unknown_agent_is_one_refusal_that_lists_the_valid() {
    let arguments =
        json!({"tasks": [{"goal": "a"}, {"goal": "b", "agentId": "Chef"}, {"goal": "c", "agentId": 99}]});
    let error = refusal(&settings(), "delegate_parallel", arguments).await;
    for part in
        ["Nothing was delegated", "tasks[1].agentId", "\"Chef\"", "3 (Data Analyst)", "12 (数据分析师)"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    // A number that is no allowed id, though another tenant or agent may have it.
    let error = refusal(&settings(), "delegate_task", json!({"goal": "a", "agentId": 4})).await;
    assert!(error.contains("\"4\"") && error.contains("3 (Data Analyst)"), "{error}");
    let twins = Delegation { presets: vec![preset(1, "Twin"), preset(2, "TWIN")], ..settings() };
    let error = refusal(&twins, "delegate_task", json!({"goal": "a", "agentId": "twin"})).await;
    assert!(error.contains("1 (Twin), 2 (TWIN)") && error.contains("Give the id"), "{error}");
    let (_, tasks) =
        delegate(&twins, "delegate_task", json!({"goal": "a", "agentId": "TWIN"})).await.unwrap();
    assert_eq!(tasks[0].preset, Some(AgentId(2)));
    let many =
        Delegation { presets: (1..=50).map(|n| preset(n, &"长".repeat(100))).collect(), ..settings() };
    let error = refusal(&many, "delegate_task", json!({"goal": "a", "agentId": "x"})).await;
    assert!(error.contains(" more;") && error.ends_with("for a copy of yourself."), "{error}");
}

#[tokio::test]
async fn an_agent_where_none_may_be_called_is_refused_in_words() {
    let alone = Delegation { presets: Vec::new(), ..settings() };
    let table = [
        ("delegate_task", json!({"goal": "a", "agentId": 3}), "agentId: there is no agent"),
        ("delegate_task", json!({"goal": "a", "agent_name": "Chef"}), "agentId: there is no agent"),
        (
            "delegate_parallel",
            json!({"tasks": [{"goal": "a"}, {"goal": "b", "agentId": "3"}]}),
            "tasks[1].agentId: there is no agent",
        ),
    ];
    for (name, arguments, part) in table {
        let error = refusal(&alone, name, arguments).await;
        assert!(error.starts_with(&format!("Nothing was delegated: {part}")), "{error}");
        assert!(error.contains("Leave agentId out") && !error.contains("unexpected"), "{error}");
    }
    // Nobody is named: some models fill in all fields that they know.
    for nobody in [json!(null), json!(" ")] {
        let arguments = json!({"goal": "a", "agentId": nobody});
        let (_, tasks) = delegate(&alone, "delegate_task", arguments).await.unwrap();
        assert_eq!(tasks[0].preset, None);
    }
}

/// Case A01: never a silent cut.
#[tokio::test]
async fn too_many_tasks_are_refused_by_both_numbers() {
    let tasks = |n: usize| json!({"tasks": vec![json!({"goal": "g"}); n]});
    let error = refusal(&settings(), "delegate_parallel", tasks(21)).await;
    assert!(error.contains("21 tasks") && error.contains("the 20 "), "{error}");
    let (_, all) = delegate(&settings(), "delegate_parallel", tasks(20)).await.unwrap();
    assert_eq!(all.len(), 20);
    assert!(delegate(&settings(), "delegate_parallel", tasks(0)).await.is_err());
}

#[tokio::test]
async fn a_blank_goal_is_refused_by_its_place() {
    let arguments = json!({"tasks": [{"goal": "a"}, {"goal": " \n"}]});
    let error = refusal(&settings(), "delegate_parallel", arguments).await;
    assert_eq!(error, "Nothing was delegated: tasks[1].goal is blank.");
    let error = refusal(&settings(), "delegate_parallel", json!({"tasks": [{"context": "a"}]})).await;
    assert!(error.contains("/tasks/0") && error.contains("goal"), "{error}");
    for blank in [" ", "\u{200B}\u{FEFF}"] {
        let error = refusal(&settings(), "delegate_task", json!({ "goal": blank })).await;
        assert_eq!(error, "Nothing was delegated: goal is blank.");
    }
}

#[tokio::test]
async fn tools_that_a_subagent_cannot_have_are_named() {
    let blocked = Delegation { blocked_tool_names: vec!["todo_write".into()], ..settings() };
    let arguments = json!({"goal": "g", "toolNames": ["get_time", "shell", "todo_write", "delegate_task"]});
    let error = refusal(&blocked, "delegate_task", arguments).await;
    assert!(
        error.contains("shell, todo_write, delegate_task") && error.contains("it can: get_time"),
        "{error}"
    );
}

#[tokio::test]
async fn a_mode_that_contradicts_the_agent_is_refused() {
    let error = refusal(&settings(), "delegate_task", json!({"goal": "g", "mode": "preset"})).await;
    assert!(error.contains("names no agent"), "{error}");
    let arguments = json!({"goal": "g", "mode": "clone", "agentId": 3});
    let error = refusal(&settings(), "delegate_task", arguments).await;
    assert!(error.contains("give one of them"), "{error}");
}
