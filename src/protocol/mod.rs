//! Text protocols by which other programs use the engines. Know rules and engines, no screen.

pub mod ep5;
pub mod gtp;
mod input;
pub mod process;
pub mod qtp;
mod seats;
pub mod shell;

pub(crate) use input::GRACE;
pub use input::{Ahead, LONGEST_LINE, next_line, read_ahead};
pub(crate) use input::{LookAhead, has_input_within, is_in_foreground, read_ahead_and_tell};
