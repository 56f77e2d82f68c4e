//! Pictures contain every piece of the board and are well-formed XML. The screenshots in the
//! documentation are those that the program draws.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crosspath::game::Side;
use crosspath::picture::{PictureHeading, SvgTheme, render_animation, render_board_svg, render_game_sheet};
use crosspath::random::random_stream;
use crosspath::registry::{Variant, find_game};
use crosspath::session::Position;
use crosspath::ui::tui::{Palette, render_svg_screenshot};

use rand::RngExt;
use ratatui_core::buffer::Buffer;
use ratatui_core::style::{Color, Style};

use crate::sentences::said;
use crate::support::{Run, assert_golden, example, file, folder, run, run_on};
use crate::tui_harness::history;

#[path = "../../examples/shot.rs"]
#[allow(dead_code, reason = "its main function is for cargo run")]
mod shot;

/// Returns every tag of a document. Panics if it is not well-formed XML.
fn parse_tags(xml: &str) -> Vec<String> {
    let (mut open, mut all): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = xml.trim_end();
    let mut roots = 0;
    while let Some((text, behind)) = rest.split_once('<') {
        assert!(!open.is_empty() || text.trim().is_empty(), "text outside of the root: {text}");
        check_text(text);
        let (tag, more) = behind.split_once('>').expect("a tag has an end");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "tags are closed in turn");
        } else {
            let is_empty = tag.ends_with('/');
            let tag = tag.trim_end_matches('/');
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "{tag}");
            check_attributes(attributes);
            roots += usize::from(open.is_empty());
            if !is_empty {
                open.push(name);
            }
        }
        all.push(tag.to_owned());
        rest = more;
    }
    assert_eq!((rest, open.len(), roots), ("", 0, 1), "one root that is closed at the end");
    all
}

fn check_text(text: &str) {
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    for piece in text.split('&').skip(1) {
        let name = piece.split(';').next().unwrap();
        assert!(["amp", "lt", "gt", "quot"].contains(&name), "{text}");
    }
}

fn check_attributes(attributes: &str) {
    let (mut rest, mut names) = (attributes.trim(), BTreeSet::new());
    while !rest.is_empty() {
        let (name, behind) = rest.split_once("=\"").unwrap_or_else(|| panic!("{attributes}"));
        let (value, more) = behind.split_once('"').unwrap_or_else(|| panic!("{attributes}"));
        assert!(
            names.insert(name) && name.chars().all(|c| c.is_ascii_alphabetic() || c == '-'),
            "{attributes}"
        );
        check_text(value);
        assert!(!value.contains("NaN") && !value.contains("inf"), "{attributes}");
        assert!(more.is_empty() || more.starts_with(' '), "{attributes}");
        rest = more.trim_start();
    }
}

/// Returns the pieces that a picture names, such as `first e4`, sorted.
fn pieces_in_svg(svg: &str) -> Vec<String> {
    let mut named: Vec<String> = parse_tags(svg).iter().filter_map(|tag| piece_in_tag(tag)).collect();
    named.sort();
    named
}

fn piece_in_tag(tag: &str) -> Option<String> {
    let value = |name: &str| Some(tag.split_once(&format!("{name}=\""))?.1.split('"').next()?.to_owned());
    Some(format!("{} {}", value("data-side")?, value("data-at")?))
}

/// Returns the pieces of a position in the same form.
fn pieces_on_board(position: &dyn Position) -> Vec<String> {
    let of_side =
        |side: Side| position.view().list_pieces(side).into_iter().map(move |text| format!("{side} {text}"));
    let mut all: Vec<String> = Side::BOTH.into_iter().flat_map(of_side).collect();
    all.sort();
    all
}

const BOARDS: [(&str, &str); 12] = [
    ("tic-tac-toe", "size=1"),
    ("tic-tac-toe", "size=3"),
    ("tic-tac-toe", "size=5"),
    ("tic-tac-toe", "size=10"),
    ("hex", "size=1"),
    ("hex", "size=2"),
    ("hex", "size=11"),
    ("hex", "size=26"),
    ("quoridor", "size=3"),
    ("quoridor", "size=5"),
    ("quoridor", "size=9"),
    ("quoridor", "size=25"),
];

/// Returns a position after at most `most` random moves.
fn random_position(game: &str, settings: &str, seed: u64, most: usize) -> Arc<dyn Position> {
    let mut random = random_stream(seed, 0);
    let mut position = find_game(game).unwrap().start_position(&Variant::parse(settings)).unwrap();
    while position.outcome().is_none() && position.plies() < most {
        let legal = position.legal_moves();
        position = position.play(&legal[random.random_range(0..legal.len())]).unwrap();
    }
    position
}

#[test]
fn every_piece_of_a_position_is_in_its_picture_once() {
    for (game, settings) in BOARDS {
        for (seed, most) in [(1, 0), (2, 1), (3, 2), (4, 7), (5, 24), (6, 60)] {
            let position = random_position(game, settings, seed, most);
            for theme in [SvgTheme::Light, SvgTheme::Dark] {
                let svg = render_board_svg(&*position, "a board", &[], theme);
                assert_eq!(pieces_in_svg(&svg), pieces_on_board(&*position), "{game} {settings}");
            }
            let svg = render_game_sheet(&position, &PictureHeading::default(), SvgTheme::Light);
            assert_eq!(pieces_in_svg(&svg), pieces_on_board(&*position), "the sheet of {game} {settings}");
        }
    }
}

/// Returns the bold numbers on the board of a sheet and the numbers in the notes below it.
fn numbers_on_sheet(svg: &str) -> BTreeSet<usize> {
    let svg = svg.replace('\u{a0}', " ");
    let texts = svg.split("</text>").filter_map(|piece| piece.rsplit_once("<text").map(|(_, text)| text));
    let contents = texts.filter_map(|text| text.split_once('>'));
    let mut numbers = BTreeSet::new();
    for (attributes, content) in contents {
        if attributes.contains("middle") && attributes.contains("bold") {
            numbers.extend(content.parse::<usize>());
        } else {
            let notes =
                content.trim_start_matches("Moves: ").split(", ").filter_map(|note| note.split_once(" at "));
            numbers.extend(notes.filter_map(|(number, _)| number.split(' ').next()?.parse::<usize>().ok()));
        }
    }
    numbers
}

#[test]
fn every_move_of_a_sheet_has_its_number_and_is_listed() {
    for (game, settings) in BOARDS {
        for seed in 1..4 {
            let position = random_position(game, settings, seed, 40);
            let svg = render_game_sheet(&position, &PictureHeading::default(), SvgTheme::Dark);
            assert_eq!(numbers_on_sheet(&svg), (1..=position.plies()).collect(), "{game} {settings}");
            for text in position.played_moves() {
                assert!(svg.contains(&format!(">{text}</text>")), "{text}");
            }
        }
    }
}

#[test]
fn the_number_of_a_swap_is_on_the_swapped_stone() {
    let position = history("hex", "size=5", "b1 swap c3 d2").current().clone();
    let svg = render_game_sheet(&position, &PictureHeading::default(), SvgTheme::Light);
    let stone = parse_tags(&svg).into_iter().find(|tag| tag.contains("data-at=\"a2\"")).unwrap();
    let middle = stone.split_once("cx=\"").unwrap().1.split('"').next().unwrap();
    assert!(
        svg.contains(&format!("<text x=\"{middle}\""))
            && svg.contains(" 2\u{a0}swap\u{a0}at\u{a0}a2.</text>"),
        "{svg}"
    );
    // On the diagonal the stone stays where it is.
    let position = history("hex", "size=5", "c3 swap").current().clone();
    let svg = render_game_sheet(&position, &PictureHeading::default(), SvgTheme::Light);
    assert!(svg.contains(">Moves: 1\u{a0}at\u{a0}c3, 2\u{a0}swap\u{a0}at\u{a0}c3.</text>"), "{svg}");
}

#[test]
fn a_cell_that_is_used_twice_has_a_note() {
    let position = history("quoridor", "size=5", "c2 c4 b2 d4 c2 c4 b2").current().clone();
    let svg = render_game_sheet(&position, &PictureHeading::default(), SvgTheme::Light);
    // Each cell shows the number of the last move there; the pawns end on b2 and c4.
    assert!(svg.contains(">Moves: 2\u{a0}at\u{a0}c4, 3\u{a0}at\u{a0}b2, 5\u{a0}at\u{a0}c2.</text>"), "{svg}");
}

#[test]
fn the_sides_can_be_distinguished_without_colours() {
    let without_colours = |game: &str, moves: &str| {
        let svg = render_board_svg(&**history(game, "size=5", moves).current(), "", &[], SvgTheme::Light);
        let mut shapes: Vec<String> = Vec::new();
        for tag in parse_tags(&svg).iter().filter(|tag| tag.contains("data-side")) {
            let is_hollow = tag.contains("fill=\"#ffffff\"") || tag.contains("fill=\"none\"");
            shapes.push(format!("{} {is_hollow}", tag.split(' ').next().unwrap()));
        }
        shapes
    };
    for (game, moves) in [("tic-tac-toe", "a1 b2"), ("hex", "a1 b2")] {
        let shapes = without_colours(game, moves);
        assert_ne!(shapes[0], shapes[1], "{game}");
    }
    let shapes = without_colours("quoridor", "a1h d4v");
    let [wall, other, ..] = shapes.as_slice() else { panic!("{shapes:?}") };
    assert_eq!((wall.as_str(), other.as_str()), ("rect false", "rect true"), "a full wall and a hollow one");
    // Pawns point up or down: the second corner is below or above the first.
    let svg =
        render_board_svg(&**history("quoridor", "size=5", "a1h d4v").current(), "", &[], SvgTheme::Light);
    let pawns =
        parse_tags(&svg).into_iter().filter(|tag| tag.starts_with("path") && tag.contains("data-side"));
    let points_up = pawns.map(|tag| {
        let corners = tag.split("d=\"M").nth(1).unwrap().split('z').next().unwrap();
        let heights: Vec<f64> =
            corners.split('L').map(|corner| corner.split(' ').nth(1).unwrap().parse().unwrap()).collect();
        (tag.contains("data-side=\"first\""), heights[0] < heights[1])
    });
    assert_eq!(points_up.collect::<Vec<_>>(), [(true, true), (false, false)], "White's goal is above");
}

/// Reports for each shape with these attributes whether its fill has the colour of its outline.
fn solid_fills(svg: &str, attributes: &str) -> Vec<bool> {
    let value = |tag: &str, name: &str| tag.split_once(name)?.1.split('"').next().map(str::to_owned);
    let shapes =
        parse_tags(svg).into_iter().filter(|tag| tag.contains(attributes) && !tag.contains("data-at"));
    shapes.map(|tag| value(&tag, " fill=\"") == value(&tag, " stroke=\"")).collect()
}

#[test]
fn edges_goals_and_wins_can_be_seen_without_colours() {
    let svg = |game: &str, moves: &str| {
        render_board_svg(&**history(game, "size=3", moves).current(), "", &[], SvgTheme::Dark)
    };
    // The order is top, right, bottom, left. Red's bands and White's bar are solid.
    assert_eq!(solid_fills(&svg("hex", ""), "stroke-width=\"2.5\""), [true, false, true, false]);
    assert_eq!(solid_fills(&svg("quoridor", ""), "stroke-width=\"2.4\""), [true, false]);
    // A chain has a line between each two neighbours, and a row has one line.
    let lines = |game: &str, moves: &str| {
        let is_line = |tag: &&String| tag.contains("stroke-linecap") && !tag.contains("data-at");
        parse_tags(&svg(game, moves)).iter().filter(is_line).count()
    };
    assert_eq!((lines("hex", "b1 a2 b2 a3"), lines("hex", "b1 a2 b2 a3 b3")), (0, 2));
    assert_eq!((lines("tic-tac-toe", "a1 a2 b1 b2"), lines("tic-tac-toe", "a1 a2 b1 b2 c1")), (0, 1));
}

/// Returns the corners of a path, with curves replaced by straight lines.
fn path_corners(path: &str) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    let starts: Vec<usize> =
        path.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(path.len());
        let numbers: Vec<f64> =
            path[start + 1..end].split_whitespace().map(|number| number.parse().unwrap()).collect();
        let (x, y) = corners.last().copied().unwrap_or_default();
        match (&path[start..=start], numbers.as_slice()) {
            ("M" | "L", &[x, y]) => corners.push((x, y)),
            ("h", &[by]) => corners.push((x + by, y)),
            ("v", &[by]) => corners.push((x, y + by)),
            ("l" | "a", &[.., dx, dy]) => corners.push((x + dx, y + dy)),
            _ => {}
        }
    }
    corners
}

/// Reports whether a point is inside a closed path.
fn is_inside(corners: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
    let next = corners.iter().cycle().skip(1);
    let crosses = |&(&(ax, ay), &(bx, by)): &(&(f64, f64), &(f64, f64))| {
        (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
    };
    corners.iter().zip(next).filter(crosses).count() % 2 == 1
}

/// Returns the colour of the topmost shape under a point.
fn colour_below(tags: &[String], (x, y): (f64, f64)) -> String {
    let value =
        |tag: &str, name: &str| Some(tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?.to_owned());
    let number = |tag: &str, name: &str| value(tag, name).and_then(|text| text.parse::<f64>().ok());
    let covers = |tag: &&String| {
        if value(tag, "fill").is_none_or(|fill| fill == "none") {
            return false;
        }
        match tag.split(' ').next().unwrap() {
            "circle" => {
                let [cx, cy, r] = ["cx", "cy", "r"].map(|name| number(tag, name).unwrap());
                (x - cx).hypot(y - cy) <= r
            }
            "rect" => {
                let [left, top] = ["x", "y"].map(|name| number(tag, name).unwrap_or(f64::NEG_INFINITY));
                let [width, height] =
                    ["width", "height"].map(|name| number(tag, name).unwrap_or(f64::INFINITY));
                (left..=left + width).contains(&x) && (top..=top + height).contains(&y)
            }
            // A path may have several parts.
            "path" => value(tag, "d")
                .unwrap()
                .split_inclusive('z')
                .any(|part| is_inside(&path_corners(part), (x, y))),
            _ => false,
        }
    };
    value(tags.iter().rfind(covers).expect("the page is below all"), "fill").unwrap()
}

#[test]
fn every_number_of_a_sheet_has_enough_contrast() {
    let luminance = |colour: &str| {
        let part = |at: usize| {
            let part = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let games = [
        ("quoridor", "size=9", "e2 e8 e3 e7 d6h e3v d3 d7 e3"),
        ("quoridor", "size=3 walls=1", "a1h b2 c1 a2 c2"),
        ("hex", "size=5", "b1 swap c3 d2 c4 b4 c2 b3"),
        ("hex", "size=3 swap=off", "b1 a1 b2 a2 b3"),
        ("tic-tac-toe", "size=3", "a1 b2 b1 c3 c1"),
    ];
    for (game, settings, moves) in games {
        let position = history(game, settings, moves).current().clone();
        for theme in [SvgTheme::Light, SvgTheme::Dark] {
            let svg = render_game_sheet(&position, &PictureHeading::default(), theme);
            let mut numbers = 0;
            for (at, _) in svg.match_indices("<text ") {
                let (tag, content) = svg[at + 1..].split_once('>').unwrap();
                let value = |name: &str| {
                    tag.split_once(&format!(" {name}=\"")).map(|(_, rest)| rest.split('"').next().unwrap())
                };
                let is_number = content.split('<').next().unwrap().parse::<usize>().is_ok();
                if !is_number || value("font-weight").is_none() || value("text-anchor") != Some("middle") {
                    continue;
                }
                numbers += 1;
                let [x, y, size] =
                    ["x", "y", "font-size"].map(|name| value(name).unwrap().parse::<f64>().unwrap());
                let below = colour_below(&tags_before(&svg[..at]), (x, y - 0.35 * size));
                let (one, other) = (luminance(value("fill").unwrap()), luminance(&below));
                let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                assert!(contrast >= 4.5, "{game} {theme:?}: {tag}>{content:.4} on {below}: {contrast:.2}");
            }
            assert!(numbers > 3, "{game}: {numbers}");
        }
    }
}

/// Returns the tags of an incomplete document.
fn tags_before(xml: &str) -> Vec<String> {
    xml.split('<')
        .skip(1)
        .map(|tag| tag.split('>').next().unwrap().trim_end_matches('/').to_owned())
        .collect()
}

/// Reports whether a class is visible in a frame: `f3-7` is visible in frames 3 to 6.
fn is_visible(class: &str, frame: usize) -> bool {
    let (from, to) = class.strip_prefix('f').unwrap().split_once('-').unwrap();
    (from.parse().unwrap()..to.parse().unwrap()).contains(&frame)
}

#[test]
fn an_animation_shows_every_position_in_turn() {
    for (game, settings) in [("tic-tac-toe", "size=4"), ("hex", "size=7"), ("quoridor", "size=5")] {
        let last = random_position(game, settings, 8, 25);
        let svg = render_animation(&last, "a game", |position| position.plies().to_string(), SvgTheme::Dark);
        let (style, body) = svg.split_once("</style>").unwrap();
        parse_tags(&svg);
        for class in body.split("class=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let still = if is_visible(class, last.plies()) { "visible" } else { "hidden" };
            assert!(style.contains(&format!(".{class}{{visibility:{still};animation:{class} ")), "{class}");
        }
        let mut position = Some(last);
        while let Some(here) = position {
            let mut seen: Vec<String> = Vec::new();
            let mut class = None;
            for tag in parse_tags(&svg) {
                if tag.starts_with('g') || tag == "/g" {
                    class = tag.split_once("class=\"").map(|(_, rest)| rest.trim_end_matches('"').to_owned());
                } else if class.as_ref().is_none_or(|class| is_visible(class, here.plies())) {
                    seen.extend(piece_in_tag(&tag));
                }
            }
            seen.sort();
            assert_eq!(seen, pieces_on_board(&*here), "{game} after move {}", here.plies());
            position = here.parent();
        }
    }
}

#[test]
fn the_readme_animation_matches_the_committed_file() {
    let svg = run_picture(&["examples/hex-short.txt", "--animated", "--theme", "dark"]).out;
    assert_golden(&svg, "docs/game.svg");
    assert!(svg.len() <= 200_000 && svg.contains("prefers-reduced-motion") && !svg.contains("<script"));
}

#[test]
fn the_screenshots_in_the_documentation_are_up_to_date() {
    for (name, svg) in shot::screenshots().unwrap() {
        parse_tags(&svg);
        assert_golden(&svg, &format!("docs/{name}"));
    }
}

#[test]
fn a_screenshot_reproduces_every_cell() {
    let mut buffer = Buffer::with_lines(["<&> x", "     "]);
    buffer[(1, 0)].set_style(Style::new().bold().dim().fg(Color::Rgb(1, 2, 3)));
    buffer[(4, 0)].set_style(Style::new().reversed());
    buffer[(2, 1)].set_style(Style::new().bg(Color::Rgb(0xab, 0xcd, 0xef)));
    let (text, ground) = (Palette::colour_from_rgb(0x11_1111), Palette::colour_from_rgb(0xee_eeee));
    let svg = render_svg_screenshot(&buffer, "signs & <marks>", &Palette { text, ground, ..Palette::DARK });
    let tags = parse_tags(&svg);
    assert!(tags[0].contains("width=\"68\" height=\"60\""), "{svg}");
    let count = |start: &str| tags.iter().filter(|tag| tag.starts_with(start)).count();
    assert_eq!((count("text "), count("rect ")), (4, 3), "{svg}");
    for part in [
        "<title>signs &amp; &lt;marks&gt;</title>",
        "<text x=\"10\" y=\"24.9\">&lt;</text>",
        "<g fill=\"#010203\" font-weight=\"bold\" opacity=\".5\">\n<text x=\"19.6\" y=\"24.9\">&amp;</text>",
        "<g fill=\"#eeeeee\">\n<text x=\"48.4\" y=\"24.9\">x</text>",
        "<rect x=\"48.4\" y=\"10\" width=\"9.6\" height=\"20\" fill=\"#111111\"/>",
        "<rect x=\"29.2\" y=\"30\" width=\"9.6\" height=\"20\" fill=\"#abcdef\"/>",
    ] {
        assert!(svg.contains(part), "{part} is missing in {svg}");
    }
}

fn run_picture(arguments: &[&str]) -> Run {
    let run = run(&[&["picture"], arguments].concat(), "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    run
}

#[test]
fn pictures_match_the_committed_files() {
    let quoridor = ["--game", "quoridor", "--size", "5", "--moves", "c2 c4 b3h d2v d2 d4"];
    let hex = ["--game", "hex", "--size", "5", "--moves", "b1 swap c3 d2 c4 b4 c2 b3"];
    for (name, arguments) in [
        ("tic-tac-toe.svg", &["--size", "3", "--moves", "a1 b2 b1 c3 c1"][..]),
        ("tic-tac-toe-sheet.svg", &["examples/moves.txt", "--sheet"]),
        ("hex-dark.svg", &[&hex[..], &["--theme", "dark"]].concat()),
        ("hex-sheet.svg", &[&hex[..], &["--sheet"]].concat()),
        ("quoridor.svg", &quoridor),
        ("quoridor-sheet-dark.svg", &[&quoridor[..], &["--sheet", "--theme", "dark"]].concat()),
    ] {
        let svg = run_picture(arguments).out;
        parse_tags(&svg);
        assert_golden(&svg, &format!("tests/golden/pictures/{name}"));
    }
}

#[test]
fn every_move_file_format_can_be_drawn() {
    let folder = folder();
    for (name, content) in [
        ("a.txt", "# crosspath hex size=5\n# first: Ann & Ben <3\n1. c3 d2 (2. a1 a2) 2. b4 resign\n"),
        ("b.sgf", "(;FF[4]GM[11]SZ[5]PB[Ann & Ben <3];B[c3];W[d2];B[b4])"),
    ] {
        let path = file(&folder, name, content);
        let svg = run_picture(&[&path, "--sheet"]).out;
        assert_eq!(pieces_in_svg(&svg), ["first b4", "first c3", "second d2"], "{name}");
        assert!(svg.contains("Ann &amp; Ben &lt;3"), "{svg}");
    }
    let moves = run_picture(&["examples/moves.txt", "--at", "3"]).out;
    assert_eq!(pieces_in_svg(&moves).len(), 3);
    let noise = run(&["picture", "examples/noise.txt"], "");
    assert_eq!((noise.code, &*noise.out), (Some(65), ""), "{}", noise.err);
    let piped = run(&["picture", "-", "--at", "1"], "# crosspath hex size=5\nc3 d2\n");
    assert_eq!(pieces_in_svg(&piped.out), ["first c3"]);
    let empty = run_picture(&["--game", "quoridor", "--size", "3"]).out;
    assert_eq!(pieces_in_svg(&empty), ["first b1", "second b3"]);
    assert!(empty.contains(">White to move.</text>") && empty.contains(said!("walls-and-steps")), "{empty}");
}

#[test]
fn invalid_files_and_arguments_are_reported() {
    let folder = folder();
    let bad = file(&folder, "bad.txt", "# crosspath hex size=5\nc3\nc3\n");
    let good = file(&folder, "good.txt", "# crosspath hex size=5\nc3 d2\n");
    let missing = folder.path().join("none.txt").to_str().unwrap().to_owned();
    let nowhere = folder.path().join("none/board.svg").to_str().unwrap().to_owned();
    for (arguments, code, message) in [
        (&[bad.as_str()][..], 65, said!("is-taken", bad, "3", "c3").to_owned()),
        (&[&missing], 65, said!("cannot-read-no-such-file", missing).to_owned()),
        (&[&good, "--at", "3"], 2, said!("at-the-game-has", "3", "2").to_owned()),
        (&[&good, "--game", "quoridor"], 2, "--game quoridor contradicts".to_owned()),
        (&[&good, "--size", "6"], 2, "--size 6 contradicts".to_owned()),
        (&["--game", "hex", "--moves", "z9"], 2, "--moves: ".to_owned()),
        (&["--game", "chess"], 2, "chess".to_owned()),
        (&[&good, "--sheet", "--animated"], 2, "cannot be used with".to_owned()),
        (&[&good, "--moves", "c3"], 2, "cannot be used with".to_owned()),
        (&[], 2, "required arguments were not provided".to_owned()),
        (&[&good, "--out", &bad], 2, said!("out-the-file-exists", bad).to_owned()),
        (&[&good, "--out", &nowhere], 1, said!("cannot-write-no-such", nowhere).to_owned()),
    ] {
        let run = run(&[&["picture"], arguments].concat(), "");
        assert_eq!((run.code, run.out.as_str()), (Some(code), ""), "{arguments:?}: {}", run.err);
        assert!(run.err.starts_with("error: ") && run.err.contains(&message), "{arguments:?}: {}", run.err);
    }
    assert!(fs::read_to_string(&bad).unwrap().starts_with("# crosspath hex"), "the file was touched");
    assert!(!Path::new(&missing).exists());
}

#[test]
fn a_picture_can_be_saved_to_a_file() {
    let folder = folder();
    let path = folder.path().join("board.svg").to_str().unwrap().to_owned();
    let arguments = ["--game", "hex", "--size", "3", "--moves", "b2"];
    let saved = run_picture(&[&arguments[..], &["--out", &path]].concat());
    assert_eq!(saved.out, format!("{}\n", said!("saved-in-2", path)));
    assert_eq!(fs::read_to_string(&path).unwrap(), run_picture(&arguments).out);
    assert_eq!(
        run_picture(&[&arguments[..], &["--out", "-"]].concat()).out,
        run_picture(&arguments).out,
        "- is the output"
    );
}

#[test]
fn a_fourth_game_can_be_drawn() {
    let mut command = example("fourth_game");
    command.args(["picture", "--game", "chomp", "--size", "4", "--moves", "d4 c3", "--sheet"]);
    let run = run_on(command, "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    parse_tags(&run.out);
    assert_eq!(numbers_on_sheet(&run.out), BTreeSet::from([1, 2]), "{}", run.out);
}
