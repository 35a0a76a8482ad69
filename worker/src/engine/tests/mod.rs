//! The engine with the scripted provider, on both databases, memory queue and bus.

mod counting_tools;
mod delegation;
mod fairness;
mod fixture;
mod here;
mod results;
mod takeover;
mod turns;
