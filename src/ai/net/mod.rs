//! Networks: weights read from a file, and what they say about a board. Whole numbers only, so that every machine computes the same
//! bits. Knows no game and no search.

#![allow(
    clippy::inline_always,
    reason = "a function that is not inlined is not compiled for the vectors of its caller"
)]

mod conv8;
mod lanes8;
mod net8;
mod safetensors;
mod sparse;
mod vectors;
mod weights;

use std::fmt::{self, Debug};

use lanes8::Lanes8;
use net8::{Net8, Scratch8};
pub use sparse::{SparseNet, Sums};
pub use vectors::Vectors;
use vectors::Work;
pub use weights::NetError;
use weights::Tensors;

/// The size of a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) planes: usize,
    pub(super) channels: usize,
    pub(super) blocks: usize,
}

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
    layers: Net8,
    vectors: Vectors,
    hash: u32,
}

/// Buffers of an evaluation, for any network and any board.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Scratch8);

impl Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { planes, channels, blocks } = self.layers.body.shape;
        write!(f, "Network({planes} planes, {blocks} blocks of {channels} channels, {:08x})", self.hash)
    }
}

/// Logits of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetOutput {
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
        let tensors = Tensors::read(bytes, game, "2")?;
        Ok(Network { layers: Net8::read(&tensors)?, vectors: Vectors::best(), hash: tensors.hash })
    }

    /// The CRC-32 of the weights.
    #[must_use]
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// The instructions that it computes with: the best that the processor has, unless [`Network::limit_vectors`] was called.
    #[must_use]
    pub fn vectors(&self) -> Vectors {
        self.vectors
    }

    /// Computes with these instructions from now on, as far as the processor has them. The results are the same.
    pub fn limit_vectors(&mut self, most: Vectors) {
        self.vectors = Vectors::best().min(most);
    }

    /// Returns a logit of cells as a number, given in steps.
    #[allow(clippy::cast_precision_loss, reason = "24 bits of it are more than enough")]
    #[must_use]
    pub fn logit(&self, steps: i64) -> f32 {
        steps as f32 / self.layers.policy_one()
    }

    /// Returns the logit of the board as a number, given in steps.
    #[allow(clippy::cast_precision_loss, reason = "24 bits of it are more than enough")]
    #[must_use]
    pub fn value_logit(&self, steps: i64) -> f32 {
        steps as f32 / self.layers.value_one()
    }

    /// Evaluates a board.
    ///
    /// # Panics
    /// If the board has two billion cells.
    pub fn evaluate(&self, planes: &Planes, scratch: &mut Scratch, out: &mut NetOutput) {
        self.vectors.run(Pass { network: self, planes, scratch, out });
    }
}

/// One pass through a network.
struct Pass<'a> {
    network: &'a Network,
    planes: &'a Planes,
    scratch: &'a mut Scratch,
    out: &'a mut NetOutput,
}

impl Work for Pass<'_> {
    #[inline(always)]
    fn with<L: Lanes8>(self, lanes: L) {
        let Pass { network, planes, scratch, out } = self;
        network.layers.evaluate(lanes, planes, &mut scratch.0, out);
    }
}
