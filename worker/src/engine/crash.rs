//! Named points at which a test makes the process die (`NETA_CRASH_AT=S4:2`: the second time that
//! S4 is reached). Compiled to nothing in release builds.

/// Steps of a turn at which a process may die; what each means stands in docs/ARCHITECTURE.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Claimed, model not yet called.
    S3,
    /// In mid-stream: part of the text was published.
    S4,
    /// Response complete, not stored.
    S5,
    /// Tool calls stored, none begun.
    S6,
    /// A tool runs.
    S7,
    /// A tool is done, its result not stored.
    S8,
    /// Subagents are stored, none of them rung.
    S9,
    /// A subagent's end is stored, others of its batch are under way; nothing told, nobody rung.
    S11,
    /// The last subagent's end is stored, its supervisor not rung.
    S12,
    /// The final answer is complete, not stored.
    S13,
    /// The turn's end is stored, not published.
    S14,
    /// Published, the slot not yet free.
    S15,
}

/// Dies here if the configuration says so.
pub fn point(at: Option<&shared::config::CrashAt>, here: Point) {
    #[cfg(debug_assertions)]
    if let Some(at) = at {
        shared::crash::reached(at, &format!("{here:?}"));
    }
    #[cfg(not(debug_assertions))]
    let _ = (at, here);
}
