//! Pictures of tic-tac-toe boards, decoded from their characters.

use std::collections::BTreeSet;

use crosspath::canvas::{Canvas, GlyphSet, PaintOptions, PaintRole};
use crosspath::game::Side;
use crosspath::random::random_stream;

use rand::RngExt;

use crate::tui_harness::history;

/// Cell sizes by density: columns and rows including the grid lines, and distances of the marks
/// from the centre.
const CELLS: [(usize, usize, [usize; 2]); 9] = [
    (2, 1, [1, 1]),
    (4, 2, [1, 1]),
    (7, 3, [2, 3]),
    (8, 4, [3, 3]),
    (10, 4, [3, 3]),
    (14, 6, [5, 5]),
    (18, 8, [7, 7]),
    (22, 10, [9, 9]),
    (26, 12, [11, 11]),
];

/// Returns the piece on a cell and its marks, decoded from the characters.
fn decode(canvas: &Canvas, x: usize, y: usize, density: usize) -> (char, String) {
    let at = |x: usize| canvas.glyph_at(x, y).0;
    let [left, right] = CELLS[density].2;
    let edge = at(x - [1, 1, 1, 2, 2, 4, 6, 8, 10][density]);
    let stone = match (density, edge, at(x)) {
        (0 | 1, _, 'X') | (2, ' ', '╲' | '\\') | (3.., _, '╳' | 'X') => 'X',
        (0 | 1, _, 'O') | (2, '╭' | '.', '─' | '-') | (3.., '│' | '|', ' ') => 'O',
        _ => ' ',
    };
    (stone, [at(x - left), at(x + right)].iter().collect())
}

#[test]
fn every_drawing_shows_the_whole_position() {
    let mut chance = random_stream(7, 1);
    let games = |size: usize| match size {
        3 | 4 => 200,
        10 => 50, // large boards have many positions
        _ => 10,
    };
    let mut all_glyphs = [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii].into_iter().cycle();
    for size in (1..=10).flat_map(|size| std::iter::repeat_n(size, games(size))) {
        let glyphs = all_glyphs.next().expect("a circle");
        let mut game = history("tic-tac-toe", &format!("size={size}"), "");
        // The largest drawings are alike and slow to decode.
        let densities = if size <= 4 && chance.random_range(0..20) == 0 { CELLS.len() } else { 6 };
        while game.outcome().is_none() {
            let legal = game.legal_moves();
            game.play(&legal[chance.random_range(0..legal.len())]).unwrap();
            let sides: [BTreeSet<String>; 2] =
                Side::map_both(|side| game.view().list_pieces(side).into_iter().collect());
            let last = game.last_move().unwrap();
            let cursor = game.legal_moves().first().cloned().unwrap_or_else(|| last.clone());
            for (density, (width, height)) in
                game.as_paint().board_sizes().into_iter().enumerate().take(densities)
            {
                let look = PaintOptions { glyphs, density, cursor: Some(&cursor), ..PaintOptions::default() };
                let canvas = game.paint_board(look);
                assert_eq!((canvas.width(), canvas.height()), (width, height));
                for spot in canvas.spots() {
                    let (stone, marks) = decode(&canvas, spot.x, spot.y, density);
                    let is_of = |side: usize| sides[side].contains(&spot.text);
                    let expected = if is_of(0) {
                        'X'
                    } else if is_of(1) {
                        'O'
                    } else {
                        ' '
                    };
                    assert_eq!(stone, expected, "{}\n{}", spot.text, canvas.to_text());
                    assert_eq!(marks.starts_with('['), spot.text == cursor, "{}", canvas.to_text());
                    let is_last = marks.ends_with(')') && (marks.starts_with(['(', '*']));
                    // Marks share a column in the smallest drawing, where those of a winning line
                    // hide the last move.
                    // The cursor covers that mark.
                    let has_neighbour = density == 0 || marks.ends_with('*') || last == cursor;
                    assert!(has_neighbour || is_last == (spot.text == last), "{}", canvas.to_text());
                }
            }
        }
    }
}

#[test]
fn a_large_o_is_about_as_wide_as_high() {
    let game = history("tic-tac-toe", "size=3", "b2 a1");
    for density in 3..CELLS.len() {
        let canvas = game.paint_board(PaintOptions { density, ..PaintOptions::default() });
        let all = (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (x, y)));
        let drawn: Vec<(usize, usize)> = all
            .filter(|&(x, y)| canvas.glyph_at(x, y).1 == PaintRole::Second && canvas.glyph_at(x, y).0 != ' ')
            .collect();
        let span = |of: fn(&(usize, usize)) -> usize| {
            1 + drawn.iter().map(of).max().unwrap() - drawn.iter().map(of).min().unwrap()
        };
        let (width, height) = (span(|at| at.0), span(|at| at.1));
        assert_eq!(width, 2 * height - 1, "a character is twice as high as wide: {}", canvas.to_text());
        assert_eq!(
            canvas.contains_glyph('╱') && height > 3,
            drawn.iter().any(|&(x, y)| canvas.glyph_at(x, y).0 == '╲')
        );
    }
}

#[test]
fn cells_are_drawn_in_nine_sizes_on_every_board() {
    for size in 1..=10 {
        let game = history("tic-tac-toe", &format!("size={size}"), "");
        let sizes = CELLS.iter().enumerate().map(|(density, &(across, down, _))| match density {
            0 => (4 + 2 * size, size + 1),
            _ => (3 + across * size + 1, down * size + 1),
        });
        assert_eq!(game.as_paint().board_sizes(), sizes.collect::<Vec<_>>());
    }
}

#[test]
fn marks_scale_with_their_cells() {
    let drawn = |density, glyphs| {
        let game = history("tic-tac-toe", "size=2 win-length=2", "a1 b1");
        game.paint_board(PaintOptions { density, glyphs, cursor: Some("a2"), ..PaintOptions::default() })
            .to_text()
    };
    assert_eq!(
        format!("\n{}", drawn(2, GlyphSet::Unicode)),
        "
   ┌──a───┬──b───┐
 1 │  ╲╱  │(╭──╮)│
   │  ╱╲  │ ╰──╯ │
   ├──────┼──────┤
 2 │[    ]│      │
   │      │      │
   └──────┴──────┘
"
    );
    assert_eq!(
        format!("\n{}", drawn(3, GlyphSet::Ascii)),
        "
   +---a---+---b---+
   |  \\ /  | .---. |
 1 |   X   |(|   |)|
   |  / \\  | '---' |
   +-------+-------+
   |       |       |
 2 |[     ]|       |
   |       |       |
   +-------+-------+
"
    );
}

#[test]
fn a_small_board_fills_a_large_window() {
    for (size, across) in [((80, 24), 13), ((100, 35), 21), ((160, 50), 25)] {
        let rig = crate::tui_harness::Rig::two("tic-tac-toe", "size=3", "b2", size);
        let picture = rig.picture();
        let border = picture.lines().find(|row| row.contains('┬')).unwrap();
        let border = border
            .rsplit_once('┌')
            .filter(|(_, row)| row.contains('┬'))
            .or(border.split_once('┌'))
            .unwrap()
            .1;
        assert_eq!(border.split('┬').next().unwrap().chars().count(), across, "{picture}");
        assert!(picture.contains('╳'), "{picture}");
    }
}

#[test]
fn a_large_winning_line_is_filled_and_shows_the_last_move() {
    let game = history("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3");
    for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
        for (density, &(across, down, _)) in CELLS.iter().enumerate().skip(1) {
            let canvas = game.paint_board(PaintOptions { glyphs, density, ..PaintOptions::default() });
            let filled = (1..down).flat_map(|y| (4..3 + across).map(move |x| (x, y)));
            for (x, y) in filled {
                assert_eq!(canvas.glyph_at(x, y).1, PaintRole::FirstWon, "{x} {y}\n{}", canvas.to_text());
            }
            let last = canvas.find_spot("a3").unwrap();
            let row = canvas.row_text(last.y);
            let is_marked = row.contains("(*") && row.contains("*)");
            assert_eq!(is_marked, down >= 4 && across != 8, "{density}\n{}", canvas.to_text());
            assert_eq!(canvas.contains_glyph('('), is_marked, "{}", canvas.to_text());
        }
    }
}

#[test]
fn every_cell_of_the_winning_line_is_marked_on_both_sides() {
    let games = [
        ("size=3", "a1 b1 a2 b2 a3", "a1 a2 a3"),
        ("size=3", "a1 a2 b1 b2 c1", "a1 b1 c1"),
        ("size=4", "a4 a1 b3 b1 c2 c1 d1", "d1 c2 b3 a4"),
        ("size=1", "a1", "a1"),
        ("size=6 win-length=4", "b2 a1 c3 a2 e5 a3 d4", "b2 c3 d4 e5"),
    ];
    for (settings, moves, line) in games {
        let game = history("tic-tac-toe", settings, moves);
        assert!(game.outcome().is_some(), "{moves}");
        let line: BTreeSet<&str> = line.split(' ').collect();
        for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
            for (density, &(_, _, [left, _])) in CELLS.iter().enumerate() {
                let canvas = game.paint_board(PaintOptions { glyphs, density, ..PaintOptions::default() });
                for spot in canvas.spots() {
                    let (stone, marks) = decode(&canvas, spot.x, spot.y, density);
                    if line.contains(spot.text.as_str()) {
                        assert_eq!((stone, marks.as_str()), ('X', "**"), "{}", canvas.to_text());
                        assert_eq!(canvas.glyph_at(spot.x - left, spot.y).1, PaintRole::FirstWon);
                    } else {
                        assert!(!marks.contains(['(', ')']), "{}", canvas.to_text());
                    }
                }
            }
        }
    }
}
