//! The games of a page as data for its script: which shapes each move brings and takes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::arena::matches::game_record::ArenaGame;
use crate::game::{Outcome, Side};
use crate::picture::{Film, FilmData, Step, SvgTheme, page};
use crate::registry::{Entry, Variant};
use crate::session::Position;

const SCRIPT: &str = include_str!("page.js");

/// A game: its number, who played First and Second, who won, why, the length of its opening, its steps, whether the first
/// of them sets a position up, and who made the first move.
type GameRow = (String, usize, usize, usize, String, usize, String, bool, usize);

/// The data of the script of a page.
#[derive(Serialize)]
struct PageData<'a> {
    #[serde(flatten)]
    film: FilmData<'a>,
    names: &'a [String],
    sides: [&'a str; 2],
    /// Pieces that moves bring and take.
    steps: Vec<(&'a str, &'a [usize], &'a [usize])>,
    games: &'a [GameRow],
}

/// Games on one board.
pub(super) struct Reel {
    start: Arc<dyn Position>,
    /// The game and its board.
    board: (&'static Entry, Variant),
    film: Film,
    /// Numbers of the moves with their effects, each once: many games share them.
    numbers: BTreeMap<(String, Step), usize>,
    games: Vec<GameRow>,
}

impl Reel {
    pub(super) fn new(start: &Arc<dyn Position>, board: &(&'static Entry, Variant)) -> Self {
        let film = Film::new(&**start, SvgTheme::Page);
        Reel {
            start: Arc::clone(start),
            board: board.clone(),
            film,
            numbers: BTreeMap::new(),
            games: Vec::new(),
        }
    }

    /// Takes a game up; its pair is told with a prefix. The error says which move is none.
    pub(super) fn add(&mut self, game: &ArenaGame, prefix: &str) -> Result<(), String> {
        let opening = game.beginning();
        let mut last = Arc::clone(opening.game(self.board.0, &self.board.1)?.now());
        for text in &game.moves {
            last = last.play(text).map_err(|why| why.text.into_string())?;
        }
        if last.outcome().is_some_and(|outcome| outcome != game.result) {
            return Err("its moves lead to a different result from the one recorded".to_owned());
        }
        let steps = self.film.steps(&last);
        // A position from which the game begins is set up by the first step.
        let set_up = opening.position.iter().map(|position| format!("{position}:"));
        let texts = set_up.chain(last.played());
        let number = |(text, step): (String, Step)| {
            let next = self.numbers.len();
            in_base_36(*self.numbers.entry((text, step)).or_insert(next))
        };
        let line: Vec<String> = texts.zip(steps).map(number).collect();
        let winner = match game.result {
            Outcome::Win(side) => side.index(),
            Outcome::Draw => 2,
        };
        let [first, second] = game.engines;
        let (number, reason) = (format!("{prefix}{}.{}", game.unit + 1, game.game + 1), game.reason.clone());
        let (begun, steps) = (line.len() - game.moves.len(), line.join(" "));
        let (is_set_up, mover) = (opening.position.is_some(), game.first_mover.index());
        self.games.push((number, first, second, winner, reason, begun, steps, is_set_up, mover));
        Ok(())
    }

    /// The script with all that it needs.
    pub(super) fn script(&self, names: &[String]) -> String {
        let mut steps: Vec<_> = self.numbers.iter().collect();
        steps.sort_by_key(|(_, number)| **number);
        let steps = steps.into_iter().map(|((text, step), _)| (text.as_str(), &*step.come, &*step.go));
        let data = PageData {
            film: self.film.data(),
            names,
            sides: Side::BOTH.map(|side| *self.start.side_name(side)),
            steps: steps.collect(),
            games: &self.games,
        };
        page::script(&data, SCRIPT)
    }
}

/// A number as scripts read it with `parseInt(text, 36)`.
fn in_base_36(mut number: usize) -> String {
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % 36).expect("below 36");
        digits.push(char::from_digit(digit, 36).expect("a digit"));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}
