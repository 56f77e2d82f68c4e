//! Reading network weights from safetensors files of integers, with validation. This module is independent of
//! any layer.

use std::ops::RangeInclusive;

use super::safetensors::{Dtype, SafeTensorsFile};
use crate::game::Refusal;

/// Maximum value of a dimension in the metadata, such as channels, inputs or blocks.
const MAX_NETWORK_DIMENSION: usize = 1024;

/// Text that errors show in place of a missing metadata value.
const MISSING_VALUE_TEXT: &str = "missing";

/// Error of loading a network.
///
/// ```
/// use crosspath::ai::net::{ConvNet, NetLoadError};
/// let error = ConvNet::from_bytes(b"no network", "hex").unwrap_err();
/// assert!(matches!(error, NetLoadError::Unreadable(_)));
/// let error = ConvNet::from_bytes(&std::fs::read("nets/quoridor.safetensors")?, "hex").unwrap_err();
/// assert_eq!(error.to_string(), "the file is a network for quoridor");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetLoadError {
    /// The file is not a complete safetensors file.
    #[error("the file is not a complete safetensors file ({0})")]
    Unreadable(String),
    /// The file is a safetensors file, but not a crosspath network.
    #[error("the file is not a crosspath network; `python -m train` writes such files")]
    Foreign,
    /// The network is for another game.
    #[error("the file is a network for {0}")]
    OtherGame(String),
    /// The file has another format version.
    #[error("the file has format version {got}; this program reads version {reads}")]
    Version {
        /// Version of the file.
        got: String,
        /// Version that can be read.
        reads: &'static str,
    },
    /// The weights do not match their checksum.
    #[error("the weights are damaged: the CRC-32 is {got}, not {wanted}")]
    Damaged {
        /// CRC-32 of the weights.
        got: String,
        /// CRC-32 stated in the file.
        wanted: String,
    },
    /// A tensor is missing, or has another type or shape.
    #[error("the tensor {name} is not {wanted}")]
    Tensor {
        /// Name of the tensor.
        name: String,
        /// Expected type and shape.
        wanted: String,
    },
    /// A metadata value is missing or not allowed.
    #[error("{key} is {got}, which is not allowed")]
    Number {
        /// Name of the metadata value.
        key: &'static str,
        /// Value found.
        got: String,
    },
    /// The weights are so large that sums could overflow 32 bits.
    #[error("the tensor {0} has weights so large that sums could overflow")]
    Large(String),
}

/// Tensors of a network file.
pub(super) struct NetworkTensors<'a> {
    file: SafeTensorsFile<'a>,
    pub(super) hash: u32,
}

impl<'a> NetworkTensors<'a> {
    /// Reads a network file of this version for `game`, and checks its metadata and checksum.
    pub(super) fn from_bytes(
        bytes: &'a [u8],
        game: &str,
        version: &'static str,
    ) -> Result<Self, NetLoadError> {
        // Error messages quote text from the file.
        let unreadable = |why: String| NetLoadError::Unreadable(Refusal::sanitize_path(why.to_lowercase()));
        let file = SafeTensorsFile::parse(bytes).map_err(unreadable)?;
        let text = |key: &str| Refusal::sanitize_excerpt(file.metadata().get(key).map_or("", String::as_str));
        if text("format") != "crosspath-net" {
            return Err(NetLoadError::Foreign);
        }
        if text("game") != game {
            return Err(NetLoadError::OtherGame(text("game")));
        }
        if text("version") != version {
            return Err(NetLoadError::Version { got: text("version"), reads: version });
        }
        let hash = crc32fast::hash(file.data);
        let (got, wanted) = (format!("{hash:08x}"), text("crc32"));
        if wanted.is_empty() {
            return Err(NetLoadError::Number { key: "crc32", got: MISSING_VALUE_TEXT.to_owned() });
        }
        if got != wanted {
            return Err(NetLoadError::Damaged { got, wanted });
        }
        Ok(NetworkTensors { file, hash })
    }

    /// Parses a metadata value as a number of at least 1.
    pub(super) fn parse_number(&self, key: &'static str) -> Result<usize, NetLoadError> {
        let got = self.file.metadata().get(key).map_or(MISSING_VALUE_TEXT, String::as_str);
        let number = got.parse().ok().filter(|number| (1..=MAX_NETWORK_DIMENSION).contains(number));
        number.ok_or_else(|| NetLoadError::Number { key, got: Refusal::sanitize_excerpt(got) })
    }

    /// Parses a metadata value as a number that satisfies the predicate `is_it`.
    pub(super) fn parse_number_where(
        &self,
        key: &'static str,
        is_it: impl Fn(usize) -> bool,
    ) -> Result<usize, NetLoadError> {
        let number = self.parse_number(key)?;
        if is_it(number) { Ok(number) } else { Err(NetLoadError::Number { key, got: number.to_string() }) }
    }

    /// Checks that a metadata value equals `wanted`.
    pub(super) fn check_metadata_equals(&self, key: &'static str, wanted: &str) -> Result<(), NetLoadError> {
        let got = self.file.metadata().get(key).map_or(MISSING_VALUE_TEXT, String::as_str);
        if got == wanted {
            Ok(())
        } else {
            Err(NetLoadError::Number { key, got: Refusal::sanitize_excerpt(got) })
        }
    }

    /// Reads a 16-bit tensor whose values are at most `most` in size.
    pub(super) fn read_i16_tensor(
        &self,
        name: &str,
        shape: &[usize],
        most: u16,
    ) -> Result<Vec<i16>, NetLoadError> {
        let view = self.tensor_bytes(name.to_owned(), Dtype::I16, shape)?;
        let (numbers, _) = view.as_chunks();
        let numbers: Vec<i16> = numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let fits = numbers.iter().all(|number| number.unsigned_abs() <= most);
        if fits { Ok(numbers) } else { Err(NetLoadError::Large(name.to_owned())) }
    }

    /// Reads an 8-bit tensor.
    pub(super) fn read_i8_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<i16>, NetLoadError> {
        let view = self.tensor_bytes(name.to_owned(), Dtype::I8, shape)?;
        Ok(view.iter().map(|byte| i16::from(byte.cast_signed())).collect())
    }

    /// Reads a 32-bit tensor.
    pub(super) fn read_i32_tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<i32>, NetLoadError> {
        let view = self.tensor_bytes(name.to_owned(), Dtype::I32, shape)?;
        let (numbers, _) = view.as_chunks();
        Ok(numbers.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
    }

    /// Parses a metadata value as a number of fraction bits in `range`.
    pub(super) fn parse_bit_count(
        &self,
        key: &'static str,
        range: RangeInclusive<u32>,
    ) -> Result<u32, NetLoadError> {
        let bits = self.parse_number(key)?;
        let small = u32::try_from(bits).ok().filter(|bits| range.contains(bits));
        small.ok_or(NetLoadError::Number { key, got: bits.to_string() })
    }

    fn tensor_bytes(&self, name: String, dtype: Dtype, shape: &[usize]) -> Result<&'a [u8], NetLoadError> {
        let view = self.file.tensor_bytes(&name, dtype, shape);
        let wanted = || format!("{dtype:?} of shape {shape:?}");
        view.ok_or_else(|| NetLoadError::Tensor { name, wanted: wanted() })
    }

    /// Reads the 8-bit weights of a convolution, at most `most` in size, and its biases.
    pub(super) fn read_int8_layer(
        &self,
        name: &str,
        shape: &[usize],
        most: u16,
    ) -> Result<(Vec<i8>, Vec<i32>), NetLoadError> {
        let weights = self.tensor_bytes(format!("{name}.weight"), Dtype::I8, shape)?;
        let weights: Vec<i8> = weights.iter().map(|byte| byte.cast_signed()).collect();
        if weights.iter().any(|weight| u16::from(weight.unsigned_abs()) > most) {
            return Err(NetLoadError::Large(name.to_owned()));
        }
        Ok((weights, self.read_i32_tensor(&format!("{name}.bias"), &shape[..1])?))
    }

    /// Checks that no sum of a layer overflows 32 bits: inputs are at most `input`, and up to `extra` is
    /// added.
    #[allow(clippy::unused_self, reason = "it checks what was read from these tensors")]
    pub(super) fn check_sums_fit_i32<T: Copy + Into<i64>>(
        &self,
        name: &str,
        weights: &[T],
        bias: &[i32],
        (input, extra): (i64, i64),
    ) -> Result<(), NetLoadError> {
        let fits = |(row, &bias): (&[T], &i32)| {
            let most: i64 = row.iter().map(|&weight| weight.into().abs() * input).sum();
            most + i64::from(bias).abs() + extra <= i64::from(i32::MAX)
        };
        let is_small = weights.chunks_exact(weights.len() / bias.len()).zip(bias).all(fits);
        if is_small { Ok(()) } else { Err(NetLoadError::Large(name.to_owned())) }
    }
}
