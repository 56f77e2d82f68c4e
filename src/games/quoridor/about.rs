//! Description of Quoridor: names, settings and file formats.

use super::encoding::QUORIDOR_ENCODING;
use super::{MAX_QUORIDOR_SIZE, MIN_QUORIDOR_SIZE, Quoridor, default_walls_per_side};
use crate::game::{
    BadSetup, BoardConfig, BoardSizes, GameDefinition, GameEncoding, GameInfo, GameSetting, NumberMeaning,
    PositionSetup, RuleLesson, SettingKind, SetupChange, Side,
};

impl GameDefinition for Quoridor {
    const INFO: &'static GameInfo = &GameInfo {
        name: "quoridor",
        aliases: &["quo"],
        title: "Quoridor",
        short: "quoridor",
        settings: &[
            GameSetting::board_size(BoardSizes {
                least: 3,
                most: MAX_QUORIDOR_SIZE,
                step: 2,
                default: 9,
                studies: Some(MIN_QUORIDOR_SIZE..=MAX_QUORIDOR_SIZE),
            }),
            GameSetting {
                key: WALLS_KEY,
                flag: "walls",
                help: "walls per player",
                kind: SettingKind::Number {
                    range: |_| 0..=99,
                    default: |size| default_walls_per_side(size).into(),
                    suggested: |size| default_walls_per_side(size).into(),
                    is_always_written: true,
                },
            },
        ],
        opening_plies: |_| 4,
        won_by: "goal",
        numbers: NumberMeaning::Nothing,
        example: "examples/quoridor.txt",
        lessons: &[
            RuleLesson {
                position: "size=5 walls=3: c2 b5 c3 b4 c4 b3 c5",
                text: "White wins: the pawn has reached the far row. Black goes the other way, from top to bottom.",
            },
            RuleLesson {
                position: "size=5 walls=3: c2 c4v b2h",
                text: "A wall is two cells long. White's b2h blocks the way down from b3 and c3; a way round must stay open.",
            },
            RuleLesson {
                position: "size=5 walls=3: c2 c4 c3",
                text: "Face to face, Black may jump over White, from c4 to c2.",
            },
            RuleLesson {
                position: "size=5 walls=3: c2 c4 c3 c2h a1v",
                text: "With a wall behind White, Black goes diagonally past it, to b3 or d3.",
            },
        ],
        bench: include_str!("../../../tests/data/quoridor.bench"),
    };

    fn start_position(chosen: &BoardConfig) -> Self {
        Quoridor::with_walls(chosen.width, chosen.height, walls_per_side(chosen))
            .expect("the size was checked")
    }

    fn from_setup(chosen: &BoardConfig, setup: &PositionSetup) -> Result<Self, BadSetup> {
        Quoridor::build_from_setup((chosen.width, chosen.height), walls_per_side(chosen), setup)
    }

    fn parse_setup(text: &str) -> Result<(PositionSetup, Option<String>), BadSetup> {
        let game = Quoridor::from_position_text(text)?;
        let (width, height) = (game.width(), game.height());
        let size = if width == height { width.to_string() } else { format!("{width}x{height}") };
        // Without a size, the text is for the requested board.
        let is_stated = text.matches('/').count() > 4;
        Ok((game.as_setup(), is_stated.then_some(size)))
    }

    fn to_setup(&self) -> Option<PositionSetup> {
        Some(self.as_setup())
    }

    /// Applies a change to a set-up. A pawn can be moved but not removed. Placing a wall takes it from its
    /// side's walls left, and removing it returns it.
    fn change_setup(setup: &mut PositionSetup, change: &SetupChange) -> Result<(), BadSetup> {
        let is_wall = |place: &str| place.len() > 2 && place.ends_with(['h', 'v']);
        let count = |setup: &mut PositionSetup, side: Side, step: i16| {
            if let Some(left) = &mut setup.left {
                left[side] = left[side].saturating_add_signed(step);
            }
        };
        match change {
            SetupChange::Put(side, place) if is_wall(place) => {
                if let Some(owner) = setup.remove_piece(place) {
                    count(setup, owner, 1);
                }
                setup.apply_change(change)?;
                count(setup, *side, -1);
            }
            SetupChange::Put(side, place) => setup.pieces[*side][0].clone_from(place),
            SetupChange::Remove(place) if is_wall(place) => match setup.remove_piece(place) {
                Some(side) => count(setup, side, 1),
                None => return setup.apply_change(change),
            },
            SetupChange::Remove(_) => {
                return Err(BadSetup::new("pawns", "a pawn cannot be removed; put it on another cell"));
            }
            SetupChange::Turn(_) | SetupChange::Left(..) => setup.apply_change(change)?,
        }
        Ok(())
    }

    fn format_setup(&self) -> Option<String> {
        Some(self.position_text())
    }

    fn encoding() -> Option<GameEncoding<Self>> {
        Some(QUORIDOR_ENCODING)
    }
}

const WALLS_KEY: &str = "walls";

/// Returns the number of walls with which each side starts.
fn walls_per_side(chosen: &BoardConfig) -> u16 {
    u16::try_from(chosen.setting_value(WALLS_KEY)).expect("at most 99")
}
