//! Description of Quoridor: names, settings and files.

use super::encoding::ENCODING;
use super::{MAX_SIZE, MIN_SIZE, Quoridor, default_walls};
use crate::game::{
    About, BadSetup, BoardConfig, Describe, Encoding, Numbers, RuleLesson, Setting, SettingKind, Setup,
    SetupChange, Side, Sizes,
};

impl Describe for Quoridor {
    const ABOUT: &'static About = &About {
        name: "quoridor",
        aliases: &["quo"],
        title: "Quoridor",
        short: "quoridor",
        settings: &[
            Setting::size(Sizes {
                least: 3,
                most: MAX_SIZE,
                step: 2,
                default: 9,
                studies: Some(MIN_SIZE..=MAX_SIZE),
            }),
            Setting {
                key: WALLS,
                flag: "walls",
                help: "walls per player",
                kind: SettingKind::Number {
                    range: |_| 0..=99,
                    default: |size| default_walls(size).into(),
                    suggested: |size| default_walls(size).into(),
                    is_always_written: true,
                },
            },
        ],
        opening_plies: |_| 4,
        won_by: "goal",
        numbers: Numbers::Nothing,
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

    fn set_up(chosen: &BoardConfig) -> Self {
        Quoridor::with_walls(chosen.width, chosen.height, walls_each(chosen)).expect("the size was checked")
    }

    fn from_setup(chosen: &BoardConfig, setup: &Setup) -> Result<Self, BadSetup> {
        Quoridor::of_setup((chosen.width, chosen.height), walls_each(chosen), setup)
    }

    fn read_setup(text: &str) -> Result<(Setup, Option<String>), BadSetup> {
        let game = Quoridor::from_position_text(text)?;
        let (width, height) = (game.width(), game.height());
        let size = if width == height { width.to_string() } else { format!("{width}x{height}") };
        // Without a size it is one of the board that is asked for.
        let is_stated = text.matches('/').count() > 4;
        Ok((game.as_setup(), is_stated.then_some(size)))
    }

    fn setup(&self) -> Option<Setup> {
        Some(self.as_setup())
    }

    /// A pawn is moved, never taken away; a wall comes from the hand of its side and goes back there.
    fn change_setup(setup: &mut Setup, change: &SetupChange) -> Result<(), BadSetup> {
        let is_wall = |place: &str| place.len() > 2 && place.ends_with(['h', 'v']);
        let count = |setup: &mut Setup, side: Side, step: i16| {
            if let Some(left) = &mut setup.left {
                left[side] = left[side].saturating_add_signed(step);
            }
        };
        match change {
            SetupChange::Put(side, place) if is_wall(place) => {
                if let Some(owner) = setup.take_away(place) {
                    count(setup, owner, 1);
                }
                setup.change(change)?;
                count(setup, *side, -1);
            }
            SetupChange::Put(side, place) => setup.pieces[*side][0].clone_from(place),
            SetupChange::Remove(place) if is_wall(place) => match setup.take_away(place) {
                Some(side) => count(setup, side, 1),
                None => return setup.change(change),
            },
            SetupChange::Remove(_) => {
                return Err(BadSetup::new("pawns", "a pawn cannot be removed; put it on another cell"));
            }
            SetupChange::Turn(_) | SetupChange::Left(..) => setup.change(change)?,
        }
        Ok(())
    }

    fn setup_text(&self) -> Option<String> {
        Some(self.position_text())
    }

    fn encoding() -> Option<Encoding<Self>> {
        Some(ENCODING)
    }
}

const WALLS: &str = "walls";

/// The walls of each side on a board.
fn walls_each(chosen: &BoardConfig) -> u16 {
    u16::try_from(chosen.number(WALLS)).expect("at most 99")
}
