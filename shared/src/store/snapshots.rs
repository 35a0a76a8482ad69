//! What a run keeps of its agent: read once, when the run begins.

use super::db::Db;
use super::error::Result;
use super::{agents, models};
use crate::domain::delegation::Budget;
use crate::domain::ids::{AgentId, TenantId};
use crate::domain::runs::{ModelSnapshot, Snapshot};

/// An agent with its model, as they stand now, and the model's sealed key beside them; None if
/// either is gone.
pub async fn resolve(
    db: &Db,
    tenant_id: TenantId,
    id: AgentId,
) -> Result<Option<(Snapshot, Option<String>)>> {
    let Some(agent) = agents::find(db, tenant_id, id).await? else { return Ok(None) };
    let Some(model) = models::find(db, tenant_id, agent.spec.model_id).await? else { return Ok(None) };
    let snapshot = Snapshot {
        agent: agent.spec,
        model: ModelSnapshot {
            model_id: model.id,
            provider: model.provider,
            model_name: model.model_name,
            base_url: model.base_url,
            limits: model.limits,
        },
        delegation: None,
        budget: Budget::default(),
    };
    Ok(Some((snapshot, model.api_key_sealed)))
}
