//! The chat-completions dialect: OpenAI and the many servers that speak as it does.

pub(super) mod assemble;
mod render;

use super::error::LlmError;
use super::guard::Clients;
use super::http::{self, Failed};
use super::{DeltaSink, Endpoint};
use assemble::Assembler;
use bytes::Bytes;
use render::Profile;
use reqwest::header::AUTHORIZATION;
use shared::domain::conversation::{Request, Response};
use shared::domain::models::Provider;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use url::Url;

/// Endpoints whose profile is remembered; more are forgotten together.
const MAX_PROFILES: usize = 1_000;

/// The dialect, with what it has learnt about each endpoint in this process.
#[derive(Debug, Default)]
pub(super) struct OpenAi {
    learnt: Mutex<HashMap<(String, String), Profile>>,
}

impl OpenAi {
    /// One attempt. A server that refuses a parameter by name is asked once more without it, and
    /// not sent it again.
    pub async fn call(
        &self,
        clients: &Clients,
        endpoint: &Endpoint,
        request: &Request,
        out: DeltaSink<'_>,
    ) -> Result<Response, LlmError> {
        let key = endpoint.api_key.as_ref();
        let url = address(endpoint)?;
        let headers = match key {
            Some(key) => vec![(AUTHORIZATION, http::key_header("Bearer ", key)?)],
            None => Vec::new(),
        };
        let mut profile = self.profile(endpoint, &url);
        let response = loop {
            let body = Bytes::from(render::body(endpoint, request, profile)?);
            match http::post(clients, endpoint, &url, &headers, body).await {
                Ok(response) => break response,
                Err(Failed::Status { status: status @ (400 | 422), headers, body }) => {
                    match profile.without_refused(&body) {
                        Some(next) => {
                            profile = next;
                            self.learn(endpoint, &url, next);
                        }
                        None => return Err(Failed::Status { status, headers, body }.into_error(key)),
                    }
                }
                Err(failed) => return Err(failed.into_error(key)),
            }
        };
        let mut assembler = Assembler::new(key);
        http::read(response, &endpoint.timeouts, &mut assembler, out).await?;
        assembler.finish()
    }

    fn profile(&self, endpoint: &Endpoint, url: &Url) -> Profile {
        let learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner);
        learnt.get(&place(endpoint, url)).copied().unwrap_or_else(|| Profile::usual(url))
    }

    fn learn(&self, endpoint: &Endpoint, url: &Url, profile: Profile) {
        let mut learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner);
        if learnt.len() >= MAX_PROFILES {
            learnt.clear();
        }
        learnt.insert(place(endpoint, url), profile);
    }
}

fn place(endpoint: &Endpoint, url: &Url) -> (String, String) {
    (url.as_str().to_owned(), endpoint.model_name.clone())
}

/// The base URL holds the version, as in `http://host/v1`; with or without a slash at its end.
fn address(endpoint: &Endpoint) -> Result<Url, LlmError> {
    let base = endpoint.base_url.as_deref().or(Provider::Openai.default_base_url()).unwrap_or_default();
    let mut url = http::check_base_url(base)?;
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/chat/completions").unwrap_or(path);
    url.set_path(&format!("{path}/chat/completions"));
    Ok(url)
}

impl Profile {
    fn usual(url: &Url) -> Self {
        let own = url.host_str().is_some_and(|h| h == "api.openai.com" || h.ends_with(".openai.azure.com"));
        Self { stream_options: true, new_limit: own, limit_learnt: false }
    }

    /// The profile without what this error body names; None: it names nothing that can be left out.
    fn without_refused(self, body: &[u8]) -> Option<Self> {
        let names = |word: &str| memchr::memmem::find(body, word.as_bytes()).is_some();
        if self.stream_options && names("stream_options") {
            return Some(Self { stream_options: false, ..self });
        }
        // A refusal of either name recommends the other, so this one stands in both.
        if !self.limit_learnt && names("max_completion_tokens") {
            return Some(Self { new_limit: !self.new_limit, limit_learnt: true, ..self });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Timeouts;
    use super::*;
    use shared::domain::models::ModelLimits;

    fn endpoint(base_url: Option<&str>) -> Endpoint {
        Endpoint {
            provider: Provider::Openai,
            model_name: "m".to_owned(),
            base_url: base_url.map(str::to_owned),
            trusted_host: true,
            api_key: None,
            limits: ModelLimits::default(),
            timeouts: Timeouts::default(),
        }
    }

    #[test]
    fn addresses() {
        let table = [
            (None, "https://api.openai.com/v1/chat/completions"),
            (Some("http://host:1/v1"), "http://host:1/v1/chat/completions"),
            (Some("http://host/v1/ "), "http://host/v1/chat/completions"),
            (Some("https://host/api/v1/chat/completions"), "https://host/api/v1/chat/completions"),
        ];
        for (base, expected) in table {
            assert_eq!(address(&endpoint(base)).unwrap().as_str(), expected);
        }
        for refused in [
            "ftp://host/v1",
            "file:///etc/passwd",
            "host/v1",
            "http://u:p@host/v1",
            "http://u@host/v1",
            "http://host/v1?key=x",
            "",
        ] {
            let error = address(&endpoint(Some(refused))).unwrap_err();
            assert_eq!(error.kind(), "bad_request", "{refused}");
            assert!(!error.to_string().contains("u:p"), "{error}");
        }
    }

    #[test]
    fn a_refused_parameter_is_changed_once() {
        let usual = Profile::usual(&Url::parse("http://host/v1").unwrap());
        let without = usual.without_refused(b"unknown field stream_options").unwrap();
        assert!(!without.stream_options);
        assert_eq!(without.without_refused(b"unknown field stream_options"), None);
        let refusal = b"'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        let learnt = usual.without_refused(refusal).unwrap();
        assert!(learnt.new_limit);
        assert_eq!(learnt.without_refused(refusal), None);
        assert_eq!(usual.without_refused(b"max_tokens is too large"), None);
    }
}
