//! From a ring to work under a lease.

use super::Engine;
use super::begin::{Beginning, Given};
use super::crash::Point;
use shared::domain::jobs::Job;
use shared::store::runs::Claim;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

impl Engine {
    /// Handles one ring: claims the run and leaves it to a task of its own, which keeps the slot.
    /// A ring whose run cannot be claimed is dropped: somebody else has it, or it is over, or it
    /// will be rung again.
    pub async fn take(self: &Arc<Self>, job: Job, slot: OwnedSemaphorePermit) {
        let asked_at = Instant::now();
        let claiming = self.registry.await_claim(job.run_id);
        let claimed = match self.claim(job.run_id).await {
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
        let entry = self.enter(&claimed, asked_at);
        let was_told = claiming.was_told();
        drop(claiming);
        self.start(Beginning { claimed, entry, slot, was_told, given: Given::default() });
    }

    pub(super) async fn work(self: Arc<Self>, job: Job, beginning: Beginning) {
        let Beginning { claimed, entry, slot, was_told, given } = beginning;
        if was_told {
            self.renew(vec![entry.held.clone()]).await;
        }
        self.crash_point(Point::S3);
        // Large, since it holds what every step needs: kept off the stack on which the task is made.
        Box::pin(self.drive(&job, claimed, entry, given)).await;
        self.crash_point(Point::S15);
        drop(slot);
    }
}
