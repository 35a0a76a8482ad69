//! What a worker process answers: whether it is well, and what it measured. Serves no data of
//! anybody, so it asks for no token; it is off unless an operator gives it an address.

use crate::routes::health::{Check, check, text};
use crate::server;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, TimeDelta, Utc};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Serialize;
use shared::app::App;
use std::fmt;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A worker that could not look for work for so long is not ready.
const FETCH_OVERDUE: TimeDelta = TimeDelta::seconds(10);

/// What is asked.
#[derive(Clone)]
pub struct WorkerHealth {
    /// Database, queue and bus.
    pub app: Arc<App>,
    /// When the queue last answered this worker; None: never.
    pub last_fetch: Arc<dyn Fn() -> Option<DateTime<Utc>> + Send + Sync>,
    /// What was measured.
    pub metrics: PrometheusHandle,
}

impl fmt::Debug for WorkerHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerHealth")
    }
}

/// Whether all that a worker needs is well.
#[derive(Debug, Serialize)]
struct WorkerReadiness {
    ready: bool,
    database: Check,
    bus: Check,
    fetch: Check,
}

/// Answers `/healthz`, `/readyz` and `/metrics` until asked to end.
pub async fn serve_worker(
    listener: TcpListener,
    health: WorkerHealth,
    shutdown: CancellationToken,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics))
        .with_state(health);
    server::serve_router(listener, router, &shutdown).await
}

async fn readyz(State(health): State<WorkerHealth>) -> Response {
    let app = &health.app;
    let (database, bus, fetch) = tokio::join!(
        check(true, async { app.db.ping().await.map(|()| String::new()).map_err(text) }),
        check(true, async { app.bus.ping().await.map(|()| String::new()).map_err(text) }),
        check(true, async {
            let last = (health.last_fetch)().ok_or_else(|| "the queue has not answered yet".to_owned())?;
            let age = app.clock.now() - last;
            let told = format!("{} s ago", age.num_seconds().max(0));
            if age > FETCH_OVERDUE { Err(told) } else { Ok(told) }
        }),
    );
    let ready = database.ok && bus.ok && fetch.ok;
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(WorkerReadiness { ready, database, bus, fetch })).into_response()
}

async fn metrics(State(health): State<WorkerHealth>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, health.metrics.render()).into_response()
}
