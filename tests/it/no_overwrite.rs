//! No command overwrites a file without `--force`.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use crosspath::journal::format_journal_line;
use serde_json::json;

use crate::bounded::run_at_home;
use crate::support::{SOON, crosspath, end_within, file, folder, run};

/// Text of a file that must not be overwritten.
const FOREIGN_TEXT: &str = "somebody's work, without an end of line";

/// Checks that a command does not overwrite a file, and does with `--force`.
#[track_caller]
fn assert_overwritten_only_with_force(place: &Path, name: &str, arguments: &[&str], flag: &str) {
    let path = place.join(name);
    fs::write(&path, FOREIGN_TEXT).unwrap();
    let shown = path.to_str().unwrap();
    let named = if flag.is_empty() { vec![shown] } else { vec![flag, shown] };
    let command = [arguments, &named].concat();
    let refused = run_at_home(place, &command, "");
    assert!(
        matches!(refused.code, Some(1 | 2)),
        "{command:?}: {:?} {}{}",
        refused.code,
        refused.out,
        refused.err
    );
    assert!(refused.err.contains(name), "the file is named: {}", refused.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), FOREIGN_TEXT, "{command:?}");
    let forced = run_at_home(place, &[&command[..], &["--force"]].concat(), "");
    assert_eq!(forced.code, Some(0), "{command:?} --force: {}{}", forced.out, forced.err);
    assert_ne!(fs::read_to_string(&path).unwrap_or_default(), FOREIGN_TEXT, "{command:?} --force");
}

const MATCH_ARGUMENTS: [&str; 10] = [
    "arena",
    "--game",
    "tic-tac-toe",
    "--engine",
    "a=level:1",
    "--engine",
    "b=level:2",
    "--pairs",
    "1",
    "--quiet",
];

#[test]
fn proofs_and_pictures_overwrite_files_only_with_force() {
    let place = folder();
    assert_overwritten_only_with_force(
        place.path(),
        "proof.txt",
        &["solve", "--game", "hex", "--size", "3"],
        "--proof",
    );
    assert_overwritten_only_with_force(
        place.path(),
        "board.svg",
        &["picture", "--game", "hex", "--size", "3", "--moves", "a1"],
        "--out",
    );
}

#[test]
fn a_match_overwrites_files_only_with_force() {
    let place = folder();
    assert_overwritten_only_with_force(place.path(), "games.jsonl", &MATCH_ARGUMENTS, "--out");
    assert_overwritten_only_with_force(place.path(), "job.json", &MATCH_ARGUMENTS, "--write-job");
    assert_overwritten_only_with_force(
        place.path(),
        "openings.txt",
        &["arena", "--game", "hex", "--pairs", "2"],
        "--write-openings",
    );
    let games = place.path().join("games.jsonl");
    assert_overwritten_only_with_force(
        place.path(),
        "page.html",
        &["arena", "--report", games.to_str().unwrap()],
        "--html",
    );
}

/// A resumed match writes only to a file that starts as a file of games does.
#[test]
fn resuming_a_match_does_not_overwrite_other_files() {
    let place = folder();
    let path = place.path().join("games.jsonl");
    let resumed = [&MATCH_ARGUMENTS[..], &["--resume", "--out", path.to_str().unwrap()]].concat();
    fs::write(&path, FOREIGN_TEXT).unwrap();
    let refused = run_at_home(place.path(), &resumed, "");
    assert_eq!(refused.code, Some(2), "{}{}", refused.out, refused.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), FOREIGN_TEXT);
    fs::remove_file(&path).unwrap();
    assert_eq!(run_at_home(place.path(), &resumed, "").code, Some(0));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..20]).unwrap();
    assert_eq!(run_at_home(place.path(), &resumed, "").code, Some(0), "a torn header is begun anew");
    assert!(fs::read(&path).unwrap().starts_with(&whole[..20]));
}

#[test]
fn jobs_and_shards_overwrite_files_only_with_force() {
    let place = folder();
    let games = ["selfplay", "--game", "tic-tac-toe", "--games", "1", "--nodes", "10", "--quiet"];
    assert_overwritten_only_with_force(place.path(), "one.shard", &games, "--out");
    assert_overwritten_only_with_force(place.path(), "job.json", &games, "--write-job");
    let (job, shard) = (place.path().join("job.json"), place.path().join("one.shard"));
    let (job, shard) = (job.to_str().unwrap(), shard.to_str().unwrap());
    let work = ["work", "--job", job, "--index", "0", "--count", "1"];
    assert_overwritten_only_with_force(place.path(), "part.shard", &work, "--out");
    assert_overwritten_only_with_force(place.path(), "whole.shard", &["merge", "--job", job, shard], "--out");
}

#[test]
fn tuning_overwrites_a_foreign_curve_only_with_force() {
    let place = folder();
    let out = place.path().join("tuning");
    fs::create_dir(&out).unwrap();
    let curve = out.join("curve.csv");
    fs::write(&curve, FOREIGN_TEXT).unwrap();
    let tuning = [
        "tune",
        "--game",
        "hex",
        "--size",
        "3",
        "--nodes",
        "2",
        "--iterations",
        "1",
        "--probes",
        "1",
        "--parameter",
        "exploration=1,0.2,4,0.1,0.02",
        "--out",
        out.to_str().unwrap(),
    ];
    let refused = run(&tuning, "");
    assert_eq!(refused.code, Some(2), "{}{}", refused.out, refused.err);
    assert_eq!(fs::read_to_string(&curve).unwrap(), FOREIGN_TEXT);
    let forced = run(&[&tuning[..], &["--force"]].concat(), "");
    assert_eq!(forced.code, Some(0), "{}{}", forced.out, forced.err);
    assert!(fs::read_to_string(&curve).unwrap().starts_with("iteration,"));
    // A repeated tuning continues its own curve.
    assert_eq!(run(&tuning, "").code, Some(0));
}

#[test]
fn an_exported_game_overwrites_a_file_only_with_force() {
    let place = folder();
    let games = place.path().join("crosspath");
    fs::create_dir(&games).unwrap();
    let start = json!({"seq": 0, "kind": "start", "format": 1, "game": "tic-tac-toe", "size": "3", "mode": 2,
        "seats": ["human", "human"], "level": "4", "seed": "1", "version": "0", "started": "2026-11-27T02:41:22Z"});
    let mv =
        json!({"seq": 1, "kind": "move", "id": 1, "parent": 0, "side": "first", "move": "b2", "by": "human"});
    fs::write(
        games.join("live-00112233445566aa.journal"),
        format_journal_line(&start) + &format_journal_line(&mv),
    )
    .unwrap();
    assert_overwritten_only_with_force(place.path(), "game.txt", &["games", "export", "0011"], "");
}

#[test]
fn a_gtp_engine_overwrites_only_its_own_files() {
    let place = folder();
    let own = file(&place, "own.sgf", "");
    fs::remove_file(&own).unwrap();
    let other = file(&place, "other.sgf", FOREIGN_TEXT);
    let input = format!("play b c3\nsavesgf {other}\nsavesgf {own}\nplay w d3\nsavesgf {own}\nquit\n");
    let run = run(&["engine", "--protocol", "gtp", "--level", "1"], input);
    let answers: Vec<&str> = run.out.lines().filter(|line| !line.is_empty()).map(str::trim).collect();
    assert_eq!(answers, ["=", "? file exists", "=", "=", "=", "="]);
    assert_eq!(fs::read_to_string(&other).unwrap(), FOREIGN_TEXT);
    assert!(fs::read_to_string(&own).unwrap().contains("W["), "the second game is there");
    // A file that another program has written meanwhile is not overwritten, even if it has the same
    // length.
    for theirs in [FOREIGN_TEXT.to_owned(), fs::read_to_string(&own).unwrap().replace("W[", "B[")] {
        fs::remove_file(&own).unwrap();
        let mut engine = crosspath(&["engine", "--protocol", "gtp", "--level", "1"]);
        let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut input, output) = (engine.stdin.take().unwrap(), engine.stdout.take().unwrap());
        let mut answers = BufReader::new(output).lines().map(Result::unwrap).filter(|line| !line.is_empty());
        writeln!(input, "play b c3\nplay w d3\nsavesgf {own}").unwrap();
        assert_eq!(answers.by_ref().nth(2).unwrap().trim(), "=");
        fs::write(&own, &theirs).unwrap();
        writeln!(input, "savesgf {own}\nquit").unwrap();
        assert_eq!(answers.next().unwrap().trim(), "? file exists");
        assert!(end_within(SOON, engine).success());
        assert_eq!(fs::read_to_string(&own).unwrap(), theirs);
    }
    // A second run of the program has written no file yet, so it overwrites neither.
    let again =
        crate::support::run(&["engine", "--protocol", "gtp", "--level", "1"], format!("savesgf {own}\n"));
    assert_eq!(again.out.trim(), "? file exists");
}
