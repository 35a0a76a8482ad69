//! A batch as readers see it: at most so many at once, the next as soon as one ends, and the same card
//! over every door, at every moment, and afterwards.

use super::{ended, plain};
use crate::harness::calls::{most_agents_at_once, most_at_once};
use crate::harness::client::{LONG, Turn, items};
use crate::harness::cluster::Cluster;
use crate::harness::delegation::{goals, parallel, refs};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::on_both;
use crate::harness::reply::Reply;
use crate::harness::transcript::Transcript;
use crate::harness::wait::{always, eventually};
use serde_json::{Value, json};
use std::time::Duration;

on_both!(
    five_goals_run_three_at_a_time_and_are_gathered,
    the_next_starts_the_moment_one_ends,
    every_door_shows_the_same_batch,
    a_reload_at_any_moment_shows_the_same_card
);

/// A01: five goals under a limit of three: all five run, never more than three at once, each is seen
/// to be queued, to run and to end, and the supervisor reads their results in the order of its call.
async fn five_goals_run_three_at_a_time_and_are_gathered(c: Cluster) {
    let goals = goals("look into", 5);
    for goal in &goals {
        c.provider.says(goal, Reply::text(&format!("found by {goal}")).hold_after(1).usage(20, 3));
    }
    let answer = Reply::text("All five compared.").usage(100, 9).after(Duration::from_millis(500));
    c.provider.rounds("compare", vec![vec![parallel(&refs(&goals)).saying("I ask five.")], vec![answer]]);
    let mut reader = c.api(0).stream("", "compare").await;
    reader
        .read_until("three run and two wait", |t| {
            t.card.statuses() == ["running", "running", "running", "queued", "queued"]
        })
        .await;
    let turn = Turn::of(reader.seen.events[0]["sessionId"].as_str().unwrap_or_default(), {
        &reader.seen.of("run_accepted")[0]["data"]
    });
    eventually("all three are asked", LONG, async || c.provider.running() == 3).await;
    always("three at once", Duration::from_millis(500), async || c.provider.running() == 3).await;
    assert_eq!((c.runs_in("held").await, c.runs_in("waiting").await), (2, 1));
    let held = c.subagents(&turn).await.pop().expect("five");
    assert_eq!((held.run_status.as_str(), held.run_reason.as_str()), ("held", "parent_concurrency"));
    for goal in &goals {
        c.provider.release(goal);
    }
    let seen = reader.read_all().await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    assert_eq!(seen.text, "I ask five.\n\nAll five compared.");

    // Every step of it was told, once.
    let start = seen.of("subagent_batch_start");
    assert_eq!(start.len(), 1, "{start:?}");
    let data = &start[0]["data"];
    assert_eq!((&data["batchId"], &data["total"]), (&json!("call_1"), &json!(5)), "{data}");
    assert_eq!(data["parentMessageId"], turn.assistant, "{data}");
    assert!(data["title"].as_str().is_some_and(|t| !t.is_empty()), "{data}");
    let done = seen.of("subagent_done");
    assert_eq!(done.len(), 1, "{done:?}");
    let expected =
        json!({ "total": 5, "queued": 0, "running": 0, "completed": 5, "failed": 0, "cancelled": 0 });
    assert_eq!(done[0]["data"]["summary"], expected);
    for item in seen.card.items() {
        let id = item["id"].as_i64().expect("an id");
        assert_eq!(seen.card.way_of(id), ["queued", "running", "completed"], "{item}");
        assert_eq!(item["tokenUsage"], json!({ "inputTokens": 20, "outputTokens": 3 }), "{item}");
        assert!(item["startedAt"].is_string() && item["endedAt"].is_string(), "{item}");
        assert_eq!(item["sourceType"], "clone", "{item}");
    }
    assert_eq!(seen.followed.batches, seen.card.batches, "the events add up to the last one");
    let result = seen.of("tool_result");
    assert_eq!((result.len(), &result[0]["data"]["status"]), (1, &json!("ok")), "{result:?}");

    // The supervisor read all of it, in the order of its call.
    let calls = c.provider.asked("compare");
    assert_eq!(calls.len(), 2);
    let entries = calls[1].batch("call_1");
    assert_eq!(entries.len(), 5);
    for (entry, goal) in entries.iter().zip(&goals) {
        assert_eq!(entry["summary"], format!("found by {goal}"), "{entry}");
        assert_eq!(entry["status"], "completed", "{entry}");
        assert_eq!(entry["truncated"], false, "{entry}");
        assert_eq!(entry["tokenUsage"], json!({ "inputTokens": 20, "outputTokens": 3 }), "{entry}");
    }
    let children = c.provider.asked_like("look into");
    assert_eq!((children.len(), most_at_once(&children)), (5, 3));
    // A subagent knows its goal and nothing else of the conversation, and may not do what only a
    // supervisor may.
    for call in &children {
        assert!(!call.body.to_string().contains("compare"), "{}", call.body);
        assert_eq!(call.conversation().len(), 1, "{:?}", call.conversation());
        let tools = call.tools();
        let forbidden = ["delegate_task", "delegate_parallel", "clarify"];
        assert!(!tools.iter().any(|t| forbidden.contains(&t.as_str())), "{tools:?}");
        assert!(call.system().starts_with("You are a test."), "{}", call.system());
        assert!(call.system().len() > "You are a test.".len() + 50, "the guidance comes last");
    }
    let tools = calls[0].tools();
    for name in ["delegate_task", "delegate_parallel", "clarify"] {
        assert!(tools.iter().any(|t| t == name), "{tools:?}");
    }
    // P22: 10 and 5 of the first call, 100 and 9 of the second, 5 times 20 and 3.
    let body = c.api(1).finish(&turn).await;
    assert_eq!(body["usage"], json!({ "inputTokens": 210, "outputTokens": 29 }), "{body}");
    c.end(Allowed::default()).await;
}

/// Nine children, one held back, limit three: the other eight never wait for it.
async fn the_next_starts_the_moment_one_ends(c: Cluster) {
    let goals = c.script_team("slide", 9, "All nine.");
    c.provider.says(&goals[0], Reply::words(3).hold_after(1));
    for goal in &goals[1..] {
        c.provider.says(goal, Reply::words(4).every(Duration::from_millis(40)));
    }
    let turn = c.api(0).say("", "slide").await;
    eventually("eight are done while one is held", LONG, async || {
        ended(&c, &turn).await == 8 && c.provider.running() == 1
    })
    .await;
    assert!(c.provider.asked(&goals[0])[0].end.is_none(), "the held one still runs");
    let others: Vec<_> =
        c.provider.asked_like("slide part").into_iter().filter(|call| call.key != goals[0]).collect();
    assert_eq!((others.len(), most_at_once(&others)), (8, 2));
    // Each began right after another had ended, not after a group of them.
    let mut ends: Vec<_> = others.iter().filter_map(|call| call.end.map(|(at, _)| at)).collect();
    let mut begins: Vec<_> = others.iter().map(|call| call.at).collect();
    ends.sort();
    begins.sort();
    let mut gaps: Vec<_> =
        ends.iter().zip(&begins[2..]).map(|(end, begin)| begin.saturating_duration_since(*end)).collect();
    gaps.sort();
    assert!(gaps[gaps.len() / 2] < Duration::from_millis(500), "places stayed empty for {gaps:?}");
    c.provider.release(&goals[0]);
    assert_eq!(c.api(1).finish(&turn).await["content"], "All nine.");
    assert_eq!(most_agents_at_once(&c.provider.asked_like("slide part")), 3);
    c.end(Allowed::default()).await;
}

/// What the events say of the subagents, without what differs between two turns, in a fixed order.
fn told(seen: &Transcript) -> Vec<String> {
    let mut all: Vec<String> = seen
        .events
        .iter()
        .filter(|e| e["type"].as_str().is_some_and(|t| t.starts_with("subagent_") || t.starts_with("tool_")))
        .map(|e| plain(&e["data"]).to_string())
        .collect();
    all.sort();
    all.dedup();
    all
}

/// WebSocket, SSE and HTTP give equal rows, metadata and events.
async fn every_door_shows_the_same_batch(c: Cluster) {
    let goals = c.script_team("door", 4, "");
    // Events of several workers have no order among them: the answer leaves them time to arrive.
    let answer = Reply::text("From four.").after(Duration::from_millis(500));
    c.provider.rounds("door", vec![vec![parallel(&refs(&goals))], vec![answer]]);
    let api = c.api(0);
    let waited = api.chat("", "door", &json!({ "wait": 20 })).await.expect(200);
    let polled = api.say("", "door").await;
    c.api(1).finish(&polled).await;
    let reader = c.api(1).stream("", "door").await;
    let streamed = reader.read_all().await;
    let mut socket = c.api(1).socket().await;
    socket.send(&api.frame("", "door", &json!({}))).await;
    socket.read_until("the turn ends", |s| s.turns.values().any(|t| t.terminal.is_some())).await;
    let spoken = socket.turns.values().next().expect("a turn").clone();
    spoken.check();
    assert_eq!(told(&streamed), told(&spoken));
    assert_eq!(streamed.of("subagent_batch_start").len(), 1);

    let of = |seen: &Transcript| {
        let accepted = seen.of("run_accepted")[0].clone();
        Turn::of(accepted["sessionId"].as_str().unwrap_or_default(), &accepted["data"])
    };
    let turns = [Turn::of("", &waited), polled, of(&streamed), of(&spoken)];
    let mut all = Vec::new();
    for turn in &turns {
        let answer = api.finish(turn).await;
        let message = c.api(1).messages(&turn.session).await.pop().expect("the answer");
        assert_eq!(answer["subagents"], message["metadata"]["subagents"], "{answer}");
        let rows: Vec<_> = c
            .subagents(turn)
            .await
            .into_iter()
            .map(|s| (s.batch, s.place, s.status, s.exit_reason, s.run_status, s.goal))
            .collect();
        all.push((plain(&answer["subagents"]), answer["usage"].clone(), rows));
    }
    assert_eq!(all[0].2.len(), 4);
    for other in &all[1..] {
        assert_eq!(*other, all[0]);
    }
    c.end(Allowed::default()).await;
}

/// Queued, running, some over, all over: a page that is opened in any of these moments shows the card
/// that who followed from the beginning sees, also when the live log is gone.
async fn a_reload_at_any_moment_shows_the_same_card(c: Cluster) {
    let goals = goals("hold", 5);
    for goal in &goals {
        c.provider.says(goal, Reply::words(4).hold_after(2));
    }
    c.provider.rounds("reload", vec![vec![parallel(&refs(&goals))], vec![Reply::words(5).hold_after(2)]]);
    let session = uuid::Uuid::now_v7().to_string();
    let mut follower = c.api(0).stream(&session, "reload").await;
    let moments: [(&str, [&str; 5]); 4] = [
        ("", ["running", "running", "running", "queued", "queued"]),
        (&goals[1], ["running", "completed", "running", "running", "queued"]),
        (&goals[0], ["completed", "completed", "running", "running", "running"]),
        (&goals[4], ["completed", "completed", "running", "running", "completed"]),
    ];
    for (n, (release, expected)) in moments.into_iter().enumerate() {
        c.provider.release(release);
        follower.read_until("the next moment", |t| t.card.statuses() == expected).await;
        let turn = Turn::of(&session, &follower.seen.of("run_accepted")[0]["data"]);
        if n == 2
            && let Some(redis) = &c.redis
        {
            redis.forget_all();
        }
        for api in [c.api(0), c.api(1)] {
            let page = api.get(&format!("/api/sessions/{session}/messages")).await.expect(200);
            let pending = items(&page).into_iter().find(|m| m["id"] == turn.assistant).expect("pending");
            let shown: Vec<Value> = pending["turn"]["subagents"].as_array().cloned().unwrap_or_default();
            assert_eq!(shown, follower.seen.card.batches, "{n}: the page");
            let mut socket = api.socket().await;
            socket.subscribe(&session, None).await;
            socket
                .read_until("the card", |s| {
                    s.turns.get(&turn.assistant).is_some_and(|t| !t.card.batches.is_empty())
                })
                .await;
            assert_eq!(socket.turns[&turn.assistant].card.batches, shown, "{n}: the socket");
        }
        if n == 2 {
            // The old log is gone: who followed it is told the whole picture, and goes on from there.
            let mut again = c.api(1).resume(turn.assistant, None).await;
            again.read_until("the card", |t| t.card.statuses() == expected).await;
            follower = again;
            follower.seen.events.insert(
                0,
                json!({ "type": "run_accepted", "data": {
                "userMessageId": turn.user, "assistantMessageId": turn.assistant, "runId": turn.run } }),
            );
        }
    }
    for goal in &goals {
        c.provider.release(goal);
    }
    follower.read_until("the answer begins", |t| t.text.contains("word2")).await;
    let turn = Turn::of(&session, &follower.seen.of("run_accepted")[0]["data"]);
    let mut late = c.api(1).socket().await;
    late.subscribe(&session, None).await;
    late.read_until("text and card", |s| {
        s.turns.get(&turn.assistant).is_some_and(|t| t.text.contains("word2") && !t.card.batches.is_empty())
    })
    .await;
    assert_eq!(late.turns[&turn.assistant].card.batches, follower.seen.card.batches);
    c.provider.release("reload");
    let seen = late.read_turn(turn.assistant).await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    assert_eq!(seen.followed.batches, seen.card.batches);
    c.end(Allowed::default()).await;
}
