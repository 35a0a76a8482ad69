//! `/api/users`: who can log in, and what they may do.

use super::given::{Nullable, given};
use super::page::{Page, PageQuery};
use crate::auth::{May, policy};
use crate::client::ClientAddress;
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shared::domain::accounts::{User, check_password, clean_name};
use shared::domain::ids::{RoleId, UserId};
use shared::secrets::Secret;
use shared::store::accounts::Authority;
use shared::store::users::{self, NewUser, UserChange, UserFilter};
use utoipa::ToSchema;

const MAX_DISPLAY_CHARS: usize = 100;
const MAX_ROLES: usize = 50;

/// Which users.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UserQuery {
    /// Users on a page: 50 if not given, at most 200.
    pub limit: Option<u32>,
    /// `nextCursor` of the page before.
    pub cursor: Option<String>,
    /// A part of the name or of the shown name.
    pub q: Option<String>,
    /// Those who may not log in, or those who may.
    pub disabled: Option<bool>,
}

/// A user that is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRequest {
    /// What they log in with: 1 to 64 letters, digits or any of `. _ - @ +`; upper case becomes lower.
    pub name: String,
    /// Shown to people; none: the name.
    pub display_name: Option<String>,
    /// 10 to 256 characters, not the name; none: they can't log in with a password.
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<Secret>,
    /// What they may do; never more than who makes them.
    #[serde(default)]
    pub role_ids: Vec<RoleId>,
}

/// What of a user is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserPatch {
    /// What they log in with.
    #[serde(default, deserialize_with = "given")]
    pub name: Option<String>,
    /// Shown to people.
    #[serde(default, deserialize_with = "given")]
    pub display_name: Option<String>,
    /// Another password, which logs them out everywhere; null: they can't log in with one any more.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<Nullable<Secret>>,
    /// May not log in: they are logged out everywhere, and their keys are refused.
    #[serde(default, deserialize_with = "given")]
    pub disabled: Option<bool>,
    /// What they may do, from their next request on.
    #[serde(default, deserialize_with = "given")]
    pub role_ids: Option<Vec<RoleId>>,
}

/// Lists users, oldest first.
#[utoipa::path(get, path = "/api/users", tag = "accounts", params(UserQuery), security(("token" = ["user:view"])),
    responses((status = 200, body = Page<User>, example = json!({"items": [{"id": 1, "name": "ada",
        "displayName": "Ada", "disabled": false, "roleIds": [1], "lastLoginAt": null,
        "createTime": "2026-11-30T12:00:00.000Z", "updateTime": "2026-11-30T12:00:00.000Z"}]})),
    (status = 400, description = "A parameter can't be used", body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::UserView>,
    Query(query): Query<UserQuery>,
) -> Result<axum::Json<Page<User>>, ApiError> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let limit = page.limit()?;
    let filter = UserFilter { text: query.q.unwrap_or_default(), disabled: query.disabled };
    let rows = users::list(&state.app.db, principal.tenant_id, &filter, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |user| user.id, |user| user)))
}

/// Makes a user.
#[utoipa::path(post, path = "/api/users", tag = "accounts", security(("token" = ["user:manage"])),
    request_body(content = UserRequest, example = json!({"name": "ada", "displayName": "Ada",
        "password": "correct horse battery", "roleIds": [3]})),
    responses((status = 201, body = User), (status = 400, description = "A value can't be used", body = Problem),
    (status = 401, body = Problem),
    (status = 403, description = "Not allowed, or a role gives more than you hold", body = Problem),
    (status = 409, description = "The name is taken", body = Problem),
    (status = 503, description = "Too many log in at this moment; see `Retry-After`", body = Problem)))]
pub async fn create(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<UserRequest>,
) -> Result<(StatusCode, axum::Json<User>), ApiError> {
    let name = named(&body.name)?;
    let display_name = shown_name(body.display_name, &name)?;
    let role_ids = few(body.role_ids)?;
    let password_hash = match &body.password {
        Some(password) => Some(checked_password(&state, &name, password).await?),
        None => None,
    };
    let new = NewUser { name, display_name, password_hash, role_ids };
    let authority = Authority::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    let user = users::insert(&state.app.db, principal.tenant_id, &new, &authority, now).await?;
    Ok((StatusCode::CREATED, axum::Json(user)))
}

/// Shows a user.
#[utoipa::path(get, path = "/api/users/{id}", tag = "accounts", params(("id" = UserId, Path)),
    security(("token" = ["user:view"])), responses((status = 200, body = User), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    principal: May<policy::UserView>,
    Id(id): Id<UserId>,
) -> Result<axum::Json<User>, ApiError> {
    let user = users::find(&state.app.db, principal.tenant_id, id).await?;
    user.map(axum::Json).ok_or(ApiError::NotFound("user"))
}

/// Changes what is given and keeps the rest. The last one who may manage users keeps that.
#[utoipa::path(patch, path = "/api/users/{id}", tag = "accounts", params(("id" = UserId, Path)),
    security(("token" = ["user:manage"])),
    request_body(content = UserPatch, example = json!({"disabled": true})),
    responses((status = 200, body = User), (status = 400, description = "A value can't be used", body = Problem),
    (status = 401, body = Problem),
    (status = 403, description = "Not allowed, or the user may, or would, do more than you", body = Problem),
    (status = 404, body = Problem),
    (status = 409, description = "The name is taken, or nobody would be left who may manage users", body = Problem),
    (status = 503, description = "Too many log in at this moment; see `Retry-After`", body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    ClientAddress(address): ClientAddress,
    Id(id): Id<UserId>,
    Json(patch): Json<UserPatch>,
) -> Result<axum::Json<User>, ApiError> {
    let (db, gone) = (&state.app.db, ApiError::NotFound("user"));
    let Some(stored) = users::find(db, principal.tenant_id, id).await? else { return Err(gone) };
    let name = patch.name.as_deref().map(named).transpose()?;
    let called = name.as_deref().unwrap_or(&stored.name);
    let display_name = patch.display_name.map(|shown| shown_name(Some(shown), called)).transpose()?;
    let role_ids = patch.role_ids.map(few).transpose()?;
    let password_hash = match &patch.password {
        Some(Some(password)) => Some(Some(checked_password(&state, called, password).await?)),
        Some(None) => Some(None),
        None => None,
    };
    let change = UserChange { name, display_name, password_hash, disabled: patch.disabled, role_ids };
    let authority = Authority::of(&principal, Some(address.to_string()));
    let updated =
        users::update(db, principal.tenant_id, id, &change, &authority, state.app.clock.now()).await?;
    updated.map(axum::Json).ok_or(gone)
}

/// Removes a user with their logins and keys. The agents that they made and the sessions that they began
/// stay.
#[utoipa::path(delete, path = "/api/users/{id}", tag = "accounts", params(("id" = UserId, Path)),
    security(("token" = ["user:manage"])), responses((status = 204, description = "Removed"),
    (status = 401, body = Problem),
    (status = 403, description = "Not allowed, or the user may do more than you", body = Problem),
    (status = 404, body = Problem),
    (status = 409, description = "Nobody would be left who may manage users", body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    ClientAddress(address): ClientAddress,
    Id(id): Id<UserId>,
) -> Result<StatusCode, ApiError> {
    let authority = Authority::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    if users::delete(&state.app.db, principal.tenant_id, id, &authority, now).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NotFound("user"))
    }
}

/// A name to log in with, clean.
pub(super) fn named(name: &str) -> Result<String, ApiError> {
    clean_name(name)
        .ok_or_else(|| ApiError::invalid("name", "must be 1 to 64 letters, digits or any of . _ - @ +"))
}

/// What people are shown; without one the name.
pub(super) fn shown_name(shown: Option<String>, name: &str) -> Result<String, ApiError> {
    let shown = shown.map_or_else(|| name.to_owned(), |shown| shown.trim().to_owned());
    super::check_name("displayName", &shown, MAX_DISPLAY_CHARS)?;
    Ok(shown)
}

/// The hash of a password that the user of this name may have.
pub(super) async fn checked_password(
    state: &ApiState,
    name: &str,
    password: &Secret,
) -> Result<String, ApiError> {
    check_password(name, password.expose()).map_err(|why| ApiError::invalid("password", why.to_string()))?;
    state.passwords.turn().await?.hash(password).await
}

fn few(role_ids: Vec<RoleId>) -> Result<Vec<RoleId>, ApiError> {
    if role_ids.len() > MAX_ROLES {
        return Err(ApiError::invalid("roleIds", format!("must be at most {MAX_ROLES}")));
    }
    Ok(role_ids)
}
