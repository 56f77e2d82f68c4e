//! The line that is typed: letters go into it, and the cursor moves to the place that it names.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::super::component::{Answer, Component, LayerEffect};
use super::super::draw::{cut, draw_field, put_line, told};
use super::super::frame::FrameContext;
use super::super::key_table::Action;
use super::super::layer::{COMMENT, Prompt, comment_of};
use super::super::painting;
use super::super::panels::layout_of;
use super::super::screen::{MAX_COMMENT, MAX_TYPED};
use super::menu_view;
use crate::messages::screen as sentences;

/// Closes the line without doing anything.
fn close() -> Answer {
    Answer::Handled(vec![LayerEffect::Close, LayerEffect::PutCursorBack])
}

impl Prompt {
    /// Replaces this text by another one; the line is closed if that is too long.
    fn set(&mut self, mut text: String, c: &FrameContext<'_>) -> Answer {
        let most = if text.starts_with(COMMENT) { MAX_COMMENT } else { MAX_TYPED };
        if text.chars().count() > most {
            let why = sentences::too_long_a_line(most).into();
            return Answer::Handled(vec![
                LayerEffect::Close,
                LayerEffect::PutCursorBack,
                LayerEffect::Say(why),
            ]);
        }
        // A command of the game that begins like the key for saving takes precedence over it.
        let words = c.game.map(|game| game.shown().named_moves()).unwrap_or_default();
        let is_meant =
            |word: &&str| word.strip_prefix('s').is_some_and(|rest| text.strip_prefix("save ") == Some(rest));
        let word = words.iter().map(|(word, _)| *word).find(is_meant);
        if let Some(word) =
            word.filter(|word| c.game.is_some_and(|game| game.shown().legal().iter().any(|mv| mv == word)))
        {
            word.clone_into(&mut text);
        }
        self.text = text;
        let game = c.game.filter(|_| c.screen.menu().is_none());
        let place = game.and_then(|game| game.present_position().read(&self.text).ok());
        place.map_or(Answer::DONE, |place| LayerEffect::Focus(place).into())
    }
}

impl Component for Prompt {
    fn act(&mut self, act: Action, _: &KeyEvent, c: &FrameContext<'_>) -> Answer {
        match act {
            Action::Submit => {
                let line = std::mem::take(&mut self.text);
                let is_emptied = self.command == COMMENT && line.trim() == COMMENT.trim();
                let has_comment = || c.game.is_some_and(|game| !comment_of(game).is_empty());
                let submitted = match is_emptied {
                    true if has_comment() => LayerEffect::Submit(format!("{COMMENT}-")),
                    true => LayerEffect::PutCursorBack,
                    false => LayerEffect::Submit(line.trim().to_owned()),
                };
                Answer::Handled(vec![LayerEffect::Close, submitted])
            }
            // A command that a key has put there is never half erased.
            Action::Erase if !self.command.is_empty() && self.text == self.command => close(),
            Action::Escape => close(),
            Action::Erase => {
                let mut text = std::mem::take(&mut self.text);
                text.pop();
                self.set(text, c)
            }
            Action::Clear if self.text.starts_with(&self.command) => self.set(self.command.clone(), c),
            Action::Clear => self.set(String::new(), c),
            Action::Help => Answer::PassOn,
            _ => Answer::DONE,
        }
    }

    fn text(&mut self, text: &str, c: &FrameContext<'_>) -> Answer {
        let whole = std::mem::take(&mut self.text) + text;
        self.set(whole, c)
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        if let Some(menu) = c.screen.menu() {
            let area = menu_view::field_row(c, menu)?;
            return Some(draw_field(c, buffer, area, &self.text));
        }
        let area = layout_of(c).frame.status;
        let cursor = draw_field(c, buffer, Rect { height: area.height.min(1), ..area }, &self.text);
        // Where there is only one row the row below the board shows it.
        if let Some((said, is_legal)) = painting::typed_preview(c).filter(|_| area.height > 1) {
            let said = cut(&said, area.width.saturating_sub(2), c);
            put_line(buffer, c, area, (1, 1), &told(c, &said, c.said(is_legal)));
        }
        Some(cursor)
    }
}
