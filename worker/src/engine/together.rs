//! Wishes that come while one is under way leave together in the next statement: alone on an idle
//! worker, in company on a busy one.

use std::sync::{Mutex, PoisonError};
use tokio::sync::oneshot;

/// Wishes of one statement at most.
const MOST: usize = 64;

/// The wishes that wait.
#[derive(Debug)]
pub(super) struct Together<W, A> {
    waiting: Mutex<Vec<(W, oneshot::Sender<A>)>>,
    under_way: tokio::sync::Mutex<()>,
}

impl<W, A> Default for Together<W, A> {
    fn default() -> Self {
        Self { waiting: Mutex::default(), under_way: tokio::sync::Mutex::default() }
    }
}

impl<W, A> Together<W, A> {
    /// Asks for something. Whoever comes first carries out all that wait, and gives an answer for each, in
    /// their order; not before `company` is over, unless somebody else does. None: who did so ended
    /// before it had an answer.
    pub async fn ask<F, Fut>(&self, wish: W, company: impl Future<Output = ()>, carry_out: F) -> Option<A>
    where
        F: Fn(Vec<W>) -> Fut,
        Fut: Future<Output = Vec<A>>,
    {
        let (answer, mut mine) = oneshot::channel();
        self.lock().push((wish, answer));
        tokio::select! {
            biased;
            answered = &mut mine => return answered.ok(),
            () = company => {}
        }
        loop {
            let _turn = tokio::select! {
                biased;
                answered = &mut mine => return answered.ok(),
                turn = self.under_way.lock() => turn,
            };
            let (wishes, askers): (Vec<W>, Vec<_>) = {
                let mut waiting = self.lock();
                let many = waiting.len().min(MOST);
                waiting.drain(..many).unzip()
            };
            if wishes.is_empty() {
                // Somebody asks for it, or has: the answer comes.
                return mine.await.ok();
            }
            for (asker, answer) in askers.into_iter().zip(carry_out(wishes).await) {
                // Nobody may wait any more: what was done for it is undone when the answer is dropped.
                drop(asker.send(answer));
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(W, oneshot::Sender<A>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::{join_all, pending, ready};

    #[tokio::test]
    async fn what_waits_leaves_together_and_each_gets_its_own_answer() {
        let together = Together::default();
        let sizes = Mutex::new(Vec::new());
        let double = async |wish: usize| {
            let carried_out = together.ask(wish, ready(()), async |wishes: Vec<usize>| {
                sizes.lock().unwrap().push(wishes.len());
                tokio::task::yield_now().await;
                wishes.iter().map(|w| w * 2).collect()
            });
            carried_out.await
        };
        let answers = join_all((0..150).map(double)).await;
        assert_eq!(answers, (0..150).map(|w| Some(w * 2)).collect::<Vec<_>>());
        assert_eq!(*sizes.lock().unwrap(), [1, 64, 64, 21]);
    }

    #[tokio::test]
    async fn who_waits_for_company_leaves_with_the_next_one() {
        let together = Together::default();
        let add_up = async |wishes: Vec<usize>| vec![wishes.iter().sum(); wishes.len()];
        let answers = tokio::join!(
            together.ask(1, pending(), add_up),
            together.ask(2, pending(), add_up),
            together.ask(4, ready(()), add_up)
        );
        assert_eq!(answers, (Some(7), Some(7), Some(7)));
    }
}
