//! What the full screen says about itself: its status line, its title, its pages.

use std::time::Duration;

use crate::canvas::Glyphs;
use crate::game::{BySide, Side};
use crate::session::Position;

/// What can be done when a game is over, from long to short.
pub const AFTER_THE_END: [&str; 2] =
    ["N = new game, A = again, a = review, s = save", "N new, A again, a review"];

/// The same at the end of a replay.
pub const AFTER_A_RECORD: [&str; 2] = ["o = open another file, q = leave", "o another file, q leave"];
/// The same after a game between two machines.
pub const AFTER_A_WATCHED_END: [&str; 2] = ["N = new game, s = save", "N new, s save"];

/// In the field behind a word that needs more: what is to be typed.
pub fn wanted_behind(field: &str) -> Option<&'static str> {
    match field {
        "save " => Some("(a name for the file, then Enter)"),
        "load " | "replay " => Some("(the name of a file, then Enter)"),
        "level " => Some("(a number or classic, then Enter)"),
        _ => None,
    }
}

/// Said when a move is tried at a game that is over.
pub const IS_OVER: &str = "The game is over. N new game, A again, a review, u undo, s save.";
/// Said when another game is asked for while one goes on.
pub const GOES_ON: &str = "The game goes on. R resigns, Ctrl-N starts another one.";
/// Said when a move is tried while a level of ours thinks.
const IS_THINKING: &str = "The engine is thinking. Esc plays its best move so far.";
/// The same where another program thinks.
const PROGRAM_IS_THINKING: &str = "The program is thinking. Esc cannot hurry it; :level N replaces it.";
/// Said when something is tried while the machine thinks and an earlier position is shown.
pub const IS_THINKING_MEANWHILE: &str = "The engine is thinking. Esc shows the present position.";
/// Said when something is tried that waits for two machines.
pub const MACHINES_PLAY: &str = "Two machines play. Space stops them after the next move.";
/// Said when two machines are stopped while one of them thinks.
pub const STOPS_SOON: &str = "They stop after this move. Space goes on.";
/// Said to a key of the board where a game is only shown.
pub const IS_SHOWN: &str = "This game is only shown. x plays on from the position that you see.";
/// In the help, where `h j k l` move the cursor.
pub const VI_KEYS: [&str; 3] = [
    "h j k l\tas the arrows",
    "y n Y\tup and right, down and left; Y turns the board",
    ":\tthen a move, then Enter",
];
/// In the help, where a cell can be typed by its number.
pub fn numbers(numbers: &str) -> String {
    format!("1-9\tthe number of a cell, row by row ({numbers}), then Enter")
}
/// In the help, where a digit plays a cell of a board of nine.
pub const DIGITS: &str = "1-9\ton a board of nine cells: play there, as on a number pad";
/// Said in the menu where no game was left.
pub const NOTHING_LEFT: &str = "There is no game to go on with. Enter starts one.";
/// Said when a key of the board is pressed at another position than the present one.
pub const IS_LOOKED_AT: &str = "This is not the present position. Esc returns to it; x plays on from here.";
/// Said where some columns have letters that are keys; a cell of such a column.
pub fn colon_first(cell: &str) -> String {
    format!("For columns o-z begin with a colon, as\u{a0}:{cell}.")
}
/// The same where letters are keys of vi.
pub fn colon_before_all(cell: &str) -> String {
    format!("Begin with a colon, as\u{a0}:{cell}.")
}
/// Said while the machine looks for advice.
pub const LOOKING_FOR_ADVICE: &str = "Looking for advice. Esc takes the best so far.";
/// Said at the first press of the key for giving up.
pub const RESIGNING: &str = "Press R again to resign.";
/// Said when the cursor is about to take the first move over.
pub const TAKING_OVER: &str = "Press Enter, or click, again to take this move over (swap).";
/// Said where the key for taking the first move over means nothing.
pub const NO_SWAP: &str = "There is no swap in this game.";
/// Said where the key for walls means nothing.
pub const NO_WALLS: &str = "There is nothing to place between the cells of this board.";
/// Said where the key for turning the board means nothing.
pub const NO_TURN: &str = "This board has no other side to view from.";
/// Said where the key for paths means nothing.
pub const NO_OVERLAYS: &str = "This game has nothing to show on its board.";
/// Said when nothing lies over the board any more.
pub const BOARD_ALONE: &str = "The board alone.";
/// Said to somebody who is there already.
pub const IS_FULL_SCREEN: &str = "This is the full screen. The option --plain begins in lines.";
/// Said when plain text takes over.
pub const IN_PLAIN: &str = "The word tui comes back to the full screen.";
/// The same between two machines.
pub const MATCH_IN_PLAIN: &str = "Enter plays the next move. The word tui comes back to the full screen.";
/// Said where a file cannot be shown.
pub const NOTHING_LOST: &str = "Nothing is lost: Esc goes back.";
/// Said of a line that is longer than any that means something.
pub const TOO_LONG_A_LINE: &str = "That line is longer than 200 characters; it was dropped.";
/// Said where keys come faster than they can be handled.
pub const TOO_MUCH_TYPED: &str = "Too much was typed at once; the rest of it was dropped.";
/// Said in the start menu to anything but the few words that it knows.
pub const WORDS_OF_THE_MENU: &str = "Words here: new GAME SIZE, replay FILE, level N, help, quit.";

/// While walls are placed: what the keys do.
pub const WALL_MODE: &str = "Enter = build, r = rotate, Esc = back to the pawn";
/// The badge of that: a wall, and how it lies.
pub fn wall_badge(is_across: bool, glyphs: Glyphs) -> String {
    let [across, upright] = if glyphs == Glyphs::Unicode { ['─', '│'] } else { ['-', '|'] };
    format!(" wall {} ", if is_across { across } else { upright })
}
/// Below a board whose cells have numbers.
pub fn by_number(numbers: &str) -> String {
    format!("or by number: {numbers}")
}
/// The heading of the panel of the machine.
pub const ENGINE: &str = "Engine";
/// The same over what it thought before the move that it has played.
pub const ENGINE_BEFORE: &str = "Engine's own move";
/// The heading of the same panel where the value of every cell is known.
pub const VALUES: &str = "Value of every cell";
/// The heading of the moves where the first ones have no room.
pub fn moves_from(number: usize) -> String {
    format!("Moves from {number}")
}
/// The heading of the moves of an opening that has a name.
pub fn moves_of_opening(name: &str) -> String {
    format!("Moves: {name} opening")
}
/// What the numbers of the best moves mean.
pub const NUMBERS: &str = "1-3 best";
/// What the marks on the board mean, of those that it can have.
pub fn marks([has_cursor, has_hint, has_numbers]: [bool; 3]) -> Vec<&'static str> {
    let marks = [("() last", true), ("[] cursor", has_cursor), ("<> hint", has_hint), (NUMBERS, has_numbers)];
    marks.into_iter().filter(|(_, is_there)| *is_there).map(|(mark, _)| mark).collect()
}
/// In the engine's panel, while the machine thinks about a position of a replay.
pub const STUDYING: &str = "The machine is thinking.";
/// In the engine's panel, before a machine has thought about the position.
pub const NOTHING_KNOWN: &str = "v asks the machine";
/// In the engine's panel, at the end of a game.
pub const PANEL_AT_THE_END: &str = "The game is over.";
/// In that panel, where it is so.
pub const EVERY_MOVE_LOSES: &str = "Every move loses";
/// In the engine's panel, beside a move that needed no search.
pub const NO_SEARCH: &str = "no search was needed";
/// The same where the move stands in a book of openings.
pub const FROM_BOOK: &str = "from the book";
/// In the engine's panel, beside a move of another program.
pub fn no_word(name: &str) -> String {
    format!("{name} does not say what it thinks")
}

/// What a position is worth where the machine counts in no unit that people know; `score` is that of the first side named.
pub fn looks_better(name: &str, other: &str, score: i32) -> String {
    match score {
        0 => "about even".to_owned(),
        1.. => format!("{name} looks better"),
        _ => format!("{other} looks better"),
    }
}

/// The heading of the curve of a review, from long to short; how many moves a bar stands for, and whether it is a digit.
pub fn chances_of(name: &str, plies: usize, is_digit: bool) -> [String; 3] {
    let [bar, scale] = if is_digit { ["digit", "in tens"] } else { ["bar", "full bar 100"] };
    let column = if plies == 1 { scale.to_owned() } else { format!("{} a {bar}", super::moves(plies)) };
    let scale = match (plies, is_digit) {
        (1, true) => "tens".to_owned(),
        (1, false) => "0-100".to_owned(),
        _ => format!("{plies} a {bar}"),
    };
    [format!("win % of {name}, {column}"), format!("win % of {name}, {scale}"), format!("win % of {name}")]
}
/// Below the curve, at the move that is shown, from long to short; the sign of a move without a chance.
pub fn chance_at(ply: usize, chance: Option<f64>, unknown: char) -> [String; 2] {
    let told = chance.map(|chance| format!("{:.0} %", 100.0 * chance));
    if ply == 0 {
        // No bar stands for it.
        let told = told.unwrap_or_else(|| "not known".to_owned());
        return [format!("at the start: {told}"), format!("start: {told}")];
    }
    let short = format!("{ply}: {}", told.unwrap_or_else(|| format!("{unknown} not known")));
    [format!("move {short}"), short]
}
/// Behind a move with a mark: what would have been better.
pub fn marked(step: &str, mark: &str, better: &str) -> String {
    format!("{} {mark}, {better}.", step.trim_end_matches('.'))
}
/// In the panel of a review, before the move that turned the game.
pub const TURNING_POINT: &str = "Turning point:";
/// The same where that leaves no room for the number of the move.
pub const TURNED_BY: &str = "Turned by";
/// In the panel of a review, where no move turned the game.
pub const NO_TURNING_POINT: &str = "No turning point.";
/// In the panel of a review: the key that goes there.
pub const J_GOES_THERE: &str = "j goes there";
/// The same where the game is not judged to its end.
pub fn judged_in_part(judged: usize, all: usize) -> [String; 2] {
    let (judged, all) = (judged.saturating_sub(1), all.saturating_sub(1));
    [format!("{judged} of {all} moves judged"), "a goes on".to_owned()]
}
/// Said to that key before there is a review.
pub const NOT_REVIEWED: &str = "Nothing is reviewed yet. a judges every move.";
/// To who asks for the turning point before the review has come to the end.
pub fn still_reviewed(judged: usize, all: usize) -> String {
    let (judged, all) = (judged.saturating_sub(1), all.saturating_sub(1));
    format!("The review is at move {judged} of {all}. Wait for its end, or stop it by a.")
}
/// Said when a review begins.
pub fn judges(hides_engine: bool) -> &'static str {
    if hides_engine {
        "The machine judges every move; the curve takes its panel's place. Esc stops it."
    } else {
        "The machine judges every move. Esc stops it."
    }
}
/// How far a review has come, by the positions that are judged; that before the first move is none of a move.
pub fn reviewing(done: usize, all: usize) -> String {
    format!("Reviewing, move {} of {}", done.saturating_sub(1), all.saturating_sub(1))
}

/// Said where the engine's panel has no room: so many columns would do, if the window has fewer.
pub fn no_panel(columns: Option<u16>, has_numbers: bool) -> String {
    let needs = columns.map_or_else(|| "more rows".to_owned(), |columns| format!("{columns} columns"));
    if has_numbers {
        format!("1 2 3 mark the best moves. The panel needs {needs}.")
    } else {
        format!("The panel needs {needs}. Type :eval for the same in words.")
    }
}
/// Said there where the game is over.
pub const NO_THOUGHT_NOW: &str = "The game is over: nothing to think about here.";
/// Said where an overlay is asked for and the game is over.
pub const NO_OVERLAYS_NOW: &str = "The game is over: nothing more to show on its board.";
/// The same where the game goes on.
pub fn no_overlays_yet(titles: &[String]) -> String {
    let names = titles.iter().map(|title| title.split(':').next().unwrap_or(title));
    format!("There are none in this position: {}.", names.collect::<Vec<_>>().join(", "))
}
/// In a page that shows only lines with some text, where there are none.
pub const NO_SUCH_LINE: &str = "No matches. Esc clears the filter.";

/// The last part of the help.
pub const HELP_ON_MARKS: [&str; 5] = [
    "",
    "( ) last move   [ ] cursor   < > hint   1 2 3 best moves",
    "",
    "Line mode has the same words: crosspath --plain. save FILE keeps a game, load FILE goes on with it, --mode 3 FILE replays it.",
    "The mouse plays by a click, the wheel looks back; hold Shift to select text, or switch the mouse off with the word mouse.",
];

/// The boards that a game has: `1x1 to 26x26`.
pub fn sizes(sizes: &[usize]) -> String {
    let board = |size: Option<&usize>| size.map_or_else(String::new, |size| format!("{size}x{size}"));
    format!("{} to {}", board(sizes.first()), board(sizes.last()))
}

/// What the key for the board's signs shows, in the key bar: `pairs` where that is all there is.
pub fn signs(titles: &[String]) -> &'static str {
    let are_pairs = titles.iter().all(|title| subject(title).ends_with("pairs"));
    if are_pairs { "pairs" } else { "signs" }
}

/// What a title is about.
fn subject(title: &str) -> &str {
    title.split_once(':').map_or(title, |(subject, _)| subject)
}

/// What lies over the board now.
pub fn overlay(title: &str) -> String {
    format!("{title}. p shows the next one.")
}

/// Whether the panel of the machine is there.
pub fn panel(is_there: bool) -> &'static str {
    if is_there {
        "Beside the board: what is known about the position. v hides it."
    } else {
        "The panel is hidden. v brings it back."
    }
}

/// Whether the machine thinks about every position that is shown.
pub fn studies(is_on: bool, hides_curve: bool) -> &'static str {
    match (is_on, hides_curve) {
        (true, false) => "The machine thinks about every position that is shown. v stops it.",
        (true, true) => "The machine thinks about every position shown, in place of the curve. v stops it.",
        (false, false) => "The machine thinks no more. v lets it think about every position.",
        (false, true) => {
            "The machine thinks no more: the curve is back. v lets it think about every position."
        }
    }
}

/// How the board lies.
pub fn turned(is_turned: bool) -> &'static str {
    if is_turned { "The board is turned. y turns it back." } else { "The board is turned back." }
}

/// Why a theme is not seen as it is: no colours are wanted.
pub const NO_COLOURS: &str = "without colours";
/// The same: the terminal does not say that it shows all colours.
pub const OWN_COLOURS: &str = "in the terminal's own colours (COLORTERM=truecolor tells of more)";

/// A theme, and what it comes to on this terminal where it depends on that: `auto (dark)`.
pub fn theme_with_ground(name: &str, found: Option<&str>) -> String {
    found.map_or_else(|| name.to_owned(), |found| format!("{name} ({found})"))
}

/// The theme that was chosen, and why it is not seen as it is.
pub fn theme(name: &str, why: Option<&str>) -> String {
    let how = why.map(|why| format!(", {why}")).unwrap_or_default();
    format!("Theme: {name}{how}. T changes it.")
}

/// Whether the mouse is used.
pub fn mouse(is_on: bool) -> String {
    let how = if is_on { "on" } else { "off: the terminal selects text again" };
    format!("The mouse is {how}. The word mouse changes that.")
}

/// The speed of a replay.
pub fn speed(seconds: f64) -> String {
    format!("{seconds} s a move.")
}

/// Whether a replay runs by itself.
pub fn runs_by_itself(is_auto: bool) -> &'static str {
    if is_auto { "Runs by itself. Space stops it." } else { "Stopped. Space goes on." }
}

/// A move that was played.
pub fn played(name: &str, mv: &str) -> String {
    format!("{name} played {mv}.")
}

/// The machine begins to think, perhaps after a move.
pub fn thinks(name: &str, last: Option<&str>, is_program: bool) -> String {
    let last = last.map(|last| format!("{last} is played. ")).unwrap_or_default();
    let help = if is_program {
        "Esc cannot hurry it; :level N replaces it."
    } else {
        "Esc plays its best move so far."
    };
    format!("{last}{name} is thinking. {help}")
}

/// Said when a move is tried while the machine thinks.
pub fn is_thinking(is_program: bool) -> &'static str {
    if is_program { PROGRAM_IS_THINKING } else { IS_THINKING }
}

/// Whose turn it is; `is_you` where one person plays.
pub fn whose_turn(name: &str, is_you: bool) -> String {
    if is_you { format!("Your move, {name}.") } else { format!("{name} to move.") }
}

/// Said while the first move may be taken over.
pub fn may_take_over(other: &str, word: &str) -> String {
    format!("You may take {other}'s stone over: S {word}s.")
}

/// What is wrong with a file, before its first position is looked at.
pub fn breaks_off(fault: &str) -> String {
    format!("{fault}. The arrows step through the moves before it; x plays on.")
}

/// The position that a step has led to. `is_live` says that a game goes on meanwhile, `cut` why the file goes no
/// further, if it is not just at its end; `others` lines leave it here.
pub fn step(shown: &dyn Position, plies: usize, is_live: bool, cut: Option<&str>, others: usize) -> String {
    let at = match shown.last() {
        None => format!("The first position of {}.", super::moves(plies)),
        Some(last) => {
            let name = shown.side_name(shown.to_move().other());
            format!("Move {} of {plies}: {name} {last}.", shown.plies())
        }
    };
    let at = if others == 0 { at } else { format!("{at} Up and down show other lines.") };
    match (cut, is_live, shown.plies()) {
        (Some(""), ..) => {
            format!("{at} The file ends here; another step begins a new game against the machine.")
        }
        (Some(fault), ..) => format!("{fault}. Another step begins a new game against the machine."),
        (None, true, _) => format!("{at} [ and ] step, Esc returns."),
        (None, false, 0) => format!("{at} The arrows step."),
        (None, false, _) => at,
    }
}

/// The result of a run of games: `you` and the machine, or the two sides; from long to short.
pub fn score(names: [&str; 2], [one, other, draws]: [u32; 3]) -> [String; 4] {
    let parts = [format!("{} {one}", names[0]), format!("{} {other}", names[1]), format!("draws {draws}")];
    let shortest = parts[..if draws == 0 { 2 } else { 3 }].join(" ");
    [format!("Score   {}", parts.join("   ")), parts.join("   "), parts.join(" "), shortest]
}

/// The names of the players in the score where one person plays.
pub const PERSON_AND_MACHINE: [&str; 2] = ["you", "engine"];

/// Where in a match of two machines that was stopped.
pub fn stopped_at(plies: usize, all: usize) -> String {
    format!("stopped, move {plies} of {all}")
}

/// Where in a game the position on the screen is, for the title.
pub fn place(plies: usize, all: usize, is_past: bool, is_replay: bool, is_over: bool) -> String {
    match () {
        () if is_replay && is_past => format!("replay, move {plies} of {all}"),
        () if is_replay => format!("move {plies} of {all}"),
        () if is_past => format!("looking at move {plies} of {all}"),
        () if is_over => format!("{}, over", super::moves(plies)),
        () => format!("move {}", plies + 1),
    }
}

/// The times of both sides, in minutes and seconds: `4:58 / 0:07`. A second that has begun counts.
pub fn times(times: BySide<Duration>) -> String {
    let [one, other] = Side::each(|side| minutes(times[side]));
    format!("{one} / {other}")
}

fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// The same where nothing limits the time, each behind the sign of its side: `time used ▲ 4:58 ▼ 0:07`.
pub fn time_used(signs: [&str; 2], times: BySide<Duration>) -> String {
    let [one, other] = Side::each(|side| format!("{} {}", signs[side.index()], minutes(times[side])));
    format!("time used {one} {other}")
}

/// Where in a game the present position is, and whose turn it is, for the title.
pub fn moves_now(at: &str, name: &str) -> String {
    format!("{at}: {name}")
}

/// Who sits where, for the title. `names` have the signs of the sides; `players` what a file calls them.
pub fn seats(
    names: &[String; 2],
    you: Option<Side>,
    level: Option<&str>,
    players: &[Option<String>; 2],
) -> String {
    let seat = |side: Side| {
        let name = &names[side.index()];
        match (you, &players[side.index()]) {
            (Some(you), _) if you == side => format!("you {name}"),
            (Some(_), _) => {
                let level = level.map(|level| format!(" ({})", a_level(level))).unwrap_or_default();
                format!("engine {name}{level}")
            }
            (None, Some(player)) => format!("{name}: {player}"),
            (None, None) => name.clone(),
        }
    };
    let both = level.filter(|_| you.is_none()).map(|level| format!("  (both {})", a_level(level)));
    format!("{}  vs  {}{}", seat(Side::First), seat(Side::Second), both.unwrap_or_default())
}

/// A level by number or name: `level 4`, `classic`.
fn a_level(level: &str) -> String {
    let is_number = level.bytes().all(|b| b.is_ascii_digit());
    if is_number { format!("level {level}") } else { level.to_owned() }
}

/// The title of a replay.
pub fn replay_of(title: &str, file: &str) -> String {
    format!("{title}   replay of {file}")
}

/// How a game that is replayed ended, for the title.
pub fn ended(winner: Option<&str>) -> String {
    winner.map_or_else(|| "a draw".to_owned(), |winner| format!("{winner} won"))
}

/// Whose turn it is, for the title; `None` when the game is over.
pub fn turn_in_title(name: Option<&str>) -> String {
    name.map_or_else(|| "over".to_owned(), |name| format!("{name} to move"))
}

/// The same where one person plays: `you ● Red to move`, `engine ○ Blue to move`.
pub fn seated_turn(name: &str, is_you: bool) -> String {
    let who = if is_you { "you" } else { "engine" };
    format!("{who} {name} to move")
}

/// The foot of a page: what is searched for.
pub fn page_foot(filter: &str, is_filtering: bool) -> String {
    match (is_filtering, filter.is_empty()) {
        (true, _) => format!(" search: {filter} "),
        (false, false) => format!(" only lines with \"{filter}\"; Esc shows all "),
        (false, true) => " arrows scroll   / search   Esc close ".to_owned(),
    }
}

/// A window or what it should be: `80 × 24`.
fn window(width: impl std::fmt::Display, height: impl std::fmt::Display, glyphs: Glyphs) -> String {
    let times = if glyphs == Glyphs::Unicode { '×' } else { 'x' };
    format!("{width} {times} {height}")
}

/// In the menu, where the board that is chosen has no room in this window; from long to short.
pub fn needs_room(needs: (usize, usize), size: (u16, u16), glyphs: Glyphs) -> [String; 2] {
    let (needs, has) = (window(needs.0, needs.1, glyphs), window(size.0, size.1, glyphs));
    let short = format!("This board needs a window of {needs}.");
    [format!("{short} Yours is {has}."), short]
}

/// The page for a window that is too small: what can be left out, the largest number first, and the lines.
pub fn too_small(
    shown: &dyn Position,
    title: &str,
    (width, height): (u16, u16),
    needs: (usize, usize),
    glyphs: Glyphs,
) -> Vec<(u8, String)> {
    let by = shown.side_name(shown.to_move().other());
    let next = match shown.outcome() {
        Some(_) => "the game is over".to_owned(),
        None => format!("{} to move", shown.side_name(shown.to_move())),
    };
    let last = match (shown.last(), width) {
        (Some(last), 0..48) => format!("{next}; last: {by} {last}"),
        (Some(last), _) => format!("last: {by} played {last}; {next}"),
        (None, _) => format!("no move yet; {next}"),
    };
    let (has, wanted) = (window(width, height, glyphs), window(needs.0, needs.1, glyphs));
    let is_small = if width < 30 { format!("{has} is too small.") } else { format!("This window is {has}.") };
    let wants = if width < 34 { format!("Needed: {wanted}.") } else { format!("{title} needs {wanted}.") };
    let more = window(needs.0 + 24, needs.1, glyphs);
    vec![
        (3, String::new()),
        (0, is_small),
        (1, wants),
        (4, format!("{more} shows the moves too.")),
        (5, String::new()),
        (4, if width < 34 { "Enlarge the window, or" } else { "Your game is safe. Enlarge, or" }.to_owned()),
        (2, "p   go on in plain text".to_owned()),
        (
            4,
            if shown.outcome().is_some() { "N   choose another board" } else { "^N  choose another board" }
                .to_owned(),
        ),
        (0, "q   quit".to_owned()),
        (6, String::new()),
        (3, last),
    ]
}
