//! Tool calls: run, shown, stored, and told to the model in order.

use crate::harness::calls::text_of;
use crate::harness::client::Turn;
use crate::harness::cluster::Cluster;
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::Reply;
use serde_json::{Value, json};

/// The tool results of a request: call id and text.
fn results(body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let of_tools = messages.iter().filter(|m| m["role"] == "tool");
    of_tools
        .map(|m| (m["tool_call_id"].as_str().unwrap_or_default().to_owned(), text_of(&m["content"])))
        .collect()
}

on_both!(
    tools_run_and_are_shown,
    every_parallel_call_has_its_result,
    broken_calls_are_understood_or_refused_but_never_guessed,
    an_empty_answer_is_no_success
);

/// Both real tools: events while they run, metadata afterwards, results to the model.
async fn tools_run_and_are_shown(c: Cluster) {
    let todos = json!({ "items": [
        { "content": "look", "status": "completed" },
        { "content": "answer 回答", "status": "in_progress" },
    ] })
    .to_string();
    c.provider.rounds(
        "plan",
        vec![
            vec![
                Reply::calls(&[("todo_write", &todos), ("get_time", r#"{"timezone":"Asia/Shanghai"}"#)])
                    .saying("I look first."),
            ],
            vec![Reply::text("Done.")],
        ],
    );
    let mut reader = c.api(0).stream("", "plan").await;
    reader.read_until("run_accepted", |t| !t.events.is_empty()).await;
    let first = reader.seen.events[0].clone();
    let turn = Turn::of(first["sessionId"].as_str().unwrap_or_default(), &first["data"]);
    let seen = reader.read_all().await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    assert_eq!(seen.text, "I look first.\n\nDone.");
    let calls: Vec<&Value> = seen.of("tool_call").iter().map(|e| &e["data"]["name"]).collect();
    assert_eq!(calls, ["todo_write", "get_time"]);
    assert_eq!(seen.of("tool_result").len(), 2);
    assert!(
        seen.of("tool_result").iter().all(|e| e["data"]["status"] == "ok"),
        "{:?}",
        seen.of("tool_result")
    );
    assert_eq!(seen.of("todo_update")[0]["data"]["items"][1]["content"], "answer 回答");

    let second = &c.provider.calls("plan")[1];
    let results = results(&second.body);
    assert_eq!(results.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["call_1", "call_2"]);
    assert!(results[1].1.contains("+08:00") || results[1].1.contains("Asia/Shanghai"), "{}", results[1].1);

    let message = c.api(1).messages(&turn.session).await.pop().expect("the answer");
    assert_eq!(message["metadata"]["todos"][1]["status"], "in_progress", "{message}");
    assert_eq!(message["metadata"]["tools"][1]["name"], "get_time", "{message}");
    assert_eq!(message["metadata"]["tools"][1]["status"], "ok", "{message}");

    // The next turn's history holds each result right after its call.
    c.provider.says("and then", Reply::text("Nothing."));
    c.api(1).ask(&turn.session, "and then").await;
    let roles: Vec<String> =
        c.provider.calls("and then")[0].conversation().into_iter().map(|(r, _)| r).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "tool", "assistant", "user"]);
    c.end(Allowed::default()).await;
}

/// A02: 1, 4, 8, 16 parallel calls: one result for each, in the order of the calls.
async fn every_parallel_call_has_its_result(c: Cluster) {
    for count in [1, 4, 8, 16] {
        let key = format!("parallel {count}.");
        let zones: Vec<String> =
            (0..count).map(|n| format!(r#"{{"timezone":"Etc/GMT+{}"}}"#, n % 12)).collect();
        let calls: Vec<(&str, &str)> = zones.iter().map(|z| ("get_time", z.as_str())).collect();
        c.provider.rounds(&key, vec![vec![Reply::calls(&calls)], vec![Reply::text("All there.")]]);
        let answer = c.api(0).ask("", &key).await;
        assert_eq!(answer["content"], "All there.", "{answer}");
        let told = results(&c.provider.calls(&key)[1].body);
        let expected: Vec<String> = (1..=count).map(|n| format!("call_{n}")).collect();
        assert_eq!(told.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(), expected);
        for (n, (_, text)) in told.iter().enumerate() {
            let hours = n % 12;
            let offset = if hours == 0 { "+00:00".to_owned() } else { format!("-{hours:02}:00") };
            assert!(text.contains(&offset) || text.contains(&format!("Etc/GMT+{hours}")), "{n}: {text}");
        }
    }
    c.end(Allowed::default()).await;
}

/// F01, F04, F05: calls as broken providers stream them.
async fn broken_calls_are_understood_or_refused_but_never_guessed(c: Cluster) {
    // Two calls, both with index 0 and ids of their own, arguments in pieces.
    let piece = |id: &str, name: &str, arguments: &str| {
        let mut call = json!({ "index": 0, "function": { "arguments": arguments } });
        if !id.is_empty() {
            (call["id"], call["type"], call["function"]["name"]) =
                (json!(id), json!("function"), json!(name));
        }
        call
    };
    let same_index = Reply::raw_calls(vec![
        piece("a", "get_time", ""),
        piece("", "", r#"{"timezone":"#),
        piece("", "", r#""Etc/GMT+1"}"#),
        piece("b", "get_time", ""),
        piece("", "", r#"{"timezone":"Etc/GMT+2"}"#),
    ]);
    c.provider.rounds("F01", vec![vec![same_index], vec![Reply::text("Two.")]]);
    assert_eq!(c.api(0).ask("", "F01").await["content"], "Two.");
    let told = results(&c.provider.calls("F01")[1].body);
    assert_eq!(told.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(told[0].1.contains("-01:00") && told[1].1.contains("-02:00"), "{told:?}");

    // No arguments in every form.
    for (n, arguments) in
        [Some(json!("")), Some(json!("  ")), None, Some(Value::Null)].into_iter().enumerate()
    {
        let key = format!("F04-{n}");
        let mut call =
            json!({ "index": 0, "id": "x", "type": "function", "function": { "name": "get_time" } });
        if let Some(arguments) = arguments {
            call["function"]["arguments"] = arguments;
        }
        c.provider.rounds(&key, vec![vec![Reply::raw_calls(vec![call])], vec![Reply::text("Good.")]]);
        let answer = c.api(1).ask("", &key).await;
        assert_eq!(answer["content"], "Good.");
        let message = c.api(1).messages(&Turn::of("", &answer).session).await.pop().expect("the answer");
        assert_eq!(message["metadata"]["tools"][0]["status"], "ok", "{message}");
    }

    // Malformed, of the wrong type, of an unknown tool: not run, and the model is told.
    let todo = r#"{"items":[{"content":"a"#;
    let table =
        [("todo_write", todo), ("todo_write", "[1]"), ("todo_write", r#"{"items":"x"}"#), ("rm_rf", "{}")];
    for (n, (name, arguments)) in table.into_iter().enumerate() {
        let key = format!("F05-{n}");
        c.provider.rounds(&key, vec![vec![Reply::calls(&[(name, arguments)])], vec![Reply::text("I see.")]]);
        let answer = c.api(0).ask("", &key).await;
        assert_eq!(answer["content"], "I see.", "{answer}");
        let message = c.api(0).messages(&Turn::of("", &answer).session).await.pop().expect("the answer");
        assert_eq!(message["metadata"]["tools"][0]["status"], "error", "{message}");
        assert!(message["metadata"]["todos"].as_array().is_none_or(Vec::is_empty), "{message}");
        let told = &results(&c.provider.calls(&key)[1].body)[0].1;
        assert!(!told.is_empty() && told.len() <= 1_024, "{told}");
    }
    c.end(Allowed::default()).await;
}

/// B15: an empty answer after tool results is asked for once more, and is never a success.
async fn an_empty_answer_is_no_success(c: Cluster) {
    c.provider.rounds("B15", vec![vec![Reply::calls(&[("get_time", "{}")])], vec![Reply::nothing()]]);
    let answer = c.api(0).ask("", "B15").await;
    assert_eq!(answer["status"], "failed", "{answer}");
    assert_eq!(answer["error"]["kind"], "empty_answer", "{answer}");
    assert_eq!(c.provider.calls("B15").len(), 3, "one call, one empty answer, one more try");
    c.provider.rounds(
        "again",
        vec![
            vec![Reply::calls(&[("get_time", "{}")])],
            vec![Reply::nothing(), Reply::text("Now I have it.")],
        ],
    );
    let session = Turn::of("", &answer).session;
    assert_eq!(c.api(1).ask(&session, "again").await["content"], "Now I have it.");
    c.end(Allowed { failed_percent: 50 }).await;
}
