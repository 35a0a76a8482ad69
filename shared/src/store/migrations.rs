//! The schema's history, embedded in the binary. How to add to it: `migrations/README.md`.

use super::db::{Db, query};
use super::error::Result;
use sha2::{Digest, Sha256};
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

struct File {
    version: i64,
    subject: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! file {
    ($version:literal, $subject:literal, $name:literal) => {
        File {
            version: $version,
            subject: $subject,
            sqlite: include_str!(concat!("../../../migrations/sqlite/", $name)),
            postgres: include_str!(concat!("../../../migrations/postgres/", $name)),
        }
    };
}

const FILES: &[File] = &[
    file!(1, "core", "0001_core.sql"),
    file!(2, "delegation", "0002_delegation.sql"),
    file!(3, "accounts", "0003_accounts.sql"),
    file!(5, "model guard", "0005_model_guard.sql"),
    file!(6, "web", "0006_web.sql"),
    file!(7, "agents", "0007_agents.sql"),
    file!(9, "tryouts", "0009_tryouts.sql"),
];

/// The version that this binary needs.
pub fn latest() -> i64 {
    FILES.last().map_or(0, |f| f.version)
}

/// Brings the schema up to [`latest`]. Several processes may do so at the same time.
pub async fn migrate(db: &Db) -> Result<()> {
    let migrations = FILES.iter().map(|f| {
        let sql = match db {
            Db::Sqlite(_) => f.sqlite,
            Db::Postgres(_) => f.postgres,
        };
        Migration::new(f.version, f.subject.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    db.run_migrations(&Migrator::with_migrations(migrations.collect())).await
}

/// The version that the database has; 0 when it was never migrated.
pub async fn schema_version(db: &Db) -> Result<i64> {
    let exists = query(super::db::Sql {
        sqlite: "SELECT name FROM sqlite_schema WHERE name = '_sqlx_migrations'",
        postgres: "SELECT tablename FROM pg_tables WHERE tablename = '_sqlx_migrations'",
    });
    if exists.optional(db).await?.is_none() {
        return Ok(0);
    }
    let row = query("SELECT MAX(version) AS version FROM _sqlx_migrations WHERE success").one(db).await?;
    Ok(row.get::<Option<i64>>("version")?.unwrap_or(0))
}

/// Names this history: the same for the same files only.
pub fn checksum() -> String {
    let mut hash = Sha256::new();
    for f in FILES {
        hash.update(f.sqlite);
        hash.update(f.postgres);
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    format!("{:016x}", u64::from_be_bytes(first))
}
