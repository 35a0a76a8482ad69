//! What executes runs: the engine's driver, the model client, the tools.

pub mod engine;
pub mod llm;
pub mod source;
pub mod tools;

use engine::Engine;
use source::{Ring, Source};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Runs an engine until told to stop: takes rings, keeps leases, sweeps, listens for stops. Returns
/// when all that it held is finished or handed back.
///
/// The job kinds are listed here, and there is one: a ring for a run.
pub async fn run(engine: Arc<Engine>, source: Source, shutdown: CancellationToken) {
    let stop = CancellationToken::new();
    let tasks = TaskTracker::new();
    tasks.spawn(engine.clone().keep_leases(stop.clone()));
    tasks.spawn(engine.clone().listen(stop.clone()));
    tasks.spawn(engine.clone().sweep_regularly(stop.clone()));
    let handler = {
        let engine = engine.clone();
        move |ring: Ring| {
            let engine = engine.clone();
            async move { engine.take(ring.job, ring.slot).await }
        }
    };
    source::run(source, handler, shutdown).await;
    engine.drain().await;
    stop.cancel();
    tasks.close();
    tasks.wait().await;
}
