//! `neta worker`: executes runs.

use crate::observe;
use crate::wiring::{self, Services};
use anyhow::Context;
use api::WorkerHealth;
use chrono::DateTime;
use shared::config::Config;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use worker::engine::{Engine, Parts};
use worker::llm::Providers;
use worker::llm::http::ClientOptions;
use worker::source::{LastFetch, Source};
use worker::tools::{Catalogue, builtin};

/// Works until asked to end; then finishes or hands back what it holds.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let services = wiring::connect(&config, true).await?;
    wiring::check_schema(&services.app.db).await?;
    let shutdown = wiring::shutdown_signal()?;
    let engine = engine(&config, &services)?;
    tracing::info!(worker_id = %engine.id(), slots = config.worker.slots, "working");
    let last_fetch = Arc::new(LastFetch::default());
    let told = CancellationToken::new();
    let health = health(&config, &services, last_fetch.clone(), told.clone()).await?;
    work(&services, engine, last_fetch, shutdown).await;
    // Until now, so that whoever watches sees the drain.
    told.cancel();
    health.await?;
    Ok(())
}

/// Answers for this worker's health, where an address is set.
async fn health(
    config: &Config,
    services: &Services,
    last_fetch: Arc<LastFetch>,
    stop: CancellationToken,
) -> anyhow::Result<JoinHandle<()>> {
    let metrics = observe::metrics()?;
    let Some(address) = &config.worker.listen else { return Ok(tokio::spawn(async {})) };
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
    let last_fetch = move || match last_fetch.millis() {
        0 => None,
        millis => DateTime::from_timestamp_millis(millis),
    };
    let health = WorkerHealth { app: services.app.clone(), last_fetch: Arc::new(last_fetch), metrics };
    Ok(tokio::spawn(async move {
        if let Err(error) = api::serve_worker(listener, health, stop).await {
            tracing::error!(%error, "the health address is closed");
        }
    }))
}

/// The engine that the configuration describes.
pub fn engine(config: &Config, services: &Services) -> anyhow::Result<Arc<Engine>> {
    Ok(Engine::new(Parts {
        app: services.app.clone(),
        limits: services.limits.clone(),
        llm: Arc::new(providers(config)?),
        catalogue: Arc::new(Catalogue::new(builtin(&services.app.db))?),
        worker: config.worker.clone(),
        runs: config.runs.clone(),
        delegation: config.delegation.clone(),
        llm_config: config.llm.clone(),
    }))
}

/// The model client of the configuration.
pub fn providers(config: &Config) -> anyhow::Result<Providers> {
    Ok(Providers::new(&ClientOptions {
        connect: config.llm.connect,
        hosts: config.llm.model_hosts.clone(),
        ..ClientOptions::default()
    })?)
}

/// Runs an engine until asked to end, and drains it.
pub async fn work(
    services: &Services,
    engine: Arc<Engine>,
    last_fetch: Arc<LastFetch>,
    shutdown: CancellationToken,
) {
    let source = Source {
        queue: services.app.queue.clone(),
        slots: engine.slots().clone(),
        clock: services.app.clock.clone(),
        last_fetch,
    };
    worker::run(engine, source, shutdown).await;
}
