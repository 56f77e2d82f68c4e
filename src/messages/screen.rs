//! The sentences of the full screen: status line, titles, panels, pages.

use std::time::Duration;

use crate::ai::EngineKind;
use crate::canvas::Glyphs;
use crate::game::{BySide, Side};
use crate::messages::keys::{
    ANALYSIS, BACK, ENTER, ESC, FLIP, FORWARD, HELP, LEVEL, NEW, NEW_NOW, NO, OTHER_SIDE, OVERLAY, PLAY,
    REMATCH, RESIGN, REVIEW, REVIEW_LINE, ROTATE, RULES, SAVE, SOLUTION, SPACE, SWAP, THEME, TURNING, UNDO,
    YES,
};
use crate::session::Position;
use crate::text;
use crate::text::{KeyName, SideName, Text, join, of_move, of_side};

/// Returns the reminder after a command in the input field: what to type next.
pub fn wanted_behind(field: &str) -> Option<&'static str> {
    match field {
        "save " | "load " | "replay " => Some("(a file name, then Enter)"),
        "level " => Some("(classic or a number, then Enter)"),
        _ => None,
    }
}

/// Shown when a move is tried after the end of the game.
pub fn is_over() -> Text {
    text!("The game is over. {NEW} new game, {REMATCH} rematch, {REVIEW} review, {UNDO} undo, {SAVE} save.")
}
/// Shown when a key makes no sense at a mistake of the player's own.
pub fn is_a_mistake() -> Text {
    text!("Find a better move. {SOLUTION} shows the solution, {NEW} goes to the next mistake.")
}
/// Shown when a new game is requested during a game.
pub fn goes_on() -> Text {
    text!("The game is not over yet. {RESIGN} resigns, {NEW_NOW} starts a new game.")
}
/// Shown when a move is tried while a built-in engine is thinking.
fn is_thinking() -> Text {
    text!("The engine is thinking. {ESC} plays its best move so far.")
}
/// Shown when a move is tried while an external engine is thinking.
fn program_is_thinking() -> Text {
    text!("The engine is thinking. It cannot be interrupted; {LEVEL} replaces it.")
}
/// Shown when an action is tried at an earlier position while the engine is thinking.
pub fn is_thinking_meanwhile() -> Text {
    text!("The engine is thinking. {ESC} returns to the current position.")
}
/// Shown when an action has to wait for an engine match.
pub fn machines_play() -> Text {
    text!("Two engines are playing. {SPACE} stops them after the next move.")
}
/// Shown when an engine match is stopped while an engine is thinking.
pub fn stops_soon() -> Text {
    text!("Stopping after this move. {SPACE} resumes.")
}
/// Shown when a move is tried in a replay.
pub fn is_shown() -> Text {
    text!("This is a replay. {PLAY} plays on from here.")
}
/// Lines of the help where `h j k l` move the cursor.
pub const VI_KEYS: [&str; 3] = [
    "h j k l\tmove the cursor, like the arrow keys",
    "y n Y\tup and right, down and left; Y flips the board",
    ":\ttype a move, then Enter",
];
/// Returns the line of the help about cells that can be typed by number.
pub fn numbers(numbers: &str) -> String {
    format!("1-9\tthe number of a cell, row by row ({numbers}), then Enter")
}
/// Line of the help where a digit plays a cell of a 3x3 board.
pub const DIGITS: &str = "1-9\tplay a cell of a 3x3 board, laid out like a number pad";
/// Says in the menu that there is no game to continue, or why saved games cannot be read.
pub(crate) fn nothing_left(unreadable: Option<&str>) -> Text {
    unreadable.map_or_else(|| text!("There is no unfinished game. {ENTER} starts a new one."), Text::from)
}
/// Names what Esc does in a menu that lies over a game.
pub const BACK_TO_THE_GAME: &str = "back to this game";
/// Says in a menu which game lies behind it.
pub fn behind_the_menu(title: &str, plies: usize) -> [String; 2] {
    ["Back to this game".to_owned(), format!("{title}, move {}", plies + 1)]
}
/// Says in the menu which saved game can be continued.
pub fn continues(title: &str) -> String {
    format!("Continue: {title}")
}
/// Shown when a board key is pressed at an earlier position.
pub fn is_looked_at() -> Text {
    text!("This is not the current position. {ESC} returns to it; {PLAY} plays on from here.")
}
/// Shown when a letter is pressed that is no key and begins no move.
pub fn no_such_key(letter: char) -> Text {
    text!("{letter} does nothing here. {HELP} lists the keys.")
}
/// Explains how to type a cell whose column letter is a key.
pub fn colon_first(cell: &str) -> String {
    format!("For columns o-z type a colon first, such as\u{a0}:{cell}.")
}
/// Explains how to type a move where letters are vi keys.
pub fn colon_before_all(cell: &str) -> String {
    format!("Type a colon first, such as\u{a0}:{cell}.")
}
/// Shown while the engine looks for a hint.
pub fn looking_for_advice() -> Text {
    text!("Finding a hint. {ESC} shows the best so far.")
}
/// Asks whether the player resigns.
pub fn asks_to_resign() -> Text {
    text!("Resign the game? {YES} resigns, {NO} plays on.")
}
/// Asks whether to replace another game in this file.
pub fn asks_to_replace(path: &str) -> Text {
    text!("{path} already holds another game. {YES} replaces it, {NO} keeps it.")
}
/// Asks whether the player swaps, after a choice of the stone that the swap takes.
pub fn asks_to_swap() -> Text {
    text!("Swap? {YES} takes the first stone over, {NO} plays on.")
}
/// Shown when the swap key has no meaning.
pub const NO_SWAP: &str = "There is no swap in this game.";
/// Shown when the wall key has no meaning.
pub const NO_WALLS: &str = "There are no walls in this game.";
/// Shown when the board cannot be flipped.
pub const NO_TURN: &str = "This board cannot be flipped.";
/// Shown when the game has no overlays.
pub const NO_OVERLAYS: &str = "This game has no overlays.";
/// Shown when the overlays are turned off.
pub const BOARD_ALONE: &str = "Overlays off.";
/// Answers the command `tui` in the full screen.
pub const IS_FULL_SCREEN: &str = "This is the full screen already. Start with --plain for line mode.";
/// Shown when line mode takes over.
pub const IN_PLAIN: &str = "Type tui to return to the full screen.";
/// Shown when line mode takes over an engine match.
pub const MATCH_IN_PLAIN: &str = "Enter plays the next move. Type tui to return to the full screen.";
/// Shown below a fault of a file.
pub fn nothing_lost() -> Text {
    text!("Nothing is lost. {ESC} goes back.")
}
/// Shown for a line that is too long to mean anything.
pub fn too_long_a_line(most: usize) -> String {
    format!("That line is longer than {most} characters, so it was ignored.")
}
/// Shown where keys come faster than they can be handled.
pub const TOO_MUCH_TYPED: &str = "Too much was typed at once, so the rest was ignored.";
/// Shown in the menu for an unknown command.
pub const WORDS_OF_THE_MENU: &str = "Commands here: new GAME SIZE, replay FILE, level N, rules, help, quit.";

/// Keys for placing a wall, longest form first.
pub fn wall_mode() -> [Text; 2] {
    [
        text!("arrows move, {ENTER} place, {ROTATE} rotate, {ESC} back to the pawn"),
        text!("{ENTER} place, {ROTATE} rotate, {ESC} back to the pawn"),
    ]
}
/// Returns the badge of wall mode, with the orientation of the wall.
pub fn wall_badge(is_across: bool, glyphs: Glyphs) -> String {
    let [across, upright] = if glyphs == Glyphs::Unicode { ['─', '│'] } else { ['-', '|'] };
    format!(" wall {} ", if is_across { across } else { upright })
}
/// Explains the numbers of the cells, below the board.
pub fn by_number(numbers: &str) -> String {
    format!("or by number: {numbers}")
}
/// Heading of the panel with the comment on the position.
pub const COMMENT: &str = "Comment";
/// Heading of the panel that says why a mistake is one.
pub const WHY: &str = "Why";
/// Heading of the engine panel.
pub const ENGINE: &str = "Engine";
/// Heading of the engine panel while it shows the search of the engine's last move.
pub const ENGINE_BEFORE: &str = "How the engine chose";
/// Heading of the engine panel where the value of each cell is known.
pub const VALUES: &str = "Value of each cell";
/// Returns the heading of a move list that does not start at move 1.
pub fn moves_from(number: usize) -> String {
    format!("Moves from {number}")
}
/// Returns the heading of the move list of a named opening.
pub fn moves_of_opening(name: &str) -> String {
    format!("Moves: {name} opening")
}
/// Meaning of the numbers on the best moves.
pub const NUMBERS: &str = "1-3 best";
/// Returns the meaning of the marks that the board can have, in lines or in tiles.
pub fn marks([has_cursor, has_hint, has_numbers]: [bool; 3], has_tiles: bool) -> Vec<&'static str> {
    let last = if has_tiles { "◆ last" } else { "() last" };
    let marks = [(last, true), ("[] cursor", has_cursor), ("<> hint", has_hint), (NUMBERS, has_numbers)];
    marks.into_iter().filter(|(_, is_there)| *is_there).map(|(mark, _)| mark).collect()
}
/// Shown in the engine panel during an analysis.
pub const STUDYING: &str = "The engine is thinking.";
/// Shown in the engine panel before an analysis.
pub fn nothing_known() -> Text {
    text!("{ANALYSIS}: analysis")
}
/// Shown in the engine panel at the end of a game.
pub const PANEL_AT_THE_END: &str = "The game is over.";
/// Shown in the engine panel if every move is proved to lose.
pub const EVERY_MOVE_LOSES: &str = "Every move loses";
/// Remark in the engine panel on a move that needed no search.
pub const NO_SEARCH: &str = "no search was needed";
/// Remark in the engine panel on a move from the opening book.
pub const FROM_BOOK: &str = "from the opening book";
/// Says in the engine panel that an external engine reports no analysis.
pub fn no_word(name: &str) -> String {
    format!("{name} reports no analysis")
}

/// Says which side is better, for a `score` of the first side named without a unit.
pub fn looks_better(name: SideName, other: SideName, score: i32) -> Text {
    match score {
        0 => "about even".into(),
        1.. => text!("{name} looks better"),
        _ => text!("{other} looks better"),
    }
}

/// Returns the heading of the chart of a review, longest form first. A bar or digit stands for `plies` moves.
pub fn chances_of(name: SideName, plies: usize, is_digit: bool) -> [String; 3] {
    let [bar, scale] = if is_digit { ["digit", "in tens of percent"] } else { ["bar", "full bar 100"] };
    let column = if plies == 1 { scale.to_owned() } else { format!("{} per {bar}", super::moves(plies)) };
    let scale = match (plies, is_digit) {
        (1, true) => "tens".to_owned(),
        (1, false) => "0-100".to_owned(),
        _ => format!("{plies} per {bar}"),
    };
    [format!("win % for {name}, {column}"), format!("win % for {name}, {scale}"), format!("win % for {name}")]
}
/// Returns the label below the chart for the move that is shown, longest form first.
pub fn chance_at(ply: usize, chance: Option<f64>, unknown: char) -> [String; 2] {
    let told = chance.map(|chance| format!("{:.0}%", 100.0 * chance));
    if ply == 0 {
        // No bar stands for it.
        let told = told.unwrap_or_else(|| "unknown".to_owned());
        return [format!("at the start: {told}"), format!("start: {told}")];
    }
    let short = format!("{ply}: {}", told.unwrap_or_else(|| format!("{unknown} unknown")));
    [format!("move {short}"), short]
}
/// Appends to a move its mark and the better move.
pub fn marked(step: &Text, mark: &str, better: &Text) -> Text {
    text!("{} {mark}, {better}.", step.without_full_stop())
}
/// Precedes the turning point in the panel of a review.
pub const TURNING_POINT: &str = "Turning point:";
/// Shorter form of [`TURNING_POINT`].
pub const TURNED_BY: &str = "Turned by";
/// Shown in the panel of a review without a turning point.
pub const NO_TURNING_POINT: &str = "No turning point.";
/// Names the key that shows the turning point with the better move.
pub fn j_shows_it() -> Text {
    text!("{TURNING} shows it")
}
/// Says in the panel that a review is incomplete.
pub fn judged_in_part(judged: usize, all: usize, is_analysis: bool) -> [Text; 2] {
    let (judged, all) = (judged.saturating_sub(1), all.saturating_sub(1));
    [text!("{judged} of {all} moves reviewed"), text!("{} continues", review_key(is_analysis))]
}
/// Returns the key that starts and stops a review; at the analysis board letters begin moves.
fn review_key(is_analysis: bool) -> KeyName {
    if is_analysis { REVIEW_LINE } else { REVIEW }
}
/// Shown when the turning point is requested before a review.
pub fn not_reviewed(is_analysis: bool) -> Text {
    if is_analysis {
        text!("The game has not been reviewed yet. Press {REVIEW_LINE} to start a review.")
    } else {
        text!("The game has not been reviewed yet. Press {REVIEW} to start a review.")
    }
}
/// Shown when the turning point is requested during a review.
pub fn still_reviewed(judged: usize, all: usize, is_analysis: bool) -> Text {
    let (judged, all) = (judged.saturating_sub(1), all.saturating_sub(1));
    text!("Reviewing move {judged} of {all}: no mistake so far. {} stops.", review_key(is_analysis))
}
/// Shown when a review begins.
pub fn judges(hides_engine: bool) -> Text {
    if hides_engine {
        text!("Reviewing every move; the chart replaces the engine panel. {ESC} stops.")
    } else {
        text!("Reviewing every move. {ESC} stops.")
    }
}
/// Returns the progress of a review. The `done` and `all` positions include the one before move 1.
pub fn reviewing(done: usize, all: usize) -> String {
    format!("Reviewing move {} of {}", done.saturating_sub(1), all.saturating_sub(1))
}

/// Says that the engine panel does not fit, and how many columns it needs.
pub fn no_panel(columns: Option<u16>, has_numbers: bool) -> String {
    let needs = columns.map_or_else(|| "more rows".to_owned(), |columns| format!("{columns} columns"));
    if has_numbers {
        format!("1 2 3 mark the best moves. The panel needs {needs}.")
    } else {
        format!("The panel needs {needs}. Type :eval to read the same as text.")
    }
}
/// Shown when an analysis is requested after the end of the game.
pub const NO_THOUGHT_NOW: &str = "The game is over; there is nothing to analyse here.";
/// Shown when overlays are requested after the end of the game.
pub const NO_OVERLAYS_NOW: &str = "The game is over; there are no overlays here.";
/// Says that no overlay shows anything in this position.
pub fn no_overlays_yet(titles: &[Text]) -> Text {
    let names = titles.iter().filter_map(|title| title.parts(":").into_iter().next());
    text!("Nothing to show in this position ({}).", join(names, ", "))
}
/// Shown in a page whose filter matches no line.
pub fn no_such_line() -> Text {
    text!("No matches. {ESC} clears the filter.")
}

/// Returns the title of the rules of a game.
pub fn rules_of(title: &str) -> String {
    format!("{title}: rules")
}
/// Returns the number of a page of the rules, longest form first.
pub fn rules_page(page: usize, pages: usize) -> [Text; 2] {
    let short = format!("page {page} of {pages}");
    [text!("{short}   {ENTER} play   {ESC} back"), short.into()]
}
/// Says in the help that there are pictures of the rules.
pub fn rules_with_pictures() -> Text {
    text!("{RULES} shows the rules with pictures.")
}

/// Last part of the help.
pub const HELP_ON_MARKS: [&str; 5] = [
    "",
    "( ) last move   [ ] cursor   < > hint   1 2 3 best moves   +2 two side lines at this move",
    "",
    "The same commands work in line mode (crosspath --plain). save FILE saves, load FILE continues, --mode 3 FILE replays.",
    "Click to play, use the wheel to step back. Hold Shift to select text, or turn the mouse off with :mouse.",
];

/// Formats the board sizes of a game: `1x1 to 26x26`.
pub fn sizes(sizes: &[usize]) -> String {
    let board = |size: Option<&usize>| size.map_or_else(String::new, |size| format!("{size}x{size}"));
    format!("{} to {}", board(sizes.first()), board(sizes.last()))
}

/// Returns the title of the overlay on the board, with the key for the next one and its name, longest form first; without
/// a next one they go off.
pub fn overlay(title: &Text, next: Option<&Text>) -> [Text; 2] {
    let name = next.map_or("off", |next| next.split([':', ';', '(']).next().unwrap_or_default().trim());
    [text!("{title}. ({OVERLAY}: {name})"), text!("{title}. ({OVERLAY}: next)")]
}

/// Says whether the values are shown beside the board.
pub fn panel(is_there: bool) -> Text {
    if is_there {
        text!("Values are shown beside the board. {ANALYSIS} hides them.")
    } else {
        text!("Values are hidden. {ANALYSIS} shows them.")
    }
}

/// Says whether the analysis is on.
pub fn studies(is_on: bool, hides_curve: bool) -> Text {
    match (is_on, hides_curve) {
        (true, false) => text!("Analysis is on. {ANALYSIS} turns it off."),
        (true, true) => text!("Analysis is on and replaces the chart. {ANALYSIS} turns it off."),
        (false, false) => text!("Analysis is off. {ANALYSIS} turns it on."),
        (false, true) => text!("Analysis is off; the chart is back. {ANALYSIS} turns it on."),
    }
}

/// Says whether the board is flipped.
pub fn turned(is_turned: bool) -> Text {
    if is_turned {
        text!("The board is flipped. {FLIP} flips it back.")
    } else {
        "The board is flipped back.".into()
    }
}

/// Says that a theme is shown without colours.
pub const NO_COLOURS: &str = "without colours";
/// Says that a theme is shown with the colours of the terminal.
pub const OWN_COLOURS: &str = "with the terminal's own 16 colours (set COLORTERM=truecolor for more)";

/// Formats the name of a theme with what it resolves to: `auto (dark)`.
pub fn theme_with_ground(name: &str, found: Option<&str>) -> String {
    found.map_or_else(|| name.to_owned(), |found| format!("{name} ({found})"))
}

/// Says which theme is on, and with which restriction.
pub fn theme(name: &str, why: Option<&str>) -> Text {
    let how = why.map(|why| format!(", {why}")).unwrap_or_default();
    text!("Theme: {name}{how}. {THEME} changes it.")
}

/// Says whether the mouse is on.
pub fn mouse(is_on: bool) -> &'static str {
    if is_on {
        "The mouse is on. Type :mouse to turn it off."
    } else {
        "The mouse is off, so the terminal selects text. Type :mouse to turn it on."
    }
}

/// Says the speed of a replay.
pub fn speed(seconds: f64) -> String {
    format!("{seconds} s per move.")
}

/// Says whether auto-play is on.
pub fn runs_by_itself(is_auto: bool) -> Text {
    if is_auto { text!("Auto-play is on. {SPACE} stops it.") } else { text!("Stopped. {SPACE} resumes.") }
}

/// Says which move a side played.
pub fn played(position: &dyn Position, side: Side, mv: &str) -> Text {
    let (name, mv) = (position.side_name(side), of_move(Some(side), mv));
    text!("{name} played {mv}.")
}

/// Says that an engine is thinking, perhaps after a move.
pub fn thinks(name: SideName, last: Option<&str>, is_program: bool) -> Text {
    let last = last.map(|last| text!("Played {}. ", of_move(None, last))).unwrap_or_default();
    let help = if is_program {
        text!("It cannot be interrupted; {LEVEL} replaces it.")
    } else {
        text!("{ESC} plays its best move so far.")
    };
    text!("{last}{name} is thinking. {help}")
}

/// Returns the refusal of a move while an engine is thinking.
pub fn refuse_while_thinking(is_program: bool) -> Text {
    if is_program { program_is_thinking() } else { is_thinking() }
}

/// Says whose turn it is; `is_you` if it is the only human player's.
pub fn whose_turn(name: SideName, is_you: bool) -> Text {
    if is_you { text!("Your move, {name}.") } else { text!("{name} to move.") }
}

/// Says that the player may swap.
pub fn may_take_over(other: SideName, word: &str) -> Text {
    text!("{SWAP} {word}s: take {other}'s stone as yours.")
}

/// Says what is wrong with a file that can be replayed in part, longest form first. `short` is the fault in fewer words.
pub fn breaks_off(fault: &Text, short: &Text) -> [Text; 3] {
    let [fault, brief] = [fault, short].map(Text::without_full_stop);
    let whole = text!("{fault}. You can step through the moves up to there; {PLAY} plays on.");
    [whole, text!("{brief}. {PLAY} plays on."), short.clone()]
}

/// Says why a replay stops where it is shown, longest form first. `short` is the fault in fewer words.
pub fn stops(fault: &Text, short: &Text) -> [Text; 3] {
    let [fault, brief] = [fault, short].map(Text::without_full_stop);
    let whole = text!("{fault}. Another step starts a new game against the engine.");
    [whole, text!("{brief}. Another step starts a new game."), short.clone()]
}

/// Continuation of a file after the position that is shown.
#[derive(Clone, Copy, Debug)]
pub enum FileEnd {
    /// The file continues, or its game is over.
    None,
    /// The file ends, and its game is unfinished.
    Unfinished,
    /// The file ends, and another step begins a game as the original program does.
    NewGame,
}

/// Describes the position that a step has led to. `is_live` says that a game continues meanwhile;
/// `end` is the continuation of the file; `others` is the number of variations here.
pub fn step(shown: &dyn Position, plies: usize, is_live: bool, end: FileEnd, others: usize) -> Text {
    let at = match shown.last() {
        None => text!("Start of the game, {} in all.", super::moves(plies)),
        Some(last) => {
            let side = shown.to_move().other();
            let (name, last) = (shown.side_name(side), of_move(Some(side), last));
            text!("Move {} of {plies}: {name} {last}.", shown.plies())
        }
    };
    let at = if others == 0 { at } else { text!("{at} Up and down show side lines.") };
    match (end, is_live, shown.plies()) {
        (FileEnd::NewGame, ..) => {
            text!("{at} End of the file. Another step starts a new game against the engine.")
        }
        (FileEnd::Unfinished, ..) => text!("{at} End of the file. {PLAY} plays on from here."),
        (FileEnd::None, true, _) => text!("{at} {BACK} and {FORWARD} step, {ESC} returns."),
        (FileEnd::None, false, 0) => text!("{at} The arrow keys step."),
        (FileEnd::None, false, _) => at,
    }
}

/// Label before the bar of win chances.
pub const CHANCES: &str = "chances";

/// Formats the score of several games, longest form first.
pub fn score(players: Players<'_>, [one, other, draws]: [u32; 3]) -> [Text; 4] {
    let [first, second] = match players {
        Players::HumanAndEngine => [text!("you {one}"), text!("engine {other}")],
        Players::Sides([first, second]) => [
            text!("{}", of_side(Side::First, format!("{first} {one}"))),
            text!("{}", of_side(Side::Second, format!("{second} {other}"))),
        ],
    };
    let parts = [first, second, text!("draws {draws}")];
    let shortest = join(&parts[..if draws == 0 { 2 } else { 3 }], " ");
    let [wide, narrow] = ["   ", " "].map(|gap| join(&parts, gap));
    [text!("Score   {wide}"), wide, narrow, shortest]
}

/// Players of several games.
#[derive(Clone, Copy, Debug)]
pub enum Players<'n> {
    /// A human and an engine, whatever their sides.
    HumanAndEngine,
    /// The sides, by their signs or names.
    Sides([&'n str; 2]),
}

/// Says at which move an engine match is stopped.
pub fn stopped_at(plies: usize, all: usize) -> String {
    format!("stopped, move {plies} of {all}")
}

/// Returns the place of the position in the game, for the title.
pub fn place(plies: usize, all: usize, is_past: bool, is_replay: bool, is_over: bool) -> String {
    match () {
        () if is_replay && is_past => format!("replay, move {plies} of {all}"),
        () if is_replay => format!("move {plies} of {all}"),
        () if is_past => format!("showing move {plies} of {all}"),
        () if is_over => format!("over after {}", super::moves(plies)),
        () => format!("move {}", plies + 1),
    }
}

/// Formats the times of both sides in minutes and seconds: `4:58 / 0:07`.
pub fn times(times: BySide<Duration>) -> String {
    let [one, other] = Side::each(|side| minutes(times[side]));
    format!("{one} / {other}")
}

fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// Formats the time used by both sides in a game without clocks: `time used ▲ 4:58 ▼ 0:07`.
pub fn time_used(signs: &[Text; 2], times: BySide<Duration>) -> Text {
    let [one, other] = Side::each(|side| text!("{} {}", signs[side.index()], minutes(times[side])));
    text!("time used {one} {other}")
}

/// Returns the place in the game and whose turn it is, for the title.
pub fn moves_now(at: &str, name: SideName) -> Text {
    text!("{at}: {name}")
}

/// Names the person in the title.
pub const YOU: &str = "You";

/// Returns the players, for the title, with a gap on both sides of `vs`: `You ● Red   vs   ○ Blue Level 4, improver`.
/// `names` are those of the sides or their signs.
pub fn players(names: &[Text; 2], who: &[Option<String>; 2], gap: &str) -> Text {
    let [first, second] = names;
    let first = who[0].as_ref().map_or_else(|| first.clone(), |who| text!("{who} {first}"));
    let second = who[1].as_ref().map_or_else(|| second.clone(), |who| text!("{second} {who}"));
    text!("{first}{gap}vs{gap}{second}")
}

/// Formats an engine for the title, longest form first: `Level 4, improver`, `Level 4`; `classic`.
pub fn level_in_title(engine: &str) -> [String; 2] {
    let level = engine.parse::<EngineKind>().ok().filter(|level| matches!(level, EngineKind::Level(_)));
    let Some(level) = level else { return [engine.to_owned(), engine.to_owned()] };
    let name = level.strength().map(|name| format!(", {name}")).unwrap_or_default();
    [format!("Level {level}{name}"), format!("Level {level}")]
}

/// Formats a level with its name: `level 2 · novice`, `classic · as the original program`.
pub fn level_in_menu(level: EngineKind, glyphs: Glyphs) -> String {
    let dot = if glyphs == Glyphs::Unicode { " · " } else { ", " };
    let name = level.strength().map(|name| format!("{dot}{name}")).unwrap_or_default();
    if let EngineKind::Level(_) = level { format!("level {level}{name}") } else { format!("{level}{name}") }
}

/// Says when a saved game was played that is shown, for the title.
pub fn played_on(day: &str) -> String {
    let date = day.parse::<jiff::civil::Date>();
    format!(
        "played on {}",
        date.map_or_else(|_| day.to_owned(), |date| date.strftime("%-d %b %Y").to_string())
    )
}

/// Says which file is shown, for the title.
pub fn replay_of(file: &str) -> String {
    format!("replay of {file}")
}

/// Says how a replayed game ended, for the title.
pub fn ended(winner: Option<SideName>) -> Text {
    winner.map_or_else(|| "draw".into(), |winner| text!("{winner} won"))
}

/// Says whose turn it is, for the title.
pub fn turn_in_title(name: &Text) -> Text {
    text!("{name} to move")
}

/// Returns the foot of a page: its filter and keys.
pub fn page_foot(filter: &str, is_filtering: bool) -> String {
    match (is_filtering, filter.is_empty()) {
        (true, _) => format!(" search: {filter} "),
        (false, false) => format!(" lines containing \"{filter}\"; Esc shows all "),
        (false, true) => " arrows scroll   / search   Esc close ".to_owned(),
    }
}

/// Says at the options of the menu how they are changed, for the signs beside their values.
pub fn options_foot([less, more]: [&str; 2], keys: &str) -> String {
    format!("{less} {more} change: Tab, then {keys}")
}

/// Formats the size of a window: `80 × 24`.
fn window(width: impl std::fmt::Display, height: impl std::fmt::Display, glyphs: Glyphs) -> String {
    let times = if glyphs == Glyphs::Unicode { '×' } else { 'x' };
    format!("{width} {times} {height}")
}

/// Says in the menu that the chosen board does not fit the window, longest form first.
pub fn needs_room(needs: (usize, usize), size: (u16, u16), glyphs: Glyphs) -> [String; 2] {
    let (needs, has) = (window(needs.0, needs.1, glyphs), window(size.0, size.1, glyphs));
    let short = format!("This board needs a window of {needs}.");
    [format!("{short} Yours is {has}."), short]
}

/// Returns the lines of the page for a window that is too small, each with its rank: the highest is left out first.
/// `needs` is the least window for the board; `more` are its columns with the move list, where that takes more.
pub fn too_small(
    shown: &dyn Position,
    title: &str,
    (width, height): (u16, u16),
    (needs, more): ((usize, usize), Option<usize>),
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
        (None, _) => format!("no moves yet; {next}"),
    };
    let (has, wanted) = (window(width, height, glyphs), window(needs.0, needs.1, glyphs));
    let is_small = if width < 30 { format!("{has} is too small.") } else { format!("This window is {has}.") };
    let wants = if width < 34 { format!("Needed: {wanted}.") } else { format!("{title} needs {wanted}.") };
    let more = more.map(|columns| window(columns, needs.1, glyphs));
    let more = more.map(|more| (4, format!("{more} has room for the move list too.")));
    let first = [(3, String::new()), (0, is_small), (1, wants)].into_iter().chain(more);
    let rest = [
        (5, String::new()),
        (4, if width < 34 { "Enlarge the window, or" } else { "Your game is safe. Enlarge, or" }.to_owned()),
        (2, "p   continue in line mode".to_owned()),
        (4, if shown.outcome().is_some() { "N   new game" } else { "^N  new game" }.to_owned()),
        (0, "q   quit".to_owned()),
        (6, String::new()),
        (3, last),
    ];
    first.chain(rest).collect()
}

/// Says which keys work while a position is set up.
pub fn setting_up() -> Text {
    text!(
        "Setting up: {ENTER} changes the place under the cursor, {OTHER_SIDE} the side to move, {UNDO} undoes, {ESC} ends."
    )
}
