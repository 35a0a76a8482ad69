//! One subscription on the bus per watched session and process, however many readers it has. Frames
//! are passed on unparsed; nobody who reads slowly holds up another.

use super::Level;
use super::follow::is_farewell;
use super::frames;
use super::outbox::{Item, Outbox};
use shared::bus::{Bus, Frame, Signal};
use shared::domain::ids::{MessageId, SessionId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a reader waits for the bus before it goes on without it.
const SUBSCRIBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Pause between attempts while the bus is away.
const RETRY: Duration = Duration::from_millis(500);

/// What of a session a reader wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Every event.
    Session(Level),
    /// The events of one turn.
    Turn(MessageId, Level),
    /// The last event of one turn, and those that ask a person.
    End(MessageId),
}

impl Interest {
    /// Whether the reader waits for this turn's end, with or without all that comes before.
    fn covers(self, message_id: MessageId) -> bool {
        match self {
            Self::Session(_) => true,
            Self::Turn(id, _) | Self::End(id) => id == message_id,
        }
    }

    fn level(self) -> Level {
        match self {
            Self::Session(level) | Self::Turn(_, level) => level,
            Self::End(_) => Level::Turn,
        }
    }

    fn wants(self, frame: &Frame) -> bool {
        if is_farewell(frame) {
            return true;
        }
        let told = frame.subagent.is_none() || self.level() == Level::Subagents;
        let passed = match self {
            Self::Session(_) | Self::Turn(..) => true,
            Self::End(_) => frame.terminal || frames::asks(frame),
        };
        told && self.covers(frame.message_id) && passed
    }
}

/// The watched sessions of this process.
#[derive(Debug)]
pub struct Hub {
    bus: Arc<dyn Bus>,
    channels: Mutex<HashMap<SessionId, Arc<Channel>>>,
    tasks: TaskTracker,
    shutdown: CancellationToken,
}

#[derive(Debug)]
struct Channel {
    listeners: Mutex<Vec<Listener>>,
    state: watch::Sender<State>,
    stop: CancellationToken,
}

#[derive(Debug)]
struct Listener {
    key: u64,
    interest: Interest,
    outbox: Arc<Outbox>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Connecting,
    Live,
    Away,
}

/// A reader's place in the hub; dropping it ends the reading.
#[derive(Debug)]
pub struct Listening {
    hub: Weak<Hub>,
    session_id: SessionId,
    key: u64,
}

impl Hub {
    /// On this bus; its tasks end at shutdown.
    pub fn new(bus: Arc<dyn Bus>, tasks: TaskTracker, shutdown: CancellationToken) -> Arc<Self> {
        Arc::new(Self { bus, channels: Mutex::default(), tasks, shutdown })
    }

    /// Puts what the reader wants into its outbox from now on. When it returns, no frame sent later
    /// is missed; if the bus is away it returns all the same, and a gap is told once it is back.
    pub async fn listen(
        self: &Arc<Self>,
        session_id: SessionId,
        interest: Interest,
        outbox: Arc<Outbox>,
    ) -> Listening {
        static KEYS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let key = KEYS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let listener = Listener { key, interest, outbox };
        let mut state = {
            let mut channels = self.channels();
            let channel = channels.entry(session_id).or_insert_with(|| self.open(session_id));
            lock(&channel.listeners).push(listener);
            channel.state.subscribe()
        };
        let listening = Listening { hub: Arc::downgrade(self), session_id, key };
        let settled = state.wait_for(|s| *s != State::Connecting);
        // Late or never: the reader goes on, and looks at the rows.
        let _ = tokio::time::timeout(SUBSCRIBE_TIMEOUT, settled).await;
        listening
    }

    /// Tells the readers of a turn that its row has ended.
    pub fn look(&self, session_id: SessionId, message_id: MessageId) {
        self.tell_if(session_id, message_id, |interest| interest.covers(message_id));
    }

    /// Tells those who wait for a turn's end that its row asks a person.
    pub fn look_at_question(&self, session_id: SessionId, message_id: MessageId) {
        self.tell_if(session_id, message_id, |interest| interest == Interest::End(message_id));
    }

    fn tell_if(&self, session_id: SessionId, message_id: MessageId, wants: impl Fn(Interest) -> bool) {
        let Some(channel) = self.channels().get(&session_id).cloned() else { return };
        for listener in lock(&channel.listeners).iter().filter(|l| wants(l.interest)) {
            listener.outbox.put(Item::Look(message_id));
        }
    }

    /// Sessions that are subscribed on the bus.
    pub fn sessions(&self) -> usize {
        self.channels().len()
    }

    fn open(self: &Arc<Self>, session_id: SessionId) -> Arc<Channel> {
        let channel = Arc::new(Channel {
            listeners: Mutex::default(),
            state: watch::Sender::new(State::Connecting),
            stop: self.shutdown.child_token(),
        });
        self.tasks.spawn(pump(self.bus.clone(), session_id, channel.clone()));
        channel
    }

    fn leave(&self, session_id: SessionId, key: u64) {
        let mut channels = self.channels();
        let Some(channel) = channels.get(&session_id) else { return };
        let mut listeners = lock(&channel.listeners);
        listeners.retain(|l| l.key != key);
        if listeners.is_empty() {
            drop(listeners);
            channel.stop.cancel();
            channels.remove(&session_id);
        }
    }

    fn channels(&self) -> MutexGuard<'_, HashMap<SessionId, Arc<Channel>>> {
        lock(&self.channels)
    }
}

impl Listening {
    /// Wants something else from now on.
    pub fn narrow(&self, interest: Interest) {
        let Some(hub) = self.hub.upgrade() else { return };
        let channels = hub.channels();
        let Some(channel) = channels.get(&self.session_id) else { return };
        if let Some(listener) = lock(&channel.listeners).iter_mut().find(|l| l.key == self.key) {
            listener.interest = interest;
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(hub) = self.hub.upgrade() {
            hub.leave(self.session_id, self.key);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Carries frames from the bus to the readers of one session until the last one leaves.
async fn pump(bus: Arc<dyn Bus>, session_id: SessionId, channel: Arc<Channel>) {
    let stop = channel.stop.clone();
    let mut first = true;
    loop {
        let Some(mut frames) = stop.run_until_cancelled(subscribe(&*bus, session_id, &channel)).await else {
            return;
        };
        channel.state.send_replace(State::Live);
        if !std::mem::take(&mut first) {
            channel.tell(session_id, &Signal::Gap);
        }
        // None from the bus: it let go of us; subscribe anew.
        while let Some(signal) = match stop.run_until_cancelled(frames.recv()).await {
            None => return,
            Some(signal) => signal,
        } {
            channel.tell(session_id, &signal);
        }
    }
}

/// Tries until the bus answers.
async fn subscribe(bus: &dyn Bus, session_id: SessionId, channel: &Channel) -> mpsc::Receiver<Signal> {
    let mut failed = false;
    loop {
        match bus.subscribe(session_id).await {
            Ok(frames) => {
                if failed {
                    channel.tell(session_id, &Signal::Gap);
                }
                return frames;
            }
            Err(e) => {
                if !std::mem::replace(&mut failed, true) {
                    tracing::warn!(error = %e, "live events are interrupted");
                }
                channel.state.send_replace(State::Away);
                tokio::time::sleep(RETRY).await;
            }
        }
    }
}

impl Channel {
    fn tell(&self, session_id: SessionId, signal: &Signal) {
        for listener in lock(&self.listeners).iter() {
            match signal {
                Signal::Gap => listener.outbox.put(Item::Gap(session_id)),
                Signal::Frame(f) if listener.interest.wants(f) => {
                    listener.outbox.put(Item::Frame(session_id, f.clone()));
                }
                Signal::Frame(_) => {}
            }
        }
    }
}
