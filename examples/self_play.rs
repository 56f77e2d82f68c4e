//! Plays a game of tic-tac-toe between two engines and prints every position.
//!
//! `cargo run --release --example self_play`

use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

use crosspath::ai::{EngineConfig, EngineKind, Limits};
use crosspath::canvas::PaintOptions;
use crosspath::registry::{Variant, find_game};
use crosspath::session::EngineRequest;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut session = find_game("tic-tac-toe")?.new_history(&Variant::of_size(4))?;
    let machine = |level, stream| session.build_engine(level, &EngineConfig::new(7, stream));
    let mut players = [machine(EngineKind::Level(4), 0)?, machine(EngineKind::Level(2), 1)?];
    let stop = AtomicBool::new(false);
    let mut out = io::stdout().lock();
    while session.outcome().is_none() {
        let player = &mut players[session.to_move().index()];
        let answer = player.answer(EngineRequest::Move, &*session, Limits::default(), &stop, &|_| ())?;
        session.play(&answer.text)?;
        writeln!(
            out,
            "{}. {}\n{}",
            session.plies(),
            answer.text,
            session.paint_board(PaintOptions::default()).to_text()
        )?;
    }
    writeln!(out, "{}", session.describe_ending().unwrap_or_default())?;
    Ok(())
}
