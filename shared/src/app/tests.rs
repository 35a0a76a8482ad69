//! Stopping, ends of subagents and answers: what readers are told and what is rung.

use super::{App, pauses, runs, sessions, subagents, tryouts, turns};
use crate::bus::{Begin, Replay, Stream};
use crate::domain::access::Sender;
use crate::domain::audit::By;
use crate::domain::conversation::TokenUsage;
use crate::domain::events::{Address, Event};
use crate::domain::ids::RunId;
use crate::domain::pauses::PauseStatus;
use crate::domain::runs::{Reason, RunStatus};
use crate::domain::subagents::SubagentStatus;
use crate::on_both;
use crate::secrets::{Sealer, SecretKey};
use crate::store::tests::family::{Family, end, finish};
use crate::store::tests::fixture::{TENANT, accept, agent_spec, claimed, ending, model_spec, now, turn};
use crate::store::tryouts::Tryout;
use crate::store::{self, Db, models};
use chrono::TimeDelta;
use serde_json::Value;

fn app(db: &Db) -> App {
    App::alone(db.clone(), Sealer::new(&SecretKey::generate().unwrap()))
}

/// An app whose turn has a stream, and whose children were rung for.
async fn watched(db: &Db, family: &Family) -> App {
    let app = app(db);
    let at = Address {
        session_id: family.turn.session_id,
        message_id: family.turn.assistant_message_id,
        run_id: family.id,
    };
    let begun = app.render(at, &Event::Status { status: RunStatus::Waiting, reason: None });
    app.publish(at, None, vec![begun], Begin::IfMissing).await.unwrap();
    app
}

async fn events(app: &App, family: &Family) -> Vec<Value> {
    let stream = Stream::of_turn(family.turn.session_id, family.turn.assistant_message_id);
    match app.bus.read(stream, None).await.unwrap() {
        Replay::Frames { frames, .. } => {
            frames.iter().map(|f| serde_json::from_str(&f.json).unwrap()).collect()
        }
        Replay::Missing => Vec::new(),
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|e| e["type"].as_str().unwrap()).collect()
}

async fn rung(app: &App) -> Vec<RunId> {
    app.queue.pop(100).await.unwrap().iter().map(|j| j.run_id).collect()
}

on_both!(the_end_of_a_subagent_is_told_and_rings_for_what_it_lets_begin, |db| async {
    let family = Family::of(db, &[("c1", 3)], 2, &["q1"]).await;
    let app = watched(db, &family).await;
    let child = |at: usize| family.children[at].run_id;
    let ended = finish(db, &family, child(0), &ending("one")).await;
    subagents::announce_end(&app, TENANT, &ended, None).await;
    assert_eq!(rung(&app).await, [child(2)]);
    for at in [1, 2] {
        let ended = finish(db, &family, child(at), &ending("more")).await;
        subagents::announce_end(&app, TENANT, &ended, None).await;
    }
    assert_eq!(rung(&app).await, []);
    let told = events(&app, &family).await;
    let update = "subagent_update";
    let expected = ["status", update, update, update, "subagent_done", "status"];
    assert_eq!(types(&told), expected);
    assert_eq!(told[1]["data"]["subagent"]["summary"], "one");
    assert_eq!(told[4]["data"]["summary"]["completed"], 3);
    assert_eq!(
        (&told[5]["data"]["status"], &told[5]["data"]["reason"]),
        (&"paused".into(), &"question".into())
    );

    let answered = pauses::answer(&app, TENANT, By::neta(), family.pauses[0].id, "yes").await.unwrap();
    assert!(matches!(answered, pauses::Answered::Taken(p) if p.status == PauseStatus::Answered));
    assert_eq!(rung(&app).await, [family.id]);
    let told = events(&app, &family).await;
    assert_eq!(types(&told[6..]), ["pause_answered", "tool_result", "status"]);
    assert_eq!(told[6]["data"]["decision"], "yes");
    assert_eq!(told[8]["data"]["status"], "queued");
});

on_both!(where_the_log_was_lost_readers_get_the_picture_of_the_rows, |db| async {
    let family = Family::of(db, &[("c1", 2)], 2, &[]).await;
    let app = app(db);
    let ended = finish(db, &family, family.children[0].run_id, &ending("one")).await;
    subagents::announce_end(&app, TENANT, &ended, None).await;
    let told = events(&app, &family).await;
    assert_eq!(types(&told), ["resync"]);
    let batch = &told[0]["data"]["subagents"][0];
    assert_eq!((&batch["batchId"], &batch["title"]), (&"c1".into(), &"batch c1".into()));
    assert_eq!((&batch["summary"]["completed"], &batch["summary"]["queued"]), (&1.into(), &1.into()));

    sessions::delete(&app, TENANT, By::neta(), family.turn.session_id).await.unwrap();
    subagents::announce(&app, TENANT, &family.children[1..]).await;
    assert_eq!(events(&app, &family).await, Vec::<Value>::new());
});

on_both!(a_live_turn_shows_its_subagents_and_questions, |db| async {
    let family = Family::of(db, &[("c1", 2)], 2, &["q1"]).await;
    let app = app(db);
    finish(db, &family, family.children[0].run_id, &ending("one")).await;
    let view = turns::find(&app, TENANT, family.turn.assistant_message_id).await.unwrap().view;
    assert_eq!(view.status, RunStatus::Waiting);
    let statuses: Vec<_> = view.subagents[0].items.iter().map(|i| i.status).collect();
    assert_eq!(statuses, [SubagentStatus::Completed, SubagentStatus::Queued]);
    assert_eq!(view.pauses[0].pause_id, family.pauses[0].id);
    assert_eq!(view.usage, Some(TokenUsage { input_tokens: 10, output_tokens: 3 }));
});

on_both!(stopping_a_turn_that_waits_closes_its_stream, |db| async {
    let family = Family::of(db, &[("c1", 3)], 2, &["q1"]).await;
    let app = watched(db, &family).await;
    let jobs = family.rung.iter().map(|&run_id| crate::domain::jobs::Job { run_id, ..family.job() });
    app.ring(&jobs.collect::<Vec<_>>()).await;
    let message = family.turn.assistant_message_id;
    assert_eq!(runs::stop_turn(&app, TENANT, By::neta(), message).await.unwrap(), runs::Stopped::Ended);
    assert_eq!(rung(&app).await, []);
    let told = events(&app, &family).await;
    assert_eq!(types(&told), ["resync", "done"]);
    assert_eq!(told[1]["data"]["subagents"][0]["summary"]["cancelled"], 3);
    assert_eq!(runs::stop_turn(&app, TENANT, By::neta(), message).await.unwrap(), runs::Stopped::AlreadyOver);
});

on_both!(stopping_one_subagent_leaves_the_others, |db| async {
    let family = Family::of(db, &[("c1", 2)], 1, &[]).await;
    let app = watched(db, &family).await;
    let first = family.children[0].run_id;
    assert_eq!(runs::stop(&app, TENANT, By::neta(), first).await.unwrap(), runs::Stopped::Ended);
    assert_eq!(rung(&app).await, [family.children[1].run_id]);
    let mut controls = app.bus.subscribe_control().await.unwrap();
    let (_, lease) = claimed(db, family.children[1].run_id, "w").await;
    assert_eq!(runs::stop(&app, TENANT, By::neta(), lease.run_id).await.unwrap(), runs::Stopped::Stopping);
    let told = controls.recv().await.unwrap();
    assert_eq!(told, crate::bus::Control::Stop { run_id: lease.run_id });
    assert_eq!(types(&events(&app, &family).await), ["status", "subagent_update"]);
});

on_both!(a_supervisor_that_was_stopped_is_due_with_the_end_of_its_last_subagent, |db| async {
    let family = Family::of(db, &[("c1", 1)], 1, &[]).await;
    let app = watched(db, &family).await;
    let (_, lease) = claimed(db, family.children[0].run_id, "w").await;
    assert_eq!(runs::stop(&app, TENANT, By::neta(), family.id).await.unwrap(), runs::Stopped::Stopping);
    let ended = end(db, &lease, family.id, &ending("x")).await;
    subagents::announce_end(&app, TENANT, &ended, None).await;
    assert_eq!(rung(&app).await, [family.id]);
    let (parent, _) = claimed(db, family.id, "w").await;
    assert_eq!(parent.cancel_reason, Some(Reason::Stopped));
});

on_both!(the_sweep_ends_waits_that_take_too_long, |db| async {
    let family = Family::of(db, &[("c1", 2)], 2, &[]).await;
    let app = watched(db, &family).await;
    runs::time_out_waits(&app, now()).await.unwrap();
    assert_eq!(events(&app, &family).await.len(), 1);
    runs::time_out_waits(&app, family.wall_ends_at).await.unwrap();
    let told = events(&app, &family).await;
    assert_eq!(types(&told), ["resync", "error"]);
    assert_eq!(told[1]["data"]["kind"], "wall_time");
    let view = turns::find(&app, TENANT, family.turn.assistant_message_id).await.unwrap().view;
    assert_eq!((view.status, view.reason), (RunStatus::Failed, Some(Reason::WallTime)));
});

on_both!(the_sweep_ends_questions_that_nobody_answers, |db| async {
    let family = Family::of(db, &[], 2, &["q1"]).await;
    let app = watched(db, &family).await;
    pauses::expire_due(&app, now()).await.unwrap();
    assert_eq!(rung(&app).await, []);
    pauses::expire_due(&app, now() + TimeDelta::hours(2)).await.unwrap();
    assert_eq!(rung(&app).await, [family.id]);
    let told = events(&app, &family).await;
    assert_eq!(types(&told[1..]), ["pause_answered", "tool_result", "status"]);
    assert_eq!(told[1]["data"]["status"], "expired");
    let late = pauses::answer(&app, TENANT, By::neta(), family.pauses[0].id, "yes").await.unwrap();
    assert!(matches!(late, pauses::Answered::Standing(p) if p.status == PauseStatus::Expired));
});

on_both!(a_tryout_that_nobody_uses_ends_after_a_day, |db| async {
    let model_id = models::insert(db, TENANT, &model_spec("m"), now()).await.unwrap().id;
    let app = app(db);
    let tryout = Tryout { agent_id: None, spec: agent_spec("draft", model_id) };
    let sender = Sender::of_tenant(TENANT);
    let id = tryouts::begin(&app, &sender, &tryout).await.unwrap();
    let turn = accept(db, &turn(id, "hello")).await;
    let left = async || {
        let found = store::tryouts::find(db, TENANT, id).await.unwrap();
        (found.is_some(), store::runs::find(db, TENANT, turn.run_id).await.unwrap().is_some())
    };
    tryouts::end_unused(&app, now() + TimeDelta::hours(23)).await.unwrap();
    assert_eq!(left().await, (true, true));
    tryouts::end_unused(&app, now() + TimeDelta::hours(25)).await.unwrap();
    assert_eq!(left().await, (false, false));
});
