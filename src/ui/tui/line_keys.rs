//! The keys at the analysis board while the arrows move along the engine's lines.

use super::effect::Effect;
use super::key_table::Action;
use super::painting;
use super::screen::{Focus, LineWalk, MOST_LINES, Screen, StatusMessage};
use crate::messages::analysis;
use crate::play::{Command, HistoryTarget, Match};
use crate::session::SearchReport;

/// Puts the arrows on the engine's lines, or back on the moves if there are none.
pub(super) fn begin(screen: &mut Screen, game: &Match) {
    let c = screen.with(Some(game));
    let side = game.shown().to_move();
    let report = painting::analysis(&c).filter(|&(of, _)| of == side).map(|(_, report)| report);
    let best = report.map(SearchReport::best_moves).unwrap_or_default();
    let mut lines: Vec<Vec<String>> = best.iter().map(|one| one.line.clone()).collect();
    if let (true, Some(report)) = (lines.is_empty(), report) {
        lines.push(report.pv.clone());
    }
    lines.truncate(screen.drawing.lines());
    lines.retain(|line| !line.is_empty());
    if lines.is_empty() {
        screen.cursor.focus = Focus::Moves;
        screen.refuse(analysis::NO_LINES);
        return;
    }
    screen.cursor.focus = Focus::Lines(LineWalk { from: game.game().shown(), number: 0, lines, step: 0 });
    screen.remark = StatusMessage::Own(analysis::walks_lines());
}

/// Performs an action while a line is stepped through; the moves of the line become a variation.
/// Returns an action that has nothing to do with lines.
pub(super) fn walk(screen: &mut Screen, act: Action) -> Result<Option<Effect>, Action> {
    let Focus::Lines(walk) = &mut screen.cursor.focus else { return Err(act) };
    Ok(match act {
        Action::Forward => {
            let next = walk.lines[walk.number].get(walk.step).cloned();
            let Some(next) = next else {
                screen.refuse(analysis::END_OF_THE_LINE);
                return Ok(None);
            };
            walk.step += 1;
            Some(Effect::Do(Command::Move(next)))
        }
        Action::Back if walk.step == 0 => None,
        Action::Back => {
            walk.step -= 1;
            Some(Effect::Do(Command::Show(HistoryTarget::Back(1))))
        }
        Action::Up | Action::Down => {
            let last = walk.lines.len() - 1;
            walk.number =
                if act == Action::Up { walk.number.saturating_sub(1) } else { (walk.number + 1).min(last) };
            let was_walked = walk.step > 0;
            walk.step = 0;
            was_walked.then_some(Effect::Do(Command::Show(HistoryTarget::Node(walk.from))))
        }
        Action::Cursor | Action::Escape => {
            screen.cursor.focus = Focus::Moves;
            screen.remark = StatusMessage::Invitation;
            None
        }
        // Whatever else happens to the tree, the walk is over.
        _ => {
            if matches!(act, Action::Undo | Action::Redo | Action::Hide) {
                screen.cursor.focus = Focus::Moves;
            }
            return Err(act);
        }
    })
}

/// Shows fewer or more of the engine's lines.
pub(super) fn count_lines(screen: &mut Screen, game: &Match, act: Action) {
    let left_out = &mut screen.drawing.lines_left_out;
    *left_out = if act == Action::MoreLines {
        left_out.saturating_sub(1)
    } else {
        (*left_out + 1).min(MOST_LINES - 1)
    };
    if matches!(screen.cursor.focus, Focus::Lines(_)) {
        begin(screen, game);
    }
    screen.tell(analysis::shows_lines(screen.drawing.lines()));
}
