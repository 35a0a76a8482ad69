//! What handlers take from a request: bodies, path ids and query strings, each refused with a
//! problem that names what is wrong. Text is made safe to store here and nowhere else.

use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt;
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use shared::domain::text;
use std::str::FromStr;
use std::time::Duration;

/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// How much of a body that is too large is taken before the answer, and for how long.
const FORGOTTEN_BYTES: usize = 16 << 20;
const FORGET_TIMEOUT: Duration = Duration::from_secs(2);

/// A JSON body.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<ApiState> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &ApiState) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            return Err(ApiError::UnsupportedMediaType);
        }
        parse(&read(request, state.config.max_body_bytes).await?).map(Self)
    }
}

/// A body that may be left out: then its type is not named either.
impl<T: DeserializeOwned> OptionalFromRequest<ApiState> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &ApiState) -> Result<Option<Self>, ApiError> {
        let headers = request.headers();
        let announced = headers.get(header::CONTENT_LENGTH).is_some_and(|length| length != "0");
        let is_there = announced || headers.contains_key(header::TRANSFER_ENCODING);
        if is_there || headers.contains_key(header::CONTENT_TYPE) {
            <Self as FromRequest<ApiState>>::from_request(request, state).await.map(Some)
        } else {
            Ok(None)
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
        || (essence.len() > 17
            && essence.is_char_boundary(12)
            && essence.split_at(12).0.eq_ignore_ascii_case("application/")
            && essence.to_ascii_lowercase().ends_with("+json"))
}

/// Takes what a peer still sends, for a moment: its connection would be reset otherwise before it
/// reads why it was refused.
async fn forget(body: axum::body::Body) {
    let mut pieces = body.into_data_stream();
    let mut taken = 0;
    let take = async {
        while let Some(Ok(piece)) = pieces.next().await
            && taken < FORGOTTEN_BYTES
        {
            taken += piece.len();
        }
    };
    // Whatever comes later is the peer's loss.
    let _ = tokio::time::timeout(FORGET_TIMEOUT, take).await;
}

async fn read(request: Request, limit: usize) -> Result<bytes::Bytes, ApiError> {
    let too_large = ApiError::TooLarge { limit };
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limit as u64) {
        let asks_first = request.headers().contains_key(header::EXPECT);
        if !asks_first {
            forget(request.into_body()).await;
        }
        return Err(too_large);
    }
    let body = axum::body::to_bytes(request.into_body(), limit);
    match tokio::time::timeout(BODY_TIMEOUT, body).await {
        Err(_) => Err(ApiError::BodyTimeout),
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(e)) if is_too_large(&e) => Err(too_large),
        Ok(Err(_)) => Err(ApiError::Malformed("the body ended early".to_owned())),
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(e) = source {
        if e.is::<LengthLimitError>() {
            return true;
        }
        source = e.source();
    }
    false
}

/// Reads JSON from outside: NUL and lone surrogates become visible marks, and an error names the
/// field. Deeper nesting than 128 is refused.
pub fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, ApiError> {
    let json = text::clean_json(json);
    if json.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'[') {
        // serde would take a list's entries for the fields in order.
        return Err(ApiError::invalid("body", "must be an object"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(&json);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|e| {
        let path = e.path().to_string();
        let error = e.into_inner();
        let message = error.to_string();
        if message.starts_with("recursion limit exceeded") {
            return ApiError::Malformed("nested deeper than 128".to_owned());
        }
        match error.classify() {
            serde_json::error::Category::Data => ApiError::invalid(field_of(&path, &message), message),
            _ => ApiError::Malformed(message),
        }
    })?;
    deserializer.end().map_err(|e| ApiError::Malformed(e.to_string()))?;
    Ok(value)
}

/// The path, or, for a field that is missing, its own name.
pub(crate) fn field_of(path: &str, message: &str) -> String {
    let missing = message.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
    match (missing, path) {
        (Some(name), ".") => name.to_owned(),
        (Some(name), path) => format!("{path}.{name}"),
        (None, ".") => "body".to_owned(),
        (None, path) => path.to_owned(),
    }
}

/// What a path segment identifies, in the words of a 404.
pub trait Named: FromStr {
    /// As in "there is no such session".
    const NAME: &'static str;
}

impl Named for shared::domain::ids::AgentId {
    const NAME: &'static str = "agent";
}
impl Named for shared::domain::ids::ModelId {
    const NAME: &'static str = "model";
}
impl Named for shared::domain::ids::SessionId {
    const NAME: &'static str = "session";
}
impl Named for shared::domain::ids::MessageId {
    const NAME: &'static str = "message";
}
impl Named for shared::domain::ids::RunId {
    const NAME: &'static str = "run";
}

impl Named for shared::domain::ids::SubagentId {
    const NAME: &'static str = "subagent";
}
impl Named for shared::domain::ids::ApiKeyId {
    const NAME: &'static str = "key";
}
impl Named for shared::domain::ids::PauseId {
    const NAME: &'static str = "question";
}

impl Named for shared::domain::ids::UserId {
    const NAME: &'static str = "user";
}
impl Named for shared::domain::ids::RoleId {
    const NAME: &'static str = "role";
}
impl Named for shared::domain::ids::TenantId {
    const NAME: &'static str = "tenant";
}
impl Named for shared::domain::ids::LoginSessionId {
    const NAME: &'static str = "login";
}

/// An id in the path. One that can't be an id is one that does not exist: 404.
#[derive(Debug)]
pub struct Id<T>(pub T);

impl<T: Named + Send, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<String>::from_request_parts(parts, state).await;
        let Ok(axum::extract::Path(raw)) = path else { return Err(ApiError::NotFound(T::NAME)) };
        raw.parse().map(Self).map_err(|_| ApiError::NotFound(T::NAME))
    }
}

/// Two ids in the path.
#[derive(Debug)]
pub struct Ids<A, B>(pub A, pub B);

impl<A: Named + Send, B: Named + Send, S: Send + Sync> FromRequestParts<S> for Ids<A, B> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<(String, String)>::from_request_parts(parts, state).await;
        let Ok(axum::extract::Path((a, b))) = path else { return Err(ApiError::NotFound(A::NAME)) };
        let a = a.parse().map_err(|_| ApiError::NotFound(A::NAME))?;
        Ok(Self(a, b.parse().map_err(|_| ApiError::NotFound(B::NAME))?))
    }
}

/// The query string. Unknown parameters are ignored; a value that can't be used is named.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        axum::extract::Query::try_from_uri(&parts.uri).map(|axum::extract::Query(q)| Self(q)).map_err(|e| {
            // axum renders it as "…: field: message", and only so.
            let text = e.body_text();
            let text = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
            let (field, message) = text.split_once(": ").unwrap_or(("query", text));
            ApiError::invalid(field, message)
        })
    }
}
