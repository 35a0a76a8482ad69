//! The truth: rows in SQLite or Postgres. One aggregate a file, the SQL beside its function.

pub mod accounts;
pub mod agents;
pub mod api_keys;
pub mod audit;
pub mod budgets;
pub mod db;
mod error;
pub mod identities;
pub mod logins;
pub mod messages;
pub mod migrations;
pub mod models;
pub mod pauses;
pub mod quotas;
pub mod roles;
pub mod runs;
pub mod sessions;
pub mod setup;
pub mod snapshots;
pub mod subagents;
pub mod tenants;
pub mod tryouts;
pub mod turns;
pub mod usage;
pub mod users;
pub mod workers;

pub use db::{Db, On, Options, Tx};
pub use error::{Result, StoreError};

#[cfg(test)]
pub(crate) mod tests;
