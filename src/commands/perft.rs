//! Command `crosspath perft`: counts move sequences.

use std::sync::atomic::AtomicBool;

use anyhow::Result;

use super::{RequestedBoard, parse_position_flags, write_stdout};
use crate::cli;

/// Runs `crosspath perft`.
pub(super) fn run_perft_command(perft: &cli::PerftArgs, board: &RequestedBoard) -> Result<()> {
    let session = parse_position_flags(board, None, perft.moves.as_deref())?;
    let stop = AtomicBool::new(false);
    for depth in 1..=perft.depth {
        let count = session.perft(depth, perft.threads.into(), &stop).expect("nobody stops it");
        write_stdout(format!("{depth} {count}\n"))?;
        if count == 0 {
            break; // No game is this long, so deeper counts are 0.
        }
    }
    Ok(())
}
