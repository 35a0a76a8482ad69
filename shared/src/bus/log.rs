//! The rules of one stream's log, for the memory adapter; `publish.lua` has the same.

use super::{Begin, Frame, LOG_CAP, Published, Replay, Stream};
use crate::domain::events::{Cursor, Fragment, complete};
use std::collections::VecDeque;
use tokio::time::Instant;

/// One stream's log.
#[derive(Debug)]
pub(super) struct Log {
    epoch: u64,
    /// Number of the last event.
    seq: u64,
    /// The highest fence seen.
    fence: i64,
    closed: bool,
    /// Whether the first frame is a beginning: the stream's first event, or a snapshot.
    whole: bool,
    bytes: usize,
    frames: VecDeque<Frame>,
    pub(super) written: Instant,
}

impl Log {
    pub(super) fn new(epoch: u64) -> Self {
        Self {
            epoch,
            seq: 0,
            fence: 0,
            closed: false,
            whole: true,
            bytes: 0,
            frames: VecDeque::new(),
            written: Instant::now(),
        }
    }

    /// Why nothing may be added by the holder of this fence.
    pub(super) fn refusal(&self, fence: Option<i64>) -> Option<Published> {
        if fence.is_some_and(|f| f < self.fence) {
            Some(Published::Stale)
        } else {
            self.closed.then_some(Published::Closed)
        }
    }

    /// Numbers and adds events; returns them as frames.
    pub(super) fn append(
        &mut self,
        stream: Stream,
        fence: Option<i64>,
        begin: &Begin,
        events: &[Fragment],
    ) -> Vec<Frame> {
        if matches!(begin, Begin::Snapshot(_)) {
            self.frames.clear();
            self.bytes = 0;
            self.whole = true;
        }
        let Stream { message_id, subagent, .. } = stream;
        let mut added = Vec::with_capacity(events.len());
        for event in events {
            self.seq += 1;
            let json = complete(&event.json, self.seq, self.epoch).into();
            let terminal = event.terminal;
            added.push(Frame { message_id, subagent, epoch: self.epoch, seq: self.seq, terminal, json });
            self.closed |= terminal;
        }
        self.bytes += added.iter().map(|f| f.json.len()).sum::<usize>();
        self.frames.extend(added.iter().cloned());
        self.shorten();
        self.fence = fence.unwrap_or(self.fence);
        self.written = Instant::now();
        added
    }

    fn shorten(&mut self) {
        if self.bytes <= LOG_CAP {
            return;
        }
        while self.bytes > LOG_CAP / 2 && self.frames.len() > 1 {
            let Some(oldest) = self.frames.pop_front() else { break };
            self.bytes -= oldest.json.len();
            self.whole = false;
        }
    }

    pub(super) fn sent(&self, watched: bool) -> Published {
        Published::Sent { epoch: self.epoch, seq: self.seq, log_bytes: self.bytes as u64, watched }
    }

    pub(super) fn read(&self, after: Option<Cursor>) -> Replay {
        replay(self.epoch, self.seq, self.whole, self.frames.iter().cloned().collect(), after)
    }
}

/// What a reader with this cursor gets from a log.
pub(super) fn replay(
    epoch: u64,
    last: u64,
    whole: bool,
    mut frames: Vec<Frame>,
    after: Option<Cursor>,
) -> Replay {
    let Some(first) = frames.first().map(|f| f.seq) else { return Replay::Missing };
    if let Some(cursor) = after
        && cursor.epoch == epoch
        && (first - 1..=last).contains(&cursor.seq)
    {
        frames.retain(|f| f.seq > cursor.seq);
        return Replay::Frames { frames, follows: true };
    }
    if whole { Replay::Frames { frames, follows: false } } else { Replay::Missing }
}
