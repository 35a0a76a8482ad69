//! Configuration: built-in values, then `neta.toml`, then the environment, then flags. Each key has
//! one name: `worker_slots` in the file is `NETA_WORKER_SLOTS` in the environment. This is the only
//! module that reads the environment.

mod check;
mod service_url;
mod settings;

pub use check::ConfigError;
pub use service_url::ServiceUrl;
pub use settings::{KEYS, variable};

use crate::domain::addresses::ModelHosts;
use crate::domain::clients::{ProxyHeader, TrustedProxies};
use crate::domain::delegation::{Budget, GlobalDelegation};
use crate::secrets::{self, Sealer, Secret, SecretError, SecretKey};
use settings::Settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Values by key (flags) or by variable (environment).
pub type Pairs = BTreeMap<String, String>;

/// The file in the data folder that is read when no other is named.
pub const FILE: &str = "neta.toml";
/// The file in the data folder that holds the administrator's token.
pub const TOKEN_FILE: &str = "admin.token";

/// Everything that can be set, checked. Printing it shows no secret.
#[derive(Debug, Clone)]
pub struct Config {
    /// `HOST:PORT` that the API listens on; port 0: any free one.
    pub listen: String,
    /// Where `neta chat` finds the API.
    pub url: String,
    /// The data folder.
    pub data: PathBuf,
    /// `sqlite://` or `postgres://`.
    pub database_url: ServiceUrl,
    /// Connections of this process to the database.
    pub database_connections: u32,
    /// None: queue, bus and limits live in this process's memory.
    pub redis_url: Option<ServiceUrl>,
    /// Stands before every key and channel in Redis.
    pub redis_prefix: String,
    /// How long the first connections are tried before the start fails.
    pub start_timeout: Duration,
    /// The administrator's bearer token; None: that of the data folder.
    pub admin_token: Option<Secret>,
    /// Who is the first administrator where there are no users yet.
    pub first_admin: Option<FirstAdmin>,
    /// What seals keys at rest; None: that of the data folder.
    pub secret_key: Option<SecretKey>,
    /// What sealed keys before; opens them still.
    pub previous_keys: Vec<SecretKey>,
    /// What is logged, and how.
    pub log: LogConfig,
    /// What the API accepts.
    pub api: ApiConfig,
    /// How a worker works.
    pub worker: WorkerConfig,
    /// What a run may use where its agent does not say.
    pub runs: RunDefaults,
    /// How agents delegate and ask, where they do not say.
    pub delegation: DelegationConfig,
    /// How a model is called.
    pub llm: LlmConfig,
    /// Variables that begin with `NETA_` and mean nothing, to be warned of.
    pub unknown_variables: Vec<String>,
}

/// The first administrator, made at the start of an installation without users.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAdmin {
    /// What they log in with, clean.
    pub name: String,
    /// And this.
    pub password: Secret,
}

/// What is logged, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogConfig {
    /// A filter as `info,sqlx=warn`.
    pub filter: String,
    /// Lines for people or for machines.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text.
    Human,
    /// One JSON object a line.
    Json,
}

/// What the API accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiConfig {
    /// Origins that browsers may connect from, as `https://chat.example`, besides the server's own on
    /// loopback; that of `public_url` is among them.
    pub origins: Vec<String>,
    /// The address that people use; None: the one that is listened on.
    pub public_url: Option<String>,
    /// The folder that the web interface is served from in place of the one in the binary.
    pub web_dir: Option<PathBuf>,
    /// Proxies that are believed when they say whom they ask for.
    pub trusted_proxies: TrustedProxies,
    /// Where they say it.
    pub proxy_header: ProxyHeader,
    /// How often somebody may ask.
    pub rates: RateConfig,
    /// Largest body of a request, and largest frame of a client.
    pub max_body_bytes: usize,
    /// Longest message of a user, in characters.
    pub max_message_chars: usize,
}

impl ApiConfig {
    /// Whether people reach the server over TLS.
    pub fn is_https(&self) -> bool {
        self.public_url.as_deref().is_some_and(|url| url.starts_with("https:"))
    }
}

/// How often somebody may ask; 0 requests a minute: as often as they like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateConfig {
    /// Of each API key, where it has no rate of its own.
    pub key_per_minute: u32,
    /// Of each user, with all logins and keys.
    pub user_per_minute: u32,
    /// Of each address, for logins and for requests without valid credentials.
    pub address_per_minute: u32,
    /// As much as comes back within this time may be taken at once.
    pub burst: Duration,
}

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerConfig {
    /// Runs at the same time.
    pub slots: usize,
    /// Where `neta worker` tells of its health; None: nowhere.
    pub listen: Option<String>,
    /// How long a claim lasts without renewal.
    pub lease: Duration,
    /// How often it is renewed.
    pub renew: Duration,
    /// How often due runs that nobody claimed are rung again.
    pub sweep: Duration,
    /// What runs may take to end at shutdown before they are handed back.
    pub drain: Duration,
    /// The lease is given back after each step, so that every step may run in another process.
    pub always_suspend: bool,
    /// Where to die; only obeyed by builds with debug assertions.
    pub crash_at: Option<CrashAt>,
}

/// Where a test lets the process die.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashAt {
    /// The crash point's name, as `S7`.
    pub point: String,
    /// At which arrival there, from 1.
    pub nth: u32,
}

/// What a run may use where its agent does not say.
#[derive(Debug, Clone, PartialEq)]
pub struct RunDefaults {
    /// Rounds of tool calls.
    pub max_tool_rounds: u32,
    /// Wall time from its start.
    pub max_wall: Duration,
    /// Time without progress.
    pub idle: Duration,
    /// Identical calls after which the model is warned.
    pub repeat_warn: u32,
    /// Identical calls after which the run ends.
    pub repeat_stop: u32,
    /// Times that a worker may die at the same step.
    pub attempts: u32,
    /// Tool calls of one response at the same time.
    pub tool_concurrency: usize,
    /// Of a turn with all its subagents.
    pub budget: Budget,
}

/// How agents delegate and ask, where they do not say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DelegationConfig {
    /// What is set about delegation, and the administrator's maxima.
    pub global: GlobalDelegation,
    /// How long a question to the user stays open.
    pub clarify_deadline: Duration,
}

/// How a model is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmConfig {
    /// To a connection.
    pub connect: Duration,
    /// To the response's headers.
    pub header: Duration,
    /// Between two bytes of a stream.
    pub idle: Duration,
    /// Between two pieces of content: a stream of comments alone ends by this.
    pub silent: Duration,
    /// Requests for one response, the first included.
    pub max_attempts: u32,
    /// Hosts that any model may be at, also in private networks.
    pub model_hosts: ModelHosts,
}

impl Config {
    /// Reads file and environment of this process. `flags` are by key; `file` is the one that a
    /// flag names.
    pub fn load(flags: &Pairs, file: Option<&Path>) -> Result<Self, ConfigError> {
        let env = environment();
        let named = file.map(Path::to_owned).or_else(|| env.get("NETA_CONFIG").map(PathBuf::from));
        let path = named.clone().unwrap_or_else(|| data_folder(&env, flags).join(FILE));
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && named.is_none() => None,
            Err(e) => return Err(ConfigError::one(format!("{}: {e}", path.display()))),
        };
        let name = path.display().to_string();
        Self::resolve(text.as_deref().map(|text| (name.as_str(), text)), &env, flags)
    }

    /// The same from values alone: the file's name and text, the environment, the flags.
    pub fn resolve(file: Option<(&str, &str)>, env: &Pairs, flags: &Pairs) -> Result<Self, ConfigError> {
        let settings = Settings::layered(file, env, flags)?;
        let mut config = check::checked(&settings, data_folder(env, flags))?;
        config.unknown_variables = settings::unknown_variables(env);
        Ok(config)
    }

    /// The administrator's token: the configured one, or that of the data folder, which is made if
    /// it is missing. True: it was made now, and a person should be shown it.
    pub fn ensure_admin_token(&self) -> Result<(Secret, bool), SecretError> {
        match &self.admin_token {
            Some(token) => Ok((token.clone(), false)),
            None => secrets::read_or_create(&self.data.join(TOKEN_FILE), || {
                Ok(secrets::random_token()?.expose().to_owned())
            }),
        }
    }

    /// Seals keys at rest, with the configured key or that of the data folder, which is made if it
    /// is missing. Every process of a cluster needs the same.
    pub fn sealer(&self) -> Result<Sealer, SecretError> {
        match &self.secret_key {
            Some(key) => Ok(Sealer::with_previous(key, &self.previous_keys)),
            None => {
                let (key, _) = SecretKey::of_folder(&self.data)?;
                Ok(Sealer::with_previous(&key, &self.previous_keys))
            }
        }
    }
}

/// The data folder by flags and environment alone, for the file is looked for in it.
fn data_folder(env: &Pairs, flags: &Pairs) -> PathBuf {
    let set = |pairs: &Pairs, key: &str| pairs.get(key).filter(|v| !v.is_empty()).map(PathBuf::from);
    set(flags, "data")
        .or_else(|| set(env, "NETA_DATA"))
        .or_else(|| set(env, "XDG_DATA_HOME").map(|home| home.join("neta")))
        .or_else(|| set(env, "HOME").map(|home| home.join(".local/share/neta")))
        .unwrap_or_else(|| PathBuf::from("data"))
}

/// Variables that are not Unicode are left out.
fn environment() -> Pairs {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

#[cfg(test)]
mod tests;
