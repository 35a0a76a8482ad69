//! A program that talks to Neta over HTTP.

use super::model::{clock, delegating, handed_over, since, stamps};
use super::neta::TOKEN;
use anyhow::{Context, ensure};
use serde_json::{Value, json};
use std::time::Duration;

/// Keeps its connections, as a program would.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    agent: i64,
}

/// A turn that ended.
#[derive(Debug)]
pub struct Turn {
    pub session: String,
    /// From sending the message to its arrival at the provider.
    pub to_provider: Duration,
}

/// A turn whose supervisor delegated once.
#[derive(Debug)]
pub struct Delegated {
    pub session: String,
    /// From sending the message to having the answer.
    pub turn: Duration,
    /// From the provider's answer that delegates to its next request from the supervisor.
    pub batch: Duration,
    /// What each subagent's model took, in the order of the goals.
    pub waits: Vec<Duration>,
}

/// Longer than any request of the bench takes.
const DEADLINE: Duration = Duration::from_mins(2);

/// The client of all requests, so that floors and figures are read with the same one.
pub fn http() -> anyhow::Result<reqwest::Client> {
    Ok(reqwest::Client::builder().no_proxy().tcp_nodelay(true).timeout(DEADLINE).build()?)
}

impl Client {
    pub fn new(base: &str) -> anyhow::Result<Self> {
        Ok(Self { http: http()?, base: base.to_owned(), agent: 0 })
    }

    /// The same agent at another door.
    pub fn moved_to(&mut self, base: &str) {
        base.clone_into(&mut self.base);
    }

    /// Makes the agent that the turns talk to.
    pub async fn furnish(&mut self, model_url: &str) -> anyhow::Result<()> {
        let model = json!({"name": "bench", "provider": "openai", "modelName": "bench",
            "baseUrl": model_url, "apiKey": "sk-bench"});
        let model = self.create("/api/models", &model).await?;
        let agent = json!({"name": "bench", "systemPrompt": "You are a bench.", "modelId": model});
        self.agent = self.create("/api/agents", &agent).await?;
        Ok(())
    }

    async fn create(&self, path: &str, body: &Value) -> anyhow::Result<i64> {
        let (status, answer) = self.post(path, body).await?;
        ensure!(status == 201, "{path}: {status} {answer}");
        answer["id"].as_i64().context("an object without an id")
    }

    async fn post(&self, path: &str, body: &Value) -> anyhow::Result<(u16, Value)> {
        let request = self.http.post(format!("{}{path}", self.base)).bearer_auth(TOKEN).json(body);
        let response = request.send().await?;
        Ok((response.status().as_u16(), response.json().await?))
    }

    fn body(&self, message: &str, wait: u64) -> Value {
        json!({"agentId": self.agent, "message": message, "wait": wait})
    }

    /// One turn in a new session, waited for.
    pub async fn turn(&self, message: &str) -> anyhow::Result<Turn> {
        let sent = clock();
        let (status, answer) = self.post("/open/netaclaw/chat", &self.body(message, 60)).await?;
        let content = answer["content"].as_str().unwrap_or_default();
        let arrived = stamps(content, '#').next();
        ensure!(status == 200 && arrived.is_some(), "a turn: {status} {answer}");
        Ok(Turn {
            session: answer["sessionId"].as_str().unwrap_or_default().to_owned(),
            to_provider: since(sent, arrived.unwrap_or_default()),
        })
    }

    /// One turn in a new session whose supervisor hands a goal to a subagent for each of the waits.
    pub async fn delegate(&self, waits: &[Duration]) -> anyhow::Result<Delegated> {
        let sent = clock();
        let (status, answer) = self.post("/open/netaclaw/chat", &self.body(&delegating(waits), 60)).await?;
        let turn = since(sent, clock());
        let batch = &answer["subagents"][0];
        let items = batch["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        let took: Vec<Duration> = items.iter().filter_map(model_time).collect();
        let handed = batch["batchId"].as_str().and_then(handed_over);
        let gathered = stamps(answer["content"].as_str().unwrap_or_default(), '#').next();
        let (Some(handed), Some(gathered)) = (handed, gathered) else {
            anyhow::bail!("a turn that delegates: {status} {answer}");
        };
        ensure!(status == 200 && took.len() == waits.len(), "a turn that delegates: {status} {answer}");
        Ok(Delegated {
            session: answer["sessionId"].as_str().unwrap_or_default().to_owned(),
            turn,
            batch: since(handed, gathered),
            waits: took,
        })
    }

    /// Accepts a turn and does not wait for it.
    pub async fn enqueue(&self, message: &str) -> anyhow::Result<()> {
        let (status, answer) = self.post("/open/netaclaw/chat", &self.body(message, 0)).await?;
        ensure!(status == 202, "an enqueue: {status} {answer}");
        Ok(())
    }

    /// One turn in a new session, read as a stream: for each token, from its writing by the provider
    /// to its arrival here.
    pub async fn stream(&self, message: &str) -> anyhow::Result<Vec<Duration>> {
        let request = self.http.post(format!("{}/open/netaclaw/chat", self.base)).bearer_auth(TOKEN);
        let request = request.header("accept", "text/event-stream").json(&self.body(message, 60));
        let mut response = request.send().await?;
        ensure!(response.status().is_success(), "a stream: {}", response.status());
        let (mut delays, mut unread) = (Vec::new(), Vec::new());
        while let Some(bytes) = response.chunk().await? {
            let now = clock();
            unread.extend_from_slice(&bytes);
            while let Some(end) = unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = unread.drain(..=end).collect();
                let Some(data) = line.strip_prefix(b"data:") else { continue };
                let event: Value = serde_json::from_slice(data)?;
                match event["type"].as_str() {
                    Some("text_delta") => {
                        let text = event["data"]["text"].as_str().unwrap_or_default();
                        delays.extend(stamps(text, '@').map(|stamp| since(stamp, now)));
                    }
                    Some("done") => return Ok(delays),
                    Some("error") => anyhow::bail!("a stream: {event}"),
                    _ => {}
                }
            }
        }
        anyhow::bail!("a stream without an end")
    }
}

/// From a subagent's request at the provider to its last token, by its answer.
fn model_time(subagent: &Value) -> Option<Duration> {
    let summary = subagent["summary"].as_str()?;
    Some(since(stamps(summary, '#').next()?, stamps(summary, '@').last()?))
}
