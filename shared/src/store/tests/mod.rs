//! Each function of the store on both databases.

mod access;
mod accounts;
mod api_keys;
mod audits;
mod cancels;
mod claims;
mod connection;
mod definitions;
mod deletions;
mod edits;
pub(crate) mod family;
pub(crate) mod fixture;
mod journals;
mod logins;
mod pauses;
mod quotas;
mod races;
mod readings;
mod replaces;
mod schema;
mod session_lists;
mod snapshots;
mod sweeps;
mod takes;
mod tree_cancels;
mod trees;
mod turns;
