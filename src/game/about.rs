//! Description of a game: its names, its settings and the format of its files. Flags, menu fields, record
//! keys and help texts are derived from it. This module does not depend on any particular game.

use std::ops::RangeInclusive;

use super::{BadSetup, Game, GameEncoding, PositionSetup, SetupChange};

/// A game with a static description and a constructor for its start positions.
///
/// ```
/// use crosspath::game::GameDefinition;
/// use crosspath::games::tictactoe::TicTacToe;
/// use crosspath::registry::{Variant, find_game};
/// let board = find_game(TicTacToe::INFO.name)?.resolve_board(&Variant::of_size(5))?;
/// assert_eq!(TicTacToe::start_position(&board).size(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait GameDefinition: Game {
    /// Names, settings and defaults of the game.
    const INFO: &'static GameInfo;

    /// Returns the start position on a board. All values of the board are within their ranges.
    fn start_position(chosen: &BoardConfig) -> Self;

    /// Returns the position of a set-up. All values of the board are within their ranges.
    ///
    /// # Errors
    /// The error names the piece that cannot be placed, because it is off the board or its cell is taken. A
    /// finished position is not an error.
    fn from_setup(_chosen: &BoardConfig, _setup: &PositionSetup) -> Result<Self, BadSetup> {
        Err(BadSetup::new("position", format!("{} begins only from its usual position", Self::INFO.title)))
    }

    /// Reads the one-line text of a position. The second value is the board size, if the text gives it.
    ///
    /// # Errors
    /// The error names the invalid part of the text.
    fn parse_setup(_text: &str) -> Result<(PositionSetup, Option<String>), BadSetup> {
        Err(BadSetup::new("position", format!("{} has no text for positions", Self::INFO.title)))
    }

    /// Returns this position as a set-up, or `None` if the game does not support set-ups.
    fn to_setup(&self) -> Option<PositionSetup> {
        None
    }

    /// Changes a set-up of this game. [`GameDefinition::from_setup`] checks the result.
    ///
    /// # Errors
    /// Returns the errors of [`PositionSetup::apply_change`].
    fn change_setup(setup: &mut PositionSetup, change: &SetupChange) -> Result<(), BadSetup> {
        setup.apply_change(change)
    }

    /// Returns the position as the one-line text that [`GameDefinition::parse_setup`] reads.
    fn format_setup(&self) -> Option<String> {
        None
    }

    /// Returns the numeric encoding of moves and positions, if the game has one.
    #[must_use]
    fn encoding() -> Option<GameEncoding<Self>> {
        None
    }
}

/// Names, settings and defaults of a game.
///
/// ```
/// use crosspath::game::GameDefinition;
/// use crosspath::games::tictactoe::TicTacToe;
/// let about = TicTacToe::INFO;
/// assert_eq!((about.name, about.title), ("tic-tac-toe", "Tic-tac-toe"));
/// ```
#[derive(Debug)]
pub struct GameInfo {
    /// Name on the command line and in records.
    pub name: &'static str,
    /// Alternative names that are accepted.
    pub aliases: &'static [&'static str],
    /// Name of the game in sentences.
    pub title: &'static str,
    /// Short name in the output line of the benchmark.
    pub short: &'static str,
    /// Settings that can be chosen before a game begins, in the order of the record's header. One of them is
    /// [`SettingKind::Size`].
    pub settings: &'static [GameSetting],
    /// Default number of random opening plies of an arena game.
    pub opening_plies: fn(&BoardConfig) -> usize,
    /// Meaning of numbers in move files without a header.
    pub numbers: NumberMeaning,
    /// Reason for a win as match records state it: `line`, `connected`.
    pub won_by: &'static str,
    /// Path of an example move file.
    pub example: &'static str,
    /// Example positions that explain the rules, in reading order.
    pub lessons: &'static [RuleLesson],
    /// Positions that the benchmark searches, one per line: settings as in a record's header, a colon, moves.
    pub bench: &'static str,
}

impl GameInfo {
    /// Returns the setting with this key, if there is one.
    pub(crate) fn find_setting(&self, key: &str) -> Option<&'static GameSetting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// Returns the board sizes of the game.
    ///
    /// ```
    /// use crosspath::game::GameDefinition;
    /// use crosspath::games::hex::Hex;
    /// let sizes = Hex::INFO.board_sizes();
    /// assert_eq!((sizes.least, sizes.default, sizes.most), (1, 11, 26));
    /// ```
    ///
    /// # Panics
    /// Panics if the game has no size setting.
    #[must_use]
    pub fn board_sizes(&self) -> &'static BoardSizes {
        let size = self.settings.iter().find_map(|setting| match &setting.kind {
            SettingKind::Size(sizes) => Some(sizes),
            _ => None,
        });
        size.expect("every board has a size")
    }
}

/// An example position that illustrates a rule.
///
/// ```
/// use crosspath::game::GameDefinition;
/// use crosspath::games::hex::Hex;
/// assert!(Hex::INFO.lessons.iter().all(|lesson| lesson.position.contains(':')));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLesson {
    /// Board and moves: settings as in a record's header, a colon, the moves.
    pub position: &'static str,
    /// Description of the picture, in at most two short sentences.
    pub text: &'static str,
}

/// Meaning of numbers in a move file without a header.
///
/// ```
/// use crosspath::game::{GameDefinition, NumberMeaning};
/// use crosspath::games::{hex::Hex, tictactoe::TicTacToe};
/// assert_eq!(TicTacToe::INFO.numbers, NumberMeaning::Digits);
/// assert_eq!(Hex::INFO.numbers, NumberMeaning::Pairs(14));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberMeaning {
    /// Numbers have no meaning, because moves are written as words.
    Nothing,
    /// Single digits are alternately row and column, counted from 0, and all other characters are ignored, as
    /// in files of the original C program.
    Digits,
    /// Pairs of numbers are row and column, counted from 0. The value is the default board size. A second
    /// move equal to the first is a swap.
    Pairs(usize),
}

/// A setting that is chosen before a game begins.
///
/// ```
/// use crosspath::game::GameDefinition;
/// use crosspath::games::hex::Hex;
/// let keys: Vec<&str> = Hex::INFO.settings.iter().map(|setting| setting.key).collect();
/// assert_eq!(keys, ["size", "swap"]);
/// ```
#[derive(Debug)]
pub struct GameSetting {
    /// Key in records. Games that share a key share its flag and its help. The key may not equal the name of
    /// a program option.
    pub key: &'static str,
    /// Name of the flag, without dashes.
    pub flag: &'static str,
    /// Help text of the flag, without a full stop.
    pub help: &'static str,
    /// Kind and range of the value.
    pub kind: SettingKind,
}

/// Key of the board size, a setting that every game has.
pub const SIZE_KEY: &str = "size";

/// Kind of value that a setting takes.
///
/// ```
/// use crosspath::game::{GameDefinition, SettingKind};
/// use crosspath::games::hex::Hex;
/// let swap = &Hex::INFO.settings[1];
/// assert!(matches!(swap.kind, SettingKind::Switch { default: true }));
/// ```
#[derive(Debug)]
pub enum SettingKind {
    /// Board size in cells per side.
    Size(BoardSizes),
    /// A whole number.
    Number {
        /// Range of values allowed on a board with the given size.
        range: fn(usize) -> RangeInclusive<usize>,
        /// Default value on a board with the given size.
        default: fn(usize) -> usize,
        /// Value that the start menu suggests on a board with the given size.
        suggested: fn(usize) -> usize,
        /// `true` if records contain the value even when it is the default.
        is_always_written: bool,
    },
    /// A switch. Its flag selects the value that is not the default.
    Switch {
        /// State of the switch by default.
        default: bool,
    },
}

/// Sizes of a game's boards, in cells per side.
///
/// ```
/// use crosspath::game::BoardSizes;
/// let sizes = BoardSizes { least: 3, most: 9, step: 2, default: 9, studies: None };
/// assert_eq!(sizes.all_sizes().collect::<Vec<_>>(), [3, 5, 7, 9]);
/// ```
#[derive(Debug)]
pub struct BoardSizes {
    /// Smallest size.
    pub least: usize,
    /// Largest size.
    pub most: usize,
    /// Difference between consecutive sizes: 1, or 2 if only every other size exists.
    pub step: usize,
    /// Default size.
    pub default: usize,
    /// Range of files and ranks of analysis boards, which need not be square, if it differs from the range of
    /// sizes.
    pub studies: Option<RangeInclusive<usize>>,
}

impl BoardSizes {
    /// Returns every size in ascending order.
    ///
    /// ```
    /// use crosspath::game::GameDefinition;
    /// use crosspath::games::tictactoe::TicTacToe;
    /// assert!(TicTacToe::INFO.board_sizes().all_sizes().eq(1..=10));
    /// ```
    pub fn all_sizes(&self) -> impl Iterator<Item = usize> + use<> {
        (self.least..=self.most).step_by(self.step)
    }

    /// Returns the range of sizes in short form: `1-26`; `3-25, odd`.
    ///
    /// ```
    /// use crosspath::game::BoardSizes;
    /// let sizes = BoardSizes { least: 3, most: 9, step: 2, default: 9, studies: None };
    /// assert_eq!(sizes.format_range(), "3-9, odd");
    /// ```
    #[must_use]
    pub fn format_range(&self) -> String {
        let BoardSizes { least, most, .. } = self;
        format!("{least}-{most}{}", if self.step == 1 { "" } else { ", odd" })
    }

    /// Returns the allowed sizes as a phrase that continues `it must be`: `1 to 26`;
    /// `an odd number from 3 to 25`.
    ///
    /// ```
    /// use crosspath::game::BoardSizes;
    /// let sizes = BoardSizes { least: 3, most: 9, step: 2, default: 9, studies: None };
    /// assert_eq!(sizes.describe_allowed(), "an odd number from 3 to 9");
    /// ```
    #[must_use]
    pub fn describe_allowed(&self) -> String {
        let BoardSizes { least, most, .. } = self;
        if self.step == 1 {
            format!("{least} to {most}")
        } else {
            format!("an odd number from {least} to {most}")
        }
    }
}

/// A validated board configuration: every setting of the game has a value within its range.
///
/// ```
/// use crosspath::registry::{Variant, find_game};
/// let board = find_game("tic-tac-toe")?.resolve_board(&Variant::of_size(5).with_setting("win-length", 4))?;
/// assert_eq!((board.width, board.height), (5, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardConfig {
    /// Number of files.
    pub width: usize,
    /// Number of ranks. It equals the number of files except on analysis boards.
    pub height: usize,
    /// Values of the other settings, in the order of [`GameInfo::settings`]. A switch that is on is 1.
    pub(crate) values: Vec<(&'static GameSetting, usize)>,
}

impl BoardConfig {
    /// Returns the numeric value of the setting with this key.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let board = find_game("tic-tac-toe")?.resolve_board(&Variant::of_size(5).with_setting("win-length", 4))?;
    /// assert_eq!(board.setting_value("win-length"), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the game has no setting with this key.
    #[must_use]
    pub fn setting_value(&self, key: &str) -> usize {
        let value = self.values.iter().find(|(setting, _)| setting.key == key);
        value.unwrap_or_else(|| panic!("the game has no setting {key}")).1
    }

    /// Reports whether a switch is on.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let board = find_game("hex")?.resolve_board(&Variant::default().with_setting("swap", "off"))?;
    /// assert!(!board.is_switch_on("swap"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Panics if the game has no switch with this key.
    #[must_use]
    pub fn is_switch_on(&self, key: &str) -> bool {
        self.setting_value(key) == 1
    }

    /// Returns the value of a setting as text for records, or `None` if the game has no such setting.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let board = find_game("tic-tac-toe")?.resolve_board(&Variant::of_size(5).with_setting("win-length", 4))?;
    /// assert_eq!(board.format_setting("size").as_deref(), Some("5"));
    /// assert_eq!(board.format_setting("swap"), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn format_setting(&self, key: &str) -> Option<String> {
        if key == SIZE_KEY {
            let BoardConfig { width, height, .. } = self;
            return Some(if width == height { width.to_string() } else { format!("{width}x{height}") });
        }
        let (setting, value) = self.values.iter().find(|(setting, _)| setting.key == key)?;
        Some(setting.format_value(*value))
    }

    /// Returns the keys and values that a record's header contains.
    ///
    /// ```
    /// use crosspath::registry::{Variant, find_game};
    /// let board = find_game("tic-tac-toe")?.resolve_board(&Variant::of_size(5).with_setting("win-length", 4))?;
    /// assert_eq!(board.record_settings(), [("size", "5".to_owned()), ("win-length", "4".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn record_settings(&self) -> Vec<(&'static str, String)> {
        let is_written = |(setting, value): &&(&'static GameSetting, usize)| match setting.kind {
            SettingKind::Number { default, is_always_written, .. } => {
                is_always_written || *value != default(self.width)
            }
            _ => true,
        };
        let others = self.values.iter().filter(is_written).map(|(setting, _)| setting.key);
        let keys = std::iter::once(SIZE_KEY).chain(others);
        keys.filter_map(|key| Some((key, self.format_setting(key)?))).collect()
    }
}

impl GameSetting {
    /// Creates the setting for the board size.
    ///
    /// ```
    /// use crosspath::game::{SIZE_KEY, GameSetting, BoardSizes};
    /// const SIZES: BoardSizes = BoardSizes { least: 3, most: 9, step: 2, default: 9, studies: None };
    /// assert_eq!(GameSetting::board_size(SIZES).key, SIZE_KEY);
    /// ```
    #[must_use]
    pub const fn board_size(sizes: BoardSizes) -> Self {
        GameSetting { key: SIZE_KEY, flag: SIZE_KEY, help: "Cells per side", kind: SettingKind::Size(sizes) }
    }

    /// Returns a value of this setting as text for records.
    ///
    /// ```
    /// use crosspath::game::GameDefinition;
    /// use crosspath::games::hex::Hex;
    /// let [size, swap] = Hex::INFO.settings else { panic!("Hex has two settings") };
    /// assert_eq!((size.format_value(11), swap.format_value(1)), ("11".to_owned(), "on".to_owned()));
    /// ```
    #[must_use]
    pub fn format_value(&self, value: usize) -> String {
        match self.kind {
            SettingKind::Switch { .. } => if value == 1 { "on" } else { "off" }.to_owned(),
            _ => value.to_string(),
        }
    }
}
