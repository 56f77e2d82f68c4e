//! The saved games: listed, shown, exported and deleted; a problem with one hides no other.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crosspath::game::{Outcome, Side};
use crosspath::journal::{Archive, Continued, Folder, Journal, open_game};
use crosspath::record::Hint;
use crosspath::registry::GAMES;

use crate::rig::{Rig, spec};
use crate::sentences::{lasting, said};
use crate::support::{Run, SOON, crosspath, folder, run_on, wait_until};

/// Plays and saves a game whose engine plays the first legal move.
fn keep(place: &Path, mut rig: Rig, lines: &str) {
    let mut journal = Journal::new(Some(Folder::at(place.to_path_buf())));
    for line in lines.split(' ') {
        rig.say(line);
        while rig.is_thinking() {
            let mv = rig.game().present_position().legal()[0].clone();
            rig.answer(&mv, crate::rig::report());
        }
        journal.hear(rig.game()).unwrap();
    }
}

/// Saves three games: one won against level 5, an unfinished one, one between two people that was
/// resigned.
fn three_games(place: &Path) {
    let hex = Rig::of(spec("hex", "size=2 swap=off", crosspath::play::Mode::HumanMachine), (80, 24));
    keep(place, hex, "a2 b1");
    keep(place, Rig::two("quoridor", "size=5 walls=1", "", (80, 24)), "c2 c4 undo undo");
    keep(place, Rig::two("tic-tac-toe", "size=3", "", (80, 24)), "b2 a1 resign");
    // The order in which they were played, whatever the clock of the disk tells apart.
    for (path, age) in files(place).iter().zip(0..) {
        let text = fs::read_to_string(path).unwrap();
        let age = if text.contains("quoridor") { 60 } else { 3600 + age };
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
}

fn files(place: &Path) -> Vec<std::path::PathBuf> {
    let all = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|ending| ending == "journal")).collect()
}

#[test]
fn the_archive_knows_what_was_played_and_its_index_is_only_a_copy() {
    let place = folder();
    let state = Folder::at(place.path().to_path_buf());
    three_games(place.path());
    let archive = Archive::of(&state);
    assert_eq!((archive.games.len(), archive.broken.len()), (3, 0));
    assert_eq!(
        (archive.games[0].game.as_str(), archive.games[0].plies),
        ("quoridor", 0),
        "the newest in front"
    );
    let of = |name: &str| archive.games.iter().find(|game| game.game == name).unwrap();
    let (hex, lines) = (of("hex"), of("tic-tac-toe"));
    assert_eq!(
        (hex.result, hex.you(), hex.opponent()),
        (Some(Outcome::Win(Side::First)), Some(Side::First), Some("level 5"))
    );
    assert_eq!((lines.result, lines.plies, lines.you()), (Some(Outcome::Win(Side::Second)), 2, None));
    assert_eq!(of("quoridor").result, None);
    let scores = Archive::scores(&archive.games);
    assert_eq!(scores.len(), 1);
    assert_eq!((scores[&("hex", "level 5")].won, scores[&("hex", "level 5")].games()), (1, 1));
    // Read from the index, without it, and with a wrong one it is the same.
    let index = place.path().join("index.jsonl");
    let text = fs::read_to_string(&index).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert_eq!(Archive::of(&state).games, archive.games);
    for wrong in [
        "",
        "{\"file\":\"x\"}\nno json\n",
        &text.replace("\"length\":", "\"length\":1"),
        &text[..text.len() / 2],
    ] {
        fs::write(&index, wrong).unwrap();
        assert_eq!(Archive::of(&state).games, archive.games);
        assert_eq!(fs::read_to_string(&index).unwrap().lines().count(), 3, "it is written anew");
    }
    fs::remove_file(&hex.path).unwrap();
    assert_eq!(Archive::of(&state).games.len(), 2);
    fs::write(&lines.path, lasting(format!("nothing\n{}\n", said!("of-this")))).unwrap();
    let archive = Archive::of(&state);
    assert_eq!((archive.games.len(), archive.broken.len()), (1, 1), "the others are still there");
    let name = lines.path.file_stem().unwrap().to_str().unwrap();
    assert_eq!(archive.damaged(&name[5..10]).unwrap().0, lines.path, "and it can be deleted");
}

#[test]
fn a_file_in_which_nothing_stands_hides_no_game() {
    let place = folder();
    let state = Folder::at(place.path().to_path_buf());
    keep(place.path(), Rig::two("quoridor", "size=5 walls=1", "", (80, 24)), "c2 c4");
    fs::write(place.path().join("live-ffffffffffffffff.journal"), "").unwrap();
    assert!(Continued::newest(&state, GAMES).unwrap().is_some());
}

#[test]
fn a_game_that_was_over_when_its_program_was_killed_is_not_gone_on_with() {
    let place = folder();
    let state = Folder::at(place.path().to_path_buf());
    keep(place.path(), Rig::two("tic-tac-toe", "size=3", "", (80, 24)), "b2 a1 resign");
    let done = files(place.path()).remove(0);
    let live = done.with_file_name(done.file_name().unwrap().to_str().unwrap().replace("done", "live"));
    fs::rename(&done, &live).unwrap();
    // A program that another test starts just now may hold the lock of the journal for a moment.
    wait_until(SOON, "the journal is free", || {
        Continued::newest(&state, GAMES).is_ok_and(|game| game.is_none())
    });
    assert_eq!(files(place.path()), [done]);
}

#[test]
fn a_saved_game_says_who_played_it_and_when() {
    let place = folder();
    three_games(place.path());
    for path in files(place.path()) {
        let record = open_game(&fs::read(path).unwrap(), &Hint::any(GAMES)).unwrap();
        let said = |key: &str| record.remarks.iter().filter(|(known, _)| known == key).count();
        assert_eq!(["first", "second", "date"].map(said), [1; 3], "{:?}", record.remarks);
        let day = &record.remarks.iter().find(|(key, _)| key == "date").unwrap().1;
        assert!(day.parse::<jiff::civil::Date>().is_ok(), "{day}");
    }
}

fn games(home: &Path, arguments: &[&str]) -> Run {
    let mut command = crosspath(&[&["games"], arguments].concat());
    command.env("XDG_STATE_HOME", home).env("TZ", "UTC");
    run_on(command, "")
}

#[test]
fn games_lists_shows_writes_and_deletes() {
    let home = folder();
    let none = games(home.path(), &[]);
    assert!(none.out.starts_with(said!("no-game-is-kept")), "{}{}", none.out, none.err);
    let place = home.path().join("crosspath");
    three_games(&place);
    let all = games(home.path(), &[]);
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
        let found = games(home.path(), &[filter, &["--json"]].concat());
        assert_eq!(found.lines().len(), count, "{filter:?}: {}", found.out);
    }
    let line = games(home.path(), &["--game", "tictactoe", "--json"]).out;
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        (&line["moves"], &line["result"], &line["first"]),
        (&2.into(), &"second".into(), &"human".into())
    );
    let id = &line["id"].as_str().unwrap()[..8];
    let shown = games(home.path(), &["show", id]).out;
    assert!(shown.contains("  1 b2     2 a1\n") && shown.ends_with("O wins.\n"), "{shown}");
    let record = games(home.path(), &["export", id]).out;
    assert!(
        record.starts_with("# crosspath tic-tac-toe size=3\n# first: human\n# second: human\n# date: 20")
            && record.contains("1. b2 a1"),
        "{record}"
    );
    let path = home.path().join("game.txt");
    let path = path.to_str().unwrap();
    assert_eq!(games(home.path(), &["export", id, path]).code, Some(0));
    assert_eq!(fs::read_to_string(path).unwrap(), record);
    let again = games(home.path(), &["export", id, path]);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains(said!("exists-it-stays-as")), "{}", again.err);
    assert_eq!(
        games(home.path(), &["show", "zz"]).err,
        "error: there is no game zz; crosspath games lists the IDs\n"
    );
    let none = games(home.path(), &["delete", ""]);
    assert_eq!((none.code, none.err.contains(said!("the-game-is-missing"))), (Some(2), true));
    assert_eq!(games(home.path(), &["delete", id, "zz"]).code, Some(1), "then none is deleted");
    assert_eq!(
        games(home.path(), &["delete", id]).out,
        format!("Deleted {} Tic-tac-toe 3x3, 2 moves.\n", &id[..4])
    );
    assert_eq!(games(home.path(), &["--json"]).lines().len(), 2);
}
