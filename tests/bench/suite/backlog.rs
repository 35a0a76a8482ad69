//! Whether accepting a message costs the same while very many runs wait: the POST, the push onto the
//! queue, and the sweep.

use super::Counts;
use super::client::Client;
use super::floors::timed;
use super::redis::Redis;
use super::report::{Floor, Report};
use super::samples::Spread;
use anyhow::{Context, bail, ensure};
use shared::clock::{Clock, SystemClock};
use shared::domain::access::Sender;
use shared::domain::ids::{RunId, SessionId, TenantId};
use shared::domain::jobs::Job;
use shared::domain::runs::Policy;
use shared::queue::{Queue, RedisQueue};
use shared::store::turns::{self, AcceptOutcome, AgentRef, NewTurn};
use shared::store::{Db, Options, runs};
use shared::testing::databases::TestDb;
use shared::wire::Wire;
use std::time::Duration;
use tokio::task::JoinSet;

/// The costs with few and with many runs in line.
#[derive(Debug)]
pub struct Backlog {
    waiting: usize,
    few: Costs,
    many: Costs,
}

#[derive(Debug)]
struct Costs {
    post: Spread,
    push: Spread,
    sweep: Spread,
}

/// Who fills the line at once.
const FILLERS: usize = 10;
/// What one sweep rings for at most.
const SWEEP: u32 = 5_000;
/// As configured if nothing else is said, in milliseconds.
const SWEEP_EVERY: Spread = Spread { p50: 5_000.0, p99: 5_000.0 };
/// More runs than a bench has: these ids mean no run.
const NO_RUN: i64 = 1 << 40;

/// No worker may be alive.
pub async fn measure(
    counts: &Counts,
    client: &Client,
    database: &TestDb,
    redis: &Redis,
) -> anyhow::Result<Backlog> {
    let queue = RedisQueue::new(Wire::open(redis.url(), redis.prefix())?);
    let few = costs(counts, client, database, &queue, 0).await?;
    fill(counts.waiting, database, &queue).await?;
    let depth = usize::try_from(queue.depth().await?)?;
    ensure!(depth >= counts.waiting, "{depth} jobs in line");
    let many = costs(counts, client, database, &queue, 1).await?;
    Ok(Backlog { waiting: counts.waiting, few, many })
}

async fn costs(
    counts: &Counts,
    client: &Client,
    db: &Db,
    queue: &RedisQueue,
    round: i64,
) -> anyhow::Result<Costs> {
    // First, since what follows waits to be swept. As a worker does it.
    let sweep = timed(counts.posts.min(20), async |_| {
        let due = runs::due(db, SystemClock.now(), Duration::ZERO, SWEEP).await?;
        Ok(queue.push(&due).await?)
    })
    .await?;
    let push = timed(counts.posts, async |number| {
        let run_id = RunId(NO_RUN + round * NO_RUN + i64::try_from(number)?);
        Ok(queue.push(&[Job { run_id, tenant_id: TenantId::FIRST, traceparent: None }]).await?)
    })
    .await?;
    let post = timed(counts.posts, async |_| client.enqueue("one more").await).await?;
    Ok(Costs { post, push, sweep })
}

/// Accepts runs as the API does, but without waiting for the disk, and rings for them.
async fn fill(count: usize, database: &TestDb, queue: &RedisQueue) -> anyhow::Result<()> {
    let mark = if database.url().contains('?') { '&' } else { '?' };
    let url = format!("{}{mark}options[synchronous_commit]=off", database.url());
    let db = Db::connect(&url, &Options::default()).await?;
    let mut fillers = JoinSet::new();
    for filler in 0..FILLERS {
        let (db, share) = (db.clone(), count / FILLERS + usize::from(filler < count % FILLERS));
        fillers.spawn(async move {
            let mut jobs = Vec::with_capacity(share);
            for _ in 0..share {
                jobs.push(accept(&db).await?);
            }
            anyhow::Ok(jobs)
        });
    }
    while let Some(jobs) = fillers.join_next().await {
        queue.push(&jobs??).await?;
    }
    db.close().await;
    // What autovacuum does within a minute.
    database.run_raw("ANALYZE".to_owned()).await.context("ANALYZE")
}

async fn accept(db: &Db) -> anyhow::Result<Job> {
    let turn = NewTurn {
        sender: Sender::of_tenant(TenantId::FIRST),
        told: None,
        session_id: SessionId::generate(),
        agent: AgentRef::Default,
        content: "one that waits".to_owned(),
        title: "one that waits".to_owned(),
        client_message_id: None,
        policy: Policy::Enqueue,
        replaces: None,
        traceparent: None,
        now: SystemClock.now(),
    };
    match turns::accept(db, &turn).await? {
        AcceptOutcome::Accepted(turn) => {
            Ok(Job { run_id: turn.run_id, tenant_id: TenantId::FIRST, traceparent: None })
        }
        other => bail!("a run was not accepted: {other:?}"),
    }
}

impl Backlog {
    pub fn tell(&self, report: &mut Report) {
        let Self { waiting, few, many } = self;
        let mut row = |name: &str, none: Spread, some: Spread| {
            let floor = Floor { name: "the same with none waiting", spread: none };
            report.spread(&format!("{name}, none waiting"), none, None);
            report.spread(&format!("{name}, {waiting} waiting"), some, Some(&floor));
        };
        row("POST with wait 0", few.post, many.post);
        row("push onto the queue", few.push, many.push);
        let every = Floor { name: "the time between two sweeps", spread: SWEEP_EVERY };
        report.spread("sweep, none waiting", few.sweep, Some(&every));
        report.spread(&format!("sweep, {waiting} waiting"), many.sweep, Some(&every));
    }
}
