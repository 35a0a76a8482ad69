//! `/api/tenants`: the operator's customers.

use super::given::given;
use super::page::{Page, PageQuery};
use super::users::{checked_password, named};
use crate::auth::{May, policy};
use crate::client::ClientAddress;
use crate::error::{ApiError, Problem};
use crate::extract::{Id, Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use shared::domain::accounts::Tenant;
use shared::domain::ids::TenantId;
use shared::secrets::Secret;
use shared::store::accounts::Authority;
use shared::store::tenants::{self, FirstAdmin, TenantChange};
use utoipa::ToSchema;

/// Who is to manage a new tenant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminRequest {
    /// What they log in with.
    pub name: String,
    /// 10 to 256 characters, not the name.
    #[schema(value_type = String, format = Password)]
    pub password: Secret,
}

/// A tenant that is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantRequest {
    /// Its people log in with it: 1 to 64 letters, digits or any of `. _ - @ +`.
    pub name: String,
    /// Its first user, with its role `admin`; the rest is up to them.
    pub admin: Option<AdminRequest>,
}

/// What of a tenant is to change; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantPatch {
    /// Its people log in with it.
    #[serde(default, deserialize_with = "given")]
    pub name: Option<String>,
    /// Nobody of it may do anything: all are logged out, and its keys are refused. Runs under way end.
    #[serde(default, deserialize_with = "given")]
    pub disabled: Option<bool>,
}

/// Lists tenants, oldest first.
#[utoipa::path(get, path = "/api/tenants", tag = "accounts", params(PageQuery),
    security(("token" = ["tenant:manage"])), responses((status = 200, body = Page<Tenant>,
        example = json!({"items": [{"id": 1, "name": "main", "disabled": false,
            "createTime": "1970-01-01T00:00:00.000Z", "updateTime": "1970-01-01T00:00:00.000Z"}]})),
    (status = 400, description = "A parameter can't be used", body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    _: May<policy::TenantManage>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<Tenant>>, ApiError> {
    let limit = page.limit()?;
    let rows = tenants::list(&state.app.db, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |tenant| tenant.id, |tenant| tenant)))
}

/// Makes a tenant with copies of the built-in roles. Its users, agents and sessions are its own: who
/// made it sees none of them.
#[utoipa::path(post, path = "/api/tenants", tag = "accounts", security(("token" = ["tenant:manage"])),
    request_body(content = TenantRequest, example = json!({"name": "acme",
        "admin": {"name": "root", "password": "correct horse battery"}})),
    responses((status = 201, body = Tenant), (status = 400, description = "A value can't be used", body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 409, description = "The name is taken", body = Problem),
    (status = 503, description = "Too many log in at this moment; see `Retry-After`", body = Problem)))]
pub async fn create(
    State(state): State<ApiState>,
    principal: May<policy::TenantManage>,
    ClientAddress(address): ClientAddress,
    Json(body): Json<TenantRequest>,
) -> Result<(StatusCode, axum::Json<Tenant>), ApiError> {
    let name = named(&body.name)?;
    let admin = match &body.admin {
        Some(admin) => Some(first_admin(&state, admin).await.map_err(within_admin)?),
        None => None,
    };
    let authority = Authority::of(&principal, Some(address.to_string()));
    let now = state.app.clock.now();
    let tenant = tenants::insert(&state.app.db, &name, admin.as_ref(), &authority, now).await?;
    Ok((StatusCode::CREATED, axum::Json(tenant)))
}

async fn first_admin(state: &ApiState, admin: &AdminRequest) -> Result<FirstAdmin, ApiError> {
    let name = named(&admin.name)?;
    let password_hash = checked_password(state, &name, &admin.password).await?;
    Ok(FirstAdmin { display_name: name.clone(), name, password_hash })
}

fn within_admin(error: ApiError) -> ApiError {
    error.renamed(|field| format!("admin.{field}"))
}

/// Shows a tenant.
#[utoipa::path(get, path = "/api/tenants/{id}", tag = "accounts", params(("id" = TenantId, Path)),
    security(("token" = ["tenant:manage"])), responses((status = 200, body = Tenant),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    _: May<policy::TenantManage>,
    Id(id): Id<TenantId>,
) -> Result<axum::Json<Tenant>, ApiError> {
    tenants::find(&state.app.db, id).await?.map(axum::Json).ok_or(ApiError::NotFound("tenant"))
}

/// Changes what is given and keeps the rest. The first tenant can't be disabled.
#[utoipa::path(patch, path = "/api/tenants/{id}", tag = "accounts", params(("id" = TenantId, Path)),
    security(("token" = ["tenant:manage"])),
    request_body(content = TenantPatch, example = json!({"disabled": true})),
    responses((status = 200, body = Tenant), (status = 400, description = "A value can't be used", body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, description = "The name is taken, or it is the first tenant", body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    principal: May<policy::TenantManage>,
    ClientAddress(address): ClientAddress,
    Id(id): Id<TenantId>,
    Json(patch): Json<TenantPatch>,
) -> Result<axum::Json<Tenant>, ApiError> {
    let name = patch.name.as_deref().map(named).transpose()?;
    let change = TenantChange { name, disabled: patch.disabled };
    let authority = Authority::of(&principal, Some(address.to_string()));
    let updated = tenants::update(&state.app.db, id, &change, &authority, state.app.clock.now()).await?;
    updated.map(axum::Json).ok_or(ApiError::NotFound("tenant"))
}
