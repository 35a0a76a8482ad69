//! Authenticates each request once, before its handler, and keeps other sites' pages from acting with
//! a browser's cookie.

use super::credential::{Credential, Shown, authenticate};
use super::origin;
use crate::client::ClientAddress;
use crate::error::ApiError;
use crate::rate::{Outcome, Subject};
use crate::state::ApiState;
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shared::domain::access::Principal;
use shared::domain::audit::By;
use std::sync::Arc;

/// Somebody whose credential was looked up.
#[derive(Debug, Clone)]
pub struct Authenticated {
    /// Who, and what they may.
    pub principal: Principal,
    /// By what.
    pub credential: Credential,
    /// Whose rates their requests and frames take from.
    pub payers: Arc<[Subject]>,
    /// From where.
    pub address: ClientAddress,
}

impl Authenticated {
    /// As the audit names them.
    pub fn acting(&self) -> By {
        let known = Some(self.address).filter(|address| *address != ClientAddress::NONE);
        By::of(&self.principal, known.map(|ClientAddress(address)| address.to_string()))
    }
}

/// The layer. What it finds stands in the request's extensions; that it finds nobody is for the
/// handler to refuse.
pub async fn layer(State(state): State<ApiState>, mut request: Request, next: Next) -> Response {
    let is_socket = request.headers().contains_key(header::SEC_WEBSOCKET_KEY);
    let shown = Shown::by(request.headers(), is_socket);
    let outcome = match &shown {
        Shown::Nothing => Err(ApiError::Unauthorized),
        // A page of another site would send it, too.
        Shown::Cookie(_)
            if !is_safe(request.method()) && !origin::is_own(request.headers(), &state.config) =>
        {
            Err(ApiError::ForbiddenOrigin)
        }
        _ => authenticate(&shown, ClientAddress::of(request.extensions()), &state).await,
    };
    let taken = match &outcome {
        Ok(who) => state.rates.take(&who.payers).await,
        // Their address pays, outside of this.
        Err(_) => Outcome::default(),
    };
    let mut response = match taken.check() {
        Ok(()) => {
            request.extensions_mut().insert(Arc::new(outcome));
            next.run(request).await
        }
        Err(error) => error.into_response(),
    };
    taken.write(response.headers_mut());
    response
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
