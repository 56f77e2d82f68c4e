//! Replays self-play games by the rules alone. Checks that every move is legal, every position has the recorded key, and
//! the result is correct.
//!
//! `cargo run --release --example check_games games.shard` prints how many games were replayed.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use crosspath::arena::jobs::shard::{Shard, ShardHeader};
use crosspath::arena::selfplay::{GameEnding, SelfplayGame};
use crosspath::game::Outcome;
use crosspath::registry::{RegisteredGame, Variant, find_game};
use serde_json::Value;

/// Board of a shard, with the text of each move number. There are no texts if numbers are indices into the legal moves.
struct Board {
    entry: &'static RegisteredGame,
    variant: Variant,
    moves: Option<Vec<String>>,
}

impl Board {
    fn of(header: &ShardHeader) -> Result<Self, Box<dyn Error>> {
        let mut variant = Variant::default();
        for (key, value) in header.get("settings").as_object().ok_or("the settings are missing")? {
            match value {
                Value::Bool(is_on) => variant.set_setting(key, if *is_on { "on" } else { "off" }),
                other => variant.set_setting(key, other),
            }
        }
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let moves = header.get("moves").as_array().and_then(|moves| moves.iter().map(text).collect());
        Ok(Board { entry: find_game(header.text_field("game"))?, variant, moves })
    }

    /// Replays a game.
    fn replay(&self, game: &SelfplayGame) -> Result<(), String> {
        let mut history = self.entry.new_history(&self.variant).map_err(|error| error.to_string())?;
        for (ply, &number) in game.moves.iter().enumerate() {
            let searched = ply.checked_sub(game.opening).map(|place| game.positions[place].key);
            if searched.is_some_and(|key| key != history.position_key()) {
                return Err(format!("the position before move {} differs", ply + 1));
            }
            let (number, legal) = (usize::from(number), history.legal_moves());
            let text =
                self.moves.as_ref().unwrap_or(&legal).get(number).ok_or("there is no move of this number")?;
            history.play(text).map_err(|why| format!("move {}: {}", ply + 1, why.reason()))?;
        }
        let is_right = match game.ending {
            GameEnding::Rules => history.outcome() == Some(game.outcome),
            GameEnding::Repetition => history.repetition_count() >= 3 && game.outcome == Outcome::Draw,
            GameEnding::Length => history.outcome().is_none() && game.outcome == Outcome::Draw,
        };
        if is_right {
            Ok(())
        } else {
            Err(format!("the result is not {:?} by {:?}", game.outcome, game.ending))
        }
    }
}

/// Replays the games of a file and returns their number.
fn check(path: &str) -> Result<usize, Box<dyn Error>> {
    let shard = Shard::load(Path::new(path))?;
    let (board, mut game, mut games) = (Board::of(&shard.header)?, SelfplayGame::default(), 0);
    for (unit, body) in shard.units() {
        let replayed = game.decode(body).map_err(str::to_owned).and_then(|()| board.replay(&game));
        replayed.map_err(|why| format!("game {unit}: {why}"))?;
        games += 1;
    }
    Ok(games)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut games = 0;
    for path in std::env::args().skip(1) {
        games += check(&path).map_err(|why| format!("{path}: {why}"))?;
    }
    writeln!(io::stdout(), "{games}")?;
    Ok(())
}
