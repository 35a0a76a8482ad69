//! `neta up`: API and workers in one process, with nothing else installed.

use crate::{api_role, seed, wiring, worker_role};
use anyhow::{Context, bail};
use api::FirstStart;
use shared::config::{Config, TOKEN_FILE};
use shared::secrets::Secret;
use shared::store::migrations;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;

/// Migrates, serves and works until asked to end.
pub async fn run(config: Config) -> anyhow::Result<()> {
    let _alone = alone(&config)?;
    let services = wiring::connect(&config, false).await?;
    migrations::migrate(&services.app.db).await?;
    seed::seed(&services.app).await?;
    let (token, made_now) = config.ensure_admin_token()?;
    let shutdown = wiring::shutdown_signal()?;
    let listener = api_role::listen(&config).await?;
    let first = api::first_start(&services.app, config.first_admin.as_ref()).await?;
    greet(&config, listener.local_addr()?, &token, made_now, &first);
    let engine = worker_role::engine(&config, &services)?;
    // Both end by the same signal; a fault of either ends the other.
    let ends = shutdown.clone();
    let serve = async {
        let served = api_role::serve(&config, &services, token, listener, shutdown.clone()).await;
        ends.cancel();
        served
    };
    let work = worker_role::work(&services, engine, Arc::default(), shutdown.clone());
    let (served, ()) = tokio::join!(serve, work);
    served
}

/// Where `neta chat` looks by itself.
const DEFAULT_LISTEN: &str = "127.0.0.1:8420";

/// The file whose lock says that a process works on the data folder.
const LOCK_FILE: &str = "neta.lock";

/// Refuses a second process on the folder: with queue and events in memory neither would hear of the
/// other's turns. The lock ends with the process, however that ends.
fn alone(config: &Config) -> anyhow::Result<Option<File>> {
    if config.redis_url.is_some() {
        return Ok(None);
    }
    wiring::data_folder(config)?;
    let path = config.data.join(LOCK_FILE);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => bail!(
            "another `neta up` works on the data folder {}: stop it first, or choose another folder with --data",
            config.data.display()
        ),
        Err(TryLockError::Error(error)) => {
            tracing::warn!(path = %path.display(), %error, "the data folder can't be locked: see that one process uses it");
            Ok(None)
        }
    }
}

/// Says where everything is. That nobody reads it is no fault.
fn greet(config: &Config, address: SocketAddr, token: &Secret, made_now: bool, first: &FirstStart) {
    let _ = std::io::stdout().write_all(greeting(config, address, token, made_now, first).as_bytes());
}

fn greeting(
    config: &Config,
    address: SocketAddr,
    token: &Secret,
    made_now: bool,
    first: &FirstStart,
) -> String {
    let data = config.data.display();
    let kept = config.data.join(TOKEN_FILE);
    let token = if made_now {
        format!("{}\n           (shown once; kept in {})", token.expose(), kept.display())
    } else {
        format!("as set, or as kept in {}", kept.display())
    };
    let setup = match first {
        FirstStart::Setup(token) => {
            format!(
                "  setup    http://{address}/setup#{}\n           (open this first; each start makes another, until there is a user)\n",
                token.expose()
            )
        }
        FirstStart::Made => "  setup    the configured administrator was made\n".to_owned(),
        FirstStart::Ready => String::new(),
    };
    let known = address.to_string() == DEFAULT_LISTEN;
    let url = if known { String::new() } else { format!("--url http://{address} ") };
    format!(
        "Neta {} is up: http://{address}\n  data     {data}\n  database {}\n  token    {token}\n{setup}  try      neta chat --data {data} {url}\"hello\"\n",
        env!("CARGO_PKG_VERSION"),
        config.database_url,
    )
}
