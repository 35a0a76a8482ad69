//! Real `neta` processes: started, asked whether they are ready, and killed in every way.

use super::wait::{eventually, until};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// What a process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// All in one.
    Up,
    /// The doors.
    Api,
    /// The engine.
    Worker,
}

impl Role {
    /// The subcommand.
    pub fn command(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Api => "api",
            Self::Worker => "worker",
        }
    }
}

/// Variables for a process.
pub type Env = Vec<(String, String)>;

/// One process, alive or dead; killed by its id when dropped.
#[derive(Debug)]
pub struct Neta {
    /// What it does.
    pub role: Role,
    /// Where its HTTP server listens.
    pub port: u16,
    /// Where its output goes.
    pub log: PathBuf,
    env: Env,
    child: Child,
}

impl Neta {
    /// Starts one; its output goes to the end of `log`.
    pub fn start(role: Role, port: u16, env: Env, log: &Path) -> Self {
        let child = spawn(role, port, &env, log);
        Self { role, port, log: log.to_owned(), env, child }
    }

    /// Starts it anew on the same port, with what `changes` say besides. The old one must be dead.
    pub fn restart(&mut self, changes: &[(&str, &str)]) {
        self.kill();
        for (name, value) in changes {
            self.env.retain(|(n, _)| n != name);
            if !value.is_empty() {
                self.env.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        self.child = spawn(self.role, self.port, &self.env, &self.log);
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// kill -9, and waits for its end.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends a signal by name, as `TERM`, `STOP`, `CONT`.
    pub fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }

    /// How it ended, if it did.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child of this process")
    }

    /// Waits for its end.
    pub async fn end(&mut self, within: Duration) -> ExitStatus {
        until(&format!("{} ends", self.role.command()), within, async || self.ended()).await
    }

    /// Waits until it says that it is ready.
    pub async fn ready(&mut self) {
        let url = format!("http://127.0.0.1:{}/readyz", self.port);
        let http = super::client::http();
        eventually(&format!("{} is ready", self.role.command()), Duration::from_secs(30), async || {
            if let Some(status) = self.ended() {
                let log = self.output();
                let tail: Vec<&str> = log.lines().rev().take(20).collect();
                panic!("{} ended with {status}: {tail:#?}", self.role.command());
            }
            http.get(&url).send().await.is_ok_and(|r| r.status().is_success())
        })
        .await;
    }

    /// What it printed so far.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.log).unwrap_or_default()).into_owned()
    }
}

impl Drop for Neta {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a signal to a process that this test started.
pub fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), pid.to_string()]).status();
    assert!(sent.is_ok_and(|s| s.success()), "kill -{name} {pid}");
}

fn spawn(role: Role, port: u16, env: &Env, log: &Path) -> Child {
    let out = File::options().create(true).append(true).open(log).expect("a log file");
    let err = out.try_clone().expect("the same file");
    command(env)
        .arg(role.command())
        .env(
            if role == Role::Worker { "NETA_WORKER_LISTEN" } else { "NETA_LISTEN" },
            format!("127.0.0.1:{port}"),
        )
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .spawn()
        .expect("the binary starts")
}

/// The binary with this environment and nothing of ours but the path.
pub fn command(env: &Env) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_neta"));
    command.env_clear().envs(env.iter().map(|(n, v)| (n, v)));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("RUST_BACKTRACE", "1");
    command
}

/// The ports of this process: a locked file each, so that no other test takes one for free before what is
/// to listen there does, or while it is dead.
static TAKEN: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// A port that is free now and stays this test's, out of the range from which the system gives ports away
/// by itself, so that a process that was killed can have it again.
pub fn free_port() -> u16 {
    let folder = std::env::temp_dir().join("neta-test-ports");
    std::fs::create_dir_all(&folder).expect("a folder");
    for _ in 0..1_000 {
        let port = rand::random_range(15_000..32_000);
        let Ok(lock) = File::create(folder.join(port.to_string())) else { continue };
        if lock.try_lock().is_ok() && std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            TAKEN.lock().expect("lock").push(lock);
            return port;
        }
    }
    panic!("no free port");
}
