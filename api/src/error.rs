//! Every refusal of the API: one enum, rendered as `application/problem+json` (RFC 9457) with a
//! stable code. A 5xx is logged here, once, and its cause never reaches the client.

use crate::invalid::FieldError;
use crate::routes::pauses::PauseView;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::Serialize;
use shared::app::AppError;
use shared::domain::ids::{PauseId, RunId};
use shared::domain::pauses::{Pause, PauseStatus};
use shared::domain::permissions::Permission;
use shared::domain::quotas::{Exceeded, Exhausted, SubjectKind};
use shared::store::StoreError;
use shared::store::accounts::AccountError;
use std::borrow::Cow;
use utoipa::ToSchema;

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// No credential, or one that stands for nobody.
    #[error("a valid token, API key or login is needed: Authorization: Bearer <token>")]
    Unauthorized,
    /// Somebody who may not do this.
    #[error("this needs the permission {}", .0.as_str())]
    Forbidden(Permission),
    /// Something that the permission alone does not allow.
    #[error("{0}")]
    NotAllowed(&'static str),
    /// A login that was refused, whatever the reason.
    #[error("the name or the password is wrong")]
    LoginFailed,
    /// Too many logins failed.
    #[error("too many logins failed; try again in {retry_after} s")]
    LoginLocked {
        /// Seconds until the next try may be made.
        retry_after: u64,
    },
    /// Not the token of the setup.
    #[error("this is not the token that was printed last")]
    SetupToken,
    /// The first administrator is there.
    #[error("the setup is done")]
    SetupDone,
    /// A browser page of another site.
    #[error("this origin is not allowed")]
    ForbiddenOrigin,
    /// Addressed by a name that is not this server's.
    #[error("this Host is not allowed: use the server's own name, or add it to the allowed hosts")]
    ForbiddenHost,
    /// There is no such object, or it belongs to somebody else.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// There is no such path.
    #[error("there is nothing at this path")]
    NoRoute,
    /// The path exists, the method does not.
    #[error("this path does not answer this method")]
    MethodNotAllowed,
    /// Values that can't be used; at least one.
    #[error("{}", told(.0))]
    Invalid(Vec<FieldError>),
    /// The body is not JSON.
    #[error("the body is not valid JSON: {0}")]
    Malformed(String),
    /// The body is of another type.
    #[error("the body must be JSON, with Content-Type: application/json")]
    UnsupportedMediaType,
    /// The body is too large.
    #[error("the body is larger than {limit} bytes")]
    TooLarge {
        /// What is accepted, in bytes.
        limit: usize,
    },
    /// The body did not arrive in time.
    #[error("the body did not arrive in time")]
    BodyTimeout,
    /// The session has a live turn and the policy is `reject`.
    #[error("an earlier turn of the session is live")]
    Busy {
        /// The run in the way; None: it ended meanwhile.
        run_id: Option<RunId>,
    },
    /// Nothing more of the day is left.
    #[error("{0}")]
    QuotaExceeded(Exceeded),
    /// The same client message id came with another message.
    #[error("this clientMessageId was used for another message")]
    ClientMessageIdReused,
    /// The turn of a message was begun, or is over.
    #[error("the turn of this message has begun, or is over: it can't be changed any more")]
    TurnStarted,
    /// Somebody answered the question otherwise.
    #[error("this question was answered already")]
    PauseAnswered(Box<Pause>),
    /// The question was not answered in time, or its run ended.
    #[error("{}", over(pause_state(.0)))]
    PauseOver(Box<Pause>),
    /// An answer that does not say to which question; these are open.
    #[error("say which question is answered: pauseId")]
    PauseAmbiguous(Vec<PauseId>),
    /// Asked too often.
    #[error("too many requests; try again in {retry_after_seconds} s")]
    RateLimited {
        /// Whose rate it was: `key`, `user` or `address`.
        policy: &'static str,
        /// When to come again, spread.
        retry_after_seconds: u64,
    },
    /// The object is not in a state that allows it.
    #[error("{0}")]
    Conflict(String),
    /// Somebody else changed the object meanwhile; this is how it stands.
    #[error("the agent changed meanwhile")]
    VersionConflict(Box<serde_json::Value>),
    /// A service that is needed is away.
    #[error("a service that Neta needs is away; try again shortly")]
    Unavailable(String),
    /// A fault of Neta itself.
    #[error("something went wrong on the server")]
    Internal(String),
}

/// Seconds after which a client is asked to come again when a service is away.
const RETRY_AFTER_SECONDS: &str = "2";

impl ApiError {
    /// An unusable value.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid(vec![FieldError { field: field.into(), detail: message.into() }])
    }

    /// With the names of fields as the caller knows them.
    #[must_use]
    pub fn renamed(self, name: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Invalid(mut errors) => {
                for error in &mut errors {
                    error.field = name(&error.field);
                }
                Self::Invalid(errors)
            }
            other => other,
        }
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unauthorized | Self::LoginFailed => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_)
            | Self::NotAllowed(_)
            | Self::SetupToken
            | Self::ForbiddenOrigin
            | Self::ForbiddenHost => StatusCode::FORBIDDEN,
            Self::NotFound(_) | Self::NoRoute => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Invalid(_) | Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::Busy { .. }
            | Self::ClientMessageIdReused
            | Self::TurnStarted
            | Self::PauseAnswered(_)
            | Self::PauseAmbiguous(_)
            | Self::Conflict(_)
            | Self::VersionConflict(_) => StatusCode::CONFLICT,
            Self::PauseOver(_) | Self::SetupDone => StatusCode::GONE,
            Self::RateLimited { .. } | Self::LoginLocked { .. } | Self::QuotaExceeded(_) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unauthorized => "unauthorized",
            Self::Forbidden(_) | Self::NotAllowed(_) => "forbidden",
            Self::LoginFailed => "login_failed",
            Self::LoginLocked { .. } => "login_locked",
            Self::SetupToken => "setup_token",
            Self::SetupDone => "setup_done",
            Self::ForbiddenOrigin => "forbidden_origin",
            Self::ForbiddenHost => "forbidden_host",
            Self::NotFound(_) => "not_found",
            Self::NoRoute => "no_route",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Invalid(_) => "invalid",
            Self::Malformed(_) => "malformed_json",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::TooLarge { .. } => "too_large",
            Self::BodyTimeout => "body_timeout",
            Self::Busy { .. } => "session_busy",
            Self::QuotaExceeded(_) => "quota_exceeded",
            Self::ClientMessageIdReused => "client_message_id_reused",
            Self::TurnStarted => "turn_started",
            Self::PauseAnswered(_) => "pause_answered",
            Self::PauseOver(_) => "pause_over",
            Self::PauseAmbiguous(_) => "pause_ambiguous",
            Self::RateLimited { .. } => "rate_limited",
            Self::Conflict(_) => "conflict",
            Self::VersionConflict(_) => "version_conflict",
            Self::Unavailable(_) => "unavailable",
            Self::Internal(_) => "internal",
        }
    }

    /// Seconds after which it may be tried again, where that is known.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_seconds, .. } => Some(*retry_after_seconds),
            Self::QuotaExceeded(exceeded) => Some(exceeded.left_seconds),
            Self::LoginLocked { retry_after } => Some(*retry_after),
            _ => None,
        }
    }

    /// The field that is to blame.
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::Invalid(errors) => errors.first().map(|e| e.field.as_str()),
            _ => None,
        }
    }

    /// Logs what the client is not told.
    pub fn log(&self) {
        match self {
            Self::Unavailable(cause) => tracing::warn!(code = self.code(), %cause, "request refused"),
            Self::Internal(cause) => tracing::error!(code = self.code(), %cause, "request failed"),
            _ => {}
        }
    }

    /// As the client sees it.
    pub fn problem(&self) -> Problem<'_> {
        let status = self.status();
        Problem {
            kind: format!("urn:neta:problem:{}", self.code()),
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: self.to_string(),
            code: self.code(),
            field: self.field().map(Cow::Borrowed),
            errors: match self {
                Self::Invalid(errors) => Some(errors.clone()),
                _ => None,
            },
            current: match self {
                Self::VersionConflict(current) => Some((**current).clone()),
                _ => None,
            },
            run_id: match self {
                Self::Busy { run_id } => *run_id,
                _ => None,
            },
            state: match self {
                Self::PauseOver(pause) => Some(pause_state(pause)),
                _ => None,
            },
            pause: match self {
                Self::PauseAnswered(pause) | Self::PauseOver(pause) => Some((**pause).clone().into()),
                _ => None,
            },
            quota: match self {
                Self::QuotaExceeded(exceeded) => Some(exceeded.into()),
                _ => None,
            },
            pause_ids: match self {
                Self::PauseAmbiguous(ids) => Some(ids.clone()),
                _ => None,
            },
        }
    }
}

/// The body of a refusal.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem<'a> {
    /// `urn:neta:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// The HTTP status in words.
    pub title: &'a str,
    /// The HTTP status.
    pub status: u16,
    /// For people.
    pub detail: String,
    /// For programs; never changes its meaning.
    pub code: &'a str,
    /// The field, parameter or header that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<Cow<'a, str>>,
    /// All values that can't be used; `field` is the first one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<FieldError>>,
    /// The agent as it stands, where it changed meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<crate::routes::agents::AgentView>)]
    pub current: Option<serde_json::Value>,
    /// The run in the way of a refused message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// Why a question takes no answer any more: `expired` or `cancelled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<PauseStatus>,
    /// The question that takes no other answer, as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<PauseView>,
    /// The open questions, of which an answer has to name one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause_ids: Option<Vec<PauseId>>,
    /// The quota of which nothing more is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<QuotaProblem>,
}

/// A quota of which nothing more of the day is left.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotaProblem {
    /// Whose it is.
    pub subject_kind: SubjectKind,
    /// Their number.
    pub subject_id: i64,
    /// What ran out.
    pub exhausted: Exhausted,
    /// When the day ends, and the next begins.
    pub resets_at: DateTime<Utc>,
}

impl From<&Exceeded> for QuotaProblem {
    fn from(exceeded: &Exceeded) -> Self {
        Self {
            subject_kind: exceeded.subject.kind,
            subject_id: exceeded.subject.id,
            exhausted: exceeded.what,
            resets_at: exceeded.until,
        }
    }
}

/// All of it in one line.
fn told(errors: &[FieldError]) -> String {
    errors.iter().map(|e| format!("{}: {}", e.field, e.detail)).collect::<Vec<_>>().join("; ")
}

/// Where a question stands that takes no answer; one that nobody has closed yet is out of time.
fn pause_state(pause: &Pause) -> PauseStatus {
    if pause.status == PauseStatus::Open { PauseStatus::Expired } else { pause.status }
}

fn over(state: PauseStatus) -> &'static str {
    match state {
        PauseStatus::Cancelled => "the run that asked this has ended",
        PauseStatus::Open | PauseStatus::Answered | PauseStatus::Expired => {
            "nobody answered this question in time"
        }
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        match error {
            AppError::NotFound(what) => Self::NotFound(what),
            AppError::Busy => Self::Busy { run_id: None },
            AppError::QuotaExceeded(exceeded) => Self::QuotaExceeded(exceeded),
            AppError::ClientMessageIdReused => Self::ClientMessageIdReused,
            AppError::NothingToReplace => Self::invalid("replaces", "names no message of the session"),
            AppError::TurnStarted => Self::TurnStarted,
            AppError::Unavailable(cause) => Self::Unavailable(cause),
            AppError::Internal(cause) => Self::Internal(cause),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => Self::Unavailable(cause),
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Store(error) => error.into(),
            AccountError::NoRole(_) => Self::invalid("roleIds", error.to_string()),
            AccountError::Beyond => Self::NotAllowed("this needs permissions that you do not have yourself"),
            AccountError::NameTaken
            | AccountError::LastManager
            | AccountError::BuiltIn
            | AccountError::InUse { .. }
            | AccountError::FirstTenant => Self::Conflict(error.to_string()),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        // Strings and numbers only: this cannot fail.
        let body = serde_json::to_vec(&self.problem()).unwrap_or_default();
        let mut response = (self.status(), body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        match &self {
            Self::Unauthorized => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::Unavailable(_) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER_SECONDS));
            }
            _ => {}
        }
        if let Some(seconds) = self.retry_after_seconds() {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        // A door that speaks another dialect says it in its own form.
        response.extensions_mut().insert(self);
        response
    }
}
