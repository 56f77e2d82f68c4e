//! One game of self-play as bytes: what stands in a unit of a shard. `docs/selfplay.md` draws the bytes. Knows moves as
//! numbers only.

use crate::ai::Score;
use crate::game::{Outcome, Side};

/// Way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of the game.
    Rules,
    /// A position came for the third time: a draw.
    Repetition,
    /// It was longer than any game: a draw.
    Length,
}

impl Ending {
    /// All of them, as they are numbered.
    pub const ALL: [Ending; 3] = [Ending::Rules, Ending::Repetition, Ending::Length];
}

const OUTCOMES: [Outcome; 3] = [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)];

const HAS_VALUE: u8 = 1;
const HAS_POLICY: u8 = 2;
const BY_CHANCE: u8 = 4;

/// Shares are counted in parts of this.
pub const WHOLE: u16 = u16::MAX;

/// A position that was thought about, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedPosition {
    /// Its key: equal positions have equal keys.
    pub key: u64,
    /// Value for the mover, if it is known.
    pub value: Option<Score>,
    /// `true` if chance took part in the choice of the move that was played.
    pub by_chance: bool,
    /// Range of its shares.
    shares: (u32, u32),
}

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayGame {
    /// The unit of the job.
    pub unit: u32,
    /// The result.
    pub outcome: Outcome,
    /// Way in which it ended.
    pub ending: Ending,
    /// Number of moves in front that were random and have no position.
    pub opening: usize,
    /// All moves, as numbers.
    pub moves: Vec<u16>,
    /// The positions before each move behind the opening.
    pub positions: Vec<SearchedPosition>,
    shares: Vec<(u16, u16)>,
}

impl Default for SelfplayGame {
    fn default() -> Self {
        SelfplayGame {
            unit: 0,
            outcome: Outcome::Draw,
            ending: Ending::Rules,
            opening: 0,
            moves: Vec::new(),
            positions: Vec::new(),
            shares: Vec::new(),
        }
    }
}

/// Why bytes are no game.
pub(super) type Malformed = &'static str;

impl SelfplayGame {
    /// Begins another game.
    pub(super) fn begin(&mut self, unit: u32) {
        self.unit = unit;
        self.moves.clear();
        self.positions.clear();
        self.shares.clear();
    }

    /// Adds a position; `shares` are those of its moves, each with its part of [`WHOLE`].
    pub(super) fn add(
        &mut self,
        key: u64,
        value: Option<Score>,
        by_chance: bool,
        shares: impl IntoIterator<Item = (u16, u16)>,
    ) {
        let begin = self.shares.len();
        self.shares.extend(shares.into_iter().take(u8::MAX.into()));
        let place = |at: usize| u32::try_from(at).expect("a game has few shares");
        let shares = (place(begin), place(self.shares.len()));
        self.positions.push(SearchedPosition { key, value, by_chance, shares });
    }

    /// Returns the policy of a position: the numbers of moves with their parts of [`WHOLE`]. Empty where only the move
    /// played was chosen.
    #[must_use]
    pub fn policy(&self, position: &SearchedPosition) -> &[(u16, u16)] {
        &self.shares[position.shares.0 as usize..position.shares.1 as usize]
    }

    /// Appends the bytes of the game.
    ///
    /// # Panics
    /// If it has more than 65,535 moves.
    pub fn write(&self, out: &mut Vec<u8>) {
        let place = |found: Option<usize>| found.and_then(|at| u8::try_from(at).ok()).expect("one of three");
        let short =
            |count: usize| u16::try_from(count).expect("a game has at most 65,535 moves").to_le_bytes();
        out.extend(self.unit.to_le_bytes());
        out.push(place(OUTCOMES.iter().position(|&outcome| outcome == self.outcome)));
        out.push(place(Ending::ALL.iter().position(|&ending| ending == self.ending)));
        out.extend(short(self.opening));
        out.extend(short(self.moves.len()));
        for mv in &self.moves {
            out.extend(mv.to_le_bytes());
        }
        for position in &self.positions {
            let policy = self.policy(position);
            let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
            out.extend(position.key.to_le_bytes());
            out.push(
                flag(position.value.is_some(), HAS_VALUE)
                    | flag(!policy.is_empty(), HAS_POLICY)
                    | flag(position.by_chance, BY_CHANCE),
            );
            if let Some(Score(value)) = position.value {
                out.extend(value.to_le_bytes());
            }
            if !policy.is_empty() {
                out.push(u8::try_from(policy.len()).expect("at most 255 shares are kept"));
                for (mv, share) in policy {
                    out.extend(mv.to_le_bytes());
                    out.extend(share.to_le_bytes());
                }
            }
        }
    }

    /// Reads a game and replaces this one by it.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    #[expect(clippy::missing_panics_doc, reason = "a unit is shorter than 4 GiB")]
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let mut rest = bytes;
        self.begin(u32::from_le_bytes(take(&mut rest)?));
        let [outcome, ending] = take(&mut rest)?;
        self.outcome = *OUTCOMES.get(usize::from(outcome)).ok_or("the result is not 0, 1 or 2")?;
        self.ending = *Ending::ALL.get(usize::from(ending)).ok_or("the ending is not 0, 1 or 2")?;
        self.opening = u16::from_le_bytes(take(&mut rest)?).into();
        let plies: usize = u16::from_le_bytes(take(&mut rest)?).into();
        if self.opening > plies {
            return Err("the opening is longer than the game");
        }
        for _ in 0..plies {
            self.moves.push(u16::from_le_bytes(take(&mut rest)?));
        }
        for _ in self.opening..plies {
            let key = u64::from_le_bytes(take(&mut rest)?);
            let [flags] = take(&mut rest)?;
            if flags & !(HAS_VALUE | HAS_POLICY | BY_CHANCE) != 0 {
                return Err("a position has unknown flags");
            }
            let value = if flags & HAS_VALUE == 0 { None } else { Some(take(&mut rest)?) };
            let [count] = if flags & HAS_POLICY == 0 { [0] } else { take(&mut rest)? };
            if flags & HAS_POLICY != 0 && count == 0 {
                return Err("a policy has no moves");
            }
            let begin = self.shares.len();
            for _ in 0..count {
                let [mv, share] = [take(&mut rest)?, take(&mut rest)?].map(u16::from_le_bytes);
                self.shares.push((mv, share));
            }
            let place = |at: usize| u32::try_from(at).expect("a unit is shorter than 4 GiB");
            self.positions.push(SearchedPosition {
                key,
                value: value.map(|bytes| Score(i32::from_le_bytes(bytes))),
                by_chance: flags & BY_CHANCE != 0,
                shares: (place(begin), place(self.shares.len())),
            });
        }
        if rest.is_empty() { Ok(()) } else { Err("there are bytes after the last position") }
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Malformed> {
    let (front, behind) = rest.split_first_chunk().ok_or("the record is incomplete")?;
    *rest = behind;
    Ok(*front)
}
