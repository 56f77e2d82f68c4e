//! Shared helpers that run the real program on pipes and handle files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crosspath::record::{GameTree, MoveSource, NodeId};
use crosspath::session::Position;

use crosspath::ai::net::NetLoadError;

/// Result of a program run.
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: Option<i32>,
}

impl Run {
    pub(crate) fn lines(&self) -> Vec<&str> {
        self.out.lines().collect()
    }
}

/// Returns a command for the program in the project folder, with a clean environment.
pub(crate) fn crosspath(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crosspath"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM", "LC_ALL", "LC_CTYPE", "LANG", "RUST_LOG"] {
        command.env_remove(name);
    }
    command.env("RUST_BACKTRACE", "full").env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Returns a command for a program of `examples`, in the project folder. A whole `cargo test`
/// builds these programs, a single test file does not.
pub(crate) fn example(name: &str) -> Command {
    let tests = std::env::current_exe().expect("this program has a path");
    let built = tests.parent().expect("it lies in a folder").with_file_name("examples").join(name);
    let mut command = if built.is_file() {
        Command::new(built)
    } else {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["run", "--quiet", "--offline", "--example", name, "--"]);
        cargo
    };
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Runs the program with `input` and waits for its end.
pub(crate) fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    run_on(crosspath(arguments), input)
}

/// Runs a shell line in which `$0` is the program.
pub(crate) fn run_script(script: &str) -> Run {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_crosspath")]);
    run_on(command, "")
}

/// Runs a command with `input` and waits for its end.
pub(crate) fn run_on(command: Command, input: impl AsRef<[u8]>) -> Run {
    run_with_input(command, input.as_ref().to_vec())
}

fn run_with_input(mut command: Command, input: Vec<u8>) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // the program may exit before it has read everything
    });
    let output = wait_for_output(child);
    writer.join().expect("the writer does not panic");
    finished(&output)
}

/// Waits for a program and returns its output. A program that hangs is killed after a long time.
pub(crate) fn wait_for_output(child: Child) -> Output {
    let process = child.id().to_string();
    let (ended, end) = channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let hangs = end.recv_timeout(Duration::from_secs(300)) == Err(RecvTimeoutError::Timeout);
        if hangs {
            let _ = Command::new("kill").args(["-9", &process]).status(); // it may have ended just now
        }
        hangs
    });
    let output = child.wait_with_output().expect("the program ends");
    drop(ended);
    assert!(!watchdog.join().expect("the watchdog does not panic"), "the program hangs");
    output
}

pub(crate) fn finished(output: &Output) -> Run {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let run = Run { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() };
    for stream in [&run.out, &run.err] {
        for bad in ["panicked", "stack backtrace", ".rs:", "unwrap"] {
            assert!(!stream.contains(bad), "{bad:?} in the output:\n{stream}");
        }
    }
    run
}

/// Returns a Python that can import these modules, if there is one. The first set variable names
/// it; the default is `python3`.
pub(crate) fn python_with(modules: &str, variables: &[&str]) -> Option<String> {
    let named = variables.iter().find_map(|name| std::env::var(name).ok());
    let python = named.unwrap_or_else(|| "python3".to_owned());
    let import = Command::new(&python).args(["-c", &format!("import {modules}")]).output();
    let is_found = import.is_ok_and(|output| output.status.success());
    if !is_found {
        skip(
            &format!("Python with {modules}"),
            &format!("there is none; {} names one", variables.join(" or ")),
        );
    }
    is_found.then_some(python)
}

/// Notes that a group of tests is skipped, and why. `.ci/run` collects these notes in the file
/// named by `CROSSPATH_SKIPPED` and prints them at its end.
pub(crate) fn skip(group: &str, why: &str) {
    let mut error = std::io::stderr();
    let _ = writeln!(error, "skipped: {group}: {why}"); // not captured by the test harness
    if let Some(path) = std::env::var_os("CROSSPATH_SKIPPED") {
        let mut file =
            std::fs::File::options().create(true).append(true).open(path).expect("a file of notes");
        file.write_all(format!("{group} ({why})\n").as_bytes()).expect("a note");
    }
}

/// Reports whether this system enforces `ulimit -v`, tested with another program. Notes a skip if
/// not.
pub(crate) fn has_memory_limits(group: &str) -> bool {
    let succeeds = |script: String| {
        let mut shell = Command::new("/bin/sh");
        let shell = shell.args(["-c", &script]).stdout(Stdio::null()).stderr(Stdio::null());
        shell.status().is_ok_and(|status| status.success())
    };
    let copies =
        |bytes: u32| succeeds(format!("ulimit -v 200000 && dd if=/dev/zero of=/dev/null count=1 bs={bytes}"));
    let is_limited = copies(1) && !copies(1_000_000_000);
    if !is_limited {
        skip(group, "this system does not keep programs to ulimit -v");
    }
    is_limited
}

/// Waits until a condition holds; returns `false` if it does not hold within `bound`.
fn becomes_true_within(bound: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + bound;
    while !condition() {
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// Waits until a condition holds. Panics with `what` if it does not hold within `bound`.
#[track_caller]
pub(crate) fn wait_until(bound: Duration, what: &str, condition: impl FnMut() -> bool) {
    assert!(becomes_true_within(bound, condition), "{what}: not within {bound:?}");
}

/// Waits for the end of a program. Kills it and panics if it does not end within `bound`.
#[track_caller]
pub(crate) fn end_within(bound: Duration, mut child: Child) -> ExitStatus {
    let mut status = None;
    let has_ended = becomes_true_within(bound, || {
        status = child.try_wait().expect("the program can be waited for");
        status.is_some()
    });
    if !has_ended {
        let _ = child.kill().and_then(|()| child.wait()); // it may have ended just now
    }
    status.unwrap_or_else(|| panic!("the program hangs: no end within {bound:?}"))
}

/// Returns the command with default handling of every signal, or `None` if `env` of this system
/// cannot do that. A child inherits ignored signals, and the tests may have been started by
/// `nohup`.
#[cfg(target_os = "linux")]
pub(crate) fn with_default_signals(command: &Command) -> Option<Command> {
    let reset = || {
        let mut env = Command::new("env");
        env.arg("--default-signal");
        env
    };
    if !reset().arg("true").output().is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut wrapped = reset();
    wrapped.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => wrapped.env(name, value),
            None => wrapped.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        wrapped.current_dir(folder);
    }
    Some(wrapped)
}

/// Returns the number of bytes that a process has read, or `None` if the system does not report it.
pub(crate) fn bytes_read(process: u32) -> Option<usize> {
    let text = std::fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}

/// Maximum time for an expected event, even on a busy computer.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// Creates a temporary folder, which is removed when the value is dropped.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Writes a file in a folder and returns its path as text.
pub(crate) fn file(folder: &tempfile::TempDir, name: &str, content: impl AsRef<[u8]>) -> String {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, content).expect("a temporary file");
    path.to_str().expect("a plain path").to_owned()
}

/// Returns a record without player names and date, which depend on the test run.
pub(crate) fn without_players(record: &str) -> String {
    let is_other =
        |line: &&str| !["# first: ", "# second: ", "# date: "].iter().any(|head| line.starts_with(head));
    record.split_inclusive('\n').filter(is_other).collect()
}

/// Checks that a text equals a committed file, byte for byte. `UPDATE_GOLDENS=1 cargo test`
/// rewrites such files.
#[track_caller]
pub(crate) fn assert_golden(text: &str, path: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&file, text).expect("a golden file");
    }
    let wanted = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    if text != wanted {
        let first = 1 + text.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
        let line = |text: &str| text.lines().nth(first - 1).map(str::to_owned);
        panic!("{path}:{first}: {:?} is wanted, not {:?}, in\n{text}", line(&wanted), line(text));
    }
}

/// Returns the sorted paths of the Markdown files in a folder of the project.
pub(crate) fn markdown_files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let name = |path: PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let mut names: Vec<String> = pages.filter_map(name).map(|name| format!("{folder}/{name}")).collect();
    names.sort();
    names
}

/// Changes a page of the documentation. A lock keeps tests from updating pages at the same time.
pub(crate) fn update_page(path: &str, change: impl FnOnce(&str) -> String) {
    static PAGES: Mutex<()> = Mutex::new(());
    let _one_at_a_time = PAGES.lock().expect("no test fails while it writes a page");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&file).expect("a page");
    std::fs::write(&file, change(&text)).expect("the page can be written");
}

/// Replaces the words of every sentence by `~` and keeps the values. A golden file records the
/// order of sentences, and `tests/golden/sentences.txt` their words.
pub(crate) fn without_words(text: &str) -> String {
    text.split('\n').map(line_without_words).collect::<Vec<_>>().join("\n")
}

fn line_without_words(line: &str) -> String {
    if let Ok(mut event) = serde_json::from_str::<serde_json::Value>(line) {
        strings_without_words(&mut event);
        return event.to_string();
    }
    let is_word = |word: &&str| {
        word.chars().count() > 1 && word.chars().all(|c| c.is_alphabetic() || "'-.,:;()?!".contains(c))
    };
    let words: Vec<&str> = line.split(' ').collect();
    if !words.windows(2).any(|two| two.iter().all(is_word)) {
        return line.to_owned();
    }
    let is_name = |word: &str| ["X", "O", "Red", "Blue", "White", "Black"].contains(&word);
    let core = |word: &str| word.trim_matches(|c: char| ".,:;()?!".contains(c)).to_owned();
    let is_value = |word: &String| word.contains(|c: char| c.is_ascii_digit() || c == '"') || is_name(word);
    let values = words.into_iter().map(core).filter(is_value);
    let start = line.len() - line.trim_start().len();
    let output: Vec<String> = std::iter::once("~".to_owned()).chain(values).collect();
    format!("{}{}", &line[..start], output.join(" "))
}

fn strings_without_words(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => *text = line_without_words(text),
        serde_json::Value::Array(items) => items.iter_mut().for_each(strings_without_words),
        serde_json::Value::Object(members) => members.values_mut().for_each(strings_without_words),
        _ => {}
    }
}

#[test]
fn without_words_keeps_values() {
    for (text, wanted) in [
        ("  Took back b2 and a1. X to move, move 1.", "  ~ b2 a1 X 1"),
        ("line 3: I do not know \"zz\".", "~ 3 \"zz\""),
        ("    a b c", "    a b c"),
        ("1. X a1", "1. X a1"),
        (
            r#"{"event":"error","code":"taken","message":"b2 is taken."}"#,
            r#"{"event":"error","code":"taken","message":"~ b2"}"#,
        ),
    ] {
        assert_eq!(without_words(text), wanted);
    }
}

/// Returns the game that led to a position, and the node of that position.
pub(crate) fn along(position: &Arc<dyn Position>) -> (GameTree, NodeId) {
    let mut tree = GameTree::new(position.start_position());
    let end = position
        .played_moves()
        .iter()
        .fold(NodeId::ROOT, |at, text| tree.play_move(at, text, MoveSource::File).unwrap());
    tree.set_position(end, Arc::clone(position));
    (tree, end)
}

/// Returns a network file with a changed header and the matching header length.
pub(crate) fn with_header(file: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let (length, rest) = file.split_first_chunk::<8>().unwrap();
    let (header, data) = rest.split_at(usize::try_from(u64::from_le_bytes(*length)).unwrap());
    let header = change(std::str::from_utf8(header).unwrap());
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// Checks that a network file that is truncated or has a flipped bit is refused as damaged.
pub(crate) fn assert_damage_is_reported(file: &[u8], refused: impl Fn(&[u8]) -> NetLoadError) {
    for cut in (0..file.len()).step_by(file.len() / 50) {
        assert!(matches!(refused(&file[..cut]), NetLoadError::Unreadable(_)), "cut at {cut}");
    }
    for place in (file.len() / 2..file.len()).step_by(997) {
        let mut bytes = file.to_vec();
        bytes[place] ^= 4;
        assert!(matches!(refused(&bytes), NetLoadError::Damaged { .. }), "a bit of byte {place}");
    }
}
