//! Connections to Redis: one multiplexed connection for commands and one for subscriptions a
//! process, both made anew when they break. Keys and channels begin with the wire's prefix.

mod hub;

pub(crate) use hub::{Ear, Hub};

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, FromRedisValue, IntoConnectionInfo, ProtocolVersion, RedisError, ScriptInvocation};
use std::sync::Arc;
use std::time::Duration;

/// How long an answer may take; the crate's default of 500 ms fails under load.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Access to one Redis. Cheap to clone; clones share the connections.
#[derive(Clone)]
pub struct Wire {
    commands: ConnectionManager,
    hub: Arc<Hub>,
    target: Arc<Target>,
    prefix: Arc<str>,
}

/// What error texts may say of the other end, and what they must not.
struct Target {
    shown: String,
    password: Option<String>,
}

impl Target {
    fn explain(&self, error: &RedisError) -> WireError {
        let mut text = error.to_string();
        if let Some(password) = self.password.as_deref().filter(|p| !p.is_empty()) {
            text = text.replace(password, "***");
        }
        WireError(format!("{}: {text}", self.shown))
    }
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wire")
            .field("target", &self.target.shown)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

/// Redis did not answer, or not as it should. The text never holds the password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireError(pub String);

impl Wire {
    /// Prepares the connections without waiting for them, so that a process starts while Redis is
    /// away. Fails on a URL that is none. Needs a tokio runtime.
    pub fn open(url: &str, prefix: &str) -> Result<Self, WireError> {
        let shown = redacted(url);
        let invalid = |_| WireError(format!("{shown}: not a Redis URL"));
        let info = url.into_connection_info().map_err(invalid)?.set_tcp_settings(tcp());
        let mut settings = info.redis_settings().clone();
        if settings.password().is_some() && settings.username().is_none() {
            // Named on both connections: the short form of AUTH, which the older protocol would send,
            // is refused where the longer one is not.
            settings = settings.set_username("default");
        }
        let target =
            Arc::new(Target { shown: shown.clone(), password: settings.password().map(str::to_owned) });
        // With version 3 of the protocol a lost connection is noticed at once, not by the next command.
        let modern = info.clone().set_redis_settings(settings.clone().set_protocol(ProtocolVersion::RESP3));
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(RESPONSE_TIMEOUT))
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_number_of_retries(1)
            .set_min_delay(Duration::from_millis(50))
            .set_max_delay(Duration::from_secs(1));
        let commands =
            ConnectionManager::new_lazy_with_config(Client::open(modern).map_err(invalid)?, config)
                .map_err(invalid)?;
        let classic = info.set_redis_settings(settings.set_protocol(ProtocolVersion::RESP2));
        let hub = Hub::start(Client::open(classic).map_err(invalid)?, commands.clone(), Arc::clone(&target));
        Ok(Self { commands, hub: Arc::new(hub), target, prefix: prefix.into() })
    }

    /// The connection for commands.
    pub(crate) fn commands(&self) -> ConnectionManager {
        self.commands.clone()
    }

    /// The one connection for subscriptions.
    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// A key or channel of ours.
    pub(crate) fn key(&self, rest: std::fmt::Arguments<'_>) -> String {
        format!("{}:{rest}", self.prefix)
    }

    /// Runs a script by its hash; loads it where Redis has forgotten it.
    pub(crate) async fn run<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> Result<T, WireError> {
        script.invoke_async(&mut self.commands()).await.map_err(|e| self.target.explain(&e))
    }

    /// Sends one command.
    pub(crate) async fn send<T: FromRedisValue>(&self, command: &redis::Cmd) -> Result<T, WireError> {
        command.query_async(&mut self.commands()).await.map_err(|e| self.target.explain(&e))
    }

    /// Sends several commands at once.
    pub(crate) async fn send_all<T: FromRedisValue>(
        &self,
        commands: &redis::Pipeline,
    ) -> Result<T, WireError> {
        commands.query_async(&mut self.commands()).await.map_err(|e| self.target.explain(&e))
    }

    /// Whether Redis answers.
    pub async fn ping(&self) -> Result<(), WireError> {
        match tokio::time::timeout(CONNECT_TIMEOUT, self.send::<()>(&redis::cmd("PING"))).await {
            Ok(answer) => answer,
            Err(_) => Err(WireError(format!("{}: no answer", self.target.shown))),
        }
    }
}

/// Small commands are sent at once, and a connection whose other end has vanished without a word
/// ends instead of timing out command by command.
fn tcp() -> redis::io::tcp::TcpSettings {
    let settings = redis::io::tcp::TcpSettings::default().set_nodelay(true);
    #[cfg(target_os = "linux")]
    let settings = settings.set_user_timeout(2 * RESPONSE_TIMEOUT);
    settings
}

/// A URL without its password, for logs and error texts.
pub fn redacted(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut parsed) => {
            if parsed.password().is_some() && parsed.set_password(Some("***")).is_err() {
                return "(unreadable URL)".to_owned();
            }
            // A query may carry credentials as well.
            if parsed.query().is_some() {
                parsed.set_query(Some("***"));
            }
            parsed.to_string()
        }
        Err(_) => "(unreadable URL)".to_owned(),
    }
}

#[cfg(any(test, feature = "testing"))]
impl Wire {
    /// The Redis for tests (`NETA_TEST_REDIS_URL`), under a prefix of its own.
    #[expect(clippy::disallowed_methods, reason = "tests are told by the environment, not by configuration")]
    pub fn for_tests() -> Self {
        let url =
            std::env::var("NETA_TEST_REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:6379".to_owned());
        Self::open(&url, &format!("test-{}", uuid::Uuid::new_v4().simple())).expect("test Redis URL")
    }
}

#[cfg(test)]
pub(crate) mod tests;
