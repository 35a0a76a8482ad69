//! Quotas: what a tenant, a person or a key may use a day.

use super::access::Account;
use super::ids::{QuotaId, TenantId};
use chrono::{DateTime, Days, NaiveTime, SecondsFormat, Utc};
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

/// Somebody whose use is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Subject {
    /// Where.
    pub tenant_id: TenantId,
    /// Who.
    pub kind: SubjectKind,
    /// Their number.
    pub id: i64,
}

impl Subject {
    /// All of a tenant together.
    pub fn tenant(tenant_id: TenantId) -> Self {
        Self { tenant_id, kind: SubjectKind::Tenant, id: tenant_id.0 }
    }

    /// All whose quotas apply to a turn on this account.
    pub fn of(tenant_id: TenantId, account: Account) -> Vec<Self> {
        let user = account.user_id.map(|id| Self { tenant_id, kind: SubjectKind::User, id: id.0 });
        let key = account.api_key_id.map(|id| Self { tenant_id, kind: SubjectKind::Key, id: id.0 });
        [Self::tenant(tenant_id)].into_iter().chain(user).chain(key).collect()
    }
}

/// A quota as stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Quota {
    /// Primary key.
    pub id: QuotaId,
    /// Who is limited.
    pub subject: Subject,
    /// To what.
    pub limits: DayLimits,
    /// Turns that were accepted on the day that was asked for, since the quota was set.
    pub turns: u64,
}

/// Why a turn is refused until the day ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded {
    /// Whose quota.
    pub subject: Subject,
    /// What ran out.
    pub what: Exhausted,
    /// When the day ends.
    pub until: DateTime<Utc>,
    /// Seconds until then, rounded up.
    pub left_seconds: u64,
}

impl Exceeded {
    /// What somebody used up of the day of `now`.
    pub fn new(subject: Subject, what: Exhausted, now: DateTime<Utc>) -> Self {
        let until = day_ends(now);
        let left = (until - now).num_milliseconds().unsigned_abs();
        Self { subject, what, until, left_seconds: left.div_ceil(1000) }
    }
}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whose = match self.subject.kind {
            SubjectKind::Tenant => "tenant's",
            SubjectKind::User => "user's",
            SubjectKind::Key => "key's",
        };
        let until = self.until.to_rfc3339_opts(SecondsFormat::Secs, true);
        write!(f, "the {whose} quota of {} a day is used up until {until}", self.what.as_str())
    }
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

impl Exhausted {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turns => "turns",
            Self::Tokens => "tokens",
            Self::Cost => "cost",
        }
    }
}

impl DayLimits {
    /// Whether the price or the tokens of model calls matter.
    pub fn counts_calls(&self) -> bool {
        self.max_tokens.is_some() || self.max_cost.is_some()
    }

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

/// The day of `now` (UTC), as stored: `2026-12-31`.
pub fn day(now: DateTime<Utc>) -> String {
    now.date_naive().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::ids::{ApiKeyId, UserId};
    use super::*;

    #[test]
    fn a_turn_is_on_the_account_of_its_tenant_its_user_and_its_key() {
        let named = |user_id: Option<i64>, key: Option<i64>| {
            let account = Account { user_id: user_id.map(UserId), api_key_id: key.map(ApiKeyId) };
            let subjects = Subject::of(TenantId(3), account);
            subjects.into_iter().map(|s| (s.kind.as_str(), s.id)).collect::<Vec<_>>()
        };
        assert_eq!(named(None, None), [("tenant", 3)]);
        assert_eq!(named(Some(7), None), [("tenant", 3), ("user", 7)]);
        assert_eq!(named(Some(7), Some(9)), [("tenant", 3), ("user", 7), ("key", 9)]);
        assert_eq!(named(None, Some(9)), [("tenant", 3), ("key", 9)]);
    }

    #[test]
    fn a_refusal_says_whose_quota_what_and_until_when() {
        let subject = Subject { tenant_id: TenantId(1), kind: SubjectKind::Key, id: 9 };
        let now = "2026-12-31T23:58:59.001Z".parse().unwrap();
        let exceeded = Exceeded::new(subject, Exhausted::Turns, now);
        assert_eq!(exceeded.left_seconds, 61);
        assert_eq!(
            exceeded.to_string(),
            "the key's quota of turns a day is used up until 2027-01-01T00:00:00Z"
        );
    }

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
        assert_eq!(day(at("2026-02-08T23:00:00Z")), "2026-02-08");
    }
}
