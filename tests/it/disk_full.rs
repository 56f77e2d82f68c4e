//! A disk that is full, and has room again: a loss is reported with its solution, and no file is
//! given up for good. A limit to the size of files stands for the disk.

use std::fs;
use std::path::Path;

use crosspath::journal::{Continued, Folder, load};
use crosspath::registry::GAMES;
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, prlimit};

use crate::bounded::ends;
use crate::mishaps::{RUN, begin};
use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};
use crate::support::{crosspath, folder, run, run_script};

const FULL: &str = "ulimit -S -f 0; exec \"$0\" \"$@\"";

/// Returns the moves of the one unfinished game in this home.
fn kept(home: &Path) -> Vec<String> {
    let found = Continued::newest(&Folder::at(home.join("crosspath")), GAMES).unwrap().expect("a game");
    found.record.tree.position(found.record.present).played()
}

/// Returns the moves of each game of this home, and `true` if its file is that of a finished game.
fn games(home: &Path) -> Vec<(String, bool)> {
    let files = fs::read_dir(home.join("crosspath")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let game = |path: std::path::PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_journal = name.ends_with(".journal");
        let record = is_journal.then(|| load(&fs::read(&path).unwrap(), GAMES).unwrap().record)?;
        Some((record.tree.position(record.present).played().join(" "), name.starts_with("done-")))
    };
    let mut games: Vec<_> = files.filter_map(game).collect();
    games.sort();
    games
}

/// Fills the disk of the program, or gives it room again.
#[cfg(target_os = "linux")]
fn set_room(terminal: &Terminal, has_room: bool) {
    let room = Rlimit { current: if has_room { None } else { Some(0) }, maximum: None };
    prlimit(Some(terminal.id()), Resource::Fsize, room).unwrap();
}

/// Returns a game in lines whose third move met a full disk.
#[cfg(target_os = "linux")]
fn game_on_a_full_disk(home: &Path) -> Terminal {
    let mut terminal = begin(home, RUN, &[]);
    terminal.expect_output("x 1> ");
    terminal.send("b2\ra1\r");
    terminal.expect_output("x 3> ");
    set_room(&terminal, false);
    terminal.send("c3\r");
    terminal.expect_output("o 4> ");
    assert!(terminal.raw().contains(said!("is-no-longer-saved")), "{}", terminal.raw());
    terminal
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_is_saved_whole_however_it_is_left_once_there_is_room() {
    for (leave, is_over) in
        [("new\r", false), ("load examples/hex.txt\r", false), ("resign\r", true), ("resign\ry\r", true)]
    {
        let home = folder();
        let mut terminal = game_on_a_full_disk(home.path());
        set_room(&terminal, true);
        terminal.send(leave);
        terminal.send("quit\r");
        assert_eq!(terminal.end(), 0, "{leave}: {}", terminal.raw());
        let said = terminal.raw();
        assert_eq!(said.matches(said!("is-saved-now", "Tic-tac-toe 3x3")).count(), 1, "{leave}: {said}");
        assert!(!said.contains(said!("not-saved")), "{leave}: {said}");
        assert_eq!(games(home.path()), [("b2 a1 c3".to_owned(), is_over)], "{leave}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_was_left_on_a_full_disk_is_saved_when_there_is_room() {
    for leave in ["new\r", "resign\ry\r"] {
        let home = folder();
        let mut terminal = game_on_a_full_disk(home.path());
        terminal.send(leave);
        terminal.expect_output("x 1> ");
        assert!(terminal.raw().contains(said!("the-game-before-is-not")), "{leave}: {}", terminal.raw());
        set_room(&terminal, true);
        terminal.send("a2\rquit\r");
        assert_eq!(terminal.end(), 0, "{leave}: {}", terminal.raw());
        let said = terminal.raw();
        let again = said!("is-saved-now", said!("previous-game", "Tic-tac-toe 3x3"));
        assert_eq!(said.matches(again).count(), 1, "{leave}: {said}");
        assert!(!said.contains(lasting(format!(" {}", said!("is-saved-now", "Tic-tac-toe 3x3")))), "{said}");
        let wanted = [("a2".to_owned(), false), ("b2 a1 c3".to_owned(), leave != "new\r")];
        assert_eq!(games(home.path()), wanted, "{leave}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_that_is_lost_is_named_at_the_end() {
    let home = folder();
    let mut terminal = game_on_a_full_disk(home.path());
    terminal.send("new\r");
    terminal.expect_output("x 1> ");
    terminal.send("a2\r"); // nothing brings the game back any more
    terminal.expect_output("o 2> ");
    set_room(&terminal, true);
    terminal.send("b1\rquit\r");
    assert_eq!(terminal.end(), 1, "{}", terminal.raw());
    let said = terminal.raw();
    assert!(said.contains(said!("an-earlier-game-was", "Tic-tac-toe 3x3")), "{said}");
    assert!(said.contains(said!("saved-crosspath-continue-goes")), "the second one is saved: {said}");
    assert_eq!(games(home.path()), [("a2 b1".to_owned(), false), ("b2 a1".to_owned(), false)], "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_said_at_the_end_is_decided_after_the_last_write() {
    for (keys, has_room, answer, sentence, game) in [
        ("", true, "quit\r", said!("saved-crosspath-continue-goes"), ("b2 a1 c3", false)),
        ("resign\r", true, "n\r", said!("the-game-is-kept"), ("b2 a1 c3", true)),
        ("resign\r", false, "quit\r", said!("not-saved-save-file"), ("b2 a1", false)),
        ("", false, "quit\r", said!("not-saved-save-file"), ("b2 a1", false)),
    ] {
        let home = folder();
        let mut terminal = game_on_a_full_disk(home.path());
        terminal.send(keys);
        if !keys.is_empty() {
            terminal.expect_output(lasting(format!("{} ", said!("another-game-2"))));
        }
        set_room(&terminal, has_room);
        terminal.send(answer);
        assert_eq!(terminal.end(), i32::from(!has_room), "{keys:?}: {}", terminal.raw());
        assert!(terminal.raw().contains(sentence), "{keys:?}: {}", terminal.raw());
        assert_eq!(games(home.path()), [(game.0.to_owned(), game.1)], "{keys:?}: {}", terminal.raw());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_full_screen_saves_a_game_that_is_left_once_there_is_room() {
    for (leave, is_two) in [("q", false), ("\u{e}", true)] {
        let home = folder();
        let command = shell(RUN, &["--tui", "--game", "tic-tac-toe", "--mode", "2"]);
        let mut terminal = Terminal::start(command.env("XDG_STATE_HOME", home.path().to_str().unwrap()));
        terminal.expect(said!("to-move", "X"));
        terminal.send(":b2\r:a1\r");
        terminal.expect("2 a1");
        terminal.settle();
        set_room(&terminal, false);
        terminal.send(":c3\r");
        terminal.expect(said!("is-no-longer-saved"));
        set_room(&terminal, true);
        terminal.send("\u{1b}");
        terminal.settle();
        terminal.send(leave);
        if is_two {
            terminal.settle();
            terminal.send("\r");
            terminal.expect(said!("is-saved-now-part"));
            terminal.send("\u{1b}");
            terminal.settle();
            terminal.send("q");
        }
        assert_eq!(terminal.end(), 0, "{}", terminal.raw());
        assert_eq!(games(home.path()), [("b2 a1 c3".to_owned(), false)], "{}", terminal.raw());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_with_room_again_gets_the_whole_game() {
    let home = folder();
    let mut terminal = begin(home.path(), FULL, &[]);
    terminal.expect("x 1> ");
    terminal.send("b2\r");
    terminal.expect("o 2> ");
    terminal.send("a1\r");
    terminal.expect("x 3> ");
    let said = terminal.raw().to_owned();
    assert_eq!(said.matches(said!("cannot-be-saved")).count(), 1, "{said}");
    assert!(games(home.path()).is_empty(), "no empty file is left");
    set_room(&terminal, true);
    terminal.send("c3\r");
    terminal.expect("o 4> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0, "{}", terminal.raw());
    assert_eq!(kept(home.path()), ["b2", "a1", "c3"]);
}

#[test]
fn each_game_that_cannot_be_written_is_named_once() {
    let home = folder();
    let mut terminal = begin(home.path(), FULL, &[]);
    terminal.expect("x 1> ");
    terminal.send("b2\r");
    terminal.expect("o 2> ");
    terminal.send("a1\rnew hex 5\r");
    terminal.expect("red 1> ");
    terminal.send("c3\r");
    terminal.expect("blue 2> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 1, "a game that is lost is no success");
    let said = terminal.raw();
    let told: Vec<&str> = said.lines().filter(|line| line.contains(said!("cannot-be-saved"))).collect();
    assert_eq!(told.len(), 2, "{said}");
    assert!(said.contains(said!("an-earlier-game-was", "Tic-tac-toe 3x3")), "{said}");
    assert!(told[0].contains("Tic-tac-toe") && told[1].contains("Hex"), "{told:?}");
}

#[test]
fn a_game_that_is_saved_elsewhere_is_not_lost() {
    let home = folder();
    let no_folder = home.path().join("file");
    fs::write(&no_folder, "").unwrap();
    let elsewhere = home.path().join("game.txt");
    for (save, code) in [(format!("save {}\r", elsewhere.display()), 0), (String::new(), 1)] {
        let mut terminal = begin(&no_folder, RUN, &[]);
        terminal.expect("x 1> ");
        terminal.send(&format!("b2\r{save}quit\r"));
        assert_eq!(terminal.end(), code, "{}", terminal.raw());
    }
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("b2"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_on_a_full_disk_is_told_once() {
    let mut command = crosspath(&["--mode", "2", "--log", "/dev/full"]);
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
    let run = ends(command, "b2\na1\nwhere\nquit\n");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(run.err.lines().filter(|line| line.contains("log")).count(), 1, "{}", run.err);
    assert!(run.out.contains(said!("to-move", "X")), "the match continues: {}", run.out);
}

#[test]
fn a_match_on_a_full_disk_names_its_file_and_can_go_on() {
    let place = folder();
    let path = place.path().join("games.jsonl");
    let games =
        "arena --game tic-tac-toe --engine a=level:1 --engine b=level:2 --pairs 40 --threads 1 --quiet";
    let full = run_script(&format!("ulimit -f 4; exec \"$0\" {games} --out {}", path.display()));
    assert_eq!(full.code, Some(75), "{}{}", full.out, full.err);
    assert!(full.err.contains("games.jsonl") && full.err.contains("--resume"), "{}", full.err);
    let more = ["--resume", "--out", path.to_str().unwrap()];
    let arguments: Vec<&str> = games.split(' ').chain(more).collect();
    let done = run(&arguments, "");
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 81);
}

#[test]
fn a_file_full_of_faults_is_told_in_a_few_lines() {
    let place = folder();
    let digits = crate::support::file(&place, "digits.txt", "11".repeat(1 << 18));
    for form in [&["--plain"][..], &["--json"]] {
        let run = run(&[&["--mode", "3", &digits], form].concat(), "");
        let told =
            run.err.lines().count() + run.out.lines().filter(|line| line.contains("\"error\"")).count();
        assert!(told > 20 && told < 40, "{told} notes: {}", &run.err[..run.err.len().min(3000)]);
        let all = run.err + &run.out;
        assert!(all.contains(said!("more-dropped", "pairs are")), "the others are counted");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_log_of_an_engine_on_a_full_disk_is_told_once() {
    let engine = ["engine", "--protocol", "gtp", "--level", "1", "--log", "/dev/full"];
    let run = run(&engine, "play b c3\nname\nquit\n");
    assert_eq!((run.code, run.out.matches('=').count()), (Some(0), 3), "{}", run.out);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}
