//! The door: everything happens in the library.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    crosspath::run(crosspath::registry::GAMES, std::env::args_os())
}
