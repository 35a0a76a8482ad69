//! Who acts, as the audit names them.

use super::layer::Authenticated;
use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shared::domain::audit::By;

/// Somebody who was authenticated and is about to change something.
#[derive(Debug, Clone)]
pub struct Acting(pub By);

impl FromRequestParts<ApiState> for Acting {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let who = Authenticated::from_request_parts(parts, state).await?;
        Ok(Self(who.acting()))
    }
}
