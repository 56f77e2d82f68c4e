//! The making of networks: a toy task learnt from self-play, and the file that comes of it. Needs Python with `torch`.

use std::path::Path;
use std::process::Command;

use crosspath::ai::net::Network;
use crosspath::ai::quoridor;
use serde_json::Value;

use crate::quoridor_help::after;
use crate::support::python_with;

const PROGRAM: &str = env!("CARGO_BIN_EXE_crosspath");

/// Python with what `train/requirements.txt` names, if there is one.
fn python() -> Option<String> {
    python_with("numpy, safetensors, torch", &["CROSSPATH_PYTHON"])
}

#[test]
fn a_toy_task_is_learnt_and_its_network_is_read_and_plays() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let train_in = |run: &str, more: &[&str]| {
        let arguments = ["-m", "train", "hex", "--folder", &path(run), "--program", PROGRAM, "--smoke"];
        let output = Command::new(&python)
            .args(arguments)
            .args(more)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let train = |more: &[&str]| train_in("run", more);
    // Two stretches, and the rest in another process: the run goes on where it was.
    assert_eq!(train(&["--stretches", "2"]).lines().count(), 2);
    let told = train(&[]);
    assert!(told.starts_with("stretch 3 "), "{told}");
    let log = std::fs::read_to_string(path("run/log.jsonl")).unwrap();
    let losses: Vec<f64> = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["move_loss"].as_f64().unwrap())
        .collect();
    assert!(losses[0] > 0.6 && losses[losses.len() - 1] < 0.45, "{losses:?}");
    // What it has learnt is where the second way begins, which learns from searches; it goes on where it was too.
    let taught = ["--nodes", "30", "--start", &path("run/state.pt")];
    assert_eq!(train_in("taught", &[&taught[..], &["--stretches", "2"]].concat()).lines().count(), 2);
    let told = train_in("taught", &taught);
    assert!(told.starts_with("stretch 3 "), "{told}");
    let bytes = std::fs::read(path("taught/net.safetensors")).unwrap();
    Network::read(&bytes, "hex").unwrap();
    let net = format!("net=net:{}", path("taught/net.safetensors"));
    let arguments =
        ["arena", "--game", "hex", "--size", "3", "--no-swap", "--engine", &net, "--engine", "one=level:1"];
    let output =
        Command::new(PROGRAM).args(arguments).args(["--pairs", "9", "--openings", "none", "--json"]).output();
    let report: Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    // First wins on 3x3, and the network has found out how.
    assert!(report["seats"][0][0].as_u64().unwrap() >= 8, "{report}");
}

#[test]
fn a_few_games_of_quoridor_make_a_network_that_is_read() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let train = || {
        let arguments = ["-m", "train", "quoridor", "--folder", path, "--program", PROGRAM, "--smoke"];
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let output = Command::new(&python).args(arguments).current_dir(root).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(train().lines().count(), 3, "a line for each epoch");
    assert_eq!(train(), "", "nothing is left to do");
    let [log, page] = ["log.jsonl", "page.html"].map(|name| folder.path().join(name));
    let told = Command::new(PROGRAM)
        .args(["arena", "--report"])
        .arg(&log)
        .arg("--html")
        .arg(&page)
        .output()
        .unwrap();
    assert!(told.status.success() && std::fs::read_to_string(&page).unwrap().contains("<td>3</td>"));
    let network =
        quoridor::net::read(&std::fs::read(folder.path().join("net.safetensors")).unwrap()).unwrap();
    let positions = std::fs::read_to_string(folder.path().join("net.positions.jsonl")).unwrap();
    assert_eq!(positions.lines().count(), 64);
    for line in positions.lines() {
        let known: Value = serde_json::from_str(line).unwrap();
        let game = after(9, 10, known["moves"].as_str().unwrap());
        let (sum, value) = quoridor::net::judge(&network, &game).unwrap();
        assert_eq!(
            (i64::from(sum), i64::from(value)),
            (known["sum"].as_i64().unwrap(), known["value"].as_i64().unwrap())
        );
    }
    let card = std::fs::read_to_string(folder.path().join("net.md")).unwrap();
    assert!(card.contains("80 games of lookahead with itself"), "{card}");
}
