//! Where jobs come from: fetches them from the queue as slots become free, and runs a handler for
//! each under apalis. The queue's errors are retried here; apalis never sees one, since any error
//! of a backend ends its worker.

use apalis::prelude::{
    Backend, Event, EventListenerExt, Identity, ParallelizeExt, Task, TaskBuilder, TaskId, WorkerBuilder,
    WorkerBuilderExt, WorkerContext, WorkerError,
};
use apalis_core::backend::{BackendConfig, finalize::Ephemeral};
use futures_util::future::BoxFuture;
use shared::clock::SharedClock;
use shared::domain::jobs::Job;
use shared::queue::Queue;
use std::convert::Infallible;
use std::future::Future;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

/// Most jobs taken at once.
const BATCH: usize = 64;
/// How long to wait for a wake before looking by oneself.
const TICK: Duration = Duration::from_secs(1);
/// How often the queue is tried while no slot is free, so that readiness stays true.
const FULL_CHECK: Duration = Duration::from_secs(5);
const FIRST_RETRY: Duration = Duration::from_millis(100);
const LAST_RETRY: Duration = Duration::from_secs(5);
/// How long giving jobs back may take at shutdown; the sweep rings for what is not given back.
const GIVE_BACK: Duration = Duration::from_secs(2);

/// A job and the slot that it runs in; the slot is free again when this is dropped.
#[derive(Debug)]
pub struct Ring {
    /// Whom it rings for.
    pub job: Job,
    /// The slot.
    pub slot: OwnedSemaphorePermit,
}

/// When the queue last answered.
#[derive(Debug, Default)]
pub struct LastFetch(AtomicI64);

impl LastFetch {
    /// Milliseconds since 1970; 0 if it never has.
    pub fn millis(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What jobs are fetched with.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where they are fetched.
    pub queue: Arc<dyn Queue>,
    /// How many run at the same time; a job is taken only when one is free.
    pub slots: Arc<Semaphore>,
    /// Tells the time of the last fetch.
    pub clock: SharedClock,
    /// For readiness.
    pub last_fetch: Arc<LastFetch>,
}

/// Runs `handler` for each job until shutdown is asked and all handlers have ended. Jobs that were
/// taken and not begun are given back. A handler that panics ends only itself.
pub async fn run<F, Fut>(source: Source, handler: F, shutdown: CancellationToken)
where
    F: Fn(Ring) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel(BATCH);
    let receiver = Arc::new(Mutex::new(receiver));
    let fetching = fetch(&source, sender, &shutdown);
    let working = work(&receiver, handler, &shutdown);
    let (mut left, ()) = tokio::join!(fetching, working);
    {
        let mut receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
        while let Ok(ring) = receiver.try_recv() {
            left.push(ring.job);
        }
    }
    give_back(&source, &left).await;
}

/// Keeps an apalis worker running until shutdown.
async fn work<F, Fut>(receiver: &Arc<Mutex<mpsc::Receiver<Ring>>>, handler: F, shutdown: &CancellationToken)
where
    F: Fn(Ring) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    loop {
        let rings = Rings::new(Arc::clone(receiver), shutdown.clone());
        let outcome = worker(rings, handler.clone()).await;
        let no_more_jobs = receiver.lock().unwrap_or_else(PoisonError::into_inner).is_closed();
        if shutdown.is_cancelled() || no_more_jobs {
            return;
        }
        tracing::error!(?outcome, "the worker ended by itself; a new one begins");
        sleep(FIRST_RETRY).await;
    }
}

/// Boxed: the type of a worker is too deep for the compiler to see through in an async function.
fn worker<F, Fut>(rings: Rings, handler: F) -> BoxFuture<'static, Result<(), WorkerError>>
where
    F: Fn(Ring) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send + 'static,
{
    let worker = WorkerBuilder::new("runs")
        .backend(rings)
        .parallelize(tokio::spawn)
        .catch_panic()
        .on_event(|_, event| {
            if let Event::Error(error) = event {
                tracing::error!(%error, "a job's handler failed");
                metrics::counter!("neta_jobs_failed_total").increment(1);
            }
        })
        .build(move |ring: Ring| handler(ring));
    Box::pin(worker.run())
}

/// Takes jobs while there are free slots. Returns what it could not hand over.
async fn fetch(source: &Source, sender: mpsc::Sender<Ring>, shutdown: &CancellationToken) -> Vec<Job> {
    let mut delay = FIRST_RETRY;
    while let Some(slots) = free_slots(source, shutdown).await {
        // Not to be interrupted: what the queue has given is ours.
        let pause: BoxFuture<'_, ()> = match source.queue.pop(slots.len()).await {
            Ok(jobs) if jobs.is_empty() => {
                succeeded(source);
                delay = FIRST_RETRY;
                drop(slots);
                source.queue.wait(TICK)
            }
            Ok(jobs) => {
                succeeded(source);
                delay = FIRST_RETRY;
                let mut rings = jobs.into_iter().zip(slots).map(|(job, slot)| Ring { job, slot });
                while let Some(ring) = rings.next() {
                    if let Err(ring) = hand_over(&sender, ring, shutdown).await {
                        return std::iter::once(ring).chain(rings).map(|ring| ring.job).collect();
                    }
                }
                continue;
            }
            Err(error) => {
                tracing::warn!(%error, "no jobs can be fetched");
                drop(slots);
                let wait = delay.mul_f64(0.5 + rand::random::<f64>() / 2.0);
                delay = (delay * 2).min(LAST_RETRY);
                Box::pin(sleep(wait))
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => break,
            () = pause => {}
        }
    }
    Vec::new()
}

async fn hand_over(
    sender: &mpsc::Sender<Ring>,
    ring: Ring,
    shutdown: &CancellationToken,
) -> Result<(), Ring> {
    let place = tokio::select! {
        biased;
        () = shutdown.cancelled() => return Err(ring),
        place = sender.reserve() => place,
    };
    match place {
        Ok(place) => {
            place.send(ring);
            Ok(())
        }
        Err(_) => Err(ring),
    }
}

/// At least one slot, and all that are free at the moment; None at shutdown.
async fn free_slots(source: &Source, shutdown: &CancellationToken) -> Option<Vec<OwnedSemaphorePermit>> {
    let first = loop {
        tokio::select! {
            biased;
            () = shutdown.cancelled() => return None,
            slot = Arc::clone(&source.slots).acquire_owned() => break slot.ok()?,
            () = sleep(FULL_CHECK) => {
                if source.queue.depth().await.is_ok() {
                    succeeded(source);
                }
            }
        }
    };
    let others = std::iter::from_fn(|| Arc::clone(&source.slots).try_acquire_owned().ok());
    Some(std::iter::once(first).chain(others.take(BATCH - 1)).collect())
}

fn succeeded(source: &Source) {
    source.last_fetch.0.store(source.clock.now().timestamp_millis(), Ordering::Relaxed);
}

async fn give_back(source: &Source, jobs: &[Job]) {
    if jobs.is_empty() {
        return;
    }
    let jobs_left = jobs.len();
    if let Ok(Ok(())) = timeout(GIVE_BACK, source.queue.push(jobs)).await {
        tracing::info!(jobs_left, "gave back jobs that were not begun");
    } else {
        tracing::warn!(jobs_left, "could not give back jobs; the sweep rings for them");
    }
}

/// What apalis polls: reads what was fetched, and ends at shutdown.
struct Rings {
    receiver: Arc<Mutex<mpsc::Receiver<Ring>>>,
    shutdown: BoxFuture<'static, ()>,
    ended: bool,
    next_id: u64,
}

impl Rings {
    fn new(receiver: Arc<Mutex<mpsc::Receiver<Ring>>>, shutdown: CancellationToken) -> Self {
        Self { receiver, shutdown: Box::pin(shutdown.cancelled_owned()), ended: false, next_id: 0 }
    }
}

impl Backend for Rings {
    type Task = Task<Ring>;
    type Error = Infallible;

    fn poll_ready(&mut self, _: &mut Context<'_>, _: &WorkerContext) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn poll_next(
        &mut self,
        cx: &mut Context<'_>,
        _: &WorkerContext,
    ) -> Poll<Option<Result<Self::Task, Infallible>>> {
        self.ended = self.ended || self.shutdown.as_mut().poll(cx).is_ready();
        if self.ended {
            return Poll::Ready(None);
        }
        let mut receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.poll_recv(cx).map(|ring| {
            ring.map(|ring| {
                self.next_id += 1;
                Ok(TaskBuilder::new(ring).task_id(TaskId::from_int(self.next_id)).build())
            })
        })
    }

    /// All handlers have ended. A worker whose source has ended waits to be stopped nevertheless.
    fn poll_close(&mut self, _: &mut Context<'_>, worker: &WorkerContext) -> Poll<Result<(), Infallible>> {
        if let Err(error) = worker.stop() {
            tracing::warn!(%error, "the worker could not be stopped");
        }
        Poll::Ready(Ok(()))
    }
}

impl BackendConfig for Rings {
    type Args = Ring;
    type Id = TaskId;
    type Kind = Ephemeral;
    type Config = ();
    type Layer = Identity;

    fn config(&self) -> &() {
        &()
    }

    fn middleware(&mut self, _: &mut WorkerContext) -> Identity {
        Identity::new()
    }
}

#[cfg(test)]
mod tests;
