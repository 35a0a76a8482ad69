//! Where a request comes from: the other end of its connection, or whom a trusted proxy asks for.

use crate::state::ApiState;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

/// The other end of the connection; the listener puts it into each request.
#[derive(Debug, Clone, Copy)]
pub struct PeerAddress(pub IpAddr);

/// Whose address a request comes from, for limits and the audit. An extension of each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Of requests that came over no connection, as within tests.
    pub const NONE: Self = Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

    /// As the layer found it.
    pub fn of(extensions: &axum::http::Extensions) -> Self {
        extensions.get().copied().unwrap_or(Self::NONE)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions))
    }
}

/// The layer.
pub async fn layer(State(state): State<ApiState>, mut request: Request, next: Next) -> Response {
    let address = match request.extensions().get() {
        None => ClientAddress::NONE,
        Some(PeerAddress(peer)) => {
            let header = state.config.proxy_header;
            let values =
                request.headers().get_all(header.name()).iter().filter_map(|value| value.to_str().ok());
            // A value that is no text ends the chain, as one that names no address does.
            let readable =
                request.headers().get_all(header.name()).iter().all(|value| value.to_str().is_ok());
            let values: Vec<&str> = if readable { values.collect() } else { Vec::new() };
            ClientAddress(state.config.trusted_proxies.client(*peer, header, values.into_iter()))
        }
    };
    request.extensions_mut().insert(address);
    next.run(request).await
}
