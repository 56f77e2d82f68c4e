//! Networks and the loading of their weights. They compute with integers only, so that the results are
//! identical on every machine. This module is independent of any game or search.

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

use lanes8::Int8SimdOps;
use net8::{Int8Net, Int8Scratch};
pub use sparse::{HiddenSums, SparseNet};
pub use vectors::SimdLevel;
use vectors::SimdWork;
pub(super) use vectors::{Avx2Dispatcher, VectorizableLoops};
pub use weights::NetLoadError;
use weights::NetworkTensors;

/// Dimensions of a convolutional network.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkShape {
    pub(super) planes: usize,
    pub(super) channels: usize,
    pub(super) blocks: usize,
}

/// Offsets (row, column) from a cell to the 7 cells under a kernel: the cell itself and its six neighbours,
/// row by row.
const KERNEL_OFFSETS: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];

/// Network input: up to eight binary planes of a board. One byte per cell holds its planes as bits; cells
/// are stored row by row with a border of one cell. What the planes and the border hold is up to the game; the
/// built-in Hex network has the mover's stones in the first plane, the opponent's in the second, and edges in
/// the border (`docs/learning.md`).
///
/// ```
/// use crosspath::ai::net::InputPlanes;
/// let (mut planes, empty) = (InputPlanes::new(3), InputPlanes::new(3));
/// *planes.cell_mut(2, 2) |= 0b10; // the second plane of the middle cell
/// assert_eq!((planes.size(), *planes.cell_mut(2, 2)), (3, 0b10));
/// *planes.cell_mut(2, 2) = 0;
/// assert_eq!(planes, empty);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputPlanes {
    size: usize,
    cells: Vec<u8>,
}

impl InputPlanes {
    /// Creates the input of an N x N board with all planes empty.
    #[must_use]
    pub fn new(size: usize) -> Self {
        InputPlanes { size, cells: vec![0; (size + 2) * (size + 2)] }
    }

    /// Returns the board size N.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the planes of a cell, one bit each. Row and column 0 are the border.
    pub fn cell_mut(&mut self, row: usize, col: usize) -> &mut u8 {
        &mut self.cells[row * (self.size + 2) + col]
    }
}

/// Convolutional network: takes planes of a board, and returns a logit for every cell and one for the
/// board.
///
/// An input convolution, residual blocks of two convolutions, a 1x1 convolution as policy head, and a value
/// head with one hidden layer over the mean and the maximum of each channel. `docs/learning.md` has the
/// formulas and the file format.
///
/// ```
/// use crosspath::ai::net::{ConvNet, InputPlanes, NetOutput, NetScratch};
/// let network = ConvNet::from_bytes(&std::fs::read("nets/hex.safetensors")?, "hex")?;
/// // The border consists of the edges of both sides; the board is empty.
/// let mut planes = InputPlanes::new(11);
/// for place in 0..13 {
///     for edge in [0, 12] {
///         *planes.cell_mut(edge, place) |= 1;
///         *planes.cell_mut(place, edge) |= 2;
///     }
/// }
/// let mut out = NetOutput::default();
/// network.evaluate(&planes, &mut NetScratch::default(), &mut out);
/// assert_eq!(out.steps.len(), 121, "one logit for each cell");
/// assert!(network.value_logit(out.value_steps) > 0.0, "the first player has the better chance");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ConvNet {
    layers: Int8Net,
    vectors: SimdLevel,
    hash: u32,
}

/// Buffers of an evaluation, for any network and board size.
///
/// ```
/// use crosspath::ai::net::{ConvNet, InputPlanes, NetOutput, NetScratch};
/// let network = ConvNet::from_bytes(&std::fs::read("nets/hex.safetensors")?, "hex")?;
/// let (mut reused, mut fresh) = (NetOutput::default(), NetOutput::default());
/// let mut scratch = NetScratch::default();
/// for size in [11, 5] {
///     network.evaluate(&InputPlanes::new(size), &mut scratch, &mut reused);
///     network.evaluate(&InputPlanes::new(size), &mut NetScratch::default(), &mut fresh);
///     assert_eq!(reused, fresh, "used buffers do not change the results");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NetScratch(Int8Scratch);

impl Debug for ConvNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetworkShape { planes, channels, blocks } = self.layers.body.shape;
        write!(f, "Network({planes} planes, {blocks} blocks of {channels} channels, {:08x})", self.hash)
    }
}

/// Output of a convolutional network: integer logits, counted in steps. [`ConvNet::policy_logit`] and
/// [`ConvNet::value_logit`] convert them to floating-point numbers.
///
/// ```
/// use crosspath::ai::net::{ConvNet, InputPlanes, NetOutput, NetScratch};
/// let network = ConvNet::from_bytes(&std::fs::read("nets/hex.safetensors")?, "hex")?;
/// // The border consists of the edges of both sides; the board is empty.
/// let mut planes = InputPlanes::new(3);
/// for place in 0..5 {
///     for edge in [0, 4] {
///         *planes.cell_mut(edge, place) |= 1;
///         *planes.cell_mut(place, edge) |= 2;
///     }
/// }
/// let mut out = NetOutput::default();
/// network.evaluate(&planes, &mut NetScratch::default(), &mut out);
/// assert_eq!(out.steps.iter().max(), Some(&out.steps[4]), "the best move is the middle, b2");
/// assert!(network.policy_logit(out.steps[4].into()) > network.policy_logit(out.steps[0].into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetOutput {
    /// Policy logits of the cells, row by row, in steps.
    pub steps: Vec<i32>,
    /// Value logit of the board, in steps.
    pub value_steps: i64,
}

impl ConvNet {
    /// Reads a network for `game` from the content of its file.
    ///
    /// # Errors
    /// If the bytes are not such a network; the error gives the reason.
    pub fn from_bytes(bytes: &[u8], game: &str) -> Result<Self, NetLoadError> {
        let tensors = NetworkTensors::from_bytes(bytes, game, "2")?;
        Ok(ConvNet {
            layers: Int8Net::from_tensors(&tensors)?,
            vectors: SimdLevel::detect_best(),
            hash: tensors.hash,
        })
    }

    /// Returns the CRC-32 of the weights.
    #[must_use]
    pub fn weights_hash(&self) -> u32 {
        self.hash
    }

    /// Returns the SIMD level in use: the best that the CPU supports, unless [`ConvNet::limit_simd_level`]
    /// was called.
    #[must_use]
    pub fn simd_level(&self) -> SimdLevel {
        self.vectors
    }

    /// Limits the SIMD level to `most`, or to the best below it that the CPU supports. The results stay the
    /// same.
    pub fn limit_simd_level(&mut self, most: SimdLevel) {
        self.vectors = SimdLevel::detect_best().min(most);
    }

    /// Converts a policy logit from integer steps to a floating-point number.
    #[allow(clippy::cast_precision_loss, reason = "24 bits of it are more than enough")]
    #[must_use]
    pub fn policy_logit(&self, steps: i64) -> f32 {
        steps as f32 / self.layers.policy_steps_per_unit()
    }

    /// Converts the value logit from integer steps to a floating-point number.
    #[allow(clippy::cast_precision_loss, reason = "24 bits of it are more than enough")]
    #[must_use]
    pub fn value_logit(&self, steps: i64) -> f32 {
        steps as f32 / self.layers.value_steps_per_unit()
    }

    /// Evaluates a board: writes the logits to `out`.
    ///
    /// # Panics
    /// If the board has more than two billion cells.
    pub fn evaluate(&self, planes: &InputPlanes, scratch: &mut NetScratch, out: &mut NetOutput) {
        self.vectors.run_work(ForwardPass { network: self, planes, scratch, out });
    }
}

/// Arguments of one forward pass through a network.
struct ForwardPass<'a> {
    network: &'a ConvNet,
    planes: &'a InputPlanes,
    scratch: &'a mut NetScratch,
    out: &'a mut NetOutput,
}

impl SimdWork for ForwardPass<'_> {
    #[inline(always)]
    fn run_with<L: Int8SimdOps>(self, lanes: L) {
        let ForwardPass { network, planes, scratch, out } = self;
        network.layers.evaluate(lanes, planes, &mut scratch.0, out);
    }
}
