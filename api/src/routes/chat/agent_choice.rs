//! Which agent a message goes to, for somebody who does not see all of them.

use crate::error::ApiError;
use crate::state::ApiState;
use shared::domain::access::Principal;
use shared::domain::ids::SessionId;
use shared::store::turns::AgentRef;
use shared::store::{agents, sessions, tryouts};

/// The agent that is meant, if they see it; in a session that tries a definition, that one. Whoever sees all has it found by the statement that
/// accepts the message.
pub async fn seen(
    state: &ApiState,
    principal: &Principal,
    agent: AgentRef,
    session_id: Option<SessionId>,
) -> Result<AgentRef, ApiError> {
    if let Some(id) = session_id.filter(|id| id.may_be_tryout())
        && tryouts::find(&state.app.db, principal.tenant_id, id).await?.is_some()
    {
        return Ok(AgentRef::Default);
    }
    if principal.sees_all_agents() {
        return Ok(agent);
    }
    let db = &state.app.db;
    let found = match agent {
        AgentRef::Id(id) => agents::find_seen(db, principal, id).await?,
        AgentRef::Name(name) => agents::find_seen_by_name(db, principal, &name).await?,
        AgentRef::Default => {
            let of_session = match session_id {
                Some(id) => sessions::agent_of(db, principal.tenant_id, id).await?,
                None => None,
            };
            match of_session {
                Some(id) => agents::find_seen(db, principal, id).await?,
                None => agents::list_seen(db, principal, &agents::Filter::published(), None, 1).await?.pop(),
            }
        }
    };
    found.map(|agent| AgentRef::Id(agent.id)).ok_or(ApiError::NotFound("agent"))
}
