//! No command replaces a file unasked; `--force` does.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use crosspath::journal::line;
use serde_json::json;

use crate::bounded::at_home;
use crate::support::{SOON, crosspath, end_within, file, folder, run};

/// Text of a file that must not be replaced.
const MINE: &str = "somebody's work, without an end of line";

/// Checks that a command leaves a file alone, and replaces it with `--force`.
#[track_caller]
fn is_kept(place: &Path, name: &str, arguments: &[&str], flag: &str) {
    let path = place.join(name);
    fs::write(&path, MINE).unwrap();
    let shown = path.to_str().unwrap();
    let named = if flag.is_empty() { vec![shown] } else { vec![flag, shown] };
    let asked = [arguments, &named].concat();
    let refused = at_home(place, &asked, "");
    assert!(
        matches!(refused.code, Some(1 | 2)),
        "{asked:?}: {:?} {}{}",
        refused.code,
        refused.out,
        refused.err
    );
    assert!(refused.err.contains(name), "the file is named: {}", refused.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), MINE, "{asked:?}");
    let forced = at_home(place, &[&asked[..], &["--force"]].concat(), "");
    assert_eq!(forced.code, Some(0), "{asked:?} --force: {}{}", forced.out, forced.err);
    assert_ne!(fs::read_to_string(&path).unwrap_or_default(), MINE, "{asked:?} --force");
}

const MATCH: [&str; 10] = [
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
fn a_proof_and_a_picture_replace_nothing_unasked() {
    let place = folder();
    is_kept(place.path(), "proof.txt", &["solve", "--game", "hex", "--size", "3"], "--proof");
    is_kept(
        place.path(),
        "board.svg",
        &["picture", "--game", "hex", "--size", "3", "--moves", "a1"],
        "--out",
    );
}

#[test]
fn a_match_replaces_nothing_unasked() {
    let place = folder();
    is_kept(place.path(), "games.jsonl", &MATCH, "--out");
    is_kept(place.path(), "job.json", &MATCH, "--write-job");
    is_kept(place.path(), "openings.txt", &["arena", "--game", "hex", "--pairs", "2"], "--write-openings");
    let games = place.path().join("games.jsonl");
    is_kept(place.path(), "page.html", &["arena", "--report", games.to_str().unwrap()], "--html");
}

/// Only a file that is the beginning of a file of games may be written again.
#[test]
fn a_match_that_is_resumed_empties_no_file_of_others() {
    let place = folder();
    let path = place.path().join("games.jsonl");
    let resumed = [&MATCH[..], &["--resume", "--out", path.to_str().unwrap()]].concat();
    fs::write(&path, MINE).unwrap();
    let refused = at_home(place.path(), &resumed, "");
    assert_eq!(refused.code, Some(2), "{}{}", refused.out, refused.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), MINE);
    fs::remove_file(&path).unwrap();
    assert_eq!(at_home(place.path(), &resumed, "").code, Some(0));
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..20]).unwrap();
    assert_eq!(at_home(place.path(), &resumed, "").code, Some(0), "a torn header is begun anew");
    assert!(fs::read(&path).unwrap().starts_with(&whole[..20]));
}

#[test]
fn jobs_and_shards_replace_nothing_unasked() {
    let place = folder();
    let games = ["selfplay", "--game", "tic-tac-toe", "--games", "1", "--nodes", "10", "--quiet"];
    is_kept(place.path(), "one.shard", &games, "--out");
    is_kept(place.path(), "job.json", &games, "--write-job");
    let (job, shard) = (place.path().join("job.json"), place.path().join("one.shard"));
    let (job, shard) = (job.to_str().unwrap(), shard.to_str().unwrap());
    let work = ["work", "--job", job, "--index", "0", "--count", "1"];
    is_kept(place.path(), "part.shard", &work, "--out");
    is_kept(place.path(), "whole.shard", &["merge", "--job", job, shard], "--out");
}

#[test]
fn a_tuning_replaces_no_curve_of_others() {
    let place = folder();
    let out = place.path().join("tuning");
    fs::create_dir(&out).unwrap();
    let curve = out.join("curve.csv");
    fs::write(&curve, MINE).unwrap();
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
    assert_eq!(fs::read_to_string(&curve).unwrap(), MINE);
    let forced = run(&[&tuning[..], &["--force"]].concat(), "");
    assert_eq!(forced.code, Some(0), "{}{}", forced.out, forced.err);
    assert!(fs::read_to_string(&curve).unwrap().starts_with("iteration,"));
    // The same tuning goes on with its own curve.
    assert_eq!(run(&tuning, "").code, Some(0));
}

#[test]
fn a_game_that_is_exported_replaces_nothing_unasked() {
    let place = folder();
    let games = place.path().join("crosspath");
    fs::create_dir(&games).unwrap();
    let start = json!({"seq": 0, "kind": "start", "format": 1, "game": "tic-tac-toe", "size": "3", "mode": 2,
        "seats": ["human", "human"], "level": "4", "seed": "1", "version": "0", "started": "2026-11-27T02:41:22Z"});
    let mv =
        json!({"seq": 1, "kind": "move", "id": 1, "parent": 0, "side": "first", "move": "b2", "by": "human"});
    fs::write(games.join("live-00112233445566aa.journal"), line(&start) + &line(&mv)).unwrap();
    is_kept(place.path(), "game.txt", &["games", "export", "0011"], "");
}

#[test]
fn an_engine_for_others_replaces_only_what_it_has_written() {
    let place = folder();
    let own = file(&place, "own.sgf", "");
    fs::remove_file(&own).unwrap();
    let other = file(&place, "other.sgf", MINE);
    let said = format!("play b c3\nsavesgf {other}\nsavesgf {own}\nplay w d3\nsavesgf {own}\nquit\n");
    let run = run(&["engine", "--protocol", "gtp", "--level", "1"], said);
    let answers: Vec<&str> = run.out.lines().filter(|line| !line.is_empty()).map(str::trim).collect();
    assert_eq!(answers, ["=", "? file exists", "=", "=", "=", "="]);
    assert_eq!(fs::read_to_string(&other).unwrap(), MINE);
    assert!(fs::read_to_string(&own).unwrap().contains("W["), "the second game is there");
    // What somebody else has put in its place meanwhile is theirs, also where it is as long.
    for theirs in [MINE.to_owned(), fs::read_to_string(&own).unwrap().replace("W[", "B[")] {
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
    // Another run of the program has written neither.
    let again =
        crate::support::run(&["engine", "--protocol", "gtp", "--level", "1"], format!("savesgf {own}\n"));
    assert_eq!(again.out.trim(), "? file exists");
}
