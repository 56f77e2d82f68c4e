//! `crosspath games`: the saved games of a person.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{Board, failure, usage, write_out};
use crate::canvas::PaintOptions;
use crate::cli::{self, End, Filter, OnGame};
use crate::game::{Object, Outcome, Refusal, Side, clean};
use crate::journal::{Archive, Folder, Loaded, MAX_BYTES, Salvaged, Summary, is_salvageable, load, salvage};
use crate::messages;
use crate::record::WrittenForm;
use crate::record::disk::{self, FileError};
use crate::registry::{Entry, Variant, find_in};
use crate::text::{Text, join};
use crate::ui::kept;

/// Fewest digits that name a game in the list.
const DIGITS: usize = 4;

pub(super) fn run(asked: &cli::Games, games: &'static [Entry], variant: Variant) -> Result<()> {
    let folder = Folder::of_person();
    let archive = folder.as_ref().map(Archive::of).unwrap_or_default();
    match &asked.action {
        None => list(&asked.filter, &archive, games),
        Some(OnGame::Show { id }) => show(one(&archive, id)?, games),
        Some(OnGame::Open { id, plain }) => open(one(&archive, id)?, *plain, games, variant),
        Some(OnGame::Export { id, file, force }) => {
            export(one(&archive, id)?, file.as_deref().map(|file| (file, *force)), games)
        }
        Some(OnGame::Salvage { id }) => rescue(id, folder.as_ref(), &archive, games),
        Some(OnGame::Delete { ids }) => {
            let (damaged, ids): (Vec<&String>, Vec<_>) =
                ids.iter().partition(|id| archive.damaged(id).is_some());
            // All are known before one is deleted. One that is named twice is deleted once.
            let mut wanted: Vec<&Summary> = Vec::new();
            for id in ids {
                let game = one(&archive, id)?;
                if wanted.iter().all(|other| other.id != game.id) {
                    wanted.push(game);
                }
            }
            wanted.into_iter().try_for_each(|game| delete(game, games))?;
            damaged
                .into_iter()
                .filter_map(|id| archive.damaged(id))
                .try_for_each(|(path, _)| delete_damaged(path))
        }
    }
}

/// Returns the one game whose name begins with `id`.
pub(super) fn one<'a>(archive: &'a Archive, id: &'a str) -> Result<&'a Summary> {
    if id.is_empty() {
        return Err(usage("the ID of the game is missing; crosspath games lists the IDs"));
    }
    let mut found = archive.named(id);
    let shown = Refusal::shown(id);
    match (found.next(), found.next()) {
        (Some(game), None) => Ok(game),
        (None, _) => Err(match archive.damaged(id) {
            Some((path, why)) => failure(1, format!("cannot read {}:{why}", Refusal::shown_path(path))),
            None => failure(1, format!("there is no game {shown}; crosspath games lists the IDs")),
        }),
        (Some(_), Some(_)) => {
            Err(usage(format!("{shown} is the start of several IDs; type more characters")))
        }
    }
}

fn list(filter: &Filter, archive: &Archive, games: &'static [Entry]) -> Result<()> {
    let game = filter.game.as_ref().map(|name| find_in(games, name)).transpose().map_err(usage)?;
    let is_wanted = |kept: &&Summary| {
        game.is_none_or(|entry| entry.name == kept.game)
            && filter.opponent.as_ref().is_none_or(|name| has_opponent(kept, name))
            && filter.result.is_none_or(|end| ended(kept) == Some(end))
            && is_between(kept, filter)
    };
    if let Some(why) = &archive.unreadable {
        let folder = Folder::of_person().map(|folder| Refusal::shown_path(folder.path())).unwrap_or_default();
        return Err(failure(1, format!("cannot read the games folder {folder}: {why}")));
    }
    let list: Vec<&Summary> = archive.games.iter().filter(is_wanted).collect();
    let mut lines = if filter.json {
        list.iter().map(|game| as_json(game)).collect::<Result<_>>()?
    } else {
        let digits = (DIGITS..=16).find(|&digits| are_told_apart(archive, digits)).unwrap_or(16);
        let mut lines = kept::table(&list, games, Timestamp::now(), digits);
        let scores = Archive::scores(list.iter().copied());
        let scores = scores.iter().map(|((game, opponent), score)| kept::score(game, opponent, score, games));
        lines.extend(scores);
        let none = match (list.is_empty(), archive.games.is_empty(), archive.broken.is_empty()) {
            (true, true, true) => Some(
                "There are no saved games yet. Games played on a terminal are saved from the first move.",
            ),
            (true, false, _) => Some("No saved game matches. crosspath games lists all."),
            _ => None, // those that cannot be read are named below
        };
        lines.extend(none.map(str::to_owned));
        if list.iter().any(|game| game.played > Timestamp::now()) {
            lines.push(messages::SET_BACK.to_owned());
        }
        lines
    };
    lines.push(String::new());
    write_out(lines.join("\n"))?;
    match archive.broken.as_slice() {
        [] => Ok(()),
        broken => {
            let named = |(path, why): &(PathBuf, _)| format!("{}:{why}", Refusal::shown_path(path));
            let all: Vec<String> = broken.iter().map(named).collect();
            let all = format!("cannot read {}", all.join("; "));
            let can_help = broken.iter().any(|(path, _)| is_salvageable(path, games));
            let help = "crosspath games salvage ID copies the intact moves of a damaged game into a new one";
            Err(failure(1, if can_help { format!("{all}; {help}") } else { all }))
        }
    }
}

/// Reports whether this number of digits distinguishes all games.
fn are_told_apart(archive: &Archive, digits: usize) -> bool {
    let mut names: Vec<&str> = archive.games.iter().filter_map(|game| game.id.get(..digits)).collect();
    names.sort_unstable();
    names.windows(2).all(|pair| pair[0] != pair[1])
}

fn has_opponent(game: &Summary, name: &str) -> bool {
    let is_called = |seat: &str| seat == name || seat.strip_prefix("level ") == Some(name);
    match game.opponent() {
        Some(opponent) => is_called(opponent),
        None => Side::BOTH.iter().any(|&side| is_called(&game.seats[side])),
    }
}

/// Returns the result of a game for the person; of games with two people or none, only whether it
/// is unfinished or a draw.
fn ended(game: &Summary) -> Option<End> {
    match (game.result, game.you()) {
        (None, _) => Some(End::Unfinished),
        (Some(Outcome::Draw), _) => Some(End::Draw),
        (Some(Outcome::Win(side)), Some(you)) => Some(if side == you { End::Won } else { End::Lost }),
        (Some(Outcome::Win(_)), None) => None,
    }
}

fn is_between(game: &Summary, filter: &Filter) -> bool {
    let day = game.played.to_zoned(TimeZone::system()).date();
    filter.since.is_none_or(|since| day >= since) && filter.until.is_none_or(|until| day <= until)
}

/// Game as JSON.
#[derive(Serialize)]
struct GameJson<'a> {
    id: &'a str,
    game: &'a str,
    settings: Object<String, String>,
    moves: usize,
    first: &'a str,
    second: &'a str,
    result: Option<Outcome>,
    started: String,
    played: String,
    file: String,
}

fn as_json(game: &Summary) -> Result<String> {
    Ok(serde_json::to_string(&GameJson {
        id: &game.id,
        game: &game.game,
        settings: Object(game.settings.clone()),
        moves: game.plies,
        first: &game.seats.first,
        second: &game.seats.second,
        result: game.result,
        started: game.started.to_string(),
        played: game.played.to_string(),
        file: clean(&game.path.to_string_lossy()),
    })?)
}

/// Returns the game of a journal.
pub(super) fn loaded(game: &Summary, games: &'static [Entry]) -> Result<Loaded> {
    let shown = Refusal::shown_path(&game.path);
    let bytes = disk::read_regular(&game.path, MAX_BYTES).with_context(|| format!("cannot read {shown}"))?;
    load(&bytes, games).map_err(|bad| failure(1, format!("{shown}:{bad}")))
}

fn show(game: &Summary, games: &'static [Entry]) -> Result<()> {
    let record = loaded(game, games)?.record;
    let position = &**record.tree.position(record.present);
    let look =
        PaintOptions { glyphs: super::environment::glyphs(cli::Glyphs::Auto), ..PaintOptions::default() };
    let mut text = format!(
        "{}: {}, {}\n{}",
        kept::board(game, games),
        kept::players(game, games),
        kept::when(game.played, Timestamp::now(), &TimeZone::system()),
        position.canvas(look).to_text()
    );
    let end = messages::result(position, None).unwrap_or_else(|| messages::turn(position));
    text += &join([messages::moves_played(position), vec![end, Text::new()]].concat(), "\n");
    write_out(text)
}

/// Continues a game, or shows one that is over, as the program does without a command.
fn open(game: &Summary, plain: bool, games: &'static [Entry], variant: Variant) -> Result<()> {
    let (cli, _) = cli::parse(games, ["crosspath", "--continue"].map(Into::into)).context("cannot start")?;
    let play = cli::Play { journal: Some(game.path.clone()), plain, ..cli.play };
    let board: Board = (&games[0], variant);
    super::play::run(&play, board)
}

fn export(game: &Summary, file: Option<(&Path, cli::Force)>, games: &'static [Entry]) -> Result<()> {
    let mut loaded = loaded(game, games)?;
    loaded.add_remarks();
    let record = loaded.record;
    let form = file.map_or(WrittenForm::Record, |(file, _)| WrittenForm::of_file(file));
    let written = form.write(&record.tree, record.present, &record.remarks);
    let (text, lost) = written.map_err(|why| failure(1, why))?;
    for what in lost {
        super::note(&format!("the file cannot hold {what}"));
    }
    let Some((file, force)) = file else { return write_out(text) };
    let shown = Refusal::shown_path(file);
    disk::write(file, text.as_bytes(), force.replace()).map_err(|error| match error {
        FileError::Exists => {
            let why = "already exists; choose another name, or add --force to replace it";
            failure(1, format!("{shown} {why}"))
        }
        error => failure(1, format!("cannot write {shown}: {error}")),
    })?;
    write_out(format!("Saved as {shown}.\n"))
}

/// Copies the good moves of a damaged game into a new game.
fn rescue(id: &str, folder: Option<&Folder>, archive: &Archive, games: &'static [Entry]) -> Result<()> {
    let damaged = archive.damaged(id).map(|(path, _)| path);
    let path = damaged.map_or_else(|| one(archive, id).map(|game| &game.path), Ok)?;
    let shown = Refusal::shown_path(path);
    let folder = folder.context("there is no folder for saved games")?;
    let Salvaged { id, plies } =
        salvage(path, folder, games).map_err(|why| failure(1, format!("cannot salvage {shown}: {why}")))?;
    let id = id.get(..DIGITS).unwrap_or(&id);
    write_out(format!("Saved {} as game {id}. {shown} was not changed.\n", messages::moves(plies)))
}

/// Deletes a journal that can no longer be read.
fn delete_damaged(path: &Path) -> Result<()> {
    let shown = Refusal::shown_path(path);
    Folder::delete(path).with_context(|| format!("cannot delete {shown}"))?;
    write_out(format!("Deleted {shown}, which could not be read.\n"))
}

fn delete(game: &Summary, games: &'static [Entry]) -> Result<()> {
    let what = format!(
        "{} {}, {}",
        game.id.get(..DIGITS).unwrap_or(&game.id),
        kept::board(game, games),
        messages::moves(game.plies)
    );
    Folder::delete(&game.path).map_err(|error| match error.kind() {
        std::io::ErrorKind::WouldBlock => failure(1, format!("{what} is open in another crosspath process")),
        _ => failure(1, format!("cannot delete {what}: {}", error.to_string().to_lowercase())),
    })?;
    write_out(format!("Deleted {what}.\n"))
}
