//! Terminal backend: collects the changed cells of a frame with their colours and writes them in
//! one piece through the output lock.

use std::fmt::Write as _;
use std::io;

use ratatui_core::backend::{Backend, ClearType, WindowSize};
use ratatui_core::buffer::Cell;
use ratatui_core::layout::{Position, Size};
use ratatui_core::style::{Color, Modifier};

use super::terminal;

/// ratatui backend for the terminal.
///
/// A frame is collected in memory, which always succeeds, and is written by `flush`.
#[derive(Debug, Default)]
pub(super) struct TerminalBackend {
    text: String,
    cursor: Position,
    is_cursor_hidden: bool,
}

/// Returns the SGR code of one of the sixteen colours that themes use.
fn ansi_colour_code(colour: Color) -> u8 {
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

/// Foreground colour, background colour and attributes of a cell.
type CellStyle = (Color, Color, Modifier);

const DEFAULT_CELL_STYLE: CellStyle = (Color::Reset, Color::Reset, Modifier::empty());

impl TerminalBackend {
    fn write_style(&mut self, (colour, ground, modifier): CellStyle) {
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
                    let _ = write!(self.text, ";{}", ansi_colour_code(colour));
                }
                _ => {}
            }
        }
        self.text.push('m');
    }
}

impl Backend for TerminalBackend {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut next = None;
        let mut style = DEFAULT_CELL_STYLE;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                let _ = write!(self.text, "\x1b[{};{}H", y + 1, x + 1);
            }
            if style != (cell.fg, cell.bg, cell.modifier) {
                style = (cell.fg, cell.bg, cell.modifier);
                self.write_style(style);
            }
            self.text.push_str(cell.symbol());
            next = Some((x + 1, y));
        }
        if style != DEFAULT_CELL_STYLE {
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

    /// Returns the position that was last set, without asking the terminal.
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
        let (width, height) = super::terminal_size();
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::default() })
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.text.is_empty() {
            terminal::write_if_owned(self.text.as_bytes());
            self.text.clear();
        }
        Ok(())
    }
}
