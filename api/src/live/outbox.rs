//! What waits to be sent to one reader: bounded by count and bytes. A reader that lets it fill is
//! cut; it comes back with its cursor. An empty one holds next to no memory.

use shared::bus::Frame;
use shared::domain::ids::{MessageId, SessionId};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// Entries that may wait.
const MAX_ITEMS: usize = 4_096;
/// Bytes that may wait, unless it is a single frame.
const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Beyond this many places an empty queue is given back.
const KEEP: usize = 64;

/// Something that a reader learns.
#[derive(Debug, Clone)]
pub enum Item {
    /// An event of a session.
    Frame(SessionId, Frame),
    /// Events of the session may have been missed: read the logs.
    Gap(SessionId),
    /// The turn's row says that it has ended: read its log, and the row.
    Look(MessageId),
}

/// One reader's queue. One task takes; any number put.
#[derive(Debug, Default)]
pub struct Outbox {
    inner: Mutex<Inner>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    queue: VecDeque<Item>,
    bytes: usize,
    cut: bool,
}

impl Outbox {
    /// Puts it at the end, or cuts the reader if there is no room.
    pub fn put(&self, item: Item) {
        {
            let mut inner = self.lock();
            if inner.cut {
                return;
            }
            let bytes = size(&item);
            let full = inner.queue.len() >= MAX_ITEMS
                || (!inner.queue.is_empty() && inner.bytes + bytes > MAX_BYTES);
            if full {
                *inner = Inner { cut: true, ..Inner::default() };
            } else {
                inner.bytes += bytes;
                inner.queue.push_back(item);
            }
        }
        self.news.notify_one();
    }

    /// The next one, if there is one. None also once the reader is cut.
    pub fn try_take(&self) -> Option<Item> {
        let mut inner = self.lock();
        let item = inner.queue.pop_front()?;
        inner.bytes -= size(&item);
        if inner.queue.is_empty() && inner.queue.capacity() > KEEP {
            inner.queue = VecDeque::new();
        }
        Some(item)
    }

    /// The next one; None: the reader was cut.
    pub async fn take(&self) -> Option<Item> {
        loop {
            if let Some(item) = self.try_take() {
                return Some(item);
            }
            if self.is_cut() {
                return None;
            }
            self.news.notified().await;
        }
    }

    /// Whether the reader was too slow.
    pub fn is_cut(&self) -> bool {
        self.lock().cut
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(item: &Item) -> usize {
    match item {
        Item::Frame(_, frame) => frame.json.len(),
        Item::Gap(_) | Item::Look(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(seq: u64, bytes: usize) -> Item {
        let json = "x".repeat(bytes).into();
        Item::Frame(
            SessionId(uuid::Uuid::nil()),
            Frame { message_id: MessageId(1), subagent: None, epoch: 1, seq, terminal: false, json },
        )
    }

    #[tokio::test]
    async fn keeps_order_and_cuts_a_reader_that_does_not_read() {
        let outbox = Outbox::default();
        outbox.put(frame(1, MAX_BYTES * 2));
        assert!(matches!(outbox.take().await, Some(Item::Frame(_, f)) if f.seq == 1));
        for seq in 1..=MAX_ITEMS as u64 {
            outbox.put(frame(seq, 10));
        }
        assert!(!outbox.is_cut());
        assert!(matches!(outbox.try_take(), Some(Item::Frame(_, f)) if f.seq == 1));
        outbox.put(frame(9, 10));
        outbox.put(frame(10, 10));
        assert!(outbox.is_cut());
        assert!(outbox.take().await.is_none());
    }

    #[tokio::test]
    async fn counts_bytes_that_wait() {
        let outbox = Outbox::default();
        outbox.put(frame(1, MAX_BYTES - 10));
        assert!(outbox.try_take().is_some());
        outbox.put(frame(2, MAX_BYTES - 10));
        assert!(!outbox.is_cut(), "what was taken counts no more");
        outbox.put(frame(3, 11));
        assert!(outbox.is_cut());
    }
}
