use super::family::*;
use super::fixture::*;
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::RunId;
use crate::domain::journal::Step;
use crate::domain::messages::MessageStatus;
use crate::domain::pauses::PauseStatus;
use crate::domain::runs::{Policy, Reason, RunStatus};
use crate::domain::subagents::{Subagent, SubagentStatus};
use crate::on_both;
use crate::store::pauses::{self, AnswerOutcome};
use crate::store::runs::{self, CancelOutcome, Cancelled, ChildFinish, Fenced, ParentNext, WaitOutcome};
use crate::store::{Db, subagents, turns};

async fn cancel(db: &Db, run_id: RunId, reason: Reason) -> Cancelled {
    runs::cancel(db, TENANT, run_id, reason, now(), None).await.unwrap()
}

async fn statuses(db: &Db, family: &Family) -> Vec<SubagentStatus> {
    let all = subagents::of_run(db, family.id).await.unwrap();
    all.iter().map(|s| s.status).collect()
}

fn ids(subagents: &[Subagent]) -> Vec<RunId> {
    subagents.iter().map(|s| s.run_id).collect()
}

on_both!(a_tree_that_no_worker_holds_is_ended_at_once, |db| async {
    let family = Family::of(db, &[("c1", 4)], 2, &["q1"]).await;
    finish(db, &family, family.children[0].run_id, &ending("one")).await;
    // One was begun and its worker died, one is in line, one is held.
    let (_, lease) = claimed(db, family.children[1].run_id, "w").await;
    let steps = [model_step("half", &[])];
    runs::append(db, &lease, 0, &steps, &[usage_row(0)], None, now()).await.unwrap();
    expire(db, family.children[1].run_id).await;

    let cancelled = cancel(db, family.id, Reason::Stopped).await;
    assert!(matches!(cancelled.outcome, CancelOutcome::Ended(e) if e.run_id == family.id));
    assert_eq!(cancelled.told, []);
    assert_eq!(ids(&cancelled.ended), ids(&family.children[1..]));
    use SubagentStatus::{Cancelled, Completed};
    assert_eq!(statuses(db, &family).await, [Completed, Cancelled, Cancelled, Cancelled]);
    let half = &cancelled.ended[0];
    assert_eq!((half.summary.as_deref(), half.exit_reason), (Some("half"), Some(Reason::ParentEnded)));
    assert_eq!(half.token_usage, Some(TokenUsage { input_tokens: 10, output_tokens: 3 }));

    let turn = turns::find(db, TENANT, family.turn.assistant_message_id).await.unwrap().unwrap();
    assert_eq!((turn.status, turn.reason), (RunStatus::Cancelled, Some(Reason::Stopped)));
    assert_eq!(turn.message.status, MessageStatus::Cancelled);
    assert_eq!(turn.message.content, "let me");
    assert_eq!(turn.message.usage, Some(TokenUsage { input_tokens: 30, output_tokens: 9 }));
    let batches = &turn.message.metadata.subagents;
    assert_eq!((batches.len(), batches[0].title.as_str(), batches[0].summary.cancelled), (1, "batch c1", 3));
    let pause = pauses::find(&**db, TENANT, family.pauses[0].id).await.unwrap().unwrap();
    assert_eq!(pause.status, PauseStatus::Cancelled);
    assert_eq!(cancel(db, family.id, Reason::Stopped).await.outcome, CancelOutcome::AlreadyOver);
    // Nothing that is left to do changes it.
    let late = runs::append(db, &lease, 1, &steps, &[usage_row(1)], None, now()).await.unwrap();
    assert_eq!(late, Fenced::Stale);
    let late = runs::finish_child(db, &lease, family.id, &ending("late"), now()).await.unwrap();
    assert_eq!(late, ChildFinish::Stale);
});

on_both!(a_tree_under_way_ends_with_its_last_worker, |db| async {
    let family = Family::of(db, &[("c1", 2), ("c2", 2)], 2, &["q1"]).await;
    let (_, first) = claimed(db, family.children[0].run_id, "w").await;
    let (_, second) = claimed(db, family.children[1].run_id, "w").await;
    let cancelled = cancel(db, family.id, Reason::Stopped).await;
    assert!(matches!(cancelled.outcome, CancelOutcome::Flagged { .. }));
    assert_eq!(cancelled.told, ids(&family.children[..2]));
    assert_eq!(ids(&cancelled.ended), ids(&family.children[2..]));
    let parent = family.parent(db).await;
    assert_eq!((parent.status, parent.cancel_reason), (RunStatus::Waiting, Some(Reason::Stopped)));
    let child = runs::find(db, TENANT, first.run_id).await.unwrap().unwrap();
    assert_eq!(child.cancel_reason, Some(Reason::ParentEnded));
    assert_eq!(runs::overdue_waits(db, family.wall_ends_at, 10).await.unwrap(), []);
    let answer = pauses::answer(db, TENANT, family.pauses[0].id, "yes", now(), None).await.unwrap();
    assert!(matches!(answer, AnswerOutcome::Standing(p) if p.status == PauseStatus::Cancelled));

    let stopped =
        runs::Ending { status: RunStatus::Cancelled, reason: Some(Reason::ParentEnded), ..ending("partly") };
    let end = async |lease| end(db, lease, family.id, &stopped).await;
    let ended = end(&first).await;
    assert_eq!((ended.parent, ended.released), (ParentNext::Waits, vec![]));
    let ended = end(&second).await;
    assert_eq!(ended.parent, ParentNext::Due(family.job()));
    let (parent, _) = claimed(db, family.id, "w").await;
    assert_eq!(parent.cancel_reason, Some(Reason::Stopped), "to be ended by whoever takes it");
});

on_both!(wall_time_of_a_waiting_run_is_a_failure, |db| async {
    let family = Family::of(db, &[("c1", 1)], 2, &[]).await;
    assert_eq!(runs::overdue_waits(db, now(), 10).await.unwrap(), []);
    let late = family.wall_ends_at;
    assert_eq!(runs::overdue_waits(db, late, 10).await.unwrap(), [(TENANT, family.id)]);
    cancel(db, family.id, Reason::WallTime).await;
    let turn = turns::find(db, TENANT, family.turn.assistant_message_id).await.unwrap().unwrap();
    assert_eq!((turn.status, turn.reason), (RunStatus::Failed, Some(Reason::WallTime)));
    let error = turn.message.error.unwrap();
    assert_eq!((turn.message.status, error.kind), (MessageStatus::Failed, Reason::WallTime));
    assert!(error.message.contains("time"), "{}", error.message);
    assert_eq!(runs::overdue_waits(db, late, 10).await.unwrap(), []);
});

on_both!(a_stopped_subagent_makes_room_unless_it_was_held, |db| async {
    let family = Family::of(db, &[("c1", 4)], 2, &[]).await;
    let runs_of: Vec<RunId> = ids(&family.children);
    let child = async |at: usize| match cancel(db, runs_of[at], Reason::Stopped).await.outcome {
        CancelOutcome::ChildEnded(ended) => *ended,
        other => panic!("{other:?}"),
    };
    let held = child(3).await;
    assert_eq!((held.released, held.parent), (vec![], ParentNext::Waits));
    assert_eq!(held.subagent.status, SubagentStatus::Cancelled);
    let queued = child(0).await;
    assert_eq!(queued.released.iter().map(|j| j.run_id).collect::<Vec<_>>(), [runs_of[2]]);
    claimed(db, runs_of[1], "w").await;
    let running = cancel(db, runs_of[1], Reason::Stopped).await;
    assert!(matches!(running.outcome, CancelOutcome::Flagged { .. }));
    assert_eq!(running.told, [runs_of[1]]);
    expire(db, runs_of[1]).await;
    assert_eq!(child(1).await.batch, None);
    // The others of the batch were never stopped, and the supervisor hears of each.
    let last = finish(db, &family, runs_of[2], &ending("ok")).await;
    let (_, summary) = last.batch.unwrap();
    assert_eq!((summary.completed, summary.cancelled), (1, 3));
    assert_eq!(last.parent, ParentNext::Due(family.job()));
});

on_both!(the_last_subagent_that_is_stopped_makes_the_parent_due, |db| async {
    let family = Family::of(db, &[("c1", 1)], 2, &[]).await;
    match cancel(db, family.children[0].run_id, Reason::Stopped).await.outcome {
        CancelOutcome::ChildEnded(ended) => assert_eq!(ended.parent, ParentNext::Due(family.job())),
        other => panic!("{other:?}"),
    }
    assert_eq!(family.parent(db).await.status, RunStatus::Queued);
});

on_both!(who_wants_to_wait_when_it_is_to_stop_is_put_in_line, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(crate::domain::ids::SessionId::generate(), "hi")).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    assert_eq!(cancel(db, t.run_id, Reason::Stopped).await.told, [t.run_id]);
    let waiting = runs::Waiting {
        first_seq: 0,
        steps: vec![
            model_step("x", &["c1"]),
            Step::Delegated { tool_call_id: "c1".to_owned(), title: String::new(), total: 1, limit: Some(3) },
        ],
        usage_rows: vec![usage_row(0)],
        snapshot: Some(snapshot()),
        children: vec![new_child("c1", 0)],
        max_concurrent: 3,
        pauses: vec![new_pause("q1")],
        wall_ends_at: now(),
        take: 0,
        lease: std::time::Duration::ZERO,
    };
    let WaitOutcome::Waiting { children, ring, pauses, .. } =
        runs::wait(db, &lease, &waiting, now()).await.unwrap()
    else {
        panic!("stale")
    };
    assert_eq!((children, pauses), (vec![], vec![]));
    assert_eq!(ring.iter().map(|j| j.run_id).collect::<Vec<_>>(), [t.run_id]);
    let (run, _) = claimed(db, t.run_id, "w").await;
    assert_eq!((run.cancel_reason, run.step_count), (Some(Reason::Stopped), 2));
    assert_eq!(count(db, "netaclaw_pause").await, 0);
});

on_both!(interrupt_reaches_subagents, |db| async {
    let family = Family::of(db, &[("c1", 2)], 2, &[]).await;
    let (_, lease) = claimed(db, family.children[0].run_id, "w").await;
    let session = family.turn.session_id;
    let interrupt = turns::NewTurn { policy: Policy::Interrupt, ..turn(session, "2") };
    let second = accept(db, &interrupt).await;
    assert_eq!(second.to_stop, [family.children[0].run_id]);
    assert_eq!(ids(&second.ended_subagents), [family.children[1].run_id]);
    assert_eq!(second.cancelled, []);
    assert_eq!(family.parent(db).await.cancel_reason, Some(Reason::Interrupted));
    assert_eq!(claim(db, second.run_id, "w").await, runs::Claim::SessionBusy);
    let ended = end(db, &lease, family.id, &ending("x")).await;
    assert_eq!(ended.parent, ParentNext::Due(family.job()));
    // Whoever takes the first one ends it and finds that another waits.
    let (first, lease) = claimed(db, family.id, "w").await;
    assert_eq!(first.cancel_reason, Some(Reason::Interrupted));
    let ended = runs::Ending {
        status: RunStatus::Cancelled,
        reason: Some(Reason::Interrupted),
        first_seq: first.step_count,
        ..ending("x")
    };
    let outcome = runs::finish(db, &lease, &ended, now()).await.unwrap();
    assert_eq!(outcome, runs::FinishOutcome::Finished { has_successor: true });
    claimed(db, second.run_id, "w").await;
});

on_both!(a_session_that_is_deleted_while_its_run_begins_to_wait_is_gone, |db| async {
    agent(db, TENANT).await;
    for _ in 0..6 {
        let t = accept(db, &turn(crate::domain::ids::SessionId::generate(), "hi")).await;
        let (_, lease) = claimed(db, t.run_id, "w").await;
        let waiting = runs::Waiting {
            first_seq: 0,
            steps: vec![model_step("x", &["c1", "q1"])],
            usage_rows: vec![usage_row(0)],
            snapshot: None,
            children: (0..3).map(|at| new_child("c1", at)).collect(),
            max_concurrent: 3,
            pauses: vec![new_pause("q1")],
            wall_ends_at: now(),
            take: 0,
            lease: std::time::Duration::ZERO,
        };
        let (waits, deletes) = tokio::join!(
            runs::wait(db, &lease, &waiting, now()),
            crate::store::sessions::delete(db, TENANT, t.session_id, now(), None)
        );
        waits.unwrap();
        assert!(deletes.unwrap().is_some());
        for table in ["netaclaw_run", "netaclaw_subagent_session", "netaclaw_pause", "netaclaw_run_step"] {
            assert_eq!(count(db, table).await, 0, "{table}");
        }
    }
});

on_both!(ends_and_stops_that_come_together_leave_nothing_live, |db| async {
    agent(db, TENANT).await;
    for _ in 0..6 {
        let family = Family::of_next(db, &[("c1", 4)], 3, &["q1"]).await;
        let mut tasks = tokio::task::JoinSet::new();
        for child in &family.children[..3] {
            let (_, lease) = claimed(db, child.run_id, "w").await;
            let (db, parent) = ((**db).clone(), family.id);
            tasks.spawn(async move {
                end(&db, &lease, parent, &ending("x")).await;
            });
        }
        let (other, id) = ((**db).clone(), family.id);
        tasks.spawn(async move {
            runs::cancel(&other, TENANT, id, Reason::Stopped, now(), None).await.unwrap();
        });
        tasks.join_all().await;
        assert!(statuses(db, &family).await.iter().all(|s| s.is_terminal()));
        let parent = family.parent(db).await;
        if parent.status == RunStatus::Queued {
            // Its last subagent ended after the stop: whoever takes it ends it.
            assert_eq!(parent.cancel_reason, Some(Reason::Stopped));
            let (parent, lease) = claimed(db, family.id, "w").await;
            let ended =
                runs::Ending { status: RunStatus::Cancelled, first_seq: parent.step_count, ..ending("x") };
            runs::finish(db, &lease, &ended, now()).await.unwrap();
        }
        assert_eq!(family.parent(db).await.status, RunStatus::Cancelled);
        assert_eq!(runs::count_live(db, TENANT).await.unwrap(), []);
    }
});
