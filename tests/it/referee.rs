//! Whole games of Quoridor under a course referee. Two processes are started with only a seed.
//! Every answer, including standard error, is checked to the byte, and time and memory are limited.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use crosspath::protocol::qtp::{QtpOptions, QtpSession};

use crate::support::crosspath;

/// Maximum time of an answer, except to a request for a move.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(2);
/// Maximum time of a search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(30);
/// Time of a side for a game, per column of the board.
const TIME_PER_FILE: Duration = Duration::from_secs(20);
/// Maximum address space of a process, in KiB.
const MAX_MEMORY: u64 = 600 * 1024;

/// Engine process as a referee starts it.
struct EngineProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    used: Duration,
}

impl EngineProcess {
    fn start(seed: u32) -> Self {
        // Standard error is mixed with the answers.
        let program = crosspath(&[]).get_program().to_owned();
        let mut shell = Command::new("sh");
        let mut child = shell
            .args(["-c", "exec \"$0\" -seed \"$1\" 2>&1"])
            .arg(program)
            .arg(seed.to_string())
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        EngineProcess { child, input, output, used: Duration::ZERO }
    }

    /// Returns the answer, which is one line and an empty one, and its duration.
    fn ask(&mut self, line: &str) -> (String, Duration) {
        let begun = Instant::now();
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
        let (mut answer, mut end) = (String::new(), String::new());
        self.output.read_line(&mut answer).unwrap();
        self.output.read_line(&mut end).unwrap();
        assert!(answer.starts_with(['=', '?']) && end == "\n", "{line}: {answer:?} {end:?}");
        assert_eq!(answer.pop(), Some('\n'));
        (answer, begun.elapsed())
    }

    /// Sends a line and checks that the answer is a bare success.
    fn expect_success(&mut self, line: &str, is_timed: bool) {
        let (answer, time) = self.ask(line);
        assert_eq!(answer, "=", "{line}");
        assert!(!is_timed || time < MAX_ANSWER_TIME, "{line} took {time:?}");
    }

    /// Returns the address space of the process in KiB, or `None` if the system does not report it.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status.lines().find(|line| line.starts_with("VmSize:"))?.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

/// Returns the move of an answer in the form that the referee passes on, or `None` if there is
/// none.
fn relayed_move(answer: &str, color: &str) -> Option<String> {
    let words: Vec<&str> = answer.strip_prefix("= ")?.split(' ').collect();
    let row = |vertex: &str| vertex.get(1..).is_some_and(|row| (1..=2).contains(&row.len()));
    match words[..] {
        [vertex] if row(vertex) => Some(format!("playmove {color} {}", vertex.to_uppercase())),
        [vertex, "h"] if row(vertex) => {
            Some(format!("playwall {color} {} horizontal", vertex.to_uppercase()))
        }
        [vertex, "v"] if row(vertex) => Some(format!("playwall {color} {} vertical", vertex.to_uppercase())),
        _ => None,
    }
}

/// Plays a game to its end and returns the number of plies. A judge, which is a session of its own,
/// checks every move.
fn play_game(players: &mut [EngineProcess; 2], size: usize, walls: usize, is_timed: bool) -> usize {
    let mut judge = QtpSession::new(&QtpOptions::default()).unwrap();
    let mut judge_says = |line: &str| judge.answer(line.as_bytes()).unwrap_or_default();
    for line in [format!("boardsize {size}"), "clear_board".into(), format!("walls {walls}")] {
        for player in &mut *players {
            player.expect_success(&line, is_timed);
        }
        assert_eq!(judge_says(&line), "=\n\n");
    }
    for player in &mut *players {
        player.used = Duration::ZERO;
    }
    for ply in 0.. {
        let (mover, color) = (ply % 2, ["black", "white"][ply % 2]);
        for player in &*players {
            assert!(player.memory().is_none_or(|kib| kib < MAX_MEMORY), "too much memory on {size}x{size}");
        }
        let (answer, time) = players[mover].ask(&format!("genmove {color}"));
        players[mover].used += time;
        assert!(
            !is_timed
                || time < MAX_SEARCH_TIME
                    && players[mover].used < TIME_PER_FILE * u32::try_from(size).unwrap()
        );
        let line = relayed_move(&answer, color).unwrap_or_else(|| panic!("{answer:?} is no move"));
        assert_eq!(judge_says(&line), "=\n\n", "{line} on {size}x{size}");
        players[1 - mover].expect_success(&line, is_timed);
        let winners = [0, 1].map(|player: usize| players[player].ask("winner").0);
        assert_eq!(judge_says("winner"), format!("{}\n\n", winners[0]));
        assert_eq!(winners[0], winners[1], "the players do not agree");
        if winners[0] != "= false" {
            assert_eq!(winners[0], format!("= true {color}"));
            return ply + 1;
        }
    }
    unreachable!("every game ends")
}

/// Plays games on boards of these sizes with the same two processes, and then interrupts them.
fn play_games(sizes: &[usize], is_timed: bool) {
    let mut players = [1, 2].map(EngineProcess::start);
    for player in &mut players {
        let (name, time) = player.ask("name");
        assert!(name.starts_with("= ") && (!is_timed || time < MAX_ANSWER_TIME));
        if !is_timed {
            player.expect_success("nodes 500", false);
        }
    }
    for &size in sizes {
        let plies = play_game(&mut players, size, size + 1, is_timed);
        let used = [0, 1].map(|player: usize| players[player].used);
        eprintln!("{size}x{size}: {plies} plies, {used:.1?}");
    }
    for mut player in players {
        let id = player.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        assert_eq!(player.child.wait().unwrap().code(), Some(130));
    }
}

#[cfg(unix)]
#[test]
fn whole_games_on_every_board_satisfy_the_referee() {
    play_games(&[5, 7, 9, 15, 3, 25], false);
}

#[cfg(unix)]
#[test]
#[ignore = "half an hour by the program's own clock; it needs a quiet machine"]
fn whole_games_on_the_engine_clock_keep_the_referee_limits() {
    play_games(&[5, 7, 9, 15], true);
}
