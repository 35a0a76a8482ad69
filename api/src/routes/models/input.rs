//! What a person sets about a model, and its check.

use super::{ModelSpec, ModelTrial};
use crate::error::ApiError;
use crate::invalid::Invalid;
use serde::{Deserialize, Serialize};
use shared::domain::addresses::ModelHosts;
use shared::domain::models::{self, AddressEdit, Model, ModelLimits, Provider};
use shared::secrets::Secret;
use url::Url;
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

    /// What a try needs: it is under no name.
    pub fn to_try(trial: ModelTrial) -> Self {
        Self {
            name: "unsaved".to_owned(),
            provider: trial.provider,
            model_name: trial.model_name,
            base_url: trial.base_url,
            api_key: trial.api_key,
            context_window: None,
            max_output_tokens: None,
            max_concurrency: None,
            rpm: None,
            tpm: None,
            input_price: None,
            output_price: None,
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

    /// What is stored, after a check of every value but where the address leads.
    pub fn spec(&self, api_key_sealed: Option<String>) -> Result<ModelSpec, ApiError> {
        let mut invalid = Invalid::default();
        invalid.take(crate::routes::check_name("name", &self.name, MAX_NAME_CHARS))?;
        invalid.take(crate::routes::check_name("modelName", &self.model_name, MAX_MODEL_NAME_CHARS))?;
        invalid.take(self.key())?;
        let base_url = invalid.take(self.base_url.as_deref().map_or(Ok(None), base_url))?;
        let counts = [
            ("contextWindow", self.context_window),
            ("maxOutputTokens", self.max_output_tokens),
            ("maxConcurrency", self.max_concurrency),
            ("rpm", self.rpm),
            ("tpm", self.tpm),
        ];
        for (field, value) in counts {
            let holds = value.is_none_or(|n| n > 0 && i32::try_from(n).is_ok());
            invalid.demand(holds, field, "must be 1 or more");
        }
        for (field, price) in [("inputPrice", self.input_price), ("outputPrice", self.output_price)] {
            let holds = price.is_none_or(|p| p.is_finite() && p >= 0.0);
            invalid.demand(holds, field, "must be 0 or more");
        }
        invalid.end()?;
        Ok(ModelSpec {
            name: self.name.trim().to_owned(),
            provider: self.provider,
            model_name: self.model_name.trim().to_owned(),
            base_url: base_url.flatten(),
            api_key_sealed,
            trusted_host: false,
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

/// Decides whether the address may lead into private networks, and refuses one that plainly leads
/// where it may not. `before` is what is stored and whether the address is given again.
pub fn guard(
    spec: &mut ModelSpec,
    before: Option<(&Model, bool)>,
    is_operator: bool,
    hosts: &ModelHosts,
) -> Result<(), ApiError> {
    let edit = match before {
        None => AddressEdit::New,
        Some((stored, given)) => {
            let moved = models::server(spec.provider, spec.base_url.as_deref()) != stored.server();
            let was_trusted = stored.trusted_host;
            if given {
                AddressEdit::Given { moved, was_trusted }
            } else {
                AddressEdit::Kept { moved, was_trusted }
            }
        }
    };
    spec.trusted_host = models::trusted_host(edit, is_operator);
    let Some(url) = spec.base_url.as_deref().and_then(|url| Url::parse(url).ok()) else { return Ok(()) };
    let reach = hosts.reach(&url, spec.trusted_host);
    match url.host() {
        Some(host) if !reach.admits_host(&host) => Err(ApiError::invalid(
            "baseUrl",
            format!(
                "leads into a private network; an operator can allow {host} in the setting model_hosts (NETA_MODEL_HOSTS)"
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use shared::domain::ids::{ModelId, TenantId};

    fn spec(base_url: &str) -> ModelSpec {
        ModelSpec {
            name: "m".into(),
            provider: Provider::Openai,
            model_name: "m".into(),
            base_url: Some(base_url.into()),
            api_key_sealed: None,
            trusted_host: false,
            limits: ModelLimits::default(),
        }
    }

    fn stored(base_url: &str, trusted_host: bool) -> Model {
        let spec = spec(base_url);
        Model {
            id: ModelId(1),
            tenant_id: TenantId::FIRST,
            name: spec.name,
            provider: spec.provider,
            model_name: spec.model_name,
            base_url: spec.base_url,
            api_key_sealed: None,
            trusted_host,
            limits: spec.limits,
            create_time: DateTime::UNIX_EPOCH,
            update_time: DateTime::UNIX_EPOCH,
        }
    }

    /// Whether the address is trusted from then on; None: refused.
    fn guarded(url: &str, before: Option<(&Model, bool)>, is_operator: bool, hosts: &[&str]) -> Option<bool> {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let mut spec = spec(url);
        match guard(&mut spec, before, is_operator, &ModelHosts::parse(&hosts).unwrap()) {
            Ok(()) => Some(spec.trusted_host),
            Err(error) => {
                assert_eq!((error.field(), error.status().as_u16()), (Some("baseUrl"), 400));
                assert!(error.to_string().contains("NETA_MODEL_HOSTS"), "{error}");
                None
            }
        }
    }

    #[test]
    fn where_a_model_may_be() {
        let local = "http://127.0.0.1:11434/v1";
        let metadata = "http://0xa9fea9fe/v1";
        let public = "https://llm.example/v1";
        assert_eq!(guarded(local, None, true, &[]), Some(true));
        assert_eq!(guarded(local, None, false, &[]), None);
        assert_eq!(guarded("http://localhost/v1", None, false, &[]), None);
        assert_eq!(guarded("http://[::ffff:10.0.0.1]/v1", None, false, &[]), None);
        assert_eq!(guarded(local, None, false, &["127.0.0.1:11434"]), Some(false));
        assert_eq!(guarded(local, None, false, &["127.0.0.1:1"]), None);
        assert_eq!(guarded(metadata, None, true, &[]), None);
        assert_eq!(guarded(metadata, None, true, &["169.254.169.254"]), Some(true));
        assert_eq!(guarded(public, None, false, &[]), Some(false));
    }

    #[test]
    fn an_edit_by_somebody_else_keeps_trust_in_the_same_server_only() {
        let local = "http://127.0.0.1:11434/v1";
        let of_operator = stored(local, true);
        let of_other = stored("https://llm.example/v1", false);
        let edit = |url, of, given, is_operator| guarded(url, Some((of, given)), is_operator, &[]);
        assert_eq!(edit(local, &of_operator, false, false), Some(true), "something else is edited");
        assert_eq!(edit("http://127.0.0.1:11434/v2", &of_operator, true, false), Some(true));
        assert_eq!(edit("http://127.0.0.1:11435/v1", &of_operator, true, false), None);
        assert_eq!(edit("https://llm.example/v1", &of_operator, true, false), Some(false));
        assert_eq!(
            edit("https://llm.example/v1", &of_other, false, true),
            Some(false),
            "not given by the operator"
        );
        assert_eq!(edit("https://llm.example/v1", &of_other, true, true), Some(true));
        assert_eq!(edit(local, &of_other, true, false), None);
    }
}
