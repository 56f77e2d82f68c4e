//! First stones and the decision to swap them. This module depends on the rules, the solved small boards and
//! the strategy of level 3.

use rand::RngExt;

use crate::ai::hex::path_overlap::PathBlocker;
use crate::ai::{SearchBudget, SearchControl};
use crate::board::names::parse_cell_name;
use crate::game::{Game, Outcome, Side};
use crate::games::hex::{Cell, Hex, Move};
use crate::random::RandomGenerator;

/// First stones with which First wins, by board size: rows from the top, `W` for a win. Sizes 1 to 4 come
/// from three programs, 5 and 6 from two, 7 from the prover.
const WINNING_FIRST_STONES: [&str; 7] = [
    "W",
    ".W/W.",
    "..W/WWW/W..",
    "...W/..W./.W../W...",
    "....W/.WWWW/.WWW./WWWW./W....",
    ".....W/.WWWWW/WWWWWW/WWWWWW/WWWWW./W.....",
    "......W/..W.WWW/.WWWWW./WWWWWWW/.WWWWW./WWW.W../W......",
];

/// Reports whether First wins with this first stone under best play without a swap. Returns `None` where the
/// result is not known.
///
/// ```
/// use crosspath::ai::hex::swap::first_stone_wins;
/// use crosspath::board::hexgrid::Cell;
/// let results = [(3, 0), (3, 4), (8, 4)].map(|(size, cell)| first_stone_wins(size, Cell::new(cell)));
/// assert_eq!(results, [Some(false), Some(true), None]);
/// ```
#[must_use]
pub fn first_stone_wins(size: usize, cell: Cell) -> Option<bool> {
    let row = WINNING_FIRST_STONES.get(size.checked_sub(1)?)?.split('/').nth(cell.index() / size)?;
    row.as_bytes().get(cell.index() % size).map(|&mark| mark == b'W')
}

/// Returns first stones that players consider balanced: after one of them, a swap matters little.
///
/// Up to 7x7 these are the stones with which First loses. On larger boards they are the cells that players
/// find fair on 11x11: c2, and a3 to the third last of column a, with their 180-degree rotations, and on
/// 11x11 a few more.
///
/// ```
/// use crosspath::ai::hex::swap::conventional_openings;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// assert!(conventional_openings(&game).iter().any(|&cell| game.format_cell(cell) == "c2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn conventional_openings(game: &Hex) -> Vec<Cell> {
    let grid = game.grid();
    let n = grid.size();
    let lost: Vec<Cell> = grid.cells().filter(|&cell| first_stone_wins(n, cell) == Some(false)).collect();
    if n <= WINNING_FIRST_STONES.len() {
        return if lost.is_empty() { vec![Cell::new(0)] } else { lost };
    }
    let mut places = vec![(1, 2)];
    places.extend((2..n - 2).map(|row| (row, 0)));
    if n == 11 {
        places.retain(|&place| place != (8, 0)); // a9 is not on the list for 11x11; a11 and i2 are.
        places.extend([(10, 0), (1, 8)]);
    }
    let cells = places.into_iter().filter_map(|(row, col)| grid.cell_at(row, col));
    cells.flat_map(|cell| [cell, grid.rotated_180(cell)]).collect()
}

/// Win chances of first stones from 7x7 to 19x19, measured by crosspath's searches. A line such as `7: a2=48
/// b1=53` gives the board size, and stones with First's win chance in percent. Each stone also stands for its
/// 180-degree rotation.
const FIRST_STONE_WIN_CHANCES: &str = include_str!("../../../openings/hex-first-stones.txt");

/// Returns first stones that searches found fair, with their 180-degree rotations, from 7x7 to 19x19. On
/// other boards, returns the [`conventional_openings`].
///
/// ```
/// use crosspath::ai::hex::swap::balanced_openings;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let game = Hex::new(11, SwapRule::On)?;
/// let names: Vec<String> = balanced_openings(&game).iter().map(|&cell| game.format_cell(cell)).collect();
/// assert!(names.contains(&"k4".to_owned()) && names.contains(&"a8".to_owned()), "k4 and its rotation");
/// assert!(!names.contains(&"f6".to_owned()), "the centre is too strong");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn balanced_openings(game: &Hex) -> Vec<Cell> {
    let grid = game.grid();
    let of_size = |line: &'static str| {
        let (number, stones) = line.split_once(':')?;
        (number.parse() == Ok(grid.size())).then_some(stones)
    };
    let Some(stones) = FIRST_STONE_WIN_CHANCES.lines().find_map(of_size) else {
        return conventional_openings(game);
    };
    let places = stones.split_whitespace().filter_map(|stone| parse_cell_name(stone.split('=').next()?));
    let cells = places.filter_map(|(col, row)| grid.cell_at(row, col));
    cells.flat_map(|cell| [cell, grid.rotated_180(cell)]).collect()
}

/// Work limit of all trial games together: below 0.1 s up to 14x14. The work of one game is the fourth power
/// of the board size.
const SWAP_TRIAL_WORK: usize = 350_000;
/// Maximum number of trial games.
const MAX_TRIAL_GAMES: usize = 32;
/// Minimum number of trial games.
const MIN_TRIAL_GAMES: usize = 1;
/// Average number of trial moves per random one.
const RANDOM_TRIAL_MOVE_ONE_IN: u32 = 3;
/// Number of best moves from which a random trial move is drawn.
const RANDOM_TRIAL_MOVE_CHOICES: usize = 4;

/// Decides whether to swap by trial games of level 3 against itself.
#[derive(Debug, Default)]
pub(crate) struct SwapDecider {
    block: PathBlocker,
}

impl SwapDecider {
    /// Reports whether the mover should swap the only stone.
    pub(crate) fn should_swap(
        &mut self,
        game: &Hex,
        generator: &mut RandomGenerator,
        control: &SearchControl<'_, Move>,
    ) -> bool {
        let n = game.size();
        if let Some(wins) = game.first_stone().and_then(|cell| first_stone_wins(n, cell)) {
            return wins;
        }
        let games = (SWAP_TRIAL_WORK / n.pow(4)).clamp(MIN_TRIAL_GAMES, MAX_TRIAL_GAMES);
        // Use at most half of the time: the move is still to be found.
        let limits = control.limits.divide_time(2);
        let mut budget = SearchBudget::start(&SearchControl { limits, ..*control });
        let (mut won, mut played) = (0, 0);
        while played < games && budget.count_node() {
            let Some(winner) = self.play_trial_game(game, generator, &budget) else { break };
            won += usize::from(winner == Side::First);
            played += 1;
        }
        2 * won > played
    }

    /// Plays one game to its end and returns the winner, or `None` if the time ran out.
    fn play_trial_game(
        &mut self,
        game: &Hex,
        generator: &mut RandomGenerator,
        budget: &SearchBudget<'_>,
    ) -> Option<Side> {
        let mut game = game.clone();
        let mut last = None;
        let mut cells = Vec::new();
        loop {
            if let Some(winner) = game.outcome().and_then(Outcome::winner) {
                return Some(winner);
            }
            if budget.is_time_up_or_stopped() {
                return None;
            }
            cells.clear();
            if generator.random_range(0..RANDOM_TRIAL_MOVE_ONE_IN) == 0 {
                self.block.append_promising_cells(&game, last, RANDOM_TRIAL_MOVE_CHOICES, &mut cells);
            } else {
                self.block.append_best_cells(&game, last, &mut cells);
            }
            let cell = cells[generator.random_range(0..cells.len())];
            game.make_move(cell.into());
            last = Some(cell);
        }
    }
}
