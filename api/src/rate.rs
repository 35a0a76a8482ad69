//! How often somebody may ask: a request of a key or user takes from their rates, one without valid
//! credentials from its address's. Answers tell what is left; a refusal says when to come again.
//!
//! Open where the limits are away: requests go on, uncounted.

use crate::client::ClientAddress;
use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rand::Rng;
use shared::config::RateConfig;
use shared::domain::access::{Actor, Principal};
use shared::domain::clients::counted_as;
use shared::limits::{Rate, RateAsk, RateLimits, Taken};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The longest that a request waits for the limits.
const PATIENCE: Duration = Duration::from_millis(250);
/// How long they are left alone after they did not answer.
const AWAY: Duration = Duration::from_secs(1);

/// Who pays for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// As headers name it: `key`, `user` or `address`.
    policy: &'static str,
    /// As the limits know it.
    name: String,
    rate: Rate,
}

/// What a request took.
#[derive(Debug, Default)]
pub struct Outcome(Vec<(&'static str, Rate, Taken)>);

/// Takes from subjects.
#[derive(Debug)]
pub struct Rates {
    limits: Arc<dyn RateLimits>,
    config: RateConfig,
    start: Instant,
    /// In ms from the start: until when the limits are left alone.
    away_until: AtomicU64,
}

impl Rates {
    /// With these limits.
    pub fn new(limits: Arc<dyn RateLimits>, config: RateConfig) -> Self {
        Self { limits, config, start: Instant::now(), away_until: AtomicU64::new(0) }
    }

    /// Who pays for what somebody does; `own` is the rate that their key has of its own. The operator
    /// pays nothing.
    pub fn of_principal(&self, principal: &Principal, own: Option<u32>) -> Vec<Subject> {
        let key = |id: &dyn std::fmt::Display| {
            self.subject("key", own.unwrap_or(self.config.key_per_minute), format_args!("{id}"))
        };
        let user = |id: &dyn std::fmt::Display| {
            self.subject("user", self.config.user_per_minute, format_args!("{id}"))
        };
        let (first, second) = match principal.actor {
            Actor::Operator => (None, None),
            Actor::User { id, .. } => (user(&id), None),
            Actor::Key { id, user_id } => (key(&id), user_id.and_then(|id| user(&id))),
        };
        first.into_iter().chain(second).collect()
    }

    /// Who pays for a request without valid credentials, and for a login.
    pub fn of_address(&self, ClientAddress(address): ClientAddress) -> Vec<Subject> {
        let address = counted_as(address);
        self.subject("address", self.config.address_per_minute, format_args!("{address}"))
            .into_iter()
            .collect()
    }

    fn subject(&self, policy: &'static str, per_minute: u32, id: std::fmt::Arguments<'_>) -> Option<Subject> {
        let rate = Rate::with_burst_of(per_minute, self.config.burst);
        (per_minute > 0).then(|| Subject { policy, name: format!("{policy}:{id}"), rate })
    }

    /// Takes one from each, or nothing if one has nothing left.
    pub async fn take(&self, subjects: &[Subject]) -> Outcome {
        if subjects.is_empty() || self.now() < self.away_until.load(Ordering::Relaxed) {
            return Outcome::default();
        }
        let asks: Vec<RateAsk<'_>> =
            subjects.iter().map(|s| RateAsk { subject: &s.name, rate: s.rate, cost: 1 }).collect();
        let error = match tokio::time::timeout(PATIENCE, self.limits.take(&asks)).await {
            Ok(Ok(taken)) => {
                let outcome =
                    Outcome(subjects.iter().zip(taken).map(|(s, t)| (s.policy, s.rate, t)).collect());
                if let Some((policy, ..)) = outcome.refusal() {
                    metrics::counter!("neta_rate_limited_total", "policy" => policy).increment(1);
                }
                return outcome;
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer in time".to_owned(),
        };
        self.away_until.store(self.now() + AWAY.as_millis() as u64, Ordering::Relaxed);
        metrics::counter!("neta_rate_uncounted_total").increment(1);
        tracing::warn!(error, "requests are not counted: the limits are away");
        Outcome::default()
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }
}

impl Outcome {
    /// The subject that is told of: the one that has to wait longest.
    fn refusal(&self) -> Option<(&'static str, Taken)> {
        let refused = self.0.iter().filter(|(_, _, taken)| !taken.allowed);
        refused.max_by_key(|(_, _, taken)| taken.retry_after).map(|(policy, _, taken)| (*policy, *taken))
    }

    /// Whether the request may go on.
    pub fn check(&self) -> Result<(), ApiError> {
        match self.refusal() {
            None => Ok(()),
            Some((policy, taken)) => {
                Err(ApiError::RateLimited { policy, retry_after_seconds: jittered(taken.retry_after) })
            }
        }
    }

    /// Tells what is left (draft-ietf-httpapi-ratelimit-headers-10): the burst within its window, and
    /// when all of it is back.
    pub fn write(&self, headers: &mut HeaderMap) {
        if self.0.is_empty() {
            return;
        }
        let (mut policies, mut states) = (String::new(), String::new());
        for (n, (policy, rate, taken)) in self.0.iter().enumerate() {
            let comma = if n == 0 { "" } else { ", " };
            let (window, reset) = (whole_seconds(rate.window()).max(1), whole_seconds(taken.reset_after));
            // Writing into a String does not fail.
            let _ = write!(policies, "{comma}\"{policy}\";q={};w={window}", taken.limit);
            let _ = write!(states, "{comma}\"{policy}\";r={};t={reset}", taken.remaining);
        }
        for (name, value) in [("ratelimit-policy", policies), ("ratelimit", states)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }
}

fn whole_seconds(time: Duration) -> u64 {
    time.as_millis().div_ceil(1_000) as u64
}

/// Not before the time, and later by up to half of it and a second: those who were refused together
/// do not come back together.
fn jittered(time: Duration) -> u64 {
    let spread = time.as_secs_f64() / 2.0 + 1.0;
    whole_seconds(time + Duration::from_secs_f64(rand::rng().random_range(0.0..spread))).max(1)
}

/// Where passwords are tried: each try is dear, and counts whatever becomes of it.
const LOGINS: [&str; 2] = ["/api/login", "/api/setup"];

/// The layer around authentication: an address that is answered 401 too often, or logs in too often,
/// is answered 429. Valid credentials are not refused for what others behind the same address do.
pub async fn layer(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    let payers = state.rates.of_address(ClientAddress::of(request.extensions()));
    let is_login = request.method() == Method::POST && LOGINS.contains(&request.uri().path());
    let before = if is_login { state.rates.take(&payers).await } else { Outcome::default() };
    let (mut response, outcome) = match before.check() {
        Err(error) => (error.into_response(), before),
        Ok(()) => {
            let response = next.run(request).await;
            if is_login || response.status() != StatusCode::UNAUTHORIZED {
                (response, before)
            } else {
                let after = state.rates.take(&payers).await;
                (after.check().map_or_else(IntoResponse::into_response, |()| response), after)
            }
        }
    };
    outcome.write(response.headers_mut());
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::ids::{ApiKeyId, LoginSessionId, UserId};
    use shared::limits::MemoryRates;

    fn rates(key: u32, user: u32) -> Rates {
        let config = RateConfig {
            key_per_minute: key,
            user_per_minute: user,
            address_per_minute: 0,
            burst: Duration::from_secs(10),
        };
        Rates::new(Arc::new(MemoryRates::new()), config)
    }

    fn of(actor: Actor) -> Principal {
        Principal { actor, ..Principal::operator() }
    }

    fn header(outcome: &Outcome, name: &str) -> String {
        let mut headers = HeaderMap::new();
        outcome.write(&mut headers);
        headers.get(name).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn a_key_pays_for_itself_and_for_its_user() {
        let rates = rates(60, 120);
        let user = of(Actor::User { id: UserId(7), login: LoginSessionId(1) });
        let key = of(Actor::Key { id: ApiKeyId(3), user_id: Some(UserId(7)) });
        let other = of(Actor::Key { id: ApiKeyId(4), user_id: None });
        assert_eq!(rates.of_principal(&of(Actor::Operator), None), []);
        for _ in 0..10 {
            rates.take(&rates.of_principal(&key, None)).await.check().unwrap();
        }
        let refused = rates.take(&rates.of_principal(&key, None)).await;
        let Err(ApiError::RateLimited { policy, retry_after_seconds }) = refused.check() else {
            panic!("{refused:?}")
        };
        assert_eq!(policy, "key");
        assert!((1..=3).contains(&retry_after_seconds), "{retry_after_seconds}");
        assert_eq!(header(&refused, "ratelimit-policy"), r#""key";q=10;w=10, "user";q=20;w=10"#);
        assert!(header(&refused, "ratelimit").starts_with(r#""key";r=0;t=10, "user";r=10;t=5"#));
        for _ in 0..10 {
            rates.take(&rates.of_principal(&user, None)).await.check().unwrap();
        }
        rates.take(&rates.of_principal(&user, None)).await.check().unwrap_err();
        rates.take(&rates.of_principal(&other, None)).await.check().unwrap();
    }

    #[tokio::test]
    async fn a_key_has_a_rate_of_its_own_and_0_is_no_limit() {
        let rates = rates(0, 0);
        let key = of(Actor::Key { id: ApiKeyId(3), user_id: Some(UserId(7)) });
        assert_eq!(rates.of_principal(&key, None), []);
        assert_eq!(header(&rates.take(&[]).await, "ratelimit"), "");
        let one = rates.of_principal(&key, Some(6));
        rates.take(&one).await.check().unwrap();
        rates.take(&one).await.check().unwrap_err();
    }

    #[test]
    fn waits_are_spread_and_never_too_short() {
        for millis in [0, 1, 999, 1_000, 20_000] {
            let time = Duration::from_millis(millis);
            let waits: Vec<u64> = (0..200).map(|_| jittered(time)).collect();
            let (least, most) = (waits.iter().min().unwrap(), waits.iter().max().unwrap());
            assert!(
                *least >= whole_seconds(time).max(1) && *most <= whole_seconds(time * 3 / 2) + 2,
                "{waits:?}"
            );
            assert!(millis < 20_000 || most - least >= 4, "spread by a fifth at least: {waits:?}");
        }
    }
}
