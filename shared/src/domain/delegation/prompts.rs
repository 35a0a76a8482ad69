//! What supervisors and subagents are told besides their agent's own prompt.

use super::Task;
use crate::domain::subagents::TITLE_CHARS;
use crate::domain::text;

/// Stands last in a subagent's prompt: it wins over what the definition says before it.
pub const GUIDANCE: &str = "\
You are a subagent in a session. These rules stand above everything before them:
- Another agent, your parent, has given you one goal. Do only this goal.
- The user does not read you. Never address the user, and never ask anything of anybody: where something \
is unclear, choose the most likely meaning and say which you chose.
- Never delegate: you do the work yourself, with the tools that you have.
- Your last message goes to your parent and is all that it sees of your work. Make it a summary: what you \
found or did, what it rests on, and what you could not do.";

const SUPERVISION: &str = "\
You can hand work over to subagents.
- Delegate when parts of the task are independent of each other, or when one part is long and only its \
result matters. Several goals go into one delegate_parallel call, so that they run at the same time; one \
goal goes into delegate_task. What you can say at once, say yourself.
- A subagent knows nothing of this conversation: put all that it needs into goal and context.
- The results come back in the order of your tasks. One that failed does not end the others: answer with \
what there is, and name what is missing.
- Where a result says \"truncated\": true, read_result with its id reads the whole text.";

/// A supervisor's prompt.
pub fn supervisor_prompt(base: &str) -> String {
    joined(base, SUPERVISION)
}

/// A subagent's prompt: its definition's, then the guidance, then the language of its answer.
pub fn child_prompt(base: &str, language: Option<&str>) -> String {
    let language = language.unwrap_or("the language of the goal");
    joined(base, &format!("{GUIDANCE}\n- Write in {language}."))
}

fn joined(base: &str, last: &str) -> String {
    match base.trim_end() {
        "" => last.to_owned(),
        base => format!("{base}\n\n{last}"),
    }
}

/// A subagent's only user message: it has no other history.
pub fn child_message(goal: &str, context: Option<&str>) -> String {
    match context.map(str::trim).filter(|c| !c.is_empty()) {
        None => goal.to_owned(),
        Some(context) => format!("{goal}\n\nContext:\n{context}"),
    }
}

/// What people see above a batch: its goal, or the first of its goals and how many more.
pub fn batch_title(tasks: &[Task]) -> String {
    let goal = tasks.first().map_or("", |t| t.goal.as_str());
    let goal = goal.split_whitespace().collect::<Vec<_>>().join(" ");
    match tasks.len() {
        0 | 1 => text::cut(&goal, TITLE_CHARS),
        n => {
            let more = format!(" + {}", n - 1);
            text::cut(&goal, TITLE_CHARS - more.chars().count()) + &more
        }
    }
}

/// The language that a user writes in, as far as the script tells it. None: Latin script, or no
/// letters at all.
pub fn language_of(user_text: &str) -> Option<&'static str> {
    let scripts = user_text.chars().filter_map(script).collect::<Vec<_>>();
    let has = |script| scripts.contains(&script);
    // Japanese and Korean write Han too.
    if has(Script::Kana) {
        return Some("Japanese");
    }
    if has(Script::Hangul) {
        return Some("Korean");
    }
    let count = |script| scripts.iter().filter(|s| **s == script).count();
    // Names of things are often Latin in any language; a Han character says as much as two letters.
    let weight = |script| count(script) * if script == Script::Han { 6 } else { 3 };
    let named = NAMED.iter().max_by_key(|(script, _)| weight(*script))?;
    (weight(named.0) > 0 && weight(named.0) >= count(Script::Latin)).then_some(named.1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Han,
    Kana,
    Hangul,
    Cyrillic,
    Arabic,
    Hebrew,
    Greek,
    Devanagari,
    Thai,
}

const NAMED: [(Script, &str); 7] = [
    (Script::Thai, "Thai"),
    (Script::Devanagari, "Hindi"),
    (Script::Greek, "Greek"),
    (Script::Hebrew, "Hebrew"),
    (Script::Arabic, "Arabic"),
    (Script::Cyrillic, "Russian"),
    (Script::Han, "Chinese"),
];

fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' => Script::Latin,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{20000}'..='\u{323AF}' => Script::Han,
        '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' => Script::Kana,
        '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7A3}' => Script::Hangul,
        '\u{400}'..='\u{52F}' => Script::Cyrillic,
        '\u{620}'..='\u{6FF}' | '\u{750}'..='\u{77F}' => Script::Arabic,
        '\u{5D0}'..='\u{5EA}' => Script::Hebrew,
        '\u{370}'..='\u{3FF}' => Script::Greek,
        '\u{900}'..='\u{97F}' => Script::Devanagari,
        '\u{E01}'..='\u{E4F}' => Script::Thai,
        _ => return None,
    })
}
