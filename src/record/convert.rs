//! Writing of a game in one of the supported file formats. This module calls the writers and does not access
//! the disk.

use std::path::Path;

use crate::record::{GameTree, LinkSite, NodeId, RESULT_REMARK, sgf, write_link, write_record};

/// File format in which a game can be written.
///
/// ```
/// use crosspath::record::GameFileFormat;
/// assert_eq!(GameFileFormat::from_file_name("game.trmph".as_ref()), GameFileFormat::Trmph);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFileFormat {
    /// Text record of crosspath.
    Record,
    /// Smart Game Format (SGF).
    Sgf,
    /// Link of `hexworld.org`.
    HexWorld,
    /// Link of `trmph.com`.
    Trmph,
}

impl GameFileFormat {
    /// Returns the format for the extension of a file name.
    ///
    /// ```
    /// use crosspath::record::GameFileFormat;
    /// assert_eq!(GameFileFormat::from_file_name("game.SGF".as_ref()), GameFileFormat::Sgf);
    /// assert_eq!(GameFileFormat::from_file_name("game.txt".as_ref()), GameFileFormat::Record);
    /// ```
    #[must_use]
    pub fn from_file_name(path: &Path) -> Self {
        let is_called = |name: &str| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(name));
        if is_called("hexworld") {
            return GameFileFormat::HexWorld;
        }
        if is_called("trmph") {
            return GameFileFormat::Trmph;
        }
        if is_called("sgf") || is_called("hsgf") { GameFileFormat::Sgf } else { GameFileFormat::Record }
    }

    /// Writes a game. Returns the text and a list of the features that the format cannot represent.
    ///
    /// ```
    /// use crosspath::record::{GameTree, MoveSource, NodeId, GameFileFormat};
    /// use crosspath::registry::{Variant, find_game};
    /// let mut tree = GameTree::new(find_game("hex")?.start_position(&Variant::of_size(5))?);
    /// let first = tree.play_move(NodeId::ROOT, "b2", MoveSource::Human)?;
    /// let (text, lost) = GameFileFormat::Sgf.write_game(&tree, first, &[])?;
    /// assert!(text.starts_with("(;") && lost.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the reason if the game cannot be written in this format.
    pub fn write_game(
        self,
        tree: &GameTree,
        present: NodeId,
        remarks: &[(String, String)],
    ) -> Result<(String, Vec<String>), String> {
        let site = match self {
            GameFileFormat::Record => return Ok((write_record(tree, present, remarks), Vec::new())),
            GameFileFormat::Sgf => return sgf::write_sgf(tree, present, remarks, sgf::SgfStyle::default()),
            GameFileFormat::HexWorld => LinkSite::HexWorld,
            GameFileFormat::Trmph => LinkSite::Trmph,
        };
        let (link, mut lost) = write_link(tree, present, site)?;
        lost.extend(
            remarks.iter().filter(|(key, _)| key != RESULT_REMARK).map(|(key, _)| describe_lost_remark(key)),
        );
        lost.dedup();
        Ok((link + "\n", lost))
    }
}

/// Describes a remark that a file format cannot represent.
pub(super) fn describe_lost_remark(key: &str) -> String {
    match key {
        "first" | "second" => "the players' names".to_owned(),
        "event" | "date" | "title" => format!("the {key}"),
        key => format!("the remark {key}"),
    }
}
