//! The picture of a turn that its journal shows: what a reader gets when the live log is gone, and
//! where a worker starts that takes a run over.

use super::conversation::{TokenUsage, ToolCall};
use super::events::{Event, TurnView};
use super::journal::{Journal, Step, ToolResult, ToolStatus};
use super::messages::ToolActivity;
use super::models::ModelLimits;
use super::subagents::{self, Subagent};
use super::text;
use super::todos::TodoItem;

/// The most characters of a call's arguments that a reader is shown.
pub const ARGUMENT_CHARS: usize = 2_000;
/// The most characters of a result that a reader is shown.
pub const PREVIEW_CHARS: usize = 2_000;

/// A text as a reader is shown it, and how many characters it has, if that is not all.
pub fn shown(whole: &str, most: usize) -> (String, Option<u32>) {
    let cut = text::cut(whole, most);
    let is_whole = cut.len() == whole.len();
    (cut, (!is_whole).then(|| u32::try_from(whole.chars().count()).unwrap_or(u32::MAX)))
}

/// What a reader is told of a result.
pub fn result_event(result: &ToolResult) -> Event {
    let (preview, result_chars) = shown(&result.text, PREVIEW_CHARS);
    Event::ToolResult {
        tool_call_id: result.tool_call_id.clone(),
        name: result.name.clone(),
        status: result.status,
        preview,
        result_chars,
        duration_ms: result.duration_ms,
    }
}

/// What a reader is told of a call.
pub fn call_event(call: &ToolCall) -> Event {
    let (arguments, argument_chars) = shown(&call.arguments, ARGUMENT_CHARS);
    Event::ToolCall { tool_call_id: call.id.clone(), name: call.name.clone(), arguments, argument_chars }
}
/// The tool whose arguments are the plan.
pub const PLAN_TOOL: &str = "todo_write";

/// Fills in what the journal tells: text, thinking, tool calls, plan, tokens.
pub fn from_journal(mut view: TurnView, journal: &Journal, prices: Option<&ModelLimits>) -> TurnView {
    view.content = journal.answer_text();
    view.thinking = journal.thinking_text();
    view.tools = tool_activity(journal);
    view.todos = todos(journal);
    view.usage = usage(journal);
    view.cost = view.usage.and_then(|u| prices?.cost(u));
    view
}

/// Adds what the subagents of the run are and used.
pub fn with_subagents(mut view: TurnView, journal: &Journal, subagents: &[Subagent]) -> TurnView {
    view.subagents = subagents::batches(subagents, journal);
    (view.usage, view.cost) = plus((view.usage, view.cost), spent_by(subagents));
    view
}

/// Tokens and price of the finished calls of a run and its subagents.
pub fn spent(
    journal: &Journal,
    prices: &ModelLimits,
    subagents: &[Subagent],
) -> (Option<TokenUsage>, Option<f64>) {
    let own = usage(journal);
    plus((own, own.and_then(|u| prices.cost(u))), spent_by(subagents))
}

/// Tokens and price of subagents' finished calls; None where nobody counted.
pub fn spent_by(subagents: &[Subagent]) -> (Option<TokenUsage>, Option<f64>) {
    let of = |s: &Subagent| (s.token_usage, s.result_payload.as_ref().and_then(|p| p.cost));
    subagents.iter().map(of).fold((None, None), plus)
}

fn plus(
    a: (Option<TokenUsage>, Option<f64>),
    b: (Option<TokenUsage>, Option<f64>),
) -> (Option<TokenUsage>, Option<f64>) {
    (add(a.0, b.0, |a, b| *a += b), add(a.1, b.1, |a, b| *a += b))
}

fn add<T>(sum: Option<T>, more: Option<T>, plus: impl Fn(&mut T, T)) -> Option<T> {
    match (sum, more) {
        (Some(mut sum), Some(more)) => {
            plus(&mut sum, more);
            Some(sum)
        }
        (sum, more) => sum.or(more),
    }
}

/// Tokens of all finished calls; None where no provider counted any.
pub fn usage(journal: &Journal) -> Option<TokenUsage> {
    journal.responses().filter_map(|r| r.usage).reduce(|mut sum, more| {
        sum += more;
        sum
    })
}

/// The tool calls in order, with what each came to.
pub fn tool_activity(journal: &Journal) -> Vec<ToolActivity> {
    let mut all = Vec::new();
    for (at, step) in journal.steps.iter().enumerate() {
        let Step::Model(step) = step else { continue };
        for call in &step.response.calls {
            let result = journal.result_after(at, &call.id);
            let (arguments, argument_chars) = shown(&call.arguments, ARGUMENT_CHARS);
            let (preview, result_chars) = result.map(|r| shown(&r.text, PREVIEW_CHARS)).unzip();
            all.push(ToolActivity {
                tool_call_id: call.id.clone(),
                name: call.name.clone(),
                arguments,
                argument_chars,
                status: result.map_or(ToolStatus::Running, |r| r.status),
                preview,
                result_chars: result_chars.flatten(),
                duration_ms: result.map(|r| r.duration_ms),
            });
        }
    }
    all
}

/// The plan as the last successful `todo_write` left it.
pub fn todos(journal: &Journal) -> Vec<TodoItem> {
    #[derive(serde::Deserialize)]
    struct Arguments {
        items: Vec<TodoItem>,
    }
    let mut plan = Vec::new();
    for (at, step) in journal.steps.iter().enumerate() {
        let Step::Model(step) = step else { continue };
        for call in step.response.calls.iter().filter(|c| c.name == PLAN_TOOL) {
            let done = journal.result_after(at, &call.id).is_some_and(|r| r.status == ToolStatus::Ok);
            if done && let Ok(arguments) = serde_json::from_str::<Arguments>(&call.arguments) {
                plan = arguments.items;
            }
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::conversation::{Finish, Response};
    use crate::domain::ids::{MessageId, RunId};
    use crate::domain::journal::ModelStep;

    #[test]
    fn what_events_show_of_a_call_is_what_its_rows_show_with_the_length_of_what_is_cut() {
        let call =
            |id: &str, chars| ToolCall { id: id.into(), name: "t".into(), arguments: "甲".repeat(chars) };
        let result = |id: &str, chars| ToolResult {
            tool_call_id: id.into(),
            name: "t".into(),
            status: ToolStatus::Ok,
            text: "乙".repeat(chars),
            duration_ms: 1,
        };
        let (calls, results) =
            ([call("short", 2_000), call("long", 2_001)], [result("short", 2_000), result("long", 90_000)]);
        let response = Response {
            text: String::new(),
            thinking: String::new(),
            calls: calls.to_vec(),
            finish: Finish::Stop,
            usage: None,
        };
        let mut steps = vec![Step::Model(ModelStep { response, duration_ms: 1, attempts: 1 })];
        steps.extend(results.iter().cloned().map(Step::ToolResult));
        let journal = Journal { steps };
        let mut view = TurnView::new(MessageId(1), MessageId(2), RunId(3));
        calls.iter().map(call_event).chain(results.iter().map(result_event)).for_each(|e| view.apply(&e));
        assert_eq!(view.tools, tool_activity(&journal));
        let told: Vec<_> = view.tools.iter().map(|t| (t.argument_chars, t.result_chars)).collect();
        assert_eq!(told, [(None, None), (Some(2_001), Some(90_000))]);
        let shown = |t: &ToolActivity| t.preview.as_ref().map_or(0, |p| p.chars().count());
        assert!(view.tools.iter().all(|t| shown(t) <= 2_000), "{:?}", view.tools.iter().map(shown).max());
        let (found, what) = journal.call("long").unwrap();
        assert_eq!((found, what), (&calls[1], Some(&results[1])));
        assert_eq!(journal.call("other"), None);
    }

    #[test]
    fn batches_that_were_stored_without_a_limit_are_read() {
        let old = r#"{"parentMessageId":2,"batchId":"b","title":"t","items":[],
            "summary":{"total":1,"queued":0,"running":0,"completed":1,"failed":0,"cancelled":0}}"#;
        let batch: subagents::SubagentBatch = serde_json::from_str(old).unwrap();
        assert_eq!((batch.limit, batch.summary.total), (None, 1));
        let step = r#"{"kind":"delegated","tool_call_id":"b","title":"t","total":1}"#;
        let journal = Journal { steps: vec![serde_json::from_str(step).unwrap()] };
        assert_eq!(journal.batch("b"), Some(("t", None)));
    }
}
