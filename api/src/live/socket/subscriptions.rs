//! What one socket follows: sessions, and its place in each of their streams.

use crate::live::follow::is_farewell;
use crate::live::hub::Listening;
use crate::live::joiner::{Joiner, Offer};
use crate::live::outbox::Item;
use crate::live::{Live, Watch};
use shared::bus::Stream;
use shared::domain::ids::{MessageId, SessionId, TenantId};
use std::collections::HashMap;
use std::sync::Arc;

/// Sessions that one socket may follow.
pub const MAX_SESSIONS: usize = 256;
/// Streams that ended and are remembered, so that what was on its way is not sent twice.
const MAX_ENDED: usize = 32;

/// The followed sessions.
#[derive(Debug, Default)]
pub struct Subscriptions(HashMap<SessionId, Subscription>);

#[derive(Debug)]
struct Subscription {
    _listening: Listening,
    tracks: Vec<Track>,
}

#[derive(Debug)]
struct Track {
    message_id: MessageId,
    joiner: Joiner,
    /// While the stream has not ended.
    watch: Option<Watch>,
}

/// What to do about an item.
#[derive(Debug)]
pub enum Step {
    /// Send this.
    Send(Arc<str>),
    /// The client has it, or does not want it.
    Nothing,
    /// Read, and send what is found.
    CatchUp(What),
}

/// What is to be read.
#[derive(Debug, Clone, Copy)]
pub enum What {
    /// One stream from the client's place on.
    Stream(Stream),
    /// Every unfinished stream of a session.
    Session(SessionId),
}

impl Subscriptions {
    /// Whether the session is followed.
    pub fn has(&self, session_id: SessionId) -> bool {
        self.0.contains_key(&session_id)
    }

    /// Whether one more may be followed.
    pub fn full(&self) -> bool {
        self.0.len() >= MAX_SESSIONS
    }

    /// Follows a session from now on, if it did not already.
    pub fn add(&mut self, session_id: SessionId, listening: Listening) {
        self.0.entry(session_id).or_insert(Subscription { _listening: listening, tracks: Vec::new() });
    }

    /// Follows it no more.
    pub fn remove(&mut self, session_id: SessionId) {
        self.0.remove(&session_id);
    }

    /// The client's place in a stream; a default one if it has none yet.
    pub fn place(&self, stream: Stream) -> Joiner {
        self.track(stream).map(|t| t.joiner.clone()).unwrap_or_default()
    }

    /// Whether something of the stream was sent, or its place was given.
    pub fn knows(&self, stream: Stream) -> bool {
        self.track(stream).is_some()
    }

    fn track(&self, stream: Stream) -> Option<&Track> {
        self.0.get(&stream.session_id)?.tracks.iter().find(|t| t.message_id == stream.message_id)
    }

    /// The unfinished streams of a session that something was sent of.
    pub fn unfinished(&self, session_id: SessionId) -> Vec<MessageId> {
        let tracks = self.0.get(&session_id).map(|s| s.tracks.as_slice()).unwrap_or_default();
        tracks.iter().filter(|t| !t.joiner.ended()).map(|t| t.message_id).collect()
    }

    /// Sets the client's place in a stream of a followed session.
    pub fn set(&mut self, live: &Arc<Live>, tenant_id: TenantId, stream: Stream, joiner: Joiner) {
        let Some(subscription) = self.0.get_mut(&stream.session_id) else { return };
        let track = subscription.find_or_begin(live, tenant_id, stream);
        track.joiner = joiner;
        track.settle();
        subscription.tidy();
    }

    /// Forgets a stream: its turn is gone.
    pub fn forget(&mut self, stream: Stream) {
        if let Some(subscription) = self.0.get_mut(&stream.session_id) {
            subscription.tracks.retain(|t| t.message_id != stream.message_id);
        }
    }

    /// An item came out of the outbox.
    pub fn accept(&mut self, live: &Arc<Live>, tenant_id: TenantId, item: Item) -> Step {
        match item {
            Item::Gap(session_id) if self.has(session_id) => Step::CatchUp(What::Session(session_id)),
            Item::Gap(_) => Step::Nothing,
            Item::Look(message_id) => {
                let of = |(id, s): (&SessionId, &Subscription)| {
                    s.tracks.iter().any(|t| t.message_id == message_id).then_some(*id)
                };
                match self.0.iter().find_map(of) {
                    Some(session_id) => Step::CatchUp(What::Stream(Stream::of_turn(session_id, message_id))),
                    None => Step::Nothing,
                }
            }
            Item::Frame(session_id, frame) => {
                let Some(subscription) = self.0.get_mut(&session_id) else { return Step::Nothing };
                if is_farewell(&frame) {
                    self.0.remove(&session_id);
                    return Step::Send(frame.json);
                }
                let stream = Stream::of_turn(session_id, frame.message_id);
                let track = subscription.find_or_begin(live, tenant_id, stream);
                match track.joiner.offer(&frame) {
                    Offer::Known => Step::Nothing,
                    Offer::Read => Step::CatchUp(What::Stream(stream)),
                    Offer::Send => {
                        track.settle();
                        if frame.terminal {
                            subscription.tidy();
                        }
                        Step::Send(frame.json)
                    }
                }
            }
        }
    }
}

impl Subscription {
    fn find_or_begin(&mut self, live: &Arc<Live>, tenant_id: TenantId, stream: Stream) -> &mut Track {
        let at = self.tracks.iter().position(|t| t.message_id == stream.message_id).unwrap_or_else(|| {
            let watch = Some(live.watch(tenant_id, stream.session_id, stream.message_id));
            self.tracks.push(Track { message_id: stream.message_id, joiner: Joiner::default(), watch });
            self.tracks.len() - 1
        });
        &mut self.tracks[at]
    }

    fn tidy(&mut self) {
        let mut ended = self.tracks.iter().filter(|t| t.joiner.ended()).count();
        self.tracks.retain(|t| {
            let drop = t.joiner.ended() && ended > MAX_ENDED;
            ended -= usize::from(drop);
            !drop
        });
    }
}

impl Track {
    fn settle(&mut self) {
        if self.joiner.ended() {
            self.watch = None;
        }
    }
}
