//! Objects of JSON whose keys are not known before.

use serde::{Serialize, Serializer};

/// Pairs of a key and a value, which JSON holds as an object in their order.
#[derive(Clone, Debug)]
pub(crate) struct Object<K, V>(pub(crate) Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Object<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
