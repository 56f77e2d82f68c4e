//! Merges shards of one job, which may overlap.
//!
//! The shards may come in any order and have different block counts. Units are opaque bytes here.

use std::collections::BTreeMap;
use std::ops::Range;

use super::shard::{Shard, ShardHeader, unit_range_of_block};

/// Error for two shards that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardConflict {
    /// The shards belong to different runs.
    #[error("{one} and {other} belong to different runs: their {member} differs ({}, {})", values[0], values[1])]
    DifferentRuns {
        /// Name of the first file.
        one: String,
        /// Name of the second file.
        other: String,
        /// First header field that differs.
        member: String,
        /// Values of this field in the two files.
        values: [String; 2],
    },
    /// A unit has different contents in the two files.
    #[error("{one} and {other} differ in unit {unit}; one of them was not written by this job")]
    DifferentUnit {
        /// Name of the first file.
        one: String,
        /// Name of the second file.
        other: String,
        /// Number of the unit.
        unit: u32,
    },
}

/// Merges shards of one job, given one at a time.
#[derive(Debug, Default)]
pub struct ShardMerger {
    shards: Vec<(String, Shard)>,
    /// For each unit, the index of the first shard that has it and its index within that shard.
    units: BTreeMap<u32, (usize, usize)>,
}

impl ShardMerger {
    /// Adds a shard. `name` identifies it in error messages.
    ///
    /// # Errors
    /// Returns an error if the shard contradicts an earlier one. The merger is then unchanged.
    pub fn add(&mut self, name: &str, shard: Shard) -> Result<(), ShardConflict> {
        if let Some((first, known)) = self.shards.first()
            && let Some((member, values)) = known.header.first_difference(&shard.header)
        {
            let (one, other, values) =
                (first.clone(), name.to_owned(), values.map(|value| value.to_string()));
            return Err(ShardConflict::DifferentRuns { one, other, member, values });
        }
        for (unit, body) in shard.units() {
            if let Some(&(file, place)) = self.units.get(&unit) {
                let (one, known) = &self.shards[file];
                if known.unit_body(place) != body {
                    return Err(ShardConflict::DifferentUnit {
                        one: one.clone(),
                        other: name.to_owned(),
                        unit,
                    });
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

    /// Returns the header of the first shard.
    #[must_use]
    pub fn header(&self) -> Option<&ShardHeader> {
        self.shards.first().map(|(_, shard)| &shard.header)
    }

    /// Returns the ranges of units that no shard has, for a job with `units` units.
    #[must_use]
    pub fn missing_units(&self, units: u32) -> Vec<Range<u32>> {
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

    /// Returns the indices of the blocks, out of `count`, with missing units.
    #[must_use]
    pub fn missing_blocks(&self, count: u32, units: u32) -> Vec<u32> {
        let is_missing = |index: &u32| {
            let block = unit_range_of_block(*index, count, units);
            self.units.range(block.clone()).count() < block.len()
        };
        (0..count).filter(is_missing).collect()
    }

    /// Merges all units into one shard. Returns `None` if there are no shards.
    #[must_use]
    pub fn merge(&self) -> Option<Shard> {
        let header = self.header()?.for_whole_job();
        let units =
            self.units.iter().map(|(&unit, &(file, place))| (unit, self.shards[file].1.unit_body(place)));
        Some(Shard::new(header, units))
    }
}

/// Formats ranges of unit numbers, such as `3, 7-12`.
///
/// ```
/// assert_eq!(crosspath::arena::jobs::merge::format_unit_ranges(&[3..4, 7..13]), "3, 7-12");
/// ```
#[must_use]
pub fn format_unit_ranges(ranges: &[Range<u32>]) -> String {
    let word = |range: &Range<u32>| match range.len() {
        1 => range.start.to_string(),
        _ => format!("{}-{}", range.start, range.end - 1),
    };
    ranges.iter().map(word).collect::<Vec<_>>().join(", ")
}
