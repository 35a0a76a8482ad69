//! One turn's events for one reader, in order, without gap or repetition, up to the last one.

use super::hub::{Interest, Listening};
use super::joiner::{Joiner, Offer};
use super::outbox::{Item, Outbox};
use super::{Following, Level, Live, Watch};
use shared::bus::{Frame, Stream};
use shared::domain::events::Cursor;
use shared::domain::ids::{SubagentId, TenantId};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// A reader of one stream.
#[derive(Debug)]
pub struct Follower {
    live: Arc<Live>,
    tenant_id: TenantId,
    stream: Stream,
    joiner: Joiner,
    /// None: only the turn itself is followed.
    subagents: Option<Subagents>,
    outbox: Arc<Outbox>,
    ready: VecDeque<Frame>,
    /// What is to be read before anything else is sent.
    behind: VecDeque<Behind>,
    over: bool,
    _listening: Listening,
    _watch: Watch,
}

/// The reader's places in the streams of the turn's subagents.
#[derive(Debug)]
struct Subagents {
    joiners: HashMap<SubagentId, Joiner>,
    _following: Following,
}

/// What the reader is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// Some of the turn's own stream.
    Turn,
    /// Some of a subagent's.
    Subagent(SubagentId),
    /// Perhaps all of subagents that began meanwhile.
    Begun,
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
    /// Follows a turn from the cursor on; None: from the beginning. Of its subagents, those that are
    /// under way come with their picture.
    pub async fn new(
        live: &Arc<Live>,
        tenant_id: TenantId,
        stream: Stream,
        after: Option<Cursor>,
        level: Level,
    ) -> Self {
        let outbox = Arc::new(Outbox::default());
        let interest = Interest::Turn(stream.message_id, level);
        let listening = live.hub().listen(stream.session_id, interest, outbox.clone()).await;
        let mut follower = Self::fresh(live, tenant_id, stream, outbox, listening, level).await;
        follower.joiner = Joiner::new(after);
        follower.behind_everywhere();
        follower
    }

    /// Follows a turn that was accepted a moment ago, listened to since before that.
    pub async fn fresh(
        live: &Arc<Live>,
        tenant_id: TenantId,
        stream: Stream,
        outbox: Arc<Outbox>,
        listening: Listening,
        level: Level,
    ) -> Self {
        listening.narrow(Interest::Turn(stream.message_id, level));
        let subagents = match level {
            Level::Turn => None,
            Level::Subagents => {
                let following = live.follow_subagents(stream.session_id).await;
                Some(Subagents { joiners: HashMap::new(), _following: following })
            }
        };
        Self {
            live: live.clone(),
            tenant_id,
            stream,
            joiner: Joiner::default(),
            subagents,
            outbox,
            ready: VecDeque::new(),
            behind: VecDeque::new(),
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
            if let Some(behind) = self.behind.pop_front() {
                self.catch_up(behind).await;
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
            if self.over || !self.behind.is_empty() {
                return None;
            }
            let item = self.outbox.try_take()?;
            self.accept(item);
        }
    }

    fn accept(&mut self, item: Item) {
        match item {
            Item::Gap(_) | Item::Look(_) => self.behind_everywhere(),
            Item::Frame(_, frame) if is_farewell(&frame) => {
                self.ready.push_back(frame);
                self.over = true;
            }
            Item::Frame(_, frame) if frame.message_id != self.stream.message_id => {}
            Item::Frame(_, frame) => self.join(frame),
        }
    }

    fn join(&mut self, frame: Frame) {
        let joiner = match (frame.subagent, &mut self.subagents) {
            (None, _) => &mut self.joiner,
            (Some(id), Some(subagents)) => subagents.joiners.entry(id).or_default(),
            (Some(_), None) => return,
        };
        match joiner.offer(&frame) {
            Offer::Send => {
                self.over |= frame.terminal && frame.subagent.is_none();
                self.ready.push_back(frame);
            }
            Offer::Known => {}
            Offer::Read => self.fall_behind(frame.subagent.map_or(Behind::Turn, Behind::Subagent)),
        }
    }

    fn fall_behind(&mut self, behind: Behind) {
        if !self.behind.contains(&behind) {
            self.behind.push_back(behind);
        }
    }

    /// Subagents first: with the end of the turn's stream all is over.
    fn behind_everywhere(&mut self) {
        if let Some(subagents) = &self.subagents {
            let known: Vec<SubagentId> =
                subagents.joiners.iter().filter(|(_, j)| !j.ended()).map(|(id, _)| *id).collect();
            for id in known {
                self.fall_behind(Behind::Subagent(id));
            }
            self.fall_behind(Behind::Begun);
        }
        self.fall_behind(Behind::Turn);
    }

    async fn catch_up(&mut self, behind: Behind) {
        match (behind, &mut self.subagents) {
            (Behind::Turn, _) => {
                match self.live.catch_up(self.tenant_id, self.stream, &mut self.joiner).await {
                    Ok(frames) => {
                        self.ready.extend(frames);
                        self.over = self.joiner.ended();
                    }
                    Err(_) => self.over = true,
                }
            }
            (Behind::Subagent(id), Some(subagents)) => {
                let stream = Stream { subagent: Some(id), ..self.stream };
                let joiner = subagents.joiners.entry(id).or_default();
                // One that is gone, is gone with its turn.
                if let Ok(frames) = self.live.catch_up(self.tenant_id, stream, joiner).await {
                    self.ready.extend(frames);
                }
            }
            (Behind::Begun, Some(_)) => self.find_begun().await,
            (Behind::Subagent(_) | Behind::Begun, None) => {}
        }
    }

    async fn find_begun(&mut self) {
        let Stream { session_id, message_id, .. } = self.stream;
        let running = self.live.running(self.tenant_id, session_id, &[message_id]).await;
        let known = |id: &SubagentId| self.subagents.as_ref().is_some_and(|s| s.joiners.contains_key(id));
        match running {
            Ok(running) => {
                let begun: Vec<SubagentId> =
                    running.iter().filter_map(|s| s.subagent).filter(|id| !known(id)).collect();
                for id in begun {
                    self.fall_behind(Behind::Subagent(id));
                }
            }
            // They come with their next event.
            Err(error) => tracing::debug!(%message_id, %error, "subagents are not looked for"),
        }
    }
}

/// Whether the frame says that its session is deleted; it has no number in any stream.
pub fn is_farewell(frame: &Frame) -> bool {
    frame.seq == 0
}
