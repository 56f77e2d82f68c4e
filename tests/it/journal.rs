//! A move is in the journal before it is shown, and the journal contains exactly that game.

use std::fs;
use std::path::Path;

use crosspath::journal::{ContinuedGame, JournalFolder, MatchJournal, load_journal};
use crosspath::play::{Command, GameMode, LeaveReason, Match, MatchEvent, MatchRules, UnsavedStatus};
use crosspath::random::random_stream;
use crosspath::record::{GameTree, NodeId};
use crosspath::registry::GAMES;

use crate::random_commands::{random_step, starting_matches};
use crate::sentences::{lasting, said};
use crate::support::folder;
use crate::tui_harness::Rig;

/// Returns the moves, the children and the early end of each position, in the order of their
/// indices.
fn summarize_tree(tree: &GameTree) -> Vec<(Vec<String>, Vec<usize>, Option<String>)> {
    let of = |id: NodeId| {
        let position = tree.position(id);
        let children = tree.children(id).iter().map(|child| child.index()).collect();
        (position.played_moves(), children, position.early_end().map(|early| early.record_word().to_owned()))
    };
    tree.node_ids().map(of).collect()
}

fn assert_journal_matches(game: &Match, path: &Path) {
    let loaded = load_journal(&fs::read(path).unwrap(), GAMES).unwrap();
    let (tree, played) = (&loaded.record.tree, game.game());
    let (expected, actual) = (summarize_tree(played.tree()), summarize_tree(tree));
    let journal = || fs::read_to_string(path).unwrap();
    for (expected, actual) in expected.iter().zip(&actual) {
        // A resigned position that the game has left is open again, so its early end is not
        // compared.
        assert_eq!((&expected.0, &expected.1), (&actual.0, &actual.1), "{}", journal());
    }
    assert_eq!(expected.len(), actual.len());
    let present = played.present_node();
    assert_eq!(loaded.record.present, present, "{}", journal());
    assert_eq!(actual[present.index()].2, expected[present.index()].2, "{}", journal());
    assert_eq!(loaded.spec.mode, mode_of(game));
    assert_eq!(path.file_name().unwrap().to_str().unwrap().starts_with("done-"), played.outcome().is_some());
}

fn mode_of(game: &Match) -> GameMode {
    match (game.game().sole_human_side(), game.game().has_human()) {
        (Some(_), _) => GameMode::HumanMachine,
        (None, true) => GameMode::Humans,
        (None, false) => GameMode::Machines,
    }
}

#[test]
fn the_journal_matches_the_match_after_random_commands() {
    for (seed, name) in (1..).zip(["tic-tac-toe", "hex", "quoridor"]) {
        for (number, mut rig) in starting_matches(name).into_iter().enumerate() {
            let place = folder();
            let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().join("state"))));
            let mut chance = random_stream(seed, 100 + number as u64);
            for _ in 0..400 {
                random_step(&mut rig, &mut chance);
                if rig.game().has_ended() {
                    break;
                }
                journal.record_changes(rig.game()).unwrap();
                let is_saved = !rig.game().game().is_replay() && rig.game().game().tree().len() > 1;
                if let Some(path) = journal.current_path().filter(|_| is_saved) {
                    assert_journal_matches(rig.game(), path);
                }
            }
        }
    }
}

/// Plays a game with variations and journals it move by move. Returns the match and the journal.
fn record_sample_game(place: &Path) -> (Rig, Vec<u8>) {
    let mut rig = Rig::two("hex", "size=5", "", (80, 24));
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.to_path_buf())));
    let lines = "b2 c3 d4 undo a1 e5 undo undo b4 c2 variations promote d1 e2 resign undo a5 b5 c5 undo redo";
    for line in lines.split(' ') {
        rig.say(line);
        journal.record_changes(rig.game()).unwrap();
    }
    let bytes = fs::read(journal.current_path().unwrap()).unwrap();
    (rig, bytes)
}

fn count_newlines(bytes: &[u8]) -> usize {
    String::from_utf8_lossy(bytes).matches('\n').count()
}

#[test]
fn a_journal_cut_anywhere_yields_its_complete_lines() {
    let place = folder();
    let (_, bytes) = record_sample_game(place.path());
    let whole = load_journal(&bytes, GAMES).unwrap();
    let lines = count_newlines(&bytes);
    assert_eq!(whole.entries, lines as u64);
    for length in 0..bytes.len() {
        let whole_lines = count_newlines(&bytes[..length]);
        match load_journal(&bytes[..length], GAMES) {
            Ok(part) => {
                assert_eq!(part.entries, whole_lines as u64, "cut at {length}");
                assert!(whole.record.tree.len() >= part.record.tree.len());
            }
            Err(_) => assert_eq!(whole_lines, 0, "cut at {length}"),
        }
    }
}

#[test]
fn a_flipped_bit_is_detected() {
    let place = folder();
    let (_, bytes) = record_sample_game(place.path());
    let whole = load_journal(&bytes, GAMES).unwrap();
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[place] ^= 1 << bit;
            if let Ok(part) = load_journal(&flipped, GAMES) {
                assert!(whole.entries - part.entries <= 2, "byte {place}, bit {bit}");
            }
        }
    }
}

#[test]
fn the_newest_unfinished_game_is_repaired_and_locked() {
    let place = folder();
    let state = JournalFolder::new(place.path().to_path_buf());
    assert!(ContinuedGame::newest_unfinished(&state, GAMES).unwrap().is_none());
    let (rig, bytes) = record_sample_game(place.path());
    let path = state.unfinished_game_paths().remove(0);
    // An open game is locked, and an incomplete last line is cut off.
    let mut torn = bytes.clone();
    torn.extend(b"00000000 {\"seq\":");
    fs::write(&path, &torn).unwrap();
    let game = ContinuedGame::newest_unfinished(&state, GAMES).unwrap().expect("it goes on");
    assert!(game.was_cut);
    assert_eq!(fs::read(&path).unwrap(), bytes);
    assert_eq!(game.record.present, rig.game().game().present_node());
    let why = ContinuedGame::newest_unfinished(&state, GAMES).unwrap_err();
    assert!(why.ends_with(lasting(format!(" {}", said!("is-played-by-another")))), "{why}");
    drop(game);
    fs::write(&path, b"00000000 {}\nmore\n").unwrap();
    let why = ContinuedGame::newest_unfinished(&state, GAMES).unwrap_err();
    assert!(why.ends_with(lasting(format!(".journal:1: {}", said!("the-line-is-damaged")))), "{why}");
}

#[test]
fn leaving_a_continued_game_without_a_move_reports_it_as_saved() {
    let place = folder();
    let (_, bytes) = record_sample_game(place.path());
    let saved = load_journal(&bytes, GAMES).unwrap();
    let rules = MatchRules { is_journalled: true, ..MatchRules::default() };
    let mut game = Match::from_record(rules, saved.spec, saved.record).unwrap();
    let events = game.handle_command(Command::Leave, std::time::Duration::ZERO);
    assert!(
        matches!(events.last(), Some(MatchEvent::Left(LeaveReason::Done(UnsavedStatus::Kept)))),
        "{events:?}"
    );
}
