use super::fixture::*;
use crate::domain::ids::SessionId;
use crate::domain::journal::{Note, Step, ToolResult, ToolStatus};
use crate::domain::messages::{ErrorInfo, MessageStatus, Metadata};
use crate::domain::models::{ModelLimits, Provider};
use crate::domain::runs::{ModelSnapshot, Reason, RunStatus, Snapshot};
use crate::on_both;
use crate::store::runs::{self, Ending, Fenced, FinishOutcome};
use crate::store::{StoreError, turns, usage};
use chrono::TimeDelta;

fn snapshot() -> Snapshot {
    let model_id = crate::domain::ids::ModelId(1);
    Snapshot {
        agent: agent_spec("a", model_id),
        model: ModelSnapshot {
            model_id,
            provider: Provider::Demo,
            model_name: "m".to_owned(),
            base_url: None,
            trusted_host: true,
            limits: ModelLimits::default(),
        },
        delegation: None,
        budget: crate::domain::delegation::Budget::default(),
    }
}

fn all_kinds() -> Vec<Step> {
    vec![
        model_step("let me \"look\" \u{2400} \u{1F600} \\u0041", &["c1"]),
        Step::ToolStarted { tool_call_id: "c1".to_owned() },
        Step::ToolResult(ToolResult {
            tool_call_id: "c1".to_owned(),
            name: "t".to_owned(),
            status: ToolStatus::Ok,
            text: "line\nline\t'; DROP TABLE x; --".to_owned(),
            duration_ms: 4,
        }),
        Step::Note(Note::LastCall { reason: Reason::ToolRounds }),
    ]
}

on_both!(steps_come_back_as_they_were_stored, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi")).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    let steps = all_kinds();
    let snapshot = snapshot();
    let first = runs::append(db, &lease, 0, &steps[..1], &[usage_row(0)], Some(&snapshot), now()).await;
    assert_eq!(first.unwrap(), Fenced::Written);
    let run = runs::find(db, TENANT, t.run_id).await.unwrap().unwrap();
    assert_eq!((run.attempts, run.step_count, run.snapshot.as_ref()), (1, 1, Some(&snapshot)));
    // Twice, as after an answer that got lost.
    for _ in 0..2 {
        let more = runs::append(db, &lease, 1, &steps[1..], &[], None, now()).await.unwrap();
        assert_eq!(more, Fenced::Written);
    }
    assert_eq!(runs::journal(&**db, t.run_id).await.unwrap().steps, steps);
    assert_eq!(runs::steps(db, TENANT, t.run_id).await.unwrap().unwrap().steps, steps);
    assert_eq!(runs::steps(db, OTHER, t.run_id).await.unwrap(), None);
    let run = runs::find(db, TENANT, t.run_id).await.unwrap().unwrap();
    assert_eq!((run.step_count, run.snapshot), (4, Some(snapshot)));
});

on_both!(an_end_is_complete, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let t = accept(db, &turn(session, "hi")).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    let end = Ending {
        status: RunStatus::Failed,
        reason: Some(Reason::ModelUnavailable),
        thinking: "hm".to_owned(),
        metadata: Metadata { reason: Some(Reason::ToolRounds), ..Metadata::default() },
        error: Some(ErrorInfo { kind: Reason::ModelUnavailable, message: "away".to_owned() }),
        snapshot: Some(snapshot()),
        ..ending("partial")
    };
    let at = now() + TimeDelta::seconds(1);
    let done = runs::finish(db, &lease, &end, at).await.unwrap();
    assert_eq!(done, FinishOutcome::Finished { has_successor: false });
    let found = turns::find(db, TENANT, t.assistant_message_id).await.unwrap().unwrap();
    assert_eq!((found.status, found.reason), (RunStatus::Failed, Some(Reason::ModelUnavailable)));
    let m = found.message;
    assert_eq!((m.status, m.content.as_str(), m.thinking.as_str()), (MessageStatus::Failed, "partial", "hm"));
    assert_eq!((m.metadata, m.error, m.usage, m.cost), (end.metadata, end.error, end.usage, end.cost));
    assert_eq!(m.update_time, at);
    let run = runs::find(db, TENANT, t.run_id).await.unwrap().unwrap();
    assert_eq!((run.lease_owner, run.lease_expires_at, run.ended_at), (None, None, Some(at)));
    assert_eq!((run.step_count, run.snapshot), (1, end.snapshot));
    // Over is over.
    assert_eq!(runs::finish(db, &lease, &ending("again"), now()).await.unwrap(), FinishOutcome::Stale);

    let total =
        usage::total(db, TENANT, now() - TimeDelta::hours(1), now() + TimeDelta::hours(1)).await.unwrap();
    assert_eq!((total.calls, total.tokens.input_tokens, total.cost), (1, 10, 0.5));
    let nothing = usage::total(db, OTHER, now() - TimeDelta::hours(1), now()).await.unwrap();
    assert_eq!(nothing, usage::Total::default());
});

on_both!(a_live_status_is_no_end, |db| async {
    agent(db, TENANT).await;
    let t = accept(db, &turn(SessionId::generate(), "hi")).await;
    let (_, lease) = claimed(db, t.run_id, "w").await;
    let end = Ending { status: RunStatus::Paused, ..ending("x") };
    assert!(matches!(runs::finish(db, &lease, &end, now()).await, Err(StoreError::Refused(_))));
});

on_both!(history_holds_turns_and_the_journals_of_those_with_tools, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    let mut ids = Vec::new();
    for n in 0..3 {
        let t = accept(db, &turn(session, &format!("q{n}"))).await;
        let (_, lease) = claimed(db, t.run_id, "w").await;
        let end = match n {
            1 => Ending { steps: all_kinds(), tool_call_count: 1, ..ending("a1") },
            _ => ending(&format!("a{n}")),
        };
        runs::finish(db, &lease, &end, now()).await.unwrap();
        ids.push(t.user_message_id);
    }
    let current = accept(db, &turn(session, "now")).await;
    accept(db, &turn(session, "later")).await;
    accept(db, &turn(SessionId::generate(), "elsewhere")).await;

    let all = runs::history(db, session, current.user_message_id, 100).await.unwrap().unwrap();
    assert_eq!(all.current.content, "now");
    let said: Vec<_> =
        all.past.iter().map(|t| (t.user.content.as_str(), t.assistant.content.as_str())).collect();
    assert_eq!(said, [("q0", "a0"), ("q1", "a1"), ("q2", "a2")]);
    assert_eq!(all.past.iter().map(|t| t.steps.len()).collect::<Vec<_>>(), [0, 4, 0]);
    assert_eq!(all.past[1].steps, all_kinds());

    // Four messages: the current one, a whole turn, and half a turn that is left out.
    let cut = runs::history(db, session, current.user_message_id, 4).await.unwrap().unwrap();
    assert_eq!(cut.past.iter().map(|t| t.user.id).collect::<Vec<_>>(), [ids[2]]);
    let unknown = runs::history(db, session, current.assistant_message_id, 4).await.unwrap();
    assert_eq!(unknown, None);
});
