//! Convolutional layers of the 8-bit network, for one board at a time. This module does not contain the
//! heads.

use super::lanes8::{Int8SimdOps, TILE_INPUTS, TILE_OUTPUTS, WeightTile};
use super::weights::{NetLoadError, NetworkTensors};
use super::{InputPlanes, KERNEL_OFFSETS, NetworkShape};

/// Maximum size of a block's weights: the sum of two products with the largest activations fits in 16 bits.
const MAX_BLOCK_WEIGHT: u16 = 63;

/// Body of the network: the input convolution and the residual blocks.
pub(super) struct ConvBody {
    pub(super) shape: NetworkShape,
    /// Input weights by kernel offset, plane and output tile, in the unit of the sums.
    input: Vec<[i32; TILE_OUTPUTS]>,
    input_bias: Vec<[i32; TILE_OUTPUTS]>,
    layers: Vec<ConvLayer>,
    weight_bits: u32,
}

/// A convolution from all channels to all channels.
struct ConvLayer {
    /// Weights by kernel offset, group of [`TILE_INPUTS`] inputs, and output tile.
    weights: Vec<WeightTile>,
    /// Biases by output tile, with half an activation step added for rounding.
    bias: Vec<[i32; TILE_OUTPUTS]>,
}

/// Activations of a layer: all channels of a cell together, cells row by row, with a border of one cell
/// that stays zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Activations {
    cells: Vec<u8>,
    channels: usize,
}

impl Activations {
    fn reset_for_board(&mut self, size: usize, channels: usize) {
        self.channels = channels;
        self.cells.clear();
        self.cells.resize((size + 2) * (size + 2) * channels, 0);
    }

    /// Returns the activations of a row without the border; the first row is 1.
    pub(super) fn row_cells(&self, row: usize, size: usize) -> &[u8] {
        &self.cells[(row * (size + 2) + 1) * self.channels..][..size * self.channels]
    }

    /// Returns the activations of one output tile of a cell.
    #[inline(always)]
    fn outputs_mut(&mut self, cell: usize, tile: usize) -> &mut [u8; TILE_OUTPUTS] {
        let place = cell * self.channels + tile * TILE_OUTPUTS;
        self.cells[place..].first_chunk_mut().expect("channels come in tiles")
    }
}

/// Activation buffers for any network and board size.
#[derive(Clone, Debug, Default)]
pub(super) struct ActivationBuffers {
    /// Board size and number of channels that the buffers fit.
    made_for: (usize, usize),
    pub(super) out: Activations,
    middle: Activations,
}

impl ConvBody {
    pub(super) fn from_tensors(
        tensors: &NetworkTensors<'_>,
        shape: NetworkShape,
        activation_bits: u32,
        weight_bits: u32,
    ) -> Result<Self, NetLoadError> {
        let NetworkShape { planes, channels, blocks } = shape;
        let (weights, bias) = tensors.read_int8_layer(
            "input",
            &[channels, planes, KERNEL_OFFSETS.len()],
            i8::MAX.unsigned_abs().into(),
        )?;
        let (half, stone) = (1 << (weight_bits - 1), 1 << activation_bits);
        tensors.check_sums_fit_i32("input", &weights, &bias, (stone, half))?;
        let of = |tap: usize, plane: usize, channel: usize| {
            i32::from(weights[(channel * planes + plane) * KERNEL_OFFSETS.len() + tap]) << activation_bits
        };
        let mut input = Vec::new();
        for tap in 0..KERNEL_OFFSETS.len() {
            for plane in 0..planes {
                for first in (0..channels).step_by(TILE_OUTPUTS) {
                    input.push(std::array::from_fn(|output| of(tap, plane, first + output)));
                }
            }
        }
        let mut layers = Vec::new();
        for block in 0..blocks {
            // The second convolution adds an activation, which is scaled to the fraction bits of the sums.
            for (part, skipped) in [("one", 0), ("two", 255 << weight_bits)] {
                let name = format!("blocks.{block}.{part}");
                let (weights, bias) = tensors.read_int8_layer(
                    &name,
                    &[channels, channels, KERNEL_OFFSETS.len()],
                    MAX_BLOCK_WEIGHT,
                )?;
                tensors.check_sums_fit_i32(&name, &weights, &bias, (255, half + skipped))?;
                layers.push(ConvLayer::new(&weights, &bias, channels, weight_bits));
            }
        }
        Ok(ConvBody {
            shape,
            input,
            input_bias: biases_with_rounding(&bias, weight_bits),
            layers,
            weight_bits,
        })
    }

    /// Computes the activations after the last block into `buffers.out`.
    #[inline(always)]
    pub(super) fn compute_activations<L: Int8SimdOps>(
        &self,
        lanes: L,
        planes: &InputPlanes,
        buffers: &mut ActivationBuffers,
    ) {
        let made_for = (planes.size, self.shape.channels);
        if buffers.made_for != made_for {
            buffers.made_for = made_for;
            buffers.out.reset_for_board(planes.size, self.shape.channels);
            buffers.middle.reset_for_board(planes.size, self.shape.channels);
        }
        let ActivationBuffers { out, middle, .. } = buffers;
        self.convolve_input(lanes, planes, out);
        for block in self.layers.chunks_exact(2) {
            let pass = |layer| LayerPass { layer, size: planes.size, weight_bits: self.weight_bits };
            pass(&block[0]).compute_all_cells::<L, false>(lanes, out, middle);
            pass(&block[1]).compute_all_cells::<L, true>(lanes, middle, out);
        }
    }

    /// Computes the input convolution: inputs are 0 or 1, so it just adds the weights of the set bits.
    #[inline(always)]
    fn convolve_input<L: Int8SimdOps>(&self, lanes: L, planes: &InputPlanes, out: &mut Activations) {
        let (tiles, width) = (self.input_bias.len(), planes.size + 2);
        // Planes beyond those of the network are ignored.
        let known = u8::MAX >> (8 - self.shape.planes);
        for row in 1..=planes.size {
            for col in 1..=planes.size {
                let at = row * width + col;
                let beside = KERNEL_OFFSETS.map(|(down, right)| {
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
                    *out.outputs_mut(at, tile) =
                        lanes.shift_and_clamp(lanes.load_sums(&sums), self.weight_bits);
                }
            }
        }
    }
}

/// Splits biases into output tiles and adds half a step for rounding.
fn biases_with_rounding(bias: &[i32], weight_bits: u32) -> Vec<[i32; TILE_OUTPUTS]> {
    let (tiles, _) = bias.as_chunks();
    tiles.iter().map(|tile: &[i32; TILE_OUTPUTS]| tile.map(|bias| bias + (1 << (weight_bits - 1)))).collect()
}

impl ConvLayer {
    fn new(weights: &[i8], bias: &[i32], channels: usize, weight_bits: u32) -> Self {
        let mut tiles = Vec::with_capacity(weights.len() / (TILE_OUTPUTS * TILE_INPUTS));
        for tap in 0..KERNEL_OFFSETS.len() {
            for input in (0..channels).step_by(TILE_INPUTS) {
                for output in (0..channels).step_by(TILE_OUTPUTS) {
                    tiles.push(WeightTile(std::array::from_fn(|place| {
                        let (output, input) = (output + place / TILE_INPUTS, input + place % TILE_INPUTS);
                        weights[(output * channels + input) * KERNEL_OFFSETS.len() + tap]
                    })));
                }
            }
        }
        ConvLayer { weights: tiles, bias: biases_with_rounding(bias, weight_bits) }
    }
}

/// Arguments of a pass of one layer over a board.
struct LayerPass<'a> {
    layer: &'a ConvLayer,
    size: usize,
    weight_bits: u32,
}

impl LayerPass<'_> {
    /// Computes all cells; with `SKIP` the activations in `out` are added to the sums.
    #[inline(always)]
    fn compute_all_cells<L: Int8SimdOps, const SKIP: bool>(
        &self,
        lanes: L,
        from: &Activations,
        out: &mut Activations,
    ) {
        let tiles = self.layer.bias.len();
        let mut first = 0;
        for tile_groups in (1..=tiles.div_ceil(L::TILES_AT_ONCE)).rev() {
            let count = (tiles - first).div_ceil(tile_groups);
            for row in 1..=self.size {
                // Cells are split into groups of nearly equal size, since a group of one cell would be
                // slow.
                let mut col = 1;
                for groups in (1..=self.size.div_ceil(L::CELLS_AT_ONCE)).rev() {
                    let cells = (self.size + 1 - col).div_ceil(groups);
                    let at = row * (self.size + 2) + col;
                    match count {
                        1 => self.compute_row_group::<L, 1, SKIP>(lanes, first, (at, cells), from, out),
                        2 if L::TILES_AT_ONCE >= 2 => {
                            self.compute_row_group::<L, 2, SKIP>(lanes, first, (at, cells), from, out);
                        }
                        3 if L::TILES_AT_ONCE >= 3 => {
                            self.compute_row_group::<L, 3, SKIP>(lanes, first, (at, cells), from, out);
                        }
                        4 if L::TILES_AT_ONCE >= 4 => {
                            self.compute_row_group::<L, 4, SKIP>(lanes, first, (at, cells), from, out);
                        }
                        _ => unreachable!("a group has at most TILES tiles"),
                    }
                    col += cells;
                }
            }
            first += count;
        }
    }

    /// Computes some output tiles for a group of `cells` cells of a row, starting at `at`.
    #[inline(always)]
    fn compute_row_group<L: Int8SimdOps, const TILES: usize, const SKIP: bool>(
        &self,
        lanes: L,
        first: usize,
        (at, cells): (usize, usize),
        from: &Activations,
        out: &mut Activations,
    ) {
        match cells {
            1 => self.compute_cell_group::<L, TILES, 1, SKIP>(lanes, first, at, from, out),
            2 if L::CELLS_AT_ONCE >= 2 => {
                self.compute_cell_group::<L, TILES, 2, SKIP>(lanes, first, at, from, out);
            }
            3 if L::CELLS_AT_ONCE >= 3 => {
                self.compute_cell_group::<L, TILES, 3, SKIP>(lanes, first, at, from, out);
            }
            4 if L::CELLS_AT_ONCE >= 4 => {
                self.compute_cell_group::<L, TILES, 4, SKIP>(lanes, first, at, from, out);
            }
            _ => unreachable!("a group has at most CELLS cells"),
        }
    }

    /// Computes `TILES` output tiles from `first` for `CELLS` cells from `at`.
    #[inline(always)]
    fn compute_cell_group<L: Int8SimdOps, const TILES: usize, const CELLS: usize, const SKIP: bool>(
        &self,
        lanes: L,
        first: usize,
        at: usize,
        from: &Activations,
        out: &mut Activations,
    ) {
        let LayerPass { layer, size, weight_bits } = *self;
        let (tiles, quads) = (layer.bias.len(), from.channels / TILE_INPUTS);
        let bias: [L::Sums; TILES] = std::array::from_fn(|tile| lanes.load_sums(&layer.bias[first + tile]));
        let mut sums = [bias; CELLS];
        let (inputs, _) = from.cells.as_chunks::<TILE_INPUTS>();
        for (tap, (down, right)) in KERNEL_OFFSETS.into_iter().enumerate() {
            let beside = at.wrapping_add_signed(down * (size + 2).cast_signed() + right);
            let inputs: [&[[u8; TILE_INPUTS]]; CELLS] =
                std::array::from_fn(|cell| &inputs[(beside + cell) * quads..][..quads]);
            let weights = &layer.weights[tap * quads * tiles..][..quads * tiles];
            for (place, weights) in weights.chunks_exact(tiles).enumerate() {
                let weights: &[WeightTile; TILES] =
                    weights[first..].first_chunk().expect("tiles up to the last");
                for (sums, inputs) in sums.iter_mut().zip(inputs) {
                    for (sums, weights) in sums.iter_mut().zip(weights) {
                        lanes.add_products(sums, inputs[place], weights);
                    }
                }
            }
        }
        for (cell, sums) in sums.into_iter().enumerate() {
            for (tile, mut sums) in sums.into_iter().enumerate() {
                let out = out.outputs_mut(at + cell, first + tile);
                if SKIP {
                    lanes.add_skip(&mut sums, *out, weight_bits);
                }
                *out = lanes.shift_and_clamp(sums, weight_bits);
            }
        }
    }
}
