//! Login sessions, and the failures that lock accounts and addresses for a while.

use super::audit;
use super::db::{Db, Row, Sql, Tx, query};
use super::error::Result;
use crate::domain::accounts::{
    FAILURES_KEPT, FailureOf, LOGIN_IDLE, LOGIN_LIFETIME, LoginSession, LoginSubjects, lock_after,
};
use crate::domain::audit::{ActorKind, By, Entry};
use crate::domain::ids::{LoginSessionId, TenantId, UserId};
use chrono::{DateTime, Utc};
use serde_json::json;

macro_rules! columns {
    () => {
        "id, user_id, address, user_agent, create_time, seen_at, expires_at"
    };
}

/// Logins of one user at the same time; one more ends the oldest.
const MAX_LOGINS: i64 = 50;
/// Forgotten failures that one failure removes at most.
const REMOVED_AT_ONCE: i64 = 100;

/// What a password is checked against.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Who would log in.
    pub user_id: UserId,
    /// Where.
    pub tenant_id: TenantId,
    /// None: can't log in with a password.
    pub password_hash: Option<String>,
    /// They, or all of their tenant, may not log in.
    pub disabled: bool,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials of user {}", self.user_id)
    }
}

/// A login that is to begin.
#[derive(Debug, Clone, Copy)]
pub struct NewLogin<'a> {
    /// Of the new cookie's value.
    pub token_hash: &'a str,
    /// Of the cookie that came with the request: its session ends, whoever's it is.
    pub replaces: Option<&'a str>,
    /// From where.
    pub address: &'a str,
    /// What the browser calls itself.
    pub user_agent: &'a str,
}

fn login(row: &Row) -> Result<LoginSession> {
    Ok(LoginSession {
        id: row.id("id", LoginSessionId)?,
        user_id: row.id("user_id", UserId)?,
        address: row.get("address")?,
        user_agent: row.get("user_agent")?,
        create_time: row.get("create_time")?,
        seen_at: row.get("seen_at")?,
        expires_at: row.get("expires_at")?,
    })
}

/// The tenant of this name; without one, the first.
pub async fn tenant_of(db: &Db, name: Option<&str>) -> Result<Option<TenantId>> {
    let Some(name) = name else { return Ok(Some(TenantId::FIRST)) };
    let found = query("SELECT id FROM netaclaw_tenant WHERE name = $1").bind(name).optional(db).await?;
    found.map(|row| row.id("id", TenantId)).transpose()
}

/// Who has this name in the tenant.
pub async fn credentials(db: &Db, tenant_id: TenantId, name: &str) -> Result<Option<Credentials>> {
    let found = query(
        "SELECT u.id, u.tenant_id, u.password_hash, (u.disabled OR t.disabled) AS disabled \
         FROM netaclaw_user u JOIN netaclaw_tenant t ON t.id = u.tenant_id \
         WHERE u.tenant_id = $1 AND u.name = $2",
    );
    let row = found.bind(tenant_id).bind(name).optional(db).await?;
    row.map(|row| {
        Ok(Credentials {
            user_id: row.id("id", UserId)?,
            tenant_id: row.id("tenant_id", TenantId)?,
            password_hash: row.get("password_hash")?,
            disabled: row.get("disabled")?,
        })
    })
    .transpose()
}

/// The hash of a user's password.
pub async fn password_hash(db: &Db, tenant_id: TenantId, id: UserId) -> Result<Option<String>> {
    let found = query("SELECT password_hash FROM netaclaw_user WHERE id = $1 AND tenant_id = $2");
    match found.bind(id).bind(tenant_id).optional(db).await? {
        Some(row) => row.get("password_hash"),
        None => Ok(None),
    }
}

/// Logs a user in whose password was right, and forgets the account's failures. None: the password
/// changed meanwhile, or user or tenant were disabled.
pub async fn begin(
    db: &Db,
    who: &Credentials,
    new: &NewLogin<'_>,
    subjects: &LoginSubjects,
    now: DateTime<Utc>,
) -> Result<Option<LoginSession>> {
    // Held until the login is there, so that who disables the tenant ends this one, too.
    const OPEN: Sql = Sql {
        sqlite: "SELECT id FROM netaclaw_tenant WHERE id = $1 AND NOT disabled",
        postgres: "SELECT id FROM netaclaw_tenant WHERE id = $1 AND NOT disabled FOR SHARE",
    };
    let mut tx = db.begin().await?;
    let open = query(OPEN).bind(who.tenant_id).optional(&mut tx).await?.is_some();
    // The same holds for the user's row.
    let entered = query(
        "UPDATE netaclaw_user SET last_login_at = $3 \
         WHERE id = $1 AND password_hash = $2 AND NOT disabled RETURNING name",
    );
    let entered =
        entered.bind(who.user_id).bind(who.password_hash.as_deref()).bind(now).optional(&mut tx).await?;
    let (true, Some(row)) = (open, entered) else {
        tx.rollback().await?;
        return Ok(None);
    };
    let name: String = row.get("name")?;
    make_room(&mut tx, who.user_id, new.replaces, now).await?;
    let inserted = query(concat!(
        "INSERT INTO netaclaw_login_session \
         (token_hash, tenant_id, user_id, address, user_agent, create_time, seen_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7) RETURNING ",
        columns!()
    ))
    .bind(new.token_hash)
    .bind(who.tenant_id)
    .bind(who.user_id)
    .bind(new.address)
    .bind(new.user_agent)
    .bind(now)
    .bind(now + LOGIN_LIFETIME);
    let session = login(&inserted.one(&mut tx).await?)?;
    if let Some(account) = &subjects.account {
        query("DELETE FROM netaclaw_login_failure WHERE subject = $1")
            .bind(account.as_str())
            .execute(&mut tx)
            .await?;
    }
    let address = Some(new.address.to_owned());
    let by = By { kind: ActorKind::User, id: Some(who.user_id.0), name, address };
    note(&mut tx, who.tenant_id, by, "login.begin", session.id, now).await?;
    tx.commit().await?;
    Ok(Some(session))
}

/// Ends the login that is replaced, those of the user that nobody can use any more, and the oldest
/// beyond the bound.
async fn make_room(tx: &mut Tx, id: UserId, replaces: Option<&str>, now: DateTime<Utc>) -> Result<()> {
    if let Some(token_hash) = replaces {
        query("DELETE FROM netaclaw_login_session WHERE token_hash = $1")
            .bind(token_hash)
            .execute(&mut *tx)
            .await?;
    }
    query(
        "DELETE FROM netaclaw_login_session WHERE user_id = $1 AND (expires_at <= $2 OR seen_at <= $3 OR id <= \
         (SELECT id FROM netaclaw_login_session WHERE user_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $4))",
    )
    .bind(id)
    .bind(now)
    .bind(now - LOGIN_IDLE)
    .bind(MAX_LOGINS - 1)
    .execute(tx)
    .await
    .map(drop)
}

/// Where a user is logged in, the latest first.
pub async fn list(db: &Db, user_id: UserId, now: DateTime<Utc>) -> Result<Vec<LoginSession>> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_login_session WHERE user_id = $1 AND expires_at > $2 AND seen_at > $3 ORDER BY id DESC"
    ))
    .bind(user_id)
    .bind(now)
    .bind(now - LOGIN_IDLE)
    .all(db)
    .await?
    .iter()
    .map(login)
    .collect()
}

/// Logs one of a user's browsers out; false: there is no such login of theirs.
pub async fn end(
    db: &Db,
    tenant_id: TenantId,
    user_id: UserId,
    id: LoginSessionId,
    by: &By,
    now: DateTime<Utc>,
) -> Result<bool> {
    let mut tx = db.begin().await?;
    let deleted = query("DELETE FROM netaclaw_login_session WHERE id = $1 AND user_id = $2");
    let ended = deleted.bind(id).bind(user_id).execute(&mut tx).await? > 0;
    if ended {
        note(&mut tx, tenant_id, by.clone(), "login.end", id, now).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Logs a user out everywhere but at `keep`. How many there were.
pub async fn end_others(
    db: &Db,
    tenant_id: TenantId,
    user_id: UserId,
    keep: LoginSessionId,
    by: &By,
    now: DateTime<Utc>,
) -> Result<u64> {
    let mut tx = db.begin().await?;
    let ended = end_all_in(&mut tx, user_id, Some(keep)).await?;
    if ended > 0 {
        note(&mut tx, tenant_id, by.clone(), "login.end_others", keep, now).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

pub(super) async fn end_all_in(tx: &mut Tx, user_id: UserId, keep: Option<LoginSessionId>) -> Result<u64> {
    query("DELETE FROM netaclaw_login_session WHERE user_id = $1 AND id <> $2")
        .bind(user_id)
        .bind(keep.map_or(0, |id| id.0))
        .execute(tx)
        .await
}

pub(super) async fn end_tenant_in(tx: &mut Tx, tenant_id: TenantId) -> Result<u64> {
    query(
        "DELETE FROM netaclaw_login_session \
         WHERE user_id IN (SELECT id FROM netaclaw_user WHERE tenant_id = $1)",
    )
    .bind(tenant_id)
    .execute(tx)
    .await
}

/// Until when nobody may try to log in to the account, or from the address.
pub async fn locked_until(
    db: &Db,
    subjects: &LoginSubjects,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let locks = query(
        "SELECT locked_until FROM netaclaw_login_failure WHERE subject IN ($1, $2) AND locked_until > $3",
    );
    let rows =
        locks.bind(subjects.account.as_deref()).bind(subjects.address.as_str()).bind(now).all(db).await?;
    let times: Result<Vec<DateTime<Utc>>> = rows.iter().map(|row| row.get("locked_until")).collect();
    Ok(times?.into_iter().max())
}

/// Counts a failure of the account, which is `whose` if it exists, and of the address. Until when they
/// are locked from now on.
pub async fn fail(
    db: &Db,
    subjects: &LoginSubjects,
    whose: Option<(TenantId, UserId)>,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let mut tx = db.begin().await?;
    // Accounts before addresses: two failures never wait for each other.
    let account = match &subjects.account {
        Some(account) => count(&mut tx, FailureOf::Account, account, now).await?,
        None => None,
    };
    let address = count(&mut tx, FailureOf::Address, &subjects.address, now).await?;
    if let (Some(until), Some((tenant_id, id))) = (account, whose) {
        let entry = Entry {
            tenant_id,
            by: By::nobody(subjects.network().map(str::to_owned)),
            action: "login.lock",
            object_kind: "user",
            object_id: id.to_string(),
            before: None,
            after: Some(json!({ "until": until })),
        };
        audit::record(&mut tx, &entry, now).await?;
    }
    tx.commit().await?;
    forget_old(db, now).await?;
    Ok(account.max(address))
}

async fn count(
    tx: &mut Tx,
    of: FailureOf,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let counted = query(
        "INSERT INTO netaclaw_login_failure AS f (subject, failures, locked_until, update_time) \
         VALUES ($1, 1, NULL, $2) ON CONFLICT (subject) DO UPDATE SET \
         failures = CASE WHEN f.update_time < $3 THEN 1 ELSE f.failures + 1 END, update_time = $2 \
         RETURNING failures",
    );
    let row = counted.bind(subject).bind(now).bind(now - FAILURES_KEPT).one(&mut *tx).await?;
    let failures = u32::try_from(row.get::<i64>("failures")?).unwrap_or(u32::MAX);
    let until = lock_after(of, failures).map(|time| now + time);
    if until.is_some() {
        query("UPDATE netaclaw_login_failure SET locked_until = $2 WHERE subject = $1")
            .bind(subject)
            .bind(until)
            .execute(tx)
            .await?;
    }
    Ok(until)
}

/// Removes some of the failures that count no more.
async fn forget_old(db: &Db, now: DateTime<Utc>) -> Result<()> {
    const FORGET: Sql = Sql {
        sqlite: "DELETE FROM netaclaw_login_failure WHERE subject IN \
                 (SELECT subject FROM netaclaw_login_failure WHERE update_time < $1 ORDER BY update_time LIMIT $2)",
        // Rows that somebody counts at this moment are left to the next.
        postgres: "DELETE FROM netaclaw_login_failure WHERE subject IN \
                   (SELECT subject FROM netaclaw_login_failure WHERE update_time < $1 ORDER BY update_time LIMIT $2 \
                    FOR UPDATE SKIP LOCKED)",
    };
    query(FORGET).bind(now - FAILURES_KEPT).bind(REMOVED_AT_ONCE).execute(db).await.map(drop)
}

async fn note(
    tx: &mut Tx,
    tenant_id: TenantId,
    by: By,
    action: &'static str,
    id: LoginSessionId,
    now: DateTime<Utc>,
) -> Result<()> {
    let user = by.id.filter(|_| by.kind == ActorKind::User);
    let entry = Entry {
        tenant_id,
        by,
        action,
        object_kind: "login",
        object_id: id.to_string(),
        before: None,
        after: user.map(|id| json!({ "userId": id })),
    };
    audit::record(tx, &entry, now).await
}
