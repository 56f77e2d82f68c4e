//! Hostile input gets one clear message per line. It causes no loop, panic, hang or escape byte.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use crate::sentences::{lasting, said};
use crate::support::{crosspath, file, finished, folder, has_memory_limits, run, skip, wait_for_output};

#[test]
fn the_input_may_end_at_every_prompt() {
    for mode in ["1", "2"] {
        for input in
            ["", "b2", "b2\n", "a1\nb1\n", "a1\nb1\na2\nb2\na3\n", "a1\nb1\na2\nb2\na3\nx", "save", "lev"]
        {
            let run = run(&["--mode", mode, "--seed", "3"], input);
            assert_eq!(run.code, Some(0), "mode {mode}, {input:?}");
            assert!(!run.out.contains('\x1b') && !run.err.contains('\x1b'));
            assert!(run.err.lines().count() <= 3, "{}", run.err);
        }
    }
}

#[test]
fn every_line_of_odd_bytes_gets_one_refusal() {
    let input = b"\0\0\nb2\r\n\xff\xfe\nb2\x1b[31m\n\x1b]0;title\x07\n\xef\xbb\xbfb2\n99999999999999999999999\n-1\n1 2 3\n-9223372036854775808\n9223372036854775807 0\n";
    let run = run(&["--mode", "2"], input);
    assert_eq!(run.code, Some(0));
    assert_eq!(run.err.lines().count(), 10, "{}", run.err);
    assert!(!run.err.bytes().any(|byte| byte == 0x1b || byte == 0), "control characters come back as ?");
    assert_eq!(run.out.matches("X b2").count(), 1);
    assert!(run.err.contains(lasting(format!("line 1: {}", said!("i-do-not-know", "??")))), "{}", run.err);
}

#[test]
fn ten_thousand_random_lines_are_answered_one_by_one() {
    let mut state = 1_u64;
    let mut input = Vec::new();
    for _ in 0..10_000 {
        for _ in 0..5 {
            state = crosspath::random::mix_seed(state, 0);
            let byte = (state % 254) as u8;
            input.push(if byte >= b'\n' { byte + 1 } else { byte });
        }
        input.push(b'\n');
    }
    let run = run(&["--mode", "2"], &input);
    assert_eq!(run.code, Some(0));
    assert!(run.err.lines().count() > 9_000, "{}", run.err.lines().count());
    assert!(!run.err.contains('\x1b'));
}

/// Returns the child's peak resident memory in KiB, if the system reports it.
fn peak_memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find(|line| line.starts_with("VmHWM"))?.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_line_of_a_gigabyte_gives_one_error_and_uses_little_memory() {
    let mut child = crosspath(&["--mode", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = vec![b'7'; 1 << 20];
    for _ in 0..1024 {
        stdin.write_all(&block).unwrap();
    }
    stdin.write_all(b"\nb2\n").unwrap();
    let memory = peak_memory(child.id());
    drop(stdin);
    let run = finished(&child.wait_with_output().unwrap());
    assert_eq!(run.err, lasting(format!("line 1: {}\n", said!("that-line-is-too"))));
    assert!(run.out.contains("X b2"), "the next line is read");
    assert!(memory.is_none_or(|kib| kib < 64 * 1024), "{memory:?} KiB");
}

#[test]
#[cfg(unix)]
fn endless_input_from_a_device_gives_one_error() {
    let mut command = crosspath(&["--mode", "1"]);
    command.stdin(File::open("/dev/zero").unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = finished(&wait_for_output(command.spawn().unwrap()));
    assert_eq!(run.code, Some(0));
    assert_eq!(run.err, lasting(format!("line 1: {}\n", said!("this-input-is-one"))));
}

#[test]
#[cfg(unix)]
fn a_directory_as_input_gives_one_error() {
    let output = crosspath(&["--mode", "1"]).stdin(File::open("/").unwrap()).output().unwrap();
    let run = finished(&output);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.starts_with(lasting(format!("error: {} ", said!("cannot-go-on"))))
            && run.err.lines().count() == 1,
        "{}",
        run.err
    );
}

#[test]
#[cfg(unix)]
fn a_pipe_is_read_as_a_move_file_only_if_someone_writes_to_it() {
    let folder = folder();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        skip("pipes as move files", "mkfifo is not usable");
        return;
    }
    let path = path.to_str().unwrap();
    let silent = run(&["--mode", "3", path], "");
    assert_eq!(silent.err, format!("{}\n", said!("cannot-read-the-pipe", path, "1")));
    let writer = std::thread::spawn({
        let path = path.to_owned();
        move || std::fs::write(path, "0 0 1 1 0 1 2 2 0 2").unwrap()
    });
    let filled = run(&["--mode", "3", path], "");
    writer.join().unwrap();
    // The program waits for a writer that has opened the pipe but is slow.
    let writer = std::thread::spawn({
        let path = path.to_owned();
        move || {
            let mut pipe = File::options().write(true).open(path).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(1500));
            pipe.write_all(b"0 0 1 1 0 1 2 2 0 2").unwrap();
        }
    });
    let slow = run(&["--mode", "3", path], "");
    writer.join().unwrap();
    assert!(slow.out.ends_with("X wins.\n"), "{}{}", slow.out, slow.err);
    assert!(filled.out.ends_with("X wins.\n"), "{}{}", filled.out, filled.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_move_file_of_a_mebibyte_uses_little_memory_in_every_format() {
    let folder = folder();
    let fill = |head: &str, part: &str| head.to_owned() + &part.repeat((1 << 20) / part.len() - head.len());
    let cells: Vec<String> =
        (1..=26).flat_map(|row| ('a'..='z').map(move |letter| format!("{letter}{row}"))).collect();
    let lines = |first: usize| format!("({} {})", cells[first], cells[40..600].join(" "));
    let tree = format!("# crosspath hex size=26 swap=off\na1 {}", (1..25).map(lines).collect::<String>());
    for (name, text) in [
        ("record", fill("# crosspath hex size=26\n", "a1 ")),
        ("digits", fill("", "0 0 ")),
        ("pairs", fill("size 14 ", "5 5 ")),
        ("brackets", fill("# crosspath tic-tac-toe\na1 ", "(")),
        ("comments", fill("# crosspath tic-tac-toe\na1 ", "#c\n")),
        ("cells", fill("", "a1b2c3d4")),
        ("tree", tree),
    ] {
        let path = file(&folder, name, &text);
        let mut child = crosspath(&["--mode", "3", &path])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program waits for input at the end of the file. Its output is read meanwhile.
        let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let notes = std::thread::spawn(move || std::io::copy(&mut err, &mut std::io::sink()));
        let mut output = Vec::new();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&output).contains("    a b c") {
            match out.read(&mut buffer).unwrap() {
                0 => break,
                count => output.extend_from_slice(&buffer[..count]),
            }
        }
        let memory = peak_memory(child.id());
        drop(child.stdin.take());
        std::io::copy(&mut out, &mut std::io::sink()).unwrap();
        child.wait().unwrap();
        notes.join().unwrap().unwrap();
        assert!(memory.is_some_and(|kib| kib < 64 * 1024), "{name}: {memory:?} KiB");
    }
}

#[cfg(unix)]
#[test]
fn the_solver_reports_that_there_is_not_enough_memory() {
    if !has_memory_limits("a solver without memory") {
        return;
    }
    // This includes sizes at which the table alone would just fit.
    for kib in (34_000..=54_000).step_by(4_000) {
        let script = "ulimit -v \"$1\" && exec \"$0\" solve --game quoridor --size 4 --walls 3 --threads 2";
        let output = std::process::Command::new("/bin/sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_crosspath"), &kib.to_string()])
            .output()
            .unwrap();
        let run = finished(&output);
        let is_reported =
            run.err.starts_with("error: not proved: there is not enough memory for the tables, which need ");
        let is_refused = run.code == Some(1) && is_reported;
        let may_fit = kib > 36_000;
        assert!(
            is_refused || may_fit && run.code == Some(0),
            "{kib} KiB: {:?} {}{}",
            run.code,
            run.out,
            run.err
        );
    }
}

#[test]
fn long_and_odd_files_are_refused() {
    let folder = folder();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("short_lines", b"x\n".repeat(2_000_000), said!("the-file-is-too")),
        ("one_line", vec![b'x'; 4 << 20], said!("the-file-is-too")),
        ("nul", vec![0; 1000], said!("no-move-is-in")),
        (
            "utf16",
            "0 0 1 1".encode_utf16().flat_map(u16::to_le_bytes).collect(),
            said!("the-file-ends-after", "2"),
        ),
        ("nested", b"(".repeat(1_000_000), said!("no-move-is-in")),
    ];
    for (name, content, why) in cases {
        let path = file(&folder, name, content);
        let run = run(&["--mode", "3", &path], "");
        assert!(run.err.contains(why) && run.err.lines().count() == 1, "{name}: {}", run.err);
        assert_eq!(run.code, Some(0));
    }
}

#[test]
fn a_closed_output_pipe_ends_the_program_quietly() {
    // The output exceeds the buffer of a pipe, so the program is still writing when its reader
    // closes it.
    let folder = folder();
    let input = file(&folder, "input", "board\n".repeat(20_000));
    let mut child = crosspath(&["--mode", "2"])
        .stdin(File::open(input).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap(); // dropping closes the pipe
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(0), ""));
}

#[test]
#[cfg(target_os = "linux")]
fn output_to_a_full_device_is_an_error() {
    let output = crosspath(&["--mode", "2"])
        .stdin(Stdio::null())
        .stdout(File::create("/dev/full").unwrap())
        .output()
        .unwrap();
    let run = finished(&output);
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.starts_with(lasting(format!("error: {} ", said!("cannot-go-on"))))
            && run.err.lines().count() == 1,
        "{}",
        run.err
    );
}

#[test]
fn invalid_sizes_are_usage_errors_that_name_the_range() {
    for size in [
        "0",
        "11",
        "-1",
        "x",
        "18446744073709551616",
        "",
        " 9",
        "9 ",
        "+9",
        "0x9",
        "9.0",
        "1e1",
        "255",
        "4294967296",
    ] {
        let run = run(&["--size", size], "");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{size:?}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1);
        assert!(run.err.contains("1 to 10") || run.err.contains("whole number"), "{}", run.err);
    }
    for size in ["1", "10"] {
        assert_eq!(run(&["--size", size], "").code, Some(0));
    }
    let run = run(&["--size", "4", "--win-length", "5"], "");
    assert_eq!(run.err, "error: --win-length 5 is not possible for tic-tac-toe; it must be 1 to 4\n");
}

#[test]
fn an_unknown_mode_is_reported_and_mode_1_starts() {
    for mode in ["7", "0", "-1", "human", ""] {
        let played = run(&["--mode", mode, "--seed", "1"], "b2\n");
        let named = said!("mode-does-not-exist", mode, "1", "2", "3", "4").to_owned();
        assert_eq!(played.err, format!("{}\n", said!("now-mode-on-a", named)));
        assert!(played.out.contains("X b2 | O "), "{}", played.out);
        let strict = run(&["--mode", mode, "--strict"], "");
        assert_eq!((strict.err, strict.code), (format!("error: {named}\n"), Some(2)));
    }
    assert!(run(&[], "b2\n").out.contains("X b2 | O "), "no mode is mode 1");
}

#[test]
fn invalid_levels_games_and_seeds_are_usage_errors() {
    for arguments in [
        ["--level", "99"],
        ["--level", "x"],
        ["--level", "-1"],
        ["--game", "chess"],
        ["--seed", "x"],
        ["--play-as", "third"],
    ] {
        let run = run(&arguments, "");
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}

#[test]
fn errors_do_not_repeat_control_characters_of_the_command_line() {
    for odd in
        ["--x\u{202e}y", "--x\u{1b}[31my", "--level=\u{202e}\u{7}1", "--size=\u{2066}1", "--theme=\u{1b}]0;a"]
    {
        let out = run(&["--game", "hex", odd], "");
        let is_odd = |c: char| "\u{202e}\u{2066}\u{1b}\u{7}".contains(c);
        assert!(
            out.code == Some(2) && out.err.contains('?') && !out.err.contains(is_odd),
            "{odd:?}: {:?}",
            out.err
        );
    }
}

#[test]
fn strict_exits_at_the_first_refusal() {
    let run = run(&["--mode", "2", "--strict"], "b2\nb2\na1\n");
    assert_eq!(run.code, Some(65));
    assert_eq!(run.err, lasting(format!("line 2: {}\n", said!("is-taken-move-nothing", "b2", "X", "1"))));
}

#[test]
fn a_closed_error_pipe_does_not_disturb_the_game() {
    let mut child = crosspath(&["--mode", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(b"zz\nzz\nb2\n").unwrap();
    let run = finished(&child.wait_with_output().unwrap());
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("X b2"), "{}", run.out);
}

#[test]
fn a_timed_search_ends_soon_after_the_end_of_input() {
    for last in ["e2\n", "hint\n"] {
        for screen in ["--plain", "--json"] {
            let run = run(&["--game", "quoridor", "--movetime", "3600s", screen], last);
            assert_eq!(run.code, Some(0));
            let answers = ["| Black ", "\"machine\"", "Hint: ", "\"hint\""];
            assert!(answers.iter().any(|text| run.out.contains(text)), "it has answered: {}", run.out);
        }
    }
}
