//! What a cluster stands on: a database of its own, a prefix in the shared Redis, or a private Redis
//! for tests that kill it.

use super::process::free_port;
use super::wait::eventually;
use shared::store::db::query;
use shared::store::{Db, Options};
use shared::testing::databases::{self, TestDb};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A variable of the test run, or a built-in value.
fn setting(name: &str, default: &str) -> String {
    std::env::var_os(name).and_then(|v| v.into_string().ok()).unwrap_or_else(|| default.to_owned())
}

/// Whether the long form of the drills was asked for.
pub fn long_drill() -> bool {
    setting("NETA_DRILL", "") == "long"
}

fn leak(sql: String) -> &'static str {
    Box::leak(sql.into_boxed_str())
}

/// A database of one test.
#[derive(Debug)]
pub struct Database {
    /// Where it is reached.
    pub url: String,
    file: Option<Db>,
    server: Option<TestDb>,
}

impl Database {
    /// A file that the first process makes.
    pub fn sqlite(file: &Path) -> Self {
        Self { url: format!("sqlite://{}", file.display()), file: None, server: None }
    }

    /// A new database on the server of the tests.
    pub async fn postgres() -> Self {
        let server = databases::postgres().await;
        Self { url: server.url().to_owned(), file: None, server: Some(server) }
    }

    /// `postgres://USER@`, `HOST:PORT`, `/NAME`.
    fn parts(&self) -> (&str, &str, &str) {
        let authority = self.url.find("://").map_or(0, |at| at + 3);
        let host = self.url.rfind('@').map_or(authority, |at| at + 1);
        let path = self.url.rfind('/').unwrap_or(self.url.len());
        let part = |from: usize, to: usize| self.url.get(from..to).unwrap_or_default();
        (part(0, host), part(host, path), part(path, self.url.len()))
    }

    /// HOST:PORT of the server, for a proxy in front of it.
    pub fn address(&self) -> String {
        self.parts().1.to_owned()
    }

    /// The same database behind another address.
    pub fn url_via(&self, port: u16) -> String {
        let (user, _, name) = self.parts();
        format!("{user}127.0.0.1:{port}{name}")
    }

    /// Opens it for the test's own looks, once it is there.
    pub async fn open(&mut self) {
        if self.server.is_none() {
            let options = Options { max_connections: 2, ..Options::default() };
            self.file = Some(Db::connect(&self.url, &options).await.expect("the file opens"));
        }
    }

    /// The test's own connection.
    pub fn db(&self) -> &Db {
        self.file.as_ref().or(self.server.as_deref()).expect("opened")
    }

    /// A statement's rows, each as its one text column `x`.
    pub async fn texts(&self, sql: impl Into<String>) -> Vec<String> {
        let rows = query(leak(sql.into())).all(self.db()).await.expect("the statement is right");
        rows.iter()
            .map(|r| r.get::<Option<String>>("x").expect("column x is text").unwrap_or_default())
            .collect()
    }

    /// A statement's one number `x`.
    pub async fn count(&self, sql: impl Into<String>) -> i64 {
        let row = query(leak(sql.into())).one(self.db()).await.expect("the statement is right");
        row.get("x").expect("column x is a number")
    }

    /// Every row of every table as text.
    pub async fn dump(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for table in self.tables().await {
            for row in self.texts(self.rows_as_text(&table).await).await {
                all.push((table.clone(), row));
            }
        }
        all
    }

    async fn tables(&self) -> Vec<String> {
        self.texts(match self.db() {
            Db::Sqlite(_) => {
                "SELECT name AS x FROM sqlite_master WHERE type = 'table' AND name LIKE 'netaclaw_%'"
            }
            Db::Postgres(_) => {
                "SELECT CAST(table_name AS text) AS x FROM information_schema.tables
                 WHERE table_name LIKE 'netaclaw_%'"
            }
        })
        .await
    }

    async fn rows_as_text(&self, table: &str) -> String {
        match self.db() {
            Db::Postgres(_) => format!("SELECT CAST(t AS text) AS x FROM {table} t"),
            Db::Sqlite(_) => {
                let columns = self.texts(format!("SELECT name AS x FROM pragma_table_info('{table}')")).await;
                let joined: Vec<String> =
                    columns.iter().map(|c| format!("COALESCE(CAST({c} AS TEXT), '')")).collect();
                format!("SELECT {} AS x FROM {table}", joined.join(" || ' ' || "))
            }
        }
    }
}

/// Redis for one test: a prefix on the shared one, or a server of its own.
#[derive(Debug)]
pub struct Redis {
    /// HOST:PORT.
    pub address: String,
    /// What every key begins with.
    pub prefix: String,
    /// The server, where it is private.
    pub server: Option<RedisServer>,
}

impl Redis {
    /// A prefix of its own on the Redis of the tests.
    pub fn shared() -> Self {
        let url = setting("NETA_TEST_REDIS_URL", "redis://127.0.0.1:6379");
        let address = url.trim_start_matches("redis://").trim_end_matches('/').to_owned();
        let prefix = format!("it-{}", uuid::Uuid::now_v7().simple());
        Self { address, prefix, server: None }
    }

    /// A server that the test may kill.
    pub async fn private(folder: &Path) -> Self {
        let server = RedisServer::start(folder).await;
        Self { address: format!("127.0.0.1:{}", server.port), prefix: "it".into(), server: Some(server) }
    }

    fn connection(&self) -> Option<redis::Connection> {
        let client = redis::Client::open(format!("redis://{}", self.address)).ok()?;
        client.get_connection_with_timeout(Duration::from_secs(2)).ok()
    }

    /// The keys of this test.
    pub fn keys(&self) -> Vec<String> {
        let mut connection = self.connection().expect("Redis answers");
        let (mut cursor, mut keys) = (0_u64, Vec::new());
        loop {
            let (next, some): (u64, Vec<String>) = redis::cmd("SCAN")
                .arg(cursor)
                .arg("MATCH")
                .arg(format!("{}*", self.prefix))
                .arg("COUNT")
                .arg(1000)
                .query(&mut connection)
                .expect("SCAN");
            keys.extend(some);
            cursor = next;
            if cursor == 0 {
                return keys;
            }
        }
    }

    /// The keys of this test with what they hold, as text.
    pub fn dump(&self) -> Vec<(String, String)> {
        let mut connection = self.connection().expect("Redis answers");
        let mut all = Vec::new();
        for key in self.keys() {
            let kind: String = redis::cmd("TYPE").arg(&key).query(&mut connection).expect("TYPE");
            let read = match kind.as_str() {
                "string" => redis::cmd("GET").arg(&key).clone(),
                "list" => redis::cmd("LRANGE").arg(&key).arg(0).arg(-1).clone(),
                "hash" => redis::cmd("HGETALL").arg(&key).clone(),
                "set" => redis::cmd("SMEMBERS").arg(&key).clone(),
                "zset" => redis::cmd("ZRANGE").arg(&key).arg(0).arg(-1).clone(),
                "stream" => redis::cmd("XRANGE").arg(&key).arg("-").arg("+").clone(),
                // Gone meanwhile.
                _ => continue,
            };
            let held: redis::Value = read.query(&mut connection).expect("an answer");
            all.push((key, format!("{held:?}")));
        }
        all
    }

    /// Forgets everything of this test, as a flush of its Redis would.
    pub fn forget_all(&self) {
        let keys = self.keys();
        if let Some(mut connection) = self.connection()
            && !keys.is_empty()
        {
            let _: Result<i64, _> = redis::cmd("DEL").arg(keys).query(&mut connection);
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        if self.server.is_none() && self.connection().is_some() {
            self.forget_all();
        }
    }
}

/// A Redis of one test.
#[derive(Debug)]
pub struct RedisServer {
    /// Where it listens.
    pub port: u16,
    folder: PathBuf,
    child: Option<Child>,
}

impl RedisServer {
    /// Starts it; it keeps nothing on disk, as a cache in the field would not.
    pub async fn start(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("a folder");
        let mut server = Self { port: free_port(), folder: folder.to_owned(), child: None };
        server.begin().await;
        server
    }

    /// Starts it again after a kill.
    pub async fn begin(&mut self) {
        let child = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port"])
            .arg(self.port.to_string())
            .arg("--dir")
            .arg(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("redis-server starts");
        self.child = Some(child);
        let url = format!("redis://127.0.0.1:{}", self.port);
        eventually("Redis answers", Duration::from_secs(10), async || {
            let client = redis::Client::open(url.as_str()).expect("a URL");
            client.get_connection_with_timeout(Duration::from_millis(200)).is_ok()
        })
        .await;
    }

    /// kill -9.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}
