//! What a supervisor reads of its subagents' answers, in pages.

use super::fixture::{Fixture, Turn};
use crate::tools::{Call, Outcome, RunScope, builtin};
use serde_json::json;
use shared::domain::delegation::{Budget, GlobalDelegation};
use shared::domain::ids::{RunId, SessionId, SubagentId, TenantId, WorkerId};
use shared::domain::journal::Step;
use shared::domain::messages::Metadata;
use shared::domain::runs::{Lease, RunStatus, Snapshot};
use shared::domain::subagents::SourceType;
use shared::on_both;
use shared::store::runs::{self, Claim, Ending, NewChild, WaitOutcome, Waiting};
use shared::store::snapshots::{self, Defaults};
use std::time::Duration;

async fn lease(f: &Fixture, run_id: RunId) -> Lease {
    let owner = WorkerId("w".into());
    let (db, now) = (&f.app.db, f.app.clock.now());
    let claim = runs::claim(db, run_id, &owner, Duration::from_mins(1), now).await.unwrap();
    let Claim::Claimed(claimed) = claim else { panic!("not claimed") };
    let run = claimed.run;
    Lease { run_id, owner, epoch: run.lease_epoch }
}

async fn snapshot(f: &Fixture, run_id: RunId) -> Snapshot {
    let run = runs::find(&f.app.db, TenantId::FIRST, run_id).await.unwrap().unwrap();
    let defaults = Defaults { delegation: GlobalDelegation::default(), budget: Budget::default() };
    snapshots::resolve(&f.app.db, TenantId::FIRST, run.agent_id, &defaults).await.unwrap().unwrap().0
}

/// A subagent of the turn's run that answered this.
async fn answered(f: &Fixture, turn: Turn, answer: &str) -> SubagentId {
    let now = f.app.clock.now();
    let agent_id = runs::find(&f.app.db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap().agent_id;
    let parent = lease(f, turn.run_id).await;
    let child = NewChild {
        tool_call_id: "c".into(),
        sort_order: 0,
        agent_id,
        source_type: SourceType::Clone,
        preset_agent_id: None,
        name: "agent".into(),
        goal: "g".into(),
        context: None,
        model: "m".into(),
        tool_names: vec![],
        snapshot: snapshot(f, turn.run_id).await,
    };
    let waiting = Waiting {
        first_seq: 0,
        steps: vec![Step::Delegated {
            tool_call_id: "c".into(),
            title: "g".into(),
            total: 1,
            limit: Some(3),
        }],
        usage_rows: vec![],
        snapshot: Some(snapshot(f, turn.run_id).await),
        children: vec![child],
        max_concurrent: 3,
        pauses: vec![],
        wall_ends_at: now + Duration::from_mins(10),
        take: 0,
        lease: Duration::ZERO,
    };
    let outcome = runs::wait(&f.app.db, &parent, &waiting, now).await.unwrap();
    let WaitOutcome::Waiting { children, .. } = outcome else { panic!("stale") };
    let ending = Ending {
        status: RunStatus::Completed,
        reason: None,
        content: answer.into(),
        thinking: String::new(),
        metadata: Metadata::default(),
        usage: None,
        cost: None,
        error: None,
        tool_call_count: 0,
        first_seq: 0,
        steps: vec![],
        usage_rows: vec![],
        snapshot: None,
    };
    let own = lease(f, children[0].run_id).await;
    runs::finish_child(&f.app.db, &own, turn.run_id, &ending, now).await.unwrap();
    children[0].id
}

async fn read(f: &Fixture, run: RunScope, arguments: serde_json::Value) -> Outcome {
    let tools = builtin(&f.app.db);
    let tool = tools.iter().find(|t| t.name() == "read_result").unwrap();
    let arguments = arguments.as_object().unwrap().clone();
    let call = Call { arguments, idempotency_key: String::new(), now: f.app.clock.now(), run };
    tool.run(call).await.outcome
}

on_both!(a_supervisor_reads_the_whole_answer_of_its_own_subagents, |db| async {
    let f = Fixture::new(db).await;
    let turn = f.say(SessionId::generate(), "go").await;
    let whole: String = (0..45_000).map(|n| if n % 2 == 0 { '中' } else { 'x' }).collect();
    let id = answered(&f, turn, &whole).await.0;
    let scope = RunScope { tenant_id: TenantId::FIRST, session_id: turn.session_id, run_id: turn.run_id };
    let (mut joined, mut offset) = (String::new(), 0);
    for end in [20_000, 40_000, 45_000] {
        let page = read(&f, scope, json!({"id": id, "offset": offset})).await;
        let Outcome::Done(page) = page else { panic!("{page:?}") };
        let text: String = page.chars().take(end - offset).collect();
        assert_eq!(page.contains(&format!("Next offset: {end}.")), end < 45_000, "{end}");
        joined.push_str(&text);
        offset = end;
    }
    assert_eq!(joined, whole);
    let beyond = read(&f, scope, json!({"id": id, "offset": 45_000})).await;
    assert!(matches!(&beyond, Outcome::Failed(e) if e.contains("45000 characters")), "{beyond:?}");
    let strangers = [
        RunScope { run_id: RunId(turn.run_id.0 + 500), ..scope },
        RunScope { tenant_id: TenantId(2), ..scope },
    ];
    for stranger in strangers {
        let refused = read(&f, stranger, json!({"id": id})).await;
        assert_eq!(refused, Outcome::Failed(format!("You have no subagent with the id {id}.")));
    }
});
