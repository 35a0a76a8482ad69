//! The parts of the bench, and the order in which they are measured. Used by the example `bench` and
//! by one test, so that it stays whole; neither judges speed.

mod backlog;
mod client;
mod cpu;
mod delegation;
mod floors;
mod load;
mod machine;
mod model;
mod neta;
mod paths;
mod redis;
mod report;
mod samples;
mod scaling;
mod sockets;

use anyhow::Context;
use client::Client;
use cpu::Meter;
use floors::Floors;
use load::Kind;
use model::Model;
use neta::{Folder, Neta, Role};
use redis::Redis;
use report::Report;
use shared::testing::databases::{self, TestDb};
use std::path::PathBuf;
use std::time::Duration;

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
    /// Turns with three subagents, one after the other, and by each of the clients.
    fan_outs: usize,
    fan_outs_each: usize,
    /// Batches of nine, and what eight of them wait for their models; the other one nine times as long.
    batches: usize,
    short_wait: Duration,
    /// Slots of each worker that is bound by the model, and how often all of them are used.
    slots: usize,
    rounds: usize,
    sockets: usize,
    waiting: usize,
    posts: usize,
}

impl Counts {
    /// `long` for figures, `short` for a look, `least` for a test that only runs everything.
    pub fn of_form(form: &str) -> Option<Self> {
        let long = Self {
            floors: 2_000,
            turns: 1_000,
            streams: 20,
            tokens: 50,
            clients: 64,
            turns_each: 100,
            fan_outs: 200,
            fan_outs_each: 25,
            batches: 20,
            short_wait: Duration::from_millis(100),
            slots: 8,
            rounds: 20,
            sockets: 2_000,
            waiting: 100_000,
            posts: 500,
        };
        let short = Self {
            floors: 300,
            turns: 150,
            streams: 4,
            turns_each: 8,
            fan_outs: 40,
            fan_outs_each: 4,
            batches: 3,
            rounds: 6,
            sockets: 500,
            waiting: 5_000,
            posts: 100,
            ..long
        };
        let least = Self {
            floors: 10,
            turns: 4,
            streams: 1,
            tokens: 5,
            clients: 4,
            turns_each: 4,
            fan_outs: 2,
            fan_outs_each: 2,
            batches: 1,
            short_wait: Duration::from_millis(10),
            slots: 2,
            rounds: 1,
            sockets: 20,
            waiting: 60,
            posts: 5,
        };
        match form {
            "long" => Some(long),
            "short" => Some(short),
            "least" => Some(least),
            _ => None,
        }
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
    let load = load::measure(Kind::Turn, counts.clients, counts.turns_each, &client, &meter).await?;
    load.tell(report, floors.postgres_rate);
    tell("cluster: subagents");
    delegation::measure(counts, &client).await?.tell(report, &floors.cluster_fan_out());
    let fan_outs = load::measure(Kind::FanOut, counts.clients, counts.fan_outs_each, &client, &meter).await?;
    fan_outs.tell(report, floors.postgres_rate);
    api.stop().await?;

    tell("cluster: idle sockets");
    // A process without a past: memory that it freed would hide what a socket takes.
    let mut api = start(Role::Api, "api-sockets")?;
    api.ready().await?;
    sockets::measure(counts.sockets, &api, &load.sessions).await?.tell(report);
    worker.stop().await?;
    api.stop().await?;

    tell("cluster: one, two, four workers");
    let mut api = start(Role::Api, "api-scaling")?;
    api.serves().await?;
    client.moved_to(api.base());
    let slots = counts.slots.to_string();
    let few_slots: Vec<_> = env.into_iter().chain([("NETA_WORKER_SLOTS", slots.as_str())]).collect();
    let start_worker = |name: &str| Neta::start(&places.neta, Role::Worker, &few_slots, folder, name);
    scaling::measure(counts, &client, start_worker).await?.tell(report);
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
    let load = load::measure(Kind::Turn, counts.clients, counts.turns_each, &client, &meter).await?;
    load.tell(report, floors.sqlite_rate);
    tell("standalone: subagents");
    delegation::measure(counts, &client).await?.tell(report, &floors.standalone_fan_out());
    let fan_outs = load::measure(Kind::FanOut, counts.clients, counts.fan_outs_each, &client, &meter).await?;
    fan_outs.tell(report, floors.sqlite_rate);
    up.stop().await
}
