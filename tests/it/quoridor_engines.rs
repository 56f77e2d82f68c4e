//! The Quoridor engines against known values and moves.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crosspath::ai::quoridor::classic::{ClassicFeatures, QuoridorClassic};
use crosspath::ai::quoridor::eval::evaluate_by_terms;
use crosspath::ai::quoridor::level_specs;
use crosspath::ai::{
    Engine, EngineConfig, EngineKind, GameHistory, Limits, MoveChoice, SearchBudget, SearchControl,
};
use crosspath::game::{Game, Outcome, Side};
use crosspath::games::quoridor::{Cell, Move, MoveKind, Orientation, Quoridor};
use crosspath::random::{RandomGenerator, random_stream};

use crate::quoridor_help::{after, board, moves, random_move, random_position, solved, turned};

const NO_WALLS_LEFT: &str = "a1 a3 a5 a8 b4 b6 c1 c3 c8 d6 e1 e3 f6 f8 g1 g3 / c5 e8 h3 h6 / e2 e8 / 0 0 / 1";

/// Returns the move of level classic at a depth, and its value.
fn classic_choice(game: &Quoridor, depth: u32) -> (Move, f64) {
    let stop = AtomicBool::new(false);
    let mut budget = SearchBudget::start::<()>(&SearchControl::without_reports(Limits::default(), &stop));
    let found = QuoridorClassic::default().search(game, depth, &mut budget).unwrap();
    (found.mv, found.value)
}

fn choose(engine: &mut dyn Engine<Quoridor>, now: &Quoridor, limits: Limits) -> MoveChoice<Move> {
    let stop = AtomicBool::new(false);
    engine
        .choose(&GameHistory { start: now, played: &[], now }, &SearchControl::without_reports(limits, &stop))
}

/// Returns limits for quick tests: 2,000 nodes for strong levels, and the defaults of the level
/// otherwise.
fn quick_limits(level: EngineKind) -> Limits {
    let is_large = matches!(level, EngineKind::Level(6..) | EngineKind::Lookahead | EngineKind::Net);
    Limits { nodes: is_large.then_some(2_000), ..Limits::default() }
}

fn level(level: EngineKind, seed: u64) -> Box<dyn Engine<Quoridor>> {
    let level_spec = level_specs().into_iter().find(|level_spec| level_spec.level == level).unwrap();
    (level_spec.build)(&board(9, 10), &EngineConfig::new(seed, 0)).unwrap()
}

#[test]
fn classic_evaluates_by_the_original_formula() {
    // Size, then expected values: after our step, after a longer path, after the opponent's step,
    // without walls, at the goal.
    let table = [
        (3, 0.230_000, 0.360_000, -0.180_000, 0.480_000, 0.460_000),
        (5, 0.072_368, 0.094_737, -0.047_368, 0.631_579, 0.289_474),
        (7, 0.038_618, 0.043_902, -0.021_951, 0.682_927, 0.231_707),
        (9, 0.025_176, 0.025_352, -0.012_676, 0.709_859, 0.201_408),
        (11, 0.018_257, 0.016_514, -0.008_257, 0.726_606, 0.182_569),
        (13, 0.014_140, 0.011_613, -0.005_806, 0.738_065, 0.169_677),
    ];
    let classic = QuoridorClassic::default();
    for (size, step, longer, other_step, empty, goal) in table {
        let start = ClassicFeatures::measure(&board(size, 1), Side::First);
        let (rows, cells) =
            (f64::from(u8::try_from(size - 1).unwrap()), f64::from(u8::try_from(size).unwrap()).powi(2));
        let most = cells - rows - 2.0;
        assert!((start.most_path - most).abs() < 1e-9 && (start.most_rows - rows).abs() < 1e-9);
        let own_step = ClassicFeatures { own_path: rows - 1.0, rows: rows - 1.0, ..start };
        let at_goal = ClassicFeatures { own_path: 0.0, rows: 0.0, ..start };
        let values = [
            (classic.evaluate_features(&start), 0.0, 0.0),
            (classic.evaluate_features(&own_step), step, 0.9 / most + 0.1 / rows),
            (
                classic.evaluate_features(&ClassicFeatures { other_path: rows + 2.0, ..start }),
                longer,
                1.8 / most,
            ),
            (
                classic.evaluate_features(&ClassicFeatures { other_path: rows - 1.0, ..start }),
                other_step,
                -0.9 / most,
            ),
            (classic.evaluate_without_walls(&start), empty, 0.8 * (most - rows) / most),
            (classic.evaluate_features(&at_goal), goal, 0.9 * rows / most + 0.1),
        ];
        for (value, printed, closed) in values {
            assert!((value - closed).abs() < 1e-9, "{size}: {value} is not {closed}");
            assert!((value - printed).abs() < 5.1e-7, "{size}: {value} is not {printed}");
        }
    }
}

#[test]
fn classic_plays_the_moves_of_the_reference() {
    let table = [
        (after(9, 10, ""), 2, 0.0125, "e2"),
        (after(9, 10, "e2 e8"), 2, 0.025, "e3"),
        (after(9, 10, "e2 e8 e3 e7"), 2, 0.0375, "e4"),
        (after(9, 10, "e2 e8 e3 e7 e4 e6"), 2, 0.0375, "d1h"),
        (after(9, 10, "e2 e8 e3 e7 e4 e6 e5"), 2, 0.0625, "e4"),
        (after(9, 10, "e3h e8 c4v e7"), 2, -0.012_852, "e2"),
        (Quoridor::from_position_text(NO_WALLS_LEFT).unwrap(), 1, 0.687_324, "f2"),
        (after(13, 17, ""), 1, 0.014_140, "g2"),
        (after(3, 0, ""), 1, 0.64, "b2"),
        (after(5, 0, ""), 1, 0.673_684, "c2"),
        (after(7, 0, ""), 1, 0.702_439, "d2"),
        (after(3, 1, ""), 6, -0.36, "a2h"),
        (after(3, 4, ""), 6, -0.36, "a2h"),
        (after(5, 2, ""), 4, 0.025, "c2"),
        (after(5, 3, ""), 4, 0.025, "c2"),
        (after(7, 5, ""), 3, 0.055_285, "d2"),
    ];
    for (game, depth, value, mv) in table {
        assert_eq!(QuoridorClassic::default().default_depth(&game), depth, "{game}");
        let (found, score) = classic_choice(&game, depth);
        assert_eq!(found.to_string(), mv, "{game}");
        assert!((score - value).abs() < 5.1e-7, "{game}: {score}");
        let choice = choose(&mut QuoridorClassic::default(), &game, Limits::default());
        assert_eq!((choice.mv, choice.info.depth), (found, depth));
    }
}

#[test]
fn classic_depth_depends_on_the_size_and_the_walls_left() {
    let depths = [
        (2, 6),
        (3, 6),
        (4, 4),
        (5, 4),
        (6, 3),
        (7, 3),
        (8, 2),
        (9, 2),
        (10, 2),
        (11, 2),
        (12, 1),
        (13, 1),
        (25, 1),
    ];
    for (size, depth) in depths {
        assert_eq!(QuoridorClassic::default().default_depth(&board(size, 1)), depth, "{size}");
        assert_eq!(QuoridorClassic::default().default_depth(&board(size, 0)), 1);
    }
    assert_eq!(
        QuoridorClassic { depth: Some(5), ..QuoridorClassic::default() }.default_depth(&board(9, 1)),
        5
    );
}

/// Returns the sort key of a move for level classic, implemented a second time.
fn classic_place(from: Cell, mv: Move) -> (usize, usize, usize, usize) {
    match mv.kind() {
        MoveKind::Step(cell) => {
            let files = cell.file().cast_signed() - from.file().cast_signed();
            let rows = cell.row().cast_signed() - from.row().cast_signed();
            let way = match (files.signum(), rows.signum()) {
                (0, -1) => 0,
                (0, 1) => 1,
                (1, 0) => 2,
                (-1, 0) => 3,
                (-1, -1) => 4,
                (1, -1) => 5,
                (-1, 1) => 6,
                _ => 7,
            };
            (files.unsigned_abs() + rows.unsigned_abs(), way, 0, 0)
        }
        MoveKind::Wall(wall) => {
            (9, wall.post.row(), wall.post.file(), usize::from(wall.orientation == Orientation::Horizontal))
        }
    }
}

/// Returns the first of the best moves and its value by plain minimax without cutoffs.
fn plain_minimax(
    game: &mut Quoridor,
    searcher: Side,
    hand: u16,
    depth: u32,
    ply: u32,
) -> (Option<Move>, f64) {
    if let Some(outcome) = game.outcome() {
        let value = match outcome.winner() {
            Some(side) if side == searcher => 500.0 - f64::from(ply),
            Some(_) => f64::from(ply) - 500.0,
            None => 0.0,
        };
        return (None, value);
    }
    if depth == 0 {
        let seen = ClassicFeatures::measure(game, searcher);
        let classic = QuoridorClassic::default();
        return (
            None,
            if hand == 0 { classic.evaluate_without_walls(&seen) } else { classic.evaluate_features(&seen) },
        );
    }
    let rises = game.to_move() == searcher;
    let from = game.pawn(game.to_move());
    let mut list = moves(game);
    list.sort_by_key(|&mv| classic_place(from, mv));
    let mut best: Option<(Move, f64)> = None;
    for mv in list {
        let undo = game.make_move(mv);
        let (_, value) = plain_minimax(game, searcher, hand, depth - 1, ply + 1);
        game.unmake_move(mv, undo);
        if best.is_none_or(|(_, most)| if rises { value > most } else { value < most }) {
            best = Some((mv, value));
        }
    }
    let (mv, value) = best.unwrap();
    (Some(mv), value)
}

#[test]
fn classic_with_cutoffs_equals_plain_minimax() {
    let mut generator = random_stream(16, 0);
    for number in 0..120 {
        let (start, depth) = match number % 6 {
            0 => (board(3, 1), 4),
            1 => (board(3, 2), 3),
            2 => (board(3, 0), 6),
            3 => (board(5, 2), 2),
            4 => (board(5, 1), 3),
            _ => (Quoridor::with_walls(4, 3, 2).unwrap(), 3),
        };
        let mut game = random_position(&start, number % 7, &mut generator);
        let (searcher, hand) = (game.to_move(), game.walls_left(game.to_move()));
        let (mv, value) = plain_minimax(&mut game, searcher, hand, depth, 0);
        let (found, score) = classic_choice(&game, depth);
        assert_eq!(Some(found), mv, "{game} depth {depth}");
        assert!((score - value).abs() < 1e-12, "{game} depth {depth}: {score} is not {value}");
    }
    for (mut start, depth) in [(board(3, 1), 6), (board(3, 4), 6), (board(5, 2), 4)] {
        assert_eq!(
            plain_minimax(&mut start, Side::First, 1, depth, 0).0,
            Some(classic_choice(&start, depth).0)
        );
    }
}

/// Plays a game of the engine against random moves and checks that every move is legal.
fn play_against_random_moves(
    engine: &mut dyn Engine<Quoridor>,
    limits: Limits,
    start: &Quoridor,
    side: Side,
    generator: &mut RandomGenerator,
) -> Outcome {
    let mut game = start.clone();
    let mut played = Vec::new();
    let stop = AtomicBool::new(false);
    while game.outcome().is_none() {
        let mv = if game.to_move() == side {
            let at = GameHistory { start, played: &played, now: &game };
            let mv = engine.choose(&at, &SearchControl::without_reports(limits, &stop)).mv;
            assert!(moves(&game).contains(&mv), "{mv} in {game}");
            mv
        } else {
            random_move(&game, generator).unwrap()
        };
        game.make_move(mv);
        played.push(mv);
    }
    game.outcome().unwrap()
}

#[test]
fn classic_plays_a_thousand_games_without_an_illegal_move() {
    // Games, board, walls, depth. The depth is that of the original on small boards, and lower
    // elsewhere.
    let mix = [
        (300, (3, 3), 2, None),
        (100, (3, 3), 4, None),
        (200, (4, 3), 3, Some(3)),
        (250, (5, 5), 3, Some(2)),
        (50, (5, 5), 3, None),
        (50, (7, 7), 6, Some(2)),
        (30, (9, 9), 10, None),
        (20, (13, 13), 17, None),
    ];
    let mut games = 0;
    for (number, (count, (width, height), walls, depth)) in (0..).zip(mix) {
        let mut generator = random_stream(1000, number);
        let mut engine = QuoridorClassic { depth, ..QuoridorClassic::default() };
        for game in 0..count {
            let start = Quoridor::with_walls(width, height, walls).unwrap();
            let side = if game % 2 == 0 { Side::First } else { Side::Second };
            play_against_random_moves(&mut engine, Limits::default(), &start, side, &mut generator);
            games += 1;
        }
    }
    assert_eq!(games, 1000);
}

#[test]
fn every_level_plays_legal_games_on_every_kind_of_board() {
    for level_spec in level_specs() {
        for (number, (width, height, walls)) in
            (0..).zip([(3, 3, 2), (5, 5, 3), (2, 5, 2), (2, 2, 1), (9, 9, 10)])
        {
            for game in 0..4 {
                let start = Quoridor::with_walls(width, height, walls).unwrap();
                let mut engine = (level_spec.build)(&start, &EngineConfig::new(game, number)).unwrap();
                let side = if game % 2 == 0 { Side::First } else { Side::Second };
                let limits = quick_limits(level_spec.level);
                play_against_random_moves(
                    engine.as_mut(),
                    limits,
                    &start,
                    side,
                    &mut random_stream(game, 10 + number),
                );
            }
        }
    }
}

#[test]
fn every_level_beats_random_moves() {
    for level_spec in level_specs() {
        let start = board(5, 3);
        let mut wins = 0;
        for game in 0..10 {
            let side = if game % 2 == 0 { Side::First } else { Side::Second };
            let mut engine = (level_spec.build)(&start, &EngineConfig::new(game, 0)).unwrap();
            let limits = quick_limits(level_spec.level);
            let outcome =
                play_against_random_moves(engine.as_mut(), limits, &start, side, &mut random_stream(game, 3));
            wins += u32::from(outcome == Outcome::Win(side));
        }
        assert!(wins >= 9, "{} won {wins} of 10", level_spec.level);
    }
}

#[test]
fn every_level_answers_at_once_without_nodes() {
    let game = after(9, 10, "e2 e8 e3 e7 e4 e6 e5");
    for level_spec in level_specs() {
        for limits in [
            Limits { nodes: Some(0), ..Limits::default() },
            Limits { depth: Some(0), nodes: Some(50), ..Limits::default() },
            Limits { time: Some(Duration::ZERO), ..Limits::default() },
        ] {
            let mut engine = (level_spec.build)(&game, &EngineConfig::new(1, 0)).unwrap();
            assert!(game.is_legal(choose(engine.as_mut(), &game, limits).mv), "{}", level_spec.level);
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for level_spec in level_specs() {
        let game = |seed| {
            let start = board(5, 2);
            let mut engine = (level_spec.build)(&start, &EngineConfig::new(seed, 0)).unwrap();
            let mut now = start.clone();
            while now.outcome().is_none() && now.ply() < 12 {
                let mv = choose(engine.as_mut(), &now, quick_limits(level_spec.level)).mv;
                now.make_move(mv);
            }
            now.position_text()
        };
        assert_eq!(game(7), game(7), "{}", level_spec.level);
    }
}

#[test]
fn every_level_takes_an_immediate_win() {
    let wins = [
        ("- / - / e8 a5 / 10 10 / 1", "e9"),
        ("- / - / a5 e2 / 10 10 / 2", "e1"),
        ("- / - / e7 e8 / 3 3 / 1", "e9"),
        ("a1 a3 a5 c1 c3 c7 / a7 / e8 e9 / 10 3 / 1", "d9"),
    ];
    for (text, mv) in wins {
        let game = Quoridor::from_position_text(text).unwrap();
        for level_spec in level_specs() {
            for seed in 0..4 {
                let mut engine = (level_spec.build)(&game, &EngineConfig::new(seed, 0)).unwrap();
                assert_eq!(
                    choose(engine.as_mut(), &game, Limits::default()).mv.to_string(),
                    mv,
                    "{}",
                    level_spec.level
                );
            }
        }
    }
}

#[test]
fn levels_from_three_block_a_one_step_loss() {
    let threats = ["- / - / a4 e2 / 10 10 / 1", "- / - / e8 a6 / 10 10 / 2", "d1 / - / c3 g2 / 4 0 / 1"];
    for text in threats {
        let game = Quoridor::from_position_text(text).unwrap();
        for number in 3..=8 {
            // Level 8 would use two seconds.
            let limits = Limits { nodes: (number == 8).then_some(2000), ..Limits::default() };
            for seed in 0..6 {
                let choice = choose(level(EngineKind::Level(number), seed).as_mut(), &game, limits);
                let mut next = game.clone();
                next.make_move(choice.mv);
                let goal = next.goal_row(next.to_move());
                assert!(
                    next.pawn_targets().iter().all(|cell| cell.row() != goal),
                    "{number}: {} in {text}",
                    choice.mv
                );
            }
        }
    }
}

#[test]
fn the_evaluation_is_symmetric_in_sides_and_files() {
    let mut generator = random_stream(29, 0);
    for number in 0..400 {
        let start = Quoridor::with_walls(3 + number % 7, 3 + number / 7 % 7, 4).unwrap();
        let game = random_position(&start, u32::try_from(number % 30).unwrap(), &mut generator);
        let value = evaluate_by_terms(&game);
        assert_eq!(evaluate_by_terms(&turned(&game, true, false)), value, "{game}");
        assert_eq!(evaluate_by_terms(&turned(&game, false, true)), value, "{game}");
    }
}

// Weights of the term evaluation, repeated here.
const TEMPO: [i32; 7] = [-35, 2, -8, -22, -32, -53, -75];
const LEAD: [i32; 7] = [19, 97, 84, 55, 35, 6, -21];
const WALL: [i32; 7] = [0, 410, 351, 222, 153, 102, 85];
const LEAD_BY_DISTANCE: i32 = 29;
const WALL_BY_DISTANCE: i32 = 14;
const RACE: i32 = 480;
const OWN_NEARNESS: i32 = 6737;
const OTHER_NEARNESS: i32 = -5853;

#[test]
fn the_evaluation_is_the_sum_of_its_terms() {
    let value = |text: &str| evaluate_by_terms(&Quoridor::from_position_text(text).unwrap());
    let near = |steps: i32| OWN_NEARNESS / (1 + steps) + OTHER_NEARNESS / 9;
    assert_eq!(value("- / - / e1 e9 / 10 10 / 1"), TEMPO[6] + near(8));
    // One step ahead, with all walls left. Both paths are 15 of 16 steps long.
    assert_eq!(value("- / - / e2 e9 / 10 10 / 1"), TEMPO[6] + LEAD[6] - LEAD_BY_DISTANCE / 16 + near(7));
    // Two walls more; 18 of 20 are beyond the last knot.
    assert_eq!(value("a1 c1 / - / e1 e9 / 10 8 / 1"), TEMPO[6] + 2 * WALL[6] + near(8));
    // Between two knots: 5 of 20 walls are 25 of 100, halfway from 20 to 30.
    let walls = "a1 c1 e1 g1 a8 c8 e8 g8 a6 c6 e6 g6 a4 c4 e4";
    let game = Quoridor::from_position_text(&format!("{walls} / - / e1 e9 / 3 2 / 1")).unwrap();
    let steps = [Side::First, Side::Second].map(|side| game.distance_to_goal(side).cast_signed());
    let (lead, longer) = (steps[1] - steps[0], steps[0] + steps[1] - 16);
    let middle = |knots: [i32; 7]| knots[3] + (knots[4] - knots[3]) / 2;
    let expected = middle(TEMPO)
        + middle(LEAD) * lead
        + middle(WALL)
        + (LEAD_BY_DISTANCE * lead + WALL_BY_DISTANCE) * longer / 16
        + OWN_NEARNESS / (1 + steps[0])
        + OTHER_NEARNESS / (1 + steps[1]);
    assert_eq!(evaluate_by_terms(&game), expected);
    // A side without walls can be outrun. Second is to move and has two walls, First has none.
    let game = Quoridor::from_position_text("a1 c1 / a3 a5 / e8 c5 / 0 2 / 2").unwrap();
    let [other, own] = [Side::First, Side::Second].map(|side| game.distance_to_goal(side).cast_signed());
    assert!(other < own, "no race is won here");
    let game = Quoridor::from_position_text("a1 c1 / a3 a5 / e2 c5 / 0 2 / 2").unwrap();
    let [other, own] = [Side::First, Side::Second].map(|side| game.distance_to_goal(side).cast_signed());
    // 2 of 6 walls lie at a fifth of the distance from the knot at 30 to that at 45.
    let part = |knots: [i32; 7]| knots[4] + (knots[5] - knots[4]) * (200 - 180) / (270 - 180);
    let expected = part(TEMPO)
        + part(LEAD) * (other - own)
        + 2 * part(WALL)
        + (LEAD_BY_DISTANCE * (other - own) + 2 * WALL_BY_DISTANCE) * (own + other - 16) / 16
        + OWN_NEARNESS / (1 + own)
        + OTHER_NEARNESS / (1 + other)
        + RACE;
    assert!(own <= other, "{own} {other}");
    assert_eq!(evaluate_by_terms(&game), expected);
}

/// Reports whether the pawns are adjacent and in one file.
fn is_face_to_face(game: &Quoridor) -> bool {
    let [one, other] = [Side::First, Side::Second].map(|side| game.pawn(side));
    one.file() == other.file() && one.row().abs_diff(other.row()) == 1
}

#[test]
fn level_4_keeps_the_win_on_solved_boards() {
    let (mut generator, [mut won, mut last_walls, mut meetings]) = (random_stream(50, 39), [0; 3]);
    for number in 0..1000 {
        let (width, height, walls) = [(3, 3, 2), (4, 3, 1), (3, 5, 1), (5, 3, 1)][number % 4];
        let start = Quoridor::with_walls(width, height, walls).unwrap().with_ply_limit(None);
        let game = random_position(&start, u32::try_from(number % 7).unwrap(), &mut generator);
        let solution = solved(&game, None, 256).unwrap();
        if solution.winning.is_empty() {
            continue;
        }
        let mv = choose(level(EngineKind::Level(4), 1).as_mut(), &game, Limits::default()).mv;
        assert!(solution.winning.contains(&mv), "{mv} gives {game:?} away: {:?}", solution.winning);
        won += 1;
        let builds = solution.winning.iter().all(|mv| mv.wall().is_some());
        last_walls += usize::from(builds && game.walls_left(game.to_move()) == 1);
        meetings += usize::from(is_face_to_face(&game) && solution.winning.len() < moves(&game).len());
    }
    assert!(won > 100 && last_walls > 5 && meetings > 5, "{won} {last_walls} {meetings}");
}

#[test]
fn level_1_varies_with_its_seed() {
    let game = board(9, 10);
    let choice =
        |seed| choose(level(EngineKind::Level(1), seed).as_mut(), &game, Limits::default()).mv.to_string();
    let firsts: BTreeSet<String> = (0..20).map(choice).collect();
    assert!(firsts.len() > 3 && firsts.contains("e2"), "{firsts:?}");
}

/// Plays 200 games on 9x9 with alternating sides, each from an opening of four random moves.
/// Returns how many the first level wins.
fn count_wins(one: EngineKind, other: EngineKind) -> usize {
    let mut wins = 0;
    for number in 0..200 {
        // Both games of a pair have the same opening.
        let mut now = random_position(&board(9, 10), 4, &mut random_stream(700 + number / 2, 9));
        let mut seats = [one, other].map(|number| level(number, 1000));
        let own = Side::BOTH[(number % 2) as usize];
        while now.outcome().is_none() {
            let seat = usize::from(now.to_move() != own);
            let mv = choose(seats[seat].as_mut(), &now, Limits::default()).mv;
            now.make_move(mv);
        }
        wins += usize::from(now.outcome() == Some(Outcome::Win(own)));
    }
    println!("level {one} won {wins} of 200 games against {other}");
    wins
}

#[test]
#[ignore = "slow: 1,400 games; cargo test --release"]
fn every_level_wins_three_of_five_games_against_the_level_below() {
    for number in 2..=7 {
        assert!(count_wins(EngineKind::Level(number), EngineKind::Level(number - 1)) >= 120, "{number}");
    }
    assert!(count_wins(EngineKind::Level(7), EngineKind::Classic) >= 120);
}

#[test]
fn a_move_without_a_search_has_no_score() {
    let game = board(9, 9); // the book has no such board
    for level_spec in level_specs() {
        for limits in [
            Limits { nodes: Some(0), ..Limits::default() },
            Limits { time: Some(Duration::ZERO), ..Limits::default() },
        ] {
            let mut engine = (level_spec.build)(&game, &EngineConfig::new(1, 0)).unwrap();
            let found = choose(engine.as_mut(), &game, limits);
            assert_eq!((found.info.score, found.info.depth), (None, 0), "{}", level_spec.level);
            assert!(
                level_spec.level == EngineKind::Level(1) || found.mv.to_string() == "e2",
                "{}: {}",
                level_spec.level,
                found.mv
            );
        }
    }
}

#[test]
fn levels_from_three_block_a_one_step_loss_under_limits_too() {
    let game = Quoridor::from_position_text("- / - / e7 e2 / 5 5 / 1").unwrap();
    for number in [3, 4] {
        for nodes in [1, 100, 400] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut next = game.clone();
            next.make_move(choose(level(EngineKind::Level(number), nodes).as_mut(), &game, limits).mv);
            assert!(next.pawn_targets().iter().all(|cell| cell.row() != 0), "{number} with {nodes} nodes");
        }
    }
}

#[test]
fn many_walls_left_do_not_make_long_paths_look_better() {
    let near = Quoridor::from_position_text("- / - / e3 e9 / 999 0 / 1").unwrap();
    let far = Quoridor::from_position_text("- / - / e2 e9 / 999 0 / 1").unwrap();
    assert!(evaluate_by_terms(&near) > evaluate_by_terms(&far));
}
