//! Who asks, and whether they may. A request is authenticated once, by the layer; a handler's
//! signature is its policy: it takes [`May`] of a permission, or an [`Of`] of a resource.

pub mod acting;
pub mod cookie;
pub mod credential;
pub mod layer;
pub mod login;
pub mod origin;
pub mod password;
pub mod policy;
pub mod recheck;
pub mod resource;

use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use layer::Authenticated;
use policy::Policy;
use recheck::Recheck;
use shared::domain::access::Principal;
use shared::domain::permissions::Permission;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

pub use resource::Of;

impl FromRequestParts<ApiState> for Authenticated {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &ApiState) -> Result<Self, ApiError> {
        match parts.extensions.get::<Arc<Result<Self, ApiError>>>() {
            Some(outcome) => (**outcome).clone(),
            None => Err(ApiError::Unauthorized),
        }
    }
}

/// Anybody who was authenticated.
#[derive(Debug, Clone)]
pub struct Anyone(pub Principal);

impl FromRequestParts<ApiState> for Anyone {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        Authenticated::from_request_parts(parts, state).await.map(|a| Self(a.principal))
    }
}

/// Somebody who may do what `P` names.
#[derive(Debug, Clone)]
pub struct May<P>(Principal, PhantomData<P>);

impl<P> Deref for May<P> {
    type Target = Principal;

    fn deref(&self) -> &Principal {
        &self.0
    }
}

impl<P> May<P> {
    /// Who it is.
    pub fn into_principal(self) -> Principal {
        self.0
    }
}

impl<P: Policy> FromRequestParts<ApiState> for May<P> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let Anyone(principal) = Anyone::from_request_parts(parts, state).await?;
        if principal.may(P::PERMISSION) {
            Ok(Self(principal, PhantomData))
        } else {
            Err(ApiError::Forbidden(P::PERMISSION))
        }
    }
}

/// Somebody who opens a socket, from an allowed origin.
#[derive(Debug)]
pub struct SocketUser(pub Recheck);

impl FromRequestParts<ApiState> for SocketUser {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        origin::check_socket(&parts.headers, &state.config)?;
        let who = Authenticated::from_request_parts(parts, state).await?;
        if who.principal.may(Permission::SessionView) {
            Ok(Self(Recheck::new(state.clone(), who)))
        } else {
            Err(ApiError::Forbidden(Permission::SessionView))
        }
    }
}
