//! The `safetensors` container: named tensors after a JSON header. This module is independent of any network.
//!
//! ```text
//! length of the description: 8 bytes, little-endian
//! {"__metadata__":{"key":"text"},"name":{"dtype":"I8","shape":[2,3],"data_offsets":[0,6]}}
//! the bytes of all tensors, without gaps; offsets count from here
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;

/// Maximum size of the JSON header in bytes.
const MAX_HEADER_BYTES: usize = 1 << 20;

/// Element types of tensors that crosspath reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Dtype {
    I8,
    I16,
    I32,
    /// Any other type.
    #[serde(other)]
    Other,
}

impl Dtype {
    /// Returns the size of an element in bytes; `None` if the type is not known.
    fn byte_size(self) -> Option<usize> {
        match self {
            Dtype::I8 => Some(1),
            Dtype::I16 => Some(2),
            Dtype::I32 => Some(4),
            Dtype::Other => None,
        }
    }
}

/// Header entry of a tensor: its type, shape and position.
#[derive(Debug, Deserialize)]
pub(super) struct TensorInfo {
    pub(super) dtype: Dtype,
    pub(super) shape: Vec<usize>,
    data_offsets: (usize, usize),
}

impl TensorInfo {
    /// Reports whether the data size matches the type and shape.
    fn has_consistent_size(&self) -> bool {
        let (start, end) = self.data_offsets;
        let count = self.shape.iter().try_fold(1, |count: usize, &side| count.checked_mul(side));
        let wanted = self.dtype.byte_size().map(|size| count.and_then(|count| count.checked_mul(size)));
        start <= end && wanted.is_none_or(|wanted| wanted == Some(end - start))
    }
}

#[derive(Debug, Deserialize)]
struct SafeTensorsHeader {
    #[serde(rename = "__metadata__", default)]
    metadata: BTreeMap<String, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, TensorInfo>,
}

/// A parsed file whose header matches its data.
#[derive(Debug)]
pub(super) struct SafeTensorsFile<'a> {
    header: SafeTensorsHeader,
    /// Data of all tensors.
    pub(super) data: &'a [u8],
}

impl<'a> SafeTensorsFile<'a> {
    /// Parses a file and checks its header.
    ///
    /// # Errors
    /// If the file is not a valid container; the error gives the reason.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, String> {
        let (length, rest) = bytes.split_first_chunk().ok_or("it is shorter than its header")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok();
        let length = length.filter(|&length| length <= MAX_HEADER_BYTES).ok_or("its header is too long")?;
        let (json, data) = rest.split_at_checked(length).ok_or("it ends within its header")?;
        let header: SafeTensorsHeader =
            serde_json::from_slice(json).map_err(|error| format!("its header: {error}"))?;
        let mut tensors: Vec<(&String, &TensorInfo)> = header.tensors.iter().collect();
        tensors.sort_by_key(|(_, tensor)| tensor.data_offsets);
        let mut end = 0;
        for (name, tensor) in tensors {
            if tensor.data_offsets.0 != end || !tensor.has_consistent_size() {
                return Err(format!("the place or size of `{name}` is wrong"));
            }
            end = tensor.data_offsets.1;
        }
        if end != data.len() {
            return Err("its tensors do not fill it exactly".to_owned());
        }
        Ok(SafeTensorsFile { header, data })
    }

    /// Returns the metadata texts of the header.
    pub(super) fn metadata(&self) -> &BTreeMap<String, String> {
        &self.header.metadata
    }

    /// Returns the data of a tensor with this type and shape; `None` if there is no such tensor.
    pub(super) fn tensor_bytes(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Option<&'a [u8]> {
        let tensor = self.header.tensors.get(name)?;
        let is_it = tensor.dtype == dtype && tensor.shape == shape && dtype != Dtype::Other;
        is_it.then(|| &self.data[tensor.data_offsets.0..tensor.data_offsets.1])
    }
}
