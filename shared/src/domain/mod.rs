//! The pure core: data and decisions, no I/O.

pub mod agents;
pub mod budgets;
pub mod conversation;
pub mod decide;
pub mod delegation;
pub mod events;
pub mod history;
pub mod ids;
pub mod jobs;
pub mod journal;
pub mod messages;
pub mod models;
pub mod pauses;
pub mod runs;
pub mod sessions;
pub mod subagents;
pub mod text;
pub mod todos;
pub mod tools;
pub mod view;
pub mod waits;
