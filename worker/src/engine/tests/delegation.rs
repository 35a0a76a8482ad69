//! Supervisors, their subagents, and questions to a person.

use super::fixture::{Fixture, Turn, slot};
use crate::llm::scripted::Reply;
use serde_json::{Value, json};
use shared::app;
use shared::domain::audit::By;
use shared::domain::events::Event;
use shared::domain::ids::{RunId, SessionId, TenantId};
use shared::domain::runs::{Reason, RunStatus};
use shared::domain::subagents::{BatchSummary, SubagentStatus};
use shared::on_both;
use shared::store::{runs, subagents};

/// A reply that delegates one goal to each of these scripts.
fn delegate(scripts: &[&str]) -> Reply {
    let tasks: Vec<Value> =
        scripts.iter().map(|s| json!({"goal": format!("look at it [[script:{s}]]")})).collect();
    Reply::call("delegate_parallel", &json!({ "tasks": tasks }).to_string())
}

/// What the supervisor read of its last batch.
fn results(f: &Fixture, script: &str, request: usize) -> Vec<Value> {
    let body = &f.provider.requests(script)[request].body;
    let last = body["messages"].as_array().unwrap().iter().rfind(|m| m["role"] == "tool").unwrap();
    serde_json::from_str(last["content"].as_str().unwrap()).unwrap()
}

async fn children(f: &Fixture, turn: Turn) -> Vec<shared::domain::subagents::Subagent> {
    subagents::of_run(&f.app.db, turn.run_id).await.unwrap()
}

on_both!(five_goals_run_three_at_a_time_and_come_back_in_order, |db| async {
    let f = Fixture::new(db).await;
    let names = ["c0", "c1", "c2", "c3", "c4"];
    f.provider.script("s", vec![delegate(&names), Reply::text("All five.").usage(50, 5).hold_after(0)]);
    for name in names {
        let answer = format!("about {name}");
        f.provider.script(name, vec![Reply::text(&answer).usage(100, 20).hold_after(0)]);
    }
    let turn = f.say(SessionId::generate(), "compare [[script:s]]").await;
    let engine = f.engine();
    let work = f.work(&engine);
    let story = async {
        for name in &names[..3] {
            f.provider.wait_for(name, |s| s.held == 1).await;
        }
        assert_eq!((f.provider.calls("c3"), f.provider.calls("c4")), (0, 0), "the limit is three");
        // The second to end lets the next one begin, though the first still runs.
        f.provider.release("c1");
        f.provider.wait_for("c3", |s| s.held == 1).await;
        assert_eq!(f.provider.calls("c4"), 0);
        let parent = runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap();
        assert_eq!((parent.status, parent.lease_owner), (RunStatus::Waiting, None), "it holds nothing");
        for name in ["c0", "c2", "c3", "c4"] {
            f.provider.release(name);
        }
        // What is told after the turn's end comes too late for its stream.
        f.provider.wait_for("s", |s| s.held == 1).await;
        while f.told(turn, r#""status":"completed","#).await < 5 {
            tokio::task::yield_now().await;
        }
        f.provider.release("s");
    };
    tokio::join!(work, story);

    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "All five."), "{:?}", view.error);
    let results = results(&f, "s", 1);
    let summaries: Vec<_> = results.iter().map(|r| r["summary"].as_str().unwrap()).collect();
    assert_eq!(summaries, names.map(|n| format!("about {n}")));
    assert_eq!(view.subagents.len(), 1);
    let batch = &view.subagents[0];
    assert_eq!(batch.summary, BatchSummary { total: 5, completed: 5, ..BatchSummary::default() });
    assert_eq!(batch.items.iter().map(|i| i.sort_order).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    // Two calls of the supervisor, the first with the scripted default of 10 and 5, and five of children.
    let usage = view.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (10 + 50 + 500, 5 + 5 + 100));
    assert_eq!(f.provider.calls("s"), 2);
    f.assert_stream_equals_rows(turn).await;
    let events = f.events(turn).await;
    let count = |f: fn(&Event) -> bool| events.iter().filter(|e| f(e)).count();
    assert_eq!(count(|e| matches!(e, Event::SubagentBatchStart { total: 5, .. })), 1);
    assert_eq!(count(|e| matches!(e, Event::SubagentDone { .. })), 1);
    let states = |status| {
        let is =
            |e: &&Event| matches!(e, Event::SubagentUpdate { subagent, .. } if subagent.status == status);
        events.iter().filter(is).count()
    };
    assert_eq!(states(SubagentStatus::Queued), 5);
    assert_eq!(states(SubagentStatus::Running), 5);
    assert_eq!(states(SubagentStatus::Completed), 5);
    assert!(!events.iter().any(|e| matches!(e, Event::TextReset { .. })), "nothing was withdrawn");
});

on_both!(a_child_knows_its_goal_and_nothing_else, |db| async {
    let f = Fixture::new(db).await;
    let call = json!({"goal": "weigh it [[script:c]]", "context": "It is red."}).to_string();
    f.provider
        .script("s", vec![Reply::text("first"), Reply::call("delegate_task", &call), Reply::text("done")]);
    f.provider.script("c", vec![Reply::call("look", "{}"), Reply::text("5 kg")]);
    let session = SessionId::generate();
    f.say(session, "你好 [[script:s]]").await;
    f.say(session, "多重？ [[script:s]]").await;
    f.work(&f.engine()).await;
    let body = &f.provider.requests("c")[0].body;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "no history");
    let (system, user) = (messages[0]["content"].as_str().unwrap(), messages[1]["content"].as_str().unwrap());
    assert!(system.starts_with("You are a test."), "{system}");
    assert!(system.contains("Chinese"), "{system}");
    assert!(user.contains("weigh it") && user.contains("It is red."), "{user}");
    assert!(!system.contains("weigh it"), "the goal stands in the message only");
    let tools: Vec<_> =
        body["tools"].as_array().unwrap().iter().map(|t| t["function"]["name"].clone()).collect();
    assert!(tools.contains(&json!("look")));
    for none in ["delegate_task", "delegate_parallel", "clarify", "read_result"] {
        assert!(!tools.contains(&json!(none)), "{tools:?}");
    }
});

on_both!(one_that_fails_is_an_entry_and_the_others_go_on, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a", "bad", "c"]), Reply::text("Two of three.")]);
    f.provider.script("a", vec![Reply::text("fine")]);
    f.provider.script("bad", vec![Reply::status(400, r#"{"error":{"message":"no"}}"#)]);
    f.provider.script("c", vec![Reply::text("good")]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    f.work(&f.engine()).await;
    let results = results(&f, "s", 1);
    let statuses: Vec<_> = results.iter().map(|r| r["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["completed", "failed", "completed"]);
    assert_eq!(results[1]["exitReason"], "model_request");
    let view = f.view(turn).await;
    assert_eq!(view.status, RunStatus::Completed);
    assert_eq!((view.subagents[0].summary.completed, view.subagents[0].summary.failed), (2, 1));
    assert_eq!(f.provider.calls("bad"), 1, "no retry but at the transport");
});

on_both!(ordinary_calls_two_batches_and_a_question_in_one_response, |db| async {
    let f = Fixture::new(db).await;
    let one = |name: &str| json!({"goal": format!("do [[script:{name}]]")}).to_string();
    let mixed = Reply::call("delegate_task", &one("a"))
        .and_call("look", r#"{"say":"seen"}"#)
        .and_call("clarify", r#"{"question":"Which one?","options":["red","blue"]}"#)
        .and_call("delegate_task", &one("b"));
    f.provider.script("s", vec![mixed, Reply::text("Thanks.")]);
    f.provider.script("a", vec![Reply::text("A")]);
    f.provider.script("b", vec![Reply::text("B")]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine();
    f.work(&engine).await;
    // Both batches have ended, and the question stands.
    let run = runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap();
    assert_eq!((run.status, run.reason), (RunStatus::Paused, Some(Reason::Question)));
    let view = f.view(turn).await;
    assert_eq!(view.pauses.len(), 1);
    assert_eq!((view.pauses[0].question.as_str(), view.pauses[0].options.len()), ("Which one?", 2));
    app::pauses::answer(&f.app, TenantId::FIRST, By::neta(), view.pauses[0].pause_id, "blue").await.unwrap();
    f.work(&engine).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str(), view.pauses.len()), (RunStatus::Completed, "Thanks.", 0));
    let body = &f.provider.requests("s")[1].body;
    let contents: Vec<_> =
        body["messages"].as_array().unwrap()[3..].iter().map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(contents.len(), 4, "each call has its result, in the order of the calls");
    assert!(contents[0].contains("\"A\"") && contents[3].contains("\"B\""), "{contents:?}");
    assert_eq!((contents[1], contents[2]), ("seen", "blue"));
    assert_eq!(f.safe.counts(), [1]);
    f.assert_stream_equals_rows(turn).await;
});

on_both!(a_refused_hand_over_starts_nothing, |db| async {
    let f = Fixture::new(db).await;
    let many: Vec<Value> = (0..17).map(|n| json!({"goal": format!("goal {n}")})).collect();
    f.provider.script(
        "s",
        vec![
            Reply::call("delegate_parallel", &json!({ "tasks": many }).to_string()),
            Reply::call("delegate_task", r#"{"goal":"x","agentId":"nobody"}"#),
            Reply::text("I see."),
        ],
    );
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    f.work(&f.engine()).await;
    assert!(children(&f, turn).await.is_empty());
    let said = |request: usize| {
        let body = f.provider.requests("s")[request].body.clone();
        body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
    };
    assert!(said(1).contains("17") && said(1).contains("16"), "{}", said(1));
    assert!(said(2).contains("agentId"), "{}", said(2));
    assert_eq!(f.view(turn).await.status, RunStatus::Completed);
});

on_both!(stopping_the_turn_ends_the_whole_tree, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a", "b", "c", "d", "e"]), Reply::text("never")]);
    f.provider.script("a", vec![Reply::text("done")]);
    for name in ["b", "c", "d", "e"] {
        f.provider.script(name, vec![Reply::tokens(["part ", "more "]).hold_after(1)]);
    }
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine();
    let stop = tokio_util::sync::CancellationToken::new();
    let listener = tokio::spawn(engine.clone().listen(stop.clone()));
    let heartbeat = tokio::spawn(engine.clone().keep_leases(stop.clone()));
    let story = async {
        for name in ["b", "c", "d"] {
            f.provider.wait_for(name, |s| s.held == 1).await;
        }
        app::runs::stop(&f.app, TenantId::FIRST, By::neta(), turn.run_id).await.unwrap();
        for name in ["b", "c", "d"] {
            f.provider.wait_for(name, |s| s.left == 1).await;
        }
    };
    tokio::join!(f.work(&engine), story);
    stop.cancel();
    listener.await.unwrap();
    heartbeat.await.unwrap();
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Cancelled, Some(Reason::Stopped)));
    let summary = view.subagents[0].summary;
    assert_eq!((summary.completed, summary.cancelled, summary.total), (1, 4, 5), "{summary:?}");
    assert_eq!(f.provider.calls("e"), 0, "one that was held never begins");
    let children = children(&f, turn).await;
    assert_eq!(children[0].summary.as_deref(), Some("done"));
    assert_eq!(children[1].summary.as_deref(), Some("part "), "partial text is kept");
    assert_eq!(children[4].exit_reason, Some(Reason::ParentEnded));
    assert!(matches!(f.events(turn).await.last(), Some(Event::Done(v)) if v.status == RunStatus::Cancelled));
});

on_both!(stopping_one_subagent_leaves_the_others, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a", "b"]), Reply::text("One of two.")]);
    f.provider.script("a", vec![Reply::tokens(["part ", "more "]).hold_after(1)]);
    f.provider.script("b", vec![Reply::text("whole").hold_after(0)]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine();
    let stop = tokio_util::sync::CancellationToken::new();
    let listener = tokio::spawn(engine.clone().listen(stop.clone()));
    let story = async {
        f.provider.wait_for("a", |s| s.held == 1).await;
        let first: RunId = children(&f, turn).await[0].run_id;
        app::runs::stop(&f.app, TenantId::FIRST, By::neta(), first).await.unwrap();
        f.provider.wait_for("a", |s| s.left == 1).await;
        f.provider.release("b");
    };
    tokio::join!(f.work(&engine), story);
    stop.cancel();
    listener.await.unwrap();
    let results = results(&f, "s", 1);
    assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!("cancelled"), &json!("completed")));
    assert_eq!(f.view(turn).await.content, "One of two.");
});

on_both!(a_worker_that_dies_loses_neither_batch_nor_result, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a", "b"]), Reply::text("Both.")]);
    f.provider.script("a", vec![Reply::call("look", "{}"), Reply::text("A")]);
    f.provider.script("b", vec![Reply::text("B")]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    // Every step in another worker.
    for _ in 0..40 {
        let engine = f.engine_with(|c| c.worker.always_suspend = true);
        let jobs = f.app.queue.pop(1).await.unwrap();
        if jobs.is_empty() {
            break;
        }
        for job in jobs {
            engine.take(job, slot().await).await;
        }
        engine.drain().await;
    }
    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "Both."));
    assert_eq!((f.provider.calls("s"), f.provider.calls("a"), f.provider.calls("b")), (2, 2, 1));
    assert_eq!(f.safe.counts(), [1]);
});

on_both!(a_budget_asks_before_it_is_broken, |db| async {
    let f = Fixture::new_agent(db, |agent| agent.budget_tokens = Some(2_000)).await;
    let engine = f.engine();
    for (decision, best, calls) in [("raise", "Done.", 2), ("finish now", "My best.", 2), ("stop", "", 1)] {
        let script = decision.replace(' ', "-");
        f.provider.script(&script, vec![Reply::call("look", "{}").usage(1_500, 100), Reply::text(best)]);
        let turn = f.say(SessionId::generate(), &format!("go [[script:{script}]]")).await;
        f.work(&engine).await;
        let view = f.view(turn).await;
        assert_eq!((view.status, view.reason), (RunStatus::Paused, Some(Reason::Budget)), "{view:?}");
        assert!(view.pauses[0].question.contains("1600 of 2000 tokens"), "{}", view.pauses[0].question);
        let id = view.pauses[0].pause_id;
        let refused = app::pauses::answer(&f.app, TenantId::FIRST, By::neta(), id, "whatever").await.unwrap();
        assert!(matches!(refused, app::pauses::Answered::NotOffered(_)));
        app::pauses::answer(&f.app, TenantId::FIRST, By::neta(), id, decision).await.unwrap();
        f.work(&engine).await;
        let view = f.view(turn).await;
        assert_eq!((view.content.as_str(), f.provider.calls(&script)), (best, calls), "{decision}");
        let end = match decision {
            "raise" => (RunStatus::Completed, None),
            "finish now" => (RunStatus::Completed, Some(Reason::Budget)),
            _ => (RunStatus::Cancelled, Some(Reason::Stopped)),
        };
        assert_eq!((view.status, view.reason), end, "{decision}");
        assert!(view.pauses.is_empty());
    }
});
