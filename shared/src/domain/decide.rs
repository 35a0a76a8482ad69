//! What a run does next, from its journal alone.

use super::conversation::{Finish, Response, ToolCall};
use super::journal::{Journal, Note, Step, ToolResult, ToolStatus};
use super::runs::{Reason, RunStatus};
use std::time::Duration;

/// Bounds of one run. Each ends in a named reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// Responses with tool calls that are carried out.
    pub max_tool_rounds: u32,
    /// From the run's start.
    pub wall: Duration,
    /// Identical calls in a row after which the model is told.
    pub repeat_warn: u32,
    /// Identical calls in a row of which the last is refused.
    pub repeat_stop: u32,
    /// Beginnings without a stored step in between.
    pub max_attempts: i32,
}

/// What the run's row says from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// Why somebody wants it stopped.
    pub cancel: Option<Reason>,
    /// Since its start.
    pub elapsed: Duration,
    /// Beginnings since the last stored step, this one included.
    pub attempts: i32,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Ask the model.
    CallModel {
        /// Whether it may call tools.
        with_tools: bool,
    },
    /// Run these calls; their results go into the journal one by one.
    RunTools(Vec<ToolCall>),
    /// Store these steps, then decide again.
    Record(Vec<Step>),
    /// All that can be done now is done: subagents or a person have what is open.
    Wait,
    /// The run is over.
    Finish(Outcome),
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Terminal.
    pub status: RunStatus,
    /// Always there unless the run completed and nothing cut it short.
    pub reason: Option<Reason>,
}

impl Outcome {
    fn completed(reason: Option<Reason>) -> Decision {
        Decision::Finish(Self { status: RunStatus::Completed, reason })
    }

    fn failed(reason: Reason) -> Decision {
        Decision::Finish(Self { status: RunStatus::Failed, reason: Some(reason) })
    }
}

/// Decides from the journal; the same journal always leads to the same decision.
pub fn decide(journal: &Journal, limits: &RunLimits, control: &Control) -> Decision {
    if let Some(reason) = control.cancel {
        return Decision::Finish(Outcome { status: RunStatus::of_stop(reason), reason: Some(reason) });
    }
    if control.attempts > limits.max_attempts {
        return Outcome::failed(Reason::Poisoned);
    }
    let last_model = journal.steps.iter().rposition(|s| matches!(s, Step::Model(_)));
    if let Some(at) = last_model
        && let Step::Model(step) = &journal.steps[at]
        && is_answer(journal, at, &step.response)
    {
        return after_answer(journal, at, &step.response);
    }
    if control.elapsed >= limits.wall {
        return Outcome::failed(Reason::WallTime);
    }
    match journal.steps.last() {
        Some(Step::Note(Note::LastCall { .. })) => Decision::CallModel { with_tools: false },
        Some(Step::Note(Note::AskedAgain)) => {
            Decision::CallModel { with_tools: last_call(journal).is_none() }
        }
        None | Some(Step::Note(Note::RepetitionWarning { .. })) => Decision::CallModel { with_tools: true },
        Some(
            Step::Model(_)
            | Step::ToolStarted { .. }
            | Step::Delegated { .. }
            | Step::Asked { .. }
            | Step::ToolResult(_),
        ) => {
            let open = journal.open_calls();
            let here: Vec<&ToolCall> =
                open.iter().copied().filter(|c| !journal.was_handed_over(&c.id)).collect();
            if !here.is_empty() {
                close_calls(journal, &here, limits)
            } else if !open.is_empty() {
                Decision::Wait
            } else {
                next_round(journal, limits)
            }
        }
    }
}

/// A response that has the last word: no calls to carry out, and nothing stored after it.
fn is_answer(journal: &Journal, at: usize, response: &Response) -> bool {
    at + 1 == journal.steps.len() && (response.calls.is_empty() || last_call(journal).is_some())
}

fn after_answer(journal: &Journal, at: usize, response: &Response) -> Decision {
    let cut_short = match response.finish {
        Finish::Length => Some(Reason::OutputLimit),
        Finish::ContentFilter => Some(Reason::ContentFilter),
        Finish::Stop | Finish::ToolCalls => last_call(journal),
    };
    if !response.text.trim().is_empty() {
        return Outcome::completed(cut_short);
    }
    if let Some(reason) = cut_short {
        return Outcome::failed(reason);
    }
    let asked_again = journal.steps[..at]
        .iter()
        .rev()
        .take_while(|s| !matches!(s, Step::ToolResult(_)))
        .any(is_asked_again);
    if asked_again {
        Outcome::failed(Reason::EmptyAnswer)
    } else {
        Decision::Record(vec![Step::Note(Note::AskedAgain)])
    }
}

fn is_asked_again(step: &Step) -> bool {
    matches!(step, Step::Note(Note::AskedAgain))
}

/// The limit for which the model was asked to answer without tools.
fn last_call(journal: &Journal) -> Option<Reason> {
    journal.steps.iter().rev().find_map(|s| match s {
        Step::Note(Note::LastCall { reason }) => Some(*reason),
        _ => None,
    })
}

/// What to do about calls without results: run them, or say why not.
fn close_calls(journal: &Journal, open: &[&ToolCall], limits: &RunLimits) -> Decision {
    let interrupted: Vec<Step> = open
        .iter()
        .filter(|c| journal.was_started(&c.id))
        .map(|c| {
            let text = "Interrupted while it ran: the outcome is unknown, and it was not run again. \
                        Check before you repeat it.";
            refusal(c, ToolStatus::OutcomeUnknown, text)
        })
        .collect();
    if !interrupted.is_empty() {
        return Decision::Record(interrupted);
    }
    if journal.responses().last().is_some_and(|r| r.finish == Finish::Length) {
        let text = "Not run: your response was cut by the output limit. Use shorter arguments.";
        return Decision::Record(open.iter().map(|c| refusal(c, ToolStatus::Error, text)).collect());
    }
    if repetitions(journal) >= limits.repeat_stop {
        let text = "Not run: the same call was made too often in a row.";
        return Decision::Record(open.iter().map(|c| refusal(c, ToolStatus::Error, text)).collect());
    }
    Decision::RunTools(open.iter().map(|c| (*c).clone()).collect())
}

fn refusal(call: &ToolCall, status: ToolStatus, text: &str) -> Step {
    Step::ToolResult(ToolResult {
        tool_call_id: call.id.clone(),
        name: call.name.clone(),
        status,
        text: text.to_owned(),
        duration_ms: 0,
    })
}

/// All calls have results: the model is asked again, unless a limit says how.
fn next_round(journal: &Journal, limits: &RunLimits) -> Decision {
    let rounds = journal.responses().filter(|r| !r.calls.is_empty()).count();
    let repeated = repetitions(journal);
    if repeated >= limits.repeat_stop {
        return Decision::Record(vec![Step::Note(Note::LastCall { reason: Reason::RepeatedCalls })]);
    }
    if rounds >= limits.max_tool_rounds as usize {
        return Decision::Record(vec![Step::Note(Note::LastCall { reason: Reason::ToolRounds })]);
    }
    if repeated == limits.repeat_warn
        && let Some(call) = journal.responses().last().and_then(|r| r.calls.first())
    {
        return Decision::Record(vec![Step::Note(Note::RepetitionWarning { name: call.name.clone() })]);
    }
    Decision::CallModel { with_tools: true }
}

/// How many responses in a row, the last included, made the same calls.
fn repetitions(journal: &Journal) -> u32 {
    let calls =
        |r: &Response| r.calls.iter().map(|c| (c.name.clone(), canonical(&c.arguments))).collect::<Vec<_>>();
    let mut all: Vec<_> = journal.responses().map(calls).collect();
    let Some(last) = all.pop().filter(|c| !c.is_empty()) else { return 0 };
    1 + all.iter().rev().take_while(|c| **c == last).count() as u32
}

/// Arguments without differences that mean nothing: key order and white space.
fn canonical(arguments: &str) -> String {
    serde_json::from_str::<serde_json::Value>(arguments)
        .map_or_else(|_| arguments.trim().to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::journal::ModelStep;
    use proptest::prelude::*;

    const LIMITS: RunLimits = RunLimits {
        max_tool_rounds: 8,
        wall: Duration::from_mins(1),
        repeat_warn: 3,
        repeat_stop: 5,
        max_attempts: 3,
    };
    const CALM: Control = Control { cancel: None, elapsed: Duration::ZERO, attempts: 1 };

    fn call(id: &str, arguments: &str) -> ToolCall {
        ToolCall { id: id.into(), name: "get_time".into(), arguments: arguments.into() }
    }

    fn model(text: &str, calls: Vec<ToolCall>, finish: Finish) -> Step {
        let response = Response { text: text.into(), thinking: String::new(), calls, finish, usage: None };
        Step::Model(ModelStep { response, duration_ms: 1, attempts: 1 })
    }

    fn calls(ids: &[&str]) -> Step {
        model("", ids.iter().map(|id| call(id, id)).collect(), Finish::ToolCalls)
    }

    fn result(id: &str) -> Step {
        Step::ToolResult(ToolResult {
            tool_call_id: id.into(),
            name: "get_time".into(),
            status: ToolStatus::Ok,
            text: "12:00".into(),
            duration_ms: 1,
        })
    }

    fn delegated(id: &str) -> Step {
        Step::Delegated { tool_call_id: id.into(), title: "five things".into(), total: 5, limit: Some(3) }
    }

    fn answer(text: &str) -> Step {
        model(text, vec![], Finish::Stop)
    }

    fn next(steps: Vec<Step>) -> Decision {
        decide(&Journal { steps }, &LIMITS, &CALM)
    }

    fn finished(status: RunStatus, reason: Option<Reason>) -> Decision {
        Decision::Finish(Outcome { status, reason })
    }

    #[test]
    fn a_turn_without_tools() {
        assert_eq!(next(vec![]), Decision::CallModel { with_tools: true });
        assert_eq!(next(vec![answer("hi")]), finished(RunStatus::Completed, None));
    }

    #[test]
    fn only_calls_without_result_are_run_and_in_order() {
        let open = |steps| match next(steps) {
            Decision::RunTools(c) => c.into_iter().map(|c| c.id).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(open(vec![calls(&["a", "b", "c"])]), ["a", "b", "c"]);
        assert_eq!(open(vec![calls(&["a", "b", "c"]), result("b")]), ["a", "c"]);
        let done = vec![calls(&["a", "b"]), result("b"), result("a")];
        assert_eq!(next(done), Decision::CallModel { with_tools: true });
    }

    #[test]
    fn the_same_id_in_a_later_round_is_a_new_call() {
        let steps = vec![calls(&["a"]), result("a"), model("", vec![call("a", "{}")], Finish::ToolCalls)];
        assert!(matches!(next(steps), Decision::RunTools(c) if c.len() == 1));
    }

    #[test]
    fn an_interrupted_effectful_call_is_never_run_again() {
        let steps = vec![calls(&["a", "b"]), Step::ToolStarted { tool_call_id: "a".into() }];
        let Decision::Record(recorded) = next(steps.clone()) else { panic!() };
        assert!(matches!(&recorded[..], [Step::ToolResult(r)]
            if r.tool_call_id == "a" && r.status == ToolStatus::OutcomeUnknown));
        let then = next([steps, recorded].concat());
        assert!(matches!(then, Decision::RunTools(c) if c.len() == 1 && c[0].id == "b"));
    }

    #[test]
    fn an_empty_answer_is_asked_for_once_more() {
        let again = Step::Note(Note::AskedAgain);
        assert_eq!(next(vec![answer("  ")]), Decision::Record(vec![again.clone()]));
        assert_eq!(next(vec![answer(""), again.clone()]), Decision::CallModel { with_tools: true });
        let empty = finished(RunStatus::Failed, Some(Reason::EmptyAnswer));
        assert_eq!(next(vec![answer(""), again.clone(), answer("")]), empty);
        assert_eq!(next(vec![answer(""), again, answer("hi")]), finished(RunStatus::Completed, None));
    }

    #[test]
    fn a_cut_response_is_no_silent_success() {
        let cut = |text| vec![model(text, vec![], Finish::Length)];
        assert_eq!(next(cut("half an ans")), finished(RunStatus::Completed, Some(Reason::OutputLimit)));
        assert_eq!(next(cut("")), finished(RunStatus::Failed, Some(Reason::OutputLimit)));
        let withheld = vec![model("", vec![], Finish::ContentFilter)];
        assert_eq!(next(withheld), finished(RunStatus::Failed, Some(Reason::ContentFilter)));
        let cut_call = vec![model("", vec![call("a", "{\"x\": \"")], Finish::Length)];
        let Decision::Record(steps) = next(cut_call) else { panic!("a cut call must not run") };
        assert!(matches!(&steps[..], [Step::ToolResult(r)] if r.status == ToolStatus::Error));
    }

    #[test]
    fn a_run_waits_only_when_nothing_else_is_to_be_done() {
        let both = vec![calls(&["a", "b", "c"]), delegated("a"), Step::Asked { tool_call_id: "c".into() }];
        assert!(matches!(next(both.clone()), Decision::RunTools(c) if c.len() == 1 && c[0].id == "b"));
        let waits = [both, vec![result("b")]].concat();
        assert_eq!(next(waits.clone()), Decision::Wait);
        let half = [waits, vec![result("c")]].concat();
        assert_eq!(next(half.clone()), Decision::Wait);
        assert_eq!(next([half, vec![result("a")]].concat()), Decision::CallModel { with_tools: true });
        // The same id in a later round is a new call, which nobody has taken.
        let later =
            vec![calls(&["a"]), delegated("a"), result("a"), model("", vec![call("a", "{}")], Finish::Stop)];
        assert!(matches!(next(later), Decision::RunTools(_)));
    }

    #[test]
    fn a_limit_that_stops_a_run_is_a_failure_and_a_wish_is_not() {
        let stopped = |reason| {
            let control = Control { cancel: Some(reason), ..CALM };
            decide(&Journal { steps: vec![calls(&["a"]), delegated("a")] }, &LIMITS, &control)
        };
        let wall = finished(RunStatus::Failed, Some(Reason::WallTime));
        assert_eq!(stopped(Reason::WallTime), wall);
        for wish in [Reason::Stopped, Reason::Interrupted, Reason::Deleted, Reason::ParentEnded] {
            assert_eq!(stopped(wish), finished(RunStatus::Cancelled, Some(wish)));
        }
    }

    #[test]
    fn words_in_the_text_end_nothing() {
        for word in ["TERMINATE", "DONE", "结束"] {
            let steps = vec![model(word, vec![call("a", "{}")], Finish::ToolCalls)];
            assert!(matches!(next(steps), Decision::RunTools(_)), "{word}");
        }
    }

    /// Plays a model that calls one tool for ever, with the arguments that `arguments` gives.
    fn play(arguments: impl Fn(usize) -> String) -> (Vec<Step>, Decision) {
        let mut steps = Vec::new();
        for round in 0..100 {
            match next(steps.clone()) {
                Decision::CallModel { with_tools: true } => {
                    steps.push(model(
                        "",
                        vec![call(&format!("c{round}"), &arguments(round))],
                        Finish::ToolCalls,
                    ));
                }
                Decision::CallModel { with_tools: false } => steps.push(answer("my best")),
                Decision::RunTools(calls) => steps.extend(calls.iter().map(|c| result(&c.id))),
                Decision::Wait => panic!("nothing was handed over"),
                Decision::Record(more) => steps.extend(more),
                end @ Decision::Finish(_) => return (steps, end),
            }
        }
        panic!("no end in 100 steps");
    }

    #[test]
    fn rounds_run_out_with_a_best_answer() {
        let (steps, end) = play(|round| round.to_string());
        assert_eq!(end, finished(RunStatus::Completed, Some(Reason::ToolRounds)));
        assert_eq!(steps.iter().filter(|s| matches!(s, Step::ToolResult(_))).count(), 8);
    }

    #[test]
    fn repeated_calls_are_warned_about_and_stopped() {
        // Key order and white space do not make a call another one.
        let same = |round| if round % 2 == 0 { r#"{"a":1,"b":2}"# } else { r#"{ "b": 2, "a": 1 }"# };
        let (steps, end) = play(|round| same(round).into());
        assert_eq!(end, finished(RunStatus::Completed, Some(Reason::RepeatedCalls)));
        let count = |f: fn(&Step) -> bool| steps.iter().filter(|s| f(s)).count();
        assert_eq!(count(|s| matches!(s, Step::ToolResult(r) if r.status == ToolStatus::Ok)), 4);
        assert_eq!(count(|s| matches!(s, Step::ToolResult(r) if r.status == ToolStatus::Error)), 1);
        assert_eq!(count(|s| matches!(s, Step::Note(Note::RepetitionWarning { .. }))), 1);
    }

    #[test]
    fn outside_control_comes_first() {
        let control =
            |cancel, elapsed, attempts| Control { cancel, elapsed: Duration::from_secs(elapsed), attempts };
        let at = |c, steps| decide(&Journal { steps }, &LIMITS, &c);
        let stopped = finished(RunStatus::Cancelled, Some(Reason::Stopped));
        assert_eq!(at(control(Some(Reason::Stopped), 99, 9), vec![calls(&["a"])]), stopped);
        let poisoned = finished(RunStatus::Failed, Some(Reason::Poisoned));
        assert_eq!(at(control(None, 0, 4), vec![calls(&["a"])]), poisoned);
        assert!(matches!(at(control(None, 0, 3), vec![calls(&["a"])]), Decision::RunTools(_)));
        assert_eq!(at(control(None, 60, 1), vec![]), finished(RunStatus::Failed, Some(Reason::WallTime)));
        // An answer that is there is not thrown away because time is up.
        assert_eq!(at(control(None, 99, 1), vec![answer("hi")]), finished(RunStatus::Completed, None));
    }

    fn any_step() -> impl Strategy<Value = Step> {
        let id = prop::sample::select(vec!["a", "b", "c"]);
        prop_oneof![
            (any::<bool>(), prop::collection::vec(id.clone(), 0..3)).prop_map(|(text, ids)| {
                model(if text { "t" } else { "" }, ids.iter().map(|i| call(i, i)).collect(), Finish::Stop)
            }),
            id.clone().prop_map(|id| Step::ToolStarted { tool_call_id: id.into() }),
            id.clone().prop_map(delegated),
            id.clone().prop_map(|id| Step::Asked { tool_call_id: id.into() }),
            id.prop_map(result),
            Just(Step::Note(Note::AskedAgain)),
            Just(Step::Note(Note::LastCall { reason: Reason::ToolRounds })),
        ]
    }

    proptest! {
        /// Whatever a journal holds, playing on from it ends, and no call is run whose result is there
        /// or that was begun before.
        #[test]
        fn every_journal_leads_to_an_end(start in prop::collection::vec(any_step(), 0..12)) {
            let mut steps = start;
            for _ in 0..200 {
                match next(steps.clone()) {
                    Decision::CallModel { with_tools } => {
                        let calls = if with_tools { vec![call("n", "n")] } else { vec![] };
                        steps.push(model("", calls, Finish::Stop));
                    }
                    Decision::RunTools(calls) => {
                        let journal = Journal { steps: steps.clone() };
                        let open: Vec<_> = journal.open_calls().into_iter().cloned().collect();
                        for c in &calls {
                            prop_assert!(open.contains(c) && !journal.was_started(&c.id));
                        }
                        steps.extend(calls.iter().map(|c| result(&c.id)));
                    }
                    Decision::Wait => {
                        let journal = Journal { steps: steps.clone() };
                        let open: Vec<_> = journal.open_calls().into_iter().cloned().collect();
                        prop_assert!(!open.is_empty());
                        prop_assert!(open.iter().all(|c| journal.was_handed_over(&c.id)));
                        // Children or a person close them, in any order.
                        steps.extend(open.iter().rev().map(|c| result(&c.id)));
                    }
                    Decision::Record(more) => {
                        prop_assert!(!more.is_empty());
                        steps.extend(more);
                    }
                    Decision::Finish(outcome) => {
                        prop_assert!(outcome.status.is_terminal());
                        return Ok(());
                    }
                }
            }
            prop_assert!(false, "no end");
        }
    }
}
