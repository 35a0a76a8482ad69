//! One statement: its text for both dialects, its arguments, and the rows that come back.

use super::super::error::{Result, StoreError};
use super::{Db, On};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgArguments, PgRow, PgTypeInfo, Postgres};
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteRow};
use sqlx::{Arguments, Row as _};

/// The text of a statement.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// For SQLite.
    pub sqlite: &'static str,
    /// For Postgres.
    pub postgres: &'static str,
}

impl From<&'static str> for Sql {
    fn from(both: &'static str) -> Self {
        Self { sqlite: both, postgres: both }
    }
}

/// An argument. None is a typed NULL.
#[derive(Debug, Clone)]
pub enum Arg {
    /// An integer.
    Int(Option<i64>),
    /// A floating point number.
    Float(Option<f64>),
    /// Text.
    Text(Option<String>),
    /// A truth value.
    Bool(Option<bool>),
    /// A time, to the millisecond.
    Time(Option<DateTime<Utc>>),
    /// A JSON document.
    Json(Option<String>),
    /// A list: an array in Postgres, a JSON array in SQLite.
    Ids(Vec<i64>),
}

impl Arg {
    /// A value as a JSON document.
    pub fn json<T: Serialize>(value: &T) -> Result<Self> {
        serde_json::to_string(value)
            .map(|text| Self::Json(Some(text)))
            .map_err(|e| StoreError::Corrupt(format!("does not encode: {e}")))
    }

    /// As [`Arg::json`]; None is NULL.
    pub fn json_or_null<T: Serialize>(value: Option<&T>) -> Result<Self> {
        value.map_or(Ok(Self::Json(None)), Self::json)
    }
}

macro_rules! into_arg {
    ($($from:ty => |$v:ident| $to:expr),+ $(,)?) => {$(
        impl From<$from> for Arg {
            fn from($v: $from) -> Self {
                $to
            }
        }
    )+};
}

into_arg! {
    i64 => |v| Self::Int(Some(v)),
    Option<i64> => |v| Self::Int(v),
    Option<u32> => |v| Self::Int(v.map(i64::from)),
    f64 => |v| Self::Float(Some(v)),
    Option<f64> => |v| Self::Float(v),
    bool => |v| Self::Bool(Some(v)),
    Option<bool> => |v| Self::Bool(v),
    &str => |v| Self::Text(Some(v.to_owned())),
    String => |v| Self::Text(Some(v)),
    Option<&str> => |v| Self::Text(v.map(str::to_owned)),
    Option<String> => |v| Self::Text(v),
    DateTime<Utc> => |v| Self::Time(Some(v)),
    Option<DateTime<Utc>> => |v| Self::Time(v),
    crate::domain::ids::SessionId => |v| Self::Text(Some(v.to_string())),
    &crate::domain::ids::WorkerId => |v| Self::Text(Some(v.0.clone())),
    crate::domain::ids::TenantId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::AgentId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::ModelId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::MessageId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::RunId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::PauseId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::UserId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::RoleId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::ApiKeyId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::LoginSessionId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::QuotaId => |v| Self::Int(Some(v.0)),
    crate::domain::ids::AuditId => |v| Self::Int(Some(v.0)),
}

/// A statement with its arguments so far.
#[derive(Debug)]
#[must_use = "does nothing until it is run"]
pub struct Query {
    sql: Sql,
    args: Vec<Arg>,
}

/// Begins a statement. The text is prepared once on each connection.
pub fn query(sql: impl Into<Sql>) -> Query {
    Query { sql: sql.into(), args: Vec::new() }
}

impl Query {
    /// Adds the next argument: `$1`, `$2` and so on.
    pub fn bind(mut self, arg: impl Into<Arg>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// All rows.
    pub async fn all(self, on: impl Into<On<'_>>) -> Result<Vec<Row>> {
        super::fetch(self.sql, self.args, on.into()).await
    }

    /// The first row, if any. Every row is read, so that a statement that writes has written all.
    pub async fn optional(self, on: impl Into<On<'_>>) -> Result<Option<Row>> {
        Ok(self.all(on).await?.into_iter().next())
    }

    /// The only row.
    pub async fn one(self, on: impl Into<On<'_>>) -> Result<Row> {
        self.optional(on).await?.ok_or_else(|| StoreError::Corrupt("a row is missing".into()))
    }

    /// The number of rows that it changed.
    pub async fn execute(self, on: impl Into<On<'_>>) -> Result<u64> {
        super::execute(self.sql, self.args, on.into()).await
    }
}

/// A row that came back.
pub enum Row {
    /// From SQLite.
    Sqlite(SqliteRow),
    /// From Postgres.
    Postgres(PgRow),
}

/// A type that both databases decode.
pub trait Column:
    for<'r> sqlx::Decode<'r, Sqlite>
    + sqlx::Type<Sqlite>
    + for<'r> sqlx::Decode<'r, Postgres>
    + sqlx::Type<Postgres>
{
}

impl<T> Column for T where
    T: for<'r> sqlx::Decode<'r, Sqlite>
        + sqlx::Type<Sqlite>
        + for<'r> sqlx::Decode<'r, Postgres>
        + sqlx::Type<Postgres>
{
}

impl Row {
    /// A column's value; an `Option` where it may be NULL.
    pub fn get<T: Column>(&self, column: &str) -> Result<T> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
        .map_err(StoreError::from)
    }

    /// A column that holds a name.
    pub fn parse<T>(&self, column: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
        self.parse_or_null(column, parse)?
            .ok_or_else(|| StoreError::Corrupt(format!("column {column} is NULL")))
    }

    /// As [`Row::parse`], for a column that may be NULL.
    pub fn parse_or_null<T>(&self, column: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(text) = self.get::<Option<String>>(column)? else { return Ok(None) };
        match parse(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(StoreError::Corrupt(format!("column {column} holds an unknown name"))),
        }
    }

    /// A column that holds a JSON document.
    pub fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T> {
        self.json_or_null(column)?.ok_or_else(|| StoreError::Corrupt(format!("column {column} is NULL")))
    }

    /// As [`Row::json`], for a column that may be NULL.
    pub fn json_or_null<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>> {
        // As text, so that the type is decoded by one function for both databases.
        let text = match self {
            Self::Sqlite(row) => row.try_get_unchecked::<Option<String>, _>(column),
            Self::Postgres(row) => row.try_get_unchecked::<Option<String>, _>(column),
        }?;
        text.map(|text| {
            serde_json::from_str(&text).map_err(|e| StoreError::Corrupt(format!("column {column}: {e}")))
        })
        .transpose()
    }

    /// An identifier made of an integer.
    pub fn id<T>(&self, column: &str, make: fn(i64) -> T) -> Result<T> {
        self.get(column).map(make)
    }

    /// A number that is never negative and may be NULL.
    pub fn count_or_null(&self, column: &str) -> Result<Option<u32>> {
        self.get::<Option<i64>>(column)?
            .map(|n| {
                u32::try_from(n).map_err(|_| StoreError::Corrupt(format!("column {column} is out of range")))
            })
            .transpose()
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Row")
    }
}

/// What LIKE with `ESCAPE '!'` finds the text by, wherever it stands.
pub fn like(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.trim().chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// `json` in Postgres, where sqlx's own type means `jsonb`, which refuses `\u0000`.
struct JsonText(String);

impl sqlx::Type<Postgres> for JsonText {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(114))
    }
}

impl sqlx::Encode<'_, Postgres> for JsonText {
    fn encode_by_ref(
        &self,
        buf: &mut PgArgumentBuffer,
    ) -> std::result::Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
        buf.extend_from_slice(self.0.as_bytes());
        Ok(sqlx::encode::IsNull::No)
    }
}

fn unencodable(e: &sqlx::error::BoxDynError) -> StoreError {
    StoreError::Refused(format!("argument: {e}"))
}

pub(super) fn sqlite_arguments(args: Vec<Arg>) -> Result<SqliteArguments> {
    let mut out = SqliteArguments::default();
    for arg in args {
        match arg {
            Arg::Int(v) => out.add(v),
            Arg::Float(v) => out.add(v),
            Arg::Text(v) | Arg::Json(v) => out.add(v),
            Arg::Bool(v) => out.add(v),
            Arg::Time(v) => out.add(v.map(|t| t.to_rfc3339_opts(SecondsFormat::Millis, true))),
            Arg::Ids(v) => out.add(serde_json::Value::from(v).to_string()),
        }
        .map_err(|e| unencodable(&e))?;
    }
    Ok(out)
}

pub(super) fn pg_arguments(args: Vec<Arg>) -> Result<PgArguments> {
    let mut out = PgArguments::default();
    for arg in args {
        match arg {
            Arg::Int(v) => out.add(v),
            Arg::Float(v) => out.add(v),
            Arg::Text(v) => out.add(v),
            Arg::Bool(v) => out.add(v),
            Arg::Time(v) => out.add(v),
            Arg::Json(v) => out.add(v.map(JsonText)),
            Arg::Ids(v) => out.add(v),
        }
        .map_err(|e| unencodable(&e))?;
    }
    Ok(out)
}

impl<'a> From<&'a Db> for On<'a> {
    fn from(db: &'a Db) -> Self {
        Self::Db(db)
    }
}
