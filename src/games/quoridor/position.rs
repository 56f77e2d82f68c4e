//! A position as one line of text, written and read. Knows the rules' conditions, not how a game gets there.

use super::moves::{Cell, MAX_SIZE, Orientation, Wall};
use super::{MAX_WALLS, MIN_SIZE, Quoridor};
use crate::board::names::read_cell;
use crate::game::{BadSetup, BySide, Game, Refusal, Setup, Side, View};

/// A text that is no position.
///
/// ```
/// use crosspath::games::quoridor::Quoridor;
/// let bad = Quoridor::from_position_text("/ / e1 e9 / 10 10 / 3 / 9").unwrap_err();
/// assert_eq!(bad.to_string(), "side to move: \"3\" is neither 1 nor 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {why}")]
pub struct BadPosition {
    /// The part of the text: `size`, `horizontal walls`, `vertical walls`, `pawns`, `hands`, `side to move`, or
    /// `position` for the whole.
    pub field: &'static str,
    /// Reason why it is wrong, and what would be right.
    pub why: String,
}

impl From<BadPosition> for BadSetup {
    fn from(BadPosition { field, why }: BadPosition) -> Self {
        BadSetup::new(field, why)
    }
}

const FORM: &str = "expected `h walls / v walls / pawns / walls left / 1 or 2 [/ size]`";

impl Quoridor {
    /// The position in one line: `{h walls} / {v walls} / {pawns} / {hands} / {side to move} [/ {size}]`.
    ///
    /// Walls are written without their suffix, by file, then row; the size only if it is not 9. Neither the plies
    /// played nor who built a wall is in it.
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
            pair(&self.hands.first, &self.hands.second),
            (self.to_move().index() + 1).to_string(),
        ];
        match (self.width, self.height) {
            (9, 9) => (),
            (width, height) if width == height => fields.push(width.to_string()),
            (width, height) => fields.push(format!("{width}x{height}")),
        }
        fields.join(" / ")
    }

    /// Reads a position. Blanks may be missing, lists empty, letters of any case. The ply is 0; since the text does not
    /// say who built a wall, the walls are dealt out in their order so that both sides have had equally many.
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
    /// Names the field and what is wrong with it: off the board, overlapping or crossing walls, one cell for both
    /// pawns, both pawns on their goal rows, a pawn without a path, a hand above 999.
    pub fn from_position_text(text: &str) -> Result<Self, BadPosition> {
        let mut fields: Vec<&str> = text.split('/').map(str::trim).collect();
        if fields.len() == 5 {
            fields.push("9");
        }
        let &[across, upright, pawns, hands, turn, size] = fields.as_slice() else {
            return Err(bad("form", FORM));
        };
        let (width, height) = read_size(size)?;
        let mut game =
            Quoridor::with_walls(width, height, 0).map_err(|error| bad("size", error.to_string()))?;
        game.pawns = read_pawns(&game, pawns)?;
        game.hands = read_hands(hands)?;
        game.to_move = match turn {
            "1" => Side::First,
            "2" => Side::Second,
            _ => return Err(bad("side to move", format!("{turn:?} is neither 1 nor 2"))),
        };
        game.build_all(across, upright)?;
        let passages = game.passages();
        for side in Side::BOTH {
            if game.steps_on(&passages, side).is_none() {
                let why = format!("{} has no path to row {}", game.pawns[side], game.goal_row(side) + 1);
                return Err(bad("pawns", why));
            }
        }
        game.key = game.fresh_key();
        Ok(game)
    }

    /// Checks that the position can occur in a game in which each side begins with `each` walls.
    ///
    /// # Errors
    /// If a side has more walls left, or both have had more together.
    pub fn check_walls(&self, each: u16) -> Result<(), BadPosition> {
        let Quoridor { hands: BySide { first, second }, .. } = *self;
        if let Some(left) = [first, second].into_iter().find(|&left| left > each) {
            let why = format!("{left} walls left are too many: each side has {each} walls in this game");
            return Err(bad("hands", why));
        }
        let (built, left) = (self.walls().count(), usize::from(first) + usize::from(second));
        if built + left > 2 * usize::from(each) {
            let why = format!(
                "{built} on the board and {left} left are too many: each side has {each} walls in this game"
            );
            return Err(bad("walls", why));
        }
        Ok(())
    }

    /// Returns the position as a set-up: each side's pawn and walls, the walls left, the side to move.
    pub(super) fn as_setup(&self) -> Setup {
        let pieces = BySide::new(self.pieces(Side::First), self.pieces(Side::Second));
        Setup { pieces, to_move: self.to_move, left: Some(self.hands) }
    }

    /// Sets up a position on a board of this width and height, on which each side begins with `walls_each` walls.
    ///
    /// # Errors
    /// As [`Quoridor::from_position_text`] and [`Quoridor::check_walls`].
    pub(super) fn of_setup(
        (width, height): (usize, usize),
        walls_each: u16,
        setup: &Setup,
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
                let wrong = || BadSetup::new("walls", format!("{:?} is not a wall", Refusal::shown(name)));
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
        game.check_walls(walls_each)?;
        for ((post, _), side) in walls {
            if let Some((file, row)) = read_cell(post)
                && let Some(wall) = Cell::at(file, row).and_then(|post| game.walls.on(post))
            {
                game.walls.lift(wall);
                game.walls.build(wall, side);
            }
        }
        Ok(game)
    }

    fn build_all(&mut self, across: &str, upright: &str) -> Result<(), BadPosition> {
        let mut walls = Vec::new();
        for (field, list, orientation) in [
            ("horizontal walls", across, Orientation::Horizontal),
            ("vertical walls", upright, Orientation::Vertical),
        ] {
            for post in read_cells(field, if list == "-" { "" } else { list })? {
                let wall = Wall { post, orientation };
                if !self.is_post(post) {
                    return Err(bad(field, format!("{wall} is not on the board")));
                }
                if let Some(other) = self.walls.overlapped_by(wall) {
                    return Err(bad(field, format!("{wall} overlaps {other}")));
                }
                if let Some(other) = self.walls.crossed_by(wall) {
                    return Err(bad(field, format!("{wall} crosses {other}")));
                }
                self.walls.build(wall, Side::First);
                walls.push(wall);
            }
        }
        let Quoridor { hands: BySide { first, second }, .. } = *self;
        let each = (usize::from(first) + usize::from(second) + walls.len()).div_ceil(2);
        let firsts = each.saturating_sub(usize::from(first));
        walls.sort_unstable();
        for &wall in walls.iter().skip(firsts) {
            self.walls.build(wall, Side::Second);
        }
        Ok(())
    }
}

fn bad(field: &'static str, why: impl Into<String>) -> BadPosition {
    BadPosition { field, why: why.into() }
}

fn read_size(text: &str) -> Result<(usize, usize), BadPosition> {
    let number = |text: &str| {
        let text = text.trim();
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size))
    };
    let sizes = match text.split_once(['x', 'X']) {
        Some((width, height)) => number(width).zip(number(height)),
        None => number(text).map(|size| (size, size)),
    };
    sizes.ok_or_else(|| {
        bad("size", format!("{text:?} is not a size from 2 to 25, or columns x rows such as 5x3"))
    })
}

fn read_pawns(game: &Quoridor, text: &str) -> Result<BySide<Cell>, BadPosition> {
    let cells = read_cells("pawns", text)?;
    let &[first, second] = cells.as_slice() else {
        return Err(bad("pawns", format!("expected two cells, found {}", cells.len())));
    };
    if let Some(cell) = cells.iter().find(|&&cell| !game.is_cell(cell)) {
        return Err(bad("pawns", format!("{cell} is not on the board")));
    }
    if first == second {
        return Err(bad("pawns", format!("the pawns cannot both stand on {first}")));
    }
    if first.row() == game.goal_row(Side::First) && second.row() == game.goal_row(Side::Second) {
        return Err(bad("pawns", "the pawns cannot both stand on their goal rows"));
    }
    Ok(BySide::new(first, second))
}

fn read_hands(text: &str) -> Result<BySide<u16>, BadPosition> {
    let number = |word: &str| -> Result<u16, BadPosition> {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        let value = digits.then(|| word.parse().ok()).flatten().filter(|&value| value <= MAX_WALLS);
        value.ok_or_else(|| bad("hands", format!("{word:?} is not a number from 0 to {MAX_WALLS}")))
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        &[first, second] => Ok(BySide::new(number(first)?, number(second)?)),
        _ => Err(bad("hands", format!("expected two numbers, found {}", words.len()))),
    }
}

/// Cell names, with or without blanks between them.
fn read_cells(field: &'static str, text: &str) -> Result<Vec<Cell>, BadPosition> {
    let mut cells = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let after_letter = rest.char_indices().nth(1).map_or(rest.len(), |(end, _)| end);
        let digits = rest[after_letter..].bytes().take_while(u8::is_ascii_digit).count();
        let (name, next) = rest.split_at(after_letter + digits);
        let cell = read_cell(name).ok_or_else(|| bad(field, format!("{name:?} is not a cell such as e3")))?;
        cells
            .push(Cell::at(cell.0, cell.1).ok_or_else(|| bad(field, format!("{name} is not on the board")))?);
        rest = next.trim_start();
    }
    Ok(cells)
}
