//! `/api/quotas`: what a tenant, a person or a key may use a day (UTC).

use super::page::{Page, PageQuery};
use crate::auth::acting::Acting;
use crate::auth::{May, policy};
use crate::error::{ApiError, Problem};
use crate::extract::{Json, Query};
use crate::state::ApiState;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use serde::Serialize;
use shared::app::quotas as quota_cases;
use shared::domain::access::Principal;
use shared::domain::ids::TenantId;
use shared::domain::permissions::Permission;
use shared::domain::quotas::{DayLimits, DayUse, Quota, Subject, SubjectKind, day_ends};
use shared::store::quotas;
use utoipa::ToSchema;

/// Somebody's quota, and what they used of the day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"subjectKind": "user", "subjectId": 7, "maxTurns": 100, "maxTokens": null,
    "maxCost": 5.0, "used": {"turns": 12, "tokens": 48210, "cost": 0.31}, "resetsAt": "2026-12-01T00:00:00Z"}))]
pub struct QuotaView {
    /// Who is limited.
    pub subject_kind: SubjectKind,
    /// Their number.
    pub subject_id: i64,
    /// To what; null: no limit.
    #[serde(flatten)]
    pub limits: DayLimits,
    /// What was used of the day: turns since the quota was set, and finished model calls.
    pub used: DayUse,
    /// When the day ends.
    pub resets_at: DateTime<Utc>,
}

impl QuotaView {
    /// With what was used.
    pub fn of(quota: &Quota, used: DayUse, now: DateTime<Utc>) -> Self {
        let Subject { kind, id, .. } = quota.subject;
        Self { subject_kind: kind, subject_id: id, limits: quota.limits, used, resets_at: day_ends(now) }
    }
}

/// Lists quotas in the order in which they were set. Operators see those of other tenants as a whole, too.
#[utoipa::path(get, path = "/api/quotas", tag = "quotas", security(("token" = ["user:manage"])), params(PageQuery),
    responses((status = 200, body = Page<QuotaView>)))]
pub async fn list(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    Query(page): Query<PageQuery>,
) -> Result<axum::Json<Page<QuotaView>>, ApiError> {
    let (limit, now) = (page.limit()?, state.app.clock.now());
    let (db, all) = (&state.app.db, principal.is_operator());
    let rows = quotas::list(db, principal.tenant_id, all, page.after()?, limit + 1, now).await?;
    let Page { items, next_cursor } = Page::of(rows, limit, |quota| quota.id, |quota| quota);
    let mut views = Vec::with_capacity(items.len());
    for quota in items {
        let used = quota_cases::day_use(&state.app, &quota).await?;
        views.push(QuotaView::of(&quota, used, now));
    }
    Ok(axum::Json(Page { items: views, next_cursor }))
}

/// Whose quota a path names.
#[derive(Debug)]
pub struct Whose {
    kind: SubjectKind,
    id: i64,
}

impl<S: Send + Sync> FromRequestParts<S> for Whose {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<(String, String)>::from_request_parts(parts, state).await;
        let axum::extract::Path((kind, id)) = path.map_err(|_| ApiError::NotFound("quota"))?;
        let kind = SubjectKind::parse(&kind).ok_or(ApiError::NotFound("quota"))?;
        let id = id.parse().map_err(|_| ApiError::NotFound(kind.as_str()))?;
        Ok(Self { kind, id })
    }
}

impl Whose {
    /// A tenant's own people do not lift what the operator allows it.
    fn subject(self, principal: &Principal) -> Result<Subject, ApiError> {
        let Self { kind, id } = self;
        match kind {
            SubjectKind::User | SubjectKind::Key => Ok(Subject { tenant_id: principal.tenant_id, kind, id }),
            SubjectKind::Tenant if principal.is_operator() => Ok(Subject::tenant(TenantId(id))),
            SubjectKind::Tenant if id != principal.tenant_id.0 => Err(ApiError::NotFound("tenant")),
            SubjectKind::Tenant => Err(ApiError::Forbidden(Permission::TenantManage)),
        }
    }
}

/// Sets the quota of a user, a key, or (operators only) a tenant. What was counted of the day stays.
///
/// A turn that a quota does not allow is refused when it is sent: 429 `quota_exceeded`. Turns are counted
/// exactly; tokens and money are those of model calls that ended, so turns under way may pass them.
#[utoipa::path(put, path = "/api/quotas/{kind}/{id}", tag = "quotas", security(("token" = ["user:manage"])),
    params(("kind" = SubjectKind, Path), ("id" = i64, Path, description = "Of the tenant, user or key")),
    request_body(content = DayLimits, example = json!({"maxTurns": 100, "maxCost": 5.0})),
    responses(
        (status = 200, body = QuotaView),
        (status = 400, description = "A value can't be used", body = Problem),
        (status = 403, description = "A tenant's is set by operators", body = Problem),
        (status = 404, body = Problem)))]
pub async fn put(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    Acting(by): Acting,
    whose: Whose,
    Json(limits): Json<DayLimits>,
) -> Result<axum::Json<QuotaView>, ApiError> {
    let subject = whose.subject(&principal)?;
    check(&limits)?;
    let quota = quota_cases::put(&state.app, by, subject, &limits).await?;
    let used = quota_cases::day_use(&state.app, &quota).await?;
    Ok(axum::Json(QuotaView::of(&quota, used, state.app.clock.now())))
}

fn check(limits: &DayLimits) -> Result<(), ApiError> {
    let DayLimits { max_turns, max_tokens, max_cost } = *limits;
    for (field, count) in [("maxTurns", max_turns), ("maxTokens", max_tokens)] {
        if count.is_some_and(|n| i64::try_from(n).is_err()) {
            return Err(ApiError::invalid(field, format!("must be at most {}", i64::MAX)));
        }
    }
    if max_cost.is_some_and(|cost| !(cost.is_finite() && cost >= 0.0)) {
        return Err(ApiError::invalid("maxCost", "must be 0 or more"));
    }
    if max_turns.is_none() && max_tokens.is_none() && max_cost.is_none() {
        return Err(ApiError::invalid("maxTurns", "give at least one of maxTurns, maxTokens and maxCost"));
    }
    Ok(())
}

/// Takes a quota away.
#[utoipa::path(delete, path = "/api/quotas/{kind}/{id}", tag = "quotas", security(("token" = ["user:manage"])),
    params(("kind" = SubjectKind, Path), ("id" = i64, Path, description = "Of the tenant, user or key")),
    responses(
        (status = 204, description = "There is no limit any more"),
        (status = 403, description = "A tenant's is taken away by operators", body = Problem),
        (status = 404, body = Problem)))]
pub async fn delete(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    Acting(by): Acting,
    whose: Whose,
) -> Result<StatusCode, ApiError> {
    quota_cases::delete(&state.app, by, whose.subject(&principal)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
