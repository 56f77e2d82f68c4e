//! The sentences at the end of a game: the winner, the kind of win, the turning point, and the
//! possible next steps.

use crate::canvas::Glyphs;
use crate::game::{Outcome, Side};
use crate::messages::keys::{
    EASIER, ESC, FORWARD_ARROW, HARDER, NEW, OPEN, QUIT, REMATCH, REVIEW, SAVE, TURNING,
};
use crate::messages::{moves, signed};
use crate::play::{Lesson, Loss, Match, Offer, Strength};
use crate::session::{EarlyEnd, LossReason, Position};
use crate::text;
use crate::text::{Text, of_move};

/// Heading of the panel of a game that is over.
pub const TITLE: &str = "Game over";

/// Returns the result in capitals: `YOU WON`, `YOU LOST`, `DRAW`; where not exactly one person
/// plays, the winner.
pub fn verdict(position: &dyn Position, you: Option<Side>) -> Option<String> {
    Some(match (position.outcome()?, you) {
        (Outcome::Draw, _) => "DRAW".to_owned(),
        (Outcome::Win(winner), Some(you)) if winner == you => "YOU WON".to_owned(),
        (Outcome::Win(_), Some(_)) => "YOU LOST".to_owned(),
        (Outcome::Win(winner), None) => {
            format!("{} WON", position.side_name(winner).to_string().to_uppercase())
        }
    })
}

/// Says how a game ended, and in how many moves: `Red (X) connected top and bottom in 29 moves.`
pub fn how(position: &dyn Position, you: Option<Side>, glyphs: Glyphs) -> Option<Text> {
    let (outcome, plies) = (position.outcome()?, moves(position.plies()));
    let name =
        |side: Side| if you == Some(side) { "You".into() } else { text!("{}", position.side_name(side)) };
    match (position.early(), outcome) {
        (Some(EarlyEnd::Lost(side, reason)), _) => Some(match reason {
            LossReason::Resigned => text!("{} resigned after {plies}.", name(side)),
            LossReason::TimedOut => text!("{} ran out of time after {plies}.", name(side)),
            LossReason::Forfeited => text!("{} forfeited after {plies}.", name(side)),
            LossReason::Untold => {
                text!("The file says that {} lost, after {plies}.", position.side_name(side))
            }
        }),
        (Some(EarlyEnd::Repeated), _) => Some(text!("The position was repeated; {plies} were played.")),
        (None, Outcome::Win(side)) => {
            Some(text!("{} {} in {plies}.", signed(position, side, glyphs), position.ending()?))
        }
        (None, Outcome::Draw) => Some(text!("No side won in {plies}: {}.", position.ending()?)),
    }
}

/// Names the move that cost the game, as far as a review knows it, longest form first.
pub fn turned(game: &Match) -> Option<[Text; 2]> {
    let (live, you) = (game.game(), game.game().only_human());
    let loss = live.likely_turning_point()?;
    let position = live.position(loss.node);
    let (side, plies) = (position.to_move().other(), position.plies());
    let whom = if you == Some(side) { "you".into() } else { text!("{}", position.side_name(side)) };
    let what = match live.outcome().and_then(Outcome::winner) {
        Some(_) => text!("Move {plies} cost {whom} the game"),
        None => text!("Move {plies} cost {whom} most"),
    };
    let kept = kept(side, &loss, "");
    Some([text!("{what}: {kept}."), text!("Move {plies}: {kept}.")])
}

/// Says what the better move would have kept: `d8 keeps 37%, not 6%`, or the result where that is certain. The move is
/// followed by its mark on the board.
fn kept(side: Side, loss: &Loss, mark: &str) -> Text {
    const NEARLY: f64 = 1e-9;
    let better = of_move(Some(side), &loss.better);
    if loss.chance > 1.0 - NEARLY {
        text!("{better}{mark} still wins")
    } else if (loss.chance - 0.5).abs() < NEARLY && loss.left < NEARLY {
        text!("{better}{mark} still draws")
    } else {
        text!("{better}{mark} keeps {:.0}%, not {:.0}%", 100.0 * loss.chance, 100.0 * loss.left)
    }
}

/// Offers another level after several games of one kind: `Three losses in a row: play level 1 next? Press <.`
pub fn offer(&Offer { strength, games, level }: &Offer, names_keys: bool) -> Text {
    let (what, key, word) = match strength {
        Strength::Lower => ("losses", EASIER, "easier"),
        Strength::Higher => ("wins", HARDER, "harder"),
    };
    let how = if names_keys { text!("Press {key}") } else { text!("Type {word}") };
    text!("{} {what} in a row: play level {level} next? {how}.", number(games))
}

/// Formats a number at the start of a sentence.
fn number(count: usize) -> String {
    const WORDS: [&str; 8] = ["Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
    let word = count.checked_sub(3).and_then(|index| WORDS.get(index));
    word.map_or_else(|| count.to_string(), |&word| word.to_owned())
}

/// Lists what can be done at the end of a game, longest form first; `has_levels` if another level can be played.
pub fn after_the_end(has_levels: bool) -> [Text; 2] {
    let level = if has_levels { text!(", {EASIER} {HARDER} another level") } else { Text::new() };
    [
        text!("{NEW} new game, {REMATCH} rematch{level}, {REVIEW} review, {SAVE} save."),
        text!("{NEW} new, {REMATCH} rematch, {REVIEW} review."),
    ]
}

/// Lists what can be done at the end of a replay.
pub fn after_a_record() -> [Text; 2] {
    [text!("{OPEN} open another file, {QUIT} quit."), text!("{OPEN} open, {QUIT} quit.")]
}

/// Lists what can be done at the end of an engine match.
pub fn after_a_watched_end() -> [Text; 2] {
    [text!("{NEW} new game, {SAVE} save."), text!("{NEW} new, {SAVE} save.")]
}

/// Marks on the two moves at a mistake, explained.
const MISTAKE_MARKS: &str = "? played  ! better";

/// Describes a mistake that is shown, longest form first; `why` is a sentence about the mistake
/// that is shown nowhere else.
pub fn lesson(game: &Match, why: Option<&Text>) -> Option<Vec<Text>> {
    let (live, lesson) = (game.game(), game.game().lesson()?);
    let position = live.position(lesson.loss.node);
    let side = position.to_move().other();
    if lesson.step() > 0 {
        let last = of_move(Some(game.shown().to_move().other()), game.shown().last().unwrap_or_default());
        let (step, length) = (lesson.step(), lesson.length());
        let short = text!("Better line, move {step} of {length}: {last}.");
        let next = if step < length { text!("{FORWARD_ARROW} continues, ") } else { Text::new() };
        let whole = text!("{short} {next}{ESC} returns.");
        return Some(vec![whole, short]);
    }
    let (name, played) = (position.side_name(side), of_move(Some(side), position.last().unwrap_or_default()));
    let (plies, number, count) = (position.plies(), lesson.number, lesson.count);
    let kept = kept(side, &lesson.loss, " (!)");
    let what = text!("Move {plies}: {name} played {played} (?); {kept}.");
    let which = if count > 1 { text!(" Mistake {number} of {count}, {TURNING} next.") } else { Text::new() };
    let forms = |what: Text| {
        [
            text!("{what} {FORWARD_ARROW} shows the better line, {ESC} returns.{which}"),
            text!("{what} {FORWARD_ARROW} steps, {ESC} returns."),
            what,
        ]
    };
    let reasoned = why.map(|why| forms(text!("{what} {why}")));
    Some(reasoned.into_iter().flatten().chain(forms(what)).collect())
}

/// Returns the meaning of the marks on the board at a mistake, with those that show why it is one.
pub fn mistake_marks(lesson: &Lesson) -> Vec<Text> {
    let why = lesson.consequence.iter().flat_map(|consequence| consequence.legend.parts("  "));
    [MISTAKE_MARKS.into()].into_iter().chain(why.filter(|part| !part.is_empty())).collect()
}

/// Says in the title that a better line is shown.
pub fn in_better_line(step: usize, length: usize) -> String {
    if step == 0 { "before a mistake".to_owned() } else { format!("better line, move {step} of {length}") }
}
