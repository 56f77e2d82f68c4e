//! List of saved games or of the files of a folder, from which the player chooses. It holds rows
//! and typed text; other modules read the files and draw the list.

use std::path::PathBuf;

use crate::text::Text;
use crate::ui::listing::{ListContents, ListRequest, ListRow, ListRowKind};

/// Kind of items in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// The saved games.
    Saved,
    /// Files, for a command such as `load`.
    Files(&'static str),
}

/// List from which the player chooses a row.
#[derive(Clone, Debug)]
pub struct SelectionList {
    /// Kind of items in the list.
    pub(super) kind: ListKind,
    /// Index of the chosen row among the visible rows.
    pub(super) chosen: usize,
    /// Typed text: a search text for games, a path for files.
    pub(super) typed: String,
    /// `true` if letter keys are typed as text.
    pub(super) is_typing: bool,
    /// Messages below the rows.
    pub(super) messages: Vec<Text>,
    /// Reason why the chosen row could not be opened, shown until the next key.
    pub(super) refusal: Option<Text>,
    rows: Vec<ListRow>,
    /// Indices of the rows that match the typed text.
    shown: Vec<usize>,
    /// Request that the present rows answered.
    answered: Option<ListRequest>,
    /// Request that is not answered yet.
    pending: Option<ListRequest>,
    /// Path of the previewed file, with the description of its contents.
    preview: Option<(PathBuf, Vec<Text>)>,
}

impl SelectionList {
    /// Creates a list that has no contents yet.
    pub fn new(kind: ListKind) -> Self {
        SelectionList {
            kind,
            chosen: 0,
            typed: String::new(),
            is_typing: kind != ListKind::Saved,
            messages: Vec::new(),
            refusal: None,
            rows: Vec::new(),
            shown: Vec::new(),
            answered: None,
            pending: None,
            preview: None,
        }
    }

    /// Returns the folder in the typed path, up to the last slash.
    fn typed_folder(&self) -> &str {
        self.typed.rfind('/').map_or("", |end| &self.typed[..=end])
    }

    /// Returns the file name in the typed path, after the folder.
    fn typed_name(&self) -> &str {
        &self.typed[self.typed_folder().len()..]
    }

    fn rows_request(&self) -> ListRequest {
        match self.kind {
            ListKind::Saved => ListRequest::Saved,
            ListKind::Files(_) => ListRequest::Folder(self.typed_folder().to_owned()),
        }
    }

    /// Reports whether the rows belong to the typed folder, or to the saved games.
    pub(super) fn has_current_rows(&self) -> bool {
        self.answered.as_ref() == Some(&self.rows_request())
    }

    /// Returns the request for the contents of the open list, the first time it is called after the list has
    /// changed.
    pub(super) fn take_request(&mut self) -> Option<ListRequest> {
        let rows = self.rows_request();
        let wanted = if self.has_current_rows() {
            let file = self.chosen_row().filter(|row| row.kind == ListRowKind::File)?;
            Some(&file.path)
                .filter(|path| self.preview(path).is_none())
                .map(|path| ListRequest::File(path.clone()))?
        } else {
            rows
        };
        // Previews are requested one after the other, however fast the choice moves.
        let is_asked = match &wanted {
            ListRequest::File(_) => self.pending.is_some(),
            wanted => self.pending.as_ref() == Some(wanted),
        };
        (!is_asked).then(|| self.pending.insert(wanted).clone())
    }

    /// Discards the rows, so that they are requested again.
    pub(super) fn discard_rows(&mut self) {
        (self.answered, self.pending) = (None, None);
    }

    /// Shows the reason why the chosen row cannot be opened.
    pub(super) fn set_refusal(&mut self, why: impl Into<Text>) {
        self.refusal = Some(why.into());
    }

    /// Receives requested contents. Contents that are no longer wanted are dropped.
    pub(super) fn receive_contents(&mut self, found: ListContents) {
        if self.pending.as_ref() == Some(&found.request) {
            self.pending = None;
        }
        match found.request {
            ListRequest::File(path) => self.preview = Some((path, found.messages)),
            wanted if wanted == self.rows_request() => {
                (self.rows, self.messages, self.answered) = (found.rows, found.messages, Some(wanted));
                self.refilter_rows(self.chosen);
            }
            _ => {}
        }
    }

    /// Filters the rows by the typed text, then chooses the row with index `chosen`.
    fn refilter_rows(&mut self, chosen: usize) {
        let (typed, name) = (fold_for_search(&self.typed), self.typed_name().to_lowercase());
        let is_meant = |row: &ListRow| match self.kind {
            ListKind::Saved => typed.split_whitespace().all(|word| row_contains_word(row, word)),
            ListKind::Files(_) => {
                let cell = row.cells[0].to_lowercase();
                let is_hidden = cell.starts_with('.') && cell != "../" && !name.starts_with('.');
                cell.starts_with(&name) && !is_hidden
            }
        };
        let shown = if self.has_current_rows() {
            (0..self.rows.len()).filter(|&i| is_meant(&self.rows[i])).collect()
        } else {
            Vec::new()
        };
        self.shown = shown;
        // An exact name chooses its file. Otherwise the first row except the parent folder is
        // chosen.
        let find = |is_it: &dyn Fn(&str) -> bool| self.shown_rows().position(|row| is_it(&row.cells[0]));
        let first = match self.kind {
            ListKind::Saved => None,
            ListKind::Files(_) => {
                find(&|cell| cell == self.typed_name()).or_else(|| find(&|cell| cell != "../"))
            }
        };
        let chosen = if chosen == 0 { first.unwrap_or(0) } else { chosen };
        self.chosen = chosen.min(self.shown.len().saturating_sub(1));
    }

    /// Returns the rows that match the typed text.
    pub(super) fn shown_rows(&self) -> impl ExactSizeIterator<Item = &ListRow> {
        self.shown.iter().map(|&row| &self.rows[row])
    }

    /// Returns the chosen row.
    pub(super) fn chosen_row(&self) -> Option<&ListRow> {
        self.shown.get(self.chosen).map(|&row| &self.rows[row])
    }

    /// Returns the description of a file's contents, if it is loaded.
    pub(super) fn preview(&self, path: &PathBuf) -> Option<&[Text]> {
        self.preview.as_ref().filter(|(of, _)| of == path).map(|(_, said)| &**said)
    }

    /// Moves the choice by `step` rows, up to the ends of the list.
    pub(super) fn move_choice(&mut self, step: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(step).min(last);
    }

    /// Replaces the typed text.
    pub(super) fn set_typed(&mut self, typed: String) {
        self.typed = typed;
        self.refilter_rows(0);
    }

    /// Completes the typed name with the characters that all matching rows share.
    ///
    /// If nothing can be added, the next row is chosen.
    pub(super) fn complete_typed_name(&mut self) {
        let mut names = self.shown_rows().map(|row| row.cells[0].as_str()).filter(|name| *name != "../");
        let Some(first) = names.next() else { return };
        let same = |one: &str, other: &str| {
            let pairs = one.char_indices().zip(other.chars());
            pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, a), _)| at + a.len_utf8())
        };
        let length = names.fold(first.len(), |length, name| length.min(same(first, name)));
        let name = first[..length].to_owned();
        if name.len() > self.typed_name().len() || name != self.typed_name() && self.shown.len() == 1 {
            self.set_typed(format!("{}{name}", self.typed_folder()));
        } else {
            let next = if self.chosen + 1 < self.shown.len() { self.chosen + 1 } else { 0 };
            self.chosen = next;
        }
    }

    /// Returns the path of the chosen row in the form in which it would be typed.
    ///
    /// If no row is chosen, returns the typed text.
    pub(super) fn chosen_path_text(&self) -> String {
        match self.chosen_row() {
            Some(row) => format!("{}{}", self.typed_folder(), row.cells[0]),
            None => self.typed.trim().to_owned(),
        }
    }

    /// Shows the entries of a folder, or of the parent folder for `../`.
    pub(super) fn enter_folder(&mut self, name: &str) {
        let folder = self.typed_folder();
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

/// Index of the column with the number of moves, which the search ignores.
const MOVE_COUNT_COLUMN: usize = 2;

/// Normalizes a text for searching: lower case, with `×` replaced by `x`.
fn fold_for_search(text: &str) -> String {
    text.to_lowercase().replace('×', "x")
}

/// Reports whether the row of a saved game contains a search word. A number must match a whole
/// word.
fn row_contains_word(row: &ListRow, word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let cells = row.cells.iter().enumerate().filter(|(column, _)| *column != MOVE_COUNT_COLUMN);
    cells.map(|(_, cell)| fold_for_search(cell)).any(|cell| {
        if is_number { cell.split_whitespace().any(|part| part == word) } else { cell.contains(word) }
    })
}
