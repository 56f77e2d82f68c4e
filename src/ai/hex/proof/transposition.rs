//! The positions that a solver knows, with their proof numbers and moves. Knows keys, no rules.

use super::cells::Cells;

/// A number as good as infinite.
pub(crate) const INFINITE: u32 = 1 << 30;

/// Entry of a position in the table. Cells are those of the board on which the key is the smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEntry<const W: usize> {
    key: u64,
    /// Proof number of a win for the mover; 0 when that is proved.
    pub phi: u32,
    /// Proof number of a loss for the mover; 0 when that is proved.
    pub delta: u32,
    /// Positions looked at below.
    pub work: u32,
    begin: u32,
    count: u16,
    /// The winning move, if the mover wins.
    pub best: u16,
    /// The carrier of the winner; while there is none, what the other side needs beside the carriers of moves that were not refuted.
    pub carrier: Cells<W>,
}

impl<const W: usize> ProofEntry<W> {
    /// A position with a value.
    #[must_use]
    pub fn solved(key: u64, best: Option<usize>, carrier: Cells<W>) -> Self {
        let [phi, delta] = if best.is_some() { [0, INFINITE] } else { [INFINITE, 0] };
        let best = best.map_or(0, narrow);
        ProofEntry { key, phi, delta, work: 1, begin: 0, count: 0, best, carrier }
    }

    /// A position that was not looked at.
    #[must_use]
    pub fn unknown(key: u64) -> Self {
        ProofEntry { key, phi: 1, delta: 1, work: 0, begin: 0, count: 0, best: 0, carrier: Cells::EMPTY }
    }

    /// Reports whether the mover wins, if that is known.
    #[must_use]
    pub fn is_won(&self) -> Option<bool> {
        match (self.phi, self.delta) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }
}

fn narrow(cell: usize) -> u16 {
    u16::try_from(cell).expect("at most 676 cells")
}

/// Places of a table that is empty.
const MIN_PLACES: usize = 1 << 10;

/// Entries by key, with open addressing. It grows as it fills, within memory that is set aside for it and not touched before: most
/// searches are short. When it is full, the half that cost least goes.
#[derive(Clone, Debug)]
pub struct ProofTable<const W: usize> {
    entries: Vec<Option<ProofEntry<W>>>,
    most_places: usize,
    count: usize,
    moves: Vec<u16>,
    most_moves: usize,
}

impl<const W: usize> ProofTable<W> {
    /// Creates a table that takes about `mib` MiB; with 0 a small one. `None` if the system has no memory for it.
    #[must_use]
    pub fn with_memory(mib: usize) -> Option<Self> {
        // Two thirds for entries, the rest for their moves.
        let bytes = mib << 20;
        let places = (2 * bytes / 3 / size_of::<Option<ProofEntry<W>>>()).max(MIN_PLACES);
        let most_places = 1 << places.ilog2();
        let most_moves = (bytes / 6).max(1 << 14);
        let (mut entries, mut moves) = (Vec::new(), Vec::new());
        entries.try_reserve_exact(most_places).ok()?;
        entries.resize(MIN_PLACES, None);
        moves.try_reserve_exact(most_moves).ok()?;
        Some(ProofTable { entries, most_places, count: 0, moves, most_moves })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.moves.clear();
        self.count = 0;
    }

    fn is_full(&self) -> bool {
        self.count >= self.most_places / 4 * 3
    }

    /// Gets twice the places.
    fn grow(&mut self) {
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
    fn place(&self, key: u64) -> usize {
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
    pub fn find(&self, key: u64) -> Option<ProofEntry<W>> {
        self.entries[self.place(key)]
    }

    /// The moves of an entry.
    #[must_use]
    pub fn moves(&self, entry: &ProofEntry<W>) -> &[u16] {
        &self.moves[entry.begin as usize..][..entry.count.into()]
    }

    /// Keeps an entry.
    pub fn store(&mut self, entry: ProofEntry<W>) {
        let place = self.place(entry.key);
        if self.entries[place].is_none() {
            if self.is_full() {
                self.shrink();
                return self.store(entry);
            }
            if self.count >= self.entries.len() / 4 * 3 {
                self.grow();
                return self.store(entry);
            }
            self.count += 1;
        }
        self.entries[place] = Some(entry);
    }

    /// Keeps a new entry with moves in the order in which they should be looked at.
    #[expect(clippy::missing_panics_doc, reason = "the memory is limited")]
    pub fn open(
        &mut self,
        key: u64,
        moves: impl ExactSizeIterator<Item = usize>,
        carrier: Cells<W>,
    ) -> ProofEntry<W> {
        // Not later: the moves of an entry that is not kept yet would be lost.
        if self.is_full() || self.moves.len() + moves.len() > self.most_moves {
            self.shrink();
        }
        let begin = u32::try_from(self.moves.len()).expect("the memory is limited");
        let count = narrow(moves.len());
        self.moves.extend(moves.map(narrow));
        let entry = ProofEntry { key, phi: 1, delta: 1, work: 1, begin, count, best: 0, carrier };
        self.store(entry);
        entry
    }

    /// Keeps fewer moves of an entry.
    pub(crate) fn keep_moves(&mut self, entry: &mut ProofEntry<W>, keep: impl Fn(usize) -> bool) {
        let moves = &mut self.moves[entry.begin as usize..][..entry.count.into()];
        let mut kept = 0;
        for place in 0..moves.len() {
            if keep(moves[place].into()) {
                moves[kept] = moves[place];
                kept += 1;
            }
        }
        entry.count = narrow(kept);
    }

    /// Drops the half of the entries that cost least.
    fn shrink(&mut self) {
        let mut works: Vec<u32> = self.entries.iter().flatten().map(|entry| entry.work).collect();
        works.sort_unstable();
        let least = works[works.len() / 2];
        let mut kept: Vec<ProofEntry<W>> =
            self.entries.iter().flatten().filter(|entry| entry.work > least).copied().collect();
        // Moves are packed in the order in which they lie, so that none is written over before it was read.
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
