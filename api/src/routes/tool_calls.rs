//! `/api/runs/{id}/tool-calls/{toolCallId}`: one tool call of a run in full, of which events and
//! messages show the beginning.

use crate::auth::{May, policy, resource};
use crate::error::{ApiError, Problem};
use crate::extract::{Ids, Named, Query};
use crate::state::ApiState;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shared::domain::ids::RunId;
use shared::domain::journal::ToolStatus;
use shared::domain::permissions::Permission;
use shared::domain::runs::Run;
use shared::store::runs;
use std::convert::Infallible;
use std::str::FromStr;
use utoipa::ToSchema;

/// The provider's id of a call.
#[derive(Debug)]
pub struct ToolCallId(String);

impl FromStr for ToolCallId {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl Named for ToolCallId {
    const NAME: &'static str = "tool call";
}

/// A tool call with all of its text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallDetail {
    /// The provider's id of the call.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// Where it stands.
    pub status: ToolStatus,
    /// The argument text, as the model wrote it.
    pub arguments: String,
    /// What the model read; null while it is under way.
    pub result: Option<String>,
    /// How long it took; null while it is under way.
    pub duration_ms: Option<u64>,
}

/// In which form.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ToolCallQuery {
    /// The result as a file of plain text.
    #[serde(default)]
    #[param(required = false)]
    download: bool,
}

/// Shows one tool call of a run, also of a subagent's, in full.
///
/// With `download` the answer is the result as a text file; 404 while there is none.
#[utoipa::path(get, path = "/api/runs/{id}/tool-calls/{toolCallId}", tag = "runs", security(("token" = ["session:view"])),
    params(("id" = RunId, Path), ("toolCallId" = String, Path), ToolCallQuery), responses(
    (status = 200, content((ToolCallDetail = "application/json"), (String = "text/plain"))),
    (status = 404, body = Problem)))]
pub async fn get(
    State(state): State<ApiState>,
    principal: May<policy::SessionView>,
    Ids(run_id, ToolCallId(id)): Ids<RunId, ToolCallId>,
    Query(query): Query<ToolCallQuery>,
) -> Result<Response, ApiError> {
    let run = resource::load::<Run>(&state, &principal, run_id, Permission::SessionView).await?;
    let journal = runs::steps(&state.app.db, principal.tenant_id, run.id).await?;
    let journal = journal.ok_or(ApiError::NotFound("run"))?;
    let (call, result) = journal.call(&id).ok_or(ApiError::NotFound(ToolCallId::NAME))?;
    if query.download {
        let result = result.ok_or(ApiError::NotFound("result of this tool call"))?;
        return Ok(file(&call.name, run.id, result.text.clone()));
    }
    let detail = ToolCallDetail {
        tool_call_id: call.id.clone(),
        name: call.name.clone(),
        status: result.map_or(ToolStatus::Running, |r| r.status),
        arguments: call.arguments.clone(),
        result: result.map(|r| r.text.clone()),
        duration_ms: result.map(|r| r.duration_ms),
    };
    Ok(axum::Json(detail).into_response())
}

/// A text to be saved. Of the tool's name, which the model wrote, only what any file system takes.
fn file(tool: &str, run_id: RunId, text: String) -> Response {
    let name: String = tool.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(64).collect();
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}-{run_id}.txt\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}
