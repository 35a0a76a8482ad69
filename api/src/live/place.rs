//! Where a reader stands in a session who asks for its events again and again: the streams that have
//! not ended, the place in each, and the newest message that is known.

use super::Level;
use super::joiner::Joiner;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use shared::bus::{Frame, Stream};
use shared::domain::events::Cursor;
use shared::domain::ids::{MessageId, SessionId, SubagentId};

/// Subagents of turns that ended which are still read on, because their own streams have not.
const MAX_LEFT_OVER: usize = 64;

/// A reader's place in a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// What is told.
    #[serde(rename = "l")]
    pub level: Level,
    /// Turns beyond it are new; those up to it that are not among the spots are over.
    #[serde(rename = "n")]
    pub newest: MessageId,
    #[serde(rename = "s")]
    spots: Vec<Spot>,
}

/// The place in one stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Short", into = "Short")]
struct Spot {
    message_id: MessageId,
    subagent: Option<SubagentId>,
    /// None: nothing was told of it yet.
    at: Option<Cursor>,
    ended: bool,
}

/// A spot as it is written.
type Short = (MessageId, Option<SubagentId>, Option<(u64, u64)>, bool);

impl From<Short> for Spot {
    fn from((message_id, subagent, at, ended): Short) -> Self {
        Self { message_id, subagent, at: at.map(|(epoch, seq)| Cursor { epoch, seq }), ended }
    }
}

impl From<Spot> for Short {
    fn from(spot: Spot) -> Self {
        (spot.message_id, spot.subagent, spot.at.map(|at| (at.epoch, at.seq)), spot.ended)
    }
}

impl Spot {
    fn stream(&self, session_id: SessionId) -> Stream {
        Stream { session_id, message_id: self.message_id, subagent: self.subagent }
    }

    fn is_of(&self, stream: Stream) -> bool {
        self.message_id == stream.message_id && self.subagent == stream.subagent
    }
}

impl Place {
    /// Of somebody who knows nothing.
    pub fn new(level: Level) -> Self {
        Self { level, newest: MessageId(0), spots: Vec::new() }
    }

    /// Reads what [`Place::to_text`] wrote.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
    }

    /// Opaque for the reader.
    pub fn to_text(&self) -> String {
        // Numbers only: this cannot fail.
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    /// Changes what is told from here on. True: subagents, which were not.
    pub fn set_level(&mut self, level: Level) -> bool {
        let widened = level == Level::Subagents && self.level == Level::Turn;
        if level == Level::Turn {
            self.spots.retain(|s| s.subagent.is_none());
        }
        self.level = level;
        widened
    }

    /// The places to go on from.
    pub fn joiners(&self, session_id: SessionId) -> impl Iterator<Item = (Stream, Joiner)> {
        self.spots.iter().map(move |spot| {
            let mut joiner = Joiner::new(spot.at);
            if spot.ended {
                joiner.place(spot.at.unwrap_or_default(), true);
            }
            (spot.stream(session_id), joiner)
        })
    }

    /// Streams that are to be read on: turn by turn, its subagents first, because what a turn's end says
    /// of them comes last.
    pub fn unfinished(&self, session_id: SessionId) -> Vec<Stream> {
        let mut open: Vec<&Spot> = self.spots.iter().filter(|s| !s.ended).collect();
        open.sort_by_key(|s| (s.message_id, s.subagent.is_none(), s.subagent));
        open.into_iter().map(|s| s.stream(session_id)).collect()
    }

    /// Turns of which the end was not told.
    pub fn unfinished_turns(&self) -> Vec<MessageId> {
        let open = self.spots.iter().filter(|s| !s.ended && s.subagent.is_none());
        open.map(|s| s.message_id).collect()
    }

    /// From now on it is told of.
    pub fn know(&mut self, stream: Stream) {
        if !self.spots.iter().any(|s| s.is_of(stream)) {
            let Stream { message_id, subagent, .. } = stream;
            self.spots.push(Spot { message_id, subagent, at: None, ended: false });
        }
    }

    /// Nothing more is to be told of it.
    pub fn finish(&mut self, stream: Stream) {
        self.spots.iter_mut().filter(|s| s.is_of(stream)).for_each(|s| s.ended = true);
    }

    /// It is gone.
    pub fn forget(&mut self, stream: Stream) {
        self.spots.retain(|s| !s.is_of(stream));
    }

    /// The reader is given this event.
    pub fn step(&mut self, session_id: SessionId, frame: &Frame) {
        let stream = Stream { session_id, message_id: frame.message_id, subagent: frame.subagent };
        self.know(stream);
        for spot in self.spots.iter_mut().filter(|s| s.is_of(stream)) {
            spot.at = Some(Cursor { epoch: frame.epoch, seq: frame.seq });
            spot.ended = frame.terminal;
        }
    }

    /// Forgets turns that were told to their end, with their subagents.
    pub fn tidy(&mut self) {
        let of = |message_id| self.spots.iter().filter(move |s: &&Spot| s.message_id == message_id);
        let over: Vec<MessageId> =
            self.spots.iter().filter(|s| s.subagent.is_none() && s.ended).map(|s| s.message_id).collect();
        let mut left = 0;
        let mut drop: Vec<MessageId> = Vec::new();
        for &message_id in over.iter().rev() {
            let open = of(message_id).filter(|s| !s.ended).count();
            left += open;
            if open == 0 || left > MAX_LEFT_OVER {
                drop.push(message_id);
            }
        }
        self.spots.retain(|s| !drop.contains(&s.message_id));
    }
}
