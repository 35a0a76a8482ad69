//! Passwords: hashed with argon2id on threads of their own, a few at a time, so that many who log in
//! at once take neither the processor nor the memory from everybody else.

use crate::error::ApiError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use shared::secrets::Secret;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use unicode_normalization::UnicodeNormalization;

/// Hashes at the same time at most, each of which holds 19 MiB.
const MAX_AT_ONCE: usize = 4;
/// Who waits for a hash at the same time; one more is asked to come again.
const LINE: usize = 256;
/// The longest wait in the line.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a password is checked against where there is no account: 256 random bits in place of a hash,
/// with the costs of the others, so that the time does not tell.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$PS1wDJy5hfW8U5S29GXGYA$OkT0LzjxqgmqUFo/+GnS2gKYexM+pqC2XUbThGlwkBY";

/// Hashes passwords.
#[derive(Debug)]
pub struct Passwords {
    /// Held while hashing.
    threads: Arc<Semaphore>,
    /// Held from the beginning of the wait.
    line: Arc<Semaphore>,
    made: Arc<AtomicU64>,
}

/// The right to one hash now.
#[derive(Debug)]
pub struct Turn {
    held: [OwnedSemaphorePermit; 2],
    made: Arc<AtomicU64>,
}

impl Default for Passwords {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self::with((processors / 2).clamp(1, MAX_AT_ONCE), LINE)
    }
}

impl Passwords {
    fn with(at_once: usize, line: usize) -> Self {
        Self {
            threads: Arc::new(Semaphore::new(at_once)),
            line: Arc::new(Semaphore::new(line)),
            made: Arc::default(),
        }
    }

    /// Waits for a turn to hash. What may have changed in the line is to be looked at after it.
    pub async fn turn(&self) -> Result<Turn, ApiError> {
        let busy = |why: &str| ApiError::Unavailable(why.to_owned());
        let line = self.line.clone().try_acquire_owned();
        let line = line.map_err(|_| busy("too many passwords wait to be checked"))?;
        let thread = tokio::time::timeout(PATIENCE, self.threads.clone().acquire_owned()).await;
        match thread {
            Ok(Ok(thread)) => Ok(Turn { held: [thread, line], made: self.made.clone() }),
            Ok(Err(_)) | Err(_) => Err(busy("the passwords before this one take too long")),
        }
    }

    /// Hashes that were made so far.
    #[cfg(test)]
    pub fn made(&self) -> u64 {
        self.made.load(Ordering::SeqCst)
    }
}

impl Turn {
    /// The hash of a new password, in the PHC form.
    pub async fn hash(self, password: &Secret) -> Result<String, ApiError> {
        let failed = |error: argon2::password_hash::Error| ApiError::Internal(format!("hash: {error}"));
        self.with(password, move |text| {
            Argon2::default().hash_password(text).map(|hash| hash.to_string()).map_err(failed)
        })
        .await?
    }

    /// Whether the password is the one of this hash. None: nobody's; that takes as long.
    pub async fn fits(self, password: &Secret, stored: Option<String>) -> Result<bool, ApiError> {
        self.with(password, move |text| {
            let known = stored.as_deref().and_then(|hash| PasswordHash::new(hash).ok());
            let hash = match known {
                Some(hash) => hash,
                None => PasswordHash::new(NOBODY).map_err(|e| ApiError::Internal(e.to_string()))?,
            };
            Ok(Argon2::default().verify_password(text, &hash).is_ok() && stored.is_some())
        })
        .await?
    }

    /// The permits go along: a request that is dropped meanwhile makes no room for another hash.
    async fn with<T: Send + 'static>(
        self,
        password: &Secret,
        work: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        // One password, however the keyboard composed its letters (NIST SP 800-63B, 5.1.1.2).
        let text: Vec<u8> = password.expose().nfkc().collect::<String>().into_bytes();
        let done = tokio::task::spawn_blocking(move || {
            let Self { held, made } = self;
            let result = work(&text);
            made.fetch_add(1, Ordering::SeqCst);
            drop(held);
            result
        });
        done.await.map_err(|error| ApiError::Internal(format!("hash: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn hash(passwords: &Passwords, password: &str) -> String {
        passwords.turn().await.unwrap().hash(&Secret::new(password)).await.unwrap()
    }

    async fn fits(passwords: &Passwords, password: &str, stored: Option<&str>) -> bool {
        let turn = passwords.turn().await.unwrap();
        turn.fits(&Secret::new(password), stored.map(str::to_owned)).await.unwrap()
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_only() {
        let passwords = Passwords::default();
        let stored = hash(&passwords, "correct horse 馬 é").await;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash(&passwords, "correct horse 馬 é").await, "the salt is new each time");
        assert!(fits(&passwords, "correct horse 馬 é", Some(&stored)).await);
        assert!(fits(&passwords, "correct horse 馬 e\u{301}", Some(&stored)).await, "composed otherwise");
        for wrong in ["", "correct horse", "Correct horse 馬 é", stored.as_str()] {
            assert!(!fits(&passwords, wrong, Some(&stored)).await, "{wrong}");
        }
    }

    /// A vector of the reference implementation's own test.
    #[tokio::test]
    async fn hashes_of_other_costs_and_makers_are_read() {
        let passwords = Passwords::default();
        let theirs = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
        assert!(fits(&passwords, "password", Some(theirs)).await);
        assert!(!fits(&passwords, "passwort", Some(theirs)).await);
    }

    #[tokio::test]
    async fn nobody_costs_as_much_as_somebody() {
        let passwords = Passwords::default();
        let stored = hash(&passwords, "0123456789").await;
        let before = passwords.made();
        assert!(!fits(&passwords, "0123456789", None).await);
        assert!(!fits(&passwords, "0123456789", Some("not a hash")).await);
        assert_eq!(passwords.made() - before, 2);
        let costs = |hash: &str| PasswordHash::new(hash).unwrap().params.to_string();
        assert_eq!(costs(NOBODY), costs(&stored));
        let length = |hash: &str| PasswordHash::new(hash).unwrap().hash.unwrap().as_ref().len();
        assert_eq!(length(NOBODY), length(&stored));
    }

    #[tokio::test]
    async fn beyond_the_line_people_are_asked_to_come_again() {
        let passwords = Passwords::with(1, 3);
        let first = passwords.turn().await.unwrap();
        let waiting: Vec<_> = (0..2).map(|_| Box::pin(passwords.turn())).collect();
        let mut waiting = futures_util::future::join_all(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
        let refused = passwords.turn().await.unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.code()), (503, "unavailable"));
        drop(first);
        // Each of the two drops its turn only with the other's: the second has to be served meanwhile.
        let served = tokio::time::timeout(Duration::from_secs(5), async {
            let turn = passwords.turn();
            drop(waiting);
            turn.await
        });
        assert!(served.await.unwrap().is_ok(), "who left the line holds no place in it");
    }
}
