//! A position from which a game begins in place of the usual one, and its one-line text. Knows no particular game.

use std::fmt::{self, Display};

use crate::side::{BySide, Side};

/// A position that was set up by hand: what stands on the board, and who moves first.
///
/// ```
/// use crosspath::game::{Setup, Side};
/// let (setup, size) = Setup::of_stones("b4 c3 / d2 / 2 / 5")?;
/// assert_eq!((setup.pieces.first.len(), setup.to_move, size.as_deref()), (2, Side::Second, Some("5")));
/// # Ok::<(), crosspath::game::BadSetup>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The pieces of each side, as [`View::pieces`](super::View::pieces) lists them.
    pub pieces: BySide<Vec<String>>,
    /// The side that moves first.
    pub to_move: Side,
    /// The pieces that each side can still place, in games where these are counted.
    pub left: Option<BySide<u16>>,
}

/// A change of a position that is set up by hand.
///
/// ```
/// use crosspath::game::{SetupChange, Side};
/// assert_eq!(SetupChange::Put(Side::First, "b4".to_owned()).to_string(), "first b4");
/// assert_eq!(SetupChange::Turn(Side::Second).to_string(), "turn second");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupChange {
    /// Puts a piece of this side on a place.
    Put(Side, String),
    /// Takes the piece away that stands on a place.
    Remove(String),
    /// This side moves first.
    Turn(Side),
    /// Number of pieces that this side can still place.
    Left(Side, u16),
}

/// The words that say the same.
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

/// Why a position cannot be set up.
///
/// ```
/// use crosspath::game::Setup;
/// let bad = Setup::of_stones("b4 / d2 / 3").unwrap_err();
/// assert_eq!(bad.to_string(), "side to move: \"3\" is neither 1 nor 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{why}", if *part == "position" { String::new() } else { format!("{part}: ") })]
pub struct BadSetup {
    /// The part that is wrong, such as `stones` or `side to move`.
    pub part: &'static str,
    /// Reason why it is wrong.
    pub why: String,
}

impl BadSetup {
    /// Returns an error about a part.
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

/// The most cells of a list that is read; no board has more.
const MAX_CELLS: usize = 1000;

impl Setup {
    /// Changes the set-up, in a game whose pieces are all of one kind. Whether the result is a position is not asked.
    ///
    /// ```
    /// use crosspath::game::{Setup, SetupChange, Side};
    /// let (mut setup, _) = Setup::of_stones("b4 / d2 / 1")?;
    /// setup.change(&SetupChange::Put(Side::Second, "b4".to_owned()))?;
    /// assert_eq!(setup.stones_text(None), "- / d2 b4 / 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If nothing stands on a place that is to be emptied, or if the game counts no pieces.
    pub fn change(&mut self, change: &SetupChange) -> Result<(), BadSetup> {
        match change {
            SetupChange::Put(side, place) => {
                self.take_away(place);
                self.pieces[*side].push(place.clone());
            }
            SetupChange::Remove(place) if self.take_away(place).is_some() => {}
            SetupChange::Remove(place) => {
                let place = super::Refusal::shown(place);
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

    /// Takes the piece away that stands on a place; says whose it was.
    pub(crate) fn take_away(&mut self, place: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| {
            let at = self.pieces[side].iter().position(|piece| piece == place);
            at.map(|at| self.pieces[side].remove(at)).is_some()
        })
    }

    /// Reads the text of a position with stones: `FIRST / SECOND / 1 or 2 [/ SIZE]`, each list with blanks or commas
    /// between its cells, or `-` for none. Returns the set-up and the size.
    ///
    /// ```
    /// use crosspath::game::{Setup, Side};
    /// let (setup, size) = Setup::of_stones("b4 c3 / - / 2 / 5")?;
    /// assert_eq!(setup.pieces[Side::First], ["b4", "c3"]);
    /// assert_eq!((setup.to_move, size.as_deref()), (Side::Second, Some("5")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Names the part that cannot be read. Whether the cells are on a board is not asked.
    pub fn of_stones(text: &str) -> Result<(Self, Option<String>), BadSetup> {
        const FORM: &str = "expected `first player's stones / second player's stones / 1 or 2 [/ size]`";
        let fields: Vec<&str> = text.split('/').map(str::trim).collect();
        let (&[first, second, turn], size) = (match fields.as_slice() {
            [lists @ .., size] if fields.len() == 4 => (lists, Some(*size)),
            lists => (lists, None),
        }) else {
            return Err(BadSetup::new("position", FORM));
        };
        let list = |text: &str| -> Result<Vec<String>, BadSetup> {
            let is_blank = |c: char| c == ',' || c.is_whitespace();
            let words = text.split(is_blank).filter(|word| !word.is_empty() && *word != "-");
            let cells: Vec<String> = words.map(str::to_ascii_lowercase).take(MAX_CELLS + 1).collect();
            if cells.len() > MAX_CELLS {
                return Err(BadSetup::new("stones", "there are more than any board has cells"));
            }
            Ok(cells)
        };
        let pieces = BySide::new(list(first)?, list(second)?);
        let to_move = side_of(turn)?;
        Ok((Setup { pieces, to_move, left: None }, size.map(str::to_owned)))
    }

    /// Returns the text that [`Setup::of_stones`] reads.
    ///
    /// ```
    /// use crosspath::game::Setup;
    /// let (setup, size) = Setup::of_stones("b4,c3 / d2 / 2 / 5")?;
    /// assert_eq!(setup.stones_text(size.as_deref()), "b4 c3 / d2 / 2 / 5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stones_text(&self, size: Option<&str>) -> String {
        let list = |side: Side| {
            let cells = &self.pieces[side];
            if cells.is_empty() { "-".to_owned() } else { cells.join(" ") }
        };
        let size = size.map(|size| format!(" / {size}")).unwrap_or_default();
        let turn = self.to_move.index() + 1;
        format!("{} / {} / {turn}{size}", list(Side::First), list(Side::Second))
    }
}

/// Returns the side that `1` or `2` names.
fn side_of(text: &str) -> Result<Side, BadSetup> {
    match text {
        "1" => Ok(Side::First),
        "2" => Ok(Side::Second),
        _ => {
            let shown = super::Refusal::shown(text);
            Err(BadSetup::new("side to move", format!("{shown:?} is neither 1 nor 2")))
        }
    }
}
