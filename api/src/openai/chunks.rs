//! A turn's events as the pieces of a streamed completion. What the dialect has no place for (tools,
//! plans, subagents) becomes comment lines, which every client passes over.

use super::error::Refusal;
use super::response::{
    Before, ChatCompletionChunk, ChunkChoice, Delta, Neta, Usage, UsageSoFar, finish_reason, id, question,
};
use super::shown::{AGAIN, Shown};
use axum::http::StatusCode;
use serde::Serialize;
use shared::domain::conversation::TokenUsage;
use shared::domain::events::{Event, TurnView};
use shared::domain::ids::PauseId;
use shared::domain::messages::ErrorInfo;
use shared::domain::pauses::OpenPause;
use shared::domain::runs::RunStatus;
use std::fmt::Write;

/// What all pieces of a completion have in common.
#[derive(Debug, Clone)]
pub struct Head {
    /// As the request named it.
    pub model: String,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// The turn.
    pub neta: Neta,
    /// Whether the tokens are told at the end.
    pub include_usage: bool,
}

/// Makes the pieces of one completion.
#[derive(Debug)]
pub struct Chunks {
    head: Head,
    text: Shown,
    thinking: Shown,
    usage: Option<TokenUsage>,
    used_before: Option<TokenUsage>,
    /// Questions that were answered before the caller came.
    answered: Vec<PauseId>,
    /// Whether anything but the role was told.
    begun: bool,
    over: bool,
}

impl Chunks {
    /// Of a turn, of which the reader knows what was before. Questions in `answered` are no news.
    pub fn new(head: Head, before: &Before, answered: Vec<PauseId>) -> Self {
        Self {
            head,
            text: Shown::after(&before.content, AGAIN),
            thinking: Shown::after(&before.thinking, "\n\n"),
            usage: before.usage,
            used_before: before.usage,
            answered,
            begun: false,
            over: false,
        }
    }

    /// Whether the last piece was made.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Whether there was anything to show.
    pub fn has_begun(&self) -> bool {
        self.begun || self.over
    }

    /// The first piece.
    pub fn open(&self, out: &mut String) {
        let delta = Delta { role: Some("assistant"), content: Some(String::new()), ..Delta::default() };
        let neta = Some(self.head.neta.clone());
        data(out, &ChatCompletionChunk { neta, ..self.piece(delta, None) });
    }

    /// Adds what an event brings. An error is an end that is no answer; nothing was put out for it.
    pub fn take(&mut self, event: &Event, out: &mut String) -> Result<(), Refusal> {
        if self.over {
            return Ok(());
        }
        match event {
            // The log from its beginning: what was before comes again.
            Event::RunAccepted { .. } => {
                self.text.replace("");
                self.thinking.replace("");
            }
            Event::TextDelta { text } => {
                let more = self.text.add(text);
                self.say(more, out);
            }
            Event::ThinkingDelta { text } => {
                let more = self.thinking.add(text);
                self.think(more, out);
            }
            Event::TextReset { text, thinking } => self.reset(text, thinking, out),
            Event::Usage { input_tokens, output_tokens, .. } => {
                self.usage = Some(TokenUsage { input_tokens: *input_tokens, output_tokens: *output_tokens });
            }
            Event::ClarifyRequest(pause) => self.ask(pause, out),
            Event::Resync(view) => {
                self.usage = view.usage.or(self.usage);
                self.reset(&view.content, &view.thinking, out);
                if !view.status.is_terminal()
                    && let Some(pause) = view.pauses.iter().find(|p| !self.answered.contains(&p.pause_id))
                {
                    self.ask(pause, out);
                }
            }
            Event::Done(view) => return self.done(view, out),
            Event::Error { kind, message } => {
                self.over = true;
                let info = ErrorInfo { kind: *kind, message: message.clone() };
                return Err(Refusal::failed(&info, self.head.neta.clone()));
            }
            Event::SessionDeleted {} => {
                self.over = true;
                let why = Some(shared::domain::runs::Reason::Deleted);
                return Err(Refusal::cancelled(why, self.head.neta.clone()));
            }
            Event::Status { .. }
            | Event::ToolCall { .. }
            | Event::ToolResult { .. }
            | Event::TodoUpdate { .. }
            | Event::SubagentBatchStart { .. }
            | Event::SubagentUpdate { .. }
            | Event::SubagentDone { .. }
            | Event::PauseAnswered { .. } => {
                self.begun |= !matches!(event, Event::Status { .. });
                comment(event, out);
            }
        }
        Ok(())
    }

    /// The reader is sent away before the end.
    pub fn cut(&mut self) -> Refusal {
        self.over = true;
        let why = "the stream was cut: the server restarts, or the reader was too slow";
        Refusal::goes_on(StatusCode::SERVICE_UNAVAILABLE, "stream_cut", why, self.head.neta.clone())
    }

    fn say(&mut self, more: Option<String>, out: &mut String) {
        if let Some(text) = more {
            self.begun = true;
            data(out, &self.piece(Delta { content: Some(text), ..Delta::default() }, None));
        }
    }

    fn think(&mut self, more: Option<String>, out: &mut String) {
        if let Some(text) = more {
            self.begun = true;
            data(out, &self.piece(Delta { reasoning_content: Some(text), ..Delta::default() }, None));
        }
    }

    fn reset(&mut self, text: &str, thinking: &str, out: &mut String) {
        let more = self.thinking.replace(thinking);
        self.think(more, out);
        let more = self.text.replace(text);
        self.say(more, out);
    }

    fn ask(&mut self, pause: &OpenPause, out: &mut String) {
        if self.over || self.answered.contains(&pause.pause_id) {
            return;
        }
        let gap = if self.text.has_said() { "\n\n" } else { "" };
        self.say(Some([gap, &question(pause)].concat()), out);
        let neta = Neta { pause_id: Some(pause.pause_id), ..self.head.neta.clone() };
        self.close("stop", neta, out);
    }

    fn done(&mut self, view: &TurnView, out: &mut String) -> Result<(), Refusal> {
        if view.status != RunStatus::Completed {
            self.over = true;
            return Err(Refusal::cancelled(view.reason, self.head.neta.clone()));
        }
        let more = self.thinking.replace(&view.thinking);
        self.think(more, out);
        let more = self.text.end(&view.content);
        self.say(more, out);
        self.usage = view.usage.or(self.usage);
        self.close(finish_reason(view.reason), self.head.neta.clone(), out);
        Ok(())
    }

    fn close(&mut self, reason: &'static str, neta: Neta, out: &mut String) {
        self.over = true;
        data(out, &ChatCompletionChunk { neta: Some(neta), ..self.piece(Delta::default(), Some(reason)) });
        if self.head.include_usage {
            let known = self.usage.map(|all| UsageSoFar::Known(Usage::of(all, self.used_before)));
            let usage = known.unwrap_or(UsageSoFar::Unknown);
            data(
                out,
                &ChatCompletionChunk { choices: Vec::new(), usage, ..self.piece(Delta::default(), None) },
            );
        }
        out.push_str("data: [DONE]\n\n");
    }

    fn piece(&self, delta: Delta, finish_reason: Option<&'static str>) -> ChatCompletionChunk {
        ChatCompletionChunk {
            id: id(self.head.neta.assistant_message_id),
            object: "chat.completion.chunk",
            created: self.head.created,
            model: self.head.model.clone(),
            choices: vec![ChunkChoice { index: 0, delta, logprobs: None, finish_reason }],
            usage: if self.head.include_usage { UsageSoFar::Unknown } else { UsageSoFar::LeftOut },
            neta: None,
        }
    }
}

/// An error in the middle of a stream; nothing follows.
pub fn error(refusal: &Refusal, out: &mut String) {
    data(out, &refusal.body().1);
}

fn data(out: &mut String, value: &impl Serialize) {
    // Strings and numbers only: neither can fail.
    let json = serde_json::to_string(value).unwrap_or_default();
    let _ = write!(out, "data: {json}\n\n");
}

/// The event as a line that clients pass over.
fn comment(event: &Event, out: &mut String) {
    // The JSON holds no line break.
    let json = serde_json::to_string(event).unwrap_or_default();
    let _ = write!(out, ": neta {json}\n\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use shared::domain::ids::{MessageId, RunId, SessionId};
    use shared::domain::journal::ToolStatus;
    use shared::domain::pauses::PauseKind;
    use shared::domain::runs::Reason;

    fn head(include_usage: bool) -> Head {
        let neta = Neta {
            session_id: SessionId(uuid::Uuid::nil()),
            assistant_message_id: MessageId(2),
            run_id: RunId(1),
            pause_id: None,
        };
        Head { model: "a".into(), created: 9, neta, include_usage }
    }

    fn text(text: &str) -> Event {
        Event::TextDelta { text: text.into() }
    }

    fn view(status: RunStatus, content: &str) -> TurnView {
        let mut view = TurnView::new(MessageId(1), MessageId(2), RunId(1));
        (view.status, view.content) = (status, content.into());
        view
    }

    fn done(content: &str) -> Event {
        Event::Done(view(RunStatus::Completed, content))
    }

    fn pause(id: i64, question: &str) -> OpenPause {
        OpenPause {
            pause_id: PauseId(id),
            kind: PauseKind::Clarify,
            question: question.into(),
            options: vec!["red".into()],
            deadline: None,
        }
    }

    /// The data and the comments of a stream.
    fn stream(mut chunks: Chunks, events: &[Event]) -> (Vec<Value>, Vec<Value>) {
        let mut out = String::new();
        chunks.open(&mut out);
        for event in events {
            if let Err(refusal) = chunks.take(event, &mut out) {
                error(&refusal, &mut out);
            }
        }
        let read = |prefix: &str| {
            let lines = out.split("\n\n").filter_map(|l| l.strip_prefix(prefix));
            lines.map(|l| serde_json::from_str(l).unwrap_or_else(|_| l.into())).collect::<Vec<Value>>()
        };
        (read("data: "), read(": neta "))
    }

    fn fresh(events: &[Event]) -> (Vec<Value>, Vec<Value>) {
        stream(Chunks::new(head(false), &Before::default(), vec![]), events)
    }

    fn content(data: &[Value]) -> String {
        data.iter().filter_map(|d| d["choices"][0]["delta"]["content"].as_str()).collect()
    }

    #[test]
    fn a_plain_turn_is_role_deltas_end_and_done() {
        let thinking = Event::ThinkingDelta { text: "hm".into() };
        let (data, _) = fresh(&[thinking, text("Hel"), text("lo"), done("Hello")]);
        let first = json!({ "id": "chatcmpl-2", "object": "chat.completion.chunk", "created": 9, "model": "a",
            "choices": [{ "index": 0, "delta": { "role": "assistant", "content": "" }, "logprobs": null,
                "finish_reason": null }],
            "neta": { "sessionId": "00000000-0000-0000-0000-000000000000", "assistantMessageId": 2, "runId": 1 } });
        assert_eq!(data[0], first);
        let deltas: Vec<&Value> = data[1..4].iter().map(|d| &d["choices"][0]["delta"]).collect();
        assert_eq!(
            deltas,
            [
                &json!({ "reasoning_content": "hm" }),
                &json!({ "content": "Hel" }),
                &json!({ "content": "lo" })
            ]
        );
        assert_eq!(data[4]["choices"][0]["finish_reason"], "stop");
        assert_eq!(data[4]["choices"][0]["delta"], json!({}));
        assert_eq!((data.len(), &data[5]), (6, &json!("[DONE]")));
        assert!(data.iter().all(|d| d.get("usage").is_none()));
    }

    #[test]
    fn usage_comes_alone_before_the_end_where_it_is_asked_for() {
        let mut end = view(RunStatus::Completed, "x");
        end.usage = Some(TokenUsage { input_tokens: 30, output_tokens: 12 });
        let before =
            Before { usage: Some(TokenUsage { input_tokens: 10, output_tokens: 5 }), ..Before::default() };
        let chunks = Chunks::new(head(true), &before, vec![]);
        let (data, _) = stream(chunks, &[text("x"), Event::Done(end)]);
        let (last, others) = data[..data.len() - 1].split_last().unwrap();
        assert!(others.iter().all(|d| d["usage"].is_null() && d.get("usage").is_some()), "{others:?}");
        assert_eq!(last["choices"], json!([]));
        assert_eq!(last["usage"], json!({ "prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27 }));
    }

    #[test]
    fn what_the_dialect_has_no_place_for_is_a_comment() {
        let call = Event::ToolCall {
            tool_call_id: "c".into(),
            name: "get_time".into(),
            arguments: "{\n}".into(),
            argument_chars: None,
        };
        let result = Event::ToolResult {
            tool_call_id: "c".into(),
            name: "get_time".into(),
            status: ToolStatus::Ok,
            preview: "noon\nsharp".into(),
            result_chars: None,
            duration_ms: 1,
        };
        let start = Event::SubagentBatchStart {
            parent_message_id: MessageId(2),
            batch_id: "b".into(),
            title: "t".into(),
            total: 3,
            limit: Some(3),
        };
        let (data, comments) = fresh(&[call, result, start, text("x"), done("x")]);
        assert_eq!(content(&data), "x");
        let kinds: Vec<&str> = comments.iter().filter_map(|c| c["type"].as_str()).collect();
        assert_eq!(kinds, ["tool_call", "tool_result", "subagent_batch_start"]);
        assert_eq!(comments[2]["data"]["total"], 3);
    }

    #[test]
    fn a_question_is_the_answer_and_ends_it() {
        let (data, _) = fresh(&[text("One thing."), Event::ClarifyRequest(pause(7, "Which?")), text("late")]);
        assert_eq!(content(&data), "One thing.\n\nWhich?\n\n- red");
        let end = data.iter().find(|d| d["choices"][0]["finish_reason"] == "stop").unwrap();
        assert_eq!(end["neta"]["pauseId"], 7);
        // Of one that goes on: what was answered is no news, the next question is.
        let before = Before { content: "One thing.".into(), ..Before::default() };
        let chunks = Chunks::new(head(false), &before, vec![PauseId(7)]);
        let accepted = Event::RunAccepted {
            user_message_id: MessageId(1),
            assistant_message_id: MessageId(2),
            run_id: RunId(1),
        };
        let events = [
            accepted,
            text("One "),
            text("thing."),
            Event::ClarifyRequest(pause(7, "Which?")),
            text("\n\nMore."),
            Event::ClarifyRequest(pause(8, "How?")),
        ];
        let (data, _) = stream(chunks, &events);
        assert_eq!(content(&data), "More.\n\nHow?\n\n- red");
    }

    #[test]
    fn a_picture_stands_for_what_it_adds_up_to() {
        let mut asking = view(RunStatus::Paused, "Hello");
        asking.pauses = vec![pause(7, "Which?")];
        let (data, _) = fresh(&[text("Hel"), Event::Resync(asking)]);
        assert_eq!(content(&data), "Hello\n\nWhich?\n\n- red");
        let (data, _) = fresh(&[Event::Resync(view(RunStatus::Completed, "Hello")), done("Hello")]);
        assert_eq!(content(&data), "Hello");
    }

    #[test]
    fn an_end_that_is_no_answer_is_an_error() {
        let failed = Event::Error { kind: Reason::ModelAuth, message: "no key".into() };
        let (data, _) = fresh(&[text("Hel"), failed]);
        let last = data.last().unwrap();
        let expected =
            json!({ "message": "no key", "type": "server_error", "param": null, "code": "model_auth" });
        assert_eq!((&last["error"], &last["neta"]["runId"]), (&expected, &json!(1)));
        let mut stopped = view(RunStatus::Cancelled, "Hel");
        stopped.reason = Some(Reason::Stopped);
        for (event, code) in [(Event::Done(stopped), "stopped"), (Event::SessionDeleted {}, "deleted")] {
            let (data, _) = fresh(&[text("Hel"), event]);
            assert_eq!(data.last().unwrap()["error"]["code"], code);
            assert!(!data.contains(&json!("[DONE]")));
        }
    }
}
