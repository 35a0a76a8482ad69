//! What every queue does, run against each adapter.

use super::{MemoryQueue, Queue, RedisQueue};
use crate::domain::ids::{RunId, TenantId};
use crate::domain::jobs::Job;
use crate::wire::Wire;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Longer than any test takes; a wait that ends by it has failed.
const LONG: Duration = Duration::from_secs(20);

macro_rules! on_each_queue {
    ($($name:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $name() {
                super::$name(std::sync::Arc::new(super::MemoryQueue::new())).await;
            })+
        }
        mod redis {
            $(#[tokio::test]
            async fn $name() {
                super::$name(std::sync::Arc::new(super::RedisQueue::new(super::Wire::for_tests()))).await;
            })+
        }
    };
}

on_each_queue!(
    jobs_come_in_order_and_once,
    a_run_in_line_is_not_doubled,
    tenants_are_served_in_turn,
    a_small_tenant_does_not_wait_for_a_big_one,
    nothing_is_served_while_paused,
    a_removed_run_is_passed_over,
    a_removed_run_can_be_pushed_again,
    the_trace_context_is_kept,
    a_push_before_the_wait_ends_it,
    a_push_during_the_wait_ends_it,
    a_wait_without_a_push_ends_in_time,
    every_waiting_worker_gets_work,
    jobs_are_shared_among_racing_workers,
);

fn job(run: i64, tenant: i64) -> Job {
    Job { run_id: RunId(run), tenant_id: TenantId(tenant), traceparent: None }
}

fn runs(jobs: &[Job]) -> Vec<i64> {
    jobs.iter().map(|j| j.run_id.0).collect()
}

async fn jobs_come_in_order_and_once(queue: Arc<dyn Queue>) {
    assert!(queue.pop(5).await.unwrap().is_empty());
    queue.push(&[job(1, 1), job(2, 1), job(3, 1)]).await.unwrap();
    assert_eq!(queue.depth().await.unwrap(), 3);
    assert_eq!(runs(&queue.pop(2).await.unwrap()), [1, 2]);
    assert_eq!(queue.depth().await.unwrap(), 1);
    assert_eq!(runs(&queue.pop(2).await.unwrap()), [3]);
    assert!(queue.pop(2).await.unwrap().is_empty());
    assert!(queue.pop(0).await.unwrap().is_empty());
    assert_eq!(queue.depth().await.unwrap(), 0);
}

async fn a_run_in_line_is_not_doubled(queue: Arc<dyn Queue>) {
    queue.push(&[job(1, 1), job(1, 1)]).await.unwrap();
    queue.push(&[job(2, 1), job(1, 1)]).await.unwrap();
    assert_eq!(queue.depth().await.unwrap(), 2);
    assert_eq!(runs(&queue.pop(9).await.unwrap()), [1, 2]);
    queue.push(&[job(1, 1)]).await.unwrap();
    assert_eq!(runs(&queue.pop(9).await.unwrap()), [1], "once served, it may be rung again");
}

async fn tenants_are_served_in_turn(queue: Arc<dyn Queue>) {
    let jobs = [job(1, 1), job(2, 1), job(3, 1), job(4, 2), job(5, 2), job(6, 3)];
    queue.push(&jobs).await.unwrap();
    assert_eq!(runs(&queue.pop(4).await.unwrap()), [1, 4, 6, 2]);
    assert_eq!(runs(&queue.pop(4).await.unwrap()), [5, 3]);
}

async fn a_small_tenant_does_not_wait_for_a_big_one(queue: Arc<dyn Queue>) {
    let many: Vec<Job> = (1..=3_000).map(|run| job(run, 1)).collect();
    queue.push(&many).await.unwrap();
    queue.push(&[job(9_999, 2)]).await.unwrap();
    assert_eq!(queue.depth().await.unwrap(), 3_001);
    assert_eq!(runs(&queue.pop(2).await.unwrap()), [1, 9_999]);
}

async fn nothing_is_served_while_paused(queue: Arc<dyn Queue>) {
    queue.push(&[job(1, 1)]).await.unwrap();
    queue.set_paused(true).await.unwrap();
    queue.push(&[job(2, 1)]).await.unwrap();
    assert!(queue.pop(5).await.unwrap().is_empty());
    assert_eq!(queue.depth().await.unwrap(), 2);
    queue.set_paused(false).await.unwrap();
    assert_eq!(runs(&queue.pop(5).await.unwrap()), [1, 2]);
}

async fn a_removed_run_is_passed_over(queue: Arc<dyn Queue>) {
    queue.push(&[job(1, 1), job(2, 1), job(3, 1)]).await.unwrap();
    queue.remove(RunId(2)).await.unwrap();
    queue.remove(RunId(77)).await.unwrap();
    assert_eq!(queue.depth().await.unwrap(), 2);
    assert_eq!(runs(&queue.pop(2).await.unwrap()), [1, 3]);
}

async fn a_removed_run_can_be_pushed_again(queue: Arc<dyn Queue>) {
    queue.push(&[job(1, 1)]).await.unwrap();
    queue.remove(RunId(1)).await.unwrap();
    queue.push(&[job(1, 1)]).await.unwrap();
    assert_eq!(runs(&queue.pop(5).await.unwrap()), [1]);
    assert!(queue.pop(5).await.unwrap().is_empty());
}

async fn the_trace_context_is_kept(queue: Arc<dyn Queue>) {
    let traced = Job { traceparent: Some("00-0af7-b7ad-01".into()), ..job(i64::MAX, 1) };
    queue.push(std::slice::from_ref(&traced)).await.unwrap();
    assert_eq!(queue.pop(1).await.unwrap(), [traced]);
}

async fn a_push_before_the_wait_ends_it(queue: Arc<dyn Queue>) {
    assert!(queue.pop(1).await.unwrap().is_empty());
    queue.push(&[job(1, 1)]).await.unwrap();
    timeout(LONG / 2, queue.wait(LONG)).await.expect("the wake was lost");
}

async fn a_push_during_the_wait_ends_it(queue: Arc<dyn Queue>) {
    let waiter = Arc::clone(&queue);
    let task = tokio::spawn(async move {
        loop {
            let jobs = waiter.pop(1).await.unwrap();
            if !jobs.is_empty() {
                return jobs;
            }
            waiter.wait(LONG).await;
        }
    });
    queue.push(&[job(1, 1)]).await.unwrap();
    let jobs = timeout(LONG / 2, task).await.expect("not woken").unwrap();
    assert_eq!(runs(&jobs), [1]);
}

async fn a_wait_without_a_push_ends_in_time(queue: Arc<dyn Queue>) {
    timeout(LONG, queue.wait(Duration::from_millis(20))).await.expect("waited too long");
}

async fn every_waiting_worker_gets_work(queue: Arc<dyn Queue>) {
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move {
                loop {
                    if let Some(job) = queue.pop(1).await.unwrap().pop() {
                        return job.run_id.0;
                    }
                    queue.wait(LONG).await;
                }
            })
        })
        .collect();
    queue.push(&[job(1, 1), job(2, 1), job(3, 1)]).await.unwrap();
    let mut served = Vec::new();
    for worker in workers {
        served.push(timeout(LONG / 2, worker).await.expect("a worker was not woken").unwrap());
    }
    served.sort_unstable();
    assert_eq!(served, [1, 2, 3]);
}

async fn jobs_are_shared_among_racing_workers(queue: Arc<dyn Queue>) {
    let jobs: Vec<Job> = (0..600).map(|run| job(run, run % 7)).collect();
    let pushers = jobs.chunks(150).map(|chunk| {
        let (queue, chunk) = (Arc::clone(&queue), chunk.to_vec());
        tokio::spawn(async move { queue.push(&chunk).await.unwrap() })
    });
    futures_util::future::join_all(pushers).await;
    let workers = (0..8).map(|_| {
        let queue = Arc::clone(&queue);
        tokio::spawn(async move {
            let mut mine = Vec::new();
            loop {
                let jobs = queue.pop(5).await.unwrap();
                if jobs.is_empty() {
                    return mine;
                }
                mine.extend(runs(&jobs));
            }
        })
    });
    let mut all: Vec<i64> =
        futures_util::future::join_all(workers).await.into_iter().flat_map(Result::unwrap).collect();
    all.sort_unstable();
    assert_eq!(all, (0..600).collect::<Vec<_>>());
}
