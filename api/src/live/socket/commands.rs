//! What a client may say over its socket, and what it is answered. A bad frame gets a `problem` and
//! never ends the socket.

use super::subscriptions::What;
use super::{Connection, Go};
use crate::auth::resource;
use crate::error::{ApiError, QuotaProblem};
use crate::extract::parse;
use crate::live::Level;
use crate::live::hub::Interest;
use crate::live::joiner::Joiner;
use crate::routes::chat::agent_choice;
use crate::routes::chat::input::ChatRequest;
use crate::routes::pauses::{self, PauseView};
use crate::routes::runs::name_blocker;
use crate::state::ApiState;
use serde::{Deserialize, Serialize};
use shared::app::turns::StartTurn;
use shared::app::{self, runs::Stopped};
use shared::bus::Stream;
use shared::domain::events::Cursor;
use shared::domain::ids::{MessageId, PauseId, RunId, SessionId, SubagentId, TenantId};
use shared::domain::messages::MessageStatus;
use shared::domain::pauses::PauseStatus;
use shared::domain::permissions::Permission;
use shared::domain::sessions::Session;
use shared::domain::subagents::Subagent;
use shared::store;
use shared::store::turns::Turn;
use shared::telemetry::TraceContext;
use utoipa::ToSchema;

/// Messages among which unfinished turns are looked for: they are a session's newest.
const NEWEST: u32 = 100;

/// What a frame is called by its sender.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientMessage {
    client_message_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Kind {
    r#type: String,
}

/// What a client says over its socket.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientFrame {
    /// A message to an agent; `wait` has no meaning here.
    Chat(ChatRequest),
    /// Follow a session.
    Subscribe(Subscribe),
    /// Follow it no more.
    Unsubscribe(Unsubscribe),
    /// Stop a turn or a subagent.
    Stop(Stop),
    /// Answer a question.
    ClarifyResponse(ClarifyResponse),
}

impl ClientFrame {
    /// Reads a frame by its type, so that a field that can't be used is named.
    pub fn read(json: &[u8]) -> Result<Self, ApiError> {
        let kind: Kind = parse(json)?;
        match kind.r#type.as_str() {
            "chat" => parse(json).map(Self::Chat),
            "subscribe" => parse(json).map(Self::Subscribe),
            "unsubscribe" => parse(json).map(Self::Unsubscribe),
            "stop" => parse(json).map(Self::Stop),
            "clarify_response" => parse(json).map(Self::ClarifyResponse),
            other => Err(ApiError::invalid("type", format!("unknown frame type {other:?}"))),
        }
    }
}

/// Follow a session; with a message and a cursor, go on in that turn's stream.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subscribe {
    session_id: SessionId,
    message_id: Option<MessageId>,
    /// Go on in this subagent's stream of the message instead of the turn's own.
    subagent_id: Option<SubagentId>,
    epoch: Option<u64>,
    seq: Option<u64>,
    /// Whether subagents' text and tools are told, too. Not given: as it was; at first `turn`.
    level: Option<Level>,
}

/// Follow a session no more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unsubscribe {
    session_id: SessionId,
}

/// Stop a turn, or one of its subagents; its text so far is kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    message_id: MessageId,
    /// Only this subagent of the turn: the others go on, and the supervisor learns of it.
    subagent_id: Option<SubagentId>,
}

/// Answer a question of a turn.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClarifyResponse {
    /// Which; an answer without it is refused, and the refusal names the open ones.
    pause_id: Option<PauseId>,
    /// In words, or one of the options.
    answer: String,
    /// Whose questions such a refusal names.
    session_id: Option<SessionId>,
}

/// What the server says besides events.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// To `chat`: the message is durable.
    #[serde(rename_all = "camelCase")]
    Accepted {
        /// Its session.
        session_id: SessionId,
        /// The user's message.
        user_message_id: MessageId,
        /// The placeholder.
        assistant_message_id: MessageId,
        /// The run.
        run_id: RunId,
        /// The client's own id of the message.
        #[serde(skip_serializing_if = "Option::is_none")]
        client_message_id: Option<String>,
        /// It was accepted before, under the same client message id.
        repeated: bool,
    },
    /// To `subscribe`; what is missing follows.
    #[serde(rename_all = "camelCase")]
    Subscribed {
        /// The session.
        session_id: SessionId,
        /// What is told of it; missing: its turns.
        #[serde(skip_serializing_if = "Option::is_none")]
        level: Option<Level>,
    },
    /// To `unsubscribe`.
    #[serde(rename_all = "camelCase")]
    Unsubscribed {
        /// The session.
        session_id: SessionId,
    },
    /// To `stop`; the turn's last event follows, unless it was over.
    #[serde(rename_all = "camelCase")]
    Stopping {
        /// The turn.
        message_id: MessageId,
        /// The subagent, if only that is stopped.
        #[serde(skip_serializing_if = "Option::is_none")]
        subagent_id: Option<SubagentId>,
        /// Whether it had ended before.
        already_over: bool,
    },
    /// To `clarify_response`: the answer counts, and the turn goes on.
    #[serde(rename_all = "camelCase")]
    Answered {
        /// The question.
        pause_id: PauseId,
    },
    /// The frame was not carried out.
    #[serde(rename_all = "camelCase")]
    Problem {
        /// As in HTTP problems.
        code: &'static str,
        /// For people.
        detail: String,
        /// What is to blame.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        /// The client's own id of the message.
        #[serde(skip_serializing_if = "Option::is_none")]
        client_message_id: Option<String>,
        /// The run in the way of a refused message.
        #[serde(skip_serializing_if = "Option::is_none")]
        run_id: Option<RunId>,
        /// The quota of which nothing more of the day is left.
        #[serde(skip_serializing_if = "Option::is_none")]
        quota: Option<QuotaProblem>,
        /// When to come again, where that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after_seconds: Option<u64>,
        /// Why a question takes no answer any more: `expired` or `cancelled`.
        #[serde(skip_serializing_if = "Option::is_none")]
        state: Option<PauseStatus>,
        /// The question that takes no other answer, as it stands.
        #[serde(skip_serializing_if = "Option::is_none")]
        pause: Option<Box<PauseView>>,
        /// The open questions, of which an answer has to name one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pause_ids: Option<Vec<PauseId>>,
    },
    /// The server goes away: connect again after so long, with the cursors.
    #[serde(rename_all = "camelCase")]
    Reconnect {
        /// Milliseconds; different for each socket.
        after_ms: u64,
    },
}

impl Answer {
    /// Tells why a frame was not carried out.
    pub fn problem(error: &ApiError, client_message_id: Option<String>) -> Self {
        error.log();
        let problem = error.problem();
        Self::Problem {
            code: error.code(),
            field: error.field().map(str::to_owned),
            run_id: problem.run_id,
            state: problem.state,
            pause: problem.pause.map(Box::new),
            pause_ids: problem.pause_ids,
            quota: problem.quota,
            retry_after_seconds: error.retry_after_seconds(),
            detail: problem.detail,
            client_message_id,
        }
    }
}

/// Why a command ends: a problem for the client, or the end of the socket.
enum Stumble {
    Problem(ApiError),
    End(super::End),
}

impl From<ApiError> for Stumble {
    fn from(error: ApiError) -> Self {
        Self::Problem(error)
    }
}

impl From<app::AppError> for Stumble {
    fn from(error: app::AppError) -> Self {
        Self::Problem(error.into())
    }
}

impl From<store::StoreError> for Stumble {
    fn from(error: store::StoreError) -> Self {
        Self::Problem(error.into())
    }
}

impl From<super::End> for Stumble {
    fn from(end: super::End) -> Self {
        Self::End(end)
    }
}

impl Connection {
    /// Carries out one client frame.
    pub(super) async fn obey(&mut self, text: &str) -> Go {
        if let Err(error) = self.user.pay().await {
            let chat = parse::<ClientMessage>(text.as_bytes()).ok();
            return self.say(&Answer::problem(&error, chat.and_then(|chat| chat.client_message_id))).await;
        }
        let mut client_message_id = None;
        match self.dispatch(text, &mut client_message_id).await {
            Ok(()) => Ok(()),
            Err(Stumble::End(end)) => Err(end),
            Err(Stumble::Problem(error)) => self.say(&Answer::problem(&error, client_message_id)).await,
        }
    }

    async fn dispatch(&mut self, text: &str, client_message_id: &mut Option<String>) -> Result<(), Stumble> {
        if !self.user.is_operator() {
            self.recheck().await?;
        }
        match ClientFrame::read(text.as_bytes())? {
            ClientFrame::Chat(request) => {
                client_message_id.clone_from(&request.client_message_id);
                self.demand(Permission::SessionChat)?;
                self.chat(request).await
            }
            ClientFrame::Subscribe(frame) => self.subscribe(&frame).await,
            ClientFrame::Unsubscribe(Unsubscribe { session_id }) => {
                self.subscriptions.remove(session_id);
                Ok(self.say(&Answer::Unsubscribed { session_id }).await?)
            }
            ClientFrame::Stop(Stop { message_id, subagent_id }) => {
                let (state, principal) = (&self.state, self.user.principal());
                let (app, tenant_id, needs) = (&state.app, principal.tenant_id, Permission::SessionChat);
                let stopped = match subagent_id {
                    None => {
                        resource::load::<Turn>(state, principal, message_id, needs).await?;
                        app::runs::stop_turn(app, tenant_id, self.user.acting(), message_id).await?
                    }
                    Some(id) => {
                        let subagent = resource::load::<Subagent>(state, principal, id, needs).await?;
                        if subagent.parent_message_id != message_id {
                            return Err(ApiError::NotFound("subagent").into());
                        }
                        app::runs::stop_subagent(app, tenant_id, self.user.acting(), id).await?
                    }
                };
                let already_over = stopped == Stopped::AlreadyOver;
                Ok(self.say(&Answer::Stopping { message_id, subagent_id, already_over }).await?)
            }
            ClientFrame::ClarifyResponse(ClarifyResponse { pause_id, answer, session_id }) => {
                self.demand(Permission::SessionChat)?;
                let (state, principal) = (&self.state, self.user.principal());
                let pause_id = match pause_id {
                    Some(id) => pauses::give(state, principal, self.user.acting(), id, &answer).await?.id,
                    None => return Err(pauses::which(state, principal, session_id).await.into()),
                };
                Ok(self.say(&Answer::Answered { pause_id }).await?)
            }
        }
    }

    fn demand(&self, permission: Permission) -> Result<(), ApiError> {
        if self.user.principal().may(permission) { Ok(()) } else { Err(ApiError::Forbidden(permission)) }
    }

    async fn chat(&mut self, request: ChatRequest) -> Result<(), Stumble> {
        let client_message_id = request.client_message_id.clone();
        let trace = TraceContext::new();
        let principal = self.user.principal();
        let replaces = request.replaces(principal, || self.user.acting())?;
        let mut start = StartTurn { replaces, ..request.check(principal, &self.state.config, trace)? };
        start.agent = agent_choice::seen(&self.state, principal, start.agent, start.session_id).await?;
        if start.session_id.is_none() && start.client_message_id.is_none() {
            start.session_id = Some(SessionId::generate());
        }
        let asked = start.session_id;
        let new = asked.filter(|id| !self.subscriptions.has(*id));
        let state = self.state.clone();
        let listen =
            async |id| state.live.hub().listen(id, Interest::Session(Level::Turn), self.outbox.clone()).await;
        let (started, listening) = tokio::join!(app::turns::accept(&state.app, start), async {
            match new {
                Some(id) => Some((id, listen(id).await)),
                None => None,
            }
        });
        let started = match started {
            Ok(started) => started,
            Err(error) => {
                return Err(name_blocker(&state, self.user.principal().tenant_id, asked, error).await.into());
            }
        };
        let turn = &started.turn;
        let listening = match listening {
            Some((id, listening)) if id == turn.session_id => Some(listening),
            _ if self.subscriptions.has(turn.session_id) => None,
            _ => Some(listen(turn.session_id).await),
        };
        if let Some(listening) = listening
            && !self.subscriptions.full()
        {
            self.subscriptions.add(turn.session_id, listening);
        }
        self.say(&Answer::Accepted {
            session_id: turn.session_id,
            user_message_id: turn.user_message_id,
            assistant_message_id: turn.assistant_message_id,
            run_id: turn.run_id,
            client_message_id,
            repeated: started.repeated,
        })
        .await?;
        app::turns::announce(&state.app, &started).await;
        let stream = Stream::of_turn(turn.session_id, turn.assistant_message_id);
        if started.repeated && !self.subscriptions.knows(stream) {
            self.read_on(stream, Joiner::default()).await?;
        }
        Ok(())
    }

    async fn subscribe(&mut self, frame: &Subscribe) -> Result<(), Stumble> {
        let cursor = match (frame.epoch, frame.seq) {
            (Some(epoch), Some(seq)) => Some(Cursor { epoch, seq }),
            (None, None) => None,
            _ => return Err(ApiError::invalid("epoch", "epoch and seq are given together").into()),
        };
        let (principal, session_id) = (self.user.principal(), frame.session_id);
        resource::load::<Session>(&self.state, principal, session_id, Permission::SessionView).await?;
        if !self.subscriptions.has(session_id) {
            if self.subscriptions.full() {
                return Err(ApiError::Conflict("this socket follows too many sessions".to_owned()).into());
            }
            let listening = self
                .state
                .live
                .hub()
                .listen(session_id, Interest::Session(Level::Turn), self.outbox.clone())
                .await;
            self.subscriptions.add(session_id, listening);
        }
        let level = self.set_level(session_id, frame.level).await;
        self.say(&Answer::Subscribed { session_id, level: level.beyond_turn() }).await?;
        let Some(message_id) = frame.message_id else { return self.picture(session_id).await };
        let stream = Stream { session_id, message_id, subagent: frame.subagent_id };
        self.read_on(stream, Joiner::new(cursor)).await?;
        if !self.subscriptions.knows(stream) {
            return Err(ApiError::NotFound("message").into());
        }
        if level == Level::Subagents && frame.subagent_id.is_none() {
            self.show_subagents(session_id, &[message_id]).await?;
        }
        Ok(())
    }

    async fn set_level(&mut self, session_id: SessionId, wanted: Option<Level>) -> Level {
        match wanted {
            Some(Level::Subagents) if self.subscriptions.level(session_id) == Level::Turn => {
                let following = self.state.live.follow_subagents(session_id).await;
                self.subscriptions.widen(session_id, following);
            }
            Some(Level::Turn) => self.subscriptions.narrow(session_id),
            Some(Level::Subagents) | None => {}
        }
        self.subscriptions.level(session_id)
    }

    /// Sends the picture of subagents under way that the client has heard nothing of.
    async fn show_subagents(&mut self, session_id: SessionId, messages: &[MessageId]) -> Go {
        let running = self.state.live.running(self.user.principal().tenant_id, session_id, messages).await;
        let running = match running {
            Ok(running) => running,
            Err(error) => {
                ApiError::from(error).log();
                return Ok(());
            }
        };
        for stream in running {
            if !self.subscriptions.knows(stream) {
                self.show(stream).await?;
            }
        }
        Ok(())
    }

    /// Reads and sends what is missing.
    pub(super) async fn catch_up(&mut self, what: What) -> Go {
        match what {
            What::Stream(stream) => {
                let joiner = self.subscriptions.place(stream);
                self.read_on(stream, joiner).await
            }
            What::Turn(session_id, message_id) => {
                let mut streams = self.subscriptions.unfinished(session_id);
                streams.retain(|s| s.message_id == message_id);
                self.read_all(streams).await
            }
            What::Session(session_id) => {
                let streams = self.subscriptions.unfinished(session_id);
                self.read_all(streams).await?;
                self.begun_meanwhile(session_id).await
            }
        }
    }

    async fn read_all(&mut self, streams: Vec<Stream>) -> Go {
        for stream in streams {
            let joiner = self.subscriptions.place(stream);
            self.read_on(stream, joiner).await?;
        }
        Ok(())
    }

    async fn read_on(&mut self, stream: Stream, mut joiner: Joiner) -> Go {
        let (live, tenant_id) = (self.state.live.clone(), self.user.principal().tenant_id);
        match live.catch_up(tenant_id, stream, &mut joiner).await {
            Ok(frames) => {
                self.subscriptions.set(&live, tenant_id, stream, joiner);
                self.send_frames(frames).await
            }
            Err(_) => {
                self.subscriptions.forget(stream);
                Ok(())
            }
        }
    }

    /// Sends the picture of every unfinished turn.
    async fn picture(&mut self, session_id: SessionId) -> Result<(), Stumble> {
        let pending = pending(&self.state, self.user.principal().tenant_id, session_id).await?;
        for &message_id in &pending {
            self.show(Stream::of_turn(session_id, message_id)).await?;
        }
        if self.subscriptions.level(session_id) == Level::Subagents {
            self.show_subagents(session_id, &pending).await?;
        }
        Ok(())
    }

    /// Sends the picture of unfinished turns that the client has heard nothing of.
    async fn begun_meanwhile(&mut self, session_id: SessionId) -> Go {
        let pending = match pending(&self.state, self.user.principal().tenant_id, session_id).await {
            Ok(pending) => pending,
            Err(error) => {
                error.log();
                return Ok(());
            }
        };
        for &message_id in &pending {
            let stream = Stream::of_turn(session_id, message_id);
            if !self.subscriptions.knows(stream) {
                self.show(stream).await?;
            }
        }
        match self.subscriptions.level(session_id) {
            Level::Subagents => self.show_subagents(session_id, &pending).await,
            Level::Turn => Ok(()),
        }
    }

    async fn show(&mut self, stream: Stream) -> Go {
        let (live, tenant_id) = (self.state.live.clone(), self.user.principal().tenant_id);
        let mut joiner = Joiner::default();
        let Ok(frames) = live.catch_up_whole(tenant_id, stream, &mut joiner).await else { return Ok(()) };
        self.subscriptions.set(&live, tenant_id, stream, joiner);
        self.send_frames(frames).await
    }

    async fn send_frames(&mut self, frames: Vec<shared::bus::Frame>) -> Go {
        for frame in frames {
            self.feed(frame.json).await?;
        }
        self.flush().await
    }
}

/// The unfinished turns of a session, oldest first.
async fn pending(
    state: &ApiState,
    tenant_id: TenantId,
    session_id: SessionId,
) -> Result<Vec<MessageId>, ApiError> {
    let db = &state.app.db;
    let newest = store::messages::list_newest(db, tenant_id, session_id, None, NEWEST).await?;
    let pending = newest.iter().rev().filter(|m| m.status == MessageStatus::Pending);
    Ok(pending.map(|m| m.id).collect())
}
