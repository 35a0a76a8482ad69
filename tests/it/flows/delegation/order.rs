//! Sessions and definitions beside a tree at work: later messages wait, and edits change nothing.

use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::Cluster;
use crate::harness::delegation::{goals, parallel, refs, tasks_of};
use crate::harness::invariants::Allowed;
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::wait::eventually;
use futures_util::future::join_all;
use serde_json::{Value, json};

on_both!(later_messages_wait_for_the_whole_tree, a_tree_at_work_keeps_the_definitions_it_began_with);

/// A19 with subagents: of twenty messages at once to a session whose turn waits for its subagents,
/// each is kept and answered in order, and none begins before the tree is over; `reject` is a 409.
async fn later_messages_wait_for_the_whole_tree(c: Cluster) {
    let goals = goals("hold up", 3);
    for goal in &goals {
        c.provider.says(goal, Reply::words(4).hold_after(1));
    }
    c.provider.rounds("first", vec![vec![parallel(&refs(&goals))], vec![Reply::text("First.")]]);
    let session = uuid::Uuid::now_v7().to_string();
    let first = c.api(0).say(&session, "first").await;
    eventually("its subagents work", LONG, async || c.provider.running() == 3).await;
    let keys: Vec<String> = (1..=20).map(|n| format!("later {n:02}")).collect();
    for key in &keys {
        c.provider.says(key, Reply::text(&format!("answer to {key}")));
    }
    let turns: Vec<Turn> =
        join_all(keys.iter().enumerate().map(async |(n, key)| c.api(n).say(&session, key).await)).await;
    let refused = c.api(1).chat(&session, "refused", &json!({ "policy": "reject", "wait": 0 })).await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    let run = c.api(1).run(turns[0].run).await;
    assert_eq!((&run["status"], &run["why"]["kind"]), (&json!("queued"), &json!("session_busy")), "{run}");
    assert!(c.provider.asked_like("later").is_empty());
    for goal in &goals {
        c.provider.release(goal);
    }
    assert_eq!(c.api(0).finish(&first).await["content"], "First.");
    for (turn, key) in turns.iter().zip(&keys) {
        assert_eq!(c.api(1).finish(turn).await["content"], format!("answer to {key}"));
    }
    let end = c.provider.asked("first")[1].end.expect("it ended").0;
    let mut calls = c.provider.asked_like("later");
    calls.sort_by_key(|call| call.at);
    assert!(calls[0].at >= end, "none before the tree is over");
    for pair in calls.windows(2) {
        assert!(pair[0].end.expect("it ended").0 <= pair[1].at, "one at a time");
    }
    assert_eq!((calls.len(), c.api(0).messages(&session).await.len()), (20, 42));
    // What later turns know of the tree: the call, its result, the answer; nothing of its inside.
    let told = calls[0].conversation();
    let roles: Vec<&str> = told.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant", "user"]);
    c.end(Allowed::default()).await;
}

/// A17: supervisor and preset are edited, then deleted, while the tree is at work: it ends as it
/// began; the next turn has the new definition; the same agent twice at once and twice in a row.
async fn a_tree_at_work_keeps_the_definitions_it_began_with(c: Cluster) {
    let preset = c.add_agent("preset", c.model, &json!({ "systemPrompt": "Old preset." })).await;
    let config = json!({ "systemPrompt": "Old lead.",
        "subagentConfig": { "maxConcurrent": 1, "allowedPresetAgentIds": [preset] } });
    let lead = c.add_agent("lead", c.model, &config).await;
    let goals = goals("keep", 3);
    for goal in &goals {
        c.provider.says(goal, Reply::words(4).hold_after(1));
    }
    let tasks: Vec<Value> = goals.iter().map(|g| json!({ "goal": g, "agentId": preset })).collect();
    c.provider.rounds("steady", vec![vec![tasks_of(&tasks)], vec![Reply::text("As before.")]]);
    let stored = async || {
        c.database.texts("SELECT CAST(t AS text) AS x FROM (SELECT name || system_prompt AS t FROM netaclaw_agent) t ORDER BY 1").await
    };
    let before = stored().await;
    let more = json!({ "agentId": lead, "wait": 0 });
    let turn = Turn::of("", &c.api(0).chat("", "steady", &more).await.body);
    eventually("the first works", LONG, async || c.provider.asked(&goals[0]).len() == 1).await;
    assert_eq!(stored().await, before, "a run changes no definition");

    let patch = async |agent: i64, body: &Value| {
        let request = c.api(1).request("PATCH", &format!("/api/agents/{agent}")).json(body);
        assert_eq!(c.api(1).send(request).await.status, 200);
    };
    patch(preset, &json!({ "systemPrompt": "New preset.", "tools": [] })).await;
    patch(lead, &json!({ "systemPrompt": "New lead.", "subagentConfig": { "enabled": false } })).await;
    c.provider.release(&goals[0]);
    eventually("the second works", LONG, async || c.provider.asked(&goals[1]).len() == 1).await;
    for agent in [preset, lead] {
        let deleted = c.api(1).delete(&format!("/api/agents/{agent}")).await;
        assert!((200..300).contains(&deleted.status), "{deleted:?}");
    }
    for goal in &goals[1..] {
        c.provider.release(goal);
    }
    let answer = c.api(0).finish(&turn).await;
    assert_eq!(
        (&answer["status"], &answer["content"]),
        (&json!("completed"), &json!("As before.")),
        "{answer}"
    );
    for goal in &goals {
        let call = &c.provider.asked(goal)[0];
        assert!(call.system().starts_with("Old preset."), "{}", call.system());
        assert!(call.tools().contains(&"get_time".to_owned()), "{:?}", call.tools());
    }
    assert!(c.provider.asked("steady")[1].system().starts_with("Old lead."));
    for item in answer["subagents"][0]["items"].as_array().expect("items") {
        assert_eq!((&item["name"], &item["status"]), (&json!("preset"), &json!("completed")), "{item}");
    }

    // The same agent three times in a row and twice at once.
    c.script_team("again", 3, "Once more.");
    for _ in 0..3 {
        assert_eq!(c.api(0).ask("", "again").await["content"], "Once more.");
    }
    let (a, b) = (c.api(0), c.api(1));
    let both = tokio::join!(a.ask("", "again"), b.ask("", "again"));
    assert_eq!((&both.0["content"], &both.1["content"]), (&json!("Once more."), &json!("Once more.")));
    c.end(Allowed::default()).await;
}
