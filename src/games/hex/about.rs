//! Description of Hex: names, settings and files.

use super::encoding::ENCODING;
use super::{Cell, Hex, MAX_SIZE, SwapRule};
use crate::board::names::read_cell;
use crate::game::{
    About, BadSetup, BoardConfig, BySide, Describe, Encoding, Game, Numbers, Refusal, RuleLesson, Setting,
    SettingKind, Setup, Side, Sizes, View,
};

impl Describe for Hex {
    const ABOUT: &'static About = &About {
        name: "hex",
        aliases: &[],
        title: "Hex",
        short: "hex",
        settings: &[
            Setting::size(Sizes { least: 1, most: MAX_SIZE, step: 1, default: 11, studies: None }),
            Setting {
                key: SWAP,
                flag: "no-swap",
                help: "turn the swap rule off",
                kind: SettingKind::Switch { default: true },
            },
        ],
        opening_plies: |board| if board.width > 1 { 2 } else { 0 },
        won_by: "connected",
        numbers: Numbers::Pairs(14),
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

    fn set_up(chosen: &BoardConfig) -> Self {
        let swap = if chosen.is_on(SWAP) { SwapRule::On } else { SwapRule::Off };
        Hex::new(chosen.width, swap).expect("the size was checked")
    }

    fn from_setup(chosen: &BoardConfig, setup: &Setup) -> Result<Self, BadSetup> {
        let mut game = <Hex as Describe>::set_up(chosen);
        for side in Side::BOTH {
            for name in &setup.pieces[side] {
                let wrong = |why: &str| BadSetup::new("stones", format!("{} {why}", Refusal::shown(name)));
                let (column, row) = read_cell(name).ok_or_else(|| wrong("is not a cell"))?;
                if column.max(row) >= game.size() {
                    return Err(wrong("is off the board"));
                }
                game.add_stone(side, Cell::new(row * game.size() + column))
                    .map_err(|_| wrong("is named twice"))?;
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

const SWAP: &str = "swap";
