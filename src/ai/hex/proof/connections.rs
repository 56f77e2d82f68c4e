//! Connections that a side can make whatever the opponent does: found by H-search, with the empty cells that each one
//! needs. Knows stones and cells, no moves and no search.
//!
//! ```text
//!   full: joined even if the opponent moves first      semi: joined if the side moves first, on the key
//!
//!   AND over a stone z:       x ==== z ==== y             full(x,z) + full(z,y)  ->  full(x,y)
//!   AND over an empty cell z: x ==== · ==== y             full(x,z) + full(z,y)  ->  semi(x,y), key z
//!   OR:   semis of x and y that have no cell in common, all together, make a full connection
//! ```
//!
//! The carrier of a connection is the set of empty cells between its ends that it needs. The two carriers of an AND have no
//! cell in common; over an empty cell they may meet in the pair that a stone on it would capture.

use std::collections::VecDeque;

use super::board::ProofBoard;
use super::cells::Cells;
use super::inferior::captured_by;
use crate::game::Side;

/// The nodes of the side's two edges.
const EDGES: [usize; 2] = [0, 1];
/// Number that stands for no node and no cell.
const NONE: u16 = u16::MAX;
/// Limits of a search for connections; its findings are right in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The most semis that one OR joins.
    pub joined: usize,
    /// The most full connections that are kept of two nodes.
    pub fulls: usize,
    /// The most semis that are kept of two nodes; the edges keep all.
    pub semis: usize,
    /// The most combinations that one search for the connections of one side tries. It ends there with those found so far.
    pub combinations: u64,
}

impl Effort {
    /// All that a solver can use.
    pub const WHOLE: Effort =
        Effort { joined: 10, fulls: usize::MAX, semis: usize::MAX, combinations: u64::MAX };
    /// Everything within bounded work: on boards larger than 11x11 one position could take for ever otherwise. 11x11 takes
    /// 30,000 combinations.
    pub const BOUNDED: Effort = Effort { combinations: 400_000, ..Effort::WHOLE };
}

impl Default for Effort {
    fn default() -> Self {
        Effort::WHOLE
    }
}

/// Combinations between two readings of the clock: some 0.1 ms.
const POLL: u64 = 1 << 14;

/// A full connection.
#[derive(Clone, Copy, Debug)]
struct Full<const W: usize> {
    carrier: Cells<W>,
    /// Its step, where steps are kept.
    step: u32,
    /// `true` if it was joined with its neighbours.
    is_done: bool,
}

/// A semi connection: the side wins it with a stone on `key`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semi<const W: usize> {
    /// The empty cells that it needs, the key among them.
    pub carrier: Cells<W>,
    /// Cell on which the side has to play.
    pub key: u16,
    /// Its step, where steps are kept.
    pub(super) step: u32,
    is_done: bool,
}

/// Derivation of a connection of two nodes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) nodes: [u16; 2],
    pub(super) rule: Rule,
}

/// A rule, with the steps of the connections that it joins.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// The nodes touch each other.
    Touch,
    /// Two connections meet at this node.
    Over(u16, [u32; 2]),
    /// No cell is needed by all of these.
    Or(Vec<u32>),
}

/// A rule that was applied just now; the semis of an OR are in [`Connections::chosen`].
#[derive(Clone, Copy, Debug)]
enum AppliedRule {
    Touch,
    Over(usize, [u32; 2]),
    Or,
}

/// The connections between two nodes.
#[derive(Clone, Debug)]
struct Pair<const W: usize> {
    /// Cells that all full carriers have in common; all cells while there is none.
    meet: Cells<W>,
    fulls: Vec<Full<W>>,
    semis: Vec<Semi<W>>,
}

/// Condition under which a search for connections stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCondition {
    /// The edges are joined even if the opponent moves first.
    Full,
    /// The edges are joined if the side moves first.
    Semi,
    /// There is nothing more to find.
    Complete,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// The side's first edge (top, left) or second one, with the stones that reach it.
    Edge(usize),
    /// An empty cell, or the first stone of a chain.
    Cell(usize),
}

/// The connections of two ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedConnections<const W: usize> {
    /// The ends.
    pub ends: [Endpoint; 2],
    /// The carriers of the full connections.
    pub fulls: Vec<Cells<W>>,
    /// The semi connections.
    pub semis: Vec<Semi<W>>,
}

/// The connections of one side, and room to find them.
///
/// A node is a chain of stones, an edge with all stones that reach it, or an empty cell. Nodes 0 and 1 are the edges.
#[derive(Clone, Debug, Default)]
pub struct Connections<const W: usize> {
    effort: Effort,
    /// By cell; nothing for the opponent's stones.
    node_of: Vec<u16>,
    /// By root of a chain on the board, its node.
    of_root: Vec<u16>,
    /// By node, its cell; nothing for chains and edges.
    cell_of: Vec<u16>,
    /// By node, the cells that a stone on it would capture.
    captured: Vec<Cells<W>>,
    /// By node, those with which it has a full connection.
    linked: Vec<Vec<u16>>,
    /// By [`pair`].
    pairs: Vec<Pair<W>>,
    /// Pairs with full connections and with semis that were not looked at.
    fulls: VecDeque<(u16, u16)>,
    semis: VecDeque<(u16, u16)>,
    /// Room for an OR: the semis of a pair, and what each and all behind it have in common.
    many: Vec<Cells<W>>,
    suffix: Vec<Cells<W>>,
    /// The steps of those semis, and of the ones that are just joined.
    many_steps: Vec<u32>,
    chosen: Vec<u32>,
    /// `true` if only the two rules are used, and each connection is kept with the rule that made it.
    keeps_steps: bool,
    steps: Vec<Step>,
    /// Combinations tried in this search.
    tried: u64,
    /// The count at which the clock is read next.
    next_poll: u64,
    /// True once no more combinations may be tried.
    is_spent: bool,
}

/// The place of two nodes in the triangle of pairs.
#[inline]
fn pair(one: usize, other: usize) -> usize {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    high * (high - 1) / 2 + low
}

impl<const W: usize> Connections<W> {
    /// Room for connections that are found with some effort.
    #[must_use]
    pub fn with(effort: Effort) -> Self {
        Connections { effort, ..Connections::default() }
    }

    /// Finds the connections of a side on a board where nobody has won, until the edges are joined as is asked, or there is
    /// nothing more to find.
    pub fn build(&mut self, board: &ProofBoard<W>, side: Side, until: StopCondition) {
        self.keeps_steps = false;
        self.find(board, side, until, &|| false);
    }

    /// Finds connections as [`Connections::build`] does; `false` if that is due to end before it is done.
    pub(super) fn build_until_due(
        &mut self,
        board: &ProofBoard<W>,
        side: Side,
        until: StopCondition,
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        self.keeps_steps = false;
        self.find(board, side, until, is_due)
    }

    /// Finds connections by the two rules alone, without the pairs that a stone would capture, and records the steps. Returns
    /// false if it was due to end before it was done.
    pub(super) fn derive_until_due(
        &mut self,
        board: &ProofBoard<W>,
        side: Side,
        until: StopCondition,
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        self.keeps_steps = true;
        self.find(board, side, until, is_due)
    }

    fn find(
        &mut self,
        board: &ProofBoard<W>,
        side: Side,
        until: StopCondition,
        is_due: &dyn Fn() -> bool,
    ) -> bool {
        self.steps.clear();
        (self.tried, self.is_spent) = (0, false);
        self.schedule_poll();
        self.number_nodes(board, side);
        self.add_neighbours(board);
        let edges = pair(EDGES[0], EDGES[1]);
        let is_joined = |pairs: &[Pair<W>]| match until {
            StopCondition::Full => !pairs[edges].fulls.is_empty(),
            StopCondition::Semi => !pairs[edges].fulls.is_empty() || !pairs[edges].semis.is_empty(),
            StopCondition::Complete => false,
        };
        let mut was_due = false;
        let mut ends = || {
            was_due = was_due || is_due();
            was_due
        };
        while !is_joined(&self.pairs) && self.tick(&mut ends) {
            if let Some((one, other)) = self.fulls.pop_front() {
                self.join_fulls(one.into(), other.into(), &mut ends);
            } else if let Some((one, other)) = self.semis.pop_front() {
                self.join_semis(one.into(), other.into(), &mut ends);
            } else {
                break;
            }
        }
        !was_due
    }

    /// Counts one combination. Returns false when the search for connections has to end.
    #[inline]
    fn tick(&mut self, ends: &mut dyn FnMut() -> bool) -> bool {
        self.tried += 1;
        self.tried < self.next_poll || self.poll(ends)
    }

    #[cold]
    fn poll(&mut self, ends: &mut dyn FnMut() -> bool) -> bool {
        self.is_spent |= self.tried > self.effort.combinations || ends();
        self.schedule_poll();
        !self.is_spent
    }

    fn schedule_poll(&mut self) {
        self.next_poll = (self.tried + POLL).min(self.effort.combinations.saturating_add(1));
    }

    /// Returns the number of combinations tried by the last search for connections.
    pub(super) fn tried(&self) -> u64 {
        self.tried
    }

    /// The carrier of a full connection of the edges.
    #[must_use]
    pub fn full(&self) -> Option<Cells<W>> {
        let carriers = self.pairs[pair(EDGES[0], EDGES[1])].fulls.iter().map(|full| full.carrier);
        carriers.min_by_key(Cells::len)
    }

    /// Returns the carrier of a full connection of the edges, and its step.
    pub(super) fn full_step(&self) -> Option<(Cells<W>, u32)> {
        let fulls = self.pairs[pair(EDGES[0], EDGES[1])].fulls.iter();
        fulls.map(|full| (full.carrier, full.step)).min_by_key(|(carrier, _)| carrier.len())
    }

    /// The steps that were kept, each behind those that it joins.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The semi connections of the edges.
    #[must_use]
    pub fn semis(&self) -> &[Semi<W>] {
        &self.pairs[pair(EDGES[0], EDGES[1])].semis
    }

    /// Every pair of ends with a connection, and those connections, for people and tests.
    #[must_use]
    pub fn listed(&self) -> Vec<ListedConnections<W>> {
        let nodes = self.nodes();
        let pairs = (1..nodes).flat_map(|high| (0..high).map(move |low| [low, high]));
        let listed = |ends: [usize; 2]| {
            let Pair { fulls, semis, .. } = &self.pairs[pair(ends[0], ends[1])];
            let fulls = fulls.iter().map(|full| full.carrier).collect();
            ListedConnections { ends: ends.map(|node| self.end(node)), fulls, semis: semis.clone() }
        };
        pairs.map(listed).filter(|one| !one.fulls.is_empty() || !one.semis.is_empty()).collect()
    }

    /// Returns the cell or the edge that a node stands for.
    pub(super) fn end(&self, node: usize) -> Endpoint {
        match self.node_of.iter().position(|&of| usize::from(of) == node) {
            Some(cell) if !EDGES.contains(&node) => Endpoint::Cell(cell),
            _ => Endpoint::Edge(node),
        }
    }

    /// Returns the number of nodes.
    #[must_use]
    pub(super) fn nodes(&self) -> usize {
        self.cell_of.len()
    }

    /// The cell of a node that is one.
    #[inline]
    pub(super) fn cell(&self, node: usize) -> Option<usize> {
        (self.cell_of[node] != NONE).then_some(usize::from(self.cell_of[node]))
    }

    /// The nodes to which a node has full connections, each with what the carriers of those have in common.
    pub(super) fn linked(&self, node: usize) -> impl Iterator<Item = (usize, Cells<W>)> + '_ {
        self.linked[node].iter().map(move |&to| (to.into(), self.pairs[pair(node, to.into())].meet))
    }

    /// The nodes: edges, then the chains in between, then the empty cells.
    fn number_nodes(&mut self, board: &ProofBoard<W>, side: Side) {
        let cells = board.geometry().cells;
        self.node_of.clear();
        self.node_of.resize(cells, NONE);
        self.cell_of.clear();
        self.cell_of.extend([NONE; 2]);
        self.captured.clear();
        self.captured.extend([Cells::EMPTY; 2]);
        self.of_root.clear();
        self.of_root.resize(cells + 4, NONE);
        for edge in EDGES {
            self.of_root[board.root(cells + 2 * side as usize + edge)] = narrow(edge);
        }
        for stone in &board.stones(side) {
            let node = &mut self.of_root[board.root(stone)];
            if *node == NONE {
                *node = narrow(self.cell_of.len());
                self.cell_of.push(NONE);
                self.captured.push(Cells::EMPTY);
            }
            self.node_of[stone] = *node;
        }
        for cell in &board.empty() {
            self.node_of[cell] = narrow(self.cell_of.len());
            self.cell_of.push(narrow(cell));
            let captured = if self.keeps_steps { Cells::EMPTY } else { captured_by(board, side, cell) };
            self.captured.push(captured);
        }
        let nodes = self.cell_of.len();
        self.linked.iter_mut().for_each(Vec::clear);
        self.linked.resize_with(nodes.max(self.linked.len()), Vec::new);
        let pairs = nodes * (nodes - 1) / 2;
        for pair in &mut self.pairs {
            pair.meet = Cells::ALL;
            pair.fulls.clear();
            pair.semis.clear();
        }
        let new = || Pair { meet: Cells::ALL, fulls: Vec::new(), semis: Vec::new() };
        self.pairs.resize_with(pairs.max(self.pairs.len()), new);
        self.fulls.clear();
        self.semis.clear();
        self.edges_of(board, side);
    }

    /// Cells beside an own edge are joined to it.
    fn edges_of(&mut self, board: &ProofBoard<W>, side: Side) {
        for edge in EDGES {
            let cells = board.geometry().edges[2 * side as usize + edge];
            for cell in &(cells & board.empty()) {
                self.add_full(edge, self.node_of[cell].into(), Cells::EMPTY, AppliedRule::Touch);
            }
        }
    }

    /// Neighbours are joined.
    fn add_neighbours(&mut self, board: &ProofBoard<W>) {
        for cell in &board.empty() {
            let one = usize::from(self.node_of[cell]);
            for beside in &board.geometry().beside[cell] {
                let other = self.node_of[beside];
                // Two empty cells are met twice.
                if other != NONE && usize::from(other) != one {
                    self.add_full(one, other.into(), Cells::EMPTY, AppliedRule::Touch);
                }
            }
        }
    }

    fn add_full(&mut self, one: usize, other: usize, carrier: Cells<W>, how: AppliedRule) {
        if self.pairs[pair(one, other)].meet.is_subset(&carrier) {
            return;
        }
        let kept = &self.pairs[pair(one, other)].fulls;
        if kept.len() >= self.effort.fulls && !kept.iter().any(|full| carrier.is_subset(&full.carrier)) {
            return;
        }
        let step = self.keep_step(one, other, how);
        let pair = &mut self.pairs[pair(one, other)];
        if pair.fulls.is_empty() {
            self.linked[one].push(narrow(other));
            self.linked[other].push(narrow(one));
        }
        if pair.fulls.iter().all(|full| full.is_done) {
            self.fulls.push_back((narrow(one), narrow(other)));
        }
        pair.fulls.retain(|full| !carrier.is_subset(&full.carrier));
        pair.fulls.push(Full { carrier, step, is_done: false });
        pair.meet &= carrier;
        let meet = pair.meet;
        pair.semis.retain(|semi| !meet.is_subset(&semi.carrier));
    }

    fn add_semi(&mut self, one: usize, other: usize, carrier: Cells<W>, key: u16, how: AppliedRule) {
        let pair_at = pair(one, other);
        let pair = &self.pairs[pair_at];
        if pair.meet.is_subset(&carrier) || pair.semis.iter().any(|semi| semi.carrier.is_subset(&carrier)) {
            return;
        }
        let is_kept = pair.semis.len() < self.effort.semis || EDGES.contains(&one) && EDGES.contains(&other);
        if !is_kept && !pair.semis.iter().any(|semi| carrier.is_subset(&semi.carrier)) {
            return;
        }
        let step = self.keep_step(one, other, how);
        let pair = &mut self.pairs[pair_at];
        if pair.semis.iter().all(|semi| semi.is_done) {
            self.semis.push_back((narrow(one), narrow(other)));
        }
        pair.semis.retain(|semi| !carrier.is_subset(&semi.carrier));
        pair.semis.push(Semi { carrier, key, step, is_done: false });
    }

    /// The number of the step that a new connection gets.
    #[inline]
    fn keep_step(&mut self, one: usize, other: usize, how: AppliedRule) -> u32 {
        if !self.keeps_steps {
            return 0;
        }
        let rule = match how {
            AppliedRule::Touch => Rule::Touch,
            AppliedRule::Over(node, steps) => Rule::Over(narrow(node), steps),
            AppliedRule::Or => Rule::Or(self.chosen.clone()),
        };
        self.steps.push(Step { nodes: [narrow(one), narrow(other)], rule });
        u32::try_from(self.steps.len() - 1).expect("the steps of one board")
    }

    /// The AND rule for the new full connections of two nodes, over each of the two.
    fn join_fulls(&mut self, one: usize, other: usize, ends: &mut dyn FnMut() -> bool) {
        let at = pair(one, other);
        while let Some(place) = self.pairs[at].fulls.iter().position(|full| !full.is_done) {
            let full = &mut self.pairs[at].fulls[place];
            full.is_done = true;
            let (carrier, step) = (full.carrier, full.step);
            for (over, from) in [(one, other), (other, one)] {
                // What is joined by way of an edge is joined to the edge anyway.
                if !EDGES.contains(&over) {
                    self.join_over(over, from, carrier, step, ends);
                }
            }
        }
    }

    /// The AND rule for one connection of `from` and `over` and all those that lead on from `over`.
    fn join_over(
        &mut self,
        over: usize,
        from: usize,
        carrier: Cells<W>,
        step: u32,
        ends: &mut dyn FnMut() -> bool,
    ) {
        let (key, captured) = (self.cell_of[over], self.captured[over]);
        let apart = carrier.minus(&captured);
        let from_cell = self.cell_of[from];
        self.tried += self.linked[over].len() as u64;
        for place in 0..self.linked[over].len() {
            let to = usize::from(self.linked[over][place]);
            let next = pair(over, to);
            let to_cell = self.cell_of[to];
            if to == from
                || self.pairs[next].meet.meets(&apart)
                || to_cell != NONE && carrier.contains(to_cell.into())
            {
                continue;
            }
            for index in 0..self.pairs[next].fulls.len() {
                if !self.tick(ends) {
                    return;
                }
                let Full { carrier: other, step: next_step, is_done } = self.pairs[next].fulls[index];
                if !is_done || other.meets(&apart) || from_cell != NONE && other.contains(from_cell.into()) {
                    continue;
                }
                let mut both = carrier | other;
                if carrier.meets(&other) {
                    both |= captured;
                }
                let ends = [from_cell, to_cell];
                if ends.into_iter().any(|end| end != NONE && both.contains(end.into())) {
                    continue; // an end would be one of the captured cells
                }
                let how = AppliedRule::Over(over, [step, next_step]);
                if key == NONE {
                    self.add_full(from, to, both, how);
                } else {
                    both.insert(key.into());
                    self.add_semi(from, to, both, key, how);
                }
            }
        }
    }

    /// The OR rule for the new semis of two nodes.
    fn join_semis(&mut self, one: usize, other: usize, ends: &mut dyn FnMut() -> bool) {
        let at = pair(one, other);
        while let Some(place) = self.pairs[at].semis.iter().position(|semi| !semi.is_done) {
            let semi = &mut self.pairs[at].semis[place];
            semi.is_done = true;
            let (carrier, step) = (semi.carrier, semi.step);
            self.many.clear();
            self.many_steps.clear();
            for (index, semi) in self.pairs[at].semis.iter().enumerate() {
                if semi.is_done && index != place {
                    self.many.push(semi.carrier);
                    self.many_steps.push(semi.step);
                }
            }
            self.chosen.clear();
            self.chosen.push(step);
            self.suffix.clear();
            self.suffix.resize(self.many.len() + 1, Cells::ALL);
            for index in (0..self.many.len()).rev() {
                self.suffix[index] = self.suffix[index + 1] & self.many[index];
            }
            self.join_from([one, other], 0, carrier, carrier, 1, ends);
        }
    }

    /// Joins semis from a place on with some whose carriers have `meet` in common.
    fn join_from(
        &mut self,
        [one, other]: [usize; 2],
        begin: usize,
        meet: Cells<W>,
        union: Cells<W>,
        count: usize,
        ends: &mut dyn FnMut() -> bool,
    ) {
        for index in begin..self.many.len() {
            if !self.tick(ends) {
                return;
            }
            if meet.meets(&self.suffix[index]) {
                return; // all that follow cannot part them
            }
            let rest = meet & self.many[index];
            let all = union | self.many[index];
            if rest == meet || self.pairs[pair(one, other)].meet.is_subset(&all) {
                continue;
            }
            self.chosen.push(self.many_steps[index]);
            if rest.is_empty() {
                self.add_full(one, other, all, AppliedRule::Or);
            } else if count + 1 < self.effort.joined {
                self.join_from([one, other], index + 1, rest, all, count + 1, ends);
            }
            self.chosen.pop();
        }
    }
}

/// A number of a node or a cell.
#[inline]
fn narrow(number: usize) -> u16 {
    u16::try_from(number).expect("at most 680 nodes")
}
