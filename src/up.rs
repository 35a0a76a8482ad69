//! `neta up`: API and workers in one process, with nothing else installed.

use crate::{api_role, seed, wiring, worker_role};
use shared::config::Config;
use shared::secrets::Secret;
use shared::store::migrations;
use std::sync::Arc;

/// Migrates, serves and works until asked to end.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let services = wiring::connect(&config, false).await?;
    migrations::migrate(&services.app.db).await?;
    seed::seed(&services.app).await?;
    let (token, made_now) = config.ensure_admin_token()?;
    let shutdown = wiring::shutdown_signal()?;
    let listener = api_role::listen(&config).await?;
    greet(&config, listener.local_addr()?, &token, made_now);
    let engine = worker_role::engine(&config, &services)?;
    // Both end by the same signal; a fault of either ends the other.
    let ends = shutdown.clone();
    let serve = async {
        let served = api_role::serve(&config, &services, token, listener, shutdown.clone()).await;
        ends.cancel();
        served
    };
    let work = worker_role::work(&config, &services, engine, Arc::default(), shutdown.clone());
    let (served, ()) = tokio::join!(serve, work);
    served
}

#[expect(clippy::print_stdout, reason = "what the command answers")]
fn greet(config: &Config, address: std::net::SocketAddr, token: &Secret, made_now: bool) {
    println!("Neta {} is up: http://{address}", env!("CARGO_PKG_VERSION"));
    println!("  data     {}", config.data.display());
    println!("  database {}", config.database_url);
    if made_now {
        println!("  token    {}", token.expose());
        println!(
            "           (shown once; kept in {})",
            config.data.join(shared::config::TOKEN_FILE).display()
        );
    } else {
        println!(
            "  token    as set, or as kept in {}",
            config.data.join(shared::config::TOKEN_FILE).display()
        );
    }
    println!("  try      neta chat --data {} \"hello\"", config.data.display());
}
