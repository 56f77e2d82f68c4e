//! A network in 16 bits, version 1 of the file: the body and the two heads. Knows no game and no search.

use safetensors::Dtype;

use super::conv16::{Body, Scratch16};
use super::lanes16::Lanes16;
use super::weights::{NetError, Tensors};
use super::{NetOutput, Planes, Shape};

/// The largest activation, in steps.
pub(super) const TOP: i32 = i16::MAX as i32;

/// A network: planes of a board in, a logit for every cell and one for the board out.
pub(super) struct Net16 {
    pub(super) body: Body,
    policy: Head,
    hidden: Vec<Head>,
    value: Head,
    weight_bits: u32,
    /// The value of one in the logits.
    pub(super) one: f32,
}

/// The weights of one output, and what is added.
#[derive(Debug)]
struct Head {
    weights: Vec<i16>,
    bias: i32,
}

impl Head {
    #[inline(always)]
    fn sum(&self, inputs: impl Iterator<Item = i32>) -> i64 {
        let products =
            self.weights.iter().zip(inputs).map(|(&weight, input)| i64::from(weight) * i64::from(input));
        products.sum()
    }
}

impl Net16 {
    pub(super) fn read(tensors: &Tensors<'_>) -> Result<Self, NetError> {
        let (planes, channels) = (tensors.number("planes")?, tensors.number("channels")?);
        let (blocks, hidden) = (tensors.number("blocks")?, tensors.number("hidden")?);
        let weight_bits = tensors.bits("weight_bits", 5..=14)?;
        let activation_bits = tensors.bits("activation_bits", 5..=14)?;
        let shape = Shape { planes, channels, blocks };
        let body = Body::read(tensors, shape, activation_bits, weight_bits)?;
        let mut policy = tensors.heads("policy", 1, channels)?;
        let mut value = tensors.heads("value", 1, hidden)?;
        let one = f32::from(1u16 << (weight_bits + activation_bits - 9)) * 512.0;
        Ok(Net16 {
            body,
            policy: policy.remove(0),
            hidden: tensors.heads("value_hidden", hidden, 2 * channels)?,
            value: value.remove(0),
            weight_bits,
            one,
        })
    }

    /// Evaluates a board.
    #[inline(always)]
    pub(super) fn evaluate<L: Lanes16>(
        &self,
        lanes: L,
        planes: &Planes,
        scratch: &mut Scratch16,
        out: &mut NetOutput,
    ) {
        self.body.run(lanes, planes, scratch);
        let channels = self.body.shape.channels;
        scratch.pooled.clear();
        scratch.pooled.resize(2 * channels, 0);
        out.steps.clear();
        for row in 1..=planes.size {
            for activations in scratch.out.row(row, planes.size).chunks_exact(channels) {
                let (means, most) = scratch.pooled.split_at_mut(channels);
                let pooled = means.iter_mut().zip(most);
                let mut sum = self.policy.bias;
                for ((&activation, &weight), (mean, most)) in
                    activations.iter().zip(&self.policy.weights).zip(pooled)
                {
                    let activation = i32::from(activation);
                    sum = sum.wrapping_add(activation * i32::from(weight));
                    *mean += activation;
                    *most = activation.max(*most);
                }
                out.steps.push(sum);
            }
        }
        // Means are counted in quarters of a step, rounded down; maxima too.
        let cells = i32::try_from(planes.size * planes.size).expect("boards are small");
        let (means, most) = scratch.pooled.split_at_mut(channels);
        for mean in means {
            *mean = 4 * *mean / cells;
        }
        for most in most {
            *most *= 4;
        }
        let bits = self.weight_bits + 2;
        let hidden = self.hidden.iter().map(|head| {
            let sum = head.sum(scratch.pooled.iter().copied()) + 4 * i64::from(head.bias);
            let steps = ((sum + (1 << (bits - 1))) >> bits).clamp(0, TOP.into());
            i32::try_from(steps).expect("at most 32,767")
        });
        out.value_steps = self.value.sum(hidden) + i64::from(self.value.bias);
    }
}

impl Tensors<'_> {
    /// The weights of a layer, one row an output, and its biases; none so large that a sum of activations could overflow, an
    /// activation of `weight_bits` more included.
    pub(super) fn layer(
        &self,
        name: &str,
        shape: &[usize],
        weight_bits: u32,
    ) -> Result<(Vec<i16>, Vec<i32>), NetError> {
        let weights = self.view(format!("{name}.weight"), Dtype::I16, shape)?;
        let biases = self.view(format!("{name}.bias"), Dtype::I32, &shape[..1])?;
        let (weights, _) = weights.data().as_chunks();
        let weights: Vec<i16> = weights.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let (biases, _) = biases.data().as_chunks();
        let biases: Vec<i32> = biases.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect();
        let rows = weights.chunks_exact(weights.len() / shape[0]).zip(&biases);
        for (row, &bias) in rows {
            let most: i64 = row.iter().map(|&weight| i64::from(weight).abs() * i64::from(TOP)).sum();
            if most + i64::from(bias).abs() + (i64::from(TOP) << weight_bits) > i64::from(i32::MAX) {
                return Err(NetError::Large(name.to_owned()));
            }
        }
        Ok((weights, biases))
    }

    /// A layer of outputs that each look at all inputs.
    fn heads(&self, name: &str, outputs: usize, inputs: usize) -> Result<Vec<Head>, NetError> {
        let (weights, biases) = self.layer(name, &[outputs, inputs], 0)?;
        let rows = weights.chunks_exact(inputs).zip(biases);
        Ok(rows.map(|(row, bias)| Head { weights: row.to_vec(), bias }).collect())
    }
}
