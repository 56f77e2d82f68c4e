//! Simultaneous perturbation stochastic approximation (Spall 1992): many constants are moved at once to where an engine
//! plays better. Knows numbers only; who plays and what a constant does, others know.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::random::{PROBES, mix, stream};

/// Exponent of the iteration by which the steps become shorter.
const ALPHA: f64 = 0.602;
/// Decay exponent of the perturbation size `c_k`.
const GAMMA: f64 = 0.101;
/// Parts of one to which values are rounded, so that the last digits of a power, which differ between machines, are not
/// seen.
const KEPT: f64 = 1e9;

/// A constant that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a constant such as {\"name\":\"exploration\",\"value\":1,\"min\":0.2,\"max\":4,\"c_end\":0.1,\"r_end\":0.02}"
)]
pub struct Parameter {
    /// Name of the constant.
    pub name: String,
    /// Its present value.
    pub value: f64,
    /// The least that it may be.
    pub min: f64,
    /// The most that it may be.
    pub max: f64,
    /// Distance from its value at which it is probed in the last iteration; in the first ones it is larger.
    pub c_end: f64,
    /// Part of that distance by which it moves for a game won more than lost, in the last iteration; in the first ones
    /// it is more.
    pub r_end: f64,
    /// Number of values that it can have in play from a whole number to the next one. A file gives it by the name.
    #[serde(skip)]
    pub grid: u32,
}

/// Constants on their way.
///
/// ```
/// use crosspath::arena::stats::spsa::{Parameter, Spsa};
/// let parameter = Parameter {
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
    /// The random seed: the same seed, the same game.
    pub seed: u64,
    /// Number of iterations; they are counted from 1.
    pub iterations: u32,
    /// The constants.
    pub parameters: Vec<Parameter>,
}

/// Comparison in an iteration: the constants moved to one side, and to the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// By constant: 1 if it is larger in `plus`, -1 if it is larger in `minus`.
    pub signs: Vec<i8>,
    /// The values of one side, as they are played.
    pub plus: Vec<f64>,
    /// The values of the other one.
    pub minus: Vec<f64>,
}

impl Parameter {
    /// Returns the distance from its value at which it is probed.
    fn reach(&self, iteration: f64, iterations: f64) -> f64 {
        self.c_end * (iterations / iteration).powf(GAMMA)
    }

    /// The value on its grid that is the lower or the upper neighbour, by a number drawn from 0 to 1.
    fn rounded_value(&self, value: f64, drawn: f64) -> f64 {
        let grid = f64::from(self.grid);
        (value.clamp(self.min, self.max) * grid + drawn).floor().clamp(self.min * grid, self.max * grid)
            / grid
    }

    /// Moves it by a result; see [`Spsa::update`].
    fn update(&mut self, sign: i8, iteration: f64, iterations: f64, result: f64) {
        let reach = self.reach(iteration, iterations);
        let stability = iterations / 10.0;
        let shrinks = ((stability + iterations) / (stability + iteration)).powf(ALPHA);
        let step = self.r_end * self.c_end * self.c_end / reach * shrinks;
        let value = (self.value + step * result * f64::from(sign)).clamp(self.min, self.max);
        self.value = (value * KEPT).round() / KEPT;
    }
}

impl Spsa {
    /// To which sides the constants are moved in an iteration, and a number from 0 to 1 for each by which it is rounded: the
    /// same for both sides, so that the sides differ by what they are to differ.
    fn chance(&self, iteration: u32) -> Vec<(i8, f64)> {
        let mut chance = stream(mix(self.seed, iteration.into()), PROBES);
        let draw = |_| {
            let sign = if chance.random::<u32>() & 1 == 0 { 1 } else { -1 };
            (sign, f64::from(chance.random::<u32>()) / 4_294_967_296.0)
        };
        self.parameters.iter().map(draw).collect()
    }

    /// Returns the probe of an iteration, from 1; by the seed and its number alone, and by the present values.
    #[must_use]
    pub fn probe(&self, iteration: u32) -> Probe {
        let chance = self.chance(iteration);
        let side = |side: f64| {
            let all = self.parameters.iter().zip(&chance);
            let value = |(parameter, &(sign, drawn)): (&Parameter, &(i8, f64))| {
                let reach = parameter.reach(iteration.into(), self.iterations.into());
                parameter.rounded_value(parameter.value + side * f64::from(sign) * reach, drawn)
            };
            all.map(value).collect()
        };
        Probe { plus: side(1.0), minus: side(-1.0), signs: chance.iter().map(|&(sign, _)| sign).collect() }
    }

    /// Moves the constants by the result of an iteration: the games that `plus` has won less those that it has lost.
    pub fn update(&mut self, iteration: u32, result: i32) {
        let chance = self.chance(iteration);
        for (parameter, (sign, _)) in self.parameters.iter_mut().zip(chance) {
            parameter.update(sign, iteration.into(), self.iterations.into(), result.into());
        }
    }
}
