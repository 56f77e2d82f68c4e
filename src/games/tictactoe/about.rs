//! Description of tic-tac-toe: names, settings and files.

use super::encoding::ENCODING;
use super::{MAX_SIZE, TicTacToe};
use crate::board::names::read_cell;
use crate::game::{
    About, BadSetup, BoardConfig, BySide, Describe, Encoding, Game, Numbers, Refusal, RuleLesson, Setting,
    SettingKind, Setup, Side, Sizes, View,
};

impl Describe for TicTacToe {
    const ABOUT: &'static About = &About {
        name: "tic-tac-toe",
        aliases: &["ttt", "tictactoe", "noughts-and-crosses"],
        title: "Tic-tac-toe",
        short: "ttt",
        settings: &[
            Setting::size(Sizes { least: 1, most: MAX_SIZE, step: 1, default: 3, studies: None }),
            Setting {
                key: WIN_LENGTH,
                flag: "win-length",
                help: "marks in a row that win (default: a full line)",
                kind: SettingKind::Number {
                    range: |size| 1..=size,
                    default: |size| size,
                    suggested: |size| if size >= 7 { 5 } else { size },
                    is_always_written: false,
                },
            },
        ],
        opening_plies: |board| if board.width >= 4 { 2 } else { 0 },
        won_by: "line",
        numbers: Numbers::Digits,
        example: "examples/moves.txt",
        lessons: &[
            RuleLesson {
                position: "size=3: b2 a1 c1 b1 a3",
                text: "X wins: three in a row, column or diagonal.",
            },
            RuleLesson {
                position: "size=3: b2 a1 c1 a3 a2 c2 b1 b3 c3",
                text: "A draw: the board is full and nobody has a line. Good players always draw on 3x3.",
            },
            RuleLesson {
                position: "size=3: a1 b2 c3 c1 a3",
                text: "A fork: X threatens a2 and b3, and O can stop only one of them.",
            },
        ],
        bench: include_str!("../../../tests/data/ttt.bench"),
    };

    fn set_up(chosen: &BoardConfig) -> Self {
        TicTacToe::with_win_length(chosen.width, chosen.number(WIN_LENGTH)).expect("both were checked")
    }

    fn from_setup(chosen: &BoardConfig, setup: &Setup) -> Result<Self, BadSetup> {
        let mut game = <TicTacToe as Describe>::set_up(chosen);
        for side in Side::BOTH {
            for name in &setup.pieces[side] {
                let wrong = |why: &str| BadSetup::new("marks", format!("{} {why}", Refusal::shown(name)));
                let (column, row) = read_cell(name).ok_or_else(|| wrong("is not a cell"))?;
                let cell = game.cell(row, column).ok_or_else(|| wrong("is off the board"))?;
                if !game.add_mark(side, cell) {
                    return Err(wrong("is named twice"));
                }
            }
        }
        game.turn_to(setup.to_move);
        Ok(game)
    }

    fn read_setup(text: &str) -> Result<(Setup, Option<String>), BadSetup> {
        Setup::of_stones(text)
    }

    fn setup(&self) -> Option<Setup> {
        let pieces = BySide::new(self.pieces(Side::First), self.pieces(Side::Second));
        Some(Setup { pieces, to_move: self.to_move(), left: None })
    }

    fn setup_text(&self) -> Option<String> {
        let usual = Self::ABOUT.sizes().default;
        let size = self.size().to_string();
        Some(self.setup()?.stones_text(Some(&*size).filter(|_| self.size() != usual)))
    }

    fn encoding() -> Option<Encoding<Self>> {
        Some(ENCODING)
    }
}

const WIN_LENGTH: &str = "win-length";
