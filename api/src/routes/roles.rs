//! `/api/roles` and `/api/permissions`: what people may do, by name.

use super::given::given;
use super::page::{Page, PageQuery};
use crate::auth::{Anyone, May, policy};
use crate::client::ClientAddress;
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use shared::domain::accounts::Role;
use shared::domain::ids::RoleId;
use shared::domain::permissions::{Permission, is_grant};
use shared::store::accounts::Authority;
use shared::store::roles::{self, RoleSpec};
use utoipa::ToSchema;

const MAX_NAME_CHARS: usize = 64;
const MAX_DESCRIPTION_CHARS: usize = 500;
const MAX_GRANTS: usize = 100;

/// A permission that roles may give.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionView {
    /// `resource:action`.
    #[schema(value_type = String)]
    pub name: &'static str,
    /// What it allows.
    #[schema(value_type = String)]
    pub description: &'static str,
}

/// Lists what roles may give. A role may give all of a resource, too, as `agent:*`, or everything: `*`.
#[utoipa::path(get, path = "/api/permissions", tag = "accounts", security(("token" = [])), responses(
    (status = 200, body = Vec<PermissionView>, example = json!([{"name": "agent:use",
        "description": "Talk to agents that one sees, and know their names and descriptions."}])),
    (status = 401, body = Problem)))]
pub async fn permissions(_: Anyone) -> axum::Json<Vec<PermissionView>> {
    let view = |p: &Permission| PermissionView { name: p.as_str(), description: p.description() };
    axum::Json(Permission::ALL.iter().map(view).collect())
}

/// A role that is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleRequest {
    /// Unique in the tenant.
    pub name: String,
    /// For people.
    #[serde(default)]
    pub description: String,
    /// Grants: names of permissions as `agent:view`, all of a resource as `agent:*`, or `*`. Never more
    /// than who makes the role holds.
    pub permissions: Vec<String>,
}

/// What of a role is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RolePatch {
    /// Unique in the tenant.
    #[serde(default, deserialize_with = "given")]
    pub name: Option<String>,
    /// For people.
    #[serde(default, deserialize_with = "given")]
    pub description: Option<String>,
    /// All that it is to give.
    #[serde(default, deserialize_with = "given")]
    pub permissions: Option<Vec<String>>,
}

/// Lists roles, oldest first.
#[utoipa::path(get, path = "/api/roles", tag = "accounts", params(PageQuery), security(("token" = ["user:view"])),
    responses((status = 200, body = Page<Role>, example = json!({"items": [{"id": 4, "name": "viewer",
        "description": "Sees agents and the own conversations, and changes nothing", "builtIn": true,
        "permissions": ["agent:use", "session:view"], "createTime": "1970-01-01T00:00:00.000Z",
        "updateTime": "1970-01-01T00:00:00.000Z"}]})),
    (status = 400, description = "A parameter can't be used", body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::UserView>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<Role>>, ApiError> {
    let limit = page.limit()?;
    let rows = roles::list(&state.app.db, principal.tenant_id, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |role| role.id, |role| role)))
}

/// Makes a role.
#[utoipa::path(post, path = "/api/roles", tag = "accounts", security(("token" = ["user:manage"])),
    request_body(content = RoleRequest, example = json!({"name": "support", "description": "Reads along",
        "permissions": ["agent:use", "session:view_all"]})),
    responses((status = 201, body = Role),
    (status = 400, description = "A value can't be used, as a permission that there is not", body = Problem),
    (status = 401, body = Problem),
    (status = 403, description = "Not allowed, or it would give more than you hold", body = Problem),
    (status = 409, description = "The name is taken", body = Problem)))]
pub async fn create(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<RoleRequest>,
) -> Result<(StatusCode, axum::Json<Role>), ApiError> {
    let spec =
        checked(RoleSpec { name: body.name, description: body.description, permissions: body.permissions })?;
    let authority = Authority::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    let role = roles::insert(&state.app.db, principal.tenant_id, &spec, &authority, now).await?;
    Ok((StatusCode::CREATED, axum::Json(role)))
}

/// Shows a role.
#[utoipa::path(get, path = "/api/roles/{id}", tag = "accounts", params(("id" = RoleId, Path)),
    security(("token" = ["user:view"])), responses((status = 200, body = Role), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    principal: May<policy::UserView>,
    Id(id): Id<RoleId>,
) -> Result<axum::Json<Role>, ApiError> {
    let role = roles::find(&state.app.db, principal.tenant_id, id).await?;
    role.map(axum::Json).ok_or(ApiError::NotFound("role"))
}

/// Changes what is given and keeps the rest. It holds from its users' next requests on. Built-in roles
/// don't change.
#[utoipa::path(patch, path = "/api/roles/{id}", tag = "accounts", params(("id" = RoleId, Path)),
    security(("token" = ["user:manage"])),
    request_body(content = RolePatch, example = json!({"permissions": ["agent:use"]})),
    responses((status = 200, body = Role),
    (status = 400, description = "A value can't be used, as a permission that there is not", body = Problem),
    (status = 401, body = Problem),
    (status = 403, description = "Not allowed, or it gives, or would give, more than you hold", body = Problem),
    (status = 404, body = Problem),
    (status = 409, description = "Built in, the name is taken, or nobody would be left who may manage users",
        body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    ClientAddress(address): ClientAddress,
    Id(id): Id<RoleId>,
    Json(patch): Json<RolePatch>,
) -> Result<axum::Json<Role>, ApiError> {
    let (db, gone) = (&state.app.db, ApiError::NotFound("role"));
    let Some(stored) = roles::find(db, principal.tenant_id, id).await? else { return Err(gone) };
    let spec = checked(RoleSpec {
        name: patch.name.unwrap_or(stored.name),
        description: patch.description.unwrap_or(stored.description),
        permissions: patch.permissions.unwrap_or(stored.permissions),
    })?;
    let authority = Authority::of(&principal, Some(address.to_string()));
    let updated =
        roles::update(db, principal.tenant_id, id, &spec, &authority, state.app.clock.now()).await?;
    updated.map(axum::Json).ok_or(gone)
}

/// Removes a role that nobody has. Built-in roles stay.
#[utoipa::path(delete, path = "/api/roles/{id}", tag = "accounts", params(("id" = RoleId, Path)),
    security(("token" = ["user:manage"])), responses((status = 204, description = "Removed"),
    (status = 401, body = Problem),
    (status = 403, description = "Not allowed, or it gives more than you hold", body = Problem),
    (status = 404, body = Problem),
    (status = 409, description = "Built in, or users have it", body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    ClientAddress(address): ClientAddress,
    Id(id): Id<RoleId>,
) -> Result<StatusCode, ApiError> {
    let authority = Authority::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    if roles::delete(&state.app.db, principal.tenant_id, id, &authority, now).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NotFound("role"))
    }
}

fn checked(spec: RoleSpec) -> Result<RoleSpec, ApiError> {
    let spec = RoleSpec { name: spec.name.trim().to_owned(), ..spec };
    super::check_name("name", &spec.name, MAX_NAME_CHARS)?;
    if spec.description.chars().count() > MAX_DESCRIPTION_CHARS {
        let message = format!("is longer than {MAX_DESCRIPTION_CHARS} characters");
        return Err(ApiError::invalid("description", message));
    }
    if spec.permissions.len() > MAX_GRANTS {
        return Err(ApiError::invalid("permissions", format!("must be at most {MAX_GRANTS}")));
    }
    match spec.permissions.iter().position(|grant| !is_grant(grant)) {
        Some(n) => {
            let message = "there is no such permission: see GET /api/permissions";
            Err(ApiError::invalid(format!("permissions[{n}]"), message))
        }
        None => Ok(spec),
    }
}
