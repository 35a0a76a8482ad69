//! A fresh, migrated database for each test.
//!
//! SQLite is a copy of a migrated file, Postgres a copy of a template database; both are named by the
//! migrations' checksum and made by whichever test comes first.

use crate::clock::{Clock, SystemClock};
use crate::store::db::{Sql, query};
use crate::store::{Db, On, Options, migrations};
use std::ops::Deref;
use std::path::{Path, PathBuf};

/// A database of one test; removed when dropped.
#[derive(Debug)]
pub struct TestDb {
    db: Db,
    url: String,
    remains: Remains,
}

#[derive(Debug)]
enum Remains {
    Folder(PathBuf),
    Database { admin_url: String, name: String },
}

impl Deref for TestDb {
    type Target = Db;
    fn deref(&self) -> &Db {
        &self.db
    }
}

impl<'a> From<&'a TestDb> for On<'a> {
    fn from(db: &'a TestDb) -> Self {
        Self::Db(&db.db)
    }
}

impl TestDb {
    /// Where it is: for processes that a test starts.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TestDb {
    fn drop(&mut self) {
        match &self.remains {
            Remains::Folder(folder) => drop(std::fs::remove_dir_all(folder)),
            Remains::Database { admin_url, name } => {
                let (admin_url, name) = (admin_url.clone(), name.clone());
                // The test's own runtime may be gone or is busy with this very drop.
                let dropped = std::thread::spawn(move || {
                    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                    if let Ok(runtime) = runtime {
                        runtime.block_on(drop_database(&admin_url, &name));
                    }
                });
                drop(dropped.join());
            }
        }
    }
}

async fn drop_database(admin_url: &str, name: &str) {
    if let Ok(admin) = Db::connect(admin_url, &OPTIONS).await {
        // What stays behind is removed by a later test.
        drop(admin.run_raw(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await);
    }
}

const OPTIONS: Options = Options { max_connections: 8, acquire_timeout: std::time::Duration::from_secs(20) };

/// A fresh SQLite file.
pub async fn sqlite() -> TestDb {
    let base = std::env::temp_dir().join("neta-test");
    std::fs::create_dir_all(&base).expect("temporary folder");
    let template = base.join(format!("template-{}.db", migrations::checksum()));
    if !template.exists() {
        make_sqlite_template(&base, &template).await;
    }
    let folder = base.join(uuid::Uuid::now_v7().to_string());
    std::fs::create_dir(&folder).expect("folder of the test");
    let file = folder.join("neta.db");
    std::fs::copy(&template, &file).expect("copy of the template");
    let url = format!("sqlite://{}", file.display());
    let db = Db::connect(&url, &OPTIONS).await.expect("SQLite opens");
    TestDb { db, url, remains: Remains::Folder(folder) }
}

async fn make_sqlite_template(base: &Path, template: &Path) {
    let draft = base.join(format!("draft-{}.db", uuid::Uuid::now_v7()));
    let db = Db::connect(&format!("sqlite://{}", draft.display()), &OPTIONS).await.expect("SQLite opens");
    migrations::migrate(&db).await.expect("migrations run");
    // Closing moves the write-ahead log into the file.
    db.close().await;
    std::fs::rename(&draft, template).expect("template in place");
}

/// Where the tests' Postgres is: `NETA_TEST_POSTGRES_URL`, by default the local one.
#[expect(clippy::disallowed_methods, reason = "tests have no configuration file")]
pub fn postgres_url() -> String {
    std::env::var("NETA_TEST_POSTGRES_URL")
        .unwrap_or_else(|_| "postgres://postgres@127.0.0.1:5432/postgres".to_owned())
}

/// A fresh Postgres database. Panics with advice if the server does not answer.
pub async fn postgres() -> TestDb {
    let admin_url = postgres_url();
    let admin = Db::connect(&admin_url, &OPTIONS).await.unwrap_or_else(|e| {
        panic!("the tests need Postgres: set NETA_TEST_POSTGRES_URL to a superuser's address ({e})")
    });
    let template = format!("neta_template_{}", migrations::checksum());
    if !exists(&admin, &template).await {
        make_postgres_template(&admin, &admin_url, &template).await;
    }
    remove_old(&admin).await;
    let name = format!("neta_test_{}_{}", SystemClock.now().timestamp(), uuid::Uuid::new_v4().simple());
    admin.run_raw(format!("CREATE DATABASE {name} TEMPLATE {template}")).await.expect("copy of the template");
    let url = with_database(&admin_url, &name);
    let db = Db::connect(&url, &OPTIONS).await.expect("the copy opens");
    TestDb { db, url, remains: Remains::Database { admin_url, name } }
}

fn with_database(url: &str, name: &str) -> String {
    let mut url = url::Url::parse(url).expect("NETA_TEST_POSTGRES_URL is an address");
    url.set_path(name);
    url.into()
}

async fn exists(admin: &Db, name: &str) -> bool {
    let found = query("SELECT datname FROM pg_database WHERE datname = $1").bind(name);
    found.optional(admin).await.expect("Postgres answers").is_some()
}

async fn make_postgres_template(admin: &Db, admin_url: &str, template: &str) {
    let mut lock = admin.begin().await.expect("Postgres answers");
    query("SELECT pg_advisory_xact_lock(7235417)").execute(&mut lock).await.expect("the lock");
    if !exists(admin, template).await {
        let draft = format!("neta_test_{}_draft", SystemClock.now().timestamp());
        admin.run_raw(format!("DROP DATABASE IF EXISTS {draft} WITH (FORCE)")).await.expect("no draft");
        admin.run_raw(format!("CREATE DATABASE {draft}")).await.expect("a draft");
        let db = Db::connect(&with_database(admin_url, &draft), &OPTIONS).await.expect("the draft opens");
        migrations::migrate(&db).await.expect("migrations run");
        db.close().await;
        drop(db);
        // A database can't be renamed or copied while somebody is connected, and a connection that was
        // closed takes a moment to be gone.
        let gone = query(Sql::from(
            "SELECT COUNT(pg_terminate_backend(pid, 5000)) AS n FROM pg_stat_activity WHERE datname = $1",
        ));
        gone.bind(draft.as_str()).all(admin).await.expect("nobody is connected");
        admin
            .run_raw(format!("ALTER DATABASE {draft} RENAME TO {template}"))
            .await
            .expect("template in place");
    }
    lock.rollback().await.expect("the lock is free");
}

/// Databases of tests that were killed, more than an hour ago.
async fn remove_old(admin: &Db) {
    let before = format!("neta_test_{}", SystemClock.now().timestamp() - 3600);
    let old = query("SELECT datname FROM pg_database WHERE datname LIKE 'neta\\_test\\_%' AND datname < $1");
    for row in old.bind(before).all(admin).await.unwrap_or_default() {
        if let Ok(name) = row.get::<String>("datname") {
            drop(admin.run_raw(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await);
        }
    }
}

/// Makes two tests of one body, on a fresh database each: `on_both!(name, |db| async { … })`, with
/// `db: &TestDb`.
#[macro_export]
macro_rules! on_both {
    ($name:ident, |$db:ident| async $body:block) => {
        mod $name {
            #[allow(unused_imports, clippy::allow_attributes, reason = "depends on the body")]
            use super::*;

            async fn body($db: &$crate::testing::databases::TestDb) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                body(&$crate::testing::databases::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                body(&$crate::testing::databases::postgres().await).await;
            }
        }
    };
}
