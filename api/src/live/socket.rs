//! One WebSocket: client frames in, events out, in order. Idle, it holds its buffers of a few KiB
//! and nothing else.

pub mod commands;
mod subscriptions;

use super::outbox::{Item, Outbox};
use crate::auth::recheck::{RECHECK_EVERY, Recheck};
use crate::error::ApiError;
use crate::routes::observe::Open;
use crate::state::ApiState;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use futures_util::SinkExt;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use subscriptions::{Step, Subscriptions};

/// Largest frame and message that a client may send.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// Read at once; larger frames take several reads.
const READ_BUFFER_BYTES: usize = 2 * 1024;
/// Events that are ready leave together, up to so many bytes; it holds nothing while idle.
const WRITE_BUFFER_BYTES: usize = 4 * 1024;
/// Between two pings.
const PING_EVERY: Duration = Duration::from_secs(25);
/// Pings without a sign of life after which the peer is dead.
const MISSED_PONGS: u32 = 2;
/// A peer that takes nothing for so long is cut.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Answers the upgrade and serves the socket until either side ends it.
pub fn open(upgrade: WebSocketUpgrade, state: ApiState, user: Recheck) -> Response {
    let token = state.live.tasks().token();
    upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .protocols(["neta"])
        .on_upgrade(move |socket| async move {
            let _token = token;
            let _open = Open::new("neta_open_sockets");
            Connection::new(state, user, socket).serve().await;
        })
}

struct Connection {
    state: ApiState,
    user: Recheck,
    socket: WebSocket,
    outbox: Arc<Outbox>,
    subscriptions: Subscriptions,
    missed: u32,
}

/// Why a socket ends.
enum End {
    /// The peer left, or the connection broke.
    Left,
    /// With a code for the peer.
    Close(u16, &'static str),
}

type Go = Result<(), End>;

impl Connection {
    fn new(state: ApiState, user: Recheck, socket: WebSocket) -> Self {
        let subscriptions = Subscriptions::default();
        Self { state, user, socket, outbox: Arc::default(), subscriptions, missed: 0 }
    }

    async fn serve(mut self) {
        let Err(end) = self.run().await else { return };
        if let End::Close(code, reason) = end {
            let close = Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }));
            let _ = tokio::time::timeout(SEND_TIMEOUT, self.socket.send(close)).await;
        }
    }

    async fn run(&mut self) -> Go {
        let mut pings = Box::pin(tokio::time::interval(PING_EVERY));
        pings.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        pings.reset();
        let mut rechecks = Box::pin(tokio::time::interval(RECHECK_EVERY));
        rechecks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.receive(message).await?,
                    Some(Err(error)) => return Err(refused(&error)),
                    None => return Err(End::Left),
                },
                item = self.outbox.take() => match item {
                    // What an event needs besides sending is rare and large: kept out of this future.
                    Some(item) => match self.step(item) {
                        Step::Send(json) => self.send_all(json).await?,
                        Step::Nothing => {}
                        Step::CatchUp(what) => Box::pin(self.catch_up(what)).await?,
                    },
                    None => return Err(End::Close(close_code::POLICY, "reads too slowly; resume by cursor")),
                },
                _ = pings.tick() => {
                    if self.missed >= MISSED_PONGS {
                        return Err(End::Left);
                    }
                    self.missed += 1;
                    self.send(Message::Ping(bytes::Bytes::new())).await?;
                },
                _ = rechecks.tick() => {
                    if self.user.is_due() {
                        self.recheck().await?;
                    }
                },
                () = self.state.live.shutdown().cancelled() => {
                    let after_ms = super::reconnect_after_ms();
                    self.say(&commands::Answer::Reconnect { after_ms }).await?;
                    return Err(End::Close(close_code::RESTART, "the server restarts"));
                },
            }
        }
    }

    /// Ends the socket of somebody who is not who they were any more. A client that still may connects
    /// again and goes on with its cursors.
    async fn recheck(&mut self) -> Go {
        if self.user.holds().await {
            Ok(())
        } else {
            Err(End::Close(close_code::POLICY, "the login or key ended, or its rights changed"))
        }
    }

    fn step(&mut self, item: Item) -> Step {
        self.subscriptions.accept(&self.state.live, self.user.principal().tenant_id, item)
    }

    async fn receive(&mut self, message: Message) -> Go {
        self.missed = 0;
        match message {
            Message::Text(text) => Box::pin(self.obey(text.as_str())).await,
            Message::Binary(_) => {
                let error = ApiError::Malformed("frames are JSON text".to_owned());
                self.say(&commands::Answer::problem(&error, None)).await
            }
            // Pings are answered by the protocol's implementation.
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(End::Left),
        }
    }

    /// Sends an event and those that wait behind it, then flushes once.
    async fn send_all(&mut self, first: Arc<str>) -> Go {
        self.feed(first).await?;
        while let Some(item) = self.outbox.try_take() {
            match self.step(item) {
                Step::Send(json) => self.feed(json).await?,
                Step::Nothing => {}
                Step::CatchUp(what) => {
                    self.flush().await?;
                    Box::pin(self.catch_up(what)).await?;
                }
            }
        }
        self.flush().await
    }

    async fn feed(&mut self, json: Arc<str>) -> Go {
        in_time(self.socket.feed(Message::Text(Utf8Bytes::from(&*json)))).await
    }

    async fn flush(&mut self) -> Go {
        in_time(self.socket.flush()).await
    }

    async fn send(&mut self, message: Message) -> Go {
        in_time(self.socket.send(message)).await
    }

    async fn say(&mut self, answer: &impl Serialize) -> Go {
        // Strings and numbers only: this cannot fail.
        let json = serde_json::to_string(answer).unwrap_or_default();
        self.send(Message::Text(json.into())).await
    }
}

async fn in_time(send: impl Future<Output = Result<(), axum::Error>>) -> Go {
    match tokio::time::timeout(SEND_TIMEOUT, send).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Left),
    }
}

/// What a receive error means: an oversize message is told, everything else is a broken connection.
fn refused(error: &axum::Error) -> End {
    let text = error.to_string();
    if text.contains("too long") || text.contains("too large") || text.contains("Space limit") {
        End::Close(close_code::SIZE, "message too large")
    } else {
        End::Left
    }
}
