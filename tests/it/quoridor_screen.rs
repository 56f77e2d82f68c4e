//! Pictures of Quoridor boards: golden pictures, decoding of the characters, and clicks.

use std::collections::BTreeSet;

use crosspath::canvas::{Canvas, GlyphSet, MoveSpot, PaintBoard, PaintOptions, PaintRole};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::quoridor::{Cell, Move, MoveKind, Orientation, Quoridor, Wall};
use crosspath::random::random_stream;
use rand::RngExt;

use crate::screens::board;
use crate::sentences::said;

const GLYPHS: [GlyphSet; 3] = [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii];
const CELL_SIZES: [(usize, usize); 5] = [(3, 1), (5, 2), (7, 3), (9, 4), (11, 5)];

fn after(size: usize, walls: u16, moves: &str) -> Quoridor {
    let mut game = Quoridor::with_walls(size, size, walls).unwrap();
    for text in moves.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make_move(mv).unwrap();
    }
    game
}

const MOCK_UP: &str = "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h";

#[test]
fn the_small_board_matches_the_golden_picture() {
    let look = PaintOptions { last: Some("g4h"), cursor: Some("d5h"), ..PaintOptions::default() };
    let expected = "
   ┌────────────── ▲ goal ─────────────┐
 9 │                                   │
   │   ·   ·   ·   ·   ·   ·   ·   ·   │
 8 │                                   │
   │   ·   ·   ·   ·   ·   ·   ·   ·   │
 7 │                                   │
   │   ·━━━━━━━·━━━━━━━·   ·   ·   ·   │
 6 │                 ▼                 │
   │   ·   ·   ·╍╍╍╋╍╍╍·   ·   ·   ·   │
 5 │                                   │
   │   ·   ·   ·   ·   ·   ·═══◆═══·   │
 4 │                 ▲ ║               │
   │   ·   ·   ·   ·   ║   ·   ·   ·   │
 3 │                   ║               │
   │   ·   ·   ·   ·   ·   ·   ·   ·   │
 2 │                                   │
   │   ·   ·   ·   ·   ·   ·   ·   ·   │
 1 │                                   │
   └────────────── ▼ goal ─────────────┘
     a   b   c   d   e   f   g   h   i
";
    assert_eq!(after(9, 10, MOCK_UP).paint(&look).to_text(), expected[1..]);
}

#[test]
fn the_medium_board_matches_the_golden_picture() {
    let look = PaintOptions {
        density: 1,
        last: Some("g4h"),
        cursor: Some("e3h"),
        ways: true,
        ..PaintOptions::default()
    };
    let expected = "
   ┌────────────────────── ▲ goal ───────────────────────┐
 9 │                                ▵                    │
   │                                                     │
   │     ·     ·     ·     ·     ·     ·     ·     ·     │
 8 │                                ▵                    │
   │                                                     │
   │     ·     ·     ·     ·     ·     ·     ·     ·     │
 7 │                                ▵                    │
   │                                                     │
   │     ·━━━━━━━━━━━·━━━━━━━━━━━·     ·     ·     ·     │
 6 │                          ▼     ▵                    │
   │                                                     │
   │     ·     ·     ·     ·     ·     ·     ·     ·     │
 5 │                          ◊                          │
   │                                                     │
   │     ·     ·     ·     ·     ·     ·═════◆═════·     │
 4 │                          ▲  ║                       │
   │                             ║                       │
   │     ·     ·     ·     ·┄┄┄┄┄╳┄┄┄┄┄·     ·     ·     │
 3 │                          ▿  ║                       │
   │                             ║                       │
   │     ·     ·     ·     ·     ·     ·     ·     ·     │
 2 │                          ▿                          │
   │                                                     │
   │     ·     ·     ·     ·     ·     ·     ·     ·     │
 1 │                          ▿                          │
   │                                                     │
   └────────────────────── ▼ goal ───────────────────────┘
      a     b     c     d     e     f     g     h     i
";
    assert_eq!(after(9, 10, MOCK_UP).paint(&look).to_text(), expected[1..]);
}

/// Returns the status line for a wall preview at the cursor.
fn preview(game: &Quoridor, text: &str, look: &PaintOptions<'_>, you: Option<Side>) -> String {
    PaintBoard::move_preview(game, text, look, you).unwrap().into_string()
}

#[test]
fn the_wall_preview_describes_its_effect_on_the_paths() {
    let game = after(9, 10, MOCK_UP);
    let (plain, ascii) =
        (PaintOptions::default(), PaintOptions { glyphs: GlyphSet::Ascii, ..Default::default() });
    let you = Some(Side::First);
    let shown = |text| preview(&game, text, &plain, you);
    assert_eq!(shown("d5h"), "A wall above d5-e5 (d5h): Black 5 → 6 steps, you 6.");
    assert_eq!(shown("e5v"), "A wall right of e5-e6 (e5v): Black 5 steps, you 6 → 9.");
    assert_eq!(shown("a1v"), said!("a-wall-right-of", "a1v", "Black", "5", "6"));
    assert_eq!(preview(&game, "d5h", &ascii, None), "A wall above d5-e5 (d5h): Black 5 -> 6 steps, White 6.");
    let refused = "e3h is not allowed: it would cross e3v, right of e3-e4. Try d3h or f3h.";
    assert_eq!((shown("e3h").as_str(), PaintBoard::move_preview(&game, "e5", &plain, you)), (refused, None));
    let none_left = after(3, 1, "a1h b2");
    assert_eq!(preview(&none_left, "b1v", &plain, you), said!("no-walls-left-of", "0", "1"));
}

#[test]
fn the_wall_preview_matches_a_flipped_board() {
    let (game, turned) = (after(9, 10, "e2"), PaintOptions { turned: true, ..PaintOptions::default() });
    let shown = |text| preview(&game, text, &turned, Some(Side::Second));
    assert_eq!(shown("d5h"), "A wall below d5-e5 (d5h): White 7 → 8 steps, you 8 → 9.");
    assert_eq!(shown("d5v"), said!("a-wall-left-of", "d5v", "White", "7", "8"));
    assert_eq!(
        preview(&after(3, 2, "b2 a3"), "a1v", &turned, None),
        said!("a-wall-left-of-a", "a1v", "Black", "2", "White", "1")
    );
    let refused = preview(&after(9, 10, "e3v"), "e3h", &turned, None);
    assert!(refused.contains(said!("it-would-cross-left", "e3v")), "{refused}");
}

#[test]
fn every_wall_preview_fits_into_79_columns() {
    let look = PaintOptions { glyphs: GlyphSet::Ascii, ..PaintOptions::default() };
    for (size, moves) in [(9, MOCK_UP), (25, "a1h b3v x24h v20v d4h")] {
        let game = after(size, 10, moves);
        for spot in game.paint(&look).spots().iter().filter(|spot| spot.layer > 0) {
            let output = preview(&game, &spot.text, &look, None);
            assert!(output.chars().count() <= 79, "{output}");
        }
    }
}

#[test]
fn the_title_shows_the_walls_left_if_no_panel_fits() {
    let facts = after(9, 10, MOCK_UP).title_facts(GlyphSet::Unicode);
    assert_eq!(facts, ["walls ▲8 ▼8  steps ▲6 ▼5", "walls ▲8 ▼8"]);
    let title = |size| {
        let picture = board("quoridor", "size=9", "e2 e8", GlyphSet::Unicode, size).picture();
        picture.lines().next().unwrap().to_owned()
    };
    let narrow = title((60, 24));
    assert!(narrow.contains("move 3: White") && narrow.contains("walls ▲10 ▼10"), "{narrow}");
    assert!(!title((80, 24)).contains("walls"), "{}", title((80, 24)));
}

#[test]
fn the_panel_shows_walls_left_steps_and_who_is_ahead() {
    let panel = |moves: &str, glyphs, room| after(9, 10, moves).side_panel(glyphs, room);
    let wide = |moves| panel(moves, GlyphSet::Unicode, 33)[3].clone();
    assert_eq!(
        panel(MOCK_UP, GlyphSet::Unicode, 33),
        [
            said!("walls-and-steps"),
            "▲ White  ▮▮▮▮▮▮▮▮··   8 of 10",
            "▼ Black  ▮▮▮▮▮▮▮▮··   8 of 10",
            "steps    ▲ 6   ▼ 5   (▼ nearer)",
        ]
    );
    assert_eq!(
        panel(MOCK_UP, GlyphSet::Ascii, 21),
        [said!("walls-and-steps"), "A White ########.. 8", "V Black ########.. 8", "steps A6 V5, V nearer"]
    );
    assert_eq!(panel(MOCK_UP, GlyphSet::Narrow, 24)[1], "▴ White  ▮▮▮▮▮▮▮▮∙∙   8");
    assert_eq!(wide("e2 e8"), "steps    ▲ 7   ▼ 7   (equal)");
    assert_eq!(wide("a1v"), "steps    ▲ 8   ▼ 8   (equal)");
    assert_eq!(wide("e2"), "steps    ▲ 7   ▼ 8   (▲ nearer)");
    let over = after(3, 2, "b2 a1v c2 a3 c3").side_panel(GlyphSet::Unicode, 33);
    assert_eq!(over[3], "steps    ▲ 0   ▼ 2", "nobody is nearer any more");
}

fn cell_of(game: &Quoridor, text: &str) -> Cell {
    match game.parse(text).unwrap().kind() {
        MoveKind::Step(cell) => cell,
        MoveKind::Wall(wall) => panic!("{wall} is no cell"),
    }
}

/// Returns the path marks of First, of Second, and of both.
fn path_marks(glyphs: GlyphSet) -> [char; 3] {
    match glyphs {
        GlyphSet::Unicode | GlyphSet::Narrow => ['▵', '▿', '◊'],
        GlyphSet::Ascii => ['w', 'b', '&'],
    }
}

#[test]
fn the_command_paths_shows_a_shortest_path_of_each_side() {
    let game = crate::tui_harness::history("quoridor", "size=5", "c2");
    let message = game.run_inspect_command("paths").unwrap();
    assert_eq!(message, ["White, 3 steps: c3 c4 c5", "Black, 4 steps: c4 c3 c2 c1"]);
}

#[test]
fn shortest_paths_avoid_a_previewed_legal_wall() {
    let game = Quoridor::new(9).unwrap();
    let ways = |cursor| {
        let canvas = game.paint(&PaintOptions { density: 1, ways: true, cursor, ..PaintOptions::default() });
        let is_way =
            |spot: &&MoveSpot| path_marks(GlyphSet::Unicode).contains(&canvas.glyph_at(spot.x, spot.y).0);
        let found: Vec<String> = canvas.spots().iter().filter(is_way).map(|spot| spot.text.clone()).collect();
        found
    };
    let straight = ways(None);
    assert_eq!(straight, ["e2", "e3", "e4", "e5", "e6", "e7", "e8"]);
    assert_eq!(ways(Some("a1")), straight, "a pawn's cursor changes nothing");
    let mut after = game.clone();
    after.make_move(game.parse("e4h").unwrap());
    let mut expected: Vec<String> = Side::BOTH
        .into_iter()
        .flat_map(|side| after.shortest_path(side))
        .filter(|cell| Side::BOTH.into_iter().all(|side| *cell != after.pawn(side)))
        .map(|cell| cell.to_string())
        .collect();
    expected.sort();
    expected.dedup();
    let mut round = ways(Some("e4h"));
    round.sort();
    assert_eq!(round, expected);
    assert_ne!(round, straight);
}

#[test]
fn the_two_shortest_paths_have_different_marks() {
    let mut generator = random_stream(44, 0);
    let mut shared = 0;
    for (width, height) in [(9, 9), (5, 5), (4, 7)] {
        let mut game = Quoridor::with_walls(width, height, 6).unwrap();
        while game.outcome().is_none() && game.ply() < 40 {
            let pawns = Side::map_both(|side| game.pawn(side));
            let ways = Side::map_both(|side| game.shortest_path(side));
            for (glyphs, density) in GLYPHS.into_iter().zip(0..3) {
                let look =
                    PaintOptions { glyphs, density, ways: true, steps: true, ..PaintOptions::default() };
                let canvas = game.paint(&look);
                for spot in canvas.spots().iter().filter(|spot| spot.layer == 0) {
                    let cell = cell_of(&game, &spot.text);
                    let is_on = ways.each_ref().map(|way| way.contains(&cell) && !pawns.contains(&cell));
                    let (glyph, role) = canvas.glyph_at(spot.x, spot.y);
                    let [first, second, both] = path_marks(glyphs).map(|sign| sign == glyph);
                    assert_eq!([first || both, second || both], is_on, "{}", canvas.to_text());
                    if first || second || both {
                        shared += usize::from(both);
                        let roles =
                            [(first, PaintRole::First), (second, PaintRole::Second), (both, PaintRole::Path)];
                        assert!(roles.contains(&(true, role)));
                    }
                }
            }
            let mut moves = Vec::new();
            game.push_legal_moves(&mut moves);
            game.make_move(moves[generator.random_range(0..moves.len())]);
        }
    }
    assert!(shared > 20, "{shared} cells on both ways");
}

#[test]
fn exactly_the_cells_are_drawn_as_tiles() {
    for (density, (across, down)) in CELL_SIZES.into_iter().enumerate() {
        for turned in [false, true] {
            let game = after(9, 10, MOCK_UP);
            let canvas = game.paint(&PaintOptions { density, turned, ..PaintOptions::default() });
            let cells: BTreeSet<&str> =
                canvas.spots().iter().filter(|spot| spot.layer == 0).map(|spot| spot.text.as_str()).collect();
            let mut tiles = 0;
            for y in 0..=canvas.height() {
                for x in 0..=canvas.width() {
                    let is_cell = canvas.move_at(x, y).is_some_and(|text| cells.contains(text));
                    assert_eq!(canvas.is_tile(x, y), is_cell, "({x}, {y})");
                    tiles += usize::from(is_cell);
                }
            }
            assert_eq!(tiles, 81 * across * down);
        }
    }
}

#[test]
fn ascii_shows_the_same_board() {
    let mut game = after(3, 2, "b2 a1v");
    let look = PaintOptions {
        glyphs: GlyphSet::Ascii,
        last: Some("a1v"),
        cursor: Some("b2h"),
        steps: true,
        ..PaintOptions::default()
    };
    let expected = "
   +-- A goal -+
 3 | o   V   o |
   |   .xxxxxxx|
 2 |   H A   o |
   |   *   .   |
 1 |   H o     |
   +-- V goal -+
     a   b   c
";
    assert_eq!(game.paint(&look).to_text(), expected[1..]);
    game = after(3, 2, "b2 a1v c2 a3 c3");
    let look =
        PaintOptions { last: Some("c3"), hint: Some("a1h"), cursor: Some("a3"), ..PaintOptions::default() };
    let expected = "
   ┌── ▲ goal ─┐
 3 │[▼]     *▲*│
   │   ·   ·   │
 2 │   ║       │
   │???????·   │
 1 │   ║       │
   └── ▼ goal ─┘
     a   b   c
";
    assert_eq!(game.paint(&look).to_text(), expected[1..]);
}

#[test]
fn a_cell_with_two_marks_shows_one() {
    let game = after(3, 2, "b2 a3");
    let row = |look: PaintOptions<'_>| game.paint(&look).row_text(1);
    let (last, cursor, hint) = (Some("a3"), Some("a3"), Some("a3"));
    assert_eq!(row(PaintOptions { last, ..PaintOptions::default() }), " 3 │(▼)        │");
    assert_eq!(row(PaintOptions { last, cursor, ..PaintOptions::default() }), " 3 │[▼]        │");
    assert_eq!(row(PaintOptions { last, hint, ..PaintOptions::default() }), " 3 │(▼)        │");
    assert_eq!(row(PaintOptions { cursor, hint, ..PaintOptions::default() }), " 3 │<▼>        │");
    assert_eq!(row(PaintOptions { hint, ..PaintOptions::default() }), " 3 │<▼>        │");
}

#[test]
fn a_large_winning_pawn_is_not_reversed() {
    // Reversed, only the corners of `▟█▙` would be visible.
    let won = after(3, 0, "a1 c3 a2 c2 a3");
    for (density, role) in [(0, PaintRole::FirstWon), (4, PaintRole::First)] {
        let canvas = won.paint(&PaintOptions { density, ..PaintOptions::default() });
        let all = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        let glyphs = all.map(|(x, y)| canvas.glyph_at(x, y));
        let roles: Vec<_> = glyphs.filter(|at| "▲▄▟█▙".contains(at.0)).map(|at| at.1).collect();
        assert!(roles.contains(&role), "{roles:?}");
        assert!(density == 0 || !roles.contains(&PaintRole::FirstWon), "{roles:?}");
    }
}

#[test]
fn pawns_scale_with_their_cells() {
    let game = after(2, 0, "");
    let drawn = |density, glyphs| {
        let look =
            PaintOptions { density, glyphs, last: Some("b2"), cursor: Some("b1"), ..PaintOptions::default() };
        format!("\n{}", game.paint(&look).to_text())
    };
    assert_eq!(
        drawn(2, GlyphSet::Unicode),
        "
   ┌──── ▲ goal ───┐
   │         ▜███▛ │
 2 │        ( ▜█▛ )│
   │           ▀   │
   │       ·       │
   │           ▄   │
 1 │        [ ▟█▙ ]│
   │         ▟███▙ │
   └──── ▼ goal ───┘
       a       b
"
    );
    assert_eq!(
        drawn(4, GlyphSet::Ascii),
        "
   +-------- A goal -------+
   |             VVVVVVVVV |
   |              VVVVVVV  |
 2 |            (  VVVVV  )|
   |                VVV    |
   |                 V     |
   |           .           |
   |                 A     |
   |                AAA    |
 1 |            [  AAAAA  ]|
   |              AAAAAAA  |
   |             AAAAAAAAA |
   +-------- V goal -------+
         a           b
"
    );
}

/// Returns the distance of the marks of a pawn from the pawn.
fn mark_distance(density: usize) -> usize {
    let (across, down) = CELL_SIZES[density];
    if down < 3 { 1 } else { across / 2 }
}

/// Contents of a picture, decoded from its characters alone.
#[derive(Debug, PartialEq, Eq)]
struct Contents {
    pawns: Vec<(Cell, Side)>,
    walls: BTreeSet<(Wall, Side)>,
    last_wall: Option<Wall>,
    marked: Vec<(Cell, char)>,
}

fn read_picture(canvas: &Canvas, files: usize, rows: usize, density: usize, glyphs: GlyphSet) -> Contents {
    let (across, down) = CELL_SIZES[density];
    let (pawns, firsts, seconds, centre) = match glyphs {
        GlyphSet::Unicode => (['▲', '▼'], ['━', '┃'], ['═', '║'], '◆'),
        GlyphSet::Narrow => (['▴', '▾'], ['#', '#'], ['=', 'H'], '*'),
        GlyphSet::Ascii => (['A', 'V'], ['#', '#'], ['=', 'H'], '*'),
    };
    let corner = |file: usize, row: usize| (4 + file * (across + 1), 1 + (rows - 1 - row) * (down + 1));
    let mut seen =
        Contents { pawns: Vec::new(), walls: BTreeSet::new(), last_wall: None, marked: Vec::new() };
    for file in 0..files {
        for row in 0..rows {
            let cell = Cell::at(file, row).unwrap();
            let (x, y) = (corner(file, row).0 + across / 2, corner(file, row).1 + (down - 1) / 2);
            // A large pawn is recognised by its tip, in the upper or the lower row.
            let reach = (down - 1) / 2;
            let pawns = if reach > 0 && glyphs == GlyphSet::Unicode { ['▄', '▀'] } else { pawns };
            for (side, (pawn, tip)) in
                Side::BOTH.into_iter().zip(pawns.into_iter().zip([y - reach, y + reach]))
            {
                let is_alone = reach == 0 || canvas.glyph_at(x - 1, tip).0 == ' ';
                if canvas.glyph_at(x, tip).0 == pawn && is_alone {
                    seen.pawns.push((cell, side));
                }
            }
            if canvas.glyph_at(x - mark_distance(density), y).0 != ' ' {
                seen.marked.push((cell, canvas.glyph_at(x - mark_distance(density), y).0));
            }
        }
    }
    // A slot is the gap between two cells. Filled slots of a line are paired into walls.
    let owner = |x: usize, y: usize, orientation: usize| {
        let signs = Side::BOTH.into_iter().zip([firsts[orientation], seconds[orientation]]);
        signs.into_iter().find(|&(_, sign)| canvas.glyph_at(x, y).0 == sign).map(|(side, _)| side)
    };
    let mut build = |post: Cell, orientation: Orientation, side: Side| {
        let (x, y) = corner(post.file(), post.row());
        if canvas.glyph_at(x + across, y - 1).0 == centre {
            seen.last_wall = Some(Wall { post, orientation });
        }
        seen.walls.insert((Wall { post, orientation }, side));
    };
    for row in 0..rows - 1 {
        let mut file = 0;
        while file < files {
            let (x, y) = corner(file, row);
            let Some(side) = owner(x + across / 2, y - 1, 0) else {
                file += 1;
                continue;
            };
            build(Cell::at(file, row).unwrap(), Orientation::Horizontal, side);
            file += 2;
        }
    }
    for file in 0..files - 1 {
        let mut row = 0;
        while row < rows {
            let (x, y) = corner(file, row);
            let Some(side) = owner(x + across, y + down / 2, 1) else {
                row += 1;
                continue;
            };
            build(Cell::at(file, row).unwrap(), Orientation::Vertical, side);
            row += 2;
        }
    }
    seen.pawns.sort_by_key(|&(_, side)| side);
    seen
}

#[test]
fn every_wall_is_drawn_between_the_cells_it_separates() {
    let empty = Quoridor::new(9).unwrap();
    let mut count = 0;
    for (density, (across, down)) in CELL_SIZES.into_iter().enumerate() {
        let bare = empty.paint(&PaintOptions { density, ..PaintOptions::default() });
        for file in 0..8 {
            for row in 0..8 {
                for orientation in Orientation::BOTH {
                    let wall = Wall { post: Cell::at(file, row).unwrap(), orientation };
                    let mut game = empty.clone();
                    game.try_make_move(wall.into()).unwrap();
                    let canvas = game.paint(&PaintOptions { density, ..PaintOptions::default() });
                    let mut changed = Vec::new();
                    for y in 0..canvas.height() {
                        for x in 0..canvas.width() {
                            if canvas.glyph_at(x, y) != bare.glyph_at(x, y) {
                                changed.push((x, y));
                            }
                        }
                    }
                    // The cells on both sides of the changed characters, without crossings.
                    let cell_at = |x: usize, y: usize| {
                        let (dx, dy) = (x - 4, y - 1);
                        let on_slot = dx % (across + 1) == across || dy % (down + 1) == down;
                        (!on_slot).then(|| Cell::at(dx / (across + 1), 8 - dy / (down + 1)).unwrap())
                    };
                    let mut parted = Vec::new();
                    for &(x, y) in &changed {
                        let ends = if orientation == Orientation::Horizontal {
                            [(x, y + 1), (x, y - 1)]
                        } else {
                            [(x - 1, y), (x + 1, y)]
                        };
                        if let [Some(a), Some(b)] = ends.map(|(x, y)| cell_at(x, y)) {
                            parted.push((a, b));
                        }
                    }
                    parted.dedup(); // a cell is several characters long
                    assert!(
                        parted.len() == 2 && wall.separated_cells().iter().all(|pair| parted.contains(pair)),
                        "{wall}"
                    );
                    let length = 2 * if orientation == Orientation::Horizontal { across } else { down };
                    assert_eq!(changed.len(), length + 1);
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 5 * 128);
}

#[test]
fn every_picture_is_readable_without_colour() {
    check_random_pictures(&[((9, 9), 12), ((5, 5), 30), ((2, 3), 200), ((4, 7), 6), ((13, 13), 1)]);
}

#[test]
#[ignore = "slow: the same in more games"]
fn every_picture_of_many_games_is_readable() {
    check_random_pictures(&[((9, 9), 200), ((5, 5), 200), ((2, 3), 200), ((4, 7), 20), ((13, 13), 6)]);
}

/// Checks pictures of random games on boards of these sizes.
fn check_random_pictures(boards: &[((usize, usize), usize)]) {
    for (number, &((width, height), games)) in (0..).zip(boards) {
        let mut generator = random_stream(40, number);
        for _ in 0..games {
            let mut game = Quoridor::with_walls(width, height, 8).unwrap();
            let mut last: Option<Move> = None;
            loop {
                let (file, row) = (generator.random_range(0..width), generator.random_range(0..height));
                let cursor = Cell::at(file, row);
                for density in 0..CELL_SIZES.len() {
                    for glyphs in GLYPHS {
                        check_picture(&game, last, density, glyphs);
                        check_cursor(&game, last, cursor.unwrap(), density, glyphs);
                    }
                }
                let mut moves = Vec::new();
                game.push_legal_moves(&mut moves);
                if moves.is_empty() || game.ply() > 40 {
                    break;
                }
                let mv = moves[generator.random_range(0..moves.len())];
                game.make_move(mv);
                last = Some(mv);
            }
        }
    }
}

/// Checks that the only pair of brackets on the board is around the cursor's cell.
fn check_cursor(game: &Quoridor, last: Option<Move>, cursor: Cell, density: usize, glyphs: GlyphSet) {
    let (last, cursor) = (last.map(|mv| mv.to_string()), cursor.to_string());
    let look = PaintOptions {
        density,
        glyphs,
        last: last.as_deref(),
        cursor: Some(&cursor),
        ..PaintOptions::default()
    };
    let canvas = game.paint(&look);
    let spot = canvas.spots().iter().find(|spot| spot.text == cursor).unwrap();
    let opened: Vec<(usize, usize)> = (0..canvas.height())
        .flat_map(|y| (0..canvas.width()).map(move |x| (x, y)))
        .filter(|&(x, y)| canvas.glyph_at(x, y).0 == '[')
        .collect();
    assert_eq!(opened, [(spot.x - mark_distance(density), spot.y)], "{}", canvas.to_text());
}

fn check_picture(game: &Quoridor, last: Option<Move>, density: usize, glyphs: GlyphSet) {
    let text = last.map(|mv| mv.to_string());
    let canvas =
        game.paint(&PaintOptions { density, glyphs, last: text.as_deref(), ..PaintOptions::default() });
    assert_eq!((canvas.width(), canvas.height()), game.board_sizes()[density]);
    let seen = read_picture(&canvas, game.width(), game.height(), density, glyphs);
    assert_eq!(seen.pawns, Side::map_both(|side| (game.pawn(side), side)));
    assert_eq!(seen.walls, game.walls().collect());
    assert_eq!(seen.last_wall, last.and_then(Move::wall));
    let won = Side::BOTH
        .into_iter()
        .map(|side| (game.pawn(side), game.goal_row(side)))
        .find(|(cell, row)| cell.row() == *row);
    let expected: Vec<(Cell, char)> = match (won, last.map(Move::kind)) {
        (Some((cell, _)), _) => vec![(cell, '*')],
        (None, Some(MoveKind::Step(cell))) => vec![(cell, '(')],
        _ => vec![],
    };
    assert_eq!(seen.marked, expected);
}

#[test]
fn every_screen_cell_maps_to_a_move_or_to_nothing() {
    for (width, height) in [(2, 2), (3, 3), (9, 9), (5, 4), (25, 25)] {
        let game = Quoridor::with_walls(width, height, 5).unwrap();
        for density in 0..CELL_SIZES.len() {
            for cursor in [None, Some("a1"), Some("a1h"), Some("a1v")] {
                let canvas = game.paint(&PaintOptions { density, cursor, ..PaintOptions::default() });
                let mut texts = BTreeSet::new();
                for spot in canvas.spots() {
                    assert_eq!(canvas.move_at(spot.x, spot.y), Some(spot.text.as_str()));
                    assert!(game.parse(&spot.text).is_ok());
                    texts.insert(spot.text.clone());
                }
                assert_eq!(texts.len(), width * height + 2 * (width - 1) * (height - 1));
                let (frame_right, frame_bottom) = (canvas.width() - 1, canvas.height() - 2);
                for y in 0..canvas.height() {
                    for x in 0..canvas.width() {
                        let inside = (4..frame_right).contains(&x) && (1..frame_bottom).contains(&y);
                        assert_eq!(canvas.move_at(x, y).is_some(), inside, "({x}, {y})");
                    }
                }
            }
        }
    }
}

#[test]
fn a_wall_slot_selects_the_nearest_wall() {
    let game = Quoridor::new(9).unwrap();
    let hit = |density, cursor, x, y| {
        game.paint(&PaintOptions { density, cursor, ..PaintOptions::default() })
            .move_at(x, y)
            .map(str::to_owned)
            .unwrap()
    };
    // On the small board the slot between rows 4 and 5 is row 10; its first intersection is at 7.
    assert_eq!(hit(0, None, 4, 10), "a4h");
    assert_eq!(hit(0, None, 8, 10), "a4h");
    assert_eq!(hit(0, None, 9, 10), "b4h");
    assert_eq!(hit(0, None, 37, 10), "h4h");
    assert_eq!(hit(0, None, 7, 10), "a4h");
    assert_eq!(hit(0, Some("c3v"), 7, 10), "a4v");
    assert_eq!(hit(0, None, 7, 11), "a4v");
    assert_eq!(hit(0, None, 7, 9), "a5v");
    assert_eq!(hit(0, None, 7, 1), "a8v");
    let at_cursor = game.paint(&PaintOptions { cursor: Some("c3v"), ..PaintOptions::default() });
    let spot = at_cursor.spots().iter().find(|spot| spot.text == "c3v").unwrap();
    assert_eq!((spot.x, spot.y), (15, 12));
}

#[test]
fn picture_sizes_follow_the_formula() {
    assert_eq!(Quoridor::new(9).unwrap().board_sizes(), [(40, 20), (58, 29), (76, 38), (94, 47), (112, 56)]);
    for size in 3..=25 {
        let expected = CELL_SIZES.map(|(w, h)| (3 + size * w + size - 1 + 2, size * h + size - 1 + 3));
        assert_eq!(Quoridor::new(size).unwrap().board_sizes(), expected);
    }
}

#[test]
fn styles_follow_the_cursor_hint_and_last_move() {
    let game = after(9, 10, MOCK_UP);
    let canvas = game.paint(&PaintOptions {
        last: Some("g4h"),
        cursor: Some("d5h"),
        hint: Some("e5"),
        ..PaintOptions::default()
    });
    let role_of = |glyph: char| {
        let mut places = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        places.find(|&(x, y)| canvas.glyph_at(x, y).0 == glyph).map(|(x, y)| canvas.glyph_at(x, y).1)
    };
    let expected = [
        ('━', PaintRole::First),
        ('║', PaintRole::Second),
        ('◆', PaintRole::Last),
        ('╋', PaintRole::Allowed),
        ('<', PaintRole::Hint),
    ];
    for (glyph, role) in expected {
        assert_eq!(role_of(glyph), Some(role), "{glyph}");
    }
}
