//! `/api/setup`: the first administrator, once.

use super::users::{checked_password, named, shown_name};
use crate::auth::login::{self, LoginAnswer, Visitor};
use crate::error::{ApiError, Problem};
use crate::extract::Json;
use crate::state::ApiState;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use shared::domain::accounts::LoginSubjects;
use shared::domain::ids::TenantId;
use shared::secrets::{Secret, fingerprint};
use shared::store::logins::Credentials;
use shared::store::setup::{self, Completed, SetupState};
use shared::store::tenants::FirstAdmin;
use utoipa::ToSchema;

/// Whether the setup is open.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetupAnswer {
    /// Nobody has an account yet; who holds the printed token may make the first one.
    pub needed: bool,
}

/// The first administrator.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetupRequest {
    /// As printed by the latest start.
    #[schema(value_type = String, format = Password)]
    pub token: Secret,
    /// What they log in with: 1 to 64 letters, digits or any of `. _ - @ +`.
    pub name: String,
    /// 10 to 256 characters, not the name.
    #[schema(value_type = String, format = Password)]
    pub password: Secret,
    /// Shown to people; none: the name.
    pub display_name: Option<String>,
}

/// Says whether the first administrator is still to be made.
#[utoipa::path(get, path = "/api/setup", tag = "accounts", security(()), responses(
    (status = 200, body = SetupAnswer, example = json!({"needed": true}))))]
pub async fn get(State(state): State<ApiState>) -> Result<axum::Json<SetupAnswer>, ApiError> {
    let open = setup::state(&state.app.db, None).await? != SetupState::Done;
    Ok(axum::Json(SetupAnswer { needed: open }))
}

/// Makes the first administrator and logs them in. The token is printed by the first start; each start
/// until then prints a new one. Once there are users this is refused for ever.
#[utoipa::path(post, path = "/api/setup", tag = "accounts", security(()),
    request_body(content = SetupRequest, example = json!({"token": "…", "name": "ada", "password": "correct horse battery"})),
    responses(
        (status = 201, description = "Made and logged in", body = LoginAnswer,
            headers(("Set-Cookie" = String, description = "As of `POST /api/login`"))),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 403, description = "`setup_token`: not the token that was printed last", body = Problem),
        (status = 410, description = "`setup_done`", body = Problem),
        (status = 429, description = "`login_locked`: too many wrong tokens from the address; see `Retry-After`",
            body = Problem),
        (status = 503, description = "Too many log in at this moment; see `Retry-After`", body = Problem)))]
pub async fn post(
    State(state): State<ApiState>,
    visitor: Visitor,
    Json(body): Json<SetupRequest>,
) -> Result<(StatusCode, [(HeaderName, HeaderValue); 1], axum::Json<LoginAnswer>), ApiError> {
    let (db, subjects) = (&state.app.db, LoginSubjects::of_address(&visitor.address));
    let token_hash = fingerprint(&body.token);
    let at = setup::state(db, Some(&token_hash)).await?;
    if at == SetupState::Done {
        return Err(ApiError::SetupDone);
    }
    login::refuse_locked(&state, &subjects).await?;
    if at == (SetupState::Open { right: false }) {
        return Err(wrong(&state, &subjects).await?);
    }
    let name = named(&body.name)?;
    let admin = FirstAdmin {
        display_name: shown_name(body.display_name, &name)?,
        password_hash: checked_password(&state, &name, &body.password).await?,
        name,
    };
    match setup::complete(db, &token_hash, &admin, &visitor.address, state.app.clock.now()).await? {
        Completed::Done => Err(ApiError::SetupDone),
        Completed::WrongToken => Err(wrong(&state, &subjects).await?),
        Completed::Made(user) => {
            let who = Credentials {
                user_id: user.id,
                tenant_id: TenantId::FIRST,
                password_hash: Some(admin.password_hash),
                disabled: false,
            };
            let entered = login::begin(&state, &visitor, &who, &subjects).await?;
            let (cookie, answer) = entered.ok_or(ApiError::LoginFailed)?;
            Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], axum::Json(answer)))
        }
    }
}

async fn wrong(state: &ApiState, subjects: &LoginSubjects) -> Result<ApiError, ApiError> {
    login::fail(state, subjects, None).await?;
    Ok(ApiError::SetupToken)
}
