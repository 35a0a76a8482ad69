use super::fixture::*;
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::{RunId, SessionId};
use crate::domain::messages::MessageStatus;
use crate::domain::runs::{Policy, Reason, RunStatus};
use crate::on_both;
use crate::store::runs::{self, CancelOutcome, Claim, Ended, FinishOutcome};
use crate::store::turns::{self, AcceptOutcome};

on_both!(a_queued_run_is_ended_at_once, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let t = accept(db, &turn(session, "hi")).await;
    let foreign = runs::cancel(db, OTHER, t.run_id, Reason::Stopped, now(), None).await.unwrap();
    assert_eq!(foreign.outcome, CancelOutcome::NotFound);
    let unknown = runs::cancel(db, TENANT, RunId(99), Reason::Stopped, now(), None).await.unwrap();
    assert_eq!(unknown.outcome, CancelOutcome::NotFound);

    let ended = Ended {
        run_id: t.run_id,
        session_id: session,
        assistant_message_id: t.assistant_message_id,
        has_successor: false,
    };
    let outcome = runs::cancel(db, TENANT, t.run_id, Reason::Stopped, now(), None).await.unwrap().outcome;
    assert_eq!(outcome, CancelOutcome::Ended(ended));
    let found = turns::find(db, TENANT, t.assistant_message_id).await.unwrap().unwrap();
    assert_eq!((found.status, found.reason), (RunStatus::Cancelled, Some(Reason::Stopped)));
    assert_eq!(found.message.status, MessageStatus::Cancelled);
    let again = runs::cancel(db, TENANT, t.run_id, Reason::Deleted, now(), None).await.unwrap();
    assert_eq!(again.outcome, CancelOutcome::AlreadyOver);
    assert_eq!(claim(db, t.run_id, "w").await, Claim::Gone);
});

on_both!(a_run_whose_worker_died_keeps_the_text_of_its_journal, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi")).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    let steps = [model_step("one", &["c1"]), model_step("two", &[])];
    runs::append(db, &lease, 0, &steps, &[usage_row(0), usage_row(1)], None, now()).await.unwrap();
    expire(db, t.run_id).await;
    let outcome = runs::cancel(db, TENANT, t.run_id, Reason::Stopped, now(), None).await.unwrap().outcome;
    assert!(matches!(outcome, CancelOutcome::Ended(_)), "{outcome:?}");
    let message = turns::find(db, TENANT, t.assistant_message_id).await.unwrap().unwrap().message;
    assert_eq!((message.content.as_str(), message.thinking.as_str()), ("one\n\ntwo", "hm\n\nhm"));
    assert_eq!(message.usage, Some(TokenUsage { input_tokens: 20, output_tokens: 6 }));
    assert_eq!(message.cost, Some(1.0));
    // The worker comes back to life and finds that it is over.
    assert_eq!(runs::finish(db, &lease, &ending("late"), now()).await.unwrap(), FinishOutcome::Stale);
});

on_both!(a_running_run_is_flagged_and_the_first_reason_stays, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi")).await;
    claimed(db, t.run_id, "w").await;
    for reason in [Reason::Stopped, Reason::Interrupted] {
        let cancelled = runs::cancel(db, TENANT, t.run_id, reason, now(), None).await.unwrap();
        assert_eq!(cancelled.told, [t.run_id]);
        let outcome = cancelled.outcome;
        assert!(matches!(outcome, CancelOutcome::Flagged { .. }), "{outcome:?}");
    }
    let run = runs::find(db, TENANT, t.run_id).await.unwrap().unwrap();
    assert_eq!((run.status, run.cancel_reason), (RunStatus::Running, Some(Reason::Stopped)));
});

on_both!(reject_refuses_while_a_turn_is_live, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let reject = turns::NewTurn { policy: Policy::Reject, ..turn(session, "no") };
    let first = accept(db, &reject).await;
    assert_eq!(turns::accept(db, &reject).await.unwrap(), AcceptOutcome::Busy);
    let (_, lease) = claimed(db, first.run_id, "w").await;
    assert_eq!(turns::accept(db, &reject).await.unwrap(), AcceptOutcome::Busy);
    runs::finish(db, &lease, &ending("a"), now()).await.unwrap();
    accept(db, &reject).await;
    assert_eq!(count(db, "netaclaw_run").await, 2);
    assert_eq!(count(db, "netaclaw_message").await, 4);
});

on_both!(interrupt_ends_what_waits_and_stops_what_runs, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let (running, waiting) = (accept(db, &turn(session, "1")).await, accept(db, &turn(session, "2")).await);
    let (_, lease) = claimed(db, running.run_id, "w").await;
    let interrupt = turns::NewTurn { policy: Policy::Interrupt, ..turn(session, "3") };
    let third = accept(db, &interrupt).await;
    assert_eq!(third.to_stop, [running.run_id]);
    assert_eq!(third.cancelled.iter().map(|e| e.run_id).collect::<Vec<_>>(), [waiting.run_id]);
    let ended = turns::find(db, TENANT, waiting.assistant_message_id).await.unwrap().unwrap();
    assert_eq!((ended.status, ended.reason), (RunStatus::Cancelled, Some(Reason::Interrupted)));
    let run = runs::find(db, TENANT, running.run_id).await.unwrap().unwrap();
    assert_eq!((run.status, run.cancel_reason), (RunStatus::Running, Some(Reason::Interrupted)));
    assert_eq!(claim(db, third.run_id, "w").await, Claim::SessionBusy);
    let done = runs::finish(db, &lease, &ending("partial"), now()).await.unwrap();
    assert_eq!(done, FinishOutcome::Finished { has_successor: true });
    claimed(db, third.run_id, "w").await;
});
