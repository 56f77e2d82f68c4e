//! Entry point of the `crosspath` program; the library does all the work.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    crosspath::run_program(crosspath::registry::GAMES, std::env::args_os())
}
