//! What every bus does, run against each adapter.

use super::{
    Begin, Bus, Control, Frame, LOG_CAP, MemoryBus, Publication, Published, RedisBus, Replay, Signal, Stream,
    UNREAD,
};
use crate::domain::events::{Cursor, Fragment};
use crate::domain::ids::{MessageId, RunId, SessionId, SubagentId};
use crate::wire::Wire;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(20);

macro_rules! on_each_bus {
    ($($name:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(std::sync::Arc::new(super::MemoryBus::new())).await;
            })+
        }
        mod redis {
            $(#[tokio::test]
            async fn $name() {
                super::$name(std::sync::Arc::new(super::RedisBus::new(super::Wire::for_tests()))).await;
            })+
        }
    };
}

on_each_bus!(
    events_are_numbered_in_their_json,
    without_a_log_nothing_is_sent,
    a_cursor_gets_the_rest,
    a_foreign_cursor_gets_all_from_the_beginning,
    a_writer_with_an_old_fence_is_refused,
    nothing_follows_a_terminal_event,
    a_snapshot_replaces_the_log_in_its_epoch,
    a_snapshot_begins_a_lost_log,
    a_log_is_bounded_and_says_when_its_beginning_is_gone,
    a_publication_larger_than_a_log_is_sent_whole,
    an_epoch_is_never_used_again,
    subscribers_get_the_frames_of_their_session,
    a_subscriber_that_does_not_read_is_cut_and_holds_up_nobody,
    a_dropped_subscriber_does_no_harm,
    racing_writers_leave_no_gap,
    log_and_wire_join_without_a_gap,
    who_has_no_lease_is_never_stale_and_makes_nobody_so,
    a_subagent_has_a_stream_of_its_own,
    writers_learn_whether_subagents_are_followed,
    a_farewell_ends_the_watch,
    an_empty_publication_tells_where_the_stream_stands,
    control_messages_reach_all,
    a_forgotten_session_says_farewell,
);

pub(super) fn event(n: usize) -> Fragment {
    Fragment { json: format!(r#"{{"v":1,"n":{n},"text":"中\n\"😀""#), terminal: false }
}

fn last() -> Fragment {
    Fragment { terminal: true, ..event(999) }
}

fn resync(n: usize) -> Fragment {
    Fragment { json: format!(r#"{{"v":1,"n":{n},"type":"resync""#), terminal: false }
}

pub(super) fn stream() -> Stream {
    Stream::of_turn(SessionId::generate(), MessageId(7))
}

pub(super) async fn publish(bus: &dyn Bus, stream: Stream, begin: Begin, events: &[Fragment]) -> Published {
    bus.publish(Publication { stream, fence: Some(1), events: events.to_vec(), begin }).await.unwrap()
}

/// Epoch and last number of what was sent.
pub(super) fn sent(published: Published) -> (u64, u64) {
    match published {
        Published::Sent { epoch, seq, .. } => (epoch, seq),
        other => panic!("{other:?}"),
    }
}

pub(super) async fn frames(bus: &dyn Bus, stream: Stream, after: Option<Cursor>) -> (Vec<Frame>, bool) {
    match bus.read(stream, after).await.unwrap() {
        Replay::Frames { frames, follows } => (frames, follows),
        Replay::Missing => panic!("no log"),
    }
}

fn numbers(frames: &[Frame]) -> Vec<u64> {
    frames.iter().map(|f| f.seq).collect()
}

pub(super) async fn next(receiver: &mut Receiver<Signal>) -> Frame {
    match timeout(LONG, receiver.recv()).await.expect("nothing came").expect("was cut") {
        Signal::Frame(frame) => frame,
        Signal::Gap => panic!("a gap"),
    }
}

async fn events_are_numbered_in_their_json(bus: Arc<dyn Bus>) {
    let stream = stream();
    let (epoch, seq) = sent(publish(&*bus, stream, Begin::IfMissing, &[event(0), event(1)]).await);
    assert_eq!(seq, 2);
    assert_eq!(sent(publish(&*bus, stream, Begin::Never, &[last()]).await), (epoch, 3));
    let (frames, follows) = frames(&*bus, stream, None).await;
    assert!(!follows);
    for (frame, (seq, n)) in frames.iter().zip([(1, 0), (2, 1), (3, 999)]) {
        let json: serde_json::Value = serde_json::from_str(&frame.json).unwrap();
        let expected = serde_json::json!({"v": 1, "n": n, "text": "中\n\"😀", "seq": seq, "epoch": epoch});
        assert_eq!(json, expected);
        assert_eq!((frame.seq, frame.epoch, frame.message_id), (seq, epoch, MessageId(7)));
        assert_eq!(frame.terminal, n == 999);
    }
    assert_eq!(frames.len(), 3);
}

async fn without_a_log_nothing_is_sent(bus: Arc<dyn Bus>) {
    let stream = stream();
    assert_eq!(publish(&*bus, stream, Begin::Never, &[event(0)]).await, Published::Missing);
    assert_eq!(bus.read(stream, None).await.unwrap(), Replay::Missing);
    assert_eq!(bus.read(stream, Some(Cursor { epoch: 1, seq: 0 })).await.unwrap(), Replay::Missing);
}

async fn a_cursor_gets_the_rest(bus: Arc<dyn Bus>) {
    let stream = stream();
    let events: Vec<_> = (0..5).map(event).collect();
    let (epoch, _) = sent(publish(&*bus, stream, Begin::IfMissing, &events).await);
    publish(&*bus, stream, Begin::IfMissing, &[event(5)]).await;
    for (seq, rest) in [(0, vec![1, 2, 3, 4, 5, 6]), (3, vec![4, 5, 6]), (5, vec![6]), (6, vec![])] {
        let (frames, follows) = frames(&*bus, stream, Some(Cursor { epoch, seq })).await;
        assert_eq!((numbers(&frames), follows), (rest, true), "after {seq}");
    }
}

async fn a_foreign_cursor_gets_all_from_the_beginning(bus: Arc<dyn Bus>) {
    let stream = stream();
    let (epoch, _) = sent(publish(&*bus, stream, Begin::IfMissing, &[event(0), event(1)]).await);
    for cursor in [Cursor { epoch: epoch - 1, seq: 1 }, Cursor { epoch, seq: 3 }] {
        let (frames, follows) = frames(&*bus, stream, Some(cursor)).await;
        assert_eq!((numbers(&frames), follows), (vec![1, 2], false), "{cursor:?}");
    }
}

async fn a_writer_with_an_old_fence_is_refused(bus: Arc<dyn Bus>) {
    let stream = stream();
    let publish = async |fence: Option<i64>| {
        let publication = Publication { stream, fence, events: vec![event(0)], begin: Begin::IfMissing };
        bus.publish(publication).await.unwrap()
    };
    let (epoch, _) = sent(publish(Some(3)).await);
    assert_eq!(publish(Some(2)).await, Published::Stale);
    assert_eq!(sent(publish(Some(3)).await), (epoch, 2));
    assert_eq!(sent(publish(Some(4)).await), (epoch, 3));
    assert_eq!(publish(Some(3)).await, Published::Stale);
    assert_eq!(numbers(&frames(&*bus, stream, None).await.0), [1, 2, 3]);
}

async fn who_has_no_lease_is_never_stale_and_makes_nobody_so(bus: Arc<dyn Bus>) {
    let stream = stream();
    let publish = async |fence: Option<i64>, begin| {
        bus.publish(Publication { stream, fence, events: vec![event(0)], begin }).await.unwrap()
    };
    assert_eq!(sent(publish(None, Begin::IfMissing).await).1, 1);
    assert_eq!(sent(publish(Some(2), Begin::Never).await).1, 2);
    assert_eq!(sent(publish(None, Begin::Never).await).1, 3);
    assert_eq!(publish(Some(1), Begin::Never).await, Published::Stale, "the fence still stands");
    assert_eq!(sent(publish(Some(2), Begin::Never).await).1, 4);
    let end = Publication { stream, fence: None, events: vec![last()], begin: Begin::Never };
    bus.publish(end).await.unwrap();
    assert_eq!(publish(None, Begin::IfMissing).await, Published::Closed);
}

async fn a_subagent_has_a_stream_of_its_own(bus: Arc<dyn Bus>) {
    let turn = stream();
    let subagent = Stream { subagent: Some(SubagentId(12)), ..turn };
    let mut receiver = bus.subscribe(turn.session_id).await.unwrap();
    publish(&*bus, turn, Begin::IfMissing, &[event(0)]).await;
    assert_eq!(publish(&*bus, subagent, Begin::Never, &[event(0)]).await, Published::Missing);
    publish(&*bus, subagent, Begin::IfMissing, &[event(1), last()]).await;
    assert_eq!(sent(publish(&*bus, turn, Begin::Never, &[event(2)]).await).1, 2, "the turn goes on");
    let expected = [(None, 1), (Some(SubagentId(12)), 1), (Some(SubagentId(12)), 2), (None, 2)];
    for (subagent, seq) in expected {
        let frame = next(&mut receiver).await;
        assert_eq!((frame.message_id, frame.subagent, frame.seq), (MessageId(7), subagent, seq));
    }
    let (logged, _) = frames(&*bus, subagent, None).await;
    assert_eq!(numbers(&logged), [1, 2]);
    assert!(logged.iter().all(|f| f.subagent == subagent.subagent));
    bus.forget(turn.session_id, &[turn, subagent], None).await.unwrap();
    for gone in [turn, subagent] {
        assert_eq!(bus.read(gone, None).await.unwrap(), Replay::Missing);
    }
}

fn watched(published: Published) -> bool {
    match published {
        Published::Sent { watched, .. } => watched,
        other => panic!("{other:?}"),
    }
}

async fn writers_learn_whether_subagents_are_followed(bus: Arc<dyn Bus>) {
    let (stream, other) = (stream(), stream());
    assert!(!watched(publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await));
    bus.watch(stream.session_id, Duration::from_millis(1)).await.unwrap();
    bus.watch(stream.session_id, LONG).await.unwrap();
    assert!(watched(publish(&*bus, stream, Begin::Never, &[event(1)]).await));
    assert!(watched(publish(&*bus, stream, Begin::Never, &[]).await), "also who only asks");
    assert!(!watched(publish(&*bus, other, Begin::IfMissing, &[event(0)]).await));
    bus.watch(other.session_id, Duration::from_millis(50)).await.unwrap();
    let gone = async { while watched(publish(&*bus, other, Begin::Never, &[]).await) {} };
    timeout(LONG, gone).await.expect("a mark that nobody renews ends");
}

async fn a_farewell_ends_the_watch(bus: Arc<dyn Bus>) {
    let stream = stream();
    bus.watch(stream.session_id, LONG).await.unwrap();
    bus.forget(stream.session_id, &[stream], Some(event(0))).await.unwrap();
    assert!(!watched(publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await));
}

async fn nothing_follows_a_terminal_event(bus: Arc<dyn Bus>) {
    let stream = stream();
    publish(&*bus, stream, Begin::IfMissing, &[event(0), last(), event(2)]).await;
    for begin in [Begin::Never, Begin::IfMissing, Begin::Snapshot(resync(0))] {
        assert_eq!(publish(&*bus, stream, begin, &[event(3)]).await, Published::Closed);
    }
    let (frames, _) = frames(&*bus, stream, None).await;
    assert_eq!(frames.iter().map(|f| f.terminal).collect::<Vec<_>>(), [false, true]);
}

async fn a_snapshot_replaces_the_log_in_its_epoch(bus: Arc<dyn Bus>) {
    let stream = stream();
    let (epoch, _) =
        sent(publish(&*bus, stream, Begin::IfMissing, &[event(0), event(1), event(2), event(3)]).await);
    let published = publish(&*bus, stream, Begin::Snapshot(resync(4)), &[event(5)]).await;
    assert_eq!(sent(published), (epoch, 6));
    let (all, follows) = frames(&*bus, stream, None).await;
    assert_eq!((numbers(&all), follows), (vec![5, 6], false));
    assert!(all[0].json.contains("resync"));
    let (rest, follows) = frames(&*bus, stream, Some(Cursor { epoch, seq: 4 })).await;
    assert_eq!((numbers(&rest), follows), (vec![5, 6], true));
    let (rest, follows) = frames(&*bus, stream, Some(Cursor { epoch, seq: 2 })).await;
    assert_eq!((numbers(&rest), follows), (vec![5, 6], false), "3 and 4 are gone");
}

async fn a_snapshot_begins_a_lost_log(bus: Arc<dyn Bus>) {
    let stream = stream();
    assert_eq!(sent(publish(&*bus, stream, Begin::Snapshot(resync(0)), &[]).await).1, 1);
    assert_eq!(numbers(&frames(&*bus, stream, None).await.0), [1]);
}

async fn a_log_is_bounded_and_says_when_its_beginning_is_gone(bus: Arc<dyn Bus>) {
    let stream = stream();
    let big = Fragment { json: format!("{{\"text\":\"{}\"", "x".repeat(50_000)), terminal: false };
    let mut cursor = Cursor { epoch: 0, seq: 0 };
    let mut shortened = false;
    for _ in 0..60 {
        let published = publish(&*bus, stream, Begin::IfMissing, std::slice::from_ref(&big)).await;
        let Published::Sent { epoch, seq, log_bytes, .. } = published else { panic!("{published:?}") };
        assert!(log_bytes <= LOG_CAP as u64, "{log_bytes}");
        shortened |= log_bytes < cursor.seq * 50_000;
        cursor = Cursor { epoch, seq };
    }
    assert!(shortened && cursor.seq == 60);
    assert_eq!(bus.read(stream, None).await.unwrap(), Replay::Missing);
    assert_eq!(bus.read(stream, Some(Cursor { seq: 1, ..cursor })).await.unwrap(), Replay::Missing);
    let (rest, follows) = frames(&*bus, stream, Some(Cursor { seq: 55, ..cursor })).await;
    assert_eq!((numbers(&rest), follows), (vec![56, 57, 58, 59, 60], true));
    publish(&*bus, stream, Begin::Snapshot(resync(0)), &[]).await;
    assert_eq!(numbers(&frames(&*bus, stream, None).await.0), [61], "whole again");
}

async fn a_publication_larger_than_a_log_is_sent_whole(bus: Arc<dyn Bus>) {
    let stream = stream();
    let mut receiver = bus.subscribe(stream.session_id).await.unwrap();
    let big = Fragment { json: format!("{{\"text\":\"{}\"", "x".repeat(200_000)), terminal: false };
    let mut events = vec![big; 9];
    events.push(last());
    let (_, seq) = sent(publish(&*bus, stream, Begin::IfMissing, &events).await);
    assert_eq!(seq, 10);
    for expected in 1..=10 {
        let frame = next(&mut receiver).await;
        assert_eq!((frame.seq, frame.terminal), (expected, expected == 10));
    }
    assert_eq!(publish(&*bus, stream, Begin::Never, &[event(0)]).await, Published::Closed);
}

async fn an_epoch_is_never_used_again(bus: Arc<dyn Bus>) {
    let stream = stream();
    let mut before = 0;
    for _ in 0..20 {
        let (epoch, seq) = sent(publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await);
        assert!(epoch > before && seq == 1);
        before = epoch;
        bus.forget(stream.session_id, &[stream], None).await.unwrap();
        assert_eq!(bus.read(stream, None).await.unwrap(), Replay::Missing);
    }
}

async fn subscribers_get_the_frames_of_their_session(bus: Arc<dyn Bus>) {
    let (mine, other) = (stream(), stream());
    publish(&*bus, mine, Begin::IfMissing, &[event(0)]).await;
    let mut first = bus.subscribe(mine.session_id).await.unwrap();
    let mut second = bus.subscribe(mine.session_id).await.unwrap();
    publish(&*bus, other, Begin::IfMissing, &[event(0)]).await;
    publish(&*bus, mine, Begin::Never, &[event(1), last()]).await;
    for (seq, terminal) in [(2, false), (3, true)] {
        let (a, b) = (next(&mut first).await, next(&mut second).await);
        assert_eq!((a.seq, a.terminal, a.message_id), (seq, terminal, mine.message_id));
        assert!(Arc::ptr_eq(&a.json, &b.json), "one copy for all of the process");
    }
    let (logged, _) = frames(&*bus, mine, None).await;
    assert_eq!(numbers(&logged), [1, 2, 3]);
}

async fn a_subscriber_that_does_not_read_is_cut_and_holds_up_nobody(bus: Arc<dyn Bus>) {
    let stream = stream();
    let mut idle = bus.subscribe(stream.session_id).await.unwrap();
    let mut reader = bus.subscribe(stream.session_id).await.unwrap();
    for seq in 1..=UNREAD as u64 + 50 {
        publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await;
        assert_eq!(next(&mut reader).await.seq, seq);
    }
    for seq in 1..=UNREAD as u64 {
        assert_eq!(next(&mut idle).await.seq, seq, "what was sent before is still read");
    }
    assert_eq!(timeout(LONG, idle.recv()).await.unwrap(), None, "then the channel ends");
}

async fn a_dropped_subscriber_does_no_harm(bus: Arc<dyn Bus>) {
    let stream = stream();
    drop(bus.subscribe(stream.session_id).await.unwrap());
    let mut reader = bus.subscribe(stream.session_id).await.unwrap();
    publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await;
    assert_eq!(next(&mut reader).await.seq, 1);
}

async fn racing_writers_leave_no_gap(bus: Arc<dyn Bus>) {
    let stream = stream();
    let mut reader = bus.subscribe(stream.session_id).await.unwrap();
    let writers = (0..8).map(|_| {
        let bus = Arc::clone(&bus);
        tokio::spawn(async move {
            for n in 0..15 {
                sent(publish(&*bus, stream, Begin::IfMissing, &[event(n), event(n)]).await);
            }
        })
    });
    futures_util::future::join_all(writers).await.into_iter().for_each(Result::unwrap);
    let all: Vec<u64> = (1..=240).collect();
    assert_eq!(numbers(&frames(&*bus, stream, None).await.0), all);
    for seq in all {
        assert_eq!(next(&mut reader).await.seq, seq);
    }
}

async fn log_and_wire_join_without_a_gap(bus: Arc<dyn Bus>) {
    let stream = stream();
    publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await;
    let writer = {
        let bus = Arc::clone(&bus);
        tokio::spawn(async move {
            for n in 0..100 {
                publish(&*bus, stream, Begin::Never, &[event(n)]).await;
            }
        })
    };
    // As readers do: subscribe first, then read the log, then drop what is known already.
    let mut receiver = bus.subscribe(stream.session_id).await.unwrap();
    let mut known = numbers(&frames(&*bus, stream, None).await.0);
    while known.len() < 101 {
        let frame = next(&mut receiver).await;
        if frame.seq > known.len() as u64 {
            known.push(frame.seq);
        }
    }
    assert_eq!(known, (1..=101).collect::<Vec<_>>());
    writer.await.unwrap();
}

async fn an_empty_publication_tells_where_the_stream_stands(bus: Arc<dyn Bus>) {
    let stream = stream();
    assert_eq!(publish(&*bus, stream, Begin::IfMissing, &[]).await, Published::Missing);
    let before = publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await;
    assert_eq!(publish(&*bus, stream, Begin::Never, &[]).await, before);
}

async fn control_messages_reach_all(bus: Arc<dyn Bus>) {
    let mut first = bus.subscribe_control().await.unwrap();
    let mut second = bus.subscribe_control().await.unwrap();
    let watch = Control::Watch { session_id: SessionId::generate() };
    for control in [Control::Stop { run_id: RunId(42) }, watch] {
        bus.send_control(control).await.unwrap();
        assert_eq!(timeout(LONG, first.recv()).await.unwrap(), Some(control));
        assert_eq!(timeout(LONG, second.recv()).await.unwrap(), Some(control));
    }
}

async fn a_forgotten_session_says_farewell(bus: Arc<dyn Bus>) {
    let stream = stream();
    let other = Stream { message_id: MessageId(8), ..stream };
    publish(&*bus, stream, Begin::IfMissing, &[event(0)]).await;
    publish(&*bus, other, Begin::IfMissing, &[last()]).await;
    let mut receiver = bus.subscribe(stream.session_id).await.unwrap();
    bus.forget(stream.session_id, &[stream, other], Some(event(5))).await.unwrap();
    let frame = next(&mut receiver).await;
    assert_eq!((frame.message_id, frame.epoch, frame.seq), (MessageId(7), 0, 0));
    assert!(frame.json.ends_with(r#","seq":0,"epoch":0}"#));
    for stream in [stream, other] {
        assert_eq!(bus.read(stream, None).await.unwrap(), Replay::Missing);
        assert_eq!(publish(&*bus, stream, Begin::Never, &[event(0)]).await, Published::Missing);
    }
}
