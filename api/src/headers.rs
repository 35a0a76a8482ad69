//! Headers that every answer carries: what a browser may do with it. Handlers may set their own.

use crate::state::ApiState;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// Of pages: nothing but what this server sends, no inline scripts or styles, no frames, no foreign forms.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";
/// Of everything else: it is data, and does nothing if it is opened as a page.
const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";
/// A year.
const TLS_ONLY: &str = "max-age=31536000";

const ALWAYS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), interest-cohort=()",
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Paths whose answers are for this one reader.
const PRIVATE: [&str; 4] = ["/api/", "/open/", "/v1/", "/ws/"];

/// The layer.
pub async fn layer(State(state): State<ApiState>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let private = PRIVATE.iter().any(|prefix| path.starts_with(prefix));
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        add(headers, name, value);
    }
    let policy = if is_page(headers) { PAGE_POLICY } else { DATA_POLICY };
    add(headers, header::CONTENT_SECURITY_POLICY, policy);
    if private {
        add(headers, header::CACHE_CONTROL, "no-store");
    }
    if state.config.is_https {
        add(headers, header::STRICT_TRANSPORT_SECURITY, TLS_ONLY);
    }
    response
}

fn is_page(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

fn add(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
