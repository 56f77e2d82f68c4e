//! Connections as they are shown to people: the moves that are left, a win with the cells that it needs, the links of a
//! side. Knows the rules and the prover.

use crate::ai::GameHistory;
use crate::ai::hex::analyst::EFFORT;
use crate::ai::hex::proof::{HexProof, MustPlay, Prover};
use crate::game::{Game, Outcome, Side, View};
use crate::games::hex::{Cell, Hex, Move, edges_in_words};
use crate::text;
use crate::text::{Text, join, moves, of_move};

/// The largest board on which connections are found while people wait.
const MAX_SIZE_FOR_CONNECTIONS: usize = 14;
/// The most cells that a phrase names.
const MAX_NAMED_CELLS: usize = 5;
/// The most moves of a line that is told.
const MAX_LINE_MOVES: usize = 12;

/// Returns the verdict of connections on a running game, where it is found soon enough.
pub(super) fn find_must_play(game: &Hex) -> Option<MustPlay> {
    let is_open = game.size() <= MAX_SIZE_FOR_CONNECTIONS && game.outcome().is_none();
    is_open.then(|| Prover::with(game.size(), 0, EFFORT).must_play(game))
}

fn marked(cells: &[Cell], mark: char) -> impl Iterator<Item = (Move, char)> + '_ {
    cells.iter().map(move |&cell| (cell.into(), mark))
}

/// `*` on the moves that do not lose at once; where a side has won already, `w` on its move and `=` on the cells that it needs.
pub(super) fn must_play_on_the_board(at: &GameHistory<'_, Hex>) -> Vec<(Move, char)> {
    match find_must_play(at.now) {
        None => Vec::new(),
        Some(MustPlay::Among(cells, _)) => marked(&cells, '*').collect(),
        Some(MustPlay::Won(proof) | MustPlay::Lost(proof)) => {
            let needed = proof.carrier.iter().copied().filter(|&cell| Some(cell) != proof.mv);
            let needed: Vec<Cell> = needed.collect();
            marked(&needed, '=').chain(proof.mv.map(|cell| (cell.into(), 'w'))).collect()
        }
    }
}

/// Marks the cells by which a side's chains and edges are joined: `=` on the cells that it answers for, `+` where a
/// stone would join two.
pub(super) fn connections_on_the_board(at: &GameHistory<'_, Hex>, side: Side) -> Vec<(Move, char)> {
    if at.now.size() > MAX_SIZE_FOR_CONNECTIONS || at.now.outcome().is_some() {
        return Vec::new();
    }
    let (held, keys) = Prover::with(at.now.size(), 0, EFFORT).links(at.now, side);
    let keys: Vec<Cell> = keys.into_iter().filter(|cell| !held.contains(cell)).collect();
    marked(&held, '=').chain(marked(&keys, '+')).collect()
}

/// The names of cells, with blanks between.
fn names(game: &Hex, cells: &[Cell]) -> Text {
    moves(None, cells.iter().map(|&cell| game.name(cell)), " ")
}

/// Describes the must-play region in words.
pub(super) fn must_play_in_words(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let game = at.now;
    let mover = game.side_name(game.to_move());
    match find_must_play(game) {
        None => {
            let n = MAX_SIZE_FOR_CONNECTIONS;
            vec![text!("There is no must-play analysis on boards larger than {n}x{n}.")]
        }
        Some(MustPlay::Among(cells, _)) if cells.len() == game.empty().count() => {
            vec![text!("None of {mover}'s moves is known to lose.")]
        }
        Some(MustPlay::Among(cells, _)) => {
            let them = game.side_name(game.to_move().other());
            vec![
                text!("{mover} must play one of {}.", names(game, &cells)),
                text!("After any other move {them} connects {}.", edges_in_words(game.to_move().other())),
            ]
        }
        Some(MustPlay::Won(proof)) => {
            let mv = of_move(Some(game.to_move()), proof.mv.map_or_else(String::new, |cell| game.name(cell)));
            vec![
                text!("{mover} wins with {mv}, whatever the reply."),
                needed(game, &proof),
                text!("One line: {}.", line(game, MAX_LINE_MOVES)),
            ]
        }
        Some(MustPlay::Lost(proof)) => {
            let them = game.side_name(proof.winner);
            vec![
                text!("{mover} has lost: {them} has an answer to every move."),
                needed(game, &proof),
                text!("One line: {}.", line(game, MAX_LINE_MOVES)),
            ]
        }
    }
}

/// Says that the side which has just moved wins, and once connections show it, by which cells, with a line of play.
pub(super) fn announced(at: &GameHistory<'_, Hex>, plies: u32, is_new: bool) -> Option<Text> {
    let game = at.now;
    let winner = game.to_move().other();
    let name = game.side_name(winner);
    let Some(MustPlay::Lost(proof)) = find_must_play(game) else {
        let more = match plies / 2 {
            1 => "with its next move".to_owned(),
            count => format!("in at most {count} more moves of its own"),
        };
        return is_new.then(|| text!("{name} is proved to win {more}."));
    };
    if !is_new && was_linked(at) {
        return None;
    }
    let edges = edges_in_words(winner);
    let cells = match proof.carrier.len() {
        0 => return Some(text!("{name} is certain to connect {edges}.")),
        1..=MAX_NAMED_CELLS => names(game, &proof.carrier),
        count => text!("{count} cells needed; see must-play"),
    };
    Some(text!("{name} is certain to connect {edges} ({cells}). One line: {}.", line(game, MAX_NAMED_CELLS)))
}

/// Reports whether the side that has just moved was linked for certain after its move before already.
fn was_linked(at: &GameHistory<'_, Hex>) -> bool {
    let Some(count) = at.played.len().checked_sub(2) else { return false };
    let mut before = at.start.clone();
    for &mv in &at.played[..count] {
        before.make(mv);
    }
    matches!(find_must_play(&before), Some(MustPlay::Lost(_)))
}

fn needed(game: &Hex, proof: &HexProof) -> Text {
    let (winner, cells) = (game.side_name(proof.winner), names(game, &proof.carrier));
    text!("To connect {}, {winner} needs only {cells}.", edges_in_words(proof.winner))
}

/// Describes a line of play from a decided position, of at most `longest` moves: the loser enters what the winner
/// needs.
fn line(game: &Hex, longest: usize) -> Text {
    let (mut now, mut line) = (game.clone(), Vec::new());
    let mut prover = Prover::with(game.size(), 0, EFFORT);
    while now.outcome().is_none() && line.len() < longest {
        let cell = match prover.must_play(&now) {
            MustPlay::Won(proof) => proof.mv,
            MustPlay::Lost(proof) => proof.carrier.first().copied(),
            MustPlay::Among(..) => None,
        };
        let Some(cell) = cell else { break };
        line.push(text!("{}", of_move(Some(now.to_move()), now.name(cell))));
        now.make(cell.into());
    }
    join(line, " ")
}

/// Describes the effect of a move on the connections of both sides, as a phrase that follows the move; `None` where it
/// decides nothing. `before` gives what connections say about the game before it.
pub(super) fn phrase<'a>(
    game: &Hex,
    mv: Move,
    before: impl FnOnce() -> Option<&'a MustPlay>,
) -> Option<Text> {
    let (own, them) = (game.to_move(), game.side_name(game.to_move().other()));
    let mut after = game.clone();
    after.make(mv);
    if after.outcome().and_then(Outcome::winner).is_some() || after.can_swap() {
        return None;
    }
    if let MustPlay::Lost(proof) = find_must_play(&after)? {
        let needed = match proof.carrier.len() {
            ..=MAX_NAMED_CELLS => names(game, &proof.carrier),
            count => text!("{count} cells"),
        };
        return Some(text!("is certain to connect {} by {needed}", edges_in_words(own)));
    }
    let MustPlay::Among(cells, _) = before()? else { return None };
    let is_forced = cells.len() == 1 && mv.cell() == cells.first().copied();
    is_forced.then(|| text!("is the only cell that keeps {them} from {}", game.aim(own.other())))
}
