//! An API with everything around it, and a worker that does as a test says.

use crate::state::{
    ApiConfig, ApiState, ModelProbe, Parts, ProbeResult, ShownTool, ShownTools, ToolInfo, Toolboxes,
};
use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::{Value, json};
use shared::app::{App, turns};
use shared::bus::{Begin, Bus, BusError, Control, MemoryBus, Publication, Replay, Signal, Stream};
use shared::clock::{SharedClock, SystemClock};
use shared::domain::conversation::TokenUsage;
use shared::domain::delegation::{Delegation, GlobalDelegation};
use shared::domain::events::{Address, Cursor, Event, Fragment};
use shared::domain::ids::{MessageId, RunId, SessionId, TenantId, WorkerId};
use shared::domain::messages::{ErrorInfo, Metadata};
use shared::domain::models::Model;
use shared::domain::runs::{Lease, Reason, RunStatus};
use shared::domain::tools::{Effect, Flags, Narrowing, Refusal, Scene};
use shared::limits::{MemoryRates, RateLimits};
use shared::secrets::{Sealer, Secret, SecretKey};
use shared::store::runs::{self, Claim, Ending, FinishOutcome};
use shared::testing::databases::{self, TestDb};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

pub const TOKEN: &str = "test-admin-token";
pub const TENANT: TenantId = TenantId::FIRST;

/// An API of one test.
pub struct Api {
    pub state: ApiState,
    pub app: Arc<App>,
    pub bus: Arc<Wire>,
    pub router: Router,
    pub shutdown: CancellationToken,
    _db: TestDb,
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub json: Value,
    pub text: String,
}

impl Reply {
    /// The code of a refusal, in either of its forms.
    pub fn code(&self) -> Option<&str> {
        self.json["code"].as_str().or(self.json["error"]["code"].as_str())
    }
}

impl Api {
    /// With one model and one agent, `solo`.
    pub async fn new() -> Self {
        Self::at(Arc::new(SystemClock)).await
    }

    /// The same by another clock.
    pub async fn at(clock: SharedClock) -> Self {
        Self::made(clock, Arc::new(MemoryRates::new()), |_| {}).await
    }

    /// The same with other rates and settings.
    pub async fn with(rates: Arc<dyn RateLimits>, change: impl FnOnce(&mut ApiConfig)) -> Self {
        Self::made(Arc::new(SystemClock), rates, change).await
    }

    async fn made(
        clock: SharedClock,
        rates: Arc<dyn RateLimits>,
        change: impl FnOnce(&mut ApiConfig),
    ) -> Self {
        let db = databases::sqlite().await;
        let bus = Arc::new(Wire::default());
        let sealer = Sealer::new(&SecretKey::generate().unwrap());
        let app = Arc::new(App { bus: bus.clone(), clock, ..App::alone(db.clone(), sealer) });
        let shutdown = CancellationToken::new();
        let mut config = ApiConfig {
            admin_token: Secret::new(TOKEN),
            loopback: true,
            origins: vec!["https://chat.example".into()],
            web: crate::WebFiles::default(),
            delegation: GlobalDelegation::default(),
            is_https: false,
            trusted_proxies: shared::domain::clients::TrustedProxies::default(),
            proxy_header: shared::domain::clients::ProxyHeader::default(),
            rates: shared::config::RateConfig {
                key_per_minute: 0,
                user_per_minute: 0,
                address_per_minute: 0,
                burst: Duration::from_secs(10),
            },
            model_hosts: shared::domain::addresses::ModelHosts::default(),
            max_body_bytes: 1024 * 1024,
            max_message_chars: 200_000,
            sweep_overdue: Duration::from_secs(30),
        };
        change(&mut config);
        let state = ApiState::new(Parts {
            app: app.clone(),
            config,
            rates,
            probe: Arc::new(EchoProbe),
            tools: vec![ToolInfo::new("get_time", "The time", Flags::default(), Effect::Pure)],
            toolboxes: Arc::new(OneTool),
            metrics: None,
            shutdown: shutdown.clone(),
        });
        let router = crate::router(state.clone());
        let api = Self { state, app, bus, router, shutdown, _db: db };
        let model = json!({"name": "m", "provider": "demo", "modelName": "demo"});
        let model = api.post("/api/models", &model).await;
        assert_eq!(model.status, 201, "{model:?}");
        let agent = json!({"name": "solo", "modelId": model.json["id"]});
        assert_eq!(api.post("/api/agents", &agent).await.status, 201);
        api
    }

    /// Sends a request with the token.
    pub async fn send(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let request = request(method, path).header("authorization", format!("Bearer {TOKEN}"));
        let request = match body {
            Some(body) => {
                request.header("content-type", "application/json").body(Body::from(body.to_string()))
            }
            None => request.body(Body::empty()),
        };
        self.raw(request.unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, Some(body)).await
    }

    pub async fn chat(&self, body: &Value) -> Reply {
        self.post("/open/netaclaw/chat", body).await
    }

    /// Sends a request as it is.
    pub async fn raw(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Reply { status: parts.status, headers: parts.headers, json, text }
    }

    /// Accepts a turn that nobody waits for.
    pub async fn accepted(&self, body: &Value) -> Turn {
        let mut body = body.clone();
        body["wait"] = json!(0);
        let reply = self.chat(&body).await;
        assert_eq!(reply.status, 202, "{reply:?}");
        Turn::of(&reply.json)
    }

    /// The next turn that is accepted, as a worker would take it off the queue.
    pub async fn next_turn(&self) -> Turn {
        loop {
            if let Some(job) = self.app.queue.pop(1).await.unwrap().pop() {
                let run = runs::find(&self.app.db, TENANT, job.run_id).await.unwrap().unwrap();
                return Turn {
                    session_id: run.session_id,
                    message_id: run.assistant_message_id,
                    run_id: run.id,
                };
            }
            self.app.queue.wait(Duration::from_secs(5)).await;
        }
    }

    /// Begins the turn.
    pub async fn claim(&self, turn: Turn) -> Lease {
        let (owner, lease) = (WorkerId("test".into()), Duration::from_mins(1));
        let claim =
            runs::claim(&self.app.db, turn.run_id, &owner, lease, self.app.clock.now()).await.unwrap();
        let Claim::Claimed(claimed) = claim else { panic!("{claim:?}") };
        let run = claimed.run;
        Lease { run_id: run.id, owner, epoch: run.lease_epoch }
    }

    /// Sends events of the turn.
    pub async fn tell(&self, turn: Turn, events: &[Event]) {
        self.tell_as(turn, 1, events).await;
    }

    /// The same under a lease of this epoch.
    pub async fn tell_as(&self, turn: Turn, epoch: i64, events: &[Event]) {
        let events = events.iter().map(|e| e.render(turn.address(), self.app.clock.now())).collect();
        let publication =
            Publication { stream: turn.stream(), fence: Some(epoch), events, begin: Begin::IfMissing };
        self.bus.publish(publication).await.unwrap();
    }

    pub async fn say(&self, turn: Turn, text: &str) {
        self.tell(turn, &[Event::TextDelta { text: text.into() }]).await;
    }

    /// Ends the turn in the rows, and says nothing.
    pub async fn finish_silently(&self, lease: &Lease, content: &str, error: Option<ErrorInfo>) {
        self.store_end(lease, &ending(content, error)).await;
    }

    /// Ends the turn after so many tokens.
    pub async fn finish_using(&self, lease: &Lease, input_tokens: u64, output_tokens: u64) {
        let usage = Some(TokenUsage { input_tokens, output_tokens });
        self.store_end(lease, &Ending { usage, ..ending("", None) }).await;
    }

    async fn store_end(&self, lease: &Lease, ending: &Ending) {
        let outcome = runs::finish(&self.app.db, lease, ending, self.app.clock.now()).await.unwrap();
        assert!(matches!(outcome, FinishOutcome::Finished { .. }), "{outcome:?}");
    }

    /// Ends the turn.
    pub async fn finish(&self, turn: Turn, lease: &Lease, content: &str) {
        self.finish_silently(lease, content, None).await;
        assert!(turns::close_stream(&self.app, TENANT, turn.message_id).await.unwrap());
    }

    /// Claims, streams the text in its words, and ends.
    pub async fn answer(&self, turn: Turn, content: &str) {
        let lease = self.claim(turn).await;
        self.tell(turn, &[Event::Status { status: RunStatus::Running, reason: None }]).await;
        for word in content.split_inclusive(' ') {
            self.say(turn, word).await;
        }
        self.finish(turn, &lease, content).await;
    }

    /// Fails the turn after some text.
    pub async fn fail(&self, turn: Turn, content: &str, message: &str) {
        let lease = self.claim(turn).await;
        let error = ErrorInfo { kind: Reason::ModelAuth, message: message.into() };
        self.finish_silently(&lease, content, Some(error)).await;
        assert!(turns::close_stream(&self.app, TENANT, turn.message_id).await.unwrap());
    }

    /// Serves on a free port.
    pub async fn listen(&self) -> SocketAddr {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(crate::serve(listener, self.state.clone()));
        address
    }
}

impl Drop for Api {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

/// How a run ends.
pub fn ending(content: &str, error: Option<ErrorInfo>) -> Ending {
    Ending {
        status: if error.is_some() { RunStatus::Failed } else { RunStatus::Completed },
        reason: error.as_ref().map(|e| e.kind),
        content: content.into(),
        error,
        thinking: String::new(),
        metadata: Metadata::default(),
        usage: None,
        cost: None,
        tool_call_count: 0,
        first_seq: 0,
        steps: Vec::new(),
        usage_rows: Vec::new(),
        snapshot: None,
    }
}

/// A request to this server.
pub fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "127.0.0.1:8420")
}

/// The ids of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "named as everywhere else")]
pub struct Turn {
    pub session_id: SessionId,
    pub message_id: MessageId,
    pub run_id: RunId,
}

impl Turn {
    pub fn of(answer: &Value) -> Self {
        Self {
            session_id: answer["sessionId"].as_str().unwrap().parse().unwrap(),
            message_id: MessageId(answer["assistantMessageId"].as_i64().unwrap()),
            run_id: RunId(answer["runId"].as_i64().unwrap()),
        }
    }

    pub fn stream(self) -> Stream {
        Stream::of_turn(self.session_id, self.message_id)
    }

    fn address(self) -> Address {
        Address { session_id: self.session_id, message_id: self.message_id, run_id: self.run_id }
    }
}

/// Says what it was asked.
#[derive(Debug)]
struct EchoProbe;

/// A catalogue of one tool, and one that only supervisors who may delegate have.
#[derive(Debug)]
struct OneTool;

impl Toolboxes for OneTool {
    fn show(&self, scene: Scene, by: Narrowing<'_>, delegation: Option<&Delegation>) -> ShownTools {
        let mut shown = ShownTools::default();
        let tool = |name: &str, description: String| ShownTool {
            name: name.into(),
            description,
            parameters: json!({"type": "object"}),
        };
        let listed = by.agent.is_none_or(|l| l.iter().any(|n| n == "get_time"));
        if listed && !by.blocked.iter().any(|n| n == "get_time") {
            shown.tools.push(tool("get_time", "The time".into()));
        } else {
            shown.refused.push(("get_time".into(), Refusal::NotListed));
        }
        match delegation {
            Some(d) if scene == Scene::Supervisor => {
                let names: Vec<&str> = d.presets.iter().map(|p| p.name.as_str()).collect();
                shown.tools.push(tool("delegate_task", names.join(",")));
            }
            _ => shown.refused.push(("delegate_task".into(), Refusal::Scene)),
        }
        shown
    }
}

#[async_trait]
impl ModelProbe for EchoProbe {
    async fn probe(&self, model: &Model, key: Option<Secret>) -> ProbeResult {
        let key = key.map(|k| k.expose().len());
        ProbeResult {
            ok: true,
            message: format!("{} with a key of {key:?} characters", model.model_name),
            reason: None,
            latency_ms: 1,
        }
    }
}

/// The memory bus on a wire that can be cut.
#[derive(Debug, Default)]
pub struct Wire {
    bus: MemoryBus,
    away: AtomicBool,
}

impl Wire {
    pub fn set_away(&self, away: bool) {
        self.away.store(away, Ordering::SeqCst);
    }

    fn up(&self) -> Result<&MemoryBus, BusError> {
        if self.away.load(Ordering::SeqCst) {
            Err(BusError::Unavailable("cut by the test".into()))
        } else {
            Ok(&self.bus)
        }
    }
}

#[async_trait]
impl Bus for Wire {
    async fn publish(&self, publication: Publication) -> Result<shared::bus::Published, BusError> {
        self.up()?.publish(publication).await
    }

    async fn read(&self, stream: Stream, after: Option<Cursor>) -> Result<Replay, BusError> {
        self.up()?.read(stream, after).await
    }

    async fn subscribe(&self, session_id: SessionId) -> Result<mpsc::Receiver<Signal>, BusError> {
        self.up()?.subscribe(session_id).await
    }

    async fn send_control(&self, control: Control) -> Result<(), BusError> {
        self.up()?.send_control(control).await
    }

    async fn subscribe_control(&self) -> Result<mpsc::Receiver<Control>, BusError> {
        self.up()?.subscribe_control().await
    }

    async fn forget(
        &self,
        session_id: SessionId,
        streams: &[Stream],
        farewell: Option<Fragment>,
    ) -> Result<(), BusError> {
        self.up()?.forget(session_id, streams, farewell).await
    }

    async fn watch(&self, session_id: SessionId, ttl: Duration) -> Result<(), BusError> {
        self.up()?.watch(session_id, ttl).await
    }

    async fn ping(&self) -> Result<(), BusError> {
        self.up()?.ping().await
    }
}
