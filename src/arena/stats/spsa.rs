//! Simultaneous perturbation stochastic approximation (Spall 1992): tunes many constants at once by
//! games between two perturbed versions of an engine.
//!
//! This module depends neither on the games nor on the meaning of the constants.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::random::{TUNING_STREAM, mix_seed, random_stream};

/// Decay exponent of the step size `a_k`.
const STEP_DECAY_EXPONENT: f64 = 0.602;
/// Decay exponent of the perturbation size `c_k`.
const PERTURBATION_DECAY_EXPONENT: f64 = 0.101;
/// Scale for rounding tuned values to nine decimals, because the last digits of `powf` differ between
/// computers.
const VALUE_ROUNDING_SCALE: f64 = 1e9;

/// Constant that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a constant such as {\"name\":\"exploration\",\"value\":1,\"min\":0.2,\"max\":4,\"c_end\":0.1,\"r_end\":0.02}"
)]
pub struct TunedParameter {
    /// Name of the constant.
    pub name: String,
    /// Current value.
    pub value: f64,
    /// Minimum value.
    pub min: f64,
    /// Maximum value.
    pub max: f64,
    /// Perturbation size in the last iteration. It is larger in earlier iterations.
    pub c_end: f64,
    /// Learning rate in the last iteration. It is larger in earlier iterations.
    ///
    /// It is the step per game of lead, as a fraction of the perturbation.
    pub r_end: f64,
    /// Number of values per unit interval that the engine distinguishes. Determined by the name, not stored
    /// in files.
    #[serde(skip)]
    pub grid: u32,
}

/// State of a tuning run: the constants and the number of iterations.
///
/// ```
/// use crosspath::arena::stats::spsa::{TunedParameter, Spsa};
/// let parameter = TunedParameter {
///     name: "exploration".to_owned(),
///     value: 1.0,
///     min: 0.2,
///     max: 4.0,
///     c_end: 0.1,
///     r_end: 0.02,
///     grid: 1000,
/// };
/// let mut spsa = Spsa { seed: 1, iterations: 100, parameters: vec![parameter] };
/// let probe = spsa.probe(1);
/// assert!(probe.plus != probe.minus);
/// spsa.update(1, 2);
/// let moved = spsa.parameters[0].value - 1.0;
/// assert_eq!(moved > 0.0, probe.signs[0] > 0, "it moves towards the side that has won");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// Random seed. Equal seeds give equal probes.
    pub seed: u64,
    /// Number of iterations, counted from 1.
    pub iterations: u32,
    /// Constants that are tuned.
    pub parameters: Vec<TunedParameter>,
}

/// Perturbation of one iteration: two versions of the constants that play each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaProbe {
    /// Sign for each constant: 1 if it is larger in `plus`, -1 if it is larger in `minus`.
    pub signs: Vec<i8>,
    /// Values of the first version, rounded to their grids.
    pub plus: Vec<f64>,
    /// Values of the second version, rounded to their grids.
    pub minus: Vec<f64>,
}

impl TunedParameter {
    /// Returns the perturbation size in this iteration.
    fn perturbation(&self, iteration: f64, iterations: f64) -> f64 {
        self.c_end * (iterations / iteration).powf(PERTURBATION_DECAY_EXPONENT)
    }

    /// Rounds a value to the grid, randomly up or down. `drawn` is a random number from 0 to 1.
    fn round_to_grid(&self, value: f64, drawn: f64) -> f64 {
        let grid = f64::from(self.grid);
        (value.clamp(self.min, self.max) * grid + drawn).floor().clamp(self.min * grid, self.max * grid)
            / grid
    }

    /// Moves the constant by the result of a probe. See [`Spsa::update`].
    fn update(&mut self, sign: i8, iteration: f64, iterations: f64, result: f64) {
        let reach = self.perturbation(iteration, iterations);
        let stability = iterations / 10.0;
        let shrinks = ((stability + iterations) / (stability + iteration)).powf(STEP_DECAY_EXPONENT);
        let step = self.r_end * self.c_end * self.c_end / reach * shrinks;
        let value = (self.value + step * result * f64::from(sign)).clamp(self.min, self.max);
        self.value = (value * VALUE_ROUNDING_SCALE).round() / VALUE_ROUNDING_SCALE;
    }
}

impl Spsa {
    /// Draws, for each constant, its sign in this iteration and a random number from 0 to 1 for rounding.
    /// Both versions use the same number, so that rounding adds no further difference.
    fn draw_signs_and_rounding(&self, iteration: u32) -> Vec<(i8, f64)> {
        let mut chance = random_stream(mix_seed(self.seed, iteration.into()), TUNING_STREAM);
        let draw = |_| {
            let sign = if chance.random::<u32>() & 1 == 0 { 1 } else { -1 };
            (sign, f64::from(chance.random::<u32>()) / 4_294_967_296.0)
        };
        self.parameters.iter().map(draw).collect()
    }

    /// Returns the probe of an iteration, counted from 1. It depends only on the seed, the iteration and
    /// the current values.
    #[must_use]
    pub fn probe(&self, iteration: u32) -> SpsaProbe {
        let chance = self.draw_signs_and_rounding(iteration);
        let side = |side: f64| {
            let all = self.parameters.iter().zip(&chance);
            let value = |(parameter, &(sign, drawn)): (&TunedParameter, &(i8, f64))| {
                let reach = parameter.perturbation(iteration.into(), self.iterations.into());
                parameter.round_to_grid(parameter.value + side * f64::from(sign) * reach, drawn)
            };
            all.map(value).collect()
        };
        SpsaProbe {
            plus: side(1.0),
            minus: side(-1.0),
            signs: chance.iter().map(|&(sign, _)| sign).collect(),
        }
    }

    /// Moves the constants by the result of an iteration: the wins minus the losses of `plus`.
    pub fn update(&mut self, iteration: u32, result: i32) {
        let chance = self.draw_signs_and_rounding(iteration);
        for (parameter, (sign, _)) in self.parameters.iter_mut().zip(chance) {
            parameter.update(sign, iteration.into(), self.iterations.into(), result.into());
        }
    }
}
