//! The real program on a real pseudo-terminal: what it draws, and that the terminal is always given back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crosspath::canvas::{Glyphs, PaintOptions};
use crosspath::play::{AfterEnd, Match, NewGame, PlayAs, Rules};
use crosspath::registry::{GAMES, Variant};
use crosspath::session::{EngineError, Position};
use crosspath::ui::tui::{Tui, layout};
use crosspath::ui::{self, Inbox};
use crosspath::worker::Build;
use rustix::process::Signal;

use crate::screen::{Terminal, crosspath, shell};

const ENTER: &str = "\r";

/// At the board of a game between two people, where nobody thinks.
fn at_the_board() -> Terminal {
    let mut terminal = crosspath(&["--mode", "2"]);
    terminal.expect("X to move.");
    terminal
}

/// While a machine thinks, and goes on thinking for long.
fn while_it_thinks() -> Terminal {
    let mut terminal = crosspath(&[
        "--game",
        "quoridor",
        "--level",
        "4",
        "--play-as",
        "second",
        "--movetime",
        "60s",
        "--seed",
        "1",
    ]);
    terminal.expect("White is thinking.");
    terminal
}

/// Waits for the end; everything about the terminal is as before.
fn is_given_back(mut terminal: Terminal, code: i32) -> Terminal {
    assert_eq!(terminal.end(), code);
    terminal.is_as_before();
    terminal
}

#[test]
fn q_gives_the_terminal_back_and_shows_the_last_board() {
    let mut terminal = at_the_board();
    terminal.send("b2\r");
    terminal.expect("X played b2. O to move.");
    terminal.send("q");
    let terminal = is_given_back(terminal, 0);
    let left = terminal.text();
    assert!(left.contains("(X)"), "{left}");
    assert!(left.contains("O to move, move 2.\nSaved. crosspath --continue goes on from here."), "{left}");
    let mut terminal = while_it_thinks();
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_finished_game_leaves_its_result() {
    let mut terminal = at_the_board();
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        terminal.send(&format!("{cell}{ENTER}"));
        terminal.expect(if cell == "a3" { "Game over:" } else { cell });
    }
    terminal.send("q");
    let left = is_given_back(terminal, 0).text();
    assert!(left.contains("Game over: X (first) completed column a on move 5. X wins."), "{left}");
    assert!(!left.contains("Saved. "), "{left}");
}

#[test]
fn ctrl_c_leaves_with_130() {
    for mut terminal in [at_the_board(), while_it_thinks()] {
        terminal.send("\u{3}");
        is_given_back(terminal, 130);
    }
    let mut terminal = crosspath(&[]);
    terminal.expect("Same game from the shell:");
    terminal.send("\u{3}");
    is_given_back(terminal, 130);
}

#[test]
fn signals_give_the_terminal_back() {
    for (signal, code) in [
        (Signal::HUP, 129),
        (Signal::INT, 130),
        (Signal::QUIT, 131),
        (Signal::TERM, 143),
        (Signal::ABORT, 134),
        (Signal::ALARM, 142),
        (Signal::USR1, 138),
        (Signal::USR2, 140),
        (Signal::XCPU, 152),
    ] {
        for terminal in [at_the_board(), while_it_thinks()] {
            terminal.signal(signal);
            is_given_back(terminal, code);
        }
    }
    let mut terminal = at_the_board();
    terminal.send("b2\r");
    terminal.expect("X played b2.");
    terminal.signal(Signal::TERM);
    let terminal = is_given_back(terminal, 143);
    for text in ["2 ·(X)·", "O to move, move 2.", "Saved. crosspath --continue goes on from here."] {
        assert!(terminal.text().contains(text), "{}", terminal.text());
    }
}

/// This test program itself on a terminal, playing with an engine that fails.
fn with_a_failing_engine(how: &str) -> Terminal {
    let own = std::env::current_exe().unwrap();
    let script = format!("exec {} --exact pty::an_engine_that_fails --ignored --nocapture", own.display());
    Terminal::start(shell(&script, &[]).env("CROSSPATH_ENGINE_THAT", how))
}

/// The program as the other tests start it, on a terminal of its own: the engine is put in from outside.
#[test]
#[ignore = "started by other tests, on a terminal of its own"]
fn an_engine_that_fails() {
    let Ok(how) = std::env::var("CROSSPATH_ENGINE_THAT") else { return };
    let build: Build = Arc::new(move |_, _| {
        assert!(how != "panics", "asked for by a test");
        Err(EngineError::OtherGame)
    });
    let looks = crate::rig::looks(Glyphs::Unicode);
    let inbox = Inbox::default();
    let mut screen = Tui::new(looks, inbox.sender());
    let spec = NewGame { play_as: PlayAs::Second, ..NewGame::default() };
    let rules = Rules { after_end: AfterEnd::Stay, ..Rules::default() };
    let mut game = Match::new(rules, spec, None).unwrap();
    ui::run(&mut game, &mut screen, None, None, &inbox, None, build).unwrap();
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let left = is_given_back(with_a_failing_engine("panics"), 101).text();
    assert!(left.contains("panicked at") && left.contains("asked for by a test"), "{left}");
}

#[test]
fn an_engine_that_fails_is_told_and_the_game_stays() {
    let mut terminal = with_a_failing_engine("errs");
    terminal.expect("The engine has failed: this engine plays another game");
    terminal.send(":where\r");
    terminal.expect("X to move, move 1.");
    terminal.send("q");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_file_that_does_not_do_is_named_on_the_normal_screen_and_on_ours() {
    let mut terminal = crosspath(&["--mode", "3", "no/such/file"]);
    terminal.expect("cannot read no/such/file: no such file");
    terminal.send("q");
    let left = is_given_back(terminal, 0).text();
    assert!(left.starts_with("cannot read no/such/file"), "{left}");
    let terminal = crosspath(&["--mode", "3", "no/such/file", "--strict"]);
    let left = is_given_back(terminal, 65).text();
    assert!(left.starts_with("error: cannot read no/such/file"), "{left}");
}

#[test]
fn ctrl_z_stops_and_fg_draws_everything_again() {
    let mut terminal = at_the_board();
    terminal.send("b2\r");
    terminal.expect("X played b2.");
    terminal.send("\u{1a}");
    terminal.wait_for_state('T');
    terminal.settle();
    terminal.is_as_before();
    terminal.signal(Signal::CONT);
    terminal.expect("X played b2. O to move.");
    assert!(terminal.is_full_screen());
    terminal.send("a1\r");
    terminal.expect("O played a1.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_killed_game_goes_on_where_it_was() {
    for (how, asks) in [("--tui", "X to move"), ("--plain", "x 3> ")] {
        let home = tempfile::tempdir().unwrap();
        let begin = |arguments: &[&str]| {
            let command = shell("exec \"$0\" \"$@\"", arguments);
            Terminal::start(command.env("XDG_STATE_HOME", home.path().to_str().unwrap()))
        };
        let mut terminal = begin(&["--mode", "2", how]);
        terminal.settle();
        terminal.send("b2\r");
        terminal.settle();
        terminal.send("a1\r");
        terminal.expect("a1");
        terminal.settle();
        terminal.signal(Signal::KILL);
        let mut terminal = if how == "--tui" {
            let mut terminal = begin(&[]);
            terminal.expect("c  Continue: Tic-tac-toe 3×3");
            terminal.expect("move 3, today ");
            terminal.send("c");
            terminal
        } else {
            begin(&["--continue", how])
        };
        terminal.expect(asks);
        terminal.settle();
        terminal.send(if how == "--tui" { ":moves\r" } else { "moves\r" });
        terminal.expect("1. b2 a1");
        terminal.send(if how == "--tui" { "\u{1b}\u{1b}" } else { "" });
        terminal.settle();
        terminal.send(if how == "--tui" { "c3\rq" } else { "c3\rquit\r" });
        assert_eq!(terminal.end(), 0);
        assert!(
            terminal.raw().contains("Saved. crosspath --continue goes on from here."),
            "{}",
            terminal.raw()
        );
    }
}

#[test]
fn a_clock_runs_on_the_screen_and_ends_the_game() {
    let mut terminal = crosspath(&["--mode", "2", "--time", "10m"]);
    terminal.expect(" / 10:00");
    terminal.expect("9:57 / 10:00");
    let sent = terminal.read_for(Duration::from_millis(1500));
    assert!((1..300).contains(&sent), "only the changed cells are sent, not {sent} bytes");
    terminal.send("q");
    is_given_back(terminal, 0);
    let mut terminal = crosspath(&["--mode", "2", "--time", "1s"]);
    terminal.expect("won because X used up the time");
    terminal.expect("0:00 / 0:01");
    terminal.settle();
    assert_eq!(terminal.read_for(Duration::from_millis(1200)), 0, "no clock runs any more");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn saving_over_another_game_asks_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.txt");
    let old = "# crosspath tic-tac-toe size=3\n1. a1\n";
    std::fs::write(&path, old).unwrap();
    let name = path.to_str().unwrap();
    for (how, asks) in [("--tui", "X to move"), ("--plain", "x 1> ")] {
        let (save, no, yes) = match how {
            "--tui" => (format!(":save {name}\r"), "n", "y"),
            _ => (format!("save {name}\r"), "n\r", "y\r"),
        };
        let mut terminal = crosspath(&["--mode", "2", how]);
        terminal.expect(asks);
        terminal.send("b2\r");
        terminal.settle();
        terminal.send(&save);
        terminal.expect("Replace it? y or n");
        terminal.send(no);
        terminal.expect("stays as it is");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), old);
        terminal.send(&save);
        terminal.expect("Replace it? y or n");
        terminal.settle();
        terminal.send(yes);
        terminal.expect("over the game that was there");
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("1. b2\n"));
        std::fs::write(&path, old).unwrap();
        terminal.send(if how == "--tui" { "q" } else { "quit\r" });
        assert_eq!(terminal.end(), 0);
    }
}

#[test]
fn a_terminal_that_closes_ends_the_program() {
    for start in [at_the_board, while_it_thinks] {
        let mut terminal = start();
        terminal.close();
        assert_eq!(terminal.end(), 129);
    }
}

#[test]
fn a_terminal_that_closes_ends_the_program_also_where_no_signal_comes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code");
    // The shell leads the session and survives; the program is told nothing.
    let script = format!("trap '' HUP; \"$0\" \"$@\"; echo $? >> {}", path.display());
    for (count, (how, said)) in (1..).zip([("--tui", "X to move."), ("--plain", "x 1> ")]) {
        let mut terminal = Terminal::start(shell(&script, &["--mode", "2", how]));
        terminal.expect(said);
        terminal.close();
        let began = Instant::now();
        while std::fs::read_to_string(&path).unwrap_or_default() != "129\n".repeat(count) {
            let codes = std::fs::read_to_string(&path);
            assert!(began.elapsed() < Duration::from_secs(20), "{how}: {codes:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn nothing_is_sent_and_nothing_is_burnt_while_nothing_happens() {
    let mut terminal = crosspath(&["--game", "quoridor", "--seed", "1"]);
    terminal.expect("Your move, White.");
    terminal.settle();
    let before = terminal.cpu_ticks();
    assert_eq!(terminal.read_for(Duration::from_millis(1500)), 0, "bytes without news");
    assert!(terminal.cpu_ticks() - before <= 1, "more than 10 ms of 1500");
}

#[test]
fn the_terminal_decides_between_the_screen_and_lines() {
    for (term, arguments) in
        [("dumb", &["--mode", "2"][..]), ("xterm", &["--mode", "2", "--plain"]), ("", &["--mode", "2"])]
    {
        let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", arguments).env("TERM", term));
        terminal.expect("x 1> ");
        assert!(!terminal.raw().contains('\u{1b}'), "TERM={term}");
    }
    let mut terminal =
        Terminal::start(shell("exec \"$0\" \"$@\"", &["--mode", "2", "--tui"]).env("TERM", "dumb"));
    terminal.expect("X to move.");
    assert!(terminal.is_full_screen());
    let terminal = Terminal::start(shell("\"$0\" \"$@\" | cat", &["--tui"]));
    let left = is_given_back(terminal, 0).text();
    assert!(left.contains("error: --tui needs a terminal"), "{left}");
    let mut terminal = crosspath(&["--tui", "--plain"]);
    assert_eq!(terminal.end(), 2);
}

#[test]
fn a_game_is_played_by_arrows_typing_and_mouse() {
    let mut terminal = crosspath(&["--mode", "2", "--size", "5"]);
    terminal.expect("X to move.");
    terminal.send("\u{1b}[D\u{1b}[A\r"); // left, up, Enter
    terminal.expect("X played b2. O to move.");
    terminal.send("c3 ");
    terminal.expect("> c3");
    terminal.send("\r");
    terminal.expect("O played c3.");
    let (x, y) = terminal.place_of_cursor();
    assert_eq!(terminal.at(x - 3, y), "[", "the cursor of the terminal is where ours is");
    terminal.click(x + 10, y);
    terminal.expect("X played d3.");
    terminal.click(x, y);
    terminal.expect("c3 is taken (O, move 2). Nothing was played.");
    terminal.send("mm");
    terminal.expect("> mm");
    terminal.send("\u{1b}u"); // two keys, though they come as one
    terminal.expect("Took back d3.");
    terminal.send("U");
    terminal.expect("Played again d3.");
    terminal.send("[");
    terminal.expect("looking at move 2 of 3");
    terminal.send("\u{1b}[D\u{1b}[C"); // the arrows step
    terminal.expect("looking at move 2 of 3");
    terminal.send("a1\r"); // what is typed is played at the present
    terminal.expect("O played a1. Back at the present position.");
    terminal.resize(60, 20);
    terminal.expect("O played a1.");
    terminal.resize(100, 35);
    terminal.send(":where\r");
    terminal.expect("X: b2 d3.");
    terminal.send("\u{1b}");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn walls_are_built_by_keys_and_mouse() {
    let mut terminal = crosspath(&["--mode", "2", "--game", "quoridor"]);
    terminal.expect("White to move.");
    terminal.send("w");
    terminal.expect("d1h ok: ▼ 8→9  ▲ 8→9 steps");
    terminal.send("r|-");
    terminal.expect("h ok:");
    terminal.send("\r");
    terminal.expect("White played ");
    let walls = GAMES.iter().find(|entry| entry.name == "quoridor").unwrap();
    let (x, y) = place(&*walls.start(&Variant::default()).unwrap(), "e5h");
    terminal.send(&format!("\x1b[<35;{};{}M", x + 1, y + 1)); // the mouse is held there
    terminal.expect("e5h ok:");
    terminal.click(x, y);
    terminal.expect("Black played e5h.");
    terminal.send("e5v");
    terminal.send("\r");
    terminal.expect("e5v is not allowed: it would cross the wall e5h. Try e4v or e6v.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

/// What the screen needs at most to answer.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The shortest of a few measurements: the rest is what else the computer does.
fn shortest(mut measure: impl FnMut() -> Duration) -> Duration {
    let mut shortest = Duration::MAX;
    for _ in 0..8 {
        shortest = shortest.min(measure());
        if shortest < AT_ONCE {
            break;
        }
    }
    shortest
}

#[test]
fn help_opens_while_a_machine_thinks_and_esc_makes_it_play() {
    let mut terminal = while_it_thinks();
    terminal.send("?");
    terminal.expect("Keys: At the board");
    terminal.send("?");
    terminal.expect("White is thinking.");
    terminal.send("?/hint\r");
    terminal.expect("only lines with");
    terminal.send("\u{1b}");
    terminal.expect("Keys: At the board");
    terminal.send("\u{1b}");
    terminal.expect("White is thinking.");
    terminal.send("e5\r");
    terminal.expect("The engine is thinking.");
    terminal.send("\u{1b}");
    terminal.expect("Your move, Black.");
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn the_first_frame_help_and_the_move_that_is_asked_for_come_at_once() {
    let first = shortest(|| {
        let began = Instant::now();
        let mut terminal = crosspath(&[]);
        terminal.expect("Same game from the shell:");
        began.elapsed()
    });
    assert!(first < AT_ONCE, "the first frame took {first:?}");
    let mut terminal = while_it_thinks();
    std::thread::sleep(Duration::from_millis(300));
    let help = shortest(|| {
        let began = Instant::now();
        terminal.send("?");
        terminal.expect("Keys: At the board");
        let taken = began.elapsed();
        terminal.send("?");
        terminal.expect("White is thinking.");
        taken
    });
    assert!(help < AT_ONCE, "help took {help:?}");
    let stop = shortest(|| {
        let mut terminal = while_it_thinks();
        std::thread::sleep(Duration::from_millis(100));
        let began = Instant::now();
        terminal.send("\u{1b}");
        terminal.expect("Your move, Black.");
        began.elapsed()
    });
    assert!(stop < AT_ONCE, "the move took {stop:?}");
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn the_terminal_is_given_back_within_a_second() {
    type End = fn(&mut Terminal);
    let ends: [(End, i32); 5] = [
        (|terminal| terminal.send("q"), 0),
        (|terminal| terminal.send("\u{3}"), 130),
        (|terminal| terminal.signal(Signal::TERM), 143),
        (Terminal::close, 129),
        (
            |terminal| {
                make_deaf(terminal);
                terminal.signal(Signal::HUP);
            },
            129,
        ),
    ];
    for (end, code) in ends {
        for mut terminal in [at_the_board(), while_it_thinks()] {
            let began = Instant::now();
            end(&mut terminal);
            assert_eq!(terminal.end(), code);
            assert!(began.elapsed() < Duration::from_secs(1), "{code} took {:?}", began.elapsed());
        }
    }
}

/// Column and row of a place of the board in a window of 80 columns and 24 rows.
fn place(session: &dyn Position, text: &str) -> (u16, u16) {
    let places = layout(session, (80, 24));
    let look = PaintOptions { density: places.density.unwrap(), ..PaintOptions::default() };
    let canvas = session.canvas(look);
    let spot = canvas.spots().iter().find(|spot| spot.text == text).unwrap();
    (places.board.x + u16::try_from(spot.x).unwrap(), places.board.y + u16::try_from(spot.y).unwrap())
}

#[test]
fn a_whole_game_of_each_kind_is_played_by_the_mouse_alone() {
    for entry in GAMES {
        let size = if entry.name == "quoridor" { 3 } else { 4 };
        let mut session = entry.history(&Variant::of_size(size)).unwrap();
        let size = size.to_string();
        let mut terminal = crosspath(&["--mode", "2", "--game", entry.name, "--size", &size]);
        terminal.expect("to move");
        while session.outcome().is_none() {
            let moves = session.legal();
            let canvas = session.canvas(PaintOptions::default());
            let is_drawn = |text: &&String| canvas.spots().iter().any(|spot| spot.text == **text);
            // Towards the goal, with a wall in between.
            let mv = moves.iter().filter(is_drawn).nth(usize::from(session.plies() == 1)).unwrap().clone();
            let (x, y) = place(&*session, &mv);
            session.play(&mv).unwrap();
            terminal.click(x, y);
            let name = session.side_name(session.to_move().other());
            let is_over = session.outcome().is_some();
            let said = if is_over { "Game over:".to_owned() } else { format!("{name} played {mv}.") };
            terminal.expect(&said);
            assert!(session.plies() < 60, "no end: {:?}", session.played());
        }
        // What follows is on the key bar.
        for (word, then) in [("again", "move 1"), ("quit", "")] {
            terminal.settle();
            let bar = terminal.text().lines().last().unwrap().to_owned();
            let before = bar.split(word).next().unwrap().chars().count();
            terminal.click(u16::try_from(before).unwrap(), 23);
            if !then.is_empty() {
                terminal.expect(then);
            }
        }
        is_given_back(terminal, 0);
    }
}

#[test]
fn ctrl_z_stops_also_while_a_machine_thinks_and_where_no_shell_would_go_on() {
    let mut terminal = while_it_thinks();
    terminal.send("\x1a");
    terminal.wait_for_state('T');
    terminal.settle();
    terminal.is_as_before();
    terminal.signal(Signal::CONT);
    terminal.expect("White is thinking.");
    assert!(terminal.is_full_screen());
    terminal.send("q");
    is_given_back(terminal, 0);
    // Started by `exec` the program leads its session: its process group is an orphan, and SIGTSTP would do nothing.
    let mut terminal = at_the_board();
    terminal.signal(Signal::TSTP);
    terminal.wait_for_state('T');
    terminal.signal(Signal::CONT);
    terminal.expect("X to move.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn every_environment_shows_the_same_game() {
    let play = |variables: &[(&str, &str)]| {
        let arguments = ["--game", "hex", "--size", "5", "--mode", "2", "--no-swap"];
        let mut command = shell("exec \"$0\" \"$@\"", &arguments);
        for (name, value) in variables {
            command = command.env(name, value);
        }
        let mut terminal = Terminal::start(command);
        terminal.expect("Red to move.");
        terminal.send("c3\rb4\r");
        terminal.expect("Blue played b4.");
        terminal.send("w");
        terminal.text()
    };
    let stones = |text: &str, signs: [char; 2]| -> Vec<String> {
        let rows = text.lines().filter(|row| row.contains(" 3 ") || row.contains(" 4 "));
        rows.map(|row| row.chars().filter(|letter| signs.contains(letter)).collect()).collect()
    };
    let plain = play(&[]);
    for (variables, signs) in [
        (&[("NO_COLOR", "1")][..], ['●', '○']),
        (&[("COLORTERM", "")], ['●', '○']),
        (&[("COLORTERM", "truecolor")], ['●', '○']),
        (&[("LC_ALL", "C")], ['X', 'O']),
        (&[("LC_ALL", ""), ("LANG", "C")], ['X', 'O']),
        (&[("LC_ALL", ""), ("LANG", "de_DE.utf8")], ['●', '○']),
        (&[("TERM", "linux")], ['X', 'O']),
    ] {
        let text = play(variables);
        assert_eq!(text.is_ascii(), signs == ['X', 'O'], "{variables:?}: {text}");
        if signs == ['●', '○'] {
            assert_eq!(text, plain, "{variables:?}");
        }
        assert!(stones(&text, signs).concat().chars().collect::<std::collections::BTreeSet<_>>().len() == 2);
    }
}

#[test]
fn the_menu_starts_what_it_says_and_another_game_follows() {
    let mut terminal = crosspath(&["--seed", "1"]);
    terminal.expect("Same game from the shell:");
    let number = GAMES.iter().position(|entry| entry.name == "quoridor").unwrap() + 1;
    terminal.send(&number.to_string());
    terminal.expect("--game quoridor --mode 1");
    terminal.send("\t\u{1b}[C"); // to the options, human against human
    terminal.expect("--mode 2");
    terminal.send("\r");
    terminal.expect("White to move.");
    terminal.send("\u{e}");
    terminal.expect("Same game from the shell:");
    terminal.send("1\r"); // the mode stays what it was
    terminal.expect("X to move.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_replay_stays_until_it_is_left_and_can_be_played_on() {
    let mut terminal = crosspath(&["examples/draw.txt", "--seed", "1"]);
    terminal.expect("move 0 of 9");
    terminal.send("\u{1b}[C\u{1b}[C");
    terminal.expect("Move 2 of 9: O a1.");
    terminal.send("+++ ");
    terminal.expect("Game over: the board is full after move 9. It is a draw.");
    terminal.expect("X Ann  O Ben   move 9 of 9   a draw");
    terminal.send("\u{1b}[5~\u{1b}[C\u{1b}[C\u{1b}[C\u{1b}[C");
    terminal.expect("Move 4 of 9");
    terminal.send("x");
    terminal.expect("Your move, X.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn two_machines_play_are_stopped_and_looked_back_at() {
    let mut terminal = crosspath(&["--mode", "4", "--level", "3", "--seed", "1"]);
    terminal.expect("X played");
    terminal.send(" ");
    terminal.expect("Stopped.");
    terminal.send("\u{1b}[D");
    terminal.expect("The first position of 1 move.");
    terminal.send("++ ");
    terminal.expect("Game over:");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_match_that_is_stopped_stays_stopped_until_it_is_told_to_go_on() {
    let mut terminal = crosspath(&["--mode", "4", "--level", "2", "--seed", "7"]);
    terminal.expect("move 1 of 1");
    terminal.send(" ");
    terminal.expect("stopped, move");
    terminal.expect("Space goes on.");
    for (word, answer) in [
        (":undo", "This game is only shown. The word play goes on"),
        (":redo", "There is nothing to redo."),
        (":undo 2", "This game is only shown."),
        (":resign", "This game is only shown."),
        (":c3", "This game is only shown."),
        (":side first", "Two machines play. The word play takes over the side to move."),
        (":level", "Both machines play level 2."),
        (":level 1", "Both machines now play level 1."),
    ] {
        terminal.send(&format!("{word}\r"));
        terminal.expect(answer);
        assert!(terminal.text().contains("stopped, move"), "{word}: {}", terminal.text());
    }
    terminal.send("u");
    terminal.expect("This game is only shown. x plays on from the position that you see.");
    terminal.send("\u{1b}[H");
    terminal.expect("stopped, move 0 of ");
    terminal.send("\u{1b}[F");
    terminal.expect("Stopped. Space goes on.");
    terminal.send(":help\r");
    terminal.expect("─ help ─");
    terminal.send("\u{1b}");
    terminal.expect("Stopped. Space goes on.");
    assert!(terminal.text().contains("stopped, move"), "{}", terminal.text());
    terminal.send("++ ");
    terminal.expect("Game over:");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_match_is_taken_over_where_it_stands() {
    let mut terminal = crosspath(&["--mode", "4", "--size", "5", "--level", "2", "--seed", "7"]);
    terminal.send("++");
    terminal.expect("move 3 of 3");
    terminal.send(" \u{1b}[H\u{1b}[C");
    terminal.expect("stopped, move 1 of ");
    terminal.send("x");
    terminal.expect("The game goes on after move 1. redo brings back");
    terminal.expect("you O   move 2");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_game_given_up_while_an_earlier_position_is_shown_ends_at_its_last() {
    let mut terminal = at_the_board();
    for cell in ["a1", "b2", "b1", "c3", "a3"] {
        terminal.send(&format!("{cell}\r"));
        terminal.expect(&format!(" {cell}"));
    }
    terminal.send("[[");
    terminal.expect("looking at move 3 of 5");
    terminal.send("RR");
    terminal.expect("5 moves, over");
    terminal.send(":play\r");
    terminal.expect("The game is over here.");
    assert!(terminal.text().contains("5 moves, over"), "{}", terminal.text());
    terminal.send(":back\r");
    terminal.expect("looking at move 4 of 5");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn what_leaves_a_replay_says_what_became_of_the_game() {
    let mut terminal = at_the_board();
    terminal.send("a1\rb2\rb1\r:undo 99\r");
    terminal.expect("Only 3 moves can be taken back.");
    terminal.send(":replay\r:goto 2\r:undo\r");
    terminal.expect("Took back b1. X to move, move 3. redo brings it back.");
    terminal.send("U:replay\r\u{1b}[Cx");
    terminal.expect("The game goes on after move 1. redo brings back 2 moves.");
    terminal.send("U");
    terminal.expect("Played again b2.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_file_that_says_too_much_is_told_on_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("surplus.txt");
    std::fs::write(&path, "# crosspath tic-tac-toe size=3\n1. a1 b2 2. b1 c3 3. c1 c2\n").unwrap();
    // By itself, a move every half second, or step by step: after the last position mode 1 takes over.
    for keys in [["+ ", "move 5 of 5", ""], ["\u{1b}[F", "move 5 of 5", "\u{1b}[C"]] {
        let mut terminal = crosspath(&["--mode", "3", path.to_str().unwrap(), "--play-as", "first"]);
        terminal.expect("move 0 of 5");
        terminal.send(keys[0]);
        terminal.expect(keys[1]);
        terminal.send(keys[2]);
        terminal.expect("you X");
        terminal.settle();
        assert!(terminal.is_full_screen());
        // The path is as long as the computer wants it: the sentence may break anywhere.
        let words = terminal.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("comes after the end of the game. Now mode 1, on a fresh board."), "{words}");
        terminal.send("q");
        is_given_back(terminal, 0);
    }
}

#[test]
fn plain_text_goes_on_where_a_replay_stands_and_stays_open() {
    let mut terminal = crosspath(&["examples/hex.txt"]);
    terminal.expect("move 0 of ");
    terminal.send("\u{1b}[C\u{1b}[C\u{1b}[C");
    terminal.expect("Move 3 of ");
    // Narrow but high, so that the text does not scroll away before it is read.
    terminal.resize(28, 60);
    terminal.expect("28 × 60 is too small.");
    terminal.send("p");
    terminal.expect("Looking at move 3 of ");
    terminal.resize(80, 24);
    for (word, answer) in
        [("where", "Red: i2 f7."), ("next", "Looking at move 4 of "), ("zz", "I do not know \"zz\".")]
    {
        terminal.send(&format!("{word}\r"));
        terminal.expect(answer);
    }
    terminal.send("tui\r");
    terminal.expect("Move 4 of ");
    assert!(terminal.is_full_screen());
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn the_full_screen_comes_back_to_a_running_match_in_another_size() {
    let mut terminal =
        crosspath(&["--mode", "4", "--game", "quoridor", "--size", "5", "--level", "2", "--seed", "3"]);
    terminal.expect("move 1 of 1");
    terminal.set_size(30, 5);
    terminal.expect("p   go on in plain text");
    terminal.send("p");
    terminal.expect("\n>");
    terminal.set_size(100, 32);
    terminal.send("tui\r");
    terminal.expect("move ");
    assert!(terminal.is_full_screen());
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn the_last_position_of_a_file_says_how_the_game_ended() {
    let mut terminal = crosspath(&["examples/hex.txt"]);
    terminal.expect("The first position of 51 moves.");
    terminal.send("\u{1b}[F");
    terminal.expect("Game over: Red (●) joined top and bottom on move 51.");
    terminal.send("[");
    terminal.expect("Move 50 of 51: Blue");
    terminal.send("]");
    terminal.expect("Game over: Red (●) joined top and bottom on move 51.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn plain_text_of_a_match_waits_between_its_moves() {
    let mut terminal = crosspath(&["--mode", "4", "--level", "2", "--seed", "7"]);
    terminal.expect("move 1 of 1");
    terminal.send(" ");
    terminal.expect("stopped, move");
    terminal.send("\u{1b}[H");
    terminal.expect("stopped, move 0 of 1");
    terminal.resize(20, 24);
    terminal.expect("Needed: 40");
    terminal.send("p");
    terminal.expect("Enter plays the next move.");
    terminal.expect("Looking at move 0 of 1.");
    terminal.expect("\n>");
    terminal.resize(80, 24);
    terminal.send("\r");
    terminal.expect("present position.");
    terminal.send("board\r\r");
    terminal.expect("2. O ");
    terminal.send("tui\r");
    terminal.expect("stopped, move");
    terminal.send(" ++++");
    terminal.expect("Game over:");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn who_looks_back_while_the_machine_moves_goes_on_looking() {
    for (word, title) in [("[", "looking at move 0 of 2"), (":replay\r", "replay, move 0 of 2")] {
        let mut terminal =
            crosspath(&["--size", "9", "--win-length", "5", "--level", "8", "--movetime", "700ms"]);
        terminal.expect("Your move, X.");
        terminal.send(&format!("e5\r{word}")); // what waits is done before anybody thinks
        terminal.expect(title);
        terminal.settle();
        terminal.expect("O played ");
        terminal.expect("The first position of 2 moves.");
        terminal.send("]");
        terminal.expect("move 1 of 2");
        terminal.send(if word == "[" { "\u{1b}" } else { "q" });
        terminal.expect("you X  vs  engine O (level 8)   move 3");
        terminal.send("q");
        is_given_back(terminal, 0);
    }
}

#[test]
fn a_game_that_is_played_on_from_its_replay_counts_once() {
    let mut terminal = at_the_board();
    terminal.send("a1\ra2\rb1\rb2\rc1\r");
    terminal.expect("Score   X 1   O 0   draws 0");
    terminal.send(":replay\r\u{1b}[F\u{1b}[Dx");
    terminal.expect("The game goes on after move 4. redo brings back 1 move.");
    assert!(!terminal.text().contains("Score"), "{}", terminal.text());
    terminal.send("c1\r");
    terminal.expect("Score   X 1   O 0   draws 0");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn the_menu_over_a_game_keeps_how_it_is_played() {
    let play = ["--game", "quoridor", "--size", "5", "--movetime", "300ms", "--depth", "2"];
    let mut terminal = crosspath(&[&play[..], &["--play-as", "random", "--nodes", "5000"]].concat());
    terminal.expect("move");
    terminal.send("\u{e}");
    terminal.expect("--movetime 300ms");
    let text = terminal.text().replace(" \\", "").split_whitespace().collect::<Vec<_>>().join(" ");
    for words in
        ["--play-as random", "--movetime 300ms", "--nodes 5000", "--depth 2", "◂ 300ms ▸", "◂ random ▸"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    terminal.send("\u{1b}q");
    is_given_back(terminal, 0);
}

#[test]
fn what_is_typed_stays_while_a_match_goes_on() {
    let mut terminal =
        crosspath(&["--mode", "4", "--game", "hex", "--size", "5", "--level", "1", "--seed", "1"]);
    terminal.send("++");
    terminal.expect("move 1 of 1");
    terminal.send(":wh");
    terminal.expect("move 4 of 4");
    terminal.send("ere\r");
    terminal.expect("┌─ where ─");
    terminal.send("\u{1b}:undo\r"); // what is refused changes nothing
    terminal.expect("This game is only shown.");
    terminal.expect("Game over:");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn while_the_machine_thinks_nothing_is_lost_by_looking_around() {
    let play = ["--game", "hex", "--size", "11", "--level", "4", "--movetime", "20s", "--no-swap"];
    let mut terminal = crosspath(&play);
    terminal.expect("Your move, Red.");
    terminal.send("f6\r");
    terminal.expect("f6 is played. Blue is thinking.");
    terminal.send(":resign\r");
    terminal.expect("It is the machine's turn.");
    terminal.send("[");
    terminal.expect("looking at move 0 of 1");
    terminal.send(":where\r");
    terminal.expect("No move yet. Red to move, move 1.");
    terminal.send("\u{1b}");
    terminal.expect("The first position of 1 move. [ and ] step, Esc returns.");
    terminal.expect("← → step  ");
    terminal.expect("Esc back");
    terminal.send("\u{1b}");
    terminal.expect("f6 is played. Blue is thinking.");
    assert!(!terminal.text().contains("looking"), "{}", terminal.text());
    terminal.send("\u{1b}");
    terminal.expect("Your move, Red.");
    // Advice is about the position on the screen: there is no stepping away from it.
    terminal.send("t");
    terminal.expect("Looking for advice.");
    terminal.send("[:where\r");
    terminal.expect("┌─ where ─");
    terminal.send("\u{1b}");
    terminal.expect("Looking for advice.");
    terminal.expect("move 3");
    terminal.send("\u{1b}");
    terminal.expect("Hint: ");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_game_that_follows_a_thought_waits_for_its_player() {
    for (thought, word, status) in [
        ("e2\r", ":new hex 5\r", "Your move, Red."),
        ("e2\r", "\u{e}\r", "Your move, White."),
        ("t", ":new hex 5\r", "Your move, Red."),
    ] {
        let mut terminal = crosspath(&["--game", "quoridor", "--level", "4", "--movetime", "20s"]);
        terminal.expect("Your move, White.");
        terminal.send(thought);
        terminal.expect("Esc ");
        terminal.send(word);
        terminal.expect("move 1");
        terminal.expect(status);
        let text = terminal.text();
        assert!(!text.contains("is thinking") && !text.contains("Looking for advice"), "{text}");
        terminal.send(":replay game.txt\r");
        terminal.expect("replay shows this game from its start. load FILE opens a game from a file.");
        terminal.send("q");
        is_given_back(terminal, 0);
    }
}

#[test]
fn a_game_that_follows_a_replay_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.txt");
    std::fs::write(&path, "# crosspath tic-tac-toe size=3\n1. a1 b2\n").unwrap();
    let load = format!(":load {}\r", path.to_str().unwrap());
    for (word, title) in [(":new\r", "move 1"), (":new quoridor\r", "move 1"), (load.as_str(), "move 3")] {
        let mut terminal = crosspath(&["examples/draw.txt", "--play-as", "first"]);
        terminal.expect("replay of draw.txt");
        terminal.send("\u{1b}[C");
        terminal.expect("Move 1 of 9");
        terminal.send(word);
        terminal.expect("you ");
        terminal.expect(title);
        assert!(!terminal.text().contains("replay of"), "{}", terminal.text());
        terminal.send("q");
        is_given_back(terminal, 0);
    }
}

#[test]
fn giving_up_is_asked_for_anew_after_anything_else() {
    let mut terminal = at_the_board();
    terminal.send("b2\rR");
    terminal.expect("Press R again to resign.");
    terminal.send("\u{1b}[<64;10;10M"); // the wheel
    terminal.expect("looking at move 0 of 1");
    terminal.send("R");
    terminal.expect("Press R again to resign.");
    assert!(terminal.text().contains("looking at"), "{}", terminal.text());
    for _ in 0..14 {
        terminal.send("\u{1b}[<35;10;10M"); // the mouse is moved
        terminal.read_for(Duration::from_millis(150));
    }
    terminal.send("R");
    terminal.expect("Press R again to resign.");
    assert!(!terminal.text().contains("Game over"), "{}", terminal.text());
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn plain_text_takes_over_in_a_small_window_and_gives_back() {
    let mut terminal = at_the_board();
    terminal.resize(30, 5);
    terminal.expect("This window is 30 × 5.");
    terminal.send("p");
    terminal.expect("x 1> ");
    assert!(!terminal.is_full_screen());
    terminal.resize(80, 24);
    terminal.send("b2\n");
    terminal.expect("o 2> ");
    terminal.send("tui\n");
    terminal.expect("O to move");
    assert!(terminal.is_full_screen());
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn no_background_is_ever_set_and_no_colour_where_none_is_wanted() {
    let colours = |raw: &str| -> Vec<String> {
        let codes =
            raw.split("\u{1b}[").skip(1).filter_map(|rest| rest.split_once('m').map(|(codes, _)| codes));
        codes
            .filter(|codes| codes.bytes().all(|b| b.is_ascii_digit() || b == b';'))
            .map(str::to_owned)
            .collect()
    };
    let play = |arguments: &[&str], no_colour: &str| {
        let mut terminal = Terminal::start(shell("exec \"$0\" \"$@\"", arguments).env("NO_COLOR", no_colour));
        terminal.expect("Your move");
        terminal.send("w?");
        terminal.expect("Keys:");
        colours(terminal.raw())
    };
    let arguments = ["--game", "quoridor", "--seed", "1", "--level", "1"];
    let codes = play(&arguments, "");
    let numbers = |codes: &[String]| -> Vec<u32> {
        codes.iter().flat_map(|codes| codes.split(';').map(|code| code.parse().unwrap_or(0))).collect()
    };
    let is_background = |code: &u32| (40..50).contains(code) || (100..108).contains(code);
    let is_colour = |code: &u32| (30..40).contains(code) || (90..98).contains(code);
    assert!(numbers(&codes).iter().any(is_colour), "{codes:?}");
    assert!(!numbers(&codes).iter().any(is_background), "{codes:?}");
    for arguments in [[&arguments[..], &["--color", "never"]].concat(), arguments.to_vec()] {
        let codes = play(&arguments, "1");
        assert!(!numbers(&codes).iter().any(|code| is_colour(code) || is_background(code)), "{codes:?}");
    }
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn a_question_does_not_start_the_thought_again() {
    let mut terminal = crosspath(&["--game", "quoridor", "--play-as", "second", "--movetime", "2s"]);
    terminal.expect("White is thinking.");
    let began = Instant::now();
    std::thread::sleep(Duration::from_millis(1200));
    terminal.send(":where\r");
    terminal.expect("White: pawn on e1");
    terminal.send("\x1b");
    terminal.expect("Your move, Black.");
    assert!(began.elapsed() < Duration::from_millis(3100), "it began again: {:?}", began.elapsed());
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_signal_right_after_the_start_gives_the_terminal_back_too() {
    for wait in 0..12 {
        let mut terminal = crosspath(&["--mode", "2"]);
        while !terminal.raw().contains("\x1b[?1049h") {
            terminal.read_for(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(wait * 100));
        terminal.signal(Signal::TERM);
        is_given_back(terminal, 143);
    }
}

#[test]
fn a_terminal_that_reads_nothing_keeps_no_program() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
        let mut terminal = at_the_board();
        make_deaf(&mut terminal);
        terminal.signal(signal);
        assert_eq!(terminal.end(), code);
    }
}

// The program takes half a second for this, and then ends whether it is done or not.
#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn a_terminal_that_reads_nothing_is_given_back_too() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)].repeat(4) {
        let mut terminal = at_the_board();
        make_deaf(&mut terminal);
        terminal.signal(signal);
        assert_eq!(terminal.end(), code);
        terminal.set_deaf(false);
        terminal.settle();
        terminal.is_as_before();
    }
}

/// The terminal reads nothing more, and the program is at a loss with its output.
fn make_deaf(terminal: &mut Terminal) {
    terminal.set_deaf(true);
    // Frame after frame until nothing more is taken.
    for _ in 0..40 {
        terminal.send(&"\u{c}".repeat(8));
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn sequences_that_break_off_and_floods_swallow_no_key() {
    for start in ["\x1b[<", "\x1b[200~", "\x1b[", "\x1b[M", "\x1bO"] {
        let mut terminal = at_the_board();
        terminal.send(start);
        terminal.settle();
        terminal.send("b2\r");
        terminal.expect("X played b2.");
        terminal.send(start);
        terminal.send("\x03");
        is_given_back(terminal, 130);
    }
    let mut terminal = at_the_board();
    terminal.send(&format!("{}b2\r", "\x1b[I".repeat(3000)));
    terminal.expect("X played b2.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn a_key_that_comes_with_a_change_of_size_is_taken_at_once() {
    let mut terminal = at_the_board();
    terminal.send(":");
    for (letter, width) in ('a'..='p').zip(81..) {
        terminal.settle();
        terminal.set_size(width, 24);
        terminal.send(&letter.to_string());
        terminal.expect(&"abcdefghijklmnop"[..=(letter as usize - 'a' as usize)]);
    }
}

#[test]
fn the_option_switches_the_mouse_off() {
    for (arguments, is_on) in [(&["--mode", "2"][..], true), (&["--mode", "2", "--mouse", "off"], false)] {
        let mut terminal = crosspath(arguments);
        terminal.expect("X to move.");
        assert_eq!(terminal.raw().contains("\x1b[?1000h"), is_on, "{arguments:?}");
    }
}

#[test]
fn a_cursor_that_was_hidden_comes_back() {
    let mut terminal = at_the_board();
    for (width, height) in [(5, 2), (1, 1), (80, 24)] {
        terminal.resize(width, height);
    }
    assert!(terminal.raw().rfind("\x1b[?25h") > terminal.raw().rfind("\x1b[?25l"), "shown in the end");
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn a_machine_is_not_charged_for_the_time_it_was_stopped() {
    let mut terminal = crosspath(&["--game", "quoridor", "--play-as", "second", "--movetime", "1500ms"]);
    terminal.expect("White is thinking.");
    terminal.read_for(Duration::from_millis(300));
    terminal.send("\x1a");
    terminal.wait_for_state('T');
    std::thread::sleep(Duration::from_secs(2));
    let began = Instant::now();
    terminal.signal(Signal::CONT);
    terminal.expect("Your move, Black.");
    assert!(began.elapsed() > Duration::from_millis(700), "it had time left: {:?}", began.elapsed());
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn the_terminal_is_given_back_from_wherever_the_program_is() {
    let states: [fn() -> Terminal; 6] = [
        || {
            let mut menu = crosspath(&[]);
            menu.expect("Same game from the shell");
            menu
        },
        || {
            let mut help = at_the_board();
            help.send("?");
            help.expect("Keys: At the board");
            help
        },
        || {
            let mut field = at_the_board();
            field.send(":where");
            field.expect("> where");
            field
        },
        || {
            let mut replay = at_the_board();
            replay.send("b2\r");
            replay.expect("X played b2.");
            replay.send(":replay\r");
            replay.expect("move 0 of 1");
            replay
        },
        || {
            let mut machines = crosspath(&["--mode", "4", "--size", "10"]);
            machines.expect("move ");
            machines
        },
        || {
            let mut small = at_the_board();
            small.resize(20, 4);
            small.expect("too small");
            small
        },
    ];
    for state in states {
        for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129)] {
            let terminal = state();
            assert!(terminal.is_full_screen());
            terminal.signal(signal);
            is_given_back(terminal, code);
        }
        let mut terminal = state();
        terminal.send("\x03");
        is_given_back(terminal, 130);
    }
}

#[test]
fn only_the_agreed_sixteen_colours_are_sent() {
    let mut terminal = crosspath(&["--game", "hex", "--size", "5", "--mode", "2"]);
    terminal.expect("Red to move.");
    terminal.send("c3\rb4\rppp?");
    terminal.expect("Keys: At the board");
    let codes: std::collections::BTreeSet<u16> = terminal
        .raw()
        .split("\x1b[")
        .skip(1)
        .filter_map(|rest| {
            rest.find(|c: char| !c.is_ascii_digit() && c != ';').map(|end| (&rest[..end], &rest[end..]))
        })
        .filter(|(_, last)| last.starts_with('m'))
        .flat_map(|(numbers, _)| numbers.split(';').map(|number| number.parse().unwrap_or(0)))
        .collect();
    let agreed = [0, 1, 2, 7, 32, 35, 36, 39, 91, 94, 95];
    assert!(codes.iter().all(|code| agreed.contains(code)), "{codes:?}");
    assert!(codes.contains(&91) && codes.contains(&94), "both sides have a colour: {codes:?}");
}

#[test]
fn the_full_screen_without_a_terminal_is_a_usage_error() {
    for arguments in [&["--tui"][..], &["--tui", "--plain"]] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_crosspath"))
            .args(arguments)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
    }
}

#[test]
fn a_replay_of_ones_own_game_goes_to_its_last_position_and_back_to_the_board() {
    let mut terminal = at_the_board();
    for cell in ["b2", "a1", "c3"] {
        terminal.send(&format!("{cell}\r"));
        terminal.expect(&format!("played {cell}."));
    }
    terminal.send(":replay\r");
    terminal.expect("replay, move 0 of 3");
    terminal.send("\x1b[C\x1b[C\x1b[C");
    terminal.expect("replay, move 3 of 3");
    terminal.send("\x1b[C");
    terminal.expect("This is the last position");
    terminal.send("\x1b[H");
    terminal.expect("replay, move 0 of 3");
    terminal.send("\x1b[F");
    terminal.expect("replay, move 3 of 3");
    terminal.send("q");
    terminal.expect("O to move.");
    terminal.send("a2\r");
    terminal.expect("O played a2.");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn after_the_end_nothing_that_is_typed_leaves_or_begins_another_game() {
    let mut terminal = at_the_board();
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        terminal.send(&format!("{cell}\r"));
        terminal.expect(if cell == "a3" { "Game over: X completed column a" } else { cell });
    }
    for (typed, answer) in [
        ("n", "I do not know \"n\"."),
        ("0", "0 is off the board."),
        ("3", "The game is over: X won on move 5."),
        ("c3", "The game is over: X won on move 5. new starts another, undo goes back."),
        (":qiut", "Did you mean quit?"),
        ("R", "The game is over."),
    ] {
        terminal.send(typed);
        if typed != "R" {
            terminal.send("\r");
        }
        terminal.expect(answer);
    }
    terminal.send("[");
    terminal.expect("looking at move 4 of 5");
    terminal.send("c3\r");
    terminal.expect("Back at the present position.");
    terminal.send("A");
    terminal.expect("move 1");
    terminal.send("q");
    is_given_back(terminal, 0);
}

#[test]
fn another_level_and_another_side_are_seen_at_once() {
    let mut terminal =
        crosspath(&["--game", "hex", "--size", "5", "--level", "1", "--no-swap", "--seed", "1"]);
    terminal.expect("you ● Red  vs  engine ○ Blue (level 1)");
    terminal.send("z3\r");
    terminal.expect("The machine now plays level 3.");
    terminal.expect("engine ○ Blue (level 3)");
    terminal.send("zc\r");
    terminal.expect("engine ○ Blue (classic)");
    terminal.send("z3\r");
    terminal.send(":side second\r");
    terminal.expect("engine ● Red (level 3)  vs  you ○ Blue");
    terminal.expect("Your move, Blue.");
    terminal.send("RR");
    terminal.expect("Red (●) won because Blue gave up.");
    terminal.send("N");
    terminal.expect("--level 3");
    terminal.expect("--play-as second");
    terminal.send("\x1bq");
    is_given_back(terminal, 0);
}

#[test]
fn two_machines_that_are_left_are_said_not_to_be_saved() {
    let mut terminal = crosspath(&["--mode", "4", "--game", "hex", "--size", "5", "--level", "1"]);
    terminal.expect("move 3");
    terminal.send("q");
    let left = is_given_back(terminal, 0).text();
    assert!(left.contains("Saved. crosspath --continue goes on from here."), "{left}");
}

/// The number of moves of the position that the title speaks about; nothing where it cannot be told.
fn plies_in_title(title: &str) -> Option<usize> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let number = |i: usize| words.get(i)?.trim_end_matches(',').parse::<usize>().ok();
    if let Some(i) = words.windows(2).rposition(|pair| pair[0] == "of" && pair[1].parse::<usize>().is_ok()) {
        return number(i.checked_sub(1)?); // move 3 of 7
    }
    if let Some(i) = words.iter().rposition(|word| word.trim_end_matches(',') == "moves" || *word == "move,")
    {
        return number(i.checked_sub(1)?); // 5 moves, over
    }
    let i = words.iter().rposition(|word| *word == "move")?;
    number(i + 1)?.checked_sub(1) // move 6, which is the next one
}

/// The text of the page over the board.
fn page_text(screen: &str, title: &str) -> String {
    let rows: Vec<Vec<char>> = screen.lines().map(|row| row.chars().collect()).collect();
    let head = screen.lines().position(|row| row.contains(&format!("┌─ {title} ─"))).unwrap();
    let row: String = rows[head].iter().collect();
    let left = row[..row.find(&format!("┌─ {title} ─")).unwrap()].chars().count();
    let inside = rows[head + 1..].iter().take_while(|row| row.get(left) == Some(&'│'));
    let texts = inside.map(|row| row[left + 1..].iter().take_while(|&&c| c != '│').collect::<String>());
    texts.map(|text| text.trim().to_owned()).collect::<Vec<_>>().join(" ")
}

/// What is pressed and typed on a random walk: nothing that leaves the program or writes a file.
const STEPS: &[&str] = &[
    "[",
    "]",
    "[[",
    "u",
    "U",
    "t",
    "v",
    "p",
    "F",
    "w",
    "\u{1b}",
    "\r",
    "\u{1b}[C",
    "\u{1b}[D",
    "\u{1b}[H",
    "\u{1b}[F",
    "\u{1b}[A",
    " ",
    "+",
    "x",
    "A",
    "RR",
    "N\u{1b}",
    "?\u{1b}",
    "s\u{1b}",
    ":undo\r",
    ":redo\r",
    ":undo 2\r",
    ":redo 2\r",
    ":goto 1\r",
    ":goto 2\r",
    ":goto end\r",
    ":replay\r",
    ":play\r",
    ":next\r",
    ":back 2\r",
    ":new\r",
    ":resign\r",
    ":hint\r",
    ":eval\r\u{1b}",
    ":moves\r\u{1b}",
    ":legal\r\u{1b}",
    ":side second\r",
    ":level 1\r",
    ":draw\r",
    "b2\r",
    "c3\r",
    "a1\r",
    "c2\r",
    "b1\r",
    "a3\r",
    "d2\r",
    "b2h\r",
];

/// Where the walks begin.
const STARTS: &[&[&str]] = &[
    &["--mode", "1", "--size", "4", "--level", "2"],
    &["--mode", "2", "--game", "hex", "--size", "4"],
    &["--mode", "1", "--game", "quoridor", "--size", "5", "--level", "1"],
    &["--mode", "3", "examples/draw.txt"],
    &["--mode", "4", "--game", "hex", "--size", "4", "--level", "1"],
];

/// Asks the word `where` and gives the screen with the answer. The answer to another word may be a page that lies above
/// the line for words; it is closed first.
fn ask_where(terminal: &mut Terminal) -> Option<String> {
    for _ in 0..3 {
        terminal.send(":where\r");
        terminal.settle();
        if terminal.text().contains("┌─ where ─") {
            return Some(terminal.text());
        }
        terminal.send("\u{1b}");
        terminal.settle();
    }
    None
}

/// Whatever is pressed and typed, the title and the word `where` speak of one position, and nothing ends the program or
/// makes it deaf. `CROSSPATH_WALKS` makes it walk more often.
#[test]
fn wherever_one_goes_the_screen_and_the_game_are_at_the_same_position() {
    use rand::RngExt;
    let walks = std::env::var("CROSSPATH_WALKS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let walks = (0..walks).flat_map(|walk| (0..).zip(STARTS).map(move |(start, words)| (walk, start, words)));
    let (mut asked, mut compared) = (0, 0);
    for (walk, start, arguments) in walks {
        let mut random = crosspath::random::stream(walk, start);
        let mut terminal = crosspath(&[arguments, &["--seed", "1"][..]].concat());
        let mut trace = Vec::new();
        for _ in 0..25 {
            asked += 1;
            let step = STEPS[random.random_range(0..STEPS.len())];
            trace.push(step);
            terminal.send(step);
            terminal.settle();
            let screen = ask_where(&mut terminal);
            let screen = screen.unwrap_or_else(|| panic!("{arguments:?} {trace:?}: {}", terminal.text()));
            let title = screen.lines().next().unwrap_or_default();
            let said = page_text(&screen, "where");
            let is_running = arguments[1] == "4" && !title.contains("stopped") && !title.contains("won");
            if let Some(plies) = plies_in_title(title).filter(|_| !is_running) {
                compared += 1;
                let next = said.split("to move, move ").nth(1).and_then(|rest| rest.split('.').next());
                match next.map(|next| next.parse::<usize>().unwrap()) {
                    Some(next) => assert_eq!(plies + 1, next, "{arguments:?} {trace:?}: {said}\n{screen}"),
                    None => assert!(said.contains("The game is over: "), "{trace:?}: {said}\n{screen}"),
                }
            }
            terminal.send("\u{1b}");
            terminal.settle();
            assert!(!terminal.text().contains("┌─ where ─"), "{arguments:?} {trace:?}: {}", terminal.text());
        }
    }
    assert!(compared * 2 > asked, "{compared} of {asked}");
}
