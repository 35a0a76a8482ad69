//! `/api/audit`: who did what. It is read here, and only added to everywhere else.

use super::page::{Page, PageQuery};
use crate::auth::{May, policy};
use crate::error::{ApiError, Problem};
use crate::extract::Query;
use crate::state::ApiState;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use shared::domain::audit::{ActorKind, AuditLine};
use shared::store::audit::{self, Filter};

/// Which lines.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct AuditQuery {
    /// What kind of somebody acted.
    actor_kind: Option<ActorKind>,
    /// The user's or the key's number.
    actor_id: Option<i64>,
    /// What was done, as `agent.update`; with a dot at its end all that begins so, as `agent.`.
    action: Option<String>,
    /// To what kind of object, as `agent`.
    object_kind: Option<String>,
    /// Its id.
    object_id: Option<String>,
    /// Not before this time.
    from: Option<DateTime<Utc>>,
    /// Before this time.
    to: Option<DateTime<Utc>>,
    /// Lines on a page: 50 if not given, at most 200.
    limit: Option<u32>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// Lists what was done in the tenant, newest first. Lines are never changed and never removed.
#[utoipa::path(get, path = "/api/audit", tag = "audit", security(("token" = ["audit:view"])), params(AuditQuery),
    responses(
        (status = 200, body = Page<AuditLine>, example = json!({"items": [{
            "id": 42, "actorKind": "user", "actorId": 7, "actorName": "ann", "action": "agent.update",
            "objectKind": "agent", "objectId": "3", "address": "192.0.2.7",
            "before": {"name": "Helper"}, "after": {"name": "Assistant"}, "createTime": "2026-11-30T12:00:00Z"}]})),
        (status = 400, description = "A value can't be used", body = Problem)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::AuditView>,
    Query(query): Query<AuditQuery>,
) -> Result<axum::Json<Page<AuditLine>>, ApiError> {
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let filter = Filter {
        actor_kind: query.actor_kind,
        actor_id: query.actor_id,
        action: query.action,
        object_kind: query.object_kind,
        object_id: query.object_id,
        from: query.from,
        to: query.to,
    };
    let limit = page.limit()?;
    let rows = audit::list(&state.app.db, principal.tenant_id, &filter, page.after()?, limit + 1).await?;
    Ok(axum::Json(Page::of(rows, limit, |line| line.id, |line| line)))
}
