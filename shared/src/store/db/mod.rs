//! The only folder that names sqlx's drivers: connections, transactions, and running a statement on
//! either database.

mod pg_pool;
mod query;

pub use query::{Arg, Query, Row, Sql, like, query};

use super::error::{Result, StoreError};
use pg_pool::{Held, PgPool};
use query::{pg_arguments, sqlite_arguments};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Executor, Sqlite, Transaction};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Longer than the server's own limit of a statement: reached only when the network is gone.
const ANSWER_DEADLINE: Duration = Duration::from_secs(35);
const STATEMENT_LIMIT_MS: &str = "30000";

/// How many connections, and how long to wait for one.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Connections for durable work; half as many again (at least 2) for relaxed work on Postgres.
    pub max_connections: u32,
    /// Then the operation fails as unavailable.
    pub acquire_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_connections: 10, acquire_timeout: Duration::from_secs(5) }
    }
}

/// The database. Cheap to clone.
#[derive(Debug, Clone)]
pub enum Db {
    /// One file, one writer at a time.
    Sqlite(SqliteDb),
    /// A server.
    Postgres(PgDb),
}

/// SQLite allows one writer: writers queue here, fairly and without polling, instead of in SQLite's
/// busy handler, which sleeps. Readers do not wait for the writer (WAL).
#[derive(Debug, Clone)]
pub struct SqliteDb {
    turn_to_write: Arc<Semaphore>,
    /// One connection, whose commits wait for the disk.
    durable: SqlitePool,
    /// One connection, whose commits do not.
    relaxed: SqlitePool,
    read: SqlitePool,
    acquire_timeout: Duration,
}

/// Two pools on one server.
#[derive(Debug, Clone)]
pub struct PgDb {
    durable: PgPool,
    relaxed: PgPool,
    options: Arc<PgConnectOptions>,
}

/// Where a statement runs.
#[derive(Debug)]
pub enum On<'a> {
    /// By itself; durable once it returns.
    Db(&'a Db),
    /// By itself; a crash of the database server, or for SQLite of the machine, may undo it for about
    /// half a second. See [`Db::relaxed`].
    Relaxed(&'a Db),
    /// As part of a transaction.
    Tx(&'a mut Tx),
}

/// A transaction. Dropping it undoes it.
#[derive(Debug)]
pub enum Tx {
    /// On SQLite's one writing connection.
    Sqlite(Box<SqliteTx>),
    /// On a connection of the durable pool.
    Postgres(Box<PgTx>),
}

/// A transaction on SQLite. Its fields are dropped in this order.
#[derive(Debug)]
pub struct SqliteTx {
    tx: Transaction<'static, Sqlite>,
    _turn: OwnedSemaphorePermit,
}

/// A transaction on Postgres.
#[derive(Debug)]
pub struct PgTx(Held);

impl On<'_> {
    /// The same place once more, for a statement before the last one.
    pub fn again(&mut self) -> On<'_> {
        match self {
            Self::Db(db) => On::Db(db),
            Self::Relaxed(db) => On::Relaxed(db),
            Self::Tx(tx) => On::Tx(tx),
        }
    }
}

impl<'a> From<&'a mut Tx> for On<'a> {
    fn from(tx: &'a mut Tx) -> Self {
        Self::Tx(tx)
    }
}

impl Db {
    /// Connects once; the caller decides whether to try again.
    pub async fn connect(url: &str, options: &Options) -> Result<Self> {
        if url.starts_with("sqlite:") {
            Self::connect_sqlite(url, options).await
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            let db = Self::postgres(url, options)?;
            db.ping().await?;
            Ok(db)
        } else {
            Err(StoreError::Address("must begin with sqlite: or postgres:"))
        }
    }

    async fn connect_sqlite(url: &str, options: &Options) -> Result<Self> {
        let connect = SqliteConnectOptions::from_str(url)
            .map_err(|_| StoreError::Address("does not parse"))?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Accepted means committed, also when the power fails: with NORMAL the last commits of a
            // WAL may be lost then.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5))
            .foreign_keys(true)
            .disable_statement_logging();
        let pool = SqlitePoolOptions::new()
            .acquire_timeout(options.acquire_timeout)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false);
        // First the writer: it makes the file and sets the journal's mode.
        let durable = pool.clone().max_connections(1).connect_with(connect.clone()).await?;
        let lazy = connect.clone().synchronous(SqliteSynchronous::Normal);
        let relaxed = pool.clone().max_connections(1).connect_with(lazy).await?;
        let read = pool.max_connections(options.max_connections.clamp(1, 8)).connect_with(connect).await?;
        let turn_to_write = Arc::new(Semaphore::new(1));
        let acquire_timeout = options.acquire_timeout;
        Ok(Self::Sqlite(SqliteDb { turn_to_write, durable, relaxed, read, acquire_timeout }))
    }

    fn postgres(url: &str, options: &Options) -> Result<Self> {
        let connect = PgConnectOptions::from_str(url)
            .map_err(|_| StoreError::Address("does not parse"))?
            .application_name("neta")
            .disable_statement_logging();
        let bounded = connect.clone().options([
            ("statement_timeout", STATEMENT_LIMIT_MS),
            ("idle_in_transaction_session_timeout", STATEMENT_LIMIT_MS),
            // A statement is planned once on each connection. Left to itself, Postgres plans those that
            // take lists anew each time, since a list of two costs less than the ten that it expects:
            // planning them takes longer than running them.
            ("plan_cache_mode", "force_generic_plan"),
        ]);
        let relaxed = bounded.clone().options([("synchronous_commit", "off")]);
        let max = options.max_connections.max(1);
        Ok(Self::Postgres(PgDb {
            durable: PgPool::new(bounded, max, options.acquire_timeout),
            relaxed: PgPool::new(relaxed, (max / 2).max(2), options.acquire_timeout),
            options: Arc::new(connect),
        }))
    }

    /// For claims, renewals, hand-backs and heartbeats only: their commit does not wait for the disk.
    /// That is safe since each of them may be lost without harm. A crash of the server that undoes a
    /// claim leaves the run due, and every durable write of the worker that claimed it names owner
    /// *and* epoch, so that it changes nothing; a lost renewal or hand-back is an expired lease, which
    /// the sweep finds. A durable commit that follows makes all earlier ones durable too.
    pub fn relaxed(&self) -> On<'_> {
        On::Relaxed(self)
    }

    /// Begins a transaction; on SQLite as a writer from the start, since one that turns into a writer
    /// later may fail at once.
    pub async fn begin(&self) -> Result<Tx> {
        match self {
            Self::Sqlite(db) => {
                let turn = db.turn_to_write().await?;
                let tx = db.durable.begin_with("BEGIN IMMEDIATE").await?;
                Ok(Tx::Sqlite(Box::new(SqliteTx { tx, _turn: turn })))
            }
            Self::Postgres(db) => {
                let mut held = db.durable.acquire().await?;
                answered(held.connection.execute("BEGIN")).await?;
                Ok(Tx::Postgres(Box::new(PgTx(held))))
            }
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        query("SELECT 1").all(self).await.map(drop)
    }

    /// Lets no more work begin and closes the connections that rest.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(db) => {
                db.turn_to_write.close();
                db.read.close().await;
                db.relaxed.close().await;
                db.durable.close().await;
            }
            Self::Postgres(db) => {
                db.durable.close();
                db.relaxed.close();
            }
        }
    }

    /// Runs text as it is, several statements if need be: for what a test does around the schema.
    #[cfg(any(test, feature = "testing"))]
    pub async fn run_raw(&self, sql: String) -> Result<()> {
        let sql = sqlx::raw_sql(sqlx::AssertSqlSafe(sql));
        match self {
            Self::Sqlite(db) => sql.execute(&db.durable).await.map(drop)?,
            Self::Postgres(db) => {
                let mut held = db.durable.acquire().await?;
                sql.execute(&mut held.connection).await?;
                held.give_back();
            }
        }
        Ok(())
    }

    /// Runs the migrations that are missing.
    pub(super) async fn run_migrations(&self, migrator: &sqlx::migrate::Migrator) -> Result<()> {
        match self {
            Self::Sqlite(db) => {
                let mut connection = db.durable.acquire().await?;
                migrator.run_direct(None, &mut *connection, false).await
            }
            Self::Postgres(db) => {
                // Its own connection: without the limit of a statement, and closed in any case, so
                // that the advisory lock is free again.
                let mut connection = db.options.connect().await?;
                let done = migrator.run_direct(None, &mut connection, false).await;
                let _ = connection.close().await;
                done
            }
        }
        .map_err(|e| StoreError::Migration(e.to_string()))
    }
}

impl Tx {
    /// Makes it durable. After an error it is unknown whether it was done.
    pub async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => Ok(tx.tx.commit().await?),
            Self::Postgres(tx) => tx.end("COMMIT").await,
        }
    }

    /// Undoes it; keeps the connection, which dropping the transaction does not.
    pub async fn rollback(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => Ok(tx.tx.rollback().await?),
            Self::Postgres(tx) => tx.end("ROLLBACK").await,
        }
    }
}

impl SqliteDb {
    async fn turn_to_write(&self) -> Result<OwnedSemaphorePermit> {
        let turn = Arc::clone(&self.turn_to_write).acquire_owned();
        match timeout(self.acquire_timeout, turn).await {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(_)) => Err(StoreError::Unavailable("closed".into())),
            Err(_) => Err(StoreError::Unavailable("no turn to write in time".into())),
        }
    }
}

impl PgTx {
    async fn end(mut self, how: &'static str) -> Result<()> {
        answered(self.0.connection.execute(how)).await?;
        self.0.give_back();
        Ok(())
    }
}

async fn answered<T>(work: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
    timeout(ANSWER_DEADLINE, work)
        .await
        .map_err(|_| StoreError::Unavailable("no answer in time".into()))?
        .map_err(StoreError::from)
}

pub(super) async fn fetch(sql: Sql, args: Vec<Arg>, on: On<'_>) -> Result<Vec<Row>> {
    match on {
        On::Db(Db::Sqlite(db)) | On::Relaxed(Db::Sqlite(db)) if reads(sql.sqlite) => {
            sqlite_fetch(sql, args, &mut *db.read.acquire().await?).await
        }
        On::Db(Db::Sqlite(db)) => {
            let _turn = db.turn_to_write().await?;
            sqlite_fetch(sql, args, &mut *db.durable.acquire().await?).await
        }
        On::Relaxed(Db::Sqlite(db)) => {
            let _turn = db.turn_to_write().await?;
            sqlite_fetch(sql, args, &mut *db.relaxed.acquire().await?).await
        }
        On::Tx(Tx::Sqlite(tx)) => sqlite_fetch(sql, args, &mut tx.tx).await,
        On::Tx(Tx::Postgres(tx)) => pg_fetch(sql, args, &mut tx.0.connection).await,
        On::Db(Db::Postgres(db)) => pg_pooled(&db.durable, sql, args).await,
        On::Relaxed(Db::Postgres(db)) => pg_pooled(&db.relaxed, sql, args).await,
    }
}

pub(super) async fn execute(sql: Sql, args: Vec<Arg>, on: On<'_>) -> Result<u64> {
    match on {
        On::Db(Db::Sqlite(db)) => {
            let _turn = db.turn_to_write().await?;
            sqlite_execute(sql, args, &mut *db.durable.acquire().await?).await
        }
        On::Relaxed(Db::Sqlite(db)) => {
            let _turn = db.turn_to_write().await?;
            sqlite_execute(sql, args, &mut *db.relaxed.acquire().await?).await
        }
        On::Tx(Tx::Sqlite(tx)) => sqlite_execute(sql, args, &mut tx.tx).await,
        On::Tx(Tx::Postgres(tx)) => pg_execute(sql, args, &mut tx.0.connection).await,
        On::Db(Db::Postgres(db)) => pg_pooled_execute(&db.durable, sql, args).await,
        On::Relaxed(Db::Postgres(db)) => pg_pooled_execute(&db.relaxed, sql, args).await,
    }
}

fn reads(sql: &str) -> bool {
    sql.trim_start().starts_with("SELECT")
}

async fn sqlite_fetch(sql: Sql, args: Vec<Arg>, on: &mut SqliteConnection) -> Result<Vec<Row>> {
    let rows = sqlx::query_with(sql.sqlite, sqlite_arguments(args)?).fetch_all(on).await?;
    Ok(rows.into_iter().map(Row::Sqlite).collect())
}

async fn sqlite_execute(sql: Sql, args: Vec<Arg>, on: &mut SqliteConnection) -> Result<u64> {
    Ok(sqlx::query_with(sql.sqlite, sqlite_arguments(args)?).execute(on).await?.rows_affected())
}

async fn pg_fetch(sql: Sql, args: Vec<Arg>, on: &mut PgConnection) -> Result<Vec<Row>> {
    let rows = answered(sqlx::query_with(sql.postgres, pg_arguments(args)?).fetch_all(on)).await?;
    Ok(rows.into_iter().map(Row::Postgres).collect())
}

async fn pg_execute(sql: Sql, args: Vec<Arg>, on: &mut PgConnection) -> Result<u64> {
    Ok(answered(sqlx::query_with(sql.postgres, pg_arguments(args)?).execute(on)).await?.rows_affected())
}

/// A connection may have died unseen while it rested. What only reads is then asked once more, on a
/// fresh one; what writes is not, since it may have been done.
async fn pg_pooled(pool: &PgPool, sql: Sql, args: Vec<Arg>) -> Result<Vec<Row>> {
    if reads(sql.postgres) {
        match pg_once(pool, sql, args.clone()).await {
            Err(StoreError::Unavailable(_)) => {}
            answer => return answer,
        }
    }
    pg_once(pool, sql, args).await
}

async fn pg_once(pool: &PgPool, sql: Sql, args: Vec<Arg>) -> Result<Vec<Row>> {
    let mut held = pool.acquire().await?;
    let answer = pg_fetch(sql, args, &mut held.connection).await;
    finish(pool, held, answer)
}

async fn pg_pooled_execute(pool: &PgPool, sql: Sql, args: Vec<Arg>) -> Result<u64> {
    let mut held = pool.acquire().await?;
    let answer = pg_execute(sql, args, &mut held.connection).await;
    finish(pool, held, answer)
}

fn finish<T>(pool: &PgPool, held: Held, answer: Result<T>) -> Result<T> {
    match answer {
        Err(StoreError::Unavailable(_)) => pool.forget_idle(),
        _ => held.give_back(),
    }
    answer
}
