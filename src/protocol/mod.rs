//! Text protocols by which other programs use the engines. Know rules and engines, no screen.

pub mod ep5;
pub mod gtp;
mod history;
pub mod qtp;
mod seats;
pub mod shell;
mod watch;
