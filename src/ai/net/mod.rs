//! Networks: weights read from a file, and what they say about a board. Whole numbers only, so that every machine computes the same
//! bits. Knows no game and no search.

#![allow(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for the vectors of its caller"
)]

mod conv;
mod lanes;
mod sparse;
mod weights;

use std::fmt::{self, Debug};

pub use conv::Scratch;
use conv::{Body, Shape};
pub use lanes::Vectors;
use lanes::{Lanes, Work};
pub use sparse::{SparseNet, Sums};
pub use weights::NetError;
use weights::Tensors;

/// The largest activation, in steps.
const TOP: i32 = i16::MAX as i32;

/// The taps of a kernel as (row, column) offsets: a cell of a board with six neighbours a cell, and these, row by row.
const TAPS: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];

/// A board as a network sees it: which of up to eight planes hold a stone of each cell, one byte a cell, row by row, with a
/// border of one cell all round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    size: usize,
    cells: Vec<u8>,
}

impl Planes {
    /// An N x N board, all planes empty, border included.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Planes { size, cells: vec![0; (size + 2) * (size + 2)] }
    }

    /// N.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The planes of a cell, a bit each. Rows and columns are counted from 0 with the border, which is row 0.
    pub fn cell(&mut self, row: usize, col: usize) -> &mut u8 {
        &mut self.cells[row * (self.size + 2) + col]
    }
}

/// A network: planes of a board in, a logit for every cell and one for the board out.
///
/// An input convolution, blocks of two convolutions with a skip, a 1x1 convolution for the cells, the means and maxima of all
/// channels through one hidden layer for the board. `docs/learning.md` has the formulae and the file.
pub struct Network {
    body: Body,
    policy: Head,
    hidden: Vec<Head>,
    value: Head,
    weight_bits: u32,
    /// The value of one in the logits.
    one: f32,
    hash: u32,
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

impl Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { planes, channels, blocks } = self.body.shape;
        write!(f, "Network({planes} planes, {blocks} blocks of {channels} channels, {:08x})", self.hash)
    }
}

/// What a network says about a board, in log odds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The logits of the cells, row by row, in steps.
    pub steps: Vec<i32>,
    /// The logit of the board, in steps.
    pub value_steps: i64,
}

impl Network {
    /// Reads the weights of a network of a game.
    ///
    /// # Errors
    /// Says in what way the bytes are no such network.
    pub fn read(bytes: &[u8], game: &str) -> Result<Self, NetError> {
        let tensors = Tensors::read(bytes, game)?;
        let (planes, channels) = (tensors.number("planes")?, tensors.number("channels")?);
        let (blocks, hidden) = (tensors.number("blocks")?, tensors.number("hidden")?);
        let (weight_bits, activation_bits) = (tensors.bits("weight_bits")?, tensors.bits("activation_bits")?);
        let shape = Shape { planes, channels, blocks };
        let body = Body::read(&tensors, shape, activation_bits, weight_bits)?;
        let mut policy = tensors.heads("policy", 1, channels)?;
        let mut value = tensors.heads("value", 1, hidden)?;
        let one = f32::from(1u16 << (weight_bits + activation_bits - 9)) * 512.0;
        Ok(Network {
            body,
            policy: policy.remove(0),
            hidden: tensors.heads("value_hidden", hidden, 2 * channels)?,
            value: value.remove(0),
            weight_bits,
            one,
            hash: tensors.hash,
        })
    }

    /// The CRC-32 of the weights.
    #[must_use]
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// The instructions that it computes with: the best that the processor has, unless [`Network::limit_vectors`] was called.
    #[must_use]
    pub fn vectors(&self) -> Vectors {
        self.body.vectors
    }

    /// Computes with these instructions from now on, as far as the processor has them. The results are the same.
    pub fn limit_vectors(&mut self, most: Vectors) {
        self.body.vectors = Vectors::best().min(most);
    }

    /// A logit as a number.
    #[allow(clippy::cast_precision_loss, reason = "24 bits of it are more than enough")]
    #[must_use]
    pub fn logit(&self, steps: i64) -> f32 {
        steps as f32 / self.one
    }

    /// Judges a board.
    ///
    /// # Panics
    /// If the board has two billion cells.
    pub fn judge(&self, planes: &Planes, scratch: &mut Scratch, out: &mut Judgement) {
        self.body.vectors.run(Pass { network: self, planes, scratch, out });
    }
}

/// One pass through a network.
struct Pass<'a> {
    network: &'a Network,
    planes: &'a Planes,
    scratch: &'a mut Scratch,
    out: &'a mut Judgement,
}

impl Work for Pass<'_> {
    #[inline(always)]
    fn with<L: Lanes>(self, lanes: L) {
        let Pass { network, planes, scratch, out } = self;
        network.body.run(lanes, planes, scratch);
        let channels = network.body.shape.channels;
        scratch.pooled.clear();
        scratch.pooled.resize(2 * channels, 0);
        out.steps.clear();
        for row in 1..=planes.size {
            for activations in scratch.out.row(row, planes.size).chunks_exact(channels) {
                let (means, most) = scratch.pooled.split_at_mut(channels);
                let pooled = means.iter_mut().zip(most);
                let mut sum = network.policy.bias;
                for ((&activation, &weight), (mean, most)) in
                    activations.iter().zip(&network.policy.weights).zip(pooled)
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
        let bits = network.weight_bits + 2;
        let hidden = network.hidden.iter().map(|head| {
            let sum = head.sum(scratch.pooled.iter().copied()) + 4 * i64::from(head.bias);
            let steps = ((sum + (1 << (bits - 1))) >> bits).clamp(0, TOP.into());
            i32::try_from(steps).expect("at most 32,767")
        });
        out.value_steps = network.value.sum(hidden) + i64::from(network.value.bias);
    }
}
