//! A question before something that cannot be undone.

use crossterm::event::KeyEvent;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use ratatui_core::style::Style;

use super::super::component::{Answer, Component, LayerEffect};
use super::super::draw::{draw_lines, told};
use super::super::effect::Effect;
use super::super::frame::FrameContext;
use super::super::key_table::Action;
use super::super::layer::Confirm;
use super::super::layout::number;
use crate::messages::lists;
use crate::text::columns::wrap;

/// Columns of the widest box.
const WIDEST: u16 = 60;

impl Component for Confirm {
    fn act(&mut self, act: Action, _: &KeyEvent, _: &FrameContext<'_>) -> Answer {
        let closes_and = |effect: Option<&Effect>| {
            let asked = effect.cloned().map(LayerEffect::Ask);
            Answer::Handled([LayerEffect::Close].into_iter().chain(asked).collect())
        };
        match act {
            Action::Yes => closes_and(Some(&self.effect)),
            Action::No => closes_and(self.refusal.as_ref()),
            Action::Help => Answer::PassOn,
            _ => Answer::DONE,
        }
    }

    /// Ignores text that is typed or pasted.
    fn text(&mut self, _: &str, _: &FrameContext<'_>) -> Answer {
        Answer::DONE
    }

    fn draw(&self, c: &FrameContext<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (width, height) = c.screen.size;
        let wide = width.min(WIDEST);
        let rows = wrap(&self.question, usize::from(wide.saturating_sub(4)).max(1));
        let lines: Vec<_> = rows.iter().map(|row| told(c, row, Style::new())).collect();
        let high = (number(lines.len()) + 2).min(height);
        let area = Rect { x: (width - wide) / 2, y: (height - high) / 2, width: wide, height: high };
        draw_lines(c, buffer, area, lists::CONFIRM, &lines);
        Some(Position {
            x: area.x + 2.min(wide.saturating_sub(1)),
            y: area.y + 1.min(high.saturating_sub(1)),
        })
    }
}
