//! The main line of a game of Hex as SGF (`FF[4]`, `GM[11]`) tells it, read and written. Knows text, no rules: whether the
//! moves are legal is for those to say who play them.

use std::fmt::Write as _;

use crate::board::hexgrid::Frame;
use crate::board::names::{cell_name, read_cell};
use crate::game::{Refusal, Side};

/// The column after which no node begins.
const LAST_COLUMN: usize = 72;
/// The size of a board of which the file says nothing.
const DEFAULT_SIZE: usize = 11;

/// The main line of a game.
///
/// ```
/// use crosspath::game::Side;
/// use crosspath::record::sgf::Sgf;
/// let game = Sgf::read("(;FF[4]GM[11]SZ[5];B[c3];W[swap-pieces](;B[d4])(;B[b2]))")?;
/// assert_eq!((game.size, game.moves.len()), (5, 3));
/// assert_eq!(game.moves[2], (Side::First, "d4".to_owned()), "the first line is the main one");
/// assert_eq!(Sgf::read(&game.write())?.moves, game.moves);
/// # Ok::<(), crosspath::record::sgf::BadSgf>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sgf {
    /// Cells on a side.
    pub size: usize,
    /// The properties of the first node that say nothing about the board: `PB`, `RE`, `RU` and others, with their text.
    pub about: Vec<(String, String)>,
    /// The stones that lie there before the first move, black's as First's, by the names of their cells.
    pub stones: Vec<(Side, String)>,
    /// Who moves first, where the file says so.
    pub to_move: Option<Side>,
    /// The moves, each with its colour: names of cells, `swap-pieces`, `swap-sides`, `resign`.
    pub moves: Vec<(Side, String)>,
    /// The line of the text in which each move ends, from 1.
    pub lines: Vec<usize>,
}

/// Why a text is no game of Hex in SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub struct BadSgf {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl Sgf {
    /// Reads the first game of a text; of side lines the first one.
    ///
    /// # Errors
    /// Says in which line the text is wrong, and how.
    pub fn read(text: &str) -> Result<Self, BadSgf> {
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = Reader { text, at: 0, line: 1 };
        let mut game = Sgf { size: DEFAULT_SIZE, ..Sgf::default() };
        reader.skip_blanks();
        reader.expect('(', "an SGF game must start with (;")?;
        let (mut nodes, mut moved_in) = (0, 0);
        loop {
            reader.skip_blanks();
            match reader.peek() {
                Some('(') if nodes > 0 => reader.at += 1, // the first side line goes on with the main line
                Some(';') => {
                    reader.at += 1;
                    nodes += 1;
                }
                Some(')') if nodes > 0 => return Ok(game),
                Some(letter) if nodes > 0 && letter.is_ascii_alphabetic() => {
                    let (name, values) = reader.property()?;
                    let before = game.moves.len();
                    game.take(&name, &values, nodes == 1).map_err(|why| reader.bad(why))?;
                    if game.moves.len() > before && std::mem::replace(&mut moved_in, nodes) == nodes {
                        return Err(reader.bad("a node has more than one move".to_owned()));
                    }
                    game.lines.resize(game.moves.len(), reader.line);
                }
                Some(other) => {
                    return Err(reader.bad(format!("{:?} is outside a node", other.to_string())));
                }
                None => return Err(reader.bad("the game is not closed: ) is missing".to_owned())),
            }
        }
    }

    /// Takes what a property says.
    fn take(&mut self, name: &str, values: &[String], is_root: bool) -> Result<(), String> {
        let first = values.first().map_or("", |value| value.trim()).to_owned();
        let shown = || Refusal::shown(&first);
        let cells = || values.iter().map(|cell| cell.trim().to_lowercase());
        match name {
            "GM" if first != "11" => return Err(format!("GM[{}] is another game; Hex is GM[11]", shown())),
            "GM" | "FF" | "CA" => {}
            "SZ" if !is_root => return Err("SZ is allowed only in the first node".to_owned()),
            "SZ" => {
                self.size = size(&first)
                    .ok_or_else(|| format!("SZ[{}] is not a board size from 1 to 26", shown()))?;
            }
            "B" | "W" if values.len() > 1 => return Err(format!("{name} has more than one move")),
            "B" => self.moves.push((Side::First, first.to_lowercase())),
            "W" => self.moves.push((Side::Second, first.to_lowercase())),
            "AB" | "AW" | "AE" | "PL" if !self.moves.is_empty() => {
                return Err(format!("{name} is not allowed after a move"));
            }
            "AB" => self.stones.extend(cells().map(|cell| (Side::First, cell))),
            "AW" => self.stones.extend(cells().map(|cell| (Side::Second, cell))),
            "AE" => self.stones.retain(|(_, stone)| cells().all(|cell| cell != *stone)),
            "PL" => {
                self.to_move = Some(match first.to_lowercase().as_str() {
                    "b" | "black" => Side::First,
                    "w" | "white" => Side::Second,
                    _ => return Err(format!("PL[{}] is neither B nor W", shown())),
                });
            }
            _ if is_root => self.about.push((name.to_owned(), first)),
            _ => {}
        }
        Ok(())
    }

    /// What a property of the first node says.
    #[must_use]
    pub fn says(&self, name: &str) -> Option<&str> {
        self.about.iter().find(|(known, _)| known == name).map(|(_, text)| &**text)
    }

    /// Whether these bytes begin as a game in SGF does.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        let rest = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('(');
        rest.is_some_and(|rest| rest.trim_start().starts_with(';'))
    }

    /// The moves as they are where the swap mirrors the stone and nobody exchanges colours, each with its side: `resign`
    /// and `swap` by those words.
    ///
    /// Files of `HexGui` 0.0 to 0.9 say `swap-pieces` and mean `swap-sides`.
    pub fn turns(&self) -> impl Iterator<Item = (Side, String)> {
        let exchanges = self.says("AP").is_some_and(|program| {
            let version = program.to_lowercase();
            let mut digits = version.strip_prefix("hexgui:0.").unwrap_or_default().bytes();
            digits.next().is_some_and(|byte| byte.is_ascii_digit())
                && digits.next().is_none_or(|byte| !byte.is_ascii_digit())
        });
        let mut frame = Frame::default();
        self.moves.iter().map(move |(color, text)| {
            let side = frame.side(*color);
            let text = match text.as_str() {
                "forfeit" => "resign".to_owned(),
                "swap-pieces" | "swap-sides" => {
                    frame.transposed = exchanges || text == "swap-sides";
                    "swap".to_owned()
                }
                text => read_cell(text).map_or_else(
                    || text.to_owned(),
                    |(col, row)| {
                        let (row, col) = frame.place((row, col));
                        if col < 26 { cell_name(col, row) } else { text.to_owned() }
                    },
                ),
            };
            (side, text)
        })
    }

    /// The text: a file with this one game.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text =
            format!("(;FF[4]CA[UTF-8]AP[crosspath:{}]GM[11]SZ[{}]", env!("CARGO_PKG_VERSION"), self.size);
        for (name, value) in self.about.iter().filter(|(name, _)| name != "AP") {
            let _ = write!(text, "{name}[{}]", escaped(value));
        }
        for (name, side) in [("AB", Side::First), ("AW", Side::Second)] {
            let cells = self.stones.iter().filter(|(owner, _)| *owner == side);
            let cells: Vec<String> = cells.map(|(_, cell)| format!("[{}]", escaped(cell))).collect();
            text += if cells.is_empty() { "" } else { name };
            text += &cells.concat();
        }
        if let Some(side) = self.to_move {
            let _ = write!(text, "PL[{}]", letter(side));
        }
        let mut column = text.chars().count();
        for (side, mv) in &self.moves {
            let node = format!(";{}[{}]", letter(*side), escaped(mv));
            if column + node.len() > LAST_COLUMN {
                text.push('\n');
                column = 0;
            }
            column += node.len();
            text += &node;
        }
        text + ")\n"
    }
}

fn letter(side: Side) -> char {
    if side == Side::First { 'B' } else { 'W' }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// The size that `11` and `11:11` name.
fn size(text: &str) -> Option<usize> {
    let (columns, rows) = text.trim().split_once(':').unwrap_or((text.trim(), text.trim()));
    let [columns, rows] = [columns, rows].map(|number| number.parse::<usize>().ok());
    columns.filter(|&size| rows == Some(size) && (1..=crate::board::MAX_SIZE).contains(&size))
}

/// A text and how far it has been read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The line, from 1.
    line: usize,
}

impl Reader<'_> {
    fn bad(&self, why: String) -> BadSgf {
        BadSgf { line: self.line, why }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        self.line += usize::from(next == '\n');
        Some(next)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn expect(&mut self, wanted: char, why: &str) -> Result<(), BadSgf> {
        if self.peek() == Some(wanted) {
            self.at += wanted.len_utf8();
            Ok(())
        } else {
            Err(self.bad(why.to_owned()))
        }
    }

    /// A name, without the small letters that old files put into it, and its values.
    fn property(&mut self) -> Result<(String, Vec<String>), BadSgf> {
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
            self.at += 1;
            name.extend(letter.is_ascii_uppercase().then_some(letter));
        }
        let mut values = Vec::new();
        loop {
            self.skip_blanks();
            if self.peek() != Some('[') {
                break;
            }
            self.at += 1;
            values.push(self.value()?);
        }
        if values.is_empty() {
            Err(self.bad(format!("{} has no value in [ ]", Refusal::shown(&name))))
        } else {
            Ok((name, values))
        }
    }

    /// A value behind its bracket, with the one that ends it.
    fn value(&mut self) -> Result<String, BadSgf> {
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(self.bad("a value is not closed: ] is missing".to_owned())),
                Some(']') => return Ok(value),
                // What is escaped stands for itself; an escaped end of a line for nothing.
                Some('\\') => match self.next() {
                    Some(end @ ('\n' | '\r')) => {
                        let other = if end == '\n' { '\r' } else { '\n' };
                        if self.peek() == Some(other) {
                            self.next();
                        }
                    }
                    escaped => value.extend(escaped),
                },
                Some(other) => value.push(other),
            }
        }
    }
}
