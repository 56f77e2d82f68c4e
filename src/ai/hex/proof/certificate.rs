//! Writer of proof certificates, which a program can check without a search. This module depends on
//! connections and the solver, not on files.
//!
//! A line states that two ends are joined, and by which rule. `docs/hex-proofs.md` specifies the form.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use super::board::ProofBoard;
use super::cells::CellSet;
use super::connections::{ConnectionEnd, ConnectionGoal, DerivationRule, SemiConnection, VirtualConnections};
use super::inferior::fill_and_report;
use super::search::{ProofSearch, SearchProof};
use crate::ai::SearchBudget;
use crate::board::names::cell_name;
use crate::game::Side;

/// Rule by which a line joins its two ends. It refers to other lines by their numbers.
#[derive(Clone, Debug)]
enum CertificateRule<const W: usize> {
    Touch,
    Over(ConnectionEnd, [u32; 2]),
    Or(Vec<u32>),
    /// The winner's move, and the line that joins the edges after it.
    Move(usize, u32),
    /// Cells of a captured pair, or a dead cell, and the number of the line that joins the edges once the
    /// winner owns these cells.
    Fill(CellSet<W>, u32),
    /// Another line that proves the connection with fewer of the winner's stones.
    FewerStones(u32),
}

/// One line of a certificate.
#[derive(Clone, Debug)]
struct CertificateLine<const W: usize> {
    /// Stones of the winner.
    stones: CellSet<W>,
    /// `true` if the line holds even if the loser moves first.
    is_full: bool,
    ends: [ConnectionEnd; 2],
    /// Maximum number of stones that the winner places.
    max_stones: u32,
    rule: CertificateRule<W>,
}

/// A line that joins the edges, with the cells that it needs.
#[derive(Clone, Copy, Debug)]
struct EdgeClaim<const W: usize> {
    line: u32,
    carrier: CellSet<W>,
    is_full: bool,
}

/// Writer of the certificate for one winner.
#[derive(Debug)]
pub(super) struct CertificateWriter<'a, const W: usize> {
    search: &'a mut ProofSearch<W>,
    network: VirtualConnections<W>,
    winner: Side,
    lines: Vec<CertificateLine<W>>,
    /// Claims already proved, by the winner's stones.
    claims: BTreeMap<CellSet<W>, Vec<EdgeClaim<W>>>,
}

/// Error: a connection search was stopped early.
#[derive(Clone, Copy, Debug)]
struct ConnectionsInterrupted;

/// Written proof that one side wins a position.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use crosspath::ai::hex::proof::HexProver;
/// use crosspath::ai::{Limits, SearchBudget, SearchControl};
/// use crosspath::game::Side;
/// use crosspath::games::hex::{Hex, SwapRule};
/// let (game, stop) = (Hex::new(3, SwapRule::Off)?, AtomicBool::new(false));
/// let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
/// let proof = HexProver::new(3, 1).write_certificate(&game, &mut budget).ok_or("there is no limit")?;
/// assert_eq!((proof.winner, proof.plies), (Side::First, 5), "three stones of the winner, two replies");
/// assert!(proof.text.starts_with("crosspath hex proof 1\nsize 3\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofCertificate {
    /// Side that wins.
    pub winner: Side,
    /// Maximum number of plies that the winner needs.
    pub plies: u32,
    /// Text of the proof, in the form that a checker reads.
    pub text: String,
}

/// Writes the proof of a position that is not over, or returns `None` if the budget is spent first. Leaves
/// the board unchanged.
pub(super) fn write_certificate<const W: usize>(
    search: &mut ProofSearch<W>,
    board: &mut ProofBoard<W>,
    budget: &mut SearchBudget<'_>,
) -> Option<ProofCertificate> {
    let SearchProof { winner, .. } = search.prove(board, budget)?;
    let mut writer = CertificateWriter {
        search,
        network: VirtualConnections::default(),
        winner,
        lines: Vec::new(),
        claims: BTreeMap::new(),
    };
    let is_winners_move = board.to_move() == winner;
    let claim = if board.to_move() == winner {
        writer.prove_with_winner_to_move(board, budget)?
    } else {
        writer.prove_with_loser_to_move(board, budget)?
    };
    let stones = writer.lines[claim.line as usize].max_stones;
    let plies = if is_winners_move { (2 * stones).saturating_sub(1) } else { 2 * stones };
    // Mutually exclusive replies are each counted, so the sum can exceed the empty cells.
    let left = u32::try_from(board.empty_cells().len()).expect("at most 676 cells");
    let plies = plies.min(left);
    Some(ProofCertificate { winner, plies, text: writer.render_certificate(board, claim.line) })
}

impl<const W: usize> CertificateWriter<'_, W> {
    /// Proves that the edges are joined although the loser moves first.
    fn prove_with_loser_to_move(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<EdgeClaim<W>> {
        // 1. Known claims, and claims that filling in shows
        if let Some(claim) = self.find_reusable_claim(board, true) {
            return Some(claim);
        }
        budget.count_node().then_some(())?;
        let (height, stones) = (board.placed_count(), board.stones(self.winner));
        let fills = self.fill_for_winner(board);
        let with_fill = board.stones(self.winner);
        let seen = self.find_connection_claim(board, ConnectionGoal::EdgesFullyConnected, budget);
        if !matches!(seen, Ok(None)) {
            remove_filled_stones(board, height);
            let claim = seen.ok()??;
            return Some(self.store_claim(stones, fills, claim));
        }
        // 2. Threats
        let (mut meet, mut carrier, mut threats) = (board.empty_cells(), CellSet::EMPTY, Vec::new());
        let mut semis: Vec<SemiConnection<W>> = self.network.edge_semi_connections().to_vec();
        while let Some(next) = take_best_semi(&mut semis, meet) {
            meet &= next.carrier;
            carrier |= next.carrier;
            threats.push(self.add_connection_lines(board, next.step));
        }
        // 3. An answer to each move that intrudes on all threats
        remove_filled_stones(board, height);
        while let Some(cell) = meet.iter().next() {
            board.make(cell);
            let answer = self.prove_with_winner_to_move(board, budget);
            board.unmake();
            let mut answer = answer?;
            if stones != with_fill {
                let CertificateLine { is_full, ends, .. } = self.lines[answer.line as usize];
                answer.line =
                    self.add_line(with_fill, is_full, ends, CertificateRule::FewerStones(answer.line));
                answer.carrier = answer.carrier.difference(&with_fill);
            }
            meet &= answer.carrier;
            carrier |= answer.carrier;
            threats.push(answer.line);
        }
        let line = self.add_line(with_fill, true, WINNER_EDGES, CertificateRule::Or(threats));
        Some(self.store_claim(stones, fills, EdgeClaim { line, carrier, is_full: true }))
    }

    /// Proves that the edges are joined with a move of the winner.
    fn prove_with_winner_to_move(
        &mut self,
        board: &mut ProofBoard<W>,
        budget: &mut SearchBudget<'_>,
    ) -> Option<EdgeClaim<W>> {
        debug_assert!(board.winner() != Some(self.winner.other()), "the winner loses {board:?}");
        if let Some(claim) = self.find_reusable_claim(board, false) {
            return Some(claim);
        }
        budget.count_node().then_some(())?;
        let (height, stones) = (board.placed_count(), board.stones(self.winner));
        let fills = self.fill_for_winner(board);
        let seen = self.find_connection_claim(board, ConnectionGoal::EdgesSemiConnected, budget);
        remove_filled_stones(board, height);
        if let Some(claim) = seen.ok()? {
            return Some(self.store_claim(stones, fills, claim));
        }
        let SearchProof { winner, mv, .. } = self.search.prove(board, budget)?;
        assert!(winner == self.winner, "a proved position has two winners");
        let mv = mv.expect("the winner is to move");
        board.make(mv);
        let after = self.prove_with_loser_to_move(board, budget);
        board.unmake();
        let after = after?;
        let line = self.add_line(stones, false, WINNER_EDGES, CertificateRule::Move(mv, after.line));
        let claim = EdgeClaim { line, carrier: after.carrier | CellSet::single(mv), is_full: false };
        Some(self.store_claim(stones, Vec::new(), claim))
    }

    /// Fills in dead and captured cells. Returns those that the winner gets, in the order in which they were
    /// filled in.
    fn fill_for_winner(&mut self, board: &mut ProofBoard<W>) -> Vec<CellSet<W>> {
        let mut fills = Vec::new();
        fill_and_report(board, |side, cells| {
            if side == self.winner {
                fills.push(cells.iter().copied().collect());
            }
        });
        fills
    }

    /// Returns the claim that connections prove without a search, if there is one.
    ///
    /// # Errors
    /// Returns an error if the budget is due before all connections are found.
    fn find_connection_claim(
        &mut self,
        board: &ProofBoard<W>,
        until: ConnectionGoal,
        budget: &SearchBudget<'_>,
    ) -> Result<Option<EdgeClaim<W>>, ConnectionsInterrupted> {
        if board.winner() == Some(self.winner) {
            let line = self.add_line(board.stones(self.winner), true, WINNER_EDGES, CertificateRule::Touch);
            return Ok(Some(EdgeClaim { line, carrier: CellSet::EMPTY, is_full: true }));
        }
        debug_assert!(board.winner().is_none(), "the winner loses {board:?}");
        if !self.network.derive_interruptible(board, self.winner, until, &|| budget.is_time_up_or_stopped()) {
            return Err(ConnectionsInterrupted);
        }
        let full = self.network.smallest_edge_carrier_step().map(|(carrier, step)| (carrier, step, true));
        let semis = self
            .network
            .edge_semi_connections()
            .iter()
            .filter(|_| until == ConnectionGoal::EdgesSemiConnected);
        let semi = semis.min_by_key(|semi| semi.carrier.len());
        let best = full.or(semi.map(|semi| (semi.carrier, semi.step, false)));
        Ok(best.map(|(carrier, step, is_full)| {
            let line = self.add_connection_lines(board, step);
            EdgeClaim { line, carrier, is_full }
        }))
    }

    /// Returns a stored claim for the winner's current stones that needs none of the loser's cells.
    fn find_reusable_claim(&self, board: &ProofBoard<W>, needs_full: bool) -> Option<EdgeClaim<W>> {
        let taken = board.stones(self.winner.other());
        let claims = self.claims.get(&board.stones(self.winner))?.iter();
        claims.copied().find(|claim| !claim.carrier.intersects(&taken) && (claim.is_full || !needs_full))
    }

    /// Extends a claim to the position without the filled-in cells, and stores it. The cells that were filled
    /// in last are removed first.
    fn store_claim(
        &mut self,
        stones: CellSet<W>,
        mut fills: Vec<CellSet<W>>,
        mut claim: EdgeClaim<W>,
    ) -> EdgeClaim<W> {
        while let Some(cells) = fills.pop() {
            let below = fills.iter().fold(stones, |all, cells| all | *cells);
            claim.line =
                self.add_line(below, claim.is_full, WINNER_EDGES, CertificateRule::Fill(cells, claim.line));
            claim.carrier |= cells;
        }
        self.claims.entry(stones).or_default().push(claim);
        claim
    }

    fn add_line(
        &mut self,
        stones: CellSet<W>,
        is_full: bool,
        ends: [ConnectionEnd; 2],
        rule: CertificateRule<W>,
    ) -> u32 {
        let line = u32::try_from(self.lines.len()).expect("lines fit into the memory");
        let max_stones = |line: u32| self.lines[line as usize].max_stones;
        let max_stones = match &rule {
            CertificateRule::Touch => 0,
            CertificateRule::Over(_, [one, other]) => {
                max_stones(*one) + max_stones(*other) + u32::from(!is_full)
            }
            CertificateRule::Or(parts) => parts.iter().map(|&part| max_stones(part)).max().unwrap_or(0),
            CertificateRule::Move(_, after) => max_stones(*after) + 1,
            // A dead cell costs no stone; of a captured pair the winner plays one cell.
            CertificateRule::Fill(cells, below) => max_stones(*below) + u32::from(cells.len() == 2),
            CertificateRule::FewerStones(below) => max_stones(*below),
        };
        self.lines.push(CertificateLine { stones, is_full, ends, max_stones, rule });
        line
    }

    /// Adds the lines of a connection and of everything it is derived from. Returns the number of its own
    /// line.
    fn add_connection_lines(&mut self, board: &ProofBoard<W>, step: u32) -> u32 {
        // 1. Steps that are needed
        let steps = self.network.derivation_steps();
        let mut is_needed = vec![false; step as usize + 1];
        is_needed[step as usize] = true;
        for (at, one) in steps[..=step as usize].iter().enumerate().rev() {
            if !is_needed[at] {
                continue;
            }
            let parts: &[u32] = match &one.rule {
                DerivationRule::Touch => &[],
                DerivationRule::Over(_, parts) => parts,
                DerivationRule::Or(parts) => parts,
            };
            for &part in parts {
                is_needed[part as usize] = true;
            }
        }
        // 2. Lines of those steps
        let stones = board.stones(self.winner);
        let mut line_of = BTreeMap::new();
        let steps: Vec<_> = steps[..=step as usize].iter().cloned().enumerate().collect();
        for (at, one) in steps.into_iter().filter(|&(at, _)| is_needed[at]) {
            let ends = one.nodes.map(|node| self.network.end_of_node(node.into()));
            let line = |part: &u32| line_of[part];
            let (is_full, rule) = match one.rule {
                DerivationRule::Touch => (true, CertificateRule::Touch),
                DerivationRule::Over(node, parts) => {
                    let over = self.network.end_of_node(node.into());
                    let is_empty =
                        matches!(over, ConnectionEnd::Cell(cell) if board.empty_cells().contains(cell));
                    (!is_empty, CertificateRule::Over(over, parts.map(|part| line(&part))))
                }
                DerivationRule::Or(parts) => (true, CertificateRule::Or(parts.iter().map(line).collect())),
            };
            let at = u32::try_from(at).expect("steps are counted so");
            line_of.insert(at, self.add_line(stones, is_full, ends, rule));
        }
        line_of[&step]
    }

    /// Renders the certificate, without lines that the last one does not depend on.
    fn render_certificate(&self, board: &ProofBoard<W>, last: u32) -> String {
        // 1. Lines that are needed
        let mut is_needed = vec![false; last as usize + 1];
        is_needed[last as usize] = true;
        for at in (0..=last as usize).rev() {
            if is_needed[at] {
                self.lines[at].dependencies().for_each(|part| is_needed[part as usize] = true);
            }
        }
        // 2. The position
        let size = board.geometry().size;
        let name = |cell: usize| cell_name(cell % size, cell / size);
        let named = |cells: CellSet<W>| prefix_each_with_space(cells.iter().map(name));
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
        let end = |end: ConnectionEnd| match end {
            ConnectionEnd::Edge(edge) => edges[edge].to_owned(),
            ConnectionEnd::Cell(cell) => name(cell),
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
            let _ = match &line.rule {
                CertificateRule::Touch => writeln!(out, "touch"),
                CertificateRule::Over(over, [one, other]) => {
                    writeln!(out, "over {} {} {}", end(*over), of(one), of(other))
                }
                CertificateRule::Or(parts) => {
                    let parts = prefix_each_with_space(parts.iter().map(of));
                    writeln!(out, "or{parts}")
                }
                CertificateRule::Move(cell, after) => writeln!(out, "move {} {}", name(*cell), of(after)),
                CertificateRule::Fill(cells, below) => writeln!(out, "fill{} {}", named(*cells), of(below)),
                CertificateRule::FewerStones(below) => writeln!(out, "more {}", of(below)),
            };
        }
        let _ = writeln!(out, "proved {number}");
        out
    }
}

impl<const W: usize> CertificateLine<W> {
    /// Returns the numbers of the lines that this line depends on.
    fn dependencies(&self) -> impl Iterator<Item = u32> + '_ {
        let parts: &[u32] = match &self.rule {
            CertificateRule::Touch => &[],
            CertificateRule::Over(_, parts) => parts,
            CertificateRule::Or(parts) => parts,
            CertificateRule::Move(_, line)
            | CertificateRule::Fill(_, line)
            | CertificateRule::FewerStones(line) => std::slice::from_ref(line),
        };
        parts.iter().copied()
    }
}

/// Both edges of the winner.
const WINNER_EDGES: [ConnectionEnd; 2] = [ConnectionEnd::Edge(0), ConnectionEnd::Edge(1)];

/// Joins items into a text, with a space before each.
fn prefix_each_with_space(words: impl Iterator<Item = impl Display>) -> String {
    words.fold(String::new(), |mut all, word| {
        let _ = write!(all, " {word}");
        all
    })
}

fn remove_filled_stones<const W: usize>(board: &mut ProofBoard<W>, height: usize) {
    while board.placed_count() > height {
        board.remove_last_stone();
    }
}

/// Removes and returns the semi-connection whose carrier shares the fewest cells with `meet`. Returns `None`
/// if every carrier contains all of `meet`.
fn take_best_semi<const W: usize>(
    semis: &mut Vec<SemiConnection<W>>,
    meet: CellSet<W>,
) -> Option<SemiConnection<W>> {
    semis.retain(|semi| !meet.is_subset(&semi.carrier));
    let best = (0..semis.len()).min_by_key(|&at| (meet & semis[at].carrier).len())?;
    Some(semis.swap_remove(best))
}
