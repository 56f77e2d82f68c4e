//! Opens and saves games for the commands `load` and `save`. Errors are complete messages for the
//! player.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::game::Refusal;
use crate::journal::open_game_record;
use crate::play::{Match, MoveFile, OverwritePermission};
use crate::record::disk::{self, FileError};
use crate::record::{
    DigitPairStrictness, GameFileFormat, GameRecord, GameTree, NodeId, OpenedFile, RecordReadOptions,
    open_game_file, read_game_source,
};
use crate::registry::{RegisteredGame, Variant};

/// Expands `~/` in a path to the home folder, unless the current folder contains an entry named
/// `~`.
pub(super) fn expand_home(path: PathBuf) -> PathBuf {
    match path.strip_prefix("~") {
        Ok(rest) if !Path::new("~").exists() => {
            etcetera::home_dir().map_or(path.clone(), |home| home.join(rest))
        }
        _ => path,
    }
}

/// Rules for reading game files.
///
/// A file that names neither a game nor a board size is read for the current board, if there is
/// one.
#[derive(Clone, Debug)]
pub struct FileReadRules {
    /// Games supported in files.
    games: &'static [RegisteredGame],
    /// Current game and its requested board settings.
    board: Option<(&'static RegisteredGame, Variant)>,
    strictness: DigitPairStrictness,
}

impl FileReadRules {
    /// Creates rules without a current board, for use before the first game.
    pub fn without_board(games: &'static [RegisteredGame]) -> Self {
        FileReadRules { games, board: None, strictness: DigitPairStrictness::Forgiving }
    }

    /// Returns the games supported in files.
    pub(super) fn games(&self) -> &'static [RegisteredGame] {
        self.games
    }

    /// Creates rules with the current board of a match.
    pub(super) fn for_match(game: &Match) -> Self {
        let spec = game.game().spec();
        let board = Some((spec.start.entry, spec.settings.clone()));
        FileReadRules { games: spec.start.entry.game_list(), board, strictness: game.rules().strictness }
    }

    /// Parses the contents of a game file.
    ///
    /// If the file contains several games, `number` selects one of them.
    ///
    /// # Errors
    /// Fails with a message that continues after the file name and a colon.
    pub(super) fn parse_record(&self, bytes: &[u8], number: Option<usize>) -> Result<GameRecord, String> {
        let on_any = RecordReadOptions {
            number,
            strictness: self.strictness,
            ..RecordReadOptions::for_games(self.games)
        };
        let Some((entry, settings)) = &self.board else { return open_game_record(bytes, &on_any) };
        let on_the_board = RecordReadOptions {
            number,
            strictness: self.strictness,
            ..RecordReadOptions::for_game(entry).with_board(settings)
        };
        let is_whole =
            |record: &Result<GameRecord, String>| record.as_ref().is_ok_and(|game| game.fault.is_none());
        let record = open_game_record(bytes, &on_the_board);
        if is_whole(&record) {
            return record;
        }
        // A move list that does not fit the current board may belong to another game.
        let other = open_game_record(bytes, &on_any);
        if is_whole(&other) { other } else { record }
    }

    /// Opens the move file at a path or link.
    ///
    /// # Errors
    /// Fails with a complete message if the file cannot be read.
    pub(super) fn open_move_file(&self, path: &Path) -> Result<MoveFile, String> {
        let (path, number) = split_game_number(path);
        let (bytes, path) = (read_file_or_link(path)?, Refusal::sanitize_path(path));
        let record = Box::new(self.parse_record(&bytes, number).map_err(|bad| format!("{path}:{bad}"))?);
        Ok(MoveFile { path, record })
    }
}

/// Splits `games.sgf 2` into the path and the game number, unless a file has that full name.
pub(crate) fn split_game_number(path: &Path) -> (&Path, Option<usize>) {
    let parts = path.to_str().filter(|_| !path.exists()).and_then(|text| text.rsplit_once(' '));
    let number = parts.and_then(|(file, number)| Some((Path::new(file.trim_end()), number.parse().ok()?)));
    number.map_or((path, None), |(file, number)| (file, Some(number)))
}

/// Reads the bytes of the file at a path or link. An empty file is an error.
///
/// # Errors
/// Fails with a complete message if the file cannot be read.
pub(super) fn read_file_or_link(path: &Path) -> Result<Vec<u8>, String> {
    read_game_source(path).map_err(|error| format!("cannot read {}: {error}", Refusal::sanitize_path(path)))
}

/// Outcome of the command `save`.
pub(super) enum SaveOutcome {
    /// The game was saved. The value is `Yes` if it replaced another game.
    Written(OverwritePermission),
    /// The file holds another game, so the player must confirm before it is overwritten.
    NeedsConfirmation,
}

/// Saves the game for the command `save`.
///
/// Another game in the file is overwritten only if `overwrite` permits it. `can_ask` is `true` if a
/// human can be asked for the permission.
///
/// # Errors
/// Fails with a complete message if the file cannot be written.
pub(super) fn save_game(
    game: &Match,
    path: &Path,
    overwrite: OverwritePermission,
    can_ask: bool,
) -> Result<SaveOutcome, String> {
    let shown = Refusal::sanitize_path(path);
    let is_own = || {
        game.game().saved_path().is_some_and(|own| is_same_file(own, path))
            && has_all_moves_of_file(game, path)
    };
    let overwrites = match SaveTarget::classify_path(path, game) {
        SaveTarget::Other => {
            return Err(format!(
                "{shown} already exists and is not a game, so it was not replaced. Choose another name."
            ));
        }
        SaveTarget::Game if !is_own() => OverwritePermission::Yes,
        SaveTarget::Game | SaveTarget::Free => OverwritePermission::No,
    };
    match (overwrites, overwrite) {
        (OverwritePermission::Yes, OverwritePermission::No) if can_ask => {
            return Ok(SaveOutcome::NeedsConfirmation);
        }
        (OverwritePermission::Yes, OverwritePermission::No) => {
            return Err(format!(
                "{shown} already holds another game, so it was not replaced. save! {shown} replaces it."
            ));
        }
        _ => {}
    }
    let day = jiff::Zoned::now().date().to_string();
    let text = game.to_file_text(GameFileFormat::from_file_name(path), Some(&day));
    let text = text.map_err(|why| format!("cannot write {shown}: {why}. Choose another ending."))?;
    disk::save_file(path, text).map_err(|error| format!("cannot write {shown}: {error}"))?;
    Ok(SaveOutcome::Written(overwrites))
}

/// Reports whether the game contains every move of the game in a file.
///
/// Overwriting that file then loses no moves.
fn has_all_moves_of_file(game: &Match, path: &Path) -> bool {
    let spec = game.game().spec();
    let Ok(bytes) = disk::load_move_file(path) else { return false };
    let hint = RecordReadOptions::for_game(spec.start.entry).with_board(&spec.settings).with_strict_digits();
    let OpenedFile::Game(there) = open_game_file(&bytes, &hint) else { return false };
    let own = game.game().tree();
    let settings = |tree: &GameTree| tree.position(NodeId::ROOT).settings().to_vec();
    let ways = |tree: &GameTree| -> BTreeSet<Vec<String>> {
        tree.node_ids().map(|id| tree.position(id).played_moves()).collect()
    };
    there.fault.is_none() && settings(own) == settings(&there.tree) && ways(&there.tree).is_subset(&ways(own))
}

/// Reports whether two paths refer to the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other
        || fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// Kind of object that is already at the path for saving a game.
enum SaveTarget {
    /// No file, an empty file, or a folder or device. Writing then fails for the latter two.
    Free,
    /// A game file.
    Game,
    /// A file that is not a game.
    Other,
}

impl SaveTarget {
    fn classify_path(path: &Path, game: &Match) -> Self {
        match disk::load_move_file(path) {
            Ok(bytes) => match open_game_file(
                &bytes,
                &RecordReadOptions::for_games(game.game().spec().start.entry.game_list()),
            ) {
                OpenedFile::Game(there) if there.form.states_game() => SaveTarget::Game,
                _ => SaveTarget::Other,
            },
            Err(FileError::Missing | FileError::Empty | FileError::Directory | FileError::Device) => {
                SaveTarget::Free
            }
            Err(_) => SaveTarget::Other,
        }
    }
}
