//! A run with subagents and questions.

use super::fixture::*;
use crate::domain::delegation::Budget;
use crate::domain::ids::{AgentId, ModelId, RunId, SessionId};
use crate::domain::jobs::Job;
use crate::domain::journal::Step;
use crate::domain::models::{ModelLimits, Provider};
use crate::domain::pauses::{Pause, PauseKind};
use crate::domain::runs::{Lease, ModelSnapshot, Run, Snapshot};
use crate::domain::subagents::{SourceType, Subagent};
use crate::store::pauses::AnswerOutcome;
use crate::store::runs::{
    ChildEnded, ChildFinish, Ending, NewChild, NewPause, ParentNext, WaitOutcome, Waiting,
};
use crate::store::turns::{AcceptedTurn, NewTurn};
use crate::store::{Db, pauses, runs};
use chrono::{DateTime, TimeDelta, Utc};

pub struct Family {
    pub id: RunId,
    pub turn: AcceptedTurn,
    pub lease: Lease,
    pub waiting: Waiting,
    pub children: Vec<Subagent>,
    pub pauses: Vec<Pause>,
    pub rung: Vec<RunId>,
    pub wall_ends_at: DateTime<Utc>,
}

pub fn snapshot() -> Snapshot {
    Snapshot {
        agent: agent_spec("a", ModelId(1)),
        model: ModelSnapshot {
            model_id: ModelId(1),
            provider: Provider::Openai,
            model_name: "gpt".to_owned(),
            base_url: None,
            trusted_host: true,
            limits: ModelLimits::default(),
        },
        delegation: None,
        budget: Budget::default(),
    }
}

pub fn new_child(batch: &str, sort_order: u32) -> NewChild {
    NewChild {
        tool_call_id: batch.to_owned(),
        sort_order,
        agent_id: AgentId(1),
        source_type: SourceType::Clone,
        preset_agent_id: None,
        name: format!("a {sort_order}"),
        goal: "找 \"it\"".to_owned(),
        context: None,
        model: "gpt".to_owned(),
        tool_names: vec!["get_time".to_owned()],
        snapshot: snapshot(),
    }
}

pub fn new_pause(call: &str) -> NewPause {
    NewPause {
        tool_call_id: call.to_owned(),
        kind: PauseKind::Clarify,
        question: "which?".to_owned(),
        options: vec!["yes".to_owned(), "no".to_owned()],
        deadline: Some(now() + TimeDelta::hours(1)),
    }
}

impl Family {
    /// A turn of a new session whose run waits: for batches of so many subagents, and for answers.
    pub async fn of(db: &Db, batches: &[(&str, u32)], max_concurrent: u32, questions: &[&str]) -> Self {
        agent(db, TENANT).await;
        Self::of_next(db, batches, max_concurrent, questions).await
    }

    /// The same where there is an agent.
    pub async fn of_next(db: &Db, batches: &[(&str, u32)], max_concurrent: u32, questions: &[&str]) -> Self {
        let turn = NewTurn {
            traceparent: Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned()),
            ..turn(SessionId::generate(), "hi")
        };
        let turn = accept(db, &turn).await;
        let (_, lease) = claimed(db, turn.run_id, "w").await;
        let calls: Vec<&str> = batches.iter().map(|(id, _)| *id).chain(questions.iter().copied()).collect();
        let model = [model_step("let me", &calls)];
        runs::append(db, &lease, 0, &model, &[usage_row(0)], None, now()).await.unwrap();
        let delegated = batches.iter().map(|(id, n)| Step::Delegated {
            tool_call_id: (*id).to_owned(),
            title: format!("batch {id}"),
            total: *n,
            limit: Some(3),
        });
        let asked = questions.iter().map(|id| Step::Asked { tool_call_id: (*id).to_owned() });
        let wall_ends_at = now() + TimeDelta::minutes(10);
        let waiting = Waiting {
            first_seq: 1,
            steps: delegated.chain(asked).collect(),
            usage_rows: Vec::new(),
            snapshot: None,
            children: batches.iter().flat_map(|(id, n)| (0..*n).map(|at| new_child(id, at))).collect(),
            max_concurrent,
            pauses: questions.iter().map(|id| new_pause(id)).collect(),
            wall_ends_at,
            take: 0,
            lease: std::time::Duration::ZERO,
        };
        let outcome = runs::wait(db, &lease, &waiting, now()).await.unwrap();
        let WaitOutcome::Waiting { children, ring, pauses, .. } = outcome else { panic!("stale") };
        let rung = ring.iter().map(|j| j.run_id).collect();
        Self { id: turn.run_id, turn, lease, waiting, children, pauses, rung, wall_ends_at }
    }

    pub async fn parent(&self, db: &Db) -> Run {
        runs::find(db, TENANT, self.id).await.unwrap().unwrap()
    }

    pub fn job(&self) -> Job {
        let traceparent = Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned());
        Job { run_id: self.id, tenant_id: TENANT, traceparent }
    }

    pub async fn answer(&self, db: &Db, at: usize, answer: &str) -> ParentNext {
        match pauses::answer(db, TENANT, self.pauses[at].id, answer, now(), None).await.unwrap() {
            AnswerOutcome::Answered(closed) => closed.next,
            other => panic!("not answered: {other:?}"),
        }
    }
}

/// Claims a child and ends it.
pub async fn finish(db: &Db, family: &Family, child: RunId, ending: &Ending) -> ChildEnded {
    let (_, lease) = claimed(db, child, "w").await;
    end(db, &lease, family.id, ending).await
}

/// Ends a child that is claimed, as its worker does.
pub async fn end(db: &Db, lease: &Lease, parent: RunId, ending: &Ending) -> ChildEnded {
    match runs::finish_child(db, lease, parent, ending, now()).await.unwrap() {
        ChildFinish::Finished(mut ended) => {
            runs::follow(db, &mut ended, now()).await.unwrap();
            *ended
        }
        ChildFinish::Stale => panic!("stale"),
    }
}
