//! The live wire: numbers events, keeps a short log of each turn's stream, and carries events and
//! control messages between processes. Nothing exists only here; whoever waits also reads the row.

mod fanout;
mod log;
mod memory;
mod payload;
mod redis;

#[cfg(test)]
mod contract;

pub use memory::MemoryBus;
pub use redis::RedisBus;

use crate::domain::events::{Cursor, Fragment};
use crate::domain::ids::{MessageId, RunId, SessionId, SubagentId};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long a log is kept after its last event.
const LOG_LIFETIME: Duration = Duration::from_mins(10);
/// Bytes that a log holds at most. A writer that sends a [`Begin::Snapshot`] well before keeps its
/// log whole; of one that does not, the older half is dropped.
const LOG_CAP: usize = 1024 * 1024;
/// Signals that wait for a subscriber; one that has more unread is cut off.
const UNREAD: usize = 256;
/// How long a session without subscribers is still listened to.
const LINGER: Duration = Duration::from_mins(1);

/// The wire. Every adapter passes one contract suite.
#[async_trait]
pub trait Bus: Send + Sync + std::fmt::Debug {
    /// Numbers, logs and sends events of one stream in one step.
    async fn publish(&self, publication: Publication) -> Result<Published, BusError>;

    /// What a stream's log holds after the cursor.
    async fn read(&self, stream: Stream, after: Option<Cursor>) -> Result<Replay, BusError>;

    /// Frames of a session from now on. When it returns, no frame sent later is missed, except
    /// where the adapter says so by `Signal::Gap`. Dropping the receiver ends it. A subscriber that
    /// leaves 256 signals unread is cut: its channel ends, and it reads the log.
    async fn subscribe(&self, session_id: SessionId) -> Result<mpsc::Receiver<Signal>, BusError>;

    /// Sends to every worker.
    async fn send_control(&self, control: Control) -> Result<(), BusError>;

    /// Control messages from now on.
    async fn subscribe_control(&self) -> Result<mpsc::Receiver<Control>, BusError>;

    /// Removes the logs of streams and tells the session's readers by the given last frame, which
    /// is numbered 0 in epoch 0 and carries the first stream's message. A farewell also ends that
    /// the session is watched.
    async fn forget(
        &self,
        session_id: SessionId,
        streams: &[Stream],
        farewell: Option<Fragment>,
    ) -> Result<(), BusError>;

    /// Marks for so long that somebody follows the session's subagents, not only its turns:
    /// [`Published::Sent`] tells it to the writers. Marking it again prolongs it.
    async fn watch(&self, session_id: SessionId, ttl: Duration) -> Result<(), BusError>;

    /// Whether the service answers.
    async fn ping(&self) -> Result<(), BusError>;
}

/// One turn's stream, or that of one of its subagents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stream {
    /// The session; streams of one session stand on one shard and travel on one channel.
    pub session_id: SessionId,
    /// The assistant message.
    pub message_id: MessageId,
    /// The subagent whose text and tools are told; None: the turn itself.
    pub subagent: Option<SubagentId>,
}

impl Stream {
    /// A turn's own.
    pub fn of_turn(session_id: SessionId, message_id: MessageId) -> Self {
        Self { session_id, message_id, subagent: None }
    }

    /// Of one of the turn's subagents.
    pub fn of_subagent(session_id: SessionId, message_id: MessageId, subagent: SubagentId) -> Self {
        Self { session_id, message_id, subagent: Some(subagent) }
    }
}

/// Events to be sent.
#[derive(Debug, Clone)]
pub struct Publication {
    /// Whose stream.
    pub stream: Stream,
    /// The lease epoch of the writer; a lower one than the stream has seen is refused. None: the
    /// writer has no lease of the stream's run, and tells of rows that it has committed; it is
    /// never stale and makes nobody else so.
    pub fence: Option<i64>,
    /// In order.
    pub events: Vec<Fragment>,
    /// Whether a log may be begun.
    pub begin: Begin,
}

/// What to do when the stream has no log, and when its log grows long.
#[derive(Debug, Clone)]
pub enum Begin {
    /// Refuse with [`Published::Missing`]; otherwise append.
    Never,
    /// Begin a new epoch if there is none; otherwise append.
    IfMissing,
    /// Put this rendered `resync` event first: it replaces the log so far, in a new epoch if there
    /// is no log, in the same one otherwise. Keeps the log short and heals a lost one.
    Snapshot(Fragment),
}

/// What became of a publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// Sent.
    Sent {
        /// Stream's epoch.
        epoch: u64,
        /// Number of the last event.
        seq: u64,
        /// Bytes that the log holds now.
        log_bytes: u64,
        /// Somebody follows the session's subagents, see [`Bus::watch`].
        watched: bool,
    },
    /// There is no log: it was lost, or the session deleted.
    Missing,
    /// The writer lost its lease.
    Stale,
    /// The stream has had its last event.
    Closed,
}

/// What a log holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replay {
    /// No log, or one that lost its beginning and does not reach back to the cursor.
    Missing,
    /// All that is newer than the cursor. If the cursor was none, of another epoch or too old, the
    /// first frame is the log's beginning: its first event, or a `resync`.
    Frames {
        /// In order, without gaps.
        frames: Vec<Frame>,
        /// Whether they follow the given cursor without a gap.
        follows: bool,
    },
}

/// What a subscriber receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// An event.
    Frame(Frame),
    /// Frames may have been missed (connection lost and made anew): read the log.
    Gap,
}

/// A numbered event, ready to be sent to a reader unparsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its turn.
    pub message_id: MessageId,
    /// Whose stream of the turn: a subagent's, or the turn's own.
    pub subagent: Option<SubagentId>,
    /// Its log.
    pub epoch: u64,
    /// Its number.
    pub seq: u64,
    /// Whether it is the last of its stream.
    pub terminal: bool,
    /// The whole event.
    pub json: Arc<str>,
}

/// What every worker is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "c", rename_all = "snake_case")]
pub enum Control {
    /// The run's row says that it is to stop, or the row is gone: whoever works on it looks now.
    Stop {
        /// The run.
        run_id: RunId,
    },
    /// Somebody has begun to follow the session's subagents: those under way tell from now on.
    Watch {
        /// The session.
        session_id: SessionId,
    },
}

/// Why the bus did not answer.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// The service is away or answers nonsense.
    #[error("bus unavailable: {0}")]
    Unavailable(String),
}

impl From<crate::wire::WireError> for BusError {
    fn from(error: crate::wire::WireError) -> Self {
        Self::Unavailable(error.0)
    }
}
