//! A whole Neta: standalone on SQLite, or several processes on Postgres and Redis, with the scripted
//! provider as its model.

use super::client::{Api, TOKEN};
use super::invariants::{self, Allowed};
use super::process::{Env, Neta, Role, command, free_port};
use super::provider::Provider;
use super::proxy::Proxy;
use super::services::{Database, Redis};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Stdio;

/// The key of the scripted model: must show up nowhere but at the provider.
pub const CANARY: &str = "sk-canary-7f3d9b1e5a";

/// Which processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `neta up` on SQLite.
    Standalone,
    /// `neta api` and `neta worker` on Postgres and Redis.
    Cluster {
        /// How many doors.
        apis: usize,
        /// How many engines.
        workers: usize,
    },
}

impl Kind {
    /// Two of each.
    pub const PAIR: Self = Self::Cluster { apis: 2, workers: 2 };
}

/// What a cluster is to be.
#[derive(Debug)]
pub struct Builder {
    kind: Kind,
    env: Env,
    redis_proxy: bool,
    worker_database_proxies: bool,
    private_redis: bool,
    model: Value,
}

/// A running Neta.
#[derive(Debug)]
pub struct Cluster {
    /// Which processes.
    pub kind: Kind,
    /// The doors; the one process of a standalone.
    pub apis: Vec<Neta>,
    /// The engines; none of a standalone.
    pub workers: Vec<Neta>,
    /// The model's other end.
    pub provider: Provider,
    /// The rows.
    pub database: Database,
    /// None in a standalone.
    pub redis: Option<Redis>,
    /// In front of Redis, for every process, where asked for.
    pub redis_proxy: Option<Proxy>,
    /// In front of the database, one for each worker, where asked for.
    pub database_proxies: Vec<Proxy>,
    /// The scripted model.
    pub model: i64,
    /// The agent on it.
    pub agent: i64,
    /// Data, logs.
    pub folder: PathBuf,
    env: Env,
}

impl Builder {
    /// Of this kind, in the test profile.
    pub fn new(kind: Kind) -> Self {
        let profile = [
            ("NETA_ADMIN_TOKEN", TOKEN),
            ("NETA_SECRET_KEY", "aXQtc2VjcmV0LWtleS0zMi1ieXRlcy1sb25nLW9uZSE="),
            ("NETA_LEASE_SECONDS", "3"),
            ("NETA_RENEW_SECONDS", "1"),
            ("NETA_SWEEP_SECONDS", "1"),
            // Longer than any hold of a script, also on a slow machine.
            ("NETA_LLM_IDLE_SECONDS", "30"),
            // Several clusters at once share a server that allows a hundred connections by default.
            ("NETA_DATABASE_CONNECTIONS", "4"),
            ("NETA_DRAIN_SECONDS", "5"),
            // All tests come from one address, and ask without credentials as often as they like.
            ("NETA_RATE_ADDRESS_PER_MINUTE", "0"),
            ("NETA_LOG", "info,neta=debug,api=debug,worker=debug,shared=debug"),
        ];
        Self {
            kind,
            env: profile.map(|(n, v)| (n.to_owned(), v.to_owned())).to_vec(),
            redis_proxy: false,
            worker_database_proxies: false,
            private_redis: false,
            model: json!({}),
        }
    }

    /// A variable for every process.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.retain(|(n, _)| n != name);
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// All processes reach Redis through a proxy.
    pub fn redis_proxy(mut self) -> Self {
        self.redis_proxy = true;
        self
    }

    /// Each worker reaches the database through a proxy of its own.
    pub fn worker_database_proxies(mut self) -> Self {
        self.worker_database_proxies = true;
        self
    }

    /// A Redis that the test may kill.
    pub fn private_redis(mut self) -> Self {
        self.private_redis = true;
        self
    }

    /// Fields of the model besides its address, as limits and prices.
    pub fn model(mut self, fields: Value) -> Self {
        self.model = fields;
        self
    }

    /// Starts everything and waits until it is ready.
    pub async fn start(self) -> Cluster {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(uuid::Uuid::now_v7().to_string());
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut env = self.env;
        env.push(("NETA_DATA".into(), folder.join("data").display().to_string()));
        let (database, redis, redis_proxy) = match self.kind {
            Kind::Standalone => (Database::sqlite(&folder.join("data/neta.db")), None, None),
            Kind::Cluster { .. } => {
                let redis = if self.private_redis {
                    Redis::private(&folder.join("redis")).await
                } else {
                    Redis::shared()
                };
                let proxy = if self.redis_proxy { Some(Proxy::start(&redis.address).await) } else { None };
                let address =
                    proxy.as_ref().map_or_else(|| redis.address.clone(), |p| format!("127.0.0.1:{}", p.port));
                env.push(("NETA_REDIS_URL".into(), format!("redis://{address}")));
                env.push(("NETA_REDIS_PREFIX".into(), redis.prefix.clone()));
                (Database::postgres().await, Some(redis), proxy)
            }
        };
        env.push(("NETA_DATABASE_URL".into(), database.url.clone()));
        let mut cluster = Cluster {
            kind: self.kind,
            apis: Vec::new(),
            workers: Vec::new(),
            provider: Provider::start().await,
            database,
            redis,
            redis_proxy,
            database_proxies: Vec::new(),
            model: 0,
            agent: 0,
            folder,
            env,
        };
        cluster.begin(self.worker_database_proxies).await;
        cluster.database.open().await;
        cluster.furnish(&self.model).await;
        cluster
    }
}

impl Cluster {
    /// One of this kind, with nothing special.
    pub async fn start(kind: Kind) -> Self {
        Builder::new(kind).start().await
    }

    async fn begin(&mut self, worker_database_proxies: bool) {
        match self.kind {
            Kind::Standalone => self.add_api(),
            Kind::Cluster { apis, workers } => {
                self.migrate();
                for _ in 0..apis {
                    self.add_api();
                }
                for _ in 0..workers {
                    let mut changes = Vec::new();
                    if worker_database_proxies {
                        let proxy = Proxy::start(&self.database.address()).await;
                        changes.push(("NETA_DATABASE_URL", self.database.url_via(proxy.port)));
                        self.database_proxies.push(proxy);
                    }
                    self.add_worker(&changes);
                }
            }
        }
        self.ready().await;
    }

    /// Waits until every process is ready.
    pub async fn ready(&mut self) {
        for process in self.apis.iter_mut().chain(&mut self.workers) {
            process.ready().await;
        }
    }

    fn migrate(&self) {
        let done =
            command(&self.env).arg("migrate").stdin(Stdio::null()).output().expect("the binary starts");
        assert!(done.status.success(), "migrate: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn process(&self, role: Role, changes: &[(&str, String)]) -> Neta {
        let mut env = self.env.clone();
        for (name, value) in changes {
            env.retain(|(n, _)| n != name);
            env.push(((*name).to_owned(), value.clone()));
        }
        let number = if role == Role::Worker { self.workers.len() } else { self.apis.len() };
        let log = self.folder.join(format!("{}-{number}.log", role.command()));
        Neta::start(role, free_port(), env, &log)
    }

    fn add_api(&mut self) {
        let role = if self.kind == Kind::Standalone { Role::Up } else { Role::Api };
        let process = self.process(role, &[]);
        self.apis.push(process);
    }

    /// One more worker, with what `changes` say besides.
    pub fn add_worker(&mut self, changes: &[(&str, String)]) {
        let process = self.process(Role::Worker, changes);
        self.workers.push(process);
    }

    /// A client of the door with this number; of a standalone it is always the same.
    pub fn api(&self, number: usize) -> Api {
        Api::new(self.apis[number % self.apis.len()].port, self.agent)
    }

    async fn furnish(&mut self, more: &Value) {
        self.model = self.add_model("scripted", more).await;
        self.agent = self.add_agent("it", self.model, &json!({})).await;
    }

    /// One more model on the scripted provider.
    pub async fn add_model(&self, name: &str, more: &Value) -> i64 {
        let mut body = json!({
            "name": name, "provider": "openai", "modelName": "scripted",
            "baseUrl": self.provider.base_url(), "apiKey": CANARY,
        });
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let made = self.api(0).post("/api/models", &body).await.expect(201);
        made["id"].as_i64().expect("an id")
    }

    /// One more agent.
    pub async fn add_agent(&self, name: &str, model: i64, more: &Value) -> i64 {
        let mut body = json!({ "name": name, "systemPrompt": "You are a test.", "modelId": model });
        for (field, value) in more.as_object().into_iter().flatten() {
            body[field] = value.clone();
        }
        let made = self.api(0).post("/api/agents", &body).await.expect(201);
        made["id"].as_i64().expect("an id")
    }

    /// What processes are started with.
    pub fn settings(&self) -> Env {
        self.env.clone()
    }

    /// What all processes printed.
    pub fn logs(&self) -> String {
        self.apis.iter().chain(&self.workers).map(Neta::output).collect()
    }

    /// Waits until all is quiet, checks everything that must hold, and ends.
    pub async fn end(self, allowed: Allowed) {
        invariants::check(&self, allowed).await;
    }
}

impl Drop for Cluster {
    #[expect(clippy::print_stderr, reason = "a failed test says where its logs are")]
    fn drop(&mut self) {
        for process in self.apis.iter_mut().chain(&mut self.workers) {
            process.kill();
        }
        if std::thread::panicking() {
            eprintln!("logs and data are kept in {}", self.folder.display());
        } else {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}
