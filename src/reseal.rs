//! `neta reseal`: seals the providers' keys with the current secret key.

use crate::wiring;
use anyhow::bail;
use shared::app::{App, keys};
use shared::config::Config;

/// Keys that are read at once.
const BATCH: u32 = 100;

/// Seals all of them anew, and says what became of them. Needs no Redis.
#[expect(clippy::print_stdout, reason = "what the command answers")]
pub async fn run(config: Config) -> anyhow::Result<()> {
    wiring::data_folder(&config)?;
    let db = wiring::database(&config).await?;
    wiring::check_schema(&db).await?;
    let done = keys::reseal(&App::alone(db, config.sealer()?), BATCH).await?;
    println!("Keys sealed anew: {}; with the current key already: {}", done.anew, done.current);
    if !done.unreadable.is_empty() {
        let models: Vec<String> = done.unreadable.iter().map(ToString::to_string).collect();
        bail!(
            "no key opens those of {} models: {}. Name the key that sealed them in secret_key_previous \
             (NETA_SECRET_KEY_PREVIOUS), or give them anew",
            models.len(),
            models.join(", ")
        );
    }
    Ok(())
}
