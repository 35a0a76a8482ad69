//! How a model call fails. Each kind says whether trying again can help, how long to wait, how the
//! run ends on it, and what the person can do. No text in here holds a key, a header or a URL.

use shared::domain::runs::Reason;
use std::time::Duration;

/// The most characters of a provider's own words that are kept.
pub const MAX_MESSAGE_CHARS: usize = 300;

/// How a model call failed.
///
/// `message` is the provider's own words, made safe by [`super::status::safe_message`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.user_message())]
pub enum LlmError {
    /// Too many requests for now.
    RateLimited {
        /// The provider's Retry-After, at most [`super::status::MAX_WAIT`].
        wait: Option<Duration>,
        /// The provider's words.
        message: String,
    },
    /// The account has nothing left; waiting does not help.
    QuotaExhausted {
        /// The provider's words.
        message: String,
    },
    /// The provider has trouble of its own: 408, 409, 5xx, 529.
    Overloaded {
        /// The provider's Retry-After, at most [`super::status::MAX_WAIT`].
        wait: Option<Duration>,
        /// The provider's words.
        message: String,
    },
    /// The conversation does not fit the model.
    ContextLength {
        /// The provider's words.
        message: String,
    },
    /// The key is missing, wrong, or not allowed to do this.
    Auth {
        /// The provider's words.
        message: String,
    },
    /// The provider refused the request, or it can't be sent as it is.
    BadRequest {
        /// The provider's words, or ours.
        message: String,
    },
    /// The provider does not know the model, or nothing is at the address.
    UnknownModel {
        /// The provider's words.
        message: String,
    },
    /// The address leads into a private network, and nobody who may allowed that. No connection was
    /// made.
    AddressBlocked {
        /// The host of the address.
        host: String,
    },
    /// The provider's filter refused the conversation.
    ContentFilter {
        /// The provider's words.
        message: String,
    },
    /// No connection, or it broke before the answer began.
    Transport {
        /// What broke, without the address.
        message: String,
    },
    /// Connected, but no answer began in this time.
    HeaderTimeout(Duration),
    /// The stream went silent for this time.
    Idle(Duration),
    /// The stream was kept alive for this time, but held no token.
    NoTokens(Duration),
    /// The stream ended before the response was complete.
    Truncated,
    /// A part of the stream can't be understood.
    BadChunk {
        /// What is wrong with it, without its content.
        detail: String,
    },
    /// The answer is no model's answer at all, such as a web page.
    NotAStream,
    /// An error object of no known kind inside a stream that began well.
    InBand {
        /// The provider's words.
        message: String,
    },
    /// The answer is beyond what is read.
    TooLarge {
        /// Which limit.
        what: &'static str,
    },
}

impl LlmError {
    /// A stable name, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::RateLimited { .. } => "rate_limited",
            Self::QuotaExhausted { .. } => "quota_exhausted",
            Self::Overloaded { .. } => "overloaded",
            Self::ContextLength { .. } => "context_length",
            Self::Auth { .. } => "auth",
            Self::BadRequest { .. } => "bad_request",
            Self::UnknownModel { .. } => "unknown_model",
            Self::AddressBlocked { .. } => "address_blocked",
            Self::ContentFilter { .. } => "content_filter",
            Self::Transport { .. } => "transport",
            Self::HeaderTimeout(_) => "header_timeout",
            Self::Idle(_) => "idle_timeout",
            Self::NoTokens(_) => "no_tokens",
            Self::Truncated => "truncated",
            Self::BadChunk { .. } => "bad_chunk",
            Self::NotAStream => "not_a_stream",
            Self::InBand { .. } => "provider_error",
            Self::TooLarge { .. } => "too_large",
        }
    }

    /// Whether the same request may succeed a little later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Overloaded { .. }
            | Self::Transport { .. }
            | Self::HeaderTimeout(_)
            | Self::Idle(_)
            | Self::NoTokens(_)
            | Self::Truncated
            | Self::BadChunk { .. }
            | Self::InBand { .. } => true,
            Self::QuotaExhausted { .. }
            | Self::ContextLength { .. }
            | Self::Auth { .. }
            | Self::BadRequest { .. }
            | Self::UnknownModel { .. }
            | Self::AddressBlocked { .. }
            | Self::ContentFilter { .. }
            | Self::NotAStream
            | Self::TooLarge { .. } => false,
        }
    }

    /// How long the provider asked to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { wait, .. } | Self::Overloaded { wait, .. } => *wait,
            _ => None,
        }
    }

    /// How the run ends when no attempt is left.
    pub fn reason(&self) -> Reason {
        match self {
            Self::RateLimited { .. } => Reason::ModelLimit,
            Self::Auth { .. } => Reason::ModelAuth,
            Self::AddressBlocked { .. } => Reason::ModelAddressBlocked,
            Self::ContextLength { .. } => Reason::ContextLength,
            Self::ContentFilter { .. } => Reason::ContentFilter,
            Self::QuotaExhausted { .. }
            | Self::BadRequest { .. }
            | Self::UnknownModel { .. }
            | Self::NotAStream => Reason::ModelRequest,
            Self::HeaderTimeout(_) | Self::Idle(_) | Self::NoTokens(_) => Reason::LlmIdleTimeout,
            Self::Overloaded { .. }
            | Self::Transport { .. }
            | Self::Truncated
            | Self::BadChunk { .. }
            | Self::InBand { .. }
            | Self::TooLarge { .. } => Reason::ModelUnavailable,
        }
    }

    /// What happened and what the person can do, with the provider's own words where it had any.
    pub fn user_message(&self) -> String {
        let seconds = |d: &Duration| format!("{:.0}", d.as_secs_f64().max(1.0));
        let (ours, theirs) = match self {
            Self::RateLimited { message, .. } => {
                ("The model's provider is limiting requests. Try again in a moment.", message.as_str())
            }
            Self::QuotaExhausted { message } => (
                "The account at the model's provider has no credit or quota left. Check its billing page.",
                message.as_str(),
            ),
            Self::Overloaded { message, .. } => (
                "The model's provider is overloaded or has a fault. Try again in a moment.",
                message.as_str(),
            ),
            Self::ContextLength { message } => (
                "The conversation is longer than the model can read. Start a new session, or use a model with a larger window.",
                message.as_str(),
            ),
            Self::Auth { message } => (
                "The model's provider refused the API key. Check the key in the model's settings.",
                message.as_str(),
            ),
            Self::BadRequest { message } => {
                ("The model's provider refused the request. Check the model's settings.", message.as_str())
            }
            Self::UnknownModel { message } => (
                "The provider does not know this model, or nothing answers at this address. Check the model's name and base URL.",
                message.as_str(),
            ),
            Self::AddressBlocked { host } => {
                return format!(
                    "The model's address, {host}, leads into a private network, where this model may not go. An operator can allow the host in the setting model_hosts (NETA_MODEL_HOSTS)."
                );
            }
            Self::ContentFilter { message } => {
                ("The provider's content filter refused the conversation.", message.as_str())
            }
            Self::Transport { message } => (
                "The model's provider could not be reached. Check the base URL and the network.",
                message.as_str(),
            ),
            Self::HeaderTimeout(limit) => {
                return format!("The model's provider did not begin to answer within {} s.", seconds(limit));
            }
            Self::Idle(limit) => {
                return format!("The model's provider went silent for {} s.", seconds(limit));
            }
            Self::NoTokens(limit) => {
                return format!(
                    "The model's provider kept the connection open for {} s without saying anything.",
                    seconds(limit)
                );
            }
            Self::Truncated => ("The model's answer broke off before its end. Try again.", ""),
            Self::BadChunk { detail } => {
                ("The model's provider sent something that can't be understood.", detail.as_str())
            }
            Self::NotAStream => (
                "Something answers at the model's address, but not a model. Check the base URL, for example whether it needs /v1.",
                "",
            ),
            Self::InBand { message } => {
                ("The model's provider reported an error while it answered.", message.as_str())
            }
            Self::TooLarge { what } => ("The model's answer is beyond the limit.", *what),
        };
        if theirs.is_empty() { ours.to_owned() } else { format!("{ours} ({theirs})") }
    }
}
