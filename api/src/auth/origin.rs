//! Keeps out pages of other sites: by the `Origin` of a socket, and by the `Host` of every request
//! on a server that only its own machine can reach.

use crate::error::ApiError;
use crate::state::ApiConfig;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, header};
use url::{Host, Url};

/// Whether a socket may be opened. A program sends no `Origin`; a browser always does, so cookies
/// without one are refused.
pub fn check_socket(headers: &HeaderMap, config: &ApiConfig) -> Result<(), ApiError> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else {
        let cookie = headers.contains_key(header::COOKIE);
        return if cookie { Err(ApiError::ForbiddenOrigin) } else { Ok(()) };
    };
    let known = is_known(origin, headers, config) && origins.next().is_none();
    if known { Ok(()) } else { Err(ApiError::ForbiddenOrigin) }
}

/// Whether a request that changes something comes from this server's pages or an allowed origin's, so
/// that its cookie counts. Browsers name the origin of every such request of another site; programs
/// name none.
pub fn is_own(headers: &HeaderMap, config: &ApiConfig) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), headers.get("sec-fetch-site")) {
        (Some(origin), _) => is_known(origin, headers, config) && origins.next().is_none(),
        (None, Some(site)) => matches!(site.as_bytes(), b"same-origin" | b"none"),
        (None, None) => true,
    }
}

/// The server's own: what the request was sent to. A page of another name that was made to point here
/// has no cookie of this server, and a server on loopback answers to its own names only.
fn is_known(origin: &HeaderValue, headers: &HeaderMap, config: &ApiConfig) -> bool {
    let Some(origin) = origin.to_str().ok().and_then(parse) else { return false };
    let own = |own: &(Host, Option<u16>)| (is_loopback(&own.0) || !config.loopback) && same(&origin, own);
    host(headers).as_ref().is_some_and(own)
        || config.origins.iter().filter_map(|o| parse(o)).any(|listed| listed == origin)
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
            web: crate::WebFiles::default(),
            delegation: shared::domain::delegation::GlobalDelegation::default(),
            is_https: false,
            trusted_proxies: shared::domain::clients::TrustedProxies::default(),
            proxy_header: shared::domain::clients::ProxyHeader::default(),
            rates: shared::config::RateConfig {
                key_per_minute: 0,
                user_per_minute: 0,
                address_per_minute: 0,
                burst: Duration::from_secs(10),
            },
            model_hosts: shared::domain::addresses::ModelHosts::default(),
            max_body_bytes: 1,
            max_message_chars: 1,
            sweep_overdue: Duration::from_secs(30),
        }
    }

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        let pair = |(k, v): &(&str, &str)| {
            (k.parse::<header::HeaderName>().unwrap(), v.parse::<HeaderValue>().unwrap())
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
            assert_eq!(check_socket(&headers, &config(true)).is_ok(), expected, "{what}");
        }
        let mut two = headers(&[("host", "127.0.0.1:8420"), ("origin", "https://chat.example")]);
        two.append("origin", "https://evil.example".parse().unwrap());
        assert!(check_socket(&two, &config(true)).is_err(), "two origins");
        let rebound = headers(&[("host", "evil.example:8420"), ("origin", "http://evil.example:8420")]);
        assert!(check_socket(&rebound, &config(true)).is_err(), "a name made to point here");
        assert!(check_socket(&rebound, &config(false)).is_ok(), "a name of a server that has any");
        let alike = headers(&[("host", "neta.example"), ("origin", "https://neta.example.evil.example")]);
        assert!(check_socket(&alike, &config(false)).is_err(), "a look-alike");
    }

    #[test]
    fn a_cookie_counts_only_for_the_servers_own_pages() {
        type Row = (&'static str, &'static [(&'static str, &'static str)], bool);
        let table: [Row; 10] = [
            ("a program", &[], true),
            ("its own page", &[("origin", "http://127.0.0.1:8420")], true),
            ("listed", &[("origin", "https://chat.example")], true),
            ("another site", &[("origin", "https://evil.example")], false),
            ("another port", &[("origin", "http://127.0.0.1:3000")], false),
            ("a sandbox", &[("origin", "null")], false),
            ("no origin, another site", &[("sec-fetch-site", "cross-site")], false),
            ("no origin, a sister", &[("sec-fetch-site", "same-site")], false),
            ("no origin, its own page", &[("sec-fetch-site", "same-origin")], true),
            (
                "a lie about the site",
                &[("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")],
                false,
            ),
        ];
        for (what, pairs, expected) in table {
            let mut headers = headers(pairs);
            headers.insert("host", "127.0.0.1:8420".parse().unwrap());
            assert_eq!(is_own(&headers, &config(true)), expected, "{what}");
        }
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
