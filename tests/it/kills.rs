//! The program is killed while it plays and saves: moves that were shown are kept, saved files are
//! whole, no temporary files stay.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crosspath::journal::{Continued, Folder};
use crosspath::random::stream;
use crosspath::record::{Hint, disk, load};
use crosspath::registry::{GAMES, find};
use rand::RngExt;
use rustix::process::Signal;

use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};

/// Game that is killed, and the lines typed in it.
struct Victim {
    game: &'static str,
    settings: &'static [&'static str],
    /// The names of its sides.
    names: [&'static str; 2],
    moves: [&'static str; 24],
}

/// Moves on a board of ten that nobody wins.
const MARKS: [&str; 24] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "a2", "b3", "c3", "d2", "e3", "f2", "g3",
    "h2", "i3", "j2", "a4", "b4", "c5", "d5",
];

/// Steps and walls, each legal after those before it.
const STEPS: [&str; 24] = [
    "e2", "e8", "e3", "e7", "a1h", "c1h", "e4", "e6", "a3h", "c3h", "e1h", "g1h", "d4", "f6", "a8h", "c8h",
    "c4", "g6", "e8h", "g8h", "b4", "h6", "a6h", "h5",
];

const VICTIMS: [Victim; 3] = [
    Victim {
        game: "tic-tac-toe",
        settings: &["--size", "10", "--win-length", "10"],
        names: ["X", "O"],
        moves: MARKS,
    },
    Victim { game: "hex", settings: &["--size", "10", "--no-swap"], names: ["Red", "Blue"], moves: MARKS },
    Victim { game: "quoridor", settings: &[], names: ["White", "Black"], moves: STEPS },
];

/// Kills one game at some moment and checks the files that it has left.
fn kill_once(victim: &Victim, place: &Path, wait: Duration) -> (usize, usize) {
    let Victim { game, settings, names, moves } = victim;
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
    // 1. Every move that was shown is in the journal, and no other was played.
    let folder = Folder::at(state.join("crosspath"));
    let kept = match Continued::newest(&folder, GAMES).unwrap() {
        Some(found) => found.record.tree.position(found.record.present).played(),
        None => Vec::new(),
    };
    assert!(kept.len() >= shown, "{shown} moves were shown, {kept:?} kept\n{raw}");
    assert_eq!(kept, moves[..kept.len()]);
    // 2. The file is there, whole, as far as it was said to be saved.
    let was_told = raw.contains(lasting(format!("{} ", said!("saved-in"))));
    let file = fs::read(&saved).unwrap_or_default();
    assert!(!file.is_empty() || !was_told);
    if !file.is_empty() {
        let record = load(&file, &Hint::of(find(game).unwrap()).strict()).unwrap();
        assert!(record.fault.is_none(), "{}", String::from_utf8_lossy(&file));
        let played = record.tree.position(record.end).played();
        assert_eq!(played, moves[..played.len()]);
    }
    // 3. The next save leaves nothing else there.
    assert_eq!(litter_after_a_save(place), [""; 0]);
    (kept.len(), shown)
}

/// Returns the names of temporary files left in a folder, once something was saved there again.
pub(crate) fn litter_after_a_save(place: &Path) -> Vec<String> {
    disk::save(&place.join("other.txt"), "x").unwrap();
    let names = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".crosspath")).collect()
}

fn kill(times: usize, seed: u64) {
    let mut chance = stream(seed, 7);
    let (mut kept, mut unfinished) = (0, 0);
    for victim in VICTIMS.iter().cycle().take(times) {
        let place = tempfile::tempdir().unwrap();
        // A game takes some twenty milliseconds here; a busy machine is slower.
        let wait = Duration::from_micros(chance.random_range(0..30_000));
        let (moves, _) = kill_once(victim, place.path(), wait);
        kept += moves;
        unfinished += usize::from(moves < victim.moves.len());
    }
    println!("{times} kills: {kept} moves kept, {unfinished} games cut short, none lost, no litter");
    assert!(unfinished > times / 4, "most kills should come while the game goes on: {unfinished} of {times}");
}

#[test]
fn a_game_that_is_killed_keeps_what_was_shown() {
    kill(42, 1);
}

#[test]
#[ignore = "slow: 10,000 kills, about ten minutes"]
fn ten_thousand_kills_lose_nothing() {
    kill(10_000, 2);
}
