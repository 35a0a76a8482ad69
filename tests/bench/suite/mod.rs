//! The parts of the bench, and the order in which they are measured. Used by the example `bench` and
//! by one test, so that it stays whole; neither judges speed.

mod backlog;
mod client;
mod cpu;
mod floors;
mod load;
mod machine;
mod model;
mod neta;
mod paths;
mod redis;
mod report;
mod samples;
mod sockets;

use anyhow::Context;
use client::Client;
use cpu::Meter;
use floors::Floors;
use model::Model;
use neta::{Folder, Neta, Role};
use redis::Redis;
use report::Report;
use shared::testing::databases::{self, TestDb};
use std::path::PathBuf;

/// What is measured, and on which Redis. Postgres is the one of the other tests.
#[derive(Debug)]
pub struct Places {
    /// The binary.
    pub neta: PathBuf,
    /// A Redis; everything goes under a prefix of its own.
    pub redis: String,
}

/// How much of each is measured.
#[derive(Debug, Clone, Copy)]
pub struct Counts {
    floors: usize,
    turns: usize,
    streams: usize,
    tokens: usize,
    clients: usize,
    turns_each: usize,
    sockets: usize,
    waiting: usize,
    posts: usize,
}

impl Counts {
    /// `long` for figures, `short` for a look, `least` for a test that only runs everything.
    pub fn of_form(form: &str) -> Option<Self> {
        let (floors, turns, streams, tokens, clients, turns_each, sockets, waiting, posts) = match form {
            "long" => (2_000, 1_000, 20, 50, 64, 100, 2_000, 100_000, 500),
            "short" => (300, 150, 4, 50, 64, 8, 500, 5_000, 100),
            "least" => (10, 4, 1, 5, 4, 4, 20, 60, 5),
            _ => return None,
        };
        Some(Self { floors, turns, streams, tokens, clients, turns_each, sockets, waiting, posts })
    }
}

/// Measures everything, unless `asked_to_end` comes first. Processes, database, keys and files that
/// it made are gone afterwards.
pub async fn run(
    places: &Places,
    counts: &Counts,
    tell: &(dyn Fn(&str) + Sync),
    asked_to_end: impl Future<Output = ()>,
) -> anyhow::Result<Report> {
    // A test in the same process may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let redis = Redis::connect(&places.redis).await?;
    let outcome = tokio::select! {
        outcome = measure(places, counts, tell, &redis) => outcome,
        () = asked_to_end => Err(anyhow::anyhow!("asked to end")),
    };
    redis.clear().await?;
    outcome
}

async fn measure(
    places: &Places,
    counts: &Counts,
    tell: &(dyn Fn(&str) + Sync),
    redis: &Redis,
) -> anyhow::Result<Report> {
    anyhow::ensure!(places.neta.is_file(), "no binary at {}", places.neta.display());
    let database = databases::postgres().await;
    let mut report = Report::new(machine::describe(&database, redis).await?);
    let model = Model::start().await?;
    let folder = Folder::make()?;
    tell("floors");
    let floors = Floors::measure(counts.floors, &database, redis, &folder).await?;
    floors.tell(&mut report);
    cluster(places, counts, tell, redis, &database, &model, &folder, &floors, &mut report).await?;
    standalone(places, counts, tell, &model, &folder, &floors, &mut report).await?;
    Ok(report)
}

#[expect(clippy::too_many_arguments, reason = "everything that was made so far")]
async fn cluster(
    places: &Places,
    counts: &Counts,
    tell: &(dyn Fn(&str) + Sync),
    redis: &Redis,
    database: &TestDb,
    model: &Model,
    folder: &Folder,
    floors: &Floors,
    report: &mut Report,
) -> anyhow::Result<()> {
    let env = [
        ("NETA_DATABASE_URL", database.url()),
        ("NETA_REDIS_URL", redis.url()),
        ("NETA_REDIS_PREFIX", redis.prefix()),
    ];
    let start = |role, name| Neta::start(&places.neta, role, &env, folder, name);
    let (mut api, mut worker) = (start(Role::Api, "api")?, start(Role::Worker, "worker")?);
    api.ready().await?;
    let mut client = Client::new(api.base())?;
    client.furnish(&model.base_url()).await?;
    client.turn("a first turn, which is not measured").await.context("the first turn of the cluster")?;

    report.section("Cluster: one api, one worker, Postgres, Redis");
    tell("cluster: from POST to the provider, from token to client");
    paths::measure(counts, &client).await?.tell(report, &floors.cluster_post(), &floors.cluster_token());
    tell("cluster: turns per second");
    let meter = Meter {
        processes: vec![("api", api.pid()), ("worker", worker.pid())],
        postgres: Some((**database).clone()),
        redis: Some(redis.clone()),
    };
    let load = load::measure(counts, &client, &meter).await?;
    load.tell(report, floors.postgres_rate);
    api.stop().await?;

    tell("cluster: idle sockets");
    // A process without a past: memory that it freed would hide what a socket takes.
    let mut api = start(Role::Api, "api-sockets")?;
    api.ready().await?;
    sockets::measure(counts.sockets, &api, &load.sessions).await?.tell(report);
    worker.stop().await?;
    api.stop().await?;

    tell("cluster: waiting runs");
    let mut api = start(Role::Api, "api-backlog")?;
    api.serves().await?;
    client.moved_to(api.base());
    backlog::measure(counts, &client, database, redis).await?.tell(report);
    api.stop().await
}

async fn standalone(
    places: &Places,
    counts: &Counts,
    tell: &(dyn Fn(&str) + Sync),
    model: &Model,
    folder: &Folder,
    floors: &Floors,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut up = Neta::start(&places.neta, Role::Up, &[], folder, "up")?;
    up.ready().await?;
    let mut client = Client::new(up.base())?;
    client.furnish(&model.base_url()).await?;
    client.turn("a first turn, which is not measured").await.context("the first turn of the standalone")?;
    report.section("Standalone: neta up, SQLite");
    tell("standalone: from POST to the provider, from token to client");
    paths::measure(counts, &client).await?.tell(
        report,
        &floors.standalone_post(),
        &floors.standalone_token(),
    );
    tell("standalone: turns per second");
    let meter = Meter { processes: vec![("neta", up.pid())], postgres: None, redis: None };
    load::measure(counts, &client, &meter).await?.tell(report, floors.sqlite_rate);
    up.stop().await
}
