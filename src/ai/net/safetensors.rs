//! The container `safetensors`: named tensors behind a description in JSON. Knows no networks.
//!
//! ```text
//! length of the description: 8 bytes, little-endian
//! {"__metadata__":{"key":"text"},"name":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]}}
//! the bytes of all tensors, without gaps; offsets count from here
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

/// The longest description that is read, in bytes.
const MAX_DESCRIPTION: usize = 1 << 20;

/// Types of numbers that crosspath reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Dtype {
    I8,
    I16,
    I32,
    /// Any other.
    #[serde(other)]
    Other,
}

impl Dtype {
    /// Bytes of a number; `None` where it is not known.
    fn size(self) -> Option<usize> {
        match self {
            Dtype::I8 => Some(1),
            Dtype::I16 => Some(2),
            Dtype::I32 => Some(4),
            Dtype::Other => None,
        }
    }
}

/// Description of a tensor in the header.
#[derive(Debug, Deserialize)]
pub(super) struct Tensor {
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl Tensor {
    /// Reports whether its bytes are as many as its numbers take.
    fn fits(&self) -> bool {
        let (start, end) = self.data_offsets;
        let count = self.shape.iter().try_fold(1, |count: usize, &side| count.checked_mul(side));
        let wanted = self.dtype.size().map(|size| count.and_then(|count| count.checked_mul(size)));
        start <= end && wanted.is_none_or(|wanted| wanted == Some(end - start))
    }
}

#[derive(Debug, Deserialize)]
struct Description {
    #[serde(rename = "__metadata__", default)]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Tensor>,
}

/// A file whose description is true.
#[derive(Debug)]
pub(super) struct SafeTensors<'a> {
    description: Description,
    /// The bytes of all tensors.
    pub(super) data: &'a [u8],
}

impl<'a> SafeTensors<'a> {
    /// Reads a file.
    ///
    /// # Errors
    /// Says what about it is no container.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let (length, rest) = bytes.split_first_chunk().ok_or("it is shorter than its header")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok();
        let length = length.filter(|&length| length <= MAX_DESCRIPTION).ok_or("its header is too long")?;
        let (json, data) = rest.split_at_checked(length).ok_or("it ends within its header")?;
        let description: Description =
            serde_json::from_slice(json).map_err(|error| format!("its header: {error}"))?;
        let mut tensors: Vec<(&String, &Tensor)> = description.tensors.iter().collect();
        tensors.sort_by_key(|(_, tensor)| tensor.data_offsets);
        let mut end = 0;
        for (name, tensor) in tensors {
            if tensor.data_offsets.0 != end || !tensor.fits() {
                return Err(format!("the place or size of `{name}` is wrong"));
            }
            end = tensor.data_offsets.1;
        }
        if end != data.len() {
            return Err("its tensors do not fill it exactly".to_owned());
        }
        Ok(SafeTensors { description, data })
    }

    /// Returns the texts of the description.
    pub(super) fn metadata(&self) -> &BTreeMap<String, String> {
        &self.description.metadata
    }

    /// Returns the bytes of a tensor of this type and shape.
    pub(super) fn tensor(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Option<&'a [u8]> {
        let tensor = self.description.tensors.get(name)?;
        let is_it = tensor.dtype == dtype && tensor.shape == shape && dtype != Dtype::Other;
        is_it.then(|| &self.data[tensor.data_offsets.0..tensor.data_offsets.1])
    }
}
