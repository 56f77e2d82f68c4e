//! The transposition table: what a search has found out about positions, in a fixed amount of memory. Knows keys and
//! values, no game.

use std::iter;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower = 1,
    /// The true value is at most this.
    Upper = 2,
    /// This is the true value.
    Exact = 3,
}

/// What is stored about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// The value for the mover, a win counted from this position.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// Plies looked ahead; 255 if the value does not depend on where the search ended.
    pub depth: u8,
    /// The move index of the best move, [`Table::NO_MOVE_INDEX`] if none is known.
    pub move_index: u16,
}

/// A key belongs to one bucket and may stand anywhere in it. A bucket is a line of the processor's cache: it comes at once.
#[derive(Debug)]
#[repr(align(64))]
struct Bucket([Entry; BUCKET]);

/// Each half is written at once, the halves one after the other: where two threads wrote half an entry each, the key does not
/// fit and nothing is found.
///
/// ```text
/// key ^ facts 8 bytes | facts 8: value 4, move index 2, depth 1, generation * 4 + bound 1     (bound 0: nothing is stored)
/// ```
#[derive(Debug)]
struct Entry {
    check: AtomicU64,
    facts: AtomicU64,
}

/// What an entry holds.
#[derive(Clone, Copy)]
struct Kept {
    key: u64,
    value: i32,
    move_index: u16,
    depth: u8,
    tag: u8,
}

impl Entry {
    fn empty() -> Self {
        Entry { check: AtomicU64::new(0), facts: AtomicU64::new(0) }
    }

    fn read(&self) -> Kept {
        let facts = self.facts.load(Ordering::Relaxed);
        let [v0, v1, v2, v3, m0, m1, depth, tag] = facts.to_le_bytes();
        Kept {
            key: self.check.load(Ordering::Relaxed) ^ facts,
            value: i32::from_le_bytes([v0, v1, v2, v3]),
            move_index: u16::from_le_bytes([m0, m1]),
            depth,
            tag,
        }
    }

    fn write(&self, Kept { key, value, move_index, depth, tag }: Kept) {
        let ([v0, v1, v2, v3], [m0, m1]) = (value.to_le_bytes(), move_index.to_le_bytes());
        let facts = u64::from_le_bytes([v0, v1, v2, v3, m0, m1, depth, tag]);
        self.check.store(key ^ facts, Ordering::Relaxed);
        self.facts.store(facts, Ordering::Relaxed);
    }
}

impl Kept {
    fn is_used(&self) -> bool {
        self.tag & 3 != 0
    }
}

const BUCKET: usize = 4;
const ENTRIES_OF_MIB: usize = (1 << 20) / size_of::<Entry>();
const GENERATIONS: u8 = 64;

/// A table of fixed size that threads may share. When it is full, old results and shallow ones make room first.
///
/// ```
/// use crosspath::ai::transposition::{Bound, TtEntry, Table};
/// let table = Table::with_entries(1024);
/// let known = TtEntry { value: 7, bound: Bound::Lower, depth: 3, move_index: 5 };
/// table.store(42, known);
/// assert_eq!(table.probe(42), Some(known));
/// table.clear();
/// assert_eq!(table.probe(42), None);
/// ```
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

impl Table {
    /// The move index that says that no move is known.
    pub const NO_MOVE_INDEX: u16 = u16::MAX;

    /// A table of at most `mib` MiB. Where the memory is not to be had the size is halved, down to 1 MiB; then the
    /// table does without and forgets everything at once.
    #[must_use]
    pub fn with_memory(mib: usize) -> Self {
        Table::halved_to_fit(mib.saturating_mul(ENTRIES_OF_MIB))
    }

    /// A table of at most `entries` positions, fewer where there is no memory for them: the size is halved, down to 1 MiB; then
    /// the table does without and forgets everything at once.
    #[must_use]
    pub fn halved_to_fit(entries: usize) -> Self {
        let mut sizes = iter::successors(Some(entries), |entries| Some(entries / 2))
            .take_while(|&size| size >= ENTRIES_OF_MIB.min(entries.max(1)));
        Table { buckets: sizes.find_map(reserved).unwrap_or_default(), generation: AtomicU8::new(0) }
    }

    /// How many positions a table of so many MiB has room for.
    #[must_use]
    pub fn entries_in(mib: usize) -> usize {
        let entries = mib.saturating_mul(ENTRIES_OF_MIB).max(BUCKET);
        1 << entries.ilog2()
    }

    /// A table of at most `entries` positions (a power of two, at least 4); one that forgets everything if there is no
    /// memory for it.
    #[must_use]
    pub fn with_entries(entries: usize) -> Self {
        Table { buckets: reserved(entries.max(BUCKET)).unwrap_or_default(), generation: AtomicU8::new(0) }
    }

    /// How many positions there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.check.store(0, Ordering::Relaxed);
            entry.facts.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is stored stays, but makes room first.
    pub fn age(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation.store((generation + 1) % GENERATIONS, Ordering::Relaxed);
    }

    /// What is known about the position with this key.
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let bucket = self.bucket(key)?;
        let entry = bucket.iter().map(Entry::read).find(|entry| entry.key == key)?;
        let bound = match entry.tag & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TtEntry { value: entry.value, bound, depth: entry.depth, move_index: entry.move_index })
    }

    /// Keeps what is known. Of the same position the deeper result stays, of several positions those of this search
    /// and among them the deeper ones.
    ///
    /// # Panics
    /// Never: a bucket has entries.
    pub fn store(&self, key: u64, known: TtEntry) {
        let Some(bucket) = self.bucket(key) else { return };
        let generation = self.generation.load(Ordering::Relaxed);
        let kept: [Kept; BUCKET] = std::array::from_fn(|i| bucket[i].read());
        let worth = |entry: &Kept| (entry.is_used(), entry.tag >> 2 == generation, entry.depth);
        let place = match kept.iter().position(|entry| entry.key == key && entry.is_used()) {
            Some(place) if kept[place].depth > known.depth && known.bound != Bound::Exact => return,
            Some(place) => place,
            None => (0..BUCKET).min_by_key(|&i| worth(&kept[i])).expect("a bucket has entries"),
        };
        let old = &kept[place];
        let old_index = if old.key == key && old.is_used() { old.move_index } else { Self::NO_MOVE_INDEX };
        let move_index = if known.move_index == Self::NO_MOVE_INDEX { old_index } else { known.move_index };
        let tag = generation << 2 | known.bound as u8;
        bucket[place].write(Kept { key, value: known.value, move_index, depth: known.depth, tag });
    }

    /// The bucket of a key; `None` where there is no memory.
    fn bucket(&self, key: u64) -> Option<&[Entry; BUCKET]> {
        // The number of buckets is a power of two, so the mask keeps the index inside.
        let mask = u64::try_from(self.buckets.len().checked_sub(1)?).ok()?;
        Some(&self.buckets[usize::try_from(key & mask).ok()?].0)
    }
}

/// Empty buckets for as many entries as the power of two at or below `count`, which is at least [`BUCKET`]; `None` where there is
/// no memory for them.
fn reserved(count: usize) -> Option<Vec<Bucket>> {
    let count = 1usize.checked_shl(count.checked_ilog2()?)? / BUCKET;
    let mut buckets = Vec::new();
    buckets.try_reserve_exact(count).ok()?;
    buckets.resize_with(count, || Bucket(std::array::from_fn(|_| Entry::empty())));
    Some(buckets)
}
