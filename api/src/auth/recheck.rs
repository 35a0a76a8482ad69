//! What lasts longer than a request is only for whom it was begun: a login that ends, a key that is
//! revoked and a right that is taken away end the sockets and streams that they opened.

use super::credential::Credential;
use super::layer::Authenticated;
use crate::error::ApiError;
use crate::state::ApiState;
use shared::domain::access::Principal;
use shared::domain::audit::By;
use std::time::Duration;
use tokio::time::Instant;

/// So long after the last look a socket or stream may go on.
pub const RECHECK_EVERY: Duration = Duration::from_secs(10);

/// Somebody who is looked up anew from time to time.
#[derive(Debug)]
pub struct Recheck {
    state: ApiState,
    who: Authenticated,
    due: Instant,
}

impl Recheck {
    /// Of somebody who was looked up a moment ago.
    pub fn new(state: ApiState, who: Authenticated) -> Self {
        Self { state, who, due: Instant::now() + RECHECK_EVERY }
    }

    /// Who it is.
    pub fn principal(&self) -> &Principal {
        &self.who.principal
    }

    /// Takes a frame from their rates.
    pub async fn pay(&self) -> Result<(), ApiError> {
        self.state.rates.take(&self.who.payers).await.check()
    }

    /// As the audit names them.
    pub fn acting(&self) -> By {
        self.who.acting()
    }

    /// Whether it is the operator.
    pub fn is_operator(&self) -> bool {
        self.who.credential == Credential::Operator
    }

    /// Whether the look is due; never for the operator, whose token is this process's own.
    pub fn is_due(&self) -> bool {
        !self.is_operator() && Instant::now() >= self.due
    }

    /// Looks now. False: they are not who they were, or may not do what they could. Where the database
    /// is away the last look counts.
    pub async fn holds(&mut self) -> bool {
        self.due = Instant::now() + RECHECK_EVERY;
        match self.who.credential.still(&self.state, &self.who.principal).await {
            Ok(holds) => holds,
            Err(error) => {
                error.log();
                true
            }
        }
    }
}
