//! The limits over all processes, on Redis and by its time. A model's keys stand on one shard.
//!
//! A model without limits is granted without asking Redis; so that it still honours a Retry-After,
//! each process keeps a mirror of them: told over a channel, and read whole after each connection.

use super::blocked::{Block, Blocks};
use super::time::Time;
use super::{
    Ask, Grant, LONGEST_BLOCK, Limits, LimitsError, PLACE_RETRY, Permit, RUNG_GRACE, WAITER_GRACE, blocked,
};
use crate::domain::ids::{ModelId, RunId};
use crate::domain::jobs::Job;
use crate::wire::{Ear, Wire, WireError};
use async_trait::async_trait;
use redis::{Script, ScriptInvocation};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

/// How long a model's keys are kept after their last use, in ms: longer than all that they say.
const KEEP: u64 = 600_000;

/// Limits on Redis, shared by all processes.
pub struct RedisLimits {
    wire: Wire,
    acquire: Script,
    release: Script,
    block: Script,
    blocks: Arc<Blocks>,
    time: Time,
    _mirror: AbortOnDropHandle<()>,
}

impl std::fmt::Debug for RedisLimits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisLimits").field("wire", &self.wire).finish_non_exhaustive()
    }
}

/// Hears of each Retry-After: `<model> <ms>`.
struct BlockEar {
    blocks: Arc<Blocks>,
    time: Time,
    reread: Arc<Notify>,
}

impl Ear for BlockEar {
    fn heard(&self, payload: &[u8]) {
        let text = String::from_utf8_lossy(payload);
        let Some((Ok(model), Ok(wait))) = text.split_once(' ').map(|(m, w)| (m.parse(), w.parse())) else {
            tracing::warn!("a message on the limits' channel that is none");
            return;
        };
        self.blocks.note(ModelId(model), Block::new(self.time.now(), wait, wait));
    }
    fn ready(&self) {
        self.reread.notify_one();
    }
    fn gap(&self) {
        self.reread.notify_one();
    }
}

impl RedisLimits {
    /// The limits of all processes that use the same Redis and prefix. Needs a tokio runtime.
    pub fn new(wire: Wire) -> Self {
        Self::with(wire, Time::start())
    }

    pub(super) fn with(wire: Wire, time: Time) -> Self {
        let blocks = Arc::new(Blocks::default());
        let reread = Arc::new(Notify::new());
        wire.hub().want(&channel(&wire), || {
            let (blocks, time, reread) = (Arc::clone(&blocks), time.clone(), Arc::clone(&reread));
            Arc::new(BlockEar { blocks, time, reread })
        });
        let mirror = tokio::spawn(mirror(wire.clone(), Arc::clone(&blocks), time.clone(), reread));
        Self {
            wire,
            acquire: Script::new(include_str!("acquire.lua")),
            release: Script::new(include_str!("release.lua")),
            block: Script::new(include_str!("block.lua")),
            blocks,
            time,
            _mirror: AbortOnDropHandle::new(mirror),
        }
    }

    fn key(&self, model: ModelId, name: &str) -> String {
        self.wire.key(format_args!("{{m{model}}}:{name}"))
    }

    fn call<'a>(&self, script: &'a Script, model: ModelId) -> ScriptInvocation<'a> {
        let mut call = script.prepare_invoke();
        for name in ["permits", "line", "waiters", "jobs", "rung", "calls", "state"] {
            call.key(self.key(model, name));
        }
        call.arg(self.time.for_scripts());
        call
    }
}

fn channel(wire: &Wire) -> String {
    wire.key(format_args!("blocked"))
}

/// All Retry-Afters in force: a set of `<model> <ms>` by the ms of Redis' time at which they end.
fn list(wire: &Wire) -> String {
    wire.key(format_args!("blocked:list"))
}

async fn mirror(wire: Wire, blocks: Arc<Blocks>, time: Time, reread: Arc<Notify>) {
    loop {
        reread.notified().await;
        match read_all(&wire, &blocks, &time).await {
            Ok(()) => {}
            // The connection breaks again, and with the next one this is rung again.
            Err(error) => tracing::warn!(%error, "blocked models are not known"),
        }
    }
}

async fn read_all(wire: &Wire, blocks: &Blocks, time: &Time) -> Result<(), WireError> {
    let mut both = redis::pipe();
    both.cmd("TIME").zrange_withscores(list(wire), 0, -1);
    let ((seconds, micros), entries): ((u64, u64), Vec<(String, f64)>) = wire.send_all(&both).await?;
    let now = seconds * 1_000 + micros / 1_000;
    for (entry, until) in entries {
        if let Some((Ok(model), Ok(length))) = entry.split_once(' ').map(|(m, w)| (m.parse(), w.parse()))
            && until as u64 > now
        {
            blocks.note(ModelId(model), Block::new(time.now(), until as u64 - now, length));
        }
    }
    Ok(())
}

#[async_trait]
impl Limits for RedisLimits {
    async fn acquire(&self, ask: Ask<'_>) -> Result<Grant, LimitsError> {
        if !ask.is_limited() {
            return Ok(match self.blocks.refuse(ask.model_id, self.time.now()) {
                Some(after) => Grant::Refused { after },
                None => Grant::Granted(ask.permit(0, 0)),
            });
        }
        let nonce: u64 = rand::random();
        let job = serde_json::to_string(ask.job).map_err(|e| LimitsError::Unavailable(e.to_string()))?;
        let limit = |limit: Option<u32>| limit.map(|l| l.to_string()).unwrap_or_default();
        let mut call = self.call(&self.acquire, ask.model_id);
        call.arg(nonce).arg(ask.job.run_id.0).arg(job);
        call.arg(limit(ask.max_concurrency)).arg(limit(ask.rpm)).arg(limit(ask.tpm));
        call.arg(ask.estimated_tokens).arg(Permit::LIFETIME.as_millis() as u64);
        call.arg(PLACE_RETRY + rand::random_range(0..PLACE_RETRY / 5));
        call.arg(WAITER_GRACE).arg(KEEP).arg(blocked::SPREAD);
        Ok(match self.wire.run(&call).await? {
            (1_u8, reserved) => Grant::Granted(ask.permit(reserved, nonce)),
            (_, wait) => Grant::Refused { after: Duration::from_millis(wait) },
        })
    }

    async fn release(&self, permit: Permit, used_tokens: u64) -> Result<Vec<Job>, LimitsError> {
        if !permit.counted {
            return Ok(Vec::new());
        }
        let mut call = self.call(&self.release, permit.model_id);
        call.arg(permit.nonce).arg(permit.reserved_tokens).arg(used_tokens).arg(RUNG_GRACE).arg("");
        let jobs: Vec<Vec<u8>> = self.wire.run(&call).await?;
        Ok(jobs.iter().filter_map(|job| serde_json::from_slice(job).ok()).collect())
    }

    async fn leave(&self, model_id: ModelId, run_id: RunId) -> Result<Vec<Job>, LimitsError> {
        let mut call = self.call(&self.release, model_id);
        call.arg("").arg(0).arg(0).arg(RUNG_GRACE).arg(run_id.0);
        let jobs: Vec<Vec<u8>> = self.wire.run(&call).await?;
        Ok(jobs.iter().filter_map(|job| serde_json::from_slice(job).ok()).collect())
    }

    async fn renew(&self, permits: &[Permit]) -> Result<(), LimitsError> {
        let counted: Vec<&Permit> = permits.iter().filter(|p| p.counted).collect();
        if counted.is_empty() {
            return Ok(());
        }
        let mut renew = redis::pipe();
        let until = self.server_now().await? + Permit::LIFETIME.as_millis() as u64;
        for permit in counted {
            let key = self.key(permit.model_id, "permits");
            renew.cmd("ZADD").arg(&key).arg("XX").arg(until).arg(permit.nonce).ignore();
            renew.pexpire(&key, KEEP as i64).ignore();
        }
        Ok(self.wire.send_all(&renew).await?)
    }

    async fn retry_after(&self, model_id: ModelId, wait: Duration) -> Result<(), LimitsError> {
        let wait = wait.min(LONGEST_BLOCK).as_millis() as u64;
        self.blocks.note(model_id, Block::new(self.time.now(), wait, wait));
        let mut call = self.block.key(self.key(model_id, "state"));
        call.arg(self.time.for_scripts()).arg(wait).arg(KEEP);
        let until: u64 = self.wire.run(&call).await?;
        let entry = format!("{model_id} {wait}");
        let list = list(&self.wire);
        let mut tell = redis::pipe();
        tell.cmd("ZREMRANGEBYSCORE").arg(&list).arg("-inf").arg(until - wait).ignore();
        tell.zadd(&list, &entry, until).ignore().pexpire(&list, KEEP as i64).ignore();
        tell.publish(channel(&self.wire), &entry).ignore();
        Ok(self.wire.send_all(&tell).await?)
    }
}

impl RedisLimits {
    async fn server_now(&self) -> Result<u64, LimitsError> {
        match &self.time {
            Time::Process(_) => {
                let (seconds, micros): (u64, u64) = self.wire.send(&redis::cmd("TIME")).await?;
                Ok(seconds * 1_000 + micros / 1_000)
            }
            #[cfg(test)]
            Time::Manual(_) => Ok(self.time.now()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::TenantId;
    use crate::wire::tests::{Proxy, random_prefix};
    use tokio::time::timeout;

    const LONG: Duration = Duration::from_secs(20);

    async fn ask(limits: &RedisLimits, run: i64, places: Option<u32>) -> Result<Grant, LimitsError> {
        let job = Job { run_id: RunId(run), tenant_id: TenantId(1), traceparent: None };
        let model_id = ModelId(1);
        let (rpm, tpm, estimated_tokens) = (None, None, 0);
        limits.acquire(Ask { model_id, job: &job, max_concurrency: places, rpm, tpm, estimated_tokens }).await
    }

    #[tokio::test]
    async fn processes_share_places_and_blocks() {
        let prefix = random_prefix();
        let proxy = Proxy::start().await;
        let here = RedisLimits::new(Wire::open(&proxy.url(), &prefix).unwrap());
        let there = RedisLimits::new(Wire::open(&proxy.url(), &prefix).unwrap());
        let Grant::Granted(permit) = ask(&here, 1, Some(1)).await.unwrap() else { panic!("refused") };
        assert!(matches!(ask(&there, 2, Some(1)).await.unwrap(), Grant::Refused { .. }));
        assert_eq!(here.release(permit, 0).await.unwrap()[0].run_id, RunId(2));
        there.wire.hub().confirmed(&channel(&there.wire)).await.unwrap();
        here.retry_after(ModelId(1), Duration::from_secs(30)).await.unwrap();
        assert!(matches!(ask(&there, 2, Some(1)).await.unwrap(), Grant::Refused { .. }));
        let told = async {
            while matches!(ask(&there, 2, None).await.unwrap(), Grant::Granted(_)) {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, told).await.expect("not told of the block");
        let later = RedisLimits::new(Wire::open(&proxy.url(), &prefix).unwrap());
        let read = async {
            while matches!(ask(&later, 2, None).await.unwrap(), Grant::Granted(_)) {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, read).await.expect("does not know of the block");
    }

    #[tokio::test]
    async fn without_redis_only_models_without_limits_go_on() {
        let proxy = Proxy::start().await;
        proxy.cut();
        let limits = RedisLimits::new(Wire::open(&proxy.url(), &random_prefix()).unwrap());
        assert!(matches!(ask(&limits, 1, None).await, Ok(Grant::Granted(_))));
        ask(&limits, 1, Some(5)).await.unwrap_err();
        limits.retry_after(ModelId(1), Duration::from_secs(30)).await.unwrap_err();
        assert!(matches!(ask(&limits, 1, None).await, Ok(Grant::Refused { .. })), "its own it knows");
    }
}
