//! What a run does after its worker died or gave it back.

use super::fixture::Fixture;
use crate::llm::scripted::Reply;
use shared::domain::audit::By;
use shared::domain::delegation::{Budget, GlobalDelegation};
use shared::domain::ids::{ModelId, SessionId, TenantId, WorkerId};
use shared::domain::journal::{Step, ToolStatus};
use shared::domain::runs::{Lease, Reason, RunStatus};
use shared::on_both;
use shared::secrets::Secret;
use shared::store::models::{self, ModelSpec};
use shared::store::runs::{self, Claim};
use std::time::Duration;

/// Claims as a worker that then dies: its lease is over at once.
async fn claimed_by_the_dead(f: &Fixture, turn: super::fixture::Turn, steps: &[Step], from: i64) {
    let dead = WorkerId("dead".into());
    let (db, now) = (&f.app.db, f.app.clock.now());
    let Claim::Claimed(claimed) = runs::claim(db, turn.run_id, &dead, Duration::ZERO, now).await.unwrap()
    else {
        panic!("not claimed");
    };
    let run = claimed.run;
    if !steps.is_empty() {
        let lease = Lease { run_id: run.id, owner: dead, epoch: run.lease_epoch };
        let defaults = shared::store::snapshots::Defaults {
            delegation: GlobalDelegation::default(),
            budget: Budget::default(),
        };
        let snapshot = shared::store::snapshots::resolve(db, TenantId::FIRST, run.agent_id, &defaults)
            .await
            .unwrap()
            .unwrap()
            .0;
        runs::append(db, &lease, from, steps, &[], Some(&snapshot), now).await.unwrap();
    }
}

fn calls(name: &str, arguments: &str) -> Step {
    use shared::domain::conversation::{Finish, Response, ToolCall};
    let call = ToolCall { id: "call_1".into(), name: name.into(), arguments: arguments.into() };
    let response = Response {
        text: String::new(),
        thinking: String::new(),
        calls: vec![call],
        finish: Finish::ToolCalls,
        usage: None,
    };
    Step::Model(shared::domain::journal::ModelStep { response, duration_ms: 1, attempts: 1 })
}

on_both!(stored_steps_are_not_repeated, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s6", vec![Reply::text("after")]);
    let turn = f.say(SessionId::generate(), "go [[script:s6]]").await;
    claimed_by_the_dead(&f, turn, &[calls("send_mail", "{}")], 0).await;
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "after"));
    assert_eq!(f.provider.calls("s6"), 1, "the stored call of the model is not repeated");
    assert_eq!(f.harmful.counts(), [1], "a stored tool call that had not begun runs once");
    f.assert_stream_equals_rows(turn).await;
});

on_both!(an_effectful_tool_that_was_interrupted_is_not_run_again, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s7", vec![Reply::text("I cannot tell whether it was sent.")]);
    let turn = f.say(SessionId::generate(), "go [[script:s7]]").await;
    let started = Step::ToolStarted { tool_call_id: "call_1".into() };
    claimed_by_the_dead(&f, turn, &[calls("send_mail", "{}"), started], 0).await;
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.tools[0].status), (RunStatus::Completed, ToolStatus::OutcomeUnknown));
    assert_eq!(f.harmful.counts(), Vec::<usize>::new());
    let told = &f.provider.requests("s7")[0].body["messages"][3]["content"];
    assert!(told.as_str().unwrap().contains("outcome is unknown"), "{told}");
});

on_both!(a_run_that_kills_every_worker_ends_as_poisoned, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("x", vec![Reply::text("never")]);
    let turn = f.say(SessionId::generate(), "go [[script:x]]").await;
    for _ in 0..3 {
        claimed_by_the_dead(&f, turn, &[], 0).await;
    }
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Failed, Some(Reason::Poisoned)));
    assert_eq!(f.provider.calls("x"), 0);
});

on_both!(always_suspend_changes_nothing_but_the_worker, |db| async {
    let f = Fixture::new(db).await;
    let plan = r#"{"items":[{"content":"mail","status":"completed"}]}"#;
    let rounds = vec![
        Reply::text("First.").and_call("look", "{}").and_call("send_mail", "{}"),
        Reply::text("Then.").and_call("todo_write", plan),
        Reply::text("Done."),
    ];
    f.provider.script("a", rounds);
    let turn = f.say(SessionId::generate(), "go [[script:a]]").await;
    f.work(&f.engine_with(|c| c.worker.always_suspend = true)).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "First.\n\nThen.\n\nDone."));
    assert_eq!(f.provider.calls("a"), 3);
    assert_eq!((f.safe.counts(), f.harmful.counts()), (vec![1], vec![1]));
    let run = runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap();
    assert!(run.lease_epoch >= 4, "each step in a lease of its own: {}", run.lease_epoch);
    f.assert_stream_equals_rows(turn).await;
});

on_both!(a_worker_that_drains_hands_back_without_spending_an_attempt, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("d", vec![Reply::tokens(["half ", "way "]).hold_after(1), Reply::text("whole")]);
    let turn = f.say(SessionId::generate(), "go [[script:d]]").await;
    let old = f.engine_with(|c| c.worker.drain = Duration::from_millis(10));
    f.take(&old, turn).await;
    f.provider.wait_for("d", |s| s.held == 1).await;
    old.drain().await;
    let run = runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap();
    assert_eq!((run.status, run.attempts), (RunStatus::Queued, 0));
    f.work(&f.engine()).await;
    assert_eq!(f.view(turn).await.content, "whole");
    f.assert_stream_equals_rows(turn).await;
});

on_both!(a_stale_worker_writes_nothing, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("z", vec![Reply::text("from the first").hold(), Reply::text("from the second")]);
    let turn = f.say(SessionId::generate(), "go [[script:z]]").await;
    let (first, second) = (f.engine_with(|c| c.worker.lease = Duration::from_secs(1)), f.engine());
    // The first worker keeps no heartbeat: its lease ends while the model is silent.
    f.take(&first, turn).await;
    f.provider.wait_for("z", |s| s.held == 1).await;
    f.provider.wait_for("z", |s| s.left == 1).await;
    while runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap().lease_epoch == 1 {
        f.take(&second, turn).await;
    }
    f.provider.release("z");
    f.work(&second).await;
    f.work(&first).await;
    let view = f.view(turn).await;
    assert_eq!(view.content, "from the second");
    f.assert_stream_equals_rows(turn).await;
});

on_both!(a_run_stopped_after_its_worker_died_keeps_what_it_did, |db| async {
    let f = Fixture::new(db).await;
    let turn = f.say(SessionId::generate(), "go").await;
    let result = Step::ToolResult(shared::domain::journal::ToolResult {
        tool_call_id: "call_1".into(),
        name: "look".into(),
        status: ToolStatus::Ok,
        text: "seen".into(),
        duration_ms: 1,
    });
    claimed_by_the_dead(&f, turn, &[calls("look", "{}"), result], 0).await;
    let stopped = shared::app::runs::stop(&f.app, TenantId::FIRST, By::neta(), turn.run_id).await.unwrap();
    assert_eq!(stopped, shared::app::runs::Stopped::Ended, "at once, without any worker");
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Cancelled, Some(Reason::Stopped)));
    assert_eq!(view.tools[0].preview.as_deref(), Some("seen"));
    f.assert_stream_equals_rows(turn).await;
});

/// The fixture's model as it is stored.
async fn model(f: &Fixture) -> (ModelId, ModelSpec) {
    let model = models::list(&f.app.db, TenantId::FIRST, None, 1).await.unwrap().remove(0);
    let spec = ModelSpec {
        name: model.name,
        provider: model.provider,
        model_name: model.model_name,
        base_url: model.base_url,
        api_key_sealed: model.api_key_sealed,
        trusted_host: model.trusted_host,
        limits: model.limits,
    };
    (model.id, spec)
}

on_both!(a_model_whose_address_may_not_be_reached_ends_the_run_at_once, |db| async {
    let f = Fixture::new(db).await;
    let (id, mut spec) = model(&f).await;
    spec.trusted_host = false;
    models::update(db, TenantId::FIRST, id, &spec, f.app.clock.now()).await.unwrap();
    let turn = f.say(SessionId::generate(), "go").await;
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Failed, Some(Reason::ModelAddressBlocked)));
    assert!(view.error.unwrap().message.contains("127.0.0.1"));
    assert_eq!(f.provider.calls(""), 0);
});

on_both!(a_key_goes_to_no_server_but_its_own, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("moved", vec![Reply::text("never")]);
    let turn = f.say(SessionId::generate(), "go [[script:moved]]").await;
    claimed_by_the_dead(&f, turn, &[calls("look", "{}")], 0).await;
    // The run keeps the server that it began with; meanwhile the model moved and got a key.
    let (id, mut spec) = model(&f).await;
    spec.base_url = Some("https://another.example/v1".into());
    spec.api_key_sealed = Some(f.app.seal_key(TenantId::FIRST, &Secret::new("sk-of-another")).unwrap());
    models::update(db, TenantId::FIRST, id, &spec, f.app.clock.now()).await.unwrap();
    f.work(&f.engine()).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.reason), (RunStatus::Failed, Some(Reason::ModelAuth)));
    assert_eq!(f.provider.calls("moved"), 0);
});
