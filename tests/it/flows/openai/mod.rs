//! The door in OpenAI's dialect.

mod errors;
mod interruptions;
mod sessions;
mod turns;
