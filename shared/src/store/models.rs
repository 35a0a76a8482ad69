//! Stored provider endpoints.

use super::db::{Db, On, Query, Row, query};
use super::error::{Result, StoreError};
use crate::domain::ids::{ModelId, TenantId};
use crate::domain::models::{Model, ModelLimits, Provider};
use chrono::{DateTime, Utc};

/// What is stored of a model besides its id and times.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSpec {
    /// Unique for the tenant, else [`StoreError::Conflict`].
    pub name: String,
    /// Dialect.
    pub provider: Provider,
    /// The provider's name of the model.
    pub model_name: String,
    /// Where it is reached; None: the provider's own address.
    pub base_url: Option<String>,
    /// The key, sealed.
    pub api_key_sealed: Option<String>,
    /// By [`crate::domain::models::trusted_host`].
    pub trusted_host: bool,
    /// Limits, window and prices.
    pub limits: ModelLimits,
}

macro_rules! columns {
    () => {
        "id, tenant_id, name, provider, model_name, base_url, api_key_sealed, trusted_host, context_window, \
         max_output_tokens, max_concurrency, rpm, tpm, input_price, output_price, create_time, update_time"
    };
}

fn model(row: &Row) -> Result<Model> {
    Ok(Model {
        id: row.id("id", ModelId)?,
        tenant_id: row.id("tenant_id", TenantId)?,
        name: row.get("name")?,
        provider: row.parse("provider", Provider::parse)?,
        model_name: row.get("model_name")?,
        base_url: row.get("base_url")?,
        api_key_sealed: row.get("api_key_sealed")?,
        trusted_host: row.get("trusted_host")?,
        limits: ModelLimits {
            context_window: row.count_or_null("context_window")?,
            max_output_tokens: row.count_or_null("max_output_tokens")?,
            max_concurrency: row.count_or_null("max_concurrency")?,
            rpm: row.count_or_null("rpm")?,
            tpm: row.count_or_null("tpm")?,
            input_price: row.get("input_price")?,
            output_price: row.get("output_price")?,
        },
        create_time: row.get("create_time")?,
        update_time: row.get("update_time")?,
    })
}

fn bind(query: Query, spec: &ModelSpec) -> Query {
    let l = &spec.limits;
    query
        .bind(spec.name.as_str())
        .bind(spec.provider.as_str())
        .bind(spec.model_name.as_str())
        .bind(spec.base_url.as_deref())
        .bind(spec.api_key_sealed.as_deref())
        .bind(spec.trusted_host)
        .bind(l.context_window)
        .bind(l.max_output_tokens)
        .bind(l.max_concurrency)
        .bind(l.rpm)
        .bind(l.tpm)
        .bind(l.input_price)
        .bind(l.output_price)
}

/// Stores a new model.
pub async fn insert(
    on: impl Into<On<'_>>,
    tenant_id: TenantId,
    spec: &ModelSpec,
    now: DateTime<Utc>,
) -> Result<Model> {
    let statement = query(concat!(
        "INSERT INTO netaclaw_model (tenant_id, create_time, update_time, name, provider, model_name, base_url, \
         api_key_sealed, trusted_host, context_window, max_output_tokens, max_concurrency, rpm, tpm, input_price, \
         output_price) VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING ",
        columns!()
    ));
    model(&bind(statement.bind(tenant_id).bind(now), spec).one(on).await?)
}

/// One model of the tenant.
pub async fn find(db: &Db, tenant_id: TenantId, id: ModelId) -> Result<Option<Model>> {
    query(concat!("SELECT ", columns!(), " FROM netaclaw_model WHERE id = $1 AND tenant_id = $2"))
        .bind(id)
        .bind(tenant_id)
        .optional(db)
        .await?
        .as_ref()
        .map(model)
        .transpose()
}

/// Models by id, at most `limit`; `after` is the last one of the page before.
pub async fn list(db: &Db, tenant_id: TenantId, after: Option<ModelId>, limit: u32) -> Result<Vec<Model>> {
    query(concat!(
        "SELECT ",
        columns!(),
        " FROM netaclaw_model WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    ))
    .bind(tenant_id)
    .bind(after.map_or(0, |id| id.0))
    .bind(i64::from(limit))
    .all(db)
    .await?
    .iter()
    .map(model)
    .collect()
}

/// Replaces a model's values; None: the tenant has no such model.
pub async fn update(
    on: impl Into<On<'_>>,
    tenant_id: TenantId,
    id: ModelId,
    spec: &ModelSpec,
    now: DateTime<Utc>,
) -> Result<Option<Model>> {
    let statement = query(concat!(
        "UPDATE netaclaw_model SET update_time = $3, name = $4, provider = $5, model_name = $6, base_url = $7, \
         api_key_sealed = $8, trusted_host = $9, context_window = $10, max_output_tokens = $11, \
         max_concurrency = $12, rpm = $13, tpm = $14, input_price = $15, output_price = $16 WHERE id = $1 AND tenant_id = $2 RETURNING ",
        columns!()
    ));
    bind(statement.bind(id).bind(tenant_id).bind(now), spec)
        .optional(on)
        .await?
        .as_ref()
        .map(model)
        .transpose()
}

/// Removes a model; false: the tenant has no such model. [`StoreError::Conflict`] while an agent uses
/// it.
pub async fn delete(on: impl Into<On<'_>>, tenant_id: TenantId, id: ModelId) -> Result<bool> {
    let deleted = query("DELETE FROM netaclaw_model WHERE id = $1 AND tenant_id = $2")
        .bind(id)
        .bind(tenant_id)
        .execute(on)
        .await;
    match deleted {
        Ok(rows) => Ok(rows > 0),
        Err(StoreError::Reference) => Err(StoreError::Conflict),
        Err(e) => Err(e),
    }
}

/// A sealed key and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedKey {
    /// The model.
    pub id: ModelId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// The key, sealed.
    pub sealed: String,
}

/// Sealed keys of all tenants by model, at most `limit`; `after` is the last model of the page before.
pub async fn sealed_keys(db: &Db, after: Option<ModelId>, limit: u32) -> Result<Vec<SealedKey>> {
    query(
        "SELECT id, tenant_id, api_key_sealed FROM netaclaw_model \
         WHERE id > $1 AND api_key_sealed IS NOT NULL ORDER BY id LIMIT $2",
    )
    .bind(after.map_or(0, |id| id.0))
    .bind(i64::from(limit))
    .all(db)
    .await?
    .iter()
    .map(|row| {
        Ok(SealedKey {
            id: row.id("id", ModelId)?,
            tenant_id: row.id("tenant_id", TenantId)?,
            sealed: row.get("api_key_sealed")?,
        })
    })
    .collect()
}

/// Puts a key that was sealed anew in the place of what was read; false: somebody gave another key
/// meanwhile. The model stays what it was, so its time of change does, too.
pub async fn replace_sealed(db: &Db, read: &SealedKey, anew: &str) -> Result<bool> {
    let replaced =
        query("UPDATE netaclaw_model SET api_key_sealed = $3 WHERE id = $1 AND api_key_sealed = $2")
            .bind(read.id)
            .bind(read.sealed.as_str())
            .bind(anew)
            .execute(db)
            .await?;
    Ok(replaced > 0)
}
