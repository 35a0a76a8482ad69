use super::clarify::Clarify;
use super::{Call, Outcome, RunScope, Tool};
use serde_json::{Map, Value, json};
use shared::domain::delegation::Handover;
use shared::domain::ids::{RunId, SessionId, TenantId};

/// A call with these arguments, of a run that does not matter.
pub fn call(arguments: Map<String, Value>) -> Call {
    Call {
        arguments,
        idempotency_key: String::new(),
        now: chrono::DateTime::UNIX_EPOCH,
        run: RunScope { tenant_id: TenantId::FIRST, session_id: SessionId::generate(), run_id: RunId(1) },
    }
}

/// The same from a JSON object.
pub fn call_of(arguments: Value) -> Call {
    let Value::Object(arguments) = arguments else { panic!("no object") };
    call(arguments)
}

#[tokio::test]
async fn a_question_is_handed_to_the_user() {
    let asked =
        Clarify.run(call_of(json!({"question": " 哪一个？ ", "options": ["甲", " 甲", "乙", " "]}))).await;
    let expected =
        Handover::Ask { question: "哪一个？".into(), options: vec!["甲".into(), "乙".into()] };
    assert_eq!(asked.outcome, Outcome::HandedOver(expected));
    let blank = Clarify.run(call_of(json!({"question": "  "}))).await;
    assert!(matches!(blank.outcome, Outcome::Failed(_)), "{blank:?}");
}
