//! `/api/me`: who asks, and where they are logged in.

use super::given::given;
use super::page::Page;
use super::users::{checked_password, shown_name};
use crate::auth::Anyone;
use crate::auth::login::{self, TenantName};
use crate::client::ClientAddress;
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::domain::access::{Actor, Principal};
use shared::domain::accounts::{LoginSession, LoginSubjects, User};
use shared::domain::audit::{ActorKind, By};
use shared::domain::ids::{ApiKeyId, LoginSessionId, RoleId, UserId};
use shared::secrets::Secret;
use shared::store::accounts::Authority;
use shared::store::users::UserChange;
use shared::store::{logins, users};
use utoipa::ToSchema;

/// Who asks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// What kind of somebody: `operator`, `user` or `key`.
    pub actor: ActorKind,
    /// The person that they are or act for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<User>,
    /// Where.
    pub tenant: TenantName,
    /// What they may do, by name.
    #[schema(value_type = Vec<String>)]
    pub permissions: Vec<&'static str>,
    /// Their roles.
    pub role_ids: Vec<RoleId>,
    /// The key that they showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_id: Option<ApiKeyId>,
}

/// Says who asks, and what they may do.
#[utoipa::path(get, path = "/api/me", tag = "accounts", security(("token" = [])), responses(
    (status = 200, body = Me, example = json!({"actor": "operator", "tenant": {"id": 1, "name": "main"},
        "permissions": ["agent:use", "agent:view"], "roleIds": []})),
    (status = 401, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
) -> Result<axum::Json<Me>, ApiError> {
    shown(&state, &principal).await.map(axum::Json)
}

async fn shown(state: &ApiState, principal: &Principal) -> Result<Me, ApiError> {
    let (actor, key_id) = match principal.actor {
        Actor::Operator => (ActorKind::Operator, None),
        Actor::User { .. } => (ActorKind::User, None),
        Actor::Key { id, .. } => (ActorKind::Key, Some(id)),
    };
    let user = match principal.user_id() {
        Some(id) => users::find(&state.app.db, principal.tenant_id, id).await?,
        None => None,
    };
    Ok(Me {
        actor,
        user,
        tenant: login::tenant_name(state, principal.tenant_id).await?,
        permissions: login::names(principal.permissions),
        role_ids: principal.role_ids.to_vec(),
        key_id,
    })
}

/// What one may change of oneself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MePatch {
    /// Shown to people.
    #[serde(default, deserialize_with = "given")]
    pub display_name: Option<String>,
    /// A new password: 10 to 256 characters, not the name.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<Secret>,
    /// The one of today; needed for a new one.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = Password)]
    pub current_password: Option<Secret>,
}

/// Changes one's own name or password. A new password ends all other logins.
#[utoipa::path(patch, path = "/api/me", tag = "accounts", security(("token" = [])),
    request_body(content = MePatch, example = json!({"displayName": "Ada L."})), responses(
    (status = 200, body = Me),
    (status = 400, description = "A value can't be used, or `currentPassword` is not the password", body = Problem),
    (status = 401, body = Problem),
    (status = 403, description = "Only a person who is logged in can", body = Problem),
    (status = 409, description = "The password changed meanwhile", body = Problem),
    (status = 429, description = "`login_locked`: too many wrong passwords; see `Retry-After`", body = Problem),
    (status = 503, description = "Too many log in at this moment; see `Retry-After`", body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
    ClientAddress(address): ClientAddress,
    Json(patch): Json<MePatch>,
) -> Result<axum::Json<Me>, ApiError> {
    let (id, keep) = person(&principal)?;
    let address = address.to_string();
    let user = users::find(&state.app.db, principal.tenant_id, id).await?.ok_or(ApiError::Unauthorized)?;
    let display_name = match patch.display_name {
        Some(name) => Some(shown_name(Some(name), &user.name)?),
        None => None,
    };
    if let Some(new) = &patch.password {
        let old = patch
            .current_password
            .as_ref()
            .ok_or_else(|| ApiError::invalid("currentPassword", "is needed for a new password"))?;
        let by = By::of(&principal, Some(address.clone()));
        change_password(&state, &user, (old, new), keep, &by, &address).await?;
    }
    if display_name.is_some() {
        let change = UserChange { display_name, ..UserChange::default() };
        let authority = Authority::of(&principal, Some(address));
        let now = state.app.clock.now();
        users::update(&state.app.db, principal.tenant_id, id, &change, &authority, now).await?;
    }
    shown(&state, &principal).await.map(axum::Json)
}

/// Wrong tries count like failed logins: somebody at an open browser does not guess on.
async fn change_password(
    state: &ApiState,
    user: &User,
    (old, new): (&Secret, &Secret),
    keep: LoginSessionId,
    by: &By,
    address: &str,
) -> Result<(), ApiError> {
    let db = &state.app.db;
    let subjects = LoginSubjects::of(Ok(user.tenant_id), &user.name, address);
    login::refuse_locked(state, &subjects).await?;
    let stored = logins::password_hash(db, user.tenant_id, user.id).await?;
    let turn = state.passwords.turn().await?;
    login::refuse_locked(state, &subjects).await?;
    let right = turn.fits(old, stored.clone()).await?;
    let Some(stored) = stored.filter(|_| right) else {
        login::fail(state, &subjects, Some((user.tenant_id, user.id))).await?;
        return Err(ApiError::invalid("currentPassword", "is not the password"));
    };
    let hash = checked_password(state, &user.name, new).await?;
    if users::change_password(db, user, (&stored, &hash), keep, by, state.app.clock.now()).await? {
        Ok(())
    } else {
        Err(ApiError::Conflict("the password changed meanwhile".to_owned()))
    }
}

/// A browser that one is logged in with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginView {
    /// The login.
    #[serde(flatten)]
    pub login: LoginSession,
    /// It is the one that asks.
    pub current: bool,
}

/// Lists where one is logged in, the latest first.
#[utoipa::path(get, path = "/api/me/sessions", tag = "accounts", security(("token" = [])), responses(
    (status = 200, body = Page<LoginView>, example = json!({"items": [{"id": 7, "address": "192.0.2.7",
        "userAgent": "Mozilla/5.0", "createTime": "2026-11-30T12:00:00.000Z", "seenAt": "2026-11-30T12:01:00.000Z",
        "expiresAt": "2026-12-30T12:00:00.000Z", "current": true}]})),
    (status = 401, body = Problem),
    (status = 403, description = "Only a person who is logged in can", body = Problem)))]
pub async fn list_sessions(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
) -> Result<axum::Json<Page<LoginView>>, ApiError> {
    let (id, own) = person(&principal)?;
    let logins = logins::list(&state.app.db, id, state.app.clock.now()).await?;
    let show = |login: LoginSession| LoginView { current: login.id == own, login };
    Ok(axum::Json(Page { items: logins.into_iter().map(show).collect(), next_cursor: None }))
}

/// Ends one of one's logins.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "accounts", security(("token" = [])),
    params(("id" = LoginSessionId, Path)), responses(
    (status = 204, description = "Ended"), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub async fn end_session(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
    ClientAddress(address): ClientAddress,
    Id(id): Id<LoginSessionId>,
) -> Result<StatusCode, ApiError> {
    // Who has no logins has none of this id.
    let (user_id, _) = person(&principal).map_err(|_| ApiError::NotFound("login"))?;
    let by = By::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    if logins::end(&state.app.db, principal.tenant_id, user_id, id, &by, now).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NotFound("login"))
    }
}

/// Ends all of one's logins but the one that asks.
#[utoipa::path(delete, path = "/api/me/sessions", tag = "accounts", security(("token" = [])), responses(
    (status = 204, description = "Ended"), (status = 401, body = Problem),
    (status = 403, description = "Only a person who is logged in can", body = Problem)))]
pub async fn end_other_sessions(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
    ClientAddress(address): ClientAddress,
) -> Result<StatusCode, ApiError> {
    let (user_id, own) = person(&principal)?;
    let by = By::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    logins::end_others(&state.app.db, principal.tenant_id, user_id, own, &by, now).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A person, and the login that asks.
fn person(principal: &Principal) -> Result<(UserId, LoginSessionId), ApiError> {
    match principal.actor {
        Actor::User { id, login } => Ok((id, login)),
        Actor::Operator | Actor::Key { .. } => {
            Err(ApiError::NotAllowed("only a person who is logged in can do this"))
        }
    }
}
