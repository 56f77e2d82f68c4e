//! Keys, typed commands and clicks on a terminal in memory: each does what the help and the key bar
//! say.

use crosspath::canvas::Glyphs;
use crosspath::game::{Refusal, RefusalCode};
use crosspath::play::{MatchRefusal, Mode, NewGame, TimeControl, TimeOver};
use crosspath::thinking::ExternalProgram;
use crosspath::ui::tui::key_table::{Action, Context, KEY_BINDINGS, Key};
use crosspath::ui::tui::{Event, OwnTheme, Palette, draw, layout};

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::backend::TestBackend;
use ratatui_core::layout::Position;
use ratatui_core::terminal::Terminal;

use crate::key_stages::stage;
use crate::rig::{Rig, in_words, report, spec};
use crate::screens::{QUORIDOR, board};
use crate::sentences::said;

#[test]
fn giving_up_is_a_question_with_a_key_bar_and_a_help_of_its_own() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    assert_eq!(state.press(KeyCode::Char('R')), "");
    assert_eq!(state.scene().context(), Context::Question);
    let picture = state.picture();
    assert!(picture.contains(said!("resign-the-game")), "{picture}");
    assert!(picture.lines().nth(23).unwrap().contains("y yes  n no  ? help"), "{picture}");
    // Nothing else is an answer, and nothing is done below the question.
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
        assert_eq!(state.scene().context(), Context::Board);
        state.press(KeyCode::Char('R'));
    }
    assert_eq!(state.press(KeyCode::Char('y')), "resign");
    assert_eq!(state.scene().context(), Context::Board);
}

#[test]
fn a_question_about_a_game_goes_when_the_game_is_over() {
    let time = TimeControl { over: TimeOver::Loss, ..("10s").parse().unwrap() };
    let game = NewGame { time: Some(time), ..spec("tic-tac-toe", "size=3", Mode::HumanMachine) };
    let mut state = Rig::of(game, (80, 24));
    state.press(KeyCode::Char('R'));
    assert_eq!(state.scene().context(), Context::Question);
    state.now += std::time::Duration::from_secs(11);
    state.tick();
    assert_eq!(state.scene().context(), Context::Board, "{}", state.picture());
}

#[test]
fn an_answer_does_not_take_the_keys_of_who_types() {
    let mut state = board("hex", "size=5", "b2 c2", Glyphs::Unicode, (80, 24));
    state.say("eval");
    state.typed(":wh");
    state.answer("a1", report());
    assert!(state.screen.page().is_none());
    state.typed("ere");
    assert_eq!(state.press(KeyCode::Enter), "where");
    assert_eq!(state.screen.page().unwrap().title, "eval");
}

#[test]
fn a_long_line_of_a_page_is_seen_to_its_end() {
    let mut state = board("quoridor", "size=9", "e2 e8", Glyphs::Unicode, (80, 24));
    state.say("legal");
    let whole = state.picture();
    assert!(whole.contains(" d2 e1 e3 f2 ") && whole.contains("h8v") && whole.contains(" 1/1 "), "{whole}");
    // Where it has no room at once it has parts.
    let mut small = board("hex", "size=16", "a1 b2", Glyphs::Unicode, (60, 24));
    small.say("legal");
    small.event(&Event::Resize(40, 12));
    let first = small.picture();
    assert!(first.contains(" a2 ") && !first.contains("p16"), "{first}");
    small.press(KeyCode::End);
    let last = small.picture();
    assert!(!last.contains(" a2 ") && last.contains("p16"), "{last}");
}

#[test]
fn who_types_swap_swaps_and_saves_nothing() {
    let mut state = board("hex", "size=5", "b2", Glyphs::Unicode, (80, 24));
    state.typed("swap");
    assert_eq!(state.screen.typed(), Some("swap"));
    assert_eq!(state.press(KeyCode::Enter), "swap");
    let mut later = board("hex", "size=5", "b2 c3", Glyphs::Unicode, (80, 24));
    later.typed("swap");
    assert_eq!(later.screen.typed(), Some("save wap"), "nothing to take over");
}

#[test]
fn columns_whose_letters_are_keys_are_typed_behind_a_colon() {
    for (size, needs) in [("size=14", false), ("size=15", true)] {
        let state = board("hex", size, "b2 c2", Glyphs::Unicode, (160, 60));
        assert_eq!(state.status().contains(said!("for-columns-o-z", "o1")), needs, "{}", state.status());
    }
}

#[test]
fn every_wall_is_built_by_typing_by_keys_and_by_two_clicks() {
    let walls =
        ('a'..='h').flat_map(|file| (1..=8).flat_map(move |row| [(file, row, 'h'), (file, row, 'v')]));
    for (file, row, lie) in walls {
        let wall = format!("{file}{row}{lie}");
        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
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

        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        let places = layout(state.scene().shown().unwrap(), state.screen.size);
        let canvas = state.scene().canvas(places.density.unwrap()).unwrap();
        let spot = canvas.spots().iter().find(|spot| spot.text == wall).unwrap();
        let at = Position {
            x: places.board.x + u16::try_from(spot.x).unwrap(),
            y: places.board.y + u16::try_from(spot.y).unwrap(),
        };
        let down = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(state.mouse(down, at), "", "the first click shows the wall");
        assert!(state.status().contains(&format!("({wall})")), "{}", state.status());
        assert_eq!(state.mouse(down, at), wall, "by a second click");

        let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
        state.typed(&wall);
        assert_eq!(state.press(KeyCode::Enter), wall, "by typing");
    }
}

#[test]
fn keys_say_the_lines_of_line_mode() {
    let moves = "e2 e8 e3 e7";
    let mut state = board("quoridor", "size=9", moves, Glyphs::Unicode, (80, 24));
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
    assert_eq!(in_words(effect.as_ref()), "interrupt");
}

#[test]
fn nobody_is_told_that_esc_hurries_another_program() {
    let program = "gtp:engine".parse::<ExternalProgram>().unwrap();
    let game = NewGame { program: Some(program.into()), ..spec("hex", "size=5", Mode::HumanMachine) };
    let mut state = Rig::of(game, (80, 24));
    state.say("e1");
    let help = said!("esc-cannot-hurry-it");
    assert_eq!(state.status(), said!("is-played-is-thinking", "e1", "Blue", help));
    state.typed("e2");
    state.act(KeyCode::Enter);
    assert_eq!(state.status(), said!("the-program-is-thinking", help));
    state.say("e2");
    assert_eq!(state.status(), said!("the-program-is-thinking", help).to_owned(), "a line says the same");
    // What is proposed works: a level thinks instead, and can be hurried.
    state.say("level 2");
    state.act(KeyCode::Esc);
    assert!(state.is_thinking() && state.game().jobs()[0].is_due);
    state.say("e2");
    assert_eq!(state.status(), said!("the-engine-is-thinking"));
}

#[test]
fn while_the_machine_thinks_moves_wait_and_pages_open() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
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
fn a_click_on_the_key_bar_and_on_the_list_of_moves_acts() {
    let mut state = board("tic-tac-toe", "size=3", "a1 b2 c3 c1", Glyphs::Unicode, (80, 24));
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
fn the_first_stone_is_taken_over_by_enter_where_it_stands() {
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
    // The same by the mouse alone.
    let at = state.place("swap").unwrap();
    let down = MouseEventKind::Down(MouseButton::Left);
    assert_eq!(state.mouse(down, at), "");
    assert!(state.picture().contains(said!("swap-takes-the-first")), "{}", state.picture());
    let bar = state.picture().lines().nth(23).unwrap().find("y yes").unwrap();
    assert_eq!(state.mouse(down, Position { x: u16::try_from(bar).unwrap(), y: 23 }), "swap");
}

#[test]
fn nobody_is_asked_to_take_an_own_stone_over() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    state.say("b2");
    state.hover("swap");
    state.press(KeyCode::Enter);
    assert_eq!(state.status(), said!("the-engine-is-thinking"));
}

#[test]
fn a_wall_is_first_held_where_it_may_be_built_and_hides_no_other() {
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
fn a_wall_that_was_turned_under_the_mouse_is_built_as_it_is_shown() {
    let mut state = board("quoridor", "size=9", "", Glyphs::Unicode, (80, 24));
    let places = layout(state.scene().shown().unwrap(), state.screen.size);
    let canvas = state.scene().canvas(places.density.unwrap()).unwrap();
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
fn a_refusal_puts_the_cursor_back_only_where_the_field_has_moved_it() {
    let refusal = || MatchRefusal::Unread(Refusal::new(RefusalCode::Taken, "That is taken."));
    let mut state = board("quoridor", "size=9", QUORIDOR, Glyphs::Unicode, (80, 24));
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
fn the_cursor_is_never_lost_where_a_place_has_another_name() {
    let mut state = Rig::two("hex", "size=11", "d4 swap", (80, 24));
    for plies in [1, 0, 2] {
        state.say(&format!("goto {plies}"));
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| draw(&state.scene(), frame)).unwrap();
        let cursor = terminal.get_cursor_position().unwrap();
        assert_ne!(cursor, Position { x: 0, y: 0 }, "hidden after {plies} moves");
    }
}

#[test]
fn capitals_that_begin_a_legal_move_are_typed_and_all_others_are_refused() {
    let mut state = board("hex", "size=14", "", Glyphs::Unicode, (100, 35));
    for letter in 'A'..='N' {
        state.press(KeyCode::Char(letter));
        assert_eq!(state.screen.typed(), Some(&*letter.to_string()));
        state.press(KeyCode::Esc);
    }
    state.typed("N7");
    assert_eq!(state.press(KeyCode::Enter), "n7", "a whole move in capitals");
    // A capital that begins no legal move is refused in one sentence: who meant another key need not empty a line first.
    let mut small = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    for letter in ['F', 'G', 'M', 'Q', 'X', 'Z'] {
        assert_eq!(small.press(KeyCode::Char(letter)), "");
        assert_eq!(small.screen.typed(), None, "{letter}");
        assert_eq!(small.status(), said!("letter-does-nothing", letter));
    }
    small.press(KeyCode::Char('E'));
    assert_eq!(small.screen.typed(), Some("E"));
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
fn the_end_of_a_long_name_in_wide_letters_can_be_seen_while_it_is_typed() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    state.typed(":save ");
    for letter in ('\u{4e00}'..).take(60) {
        state.press(KeyCode::Char(letter));
        assert!(state.picture().contains(letter), "{letter} is lost:\n{}", state.picture());
    }
}

#[test]
fn the_word_mouse_switches_the_mouse() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
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
fn the_word_theme_takes_another_theme() {
    let mut state = board("hex", "size=5", "", Glyphs::Unicode, (80, 24));
    state.screen.looks.own_themes = vec![OwnTheme { name: "Sea".to_owned(), palette: Palette::DARK }].leak();
    for (text, name, said) in [
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
        assert!(state.status().contains(said), "{text}: {}", state.status());
    }
}

/// Expected effect of a key of the help.
enum Want {
    /// A line, as if it had been typed in line mode.
    Says(&'static str),
    /// The field opens with this in it.
    Field(&'static str),
    /// An effect outside, by this name.
    Does(&'static str),
    /// Another picture, which contains this.
    Shows(&'static str),
}

#[allow(clippy::match_same_arms, clippy::too_many_lines)] // in the order of the table of actions
fn wanted(act: Action, context: Context) -> Want {
    use Want::{Does, Field, Says, Shows};
    let is_menu = context == Context::Menu;
    match act {
        Action::Left | Action::Back => match context {
            Context::Replay | Context::Looking | Context::Analysis | Context::Lines => Says("back 1"),
            Context::Board | Context::Wall if act == Action::Back => Says("back 1"),
            _ => Shows(""),
        },
        Action::Right | Action::Forward => match context {
            Context::Lines => Says("d5h"),
            Context::Replay | Context::Looking | Context::Analysis => Says("next 1"),
            Context::Board | Context::Wall if act == Action::Forward => Says("next 1"),
            _ => Shows(""),
        },
        Action::Play if context == Context::SetUp => Says("setup first d4"),
        Action::PutFirst => Says("setup first d4"),
        Action::PutSecond => Says("setup second d4"),
        Action::Remove => Says("setup remove d4"),
        Action::OtherSide => Says("setup turn second"),
        Action::MoreWalls => Says("setup walls first 11"),
        Action::FewerWalls => Says("setup walls first 9"),
        Action::MoreLines => Shows("Shows up to 5 lines."),
        Action::FewerLines => Shows("Shows up to 4 lines."),
        Action::Cursor if context == Context::Lines => Shows("Tab cursor"),
        Action::Up
        | Action::Down
        | Action::UpRight
        | Action::DownLeft
        | Action::RowStart
        | Action::RowEnd
        | Action::Options
        | Action::Pick => Shows(""),
        Action::Play if context == Context::Wall => Says("d4v"),
        Action::Play => Says("e4"),
        Action::Walls | Action::Escape if context == Context::Wall => Shows(said!("your-move", "White")),
        Action::Walls | Action::Rotate if context == Context::SetUp => Shows("Setting up: "),
        Action::Walls => Shows("A wall above "),
        Action::Rotate | Action::Across => Shows("A wall above d4-e4 (d4h): "),
        Action::Upright => Shows("wall right of d4-d5 (d4v)"),
        Action::Undo => Says("undo"),
        Action::Redo => Says("redo"),
        Action::Hint => Says("hint"),
        Action::Panel => Shows(said!("every-position")),
        Action::Path => Shows(said!("p-shows-the-next", "off")),
        Action::Flip => Shows(said!("the-board-is-turned")),
        Action::Swap => Says("swap"),
        Action::Command => Field(""),
        Action::Save => Field("save "),
        Action::Open if is_menu => Shows("> replay"),
        Action::Open => Shows("> load"),
        Action::Saved => Shows("Saved games"),
        Action::Rules => Shows(": rules"),
        Action::Complete => Shows("> load b/"),
        Action::Delete => Shows("Delete Hex 5x5, "),
        Action::Level => Field("level "),
        Action::New => Shows("─ Game ─"),
        Action::Again => Says("again"),
        Action::Easier => Says("easier"),
        Action::Harder => Says("harder"),
        Action::Resign => Shows(said!("resign-the-game")),
        Action::First => Says("goto 0"),
        Action::Last => Says("goto 4"),
        Action::OtherBack => Says("other line back"),
        Action::OtherOn => Says("other line"),
        Action::TenBack => Says("back 2"),
        Action::TenForward => Says("next 2"),
        Action::Auto => Says("Run"),
        Action::Faster => Says("pause 500 ms"),
        Action::Slower => Says("pause 2000 ms"),
        Action::PlayOn => Says("play"),
        Action::Analyze if is_menu => Does("start --game tic-tac-toe --analyze --size 3"),
        Action::Analyze => Says("analyze"),
        Action::Cursor => Shows("Enter play"),
        Action::Hide => Says("hide"),
        Action::Comment => Field("comment "),
        Action::SetUp => Shows("Setting up: "),
        Action::Mark => Field("mark "),
        Action::Promote => Says("promote"),
        Action::Review => Says("review"),
        Action::TurningPoint if context == Context::Analysis => Shows(said!("r-judges-every-move")),
        Action::TurningPoint if context == Context::Training => Says("solution"),
        Action::TurningPoint => Shows(said!("a-judges-every-move")),
        Action::NextTask => Says("next mistake"),
        Action::Mistakes => Does("start(mistakes)"),
        Action::Present => Says("goto end"),
        Action::GoOn => Does("start(kept(\"live\"))"),
        Action::Start | Action::Escape | Action::Quit if context == Context::Rules => {
            Shows(said!("your-move-part"))
        }
        Action::Start if context == Context::List => Does("start(kept(\"live\"))"),
        Action::Start => Does("start --game tic-tac-toe --mode 1 --size 3 --level 2"),
        Action::Search => Shows("search:"),
        Action::Theme => Shows(""),
        Action::Plain => Does("plain"),
        Action::Escape | Action::Quit if matches!(context, Context::List | Context::Files) => Shows(""),
        Action::Help | Action::Escape | Action::Quit if context == Context::Page => {
            Shows(said!("your-move-part"))
        }
        Action::Help => Shows("Keys:"),
        Action::Escape if context == Context::Replay => Says("Stop"),
        Action::Escape if context == Context::Looking => Says("goto end"),
        Action::Escape | Action::Quit if context == Context::Training => Says("return to the game"),
        Action::Escape if context == Context::Analysis => Says("return to the game"),
        Action::Escape if matches!(context, Context::Lines | Context::SetUp) => Shows("Tab cursor"),
        Action::Escape if context == Context::Menu => Shows(said!("your-move-part")),
        Action::Escape if context == Context::Field => Shows(said!("your-move-part")),
        Action::Escape => Does("move now"),
        Action::Submit if context == Context::Files => Says("load a.txt"),
        Action::Submit => Says("undo"),
        Action::Erase | Action::Clear if context == Context::Files => Shows("> load"),
        Action::Erase => Field("und"),
        Action::Clear => Field(""),
        Action::Yes => Says("y"),
        Action::No => Says("n"),
        Action::Type | Action::Digit => unreachable!("they have no row in the table"),
        Action::Interrupt => Does("interrupt"),
        Action::Suspend => Does("suspend"),
        Action::Redraw => Does("redraw"),
        Action::Quit if context == Context::Replay => Says("goto end"),
        Action::Quit => Does("quit"),
    }
}

#[test]
fn every_key_of_the_help_does_what_it_says() {
    for (context, place) in Context::ALL {
        for action in KEY_BINDINGS.iter().filter(|action| action.contexts.contains(&context)) {
            for key in action.keys {
                let mut state = stage(action.act, context);
                assert_eq!(state.scene().context(), context, "{:?}", action.act);
                let name = format!("{place}: {key:?} for {:?}", action.act);
                if *key == Key::Char('1') {
                    state.press(KeyCode::Char('2')); // the first game is chosen already
                }
                let before = (state.picture(), state.screen.looks.theme, format!("{:?}", state.screen));
                let (code, modifiers) = match key {
                    Key::Char(letter) => (KeyCode::Char(*letter), KeyModifiers::NONE),
                    Key::Ctrl(letter) => (KeyCode::Char(*letter), KeyModifiers::CONTROL),
                    Key::Named(code) => (*code, KeyModifiers::NONE),
                };
                let effect = state.key(code, modifiers);
                let asked = in_words(effect.as_ref());
                match wanted(action.act, context) {
                    Want::Says(text) | Want::Does(text) => assert_eq!(asked, text, "{name}"),
                    Want::Field(text) => {
                        assert_eq!(state.screen.typed(), Some(text), "{name}");
                    }
                    Want::Shows(text) => {
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
fn the_cursor_goes_the_same_way_in_every_window() {
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
            let mut rig = board(game, settings, moves, Glyphs::Unicode, size);
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
