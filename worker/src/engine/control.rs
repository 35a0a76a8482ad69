//! Listens for what every worker is told: a run is to stop, so look at its row now; somebody watches
//! a session's subagents, so tell of them.

use super::Engine;
use shared::bus::Control;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Between attempts to listen while the bus is away; renewals see a stop meanwhile.
const RETRY: Duration = Duration::from_secs(1);

impl Engine {
    /// Listens until told to stop.
    pub async fn listen(self: Arc<Self>, stop: CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.listen_once() => {}
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(RETRY) => {}
            }
        }
    }

    async fn listen_once(&self) {
        let mut messages = match self.app().bus.subscribe_control().await {
            Ok(messages) => messages,
            Err(error) => {
                tracing::debug!(worker_id = %self.id, %error, "not listening for stops");
                return;
            }
        };
        while let Some(message) = messages.recv().await {
            match message {
                // A renewal tells both: that the run is to stop, or that its row is gone.
                Control::Stop { run_id } => {
                    if let Some(held) = self.registry.tell(run_id) {
                        self.renew(vec![held]).await;
                    }
                }
                // An error means that no subagent is under way here.
                Control::Watch { session_id } => drop(self.watches.send(session_id)),
            }
        }
    }
}
