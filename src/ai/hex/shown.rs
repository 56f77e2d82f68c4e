//! Connections as shown to players: the must-play region, a win with the cells that it needs, the connections
//! of a side. This module depends on the rules and the prover.

use crate::ai::GameHistory;
use crate::ai::hex::analyst::FAST_CONNECTION_LIMITS;
use crate::ai::hex::proof::{HexProof, HexProver, MustPlayVerdict};
use crate::game::{Game, Outcome, PositionDescription, Side};
use crate::games::hex::{Cell, Hex, Move, describe_goal_edges};
use crate::text;
use crate::text::{Text, join_moves, join_texts, mark_move};

/// Largest board size on which connections are searched for while a player waits.
const MAX_SIZE_FOR_CONNECTIONS: usize = 14;
/// Maximum number of cells that a phrase lists.
const MAX_CELLS_IN_PHRASE: usize = 5;
/// Maximum number of moves in a line of play shown to the player.
const MAX_SHOWN_LINE_MOVES: usize = 12;

/// Returns the connection verdict on a running game, or `None` on boards where it would take too long.
pub(super) fn find_connection_verdict(game: &Hex) -> Option<MustPlayVerdict> {
    let is_open = game.size() <= MAX_SIZE_FOR_CONNECTIONS && game.outcome().is_none();
    is_open.then(|| HexProver::with_limits(game.size(), 0, FAST_CONNECTION_LIMITS).must_play_verdict(game))
}

fn mark_cells(cells: &[Cell], mark: char) -> impl Iterator<Item = (Move, char)> + '_ {
    cells.iter().map(move |&cell| (cell.into(), mark))
}

/// Marks the moves of the must-play region with `*`. If the game is decided, marks the winning move with `w`
/// and the cells that the winner needs with `=`.
pub(super) fn mark_must_play(at: &GameHistory<'_, Hex>) -> Vec<(Move, char)> {
    match find_connection_verdict(at.now) {
        None => Vec::new(),
        Some(MustPlayVerdict::Undecided(cells, _)) => mark_cells(&cells, '*').collect(),
        Some(MustPlayVerdict::Won(proof) | MustPlayVerdict::Lost(proof)) => {
            let needed = proof.carrier.iter().copied().filter(|&cell| Some(cell) != proof.mv);
            let needed: Vec<Cell> = needed.collect();
            mark_cells(&needed, '=').chain(proof.mv.map(|cell| (cell.into(), 'w'))).collect()
        }
    }
}

/// Marks the connections of a side: `=` on the cells that its connections need, `+` where a stone would join
/// two chains or edges.
pub(super) fn mark_connections(at: &GameHistory<'_, Hex>, side: Side) -> Vec<(Move, char)> {
    if at.now.size() > MAX_SIZE_FOR_CONNECTIONS || at.now.outcome().is_some() {
        return Vec::new();
    }
    let (held, keys) =
        HexProver::with_limits(at.now.size(), 0, FAST_CONNECTION_LIMITS).find_connection_cells(at.now, side);
    let keys: Vec<Cell> = keys.into_iter().filter(|cell| !held.contains(cell)).collect();
    mark_cells(&held, '=').chain(mark_cells(&keys, '+')).collect()
}

/// Returns the names of cells, separated by spaces.
fn join_cell_names(game: &Hex, cells: &[Cell]) -> Text {
    join_moves(None, cells.iter().map(|&cell| game.format_cell(cell)), " ")
}

/// Describes the must-play region, or the proved win, in sentences.
pub(super) fn describe_must_play(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let game = at.now;
    let mover = game.side_name(game.to_move());
    match find_connection_verdict(game) {
        None => {
            let n = MAX_SIZE_FOR_CONNECTIONS;
            vec![text!("There is no must-play analysis on boards larger than {n}x{n}.")]
        }
        Some(MustPlayVerdict::Undecided(cells, _)) if cells.len() == game.empty_cells().count() => {
            vec![text!("None of {mover}'s moves is known to lose.")]
        }
        Some(MustPlayVerdict::Undecided(cells, _)) => {
            let them = game.side_name(game.to_move().other());
            vec![
                text!("{mover} must play one of {}.", join_cell_names(game, &cells)),
                text!(
                    "After any other move {them} connects {}.",
                    describe_goal_edges(game.to_move().other())
                ),
            ]
        }
        Some(MustPlayVerdict::Won(proof)) => {
            let mv = mark_move(
                Some(game.to_move()),
                proof.mv.map_or_else(String::new, |cell| game.format_cell(cell)),
            );
            vec![
                text!("{mover} wins with {mv}, whatever the reply."),
                describe_needed_cells(game, &proof),
                text!("One line: {}.", render_winning_line(game, MAX_SHOWN_LINE_MOVES)),
            ]
        }
        Some(MustPlayVerdict::Lost(proof)) => {
            let them = game.side_name(proof.winner);
            vec![
                text!("{mover} has lost: {them} has an answer to every move."),
                describe_needed_cells(game, &proof),
                text!("One line: {}.", render_winning_line(game, MAX_SHOWN_LINE_MOVES)),
            ]
        }
    }
}

/// Announces that the side that has just moved wins. Once connections prove the win, names the cells it needs
/// and a line of play.
pub(super) fn announce_proved_win(at: &GameHistory<'_, Hex>, plies: u32, is_new: bool) -> Option<Text> {
    let game = at.now;
    let winner = game.to_move().other();
    let name = game.side_name(winner);
    let Some(MustPlayVerdict::Lost(proof)) = find_connection_verdict(game) else {
        let more = match plies / 2 {
            1 => "with its next move".to_owned(),
            count => format!("in at most {count} more moves of its own"),
        };
        return is_new.then(|| text!("{name} is proved to win {more}."));
    };
    if !is_new && was_connected_before(at) {
        return None;
    }
    let edges = describe_goal_edges(winner);
    let cells = match proof.carrier.len() {
        0 => return Some(text!("{name} is certain to connect {edges}.")),
        1..=MAX_CELLS_IN_PHRASE => join_cell_names(game, &proof.carrier),
        count => text!("{count} cells needed; see must-play"),
    };
    Some(text!(
        "{name} is certain to connect {edges} ({cells}). One line: {}.",
        render_winning_line(game, MAX_CELLS_IN_PHRASE)
    ))
}

/// Reports whether the side that has just moved was already certain to connect after its previous move.
fn was_connected_before(at: &GameHistory<'_, Hex>) -> bool {
    let Some(count) = at.played.len().checked_sub(2) else { return false };
    let mut before = at.start.clone();
    for &mv in &at.played[..count] {
        before.make_move(mv);
    }
    matches!(find_connection_verdict(&before), Some(MustPlayVerdict::Lost(_)))
}

fn describe_needed_cells(game: &Hex, proof: &HexProof) -> Text {
    let (winner, cells) = (game.side_name(proof.winner), join_cell_names(game, &proof.carrier));
    text!("To connect {}, {winner} needs only {cells}.", describe_goal_edges(proof.winner))
}

/// Renders a line of at most `longest` moves from a decided position. In it, the loser intrudes on the cells
/// that the winner needs.
fn render_winning_line(game: &Hex, longest: usize) -> Text {
    let (mut now, mut line) = (game.clone(), Vec::new());
    let mut prover = HexProver::with_limits(game.size(), 0, FAST_CONNECTION_LIMITS);
    while now.outcome().is_none() && line.len() < longest {
        let cell = match prover.must_play_verdict(&now) {
            MustPlayVerdict::Won(proof) => proof.mv,
            MustPlayVerdict::Lost(proof) => proof.carrier.first().copied(),
            MustPlayVerdict::Undecided(..) => None,
        };
        let Some(cell) = cell else { break };
        line.push(text!("{}", mark_move(Some(now.to_move()), now.format_cell(cell))));
        now.make_move(cell.into());
    }
    join_texts(line, " ")
}

/// Describes the effect of a move on the connections of both sides, as a phrase that follows the move.
/// Returns `None` if the move decides nothing. `before` returns the connection verdict on the position before
/// the move.
pub(super) fn describe_connection_effect<'a>(
    game: &Hex,
    mv: Move,
    before: impl FnOnce() -> Option<&'a MustPlayVerdict>,
) -> Option<Text> {
    let (own, them) = (game.to_move(), game.side_name(game.to_move().other()));
    let mut after = game.clone();
    after.make_move(mv);
    if after.outcome().and_then(Outcome::winner).is_some() || after.can_swap() {
        return None;
    }
    if let MustPlayVerdict::Lost(proof) = find_connection_verdict(&after)? {
        let needed = match proof.carrier.len() {
            ..=MAX_CELLS_IN_PHRASE => join_cell_names(game, &proof.carrier),
            count => text!("{count} cells"),
        };
        return Some(text!("is certain to connect {} by {needed}", describe_goal_edges(own)));
    }
    let MustPlayVerdict::Undecided(cells, _) = before()? else { return None };
    let is_forced = cells.len() == 1 && mv.cell() == cells.first().copied();
    is_forced.then(|| text!("is the only cell that keeps {them} from {}", game.describe_goal(own.other())))
}
