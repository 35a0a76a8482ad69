//! `neta migrate`: brings the database to this version's schema.

use crate::{seed, wiring};
use shared::app::App;
use shared::bus::MemoryBus;
use shared::clock::SystemClock;
use shared::config::Config;
use shared::queue::MemoryQueue;
use shared::store::migrations;
use std::sync::Arc;

/// Migrates, and seeds an empty database. Needs no Redis.
#[expect(clippy::print_stdout, reason = "what the command answers")]
pub async fn run(config: Config) -> anyhow::Result<()> {
    wiring::data_folder(&config)?;
    let db = wiring::database(&config).await?;
    let before = migrations::schema_version(&db).await?;
    migrations::migrate(&db).await?;
    let app = App {
        db,
        queue: Arc::new(MemoryQueue::new()),
        bus: Arc::new(MemoryBus::new()),
        clock: Arc::new(SystemClock),
        sealer: config.sealer()?,
        crash_at: None,
    };
    seed::seed(&app).await?;
    println!("Schema {} -> {} of {}", before, migrations::latest(), config.database_url);
    Ok(())
}
