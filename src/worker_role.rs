//! `neta worker`: executes runs.

use crate::wiring::{self, Services};
use shared::config::Config;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use worker::engine::{Engine, Parts};
use worker::llm::Providers;
use worker::llm::http::ClientOptions;
use worker::source::Source;
use worker::tools::{Catalogue, builtin};

/// Works until asked to end; then finishes or hands back what it holds.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let services = wiring::connect(&config, true).await?;
    wiring::check_schema(&services.app.db).await?;
    let shutdown = wiring::shutdown_signal()?;
    let engine = engine(&config, &services)?;
    tracing::info!(worker_id = %engine.id(), slots = config.worker.slots, "working");
    work(&config, &services, engine, shutdown).await;
    Ok(())
}

/// The engine that the configuration describes.
pub fn engine(config: &Config, services: &Services) -> anyhow::Result<Arc<Engine>> {
    Ok(Engine::new(Parts {
        app: services.app.clone(),
        limits: services.limits.clone(),
        llm: Arc::new(providers(config)?),
        catalogue: Arc::new(Catalogue::new(builtin())?),
        worker: config.worker.clone(),
        runs: config.runs.clone(),
        llm_config: config.llm.clone(),
    }))
}

/// The model client of the configuration.
pub fn providers(config: &Config) -> anyhow::Result<Providers> {
    Ok(Providers::new(&ClientOptions { connect: config.llm.connect, ..ClientOptions::default() })?)
}

/// Runs an engine until asked to end, and drains it.
pub async fn work(config: &Config, services: &Services, engine: Arc<Engine>, shutdown: CancellationToken) {
    let source = Source {
        queue: services.app.queue.clone(),
        slots: Arc::new(Semaphore::new(config.worker.slots)),
        clock: services.app.clock.clone(),
        last_fetch: Arc::default(),
    };
    worker::run(engine, source, shutdown).await;
}
