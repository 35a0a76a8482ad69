//! The neta binary.
fn main() {}
