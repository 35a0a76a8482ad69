//! Joins what a stream's log holds with what arrives live into one sequence without gap, repetition
//! or disorder. Pure: it says when the log must be read, and is given what was read.

use shared::bus::{Frame, Replay};
use shared::domain::events::Cursor;

/// One reader's place in one stream.
#[derive(Debug, Clone, Default)]
pub struct Joiner {
    at: Option<Cursor>,
    ended: bool,
    /// Live frames since the log was found without its beginning; 0: it was not.
    lost: u32,
}

/// What to do with a live frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offer {
    /// It is next: send it.
    Send,
    /// The reader has it.
    Known,
    /// Something before it is missing: read the log and call [`Joiner::replay`].
    Read,
}

/// What to do with what was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejoin {
    /// Send these, in order; possibly none.
    Send(Vec<Frame>),
    /// They do not follow what the reader has: what they add up to is to be sent as one `resync`,
    /// and [`Joiner::place`] called.
    Resync(Vec<Frame>),
    /// There is no log: what the rows say is to be sent as `resync`, and [`Joiner::place`] called.
    Missing,
}

impl Joiner {
    /// A reader who has all up to the cursor; None: nothing.
    pub fn new(at: Option<Cursor>) -> Self {
        Self { at, ended: false, lost: 0 }
    }

    /// Where the reader is.
    pub fn at(&self) -> Option<Cursor> {
        self.at
    }

    /// Whether the reader has the stream's last event.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// A frame arrived live.
    pub fn offer(&mut self, frame: &Frame) -> Offer {
        if self.ended {
            return Offer::Known;
        }
        let next = match self.at {
            None => frame.seq == 1,
            Some(at) if frame.epoch < at.epoch => return Offer::Known,
            Some(at) if frame.epoch > at.epoch => false,
            Some(at) if frame.seq <= at.seq => return Offer::Known,
            Some(at) => frame.seq == at.seq + 1,
        };
        if next || is_snapshot(frame) {
            self.step(frame);
            return Offer::Send;
        }
        if self.lost == 0 {
            return Offer::Read;
        }
        // The log can't tell what is missing until its writer puts a snapshot: ask seldom.
        self.lost = self.lost.saturating_add(1);
        if frame.terminal || self.lost.is_power_of_two() { Offer::Read } else { Offer::Known }
    }

    /// The log was read after [`Joiner::at`].
    pub fn replay(&mut self, replay: Replay) -> Rejoin {
        match replay {
            _ if self.ended => Rejoin::Send(Vec::new()),
            Replay::Missing => {
                self.lost = self.lost.max(1);
                Rejoin::Missing
            }
            // A reader without a cursor takes the log from its beginning, whatever that is.
            Replay::Frames { frames, follows } if follows || self.at.is_none() => {
                if let Some(last) = frames.last() {
                    self.step(last);
                }
                Rejoin::Send(frames)
            }
            Replay::Frames { frames, .. } => Rejoin::Resync(frames),
        }
    }

    /// The reader was given the whole picture up to here.
    pub fn place(&mut self, at: Cursor, ended: bool) {
        self.at = Some(at);
        self.ended = ended;
    }

    fn step(&mut self, frame: &Frame) {
        self.place(Cursor { epoch: frame.epoch, seq: frame.seq }, frame.terminal);
        self.lost = 0;
    }
}

/// Whether the frame tells everything that came before it. Quotes within its texts are escaped, so
/// that these bytes are the envelope's own.
fn is_snapshot(frame: &Frame) -> bool {
    frame.json.contains(r#""type":"resync""#)
}

#[cfg(test)]
#[path = "joiner_tests.rs"]
mod tests;
