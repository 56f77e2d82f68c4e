//! `crosspath perft`: how many sequences of moves there are.

use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::{position, write_out};
use crate::cli;

pub(super) fn run(perft: &cli::Perft) -> Result<()> {
    let session = position(&perft.board, perft.moves.as_deref())?;
    let (mut count, stop) = (1, AtomicBool::new(false));
    for depth in 1..=perft.depth {
        // Where no game is so long, none is longer.
        if count > 0 {
            count = session.perft(depth, perft.threads.into(), &stop).expect("nobody stops it");
        }
        write_out(format!("{depth} {count}\n"))?;
    }
    Ok(())
}
