//! Writes down why a side wins, so that a program without a search can check it. Knows connections and the solver, no file.
//!
//! A line says that two ends are joined, and by which rule; `docs/hex-proofs.md` has the form.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use super::board::ProofBoard;
use super::cells::Cells;
use super::connections::{Connections, Endpoint, Rule, Semi, StopCondition};
use super::inferior::fill_in_telling;
use super::search::{ProofSearch, SearchProof};
use crate::ai::SearchBudget;
use crate::board::names::cell_name;
use crate::game::Side;

/// Why two ends are joined. The numbers are those of other lines.
#[derive(Clone, Debug)]
enum Reason<const W: usize> {
    Touch,
    Over(Endpoint, [u32; 2]),
    Or(Vec<u32>),
    /// The winner's move, and the line that joins the edges after it.
    Move(usize, u32),
    /// A captured pair, or a dead cell, and the line that joins the edges if the winner has it.
    Fill(Cells<W>, u32),
    /// A line about fewer stones of the winner.
    More(u32),
}

/// One line.
#[derive(Clone, Debug)]
struct CertificateLine<const W: usize> {
    /// The winner's stones.
    stones: Cells<W>,
    /// `true` if it holds if the loser moves first.
    is_full: bool,
    ends: [Endpoint; 2],
    /// The stones that the winner puts at most.
    puts: u32,
    why: Reason<W>,
}

/// A line that joins the edges, and the cells that it needs.
#[derive(Clone, Copy, Debug)]
struct Claim<const W: usize> {
    line: u32,
    carrier: Cells<W>,
    is_full: bool,
}

/// Proof of one winner while it is written.
#[derive(Debug)]
pub(super) struct Writer<'a, const W: usize> {
    search: &'a mut ProofSearch<W>,
    network: Connections<W>,
    winner: Side,
    lines: Vec<CertificateLine<W>>,
    /// By the winner's stones.
    known: BTreeMap<Cells<W>, Vec<Claim<W>>>,
}

/// The error of a search for connections that was due to end before it was done.
#[derive(Clone, Copy, Debug)]
struct Unfinished;

/// A written proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The winner.
    pub winner: Side,
    /// The winner needs at most this number of plies.
    pub plies: u32,
    /// The proof, for a program that checks it.
    pub text: String,
}

/// The proof of a position that is not over; `None` if the budget is spent first. The board is the same afterwards.
pub(super) fn certificate<const W: usize>(
    search: &mut ProofSearch<W>,
    board: &mut ProofBoard<W>,
    budget: &mut SearchBudget<'_>,
) -> Option<Certificate> {
    let SearchProof { winner, .. } = search.prove(board, budget)?;
    let mut writer =
        Writer { search, network: Connections::default(), winner, lines: Vec::new(), known: BTreeMap::new() };
    let is_winners_move = board.to_move() == winner;
    let claim = if board.to_move() == winner {
        writer.with_the_move(board, budget)?
    } else {
        writer.without_the_move(board, budget)?
    };
    let stones = writer.lines[claim.line as usize].puts;
    let plies = if is_winners_move { (2 * stones).saturating_sub(1) } else { 2 * stones };
    // Replies that exclude each other are counted as often as they stand there.
    let left = u32::try_from(board.empty().len()).expect("at most 676 cells");
    let plies = plies.min(left);
    Some(Certificate { winner, plies, text: writer.text(board, claim.line) })
}

impl<const W: usize> Writer<'_, W> {
    /// The edges are joined although the loser moves.
    fn without_the_move(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<Claim<W>> {
        // 1. What is known, or can be seen when cells are filled in
        if let Some(known) = self.known_claim(board, true) {
            return Some(known);
        }
        budget.tick().then_some(())?;
        let (height, stones) = (board.height(), board.stones(self.winner));
        let fills = self.fill(board);
        let with_fill = board.stones(self.winner);
        let seen = self.seen(board, StopCondition::Full, budget);
        if !matches!(seen, Ok(None)) {
            unfill(board, height);
            let claim = seen.ok()??;
            return Some(self.keep(stones, fills, claim));
        }
        // 2. Threats
        let (mut meet, mut carrier, mut threats) = (board.empty(), Cells::EMPTY, Vec::new());
        let mut semis: Vec<Semi<W>> = self.network.semis().to_vec();
        while let Some(next) = best_of(&mut semis, meet) {
            meet &= next.carrier;
            carrier |= next.carrier;
            threats.push(self.add_connection(board, next.step));
        }
        // 3. An answer to each stone that no threat survives
        unfill(board, height);
        while let Some(cell) = meet.iter().next() {
            board.make(cell);
            let answer = self.with_the_move(board, budget);
            board.unmake();
            let mut answer = answer?;
            if stones != with_fill {
                let CertificateLine { is_full, ends, .. } = self.lines[answer.line as usize];
                answer.line = self.add(with_fill, is_full, ends, Reason::More(answer.line));
                answer.carrier = answer.carrier.minus(&with_fill);
            }
            meet &= answer.carrier;
            carrier |= answer.carrier;
            threats.push(answer.line);
        }
        let line = self.add(with_fill, true, EDGES, Reason::Or(threats));
        Some(self.keep(stones, fills, Claim { line, carrier, is_full: true }))
    }

    /// The edges are joined with a move of the winner.
    fn with_the_move(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<Claim<W>> {
        debug_assert!(board.winner() != Some(self.winner.other()), "the winner loses {board:?}");
        if let Some(known) = self.known_claim(board, false) {
            return Some(known);
        }
        budget.tick().then_some(())?;
        let (height, stones) = (board.height(), board.stones(self.winner));
        let fills = self.fill(board);
        let seen = self.seen(board, StopCondition::Semi, budget);
        unfill(board, height);
        if let Some(claim) = seen.ok()? {
            return Some(self.keep(stones, fills, claim));
        }
        let SearchProof { winner, mv, .. } = self.search.prove(board, budget)?;
        assert!(winner == self.winner, "a proved position has two winners");
        let mv = mv.expect("the winner is to move");
        board.make(mv);
        let after = self.without_the_move(board, budget);
        board.unmake();
        let after = after?;
        let line = self.add(stones, false, EDGES, Reason::Move(mv, after.line));
        let claim = Claim { line, carrier: after.carrier | Cells::of(mv), is_full: false };
        Some(self.keep(stones, Vec::new(), claim))
    }

    /// Fills cells in; gives those that the winner gets, in order.
    fn fill(&mut self, board: &mut ProofBoard<W>) -> Vec<Cells<W>> {
        let mut fills = Vec::new();
        fill_in_telling(board, |side, cells| {
            if side == self.winner {
                fills.push(cells.iter().copied().collect());
            }
        });
        fills
    }

    /// Returns the claim that the rules of connections show without a search, if there is one.
    ///
    /// # Errors
    /// If the budget is due to end before all connections are found.
    fn seen(
        &mut self,
        board: &ProofBoard<W>,
        until: StopCondition,
        budget: &SearchBudget<'_>,
    ) -> Result<Option<Claim<W>>, Unfinished> {
        if board.winner() == Some(self.winner) {
            let line = self.add(board.stones(self.winner), true, EDGES, Reason::Touch);
            return Ok(Some(Claim { line, carrier: Cells::EMPTY, is_full: true }));
        }
        debug_assert!(board.winner().is_none(), "the winner loses {board:?}");
        if !self.network.derive_until_due(board, self.winner, until, &|| budget.is_due()) {
            return Err(Unfinished);
        }
        let full = self.network.full_step().map(|(carrier, step)| (carrier, step, true));
        let semis = self.network.semis().iter().filter(|_| until == StopCondition::Semi);
        let semi = semis.min_by_key(|semi| semi.carrier.len());
        let best = full.or(semi.map(|semi| (semi.carrier, semi.step, false)));
        Ok(best.map(|(carrier, step, is_full)| {
            let line = self.add_connection(board, step);
            Claim { line, carrier, is_full }
        }))
    }

    /// A line about the same stones of the winner that needs none of the loser's cells.
    fn known_claim(&self, board: &ProofBoard<W>, needs_full: bool) -> Option<Claim<W>> {
        let taken = board.stones(self.winner.other());
        let known = self.known.get(&board.stones(self.winner))?.iter();
        known.copied().find(|claim| !claim.carrier.meets(&taken) && (claim.is_full || !needs_full))
    }

    /// Takes the cells that were filled in out of a claim, the last ones first, and keeps it.
    fn keep(&mut self, stones: Cells<W>, mut fills: Vec<Cells<W>>, mut claim: Claim<W>) -> Claim<W> {
        while let Some(cells) = fills.pop() {
            let below = fills.iter().fold(stones, |all, cells| all | *cells);
            claim.line = self.add(below, claim.is_full, EDGES, Reason::Fill(cells, claim.line));
            claim.carrier |= cells;
        }
        self.known.entry(stones).or_default().push(claim);
        claim
    }

    fn add(&mut self, stones: Cells<W>, is_full: bool, ends: [Endpoint; 2], why: Reason<W>) -> u32 {
        let line = u32::try_from(self.lines.len()).expect("lines fit into the memory");
        let puts = |line: u32| self.lines[line as usize].puts;
        let puts = match &why {
            Reason::Touch => 0,
            Reason::Over(_, [one, other]) => puts(*one) + puts(*other) + u32::from(!is_full),
            Reason::Or(parts) => parts.iter().map(|&part| puts(part)).max().unwrap_or(0),
            Reason::Move(_, after) => puts(*after) + 1,
            // A dead cell is passed by; the winner takes one cell of a pair.
            Reason::Fill(cells, below) => puts(*below) + u32::from(cells.len() == 2),
            Reason::More(below) => puts(*below),
        };
        self.lines.push(CertificateLine { stones, is_full, ends, puts, why });
        line
    }

    /// Takes over a connection with all that it rests on; gives its line.
    fn add_connection(&mut self, board: &ProofBoard<W>, step: u32) -> u32 {
        // 1. What is needed
        let steps = self.network.steps();
        let mut is_needed = vec![false; step as usize + 1];
        is_needed[step as usize] = true;
        for (at, one) in steps[..=step as usize].iter().enumerate().rev() {
            if !is_needed[at] {
                continue;
            }
            let parts: &[u32] = match &one.rule {
                Rule::Touch => &[],
                Rule::Over(_, parts) => parts,
                Rule::Or(parts) => parts,
            };
            for &part in parts {
                is_needed[part as usize] = true;
            }
        }
        // 2. Their lines
        let stones = board.stones(self.winner);
        let mut line_of = BTreeMap::new();
        let steps: Vec<_> = steps[..=step as usize].iter().cloned().enumerate().collect();
        for (at, one) in steps.into_iter().filter(|&(at, _)| is_needed[at]) {
            let ends = one.nodes.map(|node| self.network.end(node.into()));
            let line = |part: &u32| line_of[part];
            let (is_full, why) = match one.rule {
                Rule::Touch => (true, Reason::Touch),
                Rule::Over(node, parts) => {
                    let over = self.network.end(node.into());
                    let is_empty = matches!(over, Endpoint::Cell(cell) if board.empty().contains(cell));
                    (!is_empty, Reason::Over(over, parts.map(|part| line(&part))))
                }
                Rule::Or(parts) => (true, Reason::Or(parts.iter().map(line).collect())),
            };
            let at = u32::try_from(at).expect("steps are counted so");
            line_of.insert(at, self.add(stones, is_full, ends, why));
        }
        line_of[&step]
    }

    /// The whole text, without the lines that the last one does not rest on.
    fn text(&self, board: &ProofBoard<W>, last: u32) -> String {
        // 1. What is needed
        let mut is_needed = vec![false; last as usize + 1];
        is_needed[last as usize] = true;
        for at in (0..=last as usize).rev() {
            if is_needed[at] {
                self.lines[at].parts().for_each(|part| is_needed[part as usize] = true);
            }
        }
        // 2. The position
        let size = board.geometry().size;
        let name = |cell: usize| cell_name(cell % size, cell / size);
        let named = |cells: Cells<W>| spaced(cells.iter().map(name));
        let mut out = format!("crosspath hex proof 1\nsize {size}\n");
        for (side, word) in [(Side::First, "first"), (Side::Second, "second")] {
            let _ = writeln!(out, "{word}{}", named(board.stones(side)));
        }
        let _ = writeln!(out, "move {}\nwinner {}", board.to_move(), self.winner);
        // 3. The lines
        let edges = match self.winner {
            Side::First => ["top", "bottom"],
            Side::Second => ["left", "right"],
        };
        let end = |end: Endpoint| match end {
            Endpoint::Edge(edge) => edges[edge].to_owned(),
            Endpoint::Cell(cell) => name(cell),
        };
        let mut numbers = vec![0; last as usize + 1];
        let (mut number, mut stones) = (0, None);
        for (at, line) in
            self.lines.iter().enumerate().filter(|&(at, _)| at <= last as usize && is_needed[at])
        {
            if stones != Some(line.stones) {
                stones = Some(line.stones);
                let _ = writeln!(out, "at{}", named(line.stones));
            }
            number += 1;
            numbers[at] = number;
            let kind = if line.is_full { "full" } else { "semi" };
            let [one, other] = line.ends.map(end);
            let _ = write!(out, "{kind} {number} {one} {other} ");
            let of = |part: &u32| numbers[*part as usize];
            let _ = match &line.why {
                Reason::Touch => writeln!(out, "touch"),
                Reason::Over(over, [one, other]) => {
                    writeln!(out, "over {} {} {}", end(*over), of(one), of(other))
                }
                Reason::Or(parts) => {
                    let parts = spaced(parts.iter().map(of));
                    writeln!(out, "or{parts}")
                }
                Reason::Move(cell, after) => writeln!(out, "move {} {}", name(*cell), of(after)),
                Reason::Fill(cells, below) => writeln!(out, "fill{} {}", named(*cells), of(below)),
                Reason::More(below) => writeln!(out, "more {}", of(below)),
            };
        }
        let _ = writeln!(out, "proved {number}");
        out
    }
}

impl<const W: usize> CertificateLine<W> {
    /// The lines that it rests on.
    fn parts(&self) -> impl Iterator<Item = u32> + '_ {
        let parts: &[u32] = match &self.why {
            Reason::Touch => &[],
            Reason::Over(_, parts) => parts,
            Reason::Or(parts) => parts,
            Reason::Move(_, line) | Reason::Fill(_, line) | Reason::More(line) => std::slice::from_ref(line),
        };
        parts.iter().copied()
    }
}

/// The winner's edges.
const EDGES: [Endpoint; 2] = [Endpoint::Edge(0), Endpoint::Edge(1)];

/// Words, with a blank in front of each.
fn spaced(words: impl Iterator<Item = impl Display>) -> String {
    words.fold(String::new(), |mut all, word| {
        let _ = write!(all, " {word}");
        all
    })
}

fn unfill<const W: usize>(board: &mut ProofBoard<W>, height: usize) {
    while board.height() > height {
        board.retract();
    }
}

/// The semi that leaves fewest cells of `meet`, if one leaves fewer.
fn best_of<const W: usize>(semis: &mut Vec<Semi<W>>, meet: Cells<W>) -> Option<Semi<W>> {
    semis.retain(|semi| !meet.is_subset(&semi.carrier));
    let best = (0..semis.len()).min_by_key(|&at| (meet & semis[at].carrier).len())?;
    Some(semis.swap_remove(best))
}
