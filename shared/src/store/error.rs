//! Why the store did not do what was asked. No text of these holds a value, an address or a password.

/// A failed store operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database is away, overloaded or shutting down. Whether a write took effect is unknown.
    #[error("database unavailable: {0}")]
    Unavailable(String),
    /// A unique value is taken, or the row changed since it was read.
    #[error("conflicts with what is stored")]
    Conflict,
    /// A row that this one refers to is missing, or a row that is to be removed is referred to.
    #[error("refers to a missing row, or is referred to")]
    Reference,
    /// What is stored does not read as what it should be.
    #[error("stored data does not decode: {0}")]
    Corrupt(String),
    /// The database refused the statement: a fault of Neta, or a full disk.
    #[error("database refused: {0}")]
    Refused(String),
    /// The schema is not what this version expects.
    #[error("migration: {0}")]
    Migration(String),
    /// The address is none of `sqlite:` or `postgres:`, or does not parse.
    #[error("database address: {0}")]
    Address(&'static str),
}

/// Short for a store's answer.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(e) => from_database(e.as_ref()),
            // The texts of these name hosts, ports and system errors, never the address' password.
            sqlx::Error::Io(e) => Self::Unavailable(format!("connection: {}", e.kind())),
            sqlx::Error::Tls(_) => Self::Unavailable("TLS handshake failed".into()),
            sqlx::Error::Protocol(_) => Self::Unavailable("protocol error".into()),
            sqlx::Error::PoolTimedOut => Self::Unavailable("no free connection in time".into()),
            sqlx::Error::PoolClosed => Self::Unavailable("closed".into()),
            sqlx::Error::WorkerCrashed => Self::Unavailable("database thread ended".into()),
            sqlx::Error::BeginFailed => Self::Unavailable("transaction did not begin".into()),
            sqlx::Error::ColumnDecode { index, source } => Self::Corrupt(format!("column {index}: {source}")),
            sqlx::Error::ColumnNotFound(name) => Self::Corrupt(format!("no column {name}")),
            sqlx::Error::RowNotFound => Self::Corrupt("a row is missing".into()),
            sqlx::Error::Configuration(_) => Self::Address("does not parse"),
            other => Self::Refused(other.to_string()),
        }
    }
}

fn from_database(e: &dyn sqlx::error::DatabaseError) -> StoreError {
    if e.is_unique_violation() {
        return StoreError::Conflict;
    }
    if e.is_foreign_key_violation() {
        return StoreError::Reference;
    }
    let code = e.code().unwrap_or_default();
    // Postgres: connection, transaction rollback, resources, operator intervention, system, login.
    // SQLite: busy and locked, with their extended codes, which are multiples of 256 above them.
    let passing = match code.parse::<u32>() {
        Ok(n) if code.len() < 5 => matches!(n & 0xFF, 5 | 6 | 10 | 13),
        _ => ["08", "28", "3D", "40", "53", "55", "57", "58"].iter().any(|class| code.starts_with(class)),
    };
    let text = format!("code {code}: {}", e.message());
    if passing { StoreError::Unavailable(text) } else { StoreError::Refused(text) }
}
