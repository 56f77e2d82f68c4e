//! The findings of a review in sentences.

use crate::game::Side;
use crate::messages::screen;
use crate::play::{Game, Loss, Mark, Match};
use crate::record::NodeId;
use crate::text;
use crate::text::columns::width;
use crate::text::{Text, moves, of_move};

/// Shown when the engine compares moves without win percentages.
const NO_CHANCES: &str = "There are no win percentages for this board, so nothing is marked.";
/// Shown when no move deserves a mark.
const NO_MARKS: &str = "No mistakes found.";
/// Shown when no move deserves a mark, and not every position has a win percentage.
const NO_MARKS_THERE: &str = "No mistakes found among the rest.";

/// Lists the marked moves, one per line, and last the turning point.
pub(super) fn review(game: &Match) -> Vec<Text> {
    let game = game.game();
    let marked = game.marked();
    let told = |(mark, loss): &(Mark, Loss)| {
        let [better, _] = better(game, loss);
        let move_and_better = text!("Move {} {}, {better}.", named(game, loss.node), mark.symbol());
        match game.consequence(loss) {
            Some(consequence) => text!("{move_and_better} {}", consequence.text),
            None => move_and_better,
        }
    };
    let lines: Vec<Text> = marked.iter().map(told).collect();
    let [judged, _, all] = game.reviewed();
    if judged < all {
        let (judged, all) = (judged.saturating_sub(1), all - 1);
        let rest = text!("Only {judged} of {all} moves are reviewed. review continues with the rest.");
        return [lines, vec![rest]].concat();
    }
    [lines, verdict(game)].concat()
}

/// Summarizes a whole review: positions without a win chance, and the turning point.
pub fn verdict(game: &Game) -> Vec<Text> {
    let [_, known, all] = game.reviewed();
    let is_clean = game.marked().is_empty();
    let last = match game.turning_point() {
        Some(loss) => {
            let [better, _] = better(game, &loss);
            text!("Turning point: move {}; {better}.", named(game, loss.node))
        }
        None if known == 0 => NO_CHANCES.into(),
        None if is_clean && known < all => NO_MARKS_THERE.into(),
        None if is_clean => NO_MARKS.into(),
        None => screen::NO_TURNING_POINT.into(),
    };
    let last = costliest(game).map_or(last.clone(), |costliest| text!("{last} {costliest}"));
    let gaps = all - known;
    let positions = if gaps == 1 { "position" } else { "positions" };
    let unknown = (gaps > 0 && known > 0).then(|| text!("{gaps} {positions} could not be evaluated."));
    unknown.into_iter().chain([last]).collect()
}

/// Says where a side that lost without a marked move gave away most.
fn costliest(game: &Game) -> Option<Text> {
    /// Losses below this are within the noise of a review.
    const MIN_LOSS: f64 = 0.03;
    let loser = game.outcome()?.winner()?.other();
    let is_of = |loss: &Loss| game.position(loss.node).to_move().other() == loser;
    if game.marked().iter().any(|(_, loss)| is_of(loss)) {
        return None;
    }
    let losses = game.line().into_iter().filter_map(|id| game.loss(id));
    let loss = losses
        .filter(|loss| is_of(loss) && loss.cost >= MIN_LOSS)
        .max_by(|a, b| a.cost.total_cmp(&b.cost))?;
    let (name, [better, _]) = (game.position(NodeId::ROOT).side_name(loser), better(game, &loss));
    Some(text!("{name} lost without a marked move; move {} cost most: {better}.", named(game, loss.node)))
}

/// Lists every move of a reviewed game, one per line, with the win chance of the first player after
/// it. Below a marked move an indented line says why it is a mistake, where that is certain.
pub fn reviewed_moves(game: &Game) -> Vec<Text> {
    let line = game.line();
    let first = game.position(NodeId::ROOT).side_name(Side::First);
    let played = |id: NodeId| {
        let position = game.position(id);
        let side = position.to_move().other();
        let mv = of_move(Some(side), position.last().unwrap_or_default());
        text!("{:>3}. {} {mv}", position.plies(), position.side_name(side))
    };
    let room = line.iter().skip(1).map(|&id| width(&played(id))).max().unwrap_or_default();
    let moves = line.iter().skip(1).flat_map(|&id| {
        let (played, marked) = (played(id), game.marked_move(id));
        let pad = room - width(&played);
        let mark = marked.as_ref().map_or("", |(mark, _)| mark.symbol());
        let chance = game.judged(id).and_then(|judged| judged.chance);
        let chance = chance.map_or_else(|| "?".to_owned(), |chance| format!("{:.0}%", 100.0 * chance));
        let shown = text!("{played}{:pad$}  {mark:<2}  {first} {chance:>4}", "");
        match marked {
            Some((_, loss)) => {
                let consequence = game.consequence(&loss);
                let why = consequence.map(|consequence| text!("{:6}{}", "", consequence.text));
                [text!("{shown}  {}", better_line(game, &loss))].into_iter().chain(why).collect()
            }
            None => vec![shown],
        }
    });
    moves.collect()
}

/// Says which move was better and how the game could go on: `better d9 (Blue 58%, not 17%), then e8 e9`.
pub fn better_line(game: &Game, loss: &Loss) -> Text {
    let [better, _] = better(game, loss);
    match loss.line.get(1..) {
        Some(rest) if !rest.is_empty() => text!("{better}, then {}", moves(None, rest, " ")),
        _ => better,
    }
}

/// Counts the marks of each side.
pub fn marks_of_sides(game: &Game) -> Text {
    let marked = game.marked();
    let of_side = |side: Side| {
        let is_of = |loss: &Loss| game.position(loss.node).to_move().other() == side;
        let count =
            |wanted: Mark| marked.iter().filter(|(mark, loss)| *mark == wanted && is_of(loss)).count();
        let [blunders, mistakes, doubtful] = [Mark::Blunder, Mark::Mistake, Mark::Doubtful]
            .map(|mark| format!("{} {}", count(mark), mark.symbol()));
        text!("{} {blunders}, {mistakes}, {doubtful}", game.position(NodeId::ROOT).side_name(side))
    };
    let [first, second] = Side::each(of_side);
    text!("Marks: {first}; {second}.")
}

/// Formats a move with its number and side: `10, Blue e9`.
fn named(game: &Game, id: NodeId) -> Text {
    let position = game.position(id);
    let side = position.to_move().other();
    let mv = of_move(Some(side), position.last().unwrap_or_default());
    text!("{}, {} {mv}", position.plies(), position.side_name(side))
}

/// Says which move was better, longest form first: `better d9 (Blue 58%, not 17%)`, `better d9 (Blue 58%)`.
pub fn better(game: &Game, loss: &Loss) -> [Text; 2] {
    let position = game.position(loss.node);
    let side = position.to_move().other();
    let (name, mv) = (position.side_name(side), of_move(Some(side), &loss.better));
    let short = text!("better {mv} ({name} {:.0}%", 100.0 * loss.chance);
    [text!("{short}, not {:.0}%)", 100.0 * loss.left), text!("{short})")]
}
