//! The convolutions of a network in 16 bits, on one board at a time. Knows no file and no heads.

use super::lanes16::{Lanes16, Pair, WIDTH};
use super::net16::TOP;
use super::weights::{NetError, Tensors};
use super::{Planes, Shape, TAPS};

/// The input convolution and the blocks.
pub(super) struct Body {
    pub(super) shape: Shape,
    /// By tap, plane and channel: what a stone adds to a sum.
    input: Vec<i32>,
    input_bias: Vec<i32>,
    layers: Vec<Layer>,
    weight_bits: u32,
}

/// A convolution of all channels to all channels.
struct Layer {
    /// By [`WIDTH`] outputs, tap, and two inputs.
    weights: Vec<Pair>,
    bias: Vec<[i32; WIDTH]>,
}

/// Activations: all channels of a cell, cells row by row, with a border of one cell that stays zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Activations {
    cells: Vec<i16>,
    channels: usize,
}

impl Activations {
    fn clear(&mut self, size: usize, channels: usize) {
        self.channels = channels;
        self.cells.clear();
        self.cells.resize((size + 2) * (size + 2) * channels, 0);
    }

    /// The cells of a row between the borders; the first row is 1.
    pub(super) fn row(&self, row: usize, size: usize) -> &[i16] {
        &self.cells[(row * (size + 2) + 1) * self.channels..][..size * self.channels]
    }
}

/// Room to compute in, for any network and any board.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch16 {
    /// The board for which there is room, and its channels.
    made_for: (usize, usize),
    pub(super) out: Activations,
    middle: Activations,
    pub(super) pooled: Vec<i32>,
}

/// A sum as an activation.
#[inline(always)]
fn activation(sum: i32, weight_bits: u32) -> i16 {
    let steps = (sum.wrapping_add(1 << (weight_bits - 1)) >> weight_bits).clamp(0, TOP);
    #[allow(clippy::cast_possible_truncation, reason = "it lies between 0 and 32,767")]
    let steps = steps as i16;
    steps
}

impl Body {
    pub(super) fn read(
        tensors: &Tensors<'_>,
        shape: Shape,
        activation_bits: u32,
        weight_bits: u32,
    ) -> Result<Self, NetError> {
        let Shape { planes, channels, blocks } = shape;
        if !channels.is_multiple_of(WIDTH) {
            return Err(NetError::Number { key: "channels", got: channels.to_string() });
        }
        if planes > 8 {
            return Err(NetError::Number { key: "planes", got: planes.to_string() });
        }
        let (weights, input_bias) = tensors.layer("input", &[channels, planes, TAPS.len()], weight_bits)?;
        let mut input = Vec::with_capacity(weights.len());
        for tap in 0..TAPS.len() {
            for plane in 0..planes {
                let of = |channel: usize| i32::from(weights[(channel * planes + plane) * TAPS.len() + tap]);
                input.extend((0..channels).map(|channel| of(channel) << activation_bits));
            }
        }
        let mut layers = Vec::new();
        for block in 0..blocks {
            for part in ["one", "two"] {
                let name = format!("blocks.{block}.{part}");
                let (weights, bias) = tensors.layer(&name, &[channels, channels, TAPS.len()], weight_bits)?;
                layers.push(Layer::new(&weights, &bias, channels));
            }
        }
        Ok(Body { shape, input, input_bias, layers, weight_bits })
    }

    /// Computes the activations behind the last block, into `scratch.out`.
    #[inline(always)]
    pub(super) fn run<L: Lanes16>(&self, lanes: L, planes: &Planes, scratch: &mut Scratch16) {
        let made_for = (planes.size, self.shape.channels);
        if scratch.made_for != made_for {
            scratch.made_for = made_for;
            scratch.out.clear(planes.size, self.shape.channels);
            scratch.middle.clear(planes.size, self.shape.channels);
        }
        let Scratch16 { out, middle, .. } = scratch;
        input(self, planes, out);
        for block in self.layers.chunks_exact(2) {
            layer::<L, false>(lanes, self, &block[0], planes.size, out, middle);
            layer::<L, true>(lanes, self, &block[1], planes.size, middle, out);
        }
    }
}

impl Layer {
    fn new(weights: &[i16], bias: &[i32], channels: usize) -> Self {
        let mut packed = Vec::new();
        for outputs in (0..channels).step_by(WIDTH) {
            for tap in 0..TAPS.len() {
                for inputs in (0..channels).step_by(2) {
                    let weight =
                        |output: usize, input: usize| weights[(output * channels + input) * TAPS.len() + tap];
                    packed.push(std::array::from_fn(|place| weight(outputs + place / 2, inputs + place % 2)));
                }
            }
        }
        let (bias, _) = bias.as_chunks();
        Layer { weights: packed, bias: bias.to_vec() }
    }
}

/// The input convolution: stones are ones, so their weights are added.
#[inline(always)]
fn input(body: &Body, planes: &Planes, out: &mut Activations) {
    let (size, channels, width) = (planes.size, body.shape.channels, planes.size + 2);
    for row in 1..=size {
        for col in 1..=size {
            let at = row * width + col;
            for outputs in (0..channels).step_by(WIDTH) {
                let mut sums: [i32; WIDTH] =
                    *body.input_bias[outputs..].first_chunk().expect("channels come by the width");
                for (tap, (down, right)) in TAPS.into_iter().enumerate() {
                    let beside = at.wrapping_add_signed(down * width.cast_signed() + right);
                    let mut stones = planes.cells[beside];
                    while stones != 0 {
                        let bit = stones.trailing_zeros() as usize;
                        stones &= stones - 1;
                        let place = (tap * body.shape.planes + bit) * channels + outputs;
                        for (sum, weight) in sums.iter_mut().zip(&body.input[place..place + WIDTH]) {
                            *sum = sum.wrapping_add(*weight);
                        }
                    }
                }
                let out = &mut out.cells[at * channels + outputs..][..WIDTH];
                for (out, sum) in out.iter_mut().zip(sums) {
                    *out = activation(sum, body.weight_bits);
                }
            }
        }
    }
}

/// A convolution; with `SKIP` what stands in `out` is added to the sums.
#[inline(always)]
fn layer<L: Lanes16, const SKIP: bool>(
    lanes: L,
    body: &Body,
    layer: &Layer,
    size: usize,
    from: &Activations,
    out: &mut Activations,
) {
    let pass = LayerPass { layer, size, channels: body.shape.channels, weight_bits: body.weight_bits };
    for outputs in 0..layer.bias.len() {
        for row in 1..=size {
            let mut col = 1;
            while col <= size {
                let at = row * (size + 2) + col;
                let count = L::CELLS.min(size + 1 - col);
                match count {
                    1 => pass.cells::<L, 1, SKIP>(lanes, outputs, at, from, out),
                    2 => pass.cells::<L, 2, SKIP>(lanes, outputs, at, from, out),
                    3 => pass.cells::<L, 3, SKIP>(lanes, outputs, at, from, out),
                    4 => pass.cells::<L, 4, SKIP>(lanes, outputs, at, from, out),
                    5 => pass.cells::<L, 5, SKIP>(lanes, outputs, at, from, out),
                    _ => pass.cells::<L, 6, SKIP>(lanes, outputs, at, from, out),
                }
                col += count;
            }
        }
    }
}

struct LayerPass<'a> {
    layer: &'a Layer,
    size: usize,
    channels: usize,
    weight_bits: u32,
}

impl LayerPass<'_> {
    /// [`WIDTH`] outputs of a few cells of a row, from the place `at` on.
    #[inline(always)]
    fn cells<L: Lanes16, const CELLS: usize, const SKIP: bool>(
        &self,
        lanes: L,
        outputs: usize,
        at: usize,
        from: &Activations,
        out: &mut Activations,
    ) {
        let LayerPass { layer, size, channels, weight_bits } = *self;
        let mut sums = [lanes.begin(&layer.bias[outputs]); CELLS];
        let weights = &layer.weights[outputs * TAPS.len() * channels / 2..];
        for (tap, (down, right)) in TAPS.into_iter().enumerate() {
            let beside = at.wrapping_add_signed(down * (size + 2).cast_signed() + right);
            let weights = &weights[tap * channels / 2..][..channels / 2];
            let inputs = &from.cells[beside * channels..][..CELLS * channels];
            let inputs = inputs.as_chunks::<2>().0;
            for (place, weights) in weights.iter().enumerate() {
                for (cell, sums) in sums.iter_mut().enumerate() {
                    lanes.add(sums, inputs[cell * (channels / 2) + place], weights);
                }
            }
        }
        for (cell, sums) in sums.into_iter().enumerate() {
            let out = &mut out.cells[(at + cell) * channels + outputs * WIDTH..][..WIDTH];
            for (out, sum) in out.iter_mut().zip(lanes.end(sums)) {
                let skipped = if SKIP { i32::from(*out) << weight_bits } else { 0 };
                *out = activation(sum.wrapping_add(skipped), weight_bits);
            }
        }
    }
}
