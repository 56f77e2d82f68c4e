//! Lines that were typed while an engine thinks and have to wait for its answer. Knows neither
//! terminals nor games.

use std::collections::VecDeque;

use crate::game::Refusal;
use crate::messages;
use crate::ui::Input;

/// Maximum number of lines that wait. A person types fewer; text pasted by accident is longer.
const MAX_WAITING: usize = 100;

/// Lines that wait, in the order in which they were typed, and the messages about them.
#[derive(Debug, Default)]
pub(super) struct TypedAhead {
    lines: VecDeque<Input>,
    /// `true` if the last line leaves the match: no further line is read.
    is_leaving: bool,
    /// `true` if a line was ignored since the last one was taken out.
    has_ignored: bool,
    /// Messages that are still to be printed.
    notices: Vec<String>,
}

impl TypedAhead {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Reports whether the last line that waits leaves the match.
    pub(super) fn is_leaving(&self) -> bool {
        self.is_leaving
    }

    /// Adds a line, unless too many wait; the first one that is ignored makes a notice.
    pub(super) fn push(&mut self, line: Input) {
        if self.lines.len() < MAX_WAITING {
            self.lines.push_back(line);
        } else if !std::mem::replace(&mut self.has_ignored, true) {
            self.notices.push(messages::too_many_lines(MAX_WAITING));
        }
    }

    /// Adds the line that leaves the match, however many wait.
    pub(super) fn push_last(&mut self, line: Input) {
        self.lines.push_back(line);
        self.is_leaving = true;
    }

    /// Takes the first line out.
    pub(super) fn pop(&mut self) -> Option<Input> {
        let line = self.lines.pop_front();
        self.has_ignored &= line.is_none();
        self.is_leaving &= !self.lines.is_empty();
        line
    }

    /// Adds a message that the moves typed after the first `before` lines wait for the engine.
    pub(super) fn announce(&mut self, before: usize) {
        let notice = match (self.lines.len().saturating_sub(before), self.lines.back()) {
            (0, _) | (_, None) => return,
            (1, Some(line)) => messages::move_waits(&Refusal::shown(line.text().trim())),
            _ => messages::moves_wait(self.lines.len()),
        };
        self.notices.insert(0, notice);
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Drops the last lines, at most `count`, and adds a message about it.
    pub(super) fn take_back(&mut self, count: usize) {
        let kept = self.lines.len().saturating_sub(count);
        let dropped = self.lines.split_off(kept);
        let notice = match dropped.front() {
            None => return,
            Some(line) if dropped.len() == 1 => {
                messages::move_waits_no_longer(&Refusal::shown(line.text().trim()))
            }
            Some(_) => messages::moves_wait_no_longer(dropped.len()),
        };
        (self.has_ignored, self.is_leaving) = (false, false);
        self.notices.push(notice);
    }

    /// Drops all lines without a message.
    pub(super) fn clear(&mut self) {
        *self = TypedAhead { notices: std::mem::take(&mut self.notices), ..TypedAhead::default() };
    }

    pub(super) fn has_notices(&self) -> bool {
        !self.notices.is_empty()
    }

    /// Returns the messages to print now.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}
