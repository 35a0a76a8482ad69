//! The process's one connection for subscriptions: channels are added and dropped on it, it is
//! made anew when it breaks, and every listener is then told that it may have missed something.

use super::{CONNECT_TIMEOUT, RESPONSE_TIMEOUT, Target, WireError};
use futures_util::StreamExt;
use redis::Client;
use redis::aio::{ConnectionManager, PubSubSink, PubSubStream};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::task::AbortOnDropHandle;

/// How long a subscriber waits for Redis to confirm.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(2);
/// How often a silent connection is tried, so that a vanished other end is noticed.
const PING_EVERY: Duration = Duration::from_secs(10);
/// Channels in one SUBSCRIBE.
const BATCH: usize = 500;
const FIRST_RETRY: Duration = Duration::from_millis(50);
const LAST_RETRY: Duration = Duration::from_secs(2);

/// Hears one channel. Called by the connection's task: must neither block nor use the hub.
pub(crate) trait Ear: Send + Sync {
    /// A message.
    fn heard(&self, payload: &[u8]);
    /// Redis has confirmed the channel: what is sent from now on is heard.
    fn ready(&self) {}
    /// The connection was lost and made anew: messages may be missing.
    fn gap(&self);
}

/// Subscriptions of this process. Dropping it ends the connection.
pub(crate) struct Hub {
    shared: Arc<Shared>,
    _task: AbortOnDropHandle<()>,
}

struct Shared {
    channels: Mutex<Channels>,
    changed: Notify,
    target: Arc<Target>,
}

#[derive(Default)]
struct Channels {
    slots: HashMap<Arc<str>, Slot>,
    /// Channels whose slot no longer is as Redis has it.
    todo: VecDeque<Arc<str>>,
    connected: bool,
}

struct Slot {
    ear: Arc<dyn Ear>,
    wanted: bool,
    confirmed: bool,
    waiters: Vec<oneshot::Sender<()>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Channels> {
        // No code panics under this lock; were it to, the map is still whole.
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hub {
    pub(super) fn start(client: Client, commands: ConnectionManager, target: Arc<Target>) -> Self {
        let shared = Arc::new(Shared { channels: Mutex::default(), changed: Notify::new(), target });
        let task = tokio::spawn(keep_connected(client, commands, Arc::clone(&shared)));
        Self { shared, _task: AbortOnDropHandle::new(task) }
    }

    /// Wants a channel to be heard, now or as soon as Redis is there. An ear that hears the channel
    /// already is kept.
    pub(crate) fn want(&self, channel: &str, ear: impl FnOnce() -> Arc<dyn Ear>) {
        let mut channels = self.shared.lock();
        if let Some(slot) = channels.slots.get_mut(channel) {
            slot.wanted = true;
            return;
        }
        let name: Arc<str> = channel.into();
        let slot = Slot { ear: ear(), wanted: true, confirmed: false, waiters: Vec::new() };
        channels.slots.insert(Arc::clone(&name), slot);
        channels.todo.push_back(name);
        drop(channels);
        self.shared.changed.notify_one();
    }

    /// Returns once Redis has confirmed a wanted channel; fails after 2 s.
    pub(crate) async fn confirmed(&self, channel: &str) -> Result<(), WireError> {
        let away = |why: &str| WireError(format!("{}: {why}", self.shared.target.shown));
        let receiver = {
            let mut channels = self.shared.lock();
            let Some(slot) = channels.slots.get_mut(channel) else {
                return Err(away("the channel is not wanted"));
            };
            if slot.confirmed {
                return Ok(());
            }
            slot.waiters.retain(|w| !w.is_closed());
            let (sender, receiver) = oneshot::channel();
            slot.waiters.push(sender);
            receiver
        };
        match timeout(CONFIRM_TIMEOUT, receiver).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(away("no confirmation of a subscription")),
        }
    }

    /// Drops a channel.
    pub(crate) fn unwant(&self, channel: &str) {
        let mut channels = self.shared.lock();
        let connected = channels.connected;
        let Some((name, slot)) = channels.slots.get_key_value(channel) else { return };
        let name = Arc::clone(name);
        if !connected && !slot.confirmed {
            channels.slots.remove(&name);
            return;
        }
        if let Some(slot) = channels.slots.get_mut(&name) {
            slot.wanted = false;
        }
        channels.todo.push_back(name);
        drop(channels);
        self.shared.changed.notify_one();
    }

    #[cfg(test)]
    pub(crate) fn is_heard(&self, channel: &str) -> bool {
        self.shared.lock().slots.contains_key(channel)
    }
}

async fn keep_connected(client: Client, commands: ConnectionManager, shared: Arc<Shared>) {
    let mut delay = FIRST_RETRY;
    let mut first = true;
    loop {
        match timeout(CONNECT_TIMEOUT, client.get_async_pubsub()).await {
            Ok(Ok(connection)) => {
                let begun = Instant::now();
                let (sink, stream) = connection.split();
                // Whichever half ends first, the connection is of no more use.
                let halves = async {
                    tokio::select! {
                        () = write(sink, &shared, first) => {}
                        () = read(stream, &shared) => {}
                    }
                };
                tokio::join!(halves, wake(commands.clone()));
                first = false;
                // One that breaks at once (a channel that is not permitted) is not hurried after.
                if begun.elapsed() > LAST_RETRY {
                    delay = FIRST_RETRY;
                }
                tracing::warn!(redis = shared.target.shown, "subscriptions lost, connecting again");
            }
            Ok(Err(error)) => {
                let error = shared.target.explain(&error);
                tracing::warn!(%error, "subscriptions cannot connect");
            }
            Err(_) => tracing::warn!(redis = shared.target.shown, "subscriptions: no answer"),
        }
        forget_confirmations(&shared);
        sleep(delay.mul_f64(0.5 + rand::random::<f64>() / 2.0)).await;
        delay = (delay * 2).min(LAST_RETRY);
    }
}

fn forget_confirmations(shared: &Shared) {
    let mut channels = shared.lock();
    channels.connected = false;
    channels.slots.retain(|_, slot| slot.wanted);
    channels.slots.values_mut().for_each(|slot| slot.confirmed = false);
}

/// The command connection gives up after some tries and only tries again when it is used: use it as
/// soon as Redis is known to be back.
async fn wake(mut commands: ConnectionManager) {
    let ping = redis::cmd("PING");
    let _outcome_is_seen_by_the_next_user = ping.query_async::<()>(&mut commands).await;
}

async fn read(mut stream: PubSubStream, shared: &Shared) {
    while let Some(message) = stream.next().await {
        let ear = shared.lock().slots.get(message.get_channel_name()).map(|slot| Arc::clone(&slot.ear));
        if let Some(ear) = ear {
            ear.heard(message.get_payload_bytes());
        }
    }
}

/// Brings Redis' subscriptions to what is wanted; returns when the connection fails.
async fn write(mut sink: PubSubSink, shared: &Shared, first: bool) {
    if resubscribe(&mut sink, shared, first).await.is_none() {
        return;
    }
    loop {
        if timeout(PING_EVERY, shared.changed.notified()).await.is_err() {
            match timeout(RESPONSE_TIMEOUT, sink.ping::<redis::Value>()).await {
                Ok(Ok(_)) => continue,
                _ => return,
            }
        }
        while let Some(todo) = take_todo(shared) {
            if add(&mut sink, shared, &todo.add).await.is_none() {
                return;
            }
            if !todo.remove.is_empty() {
                let names: Vec<&str> = todo.remove.iter().map(AsRef::as_ref).collect();
                match timeout(RESPONSE_TIMEOUT, sink.unsubscribe(&names)).await {
                    Ok(Ok(())) => {}
                    _ => return,
                }
            }
        }
    }
}

/// Subscribes to all that is wanted, then tells all who listened before of the gap.
async fn resubscribe(sink: &mut PubSubSink, shared: &Shared, first: bool) -> Option<()> {
    let wanted: Vec<Arc<str>> = {
        let mut channels = shared.lock();
        channels.connected = true;
        channels.todo.clear();
        channels.slots.keys().cloned().collect()
    };
    for batch in wanted.chunks(BATCH) {
        add(sink, shared, batch).await?;
    }
    if !first {
        let ears: Vec<_> = {
            let channels = shared.lock();
            wanted.iter().filter_map(|c| channels.slots.get(c)).map(|s| Arc::clone(&s.ear)).collect()
        };
        for ear in ears {
            ear.gap();
        }
    }
    Some(())
}

async fn add(sink: &mut PubSubSink, shared: &Shared, names: &[Arc<str>]) -> Option<()> {
    if names.is_empty() {
        return Some(());
    }
    let list: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    timeout(RESPONSE_TIMEOUT, sink.subscribe(&list)).await.ok()?.ok()?;
    let mut channels = shared.lock();
    for name in names {
        if let Some(slot) = channels.slots.get_mut(name) {
            slot.confirmed = true;
            slot.ear.ready();
            for waiter in slot.waiters.drain(..) {
                let _gone_waiters_need_nothing = waiter.send(());
            }
        }
    }
    Some(())
}

#[derive(Default)]
struct Todo {
    add: Vec<Arc<str>>,
    remove: Vec<Arc<str>>,
}

/// The next channels to add and to drop. A slot leaves the map before its UNSUBSCRIBE is sent, so
/// that whoever wants the channel meanwhile makes a new slot, which is added afterwards.
fn take_todo(shared: &Shared) -> Option<Todo> {
    let mut channels = shared.lock();
    if channels.todo.is_empty() {
        return None;
    }
    let mut todo = Todo::default();
    while todo.add.len() + todo.remove.len() < BATCH {
        let Some(name) = channels.todo.pop_front() else { break };
        match channels.slots.get(&name) {
            Some(slot) if slot.wanted && !slot.confirmed => todo.add.push(name),
            Some(slot) if !slot.wanted => {
                let was_confirmed = slot.confirmed;
                channels.slots.remove(&name);
                if was_confirmed {
                    todo.remove.push(name);
                }
            }
            _ => {}
        }
    }
    Some(todo)
}
