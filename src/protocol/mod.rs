//! Text protocols by which other programs use the engines. Know rules and engines, no screen.

pub mod qtp;
