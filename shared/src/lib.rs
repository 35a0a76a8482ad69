//! What the API and the workers agree on: the domain, the stores, the queue, the bus, the limits
//! and the use cases that both sides need.

pub mod app;
pub mod bus;
pub mod clock;
pub mod config;
#[cfg(debug_assertions)]
pub mod crash;
pub mod domain;
#[cfg(test)]
mod layers;
pub mod limits;
pub mod queue;
pub mod secrets;
pub mod store;
pub mod telemetry;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod wire;
