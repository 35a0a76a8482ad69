//! Refusals in the dialect: `{"error": {message, type, param, code}}` with the status that fits, for
//! everything under `/v1`, whoever refuses.

use super::response::Neta;
use crate::error::ApiError;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shared::app::AppError;
use shared::domain::messages::ErrorInfo;
use shared::domain::runs::Reason;
use utoipa::ToSchema;

/// Clients of the dialect try again by themselves unless this says no.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
/// Names the session of an answer.
pub const SESSION: HeaderName = HeaderName::from_static("x-neta-session-id");

/// An error in the dialect.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
    /// The turn, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub neta: Option<Neta>,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ErrorDetail {
    /// For people.
    pub message: String,
    /// The kind, by which clients sort errors.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The field that is to blame.
    pub param: Option<String>,
    /// For programs; a failed turn's is its reason.
    pub code: String,
}

/// Why a completion is not given.
#[derive(Debug)]
pub enum Refusal {
    /// As at every other door.
    Api(ApiError),
    /// The model is no agent.
    UnknownModel(String),
    /// Something that a turn does not offer.
    Unsupported {
        /// The parameter.
        param: String,
        /// What to do about it.
        message: String,
    },
    /// The turn was accepted, and its end is no answer.
    Turn(Box<TurnRefusal>),
}

/// A turn whose end is no answer.
#[derive(Debug)]
pub struct TurnRefusal {
    status: StatusCode,
    error: ErrorDetail,
    neta: Neta,
}

impl Refusal {
    /// The parameter can't be used.
    pub fn invalid(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Api(ApiError::invalid(param, message))
    }

    /// The parameter asks for what a turn does not offer.
    pub fn unsupported(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Unsupported { param: param.into(), message: message.into() }
    }

    /// A turn that failed.
    pub fn failed(error: &ErrorInfo, neta: Neta) -> Self {
        Self::of_turn(status_of(error.kind), error.kind.as_str(), error.message.clone(), neta)
    }

    /// A turn that somebody stopped.
    pub fn cancelled(reason: Option<Reason>, neta: Neta) -> Self {
        let reason = reason.unwrap_or(Reason::Stopped).as_str();
        let message = format!("the turn was stopped before its end ({reason}); what it said so far is kept");
        Self::of_turn(StatusCode::CONFLICT, reason, message, neta)
    }

    /// A turn that goes on while its reader is sent away.
    pub fn goes_on(status: StatusCode, code: &str, why: &str, neta: Neta) -> Self {
        let message =
            format!("{why}; the turn goes on: see GET /open/netaclaw/chat/{}", neta.assistant_message_id);
        Self::of_turn(status, code, message, neta)
    }

    fn of_turn(status: StatusCode, code: &str, message: String, neta: Neta) -> Self {
        let kind = if code == Reason::Budget.as_str() { "insufficient_quota" } else { kind_of(status) };
        let error = ErrorDetail { message, kind, param: None, code: code.to_owned() };
        Self::Turn(Box::new(TurnRefusal { status, error, neta }))
    }

    /// Status and body.
    pub fn body(&self) -> (StatusCode, ErrorBody) {
        let bad = |param: Option<String>, message: String, status: StatusCode, code: &str| {
            let error = ErrorDetail { message, kind: kind_of(status), param, code: code.to_owned() };
            (status, ErrorBody { error, neta: None })
        };
        match self {
            Self::Api(error) => of_api(error),
            Self::UnknownModel(name) => {
                let message = format!("the model {name:?} does not exist: GET /v1/models lists the agents");
                bad(Some("model".to_owned()), message, StatusCode::NOT_FOUND, "model_not_found")
            }
            Self::Unsupported { param, message } => bad(
                Some(param.clone()),
                format!("{param}: {message}"),
                StatusCode::BAD_REQUEST,
                "unsupported_parameter",
            ),
            Self::Turn(turn) => {
                (turn.status, ErrorBody { error: turn.error.clone(), neta: Some(turn.neta.clone()) })
            }
        }
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<AppError> for Refusal {
    fn from(error: AppError) -> Self {
        Self::Api(error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        if let Self::Api(error) = self {
            // `shape` gives it this dialect's form.
            return error.into_response();
        }
        let (status, body) = self.body();
        let session = body.neta.as_ref().and_then(|n| HeaderValue::from_str(&n.session_id.to_string()).ok());
        let passes = body.error.kind == "rate_limit_error";
        let mut response = (status, axum::Json(body)).into_response();
        if let Some(session) = session {
            response.headers_mut().insert(SESSION, session);
            // Trying again would be another turn; what a model's own retries could do is done. A limit
            // of calls passes.
            let again = HeaderValue::from_static(if passes { "true" } else { "false" });
            response.headers_mut().insert(SHOULD_RETRY, again);
        }
        response
    }
}

/// The layer around all routes: gives every refusal under `/v1` the dialect's form.
pub async fn shape(request: Request, next: Next) -> Response {
    let speaks = request.uri().path().starts_with("/v1/");
    let response = next.run(request).await;
    if !speaks {
        return response;
    }
    let Some((status, body)) = response.extensions().get::<ApiError>().map(of_api) else { return response };
    let (mut parts, _) = response.into_parts();
    let mut shaped = (status, axum::Json(body)).into_response();
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    shaped.headers_mut().extend(parts.headers);
    shaped
}

/// Any refusal in the dialect.
pub(crate) fn of_api(error: &ApiError) -> (StatusCode, ErrorBody) {
    let status = error.status();
    let code = match error {
        ApiError::Unauthorized => "invalid_api_key",
        other => other.code(),
    };
    let kind = match error {
        ApiError::QuotaExceeded(_) => "insufficient_quota",
        _ => kind_of(status),
    };
    let detail = ErrorDetail {
        message: error.to_string(),
        kind,
        param: error.field().map(str::to_owned),
        code: code.to_owned(),
    };
    (status, ErrorBody { error: detail, neta: None })
}

fn kind_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::FORBIDDEN => "permission_error",
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        status if status.is_server_error() => "server_error",
        _ => "invalid_request_error",
    }
}

/// The status of a turn that failed so.
fn status_of(reason: Reason) -> StatusCode {
    match reason {
        Reason::ModelLimit | Reason::Budget => StatusCode::TOO_MANY_REQUESTS,
        Reason::ContextLength | Reason::ContentFilter => StatusCode::BAD_REQUEST,
        Reason::AgentGone => StatusCode::NOT_FOUND,
        Reason::ModelAuth
        | Reason::ModelRequest
        | Reason::ModelAddressBlocked
        | Reason::ModelUnavailable
        | Reason::EmptyAnswer
        | Reason::OutputLimit => StatusCode::BAD_GATEWAY,
        Reason::LlmIdleTimeout | Reason::WallTime | Reason::IdleTime => StatusCode::GATEWAY_TIMEOUT,
        Reason::Stopped | Reason::Interrupted | Reason::Deleted | Reason::ParentEnded => StatusCode::CONFLICT,
        Reason::SessionBusy
        | Reason::ParentConcurrency
        | Reason::Question
        | Reason::HandedBack
        | Reason::ToolRounds
        | Reason::RepeatedCalls
        | Reason::Poisoned
        | Reason::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::domain::ids::{MessageId, RunId, SessionId};

    #[test]
    fn a_failed_turn_has_the_status_that_clients_sort_by() {
        let neta = Neta {
            session_id: SessionId(uuid::Uuid::nil()),
            assistant_message_id: MessageId(2),
            run_id: RunId(1),
            pause_id: None,
        };
        let table = [
            (Reason::ModelLimit, 429, "rate_limit_error", "true"),
            (Reason::Budget, 429, "insufficient_quota", "false"),
            (Reason::ContextLength, 400, "invalid_request_error", "false"),
            (Reason::ModelAuth, 502, "server_error", "false"),
            (Reason::WallTime, 504, "server_error", "false"),
            (Reason::Poisoned, 500, "server_error", "false"),
        ];
        for (reason, status, kind, again) in table {
            let info = ErrorInfo { kind: reason, message: "m".into() };
            let refusal = Refusal::failed(&info, neta.clone());
            let (got, body) = refusal.body();
            assert_eq!((got.as_u16(), body.error.kind), (status, kind), "{reason:?}");
            assert_eq!((body.error.code.as_str(), body.error.message.as_str()), (reason.as_str(), "m"));
            let response = refusal.into_response();
            assert_eq!(response.headers()["x-should-retry"], again, "{reason:?}");
            assert_eq!(response.headers()["x-neta-session-id"], "00000000-0000-0000-0000-000000000000");
        }
    }
}
