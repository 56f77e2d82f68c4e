//! Shards of one job put together: in any order, any of them twice, whatever the blocks. Knows units as bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::shard::{Shard, ShardHeader, block};

/// Shards that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// They do not belong together.
    #[error("{one} and {other} belong to different runs: their {member} differs ({}, {})", values[0], values[1])]
    Apart {
        /// One file.
        one: String,
        /// Another one.
        other: String,
        /// The first member of their headers in which they differ.
        member: String,
        /// Values of this member in both.
        values: [String; 2],
    },
    /// A unit is not the same in both.
    #[error("{one} and {other} differ in unit {unit}; one of them was not written by this job")]
    Unit {
        /// One file.
        one: String,
        /// Another one.
        other: String,
        /// The unit.
        unit: u32,
    },
}

/// Shards that are being put together.
#[derive(Debug, Default)]
pub struct ShardMerger {
    shards: Vec<(String, Shard)>,
    /// Of each unit the first shard that has it, and its place there.
    units: BTreeMap<u32, (usize, usize)>,
}

impl ShardMerger {
    /// Adds a shard with its name for messages.
    ///
    /// # Errors
    /// If it contradicts one that is there; nothing is added then.
    pub fn add(&mut self, name: &str, shard: Shard) -> Result<(), Conflict> {
        if let Some((first, known)) = self.shards.first()
            && let Some((member, values)) = known.header.difference(&shard.header)
        {
            let (one, other, values) =
                (first.clone(), name.to_owned(), values.map(|value| value.to_string()));
            return Err(Conflict::Apart { one, other, member, values });
        }
        for (unit, body) in shard.units() {
            if let Some(&(file, place)) = self.units.get(&unit) {
                let (one, known) = &self.shards[file];
                if known.body(place) != body {
                    return Err(Conflict::Unit { one: one.clone(), other: name.to_owned(), unit });
                }
            }
        }
        let file = self.shards.len();
        for (place, (unit, _)) in shard.units().enumerate() {
            self.units.entry(unit).or_insert((file, place));
        }
        self.shards.push((name.to_owned(), shard));
        Ok(())
    }

    /// The header of the first shard.
    #[must_use]
    pub fn header(&self) -> Option<&ShardHeader> {
        self.shards.first().map(|(_, shard)| &shard.header)
    }

    /// Returns the units that no shard has, of a job with `units` units.
    #[must_use]
    pub fn missing(&self, units: u32) -> Vec<Range<u32>> {
        let mut missing = Vec::new();
        let mut next = 0;
        for &unit in self.units.keys() {
            if unit > next {
                missing.push(next..unit);
            }
            next = unit + 1;
        }
        if next < units {
            missing.push(next..units);
        }
        missing
    }

    /// The blocks, of `count`, in which a unit is missing.
    #[must_use]
    pub fn missing_blocks(&self, count: u32, units: u32) -> Vec<u32> {
        let is_missing = |index: &u32| {
            let block = block(*index, count, units);
            self.units.range(block.clone()).count() < block.len()
        };
        (0..count).filter(is_missing).collect()
    }

    /// All units in one shard; `None` if there is no shard.
    #[must_use]
    pub fn whole(&self) -> Option<Shard> {
        let header = self.header()?.of_whole();
        let units = self.units.iter().map(|(&unit, &(file, place))| (unit, self.shards[file].1.body(place)));
        Some(Shard::new(header, units))
    }
}

/// Units in words: `3, 7-12`.
///
/// ```
/// assert_eq!(crosspath::arena::jobs::merge::ranges_in_words(&[3..4, 7..13]), "3, 7-12");
/// ```
#[must_use]
pub fn ranges_in_words(ranges: &[Range<u32>]) -> String {
    let word = |range: &Range<u32>| match range.len() {
        1 => range.start.to_string(),
        _ => format!("{}-{}", range.start, range.end - 1),
    };
    ranges.iter().map(word).collect::<Vec<_>>().join(", ")
}
