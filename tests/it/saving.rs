//! Saving: nothing is overwritten without a question, nothing in a file is lost, and no temporary
//! files stay.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crosspath::journal::{JournalFolder, MatchJournal, load_journal};
use crosspath::record::{NodeId, RecordReadOptions, disk, load_game};
use crosspath::registry::GAMES;

use crate::sentences::{lasting, said};
use crate::support::{SOON, crosspath, file, finished, folder, run, run_on, wait_for_output, wait_until};
use crate::tui_harness::Rig;

/// Record with a comment in every possible place.
const WITH_COMMENTS: &str = "# crosspath tic-tac-toe size=3\n# first: Ann\n# A fine game.\n1. b2\n# the middle\n\
    a1\n(1... c3\n# a corner\n2. c1 # and: another\n) 2. c3 a3\n# two\n# lines\n3. a2 resign\n";

#[test]
fn comments_and_marks_of_a_file_are_preserved() {
    let folder = folder();
    let path = file(&folder, "game.txt", WITH_COMMENTS);
    let other = folder.path().join("other.txt").to_str().unwrap().to_owned();
    let output = run(&["--mode", "2"], format!("load {path}\nsave {other}\n"));
    assert_eq!(output.err, "");
    let text = fs::read_to_string(&other).unwrap();
    assert_eq!(
        text,
        "# crosspath tic-tac-toe size=3\n# first: Ann\n# result: first\n# A fine game.\n1. b2 # the middle\n\
         a1 (1... c3 # a corner\n2. c1 # and: another\n) 2. c3 a3 # two\n# lines\n3. a2 resign\n"
    );
    let read = |text: &str| {
        load_game(text.as_bytes(), &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits()).unwrap()
    };
    let comments = |text: &str| -> Vec<Vec<String>> {
        let tree = read(text).tree;
        tree.node_ids().map(|id| tree.node(id).comments.clone()).collect()
    };
    assert_eq!(comments(&text), comments(WITH_COMMENTS));
    assert_eq!(comments(&text).concat().len(), 6);
    assert!(read(&text).fault.is_none());
    // A list of moves can have comments, also before its first move.
    let list = read("# mine\nb2 # here\na1\n");
    let comments: Vec<_> = list.tree.node_ids().map(|id| list.tree.node(id).comments.clone()).collect();
    assert_eq!(comments, [vec!["mine".to_owned()], vec!["here".to_owned()], vec![]]);
}

#[test]
fn the_journal_of_a_loaded_game_keeps_its_comments() {
    let place = folder();
    let mut rig = Rig::two("tic-tac-toe", "size=3", "", (80, 24));
    let unfinished = WITH_COMMENTS.replace(" resign", "");
    rig.load("x", crate::tui_harness::record(&unfinished));
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
    journal.record_changes(rig.game()).unwrap();
    assert!(journal.current_path().is_none(), "the file has it all");
    rig.say("b1");
    journal.record_changes(rig.game()).unwrap();
    let kept = load_journal(&fs::read(journal.current_path().unwrap()).unwrap(), GAMES).unwrap().record.tree;
    let tree = rig.game().game().tree();
    let of = |tree: &crosspath::record::GameTree, id: NodeId| tree.node(id).comments.clone();
    assert!(tree.node_ids().all(|id| of(tree, id) == of(&kept, id)));
    assert_eq!(kept.node_ids().map(|id| of(&kept, id).len()).sum::<usize>(), 6);
}

#[test]
fn temporary_files_of_killed_saves_are_removed_and_others_stay() {
    let folder = folder();
    let gone = folder.path().join(".crosspath.4194303.0.tmp"); // above the default process ids of any system
    let mine = folder.path().join(format!(".crosspath.{}.7.tmp", std::process::id()));
    let notes = folder.path().join(".crosspath.notes");
    for path in [&gone, &mine, &notes] {
        fs::write(path, "half a ga").unwrap();
    }
    disk::save_file(&folder.path().join("game.txt"), "whole").unwrap();
    assert!(!gone.exists() && mine.exists() && notes.exists());
}

#[cfg(unix)]
#[test]
fn saving_through_a_symbolic_link_keeps_the_link() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    symlink("inner/second", folder.path().join("first")).unwrap();
    symlink("game.txt", inner.join("second")).unwrap();
    for text in ["one", "two"] {
        disk::save_file(&folder.path().join("first"), text).unwrap();
        assert_eq!(fs::read_to_string(inner.join("game.txt")).unwrap(), text);
        assert!(folder.path().join("first").is_symlink() && inner.join("second").is_symlink());
    }
    symlink("round", folder.path().join("round")).unwrap();
    let why = disk::save_file(&folder.path().join("round"), "x").unwrap_err().to_string();
    assert_eq!(why, said!("the-links-go-round"));
}

#[cfg(unix)]
#[test]
fn non_utf_8_file_names_are_used_byte_for_byte() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = OsStr::from_bytes(b"g\xff\xfeme.txt");
    let path = folder.path().join(name);
    let mut input = b"b2\nsave ".to_vec();
    input.extend(path.as_os_str().as_bytes());
    input.extend(b"\nload ");
    input.extend(path.as_os_str().as_bytes());
    input.extend(b"\nwhere\n");
    let output = run(&["--mode", "2"], &input);
    assert_eq!(output.err, "");
    assert!(
        output.out.contains(lasting(format!("{} ", said!("loaded-move-from", "1"))))
            && output.out.contains("X: b2."),
        "{}",
        output.out
    );
    assert!(fs::read_to_string(&path).unwrap().contains("1. b2"));
    let mut command = crosspath(&["--mode", "3"]);
    command.arg(&path);
    assert!(run_on(command, "").out.contains("1. X b2"));
}

#[test]
fn a_tilde_and_a_slash_mean_the_home_folder() {
    let home = folder();
    let mut command = crosspath(&["--mode", "2"]);
    command.env("HOME", home.path());
    let output = run_on(command, "b2\nsave ~/game.txt\nload ~/game.txt\n");
    assert!(
        output.out.contains(lasting(format!("{} ", said!("loaded-move-from", "1")))),
        "{}{}",
        output.out,
        output.err
    );
    assert!(fs::read_to_string(home.path().join("game.txt")).unwrap().contains("1. b2"));
}

#[test]
fn json_output_reports_whether_the_game_is_saved() {
    let folder = folder();
    let path = folder.path().join("game.txt").to_str().unwrap().to_owned();
    for (then, is_saved) in [("", true), ("a1\n", false), ("undo\n", false)] {
        let _ = fs::remove_file(&path);
        let output = run(&["--mode", "2", "--json"], format!("b2\nsave {path}\n{then}"));
        let end: serde_json::Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
        assert_eq!(end["saved"], is_saved, "{then:?}: {end}");
    }
}

#[test]
fn a_log_is_not_appended_to_a_game_file() {
    let folder = folder();
    let game = file(&folder, "game.txt", "# crosspath tic-tac-toe size=3\n1. b2\n");
    let journal = file(
        &folder,
        "a.journal",
        crosspath::journal::format_journal_line(&serde_json::json!({"seq": 0, "kind": "start"})),
    );
    for path in [&game, &journal] {
        let before = fs::read(path).unwrap();
        let refused = run(&["--mode", "2", "--log", path], "b2\n");
        assert_eq!(refused.code, Some(2));
        let why = format!("error: {}\n", said!("log-the-file-holds", path));
        assert_eq!(refused.err, why);
        assert_eq!(fs::read(path).unwrap(), before);
    }
    let state = folder.path().join("crosspath");
    fs::create_dir(&state).unwrap();
    let index = state.join("index.jsonl");
    fs::write(&index, "{}\n").unwrap();
    let mut command = crosspath(&["--mode", "2", "--log", index.to_str().unwrap()]);
    command.env("XDG_STATE_HOME", folder.path());
    assert_eq!(run_on(command, "b2\n").code, Some(2), "the list of the games that are kept");
    assert_eq!(fs::read_to_string(&index).unwrap(), "{}\n");
    let log = folder.path().join("log").to_str().unwrap().to_owned();
    for _ in 0..2 {
        assert_eq!(run(&["--mode", "2", "--log", &log], "b2\n").code, Some(0), "a log is appended to");
    }
    assert_eq!(fs::read_to_string(Path::new(&log)).unwrap().matches("start crosspath").count(), 2);
}

#[cfg(unix)]
#[test]
fn a_file_size_limit_is_an_error_and_the_game_continues() {
    let folder = folder();
    let path = folder.path().join("game.txt");
    let script = "ulimit -f 0 && exec \"$0\" --mode 2";
    let mut command = std::process::Command::new("/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_crosspath")]);
    let output = run_on(command, format!("b2\nsave {}\na1\n", path.display()));
    assert_eq!(output.code, Some(0));
    assert!(
        output.err.contains(said!("cannot-write")) && output.err.contains(said!("no-file-may-grow")),
        "{}",
        output.err
    );
    assert!(output.out.contains("O a1"), "{}", output.out);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "and no litter stays");
}

#[test]
fn saving_again_asks_if_the_file_was_changed() {
    let folder = folder();
    let path = folder.path().join("game.txt").to_str().unwrap().to_owned();
    let other = file(&folder, "other.txt", "# crosspath tic-tac-toe size=3\n1. c2 a3\n");
    let out = tempfile::NamedTempFile::new().unwrap();
    let mut command = crosspath(&["--mode", "2"]);
    command.stdin(Stdio::piped()).stdout(out.reopen().unwrap()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    write!(stdin, "b2\nsave {path}\n").unwrap();
    let is_saved = || fs::read_to_string(out.path()).unwrap().contains(said!("saved-in"));
    wait_until(SOON, "the game is saved", is_saved);
    fs::copy(&other, &path).unwrap();
    write!(stdin, "a1\nsave {path}\n").unwrap();
    drop(stdin);
    let output = finished(&wait_for_output(child));
    assert!(output.err.contains(said!("holds-another-game-it-stays")), "{}", output.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), fs::read_to_string(&other).unwrap());
}

#[test]
fn a_record_too_long_to_read_is_not_written() {
    let place = folder();
    let mut rig = Rig::two("tic-tac-toe", "size=3", "", (80, 24));
    let long = format!(
        "# crosspath tic-tac-toe size=3\n# note: {}\n1. a1 # {}\nb2\n",
        "y".repeat(100_000),
        "x".repeat(70_000)
    );
    rig.load("x", crate::tui_harness::record(&long));
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
    rig.say("c3");
    journal.record_changes(rig.game()).unwrap();
    let kept = load_journal(&fs::read(journal.current_path().unwrap()).unwrap(), GAMES).unwrap().record;
    assert_eq!(kept.tree.position(kept.present).played_moves(), ["a1", "b2", "c3"]);
    let comments: usize = kept.tree.node_ids().map(|id| kept.tree.node(id).comments.concat().len()).sum();
    assert_eq!(comments, 70_000, "the comment is there in pieces");
}

#[test]
fn a_log_starts_on_a_new_line() {
    let place = folder();
    let engine = ["engine", "--protocol", "gtp", "--level", "1"];
    for (before, kept) in [("a note", "a note\n"), ("a note\n", "a note\n"), ("", "")] {
        for (arguments, input) in [(&["--mode", "2"][..], "b2\nquit\n"), (&engine, "name\nquit\n")] {
            let log = file(&place, "log.txt", before);
            let run = run(&[arguments, &["--log", &log]].concat(), input);
            assert_eq!(run.code, Some(0), "{}", run.err);
            let text = fs::read_to_string(&log).unwrap();
            let rest = text.strip_prefix(kept).unwrap_or_else(|| panic!("{text}"));
            assert!(rest.starts_with(|c: char| !c.is_whitespace()) && rest.ends_with('\n'), "{text}");
        }
    }
}

#[test]
fn the_journal_of_a_set_up_game_keeps_position_passes_and_marks() {
    let place = folder();
    let mut rig = Rig::two("hex", "size=5", "", (80, 24));
    let text = "# crosspath hex size=5 swap=on\n# position: b4 c3 / d2 / 2 / 5\n1... b3 #: TR[b3]\npass\n";
    rig.load("x", crate::tui_harness::record(text));
    let mut journal = MatchJournal::new(Some(JournalFolder::new(place.path().to_path_buf())));
    rig.say("a1");
    journal.record_changes(rig.game()).unwrap();
    let kept = load_journal(&fs::read(journal.current_path().unwrap()).unwrap(), GAMES).unwrap();
    let (tree, own) = (&kept.record.tree, rig.game().present_position());
    let now = tree.position(kept.record.present);
    assert_eq!(
        (now.position_key(), now.played_moves()),
        (own.position_key(), ["b3", "pass", "a1"].map(str::to_owned).to_vec())
    );
    assert_eq!(now.start_position().position_text().as_deref(), Some("c3 b4 / d2 / 2 / 5"));
    assert!(tree.node_ids().any(|id| tree.node(id).properties.iter().any(|mark| mark.values == ["b3"])));
}
