//! The largest boards: a limit ends the work there too, and memory has a bound.

use crate::bounded::ends;
use crate::support::crosspath;

#[test]
fn a_limit_of_positions_ends_a_search_for_a_proof_on_every_size() {
    for size in ["11", "13", "20", "26"] {
        let run =
            ends(crosspath(&["solve", "--game", "hex", "--size", size, "--nodes", "1000", "--json"]), "");
        assert_eq!(run.code, Some(0), "{size}: {}", run.err);
        assert!(run.out.contains("\"outcome\""), "{size}: {}", run.out);
    }
}

/// The engines of both sides think in turn: what one needs only while it thinks the other can have.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_on_the_largest_board_keeps_to_its_memory() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut command = crosspath(&["engine", "--protocol", "gtp", "--nodes", "20", "--seed", "1"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
    let mut say = |line: &str| {
        writeln!(input, "{line}").unwrap();
        let answer = output.next().unwrap().unwrap();
        assert!(answer.starts_with('='), "{line}: {answer}");
        assert_eq!(output.next().unwrap().unwrap(), "");
    };
    say("boardsize 26");
    for i in 0..120 {
        say(["genmove b", "genmove w"][i % 2]);
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    say("quit");
    child.wait().unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = peak.split_whitespace().next().unwrap().parse().unwrap();
    assert!(kib <= 256 << 10, "{kib} KiB");
}
