//! Pictures of tic-tac-toe, read back from their characters.

use std::collections::BTreeSet;

use crosspath::canvas::{Canvas, Glyphs, PaintOptions};
use crosspath::game::Side;
use crosspath::random::stream;

use rand::RngExt;

use crate::rig::history;

/// What stands on a cell and what is marked, read from the bare characters.
fn decode(canvas: &Canvas, x: usize, y: usize, is_big: bool) -> (char, String) {
    let at = |x: usize| canvas.at(x, y).0;
    let away = if is_big { 3 } else { 1 };
    let is_drawn_o = is_big && ['│', '|'].contains(&at(x - 1));
    let stone = match at(x) {
        '╳' | 'X' => 'X',
        'O' => 'O',
        _ if is_drawn_o => 'O',
        _ => ' ',
    };
    (stone, [at(x - away), at(x + away)].iter().collect())
}

#[test]
fn every_drawing_of_tic_tac_toe_tells_the_whole_position() {
    let mut chance = stream(7, 1);
    let games = |size: usize| match size {
        3 | 4 => 200,
        10 => 50, // each has a hundred positions
        _ => 10,
    };
    for size in (1..=10).flat_map(|size| std::iter::repeat_n(size, games(size))) {
        for glyphs in [Glyphs::Unicode, Glyphs::Narrow, Glyphs::Ascii] {
            let mut game = history("tic-tac-toe", &format!("size={size}"), "");
            while game.outcome().is_none() {
                let legal = game.legal();
                game.play(&legal[chance.random_range(0..legal.len())]).unwrap();
                let sides: [BTreeSet<String>; 2] =
                    Side::each(|side| game.view().pieces(side).into_iter().collect());
                let last = game.last().unwrap();
                let cursor = game.legal().first().cloned().unwrap_or_else(|| last.clone());
                for (density, (width, height)) in game.drawn().board_sizes().into_iter().enumerate() {
                    let look =
                        PaintOptions { glyphs, density, cursor: Some(&cursor), ..PaintOptions::default() };
                    let canvas = game.canvas(look);
                    assert_eq!((canvas.width(), canvas.height()), (width, height));
                    for spot in canvas.spots() {
                        let (stone, marks) = decode(&canvas, spot.x, spot.y, density == 2);
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
                        let is_last = marks.ends_with(')') && (marks.starts_with(['(', '[', '*']));
                        let has_neighbour = density == 0; // marks share a column there
                        assert!(has_neighbour || is_last == (spot.text == last), "{}", canvas.to_text());
                    }
                }
            }
        }
    }
}
