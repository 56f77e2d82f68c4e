//! Text protocols through which other programs use the engines.

pub mod ep5;
pub mod gtp;
mod history;
pub mod qtp;
mod seats;
pub mod shell;
mod watch;
