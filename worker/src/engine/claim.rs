//! From a ring to work under a lease.

use super::Engine;
use super::crash::Point;
use super::lease::{Entry, own_deadline};
use shared::domain::jobs::Job;
use shared::domain::runs::Lease;
use shared::store::runs::{Claim, Claimed};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use tracing::Instrument;

impl Engine {
    /// Handles one ring: claims the run and leaves it to a task of its own, which keeps the slot.
    /// A ring whose run cannot be claimed is dropped: somebody else has it, or it is over, or it
    /// will be rung again.
    pub async fn take(self: &Arc<Self>, job: Job, slot: OwnedSemaphorePermit) {
        let asked_at = Instant::now();
        let claiming = self.registry.await_claim(job.run_id);
        let (lease, now) = (self.parts.worker.lease, self.app().clock.now());
        let claimed = match self.claims.claim(&self.app().db, job.run_id, &self.id, lease, now).await {
            Ok(Claim::Claimed(claimed)) => *claimed,
            Ok(Claim::SessionBusy | Claim::Gone) => return,
            Err(error) => {
                tracing::warn!(run_id = %job.run_id, %error, "claim failed: the sweep rings again");
                return;
            }
        };
        let run = &claimed.run;
        if run.attempts > 1 {
            metrics::counter!("neta_lease_expiries_total").increment(1);
            tracing::info!(run_id = %run.id, attempts = run.attempts, "taking over a run");
        }
        let held = Lease { run_id: run.id, owner: self.id.clone(), epoch: run.lease_epoch };
        let entry = self.registry.enter(held, own_deadline(asked_at, lease), run.cancel_reason);
        let was_told = claiming.was_told();
        drop(claiming);
        let span = tracing::info_span!(
            "job.run",
            kind = run.kind.as_str(),
            run_id = %run.id,
            session_id = %run.session_id,
            worker_id = %self.id,
            traceparent = job.traceparent.as_deref().unwrap_or_default(),
        );
        let engine = self.clone();
        let work = async move {
            if was_told {
                engine.renew(vec![entry.held.clone()]).await;
            }
            engine.work(job, claimed, entry, slot).await;
        };
        self.tasks.spawn(work.instrument(span));
    }

    async fn work(self: Arc<Self>, job: Job, claimed: Claimed, entry: Entry, slot: OwnedSemaphorePermit) {
        self.crash_point(Point::S3);
        // Large, since it holds what every step needs: kept off the stack on which the task is made.
        Box::pin(self.drive(&job, claimed, entry)).await;
        self.crash_point(Point::S15);
        drop(slot);
    }
}
