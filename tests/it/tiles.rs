//! Boards in tiles: the owner of each pixel, the information that needs no colour, and the
//! terminals where tiles are drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crosspath::canvas::{Glyphs, PaintOptions, Role};
use crosspath::drawing::{
    Owner, RasterCell, Rim, Scale, Scene, SceneItem, Shape, Site, Texture, Tiling, Tint, between, raster,
};
use crosspath::game::Side;
use crosspath::play::Mode;
use crosspath::random::stream;
use crosspath::registry::GAMES;
use crosspath::ui::tui::{
    Background, ColorDepth, Event, KnownBackground, Palette, Theme, indexed, layout_on,
};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;
use ratatui_core::layout::Position;
use ratatui_core::style::Color;

use crate::rig::{Rig, history, spec};
use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::themes::{contrast, of_256};

const TILINGS: [Tiling; 3] = [
    Tiling::Hexagons { columns: 5, rows: 5 },
    Tiling::Squares { columns: 5, rows: 5, has_slots: true },
    Tiling::Squares { columns: 3, rows: 3, has_slots: false },
];

/// Returns the pixels of every cell.
fn cells(tiling: Tiling, scale: Scale) -> BTreeMap<(isize, isize), BTreeSet<(isize, isize)>> {
    let (width, height) = tiling.size(scale);
    let mut cells: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
        if let Owner::Site(Site::Cell(column, row)) = tiling.owner(scale, (x, y)) {
            cells.entry((column, row)).or_default().insert((x, y));
        }
    }
    cells
}

/// Returns the tints of the tiles of a board without pieces.
fn tiles(game: &str, scale: usize) -> BTreeSet<usize> {
    let scene = history(game, "", "").drawn().scene(&PaintOptions::default());
    let drawn = raster(&Scene { items: Vec::new(), ..scene.clone() }, scene.tiling.scales()[scale]);
    let tints = drawn.rows().flatten().flat_map(|cell| match *cell {
        RasterCell::Pixels(upper, lower) => [upper, lower],
        RasterCell::Glyph(_, ink, behind) => [ink, behind],
    });
    tints.filter_map(|tint| if let Tint::Tile(shade) = tint { Some(shade) } else { None }).collect()
}

#[test]
fn the_smallest_hexagons_have_quieter_shades_that_still_differ() {
    assert_eq!(
        [0, 1].map(|scale| tiles("hex", scale)),
        [BTreeSet::from([3, 4, 5]), BTreeSet::from([0, 1, 2])]
    );
    assert_eq!([0, 1].map(|scale| tiles("quoridor", scale)), [BTreeSet::from([1]), BTreeSet::from([1])]);
    let hues = history("hex", "", "").drawn().hues();
    for palette in [Palette::DARK, Palette::LIGHT] {
        let between = |shades: [usize; 2]| {
            let [one, other] = shades.map(|shade| palette.tint(Tint::Tile(shade), hues));
            contrast(one, other)
        };
        for [one, other] in [[0, 1], [1, 2], [0, 2]] {
            let (large, small) = (between([one, other]), between([one + 3, other + 3]));
            assert!(1.0 < small && small < large, "{small} {large}");
        }
    }
}

#[test]
fn bands_above_and_below_the_smallest_hexagons_are_equally_thick() {
    let (tiling, scale) = (TILINGS[0], TILINGS[0].scales()[0]);
    let (width, height) = tiling.size(scale);
    let rows = |rim: Rim| {
        let has_band = |&y: &isize| (0..width).any(|x| tiling.owner(scale, (x, y)) == Owner::Edge(rim));
        (0..height).filter(has_band).count()
    };
    assert_eq!([Rim::Top, Rim::Bottom].map(rows), [1, 1]);
}

#[test]
fn cells_are_whole_equal_and_symmetric() {
    for tiling in TILINGS {
        let (Tiling::Hexagons { columns, rows } | Tiling::Squares { columns, rows, .. }) = tiling;
        for scale in tiling.scales() {
            let cells = cells(tiling, scale);
            assert_eq!(cells.len(), (columns * rows).cast_unsigned());
            for (cell, pixels) in cells {
                let area = (scale.cell.0 * scale.cell.1).cast_unsigned();
                assert_eq!(pixels.len(), area, "{tiling:?} {scale:?} {cell:?}");
                // In one piece.
                let mut reached = BTreeSet::new();
                let mut open = vec![*pixels.first().unwrap()];
                while let Some((x, y)) = open.pop() {
                    if pixels.contains(&(x, y)) && reached.insert((x, y)) {
                        open.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]);
                    }
                }
                assert_eq!(reached, pixels, "{tiling:?} {scale:?} {cell:?}");
                // The same on the left as on the right.
                let ends = pixels.iter().map(|pixel| pixel.0);
                let sum = ends.clone().min().unwrap() + ends.max().unwrap();
                assert!(pixels.iter().all(|&(x, y)| pixels.contains(&(sum - x, y))), "{scale:?} {cell:?}");
            }
        }
    }
}

#[test]
fn edges_fill_the_teeth_between_the_hexagons() {
    let tiling = TILINGS[0];
    for scale in tiling.scales() {
        let (width, height) = tiling.size(scale);
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            if !matches!(tiling.owner(scale, (x, y)), Owner::Site(_)) {
                continue;
            }
            for beside in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                assert_ne!(tiling.owner(scale, beside), Owner::Outside, "{scale:?} {x} {y}");
            }
        }
    }
}

/// Returns a character without colour: its sign, and which of its two pixels, or of sign and
/// background, belong to a piece.
fn without_colour(cell: RasterCell) -> (char, [bool; 2]) {
    let is_piece = |tint| matches!(tint, Tint::Piece(..));
    match cell {
        RasterCell::Pixels(upper, lower) => ('▀', [upper, lower].map(is_piece)),
        RasterCell::Glyph(sign, ink, behind) => (sign, [ink, behind].map(is_piece)),
    }
}

/// Returns all characters of a drawing without colour.
fn plain(scene: &Scene, scale: Scale) -> Vec<Vec<(char, [bool; 2])>> {
    raster(scene, scale).rows().map(|row| row.iter().map(|&cell| without_colour(cell)).collect()).collect()
}

/// Returns the shape that a cell looks most like.
fn read(scene: &Scene, scale: Scale, text: &str, shapes: &[Option<Shape>]) -> Option<Shape> {
    let (drawn, at) = (plain(scene, scale), scene.find(text).unwrap());
    let places = (0..drawn.len()).flat_map(|y| (0..drawn[y].len()).map(move |x| (x, y)));
    let places: Vec<_> = places.filter(|&place| scene.hit(scale, place) == Some(text)).collect();
    let likeness = |shape: &Option<Shape>| {
        let mut alone = Scene { items: Vec::new(), signs: Vec::new(), ..scene.clone() };
        if let &Some(shape) = shape {
            alone.put(at, shape, Role::First);
        }
        let alone = plain(&alone, scale);
        places.iter().filter(|&&(x, y)| drawn[y][x] == alone[y][x]).count()
    };
    *shapes.iter().max_by_key(|shape| likeness(shape)).unwrap()
}

/// Returns the pieces after some moves, by the texts of their places.
fn truth(game: &str, played: &[String], shapes: [Shape; 2]) -> BTreeMap<String, Shape> {
    let mut truth = BTreeMap::new();
    let mut pawns = [None, None];
    for (text, ply) in played.iter().zip(0..) {
        match game {
            "quoridor" if text.len() == 2 => pawns[ply % 2] = Some(text.clone()),
            "quoridor" => {
                _ = truth.insert(text.clone(), Shape::Wall([Texture::Solid, Texture::Dense][ply % 2]));
            }
            _ => _ = truth.insert(text.clone(), shapes[ply % 2]),
        }
    }
    if game == "quoridor" {
        let starts = ["c1", "c5"];
        for side in [0, 1] {
            truth.insert(pawns[side].clone().unwrap_or_else(|| starts[side].to_owned()), shapes[side]);
        }
    }
    truth
}

#[test]
fn every_position_can_be_read_without_colour() {
    for (game, settings, shapes) in [
        ("tic-tac-toe", "size=3", [Shape::Cross, Shape::Ring]),
        ("hex", "size=4", [Shape::Disc, Shape::Ring]),
        ("quoridor", "size=5", [Shape::PawnUp, Shape::PawnDown]),
    ] {
        for number in 0..3 {
            let (mut random, mut session) = (stream(64, number), history(game, settings, ""));
            for _ in 0..5 + number {
                let mut legal = session.legal();
                legal.retain(|text| text != "swap");
                if session.outcome().is_none() && !legal.is_empty() {
                    session.play(&legal[random.random_range(0..legal.len())]).unwrap();
                }
            }
            let truth = truth(game, &session.played(), shapes);
            let scene = session.drawn().scene(&PaintOptions::default());
            for scale in scene.tiling.scales().into_iter().take(6) {
                for (at, text) in &scene.spots {
                    let wanted = truth.get(text).copied();
                    let found = match at {
                        Site::Cell(..) => {
                            read(&scene, scale, text, &[None, Some(shapes[0]), Some(shapes[1])])
                        }
                        Site::Slot { .. } => {
                            let (x, y) = scene.middle(scale, *at);
                            let sign = plain(&scene, scale)[y][x].0;
                            let walls = [Texture::Solid, Texture::Dense].map(Shape::Wall);
                            let built = walls.into_iter().filter(
                                |wall| matches!(wall, Shape::Wall(texture) if texture.sign() == sign),
                            );
                            // A wall across this one has the same middle.
                            built.into_iter().next().filter(|_| wanted.is_some())
                        }
                    };
                    assert_eq!(found, wanted, "{game} {:?} {scale:?} {text}", session.played());
                }
            }
        }
    }
}

#[test]
fn the_last_of_the_smallest_stones_is_a_diamond_in_its_place() {
    let session = history("hex", "size=3", "b2 c1");
    let shown = session.drawn();
    let stones = |last: &str| {
        let scene = shown.scene(&PaintOptions { last: Some(last), ..PaintOptions::default() });
        let drawn = plain(&scene, scene.tiling.scales()[0]);
        let signs = drawn.iter().flatten().map(|(sign, _)| *sign);
        signs.filter(|sign| !"▀ abc123".contains(*sign)).collect::<String>()
    };
    let focused = PaintOptions { cursor: Some("b2"), ..PaintOptions::default() };
    let scene = shown.scene(&focused);
    let drawn = plain(&scene, scene.tiling.scales()[0]);
    let signs = drawn.iter().flatten().map(|(sign, _)| *sign).collect::<String>();
    assert!(signs.contains("[●]"), "{signs}");
    assert_eq!([stones("b2"), stones("c1")], ["··○·◆····", "·!◇·●····"]);
}

#[test]
fn the_mouse_means_what_is_drawn_there() {
    for (game, settings) in [("tic-tac-toe", "size=3"), ("hex", "size=5"), ("quoridor", "size=5")] {
        let scene = history(game, settings, "").drawn().scene(&PaintOptions::default());
        for scale in scene.tiling.scales().into_iter().take(6) {
            let (width, height) = scene.size(scale);
            let mut known = BTreeSet::new();
            for place in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                known.extend(scene.hit(scale, place).map(str::to_owned));
            }
            assert_eq!(known.len(), scene.spots.len(), "{game} {scale:?}: every place can be hit");
            for (at, text) in &scene.spots {
                if !matches!(at, Site::Slot { is_upright: true, .. }) {
                    assert_eq!(scene.hit(scale, scene.middle(scale, *at)), Some(text.as_str()), "{scale:?}");
                }
            }
        }
    }
}

/// Returns a colour as a terminal of 256 colours shows it.
fn nearest(colour: Color) -> Color {
    let Color::Indexed(index) = indexed(colour) else { panic!("{colour:?}") };
    let [red, green, blue] = of_256(index);
    Color::Rgb(red, green, blue)
}

#[test]
fn pieces_stand_out_from_their_tiles_in_every_theme() {
    let mut faults = Vec::new();
    for theme in Theme::ALL {
        for ground in [Background::Dark, Background::Light] {
            let Some(palette) = theme.palette(Some(ground)) else { continue };
            for game in ["hex", "quoridor"] {
                let hues = history(game, "", "").drawn().hues();
                for (side, shade) in
                    Side::BOTH.into_iter().flat_map(|side| [0, 1, 2].map(|shade| (side, shade)))
                {
                    let closer = Tint::Tile(shade + 3); // on the smallest hexagons
                    for behind in [Tint::Tile(shade), closer, Tint::Lit, Tint::Won(side), Tint::Ground] {
                        let [piece, place] =
                            [Tint::Piece(side, shade), behind].map(|tint| palette.tint(tint, hues));
                        let told = [contrast(piece, place), contrast(nearest(piece), nearest(place))];
                        if told.iter().any(|&contrast| contrast < 3.0) {
                            faults
                                .push(format!("{theme:?} {ground:?} {game} {side:?} {behind:?}: {told:.2?}"));
                        }
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns a game between two people on a screen that shows tiles.
fn tiled(game: &str, size: (u16, u16)) -> Rig {
    let mut rig = Rig::of(spec(game, "", Mode::Humans), size);
    (rig.screen.looks.theme, rig.screen.looks.depth, rig.screen.looks.wants_tiles) =
        (Theme::Dark, ColorDepth::All, true);
    rig
}

#[test]
fn tiles_are_drawn_where_the_terminal_shows_them() {
    let has_tiles = |rig: &Rig| rig.picture().contains('▀');
    for game in ["tic-tac-toe", "hex", "quoridor"] {
        for size in [(80, 24), (100, 35), (160, 50)] {
            assert!(layout_on(tiled(game, size).scene().shown().unwrap(), size, true).scale.is_some());
        }
    }
    let rig = || tiled("hex", (100, 35));
    assert!(has_tiles(&rig()));
    let mut other = rig();
    other.screen.looks.wants_tiles = false;
    assert!(!has_tiles(&other));
    for theme in [Theme::Mono, Theme::Terminal] {
        other = rig();
        other.screen.looks.theme = theme;
        assert!(!has_tiles(&other), "{theme:?}");
    }
    for glyphs in [Glyphs::Narrow, Glyphs::Ascii] {
        other = rig();
        other.screen.looks.glyphs = glyphs;
        assert!(!has_tiles(&other), "{glyphs:?}");
    }
    for depth in [ColorDepth::None, ColorDepth::Sixteen] {
        other = rig();
        other.screen.looks.depth = depth;
        assert!(!has_tiles(&other), "{depth:?}");
    }
    other.screen.looks.depth = ColorDepth::Indexed { may_have_all: false };
    assert!(has_tiles(&other));
    // A terminal that was asked for its ground and does not tell it counts as dark.
    for (ground, wanted) in [(KnownBackground::Unasked, false), (KnownBackground::Asked, true)] {
        other = rig();
        (other.screen.looks.theme, other.screen.looks.ground) = (Theme::Auto, ground);
        assert_eq!(has_tiles(&other), wanted, "{ground:?}");
    }
}

#[test]
fn a_click_on_a_tile_plays_there_and_two_clicks_in_a_gap_build() {
    for (game, text) in [("tic-tac-toe", "b3"), ("hex", "c7"), ("quoridor", "e2"), ("quoridor", "c3h")] {
        for size in [(80, 24), (100, 35), (160, 50)] {
            let mut rig = tiled(game, size);
            let places = layout_on(rig.scene().shown().unwrap(), size, true);
            let scene = rig.scene().scene().unwrap();
            let (x, y) = scene.middle(places.scale.unwrap(), scene.find(text).unwrap());
            let at = Position {
                x: places.board.x + u16::try_from(x).unwrap(),
                y: places.board.y + u16::try_from(y).unwrap(),
            };
            let kind = MouseEventKind::Down(MouseButton::Left);
            let (column, row) = (at.x, at.y);
            let click = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            let is_wall = text.ends_with('h');
            for _ in 0..=usize::from(is_wall) {
                assert!(rig.scene().shown().unwrap().played().is_empty(), "the first click shows a wall");
                let effect = rig.event(&Event::Mouse(click));
                rig.apply(effect);
            }
            assert_eq!(rig.scene().shown().unwrap().played(), [text], "{game} {size:?}");
        }
    }
}

#[test]
fn a_move_is_shown_in_a_few_pictures_and_ends_as_the_position_is() {
    let mut seen = BTreeSet::new();
    for (game, settings, moves) in [
        ("tic-tac-toe", "size=3", "b2 a1 a2 b1 c2"),
        ("hex", "size=3", "b2 a1 b1 a2 b3"),
        ("quoridor", "size=5", "c2 a2h c3 d3v"),
    ] {
        let texts: Vec<&str> = moves.split(' ').collect();
        for count in 1..=texts.len() {
            let scene = |moves: &[&str]| {
                history(game, settings, &moves.join(" ")).drawn().scene(&PaintOptions::default())
            };
            let (before, after) = (scene(&texts[..count - 1]), scene(&texts[..count]));
            let pictures: Vec<Scene> =
                (0..).map_while(|step| between(&before, &after, step)).take(20).collect();
            assert!((1..10).contains(&pictures.len()), "{game} {count}: {}", pictures.len());
            seen.insert(pictures.len());
            for scale in after.tiling.scales() {
                let drawn = |scene: &Scene| plain(scene, scale);
                let all: Vec<_> = pictures.iter().chain([&after]).map(drawn).collect();
                // Every picture differs from the one before it, or at least in its colours.
                assert!(all[0] != all[all.len() - 1] || pictures[0].items != after.items, "{game} {count}");
            }
            for pair in pictures.windows(2) {
                assert_ne!(pair[0].items, pair[1].items, "{game} {count}");
            }
            assert!(pictures.iter().all(|picture| picture.spots == after.spots));
            assert!(between(&after, &after, 99).is_none());
        }
    }
    assert!(seen.len() >= 3, "stones, walls and what has won: {seen:?}");
}

#[test]
fn a_key_ends_what_moves() {
    for is_still in [false, true] {
        let mut rig = tiled("hex", (100, 35));
        rig.screen.looks.habits.is_still = is_still;
        let resting = rig.scene().scene().unwrap().items;
        rig.typed("c3");
        let effect = rig.event(&Event::Key(KeyCode::Enter.into()));
        rig.apply(effect);
        let moving = rig.scene().scene().unwrap().items;
        assert_eq!(rig.screen.motion.is_some(), !is_still);
        rig.event(&Event::Key(KeyCode::Char('w').into()));
        assert!(rig.screen.motion.is_none());
        let stones = |items: &[SceneItem]| items.iter().filter(|item| item.shape == Shape::Disc).count();
        let after = rig.scene().scene().unwrap().items;
        assert_eq!([&resting, &moving, &after].map(|items| stones(items)), [0, usize::from(is_still), 1]);
    }
}

#[test]
fn motion_is_short_and_can_be_turned_off() {
    let hues = history("tic-tac-toe", "", "").drawn().hues();
    let Color::Rgb(red, green, blue) = Palette::DARK.tint(Tint::Won(Side::First), hues) else { panic!() };
    let lit = format!("48;2;{red};{green};{blue}");
    for (flags, wanted) in [(&[][..], true), (&["--no-motion"], false)] {
        let script = "exec \"$0\" \"$@\"";
        let game = ["--game", "tic-tac-toe", "--mode", "2", "--theme", "dark"];
        let command = shell(script, &[&game[..], flags].concat()).env("COLORTERM", "truecolor");
        let mut terminal = Terminal::start(command);
        terminal.expect(said!("to-move-2", "X"));
        terminal.send("b2\r");
        terminal.expect(said!("played", "X", "b2"));
        std::thread::sleep(Duration::from_millis(600));
        terminal.text(); // takes what has come
        assert_eq!(terminal.raw().contains(&lit), wanted, "{flags:?}");
        let sent = terminal.raw().len();
        std::thread::sleep(Duration::from_millis(300));
        terminal.text();
        assert_eq!(terminal.raw().len(), sent, "{flags:?}: nothing is sent afterwards");
    }
}

#[test]
fn the_rules_are_drawn_in_tiles_on_two_pages() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        for entry in GAMES {
            let mut rig = tiled(entry.name, size);
            rig.typed(":rules");
            rig.act(KeyCode::Enter);
            let first = rig.picture();
            rig.press(KeyCode::Right);
            let last = rig.picture();
            rig.press(KeyCode::Right);
            assert_eq!(rig.picture(), last, "{} at {size:?} has more than two pages", entry.name);
            for page in [&first, &last] {
                assert!(page.contains('▀'), "{} at {size:?}:\n{page}", entry.name);
            }
            let words = |text: &'static str| text.split_whitespace();
            let all = first + &last;
            let is_told = |text| words(text).all(|word| all.contains(word));
            assert!(entry.lessons.iter().all(|lesson| is_told(lesson.text)), "{size:?}:\n{all}");
        }
    }
}

#[test]
fn the_menu_shows_the_board_that_is_chosen() {
    let beside = |picture: &str| -> Vec<String> {
        picture.lines().map(|row| row.chars().skip(44).collect()).collect()
    };
    let has_letters = |picture: &str| beside(picture).iter().any(|row| row.trim_start().starts_with("a "));
    for size in [(100, 35), (160, 50)] {
        let mut rig = Rig::menu(Glyphs::Unicode, size);
        (rig.screen.looks.theme, rig.screen.looks.depth, rig.screen.looks.wants_tiles) =
            (Theme::Dark, ColorDepth::All, true);
        let mut boards = BTreeSet::new();
        for entry in GAMES {
            let picture = rig.picture();
            assert!(has_letters(&picture), "{} at {size:?}:\n{picture}", entry.name);
            for heading in ["─ Game ─", entry.title, "─ Rules in short ─", "From the shell: "] {
                assert!(picture.contains(heading), "{heading} at {size:?}:\n{picture}");
            }
            boards.insert(beside(&picture));
            // Another size is another board.
            for key in [KeyCode::Tab, KeyCode::Down, KeyCode::Left] {
                rig.press(key);
            }
            boards.insert(beside(&rig.picture()));
            for key in [KeyCode::Right, KeyCode::Tab, KeyCode::Down] {
                rig.press(key);
            }
        }
        assert_eq!(boards.len(), 2 * GAMES.len(), "{size:?}");
        rig.screen.looks.wants_tiles = false;
        assert!(!has_letters(&rig.picture()));
    }
}
