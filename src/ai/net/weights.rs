//! Weights on disk: safetensors with whole numbers, checked before anything is believed. Knows no layers.

use std::ops::RangeInclusive;

use super::safetensors::{Dtype, SafeTensors};
use crate::game::Refusal;

/// More outputs, inputs or blocks than any network has.
const MAX_DIMENSION: usize = 1024;

/// Stands for what a description does not say.
const MISSING: &str = "missing";

/// Why a file holds no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// It is no safetensors file, or it breaks off.
    #[error("the file is not a complete safetensors file ({0})")]
    Unreadable(String),
    /// It is a safetensors file of another kind.
    #[error("the file is not a crosspath network; `python -m train` writes such files")]
    Foreign,
    /// The network plays another game.
    #[error("the file is a network for {0}")]
    OtherGame(String),
    /// It was written by another version.
    #[error("the file has format version {got}; this program reads version {reads}")]
    Version {
        /// The version that the file names.
        got: String,
        /// The version that can be read.
        reads: &'static str,
    },
    /// The weights were changed after they were written.
    #[error("the weights are damaged: the CRC-32 is {got}, not {wanted}")]
    Damaged {
        /// Value in the weights.
        got: String,
        /// Value that the file states.
        wanted: String,
    },
    /// A tensor is not there, or has another form.
    #[error("the tensor {name} is not {wanted}")]
    Tensor {
        /// Its name.
        name: String,
        /// Value that it ought to have.
        wanted: String,
    },
    /// Something in its description cannot be.
    #[error("{key} is {got}, which is not allowed")]
    Number {
        /// Property that it describes.
        key: &'static str,
        /// Its value.
        got: String,
    },
    /// Its sums could pass the range of 32 bits.
    #[error("the tensor {0} has weights so large that sums could overflow")]
    Large(String),
}

/// The tensors of a file.
pub(super) struct Tensors<'a> {
    file: SafeTensors<'a>,
    pub(super) hash: u32,
}

impl<'a> Tensors<'a> {
    /// Reads a file of this version for a game.
    pub(super) fn read(bytes: &'a [u8], game: &str, version: &'static str) -> Result<Self, NetError> {
        // Sentences quote the file.
        let unreadable = |why: String| NetError::Unreadable(Refusal::shown_path(why.to_lowercase()));
        let file = SafeTensors::read(bytes).map_err(unreadable)?;
        let text = |key: &str| Refusal::shown(file.metadata().get(key).map_or("", String::as_str));
        if text("format") != "crosspath-net" {
            return Err(NetError::Foreign);
        }
        if text("game") != game {
            return Err(NetError::OtherGame(text("game")));
        }
        if text("version") != version {
            return Err(NetError::Version { got: text("version"), reads: version });
        }
        let hash = crc32fast::hash(file.data);
        let (got, wanted) = (format!("{hash:08x}"), text("crc32"));
        if wanted.is_empty() {
            return Err(NetError::Number { key: "crc32", got: MISSING.to_owned() });
        }
        if got != wanted {
            return Err(NetError::Damaged { got, wanted });
        }
        Ok(Tensors { file, hash })
    }

    /// A number of the description, 1 or more.
    pub(super) fn number(&self, key: &'static str) -> Result<usize, NetError> {
        let got = self.file.metadata().get(key).map_or(MISSING, String::as_str);
        let number = got.parse().ok().filter(|number| (1..=MAX_DIMENSION).contains(number));
        number.ok_or_else(|| NetError::Number { key, got: Refusal::shown(got) })
    }

    /// Returns a number of the description for which `is_it` holds.
    pub(super) fn number_where(
        &self,
        key: &'static str,
        is_it: impl Fn(usize) -> bool,
    ) -> Result<usize, NetError> {
        let number = self.number(key)?;
        if is_it(number) { Ok(number) } else { Err(NetError::Number { key, got: number.to_string() }) }
    }

    /// Checks that the description says this.
    pub(super) fn expect(&self, key: &'static str, wanted: &str) -> Result<(), NetError> {
        let got = self.file.metadata().get(key).map_or(MISSING, String::as_str);
        if got == wanted { Ok(()) } else { Err(NetError::Number { key, got: Refusal::shown(got) }) }
    }

    /// Numbers of 16 bits, none larger than this.
    pub(super) fn small(&self, name: &str, shape: &[usize], most: u16) -> Result<Vec<i16>, NetError> {
        let view = self.view(name.to_owned(), Dtype::I16, shape)?;
        let (numbers, _) = view.as_chunks();
        let numbers: Vec<i16> = numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let fits = numbers.iter().all(|number| number.unsigned_abs() <= most);
        if fits { Ok(numbers) } else { Err(NetError::Large(name.to_owned())) }
    }

    /// Numbers of 8 bits.
    pub(super) fn bytes(&self, name: &str, shape: &[usize]) -> Result<Vec<i16>, NetError> {
        let view = self.view(name.to_owned(), Dtype::I8, shape)?;
        Ok(view.iter().map(|byte| i16::from(byte.cast_signed())).collect())
    }

    /// Numbers of 32 bits.
    pub(super) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<i32>, NetError> {
        let view = self.view(name.to_owned(), Dtype::I32, shape)?;
        let (numbers, _) = view.as_chunks();
        Ok(numbers.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
    }

    /// Returns a number of bits behind the point, which must lie in this range.
    pub(super) fn bits(&self, key: &'static str, range: RangeInclusive<u32>) -> Result<u32, NetError> {
        let bits = self.number(key)?;
        let small = u32::try_from(bits).ok().filter(|bits| range.contains(bits));
        small.ok_or(NetError::Number { key, got: bits.to_string() })
    }

    fn view(&self, name: String, dtype: Dtype, shape: &[usize]) -> Result<&'a [u8], NetError> {
        let view = self.file.tensor(&name, dtype, shape);
        let wanted = || format!("{dtype:?} of shape {shape:?}");
        view.ok_or_else(|| NetError::Tensor { name, wanted: wanted() })
    }

    /// Returns the weights of a convolution in 8 bits, none larger than this, and its biases.
    pub(super) fn layer8(
        &self,
        name: &str,
        shape: &[usize],
        most: u16,
    ) -> Result<(Vec<i8>, Vec<i32>), NetError> {
        let weights = self.view(format!("{name}.weight"), Dtype::I8, shape)?;
        let weights: Vec<i8> = weights.iter().map(|byte| byte.cast_signed()).collect();
        if weights.iter().any(|weight| u16::from(weight.unsigned_abs()) > most) {
            return Err(NetError::Large(name.to_owned()));
        }
        Ok((weights, self.numbers(&format!("{name}.bias"), &shape[..1])?))
    }

    /// Checks that no sum of a layer passes 32 bits: inputs are at most `input`, and up to `extra` is added.
    #[allow(clippy::unused_self, reason = "it checks what was read from these tensors")]
    pub(super) fn check_sums<T: Copy + Into<i64>>(
        &self,
        name: &str,
        weights: &[T],
        bias: &[i32],
        (input, extra): (i64, i64),
    ) -> Result<(), NetError> {
        let fits = |(row, &bias): (&[T], &i32)| {
            let most: i64 = row.iter().map(|&weight| weight.into().abs() * input).sum();
            most + i64::from(bias).abs() + extra <= i64::from(i32::MAX)
        };
        let is_small = weights.chunks_exact(weights.len() / bias.len()).zip(bias).all(fits);
        if is_small { Ok(()) } else { Err(NetError::Large(name.to_owned())) }
    }
}
