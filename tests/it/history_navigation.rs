//! Replays, matches between engines and earlier positions on a terminal: the position on screen,
//! and the position from which play continues.

use crate::pty::{assert_terminal_restored, at_the_board};
use crate::screen::{Terminal, crosspath};
use crate::sentences::{lasting, said};

#[test]
fn the_title_names_the_players_at_the_end_of_a_replay() {
    for file in ["examples/quoridor.txt", "examples/hex-short.txt", "examples/hex.txt"] {
        let mut terminal = crosspath(&["--mode", "3", file]);
        terminal.settle();
        terminal.send("\u{1b}[F");
        terminal.settle();
        let title = terminal.text().lines().next().unwrap_or_default().to_owned();
        assert!(title.contains("level ") || title.contains("level\u{2026}"), "{file}: {title}");
    }
}

#[test]
fn a_replay_stays_open_at_its_end_and_can_be_played_on() {
    let mut terminal = crosspath(&["examples/draw.txt", "--seed", "1"]);
    terminal.expect("move 0 of 9");
    terminal.send("\u{1b}[C\u{1b}[C");
    terminal.expect("Move 2 of 9: O a1.");
    terminal.send("+++ ");
    terminal.expect(said!("game-over-the-board", "9"));
    terminal.expect("Ann X vs O Ben");
    terminal.send("\u{1b}[5~\u{1b}[C\u{1b}[C\u{1b}[C\u{1b}[C");
    terminal.expect("Move 4 of 9");
    terminal.send("x");
    terminal.expect("Careful, X: a2 would win");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn a_match_between_engines_can_be_stopped_and_stepped_through() {
    let mut terminal = crosspath(&["--mode", "4", "--level", "3", "--seed", "1"]);
    terminal.expect("X played");
    terminal.send(" ");
    terminal.expect("Stopped.");
    terminal.send("\u{1b}[D");
    terminal.expect(said!("the-first-position-of-move", "1"));
    terminal.send("++ ");
    terminal.expect(said!("won-in-capitals"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn a_stopped_match_stays_stopped_until_it_is_resumed() {
    let mut terminal = crosspath(&["--mode", "4", "--level", "2", "--seed", "7"]);
    terminal.expect_moves(1);
    terminal.send(" ");
    terminal.expect(said!("stopped-move"));
    terminal.expect(said!("space-goes-on"));
    for (word, answer) in [
        (":undo", said!("this-game-is-only")),
        (":redo", said!("there-is-nothing-to-redo")),
        (":undo 2", said!("this-game-is-only-shown")),
        (":resign", said!("this-game-is-only-shown")),
        (":c3", said!("this-game-is-only-shown")),
        (":side first", said!("two-machines-play-the")),
        (":level", "Both engines play at level 2 (novice)."),
        (":level 1", "Both engines now play at level 1 (beginner)."),
    ] {
        terminal.send(&format!("{word}\r"));
        terminal.expect(answer);
        assert!(terminal.text().contains(said!("stopped-move")), "{word}: {}", terminal.text());
    }
    terminal.send("u");
    terminal.expect(said!("this-game-is-only-shown-x"));
    terminal.send("\u{1b}[H");
    terminal.expect(lasting(format!("{} ", said!("stopped-move-of-part", "0"))));
    terminal.send("\u{1b}[F");
    terminal.expect(said!("stopped-space-goes-on"));
    terminal.send(":help\r");
    terminal.expect("─ help ─");
    terminal.send("\u{1b}");
    terminal.expect(said!("stopped-space-goes-on"));
    assert!(terminal.text().contains(said!("stopped-move")), "{}", terminal.text());
    terminal.send("++ ");
    terminal.expect(said!("won-in-capitals"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn a_person_can_take_over_a_match_between_engines_at_any_position() {
    let mut terminal = crosspath(&["--mode", "4", "--size", "5", "--level", "2", "--seed", "7"]);
    terminal.send("++");
    terminal.expect_moves(3);
    terminal.send(" \u{1b}[H\u{1b}[C");
    terminal.expect(lasting(format!("{} ", said!("stopped-move-of-part", "1"))));
    terminal.send("x");
    terminal.expect(said!("playing-on-from-returns", "move 1", "U"));
    terminal.expect("move 2: O");
    terminal.expect("vs   O You");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn resigning_at_an_earlier_position_ends_the_game_at_its_last_move() {
    let mut terminal = at_the_board();
    for cell in ["a1", "b2", "b1", "c3", "a3"] {
        terminal.send(&format!("{cell}\r"));
        terminal.expect(&format!(" {cell}"));
    }
    terminal.send("[[");
    terminal.expect(said!("looking-at-move-of-part", "3", "5"));
    terminal.send("Ry");
    terminal.expect(said!("over-after-moves", 5));
    terminal.send(":play\r");
    terminal.expect(said!("the-game-is-over-here-2"));
    assert!(terminal.text().contains(said!("over-after-moves", 5)), "{}", terminal.text());
    terminal.send(":back\r");
    terminal.expect(said!("looking-at-move-of-part", "4", "5"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn commands_that_leave_a_replay_report_what_they_did() {
    let mut terminal = at_the_board();
    terminal.send("a1\rb2\rb1\r:undo 99\r");
    terminal.expect(said!("only-can-be-undone", "3 moves"));
    terminal.send(":replay\r:goto 2\r:undo\r");
    terminal.expect(said!("took-back-to-move-move", "b1", "X", "3"));
    terminal.send("U:replay\r\u{1b}[Cx");
    terminal.expect(said!("playing-on-from-returns", "move 1", "U"));
    terminal.send("U");
    terminal.expect(said!("played-again", "b2"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn moves_after_the_end_of_the_game_in_a_file_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("surplus.txt");
    std::fs::write(&path, "# crosspath tic-tac-toe size=3\n1. a1 b2 2. b1 c3 3. c1 c2\n").unwrap();
    // The replay runs by itself or is stepped through. After its last position mode 1 starts.
    for keys in [["+ ", "move 5 of 5", ""], ["\u{1b}[F", "move 5 of 5", "\u{1b}[C"]] {
        let mut terminal = crosspath(&["--mode", "3", path.to_str().unwrap(), "--play-as", "first"]);
        terminal.expect("move 0 of 5");
        terminal.send(keys[0]);
        terminal.expect(keys[1]);
        terminal.send(keys[2]);
        terminal.expect("You X");
        terminal.settle();
        assert!(terminal.is_full_screen());
        // The path may be long, so the message may be wrapped anywhere.
        let words = terminal.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(said!("comes-after-the-end")), "{words}");
        terminal.send("q");
        assert_terminal_restored(terminal, 0);
    }
}

#[test]
fn line_mode_continues_a_replay_at_the_same_position() {
    let mut terminal = crosspath(&["examples/hex.txt"]);
    terminal.expect("move 0 of ");
    terminal.send("\u{1b}[C\u{1b}[C\u{1b}[C");
    terminal.expect("Move 3 of ");
    // A narrow but tall window keeps the text from scrolling away.
    terminal.resize(28, 60);
    terminal.expect(said!("is-too-small", "28", "60"));
    terminal.send("p");
    terminal.expect(lasting(format!("{} ", said!("looking-at-move-of", "3"))));
    terminal.resize(80, 24);
    for (word, answer) in [
        ("where", "Red: i2 f7."),
        ("next", lasting(format!("{} ", said!("looking-at-move-of", "4")))),
        ("zz", said!("is-not-a-move-part", "zz")),
    ] {
        terminal.send(&format!("{word}\r"));
        terminal.expect(answer);
    }
    terminal.send("tui\r");
    terminal.expect("Move 4 of ");
    assert!(terminal.is_full_screen());
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn the_full_screen_returns_to_a_running_match_after_a_resize() {
    let mut terminal =
        crosspath(&["--mode", "4", "--game", "quoridor", "--size", "5", "--level", "2", "--seed", "3"]);
    terminal.expect_moves(1);
    terminal.set_size(30, 5);
    terminal.expect(said!("p-go-on-in"));
    terminal.send("p");
    terminal.expect("\n>");
    terminal.set_size(100, 32);
    terminal.send("tui\r");
    terminal.expect("move ");
    assert!(terminal.is_full_screen());
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn the_last_position_of_a_file_says_how_the_game_ended() {
    let mut terminal = crosspath(&["examples/hex.txt"]);
    terminal.expect(said!("the-first-position-of-moves", "51"));
    terminal.send("\u{1b}[F");
    terminal.expect(said!("game-over-joined-top", "Red", "51"));
    terminal.send("[");
    terminal.expect("Move 50 of 51: Blue");
    terminal.send("]");
    terminal.expect(said!("game-over-joined-top", "Red", "51"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn line_mode_waits_between_the_moves_of_a_stopped_match() {
    let mut terminal = crosspath(&["--mode", "4", "--level", "2", "--seed", "7"]);
    terminal.expect_moves(1);
    terminal.send(" ");
    terminal.expect(said!("stopped-move"));
    terminal.send("\u{1b}[H");
    terminal.expect(said!("stopped-move-of", "0", "1"));
    terminal.resize(20, 24);
    terminal.expect("Needed: 35");
    terminal.send("p");
    terminal.expect(said!("enter-plays-the-next"));
    terminal.expect(said!("looking-at-move-of-2", "0", "1"));
    terminal.expect("\n>");
    terminal.resize(80, 24);
    terminal.send("\r");
    terminal.expect(said!("present-position"));
    terminal.send("board\r\r");
    terminal.expect("2. O ");
    terminal.send("tui\r");
    terminal.expect(said!("stopped-move"));
    terminal.send(" ++++");
    terminal.expect(said!("won-in-capitals"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn an_earlier_position_stays_on_screen_while_the_engine_moves() {
    for (word, title) in
        [("[", said!("looking-at-move-of-part", "0", "2")), (":replay\r", said!("replay-move-of", 0, 2))]
    {
        let mut terminal =
            crosspath(&["--size", "9", "--win-length", "5", "--level", "8", "--movetime", "700ms"]);
        terminal.expect(said!("your-move", "X"));
        terminal.send(&format!("e5\r{word}")); // pending input is handled before the search starts
        terminal.expect(title);
        terminal.settle();
        terminal.expect("O played ");
        terminal.expect(said!("the-first-position-of-moves", "2"));
        terminal.send("]");
        terminal.expect("move 1 of 2");
        terminal.send(if word == "[" { "\u{1b}" } else { "q" });
        terminal.expect("move 3: X   You X vs O Level 8");
        terminal.send("q");
        assert_terminal_restored(terminal, 0);
    }
}

#[test]
fn a_game_continued_from_its_replay_counts_once_in_the_score() {
    let mut terminal = at_the_board();
    terminal.send("a1\ra2\rb1\rb2\rc1\r");
    terminal.expect(said!("score-line", "X", 1, "O", 0, 0));
    terminal.send(":replay\r\u{1b}[F\u{1b}[Dx");
    terminal.expect(said!("playing-on-from-returns", "move 4", "U"));
    assert!(!terminal.text().contains("Score"), "{}", terminal.text());
    terminal.send("c1\r");
    terminal.expect(said!("score-line", "X", 1, "O", 0, 0));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn looking_at_earlier_positions_does_not_disturb_a_search() {
    let play = ["--game", "hex", "--size", "11", "--level", "8", "--movetime", "20s", "--no-swap"];
    let mut terminal = crosspath(&play);
    terminal.expect(said!("your-move", "Red"));
    terminal.send("f6\r");
    terminal.expect(said!("is-played-is-thinking-2", "f6", "Blue"));
    terminal.send(":resign\r");
    terminal.expect(said!("it-is-the-machines"));
    terminal.send("[");
    terminal.expect(said!("looking-at-move-of-part", "0", "1"));
    terminal.send(":where\r");
    terminal.expect(said!("no-move-yet-to", "Red", "1"));
    terminal.send("\u{1b}");
    terminal.expect(said!("the-first-position-of-move-and", "1"));
    terminal.expect("← → step  ");
    terminal.expect("Esc back");
    terminal.send("\u{1b}");
    terminal.expect(said!("is-played-is-thinking-2", "f6", "Blue"));
    assert!(!terminal.text().contains(said!("looking-at")), "{}", terminal.text());
    terminal.send("\u{1b}");
    terminal.expect(said!("your-move", "Red"));
    // A hint is about the position on screen, so stepping away is not possible.
    terminal.send("t");
    terminal.expect(said!("looking-for-advice-2"));
    terminal.send("[:where\r");
    terminal.expect("┌─ where ─");
    terminal.send("\u{1b}");
    terminal.expect(said!("looking-for-advice-2"));
    terminal.expect("move 3");
    terminal.send("\u{1b}");
    terminal.expect("Hint: ");
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn a_new_game_started_during_a_search_waits_for_the_player() {
    for (thought, word, status) in [
        ("e2\r", ":new hex 5\r", said!("your-move", "Red")),
        ("e2\r", "\u{e}\r", said!("your-move", "White")),
        ("t", ":new hex 5\r", said!("your-move", "Red")),
    ] {
        let mut terminal = crosspath(&["--game", "quoridor", "--level", "4", "--movetime", "20s"]);
        terminal.expect(said!("your-move", "White"));
        terminal.send(thought);
        terminal.expect("Esc ");
        terminal.send(word);
        terminal.expect("move 1");
        terminal.expect(status);
        terminal.settle();
        let text = terminal.text();
        assert!(
            !text.contains(said!("is-thinking")) && !text.contains(said!("looking-for-advice")),
            "{text}"
        );
        terminal.send(":replay game.txt\r");
        terminal.expect(said!("replay-shows-this-game"));
        terminal.send("q");
        assert_terminal_restored(terminal, 0);
    }
}

#[test]
fn a_game_started_from_a_replay_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.txt");
    std::fs::write(&path, "# crosspath tic-tac-toe size=3\n1. a1 b2\n").unwrap();
    let load = format!(":load {}\r", path.to_str().unwrap());
    for (word, title) in [(":new\r", "move 1"), (":new quoridor\r", "move 1"), (load.as_str(), "move 3")] {
        let mut terminal = crosspath(&["examples/draw.txt", "--play-as", "first"]);
        terminal.expect(said!("replay-of", "draw.txt"));
        terminal.send("\u{1b}[C");
        terminal.expect("Move 1 of 9");
        terminal.send(word);
        terminal.expect("You ");
        terminal.expect(title);
        assert!(!terminal.text().contains(said!("replay-of-part")), "{}", terminal.text());
        terminal.send("q");
        assert_terminal_restored(terminal, 0);
    }
}

#[test]
fn a_replay_of_your_own_game_returns_to_the_board() {
    let mut terminal = at_the_board();
    for cell in ["b2", "a1", "c3"] {
        terminal.send(&format!("{cell}\r"));
        terminal.expect(&format!("played {cell}."));
    }
    terminal.send(":replay\r");
    terminal.expect(said!("replay-move-of", 0, 3));
    terminal.send("\x1b[C\x1b[C\x1b[C");
    terminal.expect(said!("replay-move-of", 3, 3));
    terminal.send("\x1b[C");
    terminal.expect(said!("this-is-the-last"));
    terminal.send("\x1b[H");
    terminal.expect(said!("replay-move-of", 0, 3));
    terminal.send("\x1b[F");
    terminal.expect(said!("replay-move-of", 3, 3));
    terminal.send("q");
    terminal.expect(said!("to-move-2", "O"));
    terminal.send("a2\r");
    terminal.expect(said!("played", "O", "a2"));
    terminal.send("q");
    assert_terminal_restored(terminal, 0);
}

#[test]
fn leaving_a_match_between_engines_reports_it_as_saved() {
    let mut terminal = crosspath(&["--mode", "4", "--game", "hex", "--size", "5", "--level", "1"]);
    terminal.expect("move 3");
    terminal.send("q");
    let output = assert_terminal_restored(terminal, 0).text();
    assert!(output.contains(said!("saved-crosspath-continue-goes")), "{output}");
}

/// Returns the number of moves that the title gives for the position, or `None` if it gives none.
fn plies_in_title(title: &str) -> Option<usize> {
    let words: Vec<&str> = title.split_whitespace().collect();
    let number = |i: usize| words.get(i)?.trim_end_matches([',', ':']).parse::<usize>().ok();
    if let Some(i) = words.windows(2).rposition(|pair| pair[0] == "of" && pair[1].parse::<usize>().is_ok()) {
        return number(i.checked_sub(1)?); // "move 3 of 7"
    }
    if let Some(i) = words.iter().rposition(|word| word.trim_end_matches(',') == "moves" || *word == "move,")
    {
        return number(i.checked_sub(1)?); // "over after 5 moves"
    }
    let i = words.iter().rposition(|word| *word == "move")?;
    number(i + 1)?.checked_sub(1) // "move 6" is the next move
}

/// Returns the text of the page over the board.
fn page_text(screen: &str, title: &str) -> String {
    let rows: Vec<Vec<char>> = screen.lines().map(|row| row.chars().collect()).collect();
    let head = screen.lines().position(|row| row.contains(&format!("┌─ {title} ─"))).unwrap();
    let row: String = rows[head].iter().collect();
    let left = row[..row.find(&format!("┌─ {title} ─")).unwrap()].chars().count();
    let inside = rows[head + 1..].iter().take_while(|row| row.get(left) == Some(&'│'));
    let texts = inside.map(|row| row[left + 1..].iter().take_while(|&&c| c != '│').collect::<String>());
    texts.map(|text| text.trim().to_owned()).collect::<Vec<_>>().join(" ")
}

/// Keys and lines of the random walks. None of them leaves the program or writes a file.
const WALK_INPUTS: &[&str] = &[
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
    "Ry",
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

/// Command lines with which the walks start.
const WALK_STARTS: &[&[&str]] = &[
    &["--mode", "1", "--size", "4", "--level", "2"],
    &["--mode", "2", "--game", "hex", "--size", "4"],
    &["--mode", "1", "--game", "quoridor", "--size", "5", "--level", "1"],
    &["--mode", "3", "examples/draw.txt"],
    &["--mode", "4", "--game", "hex", "--size", "4", "--level", "1"],
];

/// Types `where` and returns the screen with the answer. The answer to an earlier command may cover
/// the input line with a page, which is closed first.
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

/// After any keys and lines, the title and `where` describe the same position, and the program
/// still responds. `CROSSPATH_WALKS` sets the number of walks.
#[test]
fn the_title_and_where_always_describe_the_same_position() {
    use rand::RngExt;
    let walks = std::env::var("CROSSPATH_WALKS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let walks =
        (0..walks).flat_map(|walk| (0..).zip(WALK_STARTS).map(move |(start, words)| (walk, start, words)));
    let (mut total, mut compared) = (0, 0);
    for (walk, start, arguments) in walks {
        let mut random = crosspath::random::random_stream(walk, start);
        let mut terminal = crosspath(&[arguments, &["--seed", "1"][..]].concat());
        let mut trace = Vec::new();
        for _ in 0..25 {
            total += 1;
            let step = WALK_INPUTS[random.random_range(0..WALK_INPUTS.len())];
            trace.push(step);
            terminal.send(step);
            terminal.settle();
            let screen = ask_where(&mut terminal);
            let screen = screen.unwrap_or_else(|| panic!("{arguments:?} {trace:?}: {}", terminal.text()));
            let title = screen.lines().next().unwrap_or_default();
            let answer = page_text(&screen, "where");
            let is_running = arguments[1] == "4" && !title.contains("stopped") && !title.contains("won");
            if let Some(plies) = plies_in_title(title).filter(|_| !is_running) {
                compared += 1;
                let next = answer
                    .split(lasting(format!("{} ", said!("to-move-move-2"))))
                    .nth(1)
                    .and_then(|rest| rest.split('.').next());
                match next.map(|next| next.parse::<usize>().unwrap()) {
                    Some(next) => assert_eq!(plies + 1, next, "{arguments:?} {trace:?}: {answer}\n{screen}"),
                    None => assert!(!answer.contains(said!("to-move-part")), "{trace:?}: {answer}\n{screen}"),
                }
            }
            terminal.send("\u{1b}");
            terminal.settle();
            assert!(!terminal.text().contains("┌─ where ─"), "{arguments:?} {trace:?}: {}", terminal.text());
        }
    }
    assert!(compared * 3 > total * 2, "{compared} of {total}");
}

#[cfg_attr(not(feature = "nets"), ignore = "the program carries no network")]
#[test]
fn analysis_in_a_replay_follows_the_position_on_screen() {
    let mut terminal = crosspath(&["examples/hex.txt"]);
    terminal.expect(said!("the-first-position-of-part"));
    let shows_value = |terminal: &crate::screen::Terminal| terminal.text().contains("│ value  ");
    terminal.settle();
    assert!(!shows_value(&terminal), "{}", terminal.text());
    terminal.send("v");
    terminal.expect(said!("the-machine-thinks-about-every"));
    terminal.send("\u{1b}[C");
    terminal.expect("│ value  Blue");
    terminal.expect("│ 1. ");
    terminal.send("\u{1b}[C");
    terminal.expect("│ value  Red");
    terminal.settle();
    assert!(terminal.text().contains("Move 2 of"), "nothing is said about it: {}", terminal.text());
    terminal.send("v");
    terminal.expect(said!("the-machine-thinks-no-more-2"));
    terminal.send("\u{1b}[C");
    terminal.expect("Move 3 of");
    terminal.settle();
    assert!(!shows_value(&terminal), "{}", terminal.text());
    terminal.send("q");
    assert_eq!(terminal.end(), 0);
}
