//! Logging in: what `/api/login` and `/api/setup` do in the same way.

use super::credential::cookie;
use super::{cookie as set_cookie, origin};
use crate::client::ClientAddress;
use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use chrono::{DateTime, Utc};
use serde::Serialize;
use shared::domain::accounts::{LoginSubjects, User, clean_name};
use shared::domain::ids::{TenantId, UserId};
use shared::domain::permissions::Permissions;
use shared::secrets::{Secret, fingerprint, random_token};
use shared::store::logins::{self, Credentials, NewLogin};
use shared::store::{tenants, users};
use utoipa::ToSchema;

/// Characters of a browser's name for itself that are kept.
const MAX_AGENT_CHARS: usize = 200;

/// Who wants to log in: from which address, with which browser. Pages of other sites may not, or they
/// could log somebody in as somebody else.
#[derive(Debug)]
pub struct Visitor {
    /// Where they come from.
    pub address: String,
    user_agent: String,
    /// Fingerprint of the cookie that they bring: it may have been planted.
    brings: Option<String>,
}

impl FromRequestParts<ApiState> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        if !origin::is_own(&parts.headers, &state.config) {
            return Err(ApiError::ForbiddenOrigin);
        }
        let Ok(ClientAddress(address)) = ClientAddress::from_request_parts(parts, state).await;
        let agent = parts.headers.get(header::USER_AGENT).and_then(|v| v.to_str().ok()).unwrap_or_default();
        Ok(Self {
            address: address.to_string(),
            user_agent: agent.chars().take(MAX_AGENT_CHARS).collect(),
            brings: cookie(&parts.headers).map(|value| fingerprint(&Secret::new(value))),
        })
    }
}

/// A tenant as its people see it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantName {
    /// Primary key.
    pub id: TenantId,
    /// What they log in with.
    pub name: String,
}

/// Who was logged in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginAnswer {
    /// Who they are.
    pub user: User,
    /// Where.
    pub tenant: TenantName,
    /// What they may do, by name.
    #[schema(value_type = Vec<String>)]
    pub permissions: Vec<&'static str>,
    /// From then on they are logged out, however busy they are.
    pub expires_at: DateTime<Utc>,
}

/// The names of permissions.
pub fn names(permissions: Permissions) -> Vec<&'static str> {
    permissions.iter().map(shared::domain::permissions::Permission::as_str).collect()
}

/// The tenant's name.
pub async fn tenant_name(state: &ApiState, id: TenantId) -> Result<TenantName, ApiError> {
    let tenant = tenants::find(&state.app.db, id).await?;
    let tenant = tenant.ok_or_else(|| ApiError::Internal(format!("no tenant {id}")))?;
    Ok(TenantName { id, name: tenant.name })
}

/// Logs in by name and password. Every refusal is the same, and takes as long: an account that does not
/// exist, a wrong password, somebody who may not.
pub async fn by_password(
    state: &ApiState,
    visitor: &Visitor,
    tenant: Option<&str>,
    name: &str,
    password: &Secret,
) -> Result<(HeaderValue, LoginAnswer), ApiError> {
    let db = &state.app.db;
    let tenant = tenant.map(str::trim).filter(|t| !t.is_empty());
    let tenant_name = tenant.map(|t| clean_name(t).unwrap_or_default());
    let tenant_id = logins::tenant_of(db, tenant_name.as_deref()).await?;
    let subjects = LoginSubjects::of(tenant_id.ok_or(tenant.unwrap_or_default()), name, &visitor.address);
    refuse_locked(state, &subjects).await?;
    let nobody = TenantId(0);
    let clean = clean_name(name).unwrap_or_default();
    let found = logins::credentials(db, tenant_id.unwrap_or(nobody), &clean).await?;
    let turn = state.passwords.turn().await?;
    // Others may have failed while this one stood in the line.
    refuse_locked(state, &subjects).await?;
    let stored = found.as_ref().and_then(|who| who.password_hash.clone());
    let right = turn.fits(password, stored).await?;
    let whose = found.as_ref().map(|who| (who.tenant_id, who.user_id));
    if let Some(who) = found.filter(|who| right && !who.disabled)
        && let Some(entered) = begin(state, visitor, &who, &subjects).await?
    {
        return Ok(entered);
    }
    fail(state, &subjects, whose).await?;
    Err(ApiError::LoginFailed)
}

/// Refuses a try while its account or address is locked.
pub async fn refuse_locked(state: &ApiState, subjects: &LoginSubjects) -> Result<(), ApiError> {
    let now = state.app.clock.now();
    match logins::locked_until(&state.app.db, subjects, now).await? {
        Some(until) => {
            let left = (until - now).num_milliseconds().unsigned_abs();
            Err(ApiError::LoginLocked { retry_after: left.div_ceil(1000).max(1) })
        }
        None => Ok(()),
    }
}

/// Counts a failed try at the account, whose it is if it exists.
pub async fn fail(
    state: &ApiState,
    subjects: &LoginSubjects,
    whose: Option<(TenantId, UserId)>,
) -> Result<(), ApiError> {
    let locked = logins::fail(&state.app.db, subjects, whose, state.app.clock.now()).await?;
    metrics::counter!("neta_logins_failed_total").increment(1);
    if let Some(until) = locked {
        tracing::warn!(%until, "too many logins failed: an account or an address is locked");
    }
    Ok(())
}

/// Logs somebody in whose password was right, under a cookie that nobody knew before. None: they may not
/// any more.
pub async fn begin(
    state: &ApiState,
    visitor: &Visitor,
    who: &Credentials,
    subjects: &LoginSubjects,
) -> Result<Option<(HeaderValue, LoginAnswer)>, ApiError> {
    let db = &state.app.db;
    let token = random_token().map_err(|error| ApiError::Internal(error.to_string()))?;
    let token_hash = fingerprint(&token);
    let new = NewLogin {
        token_hash: &token_hash,
        replaces: visitor.brings.as_deref(),
        address: &visitor.address,
        user_agent: &visitor.user_agent,
    };
    let now = state.app.clock.now();
    let Some(login) = logins::begin(db, who, &new, subjects, now).await? else { return Ok(None) };
    let Some(user) = users::find(db, who.tenant_id, who.user_id).await? else { return Ok(None) };
    let answer = LoginAnswer {
        tenant: tenant_name(state, who.tenant_id).await?,
        permissions: names(users::permissions(db, &user).await?),
        expires_at: login.expires_at,
        user,
    };
    Ok(Some((set_cookie::set(&token, state.config.is_https), answer)))
}
