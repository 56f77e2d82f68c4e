//! Fuzz targets in a plain `cargo test`: their corpus, past crashes, and mutations of both.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use crosspath::random::{RandomGenerator, random_stream};
use rand::RngExt;

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use targets::{TARGETS, Target};

/// Returns the files of a target in one of the fuzzer's folders, sorted by name. Without the folder there
/// are none.
fn target_files(folder: &str, target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder).join(target.name);
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Guard that prints the input of a target if it panics.
struct PrintOnPanic<'a>(&'a Target, &'a [u8]);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: b\"{}\"", self.0.name, self.1.escape_ascii());
        }
    }
}

fn run_target(target: &Target, bytes: &[u8]) {
    let _trace = PrintOnPanic(target, bytes);
    (target.run)(bytes);
}

/// Material for mutations: files, and the words in them.
struct Material {
    files: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
}

impl Material {
    fn of(target: &Target) -> Self {
        let files = [target_files("corpus", target), target_files("crashes", target)].concat();
        let words = files.iter().flat_map(|file| file.split(|byte| !byte.is_ascii_alphanumeric()));
        let words: BTreeSet<Vec<u8>> = words.map(<[u8]>::to_vec).collect();
        Material { files, words: words.into_iter().collect() }
    }

    /// Returns a file with one to four random changes.
    fn mutate(&self, chance: &mut RandomGenerator) -> Vec<u8> {
        let mut bytes = pick(&self.files, chance).clone();
        for _ in 0..chance.random_range(1..=4) {
            let at = chance.random_range(0..=bytes.len());
            let end = chance.random_range(at..=bytes.len());
            match chance.random_range(0..6) {
                0 if at < bytes.len() => bytes[at] ^= 1 << chance.random_range(0..8),
                1 if at < bytes.len() => bytes[at] = chance.random_range(0..=255),
                2 => {
                    let block = bytes[at..end].to_vec();
                    let place = chance.random_range(0..=bytes.len());
                    bytes.splice(place..place, block);
                }
                3 => {
                    let other = pick(&self.files, chance);
                    let from = chance.random_range(0..=other.len());
                    bytes.splice(at.., other[from..].iter().copied());
                }
                4 => drop(bytes.splice(at..at, pick(&self.words, chance).iter().copied())),
                _ => drop(bytes.drain(at..end)),
            }
        }
        bytes
    }
}

fn pick<'a, T>(list: &'a [T], chance: &mut RandomGenerator) -> &'a T {
    &list[chance.random_range(0..list.len())]
}

/// Runs a target on all its files, and on `times` its usual number of mutations.
fn check_target(target: &Target, times: usize, mut chance: RandomGenerator) {
    let material = Material::of(target);
    material.files.iter().for_each(|file| run_target(target, file));
    for _ in 0..times * target.mutations {
        run_target(target, &material.mutate(&mut chance));
    }
}

/// Runs all targets, even if one of them fails.
fn check_all_targets(times: usize, seed: u64) {
    let tried = (0..).zip(TARGETS).map(|(number, target)| {
        (target.name, catch_unwind(|| check_target(target, times, random_stream(seed, number))))
    });
    let failed: Vec<&str> = tried.filter(|(_, tried)| tried.is_err()).map(|(name, _)| name).collect();
    assert!(failed.is_empty(), "{failed:?} failed");
}

#[test]
fn no_target_fails_on_its_corpus_or_mutations() {
    check_all_targets(1, 1);
}

#[test]
#[ignore = "slow: a hundred times as many mutations, about ten minutes"]
fn no_target_fails_on_100_times_as_many_mutations() {
    check_all_targets(100, 2);
}

#[test]
fn every_fuzz_target_has_a_program_and_a_small_corpus() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let Target { name, .. } = target;
        let program = fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("::{name}(bytes)")), "{program}");
        assert!(
            manifest.contains(&format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"")),
            "{name}"
        );
        let files = target_files("corpus", target);
        let bytes: usize = files.iter().map(Vec::len).sum();
        assert!((1..=200).contains(&files.len()) && bytes <= 1 << 20, "{name}: {} files", files.len());
    }
    assert_eq!(fs::read_dir(fuzz.join("fuzz_targets")).unwrap().count(), TARGETS.len());
    assert_eq!(fs::read_dir(fuzz.join("corpus")).unwrap().count(), TARGETS.len());
}
