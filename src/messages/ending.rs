//! Messages at the end of a game: the winner, the kind of win, the turning point, and the possible next
//! steps.

use crate::canvas::GlyphSet;
use crate::game::{Outcome, Side};
use crate::messages::keys::{
    EASIER_KEY, ESC_KEY, FORWARD_ARROW_KEY, HARDER_KEY, NEW_GAME_KEY, OPEN_KEY, QUIT_KEY, REMATCH_KEY,
    REVIEW_KEY, SAVE_KEY, TURNING_POINT_KEY,
};
use crate::messages::{format_move_count, side_name_with_glyph};
use crate::play::{LevelChange, LevelOffer, Match, MistakeLesson, MoveLoss};
use crate::session::{EarlyEnd, LossReason, Position};
use crate::text;
use crate::text::{Text, mark_move};

/// Heading of the panel after the end of a game.
pub const GAME_OVER_HEADING: &str = "Game over";

/// Formats the result in capitals: `YOU WON`, `YOU LOST`, `DRAW`; the winner if there is not exactly one
/// human player.
pub fn format_result_heading(position: &dyn Position, you: Option<Side>) -> Option<String> {
    Some(match (position.outcome()?, you) {
        (Outcome::Draw, _) => "DRAW".to_owned(),
        (Outcome::Win(winner), Some(you)) if winner == you => "YOU WON".to_owned(),
        (Outcome::Win(_), Some(_)) => "YOU LOST".to_owned(),
        (Outcome::Win(winner), None) => {
            format!("{} WON", position.side_name(winner).to_string().to_uppercase())
        }
    })
}

/// Describes the end of a game and its length: `Red (X) connected top and bottom in 29 moves.`
pub fn describe_ending(position: &dyn Position, you: Option<Side>, glyphs: GlyphSet) -> Option<Text> {
    let (outcome, plies) = (position.outcome()?, format_move_count(position.plies()));
    let name =
        |side: Side| if you == Some(side) { "You".into() } else { text!("{}", position.side_name(side)) };
    match (position.early_end(), outcome) {
        (Some(EarlyEnd::Lost(side, reason)), _) => Some(match reason {
            LossReason::Resigned => text!("{} resigned after {plies}.", name(side)),
            LossReason::TimedOut => text!("{} ran out of time after {plies}.", name(side)),
            LossReason::Forfeited => text!("{} forfeited after {plies}.", name(side)),
            LossReason::Unstated => {
                text!("The file says that {} lost, after {plies}.", position.side_name(side))
            }
        }),
        (Some(EarlyEnd::Repeated), _) => Some(text!("The position was repeated; {plies} were played.")),
        (None, Outcome::Win(side)) => Some(text!(
            "{} {} in {plies}.",
            side_name_with_glyph(position, side, glyphs),
            position.describe_ending()?
        )),
        (None, Outcome::Draw) => Some(text!("No side won in {plies}: {}.", position.describe_ending()?)),
    }
}

/// Names the most expensive mistake of a reviewed game, longest wording first.
pub fn describe_turning_point(game: &Match) -> Option<[Text; 2]> {
    let (live, you) = (game.game(), game.game().sole_human_side());
    let loss = live.likely_turning_point()?;
    let position = live.position(loss.node);
    let (side, plies) = (position.to_move().other(), position.plies());
    let whom = if you == Some(side) { "you".into() } else { text!("{}", position.side_name(side)) };
    // A player may also resign, or run out of time, in a good position.
    let has_lost_by_it = live.outcome().and_then(Outcome::winner) == Some(side.other()) && loss.left < 0.5;
    let what = if has_lost_by_it {
        text!("Move {plies} cost {whom} the game")
    } else {
        text!("Move {plies} cost {whom} most")
    };
    let kept = describe_better_move_value(side, &loss, "");
    Some([text!("{what}: {kept}."), text!("Move {plies}: {kept}.")])
}

/// Compares the better move with the move played: `d8 keeps 37%, not 6%`. Gives the result if it is certain.
/// `mark` follows the better move.
fn describe_better_move_value(side: Side, loss: &MoveLoss, mark: &str) -> Text {
    const CHANCE_TOLERANCE: f64 = 1e-9;
    let better = mark_move(Some(side), &loss.better);
    if loss.chance > 1.0 - CHANCE_TOLERANCE {
        text!("{better}{mark} still wins")
    } else if (loss.chance - 0.5).abs() < CHANCE_TOLERANCE && loss.left < CHANCE_TOLERANCE {
        text!("{better}{mark} still draws")
    } else {
        text!("{better}{mark} keeps {:.0}%, not {:.0}%", 100.0 * loss.chance, 100.0 * loss.left)
    }
}

/// Offers another level after several wins or losses: `Three losses in a row: play level 1 next? Press <.`
pub fn format_level_offer(&LevelOffer { strength, games, level }: &LevelOffer, names_keys: bool) -> Text {
    let (what, key, word) = match strength {
        LevelChange::Lower => ("losses", EASIER_KEY, "easier"),
        LevelChange::Higher => ("wins", HARDER_KEY, "harder"),
    };
    let how = if names_keys { text!("Press {key}") } else { text!("Type {word}") };
    text!("{} {what} in a row: play level {level} next? {how}.", format_count_word(games))
}

/// Formats a number for the start of a sentence: as a word up to ten, in digits above.
fn format_count_word(count: usize) -> String {
    const NUMBER_WORDS: [&str; 8] = ["Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
    let word = count.checked_sub(3).and_then(|index| NUMBER_WORDS.get(index));
    word.map_or_else(|| count.to_string(), |&word| word.to_owned())
}

/// Lists the possible actions at the end of a game, longest wording first. `has_levels` is true if another
/// level can be played.
pub fn list_steps_after_game(has_levels: bool) -> [Text; 2] {
    let level = if has_levels { text!(", {EASIER_KEY} {HARDER_KEY} another level") } else { Text::new() };
    [
        text!("{NEW_GAME_KEY} new game, {REMATCH_KEY} rematch{level}, {REVIEW_KEY} review, {SAVE_KEY} save."),
        text!("{NEW_GAME_KEY} new, {REMATCH_KEY} rematch, {REVIEW_KEY} review."),
    ]
}

/// Lists the possible actions at the end of a replay, longest wording first.
pub fn list_steps_after_replay() -> [Text; 2] {
    [text!("{OPEN_KEY} open another file, {QUIT_KEY} quit."), text!("{OPEN_KEY} open, {QUIT_KEY} quit.")]
}

/// Lists the possible actions at the end of an engine match, longest wording first.
pub fn list_steps_after_engine_match() -> [Text; 2] {
    [text!("{NEW_GAME_KEY} new game, {SAVE_KEY} save."), text!("{NEW_GAME_KEY} new, {SAVE_KEY} save.")]
}

/// Legend of the marks on the two moves of a mistake.
const MISTAKE_MARKS_LEGEND: &str = "? played  ! better";

/// Describes the mistake that is shown, longest wording first. `why` explains the mistake if nothing else on
/// the screen does.
pub fn describe_lesson(game: &Match, why: Option<&Text>) -> Option<Vec<Text>> {
    let (live, lesson) = (game.game(), game.game().shown_lesson()?);
    let position = live.position(lesson.loss.node);
    let side = position.to_move().other();
    if lesson.shown_move_count() > 0 {
        let last = mark_move(
            Some(game.shown_position().to_move().other()),
            game.shown_position().last_move().unwrap_or_default(),
        );
        let (step, length) = (lesson.shown_move_count(), lesson.line_len());
        let short = text!("Better line, move {step} of {length}: {last}.");
        let next = if step < length { text!("{FORWARD_ARROW_KEY} continues, ") } else { Text::new() };
        let whole = text!("{short} {next}{ESC_KEY} returns.");
        return Some(vec![whole, short]);
    }
    let (name, played) =
        (position.side_name(side), mark_move(Some(side), position.last_move().unwrap_or_default()));
    let (plies, number, count) = (position.plies(), lesson.number, lesson.count);
    let kept = describe_better_move_value(side, &lesson.loss, " (!)");
    let what = text!("Move {plies}: {name} played {played} (?); {kept}.");
    let which = if count > 1 {
        text!(" Mistake {number} of {count}, {TURNING_POINT_KEY} next.")
    } else {
        Text::new()
    };
    let forms = |what: Text| {
        [
            text!("{what} {FORWARD_ARROW_KEY} shows the better line, {ESC_KEY} returns.{which}"),
            text!("{what} {FORWARD_ARROW_KEY} steps, {ESC_KEY} returns."),
            what,
        ]
    };
    let reasoned = why.map(|why| forms(text!("{what} {why}")));
    Some(reasoned.into_iter().flatten().chain(forms(what)).collect())
}

/// Lists the marks on the board at a mistake with their meanings, including those that show why it is a
/// mistake.
pub fn list_mistake_marks(lesson: &MistakeLesson) -> Vec<Text> {
    let why = lesson.consequence.iter().flat_map(|consequence| consequence.legend.split_text("  "));
    [MISTAKE_MARKS_LEGEND.into()].into_iter().chain(why.filter(|part| !part.is_empty())).collect()
}

/// Formats the title while a better line is shown.
pub fn format_better_line_title(step: usize, length: usize) -> String {
    if step == 0 { "before a mistake".to_owned() } else { format!("better line, move {step} of {length}") }
}
