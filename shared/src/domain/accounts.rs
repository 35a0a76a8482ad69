//! Tenants, the people in them, and the roles that say what these may do.

use super::ids::{LoginSessionId, RoleId, TenantId, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use utoipa::ToSchema;

/// A customer of the operator: owner of everything that its people make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tenant {
    /// Primary key.
    pub id: TenantId,
    /// Unique; people log in with it, see [`clean_name`].
    pub name: String,
    /// Nobody of it may do anything.
    pub disabled: bool,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

/// A person who can log in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Primary key.
    pub id: UserId,
    /// Where.
    #[serde(skip)]
    pub tenant_id: TenantId,
    /// Unique in the tenant; what they log in with, see [`clean_name`].
    pub name: String,
    /// Shown to people.
    pub display_name: String,
    /// May not log in, and their keys are refused.
    pub disabled: bool,
    /// What they may do.
    pub role_ids: Vec<RoleId>,
    /// When they last logged in.
    pub last_login_at: Option<DateTime<Utc>>,
    /// When they were made.
    pub create_time: DateTime<Utc>,
    /// When they last changed.
    pub update_time: DateTime<Utc>,
}

/// A named set of permissions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    /// Primary key.
    pub id: RoleId,
    /// Where.
    #[serde(skip)]
    pub tenant_id: TenantId,
    /// Unique in the tenant.
    pub name: String,
    /// For people.
    pub description: String,
    /// Made with the tenant; it can't be changed or removed.
    pub built_in: bool,
    /// Grants: names of permissions as `agent:view`, all of a resource as `agent:*`, or `*`.
    pub permissions: Vec<String>,
    /// When it was made.
    pub create_time: DateTime<Utc>,
    /// When it last changed.
    pub update_time: DateTime<Utc>,
}

/// A browser that is logged in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginSession {
    /// Primary key.
    pub id: LoginSessionId,
    /// Who.
    #[serde(skip)]
    pub user_id: UserId,
    /// From where.
    pub address: String,
    /// What the browser calls itself.
    pub user_agent: String,
    /// Since when.
    pub create_time: DateTime<Utc>,
    /// About when it last asked for something, to the minute.
    pub seen_at: DateTime<Utc>,
    /// From then on it is logged out, however busy it is.
    pub expires_at: DateTime<Utc>,
}

/// A browser stays logged in for at most so long.
pub const LOGIN_LIFETIME: TimeDelta = TimeDelta::days(30);
/// And without a request for at most so long.
pub const LOGIN_IDLE: TimeDelta = TimeDelta::days(7);

/// Characters of a password that are accepted at least (NIST SP 800-63B asks for 8 and no rules of
/// composition; 10 keeps out most of the lists).
pub const MIN_PASSWORD_CHARS: usize = 10;
/// And at most: hashing takes longer for more.
pub const MAX_PASSWORD_CHARS: usize = 256;

/// A name to log in with: 1 to 64 lower-case letters, digits and `. _ - @ +`; upper case becomes lower.
pub fn clean_name(name: &str) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let plain =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '@' | '+');
    ((1..=64).contains(&name.len()) && name.chars().all(plain)).then_some(name)
}

/// Failures of an account that are forgiven before it is locked for a while.
const FORGIVEN_ACCOUNT: u32 = 5;
/// The same for an address, from which many people may come.
const FORGIVEN_ADDRESS: u32 = 50;
/// The first lock's time; each further failure doubles it.
const FIRST_LOCK: TimeDelta = TimeDelta::seconds(30);
/// The longest lock: an account's owner is not kept out for ever by others' tries.
const LONGEST_LOCK: TimeDelta = TimeDelta::minutes(15);
/// After so long without a failure the count begins anew.
pub const FAILURES_KEPT: TimeDelta = TimeDelta::hours(24);

/// What failed logins are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureOf {
    /// An account, whether it exists or not.
    Account,
    /// The address that they came from.
    Address,
}

/// How long the subject is locked after its `failures`th failed login; None: it may try again at once.
pub fn lock_after(of: FailureOf, failures: u32) -> Option<TimeDelta> {
    let forgiven = match of {
        FailureOf::Account => FORGIVEN_ACCOUNT,
        FailureOf::Address => FORGIVEN_ADDRESS,
    };
    let beyond = failures.checked_sub(forgiven)?;
    let factor = 1_i32.checked_shl(beyond.min(30)).unwrap_or(i32::MAX);
    Some(FIRST_LOCK.checked_mul(factor).unwrap_or(LONGEST_LOCK).min(LONGEST_LOCK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_and_plain() {
        assert_eq!(clean_name(" Ada.L@Example.com "), Some("ada.l@example.com".to_owned()));
        for bad in ["", " ", "a b", "naïve", "a/b", "a:b", "a\u{0}", &"x".repeat(65)] {
            assert_eq!(clean_name(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn locks_double_up_to_a_quarter_of_an_hour() {
        let seconds = |of, failures| lock_after(of, failures).map(|t| t.num_seconds());
        let account: Vec<_> = (1..=12).map(|n| seconds(FailureOf::Account, n)).collect();
        let (none, some) = account.split_at(4);
        assert!(none.iter().all(Option::is_none));
        let some: Vec<i64> = some.iter().map(|s| s.unwrap()).collect();
        assert_eq!(some, [30, 60, 120, 240, 480, 900, 900, 900]);
        assert_eq!(seconds(FailureOf::Account, u32::MAX), Some(900));
        assert_eq!((seconds(FailureOf::Address, 49), seconds(FailureOf::Address, 50)), (None, Some(30)));
    }
}
