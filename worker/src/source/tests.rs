use super::*;
use async_trait::async_trait;
use shared::clock::SystemClock;
use shared::domain::ids::{RunId, TenantId};
use shared::queue::{MemoryQueue, QueueError, RedisQueue};
use shared::wire::Wire;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use tokio::sync::Notify;

const LONG: Duration = Duration::from_secs(30);

fn job(run: i64) -> Job {
    Job { run_id: RunId(run), tenant_id: TenantId(run % 3), traceparent: None }
}

fn jobs(n: i64) -> Vec<Job> {
    (0..n).map(job).collect()
}

fn source(queue: Arc<dyn Queue>, slots: usize) -> Source {
    Source {
        queue,
        slots: Arc::new(Semaphore::new(slots)),
        clock: Arc::new(SystemClock),
        last_fetch: Arc::default(),
    }
}

/// Counts what was handled, and tells when a number was reached.
#[derive(Default)]
struct Tally {
    seen: Mutex<HashMap<i64, usize>>,
    handled: AtomicUsize,
    more: Notify,
}

impl Tally {
    fn count(&self, ring: &Ring) {
        *self.seen.lock().unwrap().entry(ring.job.run_id.0).or_default() += 1;
        self.handled.fetch_add(1, Ordering::SeqCst);
        self.more.notify_one();
    }

    async fn reached(&self, n: usize) {
        let wait = async {
            while self.handled.load(Ordering::SeqCst) < n {
                self.more.notified().await;
            }
        };
        timeout(LONG, wait).await.unwrap_or_else(|_| panic!("only {:?}", self.handled));
    }

    fn assert_each_once(&self, n: i64) {
        let seen = self.seen.lock().unwrap();
        assert_eq!(seen.len(), n as usize);
        assert!(seen.values().all(|times| *times == 1), "some twice");
    }
}

async fn each_job_is_handled_once(queue: Arc<dyn Queue>) {
    queue.push(&jobs(500)).await.unwrap();
    let (tally, shutdown) = (Arc::new(Tally::default()), CancellationToken::new());
    let (busy, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let source = source(Arc::clone(&queue), 7);
    let last_fetch = Arc::clone(&source.last_fetch);
    let handler = {
        let (tally, busy, most) = (Arc::clone(&tally), Arc::clone(&busy), Arc::clone(&most));
        move |ring: Ring| {
            let (tally, busy, most) = (Arc::clone(&tally), Arc::clone(&busy), Arc::clone(&most));
            async move {
                most.fetch_max(busy.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                tally.count(&ring);
                busy.fetch_sub(1, Ordering::SeqCst);
            }
        }
    };
    let running = tokio::spawn(run(source, handler, shutdown.clone()));
    tally.reached(500).await;
    let later: Vec<Job> = (500..1_000).map(job).collect();
    for few in later.chunks(50) {
        queue.push(few).await.unwrap();
    }
    tally.reached(1_000).await;
    shutdown.cancel();
    timeout(LONG, running).await.expect("does not end").unwrap();
    tally.assert_each_once(1_000);
    assert!((2..=7).contains(&most.load(Ordering::SeqCst)), "{most:?} at the same time");
    assert_eq!(queue.depth().await.unwrap(), 0);
    assert!(last_fetch.millis() > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_job_is_handled_once_from_memory() {
    each_job_is_handled_once(Arc::new(MemoryQueue::new())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_job_is_handled_once_from_redis() {
    each_job_is_handled_once(Arc::new(RedisQueue::new(Wire::for_tests()))).await;
}

#[tokio::test]
async fn a_panic_ends_only_its_job() {
    let queue = Arc::new(MemoryQueue::new());
    queue.push(&jobs(40)).await.unwrap();
    let (tally, shutdown) = (Arc::new(Tally::default()), CancellationToken::new());
    let source = source(queue, 2);
    let slots = Arc::clone(&source.slots);
    let handler = {
        let tally = Arc::clone(&tally);
        move |ring: Ring| {
            let tally = Arc::clone(&tally);
            async move {
                tally.count(&ring);
                assert!(ring.job.run_id.0 % 2 == 0, "a handler's bug");
            }
        }
    };
    let running = tokio::spawn(run(source, handler, shutdown.clone()));
    tally.reached(40).await;
    shutdown.cancel();
    timeout(LONG, running).await.expect("does not end").unwrap();
    tally.assert_each_once(40);
    assert_eq!(slots.available_permits(), 2, "a panic keeps no slot");
}

#[tokio::test]
async fn at_shutdown_what_is_begun_ends_and_the_rest_stays_in_line() {
    let queue = Arc::new(MemoryQueue::new());
    queue.push(&jobs(100)).await.unwrap();
    let (tally, shutdown) = (Arc::new(Tally::default()), CancellationToken::new());
    let (gate, finished) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicUsize::new(0)));
    let handler = {
        let (tally, gate, finished) = (Arc::clone(&tally), Arc::clone(&gate), Arc::clone(&finished));
        move |ring: Ring| {
            let (tally, gate, finished) = (Arc::clone(&tally), Arc::clone(&gate), Arc::clone(&finished));
            async move {
                tally.count(&ring);
                gate.acquire().await.unwrap().forget();
                finished.fetch_add(1, Ordering::SeqCst);
            }
        }
    };
    let running = tokio::spawn(run(source(queue.clone(), 3), handler, shutdown.clone()));
    tally.reached(3).await;
    shutdown.cancel();
    tokio::task::yield_now().await;
    assert!(!running.is_finished(), "handlers are waited for");
    gate.add_permits(3);
    timeout(LONG, running).await.expect("does not end").unwrap();
    assert_eq!(finished.load(Ordering::SeqCst), 3);
    assert_eq!(queue.depth().await.unwrap(), 97);
}

/// Gives jobs only after shutdown was asked, as a slow queue may.
#[derive(Debug)]
struct Slow {
    inner: MemoryQueue,
    popping: Notify,
    go: Notify,
}

#[async_trait]
impl Queue for Slow {
    async fn push(&self, jobs: &[Job]) -> Result<(), QueueError> {
        self.inner.push(jobs).await
    }
    async fn pop(&self, max: usize) -> Result<Vec<Job>, QueueError> {
        let jobs = self.inner.pop(max).await;
        self.popping.notify_one();
        self.go.notified().await;
        jobs
    }
    async fn wait(&self, at_most: Duration) {
        self.inner.wait(at_most).await;
    }
    async fn depth(&self) -> Result<u64, QueueError> {
        self.inner.depth().await
    }
    async fn set_paused(&self, paused: bool) -> Result<(), QueueError> {
        self.inner.set_paused(paused).await
    }
    async fn remove(&self, run_id: RunId) -> Result<(), QueueError> {
        self.inner.remove(run_id).await
    }
}

#[tokio::test]
async fn jobs_taken_during_shutdown_are_given_back() {
    let queue = Arc::new(Slow { inner: MemoryQueue::new(), popping: Notify::new(), go: Notify::new() });
    queue.push(&jobs(10)).await.unwrap();
    let shutdown = CancellationToken::new();
    let handler = |ring: Ring| async move { panic!("{ring:?} was begun") };
    let running = tokio::spawn(run(source(queue.clone(), 4), handler, shutdown.clone()));
    timeout(LONG, queue.popping.notified()).await.unwrap();
    assert_eq!(queue.depth().await.unwrap(), 6);
    shutdown.cancel();
    queue.go.notify_one();
    timeout(LONG, running).await.expect("does not end").unwrap();
    assert_eq!(queue.depth().await.unwrap(), 10);
}

/// Fails while told to.
#[derive(Debug)]
struct Flaky {
    inner: MemoryQueue,
    down: AtomicBool,
    failed: Notify,
}

#[async_trait]
impl Queue for Flaky {
    async fn push(&self, jobs: &[Job]) -> Result<(), QueueError> {
        self.inner.push(jobs).await
    }
    async fn pop(&self, max: usize) -> Result<Vec<Job>, QueueError> {
        if self.down.load(Ordering::SeqCst) {
            self.failed.notify_one();
            return Err(QueueError::Unavailable("down".into()));
        }
        self.inner.pop(max).await
    }
    async fn wait(&self, at_most: Duration) {
        self.inner.wait(at_most).await;
    }
    async fn depth(&self) -> Result<u64, QueueError> {
        self.inner.depth().await
    }
    async fn set_paused(&self, paused: bool) -> Result<(), QueueError> {
        self.inner.set_paused(paused).await
    }
    async fn remove(&self, run_id: RunId) -> Result<(), QueueError> {
        self.inner.remove(run_id).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_is_away_is_asked_again_with_growing_pauses() {
    let down = AtomicBool::new(true);
    let queue = Arc::new(Flaky { inner: MemoryQueue::new(), down, failed: Notify::new() });
    queue.push(&jobs(5)).await.unwrap();
    let (tally, shutdown) = (Arc::new(Tally::default()), CancellationToken::new());
    let source = source(queue.clone(), 4);
    let last_fetch = Arc::clone(&source.last_fetch);
    let handler = {
        let tally = Arc::clone(&tally);
        move |ring: Ring| {
            let tally = Arc::clone(&tally);
            async move { tally.count(&ring) }
        }
    };
    let begun = tokio::time::Instant::now();
    let running = tokio::spawn(run(source, handler, shutdown.clone()));
    for _ in 0..10 {
        queue.failed.notified().await;
    }
    // 0.1 s, doubled up to 5 s, each between half and whole.
    assert!((Duration::from_secs(10)..Duration::from_secs(30)).contains(&begun.elapsed()));
    assert_eq!(last_fetch.millis(), 0, "readiness sees it");
    queue.down.store(false, Ordering::SeqCst);
    tally.reached(5).await;
    assert!(last_fetch.millis() > 0);
    shutdown.cancel();
    timeout(LONG, running).await.expect("does not end").unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_worker_without_a_free_slot_still_shows_that_the_queue_answers() {
    let queue = Arc::new(MemoryQueue::new());
    let shutdown = CancellationToken::new();
    let source = source(queue, 1);
    let _all_slots = Arc::clone(&source.slots).acquire_owned().await.unwrap();
    let last_fetch = Arc::clone(&source.last_fetch);
    let running = tokio::spawn(run(source, |_| async {}, shutdown.clone()));
    sleep(FULL_CHECK * 2).await;
    assert!(last_fetch.millis() > 0);
    shutdown.cancel();
    timeout(LONG, running).await.expect("does not end").unwrap();
}
