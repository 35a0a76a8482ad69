//! `/api/usage` and `/api/me/usage`: what was used, so that a bill can be explained.

use super::quotas::QuotaView;
use crate::auth::{Anyone, May, policy};
use crate::error::{ApiError, Problem};
use crate::extract::Query;
use crate::state::ApiState;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use shared::app::quotas as quota_cases;
use shared::domain::permissions::Permission;
use shared::domain::quotas::{DayUse, Quota, SubjectKind, day_began, day_ends};
use shared::store::usage::{self, BillLine, By, Total};
use utoipa::ToSchema;

/// The longest span that is summed.
const MAX_SPAN: TimeDelta = TimeDelta::days(400);

/// By what a bill is broken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BillBy {
    /// By the person on whose account turns went.
    User,
    /// By the key that began them.
    Key,
    /// By the agent that called the model, subagents' own included.
    Agent,
    /// By the model.
    Model,
    /// By the day (UTC).
    Day,
}

impl From<BillBy> for By {
    fn from(by: BillBy) -> Self {
        match by {
            BillBy::User => Self::User,
            BillBy::Key => Self::Key,
            BillBy::Agent => Self::Agent,
            BillBy::Model => Self::Model,
            BillBy::Day => Self::Day,
        }
    }
}

/// Which bill.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BillQuery {
    /// From this time on; the day's beginning if not given.
    from: Option<DateTime<Utc>>,
    /// Before this time; now if not given. At most 400 days later.
    to: Option<DateTime<Utc>>,
    /// Broken down by what: `day` if not given.
    by: Option<BillBy>,
}

/// What was used.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageTotal {
    /// Finished model calls.
    pub calls: u64,
    /// Tokens of their prompts.
    pub input_tokens: u64,
    /// Tokens of their answers.
    pub output_tokens: u64,
    /// Their price, as far as models had prices.
    pub cost: f64,
}

impl From<Total> for UsageTotal {
    fn from(total: Total) -> Self {
        let (input_tokens, output_tokens) = (total.tokens.input_tokens, total.tokens.output_tokens);
        Self { calls: total.calls, input_tokens, output_tokens, cost: total.cost }
    }
}

/// A line of a bill.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageLine {
    /// Whose; null: nobody's (the operator's), or a day.
    pub id: Option<i64>,
    /// Its name, if it is still there; or the day, as `2026-11-30`.
    pub name: Option<String>,
    /// What was used.
    #[serde(flatten)]
    pub total: UsageTotal,
}

/// A bill.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z", "by": "user",
    "items": [{"id": 7, "name": "ann", "calls": 12, "inputTokens": 40100, "outputTokens": 8110, "cost": 0.31}],
    "total": {"calls": 12, "inputTokens": 40100, "outputTokens": 8110, "cost": 0.31}}))]
pub struct Bill {
    /// From this time on.
    pub from: DateTime<Utc>,
    /// Before this time.
    pub to: DateTime<Utc>,
    /// Broken down by what.
    pub by: BillBy,
    /// The lines.
    pub items: Vec<UsageLine>,
    /// Their sum.
    pub total: UsageTotal,
}

/// What the tenant used in a span of time, deleted sessions included.
#[utoipa::path(get, path = "/api/usage", tag = "usage", security(("token" = ["user:manage"])), params(BillQuery),
    responses((status = 200, body = Bill), (status = 400, description = "A value can't be used", body = Problem)))]
pub async fn bill(
    State(state): State<ApiState>,
    principal: May<policy::UserManage>,
    Query(query): Query<BillQuery>,
) -> Result<axum::Json<Bill>, ApiError> {
    let now = state.app.clock.now();
    let to = query.to.unwrap_or(now);
    let from = query.from.unwrap_or(day_began(to));
    if from > to {
        return Err(ApiError::invalid("from", "must not be after to"));
    }
    if to - from > MAX_SPAN {
        return Err(ApiError::invalid(
            "from",
            format!("must be at most {} days before to", MAX_SPAN.num_days()),
        ));
    }
    let by = query.by.unwrap_or(BillBy::Day);
    let lines = usage::bill(&state.app.db, principal.tenant_id, from, to, by.into()).await?;
    let total = lines.iter().fold(UsageTotal::default(), |sum, BillLine { total, .. }| UsageTotal {
        calls: sum.calls + total.calls,
        input_tokens: sum.input_tokens + total.tokens.input_tokens,
        output_tokens: sum.output_tokens + total.tokens.output_tokens,
        cost: sum.cost + total.cost,
    });
    let line = |line: BillLine| UsageLine { id: line.id, name: line.name, total: line.total.into() };
    Ok(axum::Json(Bill { from, to, by, items: lines.into_iter().map(line).collect(), total }))
}

/// Tokens and their price.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnUse {
    /// Tokens of finished model calls.
    pub tokens: u64,
    /// Their price, as far as models had prices.
    pub cost: f64,
}

/// What the caller used of the day, and what limits it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({"day": "2026-11-30", "resetsAt": "2026-12-01T00:00:00Z",
    "used": {"tokens": 48210, "cost": 0.31},
    "quotas": [{"subjectKind": "user", "subjectId": 7, "maxTurns": 100, "maxTokens": null, "maxCost": null,
        "used": {"turns": 12, "tokens": 48210, "cost": 0.31}, "resetsAt": "2026-12-01T00:00:00Z"}]}))]
pub struct MyUsage {
    /// Which day (UTC).
    pub day: String,
    /// When it ends.
    pub resets_at: DateTime<Utc>,
    /// By this key, or by this person with all their keys; null: the administrator's token has no account.
    pub used: Option<OwnUse>,
    /// The quotas that one's turns count for: one's own and the key's, and for those who manage users the
    /// tenant's.
    pub quotas: Vec<QuotaView>,
}

/// What one used of the day (UTC), and how much one may.
#[utoipa::path(get, path = "/api/me/usage", tag = "usage", security(("token" = [])),
    responses((status = 200, body = MyUsage)))]
pub async fn mine(
    State(state): State<ApiState>,
    Anyone(principal): Anyone,
) -> Result<axum::Json<MyUsage>, ApiError> {
    let (app, now, sender) = (&state.app, state.app.clock.now(), principal.sender());
    let used = quota_cases::own_use(app, &sender).await?;
    let found = quota_cases::of_account(app, &sender).await?;
    // What all of a tenant use together is not for everybody.
    let shown = |(quota, _): &&(Quota, DayUse)| {
        quota.subject.kind != SubjectKind::Tenant || principal.may(Permission::UserManage)
    };
    Ok(axum::Json(MyUsage {
        day: shared::domain::quotas::day(now),
        resets_at: day_ends(now),
        used: used.map(|spent| OwnUse { tokens: spent.tokens, cost: spent.cost }),
        quotas: found.iter().filter(shown).map(|(quota, used)| QuotaView::of(quota, *used, now)).collect(),
    }))
}
