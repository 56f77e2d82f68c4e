//! Evaluation of a position by a network, without a search.

/// A judgement of a running game by a network alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation<M> {
    /// Chance of the mover to win, from 0 to 1.
    pub win_chance: f64,
    /// Probability that the network gives each legal move, the likeliest first; empty for a network that judges positions
    /// alone.
    pub policy: Vec<(M, f64)>,
}
