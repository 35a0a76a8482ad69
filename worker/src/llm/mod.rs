//! The model client: one trait, a dialect for each provider, one retry layer above them.
//!
//! The engine makes an [`Endpoint`] from a run's snapshot and the key that it looked up, and calls
//! through [`retry::call_with_retries`]. A dialect makes exactly one attempt and never waits for a
//! reader: text leaves through a closure that is called once per network read.

mod anthropic;
pub mod arguments;
mod calls;
pub mod demo;
pub mod error;
pub mod guard;
pub mod http;
mod openai;
pub mod probe;
pub mod retry;
#[cfg(any(test, feature = "testing"))]
pub mod scripted;
mod spoken;
pub mod sse;
pub mod status;
#[cfg(test)]
mod tests;
mod wire;

pub use error::LlmError;

use async_trait::async_trait;
use shared::domain::conversation::{Delta, Request, Response};
use shared::domain::models::{ModelLimits, Provider};
use shared::domain::runs::ModelSnapshot;
use shared::secrets::Secret;
use std::time::Duration;

/// Takes what the model says as it says it. Called once per network read with all text of that
/// read; must not block.
pub type DeltaSink<'a> = &'a mut (dyn FnMut(Delta) + Send);

/// Something that answers a conversation.
#[async_trait]
pub trait Llm: Send + Sync {
    /// One attempt: sends deltas as they arrive and returns the whole response. Dropping the future
    /// closes the connection.
    async fn call(
        &self,
        endpoint: &Endpoint,
        request: &Request,
        out: DeltaSink<'_>,
    ) -> Result<Response, LlmError>;
}

/// All providers: picks the dialect by the endpoint.
#[derive(Debug)]
pub struct Providers {
    clients: guard::Clients,
    openai: openai::OpenAi,
    demo: demo::Demo,
}

impl Providers {
    /// Builds the HTTP clients; fails where TLS can't be set up.
    pub fn new(options: &http::ClientOptions) -> Result<Self, reqwest::Error> {
        Ok(Self {
            clients: guard::Clients::new(options)?,
            openai: openai::OpenAi::default(),
            demo: demo::Demo::default(),
        })
    }
}

#[async_trait]
impl Llm for Providers {
    async fn call(
        &self,
        endpoint: &Endpoint,
        request: &Request,
        out: DeltaSink<'_>,
    ) -> Result<Response, LlmError> {
        match endpoint.provider {
            Provider::Openai => self.openai.call(&self.clients, endpoint, request, out).await,
            Provider::Anthropic => anthropic::call(&self.clients, endpoint, request, out).await,
            Provider::Demo => self.demo.call(endpoint, request, out).await,
        }
    }
}

/// Where and how a model is called.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Dialect.
    pub provider: Provider,
    /// The provider's name of the model.
    pub model_name: String,
    /// Where it is reached; None: the provider's own address.
    pub base_url: Option<String>,
    /// An operator stored `base_url`: it may lead into private networks.
    pub trusted_host: bool,
    /// Sent to `base_url`'s host and nowhere else; None: sent without one.
    pub api_key: Option<Secret>,
    /// What the operator set.
    pub limits: ModelLimits,
    /// How long silence is borne.
    pub timeouts: Timeouts,
}

impl Endpoint {
    /// The endpoint of a snapshot, with the key that belongs to it and the usual timeouts.
    pub fn new(model: &ModelSnapshot, api_key: Option<Secret>) -> Self {
        Self {
            provider: model.provider,
            model_name: model.model_name.clone(),
            base_url: model.base_url.clone(),
            trusted_host: model.trusted_host,
            api_key,
            limits: model.limits,
            timeouts: Timeouts::default(),
        }
    }
}

/// How long silence is borne. There is no limit on a stream's whole time: that is the run's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the start of the connection attempt until it stands.
    pub connect: Duration,
    /// From sending the request until the answer's headers, connecting included.
    pub headers: Duration,
    /// Between two reads of the stream.
    pub idle: Duration,
    /// Without text, thinking or part of a call, however many keep-alive comments arrive.
    pub no_tokens: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            headers: Duration::from_mins(1),
            idle: Duration::from_mins(1),
            no_tokens: Duration::from_mins(2),
        }
    }
}
