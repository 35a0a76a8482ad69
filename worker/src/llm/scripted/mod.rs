//! A provider for tests: a real HTTP server on a loopback port that answers by script, in both
//! dialects, and remembers what it was asked.
//!
//! A test names a script in the user's message; each call takes the script's next reply, the last
//! one again and again. After a tool's result the user's message is still the last one, so a turn
//! with tool rounds is a list of replies:
//!
//! ```no_run
//! # async fn example() {
//! use worker::llm::scripted::{Reply, ScriptedProvider};
//! let provider = ScriptedProvider::start().await;
//! provider.script("clock", vec![Reply::call("get_time", "{}"), Reply::text("It is noon.")]);
//! // Point a model at provider.base_url() and send the message "what time is it? [[script:clock]]".
//! provider.wait_for("clock", |s| s.finished == 2).await;
//! assert_eq!(provider.requests("clock")[1].body["messages"][2]["role"], "tool");
//! # }
//! ```
//!
//! Without a marker the script is the one named `""`; where that has no replies, the answer repeats
//! the message.

pub(super) mod render;
mod reply;
mod serve;

pub use reply::Reply;

use super::{Endpoint, Timeouts};
use serde_json::Value;
use shared::domain::models::{ModelLimits, Provider};
use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// How long [`ScriptedProvider::wait_for`] waits before it fails the test.
const DEADLINE: Duration = Duration::from_secs(20);

/// The server; ends with its last handle.
#[derive(Debug)]
pub struct ScriptedProvider {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

/// What happened on one script so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Calls that arrived.
    pub calls: usize,
    /// Replies that were sent to their end, planned cuts and errors included.
    pub finished: usize,
    /// Replies that the client left before their end.
    pub left: usize,
    /// Calls under way.
    pub in_flight: usize,
    /// The most of them at once.
    pub max_in_flight: usize,
    /// Replies that wait for a release.
    pub held: usize,
    /// Connections on which the script was called.
    pub opened: usize,
    /// Those of them that are closed.
    pub closed: usize,
}

/// One call as it arrived.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Path of the request.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
    /// When it had arrived.
    pub at: Instant,
}

impl Recorded {
    /// The first header of this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

#[derive(Debug, Default)]
struct Shared {
    scripts: Mutex<HashMap<String, Script>>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Script {
    replies: Vec<Reply>,
    exact: bool,
    stats: Stats,
    requests: Vec<Recorded>,
    connections: HashSet<u64>,
    released: bool,
    permits: usize,
}

impl Shared {
    fn scripts(&self) -> MutexGuard<'_, HashMap<String, Script>> {
        self.scripts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, name: &str, change: impl FnOnce(&mut Script) -> T) -> T {
        let result = {
            let mut scripts = self.scripts();
            match scripts.get_mut(name) {
                Some(script) => change(script),
                None => change(scripts.entry(name.to_owned()).or_default()),
            }
        };
        self.changed.notify_waiters();
        result
    }
}

impl ScriptedProvider {
    /// Listens on a free loopback port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free loopback port");
        let address = listener.local_addr().expect("the listener's address");
        let shared = Arc::new(Shared::default());
        let server = tokio::spawn(serve::run(listener, Arc::clone(&shared)));
        Self { address, shared, server }
    }

    /// `http://127.0.0.1:PORT/v1`, for both dialects.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// An endpoint of this server, without a key and with the usual timeouts.
    pub fn endpoint(&self, provider: Provider) -> Endpoint {
        Endpoint {
            provider,
            model_name: "scripted".to_owned(),
            base_url: Some(self.base_url()),
            trusted_host: true,
            api_key: None,
            limits: ModelLimits::default(),
            timeouts: Timeouts::default(),
        }
    }

    /// Sets a script. Its last reply is given to all further calls.
    pub fn script(&self, name: &str, replies: Vec<Reply>) {
        self.shared.change(name, |s| {
            s.replies = replies;
            s.exact = false;
            s.stats.calls = 0;
        });
    }

    /// Sets a script whose further calls fail with 400.
    pub fn script_exactly(&self, name: &str, replies: Vec<Reply>) {
        self.script(name, replies);
        self.shared.change(name, |s| s.exact = true);
    }

    /// Lets all held replies of a script go, and those that come later.
    pub fn release(&self, name: &str) {
        self.shared.change(name, |s| s.released = true);
    }

    /// Lets one held reply go, now or when it comes.
    pub fn release_one(&self, name: &str) {
        self.shared.change(name, |s| s.permits += 1);
    }

    /// What happened on a script.
    pub fn stats(&self, name: &str) -> Stats {
        self.shared.scripts().get(name).map(|s| s.stats).unwrap_or_default()
    }

    /// Calls that arrived on a script since it was set.
    pub fn calls(&self, name: &str) -> usize {
        self.stats(name).calls
    }

    /// Calls that arrived on all scripts.
    pub fn all_calls(&self) -> usize {
        self.shared.scripts().values().map(|s| s.stats.calls).sum()
    }

    /// What a script was asked, in order of arrival.
    pub fn requests(&self, name: &str) -> Vec<Recorded> {
        self.shared.scripts().get(name).map(|s| s.requests.clone()).unwrap_or_default()
    }

    /// Waits until this is true of a script; fails the test after 20 s.
    pub async fn wait_for(&self, name: &str, condition: impl Fn(&Stats) -> bool) -> Stats {
        let wait = async {
            loop {
                let mut changed = std::pin::pin!(self.shared.changed.notified());
                changed.as_mut().enable();
                let stats = self.stats(name);
                if condition(&stats) {
                    return stats;
                }
                changed.await;
            }
        };
        let Ok(stats) = tokio::time::timeout(DEADLINE, wait).await else {
            panic!("script {name:?} did not come so far: {:?}", self.stats(name));
        };
        stats
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}
