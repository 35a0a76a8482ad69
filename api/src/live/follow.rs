//! One turn's events for one reader, in order, without gap or repetition, up to the last one.

use super::hub::{Interest, Listening};
use super::joiner::{Joiner, Offer};
use super::outbox::{Item, Outbox};
use super::{Live, Watch};
use shared::bus::{Frame, Stream};
use shared::domain::events::Cursor;
use shared::domain::ids::TenantId;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// A reader of one stream.
#[derive(Debug)]
pub struct Follower {
    live: Arc<Live>,
    tenant_id: TenantId,
    stream: Stream,
    joiner: Joiner,
    outbox: Arc<Outbox>,
    ready: VecDeque<Frame>,
    /// The log is to be read before anything else is sent.
    behind: bool,
    over: bool,
    _listening: Listening,
    _watch: Watch,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// An event.
    Frame(Frame),
    /// Nothing for a while.
    Silence,
    /// Nothing any more: the last event was sent, the turn is gone, the reader is too slow, or the
    /// process ends.
    End,
}

impl Follower {
    /// Follows from the cursor on; None: from the beginning.
    pub async fn new(live: &Arc<Live>, tenant_id: TenantId, stream: Stream, after: Option<Cursor>) -> Self {
        let outbox = Arc::new(Outbox::default());
        let interest = Interest::Turn(stream.message_id);
        let listening = live.hub().listen(stream.session_id, interest, outbox.clone()).await;
        let mut follower = Self::fresh(live, tenant_id, stream, outbox, listening);
        follower.joiner = Joiner::new(after);
        follower.behind = true;
        follower
    }

    /// Follows a turn that was accepted a moment ago, listened to since before that.
    pub fn fresh(
        live: &Arc<Live>,
        tenant_id: TenantId,
        stream: Stream,
        outbox: Arc<Outbox>,
        listening: Listening,
    ) -> Self {
        listening.narrow(Interest::Turn(stream.message_id));
        Self {
            live: live.clone(),
            tenant_id,
            stream,
            joiner: Joiner::default(),
            outbox,
            ready: VecDeque::new(),
            behind: false,
            over: false,
            _listening: listening,
            _watch: live.watch(tenant_id, stream.session_id, stream.message_id),
        }
    }

    /// The next event, waited for at most so long.
    pub async fn next(&mut self, patience: Duration) -> Next {
        loop {
            if let Some(frame) = self.try_next() {
                return Next::Frame(frame);
            }
            if self.over || self.outbox.is_cut() {
                return Next::End;
            }
            if self.behind {
                match self.live.catch_up(self.tenant_id, self.stream, &mut self.joiner).await {
                    Ok(frames) => {
                        self.ready.extend(frames);
                        self.behind = false;
                        self.over = self.joiner.ended();
                    }
                    Err(_) => self.over = true,
                }
                continue;
            }
            let shutdown = self.live.shutdown().clone();
            tokio::select! {
                item = self.outbox.take() => match item {
                    Some(item) => self.accept(item),
                    None => return Next::End,
                },
                () = shutdown.cancelled() => return Next::End,
                () = tokio::time::sleep(patience) => return Next::Silence,
            }
        }
    }

    /// The next event, if it is there.
    pub fn try_next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if self.over || self.behind {
                return None;
            }
            let item = self.outbox.try_take()?;
            self.accept(item);
        }
    }

    fn accept(&mut self, item: Item) {
        match item {
            Item::Gap(_) | Item::Look(_) => self.behind = true,
            Item::Frame(_, frame) if is_farewell(&frame) => {
                self.ready.push_back(frame);
                self.over = true;
            }
            Item::Frame(_, frame) if frame.message_id != self.stream.message_id => {}
            Item::Frame(_, frame) => match self.joiner.offer(&frame) {
                Offer::Send => {
                    self.over = frame.terminal;
                    self.ready.push_back(frame);
                }
                Offer::Known => {}
                Offer::Read => self.behind = true,
            },
        }
    }
}

/// Whether the frame says that its session is deleted; it has no number in any stream.
pub fn is_farewell(frame: &Frame) -> bool {
    frame.seq == 0
}
