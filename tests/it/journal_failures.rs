//! If a game cannot be saved or found again, one message says so and play continues.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crosspath::journal::{JournalFolder, format_journal_line};
use serde_json::json;

use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};
use crate::support::folder;

/// Starts the program in line mode with its journals in this home, for two people or with these
/// flags.
pub(crate) fn start_in_lines(home: &Path, script: &str, flags: &[&str]) -> Terminal {
    let mode = if flags.contains(&"--continue") { &["--plain"][..] } else { &["--plain", "--mode", "2"] };
    let command = shell(script, &[mode, flags].concat());
    Terminal::start(command.env("XDG_STATE_HOME", home.to_str().unwrap()))
}

pub(crate) const RUN: &str = "exec \"$0\" \"$@\"";

/// Plays two moves and quits. Returns the output.
fn play_two_moves(terminal: Terminal) -> String {
    play_two_moves_expecting(terminal, 0)
}

/// Plays two moves and quits, and checks the exit code. Returns the output.
fn play_two_moves_expecting(mut terminal: Terminal, code: i32) -> String {
    terminal.expect("> ");
    terminal.send("b2\ra1\rwhere\rquit\r");
    assert_eq!(terminal.end(), code);
    terminal.raw().to_owned()
}

fn journals(home: &Path) -> Vec<PathBuf> {
    JournalFolder::new(home.join("crosspath")).unfinished_game_paths()
}

/// Plays two moves of a game and leaves it. Returns its journal.
fn leave_unfinished_game(home: &Path) -> PathBuf {
    let output = play_two_moves(start_in_lines(home, RUN, &[]));
    assert!(output.contains(said!("saved-crosspath-continue-goes")), "{output}");
    journals(home).remove(0)
}

fn assert_reported_once(output: &str, sentence: &str) {
    assert_eq!(output.matches(sentence).count(), 1, "{sentence:?} once in\n{output}");
}

#[test]
fn an_unwritable_folder_is_reported_once() {
    let place = folder();
    let no_folder = place.path().join("file");
    fs::write(&no_folder, "").unwrap();
    for home in [no_folder.as_path(), Path::new("/proc")] {
        let output = play_two_moves_expecting(start_in_lines(home, RUN, &[]), 1);
        assert_reported_once(&output, said!("cannot-be-saved"));
        assert_reported_once(&output, said!("not-saved-save-file"));
        assert!(output.contains("b2") && output.contains("a1"), "{output}");
    }
}

/// A file size limit simulates a full disk: no write succeeds.
#[test]
fn a_full_disk_is_reported_once() {
    let home = folder();
    let output =
        play_two_moves_expecting(start_in_lines(home.path(), "ulimit -f 0; exec \"$0\" \"$@\"", &[]), 1);
    assert_reported_once(&output, said!("cannot-be-saved-size"));
    assert_reported_once(&output, said!("not-saved-save-file"));
}

#[test]
fn a_game_open_in_another_program_is_not_continued() {
    let home = folder();
    let path = leave_unfinished_game(home.path());
    let mut first = start_in_lines(home.path(), RUN, &["--continue"]);
    first.expect("x 3> ");
    let output = play_two_moves(start_in_lines(home.path(), RUN, &["--continue"]));
    let name = path.file_name().unwrap().to_str().unwrap();
    assert_reported_once(&output, said!("is-played-by-another-program", name));
    assert_reported_once(&output, said!("now-mode-on-a-fresh"));
    first.send("c3\rquit\r");
    assert_eq!(first.end(), 0);
    assert!(fs::read_to_string(&path).unwrap().contains("\"move\":\"c3\""));
}

#[test]
fn a_clock_that_was_set_back_is_reported_once() {
    let home = folder();
    let path = leave_unfinished_game(home.path());
    let later = SystemTime::now() + Duration::from_secs(86_400);
    fs::File::options().append(true).open(&path).unwrap().set_modified(later).unwrap();
    let sentence = said!("the-clock-of-this");
    let mut listed = shell("exec \"$0\" games", &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap());
    listed = listed.env("TZ", "UTC");
    let mut terminal = Terminal::start(listed);
    assert_eq!(terminal.end(), 0);
    assert_reported_once(terminal.raw(), sentence);
    let mut terminal = start_in_lines(home.path(), RUN, &["--continue"]);
    terminal.expect("x 3> ");
    terminal.send("c3\rquit\r");
    assert_eq!(terminal.end(), 0);
    assert_reported_once(terminal.raw(), sentence);
    assert!(fs::read_to_string(&path).unwrap().contains("\"move\":\"c3\""));
}

#[test]
fn a_journal_of_a_newer_version_is_reported_once_and_left_unchanged() {
    let home = folder();
    let path = leave_unfinished_game(home.path());
    let newer = format_journal_line(&json!({"seq": 0, "kind": "start", "format": 2, "game": "tic-tac-toe"}));
    fs::write(&path, &newer).unwrap();
    let why = said!("game-was-saved-by-newer", path.file_name().unwrap().to_str().unwrap());
    let mut listed =
        Terminal::start(shell("exec \"$0\" games", &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap()));
    assert_eq!(listed.end(), 1);
    assert_reported_once(listed.raw(), why);
    let output = play_two_moves(start_in_lines(home.path(), RUN, &["--continue"]));
    assert_reported_once(&output, why);
    assert_reported_once(&output, said!("now-mode-on-a-fresh"));
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
}

#[test]
fn continue_skips_games_that_cannot_be_continued() {
    let home = folder();
    let good = leave_unfinished_game(home.path());
    let state = good.parent().unwrap();
    // One later game has a newer format, and in the other every move was undone.
    let newer = format_journal_line(&json!({"seq": 0, "kind": "start", "format": 2, "game": "hex"}));
    fs::write(state.join("live-ffffffffffffffff.journal"), &newer).unwrap();
    let mut terminal = start_in_lines(home.path(), RUN, &[]);
    terminal.expect("x 1> ");
    terminal.send("c3\rundo\rquit\r");
    assert_eq!(terminal.end(), 0);
    let mut strict = start_in_lines(home.path(), RUN, &["--continue", "--strict"]);
    assert_eq!(strict.end(), 65);
    assert!(strict.raw().contains(said!("newer-version-of-crosspath")), "{}", strict.raw());
    let mut terminal = start_in_lines(home.path(), RUN, &["--continue"]);
    terminal.expect("x 3> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    assert_reported_once(terminal.raw(), said!("newer-version-of-crosspath-the"));
}

#[test]
fn continue_resumes_the_game_that_was_opened_last() {
    let home = folder();
    let older = leave_unfinished_game(home.path());
    let id = older.file_stem().unwrap().to_str().unwrap().trim_start_matches("live-").to_owned();
    let mut terminal = start_in_lines(home.path(), RUN, &["--size", "4"]);
    terminal.expect("x 1> ");
    terminal.send("d4\rquit\r");
    assert_eq!(terminal.end(), 0);
    let open = format!("exec \"$0\" games open {id} --plain");
    let mut terminal =
        Terminal::start(shell(&open, &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap()));
    terminal.expect("x 3> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    assert_reported_once(terminal.raw(), said!("saved-crosspath-continue-goes"));
    let mut terminal = start_in_lines(home.path(), RUN, &["--continue"]);
    terminal.expect("x 3> ");
    terminal.send("c3\ra2\rc2\ra3\r");
    terminal.expect(lasting(format!("{} ", said!("another-game-2"))));
    terminal.send("n\r");
    assert_eq!(terminal.end(), 0);
    assert_reported_once(terminal.raw(), said!("the-game-is-kept"));
    // Opening the finished game without a move saves nothing new.
    let mut terminal =
        Terminal::start(shell(&open, &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap()));
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.raw().contains(said!("continue-goes-on")), "{}", terminal.raw());
}

#[test]
fn a_journal_deleted_during_play_is_written_again() {
    let home = folder();
    let mut terminal = start_in_lines(home.path(), RUN, &[]);
    terminal.expect("x 1> ");
    terminal.send("b2\r");
    terminal.expect("o 2> ");
    fs::remove_dir_all(home.path().join("crosspath")).unwrap();
    terminal.send("a1\r");
    terminal.expect("x 3> ");
    let path = journals(home.path()).remove(0);
    let journal = fs::read_to_string(&path).unwrap();
    assert!(journal.contains("\"move\":\"b2\"") && journal.contains("\"move\":\"a1\""), "{journal}");
    fs::remove_dir_all(home.path().join("crosspath")).unwrap();
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.raw().contains(said!("saved-crosspath-continue-goes")), "{}", terminal.raw());
    assert_eq!(journals(home.path()).len(), 1, "what is said to be kept is kept");
}
