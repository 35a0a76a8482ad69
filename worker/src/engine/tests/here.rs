//! What a worker goes on with itself, in its free slots, and what goes over the queue.

use super::fixture::{Fixture, Turn};
use crate::engine::Engine;
use crate::llm::scripted::Reply;
use serde_json::{Value, json};
use shared::domain::ids::{SessionId, TenantId};
use shared::domain::runs::RunStatus;
use shared::domain::subagents::SubagentStatus;
use shared::on_both;
use shared::store::{runs, subagents};

fn delegate(scripts: &[&str]) -> Reply {
    let tasks: Vec<Value> =
        scripts.iter().map(|s| json!({"goal": format!("do it [[script:{s}]]")})).collect();
    Reply::call("delegate_parallel", &json!({ "tasks": tasks }).to_string())
}

/// Until nothing runs here; nobody takes a ring meanwhile.
async fn idle(engine: &Engine) {
    while engine.busy() > 0 {
        tokio::task::yield_now().await;
    }
}

async fn states(f: &Fixture, turn: Turn) -> Vec<SubagentStatus> {
    let children = subagents::of_run(&f.app.db, turn.run_id).await.unwrap();
    children.iter().map(|c| c.status).collect()
}

on_both!(a_supervisor_and_its_subagents_go_on_here_without_a_ring, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a", "b", "c"]), Reply::text("All.")]);
    for name in ["a", "b", "c"] {
        f.provider.script(name, vec![Reply::text(name)]);
    }
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine();
    f.take(&engine, turn).await;
    idle(&engine).await;
    let view = f.view(turn).await;
    assert_eq!((view.status, view.content.as_str()), (RunStatus::Completed, "All."));
    assert_eq!(f.app.queue.depth().await.unwrap(), 0);
    f.assert_stream_equals_rows(turn).await;
    let run = runs::find(db, TenantId::FIRST, turn.run_id).await.unwrap().unwrap();
    assert_eq!((run.lease_epoch, run.attempts), (2, 1), "claimed twice, and nothing was tried again");
    // The model read the same conversation as before it waited, and the results.
    let requests = f.provider.requests("s");
    let (first, second) = (&requests[0].body["messages"], &requests[1].body["messages"]);
    assert_eq!(first.as_array().unwrap()[..], second.as_array().unwrap()[..2]);
    assert_eq!(second.as_array().unwrap().len(), 4);
});

on_both!(what_has_no_free_slot_goes_over_the_queue, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a", "b", "c"]), Reply::text("All.")]);
    f.provider.script("a", vec![Reply::text("a").hold_after(0)]);
    f.provider.script("b", vec![Reply::text("b").hold_after(0)]);
    f.provider.script("c", vec![Reply::text("c")]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine_with(|c| c.worker.slots = 2);
    f.take(&engine, turn).await;
    for name in ["a", "b"] {
        f.provider.wait_for(name, |s| s.held == 1).await;
    }
    use SubagentStatus::{Completed, Queued, Running};
    assert_eq!(states(&f, turn).await, [Running, Running, Queued]);
    assert_eq!(engine.slots().available_permits(), 0, "each has a slot of its own");
    let rung = f.app.queue.pop(10).await.unwrap();
    assert_eq!(rung.len(), 1);
    for name in ["a", "b"] {
        f.provider.release(name);
    }
    idle(&engine).await;
    assert_eq!(engine.slots().available_permits(), 2);
    assert_eq!(states(&f, turn).await, [Completed, Completed, Queued]);
    f.app.queue.push(&rung).await.unwrap();
    f.work(&engine).await;
    assert_eq!(f.view(turn).await.content, "All.");
});

on_both!(a_worker_that_drains_begins_nothing_and_rings, |db| async {
    let f = Fixture::new(db).await;
    f.provider.script("s", vec![delegate(&["a"]).hold_after(0), Reply::text("All.")]);
    f.provider.script("a", vec![Reply::text("a")]);
    let turn = f.say(SessionId::generate(), "go [[script:s]]").await;
    let engine = f.engine();
    f.take(&engine, turn).await;
    f.provider.wait_for("s", |s| s.held == 1).await;
    let drained = async {
        engine.drain().await;
        assert_eq!(states(&f, turn).await, [SubagentStatus::Queued]);
    };
    let story = async {
        while !engine.draining.is_cancelled() {
            tokio::task::yield_now().await;
        }
        f.provider.release("s");
    };
    tokio::join!(drained, story);
    f.work(&f.engine()).await;
    assert_eq!(f.view(turn).await.content, "All.");
});
