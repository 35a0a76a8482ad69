//! What this machine takes for the steps that no design can avoid: an HTTP round trip, a commit, a
//! Redis round trip; each by itself, one after the other.

use super::client::http;
use super::model::Model;
use super::neta::Folder;
use super::redis::Redis;
use super::report::{Floor, Report};
use super::samples::{Samples, Spread};
use anyhow::ensure;
use shared::store::db::query;
use shared::store::{Db, Options};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// All of them.
#[derive(Debug)]
pub struct Floors {
    http: Spread,
    postgres: Spread,
    sqlite: Spread,
    redis: Spread,
    /// Commits a second by many writers at once.
    pub postgres_rate: f64,
    /// The same on SQLite, which has one writer.
    pub sqlite_rate: f64,
}

/// Writers at once: as many as Neta has connections by default.
const WRITERS: usize = 10;
const TABLE: &str = "CREATE TABLE bench_floor (id BIGINT NOT NULL, content TEXT NOT NULL)";
const INSERT: &str = "INSERT INTO bench_floor (id, content) VALUES ($1, $2)";
/// As long as a message often is.
const CONTENT: &str = "a message of some length, as people write them when they ask for something simple";

impl Floors {
    pub async fn measure(
        count: usize,
        postgres: &Db,
        redis: &Redis,
        folder: &Folder,
    ) -> anyhow::Result<Self> {
        let url = format!("sqlite://{}", folder.path().join("floor.db").display());
        let sqlite = Db::connect(&url, &Options::default()).await?;
        for db in [postgres, &sqlite] {
            db.run_raw(TABLE.to_owned()).await?;
        }
        Ok(Self {
            http: echoes(count).await?,
            postgres: commits(count, postgres).await?,
            sqlite: commits(count, &sqlite).await?,
            redis: timed(count, async |_| redis.round_trip().await).await?,
            postgres_rate: commit_rate(count, postgres).await?,
            sqlite_rate: commit_rate(count, &sqlite).await?,
        })
    }

    pub fn tell(&self, report: &mut Report) {
        report.section("Floors");
        report.spread("HTTP echo on loopback", self.http, None);
        report.spread("one INSERT committed by Postgres", self.postgres, None);
        report.spread("one INSERT committed by SQLite", self.sqlite, None);
        report.spread("one SET by Redis", self.redis, None);
        report.value("Postgres commits, ten writers", self.postgres_rate, "/s", None);
        report.value("SQLite commits, ten writers", self.sqlite_rate, "/s", None);
    }

    /// From POST to the provider's first request: in and out by HTTP, one commit, and the run goes
    /// through the queue.
    pub fn cluster_post(&self) -> Floor {
        let spread = Spread::sum([&self.http, &self.postgres, &self.redis, &self.redis]);
        Floor { name: "HTTP + commit + 2 Redis", spread }
    }

    /// From the provider's token to the client: in and out by HTTP, one script call.
    pub fn cluster_token(&self) -> Floor {
        Floor { name: "HTTP + Redis", spread: Spread::sum([&self.http, &self.redis]) }
    }

    pub fn standalone_post(&self) -> Floor {
        Floor { name: "HTTP + commit", spread: Spread::sum([&self.http, &self.sqlite]) }
    }

    /// What a turn with subagents at the same time can't do without: in and out by HTTP, five commits one
    /// after the other (the turn is accepted, claimed, waits; its subagents end; it ends), once through
    /// the queue, and what is told of the wait.
    pub fn cluster_fan_out(&self) -> Floor {
        let commits = [&self.postgres; 5].into_iter();
        let spread = Spread::sum(commits.chain([&self.redis; 3]).chain([&self.http]));
        Floor { name: "HTTP + 5 commits + 3 Redis", spread }
    }

    pub fn standalone_fan_out(&self) -> Floor {
        let spread = Spread::sum([&self.sqlite; 5].into_iter().chain([&self.http]));
        Floor { name: "HTTP + 5 commits", spread }
    }

    pub fn standalone_token(&self) -> Floor {
        Floor { name: "HTTP", spread: self.http }
    }
}

/// Times something done again and again.
pub async fn timed(count: usize, step: impl AsyncFn(usize) -> anyhow::Result<()>) -> anyhow::Result<Spread> {
    // Connections and prepared statements are there before it counts.
    for number in count..count + count.min(20) {
        step(number).await?;
    }
    let mut samples = Samples::default();
    for number in 0..count {
        let started = Instant::now();
        step(number).await?;
        samples.push(started.elapsed());
    }
    Ok(samples.spread())
}

async fn echoes(count: usize) -> anyhow::Result<Spread> {
    let (server, http) = (Model::start().await?, http()?);
    let body = serde_json::json!({"agentId": 1, "message": CONTENT, "wait": 25});
    timed(count, async |_| {
        let answer = http.post(server.echo_url()).json(&body).send().await?;
        ensure!(answer.status() == 200, "the echo: {}", answer.status());
        answer.json::<serde_json::Value>().await?;
        Ok(())
    })
    .await
}

async fn commits(count: usize, db: &Db) -> anyhow::Result<Spread> {
    timed(count, async |_| commit(db).await).await
}

async fn commit(db: &Db) -> anyhow::Result<()> {
    query(INSERT).bind(1).bind(CONTENT).execute(db).await?;
    Ok(())
}

async fn commit_rate(count: usize, db: &Db) -> anyhow::Result<f64> {
    let each = count.div_ceil(WRITERS);
    let started = Instant::now();
    let mut writers = JoinSet::new();
    for _ in 0..WRITERS {
        let db = db.clone();
        writers.spawn(async move {
            for _ in 0..each {
                commit(&db).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(written) = writers.join_next().await {
        written??;
    }
    Ok(rate(each * WRITERS, started.elapsed()))
}

/// So many a second.
pub fn rate(count: usize, within: Duration) -> f64 {
    count as f64 / within.as_secs_f64()
}
