//! Shortest paths through a graph of numbered nodes. Knows no board.

use std::collections::VecDeque;
use std::iter::successors;

/// The distance of what cannot be reached, and the cost of what must not be entered.
pub const FAR: u16 = u16::MAX;

/// The least cost of a path from any start to each of the nodes 0 to `nodes - 1`; [`FAR`] where there is no path. `cost`
/// says what entering a node costs, starts included: 0, 1 or [`FAR`]; `beside` gives the neighbours of a node.
///
/// ```
/// use crosspath::board::paths::distances;
/// // A line of five nodes; entering the third costs nothing.
/// let beside = |node: usize| node.saturating_sub(1)..=(node + 1).min(4);
/// assert_eq!(distances(5, [0], |node| u16::from(node != 2), beside), [1, 2, 2, 3, 4]);
/// ```
pub fn distances<N: IntoIterator<Item = usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    cost: impl Fn(usize) -> u16,
    beside: impl Fn(usize) -> N,
) -> Vec<u16> {
    let mut distances = vec![FAR; nodes];
    // The nodes whose neighbours have not been entered yet, the nearest in front.
    let mut waiting = VecDeque::new();
    let enter = |node: usize, from: u16, distances: &mut [u16], waiting: &mut VecDeque<usize>| {
        let price = cost(node);
        let distance = from.saturating_add(price);
        if distance < distances[node] {
            distances[node] = distance;
            if price == 0 { waiting.push_front(node) } else { waiting.push_back(node) }
        }
    };
    for start in starts {
        enter(start, 0, &mut distances, &mut waiting);
    }
    while let Some(node) = waiting.pop_front() {
        for neighbour in beside(node) {
            enter(neighbour, distances[node], &mut distances, &mut waiting);
        }
    }
    distances
}

/// Returns a path with the fewest nodes from a start to a goal. Of several it is the first one found when starts are
/// taken in their order and neighbours in theirs. Empty if there is none.
pub fn shortest<N: IntoIterator<Item = usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    is_goal: impl Fn(usize) -> bool,
    beside: impl Fn(usize) -> N,
) -> Vec<usize> {
    // By node: the one before it on the path, a start itself; `None` if it has not been reached.
    let mut before = vec![None; nodes];
    let mut waiting: VecDeque<usize> =
        starts.into_iter().inspect(|&start| before[start] = Some(start)).collect();
    while let Some(node) = waiting.pop_front() {
        if is_goal(node) {
            let mut path: Vec<usize> =
                successors(Some(node), |&node| before[node].filter(|&before| before != node)).collect();
            path.reverse();
            return path;
        }
        for neighbour in beside(node) {
            if before[neighbour].is_none() {
                before[neighbour] = Some(node);
                waiting.push_back(neighbour);
            }
        }
    }
    Vec::new()
}
