//! The door: everything happens in the library.
#![forbid(unsafe_code)]

fn main() {}
