//! Where a game cannot be saved, or not be found again, one sentence says so and play continues.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crosspath::journal::{Folder, line};
use serde_json::json;

use crate::screen::{Terminal, shell};
use crate::sentences::{lasting, said};
use crate::support::folder;

/// Starts the program in lines, with its journals in this home: for two people, or with these
/// flags.
pub(crate) fn begin(home: &Path, script: &str, flags: &[&str]) -> Terminal {
    let mode = if flags.contains(&"--continue") { &["--plain"][..] } else { &["--plain", "--mode", "2"] };
    let command = shell(script, &[mode, flags].concat());
    Terminal::start(command.env("XDG_STATE_HOME", home.to_str().unwrap()))
}

pub(crate) const RUN: &str = "exec \"$0\" \"$@\"";

/// Plays two moves and quits; returns the output.
fn plays_two_moves(terminal: Terminal) -> String {
    plays_two_moves_to(terminal, 0)
}

/// Plays two moves and quits with this exit code; returns the output.
fn plays_two_moves_to(mut terminal: Terminal, code: i32) -> String {
    terminal.expect("> ");
    terminal.send("b2\ra1\rwhere\rquit\r");
    assert_eq!(terminal.end(), code);
    terminal.raw().to_owned()
}

fn journals(home: &Path) -> Vec<PathBuf> {
    Folder::at(home.join("crosspath")).live()
}

/// Plays two moves of a game and leaves it; returns its journal.
fn left(home: &Path) -> PathBuf {
    let said = plays_two_moves(begin(home, RUN, &[]));
    assert!(said.contains(said!("saved-crosspath-continue-goes")), "{said}");
    journals(home).remove(0)
}

fn is_said_once(said: &str, sentence: &str) {
    assert_eq!(said.matches(sentence).count(), 1, "{sentence:?} once in\n{said}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_once() {
    let place = folder();
    let no_folder = place.path().join("file");
    fs::write(&no_folder, "").unwrap();
    for home in [no_folder.as_path(), Path::new("/proc")] {
        let said = plays_two_moves_to(begin(home, RUN, &[]), 1);
        is_said_once(&said, said!("cannot-be-saved"));
        is_said_once(&said, said!("not-saved-save-file"));
        assert!(said.contains("b2") && said.contains("a1"), "{said}");
    }
}

/// A limit to the size of files stands for a disk that is full: no write comes through.
#[test]
fn a_full_disk_is_told_once() {
    let home = folder();
    let said = plays_two_moves_to(begin(home.path(), "ulimit -f 0; exec \"$0\" \"$@\"", &[]), 1);
    is_said_once(&said, said!("cannot-be-saved-size"));
    is_said_once(&said, said!("not-saved-save-file"));
}

#[test]
fn a_game_that_another_program_plays_is_left_to_it() {
    let home = folder();
    let path = left(home.path());
    let mut first = begin(home.path(), RUN, &["--continue"]);
    first.expect("x 3> ");
    let said = plays_two_moves(begin(home.path(), RUN, &["--continue"]));
    let name = path.file_name().unwrap().to_str().unwrap();
    is_said_once(&said, said!("is-played-by-another-program", name));
    is_said_once(&said, said!("now-mode-on-a-fresh"));
    first.send("c3\rquit\r");
    assert_eq!(first.end(), 0);
    assert!(fs::read_to_string(&path).unwrap().contains("\"move\":\"c3\""));
}

#[test]
fn a_clock_that_was_set_back_is_told_once() {
    let home = folder();
    let path = left(home.path());
    let later = SystemTime::now() + Duration::from_secs(86_400);
    fs::File::options().append(true).open(&path).unwrap().set_modified(later).unwrap();
    let sentence = said!("the-clock-of-this");
    let mut listed = shell("exec \"$0\" games", &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap());
    listed = listed.env("TZ", "UTC");
    let mut terminal = Terminal::start(listed);
    assert_eq!(terminal.end(), 0);
    is_said_once(terminal.raw(), sentence);
    let mut terminal = begin(home.path(), RUN, &["--continue"]);
    terminal.expect("x 3> ");
    terminal.send("c3\rquit\r");
    assert_eq!(terminal.end(), 0);
    is_said_once(terminal.raw(), sentence);
    assert!(fs::read_to_string(&path).unwrap().contains("\"move\":\"c3\""));
}

#[test]
fn a_journal_of_a_newer_version_is_told_once_and_stays() {
    let home = folder();
    let path = left(home.path());
    let newer = line(&json!({"seq": 0, "kind": "start", "format": 2, "game": "tic-tac-toe"}));
    fs::write(&path, &newer).unwrap();
    let why = said!("game-was-saved-by-newer", path.file_name().unwrap().to_str().unwrap());
    let mut listed =
        Terminal::start(shell("exec \"$0\" games", &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap()));
    assert_eq!(listed.end(), 1);
    is_said_once(listed.raw(), why);
    let said = plays_two_moves(begin(home.path(), RUN, &["--continue"]));
    is_said_once(&said, why);
    is_said_once(&said, said!("now-mode-on-a-fresh"));
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
}

#[test]
fn a_newest_game_that_cannot_go_on_hides_no_other() {
    let home = folder();
    let good = left(home.path());
    let state = good.parent().unwrap();
    // A newer version's game, and one in which every move was taken back, both played later.
    let newer = line(&json!({"seq": 0, "kind": "start", "format": 2, "game": "hex"}));
    fs::write(state.join("live-ffffffffffffffff.journal"), &newer).unwrap();
    let mut terminal = begin(home.path(), RUN, &[]);
    terminal.expect("x 1> ");
    terminal.send("c3\rundo\rquit\r");
    assert_eq!(terminal.end(), 0);
    let mut strict = begin(home.path(), RUN, &["--continue", "--strict"]);
    assert_eq!(strict.end(), 65);
    assert!(strict.raw().contains(said!("newer-version-of-crosspath")), "{}", strict.raw());
    let mut terminal = begin(home.path(), RUN, &["--continue"]);
    terminal.expect("x 3> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    is_said_once(terminal.raw(), said!("newer-version-of-crosspath-the"));
}

#[test]
fn an_older_game_that_was_opened_is_the_one_that_goes_on() {
    let home = folder();
    let older = left(home.path());
    let id = older.file_stem().unwrap().to_str().unwrap().trim_start_matches("live-").to_owned();
    let mut terminal = begin(home.path(), RUN, &["--size", "4"]);
    terminal.expect("x 1> ");
    terminal.send("d4\rquit\r");
    assert_eq!(terminal.end(), 0);
    let open = format!("exec \"$0\" games open {id} --plain");
    let mut terminal =
        Terminal::start(shell(&open, &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap()));
    terminal.expect("x 3> ");
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    is_said_once(terminal.raw(), said!("saved-crosspath-continue-goes"));
    let mut terminal = begin(home.path(), RUN, &["--continue"]);
    terminal.expect("x 3> ");
    terminal.send("c3\ra2\rc2\ra3\r");
    terminal.expect(lasting(format!("{} ", said!("another-game-2"))));
    terminal.send("n\r");
    assert_eq!(terminal.end(), 0);
    is_said_once(terminal.raw(), said!("the-game-is-kept"));
    // Played on from its end, with no move of one's own, it is nothing new.
    let mut terminal =
        Terminal::start(shell(&open, &[]).env("XDG_STATE_HOME", home.path().to_str().unwrap()));
    assert_eq!(terminal.end(), 0);
    assert!(!terminal.raw().contains(said!("continue-goes-on")), "{}", terminal.raw());
}

#[test]
fn a_journal_that_is_deleted_while_it_is_played_is_written_anew() {
    let home = folder();
    let mut terminal = begin(home.path(), RUN, &[]);
    terminal.expect("x 1> ");
    terminal.send("b2\r");
    terminal.expect("o 2> ");
    fs::remove_dir_all(home.path().join("crosspath")).unwrap();
    terminal.send("a1\r");
    terminal.expect("x 3> ");
    let path = journals(home.path()).remove(0);
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept.contains("\"move\":\"b2\"") && kept.contains("\"move\":\"a1\""), "{kept}");
    fs::remove_dir_all(home.path().join("crosspath")).unwrap();
    terminal.send("quit\r");
    assert_eq!(terminal.end(), 0);
    assert!(terminal.raw().contains(said!("saved-crosspath-continue-goes")), "{}", terminal.raw());
    assert_eq!(journals(home.path()).len(), 1, "what is said to be kept is kept");
}
