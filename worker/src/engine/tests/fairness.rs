//! P11: one tenant's backlog does not keep another's turn waiting.

use super::fixture::{Fixture, Turn};
use crate::llm::scripted::Reply;
use crate::source::{LastFetch, Source};
use chrono::{DateTime, Utc};
use shared::app;
use shared::domain::access::Sender;
use shared::domain::agents::AgentSpec;
use shared::domain::ids::{SessionId, TenantId};
use shared::domain::models::{ModelLimits, Provider};
use shared::domain::runs::{Policy, RunStatus};
use shared::on_both;
use shared::store::models::ModelSpec;
use shared::store::turns::AgentRef;
use shared::store::{Db, agents, models, runs};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

const SMALL: TenantId = TenantId(7);
const BACKLOG: usize = 1_000;
const SLOTS: usize = 2;

/// A second tenant, with a model and an agent of its own on the same provider.
async fn furnish(f: &Fixture, db: &Db) {
    let now = f.app.clock.now();
    let model = ModelSpec {
        name: "small".into(),
        provider: Provider::Openai,
        model_name: "scripted".into(),
        base_url: Some(f.provider.base_url()),
        api_key_sealed: None,
        trusted_host: true,
        limits: ModelLimits::default(),
    };
    let model = models::insert(db, SMALL, &model, now).await.unwrap();
    agents::insert(db, SMALL, None, &AgentSpec::plain("small", model.id), now).await.unwrap();
}

async fn say(f: &Fixture, tenant_id: TenantId, message: &str) -> Turn {
    let session_id = SessionId::generate();
    let new = app::turns::StartTurn {
        sender: Sender::of_tenant(tenant_id),
        session_id: Some(session_id),
        agent: AgentRef::Default,
        message: message.into(),
        told: None,
        client_message_id: None,
        policy: Policy::Enqueue,
        replaces: None,
        traceparent: None,
    };
    let turn = app::turns::start(&f.app, new).await.unwrap().turn;
    Turn { session_id, message_id: turn.assistant_message_id, run_id: turn.run_id }
}

/// Works with a few slots until the small tenant's turn has ended.
async fn work_until_the_small_one_ends(f: &Fixture) {
    let shutdown = CancellationToken::new();
    let source = Source {
        queue: f.app.queue.clone(),
        slots: Arc::new(Semaphore::new(SLOTS)),
        clock: f.app.clock.clone(),
        last_fetch: Arc::new(LastFetch::default()),
    };
    let worker = tokio::spawn(crate::run(f.engine(), source, shutdown.clone()));
    f.provider.wait_for("small", |s| s.finished == 1).await;
    shutdown.cancel();
    worker.await.unwrap();
}

/// When a worker began it; None: it still waits.
async fn began(db: &Db, tenant_id: TenantId, turn: &Turn) -> Option<DateTime<Utc>> {
    runs::find(db, tenant_id, turn.run_id).await.unwrap().unwrap().started_at
}

on_both!(a_turn_does_not_wait_for_another_tenants_backlog, |db| async {
    let f = Fixture::new(db).await;
    furnish(&f, db).await;
    f.provider.script("big", vec![Reply::text("one of many")]);
    f.provider.script("small", vec![Reply::text("at once")]);
    let mut backlog = Vec::with_capacity(BACKLOG);
    for _ in 0..BACKLOG {
        backlog.push(say(&f, TenantId::FIRST, "go [[script:big]]").await);
    }
    let turn = say(&f, SMALL, "go [[script:small]]").await;
    work_until_the_small_one_ends(&f).await;
    // By when they were taken: how long a first turn prepares itself is not the queue's doing.
    let small = began(db, SMALL, &turn).await.unwrap();
    let mut before = 0;
    for big in &backlog {
        before += usize::from(began(db, TenantId::FIRST, big).await.is_some_and(|at| at <= small));
    }
    assert!(before <= 2 * SLOTS, "{before} turns of {BACKLOG} were taken first");
    let view = app::turns::find(&f.app, SMALL, turn.message_id).await.unwrap().view;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "at once"));
});
