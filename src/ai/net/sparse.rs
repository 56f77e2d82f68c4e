//! Small networks with sparse binary inputs, which evaluate positions. They compute with integers only, so
//! that the results are identical on every machine. This module is independent of any game or search.

use super::vectors::{Avx2Dispatcher, VectorizableLoops};
use super::weights::{NetLoadError, NetworkTensors};

/// Number of hidden units that are computed together; loops of this length are vectorized on every CPU.
const UNITS_PER_GROUP: usize = 64;
/// Maximum size of a hidden unit's weights and bias, in steps: a sum of 36 of them fits in 16 bits.
const MAX_HIDDEN_WEIGHT: u16 = 900;
/// Maximum activation in steps; its product with an output weight fits in 16 bits.
const MAX_ACTIVATION: usize = 255;

/// Maximum size of the returned value; it stays below the values of wins.
const MAX_NET_VALUE: i64 = 1_000_000;

/// Values of one group of hidden units.
type UnitGroup = [i16; UNITS_PER_GROUP];

/// Network with sparse binary inputs, of which at most 35 are set. It has one hidden layer with clipped,
/// squared activations, and one output with separate weights for each of several cases.
///
/// `docs/learning.md` has the formula and the file format.
///
/// ```
/// use crosspath::ai::net::SparseNet;
/// let bytes = std::fs::read("nets/quoridor.safetensors")?;
/// // It has 482 inputs, and a case for each range of walls left that begins with one of these numbers.
/// let network = SparseNet::from_bytes(&bytes, "quoridor", 482, &[0, 1, 3, 6, 10, 15])?;
/// let mut sums = network.initial_sums();
/// network.add_input(&mut sums, 7);
/// let value = network.evaluate(&sums, &[200], 0);
/// assert_eq!(value, network.evaluate(&network.initial_sums(), &[7, 200], 0));
/// assert_ne!(value, network.evaluate(&sums, &[200], 5), "each case has its own output weights");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SparseNet {
    inputs: usize,
    /// Number of groups of hidden units.
    groups: usize,
    /// Weights of the hidden units, by input and group.
    rows: Vec<UnitGroup>,
    /// Biases of the hidden units, by group.
    bias: Vec<UnitGroup>,
    /// Output weights by case and group.
    outputs: Vec<UnitGroup>,
    /// Output biases by case.
    output_bias: Vec<i32>,
    /// Maximum activation of a hidden unit, in steps.
    one: i16,
    /// Steps of an output sum per unit of log odds.
    steps: i64,
    /// Returned value per unit of log odds.
    unit: i64,
    hash: u32,
    vectors: Avx2Dispatcher,
}

/// Sums of the hidden units for some of the inputs; more inputs can be added.
///
/// ```
/// use crosspath::ai::quoridor::net::read_network;
/// let network = read_network(&std::fs::read("nets/quoridor.safetensors")?)?;
/// let [mut one, mut other] = [network.initial_sums(), network.initial_sums()];
/// network.add_input(&mut one, 7);
/// assert_ne!(one, other);
/// network.add_input(&mut one, 200);
/// [200, 7].into_iter().for_each(|input| network.add_input(&mut other, input));
/// assert_eq!(one, other, "the order of the inputs does not matter");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenSums(Vec<UnitGroup>);

impl SparseNet {
    /// Reads a network for `game` with `inputs` inputs from the content of its file; `cases` are the
    /// buckets that its metadata must list.
    ///
    /// # Errors
    /// If the bytes are not such a network; the error gives the reason.
    #[expect(clippy::missing_panics_doc, reason = "what is read is checked before")]
    pub fn from_bytes(
        bytes: &[u8],
        game: &str,
        inputs: usize,
        cases: &[usize],
    ) -> Result<Self, NetLoadError> {
        let tensors = NetworkTensors::from_bytes(bytes, game, "2")?;
        let buckets: Vec<String> = cases.iter().map(ToString::to_string).collect();
        tensors.check_metadata_equals("inputs", &inputs.to_string())?;
        tensors.check_metadata_equals("outputs", &cases.len().to_string())?;
        tensors.check_metadata_equals("buckets", &buckets.join(","))?;
        let hidden = tensors.parse_number_where("hidden", |hidden| hidden % UNITS_PER_GROUP == 0)?;
        let one = tensors.parse_number_where("one", |one| one <= MAX_ACTIVATION)?;
        let [output_steps, unit] = [tensors.parse_number("output_steps")?, tensors.parse_number("unit")?];
        let number = |number: usize| i64::try_from(number).expect("at most 1024");
        let square = number(one * one);
        let weights = tensors.read_i16_tensor("input.weight", &[inputs, hidden], MAX_HIDDEN_WEIGHT)?;
        let bias = tensors.read_i16_tensor("input.bias", &[hidden], MAX_HIDDEN_WEIGHT)?;
        let outputs = tensors.read_i8_tensor("output.weight", &[cases.len(), hidden])?;
        let output_bias = tensors.read_i32_tensor("output.bias", &[cases.len()])?;
        let most = |(row, &bias): (&[i16], &i32)| {
            row.iter().map(|&weight| i64::from(weight).abs()).sum::<i64>() * square + i64::from(bias).abs()
        };
        if outputs.chunks_exact(hidden).zip(&output_bias).map(most).any(|most| most > i64::from(i32::MAX)) {
            return Err(NetLoadError::Large("output.weight".to_owned()));
        }
        let grouped =
            |numbers: &[i16]| -> Vec<UnitGroup> { numbers.as_chunks::<UNITS_PER_GROUP>().0.to_vec() };
        Ok(SparseNet {
            inputs,
            groups: hidden / UNITS_PER_GROUP,
            rows: grouped(&weights),
            bias: grouped(&bias),
            outputs: grouped(&outputs),
            output_bias,
            one: i16::try_from(one).expect("at most 255"),
            steps: square * number(output_steps),
            unit: number(unit),
            hash: tensors.hash,
            vectors: Avx2Dispatcher::detect(),
        })
    }

    /// Returns the CRC-32 of the weights.
    #[must_use]
    pub fn weights_hash(&self) -> u32 {
        self.hash
    }

    /// Returns the sums for no inputs: the biases.
    #[must_use]
    pub fn initial_sums(&self) -> HiddenSums {
        HiddenSums(self.bias.clone())
    }

    /// Adds an input to the sums.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn add_input(&self, sums: &mut HiddenSums, input: u16) {
        let row = &self.rows[usize::from(input) * self.groups..][..self.groups];
        for (group, weights) in sums.0.iter_mut().zip(row) {
            add_units(group, weights);
        }
    }

    /// Copies the sums and adds an input to the copy.
    ///
    /// # Panics
    /// If there is no such input.
    pub(crate) fn copy_with_input(&self, from: &HiddenSums, input: u16, to: &mut HiddenSums) {
        to.0.resize(self.groups, [0; UNITS_PER_GROUP]);
        let row = &self.rows[usize::from(input) * self.groups..][..self.groups];
        for ((to, from), weights) in to.0.iter_mut().zip(&from.0).zip(row) {
            for unit in 0..UNITS_PER_GROUP {
                to[unit] = from[unit].wrapping_add(weights[unit]);
            }
        }
    }

    /// Returns the output sum of a case for the inputs in `sums` and those in `inputs`, in steps.
    ///
    /// # Panics
    /// If there is no such input or case.
    #[must_use]
    pub fn output_sum<const N: usize>(&self, sums: &HiddenSums, inputs: &[u16; N], case: usize) -> i32 {
        self.vectors.run_loops(OutputSumTask { net: self, sums, inputs, case })
    }

    /// Returns the network restricted to instructions that every CPU has.
    #[must_use]
    pub fn with_portable_loops(self) -> Self {
        SparseNet { vectors: Avx2Dispatcher::DISABLED, ..self }
    }

    /// Returns the network's value: the log odds in its unit, rounded toward zero and at most a million in
    /// size.
    ///
    /// # Panics
    /// If there is no such input or case.
    #[must_use]
    pub fn evaluate<const N: usize>(&self, sums: &HiddenSums, inputs: &[u16; N], case: usize) -> i32 {
        let value = i64::from(self.output_sum(sums, inputs, case)) * self.unit / self.steps;
        i32::try_from(value.clamp(-MAX_NET_VALUE, MAX_NET_VALUE)).expect("at most a million")
    }
}

/// Arguments of [`SparseNet::output_sum`].
struct OutputSumTask<'a, const N: usize> {
    net: &'a SparseNet,
    sums: &'a HiddenSums,
    inputs: &'a [u16; N],
    case: usize,
}

impl<const N: usize> VectorizableLoops for OutputSumTask<'_, N> {
    type Output = i32;

    #[inline(always)]
    fn run_inlined(self) -> i32 {
        let OutputSumTask { net, sums, inputs, case } = self;
        let mut sum = net.output_bias[case];
        let outputs = &net.outputs[case * net.groups..][..net.groups];
        for (number, (group, weights)) in sums.0.iter().zip(outputs).enumerate() {
            let rows = inputs.map(|input| &net.rows[usize::from(input) * net.groups + number]);
            // Each unit goes through all rows at once, so that its sum stays in a register.
            for unit in 0..UNITS_PER_GROUP {
                let hidden = rows.iter().fold(group[unit], |hidden, row| hidden.wrapping_add(row[unit]));
                let activation = hidden.clamp(0, net.one);
                let weighted = i32::from(activation.wrapping_mul(weights[unit])) * i32::from(activation);
                sum = sum.wrapping_add(weighted);
            }
        }
        sum
    }
}

fn add_units(sums: &mut UnitGroup, weights: &UnitGroup) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_add(*weight);
    }
}

impl std::fmt::Debug for SparseNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = self.groups * UNITS_PER_GROUP;
        write!(f, "SparseNet({} inputs, {units} units, {:08x})", self.inputs, self.hash)
    }
}
