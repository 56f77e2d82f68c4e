//! Tic-tac-toe compared with published counts, stored games and the line tests of `Grid`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crosspath::ai::minimax::{Minimax, TieBreak, WinDistance, moves_with_best_value};
use crosspath::ai::{
    Engine, EngineConfig, EngineKind, GameHistory, Limits, SearchBudget, SearchControl,
    tictactoe::tictactoe_levels,
};
use crosspath::game::{Game, Notation, Outcome, Side, perft};
use crosspath::games::tictactoe::{Cell, TicTacToe};
use crosspath::random::random_stream;
use rand::RngExt;

use crate::sentences::said;

fn legal(game: &TicTacToe) -> Vec<Cell> {
    let mut moves = Vec::new();
    game.push_legal_moves(&mut moves);
    moves
}

fn after(size: usize, moves: &str) -> TicTacToe {
    let mut game = TicTacToe::new(size).unwrap();
    for text in moves.split_whitespace() {
        let cell = game.parse(text).unwrap();
        game.try_make_move(cell).unwrap();
    }
    game
}

/// Returns every position reachable from the empty board once.
fn all_positions(size: usize) -> Vec<TicTacToe> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![TicTacToe::new(size).unwrap()];
    let mut all = Vec::new();
    while let Some(game) = todo.pop() {
        if !seen.insert((game.stones(Side::First), game.stones(Side::Second))) {
            continue;
        }
        for cell in legal(&game) {
            let mut next = game.clone();
            next.make_move(cell);
            todo.push(next);
        }
        all.push(game);
    }
    all
}

/// Returns the smallest of the eight symmetric images of a position.
fn normal_form(game: &TicTacToe) -> (u128, u128) {
    let n = game.size();
    let image = |mask: u128, symmetry: usize| -> u128 {
        crosspath::games::tictactoe::cells_in_mask(mask)
            .map(|cell| {
                let (mut r, mut c) = (cell.index() / n, cell.index() % n);
                if symmetry & 1 != 0 {
                    (r, c) = (c, r);
                }
                if symmetry & 2 != 0 {
                    r = n - 1 - r;
                }
                if symmetry & 4 != 0 {
                    c = n - 1 - c;
                }
                1 << (r * n + c)
            })
            .sum()
    };
    let stones = (game.stones(Side::First), game.stones(Side::Second));
    (0..8).map(|s| (image(stones.0, s), image(stones.1, s))).min().unwrap()
}

#[test]
fn perft_equals_the_table() {
    let table = include_str!("../data/tictactoe.perft");
    let mut rows = 0;
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let (board, counts) = row.split_once(": ").unwrap();
        let (size, k) = board.split_once(' ').unwrap();
        let mut game = TicTacToe::with_win_length(size.parse().unwrap(), k.parse().unwrap()).unwrap();
        for (depth, count) in (1..).zip(counts.split(' ').map(|count| count.parse::<u64>().unwrap())) {
            if count <= 600_000 {
                assert_eq!(perft(&mut game, depth), count, "{board}, depth {depth}");
                rows += 1;
            }
        }
    }
    assert_eq!(rows, 4 + 9 + 5 + 5 + 4);
}

#[test]
#[ignore = "slow: half a billion positions; run with --release -- --ignored"]
fn perft_equals_the_whole_table() {
    for row in include_str!("../data/tictactoe.perft").lines().filter(|row| !row.starts_with('#')) {
        let (board, counts) = row.split_once(": ").unwrap();
        let (size, k) = board.split_once(' ').unwrap();
        let mut game = TicTacToe::with_win_length(size.parse().unwrap(), k.parse().unwrap()).unwrap();
        for (depth, count) in (1..).zip(counts.split(' ')) {
            assert_eq!(perft(&mut game, depth).to_string(), count, "{board}, depth {depth}");
        }
    }
}

#[test]
fn counts_of_positions_and_endings_match_published_values() {
    let published = [
        // size, positions, up to symmetry, ends won by X, by O, drawn, the same up to symmetry
        (1, 2, 2, [1, 0, 0], [1, 0, 0]),
        (2, 29, 6, [12, 0, 0], [2, 0, 0]),
        (3, 5478, 765, [626, 316, 16], [91, 44, 3]),
    ];
    for (size, positions, classes, ends, end_classes) in published {
        let all = all_positions(size);
        assert_eq!(all.len(), positions);
        let forms: BTreeMap<_, _> = all.iter().map(|game| (normal_form(game), game.outcome())).collect();
        assert_eq!(forms.len(), classes);
        let count = |outcomes: &mut dyn Iterator<Item = Option<Outcome>>| {
            let mut counts = [0; 3];
            for outcome in outcomes.flatten() {
                counts[outcome.winner().map_or(2, Side::index)] += 1;
            }
            counts
        };
        assert_eq!(count(&mut all.iter().map(Game::outcome)), ends);
        assert_eq!(count(&mut forms.values().copied()), end_classes);
    }
}

#[test]
fn counts_of_games_match_published_values() {
    fn games(game: &mut TicTacToe, counts: &mut [u64; 3]) {
        if let Some(outcome) = game.outcome() {
            counts[outcome.winner().map_or(2, Side::index)] += 1;
            return;
        }
        for cell in legal(game) {
            game.make_move(cell);
            games(game, counts);
            game.unmake_move(cell, ());
        }
    }
    for (size, published) in [(1, [1, 0, 0]), (2, [24, 0, 0]), (3, [131_184, 77_904, 46_080])] {
        let mut counts = [0; 3];
        games(&mut TicTacToe::new(size).unwrap(), &mut counts);
        assert_eq!(counts, published);
    }
}

#[test]
fn stored_games_end_exactly_at_their_last_move() {
    let mut count = 0;
    for row in include_str!("../data/ttt_games.csv").lines().skip(1) {
        let [size, result, moves] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let mut game = TicTacToe::new(size.parse().unwrap()).unwrap();
        for text in moves.split(' ') {
            assert_eq!(game.outcome(), None, "{row}");
            let cell = game.parse(text).unwrap();
            game.try_make_move(cell).unwrap();
        }
        assert_eq!(game.outcome().unwrap().to_string(), result, "{row}");
        count += 1;
    }
    assert_eq!(count, 96);
}

/// Returns the outcome by the line tests of `Grid`, like the C original.
fn outcome_by_grid(game: &TicTacToe) -> Option<Outcome> {
    let grid = game.to_grid();
    for (side, mark) in [(Side::First, 'X'), (Side::Second, 'O')] {
        let straight = (0..grid.size()).any(|i| {
            grid.is_row_filled_with(i, mark).unwrap() || grid.is_column_filled_with(i, mark).unwrap()
        });
        if straight || grid.is_main_diagonal_filled_with(mark) || grid.is_anti_diagonal_filled_with(mark) {
            return Some(Outcome::Win(side));
        }
    }
    grid.find('_').is_none().then_some(Outcome::Draw)
}

/// Returns the mask of the first full row, column or diagonal by the same tests.
fn full_line_by_grid(game: &TicTacToe, side: Side) -> Option<u128> {
    let (grid, mark, n) = (game.to_grid(), if side == Side::First { 'X' } else { 'O' }, game.size());
    let of = |cells: &mut dyn Iterator<Item = usize>| cells.fold(0, |mask, cell| mask | 1 << cell);
    let row = |i| grid.is_row_filled_with(i, mark).unwrap().then(|| of(&mut (i * n..i * n + n)));
    let column = |i| grid.is_column_filled_with(i, mark).unwrap().then(|| of(&mut (i..n * n).step_by(n)));
    let main = grid.is_main_diagonal_filled_with(mark).then(|| of(&mut (0..n).map(|i| i * n + i)));
    let other = grid.is_anti_diagonal_filled_with(mark).then(|| of(&mut (0..n).map(|i| i * n + n - 1 - i)));
    (0..n).find_map(row).or_else(|| (0..n).find_map(column)).or(main).or(other)
}

#[test]
fn the_outcome_equals_that_of_the_grid_line_tests() {
    for size in 1..=3 {
        for game in all_positions(size) {
            assert_eq!(game.outcome(), outcome_by_grid(&game), "{game}");
        }
    }
    let mut generator = random_stream(4, 0);
    for size in 4..=10 {
        for _ in 0..50 {
            let mut game = TicTacToe::new(size).unwrap();
            while game.outcome().is_none() {
                assert_eq!(outcome_by_grid(&game), None, "{game}");
                let moves = legal(&game);
                let cell = moves[generator.random_range(0..moves.len())];
                game.make_move(cell);
            }
            assert_eq!(game.outcome(), outcome_by_grid(&game), "{game}");
            let winner = game.outcome().and_then(Outcome::winner);
            assert_eq!(game.winning_line(), winner.and_then(|side| full_line_by_grid(&game, side)), "{game}");
        }
    }
}

#[test]
fn a_line_completed_by_the_last_stone_wins_before_the_draw() {
    let game = after(3, "a1 b1 c1 a2 b2 a3 c2 b3 c3");
    assert_eq!(game.empty_cells(), 0);
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn shorter_lines_win_with_k_or_more_in_a_row() {
    let mut game = TicTacToe::with_win_length(5, 3).unwrap();
    for text in ["a1", "a5", "b1", "b5", "d1", "d5", "e1", "e3"] {
        let cell = game.parse(text).unwrap();
        game.try_make_move(cell).unwrap();
    }
    assert_eq!(game.outcome(), None);
    let cell = game.parse("c1").unwrap();
    game.make_move(cell);
    assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
fn the_framed_picture_matches_the_polish_original() {
    let game = after(3, "a1 c1 b2 c3");
    assert_eq!(game.to_string(), " X |   | O \n---+---+---\n   | X |   \n---+---+---\n   |   | O \n");
}

fn classic(seed: u64, game: &TicTacToe) -> (Cell, u64) {
    let level_spec =
        tictactoe_levels().into_iter().find(|level_spec| level_spec.level == EngineKind::Classic).unwrap();
    let start = TicTacToe::new(game.size()).unwrap();
    let mut engine = (level_spec.build)(&start, &EngineConfig::new(seed, 0)).unwrap();
    ask(&mut *engine, game)
}

fn ask(engine: &mut dyn Engine<TicTacToe>, game: &TicTacToe) -> (Cell, u64) {
    let start = TicTacToe::new(game.size()).unwrap();
    let stop = AtomicBool::new(false);
    let choice = engine.choose(
        &GameHistory { start: &start, played: &[], now: game },
        &SearchControl::without_reports(Limits::default(), &stop),
    );
    (choice.mv, choice.info.nodes)
}

#[test]
fn classic_makes_as_many_calls_as_the_original() {
    for (moves, calls) in [("a1", 59_704), ("b1", 63_904), ("b2", 55_504), ("", 549_945)] {
        assert_eq!(classic(1, &after(3, moves)).1, calls, "{moves:?}");
    }
}

#[test]
fn classic_chooses_uniformly_among_equal_moves() {
    // All nine first moves on 3x3 draw. The values come from the search, and only the random choice
    // is repeated.
    let mut counts = [0; 9];
    let game = TicTacToe::new(3).unwrap();
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
    let minimax = Minimax { bound: 11, distance: WinDistance::Counted, ties: TieBreak::First };
    let best = moves_with_best_value(&minimax.root_move_values(&mut game.clone(), u32::MAX, &mut budget));
    assert_eq!(best, legal(&game));
    for seed in 0..9_000 {
        let mut ties = TieBreak::Random(Box::new(EngineConfig::new(seed, 0).random_generator()));
        counts[ties.pick(&best).unwrap().index()] += 1;
    }
    let chi_square: f64 =
        counts.iter().map(|&count: &i32| (f64::from(count) - 1000.0).powi(2) / 1000.0).sum();
    assert!(chi_square < 26.1, "chi-square {chi_square}, {counts:?}");
    for seed in 0..5 {
        let mut ties = TieBreak::Random(Box::new(EngineConfig::new(seed, 0).random_generator()));
        assert_eq!(classic(seed, &game).0, ties.pick(&best).unwrap(), "the level draws from the same moves");
    }
}

/// Returns the value and every best move of every unfinished position, by plain minimax.
fn best_everywhere(distance: WinDistance) -> BTreeMap<(u128, u128), (i32, Vec<Cell>)> {
    let stop = AtomicBool::new(false);
    let mut minimax = Minimax { bound: 11, distance, ties: TieBreak::First };
    let unfinished = all_positions(3).into_iter().filter(|game| game.outcome().is_none());
    let best: BTreeMap<_, _> = unfinished
        .map(|mut game| {
            let mut budget =
                SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
            let values = minimax.root_move_values(&mut game, u32::MAX, &mut budget);
            let best = moves_with_best_value(&values);
            let first = minimax.choose_move(&mut game, u32::MAX, &mut budget).unwrap();
            let value = values.iter().map(|&(_, value)| value).max().unwrap();
            assert_eq!(first, (best[0], value), "ties go to the first move in reading order");
            ((game.stones(Side::First), game.stones(Side::Second)), (value, best))
        })
        .collect();
    assert_eq!(best.len(), 4_520);
    best
}

#[test]
fn position_values_match_the_published_counts() {
    let best = best_everywhere(WinDistance::Counted);
    let count = |sign: i32| best.values().filter(|(value, _)| value.signum() == sign).count();
    assert_eq!((count(1), count(0), count(-1)), (2_836, 1_052, 632));
}

#[test]
fn classic_never_loses_from_either_side() {
    /// Follows every human move and every best move of the engine; returns the number of lost
    /// lines.
    fn lost(game: &mut TicTacToe, machine: Side, best: &BTreeMap<(u128, u128), (i32, Vec<Cell>)>) -> u64 {
        if let Some(outcome) = game.outcome() {
            return u64::from(outcome == Outcome::Win(machine.other()));
        }
        let moves = if game.to_move() == machine {
            best[&(game.stones(Side::First), game.stones(Side::Second))].1.clone()
        } else {
            legal(game)
        };
        let mut count = 0;
        for cell in moves {
            game.make_move(cell);
            count += lost(game, machine, best);
            game.unmake_move(cell, ());
        }
        count
    }
    let best = best_everywhere(WinDistance::Counted);
    for machine in Side::BOTH {
        assert_eq!(lost(&mut TicTacToe::new(3).unwrap(), machine, &best), 0);
    }
    // The level chooses from exactly these moves in every position.
    for (seed, game) in (0..).zip(all_positions(3).iter().filter(|game| game.outcome().is_none())) {
        let allowed = &best[&(game.stones(Side::First), game.stones(Side::Second))].1;
        assert!(allowed.contains(&classic(seed, game).0), "{game}");
    }
}

/// Counts over all lines of play of an engine. `delayed` counts delayed wins, `several` decisions
/// with several best moves.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    lines: u32,
    won: u32,
    drew: u32,
    lost: u32,
    decisions: u32,
    delayed: u32,
    several: u32,
}

fn all_lines(machine: Side, distance: WinDistance) -> Tally {
    fn follow(
        game: &mut TicTacToe,
        machine: Side,
        best: &BTreeMap<(u128, u128), (i32, Vec<Cell>)>,
        out: &mut Tally,
    ) {
        if let Some(outcome) = game.outcome() {
            out.lines += 1;
            match outcome {
                Outcome::Win(side) if side == machine => out.won += 1,
                Outcome::Win(_) => out.lost += 1,
                Outcome::Draw => out.drew += 1,
            }
            return;
        }
        let moves = if game.to_move() == machine {
            let equals = &best[&(game.stones(Side::First), game.stones(Side::Second))].1;
            out.decisions += 1;
            out.several += u32::from(equals.len() > 1);
            let wins = threats_of(game, machine);
            out.delayed += u32::from(!wins.is_empty() && !wins.contains(&equals[0]));
            vec![equals[0]]
        } else {
            legal(game)
        };
        for cell in moves {
            game.make_move(cell);
            follow(game, machine, best, out);
            game.unmake_move(cell, ());
        }
    }
    let mut out = Tally::default();
    follow(&mut TicTacToe::new(3).unwrap(), machine, &best_everywhere(distance), &mut out);
    out
}

#[test]
fn game_counts_match_those_of_the_polish_original() {
    let second = all_lines(Side::Second, WinDistance::Ignored);
    let expected =
        Tally { lines: 681, won: 498, drew: 183, lost: 0, decisions: 936, delayed: 56, several: 325 };
    assert_eq!(second, expected);
    let second = all_lines(Side::Second, WinDistance::Counted);
    let expected =
        Tally { lines: 569, won: 386, drew: 183, lost: 0, decisions: 768, delayed: 0, several: 153 };
    assert_eq!(second, expected);
    let first = |distance| {
        let Tally { lines, won, drew, lost, .. } = all_lines(Side::First, distance);
        [lines, won, drew, lost]
    };
    assert_eq!(first(WinDistance::Ignored), [101, 99, 2, 0]);
    assert_eq!(first(WinDistance::Counted), [73, 71, 2, 0]);
}

#[test]
fn first_replies_match_those_of_the_polish_original() {
    for distance in [WinDistance::Ignored, WinDistance::Counted] {
        let best = best_everywhere(distance);
        for (stone, reply) in [(1, 5), (3, 5), (7, 5), (9, 5), (2, 1), (4, 1), (6, 3), (8, 2), (5, 1)] {
            let game = after(3, &stone.to_string());
            let first = best[&(game.stones(Side::First), game.stones(Side::Second))].1[0];
            assert_eq!(first, game.parse(&reply.to_string()).unwrap(), "reply to {stone}");
        }
        assert_eq!(best[&(0, 0)].1[0], Cell(0));
    }
}

/// Returns random positions that satisfy `wanted`.
fn random_positions(size: usize, count: usize, wanted: impl Fn(&mut TicTacToe) -> bool) -> Vec<TicTacToe> {
    let mut generator = random_stream(size as u64, 5);
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = TicTacToe::with_win_length(size, size.min(4)).unwrap();
        for _ in 0..generator.random_range(size..size * size) {
            if game.outcome().is_none() {
                let moves = legal(&game);
                game.make_move(moves[generator.random_range(0..moves.len())]);
            }
        }
        if game.outcome().is_none() && wanted(&mut game) {
            found.push(game);
        }
    }
    found
}

fn threats_of(game: &TicTacToe, side: Side) -> Vec<Cell> {
    let completes = |cell: Cell| {
        let own = game.stones(side) | cell.bit();
        game.winning_lines().masks_through(cell.index()).iter().any(|line| line & own == *line)
    };
    legal(game).into_iter().filter(|&cell| completes(cell)).collect()
}

#[test]
fn levels_from_3_take_wins_and_block_losses() {
    for level_spec in tictactoe_levels() {
        for size in [3, 4, 5, 7, 10] {
            let can_win = |game: &mut TicTacToe| !threats_of(game, game.to_move()).is_empty();
            let must_block = |game: &mut TicTacToe| {
                threats_of(game, game.to_move()).is_empty()
                    && threats_of(game, game.to_move().other()).len() == 1
            };
            let levels =
                if level_spec.level >= EngineKind::Level(3) || level_spec.level == EngineKind::Classic {
                    12
                } else {
                    0
                };
            for game in random_positions(size, levels, can_win) {
                let mut engine = (level_spec.build)(&game, &EngineConfig::new(1, 0)).unwrap();
                let (mv, _) = ask(&mut *engine, &game);
                assert!(
                    threats_of(&game, game.to_move()).contains(&mv),
                    "level {} missed a win in\n{game}",
                    level_spec.level
                );
            }
            for game in random_positions(size, levels, must_block) {
                let mut engine = (level_spec.build)(&game, &EngineConfig::new(1, 0)).unwrap();
                let (mv, _) = ask(&mut *engine, &game);
                assert_eq!(
                    threats_of(&game, game.to_move().other()),
                    [mv],
                    "level {} let a win pass in\n{game}",
                    level_spec.level
                );
            }
        }
    }
}

#[test]
fn the_short_rules_name_the_winning_length() {
    let goal = |settings: &str| {
        let game = crosspath::registry::find_game("tic-tac-toe").unwrap();
        game.start_position(&crosspath::registry::Variant::parse(settings)).unwrap().view().rules_text()[1]
            .clone()
    };
    assert_eq!(goal("size=3 win-length=1"), said!("the-first-mark-wins"));
    assert!(goal("size=3").contains(said!("a-diagonal-with-own", "3")));
    assert!(goal("size=5 win-length=4").contains(said!("own-marks-in-a", "4")));
}

#[test]
fn a_fork_is_reported_with_its_winning_cells() {
    let output = |moves: &str| {
        let game = after(3, moves);
        let played: Vec<Cell> = moves.split_whitespace().map(|text| game.parse(text).unwrap()).collect();
        game.comment_on_last_move(&played, 0)
    };
    assert_eq!(output("a1 b2 c3 c1 a3").as_deref(), Some(said!("has-made-a-fork", "X", "a3", "a2", "b3")));
    let one = output("a1 b2 c3 c1");
    assert_eq!(one.as_deref(), Some(said!("threatens-to-win-on", "O", "a3", "X")));
    let own = output("a1 b1 b3 b2 a2");
    assert_eq!(own.as_deref(), Some(said!("threatens-to-win-on", "X", "a3", "O")));
    assert_eq!(output("a1 c3 a3 b3 c1 c2 b2"), None, "the game is over");
    assert_eq!(output("a1 b1 c3 b2 a3"), None, "O wins with b3 before");
    assert_eq!(output(""), None);
}
