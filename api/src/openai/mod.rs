//! The dialect of OpenAI's chat completions, for programs that speak it: an agent is a model, a turn
//! is a completion. What is said here goes through the same use cases as at every other door.

pub mod begin;
pub mod chunks;
pub mod error;
pub mod messages;
pub mod request;
pub mod response;
mod shown;
