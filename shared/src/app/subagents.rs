//! Telling of subagents, and ringing for what their ends let begin.

use super::{App, AppError, turns};
use crate::bus::{Begin, BusError, Publication, Published, Stream};
use crate::domain::events::{Address, Event, Fragment};
use crate::domain::ids::TenantId;
use crate::domain::jobs::Job;
use crate::domain::runs::{Reason, RunStatus};
use crate::domain::subagents::Subagent;
use crate::store::runs::{ChildEnded, Ended, ParentNext};
use std::time::Duration;

/// How long queue and bus are waited for: what was committed stands without them.
const ANNOUNCE: Duration = Duration::from_secs(1);

/// Where the turn's readers are told of a subagent.
fn turn_of(subagent: &Subagent) -> Address {
    Address {
        session_id: subagent.session_id,
        message_id: subagent.parent_message_id,
        run_id: subagent.parent_run_id,
    }
}

fn update(subagent: &Subagent) -> Event {
    Event::SubagentUpdate {
        parent_message_id: subagent.parent_message_id,
        batch_id: subagent.parent_tool_call_id.clone(),
        subagent: subagent.into(),
    }
}

/// Tells the readers of the turn how these subagents of one run stand.
pub async fn announce(app: &App, tenant_id: TenantId, subagents: &[Subagent]) {
    let Some(first) = subagents.first() else { return };
    tell(app, tenant_id, turn_of(first), subagents.iter().map(update).collect()).await;
}

/// Tells of a subagent's end and rings for what it let begin: siblings, the supervisor. `begun`: what
/// is to be told first.
pub async fn announce_end(app: &App, tenant_id: TenantId, child: &ChildEnded, begun: Option<Event>) {
    announce_ends(app, tenant_id, std::slice::from_ref(child), begun.into_iter().collect()).await;
}

/// The same of several subagents of one run that ended together.
pub async fn announce_ends(app: &App, tenant_id: TenantId, ends: &[ChildEnded], begun: Vec<Event>) {
    let Some(first) = ends.first() else { return };
    let released: Vec<Job> = ends.iter().flat_map(|e| e.released.iter().cloned()).collect();
    let next = ends.iter().map(|e| &e.parent).rfind(|next| **next != ParentNext::Waits);
    let events = ends_told(ends, begun);
    follow(app, tenant_id, turn_of(&first.subagent), events, &released, next.unwrap_or(&ParentNext::Waits))
        .await;
}

/// What readers of a turn are told of ends of its subagents; first what is to be told before.
pub fn ends_told(ends: &[ChildEnded], begun: Vec<Event>) -> Vec<Event> {
    let mut events = begun;
    events.extend(ends.iter().map(|e| update(&e.subagent)));
    events.extend(ends.iter().filter_map(|e| {
        let (batch_id, summary) = e.batch.clone()?;
        let parent_message_id = e.subagent.parent_message_id;
        Some(Event::SubagentDone { parent_message_id, batch_id, summary })
    }));
    events
}

/// Tells the readers of a turn what happened to what its run waits for, and rings.
pub(super) async fn follow(
    app: &App,
    tenant_id: TenantId,
    at: Address,
    mut events: Vec<Event>,
    released: &[Job],
    next: &ParentNext,
) {
    let mut ring = released.to_vec();
    match next {
        ParentNext::Due(job) => {
            ring.push(job.clone());
            events.push(Event::Status { status: RunStatus::Queued, reason: None });
        }
        ParentNext::Pauses => {
            events.push(Event::Status { status: RunStatus::Paused, reason: Some(Reason::Question) });
        }
        // Who has taken it tells what it does.
        ParentNext::Waits | ParentNext::Taken(_) | ParentNext::Gone => {}
    }
    let ring = async {
        if tokio::time::timeout(ANNOUNCE, app.ring(&ring)).await.is_err() {
            tracing::debug!(run_id = %at.run_id, "the queue is slow: the sweep rings");
        }
    };
    let tell = tell(app, tenant_id, at, events);
    if matches!(next, ParentNext::Due(_)) {
        // Told first: the run that goes on may end the turn's stream.
        tell.await;
        ring.await;
    } else {
        tokio::join!(tell, ring);
    }
}

/// Closes the stream of a turn that was ended without its worker, and lets its session go on.
pub(super) async fn announce_turn_end(app: &App, tenant_id: TenantId, ended: &Ended) {
    let run_id = ended.run_id;
    if let Err(error) = turns::close_stream(app, tenant_id, ended.assistant_message_id).await {
        tracing::debug!(%run_id, %error, "readers learn its end from the row");
    }
    if ended.has_successor {
        app.ring_next(ended.session_id).await;
    }
}

/// Publishes without a lease, on a turn's stream. Whatever of this fails, readers learn from the rows.
/// Returns whether somebody watches the session's subagents, as far as that is known.
pub async fn tell(app: &App, tenant_id: TenantId, at: Address, events: Vec<Event>) -> bool {
    let told = tokio::time::timeout(ANNOUNCE, publish(app, tenant_id, at, &events)).await;
    match told {
        Ok(Ok(watched)) => return watched,
        Ok(Err(error)) => tracing::debug!(run_id = %at.run_id, %error, "readers learn of it from the rows"),
        Err(_) => tracing::debug!(run_id = %at.run_id, "the bus is slow: readers learn of it from the rows"),
    }
    false
}

async fn publish(app: &App, tenant_id: TenantId, at: Address, events: &[Event]) -> Result<bool, AppError> {
    let events = events.iter().map(|e| app.render(at, e)).collect();
    match send(app, at, events, Begin::Never).await? {
        Published::Sent { watched, .. } => return Ok(watched),
        Published::Stale | Published::Closed => return Ok(false),
        Published::Missing => {}
    }
    // The log was lost, or the session deleted. The rows hold what was to be told. A turn whose worker
    // is at it has more to tell than they do: it begins the log anew itself.
    match turns::find(app, tenant_id, at.message_id).await {
        Ok(turn) if turn.view.status.is_terminal() => {
            turns::close_stream(app, tenant_id, at.message_id).await.map(|_| false)
        }
        Ok(turn) if turn.view.status == RunStatus::Running => Ok(false),
        Ok(turn) => {
            let resync = app.render(at, &Event::Resync(turn.view));
            let sent = send(app, at, Vec::new(), Begin::Snapshot(resync)).await?;
            Ok(matches!(sent, Published::Sent { watched: true, .. }))
        }
        Err(AppError::NotFound(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn send(app: &App, at: Address, events: Vec<Fragment>, begin: Begin) -> Result<Published, AppError> {
    let stream = Stream::of_turn(at.session_id, at.message_id);
    let sent = app.bus.publish(Publication { stream, fence: None, events, begin }).await;
    sent.map_err(|e: BusError| AppError::Unavailable(e.to_string()))
}
