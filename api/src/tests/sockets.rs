//! `/ws/netaclaw` over real connections.

use super::harness::{Api, TOKEN, Turn};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// A client.
pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub async fn open(address: SocketAddr, headers: &[(&str, &str)]) -> Result<Self, Box<Error>> {
        let mut request = format!("ws://{address}/ws/netaclaw").into_client_request()?;
        for (name, value) in headers {
            let name: tokio_tungstenite::tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().append(name, value.parse().unwrap());
        }
        connect_async(request).await.map(|(socket, _)| Self(socket)).map_err(Box::new)
    }

    pub async fn with_token(address: SocketAddr) -> Self {
        Self::open(address, &[("authorization", &format!("Bearer {TOKEN}"))]).await.unwrap()
    }

    pub async fn say(&mut self, frame: &Value) {
        self.raw(Message::text(frame.to_string())).await;
    }

    pub async fn raw(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    /// The next message that is not a ping.
    pub async fn message(&mut self) -> Option<Message> {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(20), self.0.next()).await.expect("a message");
            match next {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(message)) => return Some(message),
                Some(Err(_)) | None => return None,
            }
        }
    }

    pub async fn hear(&mut self) -> Value {
        let message = self.message().await.expect("the socket is open");
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    /// Events up to one of this type.
    pub async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut all = Vec::new();
        loop {
            all.push(self.hear().await);
            if all.last().unwrap()["type"] == kind {
                return all;
            }
        }
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|e| e["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_chat_is_accepted_and_then_told_of_in_order() {
    let api = Api::new().await;
    let mut socket = Socket::with_token(api.listen().await).await;
    socket.say(&json!({"type": "chat", "message": "hello", "clientMessageId": "c-7"})).await;
    let accepted = socket.hear().await;
    assert_eq!((&accepted["type"], &accepted["clientMessageId"]), (&json!("accepted"), &json!("c-7")));
    assert_eq!(accepted["repeated"], false);
    let turn = api.next_turn().await;
    assert_eq!(Turn::of(&accepted), turn);
    api.answer(turn, "one two").await;
    let events = socket.until("done").await;
    assert_eq!(types(&events), ["run_accepted", "status", "text_delta", "text_delta", "resync", "done"]);
    let numbers: Vec<_> = events.iter().map(|e| e["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    // Said again on another socket, it is the same turn, and its end is told.
    let mut other = Socket::with_token(api.listen().await).await;
    other.say(&json!({"type": "chat", "message": "hello", "clientMessageId": "c-7"})).await;
    let again = other.hear().await;
    assert_eq!((&again["repeated"], Turn::of(&again)), (&json!(true), turn));
    assert_eq!(other.until("done").await.last(), events.last());
    // A second turn of the session needs no subscription.
    let next = json!({"message": "next", "sessionId": turn.session_id});
    let second = api.accepted(&next).await;
    assert_eq!(socket.hear().await["messageId"], json!(second.message_id));
}

#[tokio::test]
async fn a_socket_goes_on_with_its_cursor_after_a_broken_connection() {
    let api = Api::new().await;
    let address = api.listen().await;
    let mut socket = Socket::with_token(address).await;
    socket.say(&json!({"type": "chat", "message": "hello"})).await;
    let turn = Turn::of(&socket.hear().await);
    let lease = api.claim(turn).await;
    api.say(turn, "one ").await;
    let last = socket.until("text_delta").await.pop().unwrap();
    drop(socket);
    api.say(turn, "two ").await;
    let mut socket = Socket::with_token(address).await;
    let subscribe = json!({
        "type": "subscribe", "sessionId": turn.session_id, "messageId": turn.message_id,
        "epoch": last["epoch"], "seq": last["seq"],
    });
    socket.say(&subscribe).await;
    assert_eq!(socket.hear().await, json!({"type": "subscribed", "sessionId": turn.session_id}));
    assert_eq!(socket.hear().await["data"]["text"], "two ");
    api.say(turn, "three").await;
    assert_eq!(socket.hear().await["data"]["text"], "three");
    // Without a cursor: the picture, then the rest.
    let mut late = Socket::with_token(address).await;
    late.say(&json!({"type": "subscribe", "sessionId": turn.session_id})).await;
    assert_eq!(late.hear().await["type"], "subscribed");
    let resync = late.hear().await;
    assert_eq!((&resync["type"], &resync["data"]["content"]), (&json!("resync"), &json!("one two three")));
    api.finish(turn, &lease, "one two three").await;
    for socket in [&mut socket, &mut late] {
        assert_eq!(types(&socket.until("done").await), ["resync", "done"]);
    }
    assert_eq!(api.state.live.hub().sessions(), 1);
    socket.say(&json!({"type": "unsubscribe", "sessionId": turn.session_id})).await;
    assert_eq!(socket.hear().await["type"], "unsubscribed");
}

#[tokio::test]
async fn stop_ends_a_turn() {
    let api = Api::new().await;
    let mut socket = Socket::with_token(api.listen().await).await;
    socket.say(&json!({"type": "chat", "message": "hello"})).await;
    let turn = Turn::of(&socket.hear().await);
    assert_eq!(socket.hear().await["type"], "run_accepted");
    socket.say(&json!({"type": "stop", "messageId": turn.message_id})).await;
    let events = socket.until("done").await;
    let answer = events.iter().find(|e| e["type"] == "stopping");
    let end = events.last().unwrap();
    assert_eq!((&end["data"]["status"], &end["data"]["reason"]), (&json!("cancelled"), &json!("stopped")));
    // The answer to the frame may stand before or behind the turn's end.
    let answer = if let Some(answer) = answer { answer.clone() } else { socket.hear().await };
    assert_eq!(answer, json!({"type": "stopping", "messageId": turn.message_id, "alreadyOver": false}));
}

#[tokio::test]
async fn bad_frames_are_problems_and_the_socket_stays() {
    let api = Api::new().await;
    let mut socket = Socket::with_token(api.listen().await).await;
    let unknown = "01890000-0000-7000-8000-000000000003";
    let table = [
        ("nonsense".to_owned(), "malformed_json", None),
        ("[1]".to_owned(), "invalid", Some("body")),
        (json!({"type": "dance"}).to_string(), "invalid", Some("type")),
        (json!({"type": "chat"}).to_string(), "invalid", Some("message")),
        (json!({"type": "chat", "message": " "}).to_string(), "invalid", Some("message")),
        (json!({"type": "chat", "message": "a", "agent": "nobody"}).to_string(), "not_found", None),
        (json!({"type": "subscribe", "sessionId": 7}).to_string(), "invalid", Some("sessionId")),
        (json!({"type": "subscribe", "sessionId": unknown}).to_string(), "not_found", None),
        (json!({"type": "subscribe", "sessionId": unknown, "seq": 1}).to_string(), "invalid", Some("epoch")),
        (json!({"type": "stop", "messageId": 987}).to_string(), "not_found", None),
        (
            format!("{{\"type\":\"chat\",\"x\":{}{}}}", "[".repeat(300), "]".repeat(300)),
            "invalid",
            Some("message"),
        ),
    ];
    for (frame, code, field) in table {
        socket.raw(Message::text(frame.clone())).await;
        let answer = socket.hear().await;
        assert_eq!(
            (&answer["type"], &answer["code"]),
            (&json!("problem"), &json!(code)),
            "{frame}: {answer}"
        );
        assert_eq!(answer.get("field").and_then(Value::as_str), field, "{frame}");
    }
    socket.raw(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(socket.hear().await["code"], "malformed_json");
    socket.say(&json!({"type": "chat", "message": "a", "clientMessageId": "c", "policy": "no"})).await;
    assert_eq!(socket.hear().await["field"], "policy");
    assert_eq!(api.state.live.hub().sessions(), 0, "nothing stays subscribed after a refusal");
    socket.raw(Message::text("x".repeat(257 * 1024))).await;
    let Some(Message::Close(Some(close))) = socket.message().await else { panic!("a close") };
    assert_eq!(close.code, CloseCode::Size);
}

#[tokio::test]
async fn sockets_open_for_programs_and_allowed_pages_only() {
    let api = Api::new().await;
    let address = api.listen().await;
    let (bearer, offered) = (format!("Bearer {TOKEN}"), format!("neta, bearer.{TOKEN}"));
    let own = format!("http://{address}");
    let status = async |headers: &[(&str, &str)]| match Socket::open(address, headers).await {
        Ok(_) => 101,
        Err(error) => match *error {
            Error::Http(response) => response.status().as_u16(),
            other => panic!("{other}"),
        },
    };
    assert_eq!(status(&[("authorization", &bearer)]).await, 101);
    assert_eq!(status(&[("sec-websocket-protocol", &offered), ("origin", &own)]).await, 101);
    assert_eq!(status(&[("authorization", &bearer), ("origin", "https://chat.example")]).await, 101);
    assert_eq!(status(&[]).await, 401);
    assert_eq!(status(&[("authorization", "Bearer wrong")]).await, 401);
    for origin in
        ["https://evil.example", "null", "http://127.0.0.1.evil.example", "https://chat.example.evil.example"]
    {
        assert_eq!(status(&[("authorization", &bearer), ("origin", origin)]).await, 403, "{origin}");
    }
    assert_eq!(status(&[("authorization", &bearer), ("cookie", "a=b")]).await, 403);
}

#[tokio::test]
async fn a_deleted_session_says_farewell() {
    let api = Api::new().await;
    let mut socket = Socket::with_token(api.listen().await).await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    socket.say(&json!({"type": "subscribe", "sessionId": turn.session_id})).await;
    assert_eq!(types(&socket.until("resync").await), ["subscribed", "resync"]);
    api.send("DELETE", &format!("/api/sessions/{}", turn.session_id), None).await;
    assert_eq!(socket.hear().await["type"], "session_deleted");
}

#[tokio::test]
async fn a_socket_catches_up_when_the_bus_was_away() {
    let api = Api::new().await;
    let mut socket = Socket::with_token(api.listen().await).await;
    let turn = api.accepted(&json!({"message": "hello"})).await;
    api.bus.set_away(true);
    socket.say(&json!({"type": "subscribe", "sessionId": turn.session_id})).await;
    assert_eq!(socket.hear().await["type"], "subscribed");
    assert_eq!(socket.hear().await["type"], "resync", "from the rows");
    api.bus.set_away(false);
    let lease = api.claim(turn).await;
    api.say(turn, "Hello").await;
    api.finish(turn, &lease, "Hello").await;
    let end = socket.until("done").await.pop().unwrap();
    assert_eq!(end["data"]["content"], "Hello");
}
