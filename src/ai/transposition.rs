//! The transposition table: what a search has found out about positions, in a fixed amount of memory. Knows keys and
//! values, no game.

use std::iter;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use bytemuck::allocation::try_zeroed_slice_box;

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower = 1,
    /// The true value is at most this.
    Upper = 2,
    /// This is the true value.
    Exact = 3,
}

/// Entry of the table for a position.
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
    /// The value for the mover, a win counted from this position.
    pub value: i32,
    /// Relation of the value to the true one.
    pub bound: Bound,
    /// Plies looked ahead; 255 if the value does not depend on where the search ended.
    pub depth: u8,
    /// The move index of the best move, [`TranspositionTable::NO_MOVE_INDEX`] if none is known.
    pub move_index: u16,
}

/// A key belongs to one bucket and may stand anywhere in it. A bucket is a line of the processor's cache: it comes at once.
type Bucket = [Entry; BUCKET];

/// Each half is written at once, the halves one after the other: where two threads wrote half an entry each, the key does not
/// fit and nothing is found.
///
/// ```text
/// key ^ facts 8 bytes | facts 8: value 4, move index 2, depth 1, generation * 4 + bound 1     (bound 0: nothing is stored)
/// ```
type Entry = [AtomicU64; 2];

/// Content of an entry.
#[derive(Clone, Copy)]
struct RawEntry {
    key: u64,
    value: i32,
    move_index: u16,
    depth: u8,
    tag: u8,
}

impl RawEntry {
    fn read([check, facts]: &Entry) -> Self {
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

    fn write(self, [check, facts]: &Entry) {
        let ([v0, v1, v2, v3], [m0, m1]) = (self.value.to_le_bytes(), self.move_index.to_le_bytes());
        let new = u64::from_le_bytes([v0, v1, v2, v3, m0, m1, self.depth, self.tag]);
        check.store(self.key ^ new, Ordering::Relaxed);
        facts.store(new, Ordering::Relaxed);
    }

    fn is_used(&self) -> bool {
        self.tag & 3 != 0
    }
}

const BUCKET: usize = 4;
/// The bytes of a line of the cache.
const CACHE_LINE: usize = size_of::<Bucket>();
const ENTRIES_OF_MIB: usize = (1 << 20) / size_of::<Entry>();
const GENERATIONS: u8 = 64;

/// A table of fixed size that threads may share. When it is full, old results and shallow ones make room first.
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
    /// Memory that the system has given, and the index of the first entry there that begins a line of the cache.
    memory: Box<[Entry]>,
    first: usize,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// The move index that says that no move is known.
    pub const NO_MOVE_INDEX: u16 = u16::MAX;

    /// A table of at most `mib` MiB. Where the memory is not to be had the size is halved, down to 1 MiB; then the
    /// table does without and forgets everything at once.
    ///
    /// ```
    /// use crosspath::ai::transposition::TranspositionTable;
    /// assert_eq!(TranspositionTable::with_memory(1).capacity(), 1 << 16, "16 bytes a position");
    /// ```
    #[must_use]
    pub fn with_memory(mib: usize) -> Self {
        TranspositionTable::halved_to_fit(mib.saturating_mul(ENTRIES_OF_MIB))
    }

    /// A table of at most `entries` positions, fewer where there is no memory for them: the size is halved, down to 1 MiB; then
    /// the table does without and forgets everything at once.
    #[must_use]
    pub fn halved_to_fit(entries: usize) -> Self {
        let mut sizes = iter::successors(Some(entries), |entries| Some(entries / 2))
            .take_while(|&size| size >= ENTRIES_OF_MIB.min(entries.max(1)));
        TranspositionTable::on(sizes.find_map(reserved).unwrap_or_default())
    }

    /// Returns the number of positions that a table of `mib` MiB has room for.
    #[must_use]
    pub(crate) fn entries_in(mib: usize) -> usize {
        let entries = mib.saturating_mul(ENTRIES_OF_MIB).max(BUCKET);
        1 << entries.ilog2()
    }

    /// A table of at most `entries` positions (a power of two, at least 4); one that forgets everything if there is no
    /// memory for it.
    ///
    /// ```
    /// use crosspath::ai::transposition::TranspositionTable;
    /// assert_eq!(TranspositionTable::with_entries(1024).capacity(), 1024);
    /// ```
    #[must_use]
    pub fn with_entries(entries: usize) -> Self {
        TranspositionTable::on(reserved(entries.max(BUCKET)).unwrap_or_default())
    }

    fn on(memory: Box<[Entry]>) -> Self {
        let beyond = memory.as_ptr().addr() % CACHE_LINE;
        let is_on_line = beyond == 0 || memory.is_empty();
        let first = if is_on_line { 0 } else { (CACHE_LINE - beyond) / size_of::<Entry>() };
        TranspositionTable { first, memory, generation: AtomicU8::new(0) }
    }

    /// Returns the buckets: a power of two of them, or none.
    fn buckets(&self) -> &[Bucket] {
        let entries = self.memory.len().saturating_sub(BUCKET - 1);
        self.memory[self.first..][..entries].as_chunks().0
    }

    /// Returns the number of positions that there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.buckets().len() * BUCKET
    }

    /// Forgets everything.
    pub fn clear(&self) {
        // What was never written is not touched: it takes no memory yet.
        for word in self.memory.iter().flatten().filter(|word| word.load(Ordering::Relaxed) != 0) {
            word.store(0, Ordering::Relaxed);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is stored stays, but makes room first.
    pub fn age(&self) {
        let generation = self.generation.load(Ordering::Relaxed);
        self.generation.store((generation + 1) % GENERATIONS, Ordering::Relaxed);
    }

    /// Returns the entry of the position with this key, if there is one.
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let bucket = self.bucket(key)?;
        let entry = bucket.iter().map(RawEntry::read).find(|entry| entry.key == key)?;
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
    #[expect(clippy::missing_panics_doc, reason = "a bucket has entries")]
    pub fn store(&self, key: u64, known: TtEntry) {
        let Some(bucket) = self.bucket(key) else { return };
        let generation = self.generation.load(Ordering::Relaxed);
        let kept: [RawEntry; BUCKET] = bucket.each_ref().map(RawEntry::read);
        let worth = |entry: &RawEntry| (entry.is_used(), entry.tag >> 2 == generation, entry.depth);
        let place = match kept.iter().position(|entry| entry.key == key && entry.is_used()) {
            Some(place) if kept[place].depth > known.depth && known.bound != Bound::Exact => return,
            Some(place) => place,
            None => (0..BUCKET).min_by_key(|&i| worth(&kept[i])).expect("a bucket has entries"),
        };
        let old = &kept[place];
        let old_index = if old.key == key && old.is_used() { old.move_index } else { Self::NO_MOVE_INDEX };
        let move_index = if known.move_index == Self::NO_MOVE_INDEX { old_index } else { known.move_index };
        let tag = generation << 2 | known.bound as u8;
        RawEntry { key, value: known.value, move_index, depth: known.depth, tag }.write(&bucket[place]);
    }

    /// The bucket of a key; `None` where there is no memory.
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let buckets = self.buckets();
        // The number of buckets is a power of two, so the mask keeps the index inside.
        let mask = u64::try_from(buckets.len().checked_sub(1)?).ok()?;
        buckets.get(usize::try_from(key & mask).ok()?)
    }
}

/// Returns empty entries: the power of two at or below `count`, which is at least [`BUCKET`], and some more to begin at
/// a line of the cache; `None` where there is no memory for them. The system gives memory as it is written to.
fn reserved(count: usize) -> Option<Box<[Entry]>> {
    let count = 1usize.checked_shl(count.checked_ilog2()?)?;
    try_zeroed_slice_box(count + BUCKET - 1).ok().filter(|_| count >= BUCKET)
}
