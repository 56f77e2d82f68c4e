//! Converts the games of a page to data for its script: the shapes that each move adds and removes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::arena::matches::game_record::ArenaGame;
use crate::game::{Outcome, Side};
use crate::picture::{GameAnimation, GameAnimationData, ShapeChange, SvgTheme, page};
use crate::registry::{RegisteredGame, Variant};
use crate::session::Position;

/// JavaScript of the report page.
const PAGE_SCRIPT: &str = include_str!("page.js");

/// Row of the game list: label, indices of the engines that play First and Second, winner (2 for a draw),
/// reason, length of the opening, steps, whether the first step sets up a position, and the side that moves
/// first.
type GameListRow = (String, usize, usize, usize, String, usize, String, bool, usize);

/// Data for the script of a page.
#[derive(Serialize)]
struct PageScriptData<'a> {
    #[serde(flatten)]
    film: GameAnimationData<'a>,
    names: &'a [String],
    sides: [&'a str; 2],
    /// Steps: move text, shapes added and shapes removed.
    steps: Vec<(&'a str, &'a [usize], &'a [usize])>,
    games: &'a [GameListRow],
}

/// Games on one board, collected for the script of a page.
pub(super) struct PageGames {
    start: Arc<dyn Position>,
    /// Game and board.
    board: (&'static RegisteredGame, Variant),
    film: GameAnimation,
    /// Distinct steps and their numbers. Many games share steps.
    numbers: BTreeMap<(String, ShapeChange), usize>,
    games: Vec<GameListRow>,
}

impl PageGames {
    /// Creates an empty collection for games from this start position.
    pub(super) fn new(start: &Arc<dyn Position>, board: &(&'static RegisteredGame, Variant)) -> Self {
        let film = GameAnimation::new(&**start, SvgTheme::Page);
        PageGames {
            start: Arc::clone(start),
            board: board.clone(),
            film,
            numbers: BTreeMap::new(),
            games: Vec::new(),
        }
    }

    /// Adds a game. `prefix` goes before its pair number in the list. The error says which move is illegal.
    pub(super) fn add_game(&mut self, game: &ArenaGame, prefix: &str) -> Result<(), String> {
        let opening = game.to_opening();
        let mut last = Arc::clone(opening.start_game(self.board.0, &self.board.1)?.current());
        for text in &game.moves {
            last = last.play(text).map_err(|why| why.text.into_string())?;
        }
        if last.outcome().is_some_and(|outcome| outcome != game.result) {
            return Err("its moves lead to a different result from the one recorded".to_owned());
        }
        let steps = self.film.add_game(&last);
        // If the game starts from a given position, the first step sets it up.
        let set_up = opening.position.iter().map(|position| format!("{position}:"));
        let texts = set_up.chain(last.played_moves());
        let number = |(text, step): (String, ShapeChange)| {
            let next = self.numbers.len();
            to_base_36(*self.numbers.entry((text, step)).or_insert(next))
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

    /// Renders the script with its data.
    pub(super) fn render_script(&self, names: &[String]) -> String {
        let mut steps: Vec<_> = self.numbers.iter().collect();
        steps.sort_by_key(|(_, number)| **number);
        let steps = steps.into_iter().map(|((text, step), _)| (text.as_str(), &*step.added, &*step.removed));
        let data = PageScriptData {
            film: self.film.to_page_data(),
            names,
            sides: Side::BOTH.map(|side| *self.start.side_name(side)),
            steps: steps.collect(),
            games: &self.games,
        };
        page::render_page_script(&data, PAGE_SCRIPT)
    }
}

/// Formats a number in base 36, for `parseInt(text, 36)` in the script.
fn to_base_36(mut number: usize) -> String {
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
