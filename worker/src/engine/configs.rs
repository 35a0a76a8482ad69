//! Agents with their models as this worker last read them. A claim brings the version that holds
//! now, so an edit is seen by the next run, whoever made it, and an unchanged pair is not read again.

use chrono::{DateTime, Utc};
use shared::domain::ids::AgentId;
use shared::domain::runs::{Run, RunKind, Snapshot};
use shared::store::runs::ConfigVersion;
use shared::store::snapshots::{self, Defaults};
use shared::store::{Db, Result, agents};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Pairs that are kept at most; then all are read anew.
const MOST: usize = 10_000;

/// How long the other agents that a supervisor may call are believed: an edit of theirs does not
/// change its version.
const OTHERS_BELIEVED: Duration = Duration::from_secs(5);

/// What a run begins with.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub snapshot: Arc<Snapshot>,
    pub sealed_key: Option<String>,
}

/// The pairs that were read.
#[derive(Debug)]
pub(super) struct Configs {
    defaults: Defaults,
    read: Mutex<HashMap<AgentId, Read>>,
    noted: Mutex<HashMap<AgentId, DateTime<Utc>>>,
}

#[derive(Debug)]
struct Read {
    version: ConfigVersion,
    at: Instant,
    config: Config,
}

impl Read {
    fn holds(&self, version: ConfigVersion) -> bool {
        let tells_of_others = self.config.snapshot.delegation.is_some();
        self.version == version && !(tells_of_others && self.at.elapsed() >= OTHERS_BELIEVED)
    }
}

impl Configs {
    /// Nothing read yet. The defaults hold where an agent does not say.
    pub fn new(defaults: Defaults) -> Self {
        Self { defaults, read: Mutex::default(), noted: Mutex::default() }
    }

    /// What holds where an agent does not say.
    pub fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// The run's agent and model under this version, or what its session tries, which is read anew for each
    /// run; None if either is gone.
    pub async fn get(&self, db: &Db, run: &Run, version: ConfigVersion) -> Result<Option<Config>> {
        if run.kind == RunKind::Chat && run.session_id.may_be_tryout() {
            let tried = snapshots::resolve_tryout(db, run.tenant_id, run.session_id, &self.defaults).await?;
            if let Some((snapshot, sealed_key)) = tried {
                return Ok(Some(Config { snapshot: Arc::new(snapshot), sealed_key }));
            }
        }
        let known = self.lock().get(&run.agent_id).filter(|r| r.holds(version)).map(|r| r.config.clone());
        if known.is_some() {
            return Ok(known);
        }
        let at = Instant::now();
        let found = snapshots::resolve(db, run.tenant_id, run.agent_id, &self.defaults).await?;
        let Some((snapshot, sealed_key)) = found else { return Ok(None) };
        let config = Config { snapshot: Arc::new(snapshot), sealed_key };
        let mut read = self.lock();
        if read.len() >= MOST {
            read.clear();
        }
        read.insert(run.agent_id, Read { version, at, config: config.clone() });
        Ok(Some(config))
    }

    /// Notes for people that a run of the agent begins. That it is not noted is no fault.
    pub async fn note(&self, db: &Db, run: &Run, now: DateTime<Utc>) {
        if run.session_id.may_be_tryout() {
            return;
        }
        let is_new = {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            if noted.len() >= MOST {
                noted.clear();
            }
            let last = noted.get(&run.agent_id).copied();
            let is_new = last.is_none_or(|last| now - last >= agents::NOTED_ANEW);
            if is_new {
                noted.insert(run.agent_id, now);
            }
            is_new
        };
        if is_new && let Err(error) = agents::note_run(db, run.tenant_id, run.agent_id, now).await {
            tracing::debug!(agent_id = %run.agent_id, %error, "the time of the last run was not noted");
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<AgentId, Read>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
