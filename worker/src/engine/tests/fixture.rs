//! One process's worth of parts on a test database.

use super::counting_tools::{Counting, Runs};
use crate::engine::{Engine, Parts};
use crate::llm::Providers;
use crate::llm::http::ClientOptions;
use crate::llm::scripted::ScriptedProvider;
use crate::tools::{Catalogue, Tool, builtin};
use shared::app::{self, App};
use shared::bus::{Replay, Stream};
use shared::config::Config;
use shared::domain::access::Sender;
use shared::domain::agents::AgentSpec;
use shared::domain::events::{Event, TurnView};
use shared::domain::ids::{MessageId, RunId, SessionId, TenantId};
use shared::domain::jobs::Job;
use shared::domain::models::{ModelLimits, Provider};
use shared::domain::runs::Policy;
use shared::domain::tools::Effect;
use shared::limits::MemoryLimits;
use shared::secrets::{Sealer, SecretKey};
use shared::store::models::ModelSpec;
use shared::store::turns::AgentRef;
use shared::store::{Db, agents, models};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Parts, an agent, and a provider to program.
pub struct Fixture {
    pub app: Arc<App>,
    pub provider: ScriptedProvider,
    pub safe: Arc<Runs>,
    pub harmful: Arc<Runs>,
    limits: Arc<MemoryLimits>,
    config: Config,
}

impl Fixture {
    pub async fn new(db: &Db) -> Self {
        Self::with_limits(db, ModelLimits::default()).await
    }

    pub async fn with_limits(db: &Db, limits: ModelLimits) -> Self {
        Self::with(db, limits, |_| {}).await
    }

    pub async fn new_agent(db: &Db, change: impl FnOnce(&mut AgentSpec)) -> Self {
        Self::with(db, ModelLimits::default(), change).await
    }

    async fn with(db: &Db, limits: ModelLimits, change: impl FnOnce(&mut AgentSpec)) -> Self {
        drop(rustls::crypto::ring::default_provider().install_default());
        let provider = ScriptedProvider::start().await;
        let app = App::alone(db.clone(), Sealer::new(&SecretKey::generate().unwrap()));
        let now = app.clock.now();
        let model = ModelSpec {
            name: "scripted".into(),
            provider: Provider::Openai,
            model_name: "scripted".into(),
            base_url: Some(provider.base_url()),
            api_key_sealed: None,
            trusted_host: true,
            limits,
        };
        let model = models::insert(db, TenantId::FIRST, &model, now).await.unwrap();
        let mut agent =
            AgentSpec { system_prompt: "You are a test.".into(), ..AgentSpec::plain("agent", model.id) };
        change(&mut agent);
        agents::insert(db, TenantId::FIRST, None, &agent, now).await.unwrap();
        let mut config =
            Config::resolve(None, &shared::config::Pairs::new(), &shared::config::Pairs::new()).unwrap();
        // Long: no test depends on a lease that happens to last; those that want one to end say so.
        config.worker.lease = Duration::from_mins(10);
        config.worker.renew = Duration::from_millis(500);
        config.llm.max_attempts = 2;
        Self {
            app: Arc::new(app),
            provider,
            safe: Arc::default(),
            harmful: Arc::default(),
            limits: Arc::new(MemoryLimits::new()),
            config,
        }
    }

    /// A worker; each call makes another process's.
    pub fn engine(&self) -> Arc<Engine> {
        self.engine_with(|_| {})
    }

    pub fn engine_with(&self, change: impl FnOnce(&mut Config)) -> Arc<Engine> {
        let mut config = self.config.clone();
        change(&mut config);
        let mut tools = builtin(&self.app.db);
        let more: [Arc<dyn Tool>; 2] = [
            Arc::new(Counting { name: "look", effect: Effect::Idempotent, runs: self.safe.clone() }),
            Arc::new(Counting { name: "send_mail", effect: Effect::Effectful, runs: self.harmful.clone() }),
        ];
        tools.extend(more);
        Engine::new(Parts {
            app: self.app.clone(),
            limits: self.limits.clone(),
            llm: Arc::new(Providers::new(&ClientOptions::default()).unwrap()),
            catalogue: Arc::new(Catalogue::new(tools).unwrap()),
            worker: config.worker,
            runs: config.runs,
            delegation: config.delegation,
            llm_config: config.llm,
        })
    }

    /// Accepts a message.
    pub async fn say(&self, session_id: SessionId, message: &str) -> Turn {
        let new = app::turns::StartTurn {
            sender: Sender::of_tenant(TenantId::FIRST),
            session_id: Some(session_id),
            agent: AgentRef::Default,
            message: message.into(),
            told: None,
            client_message_id: None,
            policy: Policy::Enqueue,
            replaces: None,
            traceparent: None,
        };
        let turn = app::turns::start(&self.app, new).await.unwrap().turn;
        Turn { session_id, message_id: turn.assistant_message_id, run_id: turn.run_id }
    }

    /// Has the engine take every ring until nothing rings and nothing runs.
    pub async fn work(&self, engine: &Arc<Engine>) {
        loop {
            let jobs = self.app.queue.pop(10).await.unwrap();
            if jobs.is_empty() && engine.busy() == 0 {
                return;
            }
            for job in jobs {
                engine.take(job, slot().await).await;
            }
            self.app.queue.wait(Duration::from_millis(20)).await;
        }
    }

    /// Has the engine take one run, and returns at once.
    pub async fn take(&self, engine: &Arc<Engine>, turn: Turn) {
        self.app.queue.remove(turn.run_id).await.unwrap();
        let job = Job { run_id: turn.run_id, tenant_id: TenantId::FIRST, traceparent: None };
        engine.take(job, slot().await).await;
    }

    /// The turn as its rows show it.
    pub async fn view(&self, turn: Turn) -> TurnView {
        app::turns::find(&self.app, TenantId::FIRST, turn.message_id).await.unwrap().view
    }

    /// How many events of the turn so far say this.
    pub async fn told(&self, turn: Turn, what: &str) -> usize {
        let stream = Stream::of_turn(turn.session_id, turn.message_id);
        match self.app.bus.read(stream, None).await.unwrap() {
            Replay::Frames { frames, .. } => {
                let updates = frames.iter().filter(|f| f.json.contains(r#""type":"subagent_update""#));
                updates.filter(|f| f.json.contains(what)).count()
            }
            Replay::Missing => 0,
        }
    }

    /// All events of the turn, their numbers checked: contiguous, one terminal, last.
    pub async fn events(&self, turn: Turn) -> Vec<Event> {
        let stream = Stream::of_turn(turn.session_id, turn.message_id);
        let Replay::Frames { frames, .. } = self.app.bus.read(stream, None).await.unwrap() else {
            panic!("no log");
        };
        let first = frames[0].seq;
        for (at, frame) in frames.iter().enumerate() {
            assert_eq!((frame.seq, frame.epoch), (first + at as u64, frames[0].epoch));
            assert_eq!(frame.terminal, at + 1 == frames.len(), "one terminal event, last: {}", frame.json);
        }
        frames.iter().map(|f| serde_json::from_str(&f.json).unwrap()).collect()
    }

    /// What a reader of these events shows equals what is stored.
    pub async fn assert_stream_equals_rows(&self, turn: Turn) {
        let stored = self.view(turn).await;
        let mut shown = TurnView::new(stored.user_message_id, turn.message_id, turn.run_id);
        let events = self.events(turn).await;
        for event in events.iter().filter(|e| !e.is_terminal()) {
            shown.apply(event);
        }
        assert_eq!(shown.content, stored.content, "joined deltas equal the stored text");
        assert_eq!(shown.tools, stored.tools);
        assert_eq!(shown.todos, stored.todos);
        for event in events.iter().filter(|e| e.is_terminal()) {
            shown.apply(event);
        }
        assert_eq!(shown.status, stored.status);
    }
}

pub async fn slot() -> tokio::sync::OwnedSemaphorePermit {
    Arc::new(Semaphore::new(1)).acquire_owned().await.unwrap()
}

/// An accepted turn.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "they are ids")]
pub struct Turn {
    pub session_id: SessionId,
    pub message_id: MessageId,
    pub run_id: RunId,
}
