//! Journals: a move is in the file before it is shown, and the file has that game and no other.

use std::fs;
use std::path::Path;

use crosspath::journal::{Continued, Folder, Journal, load};
use crosspath::play::{Command, Event, Leaving, Match, Mode, Rules, Unsaved};
use crosspath::random::stream;
use crosspath::record::{GameTree, NodeId};
use crosspath::registry::GAMES;

use crate::match_walk::{starts, step};
use crate::rig::Rig;
use crate::sentences::{lasting, said};
use crate::support::folder;

/// Returns each position by its number: its moves, the positions after it, and its early end.
fn told(tree: &GameTree) -> Vec<(Vec<String>, Vec<usize>, Option<String>)> {
    let of = |id: NodeId| {
        let position = tree.position(id);
        let children = tree.children(id).iter().map(|child| child.index()).collect();
        (position.played(), children, position.early().map(|early| early.word().to_owned()))
    };
    tree.ids().map(of).collect()
}

fn is_told_by(game: &Match, path: &Path) {
    let loaded = load(&fs::read(path).unwrap(), GAMES).unwrap();
    let (tree, played) = (&loaded.record.tree, game.game());
    let (wanted, found) = (told(played.tree()), told(tree));
    let journal = || fs::read_to_string(path).unwrap();
    for (wanted, found) in wanted.iter().zip(&found) {
        // A position that was given up and left is open again where the game stands elsewhere.
        assert_eq!((&wanted.0, &wanted.1), (&found.0, &found.1), "{}", journal());
    }
    assert_eq!(wanted.len(), found.len());
    let present = played.present();
    assert_eq!(loaded.record.present, present, "{}", journal());
    assert_eq!(found[present.index()].2, wanted[present.index()].2, "{}", journal());
    assert_eq!(loaded.spec.mode, mode_of(game));
    assert_eq!(path.file_name().unwrap().to_str().unwrap().starts_with("done-"), played.outcome().is_some());
}

fn mode_of(game: &Match) -> Mode {
    match (game.game().only_human(), game.game().has_human()) {
        (Some(_), _) => Mode::HumanMachine,
        (None, true) => Mode::Humans,
        (None, false) => Mode::Machines,
    }
}

#[test]
fn whatever_is_done_the_journal_tells_it() {
    for (seed, name) in (1..).zip(["tic-tac-toe", "hex", "quoridor"]) {
        for (number, mut rig) in starts(name).into_iter().enumerate() {
            let place = folder();
            let mut journal = Journal::new(Some(Folder::at(place.path().join("state"))));
            let mut chance = stream(seed, 100 + number as u64);
            for _ in 0..400 {
                step(&mut rig, &mut chance);
                if rig.game().has_left() {
                    break;
                }
                journal.hear(rig.game()).unwrap();
                let is_kept = !rig.game().game().is_record() && rig.game().game().tree().len() > 1;
                if let Some(path) = journal.path().filter(|_| is_kept) {
                    is_told_by(rig.game(), path);
                }
            }
        }
    }
}

/// Plays a game with side lines, which is written move by move; returns its journal.
fn journal_of_a_game(place: &Path) -> (Rig, Vec<u8>) {
    let mut rig = Rig::two("hex", "size=5", "", (80, 24));
    let mut journal = Journal::new(Some(Folder::at(place.to_path_buf())));
    let lines = "b2 c3 d4 undo a1 e5 undo undo b4 c2 variations promote d1 e2 resign undo a5 b5 c5 undo redo";
    for line in lines.split(' ') {
        rig.say(line);
        journal.hear(rig.game()).unwrap();
    }
    let bytes = fs::read(journal.path().unwrap()).unwrap();
    (rig, bytes)
}

fn newlines(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).matches('\n').count()
}

#[test]
fn a_journal_that_is_cut_anywhere_tells_a_prefix() {
    let place = folder();
    let (_, bytes) = journal_of_a_game(place.path());
    let whole = load(&bytes, GAMES).unwrap();
    let lines = newlines(&bytes);
    assert_eq!(whole.entries, lines as u64);
    for length in 0..bytes.len() {
        let whole_lines = newlines(&bytes[..length]);
        match load(&bytes[..length], GAMES) {
            Ok(part) => {
                assert_eq!(part.entries, whole_lines as u64, "cut at {length}");
                assert!(whole.record.tree.len() >= part.record.tree.len());
            }
            Err(_) => assert_eq!(whole_lines, 0, "cut at {length}"),
        }
    }
}

#[test]
fn a_flipped_bit_is_found() {
    let place = folder();
    let (_, bytes) = journal_of_a_game(place.path());
    let whole = load(&bytes, GAMES).unwrap();
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            if let Ok(part) = load(&flipped, GAMES) {
                assert!(whole.entries - part.entries <= 2, "byte {place}, bit {bit}");
            }
        }
    }
}

#[test]
fn the_newest_game_that_nobody_plays_goes_on() {
    let place = folder();
    let state = Folder::at(place.path().to_path_buf());
    assert!(Continued::newest(&state, GAMES).unwrap().is_none());
    let (rig, bytes) = journal_of_a_game(place.path());
    let path = state.live().remove(0);
    // While it is played nobody else gets it; what is not whole is cut off.
    let mut torn = bytes.clone();
    torn.extend(b"00000000 {\"seq\":");
    fs::write(&path, &torn).unwrap();
    let found = Continued::newest(&state, GAMES).unwrap().expect("it goes on");
    assert!(found.was_cut);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(found.record.present, rig.game().game().present());
    let why = Continued::newest(&state, GAMES).unwrap_err();
    assert!(why.ends_with(lasting(format!(" {}", said!("is-played-by-another")))), "{why}");
    drop(found);
    fs::write(&path, b"00000000 {}\nmore\n").unwrap();
    let why = Continued::newest(&state, GAMES).unwrap_err();
    assert!(why.ends_with(lasting(format!(".journal:1: {}", said!("the-line-is-damaged")))), "{why}");
}

#[test]
fn who_goes_on_and_leaves_without_a_move_is_told_that_the_game_is_kept() {
    let place = folder();
    let (_, bytes) = journal_of_a_game(place.path());
    let kept = load(&bytes, GAMES).unwrap();
    let rules = Rules { is_journalled: true, ..Rules::default() };
    let mut game = Match::resumed(rules, kept.spec, kept.record).unwrap();
    let events = game.handle(Command::Leave, std::time::Duration::ZERO);
    assert!(matches!(events.last(), Some(Event::Left(Leaving::Done(Unsaved::Kept)))), "{events:?}");
}
