//! What is sent over sockets and streams is what the document says.

use crate::error::ApiError;
use crate::live::socket::commands::{Answer, ClientFrame};
use chrono::{TimeZone, Utc};
use jsonschema::Validator;
use serde_json::{Value, json};
use shared::clock::{Clock, SystemClock};
use shared::domain::conversation::TokenUsage;
use shared::domain::events::{Address, Envelope, Event, TurnView, complete};
use shared::domain::ids::{AgentId, MessageId, PauseId, RunId, SessionId, SubagentId};
use shared::domain::journal::ToolStatus;
use shared::domain::messages::{ErrorInfo, ToolActivity};
use shared::domain::pauses::{OpenPause, PauseKind, PauseStatus};
use shared::domain::runs::{Reason, RunStatus};
use shared::domain::subagents::{BatchSummary, SourceType, SubagentBatch, SubagentItem, SubagentStatus};
use shared::domain::todos::TodoItem;
use std::collections::BTreeSet;

fn document() -> Value {
    serde_json::to_value(crate::document()).unwrap()
}

/// Checks against one component.
fn validator(document: &Value, name: &str) -> Validator {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/components/schemas/{name}"),
        "components": document["components"],
    });
    jsonschema::validator_for(&schema).unwrap()
}

/// The values of `type` in the alternatives of a component.
fn kinds(document: &Value, name: &str) -> BTreeSet<String> {
    fn find(value: &Value, found: &mut BTreeSet<String>) {
        if let Some(kind) = value["properties"]["type"]["enum"][0].as_str() {
            found.insert(kind.to_owned());
        }
        value["allOf"].as_array().into_iter().flatten().for_each(|v| find(v, found));
    }
    let mut found = BTreeSet::new();
    let schema = &document["components"]["schemas"][name];
    schema["oneOf"].as_array().unwrap().iter().for_each(|v| find(v, &mut found));
    found
}

fn kind_of(value: &Value) -> String {
    value["type"].as_str().unwrap().to_owned()
}

fn question() -> OpenPause {
    OpenPause {
        pause_id: PauseId(9),
        kind: PauseKind::Clarify,
        question: "Which?".into(),
        options: vec!["a".into(), "b".into()],
        deadline: Some(Utc.timestamp_opt(1_800_000_000, 0).unwrap()),
    }
}

fn subagent() -> SubagentItem {
    SubagentItem {
        id: SubagentId(7),
        name: "Reader".into(),
        source_type: SourceType::Preset,
        agent_id: Some(AgentId(3)),
        status: SubagentStatus::TimedOut,
        exit_reason: Some(Reason::WallTime),
        goal: "read".into(),
        summary: Some("half".into()),
        error: Some("too late".into()),
        token_usage: Some(TokenUsage { input_tokens: 5, output_tokens: 6 }),
        cost: Some(0.25),
        sort_order: 0,
        started_at: Some(Utc.timestamp_opt(1_800_000_000, 0).unwrap()),
        ended_at: Some(Utc.timestamp_opt(1_800_000_001, 0).unwrap()),
    }
}

fn batch() -> SubagentBatch {
    let mut batch = SubagentBatch {
        parent_message_id: MessageId(2),
        batch_id: "call_1".into(),
        title: "Reading".into(),
        limit: Some(3),
        items: Vec::new(),
        summary: BatchSummary::default(),
    };
    batch.put(subagent());
    batch
}

/// A picture with everything in it.
fn picture() -> TurnView {
    let mut view = TurnView::new(MessageId(1), MessageId(2), RunId(3));
    view.status = RunStatus::Failed;
    view.reason = Some(Reason::ModelAuth);
    view.thinking = "hm".into();
    view.todos =
        serde_json::from_value::<Vec<TodoItem>>(json!([{"content": "x", "status": "pending"}])).unwrap();
    view.tools = vec![ToolActivity {
        tool_call_id: "call_0".into(),
        name: "get_time".into(),
        arguments: "{}".into(),
        argument_chars: Some(3_000),
        status: ToolStatus::Ok,
        preview: Some("now".into()),
        result_chars: Some(3_000),
        duration_ms: Some(1),
    }];
    view.subagents = vec![batch()];
    view.pauses = vec![question()];
    view.usage = Some(TokenUsage { input_tokens: 1, output_tokens: 2 });
    view.cost = Some(0.5);
    view.error = Some(ErrorInfo { kind: Reason::ModelAuth, message: "key".into() });
    view
}

/// One of each kind at least, with all that it may hold and with nothing that it may leave out.
fn events() -> Vec<Event> {
    let (parent_message_id, batch_id) = (MessageId(2), || "call_1".to_owned());
    vec![
        Event::RunAccepted {
            user_message_id: MessageId(1),
            assistant_message_id: MessageId(2),
            run_id: RunId(3),
        },
        Event::Status { status: RunStatus::Running, reason: None },
        Event::Status { status: RunStatus::Queued, reason: Some(Reason::SessionBusy) },
        Event::TextDelta { text: "Hel".into() },
        Event::ThinkingDelta { text: "hm".into() },
        Event::TextReset { text: String::new(), thinking: String::new() },
        Event::ToolCall {
            tool_call_id: "call_0".into(),
            name: "get_time".into(),
            arguments: "{}".into(),
            argument_chars: None,
        },
        Event::ToolResult {
            tool_call_id: "call_0".into(),
            name: "get_time".into(),
            status: ToolStatus::Error,
            preview: "no".into(),
            result_chars: Some(3_000),
            duration_ms: 1,
        },
        Event::TodoUpdate { items: picture().todos },
        Event::SubagentBatchStart {
            parent_message_id,
            batch_id: batch_id(),
            title: "Reading".into(),
            total: 1,
            limit: Some(3),
        },
        Event::SubagentUpdate { parent_message_id, batch_id: batch_id(), subagent: subagent() },
        Event::SubagentDone { parent_message_id, batch_id: batch_id(), summary: batch().summary },
        Event::ClarifyRequest(question()),
        Event::ClarifyRequest(OpenPause { options: Vec::new(), deadline: None, ..question() }),
        Event::PauseAnswered {
            pause_id: PauseId(9),
            status: PauseStatus::Answered,
            decision: Some("a".into()),
        },
        Event::PauseAnswered { pause_id: PauseId(9), status: PauseStatus::Expired, decision: None },
        Event::Usage { input_tokens: 1, output_tokens: 2, cost: Some(0.5) },
        Event::Usage { input_tokens: 1, output_tokens: 2, cost: None },
        Event::Resync(picture()),
        Event::SessionDeleted {},
        Event::Done(TurnView::new(MessageId(1), MessageId(2), RunId(3))),
        Event::Error { kind: Reason::ModelAuth, message: "key".into() },
    ]
}

#[test]
fn every_event_is_as_the_document_says() {
    let document = document();
    let (envelope, frame) = (validator(&document, "Envelope"), validator(&document, "ServerFrame"));
    let at = Address { session_id: SessionId::generate(), message_id: MessageId(2), run_id: RunId(3) };
    let mut sampled = BTreeSet::new();
    for (seq, event) in (1..).zip(events()) {
        let text = complete(&event.render(at, SystemClock.now()).json, seq, 7);
        let value: Value = serde_json::from_str(&text).unwrap();
        for validator in [&envelope, &frame] {
            let problems: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
            assert!(problems.is_empty(), "{text}: {problems:?}");
        }
        let read: Envelope = serde_json::from_value(value.clone()).unwrap();
        assert_eq!((read.event, read.seq, read.run_id), (event, seq, RunId(3)));
        sampled.insert(kind_of(&value));
        // What is not so is refused: the schema is no empty one.
        let mut wrong = value.clone();
        wrong["type"] = json!("from_the_future");
        assert!(!envelope.is_valid(&wrong), "{text}");
        if let Some(field) = value["data"].as_object().unwrap().keys().next() {
            let mut wrong = value.clone();
            wrong["data"][field] = json!({"no": ["such", "thing"]});
            assert!(!envelope.is_valid(&wrong), "{field}: {text}");
        }
    }
    // Each kind of the document has a sample; the document's kinds are the enum's.
    assert_eq!(sampled, kinds(&document, "Event"));
}

#[test]
fn every_answer_of_a_socket_is_as_the_document_says() {
    let document = document();
    let (answer, frame) = (validator(&document, "Answer"), validator(&document, "ServerFrame"));
    let session_id = SessionId::generate();
    let level = serde_json::from_value(json!("subagents")).unwrap();
    let answers = [
        Answer::Accepted {
            session_id,
            user_message_id: MessageId(1),
            assistant_message_id: MessageId(2),
            run_id: RunId(3),
            client_message_id: Some("mine".into()),
            repeated: false,
        },
        Answer::Subscribed { session_id, level: None },
        Answer::Subscribed { session_id, level },
        Answer::Unsubscribed { session_id },
        Answer::Stopping { message_id: MessageId(2), subagent_id: Some(SubagentId(4)), already_over: true },
        Answer::Answered { pause_id: PauseId(9) },
        Answer::problem(&ApiError::invalid("wait", "must be at most 60 seconds"), Some("mine".into())),
        Answer::Reconnect { after_ms: 900 },
    ];
    let mut sampled = BTreeSet::new();
    for said in answers {
        let value = serde_json::to_value(&said).unwrap();
        for validator in [&answer, &frame] {
            let problems: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
            assert!(problems.is_empty(), "{value}: {problems:?}");
        }
        // A misnamed field would be valid, too, where it may be left out.
        let schema = &document["components"]["schemas"]["Answer"]["oneOf"];
        let of_kind = |s: &&Value| s["properties"]["type"]["enum"][0] == value["type"];
        let named =
            schema.as_array().unwrap().iter().find(of_kind).unwrap()["properties"].as_object().unwrap();
        assert!(value.as_object().unwrap().keys().all(|key| named.contains_key(key)), "{value}");
        sampled.insert(kind_of(&value));
    }
    assert_eq!(sampled, kinds(&document, "Answer"));
}

#[test]
fn what_the_document_says_of_client_frames_is_what_is_read() {
    let document = document();
    let validator = validator(&document, "ClientFrame");
    let session = SessionId::generate();
    let frames = [
        json!({"type": "chat", "message": "hello", "sessionId": session, "clientMessageId": "mine", "agent": "a"}),
        json!({"type": "subscribe", "sessionId": session, "messageId": 2, "epoch": 7, "seq": 3, "level": "turn"}),
        json!({"type": "unsubscribe", "sessionId": session}),
        json!({"type": "stop", "messageId": 2, "subagentId": 4}),
        json!({"type": "clarify_response", "pauseId": 9, "answer": "a"}),
    ];
    for frame in &frames {
        assert!(validator.is_valid(frame), "{frame}");
        let read = ClientFrame::read(frame.to_string().as_bytes()).unwrap();
        let derived: ClientFrame = serde_json::from_value(frame.clone()).unwrap();
        assert_eq!(format!("{read:?}"), format!("{derived:?}"));
    }
    let sampled: BTreeSet<String> = frames.iter().map(kind_of).collect();
    assert_eq!(sampled, kinds(&document, "ClientFrame"));
    for wrong in [json!({"type": "chat"}), json!({"type": "stop", "messageId": "x"}), json!({"type": "sing"})]
    {
        assert!(!validator.is_valid(&wrong), "{wrong}");
        assert!(ClientFrame::read(wrong.to_string().as_bytes()).is_err(), "{wrong}");
    }
}
