//! The one table of what keys do. The key bar, the help, the manual page and docs/keys.md are made from it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Where a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// At the board.
    Board,
    /// At the board, with the cursor between the cells.
    Wall,
    /// At the board, while another position than the present one is shown.
    Looking,
    /// While a game is shown move by move.
    Replay,
    /// In the start menu.
    Menu,
    /// While a page of text is open.
    Page,
    /// In a window too small for the board.
    Small,
}

impl Context {
    /// Every context with its heading.
    pub const ALL: [(Context, &'static str); 7] = [
        (Context::Board, "At the board"),
        (Context::Wall, "At the board, placing a wall"),
        (Context::Looking, "At the board, looking at another position"),
        (Context::Replay, "Replay, or two machines at play"),
        (Context::Menu, "Start menu"),
        (Context::Page, "Help and other pages of text"),
        (Context::Small, "In a window that is too small"),
    ];

    /// Whether letters and digits begin a move.
    pub fn takes_moves(self) -> bool {
        matches!(self, Context::Board | Context::Wall | Context::Looking)
    }
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says what each does")]
pub enum Action {
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
    Review,
    TurningPoint,
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
}

/// A key as terminals send it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// A letter with Ctrl.
    Ctrl(char),
    /// A key with a name.
    Named(KeyCode),
}

impl Key {
    /// Whether this key was pressed.
    pub fn is(self, event: &KeyEvent) -> bool {
        let has_ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        match (self, event.code) {
            (Key::Char(own), KeyCode::Char(pressed)) => own == pressed && !has_ctrl,
            (Key::Ctrl(own), KeyCode::Char(pressed)) => own == pressed.to_ascii_lowercase() && has_ctrl,
            (Key::Named(own), pressed) => own == pressed,
            _ => false,
        }
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct KeyBinding {
    /// What is done.
    pub act: Action,
    /// Where.
    pub contexts: &'static [Context],
    /// By which keys.
    pub keys: &'static [Key],
    /// The keys in words.
    pub shown: &'static str,
    /// For the key bar: how early it is left out (0 never), and a word.
    pub bar: Option<(u8, &'static str)>,
    /// For the help.
    pub long: &'static str,
    /// The word to type after `:` that does the same; `-` where the screen alone is concerned.
    pub word: &'static str,
}

use Context::{Board, Looking, Menu, Page, Replay, Small, Wall};
use Key::{Char, Ctrl, Named};

const EVERYWHERE: &[Context] = &[Board, Wall, Looking, Replay, Menu, Page, Small];
const PLAYING: &[Context] = &[Board, Wall, Looking];
const SHOWN: &[Context] = &[Board, Wall, Looking, Replay];

macro_rules! actions {
    ($($act:ident $contexts:tt $keys:tt $shown:literal $bar:expr, $long:literal $word:literal;)*) => {
        /// Every action, in the order of the key bar and the help.
        pub const KEY_BINDINGS: &[KeyBinding] = &[$(KeyBinding {
            act: Action::$act, contexts: actions!(@contexts $contexts), keys: &$keys, shown: $shown,
            bar: $bar, long: $long, word: $word,
        }),*];
    };
    (@contexts [$($context:ident)*]) => { &[$($context),*] };
    (@contexts ($all:ident)) => { $all };
}

actions! {
    Up [Board Wall Menu Page] [Named(KeyCode::Up)] "arrows" Some((3, "move")), "move the cursor" "-";
    Down [Board Wall Menu Page] [Named(KeyCode::Down)] "" None, "" "-";
    Left [Board Wall] [Named(KeyCode::Left)] "" None, "" "-";
    Left [Menu] [Named(KeyCode::Left)] "← →" Some((3, "change")), "change the chosen option" "-";
    Right [Board Wall Menu] [Named(KeyCode::Right)] "" None, "" "-";
    UpRight [Board Wall] [Named(KeyCode::PageUp)] "PgUp PgDn" None, "up and right, down and left" "-";
    DownLeft [Board Wall] [Named(KeyCode::PageDown)] "" None, "" "-";
    RowStart [Board Wall] [Named(KeyCode::Home)] "Home End" None, "first and last place of the row" "-";
    RowEnd [Board Wall] [Named(KeyCode::End)] "" None, "" "-";
    Back [Looking Replay] [Named(KeyCode::Left), Char('[')] "← →" Some((2, "step")), "one move back, one move on (also [ ] and the wheel)" "back";
    Forward [Looking Replay] [Named(KeyCode::Right), Char(']')] "" None, "" "next";
    First [Looking Replay] [Named(KeyCode::Home)] "Home End" Some((3, "first/last")), "first and last position" "goto 0";
    Last [Looking Replay] [Named(KeyCode::End)] "" None, "" "goto end";
    OtherBack [Looking Replay] [Named(KeyCode::Up)] "↑ ↓" None, "other moves that were played instead of this one" "variations 1";
    OtherOn [Looking Replay] [Named(KeyCode::Down)] "" None, "" "-";
    TenBack [Looking Replay] [Named(KeyCode::PageUp)] "PgUp PgDn" None, "ten moves back, ten moves on" "back 10";
    TenForward [Looking Replay] [Named(KeyCode::PageDown)] "" None, "" "next 10";
    Auto [Replay] [Char(' ')] "Space" Some((2, "auto-play")), "let the game run by itself, or stop it" "-";
    Faster [Replay] [Char('+')] "+ -" Some((4, "speed")), "faster, slower: 0.25, 0.5, 1, 2 or 4 seconds a move" "-";
    Slower [Replay] [Char('-')] "" None, "" "-";
    PlayOn [Looking Replay Board Wall] [Char('x')] "x" Some((3, "play on")), "play on from here; the moves that came next are kept, up and down go there" "play";
    Review [Replay] [Char('a')] "a" Some((2, "review")), "judge every move: ?! ? ?? cost 10, 20, 40 % of the chance to win; the curve of the chances; again: stop" "review";
    Review (PLAYING) [Char('a')] "a" Some((3, "review")), "when the game is over: judge every move of it; again: stop" "review";
    TurningPoint [Replay] [Char('j')] "j" Some((3, "turning point")), "to the move that turned the game, once it is reviewed" "-";
    TurningPoint (PLAYING) [Char('j')] "j" Some((3, "turning point")), "when the game is over: to the move that turned it, once it is reviewed" "-";
    Present [Looking] [Named(KeyCode::Enter), Char(' '), Char('w'), Named(KeyCode::Tab)] "Enter" None, "back to the present position (also Space, Esc, or a click on the board)" "goto end";
    Walls [Board Wall] [Char('w'), Named(KeyCode::Tab)] "w" Some((3, "wall")), "place a wall, which r turns, or move the pawn (also Tab)" "-";
    Rotate [Wall] [Char('r')] "r" Some((3, "rotate")), "turn the wall (also right click)" "-";
    Across [Wall] [Char('-')] "- |" None, "lay the wall horizontally, vertically" "-";
    Upright [Wall] [Char('|')] "" None, "" "-";
    Play [Board Wall] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((2, "play")), "play at the cursor (also Space, or a click)" "the move";
    Start [Menu] [Named(KeyCode::Enter), Char(' ')] "Enter" Some((1, "start")), "start the game" "-";
    Options [Menu] [Named(KeyCode::Tab), Named(KeyCode::BackTab)] "Tab" Some((2, "options")), "to the options and back" "-";
    Pick [Menu] [Char('1'), Char('2'), Char('3'), Char('4'), Char('5'), Char('6'), Char('7'), Char('8'), Char('9')] "1-9" None, "choose a game by its number" "-";
    GoOn [Menu] [Char('c')] "c" None, "go on with the game that was left" "-";
    Swap [Board] [Char('S')] "S" Some((2, "swap")), "swap: take the first move over, where the rules allow it" "swap";
    Undo (PLAYING) [Char('u')] "u" Some((4, "undo")), "take back your move and its answer" "undo";
    Redo (PLAYING) [Char('U'), Ctrl('r')] "U" Some((7, "redo")), "play again what undo took back (also Ctrl-R)" "redo";
    Back [Board Wall] [Char('[')] "[ ]" Some((2, "step")), "look at earlier positions and return (also the wheel)" "back";
    Forward [Board Wall] [Char(']')] "" None, "" "next";
    Hint (SHOWN) [Char('t')] "t" Some((4, "hint")), "a move to play, shown as < >, and why" "hint";
    Panel (SHOWN) [Char('v')] "v" Some((5, "engine")), "what the machine thinks of every position that you see, its best moves as 1 2 3, or the worth of every move; again: off" "eval";
    Path (SHOWN) [Char('p')] "p" Some((5, "paths")), "signs over the board: what each side needs; again: the next kind, then none" "-";
    Flip (SHOWN) [Char('y')] "y" None, "turn the board, to see it from the other side" "-";
    Command (SHOWN) [Char(':')] ":" None, "type a word; help lists all words, mouse switches the mouse" "-";
    Command [Menu] [Char(':')] ":" None, "type a word: new GAME SIZE, replay FILE, level N, help, quit" "-";
    Save (SHOWN) [Char('s')] "s" Some((6, "save")), "keep the game in a file" "save";
    Open [Board Wall Looking Replay Menu] [Char('o')] "o" Some((6, "open")), "go on with a game from a file; in the menu: replay one" "load";
    New [Board Wall Looking Replay Small] [Ctrl('n')] "Ctrl-N" None, "choose another game; Esc goes back to this one" "new";
    New [Board Wall Looking Replay Small] [Char('N')] "N" Some((2, "new")), "when the game is over: choose another one" "new";
    Again (PLAYING) [Char('A')] "A" Some((2, "again")), "when the game is over: another one, with sides exchanged" "new";
    Resign (PLAYING) [Char('R')] "R" None, "resign the game; press it twice" "resign";
    Level (PLAYING) [Char('z')] "z" None, "change the machine's level" "level";
    Search [Page] [Char('/')] "/" Some((3, "search")), "show only the lines that hold a text" "-";
    UpRight [Page] [Named(KeyCode::PageUp)] "PgUp PgDn" None, "a page back, a page on" "-";
    DownLeft [Page] [Named(KeyCode::PageDown)] "" None, "" "-";
    RowStart [Page] [Named(KeyCode::Home)] "Home End" None, "to the top, to the end" "-";
    RowEnd [Page] [Named(KeyCode::End)] "" None, "" "-";
    Plain [Small] [Char('p')] "p" Some((1, "plain")), "go on in plain text; the word tui comes back" "-";
    Theme (EVERYWHERE) [Char('T')] "T" None, "another theme: other colours" "theme NAME";
    Redraw (EVERYWHERE) [Ctrl('l')] "Ctrl-L" None, "draw everything again" "board";
    Suspend (EVERYWHERE) [Ctrl('z')] "Ctrl-Z" None, "stop the program; fg comes back" "-";
    Escape (EVERYWHERE) [Named(KeyCode::Esc)] "Esc" Some((2, "back")), "end the machine's thought, empty the field, close a page" "-";
    Interrupt (EVERYWHERE) [Ctrl('c')] "Ctrl-C" None, "leave with exit code 130" "-";
    Help (EVERYWHERE) [Char('?'), Named(KeyCode::F(1))] "?" Some((0, "help")), "this page (also F1)" "help";
    Quit (EVERYWHERE) [Char('q')] "q" Some((0, "quit")), "leave; from a page of text, or a replay of your own game, back to the board" "quit";
}

/// What a key does in a context.
pub fn find(context: Context, event: &KeyEvent) -> Option<Action> {
    let mut here = KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context));
    here.find(|action| action.keys.iter().any(|key| key.is(event))).map(|action| action.act)
}

/// The keys of a context in words: what is pressed, what it does, which word does the same.
pub fn keys(context: Context) -> impl Iterator<Item = &'static KeyBinding> {
    KEY_BINDINGS.iter().filter(move |action| action.contexts.contains(&context) && !action.shown.is_empty())
}

/// The part of the help that an action belongs to: the move, looking, advice, the game, the program.
pub(super) fn part_of_help(act: Action) -> usize {
    use Action as A;
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
        A::Hint | A::Panel | A::Path | A::Review | A::TurningPoint => 2,
        A::Save | A::Open | A::New | A::Again | A::Resign | A::Level | A::GoOn => 3,
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

/// docs/keys.md.
pub fn in_markdown() -> String {
    let mut lines = vec!["# Keys of the full screen\n".to_owned()];
    lines.push("Made from the table of actions; `?` shows the same.".to_owned());
    for (context, heading) in Context::ALL {
        lines.push(format!("\n## {heading}\n\n| key | what it does | word |\n| --- | --- | --- |"));
        if context.takes_moves() {
            lines.push(format!("| `a`-`n`, `0`-`9` | {TYPING} | the move |"));
        }
        lines.extend(keys(context).map(|action| {
            let word = if action.word == "-" { String::new() } else { format!("`{}`", action.word) };
            format!("| `{}` | {} | {word} |", action.shown.replace('|', "\\|"), action.long)
        }));
    }
    lines.join("\n") + "\n"
}

/// What letters and digits do at the board.
pub(crate) const TYPING: &str = "type a move, then Enter";

/// The section KEYS of the manual page, in roff.
pub fn in_roff() -> String {
    let plain = |text: &str| without_arrows(&text.replace('-', "\\-"));
    let mut lines = vec![".SH KEYS".to_owned(), "On a terminal crosspath fills the screen.".to_owned()];
    for (context, heading) in Context::ALL {
        lines.push(format!(".SS {heading}"));
        if context.takes_moves() {
            lines.push(format!(".TP\n\\fBa\\-n 0\\-9\\fR\n{TYPING}"));
        }
        let item =
            |action: &KeyBinding| format!(".TP\n\\fB{}\\fR\n{}", plain(action.shown), plain(action.long));
        lines.extend(keys(context).map(item));
    }
    lines.join("\n") + "\n"
}

/// Names of keys where there may be no arrows.
pub(super) fn without_arrows(text: &str) -> String {
    text.replace('←', "Left").replace('→', "Right").replace('↑', "Up").replace('↓', "Down")
}
