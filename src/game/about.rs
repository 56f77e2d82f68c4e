//! Description of a game: its names, what can be set before it begins, how its files look. Flags, menu fields,
//! record keys and help are made of this. Knows no particular game.

use std::ops::RangeInclusive;

use super::{BadSetup, Encoding, Game, Setup, SetupChange};

/// A game that describes itself and sets up its board.
///
/// ```
/// use crosspath::game::Describe;
/// use crosspath::games::tictactoe::TicTacToe;
/// use crosspath::registry::{Variant, find};
/// let board = find(TicTacToe::ABOUT.name)?.choose(&Variant::of_size(5))?;
/// assert_eq!(TicTacToe::set_up(&board).size(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Describe: Game {
    /// Its names, settings and habits.
    const ABOUT: &'static About;

    /// The first position of a board. Every value is within its range.
    fn set_up(chosen: &BoardConfig) -> Self;

    /// Sets up a position from which a game begins. Every value of the board is within its range.
    ///
    /// # Errors
    /// Says which piece cannot stand there: off the board, on a place that is taken. Whether the game is already over
    /// is not asked.
    fn from_setup(_chosen: &BoardConfig, _setup: &Setup) -> Result<Self, BadSetup> {
        Err(BadSetup::new("position", format!("{} begins only from its usual position", Self::ABOUT.title)))
    }

    /// Reads the one-line text of a position, and the size of its board where the text names it.
    ///
    /// # Errors
    /// Names the part of the text that is wrong.
    fn read_setup(_text: &str) -> Result<(Setup, Option<String>), BadSetup> {
        Err(BadSetup::new("position", format!("{} has no text for positions", Self::ABOUT.title)))
    }

    /// Returns this position as a set-up, if the game has such.
    fn setup(&self) -> Option<Setup> {
        None
    }

    /// Changes a set-up of this game. Whether the result is a position is for [`Describe::from_setup`] to say.
    ///
    /// # Errors
    /// As [`Setup::change`].
    fn change_setup(setup: &mut Setup, change: &SetupChange) -> Result<(), BadSetup> {
        setup.change(change)
    }

    /// Returns this position as one line of text, which [`Describe::read_setup`] reads.
    fn setup_text(&self) -> Option<String> {
        None
    }

    /// Returns the numbering of its moves and positions, if it has one.
    #[must_use]
    fn encoding() -> Option<Encoding<Self>> {
        None
    }
}

/// Names, settings and habits of a game.
///
/// ```
/// use crosspath::game::Describe;
/// use crosspath::games::tictactoe::TicTacToe;
/// let about = TicTacToe::ABOUT;
/// assert_eq!((about.name, about.title), ("tic-tac-toe", "Tic-tac-toe"));
/// ```
#[derive(Debug)]
pub struct About {
    /// The name on the command line and in records.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// The name in sentences.
    pub title: &'static str,
    /// The short name in the bench line.
    pub short: &'static str,
    /// Settings that can be chosen before a game begins; one is [`SettingKind::Size`]. They stand in records in this order.
    pub settings: &'static [Setting],
    /// Number of random plies that begin an arena game unless something else is asked for.
    pub opening_plies: fn(&BoardConfig) -> usize,
    /// Meaning of numbers in move files without a header.
    pub numbers: Numbers,
    /// Word for a won game in records of matches: `line`, `connected`.
    pub won_by: &'static str,
    /// A move file to try.
    pub example: &'static str,
    /// The pictures of the rules, in the order in which they are read.
    pub lessons: &'static [RuleLesson],
    /// Positions that the bench searches, one a line: settings as in a record's header, a colon, moves.
    pub bench: &'static str,
}

impl About {
    /// The setting of this key.
    pub(crate) fn setting_of(&self, key: &str) -> Option<&'static Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The sizes of the board.
    ///
    /// ```
    /// use crosspath::game::Describe;
    /// use crosspath::games::hex::Hex;
    /// let sizes = Hex::ABOUT.sizes();
    /// assert_eq!((sizes.least, sizes.default, sizes.most), (1, 11, 26));
    /// ```
    ///
    /// # Panics
    /// If the game has no setting for its size.
    #[must_use]
    pub fn sizes(&self) -> &'static Sizes {
        let size = self.settings.iter().find_map(|setting| match &setting.kind {
            SettingKind::Size(sizes) => Some(sizes),
            _ => None,
        });
        size.expect("every board has a size")
    }
}

/// A position that shows a rule.
///
/// ```
/// use crosspath::game::Describe;
/// use crosspath::games::hex::Hex;
/// assert!(Hex::ABOUT.lessons.iter().all(|lesson| lesson.position.contains(':')));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLesson {
    /// The board and the moves that were played: settings as in a record's header, a colon, moves.
    pub position: &'static str,
    /// Description of the picture, in at most two short sentences.
    pub text: &'static str,
}

/// Meaning of numbers in a move file without a header.
///
/// ```
/// use crosspath::game::{Describe, Numbers};
/// use crosspath::games::{hex::Hex, tictactoe::TicTacToe};
/// assert_eq!(TicTacToe::ABOUT.numbers, Numbers::Digits);
/// assert_eq!(Hex::ABOUT.numbers, Numbers::Pairs(14));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Nothing: moves are words.
    Nothing,
    /// Single digits are row and column in turn, from 0, and all else is noise, as the C original wrote its files.
    Digits,
    /// Row and column from 0; on a board of this size unless another is named. The second move may repeat the first,
    /// which takes it over.
    Pairs(usize),
}

/// Something that can be set before a game begins.
///
/// ```
/// use crosspath::game::Describe;
/// use crosspath::games::hex::Hex;
/// let keys: Vec<&str> = Hex::ABOUT.settings.iter().map(|setting| setting.key).collect();
/// assert_eq!(keys, ["size", "swap"]);
/// ```
#[derive(Debug)]
pub struct Setting {
    /// The key in records. Games that share a key share its flag and its help; it is no name of an option of the program.
    pub key: &'static str,
    /// The flag, without its dashes.
    pub flag: &'static str,
    /// Help text of the flag, without a full stop.
    pub help: &'static str,
    /// Kind of value that it takes.
    pub kind: SettingKind,
}

/// The key of the size, which every game has.
pub const SIZE: &str = "size";

/// Kind of value that a setting takes.
///
/// ```
/// use crosspath::game::{Describe, SettingKind};
/// use crosspath::games::hex::Hex;
/// let swap = &Hex::ABOUT.settings[1];
/// assert!(matches!(swap.kind, SettingKind::Switch { default: true }));
/// ```
#[derive(Debug)]
pub enum SettingKind {
    /// Cells on a side.
    Size(Sizes),
    /// A whole number.
    Number {
        /// Numbers that are allowed on a board with the given number of cells on a side.
        range: fn(usize) -> RangeInclusive<usize>,
        /// Number that holds on a board of this size if nobody names one.
        default: fn(usize) -> usize,
        /// Number with which the start menu begins on a board of this size.
        suggested: fn(usize) -> usize,
        /// `true` if records name it even where it is the default.
        is_always_written: bool,
    },
    /// On or off. The flag turns it to what is not the default.
    Switch {
        /// State of the switch if nobody names it.
        default: bool,
    },
}

/// The sizes of a game's boards, in cells on a side.
///
/// ```
/// use crosspath::game::Sizes;
/// let sizes = Sizes { least: 3, most: 9, step: 2, default: 9, studies: None };
/// assert_eq!(sizes.all().collect::<Vec<_>>(), [3, 5, 7, 9]);
/// ```
#[derive(Debug)]
pub struct Sizes {
    /// The smallest.
    pub least: usize,
    /// The largest.
    pub most: usize,
    /// 1 if all sizes between exist, 2 if every other one does.
    pub step: usize,
    /// The size if nobody names one.
    pub default: usize,
    /// Files and ranks of the boards that can be studied, square or not, where those are more.
    pub studies: Option<RangeInclusive<usize>>,
}

impl Sizes {
    /// Every size, the smallest first.
    ///
    /// ```
    /// use crosspath::game::Describe;
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert!(TicTacToe::ABOUT.sizes().all().eq(1..=10));
    /// ```
    pub fn all(&self) -> impl Iterator<Item = usize> + use<> {
        (self.least..=self.most).step_by(self.step)
    }

    /// In short: `1-26`; `3-25, odd`.
    ///
    /// ```
    /// use crosspath::game::Sizes;
    /// let sizes = Sizes { least: 3, most: 9, step: 2, default: 9, studies: None };
    /// assert_eq!(sizes.in_words(), "3-9, odd");
    /// ```
    #[must_use]
    pub fn in_words(&self) -> String {
        let Sizes { least, most, .. } = self;
        format!("{least}-{most}{}", if self.step == 1 { "" } else { ", odd" })
    }

    /// To follow `it must be`: `1 to 26`; `an odd number from 3 to 25`.
    ///
    /// ```
    /// use crosspath::game::Sizes;
    /// let sizes = Sizes { least: 3, most: 9, step: 2, default: 9, studies: None };
    /// assert_eq!(sizes.allowed(), "an odd number from 3 to 9");
    /// ```
    #[must_use]
    pub fn allowed(&self) -> String {
        let Sizes { least, most, .. } = self;
        if self.step == 1 {
            format!("{least} to {most}")
        } else {
            format!("an odd number from {least} to {most}")
        }
    }
}

/// A board that exists: every setting of its game has a value within its range.
///
/// ```
/// use crosspath::registry::{Variant, find};
/// let board = find("tic-tac-toe")?.choose(&Variant::of_size(5).with("win-length", 4))?;
/// assert_eq!((board.width, board.height), (5, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardConfig {
    /// Files of the board.
    pub width: usize,
    /// Ranks of the board; the same number as the files unless the board is studied.
    pub height: usize,
    /// The other settings, in the order of their game; a switch that is on is 1.
    pub(crate) values: Vec<(&'static Setting, usize)>,
}

impl BoardConfig {
    /// The number of a setting of this key.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let board = find("tic-tac-toe")?.choose(&Variant::of_size(5).with("win-length", 4))?;
    /// assert_eq!(board.number("win-length"), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the game has none.
    #[must_use]
    pub fn number(&self, key: &str) -> usize {
        let value = self.values.iter().find(|(setting, _)| setting.key == key);
        value.unwrap_or_else(|| panic!("the game has no setting {key}")).1
    }

    /// Reports whether a switch is on.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let board = find("hex")?.choose(&Variant::default().with("swap", "off"))?;
    /// assert!(!board.is_on("swap"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the game has none of this key.
    #[must_use]
    pub fn is_on(&self, key: &str) -> bool {
        self.number(key) == 1
    }

    /// A value as records write it; `None` if the game has no such setting.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let board = find("tic-tac-toe")?.choose(&Variant::of_size(5).with("win-length", 4))?;
    /// assert_eq!(board.text("size").as_deref(), Some("5"));
    /// assert_eq!(board.text("swap"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        if key == SIZE {
            let BoardConfig { width, height, .. } = self;
            return Some(if width == height { width.to_string() } else { format!("{width}x{height}") });
        }
        let (setting, value) = self.values.iter().find(|(setting, _)| setting.key == key)?;
        Some(setting.text(*value))
    }

    /// Keys and values as records write them.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find};
    /// let board = find("tic-tac-toe")?.choose(&Variant::of_size(5).with("win-length", 4))?;
    /// assert_eq!(board.written(), [("size", "5".to_owned()), ("win-length", "4".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn written(&self) -> Vec<(&'static str, String)> {
        let is_written = |(setting, value): &&(&'static Setting, usize)| match setting.kind {
            SettingKind::Number { default, is_always_written, .. } => {
                is_always_written || *value != default(self.width)
            }
            _ => true,
        };
        let others = self.values.iter().filter(is_written).map(|(setting, _)| setting.key);
        let keys = std::iter::once(SIZE).chain(others);
        keys.filter_map(|key| Some((key, self.text(key)?))).collect()
    }
}

impl Setting {
    /// The size of the board.
    ///
    /// ```
    /// use crosspath::game::{SIZE, Setting, Sizes};
    /// const SIZES: Sizes = Sizes { least: 3, most: 9, step: 2, default: 9, studies: None };
    /// assert_eq!(Setting::size(SIZES).key, SIZE);
    /// ```
    #[must_use]
    pub const fn size(sizes: Sizes) -> Self {
        Setting { key: SIZE, flag: SIZE, help: "Cells per side", kind: SettingKind::Size(sizes) }
    }

    /// A value as records write it.
    ///
    /// ```
    /// use crosspath::game::Describe;
    /// use crosspath::games::hex::Hex;
    /// let [size, swap] = Hex::ABOUT.settings else { panic!("Hex has two settings") };
    /// assert_eq!((size.text(11), swap.text(1)), ("11".to_owned(), "on".to_owned()));
    /// ```
    #[must_use]
    pub fn text(&self, value: usize) -> String {
        match self.kind {
            SettingKind::Switch { .. } => if value == 1 { "on" } else { "off" }.to_owned(),
            _ => value.to_string(),
        }
    }
}
