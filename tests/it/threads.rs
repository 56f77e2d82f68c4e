//! The results do not depend on the number of threads.

use crate::support::run;

/// Returns the output of the program on `threads` threads, without times.
fn output_on_threads(arguments: &str, threads: usize) -> String {
    let threads = threads.to_string();
    let all: Vec<&str> = arguments.split_whitespace().chain(["--threads", &threads]).collect();
    let run = run(&all, "");
    assert_eq!(run.code, Some(0), "{arguments}: {}", run.err);
    let timeless =
        |line: &str| line.split(", time ").next().unwrap().split(",\"ms\":").next().unwrap().to_owned();
    (run.out + &run.err).lines().map(timeless).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    for arguments in [
        "perft 6 --game tic-tac-toe",
        "perft 3 --game hex --size 5",
        "perft 2 --game quoridor --size 5",
        "perft 4 --size 1",
        "solve --game tic-tac-toe --moves b2",
        "solve --game hex --size 3",
        "solve --game hex --size 4 --no-swap --map",
        "solve --game hex --size 4 --no-swap --map --json",
        "solve --game quoridor --size 3 --walls 2",
        "solve --game quoridor --size 3 --walls 2 --json",
        "solve --game quoridor --size 5 --walls 2 --nodes 100000",
        "arena --game quoridor --size 5 --engine a=level:3 --engine b=level:2 --pairs 5 --nodes 200",
        "arena --game tic-tac-toe --engine a=level:8 --engine b=level:3 --pairs 30 --json",
        "arena --size 4 --engine a=level:4 --engine b=level:1 --pairs 500 --sprt 0,50",
        "arena --size 1 --engine a=level:1 --engine b=level:2 --pairs 100",
    ] {
        let alone = output_on_threads(arguments, 1);
        for threads in [2, 3] {
            assert_eq!(output_on_threads(arguments, threads), alone, "{arguments} on {threads} threads");
        }
    }
}

#[test]
fn zero_and_too_many_threads_are_usage_errors() {
    for threads in ["0", "257", "two"] {
        let run = run(&["perft", "2", "--threads", threads], "");
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains("--threads"), "{}", run.err);
    }
}
