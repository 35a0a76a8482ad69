//! Tenants, the people in them, and the roles that say what these may do.

use super::ids::{LoginSessionId, RoleId, TenantId, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use std::net::IpAddr;
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

/// The built-in role of who manages a tenant.
pub const ADMIN_ROLE: &str = "admin";

/// Why a password is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadPassword {
    /// Too few characters.
    #[error("must have at least {MIN_PASSWORD_CHARS} characters")]
    Short,
    /// Too many.
    #[error("must have at most {MAX_PASSWORD_CHARS} characters")]
    Long,
    /// The first that everybody tries.
    #[error("must not be the name")]
    Name,
    /// Text that some forms and files cut there.
    #[error("must not hold control characters")]
    Control,
}

/// Whether the user of this name may have this password.
pub fn check_password(name: &str, password: &str) -> Result<(), BadPassword> {
    let chars = password.chars().count();
    if chars < MIN_PASSWORD_CHARS {
        return Err(BadPassword::Short);
    }
    if chars > MAX_PASSWORD_CHARS {
        return Err(BadPassword::Long);
    }
    if password.trim().to_lowercase() == name.trim().to_lowercase() {
        return Err(BadPassword::Name);
    }
    // NUL from outside comes as its visible mark, see `domain::text`.
    if password.chars().any(|c| c.is_control() || c == '\u{2400}') {
        return Err(BadPassword::Control);
    }
    Ok(())
}

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

/// Whom the failures of one try are counted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginSubjects {
    /// The account, whether it exists or not; None: nobody can have such a name, or none was given.
    pub account: Option<String>,
    /// The address; of IPv6 the network of 64 bits, which one customer has.
    pub address: String,
}

impl LoginSubjects {
    /// Of a try to log in to this tenant, or to one of an unknown name, with a name as it came.
    pub fn of(tenant: Result<TenantId, &str>, name: &str, address: &str) -> Self {
        let account = clean_name(name).and_then(|name| match tenant {
            Ok(id) => Some(format!("u:{id}/{name}")),
            Err(unknown) => clean_name(unknown).map(|tenant| format!("u:-{tenant}/{name}")),
        });
        Self { account, ..Self::of_address(address) }
    }

    /// The address, or its network, without what marks it as one.
    pub fn network(&self) -> Option<&str> {
        self.address.strip_prefix("a:")
    }

    /// Of a try that names no account.
    pub fn of_address(address: &str) -> Self {
        let network = match address.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
            Ok(IpAddr::V6(ip)) => {
                let [a, b, c, d, ..] = ip.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
            Ok(IpAddr::V4(ip)) => ip.to_string(),
            Err(_) => address.to_owned(),
        };
        Self { account: None, address: format!("a:{network}") }
    }
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
    fn passwords_are_long_enough_and_not_the_name() {
        let table = [
            ("ada", "123456789", Err(BadPassword::Short)),
            ("ada", "1234567890", Ok(())),
            ("ada", "中文中文中文中文中文", Ok(())),
            ("ada", &"x".repeat(256), Ok(())),
            ("ada", &"x".repeat(257), Err(BadPassword::Long)),
            ("ada.lovelace", " Ada.Lovelace", Err(BadPassword::Name)),
            ("ada", "123456789\u{0}", Err(BadPassword::Control)),
            ("ada", "123456789\u{2400}", Err(BadPassword::Control)),
            ("ada", "with some spaces", Ok(())),
        ];
        for (name, password, expected) in table {
            assert_eq!(check_password(name, password), expected, "{password:?}");
        }
    }

    #[test]
    fn failures_are_counted_by_account_and_network() {
        let of = |tenant, name, address| {
            let subjects = LoginSubjects::of(tenant, name, address);
            (subjects.account.unwrap_or_default(), subjects.address)
        };
        let is = |account: &str, address: &str| (account.to_owned(), address.to_owned());
        let main = Ok(TenantId(1));
        assert_eq!(of(main, " Ada ", "10.0.0.7"), is("u:1/ada", "a:10.0.0.7"));
        assert_eq!(of(Err("Acme"), "ada", "::ffff:10.0.0.7"), is("u:-acme/ada", "a:10.0.0.7"));
        assert_eq!(of(main, "a/b", "2001:db8:1:2:3:4:5:6"), is("", "a:2001:db8:1:2::/64"));
        assert_eq!(of(main, "ada", "2001:db8:1:2::9").1, "a:2001:db8:1:2::/64");
        assert_eq!(of(Err("no tenant"), "ada", "unknown"), is("", "a:unknown"));
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
