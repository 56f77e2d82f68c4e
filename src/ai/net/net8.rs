//! A network in 8 bits, version 2 of the file: the body and the two heads. Knows no game and no search.

use super::conv8::{Body, Buffers};
use super::lanes8::{Lanes8, OUTPUTS};
use super::weights::{NetError, Tensors};
use super::{NetOutput, Planes, Shape};

/// Bits behind the point of a hidden unit's activation, beyond those of the body's activations.
const HIDDEN_BITS: u32 = 6;

/// Products of pooled activations and 16-bit weights whose sum stays in 32 bits: 64 * 1,020 * 32,768 < 2^31.
const PRODUCTS_PER_SUM: usize = 64;

/// A network: planes of a board in, a logit for every cell and one for the board out.
pub(super) struct Net8 {
    pub(super) body: Body,
    policy: Vec<i16>,
    policy_bias: i32,
    /// By hidden unit, then mean and maximum of each channel.
    hidden: Vec<i16>,
    hidden_bias: Vec<i32>,
    value: Vec<i16>,
    value_bias: i32,
    activation_bits: u32,
    head_bits: u32,
}

/// Buffers of one evaluation.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch8 {
    buffers: Buffers,
    sums: Vec<i32>,
    most: Vec<u8>,
    pooled: Vec<i16>,
}

impl Net8 {
    pub(super) fn read(tensors: &Tensors<'_>) -> Result<Self, NetError> {
        let planes = tensors.number_where("planes", |planes| planes <= 8)?;
        let channels = tensors.number_where("channels", |channels| channels.is_multiple_of(OUTPUTS))?;
        let (blocks, hidden) = (tensors.number("blocks")?, tensors.number("hidden")?);
        let activation_bits = tensors.bits("activation_bits", 1..=8)?;
        let weight_bits = tensors.bits("weight_bits", 1..=14)?;
        let head_bits = tensors.bits("head_bits", 5..=14)?;
        let body = Body::read(tensors, Shape { planes, channels, blocks }, activation_bits, weight_bits)?;
        let small = |name: &str, shape: &[usize]| tensors.small(name, shape, i16::MIN.unsigned_abs());
        let policy = small("policy.weight", &[1, channels])?;
        let policy_bias = tensors.numbers("policy.bias", &[1])?;
        tensors.check_sums("policy", &policy, &policy_bias, (255, 0))?;
        Ok(Net8 {
            body,
            policy,
            policy_bias: policy_bias[0],
            hidden: small("value_hidden.weight", &[hidden, 2 * channels])?,
            hidden_bias: tensors.numbers("value_hidden.bias", &[hidden])?,
            value: small("value.weight", &[1, hidden])?,
            value_bias: tensors.numbers("value.bias", &[1])?[0],
            activation_bits,
            head_bits,
        })
    }

    /// Returns the number of steps that are one in the logits of cells.
    pub(super) fn policy_one(&self) -> f32 {
        steps_in_one(self.activation_bits + self.head_bits)
    }

    /// Returns the number of steps that are one in the logit of the board.
    pub(super) fn value_one(&self) -> f32 {
        steps_in_one(self.activation_bits + HIDDEN_BITS + self.head_bits)
    }

    /// Evaluates a board.
    #[inline(always)]
    pub(super) fn evaluate<L: Lanes8>(
        &self,
        lanes: L,
        planes: &Planes,
        scratch: &mut Scratch8,
        out: &mut NetOutput,
    ) {
        self.body.run(lanes, planes, &mut scratch.buffers);
        let channels = self.body.shape.channels;
        let Scratch8 { buffers, sums, most, pooled } = scratch;
        sums.clear();
        sums.resize(channels, 0);
        most.clear();
        most.resize(channels, 0);
        out.steps.clear();
        for row in 1..=planes.size {
            for activations in buffers.out.row(row, planes.size).chunks_exact(channels) {
                out.steps.push(self.policy_bias.wrapping_add(dot(&self.policy, activations)));
                for (sum, &activation) in sums.iter_mut().zip(activations) {
                    *sum = sum.wrapping_add(activation.into());
                }
                for (most, &activation) in most.iter_mut().zip(activations) {
                    *most = activation.max(*most);
                }
            }
        }
        // Means and maxima are counted in quarters of a step, means rounded down.
        let cells = i32::try_from(planes.size * planes.size).expect("boards are small");
        pooled.clear();
        let quarters = |&sum: &i32| i16::try_from(4 * sum / cells).expect("at most 1,020");
        pooled.extend(sums.iter().map(quarters));
        pooled.extend(most.iter().map(|&most| 4 * i16::from(most)));
        out.value_steps = self.value_steps(pooled);
    }

    /// Computes the logit of the board from the means and maxima of all channels.
    #[inline(always)]
    fn value_steps(&self, pooled: &[i16]) -> i64 {
        let shift = self.head_bits + 2 - HIDDEN_BITS;
        let mut steps = i64::from(self.value_bias);
        let rows = self.hidden.chunks_exact(pooled.len()).zip(&self.hidden_bias);
        for ((row, &bias), &weight) in rows.zip(&self.value) {
            let mut sum = 4 * i64::from(bias) + (1 << (shift - 1));
            for (weights, pooled) in row.chunks(PRODUCTS_PER_SUM).zip(pooled.chunks(PRODUCTS_PER_SUM)) {
                sum += i64::from(dot(weights, pooled));
            }
            steps += i64::from(weight) * (sum >> shift).clamp(0, i16::MAX.into());
        }
        steps
    }
}

/// Returns the sum of the products, which must fit.
#[inline(always)]
fn dot<T: Copy + Into<i32>>(weights: &[i16], inputs: &[T]) -> i32 {
    let products =
        weights.iter().zip(inputs).map(|(&weight, &input)| i32::from(weight).wrapping_mul(input.into()));
    products.fold(0, i32::wrapping_add)
}

/// Returns two to the power of `bits`, at most 28.
fn steps_in_one(bits: u32) -> f32 {
    f32::from_bits((127 + bits) << 23)
}
