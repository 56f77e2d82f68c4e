//! Handles the keys at the analysis board while the arrow keys step through the engine's lines.

use super::effect::ScreenEffect;
use super::key_table::KeyAction;
use super::painting;
use super::screen::{AnalysisFocus, EngineLineCursor, MAX_ENGINE_LINES, Screen, StatusMessage};
use crate::messages::analysis;
use crate::play::{Command, HistoryTarget, Match};
use crate::session::SearchReport;

/// Makes the arrow keys step through the engine's lines. Without lines, they step through the
/// moves.
pub(super) fn focus_engine_lines(screen: &mut Screen, game: &Match) {
    let c = screen.with_match(Some(game));
    let side = game.shown_position().to_move();
    let report = painting::engine_panel_report(&c).filter(|&(of, _)| of == side).map(|(_, report)| report);
    let best = report.map(SearchReport::best_moves).unwrap_or_default();
    let mut lines: Vec<Vec<String>> = best.iter().map(|one| one.line.clone()).collect();
    if let (true, Some(report)) = (lines.is_empty(), report) {
        lines.push(report.pv.clone());
    }
    lines.truncate(screen.drawing.engine_line_count());
    lines.retain(|line| !line.is_empty());
    if lines.is_empty() {
        screen.cursor.focus = AnalysisFocus::Moves;
        screen.set_refusal(analysis::NO_ENGINE_LINES_MESSAGE);
        return;
    }
    screen.cursor.focus =
        AnalysisFocus::Lines(EngineLineCursor { from: game.game().shown_node(), number: 0, lines, step: 0 });
    screen.remark = StatusMessage::Info(analysis::engine_line_keys_message());
}

/// Performs an action while the player steps through an engine's line.
///
/// The moves of the line become a variation. Returns the action as an error if it does not concern
/// the lines.
pub(super) fn perform_line_action(
    screen: &mut Screen,
    act: KeyAction,
) -> Result<Option<ScreenEffect>, KeyAction> {
    let AnalysisFocus::Lines(walk) = &mut screen.cursor.focus else { return Err(act) };
    Ok(match act {
        KeyAction::Forward => {
            let next = walk.lines[walk.number].get(walk.step).cloned();
            let Some(next) = next else {
                screen.set_refusal(analysis::END_OF_LINE_MESSAGE);
                return Ok(None);
            };
            walk.step += 1;
            Some(ScreenEffect::Do(Command::Move(next)))
        }
        KeyAction::Back if walk.step == 0 => None,
        KeyAction::Back => {
            walk.step -= 1;
            Some(ScreenEffect::Do(Command::Show(HistoryTarget::Back(1))))
        }
        KeyAction::Up | KeyAction::Down => {
            let last = walk.lines.len() - 1;
            walk.number = if act == KeyAction::Up {
                walk.number.saturating_sub(1)
            } else {
                (walk.number + 1).min(last)
            };
            let was_walked = walk.step > 0;
            walk.step = 0;
            was_walked.then_some(ScreenEffect::Do(Command::Show(HistoryTarget::Node(walk.from))))
        }
        KeyAction::Cursor | KeyAction::Escape => {
            screen.cursor.focus = AnalysisFocus::Moves;
            screen.remark = StatusMessage::Invitation;
            None
        }
        // Any other change of the tree ends the walk along the line.
        _ => {
            if matches!(act, KeyAction::Undo | KeyAction::Redo | KeyAction::Hide) {
                screen.cursor.focus = AnalysisFocus::Moves;
            }
            return Err(act);
        }
    })
}

/// Shows one more or one fewer of the engine's lines.
pub(super) fn change_line_count(screen: &mut Screen, game: &Match, act: KeyAction) {
    let left_out = &mut screen.drawing.lines_left_out;
    *left_out = if act == KeyAction::MoreLines {
        left_out.saturating_sub(1)
    } else {
        (*left_out + 1).min(MAX_ENGINE_LINES - 1)
    };
    if matches!(screen.cursor.focus, AnalysisFocus::Lines(_)) {
        focus_engine_lines(screen, game);
    }
    screen.set_status(analysis::engine_line_count_message(screen.drawing.engine_line_count()));
}
