//! Tuning of engine constants. Results do not depend on who plays the probes, and a kill loses no
//! generation.

use std::fs;
use std::path::Path;

use rand::RngExt;
use serde_json::{Value, json};

use crosspath::arena::jobs::merge::ShardMerger;
use crosspath::arena::jobs::shard::{RecordLayout, Shard, ShardHeader};
use crosspath::arena::jobs::{ArenaJob, JobKindSpec};
use crosspath::arena::kinds::find_job_kind as kind_of;
use crosspath::arena::stats::spsa::{Spsa, TunedParameter};
use crosspath::random::random_stream;
use crosspath::registry::GAMES;

use crate::sentences::{lasting, said};
use crate::shards::{JOBS, assert_job_refused, refused, with_each_bit_flipped};
use crate::support::{Run, crosspath, folder, run, run_on};

const TUNE: &str = JOBS[4].1;

fn kind() -> &'static JobKindSpec {
    kind_of("tune").unwrap()
}

fn job(text: &str) -> ArenaJob {
    ArenaJob::parse(GAMES, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Returns a constant whose probes differ by a tenth of its planted value.
fn constant(name: &str, value: f64, planted: f64, max: f64, grid: u32) -> TunedParameter {
    TunedParameter { name: name.to_owned(), value, min: 0.0, max, c_end: planted / 10.0, r_end: 0.005, grid }
}

/// Returns the loss of a toy engine against the optimum, in log odds.
fn loss(values: &[f64], planted: [f64; 3]) -> f64 {
    values.iter().zip(planted).map(|(value, best)| 2.0 * (value / best - 1.0).powi(2)).sum()
}

#[test]
fn tuning_finds_three_planted_constants_within_a_tenth() {
    const GAMES: u32 = 16;
    let planted = [1.4, 0.6, 60.0];
    for seed in 1..=3 {
        let parameters = vec![
            constant("one", 0.7, 1.4, 4.0, 1000),
            constant("two", 1.2, 0.6, 3.0, 1000),
            constant("three", 30.0, 60.0, 100.0, 1),
        ];
        let mut spsa = Spsa { seed, iterations: 4000, parameters };
        let mut chance = random_stream(seed, 1000);
        for first in (1..=spsa.iterations).step_by(8) {
            let from = spsa.clone();
            for iteration in first..first + 8 {
                let probe = from.probe(iteration);
                let odds = loss(&probe.minus, planted) - loss(&probe.plus, planted);
                let wins = 1.0 / (1.0 + (-odds).exp());
                let game =
                    |_| if f64::from(chance.random::<u32>()) < wins * 4_294_967_296.0 { 1 } else { -1 };
                spsa.update(iteration, (0..GAMES).map(game).sum());
            }
        }
        for (parameter, best) in spsa.parameters.iter().zip(planted) {
            let off = parameter.value / best - 1.0;
            assert!(
                off.abs() < 0.1,
                "seed {seed}: {} is {} in place of {best}",
                parameter.name,
                parameter.value
            );
        }
    }
}

#[test]
fn probes_and_steps_shrink_by_the_schedule() {
    let parameter = TunedParameter {
        name: "x".to_owned(),
        value: 50.0,
        min: 0.0,
        max: 100.0,
        c_end: 1.0,
        r_end: 0.02,
        grid: 1_000_000,
    };
    let spsa = Spsa { seed: 5, iterations: 1000, parameters: vec![parameter] };
    // c_k = c_end (n/k)^0.101. The step is a / (A+k)^0.602 / c_k, where A = n/10 and
    // a = r_end c_end^2 (A+n)^0.602.
    for (iteration, reach, step) in
        [(1, 2.009_093, 0.041_913), (500, 1.072_517, 0.026_859), (1000, 1.0, 0.02)]
    {
        let probe = spsa.probe(iteration);
        let [plus, minus] = [probe.plus[0], probe.minus[0]];
        let sign = f64::from(probe.signs[0]);
        assert!((sign * (plus - minus) / 2.0 - reach).abs() < 2e-6, "{iteration}: {plus} {minus}");
        let mut moved = spsa.clone();
        moved.update(iteration, -3);
        let way = (moved.parameters[0].value - 50.0) * sign / -3.0;
        assert!((way - step).abs() < 1e-6, "{iteration}: {way}");
    }
    let signs: i32 = (1..=1000).map(|iteration| i32::from(spsa.probe(iteration).signs[0])).sum();
    assert!(signs.abs() < 150, "{signs}");
}

#[test]
fn integers_are_rounded_both_ways_and_stay_in_range() {
    let near = TunedParameter { c_end: 0.5, ..constant("x", 9.7, 5.0, 10.0, 1) };
    let spsa = Spsa { seed: 2, iterations: 100, parameters: vec![near] };
    let mut seen = std::collections::BTreeSet::new();
    for iteration in 1..=100 {
        let probe = spsa.probe(iteration);
        for value in [probe.plus[0], probe.minus[0]] {
            assert!((0.0..=10.0).contains(&value) && value.fract() == 0.0, "{value}");
            seen.insert(value.to_string());
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["10", "9"]);
    let mut at_the_edge = spsa.clone();
    (1..=100).for_each(|iteration| {
        at_the_edge.update(iteration, 1000 * i32::from(spsa.probe(iteration).signs[0]));
    });
    assert!((at_the_edge.parameters[0].value - 10.0).abs() < 1e-12);
}

/// Merges shards in this order and returns the next job.
fn merge_into_next_job(job: &ArenaJob, shards: &[&Shard]) -> Option<String> {
    let mut merge = ShardMerger::default();
    for shard in shards {
        merge.add("a file", (*shard).clone()).unwrap();
    }
    job.work.next_job(&merge.merge().unwrap()).unwrap()
}

#[test]
fn the_next_generation_does_not_depend_on_the_division_into_shards() {
    let first = job(TUNE);
    let whole = first.compute_shard(0, 1, 1).unwrap();
    let second = merge_into_next_job(&first, &[&whole]).unwrap();
    for count in [2, 7] {
        let shards: Vec<Shard> =
            (0..count).map(|index| first.compute_shard(index, count, 1).unwrap()).collect();
        let order: Vec<&Shard> = shards.iter().rev().chain(&shards[..1]).collect();
        assert_eq!(merge_into_next_job(&first, &order).as_ref(), Some(&second));
    }
    let [before, after] = [value(TUNE), value(&second)];
    assert_eq!((&after["iteration"], &after["units"]), (&9.into(), &3.into()), "{second}");
    assert_ne!(before["parameters"], after["parameters"]);
    for key in ["seed", "game", "settings", "limits", "openings", "pairs", "iterations"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    // The report of the first generation has the values of the second. There is no third.
    let report = (kind().report)(GAMES, &whole).unwrap();
    for (actual, kept) in
        [0, 1].map(|i| (&report.json["parameters"][i]["after"], &after["parameters"][i]["value"]))
    {
        assert_eq!(actual, kept);
    }
    assert_eq!(
        (&report.json["from"], &report.json["to"], &report.json["left"]),
        (&1.into(), &8.into(), &3.into())
    );
    let second = job(&second);
    assert_eq!(merge_into_next_job(&second, &[&second.compute_shard(0, 1, 1).unwrap()]), None);
}

/// Returns parts of a job, invalid replacements, and the expected messages.
fn bad_jobs() -> [(&'static str, &'static str, &'static str); 19] {
    [
        (r#""engine":"net""#, r#""engine":"level:4""#, said!("engine-only-net-and", "level:4")),
        (r#""engine":"net""#, r#""engine":"qtp:x""#, said!("engine-only-net-and", "qtp:x")),
        (r#""engine":"net""#, r#""engine":"net,margin=5""#, "margin is given twice"),
        (r#""engine":"net""#, r#""engine":"net,depht=5""#, said!("is-not-one-of-seed")),
        (r#""engine":"net""#, r#""engines":"net""#, "missing field `engine`"),
        (r#"{"nodes":100}"#, r#"{"movetime_ms":5}"#, said!("a-tuning-needs-a")),
        (
            r#""name":"margin""#,
            r#""name":"exploration""#,
            "unknown constant for quoridor; constants are window, margin",
        ),
        (r#""name":"margin""#, r#""name":"detour""#, "parameter detour: given twice"),
        (r#""min":10"#, r#""min":90"#, said!("its-value-is-not", "80", "90", "100")),
        (r#""min":10"#, r#""min":10.5"#, "min and max are not whole numbers"),
        (r#""min":10"#, r#""min":-1"#, said!("min-and-max-are", "0", "100")),
        (r#""max":100"#, r#""max":10"#, said!("min-and-max-are", "0", "100")),
        (r#""c_end":20"#, r#""c_end":0.4"#, said!("its-c-end-is", "0.5", "90")),
        (r#""r_end":0.1"#, r#""r_end":0"#, said!("its-r-end-is")),
        (
            r#""r_end":0.1"#,
            r#""r_end":"x""#,
            "parameters[0].r_end: invalid type: string \"x\", expected a number",
        ),
        (r#""r_end":0.1"#, r#""r_end":0.1,"step":1"#, "parameters[0].step: unknown field `step`"),
        (r#""pairs":1"#, r#""pairs":0"#, said!("are-not-to", "1", "10000")),
        (r#""iteration":1"#, r#""iteration":5"#, said!("units-from-iteration-on", "8", "5", "1", "11")),
        (r#""iterations":11"#, r#""iterations":7"#, said!("the-iterations-are-to", "1", "7")),
    ]
}

#[test]
fn an_impossible_tuning_is_refused_with_a_reason() {
    for (from, to, why) in bad_jobs() {
        assert_job_refused(TUNE, from, to, why);
    }
    let refused = |key: &str, to: Value| {
        let mut text = value(TUNE);
        (text["openings"], text["settings"]) = (Value::Null, Value::Null);
        text[key] = to;
        refused(&text.to_string())
    };
    for engine in ["net,threads=2", "net,movetime=5ms", "net,cpu-time=5ms"] {
        let limits = refused("engine", json!(engine));
        assert!(limits.starts_with(said!("a-tuning-needs-a-limit")), "{limits}");
    }
    let none = refused("parameters", json!([]));
    assert_eq!(none, said!("there-are-no-parameters", "window, margin, pass-less, pass-share, detour"));
    let other = refused("game", json!("tic-tac-toe"));
    assert_eq!(other, said!("the-engines-have-no", "tic-tac-toe"));
}

#[test]
fn invalid_probe_units_are_refused_without_a_panic() {
    let job = job(TUNE);
    let whole = job.compute_shard(0, 1, 1).unwrap();
    let (_, body) = whole.units().next().unwrap();
    let text = std::str::from_utf8(body).unwrap();
    let few = |unit: u32, body: &[u8]| Shard::new(whole.header.clone(), [(unit, body)]);
    let read = |unit: u32, body: &[u8]| (kind().report)(GAMES, &few(unit, body)).map(|report| report.words);
    assert!(
        read(0, body)
            .unwrap()
            .starts_with(lasting(format!("{}\n", said!("quoridor-iterations-to-left", "1", "8", "3", "1"))))
    );
    assert!(read(1, body).unwrap_err().to_string().contains(said!("unit-is-no-probe", "1")));
    assert!(job.work.next_job(&few(0, body)).unwrap_err().to_string().contains(said!(
        "of-units-are-there",
        "1",
        "8"
    )));
    let forged = text.replacen("\"iteration\":1", "\"iteration\":2", 1);
    assert!(
        text != forged
            && read(0, forged.as_bytes())
                .unwrap_err()
                .to_string()
                .contains(said!("unit-is-no-probe-part", "0"))
    );
    with_each_bit_flipped(body, 0, |flipped, bit| assert!(read(0, &flipped).is_err(), "{bit}"));
}

#[test]
fn an_invalid_generation_header_is_refused_without_a_panic() {
    let job = job(TUNE);
    let whole = job.compute_shard(0, 1, 1).unwrap();
    let report = |key: &str, to: Value| {
        let mut members = job.work.header_fields();
        members.insert(key.to_owned(), to);
        let header = ShardHeader::new((job.hash, "tune"), RecordLayout::Lines, (0, 1, 8), members);
        (kind().report)(GAMES, &Shard::new(header, whole.units())).map(|report| report.words)
    };
    assert!(report("pairs", json!(1)).is_ok());
    let constant = json!({"name": "x", "value": 1, "min": 9, "max": 2, "c_end": 1, "r_end": 0.1});
    for (key, to) in [
        ("pairs", json!(4_000_000_000_u32)),
        ("pairs", json!(2)),
        ("iteration", json!(4_294_967_295_u32)),
        ("iteration", json!(0)),
        ("iterations", json!(null)),
        ("seed", json!("x")),
        ("parameters", json!([])),
        ("parameters", json!([constant])),
        ("parameters", json!([{"name": "margin"}])),
        ("parameters", json!([7])),
    ] {
        assert!(report(key, to.clone()).is_err(), "{key} {to}");
    }
}

/// Runs a small tuning with output in this folder.
fn run_tune(out: &Path, more: &[&str]) -> Run {
    let flags = "tune --game quoridor --size 5 --walls 3 --nodes 100 --iterations 11 --probes 4 --seed 3";
    let constants = "--parameter margin=80,10,100,20,0.1 --parameter detour=3,1,6,1,0.1";
    let words = flags.split(' ').chain(constants.split(' ')).chain(["--out", out.to_str().unwrap()]);
    let words: Vec<&str> = words.chain(more.iter().copied()).collect();
    let mut command = crosspath(&words);
    command.env("LC_ALL", "C.UTF-8");
    run_on(command, "")
}

/// Returns the names and contents of the files of a folder.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut all: Vec<_> = entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn a_killed_tuning_resumes_with_the_same_result() {
    let place = folder();
    let [calm, killed] = ["calm", "killed"].map(|name| place.path().join(name));
    let ended = run_tune(&calm, &[]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{}", ended.err);
    let names: Vec<String> = files(&calm).into_iter().map(|(name, _)| name).collect();
    let wanted =
        ["0001.json", "0001.shard", "0002.json", "0002.shard", "0003.json", "0003.shard", "curve.csv"];
    assert_eq!(names, wanted);
    // A kill in the second generation: two units are complete, and a third is truncated.
    fs::create_dir(&killed).unwrap();
    for name in ["0001.json", "0001.shard", "0002.json"] {
        fs::copy(calm.join(name), killed.join(name)).unwrap();
    }
    let second = job(&fs::read_to_string(calm.join("0002.json")).unwrap());
    let unit = |unit| second.compute_shard(unit, 4, 1).unwrap().bytes().to_vec();
    let [early, late, torn] = [1, 3, 0].map(unit);
    fs::write(killed.join("0002-unit-1.shard"), &early).unwrap();
    fs::write(killed.join("0002-unit-3.shard"), &late).unwrap();
    fs::write(killed.join("0002-unit-0.shard"), &torn[..torn.len() - 9]).unwrap();
    let went_on = run_tune(&killed, &["--threads", "3"]);
    assert_eq!((went_on.out, went_on.err), (ended.out.clone(), String::new()));
    assert!(files(&killed) == files(&calm), "the folders differ");
    // Nothing is played again, and no other tuning may use the folder.
    assert_eq!(run_tune(&calm, &[]).out, ended.out);
    let other = run_tune(&calm, &["--pairs", "2"]);
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(other.err.contains("0001.json belongs to another tuning run"), "{}", other.err);
    assert!(files(&killed) == files(&calm), "a refused tuning changes nothing");
}

#[test]
fn the_tuning_report_shows_the_history_of_each_constant() {
    let place = folder();
    let ended = run_tune(place.path(), &[]);
    let lines = ended.lines();
    assert_eq!(lines[0], said!("iterations-pairs-of-games", "11", "11"));
    assert!(
        lines[1].starts_with("constant  start") && lines[1].ends_with(said!("curve-highest")),
        "{}",
        ended.out
    );
    let curve = fs::read_to_string(place.path().join("curve.csv")).unwrap();
    let rows: Vec<Vec<&str>> = curve.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["iteration", "margin", "detour"]);
    assert_eq!(rows[1], ["0", "80", "3"]);
    let iterations: Vec<&str> = rows[1..].iter().map(|row| row[0]).collect();
    assert_eq!(iterations, ["0", "4", "8", "11"]);
    for (column, line) in [(1, lines[2]), (2, lines[3])] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let values: Vec<f64> = rows[1..].iter().map(|row| row[column].parse().unwrap()).collect();
        let numbers: Vec<f64> = [1, 2, 3, 5].map(|place| words[place].parse().unwrap()).to_vec();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        for (numbers, value) in numbers.into_iter().zip([values[0], values[3], least, most]) {
            assert!((numbers - value).abs() <= 0.0005, "{line}: {value}");
        }
        assert_eq!((words[0], words[4].chars().count()), (rows[0][column], 4), "{line}");
    }
}

#[test]
fn merge_writes_the_next_job_except_after_the_last() {
    let place = folder();
    let out = place.path().join("all");
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let kept = |name: &str| out.join(name).to_str().unwrap().to_owned();
    assert_eq!(run_tune(&out, &[]).code, Some(0));
    let flags = ["--write-job", &path("1.json")];
    let words = "tune --game quoridor --size 5 --walls 3 --nodes 100 --iterations 11 --probes 4 --seed 3 --parameter margin=80,10,100,20,0.1 --parameter detour=3,1,6,1,0.1";
    let written = run(&[&words.split(' ').collect::<Vec<_>>()[..], &flags].concat(), "");
    assert_eq!((written.code, written.out + &written.err), (Some(0), String::new()));
    assert_eq!(fs::read(path("1.json")).unwrap(), fs::read(kept("0001.json")).unwrap());
    let merge = |job: &str, shard: &str, next: &str| run(&["merge", "--job", job, shard, "--next", next], "");
    let first = merge(&path("1.json"), &kept("0001.shard"), &path("2.json"));
    assert_eq!((first.code, first.err.as_str()), (Some(0), ""));
    assert!(first.out.starts_with(lasting(format!(
        "{}\nmargin 80.000 -> ",
        said!("quoridor-iterations-to-left", "1", "4", "7", "4")
    ))));
    assert_eq!(fs::read(path("2.json")).unwrap(), fs::read(kept("0002.json")).unwrap());
    assert_eq!(merge(&path("1.json"), &kept("0001.shard"), &path("2.json")).code, Some(0), "the same again");
    let onto = merge(&path("1.json"), &kept("0001.shard"), &path("1.json"));
    assert_eq!((onto.code, onto.err.contains(said!("it-stays-as-it"))), (Some(1), true), "{}", onto.err);
    let last = merge(&kept("0003.json"), &kept("0003.shard"), &path("4.json"));
    assert_eq!(
        (last.code, last.out.contains("iterations 9 to 11, 0 to go")),
        (Some(0), true),
        "{}",
        last.out
    );
    assert!(!Path::new(&path("4.json")).exists());
    fs::write(path("solve.json"), JOBS[2].1).unwrap();
    let flags =
        ["work", "--job", &path("solve.json"), "--index", "0", "--count", "1", "--out", &path("solve")];
    assert_eq!(run(&flags, "").code, Some(0));
    let solve = merge(&path("solve.json"), &path("solve"), &path("none.json"));
    assert_eq!(
        (solve.code, solve.err.as_str()),
        (Some(2), "error: --next: only a job of kind tune has a next generation\n")
    );
}

#[test]
fn a_malformed_constant_is_refused() {
    let place = folder();
    let out = place.path().join("none");
    for (text, why) in [
        ("margin", said!("write-it-as-name")),
        ("window=1,2,3,4", said!("write-it-as-name-start")),
        ("window=1,2,3,4,x", said!("write-it-as-name-start")),
        ("window=1,2,3,4,inf", said!("write-it-as-name-start")),
        ("window=1,2,3,1,0.1", said!("parameter-window-its-value", "1", "2", "3")),
        ("proofs=1,0,3,1,0.1", "parameter proofs: unknown constant for quoridor; constants are window"),
    ] {
        let refused = run_tune(&out, &["--parameter", text]);
        assert_eq!((refused.code, refused.err.contains(why)), (Some(2), true), "{text}: {}", refused.err);
        assert!(!out.exists());
    }
}
