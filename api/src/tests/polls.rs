//! `/api/sessions/{id}/events`: what a socket tells, by asking again and again.

use super::family::Family;
use super::harness::{Api, TENANT, Turn, request};
use super::sockets::Socket;
use axum::body::Body;
use proptest::prelude::*;
use serde_json::{Value, json};
use shared::domain::events::{Event, TurnView};
use shared::domain::ids::SessionId;
use shared::domain::runs::Lease;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// A client that asks again and again.
struct Poller {
    session_id: SessionId,
    more: &'static str,
    cursor: Option<String>,
    events: Vec<Value>,
}

impl Poller {
    fn new(session_id: SessionId, more: &'static str) -> Self {
        Self { session_id, more, cursor: None, events: Vec::new() }
    }

    fn path(&self, wait: u32) -> String {
        let cursor = self.cursor.as_ref().map(|c| format!("&cursor={c}")).unwrap_or_default();
        format!("/api/sessions/{}/events?wait={wait}{}{cursor}", self.session_id, self.more)
    }

    /// Asks once; how many events came.
    async fn ask(&mut self, api: &Api, wait: u32) -> usize {
        let reply = api.get(&self.path(wait)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        self.cursor = Some(reply.json["cursor"].as_str().unwrap().to_owned());
        let events = reply.json["events"].as_array().unwrap();
        self.events.extend(events.iter().cloned());
        events.len()
    }

    /// Asks, and hangs up before it reads the answer.
    async fn cut(&mut self, api: &Api, after: Duration) {
        let _ = tokio::time::timeout(after, api.get(&self.path(5))).await;
    }

    async fn drain(&mut self, api: &Api) {
        while self.ask(api, 0).await > 0 {}
    }
}

/// What each stream told, in order, without the time of pictures, which each reader gets its own of.
fn by_stream(events: &[Value]) -> BTreeMap<(i64, i64), Vec<Value>> {
    let mut all: BTreeMap<(i64, i64), Vec<Value>> = BTreeMap::new();
    for event in events {
        let mut event = event.clone();
        event.as_object_mut().unwrap().remove("ts");
        let stream = (event["messageId"].as_i64().unwrap(), event["runId"].as_i64().unwrap());
        all.entry(stream).or_default().push(event);
    }
    all
}

/// Ends a turn as its worker does: the last event is appended, and the log keeps what came before.
async fn end(api: &Api, turn: Turn, lease: &Lease) {
    let mut view = TurnView::new(turn.message_id, turn.message_id, turn.run_id);
    view.content = "the end".into();
    // First, so that nobody who finds the row ended meanwhile closes the stream.
    api.tell_as(turn, lease.epoch, &[Event::Done(view)]).await;
    api.finish_silently(lease, "the end", None).await;
}

/// What happens in the session, and what the poller does meanwhile.
#[derive(Debug, Clone)]
enum Op {
    Accept,
    Say(usize),
    Finish,
    ChildSays(usize, usize),
    ChildEnds(usize),
    Ask,
    AskAndSay,
    Cut(u64),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        2 => Just(Op::Accept),
        6 => (1_usize..4).prop_map(Op::Say),
        2 => Just(Op::Finish),
        4 => (0_usize..2, 1_usize..3).prop_map(|(at, n)| Op::ChildSays(at, n)),
        1 => (0_usize..2).prop_map(Op::ChildEnds),
        5 => Just(Op::Ask),
        2 => Just(Op::AskAndSay),
        3 => (0_u64..30).prop_map(Op::Cut),
    ]
}

/// A session with a turn that waits for two subagents, and turns behind it.
struct Stage {
    api: Api,
    family: Family,
    children: [Option<Lease>; 2],
    ended: [bool; 2],
    line: VecDeque<Turn>,
    lease: Option<Lease>,
    turns: usize,
}

impl Stage {
    async fn new() -> Self {
        let api = Api::new().await;
        let family = Family::of(&api, 2, &[]).await;
        let line = VecDeque::from([family.turn]);
        Self { api, family, children: [None, None], ended: [false; 2], line, lease: None, turns: 1 }
    }

    /// The turn that can be worked on.
    async fn front(&mut self) -> Option<Turn> {
        if self.ended != [true, true] {
            return None;
        }
        let turn = *self.line.front()?;
        if self.lease.is_none() {
            self.lease = Some(self.api.claim(turn).await);
        }
        Some(turn)
    }

    async fn accept(&mut self) {
        let body = json!({"message": "more", "sessionId": self.family.turn.session_id});
        self.line.push_back(self.api.accepted(&body).await);
        self.turns += 1;
    }

    async fn say(&mut self, words: usize) {
        let Some(turn) = self.front().await else { return };
        for n in 0..words {
            // Of the lease that the turn has now, which the first turn's second beginning raised.
            let text = Event::TextDelta { text: format!("word{n} ") };
            let at = self.lease.as_ref().unwrap().epoch;
            self.api.tell_as(turn, at, &[text]).await;
        }
    }

    async fn finish(&mut self) {
        let Some(turn) = self.front().await else { return };
        let lease = self.lease.take().unwrap();
        end(&self.api, turn, &lease).await;
        self.line.pop_front();
    }

    async fn child_says(&mut self, at: usize, words: usize) {
        if self.ended[at] {
            return;
        }
        if self.children[at].is_none() {
            self.children[at] = Some(self.api.claim(self.family.child(at)).await);
        }
        for n in 0..words {
            self.family.tell(&self.api, at, &[Event::TextDelta { text: format!("child{n} ") }]).await;
        }
    }

    async fn child_ends(&mut self, at: usize) {
        if self.ended[at] {
            return;
        }
        self.child_says(at, 1).await;
        let lease = self.children[at].take().unwrap();
        self.family.finish(&self.api, &lease, "found").await;
        let turn = self.family.child(at);
        let view = TurnView::new(turn.message_id, turn.message_id, turn.run_id);
        self.family.tell(&self.api, at, &[Event::Done(view)]).await;
        self.ended[at] = true;
    }

    async fn end(&mut self) {
        for at in [0, 1] {
            self.child_ends(at).await;
        }
        while !self.line.is_empty() {
            self.finish().await;
        }
    }
}

async fn same_as_a_socket(ops: Vec<Op>) {
    let mut stage = Stage::new().await;
    let session_id = stage.family.turn.session_id;
    let mut socket = Socket::with_token(stage.api.listen().await).await;
    socket.say(&json!({"type": "subscribe", "sessionId": session_id, "level": "subagents"})).await;
    let mut told = socket.until("resync").await.split_off(1);
    // When this is answered all that belongs to the subscription was looked for.
    socket.say(&json!({"type": "unsubscribe", "sessionId": SessionId::generate()})).await;
    socket.until("unsubscribed").await;
    let mut poller = Poller::new(session_id, "&level=subagents");
    poller.ask(&stage.api, 0).await;
    for op in ops {
        match op {
            Op::Accept => stage.accept().await,
            Op::Say(words) => stage.say(words).await,
            Op::Finish => stage.finish().await,
            Op::ChildSays(at, words) => stage.child_says(at, words).await,
            Op::ChildEnds(at) => stage.child_ends(at).await,
            Op::Ask => {
                poller.ask(&stage.api, 0).await;
            }
            Op::AskAndSay => {
                // Asked before it happens, answered because of it.
                let path = poller.path(1);
                let router = stage.api.router.clone();
                let asked = tokio::spawn(async move {
                    use tower::ServiceExt;
                    let token = format!("Bearer {}", super::harness::TOKEN);
                    let request = request("GET", &path).header("authorization", token);
                    let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
                    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
                    serde_json::from_slice::<Value>(&bytes).unwrap()
                });
                tokio::task::yield_now().await;
                stage.child_says(0, 1).await;
                stage.say(1).await;
                stage.accept().await;
                let answer = asked.await.unwrap();
                poller.cursor = Some(answer["cursor"].as_str().unwrap().to_owned());
                poller.events.extend(answer["events"].as_array().unwrap().iter().cloned());
            }
            Op::Cut(millis) => poller.cut(&stage.api, Duration::from_millis(millis)).await,
        }
    }
    stage.end().await;
    poller.drain(&stage.api).await;
    let ends = |told: &[Value]| told.iter().filter(|e| e["type"] == "done").count();
    while ends(&told) < stage.turns + 2 {
        told.push(socket.hear().await);
    }
    assert_eq!(by_stream(&poller.events), by_stream(&told));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn asking_gives_exactly_what_a_socket_gives(ops in proptest::collection::vec(op(), 1..30)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(same_as_a_socket(ops));
    }
}

#[tokio::test]
async fn without_a_cursor_it_is_the_picture_at_once() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    api.claim(turn).await;
    api.say(turn, "so far").await;
    let mut poller = Poller::new(turn.session_id, "");
    assert_eq!(poller.ask(&api, 60).await, 1);
    let picture = &poller.events[0];
    assert_eq!((&picture["type"], &picture["data"]["content"]), (&json!("resync"), &json!("so far")));
    // Nothing happens: nothing is told, and the place stays.
    let before = poller.cursor.clone();
    assert_eq!(poller.ask(&api, 0).await, 0);
    assert_eq!(poller.cursor, before);
    // A session in which nothing is at work answers at once, too.
    let idle = api.accepted(&json!({"message": "hello"})).await;
    api.answer(idle, "done").await;
    let mut poller = Poller::new(idle.session_id, "");
    assert_eq!(poller.ask(&api, 60).await, 0);
    assert!(poller.cursor.is_some());
}

#[tokio::test]
async fn an_answer_is_bounded_and_the_rest_comes_with_the_next() {
    let api = Api::new().await;
    let first = api.accepted(&json!({"message": "hello"})).await;
    let mut poller = Poller::new(first.session_id, "");
    poller.ask(&api, 0).await;
    poller.events.clear();
    let page = "x".repeat(100 * 1024);
    let lease = api.claim(first).await;
    for _ in 0..7 {
        api.say(first, &page).await;
    }
    // Larger than an answer, and yet one event.
    api.say(first, &page.repeat(3)).await;
    end(&api, first, &lease).await;
    let mut sizes = Vec::new();
    loop {
        let reply = api.get(&poller.path(0)).await;
        let came = reply.json["events"].as_array().unwrap().clone();
        if came.is_empty() {
            break;
        }
        sizes.push((reply.text.len() / 1024, came.len()));
        poller.cursor = Some(reply.json["cursor"].as_str().unwrap().to_owned());
        poller.events.extend(came);
    }
    assert!(sizes.iter().all(|(kib, events)| *kib <= 257 || *events == 1), "{sizes:?}");
    assert!(sizes.len() >= 5, "{sizes:?}");
    let numbers: Vec<u64> = poller.events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    assert!(numbers.windows(2).all(|w| w[1] == w[0] + 1), "{numbers:?}");
    assert_eq!(poller.events.last().unwrap()["type"], "done");
}

#[tokio::test]
async fn a_turn_whose_log_is_gone_is_told_by_its_rows_once() {
    use shared::bus::Bus;
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let mut poller = Poller::new(turn.session_id, "");
    poller.ask(&api, 0).await;
    api.answer(turn, "one two").await;
    api.bus.forget(turn.session_id, &[turn.stream()], None).await.unwrap();
    poller.events.clear();
    poller.drain(&api).await;
    let kinds: Vec<&str> = poller.events.iter().map(|e| e["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["resync", "done"]);
    assert_eq!(poller.events[0]["data"]["content"], "one two");
}

#[tokio::test]
async fn what_is_asked_for_wrongly_is_refused_and_a_deleted_session_is_gone() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let path = format!("/api/sessions/{}/events", turn.session_id);
    for (query, field) in [("cursor=nonsense", "cursor"), ("wait=61", "wait"), ("level=all", "level")] {
        let reply = api.get(&format!("{path}?{query}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json["field"]), (400, &json!(field)), "{query}: {reply:?}");
    }
    let foreign = format!("/api/sessions/{}/events", SessionId::generate());
    assert_eq!(api.get(&foreign).await.status, 404);
    let mut poller = Poller::new(turn.session_id, "");
    poller.ask(&api, 0).await;
    let (asked, deleted) = tokio::join!(poller.ask(&api, 30), async {
        api.send("DELETE", &format!("/api/sessions/{}", turn.session_id), None).await
    });
    assert_eq!(deleted.status, 204);
    assert!(asked <= 1);
    assert_eq!(api.get(&poller.path(0)).await.status, 404);
}

#[tokio::test]
async fn waiting_ends_when_the_process_does() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let mut poller = Poller::new(turn.session_id, "");
    poller.ask(&api, 0).await;
    let before = poller.cursor.clone();
    let (came, ()) = tokio::join!(poller.ask(&api, 60), async { api.shutdown.cancel() });
    assert_eq!(came, 0);
    assert_eq!(poller.cursor, before, "another process goes on from it");
}

#[tokio::test]
async fn who_lost_the_right_meanwhile_is_told_nothing() {
    let api = Api::new().await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    let mut poller = Poller::new(turn.session_id, "");
    poller.ask(&api, 0).await;
    let admin = api.person(TENANT, &["*"]).await;
    let key = api.key(TENANT, Some(&admin), &["*"]).await;
    // Longer than a right is taken for granted.
    let asks = request("GET", &poller.path(11)).header("authorization", &key.shows.1).body(Body::empty());
    let (reply, ()) = tokio::join!(api.raw(asks.unwrap()), async {
        api.rows("UPDATE netaclaw_api_key SET revoked_at = create_time").await;
    });
    assert_eq!(reply.status, 401, "{reply:?}");
}
