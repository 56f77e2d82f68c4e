//! Kills the program at its system calls and lets each of them fail. The journal must have the game
//! with every move that was shown. Without `strace` the tests are reported as skipped.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crosspath::journal::{JournalFolder, load_journal};
use crosspath::record::{self, RecordReadOptions};
use crosspath::registry::GAMES;
use tempfile::TempDir;

use crate::journal_failures::{RUN, start_in_lines};
use crate::kills::temporary_files_after_a_save;
use crate::sentences::{lasting, said};
use crate::support::skip;

/// Script of a game: the typed lines, and the moves on the board after each. `save` writes a file
/// of its own.
struct Script {
    name: &'static str,
    flags: &'static [&'static str],
    lines: &'static str,
    stands: &'static [&'static str],
    /// `true` if the script first leaves an unfinished game and continues it.
    goes_on: bool,
}

const SCRIPTS: [Script; 4] = [
    Script {
        name: "saving, and saving again",
        flags: &["--size", "5"],
        lines: "a1 save b1 save",
        stands: &["", "a1", "a1", "a1 b1", "a1 b1"],
        goes_on: false,
    },
    Script {
        name: "six moves with undo",
        flags: &["--size", "5"],
        lines: "a1 b1 c1 undo d1 e1 a2 b2",
        stands: &[
            "",
            "a1",
            "a1 b1",
            "a1 b1 c1",
            "a1 b1",
            "a1 b1 d1",
            "a1 b1 d1 e1",
            "a1 b1 d1 e1 a2",
            "a1 b1 d1 e1 a2 b2",
        ],
        goes_on: false,
    },
    Script {
        name: "the end of a game",
        flags: &["--size", "3"],
        lines: "a1 a2 b1 b2 c1",
        stands: &["", "a1", "a1 a2", "a1 a2 b1", "a1 a2 b1 b2", "a1 a2 b1 b2 c1"],
        goes_on: false,
    },
    Script {
        name: "going on",
        flags: &["--continue"],
        lines: "c3 undo c1 b3",
        stands: &["b2 a1", "b2 a1 c3", "b2 a1", "b2 a1 c1", "b2 a1 c1 b3"],
        goes_on: true,
    },
];

/// System calls that open, write, rename and close files.
const TRACED_CALLS: [&str; 15] = [
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "flock",
    "close",
    "mkdir",
    "mkdirat",
];

/// Reports whether system calls can be traced. A `strace` that is installed but does not work is an
/// error.
pub(crate) fn has_strace() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-o", "/dev/null", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !cfg!(target_os = "linux") {
        skip("system calls", "strace is for Linux");
        return false;
    }
    match strace.status() {
        Ok(status) => assert!(status.success(), "strace is there, but does not work: {status}"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            skip("system calls", "there is no strace");
            return false;
        }
        Err(error) => panic!("strace is there, but cannot be started: {error}"),
    }
    true
}

/// Run of a script under `strace`.
struct Trace {
    home: TempDir,
    code: i32,
    output: String,
    calls: String,
}

impl Script {
    fn run(&self, strace: &str) -> Trace {
        let home = tempfile::tempdir().unwrap();
        if self.goes_on {
            let mut before = start_in_lines(home.path(), RUN, &[]);
            before.expect("> ");
            before.send("b2\ra1\rquit\r");
            assert_eq!(before.end(), 0);
        }
        let calls = home.path().join("calls");
        let script = format!("exec strace -f -qq -o {} {strace} \"$0\" \"$@\"", calls.display());
        let mut terminal = start_in_lines(home.path(), &script, self.flags);
        for line in self.lines.split(' ').chain(["quit"]) {
            let save = format!("save {}", save_path(home.path()).display());
            terminal.send(&(line.replace("save", &save) + "\r"));
        }
        let code = terminal.end();
        let calls = fs::read_to_string(calls).unwrap_or_default();
        Trace { home, code, output: terminal.raw().to_owned(), calls }
    }

    /// Checks the files of a run. They contain a prefix of the script, with all shown moves unless
    /// the run reported an error.
    fn check_saved_game(&self, run: &Trace, how: &str) {
        let Trace { output, .. } = run;
        let message = || format!("{}, {how}, code {}:\n{output}", self.name, run.code);
        // A prompt follows every executed line.
        let prompts = ["x ", "o "].iter().flat_map(|side| output.match_indices(side));
        let is_prompt = |at: &usize| {
            let rest = output[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() < output.len() - at - 2 && rest.starts_with("> ")
        };
        let is_over = usize::from(output.contains(said!("game-over-part")));
        let shown = (prompts.filter(|(at, _)| is_prompt(at)).count() + is_over).saturating_sub(1);
        let found: Vec<String> =
            files_below(run.home.path()).iter().filter_map(|path| journal_moves(path, message)).collect();
        let is_admitted =
            [said!("not-saved"), "cannot", "fault"].iter().any(|word| output.to_lowercase().contains(word));
        if self.goes_on && output.contains(said!("now-mode-on-a-fresh")) {
            assert!(
                found.iter().any(|moves| moves == self.stands[0]),
                "the game left before stays: {}",
                message()
            );
            return;
        }
        match found.as_slice() {
            [] => assert!(is_admitted || shown == 0 && !self.goes_on || run.code == 127, "{}", message()),
            [moves] => {
                let at_least = if is_admitted { 0 } else { shown.min(self.stands.len() - 1) };
                assert!(self.stands[at_least..].contains(&&**moves), "{moves} after {shown}, {}", message());
            }
            several => panic!("{several:?}, {}", message()),
        }
        assert!(!output.contains("panicked"), "{}", message());
        // A file reported as saved is complete, and the next save removes temporary files.
        let file = fs::read(save_path(run.home.path())).unwrap_or_default();
        assert!(
            !file.is_empty() || !output.contains(lasting(format!("{} ", said!("saved-in")))),
            "{}",
            message()
        );
        if !file.is_empty() {
            let record =
                record::load_game(&file, &RecordReadOptions::for_game(&GAMES[0]).with_strict_digits())
                    .unwrap();
            let moves = record.tree.position(record.present).played_moves().join(" ");
            assert!(record.fault.is_none() && self.stands.contains(&&*moves), "{moves}, {}", message());
        }
        assert_eq!(temporary_files_after_a_save(run.home.path()), [""; 0], "{}", message());
    }
}

fn save_path(home: &Path) -> PathBuf {
    home.join("game.txt")
}

fn files_below(home: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.join("crosspath")).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "journal"))
        .collect()
}

/// Returns the moves up to the present position of a journal, or `None` if it has no complete line.
fn journal_moves(path: &Path, context: impl Fn() -> String) -> Option<String> {
    let bytes = fs::read(path).unwrap();
    if !bytes.contains(&b'\n') {
        return None;
    }
    let game = load_journal(&bytes, GAMES)
        .unwrap_or_else(|bad| panic!("{bad} in {}, {}", path.display(), context()));
    Some(game.record.tree.position(game.record.present).played_moves().join(" "))
}

/// Returns how often each call is made.
fn count_calls(calls: &str) -> Vec<(&'static str, usize)> {
    let count = |call: &str| calls.lines().filter(|line| line.contains(&format!(" {call}("))).count();
    TRACED_CALLS.iter().map(|&call| (call, count(call))).filter(|&(_, count)| count > 0).collect()
}

/// Injects each fault of `what` into every `step`th call in turn.
fn for_each_call(what: &[&str], is_looked_at: impl Fn(&str) -> bool, step: usize) {
    if !has_strace() {
        return;
    }
    let (mut runs, mut number) = (0, 0);
    for script in &SCRIPTS {
        let quiet = script.run(&format!("-e trace={}", TRACED_CALLS.join(",")));
        assert_eq!(quiet.code, 0, "{}", quiet.output);
        script.check_saved_game(&quiet, "left alone");
        let moves = files_below(quiet.home.path())
            .iter()
            .filter_map(|path| journal_moves(path, String::new))
            .collect::<Vec<_>>();
        assert_eq!(moves, [*script.stands.last().unwrap()]);
        for (call, count) in count_calls(&quiet.calls).into_iter().filter(|(call, _)| is_looked_at(call)) {
            for (when, what) in (1..=count).flat_map(|when| what.iter().map(move |what| (when, what))) {
                number += 1;
                if number % step > 0 {
                    continue;
                }
                let how = format!("{call} {when} of {count}: {what}");
                let run = script.run(&format!("-e trace={call} -e inject={call}:{what}:when={when}"));
                script.check_saved_game(&run, &how);
                // The next start works.
                let _ = JournalFolder::new(run.home.path().join("crosspath")).unfinished_game_paths();
                let mut next = start_in_lines(run.home.path(), RUN, &["--continue"]);
                next.send("quit\r");
                assert_eq!(next.end(), 0, "after {how}: {}", next.raw());
                runs += 1;
            }
        }
    }
    println!("{runs} runs of {number}, nothing lost");
    assert!(runs > 0);
}

const KILL: [&str; 1] = ["signal=SIGKILL"];
const FAIL: [&str; 4] = ["error=ENOSPC", "error=EIO", "error=EACCES", "error=EDQUOT"];

/// Reports whether only the program itself makes this call. The loader also opens and closes files,
/// and the program does not start if that fails.
fn is_made_by_program(call: &str) -> bool {
    !["openat", "close"].contains(&call)
}

#[test]
fn a_kill_at_some_system_calls_loses_no_shown_move() {
    for_each_call(&KILL, |_| true, 23);
}

#[test]
fn some_failed_system_calls_lose_no_move_silently() {
    for_each_call(&FAIL, is_made_by_program, 67);
}

#[test]
#[ignore = "slow: a run for every system call, some minutes"]
fn a_kill_at_every_system_call_loses_no_shown_move() {
    for_each_call(&KILL, |_| true, 1);
}

#[test]
#[ignore = "slow: four runs for every system call, some minutes"]
fn every_failed_system_call_loses_no_move_silently() {
    for_each_call(&FAIL, is_made_by_program, 1);
}
