//! Line mode on a real terminal: greeting, prompts, questions, Ctrl-C and Ctrl-D, what is said on leaving.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// The program on a terminal of its own, killed when dropped.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    chunks: Receiver<Vec<u8>>,
    seen: String,
    _master: Box<dyn MasterPty + Send>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

impl Terminal {
    fn start(arguments: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_crosspath"));
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("TERM", "dumb"); // no full screen
        command.env("NO_COLOR", "1");
        command.env("LC_ALL", "C");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (sender, chunks) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = reader.read(&mut buffer) {
                if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal { child, writer, chunks, seen: String::new(), _master: pair.master }
    }

    /// Waits until the text has been shown since the last wait; gives what was shown.
    fn expect(&mut self, text: &str) -> String {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(start) = self.seen.find(text) {
                let rest = self.seen.split_off(start + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            match self.chunks.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(chunk) => self.seen.push_str(&String::from_utf8_lossy(&chunk)),
                Err(RecvTimeoutError::Timeout) => panic!("{text:?} was not shown in\n{}", self.seen),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the program ended before {text:?} in\n{}", self.seen)
                }
            }
        }
    }

    fn send(&mut self, bytes: &str) {
        self.writer.write_all(bytes.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Waits for the end; gives the exit code and what was still shown.
    fn end(mut self) -> (u32, String) {
        let code = self.child.wait().unwrap().exit_code();
        while let Ok(chunk) = self.chunks.recv_timeout(Duration::from_secs(5)) {
            self.seen.push_str(&String::from_utf8_lossy(&chunk));
        }
        (code, std::mem::take(&mut self.seen))
    }
}

const NOT_SAVED: &str = "Not saved. save FILE keeps a game.";

#[test]
fn a_person_is_greeted_asked_and_answered() {
    let mut terminal = Terminal::start(&["--mode", "1", "--level", "classic", "--seed", "1"]);
    let greeting = terminal.expect("x 1> ");
    assert!(
        greeting.starts_with(
            "Tic-tac-toe 3x3. You are X, first, and win with a full row, column or diagonal.\r\n"
        ),
        "{greeting}"
    );
    assert!(greeting.contains("Type a move such as b2, or help.\r\n"), "{greeting}");
    terminal.send("b2\n");
    let answer = terminal.expect("x 3> ");
    assert!(answer.contains("\r\n  You: b2.\r\n  O: a1.   ("), "{answer}");
    terminal.send("zz\n");
    assert!(
        terminal.expect("x 3> ").contains("\r\n  I do not know \"zz\". A cell is a letter a-c"),
        "refusals stand among the answers"
    );
    terminal.send("b2\n");
    terminal.expect("  b2 is taken (X, move 1). Nothing was played.\r\n");
    terminal.send("quit\n");
    let (code, rest) = terminal.end();
    assert_eq!(code, 0);
    assert!(rest.ends_with(&format!("  {NOT_SAVED}\r\n")), "{rest}");
}

#[test]
fn two_people_are_named_by_their_sides_and_asked_for_another_game() {
    let mut terminal = Terminal::start(&["--mode", "2"]);
    assert!(terminal.expect("x 1> ").contains("X and O in turn, X begins."));
    for (cell, prompt) in
        [("a1", "o 2> "), ("b1", "x 3> "), ("a2", "o 4> "), ("b2", "x 5> "), ("a3", "Another game? ")]
    {
        terminal.send(&format!("{cell}\n"));
        let shown = terminal.expect(prompt);
        assert!(shown.contains(&format!(": {cell}.\r\n")), "{shown}");
    }
    terminal.send("tak\n");
    terminal.expect("x 1> ");
    terminal.send("\u{4}"); // Ctrl-D
    let (code, rest) = terminal.end();
    assert_eq!((code, rest.trim()), (0, ""), "nothing was played, so nothing is lost");
}

#[test]
fn the_end_of_input_ends_the_line_and_says_what_is_lost() {
    let mut terminal = Terminal::start(&["--mode", "2"]);
    terminal.expect("x 1> ");
    terminal.send("b2\n");
    terminal.expect("o 2> ");
    terminal.send("\u{4}");
    let (code, rest) = terminal.end();
    assert_eq!((code, rest.as_str()), (0, format!("\r\n  {NOT_SAVED}\r\n").as_str()));
}

#[test]
fn a_saved_game_is_not_called_unsaved_and_a_changed_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game#1.txt");
    let path = path.to_str().unwrap();
    for (then, lost) in [
        ("quit\n", ""),
        ("new\nquit\n", ""),
        ("a1\nquit\n", NOT_SAVED),
        ("a1\nnew\nquit\n", "The game before was not saved."),
    ] {
        let mut terminal = Terminal::start(&["--mode", "2"]);
        terminal.expect("x 1> ");
        terminal.send(&format!("b2\nsave {path}\n"));
        terminal.expect("Saved in ");
        terminal.send(then);
        let (code, rest) = terminal.end();
        assert_eq!(code, 0);
        let (is_unsaved, was_unsaved) = (rest.contains(NOT_SAVED), rest.contains("was not saved"));
        assert_eq!(
            (is_unsaved, was_unsaved),
            (lost == NOT_SAVED, lost.contains("before")),
            "{then:?}: {rest}"
        );
    }
    assert!(std::fs::read_to_string(path).unwrap().contains("1. b2"), "a file's name may hold a #");
}

#[test]
fn ctrl_c_warns_once_and_leaves_at_the_second() {
    for arguments in [&["--mode", "1", "--seed", "1"][..], &["examples/early_end.txt"], &["--mode", "2"]] {
        let mut terminal = Terminal::start(arguments);
        terminal.expect("x 1> ");
        terminal.send("\u{3}");
        terminal.expect("(Ctrl-C again or quit to leave)");
        terminal.send("b2\n");
        terminal.expect("> ");
        terminal.send("\u{3}");
        terminal.expect("(Ctrl-C again or quit to leave)");
        std::thread::sleep(Duration::from_millis(50)); // two in a row, not one held down
        terminal.send("\u{3}");
        assert_eq!(terminal.end().0, 130);
    }
}

#[test]
fn without_options_the_game_and_the_size_are_asked() {
    let mut terminal = Terminal::start(&["--plain"]);
    let menu = terminal.expect("game> ");
    assert!(menu.contains("1  Tic-tac-toe 1-10"), "{menu}");
    terminal.send("chess\n");
    assert!(terminal.expect("game> ").contains("there is no game \"chess\"; games are tic-tac-toe"));
    terminal.send("ttt\n");
    terminal.expect("size 1-10 [3]> ");
    terminal.send("11\n");
    assert!(terminal.expect("size 1-10 [3]> ").contains("it must be 1 to 10"));
    terminal.send("4\n");
    assert!(terminal.expect("x 1> ").contains("Tic-tac-toe 4x4."));
    for (input, code) in [("\u{4}", 0), ("Quit\n", 0)] {
        let mut terminal = Terminal::start(&["--plain"]);
        terminal.expect("game> ");
        terminal.send(input);
        assert_eq!(terminal.end().0, code, "{input:?} at the game");
        let mut terminal = Terminal::start(&["--plain"]);
        terminal.expect("game> ");
        terminal.send("\n");
        terminal.expect("size 1-10 [3]> ");
        terminal.send(input);
        assert_eq!(terminal.end().0, code, "{input:?} at the size");
    }
}

#[test]
fn sentences_break_between_words_in_the_window() {
    let mut terminal = Terminal::start(&["--mode", "2"]);
    terminal.expect("x 1> ");
    terminal.send("nonsense\n");
    let shown = terminal.expect("x 1> ");
    assert!(shown.lines().all(|line| line.chars().count() < 80), "{shown}");
    assert!(shown.contains("such as\r\n  b2. Other words: help\r\n"), "{shown}");
}
