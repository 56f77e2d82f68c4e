//! Binary form of a self-play game, which is the body of a unit.
//!
//! `docs/selfplay.md` describes the format. This module handles moves only as numbers.

use crate::ai::Score;
use crate::game::{Outcome, Side};

/// Way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnding {
    /// The game ended by its rules.
    Rules,
    /// The game was drawn by threefold repetition.
    Repetition,
    /// The game was drawn because it reached the maximum length.
    Length,
}

impl GameEnding {
    /// All endings, in the order of their numbers in a record.
    pub const ALL: [GameEnding; 3] = [GameEnding::Rules, GameEnding::Repetition, GameEnding::Length];
}

/// Outcomes, in the order of their numbers in a record.
const OUTCOMES_BY_NUMBER: [Outcome; 3] =
    [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)];

/// Flag bit of a position with a value.
const HAS_VALUE_FLAG: u8 = 1;
/// Flag bit of a position with a policy.
const HAS_POLICY_FLAG: u8 = 2;
/// Flag bit of a position whose move was drawn at random.
const BY_CHANCE_FLAG: u8 = 4;

/// Integer share that represents a probability of 1.
pub const SHARE_SCALE: u16 = u16::MAX;

/// Position of a game and the result of its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedPosition {
    /// Hash key. Equal positions have equal keys.
    pub key: u64,
    /// Value for the side to move, if known.
    pub value: Option<Score>,
    /// `true` if the played move was drawn at random.
    pub by_chance: bool,
    /// Index range of this position's policy in `SelfplayGame::shares`.
    shares: (u32, u32),
}

/// Record of a self-play game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayGame {
    /// Unit of the job.
    pub unit: u32,
    /// Result of the game.
    pub outcome: Outcome,
    /// Way in which the game ended.
    pub ending: GameEnding,
    /// Number of opening moves, which have no searched positions.
    pub opening: usize,
    /// Numbers of all moves.
    pub moves: Vec<u16>,
    /// Searched positions, one before each move after the opening.
    pub positions: Vec<SearchedPosition>,
    shares: Vec<(u16, u16)>,
}

impl Default for SelfplayGame {
    fn default() -> Self {
        SelfplayGame {
            unit: 0,
            outcome: Outcome::Draw,
            ending: GameEnding::Rules,
            opening: 0,
            moves: Vec::new(),
            positions: Vec::new(),
            shares: Vec::new(),
        }
    }
}

/// Reason why bytes are not a valid record.
pub(super) type MalformedReason = &'static str;

impl SelfplayGame {
    /// Clears the record for the game of another unit.
    pub(super) fn reset(&mut self, unit: u32) {
        self.unit = unit;
        self.moves.clear();
        self.positions.clear();
        self.shares.clear();
    }

    /// Adds a searched position. `shares` are move numbers with their shares of [`SHARE_SCALE`].
    pub(super) fn add_position(
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

    /// Returns the policy of a position: move numbers with their shares of [`SHARE_SCALE`]. Empty if the
    /// search did not compare moves.
    #[must_use]
    pub fn policy(&self, position: &SearchedPosition) -> &[(u16, u16)] {
        &self.shares[position.shares.0 as usize..position.shares.1 as usize]
    }

    /// Appends the binary form of the game to `out`.
    ///
    /// # Panics
    /// Panics if the game has more than 65,535 moves.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let place = |found: Option<usize>| found.and_then(|at| u8::try_from(at).ok()).expect("one of three");
        let short =
            |count: usize| u16::try_from(count).expect("a game has at most 65,535 moves").to_le_bytes();
        out.extend(self.unit.to_le_bytes());
        out.push(place(OUTCOMES_BY_NUMBER.iter().position(|&outcome| outcome == self.outcome)));
        out.push(place(GameEnding::ALL.iter().position(|&ending| ending == self.ending)));
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
                flag(position.value.is_some(), HAS_VALUE_FLAG)
                    | flag(!policy.is_empty(), HAS_POLICY_FLAG)
                    | flag(position.by_chance, BY_CHANCE_FLAG),
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

    /// Replaces this record by the game parsed from `bytes`.
    ///
    /// # Errors
    /// Returns a message that describes the defect.
    #[expect(clippy::missing_panics_doc, reason = "a unit is shorter than 4 GiB")]
    pub fn decode(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let mut rest = bytes;
        self.reset(u32::from_le_bytes(take_bytes(&mut rest)?));
        let [outcome, ending] = take_bytes(&mut rest)?;
        self.outcome = *OUTCOMES_BY_NUMBER.get(usize::from(outcome)).ok_or("the result is not 0, 1 or 2")?;
        self.ending = *GameEnding::ALL.get(usize::from(ending)).ok_or("the ending is not 0, 1 or 2")?;
        self.opening = u16::from_le_bytes(take_bytes(&mut rest)?).into();
        let plies: usize = u16::from_le_bytes(take_bytes(&mut rest)?).into();
        if self.opening > plies {
            return Err("the opening is longer than the game");
        }
        for _ in 0..plies {
            self.moves.push(u16::from_le_bytes(take_bytes(&mut rest)?));
        }
        for _ in self.opening..plies {
            let key = u64::from_le_bytes(take_bytes(&mut rest)?);
            let [flags] = take_bytes(&mut rest)?;
            if flags & !(HAS_VALUE_FLAG | HAS_POLICY_FLAG | BY_CHANCE_FLAG) != 0 {
                return Err("a position has unknown flags");
            }
            let value = if flags & HAS_VALUE_FLAG == 0 { None } else { Some(take_bytes(&mut rest)?) };
            let [count] = if flags & HAS_POLICY_FLAG == 0 { [0] } else { take_bytes(&mut rest)? };
            if flags & HAS_POLICY_FLAG != 0 && count == 0 {
                return Err("a policy has no moves");
            }
            let begin = self.shares.len();
            for _ in 0..count {
                let [mv, share] = [take_bytes(&mut rest)?, take_bytes(&mut rest)?].map(u16::from_le_bytes);
                self.shares.push((mv, share));
            }
            let place = |at: usize| u32::try_from(at).expect("a unit is shorter than 4 GiB");
            self.positions.push(SearchedPosition {
                key,
                value: value.map(|bytes| Score(i32::from_le_bytes(bytes))),
                by_chance: flags & BY_CHANCE_FLAG != 0,
                shares: (place(begin), place(self.shares.len())),
            });
        }
        if rest.is_empty() { Ok(()) } else { Err("there are bytes after the last position") }
    }
}

/// Takes the first `N` bytes from the front of `rest`.
fn take_bytes<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], MalformedReason> {
    let (front, behind) = rest.split_first_chunk().ok_or("the record is incomplete")?;
    *rest = behind;
    Ok(*front)
}
