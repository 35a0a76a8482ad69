//! Keeps a run that kills its workers from taking others with it.

use super::Engine;
use super::drive::Leave;
use shared::domain::runs::{Reason, Run};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// How long a run that is tried alone waits for others that came with it to be handed back.
const SETTLE: Duration = Duration::from_millis(300);
/// When the others are tried again.
const AGAIN: Duration = Duration::from_secs(1);

impl Engine {
    /// A run on its last attempt, whose workers all died so far, may be what killed them, or have
    /// stood beside what did. Such runs are tried one at a time in a process, up to their next stored
    /// step: the guilty one dies alone, and no other is blamed for it (promise P18, case D11).
    pub(super) async fn alone(&self, run: &Run) -> Result<Option<OwnedSemaphorePermit>, Leave> {
        let last = self.parts.runs.attempts as i32;
        if run.attempts != last || last < 2 {
            return Ok(None);
        }
        match Arc::clone(&self.suspects).try_acquire_owned() {
            Ok(permit) => {
                tracing::warn!(attempts = run.attempts, "its workers died: tried alone");
                tokio::time::sleep(SETTLE).await;
                Ok(Some(permit))
            }
            Err(_) => Err(Leave::HandBack { after: AGAIN, reason: Reason::HandedBack }),
        }
    }
}
