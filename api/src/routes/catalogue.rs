//! `/api/tools` and `/api/workers`: what agents may use, and who works.

use crate::auth::{May, policy};
use crate::error::ApiError;
use crate::state::{ApiState, ToolInfo};
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use shared::domain::ids::WorkerId;
use shared::store::workers::{self, Worker};
use utoipa::ToSchema;

/// A worker that has not told of itself for so long is not alive.
const SILENT: TimeDelta = TimeDelta::seconds(30);

/// Lists the tools that agents may be given.
#[utoipa::path(get, path = "/api/tools", tag = "catalogue", security(("token" = ["agent:view"])),
    responses((status = 200, body = Vec<ToolInfo>)))]
pub async fn tools(State(state): State<ApiState>, _: May<policy::AgentView>) -> axum::Json<Vec<ToolInfo>> {
    axum::Json(state.tools.clone())
}

/// A worker process as it last told of itself.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkerView {
    /// Its identity, new at each start.
    pub id: WorkerId,
    /// The machine's name.
    pub host: String,
    /// Of Neta.
    pub version: String,
    /// Runs that it takes at the same time.
    pub slots: u32,
    /// Runs that it has.
    pub running: u32,
    /// It takes no more runs.
    pub draining: bool,
    /// Whether it told of itself in the last 30 s.
    pub alive: bool,
    /// When it started.
    pub started_at: DateTime<Utc>,
    /// When it last told.
    pub seen_at: DateTime<Utc>,
}

/// Lists workers, the longest running first.
#[utoipa::path(get, path = "/api/workers", tag = "catalogue", security(("token" = ["queue:view"])),
    responses((status = 200, body = Vec<WorkerView>)))]
pub async fn workers(
    State(state): State<ApiState>,
    _: May<policy::QueueView>,
) -> Result<axum::Json<Vec<WorkerView>>, ApiError> {
    let now = state.app.clock.now();
    let show = |w: Worker| WorkerView {
        alive: is_alive(&w, now),
        id: w.id,
        host: w.host,
        version: w.version,
        slots: w.slots,
        running: w.running,
        draining: w.draining,
        started_at: w.started_at,
        seen_at: w.seen_at,
    };
    Ok(axum::Json(workers::list(&state.app.db).await?.into_iter().map(show).collect()))
}

/// The workers that told of themselves lately.
pub async fn alive(state: &ApiState) -> Result<Vec<Worker>, ApiError> {
    let now = state.app.clock.now();
    let mut all = workers::list(&state.app.db).await?;
    all.retain(|w| is_alive(w, now));
    Ok(all)
}

fn is_alive(worker: &Worker, now: DateTime<Utc>) -> bool {
    now - worker.seen_at < SILENT
}
