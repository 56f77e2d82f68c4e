//! The first stone and whether it is taken over. Knows the rules, the solved small boards and the players of level 3.

use rand::RngExt;

use crate::ai::hex::path_overlap::Block;
use crate::ai::{SearchBudget, SearchControl};
use crate::board::names::read_cell;
use crate::game::{Game, Outcome, Side};
use crate::games::hex::{Cell, Hex, Move};
use crate::random::Generator;

/// The first stones with which First wins, by size: rows from the top, `W` for a win. Sizes 1 to 4 by three programs,
/// 5 and 6 by two, 7 by the prover.
const WINNING_FIRST_STONES: [&str; 7] = [
    "W",
    ".W/W.",
    "..W/WWW/W..",
    "...W/..W./.W../W...",
    "....W/.WWWW/.WWW./WWWW./W....",
    ".....W/.WWWWW/WWWWWW/WWWWWW/WWWWW./W.....",
    "......W/..W.WWW/.WWWWW./WWWWWWW/.WWWWW./WWW.W../W......",
];

/// Reports whether First wins with this first stone if both sides play best and there is no swap; `None` where that is
/// not known.
///
/// ```
/// use crosspath::ai::hex::swap::wins;
/// use crosspath::board::hexgrid::Cell;
/// assert_eq!([wins(3, Cell::new(0)), wins(3, Cell::new(4)), wins(8, Cell::new(4))], [Some(false), Some(true), None]);
/// ```
#[must_use]
pub fn wins(size: usize, cell: Cell) -> Option<bool> {
    let row = WINNING_FIRST_STONES.get(size.checked_sub(1)?)?.split('/').nth(cell.index() / size)?;
    row.as_bytes().get(cell.index() % size).map(|&known| known == b'W')
}

/// The first stones that players hold for about as good for either side, so that it matters little whether they are taken over.
///
/// Up to 7x7 those with which First loses, on larger boards the cells that players find fair on 11x11: c2 and a3 to
/// the third last of column a, with their half turns, and on 11x11 some more.
///
/// ```
/// use crosspath::ai::hex::swap::openings;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// assert!(openings(&game).iter().any(|&cell| game.name(cell) == "c2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn openings(game: &Hex) -> Vec<Cell> {
    let grid = game.grid();
    let n = grid.size();
    let lost: Vec<Cell> = grid.cells().filter(|&cell| wins(n, cell) == Some(false)).collect();
    if n <= WINNING_FIRST_STONES.len() {
        return if lost.is_empty() { vec![Cell::new(0)] } else { lost };
    }
    let mut places = vec![(1, 2)];
    places.extend((2..n - 2).map(|row| (row, 0)));
    if n == 11 {
        places.retain(|&place| place != (8, 0)); // a9 is not on the list for 11x11; a11 and i2 are.
        places.extend([(10, 0), (1, 8)]);
    }
    let cells = places.into_iter().filter_map(|(row, col)| grid.cell(row, col));
    cells.flat_map(|cell| [cell, grid.turned(cell)]).collect()
}

/// First stones from 7x7 to 19x19, each for its half turn too, by searches of our own. A line is `7: a2=48 b1=53`: the size, and
/// stones with the chance in percent that First wins with them.
const FIRST_STONE_CHANCES: &str = include_str!("../../../openings/hex-first-stones.txt");

/// The first stones that searches found fair, with their half turns, from 7x7 to 19x19; [`openings`] on other boards.
#[must_use]
pub fn fair_openings(game: &Hex) -> Vec<Cell> {
    let grid = game.grid();
    let of_size = |line: &'static str| {
        let (number, stones) = line.split_once(':')?;
        (number.parse() == Ok(grid.size())).then_some(stones)
    };
    let Some(stones) = FIRST_STONE_CHANCES.lines().find_map(of_size) else { return openings(game) };
    let places = stones.split_whitespace().filter_map(|stone| read_cell(stone.split('=').next()?));
    let cells = places.filter_map(|(col, row)| grid.cell(row, col));
    cells.flat_map(|cell| [cell, grid.turned(cell)]).collect()
}

/// Work of all trial games together, one of them counted as N to the fourth: below 0.1 s up to 14x14.
const TRIAL_WORK: usize = 350_000;
const MAX_GAMES: usize = 32;
const MIN_GAMES: usize = 1;
/// One trial move in this many is not the best but one of the best few.
const RANDOM_MOVE_IN: u32 = 3;
const RANDOM_MOVE_CHOICES: usize = 4;

/// Judges first stones by trial games of level 3 against itself.
#[derive(Debug, Default)]
pub(crate) struct SwapDecider {
    block: Block,
}

impl SwapDecider {
    /// Reports whether the only stone is worth being taken over.
    pub(crate) fn takes_over(
        &mut self,
        game: &Hex,
        generator: &mut Generator,
        control: &SearchControl<'_, Move>,
    ) -> bool {
        let n = game.size();
        if let Some(known) = game.first_stone().and_then(|cell| wins(n, cell)) {
            return known;
        }
        let games = (TRIAL_WORK / n.pow(4)).clamp(MIN_GAMES, MAX_GAMES);
        // At most half of the time: the move is still to be found.
        let limits = control.limits.divide_time(2);
        let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
        let (mut won, mut played) = (0, 0);
        while played < games && budget.tick() {
            let Some(winner) = self.trial(game, generator, &budget) else { break };
            won += usize::from(winner == Side::First);
            played += 1;
        }
        2 * won > played
    }

    /// The winner of one game from here on; `None` if the time was over first.
    fn trial(&mut self, game: &Hex, generator: &mut Generator, budget: &SearchBudget<'_>) -> Option<Side> {
        let mut game = game.clone();
        let mut last = None;
        let mut cells = Vec::new();
        loop {
            if let Some(winner) = game.outcome().and_then(Outcome::winner) {
                return Some(winner);
            }
            if budget.is_due() {
                return None;
            }
            cells.clear();
            if generator.random_range(0..RANDOM_MOVE_IN) == 0 {
                self.block.promising(&game, last, RANDOM_MOVE_CHOICES, &mut cells);
            } else {
                self.block.choices(&game, last, &mut cells);
            }
            let cell = cells[generator.random_range(0..cells.len())];
            game.make(cell.into());
            last = Some(cell);
        }
    }
}
