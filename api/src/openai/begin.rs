//! How a request comes to its turn: it begins one, finds the one that it began before, or answers the
//! question that its session waits on.

use super::error::Refusal;
use super::messages::Said;
use super::request::ChatCompletionRequest;
use super::response::{Before, Neta, question};
use crate::error::ApiError;
use crate::live::Level;
use crate::live::follow::Follower;
use crate::live::hub::Listening;
use crate::live::outbox::Outbox;
use crate::live::wait::{Waiter, is_answer};
use crate::routes::chat::input::{AgentChoice, ChatRequest};
use crate::routes::chat::{accept_listening, agent_choice};
use crate::routes::pauses::give;
use crate::state::ApiState;
use shared::app::turns;
use shared::bus::Stream;
use shared::domain::access::Principal;
use shared::domain::audit::By;
use shared::domain::events::{Cursor, TurnView};
use shared::domain::ids::{AgentId, PauseId, SessionId, TenantId};
use shared::domain::journal::{Journal, Step};
use shared::domain::messages::Role;
use shared::domain::pauses::{OpenPause, Pause, PauseKind, PauseStatus};
use shared::domain::told::Told;
use shared::store::pauses::Filter;
use shared::store::{agents, pauses, runs};
use shared::telemetry::TraceContext;
use std::sync::Arc;
use std::time::Duration;

/// Questions of a session that are looked at, the newest.
const QUESTIONS: u32 = 50;

/// A turn that the caller is to be given.
#[derive(Debug)]
pub struct Begun {
    /// The turn.
    pub neta: Neta,
    /// What the caller had of it.
    pub before: Before,
    /// Questions that are no news.
    pub answered: Vec<PauseId>,
    /// The question that the turn asked beside the one that was answered.
    pub asks: Option<OpenPause>,
    tenant_id: TenantId,
    stream: Stream,
    from: From,
}

/// From where it is read.
#[derive(Debug)]
enum From {
    /// It was accepted a moment ago, and listened to since before that.
    Accepted(Arc<Outbox>, Listening),
    /// It stood already.
    Place(Option<Cursor>),
}

/// Who asks, besides what.
#[derive(Debug)]
pub struct Asking {
    /// Somebody who may chat.
    pub principal: Principal,
    /// As the audit names them.
    pub by: By,
    /// The request's trace.
    pub trace: TraceContext,
    /// The caller's own id of the message.
    pub client_message_id: Option<String>,
}

/// Comes to the turn.
pub async fn begin(
    state: &ApiState,
    asking: Asking,
    request: &ChatCompletionRequest,
) -> Result<Begun, Refusal> {
    let said = request.read()?;
    let agent = agent(state, &asking.principal, &request.model).await?;
    if let Some(session_id) = request.session_id()
        && let Some(begun) = answer(state, &asking, session_id, &said, &agent).await?
    {
        return Ok(begun);
    }
    start(state, asking, request, said, agent).await
}

/// A number is a name first: agents may be called so.
async fn agent(state: &ApiState, principal: &Principal, model: &str) -> Result<AgentChoice, Refusal> {
    let named = || AgentChoice::Name(model.to_owned());
    let Ok(id) = model.parse::<AgentId>() else { return Ok(named()) };
    let known = agents::find_seen_by_name(&state.app.db, principal, model).await.map_err(ApiError::from)?;
    Ok(if known.is_some() { named() } else { AgentChoice::Id(id) })
}

async fn start(
    state: &ApiState,
    asking: Asking,
    request: &ChatCompletionRequest,
    said: Said,
    agent: AgentChoice,
) -> Result<Begun, Refusal> {
    let Said { message, at, told } = said;
    let chat = ChatRequest {
        message,
        agent: Some(agent),
        session_id: request.session_id(),
        client_message_id: asking.client_message_id,
        ..ChatRequest::default()
    };
    let tenant_id = asking.principal.tenant_id;
    let start = chat.check(&asking.principal, &state.config, asking.trace).map_err(|e| in_dialect(e, at))?;
    let named = agent_choice::seen(state, &asking.principal, start.agent.clone(), start.session_id).await;
    let agent = named.map_err(|e| unknown(e, &request.model))?;
    let start = turns::StartTurn { agent, told: (told != Told::default()).then_some(told), ..start };
    let outbox = Arc::new(Outbox::default());
    let accepted = accept_listening(state, start, &outbox).await;
    let (started, listening) = accepted.map_err(|e| unknown(e, &request.model))?;
    turns::announce(&state.app, &started).await;
    let turn = &started.turn;
    let from = if started.repeated { From::Place(None) } else { From::Accepted(outbox, listening) };
    Ok(Begun {
        neta: Neta {
            session_id: turn.session_id,
            assistant_message_id: turn.assistant_message_id,
            run_id: turn.run_id,
            pause_id: None,
        },
        before: Before::default(),
        answered: Vec::new(),
        asks: None,
        tenant_id,
        stream: Stream::of_turn(turn.session_id, turn.assistant_message_id),
        from,
    })
}

/// An agent that is not found is a model that is not.
fn unknown(error: ApiError, model: &str) -> Refusal {
    match error {
        ApiError::NotFound("agent") => Refusal::UnknownModel(model.to_owned()),
        other => other.into(),
    }
}

/// Names what is wrong as the caller knows it.
fn in_dialect(error: ApiError, at: usize) -> ApiError {
    error.renamed(|field| match field {
        "message" | "answer" => format!("messages[{at}].content"),
        "clientMessageId" => "Idempotency-Key".to_owned(),
        _ => field.to_owned(),
    })
}

/// Answers the session's open question with what is said, or finds that this very thing answered it
/// before: a client that sends its request again means the same.
async fn answer(
    state: &ApiState,
    asking: &Asking,
    session_id: SessionId,
    said: &Said,
    agent: &AgentChoice,
) -> Result<Option<Begun>, Refusal> {
    let (db, tenant_id) = (&state.app.db, asking.principal.tenant_id);
    let owner = asking.principal.changes().owner();
    let filter = Filter { session_id: Some(session_id), owner, status: None };
    let all = pauses::list(db, tenant_id, &filter, None, QUESTIONS).await.map_err(ApiError::from)?;
    // What is said in a conversation answers what was asked in it, and decides nothing else.
    let (asked, decisions): (Vec<_>, Vec<_>) = all.into_iter().partition(|p| p.kind == PauseKind::Clarify);
    // Newest first: of several that are open, the one that was asked first.
    let open = asked.iter().rev().find(|p| p.status == PauseStatus::Open);
    let again = || asked.iter().find(|p| repeats(p, said));
    let Some(pause) = open.or_else(again) else {
        return match decisions.iter().find(|p| p.status == PauseStatus::Open) {
            Some(pause) => Err(Refusal::Api(ApiError::Conflict(format!(
                "the session waits for a decision ({}) that no message makes: POST /api/pauses/{}/answer",
                pause.kind.as_str(),
                pause.id
            )))),
            None => Ok(None),
        };
    };
    if !exists(state, &asking.principal, agent).await? {
        let name = match agent {
            AgentChoice::Name(name) => name.clone(),
            AgentChoice::Id(id) => id.to_string(),
        };
        return Err(Refusal::UnknownModel(name));
    }
    let is_other = |p: &&Pause| p.status == PauseStatus::Open && p.id != pause.id;
    let mut others = asked.iter().rev().filter(is_other).filter(|p| p.message_id == pause.message_id);
    let answered = asked.iter().filter(|p| p.status != PauseStatus::Open || p.id == pause.id).map(|p| p.id);
    let mut begun = Begun {
        neta: Neta {
            session_id,
            assistant_message_id: pause.message_id,
            run_id: turns::find(&state.app, tenant_id, pause.message_id).await?.view.run_id,
            pause_id: None,
        },
        before: Before::default(),
        answered: answered.collect(),
        asks: others.next().map(OpenPause::from),
        tenant_id,
        stream: Stream::of_turn(session_id, pause.message_id),
        from: From::Place(None),
    };
    if open.is_some() {
        if let Ok(snapshot) = state.live.snapshot(tenant_id, begun.stream).await {
            let view = snapshot.view;
            begun.before = Before { content: view.content, thinking: view.thinking, usage: view.usage };
            begun.from = From::Place(Some(snapshot.cursor));
        }
        let text = in_options(pause, &said.message);
        let given = give(state, &asking.principal, asking.by.clone(), pause.id, text).await;
        given.map_err(|e| Refusal::Api(in_dialect(e, said.at)))?;
    } else {
        begun.before = until(&runs::journal(db, begun.neta.run_id).await.map_err(ApiError::from)?, pause);
    }
    Ok(Some(begun))
}

/// The option that is meant, however it is written; else what is said.
fn in_options<'a>(pause: &'a Pause, said: &'a str) -> &'a str {
    let said = said.trim();
    pause.options.iter().find(|o| o.to_lowercase() == said.to_lowercase()).map_or(said, String::as_str)
}

/// Whether the request says what answered the question already: it follows the question itself, and
/// is the answer that was given.
fn repeats(pause: &Pause, said: &Said) -> bool {
    let follows = |told: &Told| {
        let last = told.messages.last().filter(|m| m.role == Role::Assistant);
        last.is_some_and(|m| m.text.trim_end().ends_with(&question(&OpenPause::from(pause))))
    };
    pause.status == PauseStatus::Answered
        && pause.answer.as_deref() == Some(in_options(pause, &said.message))
        && follows(&said.told)
}

/// What a turn had said when it asked.
fn until(journal: &Journal, pause: &Pause) -> Before {
    let asks =
        |step: &Step| matches!(step, Step::Asked { tool_call_id } if *tool_call_id == pause.tool_call_id);
    let steps = match journal.steps.iter().position(asks) {
        Some(at) => journal.steps.iter().take(at).cloned().collect(),
        None => Vec::new(),
    };
    let asked = Journal { steps };
    Before { content: asked.answer_text(), thinking: asked.thinking_text(), usage: None }
}

async fn exists(state: &ApiState, principal: &Principal, agent: &AgentChoice) -> Result<bool, Refusal> {
    let found = match agent {
        AgentChoice::Id(id) => agents::find_seen(&state.app.db, principal, *id).await,
        AgentChoice::Name(name) => agents::find_seen_by_name(&state.app.db, principal, name).await,
    };
    Ok(found.map_err(ApiError::from)?.is_some())
}

impl Begun {
    /// The turn as it ended, or as it asks a person; as it stands if neither comes within `patience`
    /// or the process ends first.
    pub async fn end(self, state: &ApiState, patience: Duration) -> Result<TurnView, Refusal> {
        let (tenant_id, stream) = (self.tenant_id, self.stream);
        let waiter = match self.from {
            From::Accepted(outbox, listening) => {
                Waiter::fresh(&state.live, tenant_id, stream, outbox, listening)
            }
            From::Place(_) => {
                let waiter = Waiter::new(&state.live, tenant_id, stream).await;
                // It may have ended or asked before the subscription.
                let known = turns::find(&state.app, tenant_id, stream.message_id).await?;
                if is_answer(&known.view) {
                    return Ok(known.view);
                }
                waiter
            }
        };
        Ok(waiter.end(patience).await?)
    }

    /// Its events from where the caller stands.
    pub async fn follow(self, state: &ApiState) -> Follower {
        let (tenant_id, stream) = (self.tenant_id, self.stream);
        match self.from {
            From::Accepted(outbox, listening) => {
                Follower::fresh(&state.live, tenant_id, stream, outbox, listening, Level::Turn).await
            }
            From::Place(after) => Follower::new(&state.live, tenant_id, stream, after, Level::Turn).await,
        }
    }
}
