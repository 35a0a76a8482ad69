//! Turns: a user's message, the placeholder of its answer, and the run that is to fill it.

mod accept;
mod busy;
mod delete;
mod edit;
mod find;
mod known;
mod replace;

pub use accept::{AcceptOutcome, AcceptedTurn, AgentRef, NewTurn, accept, accept_counted};
pub(super) use delete::lock_session;
pub use delete::{DeletedTurn, delete};
pub use edit::{EditOutcome, agent_of, edit};
pub use find::{Turn, find, find_many};
pub use replace::Replaces;
