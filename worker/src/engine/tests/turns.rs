//! Turns from acceptance to the last event.

use super::fixture::Fixture;
use crate::llm::scripted::Reply;
use shared::app;
use shared::domain::audit::By;
use shared::domain::events::Event;
use shared::domain::ids::{SessionId, TenantId};
use shared::domain::journal::ToolStatus;
use shared::domain::models::ModelLimits;
use shared::domain::runs::{Reason, RunStatus};
use shared::domain::todos::TodoStatus;
use shared::on_both;
use shared::store::{runs, usage};
use std::time::Duration;

on_both!(a_plain_turn, |db| async {
    let limits = ModelLimits { input_price: Some(2.0), output_price: Some(10.0), ..ModelLimits::default() };
    let f = Fixture::with_limits(db, limits).await;
    f.provider.script("hi", vec![Reply::text("Hello there, friend.").thinking("hm").usage(100, 20)]);
    let turn = f.say(SessionId::generate(), "hi [[script:hi]]").await;
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Completed, None));
    assert_eq!((view.content.as_str(), view.thinking.as_str()), ("Hello there, friend.", "hm"));
    assert_eq!(view.cost, Some(0.0004));
    assert_eq!(f.provider.calls("hi"), 1);
    let (counted, cost) = usage::of_run(&**db, turn.run_id).await.unwrap().unwrap();
    assert_eq!((Some(counted), cost), (view.usage, view.cost));
    f.assert_stream_equals_rows(turn).await;
});

on_both!(history_holds_each_message_once_and_in_order, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("h", vec![Reply::text("one"), Reply::text("two")]);
    let session = SessionId::generate();
    // Both are accepted before either is answered.
    let first = f.say(session, "first [[script:h]]").await;
    let second = f.say(session, "second [[script:h]]").await;
    f.work(&f.engine()).await;
    let contents: Vec<_> = f.provider.requests("h")[1].body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["content"].as_str().unwrap().to_owned())
        .collect();
    assert!(contents[0].starts_with("You are a test."), "{}", contents[0]);
    assert_eq!(contents[1..], ["first [[script:h]]", "one", "second [[script:h]]"]);
    assert_eq!(f.view(first).await.content, "one");
    assert_eq!(f.view(second).await.content, "two");
});

on_both!(a_message_that_was_changed_in_line_is_answered_as_it_reads_now, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("h", vec![Reply::text("one")]);
    let session = SessionId::generate();
    let turn = f.say(session, "old [[script:h]]").await;
    let (tenant, by) = (TenantId::FIRST, By::neta());
    let user = app::turns::find(&f.app, tenant, turn.message_id).await.unwrap().view.user_message_id;
    app::turns::edit(&f.app, tenant, by.clone(), session, user, "new [[script:h]]").await.unwrap();
    f.work(&f.engine()).await;
    let request = &f.provider.requests("h")[0].body["messages"];
    assert_eq!(request[1]["content"], "new [[script:h]]", "{request}");
    let late = app::turns::edit(&f.app, tenant, by, session, user, "later").await;
    assert!(matches!(late, Err(app::AppError::TurnStarted)), "{late:?}");
});

on_both!(tool_calls_run_at_once_and_their_results_are_in_call_order, |db| async {
    let f = Fixture::new(db).await;
    let plan = r#"{"items":[{"content":"look","status":"in_progress"}]}"#;
    let calls = Reply::text("Let me see.")
        .and_call("look", r#"{"do":"hold","say":"slow"}"#)
        .and_call("look", r#"{"say":"fast"}"#)
        .and_call("todo_write", plan)
        .and_call("no_such_tool", "{}");
    f.provider.script("t", vec![calls, Reply::text("Done.")]);
    let turn = f.say(SessionId::generate(), "go [[script:t]]").await;
    let engine = f.engine();
    f.take(&engine, turn).await;
    // Both runs of `look` have begun while the first still waits: they run at the same time.
    f.safe.begun.notified().await;
    while f.safe.counts().len() < 2 {
        f.safe.begun.notified().await;
    }
    f.safe.release.notify_one();
    f.work(&engine).await;
    let view = f.view(turn).await;
    assert_eq!(view.content, "Let me see.\n\nDone.");
    assert_eq!(view.todos[0].status, TodoStatus::InProgress);
    let statuses: Vec<_> = view.tools.iter().map(|t| t.status).collect();
    assert_eq!(statuses, [ToolStatus::Ok, ToolStatus::Ok, ToolStatus::Ok, ToolStatus::Error]);
    let body = &f.provider.requests("t")[1].body;
    let messages = body["messages"].as_array().unwrap();
    let made: Vec<_> = messages[2]["tool_calls"].as_array().unwrap().iter().map(|c| &c["id"]).collect();
    let answered: Vec<_> = messages[3..].iter().map(|m| &m["tool_call_id"]).collect();
    assert_eq!(made, answered, "each result follows, in the order of the calls");
    assert_eq!(messages[3]["content"], "slow");
    assert_eq!(f.safe.counts(), [1, 1]);
    f.assert_stream_equals_rows(turn).await;
});

on_both!(a_panicking_tool_is_an_error_that_the_model_reads, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("p", vec![Reply::call("look", r#"{"do":"panic"}"#), Reply::text("I see.")]);
    let turn = f.say(SessionId::generate(), "go [[script:p]]").await;
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.tools[0].status), (RunStatus::Completed, ToolStatus::Error));
});

on_both!(an_empty_answer_is_asked_for_once_more_and_then_fails, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("e", vec![Reply::call("look", "{}"), Reply::text("")]);
    let turn = f.say(SessionId::generate(), "go [[script:e]]").await;
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Failed, Some(Reason::EmptyAnswer)), "{view:?}");
    assert!(view.error.unwrap().message.contains("no answer"));
    assert_eq!(f.provider.calls("e"), 3);
});

on_both!(a_failed_attempt_is_withdrawn_and_shown_once, |db| async {
    let f = Fixture::new(db).await;
    let cut = Reply::tokens(["a ", "b ", "c ", "d "]).unfinished_after(3);
    f.provider.script("c", vec![cut, Reply::text("whole answer")]);
    let turn = f.say(SessionId::generate(), "go [[script:c]]").await;
    f.work(&f.engine()).await;
    assert_eq!(f.view(turn).await.content, "whole answer");
    let events = f.events(turn).await;
    assert!(events.iter().any(|e| matches!(e, Event::TextReset { text, .. } if text.is_empty())));
    f.assert_stream_equals_rows(turn).await;
});

on_both!(a_refused_key_fails_the_turn_and_the_next_one_works, |db| async {
    let f = Fixture::new(db).await;
    let refusal = r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
    f.provider.script("k", vec![Reply::status(401, refusal), Reply::text("fine")]);
    let session = SessionId::generate();
    let failed = f.say(session, "go [[script:k]]").await;
    f.work(&f.engine()).await;
    let view = f.view(failed).await;
    assert_eq!((view.status, view.reason), (RunStatus::Failed, Some(Reason::ModelAuth)));
    assert!(matches!(f.events(failed).await.last(), Some(Event::Error { kind: Reason::ModelAuth, .. })));
    let next = f.say(session, "again [[script:k]]").await;
    f.work(&f.engine()).await;
    assert_eq!(f.view(next).await.content, "fine");
});

on_both!(a_rate_limited_run_gives_its_slot_back_and_comes_again, |db| async {
    let f = Fixture::new(db).await;
    let wait = Reply::status(429, r#"{"error":{"message":"slow down"}}"#).header("retry-after-ms", "200");
    f.provider.script("r", vec![wait, Reply::text("now")]);
    let turn = f.say(SessionId::generate(), "go [[script:r]]").await;
    let engine = f.engine();
    f.work(&engine).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "now"));
    let asked = f.provider.requests("r");
    let waited = asked[1].at - asked[0].at;
    assert!(waited >= Duration::from_millis(200), "{waited:?}");
    let queued = |e: &Event| {
        matches!(e, Event::Status { status: RunStatus::Queued, reason: Some(Reason::ModelLimit) })
    };
    assert!(f.events(turn).await.iter().any(queued));
    let run = runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap();
    assert_eq!(run.lease_epoch, 2, "handed back once");
});

on_both!(stop_closes_the_provider_and_keeps_the_text, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![Reply::tokens(["one ", "two ", "three "]).hold_after(2)]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine();
    let stop = tokio_util::sync::CancellationToken::new();
    let listener = tokio::spawn(engine.clone().listen(stop.clone()));
    let heartbeat = tokio::spawn(engine.clone().keep_leases(stop.clone()));
    f.take(&engine, turn).await;
    f.provider.wait_for("s", |s| s.held == 1).await;
    // The text that was sent has arrived once it is in the log.
    loop {
        let stream = shared::bus::Stream::of_turn(turn.session_id, turn.message_id);
        let replay = f.app.bus.read(stream, None).await.unwrap();
        if matches!(replay, shared::bus::Replay::Frames { frames, .. } if frames.iter().any(|f| f.json.contains("two")))
        {
            break;
        }
        tokio::task::yield_now().await;
    }
    app::runs::stop(&f.app, TenantId::FIRST, By::neta(), turn.run_id).await.unwrap();
    f.provider.wait_for("s", |s| s.left == 1).await;
    f.work(&engine).await;
    stop.cancel();
    listener.await.unwrap();
    heartbeat.await.unwrap();
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Cancelled, Some(Reason::Stopped)));
    assert_eq!(view.content, "one two ");
    f.assert_stream_equals_rows(turn).await;
});
