//! Traces and logs. A trace begins at a request, travels in the job and goes on in the worker. A log
//! line or span holds ids, names and times: never what people or models say, never a key.

use crate::config::{LogConfig, LogFormat};
use std::fmt;
use std::io::IsTerminal;
use std::str::FromStr;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt as lines;

/// A place in a trace, as the W3C `traceparent` header carries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceContext {
    /// The whole journey; not zero.
    pub trace_id: u128,
    /// One part of it; not zero.
    pub span_id: u64,
    /// Whether somebody records it.
    pub sampled: bool,
}

/// The header is not one, or of a version that can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a traceparent")]
pub struct NotATrace;

impl TraceContext {
    /// The beginning of a trace.
    pub fn new() -> Self {
        Self {
            trace_id: rand::random_range(1..=u128::MAX),
            span_id: rand::random_range(1..=u64::MAX),
            sampled: true,
        }
    }

    /// The next part of the same trace.
    #[must_use]
    pub fn child(&self) -> Self {
        Self { span_id: rand::random_range(1..=u64::MAX), ..*self }
    }

    /// What a request goes on with: a part of the caller's trace, or a new one when the header is
    /// missing or invalid.
    pub fn of_request(traceparent: Option<&str>) -> Self {
        match traceparent.and_then(|header| header.parse::<Self>().ok()) {
            Some(caller) => caller.child(),
            None => Self::new(),
        }
    }
}

impl Default for TraceContext {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{:032x}-{:016x}-{:02x}", self.trace_id, self.span_id, u8::from(self.sampled))
    }
}

impl FromStr for TraceContext {
    type Err = NotATrace;

    /// By the rules of W3C Trace Context: later versions may add fields at the end, ids of zeros
    /// and capital letters are invalid.
    fn from_str(header: &str) -> Result<Self, NotATrace> {
        let mut fields = header.trim().split('-');
        let version = hex(fields.next(), 2)?;
        let (trace_id, span_id) = (hex(fields.next(), 32)?, hex(fields.next(), 16)?);
        let flags = hex(fields.next(), 2)?;
        let more = fields.next().is_some();
        if version == 0xff || (version == 0 && more) || trace_id == 0 || span_id == 0 {
            return Err(NotATrace);
        }
        Ok(Self { trace_id, span_id: span_id as u64, sampled: flags & 1 == 1 })
    }
}

fn hex(field: Option<&str>, digits: usize) -> Result<u128, NotATrace> {
    let field = field.ok_or(NotATrace)?;
    let valid = field.len() == digits && field.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if valid { u128::from_str_radix(field, 16).map_err(|_| NotATrace) } else { Err(NotATrace) }
}

/// Whether a log filter can be understood.
pub fn is_filter(filter: &str) -> bool {
    EnvFilter::try_new(filter).is_ok()
}

/// Starts logging to standard error; standard output is for what a command answers. Called once,
/// by the binary; a second call changes nothing.
pub fn start_logging(log: &LogConfig) {
    let filter = EnvFilter::try_new(&log.filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = lines().with_env_filter(filter).with_writer(std::io::stderr);
    // A log that nobody reads any more is no reason to end what writes to it: the default complains on
    // standard error, which panics where that is the log itself.
    let builder = builder.with_ansi(std::io::stderr().is_terminal()).log_internal_errors(false);
    let started = match log.format {
        LogFormat::Human => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_span_list(false).try_init(),
    };
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALLER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn headers_are_read_by_the_standard() {
        let parsed: TraceContext = CALLER.parse().unwrap();
        assert_eq!(parsed.trace_id, 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c);
        assert_eq!((parsed.span_id, parsed.sampled), (0xb7ad_6b71_6920_3331, true));
        assert_eq!(parsed.to_string(), CALLER);
        let later = "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-what-the-future";
        assert!(!later.parse::<TraceContext>().unwrap().sampled);
        let invalid = [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-+af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-中文-b7ad6b7169203331-01",
        ];
        for header in invalid {
            assert_eq!(header.parse::<TraceContext>(), Err(NotATrace), "{header}");
        }
    }

    #[test]
    fn a_request_goes_on_with_the_callers_trace_or_begins_one() {
        let caller: TraceContext = CALLER.parse().unwrap();
        let here = TraceContext::of_request(Some(CALLER));
        assert_eq!((here.trace_id, here.sampled), (caller.trace_id, caller.sampled));
        assert_ne!(here.span_id, caller.span_id);
        for absent in [None, Some("garbage")] {
            let new = TraceContext::of_request(absent);
            assert_ne!(new.trace_id, TraceContext::of_request(absent).trace_id);
            assert_eq!(new.to_string().parse(), Ok(new));
        }
    }

    #[test]
    fn filters_are_checked() {
        assert!(is_filter("info") && is_filter("info,sqlx=warn,worker[run]=debug"));
        assert!(!is_filter("worker=loud"));
    }
}
