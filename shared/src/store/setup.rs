//! How the first administrator is made: once, by whoever holds the token that the first start printed,
//! or by the configuration.

use super::accounts::{AccountError, Authority, Changed, lock, settle};
use super::db::{Db, Tx, query};
use super::error::Result;
use super::tenants::{self, FirstAdmin};
use crate::domain::accounts::User;
use crate::domain::audit::By;
use crate::domain::ids::TenantId;
use crate::domain::permissions::Permissions;
use chrono::{DateTime, Utc};

/// Where the setup stands, for who comes with a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupState {
    /// Nobody has an account yet.
    Open {
        /// Whether the token is the one that was printed last.
        right: bool,
    },
    /// It is done, for ever.
    Done,
}

/// What became of a setup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completed {
    /// The first administrator is there.
    Made(User),
    /// Not with this token.
    WrongToken,
    /// Somebody was faster.
    Done,
}

/// Offers the setup to who holds this token, in place of an earlier one; false: it is done, or there
/// are users.
pub async fn offer(db: &Db, token_hash: &str, now: DateTime<Utc>) -> Result<bool> {
    let mut tx = db.begin().await?;
    lock(&mut tx, TenantId::FIRST).await?;
    let offered = !has_users(&mut tx).await? && open(&mut tx, token_hash, now).await?;
    tx.commit().await?;
    Ok(offered)
}

async fn open(tx: &mut Tx, token_hash: &str, now: DateTime<Utc>) -> Result<bool> {
    let offered = query(
        "INSERT INTO netaclaw_setup AS s (id, token_hash, done_at, create_time) VALUES (1, $1, NULL, $2) \
         ON CONFLICT (id) DO UPDATE SET token_hash = $1, create_time = $2 WHERE s.done_at IS NULL",
    );
    Ok(offered.bind(token_hash).bind(now).execute(tx).await? > 0)
}

/// Where it stands for this token; without one, whether it is open.
pub async fn state(db: &Db, token_hash: Option<&str>) -> Result<SetupState> {
    let row = query(
        "SELECT (token_hash = $1) AS fits FROM netaclaw_setup \
         WHERE done_at IS NULL AND NOT EXISTS (SELECT 1 FROM netaclaw_user)",
    );
    match row.bind(token_hash.unwrap_or_default()).optional(db).await? {
        Some(row) => Ok(SetupState::Open { right: row.get("fits")? }),
        None => Ok(SetupState::Done),
    }
}

/// Makes the first administrator for who holds the token. Of any number at once, one does.
pub async fn complete(
    db: &Db,
    token_hash: &str,
    admin: &FirstAdmin,
    address: &str,
    now: DateTime<Utc>,
) -> Changed<Completed> {
    let by = By::nobody(Some(address.to_owned()));
    let authority = Authority { by, holds: Permissions::all() };
    let mut tx = db.begin().await?;
    let done = complete_in(&mut tx, token_hash, admin, &authority, now).await;
    settle(tx, done).await
}

async fn complete_in(
    tx: &mut Tx,
    token_hash: &str,
    admin: &FirstAdmin,
    authority: &Authority,
    now: DateTime<Utc>,
) -> Changed<Completed> {
    lock(tx, TenantId::FIRST).await?;
    let setup =
        query("SELECT token_hash FROM netaclaw_setup WHERE done_at IS NULL").optional(&mut *tx).await?;
    let Some(row) = setup else { return Ok(Completed::Done) };
    if has_users(tx).await? {
        return Ok(Completed::Done);
    }
    if row.get::<String>("token_hash")? != token_hash {
        return Ok(Completed::WrongToken);
    }
    close(tx, now).await?;
    Ok(Completed::Made(tenants::make_admin(tx, TenantId::FIRST, admin, authority, now).await?))
}

/// Makes the first administrator by configuration; None: there are users, who stay as they are.
pub async fn make_configured(db: &Db, admin: &FirstAdmin, now: DateTime<Utc>) -> Changed<Option<User>> {
    let mut tx = db.begin().await?;
    let done = make_configured_in(&mut tx, admin, now).await;
    settle(tx, done).await
}

async fn make_configured_in(tx: &mut Tx, admin: &FirstAdmin, now: DateTime<Utc>) -> Changed<Option<User>> {
    lock(tx, TenantId::FIRST).await?;
    if has_users(tx).await? {
        return Ok(None);
    }
    close(tx, now).await?;
    tenants::make_admin(tx, TenantId::FIRST, admin, &Authority::start(), now).await.map(Some)
}

/// Nobody comes by the token any more.
async fn close(tx: &mut Tx, now: DateTime<Utc>) -> Result<(), AccountError> {
    // No token has the empty hash.
    let closed = query(
        "INSERT INTO netaclaw_setup (id, token_hash, done_at, create_time) VALUES (1, '', $1, $1) \
         ON CONFLICT (id) DO UPDATE SET token_hash = '', done_at = $1",
    );
    closed.bind(now).execute(tx).await?;
    Ok(())
}

/// Whether the installation has any users.
pub async fn is_fresh(db: &Db) -> Result<bool> {
    Ok(query("SELECT 1 AS one FROM netaclaw_user LIMIT 1").optional(db).await?.is_none())
}

async fn has_users(tx: &mut Tx) -> Result<bool> {
    Ok(query("SELECT 1 AS one FROM netaclaw_user LIMIT 1").optional(tx).await?.is_some())
}
