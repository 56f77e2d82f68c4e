//! Finished games read again: those of one match, or of several with engines in common, as one.

use std::collections::BTreeMap;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use crate::arena::jobs::{self, set_from_json};
use crate::arena::matches::fields::{EngineHeader, GamesHeader};
use crate::arena::matches::game_record::ArenaGame;
use crate::arena::matches::games_file::Games;
use crate::arena::matches::{RecordsError, TournamentReport};
use crate::arena::stats::sprt::Sprt;
use crate::game::Refusal;
use crate::registry::{self, Entry, Variant};
use crate::session::Position;

/// The games of files, on one board.
#[derive(Debug)]
pub struct PlayedGames {
    /// Report on the games.
    pub report: TournamentReport,
    /// The board before the first move.
    pub(in crate::arena) start: Arc<dyn Position>,
    /// Their game and its board.
    pub(in crate::arena) board: (&'static Entry, Variant),
    /// Each file as it is shown, and its games; engines have the numbers of the report.
    pub(in crate::arena) files: Vec<(String, Vec<ArenaGame>)>,
    /// The test of the only match.
    pub(in crate::arena) sprt: Option<Sprt>,
}

impl PlayedGames {
    /// Reads files, at least one. Engines of one name are one engine.
    ///
    /// # Errors
    /// If one cannot be read or is none of an arena's, or if they have different boards, or engines of one name that differ.
    ///
    /// # Panics
    /// If there is no file.
    pub(crate) fn of_files(
        paths: &[impl AsRef<Path>],
        games: &'static [Entry],
    ) -> Result<Self, RecordsError> {
        let (mut reports, mut files) = (Vec::new(), Vec::new());
        let mut first: Option<GamesHeader> = None;
        let mut engines: BTreeMap<String, String> = BTreeMap::new();
        let (mut start, mut known) = (None, BTreeMap::new());
        for path in paths {
            let path = path.as_ref();
            let file = Refusal::shown_path(path);
            let Games { header, by_number, .. } = Games::read(path)?;
            for game in by_number.values() {
                let (moves, seed) = ((game.beginning(), game.moves.clone()), game.seed);
                let names = game.engines.map(|engine| header.engines[engine].name.clone());
                if let Some(other) = known.insert((game.unit, game.game, seed, names, moves), file.clone()) {
                    return Err(RecordsError::Again(file, game.unit, other));
                }
            }
            let (entry, variant) = board(&header, games, &file)?;
            if let Some(first) = &first {
                let mut keys = iter::once("game").chain(entry.settings.iter().map(|setting| setting.key));
                if let Some(key) = keys.find(|key| first.setting(key) != header.setting(key)) {
                    let [there, here] = [&header, first].map(|header| header.setting(key).to_string());
                    return Err(RecordsError::Other(file, key.to_owned(), there, here));
                }
            }
            for engine in &header.engines {
                let (name, there) = (&engine.name, engine_title(engine, &header));
                let here = engines.entry(name.clone()).or_insert_with(|| there.clone());
                if *here != there {
                    let what = format!("the engine {name}");
                    return Err(RecordsError::Other(file, what, there, here.clone()));
                }
            }
            let report = TournamentReport::of_games(&header, by_number.clone());
            reports.push(report.ok_or_else(|| RecordsError::no_header(path))?);
            files.push((file.clone(), by_number));
            if start.is_none() {
                let opened =
                    entry.start(&variant).map_err(|error| RecordsError::Board(file, Box::new(error)))?;
                start = Some((opened, (entry, variant)));
            }
            first.get_or_insert(header);
        }
        let ((start, board), first) = start.zip(first).expect("one file at least");
        let sprt = match reports.len() {
            1 => first.sprt(),
            _ => None,
        };
        let (report, numbers) = TournamentReport::joined(reports);
        let files = files.into_iter().zip(&numbers).map(|((file, games), numbers)| {
            let renumbered =
                |game: ArenaGame| ArenaGame { engines: game.engines.map(|engine| numbers[engine]), ..game };
            (file, games.into_values().map(renumbered).collect())
        });
        Ok(PlayedGames { report, start, board, files: files.collect(), sprt })
    }
}

/// The board that a header announces.
fn board(
    header: &GamesHeader,
    games: &'static [Entry],
    file: &str,
) -> Result<(&'static Entry, Variant), RecordsError> {
    let found = registry::find_in(games, &header.game);
    let entry = found.map_err(|error| RecordsError::Board(file.to_owned(), Box::new(error)))?;
    let mut variant = Variant::default();
    for setting in entry.settings {
        set_from_json(&mut variant, setting.key, &header.setting(setting.key)); // without one the usual one is meant
    }
    Ok((entry, variant))
}

/// An engine of a header in words: its specification, and its limits or those of all.
fn engine_title(engine: &EngineHeader, header: &GamesHeader) -> String {
    let limits = [&engine.limits, &header.limits].into_iter().find(|limits| !limits.is_empty());
    let limits = limits.map(|limits| format!(" with limits {}", jobs::json(limits))).unwrap_or_default();
    format!("{}{limits}", engine.spec)
}
