//! Networks of few inputs out of many: which of them are there says what a position is worth. Whole numbers only, so that every machine
//! computes the same bits. Knows no game and no search.

use super::vectors::{Loops, WideLoops};
use super::weights::{NetError, Tensors};

/// Hidden units that are computed together: plain loops over this number become vectors on every CPU.
const UNITS: usize = 64;
/// The largest weight and bias of a hidden unit, in steps: a sum of 32 of them stays in 16 bits.
const MAX_WEIGHT: u16 = 1000;
/// The largest activation in steps; its product with a weight of the output stays in 16 bits.
const MAX_ONE: usize = 255;

/// No value is larger: what a network says is never taken for a win.
const MAX_VALUE: i64 = 1_000_000;

/// Some hidden units.
type Group = [i16; UNITS];

/// A network: inputs that are there or not, at most 31 of them, one hidden layer whose activations are clipped and squared, and a
/// number out, by weights for one of several cases.
///
/// `docs/learning.md` has the formula and the file.
pub struct SparseNet {
    inputs: usize,
    /// Groups in a row of hidden units.
    groups: usize,
    /// By input and group; by group.
    rows: Vec<Group>,
    bias: Vec<Group>,
    /// By case and group; by case.
    outputs: Vec<Group>,
    output_bias: Vec<i32>,
    /// The largest activation, in steps.
    one: i16,
    /// The steps of a sum that are one unit of log odds, and what one unit counts.
    steps: i64,
    unit: i64,
    hash: u32,
    vectors: WideLoops,
}

/// The sums of the hidden units for some of the inputs, to which others can be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums(Vec<Group>);

impl SparseNet {
    /// Reads the weights of a network of a game with `inputs` inputs; `cases` is what its description calls its
    /// buckets.
    ///
    /// # Errors
    /// Says in what way the bytes are no such network.
    #[expect(clippy::missing_panics_doc, reason = "what is read is checked before")]
    pub fn read(bytes: &[u8], game: &str, inputs: usize, cases: &[usize]) -> Result<Self, NetError> {
        let tensors = Tensors::read(bytes, game, "1")?;
        let buckets: Vec<String> = cases.iter().map(ToString::to_string).collect();
        tensors.expect("inputs", &inputs.to_string())?;
        tensors.expect("outputs", &cases.len().to_string())?;
        tensors.expect("buckets", &buckets.join(","))?;
        let hidden = tensors.number_where("hidden", |hidden| hidden % UNITS == 0)?;
        let one = tensors.number_where("one", |one| one <= MAX_ONE)?;
        let [output_steps, unit] = [tensors.number("output_steps")?, tensors.number("unit")?];
        let number = |number: usize| i64::try_from(number).expect("at most 1024");
        let square = number(one * one);
        let weights = tensors.small("input.weight", &[inputs, hidden], MAX_WEIGHT)?;
        let bias = tensors.small("input.bias", &[hidden], MAX_WEIGHT)?;
        let outputs = tensors.bytes("output.weight", &[cases.len(), hidden])?;
        let output_bias = tensors.numbers("output.bias", &[cases.len()])?;
        let most = |(row, &bias): (&[i16], &i32)| {
            row.iter().map(|&weight| i64::from(weight).abs()).sum::<i64>() * square + i64::from(bias).abs()
        };
        if outputs.chunks_exact(hidden).zip(&output_bias).map(most).any(|most| most > i64::from(i32::MAX)) {
            return Err(NetError::Large("output.weight".to_owned()));
        }
        let grouped = |numbers: &[i16]| -> Vec<Group> { numbers.as_chunks::<UNITS>().0.to_vec() };
        Ok(SparseNet {
            inputs,
            groups: hidden / UNITS,
            rows: grouped(&weights),
            bias: grouped(&bias),
            outputs: grouped(&outputs),
            output_bias,
            one: i16::try_from(one).expect("at most 255"),
            steps: square * number(output_steps),
            unit: number(unit),
            hash: tensors.hash,
            vectors: WideLoops::best(),
        })
    }

    /// The CRC-32 of the weights.
    #[must_use]
    pub fn hash(&self) -> u32 {
        self.hash
    }

    /// The sums where none of the inputs is there.
    #[must_use]
    pub fn none(&self) -> Sums {
        Sums(self.bias.clone())
    }

    /// Adds an input to sums.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn add(&self, sums: &mut Sums, input: u16) {
        let row = &self.rows[usize::from(input) * self.groups..][..self.groups];
        for (group, weights) in sums.0.iter_mut().zip(row) {
            add(group, weights);
        }
    }

    /// Sums of others, with an input more.
    ///
    /// # Panics
    /// If there is no such input.
    pub(crate) fn copy_with(&self, from: &Sums, input: u16, to: &mut Sums) {
        to.0.resize(self.groups, [0; UNITS]);
        let row = &self.rows[usize::from(input) * self.groups..][..self.groups];
        for ((to, from), weights) in to.0.iter_mut().zip(&from.0).zip(row) {
            for unit in 0..UNITS {
                to[unit] = from[unit].wrapping_add(weights[unit]);
            }
        }
    }

    /// The sum of the output of a case, where these inputs are there beside those of the sums.
    ///
    /// # Panics
    /// If there is no such input or case.
    #[must_use]
    pub fn sum<const N: usize>(&self, sums: &Sums, inputs: &[u16; N], case: usize) -> i32 {
        self.vectors.run(Summing { net: self, sums, inputs, case })
    }

    /// Returns the network with the instructions that every CPU has.
    #[must_use]
    pub fn portable(self) -> Self {
        SparseNet { vectors: WideLoops::NONE, ..self }
    }

    /// Returns the sum in units of the log odds, rounded to zero, at most a million.
    ///
    /// # Panics
    /// If there is no such input or case.
    #[must_use]
    pub fn value<const N: usize>(&self, sums: &Sums, inputs: &[u16; N], case: usize) -> i32 {
        let value = i64::from(self.sum(sums, inputs, case)) * self.unit / self.steps;
        i32::try_from(value.clamp(-MAX_VALUE, MAX_VALUE)).expect("at most a million")
    }
}

/// Arguments of [`SparseNet::sum`].
struct Summing<'a, const N: usize> {
    net: &'a SparseNet,
    sums: &'a Sums,
    inputs: &'a [u16; N],
    case: usize,
}

impl<const N: usize> Loops for Summing<'_, N> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Summing { net, sums, inputs, case } = self;
        let mut sum = net.output_bias[case];
        let outputs = &net.outputs[case * net.groups..][..net.groups];
        for (number, (group, weights)) in sums.0.iter().zip(outputs).enumerate() {
            let rows = inputs.map(|input| &net.rows[usize::from(input) * net.groups + number]);
            // Unit by unit, through all rows: so that they stay in registers.
            for unit in 0..UNITS {
                let hidden = rows.iter().fold(group[unit], |hidden, row| hidden.wrapping_add(row[unit]));
                let activation = hidden.clamp(0, net.one);
                let weighted = i32::from(activation.wrapping_mul(weights[unit])) * i32::from(activation);
                sum = sum.wrapping_add(weighted);
            }
        }
        sum
    }
}

fn add(sums: &mut Group, weights: &Group) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_add(*weight);
    }
}

impl std::fmt::Debug for SparseNet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let units = self.groups * UNITS;
        write!(f, "SparseNet({} inputs, {units} units, {:08x})", self.inputs, self.hash)
    }
}
