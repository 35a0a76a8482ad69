//! The whole application, driven from outside: real processes, real HTTP and WebSocket, a scripted
//! provider. `flows` is what users do; `faults` is what the world does to it.

mod bench_short;
mod faults;
mod flows;
mod harness;
