//! The games there are: one entry each. Everything above finds a game here by its name.

use std::sync::Arc;

use crate::ai::{self, Kit, Level};
use crate::game::{Illegal, Side};
use crate::games::hex::{Hex, SwapRule};
use crate::games::quoridor::{self, Quoridor};
use crate::games::tictactoe::{self, TicTacToe};
use crate::session::{At, History, Playable, Position};

/// The settings of a board; what is `None` has the game's default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Cells on a side; files where `height` is given.
    pub size: Option<usize>,
    /// Ranks of a board that is not square; for studies only.
    pub height: Option<usize>,
    /// Whether the board is to be studied, not played: some games allow more boards then.
    pub is_study: bool,
    /// How many in a row win.
    pub win_length: Option<usize>,
    /// Walls that each side may build.
    pub walls: Option<usize>,
    /// Whether the second player may take the first stone over.
    pub swap: Option<bool>,
}

impl Variant {
    /// Reads settings as a record's header has them: `size=4 win-length=3`.
    ///
    /// # Errors
    /// As [`Variant::set`].
    pub fn read(text: &str) -> Result<Self, OpenError> {
        let mut variant = Variant::default();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            variant.set(key, value)?;
        }
        Ok(variant)
    }

    /// The keys of all settings, as flags and records write them.
    pub const KEYS: [&'static str; 4] = ["size", "win-length", "walls", "swap"];

    /// The value of a setting as text, if it is given.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<String> {
        match key {
            "size" => self.size.map(|size| match self.height {
                Some(height) => format!("{size}x{height}"),
                None => size.to_string(),
            }),
            "win-length" => self.win_length.map(|length| length.to_string()),
            "walls" => self.walls.map(|walls| walls.to_string()),
            "swap" => self.swap.map(|swap| if swap { "on" } else { "off" }.to_owned()),
            _ => None,
        }
    }

    /// Sets a setting from text.
    ///
    /// # Errors
    /// Says what the value must be, or that there is no such setting.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OpenError> {
        let number =
            || count(value).ok_or_else(|| OpenError::NotANumber { key: key.into(), got: value.into() });
        match key {
            "size" => {
                (self.size, self.height) = match value.split_once('x').map(|(w, h)| (count(w), count(h))) {
                    Some((Some(width), Some(height))) => (Some(width), Some(height)),
                    _ => (Some(number()?), None),
                }
            }
            "win-length" => self.win_length = Some(number()?),
            "walls" => self.walls = Some(number()?),
            "swap" => {
                self.swap = match value {
                    "on" => Some(true),
                    "off" => Some(false),
                    _ => return Err(OpenError::NotOnOrOff { key: key.into(), got: value.into() }),
                }
            }
            _ => return Err(OpenError::NoSuchSetting { key: key.into() }),
        }
        Ok(())
    }
}

/// A count as people write it: digits only. One too large for this machine is the largest there is.
fn count(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(usize::MAX))
}

/// Why a board cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game has this name.
    #[error("there is no game {got:?}; games are {}", names().join(", "))]
    NoSuchGame {
        /// What was asked for.
        got: String,
    },
    /// No game has such a setting.
    #[error("there is no setting {key:?}; settings are {}", Variant::KEYS.join(", "))]
    NoSuchSetting {
        /// What was asked for.
        key: String,
    },
    /// The game has no such setting.
    #[error("{game} has no {key}")]
    NotForThisGame {
        /// The game.
        game: &'static str,
        /// The setting.
        key: &'static str,
    },
    /// The value is no whole number.
    #[error("{key} {got:?} is not a whole number")]
    NotANumber {
        /// The setting.
        key: String,
        /// What was asked for.
        got: String,
    },
    /// The value is neither on nor off.
    #[error("{key} {got:?} is neither on nor off")]
    NotOnOrOff {
        /// The setting.
        key: String,
        /// What was asked for.
        got: String,
    },
    /// The value is outside what the game can do.
    #[error("{key} {got} is not possible for {game}; it must be {allowed}")]
    OutOfRange {
        /// The game.
        game: &'static str,
        /// The setting.
        key: &'static str,
        /// What was asked for.
        got: String,
        /// What would be right, such as `1 to 10`.
        allowed: String,
    },
}

impl OpenError {
    fn out_of_range(game: &'static str, key: &'static str, got: String, allowed: &str) -> Self {
        OpenError::OutOfRange { game, key, got, allowed: allowed.to_owned() }
    }

    /// The message where the setting was given as a flag.
    #[must_use]
    pub fn as_flag(&self) -> String {
        match self {
            OpenError::NotForThisGame { game, key: "swap" } => format!("{game} has no --no-swap"),
            OpenError::NotForThisGame { game, key } => format!("{game} has no --{key}"),
            _ => format!("--{self}"),
        }
    }
}

/// What numbers mean in a move file without a header.
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

/// One game: its names, its boards and its first position.
#[derive(Debug)]
pub struct Entry {
    /// The name on the command line and in records.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// The name in sentences.
    pub title: &'static str,
    /// Every size.
    pub sizes: fn() -> Vec<usize>,
    /// The sizes in words, such as `1-10`.
    pub sizes_in_words: &'static str,
    /// The size that is played unless another is asked for.
    pub default_size: usize,
    /// The settings that the game has.
    pub keys: &'static [&'static str],
    /// What a setting is where a header does not name it; only for settings that [`Position::settings`] may leave out.
    pub default: fn(&Variant, &str) -> Option<String>,
    /// Every board that the tests of the laws walk through.
    pub variants: fn() -> Vec<Variant>,
    /// The short name in the bench line.
    pub bench_name: &'static str,
    /// Positions that the bench searches: settings as in a record's header, and moves.
    pub bench: &'static [(&'static str, &'static str)],
    /// How many random plies begin an arena game unless something else is asked for.
    pub opening_plies: fn(&Variant) -> usize,
    /// The level that plays unless another is asked for.
    pub default_level: Level,
    /// What numbers mean in move files without a header.
    pub numbers: Numbers,
    /// A move file to try.
    pub example: &'static str,
    /// The first position.
    pub open: fn(&Variant) -> Result<Arc<dyn Position>, OpenError>,
}

impl Entry {
    /// The first position of a game.
    ///
    /// # Errors
    /// Says which setting is wrong and what would be right.
    pub fn start(&self, variant: &Variant) -> Result<Arc<dyn Position>, OpenError> {
        for key in Variant::KEYS {
            if variant.value(key).is_some() && !self.keys.contains(&key) {
                return Err(OpenError::NotForThisGame { game: self.name, key });
            }
        }
        (self.open)(variant)
    }

    /// A game before its first move.
    ///
    /// # Errors
    /// As [`Entry::start`].
    pub fn history(&self, variant: &Variant) -> Result<History, OpenError> {
        self.start(variant).map(History::new)
    }

    /// What a setting is on the board that the settings describe; `None` if there is no such board.
    #[must_use]
    pub fn setting(&self, variant: &Variant, key: &str) -> Option<String> {
        let start = self.start(variant).ok()?;
        let said = start.settings().iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone());
        said.or_else(|| (self.default)(variant, key))
    }
}

/// Is shown every game with its own types, for tests that need more than a [`Position`].
pub trait Visitor {
    /// Called once a game.
    fn visit<G: Playable>(
        &mut self,
        entry: &'static Entry,
        rules: fn(&Variant) -> Result<G, OpenError>,
        kit: fn() -> Kit<G>,
    );
}

/// Builds [`GAMES`] and [`visit`] from one list, so that a game is enrolled once.
macro_rules! games {
    ($($name:literal { $($field:tt)* } $rules:path, $settings:path, $kit:path;)*) => {
        /// Every game, in the order of the menu.
        pub static GAMES: &[Entry] = &[$(Entry {
            name: $name,
            $($field)*
            open: |variant| {
                let start = $rules(variant)?;
                Ok(Arc::new(At::new($name, $settings(&start), start, $kit())))
            },
        }),*];

        /// Shows every game to a visitor.
        ///
        /// # Panics
        /// Never: entries and games come from the same list.
        pub fn visit(visitor: &mut impl Visitor) {
            let mut entries = GAMES.iter();
            $(visitor.visit(entries.next().expect("as many entries as games"), $rules, $kit);)*
        }
    };
}

games! {
    "tic-tac-toe" {
        aliases: &["ttt", "tictactoe", "noughts-and-crosses"],
        title: "Tic-tac-toe",
        sizes: || (1..=tictactoe::MAX_SIZE).collect(),
        sizes_in_words: "1-10",
        default_size: 3,
        keys: &["size", "win-length"],
        default: |variant, key| if key == "win-length" { Some(variant.size.unwrap_or(3).to_string()) } else { None },
        variants: tictactoe_variants,
        bench_name: "ttt",
        bench: &[
            ("size=3", ""), ("size=3", "a1"), ("size=3", "b2 a1 c3"),
            ("size=4", ""), ("size=4", "b2 c3 a1"), ("size=4 win-length=3", "d4"),
            ("size=5", ""), ("size=5 win-length=4", "c3 b2 d4"), ("size=7", "d4 c3 e5 e4"),
            ("size=10", ""), ("size=10 win-length=5", "e5 f6 e6 e4 d5 f5"),
        ],
        opening_plies: |variant| if variant.size.unwrap_or(3) >= 4 { 2 } else { 0 },
        default_level: Level::Number(8),
        numbers: Numbers::Digits,
        example: "examples/moves.txt",
    } tictactoe_rules, tictactoe_settings, ai::tictactoe::kit;
    "hex" {
        aliases: &[],
        title: "Hex",
        sizes: || (1..=crate::board::MAX_SIZE).collect(),
        sizes_in_words: "1-26",
        default_size: 11,
        keys: &["size", "swap"],
        default: |_, _| None,
        variants: hex_variants,
        bench_name: "hex",
        bench: &[
            ("size=11", ""), ("size=11", "f6"), ("size=11 swap=off", "f6 h4 e8 e5"), ("size=14", "f8 g7 g3 d10"),
            ("size=5", "c3 d2 a4 b1"), ("size=11", "c2 swap d4"),
        ],
        opening_plies: |_| 2,
        default_level: Level::Number(4),
        numbers: Numbers::Pairs(14),
        example: "examples/hex.txt",
    } hex_rules, hex_settings, ai::hex::kit;
    "quoridor" {
        aliases: &["quo"],
        title: "Quoridor",
        sizes: || (3..=quoridor::MAX_SIZE).step_by(2).collect(),
        sizes_in_words: "3-25, odd",
        default_size: 9,
        keys: &["size", "walls"],
        default: |_, _| None,
        variants: quoridor_variants,
        bench_name: "quoridor",
        bench: &[
            ("size=9", ""), ("size=9", "e2 e8 e3 e7 e4 e6"), ("size=9", "e3h e8 c4v e7"), ("size=5", "c2 c4"),
            ("size=7 walls=5", "d2 d6 d3h e4v"), ("size=13", ""),
        ],
        opening_plies: |_| 4,
        default_level: Level::Number(4),
        numbers: Numbers::Nothing,
        example: "examples/quoridor.txt",
    } quoridor_rules, quoridor_settings, ai::quoridor::kit;
}

fn hex_rules(variant: &Variant) -> Result<Hex, OpenError> {
    let size = variant.size.unwrap_or(11);
    let swap = if variant.swap.unwrap_or(true) { SwapRule::On } else { SwapRule::Off };
    let is_square = variant.height.is_none_or(|height| height == size);
    Hex::new(size, swap).ok().filter(|_| is_square).ok_or_else(|| {
        OpenError::out_of_range("hex", "size", variant.value("size").unwrap_or_default(), "1 to 26")
    })
}

fn hex_settings(start: &Hex) -> Vec<(&'static str, String)> {
    let swap = if start.swap_rule() == SwapRule::On { "on" } else { "off" };
    vec![("size", start.size().to_string()), ("swap", swap.to_owned())]
}

fn hex_variants() -> Vec<Variant> {
    let with_swap = (1..=crate::board::MAX_SIZE).map(|size| (size, None));
    let without = [1, 2, 3, 5, 11].map(|size| (size, Some(false)));
    let variant = |(size, swap)| Variant { size: Some(size), swap, ..Variant::default() };
    with_swap.chain(without).map(variant).collect()
}

fn quoridor_rules(variant: &Variant) -> Result<Quoridor, OpenError> {
    let size = variant.size.unwrap_or(9);
    let height = variant.height.unwrap_or(size);
    let got = variant.value("size").unwrap_or_default();
    let wrong = |allowed| OpenError::out_of_range("quoridor", "size", got, allowed);
    let all = quoridor::MIN_SIZE..=quoridor::MAX_SIZE;
    if variant.is_study && !(all.contains(&size) && all.contains(&height)) {
        return Err(wrong("files x ranks, 2 to 25 each"));
    }
    if !variant.is_study && (size < 3 || !all.contains(&size) || size.is_multiple_of(2) || height != size) {
        return Err(wrong("an odd number from 3 to 25"));
    }
    let walls = variant.walls.unwrap_or_else(|| usize::from(quoridor::default_walls(size)));
    if walls > MOST_WALLS {
        let allowed = format!("0 to {MOST_WALLS}");
        return Err(OpenError::out_of_range("quoridor", "walls", walls.to_string(), &allowed));
    }
    let walls = u16::try_from(walls).expect("at most 99");
    Ok(Quoridor::with_walls(size, height, walls).expect("both are sizes of the game"))
}

/// The most walls a side can be given on the command line.
const MOST_WALLS: usize = 99;

fn quoridor_settings(start: &Quoridor) -> Vec<(&'static str, String)> {
    let walls = start.walls_left(Side::First).to_string();
    vec![("size", start.width().to_string()), ("walls", walls)]
}

fn quoridor_variants() -> Vec<Variant> {
    let sizes = (3..=quoridor::MAX_SIZE).step_by(2).map(|size| (size, None));
    let walls = [(3, Some(0)), (3, Some(4)), (5, Some(1)), (9, Some(0)), (9, Some(1))];
    let variant = |(size, walls)| Variant { size: Some(size), walls, ..Variant::default() };
    sizes.chain(walls).map(variant).collect()
}

fn tictactoe_rules(variant: &Variant) -> Result<TicTacToe, OpenError> {
    let size = variant.size.unwrap_or(3);
    let win_length = variant.win_length.unwrap_or(size);
    let wrong = |key, got: usize, most| {
        OpenError::out_of_range("tic-tac-toe", key, got.to_string(), &format!("1 to {most}"))
    };
    if variant.height.is_some_and(|height| height != size) {
        let got = variant.value("size").unwrap_or_default();
        return Err(OpenError::out_of_range("tic-tac-toe", "size", got, "one number, 1 to 10"));
    }
    if !(1..=tictactoe::MAX_SIZE).contains(&size) {
        return Err(wrong("size", size, tictactoe::MAX_SIZE));
    }
    TicTacToe::with_win_length(size, win_length).map_err(|error| wrong("win-length", error.got, error.most))
}

fn tictactoe_settings(start: &TicTacToe) -> Vec<(&'static str, String)> {
    let mut settings = vec![("size", start.size().to_string())];
    if start.win_length() != start.size() {
        settings.push(("win-length", start.win_length().to_string()));
    }
    settings
}

fn tictactoe_variants() -> Vec<Variant> {
    let full_line = (1..=tictactoe::MAX_SIZE).map(|size| (size, None));
    let shorter = [(3, 2), (4, 3), (5, 4), (6, 1), (10, 5)].map(|(size, k)| (size, Some(k)));
    let variant = |(size, win_length)| Variant { size: Some(size), win_length, ..Variant::default() };
    full_line.chain(shorter).map(variant).collect()
}

/// The names of all games.
#[must_use]
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|entry| entry.name).collect()
}

/// The game of that name or alias, in any letter case.
///
/// # Errors
/// Names the games there are.
pub fn find(name: &str) -> Result<&'static Entry, OpenError> {
    let is_called = |entry: &&Entry| {
        entry.name.eq_ignore_ascii_case(name)
            || entry.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    };
    GAMES.iter().find(is_called).ok_or_else(|| OpenError::NoSuchGame { got: Illegal::shown(name) })
}
