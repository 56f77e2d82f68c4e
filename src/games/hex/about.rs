//! Description of Hex: names, settings and file formats.

use super::encoding::HEX_ENCODING;
use super::{Cell, Hex, MAX_HEX_SIZE, SwapRule};
use crate::board::names::parse_cell_name;
use crate::game::{
    BadSetup, BoardConfig, BoardSizes, BySide, Game, GameDefinition, GameEncoding, GameInfo, GameSetting,
    NumberMeaning, PositionDescription, PositionSetup, Refusal, RuleLesson, SettingKind, Side,
};

impl GameDefinition for Hex {
    const INFO: &'static GameInfo = &GameInfo {
        name: "hex",
        aliases: &[],
        title: "Hex",
        short: "hex",
        settings: &[
            GameSetting::board_size(BoardSizes {
                least: 1,
                most: MAX_HEX_SIZE,
                step: 1,
                default: 11,
                studies: None,
            }),
            GameSetting {
                key: SWAP_KEY,
                flag: "no-swap",
                help: "turn the swap rule off",
                kind: SettingKind::Switch { default: true },
            },
        ],
        opening_plies: |board| if board.width > 1 { 2 } else { 0 },
        won_by: "connected",
        numbers: NumberMeaning::Pairs(14),
        example: "examples/hex.txt",
        lessons: &[
            RuleLesson {
                position: "size=5 swap=off: c1 d2 b2 c3 b3 b4 a4 d3 a5",
                text: "Red wins: an unbroken chain joins top and bottom. One side always connects; there are no draws.",
            },
            RuleLesson {
                position: "size=5 swap=off: c2 e3 b4",
                text: "A bridge: if Blue plays b3, Red plays c3, and the other way round. It cannot be cut.",
            },
            RuleLesson {
                position: "size=5 swap=on: c3",
                text: "The swap: as its first move Blue may take over Red's stone (type swap), so do not open too strongly.",
            },
            RuleLesson {
                position: "size=5 swap=off: c3 c4 b4",
                text: "A stone on the second row reaches the edge: if Blue plays one of the cells below b4, Red plays the other.",
            },
        ],
        bench: include_str!("../../../tests/data/hex.bench"),
    };

    fn start_position(chosen: &BoardConfig) -> Self {
        let swap = if chosen.is_switch_on(SWAP_KEY) { SwapRule::On } else { SwapRule::Off };
        Hex::new(chosen.width, swap).expect("the size was checked")
    }

    fn from_setup(chosen: &BoardConfig, setup: &PositionSetup) -> Result<Self, BadSetup> {
        let mut game = <Hex as GameDefinition>::start_position(chosen);
        for side in Side::BOTH {
            for name in &setup.pieces[side] {
                let wrong =
                    |why: &str| BadSetup::new("stones", format!("{} {why}", Refusal::sanitize_excerpt(name)));
                let (column, row) = parse_cell_name(name).ok_or_else(|| wrong("is not a cell"))?;
                if column.max(row) >= game.size() {
                    return Err(wrong("is off the board"));
                }
                game.add_stone(side, Cell::new(row * game.size() + column))
                    .map_err(|_| wrong("is named twice"))?;
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
        Some(HEX_ENCODING)
    }
}

const SWAP_KEY: &str = "swap";
