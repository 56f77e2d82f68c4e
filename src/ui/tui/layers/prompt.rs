//! Handles the input of the command prompt. The cursor on the board follows the typed move.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};

use super::super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::super::draw::{draw_input_field, line_with_side_colours, put_line, truncate_text};
use super::super::frame::FrameContext;
use super::super::key_table::KeyAction;
use super::super::layer::{COMMENT_COMMAND, LinePrompt, comment_on_shown_position};
use super::super::painting;
use super::super::panels::cached_layout;
use super::super::screen::{MAX_COMMENT_CHARS, MAX_TYPED_CHARS};
use super::menu_view;
use crate::messages::screen as sentences;

/// Closes the prompt without submitting its line.
fn cancel_prompt() -> LayerAnswer {
    LayerAnswer::Handled(vec![LayerEffect::Close, LayerEffect::PutCursorBack])
}

impl LinePrompt {
    /// Replaces the text of the line. A text that is too long closes the prompt.
    fn set_text(&mut self, mut text: String, c: &FrameContext<'_>) -> LayerAnswer {
        let most = if text.starts_with(COMMENT_COMMAND) { MAX_COMMENT_CHARS } else { MAX_TYPED_CHARS };
        if text.chars().count() > most {
            let why = sentences::line_too_long_message(most).into();
            return LayerAnswer::Handled(vec![
                LayerEffect::Close,
                LayerEffect::PutCursorBack,
                LayerEffect::Say(why),
            ]);
        }
        // A move of the game that begins like the key for saving takes precedence over it.
        let words = c.game.map(|game| game.shown_position().named_moves()).unwrap_or_default();
        let is_meant =
            |word: &&str| word.strip_prefix('s').is_some_and(|rest| text.strip_prefix("save ") == Some(rest));
        let word = words.iter().map(|(word, _)| *word).find(is_meant);
        if let Some(word) = word.filter(|word| {
            c.game.is_some_and(|game| game.shown_position().legal_moves().iter().any(|mv| mv == word))
        }) {
            word.clone_into(&mut text);
        }
        self.text = text;
        let game = c.game.filter(|_| c.screen.menu().is_none());
        let place = game.and_then(|game| game.present_position().normalize_move(&self.text).ok());
        place.map_or(LayerAnswer::HANDLED, |place| LayerEffect::Focus(place).into())
    }
}

impl LayerComponent for LinePrompt {
    fn perform(&mut self, act: KeyAction, _: &KeyEvent, c: &FrameContext<'_>) -> LayerAnswer {
        match act {
            KeyAction::Submit => {
                let line = std::mem::take(&mut self.text);
                let is_emptied = self.command == COMMENT_COMMAND && line.trim() == COMMENT_COMMAND.trim();
                let has_comment = || c.game.is_some_and(|game| !comment_on_shown_position(game).is_empty());
                let submitted = match is_emptied {
                    true if has_comment() => LayerEffect::Submit(format!("{COMMENT_COMMAND}-")),
                    true => LayerEffect::PutCursorBack,
                    false => LayerEffect::Submit(line.trim().to_owned()),
                };
                LayerAnswer::Handled(vec![LayerEffect::Close, submitted])
            }
            // Erasing into a command that a key has inserted closes the prompt.
            KeyAction::Erase if !self.command.is_empty() && self.text == self.command => cancel_prompt(),
            KeyAction::Escape => cancel_prompt(),
            KeyAction::Erase => {
                let mut text = std::mem::take(&mut self.text);
                text.pop();
                self.set_text(text, c)
            }
            KeyAction::Clear if self.text.starts_with(&self.command) => {
                self.set_text(self.command.clone(), c)
            }
            KeyAction::Clear => self.set_text(String::new(), c),
            KeyAction::Help => LayerAnswer::PassOn,
            _ => LayerAnswer::HANDLED,
        }
    }

    fn insert_text(&mut self, text: &str, c: &FrameContext<'_>) -> LayerAnswer {
        let whole = std::mem::take(&mut self.text) + text;
        self.set_text(whole, c)
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        if let Some(menu) = c.screen.menu() {
            let area = menu_view::prompt_row(c, menu)?;
            return Some(draw_input_field(c, buffer, area, &self.text));
        }
        let area = cached_layout(c).frame.status;
        let cursor = draw_input_field(c, buffer, Rect { height: area.height.min(1), ..area }, &self.text);
        // If the status line has one row, the preview is in the row below the board.
        if let Some((said, is_legal)) = painting::preview_typed_move(c).filter(|_| area.height > 1) {
            let said = truncate_text(&said, area.width.saturating_sub(2), c);
            put_line(buffer, c, area, (1, 1), &line_with_side_colours(c, &said, c.message_style(is_legal)));
        }
        Some(cursor)
    }
}
