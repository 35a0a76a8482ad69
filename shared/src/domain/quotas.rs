//! Quotas: what a tenant, a person or a key may use a day.

use super::ids::{QuotaId, TenantId};
use chrono::{DateTime, Days, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubjectKind {
    /// All of the tenant together.
    Tenant,
    /// One person, with their keys.
    User,
    /// One key.
    Key,
}

impl SubjectKind {
    const ALL: [Self; 3] = [Self::Tenant, Self::User, Self::Key];

    /// As stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tenant => "tenant",
            Self::User => "user",
            Self::Key => "key",
        }
    }

    /// Reads what `as_str` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The most of a day (UTC); None: no limit.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct DayLimits {
    /// Turns that are accepted.
    pub max_turns: Option<u64>,
    /// Tokens of finished model calls, subagents' included.
    pub max_tokens: Option<u64>,
    /// Their price, in the currency of the models' prices.
    pub max_cost: Option<f64>,
}

/// A quota as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Quota {
    /// Primary key.
    pub id: QuotaId,
    /// Where.
    pub tenant_id: TenantId,
    /// Who is limited.
    pub subject_kind: SubjectKind,
    /// Their number.
    pub subject_id: i64,
    /// To what.
    pub limits: DayLimits,
}

/// What somebody used of a day.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayUse {
    /// Turns that were accepted.
    pub turns: u64,
    /// Tokens of finished model calls.
    pub tokens: u64,
    /// Their price.
    pub cost: f64,
}

/// What ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Exhausted {
    /// Turns.
    Turns,
    /// Tokens.
    Tokens,
    /// Money.
    Cost,
}

impl DayLimits {
    /// What has run out, so that no further turn is accepted.
    pub fn exhausted(&self, used: &DayUse) -> Option<Exhausted> {
        let reached = |max: Option<u64>, used: u64| max.is_some_and(|max| used >= max);
        if reached(self.max_turns, used.turns) {
            return Some(Exhausted::Turns);
        }
        if reached(self.max_tokens, used.tokens) {
            return Some(Exhausted::Tokens);
        }
        self.max_cost.is_some_and(|max| used.cost >= max).then_some(Exhausted::Cost)
    }
}

/// When the day of `now` ends and the next begins (UTC).
pub fn day_ends(now: DateTime<Utc>) -> DateTime<Utc> {
    let next = now.date_naive().checked_add_days(Days::new(1)).unwrap_or(now.date_naive());
    next.and_time(NaiveTime::MIN).and_utc()
}

/// When the day of `now` began (UTC).
pub fn day_began(now: DateTime<Utc>) -> DateTime<Utc> {
    now.date_naive().and_time(NaiveTime::MIN).and_utc()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_reached_is_exhausted() {
        let limits = DayLimits { max_turns: Some(2), max_tokens: Some(100), max_cost: Some(1.5) };
        let used = |turns, tokens, cost| limits.exhausted(&DayUse { turns, tokens, cost });
        assert_eq!(used(1, 99, 1.49), None);
        assert_eq!(used(2, 0, 0.0), Some(Exhausted::Turns));
        assert_eq!(used(0, 100, 0.0), Some(Exhausted::Tokens));
        assert_eq!(used(0, 0, 1.5), Some(Exhausted::Cost));
        let none = DayLimits::default();
        assert_eq!(none.exhausted(&DayUse { turns: u64::MAX, tokens: u64::MAX, cost: f64::MAX }), None);
        let zero = DayLimits { max_turns: Some(0), ..none };
        assert_eq!(zero.exhausted(&DayUse::default()), Some(Exhausted::Turns), "nothing is allowed");
    }

    #[test]
    fn days_are_those_of_utc() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(day_ends(at("2026-12-31T23:59:59.999Z")), at("2027-01-01T00:00:00Z"));
        assert_eq!(day_ends(at("2026-02-28T00:00:00Z")), at("2026-03-01T00:00:00Z"));
        assert_eq!(day_began(at("2026-02-28T23:00:00Z")), at("2026-02-28T00:00:00Z"));
    }
}
