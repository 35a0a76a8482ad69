//! The queue on Redis, for a cluster. A line a tenant, served in turn; a hash of the jobs in line,
//! which makes doubles visible and depth exact. All keys stand on one shard.

use super::{Queue, QueueError};
use crate::domain::ids::RunId;
use crate::domain::jobs::Job;
use crate::wire::{Ear, Wire};
use async_trait::async_trait;
use redis::Script;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// Jobs in one push call, so that a large sweep does not hold up the others.
const CHUNK: usize = 500;

/// Lines of jobs on Redis, shared by all processes.
pub struct RedisQueue {
    wire: Wire,
    keys: Keys,
    push: Script,
    pop: Script,
    wake: Arc<Notify>,
}

struct Keys {
    turns: String,
    jobs: String,
    turn: String,
    paused: String,
    line: String,
    wake: String,
}

impl std::fmt::Debug for RedisQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisQueue").field("wire", &self.wire).finish_non_exhaustive()
    }
}

/// Passes the wake channel's messages on to the process's fetcher.
struct Wake(Arc<Notify>);

impl Ear for Wake {
    fn heard(&self, _payload: &[u8]) {
        self.0.notify_one();
    }
    fn ready(&self) {
        self.0.notify_one();
    }
    fn gap(&self) {
        self.0.notify_one();
    }
}

impl RedisQueue {
    /// The queue of all processes that use the same Redis and prefix.
    pub fn new(wire: Wire) -> Self {
        let key = |name: &str| wire.key(format_args!("{{q}}:{name}"));
        let keys = Keys {
            turns: key("turns"),
            jobs: key("jobs"),
            turn: key("turn"),
            paused: key("paused"),
            line: key("line:"),
            wake: key("wake"),
        };
        let wake = Arc::new(Notify::new());
        wire.hub().want(&keys.wake, || Arc::new(Wake(Arc::clone(&wake))));
        Self {
            wire,
            keys,
            push: Script::new(include_str!("push.lua")),
            pop: Script::new(include_str!("pop.lua")),
            wake,
        }
    }

    /// Takes jobs out of line; true if there may be more behind entries that are none.
    async fn take(&self, max: usize, jobs: &mut Vec<Job>) -> Result<bool, QueueError> {
        let mut call = self.pop.prepare_invoke();
        call.key(&self.keys.turns).key(&self.keys.jobs).key(&self.keys.turn).key(&self.keys.paused);
        call.arg(max - jobs.len()).arg(&self.keys.line);
        let answer: Vec<redis::Value> = self.wire.run(&call).await?;
        let mut more = matches!(answer.first(), Some(redis::Value::Int(1)));
        for entry in answer.iter().skip(1) {
            let redis::Value::BulkString(json) = entry else { continue };
            match serde_json::from_slice(json) {
                Ok(job) => jobs.push(job),
                Err(error) => {
                    // It is out of line already, and stays out: its run, if any, is rung by the sweep.
                    tracing::error!(%error, "dropped a job that is none");
                    metrics::counter!("neta_queue_undecodable_total").increment(1);
                    more = true;
                }
            }
        }
        Ok(more)
    }
}

#[async_trait]
impl Queue for RedisQueue {
    async fn push(&self, jobs: &[Job]) -> Result<(), QueueError> {
        for chunk in jobs.chunks(CHUNK) {
            let mut call = self.push.prepare_invoke();
            call.key(&self.keys.turns).key(&self.keys.jobs).key(&self.keys.turn);
            call.arg(&self.keys.line).arg(&self.keys.wake);
            for job in chunk {
                let json = serde_json::to_string(job).map_err(|e| QueueError::Unavailable(e.to_string()))?;
                call.arg(job.run_id.0).arg(job.tenant_id.0).arg(json);
            }
            self.wire.run::<()>(&call).await?;
        }
        Ok(())
    }

    async fn pop(&self, max: usize) -> Result<Vec<Job>, QueueError> {
        let mut jobs = Vec::new();
        while jobs.len() < max && self.take(max, &mut jobs).await? {}
        if !jobs.is_empty() && jobs.len() == max {
            // One message wakes one fetcher of the process, which may not have had room for all.
            self.wake.notify_one();
        }
        Ok(jobs)
    }

    async fn wait(&self, at_most: Duration) {
        let _either_way_the_caller_looks = tokio::time::timeout(at_most, self.wake.notified()).await;
    }

    async fn depth(&self) -> Result<u64, QueueError> {
        Ok(self.wire.send(redis::cmd("HLEN").arg(&self.keys.jobs)).await?)
    }

    async fn set_paused(&self, paused: bool) -> Result<(), QueueError> {
        let mut pipe = redis::pipe();
        if paused {
            pipe.set(&self.keys.paused, 1).ignore();
        } else {
            pipe.del(&self.keys.paused).ignore().publish(&self.keys.wake, "").ignore();
        }
        Ok(self.wire.send_all(&pipe).await?)
    }

    async fn remove(&self, run_id: RunId) -> Result<(), QueueError> {
        Ok(self.wire.send(redis::cmd("HDEL").arg(&self.keys.jobs).arg(run_id.0)).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::TenantId;

    pub(crate) fn job(run: i64, tenant: i64) -> Job {
        Job { run_id: RunId(run), tenant_id: TenantId(tenant), traceparent: None }
    }

    #[tokio::test]
    async fn an_entry_that_is_no_job_is_dropped_and_the_next_is_served() {
        let queue = RedisQueue::new(Wire::for_tests());
        queue.push(&[job(1, 1), job(2, 1)]).await.unwrap();
        let poison = redis::cmd("HSET").arg(&queue.keys.jobs).arg(1).arg("{not json").to_owned();
        queue.wire.send::<()>(&poison).await.unwrap();
        assert_eq!(queue.pop(1).await.unwrap(), [job(2, 1)]);
        assert_eq!(queue.depth().await.unwrap(), 0);
    }

    #[tokio::test]
    async fn losing_any_key_heals_by_ringing_again() {
        let wire = Wire::for_tests();
        let queue = RedisQueue::new(wire);
        let line = format!("{}1", queue.keys.line);
        for lost in [&queue.keys.turns, &queue.keys.jobs, &queue.keys.turn, &line] {
            queue.push(&[job(1, 1), job(2, 1)]).await.unwrap();
            queue.wire.send::<()>(redis::cmd("DEL").arg(lost)).await.unwrap();
            // A worker looks, and the sweep rings for what is still due.
            let mut served = queue.pop(5).await.unwrap();
            queue.push(&[job(1, 1), job(2, 1)]).await.unwrap();
            served.extend(queue.pop(5).await.unwrap());
            assert!(served.contains(&job(1, 1)) && served.contains(&job(2, 1)), "{lost}: {served:?}");
            while !queue.pop(5).await.unwrap().is_empty() {}
        }
    }

    #[tokio::test]
    async fn many_removed_runs_do_not_hide_the_job_behind_them() {
        let queue = RedisQueue::new(Wire::for_tests());
        let gone: Vec<Job> = (1..=2_500).map(|run| job(run, 1)).collect();
        queue.push(&gone).await.unwrap();
        queue.wire.send::<()>(redis::cmd("DEL").arg(&queue.keys.jobs)).await.unwrap();
        queue.push(&[job(9_000, 1)]).await.unwrap();
        assert_eq!(queue.pop(2).await.unwrap(), [job(9_000, 1)]);
    }
}
