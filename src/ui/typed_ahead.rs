//! Queue of lines typed while an engine thinks, to be handled after its answer. This module does
//! not depend on terminals or games.

use std::collections::VecDeque;

use crate::game::Refusal;
use crate::messages;
use crate::ui::InputLine;

/// Maximum number of waiting lines. It is more than anybody types and fewer than an accidental
/// paste.
const MAX_LINES_TYPED_AHEAD: usize = 100;

/// Queue of typed lines that wait for an engine, with the messages about them.
#[derive(Debug, Default)]
pub(super) struct TypedAhead {
    lines: VecDeque<InputLine>,
    /// `true` if the last line quits the match, so that no further line is read.
    is_leaving: bool,
    /// `true` if a line was ignored since lines were last removed.
    has_ignored: bool,
    /// Messages that are still to be printed.
    notices: Vec<String>,
}

impl TypedAhead {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Reports whether the last waiting line quits the match.
    pub(super) fn ends_with_quit(&self) -> bool {
        self.is_leaving
    }

    /// Adds a line, or ignores it if too many lines wait. The first ignored line adds a message.
    pub(super) fn push(&mut self, line: InputLine) {
        if self.lines.len() < MAX_LINES_TYPED_AHEAD {
            self.lines.push_back(line);
        } else if !std::mem::replace(&mut self.has_ignored, true) {
            self.notices.push(messages::too_many_queued_lines_message(MAX_LINES_TYPED_AHEAD));
        }
    }

    /// Adds the line that quits the match, even if too many lines wait.
    pub(super) fn push_quit(&mut self, line: InputLine) {
        self.lines.push_back(line);
        self.is_leaving = true;
    }

    /// Removes and returns the first line.
    pub(super) fn pop(&mut self) -> Option<InputLine> {
        let line = self.lines.pop_front();
        self.has_ignored &= line.is_none();
        self.is_leaving &= !self.lines.is_empty();
        line
    }

    /// Adds a message about the lines after the first `before` ones, which wait for the engine.
    pub(super) fn announce_waiting_moves(&mut self, before: usize) {
        let notice = match (self.lines.len().saturating_sub(before), self.lines.back()) {
            (0, _) | (_, None) => return,
            (1, Some(line)) => messages::queued_move_message(&Refusal::sanitize_excerpt(line.text().trim())),
            _ => messages::queued_moves_message(self.lines.len()),
        };
        self.notices.insert(0, notice);
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Removes up to `count` lines from the end of the queue and adds a message about them.
    pub(super) fn withdraw_last(&mut self, count: usize) {
        let kept = self.lines.len().saturating_sub(count);
        let dropped = self.lines.split_off(kept);
        let notice = match dropped.front() {
            None => return,
            Some(line) if dropped.len() == 1 => {
                messages::queued_move_dropped_message(&Refusal::sanitize_excerpt(line.text().trim()))
            }
            Some(_) => messages::queued_moves_dropped_message(dropped.len()),
        };
        (self.has_ignored, self.is_leaving) = (false, false);
        self.notices.push(notice);
    }

    /// Removes all lines, without adding a message.
    pub(super) fn clear(&mut self) {
        *self = TypedAhead { notices: std::mem::take(&mut self.notices), ..TypedAhead::default() };
    }

    pub(super) fn has_notices(&self) -> bool {
        !self.notices.is_empty()
    }

    /// Removes and returns the messages to be printed.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}
