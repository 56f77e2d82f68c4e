//! Output to the terminal: the cells that have changed, with their colours, in one piece, through
//! the guard.

use std::fmt::Write as _;
use std::io;

use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};

use super::terminal;

/// The terminal as a backend. A frame is collected, which always succeeds, and written at once.
#[derive(Debug, Default)]
pub(super) struct Screen {
    text: String,
    cursor: Position,
    is_cursor_hidden: bool,
}

/// Returns the number of a colour of the themes, as its escape sequence has it.
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

/// Colour of a cell, its background colour and its attributes.
type CellStyle = (Color, Color, Modifier);

const PLAIN: CellStyle = (Color::Reset, Color::Reset, Modifier::empty());

impl Screen {
    fn style(&mut self, (colour, ground, modifier): CellStyle) {
        self.text.push_str("\x1b[0");
        for (flag, number) in [(Modifier::BOLD, 1), (Modifier::DIM, 2), (Modifier::REVERSED, 7)] {
            if modifier.contains(flag) {
                let _ = write!(self.text, ";{number}");
            }
        }
        for (colour, kind) in [(colour, 38), (ground, 48)] {
            match colour {
                Color::Rgb(red, green, blue) => {
                    let _ = write!(self.text, ";{kind};2;{red};{green};{blue}");
                }
                Color::Indexed(number) => {
                    let _ = write!(self.text, ";{kind};5;{number}");
                }
                colour if colour != Color::Reset && kind == 38 => {
                    let _ = write!(self.text, ";{}", code(colour));
                }
                _ => {}
            }
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
        let mut style = PLAIN;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                let _ = write!(self.text, "\x1b[{};{}H", y + 1, x + 1);
            }
            if style != (cell.fg, cell.bg, cell.modifier) {
                style = (cell.fg, cell.bg, cell.modifier);
                self.style(style);
            }
            self.text.push_str(cell.symbol());
            next = Some((x + 1, y));
        }
        if style != PLAIN {
            self.text.push_str("\x1b[0m");
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        if !std::mem::replace(&mut self.is_cursor_hidden, true) {
            self.text.push_str("\x1b[?25l");
        }
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_cursor_hidden) {
            self.text.push_str("\x1b[?25h");
        }
        Ok(())
    }

    /// Returns the position where the cursor was put: the terminal is never asked.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        let Position { x, y } = self.cursor;
        let _ = write!(self.text, "\x1b[{};{}H", y + 1, x + 1);
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
