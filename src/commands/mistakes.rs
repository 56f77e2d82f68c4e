//! Command `crosspath mistakes`: practises the player's blunders.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use jiff::Zoned;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Map, Value};

use super::review::review_game;
use super::{
    archive, failure_with_code, parse_level_flag, print_note, to_json_line, usage_error, write_stdout,
};
use crate::cli;
use crate::game::{Refusal, Side};
use crate::journal::{GameArchive, GameSummary, JournalFolder, MistakeLog, MistakeStore};
use crate::messages::mistakes as sentences;
use crate::play::{PracticeSession, PracticeTask, ReviewEngine, TaskHistory, TaskOrigin};
use crate::registry::RegisteredGame;
use crate::ui::kept;

/// Runs `crosspath mistakes`.
pub(super) fn run_mistakes_command(
    asked: &cli::MistakesArgs,
    games: &'static [RegisteredGame],
) -> Result<()> {
    let folder = JournalFolder::of_current_user().context("there is no folder for saved games")?;
    let (store, today) = (MistakeStore::in_folder(&folder), Zoned::now().date());
    if let Some(ids) = &asked.collect {
        return collect_mistakes(asked, ids, &folder, games);
    }
    let is_about_engines =
        asked.level.is_some() || crate::ai::Limits::from(asked.limits) != crate::ai::Limits::default();
    if is_about_engines && (asked.list || asked.json || asked.forget.is_some()) {
        return Err(usage_error("an engine and its limits need --collect"));
    }
    let mistakes = read_mistakes_file(&store, today)?;
    if let Some(number) = asked.forget {
        return delete_mistake(number, &store, &mistakes, games);
    }
    if asked.json {
        let lines =
            mistakes.known.iter().zip(1..).map(|(known, number)| format_mistake_json(known, number, today));
        return write_stdout(lines.collect::<Result<String>>()?);
    }
    if asked.list || !(io::stdout().is_terminal() || asked.plain) {
        return list_mistakes(&mistakes, today, games);
    }
    let level = parse_level_flag(
        asked.level.as_ref(),
        games.iter().flat_map(RegisteredGame::levels).copied().collect::<Vec<_>>().as_slice(),
    )?;
    let reviewer = ReviewEngine { level, limits: asked.limits.into() };
    let due =
        sentences::due_mistakes_message(mistakes.due_tasks(today).count(), next_due_date(&mistakes, today));
    let Some(session) = PracticeSession::from_due_mistakes(mistakes.known, today, games) else {
        return write_stdout(due + "\n");
    };
    let (cli, _) = super::config::parse_with_config(games, &["crosspath".into()]).context("cannot start")?;
    let play = cli::PlayArgs { plain: asked.plain || cli.play.plain, ..cli.play };
    super::play::run_practice(&play, session, reviewer)
}

/// Reads the file of mistakes. Reports problems with the file on standard error.
fn read_mistakes_file(store: &MistakeStore, today: Date) -> Result<MistakeLog> {
    let shown = Refusal::sanitize_path(store.path());
    let mistakes = store
        .read_on_day(today)
        .map_err(|why| failure_with_code(1, format!("cannot read {shown}: {why}")))?;
    if !mistakes.damaged.is_empty() {
        print_note(&sentences::damaged_lines_warning(&shown, &mistakes.damaged));
    }
    if mistakes.is_cut {
        print_note(sentences::TRUNCATED_FILE_WARNING);
    }
    Ok(mistakes)
}

/// Returns the next day on which a mistake is due.
fn next_due_date(mistakes: &MistakeLog, today: Date) -> Option<Date> {
    mistakes.known.iter().filter_map(|known| known.due_date(today)).min()
}

/// Prints the list of mistakes.
fn list_mistakes(mistakes: &MistakeLog, today: Date, games: &'static [RegisteredGame]) -> Result<()> {
    if mistakes.known.is_empty() {
        return write_stdout(sentences::NO_MISTAKES_MESSAGE.to_owned() + "\n");
    }
    let rows: Vec<[String; 6]> = mistakes
        .known
        .iter()
        .zip(1..)
        .map(|(known, number)| mistake_row(known, number, today, games))
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: [usize; 6] = std::array::from_fn(width);
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(text, &width)| format!("{text:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    let count = mistakes.due_tasks(today).count();
    let mut due = sentences::due_mistakes_message(count, next_due_date(mistakes, today));
    if count > 0 {
        due = format!("{due} {}", sentences::PLAIN_PRACTICE_MESSAGE);
    }
    write_stdout(lines.chain([due, String::new()]).collect::<Vec<_>>().join("\n"))
}

/// Returns a mistake as a row of the list, without the better move.
fn mistake_row(
    known: &TaskHistory,
    number: usize,
    today: Date,
    games: &'static [RegisteredGame],
) -> [String; 6] {
    let task = &known.task;
    [
        number.to_string(),
        task.origin.day.to_string(),
        format_mistake_board(task, games),
        format_mistake_move(task, games),
        sentences::format_mistake_cost(task.chance, task.left),
        sentences::format_due_date(known.due_date(today), today),
    ]
}

/// Formats the game of a mistake and its board: `Hex 11x11`.
fn format_mistake_board(task: &PracticeTask, games: &'static [RegisteredGame]) -> String {
    let title = |task: &PracticeTask| Some(task.open(games).ok()?.start.position().ok()?.view().title());
    title(task).unwrap_or_else(|| Refusal::sanitize_excerpt(&task.before.game))
}

/// Formats the move number, side and move of a mistake: `move 12, Red e5 ??`.
fn format_mistake_move(task: &PracticeTask, games: &'static [RegisteredGame]) -> String {
    let name = task.open(games).map(|open| open.tree.position(open.base).side_name(task.side).to_string());
    let name = name.unwrap_or_else(|_| task.side.to_string());
    format!("move {}, {name} {} ??", task.move_number(), Refusal::sanitize_excerpt(&task.played))
}

/// Mistake as JSON.
#[derive(Serialize)]
struct MistakeJson<'a> {
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

/// Practice try as JSON.
#[derive(Serialize)]
struct TryJson<'a> {
    r#move: Option<&'a str>,
    right: bool,
    day: String,
}

/// Formats a mistake as JSON.
fn format_mistake_json(
    TaskHistory { task, tries }: &TaskHistory,
    number: usize,
    today: Date,
) -> Result<String> {
    let per_cent = |chance: f64| (100.0 * chance).round();
    let tried = tries.iter().map(|made| TryJson {
        r#move: made.text.as_deref(),
        right: made.is_right,
        day: made.day.to_string(),
    });
    to_json_line(&MistakeJson {
        number,
        id: &task.id,
        game: &task.before.game,
        settings: &task.before.settings,
        position: task.before.position.as_deref(),
        moves: &task.before.moves,
        ply: task.move_number(),
        side: task.side,
        r#move: &task.played,
        better: &task.better,
        line: &task.line,
        cost: per_cent(task.chance - task.left),
        chance: per_cent(task.chance),
        saved_game: task.origin.journal.as_deref(),
        day: task.origin.day.to_string(),
        tries: tried.collect(),
        due: task.due_date(tries, today).map(|due| due.to_string()),
    })
}

/// Deletes a mistake from the list.
fn delete_mistake(
    number: usize,
    store: &MistakeStore,
    mistakes: &MistakeLog,
    games: &'static [RegisteredGame],
) -> Result<()> {
    let known = number.checked_sub(1).and_then(|index| mistakes.known.get(index));
    let known = known.ok_or_else(|| {
        failure_with_code(
            1,
            format!("there is no mistake {number}; crosspath mistakes --list shows the numbers"),
        )
    })?;
    store
        .delete_task(&known.task.id)
        .with_context(|| format!("cannot write {}", Refusal::sanitize_path(store.path())))?;
    write_stdout(format!(
        "Deleted {} in {}.\n",
        format_mistake_move(&known.task, games),
        format_mistake_board(&known.task, games)
    ))
}

/// Reviews saved games and saves the mistakes that are found.
fn collect_mistakes(
    asked: &cli::MistakesArgs,
    ids: &[String],
    folder: &JournalFolder,
    games: &'static [RegisteredGame],
) -> Result<()> {
    let (archive, store, today) =
        (GameArchive::load(folder), MistakeStore::in_folder(folder), Zoned::now().date());
    let mistakes = read_mistakes_file(&store, today)?;
    let is_wanted = |game: &&GameSummary| game.plies > 0 && game.has_human_player();
    let chosen: Vec<&GameSummary> = if ids.is_empty() {
        archive.games.iter().filter(is_wanted).filter(|game| !mistakes.is_fully_reviewed(&game.id)).collect()
    } else {
        ids.iter().map(|id| archive::find_saved_game(&archive, id)).collect::<Result<_>>()?
    };
    let (mut added, mut count) = (0, 0);
    for game in chosen.into_iter().filter(is_wanted) {
        let loaded = archive::load_saved_game(game, games)?;
        let levels = loaded.record.tree.position(loaded.record.present).levels();
        let reviewer = ReviewEngine {
            level: parse_level_flag(asked.level.as_ref(), &levels)?,
            limits: asked.limits.into(),
        };
        let origin = TaskOrigin { journal: Some(game.id.clone()), day: today, is_quick: false, nodes: 0 };
        let review = review_game(loaded.record, reviewer)?;
        let found = review.game().review_findings(&origin);
        let written = store.add_findings(&found);
        let new =
            written.with_context(|| format!("cannot write {}", Refusal::sanitize_path(store.path())))?;
        write_stdout(format!(
            "{}: {}\n",
            kept::board_title(game, games),
            sentences::format_new_mistake_count(new)
        ))?;
        (added, count) = (added + new, count + 1);
    }
    let mistakes = read_mistakes_file(&store, today)?;
    let due =
        sentences::due_mistakes_message(mistakes.due_tasks(today).count(), next_due_date(&mistakes, today));
    write_stdout(format!("{} {due}\n", sentences::format_collection_summary(added, count)))
}
