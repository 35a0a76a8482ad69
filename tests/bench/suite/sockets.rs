//! The memory that a WebSocket takes which only listens.

use super::neta::{Neta, TOKEN};
use super::report::Report;
use anyhow::Context;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// KiB a socket.
#[derive(Debug)]
pub struct Sockets {
    count: usize,
    open: Memory,
    subscribed: Memory,
}

/// Of a process, in KiB.
#[derive(Debug, Clone, Copy)]
struct Memory {
    rss: f64,
    pss: f64,
}

/// What the design allows for an idle socket, in KiB.
const ALLOWED: f64 = 24.0;
/// Files that are not sockets' of this measurement.
const OTHER_FILES: usize = 200;
/// Sockets before the count begins: what the first ones make is there for all.
const FIRST: usize = 20;
const ANSWER: Duration = Duration::from_secs(30);

/// Opens so many (fewer, where the limit of open files says so), and subscribes each to a session.
pub async fn measure(count: usize, api: &Neta, sessions: &[String]) -> anyhow::Result<Sockets> {
    let count = count.min(open_files()?.saturating_sub(OTHER_FILES + FIRST)).max(1);
    let mut first = Vec::new();
    for _ in 0..FIRST {
        let mut socket = connect(api).await?;
        subscribe(&mut socket, sessions.first().context("no session")?).await?;
        first.push(socket);
    }
    let before = settled(api.pid()).await?;
    let mut sockets = Vec::with_capacity(count);
    for _ in 0..count {
        sockets.push(connect(api).await?);
    }
    let open = settled(api.pid()).await?;
    for (socket, session) in sockets.iter_mut().zip(sessions.iter().cycle()) {
        subscribe(socket, session).await?;
    }
    let subscribed = settled(api.pid()).await?;
    Ok(Sockets { count, open: open.each(before, count), subscribed: subscribed.each(before, count) })
}

async fn connect(api: &Neta) -> anyhow::Result<Socket> {
    let mut request =
        format!("{}/ws/netaclaw", api.base().replacen("http", "ws", 1)).into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {TOKEN}").parse()?);
    let (socket, _) = timeout(ANSWER, connect_async(request)).await.context("a socket does not open")??;
    Ok(socket)
}

async fn subscribe(socket: &mut Socket, session: &str) -> anyhow::Result<()> {
    let frame = json!({"type": "subscribe", "sessionId": session}).to_string();
    socket.send(Message::text(frame)).await?;
    loop {
        let frame = timeout(ANSWER, socket.next()).await.context("no answer to subscribe")?;
        let Message::Text(text) = frame.context("a socket was closed")?? else { continue };
        let frame: Value = serde_json::from_str(&text)?;
        match frame["type"].as_str() {
            Some("subscribed") => return Ok(()),
            Some("problem") => anyhow::bail!("subscribe: {frame}"),
            _ => {}
        }
    }
}

/// The limit of this process, which the API has inherited.
fn open_files() -> anyhow::Result<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap_or_default();
    let soft = line.split_whitespace().next().unwrap_or_default();
    Ok(soft.parse().unwrap_or(usize::MAX))
}

/// Memory once it no longer changes: allocators give back late. At most five seconds.
async fn settled(pid: u32) -> anyhow::Result<Memory> {
    let mut last = Memory::of(pid)?;
    for _ in 0..10 {
        sleep(Duration::from_millis(500)).await;
        let now = Memory::of(pid)?;
        if (now.pss - last.pss).abs() < 16.0 {
            return Ok(now);
        }
        last = now;
    }
    Ok(last)
}

impl Memory {
    fn of(pid: u32) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
        let field = |name: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
            value.and_then(|value| value.parse().ok()).with_context(|| format!("no {name} in smaps_rollup"))
        };
        Ok(Self { rss: field("Rss:")?, pss: field("Pss:")? })
    }

    fn each(self, before: Self, count: usize) -> Self {
        Self { rss: (self.rss - before.rss) / count as f64, pss: (self.pss - before.pss) / count as f64 }
    }
}

impl Sockets {
    pub fn tell(&self, report: &mut Report) {
        let Self { count, open, subscribed } = self;
        let mut row = |what: &str, value: f64| {
            let name = format!("{what}, {count} sockets");
            report.value(&name, value, "KiB", Some((value / ALLOWED, "the 24 KiB that are allowed")));
        };
        row("idle socket, RSS", open.rss);
        row("idle socket, PSS", open.pss);
        row("subscribed socket, RSS", subscribed.rss);
        row("subscribed socket, PSS", subscribed.pss);
    }
}
