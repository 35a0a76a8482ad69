//! Keeps out pages of other sites: by the `Origin` of a socket, and by the `Host` of every request
//! on a server that only its own machine can reach.

use crate::error::ApiError;
use crate::state::ApiConfig;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};
use url::{Host, Url};

/// Whether a socket may be opened. A program sends no `Origin`; a browser always does, so cookies
/// without one are refused.
pub fn check(headers: &HeaderMap, config: &ApiConfig) -> Result<(), ApiError> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else {
        let cookie = headers.contains_key(header::COOKIE);
        return if cookie { Err(ApiError::ForbiddenOrigin) } else { Ok(()) };
    };
    let origin = origin.to_str().ok().and_then(parse).ok_or(ApiError::ForbiddenOrigin)?;
    let own = host(headers).is_some_and(|own| is_loopback(&own.0) && same(&origin, &own));
    let listed = config.origins.iter().filter_map(|o| parse(o)).any(|o| o == origin);
    if origins.next().is_none() && (own || listed) { Ok(()) } else { Err(ApiError::ForbiddenOrigin) }
}

/// Whether the request names this server. A name that was made to point to loopback is not one.
pub fn check_host(headers: &HeaderMap, config: &ApiConfig) -> Result<(), ApiError> {
    if !config.loopback {
        return Ok(());
    }
    let (name, _) = host(headers).ok_or(ApiError::ForbiddenHost)?;
    let listed = || config.origins.iter().filter_map(|o| parse(o)).any(|o| o.host == name);
    if is_loopback(&name) || listed() { Ok(()) } else { Err(ApiError::ForbiddenHost) }
}

#[derive(Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: Host,
    port: u16,
}

/// An origin is a scheme, a host and a port, and nothing else.
fn parse(origin: &str) -> Option<Origin> {
    let url = Url::parse(origin).ok()?;
    let bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    let web = matches!(url.scheme(), "http" | "https");
    if !bare || !web {
        return None;
    }
    Some(Origin {
        scheme: url.scheme().to_owned(),
        host: url.host()?.to_owned(),
        port: url.port_or_known_default()?,
    })
}

/// Name and port that the request was sent to.
fn host(headers: &HeaderMap) -> Option<(Host, Option<u16>)> {
    let mut values = headers.get_all(header::HOST).iter();
    let authority: Authority = values.next()?.to_str().ok()?.parse().ok()?;
    if values.next().is_some() || authority.as_str().contains('@') {
        return None;
    }
    Some((Host::parse(authority.host()).ok()?, authority.port_u16()))
}

fn same(origin: &Origin, own: &(Host, Option<u16>)) -> bool {
    let default = if origin.scheme == "https" { 443 } else { 80 };
    origin.host == own.0 && origin.port == own.1.unwrap_or(default)
}

fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::secrets::Secret;
    use std::time::Duration;

    fn config(loopback: bool) -> ApiConfig {
        ApiConfig {
            admin_token: Secret::new("t"),
            loopback,
            origins: vec!["https://chat.example".into(), "http://intra.example:8080".into()],
            delegation: shared::domain::delegation::GlobalDelegation::default(),
            model_hosts: shared::domain::addresses::ModelHosts::default(),
            max_body_bytes: 1,
            max_message_chars: 1,
            sweep_overdue: Duration::from_secs(30),
        }
    }

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(k, v): &(&str, &str)| {
            (k.parse::<header::HeaderName>().unwrap(), v.parse::<header::HeaderValue>().unwrap())
        };
        pairs.iter().map(pair).collect()
    }

    #[test]
    fn sockets_open_only_from_this_server_and_listed_origins() {
        type Row = (&'static str, &'static [(&'static str, &'static str)], bool);
        let table: [Row; 17] = [
            ("a program", &[], true),
            ("a cookie without origin", &[("cookie", "a=b")], false),
            ("its own page", &[("origin", "http://127.0.0.1:8420")], true),
            ("its own page over TLS", &[("origin", "https://127.0.0.1:8420")], true),
            ("another port", &[("origin", "http://127.0.0.1:3000")], false),
            ("another loopback name", &[("origin", "http://localhost:8420")], false),
            ("listed", &[("origin", "https://chat.example")], true),
            ("listed, with its port", &[("origin", "https://chat.example:443")], true),
            ("listed, other scheme", &[("origin", "http://chat.example")], false),
            ("listed, other port", &[("origin", "http://intra.example")], false),
            ("evil", &[("origin", "https://evil.example")], false),
            ("null", &[("origin", "null")], false),
            ("empty", &[("origin", "")], false),
            ("suffix", &[("origin", "https://chat.example.evil.example")], false),
            ("prefix", &[("origin", "https://evilchat.example")], false),
            ("look-alike of own", &[("origin", "http://127.0.0.1.evil.example:8420")], false),
            ("userinfo", &[("origin", "https://chat.example@evil.example")], false),
        ];
        for (what, pairs, expected) in table {
            let mut headers = headers(pairs);
            headers.insert("host", "127.0.0.1:8420".parse().unwrap());
            assert_eq!(check(&headers, &config(true)).is_ok(), expected, "{what}");
        }
        let mut two = headers(&[("host", "127.0.0.1:8420"), ("origin", "https://chat.example")]);
        two.append("origin", "https://evil.example".parse().unwrap());
        assert!(check(&two, &config(true)).is_err(), "two origins");
        let rebound = headers(&[("host", "evil.example:8420"), ("origin", "http://evil.example:8420")]);
        assert!(check(&rebound, &config(true)).is_err(), "a name made to point here");
        assert!(check(&rebound, &config(false)).is_err(), "own origin only on loopback");
    }

    #[test]
    fn a_server_on_loopback_answers_to_its_own_names() {
        let table = [
            ("127.0.0.1:8420", true),
            ("localhost", true),
            ("neta.localhost:1", true),
            ("[::1]:8420", true),
            ("chat.example", true),
            ("evil.example:8420", false),
            ("127.0.0.1.evil.example", false),
            ("localhost.evil.example", false),
            ("chat.example@evil.example", false),
        ];
        for (name, expected) in table {
            let headers = headers(&[("host", name)]);
            assert_eq!(check_host(&headers, &config(true)).is_ok(), expected, "{name}");
            assert!(check_host(&headers, &config(false)).is_ok(), "{name}");
        }
        assert!(check_host(&HeaderMap::new(), &config(true)).is_err());
    }
}
