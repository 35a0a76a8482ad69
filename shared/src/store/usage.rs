//! What model calls used. Rows are written with the steps that they belong to, see `runs`.

use super::db::{Db, On, Row, Sql, query};
use super::error::Result;
use super::messages::unsigned;
use crate::domain::conversation::TokenUsage;
use crate::domain::ids::{RunId, TenantId};
use crate::domain::quotas::{Subject, SubjectKind};
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

/// Tokens, and their price as far as models had prices.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    /// Prompt and completion.
    pub tokens: u64,
    /// In the currency of the models' prices.
    pub cost: f64,
}

/// Finds the account of a call: the root of its run's tree has it; where the run was deleted, the call
/// itself.
macro_rules! with_root {
    () => {
        "LEFT JOIN netaclaw_run r ON r.id = u.run_id LEFT JOIN netaclaw_run root ON root.id = r.root_run_id"
    };
}

macro_rules! spent_sql {
    ($join:expr, $whose:literal) => {
        concat!(
            "SELECT CAST(COALESCE(SUM(CASE WHEN u.create_time < $4 THEN u.input_tokens + u.output_tokens ELSE 0 END), 0) \
             AS bigint) AS old_tokens, \
             CAST(COALESCE(SUM(u.input_tokens + u.output_tokens), 0) AS bigint) AS tokens, \
             COALESCE(SUM(CASE WHEN u.create_time < $4 THEN COALESCE(u.cost, 0.0) ELSE 0.0 END), 0.0) AS old_cost, \
             COALESCE(SUM(COALESCE(u.cost, 0.0)), 0.0) AS cost FROM netaclaw_usage u ",
            $join,
            " WHERE u.tenant_id = $1 AND u.create_time >= $2 AND u.create_time < $3 AND ",
            $whose
        )
    };
}

/// What somebody used from `from` to before `to`: up to before `until`, and in all.
pub async fn of_subject(
    db: &Db,
    of: Subject,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<(Spent, Spent)> {
    // Sums of doubles are doubles, of integers numeric in Postgres.
    let statement = query(match of.kind {
        SubjectKind::Tenant => spent_sql!("", "u.tenant_id = $5"),
        SubjectKind::User => spent_sql!(with_root!(), "COALESCE(u.user_id, root.user_id) = $5"),
        SubjectKind::Key => spent_sql!(with_root!(), "COALESCE(u.api_key_id, root.api_key_id) = $5"),
    });
    let row = statement.bind(of.tenant_id).bind(from).bind(to).bind(until).bind(of.id).one(db).await?;
    let spent = |tokens: &str, cost: &str| {
        Ok::<_, super::StoreError>(Spent { tokens: unsigned(row.get(tokens)?)?, cost: row.get(cost)? })
    };
    Ok((spent("old_tokens", "old_cost")?, spent("tokens", "cost")?))
}

/// By what a bill is broken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// By the person on whose account a turn went.
    User,
    /// By the key that began it.
    Key,
    /// By the agent that called, subagents' own included.
    Agent,
    /// By the model.
    Model,
    /// By the day (UTC).
    Day,
}

/// A line of a bill.
#[derive(Debug, Clone, PartialEq)]
pub struct BillLine {
    /// The object's number; None: nobody's (the operator's), or a day.
    pub id: Option<i64>,
    /// Its name, as far as it is there; or the day.
    pub name: Option<String>,
    /// What was used.
    pub total: Total,
}

macro_rules! bill_sql {
    ($id:literal, $name:literal, $joins:expr) => {
        concat!(
            "SELECT ",
            $id,
            " AS id, ",
            $name,
            " AS name, COUNT(*) AS calls, CAST(SUM(u.input_tokens) AS bigint) AS input, \
             CAST(SUM(u.output_tokens) AS bigint) AS output, COALESCE(SUM(u.cost), 0.0) AS cost FROM netaclaw_usage u ",
            $joins,
            " WHERE u.tenant_id = $1 AND u.create_time >= $2 AND u.create_time < $3 GROUP BY 1, 2 \
             ORDER BY 1 NULLS LAST, 2"
        )
    };
}

/// What a tenant used from `from` to before `to`, deleted sessions included, broken down.
pub async fn bill(
    db: &Db,
    tenant_id: TenantId,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
    by: By,
) -> Result<Vec<BillLine>> {
    const DAYS: Sql = Sql {
        sqlite: bill_sql!("CAST(NULL AS bigint)", "SUBSTR(u.create_time, 1, 10)", ""),
        postgres: bill_sql!(
            "CAST(NULL AS bigint)",
            "TO_CHAR(u.create_time AT TIME ZONE 'UTC', 'YYYY-MM-DD')",
            ""
        ),
    };
    let sql = match by {
        By::User => Sql::from(bill_sql!(
            "COALESCE(u.user_id, root.user_id)",
            "n.name",
            concat!(with_root!(), " LEFT JOIN netaclaw_user n ON n.id = COALESCE(u.user_id, root.user_id)")
        )),
        By::Key => Sql::from(bill_sql!(
            "COALESCE(u.api_key_id, root.api_key_id)",
            "n.name",
            concat!(
                with_root!(),
                " LEFT JOIN netaclaw_api_key n ON n.id = COALESCE(u.api_key_id, root.api_key_id)"
            )
        )),
        By::Agent => {
            Sql::from(bill_sql!("u.agent_id", "n.name", "LEFT JOIN netaclaw_agent n ON n.id = u.agent_id"))
        }
        By::Model => {
            Sql::from(bill_sql!("u.model_id", "n.name", "LEFT JOIN netaclaw_model n ON n.id = u.model_id"))
        }
        By::Day => DAYS,
    };
    let rows = query(sql).bind(tenant_id).bind(from).bind(to).all(db).await?;
    let line = |row: &Row| {
        let tokens = TokenUsage {
            input_tokens: unsigned(row.get("input")?)?,
            output_tokens: unsigned(row.get("output")?)?,
        };
        let total = Total { calls: unsigned(row.get("calls")?)?, tokens, cost: row.get("cost")? };
        Ok(BillLine { id: row.get("id")?, name: row.get("name")?, total })
    };
    rows.iter().map(line).collect()
}
