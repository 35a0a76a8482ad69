//! Real `neta` processes, each killed by its id at the latest when dropped.

use anyhow::Context;
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::time::Instant;

/// The administrator's token of every process.
pub const TOKEN: &str = "bench-admin-token-0123456789abcdef0123456789";
/// 32 bytes that guard nothing.
const SECRET_KEY: &str = "YmVuY2gtc2VjcmV0LWtleS0zMi1ieXRlcy1sb25nISE=";
/// How long a process may take to be ready: tests share the machine with builds.
const START: Duration = Duration::from_mins(2);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// What a process does.
#[derive(Debug, Clone, Copy)]
pub enum Role {
    Up,
    Api,
    Worker,
}

/// A process.
#[derive(Debug)]
pub struct Neta {
    child: Child,
    pid: u32,
    base: String,
    log: PathBuf,
}

/// A folder for data and logs, removed when dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    pub fn make() -> anyhow::Result<Self> {
        let path = std::env::temp_dir().join(format!("neta-bench-{}", uuid::Uuid::now_v7()));
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Best effort: it is a temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Neta {
    /// Starts one with the built-in settings and what `env` says besides; `name` names its log.
    pub fn start(
        binary: &Path,
        role: Role,
        env: &[(&str, &str)],
        folder: &Folder,
        name: &str,
    ) -> anyhow::Result<Self> {
        // Bound for a moment only: the process takes it over.
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let log = folder.path().join(format!("{name}.log"));
        let out = File::create(&log)?;
        let mut command = Command::new(binary);
        command
            .arg(match role {
                Role::Up => "up",
                Role::Api => "api",
                Role::Worker => "worker",
            })
            .env_clear()
            .env("NETA_LISTEN", format!("127.0.0.1:{port}"))
            .env("NETA_DATA", folder.path().join("data"))
            .env("NETA_ADMIN_TOKEN", TOKEN)
            .env("NETA_SECRET_KEY", SECRET_KEY)
            .envs(env.iter().copied())
            .stdin(Stdio::null())
            .stderr(out.try_clone()?)
            .stdout(out)
            .kill_on_drop(true);
        if matches!(role, Role::Worker) {
            command.env("NETA_WORKER_LISTEN", format!("127.0.0.1:{port}"));
        }
        let child = command.spawn().with_context(|| format!("cannot start {}", binary.display()))?;
        let pid = child.id().context("a process without an id")?;
        Ok(Self { child, pid, base: format!("http://127.0.0.1:{port}"), log })
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// `http://HOST:PORT`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Waits until it and what it needs are ready, a worker included.
    pub async fn ready(&mut self) -> anyhow::Result<()> {
        self.answers("/readyz").await
    }

    /// Waits until it serves.
    pub async fn serves(&mut self) -> anyhow::Result<()> {
        self.answers("/healthz").await
    }

    async fn answers(&mut self, path: &str) -> anyhow::Result<()> {
        let (http, until) = (super::client::http()?, Instant::now() + START);
        loop {
            let answer = http.get(format!("{}{path}", self.base)).send().await;
            if answer.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            let ended = self.child.try_wait()?;
            if ended.is_some() || Instant::now() > until {
                let log = std::fs::read_to_string(&self.log).unwrap_or_default();
                anyhow::bail!("a process is not ready, ended: {ended:?}\n{log}");
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Kills it and waits for its end.
    pub async fn stop(&mut self) -> anyhow::Result<()> {
        Ok(self.child.kill().await?)
    }
}
