//! Makes a debug build die at a named point, as kill -9 would: the proof of the kill matrix.

use crate::config::CrashAt;
use std::sync::atomic::{AtomicU32, Ordering};

static REACHED: AtomicU32 = AtomicU32::new(0);

/// Aborts the process when the configured point is reached for the configured time.
#[cfg(debug_assertions)]
pub fn reached(at: &CrashAt, here: &str) {
    if at.point == here && REACHED.fetch_add(1, Ordering::SeqCst) + 1 == at.nth {
        tracing::error!(point = here, "dying here, as configured");
        std::process::abort();
    }
}
