//! Who sees an agent, and what those see who only talk to it.

use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, Of, policy};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::state::ApiState;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use shared::domain::access::AgentAccess;
use shared::domain::agents::{Agent, Visibility};
use shared::domain::audit::Entry;
use shared::domain::ids::{AgentId, RoleId, UserId};
use shared::store::StoreError;
use shared::store::agents::{self, Shares};
use shared::store::audit;
use utoipa::ToSchema;

/// Persons or roles that one agent may be shared with.
const MAX_SHARES: usize = 1_000;

/// An agent as those know it who talk to it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentCard {
    /// Primary key.
    pub id: AgentId,
    /// Unique for the tenant.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Shown beside the name; empty: none.
    pub icon: String,
    /// Whether it is for everybody who sees it.
    pub published: bool,
    /// Sample questions that a new conversation offers.
    pub starters: Vec<String>,
}

/// Lists the agents that one may talk to, oldest first.
#[utoipa::path(get, path = "/api/agent-cards", tag = "agents", security(("token" = ["agent:use"])), params(PageQuery),
    responses((status = 200, body = Page<AgentCard>)))]
pub async fn cards(
    State(state): State<ApiState>,
    principal: May<policy::AgentUse>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<AgentCard>>, ApiError> {
    let limit = page.limit()?;
    let rows =
        agents::list_seen(&state.app.db, &principal, &agents::Filter::default(), page.after()?, limit + 1)
            .await?;
    let card = |Agent { id, spec, .. }: Agent| AgentCard {
        id,
        name: spec.name,
        description: spec.description,
        icon: spec.icon,
        published: spec.published,
        starters: spec.starters,
    };
    Ok(axum::Json(Page::of(rows, limit, |a| a.id, card)))
}

/// Who sees an agent, besides who made it and those who see all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AgentShares {
    /// `tenant`: everybody of the tenant; `shared`: those who are listed.
    pub visibility: Visibility,
    /// These persons.
    #[serde(default)]
    pub users: Vec<UserId>,
    /// All who have one of these roles.
    #[serde(default)]
    pub roles: Vec<RoleId>,
}

impl From<AgentAccess> for AgentShares {
    fn from(access: AgentAccess) -> Self {
        Self { visibility: access.visibility, users: access.users, roles: access.roles }
    }
}

/// Shows who sees an agent.
#[utoipa::path(get, path = "/api/agents/{id}/shares", tag = "agents", security(("token" = ["agent:share"])),
    params(("id" = AgentId, Path)),
    responses((status = 200, body = AgentShares), (status = 404, body = Problem)))]
pub async fn shares(
    State(state): State<ApiState>,
    Of { object, .. }: Of<Agent, policy::AgentShare>,
) -> Result<axum::Json<AgentShares>, ApiError> {
    Ok(axum::Json(agents::access(&state.app.db, &object).await?.into()))
}

/// Says who sees an agent, in place of what was said before. Sessions with it stay; who no longer sees
/// it cannot send to it any more.
#[utoipa::path(put, path = "/api/agents/{id}/shares", tag = "agents", security(("token" = ["agent:share"])),
    params(("id" = AgentId, Path)), request_body = AgentShares,
    responses(
        (status = 200, body = AgentShares),
        (status = 400, description = "There is no such user or role", body = Problem),
        (status = 404, body = Problem)))]
pub async fn share(
    State(state): State<ApiState>,
    Of { object, principal, .. }: Of<Agent, policy::AgentShare>,
    Acting(by): Acting,
    Json(wanted): Json<AgentShares>,
) -> Result<axum::Json<AgentShares>, ApiError> {
    if wanted.users.len() + wanted.roles.len() > MAX_SHARES {
        return Err(ApiError::invalid("users", format!("must be at most {MAX_SHARES} with roles")));
    }
    if wanted.visibility == Visibility::Tenant && !(wanted.users.is_empty() && wanted.roles.is_empty()) {
        return Err(ApiError::invalid("visibility", "must be shared where users or roles are listed"));
    }
    let AgentShares { visibility, users, roles } = wanted;
    let shares = Shares { visibility, users, roles };
    let (db, now) = (&state.app.db, state.app.clock.now());
    let mut tx = db.begin().await?;
    let before: AgentShares = agents::access(&mut tx, &object).await?.into();
    let shared = agents::share(&mut tx, principal.tenant_id, object.id, &shares, now).await;
    let agent = match shared {
        Ok(agent) => agent.ok_or(ApiError::NotFound("agent"))?,
        Err(StoreError::Reference) => {
            return Err(ApiError::invalid("users", "there is no such user or role"));
        }
        Err(error) => return Err(error.into()),
    };
    let after: AgentShares = agents::access(&mut tx, &agent).await?.into();
    let line = Entry::new(principal.tenant_id, by, "agent.share", &object.id).before(&before).after(&after);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(axum::Json(after))
}
