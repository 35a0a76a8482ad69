use super::super::Demo;
use super::super::fixture::{after, ask, request, user};
use crate::llm::LlmError;
use serde_json::{Value, json};
use shared::domain::conversation::{Delta, Entry, Response};
use shared::domain::delegation::{child_message, child_prompt};
use std::collections::HashSet;
use std::time::Duration;

const SUPERVISOR: [&str; 4] = ["get_time", "todo_write", "clarify", "delegate_parallel"];

/// What it answers, and how many pieces of text it showed.
async fn say(
    system: &str,
    entries: &[Entry],
    tools: &[&str],
    pace: Duration,
) -> (Result<Response, LlmError>, usize) {
    let (result, shown) = ask(Demo { pace }, &request(system, entries, tools)).await;
    (result, shown.iter().filter(|delta| matches!(delta, Delta::Text(_))).count())
}

async fn supervise(entries: &[Entry]) -> Response {
    say("You help.", entries, &SUPERVISOR, Duration::ZERO).await.0.unwrap()
}

async fn child(goal: &str, context: Option<&str>) -> Result<Response, LlmError> {
    let message = Entry::User { text: child_message(goal, context) };
    say(&child_prompt("You help.", None), &[message], &["todo_write"], Duration::ZERO).await.0
}

/// Plays the whole: the calls in order, the tasks, and the last words.
async fn show(message: &str) -> (Vec<String>, Vec<Value>, String) {
    let (mut entries, mut calls, mut tasks) = (vec![user(message)], Vec::new(), Vec::new());
    loop {
        let response = supervise(&entries).await;
        let Some(call) = response.calls.first() else { return (calls, tasks, response.text) };
        calls.push(call.name.clone());
        let mut result = "ok".to_owned();
        if call.name == "delegate_parallel" {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            tasks = arguments["tasks"].as_array().unwrap().clone();
            result = gathered(&tasks).await;
        }
        entries.extend(after(&response, &result));
        assert!(entries.len() < 12, "it ends");
    }
}

async fn gathered(tasks: &[Value]) -> String {
    let mut entries = Vec::new();
    for task in tasks {
        entries.push(match child(task["goal"].as_str().unwrap(), task["context"].as_str()).await {
            Ok(answer) => json!({"agent": "a", "status": "completed", "summary": answer.text}),
            Err(error) => {
                json!({"agent": "a", "status": "failed", "summary": "", "error": error.to_string()})
            }
        });
    }
    json!(entries).to_string()
}

#[tokio::test]
async fn several_things_are_planned_handed_over_and_gathered() {
    let table = [
        ("Compare coffee, tea, water, juice and milk", "Look into tea", ["coffee", "milk"], "Failed: juice."),
        ("比较咖啡、茶、水、果汁和牛奶", "了解茶", ["咖啡", "牛奶"], "失败：果汁。"),
    ];
    for (message, goal, named, failed) in table {
        let (calls, tasks, answer) = show(message).await;
        assert_eq!(calls, ["todo_write", "delegate_parallel", "todo_write"], "{message}");
        assert_eq!((tasks.len(), &tasks[1]["goal"]), (5, &json!(goal)));
        assert!(answer.contains(failed), "{answer}");
        assert!(named.iter().all(|thing| answer.contains(&format!("**{thing}**"))), "{answer}");
        let (again, _, same) = show(message).await;
        assert_eq!((again, same), (calls, answer), "it is a script");
    }
}

#[tokio::test]
async fn any_list_of_three_or_more_is_handed_over() {
    let table = [
        ("Compare A, B, C, D and E", 5),
        ("比较 A、B、C、D、E", 5),
        ("Tell me about these: Rust, Go, Zig", 3),
        ("Compare:\n- one\n- two\n- three\n", 3),
        ("red, green, blue", 3),
        ("Compare these five things", 5),
        ("Research Node.js, Deno, and Bun for a small server. Be brief.", 3),
        ("compare a, b, c, d, e, f, g, h, i, j", 8),
    ];
    for (message, count) in table {
        let (_, tasks, _) = show(message).await;
        assert_eq!(tasks.len(), count, "{message}: {tasks:?}");
    }
    let others = [
        "Compare A and B",
        "plan: buy flour, knead it, bake bread",
        "Hello there",
        "I came home late, the door was open, and nobody had seen the cat",
        "what time is it?",
    ];
    for message in others {
        assert!(show(message).await.1.is_empty(), "{message}");
    }
    let (plain, _) = say("", &[user("Compare A, B, C, D and E")], &["todo_write"], Duration::ZERO).await;
    assert!(plain.unwrap().calls.is_empty(), "who can't delegate does not");
}

#[tokio::test]
async fn subagents_differ_in_length_and_the_fourth_fails_for_good() {
    let mut lengths = HashSet::new();
    for number in [1, 2, 3, 5] {
        let answer = child("Look into tea", Some(&format!("This is number {number} of 5."))).await.unwrap();
        assert!(answer.text.ends_with("In short: tea is worth a closer look."), "{}", answer.text);
        lengths.insert(answer.text.len());
    }
    assert!(lengths.len() >= 3, "{lengths:?}");
    let failing = [
        child("Look into tea", Some("This is number 4 of 5.")).await,
        child("Look into tea [fail]", None).await,
        child("了解茶", Some("这是第 4 项，共 5 项。")).await,
    ];
    for result in failing {
        let error = result.unwrap_err();
        assert!(!error.is_retryable(), "{error}");
    }
}

/// The clock is the test's: nothing is waited for.
#[tokio::test(start_paused = true)]
async fn a_subagent_works_for_two_to_four_seconds() {
    let pace = Demo::default().pace;
    for (goal, context) in
        [("Look into tea", "This is number {} of 5."), ("了解茶", "这是第 {} 项，共 5 项。")]
    {
        for number in [1, 2, 3, 5] {
            let message = child_message(goal, Some(&context.replace("{}", &number.to_string())));
            let begun = tokio::time::Instant::now();
            let (result, words) = say(&child_prompt("", None), &[user(&message)], &[], pace).await;
            assert!(result.is_ok() && words > 30, "{words}");
            let took = begun.elapsed().as_millis();
            assert!((1_500..=4_500).contains(&took), "{goal} {number}: {took} ms");
        }
    }
}

#[tokio::test]
async fn who_wants_to_be_asked_is_asked() {
    for (message, answer) in [("Ask me which one", "The long one"), ("先问我", "详细的")] {
        let asked = supervise(&[user(message)]).await;
        assert_eq!(asked.calls[0].name, "clarify");
        let arguments: Value = serde_json::from_str(&asked.calls[0].arguments).unwrap();
        assert_eq!(arguments["options"].as_array().unwrap().len(), 2);
        let mut entries = vec![user(message)];
        entries.extend(after(&asked, answer));
        let last = supervise(&entries).await;
        assert!(last.calls.is_empty() && last.text.contains(answer), "{}", last.text);
    }
}
