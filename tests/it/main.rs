//! Whole-application tests.
