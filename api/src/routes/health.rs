//! `/healthz` (the process answers), `/readyz` (what it needs answers, too), `/metrics`.

use crate::auth::{May, policy};
use crate::error::ApiError;
use crate::state::ApiState;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use serde::Serialize;
use shared::store::workers;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// How long one check may take.
const CHECK_TIMEOUT: Duration = Duration::from_millis(1_900);

/// Whether the process answers.
#[utoipa::path(get, path = "/healthz", tag = "operation", security(()), responses((status = 200, body = String)))]
pub async fn healthz() -> &'static str {
    "ok"
}

/// What one check found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Check {
    /// Whether it is well.
    pub ok: bool,
    /// Without it nothing works: then the answer is 503.
    pub needed: bool,
    /// What is wrong, or how it is.
    pub detail: String,
    /// Milliseconds that the check took.
    pub ms: u64,
}

/// What all checks found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// Whether all that is needed is well.
    pub ready: bool,
    /// The database.
    pub database: Check,
    /// The queue; where it is away the sweep rings, later.
    pub queue: Check,
    /// The live events; where they are away readers look at the rows.
    pub bus: Check,
    /// The look for due runs that nobody claimed.
    pub sweep: Check,
    /// Live workers.
    pub workers: Check,
}

/// Whether all that is needed answers.
#[utoipa::path(get, path = "/readyz", tag = "operation", security(()), responses(
    (status = 200, description = "Ready", body = Readiness),
    (status = 503, description = "Something that is needed is away", body = Readiness)))]
pub async fn readyz(State(state): State<ApiState>) -> Response {
    let (app, config) = (&state.app, &state.config);
    let (database, queue, bus, sweep, workers) = tokio::join!(
        check(true, async { app.db.ping().await.map(|()| String::new()).map_err(text) }),
        check(true, async { app.queue.depth().await.map(|n| format!("{n} in line")).map_err(text) }),
        check(true, async { app.bus.ping().await.map(|()| String::new()).map_err(text) }),
        check(false, async {
            let age = app.clock.now() - workers::last_sweep(&app.db).await.map_err(text)?;
            let told = format!("{} s ago", age.num_seconds().max(0));
            let overdue = TimeDelta::from_std(config.sweep_overdue).unwrap_or(TimeDelta::MAX);
            if age > overdue { Err(told) } else { Ok(told) }
        }),
        check(false, async {
            let alive = super::catalogue::alive(&state).await.map_err(text)?.len();
            if alive == 0 { Err("none alive".to_owned()) } else { Ok(format!("{alive} alive")) }
        }),
    );
    let ready = [&database, &queue, &bus, &sweep, &workers].iter().all(|c| c.ok || !c.needed);
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, axum::Json(Readiness { ready, database, queue, bus, sweep, workers })).into_response()
}

pub(crate) async fn check(needed: bool, probe: impl Future<Output = Result<String, String>>) -> Check {
    let began = Instant::now();
    let found = tokio::time::timeout(CHECK_TIMEOUT, probe).await;
    let (ok, detail) = match found {
        Ok(Ok(detail)) => (true, detail),
        Ok(Err(detail)) => (false, detail),
        Err(_) => (false, "no answer in time".to_owned()),
    };
    Check { ok, needed, detail, ms: began.elapsed().as_millis() as u64 }
}

/// The texts of these errors name kinds and codes, never addresses or passwords.
pub(crate) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What was counted and measured, in Prometheus' text format. Needs the token, as Prometheus can
/// send one (`authorization` in its scrape configuration).
#[utoipa::path(get, path = "/metrics", tag = "operation", security(("token" = ["queue:view"])),
    responses((status = 200, body = String)))]
pub async fn metrics(State(state): State<ApiState>, _: May<policy::QueueView>) -> Result<Response, ApiError> {
    let Some(handle) = &state.metrics else { return Err(ApiError::NoRoute) };
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, handle.render()).into_response())
}
