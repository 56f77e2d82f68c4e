//! Tic-tac-toe, Hex and Quoridor: rules, engines, records and the terminal program `crosspath`.
//!
//! This is the library behind the program. `README.md` introduces the program, and
//! `docs/manual.md` explains how to play.
//!
//! | module | content |
//! |---|---|
//! | [`game`] | the traits that a game implements, and perft |
//! | [`board`], [`canvas`], [`drawing`] | square boards and the hex grid; character and pixel drawings of boards |
//! | [`games`] | the rules of each game |
//! | [`ai`] | engines: minimax, alpha-beta, Monte Carlo tree search, networks, provers and the levels of each game |
//! | [`session`], [`registry`] | positions of any game, immutable and object-safe; the list of games |
//! | [`record`], [`picture`] | move files; SVG pictures |
//! | [`play`] | the match: a pure state machine without threads, clocks, input or output |
//! | [`protocol`] | the engine as a server of GTP, QTP and EP5, and as a client of other programs |
//! | [`arena`], [`mod@bench`] | matches, statistics, self-play and jobs in parts; the benchmark |
//! | [`random`] | seeded random streams |
//! | [`mod@text`] | sentences whose sides, keys and moves are marked |
//!
//! # Example
//!
//! Finds a game by its name, plays moves, and lets a level reply:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use crosspath::ai::{EngineConfig, EngineKind, Limits};
//! use crosspath::registry::{Variant, find_game};
//! use crosspath::session::EngineRequest;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut session = find_game("tic-tac-toe")?.new_history(&Variant::of_size(3))?;
//! session.play("a1")?;
//! session.play("c3")?;
//! session.play("a2")?;
//! // Level 4 blocks the column, with seed 7.
//! let mut engine = session.build_engine(EngineKind::Level(4), &EngineConfig::new(7, 0))?;
//! let stop = AtomicBool::new(false);
//! let answer = engine.answer(EngineRequest::Move, &*session, Limits::default(), &stop, &|_| ())?;
//! assert_eq!(answer.text, "a3");
//! # Ok(())
//! # }
//! ```
//!
//! `examples/self_play.rs` plays a whole game between two engines, and `examples/fourth_game.rs` adds its own
//! game to the program through [`run_program`].
#![forbid(unsafe_code)]

pub mod ai;
pub mod arena;
pub mod bench;
pub mod board;
pub mod canvas;
#[doc(hidden)] // internal; public only for tests
pub mod cli;
mod commands;
pub mod drawing;
#[doc(hidden)] // internal; public only for tests
pub mod external;
pub mod game;
pub mod games;
mod interrupt;
#[doc(hidden)] // internal; public only for tests
pub mod journal;
#[doc(hidden)] // internal; public only for tests
#[expect(
    clippy::must_use_candidate,
    reason = "only the program and its tests call it, and they use the results"
)]
pub mod messages;
mod parallel;
pub mod picture;
mod platform;
pub mod play;
pub mod protocol;
pub mod random;
pub mod record;
pub mod registry;
pub mod session;
mod side;
#[doc(hidden)] // internal; public only for tests
pub mod stdin;
pub mod text;
#[doc(hidden)] // internal; public only for tests
pub mod thinking;
#[doc(hidden)] // internal; public only for tests
#[expect(
    clippy::must_use_candidate,
    reason = "only the program and its tests call it, and they use the results"
)]
pub mod ui;

#[doc(hidden)] // internal; public only for tests
pub use commands::merge_config_text;
pub use commands::run_program;
