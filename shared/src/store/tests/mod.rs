//! Each function of the store on both databases.

mod claims;
mod fixture;
