//! A disk that is full, and has room again: what is lost is said, with what helps; nothing is given up for good.
//! A limit to the size of files stands for the disk.

use std::fs;
use std::path::Path;

use crosspath::journal::{Continued, Folder};
use crosspath::registry::GAMES;
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, prlimit};

use crate::bounded::ends;
use crate::mishaps::{RUN, begin};
use crate::sentences::said;
use crate::support::{crosspath, folder, run, run_script};

const FULL: &str = "ulimit -S -f 0; exec \"$0\" \"$@\"";

/// The moves of the one unfinished game in this home.
fn kept(home: &Path) -> Vec<String> {
    let found = Continued::newest(&Folder::at(home.join("crosspath")), GAMES).unwrap().expect("a game");
    found.record.tree.position(found.record.present).played()
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
    assert_eq!(said.matches(said!("is-no-longer-saved")).count(), 1, "{said}");
    let room = Rlimit { current: None, maximum: None };
    prlimit(Some(terminal.id()), Resource::Fsize, room).unwrap();
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
    let told: Vec<&str> = said.lines().filter(|line| line.contains(said!("is-no-longer-saved"))).collect();
    assert_eq!(told.len(), 2, "{said}");
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
