//! Delegating calls: what is accepted, what is refused and how, and what the supervisor reads.

use crate::harness::client::Turn;
use crate::harness::cluster::Cluster;
use crate::harness::delegation::{goals, parallel, refs, single, tasks_of};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    too_many_tasks_are_refused_by_name_and_none_is_cut,
    as_many_calls_as_there_are_have_a_result_each,
    batches_beside_each_other_and_after_each_other_stay_apart,
    a_failed_sibling_is_an_entry_of_the_result,
    equal_agents_give_separate_results,
    rounds_that_an_agent_has_are_its_subagents_rounds,
    an_agent_is_found_by_its_name_however_it_is_written,
    a_subagent_cannot_delegate_whatever_its_model_says,
    words_that_sound_like_an_end_end_nothing
);

async fn subagents_in_all(c: &Cluster) -> i64 {
    c.database.count("SELECT COUNT(*) AS x FROM netaclaw_subagent_session").await
}

/// A01: more tasks than a call may have: none runs, and the model is told both numbers.
async fn too_many_tasks_are_refused_by_name_and_none_is_cut(c: Cluster) {
    let goals = goals("too many", 17);
    c.provider.rounds("refused", vec![vec![parallel(&refs(&goals))], vec![Reply::text("Then fewer.")]]);
    let mut more = vec![vec![parallel(&refs(&goals[..16]))]; 4];
    for (n, round) in more.iter_mut().enumerate() {
        let calls: Vec<String> = (0..16).map(|m| format!("too many-{m:02} in {n}")).collect();
        *round = vec![parallel(&refs(&calls)).ids(&format!("r{n}"))];
    }
    more.push(vec![single(&json!({ "goal": "one over the cap" })).ids("last")]);
    more.push(vec![Reply::text("That was all.")]);
    c.provider.rounds("again and again", more);

    let answer = c.api(0).ask("", "refused").await;
    assert_eq!(answer["content"], "Then fewer.", "{answer}");
    assert_eq!((subagents_in_all(&c).await, c.provider.asked_like("too many").len()), (0, 0));
    let (_, told) = c.provider.asked("refused")[1].results().pop().expect("a result");
    assert!(told.contains("17") && told.contains("16"), "{told}");
    assert!(told.len() <= 1_024, "{told}");

    // 64 of one run, over all its calls; the next is refused.
    let answer = c.api(1).ask("", "again and again").await;
    assert_eq!(answer["content"], "That was all.", "{answer}");
    assert_eq!(subagents_in_all(&c).await, 64);
    let calls = c.provider.asked("again and again");
    let (id, told) = calls.last().expect("calls").results().pop().expect("a result");
    assert_eq!(id, "last_1");
    assert!(told.contains("64"), "{told}");
    assert!(!c.provider.all().iter().any(|call| call.said.contains("one over the cap")));
    c.end(Allowed::default()).await;
}

/// A02: 1, 4, 8 and 16 delegating calls in one response: one result for each, in their order.
async fn as_many_calls_as_there_are_have_a_result_each(c: Cluster) {
    for count in [1, 4, 8, 16] {
        let key = format!("calls {count}.");
        let arguments: Vec<String> =
            (1..=count).map(|n| json!({ "goal": format!("{n} of {count}") }).to_string()).collect();
        let calls: Vec<(&str, &str)> = arguments.iter().map(|a| ("delegate_task", a.as_str())).collect();
        for n in 1..=count {
            c.provider.says(&format!("{n} of {count}"), Reply::text(&format!("result {n}")));
        }
        c.provider.rounds(&key, vec![vec![Reply::calls(&calls)], vec![Reply::text("All there.")]]);
        let answer = c.api(0).ask("", &key).await;
        assert_eq!(answer["content"], "All there.", "{answer}");
        let call = c.provider.asked(&key).pop().expect("two calls");
        let ids: Vec<String> = call.results().into_iter().map(|(id, _)| id).collect();
        let expected: Vec<String> = (1..=count).map(|n| format!("call_{n}")).collect();
        assert_eq!(ids, expected);
        for (n, id) in expected.iter().enumerate() {
            let entries = call.batch(id);
            assert_eq!(entries.len(), 1, "{entries:?}");
            assert_eq!(entries[0]["summary"], format!("result {}", n + 1), "{entries:?}");
        }
        assert_eq!(answer["subagents"].as_array().map(Vec::len), Some(count), "{answer}");
    }
    c.end(Allowed::default()).await;
}

/// Two batches and ordinary calls in one response, then another batch under ids that were used
/// before, as some providers count anew in each response.
async fn batches_beside_each_other_and_after_each_other_stay_apart(c: Cluster) {
    let batch = |a: &str, b: &str| json!({ "tasks": [{ "goal": a }, { "goal": b }] }).to_string();
    let (first, second) = (batch("stay 1", "stay 2"), batch("stay 3", "stay 4"));
    let together = Reply::calls(&[
        ("get_time", r#"{"timezone":"Etc/GMT+3"}"#),
        ("delegate_parallel", &first),
        ("todo_write", r#"{"items":[{"content":"x","status":"pending"}]}"#),
        ("delegate_parallel", &second),
    ]);
    let later = Reply::calls(&[
        ("get_time", r#"{"timezone":"Etc/GMT+4"}"#),
        ("delegate_parallel", &batch("stay 5", "stay 6")),
    ]);
    for n in 1..=6 {
        c.provider.says(&format!("stay {n}"), Reply::text(&format!("result {n}")));
    }
    c.provider.rounds(
        "apart",
        vec![vec![together], vec![later], vec![Reply::text("Six.").after(Duration::from_millis(500))]],
    );
    let seen = c.api(0).stream("", "apart").await.read_all().await;
    assert_eq!(seen.text, "Six.");
    assert_eq!(seen.of("subagent_batch_start").len(), 3);
    assert_eq!(seen.of("subagent_done").len(), 3);
    let sizes: Vec<usize> =
        seen.card.batches.iter().map(|b| b["items"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(sizes, [2, 2, 2]);
    assert_eq!(seen.followed.batches, seen.card.batches);
    let calls = c.provider.asked("apart");
    assert_eq!(calls.len(), 3);
    let summaries = |entries: Vec<Value>| -> Vec<String> {
        entries.iter().map(|e| e["summary"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(summaries(calls[1].batch("call_2")), ["result 1", "result 2"]);
    assert_eq!(summaries(calls[1].batch("call_4")), ["result 3", "result 4"]);
    let results = calls[2].results();
    assert_eq!(results.len(), 6);
    let last: Vec<Value> = serde_json::from_str(&results[5].1).expect("a list of results");
    assert_eq!(summaries(last), ["result 5", "result 6"]);
    for n in 1..=6 {
        assert_eq!(c.provider.asked(&format!("stay {n}")).len(), 1, "{n}");
    }
    c.end(Allowed::default()).await;
}

/// A09: number three of five fails: four results and one error, in order, and the parent answers.
async fn a_failed_sibling_is_an_entry_of_the_result(c: Cluster) {
    let goals = c.script_team("siblings", 5, "Four of five.");
    c.provider.says(&goals[2], Reply::refusal(400, r#"{"error":{"message":"not today"}}"#));
    let seen = c.api(0).stream("", "siblings").await.read_all().await;
    assert_eq!(seen.text, "Four of five.");
    let statuses = ["completed", "completed", "failed", "completed", "completed"];
    assert_eq!(seen.card.statuses(), statuses);
    let summary = &seen.of("subagent_done")[0]["data"]["summary"];
    assert_eq!((&summary["completed"], &summary["failed"]), (&json!(4), &json!(1)), "{summary}");
    let entries = c.provider.asked("siblings")[1].batch("call_1");
    let told: Vec<&str> = entries.iter().map(|e| e["status"].as_str().unwrap_or_default()).collect();
    assert_eq!(told, statuses);
    assert_eq!(entries[2]["exitReason"], "model_request", "{}", entries[2]);
    assert!(entries[2]["error"].as_str().is_some_and(|e| !e.is_empty()), "{}", entries[2]);
    assert_eq!(entries[3]["summary"], format!("found by {}", goals[3]));
    c.end(Allowed::default()).await;
}

/// A11: four subagents of one stored agent each return data under the same names.
async fn equal_agents_give_separate_results(c: Cluster) {
    let worker = c.add_agent("worker bee", c.model, &json!({ "systemPrompt": "You are a bee." })).await;
    let goals = goals("measure", 4);
    for (n, goal) in goals.iter().enumerate() {
        c.provider.says(goal, Reply::text(&json!({ "state": n, "items": [n] }).to_string()));
    }
    let tasks: Vec<Value> = goals.iter().map(|g| json!({ "goal": g, "agentId": worker })).collect();
    c.provider.rounds("gather", vec![vec![tasks_of(&tasks)], vec![Reply::text("Four objects.")]]);
    let agent = c.add_agent("gatherer", c.model, &allowing(&[worker])).await;
    let answer = c.api(0).chat("", "gather", &json!({ "agentId": agent, "wait": 20 })).await.expect(200);
    assert_eq!(answer["content"], "Four objects.", "{answer}");
    for (n, entry) in c.provider.asked("gather")[1].batch("call_1").iter().enumerate() {
        let data: Value = serde_json::from_str(entry["summary"].as_str().unwrap_or_default()).expect("data");
        assert_eq!(data, json!({ "state": n, "items": [n] }));
    }
    for item in answer["subagents"][0]["items"].as_array().expect("items") {
        assert_eq!((&item["sourceType"], &item["agentId"]), (&json!("preset"), &json!(worker)), "{item}");
    }
    assert!(c.provider.asked_like("measure").iter().all(|call| call.system().starts_with("You are a bee.")));
    c.end(Allowed::default()).await;
}

fn allowing(agents: &[i64]) -> Value {
    json!({ "subagentConfig": { "enabled": true, "allowedPresetAgentIds": agents } })
}

/// A13: an agent that may have thirty rounds has them as a subagent and needs fifteen; a task may narrow
/// its own rounds, and not widen them; what holds is shown.
async fn rounds_that_an_agent_has_are_its_subagents_rounds(c: Cluster) {
    let zone = |n: usize| format!(r#"{{"timezone":"Etc/GMT+{}"}}"#, n % 12);
    let rounds = |count: usize| {
        let calls = (0..count).map(|n| vec![Reply::calls(&[("get_time", &zone(n))])]);
        calls.chain([vec![Reply::text("So late.")]]).collect::<Vec<_>>()
    };
    c.provider.rounds("many rounds", rounds(25));
    c.provider.rounds("two rounds", rounds(2));
    c.provider.rounds("no more rounds", rounds(1));
    let patient = c.add_agent("patient", c.model, &json!({ "maxToolRounds": 30 })).await;
    let tasks = [
        json!({ "goal": "many rounds", "agentId": patient }),
        json!({ "goal": "two rounds", "maxToolRounds": 2 }),
        json!({ "goal": "no more rounds", "maxToolRounds": 500 }),
    ];
    c.provider.rounds("how late", vec![vec![tasks_of(&tasks)], vec![Reply::text("Late.")]]);
    let answer = c.api(0).ask("", "how late").await;
    assert_eq!(answer["content"], "Late.", "{answer}");
    let entries = c.provider.asked("how late")[1].batch("call_1");
    let ends: Vec<_> = entries.iter().map(|e| (&e["status"], &e["exitReason"])).collect();
    let (completed, cut) = (json!("completed"), json!("tool_rounds"));
    assert_eq!(ends, [(&completed, &Value::Null), (&completed, &cut), (&completed, &Value::Null)]);
    assert_eq!(c.provider.asked("many rounds").len(), 26);
    let last = c.provider.asked("two rounds").pop().expect("calls");
    assert_eq!(last.tools(), Vec::<String>::new(), "the last call has no tools");
    for (subagent, rounds) in c.subagents(&Turn::of("", &answer)).await.iter().zip([30, 2, 20]) {
        let shown = c.api(1).get(&format!("/api/subagents/{}", subagent.id)).await.expect(200);
        assert_eq!(shown["limits"]["maxToolRounds"], rounds, "{shown}");
    }
    c.end(Allowed::default()).await;
}

/// A15: names with blanks, in other case and width are the same agent; unknown ones are one error
/// that lists those there are.
async fn an_agent_is_found_by_its_name_however_it_is_written(c: Cluster) {
    let latin = c.add_agent("Data Analyst", c.model, &json!({ "description": "counts" })).await;
    let chinese = c.add_agent("数据分析师", c.model, &json!({ "description": "数数" })).await;
    let secret = c.add_agent("Secret Keeper", c.model, &json!({})).await;
    let agent = c.add_agent("namer", c.model, &allowing(&[latin, chinese])).await;
    let names = [" data analyst", "DATA ANALYST", "数据分析师 ", "ＤＡＴＡ ＡＮＡＬＹＳＴ", "Data Analyst"];
    let tasks: Vec<Value> = names.iter().map(|n| json!({ "goal": "count", "agentId": n })).collect();
    c.provider.says("count", Reply::text("Counted."));
    c.provider.rounds("by name", vec![vec![tasks_of(&tasks)], vec![Reply::text("All found.")]]);
    let ask = async |message: &str| {
        c.api(0).chat("", message, &json!({ "agentId": agent, "wait": 20 })).await.expect(200)
    };
    let answer = ask("by name").await;
    assert_eq!(answer["content"], "All found.", "{answer}");
    let found: Vec<i64> = answer["subagents"][0]["items"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|i| i["agentId"].as_i64())
        .collect();
    assert_eq!(found, [latin, latin, chinese, latin, latin]);
    // What the model is offered names them.
    let schema = c.provider.asked("by name")[0].body["tools"].to_string();
    assert!(schema.contains("数据分析师") && schema.contains("counts"), "{schema}");
    assert!(!schema.contains("Secret Keeper"), "{schema}");

    let before = subagents_in_all(&c).await;
    for (n, wrong) in [json!("Data Scientist"), json!(secret), json!("secret keeper")].iter().enumerate() {
        let key = format!("unknown {n}");
        let tasks =
            [json!({ "goal": "count", "agentId": latin }), json!({ "goal": "count", "agentId": wrong })];
        c.provider.rounds(&key, vec![vec![tasks_of(&tasks)], vec![Reply::text("Nobody.")]]);
        assert_eq!(ask(&key).await["content"], "Nobody.");
        let results = c.provider.asked(&key)[1].results();
        assert_eq!(results.len(), 1, "{results:?}");
        let told = &results[0].1;
        assert!(told.contains(&latin.to_string()) && told.contains(&chinese.to_string()), "{told}");
        assert!(told.len() <= 1_024, "{told}");
    }
    assert_eq!(subagents_in_all(&c).await, before, "nothing was begun, not even in part");
    c.end(Allowed::default()).await;
}

/// A16: a subagent whose model delegates all the same is refused, also where it is the agent that
/// called it; the depth is one and the calls are few.
async fn a_subagent_cannot_delegate_whatever_its_model_says(c: Cluster) {
    let other = c.add_agent("other", c.model, &json!({})).await;
    let one = c.add_agent("one", c.model, &allowing(&[other])).await;
    let back = json!({ "subagentConfig": { "enabled": true, "allowedPresetAgentIds": [one] } });
    let patched = c.api(0).send(c.api(0).request("PATCH", &format!("/api/agents/{other}")).json(&back)).await;
    assert_eq!(patched.status, 200, "{patched:?}");
    let rounds = |goal: &str, agent: i64, answer: &str| {
        vec![vec![single(&json!({ "goal": goal, "agentId": agent }))], vec![Reply::text(answer)]]
    };
    c.provider.rounds("ping", rounds("pong", other, "Back again."));
    c.provider.rounds("pong", rounds("deeper", one, "I did it myself."));
    let answer = c.api(0).chat("", "ping", &json!({ "agentId": one, "wait": 20 })).await.expect(200);
    assert_eq!(answer["content"], "Back again.", "{answer}");
    assert_eq!(subagents_in_all(&c).await, 1);
    assert_eq!(c.provider.all().len(), 4, "two of each");
    let (_, told) = c.provider.asked("pong")[1].results().pop().expect("a result");
    assert!(told.contains("delegate_task") && told.len() <= 1_024, "{told}");
    assert_eq!(c.provider.asked("ping")[1].batch("call_1")[0]["summary"], "I did it myself.");
    c.end(Allowed::default()).await;
}

/// A21: no word ends a conversation: only a response without calls does.
async fn words_that_sound_like_an_end_end_nothing(c: Cluster) {
    let goals = ["say an end 1", "say an end 2", "say an end 3"];
    for (goal, word) in goals.iter().zip(["TERMINATE", "DONE", "结束"]) {
        c.provider.rounds(
            goal,
            vec![
                vec![Reply::calls(&[("get_time", "{}")]).saying(word)],
                vec![Reply::text(&format!("{word} and more"))],
            ],
        );
    }
    c.provider.rounds(
        "ends",
        vec![
            vec![parallel(&goals).saying("TERMINATE")],
            vec![Reply::calls(&[("get_time", "{}")]).saying("DONE 结束")],
            vec![Reply::text("The end.")],
        ],
    );
    let answer = c.api(0).ask("", "ends").await;
    assert_eq!(answer["content"], "TERMINATE\n\nDONE 结束\n\nThe end.", "{answer}");
    let entries = c.provider.asked("ends")[1].batch("call_1");
    let summaries: Vec<&str> = entries.iter().filter_map(|e| e["summary"].as_str()).collect();
    for (summary, word) in summaries.iter().zip(["TERMINATE", "DONE", "结束"]) {
        assert!(summary.contains(&format!("{word} and more")), "{summaries:?}");
    }
    assert_eq!(summaries.len(), 3);
    c.end(Allowed::default()).await;
}
