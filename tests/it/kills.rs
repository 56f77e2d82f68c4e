//! The program is killed while it plays and saves. Moves that were shown are in the journal, saved
//! files are complete, and no temporary files remain.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crosspath::journal::{ContinuedGame, JournalFolder};
use crosspath::random::random_stream;
use crosspath::record::{RecordReadOptions, disk, load_game};
use crosspath::registry::{GAMES, find_game};
use rand::RngExt;
use rustix::process::Signal;

use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};

/// Game during which the program is killed, and the moves typed in it.
struct KilledGame {
    game: &'static str,
    settings: &'static [&'static str],
    /// Names of the sides.
    names: [&'static str; 2],
    moves: [&'static str; 24],
}

/// Moves on a 10x10 board without a winner.
const STONES: [&str; 24] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "a2", "b3", "c3", "d2", "e3", "f2", "g3",
    "h2", "i3", "j2", "a4", "b4", "c5", "d5",
];

/// Steps and walls of a legal game of Quoridor.
const QUORIDOR_MOVES: [&str; 24] = [
    "e2", "e8", "e3", "e7", "a1h", "c1h", "e4", "e6", "a3h", "c3h", "e1h", "g1h", "d4", "f6", "a8h", "c8h",
    "c4", "g6", "e8h", "g8h", "b4", "h6", "a6h", "h5",
];

const KILLED_GAMES: [KilledGame; 3] = [
    KilledGame {
        game: "tic-tac-toe",
        settings: &["--size", "10", "--win-length", "10"],
        names: ["X", "O"],
        moves: STONES,
    },
    KilledGame {
        game: "hex",
        settings: &["--size", "10", "--no-swap"],
        names: ["Red", "Blue"],
        moves: STONES,
    },
    KilledGame { game: "quoridor", settings: &[], names: ["White", "Black"], moves: QUORIDOR_MOVES },
];

/// Kills one game after `wait` and checks the files left behind. Returns the numbers of moves saved
/// and shown.
fn kill_once(killed: &KilledGame, place: &Path, wait: Duration) -> (usize, usize) {
    let KilledGame { game, settings, names, moves } = killed;
    let (state, saved) = (place.join("state"), place.join("game.txt"));
    let arguments = [&["--mode", "2", "--plain", "--game", game], *settings].concat();
    let command = shell("exec \"$0\" \"$@\"", &arguments);
    let mut terminal = Terminal::start(command.env("XDG_STATE_HOME", state.to_str().unwrap()));
    terminal.expect_output(" 1> ");
    let mut typed = String::new();
    for (mv, i) in moves.iter().zip(0..) {
        typed += mv;
        typed.push('\n');
        if i % 3 == 1 {
            typed += &["save ", saved.to_str().unwrap(), "\n"].concat();
        }
    }
    terminal.send(&typed);
    terminal.read_for(wait);
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end(), 137);
    let raw = terminal.raw().to_owned();
    let shown = names.map(|name| raw.matches(&format!("  {name}: ")).count()).iter().sum::<usize>();
    // 1. The journal contains every move that was shown, and no move that was not typed.
    let folder = JournalFolder::new(state.join("crosspath"));
    let saved_moves = match ContinuedGame::newest_unfinished(&folder, GAMES).unwrap() {
        Some(found) => found.record.tree.position(found.record.present).played_moves(),
        None => Vec::new(),
    };
    assert!(saved_moves.len() >= shown, "{shown} moves were shown, {saved_moves:?} kept\n{raw}");
    assert_eq!(saved_moves, moves[..saved_moves.len()]);
    // 2. A file reported as saved exists and is complete.
    let is_reported_saved = raw.contains(lasting(format!("{} ", said!("saved-in"))));
    let file = fs::read(&saved).unwrap_or_default();
    assert!(!file.is_empty() || !is_reported_saved);
    if !file.is_empty() {
        let record =
            load_game(&file, &RecordReadOptions::for_game(find_game(game).unwrap()).with_strict_digits())
                .unwrap();
        assert!(record.fault.is_none(), "{}", String::from_utf8_lossy(&file));
        let played = record.tree.position(record.end).played_moves();
        assert_eq!(played, moves[..played.len()]);
    }
    // 3. The next save leaves no temporary files.
    assert_eq!(temporary_files_after_a_save(place), [""; 0]);
    (saved_moves.len(), shown)
}

/// Returns the names of the temporary files that remain in a folder after another save.
pub(crate) fn temporary_files_after_a_save(place: &Path) -> Vec<String> {
    disk::save_file(&place.join("other.txt"), "x").unwrap();
    let names = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".crosspath")).collect()
}

fn kill_repeatedly(times: usize, seed: u64) {
    let mut chance = random_stream(seed, 7);
    let (mut saved_moves, mut unfinished) = (0, 0);
    for killed in KILLED_GAMES.iter().cycle().take(times) {
        let place = tempfile::tempdir().unwrap();
        // A game takes about 20 ms on an idle computer, and longer on a busy one.
        let wait = Duration::from_micros(chance.random_range(0..30_000));
        let (moves, _) = kill_once(killed, place.path(), wait);
        saved_moves += moves;
        unfinished += usize::from(moves < killed.moves.len());
    }
    println!("{times} kills: {saved_moves} moves kept, {unfinished} games cut short, none lost, no litter");
    assert!(unfinished > times / 4, "most kills should come while the game goes on: {unfinished} of {times}");
}

#[test]
fn a_killed_game_keeps_every_move_that_was_shown() {
    kill_repeatedly(42, 1);
}

#[test]
#[ignore = "slow: 10,000 kills, about ten minutes"]
fn ten_thousand_kills_lose_nothing() {
    kill_repeatedly(10_000, 2);
}
