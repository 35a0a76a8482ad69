//! Waiting for a turn's end, or for its question to a person: subscribe, look at the row, wait, look again.

use super::Live;
use super::follow::is_farewell;
use super::frames;
use super::hub::{Interest, Listening};
use super::outbox::{Item, Outbox};
use crate::error::ApiError;
use shared::app::turns;
use shared::bus::Stream;
use shared::domain::events::{Event, TurnView};
use shared::domain::ids::TenantId;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Waits for one turn.
#[derive(Debug)]
pub struct Waiter {
    live: Arc<Live>,
    tenant_id: TenantId,
    stream: Stream,
    outbox: Arc<Outbox>,
    _listening: Listening,
}

impl Waiter {
    /// Listens from now on.
    pub async fn new(live: &Arc<Live>, tenant_id: TenantId, stream: Stream) -> Self {
        let outbox = Arc::new(Outbox::default());
        let interest = Interest::End(stream.message_id);
        let listening = live.hub().listen(stream.session_id, interest, outbox.clone()).await;
        Self::fresh(live, tenant_id, stream, outbox, listening)
    }

    /// Waits for a turn that was accepted a moment ago, listened to since before that.
    pub fn fresh(
        live: &Arc<Live>,
        tenant_id: TenantId,
        stream: Stream,
        outbox: Arc<Outbox>,
        listening: Listening,
    ) -> Self {
        listening.narrow(Interest::End(stream.message_id));
        Self { live: live.clone(), tenant_id, stream, outbox, _listening: listening }
    }

    /// The turn as it ended, or as it asks a person; as it stands if neither comes within `patience` or
    /// the process ends first.
    pub async fn end(self, patience: Duration) -> Result<TurnView, ApiError> {
        let _watch = self.live.watch(self.tenant_id, self.stream.session_id, self.stream.message_id);
        let deadline = Instant::now() + patience;
        loop {
            let item = tokio::select! {
                item = self.outbox.take() => item,
                () = tokio::time::sleep_until(deadline) => return self.look().await,
                () = self.live.shutdown().cancelled() => return self.look().await,
            };
            match item {
                Some(Item::Frame(_, frame)) if is_farewell(&frame) => {
                    return Err(ApiError::NotFound("message"));
                }
                Some(Item::Frame(_, frame)) if frame.message_id != self.stream.message_id => {}
                Some(Item::Frame(_, frame)) if frame.terminal => {
                    // The last event of a failed turn does not hold the text.
                    return match frames::event(&frame) {
                        Some(Event::Done(view)) => Ok(view),
                        _ => self.look().await,
                    };
                }
                Some(Item::Frame(_, frame)) if !frames::asks(&frame) => {}
                Some(Item::Frame(..) | Item::Gap(_) | Item::Look(_)) => {
                    let view = self.look().await?;
                    if is_answer(&view) {
                        return Ok(view);
                    }
                }
                None => return self.look().await,
            }
        }
    }

    async fn look(&self) -> Result<TurnView, ApiError> {
        Ok(turns::find(&self.live.app, self.tenant_id, self.stream.message_id).await?.view)
    }
}

/// Whether a caller who waits is answered with this: the turn is over, or asks a person.
pub fn is_answer(view: &TurnView) -> bool {
    view.status.is_terminal() || !view.pauses.is_empty()
}
