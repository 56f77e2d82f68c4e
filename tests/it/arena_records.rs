//! Games of a match on disk: none is lost or played twice, and the report can be reproduced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::sentences::{lasting, said};
use crate::support::{Run, SOON, crosspath, file, folder, run, wait_until};

const MATCH: &str = "arena --game quoridor --size 5 --engine a=level:3 --engine b=level:2 --nodes 60";

fn run_arena(base: &str, more: &str, out: Option<&Path>) -> Run {
    let mut arguments: Vec<&str> = base.split_whitespace().chain(more.split_whitespace()).collect();
    if let Some(path) = out {
        arguments.extend(["--out", path.to_str().unwrap()]);
    }
    run(&arguments, "")
}

/// Returns the games of a file by number, without times. Panics if a game occurs twice.
fn load_games(path: &Path) -> BTreeMap<(u64, u64), Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut games = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut game: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for timed in ["ms", "cpu_ms"] {
            game[timed] = Value::Null;
        }
        let key = (game["unit"].as_u64().unwrap(), game["game"].as_u64().unwrap());
        assert!(games.insert(key, game).is_none(), "{key:?} was played twice");
    }
    games
}

/// Returns a report without times.
fn report_without_times(report: &str) -> String {
    report.lines().map(|line| line.split(", time ").next().unwrap().to_owned() + "\n").collect()
}

#[test]
fn a_games_file_holds_each_game_once_and_reproduces_the_report() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let played = run_arena(MATCH, "--quiet --pairs 12", Some(&path));
    assert_eq!((played.code, played.err.as_str()), (Some(0), ""));
    let all = load_games(&path);
    assert_eq!(all.len(), 24);
    let report = run(&["arena", "--report", path.to_str().unwrap()], "");
    assert_eq!(
        (report.code, report_without_times(&report.out)),
        (Some(0), report_without_times(&played.out))
    );
    for ((unit, game), record) in &all {
        assert_eq!(record["first"] == "a", *game == 0, "{record}");
        let other = &all[&(*unit, 1 - game)];
        assert_eq!((&record["opening"], &record["seed"]), (&other["opening"], &other["seed"]));
        // By the rules, the moves lead to the recorded result.
        let words = |key: &str| record[key].as_array().unwrap().clone();
        let moves: Vec<Value> = words("opening").into_iter().chain(words("moves")).collect();
        assert_eq!(record["plies"], moves.len());
        let variant = crosspath::registry::Variant::of_size(5);
        let mut session = crosspath::registry::find_game("quoridor").unwrap().new_history(&variant).unwrap();
        for text in &moves {
            session.play(text.as_str().unwrap()).unwrap();
        }
        match session.outcome() {
            Some(crosspath::game::Outcome::Win(side)) => {
                assert_eq!(
                    (record["result"].as_str(), record["reason"].as_str()),
                    (Some(["first", "second"][side.index()]), Some("goal"))
                );
            }
            _ => assert_eq!((&record["result"], &record["reason"]), (&"draw".into(), &"repetition".into())),
        }
    }
    // The games are the same with any number of threads.
    for threads in [2, 3] {
        let other = folder.path().join(format!("{threads}.jsonl"));
        run_arena(MATCH, &format!("--quiet --pairs 12 --threads {threads}"), Some(&other));
        assert_eq!(load_games(&other), all, "{threads} threads");
    }
}

#[test]
fn existing_files_and_other_matches_are_not_overwritten_or_resumed() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    assert_eq!(run_arena(MATCH, "--quiet --pairs 12", Some(&path)).code, Some(0));
    let before = std::fs::read(&path).unwrap();
    let again = run_arena(MATCH, "--quiet --pairs 12", Some(&path));
    assert_eq!(
        (again.code, again.err.contains(said!("the-file-exists-go"))),
        (Some(2), true),
        "{}",
        again.err
    );
    for (more, what) in [
        ("--seed 2", said!("seed-is-there-and", "1", "2")),
        ("--openings random:2", said!("openings-is-there", "random:4")),
        ("--walls 1", "walls is "),
        ("--depth 3", "limits is "),
        ("--sprt 0,50", "sprt is "),
    ] {
        let other = run_arena(MATCH, &format!("--quiet --pairs 12 --resume {more}"), Some(&path));
        assert_eq!((other.code, other.err.contains(what)), (Some(2), true), "{more}: {}", other.err);
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // The match can be extended by more pairs, and no game is played twice.
    let more = run_arena(MATCH, "--quiet --resume --pairs 14", Some(&path));
    assert_eq!((more.code, load_games(&path).len()), (Some(0), 28), "{}", more.err);
    let wrong = file(&folder, "wrong.jsonl", "{}\n");
    let other = run_arena(MATCH, "--resume", Some(Path::new(&wrong)));
    assert_eq!((other.code, other.err.contains(said!("this-is-no-file"))), (Some(2), true), "{}", other.err);
    assert_eq!(run(&["arena", "--report", &wrong], "").code, Some(1));
    let nowhere = run_arena(MATCH, "", Some(Path::new("/no/such/folder/games.jsonl")));
    assert_eq!(nowhere.code, Some(75), "{}", nowhere.err);
}

#[test]
fn a_truncated_games_file_can_be_resumed() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let base = "arena --game tic-tac-toe --size 4 --engine a=level:2 --engine b=level:1 --pairs 3 --quiet";
    let whole = run_arena(base, "", Some(&path));
    let (bytes, all) = (std::fs::read(&path).unwrap(), load_games(&path));
    let header = bytes.iter().position(|byte| *byte == b'\n').unwrap();
    let step = bytes.len() / 5;
    for cut in [0, 1, header, header + 1].into_iter().chain((header + 40..bytes.len()).step_by(step)) {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let run = run_arena(base, "--resume", Some(&path));
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "cut at {cut}");
        assert_eq!(
            (load_games(&path), report_without_times(&run.out)),
            (all.clone(), report_without_times(&whole.out)),
            "cut at {cut}"
        );
    }
    // An invalid line in the middle is not taken for a truncated one.
    let mut text = String::from_utf8(bytes).unwrap();
    text.insert(header + 1, 'x');
    std::fs::write(&path, text).unwrap();
    let run = run_arena(base, "--resume", Some(&path));
    assert_eq!(
        (run.code, run.err.contains(lasting(format!(":2: {}", said!("this-line-is-no"))))),
        (Some(2), true),
        "{}",
        run.err
    );
}

fn kill_and_resume(base: &str, kills: u64) {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let whole = folder.path().join("whole.jsonl");
    let report = run_arena(base, "--quiet", Some(&whole));
    assert_eq!(report.code, Some(0), "{}", report.err);
    let words: Vec<&str> =
        base.split_whitespace().chain(["--quiet", "--resume", "--out", path.to_str().unwrap()]).collect();
    let mut shown = BTreeSet::new();
    for kill in 0..kills {
        let mut child = crosspath(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Some are killed before they have written anything, others after one or two games.
        let lines = || std::fs::read_to_string(&path).unwrap_or_default().lines().count();
        let (before, more) = (lines(), usize::try_from(kill % 3).unwrap());
        wait_until(SOON, "another game is written", || {
            lines() >= before + more || child.try_wait().unwrap().is_some()
        });
        child.kill().unwrap();
        child.wait().unwrap();
        // The contents of the file are preserved.
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines: BTreeSet<String> =
            text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect();
        assert!(lines.is_superset(&shown), "a game was lost");
        shown = lines;
    }
    let last = run(&words, "");
    assert_eq!(load_games(&path), load_games(&whole));
    assert_eq!(report_without_times(&last.out), report_without_times(&report.out));
}

#[test]
fn a_killed_match_resumes_without_losing_or_repeating_games() {
    kill_and_resume(
        "arena --game quoridor --size 7 --engine a=level:3 --engine b=level:2 --nodes 1000 --pairs 10 --threads 2",
        6,
    );
}

#[test]
#[ignore = "slow: a hundred kills"]
fn a_match_killed_100_times_resumes() {
    kill_and_resume(
        "arena --game quoridor --engine a=level:3 --engine b=level:2 --nodes 3000 --pairs 60 --threads 2",
        100,
    );
}

#[test]
fn round_robins_and_gauntlets_play_the_right_pairings() {
    let engines = "--engine a=level:3 --engine b=level:2 --engine c=level:1";
    let base = format!("arena --game tic-tac-toe --size 4 {engines} --pairs 6");
    let all = run_arena(&base, "", None);
    assert_eq!(all.code, Some(0), "{}", all.err);
    for met in ["a vs b: 12 games", "a vs c: 12 games", "b vs c: 12 games", "\nratings, 95% intervals\n"] {
        assert!(all.out.contains(met), "{}", all.out);
    }
    assert_eq!(all.out.lines().filter(|line| line.starts_with("pair ")).count(), 18);
    assert!(all.out.contains("pair 1: a "), "meetings take turns: {}", all.out);
    let gauntlet = run_arena(&base, "--gauntlet --anchor b=1500 --quiet", None);
    assert!(!gauntlet.out.contains("b vs c") && gauntlet.out.contains("+1500.0 ["), "{}", gauntlet.out);
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    let saved = run_arena(&base, "--gauntlet --quiet --json", Some(&path));
    let json: Value = serde_json::from_str(&saved.out).unwrap();
    assert_eq!(
        (json["meetings"].as_array().unwrap().len(), json["ratings"].as_array().unwrap().len()),
        (2, 3)
    );
    let again: Value =
        serde_json::from_str(&run(&["arena", "--json", "--report", path.to_str().unwrap()], "").out).unwrap();
    assert_eq!(json["ratings"], again["ratings"]);
    for (more, why) in [
        ("--engine a=level:4", "two engines are called a"),
        ("--sprt 0,20", said!("decides-between-two-engines", "3")),
        ("--anchor d=0", said!("there-is-no-engine-named", "d", "a, b, c")),
        ("--anchor a", "--anchor gpl=1500"),
        ("--anchor a=nan", "--anchor gpl=1500"),
        ("--nodes d=5", said!("there-is-no-engine-named", "d", "a, b, c")),
        ("--nodes a=x", said!("is-no-such-number")),
        ("--nodes 5 --nodes 6", said!("is-given-twice")),
        ("--movetime a=5x", said!("is-no-time")),
        ("--dir a=/tmp", said!("dir-is-for-external", "a")),
    ] {
        let refused = run_arena(&base, more, None);
        assert_eq!((refused.code, refused.err.contains(why)), (Some(2), true), "{more}: {}", refused.err);
    }
}

#[test]
fn limits_can_be_set_for_one_engine_by_name() {
    let base = "arena --game quoridor --size 5 --engine a=level:4 --engine b=level:3 --pairs 2 --quiet";
    let named = run_arena(base, "--nodes 60 --nodes a=200", None);
    let inside = base.replace("a=level:4", "a=level:4,nodes=200");
    assert_eq!(
        report_without_times(&named.out),
        report_without_times(&run_arena(&inside, "--nodes 60", None).out)
    );
}

#[test]
fn openings_of_a_file_are_used_in_one_shuffled_order() {
    let folder = folder();
    let list = file(&folder, "openings.txt", "# three openings\na1 b2\n\nb1 c3 # the second\nc1 a3\n");
    let path = folder.path().join("games.jsonl");
    let base = format!(
        "arena --game hex --size 5 --no-swap --engine a=level:3 --engine b=level:1 --pairs 7 --quiet --openings {list}"
    );
    let run = run_arena(&base, "", Some(&path));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let openings: Vec<String> =
        load_games(&path).values().step_by(2).map(|game| game["opening"].to_string()).collect();
    assert_eq!(openings[..3].iter().collect::<BTreeSet<_>>().len(), 3, "each comes before one comes again");
    assert_eq!((&openings[3..6], &openings[6]), (&openings[..3], &openings[0]));
    for (text, why) in [
        ("a1 b2\na1 z9\n", ":2: "),
        ("a1 a1\n", ":1: "),
        ("# nothing\n", said!("it-holds-no-opening")),
        ("a1 b1 a2 b2 a3 b3 a4 b4 a5\n", lasting(format!(":1: {}", said!("the-game-is-over")))),
    ] {
        let list = file(&folder, "wrong.txt", text);
        let run = run_arena(
            "arena --game hex --size 5 --engine a=level:3 --engine b=level:1 --openings",
            &list,
            None,
        );
        assert_eq!((run.code, run.err.contains(why)), (Some(2), true), "{text:?}: {}", run.err);
    }
    let missing =
        run_arena("arena --engine a=level:3 --engine b=level:1 --openings no/such/file.txt", "", None);
    assert_eq!(
        (missing.code, missing.err.contains(said!("no-such-file"))),
        (Some(2), true),
        "{}",
        missing.err
    );
}

#[test]
fn balanced_openings_are_even_and_can_be_written_to_a_file() {
    let folder = folder();
    let path = folder.path().join("list.txt");
    let base = "arena --game quoridor --size 5 --openings balanced:3 --pairs 20 --write-openings";
    let run = run_arena(base, path.to_str().unwrap(), None);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: BTreeSet<&str> = text.lines().skip(1).collect();
    assert_eq!(
        (lines.len(), text.lines().next().unwrap()),
        (20, "# 20 openings of Quoridor, balanced:3, seed 1")
    );
    assert!(lines.iter().all(|line| line.split(' ').count() == 3));
    let path: PathBuf = path;
    let list = format!(
        "arena --game quoridor --size 5 --engine a=level:2 --engine b=level:1 --pairs 3 --openings {}",
        path.display()
    );
    assert_eq!(run_arena(&list, "", None).code, Some(0));
    let chanceless =
        run_arena("arena --size 3 --engine a=level:2 --engine b=level:1 --openings balanced:9", "", None);
    assert_eq!(
        (chanceless.code, chanceless.err.contains(said!("is-balanced"))),
        (Some(2), true),
        "{}",
        chanceless.err
    );
}

#[test]
fn an_engine_against_itself_scores_exactly_one_half() {
    for (game, size) in [("hex", "5"), ("quoridor", "5"), ("tic-tac-toe", "5")] {
        let base = format!(
            "arena --game {game} --size {size} --engine a=level:3 --engine b=level:3 --nodes 50 --pairs 8 --quiet"
        );
        let out = run_arena(&base, "", None).out;
        assert!(out.contains("\nscore 50.0%, "), "{game}: {out}");
        let pairs = out
            .lines()
            .find_map(|line| line.strip_prefix(lasting(format!("{} ", said!("pairs-ll-ld-dd")))))
            .unwrap();
        let [ll, ld, dd, wd, ww] = serde_json::from_str::<[u64; 5]>(pairs).unwrap();
        assert!(dd > 0 && [ll, ld, wd, ww] == [0; 4], "{game}: every pair is even: {pairs}");
    }
}

#[test]
fn cpu_time_limits_a_level() {
    let base =
        "arena --game quoridor --engine a=level:4 --engine b=level:3 --pairs 1 --quiet --json --max-plies 12";
    let mean = |more: &str| -> f64 {
        let json: Value = serde_json::from_str(&run_arena(base, more, None).out).unwrap();
        json["cpu_ms"][0].as_f64().unwrap() / json["moves"][0].as_f64().unwrap()
    };
    let (short, long) = (mean("--cpu-time a=5ms"), mean("--cpu-time a=60ms"));
    assert!(short < 30.0 && long > 40.0 && long < 200.0, "{short} and {long} ms");
}

#[test]
fn the_committed_openings_are_distinct_and_playable() {
    for (game, board, list) in [
        ("hex", "--no-swap", "openings/hex-11x11.txt"),
        ("quoridor", "", "openings/quoridor-9x9.txt"),
        ("tic-tac-toe", "--size 7 --win-length 5", "openings/tic-tac-toe-7x7-5.txt"),
    ] {
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(list)).unwrap();
        let lines: BTreeSet<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= 300 && lines.len() == text.lines().count() - 1, "{list}: {}", lines.len());
        let base = format!(
            "arena --game {game} {board} --engine a=level:2 --engine b=level:1 --pairs 2 --quiet --openings {list}"
        );
        let run = run_arena(&base, "", None);
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
}

#[test]
#[cfg(unix)]
fn contradicting_lines_and_concurrent_arenas_are_refused() {
    let folder = folder();
    let path = folder.path().join("games.jsonl");
    assert_eq!(run_arena(MATCH, "--quiet --pairs 3", Some(&path)).code, Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    let last = text.lines().last().unwrap();
    // A repeated line is accepted, but one with another result is not.
    std::fs::write(&path, format!("{text}{last}\n")).unwrap();
    assert_eq!(run(&["arena", "--report", path.to_str().unwrap()], "").code, Some(0));
    std::fs::write(&path, format!("{text}{}\n", last.replace("\"goal\"", "\"resign\""))).unwrap();
    let report = run(&["arena", "--report", path.to_str().unwrap()], "");
    assert_eq!(
        (report.code, report.err.contains(lasting(format!(":8: {}", said!("this-game-stands-further"))))),
        (Some(1), true),
        "{}",
        report.err
    );
    assert_eq!(run(&["arena", "--report", "/dev/zero"], "").code, Some(1));
    // A second arena cannot use a file that is being written.
    std::fs::write(&path, &text).unwrap();
    let held = std::fs::File::open(&path).unwrap();
    rustix::fs::flock(&held, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let other = run_arena(MATCH, "--quiet --pairs 3 --resume", Some(&path));
    assert_eq!(
        (other.code, other.err.contains(said!("another-arena-writes-this"))),
        (Some(75), true),
        "{}",
        other.err
    );
    drop(held);
    let mine = file(&folder, "mine.txt", "precious\n");
    let again = run_arena("arena --game hex --size 5 --pairs 3 --write-openings", &mine, None);
    assert_eq!((again.code, again.err.contains(said!("the-file-exists"))), (Some(2), true), "{}", again.err);
}

#[test]
fn records_and_jobs_share_the_form_of_limits_and_settings() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let engines = ["--engine", "a=level:1,cpu-time=900ms", "--engine", "b=level:1", "--movetime", "1500ms"];
    let flags = ["arena", "--game", "hex", "--size", "3", "--pairs", "1", "--quiet", "--depth", "1"];
    for (more, place) in [("--out", "games"), ("--write-job", "job")] {
        let run = run(&[&flags[..], &engines, &[more, &path(place)]].concat(), "");
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    let read = |name: &str| -> serde_json::Value {
        let text = std::fs::read_to_string(path(name)).unwrap();
        serde_json::from_str(text.lines().next().unwrap()).unwrap()
    };
    let (header, job) = (read("games"), read("job"));
    assert_eq!(header["limits"], serde_json::json!({"depth": 1, "movetime_ms": 1500}));
    assert_eq!(header["engines"][0]["limits"], serde_json::json!({"cpu_time_ms": 900}));
    assert_eq!(job["limits"], header["limits"]);
    assert_eq!(job["settings"], serde_json::json!({"size": 3, "swap": true}));
    assert_eq!([&header["size"], &header["swap"]], [&job["settings"]["size"], &job["settings"]["swap"]]);
}

/// Files of the first version name the time limits differently and hold whole milliseconds.
#[test]
fn games_files_of_the_first_version_are_read() {
    let place = folder();
    let engines = r#"[{"name":"a","spec":"level:3","limits":{}},{"name":"b","spec":"level:1","limits":{"cpu-time":100}}]"#;
    let game = |game: u8, [first, second]: [&str; 2], result: &str, more: &str| {
        format!(
            r#"{{"unit":0,"game":{game},"first":"{first}","second":"{second}","opening":["b2"],"moves":["a1","c3","a3","a2","c2"],"result":"{result}","reason":"full","forfeit":null,"plies":6,"nodes":[7,9],"ms":[12,0],"cpu_ms":[null,1],"seed":"5"{more}}}"#
        )
    };
    let header = format!(
        r#"{{"crosspath":"arena","schema":1,"version":"0.1.0","bench":"0 nodes","game":"tic-tac-toe","size":3,"seed":"1","limits":{{"movetime":500}},"openings":"random:1","engines":{engines},"gauntlet":false,"sprt":[],"max_plies":10000,"plan":"0123456789abcdef"}}"#
    );
    let games = [game(0, ["a", "b"], "first", ""), game(1, ["b", "a"], "draw", "")];
    let lines = [header.as_str(), &games[0], &games[1], ""].join("\n");
    let report = |text: &str| run(&["arena", "--report", &file(&place, "games", text)], "");
    let reported = report(&lines);
    assert_eq!((reported.code, reported.err.as_str()), (Some(0), ""), "{}", reported.out);
    assert!(reported.out.contains("pairs LL LD DD WD WW [0, 0, 0, 1, 0]"), "{}", reported.out);
    assert!(reported.out.contains("nodes per move a 3, b 3, time a 2.40 ms"), "{}", reported.out);
    // The side at fault and its fault are given together.
    let lost = lines.replacen("\"forfeit\":null", "\"forfeit\":\"second\"", 1);
    assert_eq!(report(&lost).code, Some(1), "nothing says what it did");
    let why =
        lost.replacen("\"seed\":\"5\"}", "\"seed\":\"5\",\"fault\":\"crash\",\"said\":\"it ended\"}", 1);
    let why = report(&why);
    assert!(why.code == Some(1) && why.out.contains("b 1 (crash 1)"), "{}{}", why.out, why.err);
}
