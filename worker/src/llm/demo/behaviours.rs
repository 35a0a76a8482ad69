//! What the demo model does with a message. The first behaviour that has an answer gives it; a new
//! one is a function and a place in the list.

use super::delegation::{ask, compare, work};
use crate::llm::LlmError;
use serde_json::json;
use shared::domain::conversation::{Entry, Request};
use shared::domain::text;

/// A response before it is streamed. Calls are names with argument text.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub text: String,
    pub calls: Vec<(&'static str, String)>,
    /// So many times the usual time between two tokens; 0 is the usual time, too.
    pub slower: u32,
    /// What it ends with instead, once the text is said.
    pub fails: Option<LlmError>,
}

/// The request as a behaviour sees it.
pub(super) struct Heard<'a> {
    /// What the model was told to be.
    pub system: &'a str,
    /// The last user message.
    pub message: &'a str,
    pub chinese: bool,
    /// Results since that message: tool, text, whether it failed.
    pub results: Vec<(&'a str, &'a str, bool)>,
    tools: Vec<&'a str>,
}

impl<'a> Heard<'a> {
    pub fn new(request: &'a Request) -> Self {
        let entries = &request.entries;
        let at = entries.iter().rposition(|e| matches!(e, Entry::User { .. }));
        let message = match at.and_then(|at| entries.get(at)) {
            Some(Entry::User { text }) => text.as_str(),
            _ => "",
        };
        let results = entries.get(at.unwrap_or(0)..).unwrap_or_default().iter().filter_map(|e| match e {
            Entry::ToolResult { name, text, is_error, .. } => Some((name.as_str(), text.as_str(), *is_error)),
            _ => None,
        });
        Self {
            system: &request.system,
            message,
            chinese: message.chars().any(|c| matches!(c, '\u{4E00}'..='\u{9FFF}')),
            results: results.collect(),
            tools: request.tools.iter().map(|t| t.name.as_str()).collect(),
        }
    }

    pub fn offers(&self, tool: &str) -> bool {
        self.tools.contains(&tool)
    }

    /// Whether one of these stands in the message: a single English word as a word, all else anywhere.
    pub fn mentions(&self, phrases: &[&str]) -> bool {
        let lower = self.message.to_lowercase();
        let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).collect::<Vec<_>>();
        phrases.iter().any(|phrase| {
            if phrase.chars().all(|c| c.is_ascii_alphanumeric()) {
                words.contains(phrase)
            } else {
                lower.contains(phrase)
            }
        })
    }

    pub fn done(&self, tool: &str) -> usize {
        self.results.iter().filter(|(name, _, _)| *name == tool).count()
    }

    pub fn in_words(&self, english: String, chinese: String) -> String {
        if self.chinese { chinese } else { english }
    }

    /// The message in short, on one line.
    fn quoted(&self) -> String {
        text::cut(&self.message.split_whitespace().collect::<Vec<_>>().join(" "), 160)
    }
}

type Behaviour = fn(&Heard<'_>) -> Option<Answer>;

/// In order of precedence.
pub(super) const BEHAVIOURS: &[Behaviour] =
    &[work, ask, compare, plan, clock, other_results, greeting, explain];

pub(super) const PLAN: &str = "todo_write";
const CLOCK: &str = "get_time";

/// Words that ask for a plan of the model's own.
pub(super) const PLAN_WORDS: &[&str] =
    &["plan", "plans", "todo", "todos", "to-do", "steps", "计划", "步骤", "待办"];

/// Writes a plan, works through it, and sums up.
fn plan(heard: &Heard<'_>) -> Option<Answer> {
    let wanted = heard.mentions(PLAN_WORDS) || heard.mentions(&["several things", "几件事"]);
    if !wanted || !heard.offers(PLAN) || heard.results.iter().any(|(_, _, failed)| *failed) {
        return None;
    }
    let items = items(heard);
    let round = heard.done(PLAN);
    if round > items.len() {
        let list = items.iter().fold(String::new(), |list, item| list + "- " + item + "\n");
        let text = heard.in_words(
            format!("Demo model here (a script, not a language model). I walked through the plan:\n\n{list}\nA real model would have done the work behind each line. Connect one under Models."),
            format!("这里是演示模型（脚本，不是语言模型）。计划已逐项走完：\n\n{list}\n真正的模型会完成每一项背后的工作。请在“模型”中接入一个。"),
        );
        return Some(Answer { text, ..Answer::default() });
    }
    let status = |at: usize| match at {
        at if at < round => "completed",
        at if at == round => "in_progress",
        _ => "pending",
    };
    let todos = items
        .iter()
        .enumerate()
        .map(|(at, item)| json!({"content": item, "status": status(at)}))
        .collect::<Vec<_>>();
    let text = match round {
        0 => heard.in_words("(Demo) I begin with a plan. ".to_owned(), "（演示）我先列一个计划。".to_owned()),
        _ => String::new(),
    };
    Some(Answer { text, calls: vec![(PLAN, json!({"items": todos}).to_string())], ..Answer::default() })
}

/// The things that the message lists after its colon, or three that fit anything.
fn items(heard: &Heard<'_>) -> Vec<String> {
    let list = heard.message.split_once([':', '\u{FF1A}']).map_or("", |(_, list)| list);
    let found = list
        .split([',', '\u{FF0C}', '、', ';', '\u{FF1B}', '\n', '。'])
        .map(|item| text::cut(item.trim().trim_end_matches('.').trim(), 100))
        .filter(|item| !item.is_empty())
        .take(8)
        .collect::<Vec<_>>();
    if found.len() >= 2 {
        return found;
    }
    let usual = if heard.chinese {
        ["弄清目标", "逐步完成", "检查并总结"]
    } else {
        ["Understand the goal", "Work through it", "Check and sum up"]
    };
    usual.map(str::to_owned).to_vec()
}

/// Asks the tool for the time and says it.
fn clock(heard: &Heard<'_>) -> Option<Answer> {
    let wanted = heard.mentions(&[
        "what time",
        "time is it",
        "the time",
        "what day",
        "what date",
        "几点",
        "时间",
        "日期",
        "星期几",
    ]);
    if !wanted || !heard.offers(CLOCK) || !heard.results.is_empty() {
        return None;
    }
    let arguments = if heard.chinese { json!({"timezone": "Asia/Shanghai"}) } else { json!({}) };
    let text =
        heard.in_words("(Demo) Let me look at the clock. ".to_owned(), "（演示）我看一下时间。".to_owned());
    Some(Answer { text, calls: vec![(CLOCK, arguments.to_string())], ..Answer::default() })
}

/// Says what the tools came to.
fn other_results(heard: &Heard<'_>) -> Option<Answer> {
    let (name, result, failed) = *heard.results.last()?;
    let result = text::cut(result.trim(), 600);
    let text = match (name, failed) {
        (CLOCK, false) => heard.in_words(
            format!("It is {result}. (Told by the demo model, with the tool get_time.)"),
            format!("现在是 {result}。（演示模型通过 get_time 工具得知。）"),
        ),
        (_, false) => heard.in_words(
            format!("The tool {name} answered: {result}\n\n(Demo model: a script, not a language model.)"),
            format!("工具 {name} 的结果：{result}\n\n（演示模型：脚本，不是语言模型。）"),
        ),
        (_, true) => heard.in_words(
            format!("The tool {name} failed: {result}\n\n(Demo model: a script, not a language model.)"),
            format!("工具 {name} 失败了：{result}\n\n（演示模型：脚本，不是语言模型。）"),
        ),
    };
    Some(Answer { text, ..Answer::default() })
}

/// Welcomes a person who only says hello.
fn greeting(heard: &Heard<'_>) -> Option<Answer> {
    let words = heard
        .message
        .trim()
        .trim_end_matches(['!', '.', '\u{FF01}', '。', '?', '\u{FF1F}', '~'])
        .to_lowercase();
    let hello = ["hi", "hello", "hey", "hello there", "good morning", "你好", "您好", "嗨", "早上好"];
    hello.contains(&words.as_str()).then(|| Answer {
        text: heard.in_words(
            "Hello! I am Neta's demo model: a script, not a language model. I can show you how Neta works. Ask me \"what time is it?\" to see a tool call, or \"plan: buy flour, bake bread\" to see a plan, \"compare coffee, tea, water, juice and milk\" to see subagents. When you are ready, add a real model under Models.".to_owned(),
            "你好！我是 Neta 的演示模型：一段脚本，不是语言模型。我可以演示 Neta 的工作方式：问“现在几点？”会看到工具调用，说“计划：买面粉、烤面包”会看到计划，说“比较咖啡、茶、水、果汁和牛奶”会看到子代理。准备好后，请在“模型”中添加真正的模型。".to_owned(),
        ),
        ..Answer::default()
    })
}

/// Says what it understood, and what it is.
#[expect(clippy::unnecessary_wraps, reason = "a behaviour like the others, which always answers")]
fn explain(heard: &Heard<'_>) -> Option<Answer> {
    let quoted = heard.quoted();
    let asks = heard.message.trim_end().ends_with(['?', '\u{FF1F}', '吗', '呢']);
    let text = heard.in_words(
        format!(
            "I am Neta's demo model: a script, not a language model. I understood your {}: \"{quoted}\"\n\nYour message was stored, a worker took it, and these words reach you as a real model's would. I can't answer it myself; add a model under Models and ask again.",
            if asks { "question" } else { "message" }
        ),
        format!(
            "我是 Neta 的演示模型：一段脚本，不是语言模型。我收到了你的{}：“{quoted}”\n\n你的消息已保存，由工作进程处理，这些文字与真正模型的回答一样逐字传来。我无法真正作答；请在“模型”中添加一个模型后再问一次。",
            if asks { "问题" } else { "消息" }
        ),
    );
    Some(Answer { text, ..Answer::default() })
}
