//! Line mode: plain text in, plain text out, for terminals, pipes, tests and screen readers.
//! Never moves the cursor, never rewrites a line, writes no escape byte unless colour is on.

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;

use crate::canvas::{Canvas, Glyphs, Look, Role};
use crate::game::{Illegal, Outcome, Side};
use crate::session::{Report, Session};
use crate::ui::{By, Ended, Input, Moved, Opening, Said, Screen, wait_for_the_move};
use crate::words;

/// The longest line that is read, in bytes.
pub(crate) const MAX_LINE: usize = 4096;
/// After so many bytes without a line end the input is taken for endless.
const ENDLESS: u64 = 2 << 30;

/// How line mode looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether a person types: prompts and greetings are shown, refusals stand among the answers.
    pub is_dialogue: bool,
    /// Whether pieces and marks are coloured.
    pub has_colour: bool,
    /// The characters of the board.
    pub glyphs: Glyphs,
    /// Columns at which sentences are broken, where a person reads them in a window.
    pub width: Option<usize>,
}

/// Line mode over any input and output.
#[derive(Debug)]
pub struct Line<I, O, E> {
    input: I,
    out: O,
    err: E,
    style: Style,
    /// Input lines read so far.
    lines: u64,
    /// The result line of the exchange of moves that is under way, on a pipe.
    exchange: String,
    /// What is to be said when it has come to its end.
    notices: Vec<String>,
    you: Option<Side>,
    is_watched: bool,
    /// Says that no more input will come.
    has_ended: Option<Arc<AtomicBool>>,
}

impl<I: BufRead, O: Write, E: Write> Line<I, O, E> {
    /// Line mode that reads `input`, answers to `out` and reports to `err`.
    pub fn new(input: I, out: O, err: E, style: Style) -> Self {
        Line {
            input,
            out,
            err,
            style,
            lines: 0,
            exchange: String::new(),
            notices: Vec::new(),
            you: None,
            is_watched: false,
            has_ended: None,
        }
    }

    /// The same with a flag that is raised when all input has been read: a machine that still thinks then answers soon.
    #[must_use]
    pub fn with_end_flag(self, has_ended: Option<Arc<AtomicBool>>) -> Self {
        Line { has_ended, ..self }
    }

    /// Prints the result line of the exchange that has come to its end.
    fn end_exchange(&mut self) -> io::Result<()> {
        if !self.exchange.is_empty() {
            writeln!(self.out, "{}", self.exchange)?;
            self.exchange.clear();
        }
        for notice in std::mem::take(&mut self.notices) {
            self.print(2, &notice)?;
        }
        Ok(())
    }

    fn add_to_exchange(&mut self, text: &str) {
        if !self.exchange.is_empty() {
            self.exchange.push_str(" | ");
        }
        self.exchange.push_str(text);
    }

    /// Writes a diagnostic. A reader of the diagnostics who has left disturbs no game.
    fn report(&mut self, text: &str) {
        let _ = writeln!(self.err, "{text}");
    }

    /// Prints a sentence with an indent, broken between words where the window ends.
    fn print(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let width = self.style.width.unwrap_or(usize::MAX).max(20);
        for row in text.lines() {
            let mut used = 0;
            for word in row.split(' ') {
                let length = word.chars().count();
                if used > indent && used + 1 + length >= width {
                    writeln!(self.out)?;
                    used = 0;
                }
                let gap = if used == 0 { indent } else { 1 };
                write!(self.out, "{:gap$}{word}", "")?;
                used += gap + length;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn draw(&mut self, canvas: &Canvas) -> io::Result<()> {
        for y in 0..canvas.height() {
            if self.style.has_colour {
                draw_coloured(&mut self.out, canvas, y)?;
            } else {
                writeln!(self.out, "{}", canvas.row(y))?;
            }
        }
        self.out.flush()
    }
}

/// One row, pieces and marks in their colours.
fn draw_coloured(out: &mut impl Write, canvas: &Canvas, y: usize) -> io::Result<()> {
    for (x, glyph) in canvas.row(y).chars().enumerate() {
        match colours(canvas.at(x, y).1) {
            Some(style) => write!(out, "\x1b[{style}m{glyph}\x1b[0m")?,
            None => write!(out, "{glyph}")?,
        }
    }
    writeln!(out)
}

/// The escape numbers of a role: bold, reverse, one of the sixteen colours, as the full screen has them.
fn colours(role: Role) -> Option<&'static str> {
    match role {
        Role::First => Some("1;91"),
        Role::Second => Some("94"),
        Role::FirstWon => Some("1;7;91"),
        Role::SecondWon => Some("7;94"),
        Role::Last | Role::Cursor | Role::Hint | Role::Allowed | Role::Refused | Role::Path => Some("1;95"),
        Role::Plain | Role::Label | Role::Frame => None,
    }
}

/// Time and depth of a search, to stand behind a move.
fn effort(report: &Report) -> String {
    let seconds = report.elapsed.as_secs_f64();
    if report.depth == 0 { String::new() } else { format!("   ({seconds:.1} s, depth {})", report.depth) }
}

impl<I: BufRead, O: Write, E: Write> Screen for Line<I, O, E> {
    fn open(&mut self, session: &dyn Session, opening: &Opening<'_>) -> io::Result<()> {
        (self.you, self.is_watched) = (opening.you, opening.is_watched);
        if self.style.is_dialogue {
            self.print(0, opening.greeting)?;
        }
        if !opening.remarks.is_empty() {
            self.print(2, &words::remarks(opening.remarks))?;
        }
        self.board(session)
    }

    fn fall_back(&mut self, _: &dyn Session, _: &Opening<'_>, why: &Illegal) -> io::Result<()> {
        self.note(why)
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Input> {
        self.end_exchange()?;
        if self.style.is_dialogue {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()?;
        let input = read_line(&mut self.input, MAX_LINE)?;
        self.lines += u64::from(input != Input::End);
        if input == Input::End && self.style.is_dialogue {
            writeln!(self.out)?;
        }
        Ok(input)
    }

    fn while_thinking(
        &mut self,
        _: &dyn Session,
        news: &Receiver<Report>,
        stop: &AtomicBool,
    ) -> io::Result<Option<Input>> {
        wait_for_the_move(&mut self.input, self.has_ended.as_deref(), news, stop).map(|()| None)
    }

    fn moved(&mut self, session: &dyn Session, moved: &Moved<'_>) -> io::Result<()> {
        let name = session.side_name(moved.side);
        let text = moved.text;
        self.notices.extend(moved.notice.map(str::to_owned));
        if self.is_watched {
            writeln!(self.out, "{}. {name} {text}", moved.ply)?;
        } else if !self.style.is_dialogue {
            self.add_to_exchange(&format!("{name} {text}"));
        } else if moved.by == By::Human && self.you.is_some() {
            writeln!(self.out, "  You: {text}.")?;
        } else {
            writeln!(self.out, "  {name}: {text}.{}", moved.report.map(effort).unwrap_or_default())?;
        }
        self.out.flush()
    }

    fn board(&mut self, session: &dyn Session) -> io::Result<()> {
        self.end_exchange()?;
        self.draw(&session.canvas(Look { glyphs: self.style.glyphs, ..Look::default() }))
    }

    fn say(&mut self, said: &Said) -> io::Result<()> {
        self.end_exchange()?;
        for line in &said.lines {
            self.print(2, line)?;
        }
        self.out.flush()
    }

    fn refuse(&mut self, illegal: &Illegal) -> io::Result<()> {
        if self.style.is_dialogue {
            self.print(2, &illegal.text)?;
        } else {
            self.out.flush()?;
            self.report(&format!("line {}: {illegal}", self.lines));
        }
        self.out.flush()
    }

    fn stats(&mut self, text: &str) -> io::Result<()> {
        if self.style.is_dialogue {
            return writeln!(self.out, "  {text}");
        }
        self.report(text);
        Ok(())
    }

    fn note(&mut self, why: &Illegal) -> io::Result<()> {
        self.out.flush()?;
        self.report(&why.text);
        Ok(())
    }

    fn ended(&mut self, session: &dyn Session, ended: &Ended<'_>) -> io::Result<()> {
        if !self.style.is_dialogue && !self.is_watched && !self.exchange.is_empty() {
            self.add_to_exchange(&match ended.outcome {
                Outcome::Win(side) => format!("{} won on move {}", session.side_name(side), ended.plies),
                Outcome::Draw => format!("draw on move {}", ended.plies),
            });
        }
        self.board(session)?;
        writeln!(self.out, "{}", words::result(session, ended.outcome, ended.reason, ended.plies))?;
        self.out.flush()
    }

    fn leave(&mut self, _: &dyn Session, is_unfinished: bool) -> io::Result<()> {
        self.end_exchange()?;
        if is_unfinished && self.style.is_dialogue {
            writeln!(self.out, "  {}", words::NOT_SAVED)?;
        }
        self.out.flush()
    }
}

/// Reads a line of at most `most` bytes. Of a longer one nothing is kept; an endless one ends the input.
pub(crate) fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Input> {
    read_line_within(input, most, ENDLESS)
}

fn read_line_within(input: &mut impl BufRead, most: usize, endless: u64) -> io::Result<Input> {
    let mut line = Vec::new();
    let mut length: u64 = 0;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok(if length == 0 { Input::End } else { finish(&line, length, most) });
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        length += part.len() as u64;
        if length <= most as u64 {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(finish(&line, length, most));
        }
        if length > endless {
            return Ok(Input::Endless);
        }
    }
}

fn finish(line: &[u8], length: u64, most: usize) -> Input {
    if length > most as u64 {
        return Input::TooLong;
    }
    let text = String::from_utf8_lossy(line);
    Input::Line(text.strip_suffix('\r').unwrap_or(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_lf_cr_lf_or_the_input() {
        let mut input = &b"a1\r\nb2\n\nc3"[..];
        let mut next = || read_line(&mut input, 10).unwrap();
        for text in ["a1", "b2", "", "c3"] {
            assert_eq!(next(), Input::Line(text.to_owned()));
        }
        assert_eq!(next(), Input::End);
    }

    #[test]
    fn a_line_too_long_is_dropped_and_the_next_one_read() {
        let mut input = io::BufReader::with_capacity(7, &b"0123456789x\n0123456789\n\xff\x00\n"[..]);
        let mut next = || read_line(&mut input, 10).unwrap();
        assert_eq!(next(), Input::TooLong);
        assert_eq!(next(), Input::Line("0123456789".to_owned()));
        assert_eq!(next(), Input::Line("\u{fffd}\0".to_owned()));
    }

    #[test]
    fn an_endless_line_ends_the_input() {
        let mut input = io::BufReader::new(io::repeat(0));
        assert_eq!(read_line_within(&mut input, 10, 1 << 20).unwrap(), Input::Endless);
    }
}
