//! What a person sets about a model, and its check.

use super::ModelSpec;
use crate::error::ApiError;
use serde::{Deserialize, Serialize};
use shared::domain::models::{Model, ModelLimits, Provider};
use shared::secrets::Secret;
use url::{Origin, Url};
use utoipa::ToSchema;

const MAX_NAME_CHARS: usize = 100;
const MAX_MODEL_NAME_CHARS: usize = 200;
const MAX_URL_CHARS: usize = 2_000;
const MAX_KEY_CHARS: usize = 4_096;

/// A model as a person sets it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelInput {
    /// Name shown to people, unique.
    pub name: String,
    /// `openai` and `anthropic` are dialects, spoken by many servers; `demo` needs no server.
    pub provider: Provider,
    /// The provider's name of the model.
    pub model_name: String,
    /// Where it is reached, up to and including `/v1` for the `openai` dialect; the provider's own
    /// address if not given.
    pub base_url: Option<String>,
    /// Write-only.
    #[serde(skip_serializing)]
    pub api_key: Option<Secret>,
    /// Tokens of prompt and answer together.
    pub context_window: Option<u32>,
    /// Tokens of one answer.
    pub max_output_tokens: Option<u32>,
    /// Calls at the same time over all workers.
    pub max_concurrency: Option<u32>,
    /// Calls a minute over all workers.
    pub rpm: Option<u32>,
    /// Tokens a minute over all workers.
    pub tpm: Option<u32>,
    /// Price of a million prompt tokens.
    pub input_price: Option<f64>,
    /// Price of a million completion tokens.
    pub output_price: Option<f64>,
}

impl ModelInput {
    /// As stored, without the key.
    pub fn of(model: &Model) -> Self {
        let ModelLimits {
            context_window,
            max_output_tokens,
            max_concurrency,
            rpm,
            tpm,
            input_price,
            output_price,
        } = model.limits;
        Self {
            name: model.name.clone(),
            provider: model.provider,
            model_name: model.model_name.clone(),
            base_url: model.base_url.clone(),
            api_key: None,
            context_window,
            max_output_tokens,
            max_concurrency,
            rpm,
            tpm,
            input_price,
            output_price,
        }
    }

    /// The key, if one is given; an empty one is none.
    pub fn key(&self) -> Result<Option<Secret>, ApiError> {
        let Some(key) = &self.api_key else { return Ok(None) };
        let text = key.expose().trim();
        if text.len() > MAX_KEY_CHARS || !text.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(ApiError::invalid("apiKey", "must be printable ASCII without spaces"));
        }
        Ok((!text.is_empty()).then(|| Secret::new(text)))
    }

    /// What is stored, after a check of every value.
    pub fn spec(&self, api_key_sealed: Option<String>) -> Result<ModelSpec, ApiError> {
        crate::routes::check_name("name", &self.name, MAX_NAME_CHARS)?;
        crate::routes::check_name("modelName", &self.model_name, MAX_MODEL_NAME_CHARS)?;
        let counts = [
            ("contextWindow", self.context_window),
            ("maxOutputTokens", self.max_output_tokens),
            ("maxConcurrency", self.max_concurrency),
            ("rpm", self.rpm),
            ("tpm", self.tpm),
        ];
        for (field, value) in counts {
            if value.is_some_and(|n| n == 0 || n > i32::MAX as u32) {
                return Err(ApiError::invalid(field, "must be 1 or more"));
            }
        }
        for (field, price) in [("inputPrice", self.input_price), ("outputPrice", self.output_price)] {
            if price.is_some_and(|p| !p.is_finite() || p < 0.0) {
                return Err(ApiError::invalid(field, "must be 0 or more"));
            }
        }
        Ok(ModelSpec {
            name: self.name.trim().to_owned(),
            provider: self.provider,
            model_name: self.model_name.trim().to_owned(),
            base_url: self.base_url.as_deref().map(base_url).transpose()?.flatten(),
            api_key_sealed,
            limits: ModelLimits {
                context_window: self.context_window,
                max_output_tokens: self.max_output_tokens,
                max_concurrency: self.max_concurrency,
                rpm: self.rpm,
                tpm: self.tpm,
                input_price: self.input_price,
                output_price: self.output_price,
            },
        })
    }
}

/// A usable address without the slash at its end; an empty one is none.
fn base_url(text: &str) -> Result<Option<String>, ApiError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let bad = |message: &str| ApiError::invalid("baseUrl", message);
    if text.chars().count() > MAX_URL_CHARS {
        return Err(bad("is too long"));
    }
    let url = Url::parse(text).map_err(|_| bad("must be an address as https://host/v1"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(bad("must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("must not hold a user or a password; the key goes into apiKey"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(bad("must not have a query or a fragment"));
    }
    Ok(Some(text.trim_end_matches('/').to_owned()))
}

/// The server that a key is sent to.
pub fn server(spec: &ModelSpec) -> Option<Origin> {
    origin(spec.base_url.as_deref(), spec.provider)
}

/// As [`server`], of what is stored.
pub fn server_of(model: &Model) -> Option<Origin> {
    origin(model.base_url.as_deref(), model.provider)
}

fn origin(base_url: Option<&str>, provider: Provider) -> Option<Origin> {
    let url = base_url.or(provider.default_base_url())?;
    Url::parse(url).ok().map(|url| url.origin())
}
