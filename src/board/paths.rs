//! Shortest paths through a graph of numbered nodes. This module does not depend on boards.

use std::collections::VecDeque;
use std::iter::successors;

/// Distance of an unreachable node, and cost of a blocked node.
pub const UNREACHABLE: u16 = u16::MAX;

/// Returns the lowest cost of a path from any start to each of the nodes 0 to `nodes - 1`, or
/// [`UNREACHABLE`]. `cost` returns the cost of entering a node, starts included: 0, 1 or [`UNREACHABLE`].
/// `beside` returns the neighbours of a node.
///
/// ```
/// use crosspath::board::paths::shortest_distances;
/// // A line of five nodes; entering the third costs nothing.
/// let beside = |node: usize| node.saturating_sub(1)..=(node + 1).min(4);
/// assert_eq!(shortest_distances(5, [0], |node| u16::from(node != 2), beside), [1, 2, 2, 3, 4]);
/// ```
pub fn shortest_distances<N: IntoIterator<Item = usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    cost: impl Fn(usize) -> u16,
    beside: impl Fn(usize) -> N,
) -> Vec<u16> {
    let mut distances = vec![UNREACHABLE; nodes];
    // Queue of nodes whose neighbours are still to be visited, the nearest first.
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

/// Returns a path with the fewest nodes from a start to a goal, or an empty path if there is none. Ties are
/// broken by the order of the starts and of the neighbours.
pub fn find_shortest_path<N: IntoIterator<Item = usize>>(
    nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    is_goal: impl Fn(usize) -> bool,
    beside: impl Fn(usize) -> N,
) -> Vec<usize> {
    // Predecessor of each node on the path. A start is its own predecessor, and `None` marks a node not yet
    // reached.
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
