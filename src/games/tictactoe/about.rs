//! Description of tic-tac-toe: names, settings and file formats.

use super::encoding::TICTACTOE_ENCODING;
use super::{MAX_TICTACTOE_SIZE, TicTacToe};
use crate::board::names::parse_cell_name;
use crate::game::{
    BadSetup, BoardConfig, BoardSizes, BySide, Game, GameDefinition, GameEncoding, GameInfo, GameSetting,
    NumberMeaning, PositionDescription, PositionSetup, Refusal, RuleLesson, SettingKind, Side,
};

impl GameDefinition for TicTacToe {
    const INFO: &'static GameInfo = &GameInfo {
        name: "tic-tac-toe",
        aliases: &["ttt", "tictactoe", "noughts-and-crosses"],
        title: "Tic-tac-toe",
        short: "ttt",
        settings: &[
            GameSetting::board_size(BoardSizes {
                least: 1,
                most: MAX_TICTACTOE_SIZE,
                step: 1,
                default: 3,
                studies: None,
            }),
            GameSetting {
                key: WIN_LENGTH_KEY,
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
        numbers: NumberMeaning::Digits,
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

    fn start_position(chosen: &BoardConfig) -> Self {
        TicTacToe::with_win_length(chosen.width, chosen.setting_value(WIN_LENGTH_KEY))
            .expect("both were checked")
    }

    fn from_setup(chosen: &BoardConfig, setup: &PositionSetup) -> Result<Self, BadSetup> {
        let mut game = <TicTacToe as GameDefinition>::start_position(chosen);
        for side in Side::BOTH {
            for name in &setup.pieces[side] {
                let wrong =
                    |why: &str| BadSetup::new("marks", format!("{} {why}", Refusal::sanitize_excerpt(name)));
                let (column, row) = parse_cell_name(name).ok_or_else(|| wrong("is not a cell"))?;
                let cell = game.cell_at(row, column).ok_or_else(|| wrong("is off the board"))?;
                if !game.add_mark(side, cell) {
                    return Err(wrong("is named twice"));
                }
            }
        }
        game.set_side_to_move(setup.to_move);
        Ok(game)
    }

    fn parse_setup(text: &str) -> Result<(PositionSetup, Option<String>), BadSetup> {
        PositionSetup::parse_stones(text)
    }

    fn to_setup(&self) -> Option<PositionSetup> {
        let pieces = BySide::new(self.list_pieces(Side::First), self.list_pieces(Side::Second));
        Some(PositionSetup { pieces, to_move: self.to_move(), left: None })
    }

    fn format_setup(&self) -> Option<String> {
        let usual = Self::INFO.board_sizes().default;
        let size = self.size().to_string();
        Some(self.to_setup()?.format_stones(Some(&*size).filter(|_| self.size() != usual)))
    }

    fn encoding() -> Option<GameEncoding<Self>> {
        Some(TICTACTOE_ENCODING)
    }
}

const WIN_LENGTH_KEY: &str = "win-length";
