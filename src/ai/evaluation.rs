//! Evaluation of a position by a network, without a search.

/// A judgement of a running game by a network alone.
///
/// ```
/// use crosspath::ai::quoridor::evaluate;
/// use crosspath::games::quoridor::Quoridor;
/// let evaluation = evaluate(&Quoridor::new(9)?).ok_or("a build without networks")?;
/// assert!((0.0..=1.0).contains(&evaluation.win_chance));
/// assert!(evaluation.policy.is_empty(), "this network judges positions alone");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation<M> {
    /// Chance of the mover to win, from 0 to 1.
    pub win_chance: f64,
    /// Probability that the network gives each legal move, the likeliest first; empty for a network that judges positions
    /// alone.
    pub policy: Vec<(M, f64)>,
}
