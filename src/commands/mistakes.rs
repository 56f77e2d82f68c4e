//! `crosspath mistakes`: the blunders of a person as tasks.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use jiff::Zoned;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Map, Value};

use super::review::reviewed;
use super::{archive, failure, json_line, level, note, usage, write_out};
use crate::cli;
use crate::game::{Refusal, Side};
use crate::journal::{Archive, Folder, MistakeLog, MistakeStore, Summary};
use crate::messages::mistakes as sentences;
use crate::play::{Known, Origin, Reviewer, Session, Task};
use crate::registry::Entry;
use crate::ui::kept;

pub(super) fn run(asked: &cli::Mistakes, games: &'static [Entry]) -> Result<()> {
    let folder = Folder::of_person().context("there is no folder for saved games")?;
    let (store, today) = (MistakeStore::of(&folder), Zoned::now().date());
    if let Some(ids) = &asked.collect {
        return collect(asked, ids, &folder, games);
    }
    let is_about_engines =
        asked.level.is_some() || crate::ai::Limits::from(asked.limits) != crate::ai::Limits::default();
    if is_about_engines && (asked.list || asked.json || asked.forget.is_some()) {
        return Err(usage("an engine and its limits need --collect"));
    }
    let mistakes = read(&store, today)?;
    if let Some(number) = asked.forget {
        return forget(number, &store, &mistakes, games);
    }
    if asked.json {
        let lines = mistakes.known.iter().zip(1..).map(|(known, number)| as_json(known, number, today));
        return write_out(lines.collect::<Result<String>>()?);
    }
    if asked.list || !(io::stdout().is_terminal() || asked.plain) {
        return list(&mistakes, today, games);
    }
    let level = level(
        asked.level.as_ref(),
        games.iter().flat_map(Entry::levels).copied().collect::<Vec<_>>().as_slice(),
    )?;
    let reviewer = Reviewer { level, limits: asked.limits.into() };
    let due = sentences::due(mistakes.due(today).count(), next_due(&mistakes, today));
    let Some(session) = Session::of(mistakes.known, today, games) else { return write_out(due + "\n") };
    let (cli, _) = super::config::merged(games, &["crosspath".into()]).context("cannot start")?;
    let play = cli::Play { plain: asked.plain || cli.play.plain, ..cli.play };
    super::play::practise(&play, session, reviewer)
}

/// Returns the contents of the file. Problems with it are reported on standard error.
fn read(store: &MistakeStore, today: Date) -> Result<MistakeLog> {
    let shown = Refusal::shown_path(store.path());
    let mistakes = store.read_on(today).map_err(|why| failure(1, format!("cannot read {shown}: {why}")))?;
    if !mistakes.damaged.is_empty() {
        note(&sentences::damaged(&shown, &mistakes.damaged));
    }
    if mistakes.is_cut {
        note(sentences::CUT);
    }
    Ok(mistakes)
}

/// Returns the next day on which a task comes up.
fn next_due(mistakes: &MistakeLog, today: Date) -> Option<Date> {
    mistakes.known.iter().filter_map(|known| known.due(today)).min()
}

fn list(mistakes: &MistakeLog, today: Date, games: &'static [Entry]) -> Result<()> {
    if mistakes.known.is_empty() {
        return write_out(sentences::NO_MISTAKES.to_owned() + "\n");
    }
    let rows: Vec<[String; 6]> =
        mistakes.known.iter().zip(1..).map(|(known, number)| row(known, number, today, games)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; 6] = std::array::from_fn(width);
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(text, &width)| format!("{text:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    let count = mistakes.due(today).count();
    let mut due = sentences::due(count, next_due(mistakes, today));
    if count > 0 {
        due = format!("{due} {}", sentences::PRACTISE);
    }
    write_out(lines.chain([due, String::new()]).collect::<Vec<_>>().join("\n"))
}

/// Returns a task as a row of the list. The better move is not given away.
fn row(known: &Known, number: usize, today: Date, games: &'static [Entry]) -> [String; 6] {
    let task = &known.task;
    [
        number.to_string(),
        task.origin.day.to_string(),
        board(task, games),
        moved(task, games),
        sentences::cost(task.chance, task.left),
        sentences::when_due(known.due(today), today),
    ]
}

/// Returns the game and its board: `Hex 11x11`.
fn board(task: &Task, games: &'static [Entry]) -> String {
    let title = |task: &Task| Some(task.open(games).ok()?.start.position().ok()?.view().title());
    title(task).unwrap_or_else(|| Refusal::shown(&task.before.game))
}

/// Returns the number of the move, the side and the move: `move 12, Red e5 ??`.
fn moved(task: &Task, games: &'static [Entry]) -> String {
    let name = task.open(games).map(|open| open.tree.position(open.base).side_name(task.side).to_string());
    let name = name.unwrap_or_else(|_| task.side.to_string());
    format!("move {}, {name} {} ??", task.ply(), Refusal::shown(&task.played))
}

/// Task as JSON.
#[derive(Serialize)]
struct TaskJson<'a> {
    number: usize,
    id: &'a str,
    game: &'a str,
    settings: &'a Map<String, Value>,
    position: Option<&'a str>,
    moves: &'a [String],
    ply: usize,
    side: Side,
    r#move: &'a str,
    better: &'a str,
    line: &'a [String],
    cost: f64,
    chance: f64,
    saved_game: Option<&'a str>,
    day: String,
    tries: Vec<TryJson<'a>>,
    due: Option<String>,
}

/// Try as JSON.
#[derive(Serialize)]
struct TryJson<'a> {
    r#move: Option<&'a str>,
    right: bool,
    day: String,
}

fn as_json(Known { task, tries }: &Known, number: usize, today: Date) -> Result<String> {
    let per_cent = |chance: f64| (100.0 * chance).round();
    let tried = tries.iter().map(|made| TryJson {
        r#move: made.text.as_deref(),
        right: made.is_right,
        day: made.day.to_string(),
    });
    json_line(&TaskJson {
        number,
        id: &task.id,
        game: &task.before.game,
        settings: &task.before.settings,
        position: task.before.position.as_deref(),
        moves: &task.before.moves,
        ply: task.ply(),
        side: task.side,
        r#move: &task.played,
        better: &task.better,
        line: &task.line,
        cost: per_cent(task.chance - task.left),
        chance: per_cent(task.chance),
        saved_game: task.origin.journal.as_deref(),
        day: task.origin.day.to_string(),
        tries: tried.collect(),
        due: task.due(tries, today).map(|due| due.to_string()),
    })
}

fn forget(number: usize, store: &MistakeStore, mistakes: &MistakeLog, games: &'static [Entry]) -> Result<()> {
    let known = number.checked_sub(1).and_then(|index| mistakes.known.get(index));
    let known = known.ok_or_else(|| {
        failure(1, format!("there is no mistake {number}; crosspath mistakes --list shows the numbers"))
    })?;
    store
        .forget(&known.task.id)
        .with_context(|| format!("cannot write {}", Refusal::shown_path(store.path())))?;
    write_out(format!("Deleted {} in {}.\n", moved(&known.task, games), board(&known.task, games)))
}

/// Reviews saved games and saves the mistakes that are found.
fn collect(asked: &cli::Mistakes, ids: &[String], folder: &Folder, games: &'static [Entry]) -> Result<()> {
    let (archive, store, today) = (Archive::of(folder), MistakeStore::of(folder), Zoned::now().date());
    let mistakes = read(&store, today)?;
    let is_wanted = |game: &&Summary| game.plies > 0 && game.has_person();
    let chosen: Vec<&Summary> = if ids.is_empty() {
        archive.games.iter().filter(is_wanted).filter(|game| !mistakes.is_reviewed(&game.id)).collect()
    } else {
        ids.iter().map(|id| archive::one(&archive, id)).collect::<Result<_>>()?
    };
    let (mut added, mut count) = (0, 0);
    for game in chosen.into_iter().filter(is_wanted) {
        let loaded = archive::loaded(game, games)?;
        let levels = loaded.record.tree.position(loaded.record.present).levels();
        let reviewer = Reviewer { level: level(asked.level.as_ref(), &levels)?, limits: asked.limits.into() };
        let origin = Origin { journal: Some(game.id.clone()), day: today, is_quick: false, nodes: 0 };
        let review = reviewed(loaded.record, reviewer)?;
        let found = review.game().findings(&origin);
        let written = store.add(&found);
        let new = written.with_context(|| format!("cannot write {}", Refusal::shown_path(store.path())))?;
        write_out(format!("{}: {}\n", kept::board(game, games), sentences::new(new)))?;
        (added, count) = (added + new, count + 1);
    }
    let mistakes = read(&store, today)?;
    let due = sentences::due(mistakes.due(today).count(), next_due(&mistakes, today));
    write_out(format!("{} {due}\n", sentences::added(added, count)))
}
