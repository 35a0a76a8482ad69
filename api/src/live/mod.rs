//! Readers of turns: those that wait for an answer, those that follow a stream over SSE, and sockets.
//! Each subscribes, then reads, then waits, and is told when a row ended without an event.

mod catch_up;
mod checker;
pub mod follow;
pub mod frames;
pub mod hub;
pub mod joiner;
mod level;
pub mod outbox;
pub mod place;
pub mod poll;
pub mod socket;
pub mod sse;
pub mod wait;

pub use checker::Watch;
pub use level::{Following, Level};

use hub::Hub;
use shared::app::App;
use shared::domain::ids::{MessageId, SessionId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long the bus may take to answer a read.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// Readers that are told to come again are spread over this.
const RECONNECT_SPREAD_MS: u64 = 3_000;

/// All readers of this process.
#[derive(Debug)]
pub struct Live {
    app: Arc<App>,
    hub: Arc<Hub>,
    watched: Mutex<HashMap<MessageId, checker::Watched>>,
    followed: Mutex<HashMap<SessionId, level::Followed>>,
    tasks: TaskTracker,
    shutdown: CancellationToken,
}

impl Live {
    /// Starts looking after readers, until shutdown.
    pub fn start(app: Arc<App>, shutdown: CancellationToken) -> Arc<Self> {
        let tasks = TaskTracker::new();
        let hub = Hub::new(app.bus.clone(), tasks.clone(), shutdown.clone());
        let live = Arc::new(Self {
            app,
            hub,
            watched: Mutex::default(),
            followed: Mutex::default(),
            tasks,
            shutdown,
        });
        live.tasks.spawn(checker::run(live.clone()));
        live
    }

    /// The sessions that this process is subscribed to.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Cancelled when the process is to end.
    pub fn shutdown(&self) -> &CancellationToken {
        &self.shutdown
    }

    /// Everything that runs beside requests: sockets, subscriptions, the checker.
    pub fn tasks(&self) -> &TaskTracker {
        &self.tasks
    }
}

/// When a reader that is sent away shall come again, in milliseconds.
fn reconnect_after_ms() -> u64 {
    rand::random_range(200..=RECONNECT_SPREAD_MS)
}
