//! What the tests of this and the other crates share.

pub mod databases;
