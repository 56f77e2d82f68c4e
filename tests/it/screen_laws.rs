//! Laws for every page of the full screen, at every size and with every glyph set.

use crosspath::canvas::GlyphSet;
use crosspath::play::Match;
use crosspath::ui::tui::layout_in_lines;

use crate::screens::{SIZES, board, pages};
use crate::tui_harness::Rig;

/// Splits a picture into its rows and the cursor position.
fn rows_and_cursor(picture: &str) -> (Vec<String>, (u16, u16)) {
    let (rows, cursor) = picture.rsplit_once("\ncursor ").unwrap();
    let (x, y) = cursor.trim().split_once(' ').unwrap();
    (rows.split('\n').map(str::to_owned).collect(), (x.parse().unwrap(), y.parse().unwrap()))
}

/// Runs a check for every page, glyph set and window size.
fn for_every_page(check: impl Fn(&str, &Rig)) {
    for glyphs in [GlyphSet::Unicode, GlyphSet::Narrow, GlyphSet::Ascii] {
        for size in SIZES.into_iter().chain([(160, 50), (41, 24), (64, 20)]) {
            for (name, state) in pages(glyphs, size) {
                check(&format!("{name} at {}x{} {glyphs:?}", size.0, size.1), &state);
            }
        }
    }
}

#[test]
fn every_page_uses_its_glyph_set_and_keeps_the_cursor_in_the_window() {
    for_every_page(|name, state| {
        let picture = state.picture();
        assert!(picture.is_ascii() || state.screen.looks.glyphs != GlyphSet::Ascii, "{name}:\n{picture}");
        let (rows, (x, y)) = rows_and_cursor(&picture);
        let (width, height) = state.screen.size;
        assert!(x < width && y < height, "{name}: the cursor is at {x} {y}");
        if state.screen.page().is_some() {
            return;
        }
        let shown = state.game.as_ref().map(Match::shown_position);
        let has_title =
            shown.is_none_or(|shown| layout_in_lines(&**shown, state.screen.size).density.is_some());
        assert_eq!(!rows[0].trim().is_empty(), has_title, "{name}: the title\n{picture}");
    });
}

#[test]
fn the_side_to_move_is_always_named() {
    for_every_page(|name, state| {
        let Some(position) = state.game.as_ref().map(Match::shown_position) else { return };
        if position.outcome().is_none() && state.screen.page().is_none() {
            let (side, picture) = (position.side_name(position.to_move()), state.picture());
            assert!(picture.contains(*side), "{name}: {side} is not named\n{picture}");
        }
    });
}

/// The board is drawn completely: lines, labels and pieces are where the layout puts them. Only
/// empty places may have marks.
#[test]
fn a_board_is_drawn_whole_or_not_at_all() {
    let is_mark = |c: char| " ·∙._!()[]<>123".contains(c);
    for_every_page(|name, state| {
        // A page covers the board, and a wall preview covers its lines.
        let is_other = state.screen.page().is_some() || name.starts_with("wall-");
        let scene = state.scene();
        let (Some(shown), false) = (scene.shown_position(), is_other) else { return };
        let places = layout_in_lines(shown, state.screen.size);
        let (rows, _) = rows_and_cursor(&state.picture());
        let Some(canvas) = places.density.and_then(|density| scene.paint_board(density)) else { return };
        let (left, top) = (usize::from(places.board.x), usize::from(places.board.y));
        for y in 0..canvas.height() {
            let row: Vec<char> = rows[top + y].chars().skip(left).collect();
            for x in 0..canvas.width() {
                let (wanted, drawn) = (canvas.glyph_at(x, y).0, row.get(x).copied().unwrap_or(' '));
                let is_same = drawn == wanted || is_mark(drawn) || is_mark(wanted);
                assert!(is_same, "{name}: {drawn:?} for {wanted:?} at {x} {y}\n{}", state.picture());
            }
        }
    });
}

/// A window without room for the board names a sufficient size.
#[test]
fn a_too_small_window_names_a_sufficient_size() {
    let mut checked = 0;
    for glyphs in [GlyphSet::Unicode, GlyphSet::Ascii] {
        for (width, height) in [(40, 12), (34, 11), (30, 10), (24, 8), (60, 10)] {
            for (game, settings) in [("tic-tac-toe", "size=10"), ("hex", "size=11"), ("quoridor", "size=9")] {
                let mut state = board(game, settings, "", glyphs, (width, height));
                if layout_in_lines(state.scene().shown_position().unwrap(), (width, height)).density.is_some()
                {
                    continue;
                }
                let picture = state.picture();
                let words: Vec<&str> =
                    picture.split(|c: char| !c.is_ascii_digit() && c != '×' && c != 'x').collect();
                let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
                let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
                let sizes = words.windows(3).filter(|three| {
                    is_number(three[0]) && ["×", "x"].contains(&three[1]) && is_number(three[2])
                });
                let sizes: Vec<(u16, u16)> =
                    sizes.map(|three| (three[0].parse().unwrap(), three[2].parse().unwrap())).collect();
                assert_eq!(sizes.first(), Some(&(width, height)), "{game}: its own size\n{picture}");
                let needed = *sizes.get(1).unwrap_or_else(|| panic!("{game}: no needed size\n{picture}"));
                state.screen.size = needed;
                let roomy = layout_in_lines(state.scene().shown_position().unwrap(), needed);
                assert!(roomy.density.is_some(), "{game}: {needed:?} is too small\n{picture}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 10, "only {checked} windows were too small");
}
