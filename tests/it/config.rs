//! The config file: its settings apply unless a flag overrides them, and each problem is reported
//! once.

use std::fs;
use std::path::Path;

use crosspath::canvas::GlyphSet;
use crossterm::event::KeyCode;

use crate::sentences::{lasting, said};
use crate::support::{Run, crosspath, file, folder, run_on};
use crate::tui_harness::Rig;

/// Runs the program with a config file.
fn run_with_config(settings: &str, arguments: &[&str], input: &str) -> Run {
    let home = folder();
    fs::create_dir(home.path().join("crosspath")).unwrap();
    fs::write(home.path().join("crosspath/config.toml"), settings).unwrap();
    let mut command = crosspath(arguments);
    command.env("XDG_CONFIG_HOME", home.path());
    run_on(command, input)
}

#[test]
fn the_configured_engine_plays_the_games_it_supports() {
    let settings = "engine = \"gtp:sh examples/gtp_player.sh\"\n";
    let hex = run_with_config(settings, &["--game", "hex", "--size", "5"], "c3\nlevel\n");
    assert!(hex.out.contains("gtp_player.sh plays. level N replaces"), "{}{}", hex.out, hex.err);
    let quoridor = run_with_config(settings, &["--game", "quoridor", "--nodes", "50"], "e2\nlevel\n");
    let warning = lasting(format!("{}\n", said!("the-engine-gtp-sh")));
    assert!(quoridor.err == warning && quoridor.out.contains("Levels: "), "{}{}", quoridor.out, quoridor.err);
    let two = run_with_config(settings, &["--game", "quoridor", "--mode", "2"], "e2\n");
    assert_eq!(two.err, "", "no machine plays, so nobody misses it");
    let both = run_with_config(&format!("{settings}bell = 1\n"), &["--game", "quoridor"], "");
    assert!(both.err.contains("bell must be true or false") && both.err.ends_with(warning), "{}", both.err);
    let level = run_with_config(settings, &["--game", "hex", "--size", "5", "--level", "1"], "level\n");
    assert!(
        level.err.is_empty()
            && level.out.contains(lasting(format!("{} ", said!("level-levels", "1", "beginner")))),
        "{}{}",
        level.out,
        level.err
    );
    let wrong = run_with_config("engine = \"gtp:\"\n", &[], "");
    assert!(wrong.err.contains("config.toml:1: --engine: gtp: needs a command"), "{}", wrong.err);
}

#[test]
#[cfg(unix)]
fn the_menu_warns_when_the_configured_engine_cannot_play() {
    use crate::screen::{Terminal, shell};
    use crosspath::registry::GAMES;
    let home = folder();
    fs::create_dir(home.path().join("crosspath")).unwrap();
    fs::write(home.path().join("crosspath/config.toml"), "engine = \"qtp:./engine\"\n").unwrap();
    let start = |arguments: &[&str]| {
        let program = shell("exec \"$0\" \"$@\"", arguments);
        Terminal::start(program.env("XDG_CONFIG_HOME", home.path().to_str().unwrap()))
    };
    let mut menu = start(&[]);
    menu.expect(said!("from-the-shell"));
    let number = GAMES.iter().position(|entry| entry.name == "quoridor").unwrap() + 1;
    menu.send(&number.to_string());
    menu.expect("--game quoridor");
    // Moves to the level option, and from level 2 to the entry after the strongest level.
    menu.send(&format!("\t{}{}", "\u{1b}[B".repeat(4), "\u{1b}[C".repeat(7)));
    menu.expect("--engine qtp:./engine");
    menu.send("q");
    assert_eq!(menu.end(), 0);
    let mut lines = start(&["--plain"]);
    lines.expect_output("game> ");
    lines.send("ttt\n");
    lines.expect_output("> ");
    lines.send("\n");
    lines.expect_output("The engine qtp:./engine cannot play Tic-tac-toe");
    lines.send("\u{4}");
    assert_eq!(lines.end(), 0);
}

#[test]
fn flags_override_the_config_file() {
    let settings = "game = \"hex\"\nsize = 5\nmode = 2\nglyphs = \"ascii\"\n";
    assert!(run_with_config(settings, &[], "where\nsave\n").out.contains("    a b c d e\n"), "hex, 5x5");
    let smaller = run_with_config(settings, &["--size", "3"], "").out;
    assert!(
        smaller.contains("    a b c\n") && !smaller.contains("a b c d"),
        "the flag comes first: {smaller}"
    );
    // Another game uses its own board size.
    let other = run_with_config(settings, &["--game", "quoridor"], "where\n");
    assert!(other.err.is_empty() && other.out.contains("e1"), "{}{}", other.out, other.err);
    let replay = run_with_config(settings, &["examples/draw.txt"], "");
    assert_eq!((replay.code, replay.err.as_str()), (Some(0), ""));
    for arguments in [&["perft", "--game", "tic-tac-toe", "1"][..], &["solve", "--size", "2"]] {
        assert_eq!(run_with_config(settings, arguments, "").code, Some(0), "commands have no settings");
    }
    let classic = run_with_config("level = \"classic\"\nstats = true\nseed = 1\n", &[], "");
    assert!(classic.err.contains("config.toml:3: there is no setting seed"), "{}", classic.err);
}

#[test]
fn config_errors_name_their_line_and_other_settings_apply() {
    let settings = "mode = 2\ncolour = \"red\"\nglyphs = \"pretty\"\nsize = 99\nbell = 1\nkeys = \"emacs\"\nstats = true\n";
    let run = run_with_config(settings, &[], "b2\n");
    assert_eq!(run.code, Some(0));
    for why in [
        "config.toml:2: there is no setting colour; settings are flag names without dashes.",
        "config.toml:3: glyphs must be auto, unicode, narrow or ascii, not pretty.",
        "config.toml:4: --size 99 is not possible for tic-tac-toe; it must be 1 to 10.",
        "config.toml:5: bell must be true or false.",
        lasting(format!("config.toml:6: keys {}", said!("keys-is-default-or"))),
    ] {
        assert_eq!(run.err.matches(why).count(), 1, "{why}: {}", run.err);
    }
    assert!(run.out.contains("X b2"), "mode 2 holds: {}", run.out);
    let broken = run_with_config("mode = 2\nsize = = 4\n", &[], "b2\n");
    assert!(
        broken.err.contains(lasting(format!("config.toml:2: {}", said!("this-is-no-toml")))),
        "{}",
        broken.err
    );
    assert!(broken.out.contains("X b2 | O "), "the defaults hold: {}", broken.out);
    let tabs = run_with_config("nodes = \"1\t\u{202e}2\"\n", &[], "").err;
    assert!(tabs.contains("config.toml:1: nodes must be a number, not 1??2."), "{tabs}");
    for (settings, arguments) in
        [("plain = true\n", &["--json", "--mode", "2"][..]), ("level = 3\n", &["--continue"])]
    {
        let run = run_with_config(settings, arguments, "");
        assert!(
            run.code == Some(0) && !run.err.contains("config.toml"),
            "a flag that excludes it: {}",
            run.err
        );
    }
}

#[test]
fn print_paths_writes_no_files() {
    let home = folder();
    let mut command = crosspath(&["--print-paths"]);
    command.env("XDG_CONFIG_HOME", home.path().join("c")).env("XDG_STATE_HOME", home.path().join("s"));
    let run = run_on(command, "");
    let wanted = |path: &str| home.path().join(path).to_str().unwrap().to_owned();
    assert_eq!(run.lines(), [wanted("c/crosspath/config.toml"), wanted("s/crosspath")]);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn an_unreadable_config_file_gives_one_warning() {
    let home = folder();
    fs::create_dir_all(home.path().join("crosspath/config.toml")).unwrap();
    let mut command = crosspath(&["--mode", "2"]);
    command.env("XDG_CONFIG_HOME", home.path());
    let run = run_on(command, "b2\n");
    assert!(
        run.err.contains("config.toml: this is a directory, not a file") && run.err.lines().count() == 1,
        "{}",
        run.err
    );
    assert!(run.out.contains("X b2"));
    let place = file(&home, "file", "");
    let mut command = crosspath(&["--mode", "2"]);
    command.env("XDG_CONFIG_HOME", Path::new(&place));
    assert_eq!(run_on(command, "b2\n").err, "", "where nothing can be there is nothing");
}

#[test]
fn with_vi_keys_moves_are_typed_after_a_colon() {
    let mut rig = Rig::board("hex", "size=5", "", GlyphSet::Unicode, (80, 24));
    rig.screen.looks.habits.has_vi_keys = true;
    rig.press(KeyCode::Home);
    let place = |rig: &Rig| rig.screen.cursor.clone();
    let before = format!("{:?}", place(&rig));
    rig.press(KeyCode::Char('l'));
    let right = format!("{:?}", place(&rig));
    assert_ne!(before, right);
    rig.press(KeyCode::Char('h'));
    assert_eq!(before, format!("{:?}", place(&rig)));
    rig.press(KeyCode::Char('l'));
    rig.press(KeyCode::Char('n'));
    rig.press(KeyCode::Char('y'));
    assert_eq!(right, format!("{:?}", place(&rig)), "down and left, and back");
    assert!(rig.screen.typed_line().is_none(), "no letter begins a move");
    rig.press(KeyCode::Char(':'));
    rig.typed("c3");
    assert_eq!(rig.press(KeyCode::Enter), "c3");
    rig.press(KeyCode::Char('N'));
    assert!(rig.screen.typed_line().is_none() && rig.screen.menu().is_none());
    assert_eq!(rig.status(), said!("the-game-goes-on"));
    rig.press(KeyCode::Char('?'));
    assert!(rig.picture().contains("h j k l"), "{}", rig.picture());
    let mut two = Rig::two("hex", "size=5", "", (80, 24));
    two.screen.looks.habits.has_vi_keys = true;
    assert!(two.picture().replace('\n', "").contains(said!("begin-with-a-colon")), "{}", two.picture());
}

#[test]
fn digit_keys_play_cells_on_3x3() {
    let mut rig = Rig::board("tic-tac-toe", "size=3", "", GlyphSet::Unicode, (80, 24));
    rig.screen.looks.habits.has_digits = true;
    for (digit, cell) in [('7', "a1"), ('9', "c1"), ('5', "b2"), ('1', "a3"), ('6', "c2")] {
        assert_eq!(rig.press(KeyCode::Char(digit)), cell);
    }
    rig.press(KeyCode::Char('0'));
    assert_eq!(rig.screen.typed_line(), Some("0"), "it begins a move as always");
    let mut larger = Rig::board("tic-tac-toe", "size=4", "", GlyphSet::Unicode, (80, 24));
    larger.screen.looks.habits.has_digits = true;
    larger.press(KeyCode::Char('5'));
    assert_eq!(larger.screen.typed_line(), Some("5"));
}

#[test]
fn the_config_file_can_define_themes() {
    let sea = "[themes.sea]\nbase = \"dark\"\nbackground = \"#001122\"\ntext = \"#ddeeff\"\n";
    let line = ["--mode", "2", "--plain"];
    let fine = run_with_config(&format!("theme = \"sea\"\n{sea}"), &line, "");
    assert_eq!((fine.err.as_str(), fine.code), ("", Some(0)));
    assert_eq!(
        run_with_config(sea, &[&line[..], &["--theme", "sea"]].concat(), "").err,
        "",
        "a flag can name it too"
    );
    let unknown = run_with_config(sea, &[&line[..], &["--theme", "see"]].concat(), "");
    let themes = "auto, dark, light, colour-blind, contrast, mono, terminal";
    assert_eq!(unknown.err, format!("error: there is no theme see; themes are {themes}, sea\n"));
    assert_eq!(unknown.code, Some(2));
    for (settings, said) in [
        ("theme = \"see\"\n", format!(":1: there is no theme see; themes are {themes}.")),
        (
            "[themes.sea]\nsky = \"#001122\"\n",
            ":2: a theme has no colour sky; the colours are base, background".to_owned(),
        ),
        ("[themes.sea]\ntext = \"blue\"\n", ":2: text must be a colour such as \"#1e2127\".".to_owned()),
        ("[themes.sea]\ntext = 5\n", ":2: text must be a colour such as \"#1e2127\".".to_owned()),
        (
            "[themes.sea]\nbase = \"sea\"\n",
            lasting(format!(":2: {}", said!("base-is-dark-light"))).to_owned(),
        ),
        (
            "[themes.sea]\nbase = \"light\"\nred = \"#ffcccc\"\nkey = \"#ffffff\"\n",
            ":1: themes.sea is hard to read: red, key on its background or tile.".to_owned(),
        ),
        (
            "[themes.sea]\nred = \"#222222\"\nblue = \"#222222\"\nmark = \"#222222\"\nkey = \"#222222\"\n",
            ":1: themes.sea is hard to read: red, blue, mark and 1 more on its background or tile."
                .to_owned(),
        ),
        ("[themes.\"\"]\n", lasting(format!(":1: {}", said!("a-theme-needs-a"))).to_owned()),
        ("[themes]\nsea = 3\n", ":2: themes.sea must be a table of colours.".to_owned()),
        ("[themes.dark]\n", ":1: dark is a built-in theme; choose another name.".to_owned()),
        ("themes = 3\n", lasting(format!(":1: {}", said!("themes-is-a-table"))).to_owned()),
    ] {
        let warning = run_with_config(settings, &line, "");
        assert!(warning.err.contains(&said) && warning.code == Some(0), "{settings}: {}", warning.err);
    }
}

#[cfg(unix)]
#[test]
fn the_bell_rings_once_per_engine_move_if_configured() {
    use crate::screen::{Terminal, shell};
    let home = folder();
    fs::create_dir(home.path().join("crosspath")).unwrap();
    let rung = |settings: &str, arguments: &[&str], answer: &str| {
        fs::write(home.path().join("crosspath/config.toml"), settings).unwrap();
        let program = shell("exec \"$0\" \"$@\"", arguments);
        let mut terminal = Terminal::start(program.env("XDG_CONFIG_HOME", home.path().to_str().unwrap()));
        terminal.expect("White");
        terminal.settle();
        let before = terminal.raw().matches('\x07').count();
        terminal.send("e2\r");
        terminal.expect(answer);
        terminal.settle();
        (before, terminal.raw().matches('\x07').count())
    };
    let game = ["--game", "quoridor", "--nodes", "50", "--walls", "0"];
    let plain = [&game[..], &["--plain"]].concat();
    let two = [&game[..], &["--mode", "2"]].concat();
    assert_eq!(rung("bell = true\n", &game, "e8"), (0, 1), "the full screen");
    assert_eq!(rung("bell = true\n", &plain, "e8"), (0, 1), "lines");
    assert_eq!(rung("bell = true\n", &two, said!("to-move", "Black")), (0, 0), "two people");
    assert_eq!(rung("bell = false\n", &game, "e8"), (0, 0), "off");
    assert_eq!(rung("", &plain, "e8"), (0, 0), "off unless asked for");
    let piped = run_with_config("bell = true\n", &game, "e2\n");
    assert!(!piped.out.contains('\x07') && piped.out.contains("e8"), "{}", piped.out);
}
