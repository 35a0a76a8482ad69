//! `/api/keys`: what programs call with. A key's text is shown once, when it is made or rotated.

use super::merge::{Patch, merged};
use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use shared::app::api_keys::{self as keys, Given, KeyError};
use shared::domain::api_keys::{ApiKey, KeySecret, KeySpec, Scope};
use shared::domain::ids::{ApiKeyId, UserId};
use shared::domain::permissions::Permission;
use shared::store::{Db, api_keys};
use utoipa::ToSchema;

const MAX_NAME_CHARS: usize = 100;
const MAX_SCOPES: usize = 100;
const MAX_RATE: u32 = 1_000_000;
/// Seconds that a key's old text goes on if a rotation does not say.
const DEFAULT_OVERLAP: u32 = 24 * 3_600;
/// The longest that it may: a month.
const MAX_OVERLAP: u32 = 31 * 24 * 3_600;

/// A key without its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": 5, "userId": 7, "name": "ci", "scopes": ["chat:3"], "ratePerMinute": null, "expiresAt": null,
    "revokedAt": null, "lastUsedAt": "2026-11-30T12:00:00Z", "createTime": "2026-11-01T08:00:00Z",
    "updateTime": "2026-11-01T08:00:00Z",
    "secrets": [{"prefix": "4f1c09a2b7de", "expiresAt": null, "createTime": "2026-11-01T08:00:00Z"}]}))]
pub struct KeyView {
    /// As stored.
    #[serde(flatten)]
    pub key: ApiKey,
    /// Its texts that are accepted, oldest first, as far as they are kept: two during a rotation. Of a
    /// key that expired or was revoked none is accepted.
    pub secrets: Vec<KeySecret>,
}

impl KeyView {
    async fn all(db: &Db, keys: Vec<ApiKey>, now: DateTime<Utc>) -> Result<Vec<Self>, ApiError> {
        let ids: Vec<ApiKeyId> = keys.iter().map(|key| key.id).collect();
        let secrets = api_keys::secrets(db, &ids, now).await?;
        let of =
            |id| secrets.iter().filter(|(key, _)| *key == id).map(|(_, secret)| secret.clone()).collect();
        Ok(keys.into_iter().map(|key| Self { secrets: of(key.id), key }).collect())
    }

    async fn one(state: &ApiState, key: ApiKey) -> Result<Self, ApiError> {
        let all = Self::all(&state.app.db, vec![key], state.app.clock.now()).await?;
        all.into_iter().next().ok_or(ApiError::NotFound("key"))
    }
}

/// A key with its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewKey {
    /// The key.
    #[serde(flatten)]
    view: KeyView,
    /// What a program calls with: `Authorization: Bearer neta_…`. It is not stored and not shown again.
    #[schema(example = "neta_4f1c09a2b7de_…")]
    text: String,
}

impl NewKey {
    async fn of(state: &ApiState, given: Given) -> Result<Self, ApiError> {
        let view = KeyView::one(state, given.key).await?;
        Ok(Self { view, text: given.text.expose().to_owned() })
    }
}

/// Lists keys, oldest first, revoked ones too: with `key:manage` all of the tenant's, else one's own.
#[utoipa::path(get, path = "/api/keys", tag = "keys", security(("token" = ["key:own"])), params(PageQuery),
    responses((status = 200, body = Page<KeyView>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::KeyOwn>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<KeyView>>, ApiError> {
    let (db, limit) = (&state.app.db, page.limit()?);
    let rows = match (principal.may(Permission::KeyManage), principal.user_id()) {
        (true, _) => api_keys::list(db, principal.tenant_id, None, page.after()?, limit + 1).await?,
        (false, Some(own)) => {
            api_keys::list(db, principal.tenant_id, Some(own), page.after()?, limit + 1).await?
        }
        (false, None) => Vec::new(),
    };
    let Page { items, next_cursor } = Page::of(rows, limit, |key| key.id, |key| key);
    let items = KeyView::all(db, items, state.app.clock.now()).await?;
    Ok(axum::Json(Page { items, next_cursor }))
}

/// What a person sets of a key.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeySettings {
    name: String,
    scopes: Vec<Scope>,
    expires_at: Option<DateTime<Utc>>,
    rate_per_minute: Option<u32>,
}

impl KeySettings {
    /// What is stored, after a check of every value that is not `stored` already.
    fn check(self, stored: Option<&ApiKey>, now: DateTime<Utc>) -> Result<KeySpec, ApiError> {
        let Self { name, scopes: wanted, expires_at, rate_per_minute } = self;
        super::check_name("name", &name, MAX_NAME_CHARS)?;
        let mut scopes: Vec<Scope> = Vec::with_capacity(wanted.len());
        for scope in wanted {
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
        if scopes.is_empty() || scopes.len() > MAX_SCOPES {
            return Err(ApiError::invalid("scopes", format!("must be 1 to {MAX_SCOPES}")));
        }
        let new_end = stored.is_none_or(|key| key.expires_at != expires_at);
        if new_end && expires_at.is_some_and(|end| end <= now) {
            return Err(ApiError::invalid("expiresAt", "must be in the future"));
        }
        if rate_per_minute.is_some_and(|n| n == 0 || n > MAX_RATE) {
            return Err(ApiError::invalid("ratePerMinute", format!("must be 1 to {MAX_RATE}")));
        }
        Ok(KeySpec { name: name.trim().to_owned(), scopes, rate_per_minute, expires_at })
    }
}

/// A key that is to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeyInput {
    /// For people.
    name: String,
    /// What it may do: `*` (all that its user may), `read`, `chat`, `chat:<agent id>`,
    /// `crew:<crew id>:run`.
    #[schema(value_type = Vec<String>, example = json!(["chat:3", "read"]))]
    scopes: Vec<Scope>,
    /// From then on it is refused; never if not given.
    expires_at: Option<DateTime<Utc>>,
    /// Requests a minute, if not as configured; those of its user are counted besides.
    rate_per_minute: Option<u32>,
    /// In whose name it acts: whoever makes it if not given. For somebody else needs `key:manage`.
    user_id: Option<UserId>,
    /// It acts in its own name, with sessions of its own: needs `key:manage`. The operator's keys do if
    /// no user is given.
    #[serde(default)]
    service: bool,
}

/// Makes a key. It acts for a user, with what both its scopes and the user's roles allow at each request,
/// or as a service in its own name. Nobody makes a key that may more than they may themselves.
#[utoipa::path(post, path = "/api/keys", tag = "keys", security(("token" = ["key:own"])),
    request_body(content = KeyInput, example = json!({"name": "ci", "scopes": ["chat:3"]})),
    responses(
        (status = 201, description = "Its text is shown this once", body = NewKey),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 403, description = "It could do what its maker may not", body = Problem)))]
pub async fn create(
    State(state): State<ApiState>,
    principal: May<policy::KeyOwn>,
    Acting(by): Acting,
    Json(input): Json<KeyInput>,
) -> Result<(StatusCode, axum::Json<NewKey>), ApiError> {
    let KeyInput { name, scopes, expires_at, rate_per_minute, user_id, service } = input;
    if service && user_id.is_some() {
        return Err(ApiError::invalid("service", "give either userId or service, not both"));
    }
    let user_id = if service { None } else { user_id.or(principal.user_id()) };
    let settings = KeySettings { name, scopes, expires_at, rate_per_minute };
    let spec = settings.check(None, state.app.clock.now())?;
    let given = keys::create(&state.app, &principal, by, user_id, &spec).await.map_err(refused)?;
    Ok((StatusCode::CREATED, axum::Json(NewKey::of(&state, given).await?)))
}

/// Shows a key, without its text.
#[utoipa::path(get, path = "/api/keys/{id}", tag = "keys", security(("token" = ["key:own"])),
    params(("id" = ApiKeyId, Path)), responses((status = 200, body = KeyView), (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    Of { object, .. }: Of<ApiKey, policy::KeyOwn>,
) -> Result<axum::Json<KeyView>, ApiError> {
    Ok(axum::Json(KeyView::one(&state, object).await?))
}

/// Changes what is given and keeps the rest; null takes a value away. It holds from the next request on;
/// sockets and streams that are open follow within seconds.
#[utoipa::path(patch, path = "/api/keys/{id}", tag = "keys", security(("token" = ["key:own"])),
    params(("id" = ApiKeyId, Path)),
    request_body(content = Object, description = "Any of name, scopes, expiresAt, ratePerMinute",
        example = json!({"expiresAt": "2027-01-01T00:00:00Z"})),
    responses(
        (status = 200, body = KeyView),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 403, description = "It could do what whoever changes it may not", body = Problem),
        (status = 404, body = Problem),
        (status = 409, description = "It was revoked, or changed meanwhile", body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<ApiKey, policy::KeyOwn>,
    Acting(by): Acting,
    Json(patch): Json<Patch>,
) -> Result<axum::Json<KeyView>, ApiError> {
    let KeySpec { name, scopes, rate_per_minute, expires_at } = object.spec();
    let stored = KeySettings { name, scopes, expires_at, rate_per_minute };
    let settings: KeySettings = merged(&stored, &patch)?;
    let spec = settings.check(Some(&object), state.app.clock.now())?;
    let changed = keys::change(&state.app, &principal, by, &object, &spec).await.map_err(refused)?;
    Ok(axum::Json(KeyView::one(&state, changed).await?))
}

/// How a key is rotated.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// Seconds that the text of before goes on: a day if not given, at most 31 days; 0 ends it at once.
    overlap_seconds: Option<u32>,
}

/// Gives a key another text. The one before goes on for the overlap, so that programs can be changed over;
/// one that was still going on from a rotation before that ends at once.
#[utoipa::path(post, path = "/api/keys/{id}/rotate", tag = "keys", security(("token" = ["key:own"])),
    params(("id" = ApiKeyId, Path)), request_body(content = Option<Rotation>, example = json!({"overlapSeconds": 3600})),
    responses(
        (status = 200, description = "The new text is shown this once", body = NewKey),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 403, description = "It may do what whoever rotates it may not", body = Problem),
        (status = 404, body = Problem),
        (status = 409, description = "It was revoked", body = Problem)))]
pub async fn rotate(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<ApiKey, policy::KeyOwn>,
    Acting(by): Acting,
    rotation: Option<Json<Rotation>>,
) -> Result<axum::Json<NewKey>, ApiError> {
    let Rotation { overlap_seconds } = rotation.map(|Json(rotation)| rotation).unwrap_or_default();
    let overlap = overlap_seconds.unwrap_or(DEFAULT_OVERLAP);
    if overlap > MAX_OVERLAP {
        return Err(ApiError::invalid("overlapSeconds", format!("must be at most {MAX_OVERLAP}")));
    }
    let overlap = TimeDelta::seconds(overlap.into());
    let given = keys::rotate(&state.app, &principal, by, &object, overlap).await.map_err(refused)?;
    Ok(axum::Json(NewKey::of(&state, given).await?))
}

/// Revokes a key: it is refused from now on. It stays in the list.
#[utoipa::path(delete, path = "/api/keys/{id}", tag = "keys", security(("token" = ["key:own"])),
    params(("id" = ApiKeyId, Path)),
    responses((status = 204, description = "It is refused"), (status = 404, body = Problem)))]
pub async fn revoke(
    State(state): State<ApiState>,
    Of { object, .. }: Of<ApiKey, policy::KeyOwn>,
    Acting(by): Acting,
) -> Result<StatusCode, ApiError> {
    keys::revoke(&state.app, by, &object).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn refused(error: KeyError) -> ApiError {
    let message = error.to_string();
    match error {
        KeyError::App(error) => error.into(),
        KeyError::Forbidden(permission) => ApiError::Forbidden(permission),
        KeyError::NoSuchUser => ApiError::invalid("userId", message),
        KeyError::NoSuchAgent(n) => ApiError::invalid(format!("scopes[{n}]"), message),
        KeyError::Revoked | KeyError::Changed => ApiError::Conflict(message),
    }
}
