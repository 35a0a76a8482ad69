//! Who asks. A handler that takes a [`Principal`] is closed to everybody else; the signature is the
//! policy.

pub mod origin;

use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use shared::domain::ids::TenantId;
use subtle::ConstantTimeEq;

/// The subprotocol that a browser's socket may carry its token in, beside `neta`.
const TOKEN_PROTOCOL: &str = "bearer.";

/// Somebody whose right was checked.
#[derive(Debug, Clone, Copy)]
pub struct Principal {
    /// Whose objects are seen and made.
    pub tenant_id: TenantId,
}

impl FromRequestParts<ApiState> for Principal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        of_token(bearer(&parts.headers), state)
    }
}

/// Somebody who opens a socket: from an allowed origin, with a token in the `Authorization` header
/// or, since browsers can't set that, in `Sec-WebSocket-Protocol: neta, bearer.<token>`.
#[derive(Debug, Clone, Copy)]
pub struct SocketPrincipal(pub Principal);

impl FromRequestParts<ApiState> for SocketPrincipal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        origin::check(&parts.headers, &state.config)?;
        let token = bearer(&parts.headers).or_else(|| offered(&parts.headers));
        of_token(token, state).map(Self)
    }
}

fn of_token(token: Option<&str>, state: &ApiState) -> Result<Principal, ApiError> {
    let expected = state.config.admin_token.expose().as_bytes();
    match token {
        Some(token) if bool::from(token.as_bytes().ct_eq(expected)) => {
            Ok(Principal { tenant_id: TenantId::FIRST })
        }
        _ => Err(ApiError::Unauthorized),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn offered(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::SEC_WEBSOCKET_PROTOCOL)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','))
        .find_map(|p| p.trim().strip_prefix(TOKEN_PROTOCOL))
}
