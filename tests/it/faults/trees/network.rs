//! A06 and P16 for trees: what travels by Redis is lost, and nobody waits for it.

use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::proxy::Weather;
use crate::harness::reply::Reply;
use crate::harness::wait::{eventually, until};
use std::time::{Duration, Instant};

/// A06: every published message is lost once the subagents work: the parent goes on within three
/// seconds of the last one's end, and its readers learn of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parent_goes_on_though_every_message_is_lost() {
    let c = Builder::new(Kind::PAIR).redis_proxy().start().await;
    let proxy = c.redis_proxy.as_ref().expect("asked for");
    let goals = c.script_team("lost", 6, "Six results.");
    for goal in &goals {
        c.provider.says(goal, Reply::words(6).hold_after(2));
    }
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "hello").await;
    let mut socket = c.api(1).socket().await;
    socket.subscribe(&session, None).await;
    let turn: Turn = c.api(0).say(&session, "lost").await;
    eventually("three work", LONG, async || c.provider.running() == 3).await;
    proxy.set(Weather { drop_published: true, ..Weather::default() });
    for goal in &goals {
        c.provider.release(goal);
    }
    let last = until("all six are over", LONG, async || {
        let over = c.subagents(&turn).await.iter().all(|s| s.status == "completed");
        over.then(Instant::now)
    })
    .await;
    eventually("the parent goes on", Duration::from_secs(3), async || c.provider.asked("lost").len() == 2)
        .await;
    assert!(last.elapsed() < Duration::from_secs(4), "{:?}", last.elapsed());
    assert_eq!(c.api(0).finish(&turn).await["content"], "Six results.");
    proxy.clear();
    proxy.cut_all();
    let seen = socket.read_turn(turn.assistant).await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    c.end(Allowed::default()).await;
}

/// P16: Redis is killed in mid-batch and comes back empty: what ran meanwhile has ended, and the rest is
/// done within ten seconds of its return.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tree_outlives_its_redis() {
    let mut c = Builder::new(Kind::PAIR).private_redis().start().await;
    let goals = c.script_team("outlive", 5, "All five.");
    for goal in &goals {
        c.provider.says(goal, Reply::words(6).hold_after(2));
    }
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "hello").await;
    let mut socket = c.api(1).socket().await;
    socket.subscribe(&session, None).await;
    let turn = c.api(0).say(&session, "outlive").await;
    eventually("three work", LONG, async || c.provider.running() == 3).await;
    c.redis.as_mut().and_then(|r| r.server.as_mut()).expect("private").kill();
    for goal in &goals {
        c.provider.release(goal);
    }
    eventually("the three end without it", LONG, async || {
        c.subagents(&turn).await[..3].iter().all(|s| s.status == "completed")
    })
    .await;
    c.redis.as_mut().and_then(|r| r.server.as_mut()).expect("private").begin().await;
    let back = Instant::now();
    assert_eq!(c.api(0).finish(&turn).await["content"], "All five.");
    assert!(back.elapsed() < Duration::from_secs(12), "{:?}", back.elapsed());
    let seen = socket.read_turn(turn.assistant).await;
    shown_is_stored(&c, turn.assistant, &seen).await;
    assert_eq!(seen.card.statuses(), ["completed"; 5]);
    for goal in &goals {
        assert_eq!(c.provider.asked(goal).len(), 1, "{goal}");
    }
    c.end(Allowed::default()).await;
}
