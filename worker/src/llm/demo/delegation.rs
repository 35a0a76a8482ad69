//! How the demo model shows subagents: it hands each of several things to one, gathers what comes
//! back, and says which failed. And how it asks the user.

use super::behaviours::{Answer, Heard, PLAN};
use crate::llm::LlmError;
use serde::Deserialize;
use serde_json::json;
use shared::domain::delegation::{CLARIFY, DELEGATE_PARALLEL, GUIDANCE};
use shared::domain::text;

/// The thing whose subagent fails, counted from 1, so that a person sees what becomes of the others.
const FAILS: usize = 4;
/// Stands in a goal that is to fail.
const FAIL_MARK: &str = "[fail]";
/// More things than this are not handed over.
const MAX_THINGS: usize = 8;
const MAX_THING_CHARS: usize = 60;

const COMPARE: &[&str] = &[
    "compare",
    "comparison",
    "research",
    "investigate",
    "several things",
    "look into",
    "比较",
    "对比",
    "研究",
    "调查",
    "几件事",
];

/// Asks the user where the user wants to be asked.
pub(super) fn ask(heard: &Heard<'_>) -> Option<Answer> {
    if !heard.mentions(&["ask me", "问我"]) || !heard.offers(CLARIFY) {
        return None;
    }
    if let Some((_, answer, failed)) = heard.results.last() {
        let answer = text::cut(answer.trim(), 600);
        let text = match failed {
            false => heard.in_words(
                format!(
                    "You answered: {answer}\n\n(Demo model: a script. A real model would go on from here.)"
                ),
                format!("你的回答是：{answer}\n\n（演示模型：脚本。真正的模型会由此继续。）"),
            ),
            true => heard.in_words(format!("I got no answer: {answer}"), format!("我没有得到回答：{answer}")),
        };
        return Some(Answer { text, ..Answer::default() });
    }
    let arguments = if heard.chinese {
        json!({"question": "（演示）你想要哪一种？", "options": ["简短的", "详细的"]})
    } else {
        json!({"question": "(Demo) Which would you like?", "options": ["The short one", "The long one"]})
    };
    let text =
        heard.in_words("(Demo) I have a question first. ".to_owned(), "（演示）我先问一个问题。".to_owned());
    Some(Answer { text, calls: vec![(CLARIFY, arguments.to_string())], ..Answer::default() })
}

/// Hands several things over, one to each subagent: a plan, the call, and the gathered answer.
pub(super) fn compare(heard: &Heard<'_>) -> Option<Answer> {
    if !heard.offers(DELEGATE_PARALLEL) || heard.results.iter().any(|(_, _, failed)| *failed) {
        return None;
    }
    let things = things(heard)?;
    let gathered = heard.results.iter().find(|(name, _, _)| *name == DELEGATE_PARALLEL);
    let planned = heard.done(PLAN);
    match gathered {
        None if planned == 0 && heard.offers(PLAN) => Some(plan(heard, things.len(), false)),
        None => Some(hand_over(heard, &things)),
        Some(_) if planned == 1 => Some(plan(heard, things.len(), true)),
        Some((_, results, _)) => Some(Answer { text: sum_up(heard, &things, results), ..Answer::default() }),
    }
}

fn plan(heard: &Heard<'_>, count: usize, done: bool) -> Answer {
    let steps = if heard.chinese {
        [format!("把 {count} 项分给子代理"), "汇总结果".to_owned()]
    } else {
        [format!("Hand {count} things to subagents"), "Put the results together".to_owned()]
    };
    let status = if done { ["completed", "completed"] } else { ["in_progress", "pending"] };
    let items: Vec<_> =
        steps.iter().zip(status).map(|(step, status)| json!({"content": step, "status": status})).collect();
    let text = if done {
        String::new()
    } else {
        heard.in_words("(Demo) I begin with a plan. ".to_owned(), "（演示）我先列一个计划。".to_owned())
    };
    Answer { text, calls: vec![(PLAN, json!({"items": items}).to_string())], ..Answer::default() }
}

fn hand_over(heard: &Heard<'_>, things: &[String]) -> Answer {
    let total = things.len();
    let task = |(at, thing): (usize, &String)| {
        let number = at + 1;
        if heard.chinese {
            json!({"goal": format!("了解{thing}"), "context": format!("这是第 {number} 项，共 {total} 项。")})
        } else {
            json!({"goal": format!("Look into {thing}"), "context": format!("This is number {number} of {total}.")})
        }
    };
    let tasks: Vec<_> = things.iter().enumerate().map(task).collect();
    let text = heard.in_words(
        format!("I hand the {total} things to subagents, which work at the same time. "),
        format!("我把这 {total} 项交给子代理同时进行。"),
    );
    Answer {
        text,
        calls: vec![(DELEGATE_PARALLEL, json!({"tasks": tasks}).to_string())],
        ..Answer::default()
    }
}

/// What of a result's entry is told.
#[derive(Deserialize)]
struct Entry {
    status: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    error: Option<String>,
}

fn sum_up(heard: &Heard<'_>, things: &[String], results: &str) -> String {
    let entries: Vec<Entry> = serde_json::from_str(results).unwrap_or_default();
    let (mut lines, mut failed) = (String::new(), Vec::new());
    for (thing, entry) in things.iter().zip(&entries) {
        let said = if entry.status == "completed" {
            entry.summary.trim().lines().last().unwrap_or_default().to_owned()
        } else {
            failed.push(thing.as_str());
            let why = entry.error.as_deref().unwrap_or(&entry.status);
            heard.in_words(format!("no result: {why}"), format!("没有结果：{why}"))
        };
        lines = lines + "- **" + thing + "**: " + &text::cut(&said, 240) + "\n";
    }
    let missing = match failed.as_slice() {
        [] => String::new(),
        names => heard.in_words(
            format!("\nFailed: {}. The others are complete all the same.\n", names.join(", ")),
            format!("\n失败：{}。其余各项不受影响。\n", names.join("、")),
        ),
    };
    heard.in_words(
        format!("This is what the subagents found:\n\n{lines}{missing}\n(Demo model: a script, not a language model.)"),
        format!("子代理的结果如下：\n\n{lines}{missing}\n（演示模型：脚本，不是语言模型。）"),
    )
}

/// What a subagent does: works at its one goal for a while, and sums up, or fails.
pub(super) fn work(heard: &Heard<'_>) -> Option<Answer> {
    if !heard.system.contains(GUIDANCE) {
        return None;
    }
    let goal = heard.message.lines().next().unwrap_or_default();
    let thing = goal.trim_start_matches("Look into ").trim_start_matches("了解").trim();
    let thing = text::cut(thing.replace(FAIL_MARK, "").trim(), MAX_THING_CHARS);
    let number = number(heard.message).unwrap_or(1);
    let lines = if heard.chinese { chinese_lines(&thing) } else { english_lines(&thing) };
    let space = if heard.chinese { "" } else { " " };
    // Some have more to say than others.
    let (first, rest) = lines.split_at(4 + number % 3);
    let summary = rest.last().cloned().unwrap_or_default();
    let slower = 2 + (number % 2) as u32;
    if number == FAILS || goal.contains(FAIL_MARK) {
        let message = heard.in_words(
            "the demo lets this one fail, to show what becomes of the others".to_owned(),
            "演示模型让这一项失败，以展示其余各项不受影响".to_owned(),
        );
        let text = first.iter().take(3).cloned().collect::<Vec<_>>().join(space);
        let fails = Some(LlmError::BadRequest { message });
        return Some(Answer { text, slower, fails, ..Answer::default() });
    }
    Some(Answer { text: format!("{}\n{summary}", first.join(space)), slower, ..Answer::default() })
}

/// Which of how many it is, as the supervisor wrote it into the context.
fn number(message: &str) -> Option<usize> {
    let (_, context) = message.split_once("\n\nContext:\n")?;
    let digits = context.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit);
    digits.collect::<String>().parse().ok()
}

fn english_lines(thing: &str) -> Vec<String> {
    [
        format!("(Demo) I look into {thing}, as far as a script can."),
        "A real model would search here, read what it finds, and weigh one source against the other."
            .to_owned(),
        "What speaks for it: many people know it well and have written down what they learned.".to_owned(),
        "What speaks against it: nothing comes for free, and this takes its time as well.".to_owned(),
        "Where it fits best depends on what it is set against.".to_owned(),
        "I measured nothing, so no number stands in this report.".to_owned(),
        "One more thought: the first impression is seldom the last.".to_owned(),
        format!("In short: {thing} is worth a closer look."),
    ]
    .to_vec()
}

fn chinese_lines(thing: &str) -> Vec<String> {
    [
        format!("（演示）我来了解{thing}，尽一段脚本所能。"),
        "真正的模型会在这里搜索、阅读所找到的资料，并把不同的来源互相对照。".to_owned(),
        "优点：许多人很熟悉它，并且写下了自己的经验，后来的人可以参考。".to_owned(),
        "缺点：没有什么是不需要代价的，这一项同样也要花费不少时间。".to_owned(),
        "它最适合用在哪里，取决于拿它和什么来作比较。".to_owned(),
        "我没有做任何测量，所以这份报告里没有数字。".to_owned(),
        "还有一点：第一印象往往不是最后的印象。".to_owned(),
        format!("总之：{thing}值得进一步了解。"),
    ]
    .to_vec()
}

/// Three or more things that the message lists; five that anybody knows where it only says to compare.
fn things(heard: &Heard<'_>) -> Option<Vec<String>> {
    let asked = heard.mentions(COMPARE);
    if !asked && heard.mentions(super::behaviours::PLAN_WORDS) {
        return None;
    }
    let (list, is_named) = list_of(heard.message, asked);
    let found = items(list);
    // Without a word that says so, only what looks like a list is one.
    let is_list = is_named || found.iter().all(|thing| thing.split_whitespace().count() <= 3);
    match found.len() {
        3.. if is_list => Some(found.into_iter().take(MAX_THINGS).collect()),
        0 | 1 if asked => {
            let usual = if heard.chinese {
                ["咖啡", "茶", "水", "果汁", "牛奶"]
            } else {
                ["coffee", "tea", "water", "juice", "milk"]
            };
            Some(usual.map(str::to_owned).to_vec())
        }
        _ => None,
    }
}

/// The part of the message that may be a list, and whether something before it says so.
fn list_of(message: &str, asked: bool) -> (&str, bool) {
    if let Some((_, list)) = message.split_once([':', '\u{FF1A}']) {
        return (list, true);
    }
    let after = |word: &str| {
        // The same length in bytes as in the message: only ASCII letters change their case.
        let at = message.to_ascii_lowercase().find(word)? + word.len();
        message.get(at..)
    };
    match COMPARE.iter().filter(|_| asked).find_map(|word| after(word)) {
        Some(list) => (list, true),
        None => (message, false),
    }
}

fn items(list: &str) -> Vec<String> {
    let end = list.find(['。', '\u{FF1F}', '?', '!', '\u{FF01}']).unwrap_or(list.len());
    let sentence = list.get(..end).unwrap_or(list);
    let sentence = sentence.split(". ").next().unwrap_or(sentence);
    let joined = [" and ", " or ", " versus ", " vs. ", " vs ", "以及", "还有", "和", "与"]
        .iter()
        .fold(format!("{sentence} "), |text, word| text.replace(word, ","));
    let item = |part: &str| {
        let part = part.trim().trim_start_matches("and ").trim_start_matches(['-', '*', '•']);
        let part = part.split(" for ").next().unwrap_or(part).trim().trim_end_matches('.').trim();
        (1..=MAX_THING_CHARS).contains(&part.chars().count()).then(|| part.to_owned())
    };
    joined.split([',', '\u{FF0C}', '、', ';', '\u{FF1B}', '\n']).filter_map(item).collect()
}

#[cfg(test)]
mod tests;
