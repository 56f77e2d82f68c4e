//! Self-play with an evaluator on a pipe: a stand-in in Python, and the errors of broken evaluators.

use std::fs;
use std::path::Path;

use crosspath::arena::jobs::shard::Shard;
use crosspath::arena::selfplay::evaluator::{EvaluatorError, EvaluatorProcess};
use crosspath::arena::selfplay::{SelfplayGame, SelfplayReader};

use crate::selfplay::python;
use crate::sentences::{lasting, said};
use crate::support::{Run, folder, run, run_on};

fn run_with_evaluator(flags: &[&str], fault: Option<&str>, out: &str) -> Option<Run> {
    let mut command = python("self-play with an evaluator in Python")?;
    command.arg("train/evaluator.py").args(fault.into_iter().flat_map(|how| ["--faulty", how]));
    command
        .args([env!("CARGO_BIN_EXE_crosspath"), "selfplay", "--evaluator", "stdio", "--out", out])
        .args(flags);
    Some(run_on(command, ""))
}

#[test]
fn selfplay_with_an_evaluator_works_at_any_batch_size() {
    let folder = folder();
    for (game, size, games) in [("hex", "5", 30), ("quoridor", "5", 11), ("tic-tac-toe", "4", 21)] {
        let mut units = Vec::new();
        for batch in if game == "hex" { &["1", "4", "64"][..] } else { &["8"] } {
            let out = folder.path().join(format!("{game}{batch}")).to_str().unwrap().to_owned();
            let count = games.to_string();
            let flags = ["--game", game, "--size", size, "--games", &count, "--batch", batch];
            let Some(run) = run_with_evaluator(&flags, None, &out) else { return };
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
            let shard = Shard::load(Path::new(&out)).unwrap();
            assert_eq!(shard.header.get("deterministic"), false);
            assert!(shard.is_complete());
            let mut reader = SelfplayReader::default();
            reader.read_shard(&shard, |_, position| assert_eq!(position.value.unwrap().0, 0)).unwrap();
            assert_eq!(reader.games, games);
            units.push(shard.units().map(|(_, body)| body.to_vec()).collect::<Vec<_>>());
        }
        assert!(units.windows(2).all(|pair| pair[0] == pair[1]), "the same answers, the same games");
        let mut game = SelfplayGame::default();
        game.decode(&units[0][0]).unwrap();
        assert!(game.positions.iter().any(|position| !game.policy(position).is_empty()));
    }
}

#[test]
fn a_broken_evaluator_gives_one_error_and_no_file() {
    let folder = folder();
    for (fault, why) in [
        ("nan", "gave a position the value NaN; values are numbers from -1 (lost) to 1 (won)"),
        ("large", said!("gave-a-position-the", "1.5")),
        ("logit", "gave a legal move the logit inf; logits of legal moves are finite"),
        ("short", lasting(format!("{} ", said!("the-evaluator-answered-for")))),
        ("end", lasting(format!("{} ", said!("the-evaluator-ended-after", "0")))),
    ] {
        let out = folder.path().join(fault).to_str().unwrap().to_owned();
        let Some(run) = run_with_evaluator(
            &["--game", "hex", "--size", "4", "--games", "40", "--batch", "8"],
            Some(fault),
            &out,
        ) else {
            return;
        };
        assert_eq!(run.code, Some(1), "{fault}: {}", run.err);
        assert!(run.err.contains(why) && run.err.lines().count() == 1, "{fault}: {}", run.err);
        assert!(!Path::new(&out).exists());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn closed_evaluator_input_is_an_error() {
    let folder = folder();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    let run = run(&["selfplay", "--evaluator", "stdio", "--out", &out], "");
    assert_eq!((run.code, Path::new(&out).exists()), (Some(1), false));
    assert!(
        run.err.starts_with(lasting(format!("error: {} ", said!("the-evaluator-ended-after", "0")))),
        "{}",
        run.err
    );
    let greeting = run.out.lines().next().unwrap_or_default();
    assert!(
        greeting
            .starts_with("{\"crosspath\":\"evaluator\",\"schema\":1,\"position_bytes\":10,\"move_count\":9,")
    );
}

fn evaluator_answering(answer: &[u8]) -> EvaluatorProcess<&[u8]> {
    EvaluatorProcess::new(answer, std::io::sink(), "hello\n", 2).unwrap()
}

#[test]
fn evaluator_answers_are_parsed_exactly() {
    let floats = |all: &[f32]| all.iter().flat_map(|float| float.to_le_bytes()).collect::<Vec<u8>>();
    let whole = [&2u32.to_le_bytes()[..], &floats(&[0.5, -1.0, 1.0, 2.0, f32::NAN, 4.0])].concat();
    let mut fine = evaluator_answering(&whole);
    fine.send_request(2, |bytes| bytes.extend([1, 2])).unwrap();
    let answers = fine.read_evaluations(2).unwrap();
    assert_eq!([answers.value(0), answers.value(1)], [Ok(0.5), Ok(-1.0)]);
    let mut logits = Vec::new();
    answers.append_logits(0, &[1, 0], &mut logits).unwrap();
    assert_eq!(logits, [2.0, 1.0]);
    logits.clear();
    assert_eq!(answers.append_logits(1, &[1], &mut logits), Ok(()), "what is not legal is not looked at");
    assert_eq!(answers.append_logits(1, &[0], &mut logits), Err(EvaluatorError::Logit("NaN".to_owned())));
    for length in 0..whole.len() {
        let ended = evaluator_answering(&whole[..length]).read_evaluations(2).unwrap_err();
        assert_eq!(ended, EvaluatorError::OutputClosed { got: length, wanted: 28 });
    }
    assert_eq!(
        evaluator_answering(&whole).read_evaluations(3).unwrap_err(),
        EvaluatorError::Count { got: 2, wanted: 3 }
    );
}

#[test]
#[ignore = "wall-clock: run on a quiet machine, with --release"]
fn an_evaluator_handles_50_000_positions_per_second() {
    let folder = folder();
    let out = folder.path().join("out").to_str().unwrap().to_owned();
    let flags = ["--game", "hex", "--games", "8000", "--batch", "1024", "--temperature-plies", "200"];
    let begin = std::time::Instant::now();
    let Some(run) = run_with_evaluator(&flags, None, &out) else { return };
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(run.code, Some(0), "{}", run.err);
    let mut reader = SelfplayReader::default();
    reader.read_shard(&Shard::load(Path::new(&out)).unwrap(), |_, _| ()).unwrap();
    let rate = f64::from(u32::try_from(reader.positions).unwrap()) / seconds;
    println!("hex 11x11 through an evaluator in Python: {rate:.0} positions a second");
    assert!(rate >= 50_000.0);
}
