//! What one socket follows: sessions, and its place in each of their streams.

use crate::live::follow::is_farewell;
use crate::live::hub::{Interest, Listening};
use crate::live::joiner::{Joiner, Offer};
use crate::live::outbox::Item;
use crate::live::{Following, Level, Live, Watch};
use shared::bus::Stream;
use shared::domain::ids::{MessageId, SessionId, TenantId};
use std::collections::HashMap;
use std::sync::Arc;

/// Sessions that one socket may follow.
pub const MAX_SESSIONS: usize = 256;
/// Streams that ended and are remembered, so that what was on its way is not sent twice.
const MAX_ENDED: usize = 32;
/// The same, of subagents.
const MAX_ENDED_SUBAGENTS: usize = 64;

/// The followed sessions.
#[derive(Debug, Default)]
pub struct Subscriptions(HashMap<SessionId, Subscription>);

#[derive(Debug)]
struct Subscription {
    listening: Listening,
    /// While subagents are followed.
    following: Option<Following>,
    tracks: Vec<Track>,
}

#[derive(Debug)]
struct Track {
    stream: Stream,
    joiner: Joiner,
    /// While a turn's own stream has not ended.
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
    /// Every unfinished stream of a turn.
    Turn(SessionId, MessageId),
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
        self.0.entry(session_id).or_insert(Subscription { listening, following: None, tracks: Vec::new() });
    }

    /// Whether the session's subagents are followed, too.
    pub fn level(&self, session_id: SessionId) -> Level {
        let following = self.0.get(&session_id).is_some_and(|s| s.following.is_some());
        if following { Level::Subagents } else { Level::Turn }
    }

    /// Follows subagents from now on.
    pub fn widen(&mut self, session_id: SessionId, following: Following) {
        if let Some(subscription) = self.0.get_mut(&session_id) {
            subscription.listening.narrow(Interest::Session(Level::Subagents));
            subscription.following = Some(following);
        }
    }

    /// Follows subagents no more.
    pub fn narrow(&mut self, session_id: SessionId) {
        if let Some(subscription) = self.0.get_mut(&session_id) {
            subscription.listening.narrow(Interest::Session(Level::Turn));
            subscription.following = None;
            subscription.tracks.retain(|t| t.stream.subagent.is_none());
        }
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
        self.0.get(&stream.session_id)?.tracks.iter().find(|t| t.stream == stream)
    }

    /// The unfinished streams of a session that something was sent of.
    pub fn unfinished(&self, session_id: SessionId) -> Vec<Stream> {
        let tracks = self.0.get(&session_id).map(|s| s.tracks.as_slice()).unwrap_or_default();
        let open = tracks.iter().filter(|t| !t.joiner.ended()).map(|t| t.stream);
        let (turns, subagents): (Vec<Stream>, Vec<Stream>) = open.partition(|s| s.subagent.is_none());
        // Subagents first: what a turn's end says of them comes last.
        subagents.into_iter().chain(turns).collect()
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
            subscription.tracks.retain(|t| t.stream != stream);
        }
    }

    /// An item came out of the outbox.
    pub fn accept(&mut self, live: &Arc<Live>, tenant_id: TenantId, item: Item) -> Step {
        match item {
            Item::Gap(session_id) if self.has(session_id) => Step::CatchUp(What::Session(session_id)),
            Item::Gap(_) => Step::Nothing,
            Item::Look(message_id) => {
                let of = |(id, s): (&SessionId, &Subscription)| {
                    s.tracks.iter().any(|t| t.stream.message_id == message_id).then_some(*id)
                };
                match self.0.iter().find_map(of) {
                    Some(session_id) => Step::CatchUp(What::Turn(session_id, message_id)),
                    None => Step::Nothing,
                }
            }
            Item::Frame(session_id, frame) => {
                let Some(subscription) = self.0.get_mut(&session_id) else { return Step::Nothing };
                if is_farewell(&frame) {
                    self.0.remove(&session_id);
                    return Step::Send(frame.json);
                }
                if frame.subagent.is_some() && subscription.following.is_none() {
                    return Step::Nothing;
                }
                let stream = Stream { session_id, message_id: frame.message_id, subagent: frame.subagent };
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
        let at = self.tracks.iter().position(|t| t.stream == stream).unwrap_or_else(|| {
            // A subagent's stream is looked at with its turn's.
            let watch = match stream.subagent {
                None => Some(live.watch(tenant_id, stream.session_id, stream.message_id)),
                Some(_) => None,
            };
            self.tracks.push(Track { stream, joiner: Joiner::default(), watch });
            self.tracks.len() - 1
        });
        &mut self.tracks[at]
    }

    fn tidy(&mut self) {
        for (of_turns, most) in [(true, MAX_ENDED), (false, MAX_ENDED_SUBAGENTS)] {
            let is_one = |t: &Track| t.joiner.ended() && t.stream.subagent.is_none() == of_turns;
            let mut ended = self.tracks.iter().filter(|t| is_one(t)).count();
            self.tracks.retain(|t| {
                let drop = is_one(t) && ended > most;
                ended -= usize::from(drop);
                !drop
            });
        }
    }
}

impl Track {
    fn settle(&mut self) {
        if self.joiner.ended() {
            self.watch = None;
        }
    }
}
