//! Golden transcripts of whole dialogues on pipes, without the words of sentences.

use std::fmt::Write as _;

use crate::support::{assert_golden, file, folder, run, without_players, without_words};

/// Appends the arguments and the output of a run to `text`. Times and temporary folder names are
/// masked.
fn append_transcript(text: &mut String, arguments: &[&str], input: &str, folder: &str) {
    let run = run(arguments, input);
    let mask = |text: &str| without_times(&text.replace(folder, "FOLDER"));
    let plain = |text: &str| without_words(&mask(text));
    let asked = mask(&arguments.join(" "));
    writeln!(
        text,
        "$ crosspath {asked}\n{}--- errors\n{}--- exit code {:?}\n",
        plain(&run.out),
        plain(&run.err),
        run.code
    )
    .unwrap();
}

/// Replaces the times of searches by 0.
fn without_times(text: &str) -> String {
    let mut masked = text.to_owned();
    for name in ["\"ms\":", ", time "] {
        let mut parts = masked.split(name);
        let mut rest = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let time = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            rest.extend([name, "0", time]);
        }
        masked = rest;
    }
    masked
}

const GAMES: [&[&str]; 3] = [
    &["--game", "tic-tac-toe", "--size", "4", "--level", "5"],
    &["--game", "hex", "--size", "5", "--level", "3"],
    &["--game", "quoridor", "--size", "5", "--walls", "4", "--level", "2"],
];
const LIMITS: [&str; 4] = ["--seed", "7", "--nodes", "300"];

fn bursts(lines: [&str; 3]) -> String {
    let mut text = String::new();
    for (game, lines) in GAMES.into_iter().zip(lines) {
        for mode in ["1", "2"] {
            let arguments = [game, &LIMITS, &["--mode", mode]].concat();
            append_transcript(&mut text, &arguments, &lines.replace(' ', "\n").replace('_', " "), "/nowhere");
        }
    }
    text
}

#[test]
fn every_move_of_a_burst_has_its_answer() {
    let text = bursts([
        "b2 zz c2 b2 a1 d4 c3 a3 d1 a4 b4 new a1 b2 c3 b1 a2 a4 c4 d1",
        "c3 swap c3 b4 d2 zz a5 b2 e1 e5 new c2 b2 swap d3 b3",
        "c2 e2h c4 c3v b3h zz c3 e9 c2 d3 c4 resign tak c2 c4",
    ]);
    assert_golden(&text, "tests/golden/bursts.txt");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn every_command_of_a_burst_has_its_answer() {
    let text = bursts([
        "b2 undo redo b2 c3 hint undo_2 goto_0 board goto_1 a1 where level level_3 d4 history redo undo_99 eval side_second hint",
        "c3 hint level_1 b2 undo goto_0 goto_9 next back redo goto_end where level_9 undo_2 redo_2 d4 moves hint",
        "c2 undo undo redo redo c2h hint level_classic c3 goto_1 legal goto_2 b1 where undo_3 level_4 hint quit c1",
    ]);
    assert_golden(&text, "tests/golden/words.txt");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn json_mode_answers_commands() {
    let mut text = String::new();
    let lines = [
        "b2\nhint\nundo\nredo\nzz\nwhere\ngoto 1\nlevel 2\na1\nresign\nnew\n",
        "c3\nhint\nlegal\nundo\nc2\nend\n",
    ];
    for (game, lines) in GAMES.into_iter().zip(lines.into_iter().cycle()) {
        for mode in ["1", "2"] {
            let arguments = [game, &LIMITS, &["--json", "--mode", mode]].concat();
            append_transcript(&mut text, &arguments, lines, "/nowhere");
        }
    }
    for game in GAMES {
        append_transcript(
            &mut text,
            &[game, &LIMITS, &["--json", "--mode", "4"]].concat(),
            "where\n",
            "/nowhere",
        );
    }
    assert_golden(&text, "tests/golden/json.txt");
}

#[test]
fn an_unplayable_replay_falls_back_to_a_game() {
    let folder = folder();
    let missing = folder.path().join("missing.txt");
    let head = "# crosspath tic-tac-toe size=3\n";
    let files = [
        missing.to_str().unwrap().to_owned(),
        file(&folder, "illegal.txt", format!("{head}1. a1 b2 2. a1 c3\n")),
        file(&folder, "early.txt", format!("{head}1. a1 b2 2. c3\n")),
        file(&folder, "surplus.txt", format!("{head}1. a1 b2 2. b1 c3 3. c1 c2\n")),
        file(&folder, "whole.txt", format!("{head}1. a1 b2 2. b1 c3 3. c1\n")),
        file(&folder, "digits.txt", "0 0 0 0 1 1"),
        file(&folder, "hex.txt", "# crosspath hex size=4\n1. b2 c2 2. z9\n"),
    ];
    let mut text = String::new();
    for path in &files {
        for options in [&[][..], &["--strict"], &["--json"], &["--stats"]] {
            let arguments = [&["--mode", "3", path], &LIMITS[..], options].concat();
            append_transcript(&mut text, &arguments, "b3\nundo\nwhere\n", folder.path().to_str().unwrap());
        }
    }
    assert_golden(&text, "tests/golden/fallbacks.txt");
}

/// A move that replaces another one keeps the old one in the file, in parentheses.
#[test]
fn variations_are_saved_and_loaded() {
    let folder = folder();
    let path = folder.path().join("game.txt");
    let path = path.to_str().unwrap();
    let mut text = String::new();
    for (game, size, lines, other) in [
        ("tic-tac-toe", "3", "b2\na1\nundo\nc3\n", "b3"),
        ("hex", "5", "c3\nb4\nundo\nd2\n", "b3"),
        ("quoridor", "5", "c2\nc4\nundo\nc2h\n", "d1"),
    ] {
        let arguments = ["--mode", "2", "--game", game, "--size", size];
        append_transcript(
            &mut text,
            &arguments,
            &format!("{lines}save {path}\n"),
            folder.path().to_str().unwrap(),
        );
        let saved = std::fs::read_to_string(path).unwrap();
        let more = format!("load {path}\nwhere\nundo 2\n{other}\nsave {path}\n");
        append_transcript(&mut text, &arguments, &more, folder.path().to_str().unwrap());
        let saved_again = std::fs::read_to_string(path).unwrap();
        let [saved, saved_again] = [saved, saved_again].map(|saved| without_players(&saved));
        writeln!(text, "saved:\n{saved}saved again:\n{saved_again}").unwrap();
        std::fs::remove_file(path).unwrap();
    }
    assert_golden(&text, "tests/golden/side_lines.txt");
}

#[cfg(unix)]
#[test]
fn a_match_of_two_engines_reads_no_input() {
    let script = "printf 'a\\nb\\n' | (\"$0\" --mode 4 --seed 7 --nodes 100 > /dev/null; cat)";
    let output = std::process::Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_crosspath")])
        .output()
        .unwrap();
    assert_eq!((String::from_utf8_lossy(&output.stdout).as_ref(), output.status.code()), ("a\nb\n", Some(0)));
}
