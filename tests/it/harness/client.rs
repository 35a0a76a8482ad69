//! A client of one API process.

use super::reader::{Reader, Socket};
use serde_json::{Value, json};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The administrator's token of every server under test.
pub const TOKEN: &str = "it-admin-token-0123456789abcdef0123456789";

/// Longer than anything that a test waits for on purpose.
pub const LONG: Duration = Duration::from_secs(30);

/// Made once: in a debug build its TLS takes so long that many of them at once hold up their requests.
static HTTP: LazyLock<reqwest::Client> = LazyLock::new(|| {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .pool_max_idle_per_host(0)
        .no_proxy()
        .timeout(Duration::from_secs(150))
        .build()
        .expect("a client")
});

/// A client with no memory: every request has a connection of its own, so that a killed server
/// leaves nothing behind.
pub fn http() -> reqwest::Client {
    HTTP.clone()
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The body, or its text where it is no JSON.
    pub body: Value,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Answer {
    /// The body of an answer with this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }

    /// The cookie that it sets, as it is sent back.
    #[track_caller]
    pub fn login_cookie(&self) -> String {
        let set =
            self.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {} {}", self.status, self.body));
        set.split(';').next().unwrap_or_default().to_owned()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// The ids of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The session.
    pub session: String,
    /// The user's message.
    pub user: i64,
    /// The placeholder.
    pub assistant: i64,
    /// The run.
    pub run: i64,
}

impl Turn {
    /// Reads a chat answer or a `run_accepted` event's data.
    #[track_caller]
    pub fn of(session: &str, body: &Value) -> Self {
        let id = |name: &str| {
            let value = &body[name];
            let text = value.as_str().and_then(|s| s.parse().ok());
            value.as_i64().or(text).unwrap_or_else(|| panic!("no {name} in {body}"))
        };
        Self {
            session: body["sessionId"].as_str().unwrap_or(session).to_owned(),
            user: id("userMessageId"),
            assistant: id("assistantMessageId"),
            run: id("runId"),
        }
    }
}

/// One API process as a program sees it.
#[derive(Debug, Clone)]
pub struct Api {
    /// `http://HOST:PORT`.
    pub base: String,
    /// What stands in the header; empty: none.
    pub token: String,
    /// The cookie that a browser sends; empty: none.
    pub cookie: String,
    /// The agent that `say` talks to.
    pub agent: i64,
    http: reqwest::Client,
}

impl Api {
    /// The API on this port.
    pub fn new(port: u16, agent: i64) -> Self {
        Self {
            base: format!("http://127.0.0.1:{port}"),
            token: TOKEN.to_owned(),
            cookie: String::new(),
            agent,
            http: http(),
        }
    }

    /// The same, with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    /// The same as a browser with this cookie and no token.
    pub fn with_cookie(&self, cookie: &str) -> Self {
        Self { token: String::new(), cookie: cookie.to_owned(), ..self.clone() }
    }

    /// Logs in: the browser.
    pub async fn login(&self, name: &str, password: &str) -> Self {
        let answer =
            self.with_token("").post("/api/login", &json!({ "name": name, "password": password })).await;
        self.with_cookie(&answer.login_cookie())
    }

    /// A request that can be changed before it is sent.
    pub fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
        let request = self.http.request(method, format!("{}{path}", self.base));
        let request = if self.cookie.is_empty() { request } else { request.header("cookie", &self.cookie) };
        if self.token.is_empty() { request } else { request.bearer_auth(&self.token) }
    }

    /// Sends it. An error says that the connection failed, not the server.
    pub async fn try_send(&self, request: reqwest::RequestBuilder) -> Result<Answer, reqwest::Error> {
        let response = request.send().await?;
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(n, v)| (n.as_str().to_owned(), String::from_utf8_lossy(v.as_bytes()).into_owned()))
            .collect();
        let text = response.text().await?;
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Answer { status, body, headers })
    }

    /// Sends it to a server that is there.
    #[track_caller]
    pub fn send(&self, request: reqwest::RequestBuilder) -> impl Future<Output = Answer> {
        let api = self.clone();
        async move { api.try_send(request).await.expect("the server answers") }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request("DELETE", path)).await
    }

    /// POST of a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("POST", path).json(body)).await
    }

    /// PATCH with a JSON body.
    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("PATCH", path).json(body)).await
    }

    /// PUT of a JSON body.
    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("PUT", path).json(body)).await
    }

    /// A chat request's body to the agent, with what `more` says besides.
    pub fn body(&self, session: &str, message: &str, more: &Value) -> Value {
        let mut body = json!({ "agentId": self.agent, "message": message });
        if !session.is_empty() {
            body["sessionId"] = json!(session);
        }
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        body
    }

    /// The same as a socket's frame, with a client message id.
    pub fn frame(&self, session: &str, message: &str, more: &Value) -> Value {
        let mut frame = self.body(session, message, more);
        frame["type"] = json!("chat");
        if frame["clientMessageId"].is_null() {
            frame["clientMessageId"] = json!(uuid::Uuid::now_v7());
        }
        frame
    }

    /// POST of a chat message.
    pub async fn chat(&self, session: &str, message: &str, more: &Value) -> Answer {
        self.post("/open/netaclaw/chat", &self.body(session, message, more)).await
    }

    /// Says something and has the ids at once.
    pub async fn say(&self, session: &str, message: &str) -> Turn {
        let answer = self.chat(session, message, &json!({ "wait": 0 })).await;
        assert!(matches!(answer.status, 200 | 202), "{}: {}", answer.status, answer.body);
        Turn::of(session, &answer.body)
    }

    /// Says something and waits for its end, however long that takes: the chat answer.
    pub async fn ask(&self, session: &str, message: &str) -> Value {
        let answer = self.chat(session, message, &json!({ "wait": 20 })).await;
        match answer.status {
            200 => answer.body,
            202 => self.finish(&Turn::of(session, &answer.body)).await,
            other => panic!("{other}: {}", answer.body),
        }
    }

    /// Waits for a turn's end: the chat answer.
    pub async fn finish(&self, turn: &Turn) -> Value {
        let path = format!("/open/netaclaw/chat/{}?wait=10", turn.assistant);
        let end = Instant::now() + LONG * 2;
        while Instant::now() < end {
            // A process that was killed is asked again until it is back.
            match self.try_send(self.request("GET", &path)).await {
                Ok(answer) if answer.status == 200 && is_terminal(&answer.body["status"]) => {
                    return answer.body;
                }
                Ok(answer) => assert!(matches!(answer.status, 200 | 202 | 503), "{answer:?}"),
                Err(_) => {}
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{turn:?} did not end: {:?}", self.get(&format!("/api/runs/{}", turn.run)).await);
    }

    /// The messages of a session, oldest first.
    pub async fn messages(&self, session: &str) -> Vec<Value> {
        let body = self.get(&format!("/api/sessions/{session}/messages?limit=200")).await.expect(200);
        let mut items = items(&body);
        items.sort_by_key(|m| m["id"].as_i64());
        items
    }

    /// One run.
    pub async fn run(&self, id: i64) -> Value {
        self.get(&format!("/api/runs/{id}")).await.expect(200)
    }

    /// Stops a run.
    pub async fn stop(&self, run: i64) -> Answer {
        self.send(self.request("POST", &format!("/api/runs/{run}/stop"))).await
    }

    /// Says something and reads its events as they come.
    pub async fn stream(&self, session: &str, message: &str) -> Reader {
        let request = self
            .request("POST", "/open/netaclaw/chat")
            .header("accept", "text/event-stream")
            .json(&self.body(session, message, &json!({})));
        Reader::sse(request).await
    }

    /// Goes on reading a turn's events after the given `Last-Event-ID`.
    pub async fn resume(&self, assistant: i64, last_event_id: Option<&str>) -> Reader {
        let request = self.request("GET", &format!("/open/netaclaw/chat/{assistant}"));
        let request = request.header("accept", "text/event-stream");
        Reader::sse(match last_event_id {
            Some(id) => request.header("last-event-id", id),
            None => request,
        })
        .await
    }

    /// A WebSocket.
    pub async fn socket(&self) -> Socket {
        self.try_socket(None).await.expect("the upgrade is accepted")
    }

    /// A WebSocket whose token is offered as a subprotocol; an error tells the status.
    pub async fn try_offered_socket(&self) -> Result<Socket, u16> {
        Socket::offering(&format!("{}/ws/netaclaw", self.base.replace("http://", "ws://")), &self.token).await
    }

    /// A WebSocket with an Origin; an error tells the status.
    pub async fn try_socket(&self, origin: Option<&str>) -> Result<Socket, u16> {
        let url = format!("{}/ws/netaclaw", self.base.replace("http://", "ws://"));
        let own = Some(self.base.as_str()).filter(|_| !self.cookie.is_empty());
        Socket::connect(&url, &self.token, &self.cookie, origin.or(own)).await
    }
}

/// Whether a chat answer's, message's or run's status is final.
pub fn is_terminal(status: &Value) -> bool {
    matches!(status.as_str(), Some("completed" | "failed" | "cancelled"))
}

/// The items of a page.
pub fn items(body: &Value) -> Vec<Value> {
    body["items"]
        .as_array()
        .or_else(|| body.as_array())
        .cloned()
        .unwrap_or_else(|| panic!("no items: {body}"))
}
