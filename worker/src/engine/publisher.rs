//! Sends a run's events: the work under a lease puts them here and goes on at once; one task sends
//! them in order, what gathers while a call is under way leaves together. Keeps the picture that the
//! events add up to, so that a log that was lost, or grew long, is begun anew with a snapshot.
//!
//! A subagent has a stream of its own, which is told only while somebody watches; that it runs is
//! told on its turn's stream.

use super::crash::Point;
use shared::app::{self, App};
use shared::bus::{Begin, Publication, Published, Stream};
use shared::config::CrashAt;
use shared::domain::events::{Address, Event, Fragment, TurnView};
use shared::domain::ids::{RunId, SessionId, TenantId};
use shared::domain::runs::{Run, RunKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, broadcast};
use tokio::task::JoinHandle;
use tokio_util::task::AbortOnDropHandle;

/// A log longer than this is replaced by a snapshot of the turn.
const SNAPSHOT_BYTES: u64 = 256 * 1024;
/// How long an event that nobody waits for may lie here, so that it leaves with a later one.
const LINGER: Duration = Duration::from_millis(15);
/// Between attempts while the bus is away.
const RETRY: Duration = Duration::from_millis(250);
/// How long the end of a turn waits for the bus; after that readers learn it from the row.
const FAREWELL: Duration = Duration::from_secs(2);

/// A run's way to its readers.
#[derive(Debug)]
pub struct Publisher {
    shared: Arc<Shared>,
    task: AbortOnDropHandle<()>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    urgent: Notify,
    lazy: Notify,
}

#[derive(Debug)]
struct State {
    view: TurnView,
    queue: Vec<Event>,
    closing: bool,
    /// Nobody watches: events only change the picture.
    muted: bool,
    /// Whether somebody watches the turn's subagents, as the last publication was told.
    watched: Option<bool>,
    /// That a subagent began, which its turn's readers have not been told yet.
    begun: Option<Event>,
}

/// What a publisher begins with.
pub struct Start<'a> {
    pub app: &'a Arc<App>,
    pub run: &'a Run,
    /// The lease's epoch.
    pub fence: i64,
    /// The picture that the journal shows.
    pub view: TurnView,
    /// For a subagent: what its turn's readers are told first.
    pub begun: Option<Event>,
    /// Somebody watches the subagent.
    pub watched: bool,
    /// Sessions that somebody begins to watch.
    pub watches: broadcast::Receiver<SessionId>,
    pub crash_at: Option<CrashAt>,
}

impl Publisher {
    /// Begins to tell of a run.
    pub fn start(start: Start<'_>) -> Self {
        let Start { app, run, fence, view, begun, watched, watches, crash_at } = start;
        let is_subagent = run.kind == RunKind::Subagent;
        let mut state = State {
            view,
            queue: Vec::new(),
            closing: false,
            muted: is_subagent && !watched,
            watched: None,
            begun,
        };
        if is_subagent && watched {
            put_marker(&mut state);
        }
        let state = Mutex::new(state);
        let shared = Arc::new(Shared { state, urgent: Notify::new(), lazy: Notify::new() });
        if is_subagent && watched {
            shared.urgent.notify_one();
        }
        let sender = Sender {
            app: app.clone(),
            tenant_id: run.tenant_id,
            at: super::drive::address(run),
            parent_run_id: run.parent_run_id,
            is_subagent,
            fence,
            shared: shared.clone(),
            // A subagent's stream begins with its picture.
            snapshot_next: is_subagent && watched,
            watches,
            crash_at,
        };
        let task: JoinHandle<()> = tokio::spawn(sender.run());
        Self { shared, task: AbortOnDropHandle::new(task) }
    }

    /// To be sent at once.
    pub fn send(&self, event: Event) {
        self.shared.put(event);
        self.shared.urgent.notify_one();
    }

    /// To be sent with the next event, or a little later.
    pub fn send_lazily(&self, event: Event) {
        self.shared.put(event);
        self.shared.lazy.notify_one();
    }

    /// The picture so far.
    pub fn view(&self) -> TurnView {
        self.shared.lock().view.clone()
    }

    /// That the subagent began, if its turn's readers have not been told: whoever takes it tells them.
    pub fn take_begun(&self) -> Option<Event> {
        self.shared.lock().begun.take()
    }

    /// Sends what is left, within bounded time. Returns whether somebody watches the turn's subagents,
    /// where all was sent.
    pub async fn finish(self) -> Option<bool> {
        self.shared.lock().closing = true;
        self.shared.urgent.notify_one();
        // Out of time: the row holds the end, and readers look there.
        let _ = tokio::time::timeout(FAREWELL, self.task).await;
        let state = self.shared.lock();
        state.watched.filter(|_| state.queue.is_empty())
    }
}

impl Shared {
    fn put(&self, event: Event) {
        let mut state = self.lock();
        state.view.apply(&event);
        if state.muted {
            return;
        }
        match (state.queue.last_mut(), event) {
            (Some(Event::TextDelta { text }), Event::TextDelta { text: more })
            | (Some(Event::ThinkingDelta { text }), Event::ThinkingDelta { text: more }) => {
                text.push_str(&more);
            }
            (_, event) => state.queue.push(event),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something must stand in the queue for a snapshot to be sent.
fn put_marker(state: &mut State) {
    let marker = Event::Status { status: state.view.status, reason: state.view.reason };
    state.queue.push(marker);
}

/// Returns when somebody begins to watch the session.
async fn watched(watches: &mut broadcast::Receiver<SessionId>, session_id: SessionId) {
    loop {
        match watches.recv().await {
            Ok(watched) if watched != session_id => {}
            Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => return std::future::pending().await,
        }
    }
}

/// The task that sends.
struct Sender {
    app: Arc<App>,
    tenant_id: TenantId,
    at: Address,
    parent_run_id: Option<RunId>,
    is_subagent: bool,
    fence: i64,
    shared: Arc<Shared>,
    /// The next publication replaces the log.
    snapshot_next: bool,
    watches: broadcast::Receiver<SessionId>,
    crash_at: Option<CrashAt>,
}

impl Sender {
    async fn run(mut self) {
        self.tell_begun().await;
        let shared = self.shared.clone();
        loop {
            tokio::select! {
                biased;
                () = shared.urgent.notified() => {}
                () = watched(&mut self.watches, self.at.session_id), if shared.lock().muted => self.unmute(),
                () = self.shared.lazy.notified() => {
                    tokio::select! {
                        () = self.shared.urgent.notified() => {}
                        () = tokio::time::sleep(LINGER) => {}
                    }
                }
            }
            if !self.drain().await {
                return;
            }
            let state = self.shared.lock();
            if state.closing && state.queue.is_empty() {
                return;
            }
        }
    }

    /// Tells the turn's readers that a subagent runs, and learns whether somebody watches it. Not at
    /// once: that of one which is quick leaves together with its end.
    async fn tell_begun(&mut self) {
        let Some(run_id) = self.parent_run_id else { return };
        if self.shared.lock().begun.is_none() {
            return;
        }
        let lingers = tokio::time::sleep(LINGER);
        tokio::pin!(lingers);
        while !self.shared.lock().closing {
            tokio::select! {
                () = &mut lingers => break,
                () = self.shared.urgent.notified() => {}
            }
        }
        let Some(begun) = self.shared.lock().begun.take() else { return };
        let turn = Address { run_id, ..self.at };
        if app::subagents::tell(&self.app, self.tenant_id, turn, vec![begun]).await {
            self.unmute();
        }
    }

    /// From now on the stream is told, from the picture on.
    fn unmute(&mut self) {
        let mut state = self.shared.lock();
        state.muted = false;
        self.snapshot_next = true;
        put_marker(&mut state);
        self.shared.urgent.notify_one();
    }

    /// Sends until nothing is left; false when the stream takes no more from us.
    async fn drain(&mut self) -> bool {
        loop {
            let (events, begin) = {
                let mut state = self.shared.lock();
                let events = std::mem::take(&mut state.queue);
                if events.is_empty() {
                    return true;
                }
                // A snapshot is the picture with all of these; only the last event, if it ends the
                // stream, still follows it.
                let begin = if self.snapshot_next {
                    Begin::Snapshot(self.render(&Event::Resync(state.view.clone())))
                } else {
                    Begin::Never
                };
                (events, begin)
            };
            let replaces = matches!(begin, Begin::Snapshot(_));
            let fragments: Vec<Fragment> =
                events.iter().filter(|e| !replaces || e.is_terminal()).map(|e| self.render(e)).collect();
            let publication =
                Publication { stream: self.stream(), fence: Some(self.fence), events: fragments, begin };
            let published = self.app.bus.publish(publication).await;
            self.shared.lock().watched = match published {
                Ok(Published::Sent { watched, .. }) => Some(watched),
                _ => None,
            };
            match published {
                Ok(Published::Sent { watched: false, .. }) if self.is_subagent => {
                    let mut state = self.shared.lock();
                    state.muted = true;
                    state.queue.clear();
                }
                Ok(Published::Sent { log_bytes, .. }) => {
                    self.snapshot_next = log_bytes > SNAPSHOT_BYTES;
                    if events.iter().any(|e| matches!(e, Event::TextDelta { .. })) {
                        super::crash::point(self.crash_at.as_ref(), Point::S4);
                    }
                }
                // Lost, or deleted with the session: then nothing may bring it back.
                Ok(Published::Missing) if self.is_deleted().await => return false,
                Ok(Published::Missing) => {
                    self.snapshot_next = true;
                    self.put_back(events);
                }
                Ok(Published::Stale | Published::Closed) => return false,
                Err(error) => {
                    tracing::debug!(run_id = %self.at.run_id, %error, "events wait for the bus");
                    // What happened to the last call is unknown: the snapshot makes it right.
                    self.snapshot_next = true;
                    self.put_back(events);
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }

    async fn is_deleted(&self) -> bool {
        let found = shared::store::runs::find(&self.app.db, self.tenant_id, self.at.run_id).await;
        matches!(found, Ok(None))
    }

    /// Unsent events go back; since a snapshot follows, only the stream's end matters of them.
    fn put_back(&self, events: Vec<Event>) {
        let mut state = self.shared.lock();
        let later = std::mem::take(&mut state.queue);
        let ends = events.into_iter().chain(later).rfind(Event::is_terminal);
        match ends {
            Some(end) => state.queue.push(end),
            None => put_marker(&mut state),
        }
    }

    fn stream(&self) -> Stream {
        Stream {
            session_id: self.at.session_id,
            message_id: self.at.message_id,
            subagent: self.is_subagent.then_some(self.at.run_id.into()),
        }
    }

    fn render(&self, event: &Event) -> Fragment {
        event.render(self.at, self.app.clock.now())
    }
}
