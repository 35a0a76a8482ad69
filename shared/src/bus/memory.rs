//! The bus within one process, for `neta up`.

use super::fanout::{Controls, Fanout};
use super::log::Log;
use super::payload::ordered;
use super::{
    Begin, Bus, BusError, Control, Frame, LOG_LIFETIME, Publication, Published, Replay, Signal, Stream,
};
use crate::domain::events::{Cursor, Fragment, complete};
use crate::domain::ids::{MessageId, SessionId};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How often logs and sessions that nobody needs are looked for.
const TIDY_EVERY: Duration = Duration::from_mins(1);

/// Logs and subscribers in memory.
#[derive(Debug)]
pub struct MemoryBus {
    state: Mutex<State>,
    fanout: Fanout,
    controls: Controls,
}

#[derive(Debug)]
struct State {
    logs: HashMap<Stream, Log>,
    /// Sessions whose subagents somebody follows, and until when.
    watched: HashMap<SessionId, Instant>,
    last_epoch: u64,
    tidied: Instant,
}

impl Default for MemoryBus {
    fn default() -> Self {
        let state =
            State { logs: HashMap::new(), watched: HashMap::new(), last_epoch: 0, tidied: Instant::now() };
        Self { state: Mutex::new(state), fanout: Fanout::default(), controls: Controls::default() }
    }
}

impl MemoryBus {
    /// A bus without logs and subscribers.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code panics under this lock; were it to, each log is still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tidy(&self, state: &mut State) {
        if state.tidied.elapsed() < TIDY_EVERY {
            return;
        }
        state.tidied = Instant::now();
        state.logs.retain(|_, log| log.written.elapsed() < LOG_LIFETIME);
        state.watched.retain(|_, until| *until > Instant::now());
        self.fanout.prune(Duration::ZERO, |_| {});
    }
}

impl State {
    fn log(&mut self, stream: Stream) -> Option<&mut Log> {
        if self.logs.get(&stream).is_some_and(|log| log.written.elapsed() >= LOG_LIFETIME) {
            self.logs.remove(&stream);
        }
        self.logs.get_mut(&stream)
    }

    fn is_watched(&self, session_id: SessionId) -> bool {
        self.watched.get(&session_id).is_some_and(|until| *until > Instant::now())
    }

    /// Grows, also over an earlier process.
    fn next_epoch(&mut self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as u64;
        self.last_epoch = now.max(self.last_epoch + 1);
        self.last_epoch
    }
}

#[async_trait]
impl Bus for MemoryBus {
    async fn publish(&self, publication: Publication) -> Result<Published, BusError> {
        let Publication { stream, fence, events, begin } = publication;
        let events = ordered(&begin, events);
        let mut state = self.lock();
        self.tidy(&mut state);
        if let Some(refusal) = state.log(stream).and_then(|log| log.refusal(fence)) {
            return Ok(refusal);
        }
        if state.log(stream).is_none() {
            if events.is_empty() || matches!(begin, Begin::Never) {
                return Ok(Published::Missing);
            }
            let epoch = state.next_epoch();
            state.logs.insert(stream, Log::new(epoch));
        }
        let watched = state.is_watched(stream.session_id);
        let Some(log) = state.log(stream) else { return Ok(Published::Missing) };
        if events.is_empty() {
            return Ok(log.sent(watched));
        }
        let frames = log.append(stream, fence, &begin, &events);
        let sent = log.sent(watched);
        // Under the lock: subscribers see the events in the order of their numbers.
        let signals: Vec<Signal> = frames.into_iter().map(Signal::Frame).collect();
        self.fanout.send(stream.session_id, &signals);
        Ok(sent)
    }

    async fn read(&self, stream: Stream, after: Option<Cursor>) -> Result<Replay, BusError> {
        Ok(self.lock().log(stream).map_or(Replay::Missing, |log| log.read(after)))
    }

    async fn subscribe(&self, session_id: SessionId) -> Result<mpsc::Receiver<Signal>, BusError> {
        let mut state = self.lock();
        self.tidy(&mut state);
        Ok(self.fanout.join(session_id, || {}))
    }

    async fn send_control(&self, control: Control) -> Result<(), BusError> {
        self.controls.send(control);
        Ok(())
    }

    async fn subscribe_control(&self) -> Result<mpsc::Receiver<Control>, BusError> {
        Ok(self.controls.join())
    }

    async fn forget(
        &self,
        session_id: SessionId,
        streams: &[Stream],
        farewell: Option<Fragment>,
    ) -> Result<(), BusError> {
        let mut state = self.lock();
        for stream in streams {
            state.logs.remove(stream);
        }
        if let Some(farewell) = farewell {
            state.watched.remove(&session_id);
            let message_id = streams.first().map_or(MessageId(0), |s| s.message_id);
            let json = complete(&farewell.json, 0, 0).into();
            let frame =
                Frame { message_id, subagent: None, epoch: 0, seq: 0, terminal: farewell.terminal, json };
            self.fanout.send(session_id, &[Signal::Frame(frame)]);
        }
        Ok(())
    }

    async fn watch(&self, session_id: SessionId, ttl: Duration) -> Result<(), BusError> {
        self.lock().watched.insert(session_id, Instant::now() + ttl);
        Ok(())
    }

    async fn ping(&self) -> Result<(), BusError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_log_lives_ten_minutes_after_its_last_event() {
        let bus = MemoryBus::new();
        let stream = Stream::of_turn(SessionId::generate(), MessageId(1));
        let publish = async || {
            let events = vec![Fragment { json: "{\"v\":1".into(), terminal: false }];
            bus.publish(Publication { stream, fence: Some(1), events, begin: Begin::IfMissing })
                .await
                .unwrap()
        };
        let first = publish().await;
        for seq in 2..5 {
            tokio::time::advance(Duration::from_mins(9)).await;
            assert!(matches!(publish().await, Published::Sent { seq: s, .. } if s == seq), "kept alive");
        }
        tokio::time::advance(Duration::from_mins(10)).await;
        assert_eq!(bus.read(stream, None).await.unwrap(), Replay::Missing);
        let Published::Sent { epoch: old, .. } = first else { panic!("{first:?}") };
        let again = publish().await;
        assert!(matches!(again, Published::Sent { epoch, seq: 1, .. } if epoch > old), "{again:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_needs_is_freed() {
        let bus = MemoryBus::new();
        for n in 0..100 {
            let stream = Stream::of_turn(SessionId::generate(), MessageId(n));
            drop(bus.subscribe(stream.session_id).await.unwrap());
            let events = vec![Fragment { json: "{\"v\":1".into(), terminal: true }];
            bus.publish(Publication { stream, fence: Some(1), events, begin: Begin::IfMissing })
                .await
                .unwrap();
        }
        tokio::time::advance(LOG_LIFETIME).await;
        let _kept = bus.subscribe(SessionId::generate()).await.unwrap();
        assert_eq!(bus.lock().logs.len(), 0);
        let mut gone = 0;
        bus.fanout.prune(Duration::ZERO, |_| gone += 1);
        assert_eq!(gone, 0, "pruned already");
    }
}
