//! Text that a reader can only add to, while the text that it shows may be withdrawn: a worker died,
//! or the provider's stream broke, and the call is made again.

/// Said before an answer that takes the place of what was shown. People read it; programs find the
/// whole text in the turn itself.
pub const AGAIN: &str = "\n\n[Interrupted. What follows replaces the last part.]\n\n";

/// What one reader was shown of a text.
#[derive(Debug)]
pub struct Shown {
    /// Goes before text that takes the place of what was shown.
    again: &'static str,
    /// What stands for the reader; what it had before a replacement is no part of it.
    sent: String,
    /// The text as it is, where it is not what was sent.
    now: Option<Now>,
    /// Nothing was sent yet of a text that goes on: the blank line before it is left out.
    leading: bool,
    said: bool,
}

#[derive(Debug)]
struct Now {
    text: String,
    /// How much of what was sent was not withdrawn.
    kept: String,
}

impl Shown {
    /// Of a text of which the reader has the beginning already.
    pub fn after(before: &str, again: &'static str) -> Self {
        Self { again, sent: before.to_owned(), now: None, leading: !before.is_empty(), said: false }
    }

    /// Whether anything was sent.
    pub fn has_said(&self) -> bool {
        self.said
    }

    /// More text: what is to be sent.
    pub fn add(&mut self, more: &str) -> Option<String> {
        match &mut self.now {
            None => {
                self.sent.push_str(more);
                self.trimmed(more)
            }
            Some(now) => {
                now.text.push_str(more);
                self.settle(false)
            }
        }
    }

    /// The text is this now. Where it may still grow to what was sent, nothing is said yet.
    pub fn replace(&mut self, text: &str) -> Option<String> {
        self.differ(text);
        self.settle(false)
    }

    /// The text ended as this.
    pub fn end(&mut self, text: &str) -> Option<String> {
        self.differ(text);
        self.settle(true)
    }

    fn differ(&mut self, text: &str) {
        if self.now.is_none() && self.sent == text {
            return;
        }
        let kept = match self.now.take() {
            // Withdrawn once is withdrawn.
            Some(now) => common(&now.kept, text),
            None if self.sent.starts_with(text) => text.to_owned(),
            None => {
                let same = common(&self.sent, text);
                same.rsplit_once("\n\n").map_or_else(String::new, |(whole, _)| whole.to_owned())
            }
        };
        self.now = Some(Now { text: text.to_owned(), kept });
    }

    fn settle(&mut self, ended: bool) -> Option<String> {
        let Now { text, kept } = self.now.take()?;
        if let Some(more) = text.strip_prefix(self.sent.as_str()).map(str::to_owned) {
            self.sent = text;
            return self.trimmed(&more);
        }
        if !ended && self.sent.starts_with(text.as_str()) {
            self.now = Some(Now { text, kept });
            return None;
        }
        let replaced = text.strip_prefix(kept.as_str()).unwrap_or(&text).trim_start();
        let said = [self.again, replaced].concat();
        self.sent = text;
        (self.leading, self.said) = (false, true);
        Some(said)
    }

    fn trimmed(&mut self, more: &str) -> Option<String> {
        let more = if self.leading { more.trim_start() } else { more };
        self.leading &= more.is_empty();
        self.said |= !more.is_empty();
        (!more.is_empty()).then(|| more.to_owned())
    }
}

/// The beginning that both have.
fn common(a: &str, b: &str) -> String {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    enum Op {
        Add(&'static str),
        Replace(&'static str),
        End(&'static str),
    }
    use Op::{Add, End, Replace};

    fn shown(before: &str, ops: &[Op]) -> String {
        let mut shown = Shown::after(before, AGAIN);
        let said = ops.iter().filter_map(|op| match op {
            Add(text) => shown.add(text),
            Replace(text) => shown.replace(text),
            End(text) => shown.end(text),
        });
        said.collect()
    }

    #[test]
    fn text_that_comes_again_is_shown_once() {
        let table: [(&[Op], &str); 5] = [
            (&[Add("one "), Add("two"), End("one two")], "one two"),
            (
                &[Add("one tw"), Replace(""), Add("one "), Add("two three"), End("one two three")],
                "one two three",
            ),
            (&[Add("one"), Replace("one two"), End("one two")], "one two"),
            (&[Add("a\n\nb"), Replace("a"), Add("\n\nb"), Add("c"), End("a\n\nbc")], "a\n\nbc"),
            (&[End("all at once")], "all at once"),
        ];
        for (ops, expected) in table {
            assert_eq!(shown("", ops), expected);
        }
    }

    #[test]
    fn other_text_is_said_to_replace_the_last_part() {
        let again = |before: &str, after: &str| format!("{before}{AGAIN}{after}");
        let table: [(&[Op], String); 5] = [
            (&[Add("one tw"), Replace(""), Add("on"), Add("ly"), End("only")], again("one tw", "only")),
            (&[Add("a\n\nb"), Replace("a"), Add("\n\nc"), Add("d"), End("a\n\ncd")], again("a\n\nb", "cd")),
            // It ended before it had grown to what was shown.
            (&[Add("half an ans"), Replace(""), Add("half"), End("half")], again("half an ans", "half")),
            (&[Add("one tw"), End("one more")], again("one tw", "one more")),
            (&[Add("x"), Replace(""), Add("yz"), Replace(""), Add("yz"), End("yz")], again("x", "yz")),
        ];
        for (ops, expected) in table {
            assert_eq!(shown("", ops), expected);
        }
    }

    #[test]
    fn a_text_that_goes_on_begins_with_its_words() {
        assert_eq!(shown("One.", &[Add("\n\n"), Add("Two. "), End("One.\n\nTwo. ")]), "Two. ");
        // From the beginning of its log.
        assert_eq!(
            shown("One.", &[Replace(""), Add("On"), Add("e."), Add("\n\nTwo"), End("One.\n\nTwo")]),
            "Two"
        );
        assert_eq!(shown("One.", &[End("One.")]), "");
    }

    proptest! {
        /// However calls break off and come again with the same text: no hole, nothing twice.
        #[test]
        fn the_same_text_again_leaves_no_trace(text in "[ab \n中]{0,40}", cuts in prop::collection::vec(0..40_usize, 0..6)) {
            let chars: Vec<char> = text.chars().collect();
            let mut shown = Shown::after("", AGAIN);
            let mut said = String::new();
            for cut in cuts.iter().map(|c| c % (chars.len() + 1)) {
                for c in &chars[..cut] {
                    said.extend(shown.add(&c.to_string()));
                }
                said.extend(shown.replace(""));
            }
            for c in &chars {
                said.extend(shown.add(&c.to_string()));
            }
            said.extend(shown.end(&text));
            prop_assert_eq!(said, text);
        }
    }
}
