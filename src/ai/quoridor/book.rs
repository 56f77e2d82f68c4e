//! The first moves of Quoridor on 9x9, found once by long searches, and the names of openings. Knows the rules; the lines stand in
//! `openings/`.

use std::sync::LazyLock;

use super::eval::STEP;
use crate::ai::{Choice, Engine, GameHistory, Info, SearchBudget, SearchControl, after_move, legal_moves};
use crate::game::{Game, Side, View};
use crate::games::quoridor::{Cell, Move, Orientation, Quoridor};
use crate::text;
use crate::text::Text;

/// Positions of the book, made by `scripts/quoridor-book.py`: position, position after the move, value in steps for the mover.
const TEXT: &str = include_str!("../../../openings/quoridor-book.txt");

/// A position, the one after the best move, and what that is worth for the mover; sorted by positions.
static BOOK: LazyLock<Vec<(&str, &str, i32)>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut fields = line.split(" > ");
        let (position, after, value) = (fields.next()?, fields.next()?, fields.next()?);
        let (steps, hundredths) = value.strip_prefix(['+', '-'])?.split_once('.')?;
        let size = steps.parse::<i32>().ok()? * STEP + hundredths.parse::<i32>().ok()?;
        Some((position, after, if value.starts_with('-') { -size } else { size }))
    };
    let mut lines: Vec<_> = TEXT.lines().filter_map(line).collect();
    lines.sort_unstable();
    lines
});

/// Openings that players know by name: what the text of a position begins with. Each stands for its mirror image, and for the same
/// with the sides exchanged.
const NAMED: &[(&str, &str)] = &[
    ("Reed", "c6 f6 / - /"),
    ("Ala", "d3 f3 / c4 g4 /"),
    ("Shiller", "- / c1 / e4 e6 /"),
    ("Shiller", "- / d1 / e4 e6 /"),
    ("Sidewall", "- / e8 / e2 e8 /"),
    ("Stonewall", "- / e1 /"),
    ("Standard", "- / - / e4 e6 /"),
    ("Standard", "e3 / - / e4 e6 /"),
    ("Standard", "e6 / - / e4 e6 /"),
];

/// The move that the book has for a position, and its value for the mover in hundredths of a step.
///
/// ```
/// use crosspath::ai::quoridor::book::find;
/// use crosspath::games::quoridor::Quoridor;
/// let start = Quoridor::with_walls(9, 9, 10)?;
/// assert_eq!(find(&start).map(|found| found.0.to_string()).as_deref(), Some("e2"));
/// assert_eq!(find(&Quoridor::with_walls(9, 9, 9)?), None);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn find(game: &Quoridor) -> Option<(Move, i32)> {
    if !is_usual(game) || game.outcome().is_some() {
        return None;
    }
    let name = unmirrored(game);
    let line = BOOK.binary_search_by(|line| line.0.cmp(&name)).ok()?;
    let (_, after, value) = BOOK[line];
    let mut game = game.clone();
    let moves = legal_moves(&game).into_iter();
    let mut leading = moves.filter(|&mv| after_move(&mut game, mv, |game| unmirrored(game) == after));
    leading.next().map(|mv| (mv, value))
}

/// The name that players have for the opening on the board.
///
/// ```
/// use crosspath::ai::quoridor::book::opening;
/// use crosspath::games::quoridor::Quoridor;
/// let game = Quoridor::from_position_text("- / - / e4 e6 / 10 10 / 1")?;
/// assert_eq!(opening(&game), Some("Standard"));
/// # Ok::<(), crosspath::games::quoridor::BadPosition>(())
/// ```
#[must_use]
pub fn opening(game: &Quoridor) -> Option<&'static str> {
    if !is_usual(game) {
        return None;
    }
    let texts = [(false, false), (true, false), (false, true), (true, true)].map(|(x, y)| text(game, x, y));
    NAMED.iter().find(|named| texts.iter().any(|text| text.starts_with(named.1))).map(|named| named.0)
}

/// Describes the book's entry for a position.
pub(super) fn describe_opening(at: &GameHistory<'_, Quoridor>) -> Vec<Text> {
    let game = at.now;
    let named = opening(game).map(|name| text!("This is the {name} opening."));
    let told = match find(game) {
        Some((mv, value)) => text!(
            "The opening book plays {} here: {:+.1} steps for {}.",
            mv,
            f64::from(value) / f64::from(STEP),
            game.side_name(game.to_move())
        ),
        None => "This position is not in the opening book.".into(),
    };
    named.into_iter().chain([told]).collect()
}

/// Reports whether it is the board of the book.
fn is_usual(game: &Quoridor) -> bool {
    (game.width(), game.height()) == (9, 9)
}

/// The text of a position or of its mirror image, whichever comes first.
fn unmirrored(game: &Quoridor) -> String {
    text(game, false, false).min(text(game, true, false))
}

/// `h walls / v walls / pawns / hands / mover`, left and right exchanged if `across`, and the sides if `over`.
fn text(game: &Quoridor, across: bool, over: bool) -> String {
    let turned = |cell: Cell, last: usize| {
        let file = if across { last - cell.file() } else { cell.file() };
        let row = if over { last - cell.row() } else { cell.row() };
        Cell::at(file, row).map_or_else(String::new, |cell| cell.to_string())
    };
    let walls = |orientation: Orientation| {
        let posts = game.walls().filter(|(wall, _)| wall.orientation == orientation);
        let mut names: Vec<String> = posts.map(|(wall, _)| turned(wall.post, game.width() - 2)).collect();
        names.sort_unstable();
        if names.is_empty() { "-".to_owned() } else { names.join(" ") }
    };
    let [first, second] = Side::each(|side| {
        let side = if over { side.other() } else { side };
        (turned(game.pawn(side), game.width() - 1), game.walls_left(side))
    });
    let mover = if over { game.to_move().other() } else { game.to_move() };
    format!(
        "{} / {} / {} {} / {} {} / {}",
        walls(Orientation::Horizontal),
        walls(Orientation::Vertical),
        first.0,
        second.0,
        first.1,
        second.1,
        mover.index() + 1
    )
}

/// An engine that plays by the book while it lasts, and else leaves the move to another one.
pub(super) struct BookEngine(pub(super) Box<dyn Engine<Quoridor>>);

impl Engine<Quoridor> for BookEngine {
    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn next_candidate(&mut self) {
        self.0.next_candidate();
    }

    fn choose(&mut self, at: &GameHistory<'_, Quoridor>, control: &SearchControl<'_, Move>) -> Choice<Move> {
        match find(at.now) {
            Some((mv, value)) => {
                let found = SearchBudget::start(control).found(vec![mv], Some(value), 0);
                Info { is_from_book: true, ..found }.choice()
            }
            None => self.0.choose(at, control),
        }
    }
}
