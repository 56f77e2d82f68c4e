//! The soak test script, which plays many games with kills at random moments, run here with few
//! games, and the program that checks them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crosspath::arena::jobs::shard::Shard;

use crate::support::{Run, example, folder, run_on, skip};

/// Returns the program that checks games, if it was built.
fn find_checker() -> Option<Command> {
    let checker = example("check_games");
    let program = Path::new(checker.get_program());
    let is_built = program.is_file() && program.file_stem().is_some_and(|name| name == "check_games");
    if !is_built {
        skip("scripts/soak.sh", "the example check_games is not built; a whole cargo test builds it");
    }
    is_built.then_some(checker)
}

/// Runs the soak test script with as few Quoridor games as possible.
fn run_soak(place: &Path, checker: &Command) -> Run {
    let mut script = Command::new("bash");
    script.arg("scripts/soak.sh").arg(place).args(["1", "quoridor"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    script.env("CROSSPATH", env!("CARGO_BIN_EXE_crosspath")).env("CHECK_GAMES", checker.get_program());
    run_on(script, "")
}

#[test]
fn a_short_soak_test_passes_and_a_forged_game_is_detected() {
    let has_tools = Command::new("bash").args(["-c", "type kill sed sort cmp tr wc"]).output();
    if !has_tools.is_ok_and(|output| output.status.success()) {
        skip("scripts/soak.sh", "it needs bash and the usual tools");
        return;
    }
    let (Some(checker), place) = (find_checker(), folder()) else { return };
    let first = run_soak(place.path(), &checker);
    let is_clean = first.out.starts_with("quoridor: 27 games, ") && first.out.ends_with(" kills, 0 faults\n");
    assert!(first.code == Some(0) && is_clean, "{}{}", first.out, first.err);
    // A game with another first move is invalid, even with a correct checksum.
    let shard = Shard::load(&place.path().join("quoridor--size3-1.shard")).unwrap();
    let mut body = shard.units().next().unwrap().1.to_vec();
    body[10] ^= 0xff;
    let forged = place.path().join("forged.shard");
    fs::write(&forged, Shard::new(shard.header.clone(), [(0, &*body)]).bytes()).unwrap();
    let mut check = checker;
    let sentence = check.arg(&forged).output().unwrap();
    assert!(
        !sentence.status.success() && sentence.stdout.is_empty(),
        "{}",
        String::from_utf8_lossy(&sentence.stderr)
    );
}
