//! What a request shows of who it comes from, and looking it up.

use crate::auth::layer::Authenticated;
use crate::client::ClientAddress;
use crate::error::ApiError;
use crate::state::ApiState;
use axum::http::{HeaderMap, header};
use chrono::{DateTime, TimeDelta, Utc};
use shared::domain::access::{Actor, Principal};
use shared::domain::api_keys::{KEY_MARK, KEY_PREFIX_CHARS};
use shared::secrets::{Secret, fingerprint};
use shared::store::StoreError;
use shared::store::identities::{self, Identity};
use subtle::ConstantTimeEq;

/// The subprotocol that a browser's socket may carry its token in, beside `neta`.
const TOKEN_PROTOCOL: &str = "bearer.";
/// The cookie of a browser that is logged in.
pub const LOGIN_COOKIE: &str = "neta_session";
/// When somebody was last seen is stored as often as this.
const SEEN_EVERY: TimeDelta = TimeDelta::minutes(1);

/// What somebody showed. What it stands for is asked anew as long as a stream or socket lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// The administrator's token.
    Operator,
    /// A login's cookie.
    Login {
        /// Fingerprint of its value.
        hash: String,
    },
    /// An API key.
    Key {
        /// What it is found by.
        prefix: String,
        /// Fingerprint of the whole key.
        hash: String,
    },
}

/// What a request shows, not yet looked up.
pub(super) enum Shown {
    Nothing,
    Token(Secret),
    Cookie(Secret),
}

impl Shown {
    /// A token counts before a cookie: a program that sends both means the token.
    pub(super) fn by(headers: &HeaderMap, is_socket: bool) -> Self {
        let token = bearer(headers).or_else(|| offered(headers).filter(|_| is_socket));
        match token {
            Some(token) => Self::Token(Secret::new(token)),
            // Another scheme is somebody's try, too.
            None if headers.contains_key(header::AUTHORIZATION) => Self::Token(Secret::new("")),
            None => cookie(headers).map_or(Self::Nothing, |value| Self::Cookie(Secret::new(value))),
        }
    }
}

impl Credential {
    /// What was shown, if it can stand for anybody at all.
    pub(super) fn of(shown: &Shown, state: &ApiState) -> Option<Self> {
        match shown {
            Shown::Nothing => None,
            Shown::Cookie(value) => Some(Self::Login { hash: fingerprint(value) }),
            Shown::Token(token) => {
                let operator = state.config.admin_token.expose().as_bytes();
                if bool::from(token.expose().as_bytes().ct_eq(operator)) {
                    return Some(Self::Operator);
                }
                let (prefix, _) = token.expose().strip_prefix(KEY_MARK)?.split_once('_')?;
                let well_made =
                    prefix.len() == KEY_PREFIX_CHARS && prefix.chars().all(|c| c.is_ascii_alphanumeric());
                well_made.then(|| Self::Key { prefix: prefix.to_owned(), hash: fingerprint(token) })
            }
        }
    }

    /// Who it stands for at this moment; None: nobody any more.
    pub async fn look_up(&self, state: &ApiState) -> Result<Option<Identity>, StoreError> {
        let (db, now) = (&state.app.db, state.app.clock.now());
        match self {
            Self::Operator => {
                let principal = Principal::operator();
                Ok(Some(Identity { principal, seen_at: None, rate_per_minute: None }))
            }
            Self::Login { hash } => identities::by_login(db, hash, now).await,
            Self::Key { prefix, hash } => {
                let found = identities::by_key(db, prefix, now).await?;
                let right = |stored: &str| bool::from(hash.as_bytes().ct_eq(stored.as_bytes()));
                Ok(found.filter(|(_, stored)| right(stored)).map(|(identity, _)| identity))
            }
        }
    }

    /// Whether it still stands for the same somebody with the same rights.
    pub async fn still(&self, state: &ApiState, principal: &Principal) -> Result<bool, ApiError> {
        if *self == Self::Operator {
            return Ok(true);
        }
        Ok(self.look_up(state).await?.is_some_and(|identity| identity.principal == *principal))
    }
}

/// Authenticates what was shown.
pub(super) async fn authenticate(
    shown: &Shown,
    address: ClientAddress,
    state: &ApiState,
) -> Result<Authenticated, ApiError> {
    let credential = Credential::of(shown, state).ok_or(ApiError::Unauthorized)?;
    let identity = credential.look_up(state).await?.ok_or(ApiError::Unauthorized)?;
    note_seen(state, &identity);
    let Identity { principal, rate_per_minute, .. } = identity;
    let payers = state.rates.of_principal(&principal, rate_per_minute).into();
    Ok(Authenticated { principal, credential, payers, address })
}

/// Stores when somebody was seen, about once a minute and not on the request's way.
fn note_seen(state: &ApiState, identity: &Identity) {
    let now = state.app.clock.now();
    let lately = |at: DateTime<Utc>| now - at < SEEN_EVERY;
    if identity.principal.actor == Actor::Operator || identity.seen_at.is_some_and(lately) {
        return;
    }
    let (db, actor) = (state.app.db.clone(), identity.principal.actor);
    state.live.tasks().spawn(async move {
        let noted = match actor {
            Actor::Operator => Ok(()),
            Actor::User { login, .. } => identities::touch_login(&db, login, now).await,
            Actor::Key { id, .. } => identities::touch_key(&db, id, now).await,
        };
        if let Err(error) = noted {
            tracing::debug!(%error, "when somebody was seen is not stored");
        }
    });
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn offered(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::SEC_WEBSOCKET_PROTOCOL)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','))
        .find_map(|p| p.trim().strip_prefix(TOKEN_PROTOCOL))
}

/// The login's cookie, if there is exactly one.
pub fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs =
        headers.get_all(header::COOKIE).iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(';'));
    let mut values = pairs.filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == LOGIN_COOKIE && !value.is_empty()).then_some(value)
    });
    let value = values.next()?;
    values.next().is_none().then_some(value)
}
