//! The syntax of SGF: game trees, nodes, properties, values. Knows no game.

use std::borrow::Cow;

use crate::game::Refusal;

/// The deepest nesting of variations that is read: more than a board has cells.
const MAX_DEPTH: usize = 1_000;
/// The most nodes, properties and values of a file that are read.
const MAX_PARTS: usize = 300_000;

/// Fault that makes a text no SGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub(in crate::record) struct BadSgf {
    /// The line, from 1.
    pub(in crate::record) line: usize,
    /// Description of the fault.
    pub(in crate::record) why: String,
}

/// A node of a game tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct SgfNode {
    /// The node before it; `None` at the root of a game.
    pub(super) parent: Option<u32>,
    /// The first one of the nodes that follow it.
    pub(super) first_child: Option<u32>,
    /// Its properties, as a range of [`Collection::properties`].
    properties: (u32, u32),
    /// Its line, from 1.
    pub(super) line: u32,
}

/// A property of a node.
#[derive(Clone, Debug)]
pub(super) struct SgfProperty<'a> {
    /// Its name, without the small letters that old files put into it.
    pub(super) name: Cow<'a, str>,
    /// Its values, as a range of [`Collection::values`].
    values: (u32, u32),
    /// The line in which it begins, from 1.
    pub(super) line: usize,
}

/// The games of a file. Nodes stand in the order of the text: none before its parent.
#[derive(Debug, Default)]
pub(super) struct Collection<'a> {
    pub(super) nodes: Vec<SgfNode>,
    properties: Vec<SgfProperty<'a>>,
    values: Vec<&'a str>,
    /// The first node of each game.
    pub(super) games: Vec<u32>,
    /// Position in the text up to which it was read, in bytes.
    pub(super) end: usize,
    /// Fault at the end of a text that breaks off within its last game.
    pub(super) cut: Option<BadSgf>,
}

impl<'a> Collection<'a> {
    /// Reads a text that begins with `(;`. What stands behind the last game is left; of a game that breaks off all whole
    /// properties are read.
    ///
    /// # Errors
    /// Names the line that is wrong.
    pub(super) fn read(text: &'a str) -> Result<Self, BadSgf> {
        let mut reader = SgfParser { text, at: 0, line: 1 };
        let mut games = Collection::default();
        reader.skip_blanks();
        loop {
            if let Err(bad) = reader.game(&mut games) {
                let is_cut = reader.at == text.len() && !games.nodes.is_empty();
                games.end = reader.at;
                games.cut = Some(bad.clone());
                return if is_cut { Ok(games) } else { Err(bad) };
            }
            games.end = reader.at;
            reader.skip_blanks();
            if !is_game(&reader.text[reader.at..]) {
                return Ok(games);
            }
        }
    }

    pub(super) fn properties(&self, node: u32) -> &[SgfProperty<'a>] {
        let (from, to) = self.nodes[node as usize].properties;
        &self.properties[from as usize..to as usize]
    }

    /// The values of a property as they are written, with their escapes.
    pub(super) fn values(&self, property: &SgfProperty<'a>) -> &[&'a str] {
        &self.values[property.values.0 as usize..property.values.1 as usize]
    }

    /// The first value of a property of a node, without blanks around it.
    pub(super) fn first(&self, node: u32, name: &str) -> Option<String> {
        let property = self.properties(node).iter().find(|property| property.name == name)?;
        Some(plain(self.values(property).first()?).trim().to_owned())
    }

    /// A node and those that follow it in the main line.
    pub(super) fn main_line(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |&node| self.nodes[node as usize].first_child)
    }
}

/// Reports whether a text begins as a game does.
pub(in crate::record) fn is_game(text: &str) -> bool {
    text.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
}

/// The text of a value: without its escapes, with ends of lines as `\n`.
pub(super) fn plain(value: &str) -> String {
    if !value.contains(['\\', '\r']) {
        return value.to_owned();
    }
    let value = value.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n");
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        // What is escaped stands for itself; an escaped end of a line for nothing.
        let shown = if letter == '\\' { letters.next().filter(|&next| next != '\n') } else { Some(letter) };
        text.extend(shown);
    }
    text
}

/// A text as a value.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// A text and how far it has been read.
struct SgfParser<'a> {
    text: &'a str,
    at: usize,
    /// The line, from 1.
    line: usize,
}

impl<'a> SgfParser<'a> {
    fn bad(&self, why: impl Into<String>) -> BadSgf {
        BadSgf { line: self.line, why: why.into() }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Goes on by this number of bytes and counts their lines.
    fn skip(&mut self, bytes: usize) {
        self.line += self.text[self.at..self.at + bytes].matches('\n').count();
        self.at += bytes;
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.skip(rest.len() - rest.trim_start().len());
    }

    /// Reads one game into the others.
    fn game(&mut self, games: &mut Collection<'a>) -> Result<(), BadSgf> {
        if !is_game(&self.text[self.at..]) {
            return Err(self.bad("an SGF game must start with (;"));
        }
        self.skip(1);
        // Where each open bracket goes back to.
        let mut open: Vec<Option<u32>> = vec![None];
        let mut here: Option<u32> = None;
        games.games.push(number(games.nodes.len()));
        loop {
            self.skip_blanks();
            if games.nodes.len().max(games.properties.len()).max(games.values.len()) > MAX_PARTS {
                return Err(self.bad("the file has more nodes and properties than can be read"));
            }
            match self.peek() {
                Some('(') if here.is_some() => {
                    if open.len() == MAX_DEPTH {
                        return Err(self.bad(format!("variations are nested more than {MAX_DEPTH} deep")));
                    }
                    open.push(here);
                    self.skip(1);
                }
                Some(')') => {
                    self.skip(1);
                    here = open.pop().flatten();
                    if open.is_empty() {
                        return Ok(());
                    }
                }
                Some(';') => {
                    self.skip(1);
                    here = Some(self.node(games, here)?);
                }
                Some(other) => {
                    return Err(
                        self.bad(format!("{:?} is outside a node", Refusal::shown(&other.to_string())))
                    );
                }
                None => return Err(self.bad("the game is not closed: ) is missing")),
            }
        }
    }

    /// Reads the properties of a node.
    fn node(&mut self, games: &mut Collection<'a>, parent: Option<u32>) -> Result<u32, BadSgf> {
        let (id, from) = (number(games.nodes.len()), number(games.properties.len()));
        let line = number(self.line);
        self.skip_blanks();
        let read = self.properties(games);
        let properties = (from, number(games.properties.len()));
        games.nodes.push(SgfNode { parent, first_child: None, properties, line });
        if let Some(parent) = parent {
            games.nodes[parent as usize].first_child.get_or_insert(id);
        }
        read.map(|()| id)
    }

    fn properties(&mut self, games: &mut Collection<'a>) -> Result<(), BadSgf> {
        while self.peek().is_some_and(|letter| letter.is_ascii_alphabetic()) {
            if games.values.len() > MAX_PARTS {
                return Err(self.bad("the file has more nodes and properties than can be read"));
            }
            let property = self.property(games)?;
            games.properties.push(property);
            self.skip_blanks();
        }
        Ok(())
    }

    fn property(&mut self, games: &mut Collection<'a>) -> Result<SgfProperty<'a>, BadSgf> {
        let rest = &self.text[self.at..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let line = self.line;
        self.skip(name.len());
        let from = number(games.values.len());
        loop {
            self.skip_blanks();
            if self.peek() != Some('[') {
                break;
            }
            self.skip(1);
            let value = self.value()?;
            games.values.push(value);
        }
        let values = (from, number(games.values.len()));
        if values.0 == values.1 {
            return Err(self.bad(format!("{} has no value in [ ]", Refusal::shown(name))));
        }
        Ok(SgfProperty { name: capitals(name), values, line })
    }

    /// Reads a value behind its opening bracket, with the closing one.
    fn value(&mut self) -> Result<&'a str, BadSgf> {
        let bytes = &self.text.as_bytes()[self.at..];
        let mut length = 0;
        loop {
            match bytes.get(length) {
                None => {
                    let bad = self.bad("a value is not closed: ] is missing");
                    self.at = self.text.len();
                    return Err(bad);
                }
                Some(b']') => break,
                Some(b'\\') => length += 2,
                Some(_) => length += 1,
            }
        }
        let value = &self.text[self.at..self.at + length];
        self.skip(length + 1);
        Ok(value)
    }
}

/// A name without the small letters that old files put into it; one of small letters alone in capitals.
fn capitals(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Owned(name.to_ascii_uppercase());
    }
    Cow::Owned(name.chars().filter(char::is_ascii_uppercase).collect())
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a file of a MiB has fewer parts")
}
