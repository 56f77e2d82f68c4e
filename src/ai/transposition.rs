//! Transposition table of fixed size. This module is independent of any game.

use std::iter;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use bytemuck::allocation::try_zeroed_slice_box;

/// Relation of a stored value to the true value.
///
/// ```
/// use crosspath::ai::transposition::Bound;
/// let window = (-1, 1);
/// assert!(Bound::Lower.settles(3, window), "the true value is at least 3, above the window");
/// assert!(!Bound::Upper.settles(3, window), "the true value may lie inside the window");
/// assert!(Bound::Exact.settles(0, window));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower = 1,
    /// The true value is at most this.
    Upper = 2,
    /// The stored value is the true value.
    Exact = 3,
}

impl Bound {
    /// Reports whether a value with this bound settles a search of the window `(alpha, beta)`. It does if it
    /// is exact, or if its bound puts the true value outside the window.
    #[must_use]
    pub fn settles(self, value: i32, (alpha, beta): (i32, i32)) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        }
    }
}

/// Transposition table entry of a position.
///
/// ```
/// use crosspath::ai::transposition::{Bound, TranspositionTable, TtEntry};
/// let table = TranspositionTable::with_entries(16);
/// let entry = TtEntry { value: -3, bound: Bound::Exact, depth: 2, move_index: TranspositionTable::NO_MOVE_INDEX };
/// table.store(1, entry);
/// assert_eq!(table.probe(1).map(|entry| entry.value), Some(-3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Value for the side to move, with mate distances counted from this position.
    pub value: i32,
    /// Relation of the value to the true one.
    pub bound: Bound,
    /// Search depth in plies; 255 if the value does not depend on the search depth.
    pub depth: u8,
    /// Index of the best move; [`TranspositionTable::NO_MOVE_INDEX`] if none is known.
    pub move_index: u16,
}

/// Four-way bucket that fills one cache line. A key may be in any slot of its bucket.
type TtBucket = [AtomicEntry; BUCKET_ENTRIES];

/// Lock-free entry of two atomic words. The words are written one after the other; if two threads write at
/// once, the stored key does not match and the entry is ignored.
///
/// ```text
/// key ^ facts 8 bytes | facts 8: value 4, move index 2, depth 1, generation * 4 + bound 1     (bound 0: nothing is stored)
/// ```
type AtomicEntry = [AtomicU64; 2];

/// Decoded content of an entry.
#[derive(Clone, Copy)]
struct RawEntry {
    key: u64,
    value: i32,
    move_index: u16,
    depth: u8,
    tag: u8,
}

impl RawEntry {
    fn read([check, facts]: &AtomicEntry) -> Self {
        let facts = facts.load(Ordering::Relaxed);
        let [v0, v1, v2, v3, m0, m1, depth, tag] = facts.to_le_bytes();
        RawEntry {
            key: check.load(Ordering::Relaxed) ^ facts,
            value: i32::from_le_bytes([v0, v1, v2, v3]),
            move_index: u16::from_le_bytes([m0, m1]),
            depth,
            tag,
        }
    }

    fn write(self, [check, facts]: &AtomicEntry) {
        let ([v0, v1, v2, v3], [m0, m1]) = (self.value.to_le_bytes(), self.move_index.to_le_bytes());
        let new = u64::from_le_bytes([v0, v1, v2, v3, m0, m1, self.depth, self.tag]);
        check.store(self.key ^ new, Ordering::Relaxed);
        facts.store(new, Ordering::Relaxed);
    }

    fn is_used(&self) -> bool {
        self.tag & 3 != 0
    }
}

const BUCKET_ENTRIES: usize = 4;
/// Size of a cache line in bytes.
const CACHE_LINE_BYTES: usize = size_of::<TtBucket>();
/// Number of entries in one MiB.
const ENTRIES_PER_MIB: usize = (1 << 20) / size_of::<AtomicEntry>();
/// Number of search generations that entries distinguish.
const GENERATION_COUNT: u8 = 64;

/// A fixed-size table that threads may share. When it is full, old and shallow entries are replaced first.
///
/// ```
/// use crosspath::ai::transposition::{Bound, TtEntry, TranspositionTable};
/// let table = TranspositionTable::with_entries(1024);
/// let known = TtEntry { value: 7, bound: Bound::Lower, depth: 3, move_index: 5 };
/// table.store(42, known);
/// assert_eq!(table.probe(42), Some(known));
/// table.clear();
/// assert_eq!(table.probe(42), None);
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    /// Allocated memory.
    memory: Box<[AtomicEntry]>,
    /// Index of the first entry in `memory` that starts a cache line.
    first: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Move index of an unknown move.
    pub const NO_MOVE_INDEX: u16 = u16::MAX;

    /// Creates a table of at most `mib` MiB. If the memory is not available, the size is halved until it
    /// is, down to 1 MiB; without even that the table stores nothing.
    ///
    /// ```
    /// use crosspath::ai::transposition::TranspositionTable;
    /// assert_eq!(TranspositionTable::with_memory_mib(1).capacity(), 1 << 16, "16 bytes a position");
    /// ```
    #[must_use]
    pub fn with_memory_mib(mib: usize) -> Self {
        TranspositionTable::with_entries_or_fewer(mib.saturating_mul(ENTRIES_PER_MIB))
    }

    /// Creates a table of at most `entries` positions. If the memory is not available, the size is halved
    /// until it is, down to 1 MiB; without even that the table stores nothing.
    #[must_use]
    pub fn with_entries_or_fewer(entries: usize) -> Self {
        let mut sizes = iter::successors(Some(entries), |entries| Some(entries / 2))
            .take_while(|&size| size >= ENTRIES_PER_MIB.min(entries.max(1)));
        TranspositionTable::from_memory(sizes.find_map(allocate_entries).unwrap_or_default())
    }

    /// Returns the number of positions that fit into a table of `mib` MiB.
    #[must_use]
    pub(crate) fn entries_for_mib(mib: usize) -> usize {
        let entries = mib.saturating_mul(ENTRIES_PER_MIB).max(BUCKET_ENTRIES);
        1 << entries.ilog2()
    }

    /// Creates a table of at most `entries` positions: a power of two, at least 4. If the memory is not
    /// available, the table stores nothing.
    ///
    /// ```
    /// use crosspath::ai::transposition::TranspositionTable;
    /// assert_eq!(TranspositionTable::with_entries(1024).capacity(), 1024);
    /// ```
    #[must_use]
    pub fn with_entries(entries: usize) -> Self {
        TranspositionTable::from_memory(allocate_entries(entries.max(BUCKET_ENTRIES)).unwrap_or_default())
    }

    fn from_memory(memory: Box<[AtomicEntry]>) -> Self {
        let beyond = memory.as_ptr().addr() % CACHE_LINE_BYTES;
        let is_on_line = beyond == 0 || memory.is_empty();
        let first = if is_on_line { 0 } else { (CACHE_LINE_BYTES - beyond) / size_of::<AtomicEntry>() };
        TranspositionTable { first, memory, generation: AtomicU8::new(0) }
    }

    /// Returns the buckets: a power of two, or none.
    fn buckets(&self) -> &[TtBucket] {
        let entries = self.memory.len().saturating_sub(BUCKET_ENTRIES - 1);
        self.memory[self.first..][..entries].as_chunks().0
    }

    /// Returns the capacity of the table in positions.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buckets().len() * BUCKET_ENTRIES
    }

    /// Clears the table.
    pub fn clear(&self) {
        // Untouched memory stays untouched, so that the system need not provide it yet.
        for word in self.memory.iter().flatten().filter(|word| word.load(Ordering::Relaxed) != 0) {
            word.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts a new generation of entries for a new search: older entries stay, but are replaced first.
    pub fn advance_generation(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation.store((generation + 1) % GENERATION_COUNT, Ordering::Relaxed);
    }

    /// Returns the entry with this key, if there is one.
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let bucket = self.bucket_of_key(key)?;
        let entry = bucket.iter().map(RawEntry::read).find(|entry| entry.key == key)?;
        let bound = match entry.tag & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TtEntry { value: entry.value, bound, depth: entry.depth, move_index: entry.move_index })
    }

    /// Stores an entry. For the same position the deeper result is kept; otherwise an entry of an older
    /// search, then the shallowest one, is replaced.
    #[expect(clippy::missing_panics_doc, reason = "a bucket has entries")]
    pub fn store(&self, key: u64, known: TtEntry) {
        let Some(bucket) = self.bucket_of_key(key) else { return };
        let generation = self.generation.load(Ordering::Relaxed);
        let kept: [RawEntry; BUCKET_ENTRIES] = bucket.each_ref().map(RawEntry::read);
        let worth = |entry: &RawEntry| (entry.is_used(), entry.tag >> 2 == generation, entry.depth);
        let place = match kept.iter().position(|entry| entry.key == key && entry.is_used()) {
            Some(place) if kept[place].depth > known.depth && known.bound != Bound::Exact => return,
            Some(place) => place,
            None => (0..BUCKET_ENTRIES).min_by_key(|&i| worth(&kept[i])).expect("a bucket has entries"),
        };
        let old = &kept[place];
        let old_index = if old.key == key && old.is_used() { old.move_index } else { Self::NO_MOVE_INDEX };
        let move_index = if known.move_index == Self::NO_MOVE_INDEX { old_index } else { known.move_index };
        let tag = generation << 2 | known.bound as u8;
        RawEntry { key, value: known.value, move_index, depth: known.depth, tag }.write(&bucket[place]);
    }

    /// Returns the bucket of a key; `None` if the table has no memory.
    fn bucket_of_key(&self, key: u64) -> Option<&TtBucket> {
        let buckets = self.buckets();
        // The number of buckets is a power of two, so the mask keeps the index in range.
        let mask = u64::try_from(buckets.len().checked_sub(1)?).ok()?;
        buckets.get(usize::try_from(key & mask).ok()?)
    }
}

/// Allocates zeroed entries: the power of two at or below `count`, and a few more to align them to a cache
/// line. Returns `None` if `count` is below [`BUCKET_ENTRIES`] or there is no memory. The system provides
/// the memory as it is written.
fn allocate_entries(count: usize) -> Option<Box<[AtomicEntry]>> {
    let count = 1usize.checked_shl(count.checked_ilog2()?)?;
    try_zeroed_slice_box(count + BUCKET_ENTRIES - 1).ok().filter(|_| count >= BUCKET_ENTRIES)
}
