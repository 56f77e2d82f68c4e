//! The layout in windows of all sizes: the board, the panels, the rows around them and the parts of
//! the title.

use crosspath::ai::EngineKind;
use crosspath::canvas::GlyphSet;
use crosspath::play::{AfterGameEnd, GameMode, HumanSideChoice, MatchRules, NewGame};
use crosspath::registry::GAMES;
use crosspath::ui::tui::layout_in_window;
use crossterm::event::KeyCode;
use ratatui_core::layout::Rect;

use crate::tui_harness::{Rig, history, report, spec};

/// Returns the sizes of all tested windows.
fn tested_windows() -> impl Iterator<Item = (u16, u16)> {
    let widths = || [40, 41, 47, 55, 60, 67, 80, 92, 100, 120, 140, 160, 177, 200].into_iter();
    [12, 17, 20, 24, 29, 35, 41, 50, 60]
        .into_iter()
        .flat_map(move |height| widths().map(move |width| (width, height)))
}

#[test]
fn no_two_parts_of_the_screen_overlap() {
    let (mut beside, mut below) = (0, 0);
    for entry in GAMES {
        for size in 1..=26 {
            let Ok(history) =
                entry.new_history(&crosspath::registry::Variant::parse(&format!("size={size}")))
            else {
                continue;
            };
            let position = &*history;
            for (window, has_tiles) in tested_windows().flat_map(|window| [(window, false), (window, true)]) {
                let places = layout_in_window(position, window, has_tiles);
                let what = format!("{} {size} at {window:?}: {places:?}", entry.name);
                let all = Rect { x: 0, y: 0, width: window.0, height: window.1 };
                if places.density.is_none() {
                    assert_eq!(places.panel, None, "{what}");
                    continue;
                }
                let mut parts = vec![places.title, places.board, places.status, places.bar];
                parts.extend(places.panel);
                for (i, one) in parts.iter().enumerate() {
                    assert_eq!(one.intersection(all), *one, "{what}");
                    assert!(!one.is_empty(), "{what}");
                    assert!(parts[..i].iter().all(|other| !one.intersects(*other)), "{what}");
                }
                // The row below the board may overlap only the last row of the panels beside it.
                if let Some(row) = places.below_board {
                    assert!(
                        [places.title, places.board, places.status].iter().all(|part| !row.intersects(*part)),
                        "{what}"
                    );
                    assert!(places.panel.is_none_or(|panel| panel.bottom() <= row.bottom()), "{what}");
                }
                if let Some(panel) = places.panel {
                    let is_beside = panel.x > places.board.right() - 1;
                    let is_below = panel.y >= places.board.bottom();
                    assert!(is_beside != is_below, "{what}");
                    (beside, below) = (beside + usize::from(is_beside), below + usize::from(is_below));
                    // Board and panels are centred together.
                    let (left, right) =
                        (places.board.x.min(panel.x), places.board.right().max(panel.right()));
                    assert!(left.abs_diff(window.0 - right) <= 2, "{what}");
                }
            }
        }
    }
    assert!(beside > 1000 && below > 100, "{beside} beside, {below} below");
}

/// Returns the top left corners of all frames with the first words of their headings, from top to
/// bottom. Every frame must be complete.
fn frames(rig: &Rig) -> Vec<(usize, usize, String)> {
    let picture = rig.picture();
    let rows: Vec<Vec<char>> = picture.lines().map(|row| row.chars().collect()).collect();
    let at = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ');
    let mut frames = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        for x in 0..row.len() {
            // A frame has a heading; a board has none.
            if !(at(x, y) == '┌' && at(x + 1, y) == '─' && at(x + 2, y) == ' ') {
                continue;
            }
            let right = (x..row.len())
                .find(|&x| at(x, y) == '┐')
                .unwrap_or_else(|| panic!("no corner in\n{picture}"));
            let bottom = (y + 1..rows.len()).find(|&y| at(x, y) != '│').unwrap();
            assert_eq!((at(x, bottom), at(right, bottom)), ('└', '┘'), "{x} {y} in\n{picture}");
            assert!((y + 1..bottom).all(|y| at(right, y) == '│'), "{x} {y} in\n{picture}");
            let heading: String =
                row[x + 3..right].iter().take_while(|sign| sign.is_alphanumeric()).collect();
            // The engine panel has another heading while it explains the engine's move.
            let heading = if heading == "How" { "Engine".to_owned() } else { heading };
            frames.push((x, y, heading));
        }
    }
    frames
}

const GAMES_PLAYED: [(&str, &str, &str); 4] = [
    ("tic-tac-toe", "size=3", "b2 a1 c3 a3 a2 c2"),
    ("tic-tac-toe", "size=10", "e5 f6 e6 e4 d5 f5 f4 g3 d7 c8 g5 c5 b2 h8"),
    ("hex", "size=11 swap=off", "c2 f6 d9 d8 g7 f4 e8 e5 h4 b9 c8 c9 b10 d5 c5 d4"),
    ("quoridor", "size=9", "e2 e8 e3 e7 e4 e6 d6h e3v b6h g4h e3 e5 e2 d5 e3 c5"),
];

#[test]
fn panels_keep_their_places_during_a_game() {
    const ORDER: [&str; 9] =
        ["Walls", "Stones", "Open", "Moves", "Engine", "Value", "win", "Legend", "Score"];
    let rank = |heading: &str| ORDER.iter().position(|start| heading.starts_with(start));
    let mut seen = 0;
    for (game, settings, moves) in GAMES_PLAYED {
        for size in [(80, 24), (100, 35), (160, 50), (60, 50), (80, 50), (200, 60)] {
            for studies in [false, true] {
                let spec = NewGame {
                    level: Some(EngineKind::Level(4)),
                    play_as: HumanSideChoice::First,
                    ..spec(game, settings, GameMode::HumanMachine)
                };
                let rules = MatchRules { after_end: AfterGameEnd::Stay, ..MatchRules::default() };
                let mut rig = Rig::new(rules, spec, None, GlyphSet::Unicode, size);
                if studies {
                    rig.act(KeyCode::Char('v'));
                }
                let first = frames(&rig);
                for text in moves.split_whitespace() {
                    if rig.game().game().is_humans_turn() {
                        rig.say(text);
                        rig.think(&report());
                    } else {
                        rig.answer(text, report());
                    }
                    let now = frames(&rig);
                    assert_eq!(
                        now,
                        first,
                        "{game} at {size:?} after {text}, analysis {studies}\n{}",
                        rig.picture()
                    );
                    seen += now.len();
                }
                let ranks: Vec<_> = first.iter().map(|(_, _, heading)| rank(heading)).collect();
                assert!(ranks.iter().all(Option::is_some) && ranks.is_sorted(), "{first:?}");
                assert!(first.iter().all(|frame| frame.0 == first[0].0), "one column: {first:?}");
            }
        }
    }
    assert!(seen > 500, "{seen} frames");
}

/// Returns the title in windows of these widths.
fn titles(rig: &mut Rig, widths: impl Iterator<Item = u16>) -> Vec<(u16, String)> {
    let title = |width: u16| {
        rig.screen.size = (width, 35);
        (width, rig.picture().lines().next().unwrap_or_default().to_owned())
    };
    widths.map(title).collect()
}

/// Checks that every wider window still shows each of these texts.
fn assert_kept_when_wider(titles: &[(u16, String)], texts: &[&str]) {
    for text in texts {
        let has: Vec<bool> = titles.iter().map(|(_, title)| title.contains(text)).collect();
        assert!(has.is_sorted() && has.last() == Some(&true), "{text}: {titles:#?}");
    }
}

const KEYS: &str = "? help  q quit";

fn game_against(level: Option<EngineKind>, moves: &str) -> Rig {
    let play_as = HumanSideChoice::from(history("hex", "size=5 swap=off", moves).to_move());
    let mut rig = Rig::of(
        NewGame { level, play_as, ..spec("hex", "size=5 swap=off", GameMode::HumanMachine) },
        (80, 24),
    );
    rig.moves(moves);
    rig
}

#[test]
fn the_title_has_three_parts_and_a_narrow_window_drops_the_keys_first() {
    let mut rig = game_against(Some(EngineKind::Level(2)), "b2 c3");
    let titles = titles(&mut rig, 40..=200);
    assert_kept_when_wider(
        &titles,
        &["Hex 5×5 · move 3: Red", "You", "Level 2", "Level 2, novice", "● Red   vs   ○ Blue", KEYS],
    );
    let [short, level, keys, names] =
        ["Level 2", "Level 2, novice", KEYS, "You ● Red   vs   ○ Blue Level 2, novice"]
            .map(|text| titles.iter().find(|(_, title)| title.contains(text)).unwrap().0);
    assert!(short <= level && level < keys && keys < names && keys <= 80 && names <= 100, "{titles:#?}");
    for (width, title) in &titles {
        assert!(title.starts_with(" Hex 5×5 · move 3: Red"), "{title}");
        assert!(
            !title.contains("help")
                || title.ends_with(KEYS) && title.chars().count() + 1 == usize::from(*width),
            "{title}"
        );
        assert!(!title.contains('…') && !title.contains("novic ") && !title.ends_with("Leve"), "{title}");
        // The parts are separated by spaces.
        let parts: Vec<&str> = title.split("   ").filter(|part| !part.trim().is_empty()).collect();
        assert!((1..=5).contains(&parts.len()), "{title}");
    }
    let find = |width| &titles.iter().find(|(other, _)| *other == width).unwrap().1;
    assert_eq!(find(40), " Hex 5×5 · move 3: Red   You ● Red");
    assert_eq!(find(60), " Hex 5×5 · move 3: Red   You ● vs ○ Level 2, novice");
    assert_eq!(find(80), " Hex 5×5 · move 3: Red   You ● Red  vs  ○ Blue Level 2, novice   ? help  q quit");
    assert!(find(100).contains("You ● Red   vs   ○ Blue Level 2, novice") && find(100).ends_with(KEYS));
    // In a wide window the players are centred.
    let wide: Vec<char> = find(160).chars().collect();
    let from = wide.iter().collect::<String>().split("You").next().unwrap().chars().count();
    assert_eq!(from, (160 - "You ● Red   vs   ○ Blue Level 2, novice".chars().count()) / 2);
}

#[test]
fn the_title_is_right_in_games_of_all_kinds() {
    let title = |rig: &mut Rig, width| titles(rig, width..=width).remove(0).1;
    let has = |rig: &mut Rig, expected: &[&str], others: &[&str]| {
        for width in 40..=200 {
            let title = title(rig, width);
            assert!(others.iter().all(|text| !title.contains(text)), "{others:?} at {width}: {title}");
        }
        let wide = title(rig, 160);
        assert!(expected.iter().all(|text| wide.contains(text)), "{expected:?}: {wide}");
    };
    // 1. You are second
    has(
        &mut game_against(Some(EngineKind::Level(4)), "b2"),
        &["move 2: Blue", "Level 4, improver ● Red   vs   ○ Blue You"],
        &["You ●"],
    );
    // 2. Two people
    has(&mut Rig::two("hex", "size=5", "b2", (80, 24)), &["● Red   vs   ○ Blue "], &["You", "Level"]);
    // 3. Two engines
    let both = NewGame { level: Some(EngineKind::Level(3)), ..spec("hex", "size=5", GameMode::Machines) };
    has(&mut Rig::of(both, (80, 24)), &["Level 3, casual ● Red   vs   ○ Blue Level 3, casual"], &["You"]);
    // 4. A game from a file, with names and without
    let mut replay = Rig::replay("hex", "size=5", "b2 c3", GlyphSet::Unicode, (80, 24));
    has(&mut replay, &["Hex 5×5 · move 0 of 2", "replay of game.txt"], &["You", "Level", " vs "]);
    // 5. A finished game
    let mut over = Rig::two("tic-tac-toe", "size=3", "a1 b1 a2 b2 a3", (80, 24));
    has(&mut over, &["Tic-tac-toe 3×3 · over after 5 moves", "X   vs   O"], &[": X", ": O", "to move"]);
    // 6. An earlier position
    let mut looking = Rig::two("hex", "size=5", "b2 c3 d4", (80, 24));
    looking.say("goto 1");
    has(&mut looking, &["showing move 1 of 3"], &["move 4", ": Red", ": Blue"]);
    // 7. While you type, keys are not bound to actions
    let mut typed = game_against(Some(EngineKind::Level(2)), "b2 c3");
    typed.typed(":wh");
    has(&mut typed, &["You ● Red   vs   ○ Blue Level 2, novice"], &["help", "quit"]);
}

#[test]
fn titles_of_the_menu_and_the_rules_keep_their_parts() {
    let mut menu = Rig::menu(GlyphSet::Unicode, (100, 35));
    let all = titles(&mut menu, 40..=160);
    assert_kept_when_wider(&all, &["crosspath", "Tic-tac-toe · Hex · Quoridor", KEYS]);
    menu.press(KeyCode::Char('i'));
    let all = titles(&mut menu, 40..=160);
    assert_kept_when_wider(&all, &["Tic-tac-toe: rules"]);
}
