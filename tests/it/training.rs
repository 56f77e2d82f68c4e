//! The making of networks: a toy task learnt from self-play, and the file that comes of it. Needs Python with `torch`.

use std::path::Path;
use std::process::Command;

use crosspath::ai::net::Network;
use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_crosspath");

/// Python with what `train/requirements.txt` names, if there is one: `CROSSPATH_PYTHON`, or `python3`.
fn python() -> Option<String> {
    let python = std::env::var("CROSSPATH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let imports = ["-c", "import numpy, safetensors, torch"];
    let found = Command::new(&python).args(imports).output().is_ok_and(|output| output.status.success());
    found.then_some(python)
}

#[test]
fn a_toy_task_is_learnt_and_its_network_is_read_and_plays() {
    let Some(python) = python() else {
        println!("skipped: no Python with numpy, safetensors and torch; CROSSPATH_PYTHON names one");
        return;
    };
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
