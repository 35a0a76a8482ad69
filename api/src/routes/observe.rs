//! Around every request: a span, a count and a time by matched route, and the check of its Host.

use crate::auth::origin;
use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shared::telemetry::TraceContext;
use std::time::Instant;
use tracing::Instrument;

/// The trace that a request belongs to; what it starts goes on with it.
#[derive(Debug, Clone, Copy)]
pub struct Trace(pub TraceContext);

/// Counts something that is open.
#[derive(Debug)]
pub struct Open(&'static str);

impl Open {
    /// One more of `gauge` until dropped.
    pub fn new(gauge: &'static str) -> Self {
        metrics::gauge!(gauge).increment(1);
        Self(gauge)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        metrics::gauge!(self.0).decrement(1);
    }
}

/// The layer.
pub async fn observe(State(state): State<ApiState>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    // Only routes become labels, so that their number is known.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let trace = TraceContext::of_request(request.headers().get("traceparent").and_then(|v| v.to_str().ok()));
    request.extensions_mut().insert(Trace(trace));
    let span = tracing::info_span!("http", %method, route, trace = %trace);
    let response = match origin::check_host(request.headers(), &state.config) {
        Ok(()) => next.run(request).instrument(span).await,
        Err(error) => error.into_response(),
    };
    let status = response.status();
    let labels =
        [("method", label(&method)), ("route", route.to_owned()), ("status", status.as_str().to_owned())];
    metrics::counter!("http_requests_total", &labels).increment(1);
    let labels = [("route", route.to_owned())];
    metrics::histogram!("http_request_duration_seconds", &labels).record(began.elapsed().as_secs_f64());
    response
}

/// Anybody can invent methods.
fn label(method: &axum::http::Method) -> String {
    let known = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"];
    let name = method.as_str();
    if known.contains(&name) { name.to_owned() } else { "other".to_owned() }
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that the layer calls")]
/// What a request whose handler panicked is answered.
pub fn panicked(cause: Box<dyn std::any::Any + Send + 'static>) -> Response {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("unknown");
    ApiError::Internal(format!("a handler panicked: {text}")).into_response()
}
