//! crosspath
#![forbid(unsafe_code)]

pub mod ai;
pub mod board;
pub mod canvas;
pub mod game;
pub mod games;
pub mod random;
