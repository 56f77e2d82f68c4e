//! The program is killed at its system calls, and each of them fails: its journal has a game that
//! was played, with every move that was shown. Needs `strace`; without it the tests say that they
//! were skipped.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crosspath::journal::{Folder, load};
use crosspath::record::{self, Hint};
use crosspath::registry::GAMES;
use tempfile::TempDir;

use crate::kills::litter_after_a_save;
use crate::mishaps::{RUN, begin};
use crate::sentences::{lasting, said};
use crate::support::skip;

/// Script of a game: the lines typed, where `save` is into a file of its own, and the moves on the
/// board after each.
struct Script {
    name: &'static str,
    flags: &'static [&'static str],
    lines: &'static str,
    stands: &'static [&'static str],
    /// `true` if a game of this script's own is left first and continued.
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

/// The calls that open, write, name and close files.
const CALLS: [&str; 15] = [
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

/// Reports whether system calls can be traced here. A `strace` that is there and does not work is a fault.
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

/// A run of a script, with this done to its system calls.
struct Trace {
    home: TempDir,
    code: i32,
    said: String,
    calls: String,
}

impl Script {
    fn run(&self, strace: &str) -> Trace {
        let home = tempfile::tempdir().unwrap();
        if self.goes_on {
            let mut before = begin(home.path(), RUN, &[]);
            before.expect("> ");
            before.send("b2\ra1\rquit\r");
            assert_eq!(before.end(), 0);
        }
        let calls = home.path().join("calls");
        let script = format!("exec strace -f -qq -o {} {strace} \"$0\" \"$@\"", calls.display());
        let mut terminal = begin(home.path(), &script, self.flags);
        for line in self.lines.split(' ').chain(["quit"]) {
            let save = format!("save {}", saved(home.path()).display());
            terminal.send(&(line.replace("save", &save) + "\r"));
        }
        let code = terminal.end();
        let calls = fs::read_to_string(calls).unwrap_or_default();
        Trace { home, code, said: terminal.raw().to_owned(), calls }
    }

    /// Checks the files of a run: they have a prefix of the script, with all moves that were shown
    /// unless the run reported otherwise.
    fn is_kept(&self, run: &Trace, how: &str) {
        let Trace { said, .. } = run;
        let told = || format!("{}, {how}, code {}:\n{said}", self.name, run.code);
        // A prompt stands behind every line that was done.
        let prompts = ["x ", "o "].iter().flat_map(|side| said.match_indices(side));
        let is_prompt = |at: &usize| {
            let rest = said[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() < said.len() - at - 2 && rest.starts_with("> ")
        };
        let is_over = usize::from(said.contains(said!("game-over-part")));
        let shown = (prompts.filter(|(at, _)| is_prompt(at)).count() + is_over).saturating_sub(1);
        let found: Vec<String> =
            files(run.home.path()).iter().filter_map(|path| moves_of(path, told)).collect();
        let is_admitted =
            [said!("not-saved"), "cannot", "fault"].iter().any(|word| said.to_lowercase().contains(word));
        if self.goes_on && said.contains(said!("now-mode-on-a-fresh")) {
            assert!(
                found.iter().any(|moves| moves == self.stands[0]),
                "the game left before stays: {}",
                told()
            );
            return;
        }
        match found.as_slice() {
            [] => assert!(is_admitted || shown == 0 && !self.goes_on || run.code == 127, "{}", told()),
            [moves] => {
                let at_least = if is_admitted { 0 } else { shown.min(self.stands.len() - 1) };
                assert!(self.stands[at_least..].contains(&&**moves), "{moves} after {shown}, {}", told());
            }
            several => panic!("{several:?}, {}", told()),
        }
        assert!(!said.contains("panicked"), "{}", told());
        // What was said to be saved is there, whole, and the next save takes away what was left lying.
        let file = fs::read(saved(run.home.path())).unwrap_or_default();
        assert!(!file.is_empty() || !said.contains(lasting(format!("{} ", said!("saved-in")))), "{}", told());
        if !file.is_empty() {
            let record = record::load(&file, &Hint::of(&GAMES[0]).strict()).unwrap();
            let moves = record.tree.position(record.present).played().join(" ");
            assert!(record.fault.is_none() && self.stands.contains(&&*moves), "{moves}, {}", told());
        }
        assert_eq!(litter_after_a_save(run.home.path()), [""; 0], "{}", told());
    }
}

fn saved(home: &Path) -> PathBuf {
    home.join("game.txt")
}

fn files(home: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.join("crosspath")).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "journal"))
        .collect()
}

/// Returns the moves before the present position of a journal; `None` if it has no whole line.
fn moves_of(path: &Path, told: impl Fn() -> String) -> Option<String> {
    let bytes = fs::read(path).unwrap();
    if !bytes.contains(&b'\n') {
        return None;
    }
    let game = load(&bytes, GAMES).unwrap_or_else(|bad| panic!("{bad} in {}, {}", path.display(), told()));
    Some(game.record.tree.position(game.record.present).played().join(" "))
}

/// Returns the number of times that each call is made.
fn counts(calls: &str) -> Vec<(&'static str, usize)> {
    let count = |call: &str| calls.lines().filter(|line| line.contains(&format!(" {call}("))).count();
    CALLS.iter().map(|&call| (call, count(call))).filter(|&(_, count)| count > 0).collect()
}

/// Does something to every `step`th call in turn.
fn each_call(what: &[&str], is_looked_at: impl Fn(&str) -> bool, step: usize) {
    if !has_strace() {
        return;
    }
    let (mut runs, mut number) = (0, 0);
    for script in &SCRIPTS {
        let quiet = script.run(&format!("-e trace={}", CALLS.join(",")));
        assert_eq!(quiet.code, 0, "{}", quiet.said);
        script.is_kept(&quiet, "left alone");
        let moves = files(quiet.home.path())
            .iter()
            .filter_map(|path| moves_of(path, String::new))
            .collect::<Vec<_>>();
        assert_eq!(moves, [*script.stands.last().unwrap()]);
        for (call, count) in counts(&quiet.calls).into_iter().filter(|(call, _)| is_looked_at(call)) {
            for (when, what) in (1..=count).flat_map(|when| what.iter().map(move |what| (when, what))) {
                number += 1;
                if number % step > 0 {
                    continue;
                }
                let how = format!("{call} {when} of {count}: {what}");
                let run = script.run(&format!("-e trace={call} -e inject={call}:{what}:when={when}"));
                script.is_kept(&run, &how);
                // The next start finds its way.
                let _ = Folder::at(run.home.path().join("crosspath")).live();
                let mut next = begin(run.home.path(), RUN, &["--continue"]);
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

/// Reports whether only the program makes this call. The system opens and closes files, too, while
/// the program starts; if that fails it does not start.
fn is_its_own(call: &str) -> bool {
    !["openat", "close"].contains(&call)
}

#[test]
fn a_kill_at_some_calls_loses_nothing_that_was_shown() {
    each_call(&KILL, |_| true, 23);
}

#[test]
fn some_calls_that_fail_lose_nothing_unsaid() {
    each_call(&FAIL, is_its_own, 67);
}

#[test]
#[ignore = "slow: a run for every system call, some minutes"]
fn a_kill_at_every_call_loses_nothing_that_was_shown() {
    each_call(&KILL, |_| true, 1);
}

#[test]
#[ignore = "slow: four runs for every system call, some minutes"]
fn every_call_that_fails_loses_nothing_unsaid() {
    each_call(&FAIL, is_its_own, 1);
}
