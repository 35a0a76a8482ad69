//! A reader against a model of a stream: whatever is lost, doubled or replaced on the way, what it
//! shows is always a true beginning of the stream, and in the end the whole of it.

use super::{Joiner, Offer, Rejoin};
use proptest::prelude::*;
use shared::bus::{Frame, Replay};
use shared::domain::events::Cursor;
use shared::domain::ids::MessageId;
use std::collections::VecDeque;

/// What a frame of the model says: one more event, or the picture of so many.
fn frame(epoch: u64, seq: u64, terminal: bool, says: &str) -> Frame {
    Frame { message_id: MessageId(1), subagent: None, epoch, seq, terminal, json: says.into() }
}

/// A stream's writer with its log. Event number n says `n`; a snapshot after n events names them.
#[derive(Default)]
struct Model {
    events: u64,
    /// Of those, what the rows show.
    stored: u64,
    epoch: u64,
    seq: u64,
    log: VecDeque<Frame>,
    whole: bool,
    closed: bool,
}

impl Model {
    fn publish(&mut self, terminal: bool, snapshot: bool) -> Vec<Frame> {
        if self.closed {
            return Vec::new();
        }
        let mut says = Vec::new();
        if snapshot || (self.log.is_empty() && self.events > 0) {
            says.push((false, format!(r#"{{"type":"resync","n":{}}}"#, self.events)));
        }
        self.events += 1;
        says.push((terminal, self.events.to_string()));
        if self.log.is_empty() {
            (self.epoch, self.seq) = (self.epoch + 1, 0);
        }
        if says.len() == 2 || self.log.is_empty() {
            self.log.clear();
            self.whole = true;
        }
        self.closed = terminal;
        let mut sent = Vec::new();
        for (terminal, text) in says {
            self.seq += 1;
            sent.push(frame(self.epoch, self.seq, terminal, &text));
        }
        self.log.extend(sent.iter().cloned());
        sent
    }

    fn read(&self, after: Option<Cursor>) -> Replay {
        let Some(first) = self.log.front().map(|f| f.seq) else { return Replay::Missing };
        if let Some(at) = after
            && at.epoch == self.epoch
            && (first - 1..=self.seq).contains(&at.seq)
        {
            let frames = self.log.iter().filter(|f| f.seq > at.seq).cloned().collect();
            return Replay::Frames { frames, follows: true };
        }
        if self.whole {
            Replay::Frames { frames: self.log.iter().cloned().collect(), follows: false }
        } else {
            Replay::Missing
        }
    }
}

#[derive(Default)]
struct Reader {
    joiner: Joiner,
    /// The numbers of the events that it shows.
    shows: Vec<u64>,
    ends: usize,
}

impl Reader {
    fn show(&mut self, frame: &Frame) {
        match frame.json.strip_prefix(r#"{"type":"resync","n":"#) {
            Some(rest) => self.shows = (1..=rest.trim_end_matches('}').parse().unwrap()).collect(),
            None => self.shows.push(frame.json.parse().unwrap()),
        }
        self.ends += usize::from(frame.terminal);
    }

    fn show_all(&mut self, frames: &[Frame]) {
        for frame in frames {
            self.show(frame);
        }
    }

    fn receive(&mut self, frame: &Frame, model: &Model) {
        match self.joiner.offer(frame) {
            Offer::Send => self.show(frame),
            Offer::Known => {}
            Offer::Read => self.read(model),
        }
    }

    fn read(&mut self, model: &Model) {
        match self.joiner.replay(model.read(self.joiner.at())) {
            Rejoin::Send(frames) => self.show_all(&frames),
            Rejoin::Resync(frames) => {
                self.shows.clear();
                self.show_all(&frames);
                let last = frames.last().unwrap();
                self.joiner.place(Cursor { epoch: last.epoch, seq: last.seq }, last.terminal);
            }
            Rejoin::Missing => {
                self.shows = (1..=model.stored).collect();
                self.joiner.place(Cursor { epoch: 0, seq: 0 }, false);
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Op {
    Publish,
    PublishWithSnapshot,
    /// The rows take in what was published.
    Store,
    /// The log loses its oldest frames, or all.
    Shorten(usize),
    LoseLog,
    /// The wire swallows what is on its way and says so.
    Gap,
    /// The wire doubles what is next.
    Double,
    /// The reader reads what is on its way.
    Receive(usize),
    /// The reader comes anew, with its cursor or without.
    Return(bool),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => Just(Op::Publish),
        1 => Just(Op::PublishWithSnapshot),
        1 => Just(Op::Store),
        1 => (1..5usize).prop_map(Op::Shorten),
        1 => Just(Op::LoseLog),
        1 => Just(Op::Gap),
        1 => Just(Op::Double),
        5 => (1..4usize).prop_map(Op::Receive),
        1 => any::<bool>().prop_map(Op::Return),
    ]
}

proptest! {
    #[test]
    fn a_reader_shows_a_true_beginning_at_all_times_and_the_whole_in_the_end(
        ops in proptest::collection::vec(op(), 1..80),
    ) {
        let (mut model, mut reader) = (Model::default(), Reader::default());
        // None: a gap.
        let mut wire: VecDeque<Option<Frame>> = VecDeque::new();
        let step = |reader: &mut Reader, model: &Model, item: Option<Frame>| match item {
            Some(frame) => reader.receive(&frame, model),
            None => reader.read(model),
        };
        for op in ops {
            match op {
                Op::Publish => wire.extend(model.publish(false, false).into_iter().map(Some)),
                Op::PublishWithSnapshot => wire.extend(model.publish(false, true).into_iter().map(Some)),
                Op::Store => model.stored = model.events,
                Op::Shorten(n) => {
                    let n = n.min(model.log.len().saturating_sub(1));
                    model.log.drain(..n);
                    model.whole &= n == 0;
                }
                Op::LoseLog => model.log.clear(),
                Op::Gap => {
                    wire.clear();
                    wire.push_back(None);
                }
                Op::Double => {
                    if let Some(next) = wire.front().cloned() {
                        wire.push_front(next);
                    }
                }
                Op::Receive(n) => {
                    for _ in 0..n {
                        let Some(item) = wire.pop_front() else { break };
                        step(&mut reader, &model, item);
                    }
                }
                Op::Return(with_cursor) => {
                    wire.clear();
                    let at = reader.joiner.at().filter(|_| with_cursor);
                    if at.is_none() {
                        reader.shows.clear();
                    }
                    reader.joiner = Joiner::new(at);
                    reader.read(&model);
                }
            }
            let beginning: Vec<u64> = (1..=reader.shows.len() as u64).collect();
            prop_assert_eq!(&reader.shows, &beginning);
            prop_assert!(reader.shows.len() as u64 <= model.events);
        }
        // The writer ends as the real one does: with a snapshot where the log has no beginning.
        let heal = !model.whole;
        wire.extend(model.publish(true, heal).into_iter().map(Some));
        while let Some(item) = wire.pop_front() {
            step(&mut reader, &model, item);
        }
        prop_assert_eq!(&reader.shows, &(1..=model.events).collect::<Vec<_>>());
        prop_assert_eq!(reader.ends, 1);
        prop_assert!(reader.joiner.ended());
    }
}

#[test]
fn a_reader_without_its_log_asks_seldom() {
    let mut joiner = Joiner::new(Some(Cursor { epoch: 3, seq: 9 }));
    assert_eq!(joiner.replay(Replay::Missing), Rejoin::Missing);
    joiner.place(Cursor { epoch: 0, seq: 0 }, false);
    let asked = (11..=74).filter(|seq| {
        let offer = joiner.offer(&frame(3, *seq, false, "x"));
        if offer == Offer::Read {
            joiner.replay(Replay::Missing);
        }
        offer == Offer::Read
    });
    assert_eq!(asked.count(), 6, "at the 2nd, 4th, 8th, 16th, 32nd and 64th");
    let snapshot = frame(3, 75, false, r#"{"type":"resync"}"#);
    assert_eq!(joiner.offer(&snapshot), Offer::Send);
    assert_eq!(joiner.offer(&frame(3, 76, true, "x")), Offer::Send);
    assert_eq!(joiner.offer(&frame(3, 77, false, "x")), Offer::Known, "nothing after the end");
}
