//! The pictures of the Hex board, character by character, and the meaning of its places.

use crosspath::canvas::{Canvas, Glyphs, Paint, PaintOptions, Role, Spot};
use crosspath::game::{Game, Notation, Side};
use crosspath::games::hex::{Hex, SwapRule};
use crosspath::random::stream;
use rand::RngExt;

use crate::pty::is_given_back;
use crate::screen::crosspath;
use crate::sentences::said;

const SETS: [Glyphs; 3] = [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii];

fn after(size: usize, swap: SwapRule, texts: &str) -> Hex {
    let mut game = Hex::new(size, swap).unwrap();
    for text in texts.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make(mv).unwrap();
    }
    game
}

fn drawn(canvas: &Canvas) -> String {
    format!("\n{}", canvas.to_text())
}

const GAME_80: &str = "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8";

#[test]
fn the_small_example_is_drawn_as_specified() {
    let game = after(5, SwapRule::Off, "c3 b4 d2");
    let look = PaintOptions { glyphs: Glyphs::Ascii, last: Some("d2"), ..PaintOptions::default() };
    assert_eq!(
        drawn(&game.paint(&look)),
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
fn the_compact_picture_in_ascii() {
    let game = after(11, SwapRule::Off, GAME_80);
    let look = PaintOptions {
        glyphs: Glyphs::Ascii,
        last: Some("c8"),
        cursor: Some("e6"),
        hint: Some("c9"),
        ..PaintOptions::default()
    };
    assert_eq!(
        drawn(&game.paint(&look)),
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
fn the_compact_picture_in_unicode() {
    let game = after(11, SwapRule::Off, GAME_80);
    let look =
        PaintOptions { last: Some("c8"), cursor: Some("e6"), hint: Some("c9"), ..PaintOptions::default() };
    assert_eq!(
        drawn(&game.paint(&look)),
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
fn the_roomy_picture_at_the_end_of_a_game() {
    let moves = "f6 f7 e7 e6 f5 g4 f4 h3 e8 e9 d9 d7 d10 c10 g3 c8 g2 i2 h1 b11 c11";
    let game = after(11, SwapRule::Off, moves);
    let look = PaintOptions { density: 1, last: Some("c11"), ..PaintOptions::default() };
    assert_eq!(
        drawn(&game.paint(&look)),
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
fn the_winning_chain_has_glyphs_and_roles_of_its_own() {
    let game = after(3, SwapRule::Off, "a1 c1 b1 b2 a2 a3");
    let shown =
        |glyphs| game.paint(&PaintOptions { glyphs, last: Some("a3"), ..PaintOptions::default() }).to_text();
    assert_eq!(shown(Glyphs::Ascii).lines().nth(4).unwrap(), "   3 \\(@). . \\ 3");
    assert!(shown(Glyphs::Unicode).contains('◎') && shown(Glyphs::Narrow).contains('@'));
    let canvas = game.paint(&PaintOptions::default());
    let roles: Vec<Role> = canvas.spots().iter().map(|spot| canvas.at(spot.x, spot.y).1).collect();
    assert_eq!(roles.iter().filter(|&&role| role == Role::SecondWon).count(), 3);
    assert_eq!(roles.iter().filter(|&&role| role == Role::First).count(), 3);
}

#[test]
fn the_picture_has_the_size_it_says_and_fills_it() {
    for size in 1..=26 {
        let game = Hex::new(size, SwapRule::On).unwrap();
        let digits = size.to_string().len();
        let compact_and_roomy = [(3 * size + 6 + digits, size + 4), (6 * size + 3 + digits, 2 * size + 3)];
        let sizes = [compact_and_roomy[0], compact_and_roomy[1], (12 * size + 1 + digits, 3 * size + 4)];
        assert_eq!(game.board_sizes(), sizes);
        for (density, (width, height)) in sizes.into_iter().enumerate() {
            for glyphs in SETS {
                let canvas = game.paint(&PaintOptions { glyphs, density, ..PaintOptions::default() });
                let rows: Vec<usize> = (0..height).map(|y| canvas.row(y).chars().count()).collect();
                assert!(rows.iter().all(|&length| length > 0), "{size}");
                assert_eq!(rows.iter().max(), Some(&width), "{size}, density {density}");
            }
        }
    }
}

/// Returns the stones that a picture shows, read from its bare characters.
fn read_off(canvas: &Canvas, glyphs: Glyphs) -> Vec<Option<Side>> {
    let [first, second] = match glyphs {
        Glyphs::Unicode => [['●', '◉'], ['○', '◎']],
        Glyphs::Narrow => [['⬤', '◉'], ['O', '@']],
        Glyphs::Ascii => [['X', '#'], ['O', '@']],
    };
    let side = |glyph| {
        let of = |signs: [char; 2], side| signs.contains(&glyph).then_some(side);
        of(first, Side::First).or(of(second, Side::Second))
    };
    let read = |spot: &Spot| {
        let at = |x: usize| canvas.at(x, spot.y).0;
        // A large stone is a disc, or a ring with nothing in it.
        match (at(spot.x), at(spot.x - 2)) {
            ('█', '█') => Some(Side::First),
            (' ', '█') => Some(Side::Second),
            (glyph, _) => side(glyph),
        }
    };
    canvas.spots().iter().map(read).collect()
}

#[test]
fn every_position_can_be_read_off_the_bare_characters() {
    can_be_read_off(&[(1, 200), (2, 200), (5, 60), (11, 12), (14, 2)]);
}

#[test]
#[ignore = "slow: the same in more games"]
fn every_position_of_many_games_can_be_read_off() {
    can_be_read_off(&[(5, 200), (11, 200), (14, 20), (26, 1)]);
}

/// Checks positions of this many random games on boards of these sizes.
fn can_be_read_off(boards: &[(usize, usize)]) {
    for &(size, games) in boards {
        let mut generator = stream(3, size as u64);
        for _ in 0..games {
            let mut game = Hex::new(size, SwapRule::On).unwrap();
            let mut last = None;
            loop {
                let cells: Vec<String> = (0..size * size).map(|i| cell_name(i / size, i % size)).collect();
                let cursor = &cells[generator.random_range(0..cells.len())];
                for (glyphs, density) in
                    SETS.into_iter().flat_map(|glyphs| [0, 1, 2].map(|density| (glyphs, density)))
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
                    assert_eq!(read_off(&canvas, glyphs), game.stones());
                    let (cursor_seen, last_seen) =
                        read_marks(&canvas, &cells, if density == 2 { 3 } else { 1 });
                    assert_eq!(cursor_seen, Some(cursor), "{}", canvas.to_text());
                    // After the swap the mark is on the new stone, wherever that is; the cursor covers it.
                    if last.as_deref() != Some("swap") && last.as_ref() != Some(cursor) {
                        assert_eq!(last_seen, last.as_ref(), "{}", canvas.to_text());
                    }
                }
                let mut moves = Vec::new();
                game.moves(&mut moves);
                let Some(&mv) = moves.get(generator.random_range(0..moves.len().max(1))) else { break };
                last = Some(game.show(mv));
                game.make(mv);
            }
        }
    }
}

/// Returns the name of the cell in a row and a column, both from 0.
fn cell_name(row: usize, column: usize) -> String {
    format!("{}{}", char::from(b'a' + u8::try_from(column).unwrap()), row + 1)
}

/// Returns the cell of the cursor and that of the last move, read from the signs beside the cells:
/// an opening one belongs to the cell on its right, a closing one to the cell on its left.
fn read_marks<'n>(
    canvas: &Canvas,
    cells: &'n [String],
    away: usize,
) -> (Option<&'n String>, Option<&'n String>) {
    let beside = |open: char, close: char| {
        let mut found = canvas.spots().iter().zip(cells).filter(|(spot, _)| {
            canvas.at(spot.x - away, spot.y).0 == open || canvas.at(spot.x + away, spot.y).0 == close
        });
        let cell = found.next().map(|(_, name)| name);
        assert!(found.next().is_none(), "two cells have the mark:\n{}", canvas.to_text());
        cell
    };
    (beside('[', ']'), beside('(', ')'))
}

#[test]
fn every_glyph_of_the_sets_is_the_documented_one() {
    let game = after(4, SwapRule::Off, "a1 b2");
    let narrow = game.paint(&PaintOptions { glyphs: Glyphs::Narrow, ..PaintOptions::default() }).to_text();
    assert!(narrow.chars().all(|c| c.is_ascii() || "⬤∙◉\n".contains(c)), "{narrow}");
    let roomy =
        game.paint(&PaintOptions { glyphs: Glyphs::Narrow, density: 1, ..PaintOptions::default() }).to_text();
    assert!(roomy.chars().all(|c| c.is_ascii() || "⬤∙◉\n".contains(c)), "{roomy}");
    for density in 0..3 {
        let ascii =
            game.paint(&PaintOptions { glyphs: Glyphs::Ascii, density, ..PaintOptions::default() }).to_text();
        assert!(ascii.is_ascii());
    }
}

#[test]
fn cursor_is_stronger_than_last_move_and_last_move_than_hint() {
    let game = after(5, SwapRule::Off, "c3");
    let row = |last, cursor, hint| {
        let look = PaintOptions { glyphs: Glyphs::Ascii, last, cursor, hint, ..PaintOptions::default() };
        game.paint(&look).row(4)
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
fn after_a_swap_the_mark_is_on_the_new_stone() {
    let game = after(3, SwapRule::On, "b1 swap");
    let look = PaintOptions { glyphs: Glyphs::Ascii, last: Some("swap"), ..PaintOptions::default() };
    assert_eq!(
        drawn(&game.paint(&look)),
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
fn while_a_swap_is_possible_the_stone_means_it() {
    let game = after(5, SwapRule::On, "c3");
    for density in 0..3 {
        let canvas = game.paint(&PaintOptions { density, cursor: Some("swap"), ..PaintOptions::default() });
        let spot = canvas.spots().iter().find(|spot| spot.text == "swap").unwrap();
        assert_eq!(canvas.at(spot.x, spot.y).0, if density == 2 { '█' } else { '●' });
        let away = if density == 2 { 3 } else { 1 };
        assert_eq!(canvas.at(spot.x - away, spot.y), ('[', Role::Cursor));
    }
    let later = after(5, SwapRule::On, "c3 d4");
    assert!(later.paint(&PaintOptions::default()).spots().iter().all(|spot| spot.text != "swap"));
}

#[test]
fn every_compact_place_means_the_cell_of_the_formula() {
    for size in [1, 3, 11, 26] {
        let game = Hex::new(size, SwapRule::On).unwrap();
        let canvas = game.paint(&PaintOptions::default());
        let (width, height) = game.board_sizes()[0];
        for y in 0..height {
            for x in 0..width {
                let r = y.cast_signed() - 2;
                let c = (x.cast_signed() - 5 - r).div_euclid(2);
                let cell = usize::try_from(r).ok().zip(usize::try_from(c).ok());
                let expected =
                    cell.and_then(|(row, col)| game.grid().cell(row, col)).map(|cell| game.name(cell));
                assert_eq!(canvas.hit(x, y), expected.as_deref(), "({x}, {y}) on {size}");
            }
        }
    }
}

#[test]
fn the_large_board_has_cells_twice_as_wide_and_stones_that_fill_them() {
    let game = after(2, SwapRule::Off, "a1 b1");
    let shown = |glyphs| {
        let look = PaintOptions { glyphs, density: 2, last: Some("b1"), ..PaintOptions::default() };
        format!("\n{}", game.paint(&look).to_text())
    };
    assert_eq!(
        shown(Glyphs::Unicode),
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
        shown(Glyphs::Ascii),
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
fn every_place_of_the_large_board_means_its_cell_or_the_nearest() {
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
                let of = |spot: &Spot| spot.x.abs_diff(x) + 2 * spot.y.abs_diff(y);
                let least = canvas.spots().iter().map(of).min();
                let glyph = canvas.at(x, y).0;
                match (canvas.hit(x, y), within) {
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
fn every_roomy_place_means_the_nearest_cell() {
    for size in [1, 2, 5, 11] {
        let game = Hex::new(size, SwapRule::On).unwrap();
        let canvas = game.paint(&PaintOptions { density: 1, ..PaintOptions::default() });
        let (width, height) = game.board_sizes()[1];
        let centre = |row: usize, col: usize| (5 + 2 * row + 4 * col, 2 + 2 * row);
        for y in 1..height - 1 {
            for x in 0..width {
                let Some(hit) = canvas.hit(x, y) else { continue };
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
            assert_eq!(canvas.hit(spot.x, spot.y), Some(spot.text.as_str()));
        }
        assert!(canvas.hit(3, 2).is_some() && canvas.hit(4, 1).is_some(), "lines count");
        assert_eq!(canvas.hit(0, 2), None, "numbers do not");
        assert_eq!(canvas.hit(5, 0), None, "nor do letters");
    }
}

#[test]
fn links_and_ways_of_both_sides_have_signs_and_an_entered_link_calls_for_the_other_cell() {
    let game = after(5, SwapRule::Off, "b2 e1 c2 e2 b4");
    let look =
        PaintOptions { glyphs: Glyphs::Ascii, ways: true, last: Some("b4"), ..PaintOptions::default() };
    assert_eq!(
        drawn(&game.paint(&look)),
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
        Paint::path_overlay_label(&game, Glyphs::Ascii).unwrap(),
        "Bridges + Red, - Blue; still needed r Red, b Blue, & both"
    );
    let cut = after(5, SwapRule::Off, "b2 e1 c2 e2 b4 a5");
    let look = PaintOptions { glyphs: Glyphs::Ascii, last: Some("a5"), ..PaintOptions::default() };
    assert_eq!(cut.paint(&look).row(6), "     5 \\(O)! . . . \\ 5");
    let canvas = cut.paint(&look);
    assert_eq!(canvas.hit(canvas.row(6).find('!').unwrap(), 6), Some("b5"));
}

/// Returns the signs of First's bridges and path, of Second's, and of both sides' in common.
fn way_signs(glyphs: Glyphs) -> ([char; 2], [char; 2], char) {
    match glyphs {
        Glyphs::Unicode => (['+', '•'], ['-', '◦'], '◊'),
        Glyphs::Narrow => (['+', '▪'], ['-', '▫'], '◊'),
        Glyphs::Ascii => (['+', 'r'], ['-', 'b'], '&'),
    }
}

#[test]
fn whose_links_and_ways_cells_are_is_told_by_their_signs() {
    let mut generator = stream(45, 0);
    let mut counts = [0; 3];
    for size in [5, 9, 11] {
        for glyphs in SETS {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            while game.outcome().is_none() {
                let links = Side::each(|side| game.safe_links(side));
                let ways = Side::each(|side| game.shortest_way(side));
                let density = usize::from(game.count() % 2 == 1);
                let canvas = game.paint(&PaintOptions { glyphs, density, ways: true, ..Default::default() });
                let (firsts, seconds, both) = way_signs(glyphs);
                for (cell, spot) in game.grid().cells().zip(canvas.spots()) {
                    let is_of = Side::each(|side| {
                        let i = side.index();
                        links[i].contains(&cell) || ways[i].contains(&cell)
                    });
                    let (glyph, role) = canvas.at(spot.x, spot.y);
                    let seen =
                        [firsts.contains(&glyph) || glyph == both, seconds.contains(&glyph) || glyph == both];
                    assert_eq!(seen, is_of, "{}", canvas.to_text());
                    let expected = match is_of {
                        [false, false] => continue,
                        [true, false] => Role::First,
                        [false, true] => Role::Second,
                        [true, true] => Role::Path,
                    };
                    assert_eq!(role, expected);
                    counts[usize::from(is_of[1]) + usize::from(is_of == [true, true])] += 1;
                }
                let free: Vec<_> = game.empty().collect();
                game.make(free[generator.random_range(0..free.len())].into());
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn edges_have_the_colour_of_their_owners() {
    let game = Hex::new(4, SwapRule::On).unwrap();
    let roles = |density| -> Vec<String> {
        let canvas = game.paint(&PaintOptions { density, glyphs: Glyphs::Ascii, ..PaintOptions::default() });
        let letter = |x, y| match canvas.at(x, y) {
            (' ', _) => ' ',
            (_, Role::First) => 'R',
            (_, Role::Second) => 'B',
            (_, Role::Frame) => '.',
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
    let game = after(3, SwapRule::Off, "a1 c1 b1 b2 a2 a3");
    for density in 0..3 {
        let canvas = game.paint(&PaintOptions { density, last: Some("a3"), ..PaintOptions::default() });
        let won = canvas.spots().iter().filter(|spot| ["c1", "b2", "a3"].contains(&spot.text.as_str()));
        for spot in won {
            for x in spot.x - 1..=spot.x + 1 {
                assert_eq!(canvas.at(x, spot.y).1, Role::SecondWon, "{}", spot.text);
            }
        }
        let last = canvas.find("a3").unwrap();
        let away = if density == 2 { 3 } else { 1 };
        let marks = [last.x - away, last.x, last.x + away].map(|x| canvas.at(x, last.y).0);
        assert_eq!(marks, ['(', '◎', ')'], "the marks stay");
        let roles = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        let count = roles.filter(|&(x, y)| canvas.at(x, y).1 == Role::SecondWon).count();
        assert_eq!(count, if density == 2 { 33 } else { 9 }, "all of large stones");
    }
}

/// Asked for by the sequence that terminals with a clipboard know.
#[test]
fn the_link_is_copied_where_the_terminal_can() {
    let mut terminal = crosspath(&["--mode", "2", "--game", "hex", "--size", "5"]);
    terminal.expect(said!("to-move-2", "Red"));
    terminal.send("b2\r:link\r");
    terminal.expect("https://hexworld.org/board/#5c1,b2");
    terminal.settle();
    let copied = terminal.raw().split("\u{1b}]52;c;").nth(1).expect("the sequence");
    assert!(copied.starts_with("aHR0cHM6Ly9oZXh3b3JsZC5vcmcvYm9hcmQvIzVj"), "{copied}");
    terminal.send("\u{1b}q");
    is_given_back(terminal, 0);
}
