#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod ai;
pub mod arena;
pub mod bench;
pub mod board;
pub mod canvas;
#[doc(hidden)] // the inside of the program, open for its tests
#[expect(
    clippy::must_use_candidate,
    reason = "only the program and its tests call it, and they use what they get"
)]
pub mod cli;
mod commands;
pub mod game;
pub mod games;
mod interrupt;
#[doc(hidden)] // the same
pub mod journal;
mod messages;
pub mod picture;
pub mod play;
pub mod protocol;
pub mod random;
pub mod record;
pub mod registry;
pub mod session;
#[doc(hidden)] // the same
#[expect(
    clippy::must_use_candidate,
    reason = "only the program and its tests call it, and they use what they get"
)]
pub mod ui;
#[doc(hidden)] // the same
pub mod worker;

pub use commands::run;
#[doc(hidden)] // the same
pub use commands::with_settings;
