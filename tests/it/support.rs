//! Running the real program with given input, on a pipe.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crosspath::record::{GameTree, MoveSource, NodeId};
use crosspath::session::Position;

use crosspath::ai::net::NetError;

/// Result of a run.
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

/// Returns the command of the program with a clean environment, in the project's folder.
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

/// One of the programs in `examples`, in the project's folder. A whole `cargo test` has built it beside the tests; a
/// single test file has not.
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

/// Runs the program on `input` and waits for its end.
pub(crate) fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
    run_on(crosspath(arguments), input)
}

/// Runs a line of the shell in which `$0` is the program.
pub(crate) fn run_script(script: &str) -> Run {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_crosspath")]);
    run_on(command, "")
}

/// Runs a program on `input` and waits for its end.
pub(crate) fn run_on(command: Command, input: impl AsRef<[u8]>) -> Run {
    fed(command, input.as_ref().to_vec())
}

fn fed(mut command: Command, input: Vec<u8>) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input); // the program may leave before it has read everything
    });
    let output = watched(child);
    writer.join().expect("the writer does not panic");
    finished(&output)
}

/// Returns the output of a program that ends by itself. A program that hangs is killed long after
/// any busy computer would be done.
pub(crate) fn watched(child: Child) -> Output {
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
    for said in [&run.out, &run.err] {
        for bad in ["panicked", "stack backtrace", ".rs:", "unwrap"] {
            assert!(!said.contains(bad), "{bad:?} in the output:\n{said}");
        }
    }
    run
}

/// Python that imports these modules, if there is one. The first of the variables that is set names it; else it is `python3`.
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

/// Notes that a group of tests is skipped, and why. `.ci/run` ends with these notes: it names a
/// file for them in `CROSSPATH_SKIPPED`.
pub(crate) fn skip(group: &str, why: &str) {
    let mut error = std::io::stderr();
    let _ = writeln!(error, "skipped: {group}: {why}"); // past the capture of the tests' output
    if let Some(path) = std::env::var_os("CROSSPATH_SKIPPED") {
        let mut file =
            std::fs::File::options().create(true).append(true).open(path).expect("a file of notes");
        file.write_all(format!("{group} ({why})\n").as_bytes()).expect("a note");
    }
}

/// Reports whether this system limits programs to `ulimit -v`, tested with another program; notes a
/// skip if it does not.
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

/// Waits until the condition holds, checking repeatedly; returns `false` if it does not hold in
/// time.
fn holds_within(bound: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + bound;
    while !condition() {
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// Waits until the condition holds; panics with `what` where it does not within the bound.
#[track_caller]
pub(crate) fn wait_until(bound: Duration, what: &str, condition: impl FnMut() -> bool) {
    assert!(holds_within(bound, condition), "{what}: not within {bound:?}");
}

/// Waits for the end of a program; kills it and panics where it does not come within the bound.
#[track_caller]
pub(crate) fn end_within(bound: Duration, mut child: Child) -> ExitStatus {
    let mut status = None;
    let has_ended = holds_within(bound, || {
        status = child.try_wait().expect("the program can be waited for");
        status.is_some()
    });
    if !has_ended {
        let _ = child.kill().and_then(|()| child.wait()); // it may have ended just now
    }
    status.unwrap_or_else(|| panic!("the program hangs: no end within {bound:?}"))
}

/// Returns the command with every signal at its default. A child inherits which signals are
/// ignored, and the tests may have been started by `nohup`. `None` where no `env` of this system
/// can do that.
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

/// Returns the number of bytes that a process has read; `None` where the system does not report it.
pub(crate) fn bytes_read(process: u32) -> Option<usize> {
    let text = std::fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("rchar: "))?.parse().ok()
}

/// Time for which a test waits for something that must come soon, however busy the computer is.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// Returns a fresh folder that is removed with the value.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Writes a file in a folder; returns its path as text.
pub(crate) fn file(folder: &tempfile::TempDir, name: &str, content: impl AsRef<[u8]>) -> String {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, content).expect("a temporary file");
    path.to_str().expect("a plain path").to_owned()
}

/// Returns a record without the names of its players and its day, which say when a test ran.
pub(crate) fn without_players(record: &str) -> String {
    let is_other =
        |line: &&str| !["# first: ", "# second: ", "# date: "].iter().any(|head| line.starts_with(head));
    record.split_inclusive('\n').filter(is_other).collect()
}

/// Checks that the text equals a committed file, byte for byte; `UPDATE_GOLDENS=1 cargo test`
/// writes such files again.
#[track_caller]
pub(crate) fn is_golden(text: &str, path: &str) {
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

/// Returns the paths of the Markdown files in a folder of the project, sorted.
pub(crate) fn markdown_files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let pages = paths.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let name = |path: PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let mut names: Vec<String> = pages.filter_map(name).map(|name| format!("{folder}/{name}")).collect();
    names.sort();
    names
}

/// Changes a page of the documentation. Tests that update parts of one page do so one after the other.
pub(crate) fn update_page(path: &str, change: impl FnOnce(&str) -> String) {
    static PAGES: Mutex<()> = Mutex::new(());
    let _one_at_a_time = PAGES.lock().expect("no test fails while it writes a page");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&file).expect("a page");
    std::fs::write(&file, change(&text)).expect("the page can be written");
}

/// Returns the text with `~` and its values for every line of words: the order of sentences belongs
/// to a golden file, their words to `tests/golden/sentences.txt`.
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
    let said: Vec<String> = std::iter::once("~".to_owned()).chain(values).collect();
    format!("{}{}", &line[..start], said.join(" "))
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
fn words_are_left_out_and_values_stay() {
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

/// Returns the game that led to a position, and that position in it.
pub(crate) fn along(position: &Arc<dyn Position>) -> (GameTree, NodeId) {
    let mut tree = GameTree::new(position.start());
    let end = position
        .played()
        .iter()
        .fold(NodeId::ROOT, |at, text| tree.play(at, text, MoveSource::File).unwrap());
    tree.set_position(end, Arc::clone(position));
    (tree, end)
}

/// Returns the bytes of a file of weights with a changed header, its length corrected.
pub(crate) fn with_header(file: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let (length, rest) = file.split_first_chunk::<8>().unwrap();
    let (header, data) = rest.split_at(usize::try_from(u64::from_le_bytes(*length)).unwrap());
    let header = change(std::str::from_utf8(header).unwrap());
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
}

/// Checks that a file of weights which is cut off, or has a changed bit, is refused as such.
pub(crate) fn damage_is_told(file: &[u8], refused: impl Fn(&[u8]) -> NetError) {
    for cut in (0..file.len()).step_by(file.len() / 50) {
        assert!(matches!(refused(&file[..cut]), NetError::Unreadable(_)), "cut at {cut}");
    }
    for place in (file.len() / 2..file.len()).step_by(997) {
        let mut bytes = file.to_vec();
        bytes[place] ^= 4;
        assert!(matches!(refused(&bytes), NetError::Damaged { .. }), "a bit of byte {place}");
    }
}
