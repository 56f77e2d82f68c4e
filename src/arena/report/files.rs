//! Loads finished games from one or more files and merges them into one report.

use std::collections::BTreeMap;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use crate::arena::jobs::{self, set_variant_from_json};
use crate::arena::matches::fields::{GamesFileHeader, HeaderEngineJson};
use crate::arena::matches::game_record::ArenaGame;
use crate::arena::matches::games_file::LoadedGames;
use crate::arena::matches::{GamesFileError, TournamentReport};
use crate::arena::stats::sprt::Sprt;
use crate::game::Refusal;
use crate::registry::{self, RegisteredGame, Variant};
use crate::session::Position;

/// Games loaded from files, all on the same board.
#[derive(Debug)]
pub struct PlayedGames {
    /// Report on the games.
    pub report: TournamentReport,
    /// Position before the first move.
    pub(in crate::arena) start: Arc<dyn Position>,
    /// Game and board.
    pub(in crate::arena) board: (&'static RegisteredGame, Variant),
    /// Display name and games of each file. Engine indices are those of the report.
    pub(in crate::arena) files: Vec<(String, Vec<ArenaGame>)>,
    /// SPRT of the match, if there is only one file.
    pub(in crate::arena) sprt: Option<Sprt>,
}

impl PlayedGames {
    /// Loads one or more games files. Engines with the same name are treated as one engine.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is not a games file, if the boards differ, or if
    /// different engines have the same name.
    ///
    /// # Panics
    /// Panics if `paths` is empty.
    pub(crate) fn load_files(
        paths: &[impl AsRef<Path>],
        games: &'static [RegisteredGame],
    ) -> Result<Self, GamesFileError> {
        let (mut reports, mut files) = (Vec::new(), Vec::new());
        let mut first: Option<GamesFileHeader> = None;
        let mut engines: BTreeMap<String, String> = BTreeMap::new();
        let (mut start, mut known) = (None, BTreeMap::new());
        for path in paths {
            let path = path.as_ref();
            let file = Refusal::sanitize_path(path);
            let LoadedGames { header, by_number, .. } = LoadedGames::load(path)?;
            for game in by_number.values() {
                let (moves, seed) = ((game.to_opening(), game.moves.clone()), game.seed);
                let names = game.engines.map(|engine| header.engines[engine].name.clone());
                if let Some(other) = known.insert((game.unit, game.game, seed, names, moves), file.clone()) {
                    return Err(GamesFileError::DuplicatePair(file, game.unit, other));
                }
            }
            let (entry, variant) = board_of_header(&header, games, &file)?;
            if let Some(first) = &first {
                let mut keys = iter::once("game").chain(entry.settings.iter().map(|setting| setting.key));
                if let Some(key) = keys.find(|key| first.board_setting(key) != header.board_setting(key)) {
                    let [there, here] = [&header, first].map(|header| header.board_setting(key).to_string());
                    return Err(GamesFileError::DifferentMatch(file, key.to_owned(), there, here));
                }
            }
            for engine in &header.engines {
                let (name, there) = (&engine.name, describe_header_engine(engine, &header));
                let here = engines.entry(name.clone()).or_insert_with(|| there.clone());
                if *here != there {
                    let what = format!("the engine {name}");
                    return Err(GamesFileError::DifferentMatch(file, what, there, here.clone()));
                }
            }
            let report = TournamentReport::from_games(&header, by_number.clone());
            reports.push(report.ok_or_else(|| GamesFileError::missing_header(path))?);
            files.push((file.clone(), by_number));
            if start.is_none() {
                let opened = entry
                    .start_position(&variant)
                    .map_err(|error| GamesFileError::Board(file, Box::new(error)))?;
                start = Some((opened, (entry, variant)));
            }
            first.get_or_insert(header);
        }
        let ((start, board), first) = start.zip(first).expect("one file at least");
        let sprt = match reports.len() {
            1 => first.sprt(),
            _ => None,
        };
        let (report, numbers) = TournamentReport::merge(reports);
        let files = files.into_iter().zip(&numbers).map(|((file, games), numbers)| {
            let renumbered =
                |game: ArenaGame| ArenaGame { engines: game.engines.map(|engine| numbers[engine]), ..game };
            (file, games.into_values().map(renumbered).collect())
        });
        Ok(PlayedGames { report, start, board, files: files.collect(), sprt })
    }
}

/// Returns the game and board that a header names.
fn board_of_header(
    header: &GamesFileHeader,
    games: &'static [RegisteredGame],
    file: &str,
) -> Result<(&'static RegisteredGame, Variant), GamesFileError> {
    let found = registry::find_game_in(games, &header.game);
    let entry = found.map_err(|error| GamesFileError::Board(file.to_owned(), Box::new(error)))?;
    let mut variant = Variant::default();
    for setting in entry.settings {
        set_variant_from_json(&mut variant, setting.key, &header.board_setting(setting.key)); // a missing setting keeps its default
    }
    Ok((entry, variant))
}

/// Describes an engine of a header by its specification and limits.
///
/// An engine without limits of its own has those of the match.
fn describe_header_engine(engine: &HeaderEngineJson, header: &GamesFileHeader) -> String {
    let limits = [&engine.limits, &header.limits].into_iter().find(|limits| !limits.is_empty());
    let limits =
        limits.map(|limits| format!(" with limits {}", jobs::to_json_line(limits))).unwrap_or_default();
    format!("{}{limits}", engine.spec)
}
