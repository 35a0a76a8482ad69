//! A pool of Postgres connections.
//!
//! Instead of sqlx's: that one asks the server for a sign of life whenever a connection is given
//! back, which is a second round trip for each statement. Here a connection goes straight back after
//! an orderly answer; one that was dropped in the middle of something, or saw anything but an
//! orderly answer, is closed. The connection used last is used next, so that few are warm.

use super::super::error::{Result, StoreError};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// A connection that rested longer is asked for a sign of life before it is used.
const TRUSTED_IDLE: Duration = Duration::from_secs(5);
/// A connection that rested longer is closed.
const KEPT_IDLE: Duration = Duration::from_mins(10);
/// How long a sign of life may take.
const PING_DEADLINE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone)]
pub(super) struct PgPool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    options: PgConnectOptions,
    slots: Arc<Semaphore>,
    idle: Mutex<VecDeque<Idle>>,
    acquire_timeout: Duration,
}

#[derive(Debug)]
struct Idle {
    connection: PgConnection,
    since: Instant,
}

/// A connection in use. Dropping it closes it.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) connection: PgConnection,
    pool: PgPool,
    _slot: OwnedSemaphorePermit,
}

impl PgPool {
    pub(super) fn new(options: PgConnectOptions, max: u32, acquire_timeout: Duration) -> Self {
        Self(Arc::new(Inner {
            options,
            slots: Arc::new(Semaphore::new(max as usize)),
            idle: Mutex::default(),
            acquire_timeout,
        }))
    }

    pub(super) async fn acquire(&self) -> Result<Held> {
        timeout(self.0.acquire_timeout, self.acquire_in_time())
            .await
            .map_err(|_| StoreError::Unavailable("no free connection in time".into()))?
    }

    async fn acquire_in_time(&self) -> Result<Held> {
        let slot = Arc::clone(&self.0.slots)
            .acquire_owned()
            .await
            .map_err(|_| StoreError::Unavailable("closed".into()))?;
        while let Some(mut idle) = self.pop_idle() {
            let alive = idle.since.elapsed() < TRUSTED_IDLE
                || matches!(timeout(PING_DEADLINE, idle.connection.ping()).await, Ok(Ok(())));
            if alive {
                return Ok(Held { connection: idle.connection, pool: self.clone(), _slot: slot });
            }
            self.forget_idle();
        }
        let connection = self.0.options.connect().await?;
        Ok(Held { connection, pool: self.clone(), _slot: slot })
    }

    fn pop_idle(&self) -> Option<Idle> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop_back()
    }

    /// Closes all connections that rest: when one is found broken, the server may have restarted.
    pub(super) fn forget_idle(&self) {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// No connection is given out any more.
    pub(super) fn close(&self) {
        self.0.slots.close();
        self.forget_idle();
    }
}

impl Held {
    /// After an orderly answer.
    pub(super) fn give_back(self) {
        let now = Instant::now();
        let mut idle = self.pool.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.front().is_some_and(|oldest| now - oldest.since > KEPT_IDLE) {
            idle.pop_front();
        }
        if !self.pool.0.slots.is_closed() {
            idle.push_back(Idle { connection: self.connection, since: now });
        }
    }
}
