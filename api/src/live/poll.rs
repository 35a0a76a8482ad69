//! A session's events by asking again and again: each answer has what happened since the one before,
//! in the form that a socket tells it.

use super::frames::{self, ROWS_EPOCH};
use super::hub::{Interest, Listening};
use super::joiner::{Joiner, Offer};
use super::outbox::{Item, Outbox};
use super::place::Place;
use super::{Following, Level, Live, Watch, follow::is_farewell};
use crate::error::ApiError;
use shared::bus::{Frame, Stream};
use shared::domain::ids::{MessageId, SessionId, TenantId};
use shared::domain::messages::{MessageStatus, Role};
use shared::domain::subagents::SubagentStatus;
use shared::store::{messages, subagents};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of events that one answer holds, unless it is a single event.
const MAX_BYTES: usize = 256 * 1024;
/// Messages of a session that are looked at for one answer.
const MESSAGES: u32 = 100;
/// While there is nothing but text, more of it is waited for this long.
const GATHER: Duration = Duration::from_millis(250);

/// One question for a session's events.
#[derive(Debug)]
pub struct Poll {
    live: Arc<Live>,
    tenant_id: TenantId,
    session_id: SessionId,
    place: Place,
    joiners: HashMap<Stream, Joiner>,
    /// Of turns that have not ended.
    watches: HashMap<MessageId, Watch>,
    events: Vec<Frame>,
    bytes: usize,
    over: bool,
    outbox: Arc<Outbox>,
    _listening: Listening,
    following: Option<Following>,
}

/// What is answered.
#[derive(Debug)]
pub struct Polled {
    /// In order; empty: nothing happened.
    pub events: Vec<Frame>,
    /// From where the next question goes on.
    pub place: Place,
}

impl Poll {
    /// Listens from now on, from a place on; None: from nothing.
    async fn begin(live: &Arc<Live>, tenant_id: TenantId, session_id: SessionId, place: Place) -> Self {
        let outbox = Arc::new(Outbox::default());
        let interest = Interest::Session(place.level);
        let listening = live.hub().listen(session_id, interest, outbox.clone()).await;
        let following = match place.level {
            Level::Turn => None,
            Level::Subagents => Some(live.follow_subagents(session_id).await),
        };
        let joiners = place.joiners(session_id).collect();
        Self {
            live: live.clone(),
            tenant_id,
            session_id,
            place,
            joiners,
            watches: HashMap::new(),
            events: Vec::new(),
            bytes: 0,
            over: false,
            outbox,
            _listening: listening,
            following,
        }
    }

    /// The picture of every unfinished turn, at once.
    pub async fn picture(
        live: &Arc<Live>,
        tenant_id: TenantId,
        session_id: SessionId,
        level: Level,
    ) -> Result<Polled, ApiError> {
        let mut poll = Self::begin(live, tenant_id, session_id, Place::new(level)).await;
        let db = &live.app.db;
        let newest = messages::list_newest(db, tenant_id, session_id, None, MESSAGES).await?;
        poll.place.newest = newest.first().map_or(MessageId(0), |m| m.id);
        for message in newest.iter().rev().filter(|m| m.status == MessageStatus::Pending) {
            poll.know(Stream::of_turn(session_id, message.id));
        }
        poll.show_all().await;
        if poll.following.is_some() {
            poll.show_subagents().await?;
        }
        Ok(poll.answer())
    }

    /// What follows a place, waited for at most so long.
    pub async fn after(
        live: &Arc<Live>,
        tenant_id: TenantId,
        session_id: SessionId,
        mut place: Place,
        level: Level,
        patience: Duration,
    ) -> Result<Polled, ApiError> {
        let deadline = Instant::now() + patience;
        let widened = place.set_level(level);
        let mut poll = Self::begin(live, tenant_id, session_id, place).await;
        if widened {
            poll.show_subagents().await?;
        }
        poll.catch_up_all().await?;
        if poll.events.is_empty() {
            poll.wait(deadline).await?;
        }
        Ok(poll.answer())
    }

    /// Waits for the first event, and a moment for what follows text.
    async fn wait(&mut self, deadline: Instant) -> Result<(), ApiError> {
        self.watch();
        let shutdown = self.live.shutdown().clone();
        let mut deadline = deadline;
        while !self.over && self.bytes < MAX_BYTES {
            let had = !self.events.is_empty();
            if had && !self.events.iter().all(frames::is_text) {
                // No more than what is there already.
                deadline = Instant::now();
            }
            let item = tokio::select! {
                biased;
                item = self.outbox.take() => item,
                () = shutdown.cancelled() => return Ok(()),
                () = tokio::time::sleep_until(deadline) => return Ok(()),
            };
            // A reader that was cut reads the logs when it asks again.
            let Some(item) = item else { return Ok(()) };
            self.accept(item).await?;
            if !had && !self.events.is_empty() {
                deadline = deadline.min(Instant::now() + GATHER);
            }
        }
        Ok(())
    }

    async fn accept(&mut self, item: Item) -> Result<(), ApiError> {
        let frame = match item {
            Item::Gap(_) | Item::Look(_) => {
                self.catch_up_all().await?;
                self.watch();
                return Ok(());
            }
            Item::Frame(_, frame) => frame,
        };
        if is_farewell(&frame) {
            self.push(frame);
            self.over = true;
            return Ok(());
        }
        let turn = Stream::of_turn(self.session_id, frame.message_id);
        if frame.message_id > self.place.newest {
            self.find_turns().await?;
            self.watch();
        }
        let stream = Stream { subagent: frame.subagent, ..turn };
        let follows = self.joiners.contains_key(&turn);
        if !follows || (frame.subagent.is_some() && self.following.is_none()) {
            // Of a turn that was told to its end, or that is gone.
            return Ok(());
        }
        self.know(stream);
        match self.joiners.entry(stream).or_default().offer(&frame) {
            Offer::Send => self.push(frame),
            Offer::Known => {}
            Offer::Read => self.catch_up(stream).await,
        }
        Ok(())
    }

    fn watch(&mut self) {
        for (stream, joiner) in &self.joiners {
            if stream.subagent.is_none() && !joiner.ended() {
                let watch = || self.live.watch(self.tenant_id, self.session_id, stream.message_id);
                self.watches.entry(stream.message_id).or_insert_with(watch);
            }
        }
    }

    /// Reads what is missing of everything, and what began meanwhile.
    async fn catch_up_all(&mut self) -> Result<(), ApiError> {
        self.find_turns().await?;
        if self.following.is_some() {
            self.find_subagents().await?;
        }
        for stream in self.place.unfinished(self.session_id) {
            if self.bytes >= MAX_BYTES {
                break;
            }
            self.catch_up(stream).await;
        }
        Ok(())
    }

    /// Turns that were accepted since the place was made, some of them at a time.
    async fn find_turns(&mut self) -> Result<(), ApiError> {
        let (db, after) = (&self.live.app.db, Some(self.place.newest));
        for message in messages::list(db, self.tenant_id, self.session_id, after, MESSAGES).await? {
            self.place.newest = message.id;
            if message.role == Role::Assistant {
                self.know(Stream::of_turn(self.session_id, message.id));
            }
        }
        Ok(())
    }

    /// Subagents that began since the place was made.
    async fn find_subagents(&mut self) -> Result<(), ApiError> {
        for (stream, status, began) in self.subagents().await? {
            if self.joiners.contains_key(&stream) || status == SubagentStatus::Queued {
                continue;
            }
            self.know(stream);
            if !began {
                self.finish(stream);
            }
        }
        Ok(())
    }

    /// The picture of subagents under way; of the others nothing is told.
    async fn show_subagents(&mut self) -> Result<(), ApiError> {
        for (stream, status, _) in self.subagents().await? {
            match status {
                SubagentStatus::Queued => {}
                SubagentStatus::Running => {
                    self.know(stream);
                    self.show(stream).await;
                }
                SubagentStatus::Completed
                | SubagentStatus::Failed
                | SubagentStatus::TimedOut
                | SubagentStatus::Cancelled => {
                    self.know(stream);
                    self.finish(stream);
                }
            }
        }
        Ok(())
    }

    /// Those of the turns that are followed, and whether a worker ever began them.
    async fn subagents(&self) -> Result<Vec<(Stream, SubagentStatus, bool)>, ApiError> {
        let turns = self.place.unfinished_turns();
        let (db, session_id) = (&self.live.app.db, self.session_id);
        let all = subagents::of_messages(db, self.tenant_id, session_id, &turns).await?;
        let stream = |s: &shared::domain::subagents::Subagent| {
            Stream::of_subagent(session_id, s.parent_message_id, s.id)
        };
        Ok(all.iter().map(|s| (stream(s), s.status, s.started_at.is_some())).collect())
    }

    async fn show_all(&mut self) {
        for stream in self.place.unfinished(self.session_id) {
            self.show(stream).await;
        }
    }

    async fn show(&mut self, stream: Stream) {
        let mut joiner = Joiner::default();
        match self.live.catch_up_whole(self.tenant_id, stream, &mut joiner).await {
            Ok(frames) => self.extend(stream, joiner, frames),
            Err(_) => self.forget(stream),
        }
    }

    async fn catch_up(&mut self, stream: Stream) {
        let mut joiner = self.joiners.get(&stream).cloned().unwrap_or_default();
        let had = joiner.at();
        let Ok(mut frames) = self.live.catch_up(self.tenant_id, stream, &mut joiner).await else {
            return self.forget(stream);
        };
        let of_rows = joiner.at().is_some_and(|at| at.epoch == ROWS_EPOCH) && !joiner.ended();
        if had.is_none() && of_rows {
            // Nothing was told of it yet: its log begins in a moment.
            return;
        }
        // What the rows tell again after each question is told once.
        frames.retain(|f| !had.is_some_and(|at| f.epoch == at.epoch && f.seq <= at.seq));
        self.extend(stream, joiner, frames);
    }

    fn know(&mut self, stream: Stream) {
        self.place.know(stream);
        self.joiners.entry(stream).or_default();
    }

    fn finish(&mut self, stream: Stream) {
        self.place.finish(stream);
        let joiner = self.joiners.entry(stream).or_default();
        joiner.place(joiner.at().unwrap_or_default(), true);
    }

    fn forget(&mut self, stream: Stream) {
        self.place.forget(stream);
        self.joiners.remove(&stream);
        if stream.subagent.is_none() {
            self.watches.remove(&stream.message_id);
        }
    }

    fn extend(&mut self, stream: Stream, joiner: Joiner, frames: Vec<Frame>) {
        self.joiners.insert(stream, joiner);
        for frame in frames {
            self.push(frame);
        }
    }

    fn push(&mut self, frame: Frame) {
        self.bytes += frame.json.len();
        self.events.push(frame);
    }

    /// As much as fits; the place stands behind the last of it.
    fn answer(self) -> Polled {
        let Self { mut place, mut events, session_id, .. } = self;
        let mut bytes = 0;
        let fits = events.iter().take_while(|frame| {
            let first = bytes == 0;
            bytes += frame.json.len();
            first || bytes <= MAX_BYTES
        });
        events.truncate(fits.count());
        for frame in events.iter().filter(|f| !is_farewell(f)) {
            place.step(session_id, frame);
        }
        place.tidy();
        Polled { events, place }
    }
}
