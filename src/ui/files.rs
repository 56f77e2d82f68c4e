//! Opening and saving of games, for the commands `load` and `save`. Problems with a file are
//! reported in a sentence.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::game::Refusal;
use crate::journal::open_game;
use crate::play::{Match, MoveFile, Overwrite};
use crate::record::disk::{self, FileError};
use crate::record::{GameRecord, GameTree, Hint, NodeId, Opened, Strictness, WrittenForm, open, source};
use crate::registry::{Entry, Variant};

/// Returns the file that a typed name means: `~/` is the person's home, unless a folder here has
/// that name.
pub(super) fn with_home(path: PathBuf) -> PathBuf {
    match path.strip_prefix("~") {
        Ok(rest) if !Path::new("~").exists() => {
            etcetera::home_dir().map_or(path.clone(), |home| home.join(rest))
        }
        _ => path,
    }
}

/// Rules for reading files: a file that names no game or no board is one of the board on the
/// screen, if there is one.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Games that files can hold.
    games: &'static [Entry],
    /// Game on the screen and the settings that were requested.
    board: Option<(&'static Entry, Variant)>,
    strictness: Strictness,
}

impl Reading {
    /// Returns the rules before the first game.
    pub fn any(games: &'static [Entry]) -> Self {
        Reading { games, board: None, strictness: Strictness::Forgiving }
    }

    /// Returns the games that files can hold.
    pub(super) fn games(&self) -> &'static [Entry] {
        self.games
    }

    /// Returns the rules with a game on the screen.
    pub(super) fn of(game: &Match) -> Self {
        let spec = game.game().spec();
        let board = Some((spec.start.entry, spec.settings.clone()));
        Reading { games: spec.start.entry.games(), board, strictness: game.rules().strictness }
    }

    /// Reads the contents of a file; of several games the one with this number.
    ///
    /// # Errors
    /// Says what is wrong with it, after the name of the file.
    pub(super) fn read(&self, bytes: &[u8], number: Option<usize>) -> Result<GameRecord, String> {
        let on_any = Hint { number, strictness: self.strictness, ..Hint::any(self.games) };
        let Some((entry, settings)) = &self.board else { return open_game(bytes, &on_any) };
        let on_the_board = Hint { number, strictness: self.strictness, ..Hint::of(entry).on(settings) };
        let is_whole =
            |record: &Result<GameRecord, String>| record.as_ref().is_ok_and(|game| game.fault.is_none());
        let record = open_game(bytes, &on_the_board);
        if is_whole(&record) {
            return record;
        }
        // A list that is none of the game on the board may be one of another.
        let other = open_game(bytes, &on_any);
        if is_whole(&other) { other } else { record }
    }

    /// Opens a file, or a link.
    ///
    /// # Errors
    /// Says why it cannot be read, in a sentence.
    pub(super) fn open(&self, path: &Path) -> Result<MoveFile, String> {
        let (path, number) = numbered(path);
        let (bytes, path) = (read(path)?, Refusal::shown_path(path));
        let record = Box::new(self.read(&bytes, number).map_err(|bad| format!("{path}:{bad}"))?);
        Ok(MoveFile { path, record })
    }
}

/// Returns the file and the number of its game in `games.sgf 2`, unless a file has that name.
pub(crate) fn numbered(path: &Path) -> (&Path, Option<usize>) {
    let parts = path.to_str().filter(|_| !path.exists()).and_then(|text| text.rsplit_once(' '));
    let number = parts.and_then(|(file, number)| Some((Path::new(file.trim_end()), number.parse().ok()?)));
    number.map_or((path, None), |(file, number)| (file, Some(number)))
}

/// Reads a file that is not empty, or a link.
///
/// # Errors
/// Says why it cannot be read, in a sentence.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    source(path).map_err(|error| format!("cannot read {}: {error}", Refusal::shown_path(path)))
}

/// Result of the command `save`.
pub(super) enum Saved {
    /// The game was saved, perhaps over another one.
    Written(Overwrite),
    /// The file holds another game: the person is to be asked.
    NotYet,
}

/// Saves the game for the command `save`. Another game in the file is replaced if that is allowed;
/// otherwise the person is asked, if there is one.
///
/// # Errors
/// Says why it cannot be written, in a sentence.
pub(super) fn save(game: &Match, path: &Path, overwrite: Overwrite, can_ask: bool) -> Result<Saved, String> {
    let shown = Refusal::shown_path(path);
    let is_own = || game.game().file().is_some_and(|own| is_same_file(own, path)) && has_all_of(game, path);
    let overwrites = match SaveTarget::of(path, game) {
        SaveTarget::Other => {
            return Err(format!(
                "{shown} already exists and is not a game, so it was not replaced. Choose another name."
            ));
        }
        SaveTarget::Game if !is_own() => Overwrite::Yes,
        SaveTarget::Game | SaveTarget::Free => Overwrite::No,
    };
    match (overwrites, overwrite) {
        (Overwrite::Yes, Overwrite::No) if can_ask => return Ok(Saved::NotYet),
        (Overwrite::Yes, Overwrite::No) => {
            return Err(format!(
                "{shown} already holds another game, so it was not replaced. save! {shown} replaces it."
            ));
        }
        _ => {}
    }
    let day = jiff::Zoned::now().date().to_string();
    let text = game.written(WrittenForm::of_file(path), Some(&day));
    let text = text.map_err(|why| format!("cannot write {shown}: {why}. Choose another ending."))?;
    disk::save(path, text).map_err(|error| format!("cannot write {shown}: {error}"))?;
    Ok(Saved::Written(overwrites))
}

/// Reports whether the game has every move of the one in a file: another program may have saved
/// another game there.
fn has_all_of(game: &Match, path: &Path) -> bool {
    let spec = game.game().spec();
    let Ok(bytes) = disk::load(path) else { return false };
    let hint = Hint::of(spec.start.entry).on(&spec.settings).strict();
    let Opened::Game(there) = open(&bytes, &hint) else { return false };
    let own = game.game().tree();
    let settings = |tree: &GameTree| tree.position(NodeId::ROOT).settings().to_vec();
    let ways = |tree: &GameTree| -> BTreeSet<Vec<String>> {
        tree.ids().map(|id| tree.position(id).played()).collect()
    };
    there.fault.is_none() && settings(own) == settings(&there.tree) && ways(&there.tree).is_subset(&ways(own))
}

/// Reports whether two paths name the same file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other
        || fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

/// Contents of the path at which a game is to be saved.
enum SaveTarget {
    /// Nothing that can be lost, or nothing that can be overwritten, as writing will show.
    Free,
    /// A game.
    Game,
    /// Something else.
    Other,
}

impl SaveTarget {
    fn of(path: &Path, game: &Match) -> Self {
        match disk::load(path) {
            Ok(bytes) => match open(&bytes, &Hint::any(game.game().spec().start.entry.games())) {
                Opened::Game(there) if there.form.names_its_game() => SaveTarget::Game,
                _ => SaveTarget::Other,
            },
            Err(FileError::Missing | FileError::Empty | FileError::Directory | FileError::Device) => {
                SaveTarget::Free
            }
            Err(_) => SaveTarget::Other,
        }
    }
}
