//! What a run works with, loaded when its lease is taken.

use super::Engine;
use super::begin::{Given, Shown};
use super::configs::Config;
use super::drive::{KeyAtHand, Leave, Waits, Work};
use super::ending::Failure;
use super::kept::Loaded;
use super::lease::Held;
use super::publisher::{Publisher, Start};
use crate::tools::Toolbox;
use shared::domain::decide::RunLimits;
use shared::domain::delegation::{child_limits, child_message, supervisor_prompt, supervisor_tools};
use shared::domain::events::{Event, TurnView};
use shared::domain::history::{Past, past_entries};
use shared::domain::jobs::Job;
use shared::domain::journal::{Journal, Step};
use shared::domain::runs::{Run, RunKind, RunStatus, Snapshot};
use shared::domain::subagents::{Subagent, SubagentItem, batch_results};
use shared::domain::tools::{Narrowing, Scene};
use shared::domain::view;
use shared::store::runs::{self, Claimed, ConfigVersion};
use shared::store::subagents;
use std::sync::Arc;
use std::time::Duration;

/// What the model is told before the run's own journal.
struct Opening {
    past: Arc<Past>,
    user: Arc<str>,
    /// If it is known already.
    journal: Option<Journal>,
    /// The run's own row among the subagents, if it is one.
    subagent: Option<Subagent>,
}

/// What a run's readers are told first, or have been told.
struct Told<'a> {
    /// The run's own row among the subagents, if it is one.
    subagent: Option<&'a Subagent>,
    /// It has been told that the subagent begins.
    shown: Option<Shown>,
    /// Told before all else.
    first: Vec<Event>,
}

impl Engine {
    /// Loads what the run works with.
    pub(super) async fn open(
        &self,
        job: &Job,
        claimed: Claimed,
        mut given: Given,
        held: &Arc<Held>,
    ) -> Result<Work, Leave> {
        let db = &self.app().db;
        let Claimed { run, config, subagent } = claimed;
        let (snapshot, key) = self.snapshot(&run, config, held).await?;
        let opening = self.opening(&run, subagent, held).await?;
        let mut journal = match (opening.journal, run.step_count) {
            (Some(journal), _) => journal,
            (None, 0) => Journal::default(),
            (None, _) => self.persist(held, || runs::journal(db, run.id)).await?,
        };
        let stored = journal.steps.len();
        // All of them have ended: a run with live subagents waits, and nobody claims it.
        let subagents = match given.subagents.take() {
            Some(subagents) => subagents,
            None if journal.has_delegated() => self.persist(held, || subagents::of_run(db, run.id)).await?,
            None => Vec::new(),
        };
        let results = batch_results(&journal, &subagents);
        journal.steps.extend(results.iter().cloned().map(Step::ToolResult));
        let scene = scene(run.kind, &snapshot);
        let toolbox = self.toolbox(scene, &snapshot);
        let system = if toolbox.delegates() {
            supervisor_prompt(&snapshot.agent.system_prompt)
        } else {
            snapshot.agent.system_prompt.clone()
        };
        let system = opening.past.after_prompt(system);
        let publisher = {
            let Given { shown, told_first, .. } = given;
            let told = Told { subagent: opening.subagent.as_ref(), shown, first: told_first };
            self.publisher(&run, &snapshot, &journal, &subagents, told, held)
        };
        for result in &results {
            publisher.send_lazily(view::result_event(result));
        }
        Ok(Work {
            job: job.clone(),
            held: held.clone(),
            toolbox,
            limits: self.limits_of(&snapshot),
            idle: self.idle_limit(run.kind, &snapshot),
            system,
            past: opening.past,
            user: opening.user,
            stored,
            journal,
            subagents,
            usage: Vec::new(),
            waits: Waits::default(),
            publisher,
            alone: None,
            snapshot,
            key,
            run,
        })
    }

    /// The configuration that the run keeps, and its model's key if the agent's is at hand.
    async fn snapshot(
        &self,
        run: &Run,
        version: ConfigVersion,
        held: &Arc<Held>,
    ) -> Result<(Arc<Snapshot>, KeyAtHand), Leave> {
        let found = self.persist(held, || self.configs.get(&self.app().db, run, version)).await?;
        match (run.snapshot.clone(), found) {
            (None, Some(Config { snapshot, sealed_key })) => {
                self.configs.note(&self.app().db, run, self.app().clock.now()).await;
                Ok((snapshot, KeyAtHand::Read(sealed_key)))
            }
            (None, None) => Err(Leave::Fail(Failure::agent_gone())),
            (Some(kept), Some(now))
                if kept.model.model_id == now.snapshot.model.model_id
                    && kept.model.server() == now.snapshot.model.server() =>
            {
                Ok((Arc::new(kept), KeyAtHand::Read(now.sealed_key)))
            }
            (Some(kept), _) => Ok((Arc::new(kept), KeyAtHand::LookUp)),
        }
    }

    async fn opening(
        &self,
        run: &Run,
        subagent: Option<Subagent>,
        held: &Arc<Held>,
    ) -> Result<Opening, Leave> {
        let db = &self.app().db;
        if run.kind == RunKind::Subagent {
            // No row: its session is being deleted.
            let subagent = subagent.ok_or(Leave::Lost)?;
            let user = child_message(&subagent.goal, subagent.context.as_deref()).into();
            return Ok(Opening { past: Arc::default(), user, journal: None, subagent: Some(subagent) });
        }
        if let Some(Loaded { past, user, journal }) = self.kept.take(run.id, run.lease_epoch, run.step_count)
        {
            return Ok(Opening { past, user, journal: Some(journal), subagent: None });
        }
        let read = || runs::history(db, run.session_id, run.user_message_id, HISTORY_MESSAGES);
        // No message: its session is being deleted.
        let conversation = self.persist(held, read).await?.ok_or(Leave::Lost)?;
        let (past, user) = (past(&conversation), conversation.current.content.into());
        Ok(Opening { past: Arc::new(past), user, journal: None, subagent: None })
    }

    fn toolbox(&self, scene: Scene, snapshot: &Snapshot) -> Toolbox {
        let list = match scene {
            Scene::Supervisor => supervisor_tools(&snapshot.agent),
            _ => snapshot.agent.tools.clone(),
        };
        let by = Narrowing { agent: list.as_deref(), ..Narrowing::default() };
        self.parts.catalogue.toolbox(scene, by, snapshot.delegation.as_ref())
    }

    fn limits_of(&self, snapshot: &Snapshot) -> RunLimits {
        let (agent, defaults) = (&snapshot.agent, &self.parts.runs);
        RunLimits {
            max_tool_rounds: agent.max_tool_rounds.unwrap_or(defaults.max_tool_rounds),
            wall: agent.max_wall_seconds.map_or(defaults.max_wall, |s| Duration::from_secs(s.into())),
            repeat_warn: defaults.repeat_warn,
            repeat_stop: defaults.repeat_stop,
            max_attempts: defaults.attempts as i32,
        }
    }

    /// How long nothing may happen.
    fn idle_limit(&self, kind: RunKind, snapshot: &Snapshot) -> Duration {
        match kind {
            RunKind::Subagent => {
                let limits = child_limits(&snapshot.agent, None, &self.parts.delegation.global);
                Duration::from_secs(limits.idle_seconds.into())
            }
            RunKind::Chat | RunKind::CrewMaster | RunKind::CrewTask => self.parts.runs.idle,
        }
    }

    /// A publisher that has said what a reader must know now.
    fn publisher(
        &self,
        run: &Run,
        snapshot: &Snapshot,
        journal: &Journal,
        subagents: &[Subagent],
        told: Told<'_>,
        held: &Held,
    ) -> Publisher {
        let prices = Some(&snapshot.model.limits);
        let view = view::from_journal(first_view(run), journal, prices);
        let view = view::with_subagents(view, journal, subagents);
        let shown = Event::TextReset { text: view.content.clone(), thinking: view.thinking.clone() };
        let (watched, watches) = match told.shown {
            Some(Shown { watches, watched }) => (watched, watches),
            None => (None, self.watches.subscribe()),
        };
        let publisher = Publisher::start(Start {
            app: &self.parts.app,
            run,
            fence: held.lease.epoch,
            view,
            begun: told.subagent.filter(|_| watched.is_none()).map(begun),
            watched: watched == Some(true),
            watches,
            crash_at: self.parts.worker.crash_at.clone(),
        });
        for event in told.first {
            publisher.send_lazily(event);
        }
        publisher.send_lazily(Event::Status { status: RunStatus::Running, reason: None });
        let in_order = run.lease_epoch == 1 || (run.attempts == 1 && journal.resumes_a_wait());
        if !in_order {
            // Whoever had the run before may have shown text of a call that never ended, and may have
            // died before it told of steps that are stored.
            publisher.send(shown);
            if run.step_count > 0 {
                publisher.send(Event::Resync(publisher.view()));
            }
        }
        publisher
    }
}

/// What came before the message: what its sender told, else what the session has.
fn past(conversation: &runs::History) -> Past {
    let of_session = || conversation.past.iter().map(past_entries).collect();
    match &conversation.current.metadata.told {
        None => Past { instructions: String::new(), turns: of_session() },
        Some(told) => Past {
            instructions: told.system.clone(),
            turns: if told.messages.is_empty() { of_session() } else { told.turns() },
        },
    }
}

fn scene(kind: RunKind, snapshot: &Snapshot) -> Scene {
    match kind {
        RunKind::Subagent => Scene::Subagent,
        RunKind::CrewTask => Scene::CrewMember,
        RunKind::CrewMaster => Scene::CrewMaster,
        RunKind::Chat if snapshot.delegation.is_some() => Scene::Supervisor,
        RunKind::Chat => Scene::Plain,
    }
}

/// What the turn's readers are told when a subagent begins.
pub(super) fn begun(subagent: &Subagent) -> Event {
    Event::SubagentUpdate {
        parent_message_id: subagent.parent_message_id,
        batch_id: subagent.parent_tool_call_id.clone(),
        subagent: SubagentItem::from(subagent),
    }
}

/// The picture of a run that a worker has just begun.
pub(super) fn first_view(run: &Run) -> TurnView {
    let mut view = TurnView::new(run.user_message_id, run.assistant_message_id, run.id);
    view.status = RunStatus::Running;
    view
}

/// Messages of a session that are considered for the model, the newest first.
const HISTORY_MESSAGES: u32 = 400;
