use super::*;
use crate::domain::agents::{AgentSpec, SubagentConfig};
use crate::domain::ids::ModelId;
use proptest::prelude::*;

fn agent(config: SubagentConfig) -> AgentSpec {
    AgentSpec { subagent_config: config, ..AgentSpec::plain("a", ModelId(1)) }
}

fn of<T>(value: T, from: Origin) -> Effective<T> {
    Effective { value, from }
}

#[test]
fn nobody_set_anything() {
    let settings = resolve(&agent(SubagentConfig::default()), &GlobalDelegation::default());
    assert_eq!(settings.enabled, of(true, Origin::BuiltIn));
    assert_eq!(settings.max_concurrent, of(3, Origin::BuiltIn));
    assert_eq!(settings.max_tasks, of(16, Origin::BuiltIn));
    assert_eq!(settings.max_children, of(64, Origin::BuiltIn));
    assert_eq!(settings.allowed_preset_agent_ids, of(None, Origin::BuiltIn));
    assert_eq!(settings.allowed_tool_names, of(None, Origin::BuiltIn));
    assert_eq!(settings.max_tool_rounds, of(20, Origin::BuiltIn));
    assert_eq!(settings.max_wall_seconds, of(600, Origin::BuiltIn));
    assert_eq!(settings.idle_seconds, of(120, Origin::BuiltIn));
    let blocked: Vec<&str> = settings.blocked_tool_names.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(blocked, ["delegate_task", "delegate_parallel", "clarify", "memory_save", "memory_recall"]);
    assert!(settings.blocked_tool_names.iter().all(|b| b.from == Origin::BuiltIn));
}

#[test]
fn the_first_that_is_set_holds_and_the_maximum_cuts_it() {
    // Agent, global, maximum: what holds, and who says so.
    let table = [
        (None, None, None, 3, Origin::BuiltIn),
        (None, Some(5), None, 5, Origin::Global),
        (Some(2), Some(5), None, 2, Origin::Agent),
        (Some(9), Some(5), Some(8), 8, Origin::Maximum),
        (None, Some(9), Some(8), 8, Origin::Maximum),
        (None, None, Some(2), 2, Origin::Maximum),
        (Some(8), None, Some(8), 8, Origin::Agent),
        // The built-in maximum.
        (Some(40), None, None, 16, Origin::Maximum),
        (Some(40), None, Some(32), 32, Origin::Maximum),
    ];
    for (own, global, maximum, value, from) in table {
        let own = SubagentConfig { max_concurrent: own, ..SubagentConfig::default() };
        let maxima = Maxima { concurrent: maximum, ..Maxima::default() };
        let global = GlobalDelegation { max_concurrent: global, maxima, ..GlobalDelegation::default() };
        assert_eq!(resolve(&agent(own), &global).max_concurrent, of(value, from), "{global:?}");
    }
}

#[test]
fn null_inherits_and_an_empty_list_is_none() {
    let own = SubagentConfig {
        enabled: Some(false),
        allowed_preset_agent_ids: Some(vec![]),
        allowed_tool_names: Some(vec!["get_time".into()]),
        ..SubagentConfig::default()
    };
    let on = GlobalDelegation { enabled: Some(true), ..GlobalDelegation::default() };
    let settings = resolve(&agent(own), &on);
    assert_eq!(settings.enabled, of(false, Origin::Agent));
    assert_eq!(settings.allowed_preset_agent_ids, of(Some(vec![]), Origin::Agent));
    assert_eq!(settings.allowed_tool_names, of(Some(vec!["get_time".into()]), Origin::Agent));
    assert_eq!(settings.for_run(vec![]), None);
    let off = GlobalDelegation { enabled: Some(false), ..GlobalDelegation::default() };
    let inherits = resolve(&agent(SubagentConfig::default()), &off);
    assert_eq!(inherits.enabled, of(false, Origin::Global));
}

#[test]
fn a_task_lowers_its_rounds_and_does_not_raise_them() {
    let mut definition = agent(SubagentConfig::default());
    let rounds = |definition: &AgentSpec, task, global: &GlobalDelegation| {
        child_limits(definition, task, global).max_tool_rounds
    };
    let none = GlobalDelegation::default();
    assert_eq!(rounds(&definition, None, &none), 20);
    assert_eq!(rounds(&definition, Some(4), &none), 4);
    assert_eq!(rounds(&definition, Some(400), &none), 20);
    definition.max_tool_rounds = Some(50);
    definition.max_wall_seconds = Some(3_000);
    let maxima = Maxima { concurrent: None, tool_rounds: Some(30), wall_seconds: Some(900) };
    let global = GlobalDelegation { idle_seconds: Some(7), maxima, ..GlobalDelegation::default() };
    let limits = child_limits(&definition, Some(40), &global);
    assert_eq!(limits, ChildLimits { max_tool_rounds: 30, max_wall_seconds: 900, idle_seconds: 7 });
}

#[test]
fn an_agent_set_to_delegate_has_the_tools_for_it() {
    let names = |l: &[&str]| Some(l.iter().map(ToString::to_string).collect::<Vec<_>>());
    let mut definition = agent(SubagentConfig::default());
    assert_eq!(supervisor_tools(&definition), None);
    definition.tools = names(&["get_time"]);
    assert_eq!(supervisor_tools(&definition), names(&["get_time"]), "what it lists, and nothing besides");
    definition.tools = names(&["delegate_task"]);
    assert_eq!(supervisor_tools(&definition), names(&["delegate_task", "read_result"]));
    definition.tools = names(&[]);
    definition.subagent_config.enabled = Some(true);
    assert_eq!(supervisor_tools(&definition), names(&["delegate_parallel", "delegate_task", "read_result"]));
}

proptest! {
    #[test]
    fn nothing_goes_beyond_a_maximum_and_nothing_is_unblocked(
        own in proptest::option::of(1u32..100),
        set in proptest::option::of(1u32..100),
        maximum in proptest::option::of(1u32..100),
        rounds in proptest::option::of(1u32..100),
        allowed in proptest::option::of(proptest::collection::vec("[a-z_]{1,8}|clarify|delegate_task", 0..4)),
        blocked in proptest::collection::vec("[a-z_]{1,8}|clarify", 0..4),
    ) {
        let config = SubagentConfig {
            max_concurrent: own,
            allowed_tool_names: allowed.clone(),
            ..SubagentConfig::default()
        };
        let maxima = Maxima { concurrent: maximum, tool_rounds: maximum, wall_seconds: maximum };
        let global = GlobalDelegation {
            max_concurrent: set,
            blocked_tool_names: blocked.clone(),
            maxima,
            ..GlobalDelegation::default()
        };
        let settings = resolve(&agent(config), &global);
        prop_assert!(settings.max_concurrent.value <= maximum.unwrap_or(16));
        if settings.max_concurrent.from == Origin::Agent {
            prop_assert_eq!(Some(settings.max_concurrent.value), own);
        }
        prop_assert_eq!(settings.allowed_tool_names.value.clone(), allowed);
        let names: Vec<&str> = settings.blocked_tool_names.iter().map(|b| b.name.as_str()).collect();
        for name in BUILT_IN_BLOCKED.iter().copied().chain(blocked.iter().map(String::as_str)) {
            prop_assert_eq!(names.iter().filter(|n| **n == name).count(), 1);
        }
        let limits = child_limits(&agent(SubagentConfig::default()), rounds, &global);
        prop_assert!(limits.max_tool_rounds <= maximum.unwrap_or(20).min(rounds.unwrap_or(100)));
    }
}

const BUILT_IN_BLOCKED: [&str; 5] =
    ["delegate_task", "delegate_parallel", "clarify", "memory_save", "memory_recall"];

#[test]
fn the_guidance_stands_last_and_names_the_language() {
    let prompt = child_prompt("You plan, and ask the user.\n", Some("Chinese"));
    assert!(
        prompt.starts_with("You plan, and ask the user.\n\nYou are a subagent in a session."),
        "{prompt}"
    );
    assert!(prompt.ends_with("Write in Chinese."), "{prompt}");
    let rules = ["Do only this goal", "Never address the user", "Never delegate", "summary"];
    assert!(rules.iter().all(|rule| prompt.contains(rule)), "{prompt}");
    let latin = child_prompt("", None);
    assert!(latin.starts_with("You are a subagent") && latin.ends_with("Write in the language of the goal."));
}

#[test]
fn goal_and_context_are_the_message() {
    assert_eq!(child_message("Find A", None), "Find A");
    assert_eq!(child_message("Find A", Some(" ")), "Find A");
    assert_eq!(child_message("找到甲", Some("乙已知")), "找到甲\n\nContext:\n乙已知");
}

#[test]
fn the_script_tells_the_language() {
    let table = [
        ("比较这五种语言", Some("Chinese")),
        ("比较 Rust、Go、Zig、C 和 Java", Some("Chinese")),
        ("これを比較して", Some("Japanese")),
        ("東京の天気", Some("Japanese")),
        ("서울의 날씨", Some("Korean")),
        ("Сравни эти пять", Some("Russian")),
        ("Сравни Rust, Go, Zig, C и Java", Some("Russian")),
        ("What does Привет mean in English?", None),
        ("قارن بين هذه", Some("Arabic")),
        ("השווה את אלה", Some("Hebrew")),
        ("Σύγκρινε αυτά", Some("Greek")),
        ("इनकी तुलना करें", Some("Hindi")),
        ("เปรียบเทียบสิ่งเหล่านี้", Some("Thai")),
        ("Compare these five things", None),
        ("Compare the Chinese words 茶 and 水 for me", None),
        ("Vergleiche größere Städte", None),
        ("12 + 7 = ?", None),
        ("", None),
    ];
    for (text, language) in table {
        assert_eq!(language_of(text), language, "{text}");
    }
}

#[test]
fn a_batch_is_named_by_its_goals() {
    let task = |goal: &str| Task {
        goal: goal.into(),
        context: None,
        preset: None,
        tool_names: None,
        max_tool_rounds: None,
    };
    assert_eq!(batch_title(&[task("Look\n at A")]), "Look at A");
    assert_eq!(batch_title(&[task("看甲"), task("看乙"), task("看丙")]), "看甲 + 2");
    let long = "长".repeat(500);
    for n in [1, 2, 16] {
        let title = batch_title(&vec![task(&long); n]);
        assert_eq!(title.chars().count(), crate::domain::subagents::TITLE_CHARS, "{title}");
    }
}

#[test]
fn a_supervisor_is_told_when_to_delegate() {
    let prompt = supervisor_prompt("You help.");
    assert!(prompt.starts_with("You help.\n\n") && prompt.contains("delegate_parallel"), "{prompt}");
    assert!(prompt.contains("read_result") && prompt.contains("order of your tasks"), "{prompt}");
}

#[test]
fn an_agent_that_lists_tools_delegates_if_it_lists_how_or_says_so() {
    let list = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    let table = [
        (None, None, true, Origin::BuiltIn),
        (list(&[]), None, false, Origin::Agent),
        (list(&["get_time"]), None, false, Origin::Agent),
        (list(&["get_time", "delegate_task"]), None, true, Origin::BuiltIn),
        (list(&["get_time"]), Some(true), true, Origin::Agent),
        (None, Some(false), false, Origin::Agent),
    ];
    for (tools, own, value, from) in table {
        let mut agent = agent(SubagentConfig { enabled: own, ..SubagentConfig::default() });
        agent.tools.clone_from(&tools);
        let enabled = resolve(&agent, &GlobalDelegation::default()).enabled;
        assert_eq!((enabled.value, enabled.from), (value, from), "{tools:?} {own:?}");
    }
}
