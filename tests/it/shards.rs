//! Laws of jobs and shards: the bytes do not depend on the division of a job, and damage is always
//! detected.

use std::fs;
use std::path::Path;

use crosspath::arena::jobs::ArenaJob;
use crosspath::arena::jobs::merge::ShardMerger;
use crosspath::arena::jobs::shard::{Shard, ShardHeader, unit_range_of_block};
use crosspath::arena::kinds::JOB_KINDS;
use crosspath::registry::GAMES;

use crate::sentences::{lasting, said};
use crate::support::{Run, file, folder, run};

/// Small jobs, one of each kind.
pub(crate) const JOBS: [(&str, &str); 5] = [
    (
        "selfplay",
        r#"{"crosspath":"job","schema":1,"kind":"selfplay","seed":"7","units":23,"game":"tic-tac-toe","settings":{"size":4},"engine":"level:5","limits":{"nodes":60},"opening_plies":3,"temperature_plies":2}"#,
    ),
    (
        "selfplay",
        r#"{"crosspath":"job","schema":1,"kind":"selfplay","seed":"7","units":9,"game":"quoridor","settings":{"size":3,"walls":"1"},"engine":"level:3,nodes=40"}"#,
    ),
    (
        "solve",
        r#"{"crosspath":"job","schema":1,"kind":"solve","seed":"0","units":9,"game":"hex","settings":{"size":3,"swap":"off"},"limits":{"nodes":600},"positions":"all-first-moves"}"#,
    ),
    (
        "arena",
        r#"{"crosspath":"job","schema":1,"kind":"arena","seed":"7","units":8,"game":"tic-tac-toe","settings":{"size":3},"engines":[{"name":"a","spec":"level:4"},{"name":"b","spec":"level:1,nodes=9"}],"limits":{"nodes":20},"openings":["a1","b2 a1","b1"],"sprt":[0,50]}"#,
    ),
    (
        "tune",
        r#"{"crosspath":"job","schema":1,"kind":"tune","seed":"7","units":8,"game":"quoridor","settings":{"size":5,"walls":3},"engine":"net","limits":{"nodes":100},"openings":["c2 c4 b2h","b3v c4","c2 d4h"],"parameters":[{"name":"margin","value":80,"min":10,"max":100,"c_end":20,"r_end":0.1},{"name":"detour","value":3,"min":1,"max":6,"c_end":1,"r_end":0.1}],"pairs":1,"iteration":1,"iterations":11}"#,
    ),
];

fn job(text: &str) -> ArenaJob {
    ArenaJob::parse(GAMES, text.as_bytes()).unwrap()
}

pub(crate) fn refused(text: &str) -> String {
    ArenaJob::parse(GAMES, text.as_bytes()).unwrap_err().to_string()
}

/// Checks that a job with one part replaced is refused with a message that contains `why`.
#[track_caller]
pub(crate) fn assert_job_refused(job: &str, from: &str, to: &str, why: &str) {
    assert!(job.contains(from), "{from}");
    let found = refused(&job.replacen(from, to, 1));
    assert!(found.contains(why), "{found:?} has no {why:?}");
}

/// Calls `look` with copies of `bytes`, each with one flipped bit after `from`, and with the name
/// of that bit.
pub(crate) fn with_each_bit_flipped(bytes: &[u8], from: usize, mut look: impl FnMut(Vec<u8>, &str)) {
    for place in from..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.to_vec();
            flipped[place] ^= 1 << bit;
            look(flipped, &format!("bit {bit} of byte {place}"));
        }
    }
}

#[test]
fn every_job_kind_has_a_test_job() {
    assert!(JOB_KINDS.iter().all(|kind| JOBS.iter().any(|(name, _)| *name == kind.name)));
}

#[test]
fn blocks_cover_every_unit_once() {
    for units in 1..40 {
        for count in 1..=units {
            let all: Vec<u32> =
                (0..count).flat_map(|index| unit_range_of_block(index, count, units)).collect();
            assert_eq!(all, (0..units).collect::<Vec<_>>());
        }
    }
}

#[test]
fn merged_shards_equal_the_whole_however_the_job_is_divided() {
    for (_, text) in JOBS {
        let job = job(text);
        let whole = job.compute_shard(0, 1, 1).unwrap();
        assert_eq!(whole, job.compute_shard(0, 1, 3).unwrap(), "threads change nothing");
        assert!(whole.is_complete());
        for count in [1, 2, 7, job.units] {
            let shards: Vec<Shard> =
                (0..count).map(|index| job.compute_shard(index, count, 1).unwrap()).collect();
            for reversed in [false, true] {
                let mut order: Vec<&Shard> = shards.iter().chain(&shards[..1]).collect();
                if reversed {
                    order.reverse();
                }
                let mut merge = ShardMerger::default();
                for shard in order {
                    merge.add("a file", Shard::parse(shard.bytes().to_vec()).unwrap()).unwrap();
                }
                assert_eq!(merge.missing_units(job.units), []);
                let merged = merge.merge().unwrap();
                assert!(merged.bytes() == whole.bytes(), "{text} in {count} parts");
                merge.add("the whole", merged).unwrap();
                assert!(merge.merge().unwrap().bytes() == whole.bytes(), "a merge of a merge is itself");
            }
        }
    }
}

#[test]
fn shards_of_different_divisions_can_be_merged() {
    let job = job(JOBS[0].1);
    let mut merge = ShardMerger::default();
    for (index, count) in [(1, 2), (0, 3), (1, 4), (2, 7)] {
        merge.add("a file", job.compute_shard(index, count, 1).unwrap()).unwrap();
    }
    assert_eq!((merge.missing_units(23), merge.missing_blocks(23, 23)), (vec![], vec![]));
    assert_eq!(merge.merge().unwrap(), job.compute_shard(0, 1, 1).unwrap());
}

#[test]
fn missing_units_and_blocks_are_listed() {
    let job = job(JOBS[0].1);
    let mut merge = ShardMerger::default();
    for index in [0, 2, 3, 6] {
        merge.add("a file", job.compute_shard(index, 7, 1).unwrap()).unwrap();
    }
    assert_eq!(merge.missing_units(23), [3..6, 13..19]);
    assert_eq!(merge.missing_blocks(7, 23), [1, 4, 5]);
    assert_eq!(merge.missing_blocks(1, 23), [0]);
}

#[test]
fn every_flipped_bit_and_every_truncation_is_detected() {
    for (_, text) in JOBS {
        let shard = job(text).compute_shard(1, 3, 1).unwrap();
        let bytes = shard.bytes();
        with_each_bit_flipped(bytes, 0, |flipped, bit| {
            assert!(Shard::parse(flipped).is_err(), "{bit} of {text}");
        });
        for place in 0..bytes.len() {
            assert!(Shard::parse(bytes[..place].to_vec()).is_err(), "cut to {place}");
        }
        assert!(Shard::parse([bytes, b"\n"].concat()).is_err(), "something behind the footer");
        assert!(Shard::parse([bytes, bytes].concat()).is_err(), "two in one file");
    }
}

/// The units are checked, too, because a correct checksum does not make the content valid.
#[test]
fn invalid_units_are_refused_without_a_panic() {
    let job = job(JOBS[0].1);
    let whole = job.compute_shard(0, 1, 1).unwrap();
    let (unit, body) = whole.units().next().unwrap();
    let report = JOB_KINDS[0].report;
    for length in 4..body.len() {
        let shard = Shard::new(job.shard_header(0, 1), [(unit, &body[..length])]);
        assert!(report(GAMES, &shard).is_err(), "{length}");
    }
    with_each_bit_flipped(body, 4, |flipped, _| {
        let _ = report(GAMES, &Shard::new(job.shard_header(0, 1), [(unit, &flipped[..])])); // no panic
    });
    let lines = JOB_KINDS[1].report;
    let job = self::job(JOBS[2].1);
    for line in [&b"{\"unit\":0}"[..], b"{\"unit\":0,\"value\":\"won\"}", b"nothing"] {
        assert!(lines(GAMES, &Shard::new(job.shard_header(0, 1), [(0, line)])).is_err());
    }
}

#[test]
fn an_impossible_job_is_refused_with_a_reason() {
    let play = JOBS[0].1;
    let solve = JOBS[2].1;
    for (text, from, to, why) in [
        (play, "\"job\"", "\"shard\"", said!("crosspath-is-not-job")),
        (play, "\"units\":23", "\"units\":23,\"units\":2", said!("the-member-is-given", "units")),
        (play, "\"nodes\":60", "\"nodes\":60,\"no\\u0064es\" : 6", said!("the-member-is-given", "nodes")),
        (play, "\"schema\":1", "\"schema\":2", said!("its-schema-is-this", "2", "1")),
        (play, "\"kind\":\"selfplay\"", "\"kind\":\"tuning\"", said!("no-kind-of-job", "tuning")),
        (play, "\"seed\":\"7\"", "\"seed\":\"x\"", said!("its-seed-is-no", "x")),
        (play, "\"seed\":\"7\"", "\"seed\":7", "seed: invalid type: integer `7`, expected a string"),
        (play, "\"units\":23", "\"units\":0", said!("its-units-are-not")),
        (play, "\"units\":23", "\"units\":-1", said!("the-member-must-be-number", "units", "-1")),
        (play, "\"tic-tac-toe\"", "\"go\"", said!("there-is-no-game-games-are", "go")),
        (play, "\"size\":4", "\"size\":99", said!("size-is-not-possible", 99, "tic-tac-toe", 1, 10)),
        (play, "\"size\":4", "\"walls\":4", said!("has-no-setting-it-has", "tic-tac-toe", "walls", "size")),
        (play, "\"level:5\"", "\"level:50\"", said!("engine-level-does-not-exist", "50")),
        (
            play,
            "\"level:5\"",
            "\"gtp:rm\"",
            lasting(format!("engine: {}", said!("there-is-no-engine-named-part", "\"gtp\""))),
        ),
        (play, "\"opening_plies\":3", "\"opening_plies\":16", said!("no-opening-of-random", "16")),
        (play, "\"temperature_plies\":2", "\"plies\":2", "unknown field `plies`"),
        (
            play,
            "\"nodes\":60",
            "\"node\":60",
            "limits.node: unknown field `node`, expected one of `nodes`, `depth`",
        ),
        (
            play,
            "\"engine\":\"level:5\"",
            "\"evaluator\":\"tcp\"",
            "evaluator: unknown variant `tcp`, expected `stdio`",
        ),
        (solve, "\"units\":9", "\"units\":8", said!("its-units-are-but", "8", "9")),
        (solve, "{\"nodes\":600}", "{}", said!("needs-the-limit-nodes")),
        (solve, "\"all-first-moves\"", "[\"a1 a1\"]", said!("its-units-are-but", "9", "1")),
        (solve, "\"all-first-moves\"", "\"all\"", said!("positions-must-be-a")),
    ] {
        assert_job_refused(text, from, to, why);
    }
    let illegal =
        solve.replacen("\"units\":9", "\"units\":1", 1).replacen("\"all-first-moves\"", "[\"b2 b2\"]", 1);
    assert!(refused(&illegal).contains("position 0, move \"b2\": "), "{}", refused(&illegal));
    for length in 0..play.len() {
        assert!(ArenaJob::parse(GAMES, &play.as_bytes()[..length]).is_err());
    }
    for text in ["[]", "null", "7", "{}", "\u{0}", &"[".repeat(100_000)] {
        assert!(ArenaJob::parse(GAMES, text.as_bytes()).is_err());
    }
}

#[test]
fn every_difference_between_shard_headers_is_detected() {
    let header = |text: &str, index, count| job(text).shard_header(index, count);
    let [one, other] = [header(JOBS[0].1, 0, 2), header(JOBS[0].1, 1, 2)];
    assert_eq!(one.first_difference(&other), None);
    assert_eq!(one.for_whole_job(), header(JOBS[0].1, 0, 1));
    let seed = JOBS[0].1.replacen("\"7\"", "\"8\"", 1);
    assert_eq!(one.first_difference(&header(&seed, 0, 2)).unwrap().0, "job");
    assert_eq!(one.bench, crosspath::ai::bench_signature());
    let ShardHeader { index, count, units, .. } = one;
    assert_eq!((index, count, units, one.unit_range()), (0, 2, 23, 0..11));
}

#[test]
fn solve_jobs_report_only_proved_values() {
    let shard = job(JOBS[2].1).compute_shard(0, 1, 1).unwrap();
    let lines: Vec<serde_json::Value> =
        shard.units().map(|(_, line)| serde_json::from_slice(line).unwrap()).collect();
    assert_eq!(lines.len(), 9);
    let of = |moves: &str| lines.iter().find(|line| line["moves"] == moves).unwrap();
    assert_eq!((of("b2")["value"].as_str(), of("a1")["value"].as_str()), (Some("first"), Some("second")));
    assert_eq!(of("b2")["unit"], 4);
    let few = JOBS[2].1.replacen("600", "1", 1);
    let report = (JOB_KINDS[1].report)(GAMES, &job(&few).compute_shard(0, 1, 1).unwrap()).unwrap();
    assert!(report.json["unknown"].as_u64().unwrap() > 0, "{:?}", report.json);
    assert_eq!(report.json["positions"], 9);
}

/// Temporary folder with a job, in which the program runs.
struct WorkFolder {
    folder: tempfile::TempDir,
    job: String,
}

impl WorkFolder {
    fn with(text: &str) -> Self {
        let folder = folder();
        let job = file(&folder, "job.json", text);
        WorkFolder { folder, job }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn work(&self, index: u32, count: u32, out: &str) -> Run {
        let (index, count) = (index.to_string(), count.to_string());
        run(&["work", "--job", &self.job, "--index", &index, "--count", &count, "--out", &self.path(out)], "")
    }

    fn merge(&self, flags: &[&str], files: &[&str]) -> Run {
        let files: Vec<String> = files.iter().map(|name| self.path(name)).collect();
        let files = files.iter().map(String::as_str);
        run(&["merge"].into_iter().chain(flags.iter().copied()).chain(files).collect::<Vec<_>>(), "")
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }
}

#[cfg(unix)]
fn inode(path: &str) -> u64 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).unwrap().ino()
}

#[test]
#[cfg(unix)]
fn complete_shards_are_kept_and_damaged_ones_recomputed() {
    let place = WorkFolder::with(JOBS[0].1);
    assert_eq!(place.work(0, 2, "0").code, Some(0));
    let (whole, node) = (place.bytes("0"), inode(&place.path("0")));
    let again = place.work(0, 2, "0");
    assert_eq!((again.code, again.out.as_str(), again.err.as_str()), (Some(0), "", ""));
    assert_eq!(inode(&place.path("0")), node, "the file is untouched");
    for damaged in [&whole[..whole.len() - 1], &whole[..whole.len() / 2], b""] {
        fs::write(place.path("0"), damaged).unwrap();
        assert_eq!((place.work(0, 2, "0").code, place.bytes("0") == whole), (Some(0), true));
    }
    for (content, why) in [
        (whole.clone(), said!("the-file-is-part", "0", "2")),
        (b"# a game\n".to_vec(), said!("the-file-is-no-shard")),
    ] {
        fs::write(place.path("1"), &content).unwrap();
        let other = place.work(1, 2, "1");
        assert_eq!((other.code, place.bytes("1") == content), (Some(1), true));
        assert!(other.err.contains(why), "{}", other.err);
    }
    let on_job = place.work(0, 1, "job.json");
    assert_eq!(on_job.code, Some(1), "{}", on_job.err);
    let elsewhere = place.work(0, 1, "no/such/folder");
    assert_eq!(elsewhere.code, Some(75), "{}", elsewhere.err);
    fs::create_dir(place.path("folder")).unwrap();
    assert_eq!(place.work(0, 1, "folder").code, Some(2));
}

#[test]
fn without_out_the_shard_goes_to_standard_output() {
    let place = WorkFolder::with(JOBS[2].1);
    place.work(1, 3, "1");
    let printed = run(&["work", "--job", &place.job, "--index", "1", "--count", "3"], "");
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""));
    assert_eq!(printed.out.into_bytes(), place.bytes("1"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_shard_write_can_be_retried() {
    let place = WorkFolder::with(JOBS[2].1);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command =
        crate::support::crosspath(&["work", "--job", &place.job, "--index", "0", "--count", "1"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn invalid_arguments_are_usage_errors() {
    let place = WorkFolder::with(JOBS[0].1);
    for (flags, why) in [
        (&["--index", "2", "--count", "2"][..], said!("index-the-parts-are", "2", "0", "1")),
        (&["--index", "0", "--count", "0"], said!("count-the-job-has", "0", "23", "1", "23")),
        (&["--index", "0", "--count", "24"], said!("count-the-job-has-units", "24", "23")),
        (&[], "--index <I>"),
    ] {
        let run = run(&[&["work", "--job", &place.job], flags].concat(), "");
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains(why), "{}", run.err);
    }
    let none = run(&["work", "--job", "no.json", "--estimate"], "");
    assert_eq!((none.code, none.err.contains("--job no.json: ")), (Some(2), true), "{}", none.err);
}

#[test]
fn an_estimate_suggests_the_number_of_shards() {
    let place = WorkFolder::with(JOBS[0].1);
    let estimate = run(&["work", "--job", &place.job, "--estimate"], "");
    assert_eq!((estimate.code, estimate.err.as_str()), (Some(0), ""));
    assert!(
        estimate.out.contains(lasting(format!(" {} ", said!("s-a-unit-measured"))))
            && estimate.out.contains(lasting(format!("{} ", said!("count-makes-shards-of", "1"))))
    );
}

#[test]
fn shard_files_are_merged_reported_and_kept() {
    for (_, text) in JOBS {
        let place = WorkFolder::with(text);
        let names = ["0", "1", "2"];
        for (name, index) in names.iter().zip(0..) {
            assert_eq!(place.work(index, 3, name).code, Some(0));
        }
        place.work(0, 1, "whole");
        let merged =
            place.merge(&["--job", &place.job, "--out", &place.path("merged")], &["2", "0", "1", "2"]);
        assert_eq!((merged.code, merged.err.as_str()), (Some(0), ""), "{}", merged.out);
        assert!(place.bytes("merged") == place.bytes("whole"));
        let json = place.merge(&["--json", "--out", &place.path("merged")], &["merged"]);
        let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
        assert_eq!((&report["missing"], report["units"].is_u64()), (&"".into(), true));
        assert!(place.bytes("merged") == place.bytes("whole"));
    }
}

#[test]
fn missing_and_damaged_shards_are_named() {
    let place = WorkFolder::with(JOBS[0].1);
    for index in [0, 1, 2, 4] {
        place.work(index, 5, &format!("{index}.jsonl"));
    }
    let torn = place.bytes("1.jsonl");
    fs::write(place.path("1.jsonl"), &torn[..torn.len() - 3]).unwrap();
    let files = ["4.jsonl", "1.jsonl", "0.jsonl", "2.jsonl"];
    let merged = place.merge(&["--out", &place.path("merged")], &files);
    assert_eq!(merged.code, Some(75));
    assert!(merged.err.contains(said!("is-skipped-incomplete", "1.jsonl")), "{}", merged.err);
    assert!(merged.err.contains(said!("units-are-missing-partial", "4-8, 13-17", 22)), "{}", merged.err);
    assert!(!Path::new(&place.path("merged")).exists());
    let missing = place.merge(&["--missing", "--count", "5", "--job", &place.job], &files);
    assert_eq!((missing.code, missing.out.as_str()), (Some(0), "1\n3\n"));
    let none = place.merge(&["--missing", "--count", "3", "--job", &place.job], &["*.none"]);
    assert_eq!((none.code, none.out.as_str(), none.err.as_str()), (Some(0), "0\n1\n2\n", ""));
    let partial = place.merge(&["--partial", "--out", &place.path("merged")], &files);
    assert_eq!(partial.code, Some(0), "{}", partial.err);
    assert!(partial.out.trim_end().ends_with(said!("units-are-missing", "4-8, 13-17")), "{}", partial.out);
    // A partial result is not replaced by a smaller one. It is used again, and removed when it is
    // complete.
    let less = place.merge(&["--partial", "--out", &place.path("merged")], &["0.jsonl"]);
    assert_eq!(less.code, Some(1));
    assert!(less.err.contains(said!("units-that-inputs-lack")), "{}", less.err);
    place.work(1, 5, "1.jsonl");
    place.work(3, 5, "3.jsonl");
    let whole = place.merge(&["--out", &place.path("merged")], &["merged", "3.jsonl", "1.jsonl"]);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    place.work(0, 1, "whole");
    assert!(place.bytes("merged") == place.bytes("whole"));
    let unknown = place.merge(&["--missing", "--count", "3"], &["*.none"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.err);
}

#[test]
fn contradicting_shards_are_refused_by_name() {
    let place = WorkFolder::with(JOBS[0].1);
    place.work(0, 2, "0");
    place.work(1, 2, "1");
    let other = WorkFolder::with(&JOBS[0].1.replacen("\"7\"", "\"8\"", 1));
    other.work(1, 2, "1");
    fs::copy(other.path("1"), place.path("other")).unwrap();
    let apart = place.merge(&[], &["0", "other"]);
    assert_eq!(apart.code, Some(1));
    assert!(
        apart.err.contains("/0 and ")
            && apart.err.contains("/other belong to different runs: their job differs"),
        "{}",
        apart.err
    );
    let wrong = place.merge(&["--job", &other.job], &["0", "1"]);
    assert_eq!(
        (wrong.code, wrong.err.contains(lasting(format!("{} ", said!("is-not-of-the", "0"))))),
        (Some(1), true),
        "{}",
        wrong.err
    );
    // The same unit with other content and a correct checksum.
    let shard = Shard::load(Path::new(&place.path("1"))).unwrap();
    let mut bodies: Vec<(u32, Vec<u8>)> = shard.units().map(|(unit, body)| (unit, body.to_vec())).collect();
    bodies[3].1[4] ^= 1;
    let forged = Shard::new(shard.header.clone(), bodies.iter().map(|(unit, body)| (*unit, &body[..])));
    fs::write(place.path("forged"), forged.bytes()).unwrap();
    let unequal = place.merge(&[], &["0", "1", "forged"]);
    assert_eq!(unequal.code, Some(1));
    assert!(
        unequal.err.contains("/1 and ") && unequal.err.contains("/forged differ in unit 14;"),
        "{}",
        unequal.err
    );
    let kept = place.bytes("0");
    let onto = place.merge(&["--out", &place.path("0")], &["0", "1"]);
    assert_eq!((onto.code, place.bytes("0") == kept), (Some(1), true), "{}", onto.err);
}

/// A damaged shard is recomputed. A file that never was a shard is left alone.
#[test]
fn a_damaged_shard_is_distinguished_from_a_foreign_file() {
    use crosspath::arena::jobs::shard::ShardError;
    let bytes = job(JOBS[2].1).compute_shard(0, 9, 1).unwrap().bytes().to_vec();
    let head = "{\"crosspath\":\"shard\",\"schema\":1".len();
    for place in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[place] ^= 4;
        let is_foreign = matches!(Shard::parse(flipped).unwrap_err(), ShardError::NotShard(_));
        assert!(!is_foreign || place < head, "{place}");
        let torn = Shard::parse(bytes[..place].to_vec()).unwrap_err();
        assert_eq!(torn, ShardError::Incomplete, "{place}");
    }
    for text in ["a1 b2\n", "a1", "{}\n", JOBS[2].1] {
        assert!(matches!(Shard::parse(text.into()).unwrap_err(), ShardError::NotShard(_)), "{text}");
    }
}

/// Kills `work` at every system call that writes or renames its file, and lets each of these calls
/// fail.
#[test]
#[cfg(target_os = "linux")]
fn a_failed_system_call_leaves_no_partial_shard() {
    use crate::kills::temporary_files_after_a_save;
    use std::process::Command;
    let place = WorkFolder::with(&JOBS[0].1.replacen("\"units\":23", "\"units\":2", 1));
    place.work(0, 1, "whole");
    let (whole, out, calls) = (place.bytes("whole"), place.path("out"), place.path("calls"));
    let traced = |filter: &str| {
        let _ = fs::remove_file(&out);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", &calls]).args(filter.split(' ')).arg(env!("CARGO_BIN_EXE_crosspath"));
        strace.args(["work", "--job", &place.job, "--index", "0", "--count", "1", "--out", &out]);
        strace.output().ok().filter(|output| output.status.code() != Some(1) || !output.stderr.is_empty())
    };
    let names = ["write", "fsync", "fchmod", "rename", "flock", "unlink"];
    if !crate::system_calls::has_strace() {
        return;
    }
    let quiet = traced(&format!("-e trace={}", names.join(","))).expect("strace works");
    assert_eq!(quiet.status.code(), Some(0));
    let log = fs::read_to_string(&calls).unwrap();
    let mut runs = 0;
    for name in names {
        for when in 1..=log.lines().filter(|line| line.contains(&format!(" {name}("))).count() {
            for what in ["signal=SIGKILL", "error=ENOSPC", "error=EIO"] {
                let run = traced(&format!("-e trace={name} -e inject={name}:{what}:when={when}")).unwrap();
                let left = fs::read(&out).ok();
                let how = format!("{name} {when} {what}: {}", String::from_utf8_lossy(&run.stderr));
                assert!(left.as_ref().is_none_or(|left| *left == whole), "{how}");
                match run.status.code() {
                    Some(0) => assert!(left.is_some(), "{how}"),
                    Some(75) => assert!(left.is_none() && how.contains(said!("cannot-write-out")), "{how}"),
                    code => assert!(what == "signal=SIGKILL", "{how} {code:?}"),
                }
                runs += 1;
            }
        }
    }
    assert_eq!(temporary_files_after_a_save(place.folder.path()), [""; 0]);
    println!("{runs} runs of work, each with one call that kills or fails");
    assert!(runs >= 12, "{runs}: {log}");
}

/// Kills `work` at random moments and checks that there is either no file or a whole one.
#[cfg(unix)]
fn kill_at_random_moments(times: u64, seed: u64) {
    use crate::kills::temporary_files_after_a_save;
    use rand::RngExt;
    use std::time::Duration;
    let text = JOBS[0].1.replacen("\"units\":23", "\"units\":100", 1);
    let place = WorkFolder::with(&text);
    let begin = std::time::Instant::now();
    place.work(0, 1, "whole");
    let longest = u64::try_from(begin.elapsed().as_micros() * 13 / 10).unwrap();
    let whole = place.bytes("whole");
    let mut chance = crosspath::random::random_stream(seed, 7);
    let (mut absent, mut complete) = (0, 0);
    for _ in 0..times {
        let _ = fs::remove_file(place.path("out"));
        let out = place.path("out");
        let flags = ["work", "--job", &place.job, "--index", "0", "--count", "1", "--out", &out];
        let mut child = crate::support::crosspath(&flags).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(chance.random_range(0..longest)));
        child.kill().unwrap();
        child.wait().unwrap();
        match fs::read(&out) {
            Ok(bytes) => {
                assert!(bytes == whole, "a part of a shard under its final name");
                complete += 1;
            }
            Err(_) => absent += 1,
        }
    }
    assert_eq!(temporary_files_after_a_save(place.folder.path()), [""; 0]);
    println!("{times} kills of work: {absent} without a file, {complete} with a whole one");
    assert!(absent > 0);
}

#[test]
#[cfg(unix)]
fn a_killed_work_command_leaves_no_partial_shard() {
    kill_at_random_moments(20, 1);
}

#[test]
#[cfg(unix)]
#[ignore = "slow: 2,000 kills"]
fn two_thousand_kills_leave_no_partial_shard() {
    kill_at_random_moments(2_000, 2);
}
