//! Properties of the context builder: case I01 and the rules of a valid request.

use super::*;
use crate::domain::conversation::{Finish, Response};
use crate::domain::ids::{MessageId, SessionId, TenantId};
use crate::domain::journal::{ModelStep, ToolStatus};
use crate::domain::messages::{Metadata, Role};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn message(role: Role, content: &str, status: MessageStatus) -> Message {
    Message {
        id: MessageId(1),
        tenant_id: TenantId::FIRST,
        session_id: SessionId(uuid::Uuid::nil()),
        role,
        status,
        content: content.into(),
        thinking: String::new(),
        metadata: Metadata::default(),
        run_id: None,
        usage: None,
        cost: None,
        error: None,
        client_message_id: None,
        create_time: chrono::DateTime::UNIX_EPOCH,
        update_time: chrono::DateTime::UNIX_EPOCH,
    }
}

fn turn(user: &str, answer: &str, status: MessageStatus, steps: Vec<Step>) -> Vec<Entry> {
    past_entries(&PastTurn {
        user: message(Role::User, user, MessageStatus::Completed),
        assistant: message(Role::Assistant, answer, status),
        steps,
    })
}

fn model(text: &str, ids: &[String]) -> Step {
    let calls =
        ids.iter().map(|id| ToolCall { id: id.clone(), name: "t".into(), arguments: "{}".into() }).collect();
    let response =
        Response { text: text.into(), thinking: String::new(), calls, finish: Finish::Stop, usage: None };
    Step::Model(ModelStep { response, duration_ms: 0, attempts: 1 })
}

fn result(id: &str, text: &str) -> Step {
    Step::ToolResult(ToolResult {
        tool_call_id: id.into(),
        name: "t".into(),
        status: ToolStatus::Ok,
        text: text.into(),
        duration_ms: 0,
    })
}

fn assert_valid(entries: &[Entry]) {
    assert!(matches!(entries.first(), Some(Entry::User { .. })), "begins with the user");
    let mut open: BTreeSet<String> = BTreeSet::new();
    for entry in entries {
        match entry {
            Entry::ToolResult { tool_call_id, .. } => {
                assert!(open.remove(tool_call_id), "a result of an open call: {tool_call_id}");
            }
            Entry::Assistant { text, calls } => {
                assert!(open.is_empty(), "all results before the next response");
                assert!(!text.is_empty() || !calls.is_empty(), "no empty response");
                open.extend(calls.iter().map(|c| c.id.clone()));
            }
            Entry::User { text } => {
                assert!(open.is_empty(), "all results before the user");
                assert!(!text.is_empty());
            }
        }
    }
    assert!(open.is_empty(), "every call has a result");
}

#[test]
fn the_current_message_is_there_exactly_once_and_last() {
    let past = [turn("first", "one", MessageStatus::Completed, vec![])];
    let parts = Parts {
        system: "s",
        past: &past,
        user: "second",
        journal: &Journal::default(),
        budget: 1_000,
        tools: 0,
    };
    let built = build(&parts, &str::len).unwrap();
    let expected = [
        Entry::User { text: "first".into() },
        Entry::Assistant { text: "one".into(), calls: vec![] },
        Entry::User { text: "second".into() },
    ];
    assert_eq!(built.entries, expected);
    assert_eq!(built.system, "s");
}

#[test]
fn instructions_come_after_the_prompt() {
    let past = |own: &str| Past { instructions: own.into(), turns: vec![] };
    assert_eq!(past("").after_prompt("You are A. ".into()), "You are A. ");
    assert_eq!(past("Be brief.").after_prompt(String::new()), "Be brief.");
    assert_eq!(past("Be brief.").after_prompt("You are A.\n".into()), "You are A.\n\nBe brief.");
}

#[test]
fn unfinished_turns_are_closed() {
    let steps = vec![model("let me see", &["a".into()])];
    let past = [
        turn("u1", "", MessageStatus::Failed, vec![]),
        turn("u2", "half", MessageStatus::Cancelled, vec![]),
        turn("u3", "let me see\n\nand th", MessageStatus::Cancelled, steps),
    ];
    let parts =
        Parts { system: "", past: &past, user: "u4", journal: &Journal::default(), budget: 9_000, tools: 0 };
    let built = build(&parts, &str::len).unwrap();
    assert_valid(&built.entries);
    let texts = built.entries.iter().map(|e| match e {
        Entry::User { text } | Entry::Assistant { text, .. } | Entry::ToolResult { text, .. } => {
            text.as_str()
        }
    });
    let expected = [
        "u1",
        "[This answer could not be finished.]",
        "u2",
        "half\n\n[This answer was stopped before it was finished.]",
        "u3",
        "let me see",
        "Interrupted: this call has no result.",
        "and th\n\n[This answer was stopped before it was finished.]",
        "u4",
    ];
    assert_eq!(texts.collect::<Vec<_>>(), expected);
}

#[test]
fn what_does_not_fit_goes_oldest_first_with_a_note() {
    let past: Vec<_> = (0..10)
        .map(|i| turn(&format!("question {i}"), &"x".repeat(100), MessageStatus::Completed, vec![]))
        .collect();
    let parts =
        Parts { system: "s", past: &past, user: "now", journal: &Journal::default(), budget: 400, tools: 0 };
    let built = build(&parts, &str::len).unwrap();
    assert_eq!(built.left_out, 8, "each turn costs 126, 400 leave room for two");
    assert!(built.system.contains("8 oldest turns"), "{}", built.system);
    assert_eq!(built.entries[0], Entry::User { text: "question 8".into() });
}

#[test]
fn a_message_that_cannot_fit_is_said_to_be_too_long() {
    let long = "中".repeat(1_000);
    let parts =
        Parts { system: "", past: &[], user: &long, journal: &Journal::default(), budget: 500, tools: 0 };
    assert_eq!(build(&parts, &|t: &str| t.chars().count()), Err(TooLong));
}

#[test]
fn large_results_of_the_current_turn_are_cut_rather_than_refused() {
    let journal = Journal { steps: vec![model("", &["a".into()]), result("a", &"中".repeat(9_000))] };
    let parts = Parts { system: "", past: &[], user: "u", journal: &journal, budget: 2_000, tools: 0 };
    let built = build(&parts, &|t: &str| t.chars().count()).unwrap();
    assert_valid(&built.entries);
    assert!(matches!(&built.entries[2], Entry::ToolResult { text, .. } if text.chars().count() == 1_000));
}

fn hand_over(call: usize, to_subagents: bool) -> Step {
    let tool_call_id = format!("call{call}");
    if to_subagents {
        Step::Delegated { tool_call_id, title: "t".into(), total: 3, limit: Some(3) }
    } else {
        Step::Asked { tool_call_id }
    }
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let round = (
        any::<bool>(),
        0..4_usize,
        prop::collection::vec((0..4_usize, any::<bool>()), 0..4),
        prop::collection::vec(0..4_usize, 0..5),
        any::<bool>(),
    );
    prop::collection::vec(round, 0..4).prop_map(|rounds| {
        let mut steps = Vec::new();
        for (text, calls, handed_over, results, asked) in rounds {
            // Ids repeat over the rounds, as some providers' do.
            let ids: Vec<String> = (0..calls).map(|i| format!("call{i}")).collect();
            steps.push(model(if text { "text" } else { "" }, &ids));
            // Batches and questions; of some the result never came.
            steps.extend(handed_over.iter().map(|(call, to_subagents)| hand_over(*call, *to_subagents)));
            steps.extend(results.iter().map(|r| result(&format!("call{r}"), "r")));
            if asked {
                steps.push(Step::Note(Note::AskedAgain));
            }
        }
        steps
    })
}

proptest! {
    #[test]
    fn every_history_is_a_valid_request(
        past in prop::collection::vec((any_steps(), 0..3_usize, any::<bool>()), 0..8),
        now in any_steps(),
        budget in 100..5_000_usize,
    ) {
        let past: Vec<_> = past
            .into_iter()
            .map(|(steps, status, text)| {
                let status = [MessageStatus::Completed, MessageStatus::Failed, MessageStatus::Cancelled][status];
                turn("u", if text { "answer" } else { "" }, status, steps)
            })
            .collect();
        let journal = Journal { steps: now };
        let parts = Parts { system: "s", past: &past, user: "current", journal: &journal, budget, tools: 10 };
        if let Ok(built) = build(&parts, &str::len) {
            assert_valid(&built.entries);
            let current = built.entries.iter().filter(|e| **e == Entry::User { text: "current".into() }).count();
            prop_assert_eq!(current, 1);
            prop_assert!(size(&built.entries, &str::len) + 1 + 10 <= budget);
        }
    }
}
