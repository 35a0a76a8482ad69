//! Stored agent definitions.

use super::db::{Arg, Db, On, Query, Row, Sql, Tx, like, query};
use super::error::{Result, StoreError};
use crate::domain::access::{AgentAccess, Principal};
use crate::domain::agents::{Agent, AgentSpec, Visibility};
use crate::domain::ids::{AgentId, ModelId, RoleId, TenantId, UserId};
use crate::domain::permissions::Permission;
use chrono::{DateTime, TimeDelta, Utc};

macro_rules! columns {
    () => {
        "id, tenant_id, name, description, system_prompt, model_id, tools, \
         subagent_config, max_tool_rounds, max_wall_seconds, budget_tokens, budget_cost, temperature, is_crew_master, \
         icon, published, starters, owner_user_id, visibility, version, create_time, update_time, last_run_time, \
         (SELECT n.name FROM netaclaw_model n WHERE n.id = netaclaw_agent.model_id) AS model_name"
    };
}

fn agent(row: &Row) -> Result<Agent> {
    Ok(Agent {
        id: row.id("id", AgentId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        owner_user_id: row.get::<Option<i64>>("owner_user_id")?.map(UserId),
        visibility: row.parse("visibility", Visibility::parse)?,
        spec: AgentSpec {
            name: row.get("name")?,
            description: row.get("description")?,
            system_prompt: row.get("system_prompt")?,
            model_id: row.id("model_id", ModelId)?,
            tools: row.json_or_null("tools")?,
            subagent_config: row.json("subagent_config")?,
            max_tool_rounds: row.count_or_null("max_tool_rounds")?,
            max_wall_seconds: row.count_or_null("max_wall_seconds")?,
            budget_tokens: row.get::<Option<i64>>("budget_tokens")?.map(i64::unsigned_abs),
            budget_cost: row.get("budget_cost")?,
            // Stored wider than it is: exact in both directions.
            temperature: row.get::<Option<f64>>("temperature")?.map(|t| t as f32),
            is_crew_master: row.get("is_crew_master")?,
            icon: row.get("icon")?,
            published: row.get("published")?,
            starters: row.json("starters")?,
        },
        version: row.get("version")?,
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
        model_name: row.get("model_name")?,
        last_run_time: row.get("last_run_time")?,
    })
}

fn bind(query: Query, spec: &AgentSpec) -> Result<Query> {
    Ok(query
        .bind(spec.name.as_str())
        .bind(spec.description.as_str())
        .bind(spec.system_prompt.as_str())
        .bind(spec.model_id)
        .bind(Arg::json_or_null(spec.tools.as_ref())?)
        .bind(Arg::json(&spec.subagent_config)?)
        .bind(spec.max_tool_rounds)
        .bind(spec.max_wall_seconds)
        .bind(spec.budget_tokens.map(|n| i64::try_from(n).unwrap_or(i64::MAX)))
        .bind(spec.budget_cost)
        .bind(spec.temperature.map(f64::from))
        .bind(spec.is_crew_master)
        .bind(spec.icon.as_str())
        .bind(spec.published)
        .bind(Arg::json(&spec.starters)?))
}

/// Stores a new agent of `owner`'s, which all of the tenant see. [`StoreError::Conflict`] if the tenant
/// has one of that name, [`StoreError::Reference`] if it has no such model.
pub async fn insert(
    on: impl Into<On<'_>>,
    tenant_id: TenantId,
    owner: Option<UserId>,
    spec: &AgentSpec,
    now: DateTime<Utc>,
) -> Result<Agent> {
    let statement = query(concat!(
        "INSERT INTO netaclaw_agent (tenant_id, version, create_time, update_time, name, description, system_prompt, \
         model_id, tools, subagent_config, max_tool_rounds, max_wall_seconds, budget_tokens, budget_cost, \
         temperature, is_crew_master, icon, published, starters, owner_user_id) \
         SELECT $1, 1, $2, $2, $3, $4, $5, m.id, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18 FROM netaclaw_model m \
         WHERE m.id = $6 AND m.tenant_id = $1 RETURNING ",
        columns!()
    ));
    let statement = bind(statement.bind(tenant_id).bind(now), spec)?.bind(owner.map(|id| id.0));
    match statement.optional(on).await? {
        Some(row) => agent(&row),
        None => Err(StoreError::Reference),
    }
}

/// One agent of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: AgentId) -> Result<Option<Agent>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_agent WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(agent)
        .transpose()
}

/// The tenant's agent of exactly this name.
pub async fn find_by_name(db: &Db, tenant_id: TenantId, name: &str) -> Result<Option<Agent>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_agent WHERE tenant_id = $1 AND name = $2"))
        .bind(tenant_id)
        .bind(name)
        .optional(db)
        .await?
        .as_ref()
        .map(agent)
        .transpose()
}

macro_rules! list_sql {
    ($visible:expr) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM netaclaw_agent WHERE tenant_id = $1 AND id > $2 AND ($4 IS NULL OR published = $4) \
             AND (LOWER(name) LIKE $5 ESCAPE '!' OR LOWER(description) LIKE $5 ESCAPE '!' \
             OR name LIKE $6 ESCAPE '!' OR description LIKE $6 ESCAPE '!')",
            $visible,
            " ORDER BY id LIMIT $3"
        )
    };
}

/// As [`Principal::sees_agent`] decides. `$7` is the person, `$8` their roles.
macro_rules! shared_with {
    ($role_among:literal) => {
        concat!(
            " AND (visibility = 'tenant' OR owner_user_id = $7 OR EXISTS (SELECT 1 FROM netaclaw_share s \
             WHERE s.object_kind = 'agent' AND s.object_id = netaclaw_agent.id AND \
             ((s.subject_kind = 'user' AND s.subject_id = $7) OR (s.subject_kind = 'role' AND s.subject_id ",
            $role_among,
            "))))"
        )
    };
}

/// Which agents; None and empty: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// For everybody who sees them, or not.
    pub published: Option<bool>,
    /// A part of the name or the description, in any case of Latin letters.
    pub text: String,
}

impl Filter {
    /// Those that everybody who sees them may talk to.
    pub fn published() -> Self {
        Self { published: Some(true), text: String::new() }
    }

    /// What of it somebody may be shown; None: nothing.
    fn for_eyes_of(&self, by: &Principal) -> Option<Self> {
        if by.may(Permission::AgentEdit) {
            return Some(self.clone());
        }
        (self.published != Some(false)).then(|| Self { published: Some(true), ..self.clone() })
    }

    fn takes(&self, agent: &Agent) -> bool {
        let holds = |text: &str| text.to_lowercase().contains(&self.text.to_lowercase());
        self.published.is_none_or(|published| published == agent.spec.published)
            && (holds(&agent.spec.name) || holds(&agent.spec.description))
    }

    fn bind(&self, query: Query) -> Query {
        // SQLite's LOWER knows ASCII only: other letters are found as they are written.
        query.bind(self.published).bind(like(&self.text.to_lowercase())).bind(like(&self.text))
    }
}

/// All agents of the tenant by id, at most `limit`; `after` is the last one of the page before.
pub async fn list(
    db: &Db,
    tenant_id: TenantId,
    filter: &Filter,
    after: Option<AgentId>,
    limit: u32,
) -> Result<Vec<Agent>> {
    let statement = query(list_sql!(""));
    let page = statement.bind(tenant_id).bind(after.map_or(0, |id| id.0)).bind(i64::from(limit));
    filter.bind(page).all(db).await?.iter().map(agent).collect()
}

/// The agents that somebody sees, as [`list`].
pub async fn list_seen(
    db: &Db,
    by: &Principal,
    filter: &Filter,
    after: Option<AgentId>,
    limit: u32,
) -> Result<Vec<Agent>> {
    const SHARED: Sql = Sql {
        sqlite: list_sql!(shared_with!("IN (SELECT value FROM json_each($8))")),
        postgres: list_sql!(shared_with!("= ANY($8)")),
    };
    let Some(filter) = filter.for_eyes_of(by) else { return Ok(Vec::new()) };
    if let Some(named) = &by.agents {
        return list_named(db, by, named, &filter, after, limit).await;
    }
    if by.may(Permission::AgentViewAll) {
        return list(db, by.tenant_id, &filter, after, limit).await;
    }
    let page = query(SHARED).bind(by.tenant_id).bind(after.map_or(0, |id| id.0)).bind(i64::from(limit));
    filter
        .bind(page)
        .bind(by.user_id().map(|id| id.0))
        .bind(Arg::Ids(by.role_ids.iter().map(|id| id.0).collect()))
        .all(db)
        .await?
        .iter()
        .map(agent)
        .collect()
}

/// A key names few agents: each is looked at.
async fn list_named(
    db: &Db,
    by: &Principal,
    named: &[AgentId],
    filter: &Filter,
    after: Option<AgentId>,
    limit: u32,
) -> Result<Vec<Agent>> {
    let mut ids: Vec<AgentId> =
        named.iter().copied().filter(|id| after.is_none_or(|last| *id > last)).collect();
    ids.sort_unstable();
    let mut seen = Vec::new();
    for id in ids {
        if seen.len() < limit as usize {
            seen.extend(find_seen(db, by, id).await?.filter(|agent| filter.takes(agent)));
        }
    }
    Ok(seen)
}

/// Agents that use a model, by name.
pub async fn of_model(db: &Db, tenant_id: TenantId, model_id: ModelId, limit: u32) -> Result<Vec<Agent>> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_agent WHERE tenant_id = $1 AND model_id = $2 ORDER BY name LIMIT $3"
    ))
    .bind(tenant_id)
    .bind(model_id)
    .bind(i64::from(limit))
    .all(db)
    .await?
    .iter()
    .map(agent)
    .collect()
}

/// Notes that a run of the agent began. Its row is written once a minute at most.
pub async fn note_run(db: &Db, tenant_id: TenantId, id: AgentId, now: DateTime<Utc>) -> Result<()> {
    query(
        "UPDATE netaclaw_agent SET last_run_time = $3 WHERE id = $1 AND tenant_id = $2 \
         AND (last_run_time IS NULL OR last_run_time <= $4)",
    )
    .bind(id)
    .bind(tenant_id)
    .bind(now)
    .bind(now - NOTED_ANEW)
    .execute(db)
    .await
    .map(drop)
}

/// How exact the time of the last run is.
pub const NOTED_ANEW: TimeDelta = TimeDelta::minutes(1);

/// One agent that somebody sees.
pub async fn find_seen(db: &Db, by: &Principal, id: AgentId) -> Result<Option<Agent>> {
    let Some(agent) = find(db, by.tenant_id, id).await? else { return Ok(None) };
    let access = access(db, &agent).await?;
    Ok(by.sees_agent(&access).then_some(agent))
}

/// The agent of exactly this name, if somebody sees it.
pub async fn find_seen_by_name(db: &Db, by: &Principal, name: &str) -> Result<Option<Agent>> {
    let Some(agent) = find_by_name(db, by.tenant_id, name).await? else { return Ok(None) };
    let access = access(db, &agent).await?;
    Ok(by.sees_agent(&access).then_some(agent))
}

/// Who sees an agent.
pub async fn access(on: impl Into<On<'_>>, agent: &Agent) -> Result<AgentAccess> {
    let mut access = AgentAccess {
        id: agent.id,
        owner_user_id: agent.owner_user_id,
        visibility: agent.visibility,
        published: agent.spec.published,
        users: Vec::new(),
        roles: Vec::new(),
    };
    if agent.visibility == Visibility::Tenant {
        return Ok(access);
    }
    let shares = query(
        "SELECT subject_kind, subject_id FROM netaclaw_share WHERE object_kind = 'agent' AND object_id = $1 \
         ORDER BY subject_kind, subject_id",
    );
    for row in shares.bind(agent.id).all(on).await? {
        match row.get::<String>("subject_kind")?.as_str() {
            "user" => access.users.push(row.id("subject_id", UserId)?),
            "role" => access.roles.push(row.id("subject_id", RoleId)?),
            _ => return Err(StoreError::Corrupt("a share with an unknown kind of subject".into())),
        }
    }
    Ok(access)
}

/// Says who sees an agent; None: the tenant has no such agent. Shares with people and roles that the
/// tenant does not have are [`StoreError::Reference`].
pub async fn share(
    tx: &mut Tx,
    tenant_id: TenantId,
    id: AgentId,
    wanted: &Shares,
    now: DateTime<Utc>,
) -> Result<Option<Agent>> {
    let changed = query(concat!(
        "UPDATE netaclaw_agent SET visibility = $3, update_time = $4 WHERE id = $1 AND tenant_id = $2 RETURNING ",
        columns!()
    ));
    let row = changed.bind(id).bind(tenant_id).bind(wanted.visibility.as_str()).bind(now);
    let Some(row) = row.optional(&mut *tx).await? else { return Ok(None) };
    unshare(tx, id).await?;
    let users = wanted
        .users
        .iter()
        .map(|id| ("user", id.0, "SELECT id FROM netaclaw_user WHERE id = $1 AND tenant_id = $2"));
    let roles = wanted
        .roles
        .iter()
        .map(|id| ("role", id.0, "SELECT id FROM netaclaw_role WHERE id = $1 AND tenant_id = $2"));
    for (kind, subject, find) in users.chain(roles) {
        if query(find).bind(subject).bind(tenant_id).optional(&mut *tx).await?.is_none() {
            return Err(StoreError::Reference);
        }
        query(
            "INSERT INTO netaclaw_share (object_kind, object_id, subject_kind, subject_id) \
             VALUES ('agent', $1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(id)
        .bind(kind)
        .bind(subject)
        .execute(&mut *tx)
        .await?;
    }
    agent(&row).map(Some)
}

async fn unshare(tx: &mut Tx, id: AgentId) -> Result<()> {
    let shares = query("DELETE FROM netaclaw_share WHERE object_kind = 'agent' AND object_id = $1");
    shares.bind(id).execute(tx).await.map(drop)
}

/// Who is to see an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shares {
    /// Whether all of the tenant do.
    pub visibility: Visibility,
    /// Else these persons, besides who made it.
    pub users: Vec<UserId>,
    /// And all who have one of these roles.
    pub roles: Vec<RoleId>,
}

/// Replaces what a person sets, if the agent is still at `version`; None: the tenant has no such
/// agent. [`StoreError::Conflict`] if it changed meanwhile or the name is taken,
/// [`StoreError::Reference`] if the tenant has no such model.
pub async fn update(
    on: impl Into<On<'_>>,
    tenant_id: TenantId,
    id: AgentId,
    version: i64,
    spec: &AgentSpec,
    now: DateTime<Utc>,
) -> Result<Option<Agent>> {
    let statement = query(concat!(
        "UPDATE netaclaw_agent SET version = version + 1, update_time = $4, name = $5, description = $6, \
         system_prompt = $7, model_id = $8, tools = $9, subagent_config = $10, max_tool_rounds = $11, \
         max_wall_seconds = $12, budget_tokens = $13, budget_cost = $14, temperature = $15, is_crew_master = $16, \
         icon = $17, published = $18, starters = $19 \
         WHERE id = $1 AND tenant_id = $2 AND version = $3 \
         AND EXISTS (SELECT 1 FROM netaclaw_model m WHERE m.id = $8 AND m.tenant_id = $2) RETURNING ",
        columns!()
    ));
    let statement = statement.bind(id).bind(tenant_id).bind(version).bind(now);
    let mut on = on.into();
    if let Some(row) = bind(statement, spec)?.optional(on.again()).await? {
        return agent(&row).map(Some);
    }
    let stored = query("SELECT version FROM netaclaw_agent WHERE id = $1 AND tenant_id = $2");
    match stored.bind(id).bind(tenant_id).optional(on).await? {
        None => Ok(None),
        Some(row) if row.get::<i64>("version")? != version => Err(StoreError::Conflict),
        Some(_) => Err(StoreError::Reference),
    }
}

/// Removes an agent; false: the tenant has no such agent. Its sessions stay.
pub async fn delete(tx: &mut Tx, tenant_id: TenantId, id: AgentId) -> Result<bool> {
    let deleted =
        query("DELETE FROM netaclaw_agent WHERE id = $1 AND tenant_id = $2").bind(id).bind(tenant_id);
    if deleted.execute(&mut *tx).await? == 0 {
        return Ok(false);
    }
    unshare(tx, id).await?;
    Ok(true)
}
