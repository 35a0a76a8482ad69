//! What executes runs: the engine's driver, the model client, the tools.

pub mod llm;
