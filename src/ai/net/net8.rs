//! The 8-bit convolutional network (file version 2): its body and two heads. This module is independent of
//! any game or search.

use super::conv8::{ActivationBuffers, ConvBody};
use super::lanes8::{Int8SimdOps, TILE_OUTPUTS};
use super::weights::{NetLoadError, NetworkTensors};
use super::{InputPlanes, NetOutput, NetworkShape};

/// Number of fraction bits that hidden activations have beyond those of the body's activations.
const HIDDEN_FRACTION_BITS: u32 = 6;

/// Number of products of pooled activations and 16-bit weights whose sum fits in 32 bits: 64 * 1,020 *
/// 32,768 < 2^31.
const PRODUCTS_PER_SUM: usize = 64;

/// 8-bit convolutional network: takes planes of a board, and returns a logit for every cell and one for the
/// board.
pub(super) struct Int8Net {
    pub(super) body: ConvBody,
    policy: Vec<i16>,
    policy_bias: i32,
    /// Weights of the hidden layer by unit, first for the channel means, then for the channel maxima.
    hidden: Vec<i16>,
    hidden_bias: Vec<i32>,
    value: Vec<i16>,
    value_bias: i32,
    activation_bits: u32,
    head_bits: u32,
}

/// Buffers of one evaluation of an 8-bit network.
#[derive(Clone, Debug, Default)]
pub(super) struct Int8Scratch {
    buffers: ActivationBuffers,
    sums: Vec<i32>,
    most: Vec<u8>,
    pooled: Vec<i16>,
}

impl Int8Net {
    pub(super) fn from_tensors(tensors: &NetworkTensors<'_>) -> Result<Self, NetLoadError> {
        let planes = tensors.parse_number_where("planes", |planes| planes <= 8)?;
        let channels =
            tensors.parse_number_where("channels", |channels| channels.is_multiple_of(TILE_OUTPUTS))?;
        let (blocks, hidden) = (tensors.parse_number("blocks")?, tensors.parse_number("hidden")?);
        let activation_bits = tensors.parse_bit_count("activation_bits", 1..=8)?;
        let weight_bits = tensors.parse_bit_count("weight_bits", 1..=14)?;
        let head_bits = tensors.parse_bit_count("head_bits", 5..=14)?;
        let body = ConvBody::from_tensors(
            tensors,
            NetworkShape { planes, channels, blocks },
            activation_bits,
            weight_bits,
        )?;
        let small =
            |name: &str, shape: &[usize]| tensors.read_i16_tensor(name, shape, i16::MIN.unsigned_abs());
        let policy = small("policy.weight", &[1, channels])?;
        let policy_bias = tensors.read_i32_tensor("policy.bias", &[1])?;
        tensors.check_sums_fit_i32("policy", &policy, &policy_bias, (255, 0))?;
        Ok(Int8Net {
            body,
            policy,
            policy_bias: policy_bias[0],
            hidden: small("value_hidden.weight", &[hidden, 2 * channels])?,
            hidden_bias: tensors.read_i32_tensor("value_hidden.bias", &[hidden])?,
            value: small("value.weight", &[1, hidden])?,
            value_bias: tensors.read_i32_tensor("value.bias", &[1])?[0],
            activation_bits,
            head_bits,
        })
    }

    /// Returns the number of steps per unit of the policy logits.
    pub(super) fn policy_steps_per_unit(&self) -> f32 {
        power_of_two(self.activation_bits + self.head_bits)
    }

    /// Returns the number of steps per unit of the value logit.
    pub(super) fn value_steps_per_unit(&self) -> f32 {
        power_of_two(self.activation_bits + HIDDEN_FRACTION_BITS + self.head_bits)
    }

    /// Evaluates a board: writes the logits to `out`.
    #[inline(always)]
    pub(super) fn evaluate<L: Int8SimdOps>(
        &self,
        lanes: L,
        planes: &InputPlanes,
        scratch: &mut Int8Scratch,
        out: &mut NetOutput,
    ) {
        self.body.compute_activations(lanes, planes, &mut scratch.buffers);
        let channels = self.body.shape.channels;
        let Int8Scratch { buffers, sums, most, pooled } = scratch;
        sums.clear();
        sums.resize(channels, 0);
        most.clear();
        most.resize(channels, 0);
        out.steps.clear();
        for row in 1..=planes.size {
            for activations in buffers.out.row_cells(row, planes.size).chunks_exact(channels) {
                out.steps.push(self.policy_bias.wrapping_add(dot_product(&self.policy, activations)));
                for (sum, &activation) in sums.iter_mut().zip(activations) {
                    *sum = sum.wrapping_add(activation.into());
                }
                for (most, &activation) in most.iter_mut().zip(activations) {
                    *most = activation.max(*most);
                }
            }
        }
        // Means and maxima are in quarters of a step; means are rounded down.
        let cells = i32::try_from(planes.size * planes.size).expect("boards are small");
        pooled.clear();
        let quarters = |&sum: &i32| i16::try_from(4 * sum / cells).expect("at most 1,020");
        pooled.extend(sums.iter().map(quarters));
        pooled.extend(most.iter().map(|&most| 4 * i16::from(most)));
        out.value_steps = self.compute_value_steps(pooled);
    }

    /// Computes the value logit from the channel means and maxima, in steps.
    #[inline(always)]
    fn compute_value_steps(&self, pooled: &[i16]) -> i64 {
        let shift = self.head_bits + 2 - HIDDEN_FRACTION_BITS;
        let mut steps = i64::from(self.value_bias);
        let rows = self.hidden.chunks_exact(pooled.len()).zip(&self.hidden_bias);
        for ((row, &bias), &weight) in rows.zip(&self.value) {
            let mut sum = 4 * i64::from(bias) + (1 << (shift - 1));
            for (weights, pooled) in row.chunks(PRODUCTS_PER_SUM).zip(pooled.chunks(PRODUCTS_PER_SUM)) {
                sum += i64::from(dot_product(weights, pooled));
            }
            steps += i64::from(weight) * (sum >> shift).clamp(0, i16::MAX.into());
        }
        steps
    }
}

/// Computes the dot product of weights and inputs, which must fit in 32 bits.
#[inline(always)]
fn dot_product<T: Copy + Into<i32>>(weights: &[i16], inputs: &[T]) -> i32 {
    let products =
        weights.iter().zip(inputs).map(|(&weight, &input)| i32::from(weight).wrapping_mul(input.into()));
    products.fold(0, i32::wrapping_add)
}

/// Returns 2^`bits` for `bits` up to 28.
fn power_of_two(bits: u32) -> f32 {
    f32::from_bits((127 + bits) << 23)
}
