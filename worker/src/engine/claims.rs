//! Claims that come while one is under way leave together in the next statement: alone on an idle
//! worker, in company on a busy one.

use shared::domain::ids::{RunId, WorkerId};
use shared::store::runs::{self, Claim};
use shared::store::{Db, Result};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Claims of one statement at most.
const MOST: usize = 64;

/// The claims that wait.
#[derive(Debug, Default)]
pub(super) struct Claims {
    waiting: Mutex<Vec<Wish>>,
    under_way: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Wish {
    run_id: RunId,
    answer: oneshot::Sender<Result<Claim>>,
}

impl Claims {
    /// Claims a run. Whoever comes first asks for all that wait.
    pub async fn claim(
        &self,
        db: &Db,
        run_id: RunId,
        owner: &WorkerId,
        lease: Duration,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Result<Claim> {
        let (answer, mut mine) = oneshot::channel();
        self.lock().push(Wish { run_id, answer });
        loop {
            let _turn = tokio::select! {
                biased;
                answered = &mut mine => return answered.unwrap_or(Ok(Claim::Gone)),
                turn = self.under_way.lock() => turn,
            };
            let wishes: Vec<Wish> = {
                let mut waiting = self.lock();
                let many = waiting.len().min(MOST);
                waiting.drain(..many).collect()
            };
            if wishes.is_empty() {
                // Somebody asks for it, or has: the answer comes.
                return mine.await.unwrap_or(Ok(Claim::Gone));
            }
            let ids: Vec<RunId> = wishes.iter().map(|w| w.run_id).collect();
            let mut claims = runs::claim_all(db, &ids, owner, lease, now).await;
            for wish in wishes {
                let claim = match &mut claims {
                    Ok(claims) => Ok(claims.remove(&wish.run_id).unwrap_or(Claim::Gone)),
                    Err(error) => Err(error.clone()),
                };
                // Nobody waits any more: then the lease ends by itself, and the sweep rings.
                drop(wish.answer.send(claim));
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Wish>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
