//! Themes: readable colours on terminals with many, 256, sixteen and no colours.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

use crosspath::canvas::GlyphSet;
use crosspath::ui::tui::{
    ColorDepth, InputDecoder, KnownBackground, Palette, ScreenEvent, TerminalBackground, Theme, draw_screen,
    layout_in_lines, nearest_xterm_colour,
};
use crossterm::event::KeyCode;
use ratatui_core::backend::TestBackend;
use ratatui_core::style::{Color, Modifier};
use ratatui_core::terminal::Terminal as Drawing;

use crate::screen::{Terminal, shell};
use crate::screens::{GLYPHS, pages};
use crate::sentences::said;
use crate::support::assert_golden;
use crate::tui_harness::Rig;

/// Returns the luminance of a colour, from 0 to 1, by WCAG 2.
fn luminance(colour: Color) -> f64 {
    let Color::Rgb(red, green, blue) = colour else { panic!("{colour:?} is not its own") };
    let part = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.039_28 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

/// Returns the contrast of two colours, from 1 to 21, by WCAG 2.
pub(crate) fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_colour_is_readable_on_the_background_and_on_tiles() {
    for theme in Theme::BUILT_IN {
        for ground in [TerminalBackground::Dark, TerminalBackground::Light] {
            let Some(&(mut palette)) = theme.palette(Some(ground)) else {
                assert!([Theme::Mono, Theme::Terminal].contains(&theme), "{theme:?}");
                continue;
            };
            let least = if theme == Theme::Contrast { 7.0 } else { 4.5 };
            let (behind, tile) = (palette.ground, palette.tile);
            for (name, &mut colour) in palette.named_colours_mut() {
                if ["background", "tile"].contains(&name) {
                    continue;
                }
                for place in [behind, tile] {
                    let contrast = contrast(colour, place);
                    assert!(contrast >= least, "{theme:?} {ground:?} {name}: {contrast:.2}");
                }
            }
        }
    }
}

/// Converts linear red, green and blue to CIE L*a*b* (D65).
fn lab(linear: [f64; 3]) -> [f64; 3] {
    let weighted = |weights: [f64; 3]| (0..3).map(|i| weights[i] * linear[i]).sum::<f64>();
    let x = weighted([0.412_456_4, 0.357_576_1, 0.180_437_5]) / 0.950_47;
    let y = weighted([0.212_672_9, 0.715_152_2, 0.072_175]);
    let z = weighted([0.019_333_9, 0.119_192, 0.950_304_1]) / 1.088_83;
    let [x, y, z] =
        [x, y, z].map(|t| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Returns the CIE 1976 distance of two colours for an eye that transforms linear light by `eye`.
fn distance(one: Color, other: Color, eye: &[[f64; 3]; 3]) -> f64 {
    let seen = |colour: Color| {
        let Color::Rgb(red, green, blue) = colour else { panic!("{colour:?} is not its own") };
        let linear = [red, green, blue].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        lab(eye.map(|row| (0..3).map(|i| row[i] * linear[i]).sum::<f64>().clamp(0.0, 1.0)))
    };
    let (one, other) = (seen(one), seen(other));
    (0..3).map(|i| (one[i] - other[i]).powi(2)).sum::<f64>().sqrt()
}

/// Normal vision, and vision without the cones for long, middle and short waves.
///
/// Source: Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for Simulation of
/// Color Vision Deficiency", severity 1.0.
const COLOUR_VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protan",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deutan",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_82, 0.042_94, 0.968_881],
        ],
    ),
    (
        "tritan",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_9],
        ],
    ),
];

#[test]
fn distinguishing_colours_work_with_colour_blindness() {
    let pairs = [
        ("red", "blue"),
        ("white", "black"),
        ("allowed", "refused"),
        ("mark", "red"),
        ("mark", "blue"),
        ("mark", "white"),
        ("mark", "black"),
    ];
    let mut faults = Vec::new();
    for theme in Theme::BUILT_IN {
        for ground in [TerminalBackground::Dark, TerminalBackground::Light] {
            let Some(&(mut palette)) = theme.palette(Some(ground)) else { continue };
            let named: BTreeMap<_, _> =
                palette.named_colours_mut().map(|(name, colour)| (name, *colour)).into();
            for (one, other) in pairs {
                for (eye, matrix) in &COLOUR_VISIONS {
                    let distance = distance(named[one], named[other], matrix);
                    if distance < 20.0 {
                        faults.push(format!("{theme:?} {ground:?} {one} and {other}, {eye}: {distance:.1}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns the picture with the colours and attributes of each row below it.
fn picture_with_styles(rig: &Rig) -> String {
    let (width, height) = rig.screen.size;
    let mut drawing = Drawing::new(TestBackend::new(width, height)).unwrap();
    drawing.draw(|frame| draw_screen(&rig.scene(), frame)).unwrap();
    let buffer = drawing.backend().buffer();
    let mut text = String::new();
    // Text beside the board is left out, except its styles, so that sentences may change.
    let board = layout_in_lines(rig.scene().shown_position().unwrap(), rig.screen.size).board;
    for y in 0..height {
        let row: String = (board.left()..board.right()).map(|x| buffer[(x, y)].symbol()).collect();
        let row = if (board.top()..board.bottom()).contains(&y) { row.trim_end() } else { "" };
        writeln!(text, "{y} {row}").unwrap();
        let mut looks: Vec<(Color, Color, Modifier)> = Vec::new();
        for x in 0..width {
            let cell = &buffer[(x, y)];
            let look = (cell.fg, cell.bg, cell.modifier);
            // The colour of a space is invisible.
            let is_blank = cell.symbol() == " " && !cell.modifier.contains(Modifier::REVERSED);
            let last = looks.last().filter(|last| is_blank && last.1 == cell.bg);
            looks.push(*last.filter(|last| !last.2.contains(Modifier::REVERSED)).unwrap_or(&look));
        }
        let look = |x: u16| looks[usize::from(x)];
        let mut from = 0;
        for x in 1..=width {
            if x < width && look(x) == look(from) {
                continue;
            }
            let (colour, ground, modifier) = look(from);
            if (colour, ground, modifier) != (Color::Reset, Color::Reset, Modifier::empty()) {
                let on = if ground == Color::Reset { String::new() } else { format!(" on {ground}") };
                let how = if modifier.is_empty() { String::new() } else { format!(" {modifier:?}") };
                let is_board = (board.left()..board.right()).contains(&from)
                    && (board.top()..board.bottom()).contains(&y);
                let place = if is_board { format!("{from}-{}", x - 1) } else { "beside".to_owned() };
                let line = format!("    {place} {colour}{on}{how}\n");
                if is_board || !text.ends_with(&line) {
                    text += &line;
                }
            }
            from = x;
        }
    }
    text
}

fn rig_with_theme(name: &str, theme: Theme, depth: ColorDepth, ground: Option<TerminalBackground>) -> Rig {
    let (_, mut rig) = pages(GLYPHS[0], (80, 24)).into_iter().find(|(page, _)| *page == name).unwrap();
    rig.screen.looks.theme = theme;
    rig.screen.looks.depth = depth;
    rig.screen.looks.ground = ground.map_or(KnownBackground::Asked, KnownBackground::Reported);
    rig
}

#[test]
fn themes_use_the_colours_of_the_terminal() {
    use ColorDepth::{All, Indexed, Sixteen};
    let mut all = String::new();
    for (name, theme, depth, ground) in [
        ("dark", Theme::Dark, All, None),
        ("light", Theme::Auto, All, Some(TerminalBackground::Light)),
        ("contrast", Theme::Contrast, All, None),
        ("16-colours", Theme::Dark, Sixteen, None),
        ("256-colours", Theme::Dark, Indexed { may_have_all: false }, None),
        ("no-colour", Theme::Dark, ColorDepth::None, None),
    ] {
        for page in ["hex", "wall-allowed", "over"] {
            let text = picture_with_styles(&rig_with_theme(page, theme, depth, ground));
            assert_eq!(
                text.contains('#'),
                depth == All,
                "{name} {page}: no colour but those of the terminal"
            );
            assert_eq!(
                text.contains(" on #"),
                depth == All,
                "{name} {page}: the ground is the terminal's own"
            );
            writeln!(all, "== {page} {name}\n{text}").unwrap();
        }
    }
    assert_golden(&all, "tests/golden/colours.txt");
    // A terminal that does not report its background counts as dark.
    let same = |theme, depth| picture_with_styles(&rig_with_theme("hex", theme, depth, None));
    assert_eq!(same(Theme::Auto, All), same(Theme::Dark, All));
    assert_eq!(same(Theme::Dark, Sixteen), same(Theme::Terminal, Sixteen));
    assert_eq!(same(Theme::Contrast, ColorDepth::None).matches('#').count(), 0);
}

#[test]
fn every_theme_shows_the_same_characters() {
    for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
        for (name, mut rig) in pages(glyphs, (100, 35)) {
            if name.starts_with("menu") {
                continue; // the picture names the theme
            }
            let before = rig.picture();
            for theme in Theme::BUILT_IN {
                for depth in [
                    ColorDepth::None,
                    ColorDepth::Sixteen,
                    ColorDepth::Indexed { may_have_all: true },
                    ColorDepth::All,
                ] {
                    (rig.screen.looks.theme, rig.screen.looks.depth) = (theme, depth);
                    assert_eq!(rig.picture(), before, "{name} {theme:?} {depth:?}");
                }
            }
        }
    }
}

#[test]
fn the_theme_key_cycles_through_all_themes() {
    let (_, mut rig) =
        pages(GlyphSet::Unicode, (80, 24)).into_iter().find(|(page, _)| *page == "hex").unwrap();
    rig.screen.looks.theme = Theme::Terminal;
    let mut names = Vec::new();
    for _ in Theme::BUILT_IN {
        rig.press(KeyCode::Char('T'));
        names.push(rig.screen.looks.theme.name());
    }
    assert_eq!(names, ["auto", "dark", "light", "colour-blind", "contrast", "mono", "terminal"]);
    rig.press(KeyCode::Char('T'));
    rig.press(KeyCode::Char('T'));
    let own = said!("in-the-terminals-own");
    assert_eq!(rig.status(), said!("theme-dark-t-changes", own));
    rig.screen.looks.depth = ColorDepth::None;
    rig.press(KeyCode::Char('T'));
    assert_eq!(rig.status(), said!("theme-light-without-colours"));
    rig.screen.looks.depth = ColorDepth::All;
    rig.screen.looks.theme = Theme::Dark;
    rig.press(KeyCode::Char('T'));
    assert_eq!(rig.status(), said!("theme-light-t-changes"));
}

#[test]
fn terminal_responses_are_not_keys() {
    let white = "\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\";
    let read = |bytes: &str, pieces: usize| {
        let (mut decoder, mut found) = (InputDecoder::default(), Vec::new());
        bytes.as_bytes().chunks(pieces).for_each(|piece| decoder.decode(piece, &mut found));
        decoder.flush_after_timeout(&mut found);
        found
    };
    let key = |letter: char| ScreenEvent::Key(KeyCode::Char(letter).into());
    let esc_of = || ScreenEvent::Key(KeyCode::Esc.into());
    for pieces in [1, 2, 3, 100] {
        let all = read(&format!("a{white}b\u{1b}[?62;4cc"), pieces);
        assert_eq!(
            all,
            [
                key('a'),
                ScreenEvent::Background(TerminalBackground::Light),
                key('b'),
                ScreenEvent::Answered,
                key('c')
            ]
        );
        assert_eq!(
            read("\u{1b}]11;rgb:1e/21/27\u{7}d", pieces),
            [ScreenEvent::Background(TerminalBackground::Dark), key('d')]
        );
        assert_eq!(
            read("\u{1b}]11;rgba:0/f/0/f\u{7}", pieces),
            [ScreenEvent::Background(TerminalBackground::Light)]
        );
        // Other input is read as keys, and later input is not swallowed.
        let esc = ScreenEvent::Key(KeyCode::Esc.into());
        assert_eq!(read("\u{1b}]x", pieces), [esc, key(']'), key('x')]);
        assert_eq!(read("\u{1b}]11;what\u{7}e", pieces), [key('e')]);
        assert_eq!(read("\u{1b}]11;rgb:1/2\u{3}", pieces).len(), 1, "Ctrl-C is heard");
        // A terminal shows all colours if it reports the background that was set, or if its
        // terminfo entry says so.
        let set = "\u{1b}P1$r0;48:2::1:2:3m\u{1b}\\f";
        assert_eq!(read(set, pieces), [ScreenEvent::AllColours, key('f')]);
        assert_eq!(read("\u{1b}P1+r524742=38\u{1b}\\", pieces), [ScreenEvent::AllColours]);
        assert_eq!(read("\u{1b}P1$r0;48:5:16m\u{1b}\\g", pieces), [key('g')]);
        assert_eq!(read("\u{1b}P0+r524742\u{1b}\\\u{1b}P0$r\u{1b}\\h", pieces), [key('h')]);
        assert_eq!(read("\u{1b}P", pieces), [esc_of(), key('P')], "Alt and a letter");
        assert_eq!(read("\u{1b}Px", pieces), [esc_of(), key('P'), key('x')]);
    }
}

/// Starts the program on a truecolor terminal that sends `answer` when it is asked for its
/// background.
fn start_with_background_answer(arguments: &[&str], answer: &str) -> Terminal {
    let script = "exec \"$0\" \"$@\"";
    let mut terminal = Terminal::start(shell(script, arguments).env("COLORTERM", "truecolor"));
    terminal.expect_output("\u{1b}]11;?\u{1b}\\\u{1b}[c");
    terminal.send(answer);
    terminal.expect(said!("from-the-shell"));
    terminal
}

#[test]
fn keys_typed_during_the_background_query_are_kept() {
    let [light, dark] = [Palette::LIGHT, Palette::DARK].map(|palette| match palette.ground {
        Color::Rgb(red, green, blue) => format!("48;2;{red};{green};{blue}"),
        other => panic!("{other:?}"),
    });
    let mut terminal = start_with_background_answer(&[], "2\u{1b}]11;rgb:ffff/ffff/ffff\u{7}\u{1b}[?62c");
    assert!(terminal.raw().contains(&light) && !terminal.raw().contains(&dark));
    terminal.expect("--game hex"); // the second game, chosen by the key
    assert!(
        start_with_background_answer(&[], "\u{1b}]11;rgb:0000/0000/0000\u{1b}\\\u{1b}[?62c")
            .raw()
            .contains(&dark)
    );
    // A terminal that does not know the query answers the next one at once. The program does not
    // wait for a silent terminal.
    for answer in ["\u{1b}[?6c", ""] {
        assert!(start_with_background_answer(&[], answer).raw().contains(&dark));
    }
    // A theme that does not depend on the background sends no query.
    let script = "exec \"$0\" \"$@\"";
    let fixed = shell(script, &["--theme", "dark"]).env("COLORTERM", "truecolor");
    let mut terminal = Terminal::start(fixed);
    terminal.expect(said!("from-the-shell"));
    assert!(terminal.raw().contains(&dark) && !terminal.raw().contains("\u{1b}]11"));
    // The theme key sends the query when it is needed.
    terminal.send("TTTTT");
    terminal.expect("◂ terminal ▸");
    terminal.send("T");
    terminal.expect_output("\u{1b}]11;?\u{1b}\\\u{1b}[c");
    terminal.send("\u{1b}]11;rgb:ffff/ffff/ffff\u{7}\u{1b}[?62c");
    terminal.expect_output(&light);
}

#[test]
fn a_256_colour_terminal_gets_the_nearest_colours_until_it_reports_more() {
    let script = "exec \"$0\" \"$@\"";
    let command = || shell(script, &["--theme", "dark", "--mode", "2", "--game", "hex"]);
    let mut terminal = Terminal::start(command().env("TERM", "xterm-256color"));
    let question = "\u{1b}[48;2;1;2;3m\u{1b}P$qm\u{1b}\\\u{1b}[0m\u{1b}P+q524742\u{1b}\\";
    terminal.expect_output(question);
    terminal.expect(said!("to-move-2", "Red"));
    let frame = terminal.raw().replace(question, "");
    assert!(frame.contains("48;5;235") && frame.contains('▀') && !frame.contains("48;2;"), "{frame:?}");
    terminal.send("\u{1b}P1$r0;48:2:1:2:3m\u{1b}\\");
    terminal.expect_output("48;2;30;33;39");
    // A terminal that would print the query is not asked.
    let fixed = command().env("TERM", "xterm-256color").env("TERM_PROGRAM", "Apple_Terminal");
    let mut terminal = Terminal::start(fixed);
    terminal.expect(said!("to-move-2", "Red"));
    assert!(!terminal.raw().contains("\u{1b}P"), "{:?}", terminal.raw());
}

/// Returns one of the 240 fixed colours of 256-colour terminals, as in xterm.
pub(crate) fn of_256(index: u8) -> [u8; 3] {
    let level = |i: u8| [0, 95, 135, 175, 215, 255][usize::from(i % 6)];
    let in_cube = index.checked_sub(16).expect("one of the first sixteen");
    let grey = index.checked_sub(232).map(|step| [8 + 10 * step; 3]);
    grey.unwrap_or_else(|| [level(in_cube / 36), level(in_cube / 6), level(in_cube)])
}

#[test]
fn the_chosen_one_of_256_colours_is_nearest() {
    let all: Vec<[u8; 3]> = (16..=255).map(of_256).collect();
    let distance = |one: [u8; 3], other: [u8; 3]| -> u32 {
        (0..3).map(|i| u32::from(one[i].abs_diff(other[i])).pow(2)).sum()
    };
    for red in (0..=255).step_by(15) {
        for green in (0..=255).step_by(17) {
            for blue in (0..=255).step_by(5) {
                let Color::Indexed(index) = nearest_xterm_colour(Color::Rgb(red, green, blue)) else {
                    panic!()
                };
                let found = distance(all[usize::from(index) - 16], [red, green, blue]);
                let least = all.iter().map(|&one| distance(one, [red, green, blue])).min().unwrap();
                assert_eq!(found, least, "{red} {green} {blue}: {index}");
            }
        }
    }
}

/// Maximum times: from the terminal's answer to the first picture, from a key to a picture, and
/// from Esc to a picture.
const MAX_FRAME_TIMES: [Duration; 3] =
    [Duration::from_millis(10), Duration::from_millis(20), Duration::from_millis(20)];

#[test]
#[ignore = "wall-clock: run with --release on a quiet machine"]
fn the_largest_boards_are_drawn_at_once() {
    // Larger Quoridor boards do not fit into such a window.
    for (game, size) in [("hex", "26"), ("quoridor", "21"), ("tic-tac-toe", "10")] {
        let arguments = ["--mode", "2", "--game", game, "--size", size];
        let taken = (0..5).map(|_| {
            let script = "stty cols 160 rows 50; exec \"$0\" \"$@\"";
            let mut terminal = Terminal::start(shell(script, &arguments).env("COLORTERM", "truecolor"));
            terminal.set_size(160, 50);
            terminal.expect_output("\u{1b}]11;?\u{1b}\\\u{1b}[c");
            let began = Instant::now();
            terminal.send("\u{1b}]11;rgb:0000/0000/0000\u{7}\u{1b}[?62c");
            terminal.expect("q quit");
            let first = began.elapsed();
            terminal.settle();
            let began = Instant::now();
            terminal.send("?");
            terminal.expect("Keys: ");
            let key = began.elapsed();
            terminal.settle();
            let began = Instant::now();
            terminal.send("\u{1b}");
            terminal.expect("arrows move");
            let escape = began.elapsed();
            terminal.settle();
            assert_eq!(
                terminal.read_for(Duration::from_millis(300)),
                0,
                "nothing is sent while nothing happens"
            );
            [first, key, escape]
        });
        let taken: Vec<[Duration; 3]> = taken.collect();
        for (which, most) in MAX_FRAME_TIMES.into_iter().enumerate() {
            let least = taken.iter().map(|one| one[which]).min().unwrap();
            println!("{game}: {which} {least:?}");
            assert!(least < most, "{game}: {which} took {least:?}");
        }
    }
}
