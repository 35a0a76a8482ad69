//! The keys, their built-in values, and the layers that set them.

use super::{ConfigError, Pairs};
use config::{File, FileFormat, Map, Source, Value, ValueKind};
use serde::{Deserialize, Deserializer};

macro_rules! settings {
    ($($key:ident: $kind:ty = $default:expr),+ $(,)?) => {
        /// Every key with its value, not yet checked.
        #[derive(Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub(super) struct Settings {
            $(pub(super) $key: $kind,)+
        }

        impl Default for Settings {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }

        /// The keys, by the names that `neta.toml` uses.
        pub const KEYS: &[&str] = &[$(stringify!($key)),+];
    };
}

settings! {
    listen: String = "127.0.0.1:8420".to_owned(),
    url: Option<String> = None,
    data: Option<String> = None,
    database_url: Option<String> = None,
    database_connections: u32 = 10,
    redis_url: Option<String> = None,
    redis_prefix: String = "neta".to_owned(),
    start_timeout_seconds: f64 = 30.0,
    admin_token: Option<String> = None,
    admin_user: Option<String> = None,
    admin_password: Option<String> = None,
    secret_key: Option<String> = None,
    secret_key_previous: List = List(Vec::new()),
    log: String = "info".to_owned(),
    log_format: String = "human".to_owned(),
    origins: List = List(Vec::new()),
    public_url: Option<String> = None,
    web_dir: Option<String> = None,
    trusted_proxies: List = List(Vec::new()),
    proxy_header: String = "x-forwarded-for".to_owned(),
    rate_key_per_minute: u32 = 600,
    rate_user_per_minute: u32 = 600,
    rate_address_per_minute: u32 = 120,
    rate_burst_seconds: f64 = 10.0,
    max_body_bytes: u32 = 1 << 20,
    max_message_chars: u32 = 200_000,
    worker_slots: u32 = 64,
    worker_listen: Option<String> = None,
    lease_seconds: f64 = 15.0,
    renew_seconds: f64 = 5.0,
    sweep_seconds: f64 = 5.0,
    drain_seconds: f64 = 25.0,
    always_suspend: bool = false,
    crash_at: Option<String> = None,
    run_max_tool_rounds: Option<u32> = None,
    run_max_wall_seconds: f64 = 1_800.0,
    run_idle_seconds: f64 = 300.0,
    run_repeat_warn: u32 = 3,
    run_repeat_stop: u32 = 5,
    run_attempts: u32 = 3,
    run_tool_concurrency: u32 = 8,
    run_budget_tokens: Option<u64> = None,
    run_budget_cost: Option<f64> = None,
    subagent_enabled: Option<bool> = None,
    subagent_max_concurrent: Option<u32> = None,
    subagent_max_tasks: Option<u32> = None,
    subagent_max_children: Option<u32> = None,
    subagent_blocked_tools: List = List(Vec::new()),
    subagent_max_wall_seconds: Option<u32> = None,
    subagent_idle_seconds: Option<u32> = None,
    subagent_limit_concurrent: Option<u32> = None,
    subagent_limit_tool_rounds: Option<u32> = None,
    subagent_limit_wall_seconds: Option<u32> = None,
    clarify_deadline_seconds: f64 = 86_400.0,
    llm_connect_seconds: f64 = 10.0,
    llm_header_seconds: f64 = 60.0,
    llm_idle_seconds: f64 = 60.0,
    llm_silent_seconds: f64 = 120.0,
    llm_max_attempts: u32 = 5,
    model_hosts: List = List(Vec::new()),
}

/// A list in the file, or a text with commas in the environment.
pub(super) struct List(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            List(Vec<String>),
            Text(String),
        }
        Ok(Self(match Form::deserialize(deserializer)? {
            Form::List(items) => items,
            Form::Text(text) => {
                text.split(',').map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
            }
        }))
    }
}

/// The environment variable of a key.
pub fn variable(key: &str) -> String {
    format!("NETA_{}", key.to_uppercase())
}

/// Variables of Neta's that no key has. Those of tests and tools around Neta are not meant.
pub(super) fn unknown_variables(env: &Pairs) -> Vec<String> {
    const OTHERS: [&str; 6] =
        ["NETA_CONFIG", "NETA_TEST_", "NETA_DRILL", "NETA_BENCH", "NETA_ROOT", "NETA_BIN"];
    env.keys()
        .filter(|name| name.starts_with("NETA_") && !OTHERS.iter().any(|other| name.starts_with(other)))
        .filter(|name| !KEYS.iter().any(|key| variable(key) == **name))
        .cloned()
        .collect()
}

impl Settings {
    /// Built-in values, overlaid by file, environment and flags, in this order. Empty variables and
    /// flags count as not set.
    pub(super) fn layered(
        file: Option<(&str, &str)>,
        env: &Pairs,
        flags: &Pairs,
    ) -> Result<Self, ConfigError> {
        let mut builder = config::Config::builder();
        if let Some((name, text)) = file {
            builder = builder.add_source(file_layer(name, text)?);
        }
        let (mut by_env, mut by_flag) = (Map::new(), Map::new());
        if let Some(filter) = set(env, "RUST_LOG") {
            put(&mut by_env, "log", "RUST_LOG", filter);
        }
        for key in KEYS {
            let name = variable(key);
            if let Some(value) = set(env, &name) {
                put(&mut by_env, key, &name, value);
            }
            if let Some(value) = set(flags, key) {
                put(&mut by_flag, key, &format!("--{}", key.replace('_', "-")), value);
            }
        }
        let layers = builder.add_source(Layer(by_env)).add_source(Layer(by_flag)).build();
        layers.and_then(config::Config::try_deserialize).map_err(|e| ConfigError::one(e.to_string()))
    }
}

fn set<'a>(pairs: &'a Pairs, name: &str) -> Option<&'a str> {
    pairs.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
}

fn put(layer: &mut Map<String, Value>, key: &str, origin: &str, value: &str) {
    layer.insert(key.to_owned(), Value::new(Some(&origin.to_owned()), ValueKind::String(value.to_owned())));
}

/// Values that know where they came from, so that an error can say so.
#[derive(Debug, Clone)]
struct Layer(Map<String, Value>);

impl Source for Layer {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, config::ConfigError> {
        Ok(self.0.clone())
    }
}

fn file_layer(name: &str, text: &str) -> Result<Layer, ConfigError> {
    let values = File::from_str(text, FileFormat::Toml).collect().map_err(|error| {
        // The parser quotes the line, which may hold a secret: only where and what are kept.
        let error = error.to_string();
        let (place, what) = (error.lines().next().unwrap_or(""), error.lines().last().unwrap_or(""));
        ConfigError::one(if place == what {
            format!("{name}: {what}")
        } else {
            format!("{name}: {place}: {what}")
        })
    })?;
    let unknown = values.keys().filter(|key| !KEYS.contains(&key.as_str()));
    let mut unknown: Vec<String> = unknown.map(|key| format!("{name}: unknown key `{key}`")).collect();
    if !unknown.is_empty() {
        unknown.sort();
        return Err(ConfigError(unknown));
    }
    let origin = name.to_owned();
    Ok(Layer(values.into_iter().map(|(k, v)| (k, Value::new(Some(&origin), v.kind))).collect()))
}
