//! `/api/models`: stored provider endpoints. A key goes in and never comes out, and is sent only to
//! the server that it was stored for.

mod input;

use super::merge::{Patch, merged};
use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy, resource};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::state::{ApiState, ProbeResult};
use axum::extract::State;
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use input::ModelInput;
use serde::{Deserialize, Serialize};
use shared::domain::access::Principal;
use shared::domain::audit::Entry;
use shared::domain::ids::{ModelId, TenantId};
use shared::domain::models::{Model, ModelLimits, Provider};
use shared::domain::permissions::Permission;
use shared::secrets::Secret;
use shared::store::StoreError;
use shared::store::models::{self, ModelSpec};
use shared::store::{agents, audit};
use utoipa::ToSchema;

/// A model as stored, without its key.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    /// Primary key.
    pub id: ModelId,
    /// Name shown to people.
    pub name: String,
    /// Dialect.
    pub provider: Provider,
    /// The provider's name of the model.
    pub model_name: String,
    /// Where it is reached; null: the provider's own address.
    pub base_url: Option<String>,
    /// Whether a key is stored.
    pub has_api_key: bool,
    /// Whether the address may lead into private networks: an operator gave it.
    pub trusted_host: bool,
    /// Limits, window and prices.
    #[serde(flatten)]
    pub limits: ModelLimits,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

impl From<Model> for ModelView {
    fn from(model: Model) -> Self {
        Self {
            id: model.id,
            name: model.name,
            provider: model.provider,
            model_name: model.model_name,
            base_url: model.base_url,
            has_api_key: model.api_key_sealed.is_some(),
            trusted_host: model.trusted_host,
            limits: model.limits,
            create_time: model.create_time,
            update_time: model.update_time,
        }
    }
}

/// A changed model as the audit shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changed<'a> {
    #[serde(flatten)]
    view: &'a ModelView,
    api_key_changed: bool,
}

/// Lists models, oldest first.
#[utoipa::path(get, path = "/api/models", tag = "models", security(("token" = ["model:view"])), params(PageQuery),
    responses((status = 200, body = Page<ModelView>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::ModelView>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<ModelView>>, ApiError> {
    let limit = page.limit()?;
    let rows = models::list(&state.app.db, principal.tenant_id, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |m| m.id, ModelView::from)))
}

/// Stores a model.
#[utoipa::path(post, path = "/api/models", tag = "models", security(("token" = ["model:create"])), request_body = ModelInput, responses(
    (status = 201, body = ModelView),
    (status = 400, description = "A value can't be used", body = Problem),
    (status = 409, description = "The name is taken", body = Problem)))]
pub async fn create(
    State(state): State<ApiState>,
    principal: May<policy::ModelCreate>,
    Acting(by): Acting,
    Json(input): Json<ModelInput>,
) -> Result<(StatusCode, axum::Json<ModelView>), ApiError> {
    let mut spec = input.spec(None)?;
    input::guard(&mut spec, None, principal.is_operator(), &state.config.model_hosts)?;
    spec.api_key_sealed = seal(&state, principal.tenant_id, input.key()?.as_ref())?;
    let now = state.app.clock.now();
    let mut tx = state.app.db.begin().await?;
    let model = models::insert(&mut tx, principal.tenant_id, &spec, now).await.map_err(taken)?;
    let view = ModelView::from(model);
    let line = Entry::new(principal.tenant_id, by, "model.create", &view.id).after(&view);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, axum::Json(view)))
}

/// Shows a model.
#[utoipa::path(get, path = "/api/models/{id}", tag = "models", security(("token" = ["model:view"])), params(("id" = ModelId, Path)), responses(
    (status = 200, body = ModelView), (status = 404, body = Problem)))]
pub async fn get(Of { object, .. }: Of<Model, policy::ModelView>) -> Result<axum::Json<ModelView>, ApiError> {
    Ok(axum::Json(object.into()))
}

/// Changes what is given and keeps the rest; null takes a value away.
///
/// A change of the server in `baseUrl` without a new `apiKey` drops the stored key: it is sent only
/// to the server that it was stored for.
#[utoipa::path(patch, path = "/api/models/{id}", tag = "models", security(("token" = ["model:edit"])), params(("id" = ModelId, Path)),
    request_body(content = Object, description = "Any of a model's values"),
    responses(
        (status = 200, body = ModelView),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 404, body = Problem),
        (status = 409, description = "The name is taken", body = Problem)))]
pub async fn patch(
    State(state): State<ApiState>,
    Of { object: stored, principal, .. }: Of<Model, policy::ModelEdit>,
    Acting(by): Acting,
    Json(patch): Json<Patch>,
) -> Result<axum::Json<ModelView>, ApiError> {
    let id = stored.id;
    let input: ModelInput = merged(&ModelInput::of(&stored), &patch)?;
    let mut spec = input.spec(None)?;
    let key = input.key()?;
    let before = Some((&stored, patch.contains_key("baseUrl")));
    input::guard(&mut spec, before, principal.is_operator(), &state.config.model_hosts)?;
    spec.api_key_sealed = if patch.contains_key("apiKey") {
        seal(&state, principal.tenant_id, key.as_ref())?
    } else if shared::domain::models::server(spec.provider, spec.base_url.as_deref()) == stored.server() {
        stored.api_key_sealed.clone()
    } else {
        None
    };
    let now = state.app.clock.now();
    let mut tx = state.app.db.begin().await?;
    let updated = models::update(&mut tx, principal.tenant_id, id, &spec, now).await.map_err(taken)?;
    let updated = updated.ok_or(ApiError::NotFound("model"))?;
    // That the key is another one shows; neither of them does.
    let key_changed = updated.api_key_sealed != stored.api_key_sealed;
    let (before, after) = (ModelView::from(stored), ModelView::from(updated));
    let line = Entry::new(principal.tenant_id, by, "model.update", &id);
    let line = line.before(&before).after(&Changed { view: &after, api_key_changed: key_changed });
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(axum::Json(after))
}

/// Removes a model that no agent uses.
#[utoipa::path(delete, path = "/api/models/{id}", tag = "models", security(("token" = ["model:delete"])), params(("id" = ModelId, Path)), responses(
    (status = 204, description = "Removed"), (status = 404, body = Problem),
    (status = 409, description = "An agent uses it", body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Model, policy::ModelDelete>,
    Acting(by): Acting,
) -> Result<StatusCode, ApiError> {
    let mut tx = state.app.db.begin().await?;
    match models::delete(&mut tx, principal.tenant_id, object.id).await {
        Ok(true) => {
            let line = Entry::new(principal.tenant_id, by, "model.delete", &object.id);
            audit::record(&mut tx, &line.before(&ModelView::from(object)), state.app.clock.now()).await?;
            tx.commit().await?;
            Ok(StatusCode::NO_CONTENT)
        }
        Ok(false) => Err(ApiError::NotFound("model")),
        Err(StoreError::Conflict) => {
            tx.rollback().await?;
            Err(ApiError::Conflict(in_use(&state, &principal, object.id).await?))
        }
        Err(error) => Err(error.into()),
    }
}

/// Tries a model with one short request and says what is wrong with it.
#[utoipa::path(post, path = "/api/models/{id}/test", tag = "models", security(("token" = ["model:edit"])), params(("id" = ModelId, Path)), responses(
    (status = 200, description = "What became of the try", body = ProbeResult), (status = 404, body = Problem)))]
pub async fn test(
    State(state): State<ApiState>,
    Of { object: model, principal, .. }: Of<Model, policy::ModelEdit>,
) -> Result<axum::Json<ProbeResult>, ApiError> {
    match opened(&state, principal.tenant_id, model.api_key_sealed.as_deref()) {
        Ok(key) => Ok(axum::Json(state.probe.probe(&model, key).await)),
        Err(unreadable) => Ok(axum::Json(unreadable)),
    }
}

/// Names agents that use a model, as far as who asks sees them.
async fn in_use(state: &ApiState, principal: &Principal, id: ModelId) -> Result<String, ApiError> {
    let db = &state.app.db;
    let users = agents::of_model(db, principal.tenant_id, id, MOST_LOOKED_AT).await?;
    let mut names = Vec::new();
    for agent in &users {
        if names.len() < MOST_NAMED && principal.sees_agent(&agents::access(db, agent).await?) {
            names.push(agent.spec.name.as_str());
        }
    }
    let others = users.len() - names.len();
    Ok(match (names.join(", "), others) {
        (named, _) if named.is_empty() => "an agent that you do not see uses this model".to_owned(),
        (named, 0) => format!("this model is used by: {named}"),
        (named, others) => format!("this model is used by: {named}, and {others} more"),
    })
}

const MOST_LOOKED_AT: u32 = 200;
const MOST_NAMED: usize = 5;

/// A model to try, stored or not. Other values of a model are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelTrial {
    /// The stored model that this is to become: its key is used if none is given here and the server is
    /// the same. Needs `model:edit`.
    #[serde(default)]
    pub id: Option<ModelId>,
    /// As of a model.
    pub provider: Provider,
    /// As of a model.
    pub model_name: String,
    /// As of a model.
    #[serde(default)]
    pub base_url: Option<String>,
    /// As of a model.
    #[serde(default)]
    pub api_key: Option<Secret>,
}

/// Tries a model that is not saved with one short request and says what is wrong with it.
#[utoipa::path(post, path = "/api/models/test", tag = "models", security(("token" = ["model:create"])), request_body = ModelTrial, responses(
    (status = 200, description = "What became of the try", body = ProbeResult),
    (status = 400, description = "A value can't be used", body = Problem)))]
pub async fn test_unsaved(
    State(state): State<ApiState>,
    principal: May<policy::ModelCreate>,
    Json(trial): Json<ModelTrial>,
) -> Result<axum::Json<ProbeResult>, ApiError> {
    let stored: Option<Model> = match trial.id {
        Some(id) => {
            let found = resource::load(&state, &principal, id, Permission::ModelEdit).await;
            Some(found.map_err(|error| match error {
                ApiError::NotFound(_) => ApiError::invalid("id", "there is no such model"),
                other => other,
            })?)
        }
        None => None,
    };
    let input = ModelInput::to_try(trial);
    let mut spec = input.spec(None)?;
    let before = stored.as_ref().map(|stored| (stored, true));
    input::guard(&mut spec, before, principal.is_operator(), &state.config.model_hosts)?;
    let key = input.key()?;
    let now = state.app.clock.now();
    let model = Model {
        id: stored.as_ref().map_or(ModelId(0), |m| m.id),
        tenant_id: principal.tenant_id,
        name: spec.name,
        provider: spec.provider,
        model_name: spec.model_name,
        base_url: spec.base_url,
        api_key_sealed: None,
        trusted_host: spec.trusted_host,
        limits: spec.limits,
        create_time: now,
        update_time: now,
    };
    // A stored key goes to the server that it was stored for, and nowhere else.
    let sealed =
        stored.filter(|s| key.is_none() && s.server() == model.server()).and_then(|s| s.api_key_sealed);
    match opened(&state, principal.tenant_id, sealed.as_deref()) {
        Ok(opened) => Ok(axum::Json(state.probe.probe(&model, key.or(opened)).await)),
        Err(unreadable) => Ok(axum::Json(unreadable)),
    }
}

/// A stored key in the clear, or what a try of it comes to.
fn opened(
    state: &ApiState,
    tenant_id: TenantId,
    sealed: Option<&str>,
) -> Result<Option<Secret>, ProbeResult> {
    let Some(sealed) = sealed else { return Ok(None) };
    state.app.open_key(tenant_id, sealed).map(Some).map_err(|error| ProbeResult {
        ok: false,
        message: format!("the stored key can't be read: {error}; give it again"),
        reason: Some("key_unreadable".to_owned()),
        latency_ms: 0,
    })
}

fn seal(state: &ApiState, tenant_id: TenantId, key: Option<&Secret>) -> Result<Option<String>, ApiError> {
    key.map(|key| state.app.seal_key(tenant_id, key))
        .transpose()
        .map_err(|e| ApiError::Internal(e.to_string()))
}

fn taken(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict => ApiError::Conflict("a model of this name exists".to_owned()),
        other => other.into(),
    }
}
