//! What the scripted provider answers to one call.

use std::time::Duration;

/// One answer. Built from a constructor and refined by the methods below it.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) before: Vec<Pause>,
    pub(super) parts: Vec<Part>,
    pub(super) finish: Option<String>,
    pub(super) usage: Option<(u64, u64)>,
    pub(super) end: bool,
    pub(super) every: Option<Duration>,
    pub(super) cut_after: Option<usize>,
    pub(super) split_at: Vec<usize>,
}

/// One piece of a streamed answer, rendered in the dialect of the call.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Text(String),
    Thinking(String),
    Call {
        id: String,
        name: String,
        arguments: String,
    },
    Error {
        kind: String,
        message: String,
    },
    /// Sent as it stands.
    Raw(Vec<u8>),
    Pause(Pause),
    /// This text again and again, until the client leaves.
    Endless(String),
}

/// Nothing is sent for a while.
#[derive(Debug, Clone, Copy)]
pub(in crate::llm) enum Pause {
    For(Duration),
    /// Until the test releases the script.
    Hold,
    /// Until the client leaves.
    Forever,
}

impl Reply {
    fn of(parts: Vec<Part>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            before: Vec::new(),
            parts,
            finish: None,
            usage: Some((10, 5)),
            end: true,
            every: None,
            cut_after: None,
            split_at: Vec::new(),
        }
    }

    /// A complete answer, one token a word.
    pub fn text(text: &str) -> Self {
        Self::of(text.split_inclusive(' ').map(|word| Part::Text(word.to_owned())).collect())
    }

    /// A complete answer of exactly these tokens.
    pub fn tokens<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Self {
        Self::of(tokens.into_iter().map(|t| Part::Text(t.to_owned())).collect())
    }

    /// A call of one tool, with an id of the form `call_1`.
    pub fn call(name: &str, arguments: &str) -> Self {
        Self::of(Vec::new()).and_call(name, arguments)
    }

    /// A status that is no success, with this body.
    pub fn status(status: u16, body: &str) -> Self {
        Self { status, ..Self::raw(body.as_bytes()) }.header("content-type", "application/json")
    }

    /// A 200 stream of exactly these bytes.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Self {
        Self { usage: None, end: false, ..Self::of(vec![Part::Raw(bytes.into())]) }
    }

    /// An error object inside a stream that began well.
    pub fn stream_error(kind: &str, message: &str) -> Self {
        Self::text("").and_stream_error(kind, message)
    }

    /// Takes the request and never answers.
    pub fn silence() -> Self {
        Self { before: vec![Pause::Forever], ..Self::of(Vec::new()) }
    }

    /// Text without end.
    pub fn endless() -> Self {
        Self::endless_of("more ")
    }

    /// This text without end.
    pub fn endless_of(text: &str) -> Self {
        Self::of(vec![Part::Endless(text.to_owned())])
    }

    /// These bytes, as they stand.
    #[must_use]
    pub fn and_raw(mut self, bytes: &[u8]) -> Self {
        self.parts.push(Part::Raw(bytes.to_vec()));
        self
    }

    /// One more call.
    #[must_use]
    pub fn and_call(self, name: &str, arguments: &str) -> Self {
        let number = 1 + self.parts.iter().filter(|p| matches!(p, Part::Call { .. })).count();
        self.and_call_with_id(&format!("call_{number}"), name, arguments)
    }

    /// One more call under this id.
    #[must_use]
    pub fn and_call_with_id(mut self, id: &str, name: &str, arguments: &str) -> Self {
        self.parts.push(Part::Call { id: id.into(), name: name.into(), arguments: arguments.into() });
        self
    }

    /// After what is there so far: an error object, and the end.
    #[must_use]
    pub fn and_stream_error(mut self, kind: &str, message: &str) -> Self {
        self.parts.push(Part::Error { kind: kind.into(), message: message.into() });
        Self { end: false, usage: None, ..self }
    }

    /// Before all else.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        self.parts.insert(0, Part::Thinking(text.to_owned()));
        self
    }

    /// One more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Waits between its parts.
    #[must_use]
    pub fn every(self, time: Duration) -> Self {
        Self { every: Some(time), ..self }
    }

    /// Waits before its headers.
    #[must_use]
    pub fn first_after(mut self, time: Duration) -> Self {
        self.before.push(Pause::For(time));
        self
    }

    /// Holds its headers back until the script is released.
    #[must_use]
    pub fn hold(mut self) -> Self {
        self.before.push(Pause::Hold);
        self
    }

    /// Holds after so many parts until the script is released.
    #[must_use]
    pub fn hold_after(mut self, parts: usize) -> Self {
        self.parts.insert(parts.min(self.parts.len()), Part::Pause(Pause::Hold));
        self
    }

    /// Goes silent after so many parts, with the connection open.
    #[must_use]
    pub fn silent_after(mut self, parts: usize) -> Self {
        self.parts.truncate(parts);
        self.parts.push(Part::Pause(Pause::Forever));
        self
    }

    /// Ends well after so many parts, but without a finish reason.
    #[must_use]
    pub fn unfinished_after(mut self, parts: usize) -> Self {
        self.parts.truncate(parts);
        Self { end: false, usage: None, ..self }
    }

    /// Cuts the connection after so many bytes of the body.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Self {
        Self { cut_after: Some(bytes), ..self }
    }

    /// Sends the body in separate writes, cut at these bytes.
    #[must_use]
    pub fn split_at(self, bytes: impl Into<Vec<usize>>) -> Self {
        Self { split_at: bytes.into(), ..self }
    }

    /// The finish reason in the words of the call's dialect, instead of the natural one.
    #[must_use]
    pub fn finish(self, reason: &str) -> Self {
        Self { finish: Some(reason.to_owned()), ..self }
    }

    /// Counts these tokens of input and output (10 and 5 otherwise).
    #[must_use]
    pub fn usage(self, input: u64, output: u64) -> Self {
        Self { usage: Some((input, output)), ..self }
    }

    /// Counts no tokens.
    #[must_use]
    pub fn no_usage(self) -> Self {
        Self { usage: None, ..self }
    }
}
