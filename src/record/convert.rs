//! A game in the form of file that is wanted. Knows the writers, no disk.

use std::path::Path;

use crate::record::{GameTree, LinkSite, NodeId, RESULT, sgf, write, write_link};

/// A form that games are written in.
///
/// ```
/// use crosspath::record::WrittenForm;
/// assert_eq!(WrittenForm::of_file("game.trmph".as_ref()), WrittenForm::Trmph);
/// ```
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
        if is_called("hexworld") {
            return WrittenForm::HexWorld;
        }
        if is_called("trmph") {
            return WrittenForm::Trmph;
        }
        if is_called("sgf") || is_called("hsgf") { WrittenForm::Sgf } else { WrittenForm::Record }
    }

    /// Writes a game, and returns what the form cannot hold.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId, WrittenForm};
    /// use crosspath::registry::{Variant, find};
    /// let mut tree = GameTree::new(find("hex")?.start(&Variant::of_size(5))?);
    /// let first = tree.play(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let (text, lost) = WrittenForm::Sgf.write(&tree, first, &[])?;
    /// assert!(text.starts_with("(;") && lost.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        lost.extend(remarks.iter().filter(|(key, _)| key != RESULT).map(|(key, _)| lost_remark(key)));
        lost.dedup();
        Ok((link + "\n", lost))
    }
}

/// Names a remark that another form of file cannot hold.
pub(super) fn lost_remark(key: &str) -> String {
    match key {
        "first" | "second" => "the players' names".to_owned(),
        "event" | "date" | "title" => format!("the {key}"),
        key => format!("the remark {key}"),
    }
}
