//! The engines of tic-tac-toe. Know the rules, nothing of screens.

use crate::ai::minimax::{Distance, Minimax, Ties, best_moves};
use crate::ai::{Choice, Control, Engine, Info, Level, Meter, Setup, Situation, Tier, winning_moves};
use crate::game::{Game, Side};
use crate::games::tictactoe::{Cell, TicTacToe};

/// The levels, weakest first, `classic` in front.
#[must_use]
pub fn engines() -> Vec<Tier<TicTacToe>> {
    fn tier(level: Level, build: fn(&TicTacToe, Setup) -> Box<dyn Engine<TicTacToe>>) -> Tier<TicTacToe> {
        Tier { level, build }
    }
    vec![
        tier(Level::Classic, |_, setup| {
            Box::new(Classic { ties: Ties::Random(Box::new(setup.generator())) })
        }),
        tier(Level::Number(1), |_, setup| {
            Box::new(Reflex { skill: Skill::Random, ties: Ties::Random(Box::new(setup.generator())) })
        }),
        tier(Level::Number(2), |_, setup| {
            Box::new(Reflex { skill: Skill::Wins, ties: Ties::Random(Box::new(setup.generator())) })
        }),
        tier(Level::Number(3), |_, setup| {
            Box::new(Reflex { skill: Skill::Blocks, ties: Ties::Random(Box::new(setup.generator())) })
        }),
        tier(Level::Number(4), |_, setup| {
            Box::new(Reflex { skill: Skill::Lines, ties: Ties::Random(Box::new(setup.generator())) })
        }),
    ]
}

/// The original program's algorithm: full-width minimax, as deep as a million leaf positions allow.
#[derive(Debug)]
struct Classic {
    ties: Ties,
}

/// The largest depth at which at most a million sequences lie below a board with `empty` free cells.
fn classic_depth(empty: u32) -> u32 {
    let mut sequences: u64 = 1;
    for depth in 0..empty {
        sequences *= u64::from(empty - depth);
        if sequences > 1_000_000 {
            return depth;
        }
    }
    empty
}

impl Engine<TicTacToe> for Classic {
    fn choose(&mut self, at: &Situation<'_, TicTacToe>, control: &Control<'_, Cell>) -> Choice<Cell> {
        let mut game = at.now.clone();
        let cells = game.size() * game.size();
        let bound = i32::try_from(cells).expect("at most 100 cells") + 2;
        let depth = control.limits.depth.unwrap_or_else(|| classic_depth(game.empty().count_ones())).max(1);
        let mut meter = Meter::start(control);
        let minimax = Minimax { bound, distance: Distance::Counted };
        let values = minimax.root_values(&mut game, depth, &mut meter);
        let mv = self.ties.pick(&best_moves(&values)).unwrap_or_else(|| first_move(&game));
        let score = values.iter().map(|&(_, value)| value).max();
        Choice {
            mv,
            info: Info { nodes: meter.nodes, depth, score, pv: vec![mv], elapsed: meter.elapsed() },
            status: None,
        }
    }
}

fn first_move(game: &TicTacToe) -> Cell {
    crate::games::tictactoe::cells(game.empty()).next().expect("a running game has a free cell")
}

/// What a player who does not look ahead pays attention to; each skill includes those above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Skill {
    Random,
    Wins,
    Blocks,
    Lines,
}

/// A player who does not look ahead.
#[derive(Debug)]
struct Reflex {
    skill: Skill,
    ties: Ties,
}

impl Engine<TicTacToe> for Reflex {
    fn choose(&mut self, at: &Situation<'_, TicTacToe>, control: &Control<'_, Cell>) -> Choice<Cell> {
        let meter = Meter::start(control);
        let mut game = at.now.clone();
        let candidates = candidates(&mut game, self.skill);
        let mv = self.ties.pick(&candidates).expect("a running game has a free cell");
        let nodes = u64::from(self.skill > Skill::Random) * u64::from(game.empty().count_ones());
        let depth = u32::from(self.skill > Skill::Random);
        Choice {
            mv,
            info: Info { nodes, depth, score: None, pv: vec![mv], elapsed: meter.elapsed() },
            status: None,
        }
    }
}

/// The moves among which a player of that skill draws.
fn candidates(game: &mut TicTacToe, skill: Skill) -> Vec<Cell> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    if skill >= Skill::Wins {
        let wins = winning_moves(game);
        if !wins.is_empty() {
            return wins;
        }
    }
    if skill >= Skill::Blocks {
        let threats: Vec<Cell> =
            moves.iter().copied().filter(|&mv| wins_at(game, game.to_move().other(), mv)).collect();
        if !threats.is_empty() {
            return threats;
        }
    }
    if skill >= Skill::Lines {
        let scored: Vec<(Cell, i64)> = moves.iter().map(|&mv| (mv, line_score_after(game, mv))).collect();
        let best = scored.iter().map(|&(_, score)| score).max();
        moves = scored.into_iter().filter(|&(_, score)| Some(score) == best).map(|(mv, _)| mv).collect();
    }
    moves
}

/// Whether a stone of `side` on `cell` completes a line.
fn wins_at(game: &TicTacToe, side: Side, cell: Cell) -> bool {
    let own = game.stones(side) | cell.bit();
    game.lines().through(cell.index()).iter().any(|line| line & own == *line)
}

/// The line score after the mover's stone on `cell`: 4^(own stones) for every line without an opposing stone, less the
/// same for the opponent.
fn line_score_after(game: &TicTacToe, cell: Cell) -> i64 {
    let side = game.to_move();
    let (own, opp) = (game.stones(side) | cell.bit(), game.stones(side.other()));
    let side_score = |mine: u128, theirs: u128| -> i64 {
        let live = game.lines().all().iter().filter(|&&line| line & theirs == 0);
        live.map(|line| 1 << (2 * (line & mine).count_ones())).sum()
    };
    side_score(own, opp) - side_score(opp, own)
}
