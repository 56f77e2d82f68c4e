//! Question before an action that cannot be undone.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;

use super::super::component::{LayerAnswer, LayerComponent, LayerEffect};
use super::super::draw::{draw_framed_lines, line_with_side_colours};
use super::super::effect::ScreenEffect;
use super::super::frame::FrameContext;
use super::super::key_table::KeyAction;
use super::super::layer::ConfirmDialog;
use super::super::layout::to_u16_saturating;
use crate::messages::lists;
use crate::text::columns::wrap_text;

/// Maximum width of the box, in columns.
const MAX_CONFIRM_WIDTH: u16 = 60;

impl LayerComponent for ConfirmDialog {
    fn perform(&mut self, act: KeyAction, _: &KeyEvent, _: &FrameContext<'_>) -> LayerAnswer {
        let closes_and = |effect: Option<&ScreenEffect>| {
            let asked = effect.cloned().map(LayerEffect::Ask);
            LayerAnswer::Handled([LayerEffect::Close].into_iter().chain(asked).collect())
        };
        match act {
            KeyAction::Yes => closes_and(Some(&self.effect)),
            KeyAction::No => closes_and(self.refusal.as_ref()),
            KeyAction::Help => LayerAnswer::PassOn,
            _ => LayerAnswer::HANDLED,
        }
    }

    /// Ignores text that is typed or pasted.
    fn insert_text(&mut self, _: &str, _: &FrameContext<'_>) -> LayerAnswer {
        LayerAnswer::HANDLED
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (width, height) = c.screen.size;
        let wide = width.min(MAX_CONFIRM_WIDTH);
        let rows = wrap_text(&self.question, usize::from(wide.saturating_sub(4)).max(1));
        let lines: Vec<_> = rows.iter().map(|row| line_with_side_colours(c, row, Style::new())).collect();
        let high = (to_u16_saturating(lines.len()) + 2).min(height);
        let area = Rect { x: (width - wide) / 2, y: (height - high) / 2, width: wide, height: high };
        draw_framed_lines(c, buffer, area, lists::CONFIRMATION_HEADING, &lines);
        Some(Position {
            x: area.x + 2.min(wide.saturating_sub(1)),
            y: area.y + 1.min(high.saturating_sub(1)),
        })
    }
}
