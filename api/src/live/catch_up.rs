//! Reading what a reader is missing: from the log, or from the rows where the log can't tell.

use super::frames::{self, ROWS_EPOCH};
use super::joiner::{Joiner, Rejoin};
use super::{Live, READ_TIMEOUT};
use shared::app::{AppError, subagent_view, turns};
use shared::bus::{Frame, Replay, Stream};
use shared::domain::events::{Cursor, Event, TurnView};
use shared::domain::ids::{MessageId, SessionId, TenantId};
use shared::domain::subagents::SubagentStatus;
use shared::store::{StoreError, subagents};

/// The turn does not exist any more, or the database is away: nothing more can be told.
#[derive(Debug)]
pub struct Gone;

/// A turn's picture and where it stands in the stream.
#[derive(Debug)]
pub struct Snapshot {
    /// What the events add up to, the last one excepted.
    pub view: TurnView,
    /// The last event in it.
    pub cursor: Cursor,
    /// The stream's last event, if it was sent.
    pub end: Option<Frame>,
}

impl Live {
    /// What follows the reader's place. Empty: nothing yet, or the bus is away.
    pub async fn catch_up(
        &self,
        tenant_id: TenantId,
        stream: Stream,
        joiner: &mut Joiner,
    ) -> Result<Vec<Frame>, Gone> {
        let Some(replay) = self.read(stream, joiner.at()).await else {
            return self.end_by_row(tenant_id, stream, joiner).await;
        };
        match joiner.replay(replay) {
            Rejoin::Send(frames) => Ok(frames),
            Rejoin::Resync(frames) => {
                let snapshot = self.fold(tenant_id, stream, frames).await?;
                Ok(self.resync(stream, joiner, snapshot))
            }
            Rejoin::Missing => {
                let snapshot = self.of_rows(tenant_id, stream, ROWS_EPOCH, 0).await?;
                Ok(self.resync(stream, joiner, snapshot))
            }
        }
    }

    /// The whole picture, whatever the reader has; the joiner stands at its end afterwards.
    pub async fn catch_up_whole(
        &self,
        tenant_id: TenantId,
        stream: Stream,
        joiner: &mut Joiner,
    ) -> Result<Vec<Frame>, Gone> {
        let snapshot = self.snapshot(tenant_id, stream).await?;
        Ok(self.resync(stream, joiner, snapshot))
    }

    /// The picture of a turn: from the log, or from the rows where that is gone.
    pub async fn snapshot(&self, tenant_id: TenantId, stream: Stream) -> Result<Snapshot, Gone> {
        match self.read(stream, None).await {
            Some(Replay::Frames { frames, .. }) if !frames.is_empty() => {
                self.fold(tenant_id, stream, frames).await
            }
            _ => self.of_rows(tenant_id, stream, ROWS_EPOCH, 0).await,
        }
    }

    /// The streams of the subagents that are under way in these turns.
    pub async fn running(
        &self,
        tenant_id: TenantId,
        session_id: SessionId,
        messages: &[MessageId],
    ) -> Result<Vec<Stream>, StoreError> {
        let all = subagents::of_messages(&self.app.db, tenant_id, session_id, messages).await?;
        let running = all.iter().filter(|s| s.status == SubagentStatus::Running);
        Ok(running.map(|s| Stream::of_subagent(session_id, s.parent_message_id, s.id)).collect())
    }

    /// Whether nothing follows the cursor in the stream of a turn that is over.
    pub async fn has_all(&self, stream: Stream, cursor: Cursor) -> bool {
        match self.read(stream, Some(cursor)).await {
            Some(Replay::Frames { frames, follows }) => follows && frames.is_empty(),
            // The log is gone; what the rows tell ends with number 2.
            Some(Replay::Missing) => cursor.epoch == ROWS_EPOCH && cursor.seq >= 2,
            None => false,
        }
    }

    /// None: the bus is away.
    async fn read(&self, stream: Stream, after: Option<Cursor>) -> Option<Replay> {
        match tokio::time::timeout(READ_TIMEOUT, self.app.bus.read(stream, after)).await {
            Ok(Ok(replay)) => Some(replay),
            Ok(Err(error)) => {
                tracing::debug!(message_id = %stream.message_id, %error, "the log is read again later");
                None
            }
            Err(_) => None,
        }
    }

    /// The bus is away: a turn that is over ends all the same, by its row.
    async fn end_by_row(
        &self,
        tenant_id: TenantId,
        stream: Stream,
        joiner: &mut Joiner,
    ) -> Result<Vec<Frame>, Gone> {
        let at = joiner.at().unwrap_or(Cursor { epoch: ROWS_EPOCH, seq: 0 });
        let snapshot = self.of_rows(tenant_id, stream, at.epoch, at.seq).await?;
        if snapshot.end.is_none() {
            return Ok(Vec::new());
        }
        Ok(self.resync(stream, joiner, snapshot))
    }

    async fn fold(
        &self,
        tenant_id: TenantId,
        stream: Stream,
        mut frames: Vec<Frame>,
    ) -> Result<Snapshot, Gone> {
        let rows = self.row(tenant_id, stream).await?;
        let end = frames.pop_if(|last| last.terminal);
        let cursor = match (frames.last(), &end) {
            (Some(last), _) => Cursor { epoch: last.epoch, seq: last.seq },
            // A log of nothing but the end: the picture takes the number before it.
            (None, Some(end)) => Cursor { epoch: end.epoch, seq: end.seq.saturating_sub(1) },
            (None, None) => Cursor { epoch: ROWS_EPOCH, seq: 0 },
        };
        Ok(Snapshot { view: frames::fold(rows, &frames), cursor, end })
    }

    async fn of_rows(
        &self,
        tenant_id: TenantId,
        stream: Stream,
        epoch: u64,
        seq: u64,
    ) -> Result<Snapshot, Gone> {
        let view = self.row(tenant_id, stream).await?;
        if !view.status.is_terminal() {
            return Ok(Snapshot { view, cursor: Cursor { epoch, seq }, end: None });
        }
        let end = Cursor { epoch, seq: seq + 2 };
        let last = turns::last_event(view.clone());
        let end = frames::frame(stream, view.run_id, &last, end, &*self.app.clock);
        Ok(Snapshot { view, cursor: Cursor { epoch, seq: seq + 1 }, end: Some(end) })
    }

    async fn row(&self, tenant_id: TenantId, stream: Stream) -> Result<TurnView, Gone> {
        let found = match stream.subagent {
            None => {
                let turn = turns::find(&self.app, tenant_id, stream.message_id).await;
                turn.map(|t| (Stream::of_turn(t.session_id, stream.message_id), t.view))
            }
            Some(id) => {
                let view = subagent_view::find(&self.app, tenant_id, id).await;
                view.map(|(session_id, view)| {
                    (Stream::of_subagent(session_id, view.assistant_message_id, id), view)
                })
            }
        };
        match found {
            Ok((of, view)) if of == stream => Ok(view),
            Ok(_) | Err(AppError::NotFound(_)) => Err(Gone),
            Err(error) => {
                tracing::warn!(message_id = %stream.message_id, %error, "a reader is sent away");
                Err(Gone)
            }
        }
    }

    fn resync(&self, stream: Stream, joiner: &mut Joiner, snapshot: Snapshot) -> Vec<Frame> {
        let Snapshot { view, cursor, end } = snapshot;
        let at = end.as_ref().map_or(cursor, |end| Cursor { epoch: end.epoch, seq: end.seq });
        joiner.place(at, end.is_some());
        let run_id = view.run_id;
        let resync = frames::frame(stream, run_id, &Event::Resync(view), cursor, &*self.app.clock);
        std::iter::once(resync).chain(end).collect()
    }
}
