//! P6: no hole in the stream, or an explicit resync, however often readers are cut off.

use super::insist;
use crate::harness::client::{Api, Turn};
use crate::harness::cluster::{Cluster, Kind};
use crate::harness::invariants::{Allowed, shown_is_stored};
use crate::harness::reply::{Reply, words};
use crate::harness::services::long_drill;
use crate::harness::transcript::Transcript;
use crate::harness::wait::in_time;
use std::time::Duration;

/// Reads a turn to its end by sockets and SSE in turn, over all doors, cut off again and again.
async fn read_with_cuts(apis: &[Api], turn: &Turn, shortest: u64, longest: u64) -> Transcript {
    let mut seen = Transcript::default();
    for attempt in 0..2_000_usize {
        if seen.terminal.is_some() {
            return seen;
        }
        let time = Duration::from_millis(rand::random_range(shortest..longest));
        let api = &apis[attempt % apis.len()];
        if attempt % 3 == 2 {
            let request = api.request("GET", &format!("/open/netaclaw/chat/{}", turn.assistant));
            let request = request.header("accept", "text/event-stream");
            let request = match seen.last_event_id() {
                Some(id) => request.header("last-event-id", id),
                None => request,
            };
            let Ok(mut reader) = crate::harness::reader::Reader::try_sse(request).await else { continue };
            if reader.status != 200 {
                continue;
            }
            reader.seen = seen;
            let _ = tokio::time::timeout(time, async {
                while reader.seen.terminal.is_none() && reader.next().await.is_some() {}
            })
            .await;
            seen = reader.seen.clone();
        } else {
            let Ok(mut socket) = api.try_socket(None).await else { continue };
            socket.turns.insert(turn.assistant, seen.clone());
            let mut frame = serde_json::json!({ "type": "subscribe", "sessionId": turn.session });
            if let Some(epoch) = seen.epoch {
                frame["messageId"] = turn.assistant.into();
                (frame["epoch"], frame["seq"]) = (epoch.into(), seen.seq.into());
            }
            if socket.try_send(&frame).await.is_err() {
                continue;
            }
            let _ = tokio::time::timeout(time, async {
                while socket.turns[&turn.assistant].terminal.is_none() && socket.next().await.is_some() {}
            })
            .await;
            seen = socket.turns[&turn.assistant].clone();
        }
    }
    panic!("the turn never ended: {:?}", seen.kinds());
}

/// Readers cut off every fraction of a second, a door killed, the replay logs lost: what is shown is
/// what is stored.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_shown_is_what_is_stored_however_often_readers_are_cut_off() {
    let mut c = Cluster::start(Kind::PAIR).await;
    let turns = if long_drill() { 1_000 } else { 24 };
    c.provider.says("tell", Reply::words(120).every(Duration::from_millis(40)));
    let apis = [c.api(0), c.api(1)];
    for batch in 0..turns / 24_usize.min(turns) {
        let reading = futures_util::future::join_all((0..24).map(|_| {
            let apis = apis.clone();
            async move {
                let turn = insist(&apis, &uuid::Uuid::now_v7().to_string(), "tell").await;
                let seen = read_with_cuts(&apis, &turn, 200, 1_500).await;
                (turn, seen)
            }
        }));
        let reading = tokio::spawn(reading);
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        c.apis[batch % 2].restart(&[]);
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        c.redis.as_ref().expect("a cluster").forget_all();
        for (turn, seen) in in_time("all are read", Duration::from_secs(90), reading).await.expect("no panic")
        {
            assert_eq!(seen.text, words(120));
            shown_is_stored(&c, turn.assistant, &seen).await;
        }
        c.ready().await;
    }
    c.end(Allowed::default()).await;
}
