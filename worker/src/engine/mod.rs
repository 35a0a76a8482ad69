//! The run engine: takes rings, claims runs, drives each one under its lease, and looks after what
//! dead workers left behind.

mod begin;
mod budget;
mod claim;
mod claims;
mod configs;
mod control;
mod crash;
mod drive;
mod ending;
mod ends;
mod hand_over;
mod heartbeat;
mod kept;
mod lease;
mod model_step;
mod open;
mod publisher;
mod suspect;
mod sweep;
#[cfg(test)]
mod tests;
mod together;
mod tokens;
mod tool_steps;

use crate::llm::Llm;
use crate::tools::Catalogue;
use chrono::{DateTime, Utc};
use claims::Claims;
use configs::Configs;
use ends::Ends;
use kept::Kept;
use lease::Registry;
use shared::app::App;
use shared::config::{DelegationConfig, LlmConfig, RunDefaults, WorkerConfig};
use shared::domain::ids::{SessionId, WorkerId};
use shared::limits::Limits;
use shared::store::snapshots::Defaults;
use std::sync::{Arc, Weak};
use tokio::sync::{Semaphore, broadcast};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Watches that a subagent may be behind; one that is further behind takes it that it is watched.
const WATCHES: usize = 64;

/// What the engine works with.
#[derive(Clone)]
pub struct Parts {
    /// Stores, queue, bus, clock, sealer.
    pub app: Arc<App>,
    /// Model limits over all workers.
    pub limits: Arc<dyn Limits>,
    /// The model client.
    pub llm: Arc<dyn Llm>,
    /// Every tool.
    pub catalogue: Arc<Catalogue>,
    /// Slots, lease, renewal, sweep, drain.
    pub worker: WorkerConfig,
    /// Limits of a run where the agent sets none.
    pub runs: RunDefaults,
    /// How agents delegate and ask, where they do not say.
    pub delegation: DelegationConfig,
    /// The model client's times.
    pub llm_config: LlmConfig,
}

/// One process's engine.
pub struct Engine {
    /// For tasks of their own.
    me: Weak<Engine>,
    parts: Parts,
    id: WorkerId,
    host: String,
    started_at: DateTime<Utc>,
    registry: Arc<Registry>,
    configs: Configs,
    claims: Claims,
    ends: Ends,
    kept: Kept,
    /// How many runs work at the same time; each holds one.
    slots: Arc<Semaphore>,
    /// Tells subagents under way that somebody watches their session.
    watches: broadcast::Sender<SessionId>,
    /// The work under leases.
    tasks: TaskTracker,
    /// One place for runs whose workers died again and again.
    suspects: Arc<Semaphore>,
    /// Nothing new is begun here.
    draining: CancellationToken,
    /// The grace time is over: hand back at once.
    hand_back: CancellationToken,
}

impl Engine {
    /// An engine that holds nothing yet.
    pub fn new(parts: Parts) -> Arc<Self> {
        let host = host_name();
        let defaults = Defaults { delegation: parts.delegation.global.clone(), budget: parts.runs.budget };
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            id: new_worker_id(&host),
            host,
            started_at: parts.app.clock.now(),
            configs: Configs::new(defaults),
            claims: Claims::default(),
            ends: Ends::default(),
            kept: Kept::default(),
            slots: Arc::new(Semaphore::new(parts.worker.slots)),
            parts,
            registry: Arc::default(),
            watches: broadcast::Sender::new(WATCHES),
            tasks: TaskTracker::new(),
            suspects: Arc::new(Semaphore::new(1)),
            draining: CancellationToken::new(),
            hand_back: CancellationToken::new(),
        })
    }

    /// This process's name among the workers.
    pub fn id(&self) -> &WorkerId {
        &self.id
    }

    /// The places of runs at work: whoever brings a ring brings one of these.
    pub fn slots(&self) -> &Arc<Semaphore> {
        &self.slots
    }

    /// Runs under way here.
    pub fn busy(&self) -> usize {
        self.tasks.len()
    }

    fn app(&self) -> &App {
        &self.parts.app
    }

    fn crash_point(&self, here: crash::Point) {
        crash::point(self.parts.worker.crash_at.as_ref(), here);
    }

    /// Waits for the work under way for the drain time, then has it handed back, and waits for that.
    pub async fn drain(&self) {
        self.draining.cancel();
        self.tasks.close();
        if tokio::time::timeout(self.parts.worker.drain, self.tasks.wait()).await.is_ok() {
            return;
        }
        tracing::info!(worker_id = %self.id, runs = self.busy(), "grace time is over: handing back");
        self.hand_back.cancel();
        // A hand-back is one statement and one ring; what does not make it is swept.
        let _ = tokio::time::timeout(self.parts.worker.lease, self.tasks.wait()).await;
    }
}

fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "host".to_owned(),
        name => name.to_owned(),
    }
}

/// Host, process id and a part that is new at each start: two replicas with one configuration never
/// share an identity (case D02).
fn new_worker_id(host: &str) -> WorkerId {
    WorkerId(format!("{host}:{}:{:08x}", std::process::id(), rand::random::<u32>()))
}
