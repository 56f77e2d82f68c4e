//! Saved games in words: their dates, boards, opponents and results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

use crate::game::{Outcome, Refusal, Side};
use crate::journal::{self, Archive, Folder, HeadToHead, MistakeStore, Summary};
use crate::messages;
use crate::play::Session;
use crate::record::disk;
use crate::registry::{Entry, Variant, find_in};
use crate::session::Position;

/// Saved game that can be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Path of its journal.
    pub path: PathBuf,
    /// Two lines that describe it: `Hex 11x11`, and `move 12, yesterday 21:40`.
    pub words: [String; 2],
}

impl SavedGame {
    /// Returns the last unfinished game that no program is playing and that can be read; and the
    /// message about games that cannot be read.
    #[must_use]
    pub fn newest(folder: &Folder, games: &'static [Entry]) -> (Option<Self>, Option<String>) {
        let archive = Archive::of(folder);
        let name = |path: &Path| Refusal::shown_path(path.file_name().unwrap_or_default());
        let of_folder =
            archive.unreadable.iter().map(|why| format!("{}: {why}", Refusal::shown_path(folder.path())));
        let of_file = archive.broken.iter().map(|(path, why)| format!("{}:{why}", name(path)));
        let mut wrong: Vec<String> = of_folder.chain(of_file).collect();
        let unfinished = archive.games.iter().filter(|game| game.result.is_none() && game.plies > 0);
        let mut newest = None;
        for game in unfinished.filter(|game| Folder::is_free(&game.path)) {
            let bytes = disk::read_regular(&game.path, journal::MAX_BYTES).unwrap_or_default();
            match journal::load(&bytes, games) {
                Ok(_) => {
                    newest = Some(game);
                    break;
                }
                Err(bad) => wrong.push(format!("{}:{bad}", name(&game.path))),
            }
        }
        let kept = newest.map(|game| {
            let played = when(game.played, Timestamp::now(), &TimeZone::system());
            let words = [board(game, games), format!("move {}, {played}", game.plies + 1)];
            SavedGame { path: game.path.clone(), words }
        });
        (kept, messages::unreadable_games(&wrong))
    }
}

/// Counts the mistakes that are due today.
pub(crate) fn count_due(folder: &Folder) -> usize {
    let today = Zoned::now().date();
    MistakeStore::of(folder).read_on(today).map_or(0, |mistakes| mistakes.due(today).count())
}

/// Returns the mistakes of these games that are due today, if there are any.
///
/// # Errors
/// Says why they cannot be read.
pub(crate) fn session(games: &'static [Entry]) -> Result<Option<Session>, String> {
    let Some(folder) = Folder::of_person() else { return Ok(None) };
    let (store, today) = (MistakeStore::of(&folder), Zoned::now().date());
    let read = store.read_on(today).map_err(|why| format!("{}: {why}", Refusal::shown_path(store.path())))?;
    Ok(Session::of(read.known, today, games))
}

/// Returns a time as people say it: `today 9:05`, `yesterday 21:40`, `20 Nov 21:40`, `20 Nov 2025`.
///
/// ```
/// use crosspath::ui::kept::when;
/// use jiff::tz::TimeZone;
/// let now = "2026-11-22T08:00:00Z".parse()?;
/// let said = ["2026-11-22T07:05:00Z", "2026-11-21T21:40:00Z", "2026-09-01T12:00:00Z", "2025-12-24T12:00:00Z"]
///     .map(|at| when(at.parse().unwrap(), now, &TimeZone::UTC));
/// assert_eq!(said, ["today 7:05", "yesterday 21:40", "1 Sep 12:00", "24 Dec 2025"]);
/// # Ok::<(), jiff::Error>(())
/// ```
#[must_use]
pub fn when(at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let [at, now] = [at, now].map(|time| time.to_zoned(zone.clone()));
    let day = match at.date() {
        day if day == now.date() => "today".to_owned(),
        day if now.date().checked_sub(1.day()).is_ok_and(|before| day == before) => "yesterday".to_owned(),
        day if day.year() == now.date().year() => at.strftime("%-d %b").to_string(),
        _ => return at.strftime("%-d %b %Y").to_string(),
    };
    format!("{day} {}", at.strftime("%-H:%M"))
}

/// Returns the first position of a saved game; `None` if these games have no such board.
fn start(game: &Summary, games: &'static [Entry]) -> Option<Arc<dyn Position>> {
    let entry = find_in(games, &game.game).ok()?;
    let known = game.settings.iter().filter(|(key, _)| entry.setting_of(key).is_some());
    entry.start(&known.fold(Variant::default(), |all, (key, value)| all.with(key, value))).ok()
}

/// Returns the game and its board: `Hex 11x11`.
#[must_use]
pub(crate) fn board(game: &Summary, games: &'static [Entry]) -> String {
    start(game, games).map_or_else(|| game.game.clone(), |start| start.view().title())
}

/// Returns the players, the person first: `you (Red) vs level 4 (improver)`.
pub(crate) fn players(game: &Summary, games: &'static [Entry]) -> String {
    let start = start(game, games);
    let name =
        |side: Side| start.as_ref().map_or(side.to_string(), |start| start.side_name(side).to_string());
    if game.is_analysis() {
        return messages::lists::ANALYSIS.to_owned();
    }
    if let (Some(you), Some(opponent)) = (game.you(), game.opponent()) {
        return format!("you ({}) vs {}", name(you), messages::seat_with_name(opponent));
    }
    let [first, second] = Side::each(|side| match &*game.seats[side] {
        "human" => name(side),
        engine => format!("{} ({})", name(side), messages::seat_with_name(engine)),
    });
    format!("{first} vs {second}")
}

/// Returns the person's opponent: `vs level 4 (improver)`, `two players`, `analysis`.
pub(crate) fn opponent(game: &Summary) -> String {
    if game.is_analysis() {
        return messages::lists::ANALYSIS.to_owned();
    }
    messages::lists::opponent(game.opponent(), game.has_person())
}

/// Returns the result of a game: `you won`, `Blue won`, `draw`, `unfinished`.
pub(crate) fn end(game: &Summary, games: &'static [Entry]) -> String {
    match (game.result, game.you()) {
        (None, _) => "unfinished".to_owned(),
        (Some(Outcome::Draw), _) => "draw".to_owned(),
        (Some(Outcome::Win(side)), Some(you)) => if side == you { "you won" } else { "you lost" }.to_owned(),
        (Some(Outcome::Win(side)), None) => {
            let winner = start(game, games);
            winner.map_or(side.to_string(), |start| start.side_name(side).to_string()) + " won"
        }
    }
}

/// Returns a table of the games: the beginning of the name, the time of the last move, the board,
/// the number of moves, the result, and the players.
pub(crate) fn table(
    list: &[&Summary],
    games: &'static [Entry],
    now: Timestamp,
    digits: usize,
) -> Vec<String> {
    let zone = TimeZone::system();
    let row = |game: &&Summary| {
        [
            game.id.get(..digits).unwrap_or(&game.id).to_owned(),
            when(game.played, now, &zone),
            board(game, games),
            messages::moves(game.plies),
            end(game, games),
            players(game, games),
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

/// Returns the person's score: `Hex against level 4: you won 7 of 20, 1 draw.`
pub(crate) fn score(game: &str, opponent: &str, score: &HeadToHead, games: &'static [Entry]) -> String {
    let title = find_in(games, game).map_or(game, |entry| entry.title);
    let draws = match score.drawn {
        0 => String::new(),
        1 => ", 1 draw".to_owned(),
        many => format!(", {many} draws"),
    };
    let opponent = messages::seat_with_name(opponent);
    format!("{title} vs {opponent}: you won {} of {}{draws}.", score.won, score.games())
}
