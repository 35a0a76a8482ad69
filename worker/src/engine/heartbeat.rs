//! Keeps this process's leases alive, and tells the work under them when one is lost or its run is
//! to stop.

use super::Engine;
use super::lease::{Held, own_deadline};
use shared::store::runs;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

impl Engine {
    /// Renews all leases at the configured interval until told to stop.
    pub async fn keep_leases(self: Arc<Self>, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(self.parts.worker.renew);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                _ = ticks.tick() => self.renew(self.registry.all()).await,
            }
        }
    }

    /// Renews these leases. A lease that the answer does not name is lost. Without an answer nothing
    /// is done: the work stops by its own clock.
    pub(super) async fn renew(&self, held: Vec<Arc<Held>>) {
        if held.is_empty() {
            return;
        }
        let asked_at = Instant::now();
        let ids: Vec<_> = held.iter().map(|h| h.lease.run_id).collect();
        let lease = self.parts.worker.lease;
        let ask = runs::renew(&self.app().db, &self.id, &ids, lease, self.app().clock.now());
        let renewed = match tokio::time::timeout(lease, ask).await {
            Ok(Ok(renewed)) => renewed,
            Ok(Err(error)) => {
                tracing::warn!(worker_id = %self.id, %error, "leases were not renewed");
                return;
            }
            Err(_) => {
                tracing::warn!(worker_id = %self.id, "the database did not answer a renewal");
                return;
            }
        };
        let renewed: HashMap<_, _> =
            renewed.into_iter().map(|r| ((r.run_id, r.epoch), r.cancel_reason)).collect();
        for held in held {
            match renewed.get(&(held.lease.run_id, held.lease.epoch)) {
                Some(cancel) => held.renewed(own_deadline(asked_at, lease), *cancel),
                None => held.lose(),
            }
        }
    }
}
