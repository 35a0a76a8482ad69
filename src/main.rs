//! `neta`: one binary, whose roles are subcommands.

mod api_role;
mod chat;
mod migrate;
mod observe;
mod probe;
mod reseal;
mod seed;
mod toolboxes;
mod up;
mod wiring;
mod worker_role;

use clap::{Args, Parser, Subcommand};
use shared::config::{Config, Pairs};
use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A self-hosted multi-agent chat server.
#[derive(Parser)]
#[command(name = "neta", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Settings that are often given by hand. Every setting can stand in `neta.toml` or the environment.
#[derive(Args)]
struct SettingFlags {
    /// Address to listen on [default: 127.0.0.1:8420]
    #[arg(long, global = true, value_name = "HOST:PORT")]
    listen: Option<String>,
    /// Folder for the database, keys and settings of this machine
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<String>,
    /// sqlite:// or postgres:// address
    #[arg(long, global = true, value_name = "URL")]
    database_url: Option<String>,
    /// redis:// address; without one, queue and events stay in this process
    #[arg(long, global = true, value_name = "URL")]
    redis_url: Option<String>,
    /// Runs that a worker works on at the same time
    #[arg(long, global = true, value_name = "N")]
    worker_slots: Option<String>,
    /// Settings file [default: neta.toml in the data folder]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl SettingFlags {
    fn load(&self) -> anyhow::Result<Config> {
        let flags = [
            ("listen", &self.listen),
            ("data", &self.data),
            ("database_url", &self.database_url),
            ("redis_url", &self.redis_url),
            ("worker_slots", &self.worker_slots),
        ];
        let given: Pairs =
            flags.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value.clone()?))).collect();
        Ok(Config::load(&given, self.config.as_deref())?)
    }
}

#[derive(Subcommand)]
enum Command {
    /// Run everything in this process
    Up,
    /// Serve HTTP and WebSocket; needs Redis and a database that workers share
    Api,
    /// Execute runs; needs Redis and a database that APIs share
    Worker,
    /// Bring the database to this version's schema
    Migrate,
    /// Seal the providers' keys with the current secret key, after it was changed
    Reseal,
    /// Talk to an agent of a running server
    Chat(chat::ChatArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match start(cli) {
        Ok(code) => code,
        Err(error) => {
            complain(&error);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "the CLI's word to the person who started it")]
fn complain(error: &anyhow::Error) {
    eprintln!("neta: {error:#}");
}

fn start(cli: Cli) -> anyhow::Result<ExitCode> {
    let config = cli.settings.load()?;
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        anyhow::bail!("the TLS provider was installed twice");
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let command = match cli.command {
        Command::Chat(args) => return runtime.block_on(chat::run(args, &config)),
        other => other,
    };
    shared::telemetry::start_logging(&config.log);
    for name in &config.unknown_variables {
        tracing::warn!(name, "an environment variable that no setting has");
    }
    runtime.block_on(async {
        match command {
            Command::Up => up::run(config).await,
            Command::Api => api_role::run(config).await,
            Command::Worker => worker_role::run(config).await,
            Command::Migrate => migrate::run(config).await,
            Command::Reseal => reseal::run(config).await,
            Command::Chat(_) => Ok(()),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}
