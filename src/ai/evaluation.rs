//! Evaluation of a position by a network, without a search.

/// Evaluation of a position that is not over by a network alone.
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
pub struct NetworkEvaluation<M> {
    /// Win probability of the side to move, from 0 to 1.
    pub win_chance: f64,
    /// Policy: the probability of each legal move, highest first; empty if the network has no policy head.
    pub policy: Vec<(M, f64)>,
}
