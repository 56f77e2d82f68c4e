//! Why a mistake in Hex is one: the connection that it leaves to the opponent, or the stones that both sides still need.
//! Knows the rules and the prover.

use std::sync::atomic::AtomicBool;

use crate::ai::hex::explain::edge_in_words;
use crate::ai::hex::proof::{HexProof, MustPlay, Prover};
use crate::ai::hex::shown;
use crate::ai::{Consequence, Limits, SearchBudget, SearchControl};
use crate::game::{Game, Notation, View};
use crate::games::hex::{Cell, Hex, Move, edges_in_words, edges_of};
use crate::text;
use crate::text::{Text, moves, of_move};

/// The largest board on which a proof is searched for where connections alone show none.
const MAX_SEARCHED: usize = 7;
/// Positions of a search for the winner, and memory of its table in MiB.
const SEARCH_NODES_AND_MIB: (u64, usize) = (200, 1);
/// The edge templates by the number of their cells, the stone left out.
const TEMPLATES: [(usize, &str); 3] =
    [(2, "a bridge (template II)"), (8, "the ziggurat (template III-a)"), (19, "template IV-1-a")];
/// The most cells that a sentence names.
const MAX_NAMED: usize = 5;

/// Says what a legal move gives away beside a better one: the opponent's connection that it leaves, with the cells that this
/// needs, or else how many stones both sides still need after either move, and the edge template that the better one makes. `None` where neither is known. The number
/// chooses between two wordings.
///
/// ```
/// use crosspath::ai::hex::consequence::consequence;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(3, SwapRule::Off)?;
/// game.make(game.parse("a3")?);
/// game.make(game.parse("b2")?);
/// let found = consequence(&game, [game.parse("c3")?, game.parse("c1")?], 0).expect("Blue is connected");
/// assert!(found.text.starts_with("After c3 Blue wins with "), "{}", found.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn consequence(game: &Hex, [played, better]: [Move; 2], wording: usize) -> Option<Consequence<Move>> {
    let [after, instead] = [played, better].map(|mv| {
        let mut after = game.clone();
        after.make(mv);
        after
    });
    if played == better || after.outcome().is_some() || after.can_swap() {
        return None;
    }
    let pair = Pair { game, played, better, after, instead, is_first: wording.is_multiple_of(2) };
    if pair.instead.outcome().is_some() {
        return Some(pair.win_at_once());
    }
    match proved(&pair.after) {
        Some(proof) if proof.winner != game.to_move() => pair.connection(&proof),
        _ => pair.count(),
    }
}

/// Returns the proof of who wins a position, where it is found quickly.
fn proved(game: &Hex) -> Option<HexProof> {
    match shown::find_must_play(game)? {
        MustPlay::Won(proof) | MustPlay::Lost(proof) => Some(proof),
        MustPlay::Among(..) if game.size() > MAX_SEARCHED => None,
        MustPlay::Among(..) => {
            let (nodes, memory_mib) = SEARCH_NODES_AND_MIB;
            let (limits, stop) = (Limits { nodes: Some(nodes), ..Limits::default() }, AtomicBool::new(false));
            let mut budget = SearchBudget::start::<Move>(&SearchControl::quiet(limits, &stop));
            Prover::new(game.size(), memory_mib).prove(game, &mut budget)
        }
    }
}

/// A position with a move that was played and a better one, and the positions after them.
struct Pair<'a> {
    game: &'a Hex,
    played: Move,
    better: Move,
    after: Hex,
    instead: Hex,
    /// `true` if the first of two wordings is wanted.
    is_first: bool,
}

impl Pair<'_> {
    /// The win that the better move would have been.
    fn win_at_once(&self) -> Consequence<Move> {
        let ([it, instead], edges) = (self.names(), edges_in_words(self.game.to_move()));
        Consequence::of(if self.is_first {
            text!("{it} misses a win: {instead} connects {edges}.")
        } else {
            text!("{instead} wins at once: it connects {edges}.")
        })
    }

    /// The opponent's connection after the move played; nothing where the better one leaves one, too.
    fn connection(&self, proof: &HexProof) -> Option<Consequence<Move>> {
        let &Pair { game, better, is_first, .. } = self;
        if proved(&self.instead).is_some_and(|instead| instead.winner == proof.winner) {
            return None;
        }
        let them = proof.winner;
        let (name, edges) = (game.side_name(them), edges_in_words(them));
        let ([it, _], first) = (self.names(), proof.mv?);
        let answer = of_move(Some(them), game.name(first));
        let rest: Vec<Cell> = proof.carrier.iter().copied().filter(|&cell| cell != first).collect();
        let by = match rest.len() {
            0 => Text::new(),
            1..=MAX_NAMED => {
                text!(" through {}", moves(None, rest.iter().map(|&cell| game.name(cell)), " "))
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
        Some(Consequence { text, marks: marks.collect(), legend })
    }

    /// Compares the numbers of stones that both sides still need after either move; `None` unless the better move is
    /// better by them.
    fn count(&self) -> Option<Consequence<Move>> {
        let &Pair { game, is_first, .. } = self;
        let me = game.to_move();
        let needed = |after: &Hex| Some([after.stones_to_go(me.other())?, after.stones_to_go(me)?]);
        let [played, better] = [needed(&self.after)?, needed(&self.instead)?];
        if better[0] <= played[0] && better[1] >= played[1] {
            return None;
        }
        let [name, them] = [me, me.other()].map(|side| game.side_name(side));
        let [it, instead] = self.names();
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
        let template = self.template().filter(|_| better[1] < played[1]);
        let (clause, cells) = template.unwrap_or_default();
        text.push(&clause);
        text.push_str(".");
        let legend = if cells.is_empty() { Text::new() } else { "= cells of the template".into() };
        Some(Consequence { text, marks: cells.into_iter().map(|cell| (cell.into(), '=')).collect(), legend })
    }

    /// The edge template by which the better move reaches an own edge that its chain does not touch, as the end of a
    /// sentence, with the empty cells of the template.
    fn template(&self) -> Option<(Text, Vec<Cell>)> {
        let (me, cell, after) = (self.game.to_move(), self.better.cell()?, &self.instead);
        let is_free = |cell: Cell| after.stone(cell) != Some(me.other());
        edges_of(me).into_iter().filter(|&edge| !after.reaches(cell, edge)).find_map(|edge| {
            let templates = after.edge_templates(cell, edge);
            let mut cells = templates.into_iter().find(|cells| cells.iter().all(|&cell| is_free(cell)))?;
            let (_, name) = TEMPLATES.into_iter().find(|(count, _)| *count == cells.len())?;
            let [_, instead] = self.names();
            cells.retain(|&cell| after.stone(cell).is_none());
            Some((text!(", and {instead} reaches the {} edge by {name}", edge_in_words(edge)), cells))
        })
    }

    /// The move that was played and the better one as sentences have them.
    fn names(&self) -> [Text; 2] {
        let me = self.game.to_move();
        [self.played, self.better].map(|mv| text!("{}", of_move(Some(me), self.game.show(mv))))
    }
}
