//! The queue within one process, for `neta up`.

use super::{Queue, QueueError};
use crate::domain::ids::{RunId, TenantId};
use crate::domain::jobs::Job;
use async_trait::async_trait;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Lines of jobs in memory. What is in line when the process ends is rung again by the sweep.
#[derive(Debug, Default)]
pub struct MemoryQueue {
    lines: Mutex<Lines>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct Lines {
    /// Tenants with a line, in the order of their turns.
    ring: VecDeque<TenantId>,
    /// Runs in line; one that is not in `jobs` was removed and is passed over.
    by_tenant: HashMap<TenantId, VecDeque<RunId>>,
    jobs: HashMap<RunId, Job>,
    paused: bool,
}

impl MemoryQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        // No code panics under this lock; were it to, the lines are still usable.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    fn push(&mut self, job: &Job) -> bool {
        if self.jobs.contains_key(&job.run_id) {
            return false;
        }
        self.jobs.insert(job.run_id, job.clone());
        let line = self.by_tenant.entry(job.tenant_id).or_insert_with(|| {
            self.ring.push_back(job.tenant_id);
            VecDeque::new()
        });
        line.push_back(job.run_id);
        true
    }

    fn pop(&mut self) -> Option<Job> {
        while let Some(tenant) = self.ring.pop_front() {
            let Some(line) = self.by_tenant.get_mut(&tenant) else { continue };
            let job = line.pop_front().and_then(|run| self.jobs.remove(&run));
            if line.is_empty() {
                self.by_tenant.remove(&tenant);
            } else {
                self.ring.push_back(tenant);
            }
            if job.is_some() {
                return job;
            }
        }
        None
    }
}

#[async_trait]
impl Queue for MemoryQueue {
    async fn push(&self, jobs: &[Job]) -> Result<(), QueueError> {
        let mut lines = self.lock();
        let mut any_new = false;
        for job in jobs {
            any_new |= lines.push(job);
        }
        drop(lines);
        if any_new {
            self.wake.notify_one();
        }
        Ok(())
    }

    async fn pop(&self, max: usize) -> Result<Vec<Job>, QueueError> {
        let mut lines = self.lock();
        if lines.paused {
            return Ok(Vec::new());
        }
        let jobs: Vec<Job> = std::iter::from_fn(|| lines.pop()).take(max).collect();
        let more = !lines.ring.is_empty();
        drop(lines);
        if more {
            // One push wakes one worker, which may not have room for all that was pushed.
            self.wake.notify_one();
        }
        Ok(jobs)
    }

    async fn wait(&self, at_most: Duration) {
        let _either_way_the_caller_looks = tokio::time::timeout(at_most, self.wake.notified()).await;
    }

    async fn depth(&self) -> Result<u64, QueueError> {
        Ok(self.lock().jobs.len() as u64)
    }

    async fn set_paused(&self, paused: bool) -> Result<(), QueueError> {
        self.lock().paused = paused;
        if !paused {
            self.wake.notify_one();
        }
        Ok(())
    }

    async fn remove(&self, run_id: RunId) -> Result<(), QueueError> {
        self.lock().jobs.remove(&run_id);
        Ok(())
    }
}
