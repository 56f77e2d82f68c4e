//! A full disk that has room again later: a loss is reported with its solution, and writing to each file
//! is retried. A file size limit simulates the full disk.

use std::fs;
use std::path::Path;

use crosspath::journal::{ContinuedGame, JournalFolder, load_journal};
use crosspath::registry::GAMES;
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, prlimit};

use crate::bounded::run_to_end;
use crate::journal_failures::{RUN, start_in_lines};
use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};
use crate::support::{crosspath, folder, run, run_script};

const RUN_ON_FULL_DISK: &str = "ulimit -S -f 0; exec \"$0\" \"$@\"";

/// Returns the moves of the only unfinished game in a home folder.
fn unfinished_game_moves(home: &Path) -> Vec<String> {
    let found = ContinuedGame::newest_unfinished(&JournalFolder::new(home.join("crosspath")), GAMES)
        .unwrap()
        .expect("a game");
    found.record.tree.position(found.record.present).played_moves()
}

/// Returns the moves of each game in a home folder, and `true` if its file is that of a finished game.
fn saved_games(home: &Path) -> Vec<(String, bool)> {
    let files = fs::read_dir(home.join("crosspath")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let game = |path: std::path::PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let is_journal = name.ends_with(".journal");
        let record = is_journal.then(|| load_journal(&fs::read(&path).unwrap(), GAMES).unwrap().record)?;
        Some((record.tree.position(record.present).played_moves().join(" "), name.starts_with("done-")))
    };
    let mut games: Vec<_> = files.filter_map(game).collect();
    games.sort();
    games
}

/// Fills the simulated disk of the program, or makes room on it again.
#[cfg(target_os = "linux")]
fn set_room(terminal: &Terminal, has_room: bool) {
    let room = Rlimit { current: if has_room { None } else { Some(0) }, maximum: None };
    prlimit(Some(terminal.id()), Resource::Fsize, room).unwrap();
}

/// Starts a game in line mode whose third move meets a full disk.
#[cfg(target_os = "linux")]
fn start_game_on_full_disk(home: &Path) -> Terminal {
    let mut terminal = start_in_lines(home, RUN, &[]);
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
fn leaving_a_game_saves_it_once_the_disk_has_room() {
    for (leave, is_over) in
        [("new\r", false), ("load examples/hex.txt\r", false), ("resign\r", true), ("resign\ry\r", true)]
    {
        let home = folder();
        let mut terminal = start_game_on_full_disk(home.path());
        set_room(&terminal, true);
        terminal.send(leave);
        terminal.send("quit\r");
        assert_eq!(terminal.end(), 0, "{leave}: {}", terminal.raw());
        let output = terminal.raw();
        assert_eq!(output.matches(said!("is-saved-now", "Tic-tac-toe 3x3")).count(), 1, "{leave}: {output}");
        assert!(!output.contains(said!("not-saved")), "{leave}: {output}");
        assert_eq!(saved_games(home.path()), [("b2 a1 c3".to_owned(), is_over)], "{leave}: {output}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_game_left_on_a_full_disk_is_saved_later() {
    for leave in ["new\r", "resign\ry\r"] {
        let home = folder();
        let mut terminal = start_game_on_full_disk(home.path());
        terminal.send(leave);
        terminal.expect_output("x 1> ");
        assert!(terminal.raw().contains(said!("the-game-before-is-not")), "{leave}: {}", terminal.raw());
        set_room(&terminal, true);
        terminal.send("a2\rquit\r");
        assert_eq!(terminal.end(), 0, "{leave}: {}", terminal.raw());
        let output = terminal.raw();
        let again = said!("is-saved-now", said!("previous-game", "Tic-tac-toe 3x3"));
        assert_eq!(output.matches(again).count(), 1, "{leave}: {output}");
        assert!(
            !output.contains(lasting(format!(" {}", said!("is-saved-now", "Tic-tac-toe 3x3")))),
            "{output}"
        );
        let wanted = [("a2".to_owned(), false), ("b2 a1 c3".to_owned(), leave != "new\r")];
        assert_eq!(saved_games(home.path()), wanted, "{leave}: {output}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn lost_games_are_reported_at_exit() {
    let home = folder();
    let mut terminal = start_game_on_full_disk(home.path());
    terminal.send("new\r");
    terminal.expect_output("x 1> ");
    terminal.send("a2\r"); // the previous game can no longer be restored
    terminal.expect_output("o 2> ");
    set_room(&terminal, true);
    terminal.send("b1\rquit\r");
    assert_eq!(terminal.end(), 1, "{}", terminal.raw());
    let output = terminal.raw();
    assert!(output.contains(said!("an-earlier-game-was", "Tic-tac-toe 3x3")), "{output}");
    assert!(output.contains(said!("saved-crosspath-continue-goes")), "the second one is saved: {output}");
    assert_eq!(
        saved_games(home.path()),
        [("a2 b1".to_owned(), false), ("b2 a1".to_owned(), false)],
        "{output}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_exit_message_reflects_the_last_write() {
    for (keys, has_room, answer, sentence, game) in [
        ("", true, "quit\r", said!("saved-crosspath-continue-goes"), ("b2 a1 c3", false)),
        ("resign\r", true, "n\r", said!("the-game-is-kept"), ("b2 a1 c3", true)),
        ("resign\r", false, "quit\r", said!("not-saved-save-file"), ("b2 a1", false)),
        ("", false, "quit\r", said!("not-saved-save-file"), ("b2 a1", false)),
    ] {
        let home = folder();
        let mut terminal = start_game_on_full_disk(home.path());
        terminal.send(keys);
        if !keys.is_empty() {
            terminal.expect_output(lasting(format!("{} ", said!("another-game-2"))));
        }
        set_room(&terminal, has_room);
        terminal.send(answer);
        assert_eq!(terminal.end(), i32::from(!has_room), "{keys:?}: {}", terminal.raw());
        assert!(terminal.raw().contains(sentence), "{keys:?}: {}", terminal.raw());
        assert_eq!(saved_games(home.path()), [(game.0.to_owned(), game.1)], "{keys:?}: {}", terminal.raw());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_full_screen_saves_a_left_game_once_the_disk_has_room() {
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
        assert_eq!(saved_games(home.path()), [("b2 a1 c3".to_owned(), false)], "{}", terminal.raw());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_whole_game_is_saved_once_the_disk_has_room() {
    let home = folder();
    let mut terminal = start_in_lines(home.path(), RUN_ON_FULL_DISK, &[]);
    terminal.expect("x 1> ");
    terminal.send("b2\r");
    terminal.expect("o 2> ");
    terminal.send("a1\r");
    terminal.expect("x 3> ");
    let output = terminal.raw().to_owned();
    assert_eq!(output.matches(said!("cannot-be-saved")).count(), 1, "{output}");
    assert!(saved_games(home.path()).is_empty(), "no empty file is left");
    set_room(&terminal, true);
    terminal.send("c3\r");
    terminal.expect("o 4> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0, "{}", terminal.raw());
    assert_eq!(unfinished_game_moves(home.path()), ["b2", "a1", "c3"]);
}

#[test]
fn each_unsaved_game_is_reported_once() {
    let home = folder();
    let mut terminal = start_in_lines(home.path(), RUN_ON_FULL_DISK, &[]);
    terminal.expect("x 1> ");
    terminal.send("b2\r");
    terminal.expect("o 2> ");
    terminal.send("a1\rnew hex 5\r");
    terminal.expect("red 1> ");
    terminal.send("c3\r");
    terminal.expect("blue 2> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 1, "a game that is lost is no success");
    let output = terminal.raw();
    let reports: Vec<&str> = output.lines().filter(|line| line.contains(said!("cannot-be-saved"))).collect();
    assert_eq!(reports.len(), 2, "{output}");
    assert!(output.contains(said!("an-earlier-game-was", "Tic-tac-toe 3x3")), "{output}");
    assert!(reports[0].contains("Tic-tac-toe") && reports[1].contains("Hex"), "{reports:?}");
}

#[test]
fn a_game_saved_elsewhere_is_not_lost() {
    let home = folder();
    let no_folder = home.path().join("file");
    fs::write(&no_folder, "").unwrap();
    let elsewhere = home.path().join("game.txt");
    for (save, code) in [(format!("save {}\r", elsewhere.display()), 0), (String::new(), 1)] {
        let mut terminal = start_in_lines(&no_folder, RUN, &[]);
        terminal.expect("x 1> ");
        terminal.send(&format!("b2\r{save}quit\r"));
        assert_eq!(terminal.end(), code, "{}", terminal.raw());
    }
    assert!(fs::read_to_string(&elsewhere).unwrap().contains("b2"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_on_a_full_disk_is_reported_once() {
    let mut command = crosspath(&["--mode", "2", "--log", "/dev/full"]);
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
    let run = run_to_end(command, "b2\na1\nwhere\nquit\n");
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(run.err.lines().filter(|line| line.contains("log")).count(), 1, "{}", run.err);
    assert!(run.out.contains(said!("to-move", "X")), "the match continues: {}", run.out);
}

#[test]
fn a_match_on_a_full_disk_can_be_resumed() {
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
fn many_file_errors_are_summarized_in_a_few_lines() {
    let place = folder();
    let digits = crate::support::file(&place, "digits.txt", "11".repeat(1 << 18));
    for form in [&["--plain"][..], &["--json"]] {
        let run = run(&[&["--mode", "3", &digits], form].concat(), "");
        let report_count =
            run.err.lines().count() + run.out.lines().filter(|line| line.contains("\"error\"")).count();
        assert!(
            report_count > 20 && report_count < 40,
            "{report_count} notes: {}",
            &run.err[..run.err.len().min(3000)]
        );
        let all = run.err + &run.out;
        assert!(all.contains(said!("more-dropped", "pairs are")), "the others are counted");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_log_on_a_full_disk_is_reported_once() {
    let engine = ["engine", "--protocol", "gtp", "--level", "1", "--log", "/dev/full"];
    let run = run(&engine, "play b c3\nname\nquit\n");
    assert_eq!((run.code, run.out.matches('=').count()), (Some(0), 3), "{}", run.out);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}
