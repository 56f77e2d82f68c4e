//! Virtual connections of one side, found by H-search. Each is stored with the empty cells that it needs, and
//! holds whatever the opponent does. This module depends on stones and cells, not on moves or the search.
//!
//! ```text
//!   full: joined even if the opponent moves first      semi: joined if the side moves first, on the key
//!
//!   AND over a stone z:       x ==== z ==== y             full(x,z) + full(z,y)  ->  full(x,y)
//!   AND over an empty cell z: x ==== · ==== y             full(x,z) + full(z,y)  ->  semi(x,y), key z
//!   OR:   semis of x and y that have no cell in common, all together, make a full connection
//! ```
//!
//! The carrier of a connection is the set of empty cells between its ends that it needs. The two carriers of
//! an AND are disjoint, except that over an empty cell they may share the pair that a stone on it would
//! capture.

use std::collections::VecDeque;

use super::board::ProofBoard;
use super::cells::CellSet;
use super::inferior::cells_captured_by_stone;
use crate::game::Side;

/// Nodes of the side's two edges.
const EDGE_NODES: [usize; 2] = [0, 1];
/// Marker for a missing node or cell.
const NO_NODE: u16 = u16::MAX;
/// Limits of a connection search. Connections found within any limits are correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Maximum number of semi-connections that one application of the OR rule joins.
    pub semis_per_or: usize,
    /// Maximum number of full connections kept per pair of nodes.
    pub fulls_per_pair: usize,
    /// Maximum number of semi-connections kept per pair of nodes. The pair of edges keeps all.
    pub semis_per_pair: usize,
    /// Maximum number of combinations tried for one side of one position. The search then stops with the
    /// connections found so far.
    pub combinations: u64,
}

impl ConnectionLimits {
    /// Limits of a thorough search, the most that a solver can use.
    pub const THOROUGH: ConnectionLimits = ConnectionLimits {
        semis_per_or: 10,
        fulls_per_pair: usize::MAX,
        semis_per_pair: usize::MAX,
        combinations: u64::MAX,
    };
    /// Limits of a thorough search with bounded work.
    ///
    /// On boards larger than 11x11 one position could otherwise take practically forever. An 11x11 board
    /// takes 30,000 combinations.
    pub const BOUNDED: ConnectionLimits =
        ConnectionLimits { combinations: 400_000, ..ConnectionLimits::THOROUGH };
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits::THOROUGH
    }
}

/// Number of combinations tried between two readings of the clock, which takes about 0.1 ms.
const COMBINATIONS_PER_CLOCK_READ: u64 = 1 << 14;

/// A full connection between two nodes.
#[derive(Clone, Copy, Debug)]
struct FullConnection<const W: usize> {
    carrier: CellSet<W>,
    /// Derivation step, if steps are recorded.
    step: u32,
    /// `true` once the AND rule was applied to this connection.
    is_done: bool,
}

/// A semi-connection: the side completes it with a stone on `key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemiConnection<const W: usize> {
    /// Empty cells that the semi-connection needs, including the key.
    pub carrier: CellSet<W>,
    /// Cell on which the side has to play.
    pub key: u16,
    /// Derivation step, if steps are recorded.
    pub(super) step: u32,
    is_done: bool,
}

/// Derivation step: a connection between two nodes and the rule that made it.
#[derive(Clone, Debug)]
pub(super) struct DerivationStep {
    pub(super) nodes: [u16; 2],
    pub(super) rule: DerivationRule,
}

/// Rule of a derivation step, with the steps of the connections that it joins.
#[derive(Clone, Debug)]
pub(super) enum DerivationRule {
    /// The two nodes touch.
    Touch,
    /// AND rule: two connections meet at this node.
    Over(u16, [u32; 2]),
    /// OR rule: no cell is needed by all of these semi-connections.
    Or(Vec<u32>),
}

/// Rule that was just applied. The semi-connections of an OR are in [`VirtualConnections::chosen`].
#[derive(Clone, Copy, Debug)]
enum AppliedRule {
    Touch,
    Over(usize, [u32; 2]),
    Or,
}

/// Connections between two nodes.
#[derive(Clone, Debug)]
struct PairConnections<const W: usize> {
    /// Cells that the carriers of all full connections share, or all cells if there are none.
    meet: CellSet<W>,
    fulls: Vec<FullConnection<W>>,
    semis: Vec<SemiConnection<W>>,
}

/// Condition under which a connection search stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionGoal {
    /// The edges are joined even if the opponent moves first.
    EdgesFullyConnected,
    /// The edges are joined if the side moves first.
    EdgesSemiConnected,
    /// No more connections can be found.
    AllConnections,
}

/// End of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// Edge of the side, 0 (top, left) or 1, with the stones that reach it.
    Edge(usize),
    /// Empty cell, or first stone of a chain.
    Cell(usize),
}

/// Connections between two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedConnections<const W: usize> {
    /// The two ends of the connections.
    pub ends: [ConnectionEnd; 2],
    /// Carriers of the full connections.
    pub fulls: Vec<CellSet<W>>,
    /// Semi-connections between the ends.
    pub semis: Vec<SemiConnection<W>>,
}

/// Virtual connections of one side, with the buffers of the search for them.
///
/// Nodes are the side's edges with all stones that reach them (nodes 0 and 1), other chains of stones, and
/// empty cells.
#[derive(Clone, Debug, Default)]
pub struct VirtualConnections<const W: usize> {
    limits: ConnectionLimits,
    /// Node of each cell; none for the opponent's stones.
    node_of: Vec<u16>,
    /// Node of each chain, by its root on the board.
    node_of_root: Vec<u16>,
    /// Cell of each node; none for chains and edges.
    cell_of: Vec<u16>,
    /// Cells that a stone on each node would capture.
    captured: Vec<CellSet<W>>,
    /// Nodes to which each node has a full connection.
    linked: Vec<Vec<u16>>,
    /// Connections of each pair of nodes, indexed by [`pair_index`].
    pairs: Vec<PairConnections<W>>,
    /// Queue of pairs with new full connections.
    fulls: VecDeque<(u16, u16)>,
    /// Queue of pairs with new semi-connections.
    semis: VecDeque<(u16, u16)>,
    /// Buffer of the OR rule: carriers of a pair's semi-connections.
    or_carriers: Vec<CellSet<W>>,
    /// Buffer of the OR rule: cells that each of these carriers shares with all later ones.
    or_suffix_meets: Vec<CellSet<W>>,
    /// Buffer of the OR rule: derivation steps of a pair's semi-connections.
    or_steps: Vec<u32>,
    /// Buffer of the OR rule: derivation steps of the semi-connections currently chosen.
    chosen: Vec<u32>,
    /// `true` if only the AND and OR rules are used, and each connection is recorded with its rule.
    keeps_steps: bool,
    steps: Vec<DerivationStep>,
    /// Number of combinations tried in this search.
    tried: u64,
    /// Number of combinations at which the clock is read next.
    next_poll: u64,
    /// `true` once no more combinations may be tried.
    is_spent: bool,
}

/// Returns the index of a pair of nodes in the triangular array of pairs.
#[inline]
fn pair_index(one: usize, other: usize) -> usize {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    high * (high - 1) / 2 + low
}

impl<const W: usize> VirtualConnections<W> {
    /// Creates an empty set of connections whose search has these limits.
    #[must_use]
    pub fn with_limits(limits: ConnectionLimits) -> Self {
        VirtualConnections { limits, ..VirtualConnections::default() }
    }

    /// Finds the connections of a side on a board without a winner, until the goal `until` is reached or no
    /// more can be found.
    pub fn build(&mut self, board: &ProofBoard<W>, side: Side, until: ConnectionGoal) {
        self.keeps_steps = false;
        self.run_search(board, side, until, &|| false);
    }

    /// Finds connections like [`VirtualConnections::build`] does. Returns `false` if `is_due` stops it early.
    pub(super) fn build_interruptible(
        &mut self,
        board: &ProofBoard<W>,
        side: Side,
        until: ConnectionGoal,
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        self.keeps_steps = false;
        self.run_search(board, side, until, is_due)
    }

    /// Finds connections by the AND and OR rules alone, without captured pairs, and records the derivation
    /// steps. Returns `false` if `is_due` stops it early.
    pub(super) fn derive_interruptible(
        &mut self,
        board: &ProofBoard<W>,
        side: Side,
        until: ConnectionGoal,
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        self.keeps_steps = true;
        self.run_search(board, side, until, is_due)
    }

    fn run_search(
        &mut self,
        board: &ProofBoard<W>,
        side: Side,
        until: ConnectionGoal,
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        self.steps.clear();
        (self.tried, self.is_spent) = (0, false);
        self.schedule_limit_check();
        self.number_nodes(board, side);
        self.connect_neighbours(board);
        let edges = pair_index(EDGE_NODES[0], EDGE_NODES[1]);
        let is_joined = |pairs: &[PairConnections<W>]| match until {
            ConnectionGoal::EdgesFullyConnected => !pairs[edges].fulls.is_empty(),
            ConnectionGoal::EdgesSemiConnected => {
                !pairs[edges].fulls.is_empty() || !pairs[edges].semis.is_empty()
            }
            ConnectionGoal::AllConnections => false,
        };
        let mut was_due = false;
        let mut ends = || {
            was_due = was_due || is_due();
            was_due
        };
        while !is_joined(&self.pairs) && self.count_combination(&mut ends) {
            if let Some((one, other)) = self.fulls.pop_front() {
                self.apply_and_rule(one.into(), other.into(), &mut ends);
            } else if let Some((one, other)) = self.semis.pop_front() {
                self.apply_or_rule(one.into(), other.into(), &mut ends);
            } else {
                break;
            }
        }
        !was_due
    }

    /// Counts one combination. Returns `false` if the connection search has to stop.
    #[inline]
    fn count_combination(&mut self, ends: &mut dyn FnMut() -> bool) -> bool {
        self.tried += 1;
        self.tried < self.next_poll || self.check_limits(ends)
    }

    #[cold]
    fn check_limits(&mut self, ends: &mut dyn FnMut() -> bool) -> bool {
        self.is_spent |= self.tried > self.limits.combinations || ends();
        self.schedule_limit_check();
        !self.is_spent
    }

    fn schedule_limit_check(&mut self) {
        self.next_poll =
            (self.tried + COMBINATIONS_PER_CLOCK_READ).min(self.limits.combinations.saturating_add(1));
    }

    /// Returns the number of combinations tried by the last connection search.
    pub(super) fn combinations_tried(&self) -> u64 {
        self.tried
    }

    /// Returns the smallest carrier of a full connection between the edges, if there is one.
    #[must_use]
    pub fn smallest_edge_carrier(&self) -> Option<CellSet<W>> {
        let carriers =
            self.pairs[pair_index(EDGE_NODES[0], EDGE_NODES[1])].fulls.iter().map(|full| full.carrier);
        carriers.min_by_key(CellSet::len)
    }

    /// Returns the smallest carrier of a full connection between the edges, and its derivation step.
    pub(super) fn smallest_edge_carrier_step(&self) -> Option<(CellSet<W>, u32)> {
        let fulls = self.pairs[pair_index(EDGE_NODES[0], EDGE_NODES[1])].fulls.iter();
        fulls.map(|full| (full.carrier, full.step)).min_by_key(|(carrier, _)| carrier.len())
    }

    /// Returns the recorded derivation steps, each after those that it joins.
    pub(super) fn derivation_steps(&self) -> &[DerivationStep] {
        &self.steps
    }

    /// Returns the semi-connections between the edges.
    #[must_use]
    pub fn edge_semi_connections(&self) -> &[SemiConnection<W>] {
        &self.pairs[pair_index(EDGE_NODES[0], EDGE_NODES[1])].semis
    }

    /// Lists every pair of ends that has connections, with those connections.
    #[must_use]
    pub fn list_connections(&self) -> Vec<ListedConnections<W>> {
        let nodes = self.node_count();
        let pairs = (1..nodes).flat_map(|high| (0..high).map(move |low| [low, high]));
        let listed = |ends: [usize; 2]| {
            let PairConnections { fulls, semis, .. } = &self.pairs[pair_index(ends[0], ends[1])];
            let fulls = fulls.iter().map(|full| full.carrier).collect();
            ListedConnections { ends: ends.map(|node| self.end_of_node(node)), fulls, semis: semis.clone() }
        };
        pairs.map(listed).filter(|one| !one.fulls.is_empty() || !one.semis.is_empty()).collect()
    }

    /// Returns the cell or edge that a node represents.
    pub(super) fn end_of_node(&self, node: usize) -> ConnectionEnd {
        match self.node_of.iter().position(|&of| usize::from(of) == node) {
            Some(cell) if !EDGE_NODES.contains(&node) => ConnectionEnd::Cell(cell),
            _ => ConnectionEnd::Edge(node),
        }
    }

    /// Returns the number of nodes.
    #[must_use]
    pub(super) fn node_count(&self) -> usize {
        self.cell_of.len()
    }

    /// Returns the cell of a node, or `None` for a chain or an edge.
    #[inline]
    pub(super) fn cell_of_node(&self, node: usize) -> Option<usize> {
        (self.cell_of[node] != NO_NODE).then_some(usize::from(self.cell_of[node]))
    }

    /// Iterates over the nodes to which a node has full connections, each with the cells that the carriers
    /// share.
    pub(super) fn full_neighbours(&self, node: usize) -> impl Iterator<Item = (usize, CellSet<W>)> + '_ {
        self.linked[node].iter().map(move |&to| (to.into(), self.pairs[pair_index(node, to.into())].meet))
    }

    /// Numbers the nodes: edges, then chains that reach no edge, then empty cells. Clears all connections.
    fn number_nodes(&mut self, board: &ProofBoard<W>, side: Side) {
        let cells = board.geometry().cells;
        self.node_of.clear();
        self.node_of.resize(cells, NO_NODE);
        self.cell_of.clear();
        self.cell_of.extend([NO_NODE; 2]);
        self.captured.clear();
        self.captured.extend([CellSet::EMPTY; 2]);
        self.node_of_root.clear();
        self.node_of_root.resize(cells + 4, NO_NODE);
        for edge in EDGE_NODES {
            self.node_of_root[board.chain_root(cells + 2 * side as usize + edge)] = to_u16_index(edge);
        }
        for stone in &board.stones(side) {
            let node = &mut self.node_of_root[board.chain_root(stone)];
            if *node == NO_NODE {
                *node = to_u16_index(self.cell_of.len());
                self.cell_of.push(NO_NODE);
                self.captured.push(CellSet::EMPTY);
            }
            self.node_of[stone] = *node;
        }
        for cell in &board.empty_cells() {
            self.node_of[cell] = to_u16_index(self.cell_of.len());
            self.cell_of.push(to_u16_index(cell));
            let captured =
                if self.keeps_steps { CellSet::EMPTY } else { cells_captured_by_stone(board, side, cell) };
            self.captured.push(captured);
        }
        let nodes = self.cell_of.len();
        self.linked.iter_mut().for_each(Vec::clear);
        self.linked.resize_with(nodes.max(self.linked.len()), Vec::new);
        let pairs = nodes * (nodes - 1) / 2;
        for pair in &mut self.pairs {
            pair.meet = CellSet::EVERY_CELL;
            pair.fulls.clear();
            pair.semis.clear();
        }
        let new = || PairConnections { meet: CellSet::EVERY_CELL, fulls: Vec::new(), semis: Vec::new() };
        self.pairs.resize_with(pairs.max(self.pairs.len()), new);
        self.fulls.clear();
        self.semis.clear();
        self.connect_edge_cells(board, side);
    }

    /// Connects the side's edges to the empty cells beside them.
    fn connect_edge_cells(&mut self, board: &ProofBoard<W>, side: Side) {
        for edge in EDGE_NODES {
            let cells = board.geometry().edges[2 * side as usize + edge];
            for cell in &(cells & board.empty_cells()) {
                self.add_full_connection(edge, self.node_of[cell].into(), CellSet::EMPTY, AppliedRule::Touch);
            }
        }
    }

    /// Connects neighbouring nodes.
    fn connect_neighbours(&mut self, board: &ProofBoard<W>) {
        for cell in &board.empty_cells() {
            let one = usize::from(self.node_of[cell]);
            for beside in &board.geometry().neighbours[cell] {
                let other = self.node_of[beside];
                // Two empty cells are visited twice.
                if other != NO_NODE && usize::from(other) != one {
                    self.add_full_connection(one, other.into(), CellSet::EMPTY, AppliedRule::Touch);
                }
            }
        }
    }

    fn add_full_connection(&mut self, one: usize, other: usize, carrier: CellSet<W>, how: AppliedRule) {
        if self.pairs[pair_index(one, other)].meet.is_subset(&carrier) {
            return;
        }
        let kept = &self.pairs[pair_index(one, other)].fulls;
        if kept.len() >= self.limits.fulls_per_pair
            && !kept.iter().any(|full| carrier.is_subset(&full.carrier))
        {
            return;
        }
        let step = self.record_step(one, other, how);
        let pair = &mut self.pairs[pair_index(one, other)];
        if pair.fulls.is_empty() {
            self.linked[one].push(to_u16_index(other));
            self.linked[other].push(to_u16_index(one));
        }
        if pair.fulls.iter().all(|full| full.is_done) {
            self.fulls.push_back((to_u16_index(one), to_u16_index(other)));
        }
        pair.fulls.retain(|full| !carrier.is_subset(&full.carrier));
        pair.fulls.push(FullConnection { carrier, step, is_done: false });
        pair.meet &= carrier;
        let meet = pair.meet;
        pair.semis.retain(|semi| !meet.is_subset(&semi.carrier));
    }

    fn add_semi_connection(
        &mut self,
        one: usize,
        other: usize,
        carrier: CellSet<W>,
        key: u16,
        how: AppliedRule,
    ) {
        let pair_at = pair_index(one, other);
        let pair = &self.pairs[pair_at];
        if pair.meet.is_subset(&carrier) || pair.semis.iter().any(|semi| semi.carrier.is_subset(&carrier)) {
            return;
        }
        let is_kept = pair.semis.len() < self.limits.semis_per_pair
            || EDGE_NODES.contains(&one) && EDGE_NODES.contains(&other);
        if !is_kept && !pair.semis.iter().any(|semi| carrier.is_subset(&semi.carrier)) {
            return;
        }
        let step = self.record_step(one, other, how);
        let pair = &mut self.pairs[pair_at];
        if pair.semis.iter().all(|semi| semi.is_done) {
            self.semis.push_back((to_u16_index(one), to_u16_index(other)));
        }
        pair.semis.retain(|semi| !carrier.is_subset(&semi.carrier));
        pair.semis.push(SemiConnection { carrier, key, step, is_done: false });
    }

    /// Records the derivation step of a new connection, and returns its number.
    #[inline]
    fn record_step(&mut self, one: usize, other: usize, how: AppliedRule) -> u32 {
        if !self.keeps_steps {
            return 0;
        }
        let rule = match how {
            AppliedRule::Touch => DerivationRule::Touch,
            AppliedRule::Over(node, steps) => DerivationRule::Over(to_u16_index(node), steps),
            AppliedRule::Or => DerivationRule::Or(self.chosen.clone()),
        };
        self.steps.push(DerivationStep { nodes: [to_u16_index(one), to_u16_index(other)], rule });
        u32::try_from(self.steps.len() - 1).expect("the steps of one board")
    }

    /// Applies the AND rule to the new full connections of two nodes, with either node as the common one.
    fn apply_and_rule(&mut self, one: usize, other: usize, ends: &mut dyn FnMut() -> bool) {
        let at = pair_index(one, other);
        while let Some(place) = self.pairs[at].fulls.iter().position(|full| !full.is_done) {
            let full = &mut self.pairs[at].fulls[place];
            full.is_done = true;
            let (carrier, step) = (full.carrier, full.step);
            for (over, from) in [(one, other), (other, one)] {
                // A connection through an edge is already a connection to the edge.
                if !EDGE_NODES.contains(&over) {
                    self.apply_and_rule_over(over, from, carrier, step, ends);
                }
            }
        }
    }

    /// Applies the AND rule to one connection between `from` and `over` and each connection between `over`
    /// and another node.
    fn apply_and_rule_over(
        &mut self,
        over: usize,
        from: usize,
        carrier: CellSet<W>,
        step: u32,
        ends: &mut dyn FnMut() -> bool,
    ) {
        let (key, captured) = (self.cell_of[over], self.captured[over]);
        let apart = carrier.difference(&captured);
        let from_cell = self.cell_of[from];
        self.tried += self.linked[over].len() as u64;
        for place in 0..self.linked[over].len() {
            let to = usize::from(self.linked[over][place]);
            let next = pair_index(over, to);
            let to_cell = self.cell_of[to];
            if to == from
                || self.pairs[next].meet.intersects(&apart)
                || to_cell != NO_NODE && carrier.contains(to_cell.into())
            {
                continue;
            }
            for index in 0..self.pairs[next].fulls.len() {
                if !self.count_combination(ends) {
                    return;
                }
                let FullConnection { carrier: other, step: next_step, is_done } =
                    self.pairs[next].fulls[index];
                if !is_done
                    || other.intersects(&apart)
                    || from_cell != NO_NODE && other.contains(from_cell.into())
                {
                    continue;
                }
                let mut both = carrier | other;
                if carrier.intersects(&other) {
                    both |= captured;
                }
                let ends = [from_cell, to_cell];
                if ends.into_iter().any(|end| end != NO_NODE && both.contains(end.into())) {
                    continue; // one of the captured cells is an end
                }
                let how = AppliedRule::Over(over, [step, next_step]);
                if key == NO_NODE {
                    self.add_full_connection(from, to, both, how);
                } else {
                    both.insert(key.into());
                    self.add_semi_connection(from, to, both, key, how);
                }
            }
        }
    }

    /// Applies the OR rule to the new semi-connections of two nodes.
    fn apply_or_rule(&mut self, one: usize, other: usize, ends: &mut dyn FnMut() -> bool) {
        let at = pair_index(one, other);
        while let Some(place) = self.pairs[at].semis.iter().position(|semi| !semi.is_done) {
            let semi = &mut self.pairs[at].semis[place];
            semi.is_done = true;
            let (carrier, step) = (semi.carrier, semi.step);
            self.or_carriers.clear();
            self.or_steps.clear();
            for (index, semi) in self.pairs[at].semis.iter().enumerate() {
                if semi.is_done && index != place {
                    self.or_carriers.push(semi.carrier);
                    self.or_steps.push(semi.step);
                }
            }
            self.chosen.clear();
            self.chosen.push(step);
            self.or_suffix_meets.clear();
            self.or_suffix_meets.resize(self.or_carriers.len() + 1, CellSet::EVERY_CELL);
            for index in (0..self.or_carriers.len()).rev() {
                self.or_suffix_meets[index] = self.or_suffix_meets[index + 1] & self.or_carriers[index];
            }
            self.extend_or_combination([one, other], 0, carrier, carrier, 1, ends);
        }
    }

    /// Extends an OR combination whose carriers share `meet` with semi-connections from index `begin` on.
    fn extend_or_combination(
        &mut self,
        [one, other]: [usize; 2],
        begin: usize,
        meet: CellSet<W>,
        union: CellSet<W>,
        count: usize,
        ends: &mut dyn FnMut() -> bool,
    ) {
        for index in begin..self.or_carriers.len() {
            if !self.count_combination(ends) {
                return;
            }
            if meet.intersects(&self.or_suffix_meets[index]) {
                return; // even all remaining carriers share a cell with it
            }
            let rest = meet & self.or_carriers[index];
            let all = union | self.or_carriers[index];
            if rest == meet || self.pairs[pair_index(one, other)].meet.is_subset(&all) {
                continue;
            }
            self.chosen.push(self.or_steps[index]);
            if rest.is_empty() {
                self.add_full_connection(one, other, all, AppliedRule::Or);
            } else if count + 1 < self.limits.semis_per_or {
                self.extend_or_combination([one, other], index + 1, rest, all, count + 1, ends);
            }
            self.chosen.pop();
        }
    }
}

/// Converts the index of a node or a cell to its stored form.
#[inline]
fn to_u16_index(number: usize) -> u16 {
    u16::try_from(number).expect("at most 680 nodes")
}
