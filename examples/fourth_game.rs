//! Adds a fourth game to crosspath: Chomp, which has its own setting.
//!
//! `cargo run --release --example fourth_game -- --game chomp --bite 3`
//!
//! This file is all that crosspath knows about Chomp: the flag `--bite`, the field in the menu, the key in records and the
//! entry in the help come from [`GameDefinition::INFO`].

use std::process::ExitCode;
use std::sync::LazyLock;

use crosspath::ai::minimax::MinimaxEngine;
use crosspath::ai::{EngineKind, GameEngines, HasEngines, LevelSpec, Limits, ScoreUnit};
use crosspath::board::names::{
    cell_name, cell_typing_hint, column_letter, off_board_refusal, parse_cell_name,
};
use crosspath::canvas::{Canvas, PaintBoard, PaintOptions, PaintRole};
use crosspath::drawing::{BoardSite, Scene, SceneShape, Tiling};
use crosspath::game::{
    BoardConfig, BoardSizes, Game, GameDefinition, GameInfo, GameSetting, Notation, NumberMeaning, Outcome,
    PositionDescription, Refusal, RefusalCode, SettingKind, Side,
};
use crosspath::random::mix_seed;
use crosspath::registry::{GAMES, RegisteredGame};
use crosspath::text;
use crosspath::text::{SideName, Text};

/// Returns the games of crosspath and one more.
pub(crate) fn games() -> &'static [RegisteredGame] {
    static ALL: LazyLock<Vec<RegisteredGame>> = LazyLock::new(|| {
        let known = GAMES.iter().map(|entry| entry.with_game_list(games));
        known.chain([RegisteredGame::for_game::<Chomp>(games)]).collect()
    });
    &ALL
}

fn main() -> ExitCode {
    crosspath::run_program(games(), std::env::args_os())
}

/// A bar of chocolate. A bite takes a square and all squares above it and to its right. The square a1 is poisoned.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chomp {
    size: usize,
    /// Maximum number of squares that a bite takes.
    most: usize,
    /// Number of squares left in each column. It never increases from one column to the next.
    left: [usize; MAX_SIZE],
    to_move: Side,
}

const MAX_SIZE: usize = 7;
const BITE: &str = "bite";

/// Column and row, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Square(u8, u8);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum IllegalMove {
    #[error("the game is over")]
    Over,
    #[error("{0} is already eaten")]
    Eaten(String),
    #[error("that bite takes {0} squares; at most {1} are allowed")]
    TooLarge(usize, usize),
}

impl GameDefinition for Chomp {
    const INFO: &'static GameInfo = &GameInfo {
        name: "chomp",
        aliases: &[],
        title: "Chomp",
        short: "chomp",
        settings: &[
            GameSetting::board_size(BoardSizes {
                least: 2,
                most: MAX_SIZE,
                step: 1,
                default: 4,
                studies: None,
            }),
            GameSetting {
                key: BITE,
                flag: BITE,
                help: "how many squares a bite takes at most",
                kind: SettingKind::Number {
                    range: |size| 1..=size * size,
                    default: |size| size * size,
                    suggested: |size| size * size,
                    is_always_written: false,
                },
            },
        ],
        opening_plies: |_| 0,
        won_by: "poison",
        numbers: NumberMeaning::Nothing,
        example: "a file with the moves",
        lessons: &[],
        bench: "",
    };

    fn start_position(chosen: &BoardConfig) -> Self {
        let mut left = [0; MAX_SIZE];
        left[..chosen.width].fill(chosen.width);
        Chomp { size: chosen.width, most: chosen.setting_value(BITE), left, to_move: Side::First }
    }
}

impl HasEngines for Chomp {
    fn game_engines() -> GameEngines<Self> {
        GameEngines::from_levels(vec![
            LevelSpec {
                level: EngineKind::Level(1),
                about: "Searches one move ahead.",
                limits: Limits::default(),
                build: |_, config| Ok(Box::new(MinimaxEngine::new(1, config))),
                scale: ScoreUnit::UNITLESS,
            },
            LevelSpec {
                level: EngineKind::Level(2),
                about: "Searches six moves ahead.",
                limits: Limits::default(),
                build: |_, config| Ok(Box::new(MinimaxEngine::new(6, config))),
                scale: ScoreUnit::UNITLESS,
            },
        ])
    }
}

impl Chomp {
    fn has(&self, Square(col, row): Square) -> bool {
        self.left.get(usize::from(col)).is_some_and(|&left| usize::from(row) < left)
    }

    /// Returns the number of squares that a bite takes.
    fn bite(&self, Square(col, row): Square) -> usize {
        self.left[usize::from(col)..].iter().map(|left| left.saturating_sub(row.into())).sum()
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        let size = u8::try_from(self.size).expect("at most 7");
        (0..size).flat_map(move |row| (0..size).map(move |col| Square(col, row)))
    }
}

impl Game for Chomp {
    type Move = Square;
    type Undo = Self;
    type Refusal = IllegalMove;

    fn to_move(&self) -> Side {
        self.to_move
    }

    /// The player who took the poisoned square, and with it all that was left, has lost.
    fn outcome(&self) -> Option<Outcome> {
        (self.left[0] == 0).then_some(Outcome::Win(self.to_move))
    }

    fn push_legal_moves(&self, out: &mut Vec<Square>) {
        out.extend(self.squares().filter(|&square| self.is_legal(square)));
    }

    fn make_move(&mut self, Square(col, row): Square) -> Self {
        let before = self.clone();
        for left in &mut self.left[usize::from(col)..] {
            *left = (*left).min(row.into());
        }
        self.to_move = self.to_move.other();
        before
    }

    fn unmake_move(&mut self, _: Square, before: Self) {
        *self = before;
    }

    fn position_key(&self) -> u64 {
        let side = self.to_move.index() as u64;
        self.left.iter().fold(side, |key, &left| mix_seed(key, left as u64))
    }

    fn check_legality(&self, square: Square) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::Over);
        }
        if !self.has(square) {
            return Err(IllegalMove::Eaten(self.format_move(square)));
        }
        let bite = self.bite(square);
        if bite > self.most { Err(IllegalMove::TooLarge(bite, self.most)) } else { Ok(()) }
    }
}

impl Notation for Chomp {
    fn format_move(&self, Square(col, row): Square) -> String {
        cell_name(col.into(), row.into())
    }

    fn parse(&self, text: &str) -> Result<Square, Refusal> {
        let (col, row) =
            parse_cell_name(text).ok_or_else(|| Refusal::not_understood(text, &self.typing_hint()))?;
        match (u8::try_from(col), u8::try_from(row)) {
            (Ok(c), Ok(r)) if col.max(row) < self.size => Ok(Square(c, r)),
            _ => Err(off_board_refusal(&Refusal::sanitize_excerpt(text), self.size, self.size)),
        }
    }

    fn explain_refusal(&self, square: Square, refusal: &IllegalMove, _: &[Square]) -> Refusal {
        let name = self.format_move(square);
        match refusal {
            IllegalMove::Over => Refusal::new(RefusalCode::GameOver, "The game is over."),
            IllegalMove::Eaten(_) => {
                Refusal::new(RefusalCode::Taken, format!("{name} is already eaten. Nothing was played."))
            }
            IllegalMove::TooLarge(bite, most) => {
                let text = format!("A bite at {name} takes {bite} squares; at most {most} are allowed.");
                Refusal::new(RefusalCode::Other("too-large"), text)
            }
        }
    }
}

impl PositionDescription for Chomp {
    fn title(&self) -> String {
        format!("Chomp {0}x{0}", self.size)
    }

    fn side_name(&self, side: Side) -> SideName {
        SideName::new(side, ["Ann", "Ben"][side.index()])
    }

    fn describe_goal(&self, _: Side) -> String {
        "leaving a1 to the opponent".to_owned()
    }

    fn sample_move(&self) -> String {
        cell_name(self.size - 1, self.size - 1)
    }

    fn typing_hint(&self) -> String {
        cell_typing_hint(self.size)
    }

    fn rules_text(&self) -> Vec<Text> {
        vec![
            "A bite takes a square and all squares above it and to its right.".into(),
            text!("A bite takes at most {} squares.", self.most),
            "The player who takes a1 loses.".into(),
        ]
    }

    fn describe_ending(&self) -> Option<Text> {
        self.outcome().map(|_| "left the poisoned square".into())
    }

    /// Neither side has pieces on the board.
    fn list_pieces(&self, _: Side) -> Vec<String> {
        Vec::new()
    }

    fn describe_position(&self) -> Vec<Text> {
        let left = self.left[..self.size].iter().enumerate();
        vec![text!(
            "Left: {}.",
            left.map(|(col, left)| format!("{}{left}", column_letter(col))).collect::<Vec<_>>().join(" ")
        )]
    }
}

impl PaintBoard for Chomp {
    fn board_sizes(&self) -> Vec<(usize, usize)> {
        vec![(4 + 2 * self.size, self.size + 1)]
    }

    /// Draws row 1 at the bottom, with the column letters below it.
    fn paint(&self, look: &PaintOptions<'_>) -> Canvas {
        let n = self.size;
        let mut canvas = Canvas::new(4 + 2 * n, n + 1);
        let place = |Square(col, row): Square| (4 + 2 * usize::from(col), n - 1 - usize::from(row));
        for square in self.squares() {
            let (x, y) = place(square);
            let spot = canvas.add_spot(x, y, self.format_move(square));
            canvas.assign_hit_area(x, y, 2, 1, spot);
            let glyph = match (self.has(square), square) {
                (false, _) => '.',
                (true, Square(0, 0)) => '!',
                (true, _) => '#',
            };
            canvas.put_glyph(x, y, glyph, PaintRole::Plain);
        }
        for i in 0..n {
            canvas.put_glyph(4 + 2 * i, n, column_letter(i), PaintRole::Label);
            canvas.write_text_ending_at(2, n - 1 - i, &(i + 1).to_string(), PaintRole::Label);
        }
        canvas.draw_brackets(&look.bracket_marks(|text| self.parse(text).ok().map(place)), [1, 1]);
        canvas
    }

    /// Colours the tiles of the squares that are left.
    fn scene(&self, look: &PaintOptions<'_>) -> Scene {
        let n = self.size.cast_signed();
        let mut scene = Scene::new(Tiling::Squares { columns: n, rows: n, has_slots: false });
        let place = |Square(col, row): Square| BoardSite::Cell(col.into(), n - 1 - isize::from(row));
        scene.labels = [
            (0..self.size).map(|i| column_letter(i).to_string()).collect(),
            (1..=self.size).rev().map(|i| i.to_string()).collect(),
        ];
        scene.has_letters_below = true;
        let named = |text: &str| self.parse(text).ok().map(place);
        look.highlight_cursor(&mut scene, named);
        for square in self.squares() {
            scene.spots.push((place(square), self.format_move(square)));
            if self.has(square) {
                scene.put_shape(place(square), SceneShape::Tile, PaintRole::Frame);
            }
        }
        if self.has(Square(0, 0)) {
            scene.put_sign(place(Square(0, 0)), '!', PaintRole::Plain);
        }
        look.mark_tiles(&mut scene, named);
        scene
    }
}
