//! On the largest boards limits end the work, and memory is bounded.

use crate::bounded::run_to_end;
use crate::support::crosspath;

#[test]
fn a_node_limit_ends_the_solver_on_every_size() {
    for size in ["11", "13", "20", "26"] {
        let run = run_to_end(
            crosspath(&["solve", "--game", "hex", "--size", size, "--nodes", "1000", "--json"]),
            "",
        );
        assert_eq!(run.code, Some(0), "{size}: {}", run.err);
        assert!(run.out.contains("\"outcome\""), "{size}: {}", run.out);
    }
}

/// The engines of both sides think alternately, so they can share the memory of a search.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_on_the_largest_board_stays_within_its_memory() {
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
