//! What Hex says about itself.

use super::encoding::ENCODING;
use super::{Hex, MAX_SIZE, SwapRule};
use crate::game::{About, Chosen, Describe, Encoding, Kind, Numbers, Setting, Sizes};

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
                kind: Kind::Switch { default: true },
            },
        ],
        opening_plies: |board| if board.width > 1 { 2 } else { 0 },
        won_by: "connected",
        numbers: Numbers::Pairs(14),
        example: "examples/hex.txt",
        bench: include_str!("../../../tests/data/hex.bench"),
    };

    fn set_up(chosen: &Chosen) -> Self {
        let swap = if chosen.is_on(SWAP) { SwapRule::On } else { SwapRule::Off };
        Hex::new(chosen.width, swap).expect("the size was checked")
    }

    fn encoding() -> Option<Encoding<Self>> {
        Some(ENCODING)
    }
}

const SWAP: &str = "swap";
