//! The main line of a game of Hex as SGF (`FF[4]`, `GM[11]`) tells it, read and written. Knows text, no rules: whether the
//! moves are legal is for those to say who play them.

use std::fmt::Write as _;

use crate::game::Side;

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
        let mut reader = Reader { text, at: 0 };
        let mut game = Sgf { size: DEFAULT_SIZE, ..Sgf::default() };
        reader.skip_blanks();
        reader.expect('(', "a game in SGF begins with (;")?;
        let mut nodes = 0;
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
                    game.take(&name, values, nodes == 1).map_err(|why| reader.bad(why))?;
                }
                Some(other) => return Err(reader.bad(format!("{:?} belongs to no node", other.to_string()))),
                None => return Err(reader.bad("the game has no end: ) is missing".to_owned())),
            }
        }
    }

    /// Takes what a property says.
    fn take(&mut self, name: &str, values: Vec<String>, is_root: bool) -> Result<(), String> {
        let first = values.first().cloned().unwrap_or_default();
        match name {
            "GM" if first.trim() != "11" => {
                return Err(format!("GM[{first}] is another game; Hex is GM[11]"));
            }
            "GM" | "FF" | "CA" => {}
            "SZ" => self.size = size(&first).ok_or_else(|| format!("SZ[{first}] is no board of 1 to 26"))?,
            "B" => self.moves.push((Side::First, first.to_lowercase())),
            "W" => self.moves.push((Side::Second, first.to_lowercase())),
            "AB" | "AW" if !self.moves.is_empty() => return Err(format!("{name} stands behind a move")),
            "AB" => self.stones.extend(values.into_iter().map(|cell| (Side::First, cell.to_lowercase()))),
            "AW" => self.stones.extend(values.into_iter().map(|cell| (Side::Second, cell.to_lowercase()))),
            "PL" => {
                self.to_move = Some(match first.trim().to_lowercase().as_str() {
                    "b" | "black" => Side::First,
                    "w" | "white" => Side::Second,
                    _ => return Err(format!("PL[{first}] is neither B nor W")),
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
            let cells: Vec<String> = cells.map(|(_, cell)| format!("[{cell}]")).collect();
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
}

impl Reader<'_> {
    fn bad(&self, why: String) -> BadSgf {
        BadSgf { line: self.text[..self.at].matches('\n').count() + 1, why }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
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
            Err(self.bad(format!("{name} has no value in [ ]")))
        } else {
            Ok((name, values))
        }
    }

    /// A value behind its bracket, with the one that ends it.
    fn value(&mut self) -> Result<String, BadSgf> {
        let mut value = String::new();
        loop {
            match self.next() {
                None => return Err(self.bad("a value has no end: ] is missing".to_owned())),
                Some(']') => return Ok(value),
                // What is escaped stands for itself; an escaped end of a line for nothing.
                Some('\\') => value.extend(self.next().filter(|&escaped| escaped != '\n')),
                Some(other) => value.push(other),
            }
        }
    }
}
