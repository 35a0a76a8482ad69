//! `neta migrate`: brings the database to this version's schema.

use crate::{seed, wiring};
use shared::app::App;
use shared::config::Config;
use shared::store::migrations;

/// Migrates, and seeds an empty database. Needs no Redis.
#[expect(clippy::print_stdout, reason = "what the command answers")]
pub async fn run(config: Config) -> anyhow::Result<()> {
    wiring::data_folder(&config)?;
    let db = wiring::database(&config).await?;
    let before = migrations::schema_version(&db).await?;
    migrations::migrate(&db).await?;
    seed::seed(&App::alone(db, config.sealer()?)).await?;
    println!("Schema {} -> {} of {}", before, migrations::latest(), config.database_url);
    Ok(())
}
