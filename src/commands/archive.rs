//! Command `crosspath games`: lists and manages the player's saved games.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{RequestedBoard, failure_with_code, usage_error, write_stdout};
use crate::canvas::PaintOptions;
use crate::cli::{self, ResultFilter, SavedGameCommand, SavedGameFilter};
use crate::game::{JsonObject, Outcome, Refusal, Side, sanitize_text};
use crate::journal::{
    GameArchive, GameSummary, JournalFolder, LoadedJournal, MAX_JOURNAL_BYTES, SalvagedGame, is_salvageable,
    load_journal, salvage_journal,
};
use crate::messages;
use crate::record::GameFileFormat;
use crate::record::disk::{self, FileError};
use crate::registry::{RegisteredGame, Variant, find_game_in};
use crate::text::{Text, join_texts};
use crate::ui::kept;

/// Minimum number of ID characters shown in the list.
const MIN_ID_DIGITS: usize = 4;

/// Runs `crosspath games`.
pub(super) fn run_games_command(
    asked: &cli::GamesArgs,
    games: &'static [RegisteredGame],
    variant: Variant,
) -> Result<()> {
    let folder = JournalFolder::of_current_user();
    let archive = folder.as_ref().map(GameArchive::load).unwrap_or_default();
    match &asked.action {
        None => list_saved_games(&asked.filter, &archive, games),
        Some(SavedGameCommand::Show { id }) => show_saved_game(find_saved_game(&archive, id)?, games),
        Some(SavedGameCommand::Open { id, plain }) => {
            open_saved_game(find_saved_game(&archive, id)?, *plain, games, variant)
        }
        Some(SavedGameCommand::Export { id, file, force }) => export_saved_game(
            find_saved_game(&archive, id)?,
            file.as_deref().map(|file| (file, *force)),
            games,
        ),
        Some(SavedGameCommand::Salvage { id }) => salvage_saved_game(id, folder.as_ref(), &archive, games),
        Some(SavedGameCommand::Delete { ids }) => {
            let (damaged, ids): (Vec<&String>, Vec<_>) =
                ids.iter().partition(|id| archive.find_damaged_journal(id).is_some());
            // All IDs are checked before a game is deleted. A game that is named twice is deleted once.
            let mut wanted: Vec<&GameSummary> = Vec::new();
            for id in ids {
                let game = find_saved_game(&archive, id)?;
                if wanted.iter().all(|other| other.id != game.id) {
                    wanted.push(game);
                }
            }
            wanted.into_iter().try_for_each(|game| delete_saved_game(game, games))?;
            damaged
                .into_iter()
                .filter_map(|id| archive.find_damaged_journal(id))
                .try_for_each(|(path, _)| delete_damaged_game(path))
        }
    }
}

/// Returns the only game whose ID begins with `id`.
pub(super) fn find_saved_game<'a>(archive: &'a GameArchive, id: &'a str) -> Result<&'a GameSummary> {
    if id.is_empty() {
        return Err(usage_error("the ID of the game is missing; crosspath games lists the IDs"));
    }
    let mut found = archive.games_with_id_prefix(id);
    let shown = Refusal::sanitize_excerpt(id);
    match (found.next(), found.next()) {
        (Some(game), None) => Ok(game),
        (None, _) => Err(match archive.find_damaged_journal(id) {
            Some((path, why)) => {
                failure_with_code(1, format!("cannot read {}:{why}", Refusal::sanitize_path(path)))
            }
            None => failure_with_code(1, format!("there is no game {shown}; crosspath games lists the IDs")),
        }),
        (Some(_), Some(_)) => {
            Err(usage_error(format!("{shown} is the start of several IDs; type more characters")))
        }
    }
}

/// Prints the saved games that match a filter.
fn list_saved_games(
    filter: &SavedGameFilter,
    archive: &GameArchive,
    games: &'static [RegisteredGame],
) -> Result<()> {
    let game = filter.game.as_ref().map(|name| find_game_in(games, name)).transpose().map_err(usage_error)?;
    let is_wanted = |kept: &&GameSummary| {
        game.is_none_or(|entry| entry.name == kept.game)
            && filter.opponent.as_ref().is_none_or(|name| has_opponent_named(kept, name))
            && filter.result.is_none_or(|end| result_for_player(kept) == Some(end))
            && is_in_date_range(kept, filter)
    };
    if let Some(why) = &archive.unreadable {
        let folder = JournalFolder::of_current_user()
            .map(|folder| Refusal::sanitize_path(folder.path()))
            .unwrap_or_default();
        return Err(failure_with_code(1, format!("cannot read the games folder {folder}: {why}")));
    }
    let list: Vec<&GameSummary> = archive.games.iter().filter(is_wanted).collect();
    let mut lines = if filter.json {
        list.iter().map(|game| format_game_json(game)).collect::<Result<_>>()?
    } else {
        let digits =
            (MIN_ID_DIGITS..=16).find(|&digits| are_id_prefixes_unique(archive, digits)).unwrap_or(16);
        let mut lines = kept::format_games_table(&list, games, Timestamp::now(), digits);
        let scores = GameArchive::head_to_head_scores(list.iter().copied());
        let scores = scores
            .iter()
            .map(|((game, opponent), score)| kept::format_head_to_head(game, opponent, score, games));
        lines.extend(scores);
        let none = match (list.is_empty(), archive.games.is_empty(), archive.broken.is_empty()) {
            (true, true, true) => Some(
                "There are no saved games yet. Games played on a terminal are saved from the first move.",
            ),
            (true, false, _) => Some("No saved game matches. crosspath games lists all."),
            _ => None, // unreadable games are named below
        };
        lines.extend(none.map(str::to_owned));
        if list.iter().any(|game| game.played > Timestamp::now()) {
            lines.push(messages::FUTURE_DATE_WARNING.to_owned());
        }
        lines
    };
    lines.push(String::new());
    write_stdout(lines.join("\n"))?;
    match archive.broken.as_slice() {
        [] => Ok(()),
        broken => {
            let named = |(path, why): &(PathBuf, _)| format!("{}:{why}", Refusal::sanitize_path(path));
            let all: Vec<String> = broken.iter().map(named).collect();
            let all = format!("cannot read {}", all.join("; "));
            let can_help = broken.iter().any(|(path, _)| is_salvageable(path, games));
            let help = "crosspath games salvage ID copies the intact moves of a damaged game into a new one";
            Err(failure_with_code(1, if can_help { format!("{all}; {help}") } else { all }))
        }
    }
}

/// Reports whether this number of ID characters distinguishes all games.
fn are_id_prefixes_unique(archive: &GameArchive, digits: usize) -> bool {
    let mut names: Vec<&str> = archive.games.iter().filter_map(|game| game.id.get(..digits)).collect();
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}

/// Reports whether a game was played against this opponent.
fn has_opponent_named(game: &GameSummary, name: &str) -> bool {
    let is_called = |seat: &str| seat == name || seat.strip_prefix("level ") == Some(name);
    match game.opponent_of_human() {
        Some(opponent) => is_called(opponent),
        None => Side::BOTH.iter().any(|&side| is_called(&game.seats[side])),
    }
}

/// Returns the result of a game for its only human player.
///
/// For games without a single human player, the result is `Unfinished`, `Draw` or `None`.
fn result_for_player(game: &GameSummary) -> Option<ResultFilter> {
    match (game.result, game.only_human_side()) {
        (None, _) => Some(ResultFilter::Unfinished),
        (Some(Outcome::Draw), _) => Some(ResultFilter::Draw),
        (Some(Outcome::Win(side)), Some(you)) => {
            Some(if side == you { ResultFilter::Won } else { ResultFilter::Lost })
        }
        (Some(Outcome::Win(_)), None) => None,
    }
}

/// Reports whether a game was played within the dates of a filter.
fn is_in_date_range(game: &GameSummary, filter: &SavedGameFilter) -> bool {
    let day = game.played.to_zoned(TimeZone::system()).date();
    filter.since.is_none_or(|since| day >= since) && filter.until.is_none_or(|until| day <= until)
}

/// Saved game as JSON.
#[derive(Serialize)]
struct SavedGameJson<'a> {
    id: &'a str,
    game: &'a str,
    settings: JsonObject<String, String>,
    moves: usize,
    first: &'a str,
    second: &'a str,
    result: Option<Outcome>,
    started: String,
    played: String,
    file: String,
}

/// Formats a saved game as JSON.
fn format_game_json(game: &GameSummary) -> Result<String> {
    Ok(serde_json::to_string(&SavedGameJson {
        id: &game.id,
        game: &game.game,
        settings: JsonObject(game.settings.clone()),
        moves: game.plies,
        first: &game.seats.first,
        second: &game.seats.second,
        result: game.result,
        started: game.started.to_string(),
        played: game.played.to_string(),
        file: sanitize_text(&game.path.to_string_lossy()),
    })?)
}

/// Loads a game from its journal.
pub(super) fn load_saved_game(game: &GameSummary, games: &'static [RegisteredGame]) -> Result<LoadedJournal> {
    let shown = Refusal::sanitize_path(&game.path);
    let bytes = disk::read_regular_file(&game.path, MAX_JOURNAL_BYTES)
        .with_context(|| format!("cannot read {shown}"))?;
    load_journal(&bytes, games).map_err(|bad| failure_with_code(1, format!("{shown}:{bad}")))
}

/// Prints a game: players, last board and moves.
fn show_saved_game(game: &GameSummary, games: &'static [RegisteredGame]) -> Result<()> {
    let record = load_saved_game(game, games)?.record;
    let position = &**record.tree.position(record.present);
    let look = PaintOptions {
        glyphs: super::environment::choose_glyphs(cli::GlyphsArg::Auto),
        ..PaintOptions::default()
    };
    let mut text = format!(
        "{}: {}, {}\n{}",
        kept::board_title(game, games),
        kept::format_players(game, games),
        kept::format_relative_time(game.played, Timestamp::now(), &TimeZone::system()),
        position.paint_board(look).to_text()
    );
    let end = messages::describe_result(position, None).unwrap_or_else(|| messages::describe_turn(position));
    text += &join_texts([messages::list_moves_played(position), vec![end, Text::new()]].concat(), "\n");
    write_stdout(text)
}

/// Resumes an unfinished game, or shows a finished one, in the full screen or in line mode.
fn open_saved_game(
    game: &GameSummary,
    plain: bool,
    games: &'static [RegisteredGame],
    variant: Variant,
) -> Result<()> {
    let (cli, _) = cli::parse_command_line(games, ["crosspath", "--continue"].map(Into::into))
        .context("cannot start")?;
    let play = cli::PlayArgs { journal: Some(game.path.clone()), plain, ..cli.play };
    let board: RequestedBoard = (&games[0], variant);
    super::play::run_play(&play, board)
}

/// Exports a game as a move file.
fn export_saved_game(
    game: &GameSummary,
    file: Option<(&Path, cli::ForceFlag)>,
    games: &'static [RegisteredGame],
) -> Result<()> {
    let mut loaded = load_saved_game(game, games)?;
    loaded.add_player_and_date_remarks();
    let record = loaded.record;
    let form = file.map_or(GameFileFormat::Record, |(file, _)| GameFileFormat::from_file_name(file));
    let written = form.write_game(&record.tree, record.present, &record.remarks);
    let (text, lost) = written.map_err(|why| failure_with_code(1, why))?;
    for what in lost {
        super::print_note(&format!("the file cannot hold {what}"));
    }
    let Some((file, force)) = file else { return write_stdout(text) };
    let shown = Refusal::sanitize_path(file);
    disk::write_file(file, text.as_bytes(), force.replace_policy()).map_err(|error| match error {
        FileError::Exists => {
            let why = "already exists; choose another name, or add --force to replace it";
            failure_with_code(1, format!("{shown} {why}"))
        }
        error => failure_with_code(1, format!("cannot write {shown}: {error}")),
    })?;
    write_stdout(format!("Saved as {shown}.\n"))
}

/// Copies the intact moves of a damaged game into a new game.
fn salvage_saved_game(
    id: &str,
    folder: Option<&JournalFolder>,
    archive: &GameArchive,
    games: &'static [RegisteredGame],
) -> Result<()> {
    let damaged = archive.find_damaged_journal(id).map(|(path, _)| path);
    let path = damaged.map_or_else(|| find_saved_game(archive, id).map(|game| &game.path), Ok)?;
    let shown = Refusal::sanitize_path(path);
    let folder = folder.context("there is no folder for saved games")?;
    let SalvagedGame { id, plies } = salvage_journal(path, folder, games)
        .map_err(|why| failure_with_code(1, format!("cannot salvage {shown}: {why}")))?;
    let id = id.get(..MIN_ID_DIGITS).unwrap_or(&id);
    write_stdout(format!(
        "Saved {} as game {id}. {shown} was not changed.\n",
        messages::format_move_count(plies)
    ))
}

/// Deletes a journal that can no longer be read.
fn delete_damaged_game(path: &Path) -> Result<()> {
    let shown = Refusal::sanitize_path(path);
    JournalFolder::delete_journal(path).with_context(|| format!("cannot delete {shown}"))?;
    write_stdout(format!("Deleted {shown}, which could not be read.\n"))
}

/// Deletes a saved game.
fn delete_saved_game(game: &GameSummary, games: &'static [RegisteredGame]) -> Result<()> {
    let what = format!(
        "{} {}, {}",
        game.id.get(..MIN_ID_DIGITS).unwrap_or(&game.id),
        kept::board_title(game, games),
        messages::format_move_count(game.plies)
    );
    JournalFolder::delete_journal(&game.path).map_err(|error| match error.kind() {
        std::io::ErrorKind::WouldBlock => {
            failure_with_code(1, format!("{what} is open in another crosspath process"))
        }
        _ => failure_with_code(1, format!("cannot delete {what}: {}", error.to_string().to_lowercase())),
    })?;
    write_stdout(format!("Deleted {what}.\n"))
}
