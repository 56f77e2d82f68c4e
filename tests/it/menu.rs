//! The start menu: its choices make a game, and the shell command that it shows starts the same
//! one.

use std::ffi::OsString;

use crosspath::canvas::GlyphSet;
use crosspath::cli;
use crosspath::registry;
use crosspath::ui::kept::SavedGame;
use crosspath::ui::tui::{ScreenEvent, StartMenu, Theme, layout_in_lines};

use crossterm::event::{KeyCode, KeyModifiers};

use crate::screens::board;
use crate::sentences::{lasting, said};
use crate::tui_harness::{Rig, history};

#[test]
fn the_shell_command_of_the_menu_starts_the_same_game() {
    let mut state = Rig::menu(GlyphSet::Unicode, (80, 24));
    let number = registry::GAMES.iter().position(|entry| entry.name == "quoridor").unwrap() + 1;
    let keys = [
        KeyCode::Char(char::from_digit(u32::try_from(number).unwrap(), 10).unwrap()),
        KeyCode::Tab,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Down,
        KeyCode::Down,
        KeyCode::Right,
        KeyCode::Enter,
    ];
    let mut started = String::new();
    state.screen.looks.theme = Theme::Contrast;
    for key in keys {
        started = state.press(key);
    }
    let arguments: Vec<&str> = started.strip_prefix("start ").unwrap().split(' ').collect();
    let shown = state.picture();
    let rows: Vec<&str> = shown.lines().skip(21).take(2).map(str::trim).collect();
    // The command is joined as a shell does: a backslash at the end of a line continues it.
    let command = rows.join("\n").replace("\\\n", "");
    let joined = arguments.join(" ");
    assert_eq!(command, format!("From the shell: crosspath {joined} --theme mono"));
    let words = ["crosspath"].into_iter().chain(arguments).map(OsString::from);
    let (cli::Cli { play, .. }, board) = cli::parse_command_line(registry::GAMES, words).unwrap();
    assert_eq!(play.game.as_deref(), Some("quoridor"));
    assert_eq!(board.value("size"), Some("11"));
    assert!(
        board.value("walls").is_some() && play.level.is_some() && play.limits.movetime.is_some(),
        "{play:?}"
    );
    assert_eq!(format!("{:?}", play.play_as), "Some(Second)");
    assert_eq!(play.mode.as_deref(), Some("1"));
}

#[test]
fn the_menu_reports_boards_that_do_not_fit_the_window() {
    for (size, window, has_room) in [("7", (80, 24), true), ("26", (80, 24), false), ("26", (160, 60), true)]
    {
        let mut state = Rig::menu(GlyphSet::Unicode, window);
        state.typed(&format!(":new hex {size}"));
        assert!(state.press(KeyCode::Enter).starts_with("start "), "{}", state.picture());
        let shown = state.picture();
        assert_eq!(
            !shown.contains(lasting(format!("{} ", said!("this-board-needs-a")))),
            has_room,
            "{size} in {window:?}: {shown}"
        );
        if has_room {
            continue;
        }
        let needs = shown
            .split(lasting(format!("{} ", said!("a-window-of"))))
            .nth(1)
            .unwrap()
            .split('.')
            .next()
            .unwrap();
        let (width, height) = needs.split_once(" × ").unwrap();
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        let hex = history("hex", &format!("size={size}"), "");
        assert!(layout_in_lines(&*hex, (width, height)).density.is_some());
        assert!(layout_in_lines(&*hex, (width - 1, height)).density.is_none());
        assert!(layout_in_lines(&*hex, (width, height - 1)).density.is_none());
    }
}

#[test]
fn every_choice_in_the_menu_gives_a_valid_game() {
    for (game, entry) in registry::GAMES.iter().enumerate() {
        let mut menu = StartMenu::default();
        menu.choose_game(game);
        for step in [1, 1, -1, 1, -1, -1, -1] {
            for row in menu.option_rows() {
                menu.change_option(row.key, step);
                let words = ["crosspath".to_owned()].into_iter().chain(menu.shell_arguments(Theme::Mono));
                let (cli, variant) =
                    cli::parse_command_line(registry::GAMES, words.map(OsString::from)).unwrap();
                assert_eq!(cli.play.game.as_deref(), Some(entry.name));
                let start = entry.start_position(&variant).unwrap();
                assert_eq!(start.settings(), menu.first_position().unwrap().settings());
                assert_eq!(start.position_key(), menu.first_position().unwrap().position_key());
            }
        }
    }
}

#[test]
fn the_menu_accepts_a_few_commands() {
    let menu = || Rig::menu(GlyphSet::Unicode, (80, 24));
    let say = |state: &mut Rig, text: &str| {
        assert_eq!(state.press(KeyCode::Char(':')), "");
        state.typed(text);
        assert!(state.picture().contains(&format!("> {text}")));
        state.press(KeyCode::Enter)
    };
    assert_eq!(say(&mut menu(), "new hex 7"), "start --game hex --mode 1 --size 7 --level 2");
    assert_eq!(say(&mut menu(), "new"), "start --game tic-tac-toe --mode 1 --size 3 --level 2");
    assert_eq!(say(&mut menu(), "new 5"), "start --game tic-tac-toe --mode 1 --size 5 --level 2");
    assert_eq!(say(&mut menu(), "replay a game.txt"), "start(file(\"a game.txt\"))");
    assert_eq!(say(&mut menu(), "quit"), "quit");
    for (text, answer) in [
        ("new chess", "chess"),
        ("new hex 99", "99"),
        ("level 9", "There is no level 9; levels are classic, 1 to 8."),
        ("zz", said!("words-here-new-game")),
        ("undo", said!("words-here-new-game")),
        ("help", "Keys: Start menu"),
    ] {
        let mut state = menu();
        assert_eq!(say(&mut state, text), "");
        assert!(state.picture().contains(answer), "{text}:\n{}", state.picture());
    }
    let mut state = menu();
    assert_eq!(say(&mut state, "level 3"), "");
    assert!(state.picture().contains("--level 3"));
    // In a menu over a running game all other commands belong to that game.
    let mut state = board("hex", "size=5", "c3", GlyphSet::Unicode, (80, 24));
    state.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    assert_eq!(say(&mut state, "where"), "where");
    assert!(state.screen.menu().is_none());
}

#[test]
fn a_message_that_is_too_long_is_cut_with_an_ellipsis() {
    let words = "the settings file has a key that is not known ".repeat(8);
    let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
    rig.screen.menu_mut().unwrap().notice = Some(words.clone());
    assert!(rig.picture().contains("settings file…"), "{}", rig.picture());
    rig.screen.menu_mut().unwrap().notice = Some("the settings file is broken".to_owned());
    assert!(rig.picture().contains("the settings file is broken"), "{}", rig.picture());
    assert!(!rig.picture().contains("broken…"), "{}", rig.picture());
}

#[test]
fn an_external_engine_can_be_chosen_only_for_its_own_game() {
    use crosspath::play::NewGame;
    use crosspath::thinking::ExternalProgram;
    let program = "gtp:./engine --fast".parse::<ExternalProgram>().unwrap();
    let find = |name| registry::find_game(name).unwrap();
    let spec = NewGame { program: Some(program.into()), ..NewGame::for_game(find("hex")) };
    let mut menu = StartMenu::with_game(spec);
    let opponent =
        |menu: &StartMenu| menu.option_rows().into_iter().find(|row| row.key == "level").unwrap().value;
    let has_engine = |menu: &StartMenu| {
        menu.shell_arguments(Theme::Terminal)
            .windows(2)
            .any(|pair| pair == ["--engine", "gtp:./engine --fast"])
    };
    assert_eq!((opponent(&menu).as_str(), has_engine(&menu)), ("engine", true));
    menu.change_option("level", 1);
    assert_eq!((opponent(&menu).as_str(), has_engine(&menu)), ("classic · as the original program", false));
    menu.change_option("level", -1);
    assert_eq!(opponent(&menu), "engine");
    // The engine plays only its own game.
    let number = |name: &str| registry::GAMES.iter().position(|entry| entry.name == name).unwrap();
    menu.choose_game(number("quoridor"));
    assert!(opponent(&menu).starts_with("level ") && !has_engine(&menu), "{}", opponent(&menu));
    let levels = find("quoridor").levels().len();
    for _ in 0..levels {
        menu.change_option("level", 1);
    }
    assert!(opponent(&menu).starts_with("level "), "{}", opponent(&menu));
    menu.choose_game(number("hex"));
    menu.change_option("level", -3); // past level 1 and classic
    assert_eq!(opponent(&menu), "engine", "it is a choice again");
}

#[test]
fn the_shell_command_is_aligned_below_the_boxes() {
    let rig = Rig::menu(GlyphSet::Unicode, (160, 50));
    let picture = rig.picture();
    let rows: Vec<&str> = picture.lines().collect();
    let (top, bottom) = (
        rows.iter().position(|row| row.contains("─ Game ─")).unwrap(),
        rows.iter().rposition(|row| row.contains(said!("from-the-shell"))).unwrap(),
    );
    let below = 49 - bottom;
    assert!(top.abs_diff(below) <= 8, "{top} rows above, {below} below: {picture}");
    let column = |row: usize| rows[row].chars().position(|glyph| glyph != ' ');
    assert_eq!(column(bottom), column(top), "{picture}");
}

#[test]
fn the_hex_rules_name_the_edges_and_say_that_there_are_no_draws() {
    let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
    rig.press(KeyCode::Char('2'));
    let picture = rig.picture();
    for sentence in ["Red (●) connects top to bottom", said!("no-draws"), said!("swap-rule-on")] {
        assert!(picture.contains(sentence), "{picture}");
    }
}

#[test]
fn the_key_bar_names_every_key_of_the_menu() {
    let bar = |rig: &Rig| {
        let picture = rig.picture();
        picture.lines().nth(usize::from(rig.screen.size.1) - 1).unwrap().to_owned()
    };
    let names =
        |bar: &str, keys: &[&str]| keys.iter().all(|key| bar.split_whitespace().any(|word| word == *key));
    let letters = ["Enter", "i", "Tab", "s", "o", "?", "q"];
    let mut rig = Rig::menu(GlyphSet::Unicode, (80, 24));
    assert!(names(&bar(&rig), &letters) && names(&bar(&rig), &["arrows", "saved", "open"]), "{}", bar(&rig));
    rig.press(KeyCode::Tab);
    assert!(names(&bar(&rig), &letters) && names(&bar(&rig), &["←", "→", "saved"]), "{}", bar(&rig));
    let mut rig = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, (80, 24));
    rig.key(KeyCode::Char('n'), KeyModifiers::CONTROL);
    assert!(names(&bar(&rig), &["Esc", "Enter", "i", "Tab", "s", "?", "q"]), "{}", bar(&rig));
    // Searching the help for the word in the key bar finds the key.
    rig.press(KeyCode::Char('?'));
    rig.press(KeyCode::Char('/'));
    for word in ["setup", "saved", "rules", "open"] {
        rig.key(KeyCode::Char('u'), KeyModifiers::CONTROL);
        rig.typed(word);
        assert!(!rig.picture().contains(said!("no-matches-esc-clears")), "{word}: {}", rig.picture());
    }
}

#[test]
fn a_menu_over_a_game_offers_to_return_to_that_game_only() {
    let saved = SavedGame {
        path: "live".into(),
        description: ["Quoridor 9x9".to_owned(), "move 12, today 9:05".to_owned()],
    };
    for size in [(80, 24), (160, 50)] {
        let mut rig = board("hex", "size=5", "b2 c2", GlyphSet::Unicode, size);
        let open = |rig: &mut Rig, key, modifiers| {
            rig.key(key, modifiers);
            rig.event(&ScreenEvent::Found(saved.clone()));
            assert!(rig.screen.menu().is_some());
        };
        let bar = |rig: &Rig| rig.picture().lines().nth(usize::from(size.1) - 1).unwrap().to_owned();
        for key in [KeyCode::Esc, KeyCode::Char('c')] {
            open(&mut rig, KeyCode::Char('n'), KeyModifiers::CONTROL);
            let picture = rig.picture();
            assert!(
                picture.contains("Esc  Back to this game") && picture.contains("Hex 5×5, move 3"),
                "{picture}"
            );
            assert!(bar(&rig).contains("Esc back to this game"), "{picture}");
            assert!(!picture.contains("Continue"), "the game that c means is this one: {picture}");
            assert_eq!(rig.press(key), "");
            assert!(rig.screen.menu().is_none(), "{key:?}");
        }
        open(&mut rig, KeyCode::Char('n'), KeyModifiers::CONTROL);
        rig.press(KeyCode::Tab);
        assert!(bar(&rig).contains("Esc back") && !bar(&rig).contains("this game"), "{}", bar(&rig));
        rig.press(KeyCode::Esc);
        rig.press(KeyCode::Esc);
        assert!(rig.screen.menu().is_none());
        // A finished game cannot be continued. Then `c` continues the saved game, which is named.
        rig.say("resign");
        open(&mut rig, KeyCode::Char('N'), KeyModifiers::NONE);
        let picture = rig.picture();
        assert!(picture.contains("c  Continue: Quoridor 9×9"), "{picture}");
        assert!(bar(&rig).contains("Esc back to this game"), "{picture}");
        assert_eq!(rig.press(KeyCode::Char('c')), "start(kept(\"live\"))");
    }
    let start = Rig::menu(GlyphSet::Unicode, (160, 50));
    assert!(!start.picture().contains("Esc back"), "{}", start.picture());
}
