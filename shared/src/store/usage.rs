//! What model calls used. Rows are written with the steps that they belong to, see `runs`.

use super::db::{Db, On, Row, Sql, query};
use super::error::Result;
use super::messages::unsigned;
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::{RunId, TenantId};
use chrono::{DateTime, Utc};

/// What was used by a tenant in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Total {
    /// Finished model calls.
    pub calls: u64,
    /// Their tokens.
    pub tokens: TokenUsage,
    /// Their price, as far as models had prices.
    pub cost: f64,
}

// A sum of integers is `numeric` in Postgres.
const OF_RUN: Sql = Sql {
    sqlite: "SELECT SUM(input_tokens) AS input, SUM(output_tokens) AS output, SUM(cost) AS cost \
             FROM netaclaw_usage WHERE run_id = $1",
    postgres: "SELECT CAST(SUM(input_tokens) AS bigint) AS input, CAST(SUM(output_tokens) AS bigint) AS output, \
               SUM(cost) AS cost FROM netaclaw_usage WHERE run_id = $1",
};

/// Tokens and price of a run so far; None before its first finished call.
pub async fn of_run(on: impl Into<On<'_>>, run_id: RunId) -> Result<Option<(TokenUsage, Option<f64>)>> {
    spent(&query(OF_RUN).bind(run_id).one(on).await?)
}

const OF_TREE: Sql = Sql {
    sqlite: "SELECT SUM(input_tokens) AS input, SUM(output_tokens) AS output, SUM(cost) AS cost \
             FROM netaclaw_usage WHERE run_id IN (SELECT $1 UNION ALL \
             SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1)",
    postgres: "SELECT CAST(SUM(input_tokens) AS bigint) AS input, CAST(SUM(output_tokens) AS bigint) AS output, \
               SUM(cost) AS cost FROM netaclaw_usage WHERE run_id IN (SELECT $1 UNION ALL \
               SELECT id FROM netaclaw_subagent_session WHERE parent_run_id = $1)",
};

/// Tokens and price of a run and its subagents so far, however they ended; None before the first
/// finished call.
pub async fn of_tree(on: impl Into<On<'_>>, run_id: RunId) -> Result<Option<(TokenUsage, Option<f64>)>> {
    spent(&query(OF_TREE).bind(run_id).one(on).await?)
}

fn spent(row: &Row) -> Result<Option<(TokenUsage, Option<f64>)>> {
    let Some((input, output)) = row.get::<Option<i64>>("input")?.zip(row.get("output")?) else {
        return Ok(None);
    };
    let tokens = TokenUsage { input_tokens: unsigned(input)?, output_tokens: unsigned(output)? };
    Ok(Some((tokens, row.get("cost")?)))
}

const TOTAL: Sql = Sql {
    sqlite: "SELECT COUNT(*) AS calls, COALESCE(SUM(input_tokens), 0) AS input, \
             COALESCE(SUM(output_tokens), 0) AS output, COALESCE(SUM(cost), 0.0) AS cost \
             FROM netaclaw_usage WHERE tenant_id = $1 AND create_time >= $2 AND create_time < $3",
    postgres: "SELECT COUNT(*) AS calls, CAST(COALESCE(SUM(input_tokens), 0) AS bigint) AS input, \
               CAST(COALESCE(SUM(output_tokens), 0) AS bigint) AS output, COALESCE(SUM(cost), 0) AS cost \
               FROM netaclaw_usage WHERE tenant_id = $1 AND create_time >= $2 AND create_time < $3",
};

/// What a tenant used from `from` to before `to`, deleted sessions included.
pub async fn total(db: &Db, tenant_id: TenantId, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Total> {
    let row = query(TOTAL).bind(tenant_id).bind(from).bind(to).one(db).await?;
    Ok(Total {
        calls: unsigned(row.get("calls")?)?,
        tokens: TokenUsage {
            input_tokens: unsigned(row.get("input")?)?,
            output_tokens: unsigned(row.get("output")?)?,
        },
        cost: row.get("cost")?,
    })
}
