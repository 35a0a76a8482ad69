//! `make bench`: Neta's figures beside the bare floors of this machine, all measured in one run.
//! docs/BENCHMARKS.md says what each of them means.

mod suite;

use anyhow::Context;
use std::path::PathBuf;
use suite::{Counts, Places};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let form = variable("NETA_BENCH").unwrap_or_else(|| "long".to_owned());
    let counts =
        Counts::of_form(&form).with_context(|| format!("NETA_BENCH is long or short, and was {form}"))?;
    let places = Places {
        neta: variable("NETA_BIN").map_or_else(built_beside, |path| Ok(PathBuf::from(path)))?,
        redis: variable("NETA_TEST_REDIS_URL").unwrap_or_else(|| "redis://127.0.0.1:6379".to_owned()),
    };
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let asked_to_end = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    let report = suite::run(&places, &counts, &tell, asked_to_end).await?;
    print(&report.text());
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the bench has no configuration file")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// `target/PROFILE/neta`, for `target/PROFILE/examples/bench`.
fn built_beside() -> anyhow::Result<PathBuf> {
    let me = std::env::current_exe()?;
    let folder = me.parent().and_then(|examples| examples.parent()).context("the bench has no folder")?;
    Ok(folder.join("neta"))
}

#[expect(clippy::print_stderr, reason = "what the person who waits sees meanwhile")]
fn tell(stage: &str) {
    eprintln!("bench: {stage}");
}

#[expect(clippy::print_stdout, reason = "what the command answers")]
fn print(text: &str) {
    println!("{text}");
}
