//! The convolutions of a network in 8 bits, on one board at a time. Knows no heads.

use super::lanes8::{INPUTS, Lanes8, OUTPUTS, Tile};
use super::weights::{NetError, Tensors};
use super::{Planes, Shape, TAPS};

/// The largest weight of a block: two products with the largest activations stay in 16 bits.
const MAX_WEIGHT: u16 = 63;

/// The input convolution and the blocks.
pub(super) struct Body {
    pub(super) shape: Shape,
    /// By tap, plane and tile of outputs: what a stone adds to the sums.
    input: Vec<[i32; OUTPUTS]>,
    input_bias: Vec<[i32; OUTPUTS]>,
    layers: Vec<Layer>,
    weight_bits: u32,
}

/// A convolution of all channels to all channels.
struct Layer {
    /// By tap, [`INPUTS`] inputs, and tile of outputs.
    weights: Vec<Tile>,
    /// By tile; half of what one step of an activation counts is added, for the rounding.
    bias: Vec<[i32; OUTPUTS]>,
}

/// Activations: all channels of a cell, cells row by row, with a border of one cell that stays zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Activations {
    cells: Vec<u8>,
    channels: usize,
}

impl Activations {
    fn clear(&mut self, size: usize, channels: usize) {
        self.channels = channels;
        self.cells.clear();
        self.cells.resize((size + 2) * (size + 2) * channels, 0);
    }

    /// Returns the cells of a row between the borders; the first row is 1.
    pub(super) fn row(&self, row: usize, size: usize) -> &[u8] {
        &self.cells[(row * (size + 2) + 1) * self.channels..][..size * self.channels]
    }

    /// Returns the place of some outputs of a cell.
    #[inline(always)]
    fn tile(&mut self, cell: usize, tile: usize) -> &mut [u8; OUTPUTS] {
        let place = cell * self.channels + tile * OUTPUTS;
        self.cells[place..].first_chunk_mut().expect("channels come in tiles")
    }
}

/// Buffers for the activations of any network and any board.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffers {
    /// The board for which there is room, and its channels.
    made_for: (usize, usize),
    pub(super) out: Activations,
    middle: Activations,
}

impl Body {
    pub(super) fn read(
        tensors: &Tensors<'_>,
        shape: Shape,
        activation_bits: u32,
        weight_bits: u32,
    ) -> Result<Self, NetError> {
        let Shape { planes, channels, blocks } = shape;
        let (weights, bias) =
            tensors.layer8("input", &[channels, planes, TAPS.len()], i8::MAX.unsigned_abs().into())?;
        let (half, stone) = (1 << (weight_bits - 1), 1 << activation_bits);
        tensors.check_sums("input", &weights, &bias, (stone, half))?;
        let of = |tap: usize, plane: usize, channel: usize| {
            i32::from(weights[(channel * planes + plane) * TAPS.len() + tap]) << activation_bits
        };
        let mut input = Vec::new();
        for tap in 0..TAPS.len() {
            for plane in 0..planes {
                for first in (0..channels).step_by(OUTPUTS) {
                    input.push(std::array::from_fn(|output| of(tap, plane, first + output)));
                }
            }
        }
        let mut layers = Vec::new();
        for block in 0..blocks {
            // The second part adds an activation with as many bits behind the point as a sum has.
            for (part, skipped) in [("one", 0), ("two", 255 << weight_bits)] {
                let name = format!("blocks.{block}.{part}");
                let (weights, bias) = tensors.layer8(&name, &[channels, channels, TAPS.len()], MAX_WEIGHT)?;
                tensors.check_sums(&name, &weights, &bias, (255, half + skipped))?;
                layers.push(Layer::new(&weights, &bias, channels, weight_bits));
            }
        }
        Ok(Body { shape, input, input_bias: rounded(&bias, weight_bits), layers, weight_bits })
    }

    /// Computes the activations after the last block, into `buffers.out`.
    #[inline(always)]
    pub(super) fn run<L: Lanes8>(&self, lanes: L, planes: &Planes, buffers: &mut Buffers) {
        let made_for = (planes.size, self.shape.channels);
        if buffers.made_for != made_for {
            buffers.made_for = made_for;
            buffers.out.clear(planes.size, self.shape.channels);
            buffers.middle.clear(planes.size, self.shape.channels);
        }
        let Buffers { out, middle, .. } = buffers;
        self.input(lanes, planes, out);
        for block in self.layers.chunks_exact(2) {
            let pass = |layer| LayerPass { layer, size: planes.size, weight_bits: self.weight_bits };
            pass(&block[0]).run::<L, false>(lanes, out, middle);
            pass(&block[1]).run::<L, true>(lanes, middle, out);
        }
    }

    /// Computes the input convolution: stones are ones, so their weights are added.
    #[inline(always)]
    fn input<L: Lanes8>(&self, lanes: L, planes: &Planes, out: &mut Activations) {
        let (tiles, width) = (self.input_bias.len(), planes.size + 2);
        // Planes that the network does not know are left out.
        let known = u8::MAX >> (8 - self.shape.planes);
        for row in 1..=planes.size {
            for col in 1..=planes.size {
                let at = row * width + col;
                let beside = TAPS.map(|(down, right)| {
                    planes.cells[at.wrapping_add_signed(down * width.cast_signed() + right)] & known
                });
                for tile in 0..tiles {
                    let mut sums = self.input_bias[tile];
                    for (tap, mut stones) in beside.into_iter().enumerate() {
                        while stones != 0 {
                            let plane = stones.trailing_zeros() as usize;
                            stones &= stones - 1;
                            let weights = &self.input[(tap * self.shape.planes + plane) * tiles + tile];
                            for (sum, weight) in sums.iter_mut().zip(weights) {
                                *sum = sum.wrapping_add(*weight);
                            }
                        }
                    }
                    *out.tile(at, tile) = lanes.end(lanes.begin(&sums), self.weight_bits);
                }
            }
        }
    }
}

/// Returns biases by tile, with half a step added.
fn rounded(bias: &[i32], weight_bits: u32) -> Vec<[i32; OUTPUTS]> {
    let (tiles, _) = bias.as_chunks();
    tiles.iter().map(|tile: &[i32; OUTPUTS]| tile.map(|bias| bias + (1 << (weight_bits - 1)))).collect()
}

impl Layer {
    fn new(weights: &[i8], bias: &[i32], channels: usize, weight_bits: u32) -> Self {
        let mut tiles = Vec::with_capacity(weights.len() / (OUTPUTS * INPUTS));
        for tap in 0..TAPS.len() {
            for input in (0..channels).step_by(INPUTS) {
                for output in (0..channels).step_by(OUTPUTS) {
                    tiles.push(Tile(std::array::from_fn(|place| {
                        let (output, input) = (output + place / INPUTS, input + place % INPUTS);
                        weights[(output * channels + input) * TAPS.len() + tap]
                    })));
                }
            }
        }
        Layer { weights: tiles, bias: rounded(bias, weight_bits) }
    }
}

/// One layer on a board.
struct LayerPass<'a> {
    layer: &'a Layer,
    size: usize,
    weight_bits: u32,
}

impl LayerPass<'_> {
    /// Computes all cells; with `SKIP` the activations that `out` holds are added to the sums.
    #[inline(always)]
    fn run<L: Lanes8, const SKIP: bool>(&self, lanes: L, from: &Activations, out: &mut Activations) {
        let tiles = self.layer.bias.len();
        let mut first = 0;
        for tile_groups in (1..=tiles.div_ceil(L::TILES)).rev() {
            let count = (tiles - first).div_ceil(tile_groups);
            for row in 1..=self.size {
                // Groups of nearly the same number of cells: a single one would be slow.
                let mut col = 1;
                for groups in (1..=self.size.div_ceil(L::CELLS)).rev() {
                    let cells = (self.size + 1 - col).div_ceil(groups);
                    let at = row * (self.size + 2) + col;
                    match count {
                        1 => self.tiles::<L, 1, SKIP>(lanes, first, (at, cells), from, out),
                        2 if L::TILES >= 2 => self.tiles::<L, 2, SKIP>(lanes, first, (at, cells), from, out),
                        3 if L::TILES >= 3 => self.tiles::<L, 3, SKIP>(lanes, first, (at, cells), from, out),
                        4 if L::TILES >= 4 => self.tiles::<L, 4, SKIP>(lanes, first, (at, cells), from, out),
                        _ => unreachable!("a group has at most TILES tiles"),
                    }
                    col += cells;
                }
            }
            first += count;
        }
    }

    /// Computes some tiles of outputs of a few cells of a row.
    #[inline(always)]
    fn tiles<L: Lanes8, const TILES: usize, const SKIP: bool>(
        &self,
        lanes: L,
        first: usize,
        (at, cells): (usize, usize),
        from: &Activations,
        out: &mut Activations,
    ) {
        match cells {
            1 => self.cells::<L, TILES, 1, SKIP>(lanes, first, at, from, out),
            2 if L::CELLS >= 2 => self.cells::<L, TILES, 2, SKIP>(lanes, first, at, from, out),
            3 if L::CELLS >= 3 => self.cells::<L, TILES, 3, SKIP>(lanes, first, at, from, out),
            4 if L::CELLS >= 4 => self.cells::<L, TILES, 4, SKIP>(lanes, first, at, from, out),
            _ => unreachable!("a group has at most CELLS cells"),
        }
    }

    /// Computes tiles of outputs from `first` on for the cells from `at` on.
    #[inline(always)]
    fn cells<L: Lanes8, const TILES: usize, const CELLS: usize, const SKIP: bool>(
        &self,
        lanes: L,
        first: usize,
        at: usize,
        from: &Activations,
        out: &mut Activations,
    ) {
        let LayerPass { layer, size, weight_bits } = *self;
        let (tiles, quads) = (layer.bias.len(), from.channels / INPUTS);
        let bias: [L::Sums; TILES] = std::array::from_fn(|tile| lanes.begin(&layer.bias[first + tile]));
        let mut sums = [bias; CELLS];
        let (inputs, _) = from.cells.as_chunks::<INPUTS>();
        for (tap, (down, right)) in TAPS.into_iter().enumerate() {
            let beside = at.wrapping_add_signed(down * (size + 2).cast_signed() + right);
            let inputs: [&[[u8; INPUTS]]; CELLS] =
                std::array::from_fn(|cell| &inputs[(beside + cell) * quads..][..quads]);
            let weights = &layer.weights[tap * quads * tiles..][..quads * tiles];
            for (place, weights) in weights.chunks_exact(tiles).enumerate() {
                let weights: &[Tile; TILES] = weights[first..].first_chunk().expect("tiles up to the last");
                for (sums, inputs) in sums.iter_mut().zip(inputs) {
                    for (sums, weights) in sums.iter_mut().zip(weights) {
                        lanes.add(sums, inputs[place], weights);
                    }
                }
            }
        }
        for (cell, sums) in sums.into_iter().enumerate() {
            for (tile, mut sums) in sums.into_iter().enumerate() {
                let out = out.tile(at + cell, first + tile);
                if SKIP {
                    lanes.add_skip(&mut sums, *out, weight_bits);
                }
                *out = lanes.end(sums, weight_bits);
            }
        }
    }
}
