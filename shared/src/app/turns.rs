//! A turn: accepting it, telling of it, looking at it, deleting it.

use super::{App, AppError, quotas, subagents};
use crate::bus::{Begin, Stream};
use crate::domain::access::Sender;
use crate::domain::audit::{By, Entry};
use crate::domain::events::{Address, Event, TurnView};
use crate::domain::ids::{MessageId, SessionId, TenantId};
use crate::domain::jobs::Job;
use crate::domain::messages::Message;
use crate::domain::pauses::OpenPause;
use crate::domain::runs::{Policy, RunStatus};
use crate::domain::told::Told;
use crate::domain::{text, view};
use crate::store::turns::{
    self, AcceptOutcome, AcceptedTurn, AgentRef, DeletedTurn, EditOutcome, NewTurn, Replaces,
};
use crate::store::{self, runs};
use std::time::Duration;

/// A message that somebody sends.
#[derive(Debug, Clone)]
pub struct StartTurn {
    /// Who.
    pub sender: Sender,
    /// Where; None: a new session.
    pub session_id: Option<SessionId>,
    /// To whom.
    pub agent: AgentRef,
    /// What; cleaned, not empty.
    pub message: String,
    /// The conversation so far, where the sender tells it: the model is told these messages, if there are
    /// any, and not the session's. Cleaned.
    pub told: Option<Told>,
    /// The sender's id of it: sending it again is the same turn.
    pub client_message_id: Option<String>,
    /// What becomes of a live turn of the session.
    pub policy: Policy,
    /// The message whose place it takes, with all that came after that, and who says so.
    pub replaces: Option<(MessageId, By)>,
    /// Trace of the request.
    pub traceparent: Option<String>,
}

/// A turn that stands.
#[derive(Debug, Clone)]
pub struct Started {
    /// Its ids.
    pub turn: AcceptedTurn,
    /// It stood already: this was a repetition.
    pub repeated: bool,
    tenant_id: TenantId,
    traceparent: Option<String>,
}

/// The most characters of a message that become its session's title.
const TITLE_CHARS: usize = 60;

/// How long an accepted message may wait for queue and bus.
const ANNOUNCE: Duration = Duration::from_secs(1);

/// Accepts and announces.
pub async fn start(app: &App, new: StartTurn) -> Result<Started, AppError> {
    let started = accept(app, new).await?;
    announce(app, &started).await;
    Ok(started)
}

/// Commits the turn. When it returns, the message is accepted; [`announce`] then makes it quick.
pub async fn accept(app: &App, new: StartTurn) -> Result<Started, AppError> {
    app.crash_point("S0");
    let named = new.session_id;
    let first_line = new.message.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
    let turn = NewTurn {
        sender: new.sender,
        session_id: new.session_id.unwrap_or_else(SessionId::generate),
        agent: new.agent,
        title: text::cut(first_line, TITLE_CHARS),
        content: new.message,
        told: new.told,
        client_message_id: new.client_message_id,
        policy: new.policy,
        replaces: new.replaces.map(|(message_id, by)| Replaces {
            message_id,
            line: Entry::new(new.sender.tenant_id, by, "message.delete", &message_id),
        }),
        traceparent: new.traceparent.clone(),
        now: app.clock.now(),
    };
    let mut outcome = turns::accept(&app.db, &turn).await?;
    if outcome == AcceptOutcome::Limited {
        quotas::check(app, &new.sender).await?;
        outcome = turns::accept_counted(&app.db, &turn).await?;
    }
    let (turn, repeated) = match outcome {
        AcceptOutcome::Accepted(turn) => (turn, false),
        // For another session it is another message: an answer from elsewhere would mislead its sender.
        AcceptOutcome::Known(turn) if named.is_some_and(|id| id != turn.session_id) => {
            return Err(AppError::ClientMessageIdReused);
        }
        AcceptOutcome::Known(turn) => (turn, true),
        AcceptOutcome::ClientIdReused => return Err(AppError::ClientMessageIdReused),
        AcceptOutcome::AgentNotFound => return Err(AppError::NotFound("agent")),
        AcceptOutcome::SessionNotFound => return Err(AppError::NotFound("session")),
        AcceptOutcome::NothingToReplace => return Err(AppError::NothingToReplace),
        AcceptOutcome::Busy => return Err(AppError::Busy),
        AcceptOutcome::OverQuota(exceeded) => return Err(AppError::QuotaExceeded(exceeded)),
        AcceptOutcome::Limited => return Err(AppError::Internal("a counted turn was not counted".into())),
    };
    app.crash_point("S1");
    Ok(Started { turn, repeated, tenant_id: new.sender.tenant_id, traceparent: new.traceparent })
}

/// Rings for the turn and tells the session's readers of it. Whatever of this fails is made good by
/// the sweep and by the worker.
pub async fn announce(app: &App, started: &Started) {
    let turn = &started.turn;
    if !started.repeated {
        let job = Job {
            run_id: turn.run_id,
            tenant_id: started.tenant_id,
            traceparent: started.traceparent.clone(),
        };
        let at = Address {
            session_id: turn.session_id,
            message_id: turn.assistant_message_id,
            run_id: turn.run_id,
        };
        let accepted = app.render(
            at,
            &Event::RunAccepted {
                user_message_id: turn.user_message_id,
                assistant_message_id: turn.assistant_message_id,
                run_id: turn.run_id,
            },
        );
        // Told before it is rung, so that the stream begins with it.
        let tell = app.publish(at, None, vec![accepted], Begin::IfMissing);
        let jobs = [job];
        // Bounded: the message is accepted, whatever the queue and the bus do.
        let both = async { tokio::join!(tell, app.ring(&jobs)) };
        match tokio::time::timeout(ANNOUNCE, both).await {
            Ok((Ok(()), ())) => {}
            Ok((Err(error), ())) => {
                tracing::debug!(run_id = %turn.run_id, %error, "readers learn of the turn from its worker");
            }
            Err(_) => tracing::debug!(run_id = %turn.run_id, "queue or bus is slow: the sweep rings"),
        }
        announce_interrupted(app, started.tenant_id, turn).await;
        if let Some(removed) = &turn.removed {
            announce_removed(app, turn.session_id, removed).await;
        }
    }
    app.crash_point("S2");
}

/// Tells of the turns that this one took the place of.
async fn announce_interrupted(app: &App, tenant_id: TenantId, turn: &AcceptedTurn) {
    app.tell_workers(&turn.to_stop).await;
    for of_one_run in turn.ended_subagents.chunk_by(|a, b| a.parent_run_id == b.parent_run_id) {
        subagents::announce(app, tenant_id, of_one_run).await;
    }
    for ended in &turn.cancelled {
        if let Err(error) = close_stream(app, tenant_id, ended.assistant_message_id).await {
            tracing::debug!(run_id = %ended.run_id, %error, "readers learn its end from the row");
        }
    }
}

/// Tells workers of turns that are gone, and removes their logs.
async fn announce_removed(app: &App, session_id: SessionId, removed: &DeletedTurn) {
    app.tell_workers(&removed.run_ids).await;
    let of_turns = removed.assistant_message_ids.iter().map(|&id| Stream::of_turn(session_id, id));
    let of_subagents = removed.subagents.iter().map(|&(id, s)| Stream::of_subagent(session_id, id, s));
    let streams: Vec<Stream> = of_turns.chain(of_subagents).collect();
    if let Err(error) = app.forget(session_id, &streams, None, removed.was_live).await {
        tracing::debug!(%session_id, %error, "logs of deleted turns expire by themselves");
    }
}

/// A turn as its rows show it.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Its session.
    pub session_id: SessionId,
    /// The assistant's message.
    pub message: Message,
    /// The picture: of a live turn, what its journal has.
    pub view: TurnView,
}

/// Looks at a turn by its assistant message.
pub async fn find(app: &App, tenant_id: TenantId, message_id: MessageId) -> Result<Turn, AppError> {
    let row = turns::find(&app.db, tenant_id, message_id).await?.ok_or(AppError::NotFound("message"))?;
    let mut view = TurnView::new(row.user_message_id, message_id, row.run_id);
    view.status = row.status;
    view.reason = row.reason;
    if row.status.is_terminal() {
        let message = &row.message;
        view.content.clone_from(&message.content);
        view.thinking.clone_from(&message.thinking);
        view.todos.clone_from(&message.metadata.todos);
        view.tools.clone_from(&message.metadata.tools);
        view.subagents.clone_from(&message.metadata.subagents);
        view.usage = message.usage;
        view.cost = message.cost;
        view.error.clone_from(&message.error);
    } else {
        let journal = runs::journal(&app.db, row.run_id).await?;
        view = view::from_journal(view, &journal, None);
        if journal.has_delegated() {
            let children = store::subagents::of_run(&app.db, row.run_id).await?;
            view = view::with_subagents(view, &journal, &children);
        }
        if matches!(row.status, RunStatus::Waiting | RunStatus::Paused) {
            let open = store::pauses::open_of_run(&app.db, row.run_id).await?;
            view.pauses = open.iter().map(OpenPause::from).collect();
        }
    }
    Ok(Turn { session_id: row.message.session_id, message: row.message, view })
}

/// If the turn is over, makes sure that its stream says so: once, whoever asks. Returns whether the
/// turn is over.
pub async fn close_stream(app: &App, tenant_id: TenantId, message_id: MessageId) -> Result<bool, AppError> {
    let turn = find(app, tenant_id, message_id).await?;
    if !turn.view.status.is_terminal() {
        return Ok(false);
    }
    let at = Address { session_id: turn.session_id, message_id, run_id: turn.view.run_id };
    let resync = app.render(at, &Event::Resync(turn.view.clone()));
    let last = app.render(at, &last_event(turn.view));
    let told = app.publish(at, None, vec![last], Begin::Snapshot(resync)).await;
    told.map_err(|e| AppError::Unavailable(e.to_string()))?;
    Ok(true)
}

/// The event that ends a turn's stream.
pub fn last_event(view: TurnView) -> Event {
    match view.error {
        Some(error) if view.status == RunStatus::Failed => {
            Event::Error { kind: error.kind, message: error.message }
        }
        _ => Event::Done(view),
    }
}

/// Changes the text of a user's message whose turn nobody has begun yet.
pub async fn edit(
    app: &App,
    tenant_id: TenantId,
    by: By,
    session_id: SessionId,
    message_id: MessageId,
    content: &str,
) -> Result<Message, AppError> {
    let line = Entry::new(tenant_id, by, "message.update", &message_id);
    let now = app.clock.now();
    match turns::edit(&app.db, tenant_id, session_id, message_id, content, now, Some(&line)).await? {
        EditOutcome::Edited(message) => Ok(*message),
        EditOutcome::Started => Err(AppError::TurnStarted),
        EditOutcome::NotFound => Err(AppError::NotFound("message")),
    }
}

/// Deletes a turn: both messages, the run and all that hangs on it. A live run is stopped.
pub async fn delete(
    app: &App,
    tenant_id: TenantId,
    by: By,
    session_id: SessionId,
    message_id: MessageId,
) -> Result<(), AppError> {
    let line = Entry::new(tenant_id, by, "message.delete", &message_id);
    let line = line.before(&serde_json::json!({ "sessionId": session_id }));
    let deleted =
        turns::delete(&app.db, tenant_id, session_id, message_id, app.clock.now(), Some(&line)).await?;
    let deleted = deleted.ok_or(AppError::NotFound("message"))?;
    announce_removed(app, session_id, &deleted).await;
    app.ring_next(session_id).await;
    Ok(())
}
