//! The tic-tac-toe engines: correct values, certificates and proofs, and no state that leaks
//! between games.

use std::time::Duration;

use crosspath::ai::alphabeta::{AlphaBeta, UNLIMITED_DEPTH};
use crosspath::ai::minimax::{Minimax, TieBreak, WinDistance, moves_with_best_value};
use crosspath::ai::tictactoe::certificate::moves_with_pairing_strategy;
use crosspath::ai::tictactoe::exact::{
    ProofMethod, ScoreMeaning, SolveScope, SolverMode, TicTacToeSolver, solve_tictactoe,
};
use crosspath::ai::tictactoe::hint::{exact_move_values, explain_move};
use crosspath::ai::tictactoe::lines::{LeafEvaluation, LineEval};
use crosspath::ai::tictactoe::searching_levels::{ExactStrategy, TrapCounting};
use crosspath::ai::tictactoe::symmetry::{SYMMETRY_COUNT, transform_cell, transform_mask};
use crosspath::ai::tictactoe::threats::find_forced_win;
use crosspath::ai::transposition::TranspositionTable;
use crosspath::ai::{
    EngineKind, Eval, GameHistory, Limits, MATE_BOUND, ProofStatus, SearchBudget, Strategy, WIN_VALUE,
};
use crosspath::game::{Game, Notation};
use crosspath::games::tictactoe::{Cell, TicTacToe};
use crosspath::random::random_stream;
use rand::RngExt;

use crate::sentences::said;
use crate::tictactoe_help::{
    after, ask, board, engine, legal, nodes, offered, quiet, random_move, random_position, unfinished,
    winning_cells,
};

/// Evaluation that is 0 for unfinished positions. Alpha-beta with it equals minimax.
pub(crate) struct Flat;

impl Eval<TicTacToe> for Flat {
    fn value(&mut self, _: &TicTacToe) -> i32 {
        0
    }
    fn move_index_count(&self, game: &TicTacToe) -> usize {
        game.size() * game.size()
    }
    fn move_index(&self, _: &TicTacToe, cell: Cell) -> u16 {
        u16::from(cell.0)
    }
}

pub(crate) fn unlimited() -> SearchBudget<'static> {
    SearchBudget::start(&quiet(Limits::default()))
}

/// Returns the moves with their values by plain minimax, in the scores of the fast searches.
pub(crate) fn minimax(game: &TicTacToe, depth: u32) -> Vec<(Cell, i32)> {
    let oracle = Minimax { bound: WIN_VALUE, distance: WinDistance::Counted, ties: TieBreak::First };
    oracle.root_move_values(&mut game.clone(), depth, &mut unlimited())
}

pub(crate) fn all_levels() -> impl Iterator<Item = EngineKind> {
    [EngineKind::Classic].into_iter().chain((1..=8).map(EngineKind::Level))
}

#[test]
fn the_best_moves_of_every_3x3_position_equal_minimax() {
    let start = board(3);
    let positions = unfinished(&start);
    assert_eq!(positions.len(), 4520);
    let mut solvers = [SolverMode::Search, SolverMode::Certificates]
        .map(|bounds| TicTacToeSolver::new(&start, bounds, TranspositionTable::with_entries(1 << 12)));
    let mut masters = [TrapCounting::Counted, TrapCounting::Ignored].map(ExactStrategy::new);
    let mut six = engine(EngineKind::Level(6), 1);
    let mut plain = AlphaBeta::new(Flat, TranspositionTable::with_entries(1 << 14));
    let (mut budget, mut generator) = (unlimited(), random_stream(1, 0));
    let mut values = [0; 3];
    for game in &positions {
        let oracle = minimax(game, u32::MAX);
        let best = moves_with_best_value(&oracle);
        for solver in &mut solvers {
            let found: Vec<(Cell, i32)> = solver
                .solve_moves(game, &mut budget)
                .into_iter()
                .map(|(cell, value)| (cell, value.unwrap()))
                .collect();
            assert_eq!(found, oracle, "\n{game}");
        }
        assert_eq!(plain.root_move_values(game, UNLIMITED_DEPTH, &mut budget), oracle, "\n{game}");
        for master in &mut masters {
            let thought = offered(master, game, &mut generator, Limits::default());
            assert!(thought.moves.iter().all(|cell| best.contains(cell)), "{:?} in\n{game}", thought.moves);
            assert_eq!(thought.score, oracle.iter().map(|&(_, value)| value).max());
        }
        assert!(best.contains(&ask(&mut *six, game, Limits::default()).mv), "level 6 in\n{game}");
        let value = oracle.iter().map(|&(_, value)| value).max().unwrap();
        values[usize::from(value >= 0) + usize::from(value > 0)] += 1;
    }
    assert_eq!(values, [632, 1052, 2836], "losses, draws, wins for the mover");
}

/// Returns the value of a move by its lines, recomputed from every line.
pub(crate) fn value_by_lines(game: &TicTacToe, cell: Option<Cell>) -> i32 {
    let (own, opp) = (game.stones(game.to_move()), game.stones(game.to_move().other()));
    let worth = |line: &u128, stones: u128, others: u128| match line & others {
        0 => 4_i32.pow((line & stones).count_ones()),
        _ => 0,
    };
    match cell {
        None => game
            .winning_lines()
            .masks()
            .iter()
            .map(|line| worth(line, own, opp) - worth(line, opp, own))
            .sum(),
        Some(cell) => {
            let through = game.winning_lines().masks_through(cell.index()).iter();
            through.map(|line| 2 * worth(line, own, opp) + 3 * worth(line, opp, own)).sum()
        }
    }
}

#[test]
fn line_counts_stay_correct_after_moves_and_undos() {
    let mut generator = random_stream(21, 0);
    for (size, win_length) in [(1, 1), (3, 3), (4, 4), (5, 3), (7, 5), (10, 2), (10, 5), (10, 10)] {
        let mut judge = LineEval::new(LeafEvaluation::WithThreats);
        let mut game = TicTacToe::with_win_length(size, win_length).unwrap();
        let mut played: Vec<Cell> = Vec::new();
        for _ in 0..300 {
            let (side, other) = (game.to_move(), game.to_move().other());
            let is_over = game.outcome().is_some();
            if is_over || (!played.is_empty() && generator.random_ratio(2, 5)) {
                game.unmake_move(played.pop().unwrap(), ());
                continue;
            }
            assert_eq!(judge.value(&game), value_by_lines(&game, None), "{game}");
            let completes = |stones: u128, cell: &Cell| {
                game.winning_lines()
                    .masks_through(cell.index())
                    .iter()
                    .any(|line| line & (stones | cell.bit()) == *line)
            };
            let count = |side| legal(&game).iter().filter(|cell| completes(game.stones(side), cell)).count();
            let (wins, to_meet) = (count(side), count(other));
            let bounds = match (wins, to_meet) {
                (1.., _) => (WIN_VALUE - 1, WIN_VALUE - 1),
                (0, 2..) => (2 - WIN_VALUE, 2 - WIN_VALUE),
                _ => (3 - WIN_VALUE, WIN_VALUE - 3),
            };
            assert_eq!(judge.proved_bounds(&game), bounds, "{game}");
            let mut listed = Vec::new();
            judge.push_search_moves(&game, &mut listed);
            let is_forced = win_length < size && to_meet > 0;
            assert_eq!(judge.has_forced_move(&game), is_forced, "{game}");
            assert_eq!(listed.len(), if is_forced { to_meet } else { legal(&game).len() }, "{game}");
            for &cell in &listed {
                assert_eq!(judge.rank_move(&game, cell), value_by_lines(&game, Some(cell)), "{game}");
                assert!(!is_forced || completes(game.stones(other), &cell), "{game}");
            }
            let mv = random_move(&game, &mut generator);
            game.make_move(mv);
            played.push(mv);
        }
    }
}

#[test]
fn alpha_beta_equals_minimax_at_every_depth() {
    let mut generator = random_stream(2, 0);
    let mut cases = 0;
    for (size, win_length, stones) in [(3, 3, 0..9), (4, 4, 3..12), (4, 3, 3..9), (4, 2, 0..3)] {
        let start = TicTacToe::with_win_length(size, win_length).unwrap();
        for stones in stones.cycle().take(60) {
            let game = random_position(&start, stones, &mut generator);
            let most = if size == 3 { 7 } else { 4 };
            let mut search = AlphaBeta::new(Flat, TranspositionTable::with_entries(1 << 12));
            for depth in 1..=most {
                let oracle = minimax(&game, u32::from(depth));
                let best = oracle.iter().map(|&(_, value)| value).max();
                assert_eq!(
                    search.search_value(&game, depth, (-WIN_VALUE, WIN_VALUE), &mut unlimited()),
                    best,
                    "depth {depth}\n{game}"
                );
                let found = AlphaBeta::new(Flat, TranspositionTable::with_entries(1 << 12)).root_move_values(
                    &game,
                    depth,
                    &mut unlimited(),
                );
                assert_eq!(found, oracle, "depth {depth}\n{game}");
                cases += 1;
            }
            let limits = Limits { depth: Some(u32::from(most)), ..Limits::default() };
            let mut search = AlphaBeta::new(Flat, TranspositionTable::with_entries(1 << 12));
            let found = search.find_best_move(&game, &mut generator, &quiet(limits), &mut unlimited());
            let oracle = minimax(&game, found.depth);
            assert_eq!(found.score, oracle.iter().map(|&(_, value)| value).max());
            assert!(moves_with_best_value(&oracle).contains(&found.mv), "{found:?} in\n{game}");
            assert_eq!(found.pv[0], found.mv);
        }
    }
    assert!(cases >= 200);
}

/// Returns the chi-square statistic of `counts` against equal probabilities.
fn chi_square(counts: &[u32]) -> f64 {
    let mean = f64::from(counts.iter().sum::<u32>()) / f64::from(u32::try_from(counts.len()).unwrap());
    counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum()
}

#[test]
fn equal_root_moves_are_chosen_equally_often() {
    let game = board(3);
    let mut counts = [0; 9];
    for seed in 0..900 {
        let mut search = AlphaBeta::new(Flat, TranspositionTable::with_entries(1 << 12));
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let found =
            search.find_best_move(&game, &mut random_stream(seed, 0), &quiet(limits), &mut unlimited());
        counts[found.mv.index()] += 1;
    }
    // 8 degrees of freedom, p = 0.001.
    assert!(chi_square(&counts) < 26.1, "{counts:?}");
}

#[test]
fn a_search_reports_each_depth_once_with_a_legal_line() {
    use std::sync::Mutex;
    let game = after(4, "b2 c3 b3");
    let reports = Mutex::new(Vec::new());
    let report = |info: &crosspath::ai::SearchInfo<Cell>| reports.lock().unwrap().push(info.clone());
    let control = crosspath::ai::SearchControl {
        report: &report,
        ..quiet(Limits { depth: Some(5), ..Limits::default() })
    };
    let mut budget = unlimited();
    let found = AlphaBeta::new(Flat, TranspositionTable::with_entries(1 << 14)).find_best_move(
        &game,
        &mut random_stream(3, 0),
        &control,
        &mut budget,
    );
    let reports = reports.into_inner().unwrap();
    assert_eq!(reports.iter().map(|info| info.depth).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(reports.windows(2).all(|two| two[0].nodes < two[1].nodes));
    assert_eq!(reports[4].pv, found.pv);
    let mut game = game;
    found.pv.iter().for_each(|&mv| assert!(game.try_make_move(mv).is_ok()));
}

#[test]
fn searches_stay_below_their_node_bounds() {
    for (size, bar) in [(3, 150), (4, 25_000)] {
        let solution = solve_tictactoe(
            &board(size),
            SolveScope::Position,
            SolverMode::Search,
            4,
            &quiet(Limits::default()),
        );
        assert!(matches!(solution.value, Some((ScoreMeaning::Draw, ProofMethod::Search(_)))));
        println!("{size}x{size}: {} positions, {:?}", solution.nodes, solution.elapsed);
        assert!(solution.nodes <= bar, "{size}x{size}: {} positions", solution.nodes);
        let spared = solve_tictactoe(
            &board(size),
            SolveScope::Position,
            SolverMode::Certificates,
            4,
            &quiet(Limits::default()),
        );
        assert!(spared.nodes < solution.nodes);
        assert!(matches!(spared.value, Some((ScoreMeaning::Draw, _))));
    }
}

#[test]
#[ignore = "slow: the whole 5x5 tree; run with --release"]
fn the_5x5_board_is_proved_a_draw_by_search_alone() {
    let solution =
        solve_tictactoe(&board(5), SolveScope::Position, SolverMode::Search, 64, &quiet(Limits::default()));
    println!("5x5: {} positions, {:?}", solution.nodes, solution.elapsed);
    assert!(matches!(solution.value, Some((ScoreMeaning::Draw, ProofMethod::Search(_)))));
    assert!(solution.elapsed < Duration::from_secs(5), "{:?}", solution.elapsed);
    let spared = solve_tictactoe(
        &board(5),
        SolveScope::Position,
        SolverMode::Certificates,
        64,
        &quiet(Limits::default()),
    );
    assert!(matches!(spared.value, Some((ScoreMeaning::Draw, ProofMethod::Certificates(_)))));
    assert!(spared.elapsed < Duration::from_millis(10), "{:?}", spared.elapsed);
}

#[test]
fn boards_have_their_known_values() {
    let value = |size, win_length| {
        let game = TicTacToe::with_win_length(size, win_length).unwrap();
        let solution = solve_tictactoe(
            &game,
            SolveScope::Position,
            SolverMode::Certificates,
            4,
            &quiet(nodes(2_000_000)),
        );
        solution.value.map(|(value, _)| value)
    };
    assert_eq!([value(1, 1), value(2, 2)], [Some(ScoreMeaning::Win(1)), Some(ScoreMeaning::Win(3))]);
    (3..=10).for_each(|size| assert_eq!(value(size, size), Some(ScoreMeaning::Draw), "{size}x{size}"));
    // Short lines are won with the first, third and fifth ply.
    for size in 1..=10 {
        assert_eq!(value(size, 1), Some(ScoreMeaning::Win(1)), "{size}x{size}");
        if size >= 2 {
            assert_eq!(value(size, 2), Some(ScoreMeaning::Win(3)), "{size}x{size}");
        }
        if size >= 4 {
            assert_eq!(value(size, 3), Some(ScoreMeaning::Win(5)), "{size}x{size}");
        }
    }
}

#[test]
#[ignore = "slow: millions of positions; run with --release"]
fn four_in_a_row_on_5x5_is_a_draw() {
    let game = TicTacToe::with_win_length(5, 4).unwrap();
    let solution = solve_tictactoe(
        &game,
        SolveScope::Position,
        SolverMode::Certificates,
        256,
        &quiet(Limits::default()),
    );
    println!("5x5, 4 in a row: {} positions, {:?}", solution.nodes, solution.elapsed);
    assert!(matches!(solution.value, Some((ScoreMeaning::Draw, ProofMethod::Search(_)))));
}

#[test]
fn solving_reports_every_first_move_and_its_proof() {
    let solution =
        solve_tictactoe(&board(4), SolveScope::Moves, SolverMode::Certificates, 4, &quiet(Limits::default()));
    assert_eq!(solution.moves.len(), 16);
    assert!(solution.moves.iter().all(|(_, known)| matches!(known, Some((ScoreMeaning::Draw, _)))));
    let big = solve_tictactoe(&board(7), SolveScope::Moves, SolverMode::Certificates, 4, &quiet(nodes(0)));
    assert!(
        big.moves
            .iter()
            .all(|(_, known)| matches!(known, Some((ScoreMeaning::Draw, ProofMethod::Certificates(_)))))
    );
    let corner =
        solve_tictactoe(&after(3, "a1"), SolveScope::Moves, SolverMode::Search, 1, &quiet(Limits::default()));
    let values = corner.moves.iter().map(|(_, known)| known.as_ref().unwrap().0);
    assert_eq!(values.clone().filter(|&value| value == ScoreMeaning::Draw).count(), 1);
    assert!(
        values
            .filter(|&value| value != ScoreMeaning::Draw)
            .all(|value| matches!(value, ScoreMeaning::Loss(6)))
    );
    let none = solve_tictactoe(&board(3), SolveScope::Moves, SolverMode::Search, 1, &quiet(nodes(0)));
    assert!(none.value.is_none() && none.moves.iter().all(|(_, known)| known.is_none()));
}

#[test]
fn values_and_safe_moves_are_equal_in_all_eight_symmetries() {
    let mut generator = random_stream(4, 0);
    for size in 3..=6 {
        let mut solver =
            TicTacToeSolver::new(&board(size), SolverMode::Search, TranspositionTable::with_entries(1 << 14));
        for round in 0..30 {
            let cells_in_all = u32::try_from(size * size).unwrap();
            let stones = (cells_in_all * (round % 10) / 10).max(cells_in_all.saturating_sub(13));
            let mut game = board(size);
            let mut played = Vec::new();
            for _ in 0..stones {
                let mv = random_move(&game, &mut generator);
                game.make_move(mv);
                played.push(mv);
                if game.outcome().is_some() {
                    game.unmake_move(mv, ());
                    played.pop();
                    break;
                }
            }
            let (value, safe) =
                (solver.solve_value(&game, &mut unlimited()), moves_with_pairing_strategy(&game));
            for turn in 0..SYMMETRY_COUNT {
                let mut image = board(size);
                for &mv in &played {
                    image.make_move(transform_cell(size, mv, turn));
                }
                assert_eq!(solver.solve_value(&image, &mut unlimited()), value, "\n{game}\n{image}");
                assert_eq!(
                    moves_with_pairing_strategy(&image),
                    transform_mask(size, safe, turn),
                    "\n{game}\n{image}"
                );
            }
        }
    }
}

#[test]
fn threat_sequences_are_proved_wins() {
    let mut generator = random_stream(7, 0);
    let mut found = 0;
    for (size, win_length) in [(3, 3), (4, 4), (4, 3)] {
        let start = TicTacToe::with_win_length(size, win_length).unwrap();
        let mut solver =
            TicTacToeSolver::new(&start, SolverMode::Search, TranspositionTable::with_entries(1 << 16));
        for round in 0..150 {
            let game = random_position(&start, 3 + round % 6, &mut generator);
            let Some(win) = find_forced_win(&game, 20_000, &mut unlimited()) else { continue };
            found += 1;
            let values = solver.solve_moves(&game, &mut unlimited());
            for mv in win.moves {
                let value = values.iter().find(|&&(cell, _)| cell == mv).unwrap().1.unwrap();
                assert!(value > MATE_BOUND && value >= WIN_VALUE - win.plies.cast_signed(), "\n{game}");
            }
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn immediate_wins_are_taken_and_immediate_losses_blocked() {
    let mut generator = random_stream(8, 0);
    let levels: Vec<EngineKind> =
        all_levels().filter(|&level| level >= EngineKind::Level(3) || level == EngineKind::Classic).collect();
    let mut cases = 0;
    for (size, win_length) in [(3, 3), (4, 4), (5, 5), (5, 4), (7, 4)] {
        let start = TicTacToe::with_win_length(size, win_length).unwrap();
        for round in 0..400_u32 {
            let stones = round % u32::try_from(size * size - 1).unwrap();
            let game = random_position(&start, stones, &mut generator);
            let side = game.to_move();
            let wins = winning_cells(&game, side);
            let urgent = if wins.is_empty() { winning_cells(&game, side.other()) } else { wins };
            if urgent.is_empty() {
                continue;
            }
            for &level in &levels {
                // The original searches whole plies only, and blocks a loss if it can be blocked.
                if level == EngineKind::Classic && (urgent.len() > 1 || size > 5) {
                    continue;
                }
                for limits in [Limits::default(), nodes(0)] {
                    if level == EngineKind::Classic && limits == nodes(0) {
                        continue;
                    }
                    let mv = ask(&mut *engine(level, u64::from(round)), &game, limits).mv;
                    assert!(urgent.contains(&mv), "level {level} plays {mv:?} in\n{game}");
                }
            }
            cases += 1;
            if cases % 50 == 0 {
                break;
            }
        }
    }
    assert!(cases >= 200, "{cases}");
}

#[test]
fn every_limit_yields_a_legal_move() {
    let mut generator = random_stream(9, 0);
    let time = |time| Limits { time: Some(time), ..Limits::default() };
    let depth = |depth| Limits { depth: Some(depth), ..Limits::default() };
    let limits = [nodes(0), nodes(1), nodes(100), time(Duration::ZERO), depth(0), depth(1), depth(2)];
    for size in 1..=10_usize {
        for win_length in [1, size.div_ceil(2), size] {
            let start = TicTacToe::with_win_length(size, win_length).unwrap();
            let stones = u32::try_from(size * size / 3).unwrap();
            let game = if win_length > 2 { random_position(&start, stones, &mut generator) } else { start };
            for level in all_levels() {
                for limits in limits {
                    let choice = ask(&mut *engine(level, 1), &game, limits);
                    assert!(game.is_legal(choice.mv), "level {level} with {limits:?} in\n{game}");
                    if let Some(most) = limits.nodes.filter(|_| level >= EngineKind::Level(5)) {
                        assert!(choice.info.nodes <= most, "level {level}: {} of {most}", choice.info.nodes);
                    }
                }
            }
        }
    }
    let stop = std::sync::atomic::AtomicBool::new(true);
    let (game, control) = (board(5), crosspath::ai::SearchControl::without_reports(Limits::default(), &stop));
    for level in all_levels() {
        let at = GameHistory { start: &game, played: &[], now: &game };
        assert!(game.is_legal(engine(level, 1).choose(&at, &control).mv));
    }
}

#[test]
fn engine_state_is_not_carried_into_the_next_game() {
    let play = |engine: &mut dyn crosspath::ai::Engine<TicTacToe>, start: &TicTacToe, limits: Limits| {
        engine.new_game();
        let (mut now, mut played, mut record) = (start.clone(), Vec::new(), Vec::new());
        while now.outcome().is_none() && played.len() < 8 {
            let choice = engine.choose(&GameHistory { start, played: &played, now: &now }, &quiet(limits));
            record.push((choice.mv, choice.info.nodes));
            for mv in [Some(choice.mv), None] {
                let mv = mv.or_else(|| legal(&now).first().copied());
                if let Some(mv) = mv.filter(|&mv| now.is_legal(mv)) {
                    now.make_move(mv);
                    played.push(mv);
                }
            }
        }
        record
    };
    for (size, win_length) in [(3, 3), (4, 4), (5, 4), (6, 6)] {
        let start = TicTacToe::with_win_length(size, win_length).unwrap();
        for level in all_levels() {
            let mut engine_kept = engine(level, 7);
            for i in 0..=11 {
                let mut most = 100;
                (0..i).for_each(|_| most = most * 3 / 2);
                let first = play(&mut *engine_kept, &start, nodes(most));
                let second = play(&mut *engine_kept, &start, nodes(most));
                assert_eq!(first, second, "level {level}, {most} positions, {size}x{size}");
                assert_eq!(
                    first,
                    play(&mut *engine(level, 7), &start, nodes(most)),
                    "level {level} and a fresh one"
                );
            }
        }
    }
}

#[test]
fn claims_about_a_move_are_true() {
    let mut generator = random_stream(10, 0);
    let start = board(4);
    let mut solver =
        TicTacToeSolver::new(&start, SolverMode::Search, TranspositionTable::with_entries(1 << 16));
    let mut master = ExactStrategy::new(TrapCounting::Counted);
    for round in 0..150 {
        let game = random_position(&start, 2 + round % 12, &mut generator);
        for limits in [Limits::default(), nodes(30)] {
            let thought = offered(&mut master, &game, &mut generator, limits);
            let values = solver.solve_moves(&game, &mut unlimited());
            let mut claims: Vec<(Cell, ProofStatus)> =
                thought.moves.into_iter().map(|mv| (mv, thought.proof.unwrap())).collect();
            for level in 5..=8 {
                let choice = ask(&mut *engine(EngineKind::Level(level), 1), &game, limits);
                claims.push((choice.mv, choice.proof.unwrap()));
            }
            for (mv, status) in claims {
                let value = values.iter().find(|&&(cell, _)| cell == mv).unwrap().1.unwrap();
                let is_true = match status {
                    ProofStatus::WinIn(plies) => value >= WIN_VALUE - plies.cast_signed(),
                    ProofStatus::Certified => value >= 0,
                    ProofStatus::Draw => value == 0,
                    ProofStatus::LostIn(plies) => value == plies.cast_signed() - WIN_VALUE,
                    ProofStatus::Unproved => true,
                };
                assert!(is_true, "{mv:?} is called {status} in\n{game}");
            }
            master.clear_state();
        }
    }
}

#[test]
fn classic_counts_the_positions_it_searches() {
    for (moves, expected) in [("a1", 59_704), ("b1", 63_904), ("b2", 55_504), ("", 549_945)] {
        let choice = ask(&mut *engine(EngineKind::Classic, 1), &after(3, moves), Limits::default());
        assert_eq!(choice.info.nodes, expected);
    }
}

#[test]
fn exact_values_on_3x3_count_moves_of_the_side() {
    let shown = |moves: &str| -> Vec<String> {
        let game = after(3, moves);
        exact_move_values(&game)
            .into_iter()
            .map(|(cell, fate)| format!("{} {fate}", game.format_move(cell)))
            .collect()
    };
    assert_eq!(
        shown("a1 b1 a2"),
        [
            said!("loses-in", "c1", "1"),
            said!("loses-in", "b2", "1"),
            said!("loses-in", "c2", "1"),
            said!("loses-in", "a3", "2"),
            said!("loses-in", "b3", "1"),
            said!("loses-in", "c3", "1")
        ]
    );
    let four = shown("a1 b2 b1 a2");
    assert!(
        four.contains(&said!("wins-in", "c1", "1").to_owned())
            && four.contains(&said!("loses-in", "a3", "1").to_owned()),
        "{four:?}"
    );
    assert!(shown("a1").contains(&"b2 draws".to_owned()));
    assert!(exact_move_values(&board(4)).is_empty());
}

#[test]
fn reasons_are_short_and_name_the_cause() {
    let cases = [
        (3, "a1 b2 b1 a2", "c1", "completes row 1"),
        (3, "a1 b2 b1", "c1", "blocks row 1"),
        (3, "a1 b1 b2 a2", "c3", "completes the diagonal a1-c3"),
        (3, "a1 b1 a2 a3", "b2", said!("makes-two-threats")),
        (4, "", "b2", said!("after-it-can-be", "O")),
        (5, "a1 b1 a2 b2 a3 c2", "a4", "threatens to complete column a"),
    ];
    for (size, moves, mv, expected) in cases {
        let game = after(size, moves);
        assert_eq!(explain_move(&game, game.parse(mv).unwrap()), expected, "\n{game}");
    }
    let mut generator = random_stream(11, 0);
    for round in 0..60 {
        let game =
            random_position(&board(3 + round % 4), u32::try_from(round % 9).unwrap().min(8), &mut generator);
        for mv in legal(&game) {
            let reason = explain_move(&game, mv);
            assert!(reason.len() <= 48 && !reason.ends_with('.') && !reason.is_empty(), "{reason}");
        }
    }
}

#[test]
fn classic_searches_up_to_a_million_sequences() {
    let boards = [
        after(3, "a1 b2 c3 b1 b3 a3 c1 c2"),
        after(3, ""),
        after(4, "a1 b1 c1 d1 a2 b2"),
        after(4, ""),
        after(10, ""),
    ];
    let depths = boards.map(|game| {
        let choice = ask(&mut *engine(EngineKind::Classic, 1), &game, nodes(1));
        (game.empty_cells().count_ones(), choice.info.depth)
    });
    assert_eq!(depths, [(1, 1), (9, 9), (10, 7), (16, 5), (100, 3)]);
}
