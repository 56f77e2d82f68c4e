//! Parser for the syntax of SGF: game trees, nodes, properties, values. This module does not depend on any
//! game.

use std::borrow::Cow;

use crate::game::Refusal;

/// Maximum nesting depth of variations that is read, more than a board has cells.
const MAX_SGF_DEPTH: usize = 1_000;
/// Maximum number of nodes that are read from a file. It also limits the properties and the values.
const MAX_SGF_PARTS: usize = 300_000;

/// Syntax error in an SGF text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {why}")]
pub(in crate::record) struct BadSgf {
    /// Line of the text, from 1.
    pub(in crate::record) line: usize,
    /// Description of the problem.
    pub(in crate::record) why: String,
}

/// A node of an SGF game tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct SgfNode {
    /// Parent node, or `None` at the root of a game.
    pub(super) parent: Option<u32>,
    /// First child node.
    pub(super) first_child: Option<u32>,
    /// Properties, as a range of [`SgfCollection::properties`].
    properties: (u32, u32),
    /// Line of the node, from 1.
    pub(super) line: u32,
}

/// A property of an SGF node.
#[derive(Clone, Debug)]
pub(super) struct SgfProperty<'a> {
    /// Name, without the lower-case letters that old files put into it.
    pub(super) name: Cow<'a, str>,
    /// Values, as a range of [`SgfCollection::values`].
    values: (u32, u32),
    /// Line in which the property begins, from 1.
    pub(super) line: usize,
}

/// The games of an SGF file. Nodes are in the order of the text, so a parent precedes its children.
#[derive(Debug, Default)]
pub(super) struct SgfCollection<'a> {
    pub(super) nodes: Vec<SgfNode>,
    properties: Vec<SgfProperty<'a>>,
    values: Vec<&'a str>,
    /// First node of each game.
    pub(super) games: Vec<u32>,
    /// Number of bytes of the text that were read.
    pub(super) end: usize,
    /// Syntax error at the end of a text that ends within its last game.
    pub(super) cut: Option<BadSgf>,
}

impl<'a> SgfCollection<'a> {
    /// Parses a text that begins with `(;`. Text after the last game is ignored. If the text ends within a
    /// game, its complete properties are kept.
    ///
    /// # Errors
    /// The error names the line with the problem.
    pub(super) fn parse(text: &'a str) -> Result<Self, BadSgf> {
        let mut reader = SgfParser { text, at: 0, line: 1 };
        let mut games = SgfCollection::default();
        reader.skip_blanks();
        loop {
            if let Err(bad) = reader.parse_game(&mut games) {
                let is_cut = reader.at == text.len() && !games.nodes.is_empty();
                games.end = reader.at;
                games.cut = Some(bad.clone());
                return if is_cut { Ok(games) } else { Err(bad) };
            }
            games.end = reader.at;
            reader.skip_blanks();
            if !is_sgf_game(&reader.text[reader.at..]) {
                return Ok(games);
            }
        }
    }

    pub(super) fn properties(&self, node: u32) -> &[SgfProperty<'a>] {
        let (from, to) = self.nodes[node as usize].properties;
        &self.properties[from as usize..to as usize]
    }

    /// Returns the values of a property as written, with their escapes.
    pub(super) fn values(&self, property: &SgfProperty<'a>) -> &[&'a str] {
        &self.values[property.values.0 as usize..property.values.1 as usize]
    }

    /// Returns the first value of a property of a node, unescaped and trimmed.
    pub(super) fn first_value(&self, node: u32, name: &str) -> Option<String> {
        let property = self.properties(node).iter().find(|property| property.name == name)?;
        Some(unescape_value(self.values(property).first()?).trim().to_owned())
    }

    /// Returns a node and the nodes that follow it on the main line.
    pub(super) fn main_line(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |&node| self.nodes[node as usize].first_child)
    }
}

/// Reports whether a text begins like an SGF game.
pub(in crate::record) fn is_sgf_game(text: &str) -> bool {
    text.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'))
}

/// Returns the text of a value without escapes and with line ends as `\n`.
pub(super) fn unescape_value(value: &str) -> String {
    if !value.contains(['\\', '\r']) {
        return value.to_owned();
    }
    let value = value.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n");
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        // An escaped character stands for itself, and an escaped line end is removed.
        let shown = if letter == '\\' { letters.next().filter(|&next| next != '\n') } else { Some(letter) };
        text.extend(shown);
    }
    text
}

/// Returns a text with the escapes of a value.
pub(super) fn escape_value(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Parser state: the text and the current offset.
struct SgfParser<'a> {
    text: &'a str,
    at: usize,
    /// Line of the text, from 1.
    line: usize,
}

impl<'a> SgfParser<'a> {
    fn error_here(&self, why: impl Into<String>) -> BadSgf {
        BadSgf { line: self.line, why: why.into() }
    }

    fn peek_char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Skips this number of bytes and counts their line ends.
    fn skip_bytes(&mut self, bytes: usize) {
        self.line += self.text[self.at..self.at + bytes].matches('\n').count();
        self.at += bytes;
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.skip_bytes(rest.len() - rest.trim_start().len());
    }

    /// Parses one game and adds it to the collection.
    fn parse_game(&mut self, games: &mut SgfCollection<'a>) -> Result<(), BadSgf> {
        if !is_sgf_game(&self.text[self.at..]) {
            return Err(self.error_here("an SGF game must start with (;"));
        }
        self.skip_bytes(1);
        // Node to return to at the end of each open bracket.
        let mut open: Vec<Option<u32>> = vec![None];
        let mut here: Option<u32> = None;
        games.games.push(to_u32_index(games.nodes.len()));
        loop {
            self.skip_blanks();
            if games.nodes.len().max(games.properties.len()).max(games.values.len()) > MAX_SGF_PARTS {
                return Err(self.error_here("the file has more nodes and properties than can be read"));
            }
            match self.peek_char() {
                Some('(') if here.is_some() => {
                    if open.len() == MAX_SGF_DEPTH {
                        return Err(
                            self.error_here(format!("variations are nested more than {MAX_SGF_DEPTH} deep"))
                        );
                    }
                    open.push(here);
                    self.skip_bytes(1);
                }
                Some(')') => {
                    self.skip_bytes(1);
                    here = open.pop().flatten();
                    if open.is_empty() {
                        return Ok(());
                    }
                }
                Some(';') => {
                    self.skip_bytes(1);
                    here = Some(self.parse_node(games, here)?);
                }
                Some(other) => {
                    return Err(self.error_here(format!(
                        "{:?} is outside a node",
                        Refusal::sanitize_excerpt(&other.to_string())
                    )));
                }
                None => return Err(self.error_here("the game is not closed: ) is missing")),
            }
        }
    }

    /// Parses a node with its properties.
    fn parse_node(&mut self, games: &mut SgfCollection<'a>, parent: Option<u32>) -> Result<u32, BadSgf> {
        let (id, from) = (to_u32_index(games.nodes.len()), to_u32_index(games.properties.len()));
        let line = to_u32_index(self.line);
        self.skip_blanks();
        let read = self.parse_properties(games);
        let properties = (from, to_u32_index(games.properties.len()));
        games.nodes.push(SgfNode { parent, first_child: None, properties, line });
        if let Some(parent) = parent {
            games.nodes[parent as usize].first_child.get_or_insert(id);
        }
        read.map(|()| id)
    }

    fn parse_properties(&mut self, games: &mut SgfCollection<'a>) -> Result<(), BadSgf> {
        while self.peek_char().is_some_and(|letter| letter.is_ascii_alphabetic()) {
            if games.values.len() > MAX_SGF_PARTS {
                return Err(self.error_here("the file has more nodes and properties than can be read"));
            }
            let property = self.parse_property(games)?;
            games.properties.push(property);
            self.skip_blanks();
        }
        Ok(())
    }

    fn parse_property(&mut self, games: &mut SgfCollection<'a>) -> Result<SgfProperty<'a>, BadSgf> {
        let rest = &self.text[self.at..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let line = self.line;
        self.skip_bytes(name.len());
        let from = to_u32_index(games.values.len());
        loop {
            self.skip_blanks();
            if self.peek_char() != Some('[') {
                break;
            }
            self.skip_bytes(1);
            let value = self.parse_value()?;
            games.values.push(value);
        }
        let values = (from, to_u32_index(games.values.len()));
        if values.0 == values.1 {
            return Err(self.error_here(format!("{} has no value in [ ]", Refusal::sanitize_excerpt(name))));
        }
        Ok(SgfProperty { name: normalize_property_name(name), values, line })
    }

    /// Parses a value after its opening bracket, including the closing bracket.
    fn parse_value(&mut self) -> Result<&'a str, BadSgf> {
        let bytes = &self.text.as_bytes()[self.at..];
        let mut length = 0;
        loop {
            match bytes.get(length) {
                None => {
                    let bad = self.error_here("a value is not closed: ] is missing");
                    self.at = self.text.len();
                    return Err(bad);
                }
                Some(b']') => break,
                Some(b'\\') => length += 2,
                Some(_) => length += 1,
            }
        }
        let value = &self.text[self.at..self.at + length];
        self.skip_bytes(length + 1);
        Ok(value)
    }
}

/// Returns a property name without the lower-case letters that old files put into it. A name of lower-case
/// letters alone is converted to upper case.
fn normalize_property_name(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Cow::Borrowed(name);
    }
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Owned(name.to_ascii_uppercase());
    }
    Cow::Owned(name.chars().filter(char::is_ascii_uppercase).collect())
}

fn to_u32_index(length: usize) -> u32 {
    u32::try_from(length).expect("a file of a MiB has fewer parts")
}
