//! Ends of subagents: those that end together are stored together, and those of one supervisor are told
//! together. Whoever ends the last one goes on with the supervisor, where a slot is free.

use super::Engine;
use super::begin::{Beginning, Given};
use super::crash::Point;
use super::lease::{BatchKey, Held};
use super::together::Together;
use shared::app::subagents;
use shared::domain::events::Event;
use shared::domain::ids::{RunId, TenantId};
use shared::store::runs::{self, ChildEnded, ChildEnding, ChildFinish, ParentNext, TakeParents, TakenParent};
use shared::store::{Result, StoreError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long an end waits for those of the same batch that are still at work here: nobody waits for it
/// meanwhile, and subagents that were begun together often end together. The last one does not wait.
const COMPANY: Duration = Duration::from_millis(3);

/// The ends that wait.
pub(super) type Ends = Together<ChildEnd, Result<EndStored>>;

/// A subagent that is to end.
#[derive(Debug, Clone)]
pub(super) struct ChildEnd {
    pub ending: ChildEnding,
    pub held: Arc<Held>,
    /// That it began, if its turn's readers were not told.
    pub begun: Option<Event>,
}

/// What became of an end.
#[derive(Debug)]
pub(super) enum EndStored {
    /// It is durable, and whoever asked has to tell of it, and of others of the supervisor's.
    Tell(Box<Ended>),
    /// It is durable, and another tells of it.
    Told,
    /// The lease was lost.
    Stale,
}

/// Ends of one supervisor's subagents that were stored together.
#[derive(Debug, Default)]
pub(super) struct Ended {
    ends: Vec<ChildEnded>,
    begun: Vec<Event>,
    /// The supervisor, if it is ours to go on with.
    parent: Option<Beginning>,
}

impl Engine {
    /// Ends a subagent's run in a statement that also releases the next one and makes the supervisor due,
    /// then tells, and goes on with what it let begin.
    pub(super) async fn end_child(&self, tenant_id: TenantId, end: ChildEnd) -> Result<EndStored> {
        let others_work = self.registry.waits_for_others(&end.held);
        let company = async move {
            if others_work {
                tokio::time::sleep(COMPANY).await;
            }
        };
        let answer = self.ends.ask(end, company, |ends| self.end_together(ends)).await;
        match answer.unwrap_or_else(|| Err(StoreError::Unavailable("not carried out".into())))? {
            EndStored::Tell(ended) => {
                self.tell_ends(tenant_id, *ended).await;
                Ok(EndStored::Told)
            }
            stored => Ok(stored),
        }
    }

    async fn end_together(&self, ends: Vec<ChildEnd>) -> Vec<Result<EndStored>> {
        let stored = self.store_ends(&ends).await;
        match stored {
            // One of them may be at fault: the others are not to fail with it.
            Err(StoreError::Unavailable(_)) => {}
            Err(_) if ends.len() > 1 => {
                let mut answers = Vec::with_capacity(ends.len());
                for end in &ends {
                    let stored = self.store_ends(std::slice::from_ref(end)).await;
                    answers.extend(stored.unwrap_or_else(|error| vec![Err(error)]));
                }
                return answers;
            }
            Err(_) | Ok(_) => {}
        }
        stored.unwrap_or_else(|error| ends.iter().map(|_| Err(error.clone())).collect())
    }

    /// Stores the ends. The answer of the last one of each supervisor has them all.
    async fn store_ends(&self, ends: &[ChildEnd]) -> Result<Vec<Result<EndStored>>> {
        let mut parents: Vec<RunId> = ends.iter().map(|e| e.ending.parent).collect();
        parents.sort_unstable();
        parents.dedup();
        let mut slots = self.free_slots(parents.len());
        parents.truncate(slots.len());
        let claiming: Vec<_> = parents.iter().map(|id| self.registry.await_claim(*id)).collect();
        let take = TakeParents { runs: parents, lease: self.parts.worker.lease };
        let endings: Vec<ChildEnding> = ends.iter().map(|e| e.ending.clone()).collect();
        let (asked_at, now) = (Instant::now(), self.app().clock.now());
        let finished = runs::finish_children(&self.app().db, &endings, &take, now).await?;

        let mut families: BTreeMap<RunId, (usize, Ended)> = BTreeMap::new();
        let mut answers = Vec::with_capacity(ends.len());
        for (at, (end, finished)) in ends.iter().zip(finished).enumerate() {
            let ChildFinish::Finished(mut child) = finished else {
                answers.push(Ok(EndStored::Stale));
                continue;
            };
            self.registry.leave_batch(&end.held);
            let (last, family) = families.entry(end.ending.parent).or_default();
            *last = at;
            match std::mem::replace(&mut child.parent, ParentNext::Waits) {
                ParentNext::Taken(taken) => {
                    let TakenParent { claimed, subagents } = *taken;
                    let entry = self.enter(&claimed, asked_at);
                    let awaited = take.runs.iter().zip(&claiming).find(|(id, _)| **id == end.ending.parent);
                    let was_told = awaited.is_some_and(|(_, claiming)| claiming.was_told());
                    let given = Given { subagents: Some(subagents), ..Given::default() };
                    let beginning = |slot| Beginning { claimed, entry, slot, was_told, given };
                    family.parent = slots.pop().map(beginning);
                }
                next => child.parent = next,
            }
            family.begun.extend(end.begun.clone());
            family.ends.push(*child);
            answers.push(Ok(EndStored::Told));
        }
        for (last, family) in families.into_values() {
            answers[last] = Ok(EndStored::Tell(Box::new(family)));
        }
        Ok(answers)
    }

    async fn tell_ends(&self, tenant_id: TenantId, ended: Ended) {
        let Ended { mut ends, begun, parent } = ended;
        for _ in &ends {
            self.crash_point(Point::S11);
        }
        self.look_after(&mut ends).await;
        if ends.iter().any(|e| e.batch.is_some()) {
            self.crash_point(Point::S12);
        }
        for end in &ends {
            let status = end.subagent.status.as_str();
            metrics::counter!("neta_subagents_ended_total", "status" => status).increment(1);
        }
        let Some(mut parent) = parent else {
            return subagents::announce_ends(&self.parts.app, tenant_id, &ends, begun).await;
        };
        // Told by the supervisor itself, with what it tells first: it may end the turn's stream.
        parent.given.told_first = subagents::ends_told(&ends, begun);
        self.start(parent);
    }

    /// Looks what ends mean whose own statement did not say: others may have ended meanwhile. Not where
    /// another of the batch is at work here: its end is still to come, and who ends it looks.
    async fn look_after(&self, ends: &mut [ChildEnded]) {
        let batch_of = |e: &ChildEnded| (e.subagent.parent_run_id, e.subagent.parent_tool_call_id.clone());
        let mut looked: Vec<BatchKey> = ends.iter().filter(|e| e.batch.is_some()).map(batch_of).collect();
        for end in ends.iter_mut().rev().filter(|e| e.batch.is_none()) {
            let batch = batch_of(end);
            if looked.contains(&batch) || self.registry.works_on(&batch) {
                continue;
            }
            looked.push(batch);
            if let Err(error) = runs::follow(&self.app().db, end, self.app().clock.now()).await {
                tracing::debug!(%error, "the sweep looks whether the supervisor is due");
            }
        }
    }
}
