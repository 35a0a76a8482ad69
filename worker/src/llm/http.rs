//! HTTP to providers, and the loop that reads a provider's stream under the limits.

use super::error::LlmError;
use super::guard::{self, Clients, GuardedDns, Lookup, SystemLookup};
use super::sse::{Decoder, Event};
use super::{DeltaSink, Endpoint, Timeouts, status};
use bytes::Bytes;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use shared::domain::addresses::ModelHosts;
use shared::secrets::Secret;
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use url::Url;

/// The most bytes of one streamed response.
pub const MAX_STREAM_BYTES: usize = 64 * 1024 * 1024;
/// The most bytes of a response that comes as one JSON document.
pub const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;
/// The most bytes that are read of an error's body.
pub const MAX_ERROR_BYTES: usize = 64 * 1024;

/// How long a complete response waits for what may follow it: the token count.
const AFTER_FINISH: Duration = Duration::from_secs(2);
/// How long it waits for the body's end, so that the connection can be used again.
const AFTER_DONE: Duration = Duration::from_millis(20);

/// What the HTTP clients are built with.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// From the start of a connection attempt until it stands.
    pub connect: Duration,
    /// Hosts that any model may be at, whatever their address.
    pub hosts: ModelHosts,
    /// How names are looked up.
    pub lookup: Arc<dyn Lookup>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            connect: Timeouts::default().connect,
            hosts: ModelHosts::default(),
            lookup: Arc::new(SystemLookup),
        }
    }
}

/// Builds a client for model calls. The process must have installed its TLS provider.
pub(super) fn build(connect: Duration, dns: GuardedDns) -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .user_agent(concat!("neta/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect)
        .dns_resolver(Arc::new(dns))
        // A key goes to the host it was stored for and nowhere else; the guard judged that one only.
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .tcp_nodelay(true)
        .tcp_keepalive(Duration::from_secs(30))
        .pool_idle_timeout(Duration::from_secs(50))
        .pool_max_idle_per_host(512)
        // A proxy would look names up itself, past the guard.
        .no_proxy()
        .build()
}

/// Checks an address that a person entered: http or https, a host, no name or password, no query.
pub fn check_base_url(text: &str) -> Result<Url, LlmError> {
    let refuse = |why: &str| LlmError::BadRequest { message: format!("the base URL {why}") };
    let url = Url::parse(text.trim()).map_err(|_| refuse("is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(refuse("must begin with http:// or https:// and a host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refuse("must hold no user name or password; enter the key as the API key"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(refuse("must hold no query and no fragment"));
    }
    Ok(url)
}

/// The key as a header's value that prints itself nowhere.
pub(super) fn key_header(prefix: &str, key: &Secret) -> Result<HeaderValue, LlmError> {
    let mut value = HeaderValue::from_str(&format!("{prefix}{}", key.expose().trim()))
        .map_err(|_| LlmError::Auth { message: "the key holds characters that no key has".to_owned() })?;
    value.set_sensitive(true);
    Ok(value)
}

/// An answer that is not a success.
#[derive(Debug)]
pub(super) enum Failed {
    /// The provider answered with this status.
    Status { status: u16, headers: HeaderMap, body: Vec<u8> },
    /// There was no answer.
    Error(LlmError),
}

impl Failed {
    pub fn into_error(self, key: Option<&Secret>) -> LlmError {
        match self {
            Self::Status { status, headers, body } => status::from_status(status, &headers, &body, key),
            Self::Error(error) => error,
        }
    }
}

/// Sends one request and waits for the headers of its answer.
pub(super) async fn post(
    clients: &Clients,
    endpoint: &Endpoint,
    url: &Url,
    headers: &[(HeaderName, HeaderValue)],
    body: Bytes,
) -> Result<reqwest::Response, Failed> {
    let timeouts = &endpoint.timeouts;
    let mut request = clients
        .of(url, endpoint.trusted_host)
        .map_err(Failed::Error)?
        .post(url.clone())
        .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
        .header(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"))
        .body(body);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let mut response = match timeout(timeouts.headers, request.send()).await {
        Err(_) => return Err(Failed::Error(LlmError::HeaderTimeout(timeouts.headers))),
        Ok(Err(error)) if guard::is_blocked(&error) => return Err(Failed::Error(guard::blocked(url))),
        Ok(Err(error)) => return Err(Failed::Error(transport(&error))),
        Ok(Ok(response)) => response,
    };
    if response.status().is_success() {
        return Ok(response);
    }
    let mut body = Vec::new();
    while body.len() < MAX_ERROR_BYTES {
        match timeout(timeouts.idle, response.chunk()).await {
            Ok(Ok(Some(more))) => body.extend_from_slice(&more),
            _ => break,
        }
    }
    body.truncate(MAX_ERROR_BYTES);
    let status = response.status().as_u16();
    Err(Failed::Status { status, headers: std::mem::take(response.headers_mut()), body })
}

/// The innermost cause: the outer ones name the address.
fn transport(error: &reqwest::Error) -> LlmError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let message = if error.is_timeout() {
        "no connection in time".to_owned()
    } else if error.source().is_none() {
        "the request could not be sent".to_owned()
    } else {
        status::safe_message(&cause.to_string(), None)
    };
    LlmError::Transport { message }
}

/// How far a response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// More must come.
    Open,
    /// It is complete; a token count may follow.
    Finished,
    /// Nothing more will come.
    Done,
}

/// Puts a response together from a dialect's events. Knows no I/O.
pub(super) trait Assemble: Send {
    /// Takes one event of the stream.
    fn event(&mut self, event: Event<'_>) -> Result<(), LlmError>;
    /// Takes a response that came as one JSON document.
    fn whole(&mut self, body: &[u8]) -> Result<(), LlmError>;
    /// How far it is.
    fn progress(&self) -> Progress;
    /// Grows with each piece of text, thinking or a call.
    fn pieces(&self) -> u64;
    /// Hands out what came since the last time.
    fn show(&mut self, out: DeltaSink<'_>);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Unknown,
    Events,
    Document,
}

/// Reads a response to its end.
pub(super) async fn read(
    mut response: reqwest::Response,
    timeouts: &Timeouts,
    into: &mut dyn Assemble,
    out: DeltaSink<'_>,
) -> Result<(), LlmError> {
    if is_html(response.headers()) {
        return Err(LlmError::NotAStream);
    }
    let mut form = Form::Unknown;
    let mut decoder = Decoder::default();
    let mut document = Vec::new();
    let (mut total, mut events) = (0_usize, 0_u64);
    let mut last_piece = Instant::now();
    loop {
        let (limit, on_silence) = match into.progress() {
            Progress::Open => {
                let left = timeouts.no_tokens.saturating_sub(last_piece.elapsed());
                if left < timeouts.idle {
                    (left, Some(LlmError::NoTokens(timeouts.no_tokens)))
                } else {
                    (timeouts.idle, Some(LlmError::Idle(timeouts.idle)))
                }
            }
            Progress::Finished => (AFTER_FINISH.min(timeouts.idle), None),
            Progress::Done => (AFTER_DONE, None),
        };
        let bytes = match (timeout(limit, response.chunk()).await, on_silence) {
            (Ok(Ok(Some(bytes))), _) => bytes,
            (Ok(Ok(None)), _) => break,
            (Err(_), Some(error)) => return Err(error),
            (Ok(Err(_)), Some(_)) => return Err(LlmError::Truncated),
            // What counts is complete, whatever becomes of the connection.
            (Err(_) | Ok(Err(_)), None) => return Ok(()),
        };
        total += bytes.len();
        if total > MAX_STREAM_BYTES {
            return Err(LlmError::TooLarge { what: "64 MiB in one response" });
        }
        if form == Form::Unknown {
            form = form_of(&bytes)?;
        }
        if form == Form::Document {
            if document.len() + bytes.len() > MAX_BODY_BYTES {
                return Err(LlmError::TooLarge { what: "8 MiB in one document" });
            }
            document.extend_from_slice(&bytes);
            continue;
        }
        let before = into.pieces();
        let result = decoder.push(&bytes, &mut |event| {
            events += 1;
            into.event(event)
        });
        if into.pieces() != before {
            last_piece = Instant::now();
        }
        into.show(out);
        result?;
    }
    if form == Form::Document {
        into.whole(&document)?;
    } else if into.progress() == Progress::Open {
        let last = decoder.end(&mut |event| {
            events += 1;
            into.event(event)
        });
        if matches!(last, Err(LlmError::BadChunk { .. })) {
            return Err(LlmError::Truncated);
        }
        last?;
    }
    into.show(out);
    match into.progress() {
        Progress::Finished | Progress::Done => Ok(()),
        Progress::Open if events == 0 && total > 0 => Err(LlmError::NotAStream),
        Progress::Open => Err(LlmError::Truncated),
    }
}

fn is_html(headers: &HeaderMap) -> bool {
    headers
        .get(CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|v| v.trim_start().to_ascii_lowercase().starts_with("text/html"))
}

/// By its first character: the content type is often wrong.
fn form_of(bytes: &[u8]) -> Result<Form, LlmError> {
    match bytes.trim_ascii_start().first() {
        None => Ok(Form::Unknown),
        Some(b'{' | b'[') => Ok(Form::Document),
        Some(b'<') => Err(LlmError::NotAStream),
        Some(_) => Ok(Form::Events),
    }
}
