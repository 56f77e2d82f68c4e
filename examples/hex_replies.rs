//! Finds the replies on a small board that an engine needs in its opening book because its prover cannot find them in time.
//! Uses only the rules and the prover.
//!
//! ```text
//! cargo run --release --example hex_replies -- 7 100 > openings/hex-7x7-replies.txt
//! ```
//!
//! The arguments are the board size and a number of positions. For each first stone and each answer, prints the winner's reply
//! if the prover needs more positions than that to find it. A line has the stones in the order of play, `=` and the reply.
//! Positions that are equal, or equal after a rotation, are printed once.

#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::proof::{HexProof, HexProver};
use crosspath::ai::{Limits, SearchBudget, SearchControl};
use crosspath::game::{Game, Notation};
use crosspath::games::hex::{Hex, Move, SwapRule};

/// Table of the unlimited prover, in MiB.
const MEMORY: usize = 512;

struct Replies {
    /// Prover that keeps its earlier proofs.
    whole: HexProver,
    /// Prover that starts empty, like an engine at the start of a move.
    fresh: HexProver,
    /// Positions that an engine may search.
    positions: u64,
    /// Positions visited, each in the smaller of its two rotations.
    seen: BTreeSet<String>,
    played: Vec<Move>,
}

/// Proves who wins within a number of positions.
fn prove_within(prover: &mut HexProver, game: &Hex, positions: Option<u64>) -> Option<HexProof> {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: positions, ..Limits::default() };
    prover.prove(game, &mut SearchBudget::start::<Move>(&SearchControl::without_reports(limits, &stop)))
}

impl Replies {
    /// Visits a position whose mover wins, and all that follow.
    fn visit(&mut self, game: &mut Hex) {
        self.fresh.clear();
        if !self.is_new(game) || prove_within(&mut self.fresh, game, Some(self.positions)).is_some() {
            return;
        }
        let known = prove_within(&mut self.whole, game, None).expect("there is no limit");
        let reply = Move::Place(known.mv.expect("the mover wins"));
        let line: Vec<String> = self.played.iter().map(|&mv| game.format_move(mv)).collect();
        println!("{}={}", line.join(" "), game.format_move(reply));
        let undo = self.make(game, reply);
        self.visit_replies(game);
        self.unmake(game, reply, undo);
    }

    /// Visits all positions after the moves of the loser.
    fn visit_replies(&mut self, game: &mut Hex) {
        let mut moves = Vec::new();
        game.push_legal_moves(&mut moves);
        for mv in moves {
            let undo = self.make(game, mv);
            if game.outcome().is_none() {
                self.visit(game);
            }
            self.unmake(game, mv, undo);
        }
    }

    fn make(&mut self, game: &mut Hex, mv: Move) -> <Hex as Game>::Undo {
        self.played.push(mv);
        game.make_move(mv)
    }

    fn unmake(&mut self, game: &mut Hex, mv: Move, undo: <Hex as Game>::Undo) {
        self.played.pop();
        game.unmake_move(mv, undo);
    }

    fn is_new(&mut self, game: &Hex) -> bool {
        let stones = || game.stones().iter().map(|stone| stone.map_or('.', |side| ['x', 'o'][side as usize]));
        let (own, turned): (String, String) = (stones().collect(), stones().rev().collect());
        self.seen.insert(own.min(turned))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let size = usize::try_from(numbers.next().ok_or("the board size is missing")??)?;
    let positions = numbers.next().ok_or("the number of positions is missing")??;
    let mut game = Hex::new(size, SwapRule::Off)?;
    let (whole, fresh) = (HexProver::new(size, MEMORY), HexProver::new(size, 1));
    let mut replies = Replies { whole, fresh, positions, seen: BTreeSet::new(), played: Vec::new() };
    println!("# Hex {size}x{size}: winning replies that take more than {positions} positions to find");
    for cell in game.clone().grid().cells() {
        let mv = Move::Place(cell);
        let undo = replies.make(&mut game, mv);
        let winner = prove_within(&mut replies.whole, &game, None).ok_or("there is no limit")?.winner;
        if winner == game.to_move() {
            replies.visit(&mut game);
        } else {
            replies.visit_replies(&mut game);
        }
        replies.unmake(&mut game, mv, undo);
    }
    Ok(())
}
