//! HTTP, SSE and WebSocket: takes messages in and shows what becomes of them. Knows no SQL, no queue
//! and no bus but through `shared`.

mod auth;
mod client;
pub mod error;
mod extract;
mod first_start;
mod headers;
mod invalid;
mod live;
mod openai;
mod openapi;
mod pages;
mod rate;
mod routes;
mod server;
mod state;
mod web;
mod worker_health;

pub use first_start::{FirstStart, FirstStartError, first_start};
pub use openapi::document;
pub use routes::router;
pub use server::serve;
pub use state::{
    ApiConfig, ApiState, ModelProbe, Parts, ProbeResult, ShownTool, ShownTools, ToolInfo, Toolboxes,
};
pub use web::WebFiles;
pub use worker_health::{WorkerHealth, serve_worker};

#[cfg(test)]
mod tests;
