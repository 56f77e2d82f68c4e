//! Shared helpers of the Quoridor tests.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crosspath::ai::quoridor::solve::{QuoridorSolution, QuoridorSolveError, solve_quoridor};
use crosspath::ai::{Limits, SolveControl};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::quoridor::{Cell, Move, Orientation, Quoridor, Wall};
use crosspath::random::RandomGenerator;
use rand::RngExt;

/// Returns a square board without a ply limit.
pub(crate) fn board(size: usize, walls: u16) -> Quoridor {
    Quoridor::with_walls(size, size, walls).unwrap().with_ply_limit(None)
}

pub(crate) fn play(game: &mut Quoridor, moves: &str) -> Vec<Move> {
    let mut played = Vec::new();
    for text in moves.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make_move(mv).unwrap_or_else(|refusal| panic!("{text} in {game}: {refusal}"));
        played.push(mv);
    }
    played
}

pub(crate) fn after(size: usize, walls: u16, moves: &str) -> Quoridor {
    let mut game = board(size, walls);
    play(&mut game, moves);
    game
}

pub(crate) fn moves(game: &Quoridor) -> Vec<Move> {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves
}

pub(crate) fn wall_names(game: &Quoridor) -> BTreeSet<String> {
    moves(game).iter().filter_map(|mv| mv.wall()).map(|wall| wall.to_string()).collect()
}

/// Returns every wall of the board, legal or not.
pub(crate) fn all_walls(game: &Quoridor) -> Vec<Wall> {
    let posts = (0..game.width() - 1).flat_map(|file| (0..game.height() - 1).map(move |row| (file, row)));
    let cells = posts.map(|(file, row)| Cell::at(file, row).unwrap());
    cells.flat_map(|post| Orientation::BOTH.map(|orientation| Wall { post, orientation })).collect()
}

pub(crate) fn all_cells(game: &Quoridor) -> Vec<Cell> {
    let places = (0..game.width()).flat_map(|file| (0..game.height()).map(move |row| (file, row)));
    places.map(|(file, row)| Cell::at(file, row).unwrap()).collect()
}

/// Returns the number of steps of a side to its goal row if the board had these walls, by a breadth-first
/// search that ignores the other pawn; `None` if there is no path.
pub(crate) fn steps_with_walls(game: &Quoridor, side: Side, walls: &[Wall]) -> Option<i32> {
    let (width, height) = (game.width(), game.height());
    let is_blocked = |(file, row): (usize, usize), (to_file, to_row): (usize, usize)| {
        walls.iter().any(|wall| {
            let (f, r) = (wall.post.file(), wall.post.row());
            match wall.orientation {
                Orientation::Horizontal => {
                    file == to_file && row.min(to_row) == r && row != to_row && (f..=f + 1).contains(&file)
                }
                Orientation::Vertical => {
                    row == to_row && file.min(to_file) == f && file != to_file && (r..=r + 1).contains(&row)
                }
            }
        })
    };
    let start = (game.pawn(side).file(), game.pawn(side).row());
    let mut distances = BTreeMap::from([(start, 0)]);
    let mut open = VecDeque::from([start]);
    while let Some(cell) = open.pop_front() {
        let count = distances[&cell];
        if cell.1 == game.goal_row(side) {
            return Some(count);
        }
        for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let next = (cell.0.wrapping_add_signed(df), cell.1.wrapping_add_signed(dr));
            if next.0 < width && next.1 < height && !is_blocked(cell, next) && !distances.contains_key(&next)
            {
                distances.insert(next, count + 1);
                open.push_back(next);
            }
        }
    }
    None
}

/// Returns a legal move; walls are as likely as steps.
pub(crate) fn random_move(game: &Quoridor, generator: &mut RandomGenerator) -> Option<Move> {
    let all = moves(game);
    let steps = all.iter().filter(|mv| mv.wall().is_none()).count();
    let range =
        if generator.random_range(0..2) == 0 && steps < all.len() { steps..all.len() } else { 0..steps };
    (!range.is_empty()).then(|| all[generator.random_range(range)])
}

/// Returns the position with mirrored files if `mirror_files`, and with exchanged rows and sides if
/// `exchange`.
pub(crate) fn turned(game: &Quoridor, mirror_files: bool, exchange: bool) -> Quoridor {
    let (width, height) = (game.width(), game.height());
    let at = |file: usize, row: usize, short: usize| {
        let file = if mirror_files { width - 1 - short - file } else { file };
        let row = if exchange { height - 1 - short - row } else { row };
        Cell::at(file, row).unwrap().to_string()
    };
    let walls = |orientation: Orientation| {
        let names: Vec<String> = game
            .walls()
            .filter(|(wall, _)| wall.orientation == orientation)
            .map(|(Wall { post, .. }, _)| at(post.file(), post.row(), 1))
            .collect();
        names.join(" ")
    };
    let sides = if exchange { [Side::Second, Side::First] } else { Side::BOTH };
    let pawns = sides.map(|side| at(game.pawn(side).file(), game.pawn(side).row(), 0)).join(" ");
    let hands = sides.map(|side| game.walls_left(side).to_string()).join(" ");
    let turn = sides.iter().position(|&side| side == game.to_move()).unwrap() + 1;
    let text = format!(
        "{}/{}/{pawns}/{hands}/{turn}/{width}x{height}",
        walls(Orientation::Horizontal),
        walls(Orientation::Vertical)
    );
    Quoridor::from_position_text(&text).unwrap()
}

/// Returns an unfinished position after some random plies.
pub(crate) fn random_position(start: &Quoridor, plies: u32, generator: &mut RandomGenerator) -> Quoridor {
    loop {
        let mut copy = start.clone();
        while let Some(mv) = random_move(&copy, generator).filter(|_| copy.ply() < plies) {
            copy.make_move(mv);
        }
        if copy.outcome().is_none() {
            return copy;
        }
    }
}

/// Returns the solver's result within limits of nodes and memory.
pub(crate) fn solved(
    game: &Quoridor,
    states: Option<usize>,
    memory_mib: usize,
) -> Result<QuoridorSolution, QuoridorSolveError> {
    let limits = Limits { nodes: states.map(|states| states as u64), ..Limits::default() };
    let stop = false.into();
    solve_quoridor(
        game,
        &SolveControl { memory_mib: Some(memory_mib), ..SolveControl::without_reports(limits, &stop) },
    )
}
