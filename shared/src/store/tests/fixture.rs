//! What the tests build on.

use crate::clock::{Clock, SystemClock};
use crate::domain::access::Sender;
use crate::domain::agents::{AgentSpec, SubagentConfig};
use crate::domain::conversation::{Finish, Response, TokenUsage, ToolCall};
use crate::domain::ids::{AgentId, ModelId, RunId, SessionId, TenantId, WorkerId};
use crate::domain::journal::{ModelStep, Step};
use crate::domain::messages::Metadata;
use crate::domain::models::{ModelLimits, Provider};
use crate::domain::runs::{Lease, Policy, Run, RunStatus};
use crate::store::db::query;
use crate::store::models::ModelSpec;
use crate::store::runs::{Claim, Ending, UsageRow};
use crate::store::turns::{AcceptOutcome, AcceptedTurn, AgentRef, NewTurn};
use crate::store::{Db, agents, models, runs, turns};
use chrono::{DateTime, Utc};
use std::time::Duration;

pub const TENANT: TenantId = TenantId::FIRST;
pub const OTHER: TenantId = TenantId(2);
pub const LEASE: Duration = Duration::from_secs(15);

pub fn now() -> DateTime<Utc> {
    SystemClock.now()
}

pub fn worker(name: &str) -> WorkerId {
    WorkerId(name.to_owned())
}

pub fn model_spec(name: &str) -> ModelSpec {
    ModelSpec {
        name: name.to_owned(),
        provider: Provider::Openai,
        model_name: "gpt".to_owned(),
        base_url: Some("http://127.0.0.1:1".to_owned()),
        api_key_sealed: Some("sealed".to_owned()),
        trusted_host: true,
        limits: ModelLimits { rpm: Some(60), input_price: Some(0.25), ..ModelLimits::default() },
    }
}

pub fn agent_spec(name: &str, model_id: ModelId) -> AgentSpec {
    AgentSpec {
        system_prompt: "中文 \u{2400}".to_owned(),
        tools: Some(vec!["get_time".to_owned()]),
        subagent_config: SubagentConfig { enabled: Some(true), ..SubagentConfig::default() },
        max_tool_rounds: Some(7),
        temperature: Some(0.7),
        ..AgentSpec::plain(name, model_id)
    }
}

pub async fn agent(db: &Db, tenant: TenantId) -> AgentId {
    let model = models::insert(db, tenant, &model_spec("m"), now()).await.unwrap();
    agents::insert(db, tenant, None, &agent_spec("a", model.id), now()).await.unwrap().id
}

pub fn turn(session_id: SessionId, content: &str) -> NewTurn {
    NewTurn {
        sender: Sender::of_tenant(TENANT),
        session_id,
        agent: AgentRef::Default,
        content: content.to_owned(),
        told: None,
        title: content.to_owned(),
        client_message_id: None,
        policy: Policy::Enqueue,
        replaces: None,
        traceparent: None,
        now: now(),
    }
}

pub async fn accept(db: &Db, turn: &NewTurn) -> AcceptedTurn {
    match turns::accept(db, turn).await.unwrap() {
        AcceptOutcome::Accepted(turn) => turn,
        other => panic!("not accepted: {other:?}"),
    }
}

pub async fn claim(db: &Db, run_id: RunId, owner: &str) -> Claim {
    runs::claim(db, run_id, &worker(owner), LEASE, now()).await.unwrap()
}

pub async fn claimed(db: &Db, run_id: RunId, owner: &str) -> (Run, Lease) {
    match claim(db, run_id, owner).await {
        Claim::Claimed(claimed) => {
            let run = claimed.run;
            let lease = Lease { run_id, owner: worker(owner), epoch: run.lease_epoch };
            (run, lease)
        }
        other => panic!("not claimed: {other:?}"),
    }
}

pub fn model_step(text: &str, calls: &[&str]) -> Step {
    Step::Model(ModelStep {
        response: Response {
            text: text.to_owned(),
            thinking: "hm".to_owned(),
            calls: calls
                .iter()
                .map(|id| ToolCall { id: (*id).to_owned(), name: "t".to_owned(), arguments: "{}".to_owned() })
                .collect(),
            finish: Finish::Stop,
            usage: None,
        },
        duration_ms: 5,
        attempts: 1,
    })
}

pub fn usage_row(step_seq: i64) -> UsageRow {
    UsageRow {
        model_id: ModelId(1),
        step_seq,
        input_tokens: 10,
        output_tokens: 3,
        cost: Some(0.5),
        duration_ms: 7,
    }
}

pub fn ending(text: &str) -> Ending {
    Ending {
        status: RunStatus::Completed,
        reason: None,
        content: text.to_owned(),
        thinking: String::new(),
        metadata: Metadata::default(),
        usage: Some(TokenUsage { input_tokens: 10, output_tokens: 3 }),
        cost: Some(0.5),
        error: None,
        tool_call_count: 0,
        first_seq: 0,
        steps: vec![model_step(text, &[])],
        usage_rows: vec![usage_row(0)],
        snapshot: None,
    }
}

/// Lets a run's lease expire, by either database's clock.
pub async fn expire(db: &Db, run_id: RunId) {
    query("UPDATE netaclaw_run SET lease_expires_at = $2 WHERE id = $1")
        .bind(run_id)
        .bind(now() - chrono::TimeDelta::seconds(1))
        .execute(db)
        .await
        .unwrap();
}

/// Removes an agent; false: there is none.
pub async fn delete_agent(db: &Db, tenant: TenantId, id: AgentId) -> bool {
    let mut tx = db.begin().await.unwrap();
    let deleted = agents::delete(&mut tx, tenant, id).await.unwrap();
    tx.commit().await.unwrap();
    deleted
}

/// Rows of a table.
pub async fn count(db: &Db, table: &str) -> i64 {
    let sql: &'static str = format!("SELECT COUNT(*) AS n FROM {table}").leak();
    query(sql).one(db).await.unwrap().get("n").unwrap()
}
