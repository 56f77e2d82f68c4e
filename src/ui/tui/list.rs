//! A list to choose from: saved games, or the files of a folder. Knows its rows and the typed text,
//! no disk and no drawing.

use std::path::PathBuf;

use crate::text::Text;
use crate::ui::listing::{Found, ListRequest, ListRow, RowKind};

/// Kind of things to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// The saved games.
    Saved,
    /// Files, for a command such as `load`.
    Files(&'static str),
}

/// List to choose from.
#[derive(Clone, Debug)]
pub struct List {
    /// Kind of things to choose from.
    pub(super) kind: ListKind,
    /// Index of the chosen row among those that are shown.
    pub(super) chosen: usize,
    /// Typed text: for games a text to search for, for files a name.
    pub(super) typed: String,
    /// `true` if letters are typed.
    pub(super) is_typing: bool,
    /// Message below the rows.
    pub(super) said: Vec<Text>,
    /// Reason why the row that was chosen last could not be opened, until the next key.
    pub(super) refusal: Option<Text>,
    rows: Vec<ListRow>,
    /// Rows that are shown, by their numbers.
    shown: Vec<usize>,
    /// Request that the rows answer, once they are there.
    found: Option<ListRequest>,
    /// Last request.
    asked: Option<ListRequest>,
    /// Path of a file and the description of its contents.
    preview: Option<(PathBuf, Vec<Text>)>,
}

impl List {
    /// Creates a list whose contents are not known yet.
    pub fn new(kind: ListKind) -> Self {
        List {
            kind,
            chosen: 0,
            typed: String::new(),
            is_typing: kind != ListKind::Saved,
            said: Vec::new(),
            refusal: None,
            rows: Vec::new(),
            shown: Vec::new(),
            found: None,
            asked: None,
            preview: None,
        }
    }

    /// Returns the folder that was typed, up to the last slash.
    fn folder(&self) -> &str {
        self.typed.rfind('/').map_or("", |end| &self.typed[..=end])
    }

    /// Returns the name that was typed after the folder.
    fn name(&self) -> &str {
        &self.typed[self.folder().len()..]
    }

    fn wanted_rows(&self) -> ListRequest {
        match self.kind {
            ListKind::Saved => ListRequest::Saved,
            ListKind::Files(_) => ListRequest::Folder(self.folder().to_owned()),
        }
    }

    /// Reports whether the rows are those of the typed text.
    pub(super) fn is_known(&self) -> bool {
        self.found.as_ref() == Some(&self.wanted_rows())
    }

    /// Returns the request for what is missing now; each is made once.
    pub(super) fn take_wanted(&mut self) -> Option<ListRequest> {
        let rows = self.wanted_rows();
        let wanted = if self.is_known() {
            let file = self.row().filter(|row| row.kind == RowKind::File)?;
            Some(&file.path)
                .filter(|path| self.preview(path).is_none())
                .map(|path| ListRequest::File(path.clone()))?
        } else {
            rows
        };
        // One file after the other, however fast one goes through the list.
        let is_asked = match &wanted {
            ListRequest::File(_) => self.asked.is_some(),
            wanted => self.asked.as_ref() == Some(wanted),
        };
        (!is_asked).then(|| self.asked.insert(wanted).clone())
    }

    /// Drops the rows, so that they are looked up again.
    pub(super) fn forget(&mut self) {
        (self.found, self.asked) = (None, None);
    }

    /// Says why the chosen row cannot be opened.
    pub(super) fn refuse(&mut self, why: impl Into<Text>) {
        self.refusal = Some(why.into());
    }

    /// Takes the contents that were found; those no longer wanted are dropped.
    pub(super) fn receive(&mut self, found: Found) {
        if self.asked.as_ref() == Some(&found.wanted) {
            self.asked = None;
        }
        match found.wanted {
            ListRequest::File(path) => self.preview = Some((path, found.said)),
            wanted if wanted == self.wanted_rows() => {
                (self.rows, self.said, self.found) = (found.rows, found.said, Some(wanted));
                self.choose_again(self.chosen);
            }
            _ => {}
        }
    }

    /// Shows the rows for the typed text, with this one chosen.
    fn choose_again(&mut self, chosen: usize) {
        let (typed, name) = (folded(&self.typed), self.name().to_lowercase());
        let is_meant = |row: &ListRow| match self.kind {
            ListKind::Saved => typed.split_whitespace().all(|word| has_word(row, word)),
            ListKind::Files(_) => {
                let cell = row.cells[0].to_lowercase();
                let is_hidden = cell.starts_with('.') && cell != "../" && !name.starts_with('.');
                cell.starts_with(&name) && !is_hidden
            }
        };
        let shown = if self.is_known() {
            (0..self.rows.len()).filter(|&i| is_meant(&self.rows[i])).collect()
        } else {
            Vec::new()
        };
        self.shown = shown;
        // A whole name means its file; else the first one is meant, but not the folder above.
        let find = |is_it: &dyn Fn(&str) -> bool| self.rows().position(|row| is_it(&row.cells[0]));
        let first = match self.kind {
            ListKind::Saved => None,
            ListKind::Files(_) => find(&|cell| cell == self.name()).or_else(|| find(&|cell| cell != "../")),
        };
        let chosen = if chosen == 0 { first.unwrap_or(0) } else { chosen };
        self.chosen = chosen.min(self.shown.len().saturating_sub(1));
    }

    /// Returns the rows that are shown.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &ListRow> {
        self.shown.iter().map(|&row| &self.rows[row])
    }

    /// Returns the chosen row.
    pub(super) fn row(&self) -> Option<&ListRow> {
        self.shown.get(self.chosen).map(|&row| &self.rows[row])
    }

    /// Returns the description of this file's contents, if it is known.
    pub(super) fn preview(&self, path: &PathBuf) -> Option<&[Text]> {
        self.preview.as_ref().filter(|(of, _)| of == path).map(|(_, said)| &**said)
    }

    /// Chooses the row `step` rows later or earlier.
    pub(super) fn step(&mut self, step: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(step).min(last);
    }

    /// Replaces the typed text by another one.
    pub(super) fn set_typed(&mut self, typed: String) {
        self.typed = typed;
        self.choose_again(0);
    }

    /// Completes the name that is typed, as far as all rows that are shown agree; where nothing can be added the next row is
    /// chosen.
    pub(super) fn complete(&mut self) {
        let mut names = self.rows().map(|row| row.cells[0].as_str()).filter(|name| *name != "../");
        let Some(first) = names.next() else { return };
        let same = |one: &str, other: &str| {
            let pairs = one.char_indices().zip(other.chars());
            pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, a), _)| at + a.len_utf8())
        };
        let length = names.fold(first.len(), |length, name| length.min(same(first, name)));
        let name = first[..length].to_owned();
        if name.len() > self.name().len() || name != self.name() && self.shown.len() == 1 {
            self.set_typed(format!("{}{name}", self.folder()));
        } else {
            let next = if self.chosen + 1 < self.shown.len() { self.chosen + 1 } else { 0 };
            self.chosen = next;
        }
    }

    /// Returns the name of the chosen file as it would be typed, or the typed text if there is
    /// none.
    pub(super) fn path_typed(&self) -> String {
        match self.row() {
            Some(row) => format!("{}{}", self.folder(), row.cells[0]),
            None => self.typed.trim().to_owned(),
        }
    }

    /// Enters a folder, or leaves it for its parent.
    pub(super) fn enter(&mut self, name: &str) {
        let folder = self.folder();
        let above = folder.trim_end_matches('/').rsplit_once('/').map(|(above, _)| format!("{above}/"));
        let is_named = !folder.is_empty() && !folder.ends_with("../") && folder != "~/";
        let typed = match (name, above) {
            ("../", Some(above)) if is_named => above,
            ("../", None) if is_named => String::new(),
            _ => format!("{folder}{name}"),
        };
        self.set_typed(typed);
    }
}

/// Column of saved games that is not searched: the number of moves.
const MOVES: usize = 2;

/// Returns a text in the form that is searched: `X` and `×` become `x`.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('×', "x")
}

/// Reports whether a saved game contains this word; a number only as a whole.
fn has_word(row: &ListRow, word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let cells = row.cells.iter().enumerate().filter(|(column, _)| *column != MOVES);
    cells.map(|(_, cell)| folded(cell)).any(|cell| {
        if is_number { cell.split_whitespace().any(|part| part == word) } else { cell.contains(word) }
    })
}
