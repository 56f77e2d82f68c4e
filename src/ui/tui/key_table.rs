//! Table of key bindings. The key bar, the help, the manual page and the list of keys in
//! docs/manual.md are generated from it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Context in which a key is pressed. It decides the meaning of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyContext {
    /// The board.
    Board,
    /// The board, with the cursor on a wall slot between the cells.
    Wall,
    /// The board, while the shown position is not the present one.
    Looking,
    /// A game that is replayed move by move.
    Replay,
    /// The analysis board, with the tree in focus.
    Analysis,
    /// The analysis board, with the engine's lines in focus.
    Lines,
    /// The analysis board, while a position is set up.
    SetUp,
    /// The board while the player practises their own mistakes.
    Training,
    /// The start menu.
    Menu,
    /// The rules with pictures.
    Rules,
    /// A page of text.
    Page,
    /// A window that is too small for the board.
    Small,
    /// A line that is being typed.
    Field,
    /// A list.
    List,
    /// A list of files, while a name is typed.
    Files,
    /// A question that waits for an answer.
    Question,
}

impl KeyContext {
    /// All contexts with their headings in the help.
    pub const ALL: [(KeyContext, &'static str); 16] = [
        (KeyContext::Board, "At the board"),
        (KeyContext::Wall, "At the board, placing a wall"),
        (KeyContext::Looking, "At the board, at an earlier position"),
        (KeyContext::Replay, "Replay, or a match of two engines"),
        (KeyContext::Analysis, "Analysis board"),
        (KeyContext::Lines, "Analysis board, at the engine's lines"),
        (KeyContext::SetUp, "Analysis board, setting up a position"),
        (KeyContext::Training, "Your own mistakes"),
        (KeyContext::Menu, "Start menu"),
        (KeyContext::Rules, "Rules with pictures"),
        (KeyContext::Page, "Help and other pages"),
        (KeyContext::Small, "In a window that is too small"),
        (KeyContext::Field, "While typing a line"),
        (KeyContext::List, "In a list"),
        (KeyContext::Files, "Choosing a file"),
        (KeyContext::Question, "At a question"),
    ];

    /// Reports whether letter keys are typed as text.
    pub fn takes_text(self) -> bool {
        matches!(self, KeyContext::Field | KeyContext::Files)
    }

    /// Reports whether letter and digit keys begin a move.
    pub fn takes_moves(self) -> bool {
        matches!(
            self,
            KeyContext::Board
                | KeyContext::Wall
                | KeyContext::Looking
                | KeyContext::Analysis
                | KeyContext::Training
        )
    }
}

/// Last letter that can begin a move. The letters after it are keys with actions.
pub(super) const LAST_MOVE_LETTER: char = 'n';

/// Action that a key performs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says what each does")]
pub enum KeyAction {
    Left,
    Right,
    Up,
    Down,
    UpRight,
    DownLeft,
    RowStart,
    RowEnd,
    Play,
    Walls,
    Rotate,
    Across,
    Upright,
    Undo,
    Redo,
    Back,
    Forward,
    Hint,
    Panel,
    Path,
    Flip,
    Swap,
    Command,
    Save,
    Open,
    New,
    Again,
    Easier,
    Harder,
    Resign,
    Level,
    First,
    Last,
    OtherBack,
    OtherOn,
    TenBack,
    TenForward,
    Auto,
    Faster,
    Slower,
    PlayOn,
    Analyze,
    Cursor,
    Hide,
    Comment,
    SetUp,
    Mark,
    PutFirst,
    PutSecond,
    Remove,
    OtherSide,
    MoreWalls,
    FewerWalls,
    MoreLines,
    FewerLines,
    Promote,
    Review,
    TurningPoint,
    NextTask,
    Mistakes,
    Present,
    Start,
    Options,
    Pick,
    GoOn,
    Search,
    Theme,
    Plain,
    Help,
    Escape,
    Quit,
    Interrupt,
    Suspend,
    Redraw,
    Rules,
    Submit,
    Complete,
    Delete,
    Saved,
    Erase,
    Clear,
    Yes,
    No,
    /// Starts typing a move. This action has no row in the table.
    Type,
    /// Plays the cell of a digit key. This action has no row in the table.
    Digit,
}

/// Key as the terminal reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalKey {
    /// A character.
    Char(char),
    /// A letter with Ctrl.
    Ctrl(char),
    /// A named key.
    Named(KeyCode),
}

impl TerminalKey {
    /// Reports whether this key was pressed.
    pub fn matches(self, event: &KeyEvent) -> bool {
        let has_ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        match (self, event.code) {
            (TerminalKey::Char(own), KeyCode::Char(pressed)) => own == pressed && !has_ctrl,
            (TerminalKey::Ctrl(own), KeyCode::Char(pressed)) => {
                own == pressed.to_ascii_lowercase() && has_ctrl
            }
            (TerminalKey::Named(own), pressed) => own == pressed,
            _ => false,
        }
    }
}

/// Row of the table of key bindings.
#[derive(Clone, Copy, Debug)]
pub struct KeyBinding {
    /// Action that the keys perform.
    pub act: KeyAction,
    /// Contexts in which the keys work.
    pub contexts: &'static [KeyContext],
    /// Keys for the action.
    pub keys: &'static [TerminalKey],
    /// Keys as text for the key bar and the help.
    pub shown: &'static str,
    /// Entry in the key bar: a rank and a word. Entries with a high rank are omitted first, rank 0
    /// never.
    pub bar: Option<(u8, &'static str)>,
    /// Description of the action in the help.
    pub long: &'static str,
    /// Command that does the same when typed after `:`, or `-` if there is none.
    pub word: &'static str,
}

use KeyContext::{
    Analysis, Board, Field, Files, Lines, List, Looking, Menu, Page, Question, Replay, Rules, SetUp, Small,
    Training, Wall,
};
use TerminalKey::{Char, Ctrl, Named};

const CONTEXTS_EXCEPT_TYPING: &[KeyContext] =
    &[Board, Wall, Looking, Replay, Analysis, Lines, SetUp, Training, Menu, Rules, Page, Small, List];
const ALL_CONTEXTS: &[KeyContext] = &[
    Board, Wall, Looking, Replay, Analysis, Lines, SetUp, Training, Menu, Rules, Page, Small, Field, List,
    Files, Question,
];
const PLAYING_CONTEXTS: &[KeyContext] = &[Board, Wall, Looking];
const SHOWN_POSITION_CONTEXTS: &[KeyContext] = &[Board, Wall, Looking, Replay, Analysis, Lines, SetUp];
const ANY_BOARD_CONTEXTS: &[KeyContext] = &[Board, Wall, Looking, Replay, Analysis, Lines, SetUp, Training];

macro_rules! actions {
    ($($act:ident $contexts:tt $keys:tt $shown:literal $bar:expr, $long:literal $word:literal;)*) => {
        /// All key bindings, in the order of the key bar and the help.
        pub const KEY_BINDINGS: &[KeyBinding] = &[$(KeyBinding {
            act: KeyAction::$act, contexts: actions!(@contexts $contexts), keys: &$keys, shown: $shown,
            bar: $bar, long: $long, word: $word,
        }),*];
    };
    (@contexts [$($context:ident)*]) => { &[$($context),*] };
    (@contexts ($all:ident)) => { $all };
}

actions! {
    Up [Board Wall SetUp Training] [Named(KeyCode::Up)] "arrows" Some((3, "move")), "move the cursor" "-";
    Up [Menu] [Named(KeyCode::Up)] "arrows" Some((7, "choose")), "choose a game or an option" "-";
    Up [Page] [Named(KeyCode::Up)] "arrows" Some((3, "scroll")), "scroll the page" "-";
    Up [List Files] [Named(KeyCode::Up)] "arrows" Some((3, "choose")), "choose a row" "-";
    Up [Lines] [Named(KeyCode::Up)] "↑ ↓" Some((2, "choose")), "choose a line" "-";
    Down [Board Wall SetUp Training Lines Menu Page List Files] [Named(KeyCode::Down)] "" None, "" "-";
    Left [Board Wall SetUp Training] [Named(KeyCode::Left)] "" None, "" "-";
    Left [Menu] [Named(KeyCode::Left)] "← →" Some((3, "change")), "change the chosen option" "-";
    Right [Board Wall SetUp Training Menu] [Named(KeyCode::Right)] "" None, "" "-";
    UpRight [Board Wall SetUp Training] [Named(KeyCode::PageUp)] "PgUp PgDn" None, "move up and right, or down and left" "-";
    DownLeft [Board Wall SetUp Training] [Named(KeyCode::PageDown)] "" None, "" "-";
    RowStart [Board Wall SetUp Training] [Named(KeyCode::Home)] "Home End" None, "go to the start or end of the row" "-";
    RowEnd [Board Wall SetUp Training] [Named(KeyCode::End)] "" None, "" "-";
    Back [Looking Replay Analysis] [Named(KeyCode::Left), Char('[')] "← →" Some((2, "step")), "step one move back or forward (also [ ] and the wheel)" "back";
    Forward [Looking Replay Analysis] [Named(KeyCode::Right), Char(']')] "" None, "" "next";
    Back [Lines] [Named(KeyCode::Left), Char('[')] "← →" Some((2, "walk")), "walk along the line; its moves become a variation" "-";
    Forward [Lines] [Named(KeyCode::Right), Char(']')] "" None, "" "-";
    Back [Rules] [Named(KeyCode::Left), Named(KeyCode::Up), Named(KeyCode::PageUp)] "← →" Some((1, "page")), "previous or next page (also the wheel)" "-";
    Forward [Rules] [Named(KeyCode::Right), Named(KeyCode::Down), Named(KeyCode::PageDown), Char(' ')] "" None, "" "-";
    First [Looking Replay Analysis] [Named(KeyCode::Home)] "Home End" Some((3, "first/last")), "go to the first/last position" "goto 0";
    Last [Looking Replay Analysis] [Named(KeyCode::End)] "" None, "" "goto end";
    OtherBack [Looking Replay Analysis] [Named(KeyCode::Up)] "↑ ↓" None, "show the side lines at this move" "variations 1";
    OtherOn [Looking Replay Analysis] [Named(KeyCode::Down)] "" None, "" "-";
    TenBack [Looking Replay Analysis] [Named(KeyCode::PageUp)] "PgUp PgDn" None, "step ten moves back or forward" "back 10";
    TenForward [Looking Replay Analysis] [Named(KeyCode::PageDown)] "" None, "" "next 10";
    Auto [Replay] [Char(' ')] "Space" Some((2, "auto-play")), "start or stop auto-play" "-";
    Faster [Replay] [Char('+')] "+ -" Some((4, "speed")), "change the speed: 0.25, 0.5, 1, 2 or 4 seconds per move" "-";
    Slower [Replay] [Char('-')] "" None, "" "-";
    PlayOn [Looking Board Wall] [Char('x')] "x" Some((3, "play on")), "play on from here (the later moves stay as a side line: ↑ ↓)" "play";
    PlayOn [Replay] [Char('x')] "x" Some((3, "play on")), "play on from here (the later moves stay as a side line); in a file that is replayed you move for both sides, and :side first asks the engine to play" "play";
    PlayOn [Analysis] [Char('x')] "x" Some((6, "play on")), "play on from here; you move for both sides until :side asks the engine to play" "play";
    Cursor [Analysis] [Named(KeyCode::Tab), Named(KeyCode::Enter), Char(' ')] "Tab" Some((2, "cursor")), "move the cursor and play with Enter (also Enter; or click, or type a move); Tab again goes to the engine's lines, Esc returns to the moves" "-";
    Cursor [Lines] [Named(KeyCode::Tab)] "Tab" Some((3, "moves")), "back to the moves (also Esc)" "-";
    Hide [Analysis] [Char('X'), Named(KeyCode::Delete)] "X" Some((4, "delete")), "delete the last move shown and all that follows (also Delete; u brings it back)" "hide";
    Comment [Analysis] [Char('C')] "C" Some((4, "comment")), "write a comment on this position; comment - deletes it" "comment TEXT";
    Mark [Analysis] [Char('M')] "M" None, "mark a cell with a triangle; again to remove the mark" "mark";
    Promote [Analysis] [Char('+')] "+" Some((5, "promote")), "promote: make the line shown the main line" "promote";
    SetUp [Analysis] [Char('E')] "E" Some((6, "set up")), "set up a position with the cursor" "setup";
    Play [SetUp] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((2, "change")), "change what is here: a piece of the first player, one of the second, nothing (also Space, or a click)" "-";
    PutFirst [SetUp] [Char('1')] "1 2" Some((3, "put")), "put a piece of the first or of the second player here" "setup first";
    PutSecond [SetUp] [Char('2')] "" None, "" "setup second";
    Remove [SetUp] [Char('0'), Named(KeyCode::Delete), Named(KeyCode::Backspace)] "0" Some((3, "empty")), "empty this place (also Delete)" "setup remove";
    OtherSide [SetUp] [Char('m')] "m" Some((3, "side")), "let the other side move first" "setup turn";
    MoreWalls [SetUp] [Char('+')] "+ -" Some((2, "walls left")), "change the walls left: one more or less for the side to move" "setup walls";
    FewerWalls [SetUp] [Char('-')] "" None, "" "-";
    MoreLines [Analysis Lines] [Char('>')] "< >" Some((7, "lines")), "show fewer or more of the engine's lines, 1 to 5" "-";
    FewerLines [Analysis Lines] [Char('<')] "" None, "" "-";
    Review [Analysis] [Char('R')] "R" Some((5, "review")), "review the line shown; again to stop" "review";
    Review [Replay] [Char('a')] "a" Some((2, "review")), "review the game: ?! ? ?? mark moves that cost 10, 20 or 40 points of win chance; again to stop" "review";
    Review (PLAYING_CONTEXTS) [Char('a')] "a" Some((3, "review")), "review the finished game; again to stop" "review";
    TurningPoint [Analysis] [Char('J')] "J" Some((3, "mistakes")), "mistakes: the position before the worst one, with the move played (?) and the better one (!)" "-";
    TurningPoint [Board Wall Looking Replay] [Char('j'), Char('J')] "j" Some((3, "mistakes")), "mistakes: the position before the worst one, with the move played (?) and the better one (!); → steps through the better line, j goes to the next mistake, Esc returns" "-";
    Analyze [Replay Training] [Char('E')] "E" Some((6, "analysis")), "analysis board: try moves for both sides, with the engine's view" "analyze";
    Analyze [Menu] [Char('E')] "E" None, "analysis board of the chosen game: move for both sides" "analyze";
    Analyze (PLAYING_CONTEXTS) [Char('E')] "E" Some((6, "analysis")), "analysis board: try moves for both sides, with the engine's view (once the game is over)" "analyze";
    Present [Looking] [Named(KeyCode::Enter), Char(' '), Char('w'), Named(KeyCode::Tab)] "Enter" None, "return to the current position (also Space, Esc, or a click on the board)" "goto end";
    Walls [Board Wall SetUp Training] [Char('w'), Named(KeyCode::Tab)] "w" Some((3, "wall")), "place a wall, or go back to the pawn (also Tab)" "-";
    Rotate [Wall SetUp] [Char('r')] "r" Some((3, "rotate")), "rotate the wall (also right click)" "-";
    Across [Wall] [Char('-')] "- |" None, "make the wall horizontal or vertical" "-";
    Upright [Wall] [Char('|')] "" None, "" "-";
    Play [Board] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((2, "play")), "play at the cursor (also Space, or a click)" "the move";
    Play [Wall] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((2, "place")), "place the wall (also Space, or another click on it)" "the move";
    Play [Training] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((1, "play")), "play at the cursor (also Space, or a click); after a wrong move, back to the position; once the answer is there, to the next mistake" "the move";
    NextTask [Training] [Char('N')] "N" Some((2, "next")), "next mistake; this one stays due where nothing was tried" "next";
    TurningPoint [Training] [Char('J')] "J" Some((2, "solution")), "show the solution, which counts as a wrong answer; → steps through the better line" "solution";
    Undo [Training] [Char('u')] "u" Some((3, "undo")), "undo the try: back to the position" "undo";
    Mistakes [Menu] [Char('m')] "m" None, "your mistakes: practise those that are due" "-";
    Start [Menu] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((1, "start")), "start the game" "-";
    Start [Rules] [Named(KeyCode::Enter)] "Enter" Some((1, "play")), "play: start the chosen game, or return to the board" "-";
    Rules [Menu] [Char('i')] "i" Some((2, "rules")), "rules of the chosen game, with pictures" "rules";
    Options [Menu] [Named(KeyCode::Tab), Named(KeyCode::BackTab)] "Tab" Some((2, "setup")), "setup: go to the options and back" "-";
    Pick [Menu] [Char('1'), Char('2'), Char('3'), Char('4'), Char('5'), Char('6'), Char('7'), Char('8'), Char('9')] "1-9" None, "choose a game by its number" "-";
    GoOn [Menu] [Char('c')] "c" None, "continue the game behind the menu, or else your last unfinished game" "-";
    Escape [Menu] [Named(KeyCode::Esc)] "Esc" Some((1, "back")), "back to the game behind the menu, if there is one; from the options, back to the list of games" "-";
    Saved [Menu] [Char('s')] "s" Some((5, "saved")), "saved games: continue, replay or delete one" "-";
    Swap [Board Training] [Char('S')] "S" Some((2, "swap")), "swap: take over the first stone, where the rules allow it" "swap";
    Undo (PLAYING_CONTEXTS) [Char('u')] "u" Some((4, "undo")), "undo your last move and the reply" "undo";
    Redo (PLAYING_CONTEXTS) [Char('U'), Ctrl('r')] "U" Some((7, "redo")), "redo (also Ctrl-R)" "redo";
    Back [Board Wall] [Char('[')] "[ ]" Some((2, "step")), "step back to earlier positions and forward again (also the wheel)" "back";
    Forward [Board Wall] [Char(']')] "" None, "" "next";
    Undo [Analysis Lines SetUp] [Char('u')] "u" Some((5, "undo")), "undo the last change of the tree" "undo";
    Redo [Analysis Lines SetUp] [Char('U'), Ctrl('r')] "U" None, "redo (also Ctrl-R)" "redo";
    Hint (SHOWN_POSITION_CONTEXTS) [Char('t')] "t" Some((4, "hint")), "hint: suggest a move (< >) and say why" "hint";
    Panel (SHOWN_POSITION_CONTEXTS) [Char('v')] "v" Some((5, "analysis")), "analysis on or off: value and best moves (1 2 3) of the position on screen" "eval";
    Path (ANY_BOARD_CONTEXTS) [Char('p')] "p" Some((5, "overlays")), "overlays: paths and connections; again for the next, then off" "-";
    Flip (ANY_BOARD_CONTEXTS) [Char('y')] "y" None, "flip the board" "-";
    Command (ANY_BOARD_CONTEXTS) [Char(':')] ":" None, "type a command; :help lists them, :mouse turns the mouse on or off" "-";
    Command [Menu] [Char(':')] ":" None, "type a command: new GAME SIZE, replay FILE, level N, rules, help, quit" "-";
    Save (SHOWN_POSITION_CONTEXTS) [Char('s')] "s" Some((6, "save")), "save the game to a file" "save";
    Open [Board Wall Looking Replay Analysis Menu] [Char('o')] "o" Some((6, "open")), "open a game from a file (from the menu: replay it); Tab completes names" "load";
    New [Board Wall Looking Replay Analysis Training Small] [Ctrl('n')] "Ctrl-N" None, "new game (Esc returns to this one)" "new";
    New [Board Wall Looking Replay Small] [Char('N')] "N" Some((2, "new")), "new game (once this one is over)" "new";
    Again (PLAYING_CONTEXTS) [Char('A')] "A" Some((2, "rematch")), "rematch with sides swapped (once the game is over)" "new";
    Easier (PLAYING_CONTEXTS) [Char('<')] "< >" Some((3, "level")), "rematch at the level below or above (once the game is over)" "easier";
    Harder (PLAYING_CONTEXTS) [Char('>')] "" None, "" "harder";
    Resign (PLAYING_CONTEXTS) [Char('R')] "R" None, "resign (you are asked first)" "resign";
    Level (PLAYING_CONTEXTS) [Char('z')] "z" None, "change the engine's level" "level";
    Level [Analysis] [Char('z')] "z" None, "change the engine that analyses" "level";
    Search [List] [Char('/')] "/" Some((3, "search")), "search: show only games containing a text" "-";
    Search [Page] [Char('/')] "/" Some((3, "search")), "search: show only lines containing a text" "-";
    UpRight [Page List Files] [Named(KeyCode::PageUp)] "PgUp PgDn" None, "previous or next page" "-";
    DownLeft [Page List Files] [Named(KeyCode::PageDown)] "" None, "" "-";
    RowStart [Page List Files] [Named(KeyCode::Home)] "Home End" None, "go to the top or the end" "-";
    RowEnd [Page List Files] [Named(KeyCode::End)] "" None, "" "-";
    Plain [Small] [Char('p')] "p" Some((1, "plain")), "continue in line mode (plain text); type tui to return" "-";
    Submit [Field] [Named(KeyCode::Enter)] "Enter" Some((0, "OK")), "OK: do what was typed" "-";
    Start [List] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((1, "open")), "open the game: continue it, or replay it if it is over" "-";
    Submit [Files] [Named(KeyCode::Enter)] "Enter" Some((1, "open")), "open the file or folder" "-";
    Complete [Files] [Named(KeyCode::Tab)] "Tab" Some((2, "complete")), "complete the name, or choose the next row" "-";
    Delete [List] [Char('d'), Named(KeyCode::Delete)] "d" Some((3, "delete")), "delete the game (you are asked first)" "-";
    Erase [Field Files] [Named(KeyCode::Backspace), Ctrl('h')] "Backspace" None, "delete the last character (also Ctrl-H)" "-";
    Clear [Field Files] [Ctrl('u')] "Ctrl-U" None, "delete the whole line" "-";
    Escape [Field] [Named(KeyCode::Esc)] "Esc" Some((0, "cancel")), "cancel" "-";
    Escape [Files] [Named(KeyCode::Esc)] "Esc" Some((0, "back")), "go back: close the list" "-";
    Help [Field Files] [Named(KeyCode::F(1))] "F1" None, "this help" "-";
    Yes [Question] [Char('y'), Char('Y')] "y" Some((0, "yes")), "yes" "-";
    No [Question] [Char('n'), Char('N'), Named(KeyCode::Esc)] "n" Some((0, "no")), "no (also Esc)" "-";
    Help [Question] [Char('?'), Named(KeyCode::F(1))] "?" Some((0, "help")), "this help (also F1)" "help";
    Theme (CONTEXTS_EXCEPT_TYPING) [Char('T')] "T" None, "change the theme (colours)" "theme NAME";
    Redraw (ALL_CONTEXTS) [Ctrl('l')] "Ctrl-L" None, "redraw the screen" "board";
    Suspend (ALL_CONTEXTS) [Ctrl('z')] "Ctrl-Z" None, "suspend crosspath; fg resumes it" "-";
    Escape [Lines] [Named(KeyCode::Esc)] "Esc" Some((2, "back")), "back to the moves" "-";
    Escape [SetUp] [Named(KeyCode::Esc), Char('E')] "Esc" Some((1, "done")), "done: analyse the position (also E)" "-";
    Escape [Training] [Named(KeyCode::Esc)] "Esc" Some((2, "back")), "back to the position; from there, back to the game or the menu" "-";
    Escape [Analysis] [Named(KeyCode::Esc)] "Esc" Some((2, "back")), "back to the game that was taken here, or to the menu" "-";
    Escape [Board Wall Looking Replay Rules Page Small List] [Named(KeyCode::Esc)] "Esc" Some((2, "back")), "stop thinking and move; clear the input; close a page; go back" "-";
    Interrupt (ALL_CONTEXTS) [Ctrl('c')] "Ctrl-C" None, "quit with exit code 130" "-";
    Help (CONTEXTS_EXCEPT_TYPING) [Char('?'), Named(KeyCode::F(1))] "?" Some((0, "help")), "this help (also F1)" "help";
    Quit [Board Wall Looking Analysis Lines SetUp] [Char('q')] "q" Some((0, "quit")), "quit; the game is saved from its first move on, and c in the menu or --continue resumes it" "quit";
    Quit [Training] [Char('q')] "q" Some((0, "quit")), "quit; from the menu or a game, back to it" "quit";
    Quit [Replay] [Char('q')] "q" Some((0, "quit")), "quit; from a replay of your own game, back to the board; from one chosen in the menu, back to the menu" "quit";
    Quit [Menu Small] [Char('q')] "q" Some((0, "quit")), "quit" "quit";
    Quit [List] [Char('q')] "q" Some((0, "close")), "close the list" "-";
    Quit [Rules] [Char('q')] "q" Some((0, "close")), "close the rules" "-";
    Quit [Page] [Char('q')] "q" Some((0, "close")), "close the page" "quit";
}

/// Returns additional search terms by which the help finds an action.
pub fn help_synonyms(act: KeyAction) -> &'static [&'static str] {
    match act {
        KeyAction::Undo => &["take back"],
        KeyAction::Redo => &["play again"],
        KeyAction::Panel => &["engine", "evaluation", "eval"],
        KeyAction::Path => &["paths", "pairs", "bridges", "connections"],
        KeyAction::Flip => &["turn"],
        KeyAction::OtherBack => &["variation"],
        KeyAction::Analyze => &["analyse", "explore"],
        KeyAction::Hide => &["remove"],
        KeyAction::Comment => &["note"],
        KeyAction::Options => &["options"],
        KeyAction::Open => &["load"],
        KeyAction::Saved => &["history", "archive"],
        KeyAction::Mistakes => &["blunders", "training"],
        KeyAction::Rules => &["how to play", "tutorial"],
        KeyAction::GoOn => &["resume"],
        KeyAction::Again => &["again"],
        KeyAction::Resign => &["give up"],
        KeyAction::Quit => &["exit", "leave"],
        KeyAction::Theme => &["colors"],
        KeyAction::Level => &["strength", "difficulty"],
        KeyAction::Review => &["blunders"],
        KeyAction::TurningPoint => &["turning point", "lesson", "better move"],
        KeyAction::Easier => &["easier", "harder"],
        KeyAction::Hint => &["advice", "suggestion"],
        _ => &[],
    }
}

/// Finds the action of a key in a context.
pub fn find_action(context: KeyContext, event: &KeyEvent) -> Option<KeyAction> {
    let mut here = KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context));
    here.find(|action| action.keys.iter().any(|key| key.matches(event))).map(|action| action.act)
}

/// Returns the key bindings of a context that have a text for the help.
pub fn bindings_in_context(context: KeyContext) -> impl Iterator<Item = &'static KeyBinding> {
    KEY_BINDINGS.iter().filter(move |action| action.contexts.contains(&context) && !action.shown.is_empty())
}

/// Returns the section of the help for an action.
///
/// The sections are 0 for moves, 1 for stepping, 2 for advice, 3 for the game and 4 for the
/// program.
pub(super) fn help_section(act: KeyAction) -> usize {
    use KeyAction as A;
    match act {
        A::Back
        | A::Forward
        | A::First
        | A::Last
        | A::OtherBack
        | A::OtherOn
        | A::TenBack
        | A::TenForward
        | A::Auto
        | A::Faster
        | A::Slower
        | A::PlayOn
        | A::Present
        | A::Flip => 1,
        A::Hint | A::Panel | A::Path | A::Review | A::TurningPoint | A::NextTask | A::Mistakes => 2,
        A::Save
        | A::Saved
        | A::Open
        | A::New
        | A::Again
        | A::Easier
        | A::Harder
        | A::Resign
        | A::Level
        | A::GoOn => 3,
        A::Command
        | A::Theme
        | A::Plain
        | A::Help
        | A::Escape
        | A::Quit
        | A::Interrupt
        | A::Suspend
        | A::Redraw => 4,
        _ => 0,
    }
}

/// Renders the list of keys for docs/manual.md.
pub fn render_markdown_keys() -> String {
    let mut lines = vec!["# Keys of the full screen\n".to_owned()];
    lines.push("This page is generated from the table of key bindings. `?` shows the keys that work on the current screen.".to_owned());
    for (context, heading) in KeyContext::ALL {
        lines.push(format!("\n## {heading}\n\n| key | action | command |\n| --- | --- | --- |"));
        if context.takes_moves() {
            lines.push(format!("| `a`-`n`, `0`-`9` | {TYPING_HELP} | the move |"));
        }
        lines.extend(bindings_in_context(context).map(|action| {
            let word = if action.word == "-" { String::new() } else { format!("`{}`", action.word) };
            format!("| `{}` | {} | {word} |", action.shown.replace('|', "\\|"), action.long)
        }));
    }
    lines.join("\n") + "\n"
}

/// Help text about typing moves with letters and digits.
pub(crate) const TYPING_HELP: &str = "type a move, then Enter";

/// Renders the section KEYS of the manual page in roff format.
pub fn render_roff_keys() -> String {
    let plain = |text: &str| spell_out_arrows(&text.replace('-', "\\-"));
    let mut lines = vec![".SH KEYS".to_owned(), "On a terminal crosspath uses the full screen.".to_owned()];
    for (context, heading) in KeyContext::ALL {
        lines.push(format!(".SS {heading}"));
        if context.takes_moves() {
            lines.push(format!(".TP\n\\fBa\\-n 0\\-9\\fR\n{TYPING_HELP}"));
        }
        let item =
            |action: &KeyBinding| format!(".TP\n\\fB{}\\fR\n{}", plain(action.shown), plain(action.long));
        lines.extend(bindings_in_context(context).map(item));
    }
    lines.join("\n") + "\n"
}

/// Replaces arrow characters in key names by words, for terminals that may lack the characters.
pub(super) fn spell_out_arrows(text: &str) -> String {
    text.replace('←', "Left").replace('→', "Right").replace('↑', "Up").replace('↓', "Down")
}
