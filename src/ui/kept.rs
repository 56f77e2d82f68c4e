//! Text descriptions of saved games: dates, boards, opponents and results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

use crate::game::{Outcome, Refusal, Side};
use crate::journal::{self, GameArchive, GameSummary, HeadToHead, JournalFolder, MistakeStore};
use crate::messages;
use crate::play::PracticeSession;
use crate::record::disk;
use crate::registry::{RegisteredGame, Variant, find_game_in};
use crate::session::Position;

/// Saved game that can be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Path of the game's journal.
    pub path: PathBuf,
    /// Two lines of description, such as `Hex 11x11` and `move 12, yesterday 21:40`.
    pub description: [String; 2],
}

impl SavedGame {
    /// Returns the newest readable unfinished game that no other process has open, and a message about
    /// unreadable games.
    #[must_use]
    pub fn newest_unfinished(
        folder: &JournalFolder,
        games: &'static [RegisteredGame],
    ) -> (Option<Self>, Option<String>) {
        let archive = GameArchive::load(folder);
        let name = |path: &Path| Refusal::sanitize_path(path.file_name().unwrap_or_default());
        let of_folder =
            archive.unreadable.iter().map(|why| format!("{}: {why}", Refusal::sanitize_path(folder.path())));
        let of_file = archive.broken.iter().map(|(path, why)| format!("{}:{why}", name(path)));
        let mut wrong: Vec<String> = of_folder.chain(of_file).collect();
        let unfinished = archive.games.iter().filter(|game| game.result.is_none() && game.plies > 0);
        let mut newest = None;
        for game in unfinished.filter(|game| JournalFolder::is_unlocked(&game.path)) {
            let bytes = disk::read_regular_file(&game.path, journal::MAX_JOURNAL_BYTES).unwrap_or_default();
            match journal::load_journal(&bytes, games) {
                Ok(_) => {
                    newest = Some(game);
                    break;
                }
                Err(bad) => wrong.push(format!("{}:{bad}", name(&game.path))),
            }
        }
        let kept = newest.map(|game| {
            let played = format_relative_time(game.played, Timestamp::now(), &TimeZone::system());
            let description = [board_title(game, games), format!("move {}, {played}", game.plies + 1)];
            SavedGame { path: game.path.clone(), description }
        });
        (kept, messages::unreadable_games_warning(&wrong))
    }
}

/// Counts the mistakes due for practice today.
pub(crate) fn count_due_mistakes(folder: &JournalFolder) -> usize {
    let today = Zoned::now().date();
    MistakeStore::in_folder(folder).read_on_day(today).map_or(0, |mistakes| mistakes.due_tasks(today).count())
}

/// Returns a practice session with the mistakes due today; `None` if there are none.
///
/// # Errors
/// Fails with the reason if the file of mistakes cannot be read.
pub(crate) fn due_practice_session(
    games: &'static [RegisteredGame],
) -> Result<Option<PracticeSession>, String> {
    let Some(folder) = JournalFolder::of_current_user() else { return Ok(None) };
    let (store, today) = (MistakeStore::in_folder(&folder), Zoned::now().date());
    let read =
        store.read_on_day(today).map_err(|why| format!("{}: {why}", Refusal::sanitize_path(store.path())))?;
    Ok(PracticeSession::from_due_mistakes(read.known, today, games))
}

/// Formats a time relative to `now`: `today 9:05`, `yesterday 21:40`, `20 Nov 21:40`, `20 Nov 2025`.
///
/// ```
/// use crosspath::ui::kept::format_relative_time;
/// use jiff::tz::TimeZone;
/// let now = "2026-11-22T08:00:00Z".parse()?;
/// let times =
///     ["2026-11-22T07:05:00Z", "2026-11-21T21:40:00Z", "2026-09-01T12:00:00Z", "2025-12-24T12:00:00Z"];
/// let texts = times.map(|at| format_relative_time(at.parse().unwrap(), now, &TimeZone::UTC));
/// assert_eq!(texts, ["today 7:05", "yesterday 21:40", "1 Sep 12:00", "24 Dec 2025"]);
/// # Ok::<(), jiff::Error>(())
/// ```
#[must_use]
pub fn format_relative_time(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let [at, now] = [at, now].map(|time| time.to_zoned(zone.clone()));
    let day = match at.date() {
        day if day == now.date() => "today".to_owned(),
        day if now.date().checked_sub(1.day()).is_ok_and(|before| day == before) => "yesterday".to_owned(),
        day if day.year() == now.date().year() => at.strftime("%-d %b").to_string(),
        _ => return at.strftime("%-d %b %Y").to_string(),
    };
    format!("{day} {}", at.strftime("%-H:%M"))
}

/// Returns the first position of a saved game, or `None` if its game or board is unknown.
fn start_position(game: &GameSummary, games: &'static [RegisteredGame]) -> Option<Arc<dyn Position>> {
    let entry = find_game_in(games, &game.game).ok()?;
    let known = game.settings.iter().filter(|(key, _)| entry.find_setting(key).is_some());
    entry
        .start_position(&known.fold(Variant::default(), |all, (key, value)| all.with_setting(key, value)))
        .ok()
}

/// Returns the title of a saved game's board, such as `Hex 11x11`.
#[must_use]
pub(crate) fn board_title(game: &GameSummary, games: &'static [RegisteredGame]) -> String {
    start_position(game, games).map_or_else(|| game.game.clone(), |start| start.view().title())
}

/// Formats the players of a saved game, the human first: `you (Red) vs level 4 (improver)`.
pub(crate) fn format_players(game: &GameSummary, games: &'static [RegisteredGame]) -> String {
    let start = start_position(game, games);
    let name =
        |side: Side| start.as_ref().map_or(side.to_string(), |start| start.side_name(side).to_string());
    if game.is_analysis() {
        return messages::lists::ANALYSIS_LABEL.to_owned();
    }
    if let (Some(you), Some(opponent)) = (game.only_human_side(), game.opponent_of_human()) {
        return format!("you ({}) vs {}", name(you), messages::format_seat_with_level_name(opponent));
    }
    let [first, second] = Side::map_both(|side| match &*game.seats[side] {
        "human" => name(side),
        engine => format!("{} ({})", name(side), messages::format_seat_with_level_name(engine)),
    });
    format!("{first} vs {second}")
}

/// Formats the opponent in a saved game: `vs level 4 (improver)`, `two players`, `analysis`.
pub(crate) fn format_opponent(game: &GameSummary) -> String {
    if game.is_analysis() {
        return messages::lists::ANALYSIS_LABEL.to_owned();
    }
    messages::lists::format_opponent(game.opponent_of_human(), game.has_human_player())
}

/// Formats the result of a saved game: `you won`, `Blue won`, `draw`, `unfinished`.
pub(crate) fn format_result(game: &GameSummary, games: &'static [RegisteredGame]) -> String {
    match (game.result, game.only_human_side()) {
        (None, _) => "unfinished".to_owned(),
        (Some(Outcome::Draw), _) => "draw".to_owned(),
        (Some(Outcome::Win(side)), Some(you)) => if side == you { "you won" } else { "you lost" }.to_owned(),
        (Some(Outcome::Win(side)), None) => {
            let winner = start_position(game, games);
            winner.map_or(side.to_string(), |start| start.side_name(side).to_string()) + " won"
        }
    }
}

/// Formats saved games as aligned rows of a table.
///
/// A row has the first `digits` characters of the ID, the time of the last move, the board, the
/// number of moves, the result and the players.
pub(crate) fn format_games_table(
    list: &[&GameSummary],
    games: &'static [RegisteredGame],
    now: Timestamp,
    digits: usize,
) -> Vec<String> {
    let zone = TimeZone::system();
    let row = |game: &&GameSummary| {
        [
            game.id.get(..digits).unwrap_or(&game.id).to_owned(),
            format_relative_time(game.played, now, &zone),
            board_title(game, games),
            messages::format_move_count(game.plies),
            format_result(game, games),
            format_players(game, games),
        ]
    };
    let rows: Vec<[String; 6]> = list.iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..6).map(width).collect();
    let line = |row: &[String; 6]| {
        let cells = row.iter().zip(&widths).map(|(text, &width)| format!("{text:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Formats the human player's score against an opponent: `Hex vs level 4: you won 7 of 20, 1 draw.`
pub(crate) fn format_head_to_head(
    game: &str,
    opponent: &str,
    score: &HeadToHead,
    games: &'static [RegisteredGame],
) -> String {
    let title = find_game_in(games, game).map_or(game, |entry| entry.title);
    let draws = match score.drawn {
        0 => String::new(),
        1 => ", 1 draw".to_owned(),
        many => format!(", {many} draws"),
    };
    let opponent = messages::format_seat_with_level_name(opponent);
    format!("{title} vs {opponent}: you won {} of {}{draws}.", score.won, score.game_count())
}
