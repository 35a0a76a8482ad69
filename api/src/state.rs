//! What handlers work with.

use crate::auth::password::Passwords;
use crate::live::Live;
use crate::rate::Rates;
use crate::web::WebFiles;
use async_trait::async_trait;
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Serialize;
use shared::app::App;
use shared::config::RateConfig;
use shared::domain::addresses::ModelHosts;
use shared::domain::clients::{ProxyHeader, TrustedProxies};
use shared::domain::delegation::{Delegation, GlobalDelegation};
use shared::domain::models::Model;
use shared::domain::tools::{Effect, Flags, Narrowing, Refusal, Scene};
use shared::limits::RateLimits;
use shared::secrets::Secret;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

/// Everything that the API is built from.
#[derive(Debug)]
pub struct Parts {
    /// The use cases, and what they work with.
    pub app: Arc<App>,
    /// What is set.
    pub config: ApiConfig,
    /// Counts requests.
    pub rates: Arc<dyn RateLimits>,
    /// Tries a model.
    pub probe: Arc<dyn ModelProbe>,
    /// The tools that agents may be given.
    pub tools: Vec<ToolInfo>,
    /// Shows what a run would be given.
    pub toolboxes: Arc<dyn Toolboxes>,
    /// What `/metrics` shows; None: nothing is recorded.
    pub metrics: Option<PrometheusHandle>,
    /// Cancelled when the process is to end.
    pub shutdown: CancellationToken,
}

/// What is set about the API.
#[derive(Debug, Clone)]
pub struct ApiConfig {
    /// The bearer token with all rights of the first tenant.
    pub admin_token: Secret,
    /// Whether only this machine can connect: then requests must name it, which keeps out pages of
    /// other sites whose name was made to point here.
    pub loopback: bool,
    /// Origins that browsers may open sockets from, as `https://chat.example`, besides the server's
    /// own on loopback. Their hosts are names of this server, too.
    pub origins: Vec<String>,
    /// Where the web interface is.
    pub web: WebFiles,
    /// Whether people reach the server over TLS: then cookies are `Secure`, and browsers are told.
    pub is_https: bool,
    /// Proxies that are believed when they say whom they ask for.
    pub trusted_proxies: TrustedProxies,
    /// Where they say it.
    pub proxy_header: ProxyHeader,
    /// How often somebody may ask.
    pub rates: RateConfig,
    /// Hosts that any model may be at, also in private networks.
    pub model_hosts: ModelHosts,
    /// Bytes of a body that are accepted.
    pub max_body_bytes: usize,
    /// How agents delegate, where they do not say.
    pub delegation: GlobalDelegation,
    /// Characters of a message that are accepted.
    pub max_message_chars: usize,
    /// A sweep that is older makes `/readyz` red.
    pub sweep_overdue: std::time::Duration,
}

/// Tries a stored model, so that a person learns what is wrong with it.
#[async_trait]
pub trait ModelProbe: Send + Sync + std::fmt::Debug {
    /// Sends one short request. Never repeats the key in what it says.
    async fn probe(&self, model: &Model, key: Option<Secret>) -> ProbeResult;
}

/// What became of the try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProbeResult {
    /// Whether the model answered.
    pub ok: bool,
    /// What it answered, or what is wrong and what to do.
    pub message: String,
    /// The failure's stable name, as `model_auth`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Milliseconds from request to end.
    pub latency_ms: u64,
}

/// A tool as people choose it for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ToolInfo {
    /// The name that agents list.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it can do besides its own work.
    pub flags: Flags,
    /// What repeating an interrupted call does.
    pub effect: Effect,
    /// Where it may be had at all.
    pub scenes: Vec<Scene>,
}

impl ToolInfo {
    /// A tool with the scenes that admit it.
    pub fn new(name: &str, description: &str, flags: Flags, effect: Effect) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            flags,
            effect,
            scenes: Scene::ALL.into_iter().filter(|scene| scene.admits(flags)).collect(),
        }
    }
}

/// Shows what tools a run would be given.
pub trait Toolboxes: Send + Sync + std::fmt::Debug {
    /// The tools of a run in this scene, narrowed so, that may delegate this.
    fn show(&self, scene: Scene, by: Narrowing<'_>, delegation: Option<&Delegation>) -> ShownTools;
}

/// What tools a run would be given, and which not.
#[derive(Debug, Clone, Default)]
pub struct ShownTools {
    /// As the model sees them.
    pub tools: Vec<ShownTool>,
    /// Those that it would not be given.
    pub refused: Vec<(String, Refusal)>,
}

/// A tool as a model sees it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ShownTool {
    /// Its name.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments.
    #[schema(value_type = Object)]
    pub parameters: serde_json::Value,
}

/// Handed to every handler.
#[derive(Debug, Clone)]
pub struct ApiState(Arc<Inner>);

/// The parts of the state.
#[derive(Debug)]
pub struct Inner {
    /// The use cases.
    pub app: Arc<App>,
    /// What is set.
    pub config: ApiConfig,
    /// How often somebody may ask.
    pub rates: Rates,
    /// Tries a model.
    pub probe: Arc<dyn ModelProbe>,
    /// The tools.
    pub tools: Vec<ToolInfo>,
    /// Shows what a run would be given.
    pub toolboxes: Arc<dyn Toolboxes>,
    /// What `/metrics` shows.
    pub metrics: Option<PrometheusHandle>,
    /// Hashes passwords.
    pub passwords: Passwords,
    /// Readers of turns.
    pub live: Arc<Live>,
}

impl ApiState {
    /// Starts what runs beside the requests. To be called within a runtime.
    pub fn new(parts: Parts) -> Self {
        let Parts { app, config, rates, probe, tools, toolboxes, metrics, shutdown } = parts;
        let live = Live::start(app.clone(), shutdown);
        let rates = Rates::new(rates, config.rates);
        Self(Arc::new(Inner {
            app,
            config,
            rates,
            probe,
            tools,
            toolboxes,
            metrics,
            passwords: Passwords::default(),
            live,
        }))
    }
}

impl std::ops::Deref for ApiState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}
