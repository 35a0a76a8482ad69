//! API keys: made, changed, given another text, revoked; each with its line in the audit. Nobody gets
//! hold of a key that may more than they may themselves.

use super::{App, AppError};
use crate::domain::access::{Actor, Principal};
use crate::domain::api_keys::{ApiKey, KEY_MARK, KEY_PREFIX_CHARS, KeySpec, Scope, needed_to_give};
use crate::domain::audit::{By, Entry};
use crate::domain::ids::UserId;
use crate::domain::permissions::Permission;
use crate::secrets::{Secret, fingerprint, random_token};
use crate::store::api_keys::{self, NewSecret};
use crate::store::{StoreError, Tx, agents, audit};
use chrono::TimeDelta;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// As any use case.
    #[error(transparent)]
    App(#[from] AppError),
    /// The key could do what whoever asks for it may not.
    #[error("this needs the permission {}", .0.as_str())]
    Forbidden(Permission),
    /// The tenant has no such user.
    #[error("there is no such user")]
    NoSuchUser,
    /// A scope names an agent that is not seen; which scope.
    #[error("there is no such agent")]
    NoSuchAgent(usize),
    /// A revoked key does not change.
    #[error("the key was revoked")]
    Revoked,
    /// It changed since it was read.
    #[error("the key changed meanwhile")]
    Changed,
}

impl From<StoreError> for KeyError {
    fn from(error: StoreError) -> Self {
        Self::App(error.into())
    }
}

/// A key with its text, which is not stored and never shown again.
#[derive(Debug)]
pub struct Given {
    /// As stored.
    pub key: ApiKey,
    /// What a program calls with.
    pub text: Secret,
}

/// Makes a key that acts for a user, or (None) in its own name.
pub async fn create(
    app: &App,
    who: &Principal,
    by: By,
    user_id: Option<UserId>,
    spec: &KeySpec,
) -> Result<Given, KeyError> {
    may_give(who, user_id, &spec.scopes)?;
    names_seen_agents(app, who, &spec.scopes, &[]).await?;
    let (text, secret) = new_text()?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let made = api_keys::insert(&mut tx, who.tenant_id, user_id, spec, &secret, now).await;
    let key = made.map_err(|error| match error {
        StoreError::Reference => KeyError::NoSuchUser,
        other => other.into(),
    })?;
    let line = Entry::new(key.tenant_id, by, "key.create", &key.id).after(&key);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(Given { key, text })
}

/// Changes a key that somebody read, if nobody else did meanwhile.
pub async fn change(
    app: &App,
    who: &Principal,
    by: By,
    read: &ApiKey,
    spec: &KeySpec,
) -> Result<ApiKey, KeyError> {
    // An expiry or a rate that is lifted gives more, too.
    may_give(who, read.user_id, &read.scopes)?;
    is_not_a_key(who)?;
    if spec.scopes != read.scopes {
        may_give(who, read.user_id, &spec.scopes)?;
        names_seen_agents(app, who, &spec.scopes, &read.scopes).await?;
    }
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let stored = locked(&mut tx, read).await?;
    if stored.update_time != read.update_time {
        return Err(KeyError::Changed);
    }
    let changed = api_keys::update(&mut tx, read.tenant_id, read.id, spec, now).await?;
    let changed = changed.ok_or(KeyError::Revoked)?;
    let line = Entry::new(read.tenant_id, by, "key.update", &read.id).before(&stored).after(&changed);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(changed)
}

/// Gives a key another text; the one before is accepted for `overlap` longer.
pub async fn rotate(
    app: &App,
    who: &Principal,
    by: By,
    read: &ApiKey,
    overlap: TimeDelta,
) -> Result<Given, KeyError> {
    // Whoever reads the new text can act with it.
    may_give(who, read.user_id, &read.scopes)?;
    is_not_a_key(who)?;
    let (text, secret) = new_text()?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let key = locked(&mut tx, read).await?;
    if key.scopes != read.scopes {
        return Err(KeyError::Changed);
    }
    api_keys::rotate(&mut tx, key.id, &secret, now + overlap, now).await?;
    let after = serde_json::json!({ "prefix": secret.prefix, "oldEndsAt": now + overlap });
    let line = Entry::new(key.tenant_id, by, "key.rotate", &key.id).after(&after);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(Given { key: ApiKey { update_time: now, ..key }, text })
}

/// From the moment that this returns, the key is refused. False: it was before.
pub async fn revoke(app: &App, by: By, read: &ApiKey) -> Result<bool, AppError> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let Some(revoked) = api_keys::revoke(&mut tx, read.tenant_id, read.id, now).await? else {
        tx.rollback().await?;
        return Ok(false);
    };
    let line = Entry::new(read.tenant_id, by, "key.revoke", &read.id).before(read).after(&revoked);
    audit::record(&mut tx, &line, now).await?;
    tx.commit().await?;
    Ok(true)
}

/// The key as it stands, which nobody else changes now.
async fn locked(tx: &mut Tx, read: &ApiKey) -> Result<ApiKey, KeyError> {
    let stored = api_keys::lock(tx, read.tenant_id, read.id).await?.ok_or(AppError::NotFound("key"))?;
    if stored.revoked_at.is_some() { Err(KeyError::Revoked) } else { Ok(stored) }
}

/// What limits a key is nothing that a key can lift: whoever finds one that ends soon would have it for
/// ever.
fn is_not_a_key(who: &Principal) -> Result<(), KeyError> {
    match who.actor {
        Actor::Key { .. } => Err(KeyError::Forbidden(Permission::KeyManage)),
        Actor::Operator | Actor::User { .. } => Ok(()),
    }
}

/// In one's own name a key gives nothing that one does not have: it is narrowed to what its user may
/// whenever it is used.
fn may_give(who: &Principal, user_id: Option<UserId>, scopes: &[Scope]) -> Result<(), KeyError> {
    if user_id.is_some() && user_id == who.user_id() {
        return Ok(());
    }
    let needed = needed_to_give(scopes, user_id.is_some()).within(who.tenant_id);
    let missing = [Permission::KeyManage].into_iter().chain(needed.iter()).find(|p| !who.may(*p));
    missing.map_or(Ok(()), |permission| Err(KeyError::Forbidden(permission)))
}

async fn names_seen_agents(
    app: &App,
    who: &Principal,
    scopes: &[Scope],
    had: &[Scope],
) -> Result<(), KeyError> {
    for (n, scope) in scopes.iter().enumerate().filter(|(_, scope)| !had.contains(scope)) {
        if let Scope::ChatWith(agent) = scope
            && agents::find_seen(&app.db, who, *agent).await?.is_none()
        {
            return Err(KeyError::NoSuchAgent(n));
        }
    }
    Ok(())
}

/// `neta_`, the prefix, and 256 random bits.
fn new_text() -> Result<(Secret, NewSecret), AppError> {
    let internal = |e: crate::secrets::SecretError| AppError::Internal(e.to_string());
    let prefix: String = uuid::Uuid::new_v4().simple().to_string().chars().take(KEY_PREFIX_CHARS).collect();
    let text = Secret::new(format!("{KEY_MARK}{prefix}_{}", random_token().map_err(internal)?.expose()));
    let hash = fingerprint(&text);
    Ok((text, NewSecret { prefix, hash }))
}
