//! `/api/login` and `/api/logout`: how a browser's cookie begins and ends.

use crate::auth::login::{self, LoginAnswer, Visitor};
use crate::auth::{Anyone, cookie};
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::state::ApiState;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Deserialize;
use shared::domain::access::Actor;
use shared::domain::audit::By;
use shared::secrets::Secret;
use shared::store::logins;
use utoipa::ToSchema;

/// A name and a password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginRequest {
    /// Upper case counts as lower.
    pub name: String,
    /// As it was set.
    #[schema(value_type = String, format = Password)]
    pub password: Secret,
    /// The tenant's name; none, or an empty one: the first tenant.
    pub tenant: Option<String>,
}

/// Logs in: the answer sets the cookie `neta_session`, under a new value each time. A login whose cookie
/// came with the request ends. Whatever is wrong, the refusal is the same.
#[utoipa::path(post, path = "/api/login", tag = "accounts", security(()),
    request_body(content = LoginRequest, example = json!({"name": "ada", "password": "correct horse battery"})),
    responses(
        (status = 200, description = "Logged in", body = LoginAnswer,
            headers(("Set-Cookie" = String, description = "neta_session=…; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax")),
            example = json!({
                "user": {"id": 1, "name": "ada", "displayName": "Ada", "disabled": false, "roleIds": [1],
                    "lastLoginAt": "2026-11-30T12:00:00.000Z", "createTime": "2026-11-30T12:00:00.000Z",
                    "updateTime": "2026-11-30T12:00:00.000Z"},
                "tenant": {"id": 1, "name": "main"}, "permissions": ["agent:use", "session:chat"],
                "expiresAt": "2026-12-30T12:00:00.000Z"})),
        (status = 400, description = "A field is missing or of the wrong type", body = Problem),
        (status = 401, description = "`login_failed`: unknown, wrong or disabled", body = Problem),
        (status = 403, description = "A page of another site", body = Problem),
        (status = 429, description = "`login_locked`: too many failures of the account or the address; see `Retry-After`",
            body = Problem),
        (status = 503, description = "Too many log in at this moment; see `Retry-After`", body = Problem)))]
pub async fn login(
    State(state): State<ApiState>,
    visitor: Visitor,
    Json(body): Json<LoginRequest>,
) -> Result<([(HeaderName, HeaderValue); 1], axum::Json<LoginAnswer>), ApiError> {
    let LoginRequest { name, password, tenant } = body;
    let (cookie, answer) = login::by_password(&state, &visitor, tenant.as_deref(), &name, &password).await?;
    Ok(([(header::SET_COOKIE, cookie)], axum::Json(answer)))
}

/// Logs out: the login ends, and the cookie goes.
#[utoipa::path(post, path = "/api/logout", tag = "accounts", security(("token" = [])), responses(
    (status = 204, description = "Logged out"), (status = 401, body = Problem)))]
pub async fn logout(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
    visitor: Visitor,
) -> Result<(StatusCode, [(HeaderName, HeaderValue); 1]), ApiError> {
    if let Actor::User { id, login } = principal.actor {
        let by = By::of(&principal, Some(visitor.address));
        logins::end(&state.app.db, principal.tenant_id, id, login, &by, state.app.clock.now()).await?;
    }
    let cookie = cookie::clear(state.config.is_https);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]))
}
