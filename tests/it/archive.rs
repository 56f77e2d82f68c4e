//! Saved games: listing, showing, exporting and deleting them. A problem with one hides no other.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crosspath::game::{Outcome, Side};
use crosspath::journal::{ContinuedGame, GameArchive, JournalFolder, MatchJournal, open_game_record};
use crosspath::record::RecordReadOptions;
use crosspath::registry::GAMES;

use crate::sentences::{lasting, said};
use crate::support::{Run, SOON, crosspath, folder, run_on, wait_until};
use crate::tui_harness::{Rig, spec};

/// Plays and saves a game whose engine plays the first legal move.
fn save_game(place: &Path, mut rig: Rig, lines: &str) {
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.to_path_buf())));
    for line in lines.split(' ') {
        rig.say(line);
        while rig.is_thinking() {
            let mv = rig.game().present_position().legal_moves()[0].clone();
            rig.answer(&mv, crate::tui_harness::report());
        }
        journal.record_changes(rig.game()).unwrap();
    }
}

/// Saves three games: one won against level 5, an unfinished one, and one between two people that was
/// resigned.
fn save_three_games(place: &Path) {
    let hex = Rig::of(spec("hex", "size=2 swap=off", crosspath::play::GameMode::HumanMachine), (80, 24));
    save_game(place, hex, "a2 b1");
    save_game(place, Rig::two("quoridor", "size=5 walls=1", "", (80, 24)), "c2 c4 undo undo");
    save_game(place, Rig::two("tic-tac-toe", "size=3", "", (80, 24)), "b2 a1 resign");
    // Sets distinct file times, with Quoridor as the newest game, whatever the resolution of the file system.
    for (path, age) in journal_files(place).iter().zip(0..) {
        let text = fs::read_to_string(path).unwrap();
        let age = if text.contains("quoridor") { 60 } else { 3600 + age };
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
}

fn journal_files(place: &Path) -> Vec<std::path::PathBuf> {
    let all = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|ending| ending == "journal")).collect()
}

#[test]
fn the_archive_lists_games_with_or_without_its_index() {
    let place = folder();
    let state = JournalFolder::new(place.path().to_path_buf());
    save_three_games(place.path());
    let archive = GameArchive::load(&state);
    assert_eq!((archive.games.len(), archive.broken.len()), (3, 0));
    assert_eq!(
        (archive.games[0].game.as_str(), archive.games[0].plies),
        ("quoridor", 0),
        "the newest in front"
    );
    let of = |name: &str| archive.games.iter().find(|game| game.game == name).unwrap();
    let (hex, lines) = (of("hex"), of("tic-tac-toe"));
    assert_eq!(
        (hex.result, hex.only_human_side(), hex.opponent_of_human()),
        (Some(Outcome::Win(Side::First)), Some(Side::First), Some("level 5"))
    );
    assert_eq!(
        (lines.result, lines.plies, lines.only_human_side()),
        (Some(Outcome::Win(Side::Second)), 2, None)
    );
    assert_eq!(of("quoridor").result, None);
    let scores = GameArchive::head_to_head_scores(&archive.games);
    assert_eq!(scores.len(), 1);
    assert_eq!((scores[&("hex", "level 5")].won, scores[&("hex", "level 5")].game_count()), (1, 1));
    // The archive is the same with the index, without it and with a wrong one.
    let index = place.path().join("index.jsonl");
    let text = fs::read_to_string(&index).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert_eq!(GameArchive::load(&state).games, archive.games);
    for wrong in [
        "",
        "{\"file\":\"x\"}\nno json\n",
        &text.replace("\"length\":", "\"length\":1"),
        &text[..text.len() / 2],
    ] {
        fs::write(&index, wrong).unwrap();
        assert_eq!(GameArchive::load(&state).games, archive.games);
        assert_eq!(fs::read_to_string(&index).unwrap().lines().count(), 3, "it is written anew");
    }
    fs::remove_file(&hex.path).unwrap();
    assert_eq!(GameArchive::load(&state).games.len(), 2);
    fs::write(&lines.path, lasting(format!("nothing\n{}\n", said!("of-this")))).unwrap();
    let archive = GameArchive::load(&state);
    assert_eq!((archive.games.len(), archive.broken.len()), (1, 1), "the others are still there");
    let name = lines.path.file_stem().unwrap().to_str().unwrap();
    assert_eq!(archive.find_damaged_journal(&name[5..10]).unwrap().0, lines.path, "and it can be deleted");
}

#[test]
fn an_empty_journal_hides_no_other_game() {
    let place = folder();
    let state = JournalFolder::new(place.path().to_path_buf());
    save_game(place.path(), Rig::two("quoridor", "size=5 walls=1", "", (80, 24)), "c2 c4");
    fs::write(place.path().join("live-ffffffffffffffff.journal"), "").unwrap();
    assert!(ContinuedGame::newest_unfinished(&state, GAMES).unwrap().is_some());
}

#[test]
fn a_finished_game_of_a_killed_program_is_not_continued() {
    let place = folder();
    let state = JournalFolder::new(place.path().to_path_buf());
    save_game(place.path(), Rig::two("tic-tac-toe", "size=3", "", (80, 24)), "b2 a1 resign");
    let done = journal_files(place.path()).remove(0);
    let live = done.with_file_name(done.file_name().unwrap().to_str().unwrap().replace("done", "live"));
    fs::rename(&done, &live).unwrap();
    // A program that another test is starting may briefly hold the lock of the journal.
    wait_until(SOON, "the journal is free", || {
        ContinuedGame::newest_unfinished(&state, GAMES).is_ok_and(|game| game.is_none())
    });
    assert_eq!(journal_files(place.path()), [done]);
}

#[test]
fn saved_games_record_the_players_and_the_date() {
    let place = folder();
    save_three_games(place.path());
    for path in journal_files(place.path()) {
        let record =
            open_game_record(&fs::read(path).unwrap(), &RecordReadOptions::for_games(GAMES)).unwrap();
        let said = |key: &str| record.remarks.iter().filter(|(known, _)| known == key).count();
        assert_eq!(["first", "second", "date"].map(said), [1; 3], "{:?}", record.remarks);
        let day = &record.remarks.iter().find(|(key, _)| key == "date").unwrap().1;
        assert!(day.parse::<jiff::civil::Date>().is_ok(), "{day}");
    }
}

fn run_games_command(home: &Path, arguments: &[&str]) -> Run {
    let mut command = crosspath(&[&["games"], arguments].concat());
    command.env("XDG_STATE_HOME", home).env("TZ", "UTC");
    run_on(command, "")
}

#[test]
fn the_games_command_lists_shows_exports_and_deletes() {
    let home = folder();
    let none = run_games_command(home.path(), &[]);
    assert!(none.out.starts_with(said!("no-game-is-kept")), "{}{}", none.out, none.err);
    let place = home.path().join("crosspath");
    save_three_games(&place);
    let all = run_games_command(home.path(), &[]);
    assert_eq!((all.code, all.err.as_str(), all.lines().len()), (Some(0), "", 4));
    assert!(
        all.lines()[0].contains("Quoridor 5x5")
            && all.lines()[0].ends_with(said!("goes-on-vs", "White", "Black")),
        "{}",
        all.out
    );
    assert!(
        all.out.contains("Hex 2x2") && all.out.contains("you won     you (Red) vs level 5 (club)\n"),
        "{}",
        all.out
    );
    assert!(
        all.out.ends_with(lasting(format!("{}\n", said!("hex-against-level-you", "5", "club", "1", "1")))),
        "{}",
        all.out
    );
    for (filter, count) in [
        (&["--game", "hex"][..], 1),
        (&["--opponent", "5"], 1),
        (&["--opponent", "human"], 2),
        (&["--result", "won"], 1),
        (&["--result", "unfinished"], 1),
        (&["--result", "lost"], 0),
        (&["--since", "2020-01-01"], 3),
        (&["--until", "2020-01-01"], 0),
    ] {
        let found = run_games_command(home.path(), &[filter, &["--json"]].concat());
        assert_eq!(found.lines().len(), count, "{filter:?}: {}", found.out);
    }
    let line = run_games_command(home.path(), &["--game", "tictactoe", "--json"]).out;
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&line["moves"], &line["result"], &line["first"]),
        (&2.into(), &"second".into(), &"human".into())
    );
    let id = &line["id"].as_str().unwrap()[..8];
    let shown = run_games_command(home.path(), &["show", id]).out;
    assert!(shown.contains("  1 b2     2 a1\n") && shown.ends_with("O wins.\n"), "{shown}");
    let record = run_games_command(home.path(), &["export", id]).out;
    assert!(
        record.starts_with("# crosspath tic-tac-toe size=3\n# first: human\n# second: human\n# date: 20")
            && record.contains("1. b2 a1"),
        "{record}"
    );
    let path = home.path().join("game.txt");
    let path = path.to_str().unwrap();
    assert_eq!(run_games_command(home.path(), &["export", id, path]).code, Some(0));
    assert_eq!(fs::read_to_string(path).unwrap(), record);
    let again = run_games_command(home.path(), &["export", id, path]);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains(said!("exists-it-stays-as")), "{}", again.err);
    assert_eq!(
        run_games_command(home.path(), &["show", "zz"]).err,
        "error: there is no game zz; crosspath games lists the IDs\n"
    );
    let none = run_games_command(home.path(), &["delete", ""]);
    assert_eq!((none.code, none.err.contains(said!("the-game-is-missing"))), (Some(2), true));
    assert_eq!(run_games_command(home.path(), &["delete", id, "zz"]).code, Some(1), "then none is deleted");
    assert_eq!(
        run_games_command(home.path(), &["delete", id]).out,
        format!("Deleted {} Tic-tac-toe 3x3, 2 moves.\n", &id[..4])
    );
    assert_eq!(run_games_command(home.path(), &["--json"]).lines().len(), 2);
}
