//! What users and programs do, on the standalone and on a cluster.

mod accounts;
mod audit;
mod bad_input;
mod canary;
mod changes;
mod delegation;
mod delete;
mod doors;
mod failures;
mod keys;
mod limits;
mod live;
mod load;
mod openai;
mod policies;
mod polling;
mod quotas;
mod security;
mod stop;
mod texts;
mod tools;
mod transport;
mod tryouts;
