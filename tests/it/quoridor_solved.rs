//! Solvable boards: their exact results, and level 8, which never gives a win away on them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crosspath::ai::quoridor::board::race_win_plies;
use crosspath::ai::quoridor::level_specs;
use crosspath::ai::quoridor::solve::{QuoridorSolveError, solve_quoridor};
use crosspath::ai::{
    EngineConfig, EngineHost, EngineKind, GameHistory, Limits, ProofStatus, SearchControl, SolveControl,
};
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::quoridor::{Cell, Move, Quoridor};
use crosspath::random::random_stream;

use crate::quoridor_help::{after, board, moves, random_move, random_position, solved};

/// Policy that chooses the opponent's moves.
#[derive(Clone, Copy, Debug)]
enum OpponentPolicy {
    /// Random moves with a seed.
    Chance(u64),
    /// Moves that delay the end as long as possible.
    Delay,
    /// Moves of a level.
    Level(u8),
}

fn level_host(level: u8, start: &Quoridor, seed: u64) -> EngineHost<Quoridor> {
    let level_spec = level_specs().into_iter().find(|one| one.level == EngineKind::Level(level)).unwrap();
    EngineHost::new(level_spec, EngineConfig::new(seed, 0), start).unwrap()
}

/// Returns the move that delays the loss longest, or any move that does not lose.
fn longest_losing_move(game: &Quoridor) -> Move {
    let stop = AtomicBool::new(false);
    let solution = solve_quoridor(game, &SolveControl::without_reports(Limits::default(), &stop)).unwrap();
    let me = game.to_move();
    let worth = |outcome: Outcome, plies: Option<u32>| match outcome {
        Outcome::Win(side) if side == me => u32::MAX,
        Outcome::Draw => u32::MAX - 1,
        Outcome::Win(_) => plies.unwrap_or(0),
    };
    solution.moves.iter().max_by_key(|row| worth(row.1, row.2)).unwrap().0
}

/// Checks that level 8 wins as the winning side, within the number of plies that the solver
/// reports.
fn check_level_8_wins(start: &Quoridor, against: OpponentPolicy) {
    let stop = AtomicBool::new(false);
    // A node limit that suffices does not depend on the speed of the computer.
    let quiet =
        SearchControl::without_reports(Limits { nodes: Some(40_000_000), ..Limits::default() }, &stop);
    let solution = solve_quoridor(start, &SolveControl::without_reports(Limits::default(), &stop)).unwrap();
    let Outcome::Win(winner) = solution.outcome else { panic!("{start} is a draw") };
    let promised = solution.plies.unwrap();
    let (mut game, mut played) = (start.clone(), Vec::new());
    let (mut strong, mut other) = (
        level_host(8, start, 1),
        level_host(if let OpponentPolicy::Level(level) = against { level } else { 1 }, start, 2),
    );
    let mut chance = random_stream(39, if let OpponentPolicy::Chance(number) = against { number } else { 0 });
    while game.outcome().is_none() {
        let at = GameHistory { start, played: &played, now: &game };
        let mv = if game.to_move() == winner {
            let choice = strong.choose(&at, &quiet).unwrap();
            assert!(matches!(choice.proof, Some(ProofStatus::WinIn(_))), "{game}: {:?}", choice.proof);
            choice.mv
        } else {
            match against {
                OpponentPolicy::Chance(_) => random_move(&game, &mut chance).unwrap(),
                OpponentPolicy::Delay => longest_losing_move(&game),
                OpponentPolicy::Level(_) => other.choose(&at, &quiet).unwrap().mv,
            }
        };
        game.try_make_move(mv).unwrap();
        played.push(mv);
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{start} {against:?}");
    assert!(game.ply() <= promised, "{start} {against:?}: {} plies, {promised} were promised", game.ply());
}

#[test]
fn level_8_never_gives_a_proved_win_away_on_small_boards() {
    for (width, height, walls) in [(3, 3, 1), (3, 3, 4), (4, 3, 3), (3, 4, 2), (2, 7, 2)] {
        let start = Quoridor::with_walls(width, height, walls).unwrap().with_ply_limit(None);
        check_level_8_wins(&start, OpponentPolicy::Delay);
        (0..3).for_each(|number| check_level_8_wins(&start, OpponentPolicy::Chance(number)));
        check_level_8_wins(&start, OpponentPolicy::Level(4));
    }
}

#[test]
fn a_win_beyond_the_ply_limit_is_not_reported() {
    let stop = AtomicBool::new(false);
    let quiet = SearchControl::without_reports(Limits { nodes: Some(40_000), ..Limits::default() }, &stop);
    let start = Quoridor::with_walls(3, 3, 1).unwrap().with_ply_limit(None);
    let plies = solve_quoridor(&start, &SolveControl::without_reports(Limits::default(), &stop))
        .unwrap()
        .plies
        .unwrap();
    for (cap, is_promised) in [(plies, true), (plies - 1, false)] {
        let game = start.clone().with_ply_limit(Some(cap));
        let at = GameHistory { start: &game, played: &[], now: &game };
        let choice = level_host(8, &game, 1).choose(&at, &quiet).unwrap();
        let is_decided = matches!(choice.proof, Some(ProofStatus::LostIn(_) | ProofStatus::WinIn(_)));
        assert_eq!(is_decided, is_promised, "{cap}: {:?}", choice.proof);
    }
}

#[test]
fn a_race_late_in_a_game_is_evaluated_as_in_a_fresh_one() {
    let text = "a2 a7 e7 h1 h7 / a1 b1 c6 c8 d4 f6 / b3 a6 / 1 0 / 1";
    let start = Quoridor::from_position_text(text).unwrap();
    let stop = AtomicBool::new(false);
    let control = SearchControl::without_reports(Limits { nodes: Some(300), ..Limits::default() }, &stop);
    let mut game = start.clone();
    let (mut played, mut strong) = (Vec::new(), level_host(4, &start, 1));
    // One race table is built for the current walls, and another after the last wall.
    for text in ["c3", "a5", "e1h"] {
        let at = GameHistory { start: &start, played: &played, now: &game };
        strong.choose(&at, &control).unwrap();
        let mv = game.parse(text).unwrap();
        game.make_move(mv);
        played.push(mv);
    }
    assert!(Side::BOTH.iter().all(|&side| game.walls_left(side) == 0), "{game}");
    let at = GameHistory { start: &start, played: &played, now: &game };
    let late = strong.choose(&at, &control).unwrap();
    let fresh = level_host(4, &game, 1);
    let anew = { fresh }.choose(&GameHistory { start: &game, played: &[], now: &game }, &control).unwrap();
    assert_eq!(late.info.score, anew.info.score, "{game}");
    assert!(late.info.score.is_some_and(|score| score.0.abs() > 9_000), "{:?}", late.info.score);
}

#[test]
#[ignore = "minutes without optimisation; cargo test --release"]
fn level_8_wins_as_second_on_5x5_with_two_walls() {
    let start = Quoridor::with_walls(5, 5, 2).unwrap().with_ply_limit(None);
    let stop = AtomicBool::new(false);
    let solution = solve_quoridor(&start, &SolveControl::without_reports(Limits::default(), &stop)).unwrap();
    assert_eq!(solution.outcome, Outcome::Win(Side::Second));
    for against in [
        OpponentPolicy::Delay,
        OpponentPolicy::Level(7),
        OpponentPolicy::Level(3),
        OpponentPolicy::Chance(1),
        OpponentPolicy::Chance(2),
    ] {
        check_level_8_wins(&start, against);
    }
    for size in [(5, 3, 3), (3, 5, 3), (5, 4, 2), (3, 6, 2)] {
        let start = Quoridor::with_walls(size.0, size.1, size.2).unwrap().with_ply_limit(None);
        check_level_8_wins(&start, OpponentPolicy::Delay);
        check_level_8_wins(&start, OpponentPolicy::Level(7));
    }
}

#[test]
fn outrunning_a_side_without_walls_is_a_win() {
    let (mut generator, mut count) = (random_stream(31, 0), 0);
    let stop = AtomicBool::new(false);
    for number in 0..400_u32 {
        let (width, height, walls) = [(3, 5, 2), (5, 5, 1), (3, 7, 1), (4, 5, 2)][number as usize % 4];
        let mut game = Quoridor::with_walls(width, height, walls).unwrap();
        while game.outcome().is_none() && game.ply() < 24 {
            if let Some(plies) = race_win_plies(&game) {
                let solution =
                    solve_quoridor(&game, &SolveControl::without_reports(Limits::default(), &stop)).unwrap();
                assert_eq!(solution.outcome, Outcome::Win(game.to_move()), "{game}");
                assert!(solution.plies.unwrap() <= plies.unsigned_abs(), "{game}: {plies}");
                count += 1;
                break;
            }
            game.make_move(random_move(&game, &mut generator).unwrap());
        }
    }
    assert!(count >= 50, "only {count} of 400 games came to such a position");
}

fn solved_rows() -> Vec<(Quoridor, Option<Side>, usize, Vec<&'static str>)> {
    let lines = include_str!("../data/quoridor_exact.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let mut words = line.split(' ');
            let (size, walls) = words.next().unwrap().split_once('w').unwrap();
            let (files, ranks) = size.split_once('x').unwrap();
            let start =
                Quoridor::with_walls(files.parse().unwrap(), ranks.parse().unwrap(), walls.parse().unwrap());
            let winner = match words.next().unwrap() {
                "first" => Some(Side::First),
                "second" => Some(Side::Second),
                _ => None,
            };
            (start.unwrap(), winner, words.next().unwrap().parse().unwrap(), words.collect())
        })
        .collect()
}

fn check_solved(wanted: impl Fn(usize) -> bool) {
    let mut rows = 0;
    for (start, winner, states, winning) in solved_rows().into_iter().filter(|row| wanted(row.2)) {
        let solution = solved(&start, Some(states), 4096).unwrap_or_else(|error| panic!("{start}: {error}"));
        assert_eq!(solution.outcome, winner.map_or(Outcome::Draw, Outcome::Win), "{start}");
        assert_eq!(solution.states, states, "{start}");
        let mut found: Vec<String> = solution.winning.iter().map(Move::to_string).collect();
        let mut expected = winning.clone();
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{start}");
        assert_eq!(solution.plies.is_none(), winner.is_none());
        rows += 1;
    }
    assert!(rows > 0);
}

#[test]
fn small_boards_have_their_exact_results() {
    check_solved(|states| states < 1_000_000);
}

#[test]
#[ignore = "up to 40 million positions, some seconds and 200 MB"]
fn larger_boards_have_their_exact_results() {
    check_solved(|states| (1_000_000..40_000_000).contains(&states));
}

/// Solves a position, compares the result with those of all successors, and returns it.
fn check_against_successors(game: &Quoridor) -> Outcome {
    let solution = solved(game, None, 256).unwrap();
    let me = game.to_move();
    let next: Vec<(Move, Outcome, Option<u32>)> = moves(game)
        .into_iter()
        .map(|mv| {
            let mut next = game.clone();
            next.make_move(mv);
            let solved = solved(&next, None, 256).unwrap();
            (mv, solved.outcome, solved.plies)
        })
        .collect();
    let wins = next.iter().filter(|row| row.1 == Outcome::Win(me));
    assert_eq!(wins.clone().map(|row| row.0).collect::<Vec<_>>(), solution.winning, "{game}");
    let draws = next.iter().any(|row| row.1 == Outcome::Draw);
    let (outcome, plies) = match wins.map(|row| row.2.unwrap()).min() {
        Some(soonest) => (Outcome::Win(me), Some(soonest + 1)),
        None if draws => (Outcome::Draw, None),
        None => (Outcome::Win(me.other()), next.iter().map(|row| row.2.unwrap() + 1).max()),
    };
    assert_eq!((solution.outcome, solution.plies), (outcome, plies), "{game}");
    outcome
}

#[test]
fn a_solution_agrees_with_those_of_its_successors() {
    let mut generator = random_stream(38, 1);
    let mut outcomes = Vec::new();
    for number in 0..60 {
        let (width, height, walls) = [(3, 3, 2), (4, 3, 1), (3, 4, 1), (2, 5, 2)][number % 4];
        let start = Quoridor::with_walls(width, height, walls).unwrap().with_ply_limit(None);
        let game = random_position(&start, u32::try_from(number % 6).unwrap(), &mut generator);
        outcomes.push(check_against_successors(&game));
    }
    assert!(outcomes.contains(&Outcome::Win(Side::First)) && outcomes.contains(&Outcome::Win(Side::Second)));
}

#[test]
fn large_boards_with_few_walls_left_are_solved() {
    // 72, 128 and 1,152 wall slots, or none if no side has walls left.
    let seven = Quoridor::from_position_text("c2 e5 / b2 / d3 d5 / 1 0 / 1 / 7").unwrap();
    check_against_successors(&seven);
    for size in [7, 9, 25] {
        let start = Quoridor::with_walls(size, size, 0).unwrap();
        let solution = solved(&start, None, 256).unwrap();
        let cells = size * size;
        assert_eq!(solution.states, 2 * (cells * (cells - 1) - cells), "{size}");
        if size == 7 {
            let plies = i32::try_from(solution.plies.unwrap()).unwrap();
            let value = if solution.outcome == Outcome::Win(Side::First) { plies } else { -plies };
            assert_eq!(value, race_plies_by_iteration(size), "{size}");
        }
    }
}

/// Returns the length of the race on an empty board in plies, negative if Second wins. It iterates
/// over all pairs of cells with the moves of the rules until nothing changes.
fn race_plies_by_iteration(size: usize) -> i32 {
    let cells: Vec<Cell> =
        (0..size).flat_map(|row| (0..size).filter_map(move |file| Cell::at(file, row))).collect();
    let mut positions = Vec::new();
    let mut values: BTreeMap<(Cell, Cell, Side), i32> = BTreeMap::new();
    for (&a, &b) in cells.iter().flat_map(|a| cells.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
        for (number, side) in Side::BOTH.into_iter().enumerate() {
            let text = format!("/ / {a} {b} / 0 0 / {} / {size}", number + 1);
            let Ok(game) = Quoridor::from_position_text(&text) else { continue };
            let targets = game.pawn_targets().into_iter();
            let next = targets.map(|to| if side == Side::First { (to, b) } else { (a, to) });
            positions.push(((a, b, side), game.outcome(), next.collect::<Vec<_>>()));
        }
    }
    for plies in 0..200 {
        let mut found = Vec::new();
        for (position, outcome, next) in positions.iter().filter(|row| !values.contains_key(&row.0)) {
            let mover = position.2;
            let after = next.iter().map(|&(a, b)| values.get(&(a, b, mover.other())).copied());
            let of_mover = if let Some(Outcome::Win(winner)) = outcome {
                (plies == 0).then_some(if *winner == mover { 1 } else { -1 })
            } else if after.clone().any(|value| value.is_some_and(|value| value < 0)) {
                Some(plies + 1)
            } else {
                after.clone().all(|value| value.is_some_and(|value| value > 0)).then_some(-(plies + 1))
            };
            found.extend(of_mover.map(|value| (*position, value)));
        }
        values.extend(found);
    }
    let start = Quoridor::with_walls(size, size, 0).unwrap();
    let value = values[&(start.pawn(Side::First), start.pawn(Side::Second), Side::First)];
    value.signum() * (value.abs() - 1)
}

#[test]
fn positions_too_large_to_solve_are_reported() {
    assert_eq!(solved(&board(9, 10), None, 256), Err(QuoridorSolveError::FarTooLarge(256)));
    assert_eq!(solved(&board(3, 1), Some(4149), 256), Err(QuoridorSolveError::TooMany(4149)));
    assert_eq!(solved(&board(5, 3), Some(100_000), 256), Err(QuoridorSolveError::TooMany(100_000)));
    assert_eq!(
        solve_quoridor(&board(3, 1), &SolveControl::without_reports(Limits::default(), &true.into())),
        Err(QuoridorSolveError::Stopped)
    );
    assert_eq!(solved(&board(6, 10), None, 256), Err(QuoridorSolveError::FarTooLarge(256)));
    // The reported memory is enough, and one MiB less is not.
    let Err(QuoridorSolveError::NotAllowed { needed, allowed: 9 }) = solved(&board(4, 3), None, 9) else {
        panic!("9 MiB are too few")
    };
    assert!(solved(&board(4, 3), None, needed - 1).is_err() && solved(&board(4, 3), None, needed).is_ok());
    // Nothing is listed if even one more wall is too much.
    let large = board(25, 99);
    assert_eq!(solved(&large, Some(40_000_000), 128), Err(QuoridorSolveError::TooMany(40_000_000)));
    assert_eq!(solved(&large, None, 128), Err(QuoridorSolveError::FarTooLarge(128)));
    let over = after(3, 1, "b2 a3 a2 b3 a3");
    let solution = solved(&over, None, 256).unwrap();
    assert_eq!((solution.outcome, solution.plies), (Outcome::Win(Side::First), Some(0)));
}

#[test]
fn some_positions_are_draws() {
    for text in ["a2 b1 / c2 / a1 b3 / 1 0 / 2 / 5", "c1 d2 / a2 / c1 a3 / 1 0 / 1 / 5"] {
        let game = Quoridor::from_position_text(text).unwrap();
        let solution = solved(&game, None, 256).unwrap();
        assert_eq!((solution.outcome, solution.plies), (Outcome::Draw, None), "{text}");
    }
}

#[test]
#[ignore = "167 million positions, 10 s and 350 MB"]
fn the_8x3_board_with_three_walls_is_a_draw() {
    let start = Quoridor::with_walls(8, 3, 3).unwrap();
    let solution = solved(&start, None, 1024).unwrap();
    assert_eq!((solution.outcome, solution.states), (Outcome::Draw, 166_937_832));
}

#[test]
#[ignore = "wall-clock: run on a quiet machine"]
fn a_solver_with_much_memory_keeps_to_its_half_of_the_time() {
    let stop = AtomicBool::new(false);
    let time = |ms: u64| Limits { time: Some(Duration::from_millis(ms)), ..Limits::default() };
    let large = Quoridor::with_walls(5, 5, 4).unwrap();
    let control = SolveControl { memory_mib: Some(4096), ..SolveControl::without_reports(time(300), &stop) };
    let began = Instant::now();
    assert!(matches!(solve_quoridor(&large, &control), Err(QuoridorSolveError::Stopped)));
    assert!(began.elapsed() < Duration::from_millis(450), "{:?}", began.elapsed());
    let small = Quoridor::with_walls(5, 5, 2).unwrap();
    for seed in 0..5 {
        let at = GameHistory { start: &small, played: &[], now: &small };
        let mut eight = level_host(8, &small, seed);
        let choice = eight.choose(&at, &SearchControl::without_reports(time(20), &stop)).unwrap();
        assert!(choice.info.depth > 2, "seed {seed}: depth {}", choice.info.depth);
    }
}
