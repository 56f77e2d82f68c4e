//! Pipes, devices, links, folders, damaged and hostile files where games and settings are expected.
//! Each is reported by name; none hangs the program, and none is deleted.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crosspath::journal::format_journal_line;
use serde_json::json;

use crate::bounded::{run_at_home, run_to_end};
use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::support::{crosspath, folder};

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Creates the folder of saved games in a home and returns it.
fn create_games_folder(home: &Path) -> PathBuf {
    let games = home.join("crosspath");
    fs::create_dir_all(&games).unwrap();
    games
}

/// Returns the journal lines of a game with these moves.
fn journal_lines(moves: &[&str]) -> Vec<String> {
    let start = json!({"seq": 0, "kind": "start", "format": 1, "game": "tic-tac-toe", "size": "3", "mode": 2,
        "seats": ["human", "human"], "level": "4", "seed": "1", "version": "0", "started": "2026-11-27T02:41:22Z"});
    let entry = |(i, mv): (usize, &&str)| {
        let side = ["first", "second"][i % 2];
        json!({"seq": i + 1, "kind": "move", "id": i + 1, "parent": i, "side": side,
            "move": mv, "by": "human"})
    };
    std::iter::once(start)
        .chain(moves.iter().enumerate().map(entry))
        .map(|entry| format_journal_line(&entry))
        .collect()
}

fn read_case(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases").join(name);
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_pipe_instead_of_a_file_does_not_hang_the_program() {
    let home = folder();
    let dir = create_games_folder(home.path());
    make_pipe(&dir.join("live-0123456789abcdef.journal"));
    let listed = run_at_home(home.path(), &["games"], "");
    assert_eq!(listed.code, Some(1), "{}{}", listed.out, listed.err);
    assert!(listed.err.contains("live-0123456789abcdef.journal"), "{}", listed.err);
    let shown = run_at_home(home.path(), &["games", "show", "0123"], "");
    assert_eq!(shown.code, Some(1), "{}", shown.err);
    let on = run_at_home(home.path(), &["--continue", "--plain"], "quit\n");
    assert!(on.err.contains("live-0123456789abcdef.journal"), "{}", on.err);
    make_pipe(&dir.join("config.toml"));
    make_pipe(&dir.join("index.jsonl.pipe"));
    let played = run_at_home(home.path(), &["--mode", "2"], "b2\nquit\n");
    assert_eq!(played.code, Some(0), "{}", played.err);
    assert!(played.err.contains("config.toml"), "{}", played.err);
    let net = dir.join("index.jsonl.pipe");
    let net = net.to_str().unwrap();
    for arguments in [
        vec!["--game", "hex", "--strict", "--net", net],
        vec!["work", "--job", net, "--estimate"],
        vec!["merge", net],
        vec!["arena", "--report", net],
        vec!["arena", "--engine", "a=level:1", "--engine", "b=level:2", "--out", net],
        vec!["selfplay", "--game", "tic-tac-toe", "--games", "1", "--write-job", net],
    ] {
        let run = run_at_home(home.path(), &arguments, "");
        assert!(!matches!(run.code, Some(0) | None), "{arguments:?}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_pipe_with_a_temporary_name_does_not_block_saving() {
    let home = folder();
    for name in [".crosspath.999999999.0.tmp", ".crosspath.999999.0.tmp", ".crosspath.99999.7.tmp"] {
        make_pipe(&home.path().join(name));
    }
    let saved = home.path().join("game.txt");
    let run = run_at_home(home.path(), &["--mode", "2"], &format!("b2\nsave {}\nquit\n", saved.display()));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(fs::read_to_string(&saved).unwrap().contains("b2"));
}

/// No journal is larger than 8 MiB, so the rest of a longer file is not read.
#[test]
#[cfg(target_os = "linux")]
fn an_endless_journal_uses_little_memory() {
    let home = folder();
    let dir = create_games_folder(home.path());
    symlink("/dev/zero", dir.join("live-aaaaaaaaaaaaaaaa.journal")).unwrap();
    let long = fs::File::create(dir.join("live-bbbbbbbbbbbbbbbb.journal")).unwrap();
    long.set_len(6 << 30).unwrap();
    for arguments in [
        &["games"][..],
        &["games", "show", "bbbb"],
        &["games", "salvage", "bbbb"],
        &["games", "show", "aaaa"],
        &["--continue", "--plain"],
    ] {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "ulimit -v 3000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_crosspath")]);
        command.args(arguments).env("XDG_STATE_HOME", home.path()).env("XDG_CONFIG_HOME", home.path());
        let run = run_to_end(command, "quit\n");
        assert!(matches!(run.code, Some(0 | 1)), "{arguments:?}: {:?} {}", run.code, run.err);
        assert!(run.err.contains("journal"), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_journal_damaged_from_its_first_line_is_reported_and_not_deleted() {
    let home = folder();
    let dir = create_games_folder(home.path());
    let broken = journal_lines(&["b2"]).concat().replace("seq", "Seq");
    for (id, content) in [("1111", vec![0; 300]), ("2222", broken.into_bytes()), ("3333", b"x\n".to_vec())] {
        let path = dir.join(format!("live-{id}000000000000.journal"));
        fs::write(&path, &content).unwrap();
        let old = SystemTime::now() - Duration::from_secs(7200);
        fs::File::options().append(true).open(&path).unwrap().set_modified(old).unwrap();
        let on = run_at_home(home.path(), &["--continue", "--plain"], "quit\n");
        assert!(on.err.contains(&format!("live-{id}")), "{}", on.err);
        let listed = run_at_home(home.path(), &["games"], "");
        assert_eq!(listed.code, Some(1));
        assert!(listed.err.contains(&format!("live-{id}")), "{}", listed.err);
        assert_eq!(fs::read(&path).unwrap(), content, "nothing else deletes a game");
        assert!(!listed.err.contains(said!("games-salvage")), "salvage would fail: {}", listed.err);
        assert_eq!(listed.out, "", "nothing was to match");
        let none = run_at_home(home.path(), &["games", "salvage", id], "");
        assert_eq!(none.code, Some(1), "nothing of it is good: {}", none.out);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn salvage_saves_the_intact_moves_of_a_damaged_game_as_a_new_game() {
    let home = folder();
    let dir = create_games_folder(home.path());
    let lines = journal_lines(&["b2", "a1", "c3", "zz", "a2"]);
    let illegal = lines.concat();
    let damaged = [&lines[..3].concat(), "0000 damage\n", &lines[3]].concat();
    for (id, content, moves) in [("4444", illegal, 3), ("5555", damaged, 2)] {
        let path = dir.join(format!("live-{id}000000000000.journal"));
        fs::write(&path, &content).unwrap();
        let listed = run_at_home(home.path(), &["games"], "");
        // A list does not replay the moves, so an illegal one is found only when the game is
        // opened.
        assert_eq!(listed.err.contains(said!("games-salvage")), id == "5555", "{}", listed.err);
        let saved = run_at_home(home.path(), &["games", "salvage", id], "");
        assert_eq!(saved.code, Some(0), "{}", saved.err);
        assert_eq!(fs::read_to_string(&path).unwrap(), content, "the damaged one stays");
        let deleted = run_at_home(home.path(), &["games", "delete", id], "");
        assert_eq!(deleted.code, Some(0), "{}", deleted.err);
        let listed = run_at_home(home.path(), &["games", "--json"], "");
        assert_eq!((listed.code, listed.lines().len()), (Some(0), 1), "{}{}", listed.out, listed.err);
        let game: serde_json::Value = serde_json::from_str(listed.lines()[0]).unwrap();
        assert_eq!(game["moves"], moves, "{game}");
        let file = PathBuf::from(game["file"].as_str().unwrap());
        let sound = run_at_home(home.path(), &["games", "salvage", game["id"].as_str().unwrap()], "");
        assert_eq!(sound.code, Some(1), "it is not damaged: {}", sound.out);
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn salvage_fails_without_intact_moves() {
    let home = folder();
    let dir = create_games_folder(home.path());
    let damaged = journal_lines(&[])[0].clone() + "0000 damage\nmore\n";
    fs::write(dir.join("live-6666000000000000.journal"), damaged).unwrap();
    let listed = run_at_home(home.path(), &["games"], "");
    assert!(!listed.err.contains(said!("games-salvage")), "{}", listed.err);
    let none = run_at_home(home.path(), &["games", "salvage", "6666"], "");
    assert_eq!(none.code, Some(1), "{}", none.out);
    assert!(none.err.contains(said!("no-intact-moves")), "{}", none.err);
    assert_eq!(
        fs::read_dir(&dir)
            .unwrap()
            .filter(|entry| {
                entry.as_ref().unwrap().path().extension().is_some_and(|ending| ending == "journal")
            })
            .count(),
        1
    );
    let filtered = run_at_home(home.path(), &["games", "--game", "hex"], "");
    assert!(!filtered.out.contains(said!("no-saved-game-matches")), "{}", filtered.out);
}

#[test]
fn folders_and_dangling_links_are_reported_by_name() {
    let home = folder();
    let dir = create_games_folder(home.path());
    fs::create_dir(dir.join("live-6666000000000000.journal")).unwrap();
    symlink("/no/such/file", dir.join("live-7777000000000000.journal")).unwrap();
    for arguments in [&["--continue", "--plain"][..], &["games"]] {
        let run = run_at_home(home.path(), arguments, "quit\n");
        for name in ["live-6666", "live-7777"] {
            assert!(run.err.contains(name), "{arguments:?}: {}", run.err);
        }
        assert!(!run.err.contains(said!("games-salvage")), "{arguments:?}: {}", run.err);
        assert!(!run.err.contains(said!("is-played-by-another")), "nobody plays them: {}", run.err);
    }
}

#[test]
fn an_unreadable_folder_of_games_is_an_error() {
    let home = folder();
    fs::write(home.path().join("crosspath"), "no folder").unwrap();
    let listed = run_at_home(home.path(), &["games"], "");
    assert_eq!((listed.code, listed.out.as_str()), (Some(1), ""), "{}", listed.err);
    let on = run_at_home(home.path(), &["--continue", "--strict", "--plain"], "quit\n");
    assert_eq!(on.code, Some(65), "{}", on.err);
}

/// Returns a home with this journal, just played, and an older intact one.
fn home_with_case(name: &str) -> tempfile::TempDir {
    let home = folder();
    let dir = create_games_folder(home.path());
    let good = dir.join("live-9999000000000000.journal");
    fs::write(&good, journal_lines(&["b2"]).concat()).unwrap();
    let old = SystemTime::now() - Duration::from_secs(7200);
    fs::File::options().append(true).open(&good).unwrap().set_modified(old).unwrap();
    fs::write(dir.join("live-8888000000000000.journal"), read_case(name)).unwrap();
    home
}

fn start_menu(home: &Path) -> Terminal {
    let command = shell("exec \"$0\" \"$@\"", &[]);
    Terminal::start(command.env("XDG_STATE_HOME", home.to_str().unwrap()))
}

#[test]
fn an_unreadable_game_does_not_end_the_menu() {
    let home = home_with_case("hostile-menu-c-exit1.journal");
    let mut terminal = start_menu(home.path());
    terminal.expect("live-8888"); // the reason for skipping it
    terminal.expect("Continue: Tic-tac-toe");
    terminal.send("c");
    terminal.expect(said!("to-move", "O"));
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
    // The game is damaged after the menu has read it and before the key is pressed.
    let home = home_with_case("hostile-menu-c-exit1.journal");
    let mut terminal = start_menu(home.path());
    terminal.expect("Continue: Tic-tac-toe");
    let good = home.path().join("crosspath/live-9999000000000000.journal");
    fs::write(&good, "damage\n").unwrap();
    terminal.send("c");
    terminal.expect("live-9999");
    terminal.send("\u{1b}");
    terminal.settle();
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn the_menu_says_why_there_is_no_game_to_continue() {
    let home = folder();
    let mut terminal = start_menu(home.path());
    terminal.settle();
    terminal.send("c");
    terminal.expect(said!("the-menu-has-no-unfinished"));
    drop(terminal);
    let dir = create_games_folder(home.path());
    let case = read_case("hostile-menu-c-exit1.journal");
    fs::write(dir.join("live-8888000000000000.journal"), case).unwrap();
    let mut terminal = start_menu(home.path());
    terminal.expect("live-8888");
    terminal.send("\t"); // the message disappears
    terminal.settle();
    assert!(!terminal.text().contains("live-8888"), "{}", terminal.text());
    terminal.send("c");
    terminal.settle();
    assert!(terminal.text().contains("live-8888"), "{}", terminal.text());
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}

/// Reports whether a text contains nothing harmful to a terminal: no control characters (including
/// C1), and none that reverse or hide text.
fn is_clean(text: &str) -> bool {
    text.chars().all(|c| {
        let is_unseen = matches!(c, '\u{200b}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        c == '\n' || !c.is_control() && !is_unseen
    })
}

#[test]
fn harmful_characters_of_files_are_removed_on_reading() {
    let home = home_with_case("hostile-escape-seats.journal");
    let dir = create_games_folder(home.path());
    let c1 = read_case("hostile-escape-seats.journal").lines().next().unwrap().to_owned();
    let mut start: serde_json::Value = serde_json::from_str(&c1[9..]).unwrap();
    start["seats"][1] = "a\u{9b}31mb\u{202e}c\u{200b}d".into();
    start["swap"] = "on".into();
    start["remarks"] = json!([["fi\u{9b}rst", "An\u{200b}n\u{1b}[2J"]]);
    let mv =
        json!({"seq": 1, "kind": "move", "id": 1, "parent": 0, "side": "first", "move": "f6", "by": "human"});
    let note = json!({"seq": 2, "kind": "comment", "id": 1, "text": "se\u{1b}e\u{202e}n"});
    fs::write(
        dir.join("live-abcd000000000000.journal"),
        [start, mv, note].map(|entry| format_journal_line(&entry)).concat(),
    )
    .unwrap();
    let exported = home.path().join("out.txt");
    for arguments in [
        &["games"][..],
        &["games", "--json"],
        &["games", "show", "8888"],
        &["games", "show", "abcd"],
        &["games", "export", "8888"],
        &["games", "export", "abcd"],
        &["games", "export", "abcd", exported.to_str().unwrap()],
    ] {
        let run = run_at_home(home.path(), arguments, "");
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.err);
        assert!(is_clean(&run.out) && is_clean(&run.err), "{arguments:?}: {:?}", run.out);
    }
    assert!(is_clean(&fs::read_to_string(&exported).unwrap()));
    let record = home.path().join("hostile.txt");
    let text =
        "# crosspath hex size=5\n# first: A\u{200b}n\u{9b}n\u{202e}\n1. c3 # a\u{2067}b\u{1b}c\n2. d4\n";
    fs::write(&record, text).unwrap();
    let sheet = run_to_end(crosspath(&["picture", "--sheet", record.to_str().unwrap()]), "");
    assert_eq!(sheet.code, Some(0), "{}", sheet.err);
    assert!(is_clean(&sheet.out));
    let json = run_to_end(crosspath(&["--mode", "3", "--json", record.to_str().unwrap()]), "");
    assert!(is_clean(&json.out), "{:?}", json.out);
}
