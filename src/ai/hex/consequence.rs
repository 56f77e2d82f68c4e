//! Explanations of mistakes in Hex: the connection that a move concedes, or the stones that both sides still
//! need. This module depends on the rules and the prover.

use std::sync::atomic::AtomicBool;

use crate::ai::hex::explain::edge_name;
use crate::ai::hex::proof::{HexProof, HexProver, MustPlayVerdict};
use crate::ai::hex::shown;
use crate::ai::{Limits, MistakeConsequence, SearchBudget, SearchControl};
use crate::game::{Game, Notation, PositionDescription};
use crate::games::hex::{Cell, Hex, Move, describe_goal_edges, goal_edges};
use crate::text;
use crate::text::{Text, join_moves, mark_move};

/// Largest board size on which a proof search runs if connections alone do not decide the position.
const MAX_SIZE_FOR_PROOF_SEARCH: usize = 7;
/// Node limit of the proof search, and the size of its table in MiB.
const PROOF_SEARCH_NODES_AND_MIB: (u64, usize) = (200, 1);
/// Names of edge templates, each with its number of cells besides the stone.
const EDGE_TEMPLATE_NAMES: [(usize, &str); 3] =
    [(2, "a bridge (template II)"), (8, "the ziggurat (template III-a)"), (19, "template IV-1-a")];
/// Maximum number of cells that a sentence lists.
const MAX_LISTED_CELLS: usize = 5;

/// Explains why a legal move is worse than a better one. Describes the connection that it concedes to the
/// opponent, or else the stones that both sides still need after either move and the edge template that the
/// better move makes. Returns `None` if neither is known. `wording` selects one of two wordings (even or
/// odd).
///
/// ```
/// use crosspath::ai::hex::consequence::explain_mistake;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(3, SwapRule::Off)?;
/// game.make_move(game.parse("a3")?);
/// game.make_move(game.parse("b2")?);
/// let found = explain_mistake(&game, [game.parse("c3")?, game.parse("c1")?], 0).expect("Blue is connected");
/// assert!(found.text.starts_with("After c3 Blue wins with "), "{}", found.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain_mistake(
    game: &Hex,
    [played, better]: [Move; 2],
    wording: usize,
) -> Option<MistakeConsequence<Move>> {
    let [after, instead] = [played, better].map(|mv| {
        let mut after = game.clone();
        after.make_move(mv);
        after
    });
    if played == better || after.outcome().is_some() || after.can_swap() {
        return None;
    }
    let pair = MoveComparison { game, played, better, after, instead, is_first: wording.is_multiple_of(2) };
    if pair.instead.outcome().is_some() {
        return Some(pair.describe_missed_win());
    }
    match prove_quickly(&pair.after) {
        Some(proof) if proof.winner != game.to_move() => pair.describe_conceded_connection(&proof),
        _ => pair.compare_stones_needed(),
    }
}

/// Returns a proof of the winner if virtual connections or, on small boards, a short search find one.
fn prove_quickly(game: &Hex) -> Option<HexProof> {
    match shown::find_connection_verdict(game)? {
        MustPlayVerdict::Won(proof) | MustPlayVerdict::Lost(proof) => Some(proof),
        MustPlayVerdict::Undecided(..) if game.size() > MAX_SIZE_FOR_PROOF_SEARCH => None,
        MustPlayVerdict::Undecided(..) => {
            let (nodes, memory_mib) = PROOF_SEARCH_NODES_AND_MIB;
            let (limits, stop) = (Limits { nodes: Some(nodes), ..Limits::default() }, AtomicBool::new(false));
            let mut budget = SearchBudget::start::<Move>(&SearchControl::without_reports(limits, &stop));
            HexProver::new(game.size(), memory_mib).prove(game, &mut budget)
        }
    }
}

/// A move played and a better alternative, with the positions after them.
struct MoveComparison<'a> {
    game: &'a Hex,
    played: Move,
    better: Move,
    after: Hex,
    instead: Hex,
    /// `true` if the first of the two wordings is used.
    is_first: bool,
}

impl MoveComparison<'_> {
    /// Describes the win that the better move would have been.
    fn describe_missed_win(&self) -> MistakeConsequence<Move> {
        let ([it, instead], edges) = (self.move_names(), describe_goal_edges(self.game.to_move()));
        MistakeConsequence::from_text(if self.is_first {
            text!("{it} misses a win: {instead} connects {edges}.")
        } else {
            text!("{instead} wins at once: it connects {edges}.")
        })
    }

    /// Describes the connection that the played move concedes to the opponent. Returns `None` if the better
    /// move concedes one, too.
    fn describe_conceded_connection(&self, proof: &HexProof) -> Option<MistakeConsequence<Move>> {
        let &MoveComparison { game, better, is_first, .. } = self;
        if prove_quickly(&self.instead).is_some_and(|instead| instead.winner == proof.winner) {
            return None;
        }
        let them = proof.winner;
        let (name, edges) = (game.side_name(them), describe_goal_edges(them));
        let ([it, _], first) = (self.move_names(), proof.mv?);
        let answer = mark_move(Some(them), game.format_cell(first));
        let rest: Vec<Cell> = proof.carrier.iter().copied().filter(|&cell| cell != first).collect();
        let by = match rest.len() {
            0 => Text::new(),
            1..=MAX_LISTED_CELLS => {
                text!(" through {}", join_moves(None, rest.iter().map(|&cell| game.format_cell(cell)), " "))
            }
            count => text!(" through {count} cells"),
        };
        let text = if is_first {
            text!("After {it} {name} wins with {answer}: it is certain to connect {edges}{by}.")
        } else {
            text!("{it} leaves {name} a connection: {answer} joins {edges}{by}, whatever the reply.")
        };
        let signs = rest.into_iter().map(|cell| (Move::from(cell), '='));
        let marks = [(first.into(), 'w')].into_iter().chain(signs).filter(|(mv, _)| *mv != better);
        let legend = text!("w wins  = cells that {name} needs");
        Some(MistakeConsequence { text, marks: marks.collect(), legend })
    }

    /// Compares the numbers of stones that both sides still need after either move. Returns `None` unless the
    /// better move wins the comparison.
    fn compare_stones_needed(&self) -> Option<MistakeConsequence<Move>> {
        let &MoveComparison { game, is_first, .. } = self;
        let me = game.to_move();
        let needed = |after: &Hex| {
            Some([after.stones_needed_with_bridges(me.other())?, after.stones_needed_with_bridges(me)?])
        };
        let [played, better] = [needed(&self.after)?, needed(&self.instead)?];
        if better[0] <= played[0] && better[1] >= played[1] {
            return None;
        }
        let [name, them] = [me, me.other()].map(|side| game.side_name(side));
        let [it, instead] = self.move_names();
        let stones = |count: u16| if count == 1 { "1 stone".to_owned() } else { format!("{count} stones") };
        let mut text = if is_first {
            text!(
                "With {it} {them} still needs {} and {name} {}; with {instead} {} and {}",
                stones(played[0]),
                played[1],
                better[0],
                better[1]
            )
        } else {
            text!(
                "{instead} leaves {them} {} to connect and {name} {}; {it} leaves {} and {}",
                stones(better[0]),
                better[1],
                played[0],
                played[1]
            )
        };
        let template = self.find_edge_template().filter(|_| better[1] < played[1]);
        let (clause, cells) = template.unwrap_or_default();
        text.push(&clause);
        text.push_str(".");
        let legend = if cells.is_empty() { Text::new() } else { "= cells of the template".into() };
        Some(MistakeConsequence {
            text,
            marks: cells.into_iter().map(|cell| (cell.into(), '=')).collect(),
            legend,
        })
    }

    /// Finds the edge template by which the better move reaches one of the mover's edges that its chain does
    /// not touch. Returns the end of a sentence and the empty cells of the template.
    fn find_edge_template(&self) -> Option<(Text, Vec<Cell>)> {
        let (me, cell, after) = (self.game.to_move(), self.better.cell()?, &self.instead);
        let is_free = |cell: Cell| after.stone_at(cell) != Some(me.other());
        goal_edges(me).into_iter().filter(|&edge| !after.is_connected_to_edge(cell, edge)).find_map(|edge| {
            let templates = after.edge_template_carriers(cell, edge);
            let mut cells = templates.into_iter().find(|cells| cells.iter().all(|&cell| is_free(cell)))?;
            let (_, name) = EDGE_TEMPLATE_NAMES.into_iter().find(|(count, _)| *count == cells.len())?;
            let [_, instead] = self.move_names();
            cells.retain(|&cell| after.stone_at(cell).is_none());
            Some((text!(", and {instead} reaches the {} edge by {name}", edge_name(edge)), cells))
        })
    }

    /// Returns the names of the played move and of the better one, as used in sentences.
    fn move_names(&self) -> [Text; 2] {
        let me = self.game.to_move();
        [self.played, self.better].map(|mv| text!("{}", mark_move(Some(me), self.game.format_move(mv))))
    }
}
