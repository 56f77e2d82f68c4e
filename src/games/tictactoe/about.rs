//! What tic-tac-toe says about itself.

use super::encoding::ENCODING;
use super::{MAX_SIZE, TicTacToe};
use crate::game::{About, Chosen, Describe, Encoding, Kind, Numbers, Setting, Sizes};

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
                kind: Kind::Number { range: |size| 1..=size, default: |size| size, is_always_written: false },
            },
        ],
        opening_plies: |board| if board.width >= 4 { 2 } else { 0 },
        won_by: "line",
        numbers: Numbers::Digits,
        example: "examples/moves.txt",
        bench: include_str!("../../../tests/data/ttt.bench"),
    };

    fn set_up(chosen: &Chosen) -> Self {
        TicTacToe::with_win_length(chosen.width, chosen.number(WIN_LENGTH)).expect("both were checked")
    }

    fn encoding() -> Option<Encoding<Self>> {
        Some(ENCODING)
    }
}

const WIN_LENGTH: &str = "win-length";
