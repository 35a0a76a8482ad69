//! `neta chat`: one message to a running server, its answer on standard output as it comes. Goes on
//! where it was when the connection breaks.

mod batches;
mod events;
mod questions;
mod screen;

use anyhow::{Context, bail};
use events::{Decoder, Event};
use questions::Questions;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use screen::{Screen, Shown};
use serde_json::{Value, json};
use shared::config::{Config, TOKEN_FILE};
use shared::domain::ids::SessionId;
use shared::secrets::Secret;
use std::process::ExitCode;
use std::time::Duration;

/// The server sends something at least each ten seconds.
const SILENCE: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Attempts without any progress before it gives up.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(500);
/// How often the seconds of subagents are drawn.
const TICK: Duration = Duration::from_secs(1);

/// What `neta chat` is told.
#[derive(Debug, Clone, clap::Args)]
pub struct ChatArgs {
    /// What to say.
    pub message: String,
    /// Where the server is; by default the configured address.
    #[arg(long)]
    pub url: Option<String>,
    /// Its token; by default `NETA_ADMIN_TOKEN`, or the one in the data folder.
    #[arg(long)]
    pub token: Option<String>,
    /// Goes on in this session; by default a new one begins.
    #[arg(long)]
    pub session: Option<SessionId>,
    /// The agent, by name; by default the session's, or the oldest.
    #[arg(long)]
    pub agent: Option<String>,
}

/// Says it and shows the answer. Failure: the turn failed or was stopped.
pub async fn run(args: ChatArgs, config: &Config) -> anyhow::Result<ExitCode> {
    // An earlier one stays: both are the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder().connect_timeout(CONNECT_TIMEOUT).read_timeout(SILENCE).build()?;
    let url = args.url.clone().unwrap_or_else(|| config.url.clone());
    let token = token(&args, config)?;
    let server = Server { client, url: url.trim_end_matches('/').to_owned(), token };
    let mut body = json!({
        "message": args.message,
        // So that sending it again after a broken connection is the same turn.
        "clientMessageId": SessionId::generate().to_string(),
    });
    if let Some(session) = args.session {
        body["sessionId"] = json!(session);
    }
    if let Some(agent) = args.agent {
        body["agent"] = json!(agent);
    }
    let mut screen = Screen::new();
    let mut questions = Questions::default();
    let mut at = Place::default();
    let mut left = ATTEMPTS;
    loop {
        let before = at.clone();
        match server.follow(&body, &mut at, &mut screen, &mut questions).await {
            Ok(Some(code)) => return Ok(code),
            Err(Stop::Refused(error)) => return Err(error),
            Err(Stop::Broken(error)) if left == 1 => {
                return Err(error.context(format!("{} does not answer; is `neta up` running?", server.url)));
            }
            Ok(None) | Err(Stop::Broken(_)) => {}
        }
        left = if at == before { left.saturating_sub(1) } else { ATTEMPTS };
        if left == 0 {
            bail!("the server ends the stream again and again");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn token(args: &ChatArgs, config: &Config) -> anyhow::Result<Secret> {
    if let Some(token) = &args.token {
        return Ok(Secret::new(token.as_str()));
    }
    if let Some(token) = &config.admin_token {
        return Ok(token.clone());
    }
    let path = config.data.join(TOKEN_FILE);
    let text = std::fs::read_to_string(&path).with_context(|| {
        format!("no token: give --token, set NETA_ADMIN_TOKEN, or name the data folder ({})", path.display())
    })?;
    Ok(Secret::new(text.trim()))
}

/// How far it is: the turn, and the last event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Place {
    message_id: Option<i64>,
    last_event: Option<String>,
}

/// Why one attempt ended.
enum Stop {
    /// The server said no: trying again is of no use.
    Refused(anyhow::Error),
    /// The connection broke, or the server is away.
    Broken(anyhow::Error),
}

struct Server {
    client: Client,
    url: String,
    token: Secret,
}

impl Server {
    /// One connection. Some: the turn ended.
    async fn follow(
        &self,
        body: &Value,
        at: &mut Place,
        screen: &mut Screen,
        questions: &mut Questions,
    ) -> Result<Option<ExitCode>, Stop> {
        let broken = |e: reqwest::Error| Stop::Broken(e.without_url().into());
        let request = match at.message_id {
            None => self.client.post(format!("{}/open/netaclaw/chat", self.url)).json(body),
            Some(id) => self.client.get(format!("{}/open/netaclaw/chat/{id}", self.url)),
        };
        let mut response = checked(self.asking(request, at).send().await.map_err(broken)?).await?;
        if response.status() == StatusCode::NO_CONTENT {
            return Ok(Some(ExitCode::SUCCESS));
        }
        let mut decoder = Decoder::default();
        let mut ticks = tokio::time::interval(TICK);
        loop {
            let chunk = tokio::select! {
                chunk = response.chunk() => chunk.map_err(broken)?,
                _ = ticks.tick() => {
                    screen.tick().map_err(refused)?;
                    continue;
                }
                (pause_id, answer) = questions.answer() => {
                    self.answer(pause_id, &answer, screen, questions).await?;
                    continue;
                }
            };
            let Some(chunk) = chunk else { return Ok(None) };
            for Event { id, data } in decoder.feed(&chunk) {
                let Ok(event) = serde_json::from_str::<Value>(&data) else { continue };
                at.message_id = event["messageId"].as_i64().or(at.message_id);
                at.last_event = id.or(at.last_event.take());
                let shown = screen.show(&event).map_err(refused)?;
                if let Some(question) = questions.take(&event) {
                    screen.tell(&question).map_err(refused)?;
                }
                match shown {
                    Shown::More => {}
                    Shown::Answered => return Ok(Some(ExitCode::SUCCESS)),
                    Shown::Failed => return Ok(Some(ExitCode::FAILURE)),
                }
            }
        }
    }

    /// Answers a question; what is wrong with an answer is told, and the question stays.
    async fn answer(
        &self,
        pause_id: i64,
        answer: &str,
        screen: &mut Screen,
        questions: &mut Questions,
    ) -> Result<(), Stop> {
        let request = self.client.post(format!("{}/api/pauses/{pause_id}/answer", self.url));
        let sent = request.bearer_auth(self.token.expose()).json(&json!({"answer": answer})).send().await;
        let news = match sent {
            Err(error) => Some(format!("not sent, say it again: {}", error.without_url())),
            Ok(response) if response.status().is_success() => questions.answered(pause_id),
            Ok(response) => {
                let gone = matches!(response.status(), StatusCode::CONFLICT | StatusCode::GONE);
                let problem: Value = response.json().await.unwrap_or_default();
                if gone {
                    questions.answered(pause_id);
                }
                Some(problem["detail"].as_str().unwrap_or("the answer was refused").to_owned())
            }
        };
        news.map_or(Ok(()), |news| screen.tell(&news).map_err(refused))
    }

    fn asking(&self, request: RequestBuilder, at: &Place) -> RequestBuilder {
        let request = request.bearer_auth(self.token.expose()).header("accept", "text/event-stream");
        match &at.last_event {
            Some(id) => request.header("last-event-id", id),
            None => request,
        }
    }
}

/// Nobody sees what is shown: to go on is of no use.
fn refused(error: std::io::Error) -> Stop {
    Stop::Refused(error.into())
}

/// A refusal as the server words it.
async fn checked(response: Response) -> Result<Response, Stop> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let problem: Value = response.json().await.unwrap_or_default();
    let detail = problem["detail"].as_str().unwrap_or("no details").to_owned();
    let error = anyhow::anyhow!("the server refused ({status}): {detail}");
    if status.is_server_error() { Err(Stop::Broken(error)) } else { Err(Stop::Refused(error)) }
}
