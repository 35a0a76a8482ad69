//! The API as its clients see it: requests through the router and over real sockets, on SQLite, with
//! the memory queue and bus. The worker is played by the tests.

mod accounts;
mod completions;
mod contract;
mod definitions;
mod delegation;
mod doors;
mod edits;
mod family;
mod frames;
mod hardening;
mod harness;
mod input;
mod logins;
mod objects;
mod people;
mod policies;
mod polls;
mod rates;
mod replaces;
mod sessions;
mod shutdown;
mod sockets;
mod streams;
mod tryouts;
mod web;
