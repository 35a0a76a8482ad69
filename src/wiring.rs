//! Makes the parts from the configuration: which database, which queue, bus and limits.

use anyhow::Context;
use shared::app::App;
use shared::app::quotas::DayUses;
use shared::bus::{Bus, MemoryBus, RedisBus};
use shared::clock::SystemClock;
use shared::config::Config;
use shared::limits::{Limits, MemoryLimits, MemoryRates, RateLimits, RedisLimits, RedisRates};
use shared::queue::{MemoryQueue, Queue, RedisQueue};
use shared::store::{Db, Options, StoreError, migrations};
use shared::wire::Wire;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What every role works with.
pub struct Services {
    /// Stores, queue, bus, clock, sealer.
    pub app: Arc<App>,
    /// Model limits over all workers.
    pub limits: Arc<dyn Limits>,
    /// How often somebody may ask, over all API processes.
    pub rates: Arc<dyn RateLimits>,
}

/// Connects, trying for the configured time. With `shared` there must be a Redis.
pub async fn connect(config: &Config, shared: bool) -> anyhow::Result<Services> {
    data_folder(config)?;
    let sealer = config.sealer()?;
    let db = database(config).await?;
    let Meeting { queue, bus, limits, rates } = match &config.redis_url {
        Some(url) => Meeting::on_redis(&redis(config, url.expose()).await?),
        None if shared => anyhow::bail!(
            "NETA_REDIS_URL is not set: an API and workers in processes of their own meet in Redis. \
             `neta up` needs none."
        ),
        None => Meeting::in_memory(),
    };
    let crash_at = config.worker.crash_at.clone();
    let app =
        App { db, queue, bus, clock: Arc::new(SystemClock), sealer, day_uses: DayUses::default(), crash_at };
    Ok(Services { app: Arc::new(app), limits, rates })
}

/// Where processes meet.
struct Meeting {
    queue: Arc<dyn Queue>,
    bus: Arc<dyn Bus>,
    limits: Arc<dyn Limits>,
    rates: Arc<dyn RateLimits>,
}

impl Meeting {
    fn on_redis(wire: &Wire) -> Self {
        Self {
            queue: Arc::new(RedisQueue::new(wire.clone())),
            bus: Arc::new(RedisBus::new(wire.clone())),
            limits: Arc::new(RedisLimits::new(wire.clone())),
            rates: Arc::new(RedisRates::new(wire.clone())),
        }
    }

    fn in_memory() -> Self {
        Self {
            queue: Arc::new(MemoryQueue::new()),
            bus: Arc::new(MemoryBus::new()),
            limits: Arc::new(MemoryLimits::new()),
            rates: Arc::new(MemoryRates::new()),
        }
    }
}

/// Makes the data folder, for this user alone: it holds conversations and keys.
pub fn data_folder(config: &Config) -> anyhow::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&config.data)
        .with_context(|| format!("cannot make the data folder {}", config.data.display()))
}

/// Opens the database, trying again while it does not answer.
pub async fn database(config: &Config) -> anyhow::Result<Db> {
    let mut options = Options { max_connections: config.database_connections, ..Options::default() };
    if config.database_url.expose().starts_with("postgres") {
        // A server that does not answer is told to the caller as 503; one file's writers only queue.
        options.acquire_timeout = ANSWER;
    }
    let until = Instant::now() + config.start_timeout;
    loop {
        match Db::connect(config.database_url.expose(), &options).await {
            Ok(db) => return Ok(db),
            Err(error @ StoreError::Unavailable(_)) if Instant::now() < until => {
                tracing::warn!(url = %config.database_url, %error, "waiting for the database");
                tokio::time::sleep(RETRY).await;
            }
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("cannot open the database {}", config.database_url));
            }
        }
    }
}

async fn redis(config: &Config, url: &str) -> anyhow::Result<Wire> {
    let wire = Wire::open(url, &config.redis_prefix)?;
    let until = Instant::now() + config.start_timeout;
    while let Err(error) = wire.ping().await {
        let url = shared::wire::redacted(url);
        if Instant::now() >= until {
            return Err(error).with_context(|| format!("cannot reach Redis at {url}"));
        }
        tracing::warn!(url, %error, "waiting for Redis");
        tokio::time::sleep(RETRY).await;
    }
    Ok(wire)
}

/// How long a request waits for a connection to a database server.
const ANSWER: Duration = Duration::from_secs(2);

/// Between attempts to reach a service at start.
const RETRY: Duration = Duration::from_secs(1);

/// Refuses to serve on another schema than this version's.
pub async fn check_schema(db: &Db) -> anyhow::Result<()> {
    let (found, wanted) = (migrations::schema_version(db).await?, migrations::latest());
    if found != wanted {
        anyhow::bail!(
            "the database has schema {found}, this version needs {wanted}: run `neta migrate` first"
        );
    }
    Ok(())
}

/// Cancelled when the process is asked to end.
pub fn shutdown_signal() -> anyhow::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let token = CancellationToken::new();
    let asked = token.clone();
    tokio::spawn(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        asked.cancel();
        tracing::info!("asked to end");
        // Who presses Ctrl-C twice does not want to wait. What is cut off is taken up as after a crash.
        if interrupt.recv().await.is_some() {
            std::process::exit(130);
        }
    });
    Ok(token)
}
