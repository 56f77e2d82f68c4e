//! The Quoridor Text Protocol of the real program: streams, signals, time and memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use crate::dialogue::commands;
use crate::support::{bytes_read, crosspath, file, folder, run, skip, wait_until};

const QTP: [&str; 3] = ["engine", "--protocol", "qtp"];

/// Running engine process.
struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl EngineProcess {
    fn start(arguments: &[&str]) -> Self {
        let mut command = crosspath(arguments);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        EngineProcess { child, input, output }
    }

    fn send(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(&format!("{line}\n"));
        let mut answer = String::new();
        while !answer.ends_with("\n\n") {
            assert_ne!(self.output.as_mut().unwrap().read_line(&mut answer).unwrap(), 0, "{answer:?}");
        }
        answer.trim_end().to_owned()
    }

    /// Sends a text and waits until the engine has read it.
    fn send_and_wait(&mut self, text: &str) {
        let before = bytes_read(self.child.id());
        self.send(text);
        let has_read = || match (before, bytes_read(self.child.id())) {
            (Some(before), Some(now)) => now >= before + text.len(),
            _ => true, // it has ended, or the system does not report it
        };
        wait_until(SOON, "the line is read", has_read);
    }

    /// Waits for the process to exit; returns the exit code and the text on standard error.
    fn end(mut self, within: Duration) -> (Option<i32>, String) {
        wait_until(within, "the engine ends", || self.child.try_wait().unwrap().is_some());
        let code = self.child.wait().unwrap().code();
        let mut output = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut output).unwrap();
        (code, output)
    }

    /// Returns a memory value of the process in KiB; `None` if the system does not report it.
    fn memory_kib(&self, key: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with(key))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
    }
}

#[test]
fn unused_table_memory_costs_no_time() {
    let started = Instant::now();
    let mut engine = EngineProcess::start(
        &[&QTP[..], &["--seed", "1", "--memory", "8192", "--movetime", "100ms"]].concat(),
    );
    for color in ["black", "white", "black"] {
        let answer = engine.ask(&format!("genmove {color}"));
        assert!(answer.starts_with("= "), "{answer}");
    }
    let most = engine.memory_kib("VmHWM:").unwrap_or_default();
    assert!(most < 256 * 1024, "{most} KiB after {:?}", started.elapsed());
}

#[cfg(target_os = "linux")]
#[test]
fn the_table_is_smaller_if_memory_is_short() {
    // The same search with enough memory, and with more than the system provides.
    let searched = |memory: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "ulimit -v 450000 && exec \"$0\" \"$@\""]).arg(crosspath(&[]).get_program());
        shell.args(QTP).args(["--stats", "--seed", "1", "--depth", "6", "--memory", memory]);
        let (input, mut child) =
            (b"genmove black\n", shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap());
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let nodes = output.split_whitespace().skip_while(|&word| word != "nodes").nth(1);
        nodes.unwrap_or_else(|| panic!("{output}")).to_owned()
    };
    assert_eq!(searched("64"), searched("65536"));
}

/// Time limit of a wait, even on a busy computer. A search that nothing ends takes an hour.
const SOON: Duration = Duration::from_secs(300);

#[test]
fn the_option_seed_alone_starts_the_qtp_engine() {
    let mut engine = EngineProcess::start(&["-seed", "1"]);
    assert_eq!(engine.ask("name"), "= crosspath");
    assert_eq!(engine.ask("seed"), "= 1");
    assert_eq!(engine.ask("get_position"), "= - / - / e1 e9 / 10 10 / 1");
    assert_eq!(engine.ask("quit"), "=");
    assert_eq!(engine.end(SOON), (Some(0), String::new()));
}

#[test]
fn options_with_single_dashes_equal_the_engine_command() {
    let input = "get_position\nseed\ngenmove black\ngenmove white\nshowboard\n";
    let one = run(&["-seed", "5", "-size", "7", "-walls", "4", "--nodes", "200"], input);
    let long = [&QTP[..], &["--seed", "5", "--size", "7", "--walls", "4", "--nodes", "200"]].concat();
    let other = run(&long, input);
    assert_eq!((one.out.as_str(), one.err.as_str(), one.code), (other.out.as_str(), "", Some(0)));
    assert!(one.out.starts_with("= - / - / d1 d7 / 4 4 / 1 / 7\n\n= 5\n\n"), "{}", one.out);
}

#[test]
fn end_of_input_and_quit_end_the_program() {
    for (input, out) in [
        ("", ""),
        ("name", "= crosspath\n\n"),
        ("winner\n\n# x\nnonsense\r\n", "= false\n\n? unknown command\n\n"),
        ("quit\nname\n", "=\n\n"),
    ] {
        let run = run(&QTP, input);
        assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (out, "", Some(0)), "{input:?}");
    }
}

#[test]
fn errors_are_flushed_at_once_on_a_pipe() {
    let mut engine = EngineProcess::start(&QTP);
    assert_eq!(engine.ask("playmove black e5"), "? illegal move");
    assert_eq!(engine.ask("\n# a comment\n\t\nundo"), "? cannot undo");
    assert_eq!(engine.ask("boardsize 4"), "? unacceptable size");
    engine.input = None;
    assert_eq!(engine.end(SOON), (Some(0), String::new()));
}

#[test]
fn commands_are_queued_during_a_search() {
    let mut engine = EngineProcess::start(&[&QTP[..], &["--movetime", "300"]].concat());
    engine.send("genmove black\nwinner\nundo\nnonsense\nget_position\nquit\n");
    let mut out = String::new();
    engine.output.take().unwrap().read_to_string(&mut out).unwrap();
    let answers: Vec<&str> = out.split("\n\n").collect();
    assert!(answers[0].starts_with("= "), "{out}");
    assert_eq!(
        answers[1..],
        ["= false", "=", "? unknown command", "= - / - / e1 e9 / 10 10 / 1", "=", ""],
        "{out}"
    );
    assert_eq!(engine.end(SOON), (Some(0), String::new()));
}

#[test]
fn the_end_of_input_ends_a_search() {
    for arguments in [&["--movetime", "3600s"][..], &[]] {
        let mut engine = EngineProcess::start(&[&QTP[..], arguments].concat());
        engine.send_and_wait("genmove black\n");
        engine.input = None;
        let mut output = engine.output.take().unwrap();
        assert_eq!(engine.end(SOON), (Some(0), String::new()));
        let mut out = String::new();
        output.read_to_string(&mut out).unwrap();
        assert!(out.starts_with("= ") && out.ends_with("\n\n"), "{out}");
    }
}

#[test]
fn a_node_limited_search_does_not_depend_on_later_input() {
    let arguments = [&QTP[..], &["--nodes", "20000", "--seed", "3", "--level", "4"]].concat();
    let mut engine = EngineProcess::start(&arguments);
    let answer = engine.ask("genmove black");
    assert_eq!(run(&arguments, "genmove black").out.trim_end(), answer);
}

#[cfg(unix)]
#[test]
fn a_closed_output_pipe_ends_the_program_quietly() {
    for line in ["genmove black\n", ""] {
        let mut engine = EngineProcess::start(&[&QTP[..], &["--movetime", "3600s"]].concat());
        assert_eq!(engine.ask("name"), "= crosspath");
        engine.send_and_wait(line);
        engine.output = None;
        assert_eq!(engine.end(SOON), (Some(0), String::new()), "{line:?}");
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_program_at_once_and_silently() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        for line in ["genmove black\n", "name\n"] {
            let mut engine = EngineProcess::start(&[&QTP[..], &["--movetime", "3600s"]].concat());
            assert_eq!(engine.ask("name"), "= crosspath");
            engine.send_and_wait(line);
            let pid = engine.child.id().to_string();
            assert!(std::process::Command::new("kill").args([signal, &pid]).status().unwrap().success());
            assert_eq!(engine.end(SOON), (Some(code), String::new()));
        }
    }
}

#[test]
fn memory_stays_small_after_a_move_on_every_board() {
    for size in ["9", "25"] {
        let mut engine = EngineProcess::start(&["-seed", "1", "-size", size]);
        for line in ["clear_board", "time_left black 8000", "time_left white 8000"] {
            assert_eq!(engine.ask(line), "=");
        }
        for color in ["black", "white"] {
            assert!(engine.ask(&format!("genmove {color}")).starts_with("= "));
        }
        let Some(kib) = engine.memory_kib("VmSize:") else {
            skip("memory of the engine", "there is no /proc here");
            return;
        };
        eprintln!("{size}x{size}: {} MB of address space after genmove", kib / 1024);
        assert!(kib < 600 * 1024, "{kib} KiB at {size}");
    }
}

#[test]
fn an_endless_line_uses_no_memory_and_has_one_answer() {
    let mut engine = EngineProcess::start(&QTP);
    let block = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        engine.input.as_mut().unwrap().write_all(&block).unwrap();
    }
    engine.send("\n");
    assert_eq!(engine.ask("winner"), "? syntax error");
    let mut answer = String::new();
    engine.output.as_mut().unwrap().read_line(&mut answer).unwrap();
    assert_eq!(answer, "= false\n");
    match engine.memory_kib("VmHWM:") {
        Some(kib) => {
            eprintln!("{} MB resident at most", kib / 1024);
            assert!(kib < 64 * 1024, "{kib} KiB");
        }
        None => skip("memory of the engine", "there is no /proc here"),
    }
}

#[test]
fn every_bad_command_to_the_program_has_one_answer() {
    let long = vec![b'a'; 70_000];
    let mut input = Vec::new();
    let mut count = 0;
    for state in ["boardsize 5", "playmove black c4", "position - / - / c5 a3 / 1 1 / 2 / 5"] {
        for name in commands().iter().filter(|name| *name != "quit" && *name != "perft") {
            for argument in
                ["", " x", " black", " black e8", " -1", " 99999999999", "\t1\r", " \u{1}", " é # c"]
            {
                input.extend_from_slice(format!("{state}\n{name}{argument}\n\n# x\n").as_bytes());
                count += 2;
            }
            input.extend_from_slice(&[name.as_bytes(), b" \0\xff\xfe\n", &long, b"\n"].concat());
            count += 2;
        }
    }
    input.extend_from_slice(b"name");
    let arguments = [&QTP[..], &["--nodes", "20", "--seed", "1"]].concat();
    let run = run(&arguments, &input);
    assert_eq!((run.err.as_str(), run.code), ("", Some(0)));
    // Only the end of an answer has an empty line.
    assert_eq!(run.out.matches("\n\n").count(), count + 1);
    assert!(run.out.ends_with("= crosspath\n\n"));
}

#[test]
fn stats_are_printed_and_the_log_is_appended_on_request() {
    let folder = folder();
    let path = file(&folder, "log.txt", "before\n");
    let arguments = [&QTP[..], &["--stats", "--log", &path, "--nodes", "50", "--seed", "1"]].concat();
    let run = run(&arguments, "genmove black\nnonsense # x\n");
    let lines = run.lines();
    assert!(lines[0].starts_with("# nodes ") && lines[1].starts_with("= "), "{}", run.out);
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.starts_with("before\n> genmove black\n< # nodes "), "{log}");
    assert!(log.ends_with("> nonsense\n< ? unknown command\n"), "{log}");
    assert_eq!(run.err, "");
}

#[test]
fn wrong_options_are_usage_errors() {
    for arguments in [
        &["--size", "4"][..],
        &["--size", "27"],
        &["--size", "-1"],
        &["--size", "9x7"],
        &["--size", "x"],
        &["--walls", "100"],
        &["--walls", "-1"],
        &["--level", "9"],
        &["--level", "strong"],
        &["--seed", "x"],
        &["--nodes", "-1"],
        &["b"],
    ] {
        let run = run(&[&QTP[..], arguments].concat(), "name\n");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
    for arguments in [&["engine"][..], &["engine", "--protocol", "chess"], &["-seed"], &["-seed", "x"]] {
        assert_eq!(run(arguments, "").code, Some(2), "{arguments:?}");
    }
    assert_eq!(run(&[&QTP[..], &["--log", "/nonexistent/log"]].concat(), "name\n").code, Some(1));
}
