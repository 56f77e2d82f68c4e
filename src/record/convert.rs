//! A game in the form of file that is wanted. Knows the writers, no disk.

use std::path::Path;

use crate::record::{GameTree, LinkSite, NodeId, RESULT, sgf, write, write_link};

/// A form that games are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenForm {
    /// The text record of crosspath.
    Record,
    /// SGF.
    Sgf,
    /// A link of `hexworld.org`.
    HexWorld,
    /// A link of `trmph.com`.
    Trmph,
}

impl WrittenForm {
    /// The form that the ending of a file's name asks for.
    ///
    /// ```
    /// use crosspath::record::WrittenForm;
    /// assert_eq!(WrittenForm::of_file("game.SGF".as_ref()), WrittenForm::Sgf);
    /// assert_eq!(WrittenForm::of_file("game.txt".as_ref()), WrittenForm::Record);
    /// ```
    #[must_use]
    pub fn of_file(path: &Path) -> Self {
        let is_called = |name: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(name));
        if is_called("sgf") || is_called("hsgf") { WrittenForm::Sgf } else { WrittenForm::Record }
    }

    /// Writes a game, and returns what the form cannot hold.
    ///
    /// # Errors
    /// Says why the game cannot be written in this form.
    pub fn write(
        self,
        tree: &GameTree,
        present: NodeId,
        remarks: &[(String, String)],
    ) -> Result<(String, Vec<String>), String> {
        let site = match self {
            WrittenForm::Record => return Ok((write(tree, present, remarks), Vec::new())),
            WrittenForm::Sgf => return sgf::write(tree, present, remarks, sgf::SgfStyle::default()),
            WrittenForm::HexWorld => LinkSite::HexWorld,
            WrittenForm::Trmph => LinkSite::Trmph,
        };
        let (link, mut lost) = write_link(tree, present, site)?;
        let names = remarks.iter().filter(|(key, _)| key != RESULT);
        lost.extend(names.map(|(key, _)| format!("the remark {key}")));
        Ok((link + "\n", lost))
    }
}
