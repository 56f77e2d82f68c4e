//! Fuzz targets, one function each. A target takes any bytes, calls the public library, and panics if
//! a guarantee is broken. The fuzzer and the project's own tests call these functions. They open no
//! file and start no process.
#![allow(unreachable_pub, reason = "the tests include this file as a module")]
#![allow(clippy::missing_panics_doc, reason = "targets panic on purpose")]

pub mod dialogues;
pub mod files;
pub mod laws;
pub mod matches;
pub mod moves;

use std::sync::Arc;

use crosspath::game::Refusal;
use crosspath::registry::{RegisteredGame, Variant, find_game};
use crosspath::session::Position;

/// Target of the fuzzer.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the target and of its folder in `corpus`.
    pub name: &'static str,
    /// Takes any bytes and panics if a guarantee is broken.
    pub run: fn(&[u8]),
    /// Number of mutations of its files that the project's own tests try, in about half a second.
    pub mutations: usize,
}

/// Builds [`TARGETS`] from functions.
macro_rules! targets {
    ($($module:ident::$name:ident: $mutations:literal),* $(,)?) => {
        /// All targets.
        pub const TARGETS: &[Target] =
            &[$(Target { name: stringify!($name), run: $module::$name, mutations: $mutations }),*];
    };
}

targets!(
    moves::move_text: 3_000,
    moves::move_file: 3_000,
    moves::sgf: 15_000,
    moves::opening_file: 3_000,
    matches::commands: 500,
    matches::json: 500,
    matches::terminal: 500,
    dialogues::dialogue_gtp: 2_000,
    dialogues::dialogue_qtp: 1_000,
    dialogues::dialogue_ep5: 2_000,
    files::weights: 3_000,
    files::journal: 8_000,
    files::job_file: 10_000,
    files::shard_file: 8_000,
    files::config: 400,
    files::command_line: 500,
    laws::laws: 500,
);

/// Boards on which targets play: small ones and the default ones.
const BOARDS: [(&str, &str); 10] = [
    ("tic-tac-toe", "size=3"),
    ("tic-tac-toe", "size=4 win-length=3"),
    ("tic-tac-toe", "size=10 win-length=5"),
    ("hex", "size=2"),
    ("hex", "size=4"),
    ("hex", "size=5 swap=off"),
    ("quoridor", "size=3 walls=1"),
    ("quoridor", "size=5"),
    ("quoridor", "size=9"),
    ("hex", "size=11"),
];

/// Input of a target. The first bytes choose options, the rest is data.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Removes and returns the first byte, or 0 if there is none.
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns one of the choices, selected by the first byte: `a` selects the first, `b` the second.
    fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        let place = usize::from(self.byte().wrapping_sub(b'a'));
        choices[place % choices.len()]
    }

    /// Returns a board, selected by the first byte.
    fn board(&mut self) -> (&'static RegisteredGame, Variant) {
        let (game, settings) = self.one_of(&BOARDS);
        (find_game(game).expect("a game"), Variant::parse(settings))
    }

    /// Reports whether this is one input in `many`, which may take longer. It depends only on the length,
    /// so the fuzzer cannot steer towards such inputs by changing bytes.
    fn is_one_in(&self, many: usize) -> bool {
        self.0.len().is_multiple_of(many)
    }

    /// Returns the rest as text.
    fn text(&self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }

    /// Returns the lines of the rest, without their ends.
    fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.0.split(|&byte| byte == b'\n')
    }
}

/// Returns the first position of a board.
fn start((entry, variant): &(&'static RegisteredGame, Variant)) -> Arc<dyn Position> {
    entry.start_position(variant).expect("a board of the game")
}

/// Checks that a refusal has a text without control characters.
fn check_refusal(Refusal { code, text }: &Refusal) {
    assert!(!code.as_str().is_empty() && !text.is_empty());
    check_clean(text);
}

/// Checks that a text has no control characters except line ends, and no characters that change the
/// direction of writing.
fn check_clean(text: &str) {
    let is_control = |byte: u8| byte.is_ascii_control() && byte != b'\n';
    // No branch per byte, because almost all text is ASCII.
    let has_control = text.bytes().fold(false, |found, byte| found | is_control(byte));
    let is_harmful = |letter: char| {
        letter.is_control() && letter != '\n'
            || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let is_harmed = has_control || !text.is_ascii() && text.contains(is_harmful);
    assert!(!is_harmed, "control characters in {text:?}");
}
