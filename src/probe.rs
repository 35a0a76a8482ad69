//! Tries a model for the API, with the workers' client.

use api::{ModelProbe, ProbeResult};
use async_trait::async_trait;
use shared::config::{Config, LlmConfig};
use shared::domain::models::Model;
use shared::secrets::Secret;
use worker::llm::{Endpoint, Providers, Timeouts, probe};

/// The workers' client, as the API may use it.
pub struct Probe {
    providers: Providers,
    config: LlmConfig,
}

impl Probe {
    /// With the configured times.
    pub fn new(providers: Providers, config: &Config) -> Self {
        Self { providers, config: config.llm.clone() }
    }
}

impl std::fmt::Debug for Probe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Probe")
    }
}

#[async_trait]
impl ModelProbe for Probe {
    async fn probe(&self, model: &Model, key: Option<Secret>) -> ProbeResult {
        let endpoint = Endpoint {
            provider: model.provider,
            model_name: model.model_name.clone(),
            base_url: model.base_url.clone(),
            trusted_host: model.trusted_host,
            api_key: key,
            limits: model.limits,
            timeouts: Timeouts {
                connect: self.config.connect,
                headers: self.config.header,
                idle: self.config.idle,
                no_tokens: self.config.silent,
            },
        };
        let tried = probe::probe(&self.providers, &endpoint).await;
        match tried.error {
            None => ProbeResult {
                ok: true,
                message: tried.answer.unwrap_or_default(),
                reason: None,
                latency_ms: tried.latency_ms,
            },
            Some(error) => ProbeResult {
                ok: false,
                message: error.message,
                reason: Some(error.reason.as_str().to_owned()),
                latency_ms: tried.latency_ms,
            },
        }
    }
}
