//! Runs that this worker makes due and goes on with itself: their leases are taken by the statement that
//! makes them due, so that they need no ring and no claim of their own. Only in free slots: what has
//! none goes over the queue, where tenants are served in turn.

use super::Engine;
use super::lease::{Entry, own_deadline};
use shared::domain::events::Event;
use shared::domain::ids::SessionId;
use shared::domain::jobs::Job;
use shared::domain::runs::Lease;
use shared::domain::subagents::Subagent;
use shared::store::runs::Claimed;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, broadcast};
use tokio::time::Instant;
use tracing::Instrument;

/// A run that is held here, and whose work has not begun. Dropped, its lease ends by itself, and the
/// sweep rings.
#[derive(Debug)]
pub(super) struct Beginning {
    pub claimed: Claimed,
    pub entry: Entry,
    pub slot: OwnedSemaphorePermit,
    /// Somebody said that the run's row is to be looked at while it was being claimed.
    pub was_told: bool,
    pub given: Given,
}

/// What a run is given by whoever made it due.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// For a subagent that its turn's readers were told of.
    pub shown: Option<Shown>,
    /// What its turn's readers are to be told first.
    pub told_first: Vec<Event>,
    /// Its subagents, all of which have ended.
    pub subagents: Option<Vec<Subagent>>,
}

/// What was heard when readers were told that a subagent has begun.
#[derive(Debug)]
pub(super) struct Shown {
    /// Who begins to watch, heard since before that.
    pub watches: broadcast::Receiver<SessionId>,
    /// Whether somebody watched then; None: they may not have been told.
    pub watched: Option<bool>,
}

impl Engine {
    /// Slots that are free now, at most so many. None where nothing may be begun here.
    pub(super) fn free_slots(&self, most: usize) -> Vec<OwnedSemaphorePermit> {
        if self.draining.is_cancelled() || self.parts.worker.always_suspend {
            return Vec::new();
        }
        std::iter::from_fn(|| Arc::clone(&self.slots).try_acquire_owned().ok()).take(most).collect()
    }

    /// Takes a claimed run in. `asked_at`: before its claim was sent.
    pub(super) fn enter(&self, claimed: &Claimed, asked_at: Instant) -> Entry {
        let run = &claimed.run;
        let held = Lease { run_id: run.id, owner: self.id.clone(), epoch: run.lease_epoch };
        let batch = claimed.subagent.as_ref().map(|s| (s.parent_run_id, s.parent_tool_call_id.clone()));
        self.registry.enter(held, batch, own_deadline(asked_at, self.parts.worker.lease), run.cancel_reason)
    }

    /// Leaves a run that is held to a task of its own, which keeps the slot.
    pub(super) fn start(&self, beginning: Beginning) {
        let Some(engine) = self.me.upgrade() else { return };
        let run = &beginning.claimed.run;
        let traceparent = run.traceparent.clone();
        let job = Job { run_id: run.id, tenant_id: run.tenant_id, traceparent };
        let span = tracing::info_span!(
            "job.run",
            kind = run.kind.as_str(),
            run_id = %run.id,
            session_id = %run.session_id,
            worker_id = %self.id,
            traceparent = job.traceparent.as_deref().unwrap_or_default(),
        );
        self.tasks.spawn(engine.work(job, beginning).instrument(span));
    }
}
