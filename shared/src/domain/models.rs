//! A stored provider endpoint and its limits.

use super::ids::{ModelId, TenantId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use url::{Origin, Url};
use utoipa::ToSchema;

/// The dialect that an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Chat completions.
    Openai,
    /// Messages.
    Anthropic,
    /// The built-in demo model: no network, no key.
    Demo,
}

impl Provider {
    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::Anthropic => "anthropic",
            Self::Demo => "demo",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(s: &str) -> Option<Self> {
        [Self::Openai, Self::Anthropic, Self::Demo].into_iter().find(|p| p.as_str() == s)
    }

    /// Where the provider is reached when the model names no base URL.
    pub fn default_base_url(self) -> Option<&'static str> {
        match self {
            Self::Openai => Some("https://api.openai.com/v1"),
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::Demo => None,
        }
    }
}

/// A provider endpoint with all that a call needs but the key in the clear.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Primary key.
    pub id: ModelId,
    /// Owner.
    pub tenant_id: TenantId,
    /// Name shown to people, unique for the tenant.
    pub name: String,
    /// Dialect.
    pub provider: Provider,
    /// The provider's name of the model.
    pub model_name: String,
    /// Where it is reached; None: the provider's own address.
    pub base_url: Option<String>,
    /// The key, sealed; None: sent without one.
    pub api_key_sealed: Option<String>,
    /// An operator stored its address: it may lead into private networks.
    pub trusted_host: bool,
    /// Limits, window and prices.
    pub limits: ModelLimits,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl Model {
    /// The server that is called, and the only one that the key is sent to.
    pub fn server(&self) -> Option<Origin> {
        server(self.provider, self.base_url.as_deref())
    }
}

/// The server that a model's calls go to; None: there is none.
pub fn server(provider: Provider, base_url: Option<&str>) -> Option<Origin> {
    let url = base_url.or(provider.default_base_url())?;
    Url::parse(url).ok().map(|url| url.origin())
}

/// What becomes of a model's address when it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressEdit {
    /// The model is new.
    New,
    /// The address is given; it may be the one that is stored.
    Given {
        /// It is another server.
        moved: bool,
        /// Whether what is stored is trusted.
        was_trusted: bool,
    },
    /// The address is not given.
    Kept {
        /// Another dialect's own server takes the place of the one before.
        moved: bool,
        /// Whether what is stored is trusted.
        was_trusted: bool,
    },
}

/// Whether a model's address is trusted from now on: it may lead into private networks, as to a model
/// on the operator's own machine. An address is trusted when an operator gives it, and no longer when
/// somebody else moves the model to another server.
pub fn trusted_host(edit: AddressEdit, is_operator: bool) -> bool {
    match edit {
        AddressEdit::New => is_operator,
        AddressEdit::Given { moved, was_trusted } => is_operator || (was_trusted && !moved),
        AddressEdit::Kept { moved, was_trusted } => was_trusted && (is_operator || !moved),
    }
}

/// What an operator sets about a model besides its address.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ModelLimits {
    /// Tokens of prompt and answer together; None: 128,000.
    pub context_window: Option<u32>,
    /// Tokens of one answer; None: the provider's default (Anthropic requires a number: 8,192).
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

impl ModelLimits {
    /// The window used where none is set.
    pub const DEFAULT_CONTEXT_WINDOW: u32 = 128_000;

    /// Tokens of prompt and answer together.
    pub fn window(&self) -> u32 {
        self.context_window.unwrap_or(Self::DEFAULT_CONTEXT_WINDOW)
    }

    /// Price of a call in the operator's currency; None where a price is not set.
    pub fn cost(&self, usage: super::conversation::TokenUsage) -> Option<f64> {
        let (input, output) = (self.input_price?, self.output_price?);
        Some((usage.input_tokens as f64 * input + usage.output_tokens as f64 * output) / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::AddressEdit::{Given, Kept, New};
    use super::*;

    #[test]
    fn who_makes_an_address_trusted() {
        let table = [
            (New, true, true),
            (New, false, false),
            (Given { moved: true, was_trusted: false }, true, true),
            (Given { moved: false, was_trusted: false }, true, true),
            (Given { moved: true, was_trusted: true }, false, false),
            (Given { moved: false, was_trusted: true }, false, true),
            (Given { moved: false, was_trusted: false }, false, false),
            (Kept { moved: false, was_trusted: false }, true, false),
            (Kept { moved: false, was_trusted: true }, true, true),
            (Kept { moved: true, was_trusted: true }, false, false),
            (Kept { moved: false, was_trusted: true }, false, true),
            (Kept { moved: false, was_trusted: false }, false, false),
        ];
        for (edit, is_operator, trusted) in table {
            assert_eq!(trusted_host(edit, is_operator), trusted, "{edit:?}, operator: {is_operator}");
        }
    }

    #[test]
    fn a_server_is_scheme_host_and_port() {
        let of = |url| server(Provider::Openai, url);
        let own = of(None);
        assert_eq!(own, of(Some("https://API.openai.com:443/v2/other")));
        for other in ["http://api.openai.com/v1", "https://api.openai.com:8443/v1", "https://openai.com/v1"] {
            assert_ne!(own, of(Some(other)), "{other}");
        }
        assert_ne!(own, server(Provider::Anthropic, None));
        assert_eq!(server(Provider::Demo, None), None);
    }
}
