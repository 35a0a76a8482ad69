//! The scripted provider: an OpenAI-compatible server that answers by the key in the user's message
//! and counts what it is asked. A script is a list of rounds (the answer to the message, the answer
//! to its tool results, and so on), and a round is a list of attempts of which the last is repeated:
//! a call that is repeated after a crash gets the same answer again, and turns that run at once may
//! share a script. (`worker::llm::scripted`, which answers by order of arrival, serves the tests of
//! the model client, where there are neither.)

use super::calls::{Call, End, text_of};
use super::reply::Reply;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

/// A running provider; ends when dropped.
#[derive(Debug)]
pub struct Provider {
    port: u16,
    state: Arc<State>,
    _end: DropGuard,
}

#[derive(Debug, Default)]
struct State {
    scripts: Mutex<HashMap<String, Vec<Vec<Reply>>>>,
    calls: Mutex<Vec<Call>>,
    released: watch::Sender<Vec<String>>,
    running: Mutex<Running>,
}

#[derive(Debug, Default)]
struct Running {
    now: usize,
    most: usize,
}

impl Provider {
    /// On a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let (state, end) = (Arc::new(State::default()), CancellationToken::new());
        let (serving, ends) = (state.clone(), end.clone());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = ends.cancelled() => return,
                    Ok((stream, _)) = listener.accept() => {
                        tokio::spawn(serve(stream, serving.clone(), ends.clone()));
                    }
                }
            }
        });
        Self { port, state, _end: end.drop_guard() }
    }

    /// For a model's `baseUrl`.
    pub fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Messages that contain `key` get these rounds.
    pub fn rounds(&self, key: &str, rounds: Vec<Vec<Reply>>) {
        self.state.scripts.lock().expect("lock").insert(key.to_owned(), rounds);
    }

    /// One round with one attempt.
    pub fn says(&self, key: &str, reply: Reply) {
        self.rounds(key, vec![vec![reply]]);
    }

    /// Lets held answers of this script go on, now and later.
    pub fn release(&self, key: &str) {
        self.state.released.send_modify(|keys| keys.push(key.to_owned()));
    }

    /// The calls so far that answer a message with `key` in it; empty: those without a script.
    pub fn calls(&self, key: &str) -> Vec<Call> {
        let fits = |c: &&Call| if key.is_empty() { c.key.is_empty() } else { c.said.contains(key) };
        self.state.calls.lock().expect("lock").iter().filter(fits).cloned().collect()
    }

    /// The calls so far that this very script answered.
    pub fn asked(&self, key: &str) -> Vec<Call> {
        self.state.calls.lock().expect("lock").iter().filter(|c| c.key == key).cloned().collect()
    }

    /// The calls so far of the scripts whose keys begin so.
    pub fn asked_like(&self, prefix: &str) -> Vec<Call> {
        self.state.calls.lock().expect("lock").iter().filter(|c| c.key.starts_with(prefix)).cloned().collect()
    }

    /// All calls so far.
    pub fn all(&self) -> Vec<Call> {
        self.state.calls.lock().expect("lock").clone()
    }

    /// The most calls that ran at the same time.
    pub fn most_running(&self) -> usize {
        self.state.running.lock().expect("lock").most
    }

    /// Calls that run now.
    pub fn running(&self) -> usize {
        self.state.running.lock().expect("lock").now
    }
}

async fn serve(mut stream: TcpStream, state: Arc<State>, end: CancellationToken) {
    let _ = stream.set_nodelay(true);
    let Some((head, body)) = read_request(&mut stream).await else { return };
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let authorization = head
        .lines()
        .find_map(|l| l.split_once(':').filter(|(n, _)| n.eq_ignore_ascii_case("authorization")))
        .map(|(_, v)| v.trim().to_owned())
        .unwrap_or_default();
    let (key, said, round) = state.place(&body);
    let index = {
        let mut calls = state.calls.lock().expect("lock");
        let call = Call { key: key.clone(), said, round, body, authorization, at: Instant::now(), end: None };
        calls.push(call);
        calls.len() - 1
    };
    let reply = state.reply(&key, round).for_message(&state.said(index));
    {
        let mut running = state.running.lock().expect("lock");
        running.now += 1;
        running.most = running.most.max(running.now);
    }
    let how = tokio::select! {
        () = end.cancelled() => End::Cut,
        how = answer(&mut stream, &reply, &key, &state) => how,
    };
    state.running.lock().expect("lock").now -= 1;
    state.calls.lock().expect("lock")[index].end = Some((Instant::now(), how));
}

impl State {
    /// Which script a request belongs to and which round of it: the number of answers that follow the
    /// last message that names a key.
    fn place(&self, body: &Value) -> (String, String, usize) {
        let scripts = self.scripts.lock().expect("lock");
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let mut last = None;
        for (at, message) in messages.iter().enumerate().rev().filter(|(_, m)| m["role"] == "user") {
            let text = text_of(&message["content"]);
            let best = scripts.keys().filter(|k| text.contains(k.as_str())).max_by_key(|k| k.len());
            if let Some(key) = best {
                let round = messages[at..].iter().filter(|m| m["role"] == "assistant").count();
                return (key.clone(), text, round);
            }
            // What the engine adds stands in brackets; what a person says ends the search.
            let added = text.starts_with('[');
            last.get_or_insert(text);
            if !added {
                break;
            }
        }
        (String::new(), last.unwrap_or_default(), 0)
    }

    fn said(&self, index: usize) -> String {
        self.calls.lock().expect("lock")[index].said.clone()
    }

    fn reply(&self, key: &str, round: usize) -> Reply {
        let attempt =
            self.calls.lock().expect("lock").iter().filter(|c| c.key == key && c.round == round).count() - 1;
        let scripts = self.scripts.lock().expect("lock");
        let attempts = scripts.get(key).and_then(|rounds| rounds.get(round).or(rounds.last()));
        attempts.and_then(|a| a.get(attempt).or(a.last())).cloned().unwrap_or_else(|| Reply::text("Fine."))
    }
}

/// Writes the reply; notices when the caller goes away, also between pieces.
async fn answer(stream: &mut TcpStream, reply: &Reply, key: &str, state: &State) -> End {
    let (mut from, mut to) = stream.split();
    let write = async {
        tokio::time::sleep(reply.before).await;
        if reply.status != 200 {
            let _ = to.write_all(refusal(reply).as_bytes()).await;
            return End::Sent;
        }
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        if to.write_all(head.as_bytes()).await.is_err() {
            return End::Closed;
        }
        for (at, piece) in reply.pieces.iter().enumerate() {
            if reply.cut_after == Some(at) {
                return End::Cut;
            }
            if reply.hold_after == Some(at) {
                let mut released = state.released.subscribe();
                let _ = released.wait_for(|keys| keys.iter().any(|k| k == key)).await;
            }
            if reply.silent_after == Some(at) {
                std::future::pending::<()>().await;
            }
            if at > 0 {
                tokio::time::sleep(reply.every).await;
            }
            if to.write_all(piece).await.is_err() {
                return End::Closed;
            }
        }
        let _ = to.shutdown().await;
        End::Sent
    };
    let gone = async {
        let mut rest = [0; 64];
        while matches!(from.read(&mut rest).await, Ok(n) if n > 0) {}
    };
    tokio::select! {
        biased;
        how = write => how,
        () = gone => End::Closed,
    }
}

fn refusal(reply: &Reply) -> String {
    let headers: Vec<String> = reply.headers.iter().map(|(n, v)| format!("{n}: {v}\r\n")).collect();
    let headers = headers.concat();
    let body = if reply.body.is_empty() {
        json!({ "error": { "message": "no" } }).to_string()
    } else {
        reply.body.clone()
    };
    format!(
        "HTTP/1.1 {} Scripted\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         {headers}connection: close\r\n\r\n{body}",
        reply.status,
        body.len(),
    )
}

async fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; 64 * 1024];
    let limit = Duration::from_secs(30);
    loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..at]).into_owned();
            let length: usize = head
                .lines()
                .filter_map(|l| l.split_once(':'))
                .find(|(n, _)| n.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, v)| v.trim().parse().ok())
                .unwrap_or(0);
            if bytes.len() >= at + 4 + length {
                return Some((head, bytes.split_off(at + 4)));
            }
        }
        match tokio::time::timeout(limit, stream.read(&mut buffer)).await {
            Ok(Ok(n)) if n > 0 => bytes.extend_from_slice(&buffer[..n]),
            _ => return None,
        }
    }
}
