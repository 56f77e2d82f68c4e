//! Opening book for Quoridor on 9x9, made by long searches, and opening names. The book's lines are in
//! `openings/`. This module depends on the rules, not on the search.

use std::sync::LazyLock;

use super::eval::SCORE_PER_STEP;
use crate::ai::{
    Engine, GameHistory, MoveChoice, SearchBudget, SearchControl, SearchInfo, legal_moves, with_move_made,
};
use crate::game::{Game, PositionDescription, Side};
use crate::games::quoridor::{Cell, Move, Orientation, Quoridor};
use crate::text;
use crate::text::Text;

/// Text of the opening book, made by `scripts/quoridor-book.py`. Each line holds a position, the position
/// after its best move, and the value for the mover in steps.
const BOOK_TEXT: &str = include_str!("../../../openings/quoridor-book.txt");

/// Book entries sorted by position: the position, the position after the best move, and the value for the
/// mover.
static OPENING_BOOK: LazyLock<Vec<(&str, &str, i32)>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut fields = line.split(" > ");
        let (position, after, value) = (fields.next()?, fields.next()?, fields.next()?);
        let (steps, hundredths) = value.strip_prefix(['+', '-'])?.split_once('.')?;
        let size = steps.parse::<i32>().ok()? * SCORE_PER_STEP + hundredths.parse::<i32>().ok()?;
        Some((position, after, if value.starts_with('-') { -size } else { size }))
    };
    let mut lines: Vec<_> = BOOK_TEXT.lines().filter_map(line).collect();
    lines.sort_unstable();
    lines
});

/// Names of openings, each with the start of its position text. A name also applies to the mirror image and
/// to exchanged sides.
const NAMED_OPENINGS: &[(&str, &str)] = &[
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

/// Returns the book move of a position and its value for the mover, in hundredths of a step.
///
/// ```
/// use crosspath::ai::quoridor::book::find_book_move;
/// use crosspath::games::quoridor::Quoridor;
/// let start = Quoridor::with_walls(9, 9, 10)?;
/// assert_eq!(find_book_move(&start).map(|found| found.0.to_string()).as_deref(), Some("e2"));
/// assert_eq!(find_book_move(&Quoridor::with_walls(9, 9, 9)?), None);
/// # Ok::<(), crosspath::board::SizeError>(())
/// ```
#[must_use]
pub fn find_book_move(game: &Quoridor) -> Option<(Move, i32)> {
    if !is_on_book_board(game) || game.outcome().is_some() {
        return None;
    }
    let name = canonical_position_text(game);
    let line = OPENING_BOOK.binary_search_by(|line| line.0.cmp(&name)).ok()?;
    let (_, after, value) = OPENING_BOOK[line];
    let mut game = game.clone();
    let moves = legal_moves(&game).into_iter();
    let mut leading =
        moves.filter(|&mv| with_move_made(&mut game, mv, |game| canonical_position_text(game) == after));
    leading.next().map(|mv| (mv, value))
}

/// Returns the common name of the opening on the board.
///
/// ```
/// use crosspath::ai::quoridor::book::find_opening_name;
/// use crosspath::games::quoridor::Quoridor;
/// let game = Quoridor::from_position_text("- / - / e4 e6 / 10 10 / 1")?;
/// assert_eq!(find_opening_name(&game), Some("Standard"));
/// # Ok::<(), crosspath::games::quoridor::BadPosition>(())
/// ```
#[must_use]
pub fn find_opening_name(game: &Quoridor) -> Option<&'static str> {
    if !is_on_book_board(game) {
        return None;
    }
    let texts = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(x, y)| transformed_position_text(game, x, y));
    NAMED_OPENINGS
        .iter()
        .find(|named| texts.iter().any(|text| text.starts_with(named.1)))
        .map(|named| named.0)
}

/// Describes the book's entry for a position.
pub(super) fn describe_book_entry(at: &GameHistory<'_, Quoridor>) -> Vec<Text> {
    let game = at.now;
    let named = find_opening_name(game).map(|name| text!("This is the {name} opening."));
    let told = match find_book_move(game) {
        Some((mv, value)) => text!(
            "The opening book plays {} here: {:+.1} steps for {}.",
            mv,
            f64::from(value) / f64::from(SCORE_PER_STEP),
            game.side_name(game.to_move())
        ),
        None => "This position is not in the opening book.".into(),
    };
    named.into_iter().chain([told]).collect()
}

/// Reports whether the board is 9x9, the size that the book covers.
fn is_on_book_board(game: &Quoridor) -> bool {
    (game.width(), game.height()) == (9, 9)
}

/// Returns the text of a position or of its mirror image, whichever sorts first.
fn canonical_position_text(game: &Quoridor) -> String {
    transformed_position_text(game, false, false).min(transformed_position_text(game, true, false))
}

/// Formats `h walls / v walls / pawns / walls left / mover`. `across` mirrors left and right, `over`
/// exchanges the sides.
fn transformed_position_text(game: &Quoridor, across: bool, over: bool) -> String {
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
    let [first, second] = Side::map_both(|side| {
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

/// An engine that plays book moves while the book has one, and then lets another engine choose.
pub(super) struct BookEngine(pub(super) Box<dyn Engine<Quoridor>>);

impl Engine<Quoridor> for BookEngine {
    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn reset_for_next_candidate(&mut self) {
        self.0.reset_for_next_candidate();
    }

    fn choose(
        &mut self,
        at: &GameHistory<'_, Quoridor>,
        control: &SearchControl<'_, Move>,
    ) -> MoveChoice<Move> {
        match find_book_move(at.now) {
            Some((mv, value)) => {
                let found = SearchBudget::start(control).make_info(vec![mv], Some(value), 0);
                SearchInfo { is_from_book: true, ..found }.into_choice()
            }
            None => self.0.choose(at, control),
        }
    }
}
