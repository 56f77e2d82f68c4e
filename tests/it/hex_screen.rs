//! Drawings of the Hex board, character by character, and the cells that its points select.

use crosspath::canvas::{Canvas, GlyphSet, MoveSpot, PaintBoard, PaintOptions, PaintRole};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::hex::{Hex, SwapRule};
use crosspath::random::random_stream;
use rand::RngExt;

use crate::pty::assert_terminal_restored;
use crate::screen::crosspath;
use crate::sentences::said;

const GLYPH_SETS: [GlyphSet; 3] = [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii];

fn position_after(size: usize, swap: SwapRule, texts: &str) -> Hex {
    let mut game = Hex::new(size, swap).unwrap();
    for text in texts.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make_move(mv).unwrap();
    }
    game
}

fn render(canvas: &Canvas) -> String {
    format!("\n{}", canvas.to_text())
}

const SAMPLE_GAME: &str = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";

#[test]
fn the_small_example_is_drawn_as_specified() {
    let game = position_after(5, SwapRule::Off, "c3 b4 d2");
    let look = PaintOptions { glyphs: GlyphSet::Ascii, last: Some("d2"), ..PaintOptions::default() };
    assert_eq!(
        render(&game.paint(&look)),
        r"
    a b c d e
   ==== X ====
 1 \ . . . . . \ 1
  2 \ . . .(X). \ 2
   3 O . . X . . O 3
    4 \ . O . . . \ 4
     5 \ . . . . . \ 5
         ==== X ====
          a b c d e
"
    );
}

#[test]
fn the_compact_board_is_drawn_in_ascii() {
    let game = position_after(11, SwapRule::Off, SAMPLE_GAME);
    let look = PaintOptions {
        glyphs: GlyphSet::Ascii,
        last: Some("c8"),
        cursor: Some("e6"),
        hint: Some("c9"),
        ..PaintOptions::default()
    };
    assert_eq!(
        render(&game.paint(&look)),
        r"
    a b c d e f g h i j k
   ========== X ==========
 1 \ . . . . . . . . . . . \ 1
  2 \ . . X . . . . . . . . \ 2
   3 \ . . . . . . . . . . . \ 3
    4 \ . . . . . O . X . . . \ 4
     5 \ . . . . O . . . . . . \ 5
      6 O . . . .[.]O . . . . . O 6
       7 \ . . . . . . X . . . . \ 7
        8 \ . .(X)O X . . . . . . \ 8
         9 \ . O<!>X . . . . . . . \ 9
         10 \ . . . . . . . . . . . \ 10
          11 \ . . . . . . . . . . . \ 11
               ========== X ==========
                a b c d e f g h i j k
"
    );
}

#[test]
fn the_compact_board_is_drawn_in_unicode() {
    let game = position_after(11, SwapRule::Off, SAMPLE_GAME);
    let look =
        PaintOptions { last: Some("c8"), cursor: Some("e6"), hint: Some("c9"), ..PaintOptions::default() };
    assert_eq!(
        render(&game.paint(&look)),
        r"
    a b c d e f g h i j k
   ══════════ ● ══════════
 1 ╲ · · · · · · · · · · · ╲ 1
  2 ╲ · · ● · · · · · · · · ╲ 2
   3 ╲ · · · · · · · · · · · ╲ 3
    4 ╲ · · · · · ○ · ● · · · ╲ 4
     5 ╲ · · · · ○ · · · · · · ╲ 5
      6 ○ · · · ·[·]○ · · · · · ○ 6
       7 ╲ · · · · · · ● · · · · ╲ 7
        8 ╲ · ·(●)○ ● · · · · · · ╲ 8
         9 ╲ · ○<!>● · · · · · · · ╲ 9
         10 ╲ · · · · · · · · · · · ╲ 10
          11 ╲ · · · · · · · · · · · ╲ 11
               ══════════ ● ══════════
                a b c d e f g h i j k
"
    );
}

#[test]
fn the_roomy_board_shows_the_end_of_a_game() {
    let moves = "f6 f7 e7 e6 f5 g4 f4 h3 e8 e9 d9 d7 d10 c10 g3 c8 g2 i2 h1 b11 c11";
    let game = position_after(11, SwapRule::Off, moves);
    let look = PaintOptions { density: 1, last: Some("c11"), ..PaintOptions::default() };
    assert_eq!(
        render(&game.paint(&look)),
        r"
     a   b   c   d   e   f   g   h   i   j   k
    ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱●╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
 1 │   │   │   │   │   │   │   │ ◉ │   │   │   │ 1
    ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
   2 │   │   │   │   │   │   │ ◉ │   │ ○ │   │   │ 2
      ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
     3 │   │   │   │   │   │   │ ◉ │ ○ │   │   │   │ 3
        ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
       4 │   │   │   │   │   │ ◉ │ ○ │   │   │   │   │ 4
          ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
         5 │   │   │   │   │   │ ◉ │   │   │   │   │   │ 5
            ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
           6 ○   │   │   │   │ ○ │ ◉ │   │   │   │   │   ○ 6
              ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
             7 │   │   │   │ ○ │ ◉ │ ○ │   │   │   │   │   │ 7
                ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
               8 │   │   │ ○ │   │ ◉ │   │   │   │   │   │   │ 8
                  ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
                 9 │   │   │   │ ◉ │ ○ │   │   │   │   │   │   │ 9
                    ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
                  10 │   │   │ ○ │ ◉ │   │   │   │   │   │   │   │ 10
                      ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲
                    11 │   │ ○ │(◉)│   │   │   │   │   │   │   │   │ 11
                        ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲●╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱ ╲ ╱
                         a   b   c   d   e   f   g   h   i   j   k
"
    );
    assert_eq!(game.winning_chain().len(), 11);
}

#[test]
fn the_winning_chain_has_its_own_glyphs_and_roles() {
    let game = position_after(3, SwapRule::Off, "a1 c1 b1 b2 a2 a3");
    let shown =
        |glyphs| game.paint(&PaintOptions { glyphs, last: Some("a3"), ..PaintOptions::default() }).to_text();
    assert_eq!(shown(GlyphSet::Ascii).lines().nth(4).unwrap(), "   3 \\(@). . \\ 3");
    assert!(shown(GlyphSet::Unicode).contains('◎') && shown(GlyphSet::Narrow).contains('@'));
    let canvas = game.paint(&PaintOptions::default());
    let roles: Vec<PaintRole> = canvas.spots().iter().map(|spot| canvas.glyph_at(spot.x, spot.y).1).collect();
    assert_eq!(roles.iter().filter(|&&role| role == PaintRole::SecondWon).count(), 3);
    assert_eq!(roles.iter().filter(|&&role| role == PaintRole::First).count(), 3);
}

#[test]
fn every_drawing_fills_its_declared_size() {
    for size in 1..=26 {
        let game = Hex::new(size, SwapRule::On).unwrap();
        let digits = size.to_string().len();
        let compact_and_roomy = [(3 * size + 6 + digits, size + 4), (6 * size + 3 + digits, 2 * size + 3)];
        let sizes = [compact_and_roomy[0], compact_and_roomy[1], (12 * size + 1 + digits, 3 * size + 4)];
        assert_eq!(game.board_sizes(), sizes);
        for (density, (width, height)) in sizes.into_iter().enumerate() {
            for glyphs in GLYPH_SETS {
                let canvas = game.paint(&PaintOptions { glyphs, density, ..PaintOptions::default() });
                let rows: Vec<usize> = (0..height).map(|y| canvas.row_text(y).chars().count()).collect();
                assert!(rows.iter().all(|&length| length > 0), "{size}");
                assert_eq!(rows.iter().max(), Some(&width), "{size}, density {density}");
            }
        }
    }
}

/// Returns the stones that a drawing shows, read from its characters without colours.
fn read_stones(canvas: &Canvas, glyphs: GlyphSet) -> Vec<Option<Side>> {
    let [first, second] = match glyphs {
        GlyphSet::Unicode => [['●', '◉'], ['○', '◎']],
        GlyphSet::Narrow => [['⬤', '◉'], ['O', '@']],
        GlyphSet::Ascii => [['X', '#'], ['O', '@']],
    };
    let side = |glyph| {
        let of = |signs: [char; 2], side| signs.contains(&glyph).then_some(side);
        of(first, Side::First).or(of(second, Side::Second))
    };
    let read = |spot: &MoveSpot| {
        let at = |x: usize| canvas.glyph_at(x, spot.y).0;
        // A large stone is a filled disc or an empty ring.
        match (at(spot.x), at(spot.x - 2)) {
            ('█', '█') => Some(Side::First),
            (' ', '█') => Some(Side::Second),
            (glyph, _) => side(glyph),
        }
    };
    canvas.spots().iter().map(read).collect()
}

#[test]
fn every_position_can_be_read_without_colours() {
    check_readability(&[(1, 200), (2, 200), (5, 60), (11, 12), (14, 2)]);
}

#[test]
#[ignore = "slow: many games"]
fn every_position_of_many_games_can_be_read_without_colours() {
    check_readability(&[(5, 200), (11, 200), (14, 20), (26, 1)]);
}

/// Checks that every position of random games can be read; each entry is a board size and a number
/// of games.
fn check_readability(boards: &[(usize, usize)]) {
    for &(size, games) in boards {
        let mut generator = random_stream(3, size as u64);
        for _ in 0..games {
            let mut game = Hex::new(size, SwapRule::On).unwrap();
            let mut last = None;
            loop {
                let cells: Vec<String> = (0..size * size).map(|i| cell_name(i / size, i % size)).collect();
                let cursor = &cells[generator.random_range(0..cells.len())];
                for (glyphs, density) in
                    GLYPH_SETS.into_iter().flat_map(|glyphs| [0, 1, 2].map(|density| (glyphs, density)))
                {
                    let look = PaintOptions {
                        glyphs,
                        density,
                        last: last.as_deref(),
                        cursor: Some(cursor),
                        ways: true,
                        ..PaintOptions::default()
                    };
                    let canvas = game.paint(&look);
                    assert_eq!(read_stones(&canvas, glyphs), game.stones());
                    let (cursor_seen, last_seen) =
                        read_cursor_and_last_move(&canvas, &cells, if density == 2 { 3 } else { 1 });
                    assert_eq!(cursor_seen, Some(cursor), "{}", canvas.to_text());
                    // After a swap the mark is on the new stone. The cursor may cover the mark.
                    if last.as_deref() != Some("swap") && last.as_ref() != Some(cursor) {
                        assert_eq!(last_seen, last.as_ref(), "{}", canvas.to_text());
                    }
                }
                let mut moves = Vec::new();
                game.push_legal_moves(&mut moves);
                let Some(&mv) = moves.get(generator.random_range(0..moves.len().max(1))) else { break };
                last = Some(game.format_move(mv));
                game.make_move(mv);
            }
        }
    }
}

/// Returns the name of the cell in a row and a column, both counted from 0.
fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", char::from(b'a' + u8::try_from(column).unwrap()), row + 1)
}

/// Returns the cells of the cursor and of the last move. An opening bracket belongs to the cell on
/// its right, a closing one to the cell on its left.
fn read_cursor_and_last_move<'n>(
    canvas: &Canvas,
    cells: &'n [String],
    away: usize,
) -> (Option<&'n String>, Option<&'n String>) {
    let beside = |open: char, close: char| {
        let mut marked = canvas.spots().iter().zip(cells).filter(|(spot, _)| {
            canvas.glyph_at(spot.x - away, spot.y).0 == open
                || canvas.glyph_at(spot.x + away, spot.y).0 == close
        });
        let cell = marked.next().map(|(_, name)| name);
        assert!(marked.next().is_none(), "two cells have the mark:\n{}", canvas.to_text());
        cell
    };
    (beside('[', ']'), beside('(', ')'))
}

#[test]
fn the_narrow_and_ascii_sets_use_only_their_documented_glyphs() {
    let game = position_after(4, SwapRule::Off, "a1 b2");
    let narrow = game.paint(&PaintOptions { glyphs: GlyphSet::Narrow, ..PaintOptions::default() }).to_text();
    assert!(narrow.chars().all(|c| c.is_ascii() || "⬤∙◉\n".contains(c)), "{narrow}");
    let roomy = game
        .paint(&PaintOptions { glyphs: GlyphSet::Narrow, density: 1, ..PaintOptions::default() })
        .to_text();
    assert!(roomy.chars().all(|c| c.is_ascii() || "⬤∙◉\n".contains(c)), "{roomy}");
    for density in 0..3 {
        let ascii = game
            .paint(&PaintOptions { glyphs: GlyphSet::Ascii, density, ..PaintOptions::default() })
            .to_text();
        assert!(ascii.is_ascii());
    }
}

#[test]
fn the_cursor_covers_the_last_move_and_the_last_move_covers_the_hint() {
    let game = position_after(5, SwapRule::Off, "c3");
    let row = |last, cursor, hint| {
        let look = PaintOptions { glyphs: GlyphSet::Ascii, last, cursor, hint, ..PaintOptions::default() };
        game.paint(&look).row_text(4)
    };
    assert_eq!(row(Some("c3"), None, None), "   3 O . .(X). . O 3");
    assert_eq!(row(Some("c3"), Some("c3"), None), "   3 O . .[X]. . O 3", "the cursor alone");
    assert_eq!(row(Some("c3"), Some("b3"), None), "   3 O .[.]X). . O 3");
    assert_eq!(row(Some("c3"), Some("d3"), None), "   3 O . .(X[.]. O 3");
    assert_eq!(row(Some("c3"), None, Some("d3")), "   3 O . .(X).>. O 3");
    assert_eq!(row(Some("c3"), None, Some("b3")), "   3 O .<.(X). . O 3");
    assert_eq!(row(None, Some("b3"), Some("b3")), "   3 O .<.>X . . O 3", "the hint is still seen");
    assert_eq!(row(None, Some("a3"), Some("e3")), "   3 O[.]. X .<.>O 3");
}

#[test]
fn after_a_swap_the_last_move_mark_is_on_the_new_stone() {
    let game = position_after(3, SwapRule::On, "b1 swap");
    let look = PaintOptions { glyphs: GlyphSet::Ascii, last: Some("swap"), ..PaintOptions::default() };
    assert_eq!(
        render(&game.paint(&look)),
        r"
    a b c
   == X ==
 1 \ . . . \ 1
  2 O(O). . O 2
   3 \ . . . \ 3
       == X ==
        a b c
"
    );
}

#[test]
fn while_a_swap_is_possible_the_stone_selects_it() {
    let game = position_after(5, SwapRule::On, "c3");
    for density in 0..3 {
        let canvas = game.paint(&PaintOptions { density, cursor: Some("swap"), ..PaintOptions::default() });
        let spot = canvas.spots().iter().find(|spot| spot.text == "swap").unwrap();
        assert_eq!(canvas.glyph_at(spot.x, spot.y).0, if density == 2 { '█' } else { '●' });
        let away = if density == 2 { 3 } else { 1 };
        assert_eq!(canvas.glyph_at(spot.x - away, spot.y), ('[', PaintRole::Cursor));
    }
    let later = position_after(5, SwapRule::On, "c3 d4");
    assert!(later.paint(&PaintOptions::default()).spots().iter().all(|spot| spot.text != "swap"));
}

#[test]
fn every_point_of_the_compact_board_selects_the_right_cell() {
    for size in [1, 3, 11, 26] {
        let game = Hex::new(size, SwapRule::On).unwrap();
        let canvas = game.paint(&PaintOptions::default());
        let (width, height) = game.board_sizes()[0];
        for y in 0..height {
            for x in 0..width {
                let r = y.cast_signed() - 2;
                let c = (x.cast_signed() - 5 - r).div_euclid(2);
                let cell = usize::try_from(r).ok().zip(usize::try_from(c).ok());
                let expected = cell
                    .and_then(|(row, col)| game.grid().cell_at(row, col))
                    .map(|cell| game.format_cell(cell));
                assert_eq!(canvas.move_at(x, y), expected.as_deref(), "({x}, {y}) on {size}");
            }
        }
    }
}

#[test]
fn the_large_board_has_wide_cells_and_stones_that_fill_them() {
    let game = position_after(2, SwapRule::Off, "a1 b1");
    let shown = |glyphs| {
        let look = PaintOptions { glyphs, density: 2, last: Some("b1"), ..PaintOptions::default() };
        format!("\n{}", game.paint(&look).to_text())
    };
    assert_eq!(
        shown(GlyphSet::Unicode),
        "
       a       b
      ╱ ╲     ╱●╲
    ╱ ▄▄▄ ╲ ╱ ▄▄▄ ╲
 1 │ █████ │(█   █)│ 1
    ╲ ▀▀▀ ╱ ╲ ▀▀▀ ╱ ╲
      ╲ ╱     ╲ ╱     ╲
     2 ○       │       ○ 2
        ╲     ╱ ╲     ╱
          ╲ ╱     ╲●╱
           a       b
"
    );
    assert_eq!(
        shown(GlyphSet::Ascii),
        r"
       a       b
      / \     /X\
    / \ / \ / .-. \
 1 |   X   |(  O  )| 1
    \ / \ / \ '-' / \
      \ /     \ /     \
     2 O       |       O 2
        \     / \     /
          \ /     \X/
           a       b
"
    );
}

#[test]
fn every_point_of_the_large_board_selects_its_cell_or_the_nearest() {
    for size in [1, 2, 5, 9] {
        let game = Hex::new(size, SwapRule::On).unwrap();
        for turned in [false, true] {
            let canvas = game.paint(&PaintOptions { density: 2, turned, ..PaintOptions::default() });
            let (width, height) = game.board_sizes()[2];
            let places = (1..height - 1).flat_map(|y| (0..width).map(move |x| (x, y)));
            for (x, y) in places {
                let within = canvas.spots().iter().find(|spot| {
                    let (dx, dy) = (spot.x.abs_diff(x), spot.y.abs_diff(y));
                    dx <= 2 && dy <= 1 || dx == 3 && dy == 0
                });
                let of = |spot: &MoveSpot| spot.x.abs_diff(x) + 2 * spot.y.abs_diff(y);
                let least = canvas.spots().iter().map(of).min();
                let glyph = canvas.glyph_at(x, y).0;
                match (canvas.move_at(x, y), within) {
                    (hit, Some(cell)) => assert_eq!(hit, Some(cell.text.as_str()), "({x}, {y}) on {size}"),
                    (Some(hit), None) => {
                        let spot = canvas.spots().iter().find(|spot| spot.text == hit).unwrap();
                        assert_eq!(Some(of(spot)), least, "({x}, {y}) on {size}");
                    }
                    (None, None) => assert!(!"╱╲│".contains(glyph), "({x}, {y}) on {size}: a line"),
                }
            }
        }
    }
}

#[test]
fn every_point_of_the_roomy_board_selects_the_nearest_cell() {
    for size in [1, 2, 5, 11] {
        let game = Hex::new(size, SwapRule::On).unwrap();
        let canvas = game.paint(&PaintOptions { density: 1, ..PaintOptions::default() });
        let (width, height) = game.board_sizes()[1];
        let centre = |row: usize, col: usize| (5 + 2 * row + 4 * col, 2 + 2 * row);
        for y in 1..height - 1 {
            for x in 0..width {
                let Some(hit) = canvas.move_at(x, y) else { continue };
                let nearest = (0..size * size)
                    .min_by_key(|&index| {
                        let (cx, cy) = centre(index / size, index % size);
                        (cx.abs_diff(x) + 2 * cy.abs_diff(y), index)
                    })
                    .map(|index| crosspath::board::names::cell_name(index % size, index / size));
                let is_content =
                    y % 2 == 0 && (x.cast_signed() - 3 - (y.cast_signed() - 2)).rem_euclid(4) != 0;
                if is_content {
                    let row = (y - 2) / 2;
                    let col = (x.cast_signed() - (3 + 2 * row).cast_signed() - 1).div_euclid(4);
                    let name = crosspath::board::names::cell_name(usize::try_from(col).unwrap(), row);
                    assert_eq!(hit, name, "({x}, {y}) on {size}");
                } else {
                    assert_eq!(Some(hit), nearest.as_deref(), "({x}, {y}) on {size}");
                }
            }
        }
        for spot in canvas.spots() {
            assert_eq!(canvas.move_at(spot.x, spot.y), Some(spot.text.as_str()));
        }
        assert!(canvas.move_at(3, 2).is_some() && canvas.move_at(4, 1).is_some(), "lines count");
        assert_eq!(canvas.move_at(0, 2), None, "numbers do not");
        assert_eq!(canvas.move_at(5, 0), None, "nor do letters");
    }
}

#[test]
fn bridges_and_paths_have_signs_and_an_intrusion_marks_the_saving_cell() {
    let game = position_after(5, SwapRule::Off, "b2 e1 c2 e2 b4");
    let look =
        PaintOptions { glyphs: GlyphSet::Ascii, ways: true, last: Some("b4"), ..PaintOptions::default() };
    assert_eq!(
        render(&game.paint(&look)),
        r"
    a b c d e
   ==== X ====
 1 \ . + + . O \ 1
  2 \ . X X . O \ 2
   3 O . & & . . O 3
    4 \ .(X). . . \ 4
     5 \ + + . . . \ 5
         ==== X ====
          a b c d e
"
    );
    assert_eq!(
        PaintBoard::path_overlay_label(&game, GlyphSet::Ascii).unwrap(),
        "Bridges + Red, - Blue; still needed r Red, b Blue, & both"
    );
    let cut = position_after(5, SwapRule::Off, "b2 e1 c2 e2 b4 a5");
    let look = PaintOptions { glyphs: GlyphSet::Ascii, last: Some("a5"), ..PaintOptions::default() };
    assert_eq!(cut.paint(&look).row_text(6), "     5 \\(O)! . . . \\ 5");
    let canvas = cut.paint(&look);
    assert_eq!(canvas.move_at(canvas.row_text(6).find('!').unwrap(), 6), Some("b5"));
}

/// Returns the bridge and path signs of First, those of Second, and the sign of cells that belong
/// to both.
fn overlay_signs(glyphs: GlyphSet) -> ([char; 2], [char; 2], char) {
    match glyphs {
        GlyphSet::Unicode => (['+', '•'], ['-', '◦'], '◊'),
        GlyphSet::Narrow => (['+', '▪'], ['-', '▫'], '◊'),
        GlyphSet::Ascii => (['+', 'r'], ['-', 'b'], '&'),
    }
}

#[test]
fn signs_show_which_side_a_bridge_or_path_belongs_to() {
    let mut generator = random_stream(45, 0);
    let mut counts = [0; 3];
    for size in [5, 9, 11] {
        for glyphs in GLYPH_SETS {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            while game.outcome().is_none() {
                let bridges = Side::map_both(|side| game.safe_connection_cells(side));
                let paths = Side::map_both(|side| game.bridged_path_cells(side));
                let density = usize::from(game.stone_count() % 2 == 1);
                let canvas = game.paint(&PaintOptions { glyphs, density, ways: true, ..Default::default() });
                let (firsts, seconds, both) = overlay_signs(glyphs);
                for (cell, spot) in game.grid().cells().zip(canvas.spots()) {
                    let is_of = Side::map_both(|side| {
                        let i = side.index();
                        bridges[i].contains(&cell) || paths[i].contains(&cell)
                    });
                    let (glyph, role) = canvas.glyph_at(spot.x, spot.y);
                    let seen =
                        [firsts.contains(&glyph) || glyph == both, seconds.contains(&glyph) || glyph == both];
                    assert_eq!(seen, is_of, "{}", canvas.to_text());
                    let expected = match is_of {
                        [false, false] => continue,
                        [true, false] => PaintRole::First,
                        [false, true] => PaintRole::Second,
                        [true, true] => PaintRole::Path,
                    };
                    assert_eq!(role, expected);
                    counts[usize::from(is_of[1]) + usize::from(is_of == [true, true])] += 1;
                }
                let free: Vec<_> = game.empty_cells().collect();
                game.make_move(free[generator.random_range(0..free.len())].into());
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn edges_have_the_colours_of_their_owners() {
    let game = Hex::new(4, SwapRule::On).unwrap();
    let roles = |density| -> Vec<String> {
        let canvas =
            game.paint(&PaintOptions { density, glyphs: GlyphSet::Ascii, ..PaintOptions::default() });
        let letter = |x, y| match canvas.glyph_at(x, y) {
            (' ', _) => ' ',
            (_, PaintRole::First) => 'R',
            (_, PaintRole::Second) => 'B',
            (_, PaintRole::Frame) => '.',
            _ => ' ',
        };
        let row = |y| (0..canvas.width()).map(|x| letter(x, y)).collect::<String>().trim_end().to_owned();
        (0..canvas.height()).map(row).collect()
    };
    assert_eq!(
        roles(1),
        [
            "",
            "    R R R R RRR R R",
            "   B   .   .   .   B",
            "    B . . . . . . . B",
            "     B   .   .   .   B",
            "      B . . . . . . . B",
            "       B   .   .   .   B",
            "        B . . . . . . . B",
            "         B   .   .   .   B",
            "          R R R R RRR R R",
            "",
        ]
    );
    assert_eq!(
        roles(0),
        [
            "",
            "   RRR R RRR",
            "   B         B",
            "    B         B",
            "     B         B",
            "      B         B",
            "        RRR R RRR",
            "",
        ]
    );
}

#[test]
fn the_winning_chain_is_three_columns_wide() {
    let game = position_after(3, SwapRule::Off, "a1 c1 b1 b2 a2 a3");
    for density in 0..3 {
        let canvas = game.paint(&PaintOptions { density, last: Some("a3"), ..PaintOptions::default() });
        let won = canvas.spots().iter().filter(|spot| ["c1", "b2", "a3"].contains(&spot.text.as_str()));
        for spot in won {
            for x in spot.x - 1..=spot.x + 1 {
                assert_eq!(canvas.glyph_at(x, spot.y).1, PaintRole::SecondWon, "{}", spot.text);
            }
        }
        let last = canvas.find_spot("a3").unwrap();
        let away = if density == 2 { 3 } else { 1 };
        let marks = [last.x - away, last.x, last.x + away].map(|x| canvas.glyph_at(x, last.y).0);
        assert_eq!(marks, ['(', '◎', ')'], "the marks stay");
        let roles = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        let count = roles.filter(|&(x, y)| canvas.glyph_at(x, y).1 == PaintRole::SecondWon).count();
        assert_eq!(count, if density == 2 { 33 } else { 9 }, "all of large stones");
    }
}

/// The program copies the link with the OSC 52 sequence.
#[test]
fn the_hexworld_link_is_copied_to_the_clipboard() {
    let mut terminal = crosspath(&["--mode", "2", "--game", "hex", "--size", "5"]);
    terminal.expect(said!("to-move-2", "Red"));
    terminal.send("b2\r:link\r");
    terminal.expect("https://hexworld.org/board/#5c1,b2");
    terminal.settle();
    let copied = terminal.raw().split("\u{1b}]52;c;").nth(1).expect("the sequence");
    assert!(copied.starts_with("aHR0cHM6Ly9oZXh3b3JsZC5vcmcvYm9hcmQvIzVj"), "{copied}");
    terminal.send("\u{1b}q");
    assert_terminal_restored(terminal, 0);
}
