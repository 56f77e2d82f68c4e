//! The script that plays many games with kills at random moments, here with few games, and the program that replays them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crosspath::arena::jobs::shard::Shard;

use crate::support::{Run, example, folder, run_on, skip};

/// Returns the program that replays games, if it was built too.
fn checker() -> Option<Command> {
    let checker = example("check_games");
    let program = Path::new(checker.get_program());
    let is_built = program.is_file() && program.file_stem().is_some_and(|name| name == "check_games");
    if !is_built {
        skip("scripts/soak.sh", "the example check_games is not built; a whole cargo test builds it");
    }
    is_built.then_some(checker)
}

/// Runs the script with as few games of Quoridor as possible.
fn soak(place: &Path, checker: &Command) -> Run {
    let mut script = Command::new("bash");
    script.arg("scripts/soak.sh").arg(place).args(["1", "quoridor"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    script.env("CROSSPATH", env!("CARGO_BIN_EXE_crosspath")).env("CHECK_GAMES", checker.get_program());
    run_on(script, "")
}

#[test]
fn a_small_soak_finds_no_fault_and_a_game_that_was_not_played_is_one() {
    let has_tools = Command::new("bash").args(["-c", "type kill sed sort cmp tr wc"]).output();
    if !has_tools.is_ok_and(|output| output.status.success()) {
        skip("scripts/soak.sh", "it needs bash and the usual tools");
        return;
    }
    let (Some(checker), place) = (checker(), folder()) else { return };
    let first = soak(place.path(), &checker);
    let is_clean = first.out.starts_with("quoridor: 27 games, ") && first.out.ends_with(" kills, 0 faults\n");
    assert!(first.code == Some(0) && is_clean, "{}{}", first.out, first.err);
    // Another first move under a right checksum is no game of this board.
    let shard = Shard::load(&place.path().join("quoridor--size3-1.shard")).unwrap();
    let mut body = shard.units().next().unwrap().1.to_vec();
    body[10] ^= 0xff;
    let forged = place.path().join("forged.shard");
    fs::write(&forged, Shard::new(shard.header.clone(), [(0, &*body)]).bytes()).unwrap();
    let mut check = checker;
    let said = check.arg(&forged).output().unwrap();
    assert!(!said.status.success() && said.stdout.is_empty(), "{}", String::from_utf8_lossy(&said.stderr));
}
