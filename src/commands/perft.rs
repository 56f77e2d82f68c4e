//! `crosspath perft`: counts the sequences of moves.

use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::{Board, position, write_out};
use crate::cli;

pub(super) fn run(perft: &cli::Perft, board: &Board) -> Result<()> {
    let session = position(board, None, perft.moves.as_deref())?;
    let stop = AtomicBool::new(false);
    for depth in 1..=perft.depth {
        let count = session.perft(depth, perft.threads.into(), &stop).expect("nobody stops it");
        write_out(format!("{depth} {count}\n"))?;
        if count == 0 {
            break; // No game reaches this depth, so none reaches a deeper one.
        }
    }
    Ok(())
}
