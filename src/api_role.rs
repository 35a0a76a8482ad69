//! `neta api`: serves HTTP and WebSocket.

use crate::toolboxes::Shown;
use crate::wiring::{self, Services};
use crate::{observe, probe, worker_role};
use anyhow::Context;
use api::{ApiConfig, ApiState, FirstStart, Parts, WebFiles};
use shared::config::Config;
use shared::secrets::Secret;
use std::io::Write;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use worker::tools::{Catalogue, builtin};

/// Serves until asked to end.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let services = wiring::connect(&config, true).await?;
    wiring::check_schema(&services.app.db).await?;
    let (token, _) = config.ensure_admin_token()?;
    let shutdown = wiring::shutdown_signal()?;
    let listener = listen(&config).await?;
    let address = listener.local_addr()?;
    if let FirstStart::Setup(token) = api::first_start(&services.app, config.first_admin.as_ref()).await? {
        // Not a log line: those are kept and sent on. That nobody reads it is no fault.
        let line = format!("setup: http://{address}/setup#{}\n", token.expose());
        let _ = std::io::stdout().write_all(line.as_bytes());
    }
    tracing::info!(%address, "serving");
    serve(&config, &services, token, listener, shutdown).await
}

/// Takes the configured address.
pub async fn listen(config: &Config) -> anyhow::Result<TcpListener> {
    TcpListener::bind(&config.listen).await.with_context(|| format!("cannot listen on {}", config.listen))
}

/// Serves on a listener until asked to end.
pub async fn serve(
    config: &Config,
    services: &Services,
    admin_token: Secret,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let toolboxes = Shown(Catalogue::new(builtin(&services.app.db))?);
    let state = ApiState::new(Parts {
        app: services.app.clone(),
        config: ApiConfig {
            admin_token,
            loopback: listener.local_addr()?.ip().is_loopback(),
            origins: config.api.origins.clone(),
            web: config.api.web_dir.clone().map_or(WebFiles::Embedded, WebFiles::Folder),
            delegation: config.delegation.global.clone(),
            is_https: config.api.is_https(),
            trusted_proxies: config.api.trusted_proxies.clone(),
            proxy_header: config.api.proxy_header,
            rates: config.api.rates,
            model_hosts: config.llm.model_hosts.clone(),
            max_body_bytes: config.api.max_body_bytes,
            max_message_chars: config.api.max_message_chars,
            sweep_overdue: config.worker.sweep * SWEEPS_MISSED,
        },
        rates: services.rates.clone(),
        probe: Arc::new(probe::Probe::new(worker_role::providers(config)?, config)),
        tools: toolboxes.list(),
        toolboxes: Arc::new(toolboxes),
        metrics: Some(observe::metrics()?),
        shutdown,
    });
    api::serve(listener, state).await?;
    Ok(())
}

/// So many intervals without a sweep, and something is wrong.
const SWEEPS_MISSED: u32 = 6;
