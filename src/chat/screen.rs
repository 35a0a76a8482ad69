//! What a person sees of a turn: the answer on standard output, everything else on standard error.

use super::batches::Batches;
use serde_json::Value;
use std::io::{self, IsTerminal, Stderr, Stdout, Write};

const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";
/// Lines are cut at the terminal's edge, so that as many are drawn over as were drawn.
const NO_WRAP: &str = "\u{1b}[?7l";
const WRAP: &str = "\u{1b}[?7h";
/// From here to the end of the screen.
const ERASE: &str = "\u{1b}[J";

/// What an event meant.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown {
    /// The turn goes on.
    More,
    /// It ended with an answer.
    Answered,
    /// It failed, was stopped, or was deleted.
    Failed,
}

/// Where the answer goes.
#[derive(Debug)]
pub struct Screen<O = Stdout, E = Stderr> {
    out: O,
    err: E,
    /// Whether somebody looks: then thinking is shown, too, and control characters are not passed on.
    person: bool,
    answer: String,
    thinking: bool,
    named: bool,
    batches: Batches,
    /// The lines at the end of the screen that show batches, and the first of these.
    drawn: Option<(usize, usize)>,
    /// The screen's last line is begun.
    within_line: bool,
}

impl Screen {
    /// The process's own.
    pub fn new() -> Self {
        Self::on(io::stdout(), io::stderr(), io::stdout().is_terminal())
    }
}

impl<O: Write, E: Write> Screen<O, E> {
    fn on(out: O, err: E, person: bool) -> Self {
        Self {
            out,
            err,
            person,
            answer: String::new(),
            thinking: false,
            named: false,
            batches: Batches::default(),
            drawn: None,
            within_line: false,
        }
    }

    /// Shows one event.
    pub fn show(&mut self, event: &Value) -> io::Result<Shown> {
        let (kind, data) = (event["type"].as_str().unwrap_or_default(), &event["data"]);
        if !self.named
            && let Some(session) = event["sessionId"].as_str()
        {
            self.named = true;
            self.note(&format!("session {session}"))?;
        }
        let news = self.batches.take(event);
        self.show_batches(&news)?;
        match kind {
            "text_delta" => self.text(data["text"].as_str().unwrap_or_default())?,
            "thinking_delta" => self.think(data["text"].as_str().unwrap_or_default())?,
            "text_reset" => self.replace(data["text"].as_str().unwrap_or_default())?,
            "resync" => self.replace(data["content"].as_str().unwrap_or_default())?,
            "tool_call" => {
                let name = data["name"].as_str().unwrap_or_default();
                let arguments = data["arguments"].as_str().unwrap_or_default();
                self.note(&format!("{name} {arguments}"))?;
            }
            "status" => {
                if let Some(reason) = data["reason"].as_str() {
                    self.note(&format!("{}: {reason}", data["status"].as_str().unwrap_or_default()))?;
                }
            }
            "done" => {
                self.replace(data["content"].as_str().unwrap_or_default())?;
                writeln!(self.out)?;
                if data["status"] == "completed" {
                    return Ok(Shown::Answered);
                }
                self.note(&format!("stopped: {}", data["reason"].as_str().unwrap_or("cancelled")))?;
                return Ok(Shown::Failed);
            }
            "error" => {
                self.note(&format!("failed: {}", data["message"].as_str().unwrap_or("no reason given")))?;
                return Ok(Shown::Failed);
            }
            "session_deleted" => {
                self.note("the session was deleted")?;
                return Ok(Shown::Failed);
            }
            _ => {}
        }
        Ok(Shown::More)
    }

    /// Draws the batches anew, so that time is seen to pass.
    pub fn tick(&mut self) -> io::Result<()> {
        if self.drawn.is_some() && self.batches.live() { self.draw() } else { Ok(()) }
    }

    /// Shows what a person is asked, or what became of the answer.
    pub fn tell(&mut self, text: &str) -> io::Result<()> {
        self.note(text)
    }

    fn show_batches(&mut self, news: &[String]) -> io::Result<()> {
        if news.is_empty() {
            return Ok(());
        }
        if !self.person || (self.drawn.is_none() && !self.batches.live()) {
            return news.iter().try_for_each(|line| self.note(line));
        }
        self.draw()?;
        if !self.batches.live() {
            self.drawn = None;
        }
        Ok(())
    }

    /// Draws over what was drawn last, or below everything.
    fn draw(&mut self) -> io::Result<()> {
        let first = match self.drawn {
            Some((first, lines)) => {
                write!(self.err, "\u{1b}[{lines}A\r{ERASE}")?;
                first
            }
            None => {
                self.end_thinking()?;
                self.end_line()?;
                self.batches.first_live()
            }
        };
        let lines = self.batches.lines(first);
        write!(self.err, "{DIM}{NO_WRAP}")?;
        for line in &lines {
            writeln!(self.err, "{}", harmless(line).replace(['\n', '\t'], " "))?;
        }
        write!(self.err, "{WRAP}{PLAIN}")?;
        self.err.flush()?;
        self.drawn = Some((first, lines.len()));
        Ok(())
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.within_line) {
            writeln!(self.out)?;
            self.out.flush()?;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.end_thinking()?;
        self.answer.push_str(text);
        self.put(text)
    }

    fn think(&mut self, text: &str) -> io::Result<()> {
        if !self.person {
            return Ok(());
        }
        if !std::mem::replace(&mut self.thinking, true) {
            write!(self.out, "{DIM}")?;
        }
        self.put(text)
    }

    /// The answer is this: shows what is new of it, or all if it is another one.
    fn replace(&mut self, text: &str) -> io::Result<()> {
        self.end_thinking()?;
        if let Some(rest) = text.strip_prefix(self.answer.as_str()) {
            self.put(rest)?;
        } else {
            writeln!(self.out)?;
            self.note("(begins again)")?;
            self.put(text)?;
        }
        text.clone_into(&mut self.answer);
        Ok(())
    }

    fn end_thinking(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.thinking) {
            write!(self.out, "{PLAIN}\n\n")?;
        }
        Ok(())
    }

    fn put(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.drawn = None;
        self.within_line = self.person && !text.ends_with('\n');
        let text = if self.person { harmless(text) } else { text.to_owned() };
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn note(&mut self, text: &str) -> io::Result<()> {
        self.end_thinking()?;
        self.end_line()?;
        self.drawn = None;
        let text = harmless(text);
        if self.person { writeln!(self.err, "{DIM}{text}{PLAIN}") } else { writeln!(self.err, "{text}") }
    }
}

/// Without what a terminal would obey.
fn harmless(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(person: bool, events: &[Value]) -> (String, String, Vec<Shown>) {
        let mut screen = Screen::on(Vec::new(), Vec::new(), person);
        let shown = events.iter().map(|e| screen.show(e).unwrap()).collect();
        (String::from_utf8(screen.out).unwrap(), String::from_utf8(screen.err).unwrap(), shown)
    }

    #[test]
    fn an_answer_is_shown_once_whatever_is_said_again() {
        let events = [
            json!({"type": "thinking_delta", "sessionId": "s", "data": {"text": "hm"}}),
            json!({"type": "text_delta", "data": {"text": "Hel"}}),
            json!({"type": "resync", "data": {"content": "Hello"}}),
            json!({"type": "done", "data": {"content": "Hello you", "status": "completed"}}),
        ];
        let (out, err, shown) = shown(false, &events);
        assert_eq!((out.as_str(), err.as_str()), ("Hello you\n", "session s\n"));
        assert_eq!(shown, [Shown::More, Shown::More, Shown::More, Shown::Answered]);
    }

    #[test]
    fn failure_and_stop_are_told_apart_from_the_answer() {
        let failed = json!({"type": "error", "data": {"kind": "model_auth", "message": "the key is wrong"}});
        assert_eq!(shown(false, &[failed]).1, "failed: the key is wrong\n");
        let stopped =
            json!({"type": "done", "data": {"content": "", "status": "cancelled", "reason": "stopped"}});
        assert_eq!(shown(false, &[stopped]).2, [Shown::Failed]);
    }

    #[test]
    fn a_terminal_sees_a_batch_drawn_over_and_a_file_only_what_is_new() {
        let start =
            json!({"type": "subagent_batch_start", "data": {"batchId": "b", "title": "T", "total": 1}});
        let update = |status: &str| {
            let subagent = json!({"id": 1, "name": "n", "goal": "g", "status": status, "sortOrder": 0});
            json!({"type": "subagent_update", "data": {"batchId": "b", "subagent": subagent}})
        };
        let done = json!({"type": "subagent_done", "data": {"batchId": "b", "summary": {"completed": 1}}});
        let events = [start, update("running"), update("completed"), done];
        let plain = "T (1)\n  › n: g  running\n  ✓ n: g  completed\ndone: 1 completed\n";
        assert_eq!(shown(false, &events).1, plain);
        let drawn = shown(true, &events).1;
        assert!(drawn.contains("\u{1b}[1A") && drawn.contains("\u{1b}[2A"), "{drawn:?}");
        let last = drawn.rsplit(ERASE).next().unwrap();
        assert!(last.contains("T (1)\n  ✓ n: g  completed\ndone: 1 completed\n"), "{last:?}");
    }

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        let sly = json!({"type": "text_delta", "data": {"text": "a\u{1b}[2Jb\u{7}\nc"}});
        assert_eq!(shown(true, std::slice::from_ref(&sly)).0, "a[2Jb\nc");
        assert_eq!(shown(false, &[sly]).0, "a\u{1b}[2Jb\u{7}\nc", "a file gets it as it is");
    }
}
