//! What executes runs: the engine's driver, the model client, the tools.

pub mod engine;
pub mod llm;
pub mod source;
pub mod tools;
