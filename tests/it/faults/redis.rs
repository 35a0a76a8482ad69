//! P16, D03, J06: Redis may vanish, forget, hang and fill up; nothing accepted is lost.

use super::{script_turn, turn_text};
use crate::harness::client::{LONG, Turn};
use crate::harness::cluster::{Builder, Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::proxy::Weather;
use crate::harness::reply::{Reply, words};
use crate::harness::wait::eventually;
use serde_json::json;
use std::time::{Duration, Instant};

/// The status of a worker's `/readyz`.
async fn readiness(c: &Cluster) -> u16 {
    let url = format!("http://127.0.0.1:{}/readyz", c.workers[0].port);
    crate::harness::client::http().get(url).send().await.map_or(0, |r| r.status().as_u16())
}

/// Killed and started again, empty; gone for a while; flushed. What was accepted meanwhile is
/// answered within 10 s of its return.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_may_be_killed_and_nothing_is_lost() {
    let mut c = Builder::new(Kind::PAIR).private_redis().start().await;
    script_turn(&c, "kept");
    c.api(0).ask("", "kept").await;

    // A turn is in mid-stream when Redis dies.
    c.provider.says("mid-stream", Reply::words(40).hold_after(10));
    let session = uuid::Uuid::now_v7().to_string();
    c.api(0).ask(&session, "hello").await;
    let mut socket = c.api(1).socket().await;
    socket.subscribe(&session, None).await;
    let running = c.api(0).say(&session, "mid-stream").await;
    socket.read_until("ten words", |s| s.turns.values().any(|t| t.text.contains("word10 "))).await;
    c.redis.as_mut().and_then(|r| r.server.as_mut()).expect("private").kill();

    // Messages are accepted all the same, quickly, and streams and waiters do not hang.
    let mut accepted = Vec::new();
    for n in 0..6 {
        let began = Instant::now();
        let answer = c.api(n).chat("", "kept", &json!({ "wait": 0 })).await;
        assert!((200..300).contains(&answer.status), "{answer:?}");
        assert!(began.elapsed() < Duration::from_secs(3), "accepted after {:?}", began.elapsed());
        accepted.push(Turn::of("", &answer.body));
    }
    eventually("a worker that cannot poll says so", Duration::from_secs(8), async || {
        readiness(&c).await == 503
    })
    .await;
    // The running turn ends without Redis, and its row says so.
    c.provider.release("mid-stream");
    let began = Instant::now();
    assert_eq!(c.api(1).finish(&running).await["content"], words(40));
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());

    c.redis.as_mut().and_then(|r| r.server.as_mut()).expect("private").begin().await;
    let back = Instant::now();
    for turn in &accepted {
        assert_eq!(c.api(0).finish(turn).await["content"], turn_text());
    }
    assert!(back.elapsed() < Duration::from_secs(10), "drained after {:?}", back.elapsed());
    eventually("workers are ready again", Duration::from_secs(10), async || readiness(&c).await == 200).await;
    // The socket that was open all the time is told the end, after a resync.
    let seen = socket.read_turn(running.assistant).await;
    shown_is_stored(&c, running.assistant, &seen).await;
    let began = Instant::now();
    assert_eq!(c.api(1).ask("", "kept").await["content"], turn_text());
    assert!(began.elapsed() < Duration::from_secs(5), "as quick as ever: {:?}", began.elapsed());

    // Flushed in mid-stream: the stream goes on after a resync.
    c.provider.says("flushed", Reply::words(40).hold_after(10));
    let flushed = c.api(0).say(&session, "flushed").await;
    socket
        .read_until("ten words", |s| {
            s.turns.get(&flushed.assistant).is_some_and(|t| t.text.contains("word10 "))
        })
        .await;
    c.redis.as_ref().expect("a cluster").forget_all();
    let queued = c.api(0).say(&session, "kept").await;
    c.redis.as_ref().expect("a cluster").forget_all();
    c.provider.release("flushed");
    let seen = socket.read_turn(flushed.assistant).await;
    shown_is_stored(&c, flushed.assistant, &seen).await;
    assert_eq!(seen.text, words(40));
    assert_eq!(c.api(1).finish(&queued).await["content"], turn_text());

    // Full: writes are refused.
    let mut admin =
        ::redis::Client::open(format!("redis://{}", c.redis.as_ref().expect("a cluster").address))
            .and_then(|client| client.get_connection())
            .expect("Redis answers");
    let mut configure = |value: &str| {
        let done: Result<String, _> =
            ::redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(value).query(&mut admin);
        assert!(done.is_ok(), "{done:?}");
    };
    configure("1");
    let turns = [c.api(0).say("", "kept").await, c.api(1).say("", "kept").await];
    configure("0");
    for turn in &turns {
        assert_eq!(c.api(0).finish(turn).await["content"], turn_text());
    }
    c.end(Allowed::default()).await;
}

/// Slow, half-open and hung: turns end, and readers are shown what is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_may_be_slow_half_open_or_hung() {
    let c = Builder::new(Kind::PAIR).redis_proxy().start().await;
    let proxy = c.redis_proxy.as_ref().expect("asked for");
    script_turn(&c, "weather");
    let storms = [
        ("slow", Weather { delay: Duration::from_millis(500), ..Weather::default() }),
        ("half open", Weather { drop_to_client: true, ..Weather::default() }),
        ("hung", Weather { hold: true, ..Weather::default() }),
        ("refused", Weather { refuse: true, ..Weather::default() }),
    ];
    for (name, weather) in storms {
        c.provider.says(name, Reply::words(40).hold_after(10));
        let session = uuid::Uuid::now_v7().to_string();
        c.api(0).ask(&session, "hello").await;
        let mut socket = c.api(1).socket().await;
        socket.subscribe(&session, None).await;
        let running = c.api(0).say(&session, name).await;
        socket.read_until("ten words", |s| s.turns.values().any(|t| t.text.contains("word10 "))).await;
        proxy.set(weather);
        if name == "refused" {
            proxy.cut_all();
        }
        let began = Instant::now();
        let queued = c.api(0).say("", "weather").await;
        assert!(began.elapsed() < Duration::from_secs(4), "{name}: accepted after {:?}", began.elapsed());
        c.provider.release(name);
        assert_eq!(c.api(1).finish(&running).await["content"], words(40), "{name}");
        proxy.clear();
        proxy.cut_all();
        let back = Instant::now();
        assert_eq!(c.api(1).finish(&queued).await["content"], turn_text(), "{name}");
        assert!(back.elapsed() < Duration::from_secs(10), "{name}: drained after {:?}", back.elapsed());
        let seen = socket.read_turn(running.assistant).await;
        shown_is_stored(&c, running.assistant, &seen).await;
        assert_eq!(seen.text, words(40), "{name}");
        eventually("as quick as ever", LONG, async || {
            let began = Instant::now();
            c.api(0).ask("", "weather").await;
            began.elapsed() < Duration::from_secs(1)
        })
        .await;
    }
    c.end(Allowed::default()).await;
}
