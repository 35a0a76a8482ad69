//! Calls that are handed over, to subagents or to a person: what is stored for them, and how the run
//! begins to wait. A waiting run holds no lease, no slot and no task: it is a row.

use super::Engine;
use super::begin::{Beginning, Given, Shown};
use super::crash::Point;
use super::drive::{Leave, Work, address};
use super::kept::Loaded;
use super::open::begun;
use super::tool_steps::refused;
use chrono::TimeDelta;
use shared::app;
use shared::domain::conversation::ToolCall;
use shared::domain::delegation::{Delegation, Handover, Task, child_limits, child_prompt, language_of};
use shared::domain::events::{Address, Event};
use shared::domain::journal::Step;
use shared::domain::pauses::{OpenPause, Pause, PauseKind};
use shared::domain::runs::{Reason, RunStatus, Snapshot};
use shared::domain::subagents::{SourceType, Subagent, SubagentItem, SubagentStatus};
use shared::domain::view;
use shared::store::runs::{self, NewChild, NewPause, WaitOutcome, Waiting};
use shared::store::snapshots;
use std::sync::Arc;
use tokio::time::Instant;

impl Engine {
    /// Notes what tools handed over; it is stored when the run begins to wait. A hand-over that cannot
    /// be carried out becomes an error result.
    pub(super) async fn note_handovers(
        &self,
        work: &mut Work,
        handed: Vec<(ToolCall, Handover)>,
    ) -> Result<(), Leave> {
        for (call, handover) in handed {
            match handover {
                Handover::Ask { question, options } => {
                    let deadline = self.app().clock.now()
                        + TimeDelta::from_std(self.parts.delegation.clarify_deadline)
                            .unwrap_or(TimeDelta::MAX);
                    work.journal.steps.push(Step::Asked { tool_call_id: call.id.clone() });
                    work.waits.pauses.push(NewPause {
                        tool_call_id: call.id,
                        kind: PauseKind::Clarify,
                        question,
                        options,
                        deadline: Some(deadline),
                    });
                }
                Handover::Delegate { title, tasks } => match self.children(work, &call, &tasks).await? {
                    Ok(children) => {
                        let total = children.len() as u32;
                        let limit = work.snapshot.delegation.as_ref().map(|d| d.max_concurrent);
                        let tool_call_id = call.id;
                        work.journal.steps.push(Step::Delegated { tool_call_id, title, total, limit });
                        work.waits.children.extend(children);
                    }
                    Err(why) => {
                        let result = refused(&call, why);
                        work.publisher.send(view::result_event(&result));
                        work.journal.steps.push(Step::ToolResult(result));
                    }
                },
            }
        }
        Ok(())
    }

    /// The subagents of one call, or why there are none: then not one of them is made.
    async fn children(
        &self,
        work: &Work,
        call: &ToolCall,
        tasks: &[Task],
    ) -> Result<Result<Vec<NewChild>, String>, Leave> {
        let Some(delegation) = &work.snapshot.delegation else {
            return Ok(Err("This agent does not delegate.".to_owned()));
        };
        let (so_far, limit) = (work.journal.delegated(), delegation.max_children);
        if so_far + tasks.len() as u32 > limit {
            return Ok(Err(format!(
                "Nothing was started: this call asks for {} subagents, {so_far} were started before, and one \
                 turn may have {limit} in all.",
                tasks.len()
            )));
        }
        let mut children = Vec::with_capacity(tasks.len());
        for (task, sort_order) in tasks.iter().zip(0..) {
            let source = match task.preset {
                None => Arc::clone(&work.snapshot),
                Some(id) => {
                    let (db, tenant) = (&self.app().db, work.run.tenant_id);
                    let find = || snapshots::resolve(db, tenant, id, self.configs.defaults());
                    match self.persist(&work.held, find).await? {
                        Some((snapshot, _)) => Arc::new(snapshot),
                        None => return Ok(Err(format!("Nothing was started: agent {id} no longer exists."))),
                    }
                }
            };
            let (snapshot, tool_names) = self.child_snapshot(work, delegation, task, &source);
            children.push(NewChild {
                tool_call_id: call.id.clone(),
                sort_order,
                agent_id: task.preset.unwrap_or(work.run.agent_id),
                source_type: if task.preset.is_some() { SourceType::Preset } else { SourceType::Clone },
                preset_agent_id: task.preset,
                name: snapshot.agent.name.clone(),
                goal: task.goal.clone(),
                context: task.context.clone(),
                model: snapshot.model.model_name.clone(),
                tool_names,
                snapshot,
            });
        }
        Ok(Ok(children))
    }

    /// What a subagent keeps for its whole life: its prompt is built here, once.
    fn child_snapshot(
        &self,
        work: &Work,
        delegation: &Delegation,
        task: &Task,
        source: &Snapshot,
    ) -> (Snapshot, Vec<String>) {
        let mut agent = source.agent.clone();
        let limits = child_limits(&agent, task.max_tool_rounds, &self.parts.delegation.global);
        let (own, asked) = (agent.tools.as_deref(), task.tool_names.as_deref());
        let tool_names = self.parts.catalogue.child_tools(own, delegation, asked);
        agent.system_prompt = child_prompt(&agent.system_prompt, language_of(&work.user));
        agent.tools = Some(tool_names.clone());
        agent.max_tool_rounds = Some(limits.max_tool_rounds);
        agent.max_wall_seconds = Some(limits.max_wall_seconds);
        let budget = work.snapshot.budget;
        (Snapshot { agent, model: source.model.clone(), delegation: None, budget }, tool_names)
    }

    /// Tells the turn's readers that a person is asked whether the tree may use more.
    pub(super) async fn paused_by_budget(&self, work: &mut Work, pause: Option<Pause>) -> Leave {
        let status = Event::Status { status: RunStatus::Paused, reason: Some(Reason::Budget) };
        let question = pause.as_ref().map(|p| Event::ClarifyRequest(OpenPause::from(p)));
        match work.run.parent_run_id {
            None => {
                for event in question.into_iter().chain([status]) {
                    work.publisher.send(event);
                }
            }
            Some(run_id) => {
                work.publisher.send(status);
                if let Some(question) = question {
                    let turn = Address { run_id, ..address(&work.run) };
                    app::subagents::tell(&self.parts.app, work.run.tenant_id, turn, vec![question]).await;
                }
            }
        }
        Leave::Waiting { ring: Vec::new(), begin: Vec::new() }
    }

    /// Stores what the run waits for and lets go of it: one transaction. Returns how the worker leaves.
    pub(super) async fn wait(&self, work: &mut Work) -> Result<Leave, Leave> {
        let started = work.run.started_at.unwrap_or(work.run.create_time);
        let wall = TimeDelta::from_std(work.limits.wall).unwrap_or(TimeDelta::MAX);
        let waits = std::mem::take(&mut work.waits);
        let steps = work.journal.steps[work.stored..].to_vec();
        let max_concurrent = work.snapshot.delegation.as_ref().map_or(1, |d| d.max_concurrent);
        let slots = self.free_slots(waits.children.len().min(max_concurrent as usize));
        let waiting = Waiting {
            first_seq: work.stored as i64,
            usage_rows: std::mem::take(&mut work.usage),
            snapshot: work.run.snapshot.is_none().then(|| (*work.snapshot).clone()),
            max_concurrent,
            take: slots.len() as u32,
            lease: self.parts.worker.lease,
            children: waits.children,
            pauses: waits.pauses,
            wall_ends_at: started + wall + TimeDelta::milliseconds(work.run.paused_ms),
            steps,
        };
        let (db, lease, now) = (&self.app().db, &work.held.lease, self.app().clock.now());
        // A renewal may see the wait before its answer is here; the write's own condition decides.
        work.held.finish();
        let claiming = self.registry.await_new();
        let asked_at = Instant::now();
        let (children, taken, ring, pauses) =
            match self.persist(&work.held, || runs::wait(db, lease, &waiting, now)).await? {
                WaitOutcome::Waiting { children, taken, ring, pauses } => (children, taken, ring, pauses),
                WaitOutcome::Stale => {
                    metrics::counter!("neta_stale_writes_total").increment(1);
                    return Err(Leave::Lost);
                }
            };
        let begin = taken.into_iter().zip(slots).map(|(claimed, slot)| {
            let entry = self.enter(&claimed, asked_at);
            let was_told = claiming.was_told(claimed.run.id);
            let shown = Some(Shown { watches: self.watches.subscribe(), watched: None });
            Beginning { claimed, entry, slot, was_told, given: Given { shown, ..Given::default() } }
        });
        let begin = begin.collect();
        drop(claiming);
        if !children.is_empty() && !self.parts.worker.always_suspend {
            let (past, user, journal) = (work.past.clone(), work.user.clone(), work.journal.clone());
            self.kept.keep(work.run.id, work.held.lease.epoch, Loaded { past, user, journal });
        }
        self.crash_point(Point::S9);
        let parent_message_id = work.run.assistant_message_id;
        for step in &waiting.steps {
            let Step::Delegated { tool_call_id, title, total, limit } = step else { continue };
            work.publisher.send(Event::SubagentBatchStart {
                parent_message_id,
                batch_id: tool_call_id.clone(),
                title: title.clone(),
                total: *total,
                limit: *limit,
            });
            for child in children.iter().filter(|c| c.parent_tool_call_id == *tool_call_id) {
                work.publisher.send(Event::SubagentUpdate {
                    parent_message_id,
                    batch_id: tool_call_id.clone(),
                    subagent: queued(child),
                });
            }
            // Those that begin here: told with the others, so that they need not tell it themselves.
            for child in children.iter().filter(|c| c.parent_tool_call_id == *tool_call_id) {
                if child.status == SubagentStatus::Running {
                    work.publisher.send(begun(child));
                }
            }
        }
        for pause in &pauses {
            work.publisher.send(Event::ClarifyRequest(OpenPause::from(pause)));
        }
        if !children.is_empty() {
            work.publisher.send(Event::Status { status: RunStatus::Waiting, reason: None });
        } else if !pauses.is_empty() {
            work.publisher.send(Event::Status { status: RunStatus::Paused, reason: Some(Reason::Question) });
        }
        metrics::counter!("neta_subagents_started_total").increment(children.len() as u64);
        Ok(Leave::Waiting { ring, begin })
    }
}

/// A subagent as it is told first.
fn queued(child: &Subagent) -> SubagentItem {
    SubagentItem { status: SubagentStatus::Queued, started_at: None, ..SubagentItem::from(child) }
}
