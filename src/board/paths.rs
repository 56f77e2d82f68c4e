//! Shortest ways through a graph of numbered nodes, in buffers that are used again and again. Knows no board.

/// Breadth-first searches that allocate nothing once they have been made.
///
/// ```
/// use crosspath::board::paths::Paths;
/// // A line of five nodes; entering the third costs nothing.
/// let mut paths = Paths::new(5);
/// let beside = |node: usize, out: &mut Vec<usize>| {
///     out.extend(node.checked_sub(1));
///     out.extend((node + 1 < 5).then_some(node + 1));
/// };
/// paths.spread([0], |node| u16::from(node != 2), beside);
/// assert_eq!(paths.distances(), [1, 2, 2, 3, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct Paths {
    distance: Vec<u16>,
    before: Vec<usize>,
    /// The nodes at the distance that is looked at, then those one further.
    now: Vec<usize>,
    next: Vec<usize>,
    beside: Vec<usize>,
}

impl Paths {
    /// The distance of what cannot be reached, and the cost of what must not be entered.
    pub const FAR: u16 = u16::MAX;

    /// Searches over nodes 0 to `nodes - 1`.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Paths {
            distance: vec![Self::FAR; nodes],
            before: vec![usize::MAX; nodes],
            now: Vec::with_capacity(nodes),
            next: Vec::with_capacity(nodes),
            beside: Vec::with_capacity(16),
        }
    }

    /// Finds the least cost of a way from any start to each node. `cost` says what entering a node costs, starts
    /// included: 0, 1 or [`Paths::FAR`]; `beside` appends the neighbours of a node.
    pub fn spread(
        &mut self,
        starts: impl IntoIterator<Item = usize>,
        cost: impl Fn(usize) -> u16,
        beside: impl Fn(usize, &mut Vec<usize>),
    ) {
        self.distance.fill(Self::FAR);
        self.now.clear();
        self.next.clear();
        let mut reached = 0;
        for start in starts {
            self.enter(start, 0, reached, &cost);
        }
        loop {
            while let Some(node) = self.now.pop() {
                if self.distance[node] != reached {
                    continue; // It was found again by a shorter way.
                }
                let mut neighbours = std::mem::take(&mut self.beside);
                neighbours.clear();
                beside(node, &mut neighbours);
                for &neighbour in &neighbours {
                    self.enter(neighbour, reached, reached, &cost);
                }
                self.beside = neighbours;
            }
            if self.next.is_empty() {
                return;
            }
            std::mem::swap(&mut self.now, &mut self.next);
            reached += 1;
        }
    }

    /// Enters a node from a distance, if that is the shortest way to it so far.
    fn enter(&mut self, node: usize, from: u16, reached: u16, cost: &impl Fn(usize) -> u16) {
        let price = cost(node);
        if price == Self::FAR || self.distance[node] <= from + price {
            return;
        }
        self.distance[node] = from + price;
        if from + price == reached { self.now.push(node) } else { self.next.push(node) }
    }

    /// The distances that the last [`Paths::spread`] found, [`Paths::FAR`] where there is no way.
    #[must_use]
    pub fn distances(&self) -> &[u16] {
        &self.distance
    }

    /// A way with the fewest nodes from a start to a goal: of several the one that is found first when starts are
    /// taken in their order and neighbours in theirs. Empty if there is none.
    pub fn shortest(
        &mut self,
        starts: impl IntoIterator<Item = usize>,
        is_goal: impl Fn(usize) -> bool,
        beside: impl Fn(usize, &mut Vec<usize>),
    ) -> Vec<usize> {
        self.before.fill(usize::MAX);
        self.now.clear();
        for start in starts {
            self.before[start] = start;
            self.now.push(start);
        }
        let mut read = 0;
        while let Some(&node) = self.now.get(read) {
            read += 1;
            if is_goal(node) {
                return self.way_to(node);
            }
            self.beside.clear();
            beside(node, &mut self.beside);
            for &neighbour in &self.beside {
                if self.before[neighbour] == usize::MAX {
                    self.before[neighbour] = node;
                    self.now.push(neighbour);
                }
            }
        }
        Vec::new()
    }

    fn way_to(&self, goal: usize) -> Vec<usize> {
        let mut way = vec![goal];
        let mut node = goal;
        while self.before[node] != node {
            node = self.before[node];
            way.push(node);
        }
        way.reverse();
        way
    }
}
