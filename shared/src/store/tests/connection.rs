use super::fixture::*;
use crate::domain::ids::SessionId;
use crate::on_both;
use crate::store::db::query;
use crate::store::{Db, Options, StoreError, sessions};
use crate::testing::databases;
use std::time::Duration;

#[tokio::test]
async fn no_error_tells_the_password() {
    let options = Options { max_connections: 1, acquire_timeout: Duration::from_secs(2) };
    for url in [
        "postgres://user:s3cret@127.0.0.1:1/db",
        "postgres://user:s3cret@127.0.0.1:notaport/db",
        "mysql://user:s3cret@127.0.0.1/db",
        "sqlite:///no/such/folder/s3cret.db",
        "postgres://user:s3cret@no-such-host.invalid/db",
    ] {
        let error = Db::connect(url, &options).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_away_is_unavailable() {
    let options = Options { max_connections: 1, acquire_timeout: Duration::from_secs(2) };
    let error = Db::connect("postgres://u:p@127.0.0.1:1/db", &options).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
}

on_both!(a_transaction_that_is_dropped_never_was, |db| async {
    agent(db, TENANT).await;
    let session = SessionId::generate();
    accept(db, &turn(session, "x")).await;
    for end in ["drop", "rollback", "commit"] {
        let mut tx = db.begin().await.unwrap();
        let rename = query("UPDATE netaclaw_session SET title = $1").bind(end);
        assert_eq!(rename.execute(&mut tx).await.unwrap(), 1);
        match end {
            "drop" => drop(tx),
            "rollback" => tx.rollback().await.unwrap(),
            _ => tx.commit().await.unwrap(),
        }
        let title = sessions::find(db, TENANT, session).await.unwrap().unwrap().title;
        assert_eq!(title, if end == "commit" { "commit" } else { "x" });
    }
});

on_both!(a_full_pool_is_unavailable_in_time, |db| async {
    let options = Options { max_connections: 1, acquire_timeout: Duration::from_secs(1) };
    let small = Db::connect(db.url(), &options).await.unwrap();
    let held = small.begin().await.unwrap();
    assert!(matches!(small.begin().await, Err(StoreError::Unavailable(_))));
    held.rollback().await.unwrap();
    small.begin().await.unwrap().rollback().await.unwrap();
    small.close().await;
    assert!(matches!(small.begin().await, Err(StoreError::Unavailable(_))));
});

/// Ends every connection of the database but the one that asks.
async fn cut(db: &Db) {
    let cut = query(
        "SELECT COUNT(pg_terminate_backend(pid, 5000)) AS n FROM pg_stat_activity \
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    cut.all(db).await.unwrap();
}

#[tokio::test]
async fn a_read_survives_the_loss_of_every_connection() {
    let db = databases::postgres().await;
    let other = Db::connect(db.url(), &Options::default()).await.unwrap();
    let mut pings = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let db = (*db).clone();
        pings.spawn(async move { db.ping().await });
    }
    pings.join_all().await;
    cut(&other).await;
    db.ping().await.unwrap();
    // A write is not repeated, but the one after it finds a fresh connection.
    cut(&other).await;
    let write = async || query("UPDATE netaclaw_sweep SET swept_at = swept_at").execute(&*db).await;
    assert!(matches!(write().await, Err(StoreError::Unavailable(_))));
    assert_eq!(write().await.unwrap(), 1);
}

#[tokio::test]
async fn statements_are_prepared_once_and_relaxed_work_does_not_wait_for_the_disk() {
    let db = databases::postgres().await;
    for _ in 0..3 {
        db.ping().await.unwrap();
    }
    let prepared = query("SELECT COUNT(*) AS n FROM pg_prepared_statements WHERE statement = 'SELECT 1'");
    assert_eq!(prepared.one(&*db).await.unwrap().get::<i64>("n").unwrap(), 1);
    let setting = || query("SELECT current_setting('synchronous_commit') AS s");
    assert_eq!(setting().one(&*db).await.unwrap().get::<String>("s").unwrap(), "on");
    assert_eq!(setting().one(db.relaxed()).await.unwrap().get::<String>("s").unwrap(), "off");
}

#[tokio::test]
async fn sqlite_waits_for_the_disk_except_in_relaxed_work() {
    let db = databases::sqlite().await;
    let mode = query("PRAGMA synchronous").one(db.relaxed()).await.unwrap();
    assert_eq!(mode.get::<i64>("synchronous").unwrap(), 1);
    let mut tx = db.begin().await.unwrap();
    let read = async |tx: &mut _, sql: &'static str, column: &str| {
        query(sql).one(tx).await.unwrap().get::<i64>(column).unwrap()
    };
    assert_eq!(read(&mut tx, "PRAGMA synchronous", "synchronous").await, 2);
    assert_eq!(read(&mut tx, "PRAGMA foreign_keys", "foreign_keys").await, 1);
    let mode = query("PRAGMA journal_mode").one(&mut tx).await.unwrap().get::<String>("journal_mode");
    assert_eq!(mode.unwrap(), "wal");
}
