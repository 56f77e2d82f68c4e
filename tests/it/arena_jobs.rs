//! Matches as jobs: the shards together give the games and the report of the match, and external
//! programs are started only with permission.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crosspath::arena::jobs::shard::Shard;
use crosspath::arena::jobs::{ArenaJob, JobKindSpec, JobReport};
use crosspath::arena::kinds::JOB_KINDS;
use crosspath::registry::GAMES;

use crate::sentences::{lasting, said};
use crate::shards::{JOBS, assert_job_refused, refused, with_each_bit_flipped};
use crate::support::{Run, file, folder, run};

const ARENA: &str = JOBS[3].1;

fn arena_job_kind() -> &'static JobKindSpec {
    JOB_KINDS.iter().find(|kind| kind.name == "arena").unwrap()
}

fn parse_job(text: &str) -> ArenaJob {
    ArenaJob::parse(GAMES, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn make_report(shard: &Shard) -> JobReport {
    (arena_job_kind().report)(GAMES, shard).unwrap()
}

/// Returns a shard with the selected units of another one and the same header.
fn select_units(shard: &Shard, is_there: impl Fn(u32) -> bool) -> Shard {
    Shard::new(shard.header.clone(), shard.units().filter(|(unit, _)| is_there(*unit)))
}

/// Folder for the files of a job.
struct JobFolder(tempfile::TempDir);

impl JobFolder {
    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn run_work(&self, job: &str, index: u32, count: u32, out: &str, more: &[&str]) -> Run {
        let (job, out) = (self.path(job), self.path(out));
        let (index, count) = (index.to_string(), count.to_string());
        let flags = ["work", "--job", &job, "--index", &index, "--count", &count, "--out", &out];
        run(&[&flags[..], more].concat(), "")
    }
}

/// Returns a game without its times, which differ between runs.
fn game_without_times(mut game: Value) -> Value {
    for key in ["ms", "cpu_ms"] {
        game.as_object_mut().unwrap().shift_remove(key);
    }
    game
}

/// Returns a report without its times.
fn report_without_times(report: &str) -> String {
    report.lines().map(|line| line.split(", time ").next().unwrap().to_owned() + "\n").collect()
}

#[test]
fn a_match_job_produces_the_games_and_report_of_the_match() {
    let place = JobFolder(folder());
    let list = file(&place.0, "openings.txt", "# two\na1 c3\n\nb2 b3 # the second\n");
    let listed = format!("--openings {list} --max-plies 20");
    let cases = [
        ("quoridor", "--size 5 --engine a=level:3 --engine b=level:2 --nodes 60 --nodes b=30", "--pairs 7"),
        ("hex", "--size 4 --no-swap --engine a=level:3 --engine b=classic --nodes 40", listed.as_str()),
        ("tic-tac-toe", "--size 4 --engine a=level:4 --engine b=level:1,nodes=50", "--sprt 0,100 --depth 2"),
        (
            "tic-tac-toe",
            "--size 4 --engine a=level:3 --engine b=level:2,seed=5 --engine c=level:1",
            "--gauntlet --pairs 5 --openings balanced:3 --nodes 100",
        ),
    ];
    for (number, (game, engines, more)) in cases.into_iter().enumerate() {
        let name = |what: &str| format!("{what}{number}");
        let words = format!("arena --game {game} --quiet --seed 3 {engines} {more}");
        let match_ = |flags: &[&str]| run(&[&words.split(' ').collect::<Vec<_>>()[..], flags].concat(), "");
        let played = match_(&["--out", &place.path(&name("games"))]);
        assert_eq!((played.code, played.err.as_str()), (Some(0), ""), "{words}");
        let written = match_(&["--write-job", &place.path(&name("job"))]);
        assert_eq!((written.code, written.out + &written.err), (Some(0), String::new()), "{words}");
        for index in 0..3 {
            let work = place.run_work(&name("job"), index, 3, &format!("{number}.{index}"), &[]);
            assert_eq!((work.code, work.out + &work.err), (Some(0), String::new()), "{words}");
        }
        let parts: Vec<String> = (0..3).map(|index| place.path(&format!("{number}.{index}"))).collect();
        let merge = |flags: &[&str]| {
            run(&[&["merge"], flags, &parts.iter().map(String::as_str).collect::<Vec<_>>()].concat(), "")
        };
        let merged = merge(&["--out", &place.path(&name("whole"))]);
        assert_eq!((merged.code, merged.err.as_str()), (Some(0), ""), "{words}");
        assert_eq!(merged.out, report_without_times(&played.out), "{words}");
        let shard = Shard::load(place.path(&name("whole")).as_ref()).unwrap();
        assert_eq!(shard.header.get("deterministic"), true);
        // Apart from times, the JSON report of the merge contains that of the match.
        let again = run(&["arena", "--json", "--report", &place.path(&name("games"))], "");
        let [ours, theirs] =
            [&merge(&["--json"]).out, &again.out].map(|text| json_report_without_times(text));
        for (key, value) in theirs.as_object().unwrap() {
            assert_eq!(ours[key], *value, "{key} of {words}");
        }
        assert_eq!((&ours["missing"], &ours["prefix"]), (&"".into(), &shard.header.units.into()));
        // The match may have ended before the last pair of the job. The games that it played are the same.
        let mut units = BTreeMap::new();
        for (_, line) in shard.units() {
            let line: Value = serde_json::from_slice(line).unwrap();
            for game in line["games"].as_array().unwrap() {
                assert!(game.get("ms").is_none() && game.get("cpu_ms").is_none());
                units.insert((game["unit"].as_u64(), game["game"].as_u64()), game.clone());
            }
        }
        let text = fs::read_to_string(place.path(&name("games"))).unwrap();
        let games: Vec<Value> = text
            .lines()
            .skip(1)
            .map(|line| game_without_times(serde_json::from_str(line).unwrap()))
            .collect();
        assert!(games.len() >= 14 && games.len() <= units.len(), "{words}");
        for game in games {
            assert_eq!(units[&(game["unit"].as_u64(), game["game"].as_u64())], game, "{words}");
        }
    }
}

/// Returns a report as JSON without its times.
fn json_report_without_times(text: &str) -> Value {
    let mut report: Value = serde_json::from_str(text).unwrap();
    let meetings = report.get("meetings").map_or(0, |all| all.as_array().unwrap().len());
    for meeting in 0..meetings {
        report["meetings"][meeting] = game_without_times(report["meetings"][meeting].take());
    }
    game_without_times(report)
}

#[test]
fn invalid_job_flags_are_refused_and_write_nothing() {
    let place = JobFolder(folder());
    let out = place.path("job");
    let base = ["arena", "--engine", "a=level:3", "--engine", "b=level:1", "--write-job", &out];
    for (more, why) in [
        (&["--pairs", "0"][..], said!("its-units-are-not")),
        (&["--pairs", "1000000001"], said!("pairs-of-games-are", "1000000001")),
        (&["--max-plies", "0"], "max_plies must be 1 to 10000"),
        (&["--out", "x"], "cannot be used with"),
        (&["--report", "x"], "cannot be used with"),
    ] {
        let refused = run(&[&base[..], more].concat(), "");
        assert_eq!((refused.code, refused.err.contains(why)), (Some(2), true), "{more:?}: {}", refused.err);
        assert!(!fs::exists(&out).unwrap());
    }
    fs::write(&out, "a1 b2\n").unwrap();
    let onto = run(&base, "");
    assert_eq!((onto.code, onto.err.contains(said!("it-stays-as-it"))), (Some(1), true), "{}", onto.err);
}

#[test]
fn the_verdict_uses_the_longest_gapless_prefix() {
    let text =
        ARENA.replace("\"units\":8", "\"units\":60").replace("\"openings\":[\"a1\",\"b2 a1\",\"b1\"],", "");
    let text = text.replace("\"size\":3", "\"size\":5").replace("[0,50]", "[0,200]");
    let whole = parse_job(&text).compute_shard(0, 1, 2).unwrap();
    let all = make_report(&whole);
    assert_eq!((&all.json["verdict"], &all.json["prefix"]), (&"H1".into(), &60.into()), "{}", all.words);
    let counted = all.json["pairs"].as_u64().unwrap() + all.json["duplicates"].as_u64().unwrap();
    assert!((16..60).contains(&counted), "the test ends where it is decided: {counted}");
    let gap = u32::try_from(counted).unwrap();
    // Games after the decision or after a gap change nothing.
    for (missing, verdict, prefix) in
        [(gap, "H1", gap), (gap - 1, "none", gap - 1), (3, "none", 3), (0, "none", 0)]
    {
        let some = make_report(&select_units(&whole, |unit| unit != missing));
        assert_eq!((&some.json["verdict"], &some.json["prefix"]), (&verdict.into(), &prefix.into()));
        let before = make_report(&select_units(&whole, |unit| unit < missing));
        assert_eq!(some.json, before.json);
        let line = format!("{}\n", said!("counted-are-the-first", prefix, "59"));
        assert_eq!(some.words, before.words + &line);
    }
    let [ours, decided] =
        [all.json, make_report(&select_units(&whole, |unit| unit < gap)).json].map(|mut json| {
            json.shift_remove("prefix");
            json
        });
    assert_eq!(ours, decided);
}

/// Returns fields to replace in a job, and the resulting messages.
fn invalid_fields() -> [(&'static str, &'static str, &'static str); 34] {
    [
        (r#""engines":[{"#, r#""engine":[{"#, "missing field `engines`"),
        (r#"{"name":"b","spec":"level:1,nodes=9"}"#, "", said!("it-is-no-json")),
        (r#",{"name":"b","spec":"level:1,nodes=9"}"#, "", said!("two-engines-or-more")),
        (
            r#"{"name":"b","spec":"level:1,nodes=9"}"#,
            "7",
            "engines[1]: invalid type: integer `7`, expected an engine such as",
        ),
        (r#""name":"b""#, r#""name":7"#, "engines[1].name: invalid type: integer `7`, expected a string"),
        (r#""name":"b","#, "", "engines[1]: missing field `name`"),
        (r#""name":"b""#, r#""name":"""#, said!("engine-its-name-must", "1", "", "1", "24")),
        (r#""name":"b""#, r#""name":"\u001b[2J""#, said!("engine-its-name-must-have", "1", "?[2J")),
        (r#""name":"b""#, r#""name":"a""#, said!("two-engines-or-more")),
        (r#""name":"b""#, r#""name":"b","spec":"\"\\","name":"c""#, said!("the-member-is-given", "name")),
        (
            "level:1,nodes=9",
            "neat:5",
            "; engines are level:K, classic, net, net:FILE, lookahead, gtp:COMMAND, qtp:COMMAND, ep5:COMMAND, self:PATH;level:K",
        ),
        (r#""name":"b""#, r#""nick":"b","name":"b""#, "engines[1].nick: unknown field `nick`"),
        ("level:1,nodes=9", "level:99", said!("engine-level-does-not", "1", "99")),
        ("level:1,nodes=9", "neat:5", said!("engine-there-is-no", "1", "neat")),
        ("level:1,nodes=9", "level:1,nodes=x", said!("engine-nodes-is-no", "1", "x")),
        ("level:1,nodes=9", "gtp:", "engines[1]: gtp: needs a command"),
        ("level:1,nodes=9", "qtp:engine", "engines[1]: qtp does not support tic-tac-toe"),
        (r#""name":"b""#, r#""name":"b","setup":["x"]"#, said!("engine-dir-and-setup", "1")),
        (
            r#""name":"b""#,
            r#""name":"b","limits":{"noses":1}"#,
            "engines[1].limits.noses: unknown field `noses`, expected one of `nodes`, `depth`, `movetime_ms`",
        ),
        (r#"{"nodes":20}"#, r#"{"nodes":-1}"#, said!("the-limit-is-no", "nodes", "-1")),
        (r#"["a1","b2 a1","b1"]"#, r#""openings.txt""#, said!("its-openings-are-neither")),
        (r#"["a1","b2 a1","b1"]"#, r#""random:99999""#, said!("its-openings-have-more", "10000")),
        (r#"["a1","b2 a1","b1"]"#, r#""random:9""#, said!("no-opening-of-random", "9")),
        (r#"["a1","b2 a1","b1"]"#, "[]", said!("the-list-of-openings")),
        (r#""b2 a1""#, "7", said!("its-openings-are-neither")),
        (r#""b2 a1""#, r#""""#, "opening 2 of the list: the opening has no moves"),
        (r#""b2 a1""#, r#""b2 b2""#, lasting(format!("{} ", said!("opening-of-the-list", "2")))),
        (r#""b2 a1""#, r#""a1 b1 a2 b2 a3""#, "opening 2 of the list: the game is over after this opening"),
        ("[0,50]", "[50,0]", said!("its-sprt-is-not")),
        ("[0,50]", "[0,1e300]", said!("its-sprt-is-not-two")),
        ("[0,50]", r#"[0,50],"max_plies":0"#, "max_plies must be 1 to 10000"),
        ("[0,50]", r#"[0,50],"hang_ms":86400001"#, "hang_ms must be at most 86400000 (one day)"),
        ("[0,50]", r#"[0,50],"gauntlet":1"#, "gauntlet: invalid type: integer `1`, expected a boolean"),
        ("[0,50]", r#"[0,50],"pairs":4"#, "unknown field `pairs`"),
    ]
}

#[test]
fn unplayable_match_jobs_are_refused_with_a_reason() {
    for (from, to, why) in invalid_fields() {
        assert_job_refused(ARENA, from, to, why);
    }
    let three =
        ARENA.replacen("[{", r#"[{"name":"c","spec":"level:2"},{"#, 1).replace("\"units\":8", "\"units\":9");
    assert!(refused(&three).contains(said!("sprt-decides-between-two", "3")), "{}", refused(&three));
    let three = three.replace("[0,50]", "null");
    assert_eq!(parse_job(&three).units, 9);
    let uneven = refused(&three.replace("\"units\":9", "\"units\":8"));
    assert!(uneven.contains(said!("take-a-multiple-of", "3")), "{uneven}");
    let many: Vec<String> = (0..101).map(|i| format!(r#"{{"name":"{i}","spec":"level:1"}}"#)).collect();
    let many = ARENA.replacen("[{", &format!("[{},{{", many.join(",")), 1);
    assert!(refused(&many).contains(said!("at-most-engines", "100")), "{}", refused(&many));
    let long = format!("gtp:{}", "x".repeat(70_000));
    let long = refused(&ARENA.replacen("level:1,nodes=9", &long, 1));
    assert!(long.contains(said!("its-engines-take-more", "64")), "{long}");
}

#[test]
fn only_node_and_depth_limits_make_a_job_deterministic() {
    let is_deterministic = |from: &str, to: &str| {
        assert!(ARENA.contains(from), "{from}");
        parse_job(&ARENA.replacen(from, to, 1)).shard_header(0, 1).get("deterministic").clone()
    };
    assert_eq!(is_deterministic("{", "{"), true);
    assert_eq!(is_deterministic(r#"{"nodes":20}"#, r#"{"depth":2}"#), true);
    assert_eq!(is_deterministic(r#"{"nodes":20}"#, r#"{"nodes":20,"movetime_ms":9}"#), false);
    assert_eq!(is_deterministic("nodes=9", "nodes=9,cpu-time=5ms"), false);
    assert_eq!(is_deterministic("level:1,nodes=9", "gtp:engine"), false);
}

#[test]
fn invalid_units_are_refused_without_a_panic() {
    let whole = parse_job(ARENA).compute_shard(0, 1, 1).unwrap();
    let (_, body) = whole.units().next().unwrap();
    let read = |unit: u32, body: &[u8]| {
        (arena_job_kind().report)(GAMES, &Shard::new(whole.header.clone(), [(unit, body)]))
    };
    assert!(read(0, body).is_ok());
    assert!(read(1, body).unwrap_err().to_string().contains(said!("unit-is-no-pair", "1")));
    let text = std::str::from_utf8(body).unwrap();
    for (from, to) in [
        ("\"game\":1", "\"game\":0"),
        ("\"first\":\"a\"", "\"first\":\"b\""),
        ("\"unit\":0,\"game\"", "\"unit\":2,\"game\""),
    ] {
        assert!(text.contains(from), "{text}");
        assert!(read(0, text.replacen(from, to, 1).as_bytes()).is_err(), "{to}");
    }
    for place in 0..body.len() {
        assert!(read(0, &body[..place]).is_err(), "{place}");
    }
    with_each_bit_flipped(body, 0, |flipped, _| {
        let _ = read(0, &flipped); // must not panic
    });
    let huge = text.replace("\"nodes\":[", "\"nodes\":[1844674407370955161");
    let _ = read(0, huge.as_bytes());
}

#[cfg(unix)]
mod with_programs {
    use super::{JobFolder, Value, folder, fs, run};
    use crate::sentences::said;

    /// Returns the job of a Hex match between an external engine and level 1.
    fn gtp_job(spec: &str, more: &str) -> String {
        let engines =
            format!(r#"[{{"name":"theirs","spec":"{spec}"{more}}},{{"name":"ours","spec":"level:1"}}]"#);
        let head = r#"{"crosspath":"job","schema":1,"kind":"arena","seed":"1","units":2,"game":"hex","settings":{"size":5}"#;
        format!(r#"{head},"engines":{engines},"openings":"random:1"}}"#)
    }

    fn faulty_player(fault: &str) -> String {
        format!("gtp:sh tests/data/programs/planted.sh {fault}")
    }

    #[test]
    fn external_engines_of_a_job_need_allow_exec() {
        let place = JobFolder(folder());
        let mark = place.path("mark");
        fs::write(place.path("job"), gtp_job(&format!("gtp:touch {mark}"), "")).unwrap();
        let refused = place.run_work("job", 0, 1, "out", &[]);
        assert_eq!(refused.code, Some(2));
        let why = "engine theirs is the external program gtp:touch ";
        assert!(
            refused.err.contains(why) && refused.err.contains(said!("only-with-allow-exec")),
            "{}",
            refused.err
        );
        let estimate = run(&["work", "--estimate", "--job", &place.path("job")], "");
        assert_eq!(
            (estimate.code, estimate.err.contains("--allow-exec")),
            (Some(2), true),
            "{}",
            estimate.err
        );
        let missing = run(&["merge", "--missing", "--count", "2", "--job", &place.path("job")], "");
        assert_eq!((missing.code, missing.out.as_str()), (Some(0), "0\n1\n"), "{}", missing.err);
        assert!(!fs::exists(&mark).unwrap(), "nothing has started it");
        let started = place.run_work("job", 0, 1, "out", &["--allow-exec"]);
        let why = said!("engine-theirs-touch-ended", "0");
        assert_eq!((started.code, started.err.contains(why)), (Some(75), true), "{}", started.err);
        assert!(fs::exists(&mark).unwrap());
    }

    #[test]
    fn forfeits_appear_in_the_records_and_the_exit_code() {
        let place = JobFolder(folder());
        fs::write(place.path("job"), gtp_job(&faulty_player("illegal"), "")).unwrap();
        for index in 0..2 {
            let work = place.run_work("job", index, 2, &index.to_string(), &["--allow-exec"]);
            assert_eq!((work.code, work.out + &work.err), (Some(0), String::new()));
        }
        let (parts, whole) = ([place.path("0"), place.path("1")], place.path("whole"));
        let merged = run(&["merge", "--out", &whole, &parts[0], &parts[1]], "");
        assert_eq!(merged.code, Some(1));
        assert!(merged.out.contains("forfeits theirs 4 (illegal 4), ours 0\n"), "{}", merged.out);
        assert!(merged.err.contains(said!("there-were-forfeits-games", "4")), "{}", merged.err);
        assert!(fs::exists(&whole).unwrap(), "the whole is kept");
        let json = run(&["merge", "--json", &whole], "");
        let report: Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!(
            (json.code, &report["faults"][0]["illegal"], &report["forfeits"][0]),
            (Some(1), &4.into(), &4.into())
        );
    }

    #[test]
    fn an_engine_that_cannot_start_is_a_retryable_error() {
        let place = JobFolder(folder());
        let refuses = gtp_job("gtp:sh examples/gtp_player.sh", r#","setup":["no_such_command"]"#);
        for (text, why) in [
            (gtp_job("gtp:/no/such/engine", ""), "engine theirs: cannot start engine: "),
            (
                gtp_job("gtp:sh examples/gtp_player.sh", r#","dir":"/no/such/folder""#),
                said!("cannot-use-the-folder", "/no/such/folder"),
            ),
            (gtp_job("gtp:sh -c 'exit 3'", ""), "unit 0: engine theirs: sh ended with exit code 3"),
            (refuses, "refuses \"no_such_command\""),
        ] {
            fs::write(place.path("job"), text).unwrap();
            let work = place.run_work("job", 0, 1, "out", &["--allow-exec"]);
            assert_eq!((work.code, work.err.contains(why)), (Some(75), true), "{}", work.err);
            assert!(!fs::exists(place.path("out")).unwrap());
        }
    }

    /// An external engine may depend on earlier games. Each pair starts its own, so shards are independent.
    #[test]
    fn a_match_job_with_another_build_produces_the_same_report() {
        let place = JobFolder(folder());
        let other = format!("theirs=self:{};level:3,nodes=30", env!("CARGO_BIN_EXE_crosspath"));
        let flags = ["arena", "--game", "hex", "--size", "4", "--pairs", "3", "--quiet", "--nodes", "30"];
        let flags = [&flags[..], &["--engine", &other, "--engine", "ours=level:2"]].concat();
        let games = place.path("games");
        let played = run(&[&flags[..], &["--out", &games]].concat(), "");
        assert_eq!((played.code, played.err.as_str()), (Some(0), ""));
        assert_eq!(run(&[&flags[..], &["--write-job", &place.path("job")]].concat(), "").code, Some(0));
        assert_eq!(place.run_work("job", 0, 1, "whole", &["--allow-exec", "--threads", "2"]).code, Some(0));
        let merged = run(&["merge", &place.path("whole")], "");
        assert_eq!((merged.code, merged.out), (Some(0), super::report_without_times(&played.out)));
    }
}

#[test]
fn a_seed_draws_the_same_openings_in_matches_and_selfplay() {
    use crosspath::arena::selfplay::SelfplayGame;
    let of = |text: &str| parse_job(text).compute_shard(0, 1, 1).unwrap();
    let head = r#"{"crosspath":"job","schema":1,"seed":"9","units":6,"game":"hex","settings":{"size":5,"swap":"off"},"limits":{"nodes":5}"#;
    let engines = r#"[{"name":"a","spec":"level:1"},{"name":"b","spec":"level:1"}]"#;
    let pairs = of(&format!(r#"{head},"kind":"arena","engines":{engines},"openings":"random:3"}}"#));
    let games = of(&format!(r#"{head},"kind":"selfplay","engine":"level:1","opening_plies":3}}"#));
    let texts: Vec<&str> =
        games.header.get("moves").as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let mut drawn = Vec::new();
    for ((_, pair), (_, game)) in pairs.units().zip(games.units()) {
        let pair: Value = serde_json::from_slice(pair).unwrap();
        let opening: Vec<&str> = pair["games"][0]["opening"]
            .as_array()
            .unwrap()
            .iter()
            .map(|text| text.as_str().unwrap())
            .collect();
        let mut record = SelfplayGame::default();
        record.decode(game).unwrap();
        let numbers = &record.moves[..record.opening];
        assert_eq!(opening, numbers.iter().map(|&number| texts[usize::from(number)]).collect::<Vec<_>>());
        drawn.push(opening.join(" "));
    }
    // Records hold only the seed, so the openings that it draws must never change.
    assert_eq!(drawn[..2], ["a3 e1 d2", "a4 b2 c3"]);
}

/// Runs the commands of docs/arena.md in an empty folder, with the program under test.
#[test]
#[cfg(unix)]
fn the_commands_of_the_arena_page_work() {
    let page = include_str!("../../docs/arena.md");
    let blocks = page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let script = format!("set -e\n{}", blocks.collect::<String>());
    assert!(script.lines().count() >= 7, "{script}");
    let folder = folder();
    let programs = std::path::Path::new(env!("CARGO_BIN_EXE_crosspath")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).env("PATH", path);
    let output = crate::support::run_on(shell, "");
    assert_eq!((output.code, output.err.as_str()), (Some(0), ""), "{}", output.out);
    assert!(output.out.contains("\n0\na vs b: "), "{}", output.out);
}
