//! A message as a client sends it, by whichever door, and its check.

use crate::error::ApiError;
use crate::state::ApiConfig;
use serde::Deserialize;
use shared::app::turns::StartTurn;
use shared::domain::access::Principal;
use shared::domain::audit::By;
use shared::domain::ids::{AgentId, MessageId, SessionId};
use shared::domain::permissions::Permission;
use shared::domain::runs::Policy;
use shared::store::turns::AgentRef;
use shared::telemetry::TraceContext;
use std::time::Duration;
use utoipa::ToSchema;

/// Seconds that a request waits if it does not say.
const DEFAULT_WAIT: u32 = 25;
/// Seconds that a request may wait: below what proxies usually cut at.
const MAX_WAIT: u32 = 60;
/// Characters of a client's id of a message.
const MAX_CLIENT_ID_CHARS: usize = 200;

/// A message to an agent.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatRequest {
    /// What is said.
    pub message: String,
    /// The agent, by id.
    pub agent_id: Option<AgentId>,
    /// The agent, by name or id. With neither: the session's agent; in a new session the oldest.
    pub agent: Option<AgentChoice>,
    /// The session. None makes one; a UUID that is not known yet makes one under that id.
    pub session_id: Option<SessionId>,
    /// The client's own id of the message: sent again, it is the same turn. The header
    /// `Idempotency-Key` says the same.
    pub client_message_id: Option<String>,
    /// What becomes of the session's live turn.
    pub policy: Option<Policy>,
    /// A message of the session, the user's or the answer's: its turn and all later ones are removed when
    /// this one is accepted.
    pub replaces: Option<MessageId>,
    /// Seconds to wait for the answer: 25 if not given, at most 60; 0 answers at once. Not used by
    /// streams and sockets.
    pub wait: Option<u32>,
}

/// An agent by id or by name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected an agent's name or id")]
pub enum AgentChoice {
    /// By id.
    Id(AgentId),
    /// By name.
    Name(String),
}

impl ChatRequest {
    /// The message that it asks to replace, for somebody who may remove turns.
    pub fn replaces(
        &self,
        principal: &Principal,
        by: impl FnOnce() -> By,
    ) -> Result<Option<(MessageId, By)>, ApiError> {
        let Some(message_id) = self.replaces else { return Ok(None) };
        if !principal.may(Permission::SessionEdit) {
            return Err(ApiError::Forbidden(Permission::SessionEdit));
        }
        if self.session_id.is_none() {
            return Err(ApiError::invalid("replaces", "needs the sessionId of that message"));
        }
        Ok(Some((message_id, by())))
    }

    /// The turn that it asks for.
    pub fn check(
        self,
        principal: &Principal,
        config: &ApiConfig,
        trace: TraceContext,
    ) -> Result<StartTurn, ApiError> {
        check_text("message", &self.message, config)?;
        if let Some(id) = &self.client_message_id
            && (id.trim().is_empty() || id.chars().count() > MAX_CLIENT_ID_CHARS)
        {
            let message = format!("must have 1 to {MAX_CLIENT_ID_CHARS} characters");
            return Err(ApiError::invalid("clientMessageId", message));
        }
        let agent = match (self.agent_id, self.agent) {
            (Some(_), Some(_)) => {
                return Err(ApiError::invalid("agent", "give either agentId or agent, not both"));
            }
            (Some(id), None) | (None, Some(AgentChoice::Id(id))) => AgentRef::Id(id),
            (None, Some(AgentChoice::Name(name))) => AgentRef::Name(name),
            (None, None) => AgentRef::Default,
        };
        Ok(StartTurn {
            sender: principal.sender(),
            session_id: self.session_id,
            agent,
            message: self.message,
            told: None,
            client_message_id: self.client_message_id,
            policy: self.policy.unwrap_or_default(),
            replaces: None,
            traceparent: Some(trace.to_string()),
        })
    }
}

/// Something that is said to an agent: not empty, not too long.
pub fn check_text(field: &str, text: &str, config: &ApiConfig) -> Result<(), ApiError> {
    if text.trim().is_empty() {
        return Err(ApiError::invalid(field, "must not be empty"));
    }
    let max = config.max_message_chars;
    if text.len() > max && text.chars().count() > max {
        return Err(ApiError::invalid(field, format!("is longer than {max} characters")));
    }
    Ok(())
}

/// How long a request is willing to wait.
pub fn patience(wait: Option<u32>) -> Result<Duration, ApiError> {
    match wait.unwrap_or(DEFAULT_WAIT) {
        seconds if seconds > MAX_WAIT => {
            Err(ApiError::invalid("wait", format!("must be at most {MAX_WAIT} seconds")))
        }
        seconds => Ok(Duration::from_secs(u64::from(seconds))),
    }
}
