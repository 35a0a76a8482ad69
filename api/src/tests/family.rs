//! A turn that waits, as a worker would have left it.

use super::harness::{Api, TENANT, Turn};
use chrono::TimeDelta;
use serde_json::json;
use shared::app::subagents;
use shared::bus::{Begin, Bus, Publication, Published, Stream};
use shared::domain::agents::AgentSpec;
use shared::domain::conversation::{Finish, Response, ToolCall};
use shared::domain::delegation::{Budget, Delegation};
use shared::domain::events::{Address, Event};
use shared::domain::ids::{AgentId, ModelId, PauseId, RunId, SubagentId};
use shared::domain::journal::{ModelStep, Step};
use shared::domain::models::{ModelLimits, Provider};
use shared::domain::pauses::{OpenPause, PauseKind};
use shared::domain::runs::{Lease, ModelSnapshot, Snapshot};
use shared::domain::subagents::SourceType;
use shared::store::runs::{self, ChildFinish, NewChild, NewPause, WaitOutcome, Waiting};

/// A turn with what it waits for.
pub struct Family {
    pub turn: Turn,
    pub children: Vec<RunId>,
    pub pauses: Vec<PauseId>,
}

fn snapshot() -> Snapshot {
    let agent = AgentSpec {
        system_prompt: "You help.".into(),
        tools: Some(vec!["get_time".into()]),
        max_tool_rounds: Some(7),
        ..AgentSpec::plain("helper", ModelId(1))
    };
    let model = ModelSnapshot {
        model_id: ModelId(1),
        provider: Provider::Demo,
        model_name: "demo".into(),
        base_url: None,
        trusted_host: true,
        limits: ModelLimits::default(),
    };
    let delegation = Delegation { max_concurrent: 1, ..Delegation::default() };
    Snapshot { agent, model, delegation: Some(delegation), budget: Budget::default() }
}

pub fn said(text: &str, calls: &[&str]) -> Step {
    let call = |id: &&str| ToolCall { id: (*id).into(), name: "t".into(), arguments: "{}".into() };
    Step::Model(ModelStep {
        response: Response {
            text: text.into(),
            thinking: String::new(),
            calls: calls.iter().map(call).collect(),
            finish: Finish::Stop,
            usage: None,
        },
        duration_ms: 1,
        attempts: 1,
    })
}

fn child(sort_order: u32) -> NewChild {
    NewChild {
        tool_call_id: "batch".into(),
        sort_order,
        agent_id: AgentId(1),
        source_type: SourceType::Clone,
        preset_agent_id: None,
        name: "helper".into(),
        goal: format!("goal {sort_order}"),
        context: None,
        model: "demo".into(),
        tool_names: vec!["get_time".into()],
        snapshot: snapshot(),
    }
}

impl Family {
    /// Of a new turn, with so many subagents, two of them ready to begin.
    pub async fn of(api: &Api, children: u32, questions: &[&str]) -> Self {
        let turn = api.accepted(&json!({"message": "compare"})).await;
        assert_eq!(api.next_turn().await, turn);
        Self::begin(api, turn, children, questions).await
    }

    pub async fn begin(api: &Api, turn: Turn, children: u32, questions: &[&str]) -> Self {
        Self::ask(api, turn, children, questions, TimeDelta::hours(1)).await
    }

    /// Of a new turn whose question nobody answered in time.
    pub async fn expired(api: &Api) -> Self {
        let turn = api.accepted(&json!({"message": "choose"})).await;
        Self::ask(api, turn, 0, &["Which?"], TimeDelta::seconds(-1)).await
    }

    async fn ask(api: &Api, turn: Turn, children: u32, questions: &[&str], patience: TimeDelta) -> Self {
        let lease = api.claim(turn).await;
        let now = api.app.clock.now();
        let batch = (children > 0).then_some("batch");
        let calls: Vec<&str> = batch.into_iter().chain(questions.iter().copied()).collect();
        let mut steps = vec![said("let me", &calls)];
        steps.extend(batch.map(|id| Step::Delegated {
            tool_call_id: id.into(),
            title: "compare".into(),
            total: children,
            limit: Some(2),
        }));
        steps.extend(questions.iter().map(|q| Step::Asked { tool_call_id: (*q).into() }));
        let pause = |q: &&str| NewPause {
            tool_call_id: (*q).into(),
            kind: PauseKind::Clarify,
            question: (*q).into(),
            options: Vec::new(),
            deadline: Some(now + patience),
        };
        let waiting = Waiting {
            first_seq: 0,
            steps,
            usage_rows: Vec::new(),
            snapshot: Some(snapshot()),
            children: (0..children).map(child).collect(),
            max_concurrent: 2,
            pauses: questions.iter().map(pause).collect(),
            wall_ends_at: now + TimeDelta::hours(1),
            take: 0,
            lease: std::time::Duration::ZERO,
        };
        let outcome = runs::wait(&api.app.db, &lease, &waiting, now).await.unwrap();
        let WaitOutcome::Waiting { children, pauses, .. } = outcome else { panic!("{outcome:?}") };
        let asked: Vec<Event> = pauses.iter().map(|p| Event::ClarifyRequest(OpenPause::from(p))).collect();
        api.tell(turn, &[vec![Event::TextDelta { text: "let me".into() }], asked].concat()).await;
        Self {
            turn,
            children: children.iter().map(|c| c.run_id).collect(),
            pauses: pauses.iter().map(|p| p.id).collect(),
        }
    }

    /// The subagent's ids, as of a turn of its own.
    pub fn child(&self, at: usize) -> Turn {
        Turn { run_id: self.children[at], ..self.turn }
    }

    pub fn stream(&self, at: usize) -> Stream {
        let id = SubagentId::from(self.children[at]);
        Stream::of_subagent(self.turn.session_id, self.turn.message_id, id)
    }

    /// Sends events of the subagent's own stream.
    pub async fn tell(&self, api: &Api, at: usize, events: &[Event]) {
        let Turn { session_id, message_id, run_id } = self.child(at);
        let address = Address { session_id, message_id, run_id };
        let events = events.iter().map(|e| e.render(address, api.app.clock.now())).collect();
        let publication =
            Publication { stream: self.stream(at), fence: Some(1), events, begin: Begin::IfMissing };
        api.bus.publish(publication).await.unwrap();
    }

    /// Whether writers are told that somebody follows the subagents.
    pub async fn is_watched(&self, api: &Api) -> bool {
        let publication =
            Publication { stream: self.turn.stream(), fence: None, events: Vec::new(), begin: Begin::Never };
        match api.bus.publish(publication).await.unwrap() {
            Published::Sent { watched, .. } => watched,
            other => panic!("{other:?}"),
        }
    }

    /// Ends the subagent with an answer, and tells the turn's readers.
    pub async fn finish(&self, api: &Api, lease: &Lease, text: &str) {
        let mut ending = super::harness::ending(text, None);
        ending.steps = vec![said(text, &[])];
        let now = api.app.clock.now();
        let finished = runs::finish_child(&api.app.db, lease, self.turn.run_id, &ending, now).await.unwrap();
        let ChildFinish::Finished(mut ended) = finished else { panic!("stale") };
        runs::follow(&api.app.db, &mut ended, now).await.unwrap();
        subagents::announce_end(&api.app, TENANT, &ended, None).await;
    }
}
