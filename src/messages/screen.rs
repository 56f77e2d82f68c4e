//! Messages of the full screen: status line, titles, panels, pages.

use std::time::Duration;

use crate::ai::EngineKind;
use crate::canvas::GlyphSet;
use crate::game::{BySide, Side};
use crate::messages::keys::{
    ANALYSIS_KEY, ANALYSIS_REVIEW_KEY, BACK_KEY, ENTER_KEY, ESC_KEY, FLIP_KEY, FORWARD_KEY, HELP_KEY,
    LEVEL_COMMAND, NEW_GAME_KEY, NEW_GAME_NOW_KEY, NO_KEY, OVERLAY_KEY, PLAY_ON_KEY, REMATCH_KEY, RESIGN_KEY,
    REVIEW_KEY, ROTATE_KEY, RULES_COMMAND, SAVE_KEY, SIDE_TO_MOVE_KEY, SOLUTION_KEY, SPACE_KEY, SWAP_KEY,
    THEME_KEY, TURNING_POINT_KEY, UNDO_KEY, YES_KEY,
};
use crate::session::Position;
use crate::text;
use crate::text::{KeyName, SideName, Text, join_texts, mark_move, mark_side};

/// Returns the reminder of a missing argument after a command in the input field.
pub fn missing_argument_hint(field: &str) -> Option<&'static str> {
    match field {
        "save " | "load " | "replay " => Some("(a file name, then Enter)"),
        "level " => Some("(classic or a number, then Enter)"),
        _ => None,
    }
}

/// Returns the message shown if a move is tried after the end of the game.
pub fn game_over_message() -> Text {
    text!(
        "The game is over. {NEW_GAME_KEY} new game, {REMATCH_KEY} rematch, {REVIEW_KEY} review, {UNDO_KEY} undo, {SAVE_KEY} save."
    )
}
/// Returns the message shown if a key has no use while a mistake is practised.
pub fn practising_message() -> Text {
    text!("Find a better move. {SOLUTION_KEY} shows the solution, {NEW_GAME_KEY} goes to the next mistake.")
}
/// Returns the message shown if a new game is requested during a game.
pub fn game_not_over_message() -> Text {
    text!("The game is not over yet. {RESIGN_KEY} resigns, {NEW_GAME_NOW_KEY} starts a new game.")
}
/// Returns the message shown if a move is tried while a built-in engine is thinking.
fn engine_thinking_message() -> Text {
    text!("The engine is thinking. {ESC_KEY} plays its best move so far.")
}
/// Returns the message shown if a move is tried while an external engine is thinking.
fn external_thinking_message() -> Text {
    text!("The engine is thinking. It cannot be interrupted; {LEVEL_COMMAND} replaces it.")
}
/// Returns the message shown if an action is tried at an earlier position while the engine is thinking.
pub fn still_thinking_message() -> Text {
    text!("The engine is thinking. {ESC_KEY} returns to the current position.")
}
/// Returns the message shown if an action has to wait for an engine match.
pub fn engine_match_running_message() -> Text {
    text!("Two engines are playing. {SPACE_KEY} stops them after the next move.")
}
/// Returns the message shown if an engine match is stopped while an engine is thinking.
pub fn stopping_message() -> Text {
    text!("Stopping after this move. {SPACE_KEY} resumes.")
}
/// Returns the message shown if a move is tried in a replay.
pub fn is_replay_message() -> Text {
    text!("This is a replay. {PLAY_ON_KEY} plays on from here.")
}
/// Lines of the help if `h j k l` move the cursor.
pub const VI_KEYS_HELP: [&str; 3] = [
    "h j k l\tmove the cursor, like the arrow keys",
    "y n Y\tup and right, down and left; Y flips the board",
    ":\ttype a move, then Enter",
];
/// Returns the line of the help about cells that can be typed by number.
pub fn cell_numbers_help(numbers: &str) -> String {
    format!("1-9\tthe number of a cell, row by row ({numbers}), then Enter")
}
/// Line of the help if a digit plays a cell of a 3x3 board.
pub const NUMBER_PAD_HELP: &str = "1-9\tplay a cell of a 3x3 board, laid out like a number pad";
/// Says in the menu that there is no game to continue, or why saved games cannot be read.
pub(crate) fn no_unfinished_game_message(unreadable: Option<&str>) -> Text {
    unreadable.map_or_else(|| text!("There is no unfinished game. {ENTER_KEY} starts a new one."), Text::from)
}
/// Label of the Esc key in a menu that is opened during a game.
pub const BACK_TO_GAME_LABEL: &str = "back to this game";
/// Returns the labels in a menu for the game from which it was opened.
pub fn game_behind_menu_labels(title: &str, plies: usize) -> [String; 2] {
    ["Back to this game".to_owned(), format!("{title}, move {}", plies + 1)]
}
/// Returns the label in the menu for the saved game that can be continued.
pub fn continue_game_label(title: &str) -> String {
    format!("Continue: {title}")
}
/// Returns the message shown if a board key is pressed at an earlier position.
pub fn not_current_position_message() -> Text {
    text!("This is not the current position. {ESC_KEY} returns to it; {PLAY_ON_KEY} plays on from here.")
}
/// Returns the message shown if a letter is pressed that is no key and starts no move.
pub fn unknown_key_message(letter: char) -> Text {
    text!("{letter} does nothing here. {HELP_KEY} lists the keys.")
}
/// Explains how to type a cell whose column letter is a key.
pub fn colon_for_column_hint(cell: &str) -> String {
    format!("For columns o-z type a colon first, such as\u{a0}:{cell}.")
}
/// Explains how to type a move if letters are vi keys.
pub fn colon_for_moves_hint(cell: &str) -> String {
    format!("Type a colon first, such as\u{a0}:{cell}.")
}
/// Returns the message shown while the engine looks for a hint.
pub fn finding_hint_message() -> Text {
    text!("Finding a hint. {ESC_KEY} shows the best so far.")
}
/// Asks whether the player resigns.
pub fn confirm_resign_question() -> Text {
    text!("Resign the game? {YES_KEY} resigns, {NO_KEY} plays on.")
}
/// Asks whether to replace the other game in a file.
pub fn confirm_replace_question(path: &str) -> Text {
    text!("{path} already holds another game. {YES_KEY} replaces it, {NO_KEY} keeps it.")
}
/// Asks whether the player swaps after choosing the first stone as a move.
pub fn confirm_swap_question() -> Text {
    text!("Swap? {YES_KEY} takes the first stone over, {NO_KEY} plays on.")
}
/// Message shown if the swap key is pressed in a game without a swap.
pub const NO_SWAP_MESSAGE: &str = "There is no swap in this game.";
/// Message shown if the wall key is pressed in a game without walls.
pub const NO_WALLS_MESSAGE: &str = "There are no walls in this game.";
/// Message shown if the board cannot be flipped.
pub const CANNOT_FLIP_MESSAGE: &str = "This board cannot be flipped.";
/// Message shown if the game has no overlays.
pub const NO_OVERLAYS_MESSAGE: &str = "This game has no overlays.";
/// Message shown when the overlays are turned off.
pub const OVERLAYS_OFF_MESSAGE: &str = "Overlays off.";
/// Answers the command `tui` in the full screen.
pub const ALREADY_FULL_SCREEN_MESSAGE: &str =
    "This is the full screen already. Start with --plain for line mode.";
/// Message shown when line mode starts.
pub const LINE_MODE_MESSAGE: &str = "Type tui to return to the full screen.";
/// Message shown when line mode starts during an engine match.
pub const MATCH_LINE_MODE_MESSAGE: &str = "Enter plays the next move. Type tui to return to the full screen.";
/// Returns the message shown below the fault of a file.
pub fn nothing_lost_message() -> Text {
    text!("Nothing is lost. {ESC_KEY} goes back.")
}
/// Returns the message shown if a typed line is too long for a command.
pub fn line_too_long_message(most: usize) -> String {
    format!("That line is longer than {most} characters, so it was ignored.")
}
/// Message shown if keys arrive faster than they can be handled.
pub const TOO_MUCH_TYPED_MESSAGE: &str = "Too much was typed at once, so the rest was ignored.";
/// Message shown in the menu after an unknown command.
pub const MENU_COMMANDS_MESSAGE: &str =
    "Commands here: new GAME SIZE, replay FILE, level N, rules, help, quit.";

/// Lists the keys for placing a wall, longest wording first.
pub fn wall_mode_keys() -> [Text; 2] {
    [
        text!("arrows move, {ENTER_KEY} place, {ROTATE_KEY} rotate, {ESC_KEY} back to the pawn"),
        text!("{ENTER_KEY} place, {ROTATE_KEY} rotate, {ESC_KEY} back to the pawn"),
    ]
}
/// Returns the badge of wall mode, with the orientation of the wall.
pub fn format_wall_badge(is_across: bool, glyphs: GlyphSet) -> String {
    let [across, upright] = if glyphs == GlyphSet::Unicode { ['─', '│'] } else { ['-', '|'] };
    format!(" wall {} ", if is_across { across } else { upright })
}
/// Explains the numbers of the cells, below the board.
pub fn cell_numbers_caption(numbers: &str) -> String {
    format!("or by number: {numbers}")
}
/// Heading of the panel with the comment on the position.
pub const COMMENT_HEADING: &str = "Comment";
/// Heading of the panel that explains a mistake.
pub const MISTAKE_REASON_HEADING: &str = "Why";
/// Heading of the engine panel.
pub const ENGINE_HEADING: &str = "Engine";
/// Heading of the engine panel while it shows the search of the engine's last move.
pub const LAST_SEARCH_HEADING: &str = "How the engine chose";
/// Heading of the engine panel if the value of each cell is known.
pub const CELL_VALUES_HEADING: &str = "Value of each cell";
/// Returns the heading of a move list that does not start at move 1.
pub fn moves_from_heading(number: usize) -> String {
    format!("Moves from {number}")
}
/// Returns the heading of the move list of a named opening.
pub fn opening_moves_heading(name: &str) -> String {
    format!("Moves: {name} opening")
}
/// Legend of the numbers on the best moves.
pub const BEST_MOVES_LEGEND: &str = "1-3 best";
/// Lists the marks that the board can have, drawn with characters or tiles.
pub fn list_board_marks(
    [has_cursor, has_hint, has_numbers]: [bool; 3],
    has_tiles: bool,
) -> Vec<&'static str> {
    let last = if has_tiles { "◆ last" } else { "() last" };
    let marks =
        [(last, true), ("[] cursor", has_cursor), ("<> hint", has_hint), (BEST_MOVES_LEGEND, has_numbers)];
    marks.into_iter().filter(|(_, is_there)| *is_there).map(|(mark, _)| mark).collect()
}
/// Message shown in the engine panel during an analysis.
pub const PANEL_THINKING_MESSAGE: &str = "The engine is thinking.";
/// Returns the message shown in the engine panel before an analysis.
pub fn analysis_key_hint() -> Text {
    text!("{ANALYSIS_KEY}: analysis")
}
/// Message shown in the engine panel at the end of a game.
pub const PANEL_GAME_OVER_MESSAGE: &str = "The game is over.";
/// Message shown in the engine panel if every move is proved to lose.
pub const EVERY_MOVE_LOSES_MESSAGE: &str = "Every move loses";
/// Remark in the engine panel on a move that needed no search.
pub const NO_SEARCH_REMARK: &str = "no search was needed";
/// Remark in the engine panel on a move from the opening book.
pub const FROM_BOOK_REMARK: &str = "from the opening book";
/// Says in the engine panel that an external engine reports no analysis.
pub fn no_analysis_message(name: &str) -> String {
    format!("{name} reports no analysis")
}

/// Says which side is better. `score` is that of the side `name` and has no unit.
pub fn describe_advantage(name: SideName, other: SideName, score: i32) -> Text {
    match score {
        0 => "about even".into(),
        1.. => text!("{name} looks better"),
        _ => text!("{other} looks better"),
    }
}

/// Returns the heading of a review's chart, longest wording first. A bar or digit stands for `plies` moves.
pub fn win_chart_heading(name: SideName, plies: usize, is_digit: bool) -> [String; 3] {
    let [bar, scale] = if is_digit { ["digit", "in tens of percent"] } else { ["bar", "full bar 100"] };
    let column =
        if plies == 1 { scale.to_owned() } else { format!("{} per {bar}", super::format_move_count(plies)) };
    let scale = match (plies, is_digit) {
        (1, true) => "tens".to_owned(),
        (1, false) => "0-100".to_owned(),
        _ => format!("{plies} per {bar}"),
    };
    [format!("win % for {name}, {column}"), format!("win % for {name}, {scale}"), format!("win % for {name}")]
}
/// Returns the label below the chart for the move that is shown, longest wording first.
pub fn win_chart_label(ply: usize, chance: Option<f64>, unknown: char) -> [String; 2] {
    let told = chance.map(|chance| format!("{:.0}%", 100.0 * chance));
    if ply == 0 {
        // The start has no bar.
        let told = told.unwrap_or_else(|| "unknown".to_owned());
        return [format!("at the start: {told}"), format!("start: {told}")];
    }
    let short = format!("{ply}: {}", told.unwrap_or_else(|| format!("{unknown} unknown")));
    [format!("move {short}"), short]
}
/// Appends to a move its mark and the better move.
pub fn append_better_move(step: &Text, mark: &str, better: &Text) -> Text {
    text!("{} {mark}, {better}.", step.without_full_stop())
}
/// Label before the turning point in the panel of a review.
pub const TURNING_POINT_LABEL: &str = "Turning point:";
/// Shorter form of [`TURNING_POINT_LABEL`].
pub const SHORT_TURNING_POINT_LABEL: &str = "Turned by";
/// Message shown in the panel of a review without a turning point.
pub const NO_TURNING_POINT_MESSAGE: &str = "No turning point.";
/// Names the key that shows the turning point with the better move.
pub fn turning_point_key_hint() -> Text {
    text!("{TURNING_POINT_KEY} shows it")
}
/// Says in the panel that a review is incomplete.
pub fn incomplete_review_message(judged: usize, all: usize, is_analysis: bool) -> [Text; 2] {
    let (judged, all) = (judged.saturating_sub(1), all.saturating_sub(1));
    [text!("{judged} of {all} moves reviewed"), text!("{} continues", review_key(is_analysis))]
}
/// Returns the key that starts and stops a review; on the analysis board letters start moves.
fn review_key(is_analysis: bool) -> KeyName {
    if is_analysis { ANALYSIS_REVIEW_KEY } else { REVIEW_KEY }
}
/// Returns the message shown if the turning point is requested before a review.
pub fn not_reviewed_message(is_analysis: bool) -> Text {
    if is_analysis {
        text!("The game has not been reviewed yet. Press {ANALYSIS_REVIEW_KEY} to start a review.")
    } else {
        text!("The game has not been reviewed yet. Press {REVIEW_KEY} to start a review.")
    }
}
/// Returns the message shown if the turning point is requested during a review.
pub fn still_reviewing_message(judged: usize, all: usize, is_analysis: bool) -> Text {
    let (judged, all) = (judged.saturating_sub(1), all.saturating_sub(1));
    text!("Reviewing move {judged} of {all}: no mistake so far. {} stops.", review_key(is_analysis))
}
/// Returns the message shown when a review starts.
pub fn review_started_message(hides_engine: bool) -> Text {
    if hides_engine {
        text!("Reviewing every move; the chart replaces the engine panel. {ESC_KEY} stops.")
    } else {
        text!("Reviewing every move. {ESC_KEY} stops.")
    }
}
/// Formats the progress of a review. The `done` and `all` positions include the one before move 1.
pub fn format_review_progress(done: usize, all: usize) -> String {
    format!("Reviewing move {} of {}", done.saturating_sub(1), all.saturating_sub(1))
}

/// Says that the engine panel does not fit, and how many columns it needs.
pub fn no_panel_message(columns: Option<u16>, has_numbers: bool) -> String {
    let needs = columns.map_or_else(|| "more rows".to_owned(), |columns| format!("{columns} columns"));
    if has_numbers {
        format!("1 2 3 mark the best moves. The panel needs {needs}.")
    } else {
        format!("The panel needs {needs}. Type :eval to read the same as text.")
    }
}
/// Message shown if an analysis is requested after the end of the game.
pub const NO_ANALYSIS_AT_END_MESSAGE: &str = "The game is over; there is nothing to analyse here.";
/// Message shown if overlays are requested after the end of the game.
pub const NO_OVERLAYS_AT_END_MESSAGE: &str = "The game is over; there are no overlays here.";
/// Says that no overlay shows anything in this position.
pub fn empty_overlays_message(titles: &[Text]) -> Text {
    let names = titles.iter().filter_map(|title| title.split_text(":").into_iter().next());
    text!("Nothing to show in this position ({}).", join_texts(names, ", "))
}
/// Returns the message shown in a page whose filter matches no line.
pub fn no_line_match_message() -> Text {
    text!("No matches. {ESC_KEY} clears the filter.")
}

/// Returns the title of the rules of a game.
pub fn rules_title(title: &str) -> String {
    format!("{title}: rules")
}
/// Returns the number of a page of the rules, longest wording first.
pub fn rules_page_label(page: usize, pages: usize) -> [Text; 2] {
    let short = format!("page {page} of {pages}");
    [text!("{short}   {ENTER_KEY} play   {ESC_KEY} back"), short.into()]
}
/// Says in the help that there are pictures of the rules.
pub fn rules_pictures_hint() -> Text {
    text!("{RULES_COMMAND} shows the rules with pictures.")
}

/// Last lines of the help.
pub const MARKS_HELP: [&str; 5] = [
    "",
    "( ) last move   [ ] cursor   < > hint   1 2 3 best moves   +2 two side lines at this move",
    "",
    "The same commands work in line mode (crosspath --plain). save FILE saves, load FILE continues, --mode 3 FILE replays.",
    "Click to play, use the wheel to step back. Hold Shift to select text, or turn the mouse off with :mouse.",
];

/// Formats the board sizes of a game: `1x1 to 26x26`.
pub fn format_board_sizes(sizes: &[usize]) -> String {
    let board = |size: Option<&usize>| size.map_or_else(String::new, |size| format!("{size}x{size}"));
    format!("{} to {}", board(sizes.first()), board(sizes.last()))
}

/// Returns the title of the overlay with the key and name of the next one, longest wording first.
pub fn overlay_title(title: &Text, next: Option<&Text>) -> [Text; 2] {
    let name = next.map_or("off", |next| next.split([':', ';', '(']).next().unwrap_or_default().trim());
    [text!("{title}. ({OVERLAY_KEY}: {name})"), text!("{title}. ({OVERLAY_KEY}: next)")]
}

/// Says whether values are shown beside the board.
pub fn value_panel_message(is_there: bool) -> Text {
    if is_there {
        text!("Values are shown beside the board. {ANALYSIS_KEY} hides them.")
    } else {
        text!("Values are hidden. {ANALYSIS_KEY} shows them.")
    }
}

/// Says whether the analysis is on.
pub fn analysis_message(is_on: bool, hides_curve: bool) -> Text {
    match (is_on, hides_curve) {
        (true, false) => text!("Analysis is on. {ANALYSIS_KEY} turns it off."),
        (true, true) => text!("Analysis is on and replaces the chart. {ANALYSIS_KEY} turns it off."),
        (false, false) => text!("Analysis is off. {ANALYSIS_KEY} turns it on."),
        (false, true) => text!("Analysis is off; the chart is back. {ANALYSIS_KEY} turns it on."),
    }
}

/// Says whether the board is flipped.
pub fn flipped_board_message(is_turned: bool) -> Text {
    if is_turned {
        text!("The board is flipped. {FLIP_KEY} flips it back.")
    } else {
        "The board is flipped back.".into()
    }
}

/// Phrase about a theme that is shown without colours.
pub const WITHOUT_COLOURS: &str = "without colours";
/// Phrase about a theme that is shown in the colours of the terminal.
pub const IN_TERMINAL_COLOURS: &str = "with the terminal's own 16 colours (set COLORTERM=truecolor for more)";

/// Formats the name of a theme with the one that it resolves to: `auto (dark)`.
pub fn format_resolved_theme(name: &str, found: Option<&str>) -> String {
    found.map_or_else(|| name.to_owned(), |found| format!("{name} ({found})"))
}

/// Says which theme is on. `why` is a phrase about its restriction.
pub fn theme_message(name: &str, why: Option<&str>) -> Text {
    let how = why.map(|why| format!(", {why}")).unwrap_or_default();
    text!("Theme: {name}{how}. {THEME_KEY} changes it.")
}

/// Says whether the mouse is on.
pub fn mouse_message(is_on: bool) -> &'static str {
    if is_on {
        "The mouse is on. Type :mouse to turn it off."
    } else {
        "The mouse is off, so the terminal selects text. Type :mouse to turn it on."
    }
}

/// Says the speed of a replay.
pub fn replay_speed_message(seconds: f64) -> String {
    format!("{seconds} s per move.")
}

/// Says whether auto-play is on.
pub fn auto_play_message(is_auto: bool) -> Text {
    if is_auto {
        text!("Auto-play is on. {SPACE_KEY} stops it.")
    } else {
        text!("Stopped. {SPACE_KEY} resumes.")
    }
}

/// Says which move a side played.
pub fn move_played_message(position: &dyn Position, side: Side, mv: &str) -> Text {
    let (name, mv) = (position.side_name(side), mark_move(Some(side), mv));
    text!("{name} played {mv}.")
}

/// Says that an engine is thinking, perhaps after a move.
pub fn side_thinking_message(name: SideName, last: Option<&str>, is_program: bool) -> Text {
    let last = last.map(|last| text!("Played {}. ", mark_move(None, last))).unwrap_or_default();
    let help = if is_program {
        text!("It cannot be interrupted; {LEVEL_COMMAND} replaces it.")
    } else {
        text!("{ESC_KEY} plays its best move so far.")
    };
    text!("{last}{name} is thinking. {help}")
}

/// Returns the refusal of a move while an engine is thinking.
pub fn refused_while_thinking(is_program: bool) -> Text {
    if is_program { external_thinking_message() } else { engine_thinking_message() }
}

/// Says which side is to move. `is_you` is true for the only human player.
pub fn turn_message(name: SideName, is_you: bool) -> Text {
    if is_you { text!("Your move, {name}.") } else { text!("{name} to move.") }
}

/// Says that the player may swap.
pub fn swap_offer_message(other: SideName, word: &str) -> Text {
    text!("{SWAP_KEY} {word}s: take {other}'s stone as yours.")
}

/// Describes the fault of a file that can be replayed in part, longest wording first. `short` is the fault in
/// fewer words.
pub fn partial_file_message(fault: &Text, short: &Text) -> [Text; 3] {
    let [fault, brief] = [fault, short].map(Text::without_full_stop);
    let whole = text!("{fault}. You can step through the moves up to there; {PLAY_ON_KEY} plays on.");
    [whole, text!("{brief}. {PLAY_ON_KEY} plays on."), short.clone()]
}

/// Says why a replay stops here, longest wording first. `short` is the fault in fewer words.
pub fn replay_stop_message(fault: &Text, short: &Text) -> [Text; 3] {
    let [fault, brief] = [fault, short].map(Text::without_full_stop);
    let whole = text!("{fault}. Another step starts a new game against the engine.");
    [whole, text!("{brief}. Another step starts a new game."), short.clone()]
}

/// Continuation of a file after the position that is shown.
#[derive(Clone, Copy, Debug)]
pub enum FileEnd {
    /// The file continues, or its game is over.
    None,
    /// The file ends with an unfinished game.
    Unfinished,
    /// The file ends, and another step starts a game as in the original program.
    NewGame,
}

/// Describes the position after a step: `others` side lines start here; `is_live` if a game is in progress.
pub fn describe_step(shown: &dyn Position, plies: usize, is_live: bool, end: FileEnd, others: usize) -> Text {
    let at = match shown.last_move() {
        None => text!("Start of the game, {} in all.", super::format_move_count(plies)),
        Some(last) => {
            let side = shown.to_move().other();
            let (name, last) = (shown.side_name(side), mark_move(Some(side), last));
            text!("Move {} of {plies}: {name} {last}.", shown.plies())
        }
    };
    let at = if others == 0 { at } else { text!("{at} Up and down show side lines.") };
    match (end, is_live, shown.plies()) {
        (FileEnd::NewGame, ..) => {
            text!("{at} End of the file. Another step starts a new game against the engine.")
        }
        (FileEnd::Unfinished, ..) => text!("{at} End of the file. {PLAY_ON_KEY} plays on from here."),
        (FileEnd::None, true, _) => text!("{at} {BACK_KEY} and {FORWARD_KEY} step, {ESC_KEY} returns."),
        (FileEnd::None, false, 0) => text!("{at} The arrow keys step."),
        (FileEnd::None, false, _) => at,
    }
}

/// Label before the bar of win chances.
pub const WIN_CHANCES_LABEL: &str = "chances";

/// Formats the score of several games, longest wording first.
pub fn format_score(players: ScorePlayers<'_>, [one, other, draws]: [u32; 3]) -> [Text; 4] {
    let [first, second] = match players {
        ScorePlayers::HumanAndEngine => [text!("you {one}"), text!("engine {other}")],
        ScorePlayers::Sides([first, second]) => [
            text!("{}", mark_side(Side::First, format!("{first} {one}"))),
            text!("{}", mark_side(Side::Second, format!("{second} {other}"))),
        ],
    };
    let parts = [first, second, text!("draws {draws}")];
    let shortest = join_texts(&parts[..if draws == 0 { 2 } else { 3 }], " ");
    let [wide, narrow] = ["   ", " "].map(|gap| join_texts(&parts, gap));
    [text!("Score   {wide}"), wide, narrow, shortest]
}

/// Players of several games.
#[derive(Clone, Copy, Debug)]
pub enum ScorePlayers<'n> {
    /// A human and an engine, whatever their sides.
    HumanAndEngine,
    /// The sides, by their signs or names.
    Sides([&'n str; 2]),
}

/// Says at which move an engine match is stopped.
pub fn stopped_match_title(plies: usize, all: usize) -> String {
    format!("stopped, move {plies} of {all}")
}

/// Formats the place of the position in the game, for the title.
pub fn format_place_in_game(
    plies: usize,
    all: usize,
    is_past: bool,
    is_replay: bool,
    is_over: bool,
) -> String {
    match () {
        () if is_replay && is_past => format!("replay, move {plies} of {all}"),
        () if is_replay => format!("move {plies} of {all}"),
        () if is_past => format!("showing move {plies} of {all}"),
        () if is_over => format!("over after {}", super::format_move_count(plies)),
        () => format!("move {}", plies + 1),
    }
}

/// Formats the times of both sides in minutes and seconds: `4:58 / 0:07`.
pub fn format_clocks(times: BySide<Duration>) -> String {
    let [one, other] = Side::map_both(|side| format_minutes(times[side]));
    format!("{one} / {other}")
}

/// Formats a time in minutes and seconds.
fn format_minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// Formats the time used by both sides in a game without clocks: `time used ▲ 4:58 ▼ 0:07`.
pub fn format_time_used(signs: &[Text; 2], times: BySide<Duration>) -> Text {
    let [one, other] =
        Side::map_both(|side| text!("{} {}", signs[side.index()], format_minutes(times[side])));
    text!("time used {one} {other}")
}

/// Formats the place in the game and the side to move, for the title.
pub fn format_turn_title(at: &str, name: SideName) -> Text {
    text!("{at}: {name}")
}

/// Name of the human player in the title.
pub const YOU_LABEL: &str = "You";

/// Formats the players for the title: `You ● Red   vs   ○ Blue Level 4, improver`. `gap` surrounds `vs`.
pub fn format_players(names: &[Text; 2], who: &[Option<String>; 2], gap: &str) -> Text {
    let [first, second] = names;
    let first = who[0].as_ref().map_or_else(|| first.clone(), |who| text!("{who} {first}"));
    let second = who[1].as_ref().map_or_else(|| second.clone(), |who| text!("{second} {who}"));
    text!("{first}{gap}vs{gap}{second}")
}

/// Formats an engine for the title, longest wording first: `Level 4, improver`, `Level 4`; `classic`.
pub fn format_title_level(engine: &str) -> [String; 2] {
    let level = engine.parse::<EngineKind>().ok().filter(|level| matches!(level, EngineKind::Level(_)));
    let Some(level) = level else { return [engine.to_owned(), engine.to_owned()] };
    let name = level.strength_name().map(|name| format!(", {name}")).unwrap_or_default();
    [format!("Level {level}{name}"), format!("Level {level}")]
}

/// Formats a level with its name: `level 2 · novice`, `classic · as the original program`.
pub fn format_menu_level(level: EngineKind, glyphs: GlyphSet) -> String {
    let dot = if glyphs == GlyphSet::Unicode { " · " } else { ", " };
    let name = level.strength_name().map(|name| format!("{dot}{name}")).unwrap_or_default();
    if let EngineKind::Level(_) = level { format!("level {level}{name}") } else { format!("{level}{name}") }
}

/// Formats the day on which a saved game was played, for the title.
pub fn format_day_played(day: &str) -> String {
    let date = day.parse::<jiff::civil::Date>();
    format!(
        "played on {}",
        date.map_or_else(|_| day.to_owned(), |date| date.strftime("%-d %b %Y").to_string())
    )
}
/// Formats the name of the file that is shown, for the title.
pub fn replay_title(file: &str) -> String {
    format!("replay of {file}")
}
/// Formats the result of a replayed game, for the title.
pub fn replay_result_title(winner: Option<SideName>) -> Text {
    winner.map_or_else(|| "draw".into(), |winner| text!("{winner} won"))
}
/// Formats the side to move, for the title.
pub fn side_to_move_title(name: &Text) -> Text {
    text!("{name} to move")
}

/// Returns the footer of a page: its filter and keys.
pub fn page_footer(filter: &str, is_filtering: bool) -> String {
    match (is_filtering, filter.is_empty()) {
        (true, _) => format!(" search: {filter} "),
        (false, false) => format!(" lines containing \"{filter}\"; Esc shows all "),
        (false, true) => " arrows scroll   / search   Esc close ".to_owned(),
    }
}

/// Says in the menu how options are changed. `less` and `more` are the signs beside their values.
pub fn options_footer([less, more]: [&str; 2], keys: &str) -> String {
    format!("{less} {more} change: Tab, then {keys}")
}
/// Formats the size of a window: `80 × 24`.
fn format_window_size(
    width: impl std::fmt::Display,
    height: impl std::fmt::Display,
    glyphs: GlyphSet,
) -> String {
    let times = if glyphs == GlyphSet::Unicode { '×' } else { 'x' };
    format!("{width} {times} {height}")
}

/// Says in the menu that the chosen board does not fit the window, longest wording first.
pub fn board_too_large_message(needs: (usize, usize), size: (u16, u16), glyphs: GlyphSet) -> [String; 2] {
    let (needs, has) =
        (format_window_size(needs.0, needs.1, glyphs), format_window_size(size.0, size.1, glyphs));
    let short = format!("This board needs a window of {needs}.");
    [format!("{short} Yours is {has}."), short]
}

/// Returns the lines of the page for a window that is too small, each with its rank; high ranks are left out
/// first. `needs` is the minimum window for the board, `more` the number of columns with the move list.
pub fn small_window_page(
    shown: &dyn Position,
    title: &str,
    (width, height): (u16, u16),
    (needs, more): ((usize, usize), Option<usize>),
    glyphs: GlyphSet,
) -> Vec<(u8, String)> {
    let by = shown.side_name(shown.to_move().other());
    let next = match shown.outcome() {
        Some(_) => "the game is over".to_owned(),
        None => format!("{} to move", shown.side_name(shown.to_move())),
    };
    let last = match (shown.last_move(), width) {
        (Some(last), 0..48) => format!("{next}; last: {by} {last}"),
        (Some(last), _) => format!("last: {by} played {last}; {next}"),
        (None, _) => format!("no moves yet; {next}"),
    };
    let (has, wanted) =
        (format_window_size(width, height, glyphs), format_window_size(needs.0, needs.1, glyphs));
    let is_small = if width < 30 { format!("{has} is too small.") } else { format!("This window is {has}.") };
    let wants = if width < 34 { format!("Needed: {wanted}.") } else { format!("{title} needs {wanted}.") };
    let more = more.map(|columns| format_window_size(columns, needs.1, glyphs));
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

/// Lists the keys while a position is set up.
pub fn setup_keys_message() -> Text {
    text!(
        "Setting up: {ENTER_KEY} changes the place under the cursor, {SIDE_TO_MOVE_KEY} the side to move, {UNDO_KEY} undoes, {ESC_KEY} ends."
    )
}
