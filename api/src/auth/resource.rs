//! Resources by the id in a path, authorised in one place each: what may not be seen is a 404 like a
//! random id's, what may be seen but not changed is a 403.

use super::May;
use super::policy::Policy;
use crate::error::ApiError;
use crate::extract::{Id, Named};
use crate::state::ApiState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use shared::domain::access::Principal;
use shared::domain::agents::Agent;
use shared::domain::api_keys::ApiKey;
use shared::domain::ids::{AgentId, ApiKeyId, MessageId, ModelId, PauseId, RunId, SessionId, SubagentId};
use shared::domain::models::Model;
use shared::domain::pauses::Pause;
use shared::domain::permissions::Permission;
use shared::domain::runs::Run;
use shared::domain::sessions::Session;
use shared::domain::subagents::Subagent;
use shared::store::turns::Turn;
use shared::store::{Db, agents, api_keys, models, pauses, runs, sessions, subagents, turns};
use std::marker::PhantomData;

/// An object that the path names, seen by somebody who may do with it what `P` names.
#[derive(Debug)]
pub struct Of<R, P> {
    /// The object.
    pub object: R,
    /// Who asks.
    pub principal: Principal,
    policy: PhantomData<P>,
}

/// An object that has a rule about who sees it.
pub trait Resource: Sized + Send {
    /// What it is found by.
    type Id: Named + Copy + Send;

    /// The object, if they see it.
    fn find(
        db: &Db,
        principal: &Principal,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Self>, ApiError>> + Send;

    /// The session that it belongs to: who may change that may change it.
    fn session_id(&self) -> Option<SessionId> {
        None
    }
}

/// The object, for somebody who may do with it what the permission names.
pub async fn load<R: Resource>(
    state: &ApiState,
    principal: &Principal,
    id: R::Id,
    needs: Permission,
) -> Result<R, ApiError> {
    if !principal.may(needs) {
        return Err(ApiError::Forbidden(needs));
    }
    let db = &state.app.db;
    let object = R::find(db, principal, id).await?.ok_or(ApiError::NotFound(R::Id::NAME))?;
    if let Some(session_id) = object.session_id()
        && matches!(needs, Permission::SessionChat | Permission::SessionEdit)
        && principal.sees() != principal.changes()
    {
        let owner = sessions::owner_of(db, principal.tenant_id, session_id).await?;
        if !owner.is_some_and(|owner| principal.changes().covers(owner)) {
            return Err(ApiError::Forbidden(Permission::SessionEditAll));
        }
    }
    Ok(object)
}

impl<R: Resource, P: Policy> FromRequestParts<ApiState> for Of<R, P>
where
    Id<R::Id>: FromRequestParts<ApiState, Rejection = ApiError>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &ApiState) -> Result<Self, ApiError> {
        let principal = May::<P>::from_request_parts(parts, state).await?.into_principal();
        let Id(id) = Id::<R::Id>::from_request_parts(parts, state).await?;
        let object = load(state, &principal, id, P::PERMISSION).await?;
        Ok(Self { object, principal, policy: PhantomData })
    }
}

/// Whether somebody sees what belongs to a session.
pub async fn sees_session(db: &Db, principal: &Principal, id: SessionId) -> Result<bool, ApiError> {
    let reach = principal.sees();
    if reach.owner().is_none() {
        return Ok(true);
    }
    let owner = sessions::owner_of(db, principal.tenant_id, id).await?;
    Ok(owner.is_some_and(|owner| reach.covers(owner)))
}

/// The object, if its session is seen.
async fn of_seen_session<R: Resource>(
    db: &Db,
    principal: &Principal,
    object: Option<R>,
) -> Result<Option<R>, ApiError> {
    let Some(object) = object else { return Ok(None) };
    let seen = match object.session_id() {
        Some(id) => sees_session(db, principal, id).await?,
        None => true,
    };
    Ok(seen.then_some(object))
}

impl Resource for Session {
    type Id = SessionId;

    async fn find(db: &Db, principal: &Principal, id: SessionId) -> Result<Option<Self>, ApiError> {
        let session = sessions::find(db, principal.tenant_id, id).await?;
        Ok(session.filter(|s| principal.sees().covers(s.owner())))
    }

    fn session_id(&self) -> Option<SessionId> {
        Some(self.id)
    }
}

impl Resource for Turn {
    type Id = MessageId;

    async fn find(db: &Db, principal: &Principal, id: MessageId) -> Result<Option<Self>, ApiError> {
        of_seen_session(db, principal, turns::find(db, principal.tenant_id, id).await?).await
    }

    fn session_id(&self) -> Option<SessionId> {
        Some(self.message.session_id)
    }
}

impl Resource for Run {
    type Id = RunId;

    async fn find(db: &Db, principal: &Principal, id: RunId) -> Result<Option<Self>, ApiError> {
        of_seen_session(db, principal, runs::find(db, principal.tenant_id, id).await?).await
    }

    fn session_id(&self) -> Option<SessionId> {
        Some(self.session_id)
    }
}

impl Resource for Subagent {
    type Id = SubagentId;

    async fn find(db: &Db, principal: &Principal, id: SubagentId) -> Result<Option<Self>, ApiError> {
        of_seen_session(db, principal, subagents::find(db, principal.tenant_id, id).await?).await
    }

    fn session_id(&self) -> Option<SessionId> {
        Some(self.session_id)
    }
}

impl Resource for Pause {
    type Id = PauseId;

    async fn find(db: &Db, principal: &Principal, id: PauseId) -> Result<Option<Self>, ApiError> {
        of_seen_session(db, principal, pauses::find(db, principal.tenant_id, id).await?).await
    }

    fn session_id(&self) -> Option<SessionId> {
        Some(self.session_id)
    }
}

impl Resource for Agent {
    type Id = AgentId;

    async fn find(db: &Db, principal: &Principal, id: AgentId) -> Result<Option<Self>, ApiError> {
        Ok(agents::find_seen(db, principal, id).await?)
    }
}

impl Resource for Model {
    type Id = ModelId;

    async fn find(db: &Db, principal: &Principal, id: ModelId) -> Result<Option<Self>, ApiError> {
        Ok(models::find(db, principal.tenant_id, id).await?)
    }
}

impl Resource for ApiKey {
    type Id = ApiKeyId;

    async fn find(db: &Db, principal: &Principal, id: ApiKeyId) -> Result<Option<Self>, ApiError> {
        let key = api_keys::find(db, principal.tenant_id, id).await?;
        Ok(key.filter(|key| principal.sees_key(key)))
    }
}
