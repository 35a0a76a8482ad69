//! Requests without valid credentials are counted by address; those with them are not refused for it.

use super::harness::{Api, Reply, TENANT, TOKEN, request};
use super::people::Person;
use super::sockets::Socket;
use crate::client::PeerAddress;
use async_trait::async_trait;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use shared::domain::clients::TrustedProxies;
use shared::limits::{LimitsError, MemoryRates, RateAsk, RateLimits, Taken};
use std::sync::Arc;
use std::time::Duration;

/// Three at once, then one every 20 s.
async fn strict(rates: Arc<dyn RateLimits>) -> Api {
    Api::with(rates, |config| {
        config.rates.address_per_minute = 3;
        config.rates.burst = Duration::from_mins(1);
        config.trusted_proxies = TrustedProxies::parse(&["10.0.0.0/8".to_owned()]).unwrap();
    })
    .await
}

/// Asks for something closed, as this peer.
async fn ask(api: &Api, peer: &str, token: &str, forwarded: Option<&str>) -> Reply {
    let mut request = Request::get("/api/models")
        .header("host", "127.0.0.1")
        .header("authorization", format!("Bearer {token}"))
        .extension(PeerAddress(peer.parse().unwrap()));
    if let Some(value) = forwarded {
        request = request.header("x-forwarded-for", value);
    }
    api.raw(request.body(Body::empty()).unwrap()).await
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn wrong_credentials_are_refused_after_a_few_and_right_ones_never() {
    let api = strict(Arc::new(MemoryRates::new())).await;
    for left in ["2", "1", "0"] {
        let refused = ask(&api, "192.0.2.1", "wrong", Some("198.51.100.9")).await;
        assert_eq!((refused.status.as_u16(), &refused.json["code"]), (401, &"unauthorized".into()));
        assert_eq!(header(&refused.headers, "ratelimit-policy"), r#""address";q=3;w=60"#);
        let state = header(&refused.headers, "ratelimit");
        assert!(state.starts_with(&format!(r#""address";r={left};t="#)), "{state}");
    }
    let limited = ask(&api, "192.0.2.1", "wrong", Some("198.51.100.10")).await;
    assert_eq!(
        (limited.status.as_u16(), &limited.json["code"]),
        (429, &"rate_limited".into()),
        "{limited:?}"
    );
    assert_eq!(header(&limited.headers, "content-type"), "application/problem+json");
    let wait: u64 = header(&limited.headers, "retry-after").parse().unwrap();
    assert!((20..=32).contains(&wait), "spread by up to half and a second: {wait}");
    assert!(header(&limited.headers, "ratelimit").starts_with(r#""address";r=0;t="#));
    let right = ask(&api, "192.0.2.1", TOKEN, None).await;
    assert_eq!(right.status, 200, "who shows the right token is not refused for a neighbour");
    assert_eq!(header(&right.headers, "ratelimit"), "", "the operator has no limit");
    assert_eq!(ask(&api, "192.0.2.2", "wrong", None).await.status, 401, "another address");
}

#[tokio::test]
async fn whom_a_trusted_proxy_asks_for_is_counted() {
    let api = strict(Arc::new(MemoryRates::new())).await;
    for _ in 0..3 {
        assert_eq!(ask(&api, "10.0.0.1", "wrong", Some("6.6.6.6, 192.0.2.1")).await.status, 401);
    }
    assert_eq!(ask(&api, "10.0.0.2", "wrong", Some("7.7.7.7, 192.0.2.1, 10.0.0.1")).await.status, 429);
    assert_eq!(ask(&api, "10.0.0.1", "wrong", Some("192.0.2.1, 192.0.2.2")).await.status, 401);
    let of_one_network = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:1"];
    for address in of_one_network {
        assert_eq!(ask(&api, "10.0.0.1", "wrong", Some(address)).await.status, 401);
    }
    assert_eq!(ask(&api, "10.0.0.1", "wrong", Some("2001:db8::3")).await.status, 429);
}

#[tokio::test]
async fn what_anybody_may_see_is_not_counted() {
    let api = strict(Arc::new(MemoryRates::new())).await;
    for _ in 0..20 {
        let seen =
            api.raw(Request::get("/healthz").header("host", "127.0.0.1").body(Body::empty()).unwrap()).await;
        assert_eq!(seen.status, 200);
    }
}

#[tokio::test]
async fn logins_are_counted_before_they_are_tried() {
    for path in ["/api/login", "/api/setup"] {
        let api = strict(Arc::new(MemoryRates::new())).await;
        let mut statuses = Vec::new();
        for n in 0..5 {
            let login = request("POST", path)
                .header("content-type", "application/json")
                .extension(PeerAddress("192.0.2.1".parse().unwrap()))
                .body(Body::from(format!(r#"{{"name": "ann", "password": "guess {n}"}}"#)));
            statuses.push(api.raw(login.unwrap()).await.status.as_u16());
        }
        assert!(statuses[..3].iter().all(|status| *status != 429), "{statuses:?}");
        assert_eq!(statuses[3..], [429, 429]);
        let right = ask(&api, "192.0.2.1", TOKEN, None).await;
        assert_eq!(right.status, 200, "who is in already goes on");
    }
}

/// Limits that never answer, or with an error.
#[derive(Debug)]
struct Away(bool);

#[async_trait]
impl RateLimits for Away {
    async fn take(&self, _: &[RateAsk<'_>]) -> Result<Vec<Taken>, LimitsError> {
        if self.0 {
            std::future::pending::<()>().await;
        }
        Err(LimitsError::Unavailable("away".into()))
    }
}

#[tokio::test]
async fn without_the_limits_requests_go_on_uncounted() {
    for silent in [false, true] {
        let api = strict(Arc::new(Away(silent))).await;
        for _ in 0..10 {
            let refused = ask(&api, "192.0.2.1", "wrong", None).await;
            assert_eq!((refused.status.as_u16(), header(&refused.headers, "ratelimit")), (401, ""));
        }
    }
}

/// Keys and users may ask five times at once.
async fn slow() -> Api {
    Api::with(Arc::new(MemoryRates::new()), |config| {
        (config.rates.key_per_minute, config.rates.user_per_minute) = (5, 7);
        config.rates.burst = Duration::from_mins(1);
    })
    .await
}

async fn as_person(api: &Api, person: &Person) -> Reply {
    let (name, value) = &person.shows;
    api.raw(request("GET", "/api/models").header(*name, value).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn keys_and_users_have_rates_of_their_own() {
    let api = slow().await;
    let ann = api.person(TENANT, &["model:view"]).await;
    let key = api.key(TENANT, Some(&ann), &["read"]).await;
    for _ in 0..5 {
        let seen = as_person(&api, &key).await;
        assert_eq!(seen.status, 200, "{seen:?}");
        assert_eq!(header(&seen.headers, "ratelimit-policy"), r#""key";q=5;w=60, "user";q=7;w=60"#);
    }
    let refused = as_person(&api, &key).await;
    assert_eq!((refused.status.as_u16(), &refused.json["code"]), (429, &"rate_limited".into()));
    assert!(header(&refused.headers, "retry-after").parse::<u64>().unwrap() >= 12);
    for _ in 0..2 {
        assert_eq!(as_person(&api, &ann).await.status, 200, "a refusal of the key took nothing of the user");
    }
    assert_eq!(as_person(&api, &ann).await.status, 429, "with what the key took, the user has nothing left");
    assert_eq!(
        as_person(&api, &api.person(TENANT, &["model:view"]).await).await.status,
        200,
        "somebody else"
    );
    for _ in 0..20 {
        assert_eq!(api.get("/api/models").await.status, 200, "the operator has no limit");
    }
}

#[tokio::test]
async fn frames_are_counted_and_the_socket_stays() {
    let api = slow().await;
    let key = api.key(TENANT, None, &["chat"]).await;
    let mut socket = Socket::open(api.listen().await, &[(key.shows.0, &key.shows.1)]).await.unwrap();
    // The upgrade was the first of five.
    for _ in 0..4 {
        socket.say(&serde_json::json!({"type": "nonsense"})).await;
        assert_eq!(socket.hear().await["code"], "invalid");
    }
    for frame in [r#"{"type": "chat", "message": "a", "clientMessageId": "c1"}"#, "no json"] {
        socket.raw(tokio_tungstenite::tungstenite::Message::text(frame)).await;
        let refused = socket.hear().await;
        assert_eq!(
            (&refused["type"], &refused["code"]),
            (&"problem".into(), &"rate_limited".into()),
            "{refused}"
        );
        assert_eq!(refused["clientMessageId"] == "c1", frame.contains("c1"));
    }
}
