//! What a run keeps of its agent: read once, when the run begins.

use super::db::{Arg, Db, Sql, query};
use super::error::Result;
use super::tryouts::{self, Tryout};
use super::{agents, models};
use crate::domain::agents::AgentSpec;
use crate::domain::delegation::{
    self, Budget, EffectiveDelegation, GlobalDelegation, MAX_PRESETS, PRESET_CHARS, Preset,
};
use crate::domain::ids::{AgentId, SessionId, TenantId};
use crate::domain::runs::{ModelSnapshot, Snapshot};
use crate::domain::text;

/// What holds where an agent does not say.
#[derive(Debug, Clone, PartialEq)]
pub struct Defaults {
    /// Of delegation.
    pub delegation: GlobalDelegation,
    /// Of a turn with all its subagents.
    pub budget: Budget,
}

/// An agent with its model, as they stand now, and the model's sealed key beside them; None if
/// either is gone.
pub async fn resolve(
    db: &Db,
    tenant_id: TenantId,
    id: AgentId,
    defaults: &Defaults,
) -> Result<Option<(Snapshot, Option<String>)>> {
    match agents::find(db, tenant_id, id).await? {
        Some(agent) => of_spec(db, tenant_id, Some(id), agent.spec, defaults).await,
        None => Ok(None),
    }
}

/// The same of what a session tries; None if it tries nothing, or the model is gone.
pub async fn resolve_tryout(
    db: &Db,
    tenant_id: TenantId,
    session_id: SessionId,
    defaults: &Defaults,
) -> Result<Option<(Snapshot, Option<String>)>> {
    match tryouts::find(db, tenant_id, session_id).await? {
        Some(Tryout { agent_id, spec }) => of_spec(db, tenant_id, agent_id, spec, defaults).await,
        None => Ok(None),
    }
}

async fn of_spec(
    db: &Db,
    tenant_id: TenantId,
    itself: Option<AgentId>,
    spec: AgentSpec,
    defaults: &Defaults,
) -> Result<Option<(Snapshot, Option<String>)>> {
    let Some(model) = models::find(db, tenant_id, spec.model_id).await? else { return Ok(None) };
    let settings = delegation::resolve(&spec, &defaults.delegation);
    let presets = presets(db, tenant_id, itself, &settings).await?;
    let snapshot = Snapshot {
        budget: Budget {
            max_tokens: spec.budget_tokens.or(defaults.budget.max_tokens),
            max_cost: spec.budget_cost.or(defaults.budget.max_cost),
        },
        agent: spec,
        model: ModelSnapshot {
            model_id: model.id,
            provider: model.provider,
            model_name: model.model_name,
            base_url: model.base_url,
            trusted_host: model.trusted_host,
            limits: model.limits,
        },
        delegation: settings.for_run(presets),
    };
    Ok(Some((snapshot, model.api_key_sealed)))
}

async fn presets(
    db: &Db,
    tenant_id: TenantId,
    itself: Option<AgentId>,
    settings: &EffectiveDelegation,
) -> Result<Vec<Preset>> {
    if !settings.enabled.value {
        return Ok(Vec::new());
    }
    let allowed = settings.allowed_preset_agent_ids.value.as_deref();
    allowed_presets(db, tenant_id, itself, allowed).await
}

/// The agents that a supervisor may call, by id: those of the list that the tenant has, or where there
/// is no list all but itself that all of the tenant see: what is shared with few is called only where
/// somebody named it; what is not published, nowhere. At most [`MAX_PRESETS`].
pub async fn allowed_presets(
    db: &Db,
    tenant_id: TenantId,
    itself: Option<AgentId>,
    allowed: Option<&[AgentId]>,
) -> Result<Vec<Preset>> {
    const LISTED: Sql = Sql {
        sqlite: "SELECT id, name, description FROM netaclaw_agent \
                 WHERE tenant_id = $1 AND published AND id IN (SELECT value FROM json_each($2)) ORDER BY id LIMIT $3",
        postgres: "SELECT id, name, description FROM netaclaw_agent \
                   WHERE tenant_id = $1 AND published AND id = ANY($2) ORDER BY id LIMIT $3",
    };
    let rows = match allowed {
        None => {
            query(
                "SELECT id, name, description FROM netaclaw_agent WHERE tenant_id = $1 AND published AND id <> $2 \
                 AND visibility = 'tenant' ORDER BY id LIMIT $3",
            )
            .bind(tenant_id)
            .bind(itself.map_or(0, |id| id.0))
            .bind(i64::from(MAX_PRESETS))
            .all(db)
            .await?
        }
        Some([]) => return Ok(Vec::new()),
        Some(ids) => {
            query(LISTED)
                .bind(tenant_id)
                .bind(Arg::Ids(ids.iter().map(|id| id.0).collect()))
                .bind(i64::from(MAX_PRESETS))
                .all(db)
                .await?
        }
    };
    let preset = |row: &super::db::Row| {
        Ok(Preset {
            id: row.id("id", AgentId)?,
            name: text::cut(&row.get::<String>("name")?, PRESET_CHARS),
            description: text::cut(&row.get::<String>("description")?, PRESET_CHARS),
        })
    };
    rows.iter().map(preset).collect()
}
