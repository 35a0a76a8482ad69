//! The bus on Redis, for a cluster. A stream's log and state and its session's channel carry the
//! session as hash tag; the process's subscribers share one connection.

use super::fanout::{Controls, Fanout};
use super::log::replay;
use super::payload::{farewell, frames, name, ordered};
use super::{
    Begin, Bus, BusError, Control, LINGER, LOG_CAP, LOG_LIFETIME, Publication, Published, Replay, Signal,
    Stream,
};
use crate::domain::events::{Cursor, Fragment};
use crate::domain::ids::{MessageId, SessionId};
use crate::wire::{Ear, Wire};
use async_trait::async_trait;
use redis::Script;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::task::AbortOnDropHandle;

/// Bytes of events in one call; larger publications take several.
const CALL_BYTES: usize = LOG_CAP / 2;
/// Keys in one UNLINK.
const CHUNK: usize = 500;

/// Logs and channels on Redis, shared by all processes.
pub struct RedisBus {
    wire: Wire,
    publish: Script,
    log_lifetime: Duration,
    fanout: Arc<Fanout>,
    controls: Arc<Controls>,
    _janitor: AbortOnDropHandle<()>,
}

impl std::fmt::Debug for RedisBus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisBus").field("wire", &self.wire).finish_non_exhaustive()
    }
}

/// Passes a session's channel on to its subscribers.
struct SessionEar {
    session: SessionId,
    fanout: Arc<Fanout>,
}

impl Ear for SessionEar {
    fn heard(&self, payload: &[u8]) {
        match frames(payload) {
            Some(frames) => {
                let signals: Vec<Signal> = frames.into_iter().map(Signal::Frame).collect();
                self.fanout.send(self.session, &signals);
            }
            // Whoever sent it: the readers find in the log what they missed.
            None => self.gap(),
        }
    }
    fn gap(&self) {
        self.fanout.send(self.session, &[Signal::Gap]);
    }
}

struct ControlEar(Arc<Controls>);

impl Ear for ControlEar {
    fn heard(&self, payload: &[u8]) {
        match serde_json::from_slice(payload) {
            Ok(control) => self.0.send(control),
            Err(error) => tracing::warn!(%error, "a control message that is none"),
        }
    }
    fn gap(&self) {}
}

impl RedisBus {
    /// The bus of all processes that use the same Redis and prefix. Needs a tokio runtime.
    pub fn new(wire: Wire) -> Self {
        Self::with(wire, LOG_LIFETIME, LINGER)
    }

    fn with(wire: Wire, log_lifetime: Duration, linger: Duration) -> Self {
        let fanout = Arc::new(Fanout::default());
        let janitor = tokio::spawn(tidy(wire.clone(), Arc::clone(&fanout), linger));
        Self {
            wire,
            publish: Script::new(include_str!("publish.lua")),
            log_lifetime,
            fanout,
            controls: Arc::default(),
            _janitor: AbortOnDropHandle::new(janitor),
        }
    }

    fn log_key(&self, stream: Stream) -> String {
        self.wire.key(format_args!("{{{}}}:ev:{}", stream.session_id, name(stream)))
    }

    fn state_key(&self, stream: Stream) -> String {
        self.wire.key(format_args!("{{{}}}:st:{}", stream.session_id, name(stream)))
    }

    fn watch_key(&self, session: SessionId) -> String {
        self.wire.key(format_args!("{{{session}}}:watch"))
    }

    fn control_channel(&self) -> String {
        self.wire.key(format_args!("control"))
    }

    async fn call(
        &self,
        stream: Stream,
        fence: Option<i64>,
        begin: u8,
        events: &[Fragment],
    ) -> Result<Published, BusError> {
        let mut call = self.publish.prepare_invoke();
        call.key(self.log_key(stream)).key(self.state_key(stream)).key(self.watch_key(stream.session_id));
        call.arg(fence.map(|f| f.to_string()).unwrap_or_default());
        call.arg(begin).arg(u8::from(events.last().is_some_and(|e| e.terminal)));
        call.arg(LOG_CAP).arg(self.log_lifetime.as_millis() as u64);
        call.arg(channel(&self.wire, stream.session_id)).arg(name(stream));
        for event in events {
            call.arg(&event.json);
        }
        match self.wire.run(&call).await? {
            (0_u8, epoch, seq, log_bytes, watched) => Ok(Published::Sent { epoch, seq, log_bytes, watched }),
            (1, ..) => Ok(Published::Missing),
            (2, ..) => Ok(Published::Stale),
            _ => Ok(Published::Closed),
        }
    }
}

fn channel(wire: &Wire, session: SessionId) -> String {
    wire.key(format_args!("{{{session}}}:live"))
}

/// Gives up the channels of sessions that nobody here reads.
async fn tidy(wire: Wire, fanout: Arc<Fanout>, linger: Duration) {
    let mut tick = tokio::time::interval((linger / 4).max(Duration::from_millis(20)));
    loop {
        tick.tick().await;
        fanout.prune(linger, |session| wire.hub().unwant(&channel(&wire, session)));
    }
}

/// Where the next call's events end: at least one event, at most about `CALL_BYTES`.
fn split(events: &[Fragment]) -> usize {
    let mut bytes = 0;
    let fits = events.iter().take_while(|event| {
        bytes += event.json.len();
        bytes <= CALL_BYTES
    });
    fits.count().max(1).min(events.len())
}

#[async_trait]
impl Bus for RedisBus {
    async fn publish(&self, publication: Publication) -> Result<Published, BusError> {
        let Publication { stream, fence, events, begin } = publication;
        let events = ordered(&begin, events);
        let mode = match begin {
            Begin::Never => 0,
            Begin::IfMissing => 1,
            Begin::Snapshot(_) => 2,
        };
        let (now, mut later) = events.split_at(split(&events));
        let mut published = self.call(stream, fence, mode, now).await?;
        while !later.is_empty() && matches!(published, Published::Sent { .. }) {
            let (now, rest) = later.split_at(split(later));
            published = self.call(stream, fence, 0, now).await?;
            later = rest;
        }
        Ok(published)
    }

    async fn read(&self, stream: Stream, after: Option<Cursor>) -> Result<Replay, BusError> {
        let mut both = redis::pipe();
        both.atomic().get(self.state_key(stream)).lrange(self.log_key(stream), 0, -1);
        let (state, log): (Option<String>, Vec<Vec<u8>>) = self.wire.send_all(&both).await?;
        let state = state.unwrap_or_default();
        let mut fields = state.split(' ');
        let (Some(Ok(epoch)), Some(Ok(last)), Some(whole)) =
            (fields.next().map(str::parse), fields.next().map(str::parse), fields.nth(3))
        else {
            return Ok(Replay::Missing);
        };
        let frames: Option<Vec<_>> = log.iter().map(|entry| frames(entry)).collect();
        let Some(frames) = frames else {
            return Err(BusError::Unavailable("a log is unreadable".to_owned()));
        };
        Ok(replay(epoch, last, whole == "1", frames.into_iter().flatten().collect(), after))
    }

    async fn subscribe(&self, session_id: SessionId) -> Result<mpsc::Receiver<Signal>, BusError> {
        let channel = channel(&self.wire, session_id);
        let receiver = self.fanout.join(session_id, || {
            self.wire.hub().want(&channel, || {
                Arc::new(SessionEar { session: session_id, fanout: Arc::clone(&self.fanout) })
            });
        });
        self.wire.hub().confirmed(&channel).await?;
        Ok(receiver)
    }

    async fn send_control(&self, control: Control) -> Result<(), BusError> {
        let text = serde_json::to_string(&control).map_err(|e| BusError::Unavailable(e.to_string()))?;
        Ok(self.wire.send(redis::cmd("PUBLISH").arg(self.control_channel()).arg(text)).await?)
    }

    async fn subscribe_control(&self) -> Result<mpsc::Receiver<Control>, BusError> {
        let channel = self.control_channel();
        let receiver = self.controls.join();
        self.wire.hub().want(&channel, || Arc::new(ControlEar(Arc::clone(&self.controls))));
        self.wire.hub().confirmed(&channel).await?;
        Ok(receiver)
    }

    async fn forget(
        &self,
        session_id: SessionId,
        streams: &[Stream],
        last: Option<Fragment>,
    ) -> Result<(), BusError> {
        for chunk in streams.chunks(CHUNK) {
            let mut unlink = redis::cmd("UNLINK");
            for &stream in chunk {
                unlink.arg(self.log_key(stream)).arg(self.state_key(stream));
            }
            self.wire.send::<()>(&unlink).await?;
        }
        if let Some(last) = last {
            self.wire.send::<()>(redis::cmd("UNLINK").arg(self.watch_key(session_id))).await?;
            let text = farewell(streams.first().map_or(MessageId(0), |s| s.message_id), &last);
            let channel = channel(&self.wire, session_id);
            self.wire.send::<()>(redis::cmd("PUBLISH").arg(channel).arg(text)).await?;
        }
        Ok(())
    }

    async fn watch(&self, session_id: SessionId, ttl: Duration) -> Result<(), BusError> {
        let mut mark = redis::cmd("SET");
        mark.arg(self.watch_key(session_id)).arg(1).arg("PX").arg(ttl.as_millis().max(1) as u64);
        Ok(self.wire.send(&mark).await?)
    }

    async fn ping(&self) -> Result<(), BusError> {
        Ok(self.wire.ping().await?)
    }
}

#[cfg(test)]
mod tests;
