//! Keys, typed commands and clicks on a terminal in memory. Each does what the help and the key bar
//! say.

use crosspath::canvas::GlyphSet;
use crosspath::game::{Refusal, RefusalCode};
use crosspath::play::{GameMode, MatchRefusal, NewGame, TimeControl, TimeoutRule};
use crosspath::thinking::ExternalProgram;
use crosspath::ui::tui::key_table::{KEY_BINDINGS, KeyAction, KeyContext, TerminalKey};
use crosspath::ui::tui::{CustomTheme, Palette, ScreenEvent, draw_screen, layout_in_lines};

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

use crate::key_stages::stage;
use crate::screens::{QUORIDOR, board};
use crate::sentences::said;
use crate::tui_harness::{Rig, describe_effect, report, spec};

#[test]
fn the_resign_question_has_its_own_key_bar_and_help() {
    let mut state = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    assert_eq!(state.press(KeyCode::Char('R')), "");
    assert_eq!(state.scene().key_context(), KeyContext::Question);
    let picture = state.picture();
    assert!(picture.contains(said!("resign-the-game")), "{picture}");
    assert!(picture.lines().nth(23).unwrap().contains("y yes  n no  ? help"), "{picture}");
    // No other key is an answer, and no key reaches the board below the question.
    let others = [KeyCode::Char('R'), KeyCode::Enter, KeyCode::Up, KeyCode::Char('v'), KeyCode::Char('u')];
    for key in others {
        assert_eq!(state.press(key), "", "{key:?}");
        assert!(state.picture().contains(said!("resign-the-game")), "{key:?}");
    }
    state.press(KeyCode::Char('?'));
    let page = state.screen.page().unwrap();
    assert_eq!(page.title, "Keys: At a question");
    assert!(page.lines.iter().any(|line| line.starts_with("y\tyes")), "{:?}", page.lines);
    state.press(KeyCode::Esc);
    assert!(state.picture().contains(said!("resign-the-game")), "the question is still there");
    for no in [KeyCode::Char('n'), KeyCode::Esc] {
        assert_eq!(state.press(no), "");
        assert_eq!(state.scene().key_context(), KeyContext::Board);
        state.press(KeyCode::Char('R'));
    }
    assert_eq!(state.press(KeyCode::Char('y')), "resign");
    assert_eq!(state.scene().key_context(), KeyContext::Board);
}

#[test]
fn a_question_closes_when_its_game_is_over() {
    let time = TimeControl { over: TimeoutRule::Loss, ..("10s").parse().unwrap() };
    let game = NewGame { time: Some(time), ..spec("tic-tac-toe", "size=3", GameMode::HumanMachine) };
    let mut state = Rig::of(game, (80, 24));
    state.press(KeyCode::Char('R'));
    assert_eq!(state.scene().key_context(), KeyContext::Question);
    state.now += std::time::Duration::from_secs(11);
    state.tick();
    assert_eq!(state.scene().key_context(), KeyContext::Board, "{}", state.picture());
}

#[test]
fn an_engine_answer_does_not_interrupt_typing() {
    let mut state = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    state.say("eval");
    state.typed(":wh");
    state.answer("a1", report());
    assert!(state.screen.page().is_none());
    state.typed("ere");
    assert_eq!(state.press(KeyCode::Enter), "where");
    assert_eq!(state.screen.page().unwrap().title, "eval");
}

#[test]
fn long_lines_of_a_page_are_shown_completely() {
    let mut state = board("quoridor", "size=9", "e2 e8", GlyphSet::Unicode, (80, 24));
    state.say("legal");
    let whole = state.picture();
    assert!(whole.contains(" d2 e1 e3 f2 ") && whole.contains("h8v") && whole.contains(" 1/1 "), "{whole}");
    // A window with too little room shows it in parts.
    let mut small = board("hex", "size=16", "a1 b2", GlyphSet::Unicode, (60, 24));
    small.say("legal");
    small.event(&ScreenEvent::Resize(40, 12));
    let first = small.picture();
    assert!(first.contains(" a2 ") && !first.contains("p16"), "{first}");
    small.press(KeyCode::End);
    let last = small.picture();
    assert!(!last.contains(" a2 ") && last.contains("p16"), "{last}");
}

#[test]
fn typing_swap_swaps_and_does_not_save() {
    let mut state = board("hex", "size=5", "b2", GlyphSet::Unicode, (80, 24));
    state.typed("swap");
    assert_eq!(state.screen.typed_line(), Some("swap"));
    assert_eq!(state.press(KeyCode::Enter), "swap");
    let mut later = board("hex", "size=5", "b2 c3", GlyphSet::Unicode, (80, 24));
    later.typed("swap");
    assert_eq!(later.screen.typed_line(), Some("save wap"), "nothing to take over");
}

#[test]
fn columns_whose_letters_are_keys_need_a_colon() {
    for (size, needs) in [("size=14", false), ("size=15", true)] {
        let state = board("hex", size, "b2 c2", GlyphSet::Unicode, (160, 60));
        assert_eq!(state.status().contains(said!("for-columns-o-z", "o1")), needs, "{}", state.status());
    }
}

#[test]
fn every_wall_can_be_placed_by_typing_keys_and_clicks() {
    let walls =
        ('a'..='h').flat_map(|file| (1..=8).flat_map(move |row| [(file, row, 'h'), (file, row, 'v')]));
    for (file, row, lie) in walls {
        let wall = format!("{file}{row}{lie}");
        let mut state = board("quoridor", "size=9", "", GlyphSet::Unicode, (80, 24));
        state.press(KeyCode::Char('w'));
        for _ in 0..8 {
            state.press(KeyCode::Left);
            state.press(KeyCode::Down);
        }
        for _ in 'a'..file {
            state.press(KeyCode::Right);
        }
        for _ in 1..row {
            state.press(KeyCode::Up);
        }
        state.press(KeyCode::Char(if lie == 'h' { '-' } else { '|' }));
        assert_eq!(state.press(KeyCode::Enter), wall, "by keys");

        let mut state = board("quoridor", "size=9", "", GlyphSet::Unicode, (80, 24));
        let places = layout_in_lines(state.scene().shown_position().unwrap(), state.screen.size);
        let canvas = state.scene().paint_board(places.density.unwrap()).unwrap();
        let spot = canvas.spots().iter().find(|spot| spot.text == wall).unwrap();
        let at = Position {
            x: places.board.x + u16::try_from(spot.x).unwrap(),
            y: places.board.y + u16::try_from(spot.y).unwrap(),
        };
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(state.mouse(down, at), "", "the first click shows the wall");
        assert!(state.status().contains(&format!("({wall})")), "{}", state.status());
        assert_eq!(state.mouse(down, at), wall, "by a second click");

        let mut state = board("quoridor", "size=9", "", GlyphSet::Unicode, (80, 24));
        state.typed(&wall);
        assert_eq!(state.press(KeyCode::Enter), wall, "by typing");
    }
}

#[test]
fn keys_run_the_line_mode_commands() {
    let moves = "e2 e8 e3 e7";
    let mut state = board("quoridor", "size=9", moves, GlyphSet::Unicode, (80, 24));
    for (key, line) in [
        (KeyCode::Char('u'), "undo"),
        (KeyCode::Char('U'), "redo"),
        (KeyCode::Char('t'), "hint"),
        (KeyCode::Char('['), "back 1"),
        (KeyCode::Char('x'), "play"),
        (KeyCode::Enter, "e3"),
    ] {
        assert_eq!(state.press(key), line);
    }
    state.typed(":goto 3");
    assert_eq!(state.press(KeyCode::Enter), "goto 3");
    assert_eq!(state.press(KeyCode::Char('R')), "");
    assert_eq!(state.press(KeyCode::Char('y')), "resign");
    assert_eq!(state.press(KeyCode::Char('q')), "quit");
    let effect = state.key(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(describe_effect(effect.as_ref()), "interrupt");
}

#[test]
fn esc_is_not_offered_for_external_engines() {
    let program = "gtp:engine".parse::<ExternalProgram>().unwrap();
    let game = NewGame { program: Some(program.into()), ..spec("hex", "size=5", GameMode::HumanMachine) };
    let mut state = Rig::of(game, (80, 24));
    state.say("e1");
    let help = said!("esc-cannot-hurry-it");
    assert_eq!(state.status(), said!("is-played-is-thinking", "e1", "Blue", help));
    state.typed("e2");
    state.act(KeyCode::Enter);
    assert_eq!(state.status(), said!("the-program-is-thinking", help));
    state.say("e2");
    assert_eq!(state.status(), said!("the-program-is-thinking", help).to_owned(), "a line says the same");
    // The suggestion works: a level replaces the engine, and Esc makes it move.
    state.say("level 2");
    state.act(KeyCode::Esc);
    assert!(state.is_thinking() && state.game().engine_jobs()[0].is_due);
    state.say("e2");
    assert_eq!(state.status(), said!("the-engine-is-thinking"));
}

#[test]
fn while_the_engine_thinks_moves_wait_and_pages_open() {
    let mut state = board("quoridor", "size=9", "", GlyphSet::Unicode, (80, 24));
    state.say("e2");
    assert_eq!(state.press(KeyCode::Enter), "");
    assert_eq!(state.status(), said!("the-engine-is-thinking"));
    state.typed("e3");
    assert_eq!(state.press(KeyCode::Enter), "");
    state.press(KeyCode::Char('?'));
    assert!(state.screen.page().is_some());
    assert_eq!(state.press(KeyCode::Esc), "", "Esc closes one layer");
    assert_eq!(state.press(KeyCode::Esc), "move now");
    assert_eq!(state.press(KeyCode::Char('u')), "undo");
}

#[test]
fn the_key_bar_and_the_move_list_can_be_clicked() {
    let mut state = board("tic-tac-toe", "size=3", "a1 b2 c3 c1", GlyphSet::Unicode, (80, 24));
    let shown = state.picture();
    let bar = shown.lines().nth(23).unwrap();
    let x = u16::try_from(bar.find("hint").unwrap()).unwrap();
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(state.mouse(down, Position { x, y: 23 }), "hint");
    let (y, row) = shown.lines().enumerate().find(|(_, row)| row.contains("1 a1")).unwrap();
    let x = row.split("1 a1").next().unwrap().chars().count();
    let at = Position { x: u16::try_from(x).unwrap() + 2, y: u16::try_from(y).unwrap() };
    assert_eq!(state.mouse(down, at), "back 3");
    assert_eq!(state.mouse(MouseEventKind::ScrollUp, at), "back 1");
}

#[test]
fn enter_on_the_first_stone_swaps() {
    let mut state = Rig::two("hex", "size=11", "", (80, 24));
    state.typed("c3");
    assert_eq!(state.press(KeyCode::Enter), "c3");
    state.say("c3");
    assert_eq!(state.press(KeyCode::Enter), "", "Enter was hit twice: neither a swap nor a stone");
    assert!(state.picture().contains(said!("swap-takes-the-first")), "{}", state.picture());
    state.press(KeyCode::Char('n'));
    state.say("undo");
    state.say("c3");
    assert!(state.status().ends_with(said!("you-may-take-s", "Red")), "{}", state.status());
    assert!(state.picture().contains("S swap"), "{}", state.picture());
    state.hover("swap");
    assert_eq!(state.press(KeyCode::Enter), "");
    assert_eq!(state.press(KeyCode::Enter), "", "only y answers");
    assert_eq!(state.press(KeyCode::Char('y')), "swap");
    // The mouse alone can do the same.
    let at = state.place("swap").unwrap();
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(state.mouse(down, at), "");
    assert!(state.picture().contains(said!("swap-takes-the-first")), "{}", state.picture());
    let bar = state.picture().lines().nth(23).unwrap().find("y yes").unwrap();
    assert_eq!(state.mouse(down, Position { x: u16::try_from(bar).unwrap(), y: 23 }), "swap");
}

#[test]
fn the_swap_is_not_offered_for_your_own_stone() {
    let mut state = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    state.say("b2");
    state.hover("swap");
    state.press(KeyCode::Enter);
    assert_eq!(state.status(), said!("the-engine-is-thinking"));
}

#[test]
fn a_new_wall_preview_starts_on_a_legal_slot_and_hides_no_wall() {
    let mut state = Rig::two("quoridor", "size=9", "e5h", (80, 24));
    state.typed("e5h");
    state.press(KeyCode::Esc);
    state.hover("e5h");
    let walls = state.picture().matches('━').count();
    assert!(walls >= 6, "the wall below can be seen:\n{}", state.picture());
    let mut state = Rig::two("quoridor", "size=9", "e5h", (80, 24));
    state.hover("e5");
    state.press(KeyCode::Char('w'));
    assert!(state.status().starts_with("A wall above "), "{}", state.status());
}

#[test]
fn a_wall_rotated_under_the_mouse_is_placed_as_shown() {
    let mut state = board("quoridor", "size=9", "", GlyphSet::Unicode, (80, 24));
    let places = layout_in_lines(state.scene().shown_position().unwrap(), state.screen.size);
    let canvas = state.scene().paint_board(places.density.unwrap()).unwrap();
    let spot = canvas.spots().iter().find(|spot| spot.text == "d4v").unwrap();
    let at = Position {
        x: places.board.x + u16::try_from(spot.x).unwrap(),
        y: places.board.y + u16::try_from(spot.y).unwrap(),
    };
    state.mouse(MouseEventKind::Moved, at);
    state.mouse(MouseEventKind::Down(MouseButton::Right), at);
    state.mouse(MouseEventKind::Moved, at);
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(state.mouse(down, at), "d4h");
}

#[test]
fn a_refusal_returns_the_cursor_only_if_typing_moved_it() {
    let refusal = || MatchRefusal::Unread(Refusal::new(RefusalCode::Taken, "That is taken."));
    let mut state = board("quoridor", "size=9", QUORIDOR, GlyphSet::Unicode, (80, 24));
    let at = |state: &Rig| state.picture().lines().last().unwrap().to_owned();
    let home = at(&state);
    state.typed("e3h");
    assert_ne!(at(&state), home, "the cursor jumps to what is typed");
    state.press(KeyCode::Esc);
    assert_eq!(at(&state), home, "Esc takes that back");
    state.typed("e3h");
    state.press(KeyCode::Enter);
    state.refuse(refusal());
    assert_eq!(at(&state), home, "and so does a refusal");
    state.press(KeyCode::Char('w'));
    let ghost = at(&state);
    state.press(KeyCode::Enter);
    state.refuse(refusal());
    assert_eq!(at(&state), ghost, "what was not typed stays where it is");
}

#[test]
fn the_cursor_stays_visible_in_the_history_of_a_swap() {
    let mut state = Rig::two("hex", "size=11", "d4 swap", (80, 24));
    for plies in [1, 0, 2] {
        state.say(&format!("goto {plies}"));
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw_screen(&state.scene(), frame)).unwrap();
        let cursor = terminal.get_cursor_position().unwrap();
        assert_ne!(cursor, Position { x: 0, y: 0 }, "hidden after {plies} moves");
    }
}

#[test]
fn capitals_are_typed_only_if_they_begin_a_legal_move() {
    let mut state = board("hex", "size=14", "", GlyphSet::Unicode, (100, 35));
    for letter in 'A'..='N' {
        state.press(KeyCode::Char(letter));
        assert_eq!(state.screen.typed_line(), Some(&*letter.to_string()));
        state.press(KeyCode::Esc);
    }
    state.typed("N7");
    assert_eq!(state.press(KeyCode::Enter), "n7", "a whole move in capitals");
    // A capital that begins no legal move is refused at once, so there is no line to clear.
    let mut small = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    for letter in ['F', 'G', 'M', 'Q', 'X', 'Z'] {
        assert_eq!(small.press(KeyCode::Char(letter)), "");
        assert_eq!(small.screen.typed_line(), None, "{letter}");
        assert_eq!(small.status(), said!("letter-does-nothing", letter));
    }
    small.press(KeyCode::Char('E'));
    assert_eq!(small.screen.typed_line(), Some("E"));
    let mut earlier = Rig::two("hex", "size=11", "f6 f7", (80, 24));
    earlier.act(KeyCode::Char('['));
    earlier.press(KeyCode::Char('N'));
    assert!(earlier.screen.menu().is_none(), "no game is left where another position is shown");
    state.say("resign");
    assert_eq!(state.press(KeyCode::Char('A')), "again", "a key again when the game is over");
    state.press(KeyCode::Char('N'));
    assert!(state.screen.menu().is_some());
}

#[test]
fn the_end_of_a_long_wide_name_is_visible_while_typing() {
    let mut state = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    state.typed(":save ");
    for letter in ('\u{4e00}'..).take(60) {
        state.press(KeyCode::Char(letter));
        assert!(state.picture().contains(letter), "{letter} is lost:\n{}", state.picture());
    }
}

#[test]
fn the_command_mouse_toggles_the_mouse() {
    let mut state = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    let before = state.screen.looks.has_mouse;
    state.typed(":mouse");
    assert_eq!(state.press(KeyCode::Enter), format!("mouse({})", !before));
    assert_eq!(state.screen.looks.has_mouse, !before);
    for (text, is_on) in [(":mouse off", false), (":mouse on", true), (":mouse on", true)] {
        state.typed(text);
        assert_eq!(state.press(KeyCode::Enter), format!("mouse({is_on})"));
    }
    assert!(state.status().contains(said!("the-word-mouse-changes")));
}

#[test]
fn the_command_theme_changes_the_theme() {
    let mut state = board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    state.screen.looks.own_themes =
        vec![CustomTheme { name: "Sea".to_owned(), palette: Palette::DARK }].leak();
    for (text, name, output) in [
        (":theme contrast", "contrast", "contrast"),
        (":THEME mono", "mono", "mono"),
        (":theme", "mono", "mono"),
        (":theme LIGHT", "light", "light"),
        (":theme Sea", "Sea", "Sea"),
        (":theme nosuch", "Sea", "There is no theme nosuch; themes are auto, dark, light,"),
    ] {
        state.typed(text);
        state.press(KeyCode::Enter);
        assert_eq!(state.screen.looks.theme.name(), name, "{text}");
        assert!(state.status().contains(output), "{text}: {}", state.status());
    }
}

/// Expected effect of a key in the help.
enum ExpectedEffect {
    /// A command of line mode.
    Says(&'static str),
    /// The input line opens with this text.
    Field(&'static str),
    /// An effect outside the screen, by name.
    Does(&'static str),
    /// A changed picture that contains this text.
    Shows(&'static str),
}

#[allow(clippy::match_same_arms, clippy::too_many_lines)] // in the order of the action table
fn expected_effect(act: KeyAction, context: KeyContext) -> ExpectedEffect {
    use ExpectedEffect::{Does, Field, Says, Shows};
    let is_menu = context == KeyContext::Menu;
    match act {
        KeyAction::Left | KeyAction::Back => match context {
            KeyContext::Replay | KeyContext::Looking | KeyContext::Analysis | KeyContext::Lines => {
                Says("back 1")
            }
            KeyContext::Board | KeyContext::Wall if act == KeyAction::Back => Says("back 1"),
            _ => Shows(""),
        },
        KeyAction::Right | KeyAction::Forward => match context {
            KeyContext::Lines => Says("d5h"),
            KeyContext::Replay | KeyContext::Looking | KeyContext::Analysis => Says("next 1"),
            KeyContext::Board | KeyContext::Wall if act == KeyAction::Forward => Says("next 1"),
            _ => Shows(""),
        },
        KeyAction::Play if context == KeyContext::SetUp => Says("setup first d4"),
        KeyAction::PutFirst => Says("setup first d4"),
        KeyAction::PutSecond => Says("setup second d4"),
        KeyAction::Remove => Says("setup remove d4"),
        KeyAction::OtherSide => Says("setup turn second"),
        KeyAction::MoreWalls => Says("setup walls first 11"),
        KeyAction::FewerWalls => Says("setup walls first 9"),
        KeyAction::MoreLines => Shows("Shows up to 5 lines."),
        KeyAction::FewerLines => Shows("Shows up to 4 lines."),
        KeyAction::Cursor if context == KeyContext::Lines => Shows("Tab cursor"),
        KeyAction::Up
        | KeyAction::Down
        | KeyAction::UpRight
        | KeyAction::DownLeft
        | KeyAction::RowStart
        | KeyAction::RowEnd
        | KeyAction::Options
        | KeyAction::Pick => Shows(""),
        KeyAction::Play if context == KeyContext::Wall => Says("d4v"),
        KeyAction::Play => Says("e4"),
        KeyAction::Walls | KeyAction::Escape if context == KeyContext::Wall => {
            Shows(said!("your-move", "White"))
        }
        KeyAction::Walls | KeyAction::Rotate if context == KeyContext::SetUp => Shows("Setting up: "),
        KeyAction::Walls => Shows("A wall above "),
        KeyAction::Rotate | KeyAction::Across => Shows("A wall above d4-e4 (d4h): "),
        KeyAction::Upright => Shows("wall right of d4-d5 (d4v)"),
        KeyAction::Undo => Says("undo"),
        KeyAction::Redo => Says("redo"),
        KeyAction::Hint => Says("hint"),
        KeyAction::Panel => Shows(said!("every-position")),
        KeyAction::Path => Shows(said!("p-shows-the-next", "off")),
        KeyAction::Flip => Shows(said!("the-board-is-turned")),
        KeyAction::Swap => Says("swap"),
        KeyAction::Command => Field(""),
        KeyAction::Save => Field("save "),
        KeyAction::Open if is_menu => Shows("> replay"),
        KeyAction::Open => Shows("> load"),
        KeyAction::Saved => Shows("Saved games"),
        KeyAction::Rules => Shows(": rules"),
        KeyAction::Complete => Shows("> load b/"),
        KeyAction::Delete => Shows("Delete Hex 5x5, "),
        KeyAction::Level => Field("level "),
        KeyAction::New => Shows("─ Game ─"),
        KeyAction::Again => Says("again"),
        KeyAction::Easier => Says("easier"),
        KeyAction::Harder => Says("harder"),
        KeyAction::Resign => Shows(said!("resign-the-game")),
        KeyAction::First => Says("goto 0"),
        KeyAction::Last => Says("goto 4"),
        KeyAction::OtherBack => Says("other line back"),
        KeyAction::OtherOn => Says("other line"),
        KeyAction::TenBack => Says("back 2"),
        KeyAction::TenForward => Says("next 2"),
        KeyAction::Auto => Says("Run"),
        KeyAction::Faster => Says("pause 500 ms"),
        KeyAction::Slower => Says("pause 2000 ms"),
        KeyAction::PlayOn => Says("play"),
        KeyAction::Analyze if is_menu => Does("start --game tic-tac-toe --analyze --size 3"),
        KeyAction::Analyze => Says("analyze"),
        KeyAction::Cursor => Shows("Enter play"),
        KeyAction::Hide => Says("hide"),
        KeyAction::Comment => Field("comment "),
        KeyAction::SetUp => Shows("Setting up: "),
        KeyAction::Mark => Field("mark "),
        KeyAction::Promote => Says("promote"),
        KeyAction::Review => Says("review"),
        KeyAction::TurningPoint if context == KeyContext::Analysis => Shows(said!("r-judges-every-move")),
        KeyAction::TurningPoint if context == KeyContext::Training => Says("solution"),
        KeyAction::TurningPoint => Shows(said!("a-judges-every-move")),
        KeyAction::NextTask => Says("next mistake"),
        KeyAction::Mistakes => Does("start(mistakes)"),
        KeyAction::Present => Says("goto end"),
        KeyAction::GoOn => Does("start(kept(\"live\"))"),
        KeyAction::Start | KeyAction::Escape | KeyAction::Quit if context == KeyContext::Rules => {
            Shows(said!("your-move-part"))
        }
        KeyAction::Start if context == KeyContext::List => Does("start(kept(\"live\"))"),
        KeyAction::Start => Does("start --game tic-tac-toe --mode 1 --size 3 --level 2"),
        KeyAction::Search => Shows("search:"),
        KeyAction::Theme => Shows(""),
        KeyAction::Plain => Does("plain"),
        KeyAction::Escape | KeyAction::Quit if matches!(context, KeyContext::List | KeyContext::Files) => {
            Shows("")
        }
        KeyAction::Help | KeyAction::Escape | KeyAction::Quit if context == KeyContext::Page => {
            Shows(said!("your-move-part"))
        }
        KeyAction::Help => Shows("Keys:"),
        KeyAction::Escape if context == KeyContext::Replay => Says("Stop"),
        KeyAction::Escape if context == KeyContext::Looking => Says("goto end"),
        KeyAction::Escape | KeyAction::Quit if context == KeyContext::Training => Says("return to the game"),
        KeyAction::Escape if context == KeyContext::Analysis => Says("return to the game"),
        KeyAction::Escape if matches!(context, KeyContext::Lines | KeyContext::SetUp) => Shows("Tab cursor"),
        KeyAction::Escape if context == KeyContext::Menu => Shows(said!("your-move-part")),
        KeyAction::Escape if context == KeyContext::Field => Shows(said!("your-move-part")),
        KeyAction::Escape => Does("move now"),
        KeyAction::Submit if context == KeyContext::Files => Says("load a.txt"),
        KeyAction::Submit => Says("undo"),
        KeyAction::Erase | KeyAction::Clear if context == KeyContext::Files => Shows("> load"),
        KeyAction::Erase => Field("und"),
        KeyAction::Clear => Field(""),
        KeyAction::Yes => Says("y"),
        KeyAction::No => Says("n"),
        KeyAction::Type | KeyAction::Digit => unreachable!("they have no row in the table"),
        KeyAction::Interrupt => Does("interrupt"),
        KeyAction::Suspend => Does("suspend"),
        KeyAction::Redraw => Does("redraw"),
        KeyAction::Quit if context == KeyContext::Replay => Says("goto end"),
        KeyAction::Quit => Does("quit"),
    }
}

#[test]
fn every_key_does_what_the_help_says() {
    for (context, place) in KeyContext::ALL {
        for action in KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context)) {
            for key in action.keys {
                let mut state = stage(action.act, context);
                assert_eq!(state.scene().key_context(), context, "{:?}", action.act);
                let name = format!("{place}: {key:?} for {:?}", action.act);
                if *key == TerminalKey::Char('1') {
                    state.press(KeyCode::Char('2')); // the first game is already selected
                }
                let before = (state.picture(), state.screen.looks.theme, format!("{:?}", state.screen));
                let (code, modifiers) = match key {
                    TerminalKey::Char(letter) => (KeyCode::Char(*letter), KeyModifiers::NONE),
                    TerminalKey::Ctrl(letter) => (KeyCode::Char(*letter), KeyModifiers::CONTROL),
                    TerminalKey::Named(code) => (*code, KeyModifiers::NONE),
                };
                let effect = state.key(code, modifiers);
                let asked = describe_effect(effect.as_ref());
                match expected_effect(action.act, context) {
                    ExpectedEffect::Says(text) | ExpectedEffect::Does(text) => {
                        assert_eq!(asked, text, "{name}");
                    }
                    ExpectedEffect::Field(text) => {
                        assert_eq!(state.screen.typed_line(), Some(text), "{name}");
                    }
                    ExpectedEffect::Shows(text) => {
                        assert_eq!(asked, "", "{name}");
                        let is_none = matches!(code, KeyCode::Char('4'..='9'));
                        let after =
                            (state.picture(), state.screen.looks.theme, format!("{:?}", state.screen));
                        assert!(is_none || after != before, "{name}: nothing changes\n{}", after.0);
                        assert!(after.0.contains(text), "{name}: no {text:?} on\n{}", after.0);
                    }
                }
            }
        }
    }
}

#[test]
fn the_cursor_moves_the_same_way_in_every_window() {
    let keys = [
        KeyCode::Char('w'),
        KeyCode::Char('r'),
        KeyCode::Left,
        KeyCode::Down,
        KeyCode::Char('r'),
        KeyCode::Right,
        KeyCode::Tab,
        KeyCode::Up,
    ];
    let way = |game: &str, settings: &str, moves: &str, size: (u16, u16)| -> Vec<String> {
        let played = |count: usize| {
            let mut rig = board(game, settings, moves, GlyphSet::Unicode, size);
            keys[..count].iter().for_each(|&key| rig.act(key));
            rig.press(KeyCode::Enter)
        };
        (1..=keys.len()).map(played).collect()
    };
    let games =
        [("quoridor", "size=9", QUORIDOR), ("hex", "size=11", "b2 c2"), ("tic-tac-toe", "size=3", "b2 a1")];
    for (game, settings, moves) in games {
        let small = way(game, settings, moves, (60, 24));
        assert!(small.windows(2).filter(|two| two[0] != two[1]).count() > 2, "{game}: {small:?}");
        for size in [(80, 24), (100, 35), (160, 50)] {
            assert_eq!(way(game, settings, moves, size), small, "{game} at {size:?}");
        }
    }
}

#[test]
fn the_key_bar_names_the_letters_that_move_the_cursor() {
    let mut state = Rig::two("hex", "size=5", "c3", (120, 35));
    let bar = |state: &Rig| state.picture().lines().nth(34).unwrap().to_owned();
    assert!(bar(&state).contains("arrows move"), "{}", bar(&state));
    state.screen.looks.habits.has_vi_keys = true;
    assert!(bar(&state).contains("hjkl move"), "{}", bar(&state));
}
