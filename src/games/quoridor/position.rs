//! One-line text form of a position. This module checks that a position is legal, not that a game can reach
//! it.

use super::moves::{Cell, MAX_QUORIDOR_SIZE, Orientation, Wall};
use super::{MAX_WALLS_PER_SIDE, MIN_QUORIDOR_SIZE, Quoridor};
use crate::board::names::parse_cell_name;
use crate::game::{BadSetup, BySide, Game, PositionDescription, PositionSetup, Refusal, Side};

/// Error in the text of a position.
///
/// ```
/// use crosspath::games::quoridor::Quoridor;
/// let bad = Quoridor::from_position_text("/ / e1 e9 / 10 10 / 3 / 9").unwrap_err();
/// assert_eq!(bad.to_string(), "side to move: \"3\" is neither 1 nor 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {why}")]
pub struct BadPosition {
    /// Invalid part of the text: `size`, `horizontal walls`, `vertical walls`, `pawns`, `hands`, `side to
    /// move`, or `position` for the whole.
    pub field: &'static str,
    /// Description of the problem.
    pub why: String,
}

impl From<BadPosition> for BadSetup {
    fn from(BadPosition { field, why }: BadPosition) -> Self {
        BadSetup::new(field, why)
    }
}

const POSITION_TEXT_FORM: &str = "expected `h walls / v walls / pawns / walls left / 1 or 2 [/ size]`";

impl Quoridor {
    /// Returns the position in one line:
    /// `{h walls} / {v walls} / {pawns} / {walls left} / {side to move} [/ {size}]`.
    ///
    /// Walls are written without their suffix, by file, then row. The size is written only if it is not 9.
    /// The text contains neither the number of plies nor the owners of the walls.
    ///
    /// ```
    /// use crosspath::games::quoridor::Quoridor;
    /// assert_eq!(Quoridor::new(9)?.position_text(), "- / - / e1 e9 / 10 10 / 1");
    /// # Ok::<(), crosspath::board::SizeError>(())
    /// ```
    #[must_use]
    pub fn position_text(&self) -> String {
        let walls = |orientation: Orientation| {
            let names: Vec<String> = self
                .walls()
                .filter(|(wall, _)| wall.orientation == orientation)
                .map(|(wall, _)| wall.post.to_string())
                .collect();
            if names.is_empty() { "-".to_owned() } else { names.join(" ") }
        };
        let pair = |a: &dyn ToString, b: &dyn ToString| format!("{} {}", a.to_string(), b.to_string());
        let mut fields = vec![
            walls(Orientation::Horizontal),
            walls(Orientation::Vertical),
            pair(&self.pawns.first, &self.pawns.second),
            pair(&self.walls_left.first, &self.walls_left.second),
            (self.to_move().index() + 1).to_string(),
        ];
        match (self.width, self.height) {
            (9, 9) => (),
            (width, height) if width == height => fields.push(width.to_string()),
            (width, height) => fields.push(format!("{width}x{height}")),
        }
        fields.join(" / ")
    }

    /// Reads a position. Blanks may be missing, lists may be empty, and letters may be of any case. The ply
    /// is 0. The text does not give the owners of the walls, so they are assigned in order such that both
    /// sides started with equally many.
    ///
    /// ```
    /// use crosspath::game::Side;
    /// use crosspath::games::quoridor::Quoridor;
    /// let game = Quoridor::from_position_text("e3 / / e1 e9 / 9 10 / 2 / 9")?;
    /// assert_eq!((game.wall_count(), game.walls_left(Side::First)), (1, 9));
    /// assert!(Quoridor::from_position_text("e3 / / e1 e1 / 9 10 / 2 / 9").is_err(), "one cell for both pawns");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names the field and the problem: off the board, overlapping or crossing walls, one cell for
    /// both pawns, both pawns on their goal rows, a pawn without a path, more than 999 walls left.
    pub fn from_position_text(text: &str) -> Result<Self, BadPosition> {
        let mut fields: Vec<&str> = text.split('/').map(str::trim).collect();
        if fields.len() == 5 {
            fields.push("9");
        }
        let &[across, upright, pawns, hands, turn, size] = fields.as_slice() else {
            return Err(position_error("form", POSITION_TEXT_FORM));
        };
        let (width, height) = parse_board_size(size)?;
        let mut game = Quoridor::with_walls(width, height, 0)
            .map_err(|error| position_error("size", error.to_string()))?;
        game.pawns = parse_pawns(&game, pawns)?;
        game.walls_left = parse_walls_left(hands)?;
        game.to_move = match turn {
            "1" => Side::First,
            "2" => Side::Second,
            _ => return Err(position_error("side to move", format!("{turn:?} is neither 1 nor 2"))),
        };
        game.place_listed_walls(across, upright)?;
        let passages = game.any_wall_graph();
        for side in Side::BOTH {
            if game.distance_to_goal_in(&passages, side).is_none() {
                let why = format!("{} has no path to row {}", game.pawns[side], game.goal_row(side) + 1);
                return Err(position_error("pawns", why));
            }
        }
        game.key = game.compute_key();
        Ok(game)
    }

    /// Checks that the numbers of walls are possible in a game in which each side begins with `each` walls.
    ///
    /// # Errors
    /// Returns an error if a side has more than `each` walls left, or if the walls on the board and the walls
    /// left of both sides add up to more than twice `each`.
    pub fn check_wall_totals(&self, each: u16) -> Result<(), BadPosition> {
        let Quoridor { walls_left: BySide { first, second }, .. } = *self;
        if let Some(left) = [first, second].into_iter().find(|&left| left > each) {
            let why = format!("{left} walls left are too many: each side has {each} walls in this game");
            return Err(position_error("hands", why));
        }
        let (built, left) = (self.walls().count(), usize::from(first) + usize::from(second));
        if built + left > 2 * usize::from(each) {
            let why = format!(
                "{built} on the board and {left} left are too many: each side has {each} walls in this game"
            );
            return Err(position_error("walls", why));
        }
        Ok(())
    }

    /// Returns the position as a set-up: pawns, walls, walls left and side to move.
    pub(super) fn as_setup(&self) -> PositionSetup {
        let pieces = BySide::new(self.list_pieces(Side::First), self.list_pieces(Side::Second));
        PositionSetup { pieces, to_move: self.to_move, left: Some(self.walls_left) }
    }

    /// Returns the position of a set-up on a board of this width and height, on which each side begins with
    /// `walls_each` walls.
    ///
    /// # Errors
    /// Returns the errors of [`Quoridor::from_position_text`] and [`Quoridor::check_wall_totals`].
    pub(super) fn build_from_setup(
        (width, height): (usize, usize),
        walls_each: u16,
        setup: &PositionSetup,
    ) -> Result<Self, BadSetup> {
        let mut pawns = Vec::new();
        let mut walls = Vec::new();
        for side in Side::BOTH {
            let [pawn, rest @ ..] = setup.pieces[side].as_slice() else {
                return Err(BadSetup::new("pawns", "a side has no pawn"));
            };
            pawns.push(pawn.as_str());
            for name in rest {
                let is_wall = name.is_ascii() && name.ends_with(['h', 'v']);
                let wall = is_wall.then(|| name.split_at(name.len() - 1));
                let wrong =
                    || BadSetup::new("walls", format!("{:?} is not a wall", Refusal::sanitize_excerpt(name)));
                walls.push((wall.ok_or_else(wrong)?, side));
            }
        }
        let posts = |suffix: &str| {
            let posts = walls.iter().filter(|((_, end), _)| *end == suffix).map(|((post, _), _)| *post);
            posts.collect::<Vec<_>>().join(" ")
        };
        let hand = |side: Side| setup.left.map_or(0, |left| left[side]);
        let text = format!(
            "{} / {} / {} / {} {} / {} / {width}x{height}",
            posts("h"),
            posts("v"),
            pawns.join(" "),
            hand(Side::First),
            hand(Side::Second),
            setup.to_move.index() + 1
        );
        let mut game = Quoridor::from_position_text(&text)?;
        game.check_wall_totals(walls_each)?;
        for ((post, _), side) in walls {
            if let Some((file, row)) = parse_cell_name(post)
                && let Some(wall) = Cell::at(file, row).and_then(|post| game.walls.wall_at_post(post))
            {
                game.walls.remove_wall(wall);
                game.walls.add_wall(wall, side);
            }
        }
        Ok(game)
    }

    fn place_listed_walls(&mut self, across: &str, upright: &str) -> Result<(), BadPosition> {
        let mut walls = Vec::new();
        for (field, list, orientation) in [
            ("horizontal walls", across, Orientation::Horizontal),
            ("vertical walls", upright, Orientation::Vertical),
        ] {
            for post in parse_cell_list(field, if list == "-" { "" } else { list })? {
                let wall = Wall { post, orientation };
                if !self.has_post(post) {
                    return Err(position_error(field, format!("{wall} is not on the board")));
                }
                if let Some(other) = self.walls.find_overlapping_wall(wall) {
                    return Err(position_error(field, format!("{wall} overlaps {other}")));
                }
                if let Some(other) = self.walls.find_crossing_wall(wall) {
                    return Err(position_error(field, format!("{wall} crosses {other}")));
                }
                self.walls.add_wall(wall, Side::First);
                walls.push(wall);
            }
        }
        let Quoridor { walls_left: BySide { first, second }, .. } = *self;
        let each = (usize::from(first) + usize::from(second) + walls.len()).div_ceil(2);
        let firsts = each.saturating_sub(usize::from(first));
        walls.sort_unstable();
        for &wall in walls.iter().skip(firsts) {
            self.walls.add_wall(wall, Side::Second);
        }
        Ok(())
    }
}

fn position_error(field: &'static str, why: impl Into<String>) -> BadPosition {
    BadPosition { field, why: why.into() }
}

fn parse_board_size(text: &str) -> Result<(usize, usize), BadPosition> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits
            .then(|| text.parse().ok())
            .flatten()
            .filter(|size| (MIN_QUORIDOR_SIZE..=MAX_QUORIDOR_SIZE).contains(size))
    };
    let sizes = match text.split_once(['x', 'X']) {
        Some((width, height)) => number(width).zip(number(height)),
        None => number(text).map(|size| (size, size)),
    };
    sizes.ok_or_else(|| {
        position_error("size", format!("{text:?} is not a size from 2 to 25, or columns x rows such as 5x3"))
    })
}

fn parse_pawns(game: &Quoridor, text: &str) -> Result<BySide<Cell>, BadPosition> {
    let cells = parse_cell_list("pawns", text)?;
    let &[first, second] = cells.as_slice() else {
        return Err(position_error("pawns", format!("expected two cells, found {}", cells.len())));
    };
    if let Some(cell) = cells.iter().find(|&&cell| !game.has_cell(cell)) {
        return Err(position_error("pawns", format!("{cell} is not on the board")));
    }
    if first == second {
        return Err(position_error("pawns", format!("the pawns cannot both stand on {first}")));
    }
    if first.row() == game.goal_row(Side::First) && second.row() == game.goal_row(Side::Second) {
        return Err(position_error("pawns", "the pawns cannot both stand on their goal rows"));
    }
    Ok(BySide::new(first, second))
}

fn parse_walls_left(text: &str) -> Result<BySide<u16>, BadPosition> {
    let number = |word: &str| -> Result<u16, BadPosition> {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let value = digits.then(|| word.parse().ok()).flatten().filter(|&value| value <= MAX_WALLS_PER_SIDE);
        value.ok_or_else(|| {
            position_error("hands", format!("{word:?} is not a number from 0 to {MAX_WALLS_PER_SIDE}"))
        })
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        &[first, second] => Ok(BySide::new(number(first)?, number(second)?)),
        _ => Err(position_error("hands", format!("expected two numbers, found {}", words.len()))),
    }
}

/// Reads a list of cell names, with or without blanks between them.
fn parse_cell_list(field: &'static str, text: &str) -> Result<Vec<Cell>, BadPosition> {
    let mut cells = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let after_letter = rest.char_indices().nth(1).map_or(rest.len(), |(end, _)| end);
        let digits = rest[after_letter..].bytes().take_while(u8::is_ascii_digit).count();
        let (name, next) = rest.split_at(after_letter + digits);
        let cell = parse_cell_name(name)
            .ok_or_else(|| position_error(field, format!("{name:?} is not a cell such as e3")))?;
        cells.push(
            Cell::at(cell.0, cell.1)
                .ok_or_else(|| position_error(field, format!("{name} is not on the board")))?,
        );
        rest = next.trim_start();
    }
    Ok(cells)
}
