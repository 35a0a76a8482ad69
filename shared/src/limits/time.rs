//! The clock of limits: milliseconds that only go forward.

use tokio::time::Instant;

/// Where the time comes from.
#[derive(Debug, Clone)]
pub(super) enum Time {
    /// This process's monotonic clock, since the given moment.
    Process(Instant),
    /// A test's hand.
    #[cfg(test)]
    Manual(std::sync::Arc<std::sync::atomic::AtomicU64>),
}

impl Time {
    pub(super) fn start() -> Self {
        Self::Process(Instant::now())
    }

    /// Now, in ms.
    pub(super) fn now(&self) -> u64 {
        match self {
            Self::Process(start) => start.elapsed().as_millis() as u64,
            #[cfg(test)]
            Self::Manual(now) => now.load(std::sync::atomic::Ordering::SeqCst),
        }
    }

    /// What scripts take for now; nothing: Redis' own time.
    pub(super) fn for_scripts(&self) -> String {
        match self {
            Self::Process(_) => String::new(),
            #[cfg(test)]
            Self::Manual(_) => self.now().to_string(),
        }
    }
}
