//! The messages dialect: Anthropic and the servers that speak as it does.

pub(super) mod assemble;
mod render;

use super::error::LlmError;
use super::guard::Clients;
use super::{DeltaSink, Endpoint, http};
use assemble::Assembler;
use bytes::Bytes;
use reqwest::header::{HeaderName, HeaderValue};
use shared::domain::conversation::{Request, Response};
use shared::domain::models::Provider;
use url::Url;

const VERSION: &str = "2023-06-01";

/// One attempt.
pub(super) async fn call(
    clients: &Clients,
    endpoint: &Endpoint,
    request: &Request,
    out: DeltaSink<'_>,
) -> Result<Response, LlmError> {
    let key = endpoint.api_key.as_ref();
    let mut headers = vec![(HeaderName::from_static("anthropic-version"), HeaderValue::from_static(VERSION))];
    if let Some(key) = key {
        headers.push((HeaderName::from_static("x-api-key"), http::key_header("", key)?));
    }
    let body = Bytes::from(render::body(endpoint, request)?);
    let response = http::post(clients, endpoint, &address(endpoint)?, &headers, body)
        .await
        .map_err(|failed| failed.into_error(key))?;
    let mut assembler = Assembler::new(key);
    http::read(response, &endpoint.timeouts, &mut assembler, out).await?;
    assembler.finish()
}

/// The base URL may hold the version or not; with or without a slash at its end.
fn address(endpoint: &Endpoint) -> Result<Url, LlmError> {
    let base = endpoint.base_url.as_deref().or(Provider::Anthropic.default_base_url()).unwrap_or_default();
    let mut url = http::check_base_url(base)?;
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/messages").unwrap_or(path);
    let path = path.strip_suffix("/v1").unwrap_or(path);
    url.set_path(&format!("{path}/v1/messages"));
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::super::Timeouts;
    use super::*;
    use shared::domain::models::ModelLimits;

    #[test]
    fn addresses() {
        let table = [
            (None, "https://api.anthropic.com/v1/messages"),
            (Some("http://host:1"), "http://host:1/v1/messages"),
            (Some("http://host/"), "http://host/v1/messages"),
            (Some("http://host/v1"), "http://host/v1/messages"),
            (Some("http://host/anthropic/v1/"), "http://host/anthropic/v1/messages"),
            (Some("http://host/v1/messages"), "http://host/v1/messages"),
        ];
        for (base, expected) in table {
            let endpoint = Endpoint {
                provider: Provider::Anthropic,
                model_name: "m".to_owned(),
                base_url: base.map(str::to_owned),
                trusted_host: true,
                api_key: None,
                limits: ModelLimits::default(),
                timeouts: Timeouts::default(),
            };
            assert_eq!(address(&endpoint).unwrap().as_str(), expected);
        }
    }
}
