//! Training of networks: a toy task learnt from self-play, and the resulting file. The tests need
//! Python with `torch`.

use std::path::Path;
use std::process::Command;

use crosspath::ai::net::ConvNet;
use crosspath::ai::quoridor;
use serde_json::Value;

use crate::quoridor_help::after;
use crate::support::python_with;

const PROGRAM: &str = env!("CARGO_BIN_EXE_crosspath");

/// Returns Python with the modules of `train/requirements.txt`, if there is one.
fn python() -> Option<String> {
    python_with("numpy, safetensors, torch", &["CROSSPATH_PYTHON"])
}

/// Python script that checks ladder openings: legal, unique, as many for either side, with the
/// ladder stones in a row.
const LADDER_LAWS: &str = "
from train.hex import ladders
for size in (9, 11, 14):
    made = ladders.ladders(size, 200, 3)
    assert len({tuple(opening) for opening in made}) == 200
    crawls = [0, 0]
    for opening in made:
        assert len(set(opening)) == len(opening) and all(0 <= cell < size * size for cell in opening), opening
        for side in (0, 1):
            stones = {(cell // size, cell % size) for cell in opening[side::2]}
            stones = {(col, row) for row, col in stones} if side else stones
            rows = (1, 2, size - 3, size - 2)
            crawls[side] += any((row, col + 1) in stones for row, col in stones if row in rows)
    assert min(crawls) >= 100, crawls  # half of them each, and more by chance
assert ladders.ladders(11, 20, 5) == ladders.ladders(11, 20, 5)
kept = ladders.ladders(11, 20, 5, lambda some: [0.99 if opening[0] % 2 else 0.5 for opening in some])
assert all(opening[0] % 2 == 0 for opening in kept)
";

/// Python script that checks even openings: legal, with one to four stones, and the most even of those drawn.
const EVEN_LAWS: &str = "
from train.hex.taught import TaughtRun
all_drawn = []
def win_chances(drawn):
    all_drawn.extend(drawn)
    return [opening[0] / 120 for opening in drawn]
made = TaughtRun.draw_even_openings(11, 50, 3, win_chances)
assert len(made) == 50 and len(all_drawn) == 200
assert {len(opening) for opening in made} == {1, 2, 3, 4}
assert all(len(set(opening)) == len(opening) and all(0 <= cell < 121 for cell in opening) for opening in made)
distances = sorted(abs(opening[0] / 120 - 0.5) for opening in all_drawn)
assert sorted(abs(opening[0] / 120 - 0.5) for opening in made) == distances[:50]
";

#[test]
fn even_openings_are_legal_and_the_most_even() {
    let Some(python) = python() else { return };
    let checked = Command::new(python)
        .args(["-c", EVEN_LAWS])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn ladder_openings_are_legal_and_balanced() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(mut python) = crate::selfplay::python("openings with ladders") else { return };
    let checked = python.args(["-c", LADDER_LAWS]).current_dir(folder).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    // The program starts games from them.
    let made =
        crate::selfplay::python("openings with ladders").unwrap().args(["-m", "train.hex.ladders"]).output();
    let (out, file) = (tempfile::tempdir().unwrap(), tempfile::NamedTempFile::new().unwrap());
    std::fs::write(file.path(), made.unwrap().stdout).unwrap();
    let shard = out.path().join("games.shard");
    let played = Command::new(PROGRAM)
        .args(["selfplay", "--game", "hex", "--no-swap", "--engine", "level:1", "--games", "100", "--quiet"])
        .args(["--openings".as_ref(), file.path().as_os_str(), "--out".as_ref(), shard.as_os_str()])
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
}

#[test]
fn a_toy_task_is_learnt_and_its_network_plays() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let train = |command: &str, run: &str, more: &[&str]| {
        let output = Command::new(&python)
            .args(["-m", "train", "hex", command, "--folder", &path(run)])
            .args(more)
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    // Two rounds, and the rest in another process, which resumes the run.
    assert_eq!(train("plain", "plain", &["--smoke", "--rounds", "2"]).len(), 2);
    let log = train("plain", "plain", &["--smoke"]);
    assert_eq!(log[0]["stretch"], 3);
    let losses: Vec<f64> = log.iter().map(|entry| entry["move_loss"].as_f64().unwrap()).collect();
    assert!(losses[0] > 0.6 && losses[losses.len() - 1] < 0.6, "{losses:?}");
    // Training from searches starts at that checkpoint, with searches in tensors and by the
    // program.
    let start = ["--smoke", "--sharpness", "3", "--start", &path("plain/state.pt")];
    let tensors = train("taught", "tensors", &[&start[..], &["--rounds", "1"]].concat());
    assert!(tensors[0]["judged"].as_u64().unwrap() > 100, "{tensors:?}");
    let taught = [&start[..], &["--program", PROGRAM]].concat();
    assert_eq!(train("taught", "taught", &[&taught[..], &["--rounds", "2"]].concat()).len(), 2);
    assert_eq!(train("taught", "taught", &taught)[0]["stretch"], 3);
    train("write", "taught", &["--out", &path("net")]);
    ConvNet::from_bytes(&std::fs::read(path("net.safetensors")).unwrap(), "hex").unwrap();
    let net = format!("net=net:{}", path("net.safetensors"));
    let arguments =
        ["arena", "--game", "hex", "--size", "3", "--no-swap", "--engine", &net, "--engine", "one=level:1"];
    let output =
        Command::new(PROGRAM).args(arguments).args(["--pairs", "9", "--openings", "none", "--json"]).output();
    let report: Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
    // First wins on 3x3, and the network has learnt how.
    assert!(report["seats"][0][0].as_u64().unwrap() >= 8, "{report}");
}

/// Python script that compares games of the program with the tensor rules of training, and searches
/// the positions before the last moves.
const AGREEMENT: &str = r#"
import sys
import numpy as np, torch
from train import shards
from train.hex import board, games, search
from train.hex.net import Net
from train.hex import planes
played = games.as_arrays(shards.read(sys.argv[1]))
size, plies = played.size, torch.from_numpy(played.plies)
first, second = (board.connected_at(plies, size, side) for side in (0, 1))
last = torch.from_numpy(np.array([played.ply[played.game == game].max() for game in range(len(plies))]))
won = torch.from_numpy(np.array([played.result[(played.game == game) & (played.ply == 0)][0] for game in range(len(plies))]))
assert torch.equal(torch.minimum(first, second), last.int()), "the last move connects, and none before it"
assert torch.equal((first < second).double(), won), "the winner is the same"
before = torch.where(plies < last[:, None], plies, board.NEVER)
# Random weights give a random policy; the seed makes the search the same every time.
torch.manual_seed(1)
generator = torch.Generator().manual_seed(1)
found = search.search(Net(planes.PLANES, 16, 1, planes.NEIGHBOURS), before, last.to(torch.int16), size, 400, torch.float32, generator)
after = before.scatter(1, found.visits.argmax(1)[:, None], last.to(torch.int16)[:, None])
assert search.has_connected(after, last % 2 == 1, size).all(), "a search sees a win in one move"
print(len(plies), "games agree")
"#;

#[test]
fn the_tensor_rules_equal_those_of_the_program() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.shard").to_str().unwrap().to_owned();
    let flags = "selfplay --game hex --size 5 --no-swap --engine level:1 --games 60 --quiet --out".split(' ');
    assert!(Command::new(PROGRAM).args(flags).arg(&games).status().unwrap().success());
    let output = Command::new(&python)
        .args(["-c", AGREEMENT, &games])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "60 games agree\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Python script that starts from a Quoridor network of version 1.
const START_FROM_VERSION_1: &str = "
from train.quoridor import value
path, net = 'train/checkpoints/quoridor-2.safetensors', value.ValueNet(64)
value.load_weights(net, path)
weights = net.weight.detach().abs()
assert weights[354:].sum() == 0 and weights[:354].sum() > 100, weights
try:
    value.load_weights(value.ValueNet(128), path)
except ValueError as error:
    assert str(error) == path + ' has 64 hidden units, not 128', error
else:
    raise AssertionError('64 units were loaded as 128')
";

#[test]
fn quoridor_training_can_start_from_a_network_of_version_1() {
    let Some(python) = python() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(&python).args(["-c", START_FROM_VERSION_1]).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_few_quoridor_games_train_a_readable_network() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let train = |command: &str, more: &[&str]| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let arguments = ["-m", "train", "quoridor", command, "--folder", path];
        let output = Command::new(&python).args(arguments).args(more).current_dir(root).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let learn = ["--program", PROGRAM, "--smoke"];
    assert_eq!(train("learn", &learn).lines().count(), 3, "a line for each epoch");
    assert_eq!(train("learn", &learn), "", "nothing is left to do");
    train("write", &["--out", &format!("{path}/net")]);
    let [log, page] = ["log.jsonl", "page.html"].map(|name| folder.path().join(name));
    let result = Command::new(PROGRAM)
        .args(["arena", "--report"])
        .arg(&log)
        .arg("--html")
        .arg(&page)
        .output()
        .unwrap();
    assert!(result.status.success() && std::fs::read_to_string(&page).unwrap().contains("<td>3</td>"));
    let network =
        quoridor::net::read_network(&std::fs::read(folder.path().join("net.safetensors")).unwrap()).unwrap();
    let positions = std::fs::read_to_string(folder.path().join("net.positions.jsonl")).unwrap();
    assert_eq!(positions.lines().count(), 64);
    for line in positions.lines() {
        let known: Value = serde_json::from_str(line).unwrap();
        let game = after(9, 10, known["moves"].as_str().unwrap());
        let (sum, value) = quoridor::net::evaluate_network(&network, &game).unwrap();
        assert_eq!(
            (i64::from(sum), i64::from(value)),
            (known["sum"].as_i64().unwrap(), known["value"].as_i64().unwrap())
        );
    }
    let card = std::fs::read_to_string(folder.path().join("net.md")).unwrap();
    assert!(card.contains("80 games of lookahead with itself"), "{card}");
}
