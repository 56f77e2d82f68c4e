//! Set-up positions, from which a game can begin in place of the usual start position, and their one-line
//! text. This module does not depend on any particular game.

use std::fmt::{self, Display};

use crate::side::{BySide, Side};

/// A position that was set up by hand: the pieces on the board and the side to move.
///
/// ```
/// use crosspath::game::{PositionSetup, Side};
/// let (setup, size) = PositionSetup::parse_stones("b4 c3 / d2 / 2 / 5")?;
/// assert_eq!((setup.pieces.first.len(), setup.to_move, size.as_deref()), (2, Side::Second, Some("5")));
/// # Ok::<(), crosspath::game::BadSetup>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSetup {
    /// Pieces of each side, listed as by [`list_pieces`](super::PositionDescription::list_pieces).
    pub pieces: BySide<Vec<String>>,
    /// The side that moves first.
    pub to_move: Side,
    /// Number of pieces that each side can still place, in games that count them.
    pub left: Option<BySide<u16>>,
}

/// A change of a set-up position.
///
/// ```
/// use crosspath::game::{SetupChange, Side};
/// assert_eq!(SetupChange::Put(Side::First, "b4".to_owned()).to_string(), "first b4");
/// assert_eq!(SetupChange::Turn(Side::Second).to_string(), "turn second");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupChange {
    /// Places a piece of this side on a cell or wall slot.
    Put(Side, String),
    /// Removes the piece from a cell or wall slot.
    Remove(String),
    /// Makes this side the side to move.
    Turn(Side),
    /// Sets the number of pieces that this side can still place.
    Left(Side, u16),
}

/// Formats the change as the text of the command.
impl Display for SetupChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupChange::Put(side, place) => write!(f, "{side} {place}"),
            SetupChange::Remove(place) => write!(f, "remove {place}"),
            SetupChange::Turn(side) => write!(f, "turn {side}"),
            SetupChange::Left(side, count) => write!(f, "walls {side} {count}"),
        }
    }
}

/// Error in a set-up position.
///
/// ```
/// use crosspath::game::PositionSetup;
/// let bad = PositionSetup::parse_stones("b4 / d2 / 3").unwrap_err();
/// assert_eq!(bad.to_string(), "side to move: \"3\" is neither 1 nor 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", if *part == "position" { String::new() } else { format!("{part}: ") })]
pub struct BadSetup {
    /// Invalid part of the set-up, such as `stones` or `side to move`.
    pub part: &'static str,
    /// Description of the problem.
    pub why: String,
}

impl BadSetup {
    /// Returns an error about a part of the set-up.
    ///
    /// ```
    /// use crosspath::game::BadSetup;
    /// assert_eq!(BadSetup::new("stones", "b4 is taken").to_string(), "stones: b4 is taken");
    /// assert_eq!(BadSetup::new("position", "there are no walls").to_string(), "there are no walls");
    /// ```
    pub fn new(part: &'static str, why: impl Into<String>) -> Self {
        BadSetup { part, why: why.into() }
    }
}

/// Maximum number of cells in a list. No board has more cells.
const MAX_CELLS_PER_LIST: usize = 1000;

impl PositionSetup {
    /// Applies a change in a game whose pieces are all of one kind. The resulting position is not checked.
    ///
    /// ```
    /// use crosspath::game::{PositionSetup, SetupChange, Side};
    /// let (mut setup, _) = PositionSetup::parse_stones("b4 / d2 / 1")?;
    /// setup.apply_change(&SetupChange::Put(Side::Second, "b4".to_owned()))?;
    /// assert_eq!(setup.format_stones(None), "- / d2 b4 / 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the cell to be emptied is empty, or if the game does not count pieces.
    pub fn apply_change(&mut self, change: &SetupChange) -> Result<(), BadSetup> {
        match change {
            SetupChange::Put(side, place) => {
                self.remove_piece(place);
                self.pieces[*side].push(place.clone());
            }
            SetupChange::Remove(place) if self.remove_piece(place).is_some() => {}
            SetupChange::Remove(place) => {
                let place = super::Refusal::sanitize_excerpt(place);
                return Err(BadSetup::new("position", format!("nothing stands on {place}")));
            }
            SetupChange::Turn(side) => self.to_move = *side,
            SetupChange::Left(side, count) => match &mut self.left {
                Some(left) => left[*side] = *count,
                None => return Err(BadSetup::new("position", "there are no walls in this game")),
            },
        }
        Ok(())
    }

    /// Removes the piece from a cell or wall slot and returns its owner.
    pub(crate) fn remove_piece(&mut self, place: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| {
            let at = self.pieces[side].iter().position(|piece| piece == place);
            at.map(|at| self.pieces[side].remove(at)).is_some()
        })
    }

    /// Reads the text of a position with stones: `FIRST / SECOND / 1 or 2 [/ SIZE]`. The cells of each list
    /// are separated by blanks or commas; `-` is an empty list. Returns the set-up and the size.
    ///
    /// ```
    /// use crosspath::game::{PositionSetup, Side};
    /// let (setup, size) = PositionSetup::parse_stones("b4 c3 / - / 2 / 5")?;
    /// assert_eq!(setup.pieces[Side::First], ["b4", "c3"]);
    /// assert_eq!((setup.to_move, size.as_deref()), (Side::Second, Some("5")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names the part that cannot be read. Cells off the board are not an error.
    pub fn parse_stones(text: &str) -> Result<(Self, Option<String>), BadSetup> {
        const STONES_TEXT_FORM: &str =
            "expected `first player's stones / second player's stones / 1 or 2 [/ size]`";
        let fields: Vec<&str> = text.split('/').map(str::trim).collect();
        let (&[first, second, turn], size) = (match fields.as_slice() {
            [lists @ .., size] if fields.len() == 4 => (lists, Some(*size)),
            lists => (lists, None),
        }) else {
            return Err(BadSetup::new("position", STONES_TEXT_FORM));
        };
        let list = |text: &str| -> Result<Vec<String>, BadSetup> {
            let is_blank = |c: char| c == ',' || c.is_whitespace();
            let words = text.split(is_blank).filter(|word| !word.is_empty() && *word != "-");
            let cells: Vec<String> =
                words.map(str::to_ascii_lowercase).take(MAX_CELLS_PER_LIST + 1).collect();
            if cells.len() > MAX_CELLS_PER_LIST {
                return Err(BadSetup::new("stones", "there are more than any board has cells"));
            }
            Ok(cells)
        };
        let pieces = BySide::new(list(first)?, list(second)?);
        let to_move = parse_side_number(turn)?;
        Ok((PositionSetup { pieces, to_move, left: None }, size.map(str::to_owned)))
    }

    /// Returns the text that [`PositionSetup::parse_stones`] reads.
    ///
    /// ```
    /// use crosspath::game::PositionSetup;
    /// let (setup, size) = PositionSetup::parse_stones("b4,c3 / d2 / 2 / 5")?;
    /// assert_eq!(setup.format_stones(size.as_deref()), "b4 c3 / d2 / 2 / 5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format_stones(&self, size: Option<&str>) -> String {
        let list = |side: Side| {
            let cells = &self.pieces[side];
            if cells.is_empty() { "-".to_owned() } else { cells.join(" ") }
        };
        let size = size.map(|size| format!(" / {size}")).unwrap_or_default();
        let turn = self.to_move.index() + 1;
        format!("{} / {} / {turn}{size}", list(Side::First), list(Side::Second))
    }
}

/// Returns First for `1` and Second for `2`.
fn parse_side_number(text: &str) -> Result<Side, BadSetup> {
    match text {
        "1" => Ok(Side::First),
        "2" => Ok(Side::Second),
        _ => {
            let shown = super::Refusal::sanitize_excerpt(text);
            Err(BadSetup::new("side to move", format!("{shown:?} is neither 1 nor 2")))
        }
    }
}
