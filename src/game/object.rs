//! JSON objects with dynamic keys.

use serde::{Serialize, Serializer};

/// Pairs of a key and a value, serialized as a JSON object in this order.
#[derive(Clone, Debug)]
pub(crate) struct JsonObject<K, V>(pub(crate) Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for JsonObject<K, V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
