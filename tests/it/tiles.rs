//! Boards in tiles: the owner of each pixel, information that does not need colour, and the
//! terminals that get tiles.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crosspath::canvas::{GlyphSet, PaintOptions, PaintRole};
use crosspath::drawing::{
    BoardEdge, BoardSite, PixelOwner, RasterCell, Scene, SceneItem, SceneShape, Tiling, TilingScale, Tint,
    WallTexture, move_animation_frame, rasterize_scene,
};
use crosspath::game::Side;
use crosspath::play::GameMode;
use crosspath::random::random_stream;
use crosspath::registry::GAMES;
use crosspath::ui::tui::{
    ColorDepth, KnownBackground, Palette, ScreenEvent, TerminalBackground, Theme, layout_in_window,
    nearest_xterm_colour,
};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rand::RngExt;
use ratatui_core::layout::Position;
use ratatui_core::style::Color;

use crate::screen::{Terminal, shell};
use crate::sentences::said;
use crate::themes::{contrast, of_256};
use crate::tui_harness::{Rig, history, spec};

const TILINGS: [Tiling; 3] = [
    Tiling::Hexagons { columns: 5, rows: 5 },
    Tiling::Squares { columns: 5, rows: 5, has_slots: true },
    Tiling::Squares { columns: 3, rows: 3, has_slots: false },
];

/// Returns the pixels of every cell.
fn cell_pixels(tiling: Tiling, scale: TilingScale) -> BTreeMap<(isize, isize), BTreeSet<(isize, isize)>> {
    let (width, height) = tiling.pixel_size(scale);
    let mut cells: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
        if let PixelOwner::Site(BoardSite::Cell(column, row)) = tiling.pixel_owner(scale, (x, y)) {
            cells.entry((column, row)).or_default().insert((x, y));
        }
    }
    cells
}

/// Returns the tints of the tiles of a board without pieces.
fn tile_tints(game: &str, scale: usize) -> BTreeSet<usize> {
    let scene = history(game, "", "").as_paint().scene(&PaintOptions::default());
    let drawn = rasterize_scene(&Scene { items: Vec::new(), ..scene.clone() }, scene.tiling.scales()[scale]);
    let tints = drawn.rows().flatten().flat_map(|cell| match *cell {
        RasterCell::Pixels(upper, lower) => [upper, lower],
        RasterCell::Glyph(_, ink, behind) => [ink, behind],
    });
    tints.filter_map(|tint| if let Tint::Tile(shade) = tint { Some(shade) } else { None }).collect()
}

#[test]
fn the_smallest_hexagons_have_weaker_but_distinct_shades() {
    assert_eq!(
        [0, 1].map(|scale| tile_tints("hex", scale)),
        [BTreeSet::from([3, 4, 5]), BTreeSet::from([0, 1, 2])]
    );
    assert_eq!([0, 1].map(|scale| tile_tints("quoridor", scale)), [BTreeSet::from([1]), BTreeSet::from([1])]);
    let hues = history("hex", "", "").as_paint().side_hues();
    for palette in [Palette::DARK, Palette::LIGHT] {
        let between = |shades: [usize; 2]| {
            let [one, other] = shades.map(|shade| palette.tint_colour(Tint::Tile(shade), hues));
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
    let (width, height) = tiling.pixel_size(scale);
    let rows = |rim: BoardEdge| {
        let has_band =
            |&y: &isize| (0..width).any(|x| tiling.pixel_owner(scale, (x, y)) == PixelOwner::Edge(rim));
        (0..height).filter(has_band).count()
    };
    assert_eq!([BoardEdge::Top, BoardEdge::Bottom].map(rows), [1, 1]);
}

#[test]
fn cells_are_connected_equal_and_symmetric() {
    for tiling in TILINGS {
        let (Tiling::Hexagons { columns, rows } | Tiling::Squares { columns, rows, .. }) = tiling;
        for scale in tiling.scales() {
            let cells = cell_pixels(tiling, scale);
            assert_eq!(cells.len(), (columns * rows).cast_unsigned());
            for (cell, pixels) in cells {
                let area = (scale.cell.0 * scale.cell.1).cast_unsigned();
                assert_eq!(pixels.len(), area, "{tiling:?} {scale:?} {cell:?}");
                // The cell is connected.
                let mut reached = BTreeSet::new();
                let mut open = vec![*pixels.first().unwrap()];
                while let Some((x, y)) = open.pop() {
                    if pixels.contains(&(x, y)) && reached.insert((x, y)) {
                        open.extend([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]);
                    }
                }
                assert_eq!(reached, pixels, "{tiling:?} {scale:?} {cell:?}");
                // The cell is symmetric.
                let ends = pixels.iter().map(|pixel| pixel.0);
                let sum = ends.clone().min().unwrap() + ends.max().unwrap();
                assert!(pixels.iter().all(|&(x, y)| pixels.contains(&(sum - x, y))), "{scale:?} {cell:?}");
            }
        }
    }
}

#[test]
fn edges_fill_the_gaps_between_the_outer_hexagons() {
    let tiling = TILINGS[0];
    for scale in tiling.scales() {
        let (width, height) = tiling.pixel_size(scale);
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            if !matches!(tiling.pixel_owner(scale, (x, y)), PixelOwner::Site(_)) {
                continue;
            }
            for beside in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                assert_ne!(tiling.pixel_owner(scale, beside), PixelOwner::Outside, "{scale:?} {x} {y}");
            }
        }
    }
}

/// Returns a character without its colours: the character, and which of its two halves (or of
/// foreground and background) belong to a piece.
fn without_colour(cell: RasterCell) -> (char, [bool; 2]) {
    let is_piece = |tint| matches!(tint, Tint::Piece(..));
    match cell {
        RasterCell::Pixels(upper, lower) => ('▀', [upper, lower].map(is_piece)),
        RasterCell::Glyph(sign, ink, behind) => (sign, [ink, behind].map(is_piece)),
    }
}

/// Returns all characters of a drawing without colour.
fn drawing_without_colour(scene: &Scene, scale: TilingScale) -> Vec<Vec<(char, [bool; 2])>> {
    rasterize_scene(scene, scale)
        .rows()
        .map(|row| row.iter().map(|&cell| without_colour(cell)).collect())
        .collect()
}

/// Returns the shape that a cell resembles most.
fn closest_shape(
    scene: &Scene,
    scale: TilingScale,
    text: &str,
    shapes: &[Option<SceneShape>],
) -> Option<SceneShape> {
    let (drawn, at) = (drawing_without_colour(scene, scale), scene.find_site(text).unwrap());
    let places = (0..drawn.len()).flat_map(|y| (0..drawn[y].len()).map(move |x| (x, y)));
    let places: Vec<_> = places.filter(|&place| scene.move_at(scale, place) == Some(text)).collect();
    let likeness = |shape: &Option<SceneShape>| {
        let mut alone = Scene { items: Vec::new(), signs: Vec::new(), ..scene.clone() };
        if let &Some(shape) = shape {
            alone.put_shape(at, shape, PaintRole::First);
        }
        let alone = drawing_without_colour(&alone, scale);
        places.iter().filter(|&&(x, y)| drawn[y][x] == alone[y][x]).count()
    };
    *shapes.iter().max_by_key(|shape| likeness(shape)).unwrap()
}

/// Returns the pieces after some moves, by the names of their cells or slots.
fn expected_pieces(game: &str, played: &[String], shapes: [SceneShape; 2]) -> BTreeMap<String, SceneShape> {
    let mut truth = BTreeMap::new();
    let mut pawns = [None, None];
    for (text, ply) in played.iter().zip(0..) {
        match game {
            "quoridor" if text.len() == 2 => pawns[ply % 2] = Some(text.clone()),
            "quoridor" => {
                _ = truth.insert(
                    text.clone(),
                    SceneShape::Wall([WallTexture::Solid, WallTexture::Dense][ply % 2]),
                );
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
fn every_position_is_readable_without_colour() {
    for (game, settings, shapes) in [
        ("tic-tac-toe", "size=3", [SceneShape::Cross, SceneShape::Ring]),
        ("hex", "size=4", [SceneShape::Disc, SceneShape::Ring]),
        ("quoridor", "size=5", [SceneShape::PawnUp, SceneShape::PawnDown]),
    ] {
        for number in 0..3 {
            let (mut random, mut session) = (random_stream(64, number), history(game, settings, ""));
            for _ in 0..5 + number {
                let mut legal = session.legal_moves();
                legal.retain(|text| text != "swap");
                if session.outcome().is_none() && !legal.is_empty() {
                    session.play(&legal[random.random_range(0..legal.len())]).unwrap();
                }
            }
            let truth = expected_pieces(game, &session.played_moves(), shapes);
            let scene = session.as_paint().scene(&PaintOptions::default());
            for scale in scene.tiling.scales().into_iter().take(6) {
                for (at, text) in &scene.spots {
                    let wanted = truth.get(text).copied();
                    let found = match at {
                        BoardSite::Cell(..) => {
                            closest_shape(&scene, scale, text, &[None, Some(shapes[0]), Some(shapes[1])])
                        }
                        BoardSite::Slot { .. } => {
                            let (x, y) = scene.site_centre(scale, *at);
                            let sign = drawing_without_colour(&scene, scale)[y][x].0;
                            let walls = [WallTexture::Solid, WallTexture::Dense].map(SceneShape::Wall);
                            let built = walls.into_iter().filter(
                                |wall| matches!(wall, SceneShape::Wall(texture) if texture.fill_glyph() == sign),
                            );
                            // A wall that crosses this one has the same centre.
                            built.into_iter().next().filter(|_| wanted.is_some())
                        }
                    };
                    assert_eq!(found, wanted, "{game} {:?} {scale:?} {text}", session.played_moves());
                }
            }
        }
    }
}

#[test]
fn the_last_move_on_the_smallest_hexagons_is_a_centred_diamond() {
    let session = history("hex", "size=3", "b2 c1");
    let shown = session.as_paint();
    let stones = |last: &str| {
        let scene = shown.scene(&PaintOptions { last: Some(last), ..PaintOptions::default() });
        let drawn = drawing_without_colour(&scene, scene.tiling.scales()[0]);
        let signs = drawn.iter().flatten().map(|(sign, _)| *sign);
        signs.filter(|sign| !"▀ abc123".contains(*sign)).collect::<String>()
    };
    let focused = PaintOptions { cursor: Some("b2"), ..PaintOptions::default() };
    let scene = shown.scene(&focused);
    let drawn = drawing_without_colour(&scene, scene.tiling.scales()[0]);
    let signs = drawn.iter().flatten().map(|(sign, _)| *sign).collect::<String>();
    assert!(signs.contains("[●]"), "{signs}");
    assert_eq!([stones("b2"), stones("c1")], ["··○·◆····", "·!◇·●····"]);
}

#[test]
fn the_mouse_selects_the_drawn_cell() {
    for (game, settings) in [("tic-tac-toe", "size=3"), ("hex", "size=5"), ("quoridor", "size=5")] {
        let scene = history(game, settings, "").as_paint().scene(&PaintOptions::default());
        for scale in scene.tiling.scales().into_iter().take(6) {
            let (width, height) = scene.size_in_characters(scale);
            let mut known = BTreeSet::new();
            for place in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                known.extend(scene.move_at(scale, place).map(str::to_owned));
            }
            assert_eq!(known.len(), scene.spots.len(), "{game} {scale:?}: every place can be hit");
            for (at, text) in &scene.spots {
                if !matches!(at, BoardSite::Slot { is_upright: true, .. }) {
                    assert_eq!(
                        scene.move_at(scale, scene.site_centre(scale, *at)),
                        Some(text.as_str()),
                        "{scale:?}"
                    );
                }
            }
        }
    }
}

/// Returns the nearest colour of a 256-colour terminal.
fn nearest_of_256(colour: Color) -> Color {
    let Color::Indexed(index) = nearest_xterm_colour(colour) else { panic!("{colour:?}") };
    let [red, green, blue] = of_256(index);
    Color::Rgb(red, green, blue)
}

#[test]
fn pieces_stand_out_from_their_tiles_in_every_theme() {
    let mut faults = Vec::new();
    for theme in Theme::BUILT_IN {
        for ground in [TerminalBackground::Dark, TerminalBackground::Light] {
            let Some(palette) = theme.palette(Some(ground)) else { continue };
            for game in ["hex", "quoridor"] {
                let hues = history(game, "", "").as_paint().side_hues();
                for (side, shade) in
                    Side::BOTH.into_iter().flat_map(|side| [0, 1, 2].map(|shade| (side, shade)))
                {
                    let closer = Tint::Tile(shade + 3); // on the smallest hexagons
                    for behind in [Tint::Tile(shade), closer, Tint::Lit, Tint::Won(side), Tint::Ground] {
                        let [piece, place] =
                            [Tint::Piece(side, shade), behind].map(|tint| palette.tint_colour(tint, hues));
                        let contrasts =
                            [contrast(piece, place), contrast(nearest_of_256(piece), nearest_of_256(place))];
                        if contrasts.iter().any(|&contrast| contrast < 3.0) {
                            faults.push(format!(
                                "{theme:?} {ground:?} {game} {side:?} {behind:?}: {contrasts:.2?}"
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns a game between two people on a screen that shows tiles.
fn game_with_tiles(game: &str, size: (u16, u16)) -> Rig {
    let mut rig = Rig::of(spec(game, "", GameMode::Humans), size);
    (rig.screen.looks.theme, rig.screen.looks.depth, rig.screen.looks.wants_tiles) =
        (Theme::Dark, ColorDepth::All, true);
    rig
}

#[test]
fn tiles_are_drawn_if_the_terminal_supports_them() {
    let has_tiles = |rig: &Rig| rig.picture().contains('▀');
    for game in ["tic-tac-toe", "hex", "quoridor"] {
        for size in [(80, 24), (100, 35), (160, 50)] {
            assert!(
                layout_in_window(game_with_tiles(game, size).scene().shown_position().unwrap(), size, true)
                    .scale
                    .is_some()
            );
        }
    }
    let rig = || game_with_tiles("hex", (100, 35));
    assert!(has_tiles(&rig()));
    let mut other = rig();
    other.screen.looks.wants_tiles = false;
    assert!(!has_tiles(&other));
    for theme in [Theme::Mono, Theme::Terminal] {
        other = rig();
        other.screen.looks.theme = theme;
        assert!(!has_tiles(&other), "{theme:?}");
    }
    for glyphs in [GlyphSet::Narrow, GlyphSet::Ascii] {
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
fn a_click_on_a_tile_plays_and_two_clicks_in_a_gap_place_a_wall() {
    for (game, text) in [("tic-tac-toe", "b3"), ("hex", "c7"), ("quoridor", "e2"), ("quoridor", "c3h")] {
        for size in [(80, 24), (100, 35), (160, 50)] {
            let mut rig = game_with_tiles(game, size);
            let places = layout_in_window(rig.scene().shown_position().unwrap(), size, true);
            let scene = rig.scene().board_scene().unwrap();
            let (x, y) = scene.site_centre(places.scale.unwrap(), scene.find_site(text).unwrap());
            let at = Position {
                x: places.board.x + u16::try_from(x).unwrap(),
                y: places.board.y + u16::try_from(y).unwrap(),
            };
            let kind = MouseEventKind::Down(MouseButton::Left);
            let (column, row) = (at.x, at.y);
            let click = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            let is_wall = text.ends_with('h');
            for _ in 0..=usize::from(is_wall) {
                assert!(
                    rig.scene().shown_position().unwrap().played_moves().is_empty(),
                    "the first click shows a wall"
                );
                let effect = rig.event(&ScreenEvent::Mouse(click));
                rig.apply(effect);
            }
            assert_eq!(rig.scene().shown_position().unwrap().played_moves(), [text], "{game} {size:?}");
        }
    }
}

#[test]
fn a_move_animation_is_short_and_ends_in_the_final_position() {
    let mut seen = BTreeSet::new();
    for (game, settings, moves) in [
        ("tic-tac-toe", "size=3", "b2 a1 a2 b1 c2"),
        ("hex", "size=3", "b2 a1 b1 a2 b3"),
        ("quoridor", "size=5", "c2 a2h c3 d3v"),
    ] {
        let texts: Vec<&str> = moves.split(' ').collect();
        for count in 1..=texts.len() {
            let scene = |moves: &[&str]| {
                history(game, settings, &moves.join(" ")).as_paint().scene(&PaintOptions::default())
            };
            let (before, after) = (scene(&texts[..count - 1]), scene(&texts[..count]));
            let pictures: Vec<Scene> =
                (0..).map_while(|step| move_animation_frame(&before, &after, step)).take(20).collect();
            assert!((1..10).contains(&pictures.len()), "{game} {count}: {}", pictures.len());
            seen.insert(pictures.len());
            for scale in after.tiling.scales() {
                let drawn = |scene: &Scene| drawing_without_colour(scene, scale);
                let all: Vec<_> = pictures.iter().chain([&after]).map(drawn).collect();
                // Every picture differs from the one before, if only in its colours.
                assert!(all[0] != all[all.len() - 1] || pictures[0].items != after.items, "{game} {count}");
            }
            for pair in pictures.windows(2) {
                assert_ne!(pair[0].items, pair[1].items, "{game} {count}");
            }
            assert!(pictures.iter().all(|picture| picture.spots == after.spots));
            assert!(move_animation_frame(&after, &after, 99).is_none());
        }
    }
    assert!(seen.len() >= 3, "stones, walls and what has won: {seen:?}");
}

#[test]
fn a_key_ends_the_animation() {
    for is_still in [false, true] {
        let mut rig = game_with_tiles("hex", (100, 35));
        rig.screen.looks.habits.is_still = is_still;
        let resting = rig.scene().board_scene().unwrap().items;
        rig.typed("c3");
        let effect = rig.event(&ScreenEvent::Key(KeyCode::Enter.into()));
        rig.apply(effect);
        let moving = rig.scene().board_scene().unwrap().items;
        assert_eq!(rig.screen.motion.is_some(), !is_still);
        rig.event(&ScreenEvent::Key(KeyCode::Char('w').into()));
        assert!(rig.screen.motion.is_none());
        let stones = |items: &[SceneItem]| items.iter().filter(|item| item.shape == SceneShape::Disc).count();
        let after = rig.scene().board_scene().unwrap().items;
        assert_eq!([&resting, &moving, &after].map(|items| stones(items)), [0, usize::from(is_still), 1]);
    }
}

#[test]
fn animations_are_short_and_can_be_turned_off() {
    let hues = history("tic-tac-toe", "", "").as_paint().side_hues();
    let Color::Rgb(red, green, blue) = Palette::DARK.tint_colour(Tint::Won(Side::First), hues) else {
        panic!()
    };
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
        terminal.text(); // discards earlier output
        assert_eq!(terminal.raw().contains(&lit), wanted, "{flags:?}");
        let sent = terminal.raw().len();
        std::thread::sleep(Duration::from_millis(300));
        terminal.text();
        assert_eq!(terminal.raw().len(), sent, "{flags:?}: nothing is sent afterwards");
    }
}

#[test]
fn the_rules_with_tiles_take_two_pages() {
    for size in [(80, 24), (100, 35), (160, 50)] {
        for entry in GAMES {
            let mut rig = game_with_tiles(entry.name, size);
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
fn the_menu_shows_the_chosen_board() {
    let beside = |picture: &str| -> Vec<String> {
        picture.lines().map(|row| row.chars().skip(44).collect()).collect()
    };
    let has_letters = |picture: &str| beside(picture).iter().any(|row| row.trim_start().starts_with("a "));
    for size in [(100, 35), (160, 50)] {
        let mut rig = Rig::menu(GlyphSet::Unicode, size);
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
            // Another size changes the board.
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
