//! Writes what has changed to the terminal: cells with the sixteen colours, in one piece, through the guard.

use std::fmt::Write as _;
use std::io;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use super::terminal;

/// A terminal that is ours. A frame is collected and written at once.
#[derive(Debug, Default)]
pub(super) struct Screen {
    text: String,
    cursor: Position,
    is_cursor_hidden: bool,
}

/// The number of a colour of the themes as its escape sequence has it.
fn code(colour: Color) -> u8 {
    match colour {
        Color::Green => 32,
        Color::Magenta => 35,
        Color::Cyan => 36,
        Color::LightRed => 91,
        Color::LightBlue => 94,
        Color::LightMagenta => 95,
        _ => 39,
    }
}

impl Screen {
    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string succeeds.
        let _ = self.text.write_fmt(text);
    }

    fn style(&mut self, colour: Color, modifier: Modifier) {
        self.text.push_str("\x1b[0");
        for (flag, number) in [(Modifier::BOLD, 1), (Modifier::DIM, 2), (Modifier::REVERSED, 7)] {
            if modifier.contains(flag) {
                self.push(format_args!(";{number}"));
            }
        }
        if colour != Color::Reset {
            self.push(format_args!(";{}", code(colour)));
        }
        self.text.push('m');
    }
}

impl Backend for Screen {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut next = None;
        let mut style = (Color::Reset, Modifier::empty());
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                self.push(format_args!("\x1b[{};{}H", y + 1, x + 1));
            }
            if style != (cell.fg, cell.modifier) {
                style = (cell.fg, cell.modifier);
                self.style(cell.fg, cell.modifier);
            }
            self.text.push_str(cell.symbol());
            next = Some((x + 1, y));
        }
        if style != (Color::Reset, Modifier::empty()) {
            self.text.push_str("\x1b[0m");
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if !self.is_cursor_hidden {
            self.is_cursor_hidden = true;
            self.text.push_str("\x1b[?25l");
        }
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if self.is_cursor_hidden {
            self.is_cursor_hidden = false;
            self.text.push_str("\x1b[?25h");
        }
        Ok(())
    }

    /// Where it was put: the terminal is never asked.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        let Position { x, y } = self.cursor;
        self.push(format_args!("\x1b[{};{}H", y + 1, x + 1));
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.text.push_str("\x1b[2J");
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = super::size();
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::default() })
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.text.is_empty() {
            terminal::write(self.text.as_bytes());
            self.text.clear();
        }
        Ok(())
    }
}
