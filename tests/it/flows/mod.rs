//! What users and programs do, on the standalone and on a cluster.

mod accounts;
mod bad_input;
mod canary;
mod delegation;
mod delete;
mod doors;
mod failures;
mod limits;
mod live;
mod load;
mod openai;
mod policies;
mod security;
mod stop;
mod texts;
mod tools;
mod transport;
