//! Rings again for every run that is due and unclaimed: what makes the queue a mere doorbell. Also
//! says that this worker is alive.

use super::Engine;
use chrono::{DateTime, TimeDelta, Utc};
use shared::store::{runs, workers};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A worker that was not seen for so long is gone.
const FORGOTTEN: TimeDelta = TimeDelta::hours(1);
/// Runs that one sweep rings for at most.
const BATCH: u32 = 5_000;

impl Engine {
    /// Sweeps at the configured interval until told to stop, then signs off.
    pub async fn sweep_regularly(self: Arc<Self>, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(self.parts.worker.sweep);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = ticks.tick() => {
                    if let Err(error) = self.sweep().await {
                        tracing::warn!(worker_id = %self.id, %error, "sweep failed");
                    }
                }
            }
        }
        // Best effort: a row that stays behind grows old.
        let _ =
            tokio::time::timeout(self.parts.worker.sweep, workers::remove(&self.app().db, &self.id)).await;
    }

    fn describe(&self, now: DateTime<Utc>) -> workers::Worker {
        workers::Worker {
            id: self.id.clone(),
            host: self.host.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            slots: self.parts.worker.slots as u32,
            running: self.busy() as u32,
            draining: self.draining.is_cancelled(),
            started_at: self.started_at,
            seen_at: now,
        }
    }

    async fn sweep(&self) -> Result<(), SweepError> {
        let (app, every) = (self.app(), self.parts.worker.sweep);
        let now = app.clock.now();
        workers::heartbeat(&app.db, &self.describe(now)).await?;
        // Every worker asks; one of them is given the turn.
        if !workers::take_sweep(&app.db, now, every).await? {
            return Ok(());
        }
        workers::remove_unseen(&app.db, now - FORGOTTEN).await?;
        // First what needs no queue.
        shared::app::runs::wake_forgotten_waits(app, now).await?;
        shared::app::runs::time_out_waits(app, now).await?;
        shared::app::pauses::expire_due(app, now).await?;
        shared::app::tryouts::end_unused(app, now).await?;
        let due = runs::due(&app.db, now, every, BATCH).await?;
        if !due.is_empty() {
            metrics::counter!("neta_sweep_rings_total").increment(due.len() as u64);
            app.queue.push(&due).await?;
        }
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
enum SweepError {
    #[error(transparent)]
    Store(#[from] shared::store::StoreError),
    #[error(transparent)]
    Queue(#[from] shared::queue::QueueError),
    #[error(transparent)]
    App(#[from] shared::app::AppError),
}
