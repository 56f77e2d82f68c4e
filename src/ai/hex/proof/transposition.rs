//! Transposition table of the proof-number search: positions with their proof numbers and moves. This module
//! depends on position keys, not on the rules.

use super::cells::CellSet;

/// Proof number treated as infinite.
pub(crate) const INFINITE_PROOF_NUMBER: u32 = 1 << 30;

/// Table entry of a position. Its cells belong to the board or its rotation, whichever has the smaller key.
///
/// ```
/// use crosspath::ai::hex::proof::{cells::CellSet, transposition::ProofEntry};
/// let won = ProofEntry::<1>::solved(7, Some(4), CellSet::single(4));
/// assert_eq!((won.mover_wins(), won.best), (Some(true), 4));
/// let lost = ProofEntry::<1>::solved(7, None, CellSet::first_cells(2));
/// assert_eq!(lost.mover_wins(), Some(false));
/// assert_eq!(ProofEntry::<1>::unvisited(7).mover_wins(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEntry<const W: usize> {
    key: u64,
    /// Proof number of a win for the mover, 0 once proved.
    pub phi: u32,
    /// Proof number of a loss for the mover, 0 once proved.
    pub delta: u32,
    /// Number of positions searched below this one.
    pub work: u32,
    begin: u32,
    count: u16,
    /// Winning move; meaningless unless the mover wins.
    pub best: u16,
    /// Carrier of the winner. While the position is open, the cells that the opponent needs in addition to
    /// the carriers of unrefuted moves.
    pub carrier: CellSet<W>,
}

impl<const W: usize> ProofEntry<W> {
    /// Creates the entry of a solved position. `best` is the winning move if the mover wins.
    #[must_use]
    pub fn solved(key: u64, best: Option<usize>, carrier: CellSet<W>) -> Self {
        let [phi, delta] =
            if best.is_some() { [0, INFINITE_PROOF_NUMBER] } else { [INFINITE_PROOF_NUMBER, 0] };
        let best = best.map_or(0, to_u16_cell);
        ProofEntry { key, phi, delta, work: 1, begin: 0, count: 0, best, carrier }
    }

    /// Creates the entry of an unvisited position.
    #[must_use]
    pub fn unvisited(key: u64) -> Self {
        ProofEntry { key, phi: 1, delta: 1, work: 0, begin: 0, count: 0, best: 0, carrier: CellSet::EMPTY }
    }

    /// Reports whether the mover wins, or returns `None` while that is unknown.
    #[must_use]
    pub fn mover_wins(&self) -> Option<bool> {
        match (self.phi, self.delta) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

fn to_u16_cell(cell: usize) -> u16 {
    u16::try_from(cell).expect("at most 676 cells")
}

/// Number of slots of an empty table.
const MIN_TABLE_SLOTS: usize = 1 << 10;

/// Open-addressing hash table of entries. It grows as it fills, within memory reserved but not touched in
/// advance, because most searches are short. When full, it evicts the half of the entries that cost the least
/// work.
///
/// ```
/// use crosspath::ai::hex::proof::cells::CellSet;
/// use crosspath::ai::hex::proof::transposition::{ProofEntry, ProofTable};
/// let mut table = ProofTable::<1>::with_memory(0).expect("a small table");
/// let entry = ProofEntry::solved(7, Some(4), CellSet::single(4));
/// table.store(entry);
/// assert_eq!((table.find_entry(7), table.find_entry(8)), (Some(entry), None));
/// table.clear();
/// assert_eq!(table.find_entry(7), None);
/// ```
#[derive(Clone, Debug)]
pub struct ProofTable<const W: usize> {
    entries: Vec<Option<ProofEntry<W>>>,
    most_places: usize,
    count: usize,
    moves: Vec<u16>,
    most_moves: usize,
}

impl<const W: usize> ProofTable<W> {
    /// Creates a table of about `mib` MiB, or a small one if `mib` is 0. Returns `None` if the memory cannot
    /// be allocated.
    #[must_use]
    pub fn with_memory(mib: usize) -> Option<Self> {
        // Two thirds of the memory are for entries, the rest for their moves.
        let bytes = mib << 20;
        let places = (2 * bytes / 3 / size_of::<Option<ProofEntry<W>>>()).max(MIN_TABLE_SLOTS);
        let most_places = 1 << places.ilog2();
        let most_moves = (bytes / 6).max(1 << 14);
        let (mut entries, mut moves) = (Vec::new(), Vec::new());
        entries.try_reserve_exact(most_places).ok()?;
        entries.resize(MIN_TABLE_SLOTS, None);
        moves.try_reserve_exact(most_moves).ok()?;
        Some(ProofTable { entries, most_places, count: 0, moves, most_moves })
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.moves.clear();
        self.count = 0;
    }

    fn is_full(&self) -> bool {
        self.count >= self.most_places / 4 * 3
    }

    /// Doubles the number of slots.
    fn double_slots(&mut self) {
        let kept: Vec<ProofEntry<W>> = self.entries.iter().flatten().copied().collect();
        let places = 2 * self.entries.len();
        self.entries.fill(None);
        self.entries.resize(places, None);
        self.count = 0;
        for entry in kept {
            self.store(entry);
        }
    }

    #[inline]
    fn slot_index(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the lower bits are enough")]
        let mut place = key as usize & mask;
        while self.entries[place].is_some_and(|entry| entry.key != key) {
            place = (place + 1) & mask;
        }
        place
    }

    /// Returns the entry of a key, if there is one.
    #[inline]
    #[must_use]
    pub fn find_entry(&self, key: u64) -> Option<ProofEntry<W>> {
        self.entries[self.slot_index(key)]
    }

    /// Returns the moves of an entry.
    #[must_use]
    pub fn moves(&self, entry: &ProofEntry<W>) -> &[u16] {
        &self.moves[entry.begin as usize..][..entry.count.into()]
    }

    /// Stores an entry, replacing one with the same key.
    pub fn store(&mut self, entry: ProofEntry<W>) {
        let place = self.slot_index(entry.key);
        if self.entries[place].is_none() {
            if self.is_full() {
                self.evict_cheapest_half();
                return self.store(entry);
            }
            if self.count >= self.entries.len() / 4 * 3 {
                self.double_slots();
                return self.store(entry);
            }
            self.count += 1;
        }
        self.entries[place] = Some(entry);
    }

    /// Stores a new entry with its moves in search order, and returns it.
    pub fn store_open_position(
        &mut self,
        key: u64,
        moves: impl ExactSizeIterator<Item = usize>,
        carrier: CellSet<W>,
    ) -> ProofEntry<W> {
        // Evict now: a later eviction would lose the moves of an entry that is not stored yet.
        if self.is_full() || self.moves.len() + moves.len() > self.most_moves {
            self.evict_cheapest_half();
        }
        let begin = u32::try_from(self.moves.len()).expect("the memory is limited");
        let count = to_u16_cell(moves.len());
        self.moves.extend(moves.map(to_u16_cell));
        let entry = ProofEntry { key, phi: 1, delta: 1, work: 1, begin, count, best: 0, carrier };
        self.store(entry);
        entry
    }

    /// Removes the moves of an entry that do not satisfy `keep`.
    pub(crate) fn retain_moves(&mut self, entry: &mut ProofEntry<W>, keep: impl Fn(usize) -> bool) {
        let moves = &mut self.moves[entry.begin as usize..][..entry.count.into()];
        let mut kept = 0;
        for place in 0..moves.len() {
            if keep(moves[place].into()) {
                moves[kept] = moves[place];
                kept += 1;
            }
        }
        entry.count = to_u16_cell(kept);
    }

    /// Evicts the half of the entries that cost the least work.
    fn evict_cheapest_half(&mut self) {
        let mut works: Vec<u32> = self.entries.iter().flatten().map(|entry| entry.work).collect();
        works.sort_unstable();
        let least = works[works.len() / 2];
        let mut kept: Vec<ProofEntry<W>> =
            self.entries.iter().flatten().filter(|entry| entry.work > least).copied().collect();
        // Moves are packed in memory order, so that none is overwritten before it is read.
        kept.sort_unstable_by_key(|entry| entry.begin);
        self.entries.fill(None);
        self.count = 0;
        let mut end = 0;
        for mut entry in kept {
            let begin = entry.begin as usize;
            self.moves.copy_within(begin..begin + usize::from(entry.count), end);
            entry.begin = u32::try_from(end).expect("the memory is limited");
            end += usize::from(entry.count);
            self.store(entry);
        }
        self.moves.truncate(end);
    }
}
