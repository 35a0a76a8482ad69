//! The picture of a turn that its journal shows: what a reader gets when the live log is gone, and
//! where a worker starts that takes a run over.

use super::conversation::TokenUsage;
use super::events::TurnView;
use super::journal::{Journal, Step, ToolStatus};
use super::messages::ToolActivity;
use super::models::ModelLimits;
use super::subagents::{self, Subagent};
use super::text;
use super::todos::TodoItem;

/// The most characters of a call's arguments that a reader is shown.
pub const ARGUMENT_CHARS: usize = 2_000;
/// The most characters of a result that a reader is shown.
pub const PREVIEW_CHARS: usize = 500;
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
    view.subagents = subagents::batches(subagents, |id| journal.batch_title(id).map(str::to_owned));
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
            all.push(ToolActivity {
                tool_call_id: call.id.clone(),
                name: call.name.clone(),
                arguments: text::cut(&call.arguments, ARGUMENT_CHARS),
                status: result.map_or(ToolStatus::Running, |r| r.status),
                preview: result.map(|r| text::cut(&r.text, PREVIEW_CHARS)),
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
