//! Messages about the results of a review.

use crate::game::Side;
use crate::messages::screen;
use crate::play::{LiveGame, Match, MistakeMark, MoveLoss};
use crate::record::NodeId;
use crate::text;
use crate::text::columns::display_width;
use crate::text::{Text, join_moves, mark_move};

/// Message shown if the engine compares moves without win percentages.
const NO_WIN_CHANCES_MESSAGE: &str = "There are no win percentages for this board, so nothing is marked.";
/// Message shown if no move deserves a mark.
const NO_MISTAKES_FOUND_MESSAGE: &str = "No mistakes found.";
/// Message shown if no move deserves a mark, but some positions have no win percentage.
const NO_OTHER_MISTAKES_MESSAGE: &str = "No mistakes found among the rest.";

/// Lists the marked moves, one per line, and last the turning point.
pub(super) fn list_review_findings(game: &Match) -> Vec<Text> {
    let game = game.game();
    let marked = game.marked_moves();
    let told = |(mark, loss): &(MistakeMark, MoveLoss)| {
        let [better, _] = describe_better_move(game, loss);
        let move_and_better =
            text!("Move {} {}, {better}.", format_numbered_move(game, loss.node), mark.symbol());
        match game.explain_mistake(loss) {
            Some(consequence) => text!("{move_and_better} {}", consequence.text),
            None => move_and_better,
        }
    };
    let lines: Vec<Text> = marked.iter().map(told).collect();
    let [judged, _, all] = game.review_counts();
    if judged < all {
        let (judged, all) = (judged.saturating_sub(1), all - 1);
        let rest = text!("Only {judged} of {all} moves are reviewed. review continues with the rest.");
        return [lines, vec![rest]].concat();
    }
    [lines, summarize_review(game)].concat()
}

/// Summarizes a whole review: positions without a win chance, and the turning point.
pub fn summarize_review(game: &LiveGame) -> Vec<Text> {
    let [_, known, all] = game.review_counts();
    let is_clean = game.marked_moves().is_empty();
    let last = match game.turning_point() {
        Some(loss) => {
            let [better, _] = describe_better_move(game, &loss);
            text!("Turning point: move {}; {better}.", format_numbered_move(game, loss.node))
        }
        None if known == 0 => NO_WIN_CHANCES_MESSAGE.into(),
        None if is_clean && known < all => NO_OTHER_MISTAKES_MESSAGE.into(),
        None if is_clean => NO_MISTAKES_FOUND_MESSAGE.into(),
        None => screen::NO_TURNING_POINT_MESSAGE.into(),
    };
    let last = describe_costliest_move(game).map_or(last.clone(), |costliest| text!("{last} {costliest}"));
    let gaps = all - known;
    let positions = if gaps == 1 { "position" } else { "positions" };
    let unknown = (gaps > 0 && known > 0).then(|| text!("{gaps} {positions} could not be evaluated."));
    unknown.into_iter().chain([last]).collect()
}

/// Names the move that cost most, for a side that lost without a marked move.
fn describe_costliest_move(game: &LiveGame) -> Option<Text> {
    /// Minimum loss of win chance (0 to 1) that is above the noise of a review.
    const MIN_COSTLY_LOSS: f64 = 0.03;
    let loser = game.outcome()?.winner()?.other();
    let is_of = |loss: &MoveLoss| game.position(loss.node).to_move().other() == loser;
    if game.marked_moves().iter().any(|(_, loss)| is_of(loss)) {
        return None;
    }
    let losses = game.shown_line().into_iter().filter_map(|id| game.move_loss(id));
    let loss = losses
        .filter(|loss| is_of(loss) && loss.cost >= MIN_COSTLY_LOSS)
        .max_by(|a, b| a.cost.total_cmp(&b.cost))?;
    let (name, [better, _]) =
        (game.position(NodeId::ROOT).side_name(loser), describe_better_move(game, &loss));
    Some(text!(
        "{name} lost without a marked move; move {} cost most: {better}.",
        format_numbered_move(game, loss.node)
    ))
}

/// Lists every move of a reviewed game, one per line, with First's win chance after it.
///
/// An indented line below a marked move says why it is a mistake, if that is certain.
pub fn list_reviewed_moves(game: &LiveGame) -> Vec<Text> {
    let line = game.shown_line();
    let first = game.position(NodeId::ROOT).side_name(Side::First);
    let played = |id: NodeId| {
        let position = game.position(id);
        let side = position.to_move().other();
        let mv = mark_move(Some(side), position.last_move().unwrap_or_default());
        text!("{:>3}. {} {mv}", position.plies(), position.side_name(side))
    };
    let room = line.iter().skip(1).map(|&id| display_width(&played(id))).max().unwrap_or_default();
    let moves = line.iter().skip(1).flat_map(|&id| {
        let (played, marked) = (played(id), game.marked_move(id));
        let pad = room - display_width(&played);
        let mark = marked.as_ref().map_or("", |(mark, _)| mark.symbol());
        let chance = game.review_evaluation(id).and_then(|judged| judged.chance);
        let chance = chance.map_or_else(|| "?".to_owned(), |chance| format!("{:.0}%", 100.0 * chance));
        let shown = text!("{played}{:pad$}  {mark:<2}  {first} {chance:>4}", "");
        match marked {
            Some((_, loss)) => {
                let consequence = game.explain_mistake(&loss);
                let why = consequence.map(|consequence| text!("{:6}{}", "", consequence.text));
                [text!("{shown}  {}", describe_better_line(game, &loss))].into_iter().chain(why).collect()
            }
            None => vec![shown],
        }
    });
    moves.collect()
}

/// Names the better move and a possible continuation: `better d9 (Blue 58%, not 17%), then e8 e9`.
pub fn describe_better_line(game: &LiveGame, loss: &MoveLoss) -> Text {
    let [better, _] = describe_better_move(game, loss);
    match loss.line.get(1..) {
        Some(rest) if !rest.is_empty() => text!("{better}, then {}", join_moves(None, rest, " ")),
        _ => better,
    }
}

/// Counts the marks of each side.
pub fn format_mark_counts(game: &LiveGame) -> Text {
    let marked = game.marked_moves();
    let of_side = |side: Side| {
        let is_of = |loss: &MoveLoss| game.position(loss.node).to_move().other() == side;
        let count =
            |wanted: MistakeMark| marked.iter().filter(|(mark, loss)| *mark == wanted && is_of(loss)).count();
        let [blunders, mistakes, doubtful] =
            [MistakeMark::Blunder, MistakeMark::Mistake, MistakeMark::Doubtful]
                .map(|mark| format!("{} {}", count(mark), mark.symbol()));
        text!("{} {blunders}, {mistakes}, {doubtful}", game.position(NodeId::ROOT).side_name(side))
    };
    let [first, second] = Side::map_both(of_side);
    text!("Marks: {first}; {second}.")
}

/// Formats a move with its number and side: `10, Blue e9`.
fn format_numbered_move(game: &LiveGame, id: NodeId) -> Text {
    let position = game.position(id);
    let side = position.to_move().other();
    let mv = mark_move(Some(side), position.last_move().unwrap_or_default());
    text!("{}, {} {mv}", position.plies(), position.side_name(side))
}

/// Names the better move, longest wording first: `better d9 (Blue 58%, not 17%)`, `better d9 (Blue 58%)`.
pub fn describe_better_move(game: &LiveGame, loss: &MoveLoss) -> [Text; 2] {
    let position = game.position(loss.node);
    let side = position.to_move().other();
    let (name, mv) = (position.side_name(side), mark_move(Some(side), &loss.better));
    let short = text!("better {mv} ({name} {:.0}%", 100.0 * loss.chance);
    [text!("{short}, not {:.0}%)", 100.0 * loss.left), text!("{short})")]
}
