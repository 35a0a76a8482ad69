use super::super::contract::{event, frames, next, publish, sent, stream};
use super::*;
use crate::wire::tests::{Proxy, random_prefix};
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(20);

async fn listeners(bus: &RedisBus, session: SessionId) -> i64 {
    let mut ask = redis::cmd("PUBSUB");
    ask.arg("NUMSUB").arg(channel(&bus.wire, session));
    let (_, n): (String, i64) = bus.wire.send(&ask).await.unwrap();
    n
}

#[tokio::test]
async fn two_processes_share_streams() {
    let prefix = random_prefix();
    let proxies = (Proxy::start().await, Proxy::start().await);
    let here = RedisBus::new(Wire::open(&proxies.0.url(), &prefix).unwrap());
    let there = RedisBus::new(Wire::open(&proxies.1.url(), &prefix).unwrap());
    let stream = stream();
    let mut receiver = here.subscribe(stream.session_id).await.unwrap();
    sent(publish(&there, stream, Begin::IfMissing, &[event(0), event(1)]).await);
    assert_eq!(next(&mut receiver).await.seq, 1);
    assert_eq!(next(&mut receiver).await, frames(&here, stream, None).await.0[1]);
}

#[tokio::test]
async fn after_a_lost_connection_subscribers_are_told_and_go_on() {
    let proxy = Proxy::start().await;
    let prefix = random_prefix();
    let here = RedisBus::new(Wire::open(&proxy.url(), &prefix).unwrap());
    let direct = Proxy::start().await;
    let there = RedisBus::new(Wire::open(&direct.url(), &prefix).unwrap());
    let stream = stream();
    let mut receiver = here.subscribe(stream.session_id).await.unwrap();
    publish(&there, stream, Begin::IfMissing, &[event(0)]).await;
    let (epoch, seq) = {
        let f = next(&mut receiver).await;
        (f.epoch, f.seq)
    };
    proxy.cut();
    timeout(LONG, async { while listeners(&there, stream.session_id).await > 0 {} }).await.unwrap();
    publish(&there, stream, Begin::Never, &[event(1)]).await;
    let asked = tokio::time::Instant::now();
    assert!(here.subscribe(SessionId::generate()).await.is_err());
    assert!(asked.elapsed() < Duration::from_secs(4));
    proxy.mend();
    assert_eq!(timeout(LONG, receiver.recv()).await.unwrap(), Some(Signal::Gap));
    timeout(LONG, async { while here.ping().await.is_err() {} }).await.unwrap();
    let (missed, follows) = frames(&here, stream, Some(Cursor { epoch, seq })).await;
    assert_eq!((missed.len(), missed[0].seq, follows), (1, 2, true));
    publish(&there, stream, Begin::Never, &[event(2)]).await;
    assert_eq!(next(&mut receiver).await.seq, 3);
}

#[tokio::test]
async fn a_channel_outlives_its_last_subscriber_for_a_while() {
    let linger = Duration::from_millis(300);
    let bus = RedisBus::with(Wire::for_tests(), LOG_LIFETIME, linger);
    let stream = stream();
    let receiver = bus.subscribe(stream.session_id).await.unwrap();
    let dropped = tokio::time::Instant::now();
    drop(receiver);
    assert_eq!(listeners(&bus, stream.session_id).await, 1);
    timeout(LONG, async { while listeners(&bus, stream.session_id).await > 0 {} }).await.unwrap();
    assert!(dropped.elapsed() >= linger, "{:?}", dropped.elapsed());
    let mut again = bus.subscribe(stream.session_id).await.unwrap();
    publish(&bus, stream, Begin::IfMissing, &[event(0)]).await;
    assert_eq!(next(&mut again).await.seq, 1);
}

#[tokio::test]
async fn coming_and_going_subscribers_miss_nothing() {
    let bus = RedisBus::with(Wire::for_tests(), LOG_LIFETIME, Duration::ZERO);
    let stream = stream();
    for seq in 1..=100 {
        let mut receiver = bus.subscribe(stream.session_id).await.unwrap();
        publish(&bus, stream, Begin::IfMissing, &[event(0)]).await;
        assert_eq!(next(&mut receiver).await.seq, seq);
        if seq % 10 == 0 {
            drop(receiver);
            timeout(LONG, async { while listeners(&bus, stream.session_id).await > 0 {} }).await.unwrap();
        }
    }
}

#[tokio::test]
async fn logs_expire_and_writing_keeps_them() {
    let bus = RedisBus::new(Wire::for_tests());
    let stream = stream();
    for _ in 0..2 {
        publish(&bus, stream, Begin::IfMissing, &[event(0)]).await;
        for key in [bus.log_key(stream), bus.state_key(stream)] {
            let left: i64 = bus.wire.send(redis::cmd("PTTL").arg(&key)).await.unwrap();
            assert!((590_000..=600_000).contains(&left), "{left}");
            bus.wire.send::<()>(redis::cmd("PEXPIRE").arg(&key).arg(60_000)).await.unwrap();
        }
    }
    let brief = RedisBus::with(bus.wire.clone(), Duration::from_millis(30), LINGER);
    publish(&brief, stream, Begin::Never, &[event(0)]).await;
    let gone = async { while bus.read(stream, None).await.unwrap() != Replay::Missing {} };
    timeout(LONG, gone).await.expect("never expires");
}

#[tokio::test]
async fn losing_either_key_begins_a_new_epoch() {
    let bus = RedisBus::new(Wire::for_tests());
    let stream = stream();
    let mut before = 0;
    for lost in [bus.log_key(stream), bus.state_key(stream)] {
        let (epoch, seq) = sent(publish(&bus, stream, Begin::IfMissing, &[event(0)]).await);
        assert!(epoch > before && seq == 1);
        before = epoch;
        bus.wire.send::<()>(redis::cmd("DEL").arg(lost)).await.unwrap();
        assert_eq!(bus.read(stream, None).await.unwrap(), Replay::Missing);
        assert_eq!(publish(&bus, stream, Begin::Never, &[event(0)]).await, Published::Missing);
    }
    let (epoch, seq) = sent(publish(&bus, stream, Begin::IfMissing, &[event(0)]).await);
    assert!(epoch > before && seq == 1);
    assert_eq!(frames(&bus, stream, None).await.0.len(), 1);
}

#[tokio::test]
async fn what_is_no_publication_is_a_gap() {
    let bus = RedisBus::new(Wire::for_tests());
    let stream = stream();
    let mut receiver = bus.subscribe(stream.session_id).await.unwrap();
    let channel = channel(&bus.wire, stream.session_id);
    bus.wire.send::<()>(redis::cmd("PUBLISH").arg(channel).arg("garbage")).await.unwrap();
    assert_eq!(timeout(LONG, receiver.recv()).await.unwrap(), Some(Signal::Gap));
}
