//! Agents with their models as this worker last read them. A claim brings the version that holds
//! now, so an edit is seen by the next run, whoever made it, and an unchanged pair is not read again.

use shared::domain::ids::AgentId;
use shared::domain::runs::{Run, Snapshot};
use shared::store::runs::ConfigVersion;
use shared::store::{Db, Result, snapshots};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Pairs that are kept at most; then all are read anew.
const MOST: usize = 10_000;

/// What a run begins with.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub snapshot: Arc<Snapshot>,
    pub sealed_key: Option<String>,
}

/// The pairs that were read.
#[derive(Debug, Default)]
pub(super) struct Configs {
    read: Mutex<HashMap<AgentId, (ConfigVersion, Config)>>,
}

impl Configs {
    /// The run's agent and model under this version; None if either is gone.
    pub async fn get(&self, db: &Db, run: &Run, version: ConfigVersion) -> Result<Option<Config>> {
        let known = self.lock().get(&run.agent_id).filter(|(v, _)| *v == version).map(|(_, c)| c.clone());
        if known.is_some() {
            return Ok(known);
        }
        let Some((snapshot, sealed_key)) = snapshots::resolve(db, run.tenant_id, run.agent_id).await? else {
            return Ok(None);
        };
        let config = Config { snapshot: Arc::new(snapshot), sealed_key };
        let mut read = self.lock();
        if read.len() >= MOST {
            read.clear();
        }
        read.insert(run.agent_id, (version, config.clone()));
        Ok(Some(config))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<AgentId, (ConfigVersion, Config)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
